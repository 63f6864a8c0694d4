//! What is in a text.

use super::{Expr, Program, Statement};
use std::ops::AddAssign;

/// How much there is in a text.
///
/// A *condition* is a comparison, wherever it is. An *operator* is one of arithmetic: `+`, `-`, `*`, `/`, `%`, a call of
/// `floord` and its like, `min` and `max` (one less than they have operands), `?:`, and the increment of a loop. `&&`, `||`
/// and `!` count for nothing: they, as nested `if`s do, only say which conditions are evaluated. The sign of a number is
/// part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Calls of statements.
    pub statements: u64,
    /// Loops.
    pub loops: u64,
    /// Comparisons.
    pub conditions: u64,
    /// Operators.
    pub operators: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.statements += other.statements;
        self.loops += other.loops;
        self.conditions += other.conditions;
        self.operators += other.operators;
    }
}

impl Program {
    /// How much there is in the text.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        self.body.iter().for_each(|statement| counts.statement(statement));
        counts
    }
}

impl Counts {
    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Block(body) => body.iter().for_each(|s| self.statement(s)),
            Statement::For {
                start,
                test,
                step,
                body,
                ..
            } => {
                self.loops += 1;
                self.operators += 1;
                [start, test, step].into_iter().for_each(|expr| self.expr(expr));
                self.statement(body);
            }
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                self.expr(condition);
                self.statement(then);
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise);
                }
            }
            Statement::Declare(_, value) => self.expr(value),
            Statement::Call { arguments, .. } => {
                self.statements += 1;
                arguments.iter().for_each(|e| self.expr(e));
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Number(_) | Expr::Variable(_) => {}
            Expr::Negate(a) => {
                self.operators += 1;
                self.expr(a);
            }
            Expr::Not(a) => self.expr(a),
            Expr::Arithmetic(_, both) => {
                self.operators += 1;
                both.iter().for_each(|e| self.expr(e));
            }
            Expr::Compare(_, both) => {
                self.conditions += 1;
                both.iter().for_each(|e| self.expr(e));
            }
            Expr::And(both) | Expr::Or(both) => both.iter().for_each(|e| self.expr(e)),
            Expr::Choose(all) => {
                self.operators += 1;
                all.iter().for_each(|e| self.expr(e));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, [statements, loops, conditions, operators]: [u64; 4]) {
        let expected = Counts {
            statements,
            loops,
            conditions,
            operators,
        };
        let program: Program = text.parse().unwrap();
        assert_eq!(program.counts(), expected, "{text}");
    }

    #[test]
    fn counts_of_texts() {
        check("for (int c = 0; c < n; c += 1) S(c);", [1, 1, 1, 1]);
        check("for (int c = 0; c < n; c++) S(c, -1);", [1, 1, 1, 1]);
        check(
            "for (int c = max(a, b, d); c <= min(n, m - 1); c += 4) S(-c);",
            [1, 1, 1, 6],
        );
        check(
            "if (a >= 1 && (b || !(c == 2))) { S(); } else T(floord(a, 2) % 3);",
            [2, 0, 2, 2],
        );
        check("S(n > 1 ? n / 2 : 0);", [1, 0, 1, 2]);
    }
}
