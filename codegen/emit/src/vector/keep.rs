//! Which elements stay in registers along the loop around the lanes.
//!
//! A `keep` mark names arrays of which two instances access the same element, one of them writing, only in the same
//! lane of the same statement. If all accesses to an array in the loop stay the same along the loop, the elements of
//! the lanes are loaded before it, are in a vector on the stack in it, which SROA makes a register, and are stored
//! behind it.

use farkas_llvm::inkwell::values::PointerValue;
use farkas_llvm::scop_ir::ArrayId;
use farkas_llvm::value::Value;
use indexmap::IndexMap;

use super::block::accesses;
use super::forms::{Form, Forms};
use super::lanes::Access;

/// The elements of a statement that stay in registers.
#[derive(Default)]
pub(super) struct Kept<'a> {
    /// One for each array.
    pub(super) elements: Vec<Element<'a>>,
}

/// An element of each lane.
pub(super) struct Element<'a> {
    pub(super) array: ArrayId,
    /// Any of the accesses to it.
    pub(super) access: Access<'a>,
    /// The originals of all accesses.
    originals: Vec<Value<'a>>,
    pub(super) writes: bool,
    /// The vector on the stack.
    pub(super) register: PointerValue<'a>,
}

impl<'a> Kept<'a> {
    /// Where the element is that an access accesses, if it is kept.
    pub(super) fn register(&self, access: &Access<'a>) -> Option<PointerValue<'a>> {
        let mut elements = self.elements.iter();
        let element = elements.find(|element| element.originals.contains(&access.original))?;
        Some(element.register)
    }
}

/// The arrays that a statement with these forms along the lanes, and along the loop around, accesses, and the element
/// that all accesses are to, if they stay the same along the loop. `array_of` is the array of an original, if the mark
/// names it; `register` makes a place for the vector.
pub(super) fn elements<'a>(
    lanes: &mut Forms<'_, '_, 'a, '_>,
    inner: &mut Forms<'_, '_, 'a, '_>,
    array_of: &dyn Fn(Value<'a>) -> Option<ArrayId>,
    register: &dyn Fn(&Access<'a>) -> PointerValue<'a>,
) -> IndexMap<ArrayId, Option<Element<'a>>> {
    let mut by_array: IndexMap<ArrayId, Vec<(Access<'a>, bool)>> = IndexMap::new();
    for (access, writes) in accesses(lanes) {
        if let Some(array) = array_of(access.original) {
            by_array.entry(array).or_default().push((access, writes));
        }
    }
    let element = |(array, accesses): (ArrayId, Vec<(Access<'a>, bool)>)| {
        let (first, _) = accesses[0];
        let mut same = accesses.iter();
        let same = same.all(|(access, _)| access.pointer == first.pointer && access.ty == first.ty);
        let stays = same && stays(&first, lanes, inner);
        let element = stays.then(|| Element {
            array,
            access: first,
            originals: accesses.iter().map(|(access, _)| access.original).collect(),
            writes: accesses.iter().any(|(_, writes)| *writes),
            register: register(&first),
        });
        (array, element)
    };
    by_array.into_iter().map(element).collect()
}

/// Whether an access is to an element for each lane, and to the same ones in all iterations of the loop around.
fn stays<'a>(access: &Access<'a>, lanes: &mut Forms<'_, '_, 'a, '_>, inner: &mut Forms<'_, '_, 'a, '_>) -> bool {
    lanes.run.is_lane(access.ty)
        && inner.reads_nothing(access.pointer)
        && matches!(lanes.form(access.pointer), Some(Form::Stepped(_)))
        && inner.form(access.pointer) == Some(Form::Uniform)
}
