//! Rows that carry as many dependences as possible: Feautrier's method (P0, 6.4; Feautrier 1992).
//!
//! This is the way out where there is no permutable band. For every validity dependence `i` (one disjunct) that is to be
//! carried there is an unknown `e_i` that is 0 or 1, and the distance has to be at least `e_i`. The leading objective is
//! the number of dependences that are not carried, the sum of the `1 - e_i`. Dependences of a statement on itself are
//! tried first, and the ones between statements only need to be respected; if that carries nothing, all are tried
//! (P0, 7.6).

use super::band::Band;
use super::edges::{Edge, Vectors};
use super::graph::{Dependence, Graph, ScheduleRow};
use super::problem::Layout;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::content;

/// A band of one member for the statements `nodes` (sorted) that carries as many of the validity constraints among
/// `dependences`, all of them between these statements, as possible. None if it is impossible to carry any.
pub(super) fn carrying_band(
    graph: &Graph,
    nodes: &[usize],
    edges: &[&Edge],
    dependences: &[&Dependence],
    budget: &Budget,
) -> Outcome<Option<Band>> {
    for loops_only in [true, false] {
        let wanted: Vec<&Dependence> = dependences
            .iter()
            .copied()
            .filter(|d| d.kinds.validity && (!loops_only || d.source == d.target))
            .collect();
        if let Some(rows) = carry(graph, nodes, edges, &wanted, budget)? {
            let mut band = Band::default();
            band.push(graph.n_params, nodes, edges, rows);
            return Ok(Some(band));
        }
    }
    Ok(None)
}

/// The rows that carry as many of the dependences `wanted` as possible; none if that is no dependence.
fn carry(
    graph: &Graph,
    nodes: &[usize],
    edges: &[&Edge],
    wanted: &[&Dependence],
    budget: &Budget,
) -> Outcome<Option<Vec<ScheduleRow>>> {
    if wanted.is_empty() {
        return Ok(None);
    }
    let layout = Layout::new(graph, nodes, 1, wanted.len());
    let mut problem = layout.problem();
    let mut sum = layout.empty_row();
    sum[0] = -Int::from(wanted.len());
    layout.add(&mut sum, 0, &Int::ONE);
    for edge in edges {
        layout.add_validity(&mut problem, edge);
    }
    let mut wanted_edges = Vec::with_capacity(wanted.len());
    for (index, dependence) in wanted.iter().enumerate() {
        let carried = layout.own() + index;
        layout.add(&mut sum, carried, &Int::ONE);
        let mut at_most_one = layout.empty_row();
        at_most_one[0] = Int::ONE;
        layout.add(&mut at_most_one, carried, &-Int::ONE);
        problem.add_ineq(&at_most_one);
        let edge = Edge::of_vectors(dependence, Vectors::of(graph, dependence, budget)?);
        for vector in &edge.validity.rays {
            let mut row = layout.empty_row();
            layout.add_distance(&mut row, &edge, vector, false);
            layout.add(&mut row, carried, &-&vector[0]);
            problem.add_ineq(&row);
        }
        wanted_edges.push(edge);
    }
    problem.add_eq(&sum);
    let Some(solution) = problem.solve(budget)? else {
        return Ok(None);
    };
    let carries = |rows: &[ScheduleRow]| {
        let row = |node: usize| &rows[nodes.binary_search(&node).expect("a statement of the band")];
        wanted_edges.iter().any(|edge| {
            let distance = |v| edge.distance(graph.n_params, row(edge.source), row(edge.target), v);
            edge.validity.rays.iter().all(|v| distance(v) >= v[0])
        })
    };
    let rows = layout.schedule_rows(&solution);
    let smaller = unscaled(&rows);
    Ok([smaller, rows].into_iter().find(|rows| carries(rows)))
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
