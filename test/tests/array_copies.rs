//! Arrays that have a copy for each iteration of a strip: new code runs where there is memory for these, and the original where there is none.
#![forbid(unsafe_code)]

use farkas_test::instrumented::instrument_with;
use farkas_test::{With, compile};
use std::path::{Path, PathBuf};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/array_copies.c")
}

#[test]
fn the_original_runs_where_there_is_no_memory() {
    let instrumented = instrument_with(&source(), "array-copies", &["-mavx2"], "");
    for nest in [
        "product_in_place",
        "layers",
        "normalized",
        "backward",
        "growing",
        "aligned",
        "tridiagonal",
    ] {
        let [with, without] = [&[nest][..], &[nest, "without"]].map(|arguments| instrumented.run(arguments));
        assert!(without.regions.len() < with.regions.len(), "{nest}");
        assert!(without.output == with.output, "{nest}: outputs differ");
    }
}

#[test]
fn outputs_agree() {
    let plain = compile(&source(), "array-copies-agree", With::Clang, &[]).run(&[]);
    for options in [
        &[][..],
        &["-mavx2"],
        &["-mllvm", "-farkas-unprofitable", "-mllvm", "-farkas-verify"],
        &["-mllvm", "-farkas-vectorize=force", "-mllvm", "-farkas-verify"],
        &["-mllvm", "-farkas-vectorize=never"],
    ] {
        let ours = compile(&source(), "array-copies-agree", With::Farkas, options).run(&[]);
        assert!(ours == plain, "{options:?}: outputs differ");
    }
}
