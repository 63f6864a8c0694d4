//! Loops that become vector lanes give the same output, bit for bit, as without the plugin: for sizes that fill no vector,
//! some, and leave a rest, for vectors of all widths, and at addresses that are aligned for elements only.
#![forbid(unsafe_code)]

use farkas_test::{With, compile};
use std::path::Path;

/// The lines of loops that become lanes.
const LINES: [usize; 19] = [
    12, 17, 22, 27, 32, 37, 42, 47, 52, 59, 69, 77, 82, 87, 92, 97, 103, 110, 115,
];

fn check(width: &str) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/lanes.c");
    let name = format!("lanes-{width}");
    let target = format!("-farkas-target={width}");
    let shared = ["-O2", "-w", "-fno-math-errno"];
    let forced = [
        "-mllvm",
        &target,
        "-mllvm",
        "-farkas-unprofitable",
        "-mllvm",
        "-farkas-vectorize=force",
    ];
    let plain = compile(&source, &name, With::Clang, &shared);
    let new = compile(&source, &name, With::Farkas, &[&shared[..], &forced].concat());
    for line in LINES {
        let place = format!("lanes.c:{line}:");
        let mut remarks = new.diagnostics.lines().filter(|remark| remark.contains(&place));
        assert!(
            remarks.any(|remark| remark.contains("vector lanes")),
            "the loop of line {line} has no lanes for {width}:\n{}",
            new.diagnostics
        );
    }
    for size in 0..=40 {
        let size = size.to_string();
        assert_eq!(plain.run(&[&size]), new.run(&[&size]), "{width}, size {size}");
    }
}

#[test]
fn vectors_of_128_bits() {
    check("x86-64-v2");
}

#[test]
fn vectors_of_256_bits() {
    check("x86-64-v3");
}

#[test]
fn vectors_of_512_bits() {
    check("x86-64-v4");
}
