//! The numbers of a tableau: `i64` with every overflow noticed, or [`Int`].

use crate::int::{Int, gcd_u64};
use std::cmp::Ordering;

/// A result does not fit the narrow numbers: the computation has to be done again with wide ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Overflow;

/// What a tableau computes with. An operation that may leave the range of the type says so.
pub(super) trait Number: Clone + PartialEq + Sized {
    const ZERO: Self;
    const ONE: Self;
    fn narrow(value: &Int) -> Result<Self, Overflow>;
    fn to_int(&self) -> Int;
    /// -1, 0 or 1.
    fn sign(&self) -> i32;
    fn is_one(&self) -> bool;
    fn times(&self, other: &Self) -> Result<Self, Overflow>;
    /// `a * x + b * y`.
    fn combine(a: &Self, x: &Self, b: &Self, y: &Self) -> Result<Self, Overflow>;
    fn negated(&self) -> Self;
    /// Never negative.
    fn gcd(&self, other: &Self) -> Self;
    /// The quotient of a division that leaves no remainder.
    fn div_exact(&self, divisor: &Self) -> Self;
    /// The remainder of a division by a positive number, from 0 on.
    fn remainder(&self, divisor: &Self) -> Self;
    /// Compares `a * b` to `c * d`.
    fn compare_products(a: &Self, b: &Self, c: &Self, d: &Self) -> Ordering;
    /// The number of words on the heap, which make arithmetic slow.
    fn words_on_heap(&self) -> u64;
    /// The absolute value, or one less, where operations may overflow; 0 where they do not.
    fn magnitude(&self) -> u64;
    /// `self *= factor`. Whoever calls it knows that there is no overflow.
    fn scale(&mut self, factor: &Self);
    /// `self += a * b`. Whoever calls it knows that there is no overflow.
    fn add_product(&mut self, a: &Self, b: &Self);
    /// `row += factor * other`, entry by entry. Whoever calls it knows that there is no overflow.
    fn add_multiple(row: &mut [Self], factor: &Self, other: &[Self]) {
        for (x, y) in row.iter_mut().zip(other) {
            x.add_product(factor, y);
        }
    }

    fn is_zero(&self) -> bool {
        self.sign() == 0
    }

    fn is_neg(&self) -> bool {
        self.sign() < 0
    }

    fn is_pos(&self) -> bool {
        self.sign() > 0
    }

    fn abs(&self) -> Self {
        if self.is_neg() { self.negated() } else { self.clone() }
    }
}

/// `i64::MIN` counts as overflow, so that all values have a negation.
impl Number for i64 {
    const ZERO: i64 = 0;
    const ONE: i64 = 1;

    #[inline]
    fn words_on_heap(&self) -> u64 {
        0
    }

    #[inline]
    fn magnitude(&self) -> u64 {
        (*self ^ (*self >> 63)) as u64
    }

    #[inline]
    fn scale(&mut self, factor: &i64) {
        *self = self.wrapping_mul(*factor);
    }

    #[inline]
    fn add_product(&mut self, a: &i64, b: &i64) {
        *self = self.wrapping_add(a.wrapping_mul(*b));
    }

    #[inline]
    fn add_multiple(row: &mut [i64], factor: &i64, other: &[i64]) {
        let both = row.iter_mut().zip(other);
        // Most factors are 1 or -1: sums are computed two at a time.
        match *factor {
            1 => both.for_each(|(x, y)| *x = x.wrapping_add(*y)),
            -1 => both.for_each(|(x, y)| *x = x.wrapping_sub(*y)),
            factor => both.for_each(|(x, y)| *x = x.wrapping_add(factor.wrapping_mul(*y))),
        }
    }

    #[inline]
    fn narrow(value: &Int) -> Result<i64, Overflow> {
        value.to_i64().filter(|v| *v != i64::MIN).ok_or(Overflow)
    }

    #[inline]
    fn to_int(&self) -> Int {
        Int::from(*self)
    }

    #[inline]
    fn sign(&self) -> i32 {
        self.signum() as i32
    }

    #[inline]
    fn is_one(&self) -> bool {
        *self == 1
    }

    #[inline]
    fn times(&self, other: &i64) -> Result<i64, Overflow> {
        self.checked_mul(*other).filter(|v| *v != i64::MIN).ok_or(Overflow)
    }

    #[inline]
    fn combine(a: &i64, x: &i64, b: &i64, y: &i64) -> Result<i64, Overflow> {
        let sum = a.checked_mul(*x).and_then(|p| p.checked_add(b.checked_mul(*y)?));
        sum.filter(|v| *v != i64::MIN).ok_or(Overflow)
    }

    #[inline]
    fn negated(&self) -> i64 {
        -self
    }

    #[inline]
    fn gcd(&self, other: &i64) -> i64 {
        gcd_u64(self.unsigned_abs(), other.unsigned_abs()) as i64
    }

    #[inline]
    fn div_exact(&self, divisor: &i64) -> i64 {
        self / divisor
    }

    #[inline]
    fn remainder(&self, divisor: &i64) -> i64 {
        self.rem_euclid(*divisor)
    }

    #[inline]
    fn compare_products(a: &i64, b: &i64, c: &i64, d: &i64) -> Ordering {
        (*a as i128 * *b as i128).cmp(&(*c as i128 * *d as i128))
    }
}

impl Number for Int {
    const ZERO: Int = Int::ZERO;
    const ONE: Int = Int::ONE;

    #[inline]
    fn words_on_heap(&self) -> u64 {
        Int::words_on_heap(self)
    }

    fn magnitude(&self) -> u64 {
        0
    }

    fn scale(&mut self, factor: &Int) {
        if !self.is_zero() {
            *self *= factor;
        }
    }

    fn add_product(&mut self, a: &Int, b: &Int) {
        if !b.is_zero() {
            self.add_mul(a, b);
        }
    }

    fn narrow(value: &Int) -> Result<Int, Overflow> {
        Ok(value.clone())
    }

    fn to_int(&self) -> Int {
        self.clone()
    }

    fn sign(&self) -> i32 {
        Int::sign(self)
    }

    fn is_one(&self) -> bool {
        Int::is_one(self)
    }

    fn times(&self, other: &Int) -> Result<Int, Overflow> {
        Ok(self * other)
    }

    fn combine(a: &Int, x: &Int, b: &Int, y: &Int) -> Result<Int, Overflow> {
        let mut sum = a * x;
        sum.add_mul(b, y);
        Ok(sum)
    }

    fn negated(&self) -> Int {
        -self
    }

    fn gcd(&self, other: &Int) -> Int {
        Int::gcd(self, other)
    }

    fn div_exact(&self, divisor: &Int) -> Int {
        Int::div_exact(self, divisor)
    }

    fn remainder(&self, divisor: &Int) -> Int {
        self.mod_floor(divisor)
    }

    fn compare_products(a: &Int, b: &Int, c: &Int, d: &Int) -> Ordering {
        (a * b).cmp(&(c * d))
    }
}
