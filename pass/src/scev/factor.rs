//! Constant factors of scalar-evolution expressions.

use farkas_llvm::Run;
use farkas_llvm::scev::{Scev, ScevKind};
use num_integer::Integer;

/// A constant and an expression whose product is congruent to `scev` modulo two to the power of its number of bits: the
/// largest constant that can be read off the form of the expression.
pub(crate) fn factored<'a>(run: &'a Run<'_>, scev: Scev<'a>) -> (i64, Scev<'a>) {
    match factor(scev, DEPTH) {
        factor @ 2.. => match divided(run, scev, factor) {
            Some(quotient) => (factor, quotient),
            None => (1, scev),
        },
        _ => (1, scev),
    }
}

/// Expressions are not looked into any further than this.
const DEPTH: usize = 8;

/// A constant that divides the expression; 0 for 0.
fn factor(scev: Scev<'_>, depth: usize) -> i64 {
    let common = |operands: Vec<Scev<'_>>| {
        operands
            .into_iter()
            .fold(0, |all: i64, s| all.gcd(&factor(s, depth - 1)))
    };
    match scev.kind() {
        ScevKind::Constant(c) => c.checked_abs().unwrap_or(1),
        _ if depth == 0 => 1,
        ScevKind::Mul(factors, _) => match factors[0].kind() {
            ScevKind::Constant(c) => c.checked_abs().unwrap_or(1),
            _ => 1,
        },
        ScevKind::Add(terms, _) => common(terms),
        ScevKind::AddRec(_, operands, _) if operands.len() == 2 => common(operands),
        _ => 1,
    }
}

/// The expression divided by a constant that divides it.
fn divided<'a>(run: &'a Run<'_>, scev: Scev<'a>, by: i64) -> Option<Scev<'a>> {
    let ty = scev.ty()?;
    match scev.kind() {
        ScevKind::Constant(c) => Some(run.number(ty, c / by)),
        ScevKind::Mul(factors, _) => {
            let (first, rest) = factors.split_first()?;
            Some(rest.iter().fold(divided(run, *first, by)?, |product, factor| {
                run.product(product, *factor)
            }))
        }
        ScevKind::Add(terms, _) => {
            let terms = terms
                .into_iter()
                .map(|term| divided(run, term, by))
                .collect::<Option<Vec<_>>>()?;
            Some(
                terms
                    .into_iter()
                    .fold(run.number(ty, 0), |sum, term| run.sum(sum, term)),
            )
        }
        ScevKind::AddRec(l, operands, _) => {
            let [start, step] = operands[..] else { return None };
            Some(run.recurrence(l, divided(run, start, by)?, divided(run, step, by)?))
        }
        _ => None,
    }
}
