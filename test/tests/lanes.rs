//! Loops that become vector lanes give the same output, bit for bit, as without the plugin: for sizes that fill no vector,
//! some, and leave a rest, for vectors of all widths, and at addresses that are aligned for elements only.
#![forbid(unsafe_code)]

use farkas_test::{Program, With, compile};
use std::path::Path;

/// The lines of loops that become lanes.
const LINES: [usize; 41] = [
    12, 17, 22, 27, 32, 37, 42, 47, 52, 59, 69, 77, 82, 87, 92, 97, 103, 110, 115, 120, 127, 134, 141, 146, 151, 158,
    165, 171, 181, 191, 200, 211, 234, 255, 265, 286, 299, 313, 334, 344, 362,
];

/// Those under conditions, where the target has masks.
const UNDER_MASKS: [usize; 1] = [352];

/// The program without the plugin, and with lanes as the choice says, for a target.
fn programs(width: &str, choice: &str) -> (Program, Program) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/lanes.c");
    let name = format!("lanes-{width}-{choice}");
    let (target, vectorize) = (format!("-farkas-target={width}"), format!("-farkas-vectorize={choice}"));
    // A square root is an instruction with a vector form, or a call for each lane.
    let errno = if width == "x86-64-v3" {
        "-fmath-errno"
    } else {
        "-fno-math-errno"
    };
    let shared = ["-O2", "-w", errno];
    let options = [
        "-mllvm",
        &target,
        "-mllvm",
        "-farkas-unprofitable",
        "-mllvm",
        &vectorize,
    ];
    let plain = compile(&source, &name, With::Clang, &shared);
    let new = compile(&source, &name, With::Farkas, &[&shared[..], &options].concat());
    (plain, new)
}

fn compare(plain: &Program, new: &Program, what: &str) {
    for size in 0..=40 {
        let size = size.to_string();
        assert_eq!(plain.run(&[&size]), new.run(&[&size]), "{what}, size {size}");
    }
}

fn check(width: &str) {
    let (plain, new) = programs(width, "force");
    let under_masks = UNDER_MASKS.iter().filter(|_| width != "x86-64-v2");
    for line in LINES.iter().chain(under_masks) {
        let place = format!("lanes.c:{line}:");
        let mut remarks = new.diagnostics.lines().filter(|remark| remark.contains(&place));
        assert!(
            remarks.any(|remark| remark.contains("vector lanes")),
            "the loop of line {line} has no lanes for {width}:\n{}",
            new.diagnostics
        );
    }
    compare(&plain, &new, width);
    // By choice, other loops are jammed with lanes, and strips have several vectors.
    let (plain, new) = programs(width, "auto");
    for way in ["transposed", "unrolled and jammed", "vector lanes"] {
        assert!(new.diagnostics.contains(way), "nothing is {way} for {width}");
    }
    compare(&plain, &new, &format!("{width}, by choice"));
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
