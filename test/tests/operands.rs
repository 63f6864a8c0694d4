//! Products in which rows of a register tile read a buffer, which has what is computed of an element alone, give the same output, bit for bit, as
//! without the plugin: for sizes that fill no tile, some, and leave rows, columns and sums over, and where memory ends, or begins, with what the
//! program accesses.
#![forbid(unsafe_code)]

use farkas_test::{With, compile};
use std::path::Path;

/// The lines of rectangular products. Triangles may be packed without lanes.
const LINES: [usize; 4] = [10, 17, 24, 31];

fn check(target: &str, choice: &str, data: &str) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/operands.c");
    let name = format!("operands-{target}-{choice}-{data}");
    let data = format!("-DDATA={data}");
    let shared = ["-w", "-ffp-contract=off", "-O2", &data, "-lm"];
    let (preset, pack) = (format!("-farkas-target={target}"), format!("-farkas-pack={choice}"));
    let own = [
        "-g1",
        "-Rpass=farkas",
        "-mllvm",
        "-farkas-verify",
        "-mllvm",
        &preset,
        "-mllvm",
        &pack,
    ];
    let plain = compile(&source, &name, With::Clang, &shared);
    let new = compile(&source, &name, With::Farkas, &[&shared[..], &own].concat());
    assert!(!new.diagnostics.contains("internal error"), "{}", new.diagnostics);
    for line in LINES {
        let place = format!("operands.c:{line}:");
        let mut remarks = new.diagnostics.lines().filter(|remark| remark.contains(&place));
        let is_packed = |remark: &str| remark.contains("packed A") && remark.contains("vector lanes");
        assert!(remarks.any(is_packed), "line {line} for {target}:\n{}", new.diagnostics);
    }
    for size in [0, 1, 2, 5, 6, 7, 8, 9, 12, 15, 16, 17, 23, 31, 33, 64, 131] {
        let size = size.to_string();
        assert_eq!(
            plain.run(&[&size]),
            new.run(&[&size]),
            "{target}, {choice}, size {size}"
        );
    }
}

#[test]
fn rows_in_buffers_with_256_bits() {
    check("x86-64-v3", "force", "double");
    check("x86-64-v3", "force", "float");
}

#[test]
fn rows_in_buffers_with_512_bits() {
    check("sapphire-rapids", "force", "double");
    check("sapphire-rapids", "force", "float");
}

#[test]
fn by_choice() {
    check("sapphire-rapids", "auto", "double");
    check("sapphire-rapids", "auto", "float");
}
