//! Loops in strips with panels give the same output, bit for bit, as without the plugin: where the model chooses, and in short strips for all sizes.
#![forbid(unsafe_code)]

use farkas_test::{With, compile};
use std::path::Path;

/// The lines of the loops that are in strips.
const LINES: [usize; 3] = [10, 25, 40];

/// Compiles the program for a preset of a machine, with and without the plugin, and runs it for some sizes.
fn check(target: &str) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/panels.c");
    let preset = format!("-farkas-target={target}");
    let short = ["-mllvm", "-farkas-unprofitable", "-mllvm", "-farkas-tile=8"];
    for (own, level, strip, sizes) in [
        (&[][..], "-O3", 32, &[33, 63, 65, 70, 96, 131, 200][..]),
        (&short[..], "-O2", 8, &[1, 2, 7, 8, 9, 16, 17, 30, 41][..]),
    ] {
        let name = format!("panels-{target}-{strip}");
        let shared = ["-w", "-ffp-contract=off", level];
        let farkas = ["-mllvm", &preset, "-g1", "-Rpass=farkas"];
        let plain = compile(&source, &name, With::Clang, &shared);
        let new = compile(&source, &name, With::Farkas, &[&shared[..], &farkas, own].concat());
        assert!(!new.diagnostics.contains("internal error"), "{}", new.diagnostics);
        for line in LINES {
            let remark = format!("panels.c:{line}:3: remark: loop nest transformed: split nodes, panels of {strip}");
            assert!(
                new.diagnostics.contains(&remark),
                "no {remark} for {target}:\n{}",
                new.diagnostics
            );
        }
        for size in sizes {
            let size = size.to_string();
            assert_eq!(plain.run(&[&size]), new.run(&[&size]), "{target}, size {size}");
        }
    }
}

#[test]
fn panels_with_vectors_of_128_bits() {
    check("x86-64-v2");
}

#[test]
fn panels_with_vectors_of_256_bits() {
    check("zen3");
}

#[test]
fn panels_with_vectors_of_512_bits() {
    check("zen4");
}
