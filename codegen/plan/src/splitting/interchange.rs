//! Original orders with the loop innermost along which elements are consecutive.
//!
//! Cuts are along innermost loops. Where a nest goes through memory in large steps, another loop is to be cut, and to be innermost:
//!
//! ```text
//! for (k) for (j) for (i)                               for (k) for (i) for (j)
//!   a[i][j] = min(a[i][j], a[i][k] + a[k][j]);    ->      a[i][j] = min(a[i][j], a[i][k] + a[k][j]);
//! ```
//!
//! The order is a candidate as all others are: the checker finds out whether it is legal.

use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::program::{AccessKind, Program, Statement};
use farkas_polyhedral::sets::{Aff, MultiAff};

use super::order::nests;
use crate::analysis::linear::{Statements, Stride, direction, linear_part};

/// The program with other orders of statements that are alone in their nests; `None` where there is nothing to interchange.
pub(crate) fn with_consecutive_innermost(program: &Program, linear: &Statements) -> Option<Program> {
    let mut changed = program.clone();
    let mut any = false;
    for nest in nests(program) {
        let [statement] = &nest[..] else { continue };
        let Some(schedule) = interchanged(statement, linear) else {
            continue;
        };
        let id = program
            .find_statement(statement.tuple())
            .expect("a statement of the program");
        changed.statements[id.0].schedule = schedule;
        any = true;
    }
    any.then_some(changed)
}

/// The schedule with another loop innermost, along which what is written is consecutive.
fn interchanged(statement: &Statement, linear: &Statements) -> Option<MultiAff> {
    let affs = statement.schedule.affs();
    let loops: Vec<usize> = (0..affs.len()).filter(|k| affs[*k].as_constant().is_none()).collect();
    let rows: Vec<Row> = loops.iter().map(|k| linear_part(&affs[*k])).collect::<Option<_>>()?;
    let is_consecutive = |position: usize| {
        let along = direction(&rows, position, statement.tuple().n())?;
        let accesses = statement.accesses.iter().zip(&linear[statement.tuple()].accesses);
        let mut writes = accesses.filter(|(access, _)| access.kind != AccessKind::Read);
        Some(writes.all(|(_, linear)| linear.stride(&along) == Stride::Unit))
    };
    let last = loops.len().checked_sub(1)?;
    if is_consecutive(last)? {
        return None;
    }
    let position = (0..last).find(|position| is_consecutive(*position) == Some(true))?;
    let mut order = loops.clone();
    let innermost = order.remove(position);
    order.push(innermost);
    let mut permuted: Vec<Aff> = affs.to_vec();
    for (to, from) in loops.iter().zip(&order) {
        permuted[*to] = affs[*from].clone();
    }
    let space = statement.schedule.domain_space();
    Some(MultiAff::new(space, statement.schedule.space().range.clone(), permuted))
}
