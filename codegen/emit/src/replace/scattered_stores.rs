//! Loops whose stores are apart from each other.
//!
//! LLVM vectorizes them where the processor scatters a vector, which takes longer than scalar code does. (Measured on Zen 4: costs of
//! matrix chains, diagonal by diagonal, 5.8 cycles an instance, and 3.4 as scalar code.) The cost model takes them for scalar code, so
//! that is what they are.

use farkas_polyhedral::ast::{Call, For, IterId};
use farkas_polyhedral::int::Int;

use super::Emitter;
use super::subtree::calls;
use crate::subscripts::Moves;
use crate::vector::stride;

/// LLVM shuffles stores together that are fewer elements apart.
const TOGETHER: i64 = 8;

impl Emitter<'_, '_, '_> {
    /// Whether a statement in an innermost loop stores to elements that are far apart from iteration to iteration.
    pub(super) fn scatters(&self, node: &For) -> bool {
        calls(&node.body).into_iter().any(|call| {
            if let Some(buffer) = self.copied_into(call) {
                return buffer.is_transposed();
            }
            let name = &self.statement_of(call).name;
            self.subscripts
                .writes(name)
                .any(|store| is_apart(store, call, node.iter))
        })
    }
}

/// Whether the accessed element is not in the neighbourhood of the one in the iteration before.
fn is_apart(moves: &Moves, call: &Call, iter: IterId) -> bool {
    let step = |coefficients: &Vec<Int>| {
        let moves = coefficients.iter().zip(&call.arguments);
        moves
            .map(|(coefficient, argument)| coefficient.to_i64()?.checked_mul(stride(argument, iter)?))
            .sum::<Option<i64>>()
    };
    let Some((last, outer)) = moves.split_last() else {
        return false;
    };
    let moves = |coefficients: &Vec<Int>| step(coefficients).is_some_and(|step| step != 0);
    outer.iter().any(moves) || step(last).is_some_and(|step| step.abs() >= TOGETHER)
}
