//! Interchange: another member of a permutable band becomes the innermost loop.
//!
//! `[i, j, k]` with `i` innermost is `[j, k, i]`: the other members keep their order. The children of the band come in an
//! order in which their loops over the innermost member may follow each other, if there is such an order.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::sets::{Aff, ByTuple, Map, MultiAff, Tuple, UnionMap};
use farkas_polyhedral::tree::{Band, Filter, Node, Share};
use petgraph::algo::toposort;
use petgraph::graph::DiGraph;
use std::ops::RangeInclusive;

use super::function_of;

/// The schedule functions outside of a node, for each statement.
pub(crate) type Outer = ByTuple<Vec<Aff>>;

/// The band with this member last.
pub(crate) fn with_innermost(band: &Band, member: usize) -> Band {
    let order: Vec<usize> = (0..band.n()).filter(|p| *p != member).chain([member]).collect();
    band.permuted(&order)
}

/// The band with its children in an order that respects all dependences between them that none of its first members carries: so many
/// as the first of `fronts` says for which these are not cyclic. The band itself where there is none, or where it has one child.
pub(crate) fn with_children_in_order(
    mut band: Band,
    fronts: RangeInclusive<usize>,
    outer: &Outer,
    dependences: &UnionMap,
    b: &Budget,
) -> Outcome<Band> {
    let (Node::Sequence(children) | Node::Set(children)) = &band.child else {
        return Ok(band);
    };
    for front in fronts {
        if let Some(children) = in_order(&band, children, front, outer, dependences, b)? {
            band.child = Node::Sequence(children);
            break;
        }
    }
    Ok(band)
}

fn in_order(
    band: &Band,
    children: &[Filter],
    front: usize,
    outer: &Outer,
    dependences: &UnionMap,
    b: &Budget,
) -> Outcome<Option<Vec<Filter>>> {
    let child_of = |tuple: &Tuple| children.iter().position(|child| child.share(tuple) != Share::Nothing);
    let mut graph = DiGraph::<(), ()>::new();
    let nodes: Vec<_> = children.iter().map(|_| graph.add_node(())).collect();
    for dependence in dependences.maps() {
        let (source, target) = (dependence.domain_tuple(), dependence.range_tuple());
        let (Some(from), Some(to)) = (child_of(source), child_of(target)) else {
            continue;
        };
        if from != to && !graph.contains_edge(nodes[from], nodes[to]) {
            let pairs = with_same_prefix(band, front, outer, (source, target), b)?;
            if !dependence.intersect(&pairs).is_empty(b)? {
                graph.add_edge(nodes[from], nodes[to], ());
            }
        }
    }
    let order = toposort(&graph, None).ok();
    Ok(order.map(|order| order.into_iter().map(|node| children[node.index()].clone()).collect()))
}

/// The pairs of instances of two statements that the bands outside and the first members of a band leave together.
pub(crate) fn with_same_prefix(
    band: &Band,
    front: usize,
    outer: &Outer,
    (source, target): (&Tuple, &Tuple),
    b: &Budget,
) -> Outcome<Map> {
    let prefix = |tuple: &Tuple| {
        let functions = function_of(band, tuple);
        let affs: Vec<Aff> = outer[tuple].iter().chain(&functions.affs()[..front]).cloned().collect();
        MultiAff::new(functions.domain_space(), Tuple::anonymous(affs.len()), affs).to_map()
    };
    prefix(source).apply_range(&prefix(target).reverse(), b)
}
