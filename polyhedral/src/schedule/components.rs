//! Components of the statement graph.

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::unionfind::UnionFind;
use std::collections::{BTreeMap, BTreeSet};

/// The weakly connected components of the graph on `nodes` (sorted) with the given edges, each sorted, in the order of
/// their first nodes. Edges with an end outside `nodes` are ignored.
pub(super) fn weak_components(nodes: &[usize], edges: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<usize>> {
    let mut sets = UnionFind::<usize>::new(nodes.len());
    for (source, target) in edges {
        if let (Ok(s), Ok(t)) = (nodes.binary_search(&source), nodes.binary_search(&target)) {
            sets.union(s, t);
        }
    }
    let mut components: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut order = Vec::new();
    for (position, &node) in nodes.iter().enumerate() {
        let label = sets.find(position);
        let component = components.entry(label).or_default();
        if component.is_empty() {
            order.push(label);
        }
        component.push(node);
    }
    order
        .into_iter()
        .map(|label| components.remove(&label).expect("a label of a component"))
        .collect()
}

/// The strongly connected components of the graph on `nodes` (sorted) with the given edges, each sorted, in topological
/// order; where that leaves a choice, the component with the least node comes first. Edges with an end outside `nodes`
/// are ignored.
pub(super) fn strong_components(nodes: &[usize], edges: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<usize>> {
    let position = |node: usize| nodes.binary_search(&node).ok();
    let edges: BTreeSet<(usize, usize)> = edges
        .filter_map(|(s, t)| Some((position(s)?, position(t)?)))
        .filter(|(s, t)| s != t)
        .collect();
    let mut graph = DiGraph::<(), ()>::new();
    for _ in nodes {
        graph.add_node(());
    }
    graph.extend_with_edges(edges.iter().map(|&(s, t)| (NodeIndex::new(s), NodeIndex::new(t))));
    let mut components: Vec<Vec<usize>> = tarjan_scc(&graph)
        .into_iter()
        .map(|component| {
            let mut component: Vec<usize> = component.into_iter().map(NodeIndex::index).collect();
            component.sort_unstable();
            component
        })
        .collect();
    components.sort_unstable();
    // Kahn's algorithm, always with the first of the components that wait for no other.
    let mut component_of = vec![0; nodes.len()];
    for (index, component) in components.iter().enumerate() {
        component.iter().for_each(|&p| component_of[p] = index);
    }
    let links: BTreeSet<(usize, usize)> = edges
        .iter()
        .map(|&(s, t)| (component_of[s], component_of[t]))
        .filter(|(s, t)| s != t)
        .collect();
    let mut waits = vec![0usize; components.len()];
    links.iter().for_each(|&(_, t)| waits[t] += 1);
    let mut ready: BTreeSet<usize> = (0..components.len()).filter(|&c| waits[c] == 0).collect();
    let mut order = Vec::with_capacity(components.len());
    while let Some(next) = ready.pop_first() {
        order.push(components[next].iter().map(|&p| nodes[p]).collect());
        for &(_, t) in links.range((next, 0)..(next + 1, 0)) {
            waits[t] -= 1;
            if waits[t] == 0 {
                ready.insert(t);
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weak() {
        let edges = [(2, 7), (7, 4), (3, 9)];
        assert_eq!(
            weak_components(&[1, 2, 3, 4, 7], edges.into_iter()),
            [vec![1], vec![2, 4, 7], vec![3]]
        );
    }

    #[test]
    fn strong() {
        // 5 <-> 1 -> 0, and 3 on its own.
        let edges = [(1, 5), (5, 1), (1, 0), (0, 8)];
        assert_eq!(
            strong_components(&[0, 1, 3, 5], edges.into_iter()),
            [vec![1, 5], vec![0], vec![3]]
        );
    }
}
