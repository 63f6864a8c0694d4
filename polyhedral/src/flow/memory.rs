//! Memory-based dependences: the simplest form, without regard to what is overwritten in between.

use crate::budget::{Budget, Outcome};
use crate::program::{AccessKind, Program};
use crate::sets::{Map, UnionMap};

/// All pairs of instances that access the same element, at least one writing, in the original order.
///
/// # Errors
///
/// If the budget is spent.
pub fn memory_based(program: &Program, b: &Budget) -> Outcome<UnionMap> {
    let params = program.context.params();
    let mut result = UnionMap::empty(params.clone());
    for source in &program.statements {
        for sink in &program.statements {
            let before = Map::lex_lt(params.clone(), source.schedule.space().range.clone());
            let order = source
                .schedule
                .to_map()
                .apply_range(&before, b)?
                .apply_range(&sink.schedule.to_map().reverse(), b)?;
            for x in &source.accesses {
                for y in &sink.accesses {
                    if x.array() != y.array() || (x.kind == AccessKind::Read && y.kind == AccessKind::Read) {
                        continue;
                    }
                    let same = x.relation.apply_range(&y.relation.reverse(), b)?;
                    let pairs = same.intersect(&order).intersect_params(&program.context);
                    if !pairs.is_empty(b)? {
                        result.add(&pairs);
                    }
                }
            }
        }
    }
    result.compact(b)
}
