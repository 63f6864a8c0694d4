//! Arrays of which the threads of a block share tiles, in memory on the chip (P0 section 5.3).
//!
//! In a register tile, all threads along one member read the same element. What a block reads in a strip of its sequential loop is loaded
//! from memory once, by all of its threads together, and read from shared memory as often as there are threads:
//!
//! ```text
//! blocks(2)   [i/64, j/64]
//!               [k/16]
//!                 pack(A, A.S)       threads copy A[64 i' .. + 63][16 k' .. + 15]
//!                   pack(B, B.S)     threads copy B[16 k' .. + 15][64 j' .. + 63]
//!                     [k]
//!                       [i/16, j/16]   unrolled
//! threads(16 16)          [i, j]
//! ```
//!
//! Threads wait for each other around the copies.

use farkas_polyhedral::program::{AccessKind, ArrayKind, Program};
use farkas_polyhedral::sets::{Name, Tuple};

use crate::analysis::linear::affine_subscripts;

/// The arrays that a statement reads one element of, and does not write, whose subscripts are dimensions of the statement up to a
/// distance. There are two or more, as threads have two dimensions.
pub(super) fn arrays(program: &Program, tuple: &Tuple) -> Vec<Name> {
    let Some(id) = program.find_statement(tuple) else {
        return Vec::new();
    };
    let statement = program.statement(id);
    let mut found = Vec::new();
    for access in &statement.accesses {
        let array = access.array();
        let mut own = statement.accesses.iter().filter(|other| other.array() == array);
        let is_alone = own.next().is_some() && own.next().is_none();
        let is_in_memory = program
            .arrays
            .get(array)
            .is_some_and(|array| array.kind == ArrayKind::Memory);
        let is_read = access.kind == AccessKind::Read;
        if is_alone && is_in_memory && is_read && array.n() >= 2 && has_dims_as_subscripts(&access.relation) {
            found.push(array.name().expect("an array has a name").clone());
        }
    }
    found
}

/// Whether each subscript is a dimension of its own, up to a constant.
fn has_dims_as_subscripts(relation: &farkas_polyhedral::sets::Map) -> bool {
    let Some(subscripts) = affine_subscripts(relation) else {
        return false;
    };
    let mut dims = Vec::new();
    subscripts.iter().all(|(linear, constant)| {
        let mut factors = linear.iter().enumerate().filter(|(_, factor)| !factor.is_zero());
        match (factors.next(), factors.next()) {
            (Some((dim, factor)), None) if factor.is_one() && constant.to_i64().is_some() && !dims.contains(&dim) => {
                dims.push(dim);
                true
            }
            _ => false,
        }
    })
}
