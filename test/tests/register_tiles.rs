//! Products that are accumulated in register tiles of several rows and vectors give the same output, bit for bit, as without the plugin: for
//! sizes that fill no tile, some, and leave rows and columns over, of registers and of caches, and where memory ends behind what the program
//! accesses.
#![forbid(unsafe_code)]

use farkas_test::lanes::{self, Remarked};

/// The lines of products that have them, with 256 bits.
const LINES: [usize; 5] = [14, 15, 20, 36, 49];

fn check(target: &str, lines: &[usize]) {
    let remarked = Remarked {
        lines,
        parts: &["vector lanes"],
        by_choice: true,
    };
    lanes::check("register_tiles", target, &remarked, (0..=26).chain([31, 40, 66, 199]));
}

#[test]
fn register_tiles_with_128_bits() {
    check("x86-64-v2", &[]);
}

#[test]
fn register_tiles_with_256_bits() {
    check("x86-64-v3", &LINES);
}

#[test]
fn register_tiles_with_512_bits() {
    check("x86-64-v4", &[]);
}
