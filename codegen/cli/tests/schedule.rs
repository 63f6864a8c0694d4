//! `farkas schedule`: schedule constraints in, a schedule tree out.

use expect_test::{Expect, expect};
use std::io::Write;
use std::process::{Command, Stdio};

/// What the command prints for these constraints and arguments, and its errors.
fn check(text: &str, arguments: &[&str], expected: Expect) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_farkas"));
    command.args(["schedule", "-"]).args(arguments).stdin(Stdio::piped());
    let started = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = started.expect("the command runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(text.as_bytes()).expect("the command reads");
    drop(stdin);
    let done = child.wait_with_output().expect("the command ends");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    expected.assert_eq(&(text(done.stdout) + &text(done.stderr)));
}

const CONSTRAINTS: &str = "domain: [n] -> { S[i, j] : 0 <= i, j < n }\n\
    validity: { S[i, j] -> S[i + 1, j]; S[i, j] -> S[i, j + 1] }\n\
    proximity: { S[i, j] -> S[i + 1, j]; S[i, j] -> S[i, j + 1] }\n";

#[test]
fn pluto() {
    check(
        CONSTRAINTS,
        &[],
        expect![[r#"
        domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }"
        child:
          schedule: "[n] -> [{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
          permutable: 1
          coincident: [ 1, 1 ]
    "#]],
    );
}

/// The first row carries all dependences.
#[test]
fn feautrier() {
    check(
        CONSTRAINTS,
        &["--schedule-algorithm=feautrier"],
        expect![[r#"
        domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }"
        child:
          schedule: "[n] -> [{ S[i, j] -> [(i + j)] }]"
          permutable: 1
          coincident: [ 1 ]
          child:
            schedule: "[n] -> [{ S[i, j] -> [(i)] }]"
            permutable: 1
            coincident: [ 1 ]
    "#]],
    );
    let text = format!("# OPTIONS: --schedule-algorithm=feautrier\n{CONSTRAINTS}");
    check(
        &text,
        &[],
        expect![[r#"
        domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }"
        child:
          schedule: "[n] -> [{ S[i, j] -> [(i + j)] }]"
          permutable: 1
          coincident: [ 1 ]
          child:
            schedule: "[n] -> [{ S[i, j] -> [(i)] }]"
            permutable: 1
            coincident: [ 1 ]
    "#]],
    );
    check(
        &text,
        &["--schedule-algorithm=isl"],
        expect![[r#"
        domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }"
        child:
          schedule: "[n] -> [{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
          permutable: 1
          coincident: [ 1, 1 ]
    "#]],
    );
}

#[test]
fn an_unknown_algorithm() {
    let text = format!("# OPTIONS: --schedule-algorithm=simplex\n{CONSTRAINTS}");
    check(
        &text,
        &[],
        expect![[r#"
            -:1:1: # OPTIONS: invalid value 'simplex' for '--schedule-algorithm <schedule-algorithm>' [possible values: isl, pluto, feautrier]
        "#]],
    );
}
