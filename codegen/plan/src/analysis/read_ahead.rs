//! Statements that may read what only later iterations overwrite, and what LLVM makes of them.
//!
//! Where two addresses differ by a number that is known at run time only, LLVM's vectorizer compares their distance with the length of its vectors, if
//! each is the address of one access. That tells a read ahead from a read of what earlier iterations wrote. Otherwise it compares the ranges of
//! memory that the whole loop accesses by them, which overlap in both cases:
//!
//! ```text
//! for (w) if (a[w - p]) a[w] = 1;             distances
//! for (w) a[w] = a[w] + a[w - p];             ranges: a[w] is read and written
//! ```

use farkas_polyhedral::program::{Access, AccessKind, ArrayKind, Program};
use farkas_polyhedral::sets::Tuple;

use super::linear::LinearStatement;

/// Whether a statement reads an array that it writes by subscripts that differ by a parameter: its sign says whether an iteration reads what
/// earlier ones wrote, or what later ones overwrite.
pub(crate) fn may_read_ahead(statement: &LinearStatement) -> bool {
    let mut pairs = statement
        .accesses
        .iter()
        .flat_map(|read| statement.accesses.iter().map(move |write| (read, write)));
    pairs.any(|(read, write)| {
        let alike = read.subscripts().is_some() && read.subscripts() == write.subscripts();
        !read.writes && write.writes && read.array == write.array && alike && !read.differs_by_constants(write)
    })
}

/// Whether LLVM compares distances for a statement: of each array in memory that it writes, the program has one write and one read at the most.
pub(crate) fn compares_distances(program: &Program, tuple: &Tuple) -> bool {
    let is_write = |access: &&Access| access.kind != AccessKind::Read;
    let id = program.find_statement(tuple).expect("a statement of the program");
    let mut written = program.statement(id).accesses.iter().filter(is_write);
    written.all(|write| {
        let all = || program.statements.iter().flat_map(|statement| &statement.accesses);
        let of_array = || all().filter(|access| access.array() == write.array());
        let is_slot = program.arrays[write.array()].kind == ArrayKind::ScalarSlot;
        !is_slot && of_array().filter(is_write).count() == 1 && of_array().count() <= 2
    })
}
