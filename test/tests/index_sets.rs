//! Loops in which a statement meets itself give the same output, bit for bit, as without the plugin: for sizes that leave pieces empty,
//! that are below what pays, and above.
#![forbid(unsafe_code)]

use farkas_test::{With, compile};
use std::path::Path;

/// The flags of both compilations: no difference but the plugin.
const FLAGS: [&str; 2] = ["-O2", "-ffp-contract=off"];

/// Compiles the program both ways for a target; its outputs are the same for all sizes, and so many loops have index sets or nodes split.
fn check(target: &str, options: &[&str], least: usize) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/index-sets.c");
    let target_flag = format!("-farkas-target={target}");
    let shared = ["-mllvm", &target_flag, "-Rpass=farkas", "-Rpass-missed=farkas"];
    let name = format!("index-sets-{target}-{}", options.len());
    let plain = compile(&source, &name, With::Clang, &FLAGS);
    let new = compile(&source, &name, With::Farkas, &[&FLAGS[..], &shared, options].concat());
    assert!(!new.diagnostics.contains("internal error"), "{}", new.diagnostics);
    let is_split = |line: &&str| {
        ["split index sets", "split nodes"]
            .iter()
            .any(|split| line.contains(split))
    };
    let found = new.diagnostics.lines().filter(is_split).count();
    assert!(found >= least, "{found} loops split for {target}\n{}", new.diagnostics);
    for size in (0..=40).chain([63, 64, 65, 96, 97, 127, 150, 200]) {
        let size = size.to_string();
        assert_eq!(plain.run(&[&size]), new.run(&[&size]), "for {target} and size {size}");
    }
}

#[test]
fn loops_are_split_where_that_pays() {
    check("x86-64-v4", &[], 20);
}

#[test]
fn loops_are_split_for_all_sizes() {
    check("x86-64-v3", &["-mllvm", "-farkas-unprofitable"], 20);
}
