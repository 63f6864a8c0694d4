//! Arrays on the stack that LLVM promotes to registers (scalar replacement of aggregates).
//!
//! It does so where all subscripts are constants once it has unrolled the loops whose counters are in them:
//!
//! ```text
//! for (p) {
//!   for (i < 5) v[i] = f[i][p];
//!   for (i < 4) for (j < 4 - i) if (v[j] > v[j + 1]) swap(v[j], v[j + 1]);
//!   o[p] = v[2];
//! }
//! ```
//!
//! Each iteration of `p` has a copy of `v` then, as of any scalar.

use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::program::{Array, ArrayKind, Program};
use farkas_polyhedral::sets::Tuple;

use super::estimate::constant_ranges;
use super::linear::{LinearAccess, Statements};

/// The arrays on the stack all of whose subscripts depend on nothing but counters between constants. Whether LLVM unrolls these loops is another
/// question.
pub(crate) fn promotable(program: &Program, statements: &Statements) -> Vec<Tuple> {
    // Sizes of outermost dimensions are known of variables on the stack.
    let is_variable = |array: &Array| array.kind == ArrayKind::Temporary || array.outermost_size.is_some();
    let variables = program.arrays.iter().filter(|(_, array)| is_variable(array));
    let mut promotable: Vec<Tuple> = variables.map(|(tuple, _)| tuple.clone()).collect();
    for statement in &program.statements {
        if promotable.is_empty() {
            break;
        }
        let ranges = constant_ranges(&statement.domain);
        let is_constant = |access: &LinearAccess| has_constant_subscripts(access, &ranges);
        let accesses = &statements[statement.tuple()].accesses;
        promotable.retain(|array| {
            let mut own = accesses.iter().filter(|access| access.array == *array);
            own.all(is_constant)
        });
    }
    promotable
}

/// Whether the subscripts of an access are affine and have only dimensions of known ranges in them.
fn has_constant_subscripts(access: &LinearAccess, ranges: &[Option<f64>]) -> bool {
    let is_constant = |row: &Row| {
        let mut dims = row.iter().zip(ranges);
        dims.all(|(factor, range)| factor.is_zero() || range.is_some())
    };
    let of_parameters = |k: usize| !access.parameters(k).is_empty();
    access.subscripts().is_some_and(|rows| {
        let is_plain = |(k, row): (usize, &Row)| !of_parameters(k) && is_constant(row);
        !access.is_in_pieces && rows.iter().enumerate().all(is_plain)
    })
}
