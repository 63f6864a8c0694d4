//! The LLVM instructions behind the model of a region.
//!
//! A [`ScopIr`] belongs to a [`Region`] that has a polyhedral model (a *static control part*, "scop"). The model
//! knows sets and relations only; `ScopIr` says which instructions they stand for:
//!
//! - A *statement* is a basic block with an effect, or several blocks that a data-dependent condition governs. Its
//!   instances are numbered by the counters of the loops around it inside the region. Each counter starts at 0. A
//!   statement without loops around it has one instance.
//! - A *scalar slot* carries a value from one statement instance to another. In the model it is an array without
//!   dimensions. Polly calls it a value or phi MemoryKind.
//!
//! ```c
//! for (long i = 0; i < n; i++) {
//!   double s = 0;                       // S0[i]    writes slot s
//!   for (long j = i; j < n; j++)
//!     s += A[i][j];                     // S1[i,j]  reads and writes slot s, reads A; j = i + (counter of the loop)
//!   y[i] = s;                           // S2[i]    reads slot s, writes y
//! }
//! ```
//!
//! An instance of a statement is executed elsewhere in three steps:
//!
//! 1. Every value in [`IrStatement::reads`] is loaded from its slot.
//! 2. The instructions in [`IrStatement::instructions`] are cloned in order. [`ScopIr::source`] says what replaces
//!    each operand. A statement of several [blocks](IrStatement::blocks) is cloned with its blocks and branches.
//! 3. Every value in [`IrStatement::writes`] is stored to its slot, its operand replaced in the same way. All writes
//!    see the values from before any of them.
//!
//! Before the region, the [initial values](ScalarSlot::initial) are stored to the slots. After it, each [live-out
//! value](ScopIr::live_outs) comes from its source.

use crate::loops::Loop;
use crate::region::Region;
use crate::scev::Scev;
use crate::types::Type;
use crate::value::{Block, Location, Value};
use indexmap::{IndexMap, IndexSet};

/// Index into [`ScopIr::loops`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoopId(pub usize);

/// Index into [`ScopIr::slots`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SlotId(pub usize);

/// Index into [`ScopIr::arrays`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArrayId(pub usize);

/// A sum of invariants, each times a loop's counter where there is one, in 64-bit arithmetic modulo 2^64.
pub type Affine<'a> = Vec<(Scev<'a>, Option<LoopId>)>;

/// The instructions behind the model of a region.
#[derive(Clone, Debug)]
pub struct ScopIr<'a> {
    /// Where it is in the function.
    pub region: Region<'a>,
    /// All loops, each before those inside it, and otherwise in program order.
    pub loops: Vec<ScopLoop<'a>>,
    /// The statements in program order: the same indices as in the model.
    pub statements: Vec<IrStatement<'a>>,
    /// The parameters, in the order that the model names them.
    pub parameters: Vec<Parameter<'a>>,
    /// The arrays accessed.
    pub arrays: Vec<IrArray<'a>>,
    /// The scalars that carry values between statement instances.
    pub slots: Vec<ScalarSlot<'a>>,
    /// The values computed inside that are used outside.
    pub live_outs: Vec<LiveOut<'a>>,
    /// The variables whose lifetime begins inside.
    pub locals: Vec<Local<'a>>,
    /// Integers of 64 bits that are extended from fewer bits, as the sums that they are where the assumptions hold.
    pub widened: IndexMap<Value<'a>, Affine<'a>>,
    /// The conditions on data that are assumed, each behind those that govern it.
    pub conditions: Vec<IrCondition<'a>>,
    /// The hoisted loads in order. For each: the instructions that compute its address, then the load.
    pub loads: Vec<Vec<Value<'a>>>,
}

/// A loop of the region.
#[derive(Clone, Debug)]
pub struct ScopLoop<'a> {
    /// The loop.
    pub handle: Loop<'a>,
    /// The loop directly around, inside the region.
    pub parent: Option<LoopId>,
    /// The name of its counter in the model.
    pub name: String,
    /// The header's phis that are affine in the counter.
    pub inductions: Vec<Induction<'a>>,
    /// The header's phis that are addresses of buffers which take turns.
    pub rotations: Vec<Rotation<'a>>,
}

/// Buffers that take turns (double buffering): phis of a loop's header that hand their addresses on to each other.
///
/// In iteration `k`, the phi at position `p` has the address that the phi at position `p + k` modulo their number has in the first one.
#[derive(Clone, Debug)]
pub struct Rotation<'a> {
    /// The phis, at least two. No two of their first addresses are the same value.
    pub phis: Vec<RotatedPhi<'a>>,
}

/// A phi of a rotation.
#[derive(Clone, Copy, Debug)]
pub struct RotatedPhi<'a> {
    /// The phi.
    pub phi: Value<'a>,
    /// Its address in the first iteration, which is computed outside the region.
    pub first: Value<'a>,
}

/// A rotation: the loop, and the index into [`ScopLoop::rotations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RotationId(pub LoopId, pub usize);

/// A phi in a loop header that in iteration `k` has the value `start + k * step`, modulo its width.
#[derive(Clone, Copy, Debug)]
pub struct Induction<'a> {
    /// The phi: an integer or a pointer.
    pub phi: Value<'a>,
    /// Its value in the loop's first iteration.
    pub start: Start<'a>,
    /// An integer of the phi's width (of the pointer's index width, in bytes), the same throughout the region.
    pub step: Scev<'a>,
}

/// Where an induction starts.
#[derive(Clone, Copy, Debug)]
pub enum Start<'a> {
    /// At this value, which depends on counters of loops around its own only; like any other operand, it may have to
    /// be replaced itself.
    Value(Value<'a>),
    /// At what a loop before it leaves, an expression that is the same throughout the region.
    Expression(Scev<'a>),
}

/// The instructions of a statement.
#[derive(Clone, Debug)]
pub struct IrStatement<'a> {
    /// The statement's name in the model.
    pub name: String,
    /// The blocks it is made of, in topological order. All but the first are executed under conditions, which the
    /// branches between them have; there is one block outside that all of them go on to.
    pub blocks: Vec<Block<'a>>,
    /// The loops around it, outermost first: the dimensions of its instances.
    pub loops: Vec<LoopId>,
    /// The instructions to clone, in order: loads, stores, calls, and the instructions of the block that these and
    /// the writes depend on. Forwarded loads of other blocks come first, with their operand trees.
    pub instructions: Vec<Value<'a>>,
    /// Values that are read from a slot: phis of the block, and values that other statements compute.
    pub reads: Vec<(SlotId, Value<'a>)>,
    /// Values that are written to a slot at the end.
    pub writes: Vec<SlotWrite<'a>>,
    /// The instructions whose values change with the order of the statement's instances, such as partial sums. Their
    /// clones drop flags and metadata.
    pub updates: IndexSet<Value<'a>>,
    /// Accesses under conditions that the clone makes in any case: loads behind its first block, and stores behind the last one, of what is
    /// there where the condition does not hold. The region accesses the elements of the loads anyway, and writes those of the stores. Each block with
    /// such a store goes on behind the statement, and nothing else in the statement stores to their arrays.
    pub unconditional: IndexSet<Value<'a>>,
    /// Instructions of the original that the clone does without.
    pub left_out: Vec<Value<'a>>,
    /// Whether the original has it under conditions on counters that hold in all of its instances, and not in all iterations of its loops.
    pub is_uncut: bool,
    /// Integers of 64 bits that are these sums in the instances of this statement, but not everywhere: a clamped subscript away
    /// from the border.
    pub affine: IndexMap<Value<'a>, Affine<'a>>,
}

/// A condition on data that new code assumes: what an inspector repeats in front of it.
#[derive(Clone, Debug)]
pub struct IrCondition<'a> {
    /// What has to be loaded and computed. It writes nothing and reads no slots, and its loops are those whose counters it depends on.
    pub statement: IrStatement<'a>,
    /// What is assumed: each of these has this value.
    pub conjuncts: Vec<(Value<'a>, bool)>,
}

/// What a statement writes to a slot.
#[derive(Clone, Debug)]
pub struct SlotWrite<'a> {
    /// The slot.
    pub slot: SlotId,
    /// The value.
    pub value: Written<'a>,
}

/// A value at the end of a statement.
#[derive(Clone, Debug)]
pub enum Written<'a> {
    /// This one.
    Always(Value<'a>),
    /// One for each block of the statement that it may end with.
    From(Vec<(Block<'a>, Value<'a>)>),
}

impl<'a> IrStatement<'a> {
    /// The block that it starts with.
    pub fn start(&self) -> Block<'a> {
        self.blocks[0]
    }

    /// Where it is in the source, if debug information says: the last of its instructions that has a place.
    pub fn location(&self) -> Option<Location> {
        let mut located = self.instructions.iter().rev().filter_map(|i| i.location());
        located.next()
    }

    /// Whether every instance executes one of these blocks of the statement.
    pub fn comes_through(&self, some: &[Block<'a>]) -> bool {
        let mut reached: IndexSet<Block<'a>> = IndexSet::from([self.start()]);
        for block in &self.blocks {
            if !reached.contains(block) || some.contains(block) {
                continue;
            }
            for target in block.successors() {
                if !self.blocks.contains(&target) {
                    return false;
                }
                reached.insert(target);
            }
        }
        true
    }

    /// Whether an instruction loads an element under a condition that the clone loads in any case.
    pub fn loads_in_any_case(&self, instruction: Value<'a>) -> bool {
        !instruction.is_store() && self.unconditional.contains(&instruction)
    }

    /// Whether a store is made in any case, of what the clone has to load for that: the statement does not load the element by itself.
    pub fn loads_for(&self, store: Value<'a>) -> bool {
        let is_of_it = |i: &Value<'a>| {
            i.is_load_or_store()
                && !i.is_store()
                && i.accessed_pointer() == store.accessed_pointer()
                && i.accessed_type() == store.accessed_type()
        };
        store.is_store() && self.unconditional.contains(&store) && !self.instructions.iter().any(is_of_it)
    }

    /// The values that its clone needs, apart from operands of [`IrStatement::instructions`].
    pub fn results(&self) -> Vec<Value<'a>> {
        let mut results = Vec::new();
        for write in &self.writes {
            match &write.value {
                Written::Always(value) => results.push(*value),
                Written::From(values) => results.extend(values.iter().map(|(_, value)| *value)),
            }
        }
        if self.blocks.len() > 1 {
            results.extend(self.blocks.iter().filter_map(|block| block.terminator().condition()));
        }
        results
    }
}

/// An integer that is the same throughout the region.
#[derive(Clone, Debug)]
pub struct Parameter<'a> {
    /// Its name in the model.
    pub name: String,
    /// Its value, of at most 64 bits, read as a signed number. It can be expanded where the region is entered.
    pub value: Scev<'a>,
}

/// The largest magnitude of a 64-bit parameter for which the new code runs. Far above any loop bound, and far enough
/// below the limits of `i64` for all arithmetic on it.
pub const PARAMETER_LIMIT: i64 = 1 << 40;

/// The same of the address of a pointer, which is where a loop that walks from one to another begins or ends.
/// Addresses of programs are below it, unless something is kept in their highest bits; what is computed of them is
/// shown to fit in 64 bits like all else.
const ADDRESS_LIMIT: i64 = 1 << 56;

/// The largest magnitude of a parameter of this value for which the new code runs, if it has 64 bits.
pub fn limit_of(parameter: Scev<'_>) -> i64 {
    match parameter.is_address() {
        true => ADDRESS_LIMIT,
        false => PARAMETER_LIMIT,
    }
}

/// What the subscripts of an array count from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base<'a> {
    /// An address that is computed outside the region.
    Pointer(Value<'a>),
    /// An address for each row, which is an element of this array, a *table*. Its subscripts are the first ones; the others count from
    /// the address. The region does not write the table. Rows are apart where one of them is written.
    Table(ArrayId),
    /// The addresses of buffers that take turns. The first subscript says which: the position of the phi that has the address in the first
    /// iteration. Buffers are apart where one of them is written.
    Rotation(RotationId),
}

impl<'a> Base<'a> {
    /// The address, if there is one for the whole array.
    pub fn pointer(self) -> Option<Value<'a>> {
        match self {
            Base::Pointer(pointer) => Some(pointer),
            Base::Table(_) | Base::Rotation(_) => None,
        }
    }

    /// Whether it is this address.
    pub fn is(self, address: Value<'a>) -> bool {
        self == Base::Pointer(address)
    }
}

/// An array of the model.
#[derive(Clone, Debug)]
pub struct IrArray<'a> {
    /// Its name in the model.
    pub name: String,
    /// What its subscripts count from.
    pub base: Base<'a>,
    /// The number of bytes of an element.
    pub element_size: u64,
    /// The loads and stores that access it.
    pub accesses: Vec<Value<'a>>,
}

/// A scalar that carries a value from one statement instance to another.
#[derive(Clone, Debug)]
pub struct ScalarSlot<'a> {
    /// Its name in the model.
    pub name: String,
    /// The type of its value.
    pub ty: Type<'a>,
    /// Its value when the region is entered; computed outside the region.
    pub initial: Option<Value<'a>>,
    /// The load or store that DeLICM mapped the slot to: what it accesses in the same iteration serves as the slot, in place of
    /// a stack variable. Its address is recomputed from counters and values outside the region.
    pub mapped_to: Option<Value<'a>>,
}

/// A variable on the stack that is used in the region only, and there by loads, stores and markers of its lifetime
/// alone. The markers are not part of any statement: when instances run in another order, it has to be there all the
/// time.
#[derive(Clone, Copy, Debug)]
pub struct Local<'a> {
    /// The variable.
    pub variable: Value<'a>,
    /// A marker of a place where its lifetime begins.
    pub start: Value<'a>,
    /// A marker of a place where its lifetime ends.
    pub end: Option<Value<'a>>,
}

/// A value of the region that is used after it.
#[derive(Clone, Copy, Debug)]
pub struct LiveOut<'a> {
    /// The value.
    pub value: Value<'a>,
    /// Where to take it from when the region's instances have run in another order.
    pub source: LiveOutSource<'a>,
}

/// Where a live-out value comes from.
#[derive(Clone, Copy, Debug)]
pub enum LiveOutSource<'a> {
    /// The value of the slot at the end.
    ScalarSlot(SlotId),
    /// An expression that can be expanded where the region is entered.
    Expression(Scev<'a>),
    /// The phi at this position of a rotation has it in the last iteration, whose number can be expanded where the region is entered, as an
    /// unsigned number of at most 64 bits.
    Rotation {
        /// The rotation.
        id: RotationId,
        /// The position.
        position: usize,
        /// The number of the last iteration, from 0.
        last: Scev<'a>,
    },
}

/// How a statement obtains a value that it uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The value itself: it is computed outside the region, or a constant.
    Outside,
    /// A phi, affine in a loop's counter: the index into [`ScopLoop::inductions`].
    Induction(LoopId, usize),
    /// The phi at this position of a rotation.
    Rotation(RotationId, usize),
    /// The value that was loaded from the slot before the statement.
    ScalarSlot(SlotId),
    /// The clone of the value, an instruction of this very statement.
    Statement,
    /// A clone, made where it is needed, of the value: an instruction without effects, whose operands have sources too.
    Recomputed,
}

impl<'a> ScopIr<'a> {
    /// How `statement` obtains `value`.
    pub fn source(&self, statement: &IrStatement<'a>, value: Value<'a>) -> Source {
        if !self.region.defines(value) {
            return Source::Outside;
        }
        if let Some((slot, _)) = statement.reads.iter().find(|(_, read)| *read == value) {
            return Source::ScalarSlot(*slot);
        }
        if let Some((id, index)) = self.induction(value) {
            return Source::Induction(id, index);
        }
        if let Some((id, position)) = self.rotation(value) {
            return Source::Rotation(id, position);
        }
        if statement.instructions.contains(&value) {
            Source::Statement
        } else {
            Source::Recomputed
        }
    }

    /// The array that a load or store accesses.
    pub fn array_of(&self, access: Value<'a>) -> Option<ArrayId> {
        let position = self.arrays.iter().position(|array| array.accesses.contains(&access));
        position.map(ArrayId)
    }

    /// Whether a load is of the address of a row: of an element of a table, which the region does not write.
    pub fn is_row_address(&self, load: Value<'a>) -> bool {
        self.arrays.iter().any(|array| match array.base {
            Base::Table(table) => self.arrays[table.0].accesses.contains(&load),
            Base::Pointer(_) | Base::Rotation(_) => false,
        })
    }

    /// The phis of a rotation.
    pub fn phis(&self, RotationId(id, index): RotationId) -> &[RotatedPhi<'a>] {
        &self.loops[id.0].rotations[index].phis
    }

    /// The addresses that are computed outside of the region and that the elements of an array count from: none of rows in a table.
    pub fn addresses_of(&self, array: ArrayId) -> Vec<Value<'a>> {
        match self.arrays[array.0].base {
            Base::Pointer(pointer) => vec![pointer],
            Base::Rotation(id) => self.phis(id).iter().map(|own| own.first).collect(),
            Base::Table(_) => Vec::new(),
        }
    }

    /// The rotation that a value is a phi of, and the position there.
    pub fn rotation(&self, value: Value<'a>) -> Option<(RotationId, usize)> {
        let rotations = self.loops.iter().map(|l| &l.rotations[..]);
        rotation(rotations, value)
    }

    /// The loop and the index of a phi that is affine in a loop's counter.
    pub fn induction(&self, value: Value<'a>) -> Option<(LoopId, usize)> {
        induction(&self.loops, value)
    }
}

/// The loop of these, and the index in it, of a phi that is affine in the loop's counter.
pub fn induction<'a>(loops: &[ScopLoop<'a>], value: Value<'a>) -> Option<(LoopId, usize)> {
    loops.iter().enumerate().find_map(|(id, l)| {
        let index = l.inductions.iter().position(|induction| induction.phi == value);
        index.map(|index| (LoopId(id), index))
    })
}

/// The rotation of those of some loops that a value is a phi of, and the position there.
pub fn rotation<'l, 'a: 'l>(
    loops: impl Iterator<Item = &'l [Rotation<'a>]>,
    value: Value<'a>,
) -> Option<(RotationId, usize)> {
    let all = loops.enumerate().flat_map(|(id, own)| {
        let own = own.iter().enumerate();
        own.map(move |(index, rotation)| (RotationId(LoopId(id), index), rotation))
    });
    all.into_iter().find_map(|(id, rotation)| {
        let position = rotation.phis.iter().position(|own| own.phi == value);
        position.map(|position| (id, position))
    })
}
