//! The check of expanded scalars.
//!
//! An order is checked over the program with arrays in place of scalar slots. That is the program itself only if, in the original order, each
//! read finds in its element what it found in the slot: the same writes may be what it reads, and none from before the program. As a may-write
//! leaves what was there, reads of a value that several writes may have written find these in the same order in both.
//!
//! Example: in `for (i) { S: if (c[i]) s = x[i]; T: y[i] = s; }` an element of `s` for each `i` is refused, as `T` reads what an earlier iteration
//! has left where the condition is false.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::program::{Expansion, Program};
use farkas_polyhedral::sets::Tuple;

use super::{Checked, Refusal, lives_on};
use crate::dependences::ByArray;

/// Whether the slots of a program, of which `before` has the value-based dependences, have the same values in arrays, of which `after` has those.
pub(crate) fn check_values(
    program: &Program,
    expansions: &[Expansion],
    (before, after): (&ByArray, &ByArray),
    b: &Budget,
) -> Outcome<Checked> {
    for expansion in expansions {
        let refuse = |wrong| {
            let array = expansion.slot.clone();
            Ok(Err(Box::new(Refusal::Expansion { array, wrong })))
        };
        let slot = Tuple::new(expansion.slot.as_str(), 0);
        let (Some(of_slot), Some(of_array)) = (before.arrays().get(&slot), after.arrays().get(&expansion.array()))
        else {
            return refuse("it is no scalar that the program accesses");
        };
        if !of_slot.live_in.is_empty(b)? {
            return refuse("a value comes from before the program");
        }
        if lives_on(program, &slot, b)? {
            return refuse("a value may be used after the program");
        }
        if !of_slot.flow.is_equal(&of_array.flow, b)? {
            return refuse("a read finds another value");
        }
    }
    Ok(Ok(()))
}
