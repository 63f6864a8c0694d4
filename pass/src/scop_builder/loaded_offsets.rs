//! Offsets between accesses to an array: numbers that are loaded in front of the region, and in a single loop any parameter.
//!
//! ```c
//! for (int w = W; w >= wt[i]; w--)          // the region; p = wt[i]
//!   dp[w] = max(dp[w], dp[w - p] + v[i]);
//! ```
//!
//! The sign of `p` decides whether an iteration waits for earlier ones, or only has to be in front of later ones. Weights, lags and strides
//! are not negative: that is assumed, and checked in front of the new loops. In nests of several loops, other parameters are sizes as often
//! as offsets, and nothing is assumed of them.

use crate::detect::declined::Modelled;
use crate::memory::access::Subscripts;
use crate::memory::arrays::Array;
use crate::scev::convert::Converter;
use crate::scev::pieces::negative;
use farkas_llvm::scev::ScevKind;
use farkas_llvm::value::{Kind, Value};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Aff, Params, SetSpace, Tuple};
use indexmap::IndexSet;

/// Assumes that offsets are not negative: those that are in some subscripts of an array that is written, and not in others.
pub(super) fn assume_offsets<'a>(converter: &Converter<'_, 'a, '_>, arrays: &[Array<'a>]) -> Modelled<'a, ()> {
    let mut offsets: IndexSet<String> = IndexSet::new();
    for array in arrays {
        if array.accesses.iter().any(|(site, _)| site.instruction.is_store()) {
            offsets.extend(differing(converter, array));
        }
    }
    for name in &offsets {
        let space = SetSpace::new(Params::new([name.as_str()]), Tuple::anonymous(0));
        converter.exclude(&negative(&Aff::param(space, 0)))?;
    }
    Ok(())
}

/// The parameters that may be offsets, and that some subscripts of an array have, and others have not.
fn differing<'a>(converter: &Converter<'_, 'a, '_>, array: &Array<'a>) -> Vec<String> {
    let affs = array.accesses.iter().flat_map(|(_, subscripts)| match subscripts {
        Subscripts::Affine(pieces) => pieces.iter().filter_map(|(_, affs)| affs.last()).collect(),
        Subscripts::Any => Vec::new(),
    });
    let affs: Vec<&Aff> = affs.collect();
    let params = converter.params.borrow();
    let is_load = |value: Value<'a>| value.is_instruction() && matches!(value.kind(), Kind::Load { .. });
    let is_in_one_loop = array.accesses.iter().all(|(site, _)| site.scope.loops.len() == 1);
    let coefficient = |aff: &Aff, name: &str| match aff.space().params.position_of(&name.into()) {
        Some(position) => aff.param_coefficient(position).clone(),
        None => Int::ZERO,
    };
    let differ = |pair: &[&Aff], name: &str| coefficient(pair[0], name) != coefficient(pair[1], name);
    // `a[n - i]` meets `a[i]` whatever the sign of `n` is.
    let move_alike = |pair: &[&Aff]| {
        let n_dims = |aff: &Aff| aff.space().tuple.n();
        n_dims(pair[0]) == n_dims(pair[1])
            && (0..n_dims(pair[0])).all(|dim| pair[0].coefficient(dim) == pair[1].coefficient(dim))
    };
    let is_offset = |name: &str, value: Value<'a>| {
        let mut pairs = affs.windows(2).filter(|pair| differ(pair, name));
        match is_load(value) {
            true => pairs.next().is_some(),
            false => is_in_one_loop && pairs.any(move_alike),
        }
    };
    let offsets = params.iter().filter(|(name, scev)| match scev.kind() {
        ScevKind::Unknown(value) => is_offset(name, value),
        _ => false,
    });
    offsets.map(|(name, _)| name.to_owned()).collect()
}
