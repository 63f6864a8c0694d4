//! Loops whose iterations are distributed in strips, with lanes for the first part, give the same output, bit for bit, as without the plugin:
//! for sizes that fill no vector, some, and leave a rest, and where memory ends behind what the program accesses.
#![forbid(unsafe_code)]

use farkas_test::lanes::{self, Remarked};

/// The lines of loops that are distributed.
const LINES: [usize; 2] = [10, 40];

fn check(width: &str) {
    let remarked = Remarked {
        lines: &LINES,
        parts: &["distributed loops", "vector lanes"],
        by_choice: true,
    };
    lanes::check("strips", width, &remarked, (0..=24).chain([31, 32, 33, 50]));
}

#[test]
fn strips_with_128_bits() {
    check("x86-64-v2");
}

#[test]
fn strips_with_256_bits() {
    check("x86-64-v3");
}

#[test]
fn strips_with_512_bits() {
    check("x86-64-v4");
}
