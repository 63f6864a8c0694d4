//! Orders of execution: which parts of a schedule dimension, and which statements, can come one after the other (P1 sections 5.4 and
//! 5.7).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;

use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::zeros;
use crate::sets::{Conj, Set};

/// The items `0 .. n` in groups that can be executed one after the other, where `first(i, k)` says that some of `i` has to come
/// before some of `k`. Items of a group depend on each other. Groups and items come in their original order where
/// nothing else is asked.
pub(super) fn groups(n: usize, mut first: impl FnMut(usize, usize) -> Outcome<bool>) -> Outcome<Vec<Vec<usize>>> {
    let mut graph: DiGraph<usize, ()> = DiGraph::new();
    let nodes: Vec<_> = (0..n).map(|item| graph.add_node(item)).collect();
    for i in 0..n {
        for k in (0..n).filter(|k| *k != i) {
            if first(i, k)? {
                graph.add_edge(nodes[i], nodes[k], ());
            }
        }
    }
    let mut group_of = vec![0; n];
    let mut members: Vec<Vec<usize>> = Vec::new();
    for component in tarjan_scc(&graph) {
        let mut items: Vec<usize> = component.iter().map(|node| graph[*node]).collect();
        items.sort_unstable();
        items.iter().for_each(|item| group_of[*item] = members.len());
        members.push(items);
    }
    // Of the groups that wait for no other, the one with the first item is next.
    let mut waits_for = vec![0; members.len()];
    let mut followers: Vec<Vec<usize>> = vec![Vec::new(); members.len()];
    for edge in graph.edge_indices() {
        let (from, to) = graph.edge_endpoints(edge).expect("an edge of the graph");
        let (from, to) = (group_of[graph[from]], group_of[graph[to]]);
        if from != to {
            waits_for[to] += 1;
            followers[from].push(to);
        }
    }
    let free = (0..members.len()).filter(|group| waits_for[*group] == 0);
    let mut ready: BinaryHeap<Reverse<(usize, usize)>> = free.map(|g| Reverse((members[g][0], g))).collect();
    let mut order = Vec::with_capacity(members.len());
    while let Some(Reverse((_, group))) = ready.pop() {
        for &follower in &followers[group] {
            waits_for[follower] -= 1;
            if waits_for[follower] == 0 {
                ready.push(Reverse((members[follower][0], follower)));
            }
        }
        order.push(std::mem::take(&mut members[group]));
    }
    Ok(order)
}

/// The parts of a schedule domain in groups by the values of the last dimension: in one group are parts that overlap, and those
/// that come both before and after each other.
pub(super) fn parts(parts: &[Set], known: &Set, b: &Budget) -> Outcome<Vec<Vec<usize>>> {
    let n_vars = known.params().len() + known.n_dims();
    let mut context = Conj::universe(n_vars);
    if let [one] = known.pieces() {
        context = one.clone();
    }
    groups(parts.len(), |i, k| {
        for one in parts[i].pieces() {
            for other in parts[k].pieces() {
                if meets(one, other, &context, b)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    })
}

/// Whether some point of `one` has a smaller value in the last variable than one of `other` that agrees in all others, or the
/// same value. `context` is over these others.
///
/// The same value says both that `one` comes before `other` and the contrary.
fn meets(one: &Conj, other: &Conj, context: &Conj, b: &Budget) -> Outcome<bool> {
    let last = one.n_vars() - 1;
    let mut both = one.insert_vars(last + 1, 1).intersect(&other.insert_vars(last, 1));
    both = both.intersect(&context.insert_vars(last, 2));
    let mut row = zeros(both.n_cols());
    row[1 + last] = -Int::ONE;
    row[2 + last] = Int::ONE;
    both.add_ineq(row);
    Ok(!both.is_empty(b)?)
}
