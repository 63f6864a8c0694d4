//! The search for an order: candidates by small generators, judged by the cost model, best first.
//!
//! A *variant* says what becomes of one band that has no band inside. It is composed of an innermost member
//! ([`interchange`]), an optional distribution ([`distribute`]), optional cache tiles ([`tile`]), an optional register
//! tile ([`jam`]) and optional vector lanes along a loop ([`vectorize`]). Bands are independent of each other, as the cost is a sum over groups of statements: each band takes its
//! best variant. Where bands are nested in a chain, there are variants with the parallel loops of the outer ones [sunk](mod@sunk)
//! into it.
//!
//! Example: the band `[i, j, k]` of a matrix product has 8 variants: each of the three innermost loops plain and tiled, and
//! those with `j` innermost also jammed. The model prefers `j` innermost, since all accesses are then consecutive or stay, tiled and jammed over `i` and `k`.

mod distribution;
mod gaps;
mod lanes;
mod outer;
mod separation;
mod sunk;
mod tile_sizes;
mod variant;

pub use variant::{Separated, Variant};

use lanes::Strip;
use outer::{OuterLanes, outer_lanes};
use tile_sizes::TileSizes;
use variant::{factors, factors_with_lanes};

use crate::analysis::levels;
use crate::analysis::nest::Nest;
use crate::choices::{Choices, Vectorize};
use crate::cost::{Bound, Cost, Model};
use crate::transform::distribute::Distribution;
use crate::transform::interchange::{Outer, with_children_in_order, with_innermost};
use crate::transform::jam::members_with_reuse;
use crate::transform::sink::sunk;
use crate::transform::tile::with_separate_innermost;
use crate::transform::{Transform, band_at, function_of, innermost_bands};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::sets::{Tuple, UnionMap};
use farkas_polyhedral::tree::{Band, Node, Path, Tree};

/// A variant has to be better than a simpler one by more than rounding.
const SIMPLER: f64 = 0.998;
/// A variant with lanes has to take at most this share of the time of the best one that is left to LLVM's vectorizer. Predictions
/// of both are as far apart where they take the same: a product of matrices of 700 x 700 is 0.74 by the model, and 1.1 as measured.
const LANES: f64 = 0.65;

/// A variant with jammed rows of each child of a band has to take at most this share of the time of one without. There is much more code
/// for rows that fill no register tile. (Measured on Zen 4: a stencil of 7 points in tiles of time is predicted at 0.86, and takes 1.05.)
const ROWS_OF_CHILDREN: f64 = 0.8;
/// The same for wavefronts whose rows are lanes, of the time of those whose rows are scalar code. The model expects too little of
/// the latter: time warping of 300 x 350 took 0.61 of the time where 0.93 was predicted, a 5-point Gauss-Seidel method 0.77 where 1.07
/// was.
const SKEWED_LANES: f64 = 1.15;
/// The same where memory bounds the latter: summed-area tables of 1333 x 1155 doubles took 1.06 of the time where 0.995 was
/// predicted, recursive filters of 1333 x 1555 floats 0.75 where 0.977 was.
const SKEWED_LANES_BY_BYTES: f64 = 0.99;

/// A variant of a band with its expected cost.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The statements of the band.
    pub statements: Vec<Tuple>,
    /// What becomes of the band.
    pub variant: Variant,
    /// The expected cost of the statements.
    pub cost: Cost,
    /// Whether it is the one that was chosen.
    pub chosen: bool,
    node: Node,
    transforms: Vec<Transform>,
}

/// An order of the whole program: one variant for each band.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) tree: Tree,
    pub(crate) transforms: Vec<Transform>,
    pub(crate) cost: Cost,
    chosen: Vec<usize>,
}

impl Found {
    /// Whether a loop becomes lanes.
    pub(crate) fn has_lanes(&self) -> bool {
        let makes_lanes = |transform: &Transform| matches!(transform, Transform::Vectorize { .. });
        self.transforms.iter().any(makes_lanes)
    }
}

/// What variants may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Repertoire {
    /// Loop distribution, which the order of a band does not show to be legal.
    pub(crate) distribution: bool,
    /// Loops sunk into the bands that they were around.
    pub(crate) sinking: bool,
    /// Cache tiles.
    pub(crate) tiles: bool,
    /// Tiles of statements' own.
    pub(crate) separation: bool,
    /// Unroll and jam.
    pub(crate) jam: bool,
    /// The same for the rows of each child of a band.
    pub(crate) rows_of_children: bool,
    /// Blocks of iterations around lanes.
    pub(crate) blocks: bool,
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
        separation: true,
        jam: true,
        rows_of_children: true,
        blocks: true,
        lanes: true,
    };

    fn allows(self, variant: &Variant) -> bool {
        (self.distribution || variant.distribute.is_none())
            && (self.rows_of_children || !variant.has_rows_of_children())
            && (self.sinking || variant.sunk == 0)
            && (self.tiles || variant.tile.is_none())
            && (self.separation || variant.separated.is_empty())
            && (self.jam || variant.jam.is_empty() && variant.wavefront.is_none())
            && (self.blocks || !variant.has_blocks())
            && (self.lanes || !variant.has_lanes())
            && variant.separated.iter().all(|one| self.jam && self.allows(&one.points))
    }
}

/// A schedule tree with the variants of all its innermost bands.
#[derive(Clone, Debug)]
pub(crate) struct Variants {
    scheduled: Tree,
    /// What was done to the tree before.
    done: Vec<Transform>,
    bands: Vec<(Path, Vec<Candidate>)>,
    /// Bands around others that may have lanes.
    outer: Vec<OuterLanes>,
}

/// The variants of all innermost bands of the scheduler's tree, the best ones marked as chosen; `None` where the tree has
/// no cost: not every statement has one function.
pub(crate) fn search(
    model: &Model<'_>,
    scheduled: &Tree,
    dependences: &UnionMap,
    choices: &Choices,
    b: &Budget,
) -> Outcome<Option<Variants>> {
    if scheduled.flat_schedule().is_none() || levels::of_tree(scheduled, model.program).is_none() {
        return Ok(None);
    }
    let search = Search {
        model,
        dependences,
        choices,
        b,
        tree: scheduled,
        around: Vec::new(),
        n_sunk: 0,
    };
    let mut bands = Vec::new();
    for path in innermost_bands(scheduled) {
        bands.push(search.band(path)?);
    }
    let mut variants = Variants {
        scheduled: scheduled.clone(),
        done: Vec::new(),
        bands,
        outer: match choices.vectorize {
            Vectorize::Never => Vec::new(),
            choice => outer_lanes(model, scheduled, choice == Vectorize::Force, b)?,
        },
    };
    let chosen = variants.choose(Repertoire::FULL, choices);
    for ((_, candidates), position) in variants.bands.iter_mut().zip(chosen) {
        candidates[position].chosen = true;
    }
    Ok(Some(variants))
}

impl Variants {
    /// The variants for a tree to which this was done before.
    pub(crate) fn after(self, done: Vec<Transform>) -> Self {
        Variants { done, ..self }
    }

    /// The tree whose bands these are variants of.
    pub(crate) fn scheduled(&self) -> &Tree {
        &self.scheduled
    }

    /// The candidates of each band.
    pub(crate) fn bands(&self) -> impl Iterator<Item = &[Candidate]> {
        self.bands.iter().map(|(_, candidates)| &candidates[..])
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
        let mut done = self.done.clone();
        // Paths to later bands stay as they are: each band is replaced by one node.
        for ((path, candidates), position) in self.bands.iter().zip(&chosen) {
            let chosen = &candidates[*position];
            done.extend(chosen.transforms.iter().cloned());
            tree = tree.rewritten(path, |_| chosen.node.clone());
        }
        let levels =
            |tree: &Tree| levels::of_tree(tree, model.program).expect("only variants with levels are candidates");
        let may_be = |outer: &&OuterLanes| repertoire.lanes && choices.candidate.is_none() && !self.is_gone(outer);
        for outer in self.outer.iter().filter(may_be) {
            let gains = match choices.vectorize {
                Vectorize::Force => !self.has_lanes_inside(outer, &chosen),
                _ => {
                    let mut plain = levels(&tree);
                    plain.retain(|tuple, _| outer.statements.contains(tuple));
                    outer.cost.cycles() < LANES * model.cost(&plain, b)?.cycles()
                }
            };
            if gains {
                let is_of_outer = |tuple: &Tuple| outer.statements.contains(tuple);
                done.retain(|transform| !transform.statements().iter().all(is_of_outer));
                done.extend(outer.transforms.iter().cloned());
                tree = tree.rewritten(&outer.path, |_| outer.node.clone());
            }
        }
        Ok(Found {
            cost: model.cost(&levels(&tree), b)?,
            tree,
            transforms: done,
            chosen,
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
        let without_rows_of_children = Repertoire {
            rows_of_children: false,
            ..Repertoire::FULL
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
                without_rows_of_children,
                Repertoire {
                    blocks: false,
                    ..Repertoire::FULL
                },
                without_lanes,
                without_sinking,
                Repertoire {
                    distribution: false,
                    ..without_sinking
                },
            ],
            Unusable::NoLoops => vec![
                without_rows_of_children,
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
                    ..without_sinking
                },
            ],
        };
        let refused = |repertoire: &Repertoire| {
            let mut chosen = self.bands.iter().zip(&found.chosen);
            found.has_lanes() && !repertoire.lanes
                || chosen.any(|((_, candidates), position)| !repertoire.allows(&candidates[*position].variant))
        };
        repertoires.into_iter().filter(refused).collect()
    }

    /// The position of the chosen candidate of each band.
    fn choose(&self, repertoire: Repertoire, choices: &Choices) -> Vec<usize> {
        let in_lanes =
            |candidate: &Candidate| candidate.variant.lanes.is_some() && repertoire.allows(&candidate.variant);
        let choose = |(_, candidates): &(Path, Vec<Candidate>)| match (choices.candidate, choices.vectorize) {
            (Some(position), _) => position.min(candidates.len() - 1),
            (None, Vectorize::Force) => {
                let forced = candidates.iter().position(in_lanes);
                forced.unwrap_or_else(|| best(candidates, repertoire))
            }
            (None, _) => best(candidates, repertoire),
        };
        self.bands.iter().map(choose).collect()
    }
}

/// Why an order that was found is of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unusable {
    /// The checker refused it.
    NotLegal,
    /// Its loops cost more than there is left to spend.
    NoLoops,
}

struct Search<'a> {
    model: &'a Model<'a>,
    dependences: &'a UnionMap,
    choices: &'a Choices,
    b: &'a Budget,
    tree: &'a Tree,
    /// What is between the cache tiles of a band and its points, outermost first: bands that members were sunk into.
    around: Vec<Band>,
    /// How many members of a band, its first ones, were sunk.
    n_sunk: usize,
}

impl Search<'_> {
    /// The variants of a band without bands inside, and the path to the node that they are instead of.
    fn band(&self, path: Path) -> Outcome<(Path, Vec<Candidate>)> {
        let band = band_at(self.tree, &path);
        let plain = self.variants(&path, band)?;
        match sunk(self.tree, &path, band) {
            Some(sunk) => self.with_sunk(&path, plain, sunk),
            None => Ok((path, plain)),
        }
    }

    /// The variants of a band that is instead of the node at the path.
    fn variants(&self, path: &Path, band: &Band) -> Outcome<Vec<Candidate>> {
        let outer = outer_functions(self.tree, path, band, &self.around);
        let mut candidates = Vec::new();
        let orders = self.orders(band, &outer)?;
        for order in &orders {
            self.add_orders(path, order, &outer, &mut candidates)?;
        }
        self.refine_tiles(path, &orders, false, &mut candidates)?;
        self.refine_tiles(path, &orders, true, &mut candidates)?;
        self.add_separated(path, &orders, &mut candidates)?;
        Ok(candidates)
    }

    /// The band with each of its members innermost, if it is permutable: the scheduler's own order first.
    fn orders(&self, band: &Band, outer: &Outer) -> Outcome<Vec<(usize, Band)>> {
        let last = band.n() - 1;
        let members = match band.permutable && band.n() > 1 {
            true => (0..=last).rev().collect(),
            false => vec![last],
        };
        let mut orders = Vec::new();
        for member in members {
            let ordered = with_innermost(band, member);
            let front = match self.is_jammable(&ordered, outer) {
                true => last - 1,
                false => last,
            };
            let ordered = with_children_in_order(ordered, front..=last, outer, self.dependences, self.b)?;
            orders.push((member, with_separate_innermost(ordered)));
        }
        Ok(orders)
    }

    /// Adds the variants of one order: plain, distributed, tiled, jammed.
    fn add_orders(
        &self,
        path: &Path,
        (innermost, base): &(usize, Band),
        outer: &Outer,
        candidates: &mut Vec<Candidate>,
    ) -> Outcome<()> {
        let first = candidates.len();
        let mut distributions = vec![None];
        distributions.extend(self.distributions(path, base, outer)?.into_iter().map(Some));
        for distribute in distributions {
            for (tile, jam, factor) in self.tilings((*innermost, base), outer, distribute) {
                let variant = Variant {
                    sunk: self.n_sunk,
                    innermost: *innermost,
                    distribute,
                    tile,
                    jam,
                    factor,
                    wavefront: None,
                    lanes: None,
                    separated: Vec::new(),
                };
                candidates.extend(self.priced(path, base, variant)?);
            }
        }
        // Lanes are for loops that wait for themselves, as the plain variant, which is first, shows.
        let waits = |candidate: &Candidate| candidate.cost.groups.iter().any(|group| group.latency > 0.0);
        let is_forced = self.choices.vectorize == Vectorize::Force;
        if is_forced || candidates.get(first).is_some_and(waits) {
            self.add_lanes(path, (*innermost, base), candidates)?;
            self.add_wavefronts(path, (*innermost, base), candidates)?;
        }
        Ok(())
    }

    /// Adds the variants of one order with wavefronts along a loop that carries dependences, as does the innermost one.
    fn add_wavefronts(
        &self,
        path: &Path,
        (innermost, base): (usize, &Band),
        candidates: &mut Vec<Candidate>,
    ) -> Outcome<()> {
        let members = base.members();
        let last = base.n() - 1;
        if !base.permutable || members[last].coincident || self.n_sunk > 0 {
            return Ok(());
        }
        for member in (0..last).filter(|member| !members[*member].coincident) {
            let priced = |tile| {
                let variant = Variant {
                    sunk: 0,
                    innermost,
                    distribute: None,
                    tile,
                    jam: Vec::new(),
                    factor: 1,
                    wavefront: Some(member),
                    lanes: None,
                    separated: Vec::new(),
                };
                self.priced(path, base, variant)
            };
            candidates.extend(self.skewed_lanes(path, (innermost, base), member)?);
            let Some(whole) = priced(None)? else { continue };
            // The loops of tiles of wavefronts cost much work of the AST generator.
            let clearly_better = |tiled: &Candidate| tiled.cost.cycles() < tile_sizes::CLEARLY * whole.cost.cycles();
            let tiled = priced(Some(self.tile_sizes(innermost, base.n())))?.filter(clearly_better);
            candidates.push(whole);
            candidates.extend(tiled);
        }
        Ok(())
    }

    /// The variant of one order with wavefronts whose rows are vector lanes.
    fn skewed_lanes(
        &self,
        path: &Path,
        (innermost, base): (usize, &Band),
        member: usize,
    ) -> Outcome<Option<Candidate>> {
        let lanes = match self.choices.vectorize {
            Vectorize::Never => None,
            _ => lanes::skewed_strip(self.model, base, member),
        };
        let Some(lanes) = lanes else { return Ok(None) };
        let variant = Variant {
            sunk: 0,
            innermost,
            distribute: None,
            tile: None,
            jam: Vec::new(),
            factor: 1,
            wavefront: Some(member),
            lanes: Some(lanes),
            separated: Vec::new(),
        };
        self.priced(path, base, variant)
    }

    /// Adds the variants of one order with vector lanes along a loop.
    fn add_lanes(
        &self,
        path: &Path,
        (innermost, base): (usize, &Band),
        candidates: &mut Vec<Candidate>,
    ) -> Outcome<()> {
        for strip in lanes::strips(self.model, base, self.choices.vectorize, false) {
            let factors = match self.choices.vectorize {
                Vectorize::Auto => factors_with_lanes(&strip.jam, &strip.lanes),
                _ => &factors(&strip.jam)[..1],
            };
            for factor in factors {
                for tile in self.tiles_of_strip((innermost, base.n()), &strip, *factor) {
                    let variant = Variant {
                        sunk: self.n_sunk,
                        innermost,
                        distribute: None,
                        tile,
                        jam: strip.jam.clone(),
                        factor: *factor,
                        wavefront: None,
                        lanes: Some(strip.lanes.clone()),
                        separated: Vec::new(),
                    };
                    candidates.extend(self.priced(path, base, variant)?);
                }
            }
        }
        Ok(())
    }

    /// The cache tiles to consider with lanes.
    fn tiles_of_strip(&self, (innermost, n): (usize, usize), strip: &Strip, factor: i64) -> Vec<Option<TileSizes>> {
        let usual = || Some(self.tile_sizes(innermost, n));
        match n {
            _ if self.choices.vectorize != Vectorize::Auto => vec![None],
            n if self.n_sunk > 0 => {
                let jam = (&strip.jam[..], factor);
                vec![None, self.register_tile(innermost, n, Some(&strip.lanes), jam), usual()]
            }
            3.. => vec![None, usual()],
            _ => vec![None],
        }
    }

    /// A variant of a band, with the cost of its statements; `None` if the tree has no levels.
    fn priced(&self, path: &Path, base: &Band, variant: Variant) -> Outcome<Option<Candidate>> {
        let statements: Vec<Tuple> = base.statements().cloned().collect();
        let outer = outer_functions(self.tree, path, base, &self.around);
        let node = variant.node(base, &self.around, &outer, &self.model.statements);
        let tree = self.tree.rewritten(path, |_| node.clone());
        let Some(mut levels) = levels::of_tree(&tree, self.model.program) else {
            return Ok(None);
        };
        levels.retain(|tuple, _| statements.contains(tuple));
        Ok(Some(Candidate {
            cost: self.model.cost(&levels, self.b)?,
            transforms: variant.transforms(base, &statements),
            statements,
            variant,
            chosen: false,
            node,
        }))
    }

    /// Adds variants with other sizes of tiles than the best one with tiles, each better than the one before: of those with jammed rows
    /// of children, or of all others.
    fn refine_tiles(
        &self,
        path: &Path,
        orders: &[(usize, Band)],
        rows_of_children: bool,
        candidates: &mut Vec<Candidate>,
    ) -> Outcome<()> {
        let tiled = |Candidate { variant, .. }: &&Candidate| {
            variant.tile.is_some() && variant.lanes.is_none() && variant.has_rows_of_children() == rows_of_children
        };
        let by_cost = |x: &&Candidate, y: &&Candidate| x.cost.cycles().total_cmp(&y.cost.cycles());
        let Some(start) = candidates.iter().filter(tiled).min_by(by_cost) else {
            return Ok(());
        };
        // Jammed rows of children are held against all others, and not the other way round.
        let beside = candidates
            .iter()
            .filter(|c| rows_of_children || !c.variant.has_rows_of_children());
        let least = beside.map(|c| c.cost.cycles()).fold(f64::MAX, f64::min);
        // At the best, tiles keep all bytes out of the caches, and cost nothing.
        let untiled = |candidate: &&Candidate| {
            let plain = Variant {
                tile: None,
                ..start.variant.clone()
            };
            candidate.variant == plain
        };
        let bound = candidates.iter().find(untiled).map_or(0.0, |c| c.cost.without_bytes());
        if self.choices.tile_size.is_some() || bound > tile_sizes::CLEARLY * least {
            return Ok(());
        }
        let order = orders
            .iter()
            .find(|(innermost, _)| *innermost == start.variant.innermost);
        let (_, base) = order.expect("one of the orders");
        let mut best = start.clone();
        for _ in 0..tile_sizes::STEPS {
            let mut better: Option<Candidate> = None;
            for tile in tile_sizes::neighbours(best.variant.tile.as_deref().expect("tiles")) {
                let variant = Variant {
                    tile: Some(tile),
                    ..best.variant.clone()
                };
                let bound = better.as_ref().unwrap_or(&best).cost.cycles();
                let priced = self.priced(path, base, variant)?;
                better = priced
                    .filter(|c| c.cost.cycles() < tile_sizes::CLEARLY * bound)
                    .or(better);
            }
            let Some(better) = better else { break };
            candidates.push(better.clone());
            best = better;
        }
        Ok(())
    }

    /// The sizes of tiles to begin with, for a band of `n` members, and this one innermost.
    fn tile_sizes(&self, innermost: usize, n: usize) -> TileSizes {
        let sizes = match self.choices.tile_size {
            Some(size) => vec![Some(size); n],
            None => tile_sizes::usual(n),
        };
        self.of_sunk(innermost, sizes)
    }

    /// Cache tiles, and members to jam with the factor: simple ones first.
    fn tilings(
        &self,
        (innermost, base): (usize, &Band),
        outer: &Outer,
        distribute: Option<Distribution>,
    ) -> Vec<(Option<TileSizes>, Vec<usize>, i64)> {
        let n = base.n();
        let mut tilings = vec![(None, Vec::new(), 1)];
        if n < 2 || !base.permutable {
            return tilings;
        }
        let sizes = self.tile_sizes(innermost, n);
        tilings.push((Some(sizes.clone()), Vec::new(), 1));
        let jam = members_with_reuse(base, outer, &self.model.statements);
        if jam.is_empty() || distribute.is_some() {
            return tilings;
        }
        for factor in factors(&jam) {
            let register_tile = match self.n_sunk {
                0 => None,
                _ => self.register_tile(innermost, n, None, (&jam, *factor)),
            };
            let tiles = [None]
                .into_iter()
                .chain(register_tile.map(Some))
                .chain([Some(sizes.clone())]);
            tilings.extend(tiles.map(|tile| (tile, jam.clone(), *factor)));
        }
        tilings
    }
}

/// The position of the cheapest candidate in the repertoire. Simpler ones are first, and have to be beaten clearly, and those
/// without lanes even more so, as do smaller register tiles: larger ones make more code, and leave more over at the ends. The first candidate is in every repertoire.
fn best(candidates: &[Candidate], repertoire: Repertoire) -> usize {
    let cycles = |position: usize| candidates[position].cost.cycles();
    let margin = |candidate: &Candidate| match &candidate.variant {
        variant if variant.has_rows_of_children() => ROWS_OF_CHILDREN,
        variant if variant.has_many_rows() => tile_sizes::CLEARLY,
        _ => SIMPLER,
    };
    let cheapest = |has_lanes: bool| {
        let allowed = |position: &usize| {
            let variant = &candidates[*position].variant;
            variant.lanes.is_some() == has_lanes && repertoire.allows(variant)
        };
        (0..candidates.len()).filter(allowed).reduce(|best, position| {
            match cycles(position) < margin(&candidates[position]) * cycles(best) {
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

/// The share of the time of a plain candidate that one with lanes has to take at most.
fn share_of_lanes([plain, lanes]: [&Candidate; 2]) -> f64 {
    let is_vectorized = || plain.cost.groups.iter().any(|group| group.vectorized);
    let is_bound_by_bytes = || {
        let heaviest = plain.cost.heaviest();
        heaviest.is_some_and(|group| matches!(group.bound(), Bound::Bytes { .. }))
    };
    match lanes.variant.wavefront {
        Some(_) if plain.variant.wavefront.is_some() && is_bound_by_bytes() => SKEWED_LANES_BY_BYTES,
        Some(_) if plain.variant.wavefront.is_some() => SKEWED_LANES,
        Some(_) if !is_vectorized() => tile_sizes::CLEARLY,
        _ => LANES,
    }
}

/// The interchanges of a tree: statements whose innermost loop goes along another direction than in the original order.
pub(crate) fn interchanged(model: &Model<'_>, tree: &Tree) -> Option<Transform> {
    let original = model.nests(&levels::of_original(model.program));
    let new = model.nests(&levels::of_tree(tree, model.program)?);
    let direction = |nest: &Nest| nest.innermost().and_then(|l| l.direction.clone());
    let changed = |tuple: &&Tuple| direction(&original[*tuple]) != direction(&new[*tuple]);
    let statements: Vec<Tuple> = original.keys().filter(changed).cloned().collect();
    (!statements.is_empty()).then_some(Transform::Interchange { statements })
}

/// The functions of the bands around the one at the path, and of those in `around`.
fn outer_functions(tree: &Tree, path: &Path, band: &Band, around: &[Band]) -> Outer {
    let mut outer: Outer = band.statements().map(|tuple| (tuple.clone(), Vec::new())).collect();
    let mut above = Vec::new();
    let mut at = path.parent();
    while let Some(path) = at {
        above.push(path.clone());
        at = path.parent();
    }
    let above = above.iter().rev().filter_map(|path| match tree.at(path) {
        Some(Node::Band(band)) => Some(&**band),
        _ => None,
    });
    for band in above.chain(around) {
        for (tuple, functions) in &mut outer {
            functions.extend_from_slice(function_of(band, tuple).affs());
        }
    }
    outer
}
