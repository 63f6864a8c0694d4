//! `farkas program`: a file in, text out.

mod common;

use expect_test::{Expect, expect};

/// What the command prints for a file, then its errors, then its exit status unless that is 0.
fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&common::printed(&["program", "-"], text));
}

#[test]
fn programs_are_printed_without_comments() {
    check(
        "\
# f: loop
program
  context: [n] -> { : n > 0 }
  array A: memory, 8 bytes, []
  statement S
    domain: [n] -> { S[i] : 0 <= i < n }
    schedule: { S[i] -> [i] }
    # the only access
    write: [n] -> { S[i] -> A[i] : 0 <= i < n }
program
  context: { : }
",
        &expect![[r#"
            program
              context: [n] -> { : n > 0 }
              assumptions: [n] -> { : }
              array A: memory, 8 bytes, []
              statement S
                domain: [n] -> { S[i] : 0 <= i < n }
                schedule: { S[i] -> [(i)] }
                write: [n] -> { S[i] -> A[(i)] : 0 <= i < n }
            program
              context: { : }
              assumptions: { : }
        "#]],
    );
}

#[test]
fn an_error_has_a_place() {
    check(
        "program\n  context: [n] -> { n > 0 }\n",
        &expect![[r#"
            --- errors
            -:2:23: expected `[`, found `>`
            --- status Some(1)
        "#]],
    );
}

#[test]
fn a_malformed_program_is_not_printed() {
    check(
        "\
program
  context: { : }
program
  context: { : }
  array s: scalar slot, 8 bytes, []
",
        &expect![[r#"
            --- errors
            -: program 2: array s is a scalar slot with 1 dimensions
            --- status Some(1)
        "#]],
    );
}
