//! Register tiles and sunk loops give the same output, bit for bit, as without the plugin, whatever candidate is taken: for sizes
//! that fill no tile, some, and leave a rest.
#![forbid(unsafe_code)]

use farkas_test::{plugin, scratch};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program compiled by clang with these arguments.
fn compiled(name: &str, arguments: &[String]) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/copies.c");
    let program = scratch().join(name);
    let mut command = Command::new("clang-22");
    command.args(["-O2", "-w", "-ffp-contract=off"]).args(arguments);
    let output = command.arg(source).arg("-o").arg(&program).output();
    let output = output.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed:\n{errors}");
    assert!(!errors.contains("internal error"), "{errors}");
    program
}

fn output(program: &Path, size: usize) -> String {
    let mut command = Command::new(program);
    let output = command.arg(size.to_string()).output();
    let output = output.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", output.status);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Compares the outputs with the options of the plugin against those of clang alone.
fn check(name: &str, options: &[String]) {
    let plain = compiled(&format!("copies-{name}.clang"), &[]);
    let mut arguments = vec![format!("-fpass-plugin={}", plugin().display())];
    for option in options.iter().map(String::as_str).chain(["unprofitable", "verify"]) {
        arguments.extend(["-mllvm".to_owned(), format!("-farkas-{option}")]);
    }
    let new = compiled(&format!("copies-{name}.farkas"), &arguments);
    for size in (0..=20).chain([24, 31, 33, 40, 41, 43]) {
        assert_eq!(output(&plain, size), output(&new, size), "{name}, size {size}");
    }
}

#[test]
fn the_best_candidates() {
    for target in ["x86-64-v3", "x86-64-v4"] {
        check(target, &[format!("target={target}")]);
    }
}

#[test]
fn all_kinds_of_candidates() {
    for candidate in (1..=46).step_by(3) {
        let options = ["target=x86-64-v4".to_owned(), format!("candidate={candidate}")];
        check(&format!("candidate-{candidate}"), &options);
    }
}
