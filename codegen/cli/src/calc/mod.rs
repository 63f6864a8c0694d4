//! `farkas calc`: statements about sets and relations, computed one after the other, in the manner of iscc.

mod binary;
mod enumerate;
mod help;
mod lexer;
mod operations;
mod syntax;
#[cfg(test)]
mod tests;
mod value;

use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{UnionMap, UnionSet};
use farkas_polyhedral::text::ParseError;
use lexer::{Error, Pos};
use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use syntax::{Expr, Kind, Power, Statement};
use value::{Computed, Failure, Value, misuse};

/// The values that have names, and what is to be read still.
struct Session {
    names: HashMap<String, Value>,
    /// The work that one statement may cost.
    budget: u64,
    /// What has been read and not computed, and where it starts.
    text: String,
    pos: Pos,
    failed: bool,
}

/// What a statement comes to.
enum Outcome {
    Silent,
    Shown(String),
    Quit,
}

/// Computes the statements in `input` as they come and prints results and errors. Whether all statements had a value.
///
/// # Errors
///
/// If `input` cannot be read, or one of the others not written to.
pub(crate) fn run(
    mut input: impl BufRead,
    mut output: impl Write,
    mut errors: impl Write,
    budget: u64,
) -> io::Result<bool> {
    let mut session = Session {
        names: HashMap::new(),
        budget,
        text: String::new(),
        pos: Pos::START,
        failed: false,
    };
    let mut line = String::new();
    while input.read_line(&mut line)? > 0 {
        session.text.push_str(&line);
        line.clear();
        while let Some(end) = lexer::statement_end(&session.text) {
            let rest = session.text.split_off(end + 1);
            let mut statement = std::mem::replace(&mut session.text, rest);
            let pos = session.pos;
            session.pos = pos.after(&statement);
            statement.pop();
            match session.statement(&statement, pos) {
                Ok(Outcome::Silent) => {}
                Ok(Outcome::Shown(text)) => writeln!(output, "{text}")?,
                Ok(Outcome::Quit) => return Ok(!session.failed),
                Err(error) => session.report(&error, &mut output, &mut errors)?,
            }
            output.flush()?;
        }
    }
    // What is behind the last semicolon may be white space and comments.
    let last = lexer::tokens(&session.text, session.pos).map(|tokens| tokens.len());
    let error = match last {
        Ok(1) => return Ok(!session.failed),
        Ok(_) => Error {
            pos: session.pos.after(session.text.trim_end()),
            message: "expected `;`, found the end of the text".into(),
        },
        Err(error) => error,
    };
    session.report(&error, &mut output, &mut errors)?;
    Ok(false)
}

impl Session {
    fn report(&mut self, error: &Error, output: &mut impl Write, errors: &mut impl Write) -> io::Result<()> {
        self.failed = true;
        output.flush()?;
        writeln!(errors, "{}:{}: {}", error.pos.line, error.pos.col, error.message)
    }

    fn statement(&mut self, text: &str, pos: Pos) -> Result<Outcome, Error> {
        let b = Budget::new(self.budget);
        match syntax::statement(lexer::tokens(text, pos)?)? {
            Statement::Nothing => Ok(Outcome::Silent),
            Statement::Quit => Ok(Outcome::Quit),
            Statement::Help(None) => Ok(Outcome::Shown(
                help::help(None).unwrap_or_default().trim_end().to_string(),
            )),
            Statement::Help(Some((word, pos))) => match help::help(Some(&word)) {
                Some(text) => Ok(Outcome::Shown(text.trim_end().to_string())),
                None => pos.error(format!("there is no operation `{word}`")),
            },
            Statement::Assign(name, value) => {
                // A name that has no value any more is not the value that it had.
                self.names.remove(&name);
                Ok(match self.located(&value, &b)? {
                    Some(value) => {
                        self.names.insert(name, value);
                        Outcome::Silent
                    }
                    None => self.out_of_budget(),
                })
            }
            Statement::Print(value) => Ok(match self.located(&value, &b)? {
                Some(value) => Outcome::Shown(value.to_string()),
                None => self.out_of_budget(),
            }),
        }
    }

    fn out_of_budget(&mut self) -> Outcome {
        self.failed = true;
        Outcome::Shown("out of budget".into())
    }

    /// The value, none if it takes too much work.
    fn located(&self, expr: &Expr, b: &Budget) -> Result<Option<Value>, Error> {
        match self.value(expr, b) {
            Ok(value) => Ok(Some(value)),
            Err((_, Failure::OutOfBudget)) => Ok(None),
            Err((pos, Failure::Misuse(message))) => pos.error(message),
        }
    }

    fn value(&self, expr: &Expr, b: &Budget) -> Result<Value, (Pos, Failure)> {
        let pos = expr.pos;
        let here = |failure: Failure| (pos, failure);
        match &expr.kind {
            Kind::Literal(text) => literal(text, pos),
            Kind::Number(digits) => digits
                .parse::<Int>()
                .map(Value::Number)
                .map_err(|_| here(Failure::Misuse("not a number".into()))),
            Kind::Text(text) => Ok(Value::Text(text.clone())),
            Kind::Name(name) => match self.names.get(name) {
                Some(value) => Ok(value.clone()),
                None => Err(here(Failure::Misuse(format!("`{name}` is no value, and no operation")))),
            },
            Kind::Call(operation, args) => {
                let args: Result<Vec<Value>, _> = args.iter().map(|arg| self.value(arg, b)).collect();
                operation.apply(&args?, b).map_err(here)
            }
            Kind::Binary(sign, x, y) => {
                let (x, y) = (self.value(x, b)?, self.value(y, b)?);
                binary::binary(sign, &x, &y, b).map_err(here)
            }
            Kind::Apply(relation, argument) => {
                let (relation, argument) = (self.value(relation, b)?, self.value(argument, b)?);
                apply(&relation, &argument, b).map_err(here)
            }
            Kind::Power(base, exponent) => {
                let base = self.value(base, b)?;
                power(&base, exponent, b).map_err(here)
            }
        }
    }
}

/// A set or relation in isl's notation, which starts at `pos`.
fn literal(text: &str, pos: Pos) -> Result<Value, (Pos, Failure)> {
    let at = |error: ParseError| {
        let col = if error.line == 1 {
            pos.col + error.col - 1
        } else {
            error.col
        };
        let pos = Pos {
            line: pos.line + error.line - 1,
            col,
        };
        (pos, Failure::Misuse(error.message))
    };
    match (text.parse::<UnionSet>(), text.parse::<UnionMap>()) {
        (Ok(set), _) => Ok(Value::Set(set)),
        (_, Ok(map)) => Ok(Value::Map(map)),
        // The reading that comes further is the one that was meant.
        (Err(set), Err(map)) if (set.line, set.col) >= (map.line, map.col) => Err(at(set)),
        (_, Err(map)) => Err(at(map)),
    }
}

/// The image of a set, or the composition with a relation.
fn apply(relation: &Value, argument: &Value, b: &Budget) -> Computed {
    Ok(match (relation, argument) {
        (Value::Map(relation), Value::Set(set)) => Value::Set(set.apply(relation, b)?),
        (Value::Map(relation), Value::Map(first)) => Value::Map(first.apply_range(relation, b)?),
        (Value::Function(function), Value::Function(args)) => match function.pullback(args, b)? {
            Some(function) => Value::Function(function),
            None => return misuse("some element has two images"),
        },
        _ => {
            return misuse(format!(
                "a {} is not applied to a {}",
                relation.type_name(),
                argument.type_name()
            ));
        }
    })
}

fn power(base: &Value, exponent: &Power, b: &Budget) -> Computed {
    let Value::Map(relation) = base else {
        return misuse(format!("a power of a {}: expected a relation", base.type_name()));
    };
    match exponent {
        Power::Inverse => Ok(Value::Map(relation.reverse())),
        Power::Closure => Ok(Value::Map(operations::closure(relation, b)?.value.into())),
        Power::Number(number) => {
            let mut out = relation.clone();
            for _ in 1..*number {
                b.spend(1)?;
                out = out.apply_range(relation, b)?;
            }
            Ok(Value::Map(out))
        }
    }
}
