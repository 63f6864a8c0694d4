//! Sequences and sets: their children reordered, spliced, and made.

use super::{RewriteError, Rewritten};
use crate::budget::Budget;
use crate::sets::UnionSet;
use crate::tree::{Filter, Node, Path, Tree};

impl Tree {
    /// The tree with the children of the sequence or set at `path` in another order: first the one at position `order[0]`.
    ///
    /// # Errors
    ///
    /// If there is no sequence or set at `path`.
    ///
    /// # Panics
    ///
    /// If `order` is not a permutation of the positions.
    pub fn reorder_children(&self, path: &Path, order: &[usize]) -> Rewritten {
        let children = self.filters(path)?;
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        assert!(
            sorted.into_iter().eq(0..children.len()),
            "{order:?} is a permutation of the children"
        );
        let children: Vec<Filter> = order.iter().map(|p| children[*p].clone()).collect();
        Ok(self.rewritten(path, |node| match node {
            Node::Set(_) => Node::Set(children),
            _ => Node::Sequence(children),
        }))
    }

    /// The tree with the children of sequences that are children of the sequence at `path` as its own children, and the same
    /// with sets: the same order.
    ///
    /// # Errors
    ///
    /// If there is no sequence or set at `path`.
    pub fn splice_children(&self, path: &Path) -> Rewritten {
        self.filters(path)?;
        Ok(self.rewritten(path, |node| match node {
            Node::Sequence(children) => Node::Sequence(spliced(children, |child| match child {
                Node::Sequence(inner) => Ok(inner),
                other => Err(other),
            })),
            Node::Set(children) => Node::Set(spliced(children, |child| match child {
                Node::Set(inner) => Ok(inner),
                other => Err(other),
            })),
            other => other,
        }))
    }

    /// The tree in which, at `path`, the instances in `first` are executed before all others, and each part in the order that
    /// the node gives to it.
    ///
    /// # Errors
    ///
    /// If there is no such node, or the budget is spent.
    pub fn order_before(&self, path: &Path, first: &UnionSet, b: &Budget) -> Rewritten {
        let (first, others) = self.parts(path, first, b)?;
        self.insert_sequence(path, [first, others])
    }

    /// The tree in which, at `path`, the instances in `last` are executed after all others, and each part in the order that the
    /// node gives to it.
    ///
    /// # Errors
    ///
    /// If there is no such node, or the budget is spent.
    pub fn order_after(&self, path: &Path, last: &UnionSet, b: &Budget) -> Rewritten {
        let (last, others) = self.parts(path, last, b)?;
        self.insert_sequence(path, [others, last])
    }

    /// What reaches the node at `path` and is in `set`, and what is not.
    fn parts(&self, path: &Path, set: &UnionSet, b: &Budget) -> Result<(UnionSet, UnionSet), RewriteError> {
        self.node(path)?;
        let instances = self.reach(path, b)?.instances;
        let others = instances.subtract(set, b)?;
        let simple = |part: UnionSet| part.gist(&instances, b);
        Ok((simple(instances.intersect(set))?, simple(others)?))
    }
}

/// The children with those that have children of their own, by `inner`, replaced by these.
fn spliced(children: Vec<Filter>, inner: impl Fn(Node) -> Result<Vec<Filter>, Node>) -> Vec<Filter> {
    let mut out = Vec::new();
    for Filter { filter, child } in children {
        match inner(child) {
            Ok(inner) => out.extend(inner.into_iter().map(|own| Filter {
                filter: filter.intersect(&own.filter),
                child: own.child,
            })),
            Err(child) => out.push(Filter { filter, child }),
        }
    }
    out
}
