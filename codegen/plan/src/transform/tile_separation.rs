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

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Aff, Map, MultiAff, Set, Tuple, UnionMap, UnionSet};
use farkas_polyhedral::tree::{Band, Filter, Isolation, Node};

use super::function_of;
use super::interchange::with_innermost;

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

impl Gap {
    /// About the share of a statement's instances that are in tiles of this size with the gap, where the difference of both functions
    /// goes up to `range`.
    pub(crate) fn share(&self, size: i64, range: f64) -> f64 {
        let lost = size as f64 * (self.tiles as f64 - 0.5).max(0.0) / range.max(1.0);
        // In a triangle or a simplex, the instances with a small difference are those at its long side.
        (1.0 - lost).max(0.0).powi(2)
    }
}

/// The tiles in which a statement is alone, and the node for their points.
pub(crate) struct TilesOf {
    pub(crate) statement: Tuple,
    pub(crate) gaps: Vec<Gap>,
    pub(crate) points: Node,
}

/// The band with these constants added to the functions of its members: the same order, with other borders of tiles.
pub(crate) fn shifted(band: &Band, constants: &[i64]) -> Band {
    if constants.iter().all(|constant| *constant == 0) {
        return band.clone();
    }
    let function = |tuple: &Tuple| {
        let function = function_of(band, tuple);
        let shifted = function.affs().iter().zip(constants).map(|(aff, constant)| {
            let constant = Aff::constant(aff.space().clone(), Int::from(*constant));
            aff.add(&constant)
        });
        MultiAff::new(
            function.domain_space(),
            function.space().range.clone(),
            shifted.collect(),
        )
    };
    let functions: Vec<MultiAff> = band.statements().map(function).collect();
    Band::of_functions(band.n(), functions, band.child.clone())
        .with_members(band.members().to_vec())
        .with_permutable(band.permutable)
}

/// The band on one of its statements, with this member innermost. `coincident` says for each member whether it carries nothing.
pub(crate) fn band_of(band: &Band, statement: &Tuple, innermost: usize, coincident: &[bool]) -> Band {
    let mut own = band.restricted(|tuple| tuple == statement).with_child(Node::Leaf);
    let members = own.members_mut().iter_mut();
    for (member, coincident) in members.zip(coincident) {
        member.coincident = *coincident;
    }
    with_innermost(&own.with_permutable(true), innermost)
}

/// For each member of the band, whether none of the dependences of a statement on itself goes from one iteration of it to another
/// within the tiles with all gaps.
pub(crate) fn coincident_members(
    band: &Band,
    statement: &Tuple,
    (gaps, size): (&[Gap], i64),
    dependences: &UnionMap,
    b: &Budget,
) -> Outcome<Vec<bool>> {
    let points = function_of(band, statement);
    let (inside, _) = split(&points, gaps, size);
    let of = |affs: Vec<Aff>| MultiAff::new(points.domain_space(), Tuple::anonymous(affs.len()), affs).to_map();
    let same = |map: Map| map.apply_range(&map.reverse(), b);
    let tiles = points.affs().iter().map(|aff| aff.floor_div(&Int::from(size)));
    let own = dependences.extract(statement, statement);
    let own = own.intersect_domain(&inside).intersect_range(&inside);
    let own = own.intersect(&same(of(tiles.collect()))?);
    let mut coincident = Vec::new();
    for point in points.affs() {
        let carried = own.subtract(&same(of(vec![point.clone()]))?, b)?;
        coincident.push(carried.is_empty(b)?);
    }
    Ok(coincident)
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
