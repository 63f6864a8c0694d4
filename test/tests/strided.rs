//! Lanes whose elements are a few elements apart give the same output, bit for bit, as without the plugin: for sizes that fill no vector, some, and leave
//! a rest, where memory ends, or begins, with what the program accesses.
#![forbid(unsafe_code)]

use farkas_test::lanes::{self, Remarked};

/// The lines of nests in lanes.
const LINES: [usize; 8] = [8, 14, 26, 32, 43, 53, 58, 64];

fn check(width: &str) {
    let remarked = Remarked {
        lines: &LINES,
        parts: &["vector lanes"],
        by_choice: false,
    };
    lanes::check("strided", width, &remarked, (0..=40).chain([63, 64, 65]));
}

#[test]
fn strided_lanes_of_128_bits() {
    check("x86-64-v2");
}

#[test]
fn strided_lanes_of_256_bits() {
    check("x86-64-v3");
}

#[test]
fn strided_lanes_of_512_bits() {
    check("x86-64-v4");
}
