//! Quasi-affine expressions over parameters and loop iterators, the only arithmetic in an AST.

use crate::int::Int;

/// A parameter, by its position in the AST's parameter list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParamId(pub usize);

/// A loop iterator. Every loop of an AST has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IterId(pub usize);

/// What a term of a [`Quasi`] multiplies.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atom {
    /// The value of a parameter.
    Param(ParamId),
    /// The value of a loop iterator.
    Iter(IterId),
    /// `floor(numerator / denominator)`, the denominator at least 2.
    Quotient(Box<Quasi>, Int, Division),
    /// `numerator mod denominator`, the denominator at least 2. The numerator is promised not to be negative where this is
    /// evaluated, so that it is the remainder of all languages.
    Remainder(Box<Quasi>, Int),
}

/// What is promised of a division where it is evaluated. Rounding down takes more than rounding towards zero, which is what
/// machines do; where a promise makes the two agree, it is worth something (P1 section 4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Division {
    /// Nothing: it rounds down.
    Floor,
    /// The numerator is not negative.
    NonNegative,
    /// The numerator is a multiple of the denominator.
    Exact,
}

/// A quasi-affine expression `constant + sum of coefficient * atom`.
///
/// Terms are sorted by atom, have non-zero coefficients and distinct atoms, so that equal values built in different
/// ways compare equal where the form allows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quasi {
    terms: Vec<(Atom, Int)>,
    constant: Int,
}

impl Quasi {
    /// A constant.
    pub fn constant(value: impl Into<Int>) -> Self {
        Quasi {
            terms: Vec::new(),
            constant: value.into(),
        }
    }

    /// The value of a parameter.
    pub fn param(id: ParamId) -> Self {
        Quasi::atom(Atom::Param(id))
    }

    /// The value of a loop iterator.
    pub fn iter(id: IterId) -> Self {
        Quasi::atom(Atom::Iter(id))
    }

    /// One atom.
    pub fn atom(atom: Atom) -> Self {
        Quasi {
            terms: vec![(atom, Int::ONE)],
            constant: Int::ZERO,
        }
    }

    /// The terms, sorted by atom.
    pub fn terms(&self) -> &[(Atom, Int)] {
        &self.terms
    }

    /// The constant term.
    pub fn constant_term(&self) -> &Int {
        &self.constant
    }

    /// The value, if there are no terms.
    pub fn as_constant(&self) -> Option<&Int> {
        self.terms.is_empty().then_some(&self.constant)
    }

    /// `self += factor * other`.
    pub fn add_scaled(&mut self, factor: &Int, other: &Quasi) {
        if factor.is_zero() {
            return;
        }
        self.constant.add_mul(factor, &other.constant);
        for (atom, coefficient) in &other.terms {
            match self.terms.binary_search_by(|(a, _)| a.cmp(atom)) {
                Ok(at) => {
                    self.terms[at].1.add_mul(factor, coefficient);
                    if self.terms[at].1.is_zero() {
                        self.terms.remove(at);
                    }
                }
                Err(at) => self.terms.insert(at, (atom.clone(), factor * coefficient)),
            }
        }
    }

    /// `self + value`.
    pub fn plus(mut self, value: impl Into<Int>) -> Self {
        self.constant += &value.into();
        self
    }

    /// `factor * self`.
    pub fn scaled(&self, factor: &Int) -> Self {
        let mut result = Quasi::default();
        result.add_scaled(factor, self);
        result
    }

    /// `floor(self / denominator)` for a positive denominator.
    ///
    /// What is divisible leaves the floor: `floor((4 i + 5) / 4)` becomes `i + 1`, which keeps generated divisions to
    /// those that are needed.
    pub fn floor_div(&self, denominator: &Int) -> Self {
        assert!(denominator.is_pos(), "floor division by a positive integer");
        let mut outside = Quasi::constant(self.constant.div_floor(denominator));
        let mut inside = Quasi::constant(self.constant.mod_floor(denominator));
        for (atom, coefficient) in &self.terms {
            let term = Quasi::atom(atom.clone());
            // Rounded towards zero, so that what stays inside keeps its sign and is small.
            let multiple = match coefficient.is_neg() {
                true => -coefficient.abs().div_floor(denominator),
                false => coefficient.div_floor(denominator),
            };
            outside.add_scaled(&multiple, &term);
            inside.add_scaled(&(coefficient - &(&multiple * denominator)), &term);
        }
        if inside.terms.is_empty() {
            return outside;
        }
        let mut common = denominator.clone();
        for (_, coefficient) in &inside.terms {
            common = common.gcd(coefficient);
        }
        // All terms are multiples of `common`, so the constant's remainder modulo it never reaches the next multiple.
        let mut numerator = Quasi::constant(inside.constant.div_floor(&common));
        numerator.terms = inside
            .terms
            .iter()
            .map(|(a, c)| (a.clone(), c.div_exact(&common)))
            .collect();
        let denominator = denominator.div_exact(&common);
        if denominator.is_one() {
            outside.add_scaled(&Int::ONE, &numerator);
        } else {
            let floor = Atom::Quotient(Box::new(numerator), denominator, Division::Floor);
            outside.add_scaled(&Int::ONE, &Quasi::atom(floor));
        }
        outside
    }

    /// `ceil(self / denominator)` for a positive denominator.
    pub fn ceil_div(&self, denominator: &Int) -> Self {
        self.clone().plus(denominator - &Int::ONE).floor_div(denominator)
    }

    /// Whether the iterator occurs, also inside divisions.
    pub fn mentions(&self, iter: IterId) -> bool {
        self.terms.iter().any(|(atom, _)| match atom {
            Atom::Iter(id) => *id == iter,
            Atom::Quotient(numerator, ..) | Atom::Remainder(numerator, _) => numerator.mentions(iter),
            Atom::Param(_) => false,
        })
    }

    /// Whether no iterator occurs.
    pub fn is_invariant(&self) -> bool {
        self.terms.iter().all(|(atom, _)| match atom {
            Atom::Iter(_) => false,
            Atom::Quotient(numerator, ..) | Atom::Remainder(numerator, _) => numerator.is_invariant(),
            Atom::Param(_) => true,
        })
    }

    /// The expression with another one in place of an iterator; `None` where that occurs inside divisions.
    pub fn with_iter(&self, iter: IterId, value: &Quasi) -> Option<Quasi> {
        let own = self.terms.iter().find(|(atom, _)| *atom == Atom::Iter(iter));
        let factor = own.map_or(Int::ZERO, |(_, factor)| factor.clone());
        let mut replaced = self.clone();
        replaced.add_scaled(&-&factor, &Quasi::iter(iter));
        if replaced.mentions(iter) {
            return None;
        }
        replaced.add_scaled(&factor, value);
        Some(replaced)
    }

    /// The terms with positive coefficients, and those with negative ones negated; the constant where it is positive. What
    /// a comparison `self >= 0` has on its two sides.
    pub(crate) fn sides(&self) -> (Quasi, Quasi) {
        let mut sides = (Quasi::default(), Quasi::default());
        for (atom, coefficient) in &self.terms {
            let side = if coefficient.is_pos() {
                &mut sides.0
            } else {
                &mut sides.1
            };
            side.terms.push((atom.clone(), coefficient.abs()));
        }
        // A side without terms has the constant.
        let left = match (sides.0.terms.is_empty(), sides.1.terms.is_empty()) {
            (false, true) => false,
            (true, false) => true,
            _ => self.constant.is_pos(),
        };
        if left {
            sides.0.constant = self.constant.clone();
        } else {
            sides.1.constant = -&self.constant;
        }
        sides
    }

    /// The number of arithmetic operators in the C text.
    pub fn operators(&self) -> usize {
        let parts = self.terms.len() + usize::from(!self.constant.is_zero());
        let negative = self.terms.iter().all(|(_, c)| c.is_neg()) && !self.constant.is_pos() && !self.terms.is_empty();
        let of_term = |(atom, coefficient): &(Atom, Int)| {
            let factor = usize::from(!coefficient.abs().is_one());
            let inside = match atom {
                Atom::Param(_) | Atom::Iter(_) => 0,
                Atom::Quotient(numerator, ..) | Atom::Remainder(numerator, _) => 1 + numerator.operators(),
            };
            factor + inside
        };
        parts.saturating_sub(1) + usize::from(negative) + self.terms.iter().map(of_term).sum::<usize>()
    }
}
