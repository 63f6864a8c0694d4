//! The text forms of [`AccessInfo`] and [`Flow`]: isl's `.ai` and `.flow` files.
//!
//! ```text
//! sink: { S[] -> a[] }                                  must_dependence: "{ T[i = 9] -> [S[] -> a[]] }"
//! must_source: { T[i] -> a[] : 0 <= i < 10 }            may_dependence: "{ T[i = 9] -> [S[] -> a[]] }"
//! schedule_map: { T[i] -> [0, i]; S[] -> [1, 0] }       must_no_source: "{ }"
//!                                                       may_no_source: "{ }"
//! ```
//!
//! In the place of `schedule_map` there may be `schedule` with a schedule tree. `may_source` and `kill` are optional, as is
//! `must_source`.

use std::fmt;
use std::str::FromStr;

use super::{AccessInfo, Flow, Order, OrderError};
use crate::budget::Budget;
use crate::sets::UnionMap;
use crate::text::ParseError;
use crate::text::entries::{Entry, entries, missing};
use crate::tree::Tree;

/// Why a text does not give accesses or dependences.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FlowError {
    /// It does not have the entries that it should have, or one of them cannot be read.
    #[error(transparent)]
    Text(#[from] ParseError),
    /// What it gives as the schedule is none.
    #[error("{line}:1: in `{key}`: {error}")]
    Order {
        /// The line of the schedule.
        line: usize,
        /// Its key.
        key: String,
        /// What is wrong with it.
        error: OrderError,
    },
}

/// The entries of a text, each with one of the keys `known` and no two with the same.
fn checked(text: &str, known: &[&str]) -> Result<Vec<Entry>, ParseError> {
    let found = entries(text)?;
    for (position, entry) in found.iter().enumerate() {
        let key = &entry.key;
        if !known.contains(&key.as_str()) {
            return Err(entry.error(format!("unexpected key `{key}`; known are {}", known.join(", "))));
        }
        if found[..position].iter().any(|earlier| earlier.key == *key) {
            return Err(entry.error(format!("a second `{key}`")));
        }
    }
    Ok(found)
}

fn relation(found: &[Entry], key: &str) -> Result<Option<UnionMap>, ParseError> {
    let Some(entry) = found.iter().find(|entry| entry.key == key) else {
        return Ok(None);
    };
    let parsed = entry.value.parse().map_err(|error| entry.in_text(error))?;
    Ok(Some(parsed))
}

impl AccessInfo {
    /// Reads a `.ai` file.
    ///
    /// # Errors
    ///
    /// If the text is none, or if the budget is spent on its schedule.
    pub fn parse(text: &str, b: &Budget) -> Result<AccessInfo, FlowError> {
        let known = ["sink", "must_source", "may_source", "kill", "schedule_map", "schedule"];
        let found = checked(text, &known)?;
        let sink = relation(&found, "sink")?.ok_or_else(|| missing("sink"))?;
        let entry = |key: &str| found.iter().find(|entry| entry.key == key);
        let order = match (entry("schedule_map"), entry("schedule")) {
            (Some(map), None) => {
                let relation = map.value.parse().map_err(|error| map.in_text(error))?;
                Order::from_map(&relation, b).map_err(|error| order_error(map, error))?
            }
            (None, Some(entry)) => Order::from_tree(&tree(entry)?, b).map_err(|error| order_error(entry, error))?,
            (Some(_), Some(tree)) => {
                return Err(tree
                    .error("there are both `schedule_map` and `schedule`".to_string())
                    .into());
            }
            (None, None) => return Err(missing("schedule_map").into()),
        };
        let relation = |key| self::relation(&found, key);
        let none = UnionMap::empty(sink.params().clone());
        Ok(AccessInfo {
            may_source: relation("may_source")?.unwrap_or_else(|| none.clone()),
            must_source: relation("must_source")?.unwrap_or_else(|| none.clone()),
            kill: relation("kill")?.unwrap_or(none),
            sink,
            order,
        })
    }
}

fn order_error(entry: &Entry, error: OrderError) -> FlowError {
    FlowError::Order {
        line: entry.line,
        key: entry.key.clone(),
        error,
    }
}

/// The schedule tree in an entry: an indented block of lines, of which the first one has lost its indentation.
fn tree(entry: &Entry) -> Result<Tree, ParseError> {
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let rest = entry.value.lines().skip(1).filter(|line| !line.trim().is_empty());
    let common = rest.map(indentation).min().unwrap_or(0);
    let indented = " ".repeat(common) + &entry.value;
    indented.parse().map_err(|error: ParseError| {
        let added = if error.line == 1 { common } else { 0 };
        entry.in_text(ParseError {
            col: error.col.saturating_sub(added).max(1),
            ..error
        })
    })
}

impl FromStr for Flow {
    type Err = FlowError;

    fn from_str(text: &str) -> Result<Flow, FlowError> {
        let known = ["must_dependence", "may_dependence", "must_no_source", "may_no_source"];
        let found = checked(text, &known)?;
        let required = |key| relation(&found, key)?.ok_or_else(|| missing(key));
        Ok(Flow {
            full_must: required("must_dependence")?,
            full_may: required("may_dependence")?,
            must_no_source: required("must_no_source")?,
            may_no_source: required("may_no_source")?,
        })
    }
}

impl fmt::Display for Flow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "must_dependence: \"{}\"", self.full_must)?;
        writeln!(f, "may_dependence: \"{}\"", self.full_may)?;
        writeln!(f, "must_no_source: \"{}\"", self.must_no_source)?;
        writeln!(f, "may_no_source: \"{}\"", self.may_no_source)
    }
}
