//! Tiles of a band in which one statement is executed only.
//!
//! A *gap* is a condition on a tile: its coordinate in one member is some tiles ahead of the one in another member. In the band
//! `[k, i, j]` of a factorization
//!
//! ```text
//! S[i, j]    -> [j, i, j]    A[i][j] /= A[j][j]                 j < i
//! T[i, j, k] -> [k, i, j]    A[i][j] -= A[i][k] * A[k][j]       k < j
//! ```
//!
//! members `j` and `k` of `S` are the same. In tiles of one size, all instances of `S` are in tiles whose coordinates in `j` and `k`
//! are the same, too. Where `j` is a tile or more ahead of `k`, there is only `T`: most tiles are full ones of `T`.
//!
//! For point functions with `f - g <= m` everywhere, `floor(f / s) - floor(g / s) <= ceil(m / s)`.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::zeros;
use farkas_polyhedral::sets::{Aff, Set, Tuple};
use farkas_polyhedral::solver::lp::{self, Optimum};
use farkas_polyhedral::tree::Band;

use crate::analysis::estimate::float;
use crate::cost::Model;
use crate::transform::function_of;
use crate::transform::tile_separation::Gap;

/// The tiles of one statement only.
#[derive(Clone, Debug)]
pub(super) struct Alone {
    pub(super) gaps: Vec<Gap>,
    /// About the share of the statement's instances that are in them.
    pub(super) share: f64,
}

/// Conditions on tiles of this size in each member under which a tile has instances of one statement of the band only, if there
/// are such conditions.
pub(super) fn alone(model: &Model<'_>, band: &Band, tuple: &Tuple, size: i64, b: &Budget) -> Outcome<Option<Alone>> {
    let mut found = Alone {
        gaps: Vec::new(),
        share: 1.0,
    };
    for other in band.statements().filter(|other| *other != tuple) {
        let Some((gap, share)) = largest_gap(model, band, (tuple, other), size, b)? else {
            return Ok(None);
        };
        if found.gaps.contains(&gap) {
            continue;
        }
        found.share *= share;
        found.gaps.push(gap);
    }
    Ok((!found.gaps.is_empty()).then_some(found))
}

/// The gap that none of the tiles of `other` has, and most of those of `tuple`; with the share of the latter's instances.
fn largest_gap(
    model: &Model<'_>,
    band: &Band,
    (tuple, other): (&Tuple, &Tuple),
    size: i64,
    b: &Budget,
) -> Outcome<Option<(Gap, f64)>> {
    let mut best: Option<(Gap, f64)> = None;
    for ahead in 0..band.n() {
        for behind in (0..band.n()).filter(|behind| *behind != ahead) {
            let difference = |tuple: &Tuple| {
                let function = function_of(band, tuple);
                function.affs()[ahead].sub(&function.affs()[behind])
            };
            let Some(most) = largest(model.domain(other), &difference(other), b)? else {
                continue;
            };
            let Some(tiles) = most.div_ceil(&Int::from(size)).to_i64() else {
                continue;
            };
            let gap = Gap {
                ahead,
                behind,
                tiles: tiles + 1,
            };
            let range = match largest(model.domain(tuple), &difference(tuple), b)? {
                Some(range) => float(&range),
                None => model.longest(tuple),
            };
            let lost = size as f64 * (gap.tiles as f64 - 0.5).max(0.0) / range.max(1.0);
            // In a triangle or a simplex, the instances with a small difference are those at its long side.
            let share = (1.0 - lost).max(0.0).powi(2);
            if share > best.as_ref().map_or(0.0, |(_, share)| *share) {
                best = Some((gap, share));
            }
        }
    }
    Ok(best)
}

/// The largest value of a function on a set, for all parameters; `None` if there is none.
fn largest(set: &Set, function: &Aff, b: &Budget) -> Outcome<Option<Int>> {
    if !function.divs().is_empty() || !function.den().is_one() {
        return Ok(None);
    }
    let params = set.params().union(&function.space().params);
    let (set, function) = (set.align_params(&params), function.align_params(&params));
    let mut most: Option<Int> = None;
    for piece in set.pieces() {
        let system = piece.system();
        let mut row = zeros(1 + system.n);
        for (column, coefficient) in function.row().iter().enumerate() {
            row[column] = -coefficient;
        }
        match lp::minimize(&system, &row, b)? {
            Optimum::Finite { num, den } => {
                let own = (-num).div_floor(&den);
                most = Some(most.map_or(own.clone(), |most| most.max(own)));
            }
            Optimum::Empty => {}
            Optimum::Unbounded => return Ok(None),
        }
    }
    Ok(most)
}
