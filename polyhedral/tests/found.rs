//! What random operands and fuzzing have found: each a small test that it stays mended.

use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Map, Set, UnionMap};

fn set(text: &str) -> Set {
    text.parse().expect(text)
}

fn map(text: &str) -> Map {
    text.parse().expect(text)
}

fn check_round_trip(text: &str) {
    let original = set(text);
    let printed = original.to_string();
    let budget = Budget::new(1_000_000);
    assert_eq!(set(&printed).is_equal(&original, &budget), Ok(true), "{printed}");
}

/// An entry of a tuple is outside of the scope of what `exists` binds.
#[test]
fn tuples_are_printed_without_locals() {
    check_round_trip("{ A[x] : -4 <= x <= 4 and exists (e: 3x <= 4e and 4e <= 3x + 2) }");
}

/// That there is no value at all turns out only when the locals of the context are gone.
#[test]
fn contexts_may_turn_out_to_be_empty() {
    let budget = Budget::new(1_000_000);
    let context = set("{ A[x] : -4 <= x <= 4 and exists (e: x <= 4e and 4e <= x + 12 and e <= 0 and x >= 1) }");
    let relation = map("{ A[i] -> [o] : -4 <= i <= 4 and o = i }");
    let gist = relation.gist_domain(&context, &budget).expect("enough budget");
    let within = |m: &Map| m.intersect_domain(&context);
    assert_eq!(within(&gist).is_equal(&within(&relation), &budget), Ok(true));
}

/// When a parametric search enumerates, the slack of a cut is no constraint that it could fix.
#[test]
fn cuts_are_not_enumerated() {
    let images = map("{ A[i, j] -> [x, y] : -4 <= i <= 4 and j = 0 and -4 <= x <= 4 and -2 <= y <= 2 }");
    let others = map("{ C[] -> [x, y] : -4 <= x <= 4 and -2 <= y <= 2 and \
         exists (e: -3x + y <= 5e and 5e <= -3x + y + 7 and -y - e - 2*((e + 8) mod 5) >= 0) }");
    let budget = Budget::new(20_000_000);
    let smaller = images.lex_le_map(&others, &budget).expect("enough budget");
    assert_eq!(smaller.is_empty(&budget), Ok(false));
}

/// The projection of what parametric cuts do not come to an end on goes to the Omega test.
#[test]
fn projections_end_where_cuts_do_not() {
    let budget = Budget::new(3_000_000);
    let all = set(
        "{ [a, x, b, c] : b = x - 3*floor((-x)/3) + 2*floor((2x + 2*floor((-x)/3))/3) and \
         a <= x + c and a <= -2*floor((-x)/3) and -4 <= x <= 4 }",
    );
    let projection = all.project_out(1, 1, &budget).expect("enough budget");
    let explicit = projection.explicit(&budget).expect("enough budget");
    let is_image = |a: i64, b: i64, c: i64| {
        (-4..=4).any(|x: i64| {
            let third = (-x).div_euclid(3);
            b == x - 3 * third + 2 * (2 * x + 2 * third).div_euclid(3) && a <= x + c && a <= -2 * third
        })
    };
    for (a, b, c) in (-5..=5).flat_map(|a| (-12..=12).flat_map(move |b| (-3..=3).map(move |c| (a, b, c)))) {
        let found = explicit
            .contains(&[], &[a, b, c].map(Int::from), &budget)
            .expect("enough budget");
        assert_eq!(found, is_image(a, b, c), "{a} {b} {c}");
    }
}

/// One conjunction has the stride by its division, another by `p = 0`.
#[test]
fn common_strides_are_in_the_affine_hull() {
    let budget = Budget::new(1_000_000);
    let union = set("[p] -> { [x, y] : p - ((2y - 6) mod 4) = 0 or p = 0 }");
    let hull = union.affine_hull(&budget).expect("enough budget");
    assert_eq!(
        hull.is_equal(&set("[p] -> { [x, y] : p mod 2 = 0 }"), &budget),
        Ok(true),
        "{hull}"
    );
}

/// As in [`UnionMap::deltas`], `y - x` is asked for where `x` and `y` are of one tuple.
#[test]
fn differences_are_those_of_one_tuple() {
    let union: UnionMap = "{ A[i] -> A[j]; A[i] -> B[j]; [i] -> B[j] }".parse().expect("a union");
    assert_eq!(union.deltas_map().maps().count(), 1);
}
