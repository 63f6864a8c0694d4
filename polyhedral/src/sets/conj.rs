//! One conjunction of constraints with explicit integer divisions.
//!
//! A [`Conj`] describes the integer points `x` that satisfy affine equalities `row = 0` and inequalities `row >= 0`
//! over `x` and over *integer divisions* `floor(num / den)`, each a function of `x` and earlier divisions. As every
//! division has a value at every point, a constraint is negated exactly as if it had none, which is what makes
//! complements and subtraction straightforward. The even numbers are `x - 2 floor(x / 2) = 0`.
//!
//! There may also be *locals*, existentially quantified variables `l`, as in `{ x : exists l: 3 l <= x <= 3 l + 1 }`.
//! [`Conj::project`] leaves them where they are; what needs a complement, as subtraction does of its second operand, first
//! expresses them by divisions ([`Conj::eliminate`]), which may take several conjunctions.
//!
//! The two facts that define `q = floor(num / den)`, `0 <= num - den q <= den - 1`, are not stored as constraints.
//! They are added where a constraint system is handed to a solver.

use super::{guess, row};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, content, zeros};
use crate::solver::System;
use crate::solver::integer::{self, Search};
use crate::solver::simplex::{Simplex, Slack};
use std::borrow::Cow;
use std::hash::{Hash, Hasher};

/// The integer division `floor(num / den)`. `num` has the columns `[1 | variables | divs]`; it is zero on this
/// division's own column and on later ones. `den > 0`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Div {
    /// The numerator.
    pub num: Row,
    /// The denominator.
    pub den: Int,
}

/// A conjunction of affine constraints over integer variables `x` and integer divisions of them. The columns of every
/// row are `[1 | x_0 .. x_{n-1} | local_0 .. | div_0 .. div_{k-1}]`.
///
/// The *locals* are existentially quantified: `x` is in the set if there are integers for them with which all constraints
/// hold. Projection leaves them where it would take many conjunctions to do without ([`Conj::project`]); most
/// conjunctions have none. Divisions may depend on them.
#[derive(Clone, Debug)]
pub struct Conj {
    /// The number of variables and locals.
    pub(super) n_vars: usize,
    pub(super) n_locals: usize,
    pub(super) divs: Vec<Div>,
    pub(super) eqs: Vec<Row>,
    pub(super) ineqs: Vec<Row>,
    /// [`Conj::simplify`] has nothing to do. What changes rows says [`Conj::changed`].
    pub(super) simple: bool,
}

/// What to do with a row that is there already.
#[derive(Clone, Copy)]
enum Repeated {
    Dropped,
    Kept,
}

impl PartialEq for Conj {
    fn eq(&self, other: &Self) -> bool {
        self.n_vars == other.n_vars
            && self.n_locals == other.n_locals
            && self.divs == other.divs
            && self.eqs == other.eqs
            && self.ineqs == other.ineqs
    }
}

impl Eq for Conj {}

impl Hash for Conj {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.n_vars, self.n_locals, &self.divs, &self.eqs, &self.ineqs).hash(state);
    }
}

impl Conj {
    /// All integer points of `n_vars` dimensions.
    pub fn universe(n_vars: usize) -> Self {
        Conj {
            n_vars,
            n_locals: 0,
            divs: Vec::new(),
            eqs: Vec::new(),
            ineqs: Vec::new(),
            simple: true,
        }
    }

    /// No point of `n_vars` dimensions: the constraint `1 = 0`.
    pub fn empty(n_vars: usize) -> Self {
        let mut row = zeros(1 + n_vars);
        row[0] = Int::ONE;
        Conj {
            n_vars,
            n_locals: 0,
            divs: Vec::new(),
            eqs: vec![row],
            ineqs: Vec::new(),
            simple: true,
        }
    }

    /// The number of variables, locals and divisions not counted.
    pub fn n_vars(&self) -> usize {
        self.n_vars - self.n_locals
    }

    /// The number of existentially quantified variables.
    pub fn n_locals(&self) -> usize {
        self.n_locals
    }

    /// The number of integer divisions.
    pub fn n_divs(&self) -> usize {
        self.divs.len()
    }

    /// The number of columns of the rows.
    pub fn n_cols(&self) -> usize {
        1 + self.n_vars + self.divs.len()
    }

    /// The integer divisions.
    pub fn divs(&self) -> &[Div] {
        &self.divs
    }

    /// The rows that are zero.
    pub fn eqs(&self) -> &[Row] {
        &self.eqs
    }

    /// The rows that are non-negative.
    pub fn ineqs(&self) -> &[Row] {
        &self.ineqs
    }

    /// Whether there is no constraint.
    pub fn is_plainly_universe(&self) -> bool {
        self.eqs.is_empty() && self.ineqs.is_empty()
    }

    /// Whether this is `1 = 0`, which is what [`Conj::simplify`] makes of a conjunction that it finds to be empty.
    pub fn is_plainly_empty(&self) -> bool {
        self.eqs
            .first()
            .is_some_and(|r| !r[0].is_zero() && row::is_zero(&r[1..]))
    }

    /// Notes that rows have changed, so that they may not be in normal form any more.
    pub(super) fn changed(&mut self) {
        self.simple = false;
    }

    fn widen(&self, mut row: Row) -> Row {
        assert!(row.len() <= self.n_cols(), "a row has at most one entry a column");
        row.resize(self.n_cols(), Int::ZERO);
        row
    }

    /// Adds `row = 0`. A row may be shorter than the number of columns: what is missing is zero.
    ///
    /// # Panics
    ///
    /// If the row is longer than the number of columns.
    pub fn add_eq(&mut self, row: Row) {
        self.changed();
        let row = self.widen(row);
        self.eqs.push(row);
    }

    /// Adds `row >= 0`. A row may be shorter than the number of columns: what is missing is zero.
    ///
    /// # Panics
    ///
    /// If the row is longer than the number of columns.
    pub fn add_ineq(&mut self, row: Row) {
        self.changed();
        let row = self.widen(row);
        self.ineqs.push(row);
    }

    /// Leaves out all inequalities but those that are to be kept.
    pub(crate) fn keep_ineqs(&mut self, keep: impl Fn(&Row) -> bool) {
        self.changed();
        self.ineqs.retain(keep);
    }

    /// Adds `x_var = value`.
    ///
    /// # Panics
    ///
    /// If there is no such variable.
    pub fn fix(&mut self, var: usize, value: &Int) {
        assert!(var < self.n_vars, "a variable of the conjunction");
        let mut row = zeros(self.n_cols());
        row[0] = -value;
        row[1 + var] = Int::ONE;
        self.add_eq(row);
    }

    /// Adds `x_a = x_b`.
    ///
    /// # Panics
    ///
    /// If there are no such variables.
    pub fn equate(&mut self, a: usize, b: usize) {
        assert!(a < self.n_vars && b < self.n_vars, "variables of the conjunction");
        let mut row = zeros(self.n_cols());
        row[1 + a] += Int::ONE;
        row[1 + b] -= Int::ONE;
        self.add_eq(row);
    }

    /// Adds `floor(num / den)`, unless it is there already, and returns its index among the divisions: its column is
    /// `1 + n_vars + index`.
    ///
    /// # Panics
    ///
    /// If `den` is not positive.
    pub fn add_div(&mut self, num: Row, den: Int) -> usize {
        assert!(den.is_pos(), "the denominator of an integer division is positive");
        let mut num = self.widen(num);
        let mut den = den;
        reduce_div(&mut num, &mut den);
        if let Some(i) = self.divs.iter().position(|d| d.den == den && d.num == num) {
            return i;
        }
        num.push(Int::ZERO);
        for row in self.rows_mut() {
            row.push(Int::ZERO);
        }
        self.divs.push(Div { num, den });
        self.divs.len() - 1
    }

    /// The same divisions and inequalities without the equalities.
    pub(crate) fn without_equalities(mut self) -> Conj {
        self.changed();
        self.eqs.clear();
        self
    }

    /// All rows: of equalities, inequalities and numerators.
    pub(super) fn rows_mut(&mut self) -> impl Iterator<Item = &mut Row> {
        self.simple = false;
        self.eqs
            .iter_mut()
            .chain(&mut self.ineqs)
            .chain(self.divs.iter_mut().map(|d| &mut d.num))
    }

    /// The column of a division.
    pub(super) fn div_col(&self, div: usize) -> usize {
        1 + self.n_vars + div
    }

    /// The facts `num - den q >= 0` and `den - 1 - num + den q >= 0` that define division `div`.
    pub(super) fn div_bounds(&self, div: usize) -> [Row; 2] {
        let Div { num, den } = &self.divs[div];
        let mut lower = num.clone();
        lower[1 + self.n_vars + div] -= den;
        let mut upper = row::negated(&lower);
        upper[0] += den;
        upper[0] -= Int::ONE;
        [lower, upper]
    }

    /// The conjunction with each constraint replaced by what `replace` gives for it, or dropped; the second argument says
    /// whether it is an equality. The divisions stay.
    pub(crate) fn map_constraints(&self, replace: impl Fn(&Row, bool) -> Option<Row>) -> Conj {
        Conj {
            eqs: self.eqs.iter().filter_map(|row| replace(row, true)).collect(),
            ineqs: self.ineqs.iter().filter_map(|row| replace(row, false)).collect(),
            divs: self.divs.clone(),
            n_vars: self.n_vars,
            n_locals: self.n_locals,
            simple: false,
        }
    }

    /// The constraint system over variables and divisions, the facts that define the divisions included, after the
    /// inequalities of the conjunction.
    pub fn system(&self) -> System {
        let mut ineqs = self.ineqs.clone();
        for div in 0..self.divs.len() {
            ineqs.extend(self.div_bounds(div));
        }
        System {
            n: self.n_cols() - 1,
            eqs: self.eqs.clone(),
            ineqs,
        }
    }

    /// The rational relaxation, with the slacks of the inequalities and of the facts about divisions, in the order of
    /// [`Conj::system`].
    pub(super) fn simplex(&self, b: &Budget) -> Outcome<(Simplex, Vec<Slack>)> {
        let n_rows = self.eqs.len() + self.ineqs.len() + 2 * self.divs.len() + 1;
        let mut simplex = Simplex::with_capacity(self.n_cols() - 1, n_rows);
        for row in &self.eqs {
            simplex.add_eq(row, b)?;
        }
        let slacks = self.add_inequalities(&mut simplex, b)?;
        Ok((simplex, slacks))
    }

    fn add_inequalities(&self, simplex: &mut Simplex, b: &Budget) -> Outcome<Vec<Slack>> {
        let mut slacks = Vec::with_capacity(self.ineqs.len() + 2 * self.divs.len());
        for row in &self.ineqs {
            slacks.push(simplex.add_ineq(row, b)?);
        }
        for div in 0..self.divs.len() {
            for row in self.div_bounds(div) {
                slacks.push(simplex.add_ineq(&row, b)?);
            }
        }
        Ok(slacks)
    }

    /// Whether there is no integer point, for any values of the locals: a guessed point, a branch and bound of a few
    /// nodes, then [`crate::solver::integer`], which always ends.
    pub fn is_empty(&self, b: &Budget) -> Outcome<bool> {
        if !self.simple {
            let mut simple = self.clone();
            return if simple.simplify() {
                simple.is_empty(b)
            } else {
                Ok(true)
            };
        }
        if self.is_plainly_empty() {
            return Ok(true);
        }
        b.spend(1)?;
        // Equalities with a variable of their own can be satisfied whatever the values of the other variables are.
        let needed = |(i, eq): &(usize, &Row)| !self.has_own_variable(*i, eq);
        let eqs: Vec<&Row> = self.eqs.iter().enumerate().filter(needed).map(|(_, eq)| eq).collect();
        if guess::has_point(self, &eqs) {
            return Ok(false);
        }
        let mut simplex = Simplex::with_capacity(
            self.n_cols() - 1,
            eqs.len() + self.ineqs.len() + 2 * self.divs.len() + 2,
        );
        for eq in &eqs {
            simplex.add_eq(eq, b)?;
        }
        self.add_inequalities(&mut simplex, b)?;
        if !eqs.is_empty() {
            // Rounding leaves equalities; they are better solved over the integers.
            if !simplex.is_feasible(b)? {
                return Ok(true);
            }
        } else if let Search::Done(point) = integer::branch_and_bound(simplex, |p| self.inequalities_hold(p), b)? {
            return Ok(point.is_none());
        }
        integer::is_empty(&self.system(), b)
    }

    /// Whether equality `i`, which is `eq`, has a variable with coefficient ±1 that nothing else involves.
    fn has_own_variable(&self, i: usize, eq: &Row) -> bool {
        let unit = |c: &usize| eq[*c].is_unit();
        (1..1 + self.n_vars).rev().filter(unit).any(|c| {
            self.eqs
                .iter()
                .enumerate()
                .all(|(k, other)| k == i || other[c].is_zero())
                && self.ineqs.iter().all(|r| r[c].is_zero())
                && self.divs.iter().all(|d| d.num[c].is_zero())
        })
    }

    /// Whether inequalities and the facts about divisions hold for these values of variables and divisions.
    fn inequalities_hold(&self, values: &[Int]) -> bool {
        self.ineqs.iter().all(|r| !row::eval(r, values).is_neg())
            && self.divs.iter().zip(&values[self.n_vars..]).all(|(div, value)| {
                let rest = row::eval(&div.num, values) - &div.den * value;
                !rest.is_neg() && rest < div.den
            })
    }

    /// An integer point, none if and only if there is none ([`crate::solver::integer::sample`]).
    pub fn sample(&self, b: &Budget) -> Outcome<Option<Row>> {
        let mut simple = self.clone();
        if !simple.simplify() {
            return Ok(None);
        }
        Ok(integer::sample(&simple.system(), b)?.map(|mut point| {
            point.truncate(self.n_vars());
            point
        }))
    }

    /// The values of the variables followed by those of the divisions.
    pub(super) fn with_div_values(&self, point: &[Int]) -> Row {
        let mut values = Row::from(point);
        for div in &self.divs {
            let value = row::eval(&div.num, &values).div_floor(&div.den);
            values.push(value);
        }
        values
    }

    /// Whether the point `x` satisfies all constraints for some values `l` of the locals: `exists l: (x, l) in C`. Without
    /// locals this is linear in the size of the constraints; with them it is an integer program.
    ///
    /// # Panics
    ///
    /// If the point has not one coordinate a variable.
    pub fn contains(&self, point: &[Int], b: &Budget) -> Outcome<bool> {
        assert_eq!(point.len(), self.n_vars(), "a point has one coordinate a variable");
        if self.n_locals > 0 {
            let mut fixed = self.clone();
            point.iter().enumerate().for_each(|(var, value)| fixed.fix(var, value));
            return Ok(!fixed.is_empty(b)?);
        }
        b.spend(1)?;
        let values = self.with_div_values(point);
        Ok(self.eqs.iter().all(|r| row::eval(r, &values).is_zero())
            && self.ineqs.iter().all(|r| !row::eval(r, &values).is_neg()))
    }

    /// Makes the divisions of `other`, which has the same variables, available. Returns the column of each of its
    /// divisions.
    pub(super) fn import_divs(&mut self, other: &Conj) -> Vec<usize> {
        assert_eq!(self.n_vars, other.n_vars, "both conjunctions have the same variables");
        let mut cols = Vec::with_capacity(other.divs.len());
        for div in &other.divs {
            let num = self.import_row(&div.num, &cols);
            let index = self.add_div(num, div.den.clone());
            cols.push(self.div_col(index));
        }
        cols
    }

    /// The row `row` of a conjunction of the same variables, of which the divisions are in columns `div_cols` here.
    pub(super) fn import_row(&self, row: &[Int], div_cols: &[usize]) -> Row {
        let plain = 1 + self.n_vars;
        let mut out = Row::padded(&row[..plain], self.n_cols());
        for (x, &col) in row[plain..].iter().zip(div_cols) {
            if !x.is_zero() {
                out[col] += x;
            }
        }
        out
    }

    /// The same set with more locals that nothing involves: `before` its own ones and `after` them.
    pub(super) fn with_more_locals(&self, before: usize, after: usize) -> Conj {
        let (n_vars, n_all) = (self.n_vars(), self.n_vars + before + after);
        let mut all = self.clone();
        all.n_locals = 0;
        let mut out = all.remap(n_all, |v| if v < n_vars { v } else { v + before });
        out.n_locals = n_all - n_vars;
        out
    }

    /// Both with the locals of both, each its own ones.
    pub(super) fn with_locals_of_both<'a>(&'a self, other: &'a Conj) -> (Cow<'a, Conj>, Cow<'a, Conj>) {
        let first = match other.n_locals {
            0 => Cow::Borrowed(self),
            more => Cow::Owned(self.with_more_locals(0, more)),
        };
        let second = match self.n_locals {
            0 => Cow::Borrowed(other),
            more => Cow::Owned(other.with_more_locals(more, 0)),
        };
        (first, second)
    }

    /// The points of both: `{ x : x in C and x in D }`, the locals side by side. The result is not simplified.
    ///
    /// # Panics
    ///
    /// If the numbers of variables differ.
    pub fn intersect(&self, other: &Conj) -> Conj {
        self.joined(other, Repeated::Dropped)
    }

    /// Whether this is in normal form and has all constraints of another conjunction, which has neither divisions nor locals, as
    /// they are: then the points of both are those of this one.
    pub(super) fn has_constraints_of(&self, other: &Conj) -> bool {
        let plain = 1 + other.n_vars;
        let is_among = |rows: &[Row], row: &Row| {
            let mut rows = rows.iter();
            rows.any(|own| own[..plain] == row[..] && row::is_zero(&own[plain..]))
        };
        self.simple
            && other.divs.is_empty()
            && other.n_locals == 0
            && other.ineqs.iter().all(|row| is_among(&self.ineqs, row))
            && other.eqs.iter().all(|row| is_among(&self.eqs, row))
    }

    /// The same with all rows of both, the other's ones behind.
    pub(super) fn with_rows_of(&self, other: &Conj) -> Conj {
        self.joined(other, Repeated::Kept)
    }

    fn joined(&self, other: &Conj, repeated: Repeated) -> Conj {
        let (first, other) = self.with_locals_of_both(other);
        let with_room = |rows: &[Row], more: &[Row]| {
            let mut all = Vec::with_capacity(rows.len() + more.len());
            all.extend_from_slice(rows);
            all
        };
        let mut out = match first {
            Cow::Owned(first) => first,
            Cow::Borrowed(first) => Conj {
                eqs: with_room(&first.eqs, &other.eqs),
                ineqs: with_room(&first.ineqs, &other.ineqs),
                divs: first.divs.clone(),
                ..*first
            },
        };
        let (n_ineqs, n_divs) = (out.ineqs.len(), out.divs.len());
        let cols = out.import_divs(&other);
        let drops = matches!(repeated, Repeated::Dropped);
        out.simple &= drops && out.divs.len() == n_divs;
        let eqs: Vec<Row> = other.eqs.iter().map(|row| out.import_row(row, &cols)).collect();
        // What is there already changes nothing. The order of other equalities may matter.
        if !(drops && eqs.iter().all(|row| out.eqs.contains(row))) {
            out.changed();
            out.eqs.extend(eqs);
        }
        for row in &other.ineqs {
            let row = out.import_row(row, &cols);
            if !(drops && out.ineqs[..n_ineqs].contains(&row)) {
                out.changed();
                out.ineqs.push(row);
            }
        }
        out
    }

    /// Replaces variable `v` by variable `target(v)` of `n_vars` variables. Two variables may have the same target:
    /// they are made equal. Locals stay what they are.
    pub fn remap(&self, n_vars: usize, target: impl Fn(usize) -> usize) -> Conj {
        // The columns of all entries: of the constant, variables, locals, divisions.
        let mut cols = Vec::with_capacity(self.n_cols());
        cols.push(0);
        cols.extend((0..self.n_vars()).map(|v| 1 + target(v)));
        let n_vars = n_vars + self.n_locals;
        cols.extend(1 + n_vars - self.n_locals..1 + n_vars + self.divs.len());
        let simple = self.simple && self.is_normal_after(&cols);
        let map = |row: &Row| row::spread(row, &cols, 1 + n_vars + self.divs.len());
        Conj {
            n_vars,
            n_locals: self.n_locals,
            divs: self
                .divs
                .iter()
                .map(|d| Div {
                    num: map(&d.num),
                    den: d.den.clone(),
                })
                .collect(),
            eqs: self.eqs.iter().map(map).collect(),
            ineqs: self.ineqs.iter().map(map).collect(),
            simple,
        }
    }

    /// Whether a normal form stays one if columns become those in `cols`. It does if their order stays. Only pivots of
    /// equalities and numerators depend on the order.
    fn is_normal_after(&self, cols: &[usize]) -> bool {
        cols.is_sorted_by(|a, b| a < b)
            || self.eqs.is_empty() && self.divs.is_empty() && {
                let mut sorted = cols.to_vec();
                sorted.sort_unstable();
                sorted.is_sorted_by(|a, b| a < b)
            }
    }

    /// Inserts `count` unconstrained variables at `pos`: `{ (x, y, z) : (x, z) in C }`, with `pos` variables `x`.
    pub fn insert_vars(&self, pos: usize, count: usize) -> Conj {
        let insert = |row: &Row| {
            let mut out = Row::padded(&row[..1 + pos], row.len() + count);
            out[1 + pos + count..].clone_from_slice(&row[1 + pos..]);
            out
        };
        let divs = self.divs.iter().map(|div| Div {
            num: insert(&div.num),
            den: div.den.clone(),
        });
        Conj {
            n_vars: self.n_vars + count,
            n_locals: self.n_locals,
            divs: divs.collect(),
            eqs: self.eqs.iter().map(insert).collect(),
            ineqs: self.ineqs.iter().map(insert).collect(),
            simple: self.simple,
        }
    }

    /// Replaces variable `v` by `-v`, for the variables `first .. first + count`.
    pub(super) fn negate_vars(&self, first: usize, count: usize) -> Conj {
        let mut out = self.clone();
        for row in out.rows_mut() {
            for x in &mut row[1 + first..1 + first + count] {
                *x = -&*x;
            }
        }
        out
    }

    /// Whether any constraint or division involves one of the variables `first .. first + count`.
    pub fn involves(&self, first: usize, count: usize) -> bool {
        let cols = 1 + first..1 + first + count;
        self.eqs
            .iter()
            .chain(&self.ineqs)
            .chain(self.divs.iter().map(|d| &d.num))
            .any(|row| !row::is_zero(&row[cols.clone()]))
    }

    /// Whether no constraint relates two of the variables from `first` on with each other, nor one with a local or a division.
    pub fn is_separable(&self, first: usize) -> bool {
        let of_one = |row: &Row| row[1 + first..].iter().filter(|x| !x.is_zero()).count() <= 1;
        self.n_locals == 0 && self.eqs.iter().chain(&self.ineqs).all(of_one)
    }

    /// Removes the columns of variables that nothing involves.
    pub(super) fn drop_unused_vars(&mut self, first: usize, count: usize) {
        let kept: Vec<usize> = (0..self.n_cols())
            .filter(|col| !(1 + first..1 + first + count).contains(col))
            .collect();
        self.keep_columns(&kept);
    }

    /// Keeps these columns, which ascend. Nothing involves the others, which are those of variables.
    pub(super) fn keep_columns(&mut self, kept: &[usize]) {
        let n_dropped = self.n_cols() - kept.len();
        for row in self.rows_mut() {
            debug_assert_eq!(
                kept.iter().filter(|&&col| !row[col].is_zero()).count(),
                row.iter().filter(|x| !x.is_zero()).count(),
                "only unused variables can be dropped"
            );
            row.select(kept);
        }
        self.n_vars -= n_dropped;
    }

    /// For each division, whether it depends on a variable that `involved` accepts, directly or through another one.
    pub(crate) fn dependent_divs(&self, involved: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut dependent: Vec<bool> = Vec::with_capacity(self.divs.len());
        for div in &self.divs {
            let hit = div.num[1..].iter().enumerate().any(|(i, x)| {
                !x.is_zero()
                    && if i < self.n_vars {
                        involved(i)
                    } else {
                        dependent[i - self.n_vars]
                    }
            });
            dependent.push(hit);
        }
        dependent
    }
}

/// Divides numerator and denominator by the common divisor of the coefficients and the denominator, which leaves the
/// value of the division as it is.
pub(super) fn reduce_div(num: &mut [Int], den: &mut Int) {
    if den.is_one() {
        return;
    }
    let g = content(&num[1..]).gcd(den);
    if !g.is_one() {
        num[0] = num[0].div_floor(&g);
        for x in &mut num[1..] {
            *x = x.div_exact(&g);
        }
        *den = den.div_exact(&g);
    }
}
