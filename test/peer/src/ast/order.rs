//! The order that a schedule says, instance by instance, for values of its parameters: by enumeration, without any code.

use super::c::Instance;
use super::points::{PointsError, points};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Map, Params, Set, Tuple, UnionSet};
use farkas_polyhedral::tree::{AnySchedule, FlatSchedule, Node, Tree};
use std::collections::BTreeMap;

/// Values of parameters, by name.
pub type Values = Vec<(String, i64)>;

/// What is to be executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// These instances, sorted, in any order.
    Together(Vec<Instance>),
    /// One after the other.
    Sequence(Vec<Order>),
    /// In any order, perhaps mixed.
    Any(Vec<Order>),
}

/// Why there is no order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OrderError {
    /// The instances cannot be enumerated.
    #[error(transparent)]
    Points(#[from] PointsError),
    /// The parameters are not in the context, or the values of outer members are not in that of an inner context node: what
    /// is executed there is not said.
    #[error("outside of the context")]
    OutsideContext,
    /// The schedule has no value, or none that is an integer, for an instance.
    #[error("no value of a band for {0}")]
    NotTotal(String),
}

impl Order {
    /// How many instances there are.
    pub fn len(&self) -> usize {
        match self {
            Order::Together(instances) => instances.len(),
            Order::Sequence(parts) | Order::Any(parts) => parts.iter().map(Order::len).sum(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// That `found` is in this order.
    ///
    /// # Errors
    ///
    /// The first difference.
    pub fn check(&self, found: &[Instance]) -> Result<(), String> {
        match self {
            Order::Together(expected) => {
                let mut sorted = found.to_vec();
                sorted.sort();
                if sorted == *expected {
                    return Ok(());
                }
                let some = |of: &[Instance], other: &[Instance]| {
                    let count = |x: &Instance, all: &[Instance]| all.iter().filter(|y| *y == x).count();
                    of.iter()
                        .find(|x| count(x, of) > count(x, other))
                        .map_or("none".to_string(), shown)
                };
                Err(format!(
                    "missing: {}, not expected here: {}",
                    some(expected, &sorted),
                    some(&sorted, expected)
                ))
            }
            Order::Sequence(parts) => {
                let mut rest = found;
                for part in parts {
                    let (own, after) = rest.split_at(part.len().min(rest.len()));
                    let at = found.len() - rest.len();
                    part.check(own).map_err(|error| match part {
                        Order::Together(_) => format!("{error}, at instance {at}"),
                        _ => error,
                    })?;
                    rest = after;
                }
                match rest.first() {
                    None => Ok(()),
                    Some(more) => Err(format!("more than expected: {}", shown(more))),
                }
            }
            Order::Any(parts) => {
                let mut rest = found.to_vec();
                for part in parts {
                    // What belongs to this part, in the order in which it was found.
                    let mut wanted: BTreeMap<&Instance, usize> = BTreeMap::new();
                    part.each(&mut |instance| *wanted.entry(instance).or_default() += 1);
                    let mut own = Vec::new();
                    rest.retain(|instance| match wanted.get_mut(instance) {
                        Some(n) if *n > 0 => {
                            *n -= 1;
                            own.push(instance.clone());
                            false
                        }
                        _ => true,
                    });
                    part.check(&own)?;
                }
                match rest.first() {
                    None => Ok(()),
                    Some(more) => Err(format!("more than expected: {}", shown(more))),
                }
            }
        }
    }

    fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a Instance)) {
        match self {
            Order::Together(instances) => instances.iter().for_each(visit),
            Order::Sequence(parts) | Order::Any(parts) => parts.iter().for_each(|part| part.each(visit)),
        }
    }
}

/// An instance as in a call.
pub fn shown((statement, values): &Instance) -> String {
    let values: Vec<String> = values.iter().map(i64::to_string).collect();
    format!("{statement}({})", values.join(", "))
}

/// The order of a schedule, for parameter values that are in its context, with at most `limit` candidates for instances.
///
/// # Errors
///
/// Why there is none.
pub fn order(schedule: &AnySchedule, values: &Values, limit: u64) -> Result<Order, OrderError> {
    let mut executor = Executor { values, limit };
    match schedule {
        AnySchedule::Tree(tree) => executor.tree(tree),
        AnySchedule::Flat(flat) => executor.flat(flat),
    }
}

struct Executor<'a> {
    values: &'a Values,
    limit: u64,
}

fn name(tuple: &Tuple) -> String {
    tuple.name().map_or_else(String::new, |name| name.to_string())
}

impl Executor<'_> {
    fn params(&self, params: &Params) -> Vec<i64> {
        let value = |name: &str| {
            self.values
                .iter()
                .find(|(known, _)| known == name)
                .expect("a parameter")
                .1
        };
        params.names().iter().map(|name| value(name)).collect()
    }

    /// Parameter values of a set followed by those of a point.
    fn inside(&self, set: &Set, point: &[i64]) -> bool {
        let ints = |values: &[i64]| values.iter().map(|v| Int::from(*v)).collect::<Vec<_>>();
        let params = self.params(set.params());
        set.contains(&ints(&params), &ints(point), &Budget::new(1_000_000))
            .expect("a small question")
    }

    fn images(&mut self, map: &Map, from: &[i64]) -> Result<Vec<Vec<i64>>, OrderError> {
        let fixed = [&self.params(map.params()), from].concat();
        Ok(points(map.pieces(), &fixed, &mut self.limit)?.into_iter().collect())
    }

    fn flat(&mut self, flat: &FlatSchedule) -> Result<Order, OrderError> {
        if !self.inside(&flat.context, &[]) {
            return Err(OrderError::OutsideContext);
        }
        let mut by_time: BTreeMap<Vec<i64>, Vec<Instance>> = BTreeMap::new();
        for map in flat.schedule.maps() {
            let n = map.domain_tuple().n();
            for pair in self.images(map, &[])? {
                let (instance, time) = pair.split_at(n);
                let at = by_time.entry(time.to_vec()).or_default();
                at.push((name(map.domain_tuple()), instance.to_vec()));
            }
        }
        Ok(Order::Sequence(by_time.into_values().map(together).collect()))
    }

    fn tree(&mut self, tree: &Tree) -> Result<Order, OrderError> {
        if !self.inside(&tree.context, &[]) {
            return Err(OrderError::OutsideContext);
        }
        let mut instances = Vec::new();
        for set in tree.domain.sets() {
            let own = self.params(set.params());
            let found = points(set.pieces(), &own, &mut self.limit)?;
            instances.extend(found.into_iter().map(|point| (name(set.tuple()), point)));
        }
        self.node(&tree.root, &[], instances)
    }

    /// The order of the instances that reach `node` for some values of the outer members.
    fn node(&mut self, node: &Node, outer: &[i64], mut instances: Vec<Instance>) -> Result<Order, OrderError> {
        if instances.is_empty() {
            return Ok(Order::Sequence(Vec::new()));
        }
        match node {
            Node::Band(band) => {
                let mut groups: BTreeMap<Vec<i64>, Vec<Instance>> = BTreeMap::new();
                for instance in instances {
                    let mut time = Vec::with_capacity(band.n());
                    for member in band.schedule().affs() {
                        let part = member.pw_affs().find(|part| is(&instance, &part.space().tuple));
                        let ints = |values: &[i64]| values.iter().map(|v| Int::from(*v)).collect::<Vec<_>>();
                        let value = part.and_then(|part| {
                            let params = ints(&self.params(part.params()));
                            let value = part.eval(&params, &ints(&instance.1), &Budget::new(1_000_000));
                            value.expect("a small question")?.to_i64()
                        });
                        time.push(value.ok_or_else(|| OrderError::NotTotal(shown(&instance)))?);
                    }
                    groups.entry(time).or_default().push(instance);
                }
                let mut parts = Vec::with_capacity(groups.len());
                for (time, group) in groups {
                    parts.push(self.node(&band.child, &[outer, &time].concat(), group)?);
                }
                Ok(Order::Sequence(parts))
            }
            Node::Filter(filter) => {
                let passed = self.passed(&filter.filter, &instances);
                self.node(&filter.child, outer, passed)
            }
            Node::Sequence(children) | Node::Set(children) => {
                let mut parts = Vec::with_capacity(children.len());
                for child in children {
                    let passed = self.passed(&child.filter, &instances);
                    parts.push(self.node(&child.child, outer, passed)?);
                }
                Ok(match node {
                    Node::Set(_) => Order::Any(parts),
                    _ => Order::Sequence(parts),
                })
            }
            Node::Expansion(expansion) => {
                let mut expanded = Vec::new();
                for map in expansion.expansion.maps() {
                    for instance in instances.iter().filter(|instance| is(instance, map.domain_tuple())) {
                        let images = self.images(map, &instance.1)?;
                        expanded.extend(images.into_iter().map(|point| (name(map.range_tuple()), point)));
                    }
                }
                self.node(&expansion.child, outer, expanded)
            }
            Node::Extension(extension, child) => {
                for map in extension.maps() {
                    let images = self.images(map, outer)?;
                    instances.extend(images.into_iter().map(|point| (name(map.range_tuple()), point)));
                }
                self.node(child, outer, instances)
            }
            Node::Guard(guard, child) => {
                if self.inside(guard, outer) {
                    self.node(child, outer, instances)
                } else {
                    Ok(Order::Sequence(Vec::new()))
                }
            }
            Node::Context(context, child) => {
                if !self.inside(context, outer) {
                    return Err(OrderError::OutsideContext);
                }
                self.node(child, outer, instances)
            }
            Node::Mark(_, child) => self.node(child, outer, instances),
            Node::Leaf => Ok(together(instances)),
        }
    }

    fn passed(&self, filter: &UnionSet, instances: &[Instance]) -> Vec<Instance> {
        let passes = |instance: &&Instance| {
            let mut sets = filter.sets();
            sets.any(|set| is(instance, set.tuple()) && self.inside(set, &instance.1))
        };
        instances.iter().filter(passes).cloned().collect()
    }
}

fn is(instance: &Instance, tuple: &Tuple) -> bool {
    tuple.name().is_none_or(|name| **name == *instance.0)
        && tuple.name().is_some() != instance.0.is_empty()
        && tuple.n() == instance.1.len()
}

fn together(mut instances: Vec<Instance>) -> Order {
    instances.sort();
    Order::Together(instances)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instances(text: &str) -> Vec<Instance> {
        text.split_whitespace()
            .map(|word| (word.to_string(), Vec::new()))
            .collect()
    }

    #[test]
    fn orders_and_what_is_in_them() {
        let part = |text| together(instances(text));
        let check = |order: &Order, text: &str, expected: &str| {
            let found = order.check(&instances(text)).err().unwrap_or_default();
            assert_eq!(found, expected, "{text}");
        };
        let order = Order::Sequence(vec![part("a"), Order::Sequence(vec![]), part("c b")]);
        check(&order, "a b c", "");
        check(&order, "a c b", "");
        check(&order, "b a c", "missing: a(), not expected here: b(), at instance 0");
        check(&order, "a c", "missing: b(), not expected here: none, at instance 1");
        check(&order, "a c b b", "more than expected: b()");
        let any = Order::Any(vec![order, Order::Sequence(vec![part("b"), part("x")])]);
        check(&any, "a b c b x", "");
        check(&any, "a b c x b", "missing: b(), not expected here: x(), at instance 0");
    }
}
