//! Polynomials with rational coefficients, and their sums.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::Rat;
use std::collections::BTreeMap;

/// A polynomial in the dimensions of a polyhedron. A monomial is the exponent of each dimension, without zeros at the end.
#[derive(Clone, Debug)]
pub(super) struct Polynomial(BTreeMap<Vec<u32>, Rat>);

impl Polynomial {
    pub(super) fn constant(value: Rat) -> Polynomial {
        let mut polynomial = Polynomial(BTreeMap::new());
        polynomial.add(Vec::new(), &value);
        polynomial
    }

    /// An affine row `[constant, coefficients of dimensions]`.
    fn affine(row: &[Int]) -> Polynomial {
        let mut polynomial = Polynomial::constant(Rat::from(row[0].clone()));
        for (dim, coefficient) in row[1..].iter().enumerate() {
            let mut monomial = vec![0; dim];
            monomial.push(1);
            polynomial.add(monomial, &Rat::from(coefficient.clone()));
        }
        polynomial
    }

    fn add(&mut self, monomial: Vec<u32>, coefficient: &Rat) {
        let entry = self.0.entry(monomial).or_insert_with(|| Rat::from(Int::ZERO));
        *entry = &*entry + coefficient;
        self.0.retain(|_, coefficient| !coefficient.is_zero());
    }

    fn times(&self, other: &Polynomial, b: &Budget) -> Outcome<Polynomial> {
        let mut product = Polynomial(BTreeMap::new());
        for (one, factor) in &self.0 {
            for (two, other) in &other.0 {
                b.spend(1)?;
                let exponent = |dim: usize| one.get(dim).unwrap_or(&0) + two.get(dim).unwrap_or(&0);
                let monomial = (0..one.len().max(two.len())).map(exponent).collect();
                product.add(monomial, &(factor * other));
            }
        }
        Ok(product)
    }

    /// The value of a polynomial without dimensions.
    pub(super) fn value(&self) -> Rat {
        debug_assert!(self.0.keys().all(Vec::is_empty), "a constant");
        self.0.get(&Vec::new()).cloned().unwrap_or_else(|| Rat::from(Int::ZERO))
    }

    /// The sum over dimension `last`, the last one, from one affine row to another one over the others.
    pub(super) fn sum_of_last(&self, last: usize, lower: &[Int], upper: &[Int], b: &Budget) -> Outcome<Polynomial> {
        let mut before: Vec<Int> = lower.to_vec();
        before[0] = &before[0] - &Int::ONE;
        let (before, upper) = (Polynomial::affine(&before), Polynomial::affine(upper));
        let mut sum = Polynomial(BTreeMap::new());
        for (monomial, coefficient) in &self.0 {
            let power = monomial.get(last).copied().unwrap_or(0) as usize;
            let formula = sum_of_powers(power);
            let (to_upper, to_lower) = (composed(&formula, &upper, b)?, composed(&formula, &before, b)?);
            let mut outer: Vec<u32> = monomial[..monomial.len().min(last)].to_vec();
            while outer.last() == Some(&0) {
                outer.pop();
            }
            let outer = Polynomial(BTreeMap::from([(outer, coefficient.clone())]));
            for (part, sign) in [(to_upper, 1), (to_lower, -1)] {
                for (monomial, coefficient) in outer.times(&part, b)?.0 {
                    sum.add(monomial, &(&coefficient * &Rat::from(Int::from(sign))));
                }
            }
        }
        Ok(sum)
    }
}

/// The value of a polynomial in one variable, coefficients of smaller powers first, for another polynomial.
fn composed(coefficients: &[Rat], argument: &Polynomial, b: &Budget) -> Outcome<Polynomial> {
    let mut value = Polynomial(BTreeMap::new());
    for coefficient in coefficients.iter().rev() {
        value = value.times(argument, b)?;
        value.add(Vec::new(), coefficient);
    }
    Ok(value)
}

/// The coefficients of `1^k + 2^k + .. + n^k` as a polynomial in `n`, by Faulhaber: with `F(j)` for the power `j`,
/// `(n + 1)^(k + 1) - 1` is the sum of `binomial(k + 1, j) F(j)` over all `j` up to `k`.
fn sum_of_powers(k: usize) -> Vec<Rat> {
    let mut formulas: Vec<Vec<Rat>> = Vec::new();
    for power in 0..=k {
        let binomials = binomials(power + 1);
        let mut formula: Vec<Rat> = binomials.iter().map(|entry| Rat::from(Int::from(*entry))).collect();
        formula[0] = Rat::from(Int::ZERO);
        for (smaller, binomial) in formulas.iter().zip(&binomials) {
            for (entry, other) in formula.iter_mut().zip(smaller) {
                *entry = &*entry - &(other * &Rat::from(Int::from(*binomial)));
            }
        }
        let divisor = Rat::new(Int::ONE, Int::from(power as i64 + 1));
        formulas.push(formula.iter().map(|entry| entry * &divisor).collect());
    }
    formulas.pop().expect("one for each power")
}

fn binomials(n: usize) -> Vec<i64> {
    let mut row = vec![1];
    for k in 0..n {
        row.push(row[k] * (n - k) as i64 / (k as i64 + 1));
    }
    row
}
