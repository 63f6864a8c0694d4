//! Changes to the function that inkwell does not offer.
//!
//! All changes are made inside [`Run::atomically`]: either all of them stay, or none does.

use crate::ffi::{self};
use crate::loops::Loop;
use crate::region::Border;
use crate::run::Run;
use crate::scev::Scev;
use crate::value::{Block, Function, Kind, Value};
use inkwell::builder::Builder;
use inkwell::context::ContextRef;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMContextRef, LLVMMetadataRef};
use inkwell::types::BasicTypeEnum;
use inkwell::values::{AsValueRef, BasicValue, BasicValueEnum, InstructionValue, IntValue, PointerValue};
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// A metadata node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metadata<'a> {
    pub(crate) raw: LLVMMetadataRef,
    lifetime: PhantomData<&'a ()>,
}

/// The name of the attribute in a loop's identifier that keeps Farkas from looking at the loop again: when the function
/// is inlined elsewhere, or when the pass runs a second time. New loops have one with a value.
pub const DONE: &str = "farkas.done";

/// The metadata of the branches of a guard that asks for sizes: what is behind them is moved into a function of its own at last.
pub const GUARD: &str = "farkas.guard";

/// The name of the attribute in the identifiers of loops that run where a device fails: they are planned for the CPU only.
pub const ON_DEVICE: &str = "farkas.device";

/// The name of the attribute in the identifiers of loops over tiles of lanes: conditions are not taken out of such a loop.
pub const AROUND_LANES: &str = "farkas.around";

impl<'r> Run<'r> {
    /// Runs `change`, which may change the function. If it fails, panics, or leaves the function in a state that LLVM's
    /// verifier rejects, the function is as it was before; then no handle from before may be used again except to
    /// [refresh](Run::refresh) the run.
    ///
    /// # Errors
    /// What `change` returns.
    ///
    /// # Panics
    /// If `change` does, or with the verifier's complaint.
    pub fn atomically<T, E>(&self, change: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        // SAFETY: the run is live; the snapshot is given to exactly one of discard and restore below.
        let snapshot = unsafe { ffi::farkas_function_snapshot(self.raw()) };
        self.set_changed();
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let outcome = change()?;
            let complaint = self.verify(self.function());
            assert!(
                complaint.is_none(),
                "broken function: {}",
                complaint.unwrap_or_default()
            );
            Ok(outcome)
        }));
        // SAFETY: as above.
        unsafe {
            match &outcome {
                Ok(Ok(_)) => ffi::farkas_function_discard(snapshot),
                Ok(Err(_)) | Err(_) => ffi::farkas_function_restore(self.raw(), snapshot),
            }
        }
        outcome.unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// What LLVM's verifier has against a function.
    pub fn verify<'a>(&'a self, function: Function<'a>) -> Option<String> {
        // SAFETY: the handle is live and the sink is the one of `collect_text`.
        let complaint =
            ffi::collect_text(|sink, context| unsafe { ffi::farkas_function_verify(function.raw, sink, context) });
        (!complaint.is_empty()).then_some(complaint)
    }

    /// The context of the function's module, for inkwell.
    pub fn context(&self) -> ContextRef<'_> {
        // SAFETY: the context is live for as long as the function, and `ContextRef` does not own it.
        unsafe { ContextRef::new(self.raw_context()) }
    }

    fn raw_context(&self) -> LLVMContextRef {
        // SAFETY: the function is live.
        unsafe { LLVMGetTypeContext(LLVMTypeOf(self.function().raw)) }
    }

    /// A new block on the edge between two blocks. Dominators and loops follow.
    fn split_edge<'a>(&'a self, from: Block<'a>, to: Block<'a>) -> Block<'a> {
        // SAFETY: the handles are live.
        unsafe { Block::new(ffi::farkas_split_edge(self.raw(), from.raw, to.raw)) }
    }

    /// A new block where a region is entered, which gets the only edge across the border. What debug information says
    /// there of variables holds in the new block.
    pub fn split_entry<'a>(&'a self, border: Border<'a>) -> Block<'a> {
        self.split(border, false)
    }

    /// A new block where a region is left, which gets the only edge across the border. What debug information says
    /// there of variables holds behind the new block only.
    pub fn split_exit<'a>(&'a self, border: Border<'a>) -> Block<'a> {
        let added = self.split(border, true);
        // SAFETY: the handle is live, and all there is in the block is a branch.
        unsafe { ffi::farkas_pass_records_on(added.raw) };
        added
    }

    fn split<'a>(&'a self, border: Border<'a>, with_records: bool) -> Block<'a> {
        match border {
            Border::Edge { from, to } => self.split_edge(from, to),
            Border::Before(instruction) => {
                let before = instruction.block();
                // SAFETY: the handles are live, and the value is an instruction.
                let behind = unsafe { ffi::farkas_split_block(self.raw(), instruction.raw, with_records) };
                // SAFETY: it is a live block.
                self.split_edge(before, unsafe { Block::new(behind) })
            }
        }
    }

    /// A new block that begins with the instruction, which is no phi. The rest of its block branches there.
    pub fn split_before<'a>(&'a self, instruction: Value<'a>) -> Block<'a> {
        assert!(instruction.is_instruction(), "{instruction} is an instruction");
        // SAFETY: the handles are live, the value is an instruction, and what is returned is a live block.
        unsafe { Block::new(ffi::farkas_split_block(self.raw(), instruction.raw, false)) }
    }

    /// Executes an instruction that has no result only where the condition holds, which is computed in its block before it.
    pub fn execute_if<'a>(&'a self, condition: Value<'a>, instruction: Value<'a>) {
        assert!(
            instruction.is_instruction() && instruction.users().is_empty(),
            "{instruction} has no result"
        );
        // SAFETY: the handles are live, the condition comes before the instruction, and nobody uses a result of it.
        unsafe { ffi::farkas_execute_if(self.raw(), condition.raw, instruction.raw) }
    }

    /// The block that a loop is entered from, and that goes on nowhere else: it is added if need be. `None` where several blocks
    /// enter the loop, or one that does not end in a plain branch.
    pub fn preheader<'a>(&'a self, l: Loop<'a>) -> Option<Block<'a>> {
        let (before, header) = (l.predecessor()?, l.header());
        match before.terminator().kind() {
            Kind::Jump(_) => Some(before),
            Kind::Branch { then, otherwise, .. } if then != otherwise => Some(self.split_edge(before, header)),
            _ => None,
        }
    }

    /// Erases an instruction that nobody uses and that has no effect, and then its operands in the same way.
    pub fn erase_dead<'a>(&'a self, value: Value<'a>) {
        // SAFETY: the handle is live.
        unsafe { ffi::farkas_erase_dead(value.raw) }
    }

    /// Whether the expression can be computed before the instruction without trapping.
    pub fn is_expandable<'a>(&'a self, scev: Scev<'a>, before: Value<'a>) -> bool {
        // SAFETY: the handles are live, and the second is an instruction.
        before.is_instruction() && unsafe { ffi::farkas_scev_expandable(self.raw(), scev.raw, before.raw) }
    }

    /// Computes the expression before the instruction; `None` if it [cannot be](Run::is_expandable).
    pub fn expand<'a>(&'a self, scev: Scev<'a>, before: Value<'a>) -> Option<Value<'a>> {
        self.is_expandable(scev, before).then(|| {
            // SAFETY: the handles are live, and expansion at this place was found to be safe.
            unsafe { Value::new(ffi::farkas_scev_expand(self.raw(), scev.raw, before.raw)) }
        })
    }

    /// Metadata text.
    pub fn metadata_text(&self, text: &str) -> Metadata<'_> {
        // SAFETY: the context is live and the text is copied.
        metadata(unsafe { LLVMMDStringInContext2(self.raw_context(), text.as_ptr().cast(), text.len()) })
    }

    /// A number of 32 bits as metadata.
    pub fn metadata_number(&self, number: u32) -> Metadata<'_> {
        // SAFETY: the context is live, and the value is a constant.
        metadata(unsafe {
            let ty = LLVMInt32TypeInContext(self.raw_context());
            LLVMValueAsMetadata(LLVMConstInt(ty, u64::from(number), 0))
        })
    }

    /// A metadata node that equals every other with these operands.
    pub fn metadata_node<'a>(&'a self, operands: &[Metadata<'a>]) -> Metadata<'a> {
        let mut operands: Vec<LLVMMetadataRef> = operands.iter().map(|o| o.raw).collect();
        // SAFETY: the operands are live, and the list is lent for the call.
        metadata(unsafe { LLVMMDNodeInContext2(self.raw_context(), operands.as_mut_ptr(), operands.len()) })
    }

    /// A metadata node that equals no other. If `self_first`, it has itself as its first operand, before those given:
    /// the form of loop identifiers and alias scopes.
    pub fn distinct_node<'a>(&'a self, operands: &[Metadata<'a>], self_first: bool) -> Metadata<'a> {
        let operands: Vec<LLVMMetadataRef> = operands.iter().map(|o| o.raw).collect();
        // SAFETY: the operands are live, and the list is lent for the call.
        metadata(unsafe {
            ffi::farkas_distinct_node(self.raw_context(), operands.as_ptr(), operands.len(), self_first)
        })
    }

    /// Attaches metadata of a kind, such as `alias.scope`, to an instruction.
    pub fn attach<'a>(&'a self, instruction: Value<'a>, kind: &str, node: Metadata<'a>) {
        assert!(instruction.is_instruction(), "{instruction} is no instruction");
        // SAFETY: the handles are live, and the first is an instruction.
        unsafe {
            let context = self.raw_context();
            let kind = LLVMGetMDKindIDInContext(context, kind.as_ptr().cast(), kind.len() as u32);
            LLVMSetMetadata(instruction.raw, kind, LLVMMetadataAsValue(context, node.raw));
        }
    }

    /// Says, where the builder stands, that the alias scope, the only one in the list, holds from here on: if the place
    /// is reached again, it is a new scope, which tells nothing of accesses before.
    pub fn declare_scope<'a>(&'a self, builder: &Builder<'a>, list: Metadata<'a>) {
        let name = "llvm.experimental.noalias.scope.decl";
        // SAFETY: the intrinsic takes a list of one scope as its only operand and is not overloaded; the module, the
        // builder's block and the list are live.
        unsafe {
            let module = LLVMGetGlobalParent(self.function().raw);
            let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            let declaration = LLVMGetIntrinsicDeclaration(module, id, std::ptr::null_mut(), 0);
            let ty = LLVMIntrinsicGetType(self.raw_context(), id, std::ptr::null_mut(), 0);
            let mut list = LLVMMetadataAsValue(self.raw_context(), list.raw);
            LLVMBuildCall2(builder.as_mut_ptr(), ty, declaration, &mut list, 1, c"".as_ptr());
        }
    }

    /// Gives an instruction the metadata of a kind that another one has, if it has any.
    pub fn copy_metadata<'a>(&'a self, from: Value<'a>, to: Value<'a>, kind: &str) {
        assert!(
            from.is_instruction() && to.is_instruction(),
            "{from} and {to} are instructions"
        );
        // SAFETY: the handles are live instructions; no node means that there is none.
        unsafe {
            let kind = LLVMGetMDKindIDInContext(self.raw_context(), kind.as_ptr().cast(), kind.len() as u32);
            LLVMSetMetadata(to.raw, kind, LLVMGetMetadata(from.raw, kind));
        }
    }

    /// Removes metadata of a kind from an instruction, if it has any.
    pub fn detach<'a>(&'a self, instruction: Value<'a>, kind: &str) {
        assert!(instruction.is_instruction(), "{instruction} is no instruction");
        // SAFETY: the handle is a live instruction; no node means that there is none any more.
        unsafe {
            let kind = LLVMGetMDKindIDInContext(self.raw_context(), kind.as_ptr().cast(), kind.len() as u32);
            LLVMSetMetadata(instruction.raw, kind, std::ptr::null_mut());
        }
    }

    /// Keeps Farkas from looking at an existing loop again; its identifier keeps what else it says.
    pub fn mark_done<'a>(&'a self, l: Loop<'a>) {
        self.mark(l, self.done_mark());
    }

    /// Says that a loop runs where a device fails; its identifier keeps what else it says.
    pub fn mark_on_device<'a>(&'a self, l: Loop<'a>) {
        self.mark(l, self.metadata_node(&[self.metadata_text(ON_DEVICE)]));
    }

    /// Adds a mark to the identifier of a loop.
    fn mark<'a>(&'a self, l: Loop<'a>, mark: Metadata<'a>) {
        let mut operands: Vec<Metadata<'_>> = l.id_operands().into_iter().map(metadata).collect();
        operands.push(mark);
        let id = self.distinct_node(&operands, true);
        // SAFETY: the handles are live, and the node has the form of a loop identifier.
        unsafe { ffi::farkas_loop_set_id(l.raw, id.raw) }
    }

    /// The operand of an existing loop's identifier that keeps Farkas from looking at the loop again.
    fn done_mark(&self) -> Metadata<'_> {
        self.metadata_node(&[self.metadata_text(DONE)])
    }

    /// The same for a new loop.
    pub fn new_mark(&self) -> Metadata<'_> {
        self.metadata_node(&[self.metadata_text(DONE), self.metadata_text("new")])
    }
}

fn metadata<'a>(raw: LLVMMetadataRef) -> Metadata<'a> {
    Metadata {
        raw,
        lifetime: PhantomData,
    }
}

/// `pointer` advanced by `distance` bytes.
pub fn byte_offset<'a>(builder: &Builder<'a>, pointer: PointerValue<'a>, distance: IntValue<'a>) -> PointerValue<'a> {
    let byte = distance.get_type().get_context().i8_type();
    // SAFETY: the instruction is not marked `inbounds`: it computes an address, whatever the distance.
    unsafe { builder.build_gep(byte, pointer, &[distance], "") }.expect("a positioned builder")
}

/// `pointer` advanced by `distance` bytes, where both are in one object.
pub fn byte_offset_inbounds<'a>(
    builder: &Builder<'a>,
    pointer: PointerValue<'a>,
    distance: IntValue<'a>,
) -> PointerValue<'a> {
    let byte = distance.get_type().get_context().i8_type();
    // SAFETY: the caller vouches for the object; an address that is poison is not accessed.
    unsafe { builder.build_in_bounds_gep(byte, pointer, &[distance], "") }.expect("a positioned builder")
}

/// The address of an element of an array of such elements.
pub fn element_address<'a>(
    builder: &Builder<'a>,
    ty: BasicTypeEnum<'a>,
    array: PointerValue<'a>,
    index: IntValue<'a>,
) -> PointerValue<'a> {
    // SAFETY: the instruction is not marked `inbounds`: it computes an address, whatever the index.
    unsafe { builder.build_gep(ty, array, &[index], "") }.expect("a positioned builder")
}

/// Takes away what makes the instruction's value poison where its operands are not.
pub fn drop_poison_generating(instruction: InstructionValue<'_>) {
    // SAFETY: the handle is a live instruction.
    unsafe { ffi::farkas_drop_poison_generating(instruction.as_value_ref()) }
}

/// Whether a value is a call of the C library's square root of a `float` or `double` that may set `errno`, and accesses no other memory.
pub fn is_errno_square_root(value: Value<'_>) -> bool {
    match value.kind() {
        Kind::Call(name) => matches!(name.as_str(), "sqrt" | "sqrtf") && value.facts().errno_only(),
        _ => false,
    }
}

/// Builds the square root that such a call computes, of another argument of the same type or of a vector of such ones. It does not
/// set `errno`.
///
/// # Panics
/// If the value is no [such call](is_errno_square_root), or the argument no floating-point number or vector of some.
pub fn square_root<'a>(builder: &Builder<'a>, call: Value<'a>, argument: BasicValueEnum<'a>) -> BasicValueEnum<'a> {
    assert!(is_errno_square_root(call), "{call} is no square root");
    let ty = argument.get_type();
    let is_float =
        ty.is_float_type() || ty.is_vector_type() && ty.into_vector_type().get_element_type().is_float_type();
    assert!(is_float, "{argument} has no square root");
    // SAFETY: the builder stands in a block of the call's module, and the result has the type of the argument.
    unsafe {
        BasicValueEnum::new(ffi::farkas_square_root(
            builder.as_mut_ptr(),
            call.raw,
            argument.as_value_ref(),
        ))
    }
}

/// The value, or an arbitrary but fixed one where it is poison or undefined.
pub fn freeze<'a>(builder: &Builder<'a>, value: impl BasicValue<'a>) -> BasicValueEnum<'a> {
    // SAFETY: the builder stands in a block, and the result has the type of the operand.
    unsafe {
        BasicValueEnum::new(LLVMBuildFreeze(
            builder.as_mut_ptr(),
            value.as_value_ref(),
            c"".as_ptr(),
        ))
    }
}
