//! Strips of an innermost loop around a band: what threads share where no loop outside of it has iterations that may run at the same time.
//!
//! ```text
//! for (i) for (j) s[j] += A[i][j];      parallel for (J) for (i) for (j = 512 J; j < 512 J + 512; j++) s[j] += A[i][j];
//! ```
//!
//! Within a strip the order is that of the band, so that accesses along it stay consecutive.

use farkas_polyhedral::tree::{Band, Isolation, LoopKind, Mark, Node, Tree};

/// The lengths of strips: the first one starts few loops, the last one leaves threads about the same number of strips.
pub(super) const LENGTHS: [i64; 2] = [512, 128];

/// The tree with strips of so many iterations around each band that can be shared in no other way; `None` where there is none.
pub(super) fn with_strips(tree: &Tree, length: i64) -> Option<Tree> {
    let mut found = false;
    let root = in_strips(tree.root.clone(), length, &mut found);
    found.then(|| Tree { root, ..tree.clone() })
}

fn in_strips(node: Node, length: i64, found: &mut bool) -> Node {
    match node {
        Node::Band(band) if may_have_strips(&band) => {
            *found = true;
            let last = band.n() - 1;
            let tiles = band.select(&[last]).with_permutable(true).tiled(&[length]);
            Node::band(tiles.with_isolation(Isolation::Nothing).with_child(Node::Band(band)))
        }
        Node::Band(band) if band.members().iter().any(|member| member.coincident) => Node::Band(band),
        Node::Mark(Mark::Vector { .. } | Mark::Jam { .. }, _) => node,
        other => other.map_children(&mut |child| in_strips(child, length, found)),
    }
}

/// Whether only the last member of a band has iterations that may run at the same time, and the loop is innermost but for jammed rows.
fn may_have_strips(band: &Band) -> bool {
    let (last, others) = match band.members() {
        [others @ .., last] if !others.is_empty() => (last, others),
        _ => return false,
    };
    let is_innermost = match &band.child {
        Node::Mark(Mark::Unjam { .. }, rows) => !has_vectors(rows),
        child => !child.any(&|node| matches!(node, Node::Band(_))),
    };
    let is_free = last.coincident && last.kind != LoopKind::Unroll && !others.iter().any(|member| member.coincident);
    is_free && is_innermost && band.permutable
}

fn has_vectors(node: &Node) -> bool {
    node.any(&|node| matches!(node, Node::Mark(Mark::Vector { .. } | Mark::Jam { .. }, _)))
}
