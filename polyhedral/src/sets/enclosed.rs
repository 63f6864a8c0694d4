//! Points that every conjunction has that contains two others.
//!
//! Two conjunctions P and Q are no single one if such a point is in neither. A point is in all of them
//!
//! - if it is halfway between an integer point of P and one of Q;
//! - if it is reached from a point of one in a direction in which the other has no end.
//!
//! Whoever merges conjunctions leaves out constraints with large coefficients, such as it takes to cut off what is reached in a
//! direction in which the other ends far away only. So that is as good as no end.
//!
//! For example (1, 1) is halfway between `{ (0, 0) }` and `{ (2, 2) }`. In `{ (i, j) : i <= 0 }` and `{ (i, j) : i = 1 and j <= 0 }`,
//! (1, 5) is reached from (1, 0) in the direction (0, 1), in which the former has no end, and is in neither.
//!
//! The points are guessed: where none is found, there may be one.

use super::conj::Conj;
use super::guess::{Rows, numbers};
use crate::budget::{Budget, Outcome};
use crate::linalg::Row;

/// Who ends with such a constant ends far away.
const FAR: i64 = 1 << 20;

/// Nearly all points that are found are found after so many steps.
const STEPS: usize = 12;

/// Whether a point is found that all conjunctions have that contain both of these, which are without divisions, and at which both
/// rows are negative.
pub(super) fn is_enclosed(both: [&Conj; 2], outside: [&Row; 2], b: &Budget) -> Outcome<bool> {
    b.spend(STEPS as u64)?;
    let [Some(p), Some(q)] = both.map(Rows::of) else {
        return Ok(false);
    };
    let found = |from: &Rows, other: &Rows, reached: Reached| is_found(from, other, outside, reached).unwrap_or(false);
    Ok(found(&p, &q, Reached::Halfway) || found(&p, &q, Reached::Along) || found(&q, &p, Reached::Along))
}

/// How a point is reached from one in a first conjunction.
#[derive(Clone, Copy)]
enum Reached {
    /// It is halfway to a point of the other one.
    Halfway,
    /// In a direction in which the other one does not end.
    Along,
}

/// Whether such a point is found; `None` if numbers are too large to look for it. It is looked for together with the point of the
/// first conjunction: columns are those of the latter and its own.
fn is_found(from: &Rows, other: &Rows, outside: [&Row; 2], reached: Reached) -> Option<bool> {
    let width = outside[0].len();
    // The other end is twice the point less the first one; a direction is the point less the first one.
    let beyond = |row| match reached {
        Reached::Halfway => over(row, [1, -1, 2]),
        Reached::Along => over(row, [0, -1, 1]),
    };
    let mut rows = Rows::new(2 * width - 1);
    for (_, row) in from.iter().filter(|(is_eq, _)| *is_eq) {
        rows.add_eq(over(row, [1, 1, 0]))?;
    }
    for (_, row) in other.iter().filter(|(is_eq, _)| *is_eq) {
        rows.add_eq(beyond(row))?;
    }
    for row in outside {
        // Less than zero.
        let row: Vec<i64> = numbers(row).collect::<Option<_>>()?;
        let mut negative = over(&row, [-1, 0, -1]);
        let constant = negative.next().flatten().and_then(|c| c.checked_sub(1));
        rows.add_ineq([constant].into_iter().chain(negative))?;
    }
    for (_, row) in from.iter().filter(|(is_eq, _)| !is_eq) {
        rows.add_ineq(over(row, [1, 1, 0]))?;
    }
    let is_far = |row: &[i64]| matches!(reached, Reached::Along) && row[0].abs() >= FAR;
    for (_, row) in other.iter().filter(|(is_eq, row)| !is_eq && !is_far(row)) {
        rows.add_ineq(beyond(row))?;
    }
    Some(rows.have_point(STEPS))
}

/// A row for the two points: with these factors for the constant, for the first point, and for the one that is looked for.
fn over(row: &[i64], [constant, first, point]: [i64; 3]) -> impl Iterator<Item = Option<i64>> + '_ {
    let columns = |factor: i64| row[1..].iter().map(move |x| x.checked_mul(factor));
    std::iter::once(row[0].checked_mul(constant))
        .chain(columns(first))
        .chain(columns(point))
}

#[cfg(test)]
mod tests {
    use super::is_enclosed;
    use crate::budget::Budget;
    use crate::sets::{Conj, Set};

    fn conj(text: &str) -> Conj {
        let set: Set = text.parse().expect("a set");
        let [piece] = set.pieces() else {
            panic!("one conjunction")
        };
        piece.clone()
    }

    /// Both rows are the only inequalities of two further sets.
    fn check(both: [&str; 2], outside: [&str; 2], expected: bool) {
        let (both, outside) = (both.map(conj), outside.map(conj));
        let found = is_enclosed(
            both.each_ref(),
            outside.each_ref().map(|row| &row.ineqs[0]),
            &Budget::new(1_000),
        );
        assert_eq!(found, Ok(expected));
    }

    #[test]
    fn points_that_are_in_all_that_contain_both() {
        // (1, 1) is halfway.
        check(
            ["{ [i, j] : i = 0 and j = 0 }", "{ [i, j] : i = 2 and j = 2 }"],
            ["{ [i, j] : i <= 0 }", "{ [i, j] : i >= 2 }"],
            true,
        );
        // One after the other.
        check(
            ["{ [i] : 0 <= i <= 3 }", "{ [i] : 4 <= i <= 8 }"],
            ["{ [i] : i <= 3 }", "{ [i] : i >= 4 }"],
            false,
        );
        // (1, 1) is above (1, 0), and the first has no end there, or one that is far away.
        for end in ["", "and j <= 2000000"] {
            check(
                [&format!("{{ [i, j] : i <= 0 {end} }}"), "{ [i, j] : i = 1 and j <= 0 }"],
                ["{ [i, j] : i <= 0 }", "{ [i, j] : j <= 0 }"],
                true,
            );
        }
        // With an end that is near, `i + j <= 1` cuts it off.
        check(
            ["{ [i, j] : i = 0 and 0 <= j <= 1 }", "{ [i, j] : i = 1 and j = 0 }"],
            ["{ [i, j] : i <= 0 }", "{ [i, j] : j <= 0 }"],
            false,
        );
    }
}
