//! Nests with another schedule than the first one give the same output, bit for bit, as without the plugin: with loops along consecutive
//! elements, in diamond tiles, and with bands split.
#![forbid(unsafe_code)]

use farkas_test::{With, compile};
use std::path::Path;

/// The flags of both compilations: no difference but the plugin.
const FLAGS: [&str; 2] = ["-O2", "-ffp-contract=off"];

/// Compiles the program both ways for a target; its outputs are the same for all sizes, and remarks have the words so often.
fn check(name: &str, target: &str, options: &[&str], words: &str, least: usize) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/schedules.c");
    let target_flag = format!("-farkas-target={target}");
    let shared = ["-mllvm", &target_flag, "-Rpass=farkas", "-Rpass-missed=farkas"];
    let name = format!("schedules-{name}");
    let plain = compile(&source, &name, With::Clang, &FLAGS);
    let new = compile(&source, &name, With::Farkas, &[&FLAGS[..], &shared, options].concat());
    assert!(!new.diagnostics.contains("internal error"), "{}", new.diagnostics);
    let found = new.diagnostics.lines().filter(|line| line.contains(words)).count();
    assert!(found >= least, "{found} nests with {words}\n{}", new.diagnostics);
    for size in (0..=8).chain([15, 17, 32, 33, 65, 97, 150]) {
        let size = size.to_string();
        assert_eq!(plain.run(&[&size]), new.run(&[&size]), "for {name} and size {size}");
    }
}

#[test]
fn loops_go_along_consecutive_elements() {
    check("chosen", "x86-64-v4", &[], "along consecutive elements", 3);
}

#[test]
fn loops_go_along_consecutive_elements_for_all_sizes() {
    let options = ["-mllvm", "-farkas-unprofitable"];
    check("all-sizes", "x86-64-v3", &options, "along consecutive elements", 3);
}

#[test]
fn tiles_are_diamonds_by_force() {
    let options = ["-mllvm", "-farkas-unprofitable", "-mllvm", "-farkas-candidate=99"];
    check("diamonds", "x86-64-v3", &options, "diamond tiles", 3);
}

#[test]
fn small_tiles_are_diamonds_by_force() {
    let candidate = ["-mllvm", "-farkas-unprofitable", "-mllvm", "-farkas-candidate=99"];
    let options = [&candidate[..], &["-mllvm", "-farkas-tile=5"]].concat();
    check("small-diamonds", "x86-64-v4", &options, "diamond tiles", 3);
}
