//! The run-time guard sends disjoint arrays and large sizes to the new code, overlapping arrays and small sizes to the original,
//! and both are right.
#![forbid(unsafe_code)]

use farkas_test::instrumented::{instrument, instrument_with};
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

/// The nests of `small-sizes.c`, each with a size that is too small for its new code and one that is large enough.
const NESTS: [(&str, usize, usize); 5] = [
    ("product", 5, 80),
    ("narrow", 5, 300),
    ("rows", 5, 128),
    ("columns", 5, 128),
    ("triangle", 5, 160),
];

#[test]
fn small_sizes_run_the_original() {
    let source = program("small-sizes.c");
    let instrumented = instrument(&source, "small-sizes", &[]);
    for (nest, small, large) in NESTS {
        let regions = |size: usize| instrumented.run(&[nest, &size.to_string()]).regions.len();
        assert_eq!((regions(small), regions(large)), (0, 1), "{nest}");
    }
}

#[test]
fn new_code_runs_at_all_sizes_where_it_is_asked_for() {
    let source = program("small-sizes.c");
    let instrumented = instrument_with(&source, "small-sizes-all", &[], "unprofitable");
    // Those of `main` always run.
    let others = instrumented.run(&[]).regions;
    for (nest, small, _) in NESTS {
        let regions = instrumented.run(&[nest, &small.to_string()]).regions;
        assert_eq!(regions.difference(&others).count(), 1, "{nest}");
    }
}

#[test]
fn both_codes_agree_at_all_sizes() {
    let source = program("small-sizes.c");
    let plain = compile(&source, "sizes-agree", With::Clang, &[]);
    let by_size = compile(&source, "sizes-agree", With::Farkas, &[]);
    let always = ["-mllvm", "-farkas-unprofitable"];
    let always = compile(&source, "sizes-agree-always", With::Farkas, &always);
    for (nest, _, large) in NESTS {
        for size in (0..=40).chain([large - 1, large]) {
            let arguments = [nest, &size.to_string()];
            let expected = plain.run(&arguments);
            assert!(
                by_size.run(&arguments) == expected,
                "{nest}, size {size}: outputs differ"
            );
            assert!(
                always.run(&arguments) == expected,
                "{nest}, size {size}, always: outputs differ"
            );
        }
    }
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
