//! Divergent loops: loops inside of lanes whose bounds differ from lane to lane.
//!
//! A loop with bounds that grow, or shrink, from lane to lane has three parts: iterations that not all lanes have begun with, those of all
//! lanes, and those with which not all lanes have ended. In the first and the last one, a [mask](super::masks) has the lanes whose bounds hold.
//!
//! ```text
//! for (i = 8 t; i <= 8 t + 7; i++)   lanes      for (j = 0; j < 8 t; j++)          all lanes
//!   for (j = 0; j < i; j++)                 ->    S(8 t .. 8 t + 7, j)
//!     S(i, j);                                  for (; j < 8 t + 7; j++)           lanes with j < i
//!                                                 S(8 t .. 8 t + 7, j)
//! ```
//!
//! Each lane has its instances in the order of the loop.

use farkas_llvm::inkwell::IntPredicate;
use farkas_llvm::inkwell::types::VectorType;
use farkas_llvm::inkwell::values::{IntValue, VectorValue};
use farkas_polyhedral::ast::{Expr, For, IterId, Quasi, Upper};

use super::lanes::splat;
use super::stride_of;
use crate::arith::{Arith, BUILDS};

/// How a bound differs from lane to lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Growth {
    Constant,
    Grows,
    Shrinks,
}

/// How the lower and the upper bound of a loop differ along the lanes over `iter`; `None` if that cannot be told, or a bound grows and shrinks.
pub(crate) fn growth(node: &For, iter: IterId) -> Option<[Growth; 2]> {
    let [lower, upper] = bounds(node)?;
    node.step
        .is_one()
        .then_some([along(&lower, iter)?, along(&upper, iter)?])
}

/// What the lower bound is the greatest of, and the upper bound the least of.
fn bounds(node: &For) -> Option<[Vec<&Quasi>; 2]> {
    let Upper::AtMost(upper) = &node.upper else { return None };
    let lower = match &node.lower {
        Expr::Max(terms) => terms.iter().map(Expr::as_quasi).collect::<Option<_>>()?,
        lower => vec![lower.as_quasi()?],
    };
    let upper = match upper {
        Expr::Min(terms) => terms.iter().map(Expr::as_quasi).collect::<Option<_>>()?,
        upper => vec![upper.as_quasi()?],
    };
    Some([lower, upper])
}

fn along(terms: &[&Quasi], iter: IterId) -> Option<Growth> {
    let mut growth = Growth::Constant;
    for term in terms {
        let own = match stride_of(term, iter)? {
            0 => continue,
            stride if stride > 0 => Growth::Grows,
            _ => Growth::Shrinks,
        };
        if growth != Growth::Constant && growth != own {
            return None;
        }
        growth = own;
    }
    Some(growth)
}

/// The lanes over `iter` for which an iteration of a divergent loop is within its bounds. `arith` knows the iterators, that of the lanes
/// in the first one.
pub(super) fn mask<'a>(node: &For, (iter, lanes): (IterId, u32), arith: &Arith<'_, 'a>) -> VectorValue<'a> {
    let [lower, upper] = bounds(node).expect("a divergent loop");
    let value = arith.iters[node.iter.0].expect("an iteration of the loop");
    let value = splat(arith.builder, value.into(), lanes);
    let compared = |(predicate, term): (IntPredicate, &Quasi)| {
        let stride = stride_of(term, iter).expect("a divergent loop");
        let first = splat(arith.builder, arith.quasi(term).into(), lanes);
        let distances: Vec<IntValue<'a>> = (0..i64::from(lanes))
            .map(|lane| arith.i64.const_int((lane * stride) as u64, true))
            .collect();
        let bound = arith
            .builder
            .build_int_add(first, VectorType::const_vector(&distances), "");
        let compared = arith
            .builder
            .build_int_compare(predicate, value, bound.expect(BUILDS), "");
        compared.expect(BUILDS)
    };
    let lower = lower.into_iter().map(|term| (IntPredicate::SGE, term));
    let upper = upper.into_iter().map(|term| (IntPredicate::SLE, term));
    let masks = lower.chain(upper).filter(|(_, term)| term.mentions(iter)).map(compared);
    let both = |one, other| arith.builder.build_and(one, other, "").expect(BUILDS);
    masks.reduce(both).expect("a bound differs")
}
