//! Any bytes are read or refused, never with a panic; what is read is printed, and read again as the same.
#![no_main]

use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::sets::{Aff, MultiAff, UnionMap, UnionSet};
use libfuzzer_sys::fuzz_target;

/// What comparing a text with itself may cost. Beyond, the texts are only known to be read.
const BUDGET: u64 = 100_000;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(first) = text.parse::<UnionSet>() {
        let printed = first.to_string();
        let second: UnionSet = printed.parse().unwrap_or_else(|error| panic!("{printed}: {error}"));
        let equal = first.is_equal(&second, &Budget::new(BUDGET));
        assert!(equal != Ok(false), "{printed} is not the same");
    }
    if let Ok(first) = text.parse::<UnionMap>() {
        let printed = first.to_string();
        let second: UnionMap = match printed.parse() {
            Ok(second) => second,
            // The empty union is a union of sets as well.
            Err(error) => panic!("{printed}: {error}"),
        };
        let equal = first.is_equal(&second, &Budget::new(BUDGET));
        assert!(equal != Ok(false), "{printed} is not the same");
    }
    if let Ok(first) = text.parse::<MultiAff>() {
        let printed = first.to_string();
        let second: MultiAff = printed.parse().unwrap_or_else(|error| panic!("{printed}: {error}"));
        assert_eq!(printed, second.to_string());
    }
    if let Ok(first) = text.parse::<Aff>() {
        let printed = first.to_string();
        let second: Aff = printed.parse().unwrap_or_else(|error| panic!("{printed}: {error}"));
        assert_eq!(printed, second.to_string());
    }
});
