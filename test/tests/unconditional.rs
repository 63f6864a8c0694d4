//! Stores and loads under conditions that are made in any case give the same output, bit for bit, as without the plugin: for sizes that fill no vector,
//! some, and leave a rest, where memory ends behind what the program accesses, and where elements that nothing is stored to are
//! read-only.
#![forbid(unsafe_code)]

use farkas_test::lanes::{self, Remarked};

/// The lines of nests in another order, which takes stores that are made in any case.
const LINES: [usize; 3] = [22, 34, 48];

fn check(width: &str) {
    let remarked = Remarked {
        lines: &LINES,
        parts: &["interchanged loops"],
        by_choice: true,
    };
    lanes::check("unconditional", width, &remarked, (0..=40).chain([63, 64, 65]));
}

#[test]
fn stores_in_any_case_with_128_bits() {
    check("x86-64-v2");
}

#[test]
fn stores_in_any_case_with_256_bits() {
    check("x86-64-v3");
}

#[test]
fn stores_in_any_case_with_512_bits() {
    check("x86-64-v4");
}
