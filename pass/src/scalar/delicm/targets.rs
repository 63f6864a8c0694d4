//! Which elements a slot may be mapped to, by the stores that overwrite them.

use super::{ExecutionOrder, Site, lives_inside};
use farkas_llvm::operand_tree::{Visit, operand_tree};
use farkas_llvm::scop_ir::{LoopId, SlotId, Start, Written, induction};
use farkas_llvm::value::{Kind, Value};
use farkas_polyhedral::program::AccessKind;

/// Number of stores that are tried for each slot.
pub(super) const MOST_STORES: usize = 4;

/// Number of instructions that may compute the address of the element: some four for each dimension.
const MOST_INSTRUCTIONS: usize = 32;

/// An element that a slot may be mapped to.
pub(super) struct Target<'a> {
    /// The access whose address is the element.
    pub(super) element: Site<'a>,
    /// The stores that overwrite it, all in the loops that the element's access is in.
    pub(super) stores: Vec<Site<'a>>,
    /// Whether what is stored is the slot's value.
    pub(super) keeps_value: bool,
}

impl Target<'_> {
    /// Whether a statement is behind the stores, where the element has the slot's value.
    pub(super) fn is_behind(&self, order: ExecutionOrder<'_, '_>, index: usize) -> bool {
        let depth = order.statement_ir(self.element.0).loops.len();
        let behind = |(store, _): &Site<'_>| order.position(index, depth) > order.position(*store, depth);
        self.keeps_value && self.stores.iter().all(behind)
    }
}

/// What elements are looked for by.
pub(super) struct Candidates<'m, 'a> {
    pub(super) order: ExecutionOrder<'m, 'a>,
    pub(super) slot: SlotId,
    /// See [`Mappable`](super::Mappable).
    pub(super) is_row_address: &'m dyn Fn(Value<'a>) -> bool,
}

impl<'a> Candidates<'_, 'a> {
    /// The only statement that writes the slot, if it also stores what it writes, with the store.
    pub(super) fn stored_value(&self) -> Option<Site<'a>> {
        let order = self.order;
        if !lives_inside(order, self.slot) {
            return None;
        }
        let written = |index: usize| {
            order
                .statement_ir(index)
                .writes
                .iter()
                .filter(|write| write.slot == self.slot)
        };
        let mut all =
            (0..order.draft.statements.len()).flat_map(|index| written(index).map(move |write| (index, write)));
        let (writer, write) = all.next()?;
        let ir = order.statement_ir(writer);
        let Written::Always(value) = write.value else {
            return None;
        };
        if all.next().is_some() || ir.blocks.len() > 1 || ir.loops.is_empty() {
            return None;
        }
        let stores_it = |i: &&Value<'a>| match i.kind() {
            Kind::Store { pointer, value: stored } => stored == value && self.is_computable(&ir.loops, pointer),
            _ => false,
        };
        let mut stores = ir.instructions.iter().filter(stores_it);
        let surely = |store: &&Value<'a>| order.access(writer, **store).kind == AccessKind::MustWrite;
        Some((writer, *stores.find(surely)?))
    }

    /// The elements that the slot may be mapped to: what a single store overwrites, then what several do, at the address of any access
    /// in the same loops.
    pub(super) fn targets(&self) -> Vec<Target<'a>> {
        let Candidates { order, slot, .. } = *self;
        let stores = self.stores();
        let stores_slot = |(index, store): &Site<'a>| {
            let Kind::Store { value, .. } = store.kind() else {
                return false;
            };
            order.statement_ir(*index).reads.contains(&(slot, value))
        };
        let single = |store: &Site<'a>| Target {
            element: *store,
            stores: vec![*store],
            keeps_value: stores_slot(store),
        };
        let mut targets: Vec<Target<'a>> = stores.iter().take(MOST_STORES).map(single).collect();
        let loops = |index: usize| &order.statement_ir(index).loops;
        let Some(first) = stores.first().map(|(index, _)| loops(*index)) else {
            return targets;
        };
        let ty = order.draft.slots[slot.0].ty;
        let here = (0..order.draft.statements.len()).filter(|index| loops(*index) == first);
        let all = here.flat_map(|index| order.statement_ir(index).instructions.iter().map(move |i| (index, *i)));
        let elements = all.filter(|(index, access)| {
            access.accessed_pointer().is_some_and(|pointer| {
                access.accessed_type() == ty
                    && access.block() == order.statement_ir(*index).start()
                    && self.is_computable(&order.statement_ir(*index).loops, pointer)
            })
        });
        let array = |(index, access): &Site<'a>| order.access(*index, *access).array();
        for element in elements.take(MOST_STORES) {
            let to_it = |store: &&Site<'a>| loops(store.0) == first && array(store) == array(&element);
            let together: Vec<Site<'a>> = stores.iter().filter(to_it).copied().collect();
            if (2..=MOST_STORES).contains(&together.len()) {
                targets.push(Target {
                    element,
                    stores: together,
                    keeps_value: false,
                });
            }
        }
        targets
    }

    /// The stores that may overwrite the element of the slot. Those of statements that read the slot come first.
    fn stores(&self) -> Vec<Site<'a>> {
        let Candidates { order, slot, .. } = *self;
        let own = &order.draft.slots[slot.0];
        if !lives_inside(order, slot) {
            return Vec::new();
        }
        let reads = |index: usize| order.statement_ir(index).reads.iter().any(|(read, _)| *read == slot);
        let writes = |index: usize| order.statement_ir(index).writes.iter().any(|write| write.slot == slot);
        let all = 0..order.draft.statements.len();
        let (first, others): (Vec<usize>, Vec<usize>) = all.partition(|index| reads(*index));
        let mut stores = Vec::new();
        for index in first.into_iter().chain(others) {
            let ir = order.statement_ir(index);
            if ir.loops.is_empty() || writes(index) {
                continue;
            }
            for store in ir.instructions.iter().filter(|i| i.is_load_or_store()) {
                let Kind::Store { pointer, .. } = store.kind() else {
                    continue;
                };
                let surely = order.access(index, *store).kind == AccessKind::MustWrite;
                // Within a statement of several blocks, it may be under a condition.
                let surely = surely && store.block() == ir.start();
                if surely && store.accessed_type() == own.ty && self.is_computable(&ir.loops, pointer) {
                    stores.push((index, *store));
                }
            }
        }
        stores
    }

    /// Whether the address depends on nothing but counters of these loops, and addresses of rows.
    pub(super) fn is_computable(&self, loops: &[LoopId], address: Value<'a>) -> bool {
        let draft = self.order.draft;
        let tree = operand_tree([address], MOST_INSTRUCTIONS, |value| {
            if !value.is_data() || !draft.region.defines(value) {
                return Visit::Leaf;
            }
            match induction(&draft.loops, value) {
                Some((id, position)) if loops.contains(&id) => match draft.loops[id.0].inductions[position].start {
                    Start::Value(start) => Visit::Through(start),
                    Start::Expression(_) => Visit::Leaf,
                },
                Some(_) => Visit::Abort,
                None if (self.is_row_address)(value) => Visit::Operands,
                None if value.facts().pure()
                    && !matches!(value.kind(), Kind::Phi(_) | Kind::Freeze | Kind::Call(_)) =>
                {
                    Visit::Operands
                }
                None => Visit::Abort,
            }
        });
        tree.is_some()
    }
}
