//! Random operands: sets and relations as formula trees, which are written as text for the libraries and evaluated
//! point by point for the second oracle.
//!
//! ```text
//! [p, q] -> { A[i0, i1] -> B[o0] : (2i0 >= p and (i0 + o0) mod 3 = 1) or (exists (e0: i0 <= 3e0 <= i1 and ..)) }
//! ```
//!
//! A quantified variable `e` always has bounds `lower <= k e <= upper` that the other variables give, so that a formula can
//! be evaluated by trying all values of it.

mod generate;
mod operand;
mod rng;

pub use generate::Generator;
pub use operand::{Extent, Operand, PARAMS, Tuple, union_text};
pub use rng::Rng;
