//! What a model says besides instances, order and accesses: what a cost model needs to know.
//!
//! | file | what |
//! |---|---|
//! | [`arrays`] | kind, element size and inner sizes of each array |
//! | [`operations`] | operations of an instruction, by class and type |
//! | [`moves`] | how accesses without affine subscripts move along loops |
//! | [`dataflow`] | operations of a statement, the longest chain from each read to each write, and products that are added |
//!
//! Trip counts come from branch weights, where a profile has given them.

mod arrays;
mod dataflow;
mod moves;
mod operations;

pub(crate) use arrays::KnownOfArrays;
pub(crate) use operations::distinguishes_cases;

use farkas_llvm::Run;
use farkas_llvm::scop_ir::{ArrayId, IrStatement, ScopIr, SlotId};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::program::{AccessId, AccessKind, ArrayKind, Program};
use indexmap::IndexSet;
use moves::Mover;

/// The work that is allowed for the chains of a program: a tenth of what its model may take. Statements for which nothing is left
/// list no operations and no chains.
const CHAINS_BUDGET: u64 = 30_000;

/// Completes a program whose statements have their accesses.
pub(crate) fn annotate<'a>(run: &'a Run<'_>, ir: &ScopIr<'a>, known: KnownOfArrays<'_>, program: &mut Program) {
    program.arrays = arrays::arrays(run, ir, known, program);
    let trip_counts: Vec<Option<u64>> = ir.loops.iter().map(|l| l.handle.estimated_trip_count()).collect();
    let b = Budget::new(CHAINS_BUDGET);
    let accesses = program.statements.iter().flat_map(|statement| &statement.accesses);
    let writes = accesses.filter(|access| access.kind != AccessKind::Read);
    let names: IndexSet<&str> = writes
        .filter_map(|access| Some(access.array().name()?.as_str()))
        .collect();
    let is_written = |id: &ArrayId| names.contains(&*ir.arrays[id.0].name);
    let written: IndexSet<ArrayId> = (0..ir.arrays.len()).map(ArrayId).filter(is_written).collect();
    let mover = Mover {
        run,
        ir,
        written: &written,
    };
    for (own, statement) in ir.statements.iter().zip(&mut program.statements) {
        statement.trip_counts = own.loops.iter().map(|id| trip_counts[id.0]).collect();
        statement.blocks = own.blocks.len() as u32;
        let left_out = own.left_out.iter().filter(|i| distinguishes_cases(**i));
        let left_out = left_out.flat_map(|i| operations::operations(run, *i));
        statement.only_in_original = operations::summed(left_out);
        statement.in_registers = in_registers(ir, own, statement.accesses.len());
        statement.moves = mover.moves(own, statement);
        let flow = dataflow::Dataflow::new(run, ir, own);
        statement.conditional_in_original = flow.made_in_any_case();
        let Ok(chains) = flow.chains(&statement.accesses, &b) else {
            log::debug!("what {} computes is too much to look at", own.name);
            continue;
        };
        statement.chains = chains;
        statement.multiply_add = flow.multiply_add(&statement.accesses);
        let is_in_memory = |access: usize| {
            let array = &program.arrays[statement.accesses[access].array()];
            array.kind != ArrayKind::ScalarSlot
        };
        statement.operations = flow.operations(is_in_memory, statement.accesses.len());
        statement.contracted = flow.contracted();
    }
}

/// The accesses that stand for slots in elements of arrays: slots that are read come first, and those that are written last.
fn in_registers(ir: &ScopIr<'_>, statement: &IrStatement<'_>, n_accesses: usize) -> Vec<AccessId> {
    let is_mapped = |slot: &SlotId| ir.slots[slot.0].mapped_to.is_some();
    let read: IndexSet<SlotId> = statement.reads.iter().map(|(slot, _)| *slot).collect();
    let read = read.iter().enumerate().filter(|(_, slot)| is_mapped(slot));
    let first = n_accesses - statement.writes.len();
    let written = statement
        .writes
        .iter()
        .enumerate()
        .filter(|(_, write)| is_mapped(&write.slot));
    let positions = read.map(|(position, _)| position);
    let positions = positions.chain(written.map(|(position, _)| first + position));
    positions.map(AccessId).collect()
}
