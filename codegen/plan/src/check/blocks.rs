//! The check of `block` and `keep` marks: iterations of a loop whose loads come before all of them, and whose stores
//! behind.
//!
//! In `block(8, A)` below a band `[i/8, j]`, all that eight iterations of `j` read of `A` is loaded before the first
//! one, and what they write to `A` is stored behind the last one. An instance reads what it has to if no other instance
//! of the block writes the element, and leaves what it has to if no other one accesses it.
//!
//! # What is checked
//!
//! In the same iteration of all loops outside, two different instances access no element in common that one of them
//! writes. That is more than has to be, as these may be in different blocks. What a single instance reads and writes is
//! up to the emitter, which knows the order of its accesses.

//! In `keep(s)`, an instance finds in a register what the one before it in the loop left there, where both access the
//! same element. In the same iteration of all loops outside, two instances that access an element in common, of which
//! one writes it, are of the same statement, and in the same iteration of all loops inside: they use the same lane of
//! the same register. That accesses stay the same along the loop is up to the emitter, which sees their addresses.

use super::{Checked, Checker, Refusal, refuse_form, together};
use farkas_polyhedral::budget::Outcome;
use farkas_polyhedral::sets::{Name, UnionMap};
use farkas_polyhedral::tree::{Mark, Node, Path, Reach};

impl Checker<'_> {
    /// Checks a mark on the loop above; `below` is the path to its child.
    pub(super) fn block(&self, mark: &Mark, iterations: u32, arrays: &[Name], below: &Path) -> Outcome<Checked> {
        if iterations < 2 {
            return refuse_form(mark, "a block has two iterations or more");
        }
        let Some(outer) = self.outside_of_loop_above(below)? else {
            return refuse_form(mark, "there is no loop directly above");
        };
        self.only(mark, arrays, &outer, None)
    }

    /// Checks a mark on the loop above; `below` is the path to its child.
    pub(super) fn keep(&self, mark: &Mark, arrays: &[Name], below: &Path) -> Outcome<Checked> {
        let Some(outer) = self.outside_of_loop_above(below)? else {
            return refuse_form(mark, "there is no loop directly above");
        };
        let mut same = UnionMap::empty(self.program.context.params().clone());
        let inside = self.tree.at(below).expect("the child of a mark");
        self.same_inside(inside, &outer, &mut same)?;
        self.only(mark, arrays, &outer, Some(&same))
    }

    /// Checks that in the same iteration of all loops outside, only `allowed` pairs of instances access an element of
    /// these arrays in common that one of them writes.
    fn only(&self, mark: &Mark, arrays: &[Name], outer: &Reach, allowed: Option<&UnionMap>) -> Outcome<Checked> {
        let same_outer = together(outer, self.b)?;
        for name in arrays {
            let mut known = self.program.arrays.keys();
            let Some(array) = known.find(|array| array.name() == Some(name)) else {
                return refuse_form(mark, "an array is none of the program's");
            };
            let mut pairs = self.conflicts(array, outer)?.intersect(&same_outer);
            if let Some(allowed) = allowed {
                pairs = pairs.subtract(allowed, self.b)?;
            }
            if !pairs.is_empty(self.b)? {
                return Ok(Err(Box::new(Refusal::Race {
                    mark: mark.clone(),
                    array: name.clone(),
                    pairs: Box::new(pairs),
                })));
            }
        }
        Ok(Ok(()))
    }

    /// Adds the pairs of instances of a statement that are in the same iteration of all loops in the subtree, and of
    /// those that `reach` tells apart.
    fn same_inside(&self, node: &Node, reach: &Reach, same: &mut UnionMap) -> Outcome<()> {
        if node.children().next().is_none() {
            for map in together(reach, self.b)?.maps() {
                if map.domain_tuple() == map.range_tuple() {
                    same.add(map);
                }
            }
            return Ok(());
        }
        for (position, child) in node.children().enumerate() {
            self.same_inside(child, &reach.through(node, position, self.b)?, same)?;
        }
        Ok(())
    }

    /// What reaches the loop that a mark speaks of which is above it: the last member of the band with nothing but
    /// marks between.
    fn outside_of_loop_above(&self, below: &Path) -> Outcome<Option<Reach>> {
        let mut at = below.parent().and_then(|mark| mark.parent());
        while let Some(path) = at {
            match self.tree.at(&path) {
                Some(Node::Mark(..)) => at = path.parent(),
                Some(Node::Band(band)) if band.n() > 0 => {
                    let outer: Vec<usize> = (0..band.n() - 1).collect();
                    let outside = self.tree.reach(&path, self.b)?;
                    return Ok(Some(outside.through(&Node::band(band.select(&outer)), 0, self.b)?));
                }
                _ => return Ok(None),
            }
        }
        Ok(None)
    }
}
