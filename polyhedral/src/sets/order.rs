//! Lexicographic order between the elements of sets and between the images of relations.

use super::{Map, Params, Set, Tuple, UnionMap, UnionSet};
use crate::budget::{Budget, Outcome};

/// A lexicographic comparison.
#[derive(Clone, Copy)]
enum Order {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Order {
    fn relation(self, params: Params, tuple: Tuple) -> Map {
        match self {
            Order::Less => Map::lex_lt(params, tuple),
            Order::LessOrEqual => Map::lex_le(params, tuple),
            Order::Greater => Map::lex_gt(params, tuple),
            Order::GreaterOrEqual => Map::lex_ge(params, tuple),
        }
    }

    fn of_sets(self, x: &Set, y: &Set) -> Map {
        assert_eq!(x.tuple(), y.tuple(), "sets in {} and {}", x.space(), y.space());
        let params = x.params().union(y.params());
        let all = self.relation(params, x.tuple().clone());
        all.intersect_domain(x).intersect_range(y)
    }

    fn of_maps(self, x: &Map, y: &Map, b: &Budget) -> Outcome<Map> {
        assert_eq!(
            x.range_tuple(),
            y.range_tuple(),
            "relations in {} and {}",
            x.space(),
            y.space()
        );
        let params = x.params().union(y.params());
        let all = self.relation(params, x.range_tuple().clone());
        x.apply_range(&all, b)?.apply_range(&y.reverse(), b)
    }

    fn of_union_sets(self, x: &UnionSet, y: &UnionSet) -> UnionMap {
        let mut out = UnionMap::empty(x.params().union(y.params()));
        for x in x.sets() {
            for y in y.sets().filter(|y| y.tuple() == x.tuple()) {
                add(&mut out, &self.of_sets(x, y));
            }
        }
        out
    }

    fn of_union_maps(self, x: &UnionMap, y: &UnionMap, b: &Budget) -> Outcome<UnionMap> {
        let mut out = UnionMap::empty(x.params().union(y.params()));
        for x in x.maps() {
            for y in y.maps().filter(|y| y.range_tuple() == x.range_tuple()) {
                add(&mut out, &self.of_maps(x, y, b)?);
            }
        }
        Ok(out)
    }
}

fn add(union: &mut UnionMap, map: &Map) {
    if !map.is_plainly_empty() {
        union.add(map);
    }
}

impl Set {
    /// The pairs of an element here and one of `other` in lexicographic order:
    /// `{ x -> y : x in A and y in B and x << y }`.
    ///
    /// # Panics
    ///
    /// If the tuples differ.
    pub fn lex_lt(&self, other: &Set) -> Map {
        Order::Less.of_sets(self, other)
    }

    /// The pairs of an element here and one of `other` in lexicographic order:
    /// `{ x -> y : x in A and y in B and x <<= y }`.
    ///
    /// # Panics
    ///
    /// If the tuples differ.
    pub fn lex_le(&self, other: &Set) -> Map {
        Order::LessOrEqual.of_sets(self, other)
    }

    /// The pairs of an element here and one of `other` in lexicographic order:
    /// `{ x -> y : x in A and y in B and x >> y }`.
    ///
    /// # Panics
    ///
    /// If the tuples differ.
    pub fn lex_gt(&self, other: &Set) -> Map {
        Order::Greater.of_sets(self, other)
    }

    /// The pairs of an element here and one of `other` in lexicographic order:
    /// `{ x -> y : x in A and y in B and x >>= y }`.
    ///
    /// # Panics
    ///
    /// If the tuples differ.
    pub fn lex_ge(&self, other: &Set) -> Map {
        Order::GreaterOrEqual.of_sets(self, other)
    }
}

impl Map {
    /// The pairs of domain elements with images in lexicographic order:
    /// `{ x -> y : exists u, v: x -> u in R and y -> v in T and u << v }`, as instances are ordered by schedules.
    ///
    /// # Panics
    ///
    /// If the range tuples differ.
    pub fn lex_lt_map(&self, other: &Map, b: &Budget) -> Outcome<Map> {
        Order::Less.of_maps(self, other, b)
    }

    /// The pairs of domain elements with images in lexicographic order:
    /// `{ x -> y : exists u, v: x -> u in R and y -> v in T and u <<= v }`, as instances are ordered by schedules.
    ///
    /// # Panics
    ///
    /// If the range tuples differ.
    pub fn lex_le_map(&self, other: &Map, b: &Budget) -> Outcome<Map> {
        Order::LessOrEqual.of_maps(self, other, b)
    }

    /// The pairs of domain elements with images in lexicographic order:
    /// `{ x -> y : exists u, v: x -> u in R and y -> v in T and u >> v }`, as instances are ordered by schedules.
    ///
    /// # Panics
    ///
    /// If the range tuples differ.
    pub fn lex_gt_map(&self, other: &Map, b: &Budget) -> Outcome<Map> {
        Order::Greater.of_maps(self, other, b)
    }

    /// The pairs of domain elements with images in lexicographic order:
    /// `{ x -> y : exists u, v: x -> u in R and y -> v in T and u >>= v }`, as instances are ordered by schedules.
    ///
    /// # Panics
    ///
    /// If the range tuples differ.
    pub fn lex_ge_map(&self, other: &Map, b: &Budget) -> Outcome<Map> {
        Order::GreaterOrEqual.of_maps(self, other, b)
    }
}

impl UnionSet {
    /// As [`Set::lex_lt`], for elements of the same tuple.
    pub fn lex_lt(&self, other: &UnionSet) -> UnionMap {
        Order::Less.of_union_sets(self, other)
    }

    /// As [`Set::lex_le`], for elements of the same tuple.
    pub fn lex_le(&self, other: &UnionSet) -> UnionMap {
        Order::LessOrEqual.of_union_sets(self, other)
    }

    /// As [`Set::lex_gt`], for elements of the same tuple.
    pub fn lex_gt(&self, other: &UnionSet) -> UnionMap {
        Order::Greater.of_union_sets(self, other)
    }

    /// As [`Set::lex_ge`], for elements of the same tuple.
    pub fn lex_ge(&self, other: &UnionSet) -> UnionMap {
        Order::GreaterOrEqual.of_union_sets(self, other)
    }

    /// The lexicographically smallest elements of each tuple, as [`Set::lexmin`].
    pub fn lexmin(&self, b: &Budget) -> Outcome<UnionSet> {
        self.map_sets(|set| set.lexmin(b))
    }

    /// The lexicographically largest elements of each tuple, as [`Set::lexmax`].
    pub fn lexmax(&self, b: &Budget) -> Outcome<UnionSet> {
        self.map_sets(|set| set.lexmax(b))
    }
}

impl UnionMap {
    /// As [`Map::lex_lt_map`], for images in the same tuple.
    pub fn lex_lt_map(&self, other: &UnionMap, b: &Budget) -> Outcome<UnionMap> {
        Order::Less.of_union_maps(self, other, b)
    }

    /// As [`Map::lex_le_map`], for images in the same tuple.
    pub fn lex_le_map(&self, other: &UnionMap, b: &Budget) -> Outcome<UnionMap> {
        Order::LessOrEqual.of_union_maps(self, other, b)
    }

    /// As [`Map::lex_gt_map`], for images in the same tuple.
    pub fn lex_gt_map(&self, other: &UnionMap, b: &Budget) -> Outcome<UnionMap> {
        Order::Greater.of_union_maps(self, other, b)
    }

    /// As [`Map::lex_ge_map`], for images in the same tuple.
    pub fn lex_ge_map(&self, other: &UnionMap, b: &Budget) -> Outcome<UnionMap> {
        Order::GreaterOrEqual.of_union_maps(self, other, b)
    }

    /// The lexicographically smallest images in each tuple, as [`Map::lexmin`].
    pub fn lexmin(&self, b: &Budget) -> Outcome<UnionMap> {
        self.map_maps(|map| map.lexmin(b))
    }

    /// The lexicographically largest images in each tuple, as [`Map::lexmax`].
    pub fn lexmax(&self, b: &Budget) -> Outcome<UnionMap> {
        self.map_maps(|map| map.lexmax(b))
    }
}
