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
//! unbounded sets. After a number of them, unknowns are minimized one after the other by [`integer::minimize_integer`],
//! which always ends, until cuts are enough for the rest.
//!
//! Most inequalities of a scheduling problem never matter. So an inequality enters the tableau only once the sample
//! point violates it; the lexicographic minimum of a part of the inequalities that satisfies all of them is that of all.

use super::System;
use super::dense::{COLS, CONST, DEN, Dense, Place};
use super::integer::{self, IntOptimum};
use super::number::Number;
use super::width::{Stop, Width, on_state};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, unit, zeros};
use std::cmp::Ordering;

/// The number of cuts, per unknown, after which a search goes on without.
const CUTS_PER_UNKNOWN: usize = 2;

/// The number of violated inequalities without large coefficients that enter the tableau together.
const SMALL_INEQS_PER_ROUND: usize = 8;

/// Coefficients above this are large: sizes of loops, rather than distances and factors.
const LARGE: i64 = 16;

#[derive(Clone, Debug)]
struct State<S> {
    /// The first `n` variables are the unknowns; every variable is non-negative and integral on integer points.
    tableau: Dense<S>,
    infeasible: bool,
    /// How many of the equalities have been added to the tableau.
    eqs_done: usize,
    /// Which of the inequalities have been added to the tableau; missing ones have not.
    ineqs_done: Vec<bool>,
}

type AnyState = Width<State<i64>, State<Int>>;

/// The linear form `constant + sum of a x_v` for the pairs `(v, a)` in `terms`, none of them zero, by ascending `v`. A constraint
/// of a scheduling problem is about two of its many statements.
#[derive(Clone, Debug)]
struct Form {
    constant: Int,
    terms: Vec<(usize, Int)>,
    /// Whether it has a coefficient above [`LARGE`].
    is_large: bool,
}

impl Form {
    fn of_row(row: &[Int]) -> Form {
        let terms = row[1..].iter().enumerate().filter(|(_, a)| !a.is_zero());
        Form {
            constant: row[0].clone(),
            is_large: row[1..].iter().any(|a| a.abs() > LARGE),
            terms: terms.map(|(v, a)| (v, a.clone())).collect(),
        }
    }

    fn row(&self, n: usize) -> Row {
        let mut row = zeros(n + 1);
        row[0] = self.constant.clone();
        self.terms.iter().for_each(|(v, a)| row[1 + v] = a.clone());
        row
    }

    fn terms(&self) -> impl Iterator<Item = (usize, &Int)> + Clone {
        self.terms.iter().map(|(v, a)| (*v, a))
    }

    /// The value at the point `numerators / den`, times `den`.
    fn scaled_value(&self, numerators: &[Int], den: &Int) -> Int {
        let mut sum = &self.constant * den;
        self.terms.iter().for_each(|(v, a)| sum.add_mul(a, &numerators[*v]));
        sum
    }
}

/// Constraints, each `form = 0` or `form >= 0`.
#[derive(Clone, Debug)]
struct Constraints {
    n: usize,
    eqs: Vec<Form>,
    ineqs: Vec<Form>,
}

impl Constraints {
    fn system(&self) -> System {
        let rows = |forms: &[Form]| forms.iter().map(|form| form.row(self.n)).collect();
        System {
            n: self.n,
            eqs: rows(&self.eqs),
            ineqs: rows(&self.ineqs),
        }
    }
}

/// Constraints on `n` non-negative integer unknowns, of which the lexicographically least solution can be asked for.
#[derive(Clone, Debug)]
pub struct LexMin {
    constraints: Constraints,
    state: AnyState,
    /// The states at the pushes, with the numbers of equalities and inequalities.
    saved: Vec<(AnyState, usize, usize)>,
}

impl LexMin {
    /// No constraints on `n` unknowns.
    pub fn new(n: usize) -> LexMin {
        let state = State {
            tableau: Dense::new(n, n),
            infeasible: false,
            eqs_done: 0,
            ineqs_done: Vec::new(),
        };
        LexMin {
            constraints: Constraints {
                n,
                eqs: Vec::new(),
                ineqs: Vec::new(),
            },
            state: Width::Narrow(state),
            saved: Vec::new(),
        }
    }

    /// The number of unknowns.
    pub fn n(&self) -> usize {
        self.constraints.n
    }

    /// Adds the inequality `c + a.x >= 0` for `row = [c, a..]`.
    ///
    /// # Panics
    ///
    /// If the row has not one entry more than there are unknowns.
    pub fn add_ineq(&mut self, row: &Row) {
        assert_eq!(row.len(), self.constraints.n + 1, "width of a constraint");
        self.constraints.ineqs.push(Form::of_row(row));
    }

    /// Adds the equality `c + a.x = 0` for `row = [c, a..]`.
    ///
    /// # Panics
    ///
    /// If the row has not one entry more than there are unknowns.
    pub fn add_eq(&mut self, row: &Row) {
        assert_eq!(row.len(), self.constraints.n + 1, "width of a constraint");
        self.constraints.eqs.push(Form::of_row(row));
    }

    /// Remembers the present constraints.
    pub fn push(&mut self) {
        self.saved.push((
            self.state.clone(),
            self.constraints.eqs.len(),
            self.constraints.ineqs.len(),
        ));
    }

    /// Goes back to the constraints at the last [`push`](LexMin::push).
    ///
    /// # Panics
    ///
    /// If there was none.
    pub fn pop(&mut self) {
        let (state, eqs, ineqs) = self.saved.pop().expect("a pop for every push");
        self.state = state;
        self.constraints.eqs.truncate(eqs);
        self.constraints.ineqs.truncate(ineqs);
    }

    /// The lexicographically least non-negative integer solution `lexmin { x : x >= 0, all constraints hold }`; None if
    /// there is none.
    ///
    /// ```
    /// use farkas_polyhedral::budget::Budget;
    /// use farkas_polyhedral::linalg::row_from;
    /// use farkas_polyhedral::solver::lexmin::LexMin;
    ///
    /// let mut problem = LexMin::new(2);
    /// problem.add_ineq(&row_from(&[-7, 2, 3])); // 2 x + 3 y >= 7
    /// problem.add_ineq(&row_from(&[1, 0, -1])); // y <= 1
    /// let solution = problem.solve(&Budget::new(1000)).unwrap();
    /// assert_eq!(solution, Some(row_from(&[2, 1])));
    /// ```
    pub fn solve(&mut self, budget: &Budget) -> Outcome<Option<Row>> {
        match self.solve_by_cuts(budget)? {
            Cuts::Point(point) => Ok(Some(point)),
            Cuts::Empty => Ok(None),
            Cuts::Fractional => {
                self.push();
                let found = self.solve_by_minima(budget);
                self.pop();
                found
            }
        }
    }

    /// The same once cuts have been given up: minimizes the unknowns up to the first fractional one, one after the other, and
    /// fixes them. More cuts may do for the others. Adds constraints.
    fn solve_by_minima(&mut self, budget: &Budget) -> Outcome<Option<Row>> {
        let n = self.constraints.n;
        let mut system = self.constraints.system();
        system.ineqs.extend((0..n).map(|v| unit(n + 1, 1 + v)));
        let mut fixed = 0;
        loop {
            let Some(point) = self.solve_rational(budget)? else {
                return Ok(None);
            };
            let fractional = point.numerators.iter().position(|x| !x.mod_floor(&point.den).is_zero());
            let until = fractional.map_or(fixed, |last| fixed.max(last + 1));
            for v in fixed..until {
                let mut row = unit(n + 1, 1 + v);
                match integer::minimize_integer(&system, &row, budget)? {
                    IntOptimum::Finite(minimum) => row[0] = -minimum,
                    IntOptimum::Empty => return Ok(None),
                    IntOptimum::Unbounded => unreachable!("a non-negative unknown is bounded"),
                }
                self.add_eq(&row);
                system.eqs.push(row);
            }
            fixed = until;
            match self.solve_by_cuts(budget)? {
                Cuts::Point(point) => return Ok(Some(point)),
                Cuts::Empty => return Ok(None),
                Cuts::Fractional => {}
            }
        }
    }

    /// As [`solve`](LexMin::solve), where a limited number of cuts is enough.
    pub fn solve_by_cuts(&mut self, budget: &Budget) -> Outcome<Cuts> {
        let n = self.constraints.n;
        let mut cuts_left = CUTS_PER_UNKNOWN * n.max(1);
        loop {
            if !self.relax(budget)? {
                return Ok(Cuts::Empty);
            }
            match on_state!(self.state, state => state.point_or_cut(n, cuts_left > 0))? {
                Rounded::Point(point) => return Ok(Cuts::Point(point)),
                Rounded::Fractional => return Ok(Cuts::Fractional),
                Rounded::Cut => cuts_left -= 1,
            }
        }
    }

    /// The lexicographically least non-negative rational solution; None if there is none. Cuts that earlier calls have made
    /// count as constraints: ask for it first.
    pub fn solve_rational(&mut self, budget: &Budget) -> Outcome<Option<RationalPoint>> {
        let n = self.constraints.n;
        Ok(self.relax(budget)?.then(|| {
            let (numerators, den) = match &self.state {
                Width::Narrow(state) => state.tableau.sample(n),
                Width::Wide(state) => state.tableau.sample(n),
            };
            RationalPoint::new(numerators, den)
        }))
    }

    /// Makes the sample point the lexicographically least rational solution. False if there is none.
    fn relax(&mut self, budget: &Budget) -> Outcome<bool> {
        let constraints = &self.constraints;
        on_state!(self.state, state => state.add_equalities(constraints, budget))?;
        loop {
            if !on_state!(self.state, state => state.restore(budget))? {
                return Ok(false);
            }
            if !on_state!(self.state, state => state.add_violated(constraints, budget))? {
                return Ok(true);
            }
        }
    }
}

/// What cuts have led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cuts {
    /// The least integer solution.
    Point(Row),
    /// There is no integer solution.
    Empty,
    /// Nothing yet, when they were given up.
    Fractional,
}

/// The point `numerators / den`; `den` is positive and has no factor in common with all numerators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RationalPoint {
    /// By unknown.
    pub numerators: Row,
    /// The common denominator.
    pub den: Int,
}

impl RationalPoint {
    fn new(numerators: Row, den: Int) -> RationalPoint {
        let gcd = numerators.iter().fold(den.clone(), |gcd, a| gcd.gcd(a));
        RationalPoint {
            numerators: numerators.iter().map(|a| a.div_exact(&gcd)).collect(),
            den: den.div_exact(&gcd),
        }
    }
}

/// What has come of making the sample point integral.
enum Rounded {
    /// It is.
    Point(Row),
    /// It is not, and a cut has been added.
    Cut,
    /// It is not.
    Fractional,
}

/// An operation that ends in an overflow has changed nothing, or leaves a state in which it can be repeated.
impl<S: Number> State<S> {
    fn widen(&self) -> State<Int> {
        State {
            tableau: self.tableau.widen(),
            infeasible: self.infeasible,
            eqs_done: self.eqs_done,
            ineqs_done: self.ineqs_done.clone(),
        }
    }

    fn add_equalities(&mut self, constraints: &Constraints, budget: &Budget) -> Result<(), Stop> {
        while let Some(form) = constraints.eqs.get(self.eqs_done) {
            self.add_eq(form, budget)?;
            self.eqs_done += 1;
        }
        Ok(())
    }

    /// Solves the equality for the variable of a column, which is dropped.
    fn add_eq(&mut self, form: &Form, budget: &Budget) -> Result<(), Stop> {
        budget.spend(1)?;
        self.tableau.add_form(&form.constant, form.terms())?;
        let i = self.tableau.n_rows() - 1;
        let entries = &self.tableau.row(i)[CONST..];
        if entries.iter().all(S::is_zero) {
            self.tableau.forget_last();
            return Ok(());
        }
        if entries[0].is_pos() || (entries[0].is_zero() && !entries[1..].iter().any(S::is_pos)) {
            self.tableau.negate_row(i);
        }
        let Some(j) = self.cheapest_column(i) else {
            self.infeasible = true;
            self.tableau.forget_last();
            return Ok(());
        };
        match self.tableau.pivot(i, j) {
            Ok(changed) => {
                self.tableau.drop_column(j);
                Ok(budget.spend(changed)?)
            }
            Err(overflow) => {
                self.tableau.forget_last();
                Err(overflow.into())
            }
        }
    }

    /// Makes all rows non-negative. False if this is impossible.
    fn restore(&mut self, budget: &Budget) -> Result<bool, Stop> {
        while !self.infeasible {
            let tableau = &self.tableau;
            // Whichever comes first: choosing the most violated one makes large numbers, and no fewer pivots.
            let violated = (0..tableau.n_rows()).find(|&i| tableau.constant(i).is_neg());
            let Some(i) = violated else { return Ok(true) };
            match self.cheapest_column(i) {
                Some(j) => budget.spend(self.tableau.pivot(i, j)?)?,
                None => self.infeasible = true,
            }
        }
        Ok(false)
    }

    /// Adds inequalities that the sample point violates to the tableau. False if there is none. Numbers grow where
    /// constraints have large coefficients, such as sizes of loops, and many of those do not matter once others hold: they
    /// come one at a time, and last.
    fn add_violated(&mut self, constraints: &Constraints, budget: &Budget) -> Result<bool, Stop> {
        let (numerators, den) = self.tableau.sample(constraints.n);
        self.ineqs_done.resize(constraints.ineqs.len(), false);
        budget.spend(1 + constraints.ineqs.len() as u64 / 8)?;
        let is_violated = |form: &Form| form.scaled_value(&numerators, &den).is_neg();
        let mut added = 0;
        let mut first_large = None;
        for (index, form) in constraints.ineqs.iter().enumerate() {
            if self.ineqs_done[index] || form.is_large && first_large.is_some() || !is_violated(form) {
                continue;
            }
            if form.is_large {
                first_large = Some(index);
                continue;
            }
            self.tableau.add_form(&form.constant, form.terms())?;
            self.ineqs_done[index] = true;
            added += 1;
            if added == SMALL_INEQS_PER_ROUND {
                break;
            }
        }
        if added == 0
            && let Some(index) = first_large
        {
            let form = &constraints.ineqs[index];
            self.tableau.add_form(&form.constant, form.terms())?;
            self.ineqs_done[index] = true;
            added = 1;
        }
        Ok(added > 0)
    }

    /// The column that raises row `i` by 1 at the lexicographically least increase of the unknowns.
    fn cheapest_column(&self, i: usize) -> Option<usize> {
        let entries = &self.tableau.row(i)[COLS..];
        let mut best: Option<usize> = None;
        for j in (0..entries.len()).filter(|&j| entries[j].is_pos()) {
            let better = match best {
                None => true,
                Some(b) => self.compare_columns(j, &entries[j], b, &entries[b]) == Ordering::Less,
            };
            if better {
                best = Some(j);
            }
        }
        best
    }

    /// Compares column `j` divided by `p` to column `k` divided by `q`, lexicographically over the unknowns.
    fn compare_columns(&self, j: usize, p: &S, k: usize, q: &S) -> Ordering {
        for &place in &self.tableau.places {
            let order = match place {
                Place::Row(i) => {
                    let (a, b) = (self.tableau.entry(i, j), self.tableau.entry(i, k));
                    match a.sign().cmp(&b.sign()) {
                        Ordering::Equal if a.is_zero() => Ordering::Equal,
                        Ordering::Equal => S::compare_products(a, q, b, p),
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

    /// The sample point if it is integral; otherwise Gomory's cut of the row of its first fractional unknown, if wanted.
    fn point_or_cut(&mut self, n: usize, cut: bool) -> Result<Rounded, Stop> {
        let fractional = self.tableau.places[..n].iter().find_map(|&place| match place {
            Place::Row(i) => (!self.tableau.den(i).is_one()
                && !self.tableau.constant(i).remainder(self.tableau.den(i)).is_zero())
            .then_some(i),
            Place::Column(_) | Place::Gone => None,
        });
        let Some(i) = fractional else {
            let (numerators, den) = self.tableau.sample(n);
            return Ok(Rounded::Point(numerators.iter().map(|x| x.div_exact(&den)).collect()));
        };
        if !cut {
            return Ok(Rounded::Fractional);
        }
        let row = self.tableau.row(i);
        let den = row[DEN].clone();
        let mut entries: Vec<S> = row.iter().map(|a| a.remainder(&den)).collect();
        entries[DEN] = den.clone();
        entries[CONST] = row[CONST].negated().remainder(&den).negated();
        self.tableau.add_entries(&entries);
        Ok(Rounded::Cut)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{RADIUS, boxed, points, systems};
    use super::super::value_at;
    use super::*;
    use crate::linalg::row_from;
    use proptest::prelude::*;

    /// The lexicographic minimum of the non-negative integer points of `system`, by `n` integer minimizations.
    fn minimize_one_by_one(mut system: System, budget: &Budget) -> Outcome<Option<Row>> {
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
            prop_assert_eq!(got, minimize_one_by_one(ordered, &budget).unwrap());
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
