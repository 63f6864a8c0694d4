//! Sizes of cache tiles.
//!
//! The search begins with tiles of 32 in each loop and of 512 in the innermost one, which suit most second levels of caches, or, over time, with
//! *small* ones, for the first level, where these are clearly better: no loop alone brings the first ones there. From the beginning it goes
//! to the best *neighbour*, which has half or twice the size in one loop, or no tiles in it, as long as the cost model sees a clear gain.
//! A stencil over rows of 1000 elements, in tiles of 32 x 32 x 512 over time, comes to tiles of 16 x 16 time steps and rows,
//! and whole rows: each row is then entered once.

/// The sizes of the tiles of a band: `None` for a member that is not tiled.
pub(super) type TileSizes = Vec<Option<i64>>;

/// The size of a tile in a loop that is not innermost.
pub(super) const OUTER: i64 = 32;
/// The size of a tile in the innermost loop: long, for the vectorizer and the prefetcher.
pub(super) const INNERMOST: i64 = 512;
/// The same in small tiles.
const INNERMOST_SMALL: i64 = 128;
/// The least and the largest sizes.
const LEAST: i64 = 8;
const LARGEST: i64 = 2048;
/// The most steps from the usual sizes.
pub(super) const STEPS: usize = 4;
/// Each step has to be better by more than the model's errors: products of matrices are predicted to gain 7 per cent with half the
/// size, and gain 2. More tiles cost more work of the AST generator, too.
pub(super) const CLEARLY: f64 = 0.9;

/// The sizes to begin with, for a band of `n` members.
pub(super) fn usual(n: usize) -> TileSizes {
    let mut sizes = vec![Some(OUTER); n];
    sizes[n - 1] = Some(INNERMOST);
    sizes
}

/// The small sizes to begin with, for a band of `n` members over time; `None` for fewer than two loops over space, which fit L1 in any case.
/// Eight rows of two arrays of `double`, with a neighbour on each side, have 21 KB. The outermost member, time, has the usual size: what enters
/// L1 is used in so many steps.
pub(super) fn small(n: usize) -> Option<TileSizes> {
    if n < 3 {
        return None;
    }
    let mut sizes = vec![Some(LEAST); n];
    sizes[0] = Some(OUTER);
    sizes[n - 1] = Some(INNERMOST_SMALL);
    Some(sizes)
}

/// Sizes that differ in one member.
pub(super) fn neighbours(sizes: &[Option<i64>]) -> Vec<TileSizes> {
    let mut neighbours = Vec::new();
    for (member, size) in sizes.iter().enumerate() {
        let Some(size) = *size else { continue };
        let others = [Some(size / 2), Some(size * 2), None];
        for other in others {
            if other.is_none_or(|size| (LEAST..=LARGEST).contains(&size)) {
                let mut neighbour = sizes.to_vec();
                neighbour[member] = other;
                neighbours.push(neighbour);
            }
        }
    }
    // At least one member is tiled.
    neighbours.retain(|sizes| sizes.iter().any(Option::is_some));
    neighbours
}
