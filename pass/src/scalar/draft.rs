//! The model before it is assembled, as the passes over scalar slots see and change it.
//!
//! A [`Program`](farkas_polyhedral::program::Program) lists an access for each slot that a statement uses. A draft does not:
//! it says which slots there are and where they are kept, and [`ScopDraft::accesses`] derives the accesses from that. What a
//! pass changes is thus changed in one place.

use super::reductions::{ReductionPlace, one_for_each_array, reductions};
use farkas_llvm::region::Region;
use farkas_llvm::scop_ir::{IrStatement, LiveOut, LiveOutSource, ScalarSlot, ScopLoop, SlotId};
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
}

impl DraftStatement<'_> {
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
        let reductions = reductions(&statement.ir);
        let access = |kind, slot: SlotId| Access {
            kind,
            relation: match statement.elements.get(&slot) {
                Some(element) => element.clone(),
                None => slot_relation(&self.slots[slot.0], &statement.domain),
            },
            reduction: reductions.iter().any(|r| r.place == ReductionPlace::ScalarSlot(slot)),
        };
        let read = statement.slots_read().into_iter();
        let mut accesses: Vec<Access> = read.map(|slot| access(AccessKind::Read, slot)).collect();
        accesses.extend_from_slice(&statement.array_accesses);
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
            LiveOutSource::Expression(_) => None,
        })
    }
}

/// From all instances of a domain to a slot that is in no array.
fn slot_relation(slot: &ScalarSlot<'_>, domain: &Set) -> Map {
    let element = Set::universe(SetSpace::new(Params::none(), Tuple::new(&slot.name, 0)));
    Map::from_domain_and_range(domain, &element)
}
