//! Lanes along loops that carry anti-dependences only.

use expect_test::{Expect, expect};

use super::verdict;

/// The tree `marks { [i] }` for statements of one loop from 0 to `n`, with the body.
fn along_i(statements: &[&str], marks: &[&str], body: &str) -> String {
    let domains: Vec<String> = statements.iter().map(|s| format!("{s}[i] : 0 <= i < n")).collect();
    let members: Vec<String> = statements.iter().map(|s| format!("{s}[i] -> [(i)]")).collect();
    let mut tree = format!("domain: \"[n, p] -> {{ {} }}\"\n", domains.join("; "));
    let mut indent = String::new();
    for mark in marks {
        tree += &format!("{indent}child:\n{indent}  mark: \"{mark}\"\n");
        indent += "  ";
    }
    tree += &format!(
        "{indent}child:\n{indent}  schedule: \"[n, p] -> [{{ {} }}]\"\n",
        members.join("; ")
    );
    body.lines().for_each(|line| tree += &format!("{indent}  {line}\n"));
    tree
}

/// The verdict on a loop with these marks, over one statement with these accesses to `A`, in order.
fn one(marks: &[&str], accesses: &[&str], expected: Expect) {
    let accesses: Vec<String> = accesses
        .iter()
        .map(|access| {
            let (kind, element) = access.split_once(' ').expect("a kind and an element");
            format!("    {}: [n, p] -> {{ S[i] -> A[{element}] }}\n", kind.replace('-', " "))
        })
        .collect();
    let program = format!(
        "program
  context: [n, p] -> {{ : p >= 0 }}
  assumptions: [n, p] -> {{ : }}
  array A: memory, 8 bytes, []
  statement S
    domain: [n, p] -> {{ S[i] : 0 <= i < n }}
    schedule: {{ S[i] -> [i] }}
{}",
        accesses.concat()
    );
    expected.assert_eq(&verdict(&program, &along_i(&["S"], marks, ""), &[]));
}

#[test]
fn lanes_read_what_later_ones_overwrite() {
    one(&["vector(8)"], &["read i", "read i + p", "write i"], expect!["legal"]);
    one(&["vector(8)"], &["read i + 1", "may-write i"], expect!["legal"]);
}

#[test]
fn lanes_read_nothing_that_earlier_ones_wrote() {
    one(
        &["vector(8)"],
        &["read i - 1", "write i"],
        expect![
            "mark vector(8): iterations share elements of A: [n, p] -> { S[i] -> S[i' = 1 + i] : p >= 0 and 0 <= i <= -2 + n }"
        ],
    );
    // For the smallest of all `p`.
    one(
        &["vector(8)"],
        &["read i - p", "write i"],
        expect![
            "mark vector(8): iterations share elements of A: [n, p] -> { S[i] -> S[i' = p + i] : p > 0 and 0 <= i < n and -p <= i < n - p }"
        ],
    );
    one(
        &["vector(8)"],
        &["read i + p - 3", "write i"],
        expect![
            "mark vector(8): iterations share elements of A: [n, p] -> { S[i] -> S[i' = -3 + p + i] : p >= 4 and 0 <= i < n and 3 - p <= i <= 2 + n - p; S[i] -> S[i' = 3 - p + i] : 0 <= p <= 2 and 0 <= i < n and -3 + p <= i <= -4 + n + p }"
        ],
    );
}

#[test]
fn lanes_write_elements_of_their_own() {
    one(
        &["vector(8)"],
        &["read i + p", "write i", "write i + p"],
        expect![
            "mark vector(8): iterations share elements of A: [n, p] -> { S[i] -> S[i' = p + i] : p > 0 and 0 <= i < n and -p <= i < n - p }"
        ],
    );
}

#[test]
fn what_is_read_behind_a_write_comes_too_late() {
    one(
        &["vector(8)"],
        &["write i", "read i + p"],
        expect![
            "mark vector(8): iterations share elements of A: [n, p] -> { S[i] -> S[i' = p + i] : p > 0 and 0 <= i < n and -p <= i < n - p }"
        ],
    );
}

#[test]
fn only_vectors_keep_the_order() {
    one(
        &["parallel"],
        &["read i + 1", "write i"],
        expect![
            "mark parallel: iterations share elements of A: [n, p] -> { S[i] -> S[i' = 1 + i] : p >= 0 and 0 <= i <= -2 + n }"
        ],
    );
    one(
        &["jam(2)"],
        &["read i + 1", "write i"],
        expect![
            "mark jam(2): iterations share elements of A: [n, p] -> { S[i] -> S[i' = 1 + i] : p >= 0 and 0 <= i <= -2 + n }"
        ],
    );
}

/// The verdict on `vector(8) [i] { S; T }`, where one statement reads `A[i + 1]` and another one writes `A[i]`.
fn two(first: &str, expected: Expect) {
    let program = "program
  context: [n, p] -> { : }
  assumptions: [n, p] -> { : }
  array A: memory, 8 bytes, []
  array B: memory, 8 bytes, []
  statement S
    domain: [n, p] -> { S[i] : 0 <= i < n }
    schedule: { S[i] -> [i, POSITION] }
    read: [n, p] -> { S[i] -> A[i + 1] }
    write: [n, p] -> { S[i] -> B[i] }
  statement T
    domain: [n, p] -> { T[i] : 0 <= i < n }
    schedule: { T[i] -> [i, 1] }
    write: [n, p] -> { T[i] -> A[i] }
";
    let (position, other) = if first == "S" { ("0", "T") } else { ("2", "S") };
    let body = format!("child:\n  sequence:\n  - filter: \"{{ {first}[i] }}\"\n  - filter: \"{{ {other}[i] }}\"");
    let tree = along_i(&["S", "T"], &["vector(8)"], &body);
    expected.assert_eq(&verdict(&program.replace("POSITION", position), &tree, &[]));
}

#[test]
fn statements_come_one_after_the_other() {
    two("S", expect!["legal"]);
    two(
        "T",
        expect![
            "mark vector(8): iterations share elements of A: [n, p] -> { S[i] -> T[i' = 1 + i] : 0 <= i <= -2 + n }"
        ],
    );
}

/// The verdict on `marks [i] { [j] S; T }` or `marks [i] { [j] { S } }` for a window that reads `A[i + j]`, and overwrites `A[i]` behind or inside of the
/// loop over `j`.
fn window(marks: &str, is_inside: bool, expected: Expect) {
    let write = "write: [n, p] -> { S[i, j] -> A[i] }";
    let program = format!(
        "program
  context: [n, p] -> {{ : n > 0 and p > 0 }}
  assumptions: [n, p] -> {{ : }}
  array A: memory, 8 bytes, []
  statement S
    domain: [n, p] -> {{ S[i, j] : 0 <= i < n and 0 <= j < p }}
    schedule: {{ S[i, j] -> [i, 0, j] }}
    read: [n, p] -> {{ S[i, j] -> A[i + j] }}
    {}
  statement T
    domain: [n, p] -> {{ T[i] : 0 <= i < n }}
    schedule: {{ T[i] -> [i, 1, 0] }}
    write: [n, p] -> {{ T[i] -> A[i] }}
",
        if is_inside { write } else { "" }
    );
    let tree = format!(
        r#"domain: "[n, p] -> {{ S[i, j] : 0 <= i < n and 0 <= j < p; T[i] : 0 <= i < n }}"
child:
  schedule: "[n, p] -> [{{ S[i, j] -> [(floor((i)/16))]; T[i] -> [(floor((i)/16))] }}]"
  child:
    mark: "{marks}"
    child:
      schedule: "[n, p] -> [{{ S[i, j] -> [(floor((i)/8))]; T[i] -> [(floor((i)/8))] }}]"
      child:
        mark: "vector(8)"
        child:
          schedule: "[n, p] -> [{{ S[i, j] -> [(i)]; T[i] -> [(i)] }}]"
          child:
            sequence:
            - filter: "{{ S[i, j] }}"
              child:
                schedule: "[n, p] -> [{{ S[i, j] -> [(j)] }}]"
            - filter: "{{ T[i] }}"
"#
    );
    expected.assert_eq(&verdict(&program, &tree, &[]));
}

#[test]
fn all_of_a_loop_inside_reads_before_what_is_behind_writes() {
    window("somebody's", false, expect!["legal"]);
    window("jam(2)", false, expect!["legal"]);
}

#[test]
fn a_loop_inside_goes_through_its_iterations_in_all_lanes_at_once() {
    window(
        "somebody's",
        true,
        expect![
            "mark vector(8): iterations share elements of A: [n, p] -> { S[i, j] -> S[i' = i + j, j'] : exists (e0, e1: 0 < j < p and n > 0 and p > 0 and -15 + i <= 16e0 <= i and -7 + i <= 8e1 <= i and 0 <= i < n and -15 + i + j <= 16e0 <= i + j and -7 + i + j <= 8e1 <= i + j and -i <= j < n - i and 0 <= j' < p); S[i, j] -> T[i' = i + j] : exists (e0, e1: 0 < j < p and n > 0 and p > 0 and -15 + i <= 16e0 <= i and -7 + i <= 8e1 <= i and 0 <= i < n and -15 + i + j <= 16e0 <= i + j and -7 + i + j <= 8e1 <= i + j and -i <= j < n - i) }"
        ],
    );
    window(
        "jam(2)",
        true,
        expect![
            "mark jam(2): iterations share elements of A: [n, p] -> { S[i, j] -> S[i' = i + j, j'] : exists (e0: 0 < j < p and n > 0 and p > 0 and -15 + i <= 16e0 <= i and 0 <= i < n and -15 + i + j <= 16e0 <= i + j and -i <= j < n - i and 0 <= j' < p); S[i, j] -> T[i' = i + j] : exists (e0: 0 < j < p and n > 0 and p > 0 and -15 + i <= 16e0 <= i and 0 <= i < n and -15 + i + j <= 16e0 <= i + j and -i <= j < n - i) }"
        ],
    );
}

#[test]
fn what_is_loaded_early_or_stored_late_keeps_no_order() {
    window(
        "keep(A)",
        false,
        expect![
            "mark keep(A): iterations share elements of A: [n, p] -> { S[i, j] -> T[i' = i + j] : 0 <= j < p and n > 0 and p > 0 and 0 <= i < n and -i <= j < n - i }"
        ],
    );
    window(
        "shift(A)",
        false,
        expect![
            "mark shift(A): iterations share elements of A: [n, p] -> { S[i, j] -> T[i' = i + j] : 0 <= i < n and 0 <= j < p and -i <= j < n - i }"
        ],
    );
    window(
        "block(2, A)",
        false,
        expect![
            "mark vector(8): iterations share elements of A: [n, p] -> { S[i, j] -> T[i' = i + j] : exists (e0, e1: n > 0 and p > 0 and -15 + i <= 16e0 <= i and -7 + i <= 8e1 <= i and 0 <= i < n and -i <= j < p and -15 + i + j <= 16e0 <= i + j and -7 + i + j <= 8e1 <= i + j and 0 < j < n - i) }"
        ],
    );
}
