//! Wavefronts whose rows are vector lanes give the same output, bit for bit, as without the plugin: for sizes that fill no strip, some,
//! and leave rests, of rows and of columns.
#![forbid(unsafe_code)]

use farkas_test::{With, compile};
use std::path::Path;

/// The flags of both compilations: no difference but the plugin.
const FLAGS: [&str; 3] = ["-O2", "-g1", "-ffp-contract=off"];

/// Compiles the program both ways for a target, with lanes forced; its outputs are the same for all sizes. So many functions have
/// skewed lanes at least.
fn check(program: &str, target: &str, least: usize) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("programs/{program}.c"));
    let target_flag = format!("-farkas-target={target}");
    let options = [
        "-mllvm",
        &target_flag,
        "-mllvm",
        "-farkas-unprofitable",
        "-mllvm",
        "-farkas-vectorize=force",
        "-Rpass=farkas",
        "-Rpass-missed=farkas",
    ];
    let name = format!("{program}-{target}");
    let plain = compile(&source, &name, With::Clang, &FLAGS);
    let new = compile(&source, &name, With::Farkas, &[&FLAGS[..], &options].concat());
    assert!(!new.diagnostics.contains("internal error"), "{}", new.diagnostics);
    let is_skewed = |line: &&str| line.contains("wavefronts of") && line.contains("vector lanes");
    let found = new.diagnostics.lines().filter(is_skewed).count();
    assert!(found >= least, "{found} for {target}\n{}", new.diagnostics);
    let rows = [
        (16, 16),
        (16, 60),
        (31, 33),
        (48, 47),
        (50, 100),
        (100, 50),
        (67, 129),
        (160, 17),
    ];
    for (n, m) in (0..=40).map(|size| (size, size)).chain(rows) {
        let sizes = [n.to_string(), m.to_string()];
        let sizes = [&*sizes[0], &*sizes[1]];
        assert_eq!(
            plain.run(&sizes),
            new.run(&sizes),
            "for {program}, {target} and sizes {n} and {m}"
        );
    }
}

#[test]
fn skewed_lanes_with_vectors_of_512_bits() {
    check("skewed_lanes", "x86-64-v4", 20);
}

#[test]
fn skewed_lanes_with_vectors_of_256_bits() {
    check("skewed_lanes", "x86-64-v3", 20);
}

#[test]
fn skewed_lanes_with_vectors_of_128_bits() {
    check("skewed_lanes", "x86-64-v2", 20);
}

/// With conditions on data within an iteration.
#[test]
fn skewed_lanes_under_masks() {
    check("skewed_masks", "x86-64-v4", 8);
    check("skewed_masks", "x86-64-v3", 7);
}
