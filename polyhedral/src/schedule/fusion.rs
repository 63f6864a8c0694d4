//! Which statements share a band: incremental fusion (P0, 7.3).
//!
//! The statements of a strongly connected component of the validity constraints have to share a band, if they get one; a
//! *cluster* is one or more such components that do. Clusters are fused along proximity constraints, the ones that can
//! align the most dimensions first, as long as that costs nothing: the fused band must have as many members, and as many
//! coincident ones, as each of the bands that it replaces, and it must really bring the instances together. Clusters on a
//! path of validity constraints between two that are fused have to be fused with them. What is scheduled then are the
//! clusters with respect to each other (see [`units`](super::units)).
//!
//! With [`Fusion::Smart`], clusters of different dimension are not fused (P2): what is gained in locality is of lower
//! order than the work of the larger one, whose inner loop would be cluttered with the instances of the smaller one.

use super::band::{Band, Subject, edges_within, is_coincident};
use super::coalescing;
use super::components::strong_components;
use super::consecutivity::{Progress, Reference, kept_members, served};
use super::edges::Edge;
use super::graph::{Graph, Open, ScheduleRow};
use super::units::{Cluster, Grouping, Unit};
use super::{Fusion, Options};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Matrix, Row, rank};
use std::collections::BTreeSet;

/// The distance, per member, up to which instances count as close.
const CLOSE: i64 = 2;

/// What there is to schedule: some statements, the edges between them and their rows so far.
pub(super) struct Scene<'a> {
    pub(super) graph: &'a Graph,
    pub(super) options: &'a Options,
    pub(super) open: &'a Open,
    pub(super) edges: &'a [Edge],
    /// The linear parts of the rows so far, by statement.
    pub(super) done: &'a [Vec<Row>],
}

impl Scene<'_> {
    /// The number of independent rows that a statement lacks.
    fn missing(&self, node: usize) -> usize {
        let done = self.graph.nodes[node].fixed.iter().chain(&self.done[node]);
        let dim = self.graph.nodes[node].dim;
        dim - rank(&Matrix::new(done.cloned().collect(), dim))
    }

    /// Whether all these statements are fully scheduled.
    pub(super) fn is_complete(&self, nodes: &[usize]) -> bool {
        nodes.iter().all(|&node| self.missing(node) == 0)
    }

    /// The band of some statements (sorted) with the given members.
    pub(super) fn marked(&self, nodes: &[usize], members: Vec<Vec<ScheduleRow>>) -> Band {
        let edges = edges_within(self.edges, nodes);
        let coincident = members
            .iter()
            .map(|rows| is_coincident(self.graph.n_params, nodes, &edges, rows))
            .collect();
        Band { members, coincident }
    }

    /// A band for the statements `nodes`, sorted.
    pub(super) fn cluster(&self, nodes: Vec<usize>, options: &Options, budget: &Budget) -> Outcome<Cluster> {
        let subject = Subject::statements(self.graph, options, self.open, self.edges, &nodes, self.done);
        let band = self.marked(&nodes, subject.band(budget)?);
        Ok(Cluster { nodes, band })
    }

    /// The statement pairs of the constraints on the order.
    fn ordering(&self) -> impl Iterator<Item = (usize, usize)> + Clone {
        let edges = self.edges.iter().filter(|e| e.is_ordering());
        edges.map(|e| (e.source, e.target))
    }

    /// Clusters of the statements `nodes` (sorted), in an order that respects validity.
    pub(super) fn clusters(&self, nodes: &[usize], budget: &Budget) -> Outcome<Vec<Cluster>> {
        if self.options.fusion == Fusion::Max {
            let cluster = self.cluster(nodes.to_vec(), self.options, budget)?;
            if !cluster.band.members.is_empty() {
                return Ok(vec![cluster]);
            }
        }
        let together = self.graph.steps.iter();
        let together = together.flat_map(|step| [(step.source, step.target), (step.target, step.source)]);
        let components = strong_components(nodes, self.ordering().chain(together));
        let mut clusters: Vec<Cluster> = components
            .into_iter()
            .map(|nodes| self.cluster(nodes, self.options, budget))
            .collect::<Outcome<_>>()?;
        if self.options.fusion == Fusion::None {
            return Ok(clusters);
        }
        let weights: Vec<usize> = self.edges.iter().map(|edge| self.weight(edge)).collect();
        for only_close in [true, false] {
            let mut failed = BTreeSet::new();
            while let Some((edge, group)) = self.next_to_fuse(&clusters, &weights, &failed) {
                match self.fused(&clusters, &group, &weights, only_close, budget)? {
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
    fn next_to_fuse(
        &self,
        clusters: &[Cluster],
        weights: &[usize],
        failed: &BTreeSet<usize>,
    ) -> Option<(usize, BTreeSet<usize>)> {
        let mut cluster_of = vec![None; self.graph.nodes.len()];
        for (index, cluster) in clusters.iter().enumerate() {
            cluster.nodes.iter().for_each(|&node| cluster_of[node] = Some(index));
        }
        let dimension = |cluster: usize| -> usize {
            let nodes = &clusters[cluster].nodes;
            nodes.iter().map(|&node| self.missing(node)).max().unwrap_or(0)
        };
        let fusable = |group: &BTreeSet<usize>, like: usize| {
            group.iter().all(|&c| {
                let alike = self.options.fusion != Fusion::Smart || dimension(c) == dimension(like);
                let scheduled = !clusters[c].band.members.is_empty() || self.is_complete(&clusters[c].nodes);
                alike && scheduled
            })
        };
        let mut candidates = Vec::new();
        for (index, edge) in self.edges.iter().enumerate() {
            if let (Some(s), Some(t)) = (cluster_of[edge.source], cluster_of[edge.target])
                && edge.is_proximity
                && s != t
                && !failed.contains(&index)
            {
                // Statements are in textual order, so that near ones are likely to have few others between them.
                let apart = edge.source.abs_diff(edge.target);
                candidates.push((std::cmp::Reverse(weights[index]), apart, index, s, t));
            }
        }
        candidates.sort_unstable();
        let links: Vec<(usize, usize)> = self
            .ordering()
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
        if !edge.is_proximity {
            return 0;
        }
        let done = self.done[edge.source].len().min(self.done[edge.target].len());
        edge.weight(self.graph.n_params).saturating_sub(done)
    }

    /// The cluster of all those of `group`, if it is worth while.
    fn fused(
        &self,
        clusters: &[Cluster],
        group: &BTreeSet<usize>,
        weights: &[usize],
        only_close: bool,
        budget: &Budget,
    ) -> Outcome<Option<Cluster>> {
        let parts: Vec<&Cluster> = group.iter().map(|&c| &clusters[c]).collect();
        let members = parts.iter().map(|c| c.band.members.len()).max().unwrap_or(0);
        let coincident = parts.iter().map(|c| c.band.n_coincident()).max().unwrap_or(0);
        let is_accepted = |cluster: &Cluster| {
            let n_members = cluster.band.members.len();
            let keeps_members = n_members > 0 && (!self.options.maximize_band_depth || n_members >= members);
            let keeps_coincidence = !self.options.maximize_coincidence || cluster.band.n_coincident() >= coincident;
            keeps_members
                && keeps_coincidence
                && self.keeps_references(cluster, &parts)
                && self.brings_together(cluster, &parts, weights, only_close)
        };
        let cluster = self.combined(&parts, self.edges, budget)?;
        if is_accepted(&cluster) {
            return Ok(Some(cluster));
        }
        if self.options.maximize_coincidence {
            return Ok(None);
        }
        // Coincident members may have to leave instances apart that others bring together.
        let without = |edge: &Edge| Edge {
            coincidence: Vec::new(),
            ..edge.clone()
        };
        let edges: Vec<Edge> = self.edges.iter().map(without).collect();
        let cluster = self.combined(&parts, &edges, budget)?;
        let starts_well = !self.options.outer_coincidence || cluster.band.coincident.first() == Some(&true);
        Ok((starts_well && is_accepted(&cluster)).then_some(cluster))
    }

    /// Whether references that the bands of the parts serve are still served by the fused band (P3, 3.5).
    fn keeps_references(&self, fused: &Cluster, parts: &[&Cluster]) -> bool {
        let served = |cluster: &Cluster, node: usize| {
            let rows = self.rows(cluster, node);
            let node = &self.graph.nodes[node];
            served(&node.references, &node.fixed, &rows).map(|(position, _)| position)
        };
        parts.iter().all(|part| {
            part.nodes.iter().all(|&node| {
                let before = served(part, node);
                before.is_none_or(|before| served(fused, node).is_some_and(|after| after <= before))
            })
        })
    }

    /// The linear parts of all rows of a statement, those of its cluster's band included.
    fn rows(&self, cluster: &Cluster, node: usize) -> Vec<Row> {
        let position = cluster.position(node).expect("a statement of the cluster");
        let linear = |m: &Vec<ScheduleRow>| Row::from(&m[position][1 + self.graph.n_params..]);
        let own = cluster.band.members.iter().map(linear);
        self.done[node].iter().cloned().chain(own).collect()
    }

    /// The clusters `parts` as one, scheduled with respect to each other under the constraints of `edges`.
    fn combined(&self, parts: &[&Cluster], edges: &[Edge], budget: &Budget) -> Outcome<Cluster> {
        let grouping = Grouping::Clusters(parts);
        let subject = Subject {
            graph: self.graph,
            options: self.options,
            open: self.open,
            edges,
            grouping,
            units: parts
                .iter()
                .map(|part| self.unit(part, budget))
                .collect::<Outcome<_>>()?,
        };
        let mut nodes: Vec<usize> = parts.iter().flat_map(|part| part.nodes.iter().copied()).collect();
        nodes.sort_unstable();
        let statements = |rows: Vec<ScheduleRow>| -> Vec<ScheduleRow> {
            let row = |&node: &usize| {
                let unit = grouping.unit_of(node).expect("a statement of a part");
                grouping.statement_row(node, self.graph.n_params, self.graph.nodes[node].dim, &rows[unit])
            };
            nodes.iter().map(row).collect()
        };
        let members = subject.band(budget)?.into_iter().map(statements).collect();
        let band = self.marked(&nodes, members);
        Ok(Cluster { nodes, band })
    }

    /// A cluster as a unit.
    fn unit(&self, cluster: &Cluster, budget: &Budget) -> Outcome<Unit> {
        let n_params = self.graph.n_params;
        let dim = cluster.band.members.len();
        let mut sizes: Vec<Option<Int>> = vec![Some(Int::ZERO); dim];
        for (position, &node) in cluster.nodes.iter().enumerate() {
            let node = &self.graph.nodes[node];
            let own = if node.sizes.iter().all(Option::is_none) {
                vec![None; dim]
            } else {
                let rows: Vec<Row> = cluster.band.members.iter().map(|m| m[position].clone()).collect();
                coalescing::sizes(n_params, node.dim, &node.pieces, &rows, budget)?
            };
            for (size, own) in sizes.iter_mut().zip(own) {
                *size = size.take().zip(own).map(|(a, b)| a.max(b));
            }
        }
        sizes
            .iter_mut()
            .for_each(|size| *size = size.take().filter(Int::is_pos));
        Ok(Unit {
            dim,
            base: Vec::new(),
            done: Vec::new(),
            bounds: coalescing::bounds(&sizes),
            references: self.kept_reference(cluster).into_iter().collect(),
        })
    }

    /// What keeps the members of a cluster that step along references of its statements as they are (P3, 3.5).
    fn kept_reference(&self, cluster: &Cluster) -> Option<Reference> {
        let members = &cluster.band.members;
        let first_step = |&node: &usize| {
            let (base, done) = (&self.graph.nodes[node].fixed, &self.done[node]);
            let rows = self.rows(cluster, node);
            let references = &self.graph.nodes[node].references;
            let reference = &references[served(references, base, &rows)?.0];
            (0..members.len()).find(|&member| {
                let progress = reference.progress(base, &rows[..=done.len() + member]);
                matches!(progress, Progress::Complete { .. }) || matches!(progress, Progress::Inner { done: 1.., .. })
            })
        };
        let first = cluster.nodes.iter().filter_map(first_step).min()?;
        kept_members(first, members.len())
    }

    /// Whether the instances of some proximity constraint between two of the parts are close in all members, or, unless
    /// `only_close`, in as many as the constraint can align while one of its statements does not vary in the others.
    fn brings_together(&self, fused: &Cluster, parts: &[&Cluster], weights: &[usize], only_close: bool) -> bool {
        let part_of = |node: usize| parts.iter().position(|c| c.position(node).is_some());
        let n_params = self.graph.n_params;
        self.edges.iter().zip(weights).any(|(edge, &weight)| {
            let (Some(s), Some(t)) = (fused.position(edge.source), fused.position(edge.target)) else {
                return false;
            };
            if !edge.is_proximity || part_of(edge.source) == part_of(edge.target) {
                return false;
            }
            let mut far = 0;
            for member in &fused.band.members {
                let (source, target) = (&member[s], &member[t]);
                if edge.is_close(n_params, source, target, CLOSE) {
                    continue;
                }
                let varies = |row: &Row| row[1 + n_params..].iter().any(|a| !a.is_zero());
                if only_close || (varies(source) && varies(target)) {
                    return false;
                }
                far += 1;
            }
            fused.band.members.len() - far >= weight.min(fused.band.members.len())
        })
    }

    /// The clusters in topological order.
    fn in_order(&self, mut clusters: Vec<Cluster>) -> Vec<Cluster> {
        clusters.sort_by_key(|c| c.nodes[0]);
        let cluster_of = |node: usize| clusters.iter().position(|c| c.position(node).is_some());
        let links: Vec<(usize, usize)> = self
            .ordering()
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
