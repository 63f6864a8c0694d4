//! Preimages under functions: expressions in the place of variables, without any projection.

use super::{Conj, Expr, Map, MapSpace, MultiAff, Set};
use crate::int::Int;

impl Conj {
    /// The points `x` of `n_vars` variables for which the values of `args` at `x` are integers that satisfy the constraints.
    pub(super) fn preimage(&self, n_vars: usize, args: &[Expr]) -> Conj {
        // Locals are variables behind the others for now.
        let (plain, n_vars) = (n_vars, n_vars + self.n_locals);
        let mut out = Conj::universe(n_vars);
        let args: Vec<Expr> = args
            .iter()
            .map(|arg| arg.remap(n_vars, |v| v))
            .chain((plain..n_vars).map(|v| Expr::var(n_vars, v)))
            .collect();
        for arg in &args {
            if let Some(integral) = arg.is_integral() {
                out = out.intersect(&integral);
            }
        }
        let mut values = args;
        let combine = |row: &[Int], values: &[Expr]| {
            let mut sum = Expr::constant(n_vars, row[0].clone());
            for (x, value) in row[1..].iter().zip(values) {
                if !x.is_zero() {
                    sum = sum.combine(&Int::ONE, value, x);
                }
            }
            sum
        };
        for div in self.divs() {
            let value = combine(&div.num, &values).divide(&div.den).floor();
            values.push(value);
        }
        let zero = Expr::constant(n_vars, Int::ZERO);
        for eq in self.eqs() {
            out = out.intersect(&combine(eq, &values).equal_to(&zero));
        }
        for ineq in self.ineqs() {
            out = out.intersect(&combine(ineq, &values).at_least(&zero));
        }
        out.n_locals = self.n_locals;
        out.changed();
        out
    }
}

impl Set {
    /// `{ x : f(x) in S }`.
    ///
    /// # Panics
    ///
    /// If the range tuple of `function` is not the tuple of this set.
    pub fn preimage(&self, function: &MultiAff) -> Set {
        assert_eq!(
            *self.tuple(),
            function.space().range,
            "the preimage of a set in {} under a function in {}",
            self.space(),
            function.space()
        );
        let params = self.params().union(function.params());
        let (set, function) = (self.align_params(&params), function.align_params(&params));
        let space = function.domain_space();
        let args = arguments(&function, space.n_vars());
        let conjs = set.pieces().iter().map(|c| c.preimage(space.n_vars(), &args)).collect();
        Set::from_conjs(space, conjs)
    }
}

impl Map {
    /// `{ x -> y : f(x) -> y in R }`.
    ///
    /// # Panics
    ///
    /// If the range tuple of `function` is not the domain tuple of this relation.
    pub fn preimage_domain(&self, function: &MultiAff) -> Map {
        assert_eq!(
            *self.domain_tuple(),
            function.space().range,
            "the preimage of a relation in {} under a function in {}",
            self.space(),
            function.space()
        );
        let params = self.params().union(function.params());
        let (map, function) = (self.align_params(&params), function.align_params(&params));
        let space = MapSpace::new(params, function.space().domain.clone(), self.range_tuple().clone());
        let (n_vars, first) = (space.n_vars(), space.domain_space().n_vars());
        let mut args = arguments(&function, n_vars);
        args.extend((first..n_vars).map(|v| Expr::var(n_vars, v)));
        let conjs = map.pieces().iter().map(|c| c.preimage(n_vars, &args)).collect();
        Map::from_conjs(space, conjs)
    }

    /// `{ x -> y : x -> f(y) in R }`.
    ///
    /// # Panics
    ///
    /// If the range tuple of `function` is not the range tuple of this relation.
    pub fn preimage_range(&self, function: &MultiAff) -> Map {
        self.reverse().preimage_domain(function).reverse()
    }
}

/// The parameters followed by the function's values, as expressions over `n_vars` variables, those of the function's domain
/// first.
fn arguments(function: &MultiAff, n_vars: usize) -> Vec<Expr> {
    (0..function.params().len())
        .map(|p| Expr::var(n_vars, p))
        .chain(function.affs().iter().map(|a| a.expr().remap(n_vars, |v| v)))
        .collect()
}
