//! Conditions around loops that do not change in them: one model has both cases, and its new code runs in both.
#![forbid(unsafe_code)]

use farkas_test::instrumented::instrument;
use farkas_test::{With, compile};
use std::path::{Path, PathBuf};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/flags.c")
}

/// The nests that are transformed where that is expected to gain.
const NESTS: [&str; 3] = ["product", "columns", "choice"];

/// The numbers that flags depend on: below, at and above what they are compared with.
const NUMBERS: [&str; 6] = ["0", "0.25", "0.5", "0.75", "1", "1.25"];

const FLAGS: [&str; 3] = ["-O2", "-w", "-ffp-contract=off"];

#[test]
fn new_code_runs_in_all_cases() {
    let instrumented = instrument(&source(), "flags", &[]);
    let none = instrumented.run(&["changed", "0", "150"]).regions;
    for nest in NESTS {
        for number in NUMBERS {
            let regions = instrumented.run(&[nest, number, "150"]).regions;
            assert_eq!(regions.difference(&none).count(), 1, "{nest}, {number}");
        }
    }
}

fn check(options: &[&str]) {
    let name = format!("flags-agree-{}", options.len());
    let plain = compile(&source(), &name, With::Clang, &FLAGS);
    let ours = compile(&source(), &name, With::Farkas, &[&FLAGS, options].concat());
    for nest in NESTS.iter().chain(&["mixed", "solve", "changed"]) {
        for number in NUMBERS {
            for size in ["1", "2", "3", "7", "8", "17", "64", "150"] {
                let arguments = [nest, number, size];
                assert_eq!(
                    plain.run(&arguments),
                    ours.run(&arguments),
                    "{options:?}: {arguments:?}"
                );
            }
        }
    }
}

#[test]
fn outputs_agree() {
    check(&[]);
}

/// AVX2 is all that is taken for granted.
#[test]
fn outputs_agree_in_lanes() {
    check(&["-O3", "-march=x86-64-v3"]);
}

#[test]
fn outputs_agree_for_all_sizes() {
    check(&[
        "-mllvm",
        "-farkas-unprofitable",
        "-mllvm",
        "-farkas-conditions=force",
        "-mllvm",
        "-farkas-verify",
    ]);
}
