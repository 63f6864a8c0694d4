//! What a report says of a loop nest.

use std::fmt::{self, Display};

use farkas_polyhedral::program::Program;

use crate::record::Record;

/// What became of a nest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It has new loops.
    Transformed,
    /// It has a model, and stays as it is.
    Kept,
    /// It has no model.
    Declined,
}

/// What is known of a nest. Everything but the name and the outcome may be missing.
#[derive(Clone, Debug)]
pub struct RegionReport {
    /// The function or the program.
    pub name: String,
    /// Where it is in the source.
    pub place: Option<Place>,
    /// What became of it.
    pub outcome: Outcome,
    /// What was done, or why nothing was, in a sentence.
    pub summary: String,
    /// How many times as fast it is expected to be, where that is worth mentioning.
    pub gain: Option<String>,
    /// What there is to say besides: the sizes, the checks at run time, advice.
    pub facts: Vec<Fact>,
    /// Its lines in the source.
    pub source: Option<SourceLines>,
    /// Its model.
    pub model: Option<Model>,
    /// What the stages of planning printed.
    pub stages: Record,
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if it is not known.
    pub column: u32,
    /// The function that the nest is in, if the place is a call of it.
    pub inlined: Option<String>,
}

impl Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)?;
        match &self.inlined {
            Some(function) => write!(f, ", where {function} is inlined"),
            None => Ok(()),
        }
    }
}

/// Something that has a name and a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What it is about.
    pub name: &'static str,
    /// What there is to say.
    pub text: String,
}

/// Lines of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLines {
    /// The number of the first one, from 1.
    pub first: u32,
    /// The lines.
    pub lines: Vec<String>,
}

/// The polyhedral model of a nest.
#[derive(Clone, Debug)]
pub struct Model {
    /// The model.
    pub program: Program,
    /// Its text, with what is only in comments.
    pub text: String,
}

impl RegionReport {
    /// A report of which the rest is filled in as it is known.
    pub fn new(name: impl Into<String>, outcome: Outcome, summary: impl Into<String>) -> RegionReport {
        RegionReport {
            name: name.into(),
            place: None,
            outcome,
            summary: summary.into(),
            gain: None,
            facts: Vec::new(),
            source: None,
            model: None,
            stages: Record::default(),
        }
    }
}
