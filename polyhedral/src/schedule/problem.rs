//! The integer program for one schedule row of some statements.
//!
//! The unknowns are non-negative and minimized lexicographically in this order (P0, 6.4.2 and 6.5.5):
//!
//! 1. the objectives: the leading ones of the method, then the sum of all coefficients of parameters, and the sum of the
//!    absolute values of all coefficients of dimensions;
//! 2. unknowns of the method;
//! 3. for every unit (statement or cluster, see `units`): for every dimension, the last one first, the negative and the positive part of its coefficient;
//!    the coefficients of the parameters; the constant.
//!
//! The order of the parts favours positive coefficients, and that of the dimensions zero coefficients for late ones.
//! Coefficients of parameters and constants need not be negative: within a connected component, a schedule may be shifted
//! as a whole.

use super::Options;
use super::edges::Edge;
use super::graph::ScheduleRow;
use super::units::Unit;
use crate::int::Int;
use crate::linalg::{Row, unit, zeros};
use crate::solver::lexmin::LexMin;

/// The places of the unknowns, see the module.
#[derive(Clone, Debug)]
pub(super) struct Layout<'a> {
    n_params: usize,
    units: &'a [Unit],
    leading: usize,
    /// The first unknown of each unit.
    starts: Vec<usize>,
    n: usize,
}

impl<'a> Layout<'a> {
    /// Unknowns for `units`, with `leading` objectives and `own` unknowns of the method.
    pub(super) fn new(n_params: usize, units: &'a [Unit], leading: usize, own: usize) -> Layout<'a> {
        let mut n = leading + 2 + own;
        let mut starts = Vec::with_capacity(units.len());
        for unit in units {
            starts.push(n);
            n += 2 * unit.dim + n_params + 1;
        }
        Layout {
            n_params,
            units,
            leading,
            starts,
            n,
        }
    }

    /// The first unknown of the method.
    pub(super) fn own(&self) -> usize {
        self.leading + 2
    }

    /// A constraint `0 = 0` or `0 >= 0`, to be filled.
    pub(super) fn empty_row(&self) -> Row {
        zeros(self.n + 1)
    }

    /// Adds `factor` times unknown `unknown` to a constraint.
    pub(super) fn add(&self, row: &mut Row, unknown: usize, factor: &Int) {
        row[1 + unknown] += factor;
    }

    /// The unknown that is the negative part of a coefficient; the positive part follows it.
    fn negative_part(&self, unit: usize, dim: usize) -> usize {
        self.starts[unit] + 2 * (self.units[unit].dim - 1 - dim)
    }

    /// The first of the coefficients of parameters; the constant follows them.
    fn params(&self, unit: usize) -> usize {
        self.starts[unit] + 2 * self.units[unit].dim
    }

    /// A problem without constraints but those that make the sums what they are.
    pub(super) fn problem(&self) -> LexMin {
        let mut problem = LexMin::new(self.n);
        let mut param_sum = unit(self.n + 1, 1 + self.leading);
        let mut dim_sum = unit(self.n + 1, 2 + self.leading);
        for (index, unit) in self.units.iter().enumerate() {
            for k in 0..self.n_params {
                param_sum[1 + self.params(index) + k] = -Int::ONE;
            }
            for part in 0..2 * unit.dim {
                dim_sum[1 + self.starts[index] + part] = -Int::ONE;
            }
        }
        problem.add_eq(&param_sum);
        problem.add_eq(&dim_sum);
        problem
    }

    /// Adds the bounds on coefficients that the options ask for.
    pub(super) fn add_bounds(&self, problem: &mut LexMin, options: &Options) {
        let mut add_bound = |unknown: usize, bound: Int| {
            let mut row = self.empty_row();
            row[0] = bound;
            row[1 + unknown] = -Int::ONE;
            problem.add_ineq(&row);
        };
        let limit = options.max_coefficient.map(Int::from);
        for (index, unit) in self.units.iter().enumerate() {
            for dim in 0..unit.dim {
                let size = unit.bounds[dim].clone().filter(|_| options.treat_coalescing);
                if let Some(bound) = size.into_iter().chain(limit.clone()).min() {
                    let negative = self.negative_part(index, dim);
                    add_bound(negative, bound.clone());
                    add_bound(negative + 1, bound);
                }
            }
            if let Some(bound) = options.max_constant_term {
                add_bound(self.params(index) + self.n_params, Int::from(bound));
            }
        }
    }

    /// Adds the linear form `coefficients` of the coefficients of a unit's dimensions, or its opposite.
    pub(super) fn add_linear(&self, row: &mut Row, unit: usize, coefficients: &[Int], negate: bool) {
        for (dim, a) in coefficients.iter().enumerate() {
            if a.is_zero() {
                continue;
            }
            let a = if negate { -a } else { a.clone() };
            let negative = self.negative_part(unit, dim);
            row[1 + negative] -= &a;
            row[2 + negative] += &a;
        }
    }

    /// Adds the distance of the two units of `edge` on `vector`, or its opposite, to a constraint.
    pub(super) fn add_distance(&self, row: &mut Row, edge: &Edge, vector: &Row, negate: bool) {
        let first = 1 + self.n_params;
        if edge.is_loop() {
            self.add_linear(row, edge.target, &vector[first..], negate);
            return;
        }
        let middle = first + self.units[edge.source].dim;
        self.add_linear(row, edge.source, &vector[first..middle], !negate);
        self.add_linear(row, edge.target, &vector[middle..], negate);
        for (i, v) in vector[..first].iter().enumerate() {
            // The constant comes after the coefficients of the parameters.
            let offset = if i == 0 { self.n_params } else { i - 1 };
            let v = if negate { -v } else { v.clone() };
            row[1 + self.params(edge.target) + offset] += &v;
            row[1 + self.params(edge.source) + offset] -= &v;
        }
    }

    /// Adds the constraints that the distance is not negative where it must not be.
    pub(super) fn add_validity(&self, problem: &mut LexMin, edge: &Edge) {
        for (vectors, is_line) in [(&edge.validity.lines, true), (&edge.validity.rays, false)] {
            for vector in vectors {
                let mut row = self.empty_row();
                self.add_distance(&mut row, edge, vector, false);
                if is_line {
                    problem.add_eq(&row);
                } else if row.iter().any(Int::is_neg) {
                    problem.add_ineq(&row);
                }
            }
        }
    }

    /// The schedule rows of a solution, one for each unit.
    pub(super) fn schedule_rows(&self, solution: &Row) -> Vec<ScheduleRow> {
        let row = |(index, unit): (usize, &Unit)| {
            let params = self.params(index);
            let mut row = Row::from_iter([solution[params + self.n_params].clone()]);
            row.extend(solution[params..params + self.n_params].iter().cloned());
            row.extend((0..unit.dim).map(|dim| {
                let negative = self.negative_part(index, dim);
                &solution[negative + 1] - &solution[negative]
            }));
            row
        };
        self.units.iter().enumerate().map(row).collect()
    }
}
