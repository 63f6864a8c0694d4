//! The incremental rational simplex method.
//!
//! A [`Simplex`] holds `n` unknowns of any sign and constraints on them that can be added at any time and undone with
//! [`push`](Simplex::push) and [`pop`](Simplex::pop). Every inequality `c + a.x >= 0` has a *slack* variable, its value,
//! that must not be negative. The tableau (see [`super`]) keeps the invariant that the row of a slack mentions slacks
//! only: when a new inequality still mentions unknowns in columns, one of them is exchanged for the slack at once. An
//! equality is solved for a variable and takes away one column for good.
//!
//! Pivots are chosen by the largest coefficient first, and by Bland's least-index rule once that has gone on for long,
//! which rules out cycling.

use super::lp::Optimum;
use super::tableau::{Place, Tableau};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, zeros};

/// The number of pivots of one optimization that are chosen greedily before Bland's rule takes over.
const GREEDY_PIVOTS: usize = 60;

/// The slack of an inequality.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slack(usize);

#[derive(Clone, Debug)]
struct State {
    tableau: Tableau,
    /// Per variable: whether it must not be negative.
    restricted: Vec<bool>,
    /// An inconsistent constraint has been added.
    contradiction: bool,
}

/// Constraints on `n` rational unknowns, see the module.
#[derive(Clone, Debug)]
pub struct Simplex {
    n: usize,
    state: State,
    saved: Vec<State>,
}

/// What a bounded search for an optimum has come to.
enum Search {
    Optimal,
    Unbounded,
    /// Stopped where the value had the sign asked for.
    Stopped,
}

impl Simplex {
    /// No constraints on `n` unknowns.
    pub fn new(n: usize) -> Simplex {
        let state = State {
            tableau: Tableau::new(n),
            restricted: vec![false; n],
            contradiction: false,
        };
        Simplex {
            n,
            state,
            saved: Vec::new(),
        }
    }

    /// The constraints of `system`, the slack of inequality `i` being the `i`-th returned.
    pub fn from_system(system: &super::System, budget: &Budget) -> Outcome<(Simplex, Vec<Slack>)> {
        let mut simplex = Simplex::new(system.n);
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

    /// Remembers the present constraints.
    pub fn push(&mut self) {
        self.saved.push(self.state.clone());
    }

    /// Goes back to the constraints at the last [`push`](Simplex::push). Panics if there was none.
    pub fn pop(&mut self) {
        self.state = self.saved.pop().expect("a pop for every push");
    }

    /// Adds the inequality `row >= 0`.
    pub fn add_ineq(&mut self, row: &[Int], budget: &Budget) -> Outcome<Slack> {
        let state = &mut self.state;
        let (den, entries) = state.tableau.express(row);
        let free = (0..state.tableau.columns.len())
            .find(|&j| !entries[1 + j].is_zero() && !state.restricted[state.tableau.columns[j]]);
        budget.spend(1)?;
        let slack = state.tableau.add_basic(den, entries);
        state.restricted.push(true);
        if let Some(j) = free {
            let i = state.tableau.rows.len() - 1;
            state.tableau.pivot(i, j, budget)?;
        }
        Ok(Slack(slack))
    }

    /// Adds the equality `row = 0`.
    pub fn add_eq(&mut self, row: &[Int], budget: &Budget) -> Outcome<()> {
        let state = &mut self.state;
        let (den, entries) = state.tableau.express(row);
        let columns = &state.tableau.columns;
        let usable = |j: &usize| !entries[1 + j].is_zero();
        // An unknown rather than a slack, which would have to be checked for its sign from now on.
        let column = (0..columns.len())
            .find(|j| usable(j) && !state.restricted[columns[*j]])
            .or_else(|| (0..columns.len()).find(usable));
        budget.spend(1)?;
        let Some(j) = column else {
            state.contradiction |= !entries[0].is_zero();
            return Ok(());
        };
        state.tableau.add_basic(den, entries);
        state.restricted.push(false);
        let i = state.tableau.rows.len() - 1;
        state.tableau.pivot(i, j, budget)?;
        state.tableau.drop_column(j);
        Ok(())
    }

    /// Whether there is a rational point, moving the sample point to one if so.
    pub fn is_feasible(&mut self, budget: &Budget) -> Outcome<bool> {
        let state = &mut self.state;
        let mut pivots = 0;
        while !state.contradiction {
            // The violated row of the least variable, so that Bland's rule ends the search.
            let tableau = &state.tableau;
            let violated = (0..tableau.rows.len())
                .filter(|&i| tableau.rows[i].entries[0].is_neg() && state.restricted[tableau.rows[i].variable]);
            let row = if pivots < GREEDY_PIVOTS {
                violated.min_by(|&a, &b| {
                    let (a, b) = (&tableau.rows[a], &tableau.rows[b]);
                    (&a.entries[0] * &b.den)
                        .cmp(&(&b.entries[0] * &a.den))
                        .then(a.variable.cmp(&b.variable))
                })
            } else {
                violated.min_by_key(|&i| tableau.rows[i].variable)
            };
            let Some(i) = row else { return Ok(true) };
            let entries = &tableau.rows[i].entries;
            // Raising a slack raises the row. Columns of unknowns have entry 0 here, by the invariant.
            let column = (0..tableau.columns.len())
                .filter(|&j| entries[1 + j].is_pos())
                .min_by_key(|&j| tableau.columns[j]);
            match column {
                Some(j) => state.tableau.pivot(i, j, budget)?,
                None => state.contradiction = true,
            }
            pivots += 1;
        }
        Ok(false)
    }

    /// The sample point: numerators and their common positive denominator. A point of the set after
    /// [`is_feasible`](Simplex::is_feasible) has said that there is one.
    pub fn sample(&self) -> (Row, Int) {
        let values: Vec<(Int, Int)> = (0..self.n).map(|v| self.state.tableau.sample_value(v)).collect();
        let den = values.iter().fold(Int::ONE, |den, (_, d)| den.lcm(d));
        let numerators = values.iter().map(|(num, d)| num * den.div_exact(d)).collect();
        (numerators, den)
    }

    /// The minimum of `objective = [c, a..]`. The sample point is one where it is attained if it is finite.
    pub fn minimize(&mut self, objective: &[Int], budget: &Budget) -> Outcome<Optimum> {
        if !self.is_feasible(budget)? {
            return Ok(Optimum::Empty);
        }
        let (den, entries) = self.state.tableau.express(objective);
        let variable = self.state.tableau.add_basic(den, entries);
        self.state.restricted.push(false);
        let search = self.state.descend(variable, |_| false, budget);
        let (num, den) = self.state.tableau.sample_value(variable);
        // The objective is basic: it has no sign restriction and never leaves the basis.
        let Place::Row(i) = self.state.tableau.places[variable] else {
            unreachable!("the objective left the basis")
        };
        self.state.tableau.drop_row(i);
        Ok(match search? {
            Search::Optimal => Optimum::Finite { num, den },
            Search::Unbounded => Optimum::Unbounded,
            Search::Stopped => unreachable!("a search without stop"),
        })
    }

    /// Whether the slack is positive at the sample point.
    pub fn is_positive(&self, slack: Slack) -> bool {
        self.state.tableau.sample_value(slack.0).0.is_pos()
    }

    /// Whether the slack is 0 on the whole set, which must not be empty.
    pub fn is_implicit_equality(&mut self, slack: Slack, budget: &Budget) -> Outcome<bool> {
        let state = &mut self.state;
        if state.tableau.places[slack.0] == Place::Gone {
            return Ok(true);
        }
        // Maximizing the slack is minimizing its negation.
        let entries = match state.tableau.places[slack.0] {
            Place::Row(i) => {
                let row = &state.tableau.rows[i];
                (row.den.clone(), row.entries.iter().map(|e| -e).collect())
            }
            Place::Column(j) => {
                let mut entries = zeros(state.tableau.columns.len() + 1);
                entries[1 + j] = -Int::ONE;
                (Int::ONE, entries)
            }
            Place::Gone => unreachable!(),
        };
        let negated = state.tableau.add_basic(entries.0, entries.1);
        state.restricted.push(false);
        let search = state.descend(negated, |value| value.is_neg(), budget);
        let Place::Row(i) = state.tableau.places[negated] else {
            unreachable!("the objective left the basis")
        };
        let positive = state.tableau.rows[i].entries[0].is_neg();
        state.tableau.drop_row(i);
        Ok(match search? {
            Search::Optimal => !positive,
            Search::Unbounded | Search::Stopped => false,
        })
    }

    /// Whether the inequality of `slack` follows from the other constraints; if so, it is dropped. The set must not be
    /// empty.
    pub fn drop_if_redundant(&mut self, slack: Slack, budget: &Budget) -> Outcome<bool> {
        let state = &mut self.state;
        state.restricted[slack.0] = false;
        if let Place::Column(j) = state.tableau.places[slack.0] {
            // Lower it until another slack is in the way.
            let Some(i) = state.blocking_row(j, true) else {
                state.restricted[slack.0] = true;
                return Ok(false);
            };
            state.tableau.pivot(i, j, budget)?;
        }
        let search = state.descend(slack.0, |value| value.is_neg(), budget)?;
        let Place::Row(i) = state.tableau.places[slack.0] else {
            unreachable!("a free variable left the basis")
        };
        if matches!(search, Search::Optimal) && !state.tableau.rows[i].entries[0].is_neg() {
            state.tableau.drop_row(i);
            return Ok(true);
        }
        state.restricted[slack.0] = true;
        let feasible = self.is_feasible(budget)?;
        debug_assert!(feasible);
        Ok(false)
    }
}

impl State {
    /// The row of the slack that first reaches 0 when column `j` is raised, or lowered.
    fn blocking_row(&self, j: usize, lower: bool) -> Option<usize> {
        let rows = &self.tableau.rows;
        let blocks = |i: &usize| {
            let entry = &rows[*i].entries[1 + j];
            self.restricted[rows[*i].variable] && if lower { entry.is_pos() } else { entry.is_neg() }
        };
        (0..rows.len()).filter(blocks).min_by(|&a, &b| {
            let (a, b) = (&rows[a], &rows[b]);
            let left = &a.entries[0] * b.entries[1 + j].abs();
            let right = &b.entries[0] * a.entries[1 + j].abs();
            left.cmp(&right).then(a.variable.cmp(&b.variable))
        })
    }

    /// Lowers the basic variable `objective`, which has no sign restriction, as far as the constraints allow, starting
    /// from a feasible sample point and staying at feasible ones. Stops early where `stop` holds for the (numerator of
    /// the) value.
    fn descend(&mut self, objective: usize, stop: impl Fn(&Int) -> bool, budget: &Budget) -> Outcome<Search> {
        let mut pivots = 0;
        loop {
            let Place::Row(at) = self.tableau.places[objective] else {
                unreachable!("the objective left the basis")
            };
            let entries = &self.tableau.rows[at].entries;
            if stop(&entries[0]) {
                return Ok(Search::Stopped);
            }
            let columns = &self.tableau.columns;
            // A free column can go either way, and by the invariant no slack is in its way.
            if (0..columns.len()).any(|j| !entries[1 + j].is_zero() && !self.restricted[columns[j]]) {
                return Ok(Search::Unbounded);
            }
            let falling = (0..columns.len()).filter(|&j| entries[1 + j].is_neg());
            let column = if pivots < GREEDY_PIVOTS {
                falling.min_by(|&a, &b| entries[1 + a].cmp(&entries[1 + b]).then(columns[a].cmp(&columns[b])))
            } else {
                falling.min_by_key(|&j| columns[j])
            };
            let Some(j) = column else { return Ok(Search::Optimal) };
            let Some(i) = self.blocking_row(j, false) else {
                return Ok(Search::Unbounded);
            };
            self.tableau.pivot(i, j, budget)?;
            pivots += 1;
        }
    }
}
