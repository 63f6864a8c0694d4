//! Piecewise quasi-affine expressions.
//!
//! A [`PwAff`] is a partial function from the points of a space to rational numbers: on each of finitely many disjoint sets
//! a quasi-affine expression, and no value elsewhere. `max(i, 0)` is `{ [i] -> [(i)] : i >= 0; [i] -> [(0)] : i < 0 }`.
//! In the descriptions below `f` is the function itself, `g` the argument, `x` a point; an operation on two functions has
//! a value where both have one, unless its name begins with `union`. Parameters are aligned, and the tuples have to be
//! the same.

use super::cases::Cases;
use super::{Aff, MultiAff, Params, PwMultiAff, Set, SetSpace, Tuple};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use std::borrow::Cow;

/// A partial function from points of a space to rational numbers that is quasi-affine by pieces.
#[derive(Clone, Debug)]
pub struct PwAff {
    pub(super) space: SetSpace,
    pub(super) cases: Cases<Aff>,
}

impl From<Aff> for PwAff {
    fn from(aff: Aff) -> PwAff {
        let space = aff.space().clone();
        PwAff::new(Set::universe(space), aff)
    }
}

impl PwAff {
    /// The function `aff` on `domain`.
    ///
    /// # Panics
    ///
    /// If the tuples differ.
    pub fn new(domain: Set, aff: Aff) -> PwAff {
        assert_eq!(
            *domain.tuple(),
            aff.space().tuple,
            "an expression on {} in {}",
            domain.space(),
            aff.space()
        );
        let params = domain.params().union(aff.params());
        let aff = aff.align_params(&params);
        PwAff {
            space: aff.space().clone(),
            cases: Cases::one(domain.align_params(&params), aff),
        }
    }

    /// The function that has no value anywhere.
    pub fn empty(space: SetSpace) -> PwAff {
        PwAff {
            space,
            cases: Cases::none(),
        }
    }

    /// The function that is 1 on `set` and 0 elsewhere.
    pub fn indicator(set: &Set, b: &Budget) -> Outcome<PwAff> {
        let space = set.space().clone();
        let mut cases = Cases::none();
        cases.push(set.clone(), Aff::constant(space.clone(), Int::ONE), b)?;
        cases.push(set.complement(b)?, Aff::constant(space.clone(), Int::ZERO), b)?;
        Ok(PwAff { space, cases })
    }

    /// The space of the arguments.
    pub fn space(&self) -> &SetSpace {
        &self.space
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.space.params
    }

    /// The sets, which are disjoint, and the expression on each of them.
    pub fn pieces(&self) -> impl ExactSizeIterator<Item = (&Set, &Aff)> {
        self.cases.iter()
    }

    /// The expression if there is only one, on all points of the space.
    pub fn as_aff(&self) -> Option<&Aff> {
        self.cases.only()
    }

    /// Where there is a value.
    pub fn domain(&self) -> Set {
        self.cases.domain(self.space.clone())
    }

    /// The same function with the parameters `params`, which include the present ones.
    pub fn align_params(&self, params: &Params) -> PwAff {
        self.aligned(params).into_owned()
    }

    fn aligned(&self, params: &Params) -> Cow<'_, PwAff> {
        if self.space.params == *params {
            return Cow::Borrowed(self);
        }
        Cow::Owned(PwAff {
            space: SetSpace::new(params.clone(), self.space.tuple.clone()),
            cases: self.cases.align_params(params),
        })
    }

    fn aligned_pair<'a>(&'a self, other: &'a PwAff) -> (Cow<'a, PwAff>, Cow<'a, PwAff>) {
        assert_eq!(
            self.space.tuple, other.space.tuple,
            "expressions on {} and {}",
            self.space, other.space
        );
        let params = self.space.params.union(&other.space.params);
        (self.aligned(&params), other.aligned(&params))
    }

    /// This function and a set of arguments, with the same parameters.
    fn with_set<'a>(&'a self, set: &Set) -> (Cow<'a, PwAff>, Set) {
        assert_eq!(
            self.space.tuple,
            *set.tuple(),
            "a set in {} of arguments in {}",
            set.space(),
            self.space
        );
        let params = self.space.params.union(set.params());
        (self.aligned(&params), set.align_params(&params))
    }

    fn each(&self, value: impl Fn(&Aff) -> Aff) -> PwAff {
        PwAff {
            space: self.space.clone(),
            cases: self.cases.map(value),
        }
    }

    fn combine(&self, other: &PwAff, b: &Budget, join: impl Fn(&Aff, &Aff) -> Aff) -> Outcome<PwAff> {
        let (f, g) = self.aligned_pair(other);
        Ok(PwAff {
            cases: f.cases.combine(&g.cases, b, join)?,
            space: f.space.clone(),
        })
    }

    /// `x -> f(x) + g(x)`.
    pub fn add(&self, other: &PwAff, b: &Budget) -> Outcome<PwAff> {
        self.combine(other, b, Aff::add)
    }

    /// `x -> f(x) - g(x)`.
    pub fn sub(&self, other: &PwAff, b: &Budget) -> Outcome<PwAff> {
        self.combine(other, b, Aff::sub)
    }

    /// `x -> -f(x)`.
    pub fn neg(&self) -> PwAff {
        self.each(Aff::neg)
    }

    /// `x -> factor f(x)`.
    pub fn scale(&self, factor: &Int) -> PwAff {
        self.each(|a| a.scale(factor))
    }

    /// `x -> f(x) + value`.
    pub fn add_constant(&self, value: &Int) -> PwAff {
        self.each(|a| a.add_constant(value))
    }

    /// `x -> f(x) / divisor`, not rounded.
    ///
    /// # Panics
    ///
    /// If `divisor` is zero.
    pub fn divide(&self, divisor: &Int) -> PwAff {
        self.each(|a| a.divide(divisor))
    }

    /// `x -> f(x) g(x)`; none if there is a point where both are not constant around it: the product is not affine there.
    pub fn mul(&self, other: &PwAff, b: &Budget) -> Outcome<Option<PwAff>> {
        let (f, g) = self.aligned_pair(other);
        let mut cases = Cases::none();
        let mut affine = true;
        f.cases.for_overlaps(&g.cases, b, |both, v, w| {
            match v.mul(w) {
                Some(product) => cases.push(both, product, b)?,
                None => affine = false,
            }
            Ok(())
        })?;
        Ok(affine.then(|| PwAff {
            space: f.space.clone(),
            cases,
        }))
    }

    /// `x -> floor(f(x))`.
    pub fn floor(&self) -> PwAff {
        self.each(Aff::floor)
    }

    /// `x -> ceil(f(x))`.
    pub fn ceil(&self) -> PwAff {
        self.each(Aff::ceil)
    }

    /// `x -> f(x) - modulus floor(f(x) / modulus)`.
    ///
    /// # Panics
    ///
    /// If `modulus` is not positive.
    pub fn modulo(&self, modulus: &Int) -> PwAff {
        self.each(|a| a.modulo(modulus))
    }

    /// `x -> min(f(x), g(x))`.
    pub fn min(&self, other: &PwAff, b: &Budget) -> Outcome<PwAff> {
        let (f, g) = self.aligned_pair(other);
        Ok(PwAff {
            cases: f.cases.choose(&g.cases, b, smaller)?,
            space: f.space.clone(),
        })
    }

    /// `x -> max(f(x), g(x))`.
    pub fn max(&self, other: &PwAff, b: &Budget) -> Outcome<PwAff> {
        let (f, g) = self.aligned_pair(other);
        Ok(PwAff {
            cases: f.cases.choose(&g.cases, b, larger)?,
            space: f.space.clone(),
        })
    }

    /// `x -> then(x)` where `f(x)` is not zero, `x -> otherwise(x)` where it is.
    pub fn cond(&self, then: &PwAff, otherwise: &PwAff, b: &Budget) -> Outcome<PwAff> {
        let then = then.intersect_domain(&self.nonzero_set(), b)?;
        let otherwise = otherwise.intersect_domain(&self.zero_set(), b)?;
        let (mut then, otherwise) = {
            let (f, g) = then.aligned_pair(&otherwise);
            (f.into_owned(), g.into_owned())
        };
        for (domain, aff) in otherwise.cases.iter() {
            then.cases.push(domain.clone(), aff.clone(), b)?;
        }
        Ok(then)
    }

    /// `f` and `g` where only one of them has a value, `both` where both do.
    fn beside(f: &PwAff, g: &PwAff, both: Cases<Aff>, b: &Budget) -> Outcome<PwAff> {
        Ok(PwAff {
            cases: f.cases.beside(&g.cases, both, &f.space, b)?,
            space: f.space.clone(),
        })
    }

    /// The smaller of the values that there are.
    pub fn union_min(&self, other: &PwAff, b: &Budget) -> Outcome<PwAff> {
        let (f, g) = self.aligned_pair(other);
        let both = f.cases.choose(&g.cases, b, smaller)?;
        PwAff::beside(&f, &g, both, b)
    }

    /// The larger of the values that there are.
    pub fn union_max(&self, other: &PwAff, b: &Budget) -> Outcome<PwAff> {
        let (f, g) = self.aligned_pair(other);
        let both = f.cases.choose(&g.cases, b, larger)?;
        PwAff::beside(&f, &g, both, b)
    }

    /// The sum of the values that there are.
    pub fn union_add(&self, other: &PwAff, b: &Budget) -> Outcome<PwAff> {
        let (f, g) = self.aligned_pair(other);
        let both = f.cases.combine(&g.cases, b, Aff::add)?;
        PwAff::beside(&f, &g, both, b)
    }

    /// The function that has the values of either; none if they differ somewhere.
    pub fn union(&self, other: &PwAff, b: &Budget) -> Outcome<Option<PwAff>> {
        let (f, g) = self.aligned_pair(other);
        Ok(f.cases.union(&g.cases, b)?.map(|cases| PwAff {
            space: f.space.clone(),
            cases,
        }))
    }

    /// `f(x)` where there is a value, and `g(x)` elsewhere.
    pub fn or_else(&self, other: &PwAff, b: &Budget) -> Outcome<PwAff> {
        let (f, g) = self.aligned_pair(other);
        let mut out = f.into_owned();
        out.cases.or_else(&g.cases, &out.space, b)?;
        Ok(out)
    }

    fn compare(&self, other: &PwAff, b: &Budget, compare: impl Fn(&Aff, &Aff) -> Set) -> Outcome<Set> {
        let (f, g) = self.aligned_pair(other);
        let mut out = Set::empty(f.space.clone());
        f.cases.for_overlaps(&g.cases, b, |both, v, w| {
            out = out.union(&both.intersect(&compare(v, w)));
            Ok(())
        })?;
        Ok(out)
    }

    /// `{ x : f(x) = g(x) }`.
    pub fn eq_set(&self, other: &PwAff, b: &Budget) -> Outcome<Set> {
        self.compare(other, b, Aff::eq_set)
    }

    /// `{ x : f(x) != g(x) }`.
    pub fn ne_set(&self, other: &PwAff, b: &Budget) -> Outcome<Set> {
        self.compare(other, b, Aff::ne_set)
    }

    /// `{ x : f(x) <= g(x) }`.
    pub fn le_set(&self, other: &PwAff, b: &Budget) -> Outcome<Set> {
        self.compare(other, b, Aff::le_set)
    }

    /// `{ x : f(x) < g(x) }`.
    pub fn lt_set(&self, other: &PwAff, b: &Budget) -> Outcome<Set> {
        self.compare(other, b, Aff::lt_set)
    }

    /// `{ x : f(x) >= g(x) }`.
    pub fn ge_set(&self, other: &PwAff, b: &Budget) -> Outcome<Set> {
        self.compare(other, b, Aff::ge_set)
    }

    /// `{ x : f(x) > g(x) }`.
    pub fn gt_set(&self, other: &PwAff, b: &Budget) -> Outcome<Set> {
        self.compare(other, b, Aff::gt_set)
    }

    fn sign_set(&self, compare: impl Fn(&Aff, &Aff) -> Set) -> Set {
        let zero = Aff::constant(self.space.clone(), Int::ZERO);
        self.cases
            .iter()
            .fold(Set::empty(self.space.clone()), |all, (domain, aff)| {
                all.union(&domain.intersect(&compare(aff, &zero)))
            })
    }

    /// `{ x : f(x) = 0 }`.
    pub fn zero_set(&self) -> Set {
        self.sign_set(Aff::eq_set)
    }

    /// `{ x : f(x) != 0 }`.
    pub fn nonzero_set(&self) -> Set {
        self.sign_set(Aff::ne_set)
    }

    /// `{ x : f(x) >= 0 }`.
    pub fn nonneg_set(&self) -> Set {
        self.sign_set(Aff::ge_set)
    }

    /// `{ x : f(x) > 0 }`.
    pub fn pos_set(&self) -> Set {
        self.sign_set(Aff::gt_set)
    }

    /// The function on the points of its domain that are in `set`.
    pub fn intersect_domain(&self, set: &Set, b: &Budget) -> Outcome<PwAff> {
        let (f, set) = self.with_set(set);
        Ok(PwAff {
            cases: f.cases.map_domains(|domain| Ok(domain.intersect(&set)), b)?,
            space: f.space.clone(),
        })
    }

    /// The function for parameter values in `params`, a parameter set.
    pub fn intersect_params(&self, params: &Set, b: &Budget) -> Outcome<PwAff> {
        let f = self.aligned(&self.space.params.union(params.params()));
        Ok(PwAff {
            cases: f.cases.map_domains(|domain| Ok(domain.intersect_params(params)), b)?,
            space: f.space.clone(),
        })
    }

    /// The function on the points of its domain that are not in `set`.
    pub fn subtract_domain(&self, set: &Set, b: &Budget) -> Outcome<PwAff> {
        let (f, set) = self.with_set(set);
        Ok(PwAff {
            cases: f.cases.map_domains(|domain| domain.subtract(&set, b), b)?,
            space: f.space.clone(),
        })
    }

    /// A simpler function with the same values on `context`.
    pub fn gist(&self, context: &Set, b: &Budget) -> Outcome<PwAff> {
        let (f, context) = self.with_set(context);
        Ok(PwAff {
            cases: f.cases.gist(&context, b)?,
            space: f.space.clone(),
        })
    }

    /// A simpler function with the same values for parameter values in `context`.
    pub fn gist_params(&self, context: &Set, b: &Budget) -> Outcome<PwAff> {
        let all = SetSpace::new(context.params().clone(), self.space.tuple.clone());
        self.gist(&Set::universe(all).intersect_params(context), b)
    }

    /// The same function in fewer and simpler pieces: pieces are merged where one expression is right for both, and their
    /// sets as by [`Set::coalesce`].
    pub fn coalesce(&self, b: &Budget) -> Outcome<PwAff> {
        Ok(PwAff {
            space: self.space.clone(),
            cases: self.cases.coalesce(b)?,
        })
    }

    /// `x -> f(args(x))`, where `args(x)` is a tuple of integers.
    ///
    /// # Panics
    ///
    /// If the range tuple of `args` is not the tuple of this function's space.
    pub fn pullback(&self, args: &PwMultiAff, b: &Budget) -> Outcome<PwAff> {
        assert_eq!(
            self.space.tuple,
            args.space().range,
            "an expression on {} of {}",
            self.space,
            args.space()
        );
        let params = self.space.params.union(args.params());
        let (f, args) = (self.aligned(&params), args.align_params(&params));
        Ok(PwAff {
            space: args.space().domain_space(),
            cases: f.cases.pullback(&args.cases, b)?,
        })
    }

    /// `x -> f(args(x))`, where `args(x)` is a tuple of integers.
    ///
    /// # Panics
    ///
    /// If the range tuple of `args` is not the tuple of this function's space.
    pub fn pullback_multi_aff(&self, args: &MultiAff, b: &Budget) -> Outcome<PwAff> {
        self.pullback(&PwMultiAff::from(args.clone()), b)
    }

    /// The same function on another tuple of as many dimensions.
    ///
    /// # Panics
    ///
    /// If the numbers of dimensions differ.
    pub fn with_domain_tuple(&self, tuple: Tuple) -> PwAff {
        assert_eq!(
            tuple.n(),
            self.space.tuple.n(),
            "{tuple} in the place of {}",
            self.space
        );
        let space = SetSpace::new(self.space.params.clone(), tuple.clone());
        let mut cases = Cases::none();
        for (domain, aff) in self.cases.iter() {
            let aff = Aff::from_expr(space.clone(), aff.expr().clone());
            cases.push_nonempty(domain.with_tuple(tuple.clone()), aff);
        }
        PwAff { space, cases }
    }

    /// Whether both have the same values at the same points.
    pub fn is_equal(&self, other: &PwAff, b: &Budget) -> Outcome<bool> {
        let (f, g) = self.aligned_pair(other);
        f.cases.is_equal(&g.cases, &f.space, b)
    }

    /// Whether both are the same pieces: a cheap test for equality that may miss.
    pub fn is_plainly_equal(&self, other: &PwAff) -> bool {
        self.space == other.space && self.cases.is_plainly_equal(&other.cases)
    }

    /// The value at a point, none if there is none or if it is not an integer.
    pub fn eval(&self, params: &[Int], dims: &[Int], b: &Budget) -> Outcome<Option<Int>> {
        let aff = self.cases.at(params, dims, b)?;
        Ok(aff.and_then(|aff| aff.eval(params, dims)))
    }

    /// The function into tuples of one dimension without a name.
    pub fn to_pw_multi_aff(&self) -> PwMultiAff {
        let range = Tuple::anonymous(1);
        PwMultiAff::from_cases(
            self.space.clone(),
            range.clone(),
            self.cases
                .map(|aff| MultiAff::new(aff.space().clone(), range.clone(), vec![aff.clone()])),
        )
    }

    /// The graph `{ x -> [f(x)] }`, where the value is an integer.
    pub fn to_map(&self) -> super::Map {
        self.to_pw_multi_aff().to_map()
    }

    /// The function of which `map` is the graph; none if some element has two images.
    ///
    /// # Panics
    ///
    /// If the range of `map` has not one dimension.
    pub fn from_map(map: &super::Map, b: &Budget) -> Outcome<Option<PwAff>> {
        assert_eq!(map.range_tuple().n(), 1, "values of one dimension, not {}", map.space());
        Ok(PwMultiAff::from_map(map, b)?.map(|function| function.component(0)))
    }

    /// The smallest integer value, over all parameter values; none if there is no point with an integer value or no
    /// smallest one.
    pub fn min_val(&self, b: &Budget) -> Outcome<Option<Int>> {
        let values = self.values(b)?;
        Ok(values.lexmin(b)?.sample(b)?.map(|(_, mut value)| value.remove(0)))
    }

    /// The largest integer value, as [`PwAff::min_val`].
    pub fn max_val(&self, b: &Budget) -> Outcome<Option<Int>> {
        let values = self.values(b)?;
        Ok(values.lexmax(b)?.sample(b)?.map(|(_, mut value)| value.remove(0)))
    }

    /// All values for all parameter values, a set without parameters.
    fn values(&self, b: &Budget) -> Outcome<Set> {
        let mut values = self.to_map().range(b)?;
        for param in self.space.params.names() {
            values = values.project_out_param(param, b)?;
        }
        Ok(values)
    }
}

impl Aff {
    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.space().params
    }

    /// `x -> min(f(x), g(x))`. Parameters are aligned; otherwise the spaces are the same.
    pub fn min(&self, other: &Aff, b: &Budget) -> Outcome<PwAff> {
        PwAff::from(self.clone()).min(&PwAff::from(other.clone()), b)
    }

    /// `x -> max(f(x), g(x))`, as [`Aff::min`].
    pub fn max(&self, other: &Aff, b: &Budget) -> Outcome<PwAff> {
        PwAff::from(self.clone()).max(&PwAff::from(other.clone()), b)
    }
}

/// Where the first is the smaller one, and where it is not.
fn smaller(f: &Aff, g: &Aff) -> (Set, Set) {
    (f.le_set(g), f.gt_set(g))
}

fn larger(f: &Aff, g: &Aff) -> (Set, Set) {
    (f.ge_set(g), f.lt_set(g))
}
