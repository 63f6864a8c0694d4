//! Advice to the author of a declined loop nest, in one clause.

use super::declined::Reason;
use farkas_llvm::operand_tree::{Visit, operand_tree};
use farkas_llvm::value::{Kind, Value};

/// Number of instructions of a condition that are looked at.
const MOST_INSTRUCTIONS: usize = 16;

/// The change that would help the author. `at` is the instruction that is the cause. `None` where no change helps, or
/// where the reason already says it.
pub(crate) fn advice(reason: &Reason, at: Option<Value<'_>>) -> Option<String> {
    let clause = match reason {
        Reason::UnknownTripCount | Reason::NonAffineBound => match at.and_then(changing_bound) {
            Some(name) => {
                return Some(format!(
                    "`{name}` may change inside the loop: copy it to a local variable"
                ));
            }
            None => "compute the bound before the loop, in a local variable",
        },
        Reason::NonAffineCondition => {
            "compute the condition before the loop, or choose values instead of loops with it"
        }
        Reason::ConditionalExit | Reason::SeveralExits => "leave the loop by its own condition only",
        Reason::SeveralLatches => "write `if` and `else` in place of `continue`",
        Reason::LatchInside => "end the iteration outside of the inner loop",
        Reason::SeveralEntries | Reason::Irreducible => "enter the loop at its start only",
        Reason::NoExit => "give the loop a condition",
        Reason::SharedError | Reason::ErrorOnData => "check for errors before the loop",
        Reason::ErrorCertain => "see what it does: it cannot be meant",
        Reason::Pragma(_) => "take the pragma away",
        Reason::Terminator(_) => "mark what is called as `nothrow`, or let it be inlined",
        Reason::Volatile | Reason::Atomic => "move the access out of the loop",
        Reason::OddType(_) | Reason::OddScalar(_) => "use numbers of whole bytes, or pointers",
        Reason::Alloca => "declare the array before the loop",
        Reason::InlineAsm => "use an intrinsic in its place",
        Reason::IndirectCall => "call the function by its name, so that it can be inlined",
        Reason::CallAccessesMemory(_) => "let it be inlined, or mark it `pure` or `const` if it is",
        Reason::Errno(_) => "compile with `-fno-math-errno`",
        Reason::CallMayNotReturn(_) => "mark it `nothrow` and `pure` if it is, or let it be inlined",
        Reason::VariantBase => "use arrays with subscripts in place of pointers that are loaded in the loop",
        Reason::UnsafeLoad => "copy the value to a local variable before the loop",
        Reason::WideInteger(_) => "use integers of at most 64 bits",
        Reason::NotExpandable => "compute the value before the loop, in a local variable",
        Reason::LargeFunction => "take the function apart",
        Reason::LabelAddress => "write a `switch` in place of computed gotos",
        _ => return None,
    };
    Some(clause.to_owned())
}

/// The name of the variable that a branch reloads in each iteration to decide whether a loop goes on.
fn changing_bound(branch: Value<'_>) -> Option<String> {
    let condition = branch.is_instruction().then(|| branch.condition())??;
    let mut name = None;
    operand_tree([condition], MOST_INSTRUCTIONS, |value| {
        if !value.is_instruction() || value.is_phi() {
            return Visit::Leaf;
        }
        let Kind::Load { pointer } = value.kind() else {
            return Visit::Operands;
        };
        // Other names are those of intermediate results.
        if !pointer.is_instruction() && !pointer.name().is_empty() {
            name = Some(pointer.name());
            return Visit::Abort;
        }
        Visit::Leaf
    });
    name
}
