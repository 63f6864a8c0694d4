//! Execution of generated code, with C's meaning of its operators.

use super::{Arithmetic, Comparison, Expr, Program, Statement};

/// An executed instance: a statement's name, and the values of its dimensions.
pub type Instance = (String, Vec<i64>);

/// What executing a text came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Executed {
    /// The instances in order.
    pub instances: Vec<Instance>,
    /// The comparisons that were evaluated: see [`super::Counts`].
    pub conditions: u64,
    /// The operators that were evaluated.
    pub operators: u64,
}

/// Why a text was not executed to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// A name that has no value.
    #[error("`{0}` is not declared")]
    Undeclared(String),
    /// A division by zero or by a negative number, or a number that does not fit.
    #[error("{0}")]
    Arithmetic(&'static str),
    /// It took more steps than allowed.
    #[error("more than {0} steps")]
    TooLong(u64),
}

impl Program {
    /// Executes the text for values of the parameters, of which there may be more, in at most `limit` steps: iterations,
    /// conditions, operators and calls.
    ///
    /// # Errors
    ///
    /// Why it does not come to an end.
    pub fn execute(&self, params: &[(&str, i64)], limit: u64) -> Result<Executed, RunError> {
        let mut values = vec![0; self.n_slots];
        for (slot, name) in self.params.iter().enumerate() {
            let value = params.iter().find(|(known, _)| known == name);
            values[slot] = i128::from(value.ok_or_else(|| RunError::Undeclared(name.clone()))?.1);
        }
        let mut run = Run {
            program: self,
            values,
            steps: 0,
            limit,
            executed: Executed::default(),
        };
        self.body.iter().try_for_each(|statement| run.statement(statement))?;
        Ok(run.executed)
    }
}

struct Run<'a> {
    program: &'a Program,
    values: Vec<i128>,
    steps: u64,
    limit: u64,
    executed: Executed,
}

impl Run<'_> {
    fn step(&mut self) -> Result<(), RunError> {
        self.steps += 1;
        if self.steps > self.limit {
            return Err(RunError::TooLong(self.limit));
        }
        Ok(())
    }

    fn statement(&mut self, statement: &Statement) -> Result<(), RunError> {
        match statement {
            Statement::Block(body) => body.iter().try_for_each(|s| self.statement(s)),
            Statement::For {
                variable,
                start,
                test,
                step,
                body,
            } => {
                self.values[*variable] = self.expr(start)?;
                while self.expr(test)? != 0 {
                    self.step()?;
                    self.statement(body)?;
                    let step = self.expr(step)?;
                    self.executed.operators += 1;
                    self.values[*variable] = fitting(self.values[*variable].checked_add(step))?;
                }
                Ok(())
            }
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                self.step()?;
                if self.expr(condition)? != 0 {
                    self.statement(then)
                } else {
                    otherwise.as_ref().map_or(Ok(()), |otherwise| self.statement(otherwise))
                }
            }
            Statement::Declare(slot, value) => {
                self.values[*slot] = self.expr(value)?;
                Ok(())
            }
            Statement::Call { statement, arguments } => {
                self.step()?;
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    let value = self.expr(argument)?;
                    values.push(fitting(i64::try_from(value).ok())?);
                }
                let name = self.program.statements[*statement].clone();
                self.executed.instances.push((name, values));
                Ok(())
            }
        }
    }

    fn both(&mut self, both: &[Expr; 2]) -> Result<(i128, i128), RunError> {
        Ok((self.expr(&both[0])?, self.expr(&both[1])?))
    }

    fn expr(&mut self, expr: &Expr) -> Result<i128, RunError> {
        Ok(match expr {
            Expr::Number(number) => *number,
            Expr::Variable(slot) => self.values[*slot],
            Expr::Negate(a) => {
                self.executed.operators += 1;
                -self.expr(a)?
            }
            Expr::Not(a) => (self.expr(a)? == 0).into(),
            Expr::Arithmetic(operator, both) => {
                self.step()?;
                self.executed.operators += 1;
                let (a, b) = self.both(both)?;
                arithmetic(*operator, a, b)?
            }
            Expr::Compare(comparison, both) => {
                self.step()?;
                self.executed.conditions += 1;
                let (a, b) = self.both(both)?;
                let holds = match comparison {
                    Comparison::Equal => a == b,
                    Comparison::Different => a != b,
                    Comparison::Less => a < b,
                    Comparison::AtMost => a <= b,
                    Comparison::Greater => a > b,
                    Comparison::AtLeast => a >= b,
                };
                holds.into()
            }
            Expr::And(both) => (self.expr(&both[0])? != 0 && self.expr(&both[1])? != 0).into(),
            Expr::Or(both) => (self.expr(&both[0])? != 0 || self.expr(&both[1])? != 0).into(),
            Expr::Choose(all) => {
                self.executed.operators += 1;
                let chosen = if self.expr(&all[0])? != 0 { &all[1] } else { &all[2] };
                self.expr(chosen)?
            }
        })
    }
}

fn fitting<T>(value: Option<T>) -> Result<T, RunError> {
    value.ok_or(RunError::Arithmetic("a number that does not fit"))
}

/// `a op b`. `/` and `%` round towards zero as in C, so that a wrong claim that `a` is not negative shows in the result.
fn arithmetic(operator: Arithmetic, a: i128, b: i128) -> Result<i128, RunError> {
    use Arithmetic::*;
    if matches!(operator, Divide | Remainder | FloorDivide | CeilDivide | Modulo) && b <= 0 {
        return Err(RunError::Arithmetic("division by a number that is not positive"));
    }
    fitting(match operator {
        Add => a.checked_add(b),
        Subtract => a.checked_sub(b),
        Multiply => a.checked_mul(b),
        Divide => Some(a / b),
        Remainder => Some(a % b),
        FloorDivide => Some(a.div_euclid(b)),
        CeilDivide => Some(-(-a).div_euclid(b)),
        Modulo => Some(a.rem_euclid(b)),
        Min => Some(a.min(b)),
        Max => Some(a.max(b)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `n` is 5.
    fn check(text: &str, instances: &[&[i64]], conditions: u64, operators: u64) {
        let program: Program = text.parse().unwrap();
        let executed = program.execute(&[("m", 0), ("n", 5)], 1000).unwrap();
        let values: Vec<&[i64]> = executed.instances.iter().map(|(_, values)| &values[..]).collect();
        assert_eq!(values, instances, "{text}");
        assert_eq!(
            (executed.conditions, executed.operators),
            (conditions, operators),
            "{text}"
        );
    }

    #[test]
    fn executed_texts() {
        check("for (int c = 1; c < n; c += 2) S(c, -c);", &[&[1, -1], &[3, -3]], 3, 4);
        check(
            "if (n < 5 && n > 1) S(1); else if (n == 5 || n == 6) S(2);",
            &[&[2]],
            2,
            0,
        );
        check(
            "S(-n / 2, -n % 2, floord(-n, 2), ceild(-n, 2), intMod(-n, 2));",
            &[&[-2, -1, -3, -2, 1]],
            0,
            10,
        );
        check("{ int d = n > 3 ? min(n, 4, 7) : 1; S(d - 1 - 1); }", &[&[2]], 1, 5);
        check("// a mark\nfor (c = 0; c <= 1; c++) /* */ S(c);", &[&[0], &[1]], 3, 2);
    }

    #[test]
    fn texts_without_an_end() {
        let error = |text: &str| {
            text.parse::<Program>()
                .unwrap()
                .execute(&[], 10)
                .unwrap_err()
                .to_string()
        };
        assert_eq!(error("for (int c = 0; 1; c += 1) { }"), "more than 10 steps");
        assert_eq!(error("S(1 / 0);"), "division by a number that is not positive");
        assert_eq!(error("S(k);"), "`k` is not declared");
    }
}
