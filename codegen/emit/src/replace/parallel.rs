//! Loops whose iterations run on threads: those that `parallel` and `pipeline` marks speak of.

use farkas_llvm::Run;
use farkas_llvm::inkwell::basic_block::BasicBlock;
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::values::{IntValue, PointerValue};
use farkas_llvm::scop_ir::{ArrayId, ScopIr, SlotId};
use farkas_llvm::value::Value;
use farkas_polyhedral::ast::rows::{is_rows, is_uneven};
use farkas_polyhedral::ast::{Ast, For, Node, TripCount};
use farkas_polyhedral::sets::Name;
use farkas_polyhedral::tree::Mark;
use indexmap::IndexSet;
use std::mem;
use std::rc::Rc;

use super::Emitter;
use super::reduction::Reduction;
use super::subtree::{calls, for_each_mark};
use crate::arith::BUILDS;
use crate::array_copies::ArrayCopies;
use crate::errno::Errno;
use crate::slots::Slots;
use crate::threads::{self, PRIVATE, Parts, Schedule, Threads};
use crate::vector::PrivateCopies;

/// What a `parallel` or `pipeline` mark says.
#[derive(Clone)]
pub(super) struct Parallel<'a> {
    /// The slots that each iteration has a copy of, and that are in no array of the program.
    private: Vec<SlotId>,
    /// The arrays that each iteration has a copy of.
    arrays: Vec<ArrayId>,
    /// What each thread accumulates by itself.
    reductions: Vec<Reduction<'a>>,
}

impl<'a> Emitter<'_, 'a, '_> {
    /// What a mark around a node says; `None` where the loops below are to stay on one thread: all are, they are in a parallel loop
    /// already, or arrays have no copies. Loops are made such that each iteration that has copies is in one place.
    pub(super) fn parallel_of(&self, (names, reduction): (&[Name], &[Name]), body: &Node) -> Option<Parallel<'a>> {
        let private = self.slots_among(names);
        let arrays = self.arrays_to_copy(names, body)?;
        let may_be = self.on_threads && !self.in_parallel;
        let reductions = may_be.then(|| self.reductions(reduction, body))??;
        Some(Parallel {
            private,
            arrays,
            reductions,
        })
    }

    /// Emits a loop from `lower` to below `end` between markers.
    pub(super) fn parallel_loop(
        &mut self,
        node: &For,
        parallel: &Parallel<'a>,
        (lower, end): (IntValue<'a>, IntValue<'a>),
    ) {
        let step = self.arith().constant(&node.step);
        let trip_count = self.trip_counts[node.iter.0];
        let last = self.last_of((lower, end), step, node.step.is_one());
        let scope = self.values.scope();
        let behind = (!trip_count.is_entered).then(|| self.where_entered("farkas.some", (lower, end)));
        let context = self.run.context();
        let schedule = schedule_of(node);
        let front = self.builder.get_insert_block().expect("a positioned builder");
        let accumulation = self.begin_accumulation(&parallel.reductions);
        let fork = self.block("farkas.shared");
        self.builder.build_unconditional_branch(fork).expect(BUILDS);
        self.builder.position_at_end(fork);
        let begin = threads::begin(context, self.builder, Threads { last, schedule });
        let start = self.builder.get_insert_block().expect("a positioned builder");
        let inside = self.block("farkas.threads");
        self.builder.build_unconditional_branch(inside).expect(BUILDS);
        self.builder.position_at_end(inside);

        let at = |number: IntValue<'a>| {
            let distance = self.builder.build_int_nsw_mul(number, step, "").expect(BUILDS);
            self.builder.build_int_nsw_add(lower, distance, "").expect(BUILDS)
        };
        let (first, behind_last) = (at(begin.first), at(begin.last));
        let one = self.i64.const_int(1, false);
        let behind_last = self.builder.build_int_nsw_add(behind_last, one, "").expect(BUILDS);
        let own: Vec<SlotId> = parallel.reductions.iter().map(|reduction| reduction.slot).collect();
        let (copies, variables) = self.copies(&[&parallel.private[..], &own].concat());
        let (slots, private) = (Rc::new(copies), Rc::new(PrivateCopies::new(self.function)));
        let outer = (
            mem::replace(&mut self.slots, slots),
            mem::replace(&mut self.private, private),
            mem::replace(&mut self.errno, Rc::new(Errno::new(self.function))),
        );
        let own_buffers = self.buffers_of_threads(&node.body);
        let buffers = mem::replace(&mut self.buffers, own_buffers);
        let of_chunk = TripCount {
            is_entered: true,
            is_constant: false,
            ..trip_count
        };
        if let Some(accumulation) = &accumulation {
            self.begin_copies(accumulation, &parallel.reductions);
        }
        self.in_parallel = true;
        self.first_row = is_rows(node).then_some(lower);
        self.loop_between(node, (first, Some(behind_last)), of_chunk);
        self.first_row = None;
        self.in_parallel = false;
        let registers = self.private.registers();
        let of_lanes = self.private.arrays();
        let copies = registers.iter().chain(&of_lanes);
        copies.for_each(|copy| self.make_private(*copy));
        let flags = self.errno.variables();
        flags.iter().for_each(|flag| self.make_private(*flag));
        let any_negative = self.errno.publish(self.builder);
        let errno = mem::replace(&mut self.errno, Rc::clone(&outer.2));
        if let Some(accumulation) = &accumulation {
            self.combine_copies(accumulation, &parallel.reductions, begin);
        }
        (self.slots, self.private) = (outer.0, outer.1);
        self.buffers = buffers;

        let behind_loop = self.builder.get_insert_block().expect("a positioned builder");
        self.forget(start, &[variables, registers, flags].concat());
        self.use_copies(&parallel.arrays, (start, inside));
        if let Some(variable) = any_negative {
            self.hand_out(front, variable);
        }
        self.builder.position_at_end(behind_loop);
        threads::end(context, self.builder, begin);
        if let Some(accumulation) = &accumulation {
            self.end_accumulation(accumulation, &parallel.reductions);
        }
        if let Some(variable) = any_negative {
            self.errno.collect(self.builder, (&errno, variable));
        }
        drop(scope);
        if let Some(behind) = behind {
            self.builder.build_unconditional_branch(behind).expect(BUILDS);
            self.builder.position_at_end(behind);
        }
    }

    /// The number of iterations less one of a loop that has some.
    fn last_of(&self, (lower, end): (IntValue<'a>, IntValue<'a>), step: IntValue<'a>, is_one: bool) -> IntValue<'a> {
        let builder = self.builder;
        let distance = builder.build_int_nsw_sub(end, lower, "").expect(BUILDS);
        let one = self.i64.const_int(1, false);
        let distance = builder.build_int_nsw_sub(distance, one, "").expect(BUILDS);
        match is_one {
            true => distance,
            false => builder.build_int_signed_div(distance, step, "").expect(BUILDS),
        }
    }

    /// The slots with a variable or array of its own for each of these, and those variables that are no arrays.
    fn copies(&self, private: &[SlotId]) -> (Slots<'a>, Vec<PointerValue<'a>>) {
        let copies = self.slots.with_copies(private, self.function);
        let own = private.iter().filter_map(|slot| copies.variable(*slot));
        own.clone().for_each(|variable| self.make_private(variable));
        let arrays: Vec<_> = copies.arrays().collect();
        let variables = own.filter(|variable| !arrays.contains(variable)).collect();
        (copies, variables)
    }

    pub(super) fn make_private(&self, variable: PointerValue<'a>) {
        let (run, variable) = (self.run, Value::from_inkwell(variable));
        run.attach(variable, PRIVATE, run.metadata_node(&[]));
    }

    /// Takes the values from variables of a loop in front of it, at the end of a block. Otherwise SROA would take what one execution
    /// of the loop leaves there, and no one reads, to the next one.
    fn forget(&self, block: BasicBlock<'a>, variables: &[PointerValue<'a>]) {
        let end = block.get_terminator().expect("a block that goes on to a loop");
        self.builder.position_before(&end);
        for variable in variables {
            let alloca = variable.as_instruction().expect("a variable on the stack");
            let ty = alloca.get_allocated_type().expect("the type of a variable");
            self.builder.build_store(*variable, ty.const_zero()).expect(BUILDS);
        }
    }

    /// Clears a variable at the end of a block in front of a loop, and hands it to all threads.
    fn hand_out(&self, block: BasicBlock<'a>, variable: PointerValue<'a>) {
        let end = block.get_terminator().expect("a block that goes on to a loop");
        self.builder.position_before(&end);
        let clear = self.run.context().i8_type().const_zero();
        self.builder.build_store(variable, clear).expect(BUILDS);
        threads::share(self.run.context(), self.builder, variable);
    }
}

/// How the iterations of a loop are dealt out to threads.
fn schedule_of(node: &For) -> Schedule {
    match is_uneven(&node.body, node.iter) {
        _ if is_rows(node) => Schedule::Pipelined,
        true => Schedule::Parts(Parts::Cyclic),
        false => Schedule::Parts(Parts::Static),
    }
}

/// Lets LLVM expect that threads know of all arrays that they share, where the builder stands.
pub(super) fn share<'a>(
    run: &'a Run<'_>,
    (scop, ast): (&ScopIr<'a>, &Ast),
    (slots, copies): (&Slots<'a>, &ArrayCopies<'a>),
    builder: &Builder<'a>,
) {
    let own = never_shared(scop, &ast.root);
    let arrays = (0..scop.arrays.len()).map(ArrayId).filter(|id| !own.contains(id));
    let bases = arrays
        .flat_map(|array| scop.addresses_of(array))
        .filter_map(Value::basic);
    let pointers = bases
        .filter(|base| base.is_pointer_value())
        .map(|base| base.into_pointer_value());
    let arrays: IndexSet<_> = pointers
        .filter(|base| !base.is_const())
        .chain(slots.arrays())
        .chain(copies.memory())
        .collect();
    arrays
        .into_iter()
        .for_each(|array| threads::share(run.context(), builder, array));
}

/// The arrays of which threads have copies wherever they access them.
fn never_shared(scop: &ScopIr<'_>, root: &Node) -> IndexSet<ArrayId> {
    let (mut copied, mut shared) = (IndexSet::new(), IndexSet::new());
    for_each_mark(root, &mut |mark, body| {
        let (Mark::Parallel { private, .. } | Mark::Pipeline { private }) = mark else {
            return;
        };
        let is_private = |array: &ArrayId| private.iter().any(|name| name.as_str() == scop.arrays[array.0].name);
        for call in calls(body) {
            let name = call.statement.name().expect("a statement has a name");
            let statement = scop.statements.iter().find(|statement| statement.name == **name);
            for instruction in statement.iter().flat_map(|statement| &statement.instructions) {
                if let Some(array) = scop.array_of(*instruction) {
                    let side = if is_private(&array) { &mut copied } else { &mut shared };
                    side.insert(array);
                }
            }
        }
    });
    copied.retain(|array| !shared.contains(array));
    copied
}
