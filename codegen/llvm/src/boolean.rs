//! Boolean conditions, taken apart.
//!
//! LLVM writes the conjunction of two `i1` as `and a, b`, or as `select a, b, false` where `b` must not be looked at if
//! `a` is false. Disjunctions are `or a, b` and `select a, true, b`, and a negation is `xor a, true`. The rest of the
//! project sees one form of each.

use crate::value::{IntPredicate, Kind, Value};

/// An `i1`, by how it is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boolean<'a> {
    /// A constant.
    Constant(bool),
    /// Whether the operand is false.
    Not(Value<'a>),
    /// Whether both operands are true.
    And(Value<'a>, Value<'a>),
    /// Whether one of the operands is true.
    Or(Value<'a>, Value<'a>),
    /// A comparison of integers or pointers.
    Compare(IntPredicate, Value<'a>, Value<'a>),
    /// Anything else.
    Opaque,
}

impl<'a> Boolean<'a> {
    /// Takes one operation of the condition apart.
    pub fn of(condition: Value<'a>) -> Self {
        if let Some(constant) = condition.as_integer() {
            return Boolean::Constant(constant != 0);
        }
        if !condition.is_instruction() {
            return Boolean::Opaque;
        }
        let is = |value: Value<'a>, constant: bool| value.as_integer().is_some_and(|v| (v != 0) == constant);
        match condition.kind() {
            Kind::And(a, b) => Boolean::And(a, b),
            Kind::Or(a, b) => Boolean::Or(a, b),
            Kind::Xor(a, b) if is(b, true) => Boolean::Not(a),
            Kind::Select(a, b, c) if is(c, false) => Boolean::And(a, b),
            Kind::Select(a, b, c) if is(b, true) => Boolean::Or(a, c),
            Kind::Compare(predicate, a, b) => Boolean::Compare(predicate, a, b),
            _ => Boolean::Opaque,
        }
    }
}

/// The conditions that have to have the given values, all of them, for `condition` to be `value`. None of them is a
/// conjunction again. For `!(a || !b)` to be true, that is `a` false and `b` true.
pub fn conjuncts(condition: Value<'_>, value: bool) -> Vec<(Value<'_>, bool)> {
    let mut found = Vec::new();
    let mut open = vec![(condition, value)];
    while let Some((condition, value)) = open.pop() {
        match (Boolean::of(condition), value) {
            (Boolean::Not(negated), _) => open.push((negated, !value)),
            (Boolean::And(a, b), true) | (Boolean::Or(a, b), false) => open.extend([(b, value), (a, value)]),
            _ => found.push((condition, value)),
        }
    }
    found
}
