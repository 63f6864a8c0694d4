//! Consecutivity: a schedule under which accesses step through memory (P3).
//!
//! An access is *consecutive* along a loop if each iteration accesses the next element. Interchange tries all members of a band as
//! the innermost loop. Where each of them goes from row to row, the schedule needs other members. In
//!
//! ```text
//! for (i)
//!   for (j) D[i + j][i] = f(D[i + j - 1][i], D[i + j - 1][i - 1]);
//! ```
//!
//! `D` has a diagonal of a table in each row. The scheduler's band is `[i, j]`, and a step along either of the two goes to another row of
//! `D`. The accesses have the *reference* `(i + j | i)`: a loop is consecutive if the outer subscript `i + j` stays while the inner one
//! `i` takes a step. A schedule that serves it has the members `[i + j, i]`:
//!
//! ```text
//! for (d)
//!   for (i) D[d][i] = f(D[d - 1][i], D[d - 1][i - 1]);      the loop over i is parallel, too
//! ```
//!
//! The scheduler is asked for such a schedule only where a direction along which some access is consecutive is none of the loops that
//! may be innermost, and more accesses are consecutive along it, or stay, than along any of these.

use crate::analysis::levels::{self, Level};
use crate::analysis::linear::{LinearStatement, Statements, Stride, direction, linear_part};
use crate::transform::{band_at, innermost_bands};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::{Matrix, Row, dot, kernel};
use farkas_polyhedral::program::Program;
use farkas_polyhedral::schedule::ScheduleConstraints;
use farkas_polyhedral::schedule::consecutivity::{Reference, composed_references};
use farkas_polyhedral::sets::Tuple;
use farkas_polyhedral::tree::{Band, Tree};
use std::cmp::Reverse;

/// The most references of a statement that are asked for: those that serve most accesses come first.
const MOST_REFERENCES: usize = 4;

/// The constraints with the references of all accesses, where another schedule than the tree may make more of them consecutive.
pub(crate) fn with_references(
    tree: &Tree,
    program: &Program,
    statements: &Statements,
    constraints: &ScheduleConstraints,
) -> Option<ScheduleConstraints> {
    if unserved(tree, program, statements) == 0 {
        return None;
    }
    let references = statements.iter().flat_map(|(tuple, statement)| {
        let references = references(statement).into_iter();
        references.map(|reference| (tuple.clone(), reference))
    });
    Some(ScheduleConstraints {
        intra_consecutivity: references.collect(),
        ..constraints.clone()
    })
}

/// How many statements have more accesses that are consecutive along another direction than along all loops that may be innermost.
pub(crate) fn unserved(tree: &Tree, program: &Program, statements: &Statements) -> usize {
    let Some(levels) = levels::of_tree(tree, program) else {
        return 0;
    };
    let bands = innermost_bands(tree);
    let band_of = |tuple: &Tuple| {
        let own = |band: &&Band| band.statements().any(|own| own == tuple);
        bands.iter().map(|path| band_at(tree, path)).find(own)
    };
    let is_unserved = |tuple: &&Tuple| {
        band_of(tuple).is_some_and(|band| {
            let n_innermost = if band.permutable { band.n() } else { 1 };
            is_unserved(&statements[*tuple], &levels[*tuple], n_innermost)
        })
    };
    statements.keys().filter(is_unserved).count()
}

/// Whether more accesses of a statement are served along another direction than along all loops that may be innermost: the last
/// `n_innermost` ones and those that carry nothing.
fn is_unserved(statement: &LinearStatement, levels: &[Level], n_innermost: usize) -> bool {
    // Loops that run once have no direction.
    if statement.extent() < statement.depth || statement.depth < 2 {
        return false;
    }
    let rows: Option<Vec<Row>> = levels.iter().map(|level| linear_part(&level.point)).collect();
    let Some(rows) = rows else { return false };
    let first = levels.len().saturating_sub(n_innermost);
    let loops = (0..levels.len()).filter(|k| *k >= first || levels[*k].coincident);
    let reached = loops.filter_map(|k| direction(&rows, k, statement.depth));
    let most = reached
        .map(|direction| served(statement, &direction))
        .max()
        .unwrap_or(0);
    let single = consecutive_directions(statement);
    let composed = references(statement);
    let composed = composed
        .iter()
        .filter_map(|reference| last_step(reference, statement.depth));
    single
        .chain(composed)
        .any(|direction| served(statement, &direction) > most)
}

/// How many accesses step to the next element along a direction, or stay.
fn served(statement: &LinearStatement, direction: &Row) -> usize {
    let accesses = statement.accesses.iter();
    accesses
        .filter(|access| access.stride(direction) != Stride::Other)
        .count()
}

/// The references of a statement, those first that serve most of its accesses along the innermost loop: `x[i] * y[j]` counts for less
/// than five accesses to a table.
fn references(statement: &LinearStatement) -> Vec<Reference> {
    let mut references = composed_references(&linear_parts(statement));
    references.sort_by_cached_key(|reference| {
        let step = last_step(reference, statement.depth);
        Reverse(step.map_or(0, |step| served(statement, &step)))
    });
    references.truncate(MOST_REFERENCES);
    references
}

/// The directions along which an access is consecutive, for those of which the outer subscripts leave one.
fn consecutive_directions(statement: &LinearStatement) -> impl Iterator<Item = Row> {
    statement.accesses.iter().filter_map(|access| {
        let (last, outer) = access.subscripts()?.split_last()?;
        let step = only_step(outer.to_vec(), statement.depth)?;
        (dot(last, &step).abs() == Int::ONE).then_some(step)
    })
}

/// The direction of the innermost loop under a schedule that serves a reference.
fn last_step(reference: &Reference, n_dims: usize) -> Option<Row> {
    let inner = reference.inner().split_last().map_or(&[][..], |(_, rest)| rest);
    only_step(reference.outer().iter().chain(inner).cloned().collect(), n_dims)
}

/// The direction in which these rows stay, if there is one only.
fn only_step(rows: Vec<Row>, n_dims: usize) -> Option<Row> {
    let mut steps = kernel(&Matrix::new(rows, n_dims)).rows;
    steps.pop().filter(|_| steps.is_empty())
}

/// The subscripts of a statement's accesses to arrays that may be consecutive, by array: `x[16 * i]` is not along any loop.
fn linear_parts(statement: &LinearStatement) -> Vec<(usize, Matrix)> {
    let mut arrays: Vec<&Tuple> = Vec::new();
    let mut parts: Vec<(usize, Matrix)> = Vec::new();
    for access in &statement.accesses {
        let steps_by_one = |row: &Row| row.iter().fold(Int::ZERO, |all, c| all.gcd(c)) <= Int::ONE;
        let subscripts = access.subscripts().filter(|all| all.last().is_some_and(steps_by_one));
        let Some(subscripts) = subscripts else { continue };
        let known = arrays.iter().position(|array| **array == access.array);
        let array = known.unwrap_or_else(|| {
            arrays.push(&access.array);
            arrays.len() - 1
        });
        let part = (array, Matrix::new(subscripts.to_vec(), statement.depth));
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    // Accesses to an array are side by side.
    parts.sort_by_key(|(array, _)| *array);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::linear;
    use crate::dependences::{ByArray, Order};
    use crate::schedules::{consecutive, scheduled};
    use expect_test::{Expect, expect};
    use farkas_polyhedral::budget::Budget;
    use farkas_polyhedral::check::Verdict;
    use farkas_polyhedral::schedule::Groups;

    /// The references that are asked for, and the bands of the schedule that serves them.
    fn check(statement: &str, expected: Expect) {
        let text = format!(
            "program\n  context: [n] -> {{ : n > 0 }}\n  assumptions: [n] -> {{ : }}\n  array A: memory, 8 bytes, [][n]
  array B: memory, 8 bytes, [][n]\n  array x: memory, 8 bytes, []\n  statement S\n{statement}"
        );
        let program: Program = text.parse().unwrap_or_else(|error| panic!("{error}"));
        let b = Budget::unlimited();
        let dependences = ByArray::of(&program, &b).unwrap();
        let order = Order::fixed(&program, &program.assumptions, &dependences, &b).unwrap();
        let tree = scheduled(&order.constraints, &Groups::default(), &b).unwrap();
        let statements = linear::statements(&program);
        let asked = with_references(&tree, &program, &statements, &order.constraints);
        let text = match asked {
            None => "nothing is asked for\n".to_owned(),
            Some(asked) => {
                let constraints = asked.to_string();
                let references = constraints.lines().filter(|line| line.starts_with("intra"));
                let references: Vec<&str> = references.collect();
                let trees = consecutive(&asked, |tree| unserved(tree, &program, &statements), &b).unwrap();
                for tree in &trees {
                    assert!(matches!(order.check(tree, &b).unwrap(), Verdict::Legal));
                }
                let trees: Vec<String> = trees.iter().map(ToString::to_string).collect();
                format!("{}\n{}", references.join("\n"), trees.join("\n"))
            }
        };
        expected.assert_eq(&text);
    }

    #[test]
    fn a_table_by_diagonals() {
        check(
            "    domain: [n] -> { S[i, j] : 0 < i < n and 0 < j < n }
    schedule: { S[i, j] -> [i, j] }
    read: [n] -> { S[i, j] -> A[i + j - 1, i] }
    read: [n] -> { S[i, j] -> A[i + j - 1, i - 1] }
    write: [n] -> { S[i, j] -> A[i + j, i] }
",
            expect![[r#"
                intra_consecutivity: "([n] -> { S[i, j] -> [[(i + j)] -> [(i)]] })"
                domain: "[n] -> { S[i, j] : 0 < i < n and 0 < j < n }"
                child:
                  schedule: "[n] -> [{ S[i, j] -> [(i + j)] }]"
                  permutable: 1
                  child:
                    schedule: "[n] -> [{ S[i, j] -> [(i)] }]"
                    permutable: 1
                    coincident: [ 1 ]

                domain: "[n] -> { S[i, j] : 0 < i < n and 0 < j < n }"
                child:
                  schedule: "[n] -> [{ S[i, j] -> [(i + j)] }, { S[i, j] -> [(i)] }]"
                  permutable: 1
            "#]],
        );
    }

    #[test]
    fn a_table_by_diagonals_beside_vectors() {
        check(
            "    domain: [n] -> { S[i, j] : 0 < i < n and 0 < j < n }
    schedule: { S[i, j] -> [i, j] }
    read: [n] -> { S[i, j] -> x[i] }
    read: [n] -> { S[i, j] -> B[0, j] }
    read: [n] -> { S[i, j] -> A[i + j - 1, i] }
    write: [n] -> { S[i, j] -> A[i + j, i] }
",
            expect![[r#"
                intra_consecutivity: "([n] -> { S[i, j] -> [[(i + j)] -> [(i)]] }, [n] -> { S[i, j] -> [[(i + j)] -> [(i)]] }, [n] -> { S[i, j] -> [[] -> [(i), (j)]] }, [n] -> { S[i, j] -> [[] -> [(i)]] })"
                domain: "[n] -> { S[i, j] : 0 < i < n and 0 < j < n }"
                child:
                  schedule: "[n] -> [{ S[i, j] -> [(i + j)] }, { S[i, j] -> [(i)] }]"
                  permutable: 1
                  coincident: [ 0, 1 ]
            "#]],
        );
    }

    #[test]
    fn steps_of_several_elements_are_not_consecutive() {
        check(
            "    domain: [n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }
    schedule: { S[i, j] -> [i, j] }
    read: [n] -> { S[i, j] -> x[16i] }
    read: [n] -> { S[i, j] -> A[i + j, i] }
    write: [n] -> { S[i, j] -> B[i + j, i] }
",
            expect![[r#"
                intra_consecutivity: "([n] -> { S[i, j] -> [[(i + j)] -> [(i)]] }, [n] -> { S[i, j] -> [[(i + j)] -> [(i)]] }, [n] -> { S[i, j] -> [[(i + j)] -> [(i)]] })"
                domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }"
                child:
                  schedule: "[n] -> [{ S[i, j] -> [(i + j)] }, { S[i, j] -> [(i)] }]"
                  permutable: 1
                  coincident: [ 1, 1 ]
            "#]],
        );
    }

    #[test]
    fn interchange_is_enough_for_a_matrix_product() {
        check(
            "    domain: [n] -> { S[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }
    schedule: { S[i, j, k] -> [i, j, k] }
    read: [n] -> { S[i, j, k] -> A[i, k] }
    read: [n] -> { S[i, j, k] -> A[k, j] }
    read: [n] -> { S[i, j, k] -> B[i, j] }
    write: [n] -> { S[i, j, k] -> B[i, j] }
",
            expect![[r#"
                nothing is asked for
            "#]],
        );
    }

    #[test]
    fn a_matrix_by_diagonals_times_a_vector() {
        check(
            "    domain: [n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }
    schedule: { S[i, j] -> [i, j] }
    read: [n] -> { S[i, j] -> x[i] }
    read: [n] -> { S[i, j] -> A[j - i + n, i] }
    write: [n] -> { S[i, j] -> x[i] }
",
            expect![[r#"
                intra_consecutivity: "([n] -> { S[i, j] -> [[(-i + j)] -> [(i)]] }, [n] -> { S[i, j] -> [[(-i + j)] -> [(i)]] }, [n] -> { S[i, j] -> [[] -> [(i)]] })"
                domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }"
                child:
                  schedule: "[n] -> [{ S[i, j] -> [(-i + j)] }, { S[i, j] -> [(i)] }]"
                  permutable: 1
                  coincident: [ 0, 1 ]
            "#]],
        );
    }

    #[test]
    fn a_table_of_intervals_by_their_lengths() {
        check(
            "    domain: [n] -> { S[l, i, k] : 0 < l < n and 0 <= i < n - l and i <= k < i + l }
    schedule: { S[l, i, k] -> [l, i, k] }
    read: [n] -> { S[l, i, k] -> A[i, i + l] }
    read: [n] -> { S[l, i, k] -> A[i, k] }
    read: [n] -> { S[l, i, k] -> A[k + 1, i + l] }
    read: [n] -> { S[l, i, k] -> x[i] }
    write: [n] -> { S[l, i, k] -> A[i, i + l] }
",
            expect![[r#"
                intra_consecutivity: "([n] -> { S[l, i, k] -> [[] -> [(i), (k), (l + i)]] }, [n] -> { S[l, i, k] -> [[(i)] -> [(k), (l + i)]] }, [n] -> { S[l, i, k] -> [[] -> [(i)]] })"
                domain: "[n] -> { S[l, i, k] : 0 < l < n and 0 <= i < n - l and i <= k < l + i }"
                child:
                  schedule: "[n] -> [{ S[l, i, k] -> [(-i)] }, { S[l, i, k] -> [(l)] }]"
                  permutable: 1
                  child:
                    schedule: "[n] -> [{ S[l, i, k] -> [(k)] }]"
                    permutable: 1

                domain: "[n] -> { S[l, i, k] : 0 < l < n and 0 <= i < n - l and i <= k < l + i }"
                child:
                  schedule: "[n] -> [{ S[l, i, k] -> [(-i)] }]"
                  permutable: 1
                  child:
                    schedule: "[n] -> [{ S[l, i, k] -> [(k)] }, { S[l, i, k] -> [(l)] }]"
                    permutable: 1
            "#]],
        );
    }
}
