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
//! Rows that are a power of two apart fall in the same few sets of a cache. The working set then counts for as much as it
//! would fill if these sets were all there are.

use crate::analysis::footprint::{Touched, of_statement};
use crate::analysis::nest::{Nest, NestLoop};
use crate::cost::throughput::PAGE;
use crate::cost::{GroupCost, Model};
use crate::target::Cache;
use farkas_polyhedral::sets::Tuple;
use indexmap::IndexMap;

/// The share of a cache that a working set may have. The rest is for what else is going on.
const SHARE: f64 = 0.8;
/// One core in so many of those that share a cache is taken to be busy.
const QUIET_NEIGHBOURS: f64 = 4.0;
/// How much longer a line takes that no prefetcher fetches. What comes from L2 overlaps all the same.
const NOT_PREFETCHED: f64 = 2.0;
/// What is written is read first, and written back.
const WRITTEN: f64 = 2.0;

/// The bytes of a cache that a working set may have.
fn capacity(cache: &Cache) -> f64 {
    let cores = (f64::from(cache.shared_by) / QUIET_NEIGHBOURS).max(1.0);
    SHARE * cache.bytes as f64 / cores
}

/// A statement, and how often the loops at hand are executed around it.
type Executed<'t> = (&'t Tuple, f64);

impl Model<'_> {
    /// Adds the cycles by bytes into each cache level to the groups.
    pub(super) fn add_traffic(&self, nests: &IndexMap<Tuple, Nest>, groups: &mut [GroupCost]) {
        let all: Vec<Executed<'_>> = nests.keys().map(|tuple| (tuple, 1.0)).collect();
        for (level, cache) in self.target.caches.iter().enumerate() {
            let below = self.target.caches.get(level + 1);
            let bandwidth = below.map_or(self.target.memory.bandwidth, |below| below.bandwidth);
            let mut bytes = IndexMap::new();
            let not_prefetched = if level == 0 { 1.0 } else { NOT_PREFETCHED };
            // What fits as a whole is taken to be there already.
            if !self.fits(nests, &all, 0, cache) {
                self.traffic(nests, &all, 0, (cache, not_prefetched), &mut bytes);
            }
            for group in groups.iter_mut() {
                let own = group.statements.iter().filter_map(|tuple| bytes.get(tuple));
                group.bytes[level] = own.sum::<f64>() / bandwidth;
            }
        }
    }

    /// Adds the bytes that enter the cache by the loops from `depth` on around the statements, which share all loops
    /// outside.
    fn traffic<'t>(
        &self,
        nests: &IndexMap<Tuple, Nest>,
        statements: &[Executed<'t>],
        depth: usize,
        (cache, not_prefetched): (&Cache, f64),
        bytes: &mut IndexMap<&'t Tuple, f64>,
    ) {
        if self.fits(nests, statements, depth, cache) {
            self.add_footprint(nests, statements, depth, (cache, not_prefetched), bytes);
            return;
        }
        let mut loops: IndexMap<_, Vec<Executed<'t>>> = IndexMap::new();
        for (tuple, times) in statements {
            let real = nests[*tuple].loops.get(depth).filter(|l| !l.unrolled);
            loops.entry(real.map(|l| l.id)).or_default().push((tuple, *times));
        }
        for (id, inside) in loops {
            if id.is_none() || self.fits(nests, &inside, depth + 1, cache) {
                self.add_footprint(nests, &inside, depth, (cache, not_prefetched), bytes);
                continue;
            }
            let trips = |tuple: &Tuple| nests[tuple].loops[depth].trips;
            let inside: Vec<Executed<'t>> = inside
                .into_iter()
                .map(|(tuple, times)| (tuple, times * trips(tuple)))
                .collect();
            self.traffic(nests, &inside, depth + 1, (cache, not_prefetched), bytes);
        }
    }

    /// Whether what the loops from `depth` on touch fits in the cache. Two statements are taken to touch the same part of
    /// an array.
    fn fits(&self, nests: &IndexMap<Tuple, Nest>, statements: &[Executed<'_>], depth: usize, cache: &Cache) -> bool {
        let mut sizes: IndexMap<Tuple, f64> = IndexMap::new();
        for (tuple, _) in statements {
            for (array, touched) in self.touched(nests, tuple, depth, cache, true) {
                let size = sizes.entry(array).or_default();
                *size = size.max(touched.bytes);
            }
        }
        sizes.values().sum::<f64>() <= capacity(cache)
    }

    /// Adds what the loops from `depth` on touch: each array counts for the statement that touches most of it.
    fn add_footprint<'t>(
        &self,
        nests: &IndexMap<Tuple, Nest>,
        statements: &[Executed<'t>],
        depth: usize,
        (cache, not_prefetched): (&Cache, f64),
        bytes: &mut IndexMap<&'t Tuple, f64>,
    ) {
        let mut most: IndexMap<Tuple, (f64, &'t Tuple)> = IndexMap::new();
        for (tuple, times) in statements {
            for (array, touched) in self.touched(nests, tuple, depth, cache, false) {
                let written = if touched.writes { WRITTEN } else { 1.0 };
                let fetched = if self.is_prefetched(tuple, &nests[*tuple], &array) {
                    1.0
                } else {
                    not_prefetched
                };
                let own = times * touched.bytes * written * fetched;
                let entry = most.entry(array).or_insert((0.0, tuple));
                if own > entry.0 {
                    *entry = (own, tuple);
                }
            }
        }
        for (own, tuple) in most.into_values() {
            *bytes.entry(tuple).or_default() += own;
        }
    }

    /// The cycles by bytes into each cache level if what a statement touches in these loops enters it once.
    pub(super) fn compulsory(&self, tuple: &Tuple, loops: &[NestLoop]) -> Vec<f64> {
        let id = self.program.find_statement(tuple).expect("a statement of the program");
        let statement = (self.program.statement(id), &self.statements[tuple]);
        let levels = self.target.caches.iter().enumerate();
        let cycles = |(level, cache): (usize, &Cache)| {
            let touched = of_statement(statement, &self.layouts, loops, cache, false);
            let size: f64 = touched.values().map(|touched| touched.bytes).sum();
            let below = self.target.caches.get(level + 1);
            let bandwidth = below.map_or(self.target.memory.bandwidth, |below| below.bandwidth);
            if size > capacity(cache) { size / bandwidth } else { 0.0 }
        };
        levels.map(cycles).collect()
    }

    /// Whether the innermost loop goes through the array in steps that a prefetcher follows: within a page.
    fn is_prefetched(&self, tuple: &Tuple, nest: &Nest, array: &Tuple) -> bool {
        let id = self.program.find_statement(tuple).expect("a statement of the program");
        let accesses = self
            .program
            .statement(id)
            .accesses
            .iter()
            .zip(&self.statements[tuple].accesses);
        let mut strides = accesses
            .filter(|(access, _)| access.array() == array)
            .map(|(_, linear)| {
                let direction = nest.innermost().and_then(|l| l.direction.as_ref());
                direction.and_then(|d| self.layouts[array].stride(linear, d))
            });
        strides.all(|stride| stride.is_some_and(|stride| stride.abs() < PAGE))
    }

    /// What a statement touches of each array in the loops from `depth` on.
    fn touched(
        &self,
        nests: &IndexMap<Tuple, Nest>,
        tuple: &Tuple,
        depth: usize,
        cache: &Cache,
        with_conflicts: bool,
    ) -> IndexMap<Tuple, Touched> {
        let nest = &nests[tuple];
        let id = self.program.find_statement(tuple).expect("a statement of the program");
        let loops = &nest.loops[depth.min(nest.loops.len())..];
        let statement = (self.program.statement(id), &self.statements[tuple]);
        of_statement(statement, &self.layouts, loops, cache, with_conflicts)
    }
}
