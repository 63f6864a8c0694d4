//! Variants of a band with parallel loops of the bands around it [sunk](crate::transform::sink) into it.
//!
//! They are those of any permutable band, but for tiles: these are of the sunk members only, and outside of the bands that the
//! members were sunk into. Beside tiles for the cache there are tiles of the size of a register tile. In
//!
//! ```text
//! [u/4, v/16]
//!   [x]
//!     [u/4, v/16, y]      one iteration of u/4 and of v/16
//!       [u, v]            4 rows of 16 lanes
//! ```
//!
//! the sums `s[u, v]` over `x` and `y` of a tile stay in registers, or in L1.

use super::Candidate;
use super::band::Search;
use super::tile_sizes::{self, TileSizes};

use crate::transform::sink::{Sunk, chain, inside_of};
use crate::transform::vectorize::Lanes;
use farkas_polyhedral::budget::Outcome;
use farkas_polyhedral::tree::{Band, Path};

impl Search<'_> {
    /// The plain variants of the band at the path, and those with members sunk into it, all instead of the chain of bands
    /// around it.
    pub(super) fn with_sunk(
        &self,
        path: &Path,
        mut candidates: Vec<Candidate>,
        sunk: Sunk,
    ) -> Outcome<(Path, Vec<Candidate>)> {
        let chain = chain(self.tree, path).into_iter();
        let replaced = chain.skip_while(|(path, _)| *path != sunk.top);
        let replaced: Vec<Band> = replaced.map(|(_, band)| band.clone()).collect();
        for candidate in &mut candidates {
            candidate.node = inside_of(&replaced, candidate.node.clone());
        }
        let inside = Search {
            around: sunk.around,
            n_sunk: sunk.count,
            ..*self
        };
        candidates.extend(inside.variants(&sunk.top, &sunk.innermost)?);
        Ok((sunk.top, candidates))
    }

    /// Where members were sunk, the sizes for these only: for the band after interchange, with this member innermost.
    pub(super) fn of_sunk(&self, innermost: usize, mut sizes: TileSizes) -> TileSizes {
        if self.n_sunk > 0 {
            let last = sizes.len() - 1;
            for (member, size) in sizes.iter_mut().enumerate() {
                let is_sunk = match member == last {
                    true => innermost < self.n_sunk,
                    false => member + usize::from(member >= innermost) < self.n_sunk,
                };
                if !is_sunk {
                    *size = None;
                }
            }
        }
        sizes
    }

    /// Tiles as large as a register tile in the sunk members that are jammed or lanes, and long ones in an innermost sunk one;
    /// `None` if that is no member.
    pub(super) fn register_tile(
        &self,
        innermost: usize,
        n: usize,
        lanes: Option<&Lanes>,
        (jam, factor): (&[usize], i64),
    ) -> Option<TileSizes> {
        let size = |member: usize| match (member, lanes) {
            (member, Some(lanes)) if member == lanes.member => Some(lanes.strip()),
            (member, _) if jam.contains(&member) => Some(factor),
            (member, None) if member == n - 1 => Some(tile_sizes::INNERMOST),
            _ => None,
        };
        let sizes = self.of_sunk(innermost, (0..n).map(size).collect());
        sizes.iter().any(Option::is_some).then_some(sizes)
    }
}
