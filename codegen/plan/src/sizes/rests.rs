//! What strips of lanes and register tiles leave over, in cycles.
//!
//! A loop of 21 iterations in strips of 8 has a *rest* of 5, which runs lane by lane or under a mask. At small sizes most instances are in rests, and the
//! original, whose loops are as they were, takes less time for them.

use farkas_polyhedral::linalg::{Row, dot};
use farkas_polyhedral::sets::Tuple;

use super::Order;
use crate::analysis::estimate::float;
use crate::analysis::nest::{Nest, NestLoop};
use crate::cost::{Cost, GroupCost, Model};
use crate::transform::Transform;

/// Cycles of an instance in a rest that fills no register tile, or no strip of lanes, at the least. It is in short loops inside of the
/// innermost one, which are not vectorized. (Measured on Zen 4 for products of matrices with three rows.)
const REST: f64 = 2.5;

/// Where instances of the original wait for each other, those of a rest wait so many times longer. (Measured for rows of lanes, which
/// run in the order that is good for full strips.)
const REST_WAITS: f64 = 1.5;

impl Order<'_> {
    /// The share of a statement's instances that the loops around it in `levels` execute. The others are in tiles in which it is
    /// not alone.
    fn share_in_own_tiles(&self, model: &Model<'_>, tuple: &Tuple) -> f64 {
        let share = |transform: &Transform| match transform {
            Transform::SeparateTiles { statement, gaps, size } if statement == tuple => {
                let longest = model.longest(tuple);
                gaps.iter().map(|gap| gap.share(*size, longest)).product()
            }
            _ => 1.0,
        };
        self.transforms.iter().map(share).product()
    }
}

/// The cycles of an order with those of rests, beside the cost of the original.
pub(super) fn with_rests(model: &Model<'_>, order: Order<'_>, cost: &Cost, original: &Cost, rests: Rests) -> f64 {
    let nests = model.nests(order.levels);
    let of_group = |group: &GroupCost| {
        let shares_a_statement =
            |other: &&GroupCost| other.statements.iter().any(|tuple| group.statements.contains(tuple));
        let before = || original.groups.iter().filter(shares_a_statement);
        let waits = before().map(|group| REST_WAITS * group.cycles() / group.instances.max(1.0));
        let waits = waits.fold(0.0, f64::max);
        let scalar = REST.max(waits);
        let one_by_one = match before().all(|group| !group.vectorized) {
            true => waits,
            false => scalar,
        };
        // Tiles of several statements have loops in the order of the original, which may be too short for LLVM's vectorizer.
        let in_other_tiles = match before().all(|group| !group.vectorized) {
            true => waits / REST_WAITS,
            false => waits,
        };
        let own = group.cycles() / group.instances.max(1.0);
        let of_statement = |tuple: &Tuple| {
            let nest = &nests[tuple];
            let with = |rests: Rests| {
                let shares = Shares::of(nest, rests, |direction| model.known_length(tuple, direction));
                let jammed = match shares.is_filled {
                    true => rows_left_in_place(model, tuple, nest),
                    false => 1.0,
                };
                let of_rows = match nest.lanes() {
                    Some(along) => (REST / along.trips).max(own).max(model.in_one_row(tuple, nest)),
                    None if group.vectorized && share_of_ends(nest) == 0.0 => (REST / model.lanes_of(tuple)).max(own),
                    None => scalar,
                };
                let of_lanes = match nest.lanes().filter(|along| along.is_masked()) {
                    // Chains in a vector wait as one does in the original. Those of jammed rows wait together.
                    Some(along) => (waits / (along.trips * jammed)).max(own) * shares.idle,
                    None => one_by_one,
                };
                shares.lanes * of_lanes + shares.rows * of_rows + (1.0 - shares.lanes - shares.rows) * own
            };
            let in_tiles = match rests {
                Rests::Largest if nest.lanes().is_some_and(NestLoop::is_masked) => {
                    with(Rests::Largest).max(with(Rests::Least))
                }
                rests => with(rests),
            };
            let share = order.share_in_own_tiles(model, tuple);
            share * in_tiles + (1.0 - share) * in_other_tiles
        };
        group.instances * group.statements.iter().map(of_statement).fold(0.0, f64::max)
    };
    cost.groups.iter().map(of_group).sum()
}

/// Which rests count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rests {
    /// Those of these sizes.
    Exact,
    /// The largest ones for these or larger sizes.
    Largest,
    /// Those of a single instance. In vectors with masks they take as long as larger ones.
    Least,
}

/// The shares of instances that are in rests.
struct Shares {
    /// Those that fill no strip: they run lane by lane, or in vectors with masks.
    lanes: f64,
    /// The lanes of masked vectors, as many as a loop has iterations at the most, for each of these instances.
    idle: f64,
    /// In loops that fill no strip, half of the lanes have something to do.
    is_filled: bool,
    /// Those in vectors, if there are any, that fill no register tile; in skewed loops also those at both ends, where some rows of a
    /// strip have not begun yet or have ended.
    rows: f64,
}

impl Shares {
    /// `known` has lengths that are constants: loops of no more iterations than are unrolled have no rest.
    fn of(nest: &Nest, rests: Rests, known: impl Fn(&Row) -> Option<f64>) -> Self {
        let (mut in_lanes, mut in_rows) = (1.0, 1.0 - share_of_ends(nest));
        let (mut idle, mut is_filled) = (1.0_f64, true);
        for strips in nest.loops.iter().filter(|l| !l.unrolled && l.size > 1) {
            let along = || nest.loops.iter().filter(|l| l.direction == strips.direction);
            let has_copies = along().any(|l| l.unrolled);
            let is_innermost = along().all(|l| l.unrolled || l.size >= strips.size);
            if !has_copies || !is_innermost {
                continue;
            }
            let strip = strips.size as f64;
            let length: f64 = along().map(|l| l.trips).product();
            let filled = (length / strip).floor() * strip;
            let known = strips.direction.as_ref().and_then(&known);
            let has_lanes = along().any(|l| l.lanes.is_some());
            let full = match rests {
                _ if !has_lanes && known.is_some_and(|known| known <= strip) => 1.0,
                // What the length is an average of need not fill lanes.
                Rests::Exact if nest.lanes().is_none() => filled / length,
                Rests::Exact | Rests::Largest => filled / (filled + strip - 1.0),
                Rests::Least => filled / (filled + 1.0),
            };
            let masked = along().find(|l| l.is_masked()).map_or(1.0, |l| l.trips);
            let lanes = along()
                .find_map(|l| l.lanes.as_ref())
                .map_or(1.0, |own| f64::from(own.lanes));
            idle = idle.max(match rests {
                Rests::Exact if length > filled => ((length - filled) / masked).ceil() * masked / (length - filled),
                Rests::Exact | Rests::Largest => strip / (strip - 1.0).max(1.0),
                Rests::Least if filled == 0.0 => {
                    let most = most_idle(length, lanes, strip);
                    is_filled &= most.is_some();
                    most.map_or(masked, |idle| idle * masked / lanes)
                }
                Rests::Least => masked,
            });
            match has_lanes {
                true => in_lanes *= full,
                false => in_rows *= full,
            }
        }
        Shares {
            lanes: 1.0 - in_lanes,
            idle,
            is_filled,
            rows: in_lanes * (1.0 - in_rows),
        }
    }
}

/// The lanes of masked vectors for each iteration of a loop of at least so many iterations, at the most, as long as these fill no strip;
/// `None` where more than half of the lanes may have nothing to do. (Measured on Sapphire Rapids, products of 8 rows of `float` with 16 lanes:
/// 2.7 times the original's speed, and 0.89 row by row.)
fn most_idle(length: f64, lanes: f64, strip: f64) -> Option<f64> {
    let filled = |length: f64| (length / lanes).ceil() * lanes;
    let next = filled(length) + 1.0;
    let idle = match next < strip {
        true => (filled(length) / length).max(filled(next) / next),
        false => filled(length) / length,
    };
    (idle <= 2.0).then_some(idle)
}

/// The number of jammed rows with masked lanes where columns are left over. They stay jammed where each loop has bounds of its own.
fn rows_left_in_place(model: &Model<'_>, tuple: &Tuple, nest: &Nest) -> f64 {
    let program = model.program;
    let id = program.find_statement(tuple).expect("a statement of the program");
    let domain = &program.statement(id).domain;
    if !domain
        .pieces()
        .iter()
        .all(|piece| piece.is_separable(domain.params().len()))
    {
        return 1.0;
    }
    let along = nest.lanes().map(|lanes| &lanes.direction);
    let rows = nest
        .unrolled()
        .filter(|l| l.lanes.is_none() && along != Some(&l.direction));
    rows.map(|l| l.trips).product()
}

/// The share of instances where not all rows of a strip are executed, as the innermost loop is skewed against the rows.
fn share_of_ends(nest: &Nest) -> f64 {
    let Some((innermost, along)) = nest.innermost().and_then(|l| Some((l, l.direction.as_ref()?))) else {
        return 0.0;
    };
    let rows = nest.unrolled().filter(|l| l.lanes.is_none());
    let skew = |row: &NestLoop| row.direction.as_ref().map_or(0.0, |row| float(&dot(row, along)).abs());
    let ends: f64 = rows.map(|row| (row.trips - 1.0) * skew(row)).sum();
    (ends / innermost.trips).min(1.0)
}
