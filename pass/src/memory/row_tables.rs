//! Rows that a table points to: arrays of arrays as `double **`, `std::vector<std::vector<double>>` (an Iliffe vector).
//!
//! ```c
//! for (long i = 0; i < n; i++)
//!   for (long j = 0; j < m; j++)
//!     a[i][j] *= 2;                       // double **a: the address of the row is the element i of the table a
//! ```
//!
//! The table is an array of the model like any other, here with the subscript `i`, which nothing in the region writes. Accesses that are
//! based on its elements are to one array, its *rows*. Their first subscripts are those of the table, the others are found from the distance
//! to the row's address: here `i` and `j`. They say which elements are the same, if the rows are apart. That is so if nothing writes to
//! rows, and is checked otherwise.
//!
//! The size of a row is not known. For the cost model it is what is accessed of rows.
//!
//! Not done: tables whose own elements are in rows (`double ***`), rows that calls access, and addresses from a table that the region writes.

use super::access::{Site, Subscripts};
use super::arrays::{Array, Baseless};
use super::extent::extent;
use crate::detect::declined::{Modelled, Reason, Stop};
use crate::scev::convert::Converter;
use crate::scev::scope::{Scope, space};
use farkas_llvm::memory::LocationSize;
use farkas_llvm::scop_ir::{ArrayId, Base};
use farkas_llvm::types::TypeKind;
use farkas_llvm::value::{Kind, Value};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Aff, Set, Tuple};
use indexmap::IndexMap;

/// The bytes of an element of a table: rows are compared by addresses of 64 bits.
const ADDRESS: u64 = 8;

/// Where the rows of an array are.
#[derive(Clone, Debug)]
pub(crate) struct RowTable<'a> {
    /// The table.
    pub(crate) array: ArrayId,
    /// The number of its subscripts, the first ones of the rows.
    pub(crate) dims: usize,
    /// The loads of addresses, each of the element that an access of rows uses.
    pub(crate) loads: Vec<Value<'a>>,
    /// A superset of the values that the first subscript inside of rows takes.
    pub(crate) extent: Set,
    /// The distance between these values: the largest one of all accesses, each of which has the least one along a counter.
    pub(crate) step: u64,
}

/// Whether a load or store may be based on an address that is loaded in the region.
pub(super) fn is_row_address(access: Value<'_>, base: Value<'_>) -> bool {
    access.is_load_or_store() && base.is_instruction() && matches!(base.kind(), Kind::Load { .. })
}

/// The accesses that are based on loaded addresses, by their tables.
///
/// # Errors
/// If an address is none of a table.
pub(super) fn by_table<'a>(
    arrays: &[Array<'a>],
    sites: Vec<Site<'a>>,
) -> Modelled<'a, IndexMap<ArrayId, Vec<Site<'a>>>> {
    let mut by_table: IndexMap<ArrayId, Vec<Site<'a>>> = IndexMap::new();
    for site in sites {
        let has_load = |array: &Array<'a>| array.ir.accesses.contains(&site.base);
        let table = arrays
            .iter()
            .position(has_load)
            .filter(|table| is_table(&arrays[*table]));
        let table = table.ok_or_else(|| Stop::at(Reason::VariantBase, site.instruction))?;
        by_table.entry(ArrayId(table)).or_default().push(site);
    }
    Ok(by_table)
}

/// Whether an array has addresses that stay as they are.
fn is_table(array: &Array<'_>) -> bool {
    let is_address = |site: &Site<'_>| {
        let LocationSize::Element(ty) = site.access.size else {
            return false;
        };
        !site.writes() && matches!(ty.kind(), TypeKind::Pointer(_))
    };
    array.ir.element_size == ADDRESS && !array.strided && array.accesses.iter().all(|(site, _)| is_address(site))
}

/// The array of rows that a table points to. `rows` has what is inside of them.
///
/// # Errors
/// If there is an access for which the row is not known, or whose place in it is not, or if rows have no largest subscript.
pub(super) fn with_rows<'a>(
    converter: &Converter<'_, 'a, '_>,
    (table, of_table): (ArrayId, &Array<'a>),
    rows: Baseless<'a>,
) -> Modelled<'a, Array<'a>> {
    let b = converter.budget;
    let dims = 1 + of_table.sizes.len();
    let mut inside = Set::empty(space(1));
    let mut accesses = Vec::new();
    let mut loads = Vec::new();
    let mut step = 1;
    for (site, subscripts) in &rows.accesses {
        let unknown = || Stop::at(Reason::VariantBase, site.instruction);
        let (Subscripts::Affine(own), false) = (subscripts, rows.shaped.strided) else {
            return Err(unknown());
        };
        let row = row_of(of_table, site).ok_or_else(unknown)?;
        step = own.iter().map(|(_, affs)| step_of(&affs[0])).fold(step, u64::max);
        let first = own.iter().map(|(piece, affs)| (piece, &affs[0]));
        let extent = extent(first, &site.scope, inside.params(), b)?;
        inside = inside.align_params(extent.params()).union(&extent);
        accesses.push((site.clone(), Subscripts::Affine(behind(&row, own))));
        if !loads.contains(&site.base) {
            loads.push(site.base);
        }
    }
    let inside = inside.compact(b)?;
    let size = size_of_rows(&inside, b)?.ok_or(Stop::from(Reason::VariantBase))?;
    let array = rows.at(Base::Table(table));
    let sizes = of_table.sizes.iter().chain([&size]).chain(&array.sizes);
    Ok(Array {
        sizes: sizes.cloned().collect(),
        table: Some(RowTable {
            array: table,
            dims,
            loads,
            extent: inside,
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

/// The subscripts in the table of the row that an access is to, in the scope of the access. The load of the row's address is executed before,
/// in the same iteration of all loops around it.
fn row_of<'a>(table: &Array<'a>, site: &Site<'a>) -> Option<Vec<(Set, Vec<Aff>)>> {
    let is_same = |load: &Scope| !load.elements && !site.scope.elements && site.scope.loops.starts_with(&load.loops);
    let mut loads = table.accesses.iter();
    let (load, subscripts) = loads.find(|(load, _)| load.instruction == site.base && is_same(&load.scope))?;
    let Subscripts::Affine(pieces) = subscripts else {
        return None;
    };
    let depth = load.scope.loops.len();
    let inner = site.scope.loops.len() - depth;
    let in_scope = |aff: &Aff| aff.insert_dims(depth, inner, Tuple::anonymous(depth + inner));
    let own = |(piece, affs): &(Set, Vec<Aff>)| {
        let piece = piece.insert_dims(depth, inner);
        (piece, affs.iter().map(in_scope).collect())
    };
    Some(pieces.iter().map(own).collect())
}

/// The subscripts of a row, then those in it.
fn behind(row: &[(Set, Vec<Aff>)], inside: &[(Set, Vec<Aff>)]) -> Vec<(Set, Vec<Aff>)> {
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

/// One more than the largest subscript in rows, in one of the cases that there are; `None` if there is none.
fn size_of_rows(inside: &Set, b: &Budget) -> Outcome<Option<Aff>> {
    let largest = inside.lexmax_pw_multi_aff(b)?;
    let is_plain = |aff: &&Aff| aff.den().is_one();
    let affs = largest.pieces().map(|(_, last)| &last.affs()[0]);
    Ok(affs.into_iter().find(is_plain).map(|last| last.add_constant(&Int::ONE)))
}
