//! Loops that carry anti-dependences only.
//!
//! A loop of which each iteration reads what only later ones overwrite may have lanes, as these load before they store:
//!
//! ```text
//! for (w = W; w >= p; w--) dp[w] = max(dp[w], dp[w - p] + v);
//! ```
//!
//! Lanes along an innermost loop pay where LLVM makes no vectors of it: it compares the ranges of what is read and written at run time, and these
//! overlap for all but the largest `p`.
//!
//! The checker has the last word: it looks at the order of the body and at all pairs of instances that share an element.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::sets::{Tuple, UnionMap};
use farkas_polyhedral::tree::{Band, Node, Path, Reach};

use super::band::Search;
use crate::analysis::read_ahead::may_read_ahead;
use crate::dependences::ByArray;

impl Search<'_> {
    /// Whether the innermost loop of a band, with one statement, reads ahead: it carries anti-dependences only, of which LLVM does not know that.
    pub(super) fn innermost_reads_ahead(&self, path: &Path, band: &Band) -> Outcome<bool> {
        let last = band.n() - 1;
        let mut statements = band.statements();
        let (Some(tuple), None, Some(by_array)) = (statements.next(), statements.next(), self.by_array) else {
            return Ok(false);
        };
        if band.members()[last].coincident
            || !matches!(band.child, Node::Leaf)
            || self.n_sunk > 0
            || !may_read_ahead(&self.model.statements[tuple])
        {
            return Ok(false);
        }
        let others: Vec<usize> = (0..last).collect();
        let of_members = |members: &[usize]| Node::band(band.select(members));
        let outer = self
            .tree
            .reach(path, self.b)?
            .through(&of_members(&others), 0, self.b)?;
        let inner = outer.through(&of_members(&[last]), 0, self.b)?;
        lanes_keep_order(by_array, &|_| false, (&outer, &inner), &band.child, self.b)
    }
}

/// Whether lanes with this body keep all dependences in order between iterations that `inner` tells apart and `outer` does not, if each has a copy of
/// some arrays.
pub(super) fn lanes_keep_order(
    by_array: &ByArray,
    is_copied: &dyn Fn(&Tuple) -> bool,
    (outer, inner): (&Reach, &Reach),
    body: &Node,
    b: &Budget,
) -> Outcome<bool> {
    let (same_outer, same_iteration) = (outer.together(b)?, inner.together(b)?);
    let carried = |pairs: &UnionMap| {
        let within = pairs
            .intersect_domain(&outer.instances)
            .intersect_range(&outer.instances);
        within.intersect(&same_outer).subtract(&same_iteration, b)
    };
    for (array, own) in by_array.arrays() {
        if !carried(&own.flow)?.is_empty(b)? {
            return Ok(false);
        }
        if is_copied(array) {
            continue;
        }
        if !carried(&own.output)?.is_empty(b)? {
            return Ok(false);
        }
        for map in carried(&own.anti)?.maps() {
            if !is_in_order(body, map.domain_tuple(), map.range_tuple()) && !map.is_empty(b)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Whether a statement of a body reads in all lanes before another one, or the same one, writes in any.
fn is_in_order(body: &Node, reading: &Tuple, writing: &Tuple) -> bool {
    match body {
        Node::Leaf => reading == writing,
        Node::Sequence(children) => {
            let part = |tuple: &Tuple| {
                let mut filters = children.iter().map(|child| &child.filter);
                filters.position(|filter| filter.sets().any(|set| set.tuple() == tuple))
            };
            match (part(reading), part(writing)) {
                (Some(one), Some(other)) if one == other => is_in_order(&children[one].child, reading, writing),
                (one, other) => one < other,
            }
        }
        _ => false,
    }
}
