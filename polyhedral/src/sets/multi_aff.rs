//! Tuples of quasi-affine expressions.

use super::{Aff, Conj, Map, MapSpace, Params, Set, SetSpace, Tuple};
use crate::budget::{Budget, Outcome};
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

    /// The identity `x -> x` on `space`.
    pub fn identity(space: SetSpace) -> MultiAff {
        let affs = (0..space.tuple.n()).map(|d| Aff::var(space.clone(), d)).collect();
        let range = space.tuple.clone();
        MultiAff::new(space, range, affs)
    }

    /// The space of the relation between arguments and values.
    pub fn space(&self) -> &MapSpace {
        &self.space
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.space.params
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

    /// The graph `{ x -> f(x) }`, where the values are integers.
    pub fn to_map(&self) -> Map {
        let n_args = self.space.params.len() + self.space.domain.n();
        let n_vars = self.space.n_vars();
        let mut conj = Conj::universe(n_vars);
        for (k, aff) in self.affs.iter().enumerate() {
            let expr = aff.expr().remap(n_vars, |v| v);
            conj = conj.with_rows_of(expr.form());
            let row = conj.eqs.last_mut().expect("the numerator");
            row[1 + n_args + k] -= expr.den();
        }
        Map::from_conj(self.space.clone(), conj)
    }

    /// The composition `x -> f(args(x))`.
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
        if self.space.params == *params {
            return self.clone();
        }
        let domain = SetSpace::new(params.clone(), self.space.domain.clone());
        let affs = self.affs.iter().map(|a| a.align_params(params)).collect();
        MultiAff::new(domain, self.space.range.clone(), affs)
    }

    /// The constant function `x -> 0` to zeros.
    pub fn zero(domain: SetSpace, range: Tuple) -> MultiAff {
        let affs = (0..range.n())
            .map(|_| Aff::constant(domain.clone(), Int::ZERO))
            .collect();
        MultiAff::new(domain, range, affs)
    }

    /// The function `x -> f(x) + g(x)`, of functions between the same tuples.
    pub fn add(&self, other: &MultiAff) -> MultiAff {
        self.zip(other, Aff::add)
    }

    /// The function `x -> f(x) - g(x)`, of functions between the same tuples.
    pub fn sub(&self, other: &MultiAff) -> MultiAff {
        self.zip(other, Aff::sub)
    }

    /// The function `x -> -f(x)`.
    pub fn neg(&self) -> MultiAff {
        self.map(Aff::neg)
    }

    /// The function `x -> factor f(x)`.
    pub fn scale(&self, factor: &Int) -> MultiAff {
        self.map(|a| a.scale(factor))
    }

    /// All values rounded down to integers: `x -> floor(f(x))`.
    pub fn floor(&self) -> MultiAff {
        self.map(Aff::floor)
    }

    /// The function with each expression replaced.
    pub(super) fn map(&self, replace: impl Fn(&Aff) -> Aff) -> MultiAff {
        MultiAff {
            space: self.space.clone(),
            affs: self.affs.iter().map(replace).collect(),
        }
    }

    fn zip(&self, other: &MultiAff, join: impl Fn(&Aff, &Aff) -> Aff) -> MultiAff {
        let (a, b) = self.aligned(other);
        MultiAff {
            affs: a.affs.iter().zip(&b.affs).map(|(x, y)| join(x, y)).collect(),
            space: a.space,
        }
    }

    /// Both with the parameters of both.
    ///
    /// # Panics
    ///
    /// If the tuples differ.
    pub(super) fn aligned(&self, other: &MultiAff) -> (MultiAff, MultiAff) {
        let same = self.space.domain == other.space.domain && self.space.range == other.space.range;
        assert!(same, "functions in {} and {}", self.space, other.space);
        let params = self.space.params.union(&other.space.params);
        (self.align_params(&params), other.align_params(&params))
    }

    /// A function with the same values on `context`, with what its equalities determine put in: those of the simple hull, or
    /// of the integer affine hull where the context has locals.
    pub fn gist(&self, context: &Set, b: &Budget) -> Outcome<MultiAff> {
        assert_eq!(
            self.space.domain,
            *context.tuple(),
            "a function in {} on {}",
            self.space,
            context.space()
        );
        let params = self.space.params.union(context.params());
        let context = context.align_params(&params);
        let hull = if context.pieces().iter().any(|piece| piece.n_locals() > 0) {
            context.affine_hull(b)?
        } else {
            context.simple_hull(b)?.detect_equalities(b)?
        };
        let function = self.align_params(&params);
        Ok(match hull.pieces() {
            [conj] if conj.n_locals() == 0 && !conj.eqs().is_empty() => {
                function.map(|a| Aff::from_expr(a.space().clone(), a.expr().substitute_equalities(conj)))
            }
            _ => function,
        })
    }

    /// The function `x -> [f(x), g(x)]`, its range an anonymous tuple.
    ///
    /// # Panics
    ///
    /// If the domains' tuples differ.
    pub fn flat_range_product(&self, other: &MultiAff) -> MultiAff {
        self.concatenation(other, Tuple::anonymous(self.len() + other.len()))
    }

    /// The function `x -> [f(x) -> g(x)]`.
    ///
    /// # Panics
    ///
    /// If the domains' tuples differ.
    pub fn range_product(&self, other: &MultiAff) -> MultiAff {
        self.concatenation(other, Tuple::pair(self.space.range.clone(), other.space.range.clone()))
    }

    fn concatenation(&self, other: &MultiAff, range: Tuple) -> MultiAff {
        let params = self.space.params.union(&other.space.params);
        let (a, b) = (self.align_params(&params), other.align_params(&params));
        let domain = a.domain_space();
        MultiAff::new(domain, range, a.affs.into_iter().chain(b.affs).collect())
    }

    /// The function `[x -> y] -> [f(x) -> g(y)]`.
    pub fn product(&self, other: &MultiAff) -> MultiAff {
        let params = self.space.params.union(&other.space.params);
        let (a, b) = (self.align_params(&params), other.align_params(&params));
        let pair = Tuple::pair(a.space.domain.clone(), b.space.domain.clone());
        let (n, m) = (a.space.domain.n(), b.space.domain.n());
        let left = a.affs.iter().map(|f| f.insert_dims(n, m, pair.clone()));
        let right = b.affs.iter().map(|f| f.insert_dims(0, n, pair.clone()));
        let affs = left.chain(right).collect();
        let range = Tuple::pair(a.space.range.clone(), b.space.range.clone());
        MultiAff::new(SetSpace::new(params, pair), range, affs)
    }

    /// The values at a point, none if one is not an integer.
    pub fn eval(&self, params: &[Int], dims: &[Int]) -> Option<Vec<Int>> {
        self.affs.iter().map(|a| a.eval(params, dims)).collect()
    }
}
