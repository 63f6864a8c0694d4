//! Natural loops.

use crate::ffi::{self, LoopRef, Text};
use crate::handle::handle;
use crate::value::{Block, Location, Value, location};
use inkwell::llvm_sys::prelude::LLVMMetadataRef;
use std::fmt;

handle!(
    /// A natural loop: a header that dominates all its blocks, and at least one edge back to it.
    Loop, LoopRef
);

/// The blocks that a loop sends.
fn blocks<'a>(send: impl FnOnce(ffi::PointerSink, *mut std::ffi::c_void)) -> Vec<Block<'a>> {
    // SAFETY: the shim sends live blocks.
    ffi::collect(send)
        .into_iter()
        .map(|b| unsafe { Block::new(b.cast_mut().cast()) })
        .collect()
}

/// The loops that `send` sends.
pub(crate) fn loops<'a>(send: impl FnOnce(ffi::PointerSink, *mut std::ffi::c_void)) -> Vec<Loop<'a>> {
    // SAFETY: the shim sends live loops.
    ffi::collect(send)
        .into_iter()
        .map(|l| unsafe { Loop::new(l.cast_mut()) })
        .collect()
}

impl<'a> Loop<'a> {
    /// The loops directly inside, in program order.
    pub fn children(self) -> Vec<Loop<'a>> {
        // SAFETY: the handle is a live loop.
        loops(|sink, context| unsafe { ffi::farkas_loop_children(self.raw, sink, context) })
    }

    /// The blocks, those of the loops inside included; the header comes first.
    pub fn blocks(self) -> Vec<Block<'a>> {
        // SAFETY: the handle is a live loop.
        blocks(|sink, context| unsafe { ffi::farkas_loop_blocks(self.raw, sink, context) })
    }

    /// The blocks inside with a successor outside.
    pub fn exiting_blocks(self) -> Vec<Block<'a>> {
        // SAFETY: the handle is a live loop.
        blocks(|sink, context| unsafe { ffi::farkas_loop_exiting(self.raw, sink, context) })
    }

    /// The header.
    pub fn header(self) -> Block<'a> {
        // SAFETY: the handle is a live loop, which has a header.
        unsafe { Block::new(ffi::farkas_loop_header(self.raw)) }
    }

    /// The block that branches back to the header, if there is only one.
    pub fn latch(self) -> Option<Block<'a>> {
        // SAFETY: the handle is a live loop.
        unsafe { Block::optional(ffi::farkas_loop_latch(self.raw)) }
    }

    /// The block outside that branches to the header, if there is only one. It may branch elsewhere too.
    pub fn predecessor(self) -> Option<Block<'a>> {
        // SAFETY: the handle is a live loop.
        unsafe { Block::optional(ffi::farkas_loop_predecessor(self.raw)) }
    }

    /// The block outside that the loop is left to, if there is only one.
    pub fn exit(self) -> Option<Block<'a>> {
        // SAFETY: the handle is a live loop.
        unsafe { Block::optional(ffi::farkas_loop_exit(self.raw)) }
    }

    /// The loop directly around.
    pub fn parent(self) -> Option<Loop<'a>> {
        // SAFETY: the handle is a live loop.
        unsafe { Loop::optional(ffi::farkas_loop_parent(self.raw)) }
    }

    /// How many loops are around a block of this one and no inner one: 1 for an outermost loop.
    pub fn depth(self) -> usize {
        // SAFETY: the handle is a live loop.
        unsafe { ffi::farkas_loop_depth(self.raw) as usize }
    }

    /// About how many iterations the loop has each time it is entered, where a profile says so.
    pub fn estimated_trip_count(self) -> Option<u64> {
        let mut count = 0;
        // SAFETY: the handle is a live loop, and the place is there to be written.
        let known = unsafe { ffi::farkas_loop_estimated_trip_count(self.raw, &mut count) };
        known.then_some(count)
    }

    /// Whether the block is inside.
    pub fn contains(self, block: Block<'a>) -> bool {
        // SAFETY: both handles are live.
        unsafe { ffi::farkas_loop_contains(self.raw, block.raw) }
    }

    /// Whether the value is computed inside.
    pub fn defines(self, value: Value<'a>) -> bool {
        value.is_instruction() && self.contains(value.block())
    }

    /// Whether the loop's identifier has an attribute such as `llvm.loop.vectorize.enable`.
    pub fn has_attribute(self, name: &str) -> bool {
        // SAFETY: the handle is a live loop.
        unsafe { ffi::farkas_loop_has_attribute(self.raw, Text::new(name)) }
    }

    /// Where the loop starts, if debug information says.
    pub fn location(self) -> Option<Location> {
        // SAFETY: the handle is a live loop.
        location(|line, column, sink, context| unsafe {
            ffi::farkas_loop_location(self.raw, line, column, sink, context)
        })
    }

    /// The operands of the loop's identifier, without its reference to itself.
    pub(crate) fn id_operands(self) -> Vec<LLVMMetadataRef> {
        // SAFETY: the handle is a live loop.
        let operands = ffi::collect(|sink, context| unsafe { ffi::farkas_loop_id_operands(self.raw, sink, context) });
        operands.into_iter().map(|o| o.cast_mut().cast()).collect()
    }
}

impl fmt::Debug for Loop<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "loop {}", self.header())
    }
}
