//! The check of `kernel`, `blocks` and `threads`.
//!
//! What is executed at the same time are the pairs of a block and a thread, each of which executes the iterations that are dealt out to
//! it, and all that is inside, in order. Any two iterations of the blocks' band may be in different blocks, and any two of the threads'
//! band in different threads. So it has to be shown that
//!
//! - two instances in different iterations of the blocks' band, and in the same ones of the host's loops, access no element of an array
//!   that is not private of which one of them writes;
//! - the same for two instances in different iterations of the threads' band, and in the same one of the blocks' band;
//! - no value of a private array comes into an iteration of the threads' band, or goes out of it.
//!
//! That is race freedom of each band, of all members at once, as of a `parallel` loop. All instances of a kernel are below both
//! bands: that is a matter of form. Kernels do not overlap, as each waits for the one before.

use farkas_polyhedral::budget::Outcome;
use farkas_polyhedral::sets::Name;
use farkas_polyhedral::tree::{Band, Mark, Node, Path};

use super::{Checked, Checker, refuse_form};

/// The most threads of a block.
const MOST_THREADS: u32 = 1024;

/// A device counts blocks and threads in so many dimensions.
const MOST_MEMBERS: usize = 3;

impl Checker<'_> {
    /// Checks a kernel. `below` is the path of its child.
    pub(super) fn kernel(&self, mark: &Mark, private: &[Name], child: &Node, below: &Path) -> Outcome<Checked> {
        let Node::Mark(blocks @ Mark::Blocks { members }, tiles) = child else {
            return refuse_form(mark, "there is no blocks mark directly below");
        };
        let Node::Band(tiles) = &**tiles else {
            return refuse_form(blocks, "there is no loop directly below");
        };
        if tiles.n() != *members as usize || !(1..=MOST_MEMBERS).contains(&tiles.n()) {
            return refuse_form(blocks, "the band below has other members");
        }
        let Node::Mark(threads @ Mark::Threads { sizes }, points) = &tiles.child else {
            return refuse_form(mark, "there is no threads mark directly below the blocks");
        };
        let Node::Band(points) = &**points else {
            return refuse_form(threads, "there is no loop directly below");
        };
        if points.n() != sizes.len() || !(1..=MOST_MEMBERS).contains(&points.n()) {
            return refuse_form(threads, "the band below has other members");
        }
        let product = sizes.iter().try_fold(1_u32, |product, size| product.checked_mul(*size));
        if !product.is_some_and(|product| (1..=MOST_THREADS).contains(&product)) {
            return refuse_form(threads, "a block has 1 to 1024 threads");
        }
        if points
            .child
            .any(&|node| matches!(node, Node::Mark(other, _) if !matches!(other, Mark::User(_))))
        {
            return refuse_form(mark, "there are other marks inside of its threads");
        }
        if let Err(refusal) = self.dealt_out(blocks, private, (tiles, &below.child(0)))? {
            return Ok(Err(refusal));
        }
        self.dealt_out(threads, private, (points, &below.child(0).child(0).child(0)))
    }

    /// Checks that the iterations of a band may run at the same time.
    fn dealt_out(&self, mark: &Mark, private: &[Name], (band, path): (&Band, &Path)) -> Outcome<Checked> {
        let outer = self.tree.reach(path, self.b)?;
        let inner = outer.through(&Node::band(band.clone()), 0, self.b)?;
        self.concurrent(mark, private, &outer, &inner)
    }

    /// Checks that a mark that is part of a kernel is where a kernel has it; [`Checker::kernel`] checks all else. `below` is the path of
    /// its child.
    pub(super) fn part_of_kernel(&self, mark: &Mark, below: &Path) -> Outcome<Checked> {
        let around = |path: &Path| {
            path.parent()
                .and_then(|path| self.tree.at(&path).map(|node| (path, node)))
        };
        let own = below.parent();
        let is_part = match mark {
            Mark::Blocks { .. } => {
                let outer = own.and_then(|own| around(&own));
                matches!(outer, Some((_, Node::Mark(Mark::Kernel { .. }, _))))
            }
            _ => {
                let band = own
                    .and_then(|own| around(&own))
                    .filter(|(_, node)| matches!(node, Node::Band(_)));
                let outer = band.and_then(|(path, _)| around(&path));
                matches!(outer, Some((_, Node::Mark(Mark::Blocks { .. }, _))))
            }
        };
        match is_part {
            true => Ok(Ok(())),
            false => refuse_form(mark, "it is not in its place in a kernel"),
        }
    }
}
