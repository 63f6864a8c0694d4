//! The check of `shift` marks: lanes that hand on what they access along a loop.
//!
//! A read takes its value from the access that met its element last, in the loop above the mark. The emitter finds that access by
//! the distance, in iterations and lanes, at which both meet. So any two accesses that meet have to do so at one distance only:
//!
//! ```text
//! [s, i] of A[i][j] = f(A[i - 1][j + 1]), s = 2i + j      read and write meet at distance [1, 1]: one iteration, one lane
//! A[i][j] = f(A[i][0])                                    at [1, 0], [2, 0], ..: refused
//! ```
//!
//! # What is checked
//!
//! In the same iteration of all loops outside, take all pairs of instances that access an element of the array by two given
//! accesses, one of them a write. The differences of their iterations of the loop above and of their lanes are the same for all
//! pairs. That two reads meet at one distance is up to the emitter, as is the order of accesses of an instance.
//!
//! No access may write the array, or not: the value that a read finds would be that of one of two accesses.
//!
//! Where buffers take turns, accesses are by their [unfolded](farkas_polyhedral::program::Program::unfolded) subscripts: they meet where nothing else
//! is written to the element's place between them.

use super::blocks::{NOT_OF_THE_PROGRAM, pairs_of, race, reaching};
use super::{Checked, Checker, refuse_form};
use farkas_polyhedral::budget::Outcome;
use farkas_polyhedral::program::AccessKind;
use farkas_polyhedral::sets::{Name, Set, UnionMap};
use farkas_polyhedral::tree::{Mark, Node, Path, Reach};

impl Checker<'_> {
    /// Checks a mark on the loop above; `below` is the path to its child.
    pub(super) fn shift(&self, mark: &Mark, arrays: &[Name], below: &Path) -> Outcome<Checked> {
        let Some(outer) = self.outside_of_loop_above(below)? else {
            return refuse_form(mark, "there is no loop directly above");
        };
        let Some(lanes) = self.inside_of_lanes(below)? else {
            return refuse_form(mark, "there is more than lanes in the loop");
        };
        let same_outer = outer.together(self.b)?;
        let points = lanes.schedule_relation(self.b)?;
        let members = [outer.depth(), lanes.depth() - 1];
        let unfolded = self.program.unfolded();
        for name in arrays {
            let Some(array) = self.array_named(name) else {
                return refuse_form(mark, NOT_OF_THE_PROGRAM);
            };
            let accesses = reaching(&unfolded, array, &outer);
            if accesses.iter().any(|access| access.kind == AccessKind::MayWrite) {
                return refuse_form(mark, "an array is written under a condition");
            }
            for (one, other) in pairs_of(&accesses, |_, _| true) {
                let mut pairs = UnionMap::empty(same_outer.params().clone());
                pairs.add(&one.relation.apply_range(&other.relation.reverse(), self.b)?);
                let pairs = pairs.intersect(&same_outer);
                let moved = pairs.apply_domain(&points, self.b)?.apply_range(&points, self.b)?;
                for distances in moved.deltas(self.b)?.sets() {
                    if !self.have_one_value(distances, &members)? {
                        return race(mark, name, pairs);
                    }
                }
            }
        }
        Ok(Ok(()))
    }

    /// What reaches the inside of the loop over lanes below, if only bands and marks are on the way.
    fn inside_of_lanes(&self, below: &Path) -> Outcome<Option<Reach>> {
        let mut path = below.clone();
        let mut is_lanes = false;
        loop {
            match self.tree.at(&path) {
                Some(Node::Mark(mark, _)) => is_lanes = matches!(mark, Mark::Vector { .. }),
                Some(Node::Band(band)) if is_lanes && band.n() == 1 => {
                    let outside = self.tree.reach(&path, self.b)?;
                    return Ok(Some(outside.through(&Node::Band(band.clone()), 0, self.b)?));
                }
                Some(Node::Band(_)) => {}
                _ => return Ok(None),
            }
            path = path.child(0);
        }
    }

    /// Whether these dimensions have the same values in all elements, whatever the parameters.
    fn have_one_value(&self, distances: &Set, dims: &[usize]) -> Outcome<bool> {
        if distances.is_empty(self.b)? {
            return Ok(true);
        }
        for dim in dims {
            if distances.fixed_dim(*dim, self.b)?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
