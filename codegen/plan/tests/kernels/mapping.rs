//! What is mapped, and how.

use std::cell::RefCell;
use std::fmt::{Display, Write};

use expect_test::{Expect, expect};
use farkas_plan::target::Features;
use farkas_plan::{KernelPlan, Offload, Stage, plan_kernels};
use farkas_polyhedral::budget::Budget;

use super::{COPY, PRODUCT, ROWS, STENCIL, fused_product, program};

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
    let outcome = match plan_kernels(
        &program(text),
        Offload::Always,
        Features::default(),
        &show,
        &Budget::unlimited(),
    ) {
        Ok(plan) => format!("# {}\n{}", plan.summary(), shown.into_inner()),
        Err(kept) => format!("# {kept}\n"),
    };
    expected.assert_eq(&outcome);
}

/// The plan of a program for a device with these features.
fn planned(text: &str, features: Features) -> KernelPlan {
    let planned = plan_kernels(
        &program(text),
        Offload::Always,
        features,
        &|_, _| {},
        &Budget::unlimited(),
    );
    planned.expect("a plan")
}

/// Such lines of a plan's tree.
fn lines_of(plan: &KernelPlan, is_such: impl Fn(&str) -> bool) -> String {
    let tree = plan.tree.to_string();
    let lines = tree.lines().filter(|line| is_such(line));
    lines.map(|line| format!("{}\n", line.trim())).collect()
}

#[test]
fn warps_multiply_matrices() {
    let plan = planned(&fused_product(), Features::of_processor("sm_90"));
    let lines = lines_of(&plan, |line| {
        line.contains("mark: ") || line.contains("schedule: ") && line.contains("S[")
    });
    expect![[r#"
        kernel in blocks of 8 x 32 threads with 4 x 1 points each, kernel in blocks of 32 x 4 threads with 4 x 16 points each, B and A in shared memory, copied 1 strip ahead, matrix instructions
        mark: "kernel"
        mark: "blocks(2)"
        mark: "threads(8 32)"
        mark: "threads(8 32)"
        mark: "kernel"
        mark: "blocks(2)"
        schedule: "[n] -> [{ S[i, j, k] -> [(floor((i)/128))] }, { S[i, j, k] -> [(floor((j)/64))] }]"
        mark: "stages(2)"
        schedule: "[n] -> [{ S[i, j, k] -> [(floor((k)/8))] }]"
        mark: "pack(B, B.S)"
        mark: "threads(32 4)"
        mark: "pack(A, A.S)"
        mark: "threads(32 4)"
        schedule: "[n] -> [{ S[i, j, k] -> [(floor((k)/4))] }]"
        schedule: "[n] -> [{ S[i, j, k] -> [(floor((i)/64))] }, { S[i, j, k] -> [(floor((j)/8))] }]"
        mark: "mma(16 8 4)"
        schedule: "[n] -> [{ S[i, j, k] -> [(floor((i)/32))] }, { S[i, j, k] -> [(floor((j)/8))] }]"
        mark: "threads(32 4)"
        schedule: "[n] -> [{ S[i, j, k] -> [(i)] }, { S[i, j, k] -> [(floor((j)/2))] }]"
        schedule: "[n] -> [{ S[i, j, k] -> [(j)] }]"
        schedule: "[n] -> [{ S[i, j, k] -> [(k)] }]"
        mark: "kernel"
        mark: "blocks(2)"
        schedule: "[n] -> [{ S[i, j, k] -> [(floor((i)/8))] }, { S[i, j, k] -> [(floor((j)/32))] }]"
        mark: "threads(8 32)"
        schedule: "[n] -> [{ S[i, j, k] -> [(i)] }, { S[i, j, k] -> [(j)] }]"
        schedule: "[n] -> [{ S[i, j, k] -> [(k)] }]"
    "#]].assert_eq(&format!("{}\n{lines}", plan.summary()));
}

#[test]
fn older_devices_have_no_matrix_instructions() {
    let plan = planned(&fused_product(), Features::of_processor("sm_80"));
    expect!["kernel in blocks of 8 x 32 threads with 4 x 1 points each, kernel in blocks of 16 x 16 threads with 8 x 4 points each, B and A in shared memory, copied 1 strip ahead"].assert_eq(&plan.summary().to_string());
}

#[test]
fn threads_of_a_product_have_several_points() {
    check_stage(
        PRODUCT,
        Stage::Plan,
        expect![[r##"
            # kernel in blocks of 8 x 32 threads with 4 x 1 points each, kernel in blocks of 16 x 16 threads with 8 x 4 points each, B and A in shared memory
            domain: "[n] -> { Z[i, j] : 0 <= i < n and 0 <= j < n; S[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
            child:
              sequence:
              - filter: "{ Z[i, j] }"
                child:
                  mark: "kernel"
                  child:
                    mark: "blocks(2)"
                    child:
                      schedule: "[n] -> [{ Z[i, j] -> [(floor((i)/32))] }, { Z[i, j] -> [(floor((j)/32))] }]"
                      permutable: 1
                      coincident: [ 1, 1 ]
                      options: "{ full_tiles[(32), (32)] }"
                      child:
                        sequence:
                        - filter: "[n] -> { Z[i, j] : 0 <= i < n and 0 <= j < n and floor((i)/32) >= 0 and n >= 32 + 32*floor((i)/32) and floor((j)/32) >= 0 and n >= 32 + 32*floor((j)/32) }"
                          child:
                            schedule: "[n] -> [{ Z[i, j] -> [(floor((i)/8))] }, { Z[i, j] -> [(floor((j)/32))] }]"
                            permutable: 1
                            coincident: [ 1, 1 ]
                            options: "{ unroll[(0)]; unroll[(1)] }"
                            child:
                              mark: "threads(8 32)"
                              child:
                                schedule: "[n] -> [{ Z[i, j] -> [(i)] }, { Z[i, j] -> [(j)] }]"
                                permutable: 1
                                coincident: [ 1, 1 ]
                        - filter: "[n] -> { Z[i, j] : 0 <= i < n and 0 <= j < n and n <= 31 + 32*floor((i)/32); Z[i, j] : i >= 0 and 0 <= j < n and 32 + 32*floor((i)/32) <= n <= 31 + 32*floor((j)/32) }"
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
                  sequence:
                  - filter: "[n] -> { S[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n and floor((i)/128) >= 0 and n >= 128 + 128*floor((i)/128) and floor((j)/64) >= 0 and n >= 64 + 64*floor((j)/64) }"
                    child:
                      mark: "kernel"
                      child:
                        mark: "blocks(2)"
                        child:
                          schedule: "[n] -> [{ S[i, j, k] -> [(floor((i)/128))] }, { S[i, j, k] -> [(floor((j)/64))] }]"
                          permutable: 1
                          coincident: [ 1, 1 ]
                          options: "{ full_tiles[(128), (64)] }"
                          child:
                            schedule: "[n] -> [{ S[i, j, k] -> [(floor((k)/16))] }]"
                            permutable: 1
                            options: "{ full_tiles[(16)] }"
                            child:
                              mark: "pack(B, B.S)"
                              child:
                                extension: "[n] -> { [i0, i1, i2] -> B.S.in[(i0), (i1), (i2), o3, o4] : 16i2 <= o3 <= 15 + 16i2 and 64i1 <= o4 <= 63 + 64i1 and 0 <= o3 < n and i0 >= 0 and 128i0 <= -128 + n and i1 >= 0 and 64i1 <= -64 + n }"
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
                                        extension: "[n] -> { [i0, i1, i2] -> A.S.in[(i0), (i1), (i2), o3, o4] : 128i0 <= o3 <= 127 + 128i0 and 16i2 <= o4 <= 15 + 16i2 and 0 <= o4 < n and i0 >= 0 and 128i0 <= -128 + n and i1 >= 0 and 64i1 <= -64 + n }"
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
                                                schedule: "[n] -> [{ S[i, j, k] -> [(floor((i)/16))] }, { S[i, j, k] -> [(floor((j)/32))] }]"
                                                permutable: 1
                                                coincident: [ 1, 1 ]
                                                options: "{ unroll[(0)]; unroll[(1)] }"
                                                child:
                                                  mark: "threads(16 16)"
                                                  child:
                                                    schedule: "[n] -> [{ S[i, j, k] -> [(i)] }, { S[i, j, k] -> [(floor((j)/2))] }]"
                                                    permutable: 1
                                                    coincident: [ 1, 1 ]
                                                    child:
                                                      schedule: "[n] -> [{ S[i, j, k] -> [(j)] }]"
                                                      permutable: 1
                                                      coincident: [ 1 ]
                                                      options: "{ unroll[(0)] }"
                  - filter: "[n] -> { S[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n and n <= 127 + 128*floor((i)/128); S[i, j, k] : i >= 0 and 0 <= j < n and 0 <= k < n and 128 + 128*floor((i)/128) <= n <= 63 + 64*floor((j)/64) }"
                    child:
                      mark: "kernel"
                      child:
                        mark: "blocks(2)"
                        child:
                          schedule: "[n] -> [{ S[i, j, k] -> [(floor((i)/8))] }, { S[i, j, k] -> [(floor((j)/32))] }]"
                          permutable: 1
                          coincident: [ 1, 1 ]
                          child:
                            mark: "threads(8 32)"
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
            # kernel in blocks of 256 threads with 4 points each
            for (int c0 = 0; c0 < m; c0 += 1) {
              // kernel
              // blocks(1)
              if (n >= 2048) {
                // parallel
                // blocks x
                for (int c1 = 0; c1 <= 0; c1 += 1) {
                  // parallel
                  for (int c2 = 0; c2 <= 3; c2 += 1) {
                    // threads(256)
                    // parallel
                    // threads x
                    for (int c3 = max(1, 256 * c2); c3 <= 256 * c2 + 255; c3 += 1)
                      S(c0, c3);
                  }
                }
              }
              // parallel
              // blocks x
              for (int c1 = 1; c1 < floord(n, 1024); c1 += 1) {
                // threads(256)
                // parallel
                // threads x
                for (int c3 = 1024 * c1; c3 <= 1024 * c1 + 255; c3 += 1)
                  S(c0, c3);
                // threads(256)
                // parallel
                // threads x
                for (int c3 = 1024 * c1 + 256; c3 <= 1024 * c1 + 511; c3 += 1)
                  S(c0, c3);
                // threads(256)
                // parallel
                // threads x
                for (int c3 = 1024 * c1 + 512; c3 <= 1024 * c1 + 767; c3 += 1)
                  S(c0, c3);
                // threads(256)
                // parallel
                // threads x
                for (int c3 = 1024 * c1 + 768; c3 <= 1024 * c1 + 1023; c3 += 1)
                  S(c0, c3);
              }
              if (n >= 2048) {
                // parallel
                // blocks x
                for (int c1 = n / 1024; c1 <= n / 1024; c1 += 1) {
                  // parallel
                  for (int c2 = 4 * (n / 1024); c2 <= (n - 1) / 256; c2 += 1) {
                    // threads(256)
                    // parallel
                    // threads x
                    for (int c3 = 256 * c2; c3 <= min(n - 1, 256 * c2 + 255); c3 += 1)
                      S(c0, c3);
                  }
                }
              } else {
                // parallel
                // blocks x
                for (int c1 = 0; c1 <= 0; c1 += 1) {
                  // parallel
                  for (int c2 = 0; c2 <= min(7 - (2048 - n) / 256, 3); c2 += 1) {
                    // threads(256)
                    // parallel
                    // threads x
                    for (int c3 = max(1, 256 * c2); c3 <= min(n - 1, 256 * c2 + 255); c3 += 1)
                      S(c0, c3);
                  }
                }
                // parallel
                // blocks x
                for (int c1 = 1; c1 <= 1; c1 += 1) {
                  // parallel
                  for (int c2 = 4; c2 <= 7 - (2048 - n) / 256; c2 += 1) {
                    // threads(256)
                    // parallel
                    // threads x
                    for (int c3 = 256 * c2; c3 <= min(n - 1, 256 * c2 + 255); c3 += 1)
                      S(c0, c3);
                  }
                }
              }
              // kernel
              // blocks(1)
              if (n >= 2048) {
                // parallel
                // blocks x
                for (int c1 = 0; c1 <= 0; c1 += 1) {
                  // parallel
                  for (int c2 = 0; c2 <= 3; c2 += 1) {
                    // threads(256)
                    // parallel
                    // threads x
                    for (int c3 = max(1, 256 * c2); c3 <= 256 * c2 + 255; c3 += 1)
                      T(c0, c3);
                  }
                }
              }
              // parallel
              // blocks x
              for (int c1 = 1; c1 < floord(n, 1024); c1 += 1) {
                // threads(256)
                // parallel
                // threads x
                for (int c3 = 1024 * c1; c3 <= 1024 * c1 + 255; c3 += 1)
                  T(c0, c3);
                // threads(256)
                // parallel
                // threads x
                for (int c3 = 1024 * c1 + 256; c3 <= 1024 * c1 + 511; c3 += 1)
                  T(c0, c3);
                // threads(256)
                // parallel
                // threads x
                for (int c3 = 1024 * c1 + 512; c3 <= 1024 * c1 + 767; c3 += 1)
                  T(c0, c3);
                // threads(256)
                // parallel
                // threads x
                for (int c3 = 1024 * c1 + 768; c3 <= 1024 * c1 + 1023; c3 += 1)
                  T(c0, c3);
              }
              if (n >= 2048) {
                // parallel
                // blocks x
                for (int c1 = n / 1024; c1 <= n / 1024; c1 += 1) {
                  // parallel
                  for (int c2 = 4 * (n / 1024); c2 <= (n - 1) / 256; c2 += 1) {
                    // threads(256)
                    // parallel
                    // threads x
                    for (int c3 = 256 * c2; c3 <= min(n - 1, 256 * c2 + 255); c3 += 1)
                      T(c0, c3);
                  }
                }
              } else {
                // parallel
                // blocks x
                for (int c1 = 0; c1 <= 0; c1 += 1) {
                  // parallel
                  for (int c2 = 0; c2 <= min(7 - (2048 - n) / 256, 3); c2 += 1) {
                    // threads(256)
                    // parallel
                    // threads x
                    for (int c3 = max(1, 256 * c2); c3 <= min(n - 1, 256 * c2 + 255); c3 += 1)
                      T(c0, c3);
                  }
                }
                // parallel
                // blocks x
                for (int c1 = 1; c1 <= 1; c1 += 1) {
                  // parallel
                  for (int c2 = 4; c2 <= 7 - (2048 - n) / 256; c2 += 1) {
                    // threads(256)
                    // parallel
                    // threads x
                    for (int c3 = 256 * c2; c3 <= min(n - 1, 256 * c2 + 255); c3 += 1)
                      T(c0, c3);
                  }
                }
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

/// What is done with the product of arrays with elements of so many bytes for a processor, and what the plan says of its strips.
fn check_strips(bytes: u32, processor: &str, expected: Expect) {
    let text = PRODUCT.replace("8 bytes", &format!("{bytes} bytes"));
    let features = Features::of_processor(processor);
    let plan = planned(&text, features);
    let strips = lines_of(&plan, |line| {
        line.contains("stages") || line.contains("schedule") && line.contains("(k)/")
    });
    expected.assert_eq(&format!("{}\n{strips}", plan.summary()));
}

/// What a statement has in place of a scalar is in no shared memory: there is no load of it.
#[test]
fn scalars_in_elements_are_not_shared() {
    let text = format!("{PRODUCT}    in registers: access 0\n");
    let plan = planned(&text, Features::default());
    expect!["kernel in blocks of 8 x 32 threads with 4 x 1 points each, kernel in blocks of 16 x 16 threads with 8 x 4 points each, B in shared memory"].assert_eq(&plan.summary().to_string());
}

/// Shared memory has room for so many strips, where a processor copies asynchronously.
#[test]
fn strips_are_copied_ahead() {
    check_strips(
        4,
        "sm_90",
        expect![[r#"
        kernel in blocks of 8 x 32 threads with 4 x 1 points each, kernel in blocks of 16 x 16 threads with 8 x 8 points each, B and A in shared memory, copied 3 strips ahead
        mark: "stages(4)"
        schedule: "[n] -> [{ S[i, j, k] -> [(floor((k)/8))] }]"
    "#]],
    );
    check_strips(
        4,
        "sm_75",
        expect![[r#"
        kernel in blocks of 8 x 32 threads with 4 x 1 points each, kernel in blocks of 16 x 16 threads with 8 x 8 points each, B and A in shared memory
        schedule: "[n] -> [{ S[i, j, k] -> [(floor((k)/16))] }]"
    "#]],
    );
    check_strips(
        8,
        "sm_80",
        expect![[r#"
            kernel in blocks of 8 x 32 threads with 4 x 1 points each, kernel in blocks of 16 x 16 threads with 8 x 4 points each, B and A in shared memory, copied 1 strip ahead
            mark: "stages(2)"
            schedule: "[n] -> [{ S[i, j, k] -> [(floor((k)/8))] }]"
        "#]],
    );
    check_strips(
        2,
        "sm_90",
        expect![[r#"
        kernel in blocks of 8 x 32 threads with 4 x 1 points each, kernel in blocks of 16 x 16 threads with 8 x 8 points each, B and A in shared memory
        schedule: "[n] -> [{ S[i, j, k] -> [(floor((k)/16))] }]"
    "#]],
    );
    check_strips(
        16,
        "sm_90",
        expect![[r#"
        kernel in blocks of 8 x 32 threads with 4 x 1 points each, kernel in blocks of 16 x 16 threads with 8 x 4 points each, B and A in shared memory
        schedule: "[n] -> [{ S[i, j, k] -> [(floor((k)/16))] }]"
    "#]],
    );
}
