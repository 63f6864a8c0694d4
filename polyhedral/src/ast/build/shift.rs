//! Shifted strides: statements that have the same stride with different offsets (P1 section 5.8).
//!
//! In `{ A[i] -> [2i]; B[i] -> [2i + 1] }` the values of each statement have the stride 2, all of them together none. The schedule
//! `{ A[i] -> [2i, 0]; B[i] -> [2i, 1] }` gives the same order, and a loop of step 2 without conditions.

use crate::ast::build::executed::Executed;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::sets::{Map, MapSpace, Set, Tuple};

/// What to take off dimension `depth` of each statement and to order them by instead, so that there is a common stride; `None`
/// where there is none, or they have it already.
pub(super) fn offsets(executed: &Executed, depth: usize, b: &Budget) -> Outcome<Option<Vec<Int>>> {
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
    offsets.iter_mut().for_each(|offset| *offset = offset.mod_floor(&modulus));
    let differ = offsets.iter().any(|offset| *offset != offsets[0]);
    Ok(differ.then_some(offsets))
}

/// The set as a relation from all dimensions but the last to the last.
pub(super) fn as_map(set: &Set) -> Map {
    let space = MapSpace::new(
        set.params().clone(),
        Tuple::anonymous(set.n_dims() - 1),
        Tuple::anonymous(1),
    );
    Map::from_conjs(space, set.pieces().to_vec())
}
