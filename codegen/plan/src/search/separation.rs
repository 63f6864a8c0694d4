//! Candidates in which statements have tiles of their own.
//!
//! In a permutable band of several statements, the innermost loop has to suit all of them, and none can be jammed. Most tiles are
//! of one statement only, though, if the others are near the diagonal: as the columns that are scaled in a factorization, between
//! updates of all that is left of the matrix. In its own tiles, a statement has the order and the register tile that suit it.

use farkas_polyhedral::budget::Outcome;
use farkas_polyhedral::sets::Tuple;
use farkas_polyhedral::tree::{Band, Node, Path};

use super::gaps::alone;
use super::variant::FACTOR;
use super::{Candidate, Search, Separated, Variant, outer_functions};
use crate::analysis::levels;
use crate::cost::{Cost, GroupCost};
use crate::transform::jam::members_with_reuse;
use crate::transform::tile_separation::band_of;

/// The sizes of tiles that are tried. They are the same in all members, so that other statements are in few tiles.
const SIZES: [i64; 2] = [32, 64];

/// A statement has tiles of its own if at least this share of its instances is in them.
const LEAST_SHARE: f64 = 0.3;

/// A statement with tiles of its own, the cost of all its instances if they were in these, and the share that is.
struct Priced {
    separated: Separated,
    cost: Cost,
    share: f64,
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
        if !first.permutable || first.n() < 2 || first.statements().count() < 2 || self.n_sunk > 0 {
            return Ok(());
        }
        let is_plain = |candidate: &&Candidate| {
            let variant = &candidate.variant;
            variant.tile.is_none() && variant.lanes.is_none() && variant.wavefront.is_none() && variant.jam.is_empty()
        };
        let by_cost = |x: &&Candidate, y: &&Candidate| x.cost.cycles().total_cmp(&y.cost.cycles());
        let Some(rest) = candidates.iter().filter(is_plain).min_by(by_cost).cloned() else {
            return Ok(());
        };
        let order = orders
            .iter()
            .find(|(innermost, _)| *innermost == rest.variant.innermost);
        let (_, base) = order.expect("one of the orders");
        for size in SIZES {
            let mut priced = Vec::new();
            for tuple in base.statements() {
                priced.extend(self.own_tiles(path, base, (tuple, size), &rest.variant)?);
            }
            if priced.is_empty() {
                continue;
            }
            let cost = joined(&rest.cost, &priced);
            let variant = Variant {
                tile: Some(vec![Some(size); base.n()]),
                separated: priced.into_iter().map(|one| one.separated).collect(),
                ..rest.variant.clone()
            };
            candidates.push(Candidate {
                node: variant.node(base, &[], &self.model.statements),
                transforms: variant.transforms(base, &rest.statements),
                statements: rest.statements.clone(),
                variant,
                cost,
                chosen: false,
            });
        }
        Ok(())
    }

    /// The best order of the points in the tiles that a statement has for itself.
    fn own_tiles(
        &self,
        path: &Path,
        base: &Band,
        (tuple, size): (&Tuple, i64),
        rest: &Variant,
    ) -> Outcome<Option<Priced>> {
        if self.model.statements[tuple].extent() < base.n() {
            return Ok(None);
        }
        let own = alone(self.model, base, tuple, size, self.b)?;
        let Some(own) = own.filter(|own| own.share >= LEAST_SHARE) else {
            return Ok(None);
        };
        let outer = outer_functions(self.tree, path, base, &self.around);
        let mut best: Option<Priced> = None;
        for innermost in 0..base.n() {
            let separated = |coincident: bool, jam: Vec<usize>| Separated {
                statement: tuple.clone(),
                gaps: own.gaps.clone(),
                points: Variant {
                    sunk: 0,
                    innermost,
                    distribute: false,
                    tile: None,
                    jam,
                    factor: FACTOR,
                    wavefront: None,
                    lanes: None,
                    separated: Vec::new(),
                },
                coincident,
            };
            let node = |separated: &Separated| {
                let variant = Variant {
                    tile: Some(vec![Some(size); base.n()]),
                    separated: vec![separated.clone()],
                    ..rest.clone()
                };
                variant.node(base, &[], &self.model.statements)
            };
            let waits = self.waits(path, node(&separated(false, Vec::new())), tuple)?;
            let band = band_of(base, tuple, innermost, !waits);
            let jam = members_with_reuse(&band, &outer, &self.model.statements);
            let jams = if jam.is_empty() {
                vec![jam]
            } else {
                vec![Vec::new(), jam]
            };
            for jam in jams {
                let separated = separated(!waits, jam);
                let Some(cost) = self.cost_of(path, node(&separated), tuple)? else {
                    continue;
                };
                if best.as_ref().is_none_or(|best| cost.cycles() < best.cost.cycles()) {
                    best = Some(Priced {
                        separated,
                        cost,
                        share: own.share,
                    });
                }
            }
        }
        Ok(best)
    }

    /// Whether the innermost loop around a statement carries a dependence of it, with this node for the band.
    fn waits(&self, path: &Path, node: Node, tuple: &Tuple) -> Outcome<bool> {
        let tree = self.tree.rewritten(path, |_| node.clone());
        match levels::of_tree(&tree, self.model.program) {
            Some(levels) => self.model.waits(tuple, &levels, self.b),
            None => Ok(true),
        }
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
