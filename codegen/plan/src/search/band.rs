//! The variants of one band.

use super::Candidate;
use super::lanes::{self, Inside, Strip};
use super::register_tiles;
use super::tile_sizes::{self, TileSizes};
use super::variant::{FACTOR, Variant, factors, factors_with_lanes};
use crate::analysis::levels;
use crate::analysis::linear::linear_part;
use crate::choices::{Choices, Vectorize};
use crate::cost::{GroupCost, Model};
use crate::dependences::ByArray;
use crate::transform::distribute::Distribution;
use crate::transform::interchange::{Outer, with_children_in_order, with_innermost};
use crate::transform::jam::members_with_reuse;
use crate::transform::sink::sunk;
use crate::transform::tile::with_separate_innermost;
use crate::transform::{band_at, function_of, wavefront};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::{ElementType, Operation};
use farkas_polyhedral::sets::{Aff, Tuple, UnionMap};
use farkas_polyhedral::tree::{Band, Node, Path, Tree};

/// Makes the variants of bands.
pub(super) struct Search<'a> {
    pub(super) model: &'a Model<'a>,
    pub(super) dependences: &'a UnionMap,
    /// The dependences of each array, where these are of the program's statements.
    pub(super) by_array: Option<&'a ByArray>,
    pub(super) choices: &'a Choices,
    pub(super) b: &'a Budget,
    pub(super) tree: &'a Tree,
    /// What is between the cache tiles of a band and its points, outermost first: bands that members were sunk into.
    pub(super) around: Vec<Band>,
    /// How many members of a band, its first ones, were sunk.
    pub(super) n_sunk: usize,
}

impl Search<'_> {
    /// The variants of a band without bands inside, and the path to the node that they are instead of.
    pub(super) fn band(&self, path: Path) -> Outcome<(Path, Vec<Candidate>)> {
        let band = band_at(self.tree, &path);
        let plain = self.variants(&path, band)?;
        match sunk(self.tree, &path, band) {
            Some(sunk) => self.with_sunk(&path, plain, sunk),
            None => Ok((path, plain)),
        }
    }

    /// The variants of a band that is instead of the node at the path.
    pub(super) fn variants(&self, path: &Path, band: &Band) -> Outcome<Vec<Candidate>> {
        let outer = outer_functions(self.tree, path, band, &self.around);
        let mut candidates = Vec::new();
        let orders = self.orders(band, &outer)?;
        for order in &orders {
            self.add_orders(path, order, &outer, &mut candidates)?;
        }
        self.refine_tiles(path, &orders, false, &mut candidates)?;
        self.refine_tiles(path, &orders, true, &mut candidates)?;
        self.add_packed(path, &orders, &mut candidates)?;
        self.add_separated(path, &orders, &mut candidates)?;
        self.add_diamonds(path, &orders, &mut candidates)?;
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
                let fewer = jam
                    .iter()
                    .filter_map(|member| self.fewer_iterations(base, *member, factor));
                let variant = Variant {
                    sunk: self.n_sunk,
                    distribute,
                    tile,
                    fewer: fewer.collect(),
                    jam,
                    factor,
                    ..Variant::plain(*innermost)
                };
                candidates.extend(self.priced(path, base, variant)?);
            }
        }
        // Lanes are for loops that dependences serialize, or that LLVM's vectors gather in, as the plain variant, which is first, shows.
        let has = |what: fn(&GroupCost) -> bool| {
            candidates
                .get(first)
                .is_some_and(|candidate| candidate.cost.groups.iter().any(what))
        };
        let is_serialized = self.choices.vectorize == Vectorize::Force || has(|group| group.latency > 0.0);
        let reads_ahead = self.innermost_reads_ahead(path, base)?;
        if is_serialized || reads_ahead || has(|group| group.apart) {
            let inside = Inside {
                reads_ahead,
                ..Inside::of_band(self.model, base, outer, self.b)?
            };
            self.add_lanes(path, (*innermost, base), (outer, inside), candidates)?;
        }
        if is_serialized {
            self.add_wavefronts(path, (*innermost, base), outer, candidates)?;
        }
        Ok(())
    }

    /// A member with the constant number of its iterations, if there are fewer than so many. Where borders leave out some of these, as in
    /// windows, tiles of more would never be full.
    fn fewer_iterations(&self, base: &Band, member: usize, factor: i64) -> Option<(usize, i64)> {
        let iterations = self.iterations(base, member)?;
        (1.0 < iterations && iterations < factor as f64).then_some((member, iterations as i64))
    }

    /// The constant number of a member's iterations, in a band of one statement.
    fn iterations(&self, base: &Band, member: usize) -> Option<f64> {
        let mut tuples = base.statements();
        let (tuple, None) = (tuples.next()?, tuples.next()) else {
            return None;
        };
        let row = linear_part(&function_of(base, tuple).affs()[member])?;
        self.model.known_length(tuple, &row)
    }

    /// Adds the variants of one order with wavefronts along a loop that carries dependences, as does the innermost one.
    fn add_wavefronts(
        &self,
        path: &Path,
        (innermost, base): (usize, &Band),
        outer: &Outer,
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
                    tile,
                    wavefront: Some(member),
                    ..Variant::plain(innermost)
                };
                self.priced(path, base, variant)
            };
            candidates.extend(self.skewed_lanes(path, (innermost, base), outer, member)?);
            if self.branches(base)
                || self.spills_addresses(base)
                || !lanes::has_so_many(self.model, (base, outer), member, wavefront::ROWS as f64)
            {
                continue;
            }
            let Some(whole) = priced(None)? else { continue };
            // The loops of tiles of wavefronts cost much work of the AST generator.
            let clearly_better = |tiled: &Candidate| tiled.cost.cycles() < tile_sizes::CLEARLY * whole.cost.cycles();
            let tiled = match self.tile_sizes(innermost, base.n()) {
                Some(sizes) => priced(Some(sizes))?.filter(clearly_better),
                None => None,
            };
            candidates.push(whole);
            candidates.extend(tiled);
        }
        Ok(())
    }

    /// Whether data decides between blocks of a statement: branches that are predicted badly take what rows side by side gain. (Largest squares of
    /// ones, half of them at random, took 1.2 times as long in wavefronts of 8 rows.)
    fn branches(&self, base: &Band) -> bool {
        base.statements().any(|tuple| self.model.statement_of(tuple).blocks > 1)
    }

    /// Whether rows side by side have values and addresses that data decides on in the same registers, of which there are not enough. (Measured on Golden
    /// Cove, a local alignment of `int` with a table of scores: 8 rows ran at 0.1 to 0.5 of the original's speed, where 1.7 was predicted.)
    fn spills_addresses(&self, base: &Band) -> bool {
        base.statements().any(|tuple| {
            let statement = self.model.statement_of(tuple);
            let is_integer = |operation: &Operation| matches!(operation.ty, ElementType::Integer(_));
            let accesses = &self.model.statements[tuple].accesses;
            statement.operations.iter().all(is_integer) && accesses.iter().any(|access| access.subscripts().is_none())
        })
    }

    /// The variant of one order with wavefronts whose rows are vector lanes.
    fn skewed_lanes(
        &self,
        path: &Path,
        (innermost, base): (usize, &Band),
        outer: &Outer,
        member: usize,
    ) -> Outcome<Option<Candidate>> {
        let lanes = match self.choices.vectorize {
            Vectorize::Never => None,
            _ => lanes::skewed_strip(self.model, (base, outer), member),
        };
        let Some(lanes) = lanes else { return Ok(None) };
        let variant = Variant {
            wavefront: Some(member),
            lanes: Some(lanes),
            ..Variant::plain(innermost)
        };
        self.priced(path, base, variant)
    }

    /// Adds the variants of one order with vector lanes along a loop.
    fn add_lanes(
        &self,
        path: &Path,
        (innermost, base): (usize, &Band),
        (outer, inside): (&Outer, Inside),
        candidates: &mut Vec<Candidate>,
    ) -> Outcome<()> {
        for strip in lanes::strips(self.model, (base, outer), self.choices.vectorize, inside) {
            let factors = match self.choices.vectorize {
                Vectorize::Auto => factors_with_lanes(self.model, &strip),
                _ => factors(&strip.jam)[..1].to_vec(),
            };
            for factor in factors {
                for tile in self.tiles_of_strip((innermost, base), &strip, factor) {
                    let variant = Variant {
                        sunk: self.n_sunk,
                        tile,
                        jam: strip.jam.clone(),
                        factor,
                        lanes: Some(strip.lanes.clone()),
                        is_register_tile: strip.is_register_tile,
                        ..Variant::plain(innermost)
                    };
                    let packable = match &variant.tile {
                        Some(_) if strip.is_register_tile => self.operands_to_pack((base, outer), &strip),
                        _ => Vec::new(),
                    };
                    candidates.extend(self.priced(path, base, variant.clone())?);
                    for array in packable {
                        let pack = Some(array);
                        candidates.extend(self.priced(
                            path,
                            base,
                            Variant {
                                pack,
                                ..variant.clone()
                            },
                        )?);
                    }
                }
            }
        }
        Ok(())
    }

    /// The cache tiles to consider with lanes.
    fn tiles_of_strip(&self, (innermost, base): (usize, &Band), strip: &Strip, factor: i64) -> Vec<Option<TileSizes>> {
        let n = base.n();
        let with_usual = |mut tiles: Vec<Option<TileSizes>>| {
            tiles.extend(self.tile_sizes(innermost, n).map(Some));
            tiles
        };
        // A tile that is narrower than a strip would leave lanes idle in all strips: of bytes, a vector has 64.
        let lanes = &strip.lanes;
        let widened = |mut sizes: TileSizes| {
            let own = &mut sizes[lanes.member];
            *own = own.map(|size| size.max(i64::from(lanes.lanes * lanes.vectors)));
            sizes
        };
        let tiles = match n {
            _ if self.choices.vectorize != Vectorize::Auto => vec![None],
            n if self.n_sunk > 0 => {
                let jam = (&strip.jam[..], factor);
                with_usual(vec![None, self.register_tile(innermost, n, Some(&strip.lanes), jam)])
            }
            // Blocks that are transposed fetch lines along one loop and along the other one. Tiles cost small arrays next to nothing.
            2 if base.members()[1].coincident => vec![self.tile_sizes(innermost, n)],
            3.. if self.choices.tile_sizes.is_none() && strip.is_register_tile => {
                let tiles = |innermost| register_tiles::cache_tiles(self.model, base, strip, innermost);
                let tiles = register_tiles::INNERMOST.map(|innermost| Some(tiles(innermost)));
                [None].into_iter().chain(tiles).collect()
            }
            3.. => with_usual(vec![None]),
            _ => vec![None],
        };
        match self.choices.tile_sizes {
            Some(_) => tiles,
            None => tiles.into_iter().map(|sizes| sizes.map(widened)).collect(),
        }
    }

    /// A variant of a band, with the cost of its statements; `None` if the tree has no levels. Loops that run backward have no cache tiles:
    /// the schedule has them where rows of a linearised array may overlap, of which the model expects too much.
    pub(super) fn priced(&self, path: &Path, base: &Band, variant: Variant) -> Outcome<Option<Candidate>> {
        if variant.tile.is_some() && runs_backward(base) {
            return Ok(None);
        }
        let statements: Vec<Tuple> = base.statements().cloned().collect();
        let outer = outer_functions(self.tree, path, base, &self.around);
        let node = variant.node(base, &self.around, &outer, &self.model.statements);
        let tree = self.tree.rewritten(path, |_| node.clone());
        let of_program = self.model.program.statements.iter().map(|statement| statement.tuple());
        let in_order = of_program.filter(|tuple| statements.contains(tuple)).cloned().collect();
        let Some(levels) = levels::of_statements(&tree, in_order) else {
            return Ok(None);
        };
        Ok(Some(Candidate {
            cost: self.model.cost(&levels, self.b)?,
            transforms: variant.transforms(base, &statements),
            statements,
            variant,
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
        if self.choices.tile_sizes.is_some() || bound > tile_sizes::CLEARLY * least {
            return Ok(());
        }
        let order = orders
            .iter()
            .find(|(innermost, _)| *innermost == start.variant.innermost);
        let (_, base) = order.expect("one of the orders");
        let mut best = start.clone();
        // Steps of an outermost loop that carries nothing use nothing of each other's but at the borders of tiles.
        let has_steps = !base.members()[0].coincident && self.n_sunk == 0;
        let small = tile_sizes::small(base.n()).filter(|_| has_steps);
        if let Some(small) = self.clearly_better(path, base, &best, small)? {
            candidates.push(small.clone());
            best = small;
        }
        for _ in 0..tile_sizes::STEPS {
            let neighbours = tile_sizes::neighbours(best.variant.tile.as_deref().expect("tiles"));
            let Some(better) = self.clearly_better(path, base, &best, neighbours)? else {
                break;
            };
            candidates.push(better.clone());
            best = better;
        }
        Ok(())
    }

    /// The variant with the best of some sizes of tiles, each taken if it is clearly better than the one before, beginning with that at hand.
    fn clearly_better(
        &self,
        path: &Path,
        base: &Band,
        at_hand: &Candidate,
        sizes: impl IntoIterator<Item = TileSizes>,
    ) -> Outcome<Option<Candidate>> {
        let mut better: Option<Candidate> = None;
        for tile in sizes {
            let variant = Variant {
                tile: Some(tile),
                ..at_hand.variant.clone()
            };
            let bound = better.as_ref().unwrap_or(at_hand).cost.cycles();
            let priced = self.priced(path, base, variant)?;
            better = priced
                .filter(|c| c.cost.cycles() < tile_sizes::CLEARLY * bound)
                .or(better);
        }
        Ok(better)
    }

    /// The sizes of tiles to begin with, for a band of `n` members, and this one innermost; `None` if no member is to be tiled.
    fn tile_sizes(&self, innermost: usize, n: usize) -> Option<TileSizes> {
        let sizes = match &self.choices.tile_sizes {
            Some(chosen) => chosen.of_band(n)?,
            None => tile_sizes::usual(n),
        };
        let sizes = self.of_sunk(innermost, sizes);
        sizes.iter().any(Option::is_some).then_some(sizes)
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
        tilings.extend(sizes.clone().map(|sizes| (Some(sizes), Vec::new(), 1)));
        let mut jam = members_with_reuse(base, outer, &self.model.statements, None);
        // A window of unknown size may fill no tile.
        jam.retain(|member| {
            let is_known = self.iterations(base, *member).is_some();
            is_known || lanes::has_so_many(self.model, (base, outer), *member, 2.0 * FACTOR as f64)
        });
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
                .chain(sizes.clone().map(Some));
            tilings.extend(tiles.map(|tile| (tile, jam.clone(), *factor)));
        }
        tilings
    }
}

/// Whether a member of a band goes down along the first dimension that it depends on.
fn runs_backward(band: &Band) -> bool {
    let goes_down = |function: &Aff| {
        let row = linear_part(function);
        row.is_some_and(|row| row.iter().find(|c| !c.is_zero()).is_some_and(Int::is_neg))
    };
    let mut functions = band.statements().map(|tuple| function_of(band, tuple));
    functions.any(|function| function.affs().iter().any(goes_down))
}

/// The functions of the bands around the one at the path, and of those in `around`.
pub(super) fn outer_functions(tree: &Tree, path: &Path, band: &Band, around: &[Band]) -> Outer {
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
