//! Rows that tables of addresses point to: new code runs where they are apart, and the original where they are not.
#![forbid(unsafe_code)]

use farkas_test::instrumented::instrument_with;
use farkas_test::{With, compile};
use std::path::{Path, PathBuf};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/rows.c")
}

/// The nests of the program that write to rows and are transformed.
const NESTS: [&str; 9] = [
    "product",
    "product_of_rows",
    "times_vector",
    "decomposition",
    "shortest_paths",
    "transposition",
    "halves",
    "downward",
    "shifted",
];

/// Places of rows at which they are apart.
const APART: [&str; 4] = ["apart", "backward", "alternating", "stragglers"];

/// For a nest and a place of its rows, how often new code of the nest runs.
fn runs(test: &str) -> impl Fn(&str, &str) -> usize {
    let instrumented = instrument_with(&source(), test, &[], "unprofitable");
    move |nest, place| {
        let regions = |nest: &str, place: &str| instrumented.run(&[nest, place]).regions;
        // The program has loops of its own beside the nest: this one is left alone.
        let others = regions("conditional", place);
        regions(nest, place).difference(&others).count()
    }
}

#[test]
fn new_code_runs_where_rows_are_apart() {
    let runs = runs("rows-apart");
    for nest in NESTS {
        for place in APART {
            // One nest accesses an element of each row that it writes, which leaves no time for stragglers.
            let is_in_time = (nest, place) != ("times_vector", "stragglers");
            assert_eq!(runs(nest, place), usize::from(is_in_time), "{nest} {place}");
        }
        // Two rows of the written matrix are one.
        assert_eq!(runs(nest, "same"), 0, "{nest}");
        // Two rows overlap in half. Two nests write the first element or half of each row only.
        let is_apart = ["times_vector", "halves"].contains(&nest);
        assert_eq!(runs(nest, "half"), usize::from(is_apart), "{nest}");
    }
}

#[test]
fn original_runs_where_other_arrays_overlap() {
    let runs = runs("rows-overlap");
    for (nest, place) in [
        ("product", "of-others"),
        ("transposition", "of-others"),
        ("halves", "close"),
        ("sums_of_columns", "vector"),
        ("shifted", "in-table"),
    ] {
        assert_eq!(runs(nest, place), 0, "{nest} {place}");
    }
}

#[test]
fn outputs_agree_wherever_rows_are() {
    let plain = compile(&source(), "rows-agree", With::Clang, &[]).run(&[]);
    for options in [
        &[][..],
        &["-mllvm", "-farkas-unprofitable"],
        &["-mllvm", "-farkas-vectorize=force"],
    ] {
        let ours = compile(&source(), "rows-agree", With::Farkas, options).run(&[]);
        assert!(ours == plain, "{options:?}: outputs differ");
    }
}
