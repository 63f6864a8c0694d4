//! Loops of the new code, around statements and other loops: `for (iter = lower; iter < upper + 1; iter += step)`.
//!
//! A loop whose iterations are lanes is [vector code](super::around_lanes) as far as that is possible, and one that runs on threads is
//! [parallel](super::parallel). All others come from here.

use std::mem;

use farkas_llvm::edit::Metadata;
use farkas_llvm::inkwell::IntPredicate;
use farkas_llvm::inkwell::basic_block::BasicBlock;
use farkas_llvm::inkwell::values::{IntValue, PhiValue};
use farkas_llvm::value::{Block, Value};
use farkas_polyhedral::ast::rows::{is_rows, is_steps, may_fork};
use farkas_polyhedral::ast::{Condition, For, TripCount, Upper};

use super::hints::Hints;
use super::kernel::Stages;
use super::subtree::has_loop;
use super::{Emitter, around_lanes};
use crate::arith::BUILDS;
use crate::vector;

/// What an iteration of an emitted loop executes of the AST's loop.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Iterations {
    /// The one with the iterator's value.
    OneByOne,
    /// Several, or another one, as where copies run ahead.
    Several,
}

/// The header of a loop that is being emitted.
#[derive(Clone, Copy)]
pub(super) struct Header<'a> {
    block: BasicBlock<'a>,
    body: BasicBlock<'a>,
    exit: BasicBlock<'a>,
    phi: PhiValue<'a>,
}

impl<'a> Header<'a> {
    pub(super) fn iter(&self) -> IntValue<'a> {
        self.phi.as_basic_value().into_int_value()
    }
}

impl<'a> Emitter<'_, 'a, '_> {
    /// Emits a loop that may have less iterations than lanes: vector code where it has all, if all statements have a vector form.
    /// In front of the last vector that is mostly so, and LLVM takes the test out of loops that it stays the same in.
    fn partial_vector_loop(&mut self, node: &For) -> bool {
        let are_lanes = !self.in_ends && node.is_annotated(For::LANES);
        let lanes = self.lanes.as_ref().filter(|_| are_lanes).map(|lanes| lanes.lanes);
        let Some((condition, full)) = lanes.and_then(|lanes| vector::full(node, lanes)) else {
            return false;
        };
        if !self.vector_loop(&full, false) {
            return false;
        }
        let holds = self.arith().condition(&condition);
        let (full_block, partial, next) = (
            self.block("farkas.full"),
            self.block("farkas.partial"),
            self.block("farkas.endif"),
        );
        self.builder
            .build_conditional_branch(holds, full_block, partial)
            .expect(BUILDS);
        self.builder.position_at_end(full_block);
        let scope = self.values.scope();
        self.vector_loop(&full, true);
        drop(scope);
        self.builder.build_unconditional_branch(next).expect(BUILDS);
        self.builder.position_at_end(partial);
        let scope = self.values.scope();
        if !self.masked_vector_loop(node) {
            self.scalar_loop(node);
        }
        drop(scope);
        self.builder.build_unconditional_branch(next).expect(BUILDS);
        self.builder.position_at_end(next);
        true
    }

    /// Emits a loop of at most as many iterations as lanes as vector code with a mask, if the `vector` mark says so and all statements
    /// have a vector form.
    fn masked_vector_loop(&mut self, node: &For) -> bool {
        if !self.lanes.as_ref().is_some_and(|lanes| lanes.has_mask(node)) || !self.vector_loop(node, false) {
            return false;
        }
        let bounds = self.bounds(node, &self.iters);
        let scope = self.values.scope();
        let behind = self.where_entered("farkas.masked", bounds);
        self.vector_loop(node, true);
        self.go_on_behind(behind);
        drop(scope);
        true
    }

    pub(super) fn for_loop(&mut self, node: &For) {
        if self.row.is_some() && is_steps(node) {
            return self.scalar_loop(node);
        }
        if let Some(stages) = self.stages_ahead() {
            let around = self.set_stages(Stages::None);
            if !self.staged_loop(node, stages) {
                self.for_loop(node);
            }
            self.set_stages(around);
            return;
        }
        if !(self.dealt_out_loop(node)
            || self.full_vector_loop(node)
            || self.partial_vector_loop(node)
            || self.masked_vector_loop(node))
        {
            self.scalar_loop(node);
        }
    }

    /// `for (iter = lower; iter < upper + 1; iter += step)`: the test against a successor is the form that LLVM counts.
    fn scalar_loop(&mut self, node: &For) {
        let lower = self.arith().expr(&node.lower);
        let end = match &node.upper {
            Upper::AtMost(upper) => {
                let arith = self.arith();
                Some(arith.sum(arith.expr(upper), self.i64.const_int(1, false)))
            }
            Upper::While(_) | Upper::Unbounded => None,
        };
        let trip_count = self.trip_counts[node.iter.0];
        match (self.parallel.take(), end) {
            // The member that the mark speaks of may have a single value, and no loop.
            (Some(parallel), Some(end)) if may_fork(node) => {
                self.parallel_loop(node, &parallel, (lower, end));
                self.parallel = Some(parallel);
            }
            (parallel, end) => {
                self.loop_between(node, (lower, end), trip_count);
                self.parallel = parallel;
            }
        }
    }

    /// Emits a loop from `lower` to below `end`.
    pub(super) fn loop_between(
        &mut self,
        node: &For,
        (lower, end): (IntValue<'a>, Option<IntValue<'a>>),
        trip_count: TripCount,
    ) {
        let overlaps = self.in_parallel && (is_rows(node) || self.row.is_some() && is_steps(node));
        if let Some(end) = end
            && !overlaps
            && self.loop_around_lanes(node, lower, end)
        {
            return;
        }
        let step = self.arith().constant(&node.step);
        let done_before = self.enter_loop_of_block(node);
        let scope = self.values.scope();
        let header = self.begin_loop(node, lower, Iterations::OneByOne);
        self.iters[node.iter.0] = Some(header.iter());
        let outside = self.innermost.replace((node.iter, lower));
        // A first test that always holds would be unswitched out of the loops around.
        let end_below = end.filter(|_| trip_count.is_entered && node.step.is_one());
        let more = match (&node.upper, end) {
            _ if end_below.is_some() => None,
            (_, Some(end)) => {
                let more = self
                    .builder
                    .build_int_compare(IntPredicate::SLT, header.iter(), end, "");
                Some(more.expect(BUILDS))
            }
            (Upper::While(conditions), None) => {
                Some(self.arith().condition(&Condition::all(conditions.iter().cloned())))
            }
            _ => unreachable!("a loop that nothing ends does not fit"),
        };
        self.enter_loop(header, more);
        if more.is_some() && node.is_annotated(For::REMAINDER) {
            self.mark_as_remainder(header);
        }
        let is_parallel = node
            .coincidence
            .allows_overlap(|slot| self.slots.is_on_stack(self.scop, slot));
        let group = (is_parallel && !has_loop(&node.body)).then(|| self.run.distinct_node(&[], false));
        let outer = (self.groups.replace(group), mem::take(&mut self.has_vectors));
        // The mark is about this loop, and none inside.
        let lanes = self.lanes.take();
        let around = self.body.take();
        let in_ends = self.in_ends;
        self.in_ends |= around_lanes::is_end(node);
        match overlaps {
            true => self.overlapping(node, header.iter()),
            false => self.node(&node.body),
        }
        self.in_ends = in_ends;
        self.lanes = lanes;
        let body = self.body.replace(around);
        if group.is_some() && self.builder.get_insert_block() == Some(header.body) {
            self.move_loads_first(header.body, &body.accesses);
            self.builder.position_at_end(header.body);
        }
        self.groups.replace(outer.0);
        let is_vectorized = mem::replace(&mut self.has_vectors, outer.1);
        self.iters[node.iter.0] = None;
        self.innermost = outside;
        let hints = Hints {
            is_vectorized,
            scatters: group.is_some() && self.scatters(node),
            ..self.hints(node, trip_count)
        };
        let id = self.loop_id(group, hints);
        self.end_loop(header, step, end_below, id);
        self.join_in_block(done_before);
        drop(scope);
    }

    /// Goes on to a block of this name where a loop from `lower` to below `end` has iterations. The builder comes to stand in it.
    /// Returns the block to go on to behind it.
    pub(super) fn where_entered(&self, name: &str, (lower, end): (IntValue<'a>, IntValue<'a>)) -> BasicBlock<'a> {
        let some = self.builder.build_int_compare(IntPredicate::SLT, lower, end, "");
        self.where_holds(name, some.expect(BUILDS))
    }

    /// The same where something holds.
    pub(super) fn where_holds(&self, name: &str, holds: IntValue<'a>) -> BasicBlock<'a> {
        let (inside, behind) = (self.block(name), self.block("farkas.endif"));
        let branch = self.builder.build_conditional_branch(holds, inside, behind);
        branch.expect(BUILDS);
        self.builder.position_at_end(inside);
        behind
    }

    /// Goes on to a block. The builder comes to stand in it.
    pub(super) fn go_on_behind(&self, behind: BasicBlock<'a>) {
        self.builder.build_unconditional_branch(behind).expect(BUILDS);
        self.builder.position_at_end(behind);
    }

    /// Begins a loop from `lower`. The builder comes to stand in its header.
    pub(super) fn begin_loop(&self, node: &For, lower: IntValue<'a>, iterations: Iterations) -> Header<'a> {
        let outside = self.builder.get_insert_block().expect("a positioned builder");
        let iter = (iterations == Iterations::OneByOne && self.in_block.is_none()).then_some(node.iter);
        self.loop_scopes.borrow_mut().enter(iter, outside);
        let block = self.block("farkas.for");
        self.builder.build_unconditional_branch(block).expect(BUILDS);
        self.builder.position_at_end(block);
        let name = self.names[node.iter.0].as_str();
        let phi = self.builder.build_phi(self.i64, name).expect(BUILDS);
        phi.add_incoming(&[(&lower, outside)]);
        let (body, exit) = (self.block("farkas.body"), self.block("farkas.end"));
        Header { block, body, exit, phi }
    }

    /// Ends the header of a loop that goes on where `more` holds, or is tested at its end. The builder comes to stand in the body.
    pub(super) fn enter_loop(&self, header: Header<'a>, more: Option<IntValue<'a>>) {
        let branch = match more {
            Some(more) => self.builder.build_conditional_branch(more, header.body, header.exit),
            None => self.builder.build_unconditional_branch(header.body),
        };
        branch.expect(BUILDS);
        self.builder.position_at_end(header.body);
    }

    /// Says that the loop goes round about once. LLVM's register allocator would else take it for as hot as the loops that fill their
    /// tiles, and spill what these need.
    fn mark_as_remainder(&self, header: Header<'a>) {
        let test = Block::from_inkwell(header.block).terminator();
        test.set_weights(1, 1);
    }

    /// Ends a loop, which gets the `id`. One with steps of 1 that is tested here ends before the value `end_below`. The builder
    /// comes to stand behind it.
    pub(super) fn end_loop(
        &self,
        header: Header<'a>,
        step: IntValue<'a>,
        end_below: Option<IntValue<'a>>,
        id: Metadata<'a>,
    ) {
        let next = self.builder.build_int_nsw_add(header.iter(), step, "").expect(BUILDS);
        let latch = self.builder.get_insert_block().expect("a positioned builder");
        let back = match end_below {
            Some(end) => {
                // Scalar evolution counts this form without knowing that the loop is entered.
                let more = self.builder.build_int_compare(IntPredicate::NE, next, end, "");
                self.builder
                    .build_conditional_branch(more.expect(BUILDS), header.block, header.exit)
            }
            None => self.builder.build_unconditional_branch(header.block),
        };
        let back = back.expect(BUILDS);
        header.phi.add_incoming(&[(&next, latch)]);
        self.run.attach(Value::from_inkwell(back), "llvm.loop", id);
        let mut loops = self.loop_scopes.borrow_mut();
        loops.leave(self.run, self.builder, self.aliases, self.iterator_bounds);
        self.builder.position_at_end(header.exit);
    }
}
