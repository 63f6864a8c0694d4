//! Which elements stay in registers along the loop around the lanes.
//!
//! A `keep` mark names arrays of which two instances access the same element, one of them writing, only in the same
//! lane of the same statement, and by the same subscripts. If these accesses stay the same along the loop, the elements of
//! the lanes are loaded before it, are in a vector on the stack in it, which SROA makes a register, and are stored
//! behind it. If all of these accesses are under conditions, the register has [masks](super::masked) instead. Other reads of the array, as
//! `A[i][k]` and `A[j][k]` in `A[i][j] -= A[i][k] * A[j][k]`, are of other elements.

use farkas_llvm::Run;
use farkas_llvm::inkwell::types::BasicTypeEnum;
use farkas_llvm::inkwell::values::PointerValue;
use farkas_llvm::scev::ScevKind;
use farkas_llvm::scop_ir::ArrayId;
use farkas_llvm::value::Value;
use indexmap::IndexMap;

use super::accesses::Access;
use super::block::accesses;
use super::forms::{Form, Forms};
use super::masks::is_same_address;
use crate::subscripts::Subscript;

/// The subscripts that the model has for stores of a statement, where they are affine.
type SubscriptsOf<'s, 'a> = dyn Fn(Value<'a>) -> Option<&'s [Subscript]> + 's;

/// The elements of a statement that stay in registers.
#[derive(Default)]
pub(super) struct Kept<'a> {
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
    /// A mask on the stack of the lanes that hold their element, if no access is made in any case.
    pub(super) held: Option<PointerValue<'a>>,
    /// A mask on the stack of the lanes that were written, if none is in any case.
    pub(super) written: Option<PointerValue<'a>>,
}

impl<'a> Kept<'a> {
    /// The element that an access accesses, if it is kept.
    pub(super) fn element(&self, access: &Access<'a>) -> Option<&Element<'a>> {
        let mut elements = self.elements.iter();
        elements.find(|element| element.originals.contains(&access.original))
    }
}

/// The arrays that a statement with these forms along the lanes, and along the loop around, accesses, and the elements
/// of it that are kept, if there are any. `array_of` is the array of an original, if the mark
/// names it; `subscripts` has those of stores; `register` makes a place on the stack for the vector of a scalar type.
pub(super) fn elements<'a>(
    lanes: &mut Forms<'_, '_, 'a, '_>,
    inner: &mut Forms<'_, '_, 'a, '_>,
    array_of: &dyn Fn(Value<'a>) -> Option<ArrayId>,
    subscripts: &SubscriptsOf<'_, 'a>,
    register: &dyn Fn(BasicTypeEnum<'a>, &str) -> PointerValue<'a>,
) -> IndexMap<ArrayId, Vec<Element<'a>>> {
    let mut by_array: IndexMap<ArrayId, Vec<(Access<'a>, bool)>> = IndexMap::new();
    for (access, writes) in accesses(lanes) {
        if let Some(array) = array_of(access.original) {
            by_array.entry(array).or_default().push((access, writes));
        }
    }
    let mask = || register(lanes.shared.i64.get_context().bool_type().into(), "farkas.held");
    let elements = |(array, accesses): (ArrayId, Vec<(Access<'a>, bool)>)| {
        let kept = kept_accesses(&accesses, lanes, inner, subscripts)
            .into_iter()
            .map(|kept| {
                let own = || accesses.iter().filter(|(access, _)| is_same(lanes.run, access, &kept));
                let governed = |access: &Access<'a>| lanes.conditions.govern_access(access);
                let mut written = own().filter(|(_, writes)| *writes).peekable();
                let is_written = written.peek().is_some();
                Element {
                    array,
                    access: kept,
                    originals: own().map(|(access, _)| access.original).collect(),
                    writes: is_written,
                    register: register(kept.ty.inkwell().expect("a first-class type"), "farkas.kept"),
                    held: own().all(|(access, _)| governed(access)).then(mask),
                    written: (is_written && written.all(|(access, _)| governed(access))).then(mask),
                }
            });
        (array, kept.collect())
    };
    by_array.into_iter().map(elements).collect()
}

fn is_same<'a>(run: &'a Run<'_>, one: &Access<'a>, other: &Access<'a>) -> bool {
    is_same_address(run, one.pointer, other.pointer) && one.ty == other.ty
}

/// The elements of an array that are kept, of these accesses to it in order: those that are written, or the only one that is read.
/// All else is read before anything is written, and by other subscripts: what moves along the loop, or not along the lanes,
/// has others than what stays and moves along the lanes.
fn kept_accesses<'a>(
    accesses: &[(Access<'a>, bool)],
    lanes: &mut Forms<'_, '_, 'a, '_>,
    inner: &mut Forms<'_, '_, 'a, '_>,
    subscripts: &SubscriptsOf<'_, 'a>,
) -> Vec<Access<'a>> {
    let run = lanes.run;
    let first_write = accesses.iter().position(|(_, writes)| *writes);
    let mut kept: Vec<Access<'a>> = Vec::new();
    for (position, (access, writes)) in accesses.iter().enumerate() {
        let is_kept = *writes || first_write.is_none() && position == 0;
        if !is_kept || kept.iter().any(|other| is_same(run, access, other)) {
            continue;
        }
        if !stays(access, lanes, inner) || !kept.iter().all(|other| are_apart(run, [access, other], subscripts)) {
            return Vec::new();
        }
        kept.push(*access);
    }
    for (position, (access, writes)) in accesses.iter().enumerate() {
        if kept.iter().any(|kept| is_same(run, access, kept)) {
            continue;
        }
        let is_early = !writes && first_write.is_some_and(|write| position < write);
        let is_other = matches!(inner.form(access.pointer), Some(Form::Stepped(_)))
            || is_in_rows(access.pointer, inner)
            || lanes.form(access.pointer) == Some(Form::Uniform);
        if !is_early || !is_other {
            return Vec::new();
        }
    }
    kept
}

/// Whether two elements that are written have subscripts of their own: they are a known distance from each other, or the model has other subscripts
/// for them.
fn are_apart<'a>(run: &'a Run<'_>, [one, other]: [&Access<'a>; 2], subscripts: &SubscriptsOf<'_, 'a>) -> bool {
    let size = |access: &Access<'a>| run.element(access.ty).map(|element| element.size);
    let sizes = size(one).zip(size(other));
    let addresses = run.scev(one.pointer).zip(run.scev(other.pointer));
    let distance = addresses.map(|(own, others)| run.difference(own, others).kind());
    match (distance, sizes) {
        (Some(ScevKind::Constant(bytes)), Some((own, others))) => bytes.unsigned_abs() >= own.max(others),
        _ => {
            let known = subscripts(one.original).zip(subscripts(other.original));
            known.is_some_and(|(own, others)| own != others)
        }
    }
}

/// Whether an address is in another row of a table in each lane, or iteration, that these forms are along.
fn is_in_rows<'a>(pointer: Value<'a>, forms: &mut Forms<'_, '_, 'a, '_>) -> bool {
    let scop = forms.shared.scop;
    let bases = std::iter::successors(Some(pointer), |address| address.base_of_offset());
    let row = bases.into_iter().find(|base| scop.is_row_address(*base));
    let element = row.and_then(Value::accessed_pointer);
    element.is_some_and(|element| matches!(forms.form(element), Some(Form::Stepped(_))))
}

/// Whether an access is to an element for each lane, and to the same ones in all iterations of the loop around.
fn stays<'a>(access: &Access<'a>, lanes: &mut Forms<'_, '_, 'a, '_>, inner: &mut Forms<'_, '_, 'a, '_>) -> bool {
    let is_apart = matches!(lanes.form(access.pointer), Some(Form::Stepped(_))) || is_in_rows(access.pointer, lanes);
    lanes.run.is_lane(access.ty)
        && inner.reads_nothing(access.pointer)
        && is_apart
        && inner.form(access.pointer) == Some(Form::Uniform)
}
