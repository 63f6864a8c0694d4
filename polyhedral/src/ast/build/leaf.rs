//! Leaves: the instance that is executed, and the conditions that nothing has enforced yet (P1 sections 5.2, 5.9).

use crate::ast::build::scope::{Executed, Scope};
use crate::ast::expr::Expr;
use crate::ast::node::{Call, Node};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::Row;
use crate::sets::{Conj, Params, Set, SetSpace, Tuple};

/// The guarded calls of a statement, or `None` where the schedule dimensions do not determine the instance.
pub(super) fn calls(executed: &Executed, scope: &Scope, params: &Params, b: &Budget) -> Outcome<Option<Vec<Node>>> {
    let n_outer = params.len() + scope.depth();
    let mut nodes = Vec::new();
    for piece in &executed.pieces {
        let Some(arguments) = solve(piece, n_outer, scope, params) else {
            return Ok(None);
        };
        let call = Call {
            statement: executed.statement.clone(),
            arguments,
        };
        for guard in disjoint(piece.eliminate(n_outer, executed.statement.n(), b)?, b)? {
            if guard.intersect(&scope.known).is_empty(b)? {
                continue;
            }
            let guard = guard.gist(&scope.known, b)?;
            nodes.push(Node::guarded(
                scope.condition(&guard, params.len()),
                Node::Call(call.clone()),
            ));
        }
    }
    Ok(Some(nodes))
}

/// The union of the conjunctions as disjoint ones.
fn disjoint(conjs: Vec<Conj>, b: &Budget) -> Outcome<Vec<Conj>> {
    if conjs.len() < 2 {
        return Ok(conjs);
    }
    let space = SetSpace::new(Params::none(), Tuple::anonymous(conjs[0].n_vars()));
    Ok(Set::from_conjs(space, conjs).make_disjoint(b)?.pieces().to_vec())
}

/// The variables from `first` on as expressions in those before, where the equalities determine them.
///
/// Rational elimination on the equalities: an unknown is a variable to solve for, or a division that depends on one.
/// Where a solution is a fraction it is rounded down; the conditions see to it that it is exact wherever it is used.
fn solve(conj: &Conj, first: usize, scope: &Scope, params: &Params) -> Option<Vec<Expr>> {
    let n = conj.n_vars();
    let mut unknown = vec![false; 1 + n + conj.n_divs()];
    unknown[1 + first..=n].fill(true);
    for (index, div) in conj.divs().iter().enumerate() {
        unknown[1 + n + index] = div.num.iter().zip(&unknown).any(|(c, u)| *u && !c.is_zero());
    }
    let mut rows: Vec<Row> = conj.eqs().to_vec();
    let mut pivots: Vec<Option<usize>> = vec![None; unknown.len()];
    let mut used = vec![false; rows.len()];
    // Divisions first, so that what remains relates variables only.
    let columns = (1 + n..unknown.len()).chain(1 + first..=n).filter(|c| unknown[*c]);
    for column in columns {
        let candidates = (0..rows.len()).filter(|r| !used[*r] && !rows[*r][column].is_zero());
        let Some(pivot) = candidates.min_by_key(|r| rows[*r][column].abs()) else {
            continue;
        };
        used[pivot] = true;
        pivots[column] = Some(pivot);
        let pivot_row = rows[pivot].clone();
        for (index, row) in rows.iter_mut().enumerate() {
            if index != pivot && !row[column].is_zero() {
                eliminate(row, &pivot_row, column);
            }
        }
    }
    let mut values = Vec::with_capacity(n - first);
    for column in 1 + first..=n {
        let row = &rows[pivots[column]?];
        let determined = (1..row.len()).all(|c| c == column || !unknown[c] || row[c].is_zero());
        if !determined {
            return None;
        }
        let mut rest = row.clone();
        let coefficient = std::mem::take(&mut rest[column]);
        let sign = Int::from(if coefficient.is_pos() { -1 } else { 1 });
        let numerator = scope.quasi(&rest, conj, params.len()).scaled(&sign);
        values.push(Expr::Quasi(numerator.floor_div(&coefficient.abs())));
    }
    Some(values)
}

/// Adds a multiple of `pivot` to a positive multiple of `row` so that `column` becomes zero; divides by the content.
fn eliminate(row: &mut Row, pivot: &Row, column: usize) {
    let common = row[column].gcd(&pivot[column]);
    let mut row_factor = pivot[column].div_exact(&common);
    let mut pivot_factor = row[column].div_exact(&common);
    if row_factor.is_neg() {
        row_factor = -row_factor;
        pivot_factor = -pivot_factor;
    }
    let mut content = Int::ZERO;
    for (entry, other) in row.iter_mut().zip(pivot) {
        *entry = &(&*entry * &row_factor) - &(other * &pivot_factor);
        content = content.gcd(entry);
    }
    if !content.is_zero() && !content.is_one() {
        row.iter_mut().for_each(|entry| *entry = entry.div_exact(&content));
    }
}
