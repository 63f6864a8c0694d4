//! The text form of a target: TOML.
//!
//! The keys are the names of the fields of [`Target`] and the types in it, where each is described. Printing and reading
//! again gives the same target. A file may start from a preset, `base = "NAME"`, and say only what is different; so may
//! the table `gpu`. Tables are merged key by key; `caches` is replaced as a whole.

use super::{Defect, Gpu, Target};
use serde::Serialize;
use std::fmt::{self, Write};
use std::str::FromStr;
use toml::{Table, Value};

/// Why a text is no target.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// The text is not TOML.
    #[error("line {line}, column {col}: {message}")]
    Syntax {
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        col: usize,
        /// What is wrong there.
        message: String,
    },
    /// A key is missing, is not known, or has a value of another type.
    #[error("{0}")]
    Field(String),
    /// `base` is no preset.
    #[error("there is no preset '{name}': expected one of {}", .expected.join(", "))]
    UnknownBase {
        /// What was asked for.
        name: String,
        /// The presets.
        expected: Vec<&'static str>,
    },
    /// The numbers do not fit together.
    #[error("{}", list(.0))]
    Invalid(Vec<Defect>),
}

fn list(defects: &[Defect]) -> String {
    let lines: Vec<String> = defects.iter().map(Defect::to_string).collect();
    lines.join("; ")
}

impl FromStr for Target {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let table: Table = text.parse().map_err(|error| syntax_error(text, &error))?;
        let mut table = with_base(table, Target::preset, || Target::names().collect())?;
        if let Some(Value::Table(gpu)) = table.get_mut("gpu") {
            *gpu = with_base(std::mem::take(gpu), Gpu::preset, || Gpu::names().collect())?;
        }
        let target: Target = table
            .try_into()
            .map_err(|error: toml::de::Error| TargetError::Field(one_line(&error)))?;
        target.verify().map_err(TargetError::Invalid)?;
        Ok(target)
    }
}

/// The message of the parser with the place that it is about.
fn syntax_error(text: &str, error: &toml::de::Error) -> TargetError {
    let start = error.span().map_or(0, |span| span.start);
    let before = text.get(..start).unwrap_or(text);
    let last = before.rsplit('\n').next().unwrap_or_default();
    TargetError::Syntax {
        line: 1 + before.matches('\n').count(),
        col: 1 + last.chars().count(),
        message: error.message().to_string(),
    }
}

/// The message of a value that does not fit, with its key.
fn one_line(error: &toml::de::Error) -> String {
    error.to_string().trim_end().replace('\n', " ")
}

/// The table on top of the preset that its key `base` names, if it has one.
fn with_base<T: Serialize>(
    mut table: Table,
    preset: impl Fn(&str) -> Option<T>,
    names: impl Fn() -> Vec<&'static str>,
) -> Result<Table, TargetError> {
    let name = match table.remove("base") {
        None => return Ok(table),
        Some(Value::String(name)) => name,
        Some(other) => return Err(TargetError::Field(format!("base is {other}: expected a name"))),
    };
    let Some(base) = preset(&name) else {
        let expected = names();
        return Err(TargetError::UnknownBase { name, expected });
    };
    let mut merged = Table::try_from(base).map_err(|error| TargetError::Field(error.to_string()))?;
    merge(&mut merged, table);
    Ok(merged)
}

/// Replaces what `over` has, in tables key by key.
fn merge(under: &mut Table, over: Table) {
    for (key, value) in over {
        match (under.get_mut(&key), value) {
            (Some(Value::Table(under)), Value::Table(over)) => merge(under, over),
            (_, value) => {
                under.insert(key, value);
            }
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let table = Table::try_from(self).map_err(|_| fmt::Error)?;
        let (tables, values): (Vec<_>, Vec<_>) = table.iter().partition(|(_, value)| value.is_table());
        for (key, value) in values {
            writeln!(f, "{key} = {}", rows(value))?;
        }
        for (key, value) in tables {
            writeln!(f, "\n[{key}]")?;
            for (key, value) in value.as_table().into_iter().flatten() {
                writeln!(f, "{key} = {}", inline(value))?;
            }
        }
        Ok(())
    }
}

/// A value on one line, but each table of an array on a line of its own.
fn rows(value: &Value) -> String {
    match value {
        Value::Array(elements) if elements.iter().all(Value::is_table) => {
            let mut text = String::from("[\n");
            for element in elements {
                // Writing to a string does not fail.
                let _ = writeln!(text, "    {},", inline(element));
            }
            text + "]"
        }
        other => inline(other),
    }
}

/// A value on one line.
fn inline(value: &Value) -> String {
    match value {
        Value::Table(table) => {
            let entries: Vec<String> = table
                .iter()
                .map(|(key, value)| format!("{key} = {}", inline(value)))
                .collect();
            format!("{{ {} }}", entries.join(", "))
        }
        other => other.to_string(),
    }
}
