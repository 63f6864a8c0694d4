//! Quasi-affine expressions over parameters and loop iterators, the only arithmetic in an AST.

use std::fmt;

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
    /// `floor(numerator / denominator)`, the denominator positive and at least 2.
    Floor(Box<Quasi>, Int),
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
        Quasi {
            terms: vec![(Atom::Param(id), Int::ONE)],
            constant: Int::ZERO,
        }
    }

    /// The value of a loop iterator.
    pub fn iter(id: IterId) -> Self {
        Quasi {
            terms: vec![(Atom::Iter(id), Int::ONE)],
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
            let term = Quasi {
                terms: vec![(atom.clone(), Int::ONE)],
                constant: Int::ZERO,
            };
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
            let floor = Quasi {
                terms: vec![(Atom::Floor(Box::new(numerator), denominator), Int::ONE)],
                constant: Int::ZERO,
            };
            outside.add_scaled(&Int::ONE, &floor);
        }
        outside
    }

    /// `ceil(self / denominator)` for a positive denominator.
    pub fn ceil_div(&self, denominator: &Int) -> Self {
        self.clone().plus(denominator - &Int::ONE).floor_div(denominator)
    }

    /// The value under an assignment of parameters and iterators.
    pub fn evaluate(&self, value_of: &dyn Fn(&Atom) -> Int) -> Int {
        let mut result = self.constant.clone();
        for (atom, coefficient) in &self.terms {
            let value = match atom {
                Atom::Floor(numerator, denominator) => numerator.evaluate(value_of).div_floor(denominator),
                other => value_of(other),
            };
            result.add_mul(coefficient, &value);
        }
        result
    }

    /// Whether the iterator occurs, also inside divisions.
    pub fn mentions(&self, iter: IterId) -> bool {
        self.terms.iter().any(|(atom, _)| match atom {
            Atom::Iter(id) => *id == iter,
            Atom::Floor(numerator, _) => numerator.mentions(iter),
            Atom::Param(_) => false,
        })
    }
}

/// A loop bound: quasi-affine expressions under minimum and maximum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A quasi-affine expression.
    Quasi(Quasi),
    /// The least of at least two.
    Min(Vec<Expr>),
    /// The greatest of at least two.
    Max(Vec<Expr>),
}

impl Expr {
    /// The least of the operands, of which there is at least one.
    pub fn min(operands: Vec<Expr>) -> Expr {
        Expr::reduce(operands, Expr::Min)
    }

    /// The greatest of the operands, of which there is at least one.
    pub fn max(operands: Vec<Expr>) -> Expr {
        Expr::reduce(operands, Expr::Max)
    }

    fn reduce(operands: Vec<Expr>, combine: fn(Vec<Expr>) -> Expr) -> Expr {
        assert!(!operands.is_empty(), "a minimum or maximum of nothing");
        let mut distinct: Vec<Expr> = Vec::with_capacity(operands.len());
        for operand in operands {
            if !distinct.contains(&operand) {
                distinct.push(operand);
            }
        }
        match distinct.len() {
            1 => distinct.remove(0),
            _ => combine(distinct),
        }
    }

    /// The value under an assignment of parameters and iterators.
    pub fn evaluate(&self, value_of: &dyn Fn(&Atom) -> Int) -> Int {
        let all = |operands: &[Expr]| operands.iter().map(|e| e.evaluate(value_of)).collect::<Vec<_>>();
        match self {
            Expr::Quasi(quasi) => quasi.evaluate(value_of),
            Expr::Min(operands) => all(operands).into_iter().min().expect("minimum of nothing"),
            Expr::Max(operands) => all(operands).into_iter().max().expect("maximum of nothing"),
        }
    }

    /// Whether the iterator occurs.
    pub fn mentions(&self, iter: IterId) -> bool {
        match self {
            Expr::Quasi(quasi) => quasi.mentions(iter),
            Expr::Min(operands) | Expr::Max(operands) => operands.iter().any(|e| e.mentions(iter)),
        }
    }
}

/// A condition on a quasi-affine expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The expression is at least zero.
    NonNegative(Quasi),
    /// The expression is zero.
    Zero(Quasi),
}

impl Condition {
    /// Whether it holds under an assignment of parameters and iterators.
    pub fn holds(&self, value_of: &dyn Fn(&Atom) -> Int) -> bool {
        match self {
            Condition::NonNegative(quasi) => !quasi.evaluate(value_of).is_neg(),
            Condition::Zero(quasi) => quasi.evaluate(value_of).is_zero(),
        }
    }

    /// The expression that is compared with zero.
    pub fn quasi(&self) -> &Quasi {
        match self {
            Condition::NonNegative(quasi) | Condition::Zero(quasi) => quasi,
        }
    }
}

/// How names of parameters and iterators are written.
pub(crate) trait Names {
    /// The name of a parameter.
    fn param(&self, id: ParamId) -> String;
    /// The name of an iterator.
    fn iter(&self, id: IterId) -> String;
}

/// Writes `sum of terms`, positive terms first, as C without the need for parentheses around any term.
pub(crate) fn write_quasi(out: &mut impl fmt::Write, quasi: &Quasi, names: &dyn Names) -> fmt::Result {
    let mut first = true;
    let positive = quasi.terms.iter().filter(|(_, c)| c.is_pos());
    let negative = quasi.terms.iter().filter(|(_, c)| c.is_neg());
    let constant_leads = quasi.constant.is_pos() && quasi.terms.iter().all(|(_, c)| c.is_neg());
    if constant_leads {
        write!(out, "{}", quasi.constant)?;
        first = false;
    }
    for (atom, coefficient) in positive.chain(negative) {
        match (first, coefficient.is_neg()) {
            (true, true) => write!(out, "-")?,
            (true, false) => {}
            (false, true) => write!(out, " - ")?,
            (false, false) => write!(out, " + ")?,
        }
        first = false;
        let magnitude = coefficient.abs();
        if !magnitude.is_one() {
            write!(out, "{magnitude} * ")?;
        }
        match atom {
            Atom::Param(id) => write!(out, "{}", names.param(*id))?,
            Atom::Iter(id) => write!(out, "{}", names.iter(*id))?,
            Atom::Floor(numerator, denominator) => {
                write!(out, "floord(")?;
                write_quasi(out, numerator, names)?;
                write!(out, ", {denominator})")?;
            }
        }
    }
    if first {
        write!(out, "{}", quasi.constant)
    } else if constant_leads || quasi.constant.is_zero() {
        Ok(())
    } else if quasi.constant.is_neg() {
        write!(out, " - {}", quasi.constant.abs())
    } else {
        write!(out, " + {}", quasi.constant)
    }
}

/// Writes a bound as C, with the macros `min` and `max` of two operands.
pub(crate) fn write_expr(out: &mut impl fmt::Write, expr: &Expr, names: &dyn Names) -> fmt::Result {
    let (name, operands) = match expr {
        Expr::Quasi(quasi) => return write_quasi(out, quasi, names),
        Expr::Min(operands) => ("min", operands),
        Expr::Max(operands) => ("max", operands),
    };
    for operand in &operands[..operands.len() - 1] {
        write!(out, "{name}(")?;
        write_expr(out, operand, names)?;
        write!(out, ", ")?;
    }
    write_expr(out, &operands[operands.len() - 1], names)?;
    write!(out, "{}", ")".repeat(operands.len() - 1))
}

/// Writes a condition as C, the positive terms on the left and the negative on the right.
pub(crate) fn write_condition(out: &mut impl fmt::Write, condition: &Condition, names: &dyn Names) -> fmt::Result {
    let quasi = condition.quasi();
    let mut left = Quasi::default();
    let mut right = Quasi::default();
    for (atom, coefficient) in &quasi.terms {
        let side = if coefficient.is_pos() { &mut left } else { &mut right };
        side.terms.push((atom.clone(), coefficient.abs()));
    }
    if quasi.constant.is_pos() {
        left.constant = quasi.constant.clone();
    } else {
        right.constant = quasi.constant.abs();
    }
    let operator = match condition {
        Condition::NonNegative(_) => ">=",
        Condition::Zero(_) => "==",
    };
    write_quasi(out, &left, names)?;
    write!(out, " {operator} ")?;
    write_quasi(out, &right, names)
}
