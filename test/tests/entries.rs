//! Loops that go around another one, which has no iterations for some sizes, give the same output, bit for bit, as without the plugin, and
//! come to an end.
#![forbid(unsafe_code)]

use farkas_test::{With, compile};
use std::path::Path;

/// In most of these the inner loops have no iterations behind some of the outer one.
const SIZES: [(i64, i64); 12] = [
    (0, 5),
    (1, 1),
    (5, 0),
    (5, -1),
    (64, 5),
    (64, 64),
    (300, 1),
    (300, 64),
    (300, 133),
    (100, 300),
    (399, 100),
    (399, 399),
];

fn check(target: &str, choices: &[&str]) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/entries.c");
    let flags = ["-O3", "-ffp-contract=off"];
    let target_flag = format!("-farkas-target={target}");
    let name = format!("entries-{target}{}", choices.len());
    let mut options = vec!["-mllvm", &target_flag];
    choices.iter().for_each(|choice| options.extend(["-mllvm", choice]));
    let plain = compile(&source, &name, With::Clang, &flags);
    let new = compile(&source, &name, With::Farkas, &[&flags[..], &options].concat());
    for (t, n) in SIZES {
        let sizes = [t.to_string(), n.to_string()];
        let sizes = [&*sizes[0], &*sizes[1]];
        assert_eq!(
            plain.run(&sizes),
            new.run(&sizes),
            "{target} {choices:?}, sizes {t} and {n}"
        );
    }
}

/// What the plugin does by itself.
#[test]
fn loops_that_are_not_entered() {
    check("zen3", &[]);
    check("x86-64-v4", &[]);
}

#[test]
fn loops_that_are_not_entered_whatever_is_legal() {
    check("zen3", &["-farkas-unprofitable"]);
    check("x86-64-v4", &["-farkas-unprofitable", "-farkas-vectorize=force"]);
    check("x86-64-v2", &["-farkas-unprofitable", "-farkas-vectorize=force"]);
}
