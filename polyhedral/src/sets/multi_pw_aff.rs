//! Tuples of piecewise quasi-affine expressions.
//!
//! Where a [`PwMultiAff`] has one tuple of expressions on each of its domains, each dimension of a [`MultiPwAff`] has pieces
//! of its own: `{ A[i] -> [((i) : i >= 0; (0) : i < 0), (i)] }`. It has a value where all of its expressions have one.
//! Parameters are aligned.

use super::cases::is_plainly_universe;
use super::{MapSpace, MultiAff, Params, PwAff, PwMultiAff, Set, SetSpace, Tuple};
use crate::budget::{Budget, Outcome};
use crate::int::Int;

/// A tuple of piecewise quasi-affine expressions of one tuple.
#[derive(Clone, Debug)]
pub struct MultiPwAff {
    space: MapSpace,
    affs: Vec<PwAff>,
    /// Where the function is defined if there are no expressions; otherwise all points of the space.
    domain: Set,
}

impl From<PwAff> for MultiPwAff {
    fn from(aff: PwAff) -> MultiPwAff {
        let domain = Set::universe(aff.space().clone());
        MultiPwAff::new(domain, Tuple::anonymous(1), vec![aff])
    }
}

impl MultiPwAff {
    /// The tuple `range` of the expressions `affs`. If it has no dimensions, it is defined on `domain`; otherwise `domain`
    /// only says what the space is.
    ///
    /// # Panics
    ///
    /// If there are not as many expressions as dimensions of `range`, or if they are not on the tuple of `domain`.
    pub fn new(domain: Set, range: Tuple, affs: Vec<PwAff>) -> MultiPwAff {
        assert_eq!(range.n(), affs.len(), "one expression a dimension of {range}");
        let mut params = domain.params().clone();
        for aff in &affs {
            assert_eq!(aff.space().tuple, *domain.tuple(), "expressions on the same tuple");
            params = params.union(aff.params());
        }
        let affs: Vec<PwAff> = affs.iter().map(|a| a.align_params(&params)).collect();
        let space = SetSpace::new(params, domain.tuple().clone());
        MultiPwAff {
            domain: if affs.is_empty() {
                domain.align_params(&space.params)
            } else {
                Set::universe(space.clone())
            },
            space: MapSpace::new(space.params, space.tuple, range),
            affs,
        }
    }

    fn with_affs(&self, affs: Vec<PwAff>) -> MultiPwAff {
        MultiPwAff::new(self.domain.clone(), self.space.range.clone(), affs)
    }

    /// The identity on `space`.
    pub fn identity(space: SetSpace) -> MultiPwAff {
        MultiAff::identity(space).to_multi_pw_aff()
    }

    /// The space of the relation between arguments and values.
    pub fn space(&self) -> &MapSpace {
        &self.space
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.space.params
    }

    /// The expressions, one a dimension of the range.
    pub fn affs(&self) -> &[PwAff] {
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
    pub fn domain(&self) -> Set {
        self.affs.iter().fold(self.domain.clone(), |all, aff| {
            let own = aff.domain();
            if is_plainly_universe(&all) {
                own
            } else if is_plainly_universe(&own) {
                all
            } else {
                all.intersect(&own)
            }
        })
    }

    /// The same function with the parameters `params`, which include the present ones.
    pub fn align_params(&self, params: &Params) -> MultiPwAff {
        let affs = self.affs.iter().map(|a| a.align_params(params)).collect();
        MultiPwAff::new(self.domain.align_params(params), self.space.range.clone(), affs)
    }

    fn zip(&self, other: &MultiPwAff, join: impl Fn(&PwAff, &PwAff) -> Outcome<PwAff>) -> Outcome<MultiPwAff> {
        let same = self.space.domain == other.space.domain && self.space.range == other.space.range;
        assert!(same, "functions in {} and {}", self.space, other.space);
        let affs: Outcome<Vec<PwAff>> = self.affs.iter().zip(&other.affs).map(|(f, g)| join(f, g)).collect();
        let domain = self.domain.intersect(&other.domain);
        Ok(MultiPwAff::new(domain, self.space.range.clone(), affs?))
    }

    fn each(&self, change: impl Fn(&PwAff) -> Outcome<PwAff>) -> Outcome<MultiPwAff> {
        let affs: Outcome<Vec<PwAff>> = self.affs.iter().map(change).collect();
        Ok(self.with_affs(affs?))
    }

    /// `x -> f(x) + g(x)`, of functions between the same tuples.
    pub fn add(&self, other: &MultiPwAff, b: &Budget) -> Outcome<MultiPwAff> {
        self.zip(other, |f, g| f.add(g, b))
    }

    /// `x -> f(x) - g(x)`, of functions between the same tuples.
    pub fn sub(&self, other: &MultiPwAff, b: &Budget) -> Outcome<MultiPwAff> {
        self.zip(other, |f, g| f.sub(g, b))
    }

    /// Dimension by dimension the smaller value.
    pub fn min(&self, other: &MultiPwAff, b: &Budget) -> Outcome<MultiPwAff> {
        self.zip(other, |f, g| f.min(g, b))
    }

    /// Dimension by dimension the larger value.
    pub fn max(&self, other: &MultiPwAff, b: &Budget) -> Outcome<MultiPwAff> {
        self.zip(other, |f, g| f.max(g, b))
    }

    /// `x -> -f(x)`.
    pub fn neg(&self) -> MultiPwAff {
        self.with_affs(self.affs.iter().map(PwAff::neg).collect())
    }

    /// `x -> factor f(x)`.
    pub fn scale(&self, factor: &Int) -> MultiPwAff {
        self.with_affs(self.affs.iter().map(|f| f.scale(factor)).collect())
    }

    /// All values rounded down to integers.
    pub fn floor(&self) -> MultiPwAff {
        self.with_affs(self.affs.iter().map(PwAff::floor).collect())
    }

    /// All values modulo `modulus`, as [`PwAff::modulo`].
    ///
    /// # Panics
    ///
    /// If `modulus` is not positive.
    pub fn modulo(&self, modulus: &Int) -> MultiPwAff {
        self.with_affs(self.affs.iter().map(|f| f.modulo(modulus)).collect())
    }

    /// The function on the points of its domain that are in `set`.
    pub fn intersect_domain(&self, set: &Set, b: &Budget) -> Outcome<MultiPwAff> {
        let mut out = self.each(|f| f.intersect_domain(set, b))?;
        if out.affs.is_empty() {
            out = MultiPwAff::new(self.domain.intersect(set), self.space.range.clone(), Vec::new());
        }
        Ok(out)
    }

    /// The function for parameter values in `params`, a parameter set.
    pub fn intersect_params(&self, params: &Set, b: &Budget) -> Outcome<MultiPwAff> {
        let all = SetSpace::new(params.params().clone(), self.space.domain.clone());
        self.intersect_domain(&Set::universe(all).intersect_params(params), b)
    }

    /// A simpler function with the same values on `context`.
    pub fn gist(&self, context: &Set, b: &Budget) -> Outcome<MultiPwAff> {
        let mut out = self.each(|f| f.gist(context, b))?;
        if out.affs.is_empty() {
            out = MultiPwAff::new(self.domain.gist(context, b)?, self.space.range.clone(), Vec::new());
        }
        Ok(out)
    }

    /// The same function in fewer pieces, as [`PwAff::coalesce`].
    pub fn coalesce(&self, b: &Budget) -> Outcome<MultiPwAff> {
        self.each(|f| f.coalesce(b))
    }

    /// `x -> f(args(x))`, where `args(x)` is a tuple of integers.
    ///
    /// # Panics
    ///
    /// If the range tuple of `args` is not the domain tuple of this function.
    pub fn pullback(&self, args: &PwMultiAff, b: &Budget) -> Outcome<MultiPwAff> {
        let affs: Outcome<Vec<PwAff>> = self.affs.iter().map(|f| f.pullback(args, b)).collect();
        let domain = if self.affs.is_empty() {
            args.preimage(&self.domain, b)?
        } else {
            Set::universe(args.space().domain_space())
        };
        Ok(MultiPwAff::new(domain, self.space.range.clone(), affs?))
    }

    /// The function `x -> [f(x), g(x)]`, its range an anonymous tuple.
    ///
    /// # Panics
    ///
    /// If the domains' tuples differ.
    pub fn flat_range_product(&self, other: &MultiPwAff, b: &Budget) -> Outcome<MultiPwAff> {
        self.concatenation(other, Tuple::anonymous(self.len() + other.len()), b)
    }

    /// The function `x -> [f(x) -> g(x)]`.
    ///
    /// # Panics
    ///
    /// If the domains' tuples differ.
    pub fn range_product(&self, other: &MultiPwAff, b: &Budget) -> Outcome<MultiPwAff> {
        self.concatenation(
            other,
            Tuple::pair(self.space.range.clone(), other.space.range.clone()),
            b,
        )
    }

    fn concatenation(&self, other: &MultiPwAff, range: Tuple, b: &Budget) -> Outcome<MultiPwAff> {
        // What is defined only here or there although it has no dimensions restricts the dimensions of the other.
        let restricted = |f: &MultiPwAff, g: &MultiPwAff| {
            if g.affs.is_empty() && !is_plainly_universe(&g.domain) {
                f.intersect_domain(&g.domain, b)
            } else {
                Ok(f.clone())
            }
        };
        let (f, g) = (restricted(self, other)?, restricted(other, self)?);
        let affs: Vec<PwAff> = f.affs.iter().chain(&g.affs).cloned().collect();
        Ok(MultiPwAff::new(f.domain.intersect(&g.domain), range, affs))
    }

    /// The same function with the same pieces for all dimensions.
    pub fn to_pw_multi_aff(&self, b: &Budget) -> Outcome<PwMultiAff> {
        let none = MultiAff::new(self.domain.space().clone(), Tuple::anonymous(0), Vec::new());
        let mut out = PwMultiAff::new(self.domain.clone(), none);
        for aff in &self.affs {
            out = out.flat_range_product(&aff.to_pw_multi_aff(), b)?;
        }
        Ok(out.with_range_tuple(self.space.range.clone()))
    }

    /// The graph `{ x -> f(x) }`, where the values are integers.
    pub fn to_map(&self, b: &Budget) -> Outcome<super::Map> {
        Ok(self.to_pw_multi_aff(b)?.to_map())
    }

    /// Whether both have the same values at the same points.
    pub fn is_equal(&self, other: &MultiPwAff, b: &Budget) -> Outcome<bool> {
        if self.space.domain != other.space.domain || self.space.range != other.space.range {
            return Ok(false);
        }
        self.to_pw_multi_aff(b)?.is_equal(&other.to_pw_multi_aff(b)?, b)
    }

    /// Whether both are the same pieces: a cheap test for equality that may miss.
    pub fn is_plainly_equal(&self, other: &MultiPwAff) -> bool {
        self.space == other.space
            && self.domain.pieces() == other.domain.pieces()
            && self.affs.iter().zip(&other.affs).all(|(f, g)| f.is_plainly_equal(g))
    }

    /// The values at a point, none if there are none or if one is not an integer.
    pub fn eval(&self, params: &[Int], dims: &[Int], b: &Budget) -> Outcome<Option<Vec<Int>>> {
        if !self.domain.contains(params, dims, b)? {
            return Ok(None);
        }
        self.affs.iter().map(|a| a.eval(params, dims, b)).collect()
    }
}
