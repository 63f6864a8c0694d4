//! The polyhedral model of a piece of a program: what is executed, in which order, what it accesses, and what it computes.
//!
//! [`text`] is its text form, and [`Program::verify`] says what makes it well-formed.

mod access;
mod array;
mod expansion;
mod kill;
mod node_splitting;
mod operation;
mod packed_tile;
mod params;
mod statement;
pub mod text;
mod turns;
mod verify;

pub use access::{Access, AccessId, AccessKind, Reduction, ReductionOperation};
pub use array::{Array, ArrayId, ArrayKind, Inspection};
pub use expansion::{Copies, Elements, Expansion, LastValues};
pub use kill::Kill;
pub use node_splitting::{CopiedRead, NodeSplitting, SplitPiece, SplitPlace};
pub use operation::{Chain, ElementType, MultiplyAdd, Operation, OperationClass};
pub use packed_tile::{PackedDim, PackedTile};
pub use statement::{AccessMoves, Statement, StatementId};
pub use verify::{Flaw, Violation};

use crate::sets::{Name, Set, SetSpace, Tuple};
use indexmap::IndexMap;

/// The polyhedral model of a piece of a program.
#[derive(Clone, Debug)]
pub struct Program {
    /// What is known of the parameters.
    pub context: Set,
    /// The parameter values for which the model is right. Whoever replaces the program has to check them.
    pub assumptions: Set,
    /// The arrays, by the tuples that name them in accesses. The position is the [`ArrayId`].
    pub arrays: IndexMap<Tuple, Array>,
    /// The statements, in textual order.
    pub statements: Vec<Statement>,
    /// Where values cease to be of interest.
    pub kills: Vec<Kill>,
}

impl Program {
    /// The program of these statements for the parameter values in `context`, without assumptions and kills. Its arrays are
    /// those that are accessed: scalar slots where they have no dimensions, and otherwise in memory, of 8 bytes an element
    /// and without known sizes.
    pub fn of_statements(context: Set, statements: Vec<Statement>) -> Program {
        let mut program = Program {
            assumptions: Set::universe(SetSpace::params_only(context.params().clone())),
            context,
            arrays: IndexMap::new(),
            statements,
            kills: Vec::new(),
        };
        program.add_missing_arrays();
        program
    }

    fn add_missing_arrays(&mut self) {
        let accesses = self.statements.iter().flat_map(|statement| &statement.accesses);
        for access in accesses {
            let tuple = access.array();
            self.arrays.entry(tuple.clone()).or_insert_with(|| Array {
                tuple: tuple.clone(),
                kind: match tuple.n() {
                    0 => ArrayKind::ScalarSlot,
                    _ => ArrayKind::Memory,
                },
                element_size: 8,
                outermost_size: None,
                inner_sizes: Vec::new(),
                table_dims: 0,
                inspection: None,
            });
        }
    }

    /// The statement.
    pub fn statement(&self, id: StatementId) -> &Statement {
        &self.statements[id.0]
    }

    /// The statement of this tuple.
    pub fn find_statement(&self, tuple: &Tuple) -> Option<StatementId> {
        let position = self.statements.iter().position(|statement| statement.tuple() == tuple);
        position.map(StatementId)
    }

    /// The array.
    pub fn array(&self, id: ArrayId) -> &Array {
        &self.arrays[id.0]
    }

    /// The array of this tuple.
    pub fn find_array(&self, tuple: &Tuple) -> Option<ArrayId> {
        self.arrays.get_index_of(tuple).map(ArrayId)
    }

    /// The name of the reference (`flow::derive`) that is the access `access` of the statement `statement`.
    ///
    /// # Panics
    ///
    /// If there is no such access.
    pub fn reference(&self, statement: StatementId, AccessId(access): AccessId) -> Name {
        let statement = self.statement(statement);
        assert!(
            access < statement.accesses.len(),
            "access {access} of {}",
            statement.name()
        );
        format!("{}_{access}", statement.name()).into()
    }
}
