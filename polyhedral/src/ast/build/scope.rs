//! What the generator knows at a point of its walk.
//!
//! # Columns
//!
//! A conjunction over *schedule space* has the variables `[parameters | c_0 .. c_{d-1}]`, one `c` for each band member
//! on the way from the root; a conjunction of an executed relation has the statement's dimensions after those.

use crate::ast::build::region::Region;
use crate::ast::expr::Condition;
use crate::ast::quasi::{ParamId, Quasi};
use crate::budget::{Budget, Outcome};
use crate::linalg::{Row, zeros};
use crate::sets::{Aff, Conj, Params, Set, Tuple};
use crate::tree::{Band, Filter, Share};

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

    /// The scope for one statement only.
    pub(super) fn only(&self, statement: &Tuple) -> Scope {
        let executed = self.executed.iter().filter(|e| e.statement == *statement).cloned();
        Scope {
            executed: executed.collect(),
            ..self.clone()
        }
    }

    /// The scope for the instances that pass a filter.
    pub(super) fn filtered(&self, filter: &Filter, params: &Params, b: &Budget) -> Outcome<Scope> {
        let mut passed = Vec::new();
        for executed in &self.executed {
            match filter.share(&executed.statement) {
                Share::Nothing => {}
                Share::Whole => passed.push(executed.clone()),
                Share::Part => passed.extend(self.part(executed, filter, params, b)?),
            }
        }
        Ok(Scope {
            executed: passed,
            ..self.clone()
        })
    }

    /// The instances of a statement that a filter splits.
    fn part(&self, executed: &Executed, filter: &Filter, params: &Params, b: &Budget) -> Outcome<Option<Executed>> {
        let set = filter.filter.extract(&executed.statement).align_params(params);
        let mut pieces = Vec::new();
        for kept in set.explicit(b)?.make_disjoint(b)?.pieces() {
            let kept = kept.insert_vars(params.len(), self.depth());
            for piece in &executed.pieces {
                let piece = piece.intersect(&kept);
                if !piece.is_empty(b)? {
                    pieces.push(piece);
                }
            }
        }
        let statement = executed.statement.clone();
        Ok((!pieces.is_empty()).then_some(Executed { statement, pieces }))
    }

    /// The executed relation with one more schedule dimension, the value of member `position` of the band.
    ///
    /// A statement for which the member has no value is not executed.
    pub(super) fn extended(&self, band: &Band, position: usize, params: &Params, b: &Budget) -> Outcome<Vec<Executed>> {
        let depth = self.depth();
        let mut result = Vec::with_capacity(self.executed.len());
        for executed in &self.executed {
            let mut pieces = Vec::with_capacity(executed.pieces.len());
            let cases = band.part(position, &executed.statement);
            let cases: Vec<(&Set, &Aff)> = cases.iter().flat_map(|part| part.pieces()).collect();
            for (domain, function) in &cases {
                let function = function.align_params(params);
                let valued = |piece: &Conj| with_value(piece, params.len(), depth, &function);
                if cases.len() == 1 {
                    // It is that of all that is executed.
                    pieces.extend(executed.pieces.iter().map(valued));
                    continue;
                }
                let domain = domain.align_params(params).explicit(b)?.make_disjoint(b)?;
                for case in domain.pieces() {
                    let case = case.insert_vars(params.len(), depth);
                    for piece in &executed.pieces {
                        let piece = piece.intersect(&case);
                        if !piece.is_empty(b)? {
                            pieces.push(valued(&piece));
                        }
                    }
                }
            }
            result.push(Executed {
                statement: executed.statement.clone(),
                pieces,
            });
        }
        Ok(result)
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

    /// A conjunction over this schedule space as a condition.
    pub(super) fn condition(&self, conj: &Conj, n_params: usize) -> Condition {
        let quasi = |row: &Row| self.quasi(row, conj, n_params);
        let eqs = conj.eqs().iter().map(|row| Condition::Zero(quasi(row)));
        let ineqs = conj.ineqs().iter().map(|row| Condition::NonNegative(quasi(row)));
        Condition::all(eqs.chain(ineqs))
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
