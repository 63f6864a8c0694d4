//! What dependence analysis is given, and what it finds (P0 section 3.1).

use super::engine;
use super::order::Order;
use crate::budget::{Budget, Outcome};
use crate::sets::UnionMap;

/// The input of dependence analysis: accesses, relations from instances to elements of arrays, and the order of the
/// instances. Instances may be tagged, `[S[i] -> ref[]]`; then they are in all of it.
///
/// Instances that are not in the order are not executed, and their accesses do not count.
#[derive(Clone, Debug)]
pub struct AccessInfo {
    /// What may need the value of an element.
    pub sink: UnionMap,
    /// What may define the value of an element, but is not sure to.
    pub may_source: UnionMap,
    /// What defines the value of an element for sure, so that no earlier value is left.
    pub must_source: UnionMap,
    /// What leaves no earlier value of an element without defining a new one.
    pub kill: UnionMap,
    /// The order of the instances.
    pub order: Order,
}

impl AccessInfo {
    /// The dependences of `sink` on nothing yet: no sources, and no kills.
    pub fn new(sink: UnionMap, order: Order) -> AccessInfo {
        let none = UnionMap::empty(sink.params().clone());
        AccessInfo {
            sink,
            may_source: none.clone(),
            must_source: none.clone(),
            kill: none,
            order,
        }
    }

    /// The dependences.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn flow(&self, b: &Budget) -> Outcome<Flow> {
        let found = engine::search(self, b)?;
        let full_must = found.must(b)?;
        Ok(Flow {
            full_must: tidy(&full_must, b)?,
            full_may: tidy(&found.may, b)?,
            must_no_source: tidy(&found.without_any_source(b)?, b)?,
            may_no_source: tidy(&found.open, b)?,
        })
    }

    /// [`Flow::full_may`] and [`Flow::may_no_source`] alone.
    pub(super) fn may(&self, b: &Budget) -> Outcome<(UnionMap, UnionMap)> {
        let found = engine::search(self, b)?;
        Ok((tidy(&found.may, b)?, tidy(&found.open, b)?))
    }
}

fn tidy(map: &UnionMap, b: &Budget) -> Outcome<UnionMap> {
    map.compact(b)
}

/// The result of dependence analysis.
///
/// In what follows, the *cuts* are the must-sources and the kills.
#[derive(Clone, Debug)]
pub struct Flow {
    /// The triples `i -> [k -> a]` of a must-source `i` of `a` and a sink `k` that surely sees the value that `i` has
    /// defined: `i` comes before `k`, and every other source or kill of `a` that comes before `k` comes before `i`.
    pub full_must: UnionMap,
    /// The triples `i -> [k -> a]` of a source `i` of `a` and a sink `k` that may see the value that `i` has defined: `i`
    /// comes before `k`, and no cut of `a` is between them.
    pub full_may: UnionMap,
    /// The sinks `k -> a` that surely see no value that was defined here: no source and no kill of `a` comes before.
    pub must_no_source: UnionMap,
    /// The sinks `k -> a` that may see a value that was not defined here: no cut of `a` comes before.
    pub may_no_source: UnionMap,
}

impl Flow {
    /// The pairs `i -> k` of [`Flow::full_must`].
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn must(&self, b: &Budget) -> Outcome<UnionMap> {
        without_element(&self.full_must, b)
    }

    /// The pairs `i -> k` of [`Flow::full_may`].
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn may(&self, b: &Budget) -> Outcome<UnionMap> {
        without_element(&self.full_may, b)
    }

    /// Whether both say the same.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn is_equal(&self, other: &Flow, b: &Budget) -> Outcome<bool> {
        Ok(self.full_must.is_equal(&other.full_must, b)?
            && self.full_may.is_equal(&other.full_may, b)?
            && self.must_no_source.is_equal(&other.must_no_source, b)?
            && self.may_no_source.is_equal(&other.may_no_source, b)?)
    }
}

/// `{ i -> k : exists a: i -> [k -> a] in full }`.
pub(super) fn without_element(full: &UnionMap, b: &Budget) -> Outcome<UnionMap> {
    let mut out = UnionMap::empty(full.params().clone());
    for map in full.maps() {
        out.add(&map.range_factor_domain(b)?);
    }
    tidy(&out, b)
}
