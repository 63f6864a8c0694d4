//! `farkas program`: a file in, text out.

use std::io::Write;
use std::process::{Command, Stdio};

use expect_test::{Expect, expect};

/// What the command prints for a file, then its errors, then its exit status unless that is 0.
fn check(text: &str, expected: &Expect) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_farkas"))
        .args(["program", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(text.as_bytes()).expect("the command reads");
    drop(input);
    let done = child.wait_with_output().expect("the command ends");
    let mut out = String::from_utf8(done.stdout).expect("text");
    let errors = String::from_utf8(done.stderr).expect("text");
    if !errors.is_empty() {
        out.push_str(&format!("--- errors\n{errors}"));
    }
    if done.status.code() != Some(0) {
        out.push_str(&format!("--- status {:?}\n", done.status.code()));
    }
    expected.assert_eq(&out);
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
        farkas: -:2:23: expected `[`, found `>`
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
            farkas: -: program 2: array s is a scalar slot with 1 dimensions
            --- status Some(1)
        "#]],
    );
}
