//! `farkas flow`: a file in, text out.

mod common;

use expect_test::{Expect, expect};

/// What the command prints for a file, then its errors, then its exit status unless that is 0.
fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&common::printed(&["flow", "-"], text));
}

#[test]
fn accesses_with_a_schedule_map() {
    check(
        "sink: { S[] -> a[] }\nmust_source: { T[i] -> a[] : 0 <= i < 10 }\nschedule_map: { T[i] -> [0,i]; S[] -> [1,0] }\n",
        &expect![[r#"
            must_dependence: "{ T[i = 9] -> [S[] -> a[]] }"
            may_dependence: "{ T[i = 9] -> [S[] -> a[]] }"
            must_no_source: "{ }"
            may_no_source: "{ }"
        "#]],
    );
}

#[test]
fn accesses_with_a_tree() {
    check(
        r#"sink: "{ S[] -> a[] }"
may_source: "{ T[i] -> a[] : 0 <= i <= 9 }"
schedule:
    domain: "{ T[i]; S[] }"
    child:
        sequence:
        - filter: "{ T[i] }"
          child:
              schedule: "[{ T[i] -> [(i)] }]"
        - filter: "{ S[] }"
"#,
        &expect![[r#"
            must_dependence: "{ }"
            may_dependence: "{ T[i] -> [S[] -> a[]] : 0 <= i <= 9 }"
            must_no_source: "{ }"
            may_no_source: "{ S[] -> a[] }"
        "#]],
    );
}

#[test]
fn errors() {
    check(
        "sink: { S[] -> a[] }\n",
        &expect![[r#"
            --- errors
            -:1:1: the key `schedule_map` is missing
            --- status Some(1)
        "#]],
    );
}

#[test]
fn errors_in_a_tree_have_a_place() {
    check(
        "sink: { S[] -> a[] }\nschedule:\n  domain: \"{ S[] }\"\n  child:\n    mark: [ 1 ]\n",
        &expect![[r#"
            --- errors
            -:5:11: in `schedule`: child.mark: invalid type: sequence, expected a string
            --- status Some(1)
        "#]],
    );
    check(
        "sink: { S[] -> a[] }\nschedule:\n  domain: \"{ S[ }\"\n  child:\n    mark: m\n",
        &expect![[r#"
            --- errors
            -:3:11: in `schedule`: domain: in the text, at 1:6: expected an expression, found `}`
            --- status Some(1)
        "#]],
    );
}
