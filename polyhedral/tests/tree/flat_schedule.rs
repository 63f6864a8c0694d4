//! isl's `.in` files: a schedule relation, a context and options.

use expect_test::{Expect, expect};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::tree::{AnySchedule, FlatSchedule};

fn parse(text: &str) -> FlatSchedule {
    text.parse().unwrap_or_else(|e| panic!("{e} in\n{text}"))
}

/// What is printed, which is read as the same.
fn printed(text: &str, expected: Expect) {
    let flat = parse(text);
    expected.assert_eq(&flat.to_string());
    assert_eq!(parse(&flat.to_string()).to_string(), flat.to_string());
}

fn refused(text: &str, expected: Expect) {
    let error = text.parse::<FlatSchedule>().expect_err("not a flat schedule");
    expected.assert_eq(&error.to_string());
}

#[test]
fn three_texts_with_comments() {
    printed(
        "# c
[n] -> { S[i] -> [i, 0] : 0 <= i < n; # one { statement
         T[i] -> [i, 1] : 0 <= i < n }
{ : } [n] -> { [c, d] -> atomic[x] : x <= 0; [c, d] -> separation_class[[1] -> [0]] : c > 3
}
# the end }",
        expect![[r#"
            [n] -> { S[i] -> [(i), (0)] : 0 <= i < n; T[i] -> [(i), (1)] : 0 <= i < n }
            { : }
            [n] -> { [c, d] -> atomic[x] : x <= 0; [c, d] -> separation_class[[(1)] -> [(0)]] : c >= 4 }
        "#]],
    );
    printed(
        "{ A[] -> [] }{ : }{ }",
        expect![[r#"
            { A[] -> [] }
            { : }
            { }
        "#]],
    );
}

#[test]
fn positions_are_those_in_the_whole_text() {
    refused(
        "",
        expect!["1:1: expected the schedule, a relation, found the end of the text"],
    );
    refused(
        "{ A[] -> [] } { : }\n",
        expect!["2:1: expected the options, a relation, found the end of the text"],
    );
    refused(
        "{ A[] -> [] }\n { : }\n  { [] -> ",
        expect!["3:3: expected the options, a relation, up to its `}`"],
    );
    refused(
        "{ A[] -> [] }\n { : }\n  { } { }",
        expect!["3:7: expected the end of the text after the options"],
    );
    refused(
        "# c\n{ A[] }\n{ : }\n{ }",
        expect!["2:3: expected a relation, found a set"],
    );
    refused(
        "# c\n{ A[] -> [] }\n { : n > 0 }\n{ }",
        expect!["3:6: `n` is not a parameter, dimension or variable"],
    );
    refused(
        "{ A[] -> [] }\n{ [i] : i > 0 }\n{ }",
        expect!["2:1: expected a set of parameter values, the context"],
    );
    refused(
        "{ A[] -> [] }\n{ : }\n { [] -> unrolled[x] }",
        expect![
            "3:2: expected a relation to `atomic[x]`, `separate[x]`, `unroll[x]` or `separation_class[[x] -> [k]]`, found one to `unrolled[x]`"
        ],
    );
    refused(
        "{ A[] -> [0]; B[] -> [0, 1] }\n{ : }\n{ }",
        expect!["1:1: expected a schedule with points of one space, found `[i0]` and `[i0, i1]`"],
    );
}

#[test]
fn relations_and_trees_are_told_apart() {
    let check = |text: &str, expected: &str| {
        let found = match text.parse::<AnySchedule>() {
            Ok(AnySchedule::Tree(_)) => "tree".to_string(),
            Ok(AnySchedule::Flat(_)) => "flat".to_string(),
            Err(error) => error.to_string(),
        };
        assert_eq!(found, expected, "{text}");
    };
    check("# c\n\n  { A[] -> [] }\n{ : }\n{ }", "flat");
    check("[n] -> { A[] -> [] }\n{ : }\n{ }", "flat");
    check("domain: \"{ A[] }\"", "tree");
    check("# c\n{ domain: \"{ A[] }\" }", "tree");
    check("{ \"domain\" : \"{ A[] }\" }", "tree");
    check("{\n  domain: \"{ A[] }\"\n}", "tree");
    check("{\n A[] -> [] }\n{ : }\n{ }", "flat");
    check(
        "{ A[] -> [] }",
        "1:14: expected the context, a set, found the end of the text",
    );
    check(
        "schedule: x",
        "1:11: schedule: in the text, at 1:2: expected `[`, found the end of the text",
    );
}

/// All flat schedules of isl's own tests are read, and what is printed of them is read as equal.
#[test]
fn reference_data() {
    for path in crate::text::reference_files("in") {
        let text = std::fs::read_to_string(&path).expect("a text");
        assert!(matches!(text.parse(), Ok(AnySchedule::Flat(_))), "{}", path.display());
        let flat = parse(&text);
        let again = parse(&flat.to_string());
        let b = Budget::new(20_000_000);
        assert!(
            flat.schedule.is_equal(&again.schedule, &b).unwrap()
                && flat.context.is_equal(&again.context, &b).unwrap()
                && flat.options.is_equal(&again.options, &b).unwrap(),
            "{}\n{flat}",
            path.display()
        );
    }
}
