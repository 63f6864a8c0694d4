//! Kernels whose sizes are known at run time only give the same output, bit for bit, with and without the plugin.
#![forbid(unsafe_code)]

use farkas_test::{With, compile, further_kernels};

/// Sizes around those of vectors, of register tiles and of tiles.
const SIZES: [u32; 15] = [0, 1, 2, 3, 5, 7, 8, 13, 16, 17, 25, 31, 33, 40, 57];

fn check(data: &str) {
    for source in further_kernels() {
        let name = source.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        let data = format!("-DDATA={data}");
        let program = format!("{name}-{data}");
        let flags = ["-O3", &data];
        let plain = compile(&source, &program, With::Clang, &flags);
        for own in [&[][..], &["-mllvm", "-farkas-unprofitable"]] {
            let new = compile(&source, &program, With::Farkas, &[&flags[..], own].concat());
            assert!(
                !new.diagnostics.contains("internal error"),
                "{name}: {}",
                new.diagnostics
            );
            for size in SIZES {
                let arguments = ["checksum", &size.to_string()];
                assert_eq!(
                    plain.run(&arguments),
                    new.run(&arguments),
                    "{name}, size {size}, {own:?}"
                );
            }
        }
    }
}

#[test]
fn of_doubles() {
    check("double");
}

#[test]
fn of_floats() {
    check("float");
}
