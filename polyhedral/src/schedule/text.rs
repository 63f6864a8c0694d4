//! The text form of schedule constraints: isl's YAML.

use super::ScheduleConstraints;
use crate::sets::{Set, SetSpace, UnionMap};
use crate::text::ParseError;
use serde_yaml_ng::{Mapping, Value};
use std::fmt;
use std::str::FromStr;

/// Why a text does not give schedule constraints.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConstraintsError {
    /// It is not YAML.
    #[error("not YAML: {0}")]
    Yaml(String),
    /// A set or relation in it cannot be read.
    #[error("in `{key}`: {error}")]
    Notation {
        /// The key whose value it is.
        key: &'static str,
        /// What is wrong with it.
        error: ParseError,
    },
    /// Other keys or values than expected.
    #[error("{0}")]
    Structure(String),
}

/// `domain: ".."`, and optionally `context`, `validity`, `proximity` and `coincidence`. isl's conditional validity
/// constraints are refused.
impl FromStr for ScheduleConstraints {
    type Err = ConstraintsError;

    fn from_str(text: &str) -> Result<ScheduleConstraints, ConstraintsError> {
        let mapping: Mapping = serde_yaml_ng::from_str(text).map_err(|e| ConstraintsError::Yaml(e.to_string()))?;
        for (key, value) in &mapping {
            let known = ["domain", "context", "validity", "proximity", "coincidence"];
            if !key.as_str().is_some_and(|k| known.contains(&k)) || !value.is_string() {
                return Err(ConstraintsError::Structure(format!(
                    "unexpected entry {key:?}; known are {known:?}"
                )));
            }
        }
        let Some(domain) = notation(&mapping, "domain")? else {
            return Err(ConstraintsError::Structure("the key `domain` is missing".to_string()));
        };
        let domain: crate::sets::UnionSet = domain;
        let params = domain.params().clone();
        let relation = |key| Ok(notation(&mapping, key)?.unwrap_or_else(|| UnionMap::empty(params.clone())));
        let context: Option<Set> = notation(&mapping, "context")?;
        Ok(ScheduleConstraints {
            context: context.unwrap_or_else(|| Set::universe(SetSpace::params_only(params.clone()))),
            validity: relation("validity")?,
            proximity: relation("proximity")?,
            coincidence: relation("coincidence")?,
            domain,
        })
    }
}

fn notation<T: FromStr<Err = ParseError>>(mapping: &Mapping, key: &'static str) -> Result<Option<T>, ConstraintsError> {
    let text = mapping.get(key).and_then(Value::as_str);
    text.map(str::parse)
        .transpose()
        .map_err(|error| ConstraintsError::Notation { key, error })
}

impl fmt::Display for ScheduleConstraints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "domain: \"{}\"", self.domain)?;
        writeln!(f, "context: \"{}\"", self.context)?;
        writeln!(f, "validity: \"{}\"", self.validity)?;
        writeln!(f, "proximity: \"{}\"", self.proximity)?;
        writeln!(f, "coincidence: \"{}\"", self.coincidence)
    }
}
