//! Plans with kernels for a device: what is mapped, what the checker accepts, and what it refuses.
#![forbid(unsafe_code)]

use std::cell::RefCell;
use std::fmt::{Display, Write};

use expect_test::{Expect, expect};
use farkas_plan::target::{Gpu, Target};
use farkas_plan::{Choices, Offload, PlannedOrder, Stage, Transform, check_order, plan_kernels};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::program::Program;
use farkas_polyhedral::program::text::programs;
use farkas_polyhedral::tree::Tree;

/// `for (i) for (j) { Z: C[i][j] = 0; for (k) S: C[i][j] += A[i][k] * B[k][j]; }`
const PRODUCT: &str = "program
  context: [n] -> { : n > 0 }
  assumptions: [n] -> { : }
  array A: memory, 8 bytes, [][n]
  array B: memory, 8 bytes, [][n]
  array C: memory, 8 bytes, [][n]
  statement Z
    domain: [n] -> { Z[i, j] : 0 <= i < n and 0 <= j < n }
    schedule: { Z[i, j] -> [i, j, 0, 0] }
    write: [n] -> { Z[i, j] -> C[i, j] }
  statement S
    domain: [n] -> { S[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }
    schedule: { S[i, j, k] -> [i, j, 1, k] }
    read: [n] -> { S[i, j, k] -> A[i, k] }
    read: [n] -> { S[i, j, k] -> B[k, j] }
    read: [n] -> { S[i, j, k] -> C[i, j] }
    write: [n] -> { S[i, j, k] -> C[i, j] }
";

/// `for (i) for (j) s[i] += A[i][j];`
const ROWS: &str = "program
  context: [n] -> { : n > 0 }
  assumptions: [n] -> { : }
  array A: memory, 8 bytes, [][n]
  array s: memory, 8 bytes, []
  statement S
    domain: [n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }
    schedule: { S[i, j] -> [i, j] }
    read: [n] -> { S[i, j] -> A[i, j] }
    read: [n] -> { S[i, j] -> s[i] }
    write: [n] -> { S[i, j] -> s[i] }
";

/// `for (t) { for (i) B[i] = A[i - 1] + A[i + 1]; for (i) A[i] = B[i]; }`
const STENCIL: &str = "program
  context: [n, m] -> { : }
  assumptions: [n, m] -> { : }
  array A: memory, 8 bytes, []
  array B: memory, 8 bytes, []
  statement S
    domain: [n, m] -> { S[t, i] : 0 <= t < m and 0 < i < n }
    schedule: { S[t, i] -> [t, 0, i] }
    read: [n, m] -> { S[t, i] -> A[i - 1] }
    read: [n, m] -> { S[t, i] -> A[i + 1] }
    write: [n, m] -> { S[t, i] -> B[i] }
  statement T
    domain: [n, m] -> { T[t, i] : 0 <= t < m and 0 < i < n }
    schedule: { T[t, i] -> [t, 1, i] }
    read: [n, m] -> { T[t, i] -> B[i] }
    write: [n, m] -> { T[t, i] -> A[i] }
";

/// `for (i) { S: t = a[i]; T: b[i] = t; }`; `t` is not used afterwards.
const COPY: &str = "program
  context: [n] -> { : n > 0 }
  assumptions: [n] -> { : }
  array t: scalar slot, 8 bytes
  array a: memory, 8 bytes, []
  array b: memory, 8 bytes, []
  statement S
    domain: [n] -> { S[i] : 0 <= i < n }
    schedule: { S[i] -> [0, i, 0] }
    read: [n] -> { S[i] -> a[i] }
    write: [n] -> { S[i] -> t[] }
  statement T
    domain: [n] -> { T[i] : 0 <= i < n }
    schedule: { T[i] -> [0, i, 1] }
    read: [n] -> { T[i] -> t[] }
    write: [n] -> { T[i] -> b[i] }
  kill: { end[] -> t[] }
    schedule: { end[] -> [1, 0, 0] }
";

fn program(text: &str) -> Program {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// The loops of a program's plan, or why there is none.
fn check_loops(text: &str, expected: Expect) {
    check_stage(text, Stage::Ast, expected);
}

/// A stage of a program's plan, or why there is none.
fn check_stage(text: &str, wanted: Stage, expected: Expect) {
    let shown = RefCell::new(String::new());
    let show = |stage: Stage, text: &dyn Display| {
        if stage == wanted {
            write!(shown.borrow_mut(), "{text}").expect("a string takes all text");
        }
    };
    let outcome = match plan_kernels(&program(text), Offload::Always, &show, &Budget::unlimited()) {
        Ok(plan) => format!("# {}\n{}", plan.summary(), shown.into_inner()),
        Err(kept) => format!("# {kept}\n"),
    };
    expected.assert_eq(&outcome);
}

#[test]
fn threads_of_a_product_have_several_points() {
    check_stage(
        PRODUCT,
        Stage::Plan,
        expect![[r##"
            # kernel in blocks of 8 x 32 threads, kernel in blocks of 16 x 16 threads with 4 x 4 points each, B and A in shared memory
            domain: "[n] -> { Z[i, j] : 0 <= i < n and 0 <= j < n; S[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
            child:
              sequence:
              - filter: "{ Z[i, j] }"
                child:
                  mark: "kernel"
                  child:
                    mark: "blocks(2)"
                    child:
                      schedule: "[n] -> [{ Z[i, j] -> [(floor((i)/8))] }, { Z[i, j] -> [(floor((j)/32))] }]"
                      permutable: 1
                      coincident: [ 1, 1 ]
                      child:
                        mark: "threads(8 32)"
                        child:
                          schedule: "[n] -> [{ Z[i, j] -> [(i)] }, { Z[i, j] -> [(j)] }]"
                          permutable: 1
                          coincident: [ 1, 1 ]
              - filter: "{ S[i, j, k] }"
                child:
                  mark: "kernel"
                  child:
                    mark: "blocks(2)"
                    child:
                      schedule: "[n] -> [{ S[i, j, k] -> [(floor((i)/64))] }, { S[i, j, k] -> [(floor((j)/64))] }]"
                      permutable: 1
                      coincident: [ 1, 1 ]
                      options: "{ full_tiles[(64), (64)] }"
                      child:
                        sequence:
                        - filter: "[n] -> { S[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n and floor((i)/64) >= 0 and n >= 64 + 64*floor((i)/64) and floor((j)/64) >= 0 and n >= 64 + 64*floor((j)/64) }"
                          child:
                            schedule: "[n] -> [{ S[i, j, k] -> [(floor((k)/16))] }]"
                            permutable: 1
                            options: "{ full_tiles[(16)] }"
                            child:
                              mark: "pack(B, B.S)"
                              child:
                                extension: "[n] -> { [i0, i1, i2] -> B.S.in[(i0), (i1), (i2), o3, o4] : 16i2 <= o3 <= 15 + 16i2 and 64i1 <= o4 <= 63 + 64i1 and 0 <= o3 < n and i0 >= 0 and 64i0 <= -64 + n and i1 >= 0 and 64i1 <= -64 + n }"
                                child:
                                  sequence:
                                  - filter: "{ B.S.in[i0, i1, i2, i3, i4] }"
                                    child:
                                      schedule: "[{ B.S.in[i0, i1, i2, i3, i4] -> [(floor((i3)/16))] }, { B.S.in[i0, i1, i2, i3, i4] -> [(floor((i4)/16))] }]"
                                      permutable: 1
                                      coincident: [ 1, 1 ]
                                      child:
                                        mark: "threads(16 16)"
                                        child:
                                          schedule: "[{ B.S.in[i0, i1, i2, i3, i4] -> [(i3)] }, { B.S.in[i0, i1, i2, i3, i4] -> [(i4)] }]"
                                          permutable: 1
                                          coincident: [ 1, 1 ]
                                  - filter: "{ S[i, j, k] }"
                                    child:
                                      mark: "pack(A, A.S)"
                                      child:
                                        extension: "[n] -> { [i0, i1, i2] -> A.S.in[(i0), (i1), (i2), o3, o4] : 64i0 <= o3 <= 63 + 64i0 and 16i2 <= o4 <= 15 + 16i2 and 0 <= o4 < n and i0 >= 0 and 64i0 <= -64 + n and i1 >= 0 and 64i1 <= -64 + n }"
                                        child:
                                          sequence:
                                          - filter: "{ A.S.in[i0, i1, i2, i3, i4] }"
                                            child:
                                              schedule: "[{ A.S.in[i0, i1, i2, i3, i4] -> [(floor((i3)/16))] }, { A.S.in[i0, i1, i2, i3, i4] -> [(floor((i4)/16))] }]"
                                              permutable: 1
                                              coincident: [ 1, 1 ]
                                              child:
                                                mark: "threads(16 16)"
                                                child:
                                                  schedule: "[{ A.S.in[i0, i1, i2, i3, i4] -> [(i3)] }, { A.S.in[i0, i1, i2, i3, i4] -> [(i4)] }]"
                                                  permutable: 1
                                                  coincident: [ 1, 1 ]
                                          - filter: "{ S[i, j, k] }"
                                            child:
                                              schedule: "[n] -> [{ S[i, j, k] -> [(k)] }]"
                                              permutable: 1
                                              child:
                                                schedule: "[n] -> [{ S[i, j, k] -> [(floor((i)/16))] }, { S[i, j, k] -> [(floor((j)/16))] }]"
                                                permutable: 1
                                                coincident: [ 1, 1 ]
                                                options: "{ unroll[(0)]; unroll[(1)] }"
                                                child:
                                                  mark: "threads(16 16)"
                                                  child:
                                                    schedule: "[n] -> [{ S[i, j, k] -> [(i)] }, { S[i, j, k] -> [(j)] }]"
                                                    permutable: 1
                                                    coincident: [ 1, 1 ]
                        - filter: "[n] -> { S[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n and n <= 63 + 64*floor((i)/64); S[i, j, k] : i >= 0 and 0 <= j < n and 0 <= k < n and 64 + 64*floor((i)/64) <= n <= 63 + 64*floor((j)/64) }"
                          child:
                            schedule: "[n] -> [{ S[i, j, k] -> [(floor((i)/16))] }, { S[i, j, k] -> [(floor((j)/16))] }]"
                            permutable: 1
                            coincident: [ 1, 1 ]
                            child:
                              mark: "threads(16 16)"
                              child:
                                schedule: "[n] -> [{ S[i, j, k] -> [(i)] }, { S[i, j, k] -> [(j)] }]"
                                permutable: 1
                                coincident: [ 1, 1 ]
                                child:
                                  schedule: "[n] -> [{ S[i, j, k] -> [(k)] }]"
                                  permutable: 1
        "##]],
    );
}

#[test]
fn a_sum_of_rows_has_a_thread_for_each() {
    check_loops(
        ROWS,
        expect![[r#"
        # kernel in blocks of 256 threads
        // kernel
        // blocks(1)
        // parallel
        // blocks x
        for (int c0 = 0; c0 <= floord(n - 1, 256); c0 += 1) {
          // threads(256)
          // parallel
          // threads x
          for (int c1 = 256 * c0; c1 <= min(n - 1, 256 * c0 + 255); c1 += 1)
            for (int c2 = 0; c2 < n; c2 += 1)
              S(c1, c2);
        }
    "#]],
    );
}

#[test]
fn loops_over_time_stay_on_the_host() {
    check_loops(
        STENCIL,
        expect![[r#"
        # kernel in blocks of 256 threads
        for (int c0 = 0; c0 < m; c0 += 1) {
          // kernel
          // blocks(1)
          // parallel
          // blocks x
          for (int c1 = 0; c1 <= floord(n - 1, 256); c1 += 1) {
            // threads(256)
            // parallel
            // threads x
            for (int c2 = max(1, 256 * c1); c2 <= min(n - 1, 256 * c1 + 255); c2 += 1)
              S(c0, c2);
          }
          // kernel
          // blocks(1)
          // parallel
          // blocks x
          for (int c1 = 0; c1 <= floord(n - 1, 256); c1 += 1) {
            // threads(256)
            // parallel
            // threads x
            for (int c2 = max(1, 256 * c1); c2 <= min(n - 1, 256 * c1 + 255); c2 += 1)
              T(c0, c2);
          }
        }
    "#]],
    );
}

#[test]
fn scalars_are_private_to_threads() {
    check_loops(
        COPY,
        expect![[r#"
        # kernel in blocks of 256 threads
        // kernel(private t)
        // blocks(1)
        // parallel, private t
        // blocks x
        for (int c0 = 0; c0 <= floord(n - 1, 256); c0 += 1) {
          // threads(256)
          // parallel, private t
          // threads x
          for (int c1 = 256 * c0; c1 <= min(n - 1, 256 * c0 + 255); c1 += 1) {
            S(c1);
            T(c1);
          }
        }
    "#]],
    );
}

#[test]
fn a_statement_without_a_coincident_loop() {
    check_loops(
        "program
  context: [n] -> { : n > 0 }
  assumptions: [n] -> { : }
  array a: memory, 8 bytes, []
  statement S
    domain: [n] -> { S[i] : 0 < i < n }
    schedule: { S[i] -> [i] }
    read: [n] -> { S[i] -> a[i - 1] }
    write: [n] -> { S[i] -> a[i] }
",
        expect![[r#"
            # a statement is in no loop whose iterations may run at the same time on a device
        "#]],
    );
}

/// The verdict on a tree of the product, whose statement `Z` comes first, with these nodes for `S`.
fn check_product(root: &str, expected: Expect) {
    let inside: String = root.trim().lines().map(|line| format!("        {line}\n")).collect();
    let tree = format!(
        r#"
domain: "[n] -> {{ Z[i, j] : 0 <= i < n and 0 <= j < n; S[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }}"
child:
  sequence:
  - filter: "[n] -> {{ Z[i, j] }}"
    child:
      schedule: "[n] -> [{{ Z[i, j] -> [(i)] }}, {{ Z[i, j] -> [(j)] }}]"
  - filter: "[n] -> {{ S[i, j, k] }}"
    child:
{inside}"#
    );
    check(PRODUCT, &tree, expected);
}

fn check(text: &str, tree: &str, expected: Expect) {
    let program = program(text);
    let tree: Tree = tree.parse().unwrap_or_else(|error| panic!("{error}\n{tree}"));
    let planned = PlannedOrder {
        assumptions: &program.assumptions,
        tree: &tree,
        expansions: &[],
        packings: Vec::new(),
    };
    let verdict = match check_order(&program, &planned, &Budget::unlimited()).expect("no end of budget") {
        Ok(()) => "legal".to_owned(),
        Err(refusal) => refusal.to_string().trim_end().to_owned(),
    };
    expected.assert_eq(&verdict);
}

/// A kernel of the product with these marks, bands and loops inside.
fn kernel(kernel: &str, blocks: (&str, &str), threads: (&str, &str), inside: &str) -> String {
    let ((blocks, tiles), (threads, points)) = (blocks, threads);
    format!(
        r#"
mark: "{kernel}"
child:
  mark: "{blocks}"
  child:
    schedule: "[n] -> {tiles}"
    child:
      mark: "{threads}"
      child:
        schedule: "[n] -> {points}"
        child:
          schedule: "[n] -> {inside}"
"#
    )
}

const TILES: &str = "[{ S[i, j, k] -> [(floor((i)/8))] }, { S[i, j, k] -> [(floor((j)/32))] }]";
const POINTS: &str = "[{ S[i, j, k] -> [(i)] }, { S[i, j, k] -> [(j)] }]";
const SUM: &str = "[{ S[i, j, k] -> [(k)] }]";

#[test]
fn blocks_and_threads_do_not_share_elements() {
    let check = |tiles, points, inside, expected| {
        check_product(
            &kernel("kernel", ("blocks(2)", tiles), ("threads(8 32)", points), inside),
            expected,
        );
    };
    check(TILES, POINTS, SUM, expect!["legal"]);
    // Blocks share the sum of an element.
    check(
        "[{ S[i, j, k] -> [(floor((i)/8))] }, { S[i, j, k] -> [(floor((k)/32))] }]",
        "[{ S[i, j, k] -> [(i)] }, { S[i, j, k] -> [(k)] }]",
        "[{ S[i, j, k] -> [(j)] }]",
        expect![
            "mark blocks(2): iterations share elements of C: [n] -> { S[i, j, k] -> S[i' = i, j' = j, k'] : k < k' < n and n > 0 and 0 <= i < n and 0 <= j < n and 0 <= k < n and k' >= 0 and k' >= 32 + 32*floor((k)/32) }"
        ],
    );
    // Threads do.
    check(
        TILES,
        "[{ S[i, j, k] -> [(i)] }, { S[i, j, k] -> [(k)] }]",
        "[{ S[i, j, k] -> [(j)] }]",
        expect![
            "mark threads(8 32): iterations share elements of C: [n] -> { S[i, j, k] -> S[i' = i, j' = j, k'] : exists (e0, e1: k < k' < n and n > 0 and -7 + i <= 8e0 <= i and -31 + j <= 32e1 <= j and 0 <= i < n and 0 <= j < n and 0 <= k < n and k' >= 0) }"
        ],
    );
}

#[test]
fn kernels_have_their_form() {
    let tiles = ("blocks(2)", TILES);
    let points = ("threads(8 32)", POINTS);
    check_product(
        &kernel("kernel", ("blocks(3)", TILES), points, SUM),
        expect!["mark blocks(3): the band below has other members"],
    );
    check_product(
        &kernel("kernel", ("threads(8 32)", TILES), points, SUM),
        expect!["mark kernel: there is no blocks mark directly below"],
    );
    check_product(
        &kernel("kernel", tiles, ("blocks(2)", POINTS), SUM),
        expect!["mark kernel: there is something else around its threads"],
    );
    check_product(
        &kernel("kernel", tiles, ("threads(32)", POINTS), SUM),
        expect!["mark threads(32): the band below has other members"],
    );
    check_product(
        &kernel("kernel", tiles, ("threads(64 32)", POINTS), SUM),
        expect!["mark threads(64 32): a block has 1 to 1024 threads"],
    );
    check_product(
        &kernel("kernel", tiles, ("threads(0 32)", POINTS), SUM),
        expect!["mark threads(0 32): a block has 1 to 1024 threads"],
    );
    check_product(
        &kernel("mine", tiles, points, SUM),
        expect!["mark blocks(2): it is not in its place in a kernel"],
    );
    check_product(
        &format!("mark: \"kernel\"\nchild:\n  schedule: \"[n] -> {POINTS}\"\n  child:\n    schedule: \"[n] -> {SUM}\""),
        expect!["mark kernel: there is no blocks mark directly below"],
    );
    check_product(
        &format!(
            "mark: \"threads(8 32)\"\nchild:\n  schedule: \"[n] -> {POINTS}\"\n  child:\n    schedule: \"[n] -> {SUM}\""
        ),
        expect!["mark threads(8 32): it is not in its place in a kernel"],
    );
    let inside = kernel("kernel", tiles, points, SUM).replacen(
        &format!("          schedule: \"[n] -> {SUM}\""),
        &format!("          mark: \"parallel\"\n          child:\n            schedule: \"[n] -> {SUM}\""),
        1,
    );
    check_product(
        &inside,
        expect!["mark kernel: there are other marks inside of its threads"],
    );
}

/// The verdict on the plan of the product with another text in its tree.
fn check_changed(text: &str, other: &str, expected: Expect) {
    let product = program(PRODUCT);
    let plan = plan_kernels(&product, Offload::Always, &|_, _| {}, &Budget::unlimited()).expect("a plan");
    // Full strips of `k` are code of their own, whatever the size of strips is.
    let tree = plan.tree.to_string().replace(r#"options: "{ full_tiles[(16)] }""#, "");
    assert!(tree.contains(text), "{tree}");
    let tree: Tree = tree
        .replacen(text, other, 1)
        .parse()
        .unwrap_or_else(|error| panic!("{error}"));
    let order = PlannedOrder {
        tree: &tree,
        ..plan.order()
    };
    let verdict = check_order(&product, &order, &Budget::unlimited()).expect("no end of budget");
    let verdict = verdict.map_or_else(|refusal| refusal.to_string(), |()| "legal".to_owned());
    expected.assert_eq(&verdict);
}

#[test]
fn tiles_in_shared_memory() {
    check_changed("", "", expect!["legal"]);
    // A strip of `k` is larger than what there is room for.
    check_changed(
        "floor((k)/16)",
        "floor((k)/32)",
        expect![[r#"
        packed array B: two elements have the same place in the buffer
    "#]],
    );
    // An element is missing, or one more is where another one is.
    check_changed(
        "64i1 <= o4 <= 63 + 64i1",
        "64i1 <= o4 <= 62 + 64i1",
        expect![[r#"
        packed array B: an element is read that was not copied in
    "#]],
    );
    check_changed(
        "16i2 <= o3 <= 15 + 16i2",
        "16i2 <= o3 <= 16 + 16i2",
        expect![[r#"
        packed array B: two elements have the same place in the buffer
    "#]],
    );
    // The copies are not dealt out as the statement is.
    check_changed(
        "threads(16 16)",
        "threads(8 32)",
        expect![[r#"
        mark threads(16 16): parts of a kernel have other threads
    "#]],
    );
    check_changed(
        "threads(16 16)",
        "threads(4 4 4)",
        expect![[r#"
        mark threads(4 4 4): the band below has other members
    "#]],
    );
    check_changed(
        "threads(16 16)",
        "mine",
        expect![[r#"
        mark kernel: something is executed outside of its threads
    "#]],
    );
    // Another array.
    check_changed(
        "pack(A, A.S)",
        "pack(C, A.S)",
        expect![[r#"
        packed array C: nothing is said of its buffer
    "#]],
    );
    check_changed(
        "pack(A, A.S)",
        "pack(A, B.S)",
        expect![[r#"
        packed array A: nothing is said of its buffer
    "#]],
    );
}

/// The verdict on a kernel that has blocks of rows and columns of the product, in which `Z` is in threads along some members, and then
/// `S` along others, for all `k`.
fn check_parts(of_z: (&str, &str), of_s: (&str, &str), expected: Expect) {
    let tree = format!(
        r#"
domain: "[n] -> {{ Z[i, j] : 0 <= i < n and 0 <= j < n; S[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }}"
child:
  mark: "kernel"
  child:
    mark: "blocks(2)"
    child:
      schedule: "[n] -> [{{ Z[i, j] -> [(floor((i)/32))]; S[i, j, k] -> [(floor((i)/32))] }}, {{ Z[i, j] -> [(floor((j)/32))]; S[i, j, k] -> [(floor((j)/32))] }}]"
      child:
        sequence:
        - filter: "[n] -> {{ Z[i, j] }}"
          child:
            mark: "{}"
            child:
              schedule: "[n] -> [{{ Z[i, j] -> [{}] }}]"
        - filter: "[n] -> {{ S[i, j, k] }}"
          child:
            schedule: "[n] -> [{{ S[i, j, k] -> [(k)] }}]"
            child:
              mark: "{}"
              child:
                schedule: "[n] -> [{{ S[i, j, k] -> [{}] }}]"
"#,
        of_z.0, of_z.1, of_s.0, of_s.1
    );
    check(PRODUCT, &tree, expected);
}

#[test]
fn parts_of_a_block() {
    let rows = ("threads(32)", "(i)");
    check_parts(rows, rows, expect!["legal"]);
    // The element that one thread sets is that of another one.
    check_parts(
        rows,
        ("threads(32)", "(j)"),
        expect![
            "mark threads(32): iterations share elements of C: [n] -> { Z[i, j] -> S[i' = i, j' = j, k] : exists (e0, e1: n > 0 and -31 + i <= 32e0 <= i and -31 + j <= 32e1 <= j and 0 <= i < n and 0 <= j < n and 0 <= k < n and j < i); Z[i, j] -> S[i' = i, j' = j, k] : exists (e0, e1: n > 0 and -31 + i <= 32e0 <= i and -31 + j <= 32e1 <= j and 0 <= i < n and 0 <= j < n and 0 <= k < n and j > i) }"
        ],
    );
    check_parts(
        ("threads(32)", "(i + 1)"),
        rows,
        expect![
            "mark threads(32): iterations share elements of C: [n] -> { Z[i, j] -> S[i' = i, j' = j, k] : exists (e0, e1: n > 0 and -31 + i <= 32e0 <= i and -31 + j <= 32e1 <= j and 0 <= i < n and 0 <= j < n and 0 <= k < n) }"
        ],
    );
    check_parts(
        rows,
        ("threads(16)", "(i)"),
        expect!["mark threads(16): parts of a kernel have other threads"],
    );
    check_parts(
        ("threads(24)", "(i)"),
        ("threads(24)", "(i)"),
        expect!["mark threads(24): the threads along a member are no power of two"],
    );
    check_parts(
        ("mine", "(i)"),
        rows,
        expect!["mark kernel: something is executed outside of its threads"],
    );
}

#[test]
fn scalars_of_several_threads() {
    let check = |mark: &str, expected| {
        let tree = format!(
            r#"
domain: "[n] -> {{ S[i] : 0 <= i < n; T[i] : 0 <= i < n }}"
child:
  mark: "{mark}"
  child:
    mark: "blocks(1)"
    child:
      schedule: "[n] -> [{{ S[i] -> [(floor((i)/256))]; T[i] -> [(floor((i)/256))] }}]"
      child:
        mark: "threads(256)"
        child:
          schedule: "[n] -> [{{ S[i] -> [(i)]; T[i] -> [(i)] }}]"
          child:
            sequence:
            - filter: "[n] -> {{ S[i] }}"
            - filter: "[n] -> {{ T[i] }}"
"#
        );
        check(COPY, &tree, expected);
    };
    check("kernel(private t)", expect!["legal"]);
    check(
        "kernel",
        expect![
            "mark blocks(1): iterations share elements of t: [n] -> { S[i] -> S[i'] : i < i' < n and n > 0 and 0 <= i < n and i' >= 0 and i' >= 256 + 256*floor((i)/256); S[i] -> T[i'] : i <= i' < n and n > 0 and 0 <= i < n and i' >= 0 and i' >= 256 + 256*floor((i)/256); T[i] -> S[i'] : i < i' < n and n > 0 and 0 <= i < n and i' >= 0 and i' >= 256 + 256*floor((i)/256) }"
        ],
    );
    check(
        "kernel(private b)",
        expect!["mark blocks(1): a value of b may be used after the program"],
    );
}

/// What becomes of a program where kernels of an H100 have to gain, beside one core of a Zen 5.
fn check_price(text: &str, expected: Expect) {
    let gpu = Gpu::preset("h100").expect("a preset");
    let offload = Offload::WherePays {
        target: &Target::preset("zen5").expect("a preset"),
        choices: &Choices::default(),
        gpu: &gpu,
    };
    let outcome = match plan_kernels(&program(text), offload, &|_, _| {}, &Budget::unlimited()) {
        Ok(plan) => plan.sizes.to_string(),
        Err(kept) => kept.to_string(),
    };
    expected.assert_eq(&outcome);
}

#[test]
fn kernels_pay_where_copies_are_little_beside_the_work() {
    check_price(PRODUCT, expect!["n >= 256"]);
    check_price(STENCIL, expect!["no gain expected with copies to a device and back"]);
}

#[test]
fn kernels_do_not_pay_where_copies_are_all_that_there_is() {
    check_price(ROWS, expect!["no gain expected with copies to a device and back"]);
    check_price(
        COPY,
        expect!["a statement is in no loop whose iterations may run at the same time on a device"],
    );
    check_price(
        &PRODUCT.replace("< n", "< 40"),
        expect!["no gain expected with copies to a device and back"],
    );
}

/// Which of the kernels in `test/kernels` are mapped, and to how many kernels of a device.
#[test]
fn the_corpus() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test/plans");
    let entries = std::fs::read_dir(folder).expect("the corpus");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "scop"));
    files.sort();
    let mut mapped = String::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a text");
        let name = file.file_stem().expect("a name").to_string_lossy();
        for program in programs(&text).unwrap_or_else(|error| panic!("{name}: {error}")) {
            let b = farkas_plan::budget(&program, &farkas_plan::Choices::default());
            let outcome = match plan_kernels(&program, Offload::Always, &|_, _| {}, &b) {
                Ok(plan) => {
                    let verdict = check_order(&program, &plan.order(), &Budget::unlimited());
                    assert!(verdict.expect("no end of budget").is_ok(), "{name}: refused");
                    let is_tiled = |t: &&Transform| matches!(t, Transform::Kernel { tile, .. } if !tile.is_empty());
                    let tiled = match plan.transforms.iter().filter(is_tiled).count() {
                        0 => String::new(),
                        tiled => format!(", {tiled} with register tiles"),
                    };
                    format!("{} in kernels{tiled}", plan.transforms.len())
                }
                Err(kept) => kept.to_string(),
            };
            writeln!(mapped, "{name}: {outcome}").expect("a string takes all text");
        }
    }
    expect![[r#"
        2mm: 4 in kernels, 2 with register tiles
        3mm: 6 in kernels
        adi: 12 in kernels
        any-subscript: a statement is in no loop whose iterations may run at the same time on a device
        any-subscript: a statement is in no loop whose iterations may run at the same time on a device
        any-subscript: a statement is in no loop whose iterations may run at the same time on a device
        any-subscript: a statement is in no loop whose iterations may run at the same time on a device
        any-subscript: a statement is in no loop whose iterations may run at the same time on a device
        any-subscript: a statement is in no loop whose iterations may run at the same time on a device
        apsp: 1 in kernels
        atax: 4 in kernels
        back_substitution: 1 in kernels
        bicg: 4 in kernels
        borders: 3 in kernels
        bounds: 1 in kernels
        bounds: 1 in kernels
        bounds: 1 in kernels
        bounds: 1 in kernels
        bounds: 1 in kernels
        bounds: 3 in kernels
        bounds: 1 in kernels
        bounds: 1 in kernels
        bounds: 1 in kernels
        bounds: 1 in kernels
        breaks: 2 in kernels
        breaks: 2 in kernels
        breaks: a statement is in no loop whose iterations may run at the same time on a device
        breaks: 2 in kernels
        calls: 2 in kernels
        calls: 1 in kernels
        calls: 1 in kernels
        calls: a statement is in no loop whose iterations may run at the same time on a device
        calls: 1 in kernels
        calls: a statement is in no loop whose iterations may run at the same time on a device
        calls: a statement is in no loop whose iterations may run at the same time on a device
        calls: a statement is in no loop whose iterations may run at the same time on a device
        cholesky: a statement is in no loop whose iterations may run at the same time on a device
        cholesky_columns: a statement is in no loop whose iterations may run at the same time on a device
        clamp_int16: 1 in kernels
        colmajor_product: 1 in kernels
        column_maxima: 1 in kernels
        conditional_sums: 1 in kernels
        constant-shapes: 1 in kernels
        constant-shapes: 1 in kernels
        constant-shapes: 1 in kernels
        constant-shapes: a statement is in no loop whose iterations may run at the same time on a device
        constant-tables: 1 in kernels
        constant-tables: 1 in kernels
        constant-tables: 1 in kernels
        context: 1 in kernels
        context: 1 in kernels
        convolution: 2 in kernels, 1 with register tiles
        correlation: 11 in kernels
        cosine_transform: 2 in kernels, 1 with register tiles
        costs: 1 in kernels
        costs: 2 in kernels
        costs: 2 in kernels
        costs: 1 in kernels
        costs: 1 in kernels
        costs: 1 in kernels
        costs: 2 in kernels
        counter-after-loop: a statement is in no loop whose iterations may run at the same time on a device
        counter-after-loop: 2 in kernels
        covariance: 7 in kernels
        data-conditions: a statement is in no loop whose iterations may run at the same time on a device
        data-conditions: 1 in kernels
        data-conditions: 1 in kernels
        delicm-dimensions: 2 in kernels, 1 with register tiles
        delicm: 3 in kernels
        delicm: 1 in kernels
        delicm: 1 in kernels
        delicm: a statement is in no loop whose iterations may run at the same time on a device
        delicm: 1 in kernels
        delicm: a statement is in no loop whose iterations may run at the same time on a device
        delicm: a statement is in no loop whose iterations may run at the same time on a device
        delicm: a statement is in no loop whose iterations may run at the same time on a device
        delicm: a statement is in no loop whose iterations may run at the same time on a device
        delicm: 1 in kernels
        delicm: 3 in kernels
        delicm: 5 in kernels
        delicm: 4 in kernels
        delicm: a statement is in no loop whose iterations may run at the same time on a device
        delicm: a statement is in no loop whose iterations may run at the same time on a device
        delicm: a statement is in no loop whose iterations may run at the same time on a device
        delicm: 2 in kernels, 1 with register tiles
        delicm: 2 in kernels
        delicm: a statement is in no loop whose iterations may run at the same time on a device
        delicm: 3 in kernels
        delicm: a statement is in no loop whose iterations may run at the same time on a device
        delicm: a statement is in no loop whose iterations may run at the same time on a device
        diagonals: 1 in kernels
        diagonals: 1 in kernels
        dilation: the analysis is too costly
        divisors: 1 in kernels
        doitgen: 3 in kernels
        dope-vector-strides: 1 in kernels
        durbin: a statement is in no loop whose iterations may run at the same time on a device
        edit_distance: 1 in kernels
        elimination: a statement is in no loop whose iterations may run at the same time on a device
        errors: 1 in kernels
        errors: 1 in kernels
        errors: 2 in kernels
        errors: 1 in kernels
        escape_times: 2 in kernels
        fdtd2d: 4 in kernels
        filter: 6 in kernels
        fir_float: 2 in kernels
        fir_int16: 3 in kernels
        gathers: 2 in kernels
        gathers: 1 in kernels
        gathers: 1 in kernels
        gemm: 2 in kernels, 1 with register tiles
        gemm_ikj: 2 in kernels, 1 with register tiles
        gemver: 4 in kernels
        gesummv: 2 in kernels
        gramschmidt: a statement is in no loop whose iterations may run at the same time on a device
        heat3d: 2 in kernels
        horner: 2 in kernels
        householder: a statement is in no loop whose iterations may run at the same time on a device
        inner-nests: 1 in kernels
        inner-nests: 1 in kernels
        invariant-divisions: 2 in kernels
        invariant-divisions: 1 in kernels
        invariant-loads: 1 in kernels
        invariant-loads: 1 in kernels
        invariant-loads: 1 in kernels
        invariant-loads: a statement is in no loop whose iterations may run at the same time on a device
        invariant-loads: a statement is in no loop whose iterations may run at the same time on a device
        invariant-loads: 1 in kernels
        inverse4: 2 in kernels
        jacobi1d: 2 in kernels
        jacobi2d: 2 in kernels
        knapsack: a statement is in no loop whose iterations may run at the same time on a device
        known-context: 1 in kernels
        known-context: 1 in kernels
        known-context: 1 in kernels
        known-context: 1 in kernels
        known-context: 1 in kernels
        known-context: 1 in kernels
        kronecker: 1 in kernels
        lanes: a statement is in no loop whose iterations may run at the same time on a device
        lanes: a statement is in no loop whose iterations may run at the same time on a device
        lanes: 2 in kernels
        lanes: 2 in kernels
        lanes: 1 in kernels
        lanes: 3 in kernels
        ldlt: 2 in kernels
        life: 2 in kernels
        lifetimes: 1 in kernels
        lifetimes: a statement is in no loop whose iterations may run at the same time on a device
        lifetimes: a statement is in no loop whose iterations may run at the same time on a device
        linearised: 1 in kernels, 1 with register tiles
        linearised: 2 in kernels, 1 with register tiles
        lu: 3 in kernels
        lu_rows: 2 in kernels
        ludcmp: a statement is in no loop whose iterations may run at the same time on a device
        many-assumptions: what has to be assumed never holds where something is executed
        math-errno: 1 in kernels
        matrix-product: 1 in kernels, 1 with register tiles
        matrix_chain: 2 in kernels
        min_plus: 1 in kernels, 1 with register tiles
        mvt: 2 in kernels
        narrow-subscripts: 1 in kernels
        narrow-subscripts: 1 in kernels
        narrow-subscripts: 1 in kernels
        narrow-subscripts: 1 in kernels
        narrow-subscripts: 1 in kernels
        narrow-subscripts: 1 in kernels
        narrow-subscripts: 1 in kernels
        normalise_columns: 1 in kernels
        nussinov: a statement is in no loop whose iterations may run at the same time on a device
        obstacles: 2 in kernels
        operand-tree-forwarding: 1 in kernels
        operand-tree-forwarding: 1 in kernels
        operand-tree-forwarding: 1 in kernels
        operand-tree-forwarding: 2 in kernels
        operand-tree-forwarding: 1 in kernels
        operand-tree-forwarding: 2 in kernels
        operand-tree-forwarding: 1 in kernels
        operations: 1 in kernels
        operations: a statement is in no loop whose iterations may run at the same time on a device
        operations: a statement is in no loop whose iterations may run at the same time on a device
        operations: 1 in kernels
        operations: a statement is in no loop whose iterations may run at the same time on a device
        outer_products: 1 in kernels, 1 with register tiles
        padded-types: a statement is in no loop whose iterations may run at the same time on a device
        padded-types: a statement is in no loop whose iterations may run at the same time on a device
        pointer-differences: 2 in kernels
        pointer-differences: 1 in kernels
        polynomial-bounds: 1 in kernels
        polynomial-bounds: 1 in kernels
        polynomial-bounds: 1 in kernels
        polynomial-bounds: 1 in kernels
        polynomial_product: 1 in kernels
        predecessors: 1 in kernels
        red_black: the analysis is too costly
        redundant-writes: 1 in kernels, 1 with register tiles
        redundant-writes: 3 in kernels, 1 with register tiles
        redundant-writes: a statement is in no loop whose iterations may run at the same time on a device
        redundant-writes: a statement is in no loop whose iterations may run at the same time on a device
        regions: a statement is in no loop whose iterations may run at the same time on a device
        regions: a statement is in no loop whose iterations may run at the same time on a device
        regions: a statement is in no loop whose iterations may run at the same time on a device
        regions: 2 in kernels
        regions: 2 in kernels
        regions: 1 in kernels
        regions: 2 in kernels
        regions: a statement is in no loop whose iterations may run at the same time on a device
        regions: 2 in kernels
        remainders: 1 in kernels
        remainders: a statement is in no loop whose iterations may run at the same time on a device
        remainders: a statement is in no loop whose iterations may run at the same time on a device
        rows: 1 in kernels, 1 with register tiles
        rows: 1 in kernels
        rows: 1 in kernels
        rows: 1 in kernels
        rows: 1 in kernels
        scalar-coalescing: a statement is in no loop whose iterations may run at the same time on a device
        scalar-coalescing: a statement is in no loop whose iterations may run at the same time on a device
        scalar-coalescing: a statement is in no loop whose iterations may run at the same time on a device
        scalar-coalescing: a statement is in no loop whose iterations may run at the same time on a device
        scalar-coalescing: a statement is in no loop whose iterations may run at the same time on a device
        scalar-coalescing: a statement is in no loop whose iterations may run at the same time on a device
        scalar-coalescing: a statement is in no loop whose iterations may run at the same time on a device
        scalar-coalescing: 2 in kernels
        scalar-coalescing: a statement is in no loop whose iterations may run at the same time on a device
        scalar-coalescing: a statement is in no loop whose iterations may run at the same time on a device
        scalar-coalescing: a statement is in no loop whose iterations may run at the same time on a device
        scalar-expansion: 1 in kernels
        scalars: 1 in kernels
        scalars: a statement is in no loop whose iterations may run at the same time on a device
        scalars: 1 in kernels
        scalars: 2 in kernels
        scalars: 3 in kernels
        seidel2d: 1 in kernels
        separated: 2 in kernels
        sobel: 1 in kernels
        split: 2 in kernels
        split: 1 in kernels
        split: a statement is in no loop whose iterations may run at the same time on a device
        split: 2 in kernels
        split: 1 in kernels
        split: a statement is in no loop whose iterations may run at the same time on a device
        split: 1 in kernels
        split: 2 in kernels
        stencil27: the analysis is too costly
        stencil_order4: 1 in kernels
        subsequence: 1 in kernels
        switch: a statement is in no loop whose iterations may run at the same time on a device
        switch: a statement is in no loop whose iterations may run at the same time on a device
        switch: 1 in kernels
        switch: a statement is in no loop whose iterations may run at the same time on a device
        symm: 2 in kernels
        syr2k: 2 in kernels, 1 with register tiles
        syrk: 2 in kernels, 1 with register tiles
        tensor_contraction: 1 in kernels, 1 with register tiles
        time_warping: 1 in kernels
        transposed_product: 2 in kernels, 1 with register tiles
        triangular_inverse: 3 in kernels
        trisolv: a statement is in no loop whose iterations may run at the same time on a device
        trmm: 2 in kernels
        unsigned-trip-counts: 2 in kernels
        unsigned-trip-counts: 2 in kernels
        unsigned-trip-counts: 2 in kernels
        unsigned-trip-counts: 1 in kernels
        upscale: 1 in kernels
        windows: 3 in kernels
        windows: 2 in kernels
        windows: 3 in kernels, 1 with register tiles
    "#]]
    .assert_eq(&mapped);
}
