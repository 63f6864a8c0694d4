//! What the checker accepts, and what it refuses.

use expect_test::{Expect, expect};
use farkas_plan::target::Features;
use farkas_plan::{Offload, PlannedOrder, check_order, plan_kernels};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::tree::Tree;

use super::{COPY, PRODUCT, fused_product, program};

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
        node_splitting: None,
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
    check_changed_plan((PRODUCT, Features::default()), text, other, expected);
}

/// The same for a product and a device with these features.
fn check_changed_plan((product, features): (&str, Features), text: &str, other: &str, expected: Expect) {
    let product = program(product);
    let planned = plan_kernels(&product, Offload::Always, features, &|_, _| {}, &Budget::unlimited());
    let plan = planned.expect("a plan");
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
fn matrix_instructions() {
    let check = |text: &str, other: &str, expected| {
        check_changed_plan(
            (&fused_product(), Features::of_processor("sm_90")),
            text,
            other,
            expected,
        )
    };
    check("", "", expect!["legal"]);
    check(
        "mma(16 8 4)",
        "mma(8 8 4)",
        expect![[r#"
        mark mma(8 8 4): there is no instruction of this shape
    "#]],
    );
    check(
        "threads(32 4)",
        "mma(16 8 4)",
        expect![[r#"
        mark kernel: something is executed outside of its threads
    "#]],
    );
    check(
        "mark: \"kernel\"",
        "mark: \"mma(16 8 4)\"",
        expect![[r#"
        mark mma(16 8 4): it is not in its place in a kernel
    "#]],
    );
    // The initial values are no products.
    check(
        "threads(8 32)",
        "mma(16 8 4)",
        expect![[r#"
        mark kernel: something is executed outside of its threads
    "#]],
    );
}

#[test]
fn products_that_are_rounded() {
    let plan = plan_kernels(
        &program(&fused_product()),
        Offload::Always,
        Features::of_processor("sm_90"),
        &|_, _| {},
        &Budget::unlimited(),
    );
    let plan = plan.expect("a plan");
    // The same order of a program whose products are rounded on their own.
    let verdict = check_order(&program(PRODUCT), &plan.order(), &Budget::unlimited()).expect("no end of budget");
    let verdict = verdict.map_or_else(|refusal| refusal.to_string(), |()| "legal".to_owned());
    expect![[r#"
        mark mma(16 8 4): something else is executed than products that are added
    "#]]
    .assert_eq(&verdict);
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

#[test]
fn copies_that_are_made_ahead() {
    let changed = |other: &str, expected| {
        check_changed_plan((PRODUCT, Features::of_processor("sm_80")), "stages(2)", other, expected);
    };
    changed("stages(2)", expect!["legal"]);
    changed("stages(8)", expect!["legal"]);
    changed(
        "stages(1)",
        expect![[r#"
        mark stages(1): there are 2 to 8 stages
    "#]],
    );
    changed(
        "stages(9)",
        expect![[r#"
        mark stages(9): there are 2 to 8 stages
    "#]],
    );
    let staged = |(outer, strips): (&str, &str), inner: &str, expected| {
        let tree = format!(
            r#"
mark: "{outer}"
child:
  mark: "blocks(2)"
  child:
    schedule: "[n] -> {TILES}"
    child:
      mark: "stages(2)"
      child:
        schedule: "[n] -> {strips}"
        child:
          mark: "{inner}"
          child:
            schedule: "[n] -> {SUM}"
            child:
              mark: "threads(8 32)"
              child:
                schedule: "[n] -> {POINTS}"
"#
        );
        check_product(&tree, expected);
    };
    let strips = "[{ S[i, j, k] -> [(floor((k)/8))] }]";
    staged(("kernel", strips), "mine", expect!["legal"]);
    staged(
        ("kernel", TILES),
        "mine",
        expect!["mark stages(2): there is no band of a single loop directly below"],
    );
    staged(
        ("kernel", strips),
        "stages(2)",
        expect!["mark stages(2): there are other stages inside"],
    );
    staged(
        ("kernel", strips),
        "pack(C, C.S)",
        expect!["mark stages(2): an array is written that copies made ahead read"],
    );
    check_product(
        &format!("mark: \"stages(2)\"\nchild:\n  schedule: \"[n] -> {SUM}\""),
        expect!["mark stages(2): it is not in its place in a kernel"],
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
