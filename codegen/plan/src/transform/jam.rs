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
//! Small tiles that are full are isolated, so that the unrolled code is free of conditions.

use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::sets::{Aff, Tuple};
use farkas_polyhedral::tree::{Band, LoopKind, Node};

use super::function_of;
use super::interchange::Outer;
use crate::analysis::linear::{LinearAccess, Statements, Stride, direction, linear_part};

/// At most so many loops are unrolled: with three, code grows faster than it gains.
const MOST_LOOPS: usize = 2;

/// The members of a band along which a value of its only statement is used again while the innermost loop moves on: those
/// to unroll. None where the band is not permutable, is skewed, or has an innermost loop that cannot be vectorized. `outer` has the
/// functions of the bands around it.
pub(crate) fn members_with_reuse(band: &Band, outer: &Outer, statements: &Statements) -> Vec<usize> {
    let innermost = band.n() - 1;
    let mut tuples = band.statements();
    let (Some(tuple), None) = (tuples.next(), tuples.next()) else {
        return Vec::new();
    };
    if !band.permutable || !band.members()[innermost].coincident {
        return Vec::new();
    }
    let mut reused: Vec<usize> = (0..innermost)
        .filter(|member| has_reuse(band, &outer[tuple], tuple, *member, statements))
        .collect();
    reused.truncate(MOST_LOOPS);
    reused
}

fn has_reuse(band: &Band, outer: &[Aff], tuple: &Tuple, member: usize, statements: &Statements) -> bool {
    let statement = &statements[tuple];
    let own = function_of(band, tuple);
    // Outer loops over tiles have no linear part: all directions are inside of a tile.
    let outer: Vec<Row> = outer.iter().filter_map(linear_part).collect();
    let own: Option<Vec<Row>> = own.affs().iter().map(linear_part).collect();
    let Some(own) = own else { return false };
    let n_outer = outer.len();
    let rows = [outer, own].concat();
    let along = |member| direction(&rows, n_outer + member, statement.depth);
    let (Some(along_member), Some(along_innermost)) = (along(member), along(band.n() - 1)) else {
        return false;
    };
    let skewed = rows.iter().any(|row| row.iter().filter(|c| !c.is_zero()).count() > 1);
    let reuse = |access: &LinearAccess| {
        access.stride(&along_member) == Stride::Zero && access.stride(&along_innermost) == Stride::Unit
    };
    !skewed && statement.accesses.iter().any(reuse)
}

/// `[a, b, c]` with `a` and `b` in `members` as `[a/f, b/f, c] { [a, b] unrolled }`, for the factor `f`.
pub(crate) fn jammed(points: &Band, members: &[usize], factor: i64) -> Node {
    let sizes: Vec<i64> = (0..points.n())
        .map(|member| if members.contains(&member) { factor } else { 1 })
        .collect();
    let mut outer = points.tiled(&sizes);
    outer.members_mut()[points.n() - 1].kind = LoopKind::Separate;
    let mut inner = points.select(members).with_permutable(true);
    inner
        .members_mut()
        .iter_mut()
        .for_each(|member| member.kind = LoopKind::Unroll);
    Node::band(outer.with_child(Node::band(inner)))
}
