//! Which member of a band runs innermost.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::check;
use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::sets::{Tuple, UnionMap};
use farkas_polyhedral::tree::{Band, Filter, Member, Node, Tree};
use indexmap::IndexMap;

use crate::optimize::cost::{is_parallel, of_loop};
use crate::optimize::linear::{Statements, direction, linear_part};

/// The tree with the cheapest member of each innermost band last.
pub(super) fn choose(tree: &Tree, statements: &Statements) -> Tree {
    let outer = statements.keys().map(|tuple| (tuple.clone(), Vec::new())).collect();
    tree.with_root(node(&tree.root, &outer, statements))
}

/// The linear parts of the schedule functions outside a node, for each statement.
type Outer = IndexMap<Tuple, Vec<Option<Row>>>;

fn node(node_: &Node, outer: &Outer, statements: &Statements) -> Node {
    let filters = |children: &[Filter]| -> Vec<Filter> {
        let child = |f: &Filter| Filter {
            statements: f.statements.clone(),
            child: node(&f.child, outer, statements),
        };
        children.iter().map(child).collect()
    };
    match node_ {
        Node::Band(band) if has_band(&band.child) => {
            let inner = node(&band.child, &extended(outer, band), statements);
            Node::Band(Box::new(Band {
                child: inner,
                ..(**band).clone()
            }))
        }
        Node::Band(band) => Node::Band(Box::new(with_best_last(band, outer, statements))),
        Node::Sequence(children) => Node::Sequence(filters(children)),
        Node::Set(children) => Node::Set(filters(children)),
        Node::Mark(name, child) => Node::Mark(name.clone(), Box::new(node(child, outer, statements))),
        Node::Leaf => Node::Leaf,
    }
}

fn extended(outer: &Outer, band: &Band) -> Outer {
    let mut result = outer.clone();
    for (tuple, function) in &band.schedule {
        result[tuple].extend(function.affs().iter().map(linear_part));
    }
    result
}

/// Whether there is a band in the subtree.
pub(super) fn has_band(node: &Node) -> bool {
    match node {
        Node::Band(_) => true,
        Node::Sequence(children) | Node::Set(children) => children.iter().any(|f| has_band(&f.child)),
        Node::Mark(_, child) => has_band(child),
        Node::Leaf => false,
    }
}

/// The band with the member last along which its statements are cheapest; the others keep their order.
fn with_best_last(band: &Band, outer: &Outer, statements: &Statements) -> Band {
    if !band.permutable || band.n() < 2 {
        return band.clone();
    }
    let cost = |position: usize| -> u64 {
        let of_statement = |tuple: &Tuple| {
            let functions = &band.schedule[tuple];
            let rows: Option<Vec<Row>> = outer[tuple]
                .iter()
                .cloned()
                .chain(functions.affs().iter().map(linear_part))
                .collect();
            let at = outer[tuple].len() + position;
            let direction = rows.and_then(|rows| direction(&rows, at, statements[tuple].depth));
            of_loop(
                &statements[tuple],
                direction.as_deref(),
                band.members[position].coincident,
            )
        };
        let deepest = band
            .statements()
            .map(|tuple| statements[tuple].depth)
            .max()
            .unwrap_or(0);
        band.statements()
            .filter(|tuple| statements[*tuple].depth == deepest)
            .map(of_statement)
            .sum()
    };
    // The last of equally cheap members, to stay close to the scheduler's order.
    let last = band.n() - 1;
    let best = (0..band.n())
        .rev()
        .min_by_key(|position| cost(*position))
        .unwrap_or(last);
    let order: Vec<usize> = (0..band.n()).filter(|p| *p != best).chain([best]).collect();
    band.permuted(&order)
}

/// The tree with an innermost loop of its own for each statement of an innermost band, if that is legal and makes every
/// innermost loop of the tree parallel where the common ones are not.
pub(super) fn distribute(
    tree: &Tree,
    statements: &Statements,
    dependences: &UnionMap,
    b: &Budget,
) -> Outcome<Option<Tree>> {
    let candidate = tree.with_root(distributed(tree.root.clone()));
    let schedule = candidate.flat_schedule();
    if schedule == tree.flat_schedule() || !check::is_legal(dependences, &schedule, b)? {
        return Ok(None);
    }
    for tuple in statements.keys() {
        let functions = schedule[tuple].affs();
        let varies = |aff| linear_part(aff).is_none_or(|row| row.iter().any(|c| !c.is_zero()));
        if let Some(innermost) = functions.iter().rposition(varies) {
            if !is_parallel(dependences, &schedule, tuple, innermost, b)? {
                return Ok(None);
            }
        }
    }
    Ok(Some(candidate))
}

/// `[.., c] { S; T }` becomes `[..] { [c] S; [c] T }` wherever `c` is not coincident.
pub(super) fn distributed(node: Node) -> Node {
    match node {
        Node::Band(band) => match &band.child {
            Node::Sequence(children)
                if !children.iter().any(|f| has_band(&f.child))
                    && band.n() > 1
                    && !band.members[band.n() - 1].coincident =>
            {
                let last = band.n() - 1;
                let inner = |filter: &Filter| {
                    let schedule = band.select(&[last]);
                    let schedule = schedule
                        .into_iter()
                        .filter(|(tuple, _)| filter.statements.contains(tuple));
                    let inner = Band {
                        schedule: schedule.collect(),
                        members: vec![Member {
                            coincident: true,
                            ..band.members[last]
                        }],
                        permutable: true,
                        tiling: None,
                        child: filter.child.clone(),
                    };
                    Filter {
                        statements: filter.statements.clone(),
                        child: Node::Band(Box::new(inner)),
                    }
                };
                let inner: Vec<Filter> = children.iter().map(inner).collect();
                let front: Vec<usize> = (0..last).collect();
                Node::Band(Box::new(Band {
                    schedule: band.select(&front),
                    members: band.members[..last].to_vec(),
                    permutable: band.permutable,
                    tiling: None,
                    child: Node::Sequence(inner),
                }))
            }
            _ => Node::Band(band),
        },
        other => other,
    }
    .map_children(&mut distributed)
}
