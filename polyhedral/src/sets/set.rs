//! Sets: finite unions of conjunctions in one space.

use super::standin::Int;
use super::{Conj, Map, Name, Params, SetSpace, Tuple};
use crate::budget::{Budget, Outcome};
use std::fmt;
use std::str::FromStr;

/// A set of integer tuples, depending on parameters.
#[derive(Clone, Debug)]
pub struct Set {
    space: SetSpace,
    pieces: Vec<Conj>,
}

impl Set {
    /// All tuples of the space.
    pub fn universe(_space: SetSpace) -> Set {
        todo!()
    }

    /// The empty set.
    pub fn empty(_space: SetSpace) -> Set {
        todo!()
    }

    /// The set that one conjunction over the parameters and dimensions describes.
    pub fn from_conj(_space: SetSpace, _conj: Conj) -> Set {
        todo!()
    }

    /// The union of the sets that the conjunctions describe.
    pub fn from_conjs(_space: SetSpace, _conjs: Vec<Conj>) -> Set {
        todo!()
    }

    /// The space.
    pub fn space(&self) -> &SetSpace {
        todo!()
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        todo!()
    }

    /// The tuple.
    pub fn tuple(&self) -> &Tuple {
        todo!()
    }

    /// The number of dimensions, parameters not counted.
    pub fn n_dims(&self) -> usize {
        todo!()
    }

    /// The conjunctions of which this is the union. They may overlap.
    pub fn pieces(&self) -> &[Conj] {
        todo!()
    }

    /// The same set with the parameters `params`, which include the present ones.
    pub fn align_params(&self, _params: &Params) -> Set {
        todo!()
    }

    /// The same set with another tuple of as many dimensions.
    pub fn with_tuple(&self, _tuple: Tuple) -> Set {
        todo!()
    }

    /// The tuples of both.
    pub fn intersect(&self, _other: &Set) -> Set {
        todo!()
    }

    /// The tuples for parameter values in `params`, a parameter set.
    pub fn intersect_params(&self, _params: &Set) -> Set {
        todo!()
    }

    /// The tuples of either.
    pub fn union(&self, _other: &Set) -> Set {
        todo!()
    }

    /// The tuples that are not in `other`.
    pub fn subtract(&self, _other: &Set, _b: &Budget) -> Outcome<Set> {
        todo!()
    }

    /// The tuples of the space that are not in this set.
    pub fn complement(&self, _b: &Budget) -> Outcome<Set> {
        todo!()
    }

    /// Whether there is no conjunction left: a cheap test for emptiness that may miss.
    pub fn is_plainly_empty(&self) -> bool {
        todo!()
    }

    /// Whether there is no tuple for any parameter values.
    pub fn is_empty(&self, _b: &Budget) -> Outcome<bool> {
        todo!()
    }

    /// Whether every tuple is in `other`.
    pub fn is_subset(&self, _other: &Set, _b: &Budget) -> Outcome<bool> {
        todo!()
    }

    /// Whether both have the same tuples.
    pub fn is_equal(&self, _other: &Set, _b: &Budget) -> Outcome<bool> {
        todo!()
    }

    /// Whether no tuple is in both.
    pub fn is_disjoint(&self, _other: &Set, _b: &Budget) -> Outcome<bool> {
        todo!()
    }

    /// The parameter values for which the set is not empty: a parameter set.
    pub fn project_onto_params(&self, _b: &Budget) -> Outcome<Set> {
        todo!()
    }

    /// Removes the dimensions `first .. first + count` by projection. The tuple becomes anonymous.
    pub fn project_out(&self, _first: usize, _count: usize, _b: &Budget) -> Outcome<Set> {
        todo!()
    }

    /// Removes the parameter called `name` by projection, if there is one.
    pub fn project_out_param(&self, _name: &str, _b: &Budget) -> Outcome<Set> {
        todo!()
    }

    /// The image under `map`.
    pub fn apply(&self, _map: &Map, _b: &Budget) -> Outcome<Set> {
        todo!()
    }

    /// The lexicographically smallest tuple for each value of the parameters.
    ///
    /// Where there is none because the set is unbounded, there is none in the result.
    pub fn lexmin(&self, _b: &Budget) -> Outcome<Set> {
        todo!()
    }

    /// The lexicographically largest tuple for each value of the parameters, as [`Set::lexmin`].
    pub fn lexmax(&self, _b: &Budget) -> Outcome<Set> {
        todo!()
    }

    /// A simpler set that has the same intersection with `context`.
    pub fn gist(&self, _context: &Set, _b: &Budget) -> Outcome<Set> {
        todo!()
    }

    /// The same as [`Set::gist`] in the parameter set `context`.
    pub fn gist_params(&self, _context: &Set, _b: &Budget) -> Outcome<Set> {
        todo!()
    }

    /// The same set in fewer conjunctions, where some can be merged.
    pub fn coalesce(&self, _b: &Budget) -> Outcome<Set> {
        todo!()
    }

    /// The same set without redundant constraints and empty conjunctions.
    pub fn remove_redundancies(&self, _b: &Budget) -> Outcome<Set> {
        todo!()
    }

    /// The same set with implicit equalities made explicit.
    pub fn detect_equalities(&self, _b: &Budget) -> Outcome<Set> {
        todo!()
    }

    /// The same set in conjunctions that do not overlap.
    pub fn make_disjoint(&self, _b: &Budget) -> Outcome<Set> {
        todo!()
    }

    /// A superset that is one conjunction, made of the constraints of the pieces.
    pub fn simple_hull(&self, _b: &Budget) -> Outcome<Set> {
        todo!()
    }

    /// Values of the parameters and dimensions of an element, or none if there is none.
    pub fn sample(&self, _b: &Budget) -> Outcome<Option<(Vec<Int>, Vec<Int>)>> {
        todo!()
    }

    /// Whether `dims` is an element for the parameter values `params`.
    pub fn contains(&self, _params: &[Int], _dims: &[Int]) -> bool {
        todo!()
    }

    /// The identity relation on the set.
    pub fn identity(&self) -> Map {
        todo!()
    }

    /// Inserts `count` unconstrained dimensions at `pos`. The tuple becomes anonymous.
    pub fn insert_dims(&self, _pos: usize, _count: usize) -> Set {
        todo!()
    }

    /// The elements of which dimension `dim` is `value`.
    pub fn fix_dim(&self, _dim: usize, _value: &Int) -> Set {
        todo!()
    }

    /// The elements for which the parameter `name` is `value`.
    pub fn fix_param(&self, _name: &Name, _value: &Int) -> Set {
        todo!()
    }

    /// The pairs of an element of this and one of `other`, as a set of the nested tuple `[self -> other]`.
    pub fn product(&self, _other: &Set) -> Set {
        todo!()
    }

    /// The pairs of an element of this and one of `other`, as a set of anonymous flat tuples.
    pub fn flat_product(&self, _other: &Set) -> Set {
        todo!()
    }

    /// The relation of which this set of pairs is made.
    ///
    /// # Panics
    ///
    /// If the tuple nests no pair.
    pub fn unwrap(&self) -> Map {
        todo!()
    }
}

impl fmt::Display for Set {
    fn fmt(&self, _f: &mut fmt::Formatter<'_>) -> fmt::Result {
        todo!()
    }
}

impl FromStr for Set {
    type Err = crate::text::ParseError;
    fn from_str(_s: &str) -> Result<Set, Self::Err> {
        todo!()
    }
}
