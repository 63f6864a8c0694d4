//! What has been found out about expressions.
//!
//! Accesses to one array are tried with one shape after another, and most share parts of their addresses: each part is
//! converted once for a place, as long as the parameters and assumptions stand that were there in the end. If these are
//! taken back, so is the value. That an expression has no value stands as long as what was there before it was asked for:
//! no further assumption makes an expression quasi-affine.

use super::pieces::Pieces;
use super::scope::{Reading, Scope};
use crate::detect::declined::{Declined, Modelled, Reason};
use farkas_llvm::scev::Scev;
use farkas_llvm::scop_ir::LoopId;
use farkas_polyhedral::sets::Set;
use std::collections::HashMap;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Query<'a> {
    /// The exact value.
    Exact(Scev<'a>, Reading),
    /// A value that is congruent to it.
    Modular(Scev<'a>),
}

/// The number of parameters and of assumptions, each a prefix of those at a later time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Snapshot {
    pub(crate) params: usize,
    pub(crate) assumptions: usize,
}

impl Snapshot {
    fn is_prefix_of(self, now: Snapshot) -> bool {
        self.params <= now.params && self.assumptions <= now.assumptions
    }
}

/// What is entry for one place.
#[derive(Debug)]
struct CacheEntry<'a> {
    loops: Vec<LoopId>,
    elements: bool,
    domain: Set,
    value: Modelled<'a, Pieces>,
    depends_on: Snapshot,
}

/// So many answers are kept. Then all are forgotten, since each of them is looked at whenever something is taken back.
const MOST: usize = 512;

/// ExpressionCache to querys about expressions.
#[derive(Debug, Default)]
pub(crate) struct ExpressionCache<'a> {
    entries: HashMap<Query<'a>, Vec<CacheEntry<'a>>>,
    /// How many there are, of all querys.
    count: usize,
}

impl<'a> ExpressionCache<'a> {
    /// The value at this place, if it was found there before. Places are told apart by where their domains are in memory:
    /// two of the same points may be taken for different ones.
    pub(crate) fn get(&self, query: Query<'a>, scope: &Scope) -> Option<Modelled<'a, Pieces>> {
        let here = |entry: &&CacheEntry<'a>| {
            entry.domain.is_same(&scope.domain) && entry.elements == scope.elements && entry.loops == scope.loops
        };
        let entry = self.entries.get(&query)?.iter().find(here)?;
        Some(entry.value.clone())
    }

    /// Keeps an value that was found between two states.
    pub(crate) fn keep(
        &mut self,
        query: Query<'a>,
        scope: &Scope,
        value: &Modelled<'a, Pieces>,
        (before, after): (Snapshot, Snapshot),
    ) {
        let depends_on = match value {
            Err(Declined {
                reason: Reason::OutOfBudget,
                ..
            }) => return,
            Err(_) => before,
            Ok(_) => after,
        };
        if self.count == MOST {
            *self = ExpressionCache::default();
        }
        self.count += 1;
        self.entries.entry(query).or_default().push(CacheEntry {
            loops: scope.loops.clone(),
            elements: scope.elements,
            domain: scope.domain.clone(),
            value: value.clone(),
            depends_on,
        });
    }

    /// Forgets what does not stand in `now`, to which the state has gone back.
    pub(crate) fn roll_back_to(&mut self, now: Snapshot) {
        self.entries.retain(|_, places| {
            places.retain(|entry| entry.depends_on.is_prefix_of(now));
            !places.is_empty()
        });
        self.count = self.entries.values().map(Vec::len).sum();
    }
}
