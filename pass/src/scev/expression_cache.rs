//! Expression cache: the results of conversions from scalar evolution.
//!
//! Several shapes are tried for each array, and their subscripts share subexpressions. Each subexpression is
//! converted once per place. A cached value is valid as long as the parameters and assumptions exist that it was
//! found with; rolling one of them back removes the value.
//!
//! A failed conversion stays cached until an older parameter or assumption is rolled back: adding assumptions never
//! makes an expression quasi-affine.

use super::pieces::Pieces;
use super::scope::{Reading, Scope};
use crate::detect::declined::Declined;
use farkas_llvm::scev::Scev;
use farkas_llvm::scop_ir::LoopId;
use farkas_polyhedral::sets::Set;
use std::collections::HashMap;

/// A conversion of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Query<'a> {
    /// The exact value.
    Exact(Scev<'a>, Reading),
    /// A value that is congruent to it.
    Modular(Scev<'a>),
}

/// Numbers of parameters and of assumptions. An earlier snapshot is a prefix of a later one.
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

/// A cached result for one place.
#[derive(Debug)]
struct CacheEntry<'a> {
    loops: Vec<LoopId>,
    elements: bool,
    domain: Set,
    value: Result<Pieces, Declined<'a>>,
    depends_on: Snapshot,
}

/// Number of entries after which the cache is emptied: each entry is visited on every rollback.
const MOST: usize = 512;

/// ExpressionCache to querys about expressions.
#[derive(Debug, Default)]
pub(crate) struct ExpressionCache<'a> {
    entries: HashMap<Query<'a>, Vec<CacheEntry<'a>>>,
    /// How many there are, of all querys.
    count: usize,
}

impl<'a> ExpressionCache<'a> {
    /// The value at this place, if it was found there before. Places are told apart by where their domains are in
    /// memory: two of the same points may be taken for different ones.
    pub(crate) fn get(&self, query: Query<'a>, scope: &Scope) -> Option<Result<Pieces, Declined<'a>>> {
        let here = |entry: &&CacheEntry<'a>| {
            entry.domain.is_same(&scope.domain) && entry.elements == scope.elements && entry.loops == scope.loops
        };
        let entry = self.entries.get(&query)?.iter().find(here)?;
        Some(entry.value.clone())
    }

    /// Keeps a value that was found between two snapshots.
    pub(crate) fn keep(
        &mut self,
        query: Query<'a>,
        scope: &Scope,
        value: &Result<Pieces, Declined<'a>>,
        (before, after): (Snapshot, Snapshot),
    ) {
        let depends_on = match value {
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

    /// Removes the values that depend on parameters or assumptions after `now`.
    pub(crate) fn roll_back_to(&mut self, now: Snapshot) {
        self.entries.retain(|_, places| {
            places.retain(|entry| entry.depends_on.is_prefix_of(now));
            !places.is_empty()
        });
        self.count = self.entries.values().map(Vec::len).sum();
    }
}
