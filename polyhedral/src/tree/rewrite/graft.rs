//! Further instances scheduled beside those of a node.

use super::Rewritten;
use crate::budget::Budget;
use crate::sets::{Set, SetSpace, UnionSet};
use crate::tree::{ExtensionTree, Filter, Node, Path, Tree};

impl Tree {
    /// The tree that executes the instances of `graft`, in its order, before those of the node at `path`, for each value of the
    /// outer members for which the node is reached. The extension is over these values.
    ///
    /// # Errors
    ///
    /// If there is no such node, or the budget is spent.
    pub fn graft_before(&self, path: &Path, graft: &ExtensionTree, b: &Budget) -> Rewritten {
        self.graft(path, graft, true, b)
    }

    /// As [`Tree::graft_before`], after those of the node.
    ///
    /// # Errors
    ///
    /// If there is no such node, or the budget is spent.
    pub fn graft_after(&self, path: &Path, graft: &ExtensionTree, b: &Budget) -> Rewritten {
        self.graft(path, graft, false, b)
    }

    fn graft(&self, path: &Path, graft: &ExtensionTree, before: bool, b: &Budget) -> Rewritten {
        let node = self.node(path)?;
        let own = Filter {
            filter: statements(&self.reach(path, b)?.instances),
            child: node.clone(),
        };
        let new = Filter {
            filter: statements(&graft.extension.range(b)?),
            child: graft.root.clone(),
        };
        let children = if before { vec![new, own] } else { vec![own, new] };
        let extension = Node::Extension(graft.extension.clone(), Box::new(Node::Sequence(children)));
        Ok(self.replaced(path, extension))
    }
}

/// All instances of the statements of which there are some.
fn statements(instances: &UnionSet) -> UnionSet {
    let mut all = UnionSet::empty(instances.params().clone());
    for tuple in instances.tuples() {
        all.add(&Set::universe(SetSpace::new(instances.params().clone(), tuple.clone())));
    }
    all
}
