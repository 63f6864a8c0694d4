//! Parametric integer programming (Feautrier, *Parametric integer programming*, 1988).
//!
//! Given are constraints on integer *parameters* `p` and integer *unknowns* `u`, both of any sign. The lexicographic
//! minimum of the unknowns is a function of the parameters, and a piecewise quasi-affine one: [`lexmin`] gives disjoint
//! [`Leaf`]s, each with constraints on the parameters and, where there is a solution, one expression for each unknown.
//! The expressions and constraints are affine in the parameters and in *divisions* `floor(num / den)` of them.
//!
//! For example `u` with `2 u >= p` and `u <= n` over the parameters `p, n`: the rational minimum is `p / 2` and has to
//! be rounded up.
//!
//! ```text
//! 2 n >= p:  u = p - floor(p / 2)
//! 2 n <  p:  no solution
//! ```
//!
//! # Layout
//!
//! A row of a constraint is `[1 | params | divs | unknowns]`; it is zero or not negative. The tableau has for every
//! basic variable `v` a row
//!
//! ```text
//! d v = c(p) + a_1 y_1 + ... + a_m y_m       (d > 0)
//! ```
//!
//! in terms of the column variables `y`, which are slacks of constraints or of cuts and not negative. What tells it from
//! the tableau of [`super::lexmin`] is that the constant `c(p)` is affine in parameters and divisions. Its sign is
//! decided on the *context*, what is known of the parameters: over the integers, but mostly by a few points of the
//! context that are kept.
//!
//! # Method
//!
//! 1. Equalities are solved over the integers (Hermite normal form). Where that needs `h` to divide an expression in the
//!    parameters, a division says so: `e - h floor(e / h) = 0` joins the context, its opposite is a leaf without solution.
//! 2. Directions in which neither the constraints nor the unknowns of interest vary are factored out (again by a
//!    Hermite normal form). Then the free unknowns are made basic.
//! 3. Each unknown of interest is minimized over the recession cone, where all constants are 0. If one is unbounded, it
//!    has no minimum for any parameters. Otherwise all columns now are lexicographically positive (see
//!    [`super::lexmin`]), whatever the parameters are. There is no need for a large `M` to start from.
//! 4. A restricted row with a constant that is negative in the whole context is raised by a pivot in the column that
//!    does so at the least cost, or shows that there is no solution. One that is negative in a part of the context
//!    splits it in two.
//! 5. When all constants are not negative, an unknown that is `(c(p) + sum of a_j y_j) / d` with a fraction is cut: all
//!    integer points satisfy `sum of (a_j mod d) y_j >= (-c(p)) mod d`, of which the right-hand side is
//!    `e - d floor(e / d)` with `e = -c(p)`, a new division.
//! 6. Otherwise the constants of the unknowns of interest are the minimum.
//!
//! Cuts alone need not come to an end. After a number of them, the first fractional objective is tried at each integer
//! from its rational minimum on, an equality that leaves one unknown less. By the proximity of integer and rational
//! optima (Cook, Gerards, Schrijver and Tardos, *Sensitivity theorems in integer linear programming*, 1986) a bounded
//! number of values is enough.
//!
//! Halves of a context that turn out to have the same solution are put together again.

mod context;
mod prepare;
mod search;
mod tableau;
#[cfg(test)]
mod tests;

use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::Row;
use context::Context;

/// The integer division `floor(num / den)` of parameters and earlier divisions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Division {
    /// The numerator, over `[1 | params | divs]`; it may be shorter where the last entries are zero.
    pub num: Row,
    /// The denominator, positive.
    pub den: Int,
}

/// The constraints of a parametric problem. The columns of the context's rows are `[1 | params | divs]`, those of the
/// others `[1 | params | divs | unknowns]`.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    /// The number of parameters.
    pub n_params: usize,
    /// Divisions of the parameters that the rows use.
    pub divs: Vec<Division>,
    /// Zero wherever a solution is asked for.
    pub context_eqs: Vec<Row>,
    /// Non-negative wherever a solution is asked for.
    pub context_ineqs: Vec<Row>,
    /// The number of unknowns.
    pub n_unknowns: usize,
    /// The number of unknowns, the first ones, that are minimized. The others only have to exist.
    pub n_interesting: usize,
    /// Rows with `row = 0`.
    pub eqs: Vec<Row>,
    /// Rows with `row >= 0`.
    pub ineqs: Vec<Row>,
}

/// The minimum for some of the parameters: for those in the context with `eqs = 0` and `ineqs >= 0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// All divisions: those of the problem first.
    pub divs: Vec<Division>,
    /// Constraints on parameters and divisions, beside those of the context. They may be shorter than the number of
    /// columns `[1 | params | divs]` where the last entries are zero.
    pub eqs: Vec<Row>,
    /// Constraints in the same form as `eqs`.
    pub ineqs: Vec<Row>,
    /// An integer-valued row over `[1 | params | divs]` for each unknown of interest; none if there is no solution.
    pub values: Option<Vec<Row>>,
}

/// What a parametric problem has come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Minimum {
    /// Disjoint leaves that cover the context.
    Leaves(Vec<Leaf>),
    /// There is no minimum, for any parameters with a solution: an unknown of interest has no lower bound.
    Unbounded,
}

/// The lexicographic minimum of the unknowns of interest as a function of the parameters:
/// `p -> lexmin { u : exists v: eqs(p, u, v) = 0 and ineqs(p, u, v) >= 0 }` for the `p` in the context, where `u` are the
/// unknowns of interest and `v` the others.
///
/// ```
/// use farkas_polyhedral::budget::Budget;
/// use farkas_polyhedral::linalg::row_from;
/// use farkas_polyhedral::solver::parametric::{Minimum, Problem, lexmin};
///
/// // The least u with u >= p and u >= q, over the parameters p and q.
/// let problem = Problem {
///     n_params: 2,
///     n_unknowns: 1,
///     n_interesting: 1,
///     ineqs: vec![row_from(&[0, -1, 0, 1]), row_from(&[0, 0, -1, 1])],
///     ..Problem::default()
/// };
/// let Minimum::Leaves(leaves) = lexmin(&problem, &Budget::new(10_000)).unwrap() else { unreachable!() };
/// let values: Vec<_> = leaves.iter().map(|leaf| leaf.values.clone().unwrap()).collect();
/// assert_eq!(values.len(), 2); // p where p >= q, and q elsewhere
/// assert!(values.contains(&vec![row_from(&[0, 1, 0])]) && values.contains(&vec![row_from(&[0, 0, 1])]));
/// ```
pub fn lexmin(problem: &Problem, b: &Budget) -> Outcome<Minimum> {
    let context = Context::new(
        problem.n_params,
        problem.divs.clone(),
        problem.context_eqs.clone(),
        problem.context_ineqs.clone(),
        b,
    )?;
    let Some(context) = context else {
        return Ok(Minimum::Leaves(Vec::new()));
    };
    let system = prepare::Unknowns {
        n: problem.n_unknowns,
        n_interesting: problem.n_interesting,
        raised: 0,
        eqs: problem.eqs.clone(),
        ineqs: problem.ineqs.clone(),
    };
    prepare::solve(context, &system, b)
}
