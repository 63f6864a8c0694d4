//! How many bytes enter each cache level.
//!
//! Loops around statements form a tree: an inner node is a loop that some statements share. The *working set* of a loop
//! is what one of its iterations touches. If the working set fits in a cache, then what neighbouring iterations share is
//! still there for the next one, and all iterations together bring in no more than the footprint of the whole loop. If it
//! does not fit, each iteration brings in what it touches anew, and the loops inside are looked at in the same way.
//!
//! In a product of matrices of 1000 x 1000 `double`s, the loop over rows of `A` has a working set of 8 MB, all of `B`,
//! which enters a smaller cache once for each row. Tiles of 32 x 32 x 512 have working sets of 264 KB, and `B` enters
//! once for each 32 rows.
//!
//! What is written is read first, and written back. Memory has one bus. Between caches that goes another way, and costs nothing on most
//! machines. (Measured on Zen 4: reading, writing and updating in place take as long as each other, from L2 and from L3.) The target says
//! where it does ([`Cache::written`]).
//!
//! A cache of one core keeps what was used last: a working set that does not fit is gone before it is used again. A cache that
//! several cores share keeps no such order, and is taken to replace lines at random: part of the working set is still there.
//!
//! Rows that are a power of two apart fall in the same few sets of a cache. The working set then counts for as much as it
//! would fill if these sets were all there are.

use crate::analysis::footprint::{Footprints, Touched};
use crate::analysis::levels::{Levels, LoopId};
use crate::analysis::linear::Stride;
use crate::analysis::nest::{Nest, NestLoop};
use crate::analysis::reuse::{has_group_reuse, rows_side_by_side};
use crate::cost::at_best::unit_loops;
use crate::cost::throughput::PAGE;
use crate::cost::{GroupCost, Model};
use crate::target::Cache;
use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::program::ArrayId;
use farkas_polyhedral::sets::{ByTuple, Tuple};
use indexmap::IndexMap;

/// The share of a cache that a working set may have. The rest is for what else is going on.
const SHARE: f64 = 0.8;
/// A prefetcher sees so many steps in a page before it fetches ahead.
const SEEN_IN_PAGE: f64 = 4.0;
/// What is written is read from memory first, and written back.
const WRITTEN: f64 = 2.0;
/// One core in so many of those that share a cache is taken to be busy.
const QUIET_NEIGHBOURS: f64 = 4.0;
/// How much longer a line takes that no prefetcher fetches. What comes from L2 overlaps all the same.
const NOT_PREFETCHED: f64 = 2.0;

/// The share of the wait for the first bytes of each of several rows that are fetched side by side. (Measured on Zen 4 with rows of stencils
/// jammed by 4: rows of 5 to 24 KB take 0.6 to 0.7 of the time from L3 and from memory, rows of 2000 to 4000 bytes 0.8 to 1.4. More rows than
/// a prefetcher follows gain nothing: 18 rows of four arrays take as long as one after the other if they are longer than 5 KB, and 1.3
/// times as long if they have 4000 bytes.)
const INTERRUPTED: f64 = 0.25;

/// The bytes of a cache that a working set may have.
fn capacity(cache: &Cache) -> f64 {
    let cores = (f64::from(cache.shared_by) / QUIET_NEIGHBOURS).max(1.0);
    SHARE * cache.bytes as f64 / cores
}

/// The share of hits of a cache that replaces lines at random, where something of `excess` times its size is used again and
/// again. A line is still there with the probability `exp(-misses * excess)`.
fn kept_at_random(excess: f64) -> f64 {
    (0..20).fold(0.0, |kept: f64, _| (-(1.0 - kept) * excess).exp())
}

/// The bytes that enter a cache for a statement.
#[derive(Clone, Copy, Default)]
struct Entered {
    bytes: f64,
    /// Those that no prefetcher fetches.
    walked: f64,
}

/// How lines come into a cache.
#[derive(Clone, Copy)]
struct Transfer<'a> {
    cache: &'a Cache,
    /// What a line counts for that no prefetcher fetches.
    not_prefetched: f64,
    /// What a line counts for that is written.
    written: f64,
}

/// A statement in its loops.
struct Swept<'t> {
    tuple: &'t Tuple,
    nest: &'t Nest,
    footprints: Footprints,
}

/// A statement by its position, and how often the loops at hand are executed around it.
type Executed = (usize, f64);

/// What enters a cache by the loops of all statements.
struct Traffic<'t> {
    model: &'t Model<'t>,
    statements: &'t [Swept<'t>],
    transfer: Transfer<'t>,
    /// By statement.
    entered: Vec<Option<Entered>>,
}

impl Model<'_> {
    /// Adds the cycles by bytes into each cache level to the groups.
    pub(super) fn add_traffic(&self, nests: &ByTuple<Nest>, groups: &mut [GroupCost]) {
        let all: Vec<Executed> = (0..nests.len()).map(|position| (position, 1.0)).collect();
        let mut line = 0;
        let mut statements = Vec::new();
        for (level, cache) in self.target.caches.iter().enumerate() {
            if cache.line != line {
                line = cache.line;
                statements = nests
                    .iter()
                    .map(|(tuple, nest)| self.swept(tuple, nest, line))
                    .collect();
            }
            let below = self.target.caches.get(level + 1);
            let bandwidth = below.map_or(self.target.memory.bandwidth, |below| below.bandwidth);
            let mut traffic = Traffic {
                model: self,
                statements: &statements,
                transfer: Transfer {
                    cache,
                    not_prefetched: if level == 0 { 1.0 } else { NOT_PREFETCHED },
                    written: below.map_or(WRITTEN, |below| below.written),
                },
                entered: vec![None; nests.len()],
            };
            // What fits as a whole is taken to be there already.
            if !traffic.fits(&all, 0) {
                traffic.add(&all, 0);
            }
            let mut entered = traffic.entered;
            let latency = below.map_or(self.target.memory.latency, |below| below.latency);
            for (entered, (tuple, nest)) in entered.iter_mut().zip(nests) {
                if let Some(entered) = entered {
                    entered.bytes *= match below {
                        Some(l2) if level == 0 => self.rows_of_l2(tuple, nest, l2),
                        _ => self.streams_of_rows(tuple, nest, latency * bandwidth),
                    };
                    if below.is_none() {
                        entered.bytes *= self.rows_in_lanes(tuple, nest);
                    }
                }
            }
            for group in groups.iter_mut() {
                let position = |tuple: &Tuple| nests.get_index_of(tuple).expect("a statement with loops");
                let own = group.statements.iter().filter_map(|tuple| entered[position(tuple)]);
                let total: f64 = own.clone().map(|entered| entered.bytes).sum();
                group.walked += own.map(|entered| entered.walked).sum::<f64>() / bandwidth;
                group.bytes[level] = total / bandwidth;
            }
        }
        for group in groups {
            group.walked /= group.bytes.iter().sum::<f64>().max(1.0);
        }
    }

    fn swept<'t>(&self, tuple: &'t Tuple, nest: &'t Nest, line: u32) -> Swept<'t> {
        Swept {
            tuple,
            nest,
            footprints: self.accesses[tuple].swept(&self.layouts, &nest.loops, f64::from(line)),
        }
    }

    /// The bytes that the statements with these levels touch.
    pub(crate) fn bytes_touched(&self, levels: &Levels) -> f64 {
        self.sizes_touched(levels).sum()
    }

    /// The same for each array.
    pub(crate) fn sizes_touched(&self, levels: &Levels) -> LargestSizes {
        let mut sizes = LargestSizes::default();
        for (tuple, nest) in &self.nests(levels) {
            for (array, touched) in self.touched(tuple, &nest.loops, &self.target.caches[0]) {
                sizes.add(array, touched.bytes);
            }
        }
        sizes
    }

    /// The share of the time that bytes from memory take in lanes that go through a row each.
    fn rows_in_lanes(&self, tuple: &Tuple, nest: &Nest) -> f64 {
        let direction = |l: Option<&NestLoop>| l.and_then(|l| l.direction.clone());
        let (Some(along), Some(lanes)) = (direction(nest.innermost()), direction(nest.lanes())) else {
            return 1.0;
        };
        let mut accesses = self.statements[tuple].accesses.iter();
        let goes_through_rows = accesses.any(|access| {
            let in_memory = self.layouts[&access.array].in_memory;
            in_memory && access.stride(&along) == Stride::Unit && access.stride(&lanes) == Stride::Other
        });
        if goes_through_rows {
            self.target.memory.rows_in_lanes
        } else {
            1.0
        }
    }

    /// How much longer bytes of L2 take where rows are jammed that share loads.
    fn rows_of_l2(&self, tuple: &Tuple, nest: &Nest, l2: &Cache) -> f64 {
        match self.jammed_rows(tuple, nest) {
            Some(_) => l2.side_by_side,
            None => 1.0,
        }
    }

    /// How much longer bytes from further away take where rows are jammed that share loads. Rows one after the other are one stream for a prefetcher.
    /// Jammed rows are several, which are fetched side by side. Each waits once where a row begins; in that time so many `bytes` would
    /// come.
    fn streams_of_rows(&self, tuple: &Tuple, nest: &Nest, bytes: f64) -> f64 {
        let Some((copies, innermost)) = self.jammed_rows(tuple, nest) else {
            return 1.0;
        };
        let along = innermost.direction.as_ref().expect("rows go along a direction");
        let rows = rows_side_by_side(&self.statements[tuple], copies, along);
        let side_by_side = match rows <= self.target.prefetch_streams as usize {
            true => self.target.rows_side_by_side,
            false => 1.0,
        };
        let accesses = self.statements[tuple].accesses.iter();
        let element = accesses
            .map(|access| self.layouts[&access.array].element)
            .fold(1.0, f64::max);
        side_by_side + INTERRUPTED * bytes / (innermost.trips * element)
    }

    /// The direction and number of jammed rows that share loads, and the innermost loop, which goes along them.
    fn jammed_rows<'n>(&self, tuple: &Tuple, nest: &'n Nest) -> Option<((&'n Row, f64), &'n NestLoop)> {
        let innermost = nest.innermost()?;
        let along = innermost.direction.as_ref()?;
        let jammed = nest.unrolled().filter(|l| l.lanes.is_none());
        let mut copies = jammed.filter_map(|l| Some((l.direction.as_ref()?, l.trips)));
        let shared = copies.find(|copies| has_group_reuse(&self.statements[tuple], *copies, along))?;
        Some((shared, innermost))
    }

    /// The cycles by bytes into each cache level if what a statement of a nest touches in these loops enters it once.
    pub(super) fn compulsory(&self, tuple: &Tuple, nest: &Nest, loops: &[NestLoop]) -> Vec<f64> {
        let levels = self.target.caches.iter().enumerate();
        let cycles = |(level, cache): (usize, &Cache)| {
            let touched = self.touched(tuple, loops, cache).into_iter();
            let size: f64 = touched.map(|(_, touched)| touched.bytes).sum();
            let below = self.target.caches.get(level + 1);
            let from_memory = || self.target.memory.bandwidth / self.rows_in_lanes(tuple, nest);
            let bandwidth = below.map_or_else(from_memory, |below| below.bandwidth);
            if size > capacity(cache) { size / bandwidth } else { 0.0 }
        };
        levels.map(cycles).collect()
    }

    /// The cycles that go into fetching arrays again that an earlier one of several nests fetched, for each array that is too large for
    /// a cache: what sharing loops may save at the most.
    pub(crate) fn fetched_again(&self, nests: &[Vec<Tuple>]) -> IndexMap<Tuple, f64> {
        let mut again: IndexMap<Tuple, f64> = IndexMap::new();
        for (level, cache) in self.target.caches.iter().enumerate() {
            let below = self.target.caches.get(level + 1);
            let bandwidth = below.map_or(self.target.memory.bandwidth, |below| below.bandwidth);
            let mut of_nests: IndexMap<Tuple, Vec<f64>> = IndexMap::new();
            for nest in nests {
                for (array, bytes) in self.footprints(nest, cache) {
                    of_nests.entry(array).or_default().push(bytes);
                }
            }
            for (array, bytes) in of_nests {
                let most = bytes.iter().copied().fold(0.0, f64::max);
                if most > capacity(cache) && bytes.len() > 1 {
                    *again.entry(array).or_default() += (bytes.iter().sum::<f64>() - most) / bandwidth;
                }
            }
        }
        again
    }

    /// The bytes that some statements touch of each array: those of the one that touches most.
    fn footprints(&self, statements: &[Tuple], cache: &Cache) -> IndexMap<Tuple, f64> {
        let mut most: IndexMap<Tuple, f64> = IndexMap::new();
        for tuple in statements {
            // Splitting leaves out statements that have no instances, and keeps their filters.
            let Some(linear) = self.statements.get(tuple) else {
                continue;
            };
            let everything = unit_loops(linear, &self.lengths[tuple]);
            for (array, touched) in self.touched(tuple, &everything, cache) {
                let (array, _) = self.program.arrays.get_index(array.0).expect("an array of the program");
                let bytes = most.entry(array.clone()).or_default();
                *bytes = bytes.max(touched.bytes);
            }
        }
        most
    }

    /// What a statement touches of each array in loops.
    fn touched(&self, tuple: &Tuple, loops: &[NestLoop], cache: &Cache) -> Vec<(ArrayId, Touched)> {
        let footprints = self.accesses[tuple].swept(&self.layouts, loops, f64::from(cache.line));
        footprints.touched(0, &self.layouts, loops, cache, false).collect()
    }

    /// The share of the accesses by which the innermost loop goes through the array that are in steps that a prefetcher follows: it has to see
    /// some of them within a page.
    fn share_prefetched(&self, tuple: &Tuple, nest: &Nest, array: ArrayId) -> f64 {
        let (array, _) = self.program.arrays.get_index(array.0).expect("an array of the program");
        if nest.is_packed(array) {
            return 1.0;
        }
        let direction = nest.innermost().and_then(|l| l.direction.as_ref());
        let (mut followed, mut moving) = (0, 0);
        for access in self.statements[tuple]
            .accesses
            .iter()
            .filter(|access| access.array == *array)
        {
            // Where one goes is not known of indirect subscripts: most of what is fetched may be by these.
            let Some(stride) = direction.and_then(|d| self.layouts[array].stride(access, d)) else {
                return 0.0;
            };
            moving += u32::from(stride != 0.0);
            followed += u32::from(stride != 0.0 && SEEN_IN_PAGE * stride.abs() < PAGE);
        }
        match moving {
            0 => 1.0,
            _ => f64::from(followed) / f64::from(moving),
        }
    }
}

impl Traffic<'_> {
    /// Adds the bytes that enter the cache by the loops from `depth` on around the statements, which share all loops
    /// outside.
    fn add(&mut self, statements: &[Executed], depth: usize) {
        if self.fits(statements, depth) {
            self.add_footprint(statements, depth);
            return;
        }
        let mut loops: Vec<(Option<LoopId>, Vec<Executed>)> = Vec::new();
        for executed in statements {
            let real = self.statements[executed.0]
                .nest
                .loops
                .get(depth)
                .filter(|l| !l.unrolled);
            let id = real.map(|l| l.id);
            match loops.iter_mut().find(|(other, _)| *other == id) {
                Some((_, inside)) => inside.push(*executed),
                None => loops.push((id, vec![*executed])),
            }
        }
        for (id, inside) in loops {
            let kept = match id {
                Some(_) => self.kept(&inside, depth + 1),
                None => 1.0,
            };
            if kept > 0.0 {
                let inside = inside.iter().map(|(statement, times)| (*statement, times * kept));
                self.add_footprint(&inside.collect::<Vec<_>>(), depth);
            }
            if kept < 1.0 {
                let trips = |statement: usize| self.statements[statement].nest.loops[depth].trips;
                let inside = inside
                    .iter()
                    .map(|(statement, times)| (*statement, times * ((1.0 - kept) * trips(*statement))));
                let inside: Vec<_> = inside.collect();
                self.add(&inside, depth + 1);
            }
        }
    }

    /// The share of what the loops from `depth` on touch that is still in the cache when they run again.
    fn kept(&self, statements: &[Executed], depth: usize) -> f64 {
        let cache = self.transfer.cache;
        let excess = self.working_set(statements, depth) / capacity(cache);
        match cache.shared_by {
            _ if excess <= 1.0 => 1.0,
            1 => 0.0,
            _ => kept_at_random(excess),
        }
    }

    /// Whether what the loops from `depth` on touch fits in the cache.
    fn fits(&self, statements: &[Executed], depth: usize) -> bool {
        self.working_set(statements, depth) <= capacity(self.transfer.cache)
    }

    /// The bytes that the loops from `depth` on touch. Two statements are taken to touch the same part of an array.
    fn working_set(&self, statements: &[Executed], depth: usize) -> f64 {
        let mut sizes = LargestSizes::default();
        for (statement, _) in statements {
            for (array, touched) in self.touched(*statement, depth, true) {
                sizes.add(array, touched.bytes);
            }
        }
        sizes.sum()
    }

    /// Adds what the loops from `depth` on touch: each array counts for the statement that touches most of it.
    fn add_footprint(&mut self, statements: &[Executed], depth: usize) {
        /// What is touched of an array, and by which statement.
        struct Most {
            array: ArrayId,
            bytes: f64,
            prefetched: f64,
            statement: usize,
        }
        let mut all: Vec<Most> = Vec::new();
        for (statement, times) in statements {
            let Swept { tuple, nest, .. } = &self.statements[*statement];
            for (array, touched) in self.touched(*statement, depth, false) {
                let prefetched = self.model.share_prefetched(tuple, nest, array);
                let fetched = prefetched + (1.0 - prefetched) * self.transfer.not_prefetched;
                let written = if touched.writes { self.transfer.written } else { 1.0 };
                let own = Most {
                    array,
                    bytes: times * touched.bytes * written * fetched,
                    prefetched,
                    statement: *statement,
                };
                match all.iter_mut().find(|most| most.array == array) {
                    Some(most) if own.bytes > most.bytes => *most = own,
                    Some(_) => {}
                    None => all.push(own),
                }
            }
        }
        for most in all {
            let entered = self.entered[most.statement].get_or_insert_default();
            entered.bytes += most.bytes;
            entered.walked += (1.0 - most.prefetched) * most.bytes;
        }
    }

    /// What a statement touches of each array in the loops from `depth` on.
    fn touched(
        &self,
        statement: usize,
        depth: usize,
        with_conflicts: bool,
    ) -> impl Iterator<Item = (ArrayId, Touched)> + '_ {
        let Swept { nest, footprints, .. } = &self.statements[statement];
        footprints.touched(
            depth,
            &self.model.layouts,
            &nest.loops,
            self.transfer.cache,
            with_conflicts,
        )
    }
}

/// The largest of several sizes of each array.
#[derive(Default)]
pub(crate) struct LargestSizes(Vec<(ArrayId, f64)>);

impl LargestSizes {
    fn add(&mut self, array: ArrayId, bytes: f64) {
        match self.0.iter_mut().find(|(other, _)| *other == array) {
            Some((_, size)) => *size = size.max(bytes),
            None => self.0.push((array, bytes.max(0.0))),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (ArrayId, f64)> {
        self.0.iter().copied()
    }

    fn sum(&self) -> f64 {
        self.0.iter().map(|(_, size)| size).sum()
    }
}
