//! `farkas codegen`: files in, loops out.

use expect_test::{Expect, expect};
use std::process::Command;

/// What the command prints for the text in a file of this name, then its errors.
fn check(name: &str, text: &str, options: &[&str], expected: Expect) {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(folder.join(name), text).expect("a file for the test");
    let done = Command::new(env!("CARGO_BIN_EXE_farkas"))
        .current_dir(folder)
        .arg("codegen")
        .args(options)
        .arg(name)
        .output()
        .expect("the command starts");
    let out = String::from_utf8(done.stdout).expect("text");
    let errors = String::from_utf8(done.stderr).expect("text");
    assert_eq!(done.status.success(), errors.is_empty(), "{errors}");
    expected.assert_eq(&(out + &errors));
}

const STRIPES: &str = r#"
domain: "[n] -> { S[i] : 0 <= i < n and (i < 10 or i mod 5 = 0) }"
child:
  schedule: "[{ S[i] -> [i] }]"
"#;

#[test]
fn disjunctions() {
    check(
        "stripes.st",
        STRIPES,
        &["--atomic"],
        expect![[r#"
            for (int c0 = 0; c0 < n; c0 += 1)
              if (c0 <= 9 || c0 % 5 == 0)
                S(c0);
        "#]],
    );
    check(
        "stripes-apart.st",
        STRIPES,
        &["--atomic", "--no-ast-build-allow-or"],
        expect![[r#"
            for (int c0 = 0; c0 < n; c0 += 1) {
              if (c0 <= 9) {
                S(c0);
              } else if (c0 % 5 == 0)
                S(c0);
            }
        "#]],
    );
}

/// That `i <= 9` for `S` is due to `j`.
#[test]
fn separation_by_implicit_constraints() {
    let schedule = r#"
{ S[i, j] -> [i, 0, j] : 0 <= i < 20 and i < j <= 10; T[i] -> [i, 1, 0] : 0 <= i < 20 }
{ : }
{ [i, k, j] -> separate[0] }
"#;
    check(
        "triangle.in",
        schedule,
        &[],
        expect![[r#"
        for (int c0 = 0; c0 <= 19; c0 += 1) {
          for (int c2 = c0 + 1; c2 <= 10; c2 += 1)
            S(c0, c2);
          T(c0);
        }
    "#]],
    );
    check(
        "triangle-implicit.in",
        schedule,
        &["--ast-build-separation-bounds=implicit"],
        expect![[r#"
            for (int c0 = 0; c0 <= 9; c0 += 1) {
              for (int c2 = c0 + 1; c2 <= 10; c2 += 1)
                S(c0, c2);
              T(c0);
            }
            for (int c0 = 10; c0 <= 19; c0 += 1)
              T(c0);
        "#]],
    );
}

#[test]
fn names_and_forms() {
    check(
        "names.st",
        STRIPES,
        &[
            "--iterators=i",
            "--atomic",
            "--no-ast-build-prefer-pdiv",
            "--no-ast-build-atomic-upper-bound",
        ],
        expect![[r#"
            for (int i = 0; n >= i + 1; i += 1)
              if (i <= 9 || i % 5 == 0)
                S(i);
        "#]],
    );
}

#[test]
fn errors_name_the_place() {
    let unbounded = r#"
domain: "{ S[i] : i <= 10 }"
child:
  schedule: "[{ S[i] -> [i] }]"
"#;
    check(
        "unbounded.st",
        unbounded,
        &[],
        expect![[r#"
            unbounded.st: node /0: schedule dimension 0 has no lower bound for S[i]
        "#]],
    );
    let unroll = r#"
domain: "[n] -> { S[i] : 0 <= i < n }"
child:
  schedule: "[n] -> [{ S[i] -> [i] }]"
  options: "{ unroll[x] }"
"#;
    check(
        "unroll.st",
        unroll,
        &[],
        expect![[r#"
            unroll.st: node /0: schedule dimension 0 cannot be unrolled, it has no bounded number of values for S[i]
        "#]],
    );
    let partial = r#"
domain: "{ S[i] : 0 <= i < 10; T[] }"
child:
  schedule: "[{ S[i] -> [i] }]"
"#;
    check(
        "partial.st",
        partial,
        &[],
        expect![[r#"
            partial.st: the band at / has no value for { T[] }
        "#]],
    );
    check(
        "malformed.st",
        "domain: \"{ S[i] : 0 <= \"\n",
        &[],
        expect![[r#"
            malformed.st:1:9: domain: in the text, at 1:15: expected an expression, found the end of the text
        "#]],
    );
    check(
        "malformed.in",
        "{ S[i] -> [i] : 0 <= i < }\n{ : }\n{ }\n",
        &[],
        expect![[r#"
            malformed.in:1:26: expected an expression, found `}`
        "#]],
    );
}
