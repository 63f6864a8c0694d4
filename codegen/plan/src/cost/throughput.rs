//! How many cycles the operations of a statement take if nothing waits.
//!
//! A vectorized loop executes as many instances at once as fit in a vector register. An access that stays where it is
//! along the innermost loop is done once before it; one that moves by one element is a vector access; any other one takes
//! an access and a shuffle for each lane. Copies of the statement by unrolling share what does not move from one to the
//! next, and what several of them read.

use crate::analysis::linear::{LinearAccess, Stride};
use crate::analysis::nest::{Nest, NestLoop};
use crate::analysis::reuse::accesses_in_one;
use crate::cost::Model;
use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::program::{
    Access, AccessId, AccessKind, ElementType, Inspection, Operation, OperationClass, Statement,
};
use farkas_polyhedral::sets::Tuple;
use indexmap::IndexMap;

/// Cycles to copy an element into a buffer, with loops over short rows.
const COPY: f64 = 2.0;
/// Cycles to start and end a loop: its first and last iterations do not overlap with their neighbours.
pub(super) const LOOP_ENTRY: f64 = 8.0;
/// Cycles of the branches that end a vectorized loop and its remainder, where trip counts differ each time: two that are
/// predicted wrongly.
pub(super) const MISPREDICTED: f64 = 30.0;
/// Cycles of an instance for branches on data that are predicted wrongly. (Measured on Zen 5: the longest common subsequence of texts of
/// four letters takes 2.7 cycles an instance where its operations take 1.3. It depends on the data.)
const MISPREDICTED_CONDITION: f64 = 1.0;
/// Operations of a loop beside those of the statement: the counter and the branch.
pub(super) const LOOP_OPERATIONS: f64 = 2.0;
/// LLVM unrolls a vectorized loop of a constant number of iterations completely if these fill fewer vectors.
const COMPLETELY: f64 = 8.0;
/// The bits of a value of a statement that has no operations to say it.
const DEFAULT_BITS: u16 = 64;

impl Model<'_> {
    /// The cycles of all instances of a statement by throughput.
    pub(super) fn throughput(&self, tuple: &Tuple, nest: &Nest, vectorized: bool) -> f64 {
        let statement = self.statement_of(tuple);
        let Some(innermost) = nest.innermost() else {
            return nest.instances * self.loop_entry;
        };
        if let Some(along) = nest.lanes() {
            return self.in_lanes(tuple, nest, innermost, along);
        }
        let is_vectorized =
            vectorized && !self.scatters(tuple, statement, nest) && !self.moves_in_slot(tuple, statement, innermost);
        self.throughput_by_llvm(tuple, nest, is_vectorized)
    }

    /// The cycles of all instances of a statement in an innermost loop that LLVM vectorizes, or does not.
    pub(super) fn throughput_by_llvm(&self, tuple: &Tuple, nest: &Nest, is_vectorized: bool) -> f64 {
        let statement = self.statement_of(tuple);
        let innermost = nest.innermost().expect("a loop");
        let bits = widest(statement);
        let one_by_one = self.instance_in(tuple, statement, nest, 1);
        let most = (self.target.vector.bits / u32::from(bits)).max(1);
        // LLVM leaves a loop as it is where vectors gain nothing, as elements that are apart take a shuffle for each lane.
        let (lanes, instance) = match is_vectorized.then(|| self.instance_in(tuple, statement, nest, most)) {
            Some(side_by_side) if side_by_side < one_by_one => (most, side_by_side),
            _ => (1, one_by_one),
        };
        let known = self.known_trips(tuple, innermost);
        let scalar = match lanes {
            1 => 0.0,
            // The last iterations, which fill no vector.
            _ => {
                let last = match known {
                    Some(trips) => trips % f64::from(lanes),
                    None => (f64::from(lanes - 1) / 2.0).min(innermost.trips),
                };
                let one_by_one = self.accesses(tuple, statement, nest, 1, bits).cycles;
                let one_by_one = one_by_one.max(self.arithmetic(tuple, statement, innermost, 1, &|_| 0.0).cycles);
                last * nest.copies() * (one_by_one - instance).max(0.0)
            }
        };
        let entries = nest.instances * innermost.partial / (nest.copies() * innermost.trips);
        let mispredicted = if innermost.is_cut { MISPREDICTED } else { 0.0 };
        let is_unrolled = known.is_some_and(|trips| lanes > 1 && trips < COMPLETELY * f64::from(lanes));
        let entry = if is_unrolled { 0.0 } else { self.loop_entry };
        nest.instances * instance + entries * (entry + mispredicted + scalar) + self.copies_into_buffers(tuple, nest)
    }

    /// The cycles to copy tiles of arrays into buffers: each element once for all that reads it in a tile.
    pub(super) fn copies_into_buffers(&self, tuple: &Tuple, nest: &Nest) -> f64 {
        let packed = self.statements[tuple]
            .accesses
            .iter()
            .filter(|a| nest.is_packed(&a.array));
        let copies = packed.map(|access| {
            let stays = |l: &&NestLoop| {
                let direction = l.direction.as_ref();
                l.packed.is_some() && direction.is_some_and(|d| access.stride(d) == Stride::Zero)
            };
            let reuse: f64 = nest.loops.iter().filter(stays).map(|l| l.trips).product();
            nest.instances / reuse
        });
        COPY * copies.sum::<f64>()
    }

    /// The cycles of an instance in an innermost loop whose iterations LLVM executes in so many lanes.
    fn instance_in(&self, tuple: &Tuple, statement: &Statement, nest: &Nest, lanes: u32) -> f64 {
        let innermost = nest.innermost().expect("a loop");
        let bits = widest(statement);
        let memory = self.accesses(tuple, statement, nest, lanes, bits);
        let Arithmetic {
            cycles: arithmetic,
            operations,
            ..
        } = self.arithmetic(tuple, statement, innermost, lanes, &|_| 0.0);
        let issued = (memory.operations + operations + LOOP_OPERATIONS / (nest.copies() * f64::from(lanes)))
            / f64::from(self.target.issue_width);
        let halves = match lanes > 1 && self.sums_products_of_halves(tuple, statement, innermost) {
            true => 0.5,
            false => 1.0,
        };
        // Vectors have masks in place of branches.
        let branches = match lanes {
            1 if statement.blocks > 1 => MISPREDICTED_CONDITION,
            _ => 0.0,
        };
        let (reloads, spilled) = match nest.has_packed() && !self.writes_what_stays(tuple, innermost) {
            true => (self.reloads(tuple, nest, (lanes, bits)), 0.0),
            false => (0.0, self.spilled(tuple, nest, lanes)),
        };
        let memory = memory.cycles + reloads;
        halves * memory.max(arithmetic).max(issued) + branches + spilled
    }

    /// Whether a statement writes an element that stays the same along the loop.
    fn writes_what_stays(&self, tuple: &Tuple, innermost: &NestLoop) -> bool {
        let Some(along) = innermost.direction.as_ref() else {
            return true;
        };
        let mut accesses = self.statements[tuple].accesses.iter();
        accesses.any(|access| access.writes && access.stride(along) == Stride::Zero)
    }

    /// The number of iterations of a loop, if that is a constant in the program.
    pub(super) fn known_trips(&self, tuple: &Tuple, along: &NestLoop) -> Option<f64> {
        let known = self.known_length(tuple, along.direction.as_ref()?)?;
        (along.size == 1 && along.trips == known).then_some(known)
    }

    /// The number of instances along a direction, if that is a constant in the program.
    pub(crate) fn known_length(&self, tuple: &Tuple, direction: &Row) -> Option<f64> {
        let mut moving = (0..direction.len()).filter(|dim| !direction[*dim].is_zero());
        let (Some(dim), None) = (moving.next(), moving.next()) else {
            return None;
        };
        self.constant_lengths[tuple][dim]
    }

    /// Whether a loop sums products of two numbers of 16 bits in one of 32 bits, as an instruction does for two lanes at once.
    fn sums_products_of_halves(&self, tuple: &Tuple, statement: &Statement, innermost: &NestLoop) -> bool {
        let word = |class| {
            let mut operations = statement.operations.iter();
            operations.any(|o| o.class == class && o.ty == ElementType::Integer(32))
        };
        let both = || statement.accesses.iter().zip(&self.statements[tuple].accesses);
        let stays = |linear: &LinearAccess| {
            let along = innermost.direction.as_ref();
            along.is_some_and(|along| linear.stride(along) == Stride::Zero)
        };
        let is_sum = both().any(|(access, linear)| access.reduction.is_some() && linear.writes && stays(linear));
        let size = |access: &Access| self.program.arrays[access.array()].element_size;
        let halves =
            both().filter(|(access, linear)| !linear.writes && access.reduction.is_none() && size(access) == 2);
        is_sum && word(OperationClass::Multiply) && word(OperationClass::Integer) && halves.count() == 2
    }

    /// How many values that a statement computes with fill a vector.
    pub(crate) fn lanes_of(&self, tuple: &Tuple) -> f64 {
        f64::from(self.target.vector.bits) / f64::from(widest(self.statement_of(tuple)))
    }

    /// Whether a statement stores to elements apart from each other along the loop, and not to all between them. LLVM does not vectorize
    /// that.
    fn scatters(&self, tuple: &Tuple, statement: &Statement, nest: &Nest) -> bool {
        let innermost = nest.innermost().expect("a loop");
        let mut accesses = statement
            .accesses
            .iter()
            .zip(&self.statements[tuple].accesses)
            .enumerate();
        accesses.any(|(position, (access, linear))| {
            let stride = innermost.direction.as_ref().map_or(Stride::Other, |d| linear.stride(d));
            let scatters = linear.writes && self.layouts[access.array()].in_memory && stride == Stride::Other;
            scatters && self.interleaved(tuple, position, nest).is_none()
        })
    }

    /// Whether a statement accesses elements of an expanded slot one after the other along the loop. LLVM sees no strides in subscripts
    /// modulo a size.
    fn moves_in_slot(&self, tuple: &Tuple, statement: &Statement, innermost: &NestLoop) -> bool {
        let mut accesses = statement.accesses.iter().zip(&self.statements[tuple].accesses);
        accesses.any(|(access, linear)| {
            let stride = innermost.direction.as_ref().map_or(Stride::Other, |d| linear.stride(d));
            self.is_expanded(access) && stride != Stride::Zero
        })
    }

    /// Cycles and operations of an instance for its accesses.
    fn accesses(&self, tuple: &Tuple, statement: &Statement, nest: &Nest, lanes: u32, bits: u16) -> PerInstance {
        let innermost = nest.innermost().expect("a loop");
        let ty = ElementType::Float(bits);
        let (mut loads, mut stores, mut shuffles, mut operations) = (0.0, 0.0, 0.0, 0.0);
        let copies: Vec<(Option<&Row>, f64)> = nest.unrolled().map(|l| (l.direction.as_ref(), l.trips)).collect();
        for (position, access) in statement.accesses.iter().enumerate() {
            let linear = &self.statements[tuple].accesses[position];
            let stride = |direction: &Option<Row>| match direction {
                Some(direction) => linear.stride(direction),
                None => Stride::Other,
            };
            if self.is_expanded(access) && stride(&innermost.direction) != Stride::Zero {
                operations += 1.0 + SLOT_ADDRESS;
            }
            let in_register = nest.in_registers.contains(&position);
            if in_register || !self.layouts[access.array()].in_memory || statement.is_alternative(AccessId(position)) {
                continue;
            }
            if innermost
                .direction
                .as_ref()
                .is_some_and(|along| linear.divides_along(along))
            {
                operations += REMAINDER;
            }
            let is_packed = nest.is_packed(access.array());
            let class = match linear.writes {
                true => OperationClass::Store,
                false => OperationClass::Load,
            };
            let sharing = accesses_in_one(&self.statements[tuple], linear, &copies);
            let one = |lanes| 1.0 / self.target.operations.cost(class, ty, lanes).per_cycle;
            let (cycles, count) = match stride(&innermost.direction) {
                // Rows of a buffer begin with a line.
                Stride::Unit | Stride::Other if is_packed => (one(lanes) / f64::from(lanes), 1.0 / f64::from(lanes)),
                _ if lanes > 1 && nest.hoisted.contains(&position) => {
                    (one(lanes) / f64::from(lanes), 1.0 / f64::from(lanes))
                }
                // LLVM gathers the same element for all lanes.
                Stride::Zero
                    if lanes > 1 && (nest.leaves_lanes_out || statement.is_conditional(AccessId(position))) =>
                {
                    shuffles += SHUFFLE / sharing;
                    (one(1), 2.0)
                }
                Stride::Zero => (one(1) / innermost.trips, 1.0 / innermost.trips),
                Stride::Unit => {
                    let crossing = 1.0 + CROSSING * self.crossing_share(lanes, bits);
                    (crossing * one(lanes) / f64::from(lanes), 1.0 / f64::from(lanes))
                }
                Stride::Other if lanes > 1 => match self.interleaved(tuple, position, nest) {
                    Some(Interleaved { stride, members }) => {
                        let vectors = stride / members;
                        shuffles += (stride - 1.0) * PERMUTATION / (f64::from(lanes) * sharing);
                        let crossing = 1.0 + CROSSING * self.crossing_share(lanes, bits);
                        let lanes_f = f64::from(lanes);
                        (
                            vectors * crossing * one(lanes) / lanes_f,
                            (vectors + stride - 1.0) / lanes_f,
                        )
                    }
                    None => {
                        shuffles += SHUFFLE / sharing;
                        (one(1), 2.0)
                    }
                },
                Stride::Other => (one(1), 1.0),
            };
            operations += count / sharing;
            match linear.writes {
                true => stores += cycles / sharing,
                false => loads += cycles / sharing,
            }
        }
        PerInstance {
            cycles: f64::max(loads, stores).max(shuffles) + self.page_walks(tuple, statement, nest),
            shuffles,
            operations,
        }
    }

    /// The group of interleaved accesses that one is in: LLVM loads all elements between those of a few lanes, and permutes them. It
    /// stores groups without gaps.
    fn interleaved(&self, tuple: &Tuple, position: usize, nest: &Nest) -> Option<Interleaved> {
        let innermost = nest.innermost()?;
        let accesses = &self.statements[tuple].accesses;
        let own = &accesses[position];
        let layout = &self.layouts[&own.array];
        let stride = layout.stride(own, innermost.direction.as_ref()?)? / layout.element;
        if !(2.0..=MOST_INTERLEAVED).contains(&stride) {
            return None;
        }
        // The elements of a group are in the same place but for the last subscript.
        let (last, outer) = own.constants.split_last()?;
        let is_member = |other: &&LinearAccess| {
            let of_other = other.constants.split_last();
            other.writes == own.writes
                && other.array == own.array
                && other.differs_by_constants(own)
                && of_other.is_some_and(|(own_last, rest)| rest == outer && (own_last - last).abs() < stride)
        };
        // Copies access elements in between, too.
        let fills = |l: &&NestLoop| {
            let step = l.direction.as_ref().and_then(|along| layout.stride(own, along));
            step.is_some_and(|step| (1.0..stride).contains(&(step / layout.element).abs()))
        };
        let copies: f64 = nest.unrolled().filter(fills).map(|l| l.trips).product();
        let members = (accesses.iter().filter(is_member).count() as f64 * copies).min(stride);
        let has_gaps = members < stride;
        (!own.writes || !has_gaps).then_some(Interleaved { stride, members })
    }

    /// The share of vector accesses that cross a line: vectors begin at any element.
    pub(super) fn crossing_share(&self, lanes: u32, bits: u16) -> f64 {
        let line = self.target.caches.first().map_or(64.0, |cache| f64::from(cache.line));
        let bytes = f64::from(lanes.saturating_sub(1)) * f64::from(bits) / 8.0;
        (bytes / line).min(1.0)
    }

    /// Cycles of an instance to find the pages of arrays that the innermost loop goes through in large steps. A loop that
    /// touches more pages than a translation buffer holds finds none of them there when it comes again.
    pub(super) fn page_walks(&self, tuple: &Tuple, statement: &Statement, nest: &Nest) -> f64 {
        let innermost = nest.innermost().expect("a loop");
        // The pages that an iteration goes on by, for each array, and the copies that share an access.
        let mut steps: IndexMap<&Tuple, (f64, f64)> = IndexMap::new();
        for (access, linear) in statement.accesses.iter().zip(&self.statements[tuple].accesses) {
            let layout = &self.layouts[access.array()];
            let stride = |direction: &Option<Row>| direction.as_ref().map_or(Stride::Other, |d| linear.stride(d));
            let is_packed = nest.is_packed(access.array());
            if !layout.in_memory || is_packed || stride(&innermost.direction) != Stride::Other {
                continue;
            }
            let bytes = innermost.direction.as_ref().and_then(|d| layout.stride(linear, d));
            let pages = (bytes.unwrap_or(PAGE).abs() / PAGE).min(1.0);
            // Copies of the same element, or of its neighbours, are in the same page. So are those next to what the next iteration accesses:
            // lanes along diagonals, where the innermost loop goes down columns.
            let is_next_to_later = |l: &NestLoop| {
                let along = l.direction.as_ref().and_then(|d| layout.stride(linear, d));
                let apart = along.zip(bytes).map(|(along, bytes)| (along.abs() - bytes.abs()).abs());
                apart.is_some_and(|apart| apart * l.trips <= PAGE)
            };
            let shared = nest
                .unrolled()
                .filter(|l| stride(&l.direction) != Stride::Other || is_next_to_later(l));
            let sharing: f64 = shared.map(|l| l.trips).product();
            let step = steps.entry(access.array()).or_insert((0.0, sharing));
            *step = (step.0.max(pages), step.1.min(sharing));
        }
        let touched = innermost.trips * steps.values().map(|(pages, _)| pages).sum::<f64>();
        let cycles = match touched {
            few if few <= FIRST_TRANSLATIONS => 0.0,
            some if some <= TRANSLATIONS => SECOND_TRANSLATION,
            _ => PAGE_WALK,
        };
        steps.values().map(|(pages, sharing)| cycles * pages / sharing).sum()
    }

    /// What an instance takes for its arithmetic. So many of each operation as `shared` says are done for several copies at once.
    pub(super) fn arithmetic(
        &self,
        tuple: &Tuple,
        statement: &Statement,
        innermost: &NestLoop,
        lanes: u32,
        shared: &dyn Fn(&Operation) -> f64,
    ) -> Arithmetic {
        let lanes_f = f64::from(lanes);
        let costs = &self.target.operations;
        if statement.operations.is_empty() {
            // An addition for each value but the first.
            let reads = statement.accesses.iter().filter(|a| a.kind == AccessKind::Read);
            let count = (reads.count() as f64 - 1.0).max(1.0);
            let addition = costs.cost(OperationClass::Add, ElementType::Float(DEFAULT_BITS), lanes);
            let cycles = count / (addition.per_cycle * lanes_f);
            return Arithmetic {
                cycles,
                floats: cycles,
                operations: count / lanes_f,
            };
        }
        let (mut floats, mut pipes, mut others, mut operations) = (0.0, 0.0_f64, 0.0_f64, 0.0);
        let mut left_to_fuse = if self.target.vector.fused {
            taken_along(statement)
        } else {
            0
        };
        for operation in &statement.operations {
            if matches!(operation.class, OperationClass::Load | OperationClass::Store) {
                continue;
            }
            let is_float = matches!(operation.ty, ElementType::Float(_));
            let mut count = operation.count - self.hoisted(tuple, statement, innermost, operation);
            if is_float && operation.class == OperationClass::Add {
                // A multiplication takes these along.
                let fused = left_to_fuse.min(count);
                left_to_fuse -= fused;
                count -= fused;
            }
            let count = (f64::from(count) - shared(operation)).max(0.0);
            let cycles = count / (costs.cost(operation.class, operation.ty, lanes).per_cycle * lanes_f);
            match operation.class {
                OperationClass::Add | OperationClass::Multiply if is_float => {
                    pipes = pipes.max(cycles);
                    floats += count / (costs.arithmetic.cost(operation.ty, lanes).per_cycle * lanes_f);
                }
                _ => others += cycles,
            }
            operations += count / lanes_f;
        }
        Arithmetic {
            cycles: floats.max(pipes).max(others),
            floats,
            operations,
        }
    }

    /// How many of the operations are done before the innermost loop, as they depend on values only that stay the same in it.
    fn hoisted(&self, tuple: &Tuple, statement: &Statement, innermost: &NestLoop, operation: &Operation) -> u32 {
        self.staying(tuple, statement, innermost, operation)
            .min(operation.count.saturating_sub(1))
    }

    /// How many of the operations depend on values only that stay the same along a loop.
    pub(super) fn staying(&self, tuple: &Tuple, statement: &Statement, along: &NestLoop, operation: &Operation) -> u32 {
        let stays = |read: AccessId| {
            let access = &self.statements[tuple].accesses[read.0];
            along
                .direction
                .as_ref()
                .is_some_and(|d| access.stride(d) == Stride::Zero)
        };
        statement.operations_on(operation, stays)
    }

    /// How many of the operations are done where elements are copied into buffers.
    pub(super) fn done_in_copies(&self, statement: &Statement, nest: &Nest, operation: &Operation) -> u32 {
        let reads = statement.accesses.iter().enumerate();
        let packed = reads.filter(|(_, access)| nest.is_packed(access.array()));
        let own = packed.map(|(position, _)| operand(statement, AccessId(position), operation));
        own.sum::<u32>().min(operation.count)
    }

    /// Cycles of an instance for values that find no register: what stays along the innermost loop is kept in one.
    pub(super) fn spilled(&self, tuple: &Tuple, nest: &Nest, lanes: u32) -> f64 {
        let without = self.without_register(tuple, nest, lanes);
        without.values * SPILL + without.addresses / self.loads_per_cycle((1, 64))
    }

    /// Cycles of an instance for values that find no register, and are operands in memory instead: nothing stores them. (Measured on
    /// Zen 4 with 4 x 4 copies and 16 registers: products with a packed operand reach 0.8 of the peak, 0.6 with [`SPILL`]. The choice
    /// between other candidates was made with that.)
    fn reloads(&self, tuple: &Tuple, nest: &Nest, (lanes, bits): (u32, u16)) -> f64 {
        let without = self.without_register(tuple, nest, lanes);
        without.values / self.loads_per_cycle((lanes, bits)) + without.addresses / self.loads_per_cycle((1, 64))
    }

    fn loads_per_cycle(&self, (lanes, bits): (u32, u16)) -> f64 {
        let load = self
            .target
            .operations
            .cost(OperationClass::Load, ElementType::Float(bits), lanes);
        load.per_cycle
    }

    /// How much of what an instance reads finds no register.
    fn without_register(&self, tuple: &Tuple, nest: &Nest, lanes: u32) -> WithoutRegister {
        let innermost = nest.innermost().expect("a loop");
        // A scalar that lanes have a copy of and that goes from one iteration to the next has one in each row, too.
        let private = nest.lanes().and_then(|l| l.lanes.as_ref()).map(|lanes| &lanes.private);
        let is_private_sum = |read: &LinearAccess| {
            let name = read.array.name();
            let is_private = private.is_some_and(|private| name.is_some_and(|name| private.contains(name)));
            let mut accesses = self.statements[tuple].accesses.iter();
            is_private && accesses.any(|access| access.writes && access.array == read.array)
        };
        let kept = |linear: &&LinearAccess| -> f64 {
            let stays = innermost
                .direction
                .as_ref()
                .is_some_and(|direction| linear.stride(direction) == Stride::Zero);
            let moves = |direction: &Option<Row>| direction.as_ref().is_none_or(|d| linear.stride(d) != Stride::Zero);
            let has_copies = is_private_sum(linear);
            let copies = nest
                .unrolled()
                .filter(|l| l.lanes.is_none() && (has_copies || moves(&l.direction)));
            if stays { copies.map(|l| l.trips).product() } else { 0.0 }
        };
        // The address of a row is in no vector if it is the same one in all lanes.
        let is_address = |linear: &&LinearAccess| {
            let is_of_rows = self.program.arrays[&linear.array].inspection == Some(Inspection::Rows);
            let along = nest.lanes().and_then(|l| l.direction.as_ref());
            is_of_rows && along.is_none_or(|along| linear.stride(along) == Stride::Zero)
        };
        let reads = || {
            let accesses = self.statements[tuple].accesses.iter().enumerate();
            let reads = accesses.filter(|(position, access)| !access.writes && !nest.in_registers.contains(position));
            reads.map(|(_, access)| access)
        };
        let addresses: f64 = reads().filter(is_address).map(|a| kept(&a)).sum();
        let values: f64 = reads().filter(|a| !is_address(a)).map(|a| kept(&a)).sum();
        // Some registers hold what an instance is working on.
        let free = f64::from(self.target.vector.registers) * REGISTERS_FOR_KEPT;
        let in_copies = nest.lanes().map_or(f64::from(lanes), |_| 1.0);
        let of_instance = |kept: f64, free: f64| (kept - free).max(0.0) / (nest.copies() * in_copies);
        WithoutRegister {
            values: of_instance(values, free),
            addresses: of_instance(addresses, REGISTERS_FOR_ADDRESSES),
        }
    }
}

/// What finds no register, for each instance.
struct WithoutRegister {
    /// Values that are computed with.
    values: f64,
    /// Addresses of rows.
    addresses: f64,
}

/// How many of the operations are computed of a read and invariants alone, and may be done where the element is copied into a buffer:
/// floating-point arithmetic.
pub(crate) fn operand(statement: &Statement, read: AccessId, operation: &Operation) -> u32 {
    use OperationClass::{Add, Divide, Multiply};
    let is_arithmetic =
        matches!(operation.class, Add | Multiply | Divide) && matches!(operation.ty, ElementType::Float(_));
    match is_arithmetic {
        true => statement.operations_on(operation, |other| other == read),
        false => 0,
    }
}

/// Strided accesses along a loop, with a stride of a few elements, and others to those in between.
struct Interleaved {
    /// The stride, in elements.
    stride: f64,
    /// How many of these are accessed.
    members: f64,
}

pub(super) struct PerInstance {
    pub(super) cycles: f64,
    pub(super) operations: f64,
    pub(super) shuffles: f64,
}

/// What an instance takes for its arithmetic.
pub(super) struct Arithmetic {
    pub(super) cycles: f64,
    /// Cycles of all pipes for floating-point additions and multiplications.
    pub(super) floats: f64,
    pub(super) operations: f64,
}

/// The bytes of a page.
pub(super) const PAGE: f64 = 4096.0;
/// The pages that a translation buffer holds, in its first and in its second level.
const FIRST_TRANSLATIONS: f64 = 64.0;
const TRANSLATIONS: f64 = 2048.0;
/// Cycles to find a page in the second level, and in the tables in memory. (Measured on Zen 4: copies of columns of up to 1000
/// elements take little more than their lines do. Longer ones take up to 20 cycles, and nothing more with huge pages.)
const SECOND_TRANSLATION: f64 = 0.8;
const PAGE_WALK: f64 = 4.0;
/// How much longer an access takes that crosses a line. (Measured on Zen 4 with vectors of 512 bits: 37 bytes per cycle
/// where aligned accesses reach 59.)
pub(super) const CROSSING: f64 = 0.7;
/// Cycles to put a lane into a vector, or to take it out: what a gather of LLVM's takes for each lane.
const SHUFFLE: f64 = 2.0;
/// LLVM makes groups of interleaved accesses that go on by so many elements at the most. (It does up to 8; what more than 4 cost is
/// not known here.)
const MOST_INTERLEAVED: f64 = 4.0;
/// Cycles of a permutation that picks lanes from two vectors.
pub(super) const PERMUTATION: f64 = 1.0;
/// Operations for the remainder in a subscript, and for the address that follows from it.
const REMAINDER: f64 = 3.0;
/// Operations for the address of an element of an expanded slot.
pub(super) const SLOT_ADDRESS: f64 = 4.0;
/// The share of the registers that can hold values from one iteration to the next.
const REGISTERS_FOR_KEPT: f64 = 0.8;
/// Registers that can hold addresses of rows from one iteration to the next: most of 16. Others are counters.
const REGISTERS_FOR_ADDRESSES: f64 = 12.0;
/// Cycles to store a value and load it again.
const SPILL: f64 = 1.0;

/// The bits of the widest value that the statement computes with.
pub(super) fn widest(statement: &Statement) -> u16 {
    let bits = statement.operations.iter().map(|operation| operation.ty.bits());
    bits.max().unwrap_or(DEFAULT_BITS).max(8)
}

/// How many additions of a statement take no time of their own beside its multiplications: as many as there are of these, contracted or not. Zen adds in
/// pipes of their own. Intel's cores do not, but the margins between candidates were measured with this.
fn taken_along(statement: &Statement) -> u32 {
    let count = |class| {
        let floats = statement
            .operations
            .iter()
            .filter(move |operation| operation.class == class && matches!(operation.ty, ElementType::Float(_)));
        floats.map(|operation| operation.count).sum::<u32>()
    };
    count(OperationClass::Add).min(count(OperationClass::Multiply))
}
