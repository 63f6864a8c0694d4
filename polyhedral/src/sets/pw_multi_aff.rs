//! Piecewise tuples of quasi-affine expressions.
//!
//! A [`PwMultiAff`] is a partial function between two tuples: on each of finitely many disjoint sets one quasi-affine
//! expression for every dimension of the range. It is what a single-valued relation is as a function:
//! `{ [i] -> A[j] : 2j <= i <= 2j + 1 }` is the graph of `{ [i] -> A[(floor((i)/2))] }`. In the descriptions below `f`
//! is the function itself, `g` the argument, `x` a point. Parameters are aligned.

use super::cases::Cases;
use super::lexmin::{Leaf, lexmax_leaves, lexmin_leaves};
use super::{Aff, Conj, Map, MapSpace, MultiAff, MultiPwAff, Params, PwAff, Set, SetSpace, Tuple, graph, pieces};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use std::borrow::Cow;

/// A partial function from tuples to tuples that is quasi-affine by pieces.
#[derive(Clone, Debug)]
pub struct PwMultiAff {
    pub(super) space: MapSpace,
    pub(super) cases: Cases<MultiAff>,
}

impl From<MultiAff> for PwMultiAff {
    fn from(function: MultiAff) -> PwMultiAff {
        PwMultiAff::new(Set::universe(function.domain_space()), function)
    }
}

impl PwMultiAff {
    /// The function `function` on `domain`.
    ///
    /// # Panics
    ///
    /// If the tuples differ.
    pub fn new(domain: Set, function: MultiAff) -> PwMultiAff {
        assert_eq!(
            *domain.tuple(),
            function.space().domain,
            "a function in {} on {}",
            function.space(),
            domain.space()
        );
        let params = domain.params().union(function.params());
        let function = function.align_params(&params);
        PwMultiAff {
            space: function.space().clone(),
            cases: Cases::one(domain.align_params(&params), function),
        }
    }

    /// The function that has no value anywhere.
    pub fn empty(space: MapSpace) -> PwMultiAff {
        PwMultiAff {
            space,
            cases: Cases::none(),
        }
    }

    /// The identity on `domain`.
    pub fn identity(domain: &Set) -> PwMultiAff {
        PwMultiAff::new(domain.clone(), MultiAff::identity(domain.space().clone()))
    }

    pub(super) fn from_cases(domain: SetSpace, range: Tuple, cases: Cases<MultiAff>) -> PwMultiAff {
        PwMultiAff {
            space: MapSpace::new(domain.params, domain.tuple, range),
            cases,
        }
    }

    /// The space of the relation between arguments and values.
    pub fn space(&self) -> &MapSpace {
        &self.space
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.space.params
    }

    /// The sets, which are disjoint, and the function on each of them.
    pub fn pieces(&self) -> impl ExactSizeIterator<Item = (&Set, &MultiAff)> {
        self.cases.iter()
    }

    /// The function if it is only one tuple of expressions, on all points of the space.
    pub fn as_multi_aff(&self) -> Option<&MultiAff> {
        self.cases.only()
    }

    /// Where there is a value.
    pub fn domain(&self) -> Set {
        self.cases.domain(self.space.domain_space())
    }

    /// The values.
    pub fn range(&self, b: &Budget) -> Outcome<Set> {
        self.to_map().range(b)
    }

    /// The function of which `map` is the graph; none if some element has two images.
    pub fn from_map(map: &Map, b: &Budget) -> Outcome<Option<PwMultiAff>> {
        Ok(graph::function(map, b)?.map(|cases| PwMultiAff {
            space: map.space().clone(),
            cases,
        }))
    }

    /// The function from parameter values to the only element of `set`; none if it has several for some.
    pub fn from_set(set: &Set, b: &Budget) -> Outcome<Option<PwMultiAff>> {
        PwMultiAff::from_map(&set.as_range(), b)
    }

    /// The graph `{ x -> f(x) }`, where the values are integers.
    pub fn to_map(&self) -> Map {
        self.cases
            .iter()
            .fold(Map::empty(self.space.clone()), |all, (domain, function)| {
                all.union(&function.to_map().intersect_domain(domain))
            })
    }

    /// The same function with the parameters `params`, which include the present ones.
    pub fn align_params(&self, params: &Params) -> PwMultiAff {
        self.aligned(params).into_owned()
    }

    fn aligned(&self, params: &Params) -> Cow<'_, PwMultiAff> {
        if self.space.params == *params {
            return Cow::Borrowed(self);
        }
        Cow::Owned(PwMultiAff {
            space: MapSpace::new(params.clone(), self.space.domain.clone(), self.space.range.clone()),
            cases: self.cases.align_params(params),
        })
    }

    fn aligned_pair<'a>(&'a self, other: &'a PwMultiAff) -> (Cow<'a, PwMultiAff>, Cow<'a, PwMultiAff>) {
        let same = self.space.domain == other.space.domain && self.space.range == other.space.range;
        assert!(same, "functions in {} and {}", self.space, other.space);
        let params = self.space.params.union(&other.space.params);
        (self.aligned(&params), other.aligned(&params))
    }

    fn with_set<'a>(&'a self, set: &Set) -> (Cow<'a, PwMultiAff>, Set) {
        assert_eq!(
            self.space.domain,
            *set.tuple(),
            "a set in {} of arguments in {}",
            set.space(),
            self.space
        );
        let params = self.space.params.union(set.params());
        (self.aligned(&params), set.align_params(&params))
    }

    fn each(&self, value: impl Fn(&MultiAff) -> MultiAff) -> PwMultiAff {
        PwMultiAff {
            space: self.space.clone(),
            cases: self.cases.map(value),
        }
    }

    fn combine(
        &self,
        other: &PwMultiAff,
        b: &Budget,
        join: impl Fn(&MultiAff, &MultiAff) -> MultiAff,
    ) -> Outcome<Self> {
        let (f, g) = self.aligned_pair(other);
        Ok(PwMultiAff {
            cases: f.cases.combine(&g.cases, b, join)?,
            space: f.space.clone(),
        })
    }

    /// `x -> f(x) + g(x)`, where both have a value.
    pub fn add(&self, other: &PwMultiAff, b: &Budget) -> Outcome<PwMultiAff> {
        self.combine(other, b, MultiAff::add)
    }

    /// `x -> f(x) - g(x)`, where both have a value.
    pub fn sub(&self, other: &PwMultiAff, b: &Budget) -> Outcome<PwMultiAff> {
        self.combine(other, b, MultiAff::sub)
    }

    /// `x -> -f(x)`.
    pub fn neg(&self) -> PwMultiAff {
        self.each(MultiAff::neg)
    }

    /// `x -> factor f(x)`.
    pub fn scale(&self, factor: &Int) -> PwMultiAff {
        self.each(|f| f.scale(factor))
    }

    /// All values rounded down to integers.
    pub fn floor(&self) -> PwMultiAff {
        self.each(MultiAff::floor)
    }

    fn beside(f: &PwMultiAff, g: &PwMultiAff, both: Cases<MultiAff>, b: &Budget) -> Outcome<PwMultiAff> {
        Ok(PwMultiAff {
            cases: f.cases.beside(&g.cases, both, &f.space.domain_space(), b)?,
            space: f.space.clone(),
        })
    }

    /// The sum of the values that there are.
    pub fn union_add(&self, other: &PwMultiAff, b: &Budget) -> Outcome<PwMultiAff> {
        let (f, g) = self.aligned_pair(other);
        let both = f.cases.combine(&g.cases, b, MultiAff::add)?;
        PwMultiAff::beside(&f, &g, both, b)
    }

    /// The lexicographically smaller one of the values that there are.
    pub fn union_lexmin(&self, other: &PwMultiAff, b: &Budget) -> Outcome<PwMultiAff> {
        let (f, g) = self.aligned_pair(other);
        let both = f.cases.choose(&g.cases, b, |v, w| (v.lex_le_set(w), w.lex_lt_set(v)))?;
        PwMultiAff::beside(&f, &g, both, b)
    }

    /// The lexicographically larger one of the values that there are.
    pub fn union_lexmax(&self, other: &PwMultiAff, b: &Budget) -> Outcome<PwMultiAff> {
        let (f, g) = self.aligned_pair(other);
        let both = f.cases.choose(&g.cases, b, |v, w| (w.lex_le_set(v), v.lex_lt_set(w)))?;
        PwMultiAff::beside(&f, &g, both, b)
    }

    /// The function that has the values of either; none if they differ somewhere.
    pub fn union(&self, other: &PwMultiAff, b: &Budget) -> Outcome<Option<PwMultiAff>> {
        let (f, g) = self.aligned_pair(other);
        Ok(f.cases.union(&g.cases, b)?.map(|cases| PwMultiAff {
            space: f.space.clone(),
            cases,
        }))
    }

    /// `f(x)` where there is a value, and `g(x)` elsewhere.
    pub fn or_else(&self, other: &PwMultiAff, b: &Budget) -> Outcome<PwMultiAff> {
        let (f, g) = self.aligned_pair(other);
        let mut out = f.into_owned();
        out.cases.or_else(&g.cases, &out.space.domain_space(), b)?;
        Ok(out)
    }

    fn compare(&self, other: &PwMultiAff, b: &Budget, compare: impl Fn(&MultiAff, &MultiAff) -> Set) -> Outcome<Set> {
        let (f, g) = self.aligned_pair(other);
        let mut out = Set::empty(f.space.domain_space());
        f.cases.for_overlaps(&g.cases, b, |both, v, w| {
            out = out.union(&both.intersect(&compare(v, w)));
            Ok(())
        })?;
        Ok(out)
    }

    /// `{ x : f(x) = g(x) }`.
    pub fn eq_set(&self, other: &PwMultiAff, b: &Budget) -> Outcome<Set> {
        self.compare(other, b, MultiAff::eq_set)
    }

    /// `{ x : f(x) is lexicographically smaller than g(x) }`.
    pub fn lex_lt_set(&self, other: &PwMultiAff, b: &Budget) -> Outcome<Set> {
        self.compare(other, b, MultiAff::lex_lt_set)
    }

    /// `{ x : f(x) is lexicographically smaller than g(x), or equal to it }`.
    pub fn lex_le_set(&self, other: &PwMultiAff, b: &Budget) -> Outcome<Set> {
        self.compare(other, b, MultiAff::lex_le_set)
    }

    /// The function on the points of its domain that are in `set`.
    pub fn intersect_domain(&self, set: &Set, b: &Budget) -> Outcome<PwMultiAff> {
        let (f, set) = self.with_set(set);
        Ok(PwMultiAff {
            cases: f.cases.map_domains(|domain| Ok(domain.intersect(&set)), b)?,
            space: f.space.clone(),
        })
    }

    /// The function for parameter values in `params`, a parameter set.
    pub fn intersect_params(&self, params: &Set, b: &Budget) -> Outcome<PwMultiAff> {
        let f = self.aligned(&self.space.params.union(params.params()));
        Ok(PwMultiAff {
            cases: f.cases.map_domains(|domain| Ok(domain.intersect_params(params)), b)?,
            space: f.space.clone(),
        })
    }

    /// The function on the points of its domain that are not in `set`.
    pub fn subtract_domain(&self, set: &Set, b: &Budget) -> Outcome<PwMultiAff> {
        let (f, set) = self.with_set(set);
        Ok(PwMultiAff {
            cases: f.cases.map_domains(|domain| domain.subtract(&set, b), b)?,
            space: f.space.clone(),
        })
    }

    /// The function where its values are in `range`.
    ///
    /// # Panics
    ///
    /// If the tuples differ.
    pub fn intersect_range(&self, range: &Set, b: &Budget) -> Outcome<PwMultiAff> {
        let params = self.space.params.union(range.params());
        let f = self.aligned(&params);
        let mut out = PwMultiAff::empty(f.space.clone());
        for (domain, function) in f.cases.iter() {
            let within = range.preimage(function).align_params(&params);
            out.cases.push(domain.intersect(&within), function.clone(), b)?;
        }
        Ok(out)
    }

    /// `{ x : f(x) in set }`.
    ///
    /// # Panics
    ///
    /// If the tuples differ.
    pub fn preimage(&self, set: &Set, b: &Budget) -> Outcome<Set> {
        Ok(self.intersect_range(set, b)?.domain())
    }

    /// A simpler function with the same values on `context`.
    pub fn gist(&self, context: &Set, b: &Budget) -> Outcome<PwMultiAff> {
        let (f, context) = self.with_set(context);
        Ok(PwMultiAff {
            cases: f.cases.gist(&context, b)?,
            space: f.space.clone(),
        })
    }

    /// A simpler function with the same values for parameter values in `context`.
    pub fn gist_params(&self, context: &Set, b: &Budget) -> Outcome<PwMultiAff> {
        let all = SetSpace::new(context.params().clone(), self.space.domain.clone());
        self.gist(&Set::universe(all).intersect_params(context), b)
    }

    /// The same function in fewer and simpler pieces, as [`PwAff::coalesce`].
    pub fn coalesce(&self, b: &Budget) -> Outcome<PwMultiAff> {
        Ok(PwMultiAff {
            space: self.space.clone(),
            cases: self.cases.coalesce(b)?,
        })
    }

    /// The composition `x -> f(args(x))`, where `args(x)` is a tuple of integers.
    ///
    /// # Panics
    ///
    /// If the range tuple of `args` is not the domain tuple of this function.
    pub fn pullback(&self, args: &PwMultiAff, b: &Budget) -> Outcome<PwMultiAff> {
        assert_eq!(
            self.space.domain, args.space.range,
            "a function in {} of {}",
            self.space, args.space
        );
        let params = self.space.params.union(&args.space.params);
        let (f, args) = (self.aligned(&params), args.aligned(&params));
        Ok(PwMultiAff {
            space: MapSpace::new(params, args.space.domain.clone(), f.space.range.clone()),
            cases: f.cases.pullback(&args.cases, b)?,
        })
    }

    /// The function `x -> [f(x) -> g(x)]`, where both have a value.
    ///
    /// # Panics
    ///
    /// If the domains' tuples differ.
    pub fn range_product(&self, other: &PwMultiAff, b: &Budget) -> Outcome<PwMultiAff> {
        let range = Tuple::pair(self.space.range.clone(), other.space.range.clone());
        self.join(other, range, MultiAff::range_product, b)
    }

    /// The function `x -> [f(x), g(x)]`, its range an anonymous tuple, where both have a value.
    ///
    /// # Panics
    ///
    /// If the domains' tuples differ.
    pub fn flat_range_product(&self, other: &PwMultiAff, b: &Budget) -> Outcome<PwMultiAff> {
        let range = Tuple::anonymous(self.space.range.n() + other.space.range.n());
        self.join(other, range, MultiAff::flat_range_product, b)
    }

    fn join(
        &self,
        other: &PwMultiAff,
        range: Tuple,
        join: impl Fn(&MultiAff, &MultiAff) -> MultiAff,
        b: &Budget,
    ) -> Outcome<PwMultiAff> {
        assert_eq!(
            self.space.domain, other.space.domain,
            "functions in {} and {}",
            self.space, other.space
        );
        let params = self.space.params.union(&other.space.params);
        let (f, g) = (self.aligned(&params), other.aligned(&params));
        let cases = f.cases.combine(&g.cases, b, join)?;
        Ok(PwMultiAff::from_cases(f.space.domain_space(), range, cases))
    }

    /// The function `[x -> y] -> [f(x) -> g(y)]`.
    pub fn product(&self, other: &PwMultiAff, b: &Budget) -> Outcome<PwMultiAff> {
        let params = self.space.params.union(&other.space.params);
        let (f, g) = (self.aligned(&params), other.aligned(&params));
        let domain = Tuple::pair(f.space.domain.clone(), g.space.domain.clone());
        let range = Tuple::pair(f.space.range.clone(), g.space.range.clone());
        let mut out = PwMultiAff::empty(MapSpace::new(params, domain, range));
        for (p, v) in f.cases.iter() {
            for (q, w) in g.cases.iter() {
                out.cases.push(p.product(q), v.product(w), b)?;
            }
        }
        Ok(out)
    }

    /// The expression of range dimension `dim`.
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    pub fn component(&self, dim: usize) -> PwAff {
        assert!(
            dim < self.space.range.n(),
            "{} has no dimension {dim}",
            self.space.range
        );
        PwAff {
            space: self.space.domain_space(),
            cases: self.cases.map(|f| f.affs()[dim].clone()),
        }
    }

    /// The same function as a tuple of piecewise expressions.
    pub fn to_multi_pw_aff(&self) -> MultiPwAff {
        let affs: Vec<PwAff> = (0..self.space.range.n()).map(|dim| self.component(dim)).collect();
        MultiPwAff::new(self.domain(), self.space.range.clone(), affs)
    }

    /// The same function into another tuple of as many dimensions.
    ///
    /// # Panics
    ///
    /// If the numbers of dimensions differ.
    pub fn with_range_tuple(&self, range: Tuple) -> PwMultiAff {
        let cases = self.cases.map(|f| f.with_range_tuple(range.clone()));
        PwMultiAff::from_cases(self.space.domain_space(), range, cases)
    }

    /// Whether both have the same values at the same points.
    pub fn is_equal(&self, other: &PwMultiAff, b: &Budget) -> Outcome<bool> {
        let (f, g) = self.aligned_pair(other);
        f.cases.is_equal(&g.cases, &f.space.domain_space(), b)
    }

    /// Whether both are the same pieces: a cheap test for equality that may miss.
    pub fn is_plainly_equal(&self, other: &PwMultiAff) -> bool {
        self.space == other.space && self.cases.is_plainly_equal(&other.cases)
    }

    /// The values at a point, none if there are none or if one is not an integer.
    pub fn eval(&self, params: &[Int], dims: &[Int], b: &Budget) -> Outcome<Option<Vec<Int>>> {
        let affs = self.cases.at(params, dims, b)?;
        Ok(affs.and_then(|affs| affs.eval(params, dims)))
    }
}

impl Map {
    /// The function to the lexicographically smallest image of each element of the domain, as [`Map::lexmin`].
    pub fn lexmin_pw_multi_aff(&self, b: &Budget) -> Outcome<PwMultiAff> {
        optimum(self, lexmin_leaves, b)
    }

    /// The function to the lexicographically largest image of each element of the domain, as [`Map::lexmax`].
    pub fn lexmax_pw_multi_aff(&self, b: &Budget) -> Outcome<PwMultiAff> {
        optimum(self, lexmax_leaves, b)
    }
}

impl Set {
    /// The function from parameter values to the lexicographically smallest element, as [`Set::lexmin`].
    pub fn lexmin_pw_multi_aff(&self, b: &Budget) -> Outcome<PwMultiAff> {
        self.as_range().lexmin_pw_multi_aff(b)
    }

    /// The function from parameter values to the lexicographically largest element, as [`Set::lexmax`].
    pub fn lexmax_pw_multi_aff(&self, b: &Budget) -> Outcome<PwMultiAff> {
        self.as_range().lexmax_pw_multi_aff(b)
    }

    /// The relation from the tuple without dimensions to the elements.
    fn as_range(&self) -> Map {
        let domain = Set::universe(SetSpace::params_only(self.params().clone()));
        Map::from_domain_and_range(&domain, self)
    }
}

/// The function that the leaves of a parametric optimum make up.
fn optimum(map: &Map, leaves: fn(&[Conj], usize, &Budget) -> Outcome<Vec<Leaf>>, b: &Budget) -> Outcome<PwMultiAff> {
    let domain = map.space().domain_space();
    let mut cases = Cases::none();
    for leaf in leaves(&pieces::tidy(map.pieces().to_vec()), domain.n_vars(), b)? {
        let aff = |value| Aff::from_expr(domain.clone(), value);
        let affs = leaf.values.into_iter().map(aff).collect();
        let function = MultiAff::new(domain.clone(), map.range_tuple().clone(), affs);
        cases.push(Set::from_conj(domain.clone(), leaf.domain), function, b)?;
    }
    Ok(PwMultiAff::from_cases(domain, map.range_tuple().clone(), cases))
}

impl MultiAff {
    /// The expression of each dimension of the range on its own.
    pub fn to_multi_pw_aff(&self) -> MultiPwAff {
        let affs: Vec<PwAff> = self.affs().iter().cloned().map(Aff::into).collect();
        MultiPwAff::new(Set::universe(self.domain_space()), self.space().range.clone(), affs)
    }
}
