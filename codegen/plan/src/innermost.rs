//! Which member of a band runs innermost.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::check;
use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::sets::{Aff, MultiAff, Tuple, UnionMap};
use farkas_polyhedral::tree::{Band, Filter, Node, Share, Tree};
use indexmap::IndexMap;
use petgraph::algo::toposort;
use petgraph::graph::DiGraph;

use crate::cost::{is_parallel, of_loop};
use crate::linear::{Statements, direction, linear_part};

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
                for tuple in band.statements() {
                    inside[tuple].extend_from_slice(function_of(band, tuple).affs());
                }
                let child = self.node(&band.child, &inside)?;
                Node::band((**band).clone().with_child(child))
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
            other => {
                let mut node = other.clone();
                for child in node.children_mut() {
                    *child = self.node(child, outer)?;
                }
                node
            }
        })
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
                let own = function_of(band, tuple);
                let functions = outer[tuple].iter().chain(own.affs());
                let rows: Option<Vec<Row>> = functions.map(linear_part).collect();
                let at = outer[tuple].len() + position;
                let direction = rows.and_then(|rows| direction(&rows, at, depth(tuple)));
                of_loop(
                    &self.statements[tuple],
                    direction.as_deref(),
                    band.members()[position].coincident,
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
            let functions = function_of(band, tuple);
            let affs: Vec<Aff> = outer[tuple].iter().chain(&functions.affs()[..front]).cloned().collect();
            MultiAff::new(functions.domain_space(), Tuple::anonymous(affs.len()), affs)
        };
        let child_of = |tuple: &Tuple| children.iter().position(|child| child.share(tuple) != Share::Nothing);
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

/// The function of a band on a statement, in a tree that has a flat schedule.
pub(super) fn function_of(band: &Band, statement: &Tuple) -> MultiAff {
    band.function_of(statement).expect("one function a statement")
}

/// The order of a tree that has a flat schedule.
pub(super) fn order(tree: &Tree) -> IndexMap<Tuple, MultiAff> {
    tree.flat_schedule().expect("one function a statement")
}

/// Whether there is a band in the subtree.
pub(super) fn has_band(node: &Node) -> bool {
    node.any(&|node| matches!(node, Node::Band(_)))
}

/// The tree with an innermost loop of its own for each statement of an innermost band, if that is legal and makes every
/// innermost loop of the tree parallel where the common ones are not.
pub(super) fn distribute(
    tree: &Tree,
    statements: &Statements,
    dependences: &UnionMap,
    b: &Budget,
) -> Outcome<Option<Tree>> {
    let candidate = tree.with_root(distributed(tree.root.clone(), statements));
    let schedule = order(&candidate);
    if schedule == order(tree) || !check::is_legal(dependences, &schedule, b)? {
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
pub(super) fn distributed(node: Node, statements: &Statements) -> Node {
    match node {
        Node::Band(band) => match &band.child {
            Node::Sequence(children)
                if !children.iter().any(|f| has_band(&f.child))
                    && band.n() > 1
                    && !band.members()[band.n() - 1].coincident =>
            {
                let last = band.n() - 1;
                let inner = |filter: &Filter| {
                    let own = band
                        .select(&[last])
                        .restricted(|tuple| filter.share(tuple) != Share::Nothing);
                    let mut own = own.with_permutable(true).with_child(filter.child.clone());
                    let reduces = own.statements().any(|tuple| statements[tuple].reduces);
                    own.members_mut()[0].coincident = !reduces;
                    filter.with_child(Node::band(own))
                };
                let inner: Vec<Filter> = children.iter().map(inner).collect();
                let front: Vec<usize> = (0..last).collect();
                Node::band(band.select(&front).with_child(Node::Sequence(inner)))
            }
            _ => Node::Band(band),
        },
        other => other,
    }
    .map_children(&mut |child| distributed(child, statements))
}
