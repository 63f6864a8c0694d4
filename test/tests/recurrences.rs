//! Recurrences over tables give the same output, bit for bit, as without the plugin: with reductions of what they store, with offsets that are
//! loaded, some of them negative, and with sums that stay in registers along a loop.
#![forbid(unsafe_code)]

use farkas_test::lanes::{self, Remarked};

/// The lines of the nests of a local alignment, and of correlations.
const LINES: [usize; 2] = [29, 72];

fn check(target: &str) {
    let remarked = Remarked {
        lines: &LINES,
        parts: &["loop nest transformed"],
        by_choice: true,
    };
    lanes::check("recurrences", target, &remarked, (0..=20).chain([33, 48, 65]));
}

#[test]
fn recurrences_with_vectors_of_128_bits() {
    check("x86-64-v2");
}

#[test]
fn recurrences_with_vectors_of_256_bits() {
    check("zen3");
}

#[test]
fn recurrences_with_vectors_of_512_bits() {
    check("x86-64-v4");
}
