//! The recursion that makes a schedule out of bands.
//!
//! For a set of statements and the dependences between them that have not been carried yet:
//!
//! 1. Weakly connected components are independent: a *set* of their schedules.
//! 2. In a component, [`fusion`](super::fusion) finds clusters, each with a band: a *sequence* of the clusters.
//! 3. A cluster with a band is the band, around the schedule of its statements under the dependences that the band does
//!    not carry. One without is a strongly connected component that has no permutable band: a row that carries as many
//!    dependences as possible is its band. If there is not even that, there is no schedule.
//!
//! Every band either schedules a further dimension of some statement or carries a further dependence, so that this ends.

use super::Options;
use super::band::{Band, edges_within, permutable_band};
use super::carry::carrying_band;
use super::components::weak_components;
use super::edges::Edge;
use super::fusion::{Cluster, Scene};
use super::graph::{Dependence, Graph};
use crate::budget::{Budget, OutOfBudget};
use crate::linalg::Row;

/// A schedule of some statements, by their indices.
#[derive(Clone, Debug)]
pub(super) enum Plan {
    /// Nothing is left to be ordered.
    Leaf,
    /// A band: the rows of `band` are those of `nodes`.
    Band {
        nodes: Vec<usize>,
        band: Band,
        child: Box<Plan>,
    },
    /// Statements in this order.
    Sequence(Vec<(Vec<usize>, Plan)>),
    /// Statements in any order.
    Set(Vec<(Vec<usize>, Plan)>),
}

/// Why there is no plan.
#[derive(Clone, Debug)]
pub(super) enum Failure {
    OutOfBudget(OutOfBudget),
    /// These statements have no schedule.
    NoSchedule(Vec<usize>),
}

impl From<OutOfBudget> for Failure {
    fn from(error: OutOfBudget) -> Failure {
        Failure::OutOfBudget(error)
    }
}

/// A schedule of all statements of the graph.
pub(super) fn plan(graph: &Graph, options: &Options, budget: &Budget) -> Result<Plan, Failure> {
    let nodes: Vec<usize> = (0..graph.nodes.len()).collect();
    let done = vec![Vec::new(); nodes.len()];
    Planner { graph, options, budget }.schedule(nodes, &graph.dependences, &done)
}

struct Planner<'a> {
    graph: &'a Graph,
    options: &'a Options,
    budget: &'a Budget,
}

impl Planner<'_> {
    /// Step 1, for the statements `nodes` (sorted). `done` has the linear parts of the rows so far, by statement.
    fn schedule(&self, nodes: Vec<usize>, dependences: &[Dependence], done: &[Vec<Row>]) -> Result<Plan, Failure> {
        let edges = Edge::of(self.graph, dependences, self.budget)?;
        let scene = Scene {
            graph: self.graph,
            options: self.options,
            edges: &edges,
            done,
        };
        let components = weak_components(&nodes, edges.iter().map(|e| (e.source, e.target)));
        let schedule = |nodes: &Vec<usize>| self.schedule_component(&scene, nodes, dependences);
        self.children(components, Clone::clone, Plan::Set, schedule)
    }

    /// The schedules of parts under a node, which a single one does not need.
    fn children<T>(
        &self,
        parts: Vec<T>,
        nodes: impl Fn(&T) -> Vec<usize>,
        node: impl Fn(Vec<(Vec<usize>, Plan)>) -> Plan,
        schedule: impl Fn(&T) -> Result<Plan, Failure>,
    ) -> Result<Plan, Failure> {
        let mut children = parts
            .iter()
            .map(|part| Ok((nodes(part), schedule(part)?)))
            .collect::<Result<Vec<_>, Failure>>()?;
        Ok(match children.len() {
            0 => Plan::Leaf,
            1 => children.remove(0).1,
            _ => node(children),
        })
    }

    /// Step 2, for a weakly connected component.
    fn schedule_component(&self, scene: &Scene, nodes: &[usize], dependences: &[Dependence]) -> Result<Plan, Failure> {
        let clusters = scene.clusters(nodes, self.budget)?;
        let schedule = |cluster: &Cluster| {
            let within = |node: &usize| cluster.nodes.binary_search(node).is_ok();
            let inner: Vec<&Dependence> = dependences
                .iter()
                .filter(|d| within(&d.source) && within(&d.target))
                .collect();
            self.schedule_cluster(scene, cluster.nodes.clone(), cluster.band.clone(), &inner)
        };
        self.children(clusters, |cluster| cluster.nodes.clone(), Plan::Sequence, schedule)
    }

    /// A permutable band even if its first member is not coincident.
    fn any_band(&self, scene: &Scene, nodes: &[usize], edges: &[&Edge]) -> Result<Band, Failure> {
        let options = Options {
            outer_coincidence: false,
            ..self.options.clone()
        };
        Ok(permutable_band(
            self.graph,
            &options,
            nodes,
            edges,
            scene.done,
            self.budget,
        )?)
    }

    /// Step 3.
    fn schedule_cluster(
        &self,
        scene: &Scene,
        nodes: Vec<usize>,
        mut band: Band,
        dependences: &[&Dependence],
    ) -> Result<Plan, Failure> {
        if band.members.is_empty() {
            let has_validity = dependences.iter().any(|d| d.kinds.validity);
            if !has_validity && scene.is_complete(&nodes) {
                return Ok(Plan::Leaf);
            }
            let edges = edges_within(scene.edges, &nodes);
            band = match carrying_band(self.graph, &nodes, &edges, dependences, self.budget)? {
                Some(band) => band,
                None => self.any_band(scene, &nodes, &edges)?,
            };
            if band.members.is_empty() {
                return Err(Failure::NoSchedule(nodes));
            }
        }
        let position = |node: usize| nodes.binary_search(&node).expect("a statement of the cluster");
        let mut left = Vec::new();
        for dependence in dependences {
            let (source, target) = (position(dependence.source), position(dependence.target));
            let members: Vec<_> = band.members.iter().map(|m| (&m[source], &m[target])).collect();
            left.extend(self.graph.coscheduled(dependence, &members, self.budget)?);
        }
        let mut done = scene.done.to_vec();
        for (position, &node) in nodes.iter().enumerate() {
            done[node].extend(
                band.members
                    .iter()
                    .map(|m| Row::from(&m[position][1 + self.graph.n_params..])),
            );
        }
        let child = self.schedule(nodes.clone(), &left, &done)?;
        Ok(Plan::Band {
            nodes,
            band,
            child: Box::new(child),
        })
    }
}
