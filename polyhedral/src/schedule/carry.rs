//! Rows that carry as many dependences as possible: Feautrier's method (P0, 6.4; Feautrier 1992).
//!
//! This is the way out where there is no permutable band. The pairs of instances that are to be carried are in *groups*,
//! each a disjunct of the constraints from a statement to a statement. For every group `i` there is an unknown `e_i` that
//! is 0 or 1, and the distance has to be at least `e_i`. The leading objective is the number of groups that are not
//! carried, the sum of the `1 - e_i`. Groups of a statement with itself are tried first, and the ones between statements
//! only need to be respected; if that carries nothing, all are tried (P0, 7.6).
//!
//! Wanted are validity and conditioned validity constraints, and coincidence constraints where an outer band has to be
//! coincident: what is carried no longer stands in the way of that. Groups that are the same count once. A row that
//! coalesces loops is searched again with the coefficient that makes it so fixed to zero ([`coalescing`]).
//!
//! The rational optimum has integral `e_i` (Feautrier 1992, lemma 5). Its other unknowns may be fractions; times their
//! common denominator they carry the same groups. Coalescing is looked for in the rational optimum, which is cheap. The
//! integral optimum of what is left has smaller coefficients, and is taken where a limited number of cuts leads to it
//! (P0, 6.4.3 and 7.5.4).
//!
//! For the `S[t] -> T[t]` and `T[t] -> S[t + 1]` of a stencil in two arrays, there are no groups of a statement with
//! itself, and all are carried by `S[t] -> 2 t, T[t] -> 2 t + 1`. The common factor goes ([`unscaled`], P0, 7.1), which
//! leaves `S[t] -> T[t]` to be carried by a sequence.

use super::Options;
use super::band::Subject;
use super::coalescing;
use super::edges::{Edge, Vectors};
use super::graph::{Graph, Open, ScheduleRow};
use super::problem::Layout;
use super::units::{Grouping, Unit};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, content, unit};
use crate::solver::lexmin::{Cuts, LexMin};
use std::collections::{BTreeMap, BTreeSet};

/// Pairs of instances that are carried together or not: an edge between statements with the vectors as validity.
#[derive(Clone, Debug)]
pub(super) struct Group(Edge);

impl Group {
    /// Whether it relates instances of one statement.
    pub(super) fn is_loop(&self) -> bool {
        self.0.is_loop()
    }
}

/// The distinct groups of the constraints `open`.
pub(super) fn groups(graph: &Graph, options: &Options, open: &Open, budget: &Budget) -> Outcome<Vec<Group>> {
    let mut wanted: Vec<(usize, usize, &crate::solver::System)> = Vec::new();
    for dependence in &open.dependences {
        let kinds = dependence.kinds;
        if kinds.validity || (options.outer_coincidence && kinds.coincidence) {
            wanted.push((dependence.source, dependence.target, &dependence.pairs));
        }
    }
    for tagged in &open.conditioned {
        for pairs in &tagged.pairs {
            let group = (tagged.source, tagged.target, pairs);
            if !wanted.contains(&group) {
                wanted.push(group);
            }
        }
    }
    let mut found: BTreeMap<(usize, usize), Vec<Vectors>> = BTreeMap::new();
    for (source, target, pairs) in wanted {
        let mut vectors = Vectors::of_pairs(graph, source, target, pairs, budget)?;
        if options.treat_coalescing && source == target {
            vectors = coalescing::without_size_bounds(graph.n_params, &vectors, &graph.nodes[source].sizes, budget)?;
        }
        found.entry((source, target)).or_default().push(vectors);
    }
    let mut groups = Vec::new();
    for ((source, target), mut all) in found {
        if options.treat_coalescing && source == target {
            // What lies on one line for one of the groups need not be told apart by the others (P0, 7.5.5).
            let lines: BTreeSet<Row> = all.iter().flat_map(|v| v.lines.iter().cloned()).collect();
            all.iter_mut().for_each(|v| v.add_lines(&lines));
        }
        let mut seen: Vec<Vectors> = Vec::with_capacity(all.len());
        for vectors in all {
            if !seen.contains(&vectors) {
                groups.push(Group(Edge::of_vectors(graph, source, target, vectors.clone())));
                seen.push(vectors);
            }
        }
    }
    Ok(groups)
}

/// A row for each of the statements `nodes` (sorted) that carries as many groups of `open`, all of them between these
/// statements, as possible. None if it is impossible to carry any.
pub(super) fn carrying_rows(
    graph: &Graph,
    options: &Options,
    nodes: &[usize],
    edges: &[Edge],
    open: &Open,
    budget: &Budget,
) -> Outcome<Option<Vec<ScheduleRow>>> {
    let grouping = Grouping::Statements(nodes);
    let units: Vec<Unit> = nodes
        .iter()
        .map(|&node| Unit {
            dim: graph.nodes[node].dim,
            base: Vec::new(),
            done: Vec::new(),
            bounds: Vec::new(),
            references: Vec::new(),
        })
        .collect();
    let groups = groups(graph, options, open, budget)?;
    let lift = |groups: &mut dyn Iterator<Item = &Group>| -> Vec<Edge> {
        groups
            .flat_map(|group| grouping.edges(graph.n_params, [&group.0]))
            .collect()
    };
    let search = Search {
        graph,
        options,
        nodes,
        units: &units,
        validity: grouping.edges(graph.n_params, edges),
        conditioned: lift(&mut groups.iter()),
    };
    let orders = if options.carry_self_first {
        [true, false].as_slice()
    } else {
        &[false]
    };
    for &loops_only in orders {
        let mut wanted = groups.iter().filter(|g| !loops_only || g.is_loop());
        if let Some(rows) = search.carry(&lift(&mut wanted), budget)? {
            return Ok(Some(rows));
        }
    }
    Ok(None)
}

/// Rows for the statements `nodes` (sorted) along their dimension `axis` only that carry all of the constraints between
/// them, if there are such rows.
pub(super) fn carries_all_along(
    subject: &Subject,
    nodes: &[usize],
    axis: usize,
    budget: &Budget,
) -> Outcome<Option<Vec<ScheduleRow>>> {
    let graph = subject.graph;
    let open = subject.open.within(|node| nodes.binary_search(&node).is_ok());
    let lifted = groups(graph, subject.options, &open, budget)?
        .iter()
        .flat_map(|group| subject.grouping.edges(graph.n_params, [&group.0]))
        .collect::<Vec<Edge>>();
    let search = Search {
        graph,
        options: subject.options,
        nodes,
        units: &subject.units,
        validity: Vec::new(),
        conditioned: lifted.clone(),
    };
    let dims = subject.units.iter().enumerate();
    let other = |(index, unit): (usize, &Unit)| (0..unit.dim).filter(move |&d| d != axis).map(move |d| (index, d));
    let zero: BTreeSet<(usize, usize)> = dims.flat_map(other).collect();
    let Some(solution) = search.solve(&lifted, &zero, budget)? else {
        return Ok(None);
    };
    let rows = Some(solution.integral(budget)?);
    Ok(rows.filter(|rows| {
        lifted
            .iter()
            .all(|edge| search.carries(std::slice::from_ref(edge), rows))
    }))
}

struct Search<'a> {
    graph: &'a Graph,
    options: &'a Options,
    nodes: &'a [usize],
    units: &'a [Unit],
    /// What has to be respected: the validity constraints,
    validity: Vec<Edge>,
    /// and all groups.
    conditioned: Vec<Edge>,
}

impl Search<'_> {
    /// The rows that carry as many of the groups `wanted` as possible; none if that is no group.
    fn carry(&self, wanted: &[Edge], budget: &Budget) -> Outcome<Option<Vec<ScheduleRow>>> {
        if wanted.is_empty() {
            return Ok(None);
        }
        let mut zero = BTreeSet::new();
        let mut best = None;
        // Every round fixes another coefficient.
        while let Some(solution) = self
            .solve(wanted, &zero, budget)?
            .filter(|solution| self.carries(wanted, &solution.rows))
        {
            let coalesced = self.coalesced(&solution.rows);
            match coalesced.filter(|_| self.options.treat_coalescing) {
                Some(coefficient) => {
                    zero.insert(coefficient);
                    best = Some(solution.rows);
                }
                None => {
                    best = Some(solution.integral(budget)?);
                    break;
                }
            }
        }
        let smaller = |rows: &Vec<ScheduleRow>| {
            let smaller = unscaled(rows);
            (self.options.split_scaled && self.carries(wanted, &smaller)).then_some(smaller)
        };
        Ok(best.map(|rows| smaller(&rows).unwrap_or(rows)))
    }

    /// A unit and a dimension of it whose coefficient makes its row coalescing.
    fn coalesced(&self, rows: &[ScheduleRow]) -> Option<(usize, usize)> {
        rows.iter().enumerate().find_map(|(unit, row)| {
            let sizes = &self.graph.nodes[self.nodes[unit]].sizes;
            Some((unit, coalescing::coalesced(self.graph.n_params, row, sizes)?))
        })
    }

    /// The rational optimum with some coefficients, by unit and dimension, fixed to zero.
    fn solve(
        &self,
        wanted: &[Edge],
        zero: &BTreeSet<(usize, usize)>,
        budget: &Budget,
    ) -> Outcome<Option<Solution<'_>>> {
        let layout = Layout::new(self.graph.n_params, self.units, 1, wanted.len());
        let mut problem = layout.problem();
        let mut sum = layout.empty_row();
        sum[0] = -Int::from(wanted.len());
        layout.add(&mut sum, 0, &Int::ONE);
        for edge in self.validity.iter().chain(&self.conditioned) {
            layout.add_validity(&mut problem, edge);
        }
        for (index, edge) in wanted.iter().enumerate() {
            let carried = layout.own() + index;
            layout.add(&mut sum, carried, &Int::ONE);
            let mut at_most_one = layout.empty_row();
            at_most_one[0] = Int::ONE;
            layout.add(&mut at_most_one, carried, &-Int::ONE);
            problem.add_ineq(&at_most_one);
            for vector in &edge.validity.rays {
                let mut row = layout.empty_row();
                layout.add_distance(&mut row, edge, vector, false);
                layout.add(&mut row, carried, &-&vector[0]);
                problem.add_ineq(&row);
            }
        }
        problem.add_eq(&sum);
        for &(index, dim) in zero {
            let mut row = layout.empty_row();
            layout.add_linear(&mut row, index, &unit(self.units[index].dim, dim), false);
            problem.add_eq(&row);
        }
        Ok(problem.solve_rational(budget)?.map(|point| Solution {
            rows: layout.schedule_rows(&point.numerators),
            is_integral: point.den.is_one(),
            layout,
            problem,
        }))
    }

    /// Whether rows carry any of the groups.
    fn carries(&self, wanted: &[Edge], rows: &[ScheduleRow]) -> bool {
        wanted.iter().any(|edge| {
            let distance = |v| edge.distance(self.graph.n_params, &rows[edge.source], &rows[edge.target], v);
            edge.validity.rays.iter().all(|v| distance(v) >= v[0])
        })
    }
}

/// The rational optimum of an integer program.
struct Solution<'a> {
    /// The rows times the common denominator of the optimum: they carry what the optimum carries.
    rows: Vec<ScheduleRow>,
    is_integral: bool,
    layout: Layout<'a>,
    problem: LexMin,
}

impl Solution<'_> {
    /// The rows of the integral optimum, or the scaled ones where it would take too many cuts to find (P0, 6.4.3).
    fn integral(mut self, budget: &Budget) -> Outcome<Vec<ScheduleRow>> {
        if self.is_integral {
            return Ok(self.rows);
        }
        Ok(match self.problem.solve_by_cuts(budget)? {
            Cuts::Point(point) => self.layout.schedule_rows(&point),
            Cuts::Empty | Cuts::Fractional => self.rows,
        })
    }
}

/// The rows divided by the common factor of all coefficients but the constants, which are rounded down (P0, 7.1). No
/// distance becomes negative, but one that came from constants alone may become zero.
fn unscaled(rows: &[ScheduleRow]) -> Vec<ScheduleRow> {
    let factor = rows.iter().fold(Int::ZERO, |gcd, row| gcd.gcd(&content(&row[1..])));
    if factor <= 1 {
        return rows.to_vec();
    }
    rows.iter()
        .map(|row| row.iter().map(|a| a.div_floor(&factor)).collect())
        .collect()
}
