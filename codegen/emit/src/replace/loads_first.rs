//! Loads in front of the stores of a loop's body.
//!
//! LLVM's GVN replaces a load of what the iteration before has loaded by a phi, and its vectorizer makes shuffles of such a *first-order
//! recurrence*. It cannot where a store uses the phi before the next value is loaded. Copies of a stencil's rows are like that:
//!
//! ```text
//! B[i][j]     = A[i][j + 1] + A[i + 1][j];           A[i + 1][j] is what copy 2 has loaded an iteration ago
//! B[i + 1][j] = A[i + 1][j + 1] + A[i + 2][j];       .. as A[i + 1][j + 1], behind the store of copy 1
//! ```
//!
//! The body is emitted copy by copy. Here loads of arrays that the body does not write, and what their addresses need, move to its
//! front. Different arrays do not overlap behind the guard. A straight line without calls that write, unwind or do not return
//! executes all of its loads wherever they stand.

use farkas_llvm::inkwell::basic_block::BasicBlock;
use farkas_llvm::scop_ir::ArrayId;
use farkas_llvm::value::{Block, Value};
use indexmap::{IndexMap, IndexSet};

use super::Emitter;

/// A load or a store of a loop's body.
#[derive(Clone, Copy)]
pub(super) struct BodyAccess<'a> {
    /// The statement instance in the body that it is of, counted from 0.
    pub(super) copy: usize,
    /// `None` where it is of a variable on the stack.
    pub(super) original: Option<Value<'a>>,
    pub(super) clone: Value<'a>,
}

/// The statement instances in a loop's body, and their accesses.
#[derive(Default)]
pub(super) struct Body<'a> {
    pub(super) instances: usize,
    pub(super) accesses: Vec<BodyAccess<'a>>,
}

impl<'a> Body<'a> {
    /// Adds an access of the instance at hand.
    pub(super) fn add(&mut self, original: Option<Value<'a>>, clone: Value<'a>) {
        let copy = self.instances;
        self.accesses.push(BodyAccess { copy, original, clone });
    }
}

impl<'a> Emitter<'_, 'a, '_> {
    /// Moves loads of a loop's body to its front, if the body is a single block, and a copy of a statement reads an array several times.
    pub(super) fn move_loads_first(&self, body: BasicBlock<'a>, accesses: &[BodyAccess<'a>]) {
        let Some(early) = self.early(body, accesses) else {
            return;
        };
        let instructions = Block::from_inkwell(body).instructions();
        let Some(first_late) = instructions.iter().find(|i| !early.contains(*i)) else {
            return;
        };
        // Instructions keep their locations: this builder has none.
        let builder = self.run.context().create_builder();
        let place = first_late.instruction().expect("an instruction of a block");
        for instruction in instructions.iter().filter(|i| early.contains(*i)) {
            let moved = instruction.instruction().expect("an instruction of a block");
            moved.remove_from_basic_block();
            builder.position_before(&place);
            builder.insert_instruction(&moved, None);
        }
    }

    /// What is to come first; `None` where nothing has to.
    fn early(&self, body: BasicBlock<'a>, accesses: &[BodyAccess<'a>]) -> Option<IndexSet<Value<'a>>> {
        let mut arrays: IndexMap<Value<'a>, Option<ArrayId>> = IndexMap::new();
        for access in accesses {
            let array = match access.original {
                Some(original) => Some(self.aliases.array_of(original)?),
                None => None,
            };
            arrays.insert(access.clone, array);
        }
        let instructions = Block::from_inkwell(body).instructions();
        let is_store = |i: &Value<'a>| i.facts().may_write();
        let written: IndexSet<ArrayId> = instructions
            .iter()
            .filter(|i| is_store(i))
            .filter_map(|i| arrays.get(i).copied().flatten())
            .collect();
        let is_known = |i: &Value<'a>| {
            let facts = i.facts();
            arrays.contains_key(i) || !(facts.may_write() || facts.may_throw() || facts.may_not_return())
        };
        let is_early_load = |i: &Value<'a>| {
            let array = arrays.get(i).copied().flatten();
            !is_store(i) && array.is_some_and(|array| !written.contains(&array))
        };
        let several = || {
            let mut seen = IndexSet::new();
            let mut loads = accesses.iter().filter(|access| is_early_load(&access.clone));
            loads.any(|access| !seen.insert((access.copy, arrays[&access.clone])))
        };
        if accesses.last()?.copy == 0 || !instructions.iter().all(is_known) || !several() {
            return None;
        }
        // Operands come before their users.
        let own: IndexSet<Value<'a>> = instructions.iter().copied().collect();
        let mut may_be_early = IndexSet::new();
        for instruction in &instructions {
            let reads = instruction.facts().may_read() || is_store(instruction);
            let mut operands = instruction
                .operands()
                .into_iter()
                .filter(|operand| own.contains(operand));
            if (!reads || is_early_load(instruction)) && operands.all(|operand| may_be_early.contains(&operand)) {
                may_be_early.insert(*instruction);
            }
        }
        let mut early: IndexSet<Value<'a>> = IndexSet::new();
        for instruction in instructions.iter().rev().filter(|i| may_be_early.contains(*i)) {
            if is_early_load(instruction) || early.contains(instruction) {
                early.insert(*instruction);
                early.extend(
                    instruction
                        .operands()
                        .into_iter()
                        .filter(|operand| own.contains(operand)),
                );
            }
        }
        Some(early)
    }
}
