//! One run of the pass on one function.

use crate::ffi::{self, RunRef, Text};
use crate::loops::{Loop, loops};
use crate::types::Type;
use crate::value::{Block, Function, Value};
use inkwell::module::Linkage;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::marker::PhantomData;

/// What stays of a block or an instruction when [`Run::refresh`] ends the life of its handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity(u32);

/// An element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// The distance to the next one, in bytes.
    pub size: u64,
    /// How many of these a load or store touches, from the first on: ten of sixteen for an x87 `long double`.
    pub touched: u64,
}

/// What metadata says of aliasing, as far as it may be used.
#[derive(Clone, Copy, Debug)]
pub struct AliasTags {
    /// Alias scopes: only where none [is declared](crate::facts::Facts::declares_scope) in a loop.
    pub scopes: bool,
    /// Types of accesses (TBAA): not for accesses that the program does not have at their place, as the type of an object changes with
    /// a store.
    pub types: bool,
}

/// The function at hand and its analyses.
///
/// The analyses are built for this run and dropped with it: what is asked here leaves no trace in the host's own
/// analysis caches. All handles borrow from the run, so that [`Run::refresh`] cannot be called while any is alive.
pub struct Run<'r> {
    raw: RunRef,
    changed: Cell<bool>,
    identities: RefCell<HashMap<usize, Identity>>,
    lifetime: PhantomData<&'r ()>,
}

impl<'r> Run<'r> {
    /// # Safety
    /// `raw` is a run of the shim that lives for `'r`, and there is no second `Run` for it.
    pub(crate) unsafe fn new(raw: RunRef) -> Self {
        Run {
            raw,
            changed: Cell::new(false),
            identities: RefCell::default(),
            lifetime: PhantomData,
        }
    }

    pub(crate) fn raw(&self) -> RunRef {
        self.raw
    }

    /// Whether the function was changed.
    pub fn changed(&self) -> bool {
        self.changed.get()
    }

    pub(crate) fn set_changed(&self) {
        self.changed.set(true);
    }

    /// Computes the analyses anew.
    pub fn refresh(&mut self) {
        // SAFETY: the run is live; handles into the old analyses cannot be, since they borrow from `self`.
        unsafe { ffi::farkas_run_refresh(self.raw) }
    }

    /// The identity of a block or an instruction: it is the same whenever it is asked for, as long as that is not
    /// erased from the function.
    pub fn identity<'a>(&'a self, of: impl Into<Value<'a>>) -> Identity {
        let mut identities = self.identities.borrow_mut();
        let next = Identity(identities.len() as u32);
        *identities.entry(of.into().raw as usize).or_insert(next)
    }

    /// Counts a region that could be transformed: its number, from 1, among those of the compilation that this run is
    /// part of.
    pub fn count_region(&self) -> u64 {
        // SAFETY: the run is live.
        unsafe { ffi::farkas_run_count_region(self.raw) }
    }

    /// The function.
    pub fn function(&self) -> Function<'_> {
        // SAFETY: the run is live, and so is its function.
        unsafe { Function::new(ffi::farkas_run_function(self.raw)) }
    }

    /// Whether the function has the attribute, such as `optnone`.
    pub fn function_has_attribute(&self, name: &str) -> bool {
        // SAFETY: the run is live and the name is lent for the call.
        unsafe { ffi::farkas_function_has_attribute(self.raw, Text::new(name)) }
    }

    /// What the source annotates the function with (`__attribute__((annotate("..")))`), in its order.
    pub fn function_annotations(&self) -> Vec<String> {
        // SAFETY: the run is live, and the texts are lent for the call.
        let texts =
            ffi::collect_text(|sink, context| unsafe { ffi::farkas_function_annotations(self.raw, sink, context) });
        texts.split_terminator('\0').map(str::to_owned).collect()
    }

    /// Whether a profile says that the function is never called.
    pub fn is_never_called(&self) -> bool {
        // SAFETY: the run is live.
        unsafe { ffi::farkas_function_never_called(self.raw) }
    }

    /// The outermost loops, in program order.
    pub fn loops(&self) -> Vec<Loop<'_>> {
        // SAFETY: the run is live.
        loops(|sink, context| unsafe { ffi::farkas_loops_top(self.raw, sink, context) })
    }

    /// The number of conditions that LLVM goes over when it is asked what holds where the loop is entered: it asks
    /// itself so for whatever it finds out about the loop.
    pub fn guards_of<'a>(&'a self, l: Loop<'a>) -> usize {
        // SAFETY: the handles are live.
        unsafe { ffi::farkas_loop_guards(self.raw, l.raw) }
    }

    /// The innermost loop around a block.
    pub fn loop_of<'a>(&'a self, block: Block<'a>) -> Option<Loop<'a>> {
        // SAFETY: the handles are live.
        unsafe { Loop::optional(ffi::farkas_loop_of(self.raw, block.raw)) }
    }

    /// Whether every way to `b` goes through `a`.
    pub fn dominates<'a>(&'a self, a: Block<'a>, b: Block<'a>) -> bool {
        // SAFETY: the handles are live.
        unsafe { ffi::farkas_dominates(self.raw, a.raw, b.raw) }
    }

    /// The last other block that every way to this one goes through; `None` for the first block of the function.
    pub fn immediate_dominator<'a>(&'a self, block: Block<'a>) -> Option<Block<'a>> {
        // SAFETY: the handles are live.
        unsafe { Block::optional(ffi::farkas_immediate_dominator(self.raw, block.raw)) }
    }

    /// How an array of the type is laid out; `None` where that is not in fixed numbers of whole bytes.
    pub fn element<'a>(&'a self, ty: Type<'a>) -> Option<Element> {
        let mut element = Element { size: 0, touched: 0 };
        // SAFETY: the handles are live, and the places are there to be written.
        unsafe { ffi::farkas_type_element(self.raw, ty.raw, &mut element.size, &mut element.touched) };
        Some(element).filter(|element| element.touched > 0)
    }

    /// How many bytes a store of a value of the type may write; 0 for what cannot be stored.
    pub fn store_size<'a>(&'a self, ty: Type<'a>) -> u64 {
        // SAFETY: the handles are live.
        unsafe { ffi::farkas_type_store_size(self.raw, ty.raw) }
    }

    /// How many bytes a variable on the stack has, where that is a number, and it is one value of its type.
    pub fn variable_size<'a>(&'a self, variable: Value<'a>) -> Option<u64> {
        let ty = variable.allocated_type()?;
        (variable.allocated_count() == Some(1)).then(|| self.store_size(ty))
    }

    /// The elements of a constant array, read with a sign as integers of a type of at most 64 bits; empty for anything else, and for
    /// more elements than fit.
    pub fn constant_elements<'a, 'e>(&'a self, array: Value<'a>, ty: Type<'a>, room: &'e mut [i64]) -> &'e [i64] {
        // SAFETY: the handles are live, and no more elements are written than there is room for.
        let count =
            unsafe { ffi::farkas_constant_elements(self.raw, array.raw, ty.raw, room.as_mut_ptr(), room.len()) };
        &room[..count]
    }

    /// Whether no instance of the one access overlaps one of the other, in any two iterations. Each is given as the
    /// instruction, and the pointer that it is based on, which has to be the same in all iterations.
    pub fn never_alias<'a>(&'a self, a: (Value<'a>, Value<'a>), b: (Value<'a>, Value<'a>), known: AliasTags) -> bool {
        assert!(
            a.0.is_instruction() && b.0.is_instruction(),
            "{} and {} are instructions",
            a.0,
            b.0
        );
        // SAFETY: the handles are live, and the first of each pair is an instruction.
        unsafe { ffi::farkas_never_alias(self.raw, a.0.raw, a.1.raw, b.0.raw, b.1.raw, known.scopes, known.types) }
    }

    /// Whether an instance of an access, given as for [`Run::never_alias`], may be one of `errno`.
    pub fn may_access_errno<'a>(&'a self, access: Value<'a>, base: Value<'a>) -> bool {
        assert!(access.is_instruction(), "{access} is an instruction");
        // SAFETY: the handles are live, and the first is an instruction.
        unsafe { ffi::farkas_may_access_errno(self.raw, access.raw, base.raw) }
    }

    /// For a `getelementptr` that counts arrays with its first index, the size of one of them in bytes.
    pub fn array_stride<'a>(&'a self, value: Value<'a>) -> Option<u64> {
        // SAFETY: the handles are live.
        Some(unsafe { ffi::farkas_array_stride(self.raw, value.raw) }).filter(|&size| size > 0)
    }

    /// Reports an error, with which the compilation fails.
    pub fn error(&self, message: &str) {
        // SAFETY: the handle is live, and the text is lent for the call.
        unsafe { ffi::farkas_error(self.raw, Text::new(message)) }
    }

    /// Whether calls of the function are likely to have its body in their place: where it is not for other modules, or is said to be small.
    pub fn may_be_inlined(&self) -> bool {
        let is_for_others = matches!(self.function().inkwell().get_linkage(), Linkage::External);
        let wants = ["inlinehint", "alwaysinline"]
            .iter()
            .any(|name| self.function_has_attribute(name));
        (wants || !is_for_others) && !self.function_has_attribute("noinline")
    }

    /// Whether the program has C's allocator, which is not being compiled here.
    pub fn has_allocator(&self) -> bool {
        // SAFETY: the handle is live.
        unsafe { ffi::farkas_has_allocator(self.raw) }
    }

    /// Reports a warning.
    pub fn warning(&self, message: &str) {
        // SAFETY: the handle is live, and the text is lent for the call.
        unsafe { ffi::farkas_warning(self.raw, Text::new(message)) }
    }
}
