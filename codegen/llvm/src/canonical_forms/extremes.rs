//! Maxima and minima that are written as choices.
//!
//! Where LLVM knows that a running maximum is not negative, it compares what a maximum with 0 is made of:
//!
//! ```text
//! v = max(x, 0)                                   v = max(x, 0)
//! best' = select (x > best), v, best      ->      best' = max(best, v)
//! ```
//!
//! Both are the same wherever `best >= 0`. So are running maxima then that begin below, as partial ones do: the first `v` makes one of
//! them what is never negative again.

use crate::boolean::Boolean;
use crate::run::Run;
use crate::types::TypeKind;
use crate::value::{IntPredicate, Kind, Value};
use inkwell::values::InstructionOpcode;

/// The choices between integers in loops.
pub(super) fn candidates<'a>(run: &'a Run<'_>) -> Vec<Value<'a>> {
    let blocks = run.function().blocks().into_iter();
    let in_loops = blocks.filter(|block| run.loop_of(*block).is_some());
    let choices = in_loops.flat_map(|block| block.instructions());
    let is_choice = |value: &Value<'a>| {
        let opcode = value.instruction().map(|i| i.get_opcode());
        opcode == Some(InstructionOpcode::Select) && matches!(value.ty().kind(), TypeKind::Integer(2..=64))
    };
    choices.filter(is_choice).collect()
}

/// The maximum or minimum that a choice is, before it; `None` for other choices.
pub(super) fn extreme<'a>(run: &'a Run<'_>, choice: Value<'a>) -> Option<Value<'a>> {
    let Kind::Select(condition, one, other) = choice.kind() else {
        return None;
    };
    let Boolean::Compare(predicate, a, b) = Boolean::of(condition) else {
        return None;
    };
    // `first > second` chooses `above`, and otherwise it is `below`.
    let (first, second, above, below) = match predicate {
        IntPredicate::SGT | IntPredicate::SGE => (a, b, one, other),
        IntPredicate::SLT | IntPredicate::SLE => (b, a, one, other),
        _ => return None,
    };
    let is_maximum = second == below;
    let (compared, running, new, name) = match is_maximum {
        true => (first, second, above, "llvm.smax."),
        // `running > x` chooses what is less.
        false if first == below => (second, first, above, "llvm.smin."),
        false => return None,
    };
    let is_confined = new.is_instruction() && matches!(new.kind(), Kind::Call(called) if called.starts_with(name));
    if !is_confined || new == running {
        return None;
    }
    let [left, right, ..] = new.operands()[..] else {
        return None;
    };
    let limit = [(left, right), (right, left)]
        .into_iter()
        .find_map(|(part, limit)| (part == compared).then(|| limit.as_integer()).flatten())?;
    let (least, most) = run.signed_range(run.scev(running)?, None)?;
    let holds = match is_maximum {
        true => least >= i128::from(limit),
        false => most <= i128::from(limit),
    };
    if !holds {
        return None;
    }
    let extreme = new.duplicate();
    for (index, operand) in [running, new].into_iter().enumerate() {
        extreme.set_operand(index as u32, operand.basic()?);
    }
    let builder = run.context().create_builder();
    builder.position_before(&choice.instruction()?);
    builder.unset_current_debug_location();
    builder.insert_instruction(&extreme, None);
    Some(Value::from_inkwell(extreme))
}
