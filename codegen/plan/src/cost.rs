//! A rough cost of an execution order: what the innermost loop of each of the deepest statements does.
//!
//! The unit is about a quarter of a cycle. The absolute values mean little; the same rules judge the original order and
//! the new one, and a region is only transformed where the difference is clear.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::program::Program;
use farkas_polyhedral::sets::{Map, MultiAff, Tuple, UnionMap};
use indexmap::IndexMap;

use crate::linear::{LinearStatement, Statements, Stride, direction, linear_part};

/// An access to consecutive elements in a loop that can be vectorized.
const VECTOR_ACCESS: u64 = 1;
/// An access in a loop that cannot be.
const SCALAR_ACCESS: u64 = 4;
/// An access that touches another cache line each time.
const STRIDED_ACCESS: u64 = 12;
/// An iteration that waits for the one before it.
const CARRIED_DEPENDENCE: u64 = 16;

/// The cost of an instance of each of the deepest statements.
#[derive(Clone, Debug)]
pub(super) struct Cost {
    statements: IndexMap<Tuple, u64>,
    total: u64,
    /// Whether the innermost loop of each carries no dependence.
    parallel: bool,
}

impl Cost {
    /// That of all statements.
    pub(super) fn total(&self) -> u64 {
        self.total
    }
}

/// The comparison of two orders.
pub(super) enum Verdict {
    /// The new order is better, with what was gained where that can be said.
    Gain(Option<String>),
    /// It is not clearly better.
    NoGain(String),
}

/// The cost of the original order.
pub(super) fn of_original(
    program: &Program,
    statements: &Statements,
    dependences: &UnionMap,
    b: &Budget,
) -> Outcome<Cost> {
    let schedule = program
        .statements
        .iter()
        .map(|s| (s.tuple().clone(), s.schedule.clone()))
        .collect();
    of_schedule(&schedule, statements, dependences, b)
}

/// The cost of an order, given as one function a statement, which is not tiled.
pub(super) fn of_schedule(
    schedule: &IndexMap<Tuple, MultiAff>,
    statements: &Statements,
    dependences: &UnionMap,
    b: &Budget,
) -> Outcome<Cost> {
    let deepest = statements.values().map(LinearStatement::extent).max().unwrap_or(0);
    let mut costs = IndexMap::new();
    let mut all_parallel = true;
    for (tuple, statement) in statements.iter().filter(|(_, s)| s.extent() == deepest) {
        let rows: Vec<Option<Row>> = schedule[tuple].affs().iter().map(linear_part).collect();
        let varies = |row: &Option<Row>| row.as_ref().is_none_or(|row| row.iter().any(|c| !c.is_zero()));
        let Some(innermost) = rows.iter().rposition(varies) else {
            continue;
        };
        let linear: Option<Vec<_>> = rows.into_iter().collect();
        let direction = linear.and_then(|rows| direction(&rows, innermost, statement.depth));
        let parallel = is_parallel(dependences, schedule, tuple, innermost, b)?;
        all_parallel &= parallel;
        costs.insert(tuple.clone(), of_loop(statement, direction.as_deref(), parallel));
    }
    Ok(Cost {
        total: costs.values().sum(),
        statements: costs,
        parallel: all_parallel,
    })
}

/// The cost of one iteration of a loop along `direction`.
pub(super) fn of_loop(statement: &LinearStatement, direction: Option<&[Int]>, parallel: bool) -> u64 {
    let strides: Vec<(Stride, bool)> = statement
        .accesses
        .iter()
        .map(|access| (direction.map_or(Stride::Other, |d| access.stride(d)), access.writes))
        .collect();
    let strided = strides.iter().filter(|(stride, _)| *stride == Stride::Other).count() as u64;
    let unit = strides.iter().filter(|(stride, _)| *stride == Stride::Unit).count() as u64;
    if parallel && strided == 0 {
        return 1 + unit * VECTOR_ACCESS;
    }
    let carried = if parallel { 0 } else { CARRIED_DEPENDENCE };
    1 + unit * SCALAR_ACCESS + strided * STRIDED_ACCESS + carried
}

/// Whether no dependence of the statement is carried by function `position` of the schedule.
pub(super) fn is_parallel(
    dependences: &UnionMap,
    schedule: &IndexMap<Tuple, MultiAff>,
    statement: &Tuple,
    position: usize,
    b: &Budget,
) -> Outcome<bool> {
    for dependence in dependences.maps() {
        let (source, target) = (dependence.domain_tuple(), dependence.range_tuple());
        if source != statement && target != statement {
            continue;
        }
        let together = agree(dependence, &schedule[source], &schedule[target], position, b)?;
        let carried = together.subtract(
            &agree(&together, &schedule[source], &schedule[target], position + 1, b)?,
            b,
        )?;
        if !carried.is_empty(b)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The pairs of a dependence whose first `n` schedule values are the same.
fn agree(dependence: &Map, source: &MultiAff, target: &MultiAff, n: usize, b: &Budget) -> Outcome<Map> {
    let prefix = |function: &MultiAff| {
        let affs = function.affs()[..n].to_vec();
        MultiAff::new(function.domain_space(), Tuple::anonymous(n), affs).to_map()
    };
    Ok(dependence.intersect(&prefix(source).apply_range(&prefix(target).reverse(), b)?))
}

/// Whether an order that costs `after` is clearly better by its innermost loops than one that costs `before`.
pub(super) fn is_clear_gain(before: u64, after: u64) -> bool {
    after * 3 <= before * 2
}

/// Whether the new order is clearly better than the original one: by its innermost loops, or because tiles will use
/// values again from the cache over time, or from registers.
pub(super) fn compare(before: &Cost, after: &Cost, tiles_time: bool, keeps_in_registers: bool) -> Verdict {
    let worse = after
        .statements
        .iter()
        .any(|(tuple, cost)| before.statements.get(tuple).is_some_and(|old| cost > old));
    // A statement that is in loops in one of the orders only says nothing.
    let common = |cost: &Cost, other: &Cost| -> u64 {
        let statements = cost.statements.iter();
        let both = statements.filter(|(tuple, _)| other.statements.contains_key(*tuple));
        both.map(|(_, cost)| cost).sum()
    };
    if is_clear_gain(common(before, after), common(after, before)) && !worse {
        return Verdict::Gain(Some("interchanged loops for consecutive accesses".to_string()));
    }
    // Where each iteration waits for the one before, memory is not what limits: tiling over time would gain nothing.
    if (tiles_time && after.parallel || keeps_in_registers) && after.total <= before.total {
        return Verdict::Gain(None);
    }
    Verdict::NoGain(format!(
        "no gain expected: estimated cost {} of the new order against {} of the original",
        after.total, before.total
    ))
}
