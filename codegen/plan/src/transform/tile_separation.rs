//! Tile separation: tiles in which one statement is executed only get a band of points of their own.
//!
//! ```text
//! [k/32, i/32, j/32]           tiles
//!   sequence
//!     T, j/32 > k/32           [k/4, i/4, j] { [k, i] unrolled }     full tiles of T, in the order that suits T
//!     S, and all else of T     [k, i, j] { S; T }                    the tiles along the diagonal
//! ```
//!
//! The points of a tile may come in any order of the band's members, as the band is permutable. The children of the sequence are never
//! in the same tile. This is full-tile separation for tiles of one statement, by index-set splitting along borders of tiles.

use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Aff, MultiAff, Set, Tuple, UnionSet};
use farkas_polyhedral::tree::{Band, Filter, Isolation, Node};

use super::function_of;
use super::interchange::with_innermost;
use super::tile::with_separate_innermost;

/// Tiles whose coordinate in one member is that many after the one in another member, or more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The first member.
    pub ahead: usize,
    /// The second member.
    pub behind: usize,
    /// The least difference.
    pub tiles: i64,
}

/// The tiles in which a statement is alone, and the node for their points.
pub(crate) struct TilesOf {
    pub(crate) statement: Tuple,
    pub(crate) gaps: Vec<Gap>,
    pub(crate) points: Node,
}

/// The band on one of its statements, with this member innermost.
pub(crate) fn band_of(band: &Band, statement: &Tuple, innermost: usize, coincident: bool) -> Band {
    let own = band.restricted(|tuple| tuple == statement).with_child(Node::Leaf);
    let mut own = with_innermost(&own.with_permutable(true), innermost);
    let last = own.n() - 1;
    own.members_mut()
        .iter_mut()
        .for_each(|member| member.coincident = false);
    own.members_mut()[last].coincident = coincident;
    with_separate_innermost(own)
}

/// Tiles of one size in all members. Those in which a statement is alone have their own points, and all others have the `rest`.
pub(crate) fn separated(band: &Band, size: i64, alone: Vec<TilesOf>, rest: Node) -> Node {
    let mut tiles = band.tiled(&vec![size; band.n()]).with_isolation(Isolation::Nothing);
    let mut others = Filter::of_statements(band.statements().cloned(), rest);
    let mut children = Vec::new();
    for TilesOf {
        statement,
        gaps,
        points,
    } in alone
    {
        let (inside, outside) = split(&function_of(band, &statement), &gaps, size);
        others.filter = with_set(&others.filter, outside);
        children.push(Filter {
            filter: UnionSet::from(inside),
            child: points,
        });
    }
    children.push(others);
    tiles.child = Node::Sequence(children);
    Node::band(tiles)
}

/// The instances in tiles with all gaps, and all others.
fn split(points: &MultiAff, gaps: &[Gap], size: i64) -> (Set, Set) {
    let space = points.domain_space();
    let tile = |member: usize| points.affs()[member].floor_div(&Int::from(size));
    let mut inside = Set::universe(space.clone());
    let mut outside = Set::empty(space.clone());
    for gap in gaps {
        let difference = tile(gap.ahead).sub(&tile(gap.behind));
        let least = Aff::constant(space.clone(), Int::from(gap.tiles));
        outside = outside.union(&inside.intersect(&difference.lt_set(&least)));
        inside = inside.intersect(&difference.ge_set(&least));
    }
    (inside, outside)
}

/// The union of sets with this one in place of that of its tuple.
fn with_set(all: &UnionSet, set: Set) -> UnionSet {
    let params = all.params().union(set.params());
    let mut out = UnionSet::empty(params);
    for other in all.sets() {
        out.add(if other.tuple() == set.tuple() { &set } else { other });
    }
    out
}
