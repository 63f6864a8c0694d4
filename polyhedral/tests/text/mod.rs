//! Text in, text out: operands are read from isl's notation, and results are compared as they print.

use expect_test::Expect;
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::sets::{Map, Set};
use farkas_polyhedral::text::ParseError;
use std::fmt::Display;
use std::str::FromStr;

pub(crate) fn parse<T: FromStr<Err = ParseError>>(text: &str) -> T {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

pub(crate) fn set(text: &str) -> Set {
    parse(text)
}

pub(crate) fn map(text: &str) -> Map {
    parse(text)
}

pub(crate) fn budget() -> Budget {
    Budget::new(10_000_000)
}

pub(crate) fn check(actual: impl Display, expected: Expect) {
    expected.assert_eq(&actual.to_string());
}
