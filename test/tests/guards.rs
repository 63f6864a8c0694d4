//! The run-time guard sends disjoint arrays to the new code and overlapping ones to the original, and both are right.
//!
//! Which branch runs is seen from the IR: the new code starts in a block called `farkas.start`, into which the test puts
//! a call of `puts`.
#![forbid(unsafe_code)]

use farkas_test::{plugin, scratch};
use std::path::Path;
use std::process::Command;

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed:\n{errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// The program with a message at the start of the new code.
fn instrumented(ir: &str) -> String {
    let mut result = String::new();
    let mut marked = 0;
    for line in ir.lines() {
        result.push_str(line);
        result.push('\n');
        if line.starts_with("farkas.start") {
            result.push_str("  %farkas.said = call i32 @puts(ptr @farkas.message)\n");
            marked += 1;
        }
    }
    assert_eq!(marked, 1, "one loop nest is transformed");
    result.push_str("@farkas.message = private constant [9 x i8] c\"new code\\00\"\ndeclare i32 @puts(ptr)\n");
    result
}

/// Runs the program with each argument; the second of a pair is whether the new code runs.
fn check(name: &str, arguments: &[(&str, bool)]) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("programs/{name}.c"));
    let file = |ending: &str| scratch().join(format!("{name}.{ending}"));
    let (plain, front, new, program) = (file("clang"), file("ll"), file("new.ll"), file("farkas"));
    run(Command::new("clang-22")
        .args(["-O3"])
        .arg(&source)
        .arg("-o")
        .arg(&plain));
    run(Command::new("clang-22")
        .args(["-O1", "-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes"])
        .arg(&source)
        .arg("-o")
        .arg(&front));
    let passes = "function(sroa,early-cse,simplifycfg,instcombine,farkas)";
    let load = format!("-load-pass-plugin={}", plugin().display());
    let ir = run(Command::new("opt-22")
        .args([&load, &format!("-passes={passes}"), "-S"])
        .arg(&front));
    std::fs::write(&new, instrumented(&ir)).expect("a file in the scratch folder");
    run(Command::new("clang-22").args(["-O1"]).arg(&new).arg("-o").arg(&program));

    for (argument, runs_new_code) in arguments {
        let expected = run(Command::new(&plain).arg(argument));
        let output = run(Command::new(&program).arg(argument));
        let said = output.lines().filter(|line| *line == "new code").count();
        assert_eq!(said, usize::from(*runs_new_code), "{argument}");
        let values: String = output
            .lines()
            .filter(|line| *line != "new code")
            .map(|line| format!("{line}\n"))
            .collect();
        assert!(values == expected, "{argument}: outputs differ");
    }
}

#[test]
fn both_branches_run_and_agree_with_clang() {
    check("overlap", &[("disjoint", true), ("overlapping", false)]);
}

#[test]
fn many_arrays_are_sorted_by_their_addresses() {
    let apart = [("ascending", true), ("mixed", true), ("shared", true)];
    let overlapping = [("read", false), ("written", false)];
    check("many-arrays", &[&apart[..], &overlapping].concat());
}

#[test]
fn pointers_may_be_anywhere() {
    check(
        "walk",
        &[("global", true), ("heap", true), ("stack", true), ("none", true)],
    );
}
