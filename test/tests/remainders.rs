//! Loops over buffers that are chosen by remainders give the same output, bit for bit, as without the plugin.
#![forbid(unsafe_code)]

use farkas_test::{With, compile};
use std::path::Path;

fn check(target: &str, vectorize: &str) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/remainders.c");
    let name = format!("remainders-{target}-{vectorize}");
    let shared = ["-O2", "-w"];
    let (target, vectorize) = (
        format!("-farkas-target={target}"),
        format!("-farkas-vectorize={vectorize}"),
    );
    let options = [
        "-mllvm",
        &target,
        "-mllvm",
        &vectorize,
        "-mllvm",
        "-farkas-unprofitable",
        "-mllvm",
        "-farkas-verify",
    ];
    let plain = compile(&source, &name, With::Clang, &shared);
    let new = compile(&source, &name, With::Farkas, &[&shared[..], &options].concat());
    let transformed = new.diagnostics.matches("loop nest transformed").count();
    assert!(transformed >= 5, "{}", new.diagnostics);
    for size in (0..=20).chain([31, 32, 33, 47, 48]) {
        let size = size.to_string();
        assert_eq!(plain.run(&[&size]), new.run(&[&size]), "size {size}");
    }
}

#[test]
fn by_choice() {
    check("x86-64-v3", "auto");
}

#[test]
fn with_lanes() {
    check("x86-64-v4", "force");
}
