//! The values that have names, and what statements do with them.

use super::lexer::{self, Error, Pos};
use super::syntax::{self, Expr, Kind, Statement};
use super::value::{Computed, Failure, Value, misuse};
use super::{binary, files, help, order, power};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{UnionMap, UnionSet};
use farkas_polyhedral::text::ParseError;
use std::collections::HashMap;
use std::path::PathBuf;

/// The values that have names.
pub(super) struct Session {
    names: HashMap<String, Value>,
    /// The work that one statement may cost.
    budget: u64,
}

/// What a statement comes to.
pub(super) enum Outcome {
    Silent,
    Shown(String),
    /// The statements of a file come next. With the place of its name.
    Source(PathBuf, Pos),
    Quit,
}

impl Session {
    /// A session without names.
    pub(super) fn new(budget: u64) -> Session {
        Session {
            names: HashMap::new(),
            budget,
        }
    }

    /// Computes the statement `text`, which starts at `pos`.
    ///
    /// # Errors
    ///
    /// If it is no statement, or one of the values in it cannot be computed.
    pub(super) fn statement(&mut self, text: &str, pos: Pos) -> Result<Outcome, Error> {
        let b = Budget::new(self.budget);
        match syntax::statement(lexer::tokens(text, pos)?)? {
            Statement::Nothing => Ok(Outcome::Silent),
            Statement::Quit => Ok(Outcome::Quit),
            Statement::Help(word) => help::statement(word).map(Outcome::Shown),
            Statement::Assign(name, value) => {
                // A name that has no value any more is not the value that it had.
                self.names.remove(&name);
                let value = self.located(&value, &b)?;
                self.names.insert(name, value);
                Ok(Outcome::Silent)
            }
            Statement::Print(value) => Ok(Outcome::Shown(self.located(&value, &b)?.to_string())),
            Statement::Assert(value) => match self.located(&value, &b)? {
                Value::Answer(true) => Ok(Outcome::Silent),
                Value::Answer(false) => value.pos.error("does not hold"),
                other => value.pos.error(format!("a {} is not asserted", other.type_name())),
            },
            Statement::Source(file, pos) => Ok(Outcome::Source(file.into(), pos)),
            Statement::Write(file, value) => {
                let text = self.located(&value, &b)?.to_string();
                files::write(&file, &text).or_else(|message| value.pos.error(message))?;
                Ok(Outcome::Silent)
            }
        }
    }

    fn located(&self, expr: &Expr, b: &Budget) -> Result<Value, Error> {
        self.value(expr, b).or_else(|(pos, failure)| match failure {
            Failure::OutOfBudget => pos.error("out of budget"),
            Failure::Misuse(message) => pos.error(message),
        })
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
            Kind::Before(before) => {
                let value = |expr| self.value(expr, b);
                let (source, sink) = (value(&before.source)?, value(&before.sink)?);
                let order = value(&before.order)?;
                order::before(before.last, &source, &sink, &order, b).map_err(here)
            }
            Kind::Schedule(wanted) => {
                let domain = self.value(&wanted.domain, b)?;
                let relation = |expr: &Option<Expr>| expr.as_ref().map(|expr| self.value(expr, b)).transpose();
                let (validity, proximity) = (relation(&wanted.validity)?, relation(&wanted.proximity)?);
                order::schedule(&domain, validity.as_ref(), proximity.as_ref(), b).map_err(here)
            }
            Kind::Apply(relation, argument) => {
                let (relation, argument) = (self.value(relation, b)?, self.value(argument, b)?);
                apply(&relation, &argument, b).map_err(here)
            }
            Kind::Power(base, exponent) => {
                let base = self.value(base, b)?;
                power::power(&base, exponent, b).map_err(here)
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
