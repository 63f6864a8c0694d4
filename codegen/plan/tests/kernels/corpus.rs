//! The corpus in kernels.

use std::fmt::Write;

use expect_test::expect;
use farkas_plan::target::Features;
use farkas_plan::{Offload, Transform, check_order, plan_kernels};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::program::text::programs;

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
            let outcome = match plan_kernels(&program, Offload::Always, Features::default(), &|_, _| {}, &b) {
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
        2mm: 4 in kernels
        3mm: 6 in kernels
        adi: 12 in kernels
        affine_gaps: 2 in kernels
        any-subscript: a statement is in no loop whose iterations may run at the same time on a device
        any-subscript: a statement is in no loop whose iterations may run at the same time on a device
        any-subscript: a statement is in no loop whose iterations may run at the same time on a device
        any-subscript: a statement is in no loop whose iterations may run at the same time on a device
        any-subscript: a statement is in no loop whose iterations may run at the same time on a device
        any-subscript: a statement is in no loop whose iterations may run at the same time on a device
        any-subscript: 2 in kernels, 1 with register tiles
        apsp: 1 in kernels
        array-members: 2 in kernels, 1 with register tiles
        array-members: 1 in kernels
        atax: 4 in kernels
        attention: a statement is in no loop whose iterations may run at the same time on a device
        back_substitution: 1 in kernels
        bicg: 4 in kernels
        blur: a statement is in no loop whose iterations may run at the same time on a device
        borders: 3 in kernels
        borders: 3 in kernels, 1 with register tiles
        borders: the analysis is too costly
        borders: 1 in kernels
        bounds: 1 in kernels
        bounds: 1 in kernels
        bounds: 1 in kernels, 1 with register tiles
        bounds: 1 in kernels
        bounds: 1 in kernels, 1 with register tiles
        bounds: 3 in kernels, 2 with register tiles
        bounds: 1 in kernels
        bounds: 1 in kernels
        bounds: 1 in kernels
        bounds: 1 in kernels, 1 with register tiles
        breaks: 2 in kernels
        breaks: 2 in kernels, 2 with register tiles
        breaks: a statement is in no loop whose iterations may run at the same time on a device
        breaks: 2 in kernels
        calls: 2 in kernels, 2 with register tiles
        calls: 1 in kernels, 1 with register tiles
        calls: 1 in kernels, 1 with register tiles
        calls: a statement is in no loop whose iterations may run at the same time on a device
        calls: 1 in kernels, 1 with register tiles
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
        constant-shapes: 1 in kernels, 1 with register tiles
        constant-shapes: 1 in kernels, 1 with register tiles
        constant-shapes: a statement is in no loop whose iterations may run at the same time on a device
        constant-tables: 1 in kernels
        constant-tables: 1 in kernels
        constant-tables: 1 in kernels
        context: 1 in kernels, 1 with register tiles
        context: 1 in kernels, 1 with register tiles
        contraction: 2 in kernels, 1 with register tiles
        contraction: 2 in kernels, 1 with register tiles
        contraction: 2 in kernels, 1 with register tiles
        convolution: 2 in kernels
        correlation: 11 in kernels
        cosine_transform: 2 in kernels, 1 with register tiles
        costs: 1 in kernels
        costs: 2 in kernels, 1 with register tiles
        costs: 2 in kernels
        costs: 1 in kernels, 1 with register tiles
        costs: 1 in kernels, 1 with register tiles
        costs: 1 in kernels
        costs: 2 in kernels
        costs: 2 in kernels
        costs: 4 in kernels
        costs: 1 in kernels
        costs: 1 in kernels
        counter-after-loop: a statement is in no loop whose iterations may run at the same time on a device
        counter-after-loop: 2 in kernels, 1 with register tiles
        covariance: 7 in kernels
        data-conditions: a statement is in no loop whose iterations may run at the same time on a device
        data-conditions: 1 in kernels, 1 with register tiles
        data-conditions: 1 in kernels
        delicm-dimensions: 2 in kernels
        delicm: 3 in kernels, 2 with register tiles
        delicm: 1 in kernels
        delicm: 1 in kernels
        delicm: a statement is in no loop whose iterations may run at the same time on a device
        delicm: 1 in kernels
        delicm: a statement is in no loop whose iterations may run at the same time on a device
        delicm: a statement is in no loop whose iterations may run at the same time on a device
        delicm: a statement is in no loop whose iterations may run at the same time on a device
        delicm: a statement is in no loop whose iterations may run at the same time on a device
        delicm: 1 in kernels
        delicm: 3 in kernels, 1 with register tiles
        delicm: 5 in kernels, 3 with register tiles
        delicm: 4 in kernels
        delicm: a statement is in no loop whose iterations may run at the same time on a device
        delicm: a statement is in no loop whose iterations may run at the same time on a device
        delicm: a statement is in no loop whose iterations may run at the same time on a device
        delicm: 2 in kernels, 2 with register tiles
        delicm: 2 in kernels
        delicm: a statement is in no loop whose iterations may run at the same time on a device
        delicm: 3 in kernels, 2 with register tiles
        delicm: a statement is in no loop whose iterations may run at the same time on a device
        delicm: a statement is in no loop whose iterations may run at the same time on a device
        diagonals: 1 in kernels, 1 with register tiles
        diagonals: 1 in kernels, 1 with register tiles
        dilation: the analysis is too costly
        divisors: 1 in kernels, 1 with register tiles
        doitgen: 3 in kernels
        dope-vector-strides: 1 in kernels
        durbin: a statement is in no loop whose iterations may run at the same time on a device
        edit_distance: 1 in kernels
        elimination: a statement is in no loop whose iterations may run at the same time on a device
        errors: 1 in kernels, 1 with register tiles
        errors: 1 in kernels, 1 with register tiles
        errors: 2 in kernels, 2 with register tiles
        errors: 1 in kernels, 1 with register tiles
        escape_times: 2 in kernels, 1 with register tiles
        fdtd2d: 4 in kernels
        few-steps: 1 in kernels
        filter: 6 in kernels, 2 with register tiles
        fir_float: 2 in kernels, 1 with register tiles
        fir_int16: 3 in kernels, 2 with register tiles
        forces: 1 in kernels
        gathers: 2 in kernels, 1 with register tiles
        gathers: 1 in kernels, 1 with register tiles
        gathers: 1 in kernels
        gemm: 2 in kernels, 2 with register tiles
        gemm_ikj: 2 in kernels, 2 with register tiles
        gemver: 4 in kernels, 1 with register tiles
        gesummv: 2 in kernels
        gramschmidt: a statement is in no loop whose iterations may run at the same time on a device
        heat3d: 2 in kernels
        horner: 2 in kernels, 1 with register tiles
        householder: a statement is in no loop whose iterations may run at the same time on a device
        if-conversion: the analysis is too costly
        if-conversion: 1 in kernels, 1 with register tiles
        inner-nests: 1 in kernels, 1 with register tiles
        inner-nests: 1 in kernels, 1 with register tiles
        intervals: 2 in kernels
        invariant-divisions: 2 in kernels, 1 with register tiles
        invariant-divisions: 1 in kernels
        invariant-loads: 1 in kernels, 1 with register tiles
        invariant-loads: 1 in kernels, 1 with register tiles
        invariant-loads: 1 in kernels
        invariant-loads: a statement is in no loop whose iterations may run at the same time on a device
        invariant-loads: a statement is in no loop whose iterations may run at the same time on a device
        invariant-loads: 1 in kernels, 1 with register tiles
        inverse4: 2 in kernels
        jacobi1d: 2 in kernels
        jacobi2d: 2 in kernels, 2 with register tiles
        knapsack: a statement is in no loop whose iterations may run at the same time on a device
        known-context: 1 in kernels, 1 with register tiles
        known-context: 1 in kernels, 1 with register tiles
        known-context: 1 in kernels, 1 with register tiles
        known-context: 1 in kernels, 1 with register tiles
        known-context: 1 in kernels, 1 with register tiles
        known-context: 1 in kernels, 1 with register tiles
        kronecker: 1 in kernels
        lanes: a statement is in no loop whose iterations may run at the same time on a device
        lanes: a statement is in no loop whose iterations may run at the same time on a device
        lanes: 2 in kernels
        lanes: 2 in kernels, 1 with register tiles
        lanes: 1 in kernels
        lanes: 2 in kernels, 1 with register tiles
        lanes: 1 in kernels, 1 with register tiles
        lanes: 1 in kernels, 1 with register tiles
        lanes: 1 in kernels
        layers: 5 in kernels
        ldlt: 2 in kernels, 1 with register tiles
        life: 2 in kernels, 2 with register tiles
        lifetimes: 1 in kernels
        lifetimes: a statement is in no loop whose iterations may run at the same time on a device
        lifetimes: a statement is in no loop whose iterations may run at the same time on a device
        linearised: 1 in kernels, 1 with register tiles
        linearised: 2 in kernels, 1 with register tiles
        linearised: 1 in kernels, 1 with register tiles
        linearised: 2 in kernels, 1 with register tiles
        loaded-offsets: a statement is in no loop whose iterations may run at the same time on a device
        loaded-offsets: a statement is in no loop whose iterations may run at the same time on a device
        loops-in-sequence: 3 in kernels, 1 with register tiles
        lu: 3 in kernels
        lu_rows: 2 in kernels
        ludcmp: a statement is in no loop whose iterations may run at the same time on a device
        many-assumptions: what has to be assumed never holds where something is executed
        math-errno: 1 in kernels, 1 with register tiles
        math-errno: 1 in kernels, 1 with register tiles
        math-errno: 1 in kernels, 1 with register tiles
        matrix-product: 1 in kernels, 1 with register tiles
        matrix_chain: 2 in kernels, 1 with register tiles
        merged-stores: a statement is in no loop whose iterations may run at the same time on a device
        merged-stores: a statement is in no loop whose iterations may run at the same time on a device
        merged-stores: 1 in kernels
        merged-stores: 1 in kernels
        min_plus: 1 in kernels, 1 with register tiles
        mvt: 2 in kernels
        narrow-subscripts: 1 in kernels, 1 with register tiles
        narrow-subscripts: 1 in kernels, 1 with register tiles
        narrow-subscripts: 1 in kernels, 1 with register tiles
        narrow-subscripts: 1 in kernels, 1 with register tiles
        narrow-subscripts: 1 in kernels
        narrow-subscripts: 1 in kernels, 1 with register tiles
        narrow-subscripts: 1 in kernels
        neighbours: a statement is in no loop whose iterations may run at the same time on a device
        normalise_columns: 1 in kernels
        nussinov: 4 in kernels
        obstacles: 2 in kernels, 2 with register tiles
        operand-tree-forwarding: 1 in kernels, 1 with register tiles
        operand-tree-forwarding: 1 in kernels, 1 with register tiles
        operand-tree-forwarding: 1 in kernels
        operand-tree-forwarding: 2 in kernels, 1 with register tiles
        operand-tree-forwarding: 1 in kernels
        operand-tree-forwarding: 2 in kernels, 1 with register tiles
        operand-tree-forwarding: 1 in kernels
        operand-tree-forwarding: 2 in kernels
        operations: 1 in kernels, 1 with register tiles
        operations: a statement is in no loop whose iterations may run at the same time on a device
        operations: a statement is in no loop whose iterations may run at the same time on a device
        operations: 1 in kernels, 1 with register tiles
        operations: a statement is in no loop whose iterations may run at the same time on a device
        outer_products: 1 in kernels, 1 with register tiles
        overlapping-rows: 1 in kernels
        overlapping-rows: 1 in kernels
        overlapping-rows: 1 in kernels, 1 with register tiles
        overlapping-rows: 1 in kernels, 1 with register tiles
        overlapping-rows: 1 in kernels
        padded-types: a statement is in no loop whose iterations may run at the same time on a device
        padded-types: a statement is in no loop whose iterations may run at the same time on a device
        padded_convolution: the analysis is too costly
        padded_convolution: 3 in kernels
        padded_pooling: 2 in kernels, 1 with register tiles
        padded_pooling: 2 in kernels, 1 with register tiles
        padded_pooling: the analysis is too costly
        pointer-differences: 2 in kernels
        pointer-differences: 1 in kernels
        polynomial-bounds: 1 in kernels, 1 with register tiles
        polynomial-bounds: 1 in kernels, 1 with register tiles
        polynomial-bounds: 1 in kernels, 1 with register tiles
        polynomial-bounds: 1 in kernels, 1 with register tiles
        polynomial_product: 1 in kernels
        pooling: a statement is in no loop whose iterations may run at the same time on a device
        predecessors: 1 in kernels, 1 with register tiles
        product-sizes: 2 in kernels, 2 with register tiles
        product-sizes: a statement is in no loop whose iterations may run at the same time on a device
        quadratic_forms: 4 in kernels, 3 with register tiles
        red_black: the analysis is too costly
        redundant-writes: 1 in kernels, 1 with register tiles
        redundant-writes: 3 in kernels
        redundant-writes: a statement is in no loop whose iterations may run at the same time on a device
        redundant-writes: a statement is in no loop whose iterations may run at the same time on a device
        regions: a statement is in no loop whose iterations may run at the same time on a device
        regions: a statement is in no loop whose iterations may run at the same time on a device
        regions: a statement is in no loop whose iterations may run at the same time on a device
        regions: 2 in kernels, 2 with register tiles
        regions: 2 in kernels, 2 with register tiles
        regions: 1 in kernels, 1 with register tiles
        regions: 2 in kernels, 2 with register tiles
        regions: a statement is in no loop whose iterations may run at the same time on a device
        regions: 2 in kernels, 2 with register tiles
        remainders: 1 in kernels, 1 with register tiles
        remainders: a statement is in no loop whose iterations may run at the same time on a device
        remainders: a statement is in no loop whose iterations may run at the same time on a device
        rotating-buffers: 1 in kernels, 1 with register tiles
        rotating-buffers: 1 in kernels, 1 with register tiles
        rotating-buffers: 2 in kernels, 2 with register tiles
        rotating-buffers: 1 in kernels, 1 with register tiles
        rotating-buffers: a statement is in no loop whose iterations may run at the same time on a device
        rotating-buffers: a statement is in no loop whose iterations may run at the same time on a device
        row-sweeps: a statement is in no loop whose iterations may run at the same time on a device
        row-sweeps: 3 in kernels, 1 with register tiles
        row-sweeps: 4 in kernels
        rows: 1 in kernels, 1 with register tiles
        rows: 1 in kernels, 1 with register tiles
        rows: 1 in kernels
        rows: 1 in kernels, 1 with register tiles
        rows: 1 in kernels, 1 with register tiles
        rows: 2 in kernels, 2 with register tiles
        scalar-coalescing: a statement is in no loop whose iterations may run at the same time on a device
        scalar-coalescing: a statement is in no loop whose iterations may run at the same time on a device
        scalar-coalescing: a statement is in no loop whose iterations may run at the same time on a device
        scalar-coalescing: a statement is in no loop whose iterations may run at the same time on a device
        scalar-coalescing: a statement is in no loop whose iterations may run at the same time on a device
        scalar-coalescing: a statement is in no loop whose iterations may run at the same time on a device
        scalar-coalescing: a statement is in no loop whose iterations may run at the same time on a device
        scalar-coalescing: 2 in kernels, 1 with register tiles
        scalar-coalescing: a statement is in no loop whose iterations may run at the same time on a device
        scalar-coalescing: a statement is in no loop whose iterations may run at the same time on a device
        scalar-coalescing: a statement is in no loop whose iterations may run at the same time on a device
        scalar-expansion: 1 in kernels
        scalars: 1 in kernels
        scalars: a statement is in no loop whose iterations may run at the same time on a device
        scalars: 1 in kernels, 1 with register tiles
        scalars: 2 in kernels, 1 with register tiles
        scalars: 3 in kernels
        scaled_rows: a statement is in no loop whose iterations may run at the same time on a device
        scaled_rows: 1 in kernels
        seidel2d: 1 in kernels
        separated: 2 in kernels, 1 with register tiles
        several-reductions: 3 in kernels
        shared-loads: 2 in kernels
        shared-loads: 2 in kernels
        shared-loads: 1 in kernels
        shared-loads: 1 in kernels
        shared-loads: 1 in kernels
        shared-loads: 1 in kernels
        shared-loads: 3 in kernels
        sobel: 1 in kernels, 1 with register tiles
        split: 2 in kernels, 2 with register tiles
        split: 1 in kernels, 1 with register tiles
        split: a statement is in no loop whose iterations may run at the same time on a device
        split: 2 in kernels, 2 with register tiles
        split: 1 in kernels
        split: a statement is in no loop whose iterations may run at the same time on a device
        split: 1 in kernels, 1 with register tiles
        split: 2 in kernels, 2 with register tiles
        stencil27: the analysis is too costly
        stencil_order4: 1 in kernels, 1 with register tiles
        stored-reductions: a statement is in no loop whose iterations may run at the same time on a device
        stored-reductions: a statement is in no loop whose iterations may run at the same time on a device
        stored-reductions: a statement is in no loop whose iterations may run at the same time on a device
        stored-reductions: a statement is in no loop whose iterations may run at the same time on a device
        strips: a statement is in no loop whose iterations may run at the same time on a device
        strips: a statement is in no loop whose iterations may run at the same time on a device
        strips: a statement is in no loop whose iterations may run at the same time on a device
        subsequence: 1 in kernels
        switch: a statement is in no loop whose iterations may run at the same time on a device
        switch: a statement is in no loop whose iterations may run at the same time on a device
        switch: 1 in kernels, 1 with register tiles
        switch: a statement is in no loop whose iterations may run at the same time on a device
        symm: 2 in kernels
        syr2k: 2 in kernels
        syrk: 2 in kernels
        tensor_contraction: 1 in kernels, 1 with register tiles
        time_warping: 1 in kernels
        transposed_product: 2 in kernels, 2 with register tiles
        triangular_inverse: 3 in kernels, 2 with register tiles
        tridiagonal: a statement is in no loop whose iterations may run at the same time on a device
        trisolv: a statement is in no loop whose iterations may run at the same time on a device
        trmm: 2 in kernels
        unconditional: 2 in kernels, 1 with register tiles
        unconditional: 2 in kernels, 1 with register tiles
        unconditional: a statement is in no loop whose iterations may run at the same time on a device
        unconditional: 1 in kernels, 1 with register tiles
        unconditional: 1 in kernels, 1 with register tiles
        unsigned-trip-counts: 2 in kernels, 2 with register tiles
        unsigned-trip-counts: 2 in kernels, 1 with register tiles
        unsigned-trip-counts: 2 in kernels, 1 with register tiles
        unsigned-trip-counts: 1 in kernels
        upscale: 1 in kernels, 1 with register tiles
        window-slots: the analysis is too costly
        window-slots: the analysis is too costly
        window-slots: the analysis is too costly
        window-slots: a statement is in no loop whose iterations may run at the same time on a device
        windows: 3 in kernels, 1 with register tiles
        windows: 2 in kernels, 1 with register tiles
        windows: 3 in kernels
        windows: the analysis is too costly
        windows: the analysis is too costly
    "#]]
    .assert_eq(&mapped);
}
