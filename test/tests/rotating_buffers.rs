//! Buffers that take turns in the iterations of a loop: new code runs where they are apart, and the original where they are not.
#![forbid(unsafe_code)]

use farkas_test::instrumented::instrument_with;
use farkas_test::{With, compile};
use std::path::{Path, PathBuf};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/rotating_buffers.c")
}

/// Those whose new code runs where buffers are apart.
const NESTS: [&str; 6] = ["relaxation", "wave", "distance", "twice", "with_start", "halves"];

#[test]
fn new_code_runs_where_buffers_are_apart() {
    let instrumented = instrument_with(&source(), "buffers", &[], "unprofitable");
    // The program has loops of its own beside the nest.
    let regions = |nest: &str, place: &str| instrumented.run(&[nest, place]).regions;
    let runs = |nest, place| regions(nest, place).difference(&regions("nothing", place)).count();
    for nest in NESTS {
        let all = runs(nest, "apart");
        assert_eq!(runs(nest, "backward"), all, "{nest}");
        assert!(runs(nest, "same") < all, "{nest}");
        // Less than half of each is accessed in two of them.
        let is_apart = ["distance", "twice"].contains(&nest);
        assert_eq!(runs(nest, "half") == all, is_apart, "{nest}");
    }
}

#[test]
fn outputs_agree_wherever_buffers_are() {
    let plain = compile(&source(), "buffers-agree", With::Clang, &[]).run(&[]);
    for options in [
        &[][..],
        &["-mllvm", "-farkas-unprofitable"],
        &["-mllvm", "-farkas-vectorize=force", "-mllvm", "-farkas-verify"],
        &["-mllvm", "-farkas-tile=4", "-mllvm", "-farkas-unprofitable"],
    ] {
        let ours = compile(&source(), "buffers-agree", With::Farkas, options).run(&[]);
        assert!(ours == plain, "{options:?}: outputs differ");
    }
}
