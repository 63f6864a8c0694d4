//! Kernels: the subtrees that `kernel` marks speak of, and the loops in them whose iterations are dealt out.

use farkas_llvm::inkwell::IntPredicate;
use farkas_llvm::inkwell::attributes::{Attribute, AttributeLoc};
use farkas_llvm::inkwell::intrinsics::Intrinsic;
use farkas_llvm::inkwell::values::{BasicMetadataValueEnum, IntValue, PointerValue};
use farkas_llvm::value::Value;
use farkas_polyhedral::ast::rows::loops;
use farkas_polyhedral::ast::{Atom, Expr, For, IterId, Node, Quasi, Upper};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::Name;
use farkas_polyhedral::tree::Mark;
use std::mem;
use std::rc::Rc;

use super::Emitter;
use super::hints::Hints;
use super::loops::Iterations;
use super::packed::Buffer;
use crate::arith::BUILDS;
use crate::kernels::Launch;

/// The dimensions of a device, by the names of its registers.
const DIMENSIONS: [&str; 3] = ["x", "y", "z"];

/// The most iterations of a loop over the points of a thread along a dimension where no loop is sequential.
const FEW_POINTS: i64 = 4;

/// Where in a block of a kernel code is.
#[derive(Default)]
pub(super) struct InBlock<'a> {
    /// The threads of a block, in x, y and z.
    threads: [u32; 3],
    /// The loops around that have one iteration in each thread: the iterators, each with its first value and the threads along it.
    pub(super) points: Vec<(IterId, Expr, u32)>,
    /// Whether this is inside of a part that is dealt out to threads.
    is_dealt_out: bool,
    /// What threads may have done since they met.
    done: Done,
    /// Whether copies run ahead.
    stages: Stages<'a>,
}

/// Whether the copies of the loops around run ahead.
#[derive(Default)]
pub(super) enum Stages<'a> {
    /// They do not.
    #[default]
    None,
    /// They may, in the next loop inside.
    Ahead(u32),
    /// They do: these buffers have what is read in this slot.
    InSlot(IntValue<'a>, Vec<Name>),
}

/// What threads of a block do with buffers that they share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Done {
    /// They have copied something that others do not see yet.
    has_copied: bool,
    /// They have read something that others must not overwrite yet.
    has_read: bool,
}

impl Done {
    /// They have only copied.
    pub(super) const COPIED: Done = Done {
        has_copied: true,
        has_read: false,
    };
    /// They have only read.
    pub(super) const READ: Done = Done {
        has_copied: false,
        has_read: true,
    };

    fn or(self, other: Done) -> Done {
        Done {
            has_copied: self.has_copied || other.has_copied,
            has_read: self.has_read || other.has_read,
        }
    }

    /// Whether all threads have to meet before they do something.
    fn is_before(self, next: Done) -> bool {
        self.has_copied && next.has_read || self.has_read && next.has_copied
    }
}

impl<'a> Emitter<'_, 'a, '_> {
    /// Emits a part of a block that is dealt out to threads: copies into buffers, or what reads there. All threads meet in front of it if
    /// they have to. They come here together: what is around does not depend on the thread.
    pub(super) fn part_of_block(&mut self, body: &Node) {
        self.enter_part_of_block(body);
        self.block_around().is_dealt_out = true;
        self.node(body);
        self.block_around().is_dealt_out = false;
    }

    /// Has threads meet in front of such a part, if they have to.
    pub(super) fn enter_part_of_block(&mut self, body: &Node) {
        let does = self.does(body);
        self.meet_before(does);
        self.block_around().done = self.done_in_block().or(does);
    }

    /// Has threads meet in front of a loop of a kernel where its first iteration asks for that, and no other one. What its iterations do
    /// was done in those before. Returns what they may have done in front of it, which is also so behind it: there may be no iteration.
    pub(super) fn enter_loop_of_block(&mut self, node: &For) -> Done {
        if self.in_block.as_ref().is_none_or(|block| block.is_dealt_out) {
            return Done::default();
        }
        let does = self.does(&node.body);
        if !does.is_before(does) {
            self.meet_before(does);
        }
        let before = self.done_in_block();
        self.join_in_block(does);
        before
    }

    /// Adds what threads of a block may have done on another way to here. Outside of kernels there are none.
    pub(super) fn join_in_block(&mut self, other: Done) {
        if let Some(block) = &mut self.in_block {
            block.done = block.done.or(other);
        }
    }

    /// What threads of a block may have done.
    pub(super) fn done_in_block(&self) -> Done {
        self.in_block.as_ref().map(|block| block.done).unwrap_or_default()
    }

    /// Says what they may have done where another way begins. Returns what it was on the way before.
    pub(super) fn set_done_in_block(&mut self, done: Done) -> Done {
        match &mut self.in_block {
            Some(block) => mem::replace(&mut block.done, done),
            None => done,
        }
    }

    /// The loops around that have one iteration in each thread.
    pub(super) fn points_of_block(&mut self) -> &mut Vec<(IterId, Expr, u32)> {
        &mut self.block_around().points
    }

    /// The number of the thread along a dimension.
    pub(super) fn thread(&self, dimension: &str) -> IntValue<'a> {
        self.register("tid", dimension)
    }

    fn block_around(&mut self) -> &mut InBlock<'a> {
        self.in_block.as_mut().expect("what is dealt out is in a kernel")
    }

    /// Whether this is in a block of a kernel, and all of its threads come here.
    pub(super) fn is_in_block(&self) -> bool {
        self.in_block.as_ref().is_some_and(|block| !block.is_dealt_out)
    }

    /// The threads of the block, in x, y and z.
    pub(super) fn block_threads(&self) -> [u32; 3] {
        self.in_block.as_ref().map_or([1; 3], |block| block.threads)
    }

    /// Says whether copies run ahead. Returns what was said before. Outside of kernels there are none.
    pub(super) fn set_stages(&mut self, stages: Stages<'a>) -> Stages<'a> {
        match &mut self.in_block {
            Some(block) => mem::replace(&mut block.stages, stages),
            None => Stages::None,
        }
    }

    /// The stages of the next loop inside, where its copies may run ahead.
    pub(super) fn stages_ahead(&self) -> Option<u32> {
        match self.in_block.as_ref()?.stages {
            Stages::Ahead(stages) => Some(stages),
            _ => None,
        }
    }

    /// The slot that is read in a buffer, where it has several.
    pub(super) fn slot_read(&self, buffer: &Name) -> Option<IntValue<'a>> {
        match &self.in_block.as_ref()?.stages {
            Stages::InSlot(slot, buffers) if buffers.contains(buffer) => Some(*slot),
            _ => None,
        }
    }

    /// Has all threads meet before they do something, if they have to.
    pub(super) fn meet_before(&mut self, next: Done) {
        if self.done_in_block().is_before(next) {
            self.barrier();
        }
    }

    /// What a node does with buffers.
    pub(super) fn does(&self, node: &Node) -> Done {
        let of_all =
            |nodes: &mut dyn Iterator<Item = &Node>| nodes.fold(Done::default(), |all, node| all.or(self.does(node)));
        match node {
            Node::Call(call) => {
                let has_copied = self.copied_into(call).is_some();
                Done {
                    has_copied,
                    has_read: !has_copied && !self.buffers.is_empty(),
                }
            }
            Node::For(inner) => self.does(&inner.body),
            Node::Mark { body, .. } => self.does(body),
            Node::Block(nodes) => of_all(&mut nodes.iter()),
            Node::If { then, otherwise, .. } => of_all(&mut [&**then].into_iter().chain(otherwise.as_deref())),
        }
    }

    /// All threads of a block wait for each other.
    pub(super) fn barrier(&mut self) {
        let all = self.run.context().i32_type().const_zero();
        // Threads only meet for buffers that they share.
        self.call_on_buffers("llvm.nvvm.barrier.cta.sync.aligned.all", &[all.into()]);
        self.block_around().done = Done::default();
    }

    /// Emits a call of an intrinsic of a device that is about buffers. Uses of an array may be too many for LLVM to see that a call does not
    /// know it.
    pub(super) fn call_on_buffers(&self, name: &str, arguments: &[BasicMetadataValueEnum<'a>]) {
        let call = self.device_call(name, arguments);
        self.aliases.attach_none(self.run, call);
    }

    /// Emits a call of an intrinsic of a device.
    pub(super) fn device_call(&self, name: &str, arguments: &[BasicMetadataValueEnum<'a>]) -> Value<'a> {
        let intrinsic = Intrinsic::find(name).expect("an intrinsic of LLVM's");
        let module = self.run.module();
        let function = intrinsic.get_declaration(&module, &[]).expect("it is not overloaded");
        let call = self.builder.build_call(function, arguments, "").expect(BUILDS);
        // Else LLVM takes what comes behind for what may not be executed, and keeps no accumulator in a register around it.
        for name in ["nounwind", "willreturn"] {
            let kind = Attribute::get_named_enum_kind_id(name);
            let attribute = self.run.context().create_enum_attribute(kind, 0);
            call.add_attribute(AttributeLoc::Function, attribute);
        }
        Value::from_inkwell(call)
    }

    /// Emits the blocks of a kernel. They are taken out of the function [later](crate::kernels::Offload::launch).
    pub(super) fn kernel(&mut self, private: &[Name], body: &Node) {
        let grid = self.grid(body);
        let (entry, end) = (self.block("farkas.kernel"), self.block("farkas.launched"));
        self.builder.build_unconditional_branch(entry).expect(BUILDS);
        self.builder.position_at_end(entry);
        let scope = self.values.scope();
        let private = self.slots_among(private);
        let copies = self.slots.with_copies(&private, self.function);
        let variables = private.iter().filter_map(|slot| copies.variable(*slot)).collect();
        let slots = mem::replace(&mut self.slots, Rc::new(copies));
        let threads = threads(body);
        self.in_block = Some(InBlock {
            threads,
            ..InBlock::default()
        });
        self.node(body);
        self.in_block = None;
        self.slots = slots;
        drop(scope);
        self.builder.build_unconditional_branch(end).expect(BUILDS);
        self.builder.position_at_end(end);
        self.launches.push(Launch {
            blocks: (entry, end),
            variables,
            shared: self.buffers_in(body),
            is_sequential: self.has_sequential_loop(body),
            grid,
            threads,
        });
    }

    /// Whether there is a loop that a thread goes through, but for those over a few points of a tile.
    fn has_sequential_loop(&self, node: &Node) -> bool {
        let is_sequential = |node: &For| {
            let mut dealt_out = For::BLOCKS.iter().chain(&For::BLOCK_THREADS);
            let is_dealt_out = dealt_out.any(|annotation| node.is_annotated(annotation));
            let most = self.trip_counts[node.iter.0].most;
            !is_dealt_out && most.is_none_or(|most| most > FEW_POINTS)
        };
        loops(node)
            .into_iter()
            .any(|inner| is_sequential(inner) || self.has_sequential_loop(&inner.body))
    }

    /// Emits the loop if its iterations are dealt out.
    pub(super) fn dealt_out_loop(&mut self, node: &For) -> bool {
        let along = |all: &[&str; 3]| all.iter().position(|annotation| node.is_annotated(annotation));
        if let Some(dimension) = along(&For::BLOCKS) {
            self.blocks_loop(node, dimension);
        } else if let Some(dimension) = along(&For::BLOCK_THREADS) {
            self.threads_loop(node, dimension);
        } else {
            return false;
        }
        true
    }

    /// A loop over blocks, in turns: any order is right.
    fn blocks_loop(&mut self, node: &For, dimension: usize) {
        let name = DIMENSIONS[dimension];
        let (number, count) = (self.register("ctaid", name), self.register("nctaid", name));
        let (lower, upper) = self.dealt_out_bounds(node);
        let iterations = self.iterations(node, (lower, upper));
        let step = self.arith().constant(&node.step);
        let before = self.enter_loop_of_block(node);
        let scope = self.values.scope();
        let header = self.begin_loop(node, number, Iterations::Several);
        let more = self
            .builder
            .build_int_compare(IntPredicate::SLT, header.iter(), iterations, "");
        self.enter_loop(header, Some(more.expect(BUILDS)));
        let distance = self.builder.build_int_mul(header.iter(), step, "").expect(BUILDS);
        let iter = self.builder.build_int_add(lower, distance, "").expect(BUILDS);
        self.dealt_out_body(node, iter);
        let id = self.loop_id(None, Hints::default());
        self.end_loop(header, count, None, id);
        self.join_in_block(before);
        drop(scope);
    }

    /// A loop over the points of a tile: a thread executes those that are its number modulo the threads, so that it is the same one for
    /// a point in all loops of a block.
    fn threads_loop(&mut self, node: &For, dimension: usize) {
        let threads = self.block_around().threads[dimension];
        let count = self.i64.const_int(u64::from(threads), false);
        let number = self.thread(DIMENSIONS[dimension]);
        let (lower, upper) = self.dealt_out_bounds(node);
        let scope = self.values.scope();
        if is_full(node, threads) {
            let iter = self.builder.build_int_nsw_add(lower, number, "").expect(BUILDS);
            self.block_around()
                .points
                .push((node.iter, node.lower.clone(), threads));
            self.dealt_out_body(node, iter);
            self.block_around().points.pop();
            return drop(scope);
        }
        let number = self.builder.build_int_sub(number, lower, "").expect(BUILDS);
        let mask = self.i64.const_int(u64::from(threads - 1), false);
        let distance = self.builder.build_and(number, mask, "").expect(BUILDS);
        let first = self.builder.build_int_nsw_add(lower, distance, "").expect(BUILDS);
        let is_executed = |iter: IntValue<'a>| self.is_executed(node, iter, (lower, upper));
        match self.trip_counts[node.iter.0].most {
            Some(most) if most <= i64::from(threads) && node.step.is_one() => {
                let behind = self.where_holds("farkas.point", is_executed(first));
                self.dealt_out_body(node, first);
                self.go_on_behind(behind);
            }
            _ => {
                let header = self.begin_loop(node, first, Iterations::Several);
                let more = self
                    .builder
                    .build_int_compare(IntPredicate::SLE, header.iter(), upper, "");
                self.enter_loop(header, Some(more.expect(BUILDS)));
                let behind = self.where_holds("farkas.point", self.is_executed(node, header.iter(), (lower, upper)));
                self.dealt_out_body(node, header.iter());
                self.go_on_behind(behind);
                let id = self.loop_id(None, Hints::default());
                self.end_loop(header, count, None, id);
            }
        }
        drop(scope);
    }

    /// The distance of a counter from where its tile of so many values begins, where it is a constant apart from the thread. LLVM does not take
    /// multiples of the size out of a sum, and then does not see that neighbours are next to each other.
    pub(super) fn within_tile_of_block(&self, expression: &Expr, offset: i64, size: u32) -> Option<IntValue<'a>> {
        let points = &self.in_block.as_ref()?.points;
        let mut value = expression.as_quasi()?.clone().plus(-offset);
        let mut threads = Vec::new();
        for (iter, first, _) in points {
            let terms = value.terms().iter();
            let Some((_, factor)) = terms.clone().find(|(atom, _)| *atom == Atom::Iter(*iter)) else {
                continue;
            };
            let factor = factor.clone();
            value.add_scaled(&-&factor, &Quasi::iter(*iter));
            value.add_scaled(&factor, first.as_quasi()?);
            threads.push((*iter, first, factor));
        }
        let size = Int::from(i64::from(size));
        if threads.is_empty() || !value.terms().iter().all(|(_, factor)| factor.divisible_by(&size)) {
            return None;
        }
        let arith = self.arith();
        let mut distance = arith.constant(&value.constant_term().mod_floor(&size));
        for (iter, first, factor) in threads {
            let point = self.iters[iter.0].expect("a loop around");
            let thread = self.builder.build_int_sub(point, arith.expr(first), "").expect(BUILDS);
            let own = self
                .builder
                .build_int_mul(thread, arith.constant(&factor), "")
                .expect(BUILDS);
            distance = self.builder.build_int_add(distance, own, "").expect(BUILDS);
        }
        let mask = arith.constant(&(&size - &Int::ONE));
        Some(self.builder.build_and(distance, mask, "").expect(BUILDS))
    }

    /// The first and the last value of a loop of a kernel.
    fn dealt_out_bounds(&self, node: &For) -> (IntValue<'a>, IntValue<'a>) {
        let Upper::AtMost(upper) = &node.upper else {
            unreachable!("a loop of a kernel has a last iteration")
        };
        (self.arith().expr(&node.lower), self.arith().expr(upper))
    }

    /// Whether a value from `lower` on is one of the loop.
    fn is_executed(
        &self,
        node: &For,
        iter: IntValue<'a>,
        (lower, upper): (IntValue<'a>, IntValue<'a>),
    ) -> IntValue<'a> {
        let compare = |predicate, x, y| self.builder.build_int_compare(predicate, x, y, "").expect(BUILDS);
        let is_before_end = compare(IntPredicate::SLE, iter, upper);
        if node.step.is_one() {
            return is_before_end;
        }
        let distance = self.builder.build_int_sub(iter, lower, "").expect(BUILDS);
        let step = self.arith().constant(&node.step);
        let rest = self.builder.build_int_unsigned_rem(distance, step, "").expect(BUILDS);
        let is_step = compare(IntPredicate::EQ, rest, self.i64.const_zero());
        self.builder.build_and(is_before_end, is_step, "").expect(BUILDS)
    }

    /// What is inside of a loop that is dealt out.
    fn dealt_out_body(&mut self, node: &For, iter: IntValue<'a>) {
        self.iters[node.iter.0] = Some(iter);
        let outer = (self.groups.replace(None), self.body.take());
        self.node(&node.body);
        self.groups.replace(outer.0);
        self.body.replace(outer.1);
        self.iters[node.iter.0] = None;
    }

    /// The buffers that are filled in a node: each is so in one kernel.
    fn buffers_in(&self, node: &Node) -> Vec<PointerValue<'a>> {
        let is_in = |buffer: &&Buffer<'_, 'a>| {
            let is_own = |mark: &Mark| matches!(mark, Mark::Pack { buffer: name, .. } if *name == buffer.tile.buffer);
            node.has_mark(&is_own)
        };
        self.buffers.iter().filter(is_in).map(Buffer::address).collect()
    }

    /// The number of iterations of a loop; negative or 0 if there are none.
    pub(super) fn iterations(&self, node: &For, (lower, upper): (IntValue<'a>, IntValue<'a>)) -> IntValue<'a> {
        let step = self.arith().constant(&node.step);
        let distance = self.builder.build_int_sub(upper, lower, "").expect(BUILDS);
        let behind = self.builder.build_int_add(distance, step, "").expect(BUILDS);
        match node.step.is_one() {
            true => behind,
            false => self.builder.build_int_signed_div(behind, step, "").expect(BUILDS),
        }
    }

    /// A register of the device, as a number of 64 bits.
    fn register(&self, register: &str, dimension: &str) -> IntValue<'a> {
        let name = format!("llvm.nvvm.read.ptx.sreg.{register}.{dimension}");
        let intrinsic = Intrinsic::find(&name).expect("an intrinsic of LLVM's");
        let module = self.run.module();
        let function = intrinsic.get_declaration(&module, &[]).expect("it is not overloaded");
        let call = self.builder.build_call(function, &[], "").expect(BUILDS);
        let number = call.try_as_basic_value().basic().expect("a number").into_int_value();
        self.builder.build_int_z_extend(number, self.i64, "").expect(BUILDS)
    }
}

/// Whether a loop has as many iterations as there are threads, from a multiple of them on.
pub(super) fn is_full(node: &For, threads: u32) -> bool {
    let count = Int::from(i64::from(threads));
    let is_multiple = |factor: &Int| factor.divisible_by(&count);
    let begins_at_multiple = |lower: &Quasi| {
        is_multiple(lower.constant_term()) && lower.terms().iter().all(|(_, factor)| is_multiple(factor))
    };
    has_iterations(node, threads) && node.lower.as_quasi().is_some_and(begins_at_multiple)
}

/// Whether a loop has so many iterations, in whatever iteration of those around.
pub(super) fn has_iterations(node: &For, iterations: u32) -> bool {
    let Upper::AtMost(upper) = &node.upper else {
        return false;
    };
    let (Some(lower), Some(upper)) = (node.lower.as_quasi(), upper.as_quasi()) else {
        return false;
    };
    let mut distance = upper.clone();
    distance.add_scaled(&-&Int::ONE, lower);
    node.step.is_one() && distance.as_constant() == Some(&Int::from(i64::from(iterations) - 1))
}

/// The threads of a block in x, y and z, as the `threads` mark in a kernel says.
fn threads(node: &Node) -> [u32; 3] {
    let inside = |nodes: &mut dyn Iterator<Item = &Node>| {
        let found = nodes.map(threads).find(|threads| *threads != [1; 3]);
        found.unwrap_or([1; 3])
    };
    match node {
        Node::Mark {
            mark: Mark::Threads { sizes },
            ..
        } => {
            let mut threads = [1; 3];
            sizes
                .iter()
                .rev()
                .zip(&mut threads)
                .for_each(|(size, own)| *own = *size);
            threads
        }
        Node::Mark { body, .. } => threads(body),
        Node::Block(nodes) => inside(&mut nodes.iter()),
        Node::For(inner) => threads(&inner.body),
        Node::If { then, otherwise, .. } => inside(&mut [&**then].into_iter().chain(otherwise.as_deref())),
        Node::Call(_) => [1; 3],
    }
}
