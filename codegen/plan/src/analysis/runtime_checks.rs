//! Loops for which the run-time checks of LLVM's vectorizer fail.
//!
//! Two accesses to one array whose distance is no constant are compared at run time: the ranges of both in an execution of the loop
//! must not overlap. LLVM moves this check in front of the loop around, and for that takes the ranges over all of its iterations. In
//!
//! ```text
//! for (i) if (i != k)
//!   for (j) a[i][j] -= f[i] * a[k][j];
//! ```
//!
//! row `i` is never row `k`, but the range over all `i` has row `k` in it: the loop is executed in its scalar form.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::program::{Access, AccessKind, ArrayKind, Program, Statement};
use farkas_polyhedral::sets::{Map, Tuple};

use super::levels::{Level, Levels, LoopId};
use super::linear::Statements;

/// Whether a check of an innermost loop of the original order fails: two accesses in it touch the same element in an execution of the
/// loop around it.
pub(crate) fn fail(
    program: &Program,
    linear: &Statements,
    (id, tuples): (LoopId, &[Tuple]),
    levels: &Levels,
    b: &Budget,
) -> Outcome<bool> {
    let statement = |tuple: &Tuple| program.statement(program.find_statement(tuple).expect("a statement"));
    for own in tuples {
        for other in tuples {
            let outer = |tuple: &Tuple| -> Vec<Level> {
                let outer = levels[tuple].iter().take_while(|level| level.id != id);
                outer.cloned().collect()
            };
            let (around, around_other) = (outer(own), outer(other));
            let Some(((_, around), (_, around_other))) = around.split_last().zip(around_other.split_last()) else {
                continue;
            };
            let writes = statement(own).accesses.iter().zip(&linear[own].accesses);
            for (write, written) in writes.filter(|(access, _)| is_write(program, access)) {
                let accesses = statement(other).accesses.iter().zip(&linear[other].accesses);
                for (access, read) in accesses.filter(|(access, _)| access.array() == write.array()) {
                    if written.subscripts() == read.subscripts() {
                        continue;
                    }
                    let pairs = meeting((statement(own), write), (statement(other), access), b)?;
                    let same = around.iter().zip(around_other);
                    let pairs = same.fold(pairs, |pairs, (x, y)| pairs.intersect(&Map::equal(&x.point, &y.point)));
                    if !pairs.is_empty(b)? {
                        return Ok(true);
                    }
                }
            }
        }
    }
    Ok(false)
}

fn is_write(program: &Program, access: &Access) -> bool {
    access.kind != AccessKind::Read && program.arrays[access.array()].kind != ArrayKind::ScalarSlot
}

/// The pairs of instances of which the first accesses an element by one access, and the second the same by the other.
fn meeting((own, write): (&Statement, &Access), (other, access): (&Statement, &Access), b: &Budget) -> Outcome<Map> {
    let from = write.relation.intersect_domain(&own.domain);
    from.apply_range(&access.relation.intersect_domain(&other.domain).reverse(), b)
}
