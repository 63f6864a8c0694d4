//! Memory-based dependences (stand-in until the value-based engine).
use crate::budget::{Budget, Outcome};
use crate::program::{AccessKind, Program};
use crate::sets::{Map, UnionMap};
/// All pairs of instances that access the same element, at least one writing, in the original order.
pub fn memory_based(program: &Program, b: &Budget) -> Outcome<UnionMap> {
    let mut result = UnionMap::empty(program.context.params().clone());
    for s in &program.statements {
        for t in &program.statements {
            let before = Map::lex_lt(program.context.params().clone(), s.schedule.space().range.clone());
            let order = s
                .schedule
                .to_map()
                .apply_range(&before, b)?
                .apply_range(&t.schedule.to_map().reverse(), b)?;
            for x in &s.accesses {
                for y in &t.accesses {
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
    result.coalesce(b)
}
