//! When an instance is executed, for values of the parameters: by evaluation of a tree from its root down, which takes no more than a
//! few operations an instance.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::Statement;
use farkas_polyhedral::sets::{Params, Tuple, UnionSet};
use farkas_polyhedral::tree::{Filter, Node};

/// The values of parameters by name.
pub(crate) type Values = [(String, i64)];

/// A statement instance, for values of the parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instance<'a> {
    pub(crate) statement: &'a Statement,
    pub(crate) dims: &'a [Int],
    pub(crate) values: &'a Values,
}

/// When an instance is executed.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Time {
    /// It comes before others with lexicographically larger values.
    values: Vec<Int>,
    /// The position from which on the values are those of the innermost band around it.
    innermost: usize,
}

impl Time {
    /// What instances have in common that differ in the innermost band only.
    pub(crate) fn block(&self) -> &[Int] {
        &self.values[..self.innermost]
    }
}

impl Instance<'_> {
    /// When it is executed in the original order.
    pub(crate) fn original_time(&self) -> Option<Time> {
        let schedule = &self.statement.schedule;
        let values = schedule.eval(&self.params(schedule.params())?, self.dims)?;
        Some(Time { values, innermost: 0 })
    }

    /// When it is executed in the order of the node and those below it. `None` where that is not plain to see.
    pub(crate) fn time(&self, node: &Node, b: &Budget) -> Outcome<Option<Time>> {
        let mut time = Time::default();
        Ok(self.walk(node, &mut time, b)?.then_some(time))
    }

    fn walk(&self, node: &Node, time: &mut Time, b: &Budget) -> Outcome<bool> {
        match node {
            Node::Leaf => Ok(true),
            Node::Band(band) => {
                let Some(own) = band.statements().find(|tuple| self.is_of(tuple)) else {
                    return Ok(false);
                };
                time.innermost = time.values.len();
                for member in 0..band.n() {
                    let Some(part) = band.part(member, own) else {
                        return Ok(false);
                    };
                    let Some(params) = self.params(part.params()) else {
                        return Ok(false);
                    };
                    match part.eval(&params, self.dims, b)? {
                        Some(value) => time.values.push(value),
                        None => return Ok(false),
                    }
                }
                self.walk(&band.child, time, b)
            }
            Node::Filter(filter) => Ok(self.passes(filter, b)? && self.walk(&filter.child, time, b)?),
            Node::Sequence(children) | Node::Set(children) => {
                for (position, child) in children.iter().enumerate() {
                    if self.passes(child, b)? {
                        time.values.push(Int::from(position as i64));
                        return self.walk(&child.child, time, b);
                    }
                }
                Ok(false)
            }
            Node::Extension(_, child) | Node::Guard(_, child) | Node::Context(_, child) | Node::Mark(_, child) => {
                self.walk(child, time, b)
            }
            Node::Expansion(_) => Ok(false),
        }
    }

    fn passes(&self, filter: &Filter, b: &Budget) -> Outcome<bool> {
        self.is_in(&filter.filter, b)
    }

    fn is_in(&self, set: &UnionSet, b: &Budget) -> Outcome<bool> {
        for set in set.sets().filter(|set| self.is_of(set.tuple())) {
            if let Some(params) = self.params(set.params())
                && set.contains(&params, self.dims, b)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the tuple is of the statement, whatever its loops are called.
    fn is_of(&self, tuple: &Tuple) -> bool {
        let own = self.statement.tuple();
        own.name() == tuple.name() && own.n() == tuple.n()
    }

    fn params(&self, params: &Params) -> Option<Vec<Int>> {
        let value = |name: &str| self.values.iter().find(|(own, _)| own == name);
        let values = params.names().iter().map(|name| value(name.as_str()));
        values.map(|value| value.map(|(_, value)| Int::from(*value))).collect()
    }
}
