//! Orders in strips of a loop, with panels and node splitting.

use std::cell::OnceCell;
use std::rc::Rc;

use farkas_polyhedral::budget::{Budget, OutOfBudget, Outcome};
use farkas_polyhedral::program::{NodeSplitting, Program};
use farkas_polyhedral::sets::UnionMap;
use farkas_polyhedral::tree::Tree;

use super::orders::{CheckedOrder, Search};
use super::{Form, Kept, Problem, Stage, UNITS_BEHIND, UNITS_OF_PANELS};
use crate::check::{Checked, check_split_order};
use crate::choices::Parallel;
use crate::dependences::ByArray;
use crate::expansion::{PanelQuestion, PanelStrips};
use crate::transform::Transform;

/// One part in so many of the budget may be spent on finding panels.
const SHARE: u64 = 4;

/// What a program in panels is of.
#[derive(Clone, Debug)]
pub(super) struct Unsplit {
    /// The program of whole statements.
    pub(super) program: Program,
    /// What keeps an iteration of a loop waiting for another one there.
    pub(super) serializing: UnionMap,
    pub(super) strips: PanelStrips,
}

impl Unsplit {
    /// What was done to the program.
    pub(super) fn transforms(&self) -> Vec<Transform> {
        let copies = self.strips.split.copies.iter();
        let mut statements: Vec<_> = copies.map(|copy| copy.statement.clone()).collect();
        statements.dedup();
        vec![Transform::SplitNodes {
            statements,
            strip: self.strips.size,
        }]
    }

    /// Checks a tree over the program with no more copies than a strip needs.
    pub(super) fn check(&self, problem: &Problem, tree: &Tree, b: &Budget) -> Outcome<Checked> {
        let (program, split) = (&self.program, &self.strips.split);
        check_split_order((program, &problem.assumed), (split, &problem.assumed), tree, b)
    }
}

impl Search<'_> {
    /// The order that was found, or one in strips of the outermost loop, whose panels are computed first, if that is better, with its problem. It has work
    /// of its own: there are several pieces of each statement.
    pub(super) fn or_in_panels(
        &self,
        found: Result<(Problem, CheckedOrder), Kept>,
    ) -> Result<(Problem, CheckedOrder), Kept> {
        let is_given = self.problem.has_plain_statements() && self.problem.border.is_none();
        if !is_given || self.choices.parallel != Parallel::Never {
            return found;
        }
        self.b.at_least(UNITS_OF_PANELS, |b| {
            let strips = b.trial(b.left() / SHARE, |b| {
                let question = PanelQuestion {
                    program: &self.problem.program,
                    assumed: &self.problem.assumed,
                    without_copies: &self.choices.without_copies,
                    chosen: self.choices.tile_sizes.as_ref().and_then(|sizes| sizes.of_band(1)?[0]),
                    b,
                };
                question.panel_strips()
            });
            match strips {
                Ok(Ok(Some(strips))) => self.or_other(found, (b, b.left()), |b| self.in_panels(&strips, b)),
                Ok(Ok(None)) => found,
                Ok(Err(OutOfBudget)) | Err(OutOfBudget) => {
                    log::debug!("panels are too costly to find");
                    found
                }
            }
        })
    }

    /// The best order in such strips, with its problem.
    fn in_panels(&self, strips: &PanelStrips, b: &Budget) -> Outcome<Option<(Problem, CheckedOrder)>> {
        let problem = self.problem.in_panels(strips, b)?;
        log::debug!("panels: {} units of work left", b.left());
        let order = problem.fixed(b)?;
        let tree = strips.tree(&problem.program);
        (self.show)(Stage::Schedule, &tree);
        let search = Search {
            problem: &problem,
            b,
            ..*self
        };
        search.of_problem(&problem, Ok(tree), order)
    }
}

impl Problem {
    /// The problem of a program in panels.
    fn in_panels(&self, strips: &PanelStrips, b: &Budget) -> Outcome<Problem> {
        let program = self.program.with_unbounded_node_splitting(&strips.split, b)?;
        Ok(Problem {
            dependences: ByArray::of_node_splitting(&self.program, &strips.split, b)?,
            threads_only: None,
            form: Form::InPanels(Rc::new(Unsplit {
                program: self.program.clone(),
                serializing: self.fixed(b)?.serializing.clone(),
                strips: strips.clone(),
            })),
            program,
            fixed: OnceCell::new(),
            ..self.clone()
        })
    }

    /// What the loops of an order that gains may take in any case.
    pub(super) fn units_of_loops(&self) -> u64 {
        match &self.form {
            Form::InPanels(_) => UNITS_OF_PANELS,
            Form::Given | Form::InPieces(_) | Form::Expanded(_) => UNITS_BEHIND,
        }
    }

    /// The pieces of statements, and the copies, that an order is of.
    pub(super) fn node_splitting(&self) -> Option<&NodeSplitting> {
        match &self.form {
            Form::InPanels(unsplit) => Some(&unsplit.strips.split),
            Form::Given | Form::InPieces(_) | Form::Expanded(_) => None,
        }
    }
}
