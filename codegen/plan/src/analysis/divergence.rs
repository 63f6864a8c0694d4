//! How bounds of loops inside of lanes differ from lane to lane.
//!
//! In `for (i) for (j = 0; j < i; j++)` with lanes along `i`, the loop over `j` is *divergent*: its upper bound grows by one from lane to
//! lane. Code for it has iterations of all lanes, and others under masks, of which there are as many as the bounds of the first and
//! the last lane are apart (`emit/src/vector/divergent.rs`).

use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::{Row, dot};
use farkas_polyhedral::sets::Set;

use super::estimate::float;

/// For each loop along a direction in `inside`, by how many iterations its bounds move from lane to lane, where lanes are along `along`: all
/// bounds together, those of all pieces of the domain. `None` if a bound moves by a fraction, if it depends on several of the loops, or if
/// a bound is the greatest or the least of some of which one grows and another one shrinks.
pub(crate) fn slopes(domain: &Set, along: &Row, inside: &[Row]) -> Option<Vec<f64>> {
    let first = 1 + domain.params().len();
    let n = domain.tuple().n();
    let mut slopes = vec![0.0; inside.len()];
    for piece in domain.pieces() {
        if piece.n_vars() != first - 1 + n {
            return None;
        }
        // The moves of the bounds below and above of each loop.
        let mut bounds: Vec<[Int; 2]> = vec![[Int::ZERO, Int::ZERO]; inside.len()];
        let rows = piece.eqs().iter().map(|row| (row, true));
        for (row, is_equality) in rows.chain(piece.ineqs().iter().map(|row| (row, false))) {
            let dims: Row = Row::from(&row[first..first + n]);
            let lane = dot(&dims, along);
            let moves = inside.iter().map(|direction| dot(&dims, direction)).enumerate();
            let mut moves = moves.filter(|(_, by)| !by.is_zero());
            let Some((position, by)) = moves.next().filter(|_| !lane.is_zero()) else {
                continue;
            };
            if is_equality || moves.next().is_some() || !by.abs().is_one() {
                return None;
            }
            let bound = &mut bounds[position][usize::from(by.is_neg())];
            let slope = match by.is_neg() {
                true => lane,
                false => -&lane,
            };
            if !bound.is_zero() && bound.is_neg() != slope.is_neg() {
                return None;
            }
            if slope.abs() > bound.abs() {
                *bound = slope;
            }
        }
        for (slope, [below, above]) in slopes.iter_mut().zip(&bounds) {
            *slope += float(below).abs() + float(above).abs();
        }
    }
    Some(slopes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use farkas_polyhedral::linalg::zeros;

    /// The slopes of the loops over the other dimensions, with lanes along the first one.
    fn check(domain: &str, expected: Expect) {
        let domain: Set = domain.parse().expect("a set");
        let n = domain.tuple().n();
        let direction = |dim: usize| {
            let mut row = zeros(n);
            row[dim] = Int::ONE;
            row
        };
        let inside: Vec<Row> = (1..n).map(direction).collect();
        let found = slopes(&domain, &direction(0), &inside);
        expected.assert_eq(&format!("{found:?}"));
    }

    #[test]
    fn bounds_that_are_the_same_have_no_slope() {
        check("[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }", expect!["Some([0.0])"]);
    }

    #[test]
    fn both_ends_of_a_loop_count() {
        check("[n] -> { S[i, j] : 0 <= i < n and 0 <= j < i }", expect!["Some([1.0])"]);
        check(
            "[n] -> { S[i, j] : 0 <= i < n and i <= j < n - 2i }",
            expect!["Some([3.0])"],
        );
    }

    #[test]
    fn both_sides_of_a_hole_count() {
        check(
            "[n] -> { S[i, j] : 0 <= i < n and (0 <= j < i or i < j < n) }",
            expect!["Some([2.0])"],
        );
    }

    #[test]
    fn triangles_inside_of_triangles() {
        check(
            "[n] -> { S[i, j, k] : 0 <= i < n and 0 <= j < i and 0 <= k < j }",
            expect!["Some([1.0, 0.0])"],
        );
        check(
            "[n] -> { S[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < i - j }",
            expect!["None"],
        );
    }

    #[test]
    fn bounds_that_move_both_ways_or_by_fractions_have_none() {
        check(
            "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < i and j < n - i }",
            expect!["None"],
        );
        check("[n] -> { S[i, j] : 0 <= i < n and 0 <= 2j < i }", expect!["None"]);
    }
}
