//! Sets of tuples of several spaces.

use super::{Params, Set, Tuple, UnionMap};
use crate::budget::{Budget, Outcome};
use indexmap::IndexMap;
use std::fmt;
use std::str::FromStr;

/// A set of integer tuples of any number of spaces, which share their parameters.
#[derive(Clone, Debug)]
pub struct UnionSet {
    params: Params,
    parts: IndexMap<Tuple, Set>,
}

impl UnionSet {
    /// The empty set.
    pub fn empty(_params: Params) -> UnionSet {
        todo!()
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        todo!()
    }

    /// The sets, one a tuple, in order of insertion.
    pub fn sets(&self) -> impl Iterator<Item = &Set> {
        std::iter::empty()
    }

    /// The elements of the tuple `tuple`.
    pub fn extract(&self, _tuple: &Tuple) -> Set {
        todo!()
    }

    /// The tuples that occur.
    pub fn tuples(&self) -> impl Iterator<Item = &Tuple> {
        std::iter::empty()
    }

    /// Adds the elements of `set`.
    pub fn add(&mut self, _set: &Set) {
        todo!()
    }

    /// The tuples of both.
    pub fn intersect(&self, _other: &UnionSet) -> UnionSet {
        todo!()
    }

    /// The tuples for parameter values in `params`, a parameter set.
    pub fn intersect_params(&self, _params: &Set) -> UnionSet {
        todo!()
    }

    /// The tuples of either.
    pub fn union(&self, _other: &UnionSet) -> UnionSet {
        todo!()
    }

    /// The tuples that are not in `other`.
    pub fn subtract(&self, _other: &UnionSet, _b: &Budget) -> Outcome<UnionSet> {
        todo!()
    }

    /// Whether there is no tuple for any parameter values.
    pub fn is_empty(&self, _b: &Budget) -> Outcome<bool> {
        todo!()
    }

    /// Whether every tuple is in `other`.
    pub fn is_subset(&self, _other: &UnionSet, _b: &Budget) -> Outcome<bool> {
        todo!()
    }

    /// Whether both have the same tuples.
    pub fn is_equal(&self, _other: &UnionSet, _b: &Budget) -> Outcome<bool> {
        todo!()
    }

    /// Whether no tuple is in both.
    pub fn is_disjoint(&self, _other: &UnionSet, _b: &Budget) -> Outcome<bool> {
        todo!()
    }

    /// The image under `map`.
    pub fn apply(&self, _map: &UnionMap, _b: &Budget) -> Outcome<UnionSet> {
        todo!()
    }

    /// The parameter values for which there is an element: a parameter set.
    pub fn project_onto_params(&self, _b: &Budget) -> Outcome<Set> {
        todo!()
    }

    /// As [`Set::gist`], tuple by tuple.
    pub fn gist(&self, _context: &UnionSet, _b: &Budget) -> Outcome<UnionSet> {
        todo!()
    }

    /// As [`Set::gist_params`], tuple by tuple.
    pub fn gist_params(&self, _context: &Set, _b: &Budget) -> Outcome<UnionSet> {
        todo!()
    }

    /// As [`Set::coalesce`], tuple by tuple. Empty sets are dropped.
    pub fn coalesce(&self, _b: &Budget) -> Outcome<UnionSet> {
        todo!()
    }

    /// The identity relation on the set.
    pub fn identity(&self) -> UnionMap {
        todo!()
    }
}

impl From<Set> for UnionSet {
    fn from(_set: Set) -> UnionSet {
        todo!()
    }
}

impl fmt::Display for UnionSet {
    fn fmt(&self, _f: &mut fmt::Formatter<'_>) -> fmt::Result {
        todo!()
    }
}

impl FromStr for UnionSet {
    type Err = crate::text::ParseError;
    fn from_str(_s: &str) -> Result<UnionSet, Self::Err> {
        todo!()
    }
}
