//! Every kernel gives the same output, bit for bit, with and without the plugin.
#![forbid(unsafe_code)]

use farkas_test::instrumented::instrument;
use farkas_test::{With, compile, kernel_dir, kernels};

/// Sizes that leave nothing, one iteration, less than a tile, odd remainders of tiles, and more than one tile.
const SIZES: [usize; 6] = [0, 1, 2, 13, 37, 71];

fn check(name: &str, data: &str) {
    let source = kernel_dir().join(format!("{name}.c"));
    for size in SIZES {
        let flags = [format!("-DN={size}"), "-DSTEPS=9".to_string(), format!("-DDATA={data}")];
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let program = format!("{name}-{data}-{size}");
        let plain = compile(&source, &program, With::Clang, &flags);
        let expected = plain.run(&["dump"]);
        std::fs::remove_file(plain.path).expect("the program is there");
        // At these sizes little is expected to gain: by itself, and forced.
        for own in [&[][..], &["-mllvm", "-farkas-unprofitable"]] {
            let optimized = compile(&source, &program, With::Farkas, &[&flags[..], own].concat());
            assert!(
                expected == optimized.run(&["dump"]),
                "{name} of {data}, size {size}, {own:?}: outputs differ"
            );
            std::fs::remove_file(optimized.path).expect("the program is there");
        }
    }
}

/// A test for each kernel, and one that they are all.
macro_rules! kernels {
    ($($test:ident $name:literal)*) => {
        $(mod $test {
            #[test]
            fn double() {
                super::check($name, "double");
            }
            #[test]
            fn float() {
                super::check($name, "float");
            }
        })*

        #[test]
        fn no_kernel_is_missing() {
            assert_eq!(kernels(), [$($name),*]);
        }
    };
}

kernels! {
    two_products "2mm"
    three_products "3mm"
    adi "adi"
    apsp "apsp"
    atax "atax"
    bicg "bicg"
    cholesky "cholesky"
    correlation "correlation"
    covariance "covariance"
    doitgen "doitgen"
    durbin "durbin"
    fdtd2d "fdtd2d"
    filter "filter"
    gemm "gemm"
    gemm_ikj "gemm_ikj"
    gemver "gemver"
    gesummv "gesummv"
    gramschmidt "gramschmidt"
    heat3d "heat3d"
    jacobi1d "jacobi1d"
    jacobi2d "jacobi2d"
    lu "lu"
    ludcmp "ludcmp"
    mvt "mvt"
    nussinov "nussinov"
    seidel2d "seidel2d"
    symm "symm"
    syr2k "syr2k"
    syrk "syrk"
    trisolv "trisolv"
    trmm "trmm"
}

/// What is said to be transformed is, at sizes for which it pays: the run-time checks of each kernel hold.
#[test]
fn new_code_runs() {
    for name in kernels() {
        let source = kernel_dir().join(format!("{name}.c"));
        let instrumented = instrument(&source, &name, &["-DN=71", "-DSTEPS=25", "-DDATA=double"]);
        let ran = instrumented.run(&["dump"]);
        let idle: Vec<usize> = (0..instrumented.regions).filter(|r| !ran.regions.contains(r)).collect();
        assert_eq!(idle, [0; 0], "regions of {name} whose new code does not run");
    }
}
