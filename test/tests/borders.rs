//! Loops whose subscripts are clamped, wrap around or are reflected at borders give the same output, bit for bit, as without the plugin,
//! and their new code runs.
#![forbid(unsafe_code)]

use farkas_test::instrumented::instrument_with;
use farkas_test::{With, compile};
use std::path::{Path, PathBuf};

/// Rows, columns, and how far windows reach: also further than the array is wide.
const SIZES: [(i64, i64, i64); 20] = [
    (0, 0, 0),
    (0, 5, 1),
    (5, 0, 1),
    (1, 1, 0),
    (1, 1, 3),
    (2, 3, 1),
    (3, 2, 4),
    (4, 4, 2),
    (5, 7, 1),
    (7, 5, 2),
    (8, 9, 8),
    (1, 40, 3),
    (40, 1, 3),
    (2, 40, 25),
    (12, 13, 3),
    (17, 33, 4),
    (33, 17, 16),
    (40, 40, 40),
    (75, 64, 5),
    (64, 131, 7),
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/borders.c")
}

fn check(target: &str, choices: &[&str]) {
    let flags = ["-O3", "-ffp-contract=off"];
    let target_flag = format!("-farkas-target={target}");
    let name = format!("borders-{target}{}", choices.len());
    let mut options = vec!["-mllvm", &target_flag];
    choices.iter().for_each(|choice| options.extend(["-mllvm", choice]));
    let plain = compile(&source(), &name, With::Clang, &flags);
    let new = compile(&source(), &name, With::Farkas, &[&flags[..], &options].concat());
    for (h, w, r) in SIZES {
        let sizes = [h.to_string(), w.to_string(), r.to_string()];
        let sizes = [&*sizes[0], &*sizes[1], &*sizes[2]];
        assert_eq!(plain.run(&sizes), new.run(&sizes), "{target} {choices:?}, {sizes:?}");
    }
}

/// What the plugin does by itself.
#[test]
fn borders() {
    check("zen3", &[]);
    check("x86-64-v4", &[]);
}

#[test]
fn borders_whatever_is_legal() {
    check("zen3", &["-farkas-unprofitable"]);
    check("x86-64-v2", &["-farkas-unprofitable", "-farkas-vectorize=force"]);
    check("x86-64-v4", &["-farkas-unprofitable", "-farkas-vectorize=force"]);
}

/// The guards of all functions hold for usual sizes.
#[test]
fn new_code_runs() {
    let instrumented = instrument_with(&source(), "borders-instrumented", &[], "unprofitable");
    let ran = instrumented.run(&["75", "64", "5"]);
    assert_eq!(ran.regions.len(), instrumented.regions, "{ran:?}");
}
