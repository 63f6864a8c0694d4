//! Nodes removed.

use super::{RewriteError, Rewritten, wrong};
use crate::tree::{Node, Path, Tree};

impl Tree {
    /// The tree without the node at `path`, its child in its place: what it said of the order, of values or of conditions
    /// is not said any more. A sequence or set of one child is replaced by what is below the filter.
    ///
    /// # Errors
    ///
    /// If there is no such node, it has several children or none, it is an expansion or an extension, without which other
    /// instances would be scheduled, or it is a band above an anchored subtree.
    pub fn delete(&self, path: &Path) -> Rewritten {
        let child = match self.node(path)? {
            Node::Band(band) if band.n() > 0 => &self.free_band(path)?.child,
            Node::Sequence(children) | Node::Set(children) if children.len() == 1 => &children[0].child,
            node @ (Node::Band(_) | Node::Filter(_) | Node::Guard(..) | Node::Context(..) | Node::Mark(..)) => {
                let Some(child) = node.children().next() else {
                    return Err(RewriteError::NoNode(path.child(0)));
                };
                child
            }
            other => return Err(wrong(path, other, "a node without which its one child can be")),
        };
        Ok(self.replaced(path, child.clone()))
    }

    /// The tree with a leaf in the place of the node at `path`: the instances that reach it are not ordered there any more.
    ///
    /// # Errors
    ///
    /// If there is no such node, or there are expansions or extensions below it, without which other instances would be
    /// scheduled.
    pub fn cut(&self, path: &Path) -> Rewritten {
        let scheduling = |node: &Node| matches!(node, Node::Expansion(_) | Node::Extension(..));
        if self.node(path)?.any(&scheduling) {
            return Err(RewriteError::Blocked {
                path: path.clone(),
                kind: "expansion or extension",
            });
        }
        Ok(self.replaced(path, Node::Leaf))
    }
}
