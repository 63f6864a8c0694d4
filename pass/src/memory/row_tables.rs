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
use super::rows::{RowsAt, SubscriptPieces, rows};
use crate::detect::declined::{Modelled, Reason, Stop};
use crate::scev::convert::Converter;
use crate::scev::scope::Scope;
use farkas_llvm::memory::LocationSize;
use farkas_llvm::scop_ir::{ArrayId, Base};
use farkas_llvm::types::TypeKind;
use farkas_llvm::value::{Kind, Value};
use farkas_polyhedral::sets::{Aff, Set, Tuple};
use indexmap::IndexMap;

/// The bytes of an element of a table: rows are compared by addresses of 64 bits.
const ADDRESS: u64 = 8;

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

/// The array of rows that a table points to. `inside` has what is inside of them.
///
/// # Errors
/// If there is an access for which the row is not known, or whose place in it is not, or if rows have no largest subscript.
pub(super) fn with_rows<'a>(
    converter: &Converter<'_, 'a, '_>,
    (table, of_table): (ArrayId, &Array<'a>),
    inside: Baseless<'a>,
) -> Modelled<'a, Array<'a>> {
    let mut loads = Vec::new();
    for (site, _) in &inside.accesses {
        if !loads.contains(&site.base) {
            loads.push(site.base);
        }
    }
    let at = RowsAt::Table { array: table, loads };
    let row_of = |site: &Site<'a>| row_of(of_table, site);
    rows(converter, inside, (Base::Table(table), at, &of_table.sizes), &row_of)
}

/// The subscripts in the table of the row that an access is to, in the scope of the access. The load of the row's address is executed before,
/// in the same iteration of all loops around it.
fn row_of<'a>(table: &Array<'a>, site: &Site<'a>) -> Option<SubscriptPieces> {
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
