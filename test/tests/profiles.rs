//! The plugin changes no counts of a profile, whichever way it is taken, and what is built with a profile does what it did.
#![forbid(unsafe_code)]

use farkas_test::{With, compile, kernel_dir};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Instrumented by LLVM, or by clang, which counts what is in the source.
struct Kind {
    generate: &'static str,
    apply: &'static str,
}

const KINDS: [Kind; 2] = [
    Kind {
        generate: "-fprofile-generate",
        apply: "-fprofile-use",
    },
    Kind {
        generate: "-fprofile-instr-generate",
        apply: "-fprofile-instr-use",
    },
];

fn profdata(arguments: &[&Path]) -> String {
    let mut command = Command::new("/usr/lib/llvm-22/bin/llvm-profdata");
    let output = command.args(arguments).output();
    let output = output.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?} failed");
    String::from_utf8(output.stdout).expect("text")
}

/// The output of an instrumented program, and its profile.
fn profiled(program: &Path) -> (String, PathBuf) {
    let [raw, profile] = ["raw", "prof"].map(|kind| PathBuf::from(format!("{}.{kind}", program.display())));
    let mut command = Command::new(program);
    let output = command.arg("dump").env("LLVM_PROFILE_FILE", &raw).output();
    let output = output.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?} failed");
    profdata(&["merge".as_ref(), &raw, "-o".as_ref(), &profile]);
    (String::from_utf8(output.stdout).expect("text"), profile)
}

/// All functions with their counts.
fn counts(profile: &Path) -> String {
    let text = profdata(&[
        "show".as_ref(),
        "--all-functions".as_ref(),
        "--counts".as_ref(),
        profile,
    ]);
    assert!(
        text.contains("Block counts") || text.contains("Function count"),
        "{text}"
    );
    text
}

fn check(kernel: &str) {
    let source = kernel_dir().join(format!("{kernel}.c"));
    for Kind { generate, apply } in KINDS {
        let name = format!("{kernel}{generate}");
        // Large enough for tiles to pay.
        let flags = ["-DN=721", "-DSTEPS=9", "-DDATA=double"];
        let instrumented = [&flags[..], &[generate]].concat();
        let plain = compile(&source, &name, With::Clang, &instrumented);
        let optimized = compile(&source, &name, With::Farkas, &instrumented);
        let (expected, profile) = profiled(&plain.path);
        let (found, other) = profiled(&optimized.path);
        assert!(expected == found, "{name}: outputs differ");
        assert_eq!(counts(&profile), counts(&other), "{name}");
        let apply = format!("{apply}={}", profile.display());
        let applied = [&flags[..], &[&apply]].concat();
        let optimized = compile(&source, &format!("{name}-applied"), With::Farkas, &applied);
        assert!(optimized.transformed(), "{name}:\n{}", optimized.diagnostics);
        assert!(
            optimized.run(&["dump"]) == expected,
            "{name}: outputs with a profile differ"
        );
    }
}

#[test]
fn of_a_product_of_matrices() {
    check("gemm");
}

#[test]
fn of_triangular_loops() {
    check("trmm");
}

#[test]
fn of_loops_in_sequence() {
    check("jacobi2d");
}
