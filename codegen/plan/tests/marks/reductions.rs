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
