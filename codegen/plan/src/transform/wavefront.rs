//! Wavefronts: neighbouring iterations of a loop run side by side in the body of the innermost one, which is skewed against it.
//!
//! In `A[i][j] = f(A[i - 1][j + 1], A[i][j - 1])` each iteration of `j` waits for the one before it, and each row for the one above.
//! The band `[i, i + j]` is permutable, and so is `[i, 2i + j]`. In its last member, all that a row waits for is of an earlier
//! iteration, so that rows are independent within an iteration:
//!
//! ```text
//! [i/8, 2i + j]          for (r = 0; r < n; r += 8)
//!   [i] unrolled           for (c = ..)
//!                            A[r][c - 2r] = ..; A[r + 1][c - 2r - 2] = ..; ..      8 chains of operations at once
//! ```
//!
//! The rows may be [lanes](super::vectorize) instead of copies.
//!
//! The sum of two members of a permutable band makes a permutable band again. It carries all that either of the two carries.

use farkas_polyhedral::sets::{MultiAff, Tuple};
use farkas_polyhedral::tree::Band;

use super::function_of;

/// So many iterations run side by side.
pub(crate) const ROWS: i64 = 8;

/// The band with the sum of this member and the last one in place of the last one.
pub(crate) fn skewed(band: &Band, member: usize) -> Band {
    let last = band.n() - 1;
    let function = |tuple: &Tuple| {
        let function = function_of(band, tuple);
        let mut affs = function.affs().to_vec();
        affs[last] = affs[last].add(&affs[member]);
        MultiAff::new(function.domain_space(), function.space().range.clone(), affs)
    };
    let functions: Vec<MultiAff> = band.statements().map(function).collect();
    Band::of_functions(band.n(), functions, band.child.clone())
        .with_members(band.members().to_vec())
        .with_permutable(band.permutable)
}

/// The band with one member, the sum of all.
pub(crate) fn sum(band: &Band) -> Band {
    let function = |tuple: &Tuple| {
        let function = function_of(band, tuple);
        let (first, others) = function.affs().split_first().expect("a band with members");
        let sum = others.iter().fold(first.clone(), |sum, aff| sum.add(aff));
        MultiAff::new(function.domain_space(), Tuple::anonymous(1), vec![sum])
    };
    let functions: Vec<MultiAff> = band.statements().map(function).collect();
    Band::of_functions(1, functions, band.child.clone()).with_permutable(true)
}
