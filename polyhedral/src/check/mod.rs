//! Legality: whether a schedule executes the source of every dependence before its sink, and whether a schedule tree
//! holds what it says about its bands.
//!
//! A dependence is *carried* by the first dimension in which the times of source and sink differ; a schedule is legal
//! if that difference, the *distance*, is positive for every dependence, and every dependence is carried. The proof is
//! by contradiction, with exact integer emptiness: at each dimension no pair that no earlier dimension carries may have
//! a negative distance, and in the end no pair is left.
//!
//! In a schedule tree, a member of a band that is marked *coincident* has distance zero, and all members of a band that
//! is marked *permutable* have non-negative distances, for the dependences that no node outside the band carries (P0
//! section 4.1).
//!
//! Nothing here is shared with the scheduler, so that a mistake there does not hide here.

mod conditional;
mod lower;
mod tree;

use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::Row;
use crate::sets::{Aff, Map, MultiAff, Tuple, UnionMap};
use indexmap::IndexMap;
use std::fmt;

pub use conditional::check_conditional;
pub use tree::check_tree;

/// What a check found.
#[derive(Clone, Debug)]
#[must_use]
pub enum Verdict {
    /// All is as it should be.
    Legal,
    /// Something is not.
    Violated(Box<Violation>),
}

impl Verdict {
    /// Whether there is no violation.
    pub fn is_legal(&self) -> bool {
        matches!(self, Verdict::Legal)
    }
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The source of a dependence is executed before its sink.
    Order,
    /// A permutable band has non-negative distances in this member.
    Permutable {
        /// The position of the member in its band.
        member: usize,
    },
    /// A coincident member has distance zero.
    Coincident {
        /// The position of the member in its band.
        member: usize,
    },
    /// A schedule has a function for every statement that has a dependence.
    Scheduled,
}

/// A dependence that a rule does not hold for, with an example.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The rule.
    pub rule: Rule,
    /// The pairs of instances that violate it.
    pub dependence: Map,
    /// The parameters of the example.
    pub params: Row,
    /// The source of the example.
    pub source: Row,
    /// The sink of the example.
    pub sink: Row,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = match self.rule {
            Rule::Order => "not executed in order".to_string(),
            Rule::Permutable { member } => format!("of negative distance in member {member} of a permutable band"),
            Rule::Coincident { member } => format!("of distance other than zero in coincident member {member}"),
            Rule::Scheduled => "without a schedule".to_string(),
        };
        write!(
            f,
            "dependence {} -> {} is {rule}",
            instance(self.dependence.domain_tuple(), &self.source),
            instance(self.dependence.range_tuple(), &self.sink)
        )?;
        if !self.params.is_empty() {
            let names = self.dependence.params().names().iter();
            let values: Vec<String> = names.zip(&self.params).map(|(n, v)| format!("{n} = {v}")).collect();
            write!(f, ", for {}", values.join(", "))?;
        }
        Ok(())
    }
}

/// An instance; one that an extension introduces, with the values of the outer members for which it does; a tagged one with
/// its tag.
fn instance(tuple: &Tuple, values: &[Int]) -> String {
    let list = |values: &[Int]| values.iter().map(Int::to_string).collect::<Vec<_>>().join(", ");
    match tuple.nested() {
        Some((outer, own)) if outer.name().is_none() && own.name().is_some() => {
            let (first, rest) = values.split_at(outer.n());
            format!("{} at [{}]", instance(own, rest), list(first))
        }
        Some((own, tag)) if own.name().is_some() => {
            let (first, rest) = values.split_at(own.n());
            format!("{} by {}", instance(own, first), instance(tag, rest))
        }
        _ => format!("{}[{}]", tuple.name().map_or("", |name| name), list(values)),
    }
}

/// Whether `schedule`, with a function of the same length for every statement, executes the source of every dependence
/// before its sink.
///
/// # Errors
///
/// If the budget is spent.
pub fn check_schedule(dependences: &UnionMap, schedule: &IndexMap<Tuple, MultiAff>, b: &Budget) -> Outcome<Verdict> {
    for dependence in dependences.maps() {
        let functions = schedule
            .get(dependence.domain_tuple())
            .zip(schedule.get(dependence.range_tuple()));
        let Some((source, sink)) = functions else {
            return violated_if_any(Rule::Scheduled, dependence, b);
        };
        let mut open = dependence.clone();
        for (x, y) in source.affs().iter().zip(sink.affs()) {
            let backward = violated_if_any(Rule::Order, &open.intersect(&behind(x, y)), b)?;
            if !backward.is_legal() {
                return Ok(backward);
            }
            open = open.intersect(&Map::equal(x, y));
        }
        let together = violated_if_any(Rule::Order, &open, b)?;
        if !together.is_legal() {
            return Ok(together);
        }
    }
    Ok(Verdict::Legal)
}

/// Whether every dependence is executed in order, as [`check_schedule`].
///
/// # Errors
///
/// If the budget is spent.
pub fn is_legal(dependences: &UnionMap, schedule: &IndexMap<Tuple, MultiAff>, b: &Budget) -> Outcome<bool> {
    Ok(check_schedule(dependences, schedule, b)?.is_legal())
}

/// The pairs `x -> y` with `b(y) < a(x)`.
fn behind(a: &Aff, b: &Aff) -> Map {
    Map::less(b, a).reverse()
}

/// A violation of `rule`, if there are such pairs.
fn violated_if_any(rule: Rule, pairs: &Map, b: &Budget) -> Outcome<Verdict> {
    Ok(match pairs.sample(b)? {
        None => Verdict::Legal,
        Some((params, source, sink)) => Verdict::Violated(Box::new(Violation {
            rule,
            dependence: pairs.clone(),
            params,
            source,
            sink,
        })),
    })
}
