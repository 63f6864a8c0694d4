//! What is known of the parameters on the way to a leaf, and the signs that follow from it.

use super::Division;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, content, negate, zeros};
use crate::solver::lp::Optimum;
use crate::solver::simplex::Simplex;
use crate::solver::{System, integer, value_at};
use std::rc::Rc;

/// The number of divisions that can be added before the simplex tableau is set up again.
const ROOM: usize = 6;

/// The number of points that are kept.
const SAMPLES: usize = 24;

/// The sign of an integer-valued row over the integer points of a context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sign {
    NonNegative,
    Negative,
    /// Both occur.
    Either,
}

/// Constraints on parameters and divisions that have an integer solution. Rows are `[1 | params | divs]`, and may be
/// shorter where the last entries are zero.
#[derive(Clone)]
pub(super) struct Context {
    n_params: usize,
    divs: Vec<Division>,
    /// All constraints, the bounds of the divisions among them.
    system: System,
    /// The same, with unknowns to spare.
    simplex: Simplex,
    room: usize,
    /// Some of the points, never none.
    samples: Vec<Row>,
    /// The equalities and inequalities that the context was made with.
    root: Rc<(Vec<Row>, Vec<Row>)>,
    /// The constraints added since then.
    pub(super) eqs: Vec<Row>,
    pub(super) ineqs: Vec<Row>,
}

/// `row >= 0` tightened: the coefficients without common factor, the constant rounded down.
fn tightened(row: &[Int]) -> Row {
    let gcd = content(&row[1..]);
    if gcd.is_zero() || gcd.is_one() {
        return Row::from(row);
    }
    let mut out: Row = Row::from(row);
    out[0] = row[0].div_floor(&gcd);
    for a in &mut out[1..] {
        *a = a.div_exact(&gcd);
    }
    out
}

/// The row without trailing zeros.
fn trimmed(row: &[Int]) -> &[Int] {
    &row[..row.iter().rposition(|x| !x.is_zero()).map_or(0, |last| last + 1)]
}

fn is_zero(row: &[Int]) -> bool {
    row.iter().all(Int::is_zero)
}

/// `-row - 1 >= 0`, which is `row < 0`.
pub(super) fn complement(row: &[Int]) -> Row {
    let mut out: Row = row.iter().map(|a| -a).collect();
    out[0] -= Int::ONE;
    out
}

impl Context {
    /// The parameters and divisions that satisfy the constraints; None if there are none.
    pub(super) fn new(
        n_params: usize,
        divs: Vec<Division>,
        eqs: Vec<Row>,
        ineqs: Vec<Row>,
        b: &Budget,
    ) -> Outcome<Option<Context>> {
        let n = n_params + divs.len();
        let root = Rc::new((eqs.clone(), ineqs.clone()));
        let mut system = System { n, eqs, ineqs };
        for row in system.eqs.iter_mut().chain(&mut system.ineqs) {
            row.resize(1 + n, Int::ZERO);
        }
        for (i, div) in divs.iter().enumerate() {
            system.ineqs.extend(div_bounds(div, 1 + n_params + i, 1 + n));
        }
        let sample = if system.eqs.is_empty() && system.ineqs.is_empty() {
            zeros(n)
        } else {
            match integer::sample(&system, b)? {
                Some(point) => point,
                None => return Ok(None),
            }
        };
        let simplex = simplex_of(&system, b)?;
        Ok(Some(Context {
            n_params,
            divs,
            system,
            simplex,
            room: ROOM,
            samples: vec![sample],
            root,
            eqs: Vec::new(),
            ineqs: Vec::new(),
        }))
    }

    /// The number of columns of a row.
    pub(super) fn n_cols(&self) -> usize {
        1 + self.system.n
    }

    pub(super) fn divs(&self) -> &[Division] {
        &self.divs
    }

    /// The same context with the divisions and constraints of a leaf of it.
    pub(super) fn at_leaf(&self, leaf: &super::Leaf, b: &Budget) -> Outcome<Option<Context>> {
        let (eqs, ineqs) = &*self.root;
        let all_eqs = [eqs.clone(), leaf.eqs.clone()].concat();
        let all_ineqs = [ineqs.clone(), leaf.ineqs.clone()].concat();
        let made = Context::new(self.n_params, leaf.divs.clone(), all_eqs, all_ineqs, b)?;
        Ok(made.map(|mut context| {
            context.root = self.root.clone();
            context.eqs = leaf.eqs.clone();
            context.ineqs = leaf.ineqs.clone();
            context
        }))
    }

    /// The sign of `row` over the integer points.
    pub(super) fn sign(&mut self, row: &[Int], b: &Budget) -> Outcome<Sign> {
        if is_zero(&row[1..]) {
            return Ok(if row[0].is_neg() {
                Sign::Negative
            } else {
                Sign::NonNegative
            });
        }
        let (mut neg, mut other) = (false, false);
        for sample in &self.samples {
            if value_at(row, &sample[..row.len() - 1]).is_neg() {
                neg = true;
            } else {
                other = true;
            }
            if neg && other {
                return Ok(Sign::Either);
            }
        }
        if !neg {
            neg = self.has_point(&complement(row), b)?;
        } else {
            other = self.has_point(row, b)?;
        }
        Ok(match (neg, other) {
            (true, true) => Sign::Either,
            (true, false) => Sign::Negative,
            (false, _) => Sign::NonNegative,
        })
    }

    /// Whether `row >= 0` somewhere; if so, such a point is added to the samples.
    fn has_point(&mut self, row: &[Int], b: &Budget) -> Outcome<bool> {
        let row = tightened(row);
        let mut objective = row.clone();
        negate(&mut objective);
        let found = match self.simplex.minimize(&objective, b)? {
            Optimum::Empty => return Ok(false),
            Optimum::Finite { num, .. } if num.is_pos() => return Ok(false),
            Optimum::Finite { .. } => {
                let (mut point, den) = self.simplex.sample();
                point.truncate(self.system.n);
                (den.is_one()).then_some(point)
            }
            Optimum::Unbounded => None,
        };
        let found = match found {
            Some(point) => Some(point),
            None => {
                let mut system = self.system.clone();
                let mut row = row;
                row.resize(1 + system.n, Int::ZERO);
                system.ineqs.push(row);
                integer::sample(&system, b)?
            }
        };
        let Some(point) = found else { return Ok(false) };
        debug_assert!(self.system.contains(&point));
        if self.samples.len() == SAMPLES {
            self.samples.remove(0);
        }
        self.samples.push(point);
        Ok(true)
    }

    /// Adds `row >= 0`, which must hold at some point that [`Context::sign`] has come across.
    pub(super) fn add_ineq(&mut self, row: &[Int], b: &Budget) -> Outcome<()> {
        let mut row = tightened(row);
        row.resize(self.n_cols(), Int::ZERO);
        self.samples.retain(|s| !value_at(&row, s).is_neg());
        self.simplex.add_ineq(&row, b)?;
        self.system.ineqs.push(row.clone());
        self.ineqs.push(row);
        self.keep_a_sample(b)
    }

    /// Adds `row = 0`, which must hold at some point.
    pub(super) fn add_eq(&mut self, row: &[Int], b: &Budget) -> Outcome<()> {
        let mut row = Row::from(row);
        row.resize(self.n_cols(), Int::ZERO);
        self.samples.retain(|s| value_at(&row, s).is_zero());
        self.simplex.add_eq(&row, b)?;
        self.system.eqs.push(row.clone());
        self.eqs.push(row);
        self.keep_a_sample(b)
    }

    fn keep_a_sample(&mut self, b: &Budget) -> Outcome<()> {
        if self.samples.is_empty() {
            let point = integer::sample(&self.system, b)?;
            self.samples
                .push(point.expect("a constraint that holds somewhere in the context"));
        }
        Ok(())
    }

    /// A row for `floor(num / den)`, with a new division unless there is one already that makes it up.
    pub(super) fn floor(&mut self, num: &[Int], den: &Int, b: &Budget) -> Outcome<Row> {
        let gcd = content(&num[1..]).gcd(den);
        let den = den.div_exact(&gcd);
        let mut num: Row = num.iter().map(|a| a.div_floor(&gcd)).collect();
        // What is a multiple of the denominator goes out; the rest is small, its first coefficient positive.
        let mut outside = zeros(num.len());
        let mut sign = Int::ONE;
        let split = |num: &mut Row, outside: &mut Row, sign: &Int| {
            for (i, (x, out)) in num.iter_mut().zip(outside).enumerate() {
                let mut rest = x.mod_floor(&den);
                if i > 0 && &rest + &rest > den {
                    rest -= &den;
                }
                out.add_mul(sign, &(&*x - &rest).div_exact(&den));
                *x = rest;
            }
        };
        split(&mut num, &mut outside, &sign);
        if num[1..].iter().find(|x| !x.is_zero()).is_some_and(Int::is_neg) {
            // floor(-n / den) = -floor((n + den - 1) / den)
            negate(&mut num);
            num[0] += &den;
            num[0] -= Int::ONE;
            sign = -Int::ONE;
            split(&mut num, &mut outside, &sign);
        }
        if is_zero(&num[1..]) {
            return Ok(outside);
        }
        while num.last().is_some_and(Int::is_zero) {
            num.pop();
        }
        let div = Division { num, den };
        let index = match self
            .divs
            .iter()
            .position(|d| d.den == div.den && trimmed(&d.num) == &div.num[..])
        {
            Some(index) => index,
            None => self.add_div(div, b)?,
        };
        outside.resize(self.n_cols(), Int::ZERO);
        outside[1 + self.n_params + index] += sign;
        Ok(outside)
    }

    fn add_div(&mut self, div: Division, b: &Budget) -> Outcome<usize> {
        let column = self.n_cols();
        self.system.n += 1;
        for row in (self.system.eqs.iter_mut()).chain(&mut self.system.ineqs) {
            row.push(Int::ZERO);
        }
        for sample in &mut self.samples {
            let value = value_at(&div.num, &sample[..div.num.len() - 1]).div_floor(&div.den);
            sample.push(value);
        }
        let bounds = div_bounds(&div, column, column + 1);
        if self.room == 0 {
            self.system.ineqs.extend(bounds);
            self.simplex = simplex_of(&self.system, b)?;
            self.room = ROOM;
        } else {
            self.room -= 1;
            for row in bounds {
                self.simplex.add_ineq(&row, b)?;
                self.system.ineqs.push(row);
            }
        }
        self.divs.push(div);
        Ok(self.divs.len() - 1)
    }
}

/// `num - den q >= 0` and `den - 1 - num + den q >= 0` for the division in column `column` of `n_cols`.
fn div_bounds(div: &Division, column: usize, n_cols: usize) -> [Row; 2] {
    let mut lower = div.num.clone();
    lower.resize(n_cols, Int::ZERO);
    lower[column] -= &div.den;
    let mut upper: Row = lower.iter().map(|a| -a).collect();
    upper[0] += &div.den;
    upper[0] -= Int::ONE;
    [lower, upper]
}

fn simplex_of(system: &System, b: &Budget) -> Outcome<Simplex> {
    let mut simplex = Simplex::new(system.n + ROOM);
    for row in &system.eqs {
        simplex.add_eq(row, b)?;
    }
    for row in &system.ineqs {
        simplex.add_ineq(row, b)?;
    }
    Ok(simplex)
}
