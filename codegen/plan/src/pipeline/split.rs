//! Orders of pieces of statements, by index-set splitting.

use std::cell::OnceCell;
use std::rc::Rc;

use farkas_polyhedral::budget::{Budget, OutOfBudget, Outcome};
use farkas_polyhedral::program::Program;
use farkas_polyhedral::sets::UnionMap;
use farkas_polyhedral::tree::{RewriteError, Tree};

use super::orders::{CheckedOrder, Search};
use super::{Form, Kept, Problem, spent_or};
use crate::analysis::linear;
use crate::candidates::Rejection;
use crate::cost::Model;
use crate::dependences::Order;
use crate::splitting::{self, Cuts, Pieces, with_split_loops};

/// An order of pieces has to take at most this share of the time of one of whole statements.
const SPLIT: f64 = 0.9;

/// The statements that a program of pieces is of.
#[derive(Clone, Debug)]
pub(super) struct Whole {
    pub(super) program: Program,
    /// What keeps an iteration of a loop waiting for another one.
    pub(super) serializing: UnionMap,
    pub(super) pieces: Pieces,
}

impl Problem {
    /// The program of whole statements, and a tree over its statements.
    pub(super) fn of_whole(&self, tree: &Tree, b: &Budget) -> Result<(&Program, Tree), RewriteError> {
        match &self.form {
            Form::InPieces(whole) => Ok((&whole.program, whole.pieces.undo(tree, b)?)),
            Form::Given | Form::Expanded(_) | Form::InPanels(_) => Ok((&self.program, tree.clone())),
        }
    }

    /// The program of whole statements, without expansion; with node splitting that of pieces.
    pub(super) fn original(&self) -> &Program {
        match &self.form {
            Form::Given | Form::InPanels(_) => &self.program,
            Form::InPieces(whole) => &whole.program,
            Form::Expanded(unexpanded) => &unexpanded.program,
        }
    }

    /// The order that keeps all live ranges in order.
    pub(super) fn fixed(&self, b: &Budget) -> Outcome<&Order> {
        if let Some(known) = self.fixed.get() {
            return Ok(known);
        }
        let order = Order::fixed(&self.program, &self.assumed, &self.dependences, b)?;
        Ok(self.fixed.get_or_init(|| order))
    }
}

/// The cost model of a program, and that of the program as it was given, if that is another one.
pub(super) struct Models<'m> {
    pub(super) own: Model<'m>,
    pub(super) original: Option<Model<'m>>,
}

impl<'m> Models<'m> {
    /// The model of the original program.
    pub(super) fn original(&self) -> &Model<'m> {
        self.original.as_ref().unwrap_or(&self.own)
    }
}

/// Loops that may be split, in the original order of a program or in another one.
pub(super) struct Splitting {
    /// The program, in the order in which loops are split.
    program: Program,
    cuts: Vec<Cuts>,
}

/// The ways to split loops of a program, best first.
pub(super) fn candidates(program: &Program, b: &Budget) -> Outcome<Vec<Splitting>> {
    let linear = linear::statements(program);
    let mut out = Vec::new();
    if splitting::may_be_cut(program, &linear) {
        let interchanged = splitting::with_consecutive_innermost(program, &linear);
        for program in interchanged.into_iter().chain([program.clone()]) {
            let cuts = splitting::candidates(&program, b)?;
            if !cuts.is_empty() {
                out.push(Splitting { program, cuts });
            }
        }
    }
    Ok(out)
}

impl Search<'_> {
    /// An order of whole statements, or one with split loops that is better, with its problem.
    pub(super) fn or_split(
        &self,
        splittings: &[Splitting],
        order: Result<CheckedOrder, Kept>,
    ) -> Result<(Problem, CheckedOrder), Kept> {
        match &order {
            Err(Kept::OutOfBudget) => return Err(Kept::OutOfBudget),
            Err(reason) => self.considered.reject_all(&Rejection::Kept(reason.clone())),
            Ok(_) => {}
        }
        for splitting in splittings {
            if let Some(split) = self.split(splitting, order.as_ref().ok())? {
                return Ok(split);
            }
        }
        Ok((self.problem.clone(), order?))
    }

    /// The order in which the loops that cuts help are split, with its problem: if there is one, and it is better than the one
    /// that was found without.
    fn split(&self, splitting: &Splitting, found: Option<&CheckedOrder>) -> Outcome<Option<(Problem, CheckedOrder)>> {
        let share = self.b.left() / 2;
        let first = self.considered.next();
        let reject = |reason: Kept| self.considered.reject_from(first, &Rejection::Kept(reason));
        let split = self.b.trial(share, |b| {
            let order = self.problem.fixed(b)?;
            let Some((problem, whole)) = self.problem.in_pieces(splitting, order, b)? else {
                return Ok(None);
            };
            let scheduled = found.map(|found| found.variants.scheduled());
            let pieces = &whole.pieces;
            let kept_apart = pieces.between(&order.constraints.coincidence, b)?;
            let Some(tree) = with_split_loops(&problem.program, pieces, &kept_apart, scheduled, &problem.assumed, b)?
            else {
                return Ok(None);
            };
            let order = order.between(pieces, b)?;
            let improved = Search {
                problem: &problem,
                b,
                ..*self
            };
            match spent_or(improved.improved_from(&tree, &order))? {
                Ok(improved) => Ok(Some((problem, improved))),
                Err(reason) => {
                    log::debug!("with split index sets: {reason}");
                    reject(reason);
                    Ok(None)
                }
            }
        })?;
        let (problem, order) = match split {
            Ok(Some(split)) => split,
            Ok(None) => return Ok(None),
            Err(OutOfBudget) => {
                reject(Kept::OutOfBudget);
                return Ok(None);
            }
        };
        Ok(match found {
            Some(found) => self.is_instead_of(found, &order, SPLIT).then_some((problem, order)),
            None => Some((problem, order)),
        })
    }
}

impl Problem {
    /// The problem of the pieces that cuts make of the statements, and the statements; `None` where they are of no use.
    fn in_pieces(&self, splitting: &Splitting, order: &Order, b: &Budget) -> Outcome<Option<(Problem, Rc<Whole>)>> {
        let Splitting { program, cuts } = splitting;
        let Some(pieces) = Pieces::of(program, cuts, &order.constraints.coincidence, b)? else {
            return Ok(None);
        };
        let problem = Problem {
            program: pieces.apply(program),
            threads_only: None,
            fixed: OnceCell::new(),
            ..self.clone()
        };
        let whole = Rc::new(Whole {
            program: self.program.clone(),
            serializing: order.serializing.clone(),
            pieces,
        });
        let form = Form::InPieces(Rc::clone(&whole));
        Ok(Some((Problem { form, ..problem }, whole)))
    }
}
