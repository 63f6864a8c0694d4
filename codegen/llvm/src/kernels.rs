//! Kernels for NVIDIA's GPUs: blocks of the function that become a kernel in a module of its own, and its PTX.

use inkwell::basic_block::BasicBlock;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::values::{AsValueRef, PointerValue};
use std::ffi::c_void;

use crate::ffi::{self, Text};
use crate::run::Run;
use crate::value::{Block, Value};

/// A kernel that is to be made.
#[derive(Clone, Copy, Debug)]
pub struct KernelShape<'k> {
    /// Its name, which only has to be one that PTX takes.
    pub name: &'k str,
    /// The processor, such as `sm_90`.
    pub processor: &'k str,
    /// The threads of a block in x, y and z.
    pub threads: [u32; 3],
    /// Whether a multiprocessor has two blocks at the same time, if they are small. Threads get no more registers than that leaves, and the assembler
    /// uses all of these: it unrolls sequential loops, and leaves no room for a third block.
    pub has_two_blocks: bool,
}

/// A kernel.
#[derive(Clone, Debug)]
pub struct KernelCode<'a> {
    /// The values of the function that it is given, in the order of its parameters.
    pub inputs: Vec<Value<'a>>,
    /// Its module as IR.
    pub ir: String,
    /// Its module as PTX.
    pub ptx: String,
}

/// Whether the host process has a back end for this processor.
pub fn has_kernel_target(processor: &str) -> bool {
    // SAFETY: the text is lent for the call.
    unsafe { ffi::farkas_kernel_has_target(Text::new(processor)) }
}

impl Run<'_> {
    /// Why an instruction of the program cannot be in a kernel; `None` if it can.
    pub fn kernel_obstacle<'a>(&'a self, instruction: Value<'a>) -> Option<String> {
        assert!(instruction.is_instruction(), "{instruction} is an instruction");
        // SAFETY: the handle is a live instruction, and the sink is the one of `collect_text`.
        let why =
            ffi::collect_text(|sink, context| unsafe { ffi::farkas_kernel_obstacle(instruction.raw, sink, context) });
        (!why.is_empty()).then_some(why)
    }

    /// Takes the blocks from `entry` to in front of `end` out of the function, and makes a kernel of them. Each thread has its own copies of
    /// the `private` variables on the stack, and each block one copy of those that its threads share. What comes in through the other values is the caller's business, addresses too. No other block goes
    /// on to one of these, and nothing that they compute is used elsewhere.
    ///
    /// # Errors
    /// Why that is not possible. Then the function is as it was.
    pub fn take_out_kernel<'a>(
        &'a self,
        (entry, end): (BasicBlock<'a>, BasicBlock<'a>),
        (private, shared): (&[PointerValue<'a>], &[PointerValue<'a>]),
        shape: KernelShape<'_>,
    ) -> Result<KernelCode<'a>, String> {
        let (entry, end) = (Block::from_inkwell(entry), Block::from_inkwell(end));
        let raw = |variables: &[PointerValue<'a>]| -> Vec<LLVMValueRef> {
            variables.iter().map(|variable| variable.as_value_ref()).collect()
        };
        let (private, shared) = (raw(private), raw(shared));
        let (mut ir, mut is_done) = (String::new(), false);
        let mut inputs = Vec::new();
        let ptx = ffi::collect_text(|sink, ptx| {
            ir = ffi::collect_text(|_, ir| {
                inputs = ffi::collect(|inputs_sink, inputs| {
                    // SAFETY: the blocks and variables are live, texts and lists are lent for the call, there are three numbers of
                    // threads, and the sinks are those of `collect` and `collect_text`.
                    is_done = unsafe {
                        ffi::farkas_kernel_take_out(
                            entry.raw,
                            end.raw,
                            private.as_ptr(),
                            private.len(),
                            shared.as_ptr(),
                            shared.len(),
                            Text::new(shape.name),
                            Text::new(shape.processor),
                            shape.threads.as_ptr(),
                            shape.has_two_blocks,
                            inputs_sink,
                            inputs,
                            sink,
                            ir,
                            sink,
                            ptx,
                        )
                    };
                });
            });
        });
        if !is_done {
            return Err(ir);
        }
        // SAFETY: what is sent are live values of the function.
        let value = |raw: *const c_void| unsafe { Value::new(raw.cast_mut().cast()) };
        Ok(KernelCode {
            inputs: inputs.into_iter().map(value).collect(),
            ir,
            ptx,
        })
    }
}
