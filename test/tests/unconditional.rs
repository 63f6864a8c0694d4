//! Stores under conditions that are made in any case give the same output, bit for bit, as without the plugin: for sizes that fill no vector,
//! some, and leave a rest, where memory ends behind what the program accesses, and where elements that nothing is stored to are
//! read-only.
#![forbid(unsafe_code)]

use farkas_test::{With, compile};
use std::path::Path;

/// The lines of nests in another order, which takes stores that are made in any case.
const LINES: [usize; 3] = [22, 34, 48];

fn check(width: &str) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/unconditional.c");
    let target = format!("-farkas-target={width}");
    for (choice, level) in [("force", "-O2"), ("auto", "-O3")] {
        let name = format!("unconditional-{width}-{choice}");
        let shared = ["-w", "-ffp-contract=off", level];
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
        for line in LINES {
            let place = format!("unconditional.c:{line}:");
            let mut remarks = new.diagnostics.lines().filter(|remark| remark.contains(&place));
            assert!(
                remarks.any(|remark| remark.contains("interchanged loops")),
                "the nest of line {line} is in its order for {width}:\n{}",
                new.diagnostics
            );
        }
        for size in (0..=40).chain([63, 64, 65]) {
            let size = size.to_string();
            assert_eq!(plain.run(&[&size]), new.run(&[&size]), "{width}, {choice}, size {size}");
        }
    }
}

#[test]
fn stores_in_any_case_with_128_bits() {
    check("x86-64-v2");
}

#[test]
fn stores_in_any_case_with_256_bits() {
    check("x86-64-v3");
}

#[test]
fn stores_in_any_case_with_512_bits() {
    check("x86-64-v4");
}
