//! Differential tests.
#![forbid(unsafe_code)]
