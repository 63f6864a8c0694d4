//! Conditions on data around loops, which are looked at in front of new code: it runs where they hold throughout, and the original where they
//! do not. What they govern is not read unless they hold.
#![forbid(unsafe_code)]

use farkas_test::instrumented::instrument;
use farkas_test::{With, compile};
use std::path::{Path, PathBuf};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/conditions.c")
}

/// The nests that are transformed where that is expected to gain.
const NESTS: [&str; 8] = [
    "product",
    "triangular",
    "neighbours",
    "governed",
    "indirect",
    "off_diagonal",
    "sums",
    "rank_two",
];

/// Those that are not: a condition reads what was written before, a bound cannot be loaded before a condition is known to hold, a
/// condition decides between loops, the way that would be left out ends the program, or decides what is tested behind.
const OTHERS: [&str; 6] = ["solve", "bound", "both", "stopped", "repaired", "shortened"];

/// Where conditions hold.
const WHERE: [&str; 5] = ["all", "none", "half", "first", "last"];

const FLAGS: [&str; 3] = ["-O2", "-w", "-ffp-contract=off"];

#[test]
fn new_code_runs_where_conditions_hold() {
    let instrumented = instrument(&source(), "conditions", &[]);
    for nest in NESTS {
        let regions = |holds: &str| instrumented.run(&[nest, holds, "150"]).regions;
        let none = regions("none");
        let own = |holds: &str| regions(holds).difference(&none).count();
        assert_eq!(own("all"), 1, "{nest}");
        for other in ["half", "first", "last"] {
            assert_eq!(own(other), 0, "{nest}, {other}");
        }
    }
    for nest in OTHERS {
        let [all, none] = ["all", "none"].map(|holds| instrumented.run(&[nest, holds, "150"]).regions);
        assert_eq!(all, none, "{nest}");
    }
}

fn check(options: &[&str]) {
    let name = format!("conditions-agree-{}", options.len());
    let plain = compile(&source(), &name, With::Clang, &FLAGS);
    let ours = compile(&source(), &name, With::Farkas, &[&FLAGS, options].concat());
    for nest in NESTS.iter().chain(&OTHERS).chain(&["returned"]) {
        for holds in WHERE {
            for size in ["1", "2", "3", "7", "8", "17", "64", "150"] {
                let arguments = [nest, holds, size];
                assert_eq!(
                    plain.run(&arguments),
                    ours.run(&arguments),
                    "{options:?}: {arguments:?}"
                );
            }
        }
    }
    let overlapping = ["indirect", "all", "40", "over"];
    assert_eq!(
        plain.run(&overlapping),
        ours.run(&overlapping),
        "{options:?}: {overlapping:?}"
    );
}

#[test]
fn outputs_agree() {
    check(&[]);
}

#[test]
fn outputs_agree_for_all_sizes() {
    let force = ["-mllvm", "-farkas-unprofitable", "-mllvm", "-farkas-conditions=force"];
    check(&[&force[..], &["-mllvm", "-farkas-verify"]].concat());
}

#[test]
fn nothing_is_assumed_if_the_user_says_so() {
    let never = ["-g1", "-Rpass-analysis=farkas", "-mllvm", "-farkas-conditions=never"];
    let ours = compile(
        &source(),
        "conditions-never",
        With::Farkas,
        &[&FLAGS, &never[..]].concat(),
    );
    assert!(!ours.diagnostics.contains("holds throughout"), "{}", ours.diagnostics);
}
