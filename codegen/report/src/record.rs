//! What the stages of planning print, kept for a report.

use std::cell::RefCell;
use std::fmt::Display;

use farkas_plan::Stage;
use farkas_polyhedral::tree::Tree;

/// The texts of stages, in the order in which they came.
#[derive(Clone, Debug, Default)]
pub struct Record(RefCell<Vec<(Stage, String)>>);

impl Record {
    /// Keeps what a stage prints.
    pub fn keep(&self, stage: Stage, text: &dyn Display) {
        self.0.borrow_mut().push((stage, text.to_string()));
    }

    /// Adds what another record has.
    pub fn append(&self, other: Record) {
        self.0.borrow_mut().extend(other.0.into_inner());
    }

    /// All that a stage printed.
    pub(crate) fn text(&self, stage: Stage) -> String {
        let texts = self.0.borrow();
        let own = texts.iter().filter(|(other, _)| *other == stage);
        own.map(|(_, text)| &**text).collect()
    }

    /// The last tree that a stage printed.
    pub(crate) fn tree(&self, stage: Stage) -> Option<Tree> {
        let texts = self.0.borrow();
        let own = texts.iter().rev().filter(|(other, _)| *other == stage);
        own.filter(|(_, text)| !text.starts_with('#'))
            .find_map(|(_, text)| text.parse().ok())
    }
}
