//! The check of a schedule tree: order, and what its bands are marked as.

use super::lower::{Lowered, Step, Values, lower};
use super::{Rule, Verdict, behind, violated_if_any};
use crate::budget::{Budget, Outcome};
use crate::sets::{Aff, Map, Set, Tuple, UnionMap, UnionSet};
use crate::tree::Tree;

/// What is checked for the dependences at hand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    /// Order, and the distances in permutable bands.
    Validity,
    /// The distances in coincident members.
    Coincidence,
}

/// Whether `tree` executes the source of every pair in `validity` before its sink, whether its permutable bands have
/// non-negative distances for them, and its coincident members distance zero for those in `coincidence`. Pairs count
/// for instances that the tree executes, and parameter values in its context. Those of an execution and itself count for
/// no order.
///
/// The pairs are of instances as they are at the leaves, below all expansions. An instance that an extension introduces may
/// be executed several times: then a pair counts for all of these. Facts that inner context nodes state are not used.
///
/// # Errors
///
/// If the budget is spent.
pub fn check_tree(validity: &UnionMap, coincidence: &UnionMap, tree: &Tree, b: &Budget) -> Outcome<Verdict> {
    let lowered = lower(tree, b)?;
    let verdict = check_step(&lowered.step, open(validity, &lowered, b)?, Subject::Validity, b)?;
    if !verdict.is_legal() {
        return Ok(verdict);
    }
    check_step(&lowered.step, open(coincidence, &lowered, b)?, Subject::Coincidence, b)
}

/// The pairs of executions that the pairs of instances are.
fn open(pairs: &UnionMap, lowered: &Lowered, b: &Budget) -> Outcome<Vec<Map>> {
    let Lowered { executions, paired, .. } = lowered;
    let mut of = UnionMap::empty(executions.params().clone());
    for set in executions.sets().filter(|set| paired.contains(set.tuple())) {
        of.add(&set.unwrap().range_map());
    }
    let plain = |tuple: &Tuple| executions.tuples().any(|t| t == tuple) && !paired.contains(tuple);
    let mut out = Vec::new();
    for map in pairs.maps() {
        let mut from: Vec<Map> = plain(map.domain_tuple()).then(|| map.clone()).into_iter().collect();
        for source in of.maps().filter(|m| m.range_tuple() == map.domain_tuple()) {
            from.push(source.apply_range(map, b)?);
        }
        for map in from {
            let sinks = of.maps().filter(|m| m.range_tuple() == map.range_tuple());
            for sink in sinks {
                out.push(map.apply_range(&sink.reverse(), b)?);
            }
            if plain(map.range_tuple()) {
                out.push(map);
            }
        }
    }
    let within = |map: Map| {
        let (source, sink) = (
            executions.extract(map.domain_tuple()),
            executions.extract(map.range_tuple()),
        );
        map.intersect_domain(&source).intersect_range(&sink)
    };
    Ok(out
        .into_iter()
        .map(within)
        .filter(|map| !map.is_plainly_empty())
        .collect())
}

/// Checks `step` for the pairs `open`, which nothing outside carries.
fn check_step(step: &Step, open: Vec<Map>, subject: Subject, b: &Budget) -> Outcome<Verdict> {
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
            match band.check(open, subject, b)? {
                Ok(inner) => check_step(child, inner, subject, b),
                Err(verdict) => Ok(verdict),
            }
        }
        Step::Children { ordered, children } => check_children(children, *ordered, open, subject, b),
        Step::Leaf if subject == Subject::Coincidence => Ok(Verdict::Legal),
        Step::Leaf => first_violation(open.iter().map(|pairs| {
            let verdict = violated_if_any(Rule::Order, pairs, b)?;
            if verdict.is_legal() || pairs.domain_tuple() != pairs.range_tuple() {
                return Ok(verdict);
            }
            violated_if_any(Rule::Order, &between_different(pairs, b)?, b)
        })),
    }
}

/// The pairs of different executions: within one, the order is its own.
fn between_different(pairs: &Map, b: &Budget) -> Outcome<Map> {
    let n = pairs.domain_tuple().n();
    let same = (0..n).fold(pairs.clone(), |same, dim| same.equate(dim, dim));
    pairs.subtract(&same, b)
}

fn first_violation(verdicts: impl Iterator<Item = Outcome<Verdict>>) -> Outcome<Verdict> {
    for verdict in verdicts {
        let verdict = verdict?;
        if !verdict.is_legal() {
            return Ok(verdict);
        }
    }
    Ok(Verdict::Legal)
}

/// The set of a tuple, unless it is plainly all of it: then there is nothing to intersect with.
enum Within {
    Nothing,
    Part(Set),
    Whole,
}

fn within(set: &UnionSet, tuple: &Tuple) -> Within {
    match set.sets().find(|part| part.tuple() == tuple) {
        None => Within::Nothing,
        Some(part) if part.is_plainly_empty() => Within::Nothing,
        Some(part) if is_everything(part) => Within::Whole,
        Some(part) => Within::Part(part.clone()),
    }
}

fn is_everything(set: &Set) -> bool {
    set.pieces().iter().any(|piece| piece.is_plainly_universe())
}

/// The pairs of a source in `first` and a sink in `second`, unless there are plainly none.
pub(super) fn both_in(pairs: &Map, first: &UnionSet, second: &UnionSet) -> Option<Map> {
    let pairs = match within(first, pairs.domain_tuple()) {
        Within::Nothing => return None,
        Within::Part(set) => pairs.intersect_domain(&set),
        Within::Whole => pairs.clone(),
    };
    let pairs = match within(second, pairs.range_tuple()) {
        Within::Nothing => return None,
        Within::Part(set) => pairs.intersect_range(&set),
        Within::Whole => pairs,
    };
    (!pairs.is_plainly_empty()).then_some(pairs)
}

/// Pairs, with the expression for their sources and that for their sinks.
pub(super) type Cases<'a> = Vec<(Map, &'a Aff, &'a Aff)>;

/// The members of a band.
pub(super) struct Members<'a> {
    pub(super) members: &'a [Values],
    pub(super) coincident: &'a [bool],
    pub(super) permutable: bool,
}

impl<'a> Members<'a> {
    /// The pairs that the band does not carry, or what is wrong.
    fn check(&self, open: Vec<Map>, subject: Subject, b: &Budget) -> Outcome<Result<Vec<Map>, Verdict>> {
        let mut inner = Vec::with_capacity(open.len());
        for pairs in open {
            let mut rest = vec![pairs.clone()];
            for k in 0..self.members.len() {
                let all = std::slice::from_ref(&pairs);
                let verdict = match subject {
                    Subject::Validity if self.permutable => {
                        self.distances(k, all, Rule::Permutable { member: k }, behind, b)?
                    }
                    Subject::Validity => self.distances(k, &rest, Rule::Order, behind, b)?,
                    Subject::Coincidence if self.coincident[k] => {
                        let apart = |x: &Aff, y: &Aff| Map::less(x, y).union(&behind(x, y));
                        self.distances(k, all, Rule::Coincident { member: k }, apart, b)?
                    }
                    Subject::Coincidence => Verdict::Legal,
                };
                if !verdict.is_legal() {
                    return Ok(Err(verdict));
                }
                let mut equal = Vec::with_capacity(rest.len());
                for pairs in &rest {
                    match self.cases(k, pairs, b)? {
                        Ok(cases) => equal.extend(cases.into_iter().map(|(p, x, y)| p.intersect(&Map::equal(x, y)))),
                        Err(verdict) => return Ok(Err(verdict)),
                    }
                }
                rest = equal;
            }
            for pairs in rest {
                if !pairs.is_empty(b)? {
                    inner.push(pairs);
                }
            }
        }
        Ok(Ok(inner))
    }

    /// That none of the pairs is one that `wrong` gives for the values of member `k`.
    fn distances(
        &self,
        k: usize,
        pairs: &[Map],
        rule: Rule,
        wrong: impl Fn(&Aff, &Aff) -> Map,
        b: &Budget,
    ) -> Outcome<Verdict> {
        for pairs in pairs {
            let cases = match self.cases(k, pairs, b)? {
                Ok(cases) => cases,
                Err(verdict) => return Ok(verdict),
            };
            for (pairs, x, y) in cases {
                let verdict = violated_if_any(rule, &pairs.intersect(&wrong(x, y)), b)?;
                if !verdict.is_legal() {
                    return Ok(verdict);
                }
            }
        }
        Ok(Verdict::Legal)
    }

    /// The pairs by the expressions that member `k` has for source and sink; or that it has none.
    pub(super) fn cases(&self, k: usize, pairs: &Map, b: &Budget) -> Outcome<Result<Cases<'a>, Verdict>> {
        let values: &'a Values = &self.members[k];
        let (Some(sources), Some(sinks)) = (values.get(pairs.domain_tuple()), values.get(pairs.range_tuple())) else {
            let verdict = violated_if_any(Rule::Scheduled, pairs, b)?;
            return Ok(if verdict.is_legal() {
                Ok(Vec::new())
            } else {
                Err(verdict)
            });
        };
        if let ([(_, x)], [(_, y)]) = (&sources[..], &sinks[..]) {
            // A band has a value for everything that reaches it.
            return Ok(Ok(vec![(pairs.clone(), x, y)]));
        }
        let mut cases = Vec::new();
        let mut left = pairs.clone();
        for (from, x) in sources {
            for (to, y) in sinks {
                let own = pairs.intersect_domain(from).intersect_range(to);
                if !own.is_empty(b)? {
                    left = left.subtract(&own, b)?;
                    cases.push((own, x, y));
                }
            }
        }
        let verdict = violated_if_any(Rule::Scheduled, &left, b)?;
        Ok(if verdict.is_legal() { Ok(cases) } else { Err(verdict) })
    }
}

fn check_children(
    children: &[(UnionSet, Step)],
    ordered: bool,
    open: Vec<Map>,
    subject: Subject,
    b: &Budget,
) -> Outcome<Verdict> {
    let mut inside: Vec<Vec<Map>> = children.iter().map(|_| Vec::new()).collect();
    for pairs in open {
        let of = |tuple: &Tuple| -> Vec<usize> {
            let has = |(set, _): &(UnionSet, Step)| !matches!(within(set, tuple), Within::Nothing);
            (0..children.len()).filter(|&k| has(&children[k])).collect()
        };
        let (sources, sinks) = (of(pairs.domain_tuple()), of(pairs.range_tuple()));
        // What no child executes.
        let mut left = Some(pairs.clone());
        for &source in &sources {
            for &sink in &sinks {
                let Some(own) = both_in(&pairs, &children[source].0, &children[sink].0) else {
                    continue;
                };
                let whole = |(set, _): &(UnionSet, Step), tuple| matches!(within(set, tuple), Within::Whole);
                left = match left {
                    Some(_)
                        if whole(&children[source], pairs.domain_tuple())
                            && whole(&children[sink], pairs.range_tuple()) =>
                    {
                        None
                    }
                    Some(left) => Some(left.subtract(&own, b)?),
                    None => None,
                };
                if source == sink {
                    inside[source].push(own);
                } else if subject == Subject::Validity && !(ordered && source < sink) {
                    let verdict = violated_if_any(Rule::Order, &own, b)?;
                    if !verdict.is_legal() {
                        return Ok(verdict);
                    }
                }
            }
        }
        if let Some(left) = left {
            let verdict = violated_if_any(Rule::Scheduled, &left, b)?;
            if !verdict.is_legal() {
                return Ok(verdict);
            }
        }
    }
    let verdicts = children
        .iter()
        .zip(inside)
        .map(|((_, child), open)| check_step(child, open, subject, b));
    first_violation(verdicts)
}
