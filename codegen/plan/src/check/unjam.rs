//! The order of tiles that are not full below an `unjam` mark.
//!
//! ```text
//! [i/4, k/4, j]          full tiles: as the tree says, for each j all i and k
//!   unjam(2): [i, k]     others: [i/4, k/4] { [i, k] { [j] } }
//! ```
//!
//! Of two loops around lanes, the first one may stay inside, while the second one goes around:
//!
//! ```text
//!   unjam(2): [i, v] { vector }      [i/8, v/2] { [v] { [k] { [i] { vector } } } }
//! ```
//!
//! The tiles themselves come in one order. So each mix of these orders within tiles is legal if the tree is legal, and the trees in which
//! all tiles have one of the other orders.

use farkas_polyhedral::sets::Tuple;
use farkas_polyhedral::tree::{Band, Isolation, Mark, Node, Tree};
use indexmap::IndexSet;

/// The trees in which all bands below `unjam` marks are around the loop above the mark, or as much of them as may be: none without such marks.
///
/// # Errors
///
/// A mark that makes no sense where it is, and why.
pub(super) fn unjammed(tree: &Tree) -> Result<Vec<Tree>, (Mark, &'static str)> {
    if unjam_mark(tree).is_none() {
        return Ok(Vec::new());
    }
    let with = |keeps_rows| {
        let mut own = tree.clone();
        own.root = changed(own.root, keeps_rows);
        own
    };
    let other = with(false);
    if let Some(mark) = unjam_mark(&other) {
        return Err((
            mark,
            "it is not between a loop and a band of so many members, with marks only between them",
        ));
    }
    let mut trees = vec![other];
    trees.extend(may_keep_rows(&tree.root).then(|| with(true)));
    Ok(trees)
}

/// Whether there is a band of two loops around lanes.
fn may_keep_rows(node: &Node) -> bool {
    node.any(&|node| match node {
        Node::Mark(Mark::Unjam { .. }, child) => matches!(&**child, Node::Band(copies) if keeps_row(copies)),
        _ => false,
    })
}

/// Whether the first loop of a band may stay inside while the second one goes around.
fn keeps_row(copies: &Band) -> bool {
    copies.n() == 2 && matches!(copies.child, Node::Mark(Mark::Vector { .. }, _))
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

/// The node with bands below its marks around the loops above them, but for rows that are to stay. Marks that are elsewhere stay.
fn changed(node: Node, keeps_rows: bool) -> Node {
    let mut inside = |node| changed(node, keeps_rows);
    match node {
        Node::Band(band) => match copies_below(&band.child) {
            Some(copies) if band.n() > 0 => in_other_order(&band, copies, keeps_rows),
            _ => Node::Band(band).map_children(&mut inside),
        },
        other => other.map_children(&mut inside),
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

/// `[a, b] { marks { [c] { .. } } }` as `[a] { [c] { [b] { .. } } }`, or `[a, b] { marks { [c, d] { .. } } }` as `[a] { [d] { [b] { [c] { .. } } } }`
/// if rows are to stay. It claims nothing of the loops that have changed places.
fn in_other_order(band: &Band, copies: &Band, keeps_rows: bool) -> Node {
    let last = band.n() - 1;
    let without_claims = |mut band: Band| {
        band.members_mut()
            .iter_mut()
            .for_each(|member| member.coincident = false);
        band.with_permutable(false).with_isolation(Isolation::Nothing)
    };
    let innermost = changed(copies.child.clone(), keeps_rows);
    let around = |members: &[usize], child| Node::band(without_claims(copies.select(members)).with_child(child));
    let (row, innermost) = match keeps_rows && keeps_row(copies) {
        true => (1, around(&[0], innermost)),
        false => (0, innermost),
    };
    let inner = without_claims(band.select(&[last])).with_child(innermost);
    let rows: Vec<usize> = (row..copies.n()).collect();
    let copies = around(&rows, Node::band(inner));
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
