//! Kernels in other languages than C give the same output, bit for bit, with and without the plugin, and it is known how their
//! nests are transformed.
#![forbid(unsafe_code)]

use farkas_test::{Program, With, compile, foreign_kernels, kernel_dir};

/// Sizes that leave nothing, one iteration, less than a tile, odd remainders of tiles, and more than one tile.
/// The last one is large enough for new code to pay.
const SIZES: [&str; 7] = ["0", "1", "2", "13", "37", "71", "150"];

/// Compiles and runs a kernel both ways; its nest is `expected` to be transformed in this way. (More may be in what the kernels
/// share and in libraries.)
fn check(name: &str, expected: &str) {
    let source = kernel_dir().join(name);
    let program = name.replace(['/', '.'], "-");
    let plain = compile(&source, &program, With::Clang, &[]);
    let optimized = compile(&source, &program, With::Farkas, &[]);
    assert!(
        optimized.diagnostics.contains(&format!("loop nest {expected}")),
        "{name}:\n{}",
        optimized.diagnostics
    );
    // New code for all sizes, where the compiler takes options of plugins.
    let always = match source.extension().is_some_and(|extension| extension == "rs") {
        true => None,
        false => {
            let flags = ["-mllvm", "-farkas-unprofitable"];
            Some(compile(&source, &format!("{program}-always"), With::Farkas, &flags))
        }
    };
    let new: Vec<Program> = [Some(optimized), always].into_iter().flatten().collect();
    for size in SIZES {
        let arguments = ["dump", size];
        let expected = plain.run(&arguments);
        for program in &new {
            assert!(
                expected == program.run(&arguments),
                "{name}, size {size}: outputs differ"
            );
        }
    }
    for program in new.into_iter().chain([plain]) {
        std::fs::remove_file(program.path).expect("the program is there");
    }
}

/// A test for each kernel, and one that they are all.
macro_rules! kernels {
    ($($test:ident $name:literal $expected:literal;)*) => {
        $(
            #[test]
            fn $test() {
                check($name, $expected);
            }
        )*

        #[test]
        fn no_kernel_is_missing() {
            let all: Vec<_> = [$($name),*].map(|name| kernel_dir().join(name)).into();
            assert_eq!(foreign_kernels(), all);
        }
    };
}

kernels! {
    cpp_lambda "cpp/lambda.cpp"
        "transformed: interchanged loops, tiled 32 x 32 x 512, unrolled and jammed 4 x 4";
    cpp_matrix "cpp/matrix.cpp"
        "transformed: interchanged loops, tiled 32 x 32 x 512, unrolled and jammed 4 x 4";
    cpp_span "cpp/span.cpp"
        "transformed: interchanged loops, distributed loops, tiled 32 x 32 x 512";
    cpp_vectors "cpp/vectors.cpp"
        "transformed: interchanged loops, tiled 32 x 32 x 512, unrolled and jammed 4 x 4";
    fortran_components "fortran/components.f90"
        "transformed: interchanged loops, fused in tiles of 16, tiled 32 x 512, unrolled and jammed 4, 2 vector lanes";
    fortran_gemm "fortran/gemm.f90"
        "transformed: interchanged loops, tiled 32 x 32 x 512, unrolled and jammed 4 x 4";
    fortran_rank_update "fortran/rank_update.f90"
        "transformed: tiled 32 x 32 x 512";
    fortran_sections "fortran/sections.f90"
        "transformed: interchanged loops, distributed loops, tiled 32 x 32 x 512";
    rust_chunks "rust/chunks.rs"
        "transformed: interchanged loops, tiled 32 x 512, unrolled and jammed 4";
    rust_gemm "rust/gemm.rs"
        "transformed: interchanged loops, tiled 32 x 32 x 512, unrolled and jammed 4 x 4";
    rust_iterators "rust/iterators.rs"
        "transformed: interchanged loops, tiled 32 x 512, unrolled and jammed 4";
    rust_rows "rust/rows.rs"
        "transformed: interchanged loops, distributed loops, tiled 32 x 32 x 512";
}
