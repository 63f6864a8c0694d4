//! Statement splitting: a block becomes several statements, which can be scheduled one by one.
//!
//! ```c
//! for (long i = 0; i < n; i++) {
//!   a[i] = x[i] + 1;                    // one statement
//!   b[i] = y[i] * 2;                    // another
//! }
//! ```
//!
//! The *roots* of a block are its stores and its writes of scalar slots. A statement is a group of roots with the
//! instructions that they need. Pure instructions are cloned into each statement that needs them. Two roots stay
//! together if
//!
//! - they share a call, or another instruction that must not be repeated;
//! - they share a load, unless they accumulate along different loops, as `s += a[i][j] * x[j]` and `y[j] += a[i][j] * r[i]` do: they want
//!   different loops innermost, or different lanes;
//! - both store to one array;
//! - one reads a slot that the other writes: a statement reads all slots before it writes any.
//!
//! Statements keep the order of their accesses to the same array. Groups for which there is no such order are merged.

use farkas_llvm::Run;
use farkas_llvm::loops::Loop;
use farkas_llvm::operand_tree::{Visit, operand_tree};
use farkas_llvm::scev::{Scev, ScevKind};
use farkas_llvm::scop_ir::{SlotId, SlotWrite, Written};
use farkas_llvm::value::{Block, Kind, Value};
use indexmap::{IndexMap, IndexSet};

use super::stored_reductions::StoredReduction;
use crate::scev::strides::Strides;

/// Number of roots above which a block stays one statement: scheduling many statements is costly.
const MOST_ROOTS: usize = 16;

/// The instructions, reads and writes of a statement.
#[derive(Debug)]
pub(crate) struct StatementBody<'a> {
    /// In order.
    pub(crate) instructions: Vec<Value<'a>>,
    pub(crate) reads: IndexMap<Value<'a>, SlotId>,
    /// With the block that the value is for, where it is one that a phi there is to have.
    pub(crate) writes: Vec<(SlotWrite<'a>, Option<Block<'a>>)>,
}

/// Whether the instruction has an effect that outlives it.
pub(crate) fn is_root(i: Value<'_>) -> bool {
    i.facts().may_write() && !i.facts().droppable()
}

impl<'a> StatementBody<'a> {
    /// The slot that a write always writes the same value to, and that value.
    pub(super) fn slot_written(&self, write: usize) -> Option<(SlotId, Value<'a>)> {
        match &self.writes[write].0 {
            SlotWrite {
                slot,
                value: Written::Always(value),
            } => Some((*slot, *value)),
            _ => None,
        }
    }

    /// The values that a write may write.
    pub(super) fn values_of(&self, write: usize) -> Vec<Value<'a>> {
        match &self.writes[write].0.value {
            Written::Always(value) => vec![*value],
            Written::From(values) => values.iter().map(|(_, value)| *value).collect(),
        }
    }

    /// Takes a reduction out, as a statement behind this one to which the slot carries the value that it combines.
    pub(super) fn without_reduction(mut self, reduction: StoredReduction<'a>, slot: SlotId) -> [StatementBody<'a>; 2] {
        let StoredReduction { write, update, stored } = reduction;
        self.instructions.retain(|i| *i != update);
        let (read, reduced) = self
            .reads
            .iter()
            .map(|(read, slot)| (*read, *slot))
            .find(|(read, _)| update.operands().contains(read))
            .expect("a reduction reads its slot");
        self.reads.shift_remove(&read);
        let own = self.writes.remove(write);
        let value = Written::Always(stored);
        self.writes.push((SlotWrite { slot, value }, None));
        let apart = StatementBody {
            instructions: vec![update],
            reads: IndexMap::from([(read, reduced), (stored, slot)]),
            writes: vec![own],
        };
        [self, apart]
    }

    /// Splits the block into statements, in the order of their execution. `is_defined` says whether a value is computed in the region.
    pub(crate) fn split(self, run: &'a Run<'_>, is_defined: &dyn Fn(Value<'a>) -> bool) -> Vec<StatementBody<'a>> {
        let effects = self.instructions.iter().filter(|i| is_root(**i)).count();
        let known = |i: &Value<'a>| i.facts().pure() || i.is_load_or_store() || i.facts().errno_only();
        if !(2..=MOST_ROOTS).contains(&(effects + self.writes.len())) || !self.instructions.iter().all(known) {
            return vec![self];
        }
        let instructions: IndexSet<Value<'a>> = self.instructions.iter().copied().collect();
        let roots = self.roots(run, &instructions, &accesses(run, &instructions, is_defined));
        let mut groups = RootGroups::new(roots.len());
        self.keep_together(run, &instructions, &roots, &mut groups);
        if groups.count() < 2 {
            return vec![self];
        }
        let groups = in_order(&roots, groups);
        if groups.len() < 2 {
            return vec![self];
        }
        let part = |group: &Vec<usize>| {
            let needs = |at: &usize| group.iter().any(|root| roots[*root].instructions.contains(at));
            let reads = |value: &Value<'a>| group.iter().any(|root| roots[*root].reads.contains(value));
            let writes = group.iter().filter_map(|root| roots[*root].write);
            StatementBody {
                instructions: (0..instructions.len())
                    .filter(needs)
                    .map(|at| instructions[at])
                    .collect(),
                reads: self
                    .reads
                    .iter()
                    .filter(|(value, _)| reads(value))
                    .map(|(v, c)| (*v, *c))
                    .collect(),
                writes: writes.map(|write| self.writes[write].clone()).collect(),
            }
        };
        groups.iter().map(part).collect()
    }

    /// The roots in order, each with the instructions that it needs.
    fn roots(
        &self,
        run: &'a Run<'_>,
        instructions: &IndexSet<Value<'a>>,
        accesses: &IndexMap<usize, RootAccess<'a>>,
    ) -> Vec<Root<'a>> {
        let root = |write, values| self.root(instructions, accesses, write, values);
        let effects = instructions.iter().filter(|i| is_root(**i));
        let of_effect = |i: &Value<'a>| Root {
            strides: strides(run, *i),
            ..root(None, vec![*i])
        };
        let mut roots: Vec<Root<'a>> = effects.map(of_effect).collect();
        for index in 0..self.writes.len() {
            roots.push(root(Some(index), self.values_of(index)));
        }
        roots
    }

    fn root(
        &self,
        instructions: &IndexSet<Value<'a>>,
        accesses: &IndexMap<usize, RootAccess<'a>>,
        write: Option<usize>,
        values: Vec<Value<'a>>,
    ) -> Root<'a> {
        let mut root = Root {
            instructions: IndexSet::new(),
            reads: IndexSet::new(),
            write,
            accesses: Vec::new(),
            strides: None,
        };
        let tree = operand_tree(values, usize::MAX, |value| {
            if self.reads.contains_key(&value) {
                root.reads.insert(value);
                return Visit::Leaf;
            }
            match instructions.contains(&value) {
                true => Visit::Operands,
                false => Visit::Leaf,
            }
        });
        let positions = tree
            .into_iter()
            .flatten()
            .filter_map(|value| instructions.get_index_of(&value));
        root.instructions = positions.collect();
        root.accesses = root
            .instructions
            .iter()
            .filter_map(|at| accesses.get(at).copied())
            .collect();
        root
    }

    fn keep_together(
        &self,
        run: &'a Run<'_>,
        instructions: &IndexSet<Value<'a>>,
        roots: &[Root<'a>],
        groups: &mut RootGroups,
    ) {
        for (one, first) in roots.iter().enumerate() {
            for (other, second) in roots.iter().enumerate().skip(one + 1) {
                let may_be_repeated =
                    |i: Value<'a>| is_cheap(i) || is_plain_load(i) && accumulate_apart(run, i, [first, second]);
                let shares = || {
                    let mut both = first.instructions.intersection(&second.instructions);
                    both.any(|at| !may_be_repeated(instructions[*at]))
                };
                let meets = || first.stores().any(|x| second.stores().any(|y| same(x.base, y.base)));
                let passes = |writer: &Root<'a>, reader: &Root<'a>| {
                    let slot = writer.write.map(|write| self.writes[write].0.slot);
                    slot.is_some_and(|slot| reader.reads.iter().any(|value| self.reads[value] == slot))
                };
                if meets() || passes(first, second) || passes(second, first) || shares() {
                    groups.join(one, other);
                }
            }
        }
    }
}

/// One effect, with what it needs.
#[derive(Debug)]
struct Root<'a> {
    /// Positions of the instructions.
    instructions: IndexSet<usize>,
    /// Values that come from slots.
    reads: IndexSet<Value<'a>>,
    /// The index of the write, if it is one to a slot.
    write: Option<usize>,
    /// The loads and stores among the instructions.
    accesses: Vec<RootAccess<'a>>,
    /// How the address of what it stores varies; `None` for slots.
    strides: Option<Strides<'a>>,
}

impl<'a> Root<'a> {
    fn stores(&self) -> impl Iterator<Item = &RootAccess<'a>> {
        self.accesses.iter().filter(|access| access.stores)
    }

    /// Whether an access of this root has to come before one of the other.
    fn precedes(&self, other: &Root<'a>) -> bool {
        let earlier =
            |x: &RootAccess<'a>, y: &RootAccess<'a>| x.at < y.at && (x.stores || y.stores) && same(x.base, y.base);
        self.accesses
            .iter()
            .any(|x| other.accesses.iter().any(|y| earlier(x, y)))
    }
}

/// A load or store.
#[derive(Clone, Copy, Debug)]
struct RootAccess<'a> {
    /// The position of the instruction.
    at: usize,
    stores: bool,
    /// The base of its array; `None` if it is not known.
    base: Option<ArrayBase<'a>>,
}

/// What tells arrays apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ArrayBase<'a> {
    /// The address that the array is at, or the base of the table that the region loads the addresses of its rows from.
    address: Scev<'a>,
    kind: BaseKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BaseKind {
    Array,
    Table,
    /// A phi of the region: the address of a buffer that takes turns.
    Buffer,
}

impl<'a> ArrayBase<'a> {
    /// That of an access.
    pub(super) fn of(run: &'a Run<'_>, access: Value<'a>, is_defined: &dyn Fn(Value<'a>) -> bool) -> Option<Self> {
        let base = |access: Value<'a>| {
            let address = run.scev(access.accessed_pointer()?)?;
            let address = run.scev_at_scope(address, run.loop_of(access.block()));
            Some(run.pointer_base(address))
        };
        let address = base(access)?;
        match address.kind() {
            ScevKind::Unknown(row) if is_defined(row) && matches!(row.kind(), Kind::Load { .. }) => Some(ArrayBase {
                address: base(row)?,
                kind: BaseKind::Table,
            }),
            ScevKind::Unknown(phi) if is_defined(phi) && phi.is_phi() => Some(ArrayBase {
                address,
                kind: BaseKind::Buffer,
            }),
            _ => Some(ArrayBase {
                address,
                kind: BaseKind::Array,
            }),
        }
    }
}

/// Whether accesses with these bases may be to one array in an iteration. There, the phis of a rotation have different buffers, each of which may be what
/// is at an address outside of the region.
fn same<'a>(one: Option<ArrayBase<'a>>, other: Option<ArrayBase<'a>>) -> bool {
    let (Some(one), Some(other)) = (one, other) else {
        return true;
    };
    let is_buffer = |base: ArrayBase<'a>| base.kind == BaseKind::Buffer;
    one == other || is_buffer(one) != is_buffer(other)
}

/// The loads and stores among the instructions, by their positions.
fn accesses<'a>(
    run: &'a Run<'_>,
    instructions: &IndexSet<Value<'a>>,
    is_defined: &dyn Fn(Value<'a>) -> bool,
) -> IndexMap<usize, RootAccess<'a>> {
    let access = |(at, i): (usize, &Value<'a>)| {
        let stores = match i.kind() {
            Kind::Load { .. } => false,
            Kind::Store { .. } => true,
            _ => return None,
        };
        let base = ArrayBase::of(run, *i, is_defined);
        Some((at, RootAccess { at, stores, base }))
    };
    instructions.iter().enumerate().filter_map(access).collect()
}

/// How the address of a load or a store varies.
fn strides<'a>(run: &'a Run<'_>, access: Value<'a>) -> Option<Strides<'a>> {
    let address = run.scev(access.accessed_pointer()?)?;
    Some(Strides::of(run, address))
}

/// Whether two roots accumulate what they share a load for along different loops: those in which the load moves, and what they write does
/// not. A slot is taken to stay in the innermost loop alone. Where a loop begins with the counter of another one, an array that moves by fewer
/// steps than the load accumulates, too. Vectors whose elements are an increment apart stay as they are: in lanes they are gathered and scattered
/// (reference `dsymv` with increments took 1.1 to 1.4 times as long).
fn accumulate_apart<'a>(run: &'a Run<'_>, load: Value<'a>, roots: [&Root<'a>; 2]) -> bool {
    let (Some(loaded), Some(innermost)) = (strides(run, load), run.loop_of(load.block())) else {
        return false;
    };
    let stays_in = |root: &Root<'a>, l: Loop<'a>| match &root.strides {
        Some(strides) => !strides.varies_in(l),
        None => l == innermost,
    };
    let along = |root: &Root<'a>| -> IndexSet<Loop<'a>> { loaded.loops().filter(|l| stays_in(root, *l)).collect() };
    if roots
        .iter()
        .any(|root| root.strides.as_ref().is_some_and(Strides::has_increment))
    {
        return false;
    }
    let [one, other] = roots.map(along);
    if !one.is_empty() && !other.is_empty() && one != other {
        return true;
    }
    let moves_less = |root: &Root<'a>| {
        let n_steps = root.strides.as_ref().map(Strides::n_steps);
        n_steps.is_some_and(|n| n < loaded.n_steps())
    };
    match roots.map(|root| stays_in(root, innermost)) {
        [true, false] => moves_less(roots[1]),
        [false, true] => moves_less(roots[0]),
        _ => false,
    }
}

/// Whether it may be cloned into several statements.
fn is_cheap(i: Value<'_>) -> bool {
    i.facts().pure() && !matches!(i.kind(), Kind::Freeze | Kind::Call(_)) && !i.is_phi()
}

fn is_plain_load(i: Value<'_>) -> bool {
    matches!(i.kind(), Kind::Load { .. }) && !i.is_atomic() && !i.facts().is_volatile()
}

/// The groups of roots: for each root the least root of its group.
#[derive(Debug)]
struct RootGroups(Vec<usize>);

impl RootGroups {
    fn new(count: usize) -> Self {
        RootGroups((0..count).collect())
    }

    fn join(&mut self, one: usize, other: usize) {
        let (least, greatest) = (self.0[one].min(self.0[other]), self.0[one].max(self.0[other]));
        self.0
            .iter_mut()
            .filter(|group| **group == greatest)
            .for_each(|group| *group = least);
    }

    fn count(&self) -> usize {
        self.0.iter().collect::<IndexSet<_>>().len()
    }
}

/// The groups in an order that keeps all accesses to the same array in order, except for two loads. Groups for which
/// there is none are merged.
fn in_order(roots: &[Root<'_>], mut groups: RootGroups) -> Vec<Vec<usize>> {
    loop {
        let n = roots.len();
        // Which groups come before which others.
        let mut before = vec![vec![false; n]; n];
        for (one, first) in roots.iter().enumerate() {
            for (other, second) in roots.iter().enumerate() {
                before[groups.0[one]][groups.0[other]] |= first.precedes(second);
            }
        }
        for middle in 0..n {
            for one in 0..n {
                for other in 0..n {
                    before[one][other] |= before[one][middle] && before[middle][other];
                }
            }
        }
        let count = groups.count();
        for one in 0..n {
            for other in 0..n {
                let (x, y) = (groups.0[one], groups.0[other]);
                if before[x][y] && before[y][x] {
                    groups.join(one, other);
                }
            }
        }
        if groups.count() == count {
            let mut open: IndexSet<usize> = groups.0.iter().copied().collect();
            let mut ordered = Vec::new();
            while let Some(next) = open
                .iter()
                .copied()
                .find(|x| open.iter().all(|y| x == y || !before[*y][*x]))
            {
                open.shift_remove(&next);
                ordered.push((0..n).filter(|root| groups.0[*root] == next).collect());
            }
            return ordered;
        }
    }
}
