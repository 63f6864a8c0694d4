//! Indirect accesses behind run-time checks: new code runs where what they touch is apart from what is written, and the original where it
//! is not.
#![forbid(unsafe_code)]

use farkas_test::instrumented::instrument;
use farkas_test::{With, compile};
use std::path::{Path, PathBuf};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/indirect.c")
}

/// The nests of the program that are transformed where that is expected to gain.
const NESTS: [&str; 8] = [
    "columns",
    "delays",
    "symbols",
    "unsigned_indices",
    "long_indices",
    "windows",
    "clamped",
    "members",
];

#[test]
fn new_code_runs_where_arrays_are_apart() {
    let instrumented = instrument(&source(), "indirect", &[]);
    for nest in NESTS {
        let regions = |place: &str| instrumented.run(&[nest, place]).regions;
        let others = regions("none");
        let own = |place: &str| regions(place).difference(&others).count();
        assert_eq!((own("apart"), own("over")), (1, 0), "{nest}");
    }
}

#[test]
fn outputs_agree_at_all_distances() {
    let plain = compile(&source(), "indirect-agree", With::Clang, &[]).run(&[]);
    for options in [&[][..], &["-mllvm", "-farkas-unprofitable"]] {
        let ours = compile(&source(), "indirect-agree", With::Farkas, options).run(&[]);
        assert!(ours == plain, "{options:?}: outputs differ");
    }
}
