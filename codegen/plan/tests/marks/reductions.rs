//! Reductions on threads.

use expect_test::expect;

use super::verdict;

/// `for (i) for (j) S: sum += A[i][j];` where sums come in any order.
const SUM: &str = "program
  context: [n] -> { : n > 0 }
  assumptions: [n] -> { : }
  array s: scalar slot, 8 bytes
  array A: memory, 8 bytes, [][n]
  statement S
    domain: [n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }
    schedule: { S[i, j] -> [i, j] }
    read, reduction sum f64: [n] -> { S[i, j] -> s[] }
    read: [n] -> { S[i, j] -> A[i, j] }
    write, reduction sum f64: [n] -> { S[i, j] -> s[] }
";

/// A tree of [`SUM`] with a mark on the outermost loop.
fn sum_with(mark: &str) -> String {
    format!(
        "domain: \"[n] -> {{ S[i, j] : 0 <= i < n and 0 <= j < n }}\"
child:
  mark: \"{mark}\"
  child:
    schedule: \"[n] -> [{{ S[i, j] -> [(i)] }}, {{ S[i, j] -> [(j)] }}]\"
    coincident: [ 0, 0 ]"
    )
}

#[test]
fn contributions_to_a_reduction_may_be_accumulated_in_copies() {
    expect!["legal"].assert_eq(&verdict(SUM, &sum_with("parallel(reduction s)"), &[]));
}

#[test]
fn a_reduction_without_copies_is_a_race() {
    expect!["mark parallel: iterations share elements of s: [n] -> { S[i, j] -> S[i', j'] : i < i' < n and n > 0 and 0 <= i < n and 0 <= j < n and i' >= 0 and 0 <= j' < n }"].assert_eq(&verdict(SUM, &sum_with("parallel"), &[]));
}

#[test]
fn a_sum_in_order_is_no_reduction() {
    let in_order = SUM.replace(", reduction sum f64", "");
    expect!["mark parallel(reduction s): a reduction is not all that accesses its array"].assert_eq(&verdict(
        &in_order,
        &sum_with("parallel(reduction s)"),
        &[],
    ));
}

#[test]
fn an_array_that_something_else_reads_is_not_accumulated_in_copies() {
    let read = format!(
        "{SUM}  statement T
    domain: [n] -> {{ T[i] : 0 <= i < n }}
    schedule: [n] -> {{ T[i] -> [i, n] }}
    read: [n] -> {{ T[i] -> s[] }}
    write: [n] -> {{ T[i] -> A[i, 0] }}
"
    );
    let tree = "domain: \"[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i] : 0 <= i < n }\"
child:
  mark: \"parallel(reduction s)\"
  child:
    schedule: \"[n] -> [{ S[i, j] -> [(i)]; T[i] -> [(i)] }]\"
    child:
      sequence:
      - filter: \"{ S[i, j] }\"
        child:
          schedule: \"[n] -> [{ S[i, j] -> [(j)] }]\"
      - filter: \"{ T[i] }\"";
    expect!["mark parallel(reduction s): a reduction is not all that accesses its array"].assert_eq(&verdict(
        &read,
        tree,
        &[],
    ));
}

/// `for (i) for (j) { A: s[i] += a[i, j]; B: s[i] += b[j, i]; }` where sums come in any order.
const TWO_SUMS: &str = "program
  context: [n] -> { : n > 0 }
  assumptions: [n] -> { : }
  array s: memory, 4 bytes, []
  statement A
    domain: [n] -> { A[i, j] : 0 <= i < n and 0 <= j < n }
    schedule: { A[i, j] -> [i, j, 0] }
    read, reduction sum i32: [n] -> { A[i, j] -> s[i] : 0 <= i < n and 0 <= j < n }
    write, reduction sum i32: [n] -> { A[i, j] -> s[i] : 0 <= i < n and 0 <= j < n }
  statement B
    domain: [n] -> { B[i, j] : 0 <= i < n and 0 <= j < n }
    schedule: { B[i, j] -> [i, j, 1] }
    read, reduction sum i32: [n] -> { B[i, j] -> s[i] : 0 <= i < n and 0 <= j < n }
    write, reduction sum i32: [n] -> { B[i, j] -> s[i] : 0 <= i < n and 0 <= j < n }
";

/// All of one statement of [`TWO_SUMS`], then all of the other one, with claims about both loops.
fn one_after_the_other(coincident: &str) -> String {
    let loops = |statement: &str| {
        format!(
            "  - filter: \"{{ {statement}[i, j] }}\"
    child:
      schedule: \"[{{ {statement}[i, j] -> [i] }}, {{ {statement}[i, j] -> [j] }}]\"
      permutable: 1
      coincident: {coincident}
"
        )
    };
    format!(
        "domain: \"[n] -> {{ A[i, j] : 0 <= i < n and 0 <= j < n; B[i, j] : 0 <= i < n and 0 <= j < n }}\"
child:
  sequence:
{}{}",
        loops("B"),
        loops("A")
    )
}

#[test]
fn statements_that_contribute_to_one_element_come_in_any_order() {
    expect!["legal"].assert_eq(&verdict(TWO_SUMS, &one_after_the_other("[ 1, 0 ]"), &[]));
}

/// In the original order, what `A` adds to an element comes by turns with what `B` adds.
#[test]
fn iterations_of_one_of_them_wait_for_each_other() {
    expect!["dependence B[1, 0] -> B[1, 1] is of distance other than zero in coincident member 1, for n = 2"]
        .assert_eq(&verdict(TWO_SUMS, &one_after_the_other("[ 1, 1 ]"), &[]));
}

/// Nor does it help that what comes between two iterations of a loop is elsewhere.
#[test]
fn every_other_iteration_waits_for_the_one_before() {
    let every_other = "domain: \"[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }\"
child:
  schedule: \"[{ S[i, j] -> [i] }]\"
  child:
    schedule: \"[{ S[i, j] -> [j mod 2] }]\"
    child:
      schedule: \"[{ S[i, j] -> [floor(j/2)] }]\"
      coincident: [ 1 ]
";
    expect!["dependence S[0, 0] -> S[0, 2] is of distance other than zero in coincident member 0, for n = 3"]
        .assert_eq(&verdict(SUM, every_other, &[]));
}
