//! Loops below a `stages` mark: copies to shared memory run ahead of what reads them, as a software pipeline of asynchronous copies
//! (`cp.async`).
//!
//! The loop is one in a block of a kernel. Its body copies tiles to buffers and then computes. Each buffer has `S` slots, one behind the
//! other. A thread commits the copies of an iteration as a *group*, and waits until only so many groups are under way:
//!
//! ```text
//! for (q = 0; q < S - 1; q++) {           prologue
//!   if (lower + q <= upper) copies(lower + q) into slot q;
//!   commit;
//! }
//! for (k = lower, slot = 0; k <= upper; k++, slot = slot + 1 == S ? 0 : slot + 1) {
//!   wait until S - 2 groups are under way; compute operands of what this thread has copied; barrier;
//!   if (k + S - 1 <= upper) copies(k + S - 1) into the slot before this one;
//!   commit;
//!   computation(k), which reads in the slot
//! }
//! ```
//!
//! The group of iteration `k` is complete at its wait: `S - 2` groups are committed after it and before the wait, also where they are empty.
//! Behind the barrier all threads have waited, so that the whole tile is in its slot, and all have read what the slot before had, so that it
//! may be overwritten. Groups that are under way behind the loop are empty. Conditions are the same for all threads of a block.
//!
//! Threads copy 16 bytes at a time where the addresses allow that, and else element by element. As it does not matter who copies what,
//! these groups of neighbours are dealt out by the number of the thread.
//!
//! A loop whose body has another form, whose copies do not fill a tile, or with elements of other sizes than 4 and 8 bytes, is emitted as if
//! there were no mark: that is right, as the mark says only what may be done.

use farkas_llvm::edit::element_address;
use farkas_llvm::inkwell::types::BasicTypeEnum;
use farkas_llvm::inkwell::values::{IntValue, PointerValue};
use farkas_llvm::inkwell::{AddressSpace, IntPredicate};
use farkas_llvm::value::Value;
use farkas_polyhedral::ast::{Call, For, Node, Upper};
use farkas_polyhedral::program::PackedTile;
use farkas_polyhedral::sets::Name;
use farkas_polyhedral::tree::Mark;

use super::Emitter;
use super::hints::Hints;
use super::kernel::{Done, Stages};
use super::loops::Iterations;
use super::packed::Buffer;
use super::subtree::for_each_mark;
use crate::alias_scopes::Instances;
use crate::arith::BUILDS;

/// The bytes that a thread copies at once.
const VECTOR: u64 = 16;

/// The address spaces of a device's memory, and of what the threads of a block share.
const GLOBAL: u16 = 1;
const SHARED: u16 = 3;

/// The slots that a buffer needs: one for each stage of a mark around.
pub(super) fn slots(root: &Node, buffer: &Name) -> u32 {
    let is_own = |mark: &Mark| matches!(mark, Mark::Pack { buffer: own, .. } if own == buffer);
    let mut slots = 1;
    for_each_mark(root, &mut |mark, body| {
        if let Mark::Stages { stages } = mark
            && body.has_mark(&is_own)
        {
            slots = slots.max(*stages);
        }
    });
    slots
}

/// The body of a loop below a `stages` mark.
struct Body<'n, 'b, 'a> {
    copies: Vec<Copies<'n, 'b, 'a>>,
    /// What comes behind all copies.
    computation: Vec<&'n Node>,
}

/// Copies that fill a buffer.
struct Copies<'n, 'b, 'a> {
    buffer: Buffer<'b, 'a>,
    /// The bytes of an element.
    bytes: u64,
    /// The copy of some element, and the loops around it.
    call: &'n Call,
    loops: Vec<&'n For>,
}

impl<'b, 'a> Emitter<'b, 'a, '_> {
    /// Emits a loop whose copies run ahead, if it has the form for that.
    pub(super) fn staged_loop(&mut self, node: &For, stages: u32) -> bool {
        let (Some(body), Upper::AtMost(upper)) = (self.staged_body(node), &node.upper) else {
            return false;
        };
        let (lower, upper) = (self.arith().expr(&node.lower), self.arith().expr(upper));
        let iterations = self.iterations(node, (lower, upper));
        self.meet_before(Done::COPIED);
        let before = self.done_in_block();
        let scope = self.values.scope();
        let prologue = self.begin_loop(node, self.constant(0), Iterations::Several);
        self.enter_loop(prologue, None);
        let ahead = prologue.iter();
        let is_executed = self.compare(IntPredicate::SLT, ahead, iterations);
        let iter = self.builder.build_int_nsw_add(lower, ahead, "").expect(BUILDS);
        self.copies_where(is_executed, (node, iter), (&body, ahead));
        let hints = Hints {
            is_rolled: true,
            ..Hints::default()
        };
        let end = self.constant(u64::from(stages - 1));
        self.end_loop(prologue, self.constant(1), Some(end), self.loop_id(None, hints));
        self.pipelined_loop(node, (lower, upper), (&body, stages));
        drop(scope);
        self.set_done_in_block(before);
        self.join_in_block(Done::READ);
        true
    }

    /// Emits the loop itself, behind its prologue.
    fn pipelined_loop(
        &mut self,
        node: &For,
        (lower, upper): (IntValue<'a>, IntValue<'a>),
        (body, stages): (&Body<'_, 'b, 'a>, u32),
    ) {
        let trip_count = self.trip_counts[node.iter.0];
        let end = self.arith().sum(upper, self.constant(1));
        let outside = self.builder.get_insert_block().expect("a positioned builder");
        let header = self.begin_loop(node, lower, Iterations::Several);
        let slot = self.builder.build_phi(self.i64, "slot").expect(BUILDS);
        slot.add_incoming(&[(&self.constant(0), outside)]);
        let (iter, own) = (header.iter(), slot.as_basic_value().into_int_value());
        // As in other loops, there is no first test that always holds.
        let more = (!trip_count.is_entered).then(|| self.compare(IntPredicate::SLT, iter, end));
        self.enter_loop(header, more);
        let around = self.body.take();
        let under_way = self.run.context().i32_type().const_int(u64::from(stages - 2), false);
        self.call_on_buffers("llvm.nvvm.cp.async.wait.group", &[under_way.into()]);
        body.copies.iter().for_each(|copies| self.compute_operands(copies, own));
        self.barrier();
        let ahead = self.constant(u64::from(stages - 1));
        let left = self.builder.build_int_nsw_sub(upper, iter, "").expect(BUILDS);
        let is_executed = self.compare(IntPredicate::SGE, left, ahead);
        let next = self.builder.build_int_nsw_add(iter, ahead, "").expect(BUILDS);
        let is_first = self.compare(IntPredicate::EQ, own, self.constant(0));
        let one_less = self.builder.build_int_nsw_sub(own, self.constant(1), "").expect(BUILDS);
        let slot_before = self.select(is_first, ahead, one_less);
        self.copies_where(is_executed, (node, next), (body, slot_before));
        self.iters[node.iter.0] = Some(iter);
        self.computation(body, own);
        self.iters[node.iter.0] = None;
        self.body.replace(around);
        let is_last = self.compare(IntPredicate::EQ, own, ahead);
        let slot_behind = self.select(is_last, self.constant(0), self.sum(own, 1));
        let latch = self.builder.get_insert_block().expect("a positioned builder");
        slot.add_incoming(&[(&slot_behind, latch)]);
        let hints = Hints {
            is_rolled: true,
            is_unrolled: false,
            ..self.hints(node, trip_count)
        };
        let id = self.loop_id(None, hints);
        let end_below = trip_count.is_entered.then_some(end);
        self.end_loop(header, self.constant(1), end_below, id);
    }

    /// The parts of a loop's body; `None` where it has another form.
    fn staged_body<'n>(&self, node: &'n For) -> Option<Body<'n, 'b, 'a>> {
        if !self.is_in_block() || !node.step.is_one() {
            return None;
        }
        let (mut copies, mut rest) = (Vec::new(), vec![&node.body]);
        while let [
            Node::Mark {
                mark: Mark::Pack { buffer, .. },
                body,
            },
        ] = rest[..]
        {
            let nodes: Vec<&Node> = match &**body {
                Node::Block(nodes) => nodes.iter().collect(),
                other => vec![other],
            };
            let n = nodes.iter().take_while(|node| self.does(node) == Done::COPIED).count();
            let (of_buffer, behind) = nodes.split_at(n);
            let buffer = self.buffers.iter().find(|own| own.tile.buffer == *buffer)?;
            copies.push(self.complete_copies(buffer, of_buffer)?);
            rest = behind.to_vec();
        }
        let is_computation = rest.iter().all(|node| self.does(node) == Done::READ);
        (!copies.is_empty() && is_computation).then_some(Body {
            copies,
            computation: rest,
        })
    }

    /// The copies in these nodes, if they fill the buffer. They copy each element once, and those of one tile: if there are as many as the
    /// buffer has places, these are all of them.
    fn complete_copies<'n>(&self, buffer: &Buffer<'b, 'a>, nodes: &[&'n Node]) -> Option<Copies<'n, 'b, 'a>> {
        let counts = nodes.iter().map(|node| self.copied(node, buffer.tile));
        let count: u64 = counts.sum::<Option<u64>>()?;
        let mut loops = Vec::new();
        let call = first_call(nodes.first()?, &mut loops)?;
        let bytes = match buffer.ty {
            BasicTypeEnum::FloatType(ty) if ty == self.run.context().f32_type() => 4,
            BasicTypeEnum::FloatType(ty) if ty == self.run.context().f64_type() => 8,
            BasicTypeEnum::IntType(ty) => u64::from(ty.get_bit_width()) / 8,
            _ => return None,
        };
        let is_aligned = buffer
            .load_alignment()
            .is_some_and(|alignment| u64::from(alignment) >= bytes);
        (count == buffer.tile.elements() && [4, 8].contains(&bytes) && is_aligned).then_some(Copies {
            buffer: buffer.clone(),
            bytes,
            call,
            loops,
        })
    }

    /// The elements that a node copies to the buffer of a tile; `None` where that depends on something, or it does something else.
    fn copied(&self, node: &Node, tile: &PackedTile) -> Option<u64> {
        match node {
            Node::Block(nodes) => nodes.iter().map(|node| self.copied(node, tile)).sum(),
            Node::Mark { body, .. } => self.copied(body, tile),
            Node::For(inner) => {
                let trip_count = self.trip_counts[inner.iter.0];
                let iterations = trip_count
                    .most
                    .filter(|_| trip_count.is_constant && trip_count.is_entered)?;
                let iterations = u64::try_from(iterations).ok()?;
                self.copied(&inner.body, tile)?.checked_mul(iterations)
            }
            Node::Call(call) => (call.statement == tile.copy_in).then_some(1),
            Node::If { .. } => None,
        }
    }

    /// Emits copies of an iteration to a slot where it is executed, and commits them.
    fn copies_where(
        &mut self,
        is_executed: IntValue<'a>,
        (node, iter): (&For, IntValue<'a>),
        (body, slot): (&Body<'_, 'b, 'a>, IntValue<'a>),
    ) {
        let behind = self.where_holds("farkas.ahead", is_executed);
        let scope = self.values.scope();
        self.iters[node.iter.0] = Some(iter);
        body.copies.iter().for_each(|copies| self.copy_tile(copies, slot));
        self.iters[node.iter.0] = None;
        drop(scope);
        self.go_on_behind(behind);
        self.call_on_buffers("llvm.nvvm.cp.async.commit.group", &[]);
    }

    /// Emits what reads in a slot.
    fn computation(&mut self, body: &Body<'_, 'b, 'a>, slot: IntValue<'a>) {
        let buffers: Vec<Name> = body
            .copies
            .iter()
            .map(|copies| copies.buffer.tile.buffer.clone())
            .collect();
        let n = self.packed.len();
        self.packed.extend(buffers.iter().cloned());
        let outside = self.innermost.take();
        self.set_stages(Stages::InSlot(slot, buffers));
        body.computation.iter().for_each(|node| self.node(node));
        self.set_stages(Stages::None);
        self.innermost = outside;
        self.packed.truncate(n);
    }

    /// The first values of the counters along each dimension of a buffer. All elements of a tile are in one interval.
    fn tile_begin(&mut self, copies: &Copies<'_, 'b, 'a>) -> Vec<IntValue<'a>> {
        for node in &copies.loops {
            let first = self.arith().expr(&node.lower);
            self.iters[node.iter.0] = Some(first);
        }
        let tile = copies.buffer.tile;
        let subscripts = &copies.call.arguments[copies.call.arguments.len() - tile.array.n()..];
        let dims = tile.dims.iter();
        let begins = dims.map(|dim| {
            let counter = self.counter(&subscripts[dim.of_array], dim.offset);
            let mask = self.i64.const_int((-i64::from(dim.size)) as u64, true);
            self.builder.build_and(counter, mask, "").expect(BUILDS)
        });
        let begins = begins.collect();
        copies.loops.iter().for_each(|node| self.iters[node.iter.0] = None);
        begins
    }

    /// Emits something for the groups of neighbours of a tile, dealt out to all threads: so many elements, from a row and a column on. Sizes and
    /// numbers of threads are powers of two.
    fn for_groups(
        &mut self,
        copies: &Copies<'_, 'b, 'a>,
        emit: impl FnOnce(&mut Self, u64, &[(IntValue<'a>, IntValue<'a>)]),
    ) {
        let tile = copies.buffer.tile;
        let columns = tile.dims.last().map_or(1, |dim| u64::from(dim.size));
        let width = match VECTOR / copies.bytes {
            // Elements of the array are apart where they are larger than what is loaded of them.
            width if copies.buffer.has_neighbours(copies.bytes) && columns >= width => width,
            _ => 1,
        };
        let threads = self.block_threads().map(u64::from).iter().product();
        let row_groups = columns / width;
        let groups = tile.elements() / width;
        let thread = self.thread_of_block();
        let behind = (groups < threads).then(|| {
            let is_needed = self.compare(IntPredicate::ULT, thread, self.constant(groups));
            self.where_holds("farkas.copy", is_needed)
        });
        let scope = self.values.scope();
        let mut places = Vec::new();
        for turn in 0..groups.div_ceil(threads) {
            let first = turn * threads;
            let (row, group) = match threads >= row_groups {
                true => (
                    self.sum(self.quotient(thread, row_groups), first / row_groups),
                    self.remainder(thread, row_groups),
                ),
                false => (self.constant(first / row_groups), self.sum(thread, first % row_groups)),
            };
            let column = self
                .builder
                .build_int_nsw_mul(group, self.constant(width), "")
                .expect(BUILDS);
            places.push((row, column));
        }
        emit(self, width, &places);
        drop(scope);
        if let Some(behind) = behind {
            self.go_on_behind(behind);
        }
    }

    /// Emits the copies of a tile to a slot.
    fn copy_tile(&mut self, copies: &Copies<'_, 'b, 'a>, slot: IntValue<'a>) {
        let begin = self.tile_begin(copies);
        self.for_groups(copies, |emitter, width, places| {
            let pair = |place: &(IntValue<'a>, IntValue<'a>)| {
                let from = emitter.source(copies, &begin, *place);
                (from, emitter.destination(&copies.buffer, slot, *place))
            };
            let pairs: Vec<_> = places.iter().map(pair).collect();
            match width {
                1 => pairs
                    .iter()
                    .for_each(|pair| emitter.copy_async(copies, copies.bytes, *pair)),
                _ => emitter.copy_groups(copies, width, &pairs),
            }
        });
    }

    /// Computes what a buffer has in place of the elements that the thread has copied to a slot.
    fn compute_operands(&mut self, copies: &Copies<'_, 'b, 'a>, slot: IntValue<'a>) {
        let buffer = &copies.buffer;
        if buffer.operands().is_empty() {
            return;
        }
        self.for_groups(copies, |emitter, width, places| {
            for place in places {
                let first = emitter.destination(buffer, slot, *place);
                for element in 0..width {
                    let at = element_address(emitter.builder, buffer.ty, first, emitter.constant(element));
                    let loaded = emitter.builder.build_load(buffer.ty, at, "").expect(BUILDS);
                    emitter.accessed_buffer(Value::from_inkwell(loaded));
                    let computed = emitter.computed_operand(buffer, loaded);
                    let store = emitter.builder.build_store(at, computed).expect(BUILDS);
                    emitter.accessed_buffer(Value::from_inkwell(store));
                }
            }
        });
    }

    /// Emits copies of groups of so many elements: all at once where they are aligned, and else element by element.
    fn copy_groups(&self, copies: &Copies<'_, 'b, 'a>, width: u64, pairs: &[(PointerValue<'a>, PointerValue<'a>)]) {
        let mut bits = self.i64.const_zero();
        for (from, _) in pairs {
            let address = self.builder.build_ptr_to_int(*from, self.i64, "").expect(BUILDS);
            bits = self.builder.build_or(bits, address, "").expect(BUILDS);
        }
        let low = self
            .builder
            .build_and(bits, self.constant(VECTOR - 1), "")
            .expect(BUILDS);
        let are_aligned = self.compare(IntPredicate::EQ, low, self.constant(0));
        let (at_once, one_by_one, next) = (
            self.block("farkas.aligned"),
            self.block("farkas.unaligned"),
            self.block("farkas.copied"),
        );
        self.builder
            .build_conditional_branch(are_aligned, at_once, one_by_one)
            .expect(BUILDS);
        self.builder.position_at_end(at_once);
        pairs.iter().for_each(|pair| self.copy_async(copies, VECTOR, *pair));
        self.builder.build_unconditional_branch(next).expect(BUILDS);
        self.builder.position_at_end(one_by_one);
        for (from, to) in pairs {
            for element in 0..width {
                let at = |first| element_address(self.builder, copies.buffer.ty, first, self.constant(element));
                self.copy_async(copies, copies.bytes, (at(*from), at(*to)));
            }
        }
        self.builder.build_unconditional_branch(next).expect(BUILDS);
        self.builder.position_at_end(next);
    }

    /// The address of an element of an array by its row and column in the tile.
    fn source(
        &self,
        copies: &Copies<'_, 'b, 'a>,
        begin: &[IntValue<'a>],
        (row, column): (IntValue<'a>, IntValue<'a>),
    ) -> PointerValue<'a> {
        let dims = &copies.buffer.tile.dims;
        let last = dims.len() - 1;
        let mut rows = row;
        let mut values = vec![column; dims.len()];
        for position in (0..last).rev() {
            let size = u64::from(dims[position].size);
            values[position] = match position {
                0 => rows,
                _ => self.remainder(rows, size),
            };
            rows = self.quotient(rows, size);
        }
        let at = |(begin, value): (&IntValue<'a>, &IntValue<'a>)| {
            self.builder.build_int_nsw_add(*begin, *value, "").expect(BUILDS)
        };
        let counters: Vec<IntValue<'a>> = begin.iter().zip(&values).map(at).collect();
        self.instances.replace(Instances::default());
        self.array_address(&copies.buffer, &counters)
    }

    /// The address of an element in a slot of a buffer by its row and column.
    fn destination(
        &self,
        buffer: &Buffer<'b, 'a>,
        slot: IntValue<'a>,
        (row, column): (IntValue<'a>, IntValue<'a>),
    ) -> PointerValue<'a> {
        let pitch = self.i64.const_int(buffer.row, false);
        let distance = self.builder.build_int_nsw_mul(row, pitch, "").expect(BUILDS);
        let index = self.builder.build_int_nsw_add(distance, column, "").expect(BUILDS);
        let first = self.slot_address(buffer, slot);
        element_address(self.builder, buffer.ty, first, index)
    }

    /// Emits an asynchronous copy of so many bytes.
    fn copy_async(&self, copies: &Copies<'_, 'b, 'a>, bytes: u64, (from, to): (PointerValue<'a>, PointerValue<'a>)) {
        let context = self.run.context();
        let in_space = |address: PointerValue<'a>, space: u16| {
            let ty = context.ptr_type(AddressSpace::from(space));
            self.builder.build_address_space_cast(address, ty, "").expect(BUILDS)
        };
        // What is copied 16 bytes at a time is in the cache of all multiprocessors only.
        let cache = if bytes == VECTOR { "cg" } else { "ca" };
        let name = format!("llvm.nvvm.cp.async.{cache}.shared.global.{bytes}");
        let arguments = [in_space(to, SHARED).into(), in_space(from, GLOBAL).into()];
        let call = self.device_call(&name, &arguments);
        self.aliases.attach_others(self.run, copies.buffer.load(), call);
    }

    /// The number of a thread in its block.
    fn thread_of_block(&self) -> IntValue<'a> {
        let [x, y, z] = self.block_threads().map(u64::from);
        let mut number = self.i64.const_zero();
        for (dimension, distance) in [("x", 1), ("y", x), ("z", x * y)] {
            if dimension == "z" && z == 1 || dimension == "y" && y * z == 1 {
                continue;
            }
            let own = self.thread(dimension);
            let distance = self.i64.const_int(distance, false);
            let own = self.builder.build_int_nsw_mul(own, distance, "").expect(BUILDS);
            number = self.builder.build_int_nsw_add(number, own, "").expect(BUILDS);
        }
        number
    }

    fn constant(&self, number: u64) -> IntValue<'a> {
        self.i64.const_int(number, false)
    }

    fn compare(&self, predicate: IntPredicate, x: IntValue<'a>, y: IntValue<'a>) -> IntValue<'a> {
        self.builder.build_int_compare(predicate, x, y, "").expect(BUILDS)
    }

    fn select(&self, condition: IntValue<'a>, then: IntValue<'a>, otherwise: IntValue<'a>) -> IntValue<'a> {
        let chosen = self.builder.build_select(condition, then, otherwise, "");
        chosen.expect(BUILDS).into_int_value()
    }

    fn sum(&self, value: IntValue<'a>, constant: u64) -> IntValue<'a> {
        self.builder
            .build_int_nsw_add(value, self.constant(constant), "")
            .expect(BUILDS)
    }

    fn quotient(&self, value: IntValue<'a>, constant: u64) -> IntValue<'a> {
        self.builder
            .build_int_unsigned_div(value, self.constant(constant), "")
            .expect(BUILDS)
    }

    fn remainder(&self, value: IntValue<'a>, constant: u64) -> IntValue<'a> {
        self.builder
            .build_int_unsigned_rem(value, self.constant(constant), "")
            .expect(BUILDS)
    }
}

/// The first call in a node, with the loops around it.
fn first_call<'n>(node: &'n Node, loops: &mut Vec<&'n For>) -> Option<&'n Call> {
    match node {
        Node::Block(nodes) => first_call(nodes.first()?, loops),
        Node::Mark { body, .. } => first_call(body, loops),
        Node::For(inner) => {
            loops.push(inner);
            first_call(&inner.body, loops)
        }
        Node::Call(call) => Some(call),
        Node::If { .. } => None,
    }
}
