//! Flat arrays with rows of parametric length: new code runs where no index wraps around and no row overlaps another, and
//! results are the same everywhere.
#![forbid(unsafe_code)]

use farkas_test::instrumented::instrument_with;
use farkas_test::{With, compile};
use std::path::{Path, PathBuf};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs").join("flat.c")
}

/// Nests with sizes; the second of a pair is whether what is assumed of the sizes holds.
const CALLS: [(&str, bool); 42] = [
    ("diagonals 33", true),
    ("diagonals 200", true),
    ("factors 3", true),
    ("factors 77", true),
    ("factors 200", true),
    ("border 20", true),
    ("border 111", true),
    ("wrapped 50 2 1000 900", true),
    // Narrow indices wrap around: each row is the same.
    ("wrapped 50 2 2147483648 1000", false),
    ("wrapped 50 2 100 900", false),
    ("overlapping 50 100 100", true),
    ("overlapping 50 100 101", false),
    ("overlapping 50 1 900", false),
    ("overlapping 50 0 900", false),
    ("pixels 100 77", true),
    ("points 100 90", true),
    ("volume 20 30 40", true),
    ("volume 3 3 3", true),
    ("tensor 9 9 10 11", true),
    ("tensor 1 2 2 2", true),
    // The bytes of a row do not fit in 64 bits, of which the guard makes sure.
    ("tensor 1 1073741824 1073741824 1073741824", false),
    ("tensor 1 2147483647 2147483647 2147483647", false),
    // The second array begins behind the first one's last element that is accessed, or there.
    ("upper 50 0", true),
    ("upper 50 1", false),
    ("block 40 30 50 0", true),
    ("block 40 30 50 1", false),
    // What is only read may overlap, whatever the distance of windows is.
    ("windows 50 20 20 0", true),
    ("windows 50 20 4 0", true),
    ("windows 50 20 64 0", true),
    ("windows 50 20 0 0", true),
    ("windows-back 50 20 4 0", true),
    ("halves 50 20", true),
    ("last 50 20", true),
    ("last 50 2", true),
    ("last 50 1", true),
    ("last 50 0", false),
    ("last 50 -3", false),
    // The output begins in the last window, which ends behind the begin of the next one.
    ("windows 50 20 4 4294967295", false),
    ("windows 50 20 0 4294967295", false),
    ("windows-back 50 20 4 4294967295", false),
    // The output is in front of all windows, or ends in the first one.
    ("windows-back 50 20 4 4294967030", true),
    ("windows-back 50 20 4 4294967031", false),
];

#[test]
fn new_code_runs_where_the_assumptions_hold() {
    let instrumented = instrument_with(&source(), "flat-instrumented", &[], "unprofitable");
    let others = instrumented.run(&["none"]).regions;
    for (call, holds) in CALLS {
        let arguments: Vec<&str> = call.split(' ').collect();
        let regions = instrumented.run(&arguments).regions;
        assert_eq!(regions.difference(&others).next().is_some(), holds, "{call}");
    }
}

#[test]
fn results_agree_with_clang() {
    let plain = compile(&source(), "flat", With::Clang, &[]);
    for vectorize in ["auto", "force"] {
        let vectorize = format!("-farkas-vectorize={vectorize}");
        let options = ["-mllvm", "-farkas-unprofitable", "-mllvm", &vectorize];
        let transformed = compile(&source(), &format!("flat{vectorize}"), With::Farkas, &options);
        for (call, _) in CALLS {
            let arguments: Vec<&str> = call.split(' ').collect();
            assert!(
                transformed.run(&arguments) == plain.run(&arguments),
                "{call}: outputs differ"
            );
        }
    }
}
