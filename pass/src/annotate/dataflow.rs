//! What a statement computes, and what lies between its reads and its writes.
//!
//! The instructions of a statement are a graph without cycles: each depends on its operands and, behind a branch, on the
//! conditions of the branches before it. A *chain* is the longest way in it, by [latency](super::operations::latency), from a
//! value that is read to a value that is written. `C[i] += x * A[i]` has the chains
//!
//! ```text
//! A[i] -> C[i]: a multiplication and an addition
//! C[i] -> C[i]: an addition
//! ```
//!
//! What only addresses depend on is on chains, since a store waits for its address, and counts as no operation, but for divisions. Addresses of
//! rows are at hand long before, as nothing in the region writes them.

mod multiply_add;

use super::operations::{access, addend, contracted, is_division, latency, operations, summed};
use farkas_llvm::Run;
use farkas_llvm::scop_ir::{IrStatement, ScopIr, SlotId, Written};
use farkas_llvm::value::{Block, Kind, Value};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::program::{Access, AccessId, AccessKind, Chain, Operation, OperationClass};
use indexmap::{IndexMap, IndexSet};

/// So many edges of the graph are followed, or chains found, with a unit of work.
const EDGES_PER_UNIT: usize = 32;

/// The instructions of a statement and what they depend on.
pub(super) struct Dataflow<'s, 'a, 'r> {
    run: &'a Run<'r>,
    ir: &'s ScopIr<'a>,
    statement: &'s IrStatement<'a>,
    instructions: IndexSet<Value<'a>>,
    /// The values that are read from slots.
    read: IndexSet<Value<'a>>,
    /// Each instruction comes after those that it depends on; these are given by their positions.
    nodes: IndexMap<Value<'a>, Node>,
}

struct Node {
    after: Vec<usize>,
    operations: Vec<Operation>,
    /// What is added last, to a product: a chain through it has no multiplication.
    addend: Option<usize>,
}

impl Node {
    /// The operations on a chain that comes from this position.
    fn operations_from(&self, before: usize) -> impl Iterator<Item = &Operation> {
        let multiplied = self.addend != Some(before);
        let all = self.operations.iter();
        all.filter(move |operation| multiplied || operation.class != OperationClass::Multiply)
    }
}

/// Where a chain starts, or where it ends: the accesses of an instruction or of a slot.
struct End<'a> {
    accesses: Vec<AccessId>,
    values: Vec<Value<'a>>,
    /// Whether the operations of the values are part of the chain.
    with_own: bool,
}

impl<'s, 'a, 'r> Dataflow<'s, 'a, 'r> {
    pub(super) fn new(run: &'a Run<'r>, ir: &'s ScopIr<'a>, statement: &'s IrStatement<'a>) -> Self {
        let mut flow = Dataflow {
            run,
            ir,
            statement,
            instructions: statement.instructions.iter().copied().collect(),
            read: statement.reads.iter().map(|(_, value)| *value).collect(),
            nodes: IndexMap::new(),
        };
        let computed = flow.computed();
        let mut roots = flow.roots();
        let accesses = statement.instructions.iter().filter(|i| i.is_load_or_store());
        roots.extend(accesses.flat_map(|i| match i.kind() {
            Kind::Load { .. } => vec![*i],
            _ => flow.before(*i),
        }));
        for root in roots {
            flow.add(root, &computed);
        }
        flow
    }

    /// What has to be computed, without what only addresses need: what is stored, calls, what goes to slots, and conditions.
    fn roots(&self) -> Vec<Value<'a>> {
        let mut roots = Vec::new();
        for i in &self.statement.instructions {
            match i.kind() {
                Kind::Store { value, .. } => roots.push(value),
                Kind::Call(_) => roots.push(*i),
                _ => {}
            }
        }
        roots.extend(self.statement.results());
        roots.retain(|root| self.is_inside(*root));
        roots
    }

    /// The instructions that the roots need, but for those that only addresses need.
    fn computed(&self) -> IndexSet<Value<'a>> {
        let mut computed: IndexSet<Value<'a>> = IndexSet::new();
        let mut open = self.roots();
        while let Some(value) = open.pop() {
            if computed.insert(value) && !value.is_load_or_store() {
                open.extend(self.before(value));
            }
        }
        computed
    }

    /// Whether the value is computed in the region, and is neither read from a slot nor affine in a counter.
    fn is_inside(&self, value: Value<'a>) -> bool {
        value.is_data() && self.ir.region.defines(value) && self.ir.induction(value).is_none()
    }

    fn is_read(&self, value: Value<'a>) -> bool {
        self.read.contains(&value)
    }

    /// What an instruction depends on.
    fn before(&self, i: Value<'a>) -> Vec<Value<'a>> {
        if self.is_read(i) || self.statement.affine.contains_key(&i) {
            return Vec::new();
        }
        let mut before = i.operands();
        let is_conditional = i.is_load_or_store() && !self.statement.loads_in_any_case(i);
        if i.is_phi() || is_conditional || matches!(i.kind(), Kind::Call(_)) {
            before.extend(self.conditions_before(i.block()));
        }
        before.retain(|value| self.is_inside(*value) && !self.ir.is_row_address(*value));
        before
    }

    /// The conditions that may decide whether a block of the statement is executed, and what its phis are.
    fn conditions_before(&self, block: Block<'a>) -> Vec<Value<'a>> {
        let blocks = self.statement.blocks.iter().take_while(|other| **other != block);
        match self.statement.blocks.contains(&block) {
            true => blocks.filter_map(|block| block.terminator().condition()).collect(),
            false => Vec::new(),
        }
    }

    /// Adds an instruction after all that it depends on.
    fn add(&mut self, root: Value<'a>, computed: &IndexSet<Value<'a>>) {
        let mut seen: IndexSet<Value<'a>> = IndexSet::new();
        let mut open = vec![(root, false)];
        while let Some((value, ready)) = open.pop() {
            if self.nodes.contains_key(&value) {
                continue;
            }
            let before = self.before(value);
            if !ready && seen.insert(value) {
                open.push((value, true));
                open.extend(before.into_iter().map(|value| (value, false)));
                continue;
            }
            if !ready {
                // It is waiting for what depends on it: a cycle, which no statement has.
                continue;
            }
            let after = before
                .iter()
                .filter_map(|value| self.nodes.get_index_of(value))
                .collect();
            let counts = computed.contains(&value) || is_division(value);
            let own = counts && self.is_executed(value) && !self.is_read(value);
            let operations = match value.kind() {
                Kind::Load { .. } => vec![access(self.run, OperationClass::Load, value.ty())],
                _ if own => operations(self.run, value),
                _ => Vec::new(),
            };
            let addend = addend(value).and_then(|addend| self.nodes.get_index_of(&addend));
            let node = Node {
                after,
                operations,
                addend,
            };
            self.nodes.insert(value, node);
        }
    }

    /// Whether the statement itself has the instruction. What is recomputed for it is the same in all iterations of its innermost
    /// loop, or is a part of the counters.
    fn is_executed(&self, i: Value<'a>) -> bool {
        self.instructions.contains(&i) || self.statement.blocks.contains(&i.block())
    }

    /// The values that are read from each slot.
    fn slot_values(&self) -> IndexMap<SlotId, Vec<Value<'a>>> {
        let mut slots: IndexMap<SlotId, Vec<Value<'a>>> = IndexMap::new();
        for (slot, value) in &self.statement.reads {
            slots.entry(*slot).or_default().push(*value);
        }
        slots
    }

    /// The slots that are read, each once, in the order of their accesses.
    fn slots_read(&self) -> Vec<End<'a>> {
        let ends = self.slot_values().into_values().enumerate();
        ends.map(|(position, values)| End {
            accesses: vec![AccessId(position)],
            values,
            with_own: false,
        })
        .collect()
    }

    /// The loads and stores with their accesses, which come after those of slots that are read.
    fn loads_and_stores(&self) -> impl Iterator<Item = (AccessId, Value<'a>)> {
        let slots = self.slots_read().len();
        let all = self.statement.instructions.iter().filter(|i| i.is_load_or_store());
        all.enumerate()
            .map(move |(position, i)| (AccessId(slots + position), *i))
    }

    /// The accesses under conditions in the original that are made in any case.
    pub(super) fn made_in_any_case(&self) -> Vec<AccessId> {
        let accesses = self.loads_and_stores();
        let made = accesses.filter(|(_, i)| self.statement.is_uncut || self.statement.unconditional.contains(i));
        made.map(|(id, _)| id).collect()
    }

    /// The accesses of calls, any of which may be any call's, with the calls.
    fn calls(&self, n_accesses: usize) -> End<'a> {
        let first = self.slots_read().len() + self.loads_and_stores().count();
        let last = n_accesses - self.statement.writes.len();
        let calls = self.statement.instructions.iter().copied();
        End {
            accesses: (first..last).map(AccessId).collect(),
            values: calls.filter(|i| matches!(i.kind(), Kind::Call(_))).collect(),
            with_own: true,
        }
    }

    /// Where chains start.
    fn reads(&self, n_accesses: usize) -> Vec<End<'a>> {
        let mut ends = self.slots_read();
        let loads = self
            .loads_and_stores()
            .filter(|(_, i)| matches!(i.kind(), Kind::Load { .. }));
        ends.extend(loads.map(|(access, load)| End {
            accesses: vec![access],
            values: vec![load],
            with_own: false,
        }));
        ends.push(self.calls(n_accesses));
        ends
    }

    /// Where chains end.
    fn writes(&self, n_accesses: usize) -> Vec<End<'a>> {
        let end = |accesses, values| End {
            accesses,
            values,
            with_own: true,
        };
        let stores = self.loads_and_stores().filter(|(_, i)| i.is_store());
        let mut ends: Vec<End<'a>> = stores
            .map(|(access, store)| end(vec![access], self.before(store)))
            .collect();
        ends.push(self.calls(n_accesses));
        let first = n_accesses - self.statement.writes.len();
        for (position, write) in self.statement.writes.iter().enumerate() {
            let values = match &write.value {
                Written::Always(value) => vec![*value],
                Written::From(values) => {
                    let blocks = self.statement.blocks.iter();
                    let conditions = blocks.filter_map(|block| block.terminator().condition());
                    values.iter().map(|(_, value)| *value).chain(conditions).collect()
                }
            };
            ends.push(end(vec![AccessId(first + position)], values));
        }
        ends
    }

    /// What an instance computes. Slots that are mapped to elements of arrays, which `is_in_memory` tells, are loaded and stored.
    pub(super) fn operations(&self, is_in_memory: impl Fn(usize) -> bool, n_accesses: usize) -> Vec<Operation> {
        let computed = self.nodes.iter().filter(|(i, _)| !i.is_load_or_store());
        let mut all: Vec<Operation> = computed.flat_map(|(_, node)| node.operations.clone()).collect();
        let mut add = |class, ty| all.push(access(self.run, class, ty));
        for (_, i) in self.loads_and_stores() {
            match i.kind() {
                Kind::Load { .. } => add(OperationClass::Load, i.ty()),
                _ => add(OperationClass::Store, i.accessed_type()),
            }
            if self.statement.loads_for(i) {
                add(OperationClass::Load, i.accessed_type());
            }
        }
        let slot_type = |slot: SlotId| self.ir.slots[slot.0].ty;
        for (access, slot) in self.slot_values().keys().enumerate() {
            if is_in_memory(access) {
                add(OperationClass::Load, slot_type(*slot));
            }
        }
        let first = n_accesses - self.statement.writes.len();
        for (position, write) in self.statement.writes.iter().enumerate() {
            if is_in_memory(first + position) {
                add(OperationClass::Store, slot_type(write.slot));
            }
        }
        summed(all)
    }

    /// How many additions of an instance may be rounded together with a product.
    pub(super) fn contracted(&self) -> u32 {
        let own = self.nodes.iter().filter(|(_, node)| !node.operations.is_empty());
        own.map(|(i, _)| contracted(*i)).fold(0, u32::saturating_add)
    }

    /// The longest chain from each read to each write that depends on it, where these are the statement's accesses.
    pub(super) fn chains(&self, accesses: &[Access], b: &Budget) -> Outcome<Vec<Chain>> {
        let n_accesses = accesses.len();
        let reads = |access: &AccessId| accesses[access.0].kind == AccessKind::Read;
        let writes = self.writes(n_accesses);
        let edges: usize = self.nodes.values().map(|node| 1 + node.after.len()).sum();
        let mut chains = Vec::new();
        for start in self.reads(n_accesses) {
            if start.accesses.is_empty() || start.values.is_empty() {
                continue;
            }
            b.spend(1 + ((edges + writes.len()) / EDGES_PER_UNIT) as u64)?;
            let longest = self.longest_from(&start);
            for end in &writes {
                let values = end.values.iter().filter_map(|value| self.nodes.get_index_of(value));
                let best = values.filter(|node| longest[*node].is_some()).max_by_key(|node| {
                    let (latency, _) = longest[*node].expect("what is left depends on the start");
                    // The first of those that are as long.
                    (latency, std::cmp::Reverse(*node))
                });
                let Some(last) = best else { continue };
                let operations = self.operations_on_way(&longest, last, &start);
                for read in start.accesses.iter().filter(|access| reads(access)) {
                    let written = end.accesses.iter().filter(|access| !reads(access));
                    chains.extend(written.map(|write| Chain {
                        read: *read,
                        write: *write,
                        operations: operations.clone(),
                    }));
                }
            }
        }
        chains.sort_by_key(|chain| (chain.read, chain.write));
        Ok(chains)
    }

    /// For each instruction that depends on the start, the latency of the longest way to its result, and the instruction before
    /// it on that way.
    fn longest_from(&self, start: &End<'a>) -> Vec<Option<(u32, Option<usize>)>> {
        let mut longest: Vec<Option<(u32, Option<usize>)>> = vec![None; self.nodes.len()];
        for (index, (value, node)) in self.nodes.iter().enumerate() {
            if start.values.contains(value) {
                let own = node.operations.iter().filter(|_| start.with_own);
                longest[index] = Some((own.map(latency).sum(), None));
            }
            for before in &node.after {
                let Some((so_far, _)) = longest[*before] else { continue };
                let own: u32 = node.operations_from(*before).map(latency).sum();
                let here = so_far.saturating_add(own);
                if longest[index].is_none_or(|(best, _)| best < here) {
                    longest[index] = Some((here, Some(*before)));
                }
            }
        }
        longest
    }

    fn operations_on_way(
        &self,
        longest: &[Option<(u32, Option<usize>)>],
        last: usize,
        start: &End<'a>,
    ) -> Vec<Operation> {
        let mut on_way = Vec::new();
        let mut at = Some(last);
        while let Some(index) = at {
            at = longest[index].and_then(|(_, before)| before);
            let node = &self.nodes[index];
            match at {
                Some(before) => on_way.extend(node.operations_from(before)),
                None if start.with_own => on_way.extend(&node.operations),
                None => {}
            }
        }
        summed(on_way)
    }
}
