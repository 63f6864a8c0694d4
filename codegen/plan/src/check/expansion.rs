//! The check of expanded scalars and arrays.
//!
//! An order is checked over the program with arrays in place of scalar slots, and with copies of arrays. That is the program itself only if, in the
//! original order, each read finds in its element what it found in the slot: the same writes may be what it reads, and none from before the program.
//! As a may-write leaves what was there, reads of a value that several writes may have written find these in the same order in both.
//!
//! Example: in `for (i) { S: if (c[i]) s = x[i]; T: y[i] = s; }` an element of `s` for each `i` is refused, as `T` reads what an earlier iteration
//! has left where the condition is false.
//!
//! What an array has after the program is copied from one copy: of all elements that are left with a value, an interval, that has to be the copy of
//! the instance that wrote it last.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::{AccessKind, Copies, Expansion, LastValues, Program};
use farkas_polyhedral::sets::{Aff, MultiAff, PwAff, Set, SetSpace, Tuple};
use indexmap::IndexMap;

use super::{Checked, Refusal, live_out};
use crate::analysis::bounds::{self, difference, from};
use crate::dependences::ByArray;

/// Whether the slots and arrays of a program, of which `before` has the value-based dependences, have the same values in what stands for them, of
/// which `after` has those.
pub(crate) fn check_values(
    program: &Program,
    assumptions: &Set,
    expansions: &[Expansion],
    (before, after): (&ByArray, &ByArray),
    b: &Budget,
) -> Outcome<Checked> {
    let known = assumptions.intersect(&program.context);
    for expansion in expansions {
        let refuse = |wrong| {
            let array = expansion.of.name().expect("an array has a name").clone();
            Ok(Err(Box::new(Refusal::Expansion { array, wrong })))
        };
        let (Some(of_slot), Some(of_array)) = (
            before.arrays().get(&expansion.of),
            after.arrays().get(&expansion.array()),
        ) else {
            return refuse("the program does not access it");
        };
        if !of_slot.live_in.intersect_params(&known).is_empty(b)? {
            return refuse("a value comes from before the program");
        }
        let last = expansion.copies.as_ref().and_then(|copies| copies.last.as_ref());
        let is_right = match last {
            None => live_out(program, &expansion.of, b)?
                .intersect_params(&known)
                .is_empty(b)?,
            Some(last) => last_values_are_right((program, &expansion.of), &expansion.subscripts, last, &known, b)?,
        };
        match last {
            _ if is_right => {}
            None => return refuse("a value may be used after the program"),
            Some(_) => return refuse("it is left with other values than those of a copy"),
        }
        if !of_slot.flow.is_equal(&of_array.flow, b)? {
            return refuse("a read finds another value");
        }
        if let Some(copies) = &expansion.copies
            && !are_within(program, expansion, copies, &known, b)?
        {
            return refuse("a copy has not all elements");
        }
    }
    Ok(Ok(()))
}

/// Whether a copy has all elements of an array that a program accesses.
fn are_within(program: &Program, expansion: &Expansion, copies: &Copies, known: &Set, b: &Budget) -> Outcome<bool> {
    for statement in &program.statements {
        for access in statement
            .accesses
            .iter()
            .filter(|access| *access.array() == expansion.of)
        {
            let touched = access
                .relation
                .intersect_domain(&statement.domain)
                .intersect_params(known);
            let touched = touched.range(b)?;
            let zero = Aff::constant(copies.extent.space().clone(), Int::ZERO);
            let space = touched.space();
            let of_copy = from(space, &zero).intersect(&bounds::before(space, &copies.extent));
            if !touched.is_subset(&of_copy, b)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Whether the values that a program leaves in an array are those of one copy, for the parameters that are `known` of: all instances that may have
/// written them last are of this copy, and each value is certainly written there.
pub(crate) fn last_values_are_right(
    (program, array): (&Program, &Tuple),
    subscripts: &IndexMap<Tuple, MultiAff>,
    last: &LastValues,
    known: &Set,
    b: &Budget,
) -> Outcome<bool> {
    let live_out = live_out(program, array, b)?.intersect_params(known);
    let space = SetSpace::new(program.context.params().clone(), array.clone());
    let mut certain = Set::empty(space.clone());
    for map in live_out.maps() {
        let own = &subscripts[map.domain_tuple()];
        let mut in_copy = Set::universe(own.domain_space());
        for (subscript, copy) in own.affs().iter().zip(&last.copy) {
            in_copy = in_copy.intersect(&difference(subscript, copy).zero_set());
        }
        if !map.domain(b)?.is_subset(&in_copy, b)? {
            return Ok(false);
        }
        let statement = program
            .find_statement(map.domain_tuple())
            .expect("a statement of the program");
        let accesses = program.statement(statement).accesses.iter();
        let writes = accesses.filter(|access| access.kind == AccessKind::MustWrite && access.array() == array);
        for write in writes {
            certain = certain.union(&map.intersect(&write.relation).range(b)?);
        }
    }
    let all = from(&space, &last.first).intersect(&bounds::before(&space, &last.end));
    let all = (1..)
        .zip(&program.arrays[array].inner_sizes)
        .fold(all, |all, (dim, size)| {
            let subscript = Aff::var(space.clone(), dim);
            let within = difference(&subscript, size).neg().pos_set();
            all.intersect(&PwAff::from(subscript).nonneg_set()).intersect(&within)
        });
    let all = all.intersect_params(known);
    let written = live_out.range(b)?.extract(array);
    Ok(written.is_subset(&all, b)? && all.is_subset(&certain, b)?)
}
