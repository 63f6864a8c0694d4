//! Which loops the children of a band may have for their own.

use farkas_polyhedral::budget::Outcome;
use farkas_polyhedral::check;
use farkas_polyhedral::tree::{Band, Path};

use super::band::Search;
use super::variant::{FACTOR, LARGER_FACTOR};
use crate::transform::distribute::{Distribution, distributed, is_distributable, is_jammable};
use crate::transform::interchange::{Outer, with_same_prefix};
use crate::transform::sink::inside_of;

impl Search<'_> {
    /// The legal distributions of a band whose innermost loop carries what goes from child to child.
    pub(super) fn distributions(&self, path: &Path, base: &Band, outer: &Outer) -> Outcome<Vec<Distribution>> {
        let mut legal = Vec::new();
        if !is_distributable(base) || base.members()[base.n() - 1].coincident {
            return Ok(legal);
        }
        if self.may_distribute(path, base, Distribution::Innermost, outer)? {
            legal.push(Distribution::Innermost);
        }
        let rows = |factor| Distribution::Jammed { factor };
        if self.is_jammable(base, outer)
            && self.has_independent_rows(base, outer)?
            && self.may_distribute(path, base, rows(1), outer)?
        {
            legal.extend([FACTOR, LARGER_FACTOR].map(rows));
        }
        Ok(legal)
    }

    /// Whether instances of each statement are independent of each other in the two innermost loops.
    fn has_independent_rows(&self, base: &Band, outer: &Outer) -> Outcome<bool> {
        for dependence in self.dependences.maps() {
            let (source, target) = (dependence.domain_tuple(), dependence.range_tuple());
            if source != target || !base.statements().any(|tuple| tuple == source) {
                continue;
            }
            let pairs = with_same_prefix(base, base.n() - 2, outer, (source, target), self.b)?;
            if !dependence.intersect(&pairs).is_empty(self.b)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether rows of a child share loads.
    pub(super) fn is_jammable(&self, base: &Band, outer: &Outer) -> bool {
        base.permutable && is_jammable(base, FACTOR, outer, &self.model.statements)
    }

    /// Whether each child of the band may have loops of its own.
    fn may_distribute(&self, path: &Path, base: &Band, distribution: Distribution, outer: &Outer) -> Outcome<bool> {
        let node = distributed(base, distribution, outer, &self.model.statements);
        let tree = self.tree.rewritten(path, |_| inside_of(&self.around, node.clone()));
        match tree.flat_schedule() {
            Some(schedule) => check::is_legal(self.dependences, &schedule, self.b),
            None => Ok(false),
        }
    }
}
