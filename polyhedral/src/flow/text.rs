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
use crate::text::entries::{Entry, entries};
use crate::text::{EntryError, ParseError};
use crate::tree::{Tree, TreeError};

/// Why a text does not give accesses or dependences.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FlowError {
    /// It does not consist of entries.
    #[error(transparent)]
    Entry(#[from] EntryError),
    /// A relation in it cannot be read.
    #[error("line {line}: in `{key}`: {error}")]
    Notation {
        /// The line of the entry.
        line: usize,
        /// The key of the entry.
        key: String,
        /// What is wrong with its value.
        error: ParseError,
    },
    /// The schedule tree in it cannot be read.
    #[error("in `schedule`: {0}")]
    Tree(#[from] TreeError),
    /// What it gives as the schedule is none.
    #[error("the schedule: {0}")]
    Order(#[from] OrderError),
    /// Other keys than expected.
    #[error("{0}")]
    Structure(String),
}

/// The entries of a text, each with one of the keys `known` and no two with the same.
fn checked(text: &str, known: &[&str]) -> Result<Vec<Entry>, FlowError> {
    let found = entries(text)?;
    for (position, Entry { key, line, .. }) in found.iter().enumerate() {
        if !known.contains(&key.as_str()) {
            let message = format!("line {line}: unexpected key `{key}`; known are {}", known.join(", "));
            return Err(FlowError::Structure(message));
        }
        if found[..position].iter().any(|earlier| earlier.key == *key) {
            return Err(FlowError::Structure(format!("line {line}: a second `{key}`")));
        }
    }
    Ok(found)
}

fn relation(found: &[Entry], key: &str) -> Result<Option<UnionMap>, FlowError> {
    let Some(entry) = found.iter().find(|entry| entry.key == key) else {
        return Ok(None);
    };
    let parsed = entry.value.parse().map_err(|error| FlowError::Notation {
        line: entry.line,
        key: key.to_string(),
        error,
    })?;
    Ok(Some(parsed))
}

fn missing<T>(value: Option<T>, key: &str) -> Result<T, FlowError> {
    value.ok_or_else(|| FlowError::Structure(format!("the key `{key}` is missing")))
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
        let sink = missing(relation(&found, "sink")?, "sink")?;
        let map = relation(&found, "schedule_map")?;
        let tree = found.iter().find(|entry| entry.key == "schedule");
        let order = match (map, tree) {
            (Some(map), None) => Order::from_map(&map, b)?,
            (None, Some(tree)) => Order::from_tree(&aligned(&tree.value).parse::<Tree>()?, b)?,
            (Some(_), Some(_)) => {
                let message = "there are both `schedule_map` and `schedule`".to_string();
                return Err(FlowError::Structure(message));
            }
            (None, None) => return missing(None, "schedule_map"),
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

/// An indented block of lines, of which the first one has lost its indentation, without that of the others.
fn aligned(block: &str) -> String {
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let rest = block.lines().skip(1).filter(|line| !line.trim().is_empty());
    let common = rest.map(indentation).min().unwrap_or(0);
    let lines = block
        .lines()
        .map(|line| line.get(common.min(indentation(line))..).unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

impl FromStr for Flow {
    type Err = FlowError;

    fn from_str(text: &str) -> Result<Flow, FlowError> {
        let known = ["must_dependence", "may_dependence", "must_no_source", "may_no_source"];
        let found = checked(text, &known)?;
        let required = |key| missing(relation(&found, key)?, key);
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
