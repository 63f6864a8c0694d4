//! Rewrites schedule trees for a target and emits LLVM IR for them.
#![forbid(unsafe_code)]
