//! The choice of a variant for each band.
//!
//! The cheapest one by the model is chosen, with margins for what it does not know: simple variants come first, and have to be beaten
//! clearly. A *repertoire* leaves some variants out, where the checker or the AST generator refused them.

use super::outer::OuterLanes;
use super::{Candidate, Choice, Found, Variant, Variants, tile_sizes};
use crate::analysis::levels;
use crate::choices::{Choices, Pack, Vectorize};
use crate::cost::{Bound, Cost, GroupCost, Model};
use crate::transform::Transform;
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::sets::Tuple;
use farkas_polyhedral::tree::{Path, Tree};

/// A variant has to be better than a simpler one by more than rounding.
const SIMPLER: f64 = 0.998;
/// A variant with lanes has to take at most this share of the time of the best one that is left to LLVM's vectorizer. Predictions
/// of both are as far apart where they take the same: a product of matrices of 700 x 700 is 0.74 by the model, and 1.1 as measured.
const LANES: f64 = 0.65;
/// The same where LLVM makes no vectors of what takes most of the time, or gathers them.
const LANES_OVER_SCALARS: f64 = 0.9;
/// The same for blocks that are transposed in registers, where LLVM gathers or scatters. (Measured on Zen 3, transpositions of 100 to 3000 rows: 0.5 to
/// 0.85 of the time where 0.99 was predicted, in `float` 0.3 to 1.)
const BLOCKS_OVER_GATHERS: f64 = 1.0;
/// The same for register tiles of several vectors, which share what they load. (Measured on Zen 3, products of matrices of 8 to 2000 rows:
/// 0.6 to 1.03 of the time where 0.71 was predicted.)
const REGISTER_TILES: f64 = 0.85;

/// How many times as long as predicted the points of small tiles take that are left to LLVM's vectorizer, beside those in lanes. (Measured on
/// Sapphire Rapids with vectors of 256 and of 512 bits, factorizations and inverses of triangles in both types: 1.26 in the middle of 50, and 1.5
/// in the middle of the 23 where both were predicted to take the same within a quarter, 0.9 to 2.8.)
pub(super) const LEFT_TO_LLVM_IN_TILES: f64 = 1.4;

/// A variant with a packed tile has to take at most this share of the time of the best one without. (Measured on Zen 4: products of which
/// both matrices are transposed took 1.0 of the time where 0.87 was predicted, and 0.9 where 0.72 was.)
const PACKED: f64 = 0.8;
/// The same where the latter has lanes that transpose blocks in registers, of which the model expects more than they gain. (Measured on
/// Zen 4 with vectors of 256 bits: products with a transposed matrix took 0.72 to 0.97 of the time where 0.88 to 1.01 was predicted, in
/// `float` 0.66 to 0.93 where 0.99 was; with 512 bits, 1.0 to 1.2 where 1.11 was, in `float` 0.85 to 1.4 where 1.29 was.)
const PACKED_OVER_BLOCKS: f64 = 1.03;
/// The same for a register tile whose rows are packed. (Measured on Sapphire Rapids, products with a scaled factor of 24 to 1100 rows in both
/// types, with 256 and 512 bits: 0.4 to 1.0 of the time of jammed rows in all but one of 60, where 0.6 to 0.9 was predicted.)
const PACKED_ROWS: f64 = 0.95;

/// A variant with jammed rows of each child of a band has to take at most this share of the time of one without. There is much more code
/// for rows that fill no register tile. (Measured on Zen 4: a stencil of 7 points in tiles of time is predicted at 0.86, and takes 1.05.)
const ROWS_OF_CHILDREN: f64 = 0.8;
/// The same for wavefronts in scalar code, of the time of one row after the other. Rows hand values on through memory, which takes more than
/// predicted. (Measured on Zen 4: an edit distance in two rows that take turns took 1.12 of the time where 0.75 was predicted.)
const SKEWED_SCALARS: f64 = 0.7;
/// The same for wavefronts whose rows are lanes, of the time of those whose rows are scalar code. The model expects too little of
/// the latter: time warping of 300 x 350 took 0.61 of the time where 0.93 was predicted, a 5-point Gauss-Seidel method 0.77 where 1.07
/// was.
const SKEWED_LANES: f64 = 1.15;
/// The same where memory bounds the latter: summed-area tables of 1333 x 1155 doubles took 1.06 of the time where 0.995 was
/// predicted, recursive filters of 1333 x 1555 floats 0.75 where 0.977 was.
const SKEWED_LANES_BY_BYTES: f64 = 0.99;
/// The same where the latter is one row after the other. Many rows at once are more streams than a prefetcher follows: summed-area
/// tables of integers took 0.82 of the time where 0.82 was predicted with 1000 x 1000 elements, and 1.5 with 2000 x 2000.
const SKEWED_LANES_OVER_ROWS: f64 = 0.75;

/// What variants may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Repertoire {
    /// Loop distribution, which the order of a band does not show to be legal.
    pub(crate) distribution: bool,
    /// Loops sunk into the bands that they were around.
    pub(crate) sinking: bool,
    /// Tiles.
    pub(crate) tiles: bool,
    /// Tiles that are larger than a register tile.
    pub(crate) cache_tiles: bool,
    /// Tiles of statements' own.
    pub(crate) separation: bool,
    /// Unroll and jam.
    pub(crate) jam: bool,
    /// The same for the rows of each child of a band.
    pub(crate) rows_of_children: bool,
    /// Blocks of iterations around lanes.
    pub(crate) blocks: bool,
    /// Packed tiles.
    pub(crate) packing: bool,
    /// Vector lanes, which the marks of members do not show to be legal: they may say of a reduction that its contributions
    /// come in any order.
    pub(crate) lanes: bool,
}

impl Repertoire {
    /// Everything.
    pub(crate) const FULL: Repertoire = Repertoire {
        distribution: true,
        sinking: true,
        tiles: true,
        cache_tiles: true,
        separation: true,
        jam: true,
        rows_of_children: true,
        blocks: true,
        packing: true,
        lanes: true,
    };

    /// Whether each iteration of a loop is one of the original loops.
    pub(crate) fn is_plain(self) -> bool {
        !(self.tiles || self.jam || self.lanes)
    }

    pub(crate) fn allows(self, variant: &Variant) -> bool {
        (self.distribution || variant.distribute.is_none())
            && (self.rows_of_children || !variant.has_rows_of_children())
            && (self.sinking || variant.sunk == 0)
            && (self.tiles || variant.tile.is_none())
            && (self.cache_tiles || !variant.has_cache_tiles())
            && (self.separation || variant.separated.is_empty())
            && (self.jam || variant.jam.is_empty() && variant.wavefront.is_none())
            && (self.blocks || !variant.has_blocks())
            && (self.packing || variant.pack.is_none())
            && (self.lanes || !variant.has_lanes())
            && variant.separated.iter().all(|one| self.jam && self.allows(&one.points))
    }
}

impl Variants {
    /// The variants for a tree to which this was done before.
    pub(crate) fn after(self, done: Vec<Transform>) -> Self {
        Variants { done, ..self }
    }

    /// The variants of bands that share loops outside, priced with what they find in caches of what the others fetched. The first
    /// variants show which share of the bytes that is.
    pub(crate) fn sharing(mut self, model: &Model<'_>, b: &Budget) -> Outcome<Self> {
        let first = |tree: Tree, (path, candidates): &(Path, Vec<Candidate>)| {
            tree.rewritten(path, |_| candidates[0].node.clone())
        };
        let tree = self.bands.iter().fold(self.scheduled.clone(), first);
        let levels = levels::of_tree(&tree, model.program).expect("only variants with levels are candidates");
        let together = model.cost(&levels, b)?;
        for (_, candidates) in &mut self.bands {
            let statements = candidates[0].statements.clone();
            let bytes = |cost: &Cost, level: usize| -> f64 {
                let is_own = |group: &&GroupCost| group.statements.iter().all(|tuple| statements.contains(tuple));
                cost.groups.iter().filter(is_own).map(|group| group.bytes[level]).sum()
            };
            let share = |level| match bytes(&candidates[0].cost, level) {
                alone if alone > 0.0 => (bytes(&together, level) / alone).min(1.0),
                _ => 1.0,
            };
            let shares: Vec<f64> = (0..model.target.caches.len()).map(share).collect();
            for group in candidates.iter_mut().flat_map(|candidate| &mut candidate.cost.groups) {
                group
                    .bytes
                    .iter_mut()
                    .zip(&shares)
                    .for_each(|(bytes, share)| *bytes *= share);
            }
        }
        Ok(self)
    }

    /// Those with which a tree fits, of each band that has such ones.
    pub(crate) fn fitting(mut self, fits: &dyn Fn(&Tree) -> bool) -> Self {
        for (path, candidates) in &mut self.bands {
            let is_fitting = |candidate: &Candidate| fits(&self.scheduled.rewritten(path, |_| candidate.node.clone()));
            if candidates.iter().any(is_fitting) {
                candidates.retain(is_fitting);
            }
        }
        self
    }

    /// What was done to the scheduler's tree before.
    pub(crate) fn done(&self) -> &[Transform] {
        &self.done
    }

    /// The tree whose bands these are variants of.
    pub(crate) fn scheduled(&self) -> &Tree {
        &self.scheduled
    }

    /// The candidates of each band.
    pub(crate) fn bands(&self) -> impl Iterator<Item = &[Candidate]> {
        self.bands.iter().map(|(_, candidates)| &candidates[..])
    }

    /// The bands around others that may have lanes.
    pub(crate) fn outer(&self) -> &[OuterLanes] {
        &self.outer
    }

    /// The order of the best variants within a repertoire.
    pub(crate) fn best(
        &self,
        model: &Model<'_>,
        repertoire: Repertoire,
        choices: &Choices,
        b: &Budget,
    ) -> Outcome<Found> {
        let chosen = self.choose(repertoire, choices);
        let mut tree = self.scheduled.clone();
        let mut done = Vec::new();
        // Paths to later bands stay as they are: each band is replaced by one node.
        for ((path, candidates), position) in self.bands.iter().zip(&chosen) {
            let chosen = &candidates[*position];
            done.extend(chosen.transforms.iter().cloned());
            tree = tree.rewritten(path, |_| chosen.node.clone());
        }
        let levels =
            |tree: &Tree| levels::of_tree(tree, model.program).expect("only variants with levels are candidates");
        let mut outer_verdicts = Vec::new();
        for outer in &self.outer {
            let verdict = match choices.vectorize {
                _ if !repertoire.lanes => OuterVerdict::NotInRepertoire,
                _ if choices.candidate.is_some() => OuterVerdict::ChosenOtherwise,
                _ if self.is_gone(outer) => OuterVerdict::Gone,
                Vectorize::Force if self.has_lanes_inside(outer, &chosen) => OuterVerdict::ChosenOtherwise,
                Vectorize::Force => OuterVerdict::Chosen,
                Vectorize::Auto | Vectorize::Never => {
                    let mut plain = levels(&tree);
                    plain.retain(|tuple, _| outer.statements.contains(tuple));
                    let plain = model.cost(&plain, b)?;
                    let at_most = match self.has_lanes_inside(outer, &chosen) {
                        true => LANES,
                        false => share_of_lanes_over(&plain),
                    };
                    let plain = plain.cycles();
                    match outer.cost.cycles() < at_most * plain {
                        true => OuterVerdict::Chosen,
                        false => OuterVerdict::TooDear(Shortfall::new(outer.cost.cycles(), plain, at_most)),
                    }
                }
            };
            if verdict == OuterVerdict::Chosen {
                let is_of_outer = |tuple: &Tuple| outer.statements.contains(tuple);
                done.retain(|transform| !transform.statements().iter().all(is_of_outer));
                done.extend(outer.transforms.iter().cloned());
                tree = tree.rewritten(&outer.path, |_| outer.node.clone());
            }
            outer_verdicts.push(verdict);
        }
        Ok(Found {
            cost: model.cost(&levels(&tree), b)?,
            tree,
            transforms: done,
            choice: Choice {
                repertoire,
                is_forced: choices.candidate.is_some() || choices.vectorize == Vectorize::Force,
                chosen,
                outer: outer_verdicts,
            },
        })
    }

    /// Whether something that sank took the place of a band's loops.
    fn is_gone(&self, outer: &OuterLanes) -> bool {
        let replaces = |path: &Path| *path != outer.path && outer.path.steps().starts_with(path.steps());
        self.bands.iter().any(|(path, _)| replaces(path))
    }

    /// Whether the chosen candidates have lanes inside of a band.
    fn has_lanes_inside(&self, outer: &OuterLanes, chosen: &[usize]) -> bool {
        let inside = self.bands.iter().zip(chosen);
        let mut inside = inside.filter(|((path, _), _)| path.steps().starts_with(outer.path.steps()));
        inside.any(|((_, candidates), position)| candidates[*position].variant.has_lanes())
    }

    /// The repertoires to fall back on where `found` turns out to be of no use: each leaves out something that it has.
    pub(crate) fn simpler(&self, found: &Found, reason: Unusable) -> Vec<Repertoire> {
        let without_packing = Repertoire {
            packing: false,
            ..Repertoire::FULL
        };
        let without_rows_of_children = Repertoire {
            rows_of_children: false,
            ..without_packing
        };
        let without_lanes = Repertoire {
            lanes: false,
            ..without_rows_of_children
        };
        let without_sinking = Repertoire {
            sinking: false,
            ..without_lanes
        };
        let repertoires = match reason {
            Unusable::NotLegal => vec![
                without_packing,
                without_rows_of_children,
                Repertoire {
                    blocks: false,
                    ..without_packing
                },
                without_lanes,
                without_sinking,
                Repertoire {
                    distribution: false,
                    ..without_sinking
                },
            ],
            Unusable::NoLoops => vec![
                without_packing,
                without_rows_of_children,
                Repertoire {
                    cache_tiles: false,
                    ..without_rows_of_children
                },
                Repertoire {
                    separation: false,
                    ..without_lanes
                },
                Repertoire {
                    tiles: false,
                    ..without_lanes
                },
                Repertoire {
                    tiles: false,
                    jam: false,
                    ..without_lanes
                },
                Repertoire {
                    tiles: false,
                    jam: false,
                    ..without_sinking
                },
            ],
        };
        let refused = |repertoire: &Repertoire| {
            let mut chosen = self.bands.iter().zip(&found.choice.chosen);
            found.has_lanes() && !repertoire.lanes
                || chosen.any(|((_, candidates), position)| !repertoire.allows(&candidates[*position].variant))
        };
        repertoires.into_iter().filter(refused).collect()
    }

    /// The position of the chosen candidate of each band.
    pub(super) fn choose(&self, repertoire: Repertoire, choices: &Choices) -> Vec<usize> {
        let in_lanes =
            |candidate: &Candidate| candidate.variant.lanes.is_some() && repertoire.allows(&candidate.variant);
        let choose = |(_, candidates): &(Path, Vec<Candidate>)| match (choices.candidate, choices.vectorize) {
            (Some(position), _) => position.min(candidates.len() - 1),
            (None, _) if choices.pack == Pack::Force => {
                best_packed(candidates, repertoire).unwrap_or_else(|| best(candidates, repertoire))
            }
            (None, Vectorize::Force) => {
                let forced = candidates.iter().position(in_lanes);
                forced.unwrap_or_else(|| best(candidates, repertoire))
            }
            (None, _) => best(candidates, repertoire),
        };
        self.bands.iter().map(choose).collect()
    }
}

/// By how much something is too dear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shortfall {
    /// Its cycles, as a share of those of what was taken.
    pub(crate) share: f64,
    /// The largest share with which it would have been taken.
    pub(crate) at_most: f64,
}

impl Shortfall {
    pub(crate) fn new(cycles: f64, taken: f64, at_most: f64) -> Shortfall {
        let share = cycles / taken;
        Shortfall { share, at_most }
    }

    /// Whether nothing is missing.
    pub(crate) fn is_none(self) -> bool {
        self.share < self.at_most
    }
}

/// What becomes of lanes along a band around others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OuterVerdict {
    /// They are taken in place of what was chosen for the bands inside.
    Chosen,
    /// What was chosen inside takes less.
    TooDear(Shortfall),
    /// Lanes are not in the repertoire.
    NotInRepertoire,
    /// The user chose candidates, or lanes wherever they are possible, which the bands inside have.
    ChosenOtherwise,
    /// Loops that sank took the place of the band.
    Gone,
}

/// Why an order that was found is of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unusable {
    /// The checker refused it.
    NotLegal,
    /// Its loops cost more than there is left to spend.
    NoLoops,
}

/// The position of the cheapest candidate in the repertoire. Simpler ones are first, and have to be beaten clearly, and those
/// without lanes even more so, as do smaller register tiles: larger ones make more code, and leave more over at the ends. The first
/// candidate is in every repertoire.
pub(super) fn best(candidates: &[Candidate], repertoire: Repertoire) -> usize {
    let unpacked = best_unpacked(candidates, repertoire);
    let cycles = |position: usize| candidates[position].cost.cycles();
    let is_cheaper = |packed: &usize| {
        let share = share_of_packed(&candidates[*packed].variant, &candidates[unpacked].variant);
        cycles(*packed) < share * cycles(unpacked)
    };
    best_packed(candidates, repertoire)
        .filter(is_cheaper)
        .unwrap_or(unpacked)
}

/// The share of the time of a variant without a packed tile that one with such a tile has to take at most.
fn share_of_packed(packed: &Variant, unpacked: &Variant) -> f64 {
    match packed.is_register_tile {
        true => PACKED_ROWS,
        false if unpacked.has_blocks() => PACKED_OVER_BLOCKS,
        false => PACKED,
    }
}

/// The position of the cheapest candidate with a packed tile in the repertoire.
fn best_packed(candidates: &[Candidate], repertoire: Repertoire) -> Option<usize> {
    let is_packed = |position: &usize| {
        let variant = &candidates[*position].variant;
        variant.pack.is_some() && repertoire.allows(variant)
    };
    let cycles = |position: &usize| candidates[*position].cost.cycles();
    let packed = (0..candidates.len()).filter(is_packed);
    packed.min_by(|x, y| cycles(x).total_cmp(&cycles(y)))
}

/// The same of those without packed tiles.
fn best_unpacked(candidates: &[Candidate], repertoire: Repertoire) -> usize {
    let cycles = |position: usize| candidates[position].cost.cycles();
    let cheapest = |has_lanes: bool| {
        let allowed = |position: &usize| {
            let variant = &candidates[*position].variant;
            variant.lanes.is_some() == has_lanes && variant.pack.is_none() && repertoire.allows(variant)
        };
        (0..candidates.len()).filter(allowed).reduce(|best, position| {
            match cycles(position) < margin(&candidates[position], &candidates[best]) * cycles(best) {
                true => position,
                false => best,
            }
        })
    };
    match (cheapest(false), cheapest(true)) {
        (Some(plain), Some(lanes)) => {
            match cycles(lanes) < share_of_lanes([plain, lanes].map(|k| &candidates[k])) * cycles(plain) {
                true => lanes,
                false => plain,
            }
        }
        (plain, lanes) => plain.or(lanes).unwrap_or(0),
    }
}

/// The share of the time of another candidate that this one has to take at most.
fn margin(candidate: &Candidate, other: &Candidate) -> f64 {
    // Of candidates in which statements have tiles of their own.
    let has_lanes = |variant: &Variant| (!variant.separated.is_empty()).then(|| variant.has_lanes());
    match (has_lanes(&candidate.variant), has_lanes(&other.variant)) {
        (Some(true), Some(false)) => LEFT_TO_LLVM_IN_TILES,
        (Some(false), Some(true)) => SIMPLER / LEFT_TO_LLVM_IN_TILES,
        _ if candidate.variant.wavefront.is_some() && other.variant.wavefront.is_none() => SKEWED_SCALARS,
        _ if candidate.variant.has_rows_of_children() => ROWS_OF_CHILDREN,
        _ if candidate.variant.has_many_rows() || candidate.variant.diamond.is_some() => tile_sizes::CLEARLY,
        _ => SIMPLER,
    }
}

/// What keeps a candidate from being taken in place of the chosen one.
pub(crate) fn shortfall(candidate: &Candidate, chosen: &Candidate) -> Shortfall {
    let at_most = match (&candidate.variant.lanes, &chosen.variant.lanes) {
        _ if candidate.variant.pack.is_some() => share_of_packed(&candidate.variant, &chosen.variant),
        _ if chosen.variant.pack.is_some() => 1.0 / share_of_packed(&chosen.variant, &candidate.variant),
        (Some(_), None) => share_of_lanes([chosen, candidate]),
        (None, Some(_)) => 1.0 / share_of_lanes([candidate, chosen]),
        _ => margin(candidate, chosen),
    };
    Shortfall::new(candidate.cost.cycles(), chosen.cost.cycles(), at_most)
}

/// The share of the time of a plain candidate that one with lanes has to take at most.
fn share_of_lanes([plain, lanes]: [&Candidate; 2]) -> f64 {
    let is_vectorized = || plain.cost.groups.iter().any(|group| group.vectorized);
    let is_bound_by_bytes = || {
        let heaviest = plain.cost.heaviest();
        heaviest.is_some_and(|group| matches!(group.bound(), Bound::Bytes { .. }))
    };
    let gathers = || {
        plain
            .cost
            .heaviest()
            .is_some_and(|group| group.vectorized && group.apart)
    };
    match lanes.variant.wavefront {
        Some(_) if plain.variant.wavefront.is_some() && is_bound_by_bytes() => SKEWED_LANES_BY_BYTES,
        Some(_) if plain.variant.wavefront.is_some() => SKEWED_LANES,
        Some(_) if !is_vectorized() => SKEWED_LANES_OVER_ROWS,
        None if lanes.variant.is_register_tile => REGISTER_TILES,
        None if lanes.variant.has_blocks() && gathers() => BLOCKS_OVER_GATHERS,
        _ => share_of_lanes_over(&plain.cost),
    }
}

/// The share of the time of code without lanes that some with lanes has to take at most.
fn share_of_lanes_over(plain: &Cost) -> f64 {
    match plain.heaviest() {
        Some(group) if !group.vectorized || group.apart => LANES_OVER_SCALARS,
        _ => LANES,
    }
}
