//! How bounds of loops inside of lanes differ from lane to lane.
//!
//! In `for (i) for (j = 0; j < i; j++)` with lanes along `i`, the loop over `j` is *divergent*: its upper bound grows by one from lane to
//! lane. Code for it has iterations of all lanes, and others under masks, of which there are as many as the bounds of the first and
//! the last lane are apart (`emit/src/vector/divergent.rs`).

use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::{Row, dot};
use farkas_polyhedral::sets::Set;

use super::estimate::float;

/// For each loop along a direction in `inside`, by how many iterations its bounds move from lane to lane, where lanes are along `along`: all
/// bounds together, those of all pieces of the domain. `None` if a bound moves by a fraction, if it depends on several of the loops, or if
/// a bound is the greatest or the least of some of which one grows and another one shrinks.
pub(crate) fn slopes(domain: &Set, along: &Row, inside: &[Row]) -> Option<Vec<f64>> {
    let first = 1 + domain.params().len();
    let n = domain.tuple().n();
    let mut slopes = vec![0.0; inside.len()];
    for piece in domain.pieces() {
        if piece.n_vars() != first - 1 + n {
            return None;
        }
        // The moves of the bounds below and above of each loop.
        let mut bounds: Vec<[Int; 2]> = vec![[Int::ZERO, Int::ZERO]; inside.len()];
        let rows = piece.eqs().iter().map(|row| (row, true));
        for (row, is_equality) in rows.chain(piece.ineqs().iter().map(|row| (row, false))) {
            let dims: Row = Row::from(&row[first..first + n]);
            let lane = dot(&dims, along);
            let moves = inside.iter().map(|direction| dot(&dims, direction)).enumerate();
            let mut moves = moves.filter(|(_, by)| !by.is_zero());
            let Some((position, by)) = moves.next().filter(|_| !lane.is_zero()) else {
                continue;
            };
            if is_equality || moves.next().is_some() || !by.abs().is_one() {
                return None;
            }
            let bound = &mut bounds[position][usize::from(by.is_neg())];
            let slope = match by.is_neg() {
                true => lane,
                false => -&lane,
            };
            if !bound.is_zero() && bound.is_neg() != slope.is_neg() {
                return None;
            }
            if slope.abs() > bound.abs() {
                *bound = slope;
            }
        }
        for (slope, [below, above]) in slopes.iter_mut().zip(&bounds) {
            *slope += float(below).abs() + float(above).abs();
        }
    }
    Some(slopes)
}
