//! Candidates in which statements have tiles of their own.
//!
//! In a permutable band of several statements, the innermost loop has to suit all of them, and none can be jammed. Most tiles are
//! of one statement only, though, if the others are near the diagonal: as the columns that are scaled in a factorization, between
//! updates of all that is left of the matrix. In its own tiles, a statement has the order, the register tile and the lanes that suit
//! it. Fewer dependences are left there, too: in `A[i][j] -= A[i][k] * A[k][j]` with `k < i <= j`, a row `k` is done before any row `i` of
//! another tile needs it, so that `i` and `j` carry nothing where `i` is a tile or more ahead of `k`.
//!
//! All orders of the points of a tile compete by cost. In loops as short as a tile, LLVM's vectorizer has no lead over lanes: it takes more time
//! than predicted.

use farkas_polyhedral::budget::Outcome;
use farkas_polyhedral::sets::Tuple;
use farkas_polyhedral::tree::{Band, Node, Path};

use super::band::{Search, outer_functions};
use super::choice::LEFT_TO_LLVM_IN_TILES;
use super::gaps::{Alone, alone, narrowed, shifts};
use super::kept::OtherElements;
use super::lanes::{Inside, JAMMED_STRIP};
use super::variant::{FACTOR, LARGER_FACTOR, factors_with_lanes};
use super::{Candidate, Separated, Variant, lanes};
use crate::analysis::levels;
use crate::cost::{Cost, GroupCost};
use crate::transform::interchange::Outer;
use crate::transform::jam::members_with_reuse;
use crate::transform::tile_separation::{band_of, coincident_members, shifted};

/// The sizes of tiles that are tried. They are the same in all members, so that other statements are in few tiles.
const SIZES: [i64; 2] = [32, 64];

/// The most rows times vectors of these points. Twice as many make more loops for what is left over than can be generated for a factorization
/// in triangles, whose order has no tiles of statements' own then.
const MOST_COPIES: i64 = LARGER_FACTOR;

/// A statement has tiles of its own if at least this share of its instances is in them.
const LEAST_SHARE: f64 = 0.3;

/// A statement with tiles of its own, the cost of all its instances if they were in these, and the share that is.
#[derive(Clone)]
struct Priced {
    separated: Separated,
    cost: Cost,
    share: f64,
}

/// The statements with tiles of one size of their own.
#[derive(Default)]
struct OfSize {
    /// With the best order of the points of each.
    best: Vec<Priced>,
    /// With the best one without lanes.
    plain: Vec<Priced>,
}

/// The order of a band that the tiles are of.
struct Base<'b> {
    path: &'b Path,
    band: &'b Band,
    /// What becomes of tiles that no statement has for itself.
    rest: &'b Candidate,
}

impl Search<'_> {
    /// Adds variants of a band in which statements have tiles of their own.
    pub(super) fn add_separated(
        &self,
        path: &Path,
        orders: &[(usize, Band)],
        candidates: &mut Vec<Candidate>,
    ) -> Outcome<()> {
        let (_, first) = &orders[0];
        // Tiles of statements have one size in all loops.
        let chosen = self.choices.tile_sizes.as_ref();
        let is_ruled_out = self.n_sunk > 0 || chosen.is_some_and(|chosen| !chosen.is_uniform());
        if !first.permutable || first.n() < 2 || first.statements().count() < 2 || is_ruled_out {
            return Ok(());
        }
        let is_plain = |candidate: &&Candidate| {
            let variant = &candidate.variant;
            let is_jammed = !variant.jam.is_empty() || variant.has_rows_of_children();
            variant.tile.is_none() && variant.lanes.is_none() && variant.wavefront.is_none() && !is_jammed
        };
        let by_cost = |x: &&Candidate, y: &&Candidate| x.cost.cycles().total_cmp(&y.cost.cycles());
        let Some(rest) = candidates.iter().filter(is_plain).min_by(by_cost).cloned() else {
            return Ok(());
        };
        let order = orders
            .iter()
            .find(|(innermost, _)| *innermost == rest.variant.innermost);
        let (_, band) = order.expect("one of the orders");
        let base = Base {
            path,
            band: &shifted(band, &shifts(self.model, band, SIZES[0], self.b)?),
            rest: &rest,
        };
        for size in SIZES {
            let own = self.of_size(&base, size)?;
            let plain = self.separated(&base, size, own.plain);
            let best = self.separated(&base, size, own.best);
            let is_new = |best: &Candidate| plain.as_ref().is_none_or(|plain| plain.variant != best.variant);
            let best = best.filter(is_new);
            candidates.extend(plain);
            candidates.extend(best);
        }
        Ok(())
    }

    /// The variant in which statements have these tiles of their own, if there are any.
    fn separated(&self, base: &Base<'_>, size: i64, alone: Vec<Priced>) -> Option<Candidate> {
        if alone.is_empty() {
            return None;
        }
        let cost = joined(&base.rest.cost, &alone);
        let variant = Variant {
            tile: Some(vec![Some(size); base.band.n()]),
            separated: alone.into_iter().map(|one| one.separated).collect(),
            ..base.rest.variant.clone()
        };
        Some(Candidate {
            node: variant.node(base.band, &[], &Outer::default(), &self.model.statements),
            transforms: variant.transforms(base.band, &base.rest.statements),
            statements: base.rest.statements.clone(),
            variant,
            cost,
        })
    }

    /// The statements with tiles of this size of their own.
    fn of_size(&self, base: &Base<'_>, size: i64) -> Outcome<OfSize> {
        let mut found = OfSize::default();
        for tuple in base.band.statements() {
            if self.model.statements[tuple].extent() < base.band.n() {
                continue;
            }
            let own = alone(self.model, base.band, tuple, size, self.b)?;
            let Some(own) = own.filter(|own| own.share >= LEAST_SHARE) else {
                continue;
            };
            let (own, coincident) = self.with_more_coincident(base, tuple, own, size)?;
            let points = self.points(base, (tuple, size), &own, &coincident)?;
            let cycles = |one: &Priced| match one.separated.points.has_lanes() {
                true => one.cost.cycles(),
                false => LEFT_TO_LLVM_IN_TILES * one.cost.cycles(),
            };
            let by_cost = |x: &&Priced, y: &&Priced| cycles(x).total_cmp(&cycles(y));
            let plain = points.iter().filter(|one| !one.separated.points.has_lanes());
            found.best.extend(points.iter().min_by(by_cost).cloned());
            found.plain.extend(plain.min_by(by_cost).cloned());
        }
        Ok(found)
    }

    /// The tiles that a statement has for itself, and the members that carry nothing in them. Tiles along a diagonal, in which fewer
    /// members do so, are left to the rest.
    fn with_more_coincident(
        &self,
        base: &Base<'_>,
        tuple: &Tuple,
        own: Alone,
        size: i64,
    ) -> Outcome<(Alone, Vec<bool>)> {
        let coincident_in = |tiles: &Alone| {
            let gaps = (&tiles.gaps[..], size);
            coincident_members(base.band, tuple, gaps, self.dependences, self.b)
        };
        let count = |coincident: &[bool]| coincident.iter().filter(|coincident| **coincident).count();
        let coincident = coincident_in(&own)?;
        let mut best = (own, coincident);
        if count(&best.1) + 1 < base.band.n() {
            for narrowed in narrowed(self.model, base.band, (tuple, &best.0), size, self.b)? {
                let coincident = coincident_in(&narrowed)?;
                if narrowed.share >= LEAST_SHARE && count(&coincident) > count(&best.1) {
                    best = (narrowed, coincident);
                }
            }
        }
        Ok(best)
    }

    /// The orders of the points in tiles that a statement has for itself.
    fn points(
        &self,
        base: &Base<'_>,
        (tuple, size): (&Tuple, i64),
        alone: &Alone,
        coincident: &[bool],
    ) -> Outcome<Vec<Priced>> {
        let outer = outer_functions(self.tree, base.path, base.band, &self.around);
        let mut priced = Vec::new();
        for innermost in 0..base.band.n() {
            let band = band_of(base.band, tuple, innermost, coincident);
            let jam = members_with_reuse(&band, &outer, &self.model.statements, None);
            let mut orders = vec![(Vec::new(), FACTOR, None)];
            if !jam.is_empty() {
                orders.push((jam, FACTOR, None));
            }
            let inside = Inside {
                small_tiles: true,
                others: OtherElements {
                    by_reads: true,
                    by_writes: false,
                },
                reads_ahead: false,
            };
            let mut strips = lanes::strips(self.model, (&band, &outer), self.choices.vectorize, inside);
            // Tiles are small: more rows or lanes fill few of them, and make much code for what is left over.
            strips.retain(|strip| !strip.is_register_tile || strip.lanes.strip() <= i64::from(JAMMED_STRIP));
            for strip in strips {
                let mut factors = factors_with_lanes(self.model, &strip);
                let copies = |factor: i64| factor * i64::from(strip.lanes.vectors);
                factors.retain(|factor| size % factor == 0 && copies(*factor) <= MOST_COPIES);
                for factor in factors {
                    orders.push((strip.jam.clone(), factor, Some(strip.lanes.clone())));
                }
            }
            for (jam, factor, lanes) in orders {
                let separated = Separated {
                    statement: tuple.clone(),
                    gaps: alone.gaps.clone(),
                    points: Variant {
                        jam,
                        factor,
                        lanes,
                        ..Variant::plain(innermost)
                    },
                    coincident: coincident.to_vec(),
                };
                let variant = Variant {
                    tile: Some(vec![Some(size); base.band.n()]),
                    separated: vec![separated.clone()],
                    ..base.rest.variant.clone()
                };
                let node = variant.node(base.band, &[], &Outer::default(), &self.model.statements);
                if let Some(cost) = self.cost_of(base.path, node, tuple)? {
                    priced.push(Priced {
                        separated,
                        cost,
                        share: alone.share,
                    });
                }
            }
        }
        Ok(priced)
    }

    /// The cost of a statement with this node for the band.
    fn cost_of(&self, path: &Path, node: Node, tuple: &Tuple) -> Outcome<Option<Cost>> {
        let tree = self.tree.rewritten(path, |_| node.clone());
        let Some(mut levels) = levels::of_tree(&tree, self.model.program) else {
            return Ok(None);
        };
        levels.retain(|other, _| other == tuple);
        Ok(Some(self.model.cost(&levels, self.b)?))
    }
}

/// The cost of statements in their own tiles, and of what is left in the order of the rest.
fn joined(rest: &Cost, alone: &[Priced]) -> Cost {
    let own = alone
        .iter()
        .flat_map(|one| one.cost.groups.iter().map(|group| group.scaled(one.share)));
    let mut groups: Vec<GroupCost> = own.collect();
    for group in &rest.groups {
        let mut inside = 0.0;
        for one in alone
            .iter()
            .filter(|one| group.statements.contains(&one.separated.statement))
        {
            let instances: f64 = one.cost.groups.iter().map(|group| group.instances).sum();
            inside += instances * one.share;
        }
        groups.push(group.scaled((1.0 - inside / group.instances.max(1.0)).max(0.0)));
    }
    Cost { groups }
}
