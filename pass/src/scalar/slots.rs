//! Accesses of statements to scalar slots.

use farkas_llvm::region::Cell;
use farkas_polyhedral::program::{Access, AccessKind};
use farkas_polyhedral::sets::{Map, Params, Set, SetSpace, Tuple};

/// The access of all instances to a cell that is in no array.
pub(crate) fn cell_access(kind: AccessKind, cell: &Cell<'_>, domain: &Set) -> Access {
    let element = Set::universe(SetSpace::new(Params::none(), Tuple::new(&cell.name, 0)));
    Access {
        kind,
        relation: Map::from_domain_and_range(domain, &element),
        reduction: false,
    }
}
