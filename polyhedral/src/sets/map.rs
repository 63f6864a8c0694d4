//! Relations: finite unions of conjunctions between two tuples.

use super::standin::Int;
use super::{Conj, MapSpace, Params, Set, Tuple};
use crate::budget::{Budget, Outcome};
use std::fmt;
use std::str::FromStr;

/// A binary relation between integer tuples, depending on parameters.
#[derive(Clone, Debug)]
pub struct Map {
    space: MapSpace,
    pieces: Vec<Conj>,
}

impl Map {
    /// All pairs of the space.
    pub fn universe(_space: MapSpace) -> Map {
        todo!()
    }

    /// The empty relation.
    pub fn empty(_space: MapSpace) -> Map {
        todo!()
    }

    /// The relation that one conjunction over the parameters, domain and range dimensions describes.
    pub fn from_conj(_space: MapSpace, _conj: Conj) -> Map {
        todo!()
    }

    /// The union of the relations that the conjunctions describe.
    pub fn from_conjs(_space: MapSpace, _conjs: Vec<Conj>) -> Map {
        todo!()
    }

    /// The identity on `tuple`.
    pub fn identity(_params: Params, _tuple: Tuple) -> Map {
        todo!()
    }

    /// All pairs of an element of `domain` and one of `range`.
    pub fn from_domain_and_range(_domain: &Set, _range: &Set) -> Map {
        todo!()
    }

    /// Pairs of which the first is lexicographically smaller than the second.
    pub fn lex_lt(_params: Params, _tuple: Tuple) -> Map {
        todo!()
    }

    /// Pairs of which the first is lexicographically smaller than the second or equal to it.
    pub fn lex_le(_params: Params, _tuple: Tuple) -> Map {
        todo!()
    }

    /// Pairs of which the first is lexicographically larger than the second.
    pub fn lex_gt(_params: Params, _tuple: Tuple) -> Map {
        todo!()
    }

    /// Pairs of which the first is lexicographically larger than the second or equal to it.
    pub fn lex_ge(_params: Params, _tuple: Tuple) -> Map {
        todo!()
    }

    /// The space.
    pub fn space(&self) -> &MapSpace {
        todo!()
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        todo!()
    }

    /// The tuple of the domain.
    pub fn domain_tuple(&self) -> &Tuple {
        todo!()
    }

    /// The tuple of the range.
    pub fn range_tuple(&self) -> &Tuple {
        todo!()
    }

    /// The conjunctions of which this is the union. They may overlap.
    pub fn pieces(&self) -> &[Conj] {
        todo!()
    }

    /// The same relation with the parameters `params`, which include the present ones.
    pub fn align_params(&self, _params: &Params) -> Map {
        todo!()
    }

    /// The same relation with another domain tuple of as many dimensions.
    pub fn with_domain_tuple(&self, _tuple: Tuple) -> Map {
        todo!()
    }

    /// The same relation with another range tuple of as many dimensions.
    pub fn with_range_tuple(&self, _tuple: Tuple) -> Map {
        todo!()
    }

    /// The pairs of both.
    pub fn intersect(&self, _other: &Map) -> Map {
        todo!()
    }

    /// The pairs of which the first is in `domain`.
    pub fn intersect_domain(&self, _domain: &Set) -> Map {
        todo!()
    }

    /// The pairs of which the second is in `range`.
    pub fn intersect_range(&self, _range: &Set) -> Map {
        todo!()
    }

    /// The pairs for parameter values in `params`, a parameter set.
    pub fn intersect_params(&self, _params: &Set) -> Map {
        todo!()
    }

    /// The pairs of either.
    pub fn union(&self, _other: &Map) -> Map {
        todo!()
    }

    /// The pairs that are not in `other`.
    pub fn subtract(&self, _other: &Map, _b: &Budget) -> Outcome<Map> {
        todo!()
    }

    /// The pairs of which the first is not in `domain`.
    pub fn subtract_domain(&self, _domain: &Set, _b: &Budget) -> Outcome<Map> {
        todo!()
    }

    /// The pairs of the space that are not in this relation.
    pub fn complement(&self, _b: &Budget) -> Outcome<Map> {
        todo!()
    }

    /// Whether there is no conjunction left: a cheap test for emptiness that may miss.
    pub fn is_plainly_empty(&self) -> bool {
        todo!()
    }

    /// Whether there is no pair for any parameter values.
    pub fn is_empty(&self, _b: &Budget) -> Outcome<bool> {
        todo!()
    }

    /// Whether every pair is in `other`.
    pub fn is_subset(&self, _other: &Map, _b: &Budget) -> Outcome<bool> {
        todo!()
    }

    /// Whether both have the same pairs.
    pub fn is_equal(&self, _other: &Map, _b: &Budget) -> Outcome<bool> {
        todo!()
    }

    /// Whether no pair is in both.
    pub fn is_disjoint(&self, _other: &Map, _b: &Budget) -> Outcome<bool> {
        todo!()
    }

    /// Whether every element is related to at most one.
    pub fn is_single_valued(&self, _b: &Budget) -> Outcome<bool> {
        todo!()
    }

    /// Whether at most one element is related to any.
    pub fn is_injective(&self, _b: &Budget) -> Outcome<bool> {
        todo!()
    }

    /// Whether the relation is single-valued and injective.
    pub fn is_bijective(&self, _b: &Budget) -> Outcome<bool> {
        todo!()
    }

    /// The inverse relation.
    pub fn reverse(&self) -> Map {
        todo!()
    }

    /// The first elements of the pairs.
    pub fn domain(&self, _b: &Budget) -> Outcome<Set> {
        todo!()
    }

    /// The second elements of the pairs.
    pub fn range(&self, _b: &Budget) -> Outcome<Set> {
        todo!()
    }

    /// The parameter values for which there is a pair: a parameter set.
    pub fn project_onto_params(&self, _b: &Budget) -> Outcome<Set> {
        todo!()
    }

    /// Removes the domain dimensions `first .. first + count` by projection. The domain tuple becomes anonymous.
    pub fn project_out_domain(&self, _first: usize, _count: usize, _b: &Budget) -> Outcome<Map> {
        todo!()
    }

    /// Removes the range dimensions `first .. first + count` by projection. The range tuple becomes anonymous.
    pub fn project_out_range(&self, _first: usize, _count: usize, _b: &Budget) -> Outcome<Map> {
        todo!()
    }

    /// This relation followed by `map`: `x -> z` if `x -> y` here and `y -> z` there.
    pub fn apply_range(&self, _map: &Map, _b: &Budget) -> Outcome<Map> {
        todo!()
    }

    /// The relation with its domain replaced by its image under `map`.
    pub fn apply_domain(&self, _map: &Map, _b: &Budget) -> Outcome<Map> {
        todo!()
    }

    /// The image of `set`.
    pub fn apply(&self, _set: &Set, _b: &Budget) -> Outcome<Set> {
        todo!()
    }

    /// The differences `y - x` of the pairs `x -> y`, as tuples of the range.
    pub fn deltas(&self, _b: &Budget) -> Outcome<Set> {
        todo!()
    }

    /// The lexicographically smallest image of each element of the domain, as [`Set::lexmin`].
    pub fn lexmin(&self, _b: &Budget) -> Outcome<Map> {
        todo!()
    }

    /// The lexicographically largest image of each element of the domain, as [`Set::lexmin`].
    pub fn lexmax(&self, _b: &Budget) -> Outcome<Map> {
        todo!()
    }

    /// A simpler relation that has the same intersection with `context`.
    pub fn gist(&self, _context: &Map, _b: &Budget) -> Outcome<Map> {
        todo!()
    }

    /// The same as [`Map::gist`] where the domain is in `context`.
    pub fn gist_domain(&self, _context: &Set, _b: &Budget) -> Outcome<Map> {
        todo!()
    }

    /// The same as [`Map::gist`] where the range is in `context`.
    pub fn gist_range(&self, _context: &Set, _b: &Budget) -> Outcome<Map> {
        todo!()
    }

    /// The same as [`Map::gist`] in the parameter set `context`.
    pub fn gist_params(&self, _context: &Set, _b: &Budget) -> Outcome<Map> {
        todo!()
    }

    /// The same relation in fewer conjunctions, where some can be merged.
    pub fn coalesce(&self, _b: &Budget) -> Outcome<Map> {
        todo!()
    }

    /// The same relation without redundant constraints and empty conjunctions.
    pub fn remove_redundancies(&self, _b: &Budget) -> Outcome<Map> {
        todo!()
    }

    /// The same relation with implicit equalities made explicit.
    pub fn detect_equalities(&self, _b: &Budget) -> Outcome<Map> {
        todo!()
    }

    /// A superset that is one conjunction, made of the constraints of the pieces.
    pub fn simple_hull(&self, _b: &Budget) -> Outcome<Map> {
        todo!()
    }

    /// Values of the parameters, domain and range of a pair, or none if there is none.
    pub fn sample(&self, _b: &Budget) -> Outcome<Option<(Vec<Int>, Vec<Int>, Vec<Int>)>> {
        todo!()
    }

    /// Whether `domain -> range` is a pair for the parameter values `params`.
    pub fn contains(&self, _params: &[Int], _domain: &[Int], _range: &[Int]) -> bool {
        todo!()
    }

    /// The set of pairs, of the nested tuple `[domain -> range]`.
    pub fn wrap(&self) -> Set {
        todo!()
    }

    /// The relation `x -> [y, z]` of `x -> y` here and `x -> z` in `other`, its range an anonymous flat tuple.
    pub fn flat_range_product(&self, _other: &Map) -> Map {
        todo!()
    }

    /// The relation `x -> [y -> z]` of `x -> y` here and `x -> z` in `other`.
    pub fn range_product(&self, _other: &Map) -> Map {
        todo!()
    }

    /// The relation `[x -> y] -> x` of the pairs `x -> y`.
    pub fn domain_map(&self) -> Map {
        todo!()
    }

    /// The relation `[x -> y] -> y` of the pairs `x -> y`.
    pub fn range_map(&self) -> Map {
        todo!()
    }

    /// The pairs of which domain dimension `dim` is `value`.
    pub fn fix_domain_dim(&self, _dim: usize, _value: &Int) -> Map {
        todo!()
    }

    /// The pairs of which range dimension `dim` is `value`.
    pub fn fix_range_dim(&self, _dim: usize, _value: &Int) -> Map {
        todo!()
    }

    /// The pairs of which domain dimension `domain_dim` is equal to range dimension `range_dim`.
    pub fn equate(&self, _domain_dim: usize, _range_dim: usize) -> Map {
        todo!()
    }
}

impl fmt::Display for Map {
    fn fmt(&self, _f: &mut fmt::Formatter<'_>) -> fmt::Result {
        todo!()
    }
}

impl FromStr for Map {
    type Err = crate::text::ParseError;
    fn from_str(_s: &str) -> Result<Map, Self::Err> {
        todo!()
    }
}
