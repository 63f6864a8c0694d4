//! A region whose statements are in pieces, with statements that copy what some of them read.
//!
//! Pieces are clones of the statement that they are of, and read copies where the model says so. A copying statement has a load of that statement, whose
//! address depends on its own counters only, and stores what is loaded. In what follows they are statements of the region like all others.

use farkas_llvm::scop_ir::{IrStatement, ScopIr};
use farkas_llvm::value::Value;
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::program::{CopiedRead, NodeSplitting, Program};
use indexmap::IndexSet;

/// The region in pieces, and its model. Each copy has an element for each iteration.
pub(crate) fn in_pieces<'a>(scop: &ScopIr<'a>, program: &Program, split: &NodeSplitting) -> (ScopIr<'a>, Program) {
    let in_pieces = program
        .with_unbounded_node_splitting(split, &Budget::unlimited())
        .expect("no end of budget");
    let mut statements = Vec::new();
    for (statement, ir) in program.statements.iter().zip(&scop.statements) {
        match split.pieces.get(statement.tuple()) {
            None => statements.push(ir.clone()),
            Some(pieces) => statements.extend(pieces.iter().map(|piece| IrStatement {
                name: piece.tuple.name().expect("a piece has a name").to_string(),
                ..ir.clone()
            })),
        }
    }
    statements.extend(split.copies.iter().map(|copy| copying(scop, copy)));
    let scop = ScopIr {
        statements,
        ..scop.clone()
    };
    (scop, in_pieces)
}

/// A statement that loads what it copies. It has some of the loops around the statement that reads the copy.
fn copying<'a>(scop: &ScopIr<'a>, copy: &CopiedRead) -> IrStatement<'a> {
    let reader = reader(scop, copy);
    IrStatement {
        name: copy.copy.name().expect("a statement has a name").to_string(),
        loops: copy.dims.iter().map(|dim| reader.loops[*dim]).collect(),
        instructions: vec![load_of(scop, copy)],
        reads: Vec::new(),
        writes: Vec::new(),
        updates: IndexSet::new(),
        unconditional: IndexSet::new(),
        ..reader.clone()
    }
}

/// The statement that reads a copy, as a whole or one of its pieces.
fn reader<'s, 'a>(scop: &'s ScopIr<'a>, copy: &CopiedRead) -> &'s IrStatement<'a> {
    let name = copy.statement.name().expect("a statement has a name");
    let mut statements = scop.statements.iter();
    statements
        .find(|ir| ir.name == **name)
        .expect("a statement of the region")
}

/// The load that a copy stands for: the accesses of a statement without slots are its loads and stores, in order.
pub(crate) fn load_of<'a>(scop: &ScopIr<'a>, copy: &CopiedRead) -> Value<'a> {
    let reader = reader(scop, copy);
    let mut accesses = reader.instructions.iter().filter(|i| i.is_load_or_store());
    *accesses
        .nth(copy.read.0 - reader.reads.len())
        .expect("an access of the statement")
}
