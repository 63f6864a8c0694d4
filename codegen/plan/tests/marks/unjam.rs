//! The order of tiles that are not full below `unjam` marks.

use expect_test::expect;

use super::verdict;

/// The verdict on `[i/4, j] { mark [i] }` for a statement that goes along columns of three rows, writes `A[i][j]`, and reads this.
fn remainders(mark: &str, read: &str) -> String {
    let domain = "[n] -> { S[i, j] : 1 <= i < 4 and 1 <= j < n }";
    let program = format!(
        "program
  context: [n] -> {{ : n > 3 }}
  assumptions: [n] -> {{ : }}
  array A: memory, 8 bytes, [][n]
  statement S
    domain: {domain}
    schedule: {{ S[i, j] -> [j, i] }}
    read: [n] -> {{ S[i, j] -> {read} }}
    write: [n] -> {{ S[i, j] -> A[i, j] }}
"
    );
    let tree = format!(
        r#"domain: "{domain}"
child:
  schedule: "[n] -> [{{ S[i, j] -> [(floor((i)/4))] }}, {{ S[i, j] -> [(j)] }}]"
  child:
    mark: "{mark}"
    child:
      schedule: "[n] -> [{{ S[i, j] -> [(i)] }}]"
"#
    );
    verdict(&program, &tree, &[])
}

#[test]
fn rows_that_fill_no_tile_may_go_around() {
    expect!["legal"].assert_eq(&remainders("unjam(1)", "A[i - 1, j - 1]"));
    // A row that needs elements of the next one is right inside only.
    expect!["legal"].assert_eq(&remainders("somebody's", "A[i + 1, j - 1]"));
    expect!["dependence S[2, 2] -> S[1, 3] is not executed in order, for n = 4"]
        .assert_eq(&remainders("unjam(1)", "A[i + 1, j - 1]"));
    expect!["mark unjam(2): it is not between a loop and a band of so many members, with marks only between them"]
        .assert_eq(&remainders("unjam(2)", "A[i - 1, j - 1]"));
}

/// The verdict on `[i/2, v/4, k] { unjam(2) [i, v/2] { vector [v] } }` for a statement that writes `A[i][v][k]`, and reads this.
fn jammed_lanes(read: &str) -> String {
    let domain = "[n] -> { S[i, v, k] : 0 <= i < 2 and 0 <= v < 4 and 0 <= k < n }";
    let program = format!(
        "program
  context: [n] -> {{ : n > 3 }}
  assumptions: [n] -> {{ : }}
  array A: memory, 8 bytes, [][8][n]
  statement S
    domain: {domain}
    schedule: {{ S[i, v, k] -> [k, i, v] }}
    read: [n] -> {{ S[i, v, k] -> {read} }}
    write: [n] -> {{ S[i, v, k] -> A[i, v, k] }}
"
    );
    let tree = format!(
        r#"domain: "{domain}"
child:
  schedule: "[n] -> [{{ S[i, v, k] -> [(floor((i)/2))] }}, {{ S[i, v, k] -> [(floor((v)/4))] }}, {{ S[i, v, k] -> [(k)] }}]"
  child:
    mark: "unjam(2)"
    child:
      schedule: "[n] -> [{{ S[i, v, k] -> [(i)] }}, {{ S[i, v, k] -> [(floor((v)/2))] }}]"
      child:
        mark: "vector(2, masked)"
        child:
          schedule: "[n] -> [{{ S[i, v, k] -> [(v)] }}]"
"#
    );
    verdict(&program, &tree, &[])
}

#[test]
fn rows_may_stay_where_columns_go_around() {
    expect!["legal"].assert_eq(&jammed_lanes("A[i - 1, v, k - 1]"));
    // In order as the tree says, and with both loops around, but not with the loop over vectors around alone.
    expect!["dependence S[0, 2, 2] -> S[1, 0, 3] is not executed in order, for n = 4"]
        .assert_eq(&jammed_lanes("A[i - 1, v + 2, k - 1]"));
}
