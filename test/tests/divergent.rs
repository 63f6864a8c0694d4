//! Loops inside of vector lanes whose bounds differ from lane to lane give the same output, bit for bit, as without the plugin: for sizes
//! that fill no vector, some, and leave a rest, and where memory ends behind what the program accesses.
#![forbid(unsafe_code)]

use farkas_test::lanes::{self, Remarked};

/// The lines of loops that have lanes around divergent ones, with branches in place of masks where the machine has none, and of one with
/// conditions on data, which does so only where the machine has masks.
const LINES: [usize; 13] = [15, 24, 37, 48, 58, 68, 78, 88, 109, 119, 130, 141, 163];
const LINES_BY_MASKS: [usize; 1] = [98];

fn check(width: &str, lines: &[usize]) {
    let remarked = Remarked {
        lines,
        parts: &["vector lanes"],
        by_choice: false,
    };
    lanes::check("divergent", width, &remarked, 0..=40);
}

#[test]
fn divergent_loops_with_128_bits() {
    check("x86-64-v2", &LINES);
}

#[test]
fn divergent_loops_with_256_bits() {
    check("x86-64-v3", &[&LINES[..], &LINES_BY_MASKS].concat());
}

#[test]
fn divergent_loops_with_512_bits() {
    check("x86-64-v4", &[&LINES[..], &LINES_BY_MASKS].concat());
}
