//! Loops inside of vector lanes whose bounds differ from lane to lane give the same output, bit for bit, as without the plugin: for sizes
//! that fill no vector, some, and leave a rest, and where memory ends behind what the program accesses.
#![forbid(unsafe_code)]

use farkas_test::{With, compile};
use std::path::Path;

/// The lines of loops that have lanes around divergent ones, with branches in place of masks where the machine has none, and of one with
/// conditions on data, which does so only where the machine has masks.
const LINES: [usize; 13] = [15, 24, 37, 48, 58, 68, 78, 88, 109, 119, 130, 141, 163];
const LINES_BY_MASKS: [usize; 1] = [98];

fn check(width: &str, lines: &[usize]) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/divergent.c");
    let target = format!("-farkas-target={width}");
    for (choice, level) in [("force", "-O2"), ("auto", "-O3")] {
        let name = format!("divergent-{width}-{choice}");
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
        assert!(!new.diagnostics.contains("internal error"), "{}", new.diagnostics);
        for line in lines.iter().filter(|_| choice == "force") {
            let place = format!("divergent.c:{line}:");
            let mut remarks = new.diagnostics.lines().filter(|remark| remark.contains(&place));
            assert!(
                remarks.any(|remark| remark.contains("vector lanes")),
                "the loop of line {line} has no lanes for {width}:\n{}",
                new.diagnostics
            );
        }
        for size in 0..=40 {
            let size = size.to_string();
            assert_eq!(plain.run(&[&size]), new.run(&[&size]), "{width}, {choice}, size {size}");
        }
    }
}

#[test]
fn divergent_loops_with_128_bits() {
    check("x86-64-v2", &LINES);
}

#[test]
fn divergent_loops_with_256_bits() {
    check("x86-64-v3", &[&LINES[..], &LINES_BY_MASKS].concat());
}

#[test]
fn divergent_loops_with_512_bits() {
    check("x86-64-v4", &[&LINES[..], &LINES_BY_MASKS].concat());
}
