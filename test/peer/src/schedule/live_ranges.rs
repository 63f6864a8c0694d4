//! Whether live ranges that a schedule reorders overlap (P4, 3.3 and 4).
//!
//! A *condition* `w -> r` is a live range: `w` writes what `r` reads. A *conditioned* pair `a -> b` says that the ranges that
//! end in `a` use the same memory as those that start in `b`, and originally come first. Either `a` is executed before `b`, or
//! the ranges are exchanged as wholes: for all `w -> a` and `b -> c`,
//!
//! ```text
//! b before w,   c before a,   c before w
//! ```
//!
//! where two accesses of one instance are in order, since an instance reads before it writes. Nothing is asked where there
//! is neither `w` nor `c`. Instances have tags, as `[S[i] -> access[]]`, that have to be the same for ranges and pairs
//! to meet, and do not matter for the order. This is the meaning of what the scheduler does band by band, over times alone.

use super::outline::Outline;
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::schedule::ScheduleConstraints;
use farkas_polyhedral::sets::{Aff, Map, Set, SetSpace, Tuple, UnionMap};
use indexmap::IndexMap;

/// Two accesses that live ranges which should not overlap have in the wrong order, if there are any.
///
/// # Errors
///
/// If the budget is spent.
pub fn overlap(constraints: &ScheduleConstraints, outline: &Outline, b: &Budget) -> Outcome<Option<String>> {
    let times = Times(outline.times());
    let ranges = times.within(&constraints.condition, constraints);
    let mut exchanged = Vec::new();
    for pairs in times.within(&constraints.conditional_validity, constraints) {
        let pairs = times.not_in_order(&pairs);
        if !pairs.is_empty(b)? {
            exchanged.push(pairs);
        }
    }
    // Pairs of accesses of which the second has to come first.
    let mut reversed = Vec::new();
    for pairs in &exchanged {
        for after in ranges
            .iter()
            .filter(|range| range.domain_tuple() == pairs.range_tuple())
        {
            reversed.push(pairs.apply_range(after, b)?);
        }
        let before: Vec<&Map> = ranges
            .iter()
            .filter(|range| range.range_tuple() == pairs.domain_tuple())
            .collect();
        for before in before {
            let from_start = before.apply_range(pairs, b)?;
            for after in ranges
                .iter()
                .filter(|range| range.domain_tuple() == pairs.range_tuple())
            {
                reversed.push(from_start.apply_range(after, b)?);
            }
            reversed.push(from_start);
        }
    }
    for pairs in reversed {
        let wrong = times.not_in_order(&pairs.reverse());
        if !wrong.is_empty(b)? {
            return Ok(Some(wrong.to_string()));
        }
    }
    Ok(None)
}

struct Times(IndexMap<Tuple, Vec<Aff>>);

impl Times {
    /// The statement of an instance with or without a tag.
    fn statement<'a>(&self, tuple: &'a Tuple) -> Option<&'a Tuple> {
        let statement = tuple.nested().map(|(statement, _)| statement);
        [Some(tuple), statement]
            .into_iter()
            .flatten()
            .find(|tuple| self.0.contains_key(*tuple))
    }

    /// The pairs of instances in the domain, for parameters in the context.
    fn within(&self, relation: &UnionMap, constraints: &ScheduleConstraints) -> Vec<Map> {
        let instances = |tuple: &Tuple| -> Option<Set> {
            let set = constraints.domain.extract(self.statement(tuple)?);
            let n = set.n_dims();
            Some(set.insert_dims(n, tuple.n() - n).with_tuple(tuple.clone()))
        };
        let within = |map: &Map| {
            let (domain, range) = instances(map.domain_tuple()).zip(instances(map.range_tuple()))?;
            Some(
                map.intersect_domain(&domain)
                    .intersect_range(&range)
                    .intersect_params(&constraints.context),
            )
        };
        relation.maps().filter_map(within).collect()
    }

    /// The time of instances with or without a tag.
    fn of(&self, tuple: &Tuple) -> Vec<Aff> {
        let statement = self.statement(tuple).expect("a statement with a schedule");
        let (n, tag) = (statement.n(), tuple.n() - statement.n());
        let time = self.0[statement].iter();
        time.map(|aff| aff.insert_dims(n, tag, tuple.clone())).collect()
    }

    /// The pairs of different instances of which the first is not executed before the second.
    fn not_in_order(&self, pairs: &Map) -> Map {
        let (source, sink) = (pairs.domain_tuple(), pairs.range_tuple());
        let mut out = Map::empty(pairs.space().clone());
        let mut open = pairs.clone();
        for (x, y) in self.of(source).iter().zip(&self.of(sink)) {
            out = out.union(&open.intersect(&Map::less(y, x).reverse()));
            open = open.intersect(&Map::equal(x, y));
        }
        let (of_source, of_sink) = (self.statement(source), self.statement(sink));
        if of_source != of_sink {
            return out.union(&open);
        }
        let var = |tuple: &Tuple, dim| Aff::var(SetSpace::new(pairs.params().clone(), tuple.clone()), dim);
        for dim in 0..of_source.map_or(0, Tuple::n) {
            let (x, y) = (var(source, dim), var(sink, dim));
            let apart = Map::less(&x, &y).union(&Map::less(&y, &x).reverse());
            out = out.union(&open.intersect(&apart));
        }
        out
    }
}
