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
use farkas_polyhedral::sets::{Aff, MultiUnionPwAff, PwAff, Set, Tuple, UnionPwAff};
use farkas_polyhedral::tree::{Band, Isolation, LoopKind, Node, Tree};

use super::other_loops::{Change, changed};

/// Tiles are divided by these.
pub(super) const DIVISORS: [i64; 3] = [2, 4, 16];

/// No tile becomes smaller: what is shared is worth a few iterations.
const LEAST: i64 = 8;
/// The same where it is divided by more than [`FEW_PARTS`]: that is for the rows of register tiles. Usual tiles of columns would be a few lines wide.
const LEAST_OF_MANY_PARTS: i64 = 48;
const FEW_PARTS: i64 = 4;

/// Smaller tiles are preferred while they are expected to take at most so many times as long: with other sizes, or another number of threads,
/// they are shared more evenly.
pub(super) const TOLERANCE: f64 = 1.02;

/// The tree with smaller tiles in the outermost bands of tiles; `None` where there are none that may become smaller by this factor.
pub(super) fn with_smaller_tiles(tree: &Tree, divisor: i64) -> Option<Tree> {
    changed(tree, &|band| match smaller(band, divisor) {
        Some(smaller) => Change::To(Node::band(smaller)),
        None if shared(band).is_some() => Change::Nothing,
        None => Change::Inside,
    })
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
    let parts = functions[member]
        .pw_affs()
        .map(|part| divided(part, divisor, &band.child));
    let parts = parts.collect::<Option<Vec<PwAff>>>()?;
    functions[member] = UnionPwAff::from_parts(functions[member].params().clone(), parts);
    let schedule = MultiUnionPwAff::new(Tuple::anonymous(band.n()), functions);
    Some(band.clone().with_schedule(schedule))
}

/// A function to tiles, to smaller ones that have whole strips in them.
fn divided(part: &PwAff, divisor: i64, inside: &Node) -> Option<PwAff> {
    let mut pieces = part.pieces();
    let (Some((domain, aff)), None) = (pieces.next(), pieces.next()) else {
        return None;
    };
    let (points, tile) = aff.as_floor_div()?;
    let smaller = tile.to_i64()? / divisor;
    let least = if divisor > FEW_PARTS {
        LEAST_OF_MANY_PARTS
    } else {
        LEAST
    };
    let fits = smaller >= least && tile == smaller * divisor && are_whole(inside, &points, smaller);
    fits.then(|| PwAff::new(domain.clone(), points.floor_div(&Int::from(smaller))))
}

/// Whether tiles of this size are made of whole strips: of register tiles, and of lanes.
fn are_whole(node: &Node, points: &Aff, size: i64) -> bool {
    let is_whole = |(_, aff): (&Set, &Aff)| match aff.as_floor_div() {
        Some((inner, strip)) if inner == *points => strip.to_i64().is_some_and(|strip| size % strip == 0),
        _ => true,
    };
    let own = match node {
        Node::Band(band) => {
            let mut parts = band.schedule().affs().iter().flat_map(UnionPwAff::pw_affs);
            parts.all(|part| part.pieces().all(is_whole))
        }
        _ => true,
    };
    own && node.children().all(|child| are_whole(child, points, size))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    /// The tiles of `[i/32, j/512]`, each in strips of so many of both, divided by 4.
    fn check(strips: [i64; 2], expected: Expect) {
        let [rows, columns] = strips;
        let tree = format!(
            "domain: \"[n] -> {{ S[i, j] : 0 <= i, j < n }}\"
child:
  schedule: \"[{{ S[i, j] -> [(floor((i)/32))] }}, {{ S[i, j] -> [(floor((j)/512))] }}]\"
  permutable: 1
  coincident: [ 1, 1 ]
  child:
    schedule: \"[{{ S[i, j] -> [(floor((i)/{rows}))] }}, {{ S[i, j] -> [(floor((j)/{columns}))] }}]\"
"
        );
        let tree: Tree = tree.parse().unwrap_or_else(|error| panic!("{error}"));
        let tiles = with_smaller_tiles(&tree, 4).map_or("none".to_owned(), |tree| match &tree.root {
            Node::Band(band) => band.schedule().to_string(),
            _ => unreachable!("a band"),
        });
        expected.assert_eq(&tiles);
    }

    #[test]
    fn the_first_member_has_smaller_tiles() {
        check(
            [4, 1],
            expect!["[{ S[i, j] -> [(floor((i)/8))] }, { S[i, j] -> [(floor((j)/512))] }]"],
        );
    }

    #[test]
    fn no_tile_is_less_than_a_strip() {
        check([16, 1], expect!["none"]);
    }
}
