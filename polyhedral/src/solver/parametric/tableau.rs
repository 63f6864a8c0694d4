//! The tableau with parametric constants; its layout is in the text of the module above.

use super::context::Sign;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, combine, negate};
use std::cmp::Ordering;

/// The row of a basic variable: `den * variable = constant + sum of coefs[j] * column variable j`.
#[derive(Clone)]
pub(super) struct TableauRow {
    pub(super) variable: usize,
    pub(super) den: Int,
    /// Over `[1 | params | divs]`.
    pub(super) constant: Row,
    pub(super) coefs: Row,
    /// The sign of the constant, where known.
    pub(super) sign: Option<Sign>,
}

impl TableauRow {
    fn reduce(&mut self) {
        let mut gcd = self.den.clone();
        for entry in self.coefs.iter().chain(&self.constant) {
            if gcd.is_one() {
                return;
            }
            gcd = gcd.gcd(entry);
        }
        if gcd.is_one() {
            return;
        }
        self.den = self.den.div_exact(&gcd);
        for entry in self.coefs.iter_mut().chain(&mut self.constant) {
            *entry = entry.div_exact(&gcd);
        }
    }
}

#[derive(Clone, Copy)]
pub(super) enum Place {
    Row(usize),
    Column(usize),
}

#[derive(Clone)]
pub(super) struct Tableau {
    pub(super) rows: Vec<TableauRow>,
    /// The variable of each column.
    pub(super) columns: Vec<usize>,
    pub(super) places: Vec<Place>,
    /// Which variables must not be negative.
    pub(super) restricted: Vec<bool>,
    /// The variables that are minimized, one after the other.
    pub(super) objectives: Vec<usize>,
}

impl Tableau {
    /// `n` variables of any sign, in columns.
    pub(super) fn new(n: usize) -> Tableau {
        Tableau {
            rows: Vec::new(),
            columns: (0..n).collect(),
            places: (0..n).map(Place::Column).collect(),
            restricted: vec![false; n],
            objectives: Vec::new(),
        }
    }

    /// Adds the basic variable `(constant + coefs . columns) / den` and returns it.
    pub(super) fn add_row(&mut self, den: Int, constant: Row, coefs: Row, restricted: bool) -> usize {
        debug_assert_eq!(coefs.len(), self.columns.len());
        let variable = self.places.len();
        self.places.push(Place::Row(self.rows.len()));
        self.restricted.push(restricted);
        let mut row = TableauRow {
            variable,
            den,
            constant,
            coefs,
            sign: None,
        };
        row.reduce();
        self.rows.push(row);
        variable
    }

    /// The row of a basic variable.
    pub(super) fn row_of(&self, variable: usize) -> Option<usize> {
        match self.places[variable] {
            Place::Row(i) => Some(i),
            Place::Column(_) => None,
        }
    }

    /// Makes room for divisions.
    pub(super) fn widen(&mut self, n_cols: usize) {
        for row in &mut self.rows {
            row.constant.resize(n_cols, Int::ZERO);
        }
    }

    /// Exchanges the variables of row `i` and column `j`, whose entry there must not be 0.
    pub(super) fn pivot(&mut self, i: usize, j: usize, b: &Budget) -> Outcome<()> {
        let pivot = &mut self.rows[i];
        let p = std::mem::replace(&mut pivot.coefs[j], -&pivot.den);
        pivot.den = p.abs();
        if p.is_pos() {
            negate(&mut pivot.coefs);
            negate(&mut pivot.constant);
        }
        pivot.sign = None;
        pivot.reduce();
        let entered = std::mem::replace(&mut self.columns[j], pivot.variable);
        self.places[pivot.variable] = Place::Column(j);
        pivot.variable = entered;
        self.places[entered] = Place::Row(i);
        let source = pivot.clone();
        let mut changed = 1;
        for (k, row) in self.rows.iter_mut().enumerate() {
            if k == i || row.coefs[j].is_zero() {
                continue;
            }
            let factor = std::mem::take(&mut row.coefs[j]);
            let gcd = factor.gcd(&source.den);
            let (own, other) = (source.den.div_exact(&gcd), factor.div_exact(&gcd));
            row.den *= &own;
            row.coefs = combine(&own, &row.coefs, &other, &source.coefs);
            row.constant = combine(&own, &row.constant, &other, &source.constant);
            row.sign = None;
            row.reduce();
            changed += 1;
        }
        b.spend(changed)
    }

    /// Makes the free variables in columns basic. Those that are left are in no restricted row.
    pub(super) fn pivot_out_free(&mut self, b: &Budget) -> Outcome<()> {
        for j in 0..self.columns.len() {
            debug_assert!(!self.restricted[self.columns[j]]);
            // Units keep the tableau integral; simple bounds without parameters keep it simple.
            let best = (0..self.rows.len())
                .filter(|&i| self.restricted[self.rows[i].variable] && !self.rows[i].coefs[j].is_zero())
                .min_by_key(|&i| {
                    let row = &self.rows[i];
                    let entry = &row.coefs[j];
                    let n_unknowns = row.coefs.iter().filter(|a| !a.is_zero()).count();
                    let parametric = !row.constant[1..].iter().all(Int::is_zero);
                    (
                        entry.abs() != row.den,
                        parametric,
                        n_unknowns,
                        entry.is_neg(),
                        entry.abs(),
                    )
                });
            if let Some(i) = best {
                self.pivot(i, j, b)?;
            }
        }
        Ok(())
    }

    /// Makes all columns lexicographically positive, by minimizing the objectives one after the other over the recession
    /// cone, where all constants are 0. False if one of them is unbounded. Columns that change no objective become
    /// objectives themselves.
    pub(super) fn make_dual_feasible(&mut self, b: &Budget) -> Outcome<bool> {
        for k in 0..self.objectives.len() {
            let (earlier, objective) = (self.objectives[..k].to_vec(), self.objectives[k]);
            loop {
                let at = self.row_of(objective).expect("an objective that is basic");
                let falls = |j: &usize| {
                    self.rows[at].coefs[*j].is_neg()
                        && (earlier.iter()).all(|&e| self.row_of(e).is_none_or(|i| self.rows[i].coefs[*j].is_zero()))
                };
                // Bland's rule: all pivots are degenerate.
                let column = (0..self.columns.len()).filter(falls).min_by_key(|&j| self.columns[j]);
                let Some(j) = column else { break };
                let blocking = (0..self.rows.len())
                    .filter(|&i| self.restricted[self.rows[i].variable] && self.rows[i].coefs[j].is_neg())
                    .min_by_key(|&i| self.rows[i].variable);
                let Some(i) = blocking else { return Ok(false) };
                self.pivot(i, j, b)?;
            }
        }
        for j in 0..self.columns.len() {
            let idle = |&e: &usize| self.row_of(e).is_none_or(|i| self.rows[i].coefs[j].is_zero());
            if self.objectives.iter().all(idle) {
                self.objectives.push(self.columns[j]);
            }
        }
        Ok(true)
    }

    /// The column that raises row `i` at the lexicographically least cost.
    pub(super) fn cheapest_column(&self, i: usize) -> Option<usize> {
        self.cheapest_of(&self.rows[i].coefs)
    }

    /// The same for a row of the given coefficients.
    pub(super) fn cheapest_of(&self, entries: &[Int]) -> Option<usize> {
        let mut best: Option<usize> = None;
        for j in (0..entries.len()).filter(|&j| entries[j].is_pos()) {
            let better = best.is_none_or(|k| self.compare_columns(j, &entries[j], k, &entries[k]) == Ordering::Less);
            if better {
                best = Some(j);
            }
        }
        best
    }

    /// Compares column `j` divided by `p` to column `k` divided by `q`, lexicographically over the objectives.
    fn compare_columns(&self, j: usize, p: &Int, k: usize, q: &Int) -> Ordering {
        for &objective in &self.objectives {
            let order = match self.places[objective] {
                Place::Row(i) => {
                    let (x, y) = (&self.rows[i].coefs[j], &self.rows[i].coefs[k]);
                    match x.sign().cmp(&y.sign()) {
                        Ordering::Equal if x.is_zero() => Ordering::Equal,
                        Ordering::Equal => (x * q).cmp(&(y * p)),
                        different => different,
                    }
                }
                Place::Column(c) if c == j => Ordering::Greater,
                Place::Column(c) if c == k => Ordering::Less,
                Place::Column(_) => Ordering::Equal,
            };
            if order != Ordering::Equal {
                return order;
            }
        }
        Ordering::Equal
    }
}
