//! Expressions as C text.
//!
//! `floord(a, b)`, `min(a, b)` and `max(a, b)` are macros: the quotient rounded down, the lesser and the greater of two.
//! Of the terms of a sum the positive ones come first, and among those remainders, parameters, iterators and quotients
//! in this order, the constant last. A comparison has no negative terms: they are on its other side.

use std::fmt::{self, Display, Write};

use crate::ast::expr::{Condition, Expr};
use crate::ast::node::Logic;
use crate::ast::quasi::{Atom, Division, IterId, ParamId, Quasi};
use crate::int::Int;
use crate::sets::{Name, Params};

/// How expressions are written: what parameters and iterators are called, and how conditions are meant.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// The parameters.
    pub params: &'a Params,
    /// The names of the iterators.
    pub iterators: &'a [Name],
    /// `&&`, `||` or `&`, `|`.
    pub logic: Logic,
}

impl<'a> Names<'a> {
    pub(crate) fn param(&self, id: ParamId) -> &'a str {
        self.params.names()[id.0].as_str()
    }

    pub(crate) fn iter(&self, id: IterId) -> &'a str {
        self.iterators[id.0].as_str()
    }
}

/// Something with its names, to be displayed.
struct Named<'a, T>(&'a T, Names<'a>);

impl Display for Named<'_, Quasi> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_quasi(f, self.0, &self.1)
    }
}

impl Display for Named<'_, Expr> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_expr(f, self.0, &self.1)
    }
}

impl Display for Named<'_, Condition> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_condition(f, self.0, &self.1)
    }
}

impl Quasi {
    /// The expression as C text.
    pub fn display<'a>(&'a self, names: Names<'a>) -> impl Display + 'a {
        Named(self, names)
    }
}

impl Expr {
    /// The expression as C text.
    pub fn display<'a>(&'a self, names: Names<'a>) -> impl Display + 'a {
        Named(self, names)
    }
}

impl Condition {
    /// The condition as C text.
    pub fn display<'a>(&'a self, names: Names<'a>) -> impl Display + 'a {
        Named(self, names)
    }
}

/// The terms in the order in which they are written; those with a negative coefficient come after the others.
fn ordered(quasi: &Quasi) -> Vec<&(Atom, Int)> {
    let mut terms: Vec<_> = quasi.terms().iter().collect();
    terms.sort_by_key(|(atom, coefficient)| (coefficient.is_neg(), !matches!(atom, Atom::Remainder(..))));
    terms
}

pub(super) fn write_quasi(out: &mut impl Write, quasi: &Quasi, names: &Names<'_>) -> fmt::Result {
    let terms = ordered(quasi);
    let constant = quasi.constant_term();
    if terms.is_empty() {
        return write!(out, "{constant}");
    }
    let constant_leads = constant.is_pos() && terms.iter().all(|(_, c)| c.is_neg());
    if constant_leads {
        write!(out, "{constant}")?;
    }
    let alone = terms.len() == 1 && constant.is_zero();
    for (position, (atom, coefficient)) in terms.into_iter().enumerate() {
        let first = position == 0 && !constant_leads;
        match (first, coefficient.is_neg()) {
            (true, true) => write!(out, "-")?,
            (true, false) => {}
            (false, true) => write!(out, " - ")?,
            (false, false) => write!(out, " + ")?,
        }
        let magnitude = coefficient.abs();
        let factor = !magnitude.is_one();
        if factor {
            write!(out, "{magnitude} * ")?;
        }
        // A division that stands at the left of a sum, or after a factor or sign, is put in parentheses.
        let open = factor || first && (coefficient.is_neg() || !alone);
        let division = !matches!(
            atom,
            Atom::Param(_) | Atom::Iter(_) | Atom::Quotient(_, _, Division::Floor)
        );
        if open && division {
            write!(out, "(")?;
            write_atom(out, atom, names)?;
            write!(out, ")")?;
        } else {
            write_atom(out, atom, names)?;
        }
    }
    if constant_leads || constant.is_zero() {
        Ok(())
    } else if constant.is_neg() {
        write!(out, " - {}", constant.abs())
    } else {
        write!(out, " + {constant}")
    }
}

fn write_atom(out: &mut impl Write, atom: &Atom, names: &Names<'_>) -> fmt::Result {
    match atom {
        Atom::Param(id) => write!(out, "{}", names.param(*id)),
        Atom::Iter(id) => write!(out, "{}", names.iter(*id)),
        Atom::Quotient(numerator, denominator, Division::Floor) => {
            write!(out, "floord(")?;
            write_quasi(out, numerator, names)?;
            write!(out, ", {denominator})")
        }
        Atom::Quotient(numerator, denominator, Division::NonNegative | Division::Exact) => {
            write_dividend(out, numerator, names)?;
            write!(out, " / {denominator}")
        }
        Atom::Remainder(numerator, denominator) => {
            write_dividend(out, numerator, names)?;
            write!(out, " % {denominator}")
        }
    }
}

/// The left operand of `/` or `%`.
fn write_dividend(out: &mut impl Write, quasi: &Quasi, names: &Names<'_>) -> fmt::Result {
    let product = match quasi.terms() {
        [] => true,
        [(Atom::Param(_) | Atom::Iter(_), coefficient)] => coefficient.is_pos() && quasi.constant_term().is_zero(),
        _ => false,
    };
    if product {
        return write_quasi(out, quasi, names);
    }
    write!(out, "(")?;
    write_quasi(out, quasi, names)?;
    write!(out, ")")
}

pub(super) fn write_expr(out: &mut impl Write, expr: &Expr, names: &Names<'_>) -> fmt::Result {
    let (name, operands) = match expr {
        Expr::Quasi(quasi) => return write_quasi(out, quasi, names),
        Expr::Min(operands) => ("min", operands),
        Expr::Max(operands) => ("max", operands),
        Expr::Select {
            condition,
            then,
            otherwise,
        } => {
            write_condition(out, condition, names)?;
            write!(out, " ? ")?;
            if matches!(**then, Expr::Select { .. }) {
                write_operand(out, then, names)?;
            } else {
                write_expr(out, then, names)?;
            }
            write!(out, " : ")?;
            return write_expr(out, otherwise, names);
        }
    };
    for _ in 1..operands.len() {
        write!(out, "{name}(")?;
    }
    write_expr(out, &operands[0], names)?;
    for operand in &operands[1..] {
        write!(out, ", ")?;
        write_expr(out, operand, names)?;
        write!(out, ")")?;
    }
    Ok(())
}

/// An expression as an operand of a comparison or a choice.
pub(super) fn write_operand(out: &mut impl Write, expr: &Expr, names: &Names<'_>) -> fmt::Result {
    if !matches!(expr, Expr::Select { .. }) {
        return write_expr(out, expr, names);
    }
    write!(out, "(")?;
    write_expr(out, expr, names)?;
    write!(out, ")")
}

pub(super) fn write_condition(out: &mut impl Write, condition: &Condition, names: &Names<'_>) -> fmt::Result {
    let (parts, and, or) = match (condition, names.logic) {
        (Condition::NonNegative(quasi), _) => return write_comparison(out, quasi, Comparison::AtLeast, names),
        (Condition::Zero(quasi), _) => return write_comparison(out, quasi, Comparison::Equal, names),
        (Condition::Multiple(quasi, modulus), _) => {
            write_dividend(out, quasi, names)?;
            return write!(out, " % {modulus} == 0");
        }
        (Condition::All(parts) | Condition::Any(parts), Logic::ShortCircuit) => (parts, "&&", "||"),
        (Condition::All(parts) | Condition::Any(parts), Logic::Eager) => (parts, "&", "|"),
    };
    let conjunction = matches!(condition, Condition::All(_));
    if parts.is_empty() {
        return write!(out, "{}", i32::from(conjunction));
    }
    for (position, part) in parts.iter().enumerate() {
        if position > 0 {
            write!(out, " {} ", if conjunction { and } else { or })?;
        }
        if matches!(part, Condition::All(_) | Condition::Any(_)) && parts.len() > 1 {
            write!(out, "(")?;
            write_condition(out, part, names)?;
            write!(out, ")")?;
        } else {
            write_condition(out, part, names)?;
        }
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Comparison {
    AtLeast,
    Equal,
}

/// `quasi >= 0` or `quasi == 0`, the positive terms on the left and the negative ones on the right. Of an equation the last
/// variable is on the left, and where one side has no terms it is the right one.
fn write_comparison(out: &mut impl Write, quasi: &Quasi, comparison: Comparison, names: &Names<'_>) -> fmt::Result {
    let (mut left, mut right) = quasi.sides();
    let mut operator = match comparison {
        Comparison::AtLeast => ">=",
        Comparison::Equal => "==",
    };
    let last = quasi.terms().last();
    let swap = match comparison {
        _ if right.terms().is_empty() => false,
        _ if left.terms().is_empty() => true,
        Comparison::AtLeast => false,
        Comparison::Equal => last.is_some_and(|(_, c)| c.is_neg()),
    };
    if swap {
        std::mem::swap(&mut left, &mut right);
        if comparison == Comparison::AtLeast {
            operator = "<=";
        }
    }
    write_quasi(out, &left, names)?;
    write!(out, " {operator} ")?;
    write_quasi(out, &right, names)
}
