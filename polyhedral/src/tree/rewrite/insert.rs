//! Nodes inserted.

use super::{RewriteError, Rewritten};
use crate::sets::{Set, UnionSet};
use crate::tree::{Band, Filter, Mark, Node, Path, Tree};

impl Tree {
    /// The tree with a band above the node at `path`: what was ordered by the node is now ordered by the band first.
    ///
    /// # Errors
    ///
    /// If there is no such node, or it is anchored.
    pub fn insert_band(&self, path: &Path, band: Band) -> Rewritten {
        if self.node(path)?.is_anchored() {
            return Err(RewriteError::Anchored(path.clone()));
        }
        Ok(self.rewritten(path, |node| Node::band(band.with_child(node))))
    }

    /// The tree with a mark above the node at `path`.
    ///
    /// # Errors
    ///
    /// If there is no such node.
    pub fn insert_mark(&self, path: &Path, mark: Mark) -> Rewritten {
        self.node(path)?;
        Ok(self.rewritten(path, |node| Node::Mark(mark, Box::new(node))))
    }

    /// The tree with a filter above the node at `path`: what does not pass is not executed there.
    ///
    /// # Errors
    ///
    /// If there is no such node.
    pub fn insert_filter(&self, path: &Path, filter: UnionSet) -> Rewritten {
        self.node(path)?;
        Ok(self.rewritten(path, |child| Node::Filter(Box::new(Filter { filter, child }))))
    }

    /// The tree with a context above the node at `path`, a set over the values of the outer members.
    ///
    /// # Errors
    ///
    /// If there is no such node.
    pub fn insert_context(&self, path: &Path, context: Set) -> Rewritten {
        self.node(path)?;
        Ok(self.rewritten(path, |node| Node::Context(context, Box::new(node))))
    }

    /// The tree with a guard above the node at `path`, a set over the values of the outer members.
    ///
    /// # Errors
    ///
    /// If there is no such node.
    pub fn insert_guard(&self, path: &Path, guard: Set) -> Rewritten {
        self.node(path)?;
        Ok(self.rewritten(path, |node| Node::Guard(guard, Box::new(node))))
    }

    /// The tree with a sequence above the node at `path`: a copy of the node for what passes the first of the filters, one for
    /// what passes the second, and so on. The filters should be disjoint and cover what reaches the node.
    ///
    /// # Errors
    ///
    /// If there is no such node.
    pub fn insert_sequence(&self, path: &Path, filters: impl IntoIterator<Item = UnionSet>) -> Rewritten {
        self.copied(path, filters, Node::Sequence)
    }

    /// As [`Tree::insert_sequence`], in any order.
    ///
    /// # Errors
    ///
    /// If there is no such node.
    pub fn insert_set(&self, path: &Path, filters: impl IntoIterator<Item = UnionSet>) -> Rewritten {
        self.copied(path, filters, Node::Set)
    }

    fn copied(
        &self,
        path: &Path,
        filters: impl IntoIterator<Item = UnionSet>,
        make: impl Fn(Vec<Filter>) -> Node,
    ) -> Rewritten {
        let child = self.node(path)?;
        let filters = filters.into_iter().map(|filter| Filter {
            filter,
            child: child.clone(),
        });
        let filters: Vec<Filter> = filters.collect();
        Ok(if filters.is_empty() {
            self.clone()
        } else {
            self.replaced(path, make(filters))
        })
    }
}
