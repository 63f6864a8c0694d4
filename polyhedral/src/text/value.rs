//! What expressions in a text are while they are lowered: piecewise, and numbers that no integer is equal to included.
//!
//! `infinity` is larger than every number. Its sums, multiples and quotients are what they are in the limit; where there is
//! no limit, as in `infinity - infinity`, and in everything with a `NaN`, the value is `NaN`, for which no comparison
//! holds, not even `!=`.

use super::ParseError;
use super::lexer::Pos;
use super::syntax::Op;
use crate::budget::{Budget, OutOfBudget};
use crate::int::Int;
use crate::sets::{Conj, Expr, intersect_pieces};
use std::cmp::Ordering;

/// Why a text has no meaning.
pub(super) enum Failure {
    Parse(ParseError),
    Budget,
}

impl From<ParseError> for Failure {
    fn from(error: ParseError) -> Self {
        Failure::Parse(error)
    }
}

impl From<OutOfBudget> for Failure {
    fn from(_: OutOfBudget) -> Self {
        Failure::Budget
    }
}

impl Failure {
    /// The error, at `pos` if it has no place of its own.
    pub(super) fn at(self, pos: Pos) -> ParseError {
        match self {
            Failure::Parse(error) => error,
            Failure::Budget => ParseError {
                line: pos.line,
                col: pos.col,
                message: "this takes more work to make explicit than is allowed".into(),
            },
        }
    }
}

pub(super) type Meaning<T> = Result<T, Failure>;

/// The value of an expression.
#[derive(Clone, PartialEq)]
pub(super) enum Value {
    Finite(Expr),
    /// Infinity with a sign.
    Infinite(i32),
    NotANumber,
}

impl Value {
    pub(super) fn add(&self, other: &Value) -> Value {
        match (self, other) {
            (Value::Finite(a), Value::Finite(b)) => Value::Finite(a.add(b)),
            (Value::Infinite(a), Value::Infinite(b)) if a == b => Value::Infinite(*a),
            (Value::Infinite(a), Value::Finite(_)) | (Value::Finite(_), Value::Infinite(a)) => Value::Infinite(*a),
            _ => Value::NotANumber,
        }
    }

    /// The value times `num / den`.
    fn scale(&self, num: &Int, den: &Int) -> Value {
        match self {
            Value::Finite(expr) => Value::Finite(expr.scale(num).divide(den)),
            Value::Infinite(sign) if !num.is_zero() => Value::Infinite(sign * num.sign() * den.sign()),
            _ => Value::NotANumber,
        }
    }

    pub(super) fn neg(&self) -> Value {
        self.scale(&Int::from(-1), &Int::ONE)
    }

    fn as_constant(&self) -> Option<(&Int, &Int)> {
        match self {
            Value::Finite(expr) => expr.as_constant(),
            _ => None,
        }
    }

    /// None if neither factor is constant.
    pub(super) fn mul(&self, other: &Value) -> Option<Value> {
        match (self.as_constant(), other.as_constant()) {
            (Some((num, den)), _) => Some(other.scale(num, den)),
            (_, Some((num, den))) => Some(self.scale(num, den)),
            (None, None) => None,
        }
    }

    /// The integer that this is.
    pub(super) fn as_integer(&self) -> Option<&Int> {
        self.as_constant().filter(|(_, den)| den.is_one()).map(|(num, _)| num)
    }

    pub(super) fn divide(&self, divisor: &Int) -> Value {
        self.scale(&Int::ONE, divisor)
    }

    pub(super) fn modulo(&self, modulus: &Int) -> Value {
        match self {
            Value::Finite(expr) => {
                let multiple = expr.divide(modulus).floor().scale(modulus);
                Value::Finite(expr.sub(&multiple))
            }
            _ => Value::NotANumber,
        }
    }

    /// The value rounded by `round`.
    pub(super) fn round(&self, round: impl Fn(&Expr) -> Expr) -> Value {
        match self {
            Value::Finite(expr) => Value::Finite(round(expr)),
            other => other.clone(),
        }
    }

    /// The points where the comparison, which is not a lexicographic one, holds.
    fn compare(&self, other: &Value, op: Op, n_vars: usize) -> Vec<Conj> {
        let rank = |value: &Value| match value {
            Value::Infinite(sign) => *sign,
            _ => 0,
        };
        let (a, b) = match (self, other) {
            (Value::NotANumber, _) | (_, Value::NotANumber) => return Vec::new(),
            (Value::Finite(a), Value::Finite(b)) => (a, b),
            _ => {
                let order = rank(self).cmp(&rank(other));
                let holds = match op {
                    Op::Eq => order == Ordering::Equal,
                    Op::Ne => order != Ordering::Equal,
                    Op::Lt => order == Ordering::Less,
                    Op::Gt => order == Ordering::Greater,
                    Op::Ge => order != Ordering::Less,
                    _ => order != Ordering::Greater,
                };
                return if holds {
                    vec![Conj::universe(n_vars)]
                } else {
                    Vec::new()
                };
            }
        };
        match op {
            Op::Eq => vec![a.equal_to(b)],
            Op::Ne => vec![b.greater_than(a), a.greater_than(b)],
            Op::Lt => vec![b.greater_than(a)],
            Op::Gt => vec![a.greater_than(b)],
            Op::Ge => vec![a.at_least(b)],
            _ => vec![b.at_least(a)],
        }
    }
}

/// Where a value is the one: everywhere if this is none.
pub(super) type Domain = Option<Vec<Conj>>;

/// The points of both.
pub(super) fn meet(a: &Domain, b: &Domain) -> Domain {
    match (a, b) {
        (None, other) | (other, None) => other.clone(),
        (Some(a), Some(b)) => Some(intersect_pieces(a, b)),
    }
}

/// Whether there is no point.
fn is_empty(domain: &Domain, b: &Budget) -> Meaning<bool> {
    for conj in domain.iter().flatten() {
        if !conj.is_empty(b)? {
            return Ok(false);
        }
    }
    Ok(domain.is_some())
}

/// Values on domains, over `n_vars` variables. Where domains overlap, the values are the same.
#[derive(Clone)]
pub(super) struct Piecewise {
    pub(super) n_vars: usize,
    pub(super) pieces: Vec<(Domain, Value)>,
}

impl Piecewise {
    pub(super) fn of(n_vars: usize, value: Value) -> Piecewise {
        Piecewise {
            n_vars,
            pieces: vec![(None, value)],
        }
    }

    pub(super) fn expr(expr: Expr) -> Piecewise {
        Piecewise::of(expr.n_vars(), Value::Finite(expr))
    }

    /// The only value, on all points.
    pub(super) fn only(&self) -> Option<&Value> {
        match &self.pieces[..] {
            [(None, value)] => Some(value),
            _ => None,
        }
    }

    pub(super) fn map(&self, change: impl Fn(&Value) -> Meaning<Value>) -> Meaning<Piecewise> {
        let mut pieces = Vec::with_capacity(self.pieces.len());
        for (domain, value) in &self.pieces {
            pieces.push((domain.clone(), change(value)?));
        }
        Ok(Piecewise { pieces, ..*self })
    }

    pub(super) fn combine(
        &self,
        other: &Piecewise,
        b: &Budget,
        join: impl Fn(&Value, &Value) -> Meaning<Value>,
    ) -> Meaning<Piecewise> {
        let mut out = Piecewise {
            n_vars: self.n_vars,
            pieces: Vec::with_capacity(self.pieces.len()),
        };
        for (p, v) in &self.pieces {
            for (q, w) in &other.pieces {
                out.push(meet(p, q), join(v, w)?, b)?;
            }
        }
        Ok(out)
    }

    /// Adds a piece unless it is empty.
    fn push(&mut self, domain: Domain, value: Value, b: &Budget) -> Meaning<()> {
        b.spend(1)?;
        if !is_empty(&domain, b)? {
            self.pieces.push((domain, value));
        }
        Ok(())
    }

    /// The value of which `op` holds of it and the other one, `op` being `<=` or `>=`.
    pub(super) fn choose(&self, other: &Piecewise, op: Op, b: &Budget) -> Meaning<Piecewise> {
        let opposite = if op == Op::Le { Op::Gt } else { Op::Lt };
        let n_vars = self.n_vars;
        let mut out = Piecewise {
            n_vars,
            pieces: Vec::new(),
        };
        for (p, v) in &self.pieces {
            for (q, w) in &other.pieces {
                let both = meet(p, q);
                if *v == Value::NotANumber || *w == Value::NotANumber {
                    out.push(both, Value::NotANumber, b)?;
                    continue;
                }
                out.push(meet(&both, &Some(v.compare(w, op, n_vars))), v.clone(), b)?;
                out.push(meet(&both, &Some(v.compare(w, opposite, n_vars))), w.clone(), b)?;
            }
        }
        Ok(out)
    }

    /// The same values on the points of `domain` only.
    pub(super) fn restrict(&self, domain: &Domain, b: &Budget) -> Meaning<Piecewise> {
        let mut out = Piecewise {
            n_vars: self.n_vars,
            pieces: Vec::with_capacity(self.pieces.len()),
        };
        for (own, value) in &self.pieces {
            out.push(meet(own, domain), value.clone(), b)?;
        }
        Ok(out)
    }

    /// Adds the values of `other`. False if there are other ones already.
    pub(super) fn unite(&mut self, other: Piecewise, b: &Budget) -> Meaning<bool> {
        for (q, w) in &other.pieces {
            for (p, v) in self.pieces.iter().filter(|(_, v)| v != w) {
                let different = match (v, w) {
                    (Value::Finite(_), Value::Finite(_)) => Some(v.compare(w, Op::Ne, self.n_vars)),
                    _ => None,
                };
                if !is_empty(&meet(&meet(p, q), &different), b)? {
                    return Ok(false);
                }
            }
        }
        self.pieces.extend(other.pieces);
        Ok(true)
    }

    /// The points where the comparison, which is not a lexicographic one, holds.
    pub(super) fn compare(&self, other: &Piecewise, op: Op, b: &Budget) -> Meaning<Vec<Conj>> {
        let mut out = Vec::new();
        for (p, v) in &self.pieces {
            for (q, w) in &other.pieces {
                b.spend(1)?;
                let holds = v.compare(w, op, self.n_vars);
                match meet(p, q) {
                    None => out.extend(holds),
                    Some(both) => out.extend(intersect_pieces(&both, &holds)),
                }
            }
        }
        Ok(out)
    }
}

/// The conditions, each a union, that together mean `left op right` for lists of expressions.
pub(super) fn compare(
    n_vars: usize,
    left: &[Piecewise],
    right: &[Piecewise],
    op: Op,
    pos: Pos,
    b: &Budget,
) -> Meaning<Vec<Vec<Conj>>> {
    let (left, right, op) = match op {
        Op::LexGt => (right, left, Op::LexLt),
        Op::LexGe => (right, left, Op::LexLe),
        op => (left, right, op),
    };
    if !matches!(op, Op::LexLt | Op::LexLe) {
        let mut all = Vec::with_capacity(left.len() * right.len());
        for x in left {
            for y in right {
                all.push(x.compare(y, op, b)?);
            }
        }
        return Ok(all);
    }
    if left.len() != right.len() {
        return Ok(pos.error("a lexicographic comparison is between lists of the same length")?);
    }
    let mut cases = Vec::new();
    let mut equal = vec![Conj::universe(n_vars)];
    for (x, y) in left.iter().zip(right) {
        cases.extend(intersect_pieces(&equal, &x.compare(y, Op::Lt, b)?));
        equal = intersect_pieces(&equal, &x.compare(y, Op::Eq, b)?);
    }
    if op == Op::LexLe {
        cases.extend(equal);
    }
    Ok(vec![cases])
}
