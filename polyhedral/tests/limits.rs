//! Inputs at the edge of what is sensible: large numbers, long and deep texts, many conjunctions. None of them may panic,
//! overflow a stack, or take time out of proportion.

use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::sets::Set;

fn set(text: &str) -> Set {
    text.parse().unwrap_or_else(|error| panic!("{text:.80}: {error}"))
}

fn check_empty(text: &str, empty: bool) {
    assert_eq!(set(text).is_empty(&Budget::new(1_000_000)), Ok(empty), "{text}");
}

#[test]
fn guesses_do_not_overflow() {
    check_empty("{ [x, y] : x >= 576460752303423488 and 3y >= 1000000x }", false);
    check_empty(
        "{ [x, y] : x >= 576460752303423488 and 3y >= 1000000x and y <= 100000x }",
        true,
    );
    check_empty(
        "{ [x, y] : x >= 8589934591 and 1000003 * floor((1000000x + y)/1000001) >= 1000004x }",
        false,
    );
}

#[test]
fn guesses_of_many_variables_do_not_overflow() {
    let names: Vec<String> = (0..300).map(|i| format!("x{i}")).collect();
    let bounds: Vec<String> = names.iter().map(|x| format!("{x} >= 8589934000")).collect();
    let sum: Vec<String> = names.iter().map(|x| format!("1000000{x}")).collect();
    let text = |op| {
        format!(
            "{{ [{}] : {} and {} {op} 0 }}",
            names.join(", "),
            bounds.join(" and "),
            sum.join(" + ")
        )
    };
    check_empty(&text(">="), false);
    check_empty(&text("<="), true);
}

#[test]
fn long_expressions_are_not_deep() {
    let sum = vec!["i"; 100_000].join(" + ");
    let b = Budget::new(1_000_000);
    assert_eq!(
        set(&format!("{{ [i] : {sum} = 100000 }}")).is_equal(&set("{ [1] }"), &b),
        Ok(true)
    );
    let product = "1 * ".repeat(100_000);
    assert_eq!(
        set(&format!("{{ [i] : {product} i = 1 }}")).is_equal(&set("{ [1] }"), &b),
        Ok(true)
    );
}

#[test]
fn deep_texts_are_refused() {
    for (open, close) in [
        ("(", ")"),
        ("max(1, ", ")"),
        ("-", ""),
        ("(1 ? 2 : ", ")"),
        ("[", "]"),
        ("(not ", ")"),
    ] {
        let text = format!("{{ [i] : 0 <= {}i{} }}", open.repeat(100_000), close.repeat(100_000));
        let error = text.parse::<Set>().expect_err("a deep text");
        assert_eq!(error.message, "nested too deeply", "{open}");
    }
}

#[test]
fn chains_of_operators_go_from_left_to_right() {
    let b = Budget::new(1_000_000);
    for (text, same) in [
        ("{ [i, 7i mod 4 * 2 - 3] }", "{ [i, j] : j = 2 * ((7i) mod 4) - 3 }"),
        ("{ [10 - 3 - 2] }", "{ [5] }"),
        ("{ [i] : i / 2 / 3 = 1 }", "{ [6] }"),
        ("{ [2(1 + 2) * 3] }", "{ [18] }"),
        ("{ [i, j] : j = -2i % 3 }", "{ [i, j] : j = (-2i) mod 3 }"),
    ] {
        assert_eq!(set(text).is_equal(&set(same), &b), Ok(true), "{text}");
    }
}

/// `{ [0]; [2]; .. }` with `n` elements, a conjunction each.
fn evens(n: usize) -> Set {
    let pieces: Vec<String> = (0..n).map(|k| format!("[{}]", 2 * k)).collect();
    set(&format!("{{ {} }}", pieces.join("; ")))
}

#[test]
fn products_of_many_conjunctions() {
    let square = evens(60).product(&evens(60));
    assert_eq!(square.pieces().len(), 3600);
    assert_eq!(square.union(&square).pieces().len(), 3600);
}

#[test]
fn a_subset_of_many_conjunctions() {
    let (b, all) = (Budget::new(100_000_000), evens(3000));
    let even = set("{ [i] : 0 <= i < 6000 and i mod 2 = 0 }");
    assert_eq!(even.is_subset(&all, &b), Ok(true));
    assert_eq!(
        set("{ [i] : 0 <= i < 6000 and i mod 2 = 1 }").is_disjoint(&all, &b),
        Ok(true)
    );
    assert_eq!(
        set("{ [i] : 0 <= i <= 6000 and i mod 2 = 0 }").is_subset(&all, &b),
        Ok(false)
    );
}

#[test]
fn one_pass_of_simplification_for_each_dimension() {
    let all = |part: &dyn Fn(usize) -> String, glue: &str| (0..90).map(part).collect::<Vec<_>>().join(glue);
    let dims = all(&|k| format!("i{k}, x{k}, y{k}"), ", ");
    let halves = all(&|k| format!("2x{k} <= i{k} <= 2x{k} + 1"), " and ");
    let floors = all(&|k| format!("floor(i{k}/2) >= y{k}"), " and ");
    let both = set(&format!("{{ [{dims}] : {halves} }}")).intersect(&set(&format!("{{ [{dims}] : {floors} }}")));
    assert_eq!(both.is_empty(&Budget::new(1_000_000)), Ok(false));
}

#[test]
fn affine_hulls_contain_the_set() {
    let b = Budget::new(1_000_000);
    for text in [
        "{ [i, j] : 0 <= i <= 9 and i <= j and 10j <= 11i; [i, j] : i = j and i = 18 }",
        "{ [i, j] : 0 <= i <= 9 and i >= j and 10j >= 9i + 1; [i, j] : i = j and i = 18 }",
        "{ [i, j] : 3 <= 7i - 9j + 3 <= 4 and 0 <= i <= 40 and 5j >= 3i; [0, 0] }",
    ] {
        let set = set(text);
        assert_eq!(set.is_subset(&set.affine_hull(&b).unwrap(), &b), Ok(true), "{text}");
    }
}

#[test]
fn a_singleton_has_at_most_one_element_for_each_parameter() {
    let b = Budget::new(1_000_000);
    for (text, is) in [
        ("{ [3] }", true),
        ("[p] -> { A[i] : i = 0 }", true),
        ("[p] -> { A[i] : 2i = p or (i = 1 and p = 2) }", true),
        ("[p] -> { A[i] : i = 0 or i = p }", false),
        ("{ [i] : exists a: 3a <= i <= 3a + 1 and 0 < i < 3 }", true),
        ("{ [i] : 0 <= i <= 1 }", false),
        ("{ A[] }", true),
        ("{ [i] : false }", true),
    ] {
        assert_eq!(set(text).is_singleton(&b), Ok(is), "{text}");
    }
}
