//! Replaces a region: the guard, the new code, and the values that are used after the region.

mod around_lanes;
mod conditions;
mod grid;
mod hints;
mod inside_lanes;
mod kernel;
mod loads_first;
mod loops;
mod matrix;
mod packed;
mod packed_operands;
mod parallel;
mod pipeline;
mod preheader;
mod reduction;
mod scattered_stores;
mod stages;
mod subtree;
mod thread_copies;

use std::cell::RefCell;
use std::mem;
use std::rc::Rc;

use farkas_llvm::Run;
use farkas_llvm::edit::Metadata;
use farkas_llvm::inkwell::IntPredicate;
use farkas_llvm::inkwell::basic_block::BasicBlock;
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::types::IntType;
use farkas_llvm::inkwell::values::{BasicValueEnum, FunctionValue, IntValue};
use farkas_llvm::scop_ir::{Affine, ArrayId, IrStatement, LiveOut, LiveOutSource, ScopIr, SlotId};
use farkas_llvm::value::{Block, Value};
use farkas_llvm::vector::Offset;
use farkas_polyhedral::ast::rows::{is_one_loop, is_steps};
use farkas_polyhedral::ast::{
    Ast, Call, Condition, Expr, For, IterId, IteratorBounds, Logic, Node, TripCount, Upper, trip_counts,
};
use farkas_polyhedral::program::{Expansion, NodeSplitting, PackedTile, Program};
use farkas_polyhedral::sets::{Name, Params};
use farkas_polyhedral::tree::Mark;
use indexmap::IndexMap;

use crate::alias_scopes::{Aliases, DistinctDims, Instances, LoopScopes};
use crate::arith::{Arith, BUILDS};
use crate::array_copies::{ArrayCopies, Region};
use crate::checks::Guards;
use crate::errno::Errno;
use crate::guard;
use crate::kernels::{Device, Launch, Offload};
use crate::node_splitting::in_pieces;
use crate::rotation;
use crate::slots::Slots;
use crate::statement::{Statements, affine_values, basic_type};
use crate::subscripts::Subscripts;
use crate::threads::has_team;
use crate::value_numbering::ValueNumbers;
use crate::vector::{Private, PrivateCopies};
use conditions::InspectedConditions;
use hints::Hints;
use kernel::{InBlock, Stages};
use loads_first::Body;
use packed::{Buffer, Place, Use, buffers};
use parallel::{Parallel, share};
use pipeline::Row;
use preheader::Preheader;

/// What is executed in place of a region.
#[derive(Clone, Copy)]
pub struct NewCode<'n> {
    /// The loops.
    pub ast: &'n Ast,
    /// Those for one thread, where they are others.
    pub alone: Option<&'n Ast>,
    /// When they are executed.
    pub guards: &'n Guards,
    /// The scalar slots that are arrays in it.
    pub expansions: &'n [Expansion],
    /// The tiles of arrays that are in buffers in it.
    pub packed: &'n [PackedTile],
    /// The pieces of statements that it is of, and the copies that some of them read.
    pub node_splitting: Option<&'n NodeSplitting>,
    /// The sizes for which threads are expected to pay; `None` where they always are.
    pub threads: Option<&'n Condition>,
    /// The device that its kernels run on. Requires that there is no [obstacle](crate::obstacle), and that all calls are in kernels.
    pub device: Option<&'n Device>,
}

/// Replaces the region by the AST where the guards hold.
pub(super) fn replace<'a>(run: &'a Run<'_>, (scop, program): (&ScopIr<'a>, &Program), new: &NewCode<'_>) {
    let NewCode {
        ast,
        alone,
        guards,
        expansions,
        packed,
        node_splitting,
        threads,
        device,
    } = *new;
    let whole = scop;
    let pieces = node_splitting.map(|split| in_pieces(scop, program, split));
    let (scop, program) = pieces
        .as_ref()
        .map_or((scop, program), |(scop, program)| (scop, program));
    let affine = affine_values(run, scop);
    let exiting = scop.region.exit.block();
    let has_copies = node_splitting.is_some() || expansions.iter().any(|expansion| expansion.copies.is_some());
    let AddedBlocks { check, failed, join } = AddedBlocks::make(run, scop, (device.is_some(), has_copies));
    let preheader = Preheader::compute(run, scop, guards, &affine, check);
    let context = run.context();
    let builder = context.create_builder();
    let function = run.function().inkwell();

    let new_code = context.append_basic_block(function, "farkas.start");
    let numbers = guard::Numbers {
        params: &preheader.params,
        wide: &preheader.wide,
    };
    let slots = Rc::new(Slots::new(scop, expansions, function));
    let errno = Rc::new(Errno::new(function));
    let inspected = InspectedConditions {
        run,
        scop,
        asts: &guards.conditions,
        affine: &affine,
        preheader: &preheader,
        slots: &slots,
        errno: &errno,
    };
    let inspect = |builder: &Builder<'a>, failed: BasicBlock<'a>| inspected.evaluate(builder, failed);
    let entry = match has_copies {
        true => context.append_basic_block(function, "farkas.memory"),
        false => new_code,
    };
    guard::branch(run, scop, guards, (check, entry), (numbers, &inspect));

    // From here the builder has its location.
    builder.position_before(
        &check
            .terminator()
            .instruction()
            .expect("a terminator is an instruction"),
    );
    builder.position_at_end(entry);
    let aliases = Aliases::new(run, scop);
    let region = Region {
        run,
        scop,
        program,
        aliases: &aliases,
    };
    let copies = match failed.filter(|_| has_copies) {
        Some(failed) => {
            let ways = (new_code, failed.inkwell());
            let split = node_splitting.map(|split| (whole, split));
            ArrayCopies::allocate(
                region,
                (expansions, split),
                (&ast.params, &preheader.params),
                (&builder, ways),
            )
        }
        None => ArrayCopies::none(),
    };
    let insert = |marker: Value<'a>| builder.insert_instruction(&marker.duplicate(), None);
    scop.locals.iter().for_each(|local| insert(local.start));
    slots.initialize(scop, &builder);
    aliases.declare(run, &builder);
    let around = Around {
        run,
        scop,
        copies: &copies,
        builder: &builder,
        function,
        affine: &affine,
        preheader: &preheader,
        slots: &slots,
        errno: &errno,
        aliases: &aliases,
    };
    let failed = failed.filter(|_| device.is_some());
    let offload = device
        .zip(failed)
        .map(|(device, failed)| around.begin_offload(device, failed));
    let place = if device.is_some() { Place::Shared } else { Place::Stack };
    let use_of = |buffer: &Name| Use {
        slots: stages::slots(&ast.root, buffer),
        has_operands: packed_operands::pay(&ast.root, buffer),
    };
    let buffers = buffers((scop, &aliases), packed, (place, &use_of), function);
    let forks = ast
        .root
        .has_mark(&|mark| matches!(mark, Mark::Parallel { .. } | Mark::Pipeline { .. }));
    let launches = match forks {
        false => around.emit_loops((program, expansions), ast, false, &buffers),
        true => {
            let always = Condition::TRUE;
            let loops = (ast, alone.unwrap_or(ast));
            around.emit_for_threads((program, expansions), loops, threads.unwrap_or(&always), &buffers);
            Vec::new()
        }
    };
    around.errno.set(&builder);
    copies.finish(region, &builder);
    let is_done = offload.as_ref().map(|offload| offload.end(&builder));
    let end = builder.get_insert_block().expect("a positioned builder");
    let front = new_code
        .get_first_instruction()
        .expect("a block that goes on to the new code");
    builder.position_before(&front);
    aliases.attach_within(run, &builder);
    errno.clear(&builder);
    builder.position_at_end(end);
    let joined = leave(run, scop, (exiting, join), &preheader, &slots, &builder);
    builder.position_at_end(end);
    scop.locals.iter().filter_map(|local| local.end).for_each(insert);
    go_on(is_done.zip(failed), join, &builder);
    if let Some(offload) = &offload {
        launches.iter().for_each(|launch| offload.launch(launch, &builder));
    }
    run.settle_variables(&scop.region, &joined, Block::from_inkwell(new_code));
    preheader.guard_loads(run);
}

/// Goes on behind the new code, or where a device has not done its work, to what runs then.
fn go_on<'a>(done: Option<(IntValue<'a>, Block<'a>)>, join: Block<'a>, builder: &Builder<'a>) {
    let join = join.inkwell();
    let branch = match done {
        Some((is_done, failed)) => builder.build_conditional_branch(is_done, join, failed.inkwell()),
        None => builder.build_unconditional_branch(join),
    };
    branch.expect(BUILDS);
}

/// The blocks that are added at the borders of a region.
struct AddedBlocks<'a> {
    /// Where the region is entered.
    check: Block<'a>,
    /// Behind it, in front of the original, which also runs where a device fails, or where there is no memory for copies of arrays.
    failed: Option<Block<'a>>,
    /// Where the region is left.
    join: Block<'a>,
}

impl<'a> AddedBlocks<'a> {
    /// Adds them, and marks the original's loops.
    fn make(run: &'a Run<'_>, scop: &ScopIr<'a>, (on_device, has_copies): (bool, bool)) -> AddedBlocks<'a> {
        match on_device {
            false => scop.region.outermost.iter().for_each(|l| run.mark_done(*l)),
            true => scop.loops.iter().for_each(|l| run.mark_on_device(l.handle)),
        }
        let check = run.split_entry(scop.region.entry);
        let failed = (on_device || has_copies).then(|| run.split_before(check.terminator()));
        let join = run.split_exit(scop.region.exit);
        // What is computed for the region as a whole gets the location of its first loop.
        for added in [check, join] {
            run.set_location(added.terminator(), scop.region.outermost[0]);
        }
        AddedBlocks { check, failed, join }
    }
}

/// What the loops of the new code are emitted with.
struct Around<'b, 'a, 'r> {
    run: &'a Run<'r>,
    scop: &'b ScopIr<'a>,
    /// It stands where the loops begin.
    builder: &'b Builder<'a>,
    function: FunctionValue<'a>,
    affine: &'b IndexMap<Value<'a>, Affine<'a>>,
    preheader: &'b Preheader<'a>,
    slots: &'b Rc<Slots<'a>>,
    copies: &'b ArrayCopies<'a>,
    errno: &'b Rc<Errno<'a>>,
    aliases: &'b Aliases<'a>,
}

impl<'b, 'a, 'r> Around<'b, 'a, 'r> {
    fn arith(&self) -> Arith<'_, 'a> {
        Arith {
            builder: self.builder,
            i64: self.run.context().i64_type(),
            params: &self.preheader.params,
            iters: &[],
            logic: Logic::ShortCircuit,
            exact: None,
        }
    }

    /// Begins a region on a device, which goes on to `failed` where there is none.
    fn begin_offload(&self, device: &'b Device, failed: Block<'a>) -> Offload<'b, 'a, 'r> {
        Offload::begin((self.run, self.scop), device, &self.arith(), failed.inkwell())
    }

    /// Emits the loops twice: between markers for a team of threads, and without, as LLVM does better with these. The first ones run where
    /// threads are expected to pay, and there are several. The builder comes to stand behind both.
    fn emit_for_threads(
        &self,
        program: (&Program, &[Expansion]),
        (ast, alone): (&Ast, &Ast),
        pays: &Condition,
        buffers: &[Buffer<'_, 'a>],
    ) {
        let block = |name| self.run.context().append_basic_block(self.function, name);
        let (several, team, single, behind) = (
            block("farkas.several"),
            block("farkas.team"),
            block("farkas.single"),
            block("farkas.behind"),
        );
        let branch = |holds, then| {
            self.builder
                .build_conditional_branch(holds, then, single)
                .expect(BUILDS)
        };
        let go_on = || self.builder.build_unconditional_branch(behind).expect(BUILDS);
        branch(self.arith().condition(pays), several);
        self.builder.position_at_end(several);
        branch(has_team(self.run.context(), self.builder), team);
        self.builder.position_at_end(team);
        share(self.run, (self.scop, ast), (self.slots, self.copies), self.builder);
        self.emit_loops(program, ast, true, buffers);
        go_on();
        self.builder.position_at_end(single);
        self.emit_loops(program, alone, false, buffers);
        go_on();
        self.builder.position_at_end(behind);
    }

    /// Emits the loops, on threads where marks say so and that is asked for. The builder comes to stand behind them. Returns the kernels,
    /// whose blocks are in the function.
    fn emit_loops(
        &self,
        (program, expansions): (&Program, &[Expansion]),
        ast: &Ast,
        on_threads: bool,
        buffers: &[Buffer<'_, 'a>],
    ) -> Vec<Launch<'a>> {
        let values = ValueNumbers::default();
        let copied: Vec<Expansion> = expansions
            .iter()
            .filter(|expansion| expansion.copies.is_some())
            .cloned()
            .collect();
        let with_copies = program.with_unbounded_expansions(&copied);
        let mut emitter = Emitter {
            run: self.run,
            scop: self.scop,
            builder: self.builder,
            function: self.function,
            i64: self.run.context().i64_type(),
            affine: self.affine,
            preheader: self.preheader,
            slots: Rc::clone(self.slots),
            copies: self.copies,
            errno: Rc::clone(self.errno),
            aliases: self.aliases,
            distinct: &DistinctDims::of(&with_copies, &copied, self.scop),
            subscripts: &Subscripts::of(&with_copies, self.scop),
            unfolded: &Subscripts::of(&with_copies.unfolded(), self.scop),
            instances: RefCell::default(),
            loop_scopes: RefCell::default(),
            params: &ast.params,
            iterator_bounds: &IteratorBounds::of(ast),
            logic: ast.logic,
            names: &ast.iterators,
            trip_counts: &trip_counts(ast),
            iters: vec![None; ast.iterators.len()],
            innermost: None,
            buffers: buffers.into(),
            packed: Vec::new(),
            groups: RefCell::new(None),
            lanes: None,
            private: Rc::new(PrivateCopies::new(self.function)),
            on_threads,
            row: None,
            first_row: None,
            parallel: None,
            in_parallel: false,
            has_vectors: false,
            body: RefCell::default(),
            in_ends: false,
            values: &values,
            offset: &|address| self.run.address_offset(address),
            launches: Vec::new(),
            in_block: None,
        };
        emitter.node(&ast.root);
        let launches = mem::take(&mut emitter.launches);
        values.erase_unused();
        launches
    }
}

/// Lets the new code join the original: `join` is on the border where the original is left, behind its block
/// `exiting`, and gets phis for all values of the region that are used after it. Returns these values, each with its
/// phi.
fn leave<'a>(
    run: &'a Run<'_>,
    scop: &ScopIr<'a>,
    (exiting, join): (Block<'a>, Block<'a>),
    preheader: &Preheader<'a>,
    slots: &Slots<'a>,
    builder: &Builder<'a>,
) -> Vec<(Value<'a>, Value<'a>)> {
    let end = builder.get_insert_block().expect("a positioned builder");
    let new_value = |inside: Value<'a>| -> BasicValueEnum<'a> {
        let live_out = scop.live_outs.iter().find(|live_out| live_out.value == inside);
        match live_out.map(|live_out| live_out.source) {
            None => inside.basic().expect("a value of a first-class type"),
            Some(LiveOutSource::Expression(scev)) => preheader.invariants[&scev],
            Some(LiveOutSource::Rotation { id, position, last }) => {
                let last = preheader.invariants[&last].into_int_value();
                rotation::buffer(builder, scop.phis(id), last, position)
            }
            Some(LiveOutSource::ScalarSlot(slot)) => {
                let variable = slots
                    .variable(slot)
                    .expect("a slot that is read behind the region is a variable");
                builder.build_load(basic_type(inside), variable, "").expect(BUILDS)
            }
        }
    };
    for phi in join.phis() {
        let inside = phi
            .incoming_from(exiting)
            .expect("the original's exit is the only predecessor");
        phi.phi().expect("a phi").add_incoming(&[(&new_value(inside), end)]);
    }
    let phi_builder = run.context().create_builder();
    phi_builder.position_before(&join.terminator().instruction().expect("a terminator is an instruction"));
    let mut joined = Vec::new();
    for LiveOut { value, .. } in &scop.live_outs {
        let outside = |user: &Value<'a>| scop.region.is_after(*user) && user.block() != join;
        let users: Vec<Value<'a>> = value.users().into_iter().filter(outside).collect();
        if users.is_empty() {
            continue;
        }
        let phi = phi_builder.build_phi(basic_type(*value), "").expect(BUILDS);
        let original = value.basic().expect("a value of a first-class type");
        phi.add_incoming(&[(&original, exiting.inkwell()), (&new_value(*value), end)]);
        let phi = Value::from_inkwell(phi);
        users.into_iter().for_each(|user| user.replace_operand(*value, phi));
        joined.push((*value, phi));
    }
    joined
}

/// Walks the AST.
struct Emitter<'b, 'a, 'r> {
    run: &'a Run<'r>,
    scop: &'b ScopIr<'a>,
    builder: &'b Builder<'a>,
    function: FunctionValue<'a>,
    i64: IntType<'a>,
    affine: &'b IndexMap<Value<'a>, Affine<'a>>,
    preheader: &'b Preheader<'a>,
    /// Those of the parallel loop around, or else of the function.
    slots: Rc<Slots<'a>>,
    copies: &'b ArrayCopies<'a>,
    /// That of the parallel loop around, or else of the function.
    errno: Rc<Errno<'a>>,
    aliases: &'b Aliases<'a>,
    distinct: &'b DistinctDims,
    subscripts: &'b Subscripts<'a>,
    /// The same, [unfolded](Program::unfolded) where buffers take turns.
    unfolded: &'b Subscripts<'a>,
    /// Those whose accesses are emitted.
    instances: RefCell<Instances>,
    /// The loops around, for the scopes of their accesses.
    loop_scopes: RefCell<LoopScopes<'a>>,
    /// The AST's parameters, and the bounds of its iterators.
    params: &'b Params,
    iterator_bounds: &'b IteratorBounds<'b>,
    logic: Logic,
    /// What the iterators are called.
    names: &'b [Name],
    /// What is known of the loop of each iterator.
    trip_counts: &'b [TripCount],
    /// The iterators of the loops around.
    iters: Vec<Option<IntValue<'a>>>,
    /// The iterator of the last loop around, and its first value.
    innermost: Option<(IterId, IntValue<'a>)>,
    /// The buffers of packed tiles.
    buffers: Rc<[Buffer<'b, 'a>]>,
    /// Those that the `pack` marks around name.
    packed: Vec<Name>,
    /// The access group of the parallel innermost loop around, if there is one.
    groups: RefCell<Option<Metadata<'a>>>,
    /// The `vector` mark around.
    lanes: Option<Lanes>,
    /// Those of the parallel loop around, or else of the function.
    private: Rc<PrivateCopies<'a>>,
    /// Whether loops run on threads where marks say so.
    on_threads: bool,
    /// The row around whose steps overlap with those of others.
    row: Option<Row<'a>>,
    /// The first row of the pipeline around.
    first_row: Option<IntValue<'a>>,
    /// The `parallel` mark around.
    parallel: Option<Parallel<'a>>,
    /// Whether this is in a loop that runs on threads.
    in_parallel: bool,
    /// Whether vector code was emitted in the loop at hand.
    has_vectors: bool,
    /// The statement instances in the loop at hand, and their accesses.
    body: RefCell<Body<'a>>,
    /// Whether this is in the ends of strips of skewed lanes, which are scalar code: it takes as long, and is shorter.
    in_ends: bool,
    /// What is at hand where the builder stands.
    values: &'b ValueNumbers<'a>,
    /// The offset of an original address from its base.
    offset: &'b dyn Fn(Value<'a>) -> Option<Offset<'a>>,
    /// The kernels so far.
    launches: Vec<Launch<'a>>,
    /// Where in a block of a kernel this is; `None` on the host.
    in_block: Option<InBlock<'a>>,
}

/// What a `vector` mark says.
#[derive(Clone)]
struct Lanes {
    lanes: u32,
    /// Whether masks leave out lanes that have no iteration.
    masked: bool,
    /// What each lane has a copy of.
    private: Private,
}

impl Lanes {
    /// Whether the iterations of a loop are the lanes of one vector.
    fn are_iterations(&self, node: &For) -> bool {
        node.is_annotated(For::LANES) && node.has_iterations(self.lanes)
    }

    /// Whether a mask leaves out the lanes for which a loop has no iteration. The plan promises that there are not more of these.
    fn has_mask(&self, node: &For) -> bool {
        let is_bounded = matches!(node.upper, Upper::AtMost(_)) && node.step.is_one();
        self.masked && is_bounded && node.is_annotated(For::LANES)
    }
}

impl<'a, 'r> Emitter<'_, 'a, 'r> {
    /// The lesser one of two numbers.
    fn least(&self, one: IntValue<'a>, other: IntValue<'a>) -> IntValue<'a> {
        self.chosen(IntPredicate::SLT, one, other)
    }

    /// The greater one of two numbers.
    fn greatest(&self, one: IntValue<'a>, other: IntValue<'a>) -> IntValue<'a> {
        self.chosen(IntPredicate::SGT, one, other)
    }

    /// The first one of two numbers where a comparison with the other one holds, or else the other one.
    fn chosen(&self, predicate: IntPredicate, one: IntValue<'a>, other: IntValue<'a>) -> IntValue<'a> {
        let compared = self.builder.build_int_compare(predicate, one, other, "");
        let chosen = self.builder.build_select(compared.expect(BUILDS), one, other, "");
        chosen.expect(BUILDS).into_int_value()
    }

    fn arith(&self) -> Arith<'_, 'a> {
        Arith {
            builder: self.builder,
            i64: self.i64,
            params: &self.preheader.params,
            iters: &self.iters,
            logic: self.logic,
            exact: Some(self.values),
        }
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Call(_) => self.wait_for_row(),
            Node::For(node) if !is_steps(node) => self.wait_for_row(),
            _ => {}
        }
        match node {
            Node::Block(nodes) => nodes.iter().for_each(|node| self.node(node)),
            Node::For(node) => self.for_loop(node),
            Node::If {
                condition,
                then,
                otherwise,
            } => self.conditional(condition, then, otherwise.as_deref()),
            Node::Call(call) => self.call(call),
            Node::Mark {
                mark: Mark::Vector { lanes, masked, private },
                body,
            } => {
                let lanes = self.lanes_of((*lanes, *masked), private);
                let has_all = lanes.private.is_empty() || is_one_loop(body);
                let outer = mem::replace(&mut self.lanes, has_all.then_some(lanes));
                self.node(body);
                self.lanes = outer;
            }
            Node::Mark {
                mark: mark @ (Mark::Parallel { private, .. } | Mark::Pipeline { private }),
                body,
            } => {
                let reduction = match mark {
                    Mark::Parallel { reduction, .. } => &reduction[..],
                    _ => &[],
                };
                let parallel = self.parallel_of((private, reduction), body);
                let outer = mem::replace(&mut self.parallel, parallel);
                self.node(body);
                self.parallel = outer;
            }
            Node::Mark {
                mark: Mark::Kernel { private },
                body,
            } => self.kernel(private, body),
            Node::Mark {
                mark: Mark::Threads { .. },
                body,
            } => self.part_of_block(body),
            Node::Mark {
                mark: Mark::Mma { .. },
                body,
            } => self.matrix_instruction(body),
            Node::Mark {
                mark: Mark::Stages { stages },
                body,
            } => {
                let outside = self.set_stages(Stages::Ahead(*stages));
                self.node(body);
                self.set_stages(outside);
            }
            Node::Mark {
                mark: Mark::Pack { buffer, .. },
                body,
            } => {
                // A loop around has many tiles.
                let outside = self.innermost.take();
                self.packed.push(buffer.clone());
                self.node(body);
                self.packed.pop();
                self.innermost = outside;
            }
            Node::Mark {
                mark: Mark::Jam { iterations, .. },
                body,
            } => match &**body {
                Node::For(vectors) if self.jammed_vectors(vectors, *iterations) => {}
                _ => self.node(body),
            },
            Node::Mark { body, .. } => self.node(body),
        }
    }

    fn lanes_of(&self, (lanes, masked): (u32, bool), private: &[Name]) -> Lanes {
        Lanes {
            lanes,
            masked,
            private: Private {
                slots: self.slots_among(private),
                arrays: self.arrays_among(private),
            },
        }
    }

    /// The slots that a mark names which are in no array.
    fn slots_among(&self, names: &[Name]) -> Vec<SlotId> {
        let slots = self.scop.slots.iter().enumerate();
        let named =
            slots.filter(|(_, slot)| slot.mapped_to.is_none() && names.iter().any(|name| name.as_str() == slot.name));
        named.map(|(id, _)| SlotId(id)).collect()
    }

    /// The arrays that a mark names.
    fn arrays_among(&self, names: &[Name]) -> Vec<ArrayId> {
        let arrays = self.scop.arrays.iter().enumerate();
        let named = arrays.filter(|(_, array)| names.iter().any(|name| name.as_str() == array.name));
        named.map(|(id, _)| ArrayId(id)).collect()
    }

    fn block(&self, name: &str) -> BasicBlock<'a> {
        self.run.context().append_basic_block(self.function, name)
    }

    fn conditional(&mut self, condition: &Condition, then: &Node, otherwise: Option<&Node>) {
        let holds = self.arith().condition(condition);
        let then_block = self.block("farkas.then");
        let else_block = otherwise.map(|_| self.block("farkas.else"));
        let next = self.block("farkas.endif");
        self.builder
            .build_conditional_branch(holds, then_block, else_block.unwrap_or(next))
            .expect(BUILDS);
        self.builder.position_at_end(then_block);
        let scope = self.values.scope();
        let before = self.done_in_block();
        self.node(then);
        let after = self.set_done_in_block(before);
        drop(scope);
        self.builder.build_unconditional_branch(next).expect(BUILDS);
        if let (Some(block), Some(otherwise)) = (else_block, otherwise) {
            self.builder.position_at_end(block);
            let scope = self.values.scope();
            self.node(otherwise);
            drop(scope);
            self.builder.build_unconditional_branch(next).expect(BUILDS);
        }
        self.join_in_block(after);
        self.builder.position_at_end(next);
    }

    fn call(&mut self, call: &Call) {
        if let Some(buffer) = self.copied_into(call) {
            return self.copy_in(call, buffer);
        }
        let statement = self.statement_of(call);
        self.instances.replace(self.instances_of(call, None));
        self.with_statements(call, |statements, counters| {
            match self
                .copies
                .copied_to(&statement.name, counters, (self.builder, self.i64))
            {
                Some(place) => statements.copy(statement, counters, place),
                None => statements.instance(statement, counters),
            }
        });
        self.body.borrow_mut().instances += 1;
    }

    /// Emits something of the instance that a call executes, which has these counters.
    fn with_statements<R>(&self, call: &Call, emit: impl FnOnce(&Statements<'_, 'a>, &[IntValue<'a>]) -> R) -> R {
        let arguments = call.arguments.iter();
        let counters: Vec<_> = arguments.map(|argument| self.arith().expr(argument)).collect();
        let on_access = |original: Option<Value<'a>>, clone: Value<'a>| self.on_access(original, clone);
        let here = self.here();
        let in_buffer = |value: Value<'a>| self.read_in_buffer(&here, call, value);
        let statements = Statements {
            in_buffer: &in_buffer,
            ..self.statements(&on_access)
        };
        emit(&statements, &counters)
    }

    fn on_access(&self, original: Option<Value<'a>>, clone: Value<'a>) {
        self.values.accessed(clone);
        self.body.borrow_mut().add(original, clone);
        // A loop may be parallel only if each iteration has its own slots (`Coincidence::IfPrivate`). Accesses of slots are in no group:
        // the loop is none of LLVM's parallel ones until SROA has made values of them, which iterations share by phis only.
        let Some(original) = original else { return };
        self.aliases.attach(self.run, original, clone, &self.instances.borrow());
        self.note_in_loop(original, clone);
        if let Some(group) = *self.groups.borrow() {
            self.run.add_access_group(clone, group);
        }
    }
}

impl<'b, 'a> Emitter<'b, 'a, '_> {
    /// Notes an access for the scopes of the loop around.
    fn note_in_loop(&self, original: Value<'a>, clone: Value<'a>) {
        let instances = self.instances.borrow();
        // Masked loads and stores are calls. What stores has no value.
        let writes = clone.basic().is_none();
        let statement = instances
            .statement()
            .map(|position| &self.scop.statements[position].name);
        let subscripts = statement.and_then(|statement| self.subscripts.get(statement, original, writes));
        if let (Some(array), Some(subscripts)) = (self.aliases.array_of(original), subscripts) {
            let mut loops = self.loop_scopes.borrow_mut();
            loops.add((array, subscripts), self.params, &instances, (clone, writes));
        }
    }

    fn statement_of(&self, call: &Call) -> &'b IrStatement<'a> {
        &self.scop.statements[self.position_of(call)]
    }

    fn position_of(&self, call: &Call) -> usize {
        let name = call.statement.name().expect("a statement has a name");
        let mut statements = self.scop.statements.iter();
        statements
            .position(|s| s.name == **name)
            .expect("a statement of the region")
    }

    /// What a call accesses of each array, where lanes may be along an iterator with this lower bound.
    fn instances_of(&self, call: &Call, lanes: Option<(IterId, &Expr, u32)>) -> Instances {
        let points = self.in_block.iter().flat_map(|block| &block.points);
        let points = points.map(|(iter, first, threads)| (*iter, first, *threads));
        let at_once: Vec<_> = points.chain(lanes).collect();
        Instances::of(self.distinct, self.position_of(call), call, &at_once)
    }

    fn statements<'s>(&'s self, on_access: &'s dyn Fn(Option<Value<'a>>, Value<'a>)) -> Statements<'s, 'a> {
        Statements {
            scop: self.scop,
            builder: self.builder,
            function: self.function,
            i64: self.i64,
            affine: self.affine,
            invariants: &self.preheader.invariants,
            slots: &self.slots,
            copies: self.copies,
            errno: &self.errno,
            offset: self.offset,
            values: self.values,
            on_access,
            in_buffer: &|_| None,
        }
    }
}
