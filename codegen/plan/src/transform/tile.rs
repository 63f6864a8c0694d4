//! Tiling for the cache: a band of tiles over a permutable band of points.
//!
//! ```text
//! [i/32, k/32, j/512]          tiles
//!   [i, k, j]                  points
//! ```
//!
//! The innermost loop gets a longer tile, for the vectorizer and the prefetcher.

use farkas_polyhedral::tree::{Band, Isolation, LoopKind, Node};

/// The band of tiles of these sizes, with `points` inside in place of the band's own points. A member without a size is not
/// tiled: all of its loop is in each tile.
///
/// # Panics
///
/// If there are not as many sizes as members.
pub(crate) fn tiled(band: &Band, sizes: &[Option<i64>], points: Node) -> Node {
    assert_eq!(sizes.len(), band.n(), "a size for each member");
    let members: Vec<usize> = (0..band.n()).filter(|member| sizes[*member].is_some()).collect();
    let sizes: Vec<i64> = sizes.iter().copied().flatten().collect();
    let mut tiles = band.select(&members).tiled(&sizes);
    // Bounds with a minimum cost little outside of the innermost loops: full tiles need no code of their own.
    tiles.isolation = Isolation::Nothing;
    tiles.child = points;
    Node::band(tiles)
}

/// The band with a loop of its own in the innermost member wherever a different set of statements is active, so that
/// vectorized loops are free of conditions.
pub(crate) fn with_separate_innermost(mut band: Band) -> Band {
    let last = band.n() - 1;
    band.members_mut()[last].kind = LoopKind::Separate;
    band
}
