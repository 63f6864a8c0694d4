//! Trip counts and directions of the loops around each statement.
//!
//! The *direction* of a level is the smallest move of an instance that changes its point function upwards and the point
//! functions of no other level: what one iteration of the loop does to subscripts. With levels `t` and `2t + i` for a
//! statement `S[t, i]`, the direction of the first is `[1, -2]`, that of the second `[0, 1]`.
//!
//! The trip count of a level over points is the length of its point function's range where all outer levels are fixed.
//! It comes from the [lengths](super::estimate::Lengths) of the dimensions: a dimension that an outer level fixes adds
//! nothing. Below a level over tiles of `D` values of the same function, a level of size `d` has `D / d` iterations.
//!
//! Tiles may be of other functions than points: [diamonds](crate::transform::diamond) `t - i` and `t + i` around `t` and `t + i`. What
//! is a combination of functions whose tiles are around has the range that these leave: `t` is half the sum of both, and has 32 values
//! in tiles of 32.
//!
//! A loop of `L` values in tiles of `D` is entered `ceil(L / D)` times for each iteration of the loops outside. If it is
//! skewed, it begins anywhere in a tile, and has a partial tile at both ends: it is entered `L / D + 1 - 1 / D` times. A row of
//! 700 points is entered 2.4 times in tiles of 512, for 295 points each.

use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::{Matrix, Row, combine, dot, kernel, rank, zeros};
use farkas_polyhedral::sets::{ByTuple, Name, Tuple};

use super::estimate::{Lengths, float};
use super::levels::{InLanes, Level, Levels, LoopId};
use super::linear::LinearStatement;
use super::linear::{Statements, linear_part};

/// A loop around a statement, with what is expected of it.
#[derive(Clone, Debug)]
pub(crate) struct NestLoop {
    pub(crate) id: LoopId,
    /// How an instance moves from one value of the point function to the next; `None` where several moves do that.
    pub(crate) direction: Option<Row>,
    /// How many values of the point function an iteration spans.
    pub(crate) size: i64,
    /// The expected number of iterations, at least 1. Tiles count as full: the product over a nest is the number of instances.
    pub(crate) trips: f64,
    /// How often the loop is entered for each time that it would be if all tiles were full.
    pub(crate) partial: f64,
    /// Whether it is in skewed tiles: it has other bounds each time that it is entered.
    pub(crate) is_cut: bool,
    pub(crate) unrolled: bool,
    /// How iterations run in the lanes of a vector. The loop counts as unrolled then.
    pub(crate) lanes: Option<InLanes>,
    /// The arrays that each iteration has a copy of where it is jammed, lanes apart.
    pub(crate) private: Vec<Name>,
    /// The array of which a tile is in a buffer around the loop.
    pub(crate) packed: Option<Name>,
}

/// The loops around a statement, outermost first; those that are unrolled last.
#[derive(Clone, Debug)]
pub(crate) struct Nest {
    pub(crate) loops: Vec<NestLoop>,
    /// The expected number of instances.
    pub(crate) instances: f64,
    /// The positions of reads whose vectors are made before all loops, and are kept on the stack.
    pub(crate) hoisted: Vec<usize>,
    /// The positions of accesses to values in registers: reads that another statement in the innermost loop has, too, and accesses to arrays
    /// that LLVM [promotes](super::promotion).
    pub(crate) in_registers: Vec<usize>,
    /// Whether conditions on counters leave out some of the lanes that LLVM makes.
    pub(crate) leaves_lanes_out: bool,
}

impl NestLoop {
    /// Whether its iterations are lanes, of which a mask leaves out those that have none.
    pub(crate) fn is_masked(&self) -> bool {
        self.lanes.as_ref().is_some_and(|lanes| lanes.masked)
    }
}

/// Whether an array is read in a buffer in loops.
pub(crate) fn is_packed(loops: &[NestLoop], array: &Tuple) -> bool {
    let mut packed = loops.iter().filter_map(|l| l.packed.as_ref());
    packed.any(|packed| array.name() == Some(packed))
}

impl Nest {
    /// The loops of a statement with these levels.
    pub(crate) fn of(levels: &[Level], statement: &LinearStatement, lengths: &Lengths) -> Nest {
        nest_of(levels, &statement.directions, statement.depth, lengths)
    }

    /// How many loops are around one of the statement's loops; `None` if it is not in that one.
    pub(crate) fn position_of(&self, id: LoopId) -> Option<usize> {
        self.loops.iter().position(|l| l.id == id)
    }

    /// The innermost loop that is executed as one.
    pub(crate) fn innermost(&self) -> Option<&NestLoop> {
        self.loops.iter().rev().find(|l| !l.unrolled)
    }

    /// The loops that are repeated in the body of the innermost one.
    pub(crate) fn unrolled(&self) -> impl Iterator<Item = &NestLoop> {
        self.loops.iter().filter(|l| l.unrolled)
    }

    /// Whether an array is read in a buffer.
    pub(crate) fn has_packed(&self) -> bool {
        self.loops.iter().any(|l| l.packed.is_some())
    }

    /// Whether this array is read in a buffer.
    pub(crate) fn is_packed(&self, array: &Tuple) -> bool {
        is_packed(&self.loops, array)
    }

    /// The loop whose iterations are the lanes of vectors.
    pub(crate) fn lanes(&self) -> Option<&NestLoop> {
        self.loops.iter().find(|l| l.lanes.is_some())
    }

    /// The expected number of iterations of the loop whose strips are the lanes, strips of several vectors included.
    pub(crate) fn length_of_lanes(&self) -> Option<f64> {
        let lanes = self.lanes()?;
        let along = self.loops.iter().filter(|l| l.direction == lanes.direction);
        Some(along.map(|l| l.trips).product())
    }

    /// How many instances an iteration of the innermost loop executes.
    pub(crate) fn copies(&self) -> f64 {
        self.unrolled().map(|l| l.trips).product()
    }
}

/// The nest of each statement.
pub(crate) fn nests(levels: &Levels, statements: &Statements, lengths: &ByTuple<Lengths>) -> ByTuple<Nest> {
    let nest =
        |(tuple, levels): (&Tuple, &Vec<Level>)| (tuple.clone(), Nest::of(levels, &statements[tuple], &lengths[tuple]));
    levels.iter().map(nest).collect()
}

/// A level over points seen so far: its row, with the pivots of those before it eliminated.
struct Seen {
    row: Row,
    /// How an instance moves from one value of the row to the next.
    direction: Option<Row>,
    reduced: Row,
    pivot: Option<usize>,
    /// `reduced` as a combination of the rows seen up to this one.
    combination: Vec<f64>,
    /// How many values of the row there are within an iteration of the levels seen so far.
    range: f64,
    /// How often a loop inside is entered for each full tile.
    partial: f64,
    /// Whether tiles cut it at other points each time.
    is_cut: bool,
}

fn nest_of(levels: &[Level], directions: &[Row], n_dims: usize, lengths: &Lengths) -> Nest {
    let rows: Vec<Option<Row>> = levels.iter().map(|level| linear_part(&level.point)).collect();
    let of_points = levels.iter().zip(&rows).filter(|(level, _)| level.size == 1);
    let of_points = distinct_rows(of_points.filter_map(|(_, row)| row.as_ref()));
    let of_tiles = independent_rows(rows.iter().flatten(), n_dims);
    let mut seen: Vec<Seen> = Vec::new();
    let mut loops = Vec::new();
    for (level, row) in levels.iter().zip(&rows) {
        let Some(row) = row else { continue };
        let position = seen.iter().position(|s| s.row == *row).unwrap_or_else(|| {
            let others = if of_points.contains(row) { &of_points } else { &of_tiles };
            let direction = direction(row, others, directions, n_dims);
            seen.push(new_row(row, direction, &seen, lengths));
            seen.len() - 1
        });
        let own = &mut seen[position];
        let size = level.size.max(1) as f64;
        // The last iteration of a loop over tiles is shorter: a fraction of an iteration.
        let trips = (own.range / size).max(1.0);
        let (partial, is_cut) = (own.partial, own.is_cut);
        if size > 1.0 && !level.unrolled {
            let is_skewed = own.reduced != own.row;
            let tiles = match is_skewed {
                true => own.range / size + 1.0 - 1.0 / size,
                false => (own.range / size).ceil(),
            };
            own.partial *= (tiles / trips).max(1.0);
            own.is_cut |= is_skewed;
        }
        own.range = own.range.min(size);
        loops.push(NestLoop {
            id: level.id,
            direction: own.direction.clone(),
            size: level.size,
            trips,
            partial,
            is_cut,
            unrolled: level.unrolled,
            lanes: level.lanes.clone(),
            private: level.private.clone(),
            packed: level.packed.clone(),
        });
    }
    // Skewed loops are longer together than there are instances: some of their iterations are empty.
    let product: f64 = loops.iter().map(|l| l.trips).product();
    let excess = product / lengths.instances();
    if let Some(innermost) = loops.last_mut().filter(|_| excess > 1.0) {
        innermost.trips = (innermost.trips / excess).max(1.0);
    }
    loops.sort_by_key(|l| l.unrolled);
    Nest {
        loops,
        instances: lengths.instances(),
        hoisted: Vec::new(),
        leaves_lanes_out: false,
        in_registers: Vec::new(),
    }
}

fn distinct_rows<'r>(rows: impl Iterator<Item = &'r Row>) -> Vec<Row> {
    let mut distinct: Vec<Row> = Vec::new();
    for row in rows {
        if !distinct.contains(row) {
            distinct.push(row.clone());
        }
    }
    distinct
}

/// The rows that are linearly independent of those before them.
fn independent_rows<'r>(rows: impl Iterator<Item = &'r Row>, n_dims: usize) -> Vec<Row> {
    let mut independent: Vec<Row> = Vec::new();
    for row in rows {
        if independent.contains(row) {
            continue;
        }
        independent.push(row.clone());
        if rank(&Matrix::new(independent.clone(), n_dims)) < independent.len() {
            independent.pop();
        }
    }
    independent
}

/// A row that has not been seen: its range without the dimensions that earlier rows fix.
fn new_row(row: &Row, direction: Option<Row>, seen: &[Seen], lengths: &Lengths) -> Seen {
    let mut reduced = row.clone();
    let mut combination = vec![0.0; seen.len() + 1];
    combination[seen.len()] = 1.0;
    for earlier in seen {
        let Some(pivot) = earlier.pivot else { continue };
        if !reduced[pivot].is_zero() {
            let factors = [&earlier.reduced[pivot], &reduced[pivot]].map(float);
            reduced = combine(&earlier.reduced[pivot], &reduced, &-&reduced[pivot], &earlier.reduced);
            combination.iter_mut().for_each(|c| *c *= factors[0]);
            let others = combination.iter_mut().zip(&earlier.combination);
            others.for_each(|(own, other)| *own -= factors[1] * other);
        }
    }
    let steps = |dim: usize| float(&reduced[dim].abs()) * (lengths.0[dim] - 1.0);
    let range = match reduced.iter().all(Int::is_zero) {
        true => {
            let own = combination[seen.len()].abs();
            let fixed = combination.iter().zip(seen);
            1.0 + fixed.map(|(c, s)| c.abs() / own * (s.range - 1.0)).sum::<f64>()
        }
        false => 1.0 + (0..reduced.len()).map(steps).sum::<f64>(),
    };
    // The longest dimension is the one that the row is taken to fix.
    let moving = (0..reduced.len()).filter(|dim| !reduced[*dim].is_zero());
    let pivot = moving.max_by(|x, y| lengths.0[*x].total_cmp(&lengths.0[*y]));
    Seen {
        row: row.clone(),
        direction,
        reduced,
        pivot,
        combination,
        range,
        partial: 1.0,
        is_cut: false,
    }
}

/// The smallest move in the span of `directions` that changes `row` upwards, and no other of the rows.
fn direction(row: &Row, rows: &[Row], directions: &[Row], n_dims: usize) -> Option<Row> {
    let others: Vec<&Row> = rows.iter().filter(|other| *other != row).collect();
    // In the coordinates of the directions, which are fewer than dimensions where the domain fixes some.
    let in_span = |row: &Row| -> Row { directions.iter().map(|d| dot(row, d)).collect() };
    let kernel = kernel(&Matrix::new(
        others.into_iter().map(in_span).collect(),
        directions.len(),
    ));
    let [coordinates] = &kernel.rows[..] else { return None };
    let mut moved = zeros(n_dims);
    for (factor, direction) in coordinates.iter().zip(directions) {
        moved
            .iter_mut()
            .zip(direction.iter())
            .for_each(|(x, d)| x.add_mul(factor, d));
    }
    let change = dot(row, &moved);
    if change.is_zero() {
        return None;
    }
    if change.is_neg() {
        moved.iter_mut().for_each(|c| *c = -&*c);
    }
    Some(moved)
}
