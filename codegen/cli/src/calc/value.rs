//! What statements compute with.

use farkas_polyhedral::budget::OutOfBudget;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Map, Set, UnionMap, UnionPwMultiAff, UnionPwQuasiPolynomial, UnionSet};
use farkas_polyhedral::tree::Tree;
use std::fmt::{self, Display};

/// A value.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Set(UnionSet),
    Map(UnionMap),
    Function(UnionPwMultiAff),
    /// A number for each point of some tuples.
    QuasiPolynomial(UnionPwQuasiPolynomial),
    /// An order of instances: a schedule tree.
    Schedule(Box<Tree>),
    Answer(bool),
    Number(Int),
    Text(String),
}

impl Value {
    /// The name of the value's type.
    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Value::Set(_) => "set",
            Value::Map(_) => "map",
            Value::Function(_) => "function",
            Value::QuasiPolynomial(_) => "quasi-polynomial",
            Value::Schedule(_) => "schedule",
            Value::Answer(_) => "answer",
            Value::Number(_) => "number",
            Value::Text(_) => "string",
        }
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Set(set) => set.fmt(f),
            Value::Map(map) => map.fmt(f),
            Value::Function(function) => function.fmt(f),
            Value::QuasiPolynomial(numbers) => numbers.fmt(f),
            Value::Schedule(tree) => f.write_str(tree.to_string().trim_end()),
            Value::Answer(answer) => answer.fmt(f),
            Value::Number(number) => number.fmt(f),
            Value::Text(text) => text.fmt(f),
        }
    }
}

/// Why there is no value.
#[derive(Clone, Debug)]
pub(super) enum Failure {
    OutOfBudget,
    /// The operands are not ones of the operation, as the message says.
    Misuse(String),
}

impl From<OutOfBudget> for Failure {
    fn from(_: OutOfBudget) -> Self {
        Failure::OutOfBudget
    }
}

pub(super) type Computed = Result<Value, Failure>;

pub(super) fn misuse<T>(message: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::Misuse(message.into()))
}

/// The union of what `change` makes of the sets.
pub(super) fn each_set(union: &UnionSet, change: impl Fn(&Set) -> Result<Set, Failure>) -> Result<UnionSet, Failure> {
    let mut out = UnionSet::empty(union.params().clone());
    union.sets().try_for_each(|set| change(set).map(|set| out.add(&set)))?;
    Ok(out)
}

/// The union of what `change` makes of the relations.
pub(super) fn each_map(union: &UnionMap, change: impl Fn(&Map) -> Result<Map, Failure>) -> Result<UnionMap, Failure> {
    let mut out = UnionMap::empty(union.params().clone());
    union.maps().try_for_each(|map| change(map).map(|map| out.add(&map)))?;
    Ok(out)
}
