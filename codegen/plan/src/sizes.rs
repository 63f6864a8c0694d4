//! The sizes from which on a plan pays.
//!
//! A plan is chosen for sizes that are expected to be large. Where they are small, what it adds costs more than it gains: run-time
//! checks, loops over tiles, and the rests that fill no vector and no register tile. This module prices the original and the plan for
//! smaller sizes, and finds *corners*: points from which on the plan gains, however much any size grows. The plan pays where all
//! sizes are at least those of some corner.
//!
//! The first corner has the least sizes that are all equal, and then each of them as small as it may be. For each size there may be
//! another one, where that size is smaller and the others are larger, and one between both:
//!
//! ```text
//! m                         n >= 24 and m >= 24, or n >= 16 and m >= 96
//! |      :########
//! |   96 :########
//! |      '--.#####
//! |   24 .  :#####
//! +------16-24-------- n
//! ```
//!
//! Where one size is large and the others are small, as in points by clusters and coordinates, there may be a corner of each such size: `n >= 64 and
//! k >= 2 and d >= 2`. It is compared where it covers enough that the others do not.
//!
//! A corner is tested at its own point, at those that differ from it in one size, or in all but one, which have the expected value
//! there, and where all sizes are equal. Candidates for corners are few numbers, so that conditions are the same on similar programs.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;

use farkas_polyhedral::ast::{Condition, ParamId, Quasi};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::OperationClass;
use farkas_polyhedral::sets::{Aff, Name, Params, Set, SetSpace, Tuple};

use crate::analysis::border_tests::BorderTests;
use crate::analysis::estimate::LONG;
use crate::analysis::levels::{self, Levels};
use crate::analysis::nest::Nest;
use crate::cost::{GroupCost, Model};
use crate::source_names::{ModelNames, SourceNames};
use crate::threads::{self, Team, Threaded};
use crate::transform::Transform;
use corners::{add_covering, implies, with};
use pitches::Pitches;
use rests::{Rests, with_rests};

mod corners;
mod pitches;
mod rests;

/// The sizes that are compared at run time: less than a power of two apart, and among them the usual numbers of lanes.
const STEPS: [i64; 18] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512];

/// Those that follow where loops may be as long as threads ask for.
const LONG_STEPS: [i64; 10] = [
    1 << 10,
    1 << 11,
    1 << 12,
    1 << 13,
    1 << 14,
    1 << 15,
    1 << 16,
    1 << 17,
    1 << 18,
    1 << 19,
];

/// Where the least of a size is so small, and there are not so many corners yet, another bound has to be half of it only. (Measured on Sapphire
/// Rapids: products of 2 to 5 rows, which run the original, had 0.77 of its speed behind four corners, and 0.9 to 1.05 behind three.)
const FEW: i64 = 8;
const FEW_CORNERS: usize = 3;

/// Programs with more sizes than that are compared by all of them together.
const MOST_CORNERS: usize = 4;

/// At small sizes a plan has to take at most this share of the original's time. What the model leaves out counts for more there.
const MARGIN: f64 = 0.85;

/// The same where one size is smaller than the others, or all are small constants: most of the plan may be rests then.
const MARGIN_APART: f64 = 0.7;

/// The same at the expected sizes, where a plan pays at no smaller ones.
const MARGIN_AT_EXPECTED: f64 = 0.95;

/// What both margins are multiplied by for pieces of statements, whose loops are shorter: rests of vectorized loops count for more.
const MARGIN_OF_PIECES: f64 = 0.8;

/// Cycles that the new code takes before its first loop: run-time checks, and the call of the function that it is in, which saves all
/// registers.
const ENTRY: f64 = 90.0;

/// The same where statements are in pieces: there are more ends of loops, which are predicted wrongly at first. (Measured on Zen 4: two
/// passes of `a[i] += c * a[0]` over 200 elements take as long as in the original, 500 cycles, where half of that is predicted.)
const ENTRY_OF_PIECES: f64 = 260.0;

/// The same where [border tests](crate::analysis::border_tests) have parameters for positions: the guard looks at what is computed of them for each
/// position. (Measured on AVX-512: convolutions of 6 to 12 channels with 6 filters in `double` run at 0.75 to 0.88 with 90.)
const ENTRY_AT_POSITION: f64 = 300.0;

/// Cycles to enter a loop that is not innermost, and to leave it.
const OUTER_LOOP: f64 = 5.0;

/// Cycles to start and end a short innermost loop of the original. Neighbouring loops overlap more than where they are long: products of
/// matrices in strict order take no more than that on Zen 4.
const SHORT_LOOP: f64 = 3.0;

/// Branches on data of so few instances are predicted well where a nest is executed again. Then the original takes this share of its time
/// where they leave out divisions or roots, which lanes compute in any case. (Measured on Zen 5: forces within a distance of 12 particles
/// 0.66 of clang's speed, of 45 ones 0.97, of 700 ones 3.9.)
const PREDICTED: f64 = 4096.0;
const EXECUTED: f64 = 0.5;

/// Where all sizes are constants, nests of fewer instances are over before a plan begins to gain.
const FEW_INSTANCES: f64 = 512.0;

/// Nests of so many instances, all sizes constant, are priced as those of unknown sizes.
const MANY_INSTANCES: f64 = 32_768.0;

/// A vectorized loop of a constant number of iterations gains if it fills so many vectors.
const FEW_VECTORS: f64 = 2.0;

/// Statements with less than this share of the instances of the largest one need not fill vectors.
const SMALL_PART: f64 = 0.1;

/// LLVM unrolls loops of so many iterations completely and vectorizes what it finds there: a constant number that fills few vectors.
const COMPLETELY: f64 = 15.0;

/// A size has a bound of its own where that is so many times less than the bound of all sizes: fewer bounds are compared sooner.
const CLEARLY_LESS: i64 = 2;

/// A plan that pays only where a program touches more bytes is for programs that are rare. For all others, the original behind a guard
/// costs something.
const RARE: f64 = (1u64 << 30) as f64;

/// Where one size is large and the others are small, a plan saves so many cycles at the least. (Measured on Ice Lake: products of two columns with
/// each other, in the lower triangle, over 40 rows run at 0.46 where the original's 280 cycles were to be 200.)
const SAVED: f64 = 1000.0;

/// Sizes that are large enough, if all of them are: a lower bound for each.
type Corner = Vec<(Name, i64)>;

/// Where loops begin that end at a size: their length is what is compared.
///
/// ```text
/// for (e = row[i]; e < row[i + 1]; e++)      `row[i + 1] - row[i]` where `row[i]` was expected to be 0
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
struct Begin {
    /// The size.
    size: Name,
    /// The parameter that loops begin at.
    begin: Name,
    /// Its expected value, for which plans are priced.
    expected: i64,
}

/// The sizes for which a plan pays, as a condition on parameters that is monotone: what holds for some sizes holds for larger ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfitableSizes {
    /// One of them has to be reached. A corner without bounds above 1 is reached everywhere.
    corners: Vec<Corner>,
    /// Whether sizes are compared with 1, too.
    excludes_empty: bool,
    /// Where loops begin, if not at a constant.
    begins: Vec<Begin>,
    /// What keeps a plan from paying whatever the sizes are. Nothing is monotone in that.
    pitches: Pitches,
}

impl ProfitableSizes {
    /// The plan pays for all sizes.
    pub fn all() -> Self {
        ProfitableSizes {
            corners: vec![Corner::new()],
            excludes_empty: false,
            begins: Vec::new(),
            pitches: Pitches::default(),
        }
    }

    /// The plan pays where each size is at least this one.
    pub(crate) fn at_least(sizes: Vec<(Name, i64)>) -> Self {
        ProfitableSizes {
            corners: vec![sizes],
            excludes_empty: false,
            begins: Vec::new(),
            pitches: Pitches::default(),
        }
    }

    /// Whether the plan pays for all sizes.
    pub fn is_all(&self) -> bool {
        let is_everywhere = |corner: &Corner| corner.iter().all(|(_, least)| *least <= 1);
        self.pitches.is_empty() && self.corners.iter().any(is_everywhere)
    }

    /// The same without sizes below 1, for which there is hardly anything to execute; `None` where all sizes pay, or none below 1.
    pub(crate) fn without_empty(&self) -> Option<Self> {
        let mut bounds = self.corners.iter().flatten();
        let may_be_empty = !self.excludes_empty && bounds.any(|(_, least)| *least <= 1);
        (may_be_empty && !self.is_all()).then(|| ProfitableSizes {
            corners: self.corners.clone(),
            excludes_empty: true,
            begins: self.begins.clone(),
            pitches: self.pitches.clone(),
        })
    }

    /// The bounds of a corner that sizes are compared with.
    fn compared<'c>(&self, corner: &'c Corner) -> impl Iterator<Item = &'c (Name, i64)> + use<'c> {
        let least_compared = if self.excludes_empty { 1 } else { 2 };
        corner.iter().filter(move |(_, least)| *least >= least_compared)
    }

    /// The parameters that are compared.
    pub fn params(&self) -> impl Iterator<Item = &Name> {
        let bounds = self.corners.iter().flat_map(|corner| self.compared(corner));
        let sizes = bounds.flat_map(|(name, _)| [Some(name), self.begin_of(name).map(|begin| &begin.begin)]);
        sizes.flatten().chain(self.pitches.params())
    }

    /// Where loops begin that end at a size.
    fn begin_of(&self, size: &Name) -> Option<&Begin> {
        self.begins.iter().find(|begin| begin.size == *size)
    }

    /// The condition over these parameters.
    ///
    /// # Panics
    ///
    /// If a parameter that is compared is not among them.
    pub fn condition(&self, params: &Params) -> Condition {
        let value = |name: &Name| {
            let position = params.position_of(name).expect("a parameter of the program");
            Quasi::param(ParamId(position))
        };
        let at_least = |(name, least): &(Name, i64)| {
            let mut beyond = value(name).plus(Int::from(-least));
            if let Some(begin) = self.begin_of(name) {
                beyond.add_scaled(&Int::from(-1), &value(&begin.begin));
                beyond = beyond.plus(Int::from(begin.expected));
            }
            Condition::NonNegative(beyond)
        };
        let corners = self.corners.iter();
        let corners = Condition::any(corners.map(|corner| Condition::all(self.compared(corner).map(at_least))));
        Condition::all([corners, self.pitches.condition(params)])
    }

    /// The condition in words.
    pub(crate) fn text(&self, names: &dyn SourceNames) -> String {
        let of_corner = |corner: &Corner| {
            let bounds = corner.iter().filter(|(_, least)| *least > 1);
            let bounds = bounds.map(|(name, least)| match self.begin_of(name) {
                Some(begin) => {
                    let least = least - begin.expected;
                    format!("{} - {} >= {least}", names.param(name), names.param(&begin.begin))
                }
                None => format!("{} >= {least}", names.param(name)),
            });
            bounds.collect::<Vec<_>>().join(" and ")
        };
        let corners = self.corners.iter().map(of_corner).filter(|corner| !corner.is_empty());
        let corners = corners.collect::<Vec<_>>().join(", or ");
        match (corners.is_empty(), self.pitches.is_empty()) {
            (_, true) => corners,
            (true, false) => "rows are not pages apart".to_owned(),
            (false, false) => format!("{corners}, and rows are not pages apart"),
        }
    }

    /// The same where the rows that an order accesses side by side are in different sets of a cache; `None` where they never are.
    pub(crate) fn with_pitches(self, model: &Model<'_>, order: Order<'_>) -> Option<Self> {
        Some(ProfitableSizes {
            pitches: Pitches::of(model, order.levels, order.transforms)?,
            ..self
        })
    }

    /// The sizes of each corner within a context.
    pub fn corners(&self, context: &Set) -> Vec<Set> {
        let corners = self.corners.iter();
        corners
            .map(|corner| self.with_bounds(context, self.compared(corner)))
            .collect()
    }

    /// The smallest box around these sizes, cut to a context.
    pub(crate) fn within(&self, context: &Set) -> Set {
        let (first, others) = self.corners.split_first().expect("a corner");
        let bounds = self.compared(first).filter_map(|(name, least)| {
            let of_corner = |corner| self.compared(corner).find(|(other, _)| other == name);
            let mut others = others.iter();
            let least = others.try_fold(*least, |least, corner| Some(least.min(of_corner(corner)?.1)))?;
            Some((name.clone(), least))
        });
        self.with_bounds(context, bounds.collect::<Corner>().iter())
    }

    /// The part of a context with bounds of parameters.
    fn with_bounds<'b>(&self, context: &Set, bounds: impl Iterator<Item = &'b (Name, i64)>) -> Set {
        let bounds = bounds.map(|(name, least)| {
            let begin = self.begin_of(name);
            let params = Params::new([name.clone()].into_iter().chain(begin.map(|begin| begin.begin.clone())));
            let space = SetSpace::params_only(params);
            let value = |name: &Name| {
                let position = space.params.position_of(name).expect("a parameter of the space");
                Aff::param(space.clone(), position)
            };
            let mut least = Aff::constant(space.clone(), Int::from(*least));
            if let Some(begin) = begin {
                let begins = value(&begin.begin).add_constant(&Int::from(-begin.expected));
                least = least.add(&begins);
            }
            value(name).ge_set(&least)
        });
        bounds.fold(context.clone(), |context, bound| context.intersect(&bound))
    }
}

/// With the model's own names.
impl fmt::Display for ProfitableSizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(&ModelNames))
    }
}

/// The sizes for which the order with these levels pays, in comparison with the original; `None` where these are too large to matter, or
/// as large as what is expected and small: arrays of constant sizes hold no more than these. `model` may be of a program of pieces of the
/// statements in `original`.
pub(crate) fn profitable_sizes(
    original: &Model<'_>,
    model: &Model<'_>,
    order: Order<'_>,
    compared: Compared<'_>,
    b: &Budget,
) -> Outcome<Option<ProfitableSizes>> {
    let (margin, entry) = margin_and_entry(model);
    let expected = original.sizes();
    let search = Search {
        margin,
        entry,
        compared,
        original: (original, levels::of_original(original.program)),
        model,
        order,
        steps: match expected.iter().any(|(_, size)| *size == LONG) {
            true => [&STEPS[..], &LONG_STEPS].concat(),
            false => STEPS.to_vec(),
        },
        expected,
        known: RefCell::default(),
        b,
    };
    search.run()
}

/// Whether the order with these levels pays where the sizes of all loops are small constants; nothing is said against it anywhere
/// else. LLVM unrolls such loops completely, and vectorizes what was a vectorizable loop without rests and with all values in
/// registers. `model` may be of a program of pieces of the statements in `whole`.
pub(crate) fn pays_for_constants(whole: &Model<'_>, model: &Model<'_>, order: Order<'_>, b: &Budget) -> Outcome<bool> {
    let levels = order.levels;
    let original = levels::of_original(whole.program);
    let nests = whole.nests(&original);
    let instances: f64 = nests.values().map(|nest| nest.instances).fold(0.0, f64::max);
    if !whole.has_constant_domains() || instances >= MANY_INSTANCES {
        return Ok(true);
    }
    let (margin, entry) = margin_and_entry(model);
    let before = whole.with_loop_entry(SHORT_LOOP).cost_of_original(b)?;
    let after = with_rests(model, order, &model.cost(levels, b)?, &before, Rests::Exact);
    let after = entry + model.inspector() + after + outer_loops(model, levels);
    let is_short = |tuple: &Tuple| nests[tuple].innermost().is_some_and(|l| l.trips <= COMPLETELY);
    let is_unrolled = |group: &GroupCost| group.vectorized && group.statements.iter().all(is_short);
    let fills_vectors = |(tuple, nest): (&Tuple, &Nest)| {
        let along = nest.length_of_lanes().or(nest.innermost().map(|l| l.trips));
        // Pieces of statements may be small.
        nest.instances < SMALL_PART * instances || along.is_none_or(|l| l >= FEW_VECTORS * model.lanes_of(tuple))
    };
    let fills_vectors = model.nests(levels).iter().all(fills_vectors);
    if instances < FEW_INSTANCES || !fills_vectors || before.groups.iter().all(is_unrolled) {
        return Ok(false);
    }
    Ok(after <= margin * MARGIN_APART * (before.cycles() + outer_loops_of_original(whole, &original)))
}

/// What margins are multiplied by, and the cycles before the first loop.
fn margin_and_entry(model: &Model<'_>) -> (f64, f64) {
    let has_positions = !BorderTests::of(model.program).is_empty();
    match model.of_pieces {
        true => (MARGIN_OF_PIECES, ENTRY_OF_PIECES),
        false if has_positions => (1.0, ENTRY_AT_POSITION),
        false => (1.0, ENTRY),
    }
}

/// The order whose sizes are asked for.
#[derive(Clone, Copy)]
pub(crate) struct Order<'a> {
    /// Its loops.
    pub(crate) levels: &'a Levels,
    /// What was done to get there.
    pub(crate) transforms: &'a [Transform],
}

/// What is compared with what.
#[derive(Clone, Copy)]
pub(crate) enum Compared<'a> {
    /// The order with the original one, on one thread.
    Order,
    /// The order on threads with the original one.
    Threads(&'a Threaded, &'a Team),
    /// The order on threads with the same on one thread.
    ThreadsWithOne(&'a Threaded, &'a Team),
}

struct Search<'a> {
    compared: Compared<'a>,
    model: &'a Model<'a>,
    /// What margins are multiplied by.
    margin: f64,
    /// Cycles before the first loop.
    entry: f64,
    original: (&'a Model<'a>, Levels),
    order: Order<'a>,
    /// The sizes, with their expected values.
    expected: Vec<(Name, i64)>,
    /// The candidates for corners, in order.
    steps: Vec<i64>,
    /// The cycles of the original and of the plan for these sizes.
    known: RefCell<HashMap<Vec<i64>, (f64, f64)>>,
    b: &'a Budget,
}

impl Search<'_> {
    fn run(&self) -> Outcome<Option<ProfitableSizes>> {
        let n = self.expected.len();
        let at_first = self.b.left();
        let equal = self.least(MARGIN, |size| vec![size; n])?;
        // What gains nothing at any smaller size, with all that loops around cost, has to gain with that at the expected one.
        if n > 0 && equal == i64::MAX && share(self.cycles(&self.expected)?) > MARGIN_AT_EXPECTED * self.margin {
            return Ok(None);
        }
        let is_expected = |(_, expected): &(Name, i64)| *expected <= equal;
        if n > 0 && equal < i64::MAX && self.expected.iter().all(is_expected) {
            return Ok(None);
        }
        let mut corner = vec![equal; n];
        for position in 0..n {
            let lower = self.least_below(equal / CLEARLY_LESS, MARGIN, |size| with(&corner, position, size))?;
            corner = with(&corner, position, lower.unwrap_or(equal));
        }
        let mut corners = vec![corner.clone()];
        if (2..=MOST_CORNERS).contains(&n) {
            for (position, usual) in corner.iter().enumerate() {
                corners.extend(self.corners_below(position, *usual, usual / CLEARLY_LESS / CLEARLY_LESS)?);
            }
            for (position, usual) in corner.iter().enumerate() {
                let is_few = corners.len() < FEW_CORNERS && *usual <= FEW;
                if is_few && corners[1..].iter().all(|other| other[position] >= *usual) {
                    let small = self.corners_below(position, *usual, usual / CLEARLY_LESS)?;
                    corners.extend(small.into_iter().take(1));
                }
            }
        }
        let spent = at_first - self.b.left();
        if matches!(self.compared, Compared::Order)
            && self.has_lanes()
            && (2..=MOST_CORNERS).contains(&n)
            && spent <= self.b.left() / 4
        {
            let large = self.corners_with_one_large(equal)?;
            add_covering(&mut corners, large);
        }
        for corner in &corners {
            if corner.is_empty() || self.bytes_at(corner)? <= RARE {
                return Ok(Some(self.without_implied(corners)));
            }
        }
        Ok(None)
    }

    /// The bytes that the program touches at a corner.
    fn bytes_at(&self, corner: &[i64]) -> Outcome<f64> {
        let both = corner.iter().zip(&self.expected);
        let named: Vec<(Name, i64)> = both.map(|(size, (name, e))| (name.clone(), *size.min(e))).collect();
        let (original, levels) = &self.original;
        Ok(original.at(&named, self.b)?.bytes_touched(levels))
    }

    /// The corner where the size at the position is as small as it may be while the others are large, if that is at most a limit, clearly less
    /// than `usual`, and one between both, if there the others may be clearly smaller.
    fn corners_below(&self, position: usize, usual: i64, limit: i64) -> Outcome<Vec<Vec<i64>>> {
        let others = |size: i64| vec![size; self.expected.len()];
        let own = self.least_below(limit, MARGIN_APART, |size| with(&others(i64::MAX), position, size))?;
        let Some(own) = own else { return Ok(Vec::new()) };
        let least_of_others = |own: i64| self.least(MARGIN_APART, |size| with(&others(size), position, own));
        let least = least_of_others(own)?;
        let mut corners = vec![with(&others(least), position, own)];
        let between = self.steps.iter().rev().find(|step| **step * **step <= own * usual);
        if let Some(between) = between.filter(|between| **between > own) {
            let least_between = least_of_others(*between)?;
            if least_between <= least / CLEARLY_LESS / CLEARLY_LESS {
                corners.push(with(&others(least_between), position, *between));
            }
        }
        Ok(corners)
    }

    /// The corners where one size is large and the others are as small as they may be: points by clusters and coordinates, rows of few columns.
    /// The small sizes are first found as one, less than all sizes need to be, while the large one has its expected value. Not all of them are 1: the
    /// original is another one without inner loops.
    fn corners_with_one_large(&self, equal: i64) -> Outcome<Vec<Vec<i64>>> {
        let n = self.expected.len();
        let mut corners = Vec::new();
        if self.has_tables() {
            return Ok(corners);
        }
        for position in 0..n {
            let others = |size: i64| vec![size.max(2); n];
            let with_large = |size: i64| with(&others(size), position, i64::MAX);
            let Some(least) = self.least_below(equal - 1, MARGIN_APART, with_large)? else {
                continue;
            };
            let others = others(least);
            let own = self.least_where(|size| self.saves_from(&with(&others, position, size)))?;
            if own == i64::MAX {
                continue;
            }
            let mut corner = with(&others, position, own);
            for other in (0..n).filter(|other| *other != position && n > 2) {
                let lower = |size: i64| self.saves_from(&with(&corner, other, size));
                let least = self.least_where(lower)?.min(corner[other]);
                corner = with(&corner, other, least);
            }
            corners.push(corner);
        }
        Ok(corners)
    }

    /// Whether the order has vector lanes. Without them, rows that fill no register tile are priced too low. (Measured on Ice Lake without AVX: sums of
    /// 128 to 1000 products in matrices of 2 x 2 and 2 x 3 run at 0.5 to 0.8.)
    fn has_lanes(&self) -> bool {
        self.order.levels.values().flatten().any(|level| level.lanes.is_some())
    }

    /// Whether rows of the program are found by a table: their prices in short loops are not known. (Measured on Ice Lake: distances of 2000 vectors
    /// of 2 to 13 elements from 2 to 32 others run at 0.3 to 0.7, 1.5 to 2.1 times as fast as the original in the model.)
    fn has_tables(&self) -> bool {
        let mut arrays = self.model.program.arrays.values();
        arrays.any(|array| array.table_dims > 0)
    }

    /// Whether the plan gains from a corner on, and saves enough there to be seen.
    fn saves_from(&self, corner: &[i64]) -> Outcome<bool> {
        let (before, after) = self.known_cycles(corner)?;
        Ok(before - after >= SAVED && self.gains_from(corner, MARGIN_APART)?)
    }

    /// The same if it is at most a limit.
    fn least_below(&self, limit: i64, margin: f64, corner: impl Fn(i64) -> Vec<i64>) -> Outcome<Option<i64>> {
        let Some(largest) = self.steps.iter().rev().find(|step| **step <= limit) else {
            return Ok(None);
        };
        match self.gains_from(&corner(*largest), margin)? {
            true => self.least(margin, corner).map(Some),
            false => Ok(None),
        }
    }

    /// The least step for which the plan gains from a corner on; the largest number where there is none. Corners are taken to be
    /// monotone.
    fn least(&self, margin: f64, corner: impl Fn(i64) -> Vec<i64>) -> Outcome<i64> {
        self.least_where(|size| self.gains_from(&corner(size), margin))
    }

    /// The least step that is so, as all larger ones are then; the largest number where there is none.
    fn least_where(&self, is_so: impl Fn(i64) -> Outcome<bool>) -> Outcome<i64> {
        let (mut low, mut high) = (0, self.steps.len());
        while low < high {
            let middle = (low + high) / 2;
            match is_so(self.steps[middle])? {
                true => high = middle,
                false => low = middle + 1,
            }
        }
        Ok(self.steps.get(low).copied().unwrap_or(i64::MAX))
    }

    /// Whether the plan gains at the corner, where some sizes are as expected, and where all are the largest of the corner. A size of
    /// `i64::MAX` is the expected one.
    fn gains_from(&self, corner: &[i64], margin: f64) -> Outcome<bool> {
        let raised = |is_raised: &dyn Fn(usize) -> bool| -> Vec<i64> {
            let sizes = corner.iter().enumerate();
            sizes
                .map(|(position, size)| if is_raised(position) { i64::MAX } else { *size })
                .collect()
        };
        let largest = corner.iter().copied().max().unwrap_or_default();
        let mut tested = vec![corner.to_vec(), vec![largest; corner.len()]];
        for own in 0..corner.len() {
            tested.push(raised(&|position| position == own));
            tested.push(raised(&|position| position != own));
        }
        for sizes in tested {
            if self.ratio(&sizes)? > margin * self.margin {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The plan's share of the original's time for these sizes, none of which counts as larger than expected. For the expected ones the
    /// plan is known to gain.
    fn ratio(&self, sizes: &[i64]) -> Outcome<f64> {
        if sizes
            .iter()
            .zip(&self.expected)
            .all(|(size, (_, expected))| size >= expected)
        {
            return Ok(0.0);
        }
        self.known_cycles(sizes).map(share)
    }

    /// The cycles of the original and of the plan for these sizes, none of which counts as larger than expected.
    fn known_cycles(&self, sizes: &[i64]) -> Outcome<(f64, f64)> {
        let both = sizes.iter().zip(&self.expected);
        let values: Vec<i64> = both.map(|(size, (_, expected))| *size.min(expected)).collect();
        if let Some(known) = self.known.borrow().get(&values) {
            return Ok(*known);
        }
        let names = self.expected.iter().map(|(name, _)| name.clone());
        let named: Vec<(Name, i64)> = names.zip(values.iter().copied()).collect();
        let cycles = self.cycles(&named)?;
        self.known.borrow_mut().insert(values, cycles);
        Ok(cycles)
    }

    /// The cycles of the original and of the plan for these sizes.
    fn cycles(&self, sizes: &[(Name, i64)]) -> Outcome<(f64, f64)> {
        let model = self.model.at(sizes, self.b)?;
        let cost = model.cost(self.order.levels, self.b)?;
        let (original, levels) = &self.original;
        let original = original.at(sizes, self.b)?.with_loop_entry(SHORT_LOOP);
        let before = original.cost_of_original(self.b)?;
        let after = with_rests(&model, self.order, &cost, &before, Rests::Largest);
        let groups = before.groups.iter();
        let before: f64 = groups.map(|group| group.cycles() * self.executed(group)).sum();
        let before = outer_loops_of_original(&original, levels) + before;
        let entry = self.entry + model.inspector();
        let outer = outer_loops(&model, self.order.levels);
        // Threads share rests as they share the other iterations.
        let rests = after / cost.cycles().max(1.0);
        let on_threads = |threaded, team| -> Outcome<f64> {
            let cycles = threads::cycles(&model, threaded, team, self.b)?;
            Ok(entry + rests * cycles.work + cycles.forks)
        };
        let (before, after) = match self.compared {
            Compared::Order => (before, entry + outer + after),
            Compared::Threads(threaded, team) => (before, on_threads(threaded, team)?),
            Compared::ThreadsWithOne(threaded, team) => (entry + outer + after, on_threads(threaded, team)?),
        };
        let values: Vec<i64> = sizes.iter().map(|(_, size)| *size).collect();
        let ratio = share((before, after));
        log::debug!("sizes {values:?}: {after:.3e} against {before:.3e}, {ratio:.2}");
        Ok((before, after))
    }

    /// The share of its cycles that a group of the original takes where conditions on data leave out what is dear.
    fn executed(&self, group: &GroupCost) -> f64 {
        let leaves_out = |tuple: &Tuple| {
            let program = self.original.0.program;
            let id = program.find_statement(tuple).expect("a statement of the original");
            let statement = program.statement(id);
            let is_dear = |class| matches!(class, OperationClass::Divide | OperationClass::SquareRoot);
            statement.blocks > 1 && statement.operations.iter().any(|operations| is_dear(operations.class))
        };
        let is_predicted = !group.vectorized && group.instances <= PREDICTED;
        match is_predicted && group.statements.iter().any(leaves_out) {
            true => EXECUTED,
            false => 1.0,
        }
    }

    /// The condition without bounds that always hold and without corners that others imply. A size that has no corner is compared
    /// with its expected value.
    fn without_implied(&self, corners: Vec<Vec<i64>>) -> ProfitableSizes {
        let clamp = |corner: Vec<i64>| -> Vec<i64> {
            let both = corner.iter().zip(&self.expected);
            both.map(|(size, (_, expected))| *size.min(expected)).collect()
        };
        let mut kept: Vec<Vec<i64>> = Vec::new();
        for corner in corners.into_iter().map(clamp) {
            if !kept.iter().any(|other| implies(other, &corner)) {
                kept.retain(|other| !implies(&corner, other));
                kept.push(corner);
            }
        }
        let named = |corner: Vec<i64>| -> Corner {
            let both = self.expected.iter().zip(corner);
            both.map(|((name, _), least)| (name.clone(), least)).collect()
        };
        let begin = |(size, _): &(Name, i64)| {
            let (begin, expected) = self.model.begin_of(size)?;
            Some(Begin {
                size: size.clone(),
                begin,
                expected,
            })
        };
        ProfitableSizes {
            corners: kept.into_iter().map(named).collect(),
            excludes_empty: false,
            begins: self.expected.iter().filter_map(begin).collect(),
            pitches: Pitches::default(),
        }
    }
}

/// The plan's share of the original's time.
fn share((before, after): (f64, f64)) -> f64 {
    after / before.max(1.0)
}

/// The cycles of the loops that are not innermost.
fn outer_loops(model: &Model<'_>, levels: &Levels) -> f64 {
    outer_loops_of(model.nests(levels).values())
}

/// The same in the original order: loops that LLVM unrolls completely are none.
fn outer_loops_of_original(model: &Model<'_>, levels: &Levels) -> f64 {
    let mut nests = model.nests(levels);
    for (tuple, nest) in &mut nests {
        let left = nest.loops.len() - model.n_unrolled(tuple, nest);
        nest.loops.truncate(left);
    }
    outer_loops_of(nests.values())
}

fn outer_loops_of<'n>(nests: impl Iterator<Item = &'n Nest>) -> f64 {
    let mut entries = HashMap::new();
    for nest in nests {
        let mut times = 1.0_f64;
        let mut loops = nest.loops.iter().filter(|l| !l.unrolled).peekable();
        while let Some(outer) = loops.next() {
            if loops.peek().is_some() {
                let known: &mut f64 = entries.entry(outer.id).or_default();
                *known = known.max(times);
            }
            times *= outer.trips;
        }
    }
    OUTER_LOOP * entries.values().sum::<f64>()
}
