//! The order of tiles that are not full below an `unjam` mark.
//!
//! ```text
//! [i/4, k/4, j]          full tiles: as the tree says, for each j all i and k
//!   unjam(2): [i, k]     others: [i/4, k/4] { [i, k] { [j] } }
//! ```
//!
//! The tiles themselves come in one order. So each mix of both orders within tiles is legal if the tree is legal, and the tree in which
//! all tiles have the other order.

use farkas_polyhedral::sets::Tuple;
use farkas_polyhedral::tree::{Band, Isolation, Mark, Node, Tree};
use indexmap::IndexSet;

/// The tree in which all bands below `unjam` marks are around the loop above the mark; `None` without such marks.
///
/// # Errors
///
/// A mark that makes no sense where it is, and why.
pub(super) fn unjammed(tree: &Tree) -> Result<Option<Tree>, (Mark, &'static str)> {
    if unjam_mark(tree).is_none() {
        return Ok(None);
    }
    let mut own = tree.clone();
    own.root = changed(own.root);
    match unjam_mark(&own) {
        Some(mark) => Err((
            mark,
            "it is not between a loop and a band of so many members, with marks only between them",
        )),
        None => Ok(Some(own)),
    }
}

/// The statements whose instances are below `unjam` marks. The order between others and these is the same in both trees.
pub(super) fn statements(tree: &Tree) -> Vec<Tuple> {
    let mut found = IndexSet::new();
    for path in tree.paths() {
        if let Some(Node::Mark(Mark::Unjam { .. }, child)) = tree.at(&path) {
            add_statements(child, &mut found);
        }
    }
    found.into_iter().collect()
}

/// Those of a band, and those that expansions below make of them.
fn add_statements(node: &Node, found: &mut IndexSet<Tuple>) {
    match node {
        Node::Band(band) => found.extend(band.statements().cloned()),
        Node::Expansion(expansion) => found.extend(expansion.expansion.maps().map(|map| map.range_tuple().clone())),
        _ => {}
    }
    node.children().for_each(|child| add_statements(child, found));
}

fn unjam_mark(tree: &Tree) -> Option<Mark> {
    tree.paths().into_iter().find_map(|path| match tree.at(&path) {
        Some(Node::Mark(mark @ Mark::Unjam { .. }, _)) => Some(mark.clone()),
        _ => None,
    })
}

/// The node with bands below its marks around the loops above them. Marks that are elsewhere stay.
fn changed(node: Node) -> Node {
    match node {
        Node::Band(band) => match copies_below(&band.child) {
            Some(copies) if band.n() > 0 => in_other_order(&band, copies),
            _ => Node::Band(band).map_children(&mut changed),
        },
        other => other.map_children(&mut changed),
    }
}

/// The band below an `unjam` mark, if only marks are around it.
fn copies_below(node: &Node) -> Option<&Band> {
    match node {
        Node::Mark(Mark::Unjam { members }, child) => match &**child {
            Node::Band(copies) if u32::try_from(copies.n()) == Ok(*members) => Some(copies),
            _ => None,
        },
        Node::Mark(_, child) => copies_below(child),
        _ => None,
    }
}

/// `[a, b] { marks { [c] { .. } } }` as `[a] { [c] { [b] { .. } } }`. It claims nothing of the loops that have changed places.
fn in_other_order(band: &Band, copies: &Band) -> Node {
    let last = band.n() - 1;
    let without_claims = |mut band: Band| {
        band.members_mut()
            .iter_mut()
            .for_each(|member| member.coincident = false);
        band.with_permutable(false).with_isolation(Isolation::Nothing)
    };
    let inner = without_claims(band.select(&[last])).with_child(changed(copies.child.clone()));
    let copies = Node::band(without_claims(copies.clone()).with_child(Node::band(inner)));
    let outer: Vec<usize> = (0..last).collect();
    match outer.is_empty() {
        true => copies,
        false => Node::band(
            band.select(&outer)
                .with_isolation(Isolation::Nothing)
                .with_child(copies),
        ),
    }
}
