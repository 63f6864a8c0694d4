//! The check of a schedule tree: order, and what its bands are marked as.

use super::{Rule, Verdict, behind, violated_if_any};
use crate::budget::{Budget, Outcome};
use crate::sets::{Map, UnionMap};
use crate::tree::{Band, Filter, Node, Share, Tree};

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
/// for instances in the tree's domain and parameter values in its context.
///
/// # Errors
///
/// If the budget is spent.
pub fn check_tree(validity: &UnionMap, coincidence: &UnionMap, tree: &Tree, b: &Budget) -> Outcome<Verdict> {
    let open = |pairs: &UnionMap| -> Vec<Map> {
        let within = pairs
            .intersect_params(&tree.context)
            .intersect_domain(&tree.domain)
            .intersect_range(&tree.domain);
        within.maps().cloned().collect()
    };
    let verdict = check_node(&tree.root, open(validity), Subject::Validity, b)?;
    if !verdict.is_legal() {
        return Ok(verdict);
    }
    check_node(&tree.root, open(coincidence), Subject::Coincidence, b)
}

/// Checks `node` for the pairs `open`, which nothing outside carries.
fn check_node(node: &Node, open: Vec<Map>, subject: Subject, b: &Budget) -> Outcome<Verdict> {
    match node {
        Node::Band(band) => check_band(band, open, subject, b),
        Node::Sequence(children) => check_children(children, true, open, subject, b),
        Node::Set(children) => check_children(children, false, open, subject, b),
        Node::Filter(filter) => check_node(&filter.child, within(filter, open), subject, b),
        Node::Mark(_, child) | Node::Context(_, child) => check_node(child, open, subject, b),
        Node::Expansion(_) | Node::Extension(..) | Node::Guard(..) => {
            first_violation(open.iter().map(|pairs| violated_if_any(Rule::Scheduled, pairs, b)))
        }
        Node::Leaf if subject == Subject::Coincidence => Ok(Verdict::Legal),
        Node::Leaf => first_violation(open.iter().map(|pairs| violated_if_any(Rule::Order, pairs, b))),
    }
}

/// The pairs of instances that both pass the filter.
fn within(filter: &Filter, open: Vec<Map>) -> Vec<Map> {
    let pass = |pairs: Map| {
        let (source, sink) = (pairs.domain_tuple(), pairs.range_tuple());
        match (filter.share(source), filter.share(sink)) {
            (Share::Nothing, _) | (_, Share::Nothing) => None,
            (Share::Whole, Share::Whole) => Some(pairs),
            _ => {
                let (from, to) = (filter.filter.extract(source), filter.filter.extract(sink));
                Some(pairs.intersect_domain(&from).intersect_range(&to))
            }
        }
    };
    open.into_iter().filter_map(pass).collect()
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

fn check_band(band: &Band, open: Vec<Map>, subject: Subject, b: &Budget) -> Outcome<Verdict> {
    let mut inner = Vec::with_capacity(open.len());
    for pairs in open {
        let functions = band
            .function_of(pairs.domain_tuple())
            .zip(band.function_of(pairs.range_tuple()));
        let Some((source, sink)) = functions else {
            let verdict = violated_if_any(Rule::Scheduled, &pairs, b)?;
            if !verdict.is_legal() {
                return Ok(verdict);
            }
            continue;
        };
        let mut rest = pairs.clone();
        for (k, (x, y)) in source.affs().iter().zip(sink.affs()).enumerate() {
            let backward = behind(x, y);
            let verdict = match subject {
                Subject::Validity if band.permutable => {
                    violated_if_any(Rule::Permutable { member: k }, &pairs.intersect(&backward), b)?
                }
                Subject::Validity => violated_if_any(Rule::Order, &rest.intersect(&backward), b)?,
                Subject::Coincidence if band.members()[k].coincident => {
                    let apart = Map::less(x, y).union(&backward);
                    violated_if_any(Rule::Coincident { member: k }, &pairs.intersect(&apart), b)?
                }
                Subject::Coincidence => Verdict::Legal,
            };
            if !verdict.is_legal() {
                return Ok(verdict);
            }
            rest = rest.intersect(&Map::equal(x, y));
        }
        if !rest.is_empty(b)? {
            inner.push(rest);
        }
    }
    check_node(&band.child, inner, subject, b)
}

fn check_children(
    children: &[Filter],
    ordered: bool,
    open: Vec<Map>,
    subject: Subject,
    b: &Budget,
) -> Outcome<Verdict> {
    let mut inside: Vec<Vec<Map>> = vec![Vec::new(); children.len()];
    for pairs in open {
        let position = |tuple| children.iter().position(|c| c.share(tuple) == Share::Whole);
        let rule = match position(pairs.domain_tuple()).zip(position(pairs.range_tuple())) {
            None => Rule::Scheduled,
            Some((source, sink)) if source == sink => {
                inside[source].push(pairs);
                continue;
            }
            Some((source, sink)) if subject == Subject::Coincidence || ordered && source < sink => continue,
            Some(_) => Rule::Order,
        };
        let verdict = violated_if_any(rule, &pairs, b)?;
        if !verdict.is_legal() {
            return Ok(verdict);
        }
    }
    let verdicts = children
        .iter()
        .zip(inside)
        .map(|(child, open)| check_node(&child.child, open, subject, b));
    first_violation(verdicts)
}
