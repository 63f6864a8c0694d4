//! Concurrent start: diamond tiling (Bandishti et al., *Tiling stencil computations to maximize parallelism*, 2012).
//!
//! The tiles of a band that has no coincident member can only be started one after the other along some wavefront, at
//! first very few at a time. If all dependences have a distance of at least 1 along a face `f` of the iteration space,
//! such as the time of a stencil, all instances on the face could start at the same time. Tiles can as well, if `f` is a
//! combination of all members with positive factors:
//!
//! ```text
//! l f = l_1 h_1 + .. + l_n h_n,   l, l_1, .., l_n >= 1.
//! ```
//!
//! A member that is in the way is replaced by another `h = l f - (the other l_i h_i)`, found by the integer program of
//! [`band`](super::band) with the `l` as further unknowns, the same for all statements.
//!
//! For `S[t, i] -> S[t + 1, i - 1 .. i + 1]` the band is `(t, t + i)`. The face `t` is not a positive combination of
//! both, but `2 t = (t + i) + (t - i)`: the band becomes `(t - i, t + i)`, whose tiles are diamonds, and the sum of whose
//! members is a wavefront on which all tiles are parallel from the start.

use super::band::Subject;
use super::carry::carries_all_along;
use super::graph::ScheduleRow;
use super::problem::Layout;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Matrix, Row, rank};
use std::collections::BTreeSet;

/// The members of a band of statements with one of them replaced so that tiles can start concurrently. None if they can
/// as it is, or if there is no way.
pub(super) fn with_concurrent_start(
    subject: &Subject,
    nodes: &[usize],
    members: &[Vec<ScheduleRow>],
    budget: &Budget,
) -> Outcome<Option<Vec<Vec<ScheduleRow>>>> {
    let first = 1 + subject.graph.n_params;
    let dims = nodes.iter().map(|&node| subject.graph.nodes[node].dim);
    let shallowest = dims.clone().min().unwrap_or(0);
    for axis in 0..shallowest {
        let Some(face) = carries_all_along(subject, nodes, axis, budget)? else {
            continue;
        };
        for evicted in 0..members.len() {
            let kept: Vec<&Vec<ScheduleRow>> = members
                .iter()
                .enumerate()
                .filter(|(k, _)| *k != evicted)
                .map(|(_, m)| m)
                .collect();
            let independent = (0..nodes.len()).all(|unit| {
                let dim = subject.units[unit].dim;
                let rows: Vec<Row> = kept.iter().map(|m| Row::from(&m[unit][first..])).collect();
                let with_face = [rows.clone(), vec![Row::from(&face[unit][first..])]].concat();
                rank(&Matrix::new(with_face, dim)) > rank(&Matrix::new(rows, dim))
            });
            if !independent {
                continue;
            }
            if let Some(member) = replacement(subject, &face, &kept, budget)? {
                let mut members = members.to_vec();
                members[evicted] = member;
                return Ok(Some(members));
            }
        }
    }
    Ok(None)
}

/// A member that makes `face` a positive combination of it and the members `kept`.
fn replacement(
    subject: &Subject,
    face: &[ScheduleRow],
    kept: &[&Vec<ScheduleRow>],
    budget: &Budget,
) -> Outcome<Option<Vec<ScheduleRow>>> {
    let n_params = subject.graph.n_params;
    let first = 1 + n_params;
    let factors = 1 + kept.len();
    let layout = Layout::new(n_params, &subject.units, 2, 2 * n_params + factors);
    let mut problem = subject.valid_and_close(&layout);
    let factor = |k: usize| layout.own() + 2 * n_params + k;
    for k in 0..factors {
        let mut row = layout.empty_row();
        row[0] = -Int::ONE;
        layout.add(&mut row, factor(k), &Int::ONE);
        problem.add_ineq(&row);
    }
    for (unit, face) in face.iter().enumerate() {
        for dim in 0..subject.units[unit].dim {
            // h - l f + sum of l_i h_i = 0.
            let mut row = layout.empty_row();
            let axis = crate::linalg::unit(subject.units[unit].dim, dim);
            layout.add_linear(&mut row, unit, &axis, false);
            layout.add(&mut row, factor(0), &-&face[first + dim]);
            for (k, member) in kept.iter().enumerate() {
                layout.add(&mut row, factor(1 + k), &member[unit][first + dim]);
            }
            problem.add_eq(&row);
        }
    }
    let Some(solution) = problem.solve(budget)? else {
        return Ok(None);
    };
    let rows = layout.schedule_rows(&solution);
    let members: Vec<Vec<ScheduleRow>> = kept.iter().copied().chain([&rows]).cloned().collect();
    let moves_ranges = !subject
        .conditions_violated_by(&members, &BTreeSet::new(), budget)?
        .is_empty();
    Ok((!moves_ranges).then_some(rows))
}
