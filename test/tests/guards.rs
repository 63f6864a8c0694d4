//! The run-time guard sends disjoint arrays to the new code and overlapping ones to the original, and both are right.
#![forbid(unsafe_code)]

use farkas_test::instrumented::instrument;
use farkas_test::{With, compile};
use std::path::{Path, PathBuf};

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs").join(name)
}

/// Runs the program with each argument; the second of a pair is whether the new code of its only region runs.
fn check(name: &str, arguments: &[(&str, bool)]) {
    let source = program(&format!("{name}.c"));
    let plain = compile(&source, name, With::Clang, &[]);
    let instrumented = instrument(&source, name, &[]);
    assert_eq!(instrumented.regions, 1, "one loop nest is transformed");
    for (argument, runs_new_code) in arguments {
        let ran = instrumented.run(&[argument]);
        assert_eq!(ran.regions.len(), usize::from(*runs_new_code), "{argument}");
        assert!(ran.output == plain.run(&[argument]), "{argument}: outputs differ");
    }
}

/// Runs the program; so many regions are transformed, and the new code of each runs.
fn check_all_run(file: &str, regions: usize) {
    let source = program(file);
    let name = file.replace('.', "-");
    let plain = compile(&source, &name, With::Clang, &[]);
    let instrumented = instrument(&source, &name, &[]);
    assert_eq!(instrumented.regions, regions, "regions of {file} that are transformed");
    let ran = instrumented.run(&[]);
    assert_eq!(ran.regions, (0..regions).collect(), "regions of {file} that run");
    assert!(ran.output == plain.run(&[]), "{file}: outputs differ");
}

#[test]
fn both_branches_run_and_agree_with_clang() {
    check("overlap", &[("disjoint", true), ("overlapping", false)]);
}

#[test]
fn many_arrays_are_sorted_by_their_addresses() {
    let apart = [("ascending", true), ("mixed", true), ("shared", true)];
    let overlapping = [("read", false), ("written", false)];
    check("many-arrays", &[&apart[..], &overlapping].concat());
}

#[test]
fn pointers_may_be_anywhere() {
    check(
        "walk",
        &[("global", true), ("heap", true), ("stack", true), ("none", true)],
    );
}

#[test]
fn bases_that_are_loaded_twice_are_one_array_in_c() {
    check_all_run("reloaded-bases.c", 2);
}

#[test]
fn bases_that_are_loaded_twice_are_one_array_in_cpp() {
    check_all_run("reloaded-bases.cpp", 1);
}

#[test]
fn bases_that_are_loaded_twice_are_one_array_in_fortran() {
    check_all_run("reloaded-bases.f90", 2);
}
