//! The AST generator beside isl's: inputs, what either makes of them, read and executed by one reader of C, and the order
//! that is expected, by enumeration.

pub mod c;
pub mod input;
pub mod oracle;
pub mod order;
pub mod points;
pub mod random;
