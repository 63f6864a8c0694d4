//! What statements say of orders of execution: dependences, schedules, and loops.

use super::value::{Computed, Failure, Value, misuse};
use farkas_polyhedral::ast::{self, AstError};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::flow::{AccessInfo, Order, OrderError};
use farkas_polyhedral::schedule::{self, Options, ScheduleConstraints, ScheduleError};
use farkas_polyhedral::sets::{Set, SetSpace, UnionMap};
use farkas_polyhedral::tree::verify;

/// The pairs of a source access and a later sink access of the same element, under an order that is a relation to times or a
/// schedule tree. With `last`, only the last source before each sink.
pub(super) fn before(last: bool, source: &Value, sink: &Value, order: &Value, b: &Budget) -> Computed {
    let (Value::Map(source), Value::Map(sink)) = (source, sink) else {
        return misuse(format!(
            "expected relations to elements before and behind `before`, found a {} and a {}",
            source.type_name(),
            sink.type_name()
        ));
    };
    let order = match order {
        Value::Map(schedule) => Order::from_map(schedule, b),
        Value::Schedule(tree) => Order::from_tree(tree, b),
        other => return misuse(format!("a {} is no order", other.type_name())),
    };
    let mut accesses = AccessInfo::new(sink.clone(), order.map_err(order_failure)?);
    if last {
        accesses.must_source = source.clone();
    } else {
        accesses.may_source = source.clone();
    }
    let flow = accesses.flow(b)?;
    Ok(Value::Map(if last { flow.must(b)? } else { flow.may(b)? }))
}

/// A schedule of the instances in `domain`, in which no pair in `validity` changes its order, and those in `proximity` are
/// close to each other. Members are coincident that keep the pairs in `validity` together: loops over these are parallel.
pub(super) fn schedule(domain: &Value, validity: Option<&Value>, proximity: Option<&Value>, b: &Budget) -> Computed {
    let Value::Set(domain) = domain else {
        return misuse(format!("a {} is not scheduled: expected a set", domain.type_name()));
    };
    let relation = |value: Option<&Value>| match value {
        None => Ok(UnionMap::empty(domain.params().clone())),
        Some(Value::Map(map)) => Ok(map.clone()),
        Some(other) => misuse(format!("a {} in the place of a relation", other.type_name())),
    };
    let validity = relation(validity)?;
    let constraints = ScheduleConstraints {
        coincidence: validity.clone(),
        validity,
        proximity: relation(proximity)?,
        ..ScheduleConstraints::on_domain(domain.clone())
    };
    let tree = schedule::schedule(&constraints, &Options::default(), b).map_err(|error| match error {
        ScheduleError::OutOfBudget(_) => Failure::OutOfBudget,
        other => Failure::Misuse(other.to_string()),
    })?;
    Ok(Value::Schedule(tree.into()))
}

/// The loops that execute a schedule, a tree or a relation to times, as C-like text.
pub(super) fn codegen(order: &Value, b: &Budget) -> Computed {
    let options = ast::Options::default();
    let generated = match order {
        Value::Schedule(tree) => {
            verify(tree, b).map_err(|error| Failure::Misuse(error.to_string()))?;
            ast::generate(tree, &options, b)
        }
        Value::Map(schedule) => {
            let ranges: Vec<_> = schedule.maps().map(|map| map.range_tuple()).collect();
            if ranges.windows(2).any(|pair| pair[0] != pair[1]) {
                return misuse("expected times of one space");
            }
            let context = Set::universe(SetSpace::params_only(schedule.params().clone()));
            let no_options = UnionMap::empty(schedule.params().clone());
            ast::generate_relation(schedule, &context, &no_options, &options, b)
        }
        other => return misuse(format!("a {} has no loops: expected a schedule", other.type_name())),
    };
    let ast = generated.map_err(|error| match error {
        AstError::OutOfBudget(_) => Failure::OutOfBudget,
        other => Failure::Misuse(other.to_string()),
    })?;
    Ok(Value::Text(ast.to_string().trim_end().to_string()))
}

fn order_failure(error: OrderError) -> Failure {
    match error {
        OrderError::OutOfBudget(_) => Failure::OutOfBudget,
        other => Failure::Misuse(other.to_string()),
    }
}
