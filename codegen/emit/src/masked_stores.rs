//! Keeps code generation from making masked stores of whole ones.
//!
//! ```text
//!     old = load p;  new = ..;  store (old < new ? old : new), p
//! ```
//!
//! LLVM's instruction selection makes this a store of `new` under a mask, in front of any look for a minimum. With AVX2, masked
//! stores of some processors take many times as long as whole ones (Zen 3: a loop of such minima at a quarter of its speed), and no later load
//! gets its value from them before they are in the cache. A `freeze` of the value, which changes nothing about it, keeps the store whole.
//! Masked stores that are in the program (`if (new < old) a[i] = new`) are branched around where their masks are empty, on these processors.
//! A minimum or a maximum of integers is such a choice, too, where the machine has none for them (64 bits, AVX2).

use farkas_llvm::Run;
use farkas_llvm::edit::freeze;
use farkas_llvm::inkwell::values::{BasicValueEnum, VectorValue};
use farkas_llvm::loops::Loop;
use farkas_llvm::types::TypeKind;
use farkas_llvm::value::{Block, Kind, Value};

use crate::vector::any_lane;

/// The minima and maxima of integers.
const EXTREMES: [&str; 4] = ["llvm.smin.", "llvm.smax.", "llvm.umin.", "llvm.umax."];

/// Freezes the values in a loop that would be stored under masks.
pub(crate) fn keep_whole<'a>(run: &'a Run<'_>, l: Loop<'a>) {
    let builder = run.context().create_builder();
    for store in l.blocks().into_iter().flat_map(Block::instructions) {
        if let Some(value) = may_be_masked(store) {
            builder.position_before(&store.instruction().expect("a store"));
            let frozen = freeze(&builder, value.basic().expect("a vector"));
            store.replace_operand(value, Value::from_inkwell(frozen));
        }
    }
}

/// Whether masked stores take many times as long as whole ones: with AVX2, on AMD's processors. (Zen 3: shortest paths of 700 rows by `if (a + b < c)
/// c = a + b` take 0.4 to 0.7 of the time with branches, measured for three types.)
pub(crate) fn are_slow(run: &Run<'_>) -> bool {
    let processor = run.processor();
    let name = match processor.tuned_for.is_empty() {
        true => &processor.name,
        false => &processor.tuned_for,
    };
    let has = |feature: &str| processor.features.split(',').any(|other| other == feature);
    name.starts_with("znver") && has("+avx2") && !has("+avx512vl")
}

/// Branches around the masked stores of a loop where no lane stores. Masks that are the same in all iterations stay as they are.
pub(crate) fn branch_around<'a>(run: &'a Run<'_>, l: Loop<'a>) {
    let builder = run.context().create_builder();
    let is_masked = |i: &Value<'a>| matches!(i.kind(), Kind::Call(name) if name.starts_with("llvm.masked.store."));
    let stores: Vec<Value<'a>> = l.blocks().into_iter().flat_map(Block::instructions).collect();
    for store in stores.into_iter().filter(is_masked) {
        let masks = store
            .operands()
            .into_iter()
            .filter_map(|operand| Some((operand, mask(operand)?)));
        let Some((_, lanes)) = masks
            .last()
            .filter(|(mask, _)| mask.is_instruction() && l.defines(*mask))
        else {
            continue;
        };
        builder.position_before(&store.instruction().expect("a call"));
        let any = any_lane(&builder, lanes);
        run.execute_if(Value::from_inkwell(any), store);
    }
}

/// A value as a vector of truth values, if it is one.
fn mask(value: Value<'_>) -> Option<VectorValue<'_>> {
    if !value.is_data() || value.ty().kind() != TypeKind::Vector {
        return None;
    }
    match value.basic()? {
        BasicValueEnum::VectorValue(vector) => {
            let element = vector.get_type().get_element_type();
            (element.is_int_type() && element.into_int_type().get_bit_width() == 1).then_some(vector)
        }
        _ => None,
    }
}

/// The value that is stored, if it is a choice between vectors of which one was loaded: it may be what is there. Whether it was
/// loaded from the same address is not asked, as equal addresses are several instructions here.
fn may_be_masked(store: Value<'_>) -> Option<Value<'_>> {
    let Kind::Store { value, .. } = store.kind() else {
        return None;
    };
    if !value.is_instruction() || value.ty().kind() != TypeKind::Vector {
        return None;
    }
    let arms = match value.kind() {
        Kind::Select(_, one, other) => vec![one, other],
        Kind::Call(name) if EXTREMES.iter().any(|extreme| name.starts_with(extreme)) => value.operands(),
        _ => return None,
    };
    let is_loaded = |arm: &Value<'_>| arm.is_instruction() && matches!(arm.kind(), Kind::Load { .. });
    arms.iter().any(is_loaded).then_some(value)
}
