//! Trees without what is known anyway.

use super::Rewritten;
use crate::budget::{Budget, Outcome};
use crate::sets::UnionSet;
use crate::tree::{Band, Expansion, Filter, Node, Path, Tree};

impl Tree {
    /// The tree with the node at `path` and those below it simplified, where only instances in `known` reach it: filters and
    /// bands say less where that follows from `known`, from filters between, and children that nothing reaches are dropped.
    /// The order is the same.
    ///
    /// # Errors
    ///
    /// If there is no such node, or the budget is spent.
    pub fn gist(&self, path: &Path, known: &UnionSet, b: &Budget) -> Rewritten {
        let node = self.node(path)?.clone();
        Ok(self.replaced(path, simplified(node, known, b)?))
    }

    /// The tree with all nodes simplified by what is known to reach them.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn simplified(&self, b: &Budget) -> Rewritten {
        self.gist(&Path::root(), &self.reach_root().instances, b)
    }
}

fn simplified(node: Node, known: &UnionSet, b: &Budget) -> Outcome<Node> {
    b.spend(1)?;
    Ok(match node {
        Node::Band(band) => {
            let schedule = band.schedule().gist(known, b)?;
            let child = simplified(band.child.clone(), known, b)?;
            let band: Band = *band;
            Node::band(band.with_schedule(schedule).with_child(child))
        }
        Node::Filter(filter) => {
            let Filter { filter, child } = *filter;
            let child = simplified(child, &known.intersect(&filter), b)?;
            if known.is_subset(&filter, b)? {
                return Ok(child);
            }
            let filter = filter.gist(known, b)?;
            Node::Filter(Box::new(Filter { filter, child }))
        }
        Node::Sequence(children) => several(children, known, Node::Sequence, b)?,
        Node::Set(children) => several(children, known, Node::Set, b)?,
        Node::Expansion(expansion) => {
            let Expansion {
                contraction,
                expansion,
                child,
            } = *expansion;
            let expansion = expansion.intersect_domain(known);
            let below = expansion.range(b)?;
            let child = simplified(child, &below, b)?;
            Node::Expansion(Box::new(Expansion {
                contraction: contraction.gist(&below, b)?,
                expansion: expansion.gist_domain(known, b)?,
                child,
            }))
        }
        Node::Extension(extension, child) => {
            let known = known.union(&extension.range(b)?);
            let child = simplified(*child, &known, b)?;
            Node::Extension(extension, Box::new(child))
        }
        Node::Guard(guard, child) => Node::Guard(guard, Box::new(simplified(*child, known, b)?)),
        Node::Context(context, child) => Node::Context(context, Box::new(simplified(*child, known, b)?)),
        Node::Mark(name, child) => Node::Mark(name, Box::new(simplified(*child, known, b)?)),
        Node::Leaf => Node::Leaf,
    })
}

/// The children that something reaches. A single one needs no filter.
fn several(children: Vec<Filter>, known: &UnionSet, make: fn(Vec<Filter>) -> Node, b: &Budget) -> Outcome<Node> {
    let mut kept = Vec::new();
    for Filter { filter, child } in children {
        let passed = known.intersect(&filter);
        if passed.is_empty(b)? {
            continue;
        }
        kept.push(Filter {
            filter: filter.gist(known, b)?,
            child: simplified(child, &passed, b)?,
        });
    }
    Ok(match kept.len() {
        0 => Node::Leaf,
        1 if known.is_subset(&kept[0].filter, b)? => kept.swap_remove(0).child,
        _ => make(kept),
    })
}
