//! Lanes and jammed iterations right inside of others, which are asked about together.

use super::{COPY, Expect, PRODUCT, check, expect};

/// `[first] { mark [second] { [inside] } }` over the statement of the product.
fn product(first: &str, mark: &str, second: &str, inside: &str) -> String {
    let band = |function: &str| format!("schedule: \"[n] -> [{{ S[i, j] -> [({function})] }}]\"\n");
    let inside = match inside {
        "" => String::new(),
        function => format!("    child:\n      {}", band(function)),
    };
    format!(
        "{}child:\n  mark: \"{mark}\"\n  child:\n    {}{inside}",
        band(first),
        band(second)
    )
}

fn check_product(outer: &str, loops: [&str; 3], inner: &str, expected: Expect) {
    let [first, second, inside] = loops;
    check(PRODUCT, outer, &product(first, inner, second, inside), expected);
}

#[test]
fn several_vectors_of_rows_are_side_by_side() {
    check_product("jam(2)", ["floor(i/8)", "i", "j"], "vector(8)", expect!["legal"]);
}

#[test]
fn several_vectors_have_copies_of_a_scalar() {
    let loops = |private: &str| {
        format!(
            r#"
schedule: "[n] -> [{{ S[i, j] -> [(floor(i/8))]; T[i, j] -> [(floor(i/8))] }}]"
child:
  mark: "vector(8{private})"
  child:
    schedule: "[n] -> [{{ S[i, j] -> [(i)]; T[i, j] -> [(i)] }}, {{ S[i, j] -> [(j)]; T[i, j] -> [(j)] }}]"
    child:
      sequence:
      - filter: "{{ S[i, j] }}"
      - filter: "{{ T[i, j] }}"
"#
        )
    };
    check(COPY, "jam(2, private t)", &loops(", private t"), expect!["legal"]);
    check(
        COPY,
        "jam(2, private t)",
        &loops(""),
        expect![
            "mark vector(8): iterations share elements of t: [n] -> { S[i, j] -> S[i', j'] : exists (e0: i < i' < n and n > 0 and -7 + i <= 8e0 <= i and 0 <= i < n and 0 <= j < n and -7 + i' <= 8e0 <= i' and i' >= 0 and 0 <= j' < n); S[i, j] -> T[i', j'] : exists (e0: i < i' < n and n > 0 and -7 + i <= 8e0 <= i and 0 <= i < n and 0 <= j < n and -7 + i' <= 8e0 <= i' and i' >= 0 and 0 <= j' < n); T[i, j] -> S[i', j'] : exists (e0: i < i' < n and n > 0 and -7 + i <= 8e0 <= i and 0 <= i < n and 0 <= j < n and -7 + i' <= 8e0 <= i' and i' >= 0 and 0 <= j' < n) }"
        ],
    );
    check(
        COPY,
        "jam(2)",
        &loops(", private t"),
        expect![
            "mark jam(2): iterations share elements of t: [n] -> { S[i, j] -> S[i', j'] : i < i' < n and n > 0 and 0 <= i < n and 0 <= j < n and i' >= 0 and 0 <= j' < n and i' >= 8 + 8*floor((i)/8); S[i, j] -> T[i', j'] : i < i' < n and n > 0 and 0 <= i < n and 0 <= j < n and i' >= 0 and 0 <= j' < n and i' >= 8 + 8*floor((i)/8); T[i, j] -> S[i', j'] : i < i' < n and n > 0 and 0 <= i < n and 0 <= j < n and i' >= 0 and 0 <= j' < n and i' >= 8 + 8*floor((i)/8) }"
        ],
    );
}

#[test]
fn a_sum_is_a_race_in_whichever_loop_it_is() {
    check_product(
        "jam(4)",
        ["i", "j", ""],
        "vector(8)",
        expect![
            "mark jam(4): iterations share elements of s: [n] -> { S[i, j] -> S[i' = i, j'] : j < j' < n and n > 0 and 0 <= i < n and 0 <= j < n and j' >= 0 }"
        ],
    );
    check_product(
        "jam(4)",
        ["j", "i", ""],
        "vector(8)",
        expect![
            "mark jam(4): iterations share elements of s: [n] -> { S[i, j] -> S[i' = i, j'] : j < j' < n and n > 0 and 0 <= i < n and 0 <= j < n and j' >= 0 }"
        ],
    );
    check_product(
        "jam(2)",
        ["floor(j/8)", "j", "i"],
        "vector(8)",
        expect![
            "mark jam(2): iterations share elements of s: [n] -> { S[i, j] -> S[i' = i, j'] : j < j' < n and n > 0 and 0 <= i < n and 0 <= j < n and j' >= 0 }"
        ],
    );
}
