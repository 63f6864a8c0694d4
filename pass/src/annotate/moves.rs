//! How accesses move along loops whose subscripts are not affine.
//!
//! ```c
//! for (long j = 0; j < m; j++)
//!   y[j] += x[row[i] * m + j];            // the next element along j, whatever row[i] is
//! ```
//!
//! The address is a sum of what moves with counters, and of what is the same in all iterations of a loop: values that are loaded at addresses which
//! are, from arrays that the region does not write, and what is computed of these.

use farkas_llvm::Run;
use farkas_llvm::loops::Loop;
use farkas_llvm::scev::{Scev, ScevKind};
use farkas_llvm::scop_ir::{ArrayId, IrStatement, LoopId, ScopIr, SlotId};
use farkas_llvm::value::{Kind, Value};
use farkas_polyhedral::program::{AccessId, AccessMoves, Statement};
use farkas_polyhedral::sets::Map;
use indexmap::IndexSet;

/// Instructions and parts of expressions that are looked through for a value, one inside the other.
const MOST_DEEP: usize = 12;

/// Finds how accesses move.
pub(super) struct Mover<'m, 'a, 'r> {
    pub(super) run: &'a Run<'r>,
    pub(super) ir: &'m ScopIr<'a>,
    /// The arrays that the region writes.
    pub(super) written: &'m IndexSet<ArrayId>,
}

impl<'a> Mover<'_, 'a, '_> {
    /// The moves of a statement's accesses without affine subscripts, as far as they are known.
    pub(super) fn moves(&self, own: &IrStatement<'a>, statement: &Statement) -> Vec<AccessMoves> {
        let slots: IndexSet<SlotId> = own.reads.iter().map(|(slot, _)| *slot).collect();
        let instructions: Vec<Value<'a>> = own
            .instructions
            .iter()
            .copied()
            .filter(|i| i.is_load_or_store())
            .collect();
        if slots.len() + instructions.len() + own.writes.len() != statement.accesses.len() {
            return Vec::new();
        }
        let of_access = |(position, instruction): (usize, Value<'a>)| {
            let access = AccessId(slots.len() + position);
            let size = self.run.store_size(instruction.accessed_type()) as i64;
            if !has_unknown_subscript(&statement.accesses[access.0].relation) {
                return None;
            }
            let address = instruction.accessed_pointer()?;
            let by = |id: &LoopId| {
                let bytes = self.step_of_address(address, self.ir.loops[id.0].handle)?;
                (bytes % size == 0).then_some(bytes / size)
            };
            let by: Vec<Option<i64>> = own.loops.iter().map(by).collect();
            by.iter().any(Option::is_some).then_some(AccessMoves { access, by })
        };
        instructions.into_iter().enumerate().filter_map(of_access).collect()
    }

    /// By how many bytes an address grows from one iteration of a loop to the next. What it is computed from does not wrap where it is said so: the
    /// access would be undefined.
    fn step_of_address(&self, address: Value<'a>, along: Loop<'a>) -> Option<i64> {
        let Some((base, offset)) = address.base_of_offset().zip(self.run.address_offset(address)) else {
            return self.step(self.run.scev(address)?, along);
        };
        let base = self.step_of_address(base, along)?;
        offset.terms.into_iter().try_fold(base, |sum, (variable, bytes)| {
            let step = self.step(self.run.unwrapped(variable), along)?;
            sum.checked_add(step.checked_mul(bytes)?)
        })
    }

    /// By how much an expression grows from one iteration of a loop to the next.
    fn step(&self, scev: Scev<'a>, along: Loop<'a>) -> Option<i64> {
        if self.stays(scev, along, MOST_DEEP) {
            return Some(0);
        }
        match scev.kind() {
            ScevKind::Add(parts, _) => parts
                .into_iter()
                .try_fold(0i64, |sum, part| sum.checked_add(self.step(part, along)?)),
            ScevKind::AddRec(at, operands, _) => {
                let [start, by] = operands[..] else { return None };
                let own = match by.kind() {
                    ScevKind::Constant(by) if at == along => by,
                    _ if at != along && self.stays(by, along, MOST_DEEP) => 0,
                    _ => return None,
                };
                own.checked_add(self.step(start, along)?)
            }
            _ => None,
        }
    }

    /// Whether an expression is the same in all iterations of a loop.
    fn stays(&self, scev: Scev<'a>, along: Loop<'a>, deep: usize) -> bool {
        let all = |parts: Vec<Scev<'a>>| deep > 0 && parts.into_iter().all(|part| self.stays(part, along, deep - 1));
        match scev.kind() {
            ScevKind::Constant(_) => true,
            ScevKind::Unknown(value) => self.value_stays(value, along, deep),
            ScevKind::AddRec(at, operands, _) => at != along && all(operands),
            ScevKind::Add(operands, _) | ScevKind::Mul(operands, _) => all(operands),
            ScevKind::Truncate(inner) | ScevKind::ZeroExtend(inner) | ScevKind::SignExtend(inner) => all(vec![inner]),
            _ => false,
        }
    }

    fn value_stays(&self, value: Value<'a>, along: Loop<'a>, deep: usize) -> bool {
        if !value.is_instruction() || !along.defines(value) {
            return true;
        }
        if deep == 0 || value.is_phi() {
            return false;
        }
        let stays = |operand: Value<'a>| match self.run.scev(operand) {
            Some(scev) if scev.kind() != ScevKind::Unknown(operand) => self.stays(scev, along, deep - 1),
            _ => self.value_stays(operand, along, deep - 1),
        };
        match value.kind() {
            Kind::Load { pointer } => {
                let array = self.ir.array_of(value);
                array.is_some_and(|array| !self.written.contains(&array)) && stays(pointer)
            }
            _ => value.facts().pure() && value.operands().into_iter().filter(|o| o.is_data()).all(stays),
        }
    }
}

/// Whether a relation says nothing of a subscript.
fn has_unknown_subscript(relation: &Map) -> bool {
    let first = 1 + relation.params().len() + relation.domain_tuple().n();
    let n = relation.range_tuple().n();
    relation.pieces().iter().any(|piece| {
        let mut subscripts = first..first + n;
        subscripts.any(|column| piece.eqs().iter().all(|row| row[column].is_zero()))
    })
}
