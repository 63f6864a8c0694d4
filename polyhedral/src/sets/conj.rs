//! One conjunction of constraints with explicit integer divisions.

use super::standin::{Int, Row};
use crate::budget::{Budget, Outcome};

/// The integer division `floor(num / den)`. `num` has the columns `[1 | variables | divs]`; it is zero on this
/// division's own column and on later ones. `den > 0`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Div {
    /// The numerator.
    pub num: Row,
    /// The denominator.
    pub den: Int,
}

/// A conjunction of affine constraints over integer variables `x` and integer divisions of them. The columns of every
/// row are `[1 | x_0 .. x_{n-1} | div_0 .. div_{k-1}]`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Conj {
    n_vars: usize,
    divs: Vec<Div>,
    eqs: Vec<Row>,
    ineqs: Vec<Row>,
}

impl Conj {
    /// All integer points of `n_vars` dimensions.
    pub fn universe(n_vars: usize) -> Self {
        Conj {
            n_vars,
            divs: Vec::new(),
            eqs: Vec::new(),
            ineqs: Vec::new(),
        }
    }
    /// The number of variables, divisions not counted.
    pub fn n_vars(&self) -> usize {
        self.n_vars
    }
    /// The number of integer divisions.
    pub fn n_divs(&self) -> usize {
        self.divs.len()
    }
    /// The integer divisions.
    pub fn divs(&self) -> &[Div] {
        &self.divs
    }
    /// The rows that are zero.
    pub fn eqs(&self) -> &[Row] {
        &self.eqs
    }
    /// The rows that are non-negative.
    pub fn ineqs(&self) -> &[Row] {
        &self.ineqs
    }
    /// Adds `row = 0`. A row may be shorter than the number of columns: what is missing is zero.
    pub fn add_eq(&mut self, _row: Row) {
        todo!()
    }
    /// Adds `row >= 0`. A row may be shorter than the number of columns: what is missing is zero.
    pub fn add_ineq(&mut self, _row: Row) {
        todo!()
    }
    /// Adds `floor(num / den)`, unless it is there already, and returns its index among the divisions: its column is
    /// `1 + n_vars + index`.
    pub fn add_div(&mut self, _num: Row, _den: Int) -> usize {
        todo!()
    }
    /// Simplifies without changing the set. False if the conjunction is plainly empty.
    pub fn simplify(&mut self) -> bool {
        todo!()
    }
    /// Whether there is no integer point.
    pub fn is_empty(&self, _b: &Budget) -> Outcome<bool> {
        todo!()
    }
    /// Whether the point satisfies all constraints.
    pub fn contains(&self, _point: &[Int]) -> bool {
        todo!()
    }
    /// The points of both.
    pub fn intersect(&self, _other: &Conj) -> Conj {
        todo!()
    }
    /// The exact integer projection onto the other variables: variables `first .. first + count` are removed.
    pub fn eliminate(&self, _first: usize, _count: usize, _b: &Budget) -> Outcome<Vec<Conj>> {
        todo!()
    }
    /// A superset of the projection (rational Fourier-Motzkin): variables `first .. first + count` are removed.
    pub fn eliminate_rational(&self, _first: usize, _count: usize, _b: &Budget) -> Outcome<Conj> {
        todo!()
    }
    /// Inserts `count` unconstrained variables at `pos`.
    pub fn insert_vars(&self, _pos: usize, _count: usize) -> Conj {
        todo!()
    }
    /// Moves variable `v` to `target(v)` of `n_vars` variables.
    pub fn remap(&self, _n_vars: usize, _target: impl Fn(usize) -> usize) -> Conj {
        todo!()
    }
    /// Drops inequalities that the other constraints imply.
    pub fn remove_redundancies(&self, _b: &Budget) -> Outcome<Conj> {
        todo!()
    }
    /// Turns inequalities that can only hold with equality into equalities.
    pub fn detect_equalities(&self, _b: &Budget) -> Outcome<Conj> {
        todo!()
    }
    /// Fewer constraints that describe the same set within `context`.
    pub fn gist(&self, _context: &Conj, _b: &Budget) -> Outcome<Conj> {
        todo!()
    }
    /// The constraints of any of the pieces that hold on all of them.
    pub fn simple_hull(_pieces: &[Conj], _b: &Budget) -> Outcome<Conj> {
        todo!()
    }
}
