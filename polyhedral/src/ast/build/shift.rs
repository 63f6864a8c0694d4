//! Shifted strides: statements that have the same stride with different offsets (P1 section 5.8).
//!
//! In `{ A[i] -> [2i]; B[i] -> [2i + 1] }` the values of each statement have the stride 2, all of them together none. The schedule
//! `{ A[i] -> [2i, 0]; B[i] -> [2i, 1] }` gives the same order, and a loop of step 2 without conditions.

use crate::ast::build::executed::{Executed, as_map};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::sets::{Map, Set};

/// The most ways to start counting offsets that are tried.
const MAX_STARTS: usize = 4;

/// The executed relation with another dimension after dimension `depth`, which has the offset of each statement, that is taken
/// off dimension `depth`; `None` where there is no common stride, or all statements have the same offset.
///
/// Offsets count from that of some statement, which decides which values end up in the same iteration: the one is taken for
/// which the values of all statements are described by the fewest conjunctions, and by the fewest different ones.
pub(super) fn shifted(executed: &Executed, depth: usize, b: &Budget) -> Outcome<Option<Executed>> {
    let Some((modulus, offsets)) = offsets(executed, depth, b)? else {
        return Ok(None);
    };
    let mut starts: Vec<&Int> = Vec::new();
    offsets.iter().for_each(|offset| {
        if !starts.contains(&offset) {
            starts.push(offset);
        }
    });
    let mut best: Option<((usize, usize), Executed)> = None;
    for start in starts.iter().take(MAX_STARTS) {
        let own: Vec<Int> = offsets
            .iter()
            .map(|offset| (offset - *start).mod_floor(&modulus))
            .collect();
        let shifted = executed.shifted(depth + 1, &own, b)?;
        let parts = shifted.shadow(depth + 1, b)?.coalesce(b)?.pieces().len();
        let mut different: Vec<Set> = Vec::new();
        for shadow in shifted.shadows(depth + 1, b)? {
            if different.iter().all(|other| !other.is_plainly_equal(&shadow)) {
                different.push(shadow);
            }
        }
        let cost = (parts, different.len());
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, shifted));
        }
    }
    Ok(best.map(|(_, shifted)| shifted))
}

/// The common stride of dimension `depth`, and the offset of each statement relative to one of them.
fn offsets(executed: &Executed, depth: usize, b: &Budget) -> Outcome<Option<(Int, Vec<Int>)>> {
    if executed.relations().len() < 2 {
        return Ok(None);
    }
    let mut values: Vec<Map> = Vec::with_capacity(executed.relations().len());
    for index in 0..executed.relations().len() {
        values.push(as_map(&executed.select(&[index]).domain(depth + 1, b)?));
    }
    // A statement with one value only says nothing about strides.
    let Some(base) = values.iter().position(|map| map.plain_fixed_range_dim(0).is_none()) else {
        return Ok(None);
    };
    let mut modulus = Int::ZERO;
    let mut offsets = Vec::with_capacity(values.len());
    for other in &values {
        let differences = values[base].reverse().apply_range(other, b)?.deltas(b)?;
        let stride = differences.stride(0, b)?;
        let Some(offset) = stride.offset.as_constant() else {
            return Ok(None);
        };
        modulus = modulus.gcd(&stride.stride);
        if modulus.is_one() {
            return Ok(None);
        }
        offsets.push(offset);
    }
    if modulus.is_zero() {
        return Ok(None);
    }
    offsets
        .iter_mut()
        .for_each(|offset| *offset = offset.mod_floor(&modulus));
    if offsets.iter().all(|offset| *offset == offsets[0]) {
        return Ok(None);
    }
    // The base may have no values where others do: all pairs have to agree.
    for (one, offset) in values.iter().zip(&offsets) {
        for (other, other_offset) in values.iter().zip(&offsets) {
            let differences = one.reverse().apply_range(other, b)?.deltas(b)?;
            if differences.is_empty(b)? {
                continue;
            }
            let stride = differences.stride(0, b)?;
            let expected = (other_offset - offset).mod_floor(&modulus);
            let found = stride.offset.as_constant().map(|found| found.mod_floor(&modulus));
            if !stride.stride.divisible_by(&modulus) || found != Some(expected) {
                return Ok(None);
            }
        }
    }
    Ok(Some((modulus, offsets)))
}
