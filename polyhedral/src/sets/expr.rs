//! Quasi-affine expressions over variables without a space: what [`super::Aff`] and the parser compute with.

use super::conj::Conj;
use super::row;
use crate::int::Int;
use crate::linalg::{self, Row, content, zeros};
use std::sync::Arc;

/// The expression `row / den` over `[1 | variables | divs]`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Expr {
    /// The divisions, and the numerator in the place of the only equality, so that what renames and aligns the columns
    /// of conjunctions does it for expressions. Copies share it.
    form: Arc<Conj>,
    den: Int,
}

impl Expr {
    fn new(form: Conj, den: Int) -> Expr {
        Expr {
            form: Arc::new(form),
            den,
        }
    }

    /// The constant `value`, over `n_vars` variables.
    pub(crate) fn constant(n_vars: usize, value: Int) -> Expr {
        let mut row = zeros(1 + n_vars);
        row[0] = value;
        Expr::from_row(n_vars, row)
    }

    /// Variable `var` of `n_vars`.
    pub(crate) fn var(n_vars: usize, var: usize) -> Expr {
        let mut row = zeros(1 + n_vars);
        row[1 + var] = Int::ONE;
        Expr::from_row(n_vars, row)
    }

    /// The expression `row` over the columns of `divs`, of which only the divisions matter.
    pub(crate) fn over(divs: &Conj, row: Row) -> Expr {
        let mut form = Conj {
            divs: divs.divs.clone(),
            eqs: Vec::new(),
            ineqs: Vec::new(),
            ..*divs
        };
        form.add_eq(row);
        let mut out = Expr::new(form, Int::ONE);
        out.normalize();
        out
    }

    fn from_row(n_vars: usize, row: Row) -> Expr {
        let mut form = Conj::universe(n_vars);
        form.add_eq(row);
        Expr::new(form, Int::ONE)
    }

    /// The expression that is in the place of the only equality.
    pub(super) fn from_form(form: Conj) -> Expr {
        debug_assert_eq!(form.eqs.len(), 1, "one numerator");
        let mut out = Expr::new(form, Int::ONE);
        out.normalize();
        out
    }

    pub(crate) fn n_vars(&self) -> usize {
        self.form.n_vars
    }

    /// The divisions, in a conjunction of which the only equality is the numerator.
    pub(crate) fn form(&self) -> &Conj {
        &self.form
    }

    /// The numerator.
    pub(crate) fn row(&self) -> &Row {
        &self.form.eqs[0]
    }

    /// The denominator, positive.
    pub(crate) fn den(&self) -> &Int {
        &self.den
    }

    fn row_mut(&mut self) -> &mut Row {
        &mut Arc::make_mut(&mut self.form).eqs[0]
    }

    fn normalize(&mut self) {
        if !self.form.divs.is_empty() {
            let form = Arc::make_mut(&mut self.form);
            while form.reduce_divs() {}
        }
        let g = content(self.row()).gcd(&self.den);
        if !g.is_one() {
            for x in self.row_mut() {
                *x = x.div_exact(&g);
            }
            self.den = self.den.div_exact(&g);
        }
    }

    /// The value if there are no variables in it, as numerator and denominator.
    pub(crate) fn as_constant(&self) -> Option<(&Int, &Int)> {
        row::is_zero(&self.row()[1..]).then(|| (&self.row()[0], &self.den))
    }

    /// Whether there are neither divisions nor a denominator.
    fn is_affine(&self) -> bool {
        self.form.divs.is_empty() && self.den.is_one()
    }

    /// `a self + b other`.
    pub(crate) fn combine(&self, a: &Int, other: &Expr, b: &Int) -> Expr {
        if self.is_affine() && other.is_affine() {
            let row = linalg::combine(a, self.row(), b, other.row());
            return Expr::from_row(self.n_vars(), row);
        }
        let mut form = self.form.with_rows_of(&other.form);
        let second = form.eqs.pop().expect("both numerators");
        let g = self.den.gcd(&other.den);
        row::scale(&mut form.eqs[0], &(a * &other.den.div_exact(&g)));
        row::add_scaled(&mut form.eqs[0], &(b * &self.den.div_exact(&g)), &second);
        let mut out = Expr::new(form, &self.den * &other.den.div_exact(&g));
        out.normalize();
        out
    }

    pub(crate) fn add(&self, other: &Expr) -> Expr {
        self.combine(&Int::ONE, other, &Int::ONE)
    }

    pub(crate) fn sub(&self, other: &Expr) -> Expr {
        self.combine(&Int::ONE, other, &Int::from(-1))
    }

    pub(crate) fn scale(&self, factor: &Int) -> Expr {
        let mut out = self.clone();
        row::scale(out.row_mut(), factor);
        out.normalize();
        out
    }

    pub(crate) fn add_constant(&self, value: &Int) -> Expr {
        let mut out = self.clone();
        out.row_mut()[0] += value * &self.den;
        out
    }

    /// The expression divided by `divisor`, which is not zero.
    pub(crate) fn divide(&self, divisor: &Int) -> Expr {
        let mut out = self.clone();
        if divisor.is_neg() {
            row::scale(out.row_mut(), &Int::from(-1));
        }
        out.den *= divisor.abs();
        out.normalize();
        out
    }

    /// The expression rounded down.
    pub(crate) fn floor(&self) -> Expr {
        if self.den.is_one() {
            return self.clone();
        }
        let mut form = Conj::clone(&self.form);
        let num = form.eqs.pop().expect("the numerator");
        let div = form.add_div(num, self.den.clone());
        let mut row = zeros(form.n_cols());
        row[form.div_col(div)] = Int::ONE;
        form.eqs.push(row);
        let mut out = Expr::new(form, Int::ONE);
        out.normalize();
        out
    }

    /// The expression rounded up.
    pub(crate) fn ceil(&self) -> Expr {
        let minus = Int::from(-1);
        self.scale(&minus).floor().scale(&minus)
    }

    /// The points where both expressions have the same value.
    pub(crate) fn equal_to(&self, other: &Expr) -> Conj {
        // The numerator of a difference is an equality of its form already.
        Arc::unwrap_or_clone(self.sub(other).form)
    }

    /// The points where this expression is at least as large as `other`.
    pub(crate) fn at_least(&self, other: &Expr) -> Conj {
        self.sub(other).not_less(0)
    }

    /// The points where this expression is larger than `other`.
    pub(crate) fn greater_than(&self, other: &Expr) -> Conj {
        self.sub(other).not_less(1)
    }

    /// The points where the numerator is at least `least`.
    fn not_less(self, least: i64) -> Conj {
        let mut row = self.row().clone();
        row[0] -= Int::from(least);
        let mut conj = Arc::unwrap_or_clone(self.form).without_equalities();
        conj.add_ineq(row);
        conj
    }

    /// The points where the value is an integer; none if it is one everywhere.
    pub(crate) fn is_integral(&self) -> Option<Conj> {
        if self.den.is_one() {
            return None;
        }
        Some(self.equal_to(&self.floor()))
    }

    /// An expression with the same values where the equalities of `context` hold. They are solved for the last column that
    /// they involve, which neither adds divisions nor puts them out of order.
    pub(crate) fn substitute_equalities(&self, context: &Conj) -> Expr {
        let mut equalities = context.clone();
        equalities.ineqs.clear();
        let mut form = self.form.with_rows_of(&equalities);
        let mut row = form.eqs.remove(0);
        let mut pivots: Vec<(usize, Row)> = Vec::new();
        for mut eq in std::mem::take(&mut form.eqs) {
            for (col, pivot) in &pivots {
                row::eliminate(&mut eq, pivot, *col);
            }
            if let Some(col) = eq[1..].iter().rposition(|x| !x.is_zero()).map(|i| i + 1) {
                for (other, pivot) in &mut pivots {
                    debug_assert_ne!(*other, col, "a column that is eliminated already");
                    row::eliminate(pivot, &eq, col);
                }
                pivots.push((col, eq));
            }
        }
        let scaled = |row: &mut Row, den: &mut Int| {
            for (col, pivot) in &pivots {
                if row[*col].is_zero() {
                    continue;
                }
                let size = pivot[*col].abs();
                row::scale(row, &size);
                *den *= &size;
                row::eliminate_exactly(row, pivot, *col);
            }
        };
        for div in &mut form.divs {
            scaled(&mut div.num, &mut div.den);
        }
        let mut den = self.den.clone();
        scaled(&mut row, &mut den);
        form.eqs = vec![row];
        let mut out = Expr::new(form, den);
        out.normalize();
        out
    }

    /// The same expression over other variables, as [`Conj::remap`].
    pub(crate) fn remap(&self, n_vars: usize, target: impl Fn(usize) -> usize) -> Expr {
        let mut out = Expr::new(self.form.remap(n_vars, target), self.den.clone());
        out.normalize();
        out
    }

    /// The expression with `args[v]` in the place of variable `v`. All of them are over `n_vars` variables.
    pub(crate) fn substitute(&self, n_vars: usize, args: &[Expr]) -> Expr {
        let mut values = args.to_vec();
        let combine = |row: &Row, values: &[Expr]| {
            let terms = || row[1..].iter().zip(values).filter(|(x, _)| !x.is_zero());
            if terms().all(|(_, value)| value.is_affine()) {
                let mut sum = zeros(1 + n_vars);
                sum[0] = row[0].clone();
                for (x, value) in terms() {
                    row::add_scaled(&mut sum, x, value.row());
                }
                return Expr::from_row(n_vars, sum);
            }
            let mut sum = Expr::constant(n_vars, row[0].clone());
            for (x, value) in terms() {
                sum = sum.combine(&Int::ONE, value, x);
            }
            sum
        };
        for div in &self.form.divs {
            let value = combine(&div.num, &values).divide(&div.den).floor();
            values.push(value);
        }
        combine(self.row(), &values).divide(&self.den)
    }

    /// The value at a point, none if it is not an integer.
    pub(crate) fn eval(&self, point: &[Int]) -> Option<Int> {
        let value = row::eval(self.row(), &self.form.with_div_values(point));
        value.divisible_by(&self.den).then(|| value.div_exact(&self.den))
    }
}
