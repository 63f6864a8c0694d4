//! Permutable bands: Pluto's method (P0, 6.5; Bondhugula et al. 2008).
//!
//! The members of a band are found one after the other, each as the solution of an integer program under the same
//! dependences, so that no member ever has a negative distance and the members may be permuted. Apart from what
//! [`problem`](super::problem) describes, a program has the unknowns `m0` and `m = m+ - m-`: the distances of pairs that
//! should be close have to be at most `m.n + m0`, and the leading objectives are the sum of the `m+` and `m-`, and `m0`.
//! As long as it is possible, all pairs that should coincide do. A member has to be linearly independent of the ones
//! before for the statements that lack the most rows; the other ones will have to have some dependent rows anyway.

use super::Options;
use super::edges::Edge;
use super::graph::{Graph, ScheduleRow};
use super::problem::Layout;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Matrix, Row, combine, kernel, negate, normalize_by_gcd};
use crate::solver::lexmin::LexMin;
use crate::solver::non_trivial::{Region, non_trivial_lexmin};

/// Some members that schedule some statements.
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

    /// Adds a member, working out whether it is coincident.
    pub(super) fn push(&mut self, n_params: usize, nodes: &[usize], edges: &[&Edge], rows: Vec<ScheduleRow>) {
        let position = |node: usize| nodes.binary_search(&node).expect("a statement of the band");
        let coincident = edges
            .iter()
            .all(|e| e.coincides(n_params, &rows[position(e.source)], &rows[position(e.target)]));
        self.members.push(rows);
        self.coincident.push(coincident);
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

/// A band for the statements `nodes` (sorted), as long as possible, given the linear parts of the rows that every
/// statement has been scheduled by already. It has no members if there is no valid row, or if all statements are fully
/// scheduled.
pub(super) fn permutable_band(
    graph: &Graph,
    options: &Options,
    nodes: &[usize],
    edges: &[&Edge],
    done: &[Vec<Row>],
    budget: &Budget,
) -> Outcome<Band> {
    let n_params = graph.n_params;
    let layout = Layout::new(graph, nodes, 2, 2 * n_params);
    let mut rows: Vec<Vec<Row>> = nodes.iter().map(|&node| done[node].clone()).collect();
    let mut band = Band::default();
    let any_coincidence = edges.iter().any(|e| !e.coincidence.is_empty());
    let (mut coincidence, mut proximity) = (any_coincidence, true);
    let mut problem = band_problem(&layout, options, n_params, edges, coincidence, proximity);
    loop {
        let missing: Vec<usize> = nodes
            .iter()
            .zip(&rows)
            .map(|(&node, rows)| graph.nodes[node].missing(rows))
            .collect();
        let most = missing.iter().copied().max().unwrap_or(0);
        if most == 0 {
            return Ok(band);
        }
        let regions: Vec<Region> = (0..nodes.len())
            .filter(|&p| missing[p] == most)
            .map(|p| region(&layout, nodes[p], &graph.nodes[nodes[p]].known(&rows[p])))
            .collect();
        match non_trivial_lexmin(&mut problem, &regions, 2, budget)? {
            Some(solution) => {
                let new = layout.schedule_rows(&solution);
                for (rows, row) in rows.iter_mut().zip(&new) {
                    rows.push(Row::from(&row[1 + n_params..]));
                }
                band.push(n_params, nodes, edges, new);
            }
            None if coincidence => {
                if band.members.is_empty() && options.outer_coincidence {
                    return Ok(band);
                }
                coincidence = false;
                problem = band_problem(&layout, options, n_params, edges, coincidence, proximity);
            }
            // There may be no common bound on all distances (P0, 6.6.3).
            None if proximity && band.members.is_empty() => {
                (coincidence, proximity) = (any_coincidence, false);
                problem = band_problem(&layout, options, n_params, edges, coincidence, proximity);
            }
            None => return Ok(band),
        }
    }
}

/// The integer program for a member.
fn band_problem(
    layout: &Layout,
    options: &Options,
    n_params: usize,
    edges: &[&Edge],
    coincidence: bool,
    proximity: bool,
) -> LexMin {
    let mut problem = layout.problem();
    layout.add_bounds(&mut problem, options);
    let mut sum = layout.empty_row();
    layout.add(&mut sum, 0, &Int::ONE);
    for part in 0..2 * n_params {
        layout.add(&mut sum, layout.own() + part, &-Int::ONE);
    }
    problem.add_eq(&sum);
    if coincidence {
        for edge in edges {
            for vector in &edge.coincidence {
                let mut row = layout.empty_row();
                layout.add_distance(&mut row, edge, vector, false);
                problem.add_eq(&row);
            }
        }
    }
    for edge in edges {
        layout.add_validity(&mut problem, edge);
        if !proximity {
            continue;
        }
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
    problem
}

/// The linear forms of which one must not be zero on a row that is linearly independent of the rows of `known`.
fn region(layout: &Layout, node: usize, known: &Matrix) -> Region {
    let form = |coefficients: &Row| {
        let mut row = layout.empty_row();
        layout.add_linear(&mut row, node, coefficients, false);
        row
    };
    Region(independence_forms(known).iter().map(form).collect())
}

/// A basis of the linear forms that are zero on all rows of `known`, each with as many final zeros as possible and a
/// positive first entry; the ones with more final zeros come first (P0, 6.5.6).
fn independence_forms(known: &Matrix) -> Vec<Row> {
    let mut rows = kernel(known).rows;
    let mut settled = 0;
    for column in (0..known.cols).rev() {
        let open = rows.len() - settled;
        let pivot = (0..open)
            .filter(|&i| !rows[i][column].is_zero())
            .min_by(|&i, &j| rows[i][column].abs().cmp(&rows[j][column].abs()));
        let Some(pivot) = pivot else { continue };
        rows[..open].swap(pivot, open - 1);
        let (pivot, p) = (rows[open - 1].clone(), rows[open - 1][column].clone());
        for (i, row) in rows.iter_mut().enumerate() {
            if i != open - 1 && !row[column].is_zero() {
                *row = combine(&p, row, &-&row[column], &pivot);
                normalize_by_gcd(row);
            }
        }
        settled += 1;
    }
    for row in &mut rows {
        if row.iter().find(|v| !v.is_zero()).is_some_and(Int::is_neg) {
            negate(row);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::row_from;

    #[test]
    fn forms_of_linear_independence() {
        assert_eq!(independence_forms(&Matrix::new(vec![], 3)), Matrix::identity(3).rows);
        // P0, example 11.
        let known = Matrix::from_rows(&[&[4, 2, 1]], 3);
        assert_eq!(
            independence_forms(&known),
            [row_from(&[1, -2, 0]), row_from(&[1, 0, -4])]
        );
        let known = Matrix::from_rows(&[&[4, 2, 1], &[1, 0, 0]], 3);
        assert_eq!(independence_forms(&known), [row_from(&[0, 1, -2])]);
    }
}
