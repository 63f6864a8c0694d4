//! Stand-ins until the integer type is there.
/// Stand-in for `crate::int::Int`.
pub type Int = i64;
/// Stand-in for `crate::linalg::Row`.
pub type Row = Vec<Int>;
