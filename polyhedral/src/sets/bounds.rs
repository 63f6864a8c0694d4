//! Bounds of dimensions and expressions, boundedness, fixed values.
//!
//! The minimum of an expression over a conjunction is an integer program ([`crate::solver::integer`]), over a union the
//! least of them. A set is unbounded in a direction if the recession cone of a conjunction that is not empty goes there: a
//! linear program on the same rows without their constants. The recession cone is the same for all parameter values, so that
//! one answer does for all of them.

use super::cases::Cases;
use super::conj::Conj;
use super::lexmin::{Leaf, lexmax_leaves, lexmin_leaves};
use super::{Aff, Map, MapSpace, PwAff, Set, SetSpace, Tuple, pieces};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, unit, zeros};
use crate::solver::integer::{IntOptimum, minimize_integer};
use crate::solver::lp::{self, Optimum};

impl Conj {
    /// The minimum of the affine expression `row`, over the columns of the conjunction, on the integer points.
    ///
    /// # Panics
    ///
    /// If the row is longer than the number of columns.
    pub fn minimum(&self, row: &Row, b: &Budget) -> Outcome<IntOptimum> {
        let mut objective = row.clone();
        assert!(row.len() <= self.n_cols(), "a row has at most one entry a column");
        objective.resize(self.n_cols(), Int::ZERO);
        minimize_integer(&self.system(), &objective, b)
    }

    /// Whether variable `var` has a lower bound (`sign` 1) or an upper bound (-1) for all values of the variables before
    /// `first`, which may themselves be unbounded. True if there is no point.
    fn is_bounded_towards(&self, var: usize, first: usize, sign: i64, b: &Budget) -> Outcome<bool> {
        let mut cone = self.system();
        for row in cone.eqs.iter_mut().chain(&mut cone.ineqs) {
            row[0] = Int::ZERO;
        }
        cone.eqs.extend((0..first).map(|v| unit(1 + cone.n, 1 + v)));
        let mut objective = zeros(1 + cone.n);
        objective[1 + var] = Int::from(sign);
        Ok(lp::minimize(&cone, &objective, b)? != Optimum::Unbounded || self.is_empty(b)?)
    }

    /// The value that the equalities give variable `var`, as far as that is plain to see.
    fn plain_fixed_value(&self, var: usize) -> Option<Int> {
        self.eqs().iter().find_map(|eq| {
            let alone = (1..eq.len()).all(|c| c == 1 + var || eq[c].is_zero());
            (alone && !eq[1 + var].is_zero() && eq[0].divisible_by(&eq[1 + var]))
                .then(|| -eq[0].div_exact(&eq[1 + var]))
        })
    }
}

/// The smaller of two minima.
fn smaller(x: IntOptimum, y: IntOptimum) -> IntOptimum {
    match (x, y) {
        (IntOptimum::Unbounded, _) | (_, IntOptimum::Unbounded) => IntOptimum::Unbounded,
        (IntOptimum::Empty, other) | (other, IntOptimum::Empty) => other,
        (IntOptimum::Finite(x), IntOptimum::Finite(y)) => IntOptimum::Finite(x.min(y)),
    }
}

fn negated(optimum: IntOptimum) -> IntOptimum {
    match optimum {
        IntOptimum::Finite(x) => IntOptimum::Finite(-x),
        other => other,
    }
}

impl Set {
    /// The smallest value of dimension `dim`, over all parameter values: `min { x_dim : x in A(p) for some p }`.
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    pub fn dim_min(&self, dim: usize, b: &Budget) -> Outcome<IntOptimum> {
        self.var_minimum(dim, 1, b)
    }

    /// The largest value of dimension `dim`, over all parameter values: `max { x_dim : x in A(p) for some p }`.
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    pub fn dim_max(&self, dim: usize, b: &Budget) -> Outcome<IntOptimum> {
        Ok(negated(self.var_minimum(dim, -1, b)?))
    }

    fn var_minimum(&self, dim: usize, sign: i64, b: &Budget) -> Outcome<IntOptimum> {
        assert!(dim < self.n_dims(), "{} has no dimension {dim}", self.space());
        let mut row = zeros(1 + self.space().n_vars());
        row[1 + self.params().len() + dim] = Int::from(sign);
        let mut least = IntOptimum::Empty;
        for piece in self.pieces() {
            least = smaller(least, piece.minimum(&row, b)?);
        }
        Ok(least)
    }

    /// The smallest value of dimension `dim` as a function of the parameters: `p -> min { x_dim : x in set(p) }`, without a
    /// value where there is no element or no smallest value.
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    pub fn dim_min_pw_aff(&self, dim: usize, b: &Budget) -> Outcome<PwAff> {
        self.var_optimum(dim, lexmin_leaves, b)
    }

    /// The largest value of dimension `dim` as a function of the parameters, as [`Set::dim_min_pw_aff`].
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    pub fn dim_max_pw_aff(&self, dim: usize, b: &Budget) -> Outcome<PwAff> {
        self.var_optimum(dim, lexmax_leaves, b)
    }

    fn var_optimum(
        &self,
        dim: usize,
        leaves: fn(&[Conj], usize, &Budget) -> Outcome<Vec<Leaf>>,
        b: &Budget,
    ) -> Outcome<PwAff> {
        assert!(dim < self.n_dims(), "{} has no dimension {dim}", self.space());
        let values = self
            .project_out(dim + 1, self.n_dims() - dim - 1, b)?
            .project_out(0, dim, b)?;
        let space = SetSpace::params_only(self.params().clone());
        let mut cases = Cases::none();
        for mut leaf in leaves(values.pieces(), self.params().len(), b)? {
            let value = leaf.values.pop().expect("one value for the one dimension");
            let domain = Set::from_conj(space.clone(), leaf.domain);
            cases.push(domain, Aff::from_expr(space.clone(), value), b)?;
        }
        Ok(PwAff { space, cases })
    }

    /// The smallest value of `aff`, rounded up to an integer, over the elements and all parameter values.
    ///
    /// # Panics
    ///
    /// If `aff` is on another tuple.
    pub fn minimum(&self, aff: &Aff, b: &Budget) -> Outcome<IntOptimum> {
        assert_eq!(*self.tuple(), aff.space().tuple, "an expression on {}", self.space());
        let params = self.params().union(&aff.space().params);
        let (set, aff) = (self.aligned(&params), aff.align_params(&params));
        let mut least = IntOptimum::Empty;
        for piece in pieces::explicit(set.pieces(), b)?.iter() {
            let mut conj = piece.clone();
            let cols = conj.import_divs(aff.expr().form());
            let row = conj.import_row(aff.row(), &cols);
            least = smaller(least, conj.minimum(&row, b)?);
        }
        Ok(match least {
            IntOptimum::Finite(num) => IntOptimum::Finite(num.div_ceil(aff.den())),
            other => other,
        })
    }

    /// The largest value of `aff`, rounded down to an integer, as [`Set::minimum`].
    ///
    /// # Panics
    ///
    /// If `aff` is on another tuple.
    pub fn maximum(&self, aff: &Aff, b: &Budget) -> Outcome<IntOptimum> {
        Ok(negated(self.minimum(&aff.neg(), b)?))
    }

    /// Whether dimension `dim` has a lower bound for all parameter values, which may be a different one for each.
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    pub fn has_lower_bound(&self, dim: usize, b: &Budget) -> Outcome<bool> {
        assert!(dim < self.n_dims(), "{} has no dimension {dim}", self.space());
        self.is_bounded_towards(dim, 1, b)
    }

    /// Whether dimension `dim` has an upper bound for all parameter values, which may be a different one for each.
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    pub fn has_upper_bound(&self, dim: usize, b: &Budget) -> Outcome<bool> {
        assert!(dim < self.n_dims(), "{} has no dimension {dim}", self.space());
        self.is_bounded_towards(dim, -1, b)
    }

    /// Whether there are finitely many elements for all parameter values.
    pub fn is_bounded(&self, b: &Budget) -> Outcome<bool> {
        for dim in 0..self.n_dims() {
            if !(self.has_lower_bound(dim, b)? && self.has_upper_bound(dim, b)?) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_bounded_towards(&self, dim: usize, sign: i64, b: &Budget) -> Outcome<bool> {
        assert!(dim < self.n_dims(), "{} has no dimension {dim}", self.space());
        let first = self.params().len();
        for piece in self.pieces() {
            if !piece.is_bounded_towards(first + dim, first, sign, b)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The value of dimension `dim` if it has a single one, as far as that is plain to see: a cheap test that may miss.
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    pub fn plain_fixed_dim(&self, dim: usize) -> Option<Int> {
        assert!(dim < self.n_dims(), "{} has no dimension {dim}", self.space());
        plain_fixed(self.pieces(), self.params().len() + dim)
    }

    /// The value `v` of dimension `dim` if it has a single one, over all elements and parameter values:
    /// `x_dim = v for all x in A`. None of the empty set.
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    pub fn fixed_dim(&self, dim: usize, b: &Budget) -> Outcome<Option<Int>> {
        if let Some(value) = self.plain_fixed_dim(dim) {
            return Ok((!self.is_empty(b)?).then_some(value));
        }
        match (self.dim_min(dim, b)?, self.dim_max(dim, b)?) {
            (IntOptimum::Finite(min), IntOptimum::Finite(max)) if min == max => Ok(Some(min)),
            _ => Ok(None),
        }
    }

    /// The smallest box that contains the set: `{ x : min_d <= x_d <= max_d }` with constants over all parameter values,
    /// and without a bound where there is none.
    pub fn box_hull(&self, b: &Budget) -> Outcome<Set> {
        let mut hull = Conj::universe(self.space().n_vars());
        let first = self.params().len();
        for dim in 0..self.n_dims() {
            for (sign, bound) in [(1, self.dim_min(dim, b)?), (-1, self.dim_max(dim, b)?)] {
                match bound {
                    IntOptimum::Empty => return Ok(Set::empty(self.space().clone())),
                    IntOptimum::Unbounded => {}
                    IntOptimum::Finite(value) => {
                        let sign = Int::from(sign);
                        let mut row = zeros(1 + self.space().n_vars());
                        row[0] = -(&sign * &value);
                        row[1 + first + dim] = sign;
                        hull.add_ineq(row);
                    }
                }
            }
        }
        Ok(Set::from_conj(self.space().clone(), hull))
    }
}

fn plain_fixed(pieces: &[Conj], var: usize) -> Option<Int> {
    let mut values = pieces.iter().map(|piece| piece.plain_fixed_value(var));
    let first = values.next()??;
    values.all(|value| value.as_ref() == Some(&first)).then_some(first)
}

impl Map {
    /// Whether there are finitely many images of each element, for all parameter values.
    pub fn has_bounded_images(&self, b: &Budget) -> Outcome<bool> {
        let first = self.params().len() + self.domain_tuple().n();
        for piece in self.pieces() {
            for var in first..self.space().n_vars() {
                for sign in [1, -1] {
                    if !piece.is_bounded_towards(var, first, sign, b)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// The smallest box that contains the pairs, as [`Set::box_hull`] of the wrapped relation: constant bounds of the
    /// dimensions of domain and range.
    pub fn box_hull(&self, b: &Budget) -> Outcome<Map> {
        Ok(self.wrap().box_hull(b)?.unwrap())
    }

    /// The value of domain dimension `dim` if it has a single one, over all pairs and parameter values.
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    pub fn fixed_domain_dim(&self, dim: usize, b: &Budget) -> Outcome<Option<Int>> {
        assert!(dim < self.domain_tuple().n(), "the domain of {}", self.space());
        self.wrap().fixed_dim(dim, b)
    }

    /// The value of range dimension `dim` if it has a single one, over all pairs and parameter values.
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    pub fn fixed_range_dim(&self, dim: usize, b: &Budget) -> Outcome<Option<Int>> {
        assert!(dim < self.range_tuple().n(), "the range of {}", self.space());
        self.wrap().fixed_dim(self.domain_tuple().n() + dim, b)
    }

    /// The value of range dimension `dim` if it has a single one, as far as that is plain to see.
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    pub fn plain_fixed_range_dim(&self, dim: usize) -> Option<Int> {
        assert!(dim < self.range_tuple().n(), "the range of {}", self.space());
        plain_fixed(self.pieces(), self.params().len() + self.domain_tuple().n() + dim)
    }

    /// Whether no constraint is there, so that this is plainly the whole space: a cheap test that may miss.
    pub fn is_plainly_universe(&self) -> bool {
        self.pieces().iter().any(Conj::is_plainly_universe)
    }

    /// Whether both consist of the same conjunctions: a cheap test for equality that may miss.
    pub fn is_plainly_equal(&self, other: &Map) -> bool {
        self.space() == other.space() && same_pieces(self.pieces(), other.pieces())
    }
}

impl Set {
    /// Whether no constraint is there, so that this is plainly the whole space: a cheap test that may miss.
    pub fn is_plainly_universe(&self) -> bool {
        self.pieces().iter().any(Conj::is_plainly_universe)
    }

    /// Whether both consist of the same conjunctions: a cheap test for equality that may miss.
    pub fn is_plainly_equal(&self, other: &Set) -> bool {
        self.space() == other.space() && same_pieces(self.pieces(), other.pieces())
    }

    /// Whether there is at most one element for each value of the parameters; true of the empty set.
    pub fn is_singleton(&self, b: &Budget) -> Outcome<bool> {
        let space = MapSpace::new(self.params().clone(), Tuple::unit(), self.tuple().clone());
        Map::from_pieces(space, self.pieces().to_vec()).is_single_valued(b)
    }
}

fn same_pieces(x: &[Conj], y: &[Conj]) -> bool {
    x.len() == y.len() && x.iter().all(|piece| y.contains(piece))
}
