//! What may be executed whatever the conditions of a statement are: its blocks without their branches.

use farkas_llvm::inkwell::values::InstructionOpcode;
use farkas_llvm::scop_ir::IrStatement;
use farkas_llvm::value::{Block, Kind, Value};
use farkas_polyhedral::program::Statement;

/// Whether masks or selects may stand for the branches of a statement: all of them go on in the statement, or behind it.
pub(crate) fn are_convertible(statement: &IrStatement<'_>) -> bool {
    let is_plain = |block: &Block<'_>| {
        let goes_on = matches!(
            block.terminator().kind(),
            Kind::Jump(_) | Kind::Branch { .. } | Kind::Switch { .. }
        );
        goes_on && block.successors().iter().all(|to| !to.is_never_reached())
    };
    statement.blocks.len() <= Statement::MOST_BLOCKS_IN_LANES as usize && statement.blocks.iter().all(is_plain)
}

/// Whether an instruction is undefined for some divisors.
pub(crate) fn is_division(value: Value<'_>) -> bool {
    use InstructionOpcode::{SDiv, SRem, UDiv, URem};
    let opcode = value.instruction().map(|i| i.get_opcode());
    matches!(opcode, Some(UDiv | SDiv | URem | SRem))
}
