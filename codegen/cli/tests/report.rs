//! `farkas report`: programs in, a page out.

mod common;

use common::printed;
use expect_test::{Expect, expect};
use std::path::{Path, PathBuf};

/// `for (i) for (j) B[i][j] = A[j][i];`
const TRANSPOSE: &str = include_str!("common/transpose.scop");

/// `for (i) A[i + 1] = A[i];`
const CHAIN: &str = "program
  context: [n] -> { : n > 0 }
  assumptions: [n] -> { : n < 1000000 }
  array A: memory, 8 bytes, []
  statement T
    domain: [n] -> { T[i] : 0 <= i < n }
    schedule: [n] -> { T[i] -> [(i)] }
    read: [n] -> { T[i] -> A[i] : 0 <= i < n }
    write: [n] -> { T[i] -> A[i + 1] : 0 <= i < n }
    operations: 1 load f64, 1 store f64
";

/// A file for the test of this name.
fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("a file for the test");
    path
}

/// The parts of a page that say what became of programs.
fn check(page: &str, expected: Expect) {
    let is_told = |line: &&str| {
        let parts = [
            "<h1>",
            "in all:",
            "<h2 id=\"r",
            "class=\"outcome\"",
            "<d",
            "<h3>",
            "<title>",
        ];
        parts.iter().any(|part| line.contains(part)) && !line.contains("<div")
    };
    let told: Vec<&str> = page.lines().filter(is_told).collect();
    expected.assert_eq(&(told.join("\n") + "\n"));
}

#[test]
fn a_page_of_two_programs() {
    let page = printed(&["report", "-"], &(TRANSPOSE.to_owned() + CHAIN));
    assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\""));
    check(
        &page,
        expect![[r#"
            <title>Loop nests of standard input</title>
            <header><h1>Loop nests of <code>standard input</code></h1>
            <p>2 in all: 1 transformed, 1 left alone, 0 without a model.</p>
            <main id="main"><section id="r1" aria-labelledby="r1-title"><h2 id="r1-title">1. <code>standard input (1)</code></h2>
            <p class="outcome"><span class="badge done">transformed</span>: tiled 32 x 512, 4 vector lanes, transposed 4 iterations at a time</p>
            <dl><dt>Expected gain</dt>
            <dd>2.3 times as fast</dd>
            <h3>Model</h3>
            <details><summary>The model in text form</summary><pre tabindex="0">program
            <h3>Instances and dependences</h3>
            <h3>Schedule trees</h3>
            <details><summary>In text form</summary><pre tabindex="0">domain: "{ S[i, j] : 0 &lt;= i &lt;= 1023 and 0 &lt;= j &lt;= 1023 }"
            <details><summary>In text form</summary><pre tabindex="0">domain: "{ S[i, j] : 0 &lt;= i &lt;= 1023 and 0 &lt;= j &lt;= 1023 }"
            <details><summary>The scheduler's tree, before it was optimized</summary><pre tabindex="0">domain: "{ S[i, j] : 0 &lt;= i &lt;= 1023 and 0 &lt;= j &lt;= 1023 }"
            <h3>Loops</h3>
            <h3>Candidates</h3>
            <details><summary>All orders that were considered, with expected cycles</summary><pre tabindex="0">original: 2.1529e7 cycles
            <section id="r2" aria-labelledby="r2-title"><h2 id="r2-title">2. <code>standard input (2)</code></h2>
            <p class="outcome"><span class="badge kept">left alone</span>: no gain expected: each loop has a single statement, so that there is no other order</p>
            <h3>Model</h3>
            <details><summary>The model in text form</summary><pre tabindex="0">program
            <h3>Instances and dependences</h3>
            <details><summary>1 dependence relations</summary><pre tabindex="0">flow, T to T: [n] -&gt; { T[i] -&gt; T[i' = 1 + i] : 0 &lt;= i &lt;= -2 + n }</pre>
            <h3>Schedule trees</h3>
            <details><summary>In text form</summary><pre tabindex="0">domain: "[n] -&gt; { T[i] : 0 &lt;= i &lt; n }"
            <h3>Loops</h3>
        "#]],
    );
}

#[test]
fn a_page_goes_to_a_file() {
    let (one, other) = (file("report-one.scop", TRANSPOSE), file("report-other.scop", CHAIN));
    let output = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report.html");
    let [one, other, output] = [&one, &other, &output].map(|path| path.to_str().expect("text"));
    assert_eq!(printed(&["report", one, other, "--output", output], ""), "");
    let page = std::fs::read_to_string(output).expect("the page");
    assert_eq!(page, printed(&["report", one, other], ""));
    assert!(page.contains("<title>Loop nests of 2 files</title>"));
    assert!(page.contains("<a href=\"#r1\">1. report-one</a>"));
    assert!(page.contains("<a href=\"#r2\">2. report-other</a>"));
}

#[test]
fn plans_are_for_a_target() {
    let lanes = |target: &str| {
        let page = printed(&["report", "-", "--target", target], TRANSPOSE);
        let line = page.lines().find(|line| line.contains("class=\"outcome\""));
        line.expect("an outcome").to_owned()
    };
    assert_ne!(lanes("x86-64-v2"), lanes("x86-64-v4"));
}

#[test]
fn bad_input_has_a_place() {
    let says = |arguments: &[&str], input: &str, expected: Expect| expected.assert_eq(&printed(arguments, input));
    says(
        &["report", "-"],
        "program\n  context: { : n > 0 }\n",
        expect![[r#"
        --- errors
        -:2:16: `n` is not a parameter, dimension or variable
        --- status Some(1)
    "#]],
    );
    says(
        &["report", "-"],
        &TRANSPOSE.replace("[(0), (i), (0), (j), (0)]", "[(0), (i), (0), (0), (0)]"),
        expect![[r#"
            --- errors
            -: program 1: statement S has instances at the same time as S
            --- status Some(1)
        "#]],
    );
    says(
        &["report", "no such file"],
        "",
        expect![[r#"
        --- errors
        no such file: No such file or directory (os error 2)
        --- status Some(1)
    "#]],
    );
    says(
        &["report", "-", "-o", "no such folder/page.html"],
        TRANSPOSE,
        expect![[r#"
        --- errors
        no such folder/page.html: No such file or directory (os error 2)
        --- status Some(1)
    "#]],
    );
    says(
        &["report", "-", "--target", "zen0"],
        TRANSPOSE,
        expect![[r#"
        --- errors
        zen0: No such file or directory (os error 2)
        --- status Some(1)
    "#]],
    );
}
