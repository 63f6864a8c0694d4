//! What a model says besides instances, order and accesses: what a cost model needs to know.
//!
//! | file | what |
//! |---|---|
//! | [`arrays`] | kind, element size and inner sizes of each array |
//! | [`operations`] | operations of an instruction, by class and type |
//! | [`dataflow`] | operations of a statement, and the longest chain from each read to each write |
//!
//! Trip counts come from branch weights, where a profile has given them.

mod arrays;
mod dataflow;
mod operations;

use farkas_llvm::Run;
use farkas_llvm::scop_ir::ScopIr;
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::program::{ArrayKind, Program};
use farkas_polyhedral::sets::Aff;

/// The work that is allowed for the chains of a program: a tenth of what its model may take. Statements for which nothing is left
/// list no operations and no chains.
const CHAINS_BUDGET: u64 = 30_000;

/// Completes a program whose statements have their accesses; `inner_sizes` has those of each array in the IR.
pub(crate) fn annotate<'a>(run: &'a Run<'_>, ir: &ScopIr<'a>, inner_sizes: &[&[Aff]], program: &mut Program) {
    program.arrays = arrays::arrays(run, ir, inner_sizes, program);
    let trip_counts: Vec<Option<u64>> = ir.loops.iter().map(|l| l.handle.estimated_trip_count()).collect();
    let b = Budget::new(CHAINS_BUDGET);
    for (own, statement) in ir.statements.iter().zip(&mut program.statements) {
        statement.trip_counts = own.loops.iter().map(|id| trip_counts[id.0]).collect();
        statement.blocks = own.blocks.len() as u32;
        let left_out = own.left_out.iter().filter(|i| operations::distinguishes_cases(**i));
        let left_out = left_out.flat_map(|i| operations::operations(run, *i));
        statement.only_in_original = operations::summed(left_out);
        let flow = dataflow::Dataflow::new(run, ir, own);
        let Ok(chains) = flow.chains(&statement.accesses, &b) else {
            log::debug!("what {} computes is too much to look at", own.name);
            continue;
        };
        statement.chains = chains;
        let is_in_memory = |access: usize| {
            let array = &program.arrays[statement.accesses[access].array()];
            array.kind != ArrayKind::ScalarSlot
        };
        statement.operations = flow.operations(is_in_memory, statement.accesses.len());
    }
}
