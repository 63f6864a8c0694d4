//! Polynomials with rational coefficients, and their sums.

use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Rat, zeros};
use std::collections::BTreeMap;

/// A polynomial in variables that are numbered from 0. A monomial is the exponent of each variable, without zeros at the end;
/// no coefficient is zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Polynomial(BTreeMap<Vec<u32>, Rat>);

impl Polynomial {
    /// The polynomial that is `value` everywhere.
    pub fn constant(value: Rat) -> Polynomial {
        let mut polynomial = Polynomial::zero();
        polynomial.add_term(Vec::new(), &value);
        polynomial
    }

    /// The polynomial that is 0 everywhere.
    pub fn zero() -> Polynomial {
        Polynomial(BTreeMap::new())
    }

    /// `row / den` for a row `[constant, coefficients of variables]`, with `den > 0`.
    pub fn affine(row: &[Int], den: &Int) -> Polynomial {
        let mut polynomial = Polynomial::zero();
        for (column, entry) in row.iter().enumerate() {
            let mut monomial = vec![0; column];
            if let Some(last) = monomial.last_mut() {
                *last = 1;
            }
            polynomial.add_term(monomial, &Rat::new(entry.clone(), den.clone()));
        }
        polynomial
    }

    /// Whether it is 0 everywhere.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The value, if it is the same everywhere.
    pub fn as_constant(&self) -> Option<Rat> {
        match self.0.len() {
            0 => Some(Rat::from(Int::ZERO)),
            1 => self.0.get(&Vec::new()).cloned(),
            _ => None,
        }
    }

    /// The monomials, each with its coefficient, which is not zero.
    pub fn terms(&self) -> impl Iterator<Item = (&[u32], &Rat)> {
        self.0
            .iter()
            .map(|(monomial, coefficient)| (&monomial[..], coefficient))
    }

    fn add_term(&mut self, mut monomial: Vec<u32>, coefficient: &Rat) {
        while monomial.last() == Some(&0) {
            monomial.pop();
        }
        let sum = match self.0.get(&monomial) {
            Some(present) => present + coefficient,
            None => coefficient.clone(),
        };
        if sum.is_zero() {
            self.0.remove(&monomial);
        } else {
            self.0.insert(monomial, sum);
        }
    }

    /// `self + factor * other`.
    pub(super) fn plus(&self, factor: &Rat, other: &Polynomial) -> Polynomial {
        let mut sum = self.clone();
        for (monomial, coefficient) in &other.0 {
            sum.add_term(monomial.clone(), &(factor * coefficient));
        }
        sum
    }

    fn times(&self, other: &Polynomial, b: &Budget) -> Outcome<Polynomial> {
        let mut product = Polynomial::zero();
        for (one, factor) in &self.0 {
            for (two, other) in &other.0 {
                b.spend(1 + size(factor) + size(other))?;
                let exponent = |var: usize| one.get(var).unwrap_or(&0) + two.get(var).unwrap_or(&0);
                let monomial = (0..one.len().max(two.len())).map(exponent).collect();
                product.add_term(monomial, &(factor * other));
            }
        }
        Ok(product)
    }

    /// The value at a point, an entry for each variable.
    pub fn evaluate(&self, point: &[Int]) -> Rat {
        let mut value = Rat::from(Int::ZERO);
        for (monomial, coefficient) in &self.0 {
            let mut term = coefficient.clone();
            for (exponent, entry) in monomial.iter().zip(point) {
                for _ in 0..*exponent {
                    term = &term * &Rat::from(entry.clone());
                }
            }
            value = &value + &term;
        }
        value
    }

    /// The polynomial with variables at other positions: `target` says where each is.
    pub(super) fn with_vars_at(&self, target: impl Fn(usize) -> usize) -> Polynomial {
        let mut moved = Polynomial::zero();
        for (monomial, coefficient) in &self.0 {
            let mut exponents = Vec::new();
            for (var, exponent) in monomial.iter().enumerate().filter(|(_, exponent)| **exponent > 0) {
                let position = target(var);
                exponents.resize(exponents.len().max(position + 1), 0);
                exponents[position] = *exponent;
            }
            moved.add_term(exponents, coefficient);
        }
        moved
    }

    /// The coefficients of the powers of variable `var`, smaller powers first: polynomials in the other variables.
    fn by_power(&self, var: usize) -> Vec<Polynomial> {
        let mut powers: Vec<Polynomial> = Vec::new();
        for (monomial, coefficient) in &self.0 {
            let power = monomial.get(var).copied().unwrap_or(0) as usize;
            let mut others = monomial.clone();
            if let Some(exponent) = others.get_mut(var) {
                *exponent = 0;
            }
            powers.resize(powers.len().max(power + 1), Polynomial::zero());
            powers[power].add_term(others, coefficient);
        }
        powers
    }

    /// The polynomial with another one in the place of variable `var`.
    pub(super) fn substitute(&self, var: usize, value: &Polynomial, b: &Budget) -> Outcome<Polynomial> {
        let mut result = Polynomial::zero();
        for coefficient in self.by_power(var).iter().rev() {
            result = result.times(value, b)?.plus(&Rat::from(Int::ONE), coefficient);
        }
        Ok(result)
    }

    /// The sum over all values of variable `var` from `lower` to `upper`, which do not involve it. Where `upper` is
    /// `lower - 1`, the sum is 0.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn sum(&self, var: usize, lower: &Polynomial, upper: &Polynomial, b: &Budget) -> Outcome<Polynomial> {
        let minus_one = Rat::from(Int::from(-1));
        let before = lower.plus(&minus_one, &Polynomial::constant(Rat::from(Int::ONE)));
        let mut total = Polynomial::zero();
        for (power, coefficient) in self.by_power(var).iter().enumerate() {
            let formula = sum_of_powers(power, b)?;
            let range = composed(&formula, upper, b)?.plus(&minus_one, &composed(&formula, &before, b)?);
            total = total.plus(&Rat::from(Int::ONE), &coefficient.times(&range, b)?);
        }
        Ok(total)
    }
}

/// What arithmetic on a number costs.
fn size(number: &Rat) -> u64 {
    number.num().words_on_heap() + number.den().words_on_heap()
}

/// The value of a polynomial in one variable, coefficients of smaller powers first, at another polynomial.
fn composed(coefficients: &[Rat], argument: &Polynomial, b: &Budget) -> Outcome<Polynomial> {
    let mut value = Polynomial::zero();
    for coefficient in coefficients.iter().rev() {
        value = value.times(argument, b)?;
        value.add_term(Vec::new(), coefficient);
    }
    Ok(value)
}

/// The coefficients of `1^k + 2^k + .. + n^k` as a polynomial in `n`, by Faulhaber: with `F(j)` for the power `j`,
/// `(n + 1)^(k + 1) - 1` is the sum of `binomial(k + 1, j) F(j)` over all `j` up to `k`.
fn sum_of_powers(k: usize, b: &Budget) -> Outcome<Vec<Rat>> {
    let mut formulas: Vec<Vec<Rat>> = Vec::new();
    for power in 0..=k {
        b.spend((power * power) as u64)?;
        let binomials = binomials(power + 1);
        let mut formula: Vec<Rat> = binomials.iter().map(|entry| Rat::from(entry.clone())).collect();
        formula[0] = Rat::from(Int::ZERO);
        for (smaller, binomial) in formulas.iter().zip(&binomials) {
            for (entry, other) in formula.iter_mut().zip(smaller) {
                *entry = &*entry - &(other * &Rat::from(binomial.clone()));
            }
        }
        let divisor = Rat::new(Int::ONE, Int::from(power as i64 + 1));
        formulas.push(formula.iter().map(|entry| entry * &divisor).collect());
    }
    Ok(formulas.pop().expect("one for each power"))
}

fn binomials(n: usize) -> Vec<Int> {
    let mut row = zeros(1 + n).to_vec();
    row[0] = Int::ONE;
    for k in 0..n {
        row[k + 1] = (&row[k] * &Int::from((n - k) as i64)).div_exact(&Int::from(k as i64 + 1));
    }
    row
}
