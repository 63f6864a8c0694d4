//! Rational numbers.

use crate::int::Int;
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};
use std::str::FromStr;

/// A rational number `num / den` in lowest terms, `den > 0`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Rat {
    num: Int,
    den: Int,
}

impl Rat {
    /// The number `num / den`.
    ///
    /// # Panics
    ///
    /// If `den` is 0.
    pub fn new(num: Int, den: Int) -> Rat {
        assert!(!den.is_zero(), "a fraction with denominator 0");
        let gcd = num.gcd(&den);
        let gcd = if den.is_neg() { -gcd } else { gcd };
        Rat {
            num: num.div_exact(&gcd),
            den: den.div_exact(&gcd),
        }
    }

    /// The numerator, which has the sign of the number.
    pub fn num(&self) -> &Int {
        &self.num
    }

    /// The denominator, positive.
    pub fn den(&self) -> &Int {
        &self.den
    }

    /// Whether this is 0.
    pub fn is_zero(&self) -> bool {
        self.num.is_zero()
    }

    /// -1, 0 or 1, as the number is negative, zero or positive.
    pub fn sign(&self) -> i32 {
        self.num.sign()
    }

    /// The number if it is an integer.
    pub fn as_int(&self) -> Option<&Int> {
        self.den.is_one().then_some(&self.num)
    }

    /// The largest integer that is not larger.
    pub fn floor(&self) -> Int {
        self.num.div_floor(&self.den)
    }

    /// The smallest integer that is not smaller.
    pub fn ceil(&self) -> Int {
        self.num.div_ceil(&self.den)
    }

    /// The number without its sign.
    pub fn abs(&self) -> Rat {
        Rat {
            num: self.num.abs(),
            den: self.den.clone(),
        }
    }

    /// The reciprocal; none of 0.
    pub fn recip(&self) -> Option<Rat> {
        (!self.is_zero()).then(|| Rat::new(self.den.clone(), self.num.clone()))
    }

    /// The quotient; none if `divisor` is 0.
    pub fn checked_div(&self, divisor: &Rat) -> Option<Rat> {
        divisor.recip().map(|recip| self * &recip)
    }
}

impl From<Int> for Rat {
    fn from(num: Int) -> Rat {
        Rat { num, den: Int::ONE }
    }
}

impl Add for &Rat {
    type Output = Rat;
    fn add(self, other: &Rat) -> Rat {
        Rat::new(&self.num * &other.den + &other.num * &self.den, &self.den * &other.den)
    }
}

impl Sub for &Rat {
    type Output = Rat;
    fn sub(self, other: &Rat) -> Rat {
        self + &-other
    }
}

impl Mul for &Rat {
    type Output = Rat;
    fn mul(self, other: &Rat) -> Rat {
        Rat::new(&self.num * &other.num, &self.den * &other.den)
    }
}

impl Neg for &Rat {
    type Output = Rat;
    fn neg(self) -> Rat {
        Rat {
            num: -&self.num,
            den: self.den.clone(),
        }
    }
}

impl Ord for Rat {
    fn cmp(&self, other: &Rat) -> Ordering {
        (&self.num * &other.den).cmp(&(&other.num * &self.den))
    }
}

impl PartialOrd for Rat {
    fn partial_cmp(&self, other: &Rat) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Rat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_int() {
            Some(value) => write!(f, "{value}"),
            None => write!(f, "{}/{}", self.num, self.den),
        }
    }
}

/// The text is no fraction of decimal integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a fraction of integers such as -7/3")]
pub struct ParseRatError;

impl FromStr for Rat {
    type Err = ParseRatError;

    /// Reads `num` or `num/den`.
    fn from_str(text: &str) -> Result<Rat, ParseRatError> {
        let int = |text: &str| text.trim().parse::<Int>().map_err(|_| ParseRatError);
        match text.split_once('/') {
            None => Ok(Rat::from(int(text)?)),
            Some((num, den)) => {
                let den = int(den)?;
                if den.is_zero() {
                    return Err(ParseRatError);
                }
                Ok(Rat::new(int(num)?, den))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rat(text: &str) -> Rat {
        text.parse().unwrap()
    }

    #[test]
    fn arithmetic() {
        assert_eq!(rat("6/-4").to_string(), "-3/2");
        assert_eq!(&rat("1/2") + &rat("1/3"), rat("5/6"));
        assert_eq!(&rat("1/2") - &rat("1/2"), rat("0"));
        assert_eq!(&rat("-2/3") * &rat("9/4"), rat("-3/2"));
        assert_eq!(rat("1").checked_div(&rat("-2/3")), Some(rat("-3/2")));
        assert_eq!(rat("1").checked_div(&rat("0")), None);
        assert_eq!(
            (rat("-7/2").floor(), rat("-7/2").ceil()),
            (Int::from(-4), Int::from(-3))
        );
        assert!(rat("-1/3") > rat("-1/2") && rat("2/4") == rat("1/2"));
        assert_eq!(rat("8/4").as_int(), Some(&Int::from(2)));
        assert_eq!((rat("-5/3").abs(), rat("-5/3").sign()), (rat("5/3"), -1));
        assert!("1/0".parse::<Rat>().is_err() && "x".parse::<Rat>().is_err());
    }
}
