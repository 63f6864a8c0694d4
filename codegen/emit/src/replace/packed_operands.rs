//! What a statement computes of a packed element and of invariants alone: it is computed once, where the element is copied, and not by each
//! thread that reads it.
//!
//! ```text
//! C[i][j] += alpha * A[i][k] * B[k][j]       a buffer has alpha * A[i][k]
//! ```

use farkas_llvm::inkwell::values::{BasicValueEnum, InstructionOpcode};
use farkas_llvm::scop_ir::{IrStatement, ScopIr};
use farkas_llvm::value::Value;
use farkas_polyhedral::ast::Node;
use farkas_polyhedral::sets::Name;
use farkas_polyhedral::tree::Mark;

use super::Emitter;
use super::packed::Buffer;
use super::subtree::for_each_mark;

/// Whether it pays to have operands in a buffer. Matrix instructions get an operand from one thread for several others, so that little is saved;
/// of an H200, products of `double` took 1.27 times as long with operands in buffers.
pub(super) fn pay(root: &Node, buffer: &Name) -> bool {
    let is_matrix = |mark: &Mark| matches!(mark, Mark::Mma { .. });
    let mut pay = true;
    for_each_mark(root, &mut |mark, body| {
        let is_own = matches!(mark, Mark::Pack { buffer: own, .. } if own == buffer);
        pay &= !(is_own && body.has_mark(&is_matrix));
    });
    pay
}

/// The instructions that lead from a load to what a buffer has in place of it, in order. None of them traps, and all values have one type.
pub(super) fn operands_of<'a>(scop: &ScopIr<'a>, statement: &IrStatement<'a>, load: Value<'a>) -> Vec<Value<'a>> {
    let mut all = Vec::new();
    let mut last = load;
    while let [user] = last.users()[..] {
        let is_other_invariant = |operand: &Value<'a>| *operand == last || !scop.region.defines(*operand);
        let is_own = statement.instructions.contains(&user) && is_arithmetic(user) && user.ty() == load.ty();
        if !is_own || !user.operands().iter().all(is_other_invariant) {
            break;
        }
        all.push(user);
        last = user;
    }
    all
}

fn is_arithmetic(value: Value<'_>) -> bool {
    use InstructionOpcode as Op;
    let opcode = value.instruction().map(|i| i.get_opcode());
    matches!(opcode, Some(Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FNeg))
}

impl<'b, 'a> Emitter<'b, 'a, '_> {
    /// What a buffer has of an element that was loaded.
    pub(super) fn computed_operand(&self, buffer: &Buffer<'b, 'a>, loaded: BasicValueEnum<'a>) -> BasicValueEnum<'a> {
        let Some(last) = buffer.operands().last() else {
            return loaded;
        };
        let statement = buffer.statement();
        let counters = vec![self.i64.const_zero(); statement.loops.len()];
        let on_access = |original: Option<Value<'a>>, clone: Value<'a>| self.on_access(original, clone);
        let statements = self.statements(&on_access);
        let mut instance = statements.begin(statement, &counters);
        instance.set(buffer.load(), loaded);
        buffer.operands().iter().for_each(|i| instance.instruction(*i));
        instance.value(*last)
    }
}
