//! What has been found out about expressions.
//!
//! Accesses to one array are tried with one shape after another, and most share parts of their addresses: each part is
//! converted once for a place, as long as the parameters and assumptions stand that were there in the end. If these are
//! taken back, so is the answer. That an expression has no value stands as long as what was there before it was asked for:
//! no further assumption makes an expression quasi-affine.

use super::pieces::Pieces;
use super::scope::{Reading, Scope};
use crate::detect::declined::{Declined, Modelled, Reason};
use farkas_llvm::region::LoopId;
use farkas_llvm::scev::Scev;
use farkas_polyhedral::sets::Set;
use std::collections::HashMap;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Question<'a> {
    /// The exact value.
    Exact(Scev<'a>, Reading),
    /// A value that is congruent to it.
    Modular(Scev<'a>),
}

/// The number of parameters and of assumptions, each a prefix of those at a later time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) params: usize,
    pub(crate) assumptions: usize,
}

impl State {
    fn stands_in(self, now: State) -> bool {
        self.params <= now.params && self.assumptions <= now.assumptions
    }
}

/// What is known for one place.
#[derive(Debug)]
struct Known<'a> {
    loops: Vec<LoopId>,
    elements: bool,
    domain: Set,
    answer: Modelled<'a, Pieces>,
    rests_on: State,
}

/// So many answers are kept. Then all are forgotten, since each of them is looked at whenever something is taken back.
const MOST: usize = 512;

/// Answers to questions about expressions.
#[derive(Debug, Default)]
pub(crate) struct Answers<'a> {
    known: HashMap<Question<'a>, Vec<Known<'a>>>,
    /// How many there are, of all questions.
    count: usize,
}

impl<'a> Answers<'a> {
    /// The answer at this place, if it was found there before. Places are told apart by where their domains are in memory:
    /// two of the same points may be taken for different ones.
    pub(crate) fn get(&self, question: Question<'a>, scope: &Scope) -> Option<Modelled<'a, Pieces>> {
        let here = |known: &&Known<'a>| {
            known.domain.is_same(&scope.domain) && known.elements == scope.elements && known.loops == scope.loops
        };
        let known = self.known.get(&question)?.iter().find(here)?;
        Some(known.answer.clone())
    }

    /// Keeps an answer that was found between two states.
    pub(crate) fn keep(
        &mut self,
        question: Question<'a>,
        scope: &Scope,
        answer: &Modelled<'a, Pieces>,
        (before, after): (State, State),
    ) {
        let rests_on = match answer {
            Err(Declined {
                reason: Reason::OutOfBudget,
                ..
            }) => return,
            Err(_) => before,
            Ok(_) => after,
        };
        if self.count == MOST {
            *self = Answers::default();
        }
        self.count += 1;
        self.known.entry(question).or_default().push(Known {
            loops: scope.loops.clone(),
            elements: scope.elements,
            domain: scope.domain.clone(),
            answer: answer.clone(),
            rests_on,
        });
    }

    /// Forgets what does not stand in `now`, to which the state has gone back.
    pub(crate) fn back_to(&mut self, now: State) {
        self.known.retain(|_, places| {
            places.retain(|known| known.rests_on.stands_in(now));
            !places.is_empty()
        });
        self.count = self.known.values().map(Vec::len).sum();
    }
}
