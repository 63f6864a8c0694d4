//! Whether the two halves of a model, its instructions and its program, belong together.

use crate::scop::Scop;
use farkas_llvm::scop_ir::{Base, IrStatement, LiveOutSource, SlotId};
use farkas_llvm::value::Value;
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::program::{AccessKind, Statement, Violation};
use std::collections::HashSet;

/// Why a model is not well-formed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Malformed {
    #[error("{place} {flaw}")]
    Scop { place: String, flaw: &'static str },
    #[error(transparent)]
    Program(Violation),
}

type Verified = Result<(), Malformed>;

fn require(holds: bool, place: &str, flaw: &'static str) -> Verified {
    let place = place.to_owned();
    if holds {
        Ok(())
    } else {
        Err(Malformed::Scop { place, flaw })
    }
}

impl<'a> Scop<'a> {
    /// Checks that the model is well-formed:
    ///
    /// - The program is, by its own [verifier](farkas_polyhedral::program::Program::verify), as far as the budget allows.
    /// - Statements of the program have the names and the order of the instructions' statements, and a dimension for each
    ///   loop around them. Each statement starts with a block of the region, and its loops are nested.
    /// - The program's parameters are those of the instructions, in order.
    /// - Arrays and scalar slots have distinct names. The base of an array is computed outside of the region.
    /// - There is a shape for each array, and a condition for each hoisted load.
    /// - A run-time check is of two arrays.
    /// - Each slot that a statement reads (writes) is one of the model, and the program has an access for it: to the slot,
    ///   or, where DeLICM has mapped it, to an array.
    /// - A mapped slot is mapped to a store of the region, has no value before the region, and is not used after it.
    ///
    /// # Errors
    /// The first violation in this order.
    pub(crate) fn verify(&self, b: &Budget) -> Verified {
        match self.program.verify(b) {
            Ok(()) | Err(Violation::OutOfBudget(_)) => {}
            Err(violation) => return Err(Malformed::Program(violation)),
        }
        let counts = [self.ir.statements.len(), self.program.statements.len()];
        require(
            counts[0] == counts[1],
            "the model",
            "has another number of statements in its program",
        )?;
        for (ir, statement) in self.ir.statements.iter().zip(&self.program.statements) {
            self.verify_statement(ir, statement)?;
        }
        let names = self.ir.parameters.iter().map(|parameter| parameter.name.as_str());
        let params = self.program.context.params().names();
        let same = names.eq(params.iter().map(|name| name.as_str()));
        require(same, "the context", "has other parameters than the instructions")?;
        self.verify_arrays()?;
        for (ir, statement) in self.ir.statements.iter().zip(&self.program.statements) {
            self.verify_slots_of(ir, statement)?;
        }
        let mut slots = self.ir.slots.iter().enumerate();
        slots.try_for_each(|(index, slot)| match slot.mapped_to {
            Some(access) => self.verify_mapped(SlotId(index), access),
            None => Ok(()),
        })
    }

    fn verify_statement(&self, ir: &IrStatement<'a>, statement: &Statement) -> Verified {
        let place = format!("statement {}", ir.name);
        let same = statement.name().as_str() == ir.name;
        require(same, &place, "has another name in the program")?;
        let dims = statement.tuple().n() == ir.loops.len();
        require(dims, &place, "has other dimensions than loops around it")?;
        let inside = self.ir.region.blocks.contains_key(&ir.start());
        require(inside, &place, "does not start in the region")?;
        let parents = ir.loops.iter().map(|id| self.ir.loops[id.0].parent);
        let around = std::iter::once(None).chain(ir.loops.iter().copied().map(Some));
        let nested = parents.zip(around).all(|(parent, around)| parent == around);
        require(nested, &place, "is in loops that are not nested")
    }

    fn verify_arrays(&self) -> Verified {
        let mut names = HashSet::new();
        let arrays = self.ir.arrays.iter().map(|array| &array.name);
        for name in arrays.chain(self.ir.slots.iter().map(|slot| &slot.name)) {
            require(names.insert(name), name, "is the name of two arrays or scalar slots")?;
        }
        for array in &self.ir.arrays {
            match array.base {
                Base::Pointer(pointer) => {
                    let outside = !self.ir.region.defines(pointer);
                    require(outside, &array.name, "has a base that is computed in the region")?;
                }
                Base::Rotation(id) => {
                    let mut buffers = self.ir.phis(id).iter();
                    let outside = buffers.all(|own| !self.ir.region.defines(own.first));
                    require(
                        outside,
                        &array.name,
                        "has buffers whose addresses are computed in the region",
                    )?;
                }
                Base::Table(table) => {
                    let is_table = self
                        .ir
                        .arrays
                        .get(table.0)
                        .is_some_and(|table| table.base.pointer().is_some());
                    require(is_table, &array.name, "has no table with a base")?;
                }
            }
        }
        let shapes = self.shapes.len() == self.ir.arrays.len();
        require(shapes, "the model", "has another number of shapes than arrays")?;
        let conditions = self.load_conditions.len() == self.ir.loads.len();
        require(
            conditions,
            "the model",
            "has another number of conditions than hoisted loads",
        )?;
        for (one, other) in &self.alias_checks {
            let known = one.0.max(other.0) < self.ir.arrays.len();
            let both = known && (one != other || self.shapes[one.0].rows.is_some());
            require(both, "a run-time check", "is not of two arrays")?;
        }
        Ok(())
    }

    /// Whether the program has an access for each slot that a statement uses.
    fn verify_slots_of(&self, ir: &IrStatement<'a>, statement: &Statement) -> Verified {
        let accesses = |slot: SlotId, read: bool| {
            let slot = &self.ir.slots[slot.0];
            statement.accesses.iter().any(|access| {
                let own = access.array().name().is_some_and(|name| name.as_str() == slot.name);
                (own || slot.mapped_to.is_some()) && (access.kind == AccessKind::Read) == read
            })
        };
        let used = ir.reads.iter().map(|(slot, _)| (*slot, true));
        for (slot, read) in used.chain(ir.writes.iter().map(|write| (write.slot, false))) {
            let place = format!("statement {}", ir.name);
            require(slot.0 < self.ir.slots.len(), &place, "uses a slot that does not exist")?;
            require(accesses(slot, read), &place, "has no access in the program for a slot")?;
        }
        Ok(())
    }

    fn verify_mapped(&self, id: SlotId, access: Value<'a>) -> Verified {
        let slot = &self.ir.slots[id.0];
        let is_access = access.is_load_or_store() && self.ir.region.defines(access);
        require(is_access, &slot.name, "is not mapped to a load or store of the region")?;
        require(
            slot.initial.is_none(),
            &slot.name,
            "is mapped and has a value before the region",
        )?;
        let mut sources = self.ir.live_outs.iter().map(|live_out| &live_out.source);
        let used = sources.any(|source| matches!(source, LiveOutSource::ScalarSlot(other) if *other == id));
        require(!used, &slot.name, "is mapped and used after the region")
    }
}
