//! What the generator knows at a point of its walk.
//!
//! # Columns
//!
//! A conjunction over *schedule space* has the variables `[parameters | c_0 .. c_{d-1}]`, one `c` for each band member
//! on the way from the root; a conjunction of an executed relation has the statement's dimensions after those.

use indexmap::IndexMap;

use crate::ast::build::region::Region;
use crate::ast::expr::{Condition, ParamId, Quasi};
use crate::linalg::{Row, zeros};
use crate::sets::{Aff, Conj, MultiAff, Params, Tuple};

/// The instances of a statement that are executed, as disjoint conjunctions over schedule space and the statement's
/// dimensions.
#[derive(Clone, Debug)]
pub(super) struct Executed {
    pub(super) statement: Tuple,
    pub(super) pieces: Vec<Conj>,
}

/// What is known at a point of the walk.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    /// The value of each schedule dimension: an iterator, or an expression in outer ones.
    pub(super) values: Vec<Quasi>,
    /// What generated loops and conditions enforce, over schedule space.
    pub(super) known: Conj,
    /// What remains to be executed. No statement without pieces.
    pub(super) executed: Vec<Executed>,
    /// Inside a region from which full tiles were split off.
    pub(super) partial_tile: bool,
}

impl Scope {
    /// The number of schedule dimensions.
    pub(super) fn depth(&self) -> usize {
        self.values.len()
    }

    /// The scope for the statements that pass.
    pub(super) fn filtered(&self, passes: impl Fn(&Tuple) -> bool) -> Scope {
        let executed = self.executed.iter().filter(|e| passes(&e.statement)).cloned().collect();
        Scope {
            executed,
            ..self.clone()
        }
    }

    /// The executed relation with one more schedule dimension, the value of member `position` of `schedule`.
    pub(super) fn extended(
        &self,
        schedule: &IndexMap<Tuple, MultiAff>,
        position: usize,
        params: &Params,
    ) -> Vec<Executed> {
        let depth = self.depth();
        self.executed
            .iter()
            .map(|executed| {
                let functions = &schedule[&executed.statement];
                let function = functions.affs()[position].align_params(params);
                let pieces = executed.pieces.iter();
                let pieces = pieces
                    .map(|piece| with_value(piece, params.len(), depth, &function))
                    .collect();
                Executed {
                    statement: executed.statement.clone(),
                    pieces,
                }
            })
            .collect()
    }

    /// The scope inside a region, whose schedule dimension has the given value; `enforced` is over the schedule space
    /// with it and replaces what was known.
    pub(super) fn entered(&self, region: &Region, value: Quasi, enforced: Conj) -> Scope {
        let mut values = self.values.clone();
        values.push(value);
        Scope {
            values,
            known: enforced,
            executed: region.executed(),
            partial_tile: self.partial_tile || region.partial_tile,
        }
    }

    /// The conditions of a conjunction over this schedule space.
    pub(super) fn conditions(&self, conj: &Conj, n_params: usize) -> Vec<Condition> {
        let quasi = |row: &Row| self.quasi(row, conj, n_params);
        let eqs = conj.eqs().iter().map(|row| Condition::Zero(quasi(row)));
        let ineqs = conj.ineqs().iter().map(|row| Condition::NonNegative(quasi(row)));
        eqs.chain(ineqs).collect()
    }

    /// A row of a conjunction over this schedule space as an expression. Columns beyond this scope's schedule
    /// dimensions have to be zero.
    pub(super) fn quasi(&self, row: &Row, conj: &Conj, n_params: usize) -> Quasi {
        let mut result = Quasi::constant(row[0].clone());
        for (column, coefficient) in row.iter().enumerate().skip(1).filter(|(_, c)| !c.is_zero()) {
            let variable = column - 1;
            let value = if variable < n_params {
                Quasi::param(ParamId(variable))
            } else if variable < conj.n_vars() {
                self.values[variable - n_params].clone()
            } else {
                let div = &conj.divs()[variable - conj.n_vars()];
                self.quasi(&div.num, conj, n_params).floor_div(&div.den)
            };
            result.add_scaled(coefficient, &value);
        }
        result
    }
}

/// `piece` with a variable inserted after the parameters and `depth` schedule dimensions that equals `function` of the
/// statement's dimensions.
fn with_value(piece: &Conj, n_params: usize, depth: usize, function: &Aff) -> Conj {
    let at = n_params + depth;
    let mut result = piece.insert_vars(at, 1);
    let (row, numerators) = embed(function, n_params, depth + 1, &mut result);
    debug_assert_eq!(numerators, function.divs().len());
    let mut equation = row;
    equation[1 + at] = -function.den();
    result.add_eq(equation);
    result
}

/// The numerator of a statement's function as a row of `conj`, whose variables are parameters, `depth` schedule
/// dimensions and the statement's dimensions. Adds the divisions it needs; gives the row and their number.
pub(super) fn embed(function: &Aff, n_params: usize, depth: usize, conj: &mut Conj) -> (Row, usize) {
    let n_dims = function.space().tuple.n();
    let mut div_columns: Vec<usize> = Vec::with_capacity(function.divs().len());
    let translate = |row: &Row, conj: &Conj, div_columns: &[usize]| {
        let mut result = zeros(1 + conj.n_vars() + conj.n_divs());
        for (column, coefficient) in row.iter().enumerate().filter(|(_, c)| !c.is_zero()) {
            let target = if column <= n_params {
                column
            } else if column <= n_params + n_dims {
                column + depth
            } else {
                div_columns[column - 1 - n_params - n_dims]
            };
            result[target] += coefficient;
        }
        result
    };
    for div in function.divs() {
        let numerator = translate(&div.num, conj, &div_columns);
        let index = conj.add_div(numerator, div.den.clone());
        div_columns.push(1 + conj.n_vars() + index);
    }
    (translate(function.row(), conj, &div_columns), function.divs().len())
}
