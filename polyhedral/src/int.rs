//! Exact integers.
//!
//! An [`Int`] is a whole number of any size. Nearly all numbers met in polyhedral computations are small, so a value is
//! kept inline as an `i64` and moves to the heap only when it does not fit. The representation is canonical: a value
//! that fits an `i64` is always inline, so that equality, hashing and the fast paths can look at the tag alone.
//!
//! There is no overflow and no rounding. Division by zero is a programmer error and panics.

use dashu_int::IBig;
use dashu_int::ops::{BitTest, DivRem, Gcd};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use std::str::FromStr;

/// A whole number of any size.
#[derive(PartialEq, Eq)]
pub struct Int(Repr);

#[derive(PartialEq, Eq)]
enum Repr {
    Small(i64),
    /// Never a value that fits an `i64`.
    Big(Box<IBig>),
}

use Repr::{Big, Small};

impl Hash for Int {
    /// The tag takes no part: rows of small numbers are keys of maps.
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            Small(value) => state.write_i64(*value),
            Big(value) => value.hash(state),
        }
    }
}

impl Clone for Int {
    #[inline]
    fn clone(&self) -> Self {
        match &self.0 {
            Small(value) => Int(Small(*value)),
            Big(value) => cloned_big(value),
        }
    }
}

/// Out of line, so that copies of rows are short loops.
#[cold]
fn cloned_big(value: &IBig) -> Int {
    Int(Big(Box::new(value.clone())))
}

impl Int {
    /// The number 0.
    pub const ZERO: Int = Int(Small(0));
    /// The number 1.
    pub const ONE: Int = Int(Small(1));

    fn from_big(value: IBig) -> Int {
        match i64::try_from(&value) {
            Ok(small) => Int(Small(small)),
            Err(_) => Int(Big(Box::new(value))),
        }
    }

    fn to_big(&self) -> IBig {
        match &self.0 {
            Small(v) => IBig::from(*v),
            Big(v) => (**v).clone(),
        }
    }

    /// The number of 64-bit words that it has on the heap: 0 for most numbers.
    #[inline]
    pub(crate) fn words_on_heap(&self) -> u64 {
        match &self.0 {
            Small(_) => 0,
            Big(v) => v.bit_len().div_ceil(64) as u64,
        }
    }

    /// Whether this is 0.
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Small(0))
    }

    /// Whether this is 1.
    #[inline]
    pub fn is_one(&self) -> bool {
        matches!(self.0, Small(1))
    }

    /// Whether this is 1 or -1.
    #[inline]
    pub fn is_unit(&self) -> bool {
        matches!(self.0, Small(1 | -1))
    }

    /// Whether this is less than 0.
    #[inline]
    pub fn is_neg(&self) -> bool {
        self.sign() < 0
    }

    /// Whether this is greater than 0.
    #[inline]
    pub fn is_pos(&self) -> bool {
        self.sign() > 0
    }

    /// -1, 0 or 1, as the number is negative, zero or positive.
    #[inline]
    pub fn sign(&self) -> i32 {
        match &self.0 {
            Small(v) => v.signum() as i32,
            Big(v) => match **v < IBig::ZERO {
                true => -1,
                false => 1,
            },
        }
    }

    /// The absolute value.
    pub fn abs(&self) -> Int {
        if self.is_neg() { -self } else { self.clone() }
    }

    /// The quotient rounded towards minus infinity.
    ///
    /// # Panics
    ///
    /// If `divisor` is 0.
    pub fn div_floor(&self, divisor: &Int) -> Int {
        if let (Small(a), Small(b)) = (&self.0, &divisor.0)
            && let Some(quotient) = a.checked_div(*b)
        {
            let inexact = a % b != 0 && (*a < 0) != (*b < 0);
            return Int(Small(quotient - inexact as i64));
        }
        let (quotient, remainder) = self.to_big().div_rem(divisor.to_big());
        let remainder = Int::from_big(remainder);
        let quotient = Int::from_big(quotient);
        if remainder.sign() * divisor.sign() < 0 {
            quotient - Int::ONE
        } else {
            quotient
        }
    }

    /// The quotient rounded towards plus infinity.
    ///
    /// # Panics
    ///
    /// If `divisor` is 0.
    pub fn div_ceil(&self, divisor: &Int) -> Int {
        -(-self).div_floor(divisor)
    }

    /// `self - divisor * self.div_floor(divisor)`: the remainder with the sign of `divisor`.
    ///
    /// # Panics
    ///
    /// If `divisor` is 0.
    #[inline]
    pub fn mod_floor(&self, divisor: &Int) -> Int {
        if let (Small(a), Small(b)) = (&self.0, &divisor.0)
            && let Some(remainder) = a.checked_rem(*b)
        {
            let other_sign = remainder != 0 && (remainder < 0) != (*b < 0);
            return Int(Small(if other_sign { remainder + b } else { remainder }));
        }
        self.mod_floor_in_words(divisor)
    }

    #[cold]
    fn mod_floor_in_words(&self, divisor: &Int) -> Int {
        let remainder = Int::from_big(self.to_big() % divisor.to_big());
        if remainder.sign() * divisor.sign() < 0 {
            remainder + divisor
        } else {
            remainder
        }
    }

    /// The quotient of a division that leaves no remainder.
    /// The result is unspecified if `divisor` does not divide `self`.
    ///
    /// # Panics
    ///
    /// If `divisor` is 0.
    #[inline]
    pub fn div_exact(&self, divisor: &Int) -> Int {
        if let (Small(a), Small(b)) = (&self.0, &divisor.0)
            && let Some(quotient) = a.checked_div(*b)
        {
            return Int(Small(quotient));
        }
        self.div_exact_in_words(divisor)
    }

    #[cold]
    fn div_exact_in_words(&self, divisor: &Int) -> Int {
        Int::from_big(self.to_big() / divisor.to_big())
    }

    /// Whether `self` is a multiple of `divisor`. Only 0 is a multiple of 0.
    pub fn divisible_by(&self, divisor: &Int) -> bool {
        if divisor.is_zero() {
            self.is_zero()
        } else {
            self.mod_floor(divisor).is_zero()
        }
    }

    /// The greatest common divisor, never negative; that of 0 and 0 is 0.
    pub fn gcd(&self, other: &Int) -> Int {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => Int::from(gcd_u64(a.unsigned_abs(), b.unsigned_abs())),
            _ if self.is_zero() => other.abs(),
            _ if other.is_zero() => self.abs(),
            _ => Int::from_big(IBig::from(self.to_big().gcd(other.to_big()))),
        }
    }

    /// The least common multiple, never negative; 0 if either number is 0.
    pub fn lcm(&self, other: &Int) -> Int {
        if self.is_zero() || other.is_zero() {
            return Int::ZERO;
        }
        (self.div_exact(&self.gcd(other)) * other).abs()
    }

    /// `x` in `0 .. modulus` with `self x = 1` modulo `modulus`, which is at least 2; none where the two have a common factor.
    pub fn inverse_modulo(&self, modulus: &Int) -> Option<Int> {
        // self * x = r modulo the modulus, for both pairs (r, x).
        let (mut last, mut next) = ((modulus.clone(), Int::ZERO), (self.mod_floor(modulus), Int::ONE));
        while !next.0.is_zero() {
            let minus = -last.0.div_floor(&next.0);
            last.0.add_mul(&minus, &next.0);
            last.1.add_mul(&minus, &next.1);
            std::mem::swap(&mut last, &mut next);
        }
        last.0.is_one().then(|| last.1.mod_floor(modulus))
    }

    /// The number as an `i64`, if it fits.
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Small(v) => Some(v),
            Big(_) => None,
        }
    }

    /// `self += a * b`.
    #[inline]
    pub fn add_mul(&mut self, a: &Int, b: &Int) {
        if let (Small(s), Small(x), Small(y)) = (&self.0, &a.0, &b.0) {
            if let Some(sum) = x.checked_mul(*y).and_then(|p| p.checked_add(*s)) {
                self.0 = Small(sum);
                return;
            }
            // The product of two i64 plus an i64 always fits an i128.
            *self = Int::from(*x as i128 * *y as i128 + *s as i128);
            return;
        }
        *self += a * b;
    }
}

pub(crate) fn gcd_u64(mut a: u64, mut b: u64) -> u64 {
    if a == 1 || b == 1 {
        return 1;
    }
    if a == 0 || b == 0 {
        return a | b;
    }
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 {
        b >>= b.trailing_zeros();
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        b -= a;
    }
    a << shift
}

impl Default for Int {
    fn default() -> Self {
        Int::ZERO
    }
}

macro_rules! from_small {
    ($($t:ty),*) => {$(
        impl From<$t> for Int {
            #[inline]
            fn from(value: $t) -> Int {
                Int(Small(value.into()))
            }
        }
    )*};
}
from_small!(i64, i32, u32, bool);

macro_rules! from_wide {
    ($($t:ty),*) => {$(
        impl From<$t> for Int {
            fn from(value: $t) -> Int {
                match i64::try_from(value) {
                    Ok(small) => Int(Small(small)),
                    Err(_) => Int(Big(Box::new(IBig::from(value)))),
                }
            }
        }
    )*};
}
from_wide!(u64, usize, i128, u128);

macro_rules! binary_operator {
    ($Op:ident, $op:ident, $OpAssign:ident, $op_assign:ident, $checked:ident) => {
        impl $Op<&Int> for &Int {
            type Output = Int;
            #[inline]
            fn $op(self, other: &Int) -> Int {
                if let (Small(a), Small(b)) = (&self.0, &other.0) {
                    if let Some(result) = a.$checked(*b) {
                        return Int(Small(result));
                    }
                }
                #[cold]
                fn in_words(a: &Int, b: &Int) -> Int {
                    Int::from_big(a.to_big().$op(b.to_big()))
                }
                in_words(self, other)
            }
        }
        impl $Op<Int> for Int {
            type Output = Int;
            #[inline]
            fn $op(self, other: Int) -> Int {
                (&self).$op(&other)
            }
        }
        impl $Op<&Int> for Int {
            type Output = Int;
            #[inline]
            fn $op(self, other: &Int) -> Int {
                (&self).$op(other)
            }
        }
        impl $Op<Int> for &Int {
            type Output = Int;
            #[inline]
            fn $op(self, other: Int) -> Int {
                self.$op(&other)
            }
        }
        impl $OpAssign<&Int> for Int {
            #[inline]
            fn $op_assign(&mut self, other: &Int) {
                *self = (&*self).$op(other);
            }
        }
        impl $OpAssign<Int> for Int {
            #[inline]
            fn $op_assign(&mut self, other: Int) {
                *self = (&*self).$op(&other);
            }
        }
    };
}
binary_operator!(Add, add, AddAssign, add_assign, checked_add);
binary_operator!(Sub, sub, SubAssign, sub_assign, checked_sub);
binary_operator!(Mul, mul, MulAssign, mul_assign, checked_mul);

impl Neg for &Int {
    type Output = Int;
    #[inline]
    fn neg(self) -> Int {
        match &self.0 {
            Small(v) => match v.checked_neg() {
                Some(negated) => Int(Small(negated)),
                None => Int::from(-(*v as i128)),
            },
            Big(v) => Int::from_big(-(**v).clone()),
        }
    }
}

impl Neg for Int {
    type Output = Int;
    #[inline]
    fn neg(self) -> Int {
        -&self
    }
}

impl Ord for Int {
    #[inline]
    fn cmp(&self, other: &Int) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => a.cmp(b),
            (Big(a), Big(b)) => a.cmp(b),
            // A big number is beyond every small one, on the side of its sign.
            (Small(_), Big(_)) => 0.cmp(&other.sign()),
            (Big(_), Small(_)) => self.sign().cmp(&0),
        }
    }
}

impl PartialOrd for Int {
    #[inline]
    fn partial_cmp(&self, other: &Int) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq<i64> for Int {
    #[inline]
    fn eq(&self, other: &i64) -> bool {
        self.0 == Small(*other)
    }
}

impl PartialOrd<i64> for Int {
    #[inline]
    fn partial_cmp(&self, other: &i64) -> Option<Ordering> {
        Some(self.cmp(&Int::from(*other)))
    }
}

impl std::iter::Sum for Int {
    fn sum<I: Iterator<Item = Int>>(terms: I) -> Int {
        terms.fold(Int::ZERO, |sum, term| sum + term)
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(v) => fmt::Display::fmt(v, f),
            Big(v) => fmt::Display::fmt(v, f),
        }
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not an optional sign followed by decimal digits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a whole number")]
pub struct ParseIntError;

impl FromStr for Int {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Int, ParseIntError> {
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(ParseIntError);
        }
        if let Ok(small) = text.parse::<i64>() {
            return Ok(Int(Small(small)));
        }
        IBig::from_str(text).map(Int::from_big).map_err(|_| ParseIntError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Numbers that crowd around the edge between the representations, and small ones.
    fn edgy() -> impl Strategy<Value = i128> {
        let edges = prop_oneof![
            Just(0i128),
            Just(i64::MAX as i128),
            Just(i64::MIN as i128),
            Just(1 << 40)
        ];
        prop_oneof![
            (edges, -3i128..4).prop_map(|(e, d)| e + d),
            any::<i64>().prop_map(i128::from),
            -20i128..20
        ]
    }

    fn assert_canonical(value: &Int) {
        if let Big(big) = &value.0 {
            assert!(i64::try_from(&**big).is_err(), "{value} is small but boxed");
        }
    }

    proptest! {
        #[test]
        fn arithmetic_agrees_with_i128(a in edgy(), b in edgy(), c in edgy()) {
            let (x, y, z) = (Int::from(a), Int::from(b), Int::from(c));
            for (got, want) in [(&x + &y, a + b), (&x - &y, a - b), (-&x, -a), (x.abs(), a.abs())] {
                assert_canonical(&got);
                prop_assert_eq!(got, Int::from(want));
            }
            let big = |v: i128| IBig::from(v);
            let product = &x * &y;
            assert_canonical(&product);
            prop_assert_eq!(product.to_big(), big(a) * big(b));
            let mut sum = z.clone();
            sum.add_mul(&x, &y);
            assert_canonical(&sum);
            prop_assert_eq!(sum.to_big(), big(a) * big(b) + big(c));
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            prop_assert_eq!(x == y, a == b);
            prop_assert_eq!(x.sign() as i128, a.signum());
        }

        #[test]
        fn division_agrees_with_i128(a in edgy(), b in edgy()) {
            prop_assume!(b != 0);
            let (x, y) = (Int::from(a), Int::from(b));
            let remainder = ((a % b) + b) % b;
            let quotient = (a - remainder) / b;
            prop_assert_eq!(x.div_floor(&y), Int::from(quotient));
            prop_assert_eq!(x.mod_floor(&y), Int::from(remainder));
            prop_assert_eq!(x.div_ceil(&y), Int::from(if remainder == 0 { quotient } else { quotient + 1 }));
            prop_assert_eq!(x.divisible_by(&y), remainder == 0);
            prop_assert_eq!((&x * &y).div_exact(&y), x.clone());
            let gcd = num_integer::gcd(a, b);
            prop_assert_eq!(x.gcd(&y), Int::from(gcd));
            prop_assert_eq!(x.lcm(&y), (Int::from(a / gcd) * &y).abs());
        }

        #[test]
        fn text_round_trips(a in any::<i128>()) {
            let x = Int::from(a);
            prop_assert_eq!(x.to_string(), a.to_string());
            prop_assert_eq!(x.to_string().parse::<Int>(), Ok(x));
        }
    }

    #[test]
    fn malformed_text_is_refused() {
        for text in ["", "-", "+", "1 ", "0x1", "1_0", "--1"] {
            assert_eq!(text.parse::<Int>(), Err(ParseIntError), "{text:?}");
        }
    }
}
