//! Sets of tuples of several spaces.

use super::parts::Parts;
use super::{Params, Set, SetSpace, Tuple, UnionMap};
use crate::budget::{Budget, Outcome};
use indexmap::map::Entry;

/// A set of integer tuples of any number of spaces, which share their parameters.
#[derive(Clone, Debug)]
pub struct UnionSet {
    params: Params,
    parts: Parts<Tuple, Set>,
}

impl UnionSet {
    /// The empty set, without tuples.
    pub fn empty(params: Params) -> UnionSet {
        UnionSet {
            params,
            parts: Parts::new(),
        }
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The sets, one a tuple, in order of insertion.
    pub fn sets(&self) -> impl Iterator<Item = &Set> {
        self.parts.values()
    }

    /// The elements of the tuple `tuple`.
    pub fn extract(&self, tuple: &Tuple) -> Set {
        match self.parts.get(tuple) {
            Some(set) => set.clone(),
            None => Set::empty(SetSpace::new(self.params.clone(), tuple.clone())),
        }
    }

    /// The tuples that occur.
    pub fn tuples(&self) -> impl Iterator<Item = &Tuple> {
        self.parts.keys()
    }

    /// Whether there are elements of the tuple, plainly.
    pub(crate) fn has(&self, tuple: &Tuple) -> bool {
        self.parts.contains_key(tuple)
    }

    /// Adds the elements of `set`: this becomes `{ x : x in A or x in set }`.
    pub fn add(&mut self, set: &Set) {
        self.align(set.params());
        let set = set.align_params(&self.params);
        match self.parts.entry(set.tuple().clone()) {
            Entry::Occupied(mut part) => {
                let union = part.get().union(&set);
                part.insert(union);
            }
            Entry::Vacant(part) => {
                part.insert(set);
            }
        }
    }

    /// The tuples of both: `{ x : x in A and x in B }`, of each tuple as [`Set::intersect`].
    pub fn intersect(&self, other: &UnionSet) -> UnionSet {
        let mut out = UnionSet::empty(self.params.union(&other.params));
        for (tuple, set) in &self.parts {
            if let Some(other) = other.parts.get(tuple) {
                out.add_unless_plainly_empty(&set.intersect(other));
            }
        }
        out
    }

    /// The tuples for parameter values in `params`, a parameter set, as [`Set::intersect_params`].
    pub fn intersect_params(&self, params: &Set) -> UnionSet {
        let mut out = UnionSet::empty(self.params.union(params.params()));
        for set in self.parts.values() {
            out.add_unless_plainly_empty(&set.intersect_params(params));
        }
        out
    }

    /// The tuples of either: `{ x : x in A or x in B }`.
    pub fn union(&self, other: &UnionSet) -> UnionSet {
        let mut out = self.clone();
        out.align(&other.params);
        for set in other.parts.values() {
            out.add(set);
        }
        out
    }

    /// The tuples that are not in `other`: `{ x : x in A and x not in B }`.
    pub fn subtract(&self, other: &UnionSet, b: &Budget) -> Outcome<UnionSet> {
        let mut out = UnionSet::empty(self.params.union(&other.params));
        for (tuple, set) in &self.parts {
            let rest = match other.parts.get(tuple) {
                Some(other) => set.subtract(other, b)?,
                None => set.clone(),
            };
            out.add_unless_plainly_empty(&rest);
        }
        Ok(out)
    }

    /// Whether there is no tuple for any parameter values.
    pub fn is_empty(&self, b: &Budget) -> Outcome<bool> {
        for set in self.parts.values() {
            if !set.is_empty(b)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether every tuple is in `other`.
    pub fn is_subset(&self, other: &UnionSet, b: &Budget) -> Outcome<bool> {
        for (tuple, set) in &self.parts {
            let within = match other.parts.get(tuple) {
                Some(other) => set.is_subset(other, b)?,
                None => set.is_empty(b)?,
            };
            if !within {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether both have the same tuples.
    pub fn is_equal(&self, other: &UnionSet, b: &Budget) -> Outcome<bool> {
        Ok(self.is_subset(other, b)? && other.is_subset(self, b)?)
    }

    /// Whether no tuple is in both.
    pub fn is_disjoint(&self, other: &UnionSet, b: &Budget) -> Outcome<bool> {
        for (tuple, set) in &self.parts {
            if let Some(other) = other.parts.get(tuple)
                && !set.is_disjoint(other, b)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The image under `map`: `{ y : exists x in A: x -> y in map }`.
    pub fn apply(&self, map: &UnionMap, b: &Budget) -> Outcome<UnionSet> {
        map.intersect_domain(self).range(b)
    }

    /// The parameter values for which there is an element, a parameter set: `{ p : exists x: x in A(p) }`.
    pub fn project_onto_params(&self, b: &Budget) -> Outcome<Set> {
        let mut out = Set::empty(SetSpace::params_only(self.params.clone()));
        for set in self.parts.values() {
            out = out.union(&set.project_onto_params(b)?);
        }
        Ok(out)
    }

    /// As [`Set::gist`], tuple by tuple.
    pub fn gist(&self, context: &UnionSet, b: &Budget) -> Outcome<UnionSet> {
        let mut out = UnionSet::empty(self.params.union(&context.params));
        for (tuple, set) in &self.parts {
            if let Some(context) = context.parts.get(tuple) {
                out.add_unless_plainly_empty(&set.gist(context, b)?);
            }
        }
        Ok(out)
    }

    /// As [`Set::gist_params`], tuple by tuple.
    pub fn gist_params(&self, context: &Set, b: &Budget) -> Outcome<UnionSet> {
        let mut out = UnionSet::empty(self.params.union(context.params()));
        for set in self.parts.values() {
            out.add_unless_plainly_empty(&set.gist_params(context, b)?);
        }
        Ok(out)
    }

    /// As [`Set::coalesce`], tuple by tuple. Empty sets are dropped.
    pub fn coalesce(&self, b: &Budget) -> Outcome<UnionSet> {
        let mut out = UnionSet::empty(self.params.clone());
        for set in self.parts.values() {
            out.add_unless_plainly_empty(&set.coalesce(b)?);
        }
        Ok(out)
    }

    /// As [`Set::remove_redundancies`], tuple by tuple. Empty sets are dropped.
    pub fn remove_redundancies(&self, b: &Budget) -> Outcome<UnionSet> {
        let mut out = UnionSet::empty(self.params.clone());
        for set in self.parts.values() {
            out.add_unless_plainly_empty(&set.remove_redundancies(b)?);
        }
        Ok(out)
    }

    /// The identity relation on the set: `{ x -> x : x in A }`.
    pub fn identity(&self) -> UnionMap {
        let mut out = UnionMap::empty(self.params.clone());
        for set in self.parts.values() {
            out.add(&set.identity());
        }
        out
    }

    /// The union of what `f` makes of each set.
    pub(super) fn map_sets(&self, f: impl Fn(&Set) -> Outcome<Set>) -> Outcome<UnionSet> {
        let mut out = UnionSet::empty(self.params.clone());
        for part in self.parts.values() {
            out.add_unless_plainly_empty(&f(part)?);
        }
        Ok(out)
    }

    fn align(&mut self, params: &Params) {
        let all = self.params.union(params);
        if all != self.params {
            for set in self.parts.values_mut() {
                *set = set.align_params(&all);
            }
            self.params = all;
        }
    }

    fn add_unless_plainly_empty(&mut self, set: &Set) {
        if !set.is_plainly_empty() {
            self.add(set);
        }
    }
}

impl From<Set> for UnionSet {
    fn from(set: Set) -> UnionSet {
        let mut out = UnionSet::empty(set.params().clone());
        out.add(&set);
        out
    }
}
