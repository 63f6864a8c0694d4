//! Statements that combine values of the same elements give the same output as without the plugin, whatever their order is: where they do so by
//! one operation, by several, and where something reads what is there between two of them.
#![forbid(unsafe_code)]

use farkas_test::lanes::{self, Remarked};

/// The lines of nests in another order.
const LINES: [usize; 5] = [9, 35, 45, 63, 72];

fn check(width: &str) {
    let remarked = Remarked {
        lines: &LINES,
        parts: &["interchanged loops"],
        by_choice: true,
    };
    lanes::check("combined", width, &remarked, (0..=20).chain([47, 48, 49, 65]));
}

#[test]
fn combined_with_128_bits() {
    check("x86-64-v2");
}

#[test]
fn combined_with_256_bits() {
    check("x86-64-v3");
}

#[test]
fn combined_with_512_bits() {
    check("x86-64-v4");
}
