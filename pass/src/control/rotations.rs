//! Buffers that take turns: pointers that change places in each iteration of a loop (double buffering).
//!
//! ```c
//! for (int t = 0; t < steps; t++) {
//!   for (int i = 1; i < n - 1; i++)
//!     next[i] = f(now[i - 1], now[i], now[i + 1]);
//!   double *swap = now; now = next; next = swap;
//! }
//! ```
//!
//! `now` and `next` are phis of the header, each of which has the other one's address in the next iteration. With a third one, `before`, there is a
//! cycle of three. In iteration `t` the phi at position `p` of a cycle of `c` has the address that the one at position `(p + t) mod c` had in
//! the first iteration.

use super::nest::NestLoop;
use farkas_llvm::scop_ir::{RotatedPhi, Rotation};
use farkas_llvm::types::TypeKind;
use farkas_llvm::value::{Kind, Value};
use indexmap::IndexMap;

/// The most buffers: each takes a comparison where the address is needed.
const MOST_BUFFERS: usize = 4;

/// The rotations among the phis of a loop's header whose first addresses are computed outside of the region, in program order.
pub(super) fn rotations<'a>(l: &NestLoop<'a>, is_in_region: impl Fn(Value<'a>) -> bool) -> Vec<Rotation<'a>> {
    let mut following: IndexMap<Value<'a>, (Value<'a>, Value<'a>)> = IndexMap::new();
    for phi in l.header.phis() {
        if !matches!(phi.ty().kind(), TypeKind::Pointer(_)) {
            continue;
        }
        let (Some(first), Some(next)) = (phi.incoming_from(l.entering), phi.incoming_from(l.latch)) else {
            continue;
        };
        if !is_in_region(first) {
            following.insert(phi, (first, handed_on(next)));
        }
    }
    let mut found: Vec<Rotation<'a>> = Vec::new();
    for phi in following.keys() {
        let is_known = |rotation: &Rotation<'a>| rotation.phis.iter().any(|known| known.phi == *phi);
        if !found.iter().any(is_known) {
            found.extend(cycle(*phi, &following));
        }
    }
    found
}

/// The value that goes through phis with one way in.
fn handed_on(value: Value<'_>) -> Value<'_> {
    let mut value = value;
    while value.is_instruction()
        && let Kind::Phi(incoming) = value.kind()
        && let [(only, _)] = incoming[..]
    {
        value = only;
    }
    value
}

/// The cycle of phis from this one on, if it is one of several buffers.
fn cycle<'a>(phi: Value<'a>, following: &IndexMap<Value<'a>, (Value<'a>, Value<'a>)>) -> Option<Rotation<'a>> {
    let mut phis: Vec<RotatedPhi<'a>> = Vec::new();
    let mut at = phi;
    loop {
        let (first, next) = *following.get(&at)?;
        // Another cycle, or a buffer that is there twice.
        let is_known = phis.iter().any(|known| known.phi == at || known.first == first);
        if is_known || phis.len() == MOST_BUFFERS {
            return None;
        }
        phis.push(RotatedPhi { phi: at, first });
        at = next;
        if at == phi {
            return (phis.len() > 1).then_some(Rotation { phis });
        }
    }
}
