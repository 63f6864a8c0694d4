//! Tuples of piecewise quasi-affine expressions on tuples of several spaces.

use super::{Params, PwMultiAff, Set, SetSpace, Tuple, UnionPwAff, UnionPwMultiAff, UnionSet};
use crate::budget::{Budget, Outcome};
use crate::int::Int;

/// A tuple of [`UnionPwAff`]s, such as a partial schedule, `L4[{ S[i] -> [(i)]; T[] -> [(0)] }, { S[i] -> [(0)]; T[] -> [(1)] }]`:
/// a partial function from tuples of several spaces to one tuple, with a value where all of its expressions have one.
#[derive(Clone, Debug)]
pub struct MultiUnionPwAff {
    params: Params,
    range: Tuple,
    affs: Vec<UnionPwAff>,
    /// Where the function is defined if there are no expressions; otherwise empty.
    domain: UnionSet,
}

impl From<UnionPwAff> for MultiUnionPwAff {
    fn from(aff: UnionPwAff) -> MultiUnionPwAff {
        MultiUnionPwAff::new(Tuple::anonymous(1), vec![aff])
    }
}

impl MultiUnionPwAff {
    /// The tuple `range` of the expressions `affs`.
    ///
    /// # Panics
    ///
    /// If there are not as many expressions as dimensions of `range`.
    pub fn new(range: Tuple, affs: Vec<UnionPwAff>) -> MultiUnionPwAff {
        assert_eq!(range.n(), affs.len(), "one expression a dimension of {range}");
        let params = affs.iter().fold(Params::none(), |all, aff| all.union(aff.params()));
        MultiUnionPwAff {
            affs: affs.iter().map(|a| a.align_params(&params)).collect(),
            domain: UnionSet::empty(params.clone()),
            params,
            range,
        }
    }

    /// The function from the elements of `domain` to the only element of the tuple `range`.
    ///
    /// # Panics
    ///
    /// If `range` has dimensions.
    pub fn on_domain(range: Tuple, domain: UnionSet) -> MultiUnionPwAff {
        assert_eq!(range.n(), 0, "{range} without expressions");
        MultiUnionPwAff {
            params: domain.params().clone(),
            range,
            affs: Vec::new(),
            domain,
        }
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The tuple of the values.
    pub fn range_tuple(&self) -> &Tuple {
        &self.range
    }

    /// The expressions, one a dimension of the range.
    pub fn affs(&self) -> &[UnionPwAff] {
        &self.affs
    }

    /// The number of expressions.
    pub fn len(&self) -> usize {
        self.affs.len()
    }

    /// Whether there are no expressions.
    pub fn is_empty(&self) -> bool {
        self.affs.is_empty()
    }

    /// Where all expressions have a value.
    pub fn domain(&self) -> UnionSet {
        let Some((first, others)) = self.affs.split_first() else {
            return self.domain.clone();
        };
        others
            .iter()
            .fold(first.domain(), |all, aff| all.intersect(&aff.domain()))
    }

    fn each(
        &self,
        change: impl Fn(&UnionPwAff) -> Outcome<UnionPwAff>,
        domain: impl Fn(&UnionSet) -> Outcome<UnionSet>,
    ) -> Outcome<MultiUnionPwAff> {
        if self.affs.is_empty() {
            return Ok(MultiUnionPwAff::on_domain(self.range.clone(), domain(&self.domain)?));
        }
        let affs: Outcome<Vec<UnionPwAff>> = self.affs.iter().map(change).collect();
        Ok(MultiUnionPwAff::new(self.range.clone(), affs?))
    }

    fn zip(
        &self,
        other: &MultiUnionPwAff,
        join: impl Fn(&UnionPwAff, &UnionPwAff) -> Outcome<UnionPwAff>,
    ) -> Outcome<MultiUnionPwAff> {
        assert_eq!(self.range, other.range, "values of the same tuple");
        if self.affs.is_empty() {
            let domain = self.domain.intersect(&other.domain);
            return Ok(MultiUnionPwAff::on_domain(self.range.clone(), domain));
        }
        let affs: Outcome<Vec<UnionPwAff>> = self.affs.iter().zip(&other.affs).map(|(f, g)| join(f, g)).collect();
        Ok(MultiUnionPwAff::new(self.range.clone(), affs?))
    }

    /// `x -> f(x) + g(x)`, where both have a value.
    pub fn add(&self, other: &MultiUnionPwAff, b: &Budget) -> Outcome<MultiUnionPwAff> {
        self.zip(other, |f, g| f.add(g, b))
    }

    /// `x -> f(x) - g(x)`, where both have a value.
    pub fn sub(&self, other: &MultiUnionPwAff, b: &Budget) -> Outcome<MultiUnionPwAff> {
        self.zip(other, |f, g| f.sub(g, b))
    }

    fn map(&self, change: impl Fn(&UnionPwAff) -> UnionPwAff) -> MultiUnionPwAff {
        MultiUnionPwAff {
            affs: self.affs.iter().map(change).collect(),
            ..self.clone()
        }
    }

    /// `x -> -f(x)`.
    pub fn neg(&self) -> MultiUnionPwAff {
        self.map(UnionPwAff::neg)
    }

    /// `x -> factor f(x)`.
    pub fn scale(&self, factor: &Int) -> MultiUnionPwAff {
        self.map(|f| f.scale(factor))
    }

    /// All values rounded down to integers.
    pub fn floor(&self) -> MultiUnionPwAff {
        self.map(UnionPwAff::floor)
    }

    /// All values modulo `modulus`, as [`super::PwAff::modulo`].
    ///
    /// # Panics
    ///
    /// If `modulus` is not positive.
    pub fn modulo(&self, modulus: &Int) -> MultiUnionPwAff {
        self.map(|f| f.modulo(modulus))
    }

    /// The function on the points of its domain that are in `set`.
    pub fn intersect_domain(&self, set: &UnionSet, b: &Budget) -> Outcome<MultiUnionPwAff> {
        self.each(|f| f.intersect_domain(set, b), |domain| Ok(domain.intersect(set)))
    }

    /// The function for parameter values in `params`, a parameter set.
    pub fn intersect_params(&self, params: &Set, b: &Budget) -> Outcome<MultiUnionPwAff> {
        self.each(
            |f| f.intersect_params(params, b),
            |domain| Ok(domain.intersect_params(params)),
        )
    }

    /// As [`UnionPwAff::gist`], expression by expression.
    pub fn gist(&self, context: &UnionSet, b: &Budget) -> Outcome<MultiUnionPwAff> {
        self.each(|f| f.gist(context, b), |domain| domain.gist(context, b))
    }

    /// As [`UnionPwAff::coalesce`], expression by expression.
    pub fn coalesce(&self, b: &Budget) -> Outcome<MultiUnionPwAff> {
        self.each(|f| f.coalesce(b), |domain| domain.coalesce(b))
    }

    /// The function that has the values of either; none if they differ somewhere.
    ///
    /// # Panics
    ///
    /// If the range tuples differ.
    pub fn union(&self, other: &MultiUnionPwAff, b: &Budget) -> Outcome<Option<MultiUnionPwAff>> {
        assert_eq!(self.range, other.range, "values of the same tuple");
        if self.affs.is_empty() {
            let domain = self.domain.union(&other.domain);
            return Ok(Some(MultiUnionPwAff::on_domain(self.range.clone(), domain)));
        }
        // Where only some of the expressions are defined, there is no value to agree with.
        let (f, g) = (
            self.intersect_domain(&self.domain(), b)?,
            other.intersect_domain(&other.domain(), b)?,
        );
        let mut affs = Vec::with_capacity(f.affs.len());
        for (f, g) in f.affs.iter().zip(&g.affs) {
            match f.union(g, b)? {
                Some(aff) => affs.push(aff),
                None => return Ok(None),
            }
        }
        Ok(Some(MultiUnionPwAff::new(self.range.clone(), affs)))
    }

    /// `x -> f(args(x))`, as [`UnionPwAff::pullback`].
    pub fn pullback(&self, args: &UnionPwMultiAff, b: &Budget) -> Outcome<Option<MultiUnionPwAff>> {
        if self.affs.is_empty() {
            let domain = args.intersect_range(&self.domain, b)?.domain();
            return Ok(Some(MultiUnionPwAff::on_domain(self.range.clone(), domain)));
        }
        let mut affs = Vec::with_capacity(self.affs.len());
        for f in &self.affs {
            match f.pullback(args, b)? {
                Some(aff) => affs.push(aff),
                None => return Ok(None),
            }
        }
        Ok(Some(MultiUnionPwAff::new(self.range.clone(), affs)))
    }

    /// The function `x -> [f(x), g(x)]`, its range an anonymous tuple.
    pub fn flat_range_product(&self, other: &MultiUnionPwAff, b: &Budget) -> Outcome<MultiUnionPwAff> {
        let range = Tuple::anonymous(self.len() + other.len());
        Ok(match (self.is_empty(), other.is_empty()) {
            (true, true) => MultiUnionPwAff::on_domain(range, self.domain.intersect(&other.domain)),
            (true, false) => MultiUnionPwAff::new(range, other.intersect_domain(&self.domain, b)?.affs),
            (false, true) => MultiUnionPwAff::new(range, self.intersect_domain(&other.domain, b)?.affs),
            (false, false) => MultiUnionPwAff::new(range, self.affs.iter().chain(&other.affs).cloned().collect()),
        })
    }

    /// The same function tuple by tuple, with the same pieces for all dimensions.
    pub fn to_union_pw_multi_aff(&self, b: &Budget) -> Outcome<UnionPwMultiAff> {
        let mut out = UnionPwMultiAff::empty(self.params.clone());
        for set in self.domain().sets() {
            let space = SetSpace::new(self.params.clone(), set.tuple().clone());
            let none = super::MultiAff::new(space, Tuple::anonymous(0), Vec::new());
            let mut part = PwMultiAff::new(set.clone(), none);
            for aff in &self.affs {
                part = part.flat_range_product(&aff.extract(set.tuple()).to_pw_multi_aff(), b)?;
            }
            out.put(part.with_range_tuple(self.range.clone()));
        }
        Ok(out)
    }

    /// The function with the values of `function`.
    ///
    /// # Panics
    ///
    /// If `function` has values of another tuple than `range`.
    pub fn from_union_pw_multi_aff(function: &UnionPwMultiAff, range: Tuple) -> MultiUnionPwAff {
        if range.n() == 0 {
            return MultiUnionPwAff::on_domain(range, function.domain());
        }
        let mut affs = vec![UnionPwAff::empty(function.params().clone()); range.n()];
        for part in function.pw_multi_affs() {
            assert_eq!(part.space().range, range, "values of the same tuple");
            for (dim, aff) in affs.iter_mut().enumerate() {
                aff.put(part.component(dim));
            }
        }
        MultiUnionPwAff::new(range, affs)
    }

    /// The graph `{ x -> f(x) }`, where the values are integers.
    pub fn to_union_map(&self, b: &Budget) -> Outcome<super::UnionMap> {
        Ok(self.to_union_pw_multi_aff(b)?.to_union_map())
    }

    /// Whether both have the same values at the same points.
    pub fn is_equal(&self, other: &MultiUnionPwAff, b: &Budget) -> Outcome<bool> {
        Ok(self.range == other.range
            && self
                .to_union_pw_multi_aff(b)?
                .is_equal(&other.to_union_pw_multi_aff(b)?, b)?)
    }
}
