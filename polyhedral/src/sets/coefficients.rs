//! The constraints that hold on a set, as a set themselves (Farkas' lemma).
//!
//! `c_0 + c . x >= 0` holds on all rational `x` with `A x + d >= 0`, if there are any, if and only if it is a sum of
//! non-negative multiples of these rows and of `1 >= 0`. The sets of such `(c_0, c)` are cones; the set
//! `{ x : 0 <= x <= 1 }` has the coefficients `{ (c_0, c_1) : c_0 >= 0 and c_0 + c_1 >= 0 }`, which say that the
//! constraint holds at 0 and at 1. In general it has to be positive or zero in all generators of the cone over the set
//! (see the module `hull`), which are found by the double description method.

use super::conj::Conj;
use super::hull::cone_over;
use super::{Params, Set, SetSpace, Tuple};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, zeros};
use crate::solver::cone::Generators;

impl Conj {
    /// The `(c_0, c)` with `c_0 + c . x >= 0` on the rational relaxation, with one variable for `c_0` and one for each of
    /// this conjunction's variables. All of them if there is no rational point.
    pub fn coefficients(&self, b: &Budget) -> Outcome<Conj> {
        let mut out = Conj::universe(1 + self.n_vars());
        if let Some(Generators { lines, rays }) = cone_over(self, b)? {
            let homogeneous = |row: Row| std::iter::once(Int::ZERO).chain(row).collect();
            lines.into_iter().for_each(|row| out.add_eq(homogeneous(row)));
            rays.into_iter().for_each(|row| out.add_ineq(homogeneous(row)));
            out.simplify();
        }
        Ok(out)
    }
}

impl Set {
    /// The tuples `(c_0, c)` of a constant, coefficients of the parameters and coefficients of the dimensions, in this
    /// order, with `c_0 + c . x >= 0` on the rational relaxation of all conjunctions. The tuple is called
    /// `coefficients`; it has no parameters.
    pub fn coefficients(&self, b: &Budget) -> Outcome<Set> {
        let n = 1 + self.space().n_vars();
        let mut all = Conj::universe(n);
        for piece in self.pieces() {
            all = all.intersect(&piece.coefficients(b)?);
        }
        let space = SetSpace::new(Params::none(), Tuple::new("coefficients", n));
        Set::from_conj(space, all).remove_redundancies(b)
    }

    /// The points that satisfy all constraints of which the coefficients, as [`Set::coefficients`] orders them, are
    /// elements of this set: `{ x : c_0 + c . x >= 0 for all (c_0, c) }`, in `space`.
    ///
    /// # Panics
    ///
    /// If there is not one dimension for the constant and one for each parameter and dimension of `space`, or this set has
    /// parameters.
    pub fn solutions(&self, space: SetSpace, b: &Budget) -> Outcome<Set> {
        let n = space.n_vars();
        assert!(
            self.params().is_empty() && self.n_dims() == 1 + n,
            "{} has the coefficients of constraints in {space}",
            self.space()
        );
        // The constraint with the coefficients (a_0; a) on these tuples, at x: a_0 = 0 and a = (1, x).
        let mut all = Conj::universe(n);
        for piece in self.pieces() {
            let dual = piece.coefficients(b)?;
            let slice = |row: &Row| {
                let mut out = zeros(1 + n);
                out[0] = &row[0] + &row[2];
                out[1..].clone_from_slice(&row[3..]);
                out
            };
            let mut part = Conj::universe(n);
            dual.eqs().iter().for_each(|row| part.add_eq(slice(row)));
            dual.ineqs().iter().for_each(|row| part.add_ineq(slice(row)));
            all = all.intersect(&part);
        }
        Set::from_conj(space, all).remove_redundancies(b)
    }
}
