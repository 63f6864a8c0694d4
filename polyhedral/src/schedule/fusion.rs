//! Which statements share a band: incremental fusion (P0, 7.3).
//!
//! The statements of a strongly connected component of the validity constraints have to share a band, if they get one; a
//! *cluster* is one or more such components that do. Clusters are fused along proximity constraints, the ones that can
//! align the most dimensions first, as long as that costs nothing: the fused band must have as many members, and as many
//! coincident ones, as each of the bands that it replaces, and it must really bring the instances together. Clusters on a
//! path of validity constraints between two that are fused have to be fused with them.
//!
//! Clusters of different dimension are not fused (Pluto's smart fusion, P2): what is gained in locality is of lower order
//! than the work of the larger one, whose inner loop would be cluttered with the instances of the smaller one.

use super::band::{Band, edges_within, permutable_band};
use super::components::strong_components;
use super::edges::Edge;
use super::graph::Graph;
use super::{Fusion, Options};
use crate::budget::{Budget, Outcome};
use crate::linalg::Row;
use std::collections::BTreeSet;

/// The distance, per member, up to which instances count as close.
const CLOSE: i64 = 2;

/// Statements that share a band.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    /// The statements, sorted.
    pub(super) nodes: Vec<usize>,
    /// Their band, which may have no members.
    pub(super) band: Band,
}

/// What there is to schedule: some statements, the edges between them and their rows so far.
pub(super) struct Scene<'a> {
    pub(super) graph: &'a Graph,
    pub(super) options: &'a Options,
    pub(super) edges: &'a [Edge],
    /// The linear parts of the rows so far, by statement.
    pub(super) done: &'a [Vec<Row>],
}

impl Scene<'_> {
    /// A band for the statements `nodes`, sorted.
    fn cluster(&self, nodes: Vec<usize>, budget: &Budget) -> Outcome<Cluster> {
        let edges = edges_within(self.edges, &nodes);
        let band = permutable_band(self.graph, self.options, &nodes, &edges, self.done, budget)?;
        Ok(Cluster { nodes, band })
    }

    /// The statement pairs of the validity constraints.
    fn validity(&self) -> impl Iterator<Item = (usize, usize)> + Clone {
        self.edges
            .iter()
            .filter(|e| e.is_validity)
            .map(|e| (e.source, e.target))
    }

    /// Whether all these statements are fully scheduled.
    pub(super) fn is_complete(&self, nodes: &[usize]) -> bool {
        nodes
            .iter()
            .all(|&node| self.graph.nodes[node].missing(&self.done[node]) == 0)
    }

    /// The strongly connected components of the validity constraints on `nodes` (sorted), in topological order.
    pub(super) fn strong_components(&self, nodes: &[usize]) -> Vec<Vec<usize>> {
        strong_components(nodes, self.validity())
    }

    /// Clusters of the statements `nodes` (sorted), in an order that respects validity.
    pub(super) fn clusters(&self, nodes: &[usize], budget: &Budget) -> Outcome<Vec<Cluster>> {
        if self.options.fusion == Fusion::Max {
            let cluster = self.cluster(nodes.to_vec(), budget)?;
            if !cluster.band.members.is_empty() {
                return Ok(vec![cluster]);
            }
        }
        let components = self.strong_components(nodes);
        let mut clusters: Vec<Cluster> = components
            .into_iter()
            .map(|nodes| self.cluster(nodes, budget))
            .collect::<Outcome<_>>()?;
        if self.options.fusion == Fusion::None {
            return Ok(clusters);
        }
        for only_close in [true, false] {
            let mut failed = BTreeSet::new();
            while let Some((edge, group)) = self.next_to_fuse(&clusters, &failed) {
                match self.fused(&clusters, &group, only_close, budget)? {
                    Some(cluster) => {
                        let mut index = 0;
                        clusters.retain(|_| {
                            index += 1;
                            !group.contains(&(index - 1))
                        });
                        clusters.push(cluster);
                    }
                    None => drop(failed.insert(edge)),
                }
            }
        }
        Ok(self.in_order(clusters))
    }

    /// The proximity constraint (by the index of its edge) along which to fuse next, and the clusters to be fused.
    fn next_to_fuse(&self, clusters: &[Cluster], failed: &BTreeSet<usize>) -> Option<(usize, BTreeSet<usize>)> {
        let mut cluster_of = vec![None; self.graph.nodes.len()];
        for (index, cluster) in clusters.iter().enumerate() {
            cluster.nodes.iter().for_each(|&node| cluster_of[node] = Some(index));
        }
        let dimension = |cluster: usize| -> usize {
            let nodes = &clusters[cluster].nodes;
            nodes
                .iter()
                .map(|&node| self.graph.nodes[node].missing(&self.done[node]))
                .max()
                .unwrap_or(0)
        };
        let fusable = |group: &BTreeSet<usize>, like: usize| {
            group.iter().all(|&c| {
                let alike = self.options.fusion == Fusion::Max || dimension(c) == dimension(like);
                alike && !clusters[c].band.members.is_empty()
            })
        };
        let mut candidates = Vec::new();
        for (index, edge) in self.edges.iter().enumerate() {
            if let (Some(s), Some(t)) = (cluster_of[edge.source], cluster_of[edge.target])
                && edge.is_proximity
                && s != t
                && !failed.contains(&index)
            {
                let weight = self.weight(edge);
                // Statements are in textual order, so that near ones are likely to have few others between them.
                let apart = edge.source.abs_diff(edge.target);
                candidates.push((std::cmp::Reverse(weight), apart, index, s, t));
            }
        }
        candidates.sort_unstable();
        let links: Vec<(usize, usize)> = self
            .validity()
            .filter_map(|(s, t)| Some((cluster_of[s]?, cluster_of[t]?)))
            .collect();
        let all: Vec<usize> = (0..clusters.len()).collect();
        candidates.into_iter().find_map(|(_, _, index, s, t)| {
            // Both clusters, and whatever has to come between them.
            let tied = links.iter().copied().chain([(s, t), (t, s)]);
            let group: BTreeSet<usize> = strong_components(&all, tied)
                .into_iter()
                .find(|c| c.contains(&s))?
                .into_iter()
                .collect();
            fusable(&group, s).then_some((index, group))
        })
    }

    /// How many further dimensions an edge could align.
    fn weight(&self, edge: &Edge) -> usize {
        let done = self.done[edge.source].len().min(self.done[edge.target].len());
        edge.weight(self.graph.n_params, self.graph.nodes[edge.source].dim)
            .saturating_sub(done)
    }

    /// The cluster of all those of `group`, if it is worth while.
    fn fused(
        &self,
        clusters: &[Cluster],
        group: &BTreeSet<usize>,
        only_close: bool,
        budget: &Budget,
    ) -> Outcome<Option<Cluster>> {
        let parts: Vec<&Cluster> = group.iter().map(|&c| &clusters[c]).collect();
        let mut nodes: Vec<usize> = parts.iter().flat_map(|c| c.nodes.iter().copied()).collect();
        nodes.sort_unstable();
        let members = parts.iter().map(|c| c.band.members.len()).max().unwrap_or(0);
        let coincident = parts.iter().map(|c| c.band.n_coincident()).max().unwrap_or(0);
        let cluster = self.cluster(nodes, budget)?;
        let keeps_members = cluster.band.members.len() >= members;
        let keeps_coincidence = !self.options.maximize_coincidence || cluster.band.n_coincident() >= coincident;
        let accepted = keeps_members && keeps_coincidence && self.brings_together(&cluster, &parts, only_close);
        Ok(accepted.then_some(cluster))
    }

    /// Whether the instances of some proximity constraint between two of the parts are close in all members, or, unless
    /// `only_close`, in as many as the constraint can align while one of its statements does not vary in the others.
    fn brings_together(&self, fused: &Cluster, parts: &[&Cluster], only_close: bool) -> bool {
        let part_of = |node: usize| parts.iter().position(|c| c.nodes.binary_search(&node).is_ok());
        let position = |node: usize| fused.nodes.binary_search(&node).expect("a statement of the cluster");
        let n_params = self.graph.n_params;
        edges_within(self.edges, &fused.nodes).into_iter().any(|edge| {
            if !edge.is_proximity || part_of(edge.source) == part_of(edge.target) {
                return false;
            }
            let mut far = 0;
            for member in &fused.band.members {
                let (source, target) = (&member[position(edge.source)], &member[position(edge.target)]);
                if edge.is_close(n_params, source, target, CLOSE) {
                    continue;
                }
                let varies = |row: &Row| row[1 + n_params..].iter().any(|a| !a.is_zero());
                if only_close || (varies(source) && varies(target)) {
                    return false;
                }
                far += 1;
            }
            fused.band.members.len() - far >= self.weight(edge).min(fused.band.members.len())
        })
    }

    /// The clusters in topological order.
    fn in_order(&self, mut clusters: Vec<Cluster>) -> Vec<Cluster> {
        clusters.sort_by_key(|c| c.nodes[0]);
        let cluster_of = |node: usize| clusters.iter().position(|c| c.nodes.binary_search(&node).is_ok());
        let links: Vec<(usize, usize)> = self
            .validity()
            .filter_map(|(s, t)| Some((cluster_of(s)?, cluster_of(t)?)))
            .collect();
        let all: Vec<usize> = (0..clusters.len()).collect();
        let mut clusters: Vec<Option<Cluster>> = clusters.into_iter().map(Some).collect();
        let order = strong_components(&all, links.into_iter());
        order
            .into_iter()
            .flatten()
            .map(|c| clusters[c].take().expect("each cluster once"))
            .collect()
    }
}
