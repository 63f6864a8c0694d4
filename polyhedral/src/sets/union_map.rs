//! Relations between tuples of several spaces.

use super::{Map, Params, Set, Tuple, UnionSet};
use crate::budget::{Budget, Outcome};
use indexmap::IndexMap;
use std::fmt;
use std::str::FromStr;

/// A relation between integer tuples of any number of spaces, which share their parameters.
#[derive(Clone, Debug)]
pub struct UnionMap {
    params: Params,
    parts: IndexMap<(Tuple, Tuple), Map>,
}

impl UnionMap {
    /// The empty relation.
    pub fn empty(_params: Params) -> UnionMap {
        todo!()
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        todo!()
    }

    /// The relations, one a pair of tuples, in order of insertion.
    pub fn maps(&self) -> impl Iterator<Item = &Map> {
        std::iter::empty()
    }

    /// The pairs from `domain` to `range`.
    pub fn extract(&self, _domain: &Tuple, _range: &Tuple) -> Map {
        todo!()
    }

    /// Adds the pairs of `map`.
    pub fn add(&mut self, _map: &Map) {
        todo!()
    }

    /// The pairs of both.
    pub fn intersect(&self, _other: &UnionMap) -> UnionMap {
        todo!()
    }

    /// The pairs of which the first is in `domain`.
    pub fn intersect_domain(&self, _domain: &UnionSet) -> UnionMap {
        todo!()
    }

    /// The pairs of which the second is in `range`.
    pub fn intersect_range(&self, _range: &UnionSet) -> UnionMap {
        todo!()
    }

    /// The pairs for parameter values in `params`, a parameter set.
    pub fn intersect_params(&self, _params: &Set) -> UnionMap {
        todo!()
    }

    /// The pairs of either.
    pub fn union(&self, _other: &UnionMap) -> UnionMap {
        todo!()
    }

    /// The pairs that are not in `other`.
    pub fn subtract(&self, _other: &UnionMap, _b: &Budget) -> Outcome<UnionMap> {
        todo!()
    }

    /// Whether there is no pair for any parameter values.
    pub fn is_empty(&self, _b: &Budget) -> Outcome<bool> {
        todo!()
    }

    /// Whether every pair is in `other`.
    pub fn is_subset(&self, _other: &UnionMap, _b: &Budget) -> Outcome<bool> {
        todo!()
    }

    /// Whether both have the same pairs.
    pub fn is_equal(&self, _other: &UnionMap, _b: &Budget) -> Outcome<bool> {
        todo!()
    }

    /// The inverse relation.
    pub fn reverse(&self) -> UnionMap {
        todo!()
    }

    /// The first elements of the pairs.
    pub fn domain(&self, _b: &Budget) -> Outcome<UnionSet> {
        todo!()
    }

    /// The second elements of the pairs.
    pub fn range(&self, _b: &Budget) -> Outcome<UnionSet> {
        todo!()
    }

    /// This relation followed by `map`.
    pub fn apply_range(&self, _map: &UnionMap, _b: &Budget) -> Outcome<UnionMap> {
        todo!()
    }

    /// The relation with its domain replaced by its image under `map`.
    pub fn apply_domain(&self, _map: &UnionMap, _b: &Budget) -> Outcome<UnionMap> {
        todo!()
    }

    /// The parameter values for which there is a pair: a parameter set.
    pub fn project_onto_params(&self, _b: &Budget) -> Outcome<Set> {
        todo!()
    }

    /// As [`Map::gist`], pair of tuples by pair of tuples.
    pub fn gist(&self, _context: &UnionMap, _b: &Budget) -> Outcome<UnionMap> {
        todo!()
    }

    /// As [`Map::gist_params`], pair of tuples by pair of tuples.
    pub fn gist_params(&self, _context: &Set, _b: &Budget) -> Outcome<UnionMap> {
        todo!()
    }

    /// As [`Map::coalesce`], pair of tuples by pair of tuples. Empty relations are dropped.
    pub fn coalesce(&self, _b: &Budget) -> Outcome<UnionMap> {
        todo!()
    }
}

impl From<Map> for UnionMap {
    fn from(_map: Map) -> UnionMap {
        todo!()
    }
}

impl fmt::Display for UnionMap {
    fn fmt(&self, _f: &mut fmt::Formatter<'_>) -> fmt::Result {
        todo!()
    }
}

impl FromStr for UnionMap {
    type Err = crate::text::ParseError;
    fn from_str(_s: &str) -> Result<UnionMap, Self::Err> {
        todo!()
    }
}
