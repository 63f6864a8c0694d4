//! Smaller tiles for threads, where a few large ones would leave some threads without work.
//!
//! ```text
//! [i/32, k/32, j/512]          parallel [i/8, k/32, j/512]
//!   [i, k, j]                             [i, k, j]
//! ```
//!
//! 100 iterations of `i` are 4 tiles of 32, which eight threads do in the time of one tile, and 13 tiles of 8. One thread keeps the tiles
//! that were chosen for it, whose data stay in its cache for longer.

use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{MultiUnionPwAff, PwAff, Tuple, UnionPwAff};
use farkas_polyhedral::tree::{Band, Isolation, LoopKind, Mark, Node, Tree};

/// Tiles are divided by these.
pub(super) const DIVISORS: [i64; 2] = [2, 4];

/// No tile becomes smaller: register tiles have so many rows at the most.
const LEAST: i64 = 8;

/// Smaller tiles are preferred while they are expected to take at most so many times as long: with other sizes, or another number of threads,
/// they are shared more evenly.
pub(super) const TOLERANCE: f64 = 1.02;

/// The tree with smaller tiles in the outermost bands of tiles; `None` where there are none that may become smaller by this factor.
pub(super) fn with_smaller_tiles(tree: &Tree, divisor: i64) -> Option<Tree> {
    let mut found = false;
    let root = in_bands(tree.root.clone(), divisor, &mut found);
    found.then(|| Tree { root, ..tree.clone() })
}

fn in_bands(node: Node, divisor: i64, found: &mut bool) -> Node {
    match node {
        Node::Band(band) => match smaller(&band, divisor) {
            Some(smaller) => {
                *found = true;
                Node::band(smaller)
            }
            None if shared(&band).is_some() => Node::Band(band),
            None => Node::Band(band).map_children(&mut |child| in_bands(child, divisor, found)),
        },
        Node::Mark(Mark::Vector { .. } | Mark::Jam { .. }, _) => node,
        other => other.map_children(&mut |child| in_bands(child, divisor, found)),
    }
}

/// The member of a band that threads share: the first one whose iterations may run at the same time, or else the first one that may be the rows
/// of a pipeline.
fn shared(band: &Band) -> Option<usize> {
    let coincident = (0..band.n()).find(|member| band.members()[*member].coincident);
    coincident.or((band.permutable && band.n() > 1).then_some(0))
}

/// The band with smaller tiles of the member that threads share, if that is one of tiles.
fn smaller(band: &Band, divisor: i64) -> Option<Band> {
    let member = shared(band)?;
    let is_loop = band.members()[member].kind != LoopKind::Unroll;
    if !is_loop || !matches!(band.isolation, Isolation::Nothing) {
        return None;
    }
    let mut functions = band.schedule().affs().to_vec();
    let parts: Option<Vec<PwAff>> = functions[member].pw_affs().map(|part| divided(part, divisor)).collect();
    functions[member] = UnionPwAff::from_parts(functions[member].params().clone(), parts?);
    let schedule = MultiUnionPwAff::new(Tuple::anonymous(band.n()), functions);
    Some(band.clone().with_schedule(schedule))
}

/// A function to tiles, to smaller ones.
fn divided(part: &PwAff, divisor: i64) -> Option<PwAff> {
    let mut pieces = part.pieces();
    let (Some((domain, aff)), None) = (pieces.next(), pieces.next()) else {
        return None;
    };
    let (points, tile) = aff.as_floor_div()?;
    let smaller = tile.to_i64()? / divisor;
    let is_whole = tile == smaller * divisor && smaller % LEAST == 0;
    (smaller >= LEAST && is_whole).then(|| PwAff::new(domain.clone(), points.floor_div(&Int::from(smaller))))
}
