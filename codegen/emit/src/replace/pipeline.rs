//! Loops whose iterations overlap: the rows and steps of a `pipeline` mark.
//!
//! A row is an iteration of a parallel loop that waits for the row before it. Markers say where:
//!
//! ```text
//! for (row ..)                    between markers, as any parallel loop
//!   for (step ..) {
//!     wait(row, step)             until the row before has done this step, and all before it
//!     ..
//!     done(row, step)
//!   }
//!   end(row)                      when the row before has ended
//! ```
//!
//! The steps of a row may be in several loops, one behind the other. What a loop has done counts as far as no loop behind it has a step
//! that is as early. What is in no loop over steps waits for all of the row before.

use std::collections::HashMap;

use farkas_llvm::inkwell::values::IntValue;
use farkas_polyhedral::ast::rows::{is_rows, is_steps};
use farkas_polyhedral::ast::{self, For, IterId, Node};

use super::Emitter;
use crate::arith::BUILDS;
use crate::threads::{self, Progress};

/// A row that is being emitted.
pub(super) struct Row<'a> {
    /// Its number.
    number: IntValue<'a>,
    /// For each loop over steps, the last step that it may say is done; `None` where there is no other loop behind it. What is not here
    /// says nothing.
    done_at_most: HashMap<IterId, Option<IntValue<'a>>>,
    /// Whether this is in a loop over steps.
    in_steps: bool,
}

/// What is in a row, in order: a loop over steps, where conditions hold, or something else.
enum Part<'n> {
    Steps(&'n For, Vec<Condition<'n>>),
    Other,
}

/// A condition, and whether it is to hold.
type Condition<'n> = (&'n ast::Condition, bool);

/// Adds the parts of a node under conditions, of which the last one is the innermost.
fn parts<'n>(node: &'n Node, conditions: &[Condition<'n>], into: &mut Vec<Part<'n>>) {
    match node {
        Node::Block(nodes) => nodes.iter().for_each(|node| parts(node, conditions, into)),
        Node::Mark { body, .. } => parts(body, conditions, into),
        Node::For(node) if is_steps(node) => into.push(Part::Steps(node, conditions.to_vec())),
        Node::For(_) | Node::Call(_) => into.push(Part::Other),
        Node::If {
            condition,
            then,
            otherwise,
        } => {
            let mut side = |node, holds| parts(node, &[conditions, &[(condition, holds)]].concat(), into);
            side(then, true);
            otherwise.iter().for_each(|otherwise| side(otherwise, false));
        }
    }
}

impl<'a> Emitter<'_, 'a, '_> {
    /// An iteration of a loop over rows or steps.
    pub(super) fn overlapping(&mut self, node: &For, iter: IntValue<'a>) {
        if is_rows(node) {
            let first = self.first_row.expect("the first row of a pipeline");
            let number = self.builder.build_int_nsw_sub(iter, first, "").expect(BUILDS);
            self.begin_row(node, number);
            self.node(&node.body);
            self.end_row();
        } else {
            self.begin_step(iter);
            self.node(&node.body);
            self.end_step(node, iter);
        }
    }

    /// Begins a row with this number, where the builder stands.
    fn begin_row(&mut self, node: &For, number: IntValue<'a>) {
        let mut all = Vec::new();
        parts(&node.body, &[], &mut all);
        let mut done_at_most = HashMap::new();
        let mut behind: Option<IntValue<'a>> = None;
        for part in all.iter().rev() {
            let Part::Steps(steps, conditions) = part else { break };
            done_at_most.insert(steps.iter, behind);
            let first = self.first_step(steps, conditions);
            let one = self.i64.const_int(1, false);
            let before = self.builder.build_int_nsw_sub(first, one, "").expect(BUILDS);
            behind = Some(behind.map_or(before, |behind| self.least(before, behind)));
        }
        self.row = Some(Row {
            number,
            done_at_most,
            in_steps: false,
        });
    }

    /// The first step of a loop that is executed under conditions; the largest number where it is not. Neither the loop's bound nor a
    /// condition need make sense where those outside do not hold: a choice does not look at what is not chosen.
    fn first_step(&self, steps: &For, conditions: &[Condition<'_>]) -> IntValue<'a> {
        let never = self.i64.const_int(i64::MAX as u64, true);
        let lower = self.arith().expr(&steps.lower);
        conditions.iter().rev().fold(lower, |first, (condition, holds)| {
            let condition = self.arith().condition(condition);
            let (then, otherwise) = if *holds { (first, never) } else { (never, first) };
            let first = self.builder.build_select(condition, then, otherwise, "");
            first.expect(BUILDS).into_int_value()
        })
    }

    /// Ends the row, where the builder stands.
    fn end_row(&mut self) {
        let row = self.row.take().expect("a row that was begun");
        threads::progress(self.run.context(), self.builder, Progress::End { row: row.number });
    }

    /// Waits for all of the row before, if this is in a row, and not in its steps.
    pub(super) fn wait_for_row(&self) {
        let Some(row) = self.row.as_ref().filter(|row| !row.in_steps) else {
            return;
        };
        let step = self.i64.const_int(i64::MAX as u64, true);
        let wait = Progress::Wait { row: row.number, step };
        threads::progress(self.run.context(), self.builder, wait);
    }

    /// Waits until the row before has done a step.
    fn begin_step(&mut self, step: IntValue<'a>) {
        let Some(row) = &mut self.row else { return };
        row.in_steps = true;
        let wait = Progress::Wait { row: row.number, step };
        threads::progress(self.run.context(), self.builder, wait);
    }

    /// Says that a step of a loop is done.
    fn end_step(&mut self, node: &For, step: IntValue<'a>) {
        let Some(row) = &mut self.row else { return };
        row.in_steps = false;
        let number = row.number;
        let Some(at_most) = row.done_at_most.get(&node.iter).copied() else {
            return;
        };
        let step = at_most.map_or(step, |at_most| self.least(step, at_most));
        let done = Progress::Done { row: number, step };
        threads::progress(self.run.context(), self.builder, done);
    }
}
