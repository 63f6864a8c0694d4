//! How many lanes vectors of some statements have.

use farkas_polyhedral::program::{AccessKind, ArrayKind, OperationClass, Program, Statement};
use farkas_polyhedral::sets::Tuple;

use crate::target::Target;

/// The most bits of a lane.
const WIDEST: u32 = 64;

/// As many lanes as values of the widest type in the statements fill a vector register; `None` where that is one, or a
/// statement has no vector form.
pub(crate) fn lanes<'t>(
    program: &Program,
    target: &Target,
    statements: impl IntoIterator<Item = &'t Tuple>,
) -> Option<u32> {
    let mut widest = 8;
    for tuple in statements {
        let statement = program.statement(program.find_statement(tuple)?);
        if !is_widenable(program, statement) {
            return None;
        }
        for operation in &statement.operations {
            widest = widest.max(u32::from(operation.ty.bits()).next_power_of_two());
        }
    }
    let lanes = target.vector.bits / widest;
    (lanes > 1 && widest <= WIDEST).then_some(lanes)
}

/// Whether a statement has a vector form, as far as the model tells: no calls, no conditions on data, no value that it hands to
/// other statements.
fn is_widenable(program: &Program, statement: &Statement) -> bool {
    let calls = statement.operations.iter().any(|o| o.class == OperationClass::Call);
    let plain = statement.accesses.iter().all(|access| match access.kind {
        AccessKind::Read => true,
        AccessKind::MustWrite => program.arrays[access.array()].kind != ArrayKind::ScalarSlot,
        AccessKind::MayWrite => false,
    });
    !calls && plain
}
