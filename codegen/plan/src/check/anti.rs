//! Anti-dependences between lanes.
//!
//! A loop of which each iteration reads what only later iterations overwrite may have lanes (Allen and Kennedy: only cycles of dependences
//! prevent vectorization). In
//!
//! ```text
//! for (w = W; w >= p; w--)  S: dp[w] = max(dp[w], dp[w - p] + v);       p > 0
//! ```
//!
//! `S[w]` reads `dp[w - p]`, and `S[w - p]`, `p` iterations later, writes it.
//!
//! # What vector code keeps in order
//!
//! The statements of the body are executed one after the other, each in all lanes. Within a statement, accesses are made in the order of
//! [`Statement::accesses`](farkas_polyhedral::program::Statement::accesses), each in all lanes. So `x` reads an element in vector code before `y` in
//! a later lane writes it if
//!
//! - the statement of `x` is in front of that of `y` in the body, or
//! - both are instances of one statement that is in no loop inside of the lanes, and its read is in front of its write.
//!
//! Instances inside of one loop in the body are not in order: all lanes execute an iteration of it, and then the next one, so that lane 3 writes
//! in iteration 1 what lane 0 reads in iteration 2. Nothing else between lanes is accepted: no element that two lanes write, and none that
//! a lane reads and an earlier one writes.
//!
//! Vectors that are jammed around the lanes execute a statement one after the other, before the next statement. Iterations of other loops that
//! are jammed inside of the lanes do so, too, but not in the order of the lanes: there, one statement has to be in front of the other.
//!
//! Other marks around may have accesses come earlier or later: below these, nothing is accepted.

use farkas_polyhedral::budget::Outcome;
use farkas_polyhedral::program::AccessKind;
use farkas_polyhedral::sets::{Map, Tuple, UnionMap, UnionSet};
use farkas_polyhedral::tree::{Band, Mark, Node, Path, Reach, Tree};

use super::{Checker, accesses_of};

/// Lanes whose accesses come in the order of the body.
pub(super) struct Lanes<'r> {
    inner: &'r Reach,
    parts: Vec<Part>,
}

/// A part of the body of a loop with lanes.
struct Part {
    instances: UnionSet,
    /// Whether it is executed once in each lane, in the order of the lanes and vectors.
    is_leaf: bool,
}

impl<'r> Lanes<'r> {
    /// The lanes and jammed iterations of these marks, the outermost of which is at a path, and which `inner` tells apart; `None` where accesses come
    /// in another order.
    pub(super) fn of<'t>(
        tree: &Tree,
        path: &Path,
        copies: impl Iterator<Item = (&'t Mark, &'t Band)>,
        inner: &'r Reach,
    ) -> Option<Self> {
        let keeps_order = |mark: &Mark| matches!(mark, Mark::Parallel { .. } | Mark::Unjam { .. } | Mark::User(_));
        let mut around = path.parent();
        while let Some(path) = around {
            if matches!(tree.at(&path), Some(Node::Mark(mark, _)) if !keeps_order(mark)) {
                return None;
            }
            around = path.parent();
        }
        let mut copies = copies.skip_while(|(mark, _)| matches!(mark, Mark::Jam { .. }));
        let (lanes, mut innermost) = copies.next()?;
        let mut jammed_inside = false;
        for (_, band) in copies {
            (innermost, jammed_inside) = (band, true);
        }
        let mut parts = Vec::new();
        add_parts(&innermost.child, &inner.instances, &mut parts);
        parts.iter_mut().for_each(|part| part.is_leaf &= !jammed_inside);
        (matches!(lanes, Mark::Vector { .. }) && innermost.n() == 1).then_some(Lanes { inner, parts })
    }
}

/// Adds the parts of a body, in order.
fn add_parts(node: &Node, instances: &UnionSet, parts: &mut Vec<Part>) {
    match node {
        Node::Sequence(children) => {
            for child in children {
                add_parts(&child.child, &instances.intersect(&child.filter), parts);
            }
        }
        _ => parts.push(Part {
            instances: instances.clone(),
            is_leaf: matches!(node, Node::Leaf),
        }),
    }
}

impl Checker<'_> {
    /// Whether vector code executes pairs of instances in different lanes in the order of the loop, as far as they access an element of an array of
    /// which one writes it.
    pub(super) fn keeps_order(&self, array: &Tuple, lanes: &Lanes<'_>, pairs: &UnionMap) -> Outcome<bool> {
        let b = self.b;
        let times = lanes.inner.schedule_relation(b)?;
        let context = &self.program.context;
        let before = Map::lex_lt(context.params().clone(), Tuple::anonymous(lanes.inner.depth()));
        let earlier = times.apply_range(&before.into(), b)?.apply_range(&times.reverse(), b)?;
        let part = accesses_of(self.program, array);
        for (one, other) in part
            .statements
            .iter()
            .flat_map(|one| part.statements.iter().map(move |other| (one, other)))
        {
            for (read, access) in one.accesses.iter().enumerate() {
                let writes = other.accesses.iter().enumerate();
                for (write, overwriting) in writes.filter(|(_, access)| access.kind != AccessKind::Read) {
                    let same = access.relation.apply_range(&overwriting.relation.reverse(), b)?;
                    let mut rest = UnionMap::from(same.intersect_params(context)).intersect(pairs);
                    if access.kind == AccessKind::Read {
                        let in_order = read < write && one.tuple() == other.tuple();
                        rest = without_in_order(rest, &earlier, &lanes.parts, in_order, self)?;
                    }
                    if !rest.is_empty(b)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }
}

/// Pairs of a reading and a writing instance without those that vector code keeps in order. In one part it does so only if they are `in_order` within
/// a statement.
fn without_in_order(
    pairs: UnionMap,
    earlier: &UnionMap,
    parts: &[Part],
    in_order: bool,
    checker: &Checker<'_>,
) -> Outcome<UnionMap> {
    let mut rest = pairs;
    for (position, part) in parts.iter().enumerate() {
        let behind = parts[position + 1..].iter();
        let own = (in_order && part.is_leaf).then_some(part);
        for other in own.into_iter().chain(behind) {
            let kept = earlier
                .intersect_domain(&part.instances)
                .intersect_range(&other.instances);
            rest = rest.subtract(&kept, checker.b)?;
        }
    }
    Ok(rest)
}
