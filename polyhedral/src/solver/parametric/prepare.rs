//! From constraints to a tableau that is dual feasible: steps 1 to 3 of the module above.

use super::context::{Context, Sign, complement};
use super::search::Search;
use super::tableau::Tableau;
use super::{Leaf, Minimum};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Matrix, Row, column_hermite, content, unit, zeros};

/// Constraints on unknowns in a context. The columns of a row are those of the context, then the unknowns.
#[derive(Clone)]
pub(super) struct Unknowns {
    pub(super) n: usize,
    pub(super) n_interesting: usize,
    /// How many values of an objective have been tried and passed over.
    pub(super) raised: i64,
    pub(super) eqs: Vec<Row>,
    pub(super) ineqs: Vec<Row>,
}

impl Unknowns {
    /// The same constraints in a context with more divisions.
    pub(super) fn widened(&self, n_cols: usize) -> Unknowns {
        let widen = |row: &Row| {
            let at = row.len() - self.n;
            let mut out = Row::from(&row[..at]);
            out.resize(n_cols, Int::ZERO);
            out.extend(row[at..].iter().cloned());
            out
        };
        Unknowns {
            eqs: self.eqs.iter().map(widen).collect(),
            ineqs: self.ineqs.iter().map(widen).collect(),
            ..*self
        }
    }
}

/// An affine expression: a row over the context's columns, and coefficients of unknowns.
#[derive(Clone)]
pub(super) struct Form {
    pub(super) constant: Row,
    pub(super) coefs: Row,
}

/// Leaves without solution that have been split off the context on the way.
pub(super) struct Remainder {
    pub(super) leaves: Vec<Leaf>,
    pub(super) context: Context,
}

impl Remainder {
    /// A leaf of the context where `row >= 0`, without solution.
    pub(super) fn cut_off(&mut self, row: &[Int]) {
        let mut ineqs = self.context.ineqs.clone();
        ineqs.push(Row::from(row));
        self.leaves.push(Leaf {
            divs: self.context.divs().to_vec(),
            eqs: self.context.eqs.clone(),
            ineqs,
            values: None,
        });
    }

    /// Restricts the context to where `row >= 0`. False if that is nowhere.
    pub(super) fn require_non_negative(&mut self, row: &[Int], b: &Budget) -> Outcome<bool> {
        match self.context.sign(row, b)? {
            Sign::NonNegative => {}
            Sign::Negative => return Ok(false),
            Sign::Either => {
                self.cut_off(&complement(row));
                self.context.add_ineq(row, b)?;
            }
        }
        Ok(true)
    }

    /// Restricts the context to where `row = 0`. False if that is nowhere.
    fn require_zero(&mut self, row: &[Int], b: &Budget) -> Outcome<bool> {
        let negated: Row = row.iter().map(|a| -a).collect();
        let (above, below) = (complement(&negated), complement(row));
        let mut holds = true;
        for outside in [&above, &below] {
            match self.context.sign(outside, b)? {
                Sign::Negative => {}
                Sign::NonNegative => return Ok(false),
                Sign::Either => {
                    self.cut_off(outside);
                    self.context.add_ineq(&complement(outside), b)?;
                    holds = false;
                }
            }
        }
        if !holds {
            self.context.add_eq(row, b)?;
        }
        Ok(true)
    }

    /// `num / den`, restricting the context to where that is an integer. None if that is nowhere.
    pub(super) fn divide(&mut self, num: &Row, den: &Int, b: &Budget) -> Outcome<Option<Row>> {
        let mut num = num.clone();
        if !num.iter().all(|a| a.divisible_by(den)) {
            let (rest, _) = self.remainder(&num, den, b)?;
            if !self.require_zero(&rest, b)? {
                return Ok(None);
            }
            num.resize(rest.len(), Int::ZERO);
            for (x, r) in num.iter_mut().zip(&rest) {
                *x -= r;
            }
        }
        Ok(Some(num.iter().map(|a| a.div_exact(den)).collect()))
    }

    /// `num mod den` and `floor(num / den)`.
    pub(super) fn remainder(&mut self, num: &[Int], den: &Int, b: &Budget) -> Outcome<(Row, Row)> {
        let floor = self.context.floor(num, den, b)?;
        let mut rest = Row::from(num);
        rest.resize(self.context.n_cols(), Int::ZERO);
        let minus = -den;
        for (x, f) in rest.iter_mut().zip(&floor) {
            x.add_mul(&minus, f);
        }
        Ok((rest, floor))
    }
}

/// The minimum of the unknowns in the context.
pub(super) fn solve(context: Context, system: &Unknowns, b: &Budget) -> Outcome<Minimum> {
    let mut remainder = Remainder {
        leaves: Vec::new(),
        context,
    };
    let Some(forms) = solve_equalities(&mut remainder, system, b)? else {
        // There is no solution in what is left of the context.
        let context = &remainder.context;
        remainder.leaves.push(Leaf {
            divs: context.divs().to_vec(),
            eqs: context.eqs.clone(),
            ineqs: context.ineqs.clone(),
            values: None,
        });
        return Ok(Minimum::Leaves(remainder.leaves));
    };
    let n_cols = remainder.context.n_cols();
    let n_free = forms.first().map_or(0, |f| f.coefs.len());
    let mut constraints: Vec<Form> = Vec::with_capacity(system.ineqs.len());
    for row in &system.ineqs {
        constraints.push(substituted(row, &forms, n_cols, n_free));
    }
    let mut interesting: Vec<Form> = forms[..system.n_interesting].to_vec();
    let mut tableau = set_up(&interesting, &constraints, n_free);
    tableau.pivot_out_free(b)?;
    let n_idle = |t: &Tableau| t.columns.iter().filter(|&&v| !t.restricted[v]).count();
    let mut n_unknowns = n_free;
    if n_idle(&tableau) > 0 {
        // Directions without constraints, in which the unknowns of interest may be lowered for ever or are constant.
        let rows = constraints
            .iter()
            .chain(&interesting)
            .map(|f| f.coefs.clone())
            .collect();
        let hermite = column_hermite(&Matrix::new(rows, n_free));
        let rank = hermite.pivots.len();
        if n_free - rank < n_idle(&tableau) {
            return Ok(Minimum::Unbounded);
        }
        let columns = hermite.transform.transposed();
        let basis = Matrix::new(columns.rows[..rank].to_vec(), n_free);
        for form in constraints.iter_mut().chain(&mut interesting) {
            form.coefs = basis.apply(&form.coefs);
        }
        n_unknowns = rank;
        tableau = set_up(&interesting, &constraints, rank);
        tableau.pivot_out_free(b)?;
    }
    if !tableau.make_dual_feasible(b)? {
        return Ok(Minimum::Unbounded);
    }
    let search = Search {
        system,
        n_unknowns,
        first_slack: n_unknowns + interesting.iter().filter(|f| as_unknown(f).is_none()).count(),
        values: interesting_variables(&interesting, n_unknowns),
    };
    search.run(remainder, tableau, b).map(Minimum::Leaves)
}

/// The unknown that the form consists of.
fn as_unknown(form: &Form) -> Option<usize> {
    let at = form.coefs.iter().position(|a| !a.is_zero())?;
    let rest = form.coefs[at + 1..].iter().chain(&form.constant);
    (form.coefs[at].is_one() && rest.into_iter().all(Int::is_zero)).then_some(at)
}

/// The variable of each unknown of interest, in the tableau that [`set_up`] makes.
fn interesting_variables(interesting: &[Form], n: usize) -> Vec<usize> {
    let mut next = n;
    let variable = |form: &Form| {
        as_unknown(form).unwrap_or_else(|| {
            next += 1;
            next - 1
        })
    };
    interesting.iter().map(variable).collect()
}

/// The tableau with `n` free columns, then the rows of the unknowns of interest that are no column, then those of the
/// constraints.
fn set_up(interesting: &[Form], constraints: &[Form], n: usize) -> Tableau {
    let mut tableau = Tableau::new(n);
    for form in interesting.iter().filter(|f| as_unknown(f).is_none()) {
        tableau.add_row(Int::ONE, form.constant.clone(), form.coefs.clone(), false);
    }
    for form in constraints {
        tableau.add_row(Int::ONE, form.constant.clone(), form.coefs.clone(), true);
    }
    tableau.objectives = interesting_variables(interesting, n);
    tableau
}

/// A constraint in terms of the free unknowns.
fn substituted(row: &Row, forms: &[Form], n_cols: usize, n_free: usize) -> Form {
    let at = row.len() - forms.len();
    let mut constant = Row::from(&row[..at]);
    constant.resize(n_cols, Int::ZERO);
    let mut coefs = zeros(n_free);
    for (a, form) in row[at..].iter().zip(forms).filter(|(a, _)| !a.is_zero()) {
        for (x, y) in constant.iter_mut().zip(&form.constant) {
            x.add_mul(a, y);
        }
        for (x, y) in coefs.iter_mut().zip(&form.coefs) {
            x.add_mul(a, y);
        }
    }
    let gcd = content(&constant[1..]).gcd(&content(&coefs));
    if !gcd.is_zero() && !gcd.is_one() {
        for x in constant[1..].iter_mut().chain(&mut coefs) {
            *x = x.div_exact(&gcd);
        }
        constant[0] = constant[0].div_floor(&gcd);
    }
    Form { constant, coefs }
}

/// The unknowns in terms of those that the equalities leave free. None if they have no solution.
fn solve_equalities(remainder: &mut Remainder, system: &Unknowns, b: &Budget) -> Outcome<Option<Vec<Form>>> {
    let n = system.n;
    let n_cols = remainder.context.n_cols();
    if system.eqs.is_empty() {
        let form = |u| Form {
            constant: zeros(n_cols),
            coefs: unit(n, u),
        };
        return Ok(Some((0..n).map(form).collect()));
    }
    b.spend((system.eqs.len() * n) as u64)?;
    let rows = system.eqs.iter().map(|row| Row::from(&row[n_cols..])).collect();
    let hermite = column_hermite(&Matrix::new(rows, n));
    let rank = hermite.pivots.len();
    // E u = H y with u = U y, and H is lower echelon, so that y follows entry by entry.
    let mut values: Vec<Row> = Vec::with_capacity(rank);
    for (i, (eq, form)) in system.eqs.iter().zip(&hermite.form.rows).enumerate() {
        let width = remainder.context.n_cols();
        let mut rest = Row::from(&eq[..n_cols]);
        rest.resize(width, Int::ZERO);
        for (a, value) in form.iter().zip(&values) {
            for (x, y) in rest.iter_mut().zip(value) {
                x.add_mul(a, y);
            }
        }
        if hermite.pivots.get(values.len()) == Some(&i) {
            let minus: Row = rest.iter().map(|a| -a).collect();
            let Some(value) = remainder.divide(&minus, &form[values.len()], b)? else {
                return Ok(None);
            };
            values.push(value);
        } else if !remainder.require_zero(&rest, b)? {
            return Ok(None);
        }
    }
    let width = remainder.context.n_cols();
    let form = |row: &Row| {
        let mut constant = zeros(width);
        for (a, value) in row.iter().zip(&values) {
            for (x, y) in constant.iter_mut().zip(value) {
                x.add_mul(a, y);
            }
        }
        Form {
            constant,
            coefs: Row::from(&row[rank..]),
        }
    };
    Ok(Some(hermite.transform.rows.iter().map(form).collect()))
}
