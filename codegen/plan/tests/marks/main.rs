//! The checker of plans on trees with marks: what it accepts, and what it refuses.
#![forbid(unsafe_code)]

mod anti_dependences;
mod copies;
mod private_arrays;
mod reductions;
mod unjam;

use expect_test::{Expect, expect};
use farkas_plan::{Packing, PlannedOrder, check_order};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::program::Program;
use farkas_polyhedral::sets::{Set, Tuple};
use farkas_polyhedral::tree::Tree;

/// `for (i) for (j) { S: t = a[j][i]; T: b[j][i] = t; }`; `t` is not used afterwards.
const COPY: &str = "program
  context: [n] -> { : n > 0 }
  assumptions: [n] -> { : }
  array t: scalar slot, 8 bytes
  array a: memory, 8 bytes, [][n]
  array b: memory, 8 bytes, [][n]
  statement S
    domain: [n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }
    schedule: { S[i, j] -> [0, i, j, 0] }
    read: [n] -> { S[i, j] -> a[j, i] }
    write: [n] -> { S[i, j] -> t[] }
  statement T
    domain: [n] -> { T[i, j] : 0 <= i < n and 0 <= j < n }
    schedule: { T[i, j] -> [0, i, j, 1] }
    read: [n] -> { T[i, j] -> t[] }
    write: [n] -> { T[i, j] -> b[j, i] }
  kill: { end[] -> t[] }
    schedule: { end[] -> [1, 0, 0, 0] }
";

/// `for (i) for (j) S: s[i] += A[i][j] * x[j];`
const PRODUCT: &str = "program
  context: [n] -> { : n > 0 }
  assumptions: [n] -> { : }
  array s: memory, 8 bytes, []
  array A: memory, 8 bytes, [][n]
  array x: memory, 8 bytes, []
  statement S
    domain: [n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }
    schedule: { S[i, j] -> [i, j] }
    read: [n] -> { S[i, j] -> s[i] }
    read: [n] -> { S[i, j] -> A[i, j] }
    read: [n] -> { S[i, j] -> x[j] }
    write: [n] -> { S[i, j] -> s[i] }
";

fn verdict(program: &str, tree: &str, packings: &[Packing]) -> String {
    let program: Program = program.parse().unwrap_or_else(|error| panic!("{error}"));
    verdict_where(&program, &program.assumptions, tree, packings)
}

/// The verdict on a tree that is used where `assumptions` hold.
fn verdict_where(program: &Program, assumptions: &Set, tree: &str, packings: &[Packing]) -> String {
    let tree: Tree = tree.parse().unwrap_or_else(|error| panic!("{error}\n{tree}"));
    let planned = PlannedOrder {
        assumptions,
        tree: &tree,
        expansions: &[],
        packings: packings.to_vec(),
        node_splitting: None,
    };
    match check_order(program, &planned, &Budget::unlimited()).expect("no end of budget") {
        Ok(()) => "legal".to_owned(),
        Err(refusal) => refusal.to_string().trim_end().to_owned(),
    }
}

/// The verdict on a tree whose first loop is marked.
fn check(program: &str, mark: &str, loops: &str, expected: Expect) {
    expected.assert_eq(&verdict(
        program,
        &tree(program, &format!("mark: \"{mark}\"\nchild:\n{}", indented(loops))),
        &[],
    ));
}

fn tree(program: &str, root: &str) -> String {
    let domain = match program == COPY {
        true => "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j] : 0 <= i < n and 0 <= j < n }",
        false => "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }",
    };
    format!("domain: \"{domain}\"\nchild:\n{}", indented(root))
}

fn indented(text: &str) -> String {
    text.trim().lines().map(|line| format!("  {line}\n")).collect()
}

const OVER_I: &str = r#"
schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j] -> [(j)] }]"
child:
  sequence:
  - filter: "{ S[i, j] }"
  - filter: "{ T[i, j] }"
"#;

const ROWS: &str = r#"schedule: "[n] -> [{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]""#;
const COLUMNS: &str = r#"schedule: "[n] -> [{ S[i, j] -> [(j)] }, { S[i, j] -> [(i)] }]""#;

#[test]
fn a_scalar_is_a_race_unless_it_is_private() {
    check(COPY, "parallel(private t)", OVER_I, expect!["legal"]);
    check(COPY, "vector(8, private t)", OVER_I, expect!["legal"]);
    check(COPY, "jam(4, private t)", OVER_I, expect!["legal"]);
    check(
        COPY,
        "parallel",
        OVER_I,
        expect![
            "mark parallel: iterations share elements of t: [n] -> { S[i, j] -> S[i', j'] : i < i' < n and n > 0 and 0 <= i < n and 0 <= j < n and i' >= 0 and 0 <= j' < n; S[i, j] -> T[i', j'] : i < i' < n and n > 0 and 0 <= i < n and 0 <= j < n and i' >= 0 and 0 <= j' < n; T[i, j] -> S[i', j'] : i < i' < n and n > 0 and 0 <= i < n and 0 <= j < n and i' >= 0 and 0 <= j' < n }"
        ],
    );
}

#[test]
fn a_scalar_that_lives_on_is_not_private() {
    let lives_on = &COPY[..COPY.find("  kill").expect("a kill")];
    let domain = tree(
        COPY,
        &format!("mark: \"parallel(private t)\"\nchild:\n{}", indented(OVER_I)),
    );
    expect!["mark parallel(private t): a value of t may be used after the program"].assert_eq(&verdict(
        lives_on,
        &domain,
        &[],
    ));
}

#[test]
fn rows_of_sums_are_parallel_and_columns_are_not() {
    check(PRODUCT, "vector(8)", ROWS, expect![["legal"]]);
    check(PRODUCT, "parallel", ROWS, expect![["legal"]]);
    check(PRODUCT, "jam(4)", ROWS, expect![["legal"]]);
    check(
        PRODUCT,
        "jam(4)",
        COLUMNS,
        expect![
            "mark jam(4): iterations share elements of s: [n] -> { S[i, j] -> S[i' = i, j'] : j < j' < n and n > 0 and 0 <= i < n and 0 <= j < n and j' >= 0 }"
        ],
    );
    check(
        PRODUCT,
        "parallel",
        COLUMNS,
        expect![
            "mark parallel: iterations share elements of s: [n] -> { S[i, j] -> S[i' = i, j'] : j < j' < n and n > 0 and 0 <= i < n and 0 <= j < n and j' >= 0 }"
        ],
    );
    check(
        PRODUCT,
        "parallel(private s)",
        COLUMNS,
        expect!["mark parallel(private s): a value of s comes from another iteration, or from outside"],
    );
}

#[test]
fn what_is_no_loop_or_no_vector_is_refused() {
    check(
        PRODUCT,
        "vector(1)",
        ROWS,
        expect!["mark vector(1): a vector has two lanes or more"],
    );
    check(
        PRODUCT,
        "jam(1)",
        ROWS,
        expect!["mark jam(1): two iterations or more are jammed"],
    );
    check(
        PRODUCT,
        "parallel",
        "mark: \"mine\"\nchild:\n  schedule: \"[n] -> [{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]\"",
        expect!["mark parallel: there is no loop directly below"],
    );
}

/// `for (i) for (j) { t = A[i - 1][j + near]; A[i][j] = t + A[i][j - 1]; }`, in tiles where `tile` says so.
fn check_pipeline(near: &str, mark: &str, tile: &str, expected: Expect) {
    let program = format!(
        "program
  context: [n] -> {{ : n > 0 }}
  assumptions: [n] -> {{ : }}
  array t: scalar slot, 8 bytes
  array A: memory, 8 bytes, [][n]
  statement R
    domain: [n] -> {{ R[i, j] : 0 < i < n and 0 < j < n - 1 }}
    schedule: {{ R[i, j] -> [0, i, j, 0] }}
    read: [n] -> {{ R[i, j] -> A[i - 1, j{near}] }}
    write: [n] -> {{ R[i, j] -> t[] }}
  statement S
    domain: [n] -> {{ S[i, j] : 0 < i < n and 0 < j < n - 1 }}
    schedule: {{ S[i, j] -> [0, i, j, 1] }}
    read: [n] -> {{ S[i, j] -> t[] }}
    read: [n] -> {{ S[i, j] -> A[i, j - 1] }}
    write: [n] -> {{ S[i, j] -> A[i, j] }}
  kill: {{ end[] -> t[] }}
    schedule: {{ end[] -> [1, 0, 0, 0] }}
"
    );
    let member = |statement: &str, dim: &str| match tile {
        "" => format!("{{ {statement}[i, j] -> [({dim})] }}"),
        size => format!("{{ {statement}[i, j] -> [(floor(({dim})/{size}))] }}"),
    };
    let both = |dim: &str| format!("{}; {}", member("R", dim), member("S", dim)).replace(" }; { ", "; ");
    let points = "[n] -> [{ R[i, j] -> [(i)]; S[i, j] -> [(i)] }, { R[i, j] -> [(j)]; S[i, j] -> [(j)] }]";
    let loops = format!(
        "schedule: \"[n] -> [{}, {}]\"\nchild:\n  schedule: \"{points}\"\n  child:\n    sequence:\n    - filter: \"{{ R[i, j] }}\"\n    - filter: \"{{ S[i, j] }}\"",
        both("i"),
        both("j")
    );
    let domain = "[n] -> { R[i, j] : 0 < i < n and 0 < j < n - 1; S[i, j] : 0 < i < n and 0 < j < n - 1 }";
    let root = format!("mark: \"{mark}\"\nchild:\n{}", indented(&loops));
    let tree = format!("domain: \"{domain}\"\nchild:\n{}", indented(&root));
    expected.assert_eq(&verdict(&program, &tree, &[]));
}

#[test]
fn rows_of_a_pipeline_may_not_overtake() {
    check_pipeline("", "pipeline(private t)", "", expect!["legal"]);
    check_pipeline("", "pipeline(private t)", "32", expect!["legal"]);
    check_pipeline(" - 1", "pipeline(private t)", "32", expect!["legal"]);
    check_pipeline(
        " + 1",
        "pipeline(private t)",
        "",
        expect![
            "mark pipeline(private t): iterations share elements of A: [n] -> { S[i, j] -> R[i' = 1 + i, j' = -1 + j] : n > 0 and 0 < i <= -2 + n and 2 <= j <= -2 + n; S[i, j] -> S[i' = i, j' = 1 + j] : n > 0 and 0 < i < n and 0 < j <= -3 + n }"
        ],
    );
    check_pipeline(
        " + 1",
        "pipeline(private t)",
        "32",
        expect!["dependence S[1, 32] -> R[2, 31] is not executed in order, for n = 34"],
    );
    // The value that a row has in `t` would be another one's.
    check_pipeline(
        "",
        "pipeline",
        "32",
        expect![
            "mark pipeline: iterations share elements of t: [n] -> { R[i, j] -> R[i', j'] : i < i' < n and n > 0 and 0 < i < n and 0 < j <= -2 + n and i' > 0 and 0 < j' <= -2 + n; R[i, j] -> R[i' = i, j'] : j < j' <= -2 + n and n > 0 and 0 < i < n and 0 < j <= -2 + n and j' > 0; R[i, j] -> S[i', j'] : i < i' < n and n > 0 and 0 < i < n and 0 < j <= -2 + n and i' > 0 and 0 < j' <= -2 + n; R[i, j] -> S[i' = i, j'] : j <= j' <= -2 + n and n > 0 and 0 < i < n and 0 < j <= -2 + n and j' > 0; S[i, j] -> R[i', j'] : i < i' < n and n > 0 and 0 < i < n and 0 < j <= -2 + n and i' > 0 and 0 < j' <= -2 + n; S[i, j] -> R[i' = i, j'] : j < j' <= -2 + n and n > 0 and 0 < i < n and 0 < j <= -2 + n and j' > 0 }"
        ],
    );
    // Iterations of rows are not independent.
    check_pipeline(
        "",
        "parallel(private t)",
        "32",
        expect![
            "mark parallel(private t): iterations share elements of A: [n] -> { S[i, j] -> R[i' = 1 + i, j' = j] : ((i) mod 32) = 31 and n > 0 and 0 < i <= -2 + n and 0 < j <= -2 + n }"
        ],
    );
}

#[test]
fn a_mark_does_not_make_a_wrong_order_right() {
    check(
        COPY,
        "parallel(private t)",
        &OVER_I
            .replace("{ S[i, j] }", "{ X[i, j] }")
            .replace("{ T[i, j] }", "{ S[i, j] }")
            .replace("{ X[i, j] }", "{ T[i, j] }"),
        expect!["dependence S[0, 0] -> T[0, 0] is not executed in order, for n = 1"],
    );
}

/// A product whose rows of `A` are copied to a buffer, 32 columns at a time.
fn packed(copy_in: &str, size: &str, places: &str) -> String {
    verdict(PRODUCT, &tree(PRODUCT, &in_buffer(copy_in)), &[packing(size, places)])
}

fn in_buffer(copy_in: &str) -> String {
    format!(
        r#"
schedule: "[n] -> [{{ S[i, j] -> [(floor((j)/32))] }}]"
child:
  mark: "pack(A, P)"
  child:
    extension: "{copy_in}"
    child:
      sequence:
      - filter: "{{ in[c, i, j] }}"
      - filter: "{{ S[i, j] }}"
        child:
          schedule: "[n] -> [{{ S[i, j] -> [(i)] }}, {{ S[i, j] -> [(j)] }}]"
"#
    )
}

/// A buffer for `A`, with a copy in.
fn packing(size: &str, places: &str) -> Packing {
    let tuple = |set: &str| -> Tuple { set.parse::<Set>().expect("a set").tuple().clone() };
    Packing {
        array: tuple("{ A[i, j] }"),
        buffer: "P".into(),
        places: places.parse().expect("a relation"),
        size: size.parse().expect("a set"),
        tiles: None,
        copy_in: Some(tuple("{ in[c, i, j] }")),
        copy_out: None,
    }
}

const IN: &str = "[n] -> { [c] -> in[c' = c, i, j] : 0 <= i < n and 0 <= j < n and 32c <= j <= 32c + 31 }";
const SIZE: &str = "[n] -> { [r, k] : 0 <= r < n and 0 <= k < 32 }";
const PLACES: &str = "{ A[i, j] -> [i, (j) mod 32] }";

#[test]
fn copies_cover_what_is_read() {
    expect![["legal"]].assert_eq(&packed(IN, SIZE, PLACES));
    // The last column of each tile is missing.
    expect!["packed array A: an element is read that was not copied in"].assert_eq(&packed(
        &IN.replace("32c + 31", "32c + 30"),
        SIZE,
        PLACES,
    ));
    // There is no room for the last column.
    expect!["packed array A: the buffer is too small"].assert_eq(&packed(
        IN,
        &SIZE.replace("k < 32", "k < 31"),
        PLACES,
    ));
    // Two columns share a place.
    expect!["packed array A: two elements have the same place in the buffer"].assert_eq(&packed(
        IN,
        SIZE,
        "{ A[i, j] -> [i, (j) mod 16] }",
    ));
}

#[test]
fn a_buffer_holds_one_tile() {
    let in_tiles = |tiles: &str| {
        let packing = Packing {
            tiles: Some(tiles.parse().expect("a relation")),
            ..packing(SIZE, PLACES)
        };
        verdict(PRODUCT, &tree(PRODUCT, &in_buffer(IN)), &[packing])
    };
    expect!["legal"].assert_eq(&in_tiles("{ A[i, j] -> [floor(j/32)] }"));
    // Tiles begin elsewhere.
    expect!["packed array A: elements of several tiles are accessed at once"]
        .assert_eq(&in_tiles("{ A[i, j] -> [floor((j + 1)/32)] }"));
}

#[test]
fn a_buffer_is_of_one_iteration_at_a_time() {
    let rows = |mark: &str| {
        let root = format!(
            r#"
mark: "{mark}"
child:
  schedule: "[n] -> [{{ S[i, j] -> [(i)] }}]"
  child:
    mark: "pack(A, P)"
    child:
      extension: "[n] -> {{ [r] -> in[r' = r, i = r, j] : 0 <= r < n and 0 <= j < n }}"
      child:
        sequence:
        - filter: "{{ in[r, i, j] }}"
        - filter: "{{ S[i, j] }}"
          child:
            schedule: "[n] -> [{{ S[i, j] -> [(j)] }}]"
"#
        );
        let packing = packing("[n] -> { [k] : 0 <= k < n }", "{ A[i, j] -> [j] }");
        verdict(PRODUCT, &tree(PRODUCT, &root), &[packing])
    };
    expect!["legal"].assert_eq(&rows("rows"));
    // Each thread has a buffer of its own.
    expect!["legal"].assert_eq(&rows("parallel"));
    expect!["packed array A: iterations around its buffer run at the same time"].assert_eq(&rows("jam(4)"));
    expect!["packed array A: iterations around its buffer run at the same time"].assert_eq(&rows("vector(4)"));
}

/// The verdict on `[i/8, j] { mark [i] }`.
fn around_lanes(program: &str, mark: &str) -> String {
    let root = format!(
        r#"
schedule: "[n] -> [{{ S[i, j] -> [(floor((i)/8))] }}, {{ S[i, j] -> [(j)] }}]"
child:
  mark: "{mark}"
  child:
    mark: "vector(8)"
    child:
      schedule: "[n] -> [{{ S[i, j] -> [(i)] }}]"
"#
    );
    verdict(program, &tree(program, &root), &[])
}

#[test]
fn what_a_block_loads_is_written_by_no_other_instance() {
    expect!["legal"].assert_eq(&around_lanes(PRODUCT, "block(8, A)"));
    // What stays along the loop is accessed in each iteration.
    expect!["legal"].assert_eq(&around_lanes(PRODUCT, "block(8, s)"));
    expect!["legal"].assert_eq(&updated("k < j", "block(8, A)"));
    expect!["mark block(8, A): iterations share elements of A: [n] -> { S[i, j, k = j] -> S[i' = i, j' = j, k'] : exists (e0: i < n and 0 <= j < i and 0 <= k' < j and -7 + i <= 8e0 <= i) }"].assert_eq(&updated("k <= j", "block(8, A)"));
    expect!["mark block(1, A): a block has two iterations or more"].assert_eq(&around_lanes(PRODUCT, "block(1, A)"));
    expect!["mark block(8, B): an array is none of the program's"].assert_eq(&around_lanes(PRODUCT, "block(8, B)"));
    // Each instance updates an element of its own.
    let update = PRODUCT.replace("-> s[i] }", "-> A[i, j] }");
    expect!["legal"].assert_eq(&around_lanes(&update, "block(8, A)"));
    // The next iteration reads what this one writes.
    let next = PRODUCT.replace(
        "read: [n] -> { S[i, j] -> s[i] }",
        "read: [n] -> { S[i, j] -> A[i, j - 1] }",
    );
    let next = next.replace(
        "write: [n] -> { S[i, j] -> s[i] }",
        "write: [n] -> { S[i, j] -> A[i, j] }",
    );
    expect!["mark block(8, A): iterations share elements of A: [n] -> { S[i, j] -> S[i' = i, j' = 1 + j] : exists (e0: n > 0 and -7 + i <= 8e0 <= i and 0 <= i < n and 0 <= j <= -2 + n) }"].assert_eq(&around_lanes(&next, "block(8, A)"));
}

#[test]
fn what_is_kept_is_of_one_lane() {
    expect!["legal"].assert_eq(&around_lanes(PRODUCT, "keep(s)"));
    // Four iterations inside of the loop share an element.
    let copies = r#"
schedule: "[n] -> [{ S[i, j] -> [(floor((i)/8))] }, { S[i, j] -> [(floor((j)/4))] }]"
child:
  mark: "keep(s)"
  child:
    schedule: "[n] -> [{ S[i, j] -> [(j)] }]"
    child:
      mark: "vector(8)"
      child:
        schedule: "[n] -> [{ S[i, j] -> [(i)] }]"
"#;
    expect!["mark keep(s): iterations share elements of s: [n] -> { S[i, j] -> S[i' = i, j'] : exists (e0: j < j' < n and n > 0 and -7 + i <= 8e0 <= i and 0 <= i < n and 0 <= j < n and j' >= 0) }"].assert_eq(&verdict(PRODUCT, &tree(PRODUCT, copies), &[]));
    expect!["mark keep(s): there is no loop directly above"].assert_eq(&verdict(
        PRODUCT,
        &tree(PRODUCT, &format!("mark: \"keep(s)\"\nchild:\n{}", indented(ROWS))),
        &[],
    ));
}

/// The verdict on `[i/8, j, k] { mark [i] }` for `A[i][j] -= A[i][k] * A[j][k]` where `j < i`, and `limit` holds.
fn updated(limit: &str, mark: &str) -> String {
    let domain = format!("[n] -> {{ S[i, j, k] : i < n and 0 <= j < i and 0 <= k and {limit} }}");
    let program = format!(
        "program
  context: [n] -> {{ : n > 0 }}
  assumptions: [n] -> {{ : }}
  array A: memory, 8 bytes, [][n]
  statement S
    domain: {domain}
    schedule: {{ S[i, j, k] -> [i, j, k] }}
    read: [n] -> {{ S[i, j, k] -> A[i, j] }}
    read: [n] -> {{ S[i, j, k] -> A[i, k] }}
    read: [n] -> {{ S[i, j, k] -> A[j, k] }}
    write: [n] -> {{ S[i, j, k] -> A[i, j] }}
"
    );
    let tree = format!(
        r#"domain: "{domain}"
child:
  schedule: "[n] -> [{{ S[i, j, k] -> [(floor((i)/8))] }}, {{ S[i, j, k] -> [(j)] }}, {{ S[i, j, k] -> [(k)] }}]"
  child:
    mark: "{mark}"
    child:
      mark: "vector(8)"
      child:
        schedule: "[n] -> [{{ S[i, j, k] -> [(i)] }}]"
"#
    );
    verdict(&program, &tree, &[])
}

#[test]
fn what_stays_in_a_register_is_read_by_no_other_subscripts() {
    expect!["legal"].assert_eq(&updated("k < j", "keep(A)"));
    expect!["mark keep(A): iterations share elements of A: [n] -> { S[i, j, k = j] -> S[i' = i, j' = j, k'] : exists (e0: i < n and 0 <= j < i and 0 <= k' <= j and -7 + i <= 8e0 <= i) }"].assert_eq(&updated("k <= j", "keep(A)"));
}

/// The verdict on `[i/8, 2i + j] { shift(A) vector(8) [i] }` for a statement that writes `A[i][j]`, and reads this.
fn handed_on(read: &str) -> String {
    let domain = "[n] -> { S[i, j] : 1 <= i < n and 1 <= j < n - 1 }";
    let program = format!(
        "program
  context: [n] -> {{ : n > 3 }}
  assumptions: [n] -> {{ : }}
  array A: memory, 8 bytes, [][n]
  statement S
    domain: {domain}
    schedule: {{ S[i, j] -> [i, j] }}
    read: [n] -> {{ S[i, j] -> A[i, j - 1] }}
    read: [n] -> {{ S[i, j] -> {read} }}
    write: [n] -> {{ S[i, j] -> A[i, j] }}
"
    );
    let tree = format!(
        r#"domain: "{domain}"
child:
  schedule: "[n] -> [{{ S[i, j] -> [(floor((i)/8))] }}, {{ S[i, j] -> [(2i + j)] }}]"
  child:
    mark: "shift(A)"
    child:
      mark: "vector(8)"
      child:
        schedule: "[n] -> [{{ S[i, j] -> [(i)] }}]"
"#
    );
    verdict(&program, &tree, &[])
}

#[test]
fn what_lanes_hand_on_meets_at_one_distance() {
    expect!["legal"].assert_eq(&handed_on("A[i - 1, j + 1]"));
    // What is written later is not handed on.
    expect!["legal"].assert_eq(&handed_on("A[i + 1, j + 1]"));
    // The first element of a row is read by all iterations, but written by none.
    expect!["legal"].assert_eq(&handed_on("A[i, 0]"));
    // The second one is written by the first iteration.
    expect!["mark shift(A): iterations share elements of A: [n] -> { S[i, j] -> S[i' = i, j' = 1] : exists (e0: 0 < i < n and 0 < j <= -2 + n and n >= 3 and -7 + i <= 8e0 <= i) }"].assert_eq(&handed_on("A[i, 1]"));
    // Rows come nearer.
    expect!["mark shift(A): iterations share elements of A: [n] -> { S[i, j] -> S[i' = i, j'] : exists (e0: 2j' = j and 0 < i < n and 0 < j' <= -2 + n and 2j' <= -2 + n and -7 + i <= 8e0 <= i) }"].assert_eq(&handed_on("A[i, o] : 2o = j"));
}

/// The verdict on an order of a program `for (i) S: a[i] = 0;` that is used where `assumptions` hold. `context` is what the tree says of
/// the parameters.
fn executed(assumptions: &str, context: &str, root: &str) -> String {
    let program = "program
  context: [n] -> { : n > 0 }
  assumptions: [n] -> { : n < 100 }
  array a: memory, 8 bytes, []
  statement S
    domain: [n] -> { S[i] : 0 <= i < n }
    schedule: { S[i] -> [i] }
    write: [n] -> { S[i] -> a[i] }
";
    let program: Program = program.parse().unwrap_or_else(|error| panic!("{error}"));
    let above = match context {
        "" => String::new(),
        context => format!("child:\n  context: \"{context}\"\n"),
    };
    let lines = |text: &str, n: usize| -> String {
        let lines = text.trim_matches('\n').lines();
        lines.map(|line| format!("{:n$}{line}\n", "")).collect()
    };
    let (domain, root) = match root.split_once(" => ") {
        Some((domain, root)) => (domain, root),
        None => ("[n] -> { S[i] : 0 <= i < n }", root),
    };
    let text = match above.is_empty() {
        true => format!("domain: \"{domain}\"\nchild:\n{}", lines(root, 2)),
        false => format!("domain: \"{domain}\"\n{above}  child:\n{}", lines(root, 4)),
    };
    verdict_where(&program, &assumptions.parse().expect("a set"), &text, &[])
}

const BOUNDED: &str = "[n] -> { : n < 100 }";
const LOOP: &str = r#"schedule: "[{ S[i] -> [(i)] }]""#;

/// A tree of a sequence of filters.
fn sequence(filters: &[&str]) -> String {
    let children = filters
        .iter()
        .map(|filter| format!("- filter: \"[n] -> {filter}\"\n  child:\n    {LOOP}\n"));
    format!("sequence:\n{}", children.collect::<String>())
}

#[test]
fn all_instances_are_executed() {
    let check = |root: &str, expected: Expect| expected.assert_eq(&executed(BOUNDED, "", root));
    check(LOOP, expect!["legal"]);
    // Another way to write the same domain, for the sizes for which the plan is used.
    check(
        &format!("[n] -> {{ S[i] : 0 <= i < n and i < 100 }} => {LOOP}"),
        expect!["legal"],
    );
    check(
        &format!("[n] -> {{ S[i] : 0 < i < n }} => {LOOP}"),
        expect!["instance S[0] is not executed, for n = 1"],
    );
    check(
        &format!("[n] -> {{ S[i] : 0 <= i < n and i < 99 }} => {LOOP}"),
        expect!["legal"],
    );
    check(&sequence(&["{ S[i] : i < 4 }", "{ S[i] : i >= 4 }"]), expect!["legal"]);
    check(
        &sequence(&["{ S[i] : i < 4 }", "{ S[i] : i > 4 }"]),
        expect!["instance S[4] is not executed, for n = 5"],
    );
    // Nothing is there for the sizes for which the plan is used.
    check(
        &sequence(&["{ S[i] : i < 50 }", "{ S[i] : 50 <= i < 99 }"]),
        expect!["legal"],
    );
    check(
        r#"schedule: "[{ S[i] -> [(i)] : i > 0 }]""#,
        expect!["instance S[0] is not executed, for n = 1"],
    );
    check(
        r#"schedule: "[{ S[i] -> [(i/2)] }]""#,
        expect!["instance S[1] is not executed, for n = 2"],
    );
    check(r#"schedule: "[{ S[i] -> [(2i)] }]""#, expect!["legal"]);
    check(
        &format!("filter: \"{{ S[i] : i > 2 }}\"\nchild:\n  {LOOP}"),
        expect!["instance S[0] is not executed, for n = 1"],
    );
    check(
        &format!("guard: \"[n] -> {{ [] : n > 2 }}\"\nchild:\n  {LOOP}"),
        expect!["instance S[0] is not executed, for n = 1"],
    );
    check(
        &format!("guard: \"[n] -> {{ [] : n > 0 }}\"\nchild:\n  {LOOP}"),
        expect!["legal"],
    );
}

#[test]
fn no_other_instances_are_executed() {
    let check = |root: &str, expected: Expect| expected.assert_eq(&executed(BOUNDED, "", root));
    check(
        &format!("[n] -> {{ S[i] : 0 <= i <= n }} => {LOOP}"),
        expect!["instance S[99] is executed, but none of the program's, for n = 99"],
    );
    check(
        &sequence(&["{ S[i] : i <= 4 }", "{ S[i] : i >= 4 }"]),
        expect!["instance S[4] is executed more than once, for n = 5"],
    );
    check(
        &sequence(&["{ S[i] }", "{ S[i] : i >= 4 }"]),
        expect!["instance S[4] is executed more than once, for n = 5"],
    );
    check(
        &format!(
            "[n] -> {{ S[i] : 0 <= i < n; X[i] : i = n }} => {}",
            r#"schedule: "[{ S[i] -> [(i)]; X[i] -> [(i)] }]""#
        ),
        expect!["instance X[99] is executed, but none of the program's, for n = 99"],
    );
    // Two instances of each of the program's.
    let expansion = |of: &str| {
        format!(
            "[n] -> {{ G[i] : 0 <= 2i < n }} => schedule: \"[{{ G[i] -> [(i)] }}]\"\nchild:\n  contraction: \"{{ S[i] -> G[floor(i/2)] }}\"\n  expansion: \"[n] -> {{ G[g] -> S[i] : {of} }}\"\n  child:\n    {LOOP}"
        )
    };
    check(&expansion("2g <= i <= 2g + 1 and i < n"), expect!["legal"]);
    check(
        &expansion("2g <= i <= 2g + 1"),
        expect!["instance S[1] is executed, but none of the program's, for n = 1"],
    );
    check(
        &expansion("i = 2g"),
        expect!["instance S[1] is not executed, for n = 2"],
    );
    check(
        &expansion("2g <= i <= 2g + 2 and i < n"),
        expect![
            "the expansion at /0 has pairs that are not in its contraction, [n] -> { G[g] -> S[i = 2 + 2g] : 2g <= -3 + n and g >= 0 }"
        ],
    );
    check(
        "extension: \"[n] -> { [] -> S[i] : i = 3 }\"\nchild:\n  schedule: \"[{ S[i] -> [(i)] }]\"",
        expect!["an extension adds S[i], which copies nothing"],
    );
    check(
        &format!(
            "extension: \"[n] -> {{ [] -> X[i] : i = 3 }}\"\nchild:\n  sequence:\n  - filter: \"{{ X[i] }}\"\n  - filter: \"{{ S[i] }}\"\n    child:\n      {LOOP}"
        ),
        expect!["an extension adds X[i], which copies nothing"],
    );
}

#[test]
fn a_context_covers_what_the_plan_is_used_for() {
    let check = |assumptions: &str, context: &str, expected: Expect| {
        expected.assert_eq(&executed(assumptions, context, LOOP));
    };
    check(BOUNDED, BOUNDED, expect!["legal"]);
    // What the program's context says need not be in it.
    check(BOUNDED, "[n] -> { : 1 <= n < 100 }", expect!["legal"]);
    check(
        BOUNDED,
        "[n] -> { : 8 <= n < 100 }",
        expect!["a context excludes n = 1, for which the plan is used"],
    );
    check(
        "[n] -> { : 8 <= n < 100 }",
        "[n] -> { : 8 <= n < 100 }",
        expect!["legal"],
    );
    check(
        "[n] -> { : 8 <= n <= 100 }",
        "[n] -> { : 8 <= n <= 100 }",
        expect!["the program excludes n = 100, for which the plan is used"],
    );
    // What an inner context says has to hold, too.
    let inner = |facts: &str| {
        let root = format!("{LOOP}\nchild:\n  context: \"{facts}\"");
        executed(BOUNDED, "", &root)
    };
    expect!["legal"].assert_eq(&inner("[n] -> { [i] : i < n }"));
    expect!["a context excludes n = 1, for which the plan is used"].assert_eq(&inner("[n] -> { [i] : 0 < i < n }"));
}

#[test]
fn a_copy_does_not_stand_for_instances() {
    // The rows beyond 4 are only copied.
    let missing = |filter: &str| {
        let root = format!(
            r#"
schedule: "[n] -> [{{ S[i, j] -> [(floor((j)/32))] }}]"
child:
  mark: "pack(A, P)"
  child:
    extension: "{IN}"
    child:
      sequence:
      - filter: "{{ in[c, i, j] }}"
      - filter: "{filter}"
        child:
          schedule: "[n] -> [{{ S[i, j] -> [(i)] }}, {{ S[i, j] -> [(j)] }}]"
"#
        );
        verdict(PRODUCT, &tree(PRODUCT, &root), &[packing(SIZE, PLACES)])
    };
    expect!["instance S[4, 4] is not executed, for n = 5"].assert_eq(&missing("{ S[i, j] : i < 4 }"));
    expect!["legal"].assert_eq(&missing("{ S[i, j] }"));
}
