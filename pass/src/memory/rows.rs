//! Arrays in several pieces, each at an address of its own: rows that a [table](super::row_tables) points to, or
//! [buffers that take turns](super::rotating_buffers).
//!
//! The first subscripts say in which piece an element is, the others count from its address. Pieces are apart where one of them is written, which is
//! checked at run time. The size of a piece is not known. For the cost model it is what is accessed of pieces.

use super::access::{Site, Subscripts};
use super::arrays::{Array, Baseless};
use super::extent::extent;
use crate::detect::declined::{Modelled, Reason, Stop};
use crate::scev::convert::Converter;
use crate::scev::scope::space;
use farkas_llvm::scop_ir::{ArrayId, Base};
use farkas_llvm::value::Value;
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Aff, Set};

/// Where the rows of an array are.
#[derive(Clone, Debug)]
pub(crate) struct Rows<'a> {
    pub(crate) at: RowsAt<'a>,
    /// The number of subscripts that select a row.
    pub(crate) dims: usize,
    /// A superset of the values that the first subscript inside of rows takes.
    pub(crate) extent: Set,
    /// The distance between these values: the largest one of all accesses, each of which has the least one along a counter.
    pub(crate) step: u64,
}

/// What has the addresses of rows.
#[derive(Clone, Debug)]
pub(crate) enum RowsAt<'a> {
    /// A table.
    Table {
        array: ArrayId,
        /// The loads of addresses, each of the element that an access of rows uses.
        loads: Vec<Value<'a>>,
    },
    /// Values outside of the region, in turns.
    Buffers,
}

/// The subscripts of an access, on each piece of its domain.
pub(super) type SubscriptPieces = Vec<(Set, Vec<Aff>)>;

/// The array of rows at these addresses, with the sizes of what selects them. `inside` has what is inside of them, and `row_of` says which row an
/// access is to.
///
/// # Errors
/// If there is an access for which the row is not known, or whose place in it is not, or if rows have no largest subscript.
pub(super) fn rows<'a>(
    converter: &Converter<'_, 'a, '_>,
    inside: Baseless<'a>,
    (base, at, outer_sizes): (Base<'a>, RowsAt<'a>, &[Aff]),
    row_of: &dyn Fn(&Site<'a>) -> Option<SubscriptPieces>,
) -> Modelled<'a, Array<'a>> {
    let b = converter.budget;
    let mut all = Set::empty(space(1));
    let mut accesses = Vec::new();
    let mut step = 1;
    for (site, subscripts) in &inside.accesses {
        let unknown = || Stop::at(Reason::VariantBase, site.instruction);
        let (Subscripts::Affine(own), false) = (subscripts, inside.shaped.strided) else {
            return Err(unknown());
        };
        let row = row_of(site).ok_or_else(unknown)?;
        step = own.iter().map(|(_, affs)| step_of(&affs[0])).fold(step, u64::max);
        let first = own.iter().map(|(piece, affs)| (piece, &affs[0]));
        let extent = extent(first, &site.scope, all.params(), b)?;
        all = all.align_params(extent.params()).union(&extent);
        accesses.push((site.clone(), Subscripts::Affine(behind(&row, own))));
    }
    let extent = all.compact(b)?;
    let size = size_of_rows(&extent, b)?.ok_or(Stop::from(Reason::VariantBase))?;
    let array = inside.at(base);
    let sizes = outer_sizes.iter().chain([&size]).chain(&array.sizes);
    Ok(Array {
        sizes: sizes.cloned().collect(),
        rows: Some(Rows {
            at,
            dims: 1 + outer_sizes.len(),
            extent,
            step,
        }),
        accesses,
        ..array
    })
}

/// The least distance that a subscript moves by along a counter; 1 where it does not move.
fn step_of(subscript: &Aff) -> u64 {
    let counters = 0..subscript.space().tuple.n();
    let moves = counters.filter_map(|dim| u64::try_from(subscript.coefficient(dim).abs().to_i64()?).ok());
    moves.filter(|step| *step > 0).min().unwrap_or(1)
}

/// The subscripts of a row, then those in it.
fn behind(row: &SubscriptPieces, inside: &SubscriptPieces) -> SubscriptPieces {
    let both = |(piece, outer): &(Set, Vec<Aff>)| {
        let (piece, outer) = (piece.clone(), outer.clone());
        inside.iter().map(move |(own, inner)| {
            let params = piece.params().union(own.params());
            let piece = piece.align_params(&params).intersect(&own.align_params(&params));
            (piece, outer.iter().chain(inner).cloned().collect())
        })
    };
    row.iter().flat_map(both).collect()
}

/// One more than the largest subscript in rows, in one of the cases that there are, if possible one in which it is not always the same; `None` if
/// there is none.
fn size_of_rows(inside: &Set, b: &Budget) -> Outcome<Option<Aff>> {
    let largest = inside.lexmax_pw_multi_aff(b)?;
    let is_plain = |aff: &&Aff| aff.den().is_one();
    let affs: Vec<&Aff> = largest
        .pieces()
        .map(|(_, last)| &last.affs()[0])
        .filter(is_plain)
        .collect();
    let varies = |aff: &&&Aff| aff.as_constant().is_none();
    let last = affs.iter().find(varies).or(affs.first());
    Ok(last.map(|last| last.add_constant(&Int::ONE)))
}
