//! The arrays of a program, from those of the IR and from scalar slots.

use farkas_llvm::Run;
use farkas_llvm::scop_ir::{ArrayId, IrArray, ScopIr};
use farkas_polyhedral::program::{Array, ArrayKind, Inspection, Program};
use farkas_polyhedral::sets::{Aff, Tuple};
use indexmap::{IndexMap, IndexSet};

/// What a model knows of its arrays, in their order.
#[derive(Clone, Copy)]
pub(crate) struct KnownOfArrays<'s> {
    /// The sizes of all dimensions but the outermost.
    pub(crate) inner_sizes: &'s [&'s [Aff]],
    /// The number of subscripts that select a row.
    pub(crate) table_dims: &'s [usize],
    /// Those that are looked at in front of the region.
    pub(crate) inspected: &'s [(ArrayId, Inspection)],
}

/// The arrays that the program accesses or kills: those of the IR first, then slots. What only run-time checks look at is not
/// among them, nor are slots that are mapped to elements of arrays.
pub(super) fn arrays<'a>(
    run: &'a Run<'_>,
    ir: &ScopIr<'a>,
    known: KnownOfArrays<'_>,
    program: &Program,
) -> IndexMap<Tuple, Array> {
    let accesses = program.statements.iter().flat_map(|statement| &statement.accesses);
    let accessed = accesses.map(|access| access.array());
    let killed = program.kills.iter().map(|kill| kill.relation.range_tuple());
    let used: IndexSet<&Tuple> = accessed.chain(killed).collect();
    let of_ir = ir.arrays.iter().zip(known.inner_sizes).enumerate();
    let of_ir = of_ir.map(|(id, (array, sizes))| Array {
        tuple: Tuple::new(&array.name, 1 + sizes.len()),
        kind: match ir.locals.iter().any(|local| array.base.is(local.variable)) {
            true => ArrayKind::Temporary,
            false => ArrayKind::Memory,
        },
        element_size: array.element_size,
        outermost_size: outermost_size(run, array, sizes),
        inner_sizes: sizes
            .iter()
            .map(|size| size.align_params(program.context.params()))
            .collect(),
        table_dims: known.table_dims[id],
        inspection: known
            .inspected
            .iter()
            .find_map(|(array, inspection)| (*array == ArrayId(id)).then_some(*inspection)),
    });
    let slots = ir.slots.iter().map(|slot| {
        // Whatever is smaller than a byte takes one.
        Array::scalar_slot(&slot.name, run.store_size(slot.ty).max(1))
    });
    let used = of_ir.chain(slots).filter(|array| used.contains(&array.tuple));
    used.map(|array| (array.tuple.clone(), array)).collect()
}

/// The size of the outermost dimension of a variable on the stack that is filled by whole elements.
fn outermost_size(run: &Run<'_>, array: &IrArray<'_>, inner_sizes: &[Aff]) -> Option<u64> {
    let bytes = run.variable_size(array.base.pointer()?)?;
    let mut row = array.element_size;
    for size in inner_sizes {
        row = row.checked_mul(u64::try_from(size.as_constant()?.to_i64()?).ok()?)?;
    }
    (row > 0 && bytes > 0 && bytes.is_multiple_of(row)).then(|| bytes / row)
}
