//! Factorizations and recurrences give the same output, bit for bit, as without the plugin: for sizes that fill no tile, some, and
//! leave a rest.
#![forbid(unsafe_code)]

use farkas_test::{With, compile};
use std::path::Path;

/// The flags of both compilations: no difference but the plugin.
const FLAGS: [&str; 3] = ["-O2", "-g1", "-ffp-contract=off"];

/// Compiles the program both ways for a target; its outputs are the same for all sizes. These words are in the remarks so often.
fn check(target: &str, expected: &[(&str, usize)]) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/factorizations.c");
    let target_flag = format!("-farkas-target={target}");
    let options = [
        "-mllvm",
        &target_flag,
        "-mllvm",
        "-farkas-unprofitable",
        "-Rpass=farkas",
        "-Rpass-missed=farkas",
    ];
    let name = format!("factorizations-{target}");
    let plain = compile(&source, &name, With::Clang, &FLAGS);
    let new = compile(&source, &name, With::Farkas, &[&FLAGS[..], &options].concat());
    assert!(!new.diagnostics.contains("internal error"), "{}", new.diagnostics);
    for (words, least) in expected {
        let found = new.diagnostics.lines().filter(|line| line.contains(words)).count();
        assert!(
            found >= *least,
            "{words}: {found} times for {target}\n{}",
            new.diagnostics
        );
    }
    for size in (0..=40).chain([63, 64, 65, 67, 96, 97, 100, 127, 129, 159]) {
        let size = size.to_string();
        assert_eq!(plain.run(&[&size]), new.run(&[&size]), "for {target} and size {size}");
    }
}

#[test]
fn factorizations_and_recurrences_with_vectors_of_512_bits() {
    check(
        "x86-64-v4",
        &[
            ("separated tiles", 8),
            ("vector lanes", 6),
            ("wavefronts", 3),
            ("distributed loops", 1),
        ],
    );
}

#[test]
fn factorizations_and_recurrences_with_vectors_of_128_bits() {
    check(
        "x86-64-v2",
        &[
            ("separated tiles", 7),
            ("vector lanes", 6),
            ("wavefronts", 3),
            ("distributed loops", 1),
        ],
    );
}
