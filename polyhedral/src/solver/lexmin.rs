//! Lexicographic minima over non-negative integer unknowns.
//!
//! The method is the lexicographic dual simplex method with Gomory's cuts (Feautrier, *Parametric integer programming*,
//! 1988, without parameters). At the start every unknown is a column, and the sample point 0 is the lexicographic
//! minimum of the non-negative points. The invariant is that every column is *lexicographically positive*: raising its
//! variable from 0 makes the vector of unknowns lexicographically larger. Hence the sample point is the lexicographic
//! minimum of all points with non-negative column variables, and if it satisfies all constraints, it is the answer over
//! the rationals. A violated row must be raised, by pivoting in the column that raises it at the lexicographically least
//! cost; that keeps the invariant and makes the sample point lexicographically larger, so that there is no cycling.
//!
//! If the first fractional unknown of a rational optimum is `(c + sum of a_j y_j) / d`, all integer points satisfy the
//! cut `sum of (a_j mod d) y_j >= (-c) mod d`, and the sample point does not. Cuts alone need not come to an end on
//! unbounded sets, so that after a number of them the unknowns are minimized one after the other by
//! [`integer::minimize_integer`], which always ends.
//!
//! Most inequalities of a scheduling problem never matter. So an inequality enters the tableau only once the sample
//! point violates it; the lexicographic minimum of a part of the inequalities that satisfies all of them is that of all.

use super::integer::{self, IntOptimum};
use super::tableau::{Place, Tableau};
use super::{System, value_at};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, dot, negate, unit};
use std::cmp::Ordering;

/// The number of cuts, per unknown, after which a search goes on without.
const CUTS_PER_UNKNOWN: usize = 20;

/// The number of violated inequalities that enter the tableau together.
const INEQS_PER_ROUND: usize = 8;

#[derive(Clone, Debug)]
struct State {
    /// The first `n` variables are the unknowns; every variable is non-negative and integral on integer points.
    tableau: Tableau,
    infeasible: bool,
    /// How many of the equalities have been added to the tableau.
    eqs_done: usize,
    /// Which of the inequalities have been added to the tableau; missing ones have not.
    ineqs_done: Vec<bool>,
}

/// Constraints on `n` non-negative integer unknowns, of which the lexicographically least solution can be asked for.
#[derive(Clone, Debug)]
pub struct LexMin {
    system: System,
    state: State,
    /// The states at the pushes, with the numbers of equalities and inequalities.
    saved: Vec<(State, usize, usize)>,
}

impl LexMin {
    /// No constraints on `n` unknowns.
    pub fn new(n: usize) -> LexMin {
        let state = State {
            tableau: Tableau::new(n),
            infeasible: false,
            eqs_done: 0,
            ineqs_done: Vec::new(),
        };
        LexMin {
            system: System::new(n),
            state,
            saved: Vec::new(),
        }
    }

    /// The number of unknowns.
    pub fn n(&self) -> usize {
        self.system.n
    }

    /// Adds the inequality `c + a.x >= 0` for `row = [c, a..]`.
    pub fn add_ineq(&mut self, row: &Row) {
        assert_eq!(row.len(), self.system.n + 1, "width of a constraint");
        self.system.ineqs.push(row.clone());
    }

    /// Adds the equality `c + a.x = 0` for `row = [c, a..]`.
    pub fn add_eq(&mut self, row: &Row) {
        assert_eq!(row.len(), self.system.n + 1, "width of a constraint");
        self.system.eqs.push(row.clone());
    }

    /// Remembers the present constraints.
    pub fn push(&mut self) {
        self.saved
            .push((self.state.clone(), self.system.eqs.len(), self.system.ineqs.len()));
    }

    /// Goes back to the constraints at the last [`push`](LexMin::push). Panics if there was none.
    pub fn pop(&mut self) {
        let (state, eqs, ineqs) = self.saved.pop().expect("a pop for every push");
        self.state = state;
        self.system.eqs.truncate(eqs);
        self.system.ineqs.truncate(ineqs);
    }

    /// The lexicographically least non-negative integer solution; None if there is none.
    pub fn solve(&mut self, budget: &Budget) -> Outcome<Option<Row>> {
        let mut cuts_left = CUTS_PER_UNKNOWN * self.system.n.max(1);
        let state = &mut self.state;
        for row in &self.system.eqs[state.eqs_done..] {
            state.add_eq(row, budget)?;
            state.eqs_done += 1;
        }
        loop {
            state.restore(budget)?;
            if state.infeasible {
                return Ok(None);
            }
            if state.add_violated(&self.system, budget)? {
                continue;
            }
            match state.first_fractional(self.system.n) {
                None => return Ok(Some(state.point(self.system.n))),
                Some(_) if cuts_left == 0 => return minimize_one_by_one(&self.system, budget),
                Some(i) => state.cut(i),
            }
            cuts_left -= 1;
        }
    }
}

impl State {
    /// Solves the equality for the variable of a column, which is dropped.
    fn add_eq(&mut self, row: &[Int], budget: &Budget) -> Outcome<()> {
        budget.spend(1)?;
        let (den, mut entries) = self.tableau.express(row);
        if entries[0].is_pos() || (entries[0].is_zero() && !entries[1..].iter().any(Int::is_pos)) {
            negate(&mut entries);
        }
        if entries[0].is_zero() && entries[1..].iter().all(Int::is_zero) {
            return Ok(());
        }
        self.tableau.add_basic(den, entries);
        let i = self.tableau.rows.len() - 1;
        match self.cheapest_column(i) {
            Some(j) => {
                self.tableau.pivot(i, j, budget)?;
                self.tableau.drop_column(j);
            }
            None => {
                self.infeasible = true;
                self.tableau.drop_row(i);
            }
        }
        Ok(())
    }

    /// Makes all rows non-negative, or finds that this is impossible.
    fn restore(&mut self, budget: &Budget) -> Outcome<()> {
        while !self.infeasible {
            let rows = &self.tableau.rows;
            let violated = (0..rows.len())
                .filter(|&i| rows[i].entries[0].is_neg())
                .min_by(|&a, &b| {
                    let (a, b) = (&rows[a], &rows[b]);
                    (&a.entries[0] * &b.den)
                        .cmp(&(&b.entries[0] * &a.den))
                        .then(a.variable.cmp(&b.variable))
                });
            let Some(i) = violated else { return Ok(()) };
            match self.cheapest_column(i) {
                Some(j) => self.tableau.pivot(i, j, budget)?,
                None => self.infeasible = true,
            }
        }
        Ok(())
    }

    /// Adds inequalities that the sample point violates to the tableau. False if there are none.
    fn add_violated(&mut self, system: &System, budget: &Budget) -> Outcome<bool> {
        let values: Vec<(Int, Int)> = (0..system.n).map(|v| self.tableau.sample_value(v)).collect();
        let den = values.iter().fold(Int::ONE, |den, (_, d)| den.lcm(d));
        // The point times its denominator, with the constant in front.
        let mut point = vec![den.clone()];
        point.extend(values.iter().map(|(num, d)| num * den.div_exact(d)));
        self.ineqs_done.resize(system.ineqs.len(), false);
        budget.spend(1 + system.ineqs.len() as u64 / 8)?;
        let mut added = 0;
        for (row, done) in system.ineqs.iter().zip(&mut self.ineqs_done) {
            if !*done && dot(row, &point).is_neg() {
                let (den, entries) = self.tableau.express(row);
                self.tableau.add_basic(den, entries);
                *done = true;
                added += 1;
                if added == INEQS_PER_ROUND {
                    break;
                }
            }
        }
        Ok(added > 0)
    }

    /// The column that raises row `i` by 1 at the lexicographically least increase of the unknowns.
    fn cheapest_column(&self, i: usize) -> Option<usize> {
        let entries = &self.tableau.rows[i].entries;
        let mut best: Option<usize> = None;
        for j in (0..self.tableau.columns.len()).filter(|&j| entries[1 + j].is_pos()) {
            let better = match best {
                None => true,
                Some(b) => self.compare_columns(j, &entries[1 + j], b, &entries[1 + b]) == Ordering::Less,
            };
            if better {
                best = Some(j);
            }
        }
        best
    }

    /// Compares column `j` divided by `p` to column `k` divided by `q`, lexicographically over the unknowns.
    fn compare_columns(&self, j: usize, p: &Int, k: usize, q: &Int) -> Ordering {
        for &place in &self.tableau.places {
            let order = match place {
                Place::Row(i) => {
                    let entries = &self.tableau.rows[i].entries;
                    let (a, b) = (&entries[1 + j], &entries[1 + k]);
                    match a.sign().cmp(&b.sign()) {
                        Ordering::Equal if a.is_zero() => Ordering::Equal,
                        Ordering::Equal => (a * q).cmp(&(b * p)),
                        different => different,
                    }
                }
                // The unknown is its own column: 1 there and 0 in the other.
                Place::Column(c) if c == j => Ordering::Greater,
                Place::Column(c) if c == k => Ordering::Less,
                Place::Column(_) | Place::Gone => Ordering::Equal,
            };
            if order != Ordering::Equal {
                return order;
            }
        }
        Ordering::Equal
    }

    /// The row of the first unknown, of `n`, that is not integral at the sample point.
    fn first_fractional(&self, n: usize) -> Option<usize> {
        self.tableau.places[..n].iter().find_map(|&place| match place {
            Place::Row(i) => {
                let row = &self.tableau.rows[i];
                (!row.entries[0].divisible_by(&row.den)).then_some(i)
            }
            Place::Column(_) | Place::Gone => None,
        })
    }

    /// Adds Gomory's cut of row `i`.
    fn cut(&mut self, i: usize) {
        let row = &self.tableau.rows[i];
        let den = row.den.clone();
        let mut entries: Row = row.entries.iter().map(|a| a.mod_floor(&den)).collect();
        entries[0] = -(-&row.entries[0]).mod_floor(&den);
        self.tableau.add_basic(den, entries);
    }

    fn point(&self, n: usize) -> Row {
        (0..n).map(|v| self.tableau.sample_value(v).0).collect()
    }
}

/// The lexicographic minimum of the non-negative integer points of `system`, by `n` integer minimizations.
fn minimize_one_by_one(system: &System, budget: &Budget) -> Outcome<Option<Row>> {
    let mut system = system.clone();
    let n = system.n;
    system.ineqs.extend((0..n).map(|v| unit(n + 1, 1 + v)));
    let mut point = Row::with_capacity(n);
    for v in 0..n {
        let mut row = unit(n + 1, 1 + v);
        match integer::minimize_integer(&system, &row, budget)? {
            IntOptimum::Finite(minimum) => {
                row[0] = -&minimum;
                system.eqs.push(row);
                point.push(minimum);
            }
            IntOptimum::Empty => return Ok(None),
            IntOptimum::Unbounded => unreachable!("a non-negative unknown is bounded"),
        }
    }
    debug_assert!(system.ineqs.iter().all(|r| !value_at(r, &point).is_neg()));
    Ok(Some(point))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{RADIUS, boxed, points, systems};
    use super::*;
    use crate::linalg::row_from;
    use proptest::prelude::*;

    fn lexmin(system: &System) -> LexMin {
        let mut problem = LexMin::new(system.n);
        system.eqs.iter().for_each(|r| problem.add_eq(r));
        system.ineqs.iter().for_each(|r| problem.add_ineq(r));
        problem
    }

    #[test]
    fn named_cases() {
        let budget = Budget::unlimited();
        let mut p = LexMin::new(2);
        assert_eq!(p.solve(&budget), Ok(Some(row_from(&[0, 0]))));
        // 2x + 3y >= 7: without x, y is 3.
        p.add_ineq(&row_from(&[-7, 2, 3]));
        assert_eq!(p.solve(&budget), Ok(Some(row_from(&[0, 3]))));
        p.push();
        p.add_ineq(&row_from(&[1, 0, -1]));
        assert_eq!(p.solve(&budget), Ok(Some(row_from(&[2, 1]))));
        p.push();
        p.add_eq(&row_from(&[-1, 2, -4]));
        assert_eq!(p.solve(&budget), Ok(None));
        p.pop();
        assert_eq!(p.solve(&budget), Ok(Some(row_from(&[2, 1]))));
        p.pop();
        assert_eq!(p.solve(&budget), Ok(Some(row_from(&[0, 3]))));
    }

    #[test]
    fn unbounded_sets_without_solution_come_to_an_end() {
        // 2y = 2z + 1: the cuts alone raise y and z for ever.
        let mut p = LexMin::new(3);
        p.add_ineq(&row_from(&[-1, 0, 2, -2]));
        p.add_ineq(&row_from(&[1, 0, -2, 2]));
        assert_eq!(p.solve(&Budget::unlimited()), Ok(None));
        // |2y - 2z - 1| <= 3x has solutions for x = 1 only.
        let mut p = LexMin::new(3);
        p.add_ineq(&row_from(&[-1, 3, 2, -2]));
        p.add_ineq(&row_from(&[1, 3, -2, 2]));
        assert_eq!(p.solve(&Budget::unlimited()), Ok(Some(row_from(&[1, 0, 0]))));
    }

    proptest! {
        #[test]
        fn minima_agree_with_enumeration(s in systems(3)) {
            let budget = Budget::unlimited();
            let boxed = boxed(s.clone(), 0, RADIUS);
            let want = points(&boxed, 0, RADIUS).into_iter().next();
            prop_assert_eq!(&lexmin(&boxed).solve(&budget).unwrap(), &want);
            // Without the box, a solution in it is still an upper bound.
            let got = lexmin(&s).solve(&budget).unwrap();
            if let Some(want) = &want {
                prop_assert!(got.is_some() && got.as_ref().unwrap() <= want);
            }
            if let Some(got) = &got {
                prop_assert!(s.contains(got) && got.iter().all(|v| !v.is_neg()));
            }
            let mut ordered = s.clone();
            ordered.ineqs.extend((0..3).map(|v| unit(4, 1 + v)));
            prop_assert_eq!(got, minimize_one_by_one(&ordered, &budget).unwrap());
        }

        #[test]
        fn constraints_can_be_added_and_undone(s in systems(3), t in systems(3)) {
            let budget = Budget::unlimited();
            let mut p = lexmin(&s);
            let first = p.solve(&budget).unwrap();
            p.push();
            t.eqs.iter().for_each(|r| p.add_eq(r));
            t.ineqs.iter().for_each(|r| p.add_ineq(r));
            let both = System {
                n: 3,
                eqs: [s.eqs.clone(), t.eqs].concat(),
                ineqs: [s.ineqs.clone(), t.ineqs].concat(),
            };
            prop_assert_eq!(p.solve(&budget).unwrap(), lexmin(&both).solve(&budget).unwrap());
            p.pop();
            prop_assert_eq!(p.solve(&budget).unwrap(), first);
        }
    }
}
