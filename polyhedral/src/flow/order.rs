//! The order in which instances are executed.

use indexmap::IndexMap;

use crate::budget::{Budget, OutOfBudget, Outcome};
use crate::int::Int;
use crate::sets::{Aff, Map, MapSpace, Params, PwMultiAff, Set, SetSpace, Tuple, UnionMap, UnionSet};
use crate::tree::Tree;

/// Why a relation is no schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OrderError {
    /// The budget is spent.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
    /// Times are in several spaces, and cannot be compared.
    #[error("times in {0} and in {1}")]
    SeveralSpaces(Tuple, Tuple),
    /// An instance has more than one time.
    #[error("instances of {0} have several times")]
    SeveralTimes(Tuple),
}

/// An order of instances: each has a *time*, a tuple of integers, and comes *before* another one if its time is
/// lexicographically smaller. Instances with the same time are not ordered, nor are those whose times differ first in a
/// dimension that is a position among the children of a set node.
#[derive(Clone, Debug)]
pub struct Order {
    times: IndexMap<Tuple, Times>,
}

/// The times of the instances of one statement.
#[derive(Clone, Debug)]
pub(super) struct Times {
    /// From instances to times, a function.
    pub(super) schedule: Map,
    /// From times to instances.
    pub(super) instances: Map,
    /// The dimensions of time that are the same for all instances.
    constants: Vec<Option<Int>>,
    /// Per dimension, the instances that it does not order, if there are any. Two instances whose times agree in the dimensions
    /// before are both among them, or neither.
    unordered: Vec<Option<Set>>,
}

impl Order {
    /// The order by the values of a function from instances to a common space. It may be piecewise and quasi-affine.
    ///
    /// # Errors
    ///
    /// If the relation is no such function, or if the budget is spent.
    pub fn from_map(schedule: &UnionMap, b: &Budget) -> Result<Order, OrderError> {
        let mut times: IndexMap<Tuple, Times> = IndexMap::new();
        for map in schedule.maps() {
            if map.is_empty(b)? {
                continue;
            }
            if let Some(first) = times.values().next()
                && first.schedule.range_tuple() != map.range_tuple()
            {
                let (x, y) = (first.schedule.range_tuple().clone(), map.range_tuple().clone());
                return Err(OrderError::SeveralSpaces(x, y));
            }
            let tuple = map.domain_tuple().clone();
            let Some(function) = PwMultiAff::from_map(map, b)? else {
                return Err(OrderError::SeveralTimes(tuple));
            };
            times.insert(tuple, Times::new(map, &function));
        }
        Ok(Order { times })
    }

    /// The order of a schedule tree.
    ///
    /// # Errors
    ///
    /// If an extension introduces an instance several times, or if the budget is spent.
    pub fn from_tree(tree: &Tree, b: &Budget) -> Result<Order, OrderError> {
        let (times, in_sets) = tree.schedule_map_and_sets(b)?;
        let mut order = Order::from_map(&times, b)?;
        for (tuple, times) in &mut order.times {
            let own = |all: &UnionSet| all.sets().find(|set| set.tuple() == tuple).cloned();
            times.unordered = in_sets.iter().map(own).collect();
        }
        Ok(order)
    }

    /// The order of tagged instances `[S[i] -> ref[]]`, those in `tagged`: the one of the instances `S[i]`.
    ///
    /// # Panics
    ///
    /// If an element of `tagged` is no pair.
    pub fn of_tagged(&self, tagged: &UnionSet, b: &Budget) -> Outcome<Order> {
        let mut times = IndexMap::new();
        for set in tagged.sets() {
            let to_instances = set.unwrap().domain_map();
            if let Some(own) = self.times.get(to_instances.range_tuple()) {
                let schedule = to_instances.apply_range(&own.schedule, b)?;
                let instances = schedule.reverse();
                let constants = own.constants.clone();
                let tagged = |unordered: &Option<Set>| -> Outcome<Option<Set>> {
                    let unordered = unordered.as_ref().map(|set| set.apply(&to_instances.reverse(), b));
                    unordered.transpose()
                };
                let unordered = own.unordered.iter().map(tagged).collect::<Outcome<_>>()?;
                times.insert(
                    set.tuple().clone(),
                    Times {
                        schedule,
                        instances,
                        constants,
                        unordered,
                    },
                );
            }
        }
        Ok(Order { times })
    }

    /// The number of dimensions of time.
    pub(super) fn depth(&self) -> usize {
        self.times.values().next().map_or(0, |times| times.constants.len())
    }

    /// The times of the instances in `tuple`, if any are executed.
    pub(super) fn times(&self, tuple: &Tuple) -> Option<&Times> {
        self.times.get(tuple)
    }
}

impl Times {
    fn new(map: &Map, function: &PwMultiAff) -> Times {
        let constant = |dim: usize| {
            let mut values = function.pieces().map(|(_, piece)| piece.affs()[dim].as_constant());
            let first = values.next()??;
            values.all(|value| value.as_ref() == Some(&first)).then_some(first)
        };
        Times {
            schedule: map.clone(),
            instances: map.reverse(),
            constants: (0..map.range_tuple().n()).map(constant).collect(),
            unordered: vec![None; map.range_tuple().n()],
        }
    }

    /// Whether there may be instances here and in `other` that have different times and are not ordered.
    pub(super) fn may_be_unordered(&self, other: &Times) -> bool {
        let same = |k: usize| self.constants[k].is_some() && self.constants[k] == other.constants[k];
        (0..self.constants.len()).any(|k| self.unordered[k].is_some() && !same(k))
    }

    /// Whether the constant dimensions allow an instance here to come before one of `later` at level `level`.
    fn may_precede(&self, later: &Times, level: usize) -> bool {
        let both = |k: usize| self.constants[k].as_ref().zip(later.constants[k].as_ref());
        (0..level).all(|k| both(k).is_none_or(|(x, y)| x == y)) && both(level).is_none_or(|(x, y)| x < y)
    }

    /// The pairs `{ y -> x }` of an instance `y` here and one `x` of `earlier` that comes before it at level `level`: their
    /// times agree in the first `level` dimensions, and that of `x` is smaller in the next one, which orders them.
    pub(super) fn preceding_at(&self, level: usize, earlier: &Times, b: &Budget) -> Outcome<Option<Map>> {
        if !earlier.may_precede(self, level) {
            return Ok(None);
        }
        let time = self.schedule.range_tuple().clone();
        let params = self.schedule.params().union(earlier.schedule.params());
        let all = preceding_times(params, time, level);
        let pairs = self.schedule.apply_range(&all, b)?.apply_range(&earlier.instances, b)?;
        let mut pairs = without_empty_pieces(&pairs, b)?;
        if let Some(unordered) = &self.unordered[level] {
            pairs = pairs.subtract_domain(unordered, b)?;
        }
        Ok((!pairs.is_plainly_empty()).then_some(pairs))
    }

    /// The pairs `{ y -> x }` of an instance `y` here and one `x` of `earlier` that comes before it.
    pub(super) fn preceding(&self, earlier: &Times, b: &Budget) -> Outcome<Map> {
        if !self.may_be_unordered(earlier) {
            return self.schedule.lex_gt_map(&earlier.schedule, b);
        }
        let mut all = Map::empty(self.schedule.apply_range(&earlier.instances, b)?.space().clone());
        for level in 0..self.constants.len() {
            if let Some(pairs) = self.preceding_at(level, earlier, b)? {
                all = all.union(&pairs);
            }
        }
        Ok(all)
    }
}

/// The pairs of times of which the second comes before the first at level `level`.
fn preceding_times(params: Params, time: Tuple, level: usize) -> Map {
    let space = SetSpace::new(params.clone(), time.clone());
    let mut all = Map::universe(MapSpace::new(params, time.clone(), time));
    for k in 0..level {
        all = all.equate(k, k);
    }
    let value = Aff::var(space, level);
    all.intersect(&Map::less(&value, &value).reverse())
}

/// The relation without the pieces that have no elements.
pub(super) fn without_empty_pieces(map: &Map, b: &Budget) -> Outcome<Map> {
    let mut pieces = Vec::new();
    for piece in map.pieces() {
        if !piece.is_empty(b)? {
            pieces.push(piece);
        }
    }
    if pieces.len() == map.pieces().len() {
        return Ok(map.clone());
    }
    Ok(Map::from_conjs(
        map.space().clone(),
        pieces.into_iter().cloned().collect(),
    ))
}
