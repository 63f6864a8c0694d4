//! Tuples of quasi-affine expressions.

use super::{Aff, Conj, Map, MapSpace, Params, SetSpace, Tuple};
use crate::int::Int;

/// A function from tuples to tuples given by one quasi-affine expression a range dimension.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MultiAff {
    space: MapSpace,
    affs: Vec<Aff>,
}

impl MultiAff {
    /// The tuple `range` of the expressions `affs` on `domain`.
    ///
    /// # Panics
    ///
    /// If there are not as many expressions as dimensions of `range`, or one is not on `domain`.
    pub fn new(domain: SetSpace, range: Tuple, affs: Vec<Aff>) -> MultiAff {
        assert_eq!(range.n(), affs.len(), "one expression a dimension of {range}");
        for aff in &affs {
            assert_eq!(*aff.space(), domain, "expressions on the same space");
        }
        MultiAff {
            space: MapSpace::new(domain.params, domain.tuple, range),
            affs,
        }
    }

    /// The identity on `space`.
    pub fn identity(space: SetSpace) -> MultiAff {
        let affs = (0..space.tuple.n()).map(|d| Aff::var(space.clone(), d)).collect();
        let range = space.tuple.clone();
        MultiAff::new(space, range, affs)
    }

    /// The space of the relation between arguments and values.
    pub fn space(&self) -> &MapSpace {
        &self.space
    }

    /// The space of the arguments.
    pub fn domain_space(&self) -> SetSpace {
        self.space.domain_space()
    }

    /// The number of expressions.
    pub fn len(&self) -> usize {
        self.affs.len()
    }

    /// Whether there are no expressions.
    pub fn is_empty(&self) -> bool {
        self.affs.is_empty()
    }

    /// The expressions, one a dimension of the range.
    pub fn affs(&self) -> &[Aff] {
        &self.affs
    }

    /// The same function into another tuple of as many dimensions.
    ///
    /// # Panics
    ///
    /// If the numbers of dimensions differ.
    pub fn with_range_tuple(&self, range: Tuple) -> MultiAff {
        MultiAff::new(self.domain_space(), range, self.affs.clone())
    }

    /// The graph of the function, where its values are integers.
    pub fn to_map(&self) -> Map {
        let n_args = self.space.params.len() + self.space.domain.n();
        let n_vars = self.space.n_vars();
        let mut conj = Conj::universe(n_vars);
        for (k, aff) in self.affs.iter().enumerate() {
            let expr = aff.expr().remap(n_vars, |v| v);
            conj = conj.intersect(expr.form());
            let row = conj.eqs.last_mut().expect("the numerator");
            row[1 + n_args + k] -= expr.den();
        }
        Map::from_conj(self.space.clone(), conj)
    }

    /// The function of the values of `args`.
    ///
    /// # Panics
    ///
    /// If the range tuple of `args` is not the domain tuple of this function.
    pub fn pullback(&self, args: &MultiAff) -> MultiAff {
        let params = args.space.params.union(&self.space.params);
        let args = args.align_params(&params);
        let affs = self
            .affs
            .iter()
            .map(|a| a.align_params(&params).pullback(&args))
            .collect();
        MultiAff::new(args.domain_space(), self.space.range.clone(), affs)
    }

    /// The same function with the parameters `params`, which include the present ones.
    pub fn align_params(&self, params: &Params) -> MultiAff {
        let domain = SetSpace::new(params.clone(), self.space.domain.clone());
        let affs = self.affs.iter().map(|a| a.align_params(params)).collect();
        MultiAff::new(domain, self.space.range.clone(), affs)
    }

    /// The concatenation `x -> [self(x), other(x)]`, its range an anonymous tuple.
    ///
    /// # Panics
    ///
    /// If the domains' tuples differ.
    pub fn flat_range_product(&self, other: &MultiAff) -> MultiAff {
        let params = self.space.params.union(&other.space.params);
        let (a, b) = (self.align_params(&params), other.align_params(&params));
        let domain = a.domain_space();
        let affs: Vec<Aff> = a.affs.into_iter().chain(b.affs).collect();
        MultiAff::new(domain, Tuple::anonymous(affs.len()), affs)
    }

    /// The values at a point, none if one is not an integer.
    pub fn eval(&self, params: &[Int], dims: &[Int]) -> Option<Vec<Int>> {
        self.affs.iter().map(|a| a.eval(params, dims)).collect()
    }
}
