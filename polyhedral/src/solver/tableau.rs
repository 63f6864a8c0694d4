//! The tableau: affine expressions of some variables, the basic ones, in terms of the others.
//!
//! A tableau has a row for every basic variable and a column for every other one. The row
//!
//! ```text
//! d v = c + a_1 y_1 + ... + a_m y_m        (d > 0; all numbers integers without common factor)
//! ```
//!
//! says what the basic variable `v` is in terms of the column variables. *Pivoting* exchanges a basic variable and a
//! column variable. The *sample point* of a tableau is the one where all column variables are 0: the basic variables are
//! `c / d` there.

use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, combine, content, negate, zeros};

/// The row of a basic variable: `den * variable = entries[0] + sum of entries[1 + j] * column variable j`.
#[derive(Clone, Debug)]
pub(super) struct BasicRow {
    pub(super) variable: usize,
    pub(super) den: Int,
    pub(super) entries: Row,
}

impl BasicRow {
    /// Divides out the common factor.
    fn reduce(&mut self) {
        if self.den.is_one() {
            return;
        }
        let mut gcd = self.den.clone();
        for entry in &self.entries {
            gcd = gcd.gcd(entry);
            if gcd.is_one() {
                return;
            }
        }
        self.den = self.den.div_exact(&gcd);
        for entry in &mut self.entries {
            *entry = entry.div_exact(&gcd);
        }
    }
}

/// Where a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Row(usize),
    Column(usize),
    /// Dropped: fixed to 0, or of no further interest.
    Gone,
}

#[derive(Clone, Debug)]
pub(super) struct Tableau {
    pub(super) rows: Vec<BasicRow>,
    /// The variable of each column.
    pub(super) columns: Vec<usize>,
    /// The place of each variable.
    pub(super) places: Vec<Place>,
}

impl Tableau {
    /// A tableau of `n` column variables and no rows.
    pub(super) fn new(n: usize) -> Tableau {
        Tableau {
            rows: Vec::new(),
            columns: (0..n).collect(),
            places: (0..n).map(Place::Column).collect(),
        }
    }

    /// The expression `row = [c, a_1..]` over the first variables, in terms of the columns. None of the variables with a
    /// non-zero coefficient may be gone.
    pub(super) fn express(&self, row: &[Int]) -> (Int, Row) {
        let mut den = Int::ONE;
        for (variable, a) in row[1..].iter().enumerate() {
            if let (false, Place::Row(i)) = (a.is_zero(), self.places[variable]) {
                den = den.lcm(&self.rows[i].den);
            }
        }
        let mut entries = zeros(self.columns.len() + 1);
        entries[0] = &row[0] * &den;
        for (variable, a) in row[1..].iter().enumerate() {
            if a.is_zero() {
                continue;
            }
            match self.places[variable] {
                Place::Column(j) => entries[1 + j].add_mul(a, &den),
                Place::Row(i) => {
                    let source = &self.rows[i];
                    let factor = a * den.div_exact(&source.den);
                    for (entry, b) in entries.iter_mut().zip(&source.entries) {
                        if !b.is_zero() {
                            entry.add_mul(&factor, b);
                        }
                    }
                }
                Place::Gone => unreachable!("an expression of a variable that is gone"),
            }
        }
        (den, entries)
    }

    /// Adds a new basic variable `entries / den` and returns it.
    pub(super) fn add_basic(&mut self, den: Int, entries: Row) -> usize {
        debug_assert!(den.is_pos() && entries.len() == self.columns.len() + 1);
        let variable = self.places.len();
        let mut row = BasicRow { variable, den, entries };
        row.reduce();
        self.places.push(Place::Row(self.rows.len()));
        self.rows.push(row);
        variable
    }

    /// Exchanges the variables of row `i` and column `j`, whose entry there must not be 0.
    pub(super) fn pivot(&mut self, i: usize, j: usize, budget: &Budget) -> Outcome<()> {
        // den * v = c + .. + p * y + ..  becomes  p * y = den * v - c - ..
        let pivot_row = &mut self.rows[i];
        let p = std::mem::replace(&mut pivot_row.entries[1 + j], -&pivot_row.den);
        assert!(!p.is_zero(), "pivot on zero");
        pivot_row.den = p.abs();
        if p.is_pos() {
            negate(&mut pivot_row.entries);
        }
        pivot_row.reduce();
        let entered = std::mem::replace(&mut self.columns[j], pivot_row.variable);
        self.places[pivot_row.variable] = Place::Column(j);
        pivot_row.variable = entered;
        self.places[entered] = Place::Row(i);

        let source = pivot_row.clone();
        let mut changed = 1;
        for (k, row) in self.rows.iter_mut().enumerate() {
            if k == i || row.entries[1 + j].is_zero() {
                continue;
            }
            let factor = std::mem::take(&mut row.entries[1 + j]);
            let gcd = factor.gcd(&source.den);
            let (own, other) = (source.den.div_exact(&gcd), factor.div_exact(&gcd));
            row.den *= &own;
            row.entries = combine(&own, &row.entries, &other, &source.entries);
            row.reduce();
            changed += 1;
        }
        budget.spend(changed)
    }

    /// Fixes the variable of column `j` to 0 and drops it.
    pub(super) fn drop_column(&mut self, j: usize) {
        self.places[self.columns[j]] = Place::Gone;
        self.columns.swap_remove(j);
        for row in &mut self.rows {
            row.entries.swap_remove(1 + j);
            row.reduce();
        }
        if let Some(&moved) = self.columns.get(j) {
            self.places[moved] = Place::Column(j);
        }
    }

    /// Drops the basic variable of row `i`.
    pub(super) fn drop_row(&mut self, i: usize) {
        self.places[self.rows[i].variable] = Place::Gone;
        self.rows.swap_remove(i);
        if let Some(moved) = self.rows.get(i) {
            self.places[moved.variable] = Place::Row(i);
        }
    }

    /// The value of a variable at the sample point, as numerator and positive denominator in lowest terms.
    pub(super) fn sample_value(&self, variable: usize) -> (Int, Int) {
        match self.places[variable] {
            Place::Row(i) => {
                let row = &self.rows[i];
                let gcd = content(&[row.entries[0].clone(), row.den.clone()]);
                (row.entries[0].div_exact(&gcd), row.den.div_exact(&gcd))
            }
            Place::Column(_) | Place::Gone => (Int::ZERO, Int::ONE),
        }
    }
}
