//! Piecewise tuples of quasi-affine expressions between tuples of several spaces.

use super::parts::Parts;
use super::{MapSpace, Params, PwMultiAff, Set, Tuple, UnionMap, UnionSet};
use crate::budget::{Budget, Outcome};

/// A partial function between integer tuples of any number of spaces, which share their parameters: a [`PwMultiAff`] for
/// each pair of tuples, `{ S[i] -> A[(i)]; T[] -> A[(0)] }`.
#[derive(Clone, Debug)]
pub struct UnionPwMultiAff {
    params: Params,
    parts: Parts<(Tuple, Tuple), PwMultiAff>,
}

impl From<PwMultiAff> for UnionPwMultiAff {
    fn from(function: PwMultiAff) -> UnionPwMultiAff {
        let mut out = UnionPwMultiAff::empty(function.params().clone());
        out.put(function);
        out
    }
}

impl UnionPwMultiAff {
    /// The function that has no value anywhere.
    pub fn empty(params: Params) -> UnionPwMultiAff {
        UnionPwMultiAff {
            params,
            parts: Parts::new(),
        }
    }

    /// The identity on `domain`.
    pub fn identity(domain: &UnionSet) -> UnionPwMultiAff {
        let mut out = UnionPwMultiAff::empty(domain.params().clone());
        for set in domain.sets() {
            out.put(PwMultiAff::identity(set));
        }
        out
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The functions, one a pair of tuples, in order of insertion.
    pub fn pw_multi_affs(&self) -> impl ExactSizeIterator<Item = &PwMultiAff> {
        self.parts.values()
    }

    /// The function from `domain` to `range`.
    pub fn extract(&self, domain: &Tuple, range: &Tuple) -> PwMultiAff {
        match self.parts.get(&(domain.clone(), range.clone())) {
            Some(function) => function.clone(),
            None => PwMultiAff::empty(MapSpace::new(self.params.clone(), domain.clone(), range.clone())),
        }
    }

    /// Sets the function between the tuples of `function`, which has no value where another one has.
    pub(super) fn put(&mut self, function: PwMultiAff) {
        self.align(function.params());
        let function = function.align_params(&self.params);
        let key = (function.space().domain.clone(), function.space().range.clone());
        self.parts.insert(key, function);
    }

    fn align(&mut self, params: &Params) {
        let all = self.params.union(params);
        if all != self.params {
            for function in self.parts.values_mut() {
                *function = function.align_params(&all);
            }
            self.params = all;
        }
    }

    /// The same function with the parameters `params`, which include the present ones.
    pub fn align_params(&self, params: &Params) -> UnionPwMultiAff {
        let mut out = self.clone();
        out.align(params);
        out
    }

    /// Where there is a value.
    pub fn domain(&self) -> UnionSet {
        let mut out = UnionSet::empty(self.params.clone());
        for function in self.parts.values() {
            out.add(&function.domain());
        }
        out
    }

    /// The function of which `map` is the graph; none if some element has two images.
    pub fn from_union_map(map: &UnionMap, b: &Budget) -> Outcome<Option<UnionPwMultiAff>> {
        let mut out = UnionPwMultiAff::empty(map.params().clone());
        for map in map.maps() {
            let Some(function) = PwMultiAff::from_map(map, b)? else {
                return Ok(None);
            };
            match out.union(&function.into(), b)? {
                Some(union) => out = union,
                None => return Ok(None),
            }
        }
        Ok(Some(out))
    }

    /// The graph `{ x -> f(x) }`, where the values are integers.
    pub fn to_union_map(&self) -> UnionMap {
        let mut out = UnionMap::empty(self.params.clone());
        for function in self.parts.values() {
            out.add(&function.to_map());
        }
        out
    }

    fn each(&self, change: impl Fn(&PwMultiAff) -> Outcome<PwMultiAff>) -> Outcome<UnionPwMultiAff> {
        let mut out = UnionPwMultiAff::empty(self.params.clone());
        for function in self.parts.values() {
            out.put(change(function)?);
        }
        Ok(out)
    }

    fn zip(&self, other: &Self, join: impl Fn(&PwMultiAff, &PwMultiAff) -> Outcome<PwMultiAff>) -> Outcome<Self> {
        let mut out = UnionPwMultiAff::empty(self.params.union(&other.params));
        for (key, f) in &self.parts {
            if let Some(g) = other.parts.get(key) {
                out.put(join(f, g)?);
            }
        }
        Ok(out)
    }

    /// `x -> f(x) + g(x)`, where both have a value of the same tuple.
    pub fn add(&self, other: &UnionPwMultiAff, b: &Budget) -> Outcome<UnionPwMultiAff> {
        self.zip(other, |f, g| f.add(g, b))
    }

    /// `x -> f(x) - g(x)`, where both have a value of the same tuple.
    pub fn sub(&self, other: &UnionPwMultiAff, b: &Budget) -> Outcome<UnionPwMultiAff> {
        self.zip(other, |f, g| f.sub(g, b))
    }

    /// The function that has the values of either; none if they differ somewhere.
    pub fn union(&self, other: &UnionPwMultiAff, b: &Budget) -> Outcome<Option<UnionPwMultiAff>> {
        let mut out = self.clone();
        out.align(&other.params);
        for (key, g) in &other.parts {
            // Values of different tuples differ.
            for (with, f) in &self.parts {
                if with.0 == key.0 && with.1 != key.1 && !f.domain().is_disjoint(&g.domain(), b)? {
                    return Ok(None);
                }
            }
            let part = match self.parts.get(key) {
                Some(f) => f.union(g, b)?,
                None => Some(g.clone()),
            };
            match part {
                Some(part) => out.put(part),
                None => return Ok(None),
            }
        }
        Ok(Some(out))
    }

    /// The function on the points of its domain that are in `set`.
    pub fn intersect_domain(&self, set: &UnionSet, b: &Budget) -> Outcome<UnionPwMultiAff> {
        self.each_nonempty(set.params(), |f| f.intersect_domain(&set.extract(&f.space().domain), b))
    }

    /// The function on the points of its domain that are not in `set`.
    pub fn subtract_domain(&self, set: &UnionSet, b: &Budget) -> Outcome<UnionPwMultiAff> {
        self.each_nonempty(set.params(), |f| f.subtract_domain(&set.extract(&f.space().domain), b))
    }

    /// The function where its values are in `range`.
    pub fn intersect_range(&self, range: &UnionSet, b: &Budget) -> Outcome<UnionPwMultiAff> {
        self.each_nonempty(range.params(), |f| {
            f.intersect_range(&range.extract(&f.space().range), b)
        })
    }

    /// The function for parameter values in `params`, a parameter set.
    pub fn intersect_params(&self, params: &Set, b: &Budget) -> Outcome<UnionPwMultiAff> {
        self.each_nonempty(params.params(), |f| f.intersect_params(params, b))
    }

    fn each_nonempty(&self, params: &Params, change: impl Fn(&PwMultiAff) -> Outcome<PwMultiAff>) -> Outcome<Self> {
        let mut out = UnionPwMultiAff::empty(self.params.union(params));
        for function in self.parts.values() {
            let part = change(function)?;
            if part.pieces().len() > 0 {
                out.put(part);
            }
        }
        Ok(out)
    }

    /// As [`PwMultiAff::gist`], tuple by tuple; what is on tuples that the context has not is dropped.
    pub fn gist(&self, context: &UnionSet, b: &Budget) -> Outcome<UnionPwMultiAff> {
        self.each_nonempty(context.params(), |f| f.gist(&context.extract(&f.space().domain), b))
    }

    /// As [`PwMultiAff::coalesce`], tuple by tuple.
    pub fn coalesce(&self, b: &Budget) -> Outcome<UnionPwMultiAff> {
        self.each(|f| f.coalesce(b))
    }

    /// The composition `x -> f(args(x))`; none if it has two values somewhere, which it does only if `args` or this
    /// function does.
    pub fn pullback(&self, args: &UnionPwMultiAff, b: &Budget) -> Outcome<Option<UnionPwMultiAff>> {
        let mut out = UnionPwMultiAff::empty(self.params.union(&args.params));
        for args in args.parts.values() {
            for f in self.parts.values().filter(|f| f.space().domain == args.space().range) {
                match out.union(&f.pullback(args, b)?.into(), b)? {
                    Some(union) => out = union,
                    None => return Ok(None),
                }
            }
        }
        Ok(Some(out))
    }

    /// Whether both have the same values at the same points.
    pub fn is_equal(&self, other: &UnionPwMultiAff, b: &Budget) -> Outcome<bool> {
        for ((domain, range), f) in &self.parts {
            if !f.is_equal(&other.extract(domain, range), b)? {
                return Ok(false);
            }
        }
        for (key, g) in &other.parts {
            if !self.parts.contains_key(key) && !g.domain().is_empty(b)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
