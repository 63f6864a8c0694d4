//! Unroll and jam: register tiles.
//!
//! A loop along which a statement uses a value again, while its innermost loop moves on, is tiled by a small constant, and
//! the small tile is unrolled inside the innermost loop. The value then stays in a register:
//!
//! ```text
//! [i/4, k/4, j]              j is the loop that is vectorized
//!   [i, k] unrolled          16 products for 4 rows of C and 4 rows of B
//! ```
//!
//! Small tiles that are full are isolated, so that the unrolled code is free of conditions. In those that are not full, the loops over `i`
//! and `k` go around that over `j`, as an `unjam` mark says: short loops inside would keep LLVM from vectorizing along `j`.

use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::sets::{Aff, Name, Tuple};
use farkas_polyhedral::tree::{Band, LoopKind, Mark, Node};

use super::function_of;
use super::interchange::Outer;
use crate::analysis::linear::{Statements, Stride, direction, linear_part};
use crate::analysis::reuse::has_group_reuse;

/// At most so many loops are unrolled: with three, code grows faster than it gains.
const MOST_LOOPS: usize = 2;
/// Reads that meet have to do so in copies that are no further apart.
const FEW_COPIES: f64 = 4.0;

/// The members of a band along which a value of its only statement is used again while the innermost loop moves on: those
/// to unroll. Where there is none, the innermost one along which two reads meet in an element. None where the band is not
/// permutable, is skewed, or has an innermost loop that cannot be vectorized. `outer` has the functions of the bands around it. The
/// innermost loop goes through neighbours of an array that is `packed`.
pub(crate) fn members_with_reuse(
    band: &Band,
    outer: &Outer,
    statements: &Statements,
    packed: Option<&Name>,
) -> Vec<usize> {
    let innermost = band.n() - 1;
    let mut tuples = band.statements();
    let (Some(tuple), None) = (tuples.next(), tuples.next()) else {
        return Vec::new();
    };
    if !band.permutable || !band.members()[innermost].coincident {
        return Vec::new();
    }
    let Some(Directions { along, inside }) = Directions::of(band, &outer[tuple], tuple, statements) else {
        return Vec::new();
    };
    let statement = &statements[tuple];
    let stays = |member: &usize| {
        let Some(along) = &along[*member] else { return false };
        let mut accesses = statement.accesses.iter();
        accesses.any(|access| {
            let is_packed = packed.is_some() && access.array.name() == packed;
            let is_consecutive = match access.stride(&inside) {
                Stride::Unit => true,
                Stride::Other => is_packed,
                Stride::Zero => false,
            };
            access.stride(along) == Stride::Zero && is_consecutive
        })
    };
    let mut reused: Vec<usize> = (0..innermost).filter(stays).collect();
    reused.truncate(MOST_LOOPS);
    if reused.is_empty() {
        let meets = |member: &usize| {
            let along = along[*member].as_ref();
            along.is_some_and(|along| has_group_reuse(statement, (along, FEW_COPIES), &inside))
        };
        reused.extend((0..innermost).rfind(meets));
    }
    reused
}

/// Whether so many copies of a statement along a member of a band share loads as two reads meet. The band may be skewed, but the loops
/// of this member and of the last one go along dimensions.
pub(crate) fn has_group_reuse_along(
    band: &Band,
    outer: &[Aff],
    tuple: &Tuple,
    (member, copies): (usize, i64),
    statements: &Statements,
) -> bool {
    let statement = &statements[tuple];
    let own = function_of(band, tuple);
    let Some((n_outer, rows)) = rows(outer, own.affs()) else {
        return false;
    };
    let along = |member: usize| {
        let direction = direction(&rows, n_outer + member, statement.depth)?;
        (direction.iter().filter(|c| !c.is_zero()).count() == 1).then_some(direction)
    };
    let (Some(along), Some(inside)) = (along(member), along(band.n() - 1)) else {
        return false;
    };
    has_group_reuse(statement, (&along, copies as f64), &inside)
}

/// The directions of a band that is not skewed.
struct Directions {
    /// Those of all members but the last, where there is one.
    along: Vec<Option<Row>>,
    /// That of the last one.
    inside: Row,
}

impl Directions {
    fn of(band: &Band, outer: &[Aff], tuple: &Tuple, statements: &Statements) -> Option<Directions> {
        let own = function_of(band, tuple);
        let (n_outer, rows) = rows(outer, own.affs())?;
        let skewed = rows.iter().any(|row| row.iter().filter(|c| !c.is_zero()).count() > 1);
        let along = |member| direction(&rows, n_outer + member, statements[tuple].depth);
        let inside = along(band.n() - 1).filter(|_| !skewed)?;
        Some(Directions {
            along: (0..band.n() - 1).map(along).collect(),
            inside,
        })
    }
}

/// The linear parts of the functions of a band's members and of those of the loops outside, with the number of the latter. Loops over
/// tiles outside have none: all directions are inside of a tile.
pub(super) fn rows(outer: &[Aff], own: &[Aff]) -> Option<(usize, Vec<Row>)> {
    let mut rows: Vec<Row> = outer.iter().filter_map(linear_part).collect();
    let n_outer = rows.len();
    for aff in own {
        rows.push(linear_part(aff)?);
    }
    Some((n_outer, rows))
}

/// `[a, b, c]` with `a` and `b` in `members` as `[a/f, b/g, c] { [a, b] unrolled }`, for the factors `f` and `g`.
pub(crate) fn jammed(points: &Band, members: &[usize], factors: &[i64]) -> Node {
    let (outer, copies) = tiles_and_copies(points, members, factors);
    Node::band(outer.with_child(unjam(copies)))
}

/// Copies in a loop, under the mark that has those that fill no tile as loops around it.
pub(crate) fn unjam(copies: Band) -> Node {
    let members = u32::try_from(copies.n()).expect("a few members");
    Node::Mark(Mark::Unjam { members }, Box::new(Node::band(copies)))
}

/// As [`jammed`], where the last loop is skewed against the rows along `member`, so that they cannot change places.
pub(crate) fn jammed_skewed(points: &Band, member: usize, factor: i64) -> Node {
    let (outer, copies) = tiles_and_copies(points, &[member], &[factor]);
    Node::band(outer.with_child(Node::band(copies)))
}

fn tiles_and_copies(points: &Band, members: &[usize], factors: &[i64]) -> (Band, Band) {
    let mut sizes = vec![1; points.n()];
    for (member, factor) in members.iter().zip(factors) {
        sizes[*member] = *factor;
    }
    let mut outer = points.tiled(&sizes);
    outer.members_mut()[points.n() - 1].kind = LoopKind::Separate;
    let mut copies = points.select(members).with_permutable(true);
    copies
        .members_mut()
        .iter_mut()
        .for_each(|member| member.kind = LoopKind::Unroll);
    (outer, copies)
}
