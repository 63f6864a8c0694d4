//! Relations between tuples of several spaces.

use super::parts::Parts;
use super::{Map, MapSpace, Params, Set, SetSpace, Tuple, UnionSet};
use crate::budget::{Budget, Outcome};
use indexmap::map::Entry;

/// A relation between integer tuples of any number of spaces, which share their parameters.
#[derive(Clone, Debug)]
pub struct UnionMap {
    params: Params,
    parts: Parts<(Tuple, Tuple), Map>,
}

impl UnionMap {
    /// The empty relation.
    pub fn empty(params: Params) -> UnionMap {
        UnionMap {
            params,
            parts: Parts::new(),
        }
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The relations, one a pair of tuples, in order of insertion.
    pub fn maps(&self) -> impl Iterator<Item = &Map> {
        self.parts.values()
    }

    /// The pairs from `domain` to `range`.
    pub fn extract(&self, domain: &Tuple, range: &Tuple) -> Map {
        match self.parts.get(&(domain.clone(), range.clone())) {
            Some(map) => map.clone(),
            None => Map::empty(MapSpace::new(self.params.clone(), domain.clone(), range.clone())),
        }
    }

    /// Adds the pairs of `map`: this becomes `{ x -> y : x -> y in R or x -> y in map }`.
    pub fn add(&mut self, map: &Map) {
        self.align(map.params());
        let map = map.align_params(&self.params);
        match self
            .parts
            .entry((map.domain_tuple().clone(), map.range_tuple().clone()))
        {
            Entry::Occupied(mut part) => {
                let union = part.get().union(&map);
                part.insert(union);
            }
            Entry::Vacant(part) => {
                part.insert(map);
            }
        }
    }

    /// The pairs of both: `{ x -> y : x -> y in R and x -> y in T }`, of each pair of tuples as [`Map::intersect`].
    pub fn intersect(&self, other: &UnionMap) -> UnionMap {
        let mut out = UnionMap::empty(self.params.union(&other.params));
        for (key, map) in &self.parts {
            if let Some(other) = other.parts.get(key) {
                out.add_unless_plainly_empty(&map.intersect(other));
            }
        }
        out
    }

    /// The pairs of which the first is in `domain`: `{ x -> y in R : x in domain }`.
    pub fn intersect_domain(&self, domain: &UnionSet) -> UnionMap {
        let mut out = UnionMap::empty(self.params.union(domain.params()));
        for map in self.parts.values() {
            out.add_unless_plainly_empty(&map.intersect_domain(&domain.extract(map.domain_tuple())));
        }
        out
    }

    /// The pairs of which the second is in `range`: `{ x -> y in R : y in range }`.
    pub fn intersect_range(&self, range: &UnionSet) -> UnionMap {
        let mut out = UnionMap::empty(self.params.union(range.params()));
        for map in self.parts.values() {
            out.add_unless_plainly_empty(&map.intersect_range(&range.extract(map.range_tuple())));
        }
        out
    }

    /// The pairs `[a -> b] -> c` with `a -> c` in `factors`, as [`Map::intersect_domain_factor_domain`].
    pub fn intersect_domain_factor_domain(&self, factors: &UnionMap) -> UnionMap {
        let mut out = UnionMap::empty(self.params.union(&factors.params));
        for map in self.parts.values() {
            if let Some((a, _)) = map.domain_tuple().nested() {
                let factor = factors.extract(a, map.range_tuple());
                out.add_unless_plainly_empty(&map.intersect_domain_factor_domain(&factor));
            }
        }
        out
    }

    /// The pairs `[a -> b] -> c` with `b -> c` in `factors`, as [`Map::intersect_domain_factor_range`].
    pub fn intersect_domain_factor_range(&self, factors: &UnionMap) -> UnionMap {
        let mut out = UnionMap::empty(self.params.union(&factors.params));
        for map in self.parts.values() {
            if let Some((_, b)) = map.domain_tuple().nested() {
                let factor = factors.extract(b, map.range_tuple());
                out.add_unless_plainly_empty(&map.intersect_domain_factor_range(&factor));
            }
        }
        out
    }

    /// The pairs `a -> [b -> c]` with `a -> b` in `factors`, as [`Map::intersect_range_factor_domain`].
    pub fn intersect_range_factor_domain(&self, factors: &UnionMap) -> UnionMap {
        let mut out = UnionMap::empty(self.params.union(&factors.params));
        for map in self.parts.values() {
            if let Some((a, _)) = map.range_tuple().nested() {
                let factor = factors.extract(map.domain_tuple(), a);
                out.add_unless_plainly_empty(&map.intersect_range_factor_domain(&factor));
            }
        }
        out
    }

    /// The pairs `a -> [b -> c]` with `a -> c` in `factors`, as [`Map::intersect_range_factor_range`].
    pub fn intersect_range_factor_range(&self, factors: &UnionMap) -> UnionMap {
        let mut out = UnionMap::empty(self.params.union(&factors.params));
        for map in self.parts.values() {
            if let Some((_, b)) = map.range_tuple().nested() {
                let factor = factors.extract(map.domain_tuple(), b);
                out.add_unless_plainly_empty(&map.intersect_range_factor_range(&factor));
            }
        }
        out
    }

    /// The pairs for parameter values in `params`, a parameter set, as [`Map::intersect_params`].
    pub fn intersect_params(&self, params: &Set) -> UnionMap {
        let mut out = UnionMap::empty(self.params.union(params.params()));
        for map in self.parts.values() {
            out.add_unless_plainly_empty(&map.intersect_params(params));
        }
        out
    }

    /// The pairs of either: `{ x -> y : x -> y in R or x -> y in T }`.
    pub fn union(&self, other: &UnionMap) -> UnionMap {
        let mut out = self.clone();
        out.align(&other.params);
        for map in other.parts.values() {
            out.add(map);
        }
        out
    }

    /// The pairs that are not in `other`: `{ x -> y : x -> y in R and x -> y not in T }`.
    pub fn subtract(&self, other: &UnionMap, b: &Budget) -> Outcome<UnionMap> {
        let mut out = UnionMap::empty(self.params.union(&other.params));
        for (key, map) in &self.parts {
            let rest = match other.parts.get(key) {
                Some(other) => map.subtract(other, b)?,
                None => map.clone(),
            };
            out.add_unless_plainly_empty(&rest);
        }
        Ok(out)
    }

    /// Whether there is no pair for any parameter values.
    pub fn is_empty(&self, b: &Budget) -> Outcome<bool> {
        for map in self.parts.values() {
            if !map.is_empty(b)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether every pair is in `other`.
    pub fn is_subset(&self, other: &UnionMap, b: &Budget) -> Outcome<bool> {
        for (key, map) in &self.parts {
            let within = match other.parts.get(key) {
                Some(other) => map.is_subset(other, b)?,
                None => map.is_empty(b)?,
            };
            if !within {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether both have the same pairs.
    pub fn is_equal(&self, other: &UnionMap, b: &Budget) -> Outcome<bool> {
        Ok(self.is_subset(other, b)? && other.is_subset(self, b)?)
    }

    /// Whether no pair is in both.
    pub fn is_disjoint(&self, other: &UnionMap, b: &Budget) -> Outcome<bool> {
        for (tuples, map) in &self.parts {
            if let Some(other) = other.parts.get(tuples)
                && !map.is_disjoint(other, b)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The inverse relation: `{ y -> x : x -> y in R }`.
    pub fn reverse(&self) -> UnionMap {
        let mut out = UnionMap::empty(self.params.clone());
        for map in self.parts.values() {
            out.add(&map.reverse());
        }
        out
    }

    /// The first elements of the pairs: `{ x : exists y: x -> y in R }`.
    pub fn domain(&self, b: &Budget) -> Outcome<UnionSet> {
        let mut out = UnionSet::empty(self.params.clone());
        for map in self.parts.values() {
            out.add(&map.domain(b)?);
        }
        Ok(out)
    }

    /// The second elements of the pairs: `{ y : exists x: x -> y in R }`.
    pub fn range(&self, b: &Budget) -> Outcome<UnionSet> {
        let mut out = UnionSet::empty(self.params.clone());
        for map in self.parts.values() {
            out.add(&map.range(b)?);
        }
        Ok(out)
    }

    /// This relation followed by `map`: `{ x -> z : exists y: x -> y in R and y -> z in map }`.
    pub fn apply_range(&self, map: &UnionMap, b: &Budget) -> Outcome<UnionMap> {
        let mut out = UnionMap::empty(self.params.union(&map.params));
        for first in self.parts.values() {
            for second in map.parts.values().filter(|m| m.domain_tuple() == first.range_tuple()) {
                out.add_unless_plainly_empty(&first.apply_range(second, b)?);
            }
        }
        Ok(out)
    }

    /// The relation with its domain replaced by its image under `map`:
    /// `{ z -> y : exists x: x -> z in map and x -> y in R }`.
    pub fn apply_domain(&self, map: &UnionMap, b: &Budget) -> Outcome<UnionMap> {
        map.reverse().apply_range(self, b)
    }

    /// The parameter values for which there is a pair, a parameter set: `{ p : exists x, y: x -> y in R(p) }`.
    pub fn project_onto_params(&self, b: &Budget) -> Outcome<Set> {
        let mut out = Set::empty(SetSpace::params_only(self.params.clone()));
        for map in self.parts.values() {
            out = out.union(&map.project_onto_params(b)?);
        }
        Ok(out)
    }

    /// As [`Map::gist`], pair of tuples by pair of tuples.
    pub fn gist(&self, context: &UnionMap, b: &Budget) -> Outcome<UnionMap> {
        let mut out = UnionMap::empty(self.params.union(&context.params));
        for (key, map) in &self.parts {
            if let Some(context) = context.parts.get(key) {
                out.add_unless_plainly_empty(&map.gist(context, b)?);
            }
        }
        Ok(out)
    }

    /// As [`Map::gist_domain`], pair of tuples by pair of tuples.
    pub fn gist_domain(&self, context: &UnionSet, b: &Budget) -> Outcome<UnionMap> {
        let mut out = UnionMap::empty(self.params.union(context.params()));
        for map in self.parts.values() {
            out.add_unless_plainly_empty(&map.gist_domain(&context.extract(map.domain_tuple()), b)?);
        }
        Ok(out)
    }

    /// As [`Map::gist_range`], pair of tuples by pair of tuples.
    pub fn gist_range(&self, context: &UnionSet, b: &Budget) -> Outcome<UnionMap> {
        let mut out = UnionMap::empty(self.params.union(context.params()));
        for map in self.parts.values() {
            out.add_unless_plainly_empty(&map.gist_range(&context.extract(map.range_tuple()), b)?);
        }
        Ok(out)
    }

    /// As [`Map::gist_params`], pair of tuples by pair of tuples.
    pub fn gist_params(&self, context: &Set, b: &Budget) -> Outcome<UnionMap> {
        let mut out = UnionMap::empty(self.params.union(context.params()));
        for map in self.parts.values() {
            out.add_unless_plainly_empty(&map.gist_params(context, b)?);
        }
        Ok(out)
    }

    /// As [`Map::coalesce`], pair of tuples by pair of tuples. Empty relations are dropped.
    pub fn coalesce(&self, b: &Budget) -> Outcome<UnionMap> {
        let mut out = UnionMap::empty(self.params.clone());
        for map in self.parts.values() {
            out.add_unless_plainly_empty(&map.coalesce(b)?);
        }
        Ok(out)
    }

    /// The union of what `f` makes of each relation.
    pub(super) fn map_maps(&self, f: impl Fn(&Map) -> Outcome<Map>) -> Outcome<UnionMap> {
        let mut out = UnionMap::empty(self.params.clone());
        for part in self.parts.values() {
            out.add_unless_plainly_empty(&f(part)?);
        }
        Ok(out)
    }

    /// As [`Map::compact`], pair of tuples by pair of tuples. Empty relations are dropped.
    pub fn compact(&self, b: &Budget) -> Outcome<UnionMap> {
        self.map_maps(|map| map.compact(b))
    }

    /// As [`Map::remove_redundancies`], pair of tuples by pair of tuples. Empty relations are dropped.
    pub fn remove_redundancies(&self, b: &Budget) -> Outcome<UnionMap> {
        let mut out = UnionMap::empty(self.params.clone());
        for map in self.parts.values() {
            out.add_unless_plainly_empty(&map.remove_redundancies(b)?);
        }
        Ok(out)
    }

    fn align(&mut self, params: &Params) {
        let all = self.params.union(params);
        if all != self.params {
            for map in self.parts.values_mut() {
                *map = map.align_params(&all);
            }
            self.params = all;
        }
    }

    fn add_unless_plainly_empty(&mut self, map: &Map) {
        if !map.is_plainly_empty() {
            self.add(map);
        }
    }
}

impl From<Map> for UnionMap {
    fn from(map: Map) -> UnionMap {
        let mut out = UnionMap::empty(map.params().clone());
        out.add(&map);
        out
    }
}
