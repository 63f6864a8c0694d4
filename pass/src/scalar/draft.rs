//! The model before it is assembled, as the passes over scalar slots see and change it.
//!
//! A [`Program`](farkas_polyhedral::program::Program) lists an access for each slot that a statement uses. A draft does not:
//! it says which slots there are and where they are kept, and [`ScopDraft::accesses`] derives the accesses from that. What a
//! pass changes is thus changed in one place.

use super::reductions::{Reduction, one_for_each_array, reduction_between_slots, reduction_in_element, reductions};
use farkas_llvm::region::Region;
use farkas_llvm::scop_ir::{IrStatement, LiveOut, LiveOutSource, ScalarSlot, ScopLoop, SlotId};
use farkas_llvm::value::Value;
use farkas_polyhedral::program::{Access, AccessKind};
use farkas_polyhedral::sets::{Map, MultiAff, Params, Set, SetSpace, Tuple};
use indexmap::{IndexMap, IndexSet};

/// The statements and scalar slots of a region.
#[derive(Clone, Debug)]
pub(crate) struct ScopDraft<'a> {
    pub(crate) region: Region<'a>,
    /// All loops, each before those inside it.
    pub(crate) loops: Vec<ScopLoop<'a>>,
    /// What is known of the parameters.
    pub(crate) context: Set,
    /// The statements in program order.
    pub(crate) statements: Vec<DraftStatement<'a>>,
    pub(crate) slots: Vec<ScalarSlot<'a>>,
    pub(crate) live_outs: Vec<LiveOut<'a>>,
}

/// A statement of a draft.
#[derive(Clone, Debug)]
pub(crate) struct DraftStatement<'a> {
    /// Its instructions, and the slots that it reads and writes.
    pub(crate) ir: IrStatement<'a>,
    pub(crate) domain: Set,
    pub(crate) schedule: MultiAff,
    /// The accesses to arrays: those of loads and stores first, one for each in order.
    pub(crate) array_accesses: Vec<Access>,
    /// For slots that DeLICM has mapped: the element that each instance accesses in place of the slot.
    pub(crate) elements: IndexMap<SlotId, Map>,
    /// For slots that it reads from their elements: its store to the same element, if there is one.
    pub(crate) stores: IndexMap<SlotId, Value<'a>>,
    /// Slots that it reads with others that it writes, where both are kept in the same element.
    pub(crate) shared: Vec<(SlotId, SlotId)>,
}

impl<'a> DraftStatement<'a> {
    /// The reductions of it.
    pub(crate) fn reductions(&self) -> Vec<Reduction<'a>> {
        let mut all = reductions(&self.ir);
        let in_elements = self.stores.iter();
        all.extend(in_elements.filter_map(|(slot, store)| reduction_in_element(&self.ir, *slot, *store)));
        let shared = self.shared.iter();
        all.extend(shared.filter_map(|(read, written)| reduction_between_slots(&self.ir, *read, *written)));
        all
    }

    /// Lets the partial results of its reductions be those of another order.
    pub(crate) fn loosen_reductions(&mut self) {
        let updates = self.reductions().into_iter().flat_map(|reduction| reduction.updates);
        self.ir.updates.extend(updates);
    }

    /// The accesses to arrays, as parts of these reductions, where the model says of a load and a store that they are to the same elements.
    fn of_arrays(&self, reductions: &[Reduction<'a>]) -> Vec<Access> {
        let mut accesses = self.array_accesses.clone();
        for reduction in reductions {
            let position = |part| self.loads_and_stores().position(|i| i == part);
            let parts: Vec<usize> = reduction.instructions().filter_map(position).collect();
            let is_alike = |part: &usize| accesses[*part].has_elements_of(&accesses[parts[0]]);
            if parts.iter().all(is_alike) {
                parts
                    .iter()
                    .for_each(|part| accesses[*part].reduction = Some(reduction.by));
            }
        }
        accesses
    }

    /// The loads and stores, which have the first accesses to arrays, in order.
    pub(crate) fn loads_and_stores(&self) -> impl Iterator<Item = Value<'a>> + '_ {
        let instructions = self.ir.instructions.iter().copied();
        instructions.filter(|i| i.is_load_or_store())
    }

    pub(crate) fn tuple(&self) -> &Tuple {
        self.domain.tuple()
    }

    /// The slots that it reads, each once.
    pub(crate) fn slots_read(&self) -> IndexSet<SlotId> {
        self.ir.reads.iter().map(|(slot, _)| *slot).collect()
    }
}

impl ScopDraft<'_> {
    /// The accesses of a statement: slots read, arrays by loads and stores, arrays by calls, slots written.
    pub(crate) fn accesses(&self, statement: &DraftStatement<'_>) -> Vec<Access> {
        let reductions = statement.reductions();
        let of_slot = |slot| reductions.iter().find(|r| r.is_of(slot)).map(|r| r.by);
        let access = |kind, slot: SlotId| Access {
            kind,
            relation: match statement.elements.get(&slot) {
                Some(element) => element.clone(),
                None => slot_relation(&self.slots[slot.0], &statement.domain),
            },
            reduction: of_slot(slot),
        };
        let read = statement.slots_read().into_iter();
        let mut accesses: Vec<Access> = read.map(|slot| access(AccessKind::Read, slot)).collect();
        accesses.extend(statement.of_arrays(&reductions));
        let written = statement.ir.writes.iter().map(|write| write.slot);
        accesses.extend(written.map(|slot| access(AccessKind::MustWrite, slot)));
        one_for_each_array(&mut accesses);
        accesses
    }

    /// Those of all statements.
    pub(crate) fn all_accesses(&self) -> Vec<Vec<Access>> {
        let statements = self.statements.iter();
        statements.map(|statement| self.accesses(statement)).collect()
    }

    /// The slots that are read after the region.
    pub(crate) fn slots_read_after(&self) -> impl Iterator<Item = SlotId> {
        self.live_outs.iter().filter_map(|live_out| match live_out.source {
            LiveOutSource::ScalarSlot(slot) => Some(slot),
            LiveOutSource::Expression(_) | LiveOutSource::Rotation { .. } => None,
        })
    }
}

/// From all instances of a domain to a slot that is in no array.
fn slot_relation(slot: &ScalarSlot<'_>, domain: &Set) -> Map {
    let element = Set::universe(SetSpace::new(Params::none(), Tuple::new(&slot.name, 0)));
    Map::from_domain_and_range(domain, &element)
}
