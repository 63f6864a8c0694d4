//! Arrays of which each iteration has a copy.

use expect_test::{Expect, expect};

use super::verdict;

/// `for (i) { double t[n]; for (k) S: t[k] = x[i][k]; for (k) T: y[i][k] = t[READ]; }`, where `S` writes for some `k` only.
const FILLED: &str = "program
  context: [n] -> { : n > 0 }
  assumptions: [n] -> { : }
  array t: temporary, 8 bytes, [100]
  array x: memory, 8 bytes, [][n]
  array y: memory, 8 bytes, [][n]
  statement S
    domain: [n] -> { S[i, k] : 0 <= i < n and 0 <= k < n and FILLED }
    schedule: { S[i, k] -> [0, i, 1, k] }
    read: [n] -> { S[i, k] -> x[i, k] }
    write: [n] -> { S[i, k] -> t[k] }
  statement T
    domain: [n] -> { T[i, k] : 0 <= i < n and 0 <= k < n }
    schedule: { T[i, k] -> [0, i, 2, k] }
    read: [n] -> { T[i, k] -> t[READ] }
    write: [n] -> { T[i, k] -> y[i, k] }
";

/// The variable begins and ends to live in each iteration.
const IN_EACH: &str = "  kill: [n] -> { begin[i] -> t[k] : 0 <= i < n }
    schedule: { begin[i] -> [0, i, 0, 0] }
  kill: [n] -> { end[i] -> t[k] : 0 <= i < n }
    schedule: { end[i] -> [0, i, 3, 0] }
";

/// It lives from before the loop until behind it.
const AROUND: &str = "  kill: { end[] -> t[k] }
    schedule: { end[] -> [1, 0, 0, 0] }
";

/// Checks a loop over `i` with a mark; `filled` says what is written, `read` which element is read.
fn check((filled, read): (&str, &str), lives: &str, mark: &str, expected: Expect) {
    let program = FILLED.replace("FILLED", filled).replace("READ", read);
    let tree = format!(
        "domain: \"[n] -> {{ S[i, k] : 0 <= i < n and 0 <= k < n and {filled}; T[i, k] : 0 <= i < n and 0 <= k < n }}\"
child:
  mark: \"{mark}\"
  child:
    schedule: \"[n] -> [{{ S[i, k] -> [(i)]; T[i, k] -> [(i)] }}]\"
    child:
      sequence:
      - filter: \"{{ S[i, k] }}\"
        child:
          schedule: \"[n] -> [{{ S[i, k] -> [(k)] }}]\"
      - filter: \"{{ T[i, k] }}\"
        child:
          schedule: \"[n] -> [{{ T[i, k] -> [(k)] }}]\""
    );
    let found = verdict(&format!("{program}{lives}"), &tree, &[]);
    let (said, _) = found.split_once(": [n]").unwrap_or((&found, ""));
    expected.assert_eq(said);
}

const ALL: (&str, &str) = ("k >= 0", "n - 1 - k");

#[test]
fn an_array_that_each_iteration_fills_is_private() {
    check(ALL, IN_EACH, "parallel(private t)", expect!["legal"]);
    check(ALL, AROUND, "parallel(private t)", expect!["legal"]);
    check(ALL, IN_EACH, "vector(8, private t)", expect!["legal"]);
}

#[test]
fn an_array_that_iterations_share_is_a_race() {
    check(
        ALL,
        IN_EACH,
        "parallel",
        expect!["mark parallel: iterations share elements of t"],
    );
    check(
        ALL,
        IN_EACH,
        "parallel(private x)",
        expect!["mark parallel(private x): a value of x comes from before the program"],
    );
}

#[test]
fn an_array_that_is_read_behind_the_program_is_not_private() {
    check(
        ALL,
        "",
        "parallel(private t)",
        expect!["mark parallel(private t): a value of t may be used after the program"],
    );
}

#[test]
fn an_array_that_is_filled_in_part_is_not_private() {
    check(
        ("k > 0", "k"),
        AROUND,
        "parallel(private t)",
        expect!["mark parallel(private t): a value of t comes from before the program"],
    );
    check(
        ("k > 0", "k"),
        IN_EACH,
        "parallel(private t)",
        expect!["mark parallel(private t): a value of t comes from before the program"],
    );
    check(
        ("(i = 0 or k > 0)", "k"),
        AROUND,
        "parallel(private t)",
        expect!["mark parallel(private t): a value of t comes from another iteration, or from outside"],
    );
    check(
        ("(i < n - 1 or k > 0)", "k"),
        AROUND,
        "parallel(private t)",
        expect!["mark parallel(private t): a value of t comes from another iteration, or from outside"],
    );
}
