//! The recursion that makes a schedule out of bands.
//!
//! For a set of statements and the constraints between them that have not been carried yet:
//!
//! 1. Weakly connected components are independent: a *set* of their schedules (P0, 6.1).
//! 2. In a component, [`fusion`](super::fusion) finds clusters, each with a band: a *sequence* of the clusters, with those
//!    that follow each other without a constraint between them in a set.
//! 3. A cluster with a band is the band, around the schedule of its statements under the constraints that the band does
//!    not carry. One without is a strongly connected component that has no permutable band: a row that carries as many
//!    dependences as possible, or another [`Fallback`], is its band. If there is not even that, there is no schedule.
//!
//! Every band either schedules a further dimension of some statement or carries a further dependence, so that this ends.

use super::band::{Band, Subject};
use super::carry::carrying_rows;
use super::components::weak_components;
use super::conditional::RowOf;
use super::diamond::with_concurrent_start;
use super::edges::{Edge, Vectors};
use super::fusion::Scene;
use super::graph::{Graph, Open, ScheduleRow};
use super::units::Cluster;
use super::{Algorithm, Fallback, Options};
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

/// A schedule of all statements of the graph under the constraints `open`. `done` has the linear parts of outer rows, by
/// statement.
pub(super) fn plan(
    graph: &Graph,
    open: &Open,
    done: &[Vec<Row>],
    options: &Options,
    budget: &Budget,
) -> Result<Plan, Failure> {
    let nodes: Vec<usize> = (0..graph.nodes.len()).collect();
    Planner { graph, options, budget }.schedule(nodes, open, done)
}

/// So many statements' rows are copied in a unit of work.
const STATEMENTS: usize = 16;

struct Planner<'a> {
    graph: &'a Graph,
    options: &'a Options,
    budget: &'a Budget,
}

impl Planner<'_> {
    /// Step 1, for the statements `nodes` (sorted). `done` has the linear parts of the rows so far, by statement.
    fn schedule(&self, nodes: Vec<usize>, open: &Open, done: &[Vec<Row>]) -> Result<Plan, Failure> {
        let edges = Edge::of(self.graph, open, self.budget)?;
        let scene = Scene {
            graph: self.graph,
            options: self.options,
            open,
            edges: &edges,
            done,
        };
        let links = edges.iter().chain(&self.graph.steps).map(|e| (e.source, e.target));
        let components = weak_components(&nodes, links);
        let mut children = Vec::with_capacity(components.len());
        for component in components {
            let plan = self.schedule_component(&scene, &component)?;
            children.push((component, plan));
        }
        Ok(parent(children, Plan::Set))
    }

    /// Step 2, for a weakly connected component.
    fn schedule_component(&self, scene: &Scene, nodes: &[usize]) -> Result<Plan, Failure> {
        let clusters = match self.options.algorithm {
            Algorithm::Pluto => scene.clusters(nodes, self.budget)?,
            Algorithm::Feautrier => self.feautrier_cluster(scene, nodes)?,
        };
        let mut children: Vec<(Vec<usize>, Plan)> = Vec::with_capacity(clusters.len());
        for cluster in clusters {
            let nodes = cluster.nodes.clone();
            children.push((nodes, self.schedule_cluster(scene, cluster)?));
        }
        Ok(parent(self.with_sets(scene, children), Plan::Sequence))
    }

    /// The clusters for Feautrier's method alone: all statements, to be carried, as long as their order matters.
    fn feautrier_cluster(&self, scene: &Scene, nodes: &[usize]) -> Result<Vec<Cluster>, Failure> {
        if scene.is_complete(nodes) {
            let sequence = Options {
                fusion: super::Fusion::None,
                ..self.options.clone()
            };
            let scene = Scene {
                options: &sequence,
                ..*scene
            };
            return Ok(scene.clusters(nodes, self.budget)?);
        }
        let open = scene.open.within(|node| nodes.binary_search(&node).is_ok());
        if open.orders_any() {
            let rows = carrying_rows(self.graph, self.options, nodes, scene.edges, &open, self.budget)?;
            if let Some(rows) = rows {
                let band = scene.marked(nodes, vec![rows]);
                let nodes = nodes.to_vec();
                return Ok(vec![Cluster { nodes, band }]);
            }
        }
        Ok(scene.clusters(nodes, self.budget)?)
    }

    /// The children of a sequence, with maximal runs of those that need not be in order joined in sets.
    fn with_sets(&self, scene: &Scene, children: Vec<(Vec<usize>, Plan)>) -> Vec<(Vec<usize>, Plan)> {
        let ordered = |a: &[usize], b: &[usize]| {
            scene
                .edges
                .iter()
                .any(|e| e.is_ordering() && a.binary_search(&e.source).is_ok() && b.binary_search(&e.target).is_ok())
        };
        let mut runs: Vec<Vec<(Vec<usize>, Plan)>> = Vec::new();
        for child in children {
            match runs.last_mut() {
                Some(run) if run.iter().all(|other| !ordered(&other.0, &child.0)) => run.push(child),
                _ => runs.push(vec![child]),
            }
        }
        let joined = |run: Vec<(Vec<usize>, Plan)>| {
            let mut nodes: Vec<usize> = run.iter().flat_map(|(nodes, _)| nodes.iter().copied()).collect();
            nodes.sort_unstable();
            (nodes, parent(run, Plan::Set))
        };
        runs.into_iter().map(joined).collect()
    }

    /// A band of one member, if possible, for statements that have no band of the kind that the options ask for.
    fn fallback(&self, scene: &Scene, nodes: &[usize], open: &Open) -> Result<Band, Failure> {
        let any_band = || {
            let options = Options {
                outer_coincidence: false,
                ..self.options.clone()
            };
            Ok::<Band, Failure>(scene.cluster(nodes.to_vec(), &options, self.budget)?.band)
        };
        let carrying = || {
            let rows = carrying_rows(self.graph, self.options, nodes, scene.edges, open, self.budget)?;
            Ok::<Option<Band>, Failure>(rows.map(|rows| scene.marked(nodes, vec![rows])))
        };
        let mut band = match self.options.fallback {
            Fallback::Feautrier => match carrying()? {
                Some(band) => return Ok(band),
                // A band will have to do whose first member is not coincident.
                None => return any_band(),
            },
            Fallback::SingleMember => any_band()?,
            Fallback::Validity => {
                let only_validity = |edge: &Edge| Edge {
                    coincidence: Vec::new(),
                    proximity: Vectors::default(),
                    ..edge.clone()
                };
                let edges: Vec<Edge> = scene.edges.iter().map(only_validity).collect();
                let scene = Scene {
                    edges: &edges,
                    ..*scene
                };
                scene.cluster(nodes.to_vec(), self.options, self.budget)?.band
            }
        };
        band.members.truncate(1);
        if band.members.is_empty() {
            return Ok(carrying()?.unwrap_or_default());
        }
        // Whether it is coincident is a matter of all constraints.
        Ok(scene.marked(nodes, band.members))
    }

    /// Step 3.
    fn schedule_cluster(&self, scene: &Scene, cluster: Cluster) -> Result<Plan, Failure> {
        let Cluster { nodes, mut band } = cluster;
        let open = scene.open.within(|node| nodes.binary_search(&node).is_ok());
        if band.members.is_empty() {
            // What a fully scheduled statement still has to come after is the instance itself.
            if (nodes.len() == 1 || !open.orders_any()) && scene.is_complete(&nodes) {
                return Ok(Plan::Leaf);
            }
            band = self.fallback(scene, &nodes, &open)?;
            if band.members.is_empty() {
                return Err(Failure::NoSchedule(nodes));
            }
        }
        if self.options.concurrent_start && band.members.len() > 1 && band.n_coincident() == 0 {
            let subject = Subject::statements(self.graph, self.options, scene.open, scene.edges, &nodes, scene.done);
            if let Some(members) = with_concurrent_start(&subject, &nodes, &band.members, self.budget)? {
                band = scene.marked(&nodes, members);
            }
        }
        let rows_of = |rows: &[ScheduleRow], node: usize| Some(rows[nodes.binary_search(&node).ok()?].clone());
        let members: Vec<_> = band
            .members
            .iter()
            .map(|rows| move |node| rows_of(rows, node))
            .collect();
        let members: Vec<RowOf> = members.iter().map(|m| m as RowOf).collect();
        let inner = self.graph.coscheduled(&open, &members, self.budget)?;
        // A copy of the rows of all statements.
        self.budget.spend((scene.done.len() / STATEMENTS) as u64)?;
        let mut done = scene.done.to_vec();
        for (position, &node) in nodes.iter().enumerate() {
            let linear = |m: &Vec<ScheduleRow>| Row::from(&m[position][1 + self.graph.n_params..]);
            done[node].extend(band.members.iter().map(linear));
        }
        let child = self.schedule(nodes.clone(), &inner, &done)?;
        Ok(Plan::Band {
            nodes,
            band,
            child: Box::new(child),
        })
    }
}

/// The schedules of parts under a node, which a single one does not need.
fn parent(mut children: Vec<(Vec<usize>, Plan)>, node: impl Fn(Vec<(Vec<usize>, Plan)>) -> Plan) -> Plan {
    match children.len() {
        0 => Plan::Leaf,
        1 => children.remove(0).1,
        _ => node(children),
    }
}
