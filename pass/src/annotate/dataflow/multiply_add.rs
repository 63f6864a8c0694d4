//! Products that are added to an element: `C[i][j] += alpha * A[i][k] * B[k][j]` adds `(alpha * A[i][k]) * B[k][j]`.
//!
//! A device has instructions for many of these at once. They round a product and its sum together, which the program has to
//! [allow](farkas_llvm::multiply_add).

use super::Dataflow;
use crate::annotate::operations::element_type;
use farkas_llvm::multiply_add;
use farkas_llvm::scop_ir::Written;
use farkas_llvm::value::{Kind, Value};
use farkas_polyhedral::program::{Access, AccessId, AccessKind, ElementType, MultiplyAdd};
use indexmap::IndexSet;

/// The most instructions of a factor.
const MOST_INSTRUCTIONS: usize = 16;

impl<'a> Dataflow<'_, 'a, '_> {
    /// The product that the statement adds to an element, if it does nothing else.
    pub(in crate::annotate) fn multiply_add(&self, accesses: &[Access]) -> Option<MultiplyAdd> {
        let [_] = self.statement.blocks[..] else { return None };
        let mut writes = (0..accesses.len()).filter(|access| accesses[*access].kind != AccessKind::Read);
        let written = AccessId(writes.next().filter(|_| writes.next().is_none())?);
        let multiply_add::MultiplyAdd { factors, addend } =
            multiply_add::MultiplyAdd::of(self.written(written, accesses.len())?)?;
        let ty = element_type(self.run, addend.ty());
        let addend = self.read_access(addend)?;
        let factors = [self.factor(factors[0])?, self.factor(factors[1])?];
        let is_certain = accesses[written.0].kind == AccessKind::MustWrite;
        let is_same = is_certain && accesses[addend.0].has_elements_of(&accesses[written.0]);
        let is_apart = !factors.iter().flatten().any(|read| *read == addend);
        (matches!(ty, ElementType::Float(_)) && is_same && is_apart).then_some(MultiplyAdd {
            ty,
            addend,
            factors,
            written,
        })
    }

    /// The value that a write writes.
    fn written(&self, write: AccessId, n_accesses: usize) -> Option<Value<'a>> {
        let first = n_accesses - self.statement.writes.len();
        match write.0.checked_sub(first) {
            Some(position) => match &self.statement.writes[position].value {
                Written::Always(value) => Some(*value),
                Written::From(_) => None,
            },
            None => self
                .loads_and_stores()
                .find(|(access, _)| *access == write)
                .and_then(|(_, store)| match store.kind() {
                    Kind::Store { value, .. } => Some(value),
                    _ => None,
                }),
        }
    }

    /// The access that reads a value, as a load or from a slot.
    fn read_access(&self, value: Value<'a>) -> Option<AccessId> {
        let of_slot = self.slots_read().into_iter().find(|end| end.values.contains(&value));
        match of_slot {
            Some(end) => end.accesses.first().copied(),
            None => self
                .loads_and_stores()
                .find(|(_, access)| *access == value && matches!(value.kind(), Kind::Load { .. }))
                .map(|(access, _)| access),
        }
    }

    /// The reads that a factor depends on; `None` where it depends on something else of an instance.
    fn factor(&self, root: Value<'a>) -> Option<Vec<AccessId>> {
        let (mut seen, mut reads) = (IndexSet::new(), IndexSet::new());
        let mut open = vec![root];
        while let Some(value) = open.pop() {
            if !value.is_data() || !self.ir.region.defines(value) || !seen.insert(value) {
                continue;
            }
            if let Some(access) = self.read_access(value) {
                reads.insert(access);
                continue;
            }
            let is_known = self.instructions.contains(&value) && !self.statement.affine.contains_key(&value);
            let is_computed = is_known && !value.is_phi() && value.facts().pure();
            if !is_computed || self.ir.induction(value).is_some() || seen.len() > MOST_INSTRUCTIONS {
                return None;
            }
            open.extend(value.operands());
        }
        Some(reads.into_iter().collect())
    }
}
