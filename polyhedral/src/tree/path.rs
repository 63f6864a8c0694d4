//! Positions of nodes.

use std::fmt;

use crate::tree::{Node, Tree};

/// The way from the node below a tree's domain and context to one of its descendants: the position among its siblings of
/// each node on the way. The child of a sequence or a set at position `k` is the node below its filter `k`.
///
/// Printed as `/0/2/0`; the node where ways start is `/`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Path(Vec<usize>);

impl Path {
    /// The way that goes nowhere.
    pub fn root() -> Path {
        Path::default()
    }

    /// The positions.
    pub fn steps(&self) -> &[usize] {
        &self.0
    }

    /// The way to the child at `position` of where this one ends.
    pub fn child(&self, position: usize) -> Path {
        let mut steps = self.0.clone();
        steps.push(position);
        Path(steps)
    }

    /// The way to the parent; the node where ways start has none.
    pub fn parent(&self) -> Option<Path> {
        let (_, steps) = self.0.split_last()?;
        Some(Path(steps.to_vec()))
    }
}

impl<const N: usize> From<[usize; N]> for Path {
    fn from(steps: [usize; N]) -> Path {
        Path(steps.to_vec())
    }
}

impl From<Vec<usize>> for Path {
    fn from(steps: Vec<usize>) -> Path {
        Path(steps)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("/");
        }
        self.0.iter().try_for_each(|step| write!(f, "/{step}"))
    }
}

impl Tree {
    /// The node at `path`, if there is one.
    pub fn at(&self, path: &Path) -> Option<&Node> {
        let mut node = &self.root;
        for &step in path.steps() {
            node = node.children().nth(step)?;
        }
        Some(node)
    }

    /// The node at `path`, to be changed, if there is one.
    pub fn at_mut(&mut self, path: &Path) -> Option<&mut Node> {
        let mut node = &mut self.root;
        for &step in path.steps() {
            node = node.children_mut().nth(step)?;
        }
        Some(node)
    }

    /// The tree with the node at `path` rewritten.
    ///
    /// # Panics
    ///
    /// If there is no such node.
    pub fn rewritten(&self, path: &Path, rewrite: impl FnOnce(Node) -> Node) -> Tree {
        let mut tree = self.clone();
        let Some(node) = tree.at_mut(path) else {
            panic!("no node at {path}")
        };
        *node = rewrite(std::mem::replace(node, Node::Leaf));
        tree
    }

    /// The ways to all nodes, a node before its children.
    pub fn paths(&self) -> Vec<Path> {
        fn walk(node: &Node, path: Path, out: &mut Vec<Path>) {
            out.push(path.clone());
            for (position, child) in node.children().enumerate() {
                walk(child, path.child(position), out);
            }
        }
        let mut paths = Vec::new();
        walk(&self.root, Path::root(), &mut paths);
        paths
    }
}
