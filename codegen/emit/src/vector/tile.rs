//! Rows of a register tile: kept elements of neighbouring statements that follow each other in memory.
//!
//! Jammed copies of a statement keep a column of elements each: a vector, with the elements of its lanes apart. Where the columns of
//! several copies are next to each other, each lane has a row of consecutive elements. It is loaded and stored as one vector, and
//! rows and columns are [transposed](super::transpose) in registers, instead of element by element.
//!
//! ```text
//! copy 0: A[8 * c + lane][0]
//! copy 1: A[8 * c + lane][1]   ->   for each lane a vector A[8 * c + lane][0 .. 1]
//! ```

use farkas_llvm::inkwell::values::{PointerValue, VectorValue};
use farkas_llvm::scop_ir::ArrayId;

use super::accesses::Access;
use super::forms::{Form, Step};
use super::lanes::Lanes;
use super::{PrivateCopies, Widened, transpose};
use crate::arith::{Arith, BUILDS};
use crate::value_numbering::Sum;

/// A kept element of each lane of a statement.
struct Column<'a> {
    /// The position of the statement.
    statement: usize,
    array: ArrayId,
    access: Access<'a>,
    register: PointerValue<'a>,
    /// The masks of the lanes that hold their element, and of those that are written, where these are not all.
    held: Option<PointerValue<'a>>,
    written: Option<PointerValue<'a>>,
    /// The address of lane 0, and the distance of the lanes. `None` where lanes do not have rows, or there are masks.
    place: Option<(Sum, Step<'a>)>,
}

/// Columns that are next to each other in memory, as many as a power of two; or a column that is alone.
type Tile<'a> = Vec<Column<'a>>;

/// Is told of the statement whose access comes next; of `None` for a row, which is of several copies of a statement.
pub(crate) type Begin<'f, 'c, 'b, 'a, 'r> = dyn Fn(Option<&Widened<'c, 'b, 'a, 'r>>) + 'f;

/// Loads what is kept. `arith` knows the iterators outside.
pub(crate) fn fetch<'c, 'b, 'a, 'r>(
    widened: &mut [Widened<'c, 'b, 'a, 'r>],
    arith: &Arith<'_, 'a>,
    private: &PrivateCopies<'a>,
    begin: &Begin<'_, 'c, 'b, 'a, 'r>,
) {
    for tile in tiles(widened, false, arith, private) {
        let one = &mut widened[tile[0].statement];
        begin((tile.len() == 1).then_some(&*one));
        one.in_memory(arith, private, |lanes| {
            for mask in tile.iter().flat_map(|column| [column.held, column.written]).flatten() {
                let none = lanes.mask_type().const_zero();
                arith.builder.build_store(mask, none).expect(BUILDS);
            }
            let columns = match &tile[..] {
                [column] if column.held.is_some() => return,
                [column] => vec![lanes.load(&column.access)],
                columns => lanes.load_rows(&columns[0].access, columns.len() as u32),
            };
            for (column, value) in tile.iter().zip(columns) {
                arith.builder.build_store(column.register, value).expect(BUILDS);
            }
        });
    }
}

/// Stores what is kept and written, as [`fetch`] loads it.
pub(crate) fn put_back<'c, 'b, 'a, 'r>(
    widened: &mut [Widened<'c, 'b, 'a, 'r>],
    arith: &Arith<'_, 'a>,
    private: &PrivateCopies<'a>,
    begin: &Begin<'_, 'c, 'b, 'a, 'r>,
) {
    for tile in tiles(widened, true, arith, private) {
        let one = &mut widened[tile[0].statement];
        begin((tile.len() == 1).then_some(&*one));
        one.in_memory(arith, private, |lanes| {
            let load = |column: &Column<'a>| {
                let ty = lanes.vector_type(column.access.ty);
                let value = arith.builder.build_load(ty, column.register, "").expect(BUILDS);
                value.into_vector_value()
            };
            let columns: Vec<VectorValue<'a>> = tile.iter().map(load).collect();
            match &columns[..] {
                [column] => {
                    lanes.masks.current = tile[0].written.map(|written| lanes.mask_in(written));
                    lanes.store(&tile[0].access, *column);
                }
                _ => lanes.store_rows(&tile[0].access, &columns),
            }
        });
    }
}

impl<'c, 'b, 'a, 'r> Widened<'c, 'b, 'a, 'r> {
    /// Acts on the lanes while nothing is kept: accesses are to memory.
    fn in_memory(
        &mut self,
        arith: &Arith<'_, 'a>,
        private: &PrivateCopies<'a>,
        act: impl FnOnce(&mut Lanes<'_, 'c, 'b, 'a, 'r>),
    ) {
        let kept = std::mem::take(&mut self.kept);
        self.on_lanes(arith, None, private, act);
        self.kept = kept;
    }
}

/// What is kept, or of that what is written, in tiles.
fn tiles<'a>(
    widened: &mut [Widened<'_, '_, 'a, '_>],
    written: bool,
    arith: &Arith<'_, 'a>,
    private: &PrivateCopies<'a>,
) -> Vec<Tile<'a>> {
    let Some(lanes) = widened.first().map(|one| one.lanes as usize) else {
        return Vec::new();
    };
    let mut columns: Vec<Column<'a>> = Vec::new();
    for (statement, one) in widened.iter_mut().enumerate() {
        let kept = std::mem::take(&mut one.kept);
        let is_alike = one.lanes as usize == lanes;
        one.on_lanes(arith, None, private, |at| {
            for element in kept.elements.iter().filter(|element| element.writes || !written) {
                columns.push(Column {
                    statement,
                    array: element.array,
                    access: element.access,
                    register: element.register,
                    held: element.held,
                    written: element.written,
                    place: at
                        .row(&element.access)
                        .filter(|_| is_alike && element.held.is_none() && element.written.is_none()),
                });
            }
        });
        one.kept = kept;
    }
    columns.sort_by_key(|column| column.array.0);
    let mut tiles: Vec<Tile<'a>> = Vec::new();
    let mut run: Tile<'a> = Vec::new();
    let size = |column: &Column<'a>, widened: &[Widened<'_, '_, 'a, '_>]| {
        let run = widened[column.statement].forms.run;
        run.element(column.access.ty).expect("a lane").size as i64
    };
    for column in columns {
        if let Some(last) = run.last()
            && !last.is_followed_by(&column, size(last, widened))
        {
            split(std::mem::take(&mut run), lanes, &mut tiles);
        }
        run.push(column);
    }
    split(run, lanes, &mut tiles);
    tiles
}

/// Splits columns that are next to each other into tiles of at most as many columns as there are lanes.
fn split<'a>(run: Tile<'a>, lanes: usize, tiles: &mut Vec<Tile<'a>>) {
    let mut rest = run.into_iter();
    while rest.len() > 0 {
        let width = (1 << rest.len().ilog2()).min(lanes);
        tiles.push(rest.by_ref().take(width).collect());
    }
}

impl Column<'_> {
    /// Whether the other column is that of the next elements, of so many bytes, of the same rows.
    fn is_followed_by(&self, other: &Column<'_>, size: i64) -> bool {
        match (&self.place, &other.place) {
            (Some((own, step)), Some((next, same))) => {
                self.array == other.array
                    && self.access.ty == other.access.ty
                    && step == same
                    && next.distance(own) == Some(size)
            }
            _ => false,
        }
    }
}

impl<'a> Lanes<'_, '_, '_, 'a, '_> {
    /// The address of lane 0 of an access, and the distance of its lanes, where these are apart.
    fn row(&mut self, access: &Access<'a>) -> Option<(Sum, Step<'a>)> {
        let size = self.forms.run.element(access.ty)?.size as i64;
        match self.form(access.pointer) {
            Form::Stepped(step) if step.as_constant().is_none_or(|step| step.abs() != size) => {
                Some((self.first.sum_of_address(access.pointer)?, step))
            }
            _ => None,
        }
    }

    /// The columns of a tile of so many, of which the access is to the first one.
    fn load_rows(&mut self, access: &Access<'a>, width: u32) -> Vec<VectorValue<'a>> {
        let row = super::vector_of(access.ty.inkwell().expect("a first-class type"), width);
        let addresses = self.addresses(access);
        let load = |address| self.load_at(access, row.into(), address).into_vector_value();
        let rows: Vec<VectorValue<'a>> = addresses.into_iter().map(load).collect();
        transpose::columns(self.forms.shared.builder, &rows, self.bits(access))
    }

    /// Stores the columns of a tile, of which the access is to the first one.
    fn store_rows(&mut self, access: &Access<'a>, columns: &[VectorValue<'a>]) {
        let rows = transpose::rows(self.forms.shared.builder, columns, self.bits(access));
        let addresses = self.addresses(access);
        self.store_lanes(access, &addresses, &rows);
    }

    fn bits(&self, access: &Access<'a>) -> u32 {
        8 * self.forms.run.element(access.ty).expect("a lane").size as u32
    }
}
