//! Arrays on the stack of which each iteration of a parallel loop has a copy: one for all iterations that a thread executes.
//!
//! ```text
//!   { first, last } = ..                          the marker in front of the loop
//!   lifetime.start(%t.thread)
//!   for (..) { for (k) %t.thread[k] = ..; ..  }   in place of %t
//!   ..                                            the marker behind the loop
//! ```
//!
//! The loop is emitted with the array itself. Then all that uses its address inside gets the address of the copy: no access is left out,
//! however its address is computed. Parts of addresses that are computed in front of the loop are computed once more inside.
//!
//! The model has such an array as a variable of which nothing but loads, stores and offsets of the region use the address.

use farkas_llvm::inkwell::basic_block::BasicBlock;
use farkas_llvm::inkwell::types::{BasicType, BasicTypeEnum};
use farkas_llvm::inkwell::values::{InstructionOpcode, PointerValue};
use farkas_llvm::scop_ir::{ArrayId, ScopIr};
use farkas_llvm::value::Value;
use farkas_polyhedral::ast::Node;
use farkas_polyhedral::sets::Name;
use farkas_polyhedral::tree::Mark;
use indexmap::IndexSet;

use super::Emitter;
use super::subtree::for_each_mark;
use crate::arith::BUILDS;
use crate::slots::at_entry;

/// Copies that are larger are not cleared in front of the loop: no pass takes their elements apart.
const MOST_CLEARED: u64 = 1 << 10;

impl<'a> Emitter<'_, 'a, '_> {
    /// The arrays that a mark around a node names; `None` if there can be no copies of them, or these would be too large with those of lanes
    /// and the buffers inside.
    pub(super) fn arrays_to_copy(&self, names: &[Name], body: &Node) -> Option<Vec<ArrayId>> {
        let arrays = self.arrays_among(names);
        let mut bytes = self.bytes_of_buffers(body).unwrap_or(0);
        for array in &arrays {
            bytes = bytes.checked_add(self.bytes_of_local(*array)?)?;
        }
        let mut fits = true;
        for_each_mark(body, &mut |mark, _| match mark {
            Mark::Vector { lanes, private, .. } => {
                for array in self.arrays_among(private) {
                    let own = self
                        .bytes_of_local(array)
                        .and_then(|own| own.checked_mul(u64::from(*lanes)));
                    match own.and_then(|own| bytes.checked_add(own)) {
                        Some(sum) => bytes = sum,
                        None => fits = false,
                    }
                }
            }
            // Each of several jammed iterations has copies.
            Mark::Jam { .. } => fits &= arrays.is_empty(),
            _ => {}
        });
        (fits && bytes <= Mark::MOST_COPIED_BYTES).then_some(arrays)
    }

    /// The bytes of a variable that the region alone accesses.
    fn bytes_of_local(&self, array: ArrayId) -> Option<u64> {
        let variable = self.scop.arrays[array.0].base.pointer()?;
        let is_local = self.scop.locals.iter().any(|local| local.variable == variable);
        is_local.then(|| self.run.variable_size(variable))?
    }

    /// Makes copies of arrays, and gives their addresses to all that is in `first` and the blocks behind it. Lets them begin to live at the
    /// end of the block `front`, which goes on to `first`.
    pub(super) fn use_copies(&self, arrays: &[ArrayId], (front, first): (BasicBlock<'a>, BasicBlock<'a>)) {
        let blocks = std::iter::successors(Some(first), |block| block.get_next_basic_block());
        let inside: IndexSet<BasicBlock<'a>> = blocks.collect();
        let terminator = front.get_terminator().expect("a block that goes on to a loop");
        self.builder.position_before(&terminator);
        for array in arrays {
            let original = variable_of(self.scop, *array);
            let copy = self.copy_of(*array, original);
            self.begin_life(original, copy);
            self.redirect(original, Value::from_inkwell(copy), &inside);
        }
    }

    /// A variable of the same size, type and alignment.
    fn copy_of(&self, array: ArrayId, original: Value<'a>) -> PointerValue<'a> {
        let ty = type_of(original);
        let name = format!("{}.thread", self.scop.arrays[array.0].name);
        let copy = at_entry(self.function).build_alloca(ty, &name).expect(BUILDS);
        let alignment = original.instruction().expect("a variable on the stack").get_alignment();
        let alloca = copy.as_instruction().expect("a variable on the stack");
        let set = alloca.set_alignment(alignment.expect("a variable on the stack"));
        set.expect("the alignment of another variable");
        self.make_private(copy);
        copy
    }

    /// Says that nothing is in a copy yet, where the builder stands. SROA takes no notice, and would take what one execution of the loop leaves
    /// in the elements of a small copy to the next one: these are cleared.
    fn begin_life(&self, original: Value<'a>, copy: PointerValue<'a>) {
        let locals = &self.scop.locals;
        let local = locals.iter().find(|local| local.variable == original);
        let start = local
            .expect("a variable that the region alone accesses")
            .start
            .duplicate();
        self.builder.insert_instruction(&start, None);
        start.set_operand(0, copy);
        let bytes = self.run.variable_size(original).expect("a variable of known size");
        if bytes <= MOST_CLEARED {
            let zero = self.run.context().i8_type().const_zero();
            let bytes = self.i64.const_int(bytes, false);
            self.builder.build_memset(copy, 1, zero, bytes).expect(BUILDS);
        }
    }

    /// Gives users `inside` the address `to` in place of `from`. What is offset from that outside, and used inside, is computed once more
    /// where the builder stands.
    fn redirect(&self, from: Value<'a>, to: Value<'a>, inside: &IndexSet<BasicBlock<'a>>) {
        let users: IndexSet<Value<'a>> = from.users().into_iter().collect();
        for user in users {
            if is_in(user, inside) {
                user.replace_operand(from, to);
            } else if is_offset(user) && is_used_in(user, inside) {
                let copy = user.duplicate();
                self.builder.insert_instruction(&copy, None);
                let copy = Value::from_inkwell(copy);
                copy.replace_operand(from, to);
                self.redirect(user, copy, inside);
            }
        }
    }
}

fn variable_of<'a>(scop: &ScopIr<'a>, array: ArrayId) -> Value<'a> {
    let base = scop.arrays[array.0].base.pointer();
    base.expect("a variable on the stack")
}

fn type_of(variable: Value<'_>) -> BasicTypeEnum<'_> {
    let ty = variable.allocated_type().and_then(|ty| ty.inkwell());
    ty.expect("a variable on the stack").as_basic_type_enum()
}

fn is_in<'a>(instruction: Value<'a>, blocks: &IndexSet<BasicBlock<'a>>) -> bool {
    blocks.contains(&instruction.block().inkwell())
}

fn is_offset(user: Value<'_>) -> bool {
    let opcode = user.instruction().map(|i| i.get_opcode());
    opcode == Some(InstructionOpcode::GetElementPtr)
}

/// Whether an address, or one that is offset from it, is used in some blocks.
fn is_used_in<'a>(address: Value<'a>, blocks: &IndexSet<BasicBlock<'a>>) -> bool {
    let mut users = address.users().into_iter();
    users.any(|user| is_in(user, blocks) || is_offset(user) && is_used_in(user, blocks))
}
