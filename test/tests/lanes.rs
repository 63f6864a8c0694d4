//! Loops that become vector lanes give the same output, bit for bit, as without the plugin: for sizes that fill no vector,
//! some, and leave a rest, for vectors of all widths, and at addresses that are aligned for elements only.
#![forbid(unsafe_code)]

use farkas_test::{plugin, scratch};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The lines of loops that become lanes.
const LINES: [usize; 32] = [
    12, 17, 22, 27, 32, 37, 42, 47, 52, 59, 69, 77, 82, 87, 92, 97, 103, 110, 115, 120, 127, 134, 141, 146, 151, 158,
    165, 171, 181, 191, 200, 211,
];

/// The program compiled by clang with these arguments, and what the compiler says.
fn compiled(name: &str, arguments: &[String]) -> (PathBuf, String) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/lanes.c");
    let program = scratch().join(name);
    let mut command = Command::new("clang-22");
    command
        .args(["-O2", "-g1", "-w", "-fno-math-errno"])
        .args(arguments)
        .arg(source)
        .arg("-lm")
        .arg("-o")
        .arg(&program);
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{command:?} failed:\n{errors}");
    (program, errors)
}

fn output(program: &Path, size: usize) -> String {
    let mut command = Command::new(program);
    let output = command.arg(size.to_string()).output();
    let output = output.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", output.status);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The program with lanes as the choice says, and the same without, both for a target.
fn programs(width: &str, choice: &str) -> (PathBuf, PathBuf, String) {
    let vectors = [
        "-mllvm".to_owned(),
        format!("-farkas-target={width}"),
        "-mllvm".to_owned(),
        "-farkas-unprofitable".to_owned(),
        "-mllvm".to_owned(),
        format!("-farkas-vectorize={choice}"),
        "-Rpass=farkas".to_owned(),
        format!("-fpass-plugin={}", plugin().display()),
    ];
    let (plain, _) = compiled(&format!("lanes-{width}-{choice}.clang"), &[]);
    let (new, remarks) = compiled(&format!("lanes-{width}-{choice}.farkas"), &vectors);
    assert!(!remarks.contains("internal error"), "{remarks}");
    (plain, new, remarks)
}

fn compare(plain: &Path, new: &Path, what: &str) {
    for size in 0..=40 {
        assert_eq!(output(plain, size), output(new, size), "{what}, size {size}");
    }
}

fn check(width: &str) {
    let (plain, new, remarks) = programs(width, "force");
    for line in LINES {
        let mut remarks = remarks
            .lines()
            .filter(|remark| remark.contains(&format!("lanes.c:{line}:")));
        assert!(
            remarks.any(|remark| remark.contains("vector lanes")),
            "the loop of line {line} has no lanes for {width}"
        );
    }
    compare(&plain, &new, width);
    // By choice, other loops are jammed with lanes, and strips have several vectors.
    let (plain, new, remarks) = programs(width, "auto");
    for way in ["transposed", "unrolled and jammed", "vector lanes"] {
        assert!(remarks.contains(way), "nothing is {way} for {width}");
    }
    compare(&plain, &new, &format!("{width}, by choice"));
}

#[test]
fn vectors_of_128_bits() {
    check("x86-64-v2");
}

#[test]
fn vectors_of_256_bits() {
    check("x86-64-v3");
}

#[test]
fn vectors_of_512_bits() {
    check("x86-64-v4");
}
