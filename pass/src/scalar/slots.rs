//! Accesses of statements to scalar slots.

use farkas_llvm::scop_ir::ScalarSlot;
use farkas_polyhedral::program::{Access, AccessKind};
use farkas_polyhedral::sets::{Map, Params, Set, SetSpace, Tuple};

/// The access of all instances to a slot that is in no array.
pub(crate) fn slot_access(kind: AccessKind, slot: &ScalarSlot<'_>, domain: &Set) -> Access {
    let element = Set::universe(SetSpace::new(Params::none(), Tuple::new(&slot.name, 0)));
    Access {
        kind,
        relation: Map::from_domain_and_range(domain, &element),
        reduction: false,
    }
}
