//! Permutable bands: Pluto's method (P0, 6.5; P2; P3, algorithms 1 and 2).
//!
//! The members of a band are found one after the other, each as the solution of an integer program under the same
//! dependences, so that no member ever has a negative distance and the members may be permuted. Apart from what
//! [`problem`](super::problem) describes, a program has the unknowns `m0` and `m = m+ - m-`: the distances of pairs that
//! should be close have to be at most `m.n + m0`, and the leading objectives are the sum of the `m+` and `m-`, and `m0`.
//! As long as it is possible, all pairs that should coincide do. A member has to be linearly independent of the ones
//! before for the units that lack the most rows; the other ones will have to have some dependent rows anyway.
//!
//! With each member, the band is checked against the conditioned validity constraints. Where live ranges turn out to have to be
//! local, the band starts again with them forced to coincide (see [`conditional`](super::conditional)); if it then becomes
//! shorter than it was, it ends before the member that asked for that.

use super::Options;
use super::coalescing;
use super::conditional::{RowOf, to_be_local};
use super::consecutivity::{Form, Progress, normalized, served, wished_forms};
use super::edges::{Edge, Vectors};
use super::graph::{Graph, Open, ScheduleRow};
use super::problem::Layout;
use super::units::{Grouping, Unit};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Matrix, Row, kernel};
use crate::solver::lexmin::LexMin;
use crate::solver::non_trivial::{Alternative, Region, Wish, constrained_lexmin};
use std::collections::BTreeSet;

/// Some members that schedule some statements or units.
#[derive(Clone, Debug, Default)]
pub(super) struct Band {
    /// Per member, the row of every statement.
    pub(super) members: Vec<Vec<ScheduleRow>>,
    /// Per member, whether all pairs that should coincide do.
    pub(super) coincident: Vec<bool>,
}

impl Band {
    /// The number of coincident members.
    pub(super) fn n_coincident(&self) -> usize {
        self.coincident.iter().filter(|c| **c).count()
    }
}

/// The edges with both ends in `nodes` (sorted).
pub(super) fn edges_within<'e>(edges: &'e [Edge], nodes: &[usize]) -> Vec<&'e Edge> {
    let within = |node: &usize| nodes.binary_search(node).is_ok();
    edges
        .iter()
        .filter(|e| within(&e.source) && within(&e.target))
        .collect()
}

/// Whether a member, as the rows of the statements `nodes` (sorted), is coincident.
pub(super) fn is_coincident(n_params: usize, nodes: &[usize], edges: &[&Edge], rows: &[ScheduleRow]) -> bool {
    let row = |node: usize| &rows[nodes.binary_search(&node).expect("a statement of the band")];
    edges
        .iter()
        .all(|e| e.coincides(n_params, row(e.source), row(e.target)))
}

/// What a band is searched for.
pub(super) struct Subject<'a> {
    pub(super) graph: &'a Graph,
    pub(super) options: &'a Options,
    /// What is left of the constraints.
    pub(super) open: &'a Open,
    /// Their edges between statements.
    pub(super) edges: &'a [Edge],
    /// How units are made of statements.
    pub(super) grouping: Grouping<'a>,
    /// The units.
    pub(super) units: Vec<Unit>,
}

/// What has come of a search for a band.
enum Attempt {
    /// The rows of the units, by member.
    Found(Vec<Vec<ScheduleRow>>),
    /// These conditions have to be local for a further member than those found so far.
    Again(BTreeSet<usize>, Vec<Vec<ScheduleRow>>),
}

impl<'a> Subject<'a> {
    /// The statements `nodes` (sorted), given the linear parts of the rows so far of all statements.
    pub(super) fn statements(
        graph: &'a Graph,
        options: &'a Options,
        open: &'a Open,
        edges: &'a [Edge],
        nodes: &'a [usize],
        done: &[Vec<Row>],
    ) -> Subject<'a> {
        let unit = |&node: &usize| {
            let done = done[node].clone();
            let node = &graph.nodes[node];
            Unit {
                dim: node.dim,
                base: node.fixed.clone(),
                done,
                bounds: coalescing::bounds(&node.sizes),
                references: node.references.clone(),
            }
        };
        Subject {
            graph,
            options,
            open,
            edges,
            grouping: Grouping::Statements(nodes),
            units: nodes.iter().map(unit).collect(),
        }
    }

    /// A band as long as possible: per member, the rows of the units. It has no members if there is no valid row, or if
    /// all units are fully scheduled.
    pub(super) fn band(&self, budget: &Budget) -> Outcome<Vec<Vec<ScheduleRow>>> {
        let edges = self.grouping.edges(self.graph.n_params, self.edges);
        let mut local = BTreeSet::new();
        let mut longest: Vec<Vec<ScheduleRow>> = Vec::new();
        loop {
            match self.attempt(&edges, &local, budget)? {
                Attempt::Found(members) if members.len() < longest.len() => return Ok(longest),
                Attempt::Found(members) => return Ok(members),
                // There are only so many conditions.
                Attempt::Again(more, members) => {
                    local.extend(more);
                    if members.len() > longest.len() {
                        longest = members;
                    }
                }
            }
        }
    }

    fn attempt(&self, edges: &[Edge], local: &BTreeSet<usize>, budget: &Budget) -> Outcome<Attempt> {
        let n_params = self.graph.n_params;
        let layout = Layout::new(n_params, &self.units, 2, 2 * n_params);
        let forced = self.locality(local, budget)?;
        let program = |coincidence, proximity| self.program(&layout, edges, &forced, coincidence, proximity);
        let mut rows: Vec<Vec<Row>> = vec![Vec::new(); self.units.len()];
        let mut members: Vec<Vec<ScheduleRow>> = Vec::new();
        let any_coincidence = edges.iter().any(|e| !e.coincidence.is_empty());
        // Coincidence is one of the wishes, rather than a constraint, where consecutivity comes first.
        let wished = self.options.consecutivity_first && self.units.iter().any(|unit| !unit.references.is_empty());
        let (mut coincidence, mut proximity) = (any_coincidence && !wished, true);
        let mut problem = program(coincidence, proximity);
        loop {
            let missing: Vec<usize> = self
                .units
                .iter()
                .zip(&rows)
                .map(|(unit, rows)| unit.missing(rows))
                .collect();
            let most = missing.iter().copied().max().unwrap_or(0);
            if most == 0 {
                return Ok(Attempt::Found(members));
            }
            let regions: Vec<Region> = (0..self.units.len())
                .filter(|&u| missing[u] == most)
                .map(|u| region(&layout, u, &self.units[u].known(&rows[u])))
                .collect();
            let mut wishes = self.consecutivity(&layout, &rows, |unit| missing[unit] < most);
            if wished && any_coincidence {
                wishes.push(coincidence_wish(&layout, edges));
            }
            match constrained_lexmin(&mut problem, &wishes, &regions, 2, budget)? {
                Some(solution) => {
                    let new = layout.schedule_rows(&solution);
                    let coincides = |e: &Edge| e.coincides(n_params, &new[e.source], &new[e.target]);
                    if wished && members.is_empty() && self.options.outer_coincidence && !edges.iter().all(coincides) {
                        return Ok(Attempt::Found(members));
                    }
                    for (rows, row) in rows.iter_mut().zip(&new) {
                        rows.push(Row::from(&row[1 + n_params..]));
                    }
                    members.push(new);
                    let more = self.conditions_violated_by(&members, local, budget)?;
                    if !more.is_empty() {
                        members.pop();
                        return Ok(Attempt::Again(more, members));
                    }
                }
                None if coincidence => {
                    if members.is_empty() && self.options.outer_coincidence {
                        return Ok(Attempt::Found(members));
                    }
                    coincidence = false;
                    problem = program(coincidence, proximity);
                }
                // There may be no common bound on all distances (P0, 6.6.3).
                None if proximity && members.is_empty() => {
                    (coincidence, proximity) = (any_coincidence && !wished, false);
                    problem = program(coincidence, proximity);
                }
                None => return Ok(Attempt::Found(members)),
            }
        }
    }

    /// The wishes of consecutivity for the next member, after members with the linear parts `rows` by unit (P3, 3 and 4).
    /// `dependent` says whether the row of a unit may depend on the ones before.
    fn consecutivity(&self, layout: &Layout, rows: &[Vec<Row>], dependent: impl Fn(usize) -> bool) -> Vec<Wish> {
        let mut wishes = Vec::new();
        for (index, unit) in self.units.iter().enumerate() {
            let linear = |row: &Row, constant: &Int| {
                let mut all = layout.empty_row();
                layout.add_linear(&mut all, index, row, false);
                all[0] = -constant;
                all
            };
            for (position, forms) in wished_forms(unit, &rows[index], dependent(index))
                .into_iter()
                .enumerate()
            {
                let alternative = |form: &Form| Alternative {
                    fixed: form.fixed.iter().map(|(row, value)| linear(row, value)).collect(),
                    region: Region(form.nonzero.iter().map(|row| linear(row, &Int::ZERO)).collect()),
                };
                wishes.push(Wish {
                    alternatives: forms.iter().map(alternative).collect(),
                    otherwise: position > 0,
                });
            }
        }
        if let Grouping::Statements(_) = self.grouping {
            let steps = self.grouping.edges(self.graph.n_params, &self.graph.steps);
            wishes.extend(steps.iter().filter_map(|step| self.step_wish(layout, rows, step)));
        }
        wishes
    }

    /// The wish that instances of two statements come one step after the other: they coincide until the outer rows of the
    /// references of both are there, and then have distance 1 in one member (P3, 4.2).
    fn step_wish(&self, layout: &Layout, rows: &[Vec<Row>], step: &Edge) -> Option<Wish> {
        let progress = |index: usize| {
            let unit = &self.units[index];
            let all = [&unit.done[..], &rows[index]].concat();
            served(&unit.references, &unit.base, &all).map(|(_, progress)| progress)
        };
        let distance = match (progress(step.source)?, progress(step.target)?) {
            (Progress::Inner { done: 0, .. }, Progress::Inner { done: 0, .. }) => Int::ONE,
            (Progress::Outer, Progress::Outer | Progress::Inner { done: 0, .. }) => Int::ZERO,
            (Progress::Inner { done: 0, .. }, Progress::Outer) => Int::ZERO,
            _ => return None,
        };
        let fixed = step.coincidence.iter().map(|vector| {
            let mut row = layout.empty_row();
            layout.add_distance(&mut row, step, vector, false);
            row[0] -= &distance * &vector[0];
            row
        });
        Some(Wish {
            alternatives: vec![Alternative {
                fixed: fixed.collect(),
                region: Region(Vec::new()),
            }],
            otherwise: false,
        })
    }

    /// An integer program for rows of the units that respect validity and bring pairs close to each other, in a layout
    /// with the unknowns of a band first among the method's own.
    pub(super) fn valid_and_close(&self, layout: &Layout) -> LexMin {
        let edges = self.grouping.edges(self.graph.n_params, self.edges);
        self.program(layout, &edges, &[], false, true)
    }

    /// The conditions that have to be local for a band of these members, given as rows of the units, to be valid.
    pub(super) fn conditions_violated_by(
        &self,
        members: &[Vec<ScheduleRow>],
        local: &BTreeSet<usize>,
        budget: &Budget,
    ) -> Outcome<BTreeSet<usize>> {
        if self.open.conditioned.is_empty() {
            return Ok(BTreeSet::new());
        }
        let row_of = |rows: &[ScheduleRow], node: usize| {
            let unit = self.grouping.unit_of(node)?;
            let dim = self.graph.nodes[node].dim;
            Some(self.grouping.statement_row(node, self.graph.n_params, dim, &rows[unit]))
        };
        let members: Vec<_> = members.iter().map(|rows| move |node| row_of(rows, node)).collect();
        let members: Vec<RowOf> = members.iter().map(|member| member as RowOf).collect();
        to_be_local(self.graph, self.open, &members, local, budget)
    }

    /// The edges between units that ask the conditions `local` to be local.
    fn locality(&self, local: &BTreeSet<usize>, budget: &Budget) -> Outcome<Vec<Edge>> {
        let mut edges = Vec::with_capacity(local.len());
        for &index in local {
            let condition = &self.open.conditions[index];
            let (source, target) = (condition.source, condition.target);
            let mut all = Vectors::default();
            for pairs in &condition.pairs {
                all.add(&Vectors::of_pairs(self.graph, source, target, pairs, budget)?);
            }
            edges.push(Edge::of_coincidence(self.graph, source, target, &all));
        }
        Ok(self.grouping.edges(self.graph.n_params, &edges))
    }

    /// The integer program for a member, in which the pairs of `forced` have to coincide in any case.
    fn program(&self, layout: &Layout, edges: &[Edge], forced: &[Edge], coincidence: bool, proximity: bool) -> LexMin {
        let n_params = self.graph.n_params;
        let mut problem = layout.problem();
        layout.add_bounds(&mut problem, self.options);
        let mut sum = layout.empty_row();
        layout.add(&mut sum, 0, &Int::ONE);
        for part in 0..2 * n_params {
            layout.add(&mut sum, layout.own() + part, &-Int::ONE);
        }
        problem.add_eq(&sum);
        for edge in forced.iter().chain(edges.iter().filter(|_| coincidence)) {
            for vector in &edge.coincidence {
                let mut row = layout.empty_row();
                layout.add_distance(&mut row, edge, vector, false);
                problem.add_eq(&row);
            }
        }
        for edge in edges {
            layout.add_validity(&mut problem, edge);
            if proximity {
                add_proximity(layout, n_params, &mut problem, edge);
            }
        }
        problem
    }
}

/// The wish that all pairs coincide that should.
fn coincidence_wish(layout: &Layout, edges: &[Edge]) -> Wish {
    let mut fixed = Vec::new();
    for edge in edges {
        for vector in &edge.coincidence {
            let mut row = layout.empty_row();
            layout.add_distance(&mut row, edge, vector, false);
            fixed.push(row);
        }
    }
    Wish {
        alternatives: vec![Alternative {
            fixed,
            region: Region(Vec::new()),
        }],
        otherwise: false,
    }
}

/// Adds the bounds on the distances of the pairs that should be close.
fn add_proximity(layout: &Layout, n_params: usize, problem: &mut LexMin, edge: &Edge) {
    for (vectors, is_line) in [(&edge.proximity.lines, true), (&edge.proximity.rays, false)] {
        for vector in vectors {
            // Where a distance must not be negative, it needs a bound on one side only.
            let valid = edge.validity.lines.contains(vector) || edge.validity.rays.contains(vector);
            for negate in [true, false] {
                if valid && !negate {
                    continue;
                }
                let mut row = layout.empty_row();
                layout.add_distance(&mut row, edge, vector, negate);
                layout.add(&mut row, 1, &vector[0]);
                for (param, v) in vector[1..1 + n_params].iter().enumerate() {
                    let negative = layout.own() + 2 * param;
                    layout.add(&mut row, negative, &-v);
                    layout.add(&mut row, negative + 1, v);
                }
                if is_line {
                    problem.add_eq(&row);
                } else {
                    problem.add_ineq(&row);
                }
            }
        }
    }
}

/// The linear forms of which one must not be zero on a row of a unit that is linearly independent of the rows of `known`.
fn region(layout: &Layout, unit: usize, known: &Matrix) -> Region {
    let form = |coefficients: &Row| {
        let mut row = layout.empty_row();
        layout.add_linear(&mut row, unit, coefficients, false);
        row
    };
    Region(normalized(kernel(known).rows).iter().map(form).collect())
}
