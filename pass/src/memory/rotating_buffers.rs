//! Buffers that take turns as one array.
//!
//! ```c
//! for (int t = 0; t < steps; t++) {
//!   for (int i = 1; i < n - 1; i++)
//!     next[i] = f(now[i - 1], now[i], now[i + 1]);
//!   double *swap = now; now = next; next = swap;
//! }
//! ```
//!
//! The [rotation](crate::control::rotations) of `now` and `next` is an array of two rows: `now[i]` has the subscripts `t mod 2` and `i`, `next[i]` has
//! `(t + 1) mod 2` and `i`. So dependences from one iteration of `t` to the next are known, as those of `u[t % 2][i]`. What accesses a buffer around the
//! loop accesses the row of the pointer that has its address in the first iteration.

use super::access::Site;
use super::arrays::{Array, Baseless};
use super::rows::{RowsAt, SubscriptPieces, rows};
use crate::control::nest::Nest;
use crate::detect::declined::Modelled;
use crate::scev::convert::Converter;
use farkas_llvm::scop_ir::{Base, LoopId, RotationId};
use farkas_llvm::value::Value;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Aff, Set};

/// The array of the buffers of a rotation. `inside` has what is inside of them.
///
/// # Errors
/// If there is an access whose place in a buffer is not known, or if buffers have no largest subscript.
pub(super) fn of_buffers<'a>(
    converter: &Converter<'_, 'a, '_>,
    id: RotationId,
    inside: Baseless<'a>,
) -> Modelled<'a, Array<'a>> {
    let buffer_of = |site: &Site<'a>| buffer_of(converter, id, site);
    rows(
        converter,
        inside,
        (Base::Rotation(id), RowsAt::Buffers, &[]),
        &buffer_of,
    )
}

/// The rotation that an address is in: that of a phi, or the first one that has the address of a buffer outside of the region. Rotations that have one in
/// common never go into a model: their arrays would overlap.
pub(super) fn rotation_of<'a>(nest: &Nest<'a>, base: Value<'a>) -> Option<RotationId> {
    let of_phi = nest.rotation(base).map(|(id, _)| id);
    let loops = nest.loops.iter().enumerate();
    let mut ids = loops.flat_map(|(l, own)| (0..own.rotations.len()).map(move |index| RotationId(LoopId(l), index)));
    of_phi.or_else(|| ids.find(|id| position_of(nest, *id, base).is_some()))
}

/// The position of a buffer in a rotation.
fn position_of<'a>(nest: &Nest<'a>, id: RotationId, buffer: Value<'a>) -> Option<usize> {
    nest.buffers(id).iter().position(|own| *own == buffer)
}

/// The buffer that an access is to: the position of its phi, moved on in each iteration.
fn buffer_of<'a>(converter: &Converter<'_, 'a, '_>, id: RotationId, site: &Site<'a>) -> Option<SubscriptPieces> {
    let nest = converter.nest;
    let space = site.scope.space();
    let buffer = match nest.rotation(site.base) {
        Some((_, position)) => {
            let depth = site.scope.loops.iter().position(|around| *around == id.0)?;
            let buffers = Int::from(nest.phis(id).len());
            let turn = Aff::var(space.clone(), depth).add_constant(&Int::from(position));
            turn.sub(&turn.floor_div(&buffers).scale(&buffers))
        }
        None => Aff::constant(space.clone(), Int::from(position_of(nest, id, site.base)?)),
    };
    Some(vec![(Set::universe(space), vec![buffer])])
}
