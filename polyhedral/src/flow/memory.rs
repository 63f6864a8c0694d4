//! Memory-based dependences: the simplest form, without regard to what is overwritten in between.

use super::Dependences;
use crate::budget::{Budget, Outcome};
use crate::program::{Access, AccessKind, Program, Statement};
use crate::sets::{Map, Tuple, UnionMap};
use indexmap::IndexMap;

/// All pairs of instances that access the same element, at least one writing, in the original order.
///
/// # Errors
///
/// If the budget is spent.
pub fn memory_based(program: &Program, b: &Budget) -> Outcome<UnionMap> {
    let mut result = UnionMap::empty(program.context.params().clone());
    for_each_pair(program, b, |_, _, pairs| result.add(&pairs))?;
    result.compact(b)
}

/// The same, for each array by itself. All that is read may come in, as nothing is said of what is overwritten. A schedule that
/// respects these respects the value-based ones, too.
///
/// # Errors
///
/// If the budget is spent.
pub fn memory_based_by_array(program: &Program, b: &Budget) -> Outcome<IndexMap<Tuple, Dependences>> {
    let mut arrays: IndexMap<Tuple, Dependences> = IndexMap::new();
    for access in program.statements.iter().flat_map(|statement| &statement.accesses) {
        let empty = || Dependences::empty(program.context.params().clone());
        let own = arrays.entry(access.array().clone()).or_insert_with(empty);
        if access.kind == AccessKind::Read {
            own.live_in.add(&access.relation.intersect_params(&program.context));
        }
    }
    for_each_pair(program, b, |source, sink, pairs| {
        let own = &mut arrays[source.array()];
        match (source.kind, sink.kind) {
            (AccessKind::Read, _) => own.anti.add(&pairs),
            (_, AccessKind::Read) => own.flow.add(&pairs),
            (_, _) => own.output.add(&pairs),
        }
    })?;
    let compact = |(array, dependences): (Tuple, Dependences)| Ok((array, dependences.compact(b)?));
    arrays.into_iter().map(compact).collect()
}

/// Whether two accesses are to the same array, and one of them writes.
fn is_conflict(x: &Access, y: &Access) -> bool {
    x.array() == y.array() && (x.kind != AccessKind::Read || y.kind != AccessKind::Read)
}

/// Calls `found` with each two accesses of which one writes, and the instances that access the same element in this order.
fn for_each_pair(program: &Program, b: &Budget, mut found: impl FnMut(&Access, &Access, Map)) -> Outcome<()> {
    for source in &program.statements {
        for sink in &program.statements {
            let both = source
                .accesses
                .iter()
                .flat_map(|x| sink.accesses.iter().map(move |y| (x, y)));
            let mut conflicts = both.filter(|(x, y)| is_conflict(x, y)).peekable();
            if conflicts.peek().is_none() {
                continue;
            }
            let order = before(source, sink, program, b)?;
            for (x, y) in conflicts {
                let same = x.relation.apply_range(&y.relation.reverse(), b)?;
                let pairs = same.intersect(&order).intersect_params(&program.context);
                if !pairs.is_empty(b)? {
                    found(x, y, pairs);
                }
            }
        }
    }
    Ok(())
}

/// The pairs of instances of two statements in the original order.
fn before(source: &Statement, sink: &Statement, program: &Program, b: &Budget) -> Outcome<Map> {
    let before = Map::lex_lt(program.context.params().clone(), source.schedule.space().range.clone());
    let from_source = source.schedule.to_map().apply_range(&before, b)?;
    from_source.apply_range(&sink.schedule.to_map().reverse(), b)
}
