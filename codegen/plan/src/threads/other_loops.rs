//! Loops on threads that the order for one thread does not have: over [`strips`](super::strips), or over tiles of a smaller
//! [`grain`](super::grain). Both change the outermost bands that they are for.

use farkas_polyhedral::tree::{Band, Mark, Node, Tree};

/// What loops on threads may have that the order for one thread does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OtherLoops {
    /// Nothing.
    None,
    /// Loops over strips.
    Strips,
    /// These, and smaller tiles.
    StripsAndTiles,
}

/// What becomes of a band.
pub(super) enum Change {
    /// Another node.
    To(Node),
    /// It stays as it is, with all that is inside.
    Nothing,
    /// Bands inside may change.
    Inside,
}

/// The tree with its outermost bands changed; `None` where none is. What is in lanes stays.
pub(super) fn changed(tree: &Tree, change: &dyn Fn(&Band) -> Change) -> Option<Tree> {
    let mut found = false;
    let root = within(tree.root.clone(), change, &mut found);
    found.then(|| Tree { root, ..tree.clone() })
}

fn within(node: Node, change: &dyn Fn(&Band) -> Change, found: &mut bool) -> Node {
    let change_of = match &node {
        Node::Band(band) => change(band),
        Node::Mark(Mark::Vector { .. } | Mark::Jam { .. }, _) => Change::Nothing,
        _ => Change::Inside,
    };
    match change_of {
        Change::To(other) => {
            *found = true;
            other
        }
        Change::Nothing => node,
        Change::Inside => node.map_children(&mut |child| within(child, change, found)),
    }
}
