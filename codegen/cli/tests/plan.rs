//! `farkas plan`: programs in, plans out.

use expect_test::{Expect, expect};
use std::process::Command;

/// What the command prints for a program, then its errors.
fn check(program: &str, options: &[&str], expected: Expect) {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let name = format!("plan-{:?}.scop", std::thread::current().id());
    std::fs::write(folder.join(&name), program).expect("a file for the test");
    let done = Command::new(env!("CARGO_BIN_EXE_farkas"))
        .current_dir(folder)
        .arg("plan")
        .args(options)
        .arg(&name)
        .output()
        .expect("the command starts");
    let out = String::from_utf8(done.stdout).expect("text");
    let errors = String::from_utf8(done.stderr).expect("text").replace(&name, "FILE");
    assert_eq!(done.status.success(), errors.is_empty(), "{errors}");
    expected.assert_eq(&(out + &errors));
}

/// `for (i) for (j) B[i][j] = A[j][i];`
const TRANSPOSE: &str = include_str!("common/transpose.scop");

/// `for (i) { t = 0; for (j) t += A[j][i]; s[i] = t; }`, in an array.
const COLUMN_SUMS: &str = "program
  context: { : }
  assumptions: { : }
  array A: memory, 8 bytes, [][2048]
  array s: memory, 8 bytes, []
  statement S
    domain: { S[i, j] : 0 <= i < 2048 and 0 <= j < 2048 }
    schedule: { S[i, j] -> [(0), (i), (0), (j), (0)] }
    read: { S[i, j] -> A[j, i] : 0 <= i < 2048 and 0 <= j < 2048 }
    read: { S[i, j] -> s[i] : 0 <= i < 2048 and 0 <= j < 2048 }
    write: { S[i, j] -> s[i] : 0 <= i < 2048 and 0 <= j < 2048 }
    operations: 2 load f64, 1 store f64, 1 add f64
    chain: access 0 -> access 2: 1 add f64
    chain: access 1 -> access 2: 1 add f64
";

#[test]
fn a_plan() {
    check(
        COLUMN_SUMS,
        &["--ast"],
        expect![[r##"
            # transformed: interchanged loops, tiled 32 x 512, unrolled and jammed 4
            # expected: 1.3467e8 cycles in the original order, 7.7140e6 in this one
            domain: "{ S[i, j] : 0 <= i <= 2047 and 0 <= j <= 2047 }"
            child:
              schedule: "[{ S[i, j] -> [(floor((j)/32))] }, { S[i, j] -> [(floor((i)/512))] }]"
              permutable: 1
              coincident: [ 0, 1 ]
              child:
                schedule: "[{ S[i, j] -> [(floor((j)/4))] }, { S[i, j] -> [(i)] }]"
                permutable: 1
                coincident: [ 0, 1 ]
                options: "{ full_tiles[(4), (1)]; separate[(1)] }"
                child:
                  mark: "unjam(1)"
                  child:
                    schedule: "[{ S[i, j] -> [(j)] }]"
                    permutable: 1
                    options: "{ unroll[(0)] }"
            for (int c0 = 0; c0 <= 63; c0 += 1) {
              // parallel
              for (int c1 = 0; c1 <= 3; c1 += 1)
                for (int c2 = 8 * c0; c2 <= 8 * c0 + 7; c2 += 1) {
                  // parallel
                  for (int c3 = 512 * c1; c3 <= 512 * c1 + 511; c3 += 1) {
                    S(c3, 4 * c2);
                    S(c3, 4 * c2 + 1);
                    S(c3, 4 * c2 + 2);
                    S(c3, 4 * c2 + 3);
                  }
                }
            }
        "##]],
    );
}

#[test]
fn candidates() {
    check(
        TRANSPOSE,
        &["--candidates"],
        expect![[r##"
            # transformed: tiled 32 x 512, 4 vector lanes, transposed 4 iterations at a time
            original: 2.1529e7 cycles
              S: 20.532 cycles an instance by bytes into L3 (latency 0.000, throughput 1.808, L1 2.252, L2 11.338, L3 14.822, vectors)
            order 1, the scheduler's tree: 9.2840e6 cycles, 0.431 of the original: chosen
            S, original 2.1529e7 cycles
               # |     cycles |  ratio | bound         | candidate                                                                      | verdict
               0 |   2.1529e7 |  1.000 | bytes into L3 | member 1 innermost                                                             | takes 2.32 times the cycles of the chosen one
               1 |   1.6014e7 |  0.744 | bytes into L2 | member 1 innermost, tiled 32 x 512                                             | dearer by 72.49 %
            *  2 |   9.2840e6 |  0.431 | bytes into L3 | member 1 innermost, tiled 32 x 512, 1 x 4 lanes along member 0, in blocks of 4 | chosen
               3 |   3.2262e7 |  1.499 | bytes into L3 | member 0 innermost                                                             | takes 3.48 times the cycles of the chosen one
               4 |   1.7025e7 |  0.791 | bytes into L2 | member 0 innermost, tiled 32 x 512                                             | dearer by 83.38 %
               5 |   1.1619e7 |  0.540 | bytes into L3 | member 0 innermost, tiled 32 x 512, 1 x 4 lanes along member 0, in blocks of 4 | dearer by 25.15 %
            # expected: 2.1529e7 cycles in the original order, 9.2840e6 in this one
            domain: "{ S[i, j] : 0 <= i <= 1023 and 0 <= j <= 1023 }"
            child:
              schedule: "[{ S[i, j] -> [(floor((i)/32))] }, { S[i, j] -> [(floor((j)/512))] }]"
              permutable: 1
              coincident: [ 1, 1 ]
              child:
                schedule: "[{ S[i, j] -> [(floor((i)/4))] }, { S[i, j] -> [(j)] }]"
                permutable: 1
                coincident: [ 1, 1 ]
                options: "{ full_tiles[(4), (1)] }"
                child:
                  mark: "block(4, B)"
                  child:
                    mark: "vector(4, masked)"
                    child:
                      schedule: "[{ S[i, j] -> [(i)] }]"
                      permutable: 1
                      coincident: [ 1 ]
        "##]],
    );
    check(
        COLUMN_SUMS,
        &["--candidates"],
        expect![[r##"
            # transformed: interchanged loops, tiled 32 x 512, unrolled and jammed 4
            original: 1.3467e8 cycles
              S: 32.109 cycles an instance by bytes into L3 (latency 3.965, throughput 1.304, L1 2.001, L2 10.669, L3 25.456)
            order 1, the scheduler's tree: 7.7140e6 cycles, 0.057 of the original: chosen
            S, original 1.3467e8 cycles
               # |     cycles |  ratio | bound         | candidate                                         | verdict
               0 |   1.3467e8 |  1.000 | bytes into L3 | member 1 innermost                                | takes 17.46 times the cycles of the chosen one
               1 |   6.9271e7 |  0.514 | bytes into L2 | member 1 innermost, tiled 32 x 512                | takes 8.98 times the cycles of the chosen one
               2 |   4.5872e7 |  0.341 | bytes into L3 | member 1 innermost, 1 x 4 lanes along member 0    | takes 5.95 times the cycles of the chosen one
               3 |   3.0993e7 |  0.230 | bytes into L3 | member 1 innermost, 2 x 4 lanes along member 0    | takes 4.02 times the cycles of the chosen one
               4 |   8.0405e6 |  0.060 | bytes into L3 | member 0 innermost                                | dearer by 4.23 %
               5 |   7.8734e6 |  0.058 | bytes into L3 | member 0 innermost, tiled 32 x 512                | dearer by 2.07 %
               6 |   7.7312e6 |  0.057 | bytes into L3 | member 0 innermost, 1 jammed by 4                 | dearer by 0.22 %
            *  7 |   7.7140e6 |  0.057 | bytes into L3 | member 0 innermost, tiled 32 x 512, 1 jammed by 4 | chosen
               8 |   7.6879e6 |  0.057 | bytes into L3 | member 0 innermost, 1 jammed by 8                 | below the margin: 0.997 of the chosen one, 0.900 at the most
               9 |   7.7157e6 |  0.057 | bytes into L3 | member 0 innermost, tiled 32 x 512, 1 jammed by 8 | dearer by 0.02 %
            # expected: 1.3467e8 cycles in the original order, 7.7140e6 in this one
            domain: "{ S[i, j] : 0 <= i <= 2047 and 0 <= j <= 2047 }"
            child:
              schedule: "[{ S[i, j] -> [(floor((j)/32))] }, { S[i, j] -> [(floor((i)/512))] }]"
              permutable: 1
              coincident: [ 0, 1 ]
              child:
                schedule: "[{ S[i, j] -> [(floor((j)/4))] }, { S[i, j] -> [(i)] }]"
                permutable: 1
                coincident: [ 0, 1 ]
                options: "{ full_tiles[(4), (1)]; separate[(1)] }"
                child:
                  mark: "unjam(1)"
                  child:
                    schedule: "[{ S[i, j] -> [(j)] }]"
                    permutable: 1
                    options: "{ unroll[(0)] }"
        "##]],
    );
}

#[test]
fn candidates_with_lanes_or_without() {
    check(
        COLUMN_SUMS,
        &["--candidates", "--vectorize=never"],
        expect![[r##"
            # transformed: interchanged loops, tiled 32 x 512, unrolled and jammed 4
            original: 1.3467e8 cycles
              S: 32.109 cycles an instance by bytes into L3 (latency 3.965, throughput 1.304, L1 2.001, L2 10.669, L3 25.456)
            order 1, the scheduler's tree: 7.7140e6 cycles, 0.057 of the original: chosen
            S, original 1.3467e8 cycles
               # |     cycles |  ratio | bound         | candidate                                         | verdict
               0 |   1.3467e8 |  1.000 | bytes into L3 | member 1 innermost                                | takes 17.46 times the cycles of the chosen one
               1 |   6.9271e7 |  0.514 | bytes into L2 | member 1 innermost, tiled 32 x 512                | takes 8.98 times the cycles of the chosen one
               2 |   8.0405e6 |  0.060 | bytes into L3 | member 0 innermost                                | dearer by 4.23 %
               3 |   7.8734e6 |  0.058 | bytes into L3 | member 0 innermost, tiled 32 x 512                | dearer by 2.07 %
               4 |   7.7312e6 |  0.057 | bytes into L3 | member 0 innermost, 1 jammed by 4                 | dearer by 0.22 %
            *  5 |   7.7140e6 |  0.057 | bytes into L3 | member 0 innermost, tiled 32 x 512, 1 jammed by 4 | chosen
               6 |   7.6879e6 |  0.057 | bytes into L3 | member 0 innermost, 1 jammed by 8                 | below the margin: 0.997 of the chosen one, 0.900 at the most
               7 |   7.7157e6 |  0.057 | bytes into L3 | member 0 innermost, tiled 32 x 512, 1 jammed by 8 | dearer by 0.02 %
            # expected: 1.3467e8 cycles in the original order, 7.7140e6 in this one
            domain: "{ S[i, j] : 0 <= i <= 2047 and 0 <= j <= 2047 }"
            child:
              schedule: "[{ S[i, j] -> [(floor((j)/32))] }, { S[i, j] -> [(floor((i)/512))] }]"
              permutable: 1
              coincident: [ 0, 1 ]
              child:
                schedule: "[{ S[i, j] -> [(floor((j)/4))] }, { S[i, j] -> [(i)] }]"
                permutable: 1
                coincident: [ 0, 1 ]
                options: "{ full_tiles[(4), (1)]; separate[(1)] }"
                child:
                  mark: "unjam(1)"
                  child:
                    schedule: "[{ S[i, j] -> [(j)] }]"
                    permutable: 1
                    options: "{ unroll[(0)] }"
        "##]],
    );
    check(
        COLUMN_SUMS,
        &["--candidates", "--vectorize=force"],
        expect![[r##"
            # transformed: 4 vector lanes
            original: 1.3467e8 cycles
              S: 32.109 cycles an instance by bytes into L3 (latency 3.965, throughput 1.304, L1 2.001, L2 10.669, L3 25.456)
            order 1, the scheduler's tree: 4.5872e7 cycles, 0.341 of the original: chosen
            S, original 1.3467e8 cycles
               # |     cycles |  ratio | bound         | candidate                                         | verdict
               0 |   1.3467e8 |  1.000 | bytes into L3 | member 1 innermost                                | the user chose another one
               1 |   6.9271e7 |  0.514 | bytes into L2 | member 1 innermost, tiled 32 x 512                | the user chose another one
            *  2 |   4.5872e7 |  0.341 | bytes into L3 | member 1 innermost, 1 x 4 lanes along member 0    | chosen
               3 |   8.0405e6 |  0.060 | bytes into L3 | member 0 innermost                                | the user chose another one
               4 |   7.8734e6 |  0.058 | bytes into L3 | member 0 innermost, tiled 32 x 512                | the user chose another one
               5 |   7.7312e6 |  0.057 | bytes into L3 | member 0 innermost, 1 jammed by 4                 | the user chose another one
               6 |   7.7140e6 |  0.057 | bytes into L3 | member 0 innermost, tiled 32 x 512, 1 jammed by 4 | the user chose another one
               7 |   7.6879e6 |  0.057 | bytes into L3 | member 0 innermost, 1 jammed by 8                 | the user chose another one
               8 |   7.7157e6 |  0.057 | bytes into L3 | member 0 innermost, tiled 32 x 512, 1 jammed by 8 | the user chose another one
               9 |   8.0408e6 |  0.060 | bytes into L3 | member 0 innermost, 1 x 4 lanes along member 1    | the user chose another one
            # expected: 1.3467e8 cycles in the original order, 4.5872e7 in this one
            domain: "{ S[i, j] : 0 <= i <= 2047 and 0 <= j <= 2047 }"
            child:
              schedule: "[{ S[i, j] -> [(floor((i)/4))] }, { S[i, j] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 0 ]
              options: "{ full_tiles[(4), (1)] }"
              child:
                mark: "keep(s)"
                child:
                  mark: "vector(4, masked)"
                  child:
                    schedule: "[{ S[i, j] -> [(i)] }]"
                    permutable: 1
                    coincident: [ 1 ]
        "##]],
    );
}

#[test]
fn candidates_on_threads() {
    check(
        COLUMN_SUMS,
        &["--candidates", "--parallel"],
        expect![[r##"
            # transformed: interchanged loops, tiled 32 x 512, unrolled and jammed 4, on threads
            original: 1.3467e8 cycles
              S: 32.109 cycles an instance by bytes into L3 (latency 3.965, throughput 1.304, L1 2.001, L2 10.669, L3 25.456)
            order 1, the scheduler's tree: 7.7140e6 cycles, 0.057 of the original: chosen
            S, original 1.3467e8 cycles
               # |     cycles |  ratio | bound         | candidate                                         | verdict
               0 |   1.3467e8 |  1.000 | bytes into L3 | member 1 innermost                                | takes 17.46 times the cycles of the chosen one
               1 |   6.9271e7 |  0.514 | bytes into L2 | member 1 innermost, tiled 32 x 512                | takes 8.98 times the cycles of the chosen one
               2 |   4.5872e7 |  0.341 | bytes into L3 | member 1 innermost, 1 x 4 lanes along member 0    | takes 5.95 times the cycles of the chosen one
               3 |   3.0993e7 |  0.230 | bytes into L3 | member 1 innermost, 2 x 4 lanes along member 0    | takes 4.02 times the cycles of the chosen one
               4 |   8.0405e6 |  0.060 | bytes into L3 | member 0 innermost                                | dearer by 4.23 %
               5 |   7.8734e6 |  0.058 | bytes into L3 | member 0 innermost, tiled 32 x 512                | dearer by 2.07 %
               6 |   7.7312e6 |  0.057 | bytes into L3 | member 0 innermost, 1 jammed by 4                 | dearer by 0.22 %
            *  7 |   7.7140e6 |  0.057 | bytes into L3 | member 0 innermost, tiled 32 x 512, 1 jammed by 4 | chosen
               8 |   7.6879e6 |  0.057 | bytes into L3 | member 0 innermost, 1 jammed by 8                 | below the margin: 0.997 of the chosen one, 0.900 at the most
               9 |   7.7157e6 |  0.057 | bytes into L3 | member 0 innermost, tiled 32 x 512, 1 jammed by 8 | dearer by 0.02 %
            threads
               # |     cycles |  ratio | bound           | candidate    | verdict
            *  t |   2.5627e6 |  0.019 | 3.9078e6 on two | S on threads | chosen
            # expected: 1.3467e8 cycles in the original order, 7.7140e6 in this one
            domain: "{ S[i, j] : 0 <= i <= 2047 and 0 <= j <= 2047 }"
            child:
              mark: "parallel"
              child:
                schedule: "[{ S[i, j] -> [(floor((i)/128))] }, { S[i, j] -> [(floor((j)/32))] }]"
                permutable: 1
                coincident: [ 1, 0 ]
                child:
                  schedule: "[{ S[i, j] -> [(floor((j)/4))] }, { S[i, j] -> [(i)] }]"
                  permutable: 1
                  coincident: [ 0, 1 ]
                  options: "{ full_tiles[(4), (1)]; separate[(1)] }"
                  child:
                    mark: "unjam(1)"
                    child:
                      schedule: "[{ S[i, j] -> [(j)] }]"
                      permutable: 1
                      options: "{ unroll[(0)] }"
        "##]],
    );
}

#[test]
fn wrong_programs_and_options() {
    check(
        "program\n  context: {\n",
        &[],
        expect![[r#"
            FILE:2:13: expected `[`, found the end of the text
        "#]],
    );
    check(
        TRANSPOSE,
        &["--vectorize=sometimes"],
        expect![[r#"
        error: invalid value 'sometimes' for '--vectorize <WHEN>'
          [possible values: auto, force, never]

        For more information, try '--help'.
    "#]],
    );
}

/// What becomes of [`COLUMN_SUMS`] in the order of a tree.
fn check_by_hand(tree: &str, expected: Expect) {
    let name = format!("plan-{:?}.st", std::thread::current().id());
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(&name);
    std::fs::write(&path, tree).expect("a file for the test");
    check(COLUMN_SUMS, &["--schedule", &name, "--ast"], expected);
}

#[test]
fn the_original_order_as_a_tree() {
    check(
        COLUMN_SUMS,
        &["--original"],
        expect![[r#"
        domain: "{ S[i, j] : 0 <= i <= 2047 and 0 <= j <= 2047 }"
        child:
          schedule: "[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
    "#]],
    );
}

#[test]
fn an_order_by_hand() {
    check_by_hand(
        r#"
domain: "{ S[i, j] : 0 <= i < 2048 and 0 <= j < 2048 }"
child:
  schedule: "[{ S[i, j] -> [floor(j/64)] }]"
  child:
    mark: "parallel"
    child:
      schedule: "[{ S[i, j] -> [i] }, { S[i, j] -> [j] }]"
"#,
        expect![[r##"
            # transformed: loops in an order by hand, 0.44 of the cycles expected
            domain: "{ S[i, j] : 0 <= i <= 2047 and 0 <= j <= 2047 }"
            child:
              schedule: "[{ S[i, j] -> [(floor((j)/64))] }]"
              child:
                mark: "parallel"
                child:
                  schedule: "[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
            for (int c0 = 0; c0 <= 31; c0 += 1) {
              // parallel
              // threads
              for (int c1 = 0; c1 <= 2047; c1 += 1)
                for (int c2 = 64 * c0; c2 <= 64 * c0 + 63; c2 += 1)
                  S(c1, c2);
            }
        "##]],
    );
}

#[test]
fn an_illegal_order_by_hand() {
    check_by_hand(
        r#"
domain: "{ S[i, j] : 0 <= i < 2048 and 0 <= j < 2048 }"
child:
  schedule: "[{ S[i, j] -> [i] }, { S[i, j] -> [-j] }]"
"#,
        expect![[r#"
            # left as it is: dependence S[0, 2046] -> S[0, 2047] is not executed in order
        "#]],
    );
    check_by_hand(
        r#"
domain: "{ S[i, j] : 0 <= i < 2048 and 0 <= j < 2048 }"
child:
  mark: "parallel"
  child:
    schedule: "[{ S[i, j] -> [j] }, { S[i, j] -> [i] }]"
"#,
        expect![[r#"
            # left as it is: mark parallel: iterations share elements of s: { S[i, j] -> S[i' = i, j'] : 0 <= i <= 2047 and 0 <= j <= 2047 and j < j' <= 2047 and j' >= 0 }
        "#]],
    );
}

#[test]
fn an_order_of_other_instances() {
    check_by_hand(
        r#"
domain: "{ S[i, j] : 0 <= i < 2047 and 0 <= j < 2048 }"
child:
  schedule: "[{ S[i, j] -> [i] }, { S[i, j] -> [j] }]"
"#,
        expect![[r#"
            # left as it is: instance S[2047, 0] is not executed
        "#]],
    );
}

#[test]
fn steps_from_the_original_order() {
    check(
        COLUMN_SUMS,
        &["--apply", "interchange 0 1; tile 32 512; vector 8", "--ast"],
        expect![[r##"
            # interchange 0 1: 0.06 of the cycles expected
            # tile 32 512: 0.06 of the cycles expected
            # vector 8: 0.06 of the cycles expected
            # transformed: loops in an order by hand, 0.06 of the cycles expected
            domain: "{ S[i, j] : 0 <= i <= 2047 and 0 <= j <= 2047 }"
            child:
              schedule: "[{ S[i, j] -> [(floor((j)/32))] }, { S[i, j] -> [(floor((i)/512))] }]"
              permutable: 1
              options: "{ full_tiles[(32), (512)] }"
              child:
                schedule: "[{ S[i, j] -> [(j)] }, { S[i, j] -> [(floor((i)/8))] }]"
                options: "{ full_tiles[(1), (8)] }"
                child:
                  mark: "vector(8)"
                  child:
                    schedule: "[{ S[i, j] -> [(i)] }]"
                    permutable: 1
            for (int c0 = 0; c0 <= 63; c0 += 1)
              for (int c1 = 0; c1 <= 3; c1 += 1)
                for (int c2 = 32 * c0; c2 <= 32 * c0 + 31; c2 += 1)
                  for (int c3 = 64 * c1; c3 <= 64 * c1 + 63; c3 += 1) {
                    // vector(8)
                    // lanes
                    for (int c4 = 8 * c3; c4 <= 8 * c3 + 7; c4 += 1)
                      S(c4, c2);
                  }
        "##]],
    );
    check(
        TRANSPOSE,
        &["--apply", "tile 32 32; split 1; parallel", "--ast"],
        expect![[r##"
            # tile 32 32: 0.43 of the cycles expected
            # split 1: 0.43 of the cycles expected
            # parallel: 0.43 of the cycles expected
            # transformed: loops in an order by hand, 0.43 of the cycles expected
            domain: "{ S[i, j] : 0 <= i <= 1023 and 0 <= j <= 1023 }"
            child:
              mark: "parallel"
              child:
                schedule: "[{ S[i, j] -> [(floor((i)/32))] }]"
                permutable: 1
                child:
                  schedule: "[{ S[i, j] -> [(floor((j)/32))] }]"
                  permutable: 1
                  child:
                    schedule: "[{ S[i, j] -> [(i)] }]"
                    permutable: 1
                    child:
                      schedule: "[{ S[i, j] -> [(j)] }]"
                      permutable: 1
            // parallel
            // threads
            for (int c0 = 0; c0 <= 31; c0 += 1)
              for (int c1 = 0; c1 <= 31; c1 += 1)
                for (int c2 = 32 * c0; c2 <= 32 * c0 + 31; c2 += 1)
                  for (int c3 = 32 * c1; c3 <= 32 * c1 + 31; c3 += 1)
                    S(c2, c3);
        "##]],
    );
}

#[test]
fn steps_that_are_not_legal() {
    check(
        COLUMN_SUMS,
        &["--apply", "reverse 1; interchange 0 1"],
        expect![[r#"
        # reverse 1: dependence S[0, 2046] -> S[0, 2047] is not executed in order
        # interchange 0 1: dependence S[0, 2046] -> S[0, 2047] is not executed in order
        # left as it is: dependence S[0, 2046] -> S[0, 2047] is not executed in order
    "#]],
    );
}

/// What is said of a value that an option refuses.
fn refused(option: &str, value: &str) -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_farkas"))
        .args(["plan", option, value, "none.scop"])
        .output()
        .expect("the command starts");
    assert_eq!(done.status.code(), Some(2), "{value}");
    let said = String::from_utf8(done.stderr).expect("text");
    said.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn wrong_steps() {
    for steps in [
        "tile",
        "tile 0",
        "tile x",
        "interchange 0 0",
        "vector 1",
        "split 0",
        "unroll 4",
        "parallel 2",
    ] {
        let said = refused("--apply", steps);
        assert!(said.contains(&format!("`{steps}` is no step")), "{said}");
    }
    expect!["error: invalid value '' for '--apply <STEPS>': expected steps, such as `tile 32 32; parallel`"]
        .assert_eq(&refused("--apply", ""));
    expect![
        "error: invalid value 'tile 8 8 at' for '--apply <STEPS>': `tile 8 8 at`: expected one statement behind `at`"
    ]
    .assert_eq(&refused("--apply", "tile 8 8 at"));
    check(
        COLUMN_SUMS,
        &["--apply", "tile 8 8 8"],
        expect![[r#"
        FILE: program 1: `tile 8 8 8` is about no band of the tree
    "#]],
    );
    check(
        COLUMN_SUMS,
        &["--apply", "tile 8 8 at T"],
        expect![[r#"
        FILE: program 1: `tile 8 8 at T` is about no band of the tree
    "#]],
    );
}

#[test]
fn tile_sizes_of_each_loop() {
    check(
        COLUMN_SUMS,
        &["--tile=24,100", "--candidate=1", "--ast"],
        expect![[r##"
        # transformed: tiled 24 x 100
        # expected: 1.3467e8 cycles in the original order, 6.0760e7 in this one
        domain: "{ S[i, j] : 0 <= i <= 2047 and 0 <= j <= 2047 }"
        child:
          schedule: "[{ S[i, j] -> [(floor((i)/24))] }, { S[i, j] -> [(floor((j)/100))] }]"
          permutable: 1
          coincident: [ 1, 0 ]
          child:
            schedule: "[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
            permutable: 1
            coincident: [ 1, 0 ]
            options: "{ separate[(1)] }"
        // parallel
        for (int c0 = 0; c0 <= 85; c0 += 1)
          for (int c1 = 0; c1 <= 20; c1 += 1) {
            // parallel
            for (int c2 = 24 * c0; c2 <= min(2047, 24 * c0 + 23); c2 += 1)
              for (int c3 = 100 * c1; c3 <= min(2047, 100 * c1 + 99); c3 += 1)
                S(c2, c3);
          }
    "##]],
    );
    check(
        COLUMN_SUMS,
        &["--tile=-,48", "--candidate=1", "--ast"],
        expect![[r##"
        # transformed: tiled all x 48
        # expected: 1.3467e8 cycles in the original order, 5.8163e7 in this one
        domain: "{ S[i, j] : 0 <= i <= 2047 and 0 <= j <= 2047 }"
        child:
          schedule: "[{ S[i, j] -> [(floor((j)/48))] }]"
          permutable: 1
          child:
            schedule: "[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
            permutable: 1
            coincident: [ 1, 0 ]
            options: "{ separate[(1)] }"
        for (int c0 = 0; c0 <= 42; c0 += 1) {
          // parallel
          for (int c1 = 0; c1 <= 2047; c1 += 1)
            for (int c2 = 48 * c0; c2 <= min(2047, 48 * c0 + 47); c2 += 1)
              S(c1, c2);
        }
    "##]],
    );
}

#[test]
fn wrong_tile_sizes() {
    for (sizes, why) in [
        (
            "32,x",
            "'x' is no tile size: expected a positive number, or `-` for a loop that is not tiled",
        ),
        (
            "-8",
            "'-8' is no tile size: expected a positive number, or `-` for a loop that is not tiled",
        ),
        ("-,0", "'-,0' has no tile size: expected at least one positive number"),
    ] {
        let said = refused("--tile", sizes);
        assert_eq!(
            said,
            format!("error: invalid value '{sizes}' for '--tile <SIZES>': {why}")
        );
    }
}
