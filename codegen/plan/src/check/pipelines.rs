//! The check of `pipeline` marks: iterations of a loop, the *rows*, that overlap in the next loop inside, whose iterations are *steps*.
//!
//! A step of a row is executed when the row before has come as far: behind all steps of earlier rows that are not later ones.
//!
//! ```text
//! A[i][j] = f(A[i - 1][j], A[i][j - 1])      rows i, steps j: row i at step j needs row i - 1 at step j
//! A[i][j] = f(A[i - 1][j + 1])               needs step j + 1, which may come later: refused
//! ```
//!
//! # What is checked
//!
//! In the same iteration of all loops outside, no two instances that access the same element, of which one writes it, are such that one
//! is in an earlier row than the other and in a later step. Arrays that are private are checked as those of
//! `parallel` marks are: no value goes from one row to another. That rows and steps are in order otherwise is what the order
//! says.
//!
//! Tiles are later than others only if their points are. So no pair has to be looked at in tiles if there is none in points.

use super::{Checked, Checker, Refusal, refuse_form};
use farkas_polyhedral::budget::Outcome;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Aff, MultiAff, Name, UnionMap};
use farkas_polyhedral::tree::{Band, Mark, Node, Reach};

impl Checker<'_> {
    /// Checks a mark on the first two members of the band below.
    pub(super) fn pipeline(&self, mark: &Mark, private: &[Name], outer: &Reach, band: &Band) -> Outcome<Checked> {
        if band.n() < 2 {
            return refuse_form(mark, "there are no two loops directly below");
        }
        let rows = outer.through(&Node::band(band.select(&[0])), 0, self.b)?;
        if let Some(refusal) = self.escape(mark, private, outer, &rows.together(self.b)?)? {
            return Ok(Err(refusal));
        }
        let tiles = band.select(&[0, 1]);
        let points = points_of(&tiles);
        let same_outer = outer.together(self.b)?;
        for array in self.program.arrays.keys() {
            let name = array.name().expect("an array has a name");
            if private.contains(name) {
                continue;
            }
            let pairs = self.conflicts(array, outer)?.intersect(&same_outer);
            if let Some(points) = &points
                && !self.overtake(&pairs, outer, points)?
            {
                continue;
            }
            if self.overtake(&pairs, outer, &tiles)? {
                return Ok(Err(Box::new(Refusal::Race {
                    mark: mark.clone(),
                    array: name.clone(),
                    pairs: Box::new(pairs),
                })));
            }
        }
        Ok(Ok(()))
    }

    /// Whether an instance of a pair is in an earlier row than the other one, and in a later step.
    fn overtake(&self, pairs: &UnionMap, outer: &Reach, band: &Band) -> Outcome<bool> {
        let points = outer.through(&Node::band(band.clone()), 0, self.b)?;
        let points = points.schedule_relation(self.b)?;
        let moved = pairs.apply_domain(&points, self.b)?.apply_range(&points, self.b)?;
        let row = outer.depth();
        for moves in moved.deltas(self.b)?.sets() {
            let space = moves.space();
            let zero = Aff::constant(space.clone(), Int::ZERO);
            let [row, step] = [row, row + 1].map(|dim| Aff::var(space.clone(), dim));
            let later_row = row.gt_set(&zero).intersect(&step.lt_set(&zero));
            let earlier_row = row.lt_set(&zero).intersect(&step.gt_set(&zero));
            for overtaking in [later_row, earlier_row] {
                if !moves.intersect(&overtaking).is_empty(self.b)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

/// The functions that a band has tiles of, of one size in each member; `None` if it has other functions.
fn points_of(tiles: &Band) -> Option<Band> {
    let mut all_sizes: Option<Vec<Int>> = None;
    let mut functions = Vec::new();
    for tuple in tiles.statements() {
        let of_tiles = tiles.function_of(tuple)?;
        let divided: Option<Vec<(Aff, Int)>> = of_tiles.affs().iter().map(Aff::as_floor_div).collect();
        let (points, sizes): (Vec<Aff>, Vec<Int>) = divided?.into_iter().unzip();
        if all_sizes.get_or_insert_with(|| sizes.clone()) != &sizes {
            return None;
        }
        let range = of_tiles.space().range.clone();
        functions.push(MultiAff::new(of_tiles.domain_space(), range, points));
    }
    Some(Band::of_functions(tiles.n(), functions, Node::Leaf))
}
