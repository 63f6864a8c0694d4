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
//! For point functions with `f - g <= m` everywhere, `floor(f / s) - floor(g / s) <= ceil(m / s)`. A small `m` above zero costs a diagonal
//! of tiles, as where `S` has `[j, i, j + 1]`. Constants added to the functions of a member, the same ones for all statements, move the
//! borders of tiles: with `[k + 1, i, j]` in place of `[k, i, j]` for all of them, the difference is zero again.

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
        let Some(Largest { gap, share, .. }) = largest_gap(model, band, (tuple, other), size, b)? else {
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

/// Constants for the members of a band with which small differences between functions cost no tiles of this size; zeros where there
/// are none.
pub(super) fn shifts(model: &Model<'_>, band: &Band, size: i64, b: &Budget) -> Outcome<Vec<i64>> {
    // The constant of `behind` is larger than that of `ahead` by at least as much.
    let mut least: Vec<(usize, usize, i64)> = Vec::new();
    for tuple in band.statements() {
        if model.statements[tuple].extent() < band.n() {
            continue;
        }
        for other in band.statements().filter(|other| *other != tuple) {
            if let Some(Largest { gap, most, .. }) = largest_gap(model, band, (tuple, other), size, b)?
                && most < size
            {
                least.push((gap.ahead, gap.behind, most.max(1 - size)));
            }
        }
    }
    let mut shifts = vec![0; band.n()];
    // The longest paths, unless there is a cycle.
    for _ in 0..band.n() {
        for (ahead, behind, least) in &least {
            shifts[*behind] = shifts[*behind].max(shifts[*ahead] + least);
        }
    }
    let holds = |(ahead, behind, least): &(usize, usize, i64)| shifts[*behind] >= shifts[*ahead] + least;
    Ok(match least.iter().all(holds) {
        true => shifts,
        false => vec![0; band.n()],
    })
}

/// A gap, and what it leaves.
struct Largest {
    gap: Gap,
    /// The largest difference of the functions of the other statement.
    most: i64,
    /// About the share of the statement's instances that are in tiles with the gap.
    share: f64,
}

/// About the share of a statement's instances that are in tiles with a gap.
fn share(model: &Model<'_>, band: &Band, tuple: &Tuple, gap: &Gap, size: i64, b: &Budget) -> Outcome<f64> {
    let range = match largest(model.domain(tuple), &difference(band, tuple, gap.ahead, gap.behind), b)? {
        Some(range) => float(&range),
        None => model.longest(tuple),
    };
    Ok(gap.share(size, range))
}

/// By how much a statement's function of one member is larger than that of another.
fn difference(band: &Band, tuple: &Tuple, ahead: usize, behind: usize) -> Aff {
    let function = function_of(band, tuple);
    function.affs()[ahead].sub(&function.affs()[behind])
}

/// The tiles of `own` without those in which two of the statement's functions have values in common, if the values of one are always
/// behind those of the other: for each such pair of members.
pub(super) fn narrowed(
    model: &Model<'_>,
    band: &Band,
    (tuple, own): (&Tuple, &Alone),
    size: i64,
    b: &Budget,
) -> Outcome<Vec<Alone>> {
    let mut narrowed = Vec::new();
    for ahead in 0..band.n() {
        for behind in (0..band.n()).filter(|behind| *behind != ahead) {
            let gap = Gap {
                ahead,
                behind,
                tiles: 1,
            };
            let is_behind = |gap: &Gap| gap.ahead == ahead && gap.behind == behind;
            let most = largest(model.domain(tuple), &difference(band, tuple, behind, ahead), b)?;
            if own.gaps.iter().any(is_behind) || most.is_none_or(|most| most > Int::ZERO) {
                continue;
            }
            narrowed.push(Alone {
                share: own.share * share(model, band, tuple, &gap, size, b)?,
                gaps: own.gaps.iter().cloned().chain([gap]).collect(),
            });
        }
    }
    Ok(narrowed)
}

/// The gap that none of the tiles of `other` has, and most of those of `tuple`.
fn largest_gap(
    model: &Model<'_>,
    band: &Band,
    (tuple, other): (&Tuple, &Tuple),
    size: i64,
    b: &Budget,
) -> Outcome<Option<Largest>> {
    let mut best: Option<Largest> = None;
    for ahead in 0..band.n() {
        for behind in (0..band.n()).filter(|behind| *behind != ahead) {
            let Some(most) = largest(model.domain(other), &difference(band, other, ahead, behind), b)? else {
                continue;
            };
            let (Some(tiles), Some(most)) = (most.div_ceil(&Int::from(size)).to_i64(), most.to_i64()) else {
                continue;
            };
            let gap = Gap {
                ahead,
                behind,
                tiles: tiles + 1,
            };
            let share = share(model, band, tuple, &gap, size, b)?;
            if share > best.as_ref().map_or(0.0, |best| best.share) {
                best = Some(Largest { gap, most, share });
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
