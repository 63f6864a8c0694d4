//! Loops that carry anti-dependences only become vector lanes, and give the same output, bit for bit, as without the plugin, whatever the offsets are
//! and whichever tables overlap.
#![forbid(unsafe_code)]

use farkas_test::{Program, With, compile};
use std::path::Path;

const SIZES: [u32; 16] = [0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 100, 130, 150];

/// How many of the loops have lanes where that is expected to gain, at the least.
const LANES: usize = 10;

fn program(with: With, name: &str, flags: &[&str]) -> Program {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/anti_dependences.c");
    compile(&source, name, with, flags)
}

fn check(target: &str) {
    // Without `-march`, the program runs on processors without such vectors, too.
    let flags = ["-O3", "-w", "-ffp-contract=off"];
    let target_flag = format!("-farkas-target={target}");
    let name = format!("anti-dependences-{target}");
    let plain = program(With::Clang, &name, &flags);
    for options in [&[][..], &["-mllvm", "-farkas-unprofitable"]] {
        let own = [&flags[..], &["-mllvm", &target_flag], options].concat();
        let new = program(With::Farkas, &name, &own);
        let lanes = new.diagnostics.matches("vector lanes").count();
        assert!(lanes >= LANES, "{target} {options:?}: {lanes} loops have lanes");
        for size in SIZES {
            let size = size.to_string();
            assert_eq!(
                plain.run(&[&size]),
                new.run(&[&size]),
                "{target} {options:?}, size {size}"
            );
        }
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
