//! Integer sets and relations, exact over the integers.
//!
//! A [`Conj`] is a conjunction of affine equalities and inequalities over variables, explicit integer divisions of them, and
//! existentially quantified variables, its *locals*; a [`Set`] or [`Map`] is a finite union of conjunctions in a
//! [`SetSpace`] or [`MapSpace`]; a [`UnionSet`] or [`UnionMap`] collects sets or relations of several spaces.
//!
//! An [`Aff`] is a quasi-affine expression and a [`MultiAff`] a tuple of them. A [`PwAff`] has different expressions on
//! disjoint sets, a [`PwMultiAff`] tuples of them, and a [`MultiPwAff`] is a tuple of the former; [`UnionPwAff`],
//! [`UnionPwMultiAff`] and [`MultiUnionPwAff`] are the same on tuples of several spaces.
//!
//! Every operation is exact, unless its name or documentation says otherwise. All of them have a text form, isl's notation.
//!
//! # Conventions
//!
//! - Values are immutable, and operations return new ones. Those on two operands align parameters by name.
//! - An operation on spaces that do not fit, as the union of sets of different tuples, on dimensions that are not there, or on
//!   a point with another number of coordinates, is a bug of the caller and panics; on
//!   unions of spaces, as [`UnionSet`], there is nothing that does not fit.
//! - An operation with a [`Budget`](crate::budget::Budget) fails with [`OutOfBudget`](crate::budget::OutOfBudget) where that
//!   is gone, and has no other errors.
//! - In descriptions, `A` is the set itself and `B` another one, `R` and `T` are relations, `f` and `g` functions, `C` and `D`
//!   conjunctions; `x`, `y` are tuples and `p` parameter values, of which everything depends: `A` stands for `A(p)`. `<<` is
//!   the lexicographic order. Dimensions are counted from 0, and so are those of domain and range, each for itself.
//! - The columns of a row over a space are `[1 | parameters | dimensions]`, domain before range.

mod aff;
mod affine_hull;
mod bounds;
mod cases;
mod closure;
mod coalesce;
mod coefficients;
mod compare;
mod conj;
mod count;
mod counting;
mod dims;
mod eliminate;
mod enclosed;
mod expr;
mod fixed_power;
mod graph;
mod guess;
mod hull;
mod lexmin;
mod map;
mod multi_aff;
mod multi_pw_aff;
mod multi_union_pw_aff;
mod name;
mod nesting;
mod order;
mod parts;
mod pieces;
mod preimage;
mod pw_aff;
mod pw_multi_aff;
mod reduce;
mod row;
mod set;
mod simplify;
mod space;
mod stride;
mod union_map;
mod union_pw_aff;
mod union_pw_multi_aff;
mod union_set;

pub use aff::Aff;
pub use closure::Approximation;
pub use conj::{Conj, Div};
pub use counting::{CountError, Polynomial, PwQuasiPolynomial, UnionPwQuasiPolynomial};
pub(crate) use expr::Expr;
pub use map::Map;
pub use multi_aff::MultiAff;
pub use multi_pw_aff::MultiPwAff;
pub use multi_union_pw_aff::MultiUnionPwAff;
pub use name::Name;
pub use parts::{ByTuple, Digests};
pub(crate) use pieces::{intersect as intersect_pieces, subtract as subtract_pieces};
pub use pw_aff::PwAff;
pub use pw_multi_aff::PwMultiAff;
pub(crate) use row::{complement, negated};
pub use set::Set;
pub use space::{MapSpace, Params, SetSpace, Tuple};
pub use stride::Stride;
pub use union_map::UnionMap;
pub use union_pw_aff::UnionPwAff;
pub use union_pw_multi_aff::UnionPwMultiAff;
pub use union_set::UnionSet;
