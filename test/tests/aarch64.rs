//! Kernels that are compiled for AArch64, whose vectors have 128 bits, give the same output, bit for bit, with and without the plugin.
//! They run in an emulator.
#![forbid(unsafe_code)]

use farkas_test::{With, compile, further_kernels, kernel_dir, kernels, wrong_in};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Sums of products are not contracted: LLVM's vectorizer computes some of them unfused here, where it keeps the order of a sum, so
/// that clang alone gives other bits for other loops.
const TARGET: [&str; 3] = ["--target=aarch64-linux-gnu", "-mcpu=neoverse-n1", "-ffp-contract=off"];

/// What the plugin does by itself, and whatever is legal.
const CHOICES: [&[&str]; 2] = [&[], &["-mllvm", "-farkas-unprofitable"]];

/// What a program prints in the emulator.
fn emulated(program: &Path, arguments: &[&str]) -> String {
    let output = Command::new("qemu-aarch64")
        .args(["-L", "/usr/aarch64-linux-gnu"])
        .arg(program)
        .args(arguments)
        .output()
        .expect("the emulator runs");
    let path = program.display();
    assert!(output.status.success(), "{path} ended with {}", output.status);
    String::from_utf8(output.stdout).expect("text")
}

/// What is wrong with a kernel: outputs that differ, for any of the arguments.
fn check(source: &Path, flags: &[&str], arguments: &[&[&str]]) -> Vec<String> {
    let name = source.file_stem().and_then(|stem| stem.to_str()).expect("a name");
    let program = format!("aarch64-{name}");
    let flags = [&TARGET, flags].concat();
    let plain = compile(source, &program, With::Clang, &flags);
    let expected: Vec<String> = arguments.iter().map(|words| emulated(&plain.path, words)).collect();
    std::fs::remove_file(plain.path).expect("the program is there");
    let mut wrong = Vec::new();
    for choice in CHOICES {
        let optimized = compile(source, &program, With::Farkas, &[&flags, choice].concat());
        for (arguments, expected) in arguments.iter().zip(&expected) {
            if emulated(&optimized.path, arguments) != *expected {
                wrong.push(format!("{name} {arguments:?}, {choice:?}: outputs differ"));
            }
        }
        std::fs::remove_file(optimized.path).expect("the program is there");
    }
    wrong
}

#[test]
fn kernels_with_constant_sizes() {
    let sources: Vec<PathBuf> = (kernels().iter())
        .map(|name| kernel_dir().join(format!("{name}.c")))
        .collect();
    let wrong = wrong_in(sources, |source| {
        check(&source, &["-DN=37", "-DSTEPS=9"], &[&["checksum"]])
    });
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn kernels_with_sizes_at_run_time() {
    let sizes = ["3", "17", "40"].map(|size| ["checksum", size]);
    let arguments: Vec<&[&str]> = sizes.iter().map(|words| &words[..]).collect();
    let wrong = wrong_in(further_kernels(), |source| check(&source, &[], &arguments));
    assert_eq!(wrong, [""; 0]);
}

/// What the tests above execute is in vectors.
#[test]
fn lanes_are_emitted() {
    let source = kernel_dir().join("syrk.c");
    let program = compile(&source, "aarch64-syrk-lanes", With::Farkas, &TARGET);
    assert!(
        program.diagnostics.contains("2 vector lanes"),
        "{}",
        program.diagnostics
    );
}
