//! If-conversion: what stands for the branches of a statement, whose blocks are then executed in a row.
//!
//! A block goes on to others by *conditions*: an `i1` for one instance, a mask for those in lanes.

use farkas_llvm::inkwell::IntPredicate;
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::types::IntMathType;
use farkas_llvm::inkwell::values::{BasicValueEnum, IntMathValue};
use farkas_llvm::scop_ir::IrStatement;
use farkas_llvm::value::{Block, Kind, Value};
use farkas_polyhedral::program::Statement;
use indexmap::IndexMap;

use crate::arith::BUILDS;

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

/// The conditions by which a block goes on to others, of which `value` gives what they are computed from; none where it goes on to one in any
/// case.
pub(crate) fn taken<'a, C>(
    builder: &Builder<'a>,
    block: Block<'a>,
    mut value: impl FnMut(Value<'a>) -> C,
) -> IndexMap<Block<'a>, C>
where
    C: IntMathValue<'a> + Copy,
    C::BaseType: IntMathType<'a, ValueType = C>,
{
    let not = |condition| builder.build_not(condition, "").expect(BUILDS);
    let either = |one, other| builder.build_or(one, other, "").expect(BUILDS);
    let mut taken: IndexMap<Block<'a>, C> = IndexMap::new();
    match block.terminator().kind() {
        Kind::Branch {
            condition,
            then,
            otherwise,
        } if then != otherwise => {
            let condition = value(condition);
            taken.extend([(then, condition), (otherwise, not(condition))]);
        }
        Kind::Switch {
            value: switched,
            cases,
            otherwise,
        } => {
            let switched = value(switched);
            for (constant, to) in cases {
                let equal = builder.build_int_compare(IntPredicate::EQ, switched, value(constant), "");
                let equal = equal.expect(BUILDS);
                let all = taken.get(&to).map_or(equal, |so_far| either(*so_far, equal));
                taken.insert(to, all);
            }
            if let Some(any) = taken.values().copied().reduce(either) {
                let rest = not(any);
                let all = taken.get(&otherwise).map_or(rest, |so_far| either(*so_far, rest));
                taken.insert(otherwise, all);
            }
        }
        _ => {}
    }
    taken
}

/// The value of the way that control comes by: of the last one whose condition holds, or that has none. That of the first one is not asked for, as
/// control comes by one of them.
pub(crate) fn selected<'a>(
    builder: &Builder<'a>,
    ways: impl IntoIterator<Item = (Option<impl IntMathValue<'a>>, BasicValueEnum<'a>)>,
) -> BasicValueEnum<'a> {
    let selected = ways
        .into_iter()
        .fold(None, |others, (condition, value)| match (others, condition) {
            (Some(others), Some(condition)) => Some(builder.build_select(condition, value, others, "").expect(BUILDS)),
            _ => Some(value),
        });
    selected.expect("a block of a statement is reached")
}
