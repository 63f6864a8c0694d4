//! How many bytes of each array a part of a loop nest touches, in whole cache lines.
//!
//! The *footprint* of an access over some loops is the set of elements that it touches while these run and all others
//! stand still. A subscript `i` with 32 iterations of `i` spans 32 values, a subscript `2i + j` spans `2 * 31 + (trips of
//! j - 1) + 1`. The elements of the last subscript are neighbours and share cache lines; every value of the others is a
//! row of lines of its own.
//!
//! Accesses of an array whose subscripts differ by constants share a footprint: that of the five accesses of a stencil is
//! little larger than that of one. Accesses with other linear parts are taken to touch other elements, up to the size of
//! the array.

use farkas_polyhedral::linalg::{Row, dot};
use farkas_polyhedral::program::{ArrayKind, Program, Statement};
use farkas_polyhedral::sets::Tuple;
use indexmap::IndexMap;
use num_integer::Integer;

use super::estimate::{Estimates, float};
use super::linear::{LinearAccess, LinearStatement};
use super::nest::NestLoop;
use crate::target::Cache;

/// The layout of an array at the expected sizes.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The distance between neighbouring elements, in bytes.
    pub(crate) element: f64,
    /// How many elements a step in each subscript is.
    strides: Vec<f64>,
    /// Whether its elements are in memory. Slots are in registers, and what is expanded of them is in the first cache.
    pub(crate) in_memory: bool,
}

/// The layouts of all arrays.
pub(crate) type Layouts = IndexMap<Tuple, Layout>;

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
            strides[dim] = strides[dim + 1] * size.max(1.0);
        }
        let layout = Layout {
            element: array.element_size as f64,
            strides,
            in_memory: !matches!(array.kind, ArrayKind::ScalarSlot | ArrayKind::ExpandedSlot),
        };
        (tuple.clone(), layout)
    };
    program.arrays.iter().map(layout).collect()
}

impl Layout {
    /// How many bytes an access moves when an instance moves along the direction; `None` where that differs from place to
    /// place.
    pub(crate) fn stride(&self, access: &LinearAccess, direction: &[farkas_polyhedral::int::Int]) -> Option<f64> {
        let subscripts = access.subscripts()?;
        let steps = subscripts.iter().zip(&self.strides);
        let elements: f64 = steps.map(|(row, stride)| float(&dot(row, direction)) * stride).sum();
        Some(elements * self.element)
    }
}

/// The accesses of one array in one nest that share a footprint: their subscripts differ by constants.
struct Shared<'a> {
    subscripts: Option<&'a [Row]>,
    constants: Vec<&'a [f64]>,
}

/// The bytes of each array in memory that a statement touches in the loops, and whether it writes any. With conflicts,
/// bytes count for as much of the cache as they keep others out of.
pub(crate) fn of_statement(
    statement: (&Statement, &LinearStatement),
    layouts: &Layouts,
    loops: &[NestLoop],
    cache: &Cache,
    with_conflicts: bool,
) -> IndexMap<Tuple, Touched> {
    let mut arrays: IndexMap<&Tuple, (Vec<Shared<'_>>, bool)> = IndexMap::new();
    for (access, linear) in statement.0.accesses.iter().zip(&statement.1.accesses) {
        if !layouts[access.array()].in_memory {
            continue;
        }
        let (groups, writes) = arrays.entry(access.array()).or_default();
        *writes |= linear.writes;
        let subscripts = linear.subscripts();
        match groups.iter_mut().find(|group| group.subscripts == subscripts) {
            Some(group) => group.constants.push(&linear.constants),
            None => groups.push(Shared {
                subscripts,
                constants: vec![&linear.constants],
            }),
        }
    }
    let touched = |(array, (groups, writes)): (&Tuple, (Vec<Shared<'_>>, bool))| {
        let layout = &layouts[array];
        let bytes = groups
            .iter()
            .map(|group| bytes(group, layout, loops, cache, with_conflicts))
            .sum();
        (array.clone(), Touched { bytes, writes })
    };
    arrays.into_iter().map(touched).collect()
}

/// What is touched of an array.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Touched {
    /// In whole cache lines.
    pub(crate) bytes: f64,
    /// Whether some of it is written.
    pub(crate) writes: bool,
}

fn bytes(group: &Shared<'_>, layout: &Layout, loops: &[NestLoop], cache: &Cache, with_conflicts: bool) -> f64 {
    let line = f64::from(cache.line);
    let iterations: f64 = loops.iter().map(|l| l.trips).product();
    let Some(rows) = group.subscripts else {
        return iterations * line;
    };
    if rows.is_empty() {
        return line;
    }
    let mut swept = Swept {
        extents: (0..rows.len()).map(|dim| spread(group, dim)).collect(),
        filled: 1.0,
        elements_in_line: line / layout.element,
    };
    for l in loops.iter().rev() {
        match &l.direction {
            Some(direction) => {
                let shifts = rows.iter().map(|row| float(&dot(row, direction).abs()) * l.size as f64);
                swept.shift(&shifts.collect::<Vec<_>>(), l.trips);
            }
            // Where the loop goes is not known: something else each time.
            None => swept.shift(&vec![1.0; rows.len()], l.trips),
        }
    }
    let (last, outer) = swept.extents.split_last().expect("a subscript");
    let rows_of_lines = outer.iter().product::<f64>();
    let in_row = (last / swept.elements_in_line).ceil().max(1.0);
    let stretch = match with_conflicts && rows_of_lines > f64::from(cache.associativity) {
        true => 1.0 / share_of_sets(layout, in_row, cache),
        false => 1.0,
    };
    let points: f64 = loops.iter().map(|l| l.trips * l.size as f64).product();
    let lines = swept.lines().min(points * group.constants.len() as f64);
    lines * line * stretch
}

/// One more than the largest difference between the accesses of a group in a subscript.
fn spread(group: &Shared<'_>, dim: usize) -> f64 {
    let values = || group.constants.iter().filter_map(|c| c.get(dim));
    let most = values().copied().fold(f64::MIN, f64::max);
    let least = values().copied().fold(f64::MAX, f64::min);
    1.0 + (most - least).max(0.0)
}

/// What a box of subscripts sweeps over as loops move it. A loop that moves one subscript makes the box longer. One that
/// moves several at once, as a skewed loop over time does, leaves corners of the bounding box out: a square of side 32
/// that moves by `(2, 2)` 31 times covers 4,868 of the 8,836 elements of the bounding box.
struct Swept {
    /// The bounding box, in elements.
    extents: Vec<f64>,
    /// The share of the bounding box's lines that is covered.
    filled: f64,
    /// How many neighbours in the last subscript share a line.
    elements_in_line: f64,
}

impl Swept {
    /// The lines that are covered.
    fn lines(&self) -> f64 {
        self.filled * self.lines_of(self.extents.iter().copied())
    }

    /// The expected lines of a box whose rows begin anywhere in a line: a row of `k` elements, with `e` in a line, touches
    /// `(k + e - 1) / e` lines. A row that is longer by one element touches `1 / e` lines more.
    fn lines_of(&self, extents: impl DoubleEndedIterator<Item = f64>) -> f64 {
        let mut extents = extents.rev();
        let last = extents.next().unwrap_or(1.0);
        let in_row = (last + (self.elements_in_line - 1.0).max(0.0)) / self.elements_in_line;
        in_row.max(0.0) * extents.product::<f64>()
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
        // What two neighbouring positions share is filled as sparsely as both are.
        let now = self.filled * all;
        let shared = self.filled * self.filled * common;
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
    let row = layout
        .strides
        .len()
        .checked_sub(2)
        .map_or(0.0, |dim| layout.strides[dim])
        * layout.element;
    let line = f64::from(cache.line);
    let sets = cache.sets().max(1);
    if row < line || row % line != 0.0 {
        return 1.0;
    }
    let apart = (row / line) as u64 % sets;
    let starts = sets / apart.gcd(&sets).max(1);
    (starts as f64 * lines_in_row / sets as f64).min(1.0)
}
