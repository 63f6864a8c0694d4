//! Conditional validity (P0, 6.5.4; P4, 3.3).
//!
//! A *condition* is a live range: a pair `b -> c` of instances of which the first writes what the second reads. A
//! *conditioned* pair `a -> b` or `c -> d` is *adjacent* to it, and has to stay in order as long as `b` and `c` do not
//! coincide; otherwise the live range is *local*, and moves as a whole. Both may be tagged with the accesses that they
//! come from, and are then adjacent only if the tags of the instance that they share are the same.
//!
//! Neither way of satisfying a conditioned pair is chosen in advance. A row is searched without them. If the band with it has a
//! negative distance on conditioned pairs with adjacent conditions that are not local, be it in another member, all conditions
//! between the same accesses become local for the whole band, which is then searched again from its start. Once a band has moved the ends of a
//! condition apart for good, the conditioned pairs that are adjacent to it have to stay in order in all further bands.
//!
//! For example `for (i) { S: t = a[i]; T: b[i] = t; }` has the conditions `S[i] -> T[i]` and the conditioned pairs
//! `T[i] -> S[i']` for `i < i'`. They hold of any order of the `i`, as long as `S[i]` and `T[i]` stay together.

use super::graph::{Dependence, Graph, Kinds, Open, ScheduleRow, Tagged};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, negate, zeros};
use crate::solver::{System, integer};
use std::collections::BTreeSet;

/// The ends of a condition and of a conditioned pair that meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meeting {
    /// The conditioned pair ends where the condition starts.
    Before,
    /// The conditioned pair starts where the condition ends.
    After,
}

/// Where a conditioned pair and a condition are adjacent, as far as statements and tags say.
fn meetings(conditioned: &Tagged, condition: &Tagged) -> impl Iterator<Item = Meeting> {
    let before = conditioned.target == condition.source && conditioned.target_tag == condition.source_tag;
    let after = conditioned.source == condition.target && conditioned.source_tag == condition.target_tag;
    [(before, Meeting::Before), (after, Meeting::After)]
        .into_iter()
        .filter_map(|(meets, meeting)| meets.then_some(meeting))
}

/// The rows that the statements of some units have in a member. None for statements of other units.
pub(super) type RowOf<'a> = &'a dyn Fn(usize) -> Option<ScheduleRow>;

/// The conditions (by index) that have to be local for a band with these members to be valid: they are adjacent to
/// conditioned pairs of negative distance in one of the members, and not local in the same or another one. Those in `local`
/// are known to be.
pub(super) fn to_be_local(
    graph: &Graph,
    open: &Open,
    members: &[RowOf],
    local: &BTreeSet<usize>,
    budget: &Budget,
) -> Outcome<BTreeSet<usize>> {
    let rows = |pairs: &Tagged| -> Vec<(ScheduleRow, ScheduleRow)> {
        let both = |row_of: &RowOf| row_of(pairs.source).zip(row_of(pairs.target));
        members.iter().filter_map(both).collect()
    };
    let mut found = BTreeSet::new();
    for conditioned in &open.conditioned {
        let mut backward = Vec::new();
        for rows in rows(conditioned) {
            backward.extend(with_distance(graph, conditioned, &rows, Sign::Negative, budget)?);
        }
        if backward.is_empty() {
            continue;
        }
        for (index, condition) in open.conditions.iter().enumerate() {
            if local.contains(&index) || found.contains(&index) {
                continue;
            }
            for meeting in meetings(conditioned, condition) {
                let mut moved = Vec::new();
                for rows in rows(condition) {
                    moved.extend(apart(graph, condition, &rows, budget)?);
                }
                if any_adjacent(graph, conditioned, &backward, condition, &moved, meeting, budget)? {
                    found.insert(index);
                    break;
                }
            }
        }
    }
    Ok(found)
}

/// The conditioned pairs that have become unconditional, because the members of a band, given as the rows of every
/// statement, have moved the ends of an adjacent condition apart.
pub(super) fn unconditional(
    graph: &Graph,
    open: &Open,
    members: &[RowOf],
    budget: &Budget,
) -> Outcome<Vec<Dependence>> {
    let mut moved: Vec<(&Tagged, Vec<System>)> = Vec::new();
    for condition in &open.conditions {
        let mut pairs = Vec::new();
        for row_of in members {
            if let Some(rows) = row_of(condition.source).zip(row_of(condition.target)) {
                pairs.extend(apart(graph, condition, &rows, budget)?);
            }
        }
        if !pairs.is_empty() {
            moved.push((condition, pairs));
        }
    }
    let mut fixed = Vec::new();
    for conditioned in &open.conditioned {
        for pairs in &conditioned.pairs {
            let one = std::slice::from_ref(pairs);
            let mut is_adjacent = false;
            for (condition, moved) in &moved {
                for meeting in meetings(conditioned, condition) {
                    is_adjacent =
                        is_adjacent || any_adjacent(graph, conditioned, one, condition, moved, meeting, budget)?;
                }
            }
            if is_adjacent {
                fixed.push(Dependence {
                    source: conditioned.source,
                    target: conditioned.target,
                    kinds: Kinds {
                        validity: true,
                        ..Kinds::default()
                    },
                    pairs: pairs.clone(),
                });
            }
        }
    }
    Ok(fixed)
}

#[derive(Clone, Copy)]
enum Sign {
    Positive,
    Negative,
}

/// The systems of the pairs whose distance has the given sign.
fn with_distance(
    graph: &Graph,
    pairs: &Tagged,
    (source, target): &(ScheduleRow, ScheduleRow),
    sign: Sign,
    budget: &Budget,
) -> Outcome<Vec<System>> {
    let mut found = Vec::new();
    for system in &pairs.pairs {
        let mut row = graph.distance(pairs.source, pairs.target, system.n, source, target);
        if row.iter().all(Int::is_zero) {
            continue;
        }
        if let Sign::Negative = sign {
            negate(&mut row);
        }
        row[0] -= Int::ONE;
        let mut system = system.clone();
        system.ineqs.push(row);
        if !integer::is_empty(&system, budget)? {
            found.push(system);
        }
    }
    Ok(found)
}

/// The systems of the pairs that do not coincide.
fn apart(graph: &Graph, pairs: &Tagged, rows: &(ScheduleRow, ScheduleRow), budget: &Budget) -> Outcome<Vec<System>> {
    let mut found = with_distance(graph, pairs, rows, Sign::Positive, budget)?;
    found.extend(with_distance(graph, pairs, rows, Sign::Negative, budget)?);
    Ok(found)
}

/// Whether some pair of `first` (systems of `conditioned`) and some pair of `second` (of `condition`) share an instance.
fn any_adjacent(
    graph: &Graph,
    conditioned: &Tagged,
    first: &[System],
    condition: &Tagged,
    second: &[System],
    meeting: Meeting,
    budget: &Budget,
) -> Outcome<bool> {
    // The instances of the joint system: the shared one, the other one of the conditioned pair, the condition's other one.
    let (shared, own, other) = match meeting {
        Meeting::Before => (conditioned.target, conditioned.source, condition.target),
        Meeting::After => (conditioned.source, conditioned.target, condition.source),
    };
    let dim = |node: usize| graph.nodes[node].dim;
    let n_params = graph.n_params;
    let (at_shared, at_own) = (n_params, n_params + dim(shared));
    let at_other = at_own + dim(own);
    let at_rest = at_other + dim(other);
    for a in first {
        let rest_a = a.n - n_params - dim(conditioned.source) - dim(conditioned.target);
        for b in second {
            let rest_b = b.n - n_params - dim(condition.source) - dim(condition.target);
            let n = at_rest + rest_a + rest_b;
            let mut joint = System::new(n);
            let (source_a, target_a, source_b, target_b) = match meeting {
                Meeting::Before => (at_own, at_shared, at_shared, at_other),
                Meeting::After => (at_shared, at_own, at_other, at_shared),
            };
            let place = |row: &Row, pair: &Tagged, source: usize, target: usize, rest: usize| {
                let mut placed = zeros(n + 1);
                let (from, to) = (dim(pair.source), dim(pair.target));
                for (i, value) in row.iter().enumerate() {
                    let at = if i <= n_params {
                        i
                    } else if i <= n_params + from {
                        1 + source + (i - 1 - n_params)
                    } else if i <= n_params + from + to {
                        1 + target + (i - 1 - n_params - from)
                    } else {
                        1 + rest + (i - 1 - n_params - from - to)
                    };
                    placed[at] = value.clone();
                }
                placed
            };
            let of_a = |row: &Row| place(row, conditioned, source_a, target_a, at_rest);
            let of_b = |row: &Row| place(row, condition, source_b, target_b, at_rest + rest_a);
            joint.eqs = a.eqs.iter().map(of_a).chain(b.eqs.iter().map(of_b)).collect();
            joint.ineqs = a.ineqs.iter().map(of_a).chain(b.ineqs.iter().map(of_b)).collect();
            if !integer::is_empty(&joint, budget)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
