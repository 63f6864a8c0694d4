//! Conditional validity: live ranges that may be reordered, but do not overlap (P0 sections 4.2 and 6.5.4, P4).
//!
//! A *condition* `b -> c` is a live range, from a write to a read, and a *conditioned* pair `x -> y` orders two live ranges of
//! the same element: they are *adjacent* if `c = x`, or `y = b`. The conditioned pair need not be executed in order if no
//! adjacent live range is torn: if the first node that tells `x` and `y` apart, and all those above it, do not tell the ends
//! of the live range apart. Then the whole of one live range is executed before the whole of the other, the other way round.
//!
//! Both ends of pairs may be *tagged*, as `[S[i] -> ref[]]`: tags count for what is adjacent and not for the order.

use super::lower::{Lowered, Step, Values, lower};
use super::tree::{Members, both_in};
use super::{Rule, Verdict, behind, violated_if_any};
use crate::budget::{Budget, Outcome};
use crate::sets::{Aff, Map, Set, Tuple, UnionMap, UnionSet};
use crate::tree::Tree;

/// Whether `tree` executes the pairs in `conditioned` in order, or tears none of the pairs in `condition` that are adjacent.
/// Where a band is permutable, that holds for all orders of its members.
///
/// Pairs count as for [`check_tree`](super::check_tree), except that those of instances that extensions introduce do not, nor
/// those of an instance and itself.
///
/// # Errors
///
/// If the budget is spent.
pub fn check_conditional(condition: &UnionMap, conditioned: &UnionMap, tree: &Tree, b: &Budget) -> Outcome<Verdict> {
    let lowered = lower(tree, b)?;
    let (step, executions) = tagged(lowered, condition, conditioned);
    let within = |pairs: &UnionMap| pairs.intersect_domain(&executions).intersect_range(&executions);
    let conditions = within(condition);
    let mut pairs = Vec::new();
    for map in within(conditioned).maps() {
        pairs.push(between_different(map, b)?);
    }
    Live {
        conditions: &conditions,
    }
    .check(&step, pairs, &conditions, b)
}

/// The pairs of which both ends are not the same instance: what an instance does has an order of its own.
fn between_different(map: &Map, b: &Budget) -> Outcome<Map> {
    fn own(tuple: &Tuple) -> &Tuple {
        match tuple.nested() {
            Some((own, _)) if own.name().is_some() => own,
            _ => tuple,
        }
    }
    let (source, sink) = (own(map.domain_tuple()), own(map.range_tuple()));
    if source != sink {
        return Ok(map.clone());
    }
    let same = (0..source.n()).fold(map.clone(), |same, dim| same.equate(dim, dim));
    map.subtract(&same, b)
}

/// The order on tagged executions as well, and all executions.
fn tagged(lowered: Lowered, condition: &UnionMap, conditioned: &UnionMap) -> (Step, UnionSet) {
    let mut step = lowered.step;
    let mut executions = lowered.executions;
    let maps = || condition.maps().chain(conditioned.maps());
    let mut done: Vec<Tuple> = Vec::new();
    for tuple in maps().flat_map(|map| [map.domain_tuple(), map.range_tuple()]) {
        let known = executions.tuples().any(|own| own == tuple);
        if let Some((own, _)) = tuple.nested()
            && !known
            && !done.contains(tuple)
        {
            done.push(tuple.clone());
            let set = executions.extract(own);
            add_tagged(&mut step, own, tuple);
            executions.add(&with_tag(&set, tuple));
        }
    }
    (step, executions)
}

/// The elements of a set with any tag.
fn with_tag(set: &Set, tagged: &Tuple) -> Set {
    let n = set.n_dims();
    set.insert_dims(n, tagged.n() - n).with_tuple(tagged.clone())
}

/// Gives the executions in `tagged` the place of those in `own`.
fn add_tagged(step: &mut Step, own: &Tuple, tagged: &Tuple) {
    match step {
        Step::Band { members, child, .. } => {
            for values in members {
                add_values(values, own, tagged);
            }
            add_tagged(child, own, tagged);
        }
        Step::Children { children, .. } => {
            for (set, child) in children {
                let part = set.sets().find(|part| part.tuple() == own).cloned();
                part.iter().for_each(|part| set.add(&with_tag(part, tagged)));
                add_tagged(child, own, tagged);
            }
        }
        Step::Leaf => {}
    }
}

fn add_values(values: &mut Values, own: &Tuple, tagged: &Tuple) {
    let Some(pieces) = values.get(own) else { return };
    let (n, more) = (own.n(), tagged.n() - own.n());
    let lift = |(set, aff): &(Set, Aff)| (with_tag(set, tagged), aff.insert_dims(n, more, tagged.clone()));
    let lifted = pieces.iter().map(lift).collect();
    values.insert(tagged.clone(), lifted);
}

/// Live ranges.
struct Live<'a> {
    conditions: &'a UnionMap,
}

impl Live<'_> {
    /// Checks `step` for conditioned pairs that nothing outside tells apart, where the conditions that nothing outside tells
    /// apart are `whole`.
    fn check(&self, step: &Step, pairs: Vec<Map>, whole: &UnionMap, b: &Budget) -> Outcome<Verdict> {
        b.spend(1)?;
        if pairs.is_empty() {
            return Ok(Verdict::Legal);
        }
        match step {
            Step::Band {
                members,
                coincident,
                permutable,
                child,
            } => {
                let band = Members {
                    members,
                    coincident,
                    permutable: *permutable,
                };
                self.check_band(&band, child, pairs, whole, b)
            }
            Step::Children { ordered, children } => self.check_children(children, *ordered, pairs, whole, b),
            Step::Leaf => self.torn(&pairs, Rule::Order, &UnionMap::empty(whole.params().clone()), b),
        }
    }

    fn check_band(
        &self,
        band: &Members<'_>,
        child: &Step,
        pairs: Vec<Map>,
        whole: &UnionMap,
        b: &Budget,
    ) -> Outcome<Verdict> {
        let n = band.members.len();
        let (mut rest, mut inside) = (pairs.clone(), whole.clone());
        let mut backward = Vec::with_capacity(n);
        for k in 0..n {
            let candidates = if band.permutable { &pairs } else { &rest };
            let mut own = Vec::new();
            for (pairs, x, y) in all_cases(band, k, candidates.iter(), b)? {
                own.push(pairs.intersect(&behind(x, y)));
            }
            let equal = |maps: Vec<(Map, &Aff, &Aff)>| -> Vec<Map> {
                let equal = |(pairs, x, y): (Map, &Aff, &Aff)| pairs.intersect(&Map::equal(x, y));
                maps.into_iter().map(equal).filter(|m| !m.is_plainly_empty()).collect()
            };
            rest = equal(all_cases(band, k, rest.iter(), b)?);
            let mut together = UnionMap::empty(inside.params().clone());
            for map in equal(all_cases(band, k, inside.maps(), b)?) {
                together.add(&map);
            }
            inside = together;
            if !band.permutable {
                let verdict = self.torn(&own, Rule::Order, &inside, b)?;
                if !verdict.is_legal() {
                    return Ok(verdict);
                }
            }
            backward.push(own);
        }
        if band.permutable {
            for (member, own) in backward.iter().enumerate() {
                let verdict = self.torn(own, Rule::Permutable { member }, &inside, b)?;
                if !verdict.is_legal() {
                    return Ok(verdict);
                }
            }
        }
        let mut left = Vec::with_capacity(rest.len());
        for pairs in rest {
            if !pairs.is_empty(b)? {
                left.push(pairs);
            }
        }
        self.check(child, left, &inside, b)
    }

    fn check_children(
        &self,
        children: &[(UnionSet, Step)],
        ordered: bool,
        pairs: Vec<Map>,
        whole: &UnionMap,
        b: &Budget,
    ) -> Outcome<Verdict> {
        let within = |set: &UnionSet| whole.intersect_domain(set).intersect_range(set);
        let inside: Vec<UnionMap> = children.iter().map(|(set, _)| within(set)).collect();
        let none = UnionMap::empty(whole.params().clone());
        let together = inside.iter().fold(none, |all, own| all.union(own));
        let mut backward = Vec::new();
        for (source, (from, _)) in children.iter().enumerate() {
            for (sink, (to, _)) in children.iter().enumerate() {
                if source != sink && !(ordered && source < sink) {
                    backward.extend(pairs.iter().filter_map(|pairs| both_in(pairs, from, to)));
                }
            }
        }
        let verdict = self.torn(&backward, Rule::Order, &together, b)?;
        if !verdict.is_legal() {
            return Ok(verdict);
        }
        for ((set, child), inside) in children.iter().zip(&inside) {
            let own = pairs.iter().filter_map(|pairs| both_in(pairs, set, set)).collect();
            let verdict = self.check(child, own, inside, b)?;
            if !verdict.is_legal() {
                return Ok(verdict);
            }
        }
        Ok(Verdict::Legal)
    }

    /// Whether `whole` is plainly all conditions: most loops tell the ends of no live range apart, which spares looking at the
    /// conditioned pairs.
    fn are_all(&self, whole: &UnionMap) -> bool {
        let mut conditions = self.conditions.maps();
        conditions.all(|map| {
            let own = whole.extract(map.domain_tuple(), map.range_tuple());
            own.is_plainly_equal(map)
        })
    }

    /// Whether one of the pairs, which are not executed in order, is adjacent to a condition that is not in `whole`.
    fn torn(&self, pairs: &[Map], rule: Rule, whole: &UnionMap, b: &Budget) -> Outcome<Verdict> {
        if self.are_all(whole) {
            return Ok(Verdict::Legal);
        }
        let mut reversed = Vec::new();
        for pairs in pairs {
            if !pairs.is_empty(b)? {
                reversed.push(pairs);
            }
        }
        if reversed.is_empty() {
            return Ok(Verdict::Legal);
        }
        let apart = self.conditions.subtract(whole, b)?;
        let (starts, ends) = (apart.domain(b)?, apart.range(b)?);
        for pairs in reversed {
            let after = pairs.intersect_domain(&ends.extract(pairs.domain_tuple()));
            let before = pairs.intersect_range(&starts.extract(pairs.range_tuple()));
            let verdict = violated_if_any(rule, &after.union(&before), b)?;
            if !verdict.is_legal() {
                return Ok(verdict);
            }
        }
        Ok(Verdict::Legal)
    }
}

/// The pairs by the expressions that member `k` has for source and sink. What has none is not in order by it; that is for
/// [`check_tree`](super::check_tree) to say.
fn all_cases<'a, 'm>(
    band: &Members<'a>,
    k: usize,
    maps: impl Iterator<Item = &'m Map>,
    b: &Budget,
) -> Outcome<Vec<(Map, &'a Aff, &'a Aff)>> {
    let mut out = Vec::new();
    for map in maps {
        if let Ok(cases) = band.cases(k, map, b)? {
            out.extend(cases);
        }
    }
    Ok(out)
}
