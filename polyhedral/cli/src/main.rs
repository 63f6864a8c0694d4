//! The command `farkas`.
#![forbid(unsafe_code)]
fn main() {}
