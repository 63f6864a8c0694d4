//! Loop distribution: each child of a band gets an innermost loop of its own.
//!
//! `[i, j] { S; T }` becomes `[i] { [j] S; [j] T }`. All of `S` in a row comes before all of `T`, so that neither loop
//! carries what goes from one statement to the other.
//!
//! In a stencil over time, `[t, i, j] { S; T }` also becomes `[t] { [i/4, j] { [i] S }; [i/4, j] { [i] T } }`, with `i` unrolled.
//! In tiles of `i`, that is the order of rows 4 at a time.

use farkas_polyhedral::tree::{Band, Filter, Node, Share};

use super::interchange::Outer;
use super::jam::{has_group_reuse_along, jammed, rows};
use super::{function_of, has_band, in_sequence};
use crate::analysis::linear::{LinearAccess, Statements, Stride, direction};
use farkas_polyhedral::sets::Tuple;

/// Whether there is something to distribute: several children without loops of their own, below at least two members.
pub(crate) fn is_distributable(band: &Band) -> bool {
    let Node::Sequence(children) = &band.child else {
        return false;
    };
    children.len() > 1 && band.n() > 1 && !children.iter().any(|child| has_band(&child.child))
}

/// What becomes of the loops of each child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distribution {
    /// Each child has an innermost loop of its own.
    Innermost,
    /// Each child has the two innermost loops for its own. The outer one is jammed by the factor where copies share loads.
    Jammed {
        /// How often the loop is unrolled.
        factor: i64,
    },
}

/// The node with the last members of the band in each child. `outer` has the functions of the bands around it.
pub(crate) fn distributed(band: &Band, distribution: Distribution, outer: &Outer, statements: &Statements) -> Node {
    let Node::Sequence(_) = &band.child else {
        return Node::band(band.clone());
    };
    let last = band.n() - 1;
    let first = match distribution {
        Distribution::Innermost => last,
        Distribution::Jammed { .. } => last - 1,
    };
    let inner = |filter: &Filter| {
        let own: Vec<usize> = (first..=last).collect();
        let own = band
            .select(&own)
            .restricted(|tuple| filter.share(tuple) != Share::Nothing);
        let mut own = own.with_permutable(true).with_child(filter.child.clone());
        // The checker has the last word on this.
        let waits = |tuple: &Tuple| statements[tuple].reduces || accumulates(band, outer, tuple, statements);
        let waits = own.statements().any(waits);
        let is_alone = own.statements().count() == 1;
        own.members_mut()[last - first].coincident = !waits;
        own.members_mut()[0].coincident |= is_alone && !waits;
        filter.with_child(match distribution {
            Distribution::Jammed { factor } if shares_loads(band, &own, (first, factor), outer, statements) => {
                jammed(&own, &[0], &[factor])
            }
            _ => Node::band(own),
        })
    };
    let inner: Vec<Filter> = in_sequence(&band.child).iter().map(inner).collect();
    let front: Vec<usize> = (0..first).collect();
    Node::band(band.select(&front).with_child(Node::Sequence(inner)))
}

/// Whether iterations of the last member wait for each other, as they update the same element.
fn accumulates(band: &Band, outer: &Outer, tuple: &Tuple, statements: &Statements) -> bool {
    let (own, statement) = (function_of(band, tuple), &statements[tuple]);
    let outer = outer.get(tuple).map_or(&[][..], Vec::as_slice);
    let along = rows(outer, own.affs()).and_then(|(_, rows)| direction(&rows, rows.len() - 1, statement.depth));
    let Some(along) = along else { return false };
    let stays = |access: &&LinearAccess| access.stride(&along) == Stride::Zero;
    let mut written = statement.accesses.iter().filter(stays).filter(|access| access.writes);
    written.any(|write| {
        let read = |access: &LinearAccess| !access.writes && access.array == write.array;
        statement.accesses.iter().filter(stays).any(read)
    })
}

/// Whether copies of some child share loads where they are jammed.
pub(crate) fn is_jammable(band: &Band, factor: i64, outer: &Outer, statements: &Statements) -> bool {
    let (Node::Sequence(children) | Node::Set(children)) = &band.child else {
        return false;
    };
    let first = band.n().saturating_sub(2);
    let shares = |filter: &Filter| {
        let own = band.restricted(|tuple| filter.share(tuple) != Share::Nothing);
        shares_loads(band, &own, (first, factor), outer, statements)
    };
    first > 0 && children.iter().any(shares)
}

/// Whether copies of the only statement of `own`, which is a part of the band, share loads along a member.
fn shares_loads(
    band: &Band,
    own: &Band,
    (member, factor): (usize, i64),
    outer: &Outer,
    statements: &Statements,
) -> bool {
    let mut tuples = own.statements();
    match (tuples.next(), tuples.next()) {
        (Some(tuple), None) => has_group_reuse_along(band, &outer[tuple], tuple, (member, factor), statements),
        _ => false,
    }
}
