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
//! row `i` is never row `k`, but the range over all `i` has row `k` in it: the loop is executed in its scalar form. Where the addresses of rows
//! are loaded from a table, the check stays where it is, for one row `i` at a time.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::program::{Access, AccessId, AccessKind, ArrayKind, Program, Statement};
use farkas_polyhedral::sets::{Map, Tuple};

use super::levels::{Level, Levels, LoopId};
use super::linear::{LinearAccess, LinearStatement, Statements, Stride};
use super::nest::Nest;

/// Whether a check of an innermost loop of the original order fails as two accesses in it touch the same element in an execution of the
/// loop around it.
pub(crate) fn elements_meet(
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
            let Some(((last, around), (last_other, around_other))) = around.split_last().zip(around_other.split_last())
            else {
                continue;
            };
            let writes = not_in_registers(statement(own), &linear[own]);
            for (write, written) in writes.filter(|(access, _)| is_write(program, access)) {
                let accesses = not_in_registers(statement(other), &linear[other]);
                for (access, read) in accesses.filter(|(access, _)| access.array() == write.array()) {
                    if written.differs_by_constants(read) {
                        continue;
                    }
                    let pairs = meeting((statement(own), write), (statement(other), access), b)?;
                    let in_table = program.arrays[write.array()].table_dims > 0;
                    let same = around
                        .iter()
                        .zip(around_other)
                        .chain(in_table.then_some((last, last_other)));
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

/// Whether a check of a statement's innermost loop fails as it reads elements between those that it writes: elements that are the same
/// along this loop, and move along the loop around as the written ones do. Along `j` and for all `i`, `A[i][k]` is a column next to,
/// and between the rows of, what `A[i][j] -= A[i][k] * A[k][j]` writes, unless LLVM has it in a register. That is so of arrays in memory whose
/// rows are `in_one_piece`.
pub(crate) fn read_between(
    statement: &Statement,
    linear: &LinearStatement,
    nest: &Nest,
    in_one_piece: impl Fn(&Access) -> bool,
) -> bool {
    let mut loops = nest.loops.iter().rev().filter(|l| !l.unrolled).map(|l| &l.direction);
    let (Some(Some(inner)), Some(Some(outer))) = (loops.next(), loops.next()) else {
        return false;
    };
    let accesses = || not_in_registers(statement, linear);
    let moves = |linear: &LinearAccess, along: &Row| linear.stride(along) != Stride::Zero;
    let written = |array: &Tuple| {
        accesses().any(|(access, linear)| {
            access.array() == array && linear.writes && moves(linear, inner) && moves(linear, outer)
        })
    };
    accesses().any(|(access, linear)| {
        let between = !linear.writes && !moves(linear, inner) && moves(linear, outer);
        between && in_one_piece(access) && written(access.array())
    })
}

/// Whether a statement of an innermost loop accumulates in an element of an array of which the loop accesses other elements. LLVM
/// cannot tell these from each other, so that it has the element in memory, and does not vectorize the loop.
pub(crate) fn accumulates_in_memory(own: &LinearStatement, along: &Row, in_loop: &[&LinearStatement]) -> bool {
    let stays = |access: &&LinearAccess| access.stride(along) == Stride::Zero;
    let written = own.accesses.iter().filter(|access| access.writes).filter(stays);
    let mut accumulators = written.filter(|written| {
        let same = |read: &LinearAccess| read.array == written.array && read.subscripts() == written.subscripts();
        own.accesses.iter().any(|read| !read.writes && same(read))
    });
    accumulators.any(|accumulator| {
        let mut others = in_loop.iter().flat_map(|statement| &statement.accesses);
        others.any(|other| other.array == accumulator.array && other.subscripts() != accumulator.subscripts())
    })
}

/// The accesses that the original order makes.
fn not_in_registers<'s>(
    statement: &'s Statement,
    linear: &'s LinearStatement,
) -> impl Iterator<Item = (&'s Access, &'s LinearAccess)> {
    let all = statement.accesses.iter().zip(&linear.accesses).enumerate();
    let in_registers = &statement.in_registers;
    let own = all.filter(|(position, _)| !in_registers.contains(&AccessId(*position)));
    own.map(|(_, access)| access)
}

fn is_write(program: &Program, access: &Access) -> bool {
    access.kind != AccessKind::Read && program.arrays[access.array()].kind != ArrayKind::ScalarSlot
}

/// The pairs of instances of which the first accesses an element by one access, and the second the same by the other. Ranges have
/// no gaps: instances between those that there are count, too.
fn meeting((own, write): (&Statement, &Access), (other, access): (&Statement, &Access), b: &Budget) -> Outcome<Map> {
    let from = without_gaps(&write.relation.intersect_domain(&own.domain), b)?;
    let to = without_gaps(&access.relation.intersect_domain(&other.domain), b)?;
    from.apply_range(&to.reverse(), b)
}

fn without_gaps(relation: &Map, b: &Budget) -> Outcome<Map> {
    match relation.pieces().len() {
        0 | 1 => Ok(relation.clone()),
        _ => relation.simple_hull(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::levels::of_original;
    use crate::analysis::linear::statements;

    /// Whether the check fails of the innermost loop of a statement with these instances that reads `a` so and writes `a[i, j]`.
    fn check(domain: &str, order: &str, read: &str, expected: bool) {
        let text = format!(
            "program
  context: [n] -> {{ : n > 10 }}
  assumptions: [n] -> {{ : }}
  array a: memory, 8 bytes, [][n]
  statement S
    domain: [n] -> {{ S[k, i, j] : {domain} }}
    schedule: {{ S[k, i, j] -> [{order}] }}
    read: [n] -> {{ S[k, i, j] -> a[i, j] }}
    read: [n] -> {{ S[k, i, j] -> a[{read}] }}
    write: [n] -> {{ S[k, i, j] -> a[i, j] }}
"
        );
        let program: Program = text.parse().unwrap_or_else(|error| panic!("{error}"));
        let levels = of_original(&program);
        let tuple = program.statements[0].tuple().clone();
        let innermost = levels[&tuple].last().expect("a loop").id;
        let tuples = [tuple];
        let linear = statements(&program);
        let found =
            elements_meet(&program, &linear, (innermost, &tuples), &levels, &Budget::unlimited()).expect("no budget");
        assert_eq!(found, expected);
    }

    #[test]
    fn the_rows_behind_a_row_are_not_that_row() {
        check("0 <= k < i < n and k < j < n", "k, i, j", "k, j", false);
        check("0 <= k < i < n and k < j < n", "k, i, j", "i, k", false);
    }

    #[test]
    fn all_rows_but_one_have_that_one_between_them() {
        check(
            "0 <= k < n and 0 <= i < n and i != k and 0 <= j < n",
            "k, i, j",
            "k, j",
            true,
        );
    }

    #[test]
    fn a_row_up_to_a_column_has_earlier_columns_in_it_over_the_loop_around() {
        check("0 <= k < i < n and k < j < n", "i, k, j", "i, k", true);
    }

    #[test]
    fn a_constant_distance_needs_no_check() {
        check("0 <= k < n and 0 < i < n and 0 <= j < n", "k, i, j", "i - 1, j", false);
    }
}
