//! Index-set splitting where a statement meets itself.
//!
//! ```text
//! for (k) for (i) for (j)                               for (k) for (i) {
//!   a[i][j] = min(a[i][j], a[i][k] + a[k][j]);    ->      for (j < k)  ..      parallel
//!                                                         j = k;               the only instance that writes a[i][k]
//!                                                         for (j > k)  ..      parallel
//!                                                       }
//! ```
//!
//! In an iteration of `k` and `i`, all instances read `a[i][k]`, which the instance `j = k` writes. The loop over `j` carries the
//! dependences of that one instance only. In general, let a statement write the element `w(x)` of an array and read `r(x)`: where a
//! subscript of both is the same, the read *meets* the write. The hyperplane `w_s(x) = r_s(x)` is a *cut* of the instance set: on one
//! side of it reads come before the writes of what they read, on the other side behind them.
//!
//! | module | what |
//! |---|---|
//! | `cuts` | pairs of accesses -> cuts along the innermost loops, and those that leave loops without dependences |
//! | `interchange` | the program with other loops innermost, where these suit memory better |
//! | `pieces` | statements -> pieces, as statements of their own, and back |
//! | `order` | the original order with a loop for each piece |
//!
//! The pieces of a loop come in the order of the loop, so that the order of instances stays as it was. Only that the loops of pieces
//! carry nothing is new. The plan's tree has filters for pieces in the place of statements for them: [`Pieces::undo`].

mod cuts;
mod interchange;
mod order;
mod pieces;

pub(crate) use cuts::{Cuts, candidates, may_be_cut};
pub(crate) use interchange::with_consecutive_innermost;
pub(crate) use order::{nests, with_split_loops};
pub(crate) use pieces::{Pieces, fresh_name};
