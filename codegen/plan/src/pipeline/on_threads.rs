//! Loops of an order on threads: which of them, and whether that is legal and gains.

use farkas_polyhedral::budget::Outcome;

use super::MARGIN;
use super::orders::{Legal, Search, levels_of};
use super::split::Models;
use crate::candidates::{OnThreads, OrderId, Rejection};
use crate::choices::Parallel;
use crate::cost::{Cost, Model};
use crate::dependences::Order;
use crate::kept::Kept;
use crate::search::{Found, Shortfall, Unusable};
use crate::threads::{self, OtherLoops, Team, Threaded};
use crate::transform::Transform;

impl Search<'_> {
    /// Whether an order is expected to gain, and legal: with loops on threads, if these gain.
    pub(super) fn checked(
        &self,
        models: &Models<'_>,
        (found, id): (&Found, OrderId),
        before: &Cost,
        order: &Order,
    ) -> Result<Option<Threaded>, Kept> {
        let alone = self.gains(models, found, before);
        let note = |threaded: &Threaded, rejection: Option<Rejection>| {
            self.considered.add_threads(
                id,
                OnThreads {
                    transforms: threaded.transforms.clone(),
                    cycles: threaded.cycles,
                    cycles_of_two: threaded.cycles_of_two,
                    rejection,
                },
            );
        };
        'attempts: for outside in 0..threads::ATTEMPTS {
            // First with other loops than the order has, then with its own.
            for may_change in [true, false] {
                let Some(threaded) = self.sites(&models.own, found, (outside, may_change))? else {
                    break 'attempts;
                };
                if let Some(shortfall) = self.shortfall(&threaded, found, before) {
                    note(&threaded, Some(Rejection::TooDear(shortfall)));
                    break 'attempts;
                }
                let mut legal = self.legal(&threaded.tree, order, found.has_lanes())?;
                if threaded.has_other_loops && matches!(legal, Legal::Yes) {
                    legal = self.legal(&found.tree, order, found.has_lanes())?;
                }
                let is_legal = matches!(legal, Legal::Yes);
                note(
                    &threaded,
                    (!is_legal).then_some(Rejection::Unusable(Unusable::NotLegal)),
                );
                match legal {
                    Legal::Yes => return Ok(Some(threaded)),
                    _ if threaded.has_other_loops => log::debug!("the loops of the order itself"),
                    Legal::No => return Err(Kept::NotLegal),
                    Legal::NoThreads => break,
                }
            }
            log::debug!("{outside} bands further inside");
        }
        alone?;
        match self.legal(&found.tree, order, found.has_lanes())? {
            Legal::Yes => Ok(None),
            Legal::NoThreads | Legal::No => Err(Kept::NotLegal),
        }
    }

    /// The order with loops on threads if the user wants threads and these gain.
    pub(super) fn threaded(&self, model: &Model<'_>, found: &Found, before: &Cost) -> Outcome<Option<Threaded>> {
        let threaded = self.sites(model, found, (0, true))?;
        Ok(threaded.filter(|threaded| self.shortfall(threaded, found, before).is_none()))
    }

    /// The order with loops on threads, outside of which so many bands are not considered, if the user wants threads. They may be others than
    /// those of the order if `may_change`.
    fn sites(
        &self,
        model: &Model<'_>,
        found: &Found,
        (outside, may_change): (usize, bool),
    ) -> Outcome<Option<Threaded>> {
        let force = match self.choices.parallel {
            Parallel::Never => return Ok(None),
            Parallel::Auto => false,
            Parallel::Force => true,
        };
        let levels = levels_of(model, found);
        let order = (&found.tree, &levels, &found.cost);
        let team = Team::of(self.target, self.target.cores);
        // Tiles of their own are made for the sizes that tiles have, and the user's sizes are the user's.
        let is_separation = |transform: &Transform| matches!(transform, Transform::SeparateTiles { .. });
        let keeps_tiles = self.choices.tile_sizes.is_some() || found.transforms.iter().any(is_separation);
        let others = match (may_change, keeps_tiles) {
            (false, _) => OtherLoops::None,
            (true, true) => OtherLoops::Strips,
            (true, false) => OtherLoops::StripsAndTiles,
        };
        threads::threaded(
            (model, self.problem.dependences_of_statements()),
            order,
            &team,
            (outside, force, others),
            self.b,
        )
    }

    /// What is missing for loops on threads to gain; `None` if they do, or the user wants them in any case.
    fn shortfall(&self, threaded: &Threaded, found: &Found, before: &Cost) -> Option<Shortfall> {
        let on_one = before.cycles().min(found.cost.cycles());
        let shortfall = Shortfall::new(threaded.cycles.max(threaded.cycles_of_two), on_one, MARGIN);
        let gains = shortfall.share <= shortfall.at_most;
        (!gains && self.choices.parallel != Parallel::Force).then_some(shortfall)
    }
}
