//! What commands say to input that is none: one line, with file, line and column, and status 1.

mod common;

use expect_test::{Expect, expect};
use std::fs::File;
use std::io::Write;
use std::process::{Command, Stdio};

fn check(arguments: &[&str], input: &str, expected: Expect) {
    expected.assert_eq(&common::printed(arguments, input));
}

#[test]
fn errors_have_a_place() {
    check(
        &["schedule", "-"],
        "domain: { S[i] }\nvalidity: { S[i] -> }\n",
        expect![[r#"
            --- errors
            -:2:21: in `validity`: expected `[`, found `}`
            --- status Some(1)
        "#]],
    );
    check(
        &["schedule", "-"],
        "domain: { S[i] }\nvalidity:\n  { S[i] ->\n    S[j }\n",
        expect![[r#"
            --- errors
            -:4:9: in `validity`: expected `,`, found `}`
            --- status Some(1)
        "#]],
    );
    check(
        &["tree", "-"],
        "domain: \"{ S[i] }\"\nchild:\n  schedul: \"[{ S[i] -> [i] }]\"\n",
        expect![[r#"
            --- errors
            -:3:3: child: unknown field `schedul`, expected one of `domain`, `schedule`, `permutable`, `coincident`, `options`, `filter`, `sequence`, `set`, `contraction`, `expansion`, `extension`, `guard`, `context`, `mark`, `child`
            --- status Some(1)
        "#]],
    );
    check(
        &["codegen", "-"],
        "{ S[i] -> [i] }\n{ : }\n{ [i] -> fast[x] }",
        expect![[r#"
            --- errors
            -:3:1: expected a relation to `atomic[x]`, `separate[x]`, `unroll[x]` or `separation_class[[x] -> [k]]`, found one to `fast[x]`
            --- status Some(1)
        "#]],
    );
    check(
        &["flow", "-"],
        "sink: { S[i] -> A[i] }\nschedule_map: { S[i] -> [j] }\n",
        expect![[r#"
            --- errors
            -:2:1: in `schedule_map`: instances of S[i] have several times
            --- status Some(1)
        "#]],
    );
    check(
        &["program", "-"],
        "program\n  context: { : n > 0 }\n",
        expect![[r#"
        --- errors
        -:2:16: `n` is not a parameter, dimension or variable
        --- status Some(1)
    "#]],
    );
    check(
        &["calc"],
        "A := { [i] };\nA +\n  (B);",
        expect![[r#"
        --- errors
        -:3:4: `B` is no value, and no operation
        --- status Some(1)
    "#]],
    );
    check(
        &["calc", "no such file"],
        "",
        expect![[r#"
        --- errors
        no such file: No such file or directory (os error 2)
        --- status Some(1)
    "#]],
    );
}

/// Sets that `schedule` takes for other statements are not legal in some order.
#[test]
fn constraints_of_other_dimensions() {
    let constraints = "domain: { S[i] : 0 <= i < 9 }\nvalidity: { S[i, j] -> S[i, j] }\n";
    check(
        &["schedule", "-"],
        constraints,
        expect![[r#"
        --- errors
        -: validity has S[i, j], but the domain has S[i]
        --- status Some(1)
    "#]],
    );
    let tree = std::env::temp_dir().join(format!("farkas-dimensions-{}.st", std::process::id()));
    std::fs::write(&tree, "domain: \"{ S[i] : 0 <= i < 9 }\"\n").expect("a file for the test");
    check(
        &["check", "-", tree.to_str().expect("a path in Unicode")],
        constraints,
        expect![[r#"
            --- errors
            -: validity has S[i, j], but the domain has S[i]
            --- status Some(1)
        "#]],
    );
    std::fs::remove_file(tree).expect("the file");
}

#[test]
fn long_messages_are_cut() {
    let printed = common::printed(&["calc"], &format!("{};", "x".repeat(1_000_000)));
    assert!(printed.len() < 500, "{printed}");
    let printed = common::printed(&["schedule", "-"], &"x".repeat(1_000_000));
    assert!(
        printed.len() < 500 && printed.starts_with("--- errors\n-:1:1: "),
        "{printed}"
    );
}

#[test]
fn deep_texts_end_at_once() {
    let depth = 100_000;
    check(
        &["tree", "-"],
        &format!("{{ domain: \"{{ S[i] }}\", {}", "child: { mark: m, ".repeat(depth)),
        expect![[r#"
            --- errors
            -:1:4620: nested too deeply
            --- status Some(1)
        "#]],
    );
    check(
        &["tree", "-"],
        &format!("domain: \"{{ S[i] }}\"\nchild:\n  {}", "- ".repeat(depth)),
        expect![[r#"
            --- errors
            -:3:3: child: invalid type: sequence, expected a node, which is a mapping
            --- status Some(1)
        "#]],
    );
    check(
        &["schedule", "-"],
        &"{ ".repeat(depth),
        expect![[r#"
        --- errors
        -:1:513: nested too deeply
        --- status Some(1)
    "#]],
    );
    check(
        &["calc"],
        &format!("{}1;", "(".repeat(depth)),
        expect![[r#"
        --- errors
        -:1:101: nested too deeply
        --- status Some(1)
    "#]],
    );
    check(
        &["calc"],
        &format!("{{ [i] : i = {}1 }};", "(".repeat(depth)),
        expect![[r#"
            --- errors
            -:1:213: nested too deeply
            --- status Some(1)
        "#]],
    );
    check(
        &["calc"],
        &"{\n".repeat(depth),
        expect![[r#"
        --- errors
        -:1:1: `{` is not closed
        --- status Some(1)
    "#]],
    );
}

/// Conditions with a number of alternatives that is exponential in their length, and dense systems.
#[test]
fn large_conditions_end() {
    let alternatives: Vec<String> = (1..60).map(|k| format!("{k}i + {}j != {}", k * k, 3 * k)).collect();
    check(
        &["calc"],
        &format!("{{ [i, j] : {} }};", alternatives.join(" and ")),
        expect![[r#"
            --- errors
            -:1:3: this takes more work to make explicit than is allowed
            --- status Some(1)
        "#]],
    );
    let names: Vec<String> = (0..2000).map(|k| format!("i{k}")).collect();
    let bounds: Vec<String> = names.iter().map(|name| format!("0 <= {name} < 9")).collect();
    check(
        &["calc"],
        &format!("{{ [{}] : {} }};", names.join(", "), bounds.join(" and ")),
        expect![[r#"
            --- errors
            -:1:3: this takes more work to make explicit than is allowed
            --- status Some(1)
        "#]],
    );
}

#[test]
fn marks_and_encodings() {
    check(
        &["calc"],
        "\u{feff}1 + 1;\n\u{feff};",
        expect![[r#"
        2
        --- errors
        -:2:1: unexpected character `﻿`
        --- status Some(1)
    "#]],
    );
    check(
        &["schedule", "-"],
        "\u{feff}domain: { S[i] }\n",
        expect![[r#"
        domain: "{ S[i] }"
        child:
          schedule: "[{ S[i] -> [(i)] }]"
          permutable: 1
          coincident: [ 1 ]
    "#]],
    );
}

#[test]
fn text_that_is_not_unicode() {
    let run = |command: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_farkas"))
            .args([command, "-"])
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(b"1;\n { [\xff\xff] };").expect("the command reads");
        drop(input);
        let done = child.wait_with_output().expect("the command ends");
        String::from_utf8(done.stderr).expect("text")
    };
    expect![[r#"
        -:2:5: not UTF-8
    "#]]
    .assert_eq(&run("calc"));
    expect![[r#"
        -:2:5: not UTF-8
    "#]]
    .assert_eq(&run("tree"));
}

#[test]
fn names_of_iterators() {
    let schedule = "{ S[i] -> [i] : 0 <= i < 9 }\n{ : }\n{ }";
    check(
        &["codegen", "--iterators", "i,j", "-"],
        schedule,
        expect![[r#"
        for (int i = 0; i <= 8; i += 1)
          S(i);
    "#]],
    );
    check(
        &["codegen", "--iterators", "i,1x", "-"],
        schedule,
        expect![[r#"
        --- errors
        --iterators: `1x` is no identifier
        --- status Some(1)
    "#]],
    );
    check(
        &["codegen", "--iterators", "a-b", "-"],
        schedule,
        expect![[r#"
        --- errors
        --iterators: `a-b` is no identifier
        --- status Some(1)
    "#]],
    );
}

/// What the command says when its output goes to `output`.
fn with_output(arguments: &[&str], input: &str, output: Stdio) -> String {
    let done = common::run(arguments, input, output);
    let errors = String::from_utf8(done.stderr).expect("text");
    format!("{errors}status {:?}", done.status.code())
}

#[test]
fn output_that_is_lost() {
    let commands: [(&[&str], &str); 3] = [
        (&["calc"], "1;"),
        (&["schedule", "-"], "domain: { S[i] }"),
        (&["target"], ""),
    ];
    for (arguments, input) in commands {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        assert_eq!(with_output(arguments, input, writer.into()), "status Some(141)");
        if let Ok(full) = File::options().write(true).open("/dev/full") {
            let said = with_output(arguments, input, full.into());
            assert!(
                said.starts_with("standard output: ") && said.ends_with("\nstatus Some(1)"),
                "{said}"
            );
            assert_eq!(said.lines().count(), 2, "{said}");
        }
    }
}

/// What the reader of YAML takes for one line stands on several.
#[test]
fn places_in_values_in_quotes() {
    check(
        &["schedule", "-"],
        "domain: \"{ S[i] :\n   i < 1e9 }\"\n",
        expect![[r#"
            --- errors
            -:2:9: in `domain`: `e9` is not a parameter, dimension or variable
            --- status Some(1)
        "#]],
    );
    check(
        &["tree", "-"],
        "# no line end",
        expect![[r#"
        --- errors
        -:1:14: expected the key `domain`
        --- status Some(1)
    "#]],
    );
}

#[test]
fn targets() {
    check(
        &["target", "-"],
        "base = 'zen4'\ncores = = 3",
        expect![[r#"
        --- errors
        -:2:9: extra `=`, expected nothing
        --- status Some(1)
    "#]],
    );
}

#[test]
fn schedules_by_hand() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let tree = folder.join("by-hand.st");
    let tree_name = tree.to_str().expect("a path in Unicode");
    let said = |text: &[u8]| {
        std::fs::write(&tree, text).expect("a file for the test");
        let program = "program\n  context: { : }\n  assumptions: { : }\n";
        common::printed(&["plan", "-", "--schedule", tree_name], program).replace(tree_name, "FILE")
    };
    expect![[r#"
        --- errors
        FILE:2:3: not UTF-8
        --- status Some(1)
    "#]]
    .assert_eq(&said(b"domain: \"{ }\"\n# \xff\n"));
    expect![[r#"
        # left as it is: what has to be assumed never holds where something is executed
    "#]]
    .assert_eq(&said("\u{feff}domain: \"{ }\"\n".as_bytes()));
}

/// Texts of which something takes a square of the length to work with.
#[test]
fn long_texts_end() {
    check(&["calc"], &";".repeat(10_000_000), expect![[r#""#]]);
    check(
        &["calc"],
        &format!("{{ [i] : i = {} }};", "9".repeat(1_000_000)),
        expect![[r#"
            --- errors
            -:1:13: a number of more than 10000 digits
            --- status Some(1)
        "#]],
    );
    let list = |count: usize, part: &dyn Fn(usize) -> String, between: &str| {
        (0..count).map(part).collect::<Vec<_>>().join(between)
    };
    let dims = list(100_000, &|k| format!("i{k}"), ", ");
    check(
        &["calc"],
        &format!("{{ [{dims}] }};"),
        expect![[r#"
        --- errors
        -:1:3: this takes more work to make explicit than is allowed
        --- status Some(1)
    "#]],
    );
    check(
        &["calc"],
        &format!("[{dims}] -> {{ : }};"),
        expect![[r#"
        --- errors
        -:1:788897: this takes more work to make explicit than is allowed
        --- status Some(1)
    "#]],
    );
    let alternatives = list(100_000, &|k| format!("i = {k}"), " or ");
    let constraints = |domain: &str| format!("domain: {domain}\nvalidity: {{ S[i] -> S[i + 1] }}\n");
    check(
        &["schedule", "-"],
        &constraints(&format!("{{ S[i] : {alternatives} }}")),
        expect![[r#"
            --- errors
            -:1:11: in `domain`: this takes more work to make explicit than is allowed
            --- status Some(1)
        "#]],
    );
    let pieces = list(100_000, &|k| format!("S[{k}]"), "; ");
    check(
        &["schedule", "-"],
        &constraints(&format!("{{ {pieces} }}")),
        expect![[r#"
            --- errors
            -:1:30050: in `domain`: this takes more work to make explicit than is allowed
            --- status Some(1)
        "#]],
    );
    let statements = list(100_000, &|k| format!("S{k}[i]"), "; ");
    check(
        &["schedule", "-"],
        &constraints(&format!("{{ {statements} }}")),
        expect![[r#"
            --- errors
            -: out of budget
            --- status Some(1)
        "#]],
    );
    let tree = |child: String| format!("domain: \"{{ S[i] : 0 <= i < 9 }}\"\nchild:\n  {child}\n");
    let steps = list(100_000, &|k| format!("  - filter: \"{{ S[i] : i = {k} }}\"\n"), "");
    check(
        &["tree", "-"],
        &tree(format!("sequence:\n{steps}")),
        expect![[r#"
        --- errors
        -: out of budget
        --- status Some(1)
    "#]],
    );
    let members = list(1000, &|_| "{ S[i] -> [(i)] }".to_string(), ", ");
    check(
        &["codegen", "-"],
        &tree(format!("schedule: \"[{members}]\"")),
        expect![[r#"
            --- errors
            -: out of budget
            --- status Some(1)
        "#]],
    );
}

/// Statements in files that have no end, or cannot be read.
#[test]
fn sources_without_statements() {
    check(
        &["calc"],
        "source \"/dev/zero\"; source \".\"; 1;",
        expect![[r#"
        1
        --- errors
        /dev/zero:1:1: a statement of more than 100000000 bytes
        .: Is a directory (os error 21)
        --- status Some(1)
    "#]],
    );
}
