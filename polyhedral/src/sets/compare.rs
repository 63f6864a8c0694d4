//! Sets and relations that compare the values of expressions.

use super::{Aff, Conj, Expr, Map, MapSpace, MultiAff, Set, SetSpace};
use crate::int::Int;

impl Map {
    /// The pairs `x -> y` with `a(x) = b(y)`.
    pub fn equal(a: &Aff, b: &Aff) -> Map {
        let (space, difference) = difference(a, b);
        // The numerator is in the place of an equality.
        Map::from_conj(space, difference.form().clone())
    }

    /// The pairs `x -> y` with `a(x) < b(y)`.
    pub fn less(a: &Aff, b: &Aff) -> Map {
        let (space, difference) = difference(a, b);
        let zero = Expr::constant(space.n_vars(), Int::ZERO);
        Map::from_conj(space, difference.greater_than(&zero))
    }
}

impl Aff {
    /// `{ x : a(x) = b(x) }`. The expressions of all of these sets are on the same tuple; parameters are aligned.
    pub fn eq_set(&self, other: &Aff) -> Set {
        self.compare(other, |a, b| vec![a.equal_to(b)])
    }

    /// `{ x : a(x) != b(x) }`.
    pub fn ne_set(&self, other: &Aff) -> Set {
        self.compare(other, |a, b| vec![a.greater_than(b), b.greater_than(a)])
    }

    /// `{ x : a(x) <= b(x) }`.
    pub fn le_set(&self, other: &Aff) -> Set {
        other.ge_set(self)
    }

    /// `{ x : a(x) < b(x) }`.
    pub fn lt_set(&self, other: &Aff) -> Set {
        other.gt_set(self)
    }

    /// `{ x : a(x) >= b(x) }`.
    pub fn ge_set(&self, other: &Aff) -> Set {
        self.compare(other, |a, b| vec![a.at_least(b)])
    }

    /// `{ x : a(x) > b(x) }`.
    pub fn gt_set(&self, other: &Aff) -> Set {
        self.compare(other, |a, b| vec![a.greater_than(b)])
    }

    /// `{ x : a(x) is an integer }`.
    pub fn integral_set(&self) -> Set {
        match self.expr().is_integral() {
            Some(conj) => Set::from_conj(self.space().clone(), conj),
            None => Set::universe(self.space().clone()),
        }
    }

    fn compare(&self, other: &Aff, conjs: impl Fn(&Expr, &Expr) -> Vec<Conj>) -> Set {
        let (a, b) = self.aligned(other);
        Set::from_conjs(a.space().clone(), conjs(a.expr(), b.expr()))
    }
}

impl MultiAff {
    /// `{ x : f(x) = g(x) }`, of functions between the same tuples.
    pub fn eq_set(&self, other: &MultiAff) -> Set {
        let (a, b) = self.aligned(other);
        let mut conj = Conj::universe(a.domain_space().n_vars());
        for (x, y) in a.affs().iter().zip(b.affs()) {
            conj = conj.intersect(&x.expr().equal_to(y.expr()));
        }
        Set::from_conj(a.domain_space(), conj)
    }

    /// `{ x : f(x) is lexicographically smaller than g(x) }`, of functions between the same tuples.
    pub fn lex_lt_set(&self, other: &MultiAff) -> Set {
        let (space, conjs, _) = self.lex_cases(other);
        Set::from_conjs(space, conjs)
    }

    /// `{ x : f(x) is lexicographically smaller than g(x), or equal to it }`, of functions between the same tuples.
    pub fn lex_le_set(&self, other: &MultiAff) -> Set {
        let (space, mut conjs, equal) = self.lex_cases(other);
        conjs.push(equal);
        Set::from_conjs(space, conjs)
    }

    /// Where the first difference is in each of the expressions and this function's value is smaller, and where there is none.
    fn lex_cases(&self, other: &MultiAff) -> (SetSpace, Vec<Conj>, Conj) {
        let (a, b) = self.aligned(other);
        let space = a.domain_space();
        let mut equal = Conj::universe(space.n_vars());
        let mut smaller = Vec::with_capacity(a.len());
        for (x, y) in a.affs().iter().zip(b.affs()) {
            smaller.push(equal.intersect(&y.expr().greater_than(x.expr())));
            equal = equal.intersect(&x.expr().equal_to(y.expr()));
        }
        (space, smaller, equal)
    }
}

/// `b(y) - a(x)` on the pairs `x -> y`.
fn difference(a: &Aff, b: &Aff) -> (MapSpace, Expr) {
    let params = a.space().params.union(&b.space().params);
    let (a, b) = (a.align_params(&params), b.align_params(&params));
    let (p, n) = (params.len(), a.space().tuple.n());
    let space = MapSpace::new(params, a.space().tuple.clone(), b.space().tuple.clone());
    let n_vars = space.n_vars();
    let on_domain = a.expr().remap(n_vars, |v| v);
    let on_range = b.expr().remap(n_vars, |v| if v < p { v } else { v + n });
    (space, on_range.sub(&on_domain))
}
