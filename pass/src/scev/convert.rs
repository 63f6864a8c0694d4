//! From scalar evolution to quasi-affine expressions over parameters and loop counters.
//!
//! LLVM's integers wrap around, the model's do not. An expression of `w` bits becomes an exact one in two steps:
//!
//! 1. *Modulo `2^w`*: sums, products and truncations commute with reduction modulo `2^w`. Exact arithmetic throughout
//!    gives a number that is congruent to the machine's.
//! 2. *Exactly*, as a signed or an unsigned number. Either LLVM's flags rule out wrapping, or the congruent number is
//!    proven to be in the range of the type on the domain at hand, or that is *assumed*: a condition on the
//!    parameters that is checked at run time.
//!
//! The second step is taken only where it matters: under extensions, divisions, minima and maxima, in comparisons,
//! and for the expression as a whole.
//!
//! A recurrence `{a,+,s}<L>` is `a + s k`, where `k` is the counter of `L`. The counter is 0 in the first iteration.

use super::expression_cache::{ExpressionCache, Query, Snapshot};
use super::factor::factored;
use super::names::Names;
use super::params::ParamTable;
use super::pieces::{Pieces, negative};
use super::scope::{Reading, Scope, space};
use super::trip_counts;
use crate::control::nest::Nest;
use crate::detect::declined::{Declined, Modelled, Reason, Stop, or_declined};
use farkas_llvm::Run;
use farkas_llvm::loops::Loop;
use farkas_llvm::scev::{Flags, Scev, ScevKind};
use farkas_llvm::types::TypeKind;
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Aff, Params, Set, SetSpace};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashSet;

/// Budget units per conversion of an expression.
const STEP: u64 = 100;

/// Budget units per pair of conjunctions of a product.
const PAIR: usize = 50;

/// Number of conjunctions up to which a product is not coalesced.
const PLAIN: usize = 8;

/// The set where all the conditions on parameters hold. Products of disjunctions grow with each condition, so they
/// spend budget.
pub(crate) fn under(set: Set, conditions: &[Set], b: &Budget) -> Outcome<Set> {
    conditions.iter().try_fold(set, |all, condition| {
        b.spend((PAIR * all.pieces().len() * condition.pieces().len()) as u64)?;
        let both = all.intersect_params(condition);
        if both.pieces().len() > PLAIN {
            both.coalesce(b)
        } else {
            Ok(both)
        }
    })
}

/// Turns expressions into quasi-affine ones, and collects the parameters and assumptions that this takes.
pub(crate) struct Converter<'c, 'a, 'r> {
    pub(crate) run: &'a Run<'r>,
    pub(crate) nest: &'c Nest<'a>,
    pub(crate) budget: &'c Budget,
    pub(crate) names: RefCell<Names>,
    pub(crate) params: RefCell<ParamTable<'a>>,
    /// Parameter sets, all of which have to hold.
    assumptions: RefCell<Vec<Assumption>>,
    /// The result of [`trip_counts::unsigned_trip_counts`].
    trip_counts: OnceCell<HashSet<Scev<'a>>>,
    cache: RefCell<ExpressionCache<'a>>,
    /// Whether some integer is taken for a remainder.
    remainders: Cell<bool>,
}

/// The state of a converter, to which it can go back.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoint {
    snapshot: Snapshot,
    names: Names,
}

/// An assumption on the parameters.
#[derive(Clone, Debug)]
struct Assumption {
    own: Set,
    /// The intersection of this and all earlier assumptions. Further assumptions are looked at under it.
    all: Set,
}

/// Integers of so few bits are remainders modulo a power of two, as LLVM has them for `i & 1` and `i % 4`: that they do not wrap around would
/// leave next to nothing to execute, and is not assumed.
const MOST_BITS_OF_REMAINDERS: u32 = 2;

/// Whether an integer of so many bits is taken for a remainder where it wraps around.
pub(crate) fn is_remainder(bits: u32) -> bool {
    (1..=MOST_BITS_OF_REMAINDERS).contains(&bits)
}

/// The number in the range of an integer type that is congruent to a value modulo two to the power of its bits.
fn remainder(value: &Pieces, bits: u32, reading: Reading) -> Pieces {
    let modulus = Int::from(1_i64 << bits);
    let low = match reading {
        Reading::Unsigned => Int::ZERO,
        Reading::Signed => Int::from(-(1_i64 << (bits - 1))),
    };
    value.map(|value| value.add_constant(&-&low).modulo(&modulus).add_constant(&low))
}

impl<'c, 'a, 'r> Converter<'c, 'a, 'r> {
    pub(crate) fn new(run: &'a Run<'r>, nest: &'c Nest<'a>, budget: &'c Budget) -> Self {
        Converter {
            run,
            nest,
            budget,
            names: RefCell::default(),
            params: RefCell::default(),
            assumptions: RefCell::default(),
            trip_counts: OnceCell::new(),
            cache: RefCell::default(),
            remainders: Cell::default(),
        }
    }

    /// Whether some integer so far is taken for a remainder modulo a power of two.
    pub(crate) fn has_remainders(&self) -> bool {
        self.remainders.get()
    }

    /// The assumptions made so far.
    pub(crate) fn assumptions(&self) -> Vec<Set> {
        self.assumptions
            .borrow()
            .iter()
            .map(|assumption| assumption.own.clone())
            .collect()
    }

    /// Where all assumptions made so far hold.
    pub(crate) fn assumed(&self) -> Set {
        let universe = || Set::universe(SetSpace::params_only(Params::none()));
        self.assumptions
            .borrow()
            .last()
            .map_or_else(universe, |last| last.all.clone())
    }

    /// Assumes that the parameters are in the set.
    ///
    /// # Errors
    /// If the budget is spent.
    pub(crate) fn assume(&self, own: Set) -> Modelled<'a, ()> {
        let all = self.under_assumptions(own.clone())?;
        self.assumptions.borrow_mut().push(Assumption { own, all });
        Ok(())
    }

    /// The part of the set where the assumptions made so far hold.
    fn under_assumptions(&self, set: Set) -> Modelled<'a, Set> {
        let assumptions = self.assumptions.borrow();
        let all = assumptions.last().map(|last| std::slice::from_ref(&last.all));
        Ok(under(set, all.unwrap_or_default(), self.budget)?)
    }

    /// Returns the result of `attempt`. If it is declined, its parameters and assumptions are rolled back.
    ///
    /// # Errors
    /// If the budget is spent.
    pub(crate) fn attempt<T>(&self, attempt: impl FnOnce() -> Modelled<'a, T>) -> Outcome<Result<T, Declined<'a>>> {
        or_declined(self.or_roll_back(attempt))
    }

    /// Returns the result of `attempt`. If it fails, its parameters and assumptions are rolled back.
    pub(crate) fn or_roll_back<T, E>(&self, attempt: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let before = self.snapshot();
        let outcome = attempt();
        if outcome.is_err() && self.snapshot() != before {
            self.restore(before);
        }
        outcome
    }

    /// Returns the result of `find`, if that needs no new parameters and no assumptions, neither existing nor new
    /// ones.
    ///
    /// # Errors
    /// If the budget is spent.
    pub(crate) fn without_assumptions<T>(
        &self,
        find: impl FnOnce() -> Modelled<'a, T>,
    ) -> Outcome<Result<T, Declined<'a>>> {
        let (assumptions, cache) = (self.assumptions.take(), self.cache.take());
        let found = self.without_new_assumptions(find);
        self.cache.replace(cache);
        self.assumptions.replace(assumptions);
        found
    }

    /// Returns the result of `find`, if that needs no new parameters and no new assumptions.
    ///
    /// # Errors
    /// If the budget is spent.
    pub(crate) fn without_new_assumptions<T>(
        &self,
        find: impl FnOnce() -> Modelled<'a, T>,
    ) -> Outcome<Result<T, Declined<'a>>> {
        let before = self.snapshot();
        self.attempt(|| match find() {
            Ok(_) if self.snapshot() != before => Err(not_affine()),
            found => found,
        })
    }

    /// The parameters, assumptions and names so far.
    pub(crate) fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            snapshot: self.snapshot(),
            names: self.names.borrow().clone(),
        }
    }

    /// Forgets all parameters, assumptions and names after the checkpoint.
    pub(crate) fn roll_back_to(&self, checkpoint: Checkpoint) {
        self.restore(checkpoint.snapshot);
        self.names.replace(checkpoint.names);
    }

    fn restore(&self, snapshot: Snapshot) {
        self.assumptions.borrow_mut().truncate(snapshot.assumptions);
        let names = &mut self.names.borrow_mut();
        self.params.borrow_mut().truncate(names, snapshot.params);
        self.cache.borrow_mut().roll_back_to(snapshot);
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot {
            params: self.params.borrow().len(),
            assumptions: self.assumptions.borrow().len(),
        }
    }

    /// The cached result of the query, or else the result of `find`.
    fn cached(
        &self,
        query: Query<'a>,
        scope: &Scope,
        find: impl FnOnce() -> Modelled<'a, Pieces>,
    ) -> Modelled<'a, Pieces> {
        if let Some(known) = self.cache.borrow().get(query, scope) {
            return Ok(known?);
        }
        let before = self.snapshot();
        let value = or_declined(find())?;
        let snapshots = (before, self.snapshot());
        self.cache.borrow_mut().keep(query, scope, &value, snapshots);
        Ok(value?)
    }

    /// The possible values of the parameters found so far.
    pub(crate) fn context(&self) -> Set {
        self.params.borrow().context()
    }

    /// Makes `bad`, a set of counters, empty: proves that it is, or assumes it. Returns false if it cannot be empty.
    pub(crate) fn exclude(&self, bad: &Set) -> Modelled<'a, bool> {
        match self.excluding(bad)? {
            Some(assumed) if assumed.is_plainly_universe() => Ok(true),
            Some(assumed) => {
                self.assume(assumed)?;
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// The parameters for which `bad`, a set of counters, is empty, beside what is assumed already: what would have to be assumed. `None` if it
    /// cannot be empty.
    pub(crate) fn excluding(&self, bad: &Set) -> Modelled<'a, Option<Set>> {
        let possible = self.possible(bad)?;
        if possible.is_plainly_empty() {
            return Ok(Some(Set::universe(SetSpace::params_only(Params::none()))));
        }
        // Without what the context says anyway, of which the complement is of no use.
        let assumed = possible
            .project_onto_params(self.budget)?
            .gist_params(&self.context(), self.budget)?
            .complement(self.budget)?
            .compact(self.budget)?
            .gist_params(&self.context(), self.budget)?;
        if self.is_excluded(&assumed)? {
            return Ok(None);
        }
        // A product that is as large as one of its factors only is none of usual sizes.
        let usual = self.params.borrow().usual_products(self.run);
        if let Some(usual) = usual
            && self.is_excluded(&assumed.intersect_params(&usual))?
        {
            return Ok(None);
        }
        Ok(Some(assumed))
    }

    /// The conjunctions of `bad`, in the context, that the assumptions made so far leave. They are not restricted to these: assumptions
    /// are about parameters only, so that they change nothing of what else has to be assumed, which would be in more conjunctions.
    fn possible(&self, bad: &Set) -> Modelled<'a, Set> {
        let known = bad.intersect_params(&self.context());
        let mut possible = Vec::new();
        for piece in known.pieces() {
            if !self.is_ruled_out(Set::from_conj(known.space().clone(), piece.clone()))? {
                possible.push(piece.clone());
            }
        }
        Ok(Set::from_conjs(known.space().clone(), possible))
    }

    /// Makes sure that the parameters are in the set, whatever is executed: proves it, or assumes it. Returns false
    /// if they cannot be.
    pub(crate) fn require(&self, set: &Set) -> Modelled<'a, bool> {
        let possible = self.under_assumptions(self.context())?;
        if possible.is_subset(set, self.budget)? {
            return Ok(true);
        }
        if self.is_excluded(set)? {
            return Ok(false);
        }
        self.assume(set.gist_params(&self.context(), self.budget)?)?;
        Ok(true)
    }

    /// Whether `bad`, a set of counters, is empty without further assumptions.
    pub(crate) fn is_excluded(&self, bad: &Set) -> Modelled<'a, bool> {
        self.is_ruled_out(bad.intersect_params(&self.context()))
    }

    /// The same of a set in the context.
    fn is_ruled_out(&self, mut known: Set) -> Modelled<'a, bool> {
        if let Some(last) = self.assumptions.borrow().last() {
            // Only to see whether it is empty, which takes less than having it in few conjunctions.
            self.budget
                .spend((PAIR * known.pieces().len() * last.all.pieces().len()) as u64)?;
            known = known.intersect_params(&last.all);
        }
        Ok(known.is_empty(self.budget)?)
    }

    /// The exact value of the expression.
    ///
    /// # Errors
    /// If it is not quasi-affine.
    pub(crate) fn exact(&self, scev: Scev<'a>, reading: Reading, scope: &Scope) -> Modelled<'a, Pieces> {
        self.cached(Query::Exact(scev, reading), scope, || {
            self.find_exact(scev, reading, scope)
        })
    }

    fn find_exact(&self, scev: Scev<'a>, reading: Reading, scope: &Scope) -> Modelled<'a, Pieces> {
        self.budget.spend(STEP)?;
        let flags_suffice = self.attempt(|| self.by_structure(scev, reading, scope))?;
        if let Ok(Some(value)) = flags_suffice {
            return Ok(value);
        }
        let by_range = self.attempt(|| {
            let value = self.modular(scev, scope)?.within(&scope.domain, self.budget)?;
            let bits = self.run.bits(scev);
            let confined = |value: &Pieces| self.confine(value, bits, reading, scope);
            if is_remainder(bits) && self.without_new_assumptions(|| confined(&value))?.is_err() {
                self.remainders.set(true);
                return Ok(remainder(&value, bits, reading));
            }
            confined(&value)?;
            Ok(value)
        })?;
        match by_range {
            Err(_) if self.is_parameter(scev) => {
                let value = Pieces::everywhere(self.parameter(scev, scope)?);
                self.confine(&value, self.run.bits(scev), reading, scope)?;
                Ok(value)
            }
            value => Ok(value?),
        }
    }

    /// Proves or assumes that the value fits into `bits` bits.
    pub(crate) fn confine(&self, value: &Pieces, bits: u32, reading: Reading, scope: &Scope) -> Modelled<'a, ()> {
        let two_to = |exponent: u32| Int::from(1_i128 << exponent);
        if bits == 0 || bits > 64 {
            return Err(Reason::WideInteger(bits).into());
        }
        let (low, end) = match reading {
            Reading::Signed => (-two_to(bits - 1), two_to(bits - 1)),
            Reading::Unsigned => (Int::ZERO, two_to(bits)),
        };
        let below = |v: &Aff| negative(&v.add_constant(&-&low));
        let above = |v: &Aff| negative(&v.neg().add_constant(&(&end - &Int::ONE)));
        let outside = value
            .filter(&scope.space(), below)
            .union(&value.filter(&scope.space(), above));
        let bad = scope.domain.intersect(&outside);
        if self.is_excluded(&bad)? {
            return Ok(());
        }
        // That a parameter is in the range of a narrower type is assumed of it everywhere, also where it does not
        // matter: a single condition, and not one for each case.
        let everywhere = value
            .as_affine()
            .filter(|value| reading == Reading::Signed && is_parameter(value))
            .map(|value| below(value).union(&above(value)));
        if let Some(outside) = everywhere
            && self.exclude(&outside)?
        {
            return Ok(());
        }
        if self.exclude(&bad)? { Ok(()) } else { Err(not_affine()) }
    }

    /// The exact value where the flags and the form of the expression prove that nothing wraps; `None` where they do
    /// not.
    fn by_structure(&self, scev: Scev<'a>, reading: Reading, scope: &Scope) -> Modelled<'a, Option<Pieces>> {
        let signed = reading == Reading::Signed;
        let exact = |s| self.exact(s, reading, scope);
        let holds = |flags: Flags| {
            if signed {
                flags.no_signed_wrap
            } else {
                flags.no_unsigned_wrap
            }
        };
        match scev.kind() {
            ScevKind::Constant(c) => match self.run.bits(scev) {
                _ if signed || c >= 0 => Ok(Some(Pieces::constant(&scope.space(), c))),
                bits @ 0..=64 => Ok(Some(Pieces::constant(&scope.space(), i128::from(c) + (1_i128 << bits)))),
                // It is larger than any number of the model.
                _ => Ok(None),
            },
            ScevKind::ZeroExtend(narrow) => Ok(Some(self.exact(narrow, Reading::Unsigned, scope)?)),
            ScevKind::SignExtend(narrow) if signed => Ok(Some(exact(narrow)?)),
            ScevKind::Add(terms, flags) if holds(flags) => {
                let mut sum = Pieces::constant(&scope.space(), 0);
                for term in terms {
                    sum = sum.plus(&exact(term)?).ok_or_else(not_affine)?;
                }
                Ok(Some(sum))
            }
            ScevKind::Mul(factors, flags) if holds(flags) => {
                let factors: Modelled<'a, Vec<Pieces>> = factors.into_iter().map(exact).collect();
                Ok(Some(self.product(factors?)?))
            }
            ScevKind::AddRec(l, operands, flags) if holds(flags) => {
                let [start, step] = operands[..] else { return Ok(None) };
                let Some(counter) = self.counter(l, scope) else {
                    return Ok(None);
                };
                let Some(step) = exact(step)?.as_constant() else {
                    return Ok(None);
                };
                let start = exact(start)?;
                Ok(Some(start.map(|start| start.add(&counter.scale(&step)))))
            }
            ScevKind::SMax(operands) if signed => Ok(Some(self.extremum(operands, reading, true, scope)?)),
            ScevKind::SMin(operands) if signed => Ok(Some(self.extremum(operands, reading, false, scope)?)),
            ScevKind::UMax(operands) if !signed => Ok(Some(self.extremum(operands, reading, true, scope)?)),
            ScevKind::UMin(operands) | ScevKind::SequentialUMin(operands) if !signed => {
                Ok(Some(self.extremum(operands, reading, false, scope)?))
            }
            // The number of elements between two pointers is a size, which their addresses are not.
            ScevKind::UDiv(dividend, divisor)
                if is_of_addresses(dividend)
                    && matches!(divisor.kind(), ScevKind::Constant(divisor) if divisor >= 2)
                    && self.is_parameter(scev) =>
            {
                Ok(Some(Pieces::everywhere(self.parameter(scev, scope)?)))
            }
            ScevKind::UDiv(dividend, divisor) => match divisor.kind() {
                // At least halved, so that the sign bit is clear and both readings agree.
                ScevKind::Constant(divisor) if divisor >= 2 => {
                    let dividend = self.exact(dividend, Reading::Unsigned, scope)?;
                    Ok(Some(dividend.map(|dividend| dividend.floor_div(&Int::from(divisor)))))
                }
                ScevKind::Constant(_) => Ok(None),
                _ => Ok(Some(self.small_quotient(
                    dividend,
                    divisor,
                    Reading::Unsigned,
                    scope,
                )?)),
            },
            ScevKind::Unknown(_) if signed && self.is_parameter(scev) => {
                Ok(Some(Pieces::everywhere(self.parameter(scev, scope)?)))
            }
            ScevKind::Unknown(value) => self.by_cases(value, reading, scope),
            _ => Ok(None),
        }
    }

    /// A number that is congruent to the expression modulo two to the power of its number of bits.
    pub(crate) fn modular(&self, scev: Scev<'a>, scope: &Scope) -> Modelled<'a, Pieces> {
        self.cached(Query::Modular(scev), scope, || self.find_modular(scev, scope))
    }

    fn find_modular(&self, scev: Scev<'a>, scope: &Scope) -> Modelled<'a, Pieces> {
        self.budget.spend(STEP)?;
        let value = self.attempt(|| match scev.kind() {
            ScevKind::Constant(c) => Ok(Pieces::constant(&scope.space(), c)),
            ScevKind::Add(terms, _) => {
                let mut sum = Pieces::constant(&scope.space(), 0);
                for term in terms {
                    sum = sum.plus(&self.modular(term, scope)?).ok_or_else(not_affine)?;
                }
                Ok(sum)
            }
            ScevKind::Mul(factors, _) => {
                let values: Modelled<'a, Vec<Pieces>> = factors.iter().map(|f| self.modular(*f, scope)).collect();
                self.product(values?)
            }
            ScevKind::AddRec(l, operands, _) => {
                let [start, step] = operands[..] else {
                    return Err(not_affine());
                };
                let counter = match self.counter(l, scope) {
                    Some(counter) => counter,
                    None if self.modular(step, scope)?.as_constant().is_none() => {
                        let (start, steps) = self.start_and_steps(scev).ok_or_else(not_affine)?;
                        let steps = self.modular(steps, scope)?;
                        return self.modular(start, scope)?.plus(&steps).ok_or_else(not_affine);
                    }
                    None => self.outer_counter(l, scev, scope)?,
                };
                let step = self.modular(step, scope)?.as_constant().ok_or_else(not_affine)?;
                Ok(self
                    .modular(start, scope)?
                    .map(|start| start.add(&counter.scale(&step))))
            }
            ScevKind::Truncate(wide) => self.modular(wide, scope),
            ScevKind::ZeroExtend(narrow) => self.exact(narrow, Reading::Unsigned, scope),
            ScevKind::SignExtend(narrow) => self.exact(narrow, Reading::Signed, scope),
            ScevKind::SMax(_) | ScevKind::SMin(_) => {
                self.by_structure(scev, Reading::Signed, scope)?.ok_or_else(not_affine)
            }
            ScevKind::UMax(_) | ScevKind::UMin(_) | ScevKind::SequentialUMin(_) | ScevKind::UDiv(..) => self
                .by_structure(scev, Reading::Unsigned, scope)?
                .ok_or_else(not_affine),
            ScevKind::Unknown(_) => self.by_structure(scev, Reading::Signed, scope)?.ok_or_else(not_affine),
            ScevKind::Address | ScevKind::CouldNotCompute | ScevKind::Other => Err(not_affine()),
        })?;
        match value {
            Err(_) if self.is_parameter(scev) => {
                // A constant factor stays outside, so that what it says of divisibility is not lost.
                let (factor, rest) = factored(self.run, scev);
                Ok(Pieces::everywhere(
                    self.parameter(rest, scope)?.scale(&Int::from(factor)),
                ))
            }
            value => Ok(value?),
        }
    }

    fn extremum(
        &self,
        operands: Vec<Scev<'a>>,
        reading: Reading,
        largest: bool,
        scope: &Scope,
    ) -> Modelled<'a, Pieces> {
        let mut result: Option<Pieces> = None;
        for operand in operands {
            let value = self.exact(operand, reading, scope)?;
            result = match result {
                None => Some(value),
                Some(so_far) => {
                    let both = so_far.extremum(&value, largest).ok_or_else(not_affine)?;
                    Some(both.within(&scope.domain.intersect_params(&self.context()), self.budget)?)
                }
            };
        }
        result.ok_or_else(not_affine)
    }

    /// The product. At most one factor is not constant.
    fn product(&self, factors: Vec<Pieces>) -> Modelled<'a, Pieces> {
        let (constants, others): (Vec<Pieces>, Vec<Pieces>) =
            factors.into_iter().partition(|factor| factor.as_constant().is_some());
        let constant = |factors: &[Pieces]| {
            let constants = factors.iter().filter_map(Pieces::as_constant);
            constants.fold(Int::ONE, |product, constant| &product * &constant)
        };
        // What is no constant in the form of the expression may be one in the scope, as `min(0, n)` is where `n` is positive.
        match (&others[..], &constants[..]) {
            ([other], _) => Ok(other.map(|aff| aff.scale(&constant(&constants)))),
            ([], [first, rest @ ..]) => Ok(first.map(|aff| aff.scale(&constant(rest)))),
            _ => Err(not_affine()),
        }
    }

    /// The counter of a loop around the place.
    pub(crate) fn counter(&self, l: Loop<'a>, scope: &Scope) -> Option<Aff> {
        let id = self.nest.find(l)?;
        let dim = scope.loops.iter().position(|around| *around == id)?;
        Some(Aff::var(scope.space(), dim))
    }

    /// The counter of a loop around the nest, a parameter. `scev` is a recurrence of that loop.
    fn outer_counter(&self, l: Loop<'a>, scev: Scev<'a>, scope: &Scope) -> Modelled<'a, Aff> {
        let ty = scev.ty().ok_or_else(not_affine)?;
        if !matches!(ty.kind(), TypeKind::Integer(..=64)) {
            return Err(not_affine());
        }
        let counter = self.run.recurrence(l, self.run.number(ty, 0), self.run.number(ty, 1));
        if counter == scev || !self.is_parameter(counter) {
            return Err(not_affine());
        }
        self.parameter(counter, scope)
    }

    /// A recurrence of a loop around the nest as its value in the first iteration, and what the steps add to that: rows that are steps apart
    /// differ by a number that is known. `None` for other expressions, and where it starts with 0.
    pub(super) fn start_and_steps(&self, scev: Scev<'a>) -> Option<(Scev<'a>, Scev<'a>)> {
        let ScevKind::AddRec(l, operands, _) = scev.kind() else {
            return None;
        };
        let [start, step] = operands[..] else { return None };
        let zero = self.run.number(scev.ty()?, 0);
        if self.nest.find(l).is_some() || start == zero || !matches!(scev.ty()?.kind(), TypeKind::Integer(..=64)) {
            return None;
        }
        let steps = self.run.recurrence(l, zero, step);
        (self.is_parameter(start) && self.is_parameter(steps)).then_some((start, steps))
    }

    /// Whether the expression is the same throughout the region.
    pub(crate) fn is_parameter(&self, scev: Scev<'a>) -> bool {
        scev.kind() != ScevKind::CouldNotCompute && self.nest.region.is_invariant(self.run, scev)
    }

    /// Whether the expression is the same throughout the region, and can be computed in front of it.
    pub(crate) fn is_expandable(&self, scev: Scev<'a>) -> bool {
        self.nest.region.is_parameter(self.run, scev)
    }

    /// The parameter that an expression is, which is the same throughout the region.
    pub(crate) fn parameter(&self, scev: Scev<'a>, scope: &Scope) -> Modelled<'a, Aff> {
        let (total, divisors) = self.run.total(scev);
        for divisor in divisors {
            // It is computed before the region, where the original may not be.
            let divisor = self.exact(divisor, Reading::Unsigned, &Scope::outermost())?;
            let below_one = |divisor: &Aff| negative(&divisor.add_constant(&Int::from(-1)));
            if !self.exclude(&divisor.filter(&space(0), below_one))? {
                return Err(not_affine());
            }
        }
        let known = self.params.borrow().len();
        let parameter = {
            let mut params = self.params.borrow_mut();
            let names = &mut self.names.borrow_mut();
            params.affine(self.run, names, &self.nest.region, total, &scope.space())?
        };
        let counts = self
            .trip_counts
            .get_or_init(|| trip_counts::unsigned_trip_counts(self.run, self.nest));
        if self.params.borrow().len() > known && counts.contains(&scev) {
            // If no values are left then, it is not assumed.
            self.exclude(&negative(&parameter))?;
        }
        Ok(parameter)
    }
}

/// Whether the expression is a parameter and nothing else.
fn is_parameter(value: &Aff) -> bool {
    let params = (0..value.space().params.len()).map(|p| value.param_coefficient(p));
    let mut others = params.filter(|x| !x.is_zero());
    others.next().is_some_and(|x| *x == Int::ONE)
        && others.next().is_none()
        && *value.den() == Int::ONE
        && value.divs().is_empty()
        && value.constant_term().is_zero()
        && (0..value.space().tuple.n()).all(|dim| value.coefficient(dim).is_zero())
}

/// Whether an expression is a sum in which there are addresses.
fn is_of_addresses(scev: Scev<'_>) -> bool {
    match scev.kind() {
        ScevKind::Address => true,
        ScevKind::Add(terms, _) => terms.into_iter().any(is_of_addresses),
        ScevKind::Mul(factors, _) => factors.into_iter().any(is_of_addresses),
        _ => false,
    }
}

pub(super) fn not_affine<'a>() -> Stop<'a> {
    Reason::NotAffine.into()
}
