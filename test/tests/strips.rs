//! Loops whose iterations are distributed in strips, with lanes for the first part, give the same output, bit for bit, as without the plugin:
//! for sizes that fill no vector, some, and leave a rest, and where memory ends behind what the program accesses.
#![forbid(unsafe_code)]

use farkas_test::{With, compile};
use std::path::Path;

/// The lines of loops that are distributed.
const LINES: [usize; 2] = [10, 40];

fn check(width: &str) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/strips.c");
    let target = format!("-farkas-target={width}");
    for (choice, level) in [("force", "-O2"), ("auto", "-O3")] {
        let name = format!("strips-{width}-{choice}");
        let shared = ["-w", "-ffp-contract=off", level, "-lm"];
        let vectorize = format!("-farkas-vectorize={choice}");
        let own = ["-mllvm", &target, "-mllvm", &vectorize, "-g1", "-Rpass=farkas"];
        let forced = ["-mllvm", "-farkas-unprofitable"];
        let own = match choice {
            "force" => [&own[..], &forced].concat(),
            _ => own.to_vec(),
        };
        let plain = compile(&source, &name, With::Clang, &shared);
        let new = compile(&source, &name, With::Farkas, &[&shared[..], &own].concat());
        for line in LINES {
            let place = format!("strips.c:{line}:");
            let mut remarks = new.diagnostics.lines().filter(|remark| remark.contains(&place));
            assert!(
                remarks.any(|remark| remark.contains("distributed loops") && remark.contains("vector lanes")),
                "the loop of line {line} has no strips for {width}:\n{}",
                new.diagnostics
            );
        }
        for size in (0..=24).chain([31, 32, 33, 50]) {
            let size = size.to_string();
            assert_eq!(plain.run(&[&size]), new.run(&[&size]), "{width}, {choice}, size {size}");
        }
    }
}

#[test]
fn strips_with_128_bits() {
    check("x86-64-v2");
}

#[test]
fn strips_with_256_bits() {
    check("x86-64-v3");
}

#[test]
fn strips_with_512_bits() {
    check("x86-64-v4");
}
