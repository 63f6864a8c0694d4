//! Plans of programs of the corpus for other machines than the corpus is for.

use expect_test::{Expect, expect};
use farkas_plan::target::{ProcessorFacts, Target};
use farkas_plan::{Choices, budget, plan};
use farkas_polyhedral::program::text;

/// The plans for a processor of which LLVM's vectorizer uses 256 bits, of programs with elements of this type.
fn check(processor: &str, element: &str, names: &[&str], expected: Expect) {
    let facts = ProcessorFacts {
        architecture: "x86_64".to_owned(),
        features: "+avx2,+fma,+avx512f,+avx512bw,+avx512dq,+avx512vl".to_owned(),
        vector_bits: Some(256),
        vector_registers: Some(32),
        ..ProcessorFacts::default()
    };
    let target = Target::for_processor(processor, &facts);
    let mut lines = String::new();
    for name in names {
        let path = format!("{}/../../test/plans/{name}.scop", env!("CARGO_MANIFEST_DIR"));
        let mut programs = std::fs::read_to_string(path).expect("a file of the corpus");
        if element == "float" {
            programs = programs.replace("8 bytes", "4 bytes").replace("f64", "f32");
        }
        let programs = text::programs(&programs).unwrap_or_else(|error| panic!("{error}"));
        let several = programs.len() > 1;
        for (index, program) in programs.iter().enumerate() {
            let b = budget(program, &Choices::default());
            let summary = match plan(program, &target, &Choices::default(), &|_, _| {}, &b) {
                Ok(plan) => plan.summary().to_string(),
                Err(kept) => format!("left as it is: {kept}"),
            };
            let position = if several {
                format!(" {}", index + 1)
            } else {
                String::new()
            };
            lines += &format!("{name}{position}: {summary}\n");
        }
    }
    expected.assert_eq(&lines);
}

/// Updates in tiles of their own have lanes: with 32 registers, 8 rows of two vectors would be too much code in triangles, and rows that are
/// left to LLVM's vectorizer take longer than predicted.
#[test]
fn many_registers() {
    check(
        "skylake-avx512",
        "double",
        &["lu", "ludcmp", "cholesky"],
        expect![[r#"
        lu: distributed loops, tiled 32 x 32 x 32, separated tiles of S0, unrolled and jammed 4, 4 vector lanes, separated tiles of S2
        ludcmp: distributed loops, tiled 32 x 32 x 32, separated tiles of S1, unrolled and jammed 4, 4 vector lanes, separated tiles of S4, wavefronts of 8 iterations
        cholesky: tiled 32 x 32 x 32, separated tiles of S0, unrolled and jammed 4, 4 vector lanes, transposed 4 iterations at a time
    "#]],
    );
}

/// Lanes have 512 bits.
#[test]
fn wide_lanes() {
    check(
        "sapphirerapids",
        "double",
        &["lu", "ludcmp", "cholesky", "3mm"],
        expect![[r#"
            lu: distributed loops, tiled 32 x 32 x 32, separated tiles of S0, unrolled and jammed 8, 8 vector lanes, separated tiles of S2
            ludcmp: distributed loops, tiled 32 x 32 x 32, separated tiles of S1, unrolled and jammed 8, 8 vector lanes, separated tiles of S4, wavefronts of 8 iterations
            cholesky: tiled 32 x 32 x 32, separated tiles of S0, unrolled and jammed 8, 8 vector lanes, transposed 8 iterations at a time
            3mm: tiled 768 x 512 x 128, unrolled and jammed 8, 8 vector lanes
        "#]],
    );
}

/// In tiles of 32 x 32, blocks have no more than 8 lanes, where 16 fill a vector.
#[test]
fn wide_lanes_in_small_tiles() {
    check(
        "sapphirerapids",
        "float",
        &["lu", "cholesky"],
        expect![[r#"
        lu: distributed loops, tiled 32 x 32 x 32, separated tiles of S0, unrolled and jammed 8, 16 vector lanes, separated tiles of S2
        cholesky: tiled 32 x 32 x 32, separated tiles of S0, unrolled and jammed 8, 8 vector lanes, transposed 8 iterations at a time
    "#]],
    );
}

/// Lines that L1 writes back to L2 take longer than those it reads: tiles over time fit L1. On Zen 4 they cost nothing more.
#[test]
fn lines_that_are_written_back() {
    check(
        "sapphirerapids",
        "double",
        &["jacobi2d", "fdtd2d"],
        expect![[r#"
            jacobi2d: distributed loops, tiled 32 x 8 x 128, unrolled and jammed 8
            fdtd2d: distributed loops, tiled all x 8 x 128, unrolled and jammed 8
        "#]],
    );
    check(
        "znver4",
        "double",
        &["jacobi2d", "fdtd2d"],
        expect![[r#"
        jacobi2d: distributed loops, tiled 32 x 32 x 512, unrolled and jammed 4
        fdtd2d: distributed loops, tiled all x 32 x 512
    "#]],
    );
}

/// Jammed rows are fetched side by side from L2, which takes longer on Intel: they are in tiles that fit L1, or there are none.
#[test]
fn jammed_rows_of_l2() {
    check(
        "icelake-server",
        "double",
        &["jacobi2d", "heat3d"],
        expect![[r#"
            jacobi2d: distributed loops, tiled 32 x 8 x 128, unrolled and jammed 8
            heat3d: distributed loops, tiled 32 x 32 x 32 x all
        "#]],
    );
}

/// In an update of rank 2k, `A[j][k] * alpha` along lanes is computed once for all rows. Gathers are shuffles, which take the pipes that arithmetic
/// takes, so that blocks are transposed. The sums of a symmetric product are in several vectors.
#[test]
fn shuffles_beside_arithmetic() {
    let expected = expect![[r#"
        syr2k: interchanged loops, tiled 32 x 32 x 512, unrolled and jammed 8, 8 vector lanes, transposed 8 iterations at a time
        symm: interchanged loops, tiled 512 x 192 x 32, unrolled and jammed 8, 8 vector lanes, tiled all x 64, unrolled and jammed 4
    "#]];
    check("sapphirerapids", "double", &["syr2k", "symm"], expected);
}

/// A scalar is a register in each iteration of the original, however it is expanded in a new order.
#[test]
fn a_window_that_llvm_vectorizes() {
    check(
        "sapphirerapids",
        "float",
        &["pooling"],
        expect![[r#"
            pooling: left as it is: no gain expected: 5.02e6 cycles in the best order found, by throughput, against 2.26e6 in the original
        "#]],
    );
}

/// With masks for bytes, LLVM unrolls windows completely, and makes vectors of 16 bits of all that is in the loop around them.
#[test]
fn windows_of_bytes() {
    check(
        "sapphirerapids",
        "double",
        &["neighbours", "blur"],
        expect![[r#"
            neighbours: left as it is: no gain expected: 1.07e6 cycles in the best order found, by throughput, against 5.27e5 in the original
            blur: left as it is: no gain expected: 5.73e6 cycles in the best order found, by throughput, against 2.38e6 in the original
        "#]],
    );
}

/// Wavefronts are of rows, not of steps in time, of which there are fewer than they have rows.
#[test]
fn fewer_steps_than_rows() {
    check(
        "sapphirerapids",
        "double",
        &["few-steps"],
        expect![[r#"
            few-steps: wavefronts of 16 iterations, 4 vector lanes, where n >= 64, and rows are not pages apart
        "#]],
    );
}

/// Three elements of an array stay in registers in each lane.
#[test]
fn several_accumulators() {
    check(
        "sapphirerapids",
        "double",
        &["forces"],
        expect![[r#"
            forces: 8 vector lanes, where n >= 48
        "#]],
    );
}

/// Recurrences of a product and a sum wait for both where they are rounded apart. In the third one the sum alone waits.
#[test]
fn contraction() {
    check(
        "sapphirerapids",
        "double",
        &["contraction"],
        expect![[r#"
        contraction 1: 8 vector lanes, transposed 8 iterations at a time, where n >= 24
        contraction 2: 8 vector lanes, transposed 8 iterations at a time, where n >= 32
        contraction 3: interchanged loops, unrolled and jammed 4, where n >= 12
    "#]],
    );
    check(
        "sapphirerapids",
        "float",
        &["contraction"],
        expect![[r#"
        contraction 1: 16 vector lanes, transposed 8 iterations at a time, where n >= 24
        contraction 2: 16 vector lanes, transposed 8 iterations at a time, where n >= 32
        contraction 3: interchanged loops, unrolled and jammed 4, where n >= 12
    "#]],
    );
}

/// Both sums of an element of the matrix fetch it once: one order of both gains more than the sum of what each gains.
#[test]
fn shared_reads() {
    check(
        "sapphirerapids",
        "double",
        &["bicg", "atax", "gesummv"],
        expect![[r#"
        bicg: fused in tiles of 16, tiled 32 x 512, unrolled and jammed 4, 8 vector lanes, transposed 8 iterations at a time
        atax: fused in tiles of 16, 8 vector lanes, transposed 8 iterations at a time, tiled 32 x 512, unrolled and jammed 4
        gesummv: 8 vector lanes, transposed 8 iterations at a time
    "#]],
    );
}
