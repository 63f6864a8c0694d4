//! `farkas tree` and `farkas check`: files in, text out.

use expect_test::{Expect, expect};
use std::path::PathBuf;
use std::process::Command;

/// A file with a text, for one test.
fn file(name: &str, text: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("farkas-trees-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

/// What the command prints, then its errors, then its exit status unless that is 0. Files are named without their folder.
fn run(arguments: &[&str], files: &[PathBuf]) -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_farkas"))
        .args(arguments)
        .args(files)
        .output()
        .expect("the command runs");
    let mut out = String::from_utf8(done.stdout).expect("text");
    let errors = String::from_utf8(done.stderr).expect("text");
    if !errors.is_empty() {
        out.push_str(&format!("--- errors\n{errors}"));
    }
    if done.status.code() != Some(0) {
        out.push_str(&format!("--- status {:?}\n", done.status.code()));
    }
    for file in files {
        let folder = format!("{}/", file.parent().expect("a folder").display());
        out = out.replace(&folder, "");
    }
    out
}

const TREE: &str = r#"
# Two loops, fused.
domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }"
child:
  schedule: "[n] -> [{ S[i] -> [i]; T[i] -> [i + 1] }]"
  permutable: 1
  child: { sequence: [ { filter: "{ T[i] }" }, { filter: "{ S[i] }" } ] }
"#;

const CONSTRAINTS: &str = r#"
domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }"
validity: "[n] -> { S[i] -> T[i]; S[i] -> T[i + 1] }"
"#;

fn tree(name: &str, options: &[&str], text: &str, expected: Expect) {
    let arguments: Vec<&str> = ["tree"].iter().chain(options).copied().collect();
    expected.assert_eq(&run(&arguments, &[file(name, text)]));
}

fn check(name: &str, constraints: &str, text: &str, expected: Expect) {
    let files = [
        file(&format!("{name}.sc"), constraints),
        file(&format!("{name}.st"), text),
    ];
    expected.assert_eq(&run(&["check"], &files));
}

#[test]
fn trees() {
    tree(
        "a.st",
        &[],
        TREE,
        expect![[r#"
        domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }"
        child:
          schedule: "[n] -> [{ S[i] -> [(i)]; T[i] -> [(1 + i)] }]"
          permutable: 1
          child:
            sequence:
            - filter: "{ T[i] }"
            - filter: "{ S[i] }"
    "#]],
    );
    tree(
        "b.st",
        &["--schedule-map"],
        TREE,
        expect![[r#"
        [n] -> { T[i] -> [(1 + i), (0)] : 0 <= i < n; S[i] -> [(i), (1)] : 0 <= i < n }
    "#]],
    );
    tree(
        "c.st",
        &["--simplify"],
        &TREE.replace("{ T[i] }", "[n] -> { T[i] : i >= 0 }"),
        expect![[r#"
            domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }"
            child:
              schedule: "[n] -> [{ S[i] -> [(i)]; T[i] -> [(1 + i)] }]"
              permutable: 1
              child:
                sequence:
                - filter: "[n] -> { T[i] }"
                - filter: "[n] -> { S[i] }"
        "#]],
    );
    tree(
        "d.st",
        &[],
        "domain: 1\nchildren: 2\n",
        expect![[r#"
            --- errors
            d.st:1:9: domain: in the text, at 1:1: expected `{`, found `1`
            --- status Some(1)
        "#]],
    );
    tree(
        "e.st",
        &[],
        &TREE.replace("{ T[i] }", "{ S[i] }"),
        expect![[r#"
            --- errors
            e.st: the sequence at /0 has children 0 and 1 that have [n] -> { S[i] : 0 <= i < n } in common
            --- status Some(1)
        "#]],
    );
    tree(
        "f.st",
        &["--budget", "3"],
        TREE,
        expect![[r#"
            --- errors
            f.st: out of budget
            --- status Some(1)
        "#]],
    );
}

#[test]
fn checks() {
    check(
        "legal",
        CONSTRAINTS,
        TREE,
        expect![[r#"
        legal
    "#]],
    );
    check(
        "order",
        CONSTRAINTS,
        &TREE.replace("i + 1", "i - 1"),
        expect![[r#"
        dependence S[0] -> T[0] is of negative distance in member 0 of a permutable band, for n = 1
        --- status Some(1)
    "#]],
    );
    check(
        "permutable",
        CONSTRAINTS,
        &TREE.replace("[i + 1] }]", "[i + 1] }, { S[i] -> [i]; T[i] -> [0] }]"),
        expect![[r#"
            dependence S[1] -> T[1] is of negative distance in member 1 of a permutable band, for n = 2
            --- status Some(1)
        "#]],
    );
    let coincidence = format!("{CONSTRAINTS}coincidence: \"[n] -> {{ S[i] -> T[i] }}\"\n");
    check(
        "coincident",
        &coincidence,
        &TREE.replace("permutable: 1", "coincident: [ 1 ]"),
        expect![[r#"
            dependence S[0] -> T[0] is of distance other than zero in coincident member 0, for n = 1
            --- status Some(1)
        "#]],
    );
    check(
        "malformed",
        CONSTRAINTS,
        &TREE.replace("{ T[i] }", "{ S[i] }"),
        expect![[r#"
            --- errors
            malformed.st: the sequence at /0 has children 0 and 1 that have [n] -> { S[i] : 0 <= i < n } in common
            --- status Some(1)
        "#]],
    );
    check(
        "parameters",
        &CONSTRAINTS.replace("[n]", "[m, n]"),
        TREE,
        expect![[r#"
            legal
        "#]],
    );
    check(
        "domains",
        CONSTRAINTS,
        &TREE.replace("S[i] : 0 <= i < n", "S[i] : 0 < i < n"),
        expect![[r#"
            not scheduled: [n] -> { S[i = 0] : n > 0 }
            --- status Some(1)
        "#]],
    );
}
