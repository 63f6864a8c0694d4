//! What keeps a region from a device.

use farkas_llvm::Run;
use farkas_llvm::kernels::has_kernel_target;
use farkas_llvm::scop_ir::{ArrayId, IrStatement, LiveOutSource, ScopIr, Source, Start};
use farkas_llvm::types::{Type, TypeKind};
use farkas_llvm::value::Value;
use indexmap::IndexSet;

/// The architectures of hosts, as target triples begin: numbers have the bytes in the order in which a GPU has them, and pointers 64 bits.
const HOSTS: [&str; 4] = ["x86_64", "amd64", "aarch64", "arm64"];

/// Why a region cannot run on a device, and what is the cause if it is in the code; `None` if it can.
pub fn obstacle<'a>(run: &'a Run<'_>, scop: &ScopIr<'a>, processor: &str) -> Option<(String, Option<Value<'a>>)> {
    let plain = |why: &str| Some((why.to_owned(), None));
    if !has_kernel_target(processor) {
        return Some((format!("LLVM has no back end for {processor}"), None));
    }
    if !HOSTS.contains(&&*run.architecture()) || !run.has_wide_pointers() {
        return plain("values in the host's memory are not as on a GPU");
    }
    if scop.arrays.iter().any(|array| array.base.pointer().is_none()) {
        return plain("the rows of an array have addresses of their own");
    }
    let is_slot = |source: &LiveOutSource<'_>| matches!(source, LiveOutSource::ScalarSlot(_));
    if let Some(live_out) = scop.live_outs.iter().find(|live_out| is_slot(&live_out.source)) {
        return Some(("a scalar is used behind the loops".to_owned(), Some(live_out.value)));
    }
    let own = || scop.slots.iter().filter(|slot| slot.mapped_to.is_none());
    if own().any(|slot| slot.initial.is_some()) {
        return plain("a scalar has a value from before the loops");
    }
    let is_plain = |ty: Type<'_>| match ty.kind() {
        TypeKind::Integer(bits) => matches!(bits, 8 | 16 | 32 | 64),
        TypeKind::Float => matches!(ty.float_bits(), 32 | 64),
        _ => false,
    };
    if own().any(|slot| !is_plain(slot.ty)) {
        return plain("a scalar has a type that a kernel does not have");
    }
    let inductions = scop.loops.iter().flat_map(|l| &l.inductions);
    let is_unknown = |start: &Start<'_>| matches!(start, Start::Expression(_));
    let mut pointers = inductions.filter(|induction| matches!(induction.phi.ty().kind(), TypeKind::Pointer(_)));
    if let Some(induction) = pointers.find(|induction| is_unknown(&induction.start)) {
        return Some((
            "a pointer starts where a loop before left it".to_owned(),
            Some(induction.phi),
        ));
    }
    scop.statements
        .iter()
        .find_map(|statement| of_statement(run, scop, statement))
}

/// Why a statement cannot be in a kernel.
fn of_statement<'a>(
    run: &'a Run<'_>,
    scop: &ScopIr<'a>,
    statement: &IrStatement<'a>,
) -> Option<(String, Option<Value<'a>>)> {
    // Only those of a statement with conditions inside are cloned.
    let terminators = statement.blocks.iter().map(|block| block.terminator());
    let inside = terminators.filter(|_| statement.blocks.len() > 1);
    if let Some((why, at)) = inside.filter_map(|i| Some((run.kernel_obstacle(i)?, i))).next() {
        return Some((why, Some(at)));
    }
    let mut open: Vec<Value<'a>> = statement.instructions.clone();
    open.extend(statement.results());
    let mut seen = IndexSet::new();
    while let Some(value) = open.pop() {
        if !seen.insert(value) {
            continue;
        }
        // A hoisted load is executed by the host, in front of the region.
        let is_hoisted = scop.loads.iter().any(|load| load.last() == Some(&value));
        let source = if is_hoisted {
            Source::Outside
        } else {
            scop.source(statement, value)
        };
        match source {
            Source::ScalarSlot(_) => {}
            Source::Induction(id, index) => {
                if let Start::Value(start) = scop.loops[id.0].inductions[index].start {
                    open.push(start);
                }
            }
            Source::Outside if is_address(value) && array_of(scop, value).is_none() => {
                return Some(("an address is in no array of the model".to_owned(), Some(value)));
            }
            Source::Outside | Source::Rotation(..) => {}
            Source::Statement if value.phi().is_some() && is_address(value) => {
                return Some(("an address depends on a condition".to_owned(), Some(value)));
            }
            Source::Statement | Source::Recomputed => {
                if let Some(why) = run.kernel_obstacle(value) {
                    return Some((why, Some(value)));
                }
                open.extend(value.operands().into_iter().filter(|operand| operand.is_data()));
            }
        }
    }
    None
}

/// Whether a value is an address of data, and no function.
fn is_address(value: Value<'_>) -> bool {
    matches!(value.ty().kind(), TypeKind::Pointer(_)) && !value.is_function()
}

/// The array that an address outside of the region is in: the address is the array's base, or computed from it.
pub(super) fn array_of<'a>(scop: &ScopIr<'a>, address: Value<'a>) -> Option<ArrayId> {
    let mut address = address;
    loop {
        if let Some(array) = scop.arrays.iter().position(|array| array.base.is(address)) {
            return Some(ArrayId(array));
        }
        address = address.base_of_offset()?;
    }
}
