//! Keeps code generation from making masked stores of whole ones.
//!
//! ```text
//!     old = load p;  new = ..;  store (old < new ? old : new), p
//! ```
//!
//! LLVM's instruction selection makes this a store of `new` under a mask, in front of any look for a minimum. With AVX2, masked
//! stores of some processors take many times as long as whole ones (Zen 3: a loop of such minima at a quarter of its speed), and no later load
//! gets its value from them before they are in the cache. A `freeze` of the value, which changes nothing about it, keeps the store whole.
//! A minimum or a maximum of integers is such a choice, too, where the machine has none for them (64 bits, AVX2).

use farkas_llvm::Run;
use farkas_llvm::edit::freeze;
use farkas_llvm::loops::Loop;
use farkas_llvm::types::TypeKind;
use farkas_llvm::value::{Block, Kind, Value};

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
