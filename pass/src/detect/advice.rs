//! Advice to the author of a declined loop nest, in one clause.
//!
//! There is advice where following it is known to change the outcome: each clause has a program in `test/advice`, which is compiled as it is
//! and as advised. Other reasons are left without.

use super::declined::Reason;
use farkas_llvm::Run;
use farkas_llvm::loops::Loop;
use farkas_llvm::operand_tree::{Visit, operand_tree};
use farkas_llvm::value::{Kind, Value};

/// Number of instructions of a condition that are looked at.
const MOST_INSTRUCTIONS: usize = 16;

/// The change that would help the author of the loop. `at` is the instruction that is the cause.
pub(crate) fn advice(run: &Run<'_>, l: Loop<'_>, reason: &Reason, at: Option<Value<'_>>) -> Option<String> {
    let clause = match reason {
        Reason::UnknownTripCount | Reason::NonAffineBound => return at.and_then(|branch| on_bound(run, l, branch)),
        Reason::NonAffineCondition => {
            match at.is_some_and(|branch| is_invariant(l, branch.operands().into_iter().next())) {
                true => "test the condition before the loop",
                false => "choose values by the condition in place of loops",
            }
        }
        Reason::CallAccessesMemory(_) => return at.and_then(|call| on_call(run, call)).map(str::to_owned),
        Reason::CallMayNotReturn(_) => "mark it `pure` or `const` if it is, or let it be inlined",
        Reason::Terminator("invoke") => "let what is called be inlined",
        Reason::UnboundedAccess(..) if at.is_some_and(|access| !access.facts().may_write()) => {
            "mark the arrays as `restrict` if they do not overlap"
        }
        Reason::ConditionalExit | Reason::SeveralExits => "leave the loop by its own condition only",
        Reason::SeveralLatches => "write `if` and `else` in place of `continue`",
        Reason::SeveralEntries | Reason::Irreducible => "enter the loop at its start only",
        Reason::NoExit => "give the loop a condition",
        Reason::ErrorOnData => "check for errors before the loop",
        Reason::Pragma(_) => "take the pragma away",
        Reason::Volatile | Reason::Atomic => "move the access out of the loop",
        Reason::Alloca => "declare the array before the loop",
        Reason::InlineAsm => "use an intrinsic in its place",
        Reason::IndirectCall => "call the function by its name, so that it can be inlined",
        Reason::Errno(_) => "compile with `-fno-math-errno`",
        Reason::VariantBase => "use arrays with subscripts in place of pointers that are loaded in the loop",
        Reason::WideInteger(_) => "use integers of at most 64 bits",
        Reason::LargeFunction => "take the function apart",
        Reason::LabelAddress => "write a `switch` in place of computed gotos",
        _ => return None,
    };
    Some(clause.to_owned())
}

/// What helps where a nest takes too long to analyse.
pub(crate) const TOO_COSTLY: &str = "take the nest apart";

/// Where a bound is loaded, or called for, again in each iteration, and nothing in the loop decides what, it can be computed before.
fn on_bound(run: &Run<'_>, l: Loop<'_>, branch: Value<'_>) -> Option<String> {
    let invariants = invariants(l, branch)?;
    let name = |value: &Value<'_>| run.counter_name(*value, l).map(|name| name.text);
    let loads = || {
        invariants
            .iter()
            .filter(|value| matches!(value.kind(), Kind::Load { .. }))
    };
    match (invariants.first(), loads().next()) {
        (None, _) => None,
        (Some(_), None) => Some("compute the bound before the loop, in a local variable".to_owned()),
        (_, Some(load)) => {
            let name = name(load).map_or_else(|| "the bound".to_owned(), |name| format!("`{name}`"));
            Some(format!(
                "{name} may change inside the loop: copy it to a local variable"
            ))
        }
    }
}

/// The loads and calls in the loop that decide a branch, if all of them are of what is the same in all iterations.
fn invariants<'a>(l: Loop<'a>, branch: Value<'a>) -> Option<Vec<Value<'a>>> {
    let condition = branch.is_instruction().then(|| branch.condition())??;
    let mut reads = Vec::new();
    operand_tree([condition], MOST_INSTRUCTIONS, |value| match value {
        value if !l.defines(value) || value.is_phi() => Visit::Leaf,
        value if is_read(value) && is_invariant(l, value.operands()) => {
            reads.push(value);
            Visit::Leaf
        }
        value if is_read(value) => Visit::Abort,
        _ => Visit::Operands,
    })?;
    Some(reads)
}

/// Whether values are computed of what is the same in all iterations of the loop, without loads and calls in it.
fn is_invariant<'a>(l: Loop<'a>, values: impl IntoIterator<Item = Value<'a>>) -> bool {
    let tree = operand_tree(values, MOST_INSTRUCTIONS, |operand| match operand {
        operand if !l.defines(operand) => Visit::Leaf,
        operand if operand.is_phi() || is_read(operand) => Visit::Abort,
        _ => Visit::Operands,
    });
    tree.is_some()
}

fn is_read(value: Value<'_>) -> bool {
    matches!(value.kind(), Kind::Load { .. } | Kind::Call(_))
}

/// Functions with a body are known for what they do, and those of libraries cannot be changed.
fn on_call(run: &Run<'_>, call: Value<'_>) -> Option<&'static str> {
    if call.facts().errno_only() {
        return Some("compile with `-fno-math-errno`");
    }
    let callee = run.callee(call)?;
    match callee {
        _ if callee.is_of_library => None,
        _ if callee.is_declared_only && callee.returns_value => {
            Some("let it be inlined, or mark it `pure` or `const` if it is")
        }
        _ => Some("let it be inlined"),
    }
}
