//! Which member of a band runs innermost.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::check;
use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::sets::{Aff, MultiAff, Tuple, UnionMap};
use farkas_polyhedral::tree::{Band, Filter, Member, Node, Tree};
use indexmap::IndexMap;
use petgraph::algo::toposort;
use petgraph::graph::DiGraph;

use crate::optimize::cost::{is_parallel, of_loop};
use crate::optimize::linear::{Statements, direction, linear_part};

/// The tree with the cheapest member of each innermost band last. Where several statements share a band, they come in
/// an order in which their loops over that member may follow each other, if there is one.
pub(super) fn choose(tree: &Tree, statements: &Statements, dependences: &UnionMap, b: &Budget) -> Outcome<Tree> {
    let outer = statements.keys().map(|tuple| (tuple.clone(), Vec::new())).collect();
    let chooser = Chooser {
        statements,
        dependences,
        b,
    };
    Ok(tree.with_root(chooser.node(&tree.root, &outer)?))
}

/// The schedule functions outside a node, for each statement.
type Outer = IndexMap<Tuple, Vec<Aff>>;

struct Chooser<'a> {
    statements: &'a Statements,
    dependences: &'a UnionMap,
    b: &'a Budget,
}

impl Chooser<'_> {
    fn node(&self, node: &Node, outer: &Outer) -> Outcome<Node> {
        Ok(match node {
            Node::Band(band) if has_band(&band.child) => {
                let mut inside = outer.clone();
                for (tuple, function) in &band.schedule {
                    inside[tuple].extend_from_slice(function.affs());
                }
                Node::Band(Box::new(Band {
                    child: self.node(&band.child, &inside)?,
                    ..(**band).clone()
                }))
            }
            Node::Band(band) => {
                let mut band = self.with_best_last(band, outer);
                if let Node::Sequence(children) | Node::Set(children) = &band.child
                    && let Some(children) = self.in_order(&band, children, outer)?
                {
                    band.child = Node::Sequence(children);
                }
                Node::Band(Box::new(band))
            }
            Node::Sequence(children) => Node::Sequence(self.filters(children, outer)?),
            Node::Set(children) => Node::Set(self.filters(children, outer)?),
            Node::Mark(name, child) => Node::Mark(name.clone(), Box::new(self.node(child, outer)?)),
            Node::Leaf => Node::Leaf,
        })
    }

    fn filters(&self, children: &[Filter], outer: &Outer) -> Outcome<Vec<Filter>> {
        let child = |filter: &Filter| {
            Ok(Filter {
                statements: filter.statements.clone(),
                child: self.node(&filter.child, outer)?,
            })
        };
        children.iter().map(child).collect()
    }

    /// The band with the member last along which its deepest statements are cheapest; the others keep their order.
    fn with_best_last(&self, band: &Band, outer: &Outer) -> Band {
        if !band.permutable || band.n() < 2 {
            return band.clone();
        }
        let depth = |tuple: &Tuple| self.statements[tuple].depth;
        let deepest = band.statements().map(depth).max().unwrap_or(0);
        let cost = |position: usize| -> u64 {
            let of_statement = |tuple: &Tuple| {
                let functions = outer[tuple].iter().chain(band.schedule[tuple].affs());
                let rows: Option<Vec<Row>> = functions.map(linear_part).collect();
                let at = outer[tuple].len() + position;
                let direction = rows.and_then(|rows| direction(&rows, at, depth(tuple)));
                of_loop(
                    &self.statements[tuple],
                    direction.as_deref(),
                    band.members[position].coincident,
                )
            };
            band.statements()
                .filter(|tuple| depth(tuple) == deepest)
                .map(of_statement)
                .sum()
        };
        // The last of equally cheap members, to stay close to the scheduler's order.
        let best = (0..band.n())
            .rev()
            .min_by_key(|position| cost(*position))
            .expect("a member");
        let order: Vec<usize> = (0..band.n()).filter(|p| *p != best).chain([best]).collect();
        band.permuted(&order)
    }

    /// The children of a band in an order that respects all dependences between them that no member but the last
    /// carries; `None` where these are cyclic.
    fn in_order(&self, band: &Band, children: &[Filter], outer: &Outer) -> Outcome<Option<Vec<Filter>>> {
        let front = band.n() - 1;
        let prefix = |tuple: &Tuple| {
            let functions = &band.schedule[tuple];
            let affs: Vec<Aff> = outer[tuple].iter().chain(&functions.affs()[..front]).cloned().collect();
            MultiAff::new(functions.domain_space(), Tuple::anonymous(affs.len()), affs)
        };
        let child_of = |tuple: &Tuple| children.iter().position(|child| child.statements.contains(tuple));
        let mut graph = DiGraph::<(), ()>::new();
        let nodes: Vec<_> = children.iter().map(|_| graph.add_node(())).collect();
        for dependence in self.dependences.maps() {
            let (source, target) = (dependence.domain_tuple(), dependence.range_tuple());
            let (Some(from), Some(to)) = (child_of(source), child_of(target)) else {
                continue;
            };
            if from != to && !graph.contains_edge(nodes[from], nodes[to]) {
                let pairs = prefix(source)
                    .to_map()
                    .apply_range(&prefix(target).to_map().reverse(), self.b)?;
                if !dependence.intersect(&pairs).is_empty(self.b)? {
                    graph.add_edge(nodes[from], nodes[to], ());
                }
            }
        }
        let order = toposort(&graph, None).ok();
        Ok(order.map(|order| order.into_iter().map(|node| children[node.index()].clone()).collect()))
    }
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
        if let Some(innermost) = functions.iter().rposition(varies)
            && !is_parallel(dependences, &schedule, tuple, innermost, b)?
        {
            return Ok(None);
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
