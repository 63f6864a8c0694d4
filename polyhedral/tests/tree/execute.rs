//! Execution of a tree for given parameters, instance by instance, on plain integers: the oracle of rewriting.

use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Map, Params, Set, Tuple};
use farkas_polyhedral::tree::{Node, Path, Tree};

/// A statement, and the values of its dimensions.
pub(crate) type Instance = (String, Vec<i64>);

/// All dimensions of all instances are in this range, except those of groups, which are called `G`.
pub(crate) const RANGE: std::ops::RangeInclusive<i64> = 0..=3;

/// The dimensions of groups, which are values of members, are in this range.
const WIDE: std::ops::RangeInclusive<i64> = -7..=14;

/// What is told of every visit of a node: where it is, the values of the outer members and the instances that reach it.
pub(crate) type Visit<'a> = &'a mut dyn FnMut(&Path, &[i64], &[Instance]);

pub(crate) struct Executor<'a> {
    /// The parameters.
    pub(crate) params: &'a [(&'a str, i64)],
    /// The instances in order, with those that are not ordered sorted.
    pub(crate) executed: Vec<Instance>,
}

pub(crate) fn ints(values: &[i64]) -> Vec<Int> {
    values.iter().map(|v| Int::from(*v)).collect()
}

/// Whether a point is in a set.
pub(crate) fn inside(set: &Set, params: &[Int], point: &[i64]) -> bool {
    set.contains(params, &ints(point), &Budget::new(1_000_000)).unwrap()
}

/// Whether two points are related.
pub(crate) fn paired(map: &Map, params: &[Int], from: &[i64], to: &[i64]) -> bool {
    map.contains(params, &ints(from), &ints(to), &Budget::new(1_000_000))
        .unwrap()
}

/// The instances of a tree in its order.
pub(crate) fn execute(tree: &Tree, params: &[(&str, i64)]) -> Vec<Instance> {
    execute_visiting(tree, params, &mut |_, _, _| {})
}

pub(crate) fn execute_visiting(tree: &Tree, params: &[(&str, i64)], visit: Visit<'_>) -> Vec<Instance> {
    let mut executor = Executor {
        params,
        executed: Vec::new(),
    };
    let context = executor.values(tree.context.params());
    if !inside(&tree.context, &context, &[]) {
        return Vec::new();
    }
    let mut instances = Vec::new();
    for set in tree.domain.sets() {
        let own = executor.values(set.params());
        let points = points(set.tuple());
        let within = points.into_iter().filter(|point| inside(set, &own, point));
        instances.extend(within.map(|point| (name(set.tuple()), point)));
    }
    executor.node(&tree.root, &Path::root(), &[], instances, visit);
    executor.executed
}

pub(crate) fn name(tuple: &Tuple) -> String {
    tuple.name().map_or_else(String::new, |name| name.to_string())
}

pub(crate) fn points(tuple: &Tuple) -> Vec<Vec<i64>> {
    let range = if name(tuple) == "G" { WIDE } else { RANGE };
    let mut points = vec![Vec::new()];
    for _ in 0..tuple.n() {
        let longer = |point: Vec<i64>| range.clone().map(move |v| [point.clone(), vec![v]].concat());
        points = points.into_iter().flat_map(longer).collect();
    }
    points
}

impl Executor<'_> {
    pub(crate) fn values(&self, params: &Params) -> Vec<Int> {
        let value = |name: &str| self.params.iter().find(|(n, _)| *n == name).expect("a parameter").1;
        params.names().iter().map(|name| Int::from(value(name))).collect()
    }

    fn is(&self, instance: &Instance, tuple: &Tuple) -> bool {
        name(tuple) == instance.0 && tuple.n() == instance.1.len()
    }

    /// The instances that reach `node` for some values of the outer members.
    fn node(&mut self, node: &Node, path: &Path, outer: &[i64], mut instances: Vec<Instance>, visit: Visit<'_>) {
        if instances.is_empty() {
            return;
        }
        visit(path, outer, &instances);
        let first = path.child(0);
        match node {
            Node::Band(band) => {
                let mut groups: Vec<(Vec<i64>, Vec<Instance>)> = Vec::new();
                for instance in instances {
                    let value = |k: usize| {
                        let mut parts = band.schedule().affs()[k].pw_affs();
                        let part = parts.find(|part| self.is(&instance, &part.space().tuple));
                        let part = part.expect("a function for the statement");
                        let b = Budget::new(1_000_000);
                        let value = part.eval(&self.values(part.params()), &ints(&instance.1), &b).unwrap();
                        value.and_then(|v| v.to_i64()).expect("an integer")
                    };
                    let time: Vec<i64> = (0..band.n()).map(value).collect();
                    match groups.iter_mut().find(|(t, _)| *t == time) {
                        Some((_, group)) => group.push(instance),
                        None => groups.push((time, vec![instance])),
                    }
                }
                groups.sort();
                for (time, group) in groups {
                    self.node(&band.child, &first, &[outer, &time].concat(), group, visit);
                }
            }
            Node::Filter(filter) => {
                let passed = self.passed(&filter.filter, &instances);
                self.node(&filter.child, &first, outer, passed, visit);
            }
            Node::Sequence(children) | Node::Set(children) => {
                for (position, child) in children.iter().enumerate() {
                    let passed = self.passed(&child.filter, &instances);
                    self.node(&child.child, &path.child(position), outer, passed, visit);
                }
            }
            Node::Expansion(expansion) => {
                let mut expanded = Vec::new();
                for map in expansion.expansion.maps() {
                    let own = self.values(map.params());
                    for instance in instances.iter().filter(|i| self.is(i, map.domain_tuple())) {
                        let images = points(map.range_tuple()).into_iter();
                        let images = images.filter(|p| paired(map, &own, &instance.1, p));
                        expanded.extend(images.map(|p| (name(map.range_tuple()), p)));
                    }
                }
                self.node(&expansion.child, &first, outer, expanded, visit);
            }
            Node::Extension(extension, child) => {
                for map in extension.maps() {
                    let own = self.values(map.params());
                    let images = points(map.range_tuple()).into_iter();
                    let images = images.filter(|p| paired(map, &own, outer, p));
                    instances.extend(images.map(|p| (name(map.range_tuple()), p)));
                }
                self.node(child, &first, outer, instances, visit);
            }
            Node::Guard(guard, child) => {
                if inside(guard, &self.values(guard.params()), outer) {
                    self.node(child, &first, outer, instances, visit);
                }
            }
            Node::Context(_, child) | Node::Mark(_, child) => self.node(child, &first, outer, instances, visit),
            Node::Leaf => {
                instances.sort();
                self.executed.extend(instances);
            }
        }
    }

    pub(crate) fn passed(&self, filter: &farkas_polyhedral::sets::UnionSet, instances: &[Instance]) -> Vec<Instance> {
        let passes = |instance: &&Instance| {
            filter
                .sets()
                .any(|set| self.is(instance, set.tuple()) && inside(set, &self.values(set.params()), &instance.1))
        };
        instances.iter().filter(passes).cloned().collect()
    }
}
