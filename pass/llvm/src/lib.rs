//! FFI.
