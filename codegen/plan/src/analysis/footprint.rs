//! How many bytes of each array a part of a loop nest touches, in whole cache lines.
//!
//! The *footprint* of an access over some loops is the set of elements that it touches while these run and all others
//! stand still. A subscript `i` with 32 iterations of `i` spans 32 values, a subscript `2i + j` spans `2 * 31 + (trips of
//! j - 1) + 1`. The elements of the last subscript are neighbours and share cache lines; every value of the others is a
//! row of lines of its own. Rows of a constant number of elements that are no longer than a line, as members of a structure, lie in
//! lines together, and so do those of [vectors](super::increments).
//!
//! Accesses of an array whose subscripts differ by constants share a footprint: that of the five accesses of a stencil is
//! little larger than that of one. Accesses with other linear parts are taken to touch other elements, up to the size of
//! the array.

use farkas_polyhedral::linalg::{Row, dot};
use farkas_polyhedral::program::{ArrayId, ArrayKind, Program, Statement};
use farkas_polyhedral::sets::{ByTuple, Tuple};
use indexmap::{IndexMap, IndexSet};
use num_integer::Integer;

use super::estimate::{Estimates, float};
use super::increments::{INCREMENT, is_vector};
use super::linear::{LinearAccess, LinearStatement};
use super::nest::{NestLoop, is_packed};
use crate::target::Cache;

/// The layout of an array at the expected sizes.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The distance between neighbouring elements, in bytes.
    pub(crate) element: f64,
    /// How many elements a step in each subscript is.
    strides: Vec<f64>,
    /// The elements of a row, where it is a constant number, as of members of a structure, or an increment.
    known_row: Option<f64>,
    /// Whether its elements are in memory. Slots are in registers, and what is expanded of them is in the first cache.
    pub(crate) in_memory: bool,
}

/// The layouts of all arrays, in the order of the program.
pub(crate) type Layouts = ByTuple<Layout>;

/// The layouts at the expected sizes. Where sizes are not known, rows are taken to be long.
pub(crate) fn layouts(program: &Program, estimates: &Estimates) -> Layouts {
    /// The length of a dimension that nothing is known of.
    const LONG: f64 = 1000.0;
    let layout = |(tuple, array): (&Tuple, &farkas_polyhedral::program::Array)| {
        let inner = array.n_dims().saturating_sub(1);
        let mut strides = vec![1.0; inner + 1];
        for dim in (0..inner).rev() {
            let size = array.inner_sizes.get(dim).map_or(LONG, |size| {
                let n_params = size.space().params.len();
                estimates.value_of(&size.space().params, &size.row()[..=n_params])
            });
            // Rows that a table points to are far apart, however short they are.
            let is_row = dim + 1 == array.table_dims;
            strides[dim] = strides[dim + 1] * size.max(if is_row { LONG } else { 1.0 });
        }
        let last = array.inner_sizes.last();
        let last = last.filter(|_| array.inner_sizes.len() == inner && array.table_dims < inner);
        let layout = Layout {
            element: array.element_size as f64,
            strides,
            known_row: last.and_then(|size| match size.as_constant() {
                Some(size) => Some(float(&size)),
                None => is_vector(program, array).then_some(INCREMENT),
            }),
            in_memory: !matches!(array.kind, ArrayKind::ScalarSlot | ArrayKind::ExpandedSlot),
        };
        (tuple.clone(), layout)
    };
    program.arrays.iter().map(layout).collect()
}

impl Layout {
    /// The elements of a row, if there are several.
    fn row(&self) -> Option<f64> {
        let expected = self.strides.len().checked_sub(2).map(|dim| self.strides[dim]);
        self.known_row.or(expected)
    }

    /// How many bytes an access moves when an instance moves along the direction; `None` where that differs from place to
    /// place.
    pub(crate) fn stride(&self, access: &LinearAccess, direction: &[farkas_polyhedral::int::Int]) -> Option<f64> {
        let subscripts = access.subscripts()?;
        let steps = subscripts.iter().zip(&self.strides);
        let elements: f64 = steps.map(|(row, stride)| float(&dot(row, direction)) * stride).sum();
        Some(elements * self.element)
    }
}

/// The accesses of a statement to arrays in memory, by array.
#[derive(Clone, Debug)]
pub(crate) struct Accesses(Vec<OfArray>);

/// The accesses of a statement to one array.
#[derive(Clone, Debug)]
struct OfArray {
    array: ArrayId,
    writes: bool,
    groups: Vec<Shared>,
}

/// The accesses of one array that share a footprint: their subscripts differ by constants.
#[derive(Clone, Debug)]
struct Shared {
    /// `None` where they are not affine.
    subscripts: Option<Vec<Row>>,
    n_accesses: usize,
    /// One more than the largest difference between the accesses in each subscript.
    spread: Vec<f64>,
    /// The share of the rows of this box that are accessed: 5 of 9 in a star of 7 points in three dimensions.
    share_of_rows: f64,
}

impl Accesses {
    /// Those of a statement of the program.
    pub(crate) fn of(
        program: &Program,
        layouts: &Layouts,
        (statement, linear): (&Statement, &LinearStatement),
    ) -> Accesses {
        let mut arrays: IndexMap<ArrayId, (Vec<Vec<&LinearAccess>>, bool)> = IndexMap::new();
        for (access, linear) in statement.accesses.iter().zip(&linear.accesses) {
            let array = program.find_array(access.array()).expect("an array of the program");
            if !layouts[array.0].in_memory {
                continue;
            }
            let (groups, writes) = arrays.entry(array).or_default();
            *writes |= linear.writes;
            match groups.iter_mut().find(|group| group[0].differs_by_constants(linear)) {
                Some(group) => group.push(linear),
                None => groups.push(vec![linear]),
            }
        }
        let of_array = |(array, (groups, writes)): (ArrayId, (Vec<Vec<&LinearAccess>>, bool))| OfArray {
            array,
            writes,
            groups: groups.iter().map(|group| Shared::of(group)).collect(),
        };
        Accesses(arrays.into_iter().map(of_array).collect())
    }

    /// What they sweep over in loops, with cache lines of so many bytes. `layouts` has those of all arrays.
    pub(crate) fn swept(&self, layouts: &Layouts, loops: &[NestLoop], line: f64) -> Footprints {
        let of_array = |of_array: &OfArray| {
            let layout = &layouts[of_array.array.0];
            let elements_in_line = line / layout.element;
            let short_row = layout.known_row.filter(|row| *row <= elements_in_line);
            let array = layouts.get_index(of_array.array.0).map(|(tuple, _)| tuple);
            let is_packed = array.is_some_and(|array| is_packed(loops, array));
            let groups = of_array.groups.iter();
            ArrayFootprint {
                array: of_array.array,
                writes: of_array.writes,
                is_packed,
                groups: groups
                    .map(|group| match is_packed {
                        true => group.in_buffer(loops).swept(loops, elements_in_line, None),
                        false => group.swept(loops, elements_in_line, short_row),
                    })
                    .collect(),
            }
        };
        Footprints(self.0.iter().map(of_array).collect())
    }
}

impl Shared {
    fn of(group: &[&LinearAccess]) -> Shared {
        let subscripts = group[0].subscripts();
        let spread = |dim: usize| {
            let values = || group.iter().filter_map(|access| access.constants.get(dim)).copied();
            let (most, least) = (values().fold(f64::MIN, f64::max), values().fold(f64::MAX, f64::min));
            1.0 + (most - least).max(0.0)
        };
        let spread: Vec<f64> = (0..subscripts.map_or(0, <[Row]>::len)).map(spread).collect();
        let row = |access: &&LinearAccess| -> Vec<i64> {
            let outer = access.constants.iter().take(spread.len().saturating_sub(1));
            outer.map(|constant| *constant as i64).collect()
        };
        let rows: IndexSet<Vec<i64>> = group.iter().map(row).collect();
        let all: f64 = spread.iter().rev().skip(1).product();
        Shared {
            subscripts: subscripts.map(<[Row]>::to_vec),
            n_accesses: group.len(),
            share_of_rows: (rows.len() as f64 / all).min(1.0),
            spread,
        }
    }

    /// The group in a buffer: neighbours are along the innermost loop.
    fn in_buffer(&self, loops: &[NestLoop]) -> Shared {
        let innermost = loops.iter().rev().find(|l| !l.unrolled);
        let along = innermost.and_then(|l| l.direction.as_ref());
        let rows = self.subscripts.as_deref().zip(along);
        let last = rows.and_then(|(rows, along)| rows.iter().position(|row| !dot(row, along).is_zero()));
        let mut own = self.clone();
        if let (Some(last), Some(rows)) = (last, &mut own.subscripts) {
            rows[last..].rotate_left(1);
            own.spread[last..].rotate_left(1);
        }
        own
    }

    fn swept(&self, loops: &[NestLoop], elements_in_line: f64, short_row: Option<f64>) -> GroupFootprint {
        let boxes = match self.subscripts.as_deref() {
            None => Boxes::Unknown,
            Some([]) => Boxes::Point,
            Some(rows) => {
                let mut swept = Swept {
                    extents: self.spread.clone(),
                    filled: self.share_of_rows,
                    in_rows: true,
                    elements_in_line,
                    short_row,
                };
                let mut boxes = vec![swept.covered()];
                let mut shifts = vec![0.0; rows.len()];
                for l in loops.iter().rev() {
                    for (shift, row) in shifts.iter_mut().zip(rows) {
                        *shift = match &l.direction {
                            Some(direction) => float(&dot(row, direction).abs()) * l.size as f64,
                            // Where the loop goes is not known: something else each time.
                            None => 1.0,
                        };
                    }
                    swept.shift(&shifts, l.trips);
                    boxes.push(swept.covered());
                }
                boxes.reverse();
                Boxes::Known(boxes)
            }
        };
        GroupFootprint {
            n_accesses: self.n_accesses as f64,
            elements_in_line,
            boxes,
        }
    }
}

/// What the accesses of a statement to arrays in memory sweep over in loops.
#[derive(Debug)]
pub(crate) struct Footprints(Vec<ArrayFootprint>);

#[derive(Debug)]
struct ArrayFootprint {
    array: ArrayId,
    writes: bool,
    /// Whether it is read in a buffer, whose rows are next to each other.
    is_packed: bool,
    groups: Vec<GroupFootprint>,
}

#[derive(Debug)]
struct GroupFootprint {
    n_accesses: f64,
    elements_in_line: f64,
    boxes: Boxes,
}

/// What a group sweeps over in the loops from each depth on.
#[derive(Debug)]
enum Boxes {
    /// Its subscripts are not affine. It is taken for one element, as a table that stays in the cache: what it sweeps over is not known,
    /// nor whether that differs between orders.
    Unknown,
    /// The array has a single element.
    Point,
    /// By depth: one more than there are loops.
    Known(Vec<Covered>),
}

/// The lines that a box covers.
#[derive(Clone, Copy, Debug)]
struct Covered {
    lines: f64,
    /// The length of the bounding box in the last subscript, and the product of all others.
    last: f64,
    rows: f64,
}

/// What is touched of an array.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Touched {
    /// In whole cache lines.
    pub(crate) bytes: f64,
    /// Whether some of it is written.
    pub(crate) writes: bool,
}

impl Footprints {
    /// The bytes of each array that the loops from `depth` on touch, and whether any are written. `layouts` and `loops` are those
    /// that this was made for, as is the length of the cache's lines. With conflicts, bytes count for as much of the cache as they
    /// keep others out of.
    pub(crate) fn touched<'f>(
        &'f self,
        depth: usize,
        layouts: &'f Layouts,
        loops: &[NestLoop],
        cache: &'f Cache,
        with_conflicts: bool,
    ) -> impl Iterator<Item = (ArrayId, Touched)> + 'f {
        let depth = depth.min(loops.len());
        let points: f64 = loops[depth..].iter().map(|l| l.trips * l.size as f64).product();
        let line = f64::from(cache.line);
        self.0.iter().map(move |footprint| {
            let layout = &layouts[footprint.array.0];
            let bytes = |group: &GroupFootprint| match &group.boxes {
                Boxes::Unknown | Boxes::Point => line,
                Boxes::Known(boxes) => {
                    let covered = &boxes[depth];
                    let in_row = (covered.last / group.elements_in_line).ceil().max(1.0);
                    let may_conflict = with_conflicts && !footprint.is_packed;
                    let stretch = match may_conflict && covered.rows > f64::from(cache.associativity) {
                        true => 1.0 / share_of_sets(layout, in_row, cache),
                        false => 1.0,
                    };
                    covered.lines.min(points * group.n_accesses) * line * stretch
                }
            };
            let touched = Touched {
                bytes: footprint.groups.iter().map(bytes).sum(),
                writes: footprint.writes,
            };
            (footprint.array, touched)
        })
    }
}

/// What a box of subscripts sweeps over as loops move it. A loop that moves one subscript makes the box longer. One that
/// moves several at once, as a skewed loop over time does, leaves corners of the bounding box out: a square of side 32
/// that moves by `(2, 2)` 31 times covers 4,868 of the 8,836 elements of the bounding box.
struct Swept {
    /// The bounding box, in elements.
    extents: Vec<f64>,
    /// The share of the bounding box's lines that is covered.
    filled: f64,
    /// Whether nothing has moved but along the last subscript.
    in_rows: bool,
    /// How many neighbours in the last subscript share a line.
    elements_in_line: f64,
    /// The elements of a row, where these are no more than a line has.
    short_row: Option<f64>,
}

impl Swept {
    /// The lines that are covered.
    fn covered(&self) -> Covered {
        let (last, outer) = self.extents.split_last().expect("a subscript");
        Covered {
            lines: self.filled * self.lines_of(self.extents.iter().copied()),
            last: *last,
            rows: outer.iter().product(),
        }
    }

    /// The expected lines of a box whose rows begin anywhere in a line: a row of `k` elements, with `e` in a line, touches
    /// `(k + e - 1) / e` lines. A row that is longer by one element touches `1 / e` lines more. Short rows next to each other are as one
    /// row.
    fn lines_of(&self, extents: impl DoubleEndedIterator<Item = f64>) -> f64 {
        let mut extents = extents.rev();
        let lines = |elements: f64| (elements + (self.elements_in_line - 1.0).max(0.0)) / self.elements_in_line;
        let last = extents.next().unwrap_or(1.0);
        let in_row = lines(last).max(0.0);
        let in_rows = match (self.short_row, extents.next()) {
            (_, None) => in_row,
            (Some(row), Some(rows)) if rows > 0.0 => (in_row * rows).min(lines((rows - 1.0) * row + last).max(0.0)),
            (_, Some(rows)) => in_row * rows,
        };
        in_rows * extents.product::<f64>()
    }

    /// Moves all of it so many times by the shifts.
    fn shift(&mut self, shifts: &[f64], times: f64) {
        let all = self.lines_of(self.extents.iter().copied());
        let both = self.extents.iter().zip(shifts);
        let last = self.extents.len() - 1;
        // Two boxes that are next to each other in a row may share a line.
        let overlap = |(dim, (extent, shift)): (usize, (&f64, &f64))| match dim == last {
            true => extent - shift,
            false => (extent - shift).max(0.0),
        };
        let common = self.lines_of(both.enumerate().map(overlap));
        // What two neighbouring positions share is filled as sparsely as both are. Rows of accesses that move along themselves stay the
        // same rows.
        let now = self.filled * all;
        self.in_rows &= last > 0 && shifts[..last].iter().all(|shift| *shift == 0.0);
        let sparsely = if self.in_rows { 1.0 } else { self.filled };
        let shared = self.filled * sparsely * common;
        let covered = now + (times - 1.0) * (now - shared);
        for (extent, shift) in self.extents.iter_mut().zip(shifts) {
            *extent += shift * (times - 1.0);
        }
        let bounding = self.lines_of(self.extents.iter().copied());
        self.filled = (covered / bounding).min(1.0);
    }
}

/// The share of a cache's sets that rows of so many lines can be in, where they are a row of the array apart.
fn share_of_sets(layout: &Layout, lines_in_row: f64, cache: &Cache) -> f64 {
    let row = layout.row().unwrap_or(0.0) * layout.element;
    let line = f64::from(cache.line);
    let sets = cache.sets().max(1);
    if row < line || row % line != 0.0 {
        return 1.0;
    }
    let apart = (row / line) as u64 % sets;
    let starts = sets / apart.gcd(&sets).max(1);
    (starts as f64 * lines_in_row / sets as f64).min(1.0)
}
