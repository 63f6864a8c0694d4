//! Diamond tiles in place of the best tiles of a band over time: see [`diamond`](crate::transform::diamond).
//!
//! On one core they do no better than tiles that start one after the other: both use a value as often. They are for loops over tiles that
//! are parallel.

use farkas_polyhedral::budget::Outcome;
use farkas_polyhedral::tree::{Band, Path};

use super::band::Search;
use super::variant::Variant;
use super::{Candidate, tile_sizes};
use crate::transform::diamond::diamond;

impl Search<'_> {
    /// Adds the cheapest variant with tiles over time, in diamonds of the same sizes.
    pub(super) fn add_diamonds(
        &self,
        path: &Path,
        orders: &[(usize, Band)],
        candidates: &mut Vec<Candidate>,
    ) -> Outcome<()> {
        let is_plain = |variant: &Variant| {
            let in_order = variant.lanes.is_none() && variant.wavefront.is_none() && variant.separated.is_empty();
            in_order && variant.sunk == 0 && !variant.has_rows_of_children()
        };
        let tiled = candidates
            .iter()
            .filter(|Candidate { variant, .. }| variant.tile.is_some() && is_plain(variant));
        let Some(tiled) = tiled.min_by(|x, y| x.cost.cycles().total_cmp(&y.cost.cycles())) else {
            return Ok(());
        };
        let mut order = orders.iter();
        let order = order.find(|(innermost, _)| *innermost == tiled.variant.innermost);
        let (_, base) = order.expect("one of the orders");
        let Some(diamond) = diamond(base, self.dependences, self.b)? else {
            return Ok(());
        };
        let mut sizes = tiled.variant.tile.clone().expect("tiles");
        let members = [0, diamond.member];
        if self.choices.tile_sizes.is_some() && members.iter().any(|member| sizes[*member].is_none()) {
            return Ok(());
        }
        for member in members {
            sizes[member] = sizes[member].or(Some(tile_sizes::OUTER));
        }
        let variant = Variant {
            tile: Some(sizes),
            diamond: Some(diamond),
            ..tiled.variant.clone()
        };
        candidates.extend(self.priced(path, base, variant)?);
        Ok(())
    }
}
