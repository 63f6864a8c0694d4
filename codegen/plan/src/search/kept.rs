//! Elements that lanes keep in registers along the innermost loop.
//!
//! All accesses of a statement to an array have to be to elements that stay the same along the loop, and are others in each lane. There may be
//! several of them, in places next to each other, or in parts of the array that have no element in common:
//!
//! ```text
//! for (i) for (j) { f[i][0] += g(x[i][0] - x[j][0]); f[i][1] += g(x[i][1] - x[j][1]); }     two for each lane along i
//! for (i) for (j) { y[i] += a[i][j] * x[j]; y[n + i] += b[i][j] * x[j]; }                   the same
//! ```

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::{Row, zeros};
use farkas_polyhedral::program::{Access, AccessKind, Statement};
use farkas_polyhedral::sets::{Conj, Map};

use crate::analysis::linear::{LinearAccess, Stride};
use crate::cost::Model;

/// The loops that lanes are in.
pub(super) struct Around {
    /// The direction of the innermost one.
    pub(super) inner: Row,
    /// Those along which there are copies side by side. The last one is along the lanes.
    pub(super) moved: Vec<Row>,
    /// Whether all lanes are executed.
    pub(super) full: bool,
}

impl Around {
    fn lanes(&self) -> &Row {
        self.moved.last().expect("the lanes")
    }
}

/// Whether accesses of a statement by other subscripts are to other elements.
#[derive(Clone, Copy, Default)]
pub(super) struct OtherElements {
    /// Whether what it reads is no element that it writes in the innermost loop, unless the subscripts are the same.
    pub(super) by_reads: bool,
    /// Whether it writes no element by several subscripts.
    pub(super) by_writes: bool,
}

impl OtherElements {
    /// Of a statement whose instances go along `inner` in the innermost loop.
    pub(super) fn of(statement: &Statement, inner: &Row, b: &Budget) -> Outcome<OtherElements> {
        Ok(OtherElements {
            by_reads: reads_others_only(statement, inner, b)?,
            by_writes: writes_others_only(statement, b)?,
        })
    }
}

/// Whether the elements of an array that a statement writes are kept, of all its accesses to the array. It may read other elements where
/// nothing else is in the loop.
pub(super) fn are_kept(
    model: &Model<'_>,
    accesses: &[(&Access, &LinearAccess)],
    around: &Around,
    others: OtherElements,
) -> bool {
    let mut written: Vec<(&Access, &LinearAccess)> = Vec::new();
    for (access, linear) in accesses.iter().filter(|(_, linear)| linear.writes) {
        if !written.iter().any(|(other, _)| has_same_subscripts(access, other)) {
            written.push((access, linear));
        }
    }
    let apart = |k: usize| {
        let before = &written[..k];
        others.by_writes || before.iter().all(|(_, other)| are_apart(written[k].1, other, around))
    };
    let mut not_kept = accesses
        .iter()
        .filter(|(access, _)| !written.iter().any(|(kept, _)| has_same_subscripts(access, kept)));
    let is_other = |linear: &LinearAccess| {
        let moves = linear.stride_of_lanes(&around.inner) != Stride::Zero
            || linear.stride_of_lanes(around.lanes()) == Stride::Zero;
        others.by_reads && !linear.writes && moves
    };
    !written.is_empty()
        && written.iter().all(|one| has_to_be_kept(model, one, around))
        && (0..written.len()).all(apart)
        && not_kept.all(|(_, linear)| is_other(linear))
}

/// Whether an element that is written stays the same along the innermost loop, is another one for each copy, and is not seen by LLVM to
/// stay. It sees so of lanes next to each other that are all executed, but not where a mask leaves out some.
fn has_to_be_kept(model: &Model<'_>, (written, linear): &(&Access, &LinearAccess), around: &Around) -> bool {
    let is_seen =
        around.full && linear.stride_of_lanes(around.lanes()) == Stride::Unit && written.kind == AccessKind::MustWrite;
    let stays = linear.stride_of_lanes(&around.inner) == Stride::Zero && linear.tells_apart(&around.moved);
    stays && !is_seen && model.in_memory(written)
}

/// Whether it is plain that two accesses are never to the same element in these loops: they differ by a number in a subscript that stays.
fn are_apart(one: &LinearAccess, other: &LinearAccess, around: &Around) -> bool {
    let directions: Vec<&Row> = around.moved.iter().chain([&around.inner]).collect();
    one.differs_in_staying(other, &directions)
}

/// Whether no instance of a statement reads an element that an instance in the same loop along `inner` writes by other subscripts. It is not
/// looked for where `inner` moves along several dimensions.
///
/// ```text
/// for (k < i) b[i] -= a[i][k] * b[k];       b[i] is no b[k]
/// ```
fn reads_others_only(statement: &Statement, inner: &Row, b: &Budget) -> Outcome<bool> {
    let mut moving = (0..inner.len()).filter(|dim| !inner[*dim].is_zero());
    let (Some(inner), None) = (moving.next(), moving.next()) else {
        return Ok(false);
    };
    let writes = || {
        statement
            .accesses
            .iter()
            .filter(|access| access.kind != AccessKind::Read)
    };
    for read in statement
        .accesses
        .iter()
        .filter(|access| access.kind == AccessKind::Read)
    {
        for write in writes().filter(|write| write.array() == read.array() && !has_same_subscripts(write, read)) {
            let pairs = write.relation.apply_range(&read.relation.reverse(), b)?;
            if !pairs.intersect(&in_one_loop(&pairs, inner)).is_empty(b)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Whether a statement writes no element by several subscripts.
fn writes_others_only(statement: &Statement, b: &Budget) -> Outcome<bool> {
    let writes = statement
        .accesses
        .iter()
        .filter(|access| access.kind != AccessKind::Read);
    let writes: Vec<&Access> = writes.collect();
    for (k, one) in writes.iter().enumerate() {
        let others = writes[..k].iter().filter(|other| other.array() == one.array());
        for other in others.filter(|other| !has_same_subscripts(one, other)) {
            let written = one.relation.range(b)?;
            if !written.intersect(&other.relation.range(b)?).is_empty(b)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The pairs of instances of a statement that differ in one dimension, or not at all.
fn in_one_loop(map: &Map, inner: usize) -> Map {
    let n = map.domain_tuple().n();
    let (first, second) = (1 + map.params().len(), 1 + map.params().len() + n);
    let mut pairs = Conj::universe(second + n - 1);
    for dim in (0..n).filter(|dim| *dim != inner) {
        let mut row = zeros(second + n);
        row[second + dim] = Int::ONE;
        row[first + dim] = -&Int::ONE;
        pairs.add_eq(row);
    }
    Map::from_conj(map.space().clone(), pairs)
}

fn has_same_subscripts(one: &Access, other: &Access) -> bool {
    one.relation.params() == other.relation.params() && one.relation.pieces() == other.relation.pieces()
}
