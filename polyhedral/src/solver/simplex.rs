//! The incremental rational simplex method.
//!
//! A [`Simplex`] holds `n` unknowns of any sign and constraints on them that can be added at any time and undone with
//! [`push`](Simplex::push) and [`pop`](Simplex::pop). Every inequality `c + a.x >= 0` has a *slack* variable, its value,
//! that must not be negative. The tableau (layout and pivoting: `dense.rs`) keeps the invariant that the row of a slack
//! mentions slacks only: when a new inequality still mentions unknowns in columns, one of them is exchanged for the slack
//! at once. An equality is solved for a variable and takes away one column for good.
//!
//! For `{ (x, y) : x >= 0 and y >= x }` the slacks are `s = x` and `t = y - x`. Adding the first exchanges `x` for `s`,
//! adding the second `y` for `t`: the rows are `x = s` and `y = s + t`, and the sample point, where the columns are 0, is
//! the origin.
//!
//! Pivots are chosen by the largest coefficient first, and by Bland's least-index rule once that has gone on for long,
//! which rules out cycling.
//!
//! Numbers are `i64` as long as they fit. The operation in which one does not is repeated in wide numbers, which the
//! tableau then keeps.

use super::dense::{COLS, CONST, DEN, Dense, Place};
use super::lp::Optimum;
use super::number::Number;
use super::width::{Stop, Width, on_state};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::Row;

/// The number of pivots of one optimization that are chosen greedily before Bland's rule takes over.
const GREEDY_PIVOTS: usize = 60;

/// The slack of an inequality.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slack(usize);

/// Constraints on `n` rational unknowns, see the module.
#[derive(Clone, Debug)]
pub struct Simplex {
    n: usize,
    state: Width<State<i64>, State<Int>>,
    saved: Vec<Width<State<i64>, State<Int>>>,
}

/// The tableau and what its variables are.
#[derive(Clone, Debug)]
struct State<S> {
    tableau: Dense<S>,
    /// Per variable: whether it must not be negative.
    restricted: Vec<bool>,
    /// An inconsistent constraint has been added.
    contradiction: bool,
}

/// What a bounded search for an optimum has come to.
enum Search {
    Optimal,
    Unbounded,
    /// Stopped where the value was low enough.
    Stopped,
}

/// How low a search for a minimum is to go.
#[derive(Clone, Copy)]
enum Until {
    Optimum,
    NotPositive,
    Negative,
    MinusOne,
}

impl Simplex {
    /// No constraints on `n` unknowns.
    pub fn new(n: usize) -> Simplex {
        Simplex::with_capacity(n, 0)
    }

    /// No constraints on `n` unknowns, with room for as many as `rows` of them.
    pub fn with_capacity(n: usize, rows: usize) -> Simplex {
        let mut restricted = Vec::with_capacity(n + rows);
        restricted.resize(n, false);
        let state = State {
            tableau: Dense::new(n, rows),
            restricted,
            contradiction: false,
        };
        Simplex {
            n,
            state: Width::Narrow(state),
            saved: Vec::new(),
        }
    }

    /// The constraints of `system`, the slack of inequality `i` being the `i`-th returned.
    pub fn from_system(system: &super::System, budget: &Budget) -> Outcome<(Simplex, Vec<Slack>)> {
        let mut simplex = Simplex::with_capacity(system.n, system.eqs.len() + system.ineqs.len());
        for row in &system.eqs {
            simplex.add_eq(row, budget)?;
        }
        let slacks = system
            .ineqs
            .iter()
            .map(|row| simplex.add_ineq(row, budget))
            .collect::<Outcome<_>>()?;
        Ok((simplex, slacks))
    }

    /// The number of unknowns.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Remembers the present constraints.
    pub fn push(&mut self) {
        self.saved.push(self.state.clone());
    }

    /// Goes back to the constraints at the last [`push`](Simplex::push).
    ///
    /// # Panics
    ///
    /// If there was none.
    pub fn pop(&mut self) {
        let saved = self.saved.pop().expect("a pop for every push");
        let left = std::mem::replace(&mut self.state, saved);
        if let (Width::Narrow(state), Width::Narrow(left)) = (&mut self.state, left) {
            state.tableau.take_buffers(left.tableau);
        }
    }

    /// Adds the inequality `row >= 0`.
    pub fn add_ineq(&mut self, row: &[Int], budget: &Budget) -> Outcome<Slack> {
        on_state!(self.state, state => state.add_ineq(row, budget))
    }

    /// Adds the equality `row = 0`.
    pub fn add_eq(&mut self, row: &[Int], budget: &Budget) -> Outcome<()> {
        on_state!(self.state, state => state.add_eq(row, budget))
    }

    /// Whether there is a rational point, moving the sample point to one if so.
    pub fn is_feasible(&mut self, budget: &Budget) -> Outcome<bool> {
        on_state!(self.state, state => state.is_feasible(budget))
    }

    /// The sample point: numerators and their common positive denominator. A point of the set after
    /// [`is_feasible`](Simplex::is_feasible) has said that there is one.
    pub fn sample(&self) -> (Row, Int) {
        match &self.state {
            Width::Narrow(state) => state.tableau.sample(self.n),
            Width::Wide(state) => state.tableau.sample(self.n),
        }
    }

    /// The minimum of `objective = [c, a..]`. The sample point is one where it is attained if it is finite.
    pub fn minimize(&mut self, objective: &[Int], budget: &Budget) -> Outcome<Optimum> {
        on_state!(self.state, state => state.minimize(objective, budget))
    }

    /// Whether `row = [c, a..]` is larger than -1 on the whole set, so that it is not negative on any integer point, if it
    /// has integer coefficients.
    pub fn implies(&mut self, row: &[Int], budget: &Budget) -> Outcome<bool> {
        on_state!(self.state, state => state.implies(row, budget))
    }

    /// Whether the slack is positive at the sample point.
    pub fn is_positive(&self, slack: Slack) -> bool {
        match &self.state {
            Width::Narrow(state) => state.is_positive(slack.0),
            Width::Wide(state) => state.is_positive(slack.0),
        }
    }

    /// Whether the slack is 0 on the whole set, which must not be empty.
    pub fn is_implicit_equality(&mut self, slack: Slack, budget: &Budget) -> Outcome<bool> {
        on_state!(self.state, state => state.is_implicit_equality(slack.0, budget))
    }

    /// Which of the slacks are 0 on the whole set, by their position; none if the set is empty.
    pub fn implicit_equalities(&mut self, slacks: &[Slack], budget: &Budget) -> Outcome<Option<Vec<usize>>> {
        if !self.is_feasible(budget)? {
            return Ok(None);
        }
        // A slack that has once been seen positive is no equality.
        let mut positive = vec![false; slacks.len()];
        let mut implicit = Vec::new();
        for i in 0..slacks.len() {
            for (seen, &slack) in positive.iter_mut().zip(slacks).skip(i) {
                *seen = *seen || self.is_positive(slack);
            }
            if !positive[i] && self.is_implicit_equality(slacks[i], budget)? {
                implicit.push(i);
            }
        }
        Ok(Some(implicit))
    }

    /// Whether the inequality of `slack`, with integer coefficients, follows from the other constraints for all integer
    /// points, as far as its rational minimum tells: that is more than -1; if so, it is dropped. The set must not be
    /// empty.
    pub fn drop_if_redundant(&mut self, slack: Slack, budget: &Budget) -> Outcome<bool> {
        on_state!(self.state, state => state.drop_if_redundant(slack.0, budget))
    }
}

impl<S: Number> State<S> {
    fn widen(&self) -> State<Int> {
        State {
            tableau: self.tableau.widen(),
            restricted: self.restricted.clone(),
            contradiction: self.contradiction,
        }
    }

    fn pivot(&mut self, i: usize, j: usize, budget: &Budget) -> Result<(), Stop> {
        let changed = self.tableau.pivot(i, j)?;
        Ok(budget.spend(changed)?)
    }

    /// Adds a row as the last variable, with a pivot that `column` picks for it. Nothing has changed if that overflows.
    fn add_row(
        &mut self,
        row: &[Int],
        restricted: bool,
        column: impl Fn(&State<S>, &[S]) -> Option<usize>,
        budget: &Budget,
    ) -> Result<(usize, Option<usize>), Stop> {
        budget.spend(1)?;
        let variable = self.tableau.add_row(row)?;
        self.restricted.push(restricted);
        let i = self.tableau.n_rows() - 1;
        let picked = column(self, self.tableau.row(i));
        if let Some(j) = picked {
            match self.tableau.pivot(i, j) {
                Ok(changed) => budget.spend(changed)?,
                Err(overflow) => {
                    self.tableau.forget_last();
                    self.restricted.pop();
                    return Err(overflow.into());
                }
            }
        }
        Ok((variable, picked))
    }

    /// The first column with a non-zero entry whose variable may have any sign.
    fn free_column(&self, row: &[S]) -> Option<usize> {
        let columns = &self.tableau.col_vars;
        (0..columns.len()).find(|&j| !row[COLS + j].is_zero() && !self.restricted[columns[j]])
    }

    fn add_ineq(&mut self, row: &[Int], budget: &Budget) -> Result<Slack, Stop> {
        let (slack, _) = self.add_row(row, true, State::free_column, budget)?;
        Ok(Slack(slack))
    }

    fn add_eq(&mut self, row: &[Int], budget: &Budget) -> Result<(), Stop> {
        // An unknown rather than a slack, which would have to be checked for its sign from now on.
        let column = |state: &State<S>, row: &[S]| {
            let any = || (COLS..row.len()).find(|&c| !row[c].is_zero()).map(|c| c - COLS);
            state.free_column(row).or_else(any)
        };
        let (_, picked) = self.add_row(row, false, column, budget)?;
        match picked {
            Some(j) => self.tableau.drop_column(j),
            None => {
                let i = self.tableau.n_rows() - 1;
                self.contradiction |= !self.tableau.constant(i).is_zero();
                self.tableau.drop_row(i);
            }
        }
        Ok(())
    }

    fn is_feasible(&mut self, budget: &Budget) -> Result<bool, Stop> {
        let mut pivots = 0;
        while !self.contradiction {
            // The violated row of the least variable, so that Bland's rule ends the search.
            let tableau = &self.tableau;
            let violated =
                (0..tableau.n_rows()).filter(|&i| tableau.constant(i).is_neg() && self.restricted[tableau.row_vars[i]]);
            let row = if pivots < GREEDY_PIVOTS {
                violated.min_by(|&a, &b| {
                    let most =
                        S::compare_products(tableau.constant(a), tableau.den(b), tableau.constant(b), tableau.den(a));
                    most.then(tableau.row_vars[a].cmp(&tableau.row_vars[b]))
                })
            } else {
                violated.min_by_key(|&i| tableau.row_vars[i])
            };
            let Some(i) = row else { return Ok(true) };
            // Raising a slack raises the row. Columns of unknowns have entry 0 here, by the invariant.
            let column = (0..tableau.n_cols())
                .filter(|&j| tableau.entry(i, j).is_pos())
                .min_by_key(|&j| tableau.col_vars[j]);
            match column {
                Some(j) => self.pivot(i, j, budget)?,
                None => self.contradiction = true,
            }
            pivots += 1;
        }
        Ok(false)
    }

    /// Adds `objective` as a row, lets `work` use it, and drops it again.
    fn with_objective<T>(
        &mut self,
        objective: &[Int],
        work: impl FnOnce(&mut State<S>, usize) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let variable = self.tableau.add_row(objective)?;
        self.restricted.push(false);
        let result = work(self, variable);
        // It has no sign restriction and never leaves the basis, where it is the last row.
        debug_assert_eq!(self.row_of(variable), self.tableau.n_rows() - 1);
        self.tableau.forget_last();
        self.restricted.pop();
        result
    }

    /// The row of a variable that is basic.
    fn row_of(&self, variable: usize) -> usize {
        match self.tableau.places[variable] {
            Place::Row(i) => i,
            Place::Column(_) | Place::Gone => unreachable!("a free variable left the basis"),
        }
    }

    fn minimize(&mut self, objective: &[Int], budget: &Budget) -> Result<Optimum, Stop> {
        if !self.is_feasible(budget)? {
            return Ok(Optimum::Empty);
        }
        budget.spend(1)?;
        self.with_objective(objective, |state, variable| {
            Ok(match state.descend(variable, Until::Optimum, budget)? {
                Search::Optimal => {
                    let (num, den) = state.tableau.sample_value(variable);
                    let gcd = num.gcd(&den);
                    Optimum::Finite {
                        num: num.div_exact(&gcd),
                        den: den.div_exact(&gcd),
                    }
                }
                Search::Unbounded => Optimum::Unbounded,
                Search::Stopped => unreachable!("a search to the end"),
            })
        })
    }

    fn implies(&mut self, row: &[Int], budget: &Budget) -> Result<bool, Stop> {
        if !self.is_feasible(budget)? {
            return Ok(true);
        }
        budget.spend(1)?;
        // Larger than -1 means that the row plus 1 is positive.
        let mut objective = Row::from(row);
        objective[0] += Int::ONE;
        self.with_objective(&objective, |state, variable| {
            Ok(matches!(
                state.descend(variable, Until::NotPositive, budget)?,
                Search::Optimal
            ))
        })
    }

    fn is_positive(&self, variable: usize) -> bool {
        match self.tableau.places[variable] {
            Place::Row(i) => self.tableau.constant(i).is_pos(),
            Place::Column(_) | Place::Gone => false,
        }
    }

    fn is_implicit_equality(&mut self, slack: usize, budget: &Budget) -> Result<bool, Stop> {
        if self.tableau.places[slack] == Place::Gone {
            return Ok(true);
        }
        // Maximizing the slack is minimizing its negation.
        let negated = self.tableau.add_negation(slack);
        self.restricted.push(false);
        let search = self.descend(negated, Until::Negative, budget);
        let positive = self.tableau.constant(self.row_of(negated)).is_neg();
        self.tableau.forget_last();
        self.restricted.pop();
        Ok(match search? {
            Search::Optimal => !positive,
            Search::Unbounded | Search::Stopped => false,
        })
    }

    fn drop_if_redundant(&mut self, slack: usize, budget: &Budget) -> Result<bool, Stop> {
        self.restricted[slack] = false;
        let redundant = self.is_bounded_by_others(slack, budget);
        if let Ok(true) = redundant {
            self.tableau.drop_row(self.row_of(slack));
            return Ok(true);
        }
        self.restricted[slack] = true;
        redundant?;
        let feasible = self.is_feasible(budget)?;
        debug_assert!(feasible);
        Ok(false)
    }

    /// Whether a variable without sign restriction cannot become negative. It is basic then.
    fn is_bounded_by_others(&mut self, variable: usize, budget: &Budget) -> Result<bool, Stop> {
        if let Place::Column(j) = self.tableau.places[variable] {
            // Lower it until another slack is in the way.
            let Some(i) = self.blocking_row(j, true) else {
                return Ok(false);
            };
            self.pivot(i, j, budget)?;
        }
        let search = self.descend(variable, Until::MinusOne, budget)?;
        Ok(matches!(search, Search::Optimal))
    }

    /// The row of the slack that first reaches 0 when column `j` is raised, or lowered.
    fn blocking_row(&self, j: usize, lower: bool) -> Option<usize> {
        let tableau = &self.tableau;
        let mut best: Option<(usize, S)> = None;
        for i in 0..tableau.n_rows() {
            let entry = tableau.entry(i, j);
            let blocks = if lower { entry.is_pos() } else { entry.is_neg() };
            if !blocks || !self.restricted[tableau.row_vars[i]] {
                continue;
            }
            let size = entry.abs();
            let first = best.as_ref().is_none_or(|(b, best_size)| {
                S::compare_products(tableau.constant(i), best_size, tableau.constant(*b), &size)
                    .then(tableau.row_vars[i].cmp(&tableau.row_vars[*b]))
                    .is_lt()
            });
            if first {
                best = Some((i, size));
            }
        }
        best.map(|(i, _)| i)
    }

    /// Lowers the basic variable `objective`, which has no sign restriction, as far as the constraints allow, starting
    /// from a feasible sample point and staying at feasible ones. Stops early where it is as low as `until` says.
    fn descend(&mut self, objective: usize, until: Until, budget: &Budget) -> Result<Search, Stop> {
        let mut pivots = 0;
        loop {
            let row = self.tableau.row(self.row_of(objective));
            let low_enough = match until {
                Until::Optimum => false,
                Until::NotPositive => !row[CONST].is_pos(),
                Until::Negative => row[CONST].is_neg(),
                Until::MinusOne => {
                    row[CONST].is_neg()
                        && S::compare_products(&row[CONST], &S::ONE, &row[DEN], &S::ONE.negated()).is_le()
                }
            };
            if low_enough {
                return Ok(Search::Stopped);
            }
            let columns = &self.tableau.col_vars;
            // A free column can go either way, and by the invariant no slack is in its way.
            if (0..columns.len()).any(|j| !row[COLS + j].is_zero() && !self.restricted[columns[j]]) {
                return Ok(Search::Unbounded);
            }
            let falling = (0..columns.len()).filter(|&j| row[COLS + j].is_neg());
            let column = if pivots < GREEDY_PIVOTS {
                falling.min_by(|&a, &b| {
                    S::compare_products(&row[COLS + a], &S::ONE, &row[COLS + b], &S::ONE)
                        .then(columns[a].cmp(&columns[b]))
                })
            } else {
                falling.min_by_key(|&j| columns[j])
            };
            let Some(j) = column else { return Ok(Search::Optimal) };
            let Some(i) = self.blocking_row(j, false) else {
                return Ok(Search::Unbounded);
            };
            self.pivot(i, j, budget)?;
            pivots += 1;
        }
    }
}
