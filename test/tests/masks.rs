//! Loops with conditions on data that become vector lanes give the same output, bit for bit, as without the plugin: for sizes that fill
//! no vector, some, and leave a rest, and where memory ends behind what the program accesses.
#![forbid(unsafe_code)]

use farkas_test::{Program, With, compile};
use std::path::Path;

/// The lines of loops that become lanes, and of those that do so only where masks leave out bytes.
const LINES: [usize; 18] = [
    15, 21, 29, 37, 51, 59, 65, 83, 89, 95, 101, 115, 121, 135, 152, 160, 168, 186,
];
const LINES_OF_BYTES: [usize; 1] = [127];

/// What is the same in both compilations but the plugin.
fn programs(name: &str, flags: &[&str], options: &[&str]) -> (Program, Program) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/masks.c");
    let name = format!("masks-{name}");
    let shared = [&["-w", "-ffp-contract=off"], flags].concat();
    let own = [
        "-mllvm",
        "-farkas-unprofitable",
        "-g1",
        "-Rpass=farkas",
        "-Rpass-missed=farkas",
    ];
    let plain = compile(&source, &name, With::Clang, &shared);
    let new = compile(&source, &name, With::Farkas, &[&shared[..], &own, options].concat());
    assert!(!new.diagnostics.contains("internal error"), "{}", new.diagnostics);
    (plain, new)
}

fn compare(plain: &Program, new: &Program, what: &str) {
    for size in 0..=40 {
        let size = size.to_string();
        assert_eq!(plain.run(&[&size]), new.run(&[&size]), "{what}, size {size}");
    }
}

fn has_lanes(new: &Program, line: usize) -> bool {
    let place = format!("masks.c:{line}:");
    let mut remarks = new.diagnostics.lines().filter(|remark| remark.contains(&place));
    remarks.any(|remark| remark.contains("vector lanes"))
}

fn check(width: &str, lines: &[usize], by_choice: bool) {
    let target = format!("-farkas-target={width}");
    let options = ["-mllvm", &target, "-mllvm", "-farkas-vectorize=force"];
    let (plain, new) = programs(width, &["-O2"], &options);
    for line in lines {
        assert!(
            has_lanes(&new, *line),
            "the loop of line {line} has no lanes for {width}:\n{}",
            new.diagnostics
        );
    }
    compare(&plain, &new, width);
    let (plain, new) = programs(width, &["-O3"], &["-mllvm", &target]);
    assert_eq!(
        new.diagnostics.contains("vector lanes"),
        by_choice,
        "{width}, by choice"
    );
    compare(&plain, &new, &format!("{width}, by choice"));
}

/// No load and no store leaves out lanes: only what is under no condition has lanes, or what is stored in any case, as the loop
/// of line 135 stores to each element before the conditions.
#[test]
fn masks_of_128_bits() {
    check("x86-64-v2", &[37, 135], true);
}

#[test]
fn masks_of_256_bits() {
    check("x86-64-v3", &LINES, true);
}

#[test]
fn masks_of_512_bits() {
    check("x86-64-v4", &[&LINES[..], &LINES_OF_BYTES].concat(), true);
}

/// By the instructions that AVX2 has for that. Where the processor lacks them, the programs are only compiled.
#[test]
fn masks_of_avx2() {
    let flags = ["-O3", "--target=x86_64-linux-gnu", "-march=x86-64-v3"];
    for choice in ["force", "auto"] {
        let vectorize = format!("-farkas-vectorize={choice}");
        let (plain, new) = programs("avx2", &flags, &["-mllvm", &vectorize]);
        match has_avx2() {
            true => compare(&plain, &new, choice),
            false => eprintln!("masks by {choice}: not run, as the processor has no AVX2"),
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("avx2") && has!("bmi2") && has!("fma")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx2() -> bool {
    false
}
