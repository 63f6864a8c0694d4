//! Piecewise quasi-affine expressions on tuples of several spaces.

use super::parts::Parts;
use super::{Aff, Params, PwAff, Set, SetSpace, Tuple, UnionPwMultiAff, UnionSet};
use crate::budget::{Budget, Outcome};
use crate::int::Int;

/// A partial function from integer tuples of any number of spaces, which share their parameters, to rational numbers: a
/// [`PwAff`] on each of the spaces, such as one level of a schedule, `{ S[i] -> [(i)]; T[i] -> [(0)] }`.
#[derive(Clone, Debug)]
pub struct UnionPwAff {
    params: Params,
    parts: Parts<Tuple, PwAff>,
}

impl From<PwAff> for UnionPwAff {
    fn from(aff: PwAff) -> UnionPwAff {
        let mut out = UnionPwAff::empty(aff.params().clone());
        out.put(aff);
        out
    }
}

impl UnionPwAff {
    /// The function that has no value anywhere.
    pub fn empty(params: Params) -> UnionPwAff {
        UnionPwAff {
            params,
            parts: Parts::new(),
        }
    }

    /// The constant function `value` on `domain`.
    pub fn constant(domain: &UnionSet, value: &Int) -> UnionPwAff {
        let mut out = UnionPwAff::empty(domain.params().clone());
        for set in domain.sets() {
            out.put(PwAff::new(
                set.clone(),
                Aff::constant(set.space().clone(), value.clone()),
            ));
        }
        out
    }

    /// The function that is one of `parts` on each of their tuples.
    ///
    /// # Panics
    ///
    /// If two parts are on the same tuple.
    pub fn from_parts(params: Params, parts: impl IntoIterator<Item = PwAff>) -> UnionPwAff {
        let mut out = UnionPwAff::empty(params);
        for part in parts {
            let tuple = part.space().tuple.clone();
            assert!(!out.parts.contains_key(&tuple), "one part on {tuple}");
            out.put(part);
        }
        out
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The functions, one a tuple, in order of insertion.
    pub fn pw_affs(&self) -> impl ExactSizeIterator<Item = &PwAff> {
        self.parts.values()
    }

    /// The function on `tuple`.
    pub fn extract(&self, tuple: &Tuple) -> PwAff {
        match self.parts.get(tuple) {
            Some(aff) => aff.clone(),
            None => PwAff::empty(SetSpace::new(self.params.clone(), tuple.clone())),
        }
    }

    /// Sets the function on the tuple of `aff`.
    pub(super) fn put(&mut self, aff: PwAff) {
        self.align(aff.params());
        let aff = aff.align_params(&self.params);
        self.parts.insert(aff.space().tuple.clone(), aff);
    }

    fn align(&mut self, params: &Params) {
        let all = self.params.union(params);
        if all != self.params {
            for aff in self.parts.values_mut() {
                *aff = aff.align_params(&all);
            }
            self.params = all;
        }
    }

    /// The same function with the parameters `params`, which include the present ones.
    pub fn align_params(&self, params: &Params) -> UnionPwAff {
        let mut out = self.clone();
        out.align(params);
        out
    }

    /// Where there is a value.
    pub fn domain(&self) -> UnionSet {
        let mut out = UnionSet::empty(self.params.clone());
        for aff in self.parts.values() {
            out.add(&aff.domain());
        }
        out
    }

    fn each(&self, change: impl Fn(&PwAff) -> Outcome<PwAff>) -> Outcome<UnionPwAff> {
        let mut out = UnionPwAff::empty(self.params.clone());
        for aff in self.parts.values() {
            out.put(change(aff)?);
        }
        Ok(out)
    }

    /// `join` of the functions on the tuples that both have.
    fn zip(&self, other: &UnionPwAff, join: impl Fn(&PwAff, &PwAff) -> Outcome<PwAff>) -> Outcome<UnionPwAff> {
        let mut out = UnionPwAff::empty(self.params.union(&other.params));
        for (tuple, f) in &self.parts {
            if let Some(g) = other.parts.get(tuple) {
                out.put(join(f, g)?);
            }
        }
        Ok(out)
    }

    /// `join` of the functions on the tuples that both have, and the functions on those that only one of them has.
    fn merge(&self, other: &UnionPwAff, join: impl Fn(&PwAff, &PwAff) -> Outcome<PwAff>) -> Outcome<UnionPwAff> {
        let mut out = self.clone();
        out.align(&other.params);
        for (tuple, g) in &other.parts {
            let part = match self.parts.get(tuple) {
                Some(f) => join(f, g)?,
                None => g.clone(),
            };
            out.put(part);
        }
        Ok(out)
    }

    /// `x -> f(x) + g(x)`, where both have a value.
    pub fn add(&self, other: &UnionPwAff, b: &Budget) -> Outcome<UnionPwAff> {
        self.zip(other, |f, g| f.add(g, b))
    }

    /// `x -> f(x) - g(x)`, where both have a value.
    pub fn sub(&self, other: &UnionPwAff, b: &Budget) -> Outcome<UnionPwAff> {
        self.zip(other, |f, g| f.sub(g, b))
    }

    /// `x -> -f(x)`.
    pub fn neg(&self) -> UnionPwAff {
        self.map(PwAff::neg)
    }

    /// `x -> factor f(x)`.
    pub fn scale(&self, factor: &Int) -> UnionPwAff {
        self.map(|f| f.scale(factor))
    }

    /// `x -> f(x) / divisor`, not rounded.
    ///
    /// # Panics
    ///
    /// If `divisor` is zero.
    pub fn divide(&self, divisor: &Int) -> UnionPwAff {
        self.map(|f| f.divide(divisor))
    }

    /// `x -> floor(f(x))`.
    pub fn floor(&self) -> UnionPwAff {
        self.map(PwAff::floor)
    }

    /// `x -> f(x)` modulo `modulus`, as [`PwAff::modulo`].
    ///
    /// # Panics
    ///
    /// If `modulus` is not positive.
    pub fn modulo(&self, modulus: &Int) -> UnionPwAff {
        self.map(|f| f.modulo(modulus))
    }

    fn map(&self, change: impl Fn(&PwAff) -> PwAff) -> UnionPwAff {
        UnionPwAff {
            params: self.params.clone(),
            parts: self.parts.iter().map(|(t, f)| (t.clone(), change(f))).collect(),
        }
    }

    /// The sum of the values that there are.
    pub fn union_add(&self, other: &UnionPwAff, b: &Budget) -> Outcome<UnionPwAff> {
        self.merge(other, |f, g| f.union_add(g, b))
    }

    /// The function that has the values of either; none if they differ somewhere.
    pub fn union(&self, other: &UnionPwAff, b: &Budget) -> Outcome<Option<UnionPwAff>> {
        let mut out = self.clone();
        out.align(&other.params);
        for (tuple, g) in &other.parts {
            let part = match self.parts.get(tuple) {
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
    pub fn intersect_domain(&self, set: &UnionSet, b: &Budget) -> Outcome<UnionPwAff> {
        let mut out = UnionPwAff::empty(self.params.union(set.params()));
        for (tuple, aff) in &self.parts {
            let part = aff.intersect_domain(&set.extract(tuple), b)?;
            if part.pieces().len() > 0 {
                out.put(part);
            }
        }
        Ok(out)
    }

    /// The function on the points of its domain that are not in `set`.
    pub fn subtract_domain(&self, set: &UnionSet, b: &Budget) -> Outcome<UnionPwAff> {
        self.each(|f| f.subtract_domain(&set.extract(&f.space().tuple), b))
    }

    /// The function for parameter values in `params`, a parameter set.
    pub fn intersect_params(&self, params: &Set, b: &Budget) -> Outcome<UnionPwAff> {
        self.each(|f| f.intersect_params(params, b))
    }

    /// `{ x : f(x) = 0 }`.
    pub fn zero_set(&self) -> UnionSet {
        let mut out = UnionSet::empty(self.params.clone());
        for aff in self.parts.values() {
            out.add(&aff.zero_set());
        }
        out
    }

    /// As [`PwAff::gist`], tuple by tuple; what is on tuples that the context has not is dropped.
    pub fn gist(&self, context: &UnionSet, b: &Budget) -> Outcome<UnionPwAff> {
        let mut out = UnionPwAff::empty(self.params.union(context.params()));
        for (tuple, aff) in &self.parts {
            let part = aff.gist(&context.extract(tuple), b)?;
            if part.pieces().len() > 0 {
                out.put(part);
            }
        }
        Ok(out)
    }

    /// As [`PwAff::gist_params`], tuple by tuple.
    pub fn gist_params(&self, context: &Set, b: &Budget) -> Outcome<UnionPwAff> {
        self.each(|f| f.gist_params(context, b))
    }

    /// As [`PwAff::coalesce`], tuple by tuple.
    pub fn coalesce(&self, b: &Budget) -> Outcome<UnionPwAff> {
        self.each(|f| f.coalesce(b))
    }

    /// `x -> f(args(x))`, where `args(x)` is a tuple of integers on which the function has a value.
    ///
    /// A tuple that `args` takes to several other ones is taken to the union of the values, which have to agree; if they do
    /// not there is no such function.
    pub fn pullback(&self, args: &UnionPwMultiAff, b: &Budget) -> Outcome<Option<UnionPwAff>> {
        let mut out = UnionPwAff::empty(self.params.union(args.params()));
        for args in args.pw_multi_affs() {
            if let Some(f) = self.parts.get(&args.space().range) {
                match out.union(&f.pullback(args, b)?.into(), b)? {
                    Some(union) => out = union,
                    None => return Ok(None),
                }
            }
        }
        Ok(Some(out))
    }

    /// Whether both have the same values at the same points.
    pub fn is_equal(&self, other: &UnionPwAff, b: &Budget) -> Outcome<bool> {
        for (tuple, f) in &self.parts {
            if !f.is_equal(&other.extract(tuple), b)? {
                return Ok(false);
            }
        }
        for (tuple, g) in &other.parts {
            if !self.parts.contains_key(tuple) && !g.domain().is_empty(b)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The function into tuples of one dimension without a name.
    pub fn to_union_pw_multi_aff(&self) -> UnionPwMultiAff {
        let mut out = UnionPwMultiAff::empty(self.params.clone());
        for aff in self.parts.values() {
            out.put(aff.to_pw_multi_aff());
        }
        out
    }

    /// The graph `{ x -> [f(x)] }`, where the value is an integer.
    pub fn to_union_map(&self) -> super::UnionMap {
        self.to_union_pw_multi_aff().to_union_map()
    }
}
