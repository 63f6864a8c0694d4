//! The C interface of the shim in `cpp/`: declarations only, documented there.

use inkwell::llvm_sys::prelude::{
    LLVMBasicBlockRef, LLVMBuilderRef, LLVMContextRef, LLVMMetadataRef, LLVMTypeRef, LLVMUseRef, LLVMValueRef,
};
use std::ffi::{CStr, c_char, c_void};
use std::marker::PhantomData;

/// A `Run *`, the run of the pass on one function.
pub(crate) type RunRef = *mut c_void;
/// A `Loop *`.
pub(crate) type LoopRef = *mut c_void;
/// A `const SCEV *`.
pub(crate) type ScevPtr = *const c_void;

/// Text that is only lent for the call.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Text<'a> {
    data: *const c_char,
    length: usize,
    lent: PhantomData<&'a str>,
}

impl<'a> Text<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Text {
            data: text.as_ptr().cast(),
            length: text.len(),
            lent: PhantomData,
        }
    }

    /// The text, with anything that is not UTF-8 replaced.
    pub(crate) fn owned(self) -> String {
        // SAFETY: LLVM passes a pointer to `length` readable bytes (it may be null only if there are none).
        unsafe { lossy(self.data, self.length) }
    }
}

/// Copies text that LLVM lends.
///
/// # Safety
/// `data` has `length` readable bytes, or `length` is 0.
unsafe fn lossy(data: *const c_char, length: usize) -> String {
    if length == 0 {
        return String::new();
    }
    // SAFETY: the caller vouches for the bytes.
    String::from_utf8_lossy(unsafe { std::slice::from_raw_parts(data.cast(), length) }).into_owned()
}

pub(crate) type TextSink = extern "C" fn(*mut c_void, *const c_char, usize);
pub(crate) type PointerSink = extern "C" fn(*mut c_void, *const c_void);

extern "C" fn push_text(context: *mut c_void, data: *const c_char, length: usize) {
    // SAFETY: `collect_text` passes a `String` that outlives the call as the context, and the shim lends the bytes.
    unsafe { (*context.cast::<String>()).push_str(&lossy(data, length)) }
}

extern "C" fn push_pointer(context: *mut c_void, pointer: *const c_void) {
    // SAFETY: `collect` passes a vector that outlives the call as the context.
    unsafe { (*context.cast::<Vec<*const c_void>>()).push(pointer) }
}

/// The text that `send` writes to the sink it is given.
pub(crate) fn collect_text(send: impl FnOnce(TextSink, *mut c_void)) -> String {
    let mut text = String::new();
    send(push_text, (&raw mut text).cast());
    text
}

/// The pointers that `send` writes to the sink it is given.
pub(crate) fn collect(send: impl FnOnce(PointerSink, *mut c_void)) -> Vec<*const c_void> {
    let mut pointers: Vec<*const c_void> = Vec::new();
    send(push_pointer, (&raw mut pointers).cast());
    pointers
}

/// One option. The names are C strings because LLVM keeps pointers to them.
#[repr(C)]
pub struct OptionSpec {
    name: *const c_char,
    key: *const c_char,
    values: *const c_char,
    help: *const c_char,
    is_hidden: bool,
    text: PhantomData<&'static CStr>,
}

// SAFETY: the pointers are to constant strings of the program.
unsafe impl Sync for OptionSpec {}

impl OptionSpec {
    /// The option `-NAME` with the pass parameter `key`, where `name` is `farkas-KEY`, and what its values may be.
    pub const fn new(name: &'static CStr, key: &'static CStr, values: &'static CStr, help: &'static CStr) -> Self {
        OptionSpec {
            name: name.as_ptr(),
            key: key.as_ptr(),
            values: values.as_ptr(),
            help: help.as_ptr(),
            is_hidden: false,
            text: PhantomData,
        }
    }

    /// The option, which `-help` does not list.
    pub const fn hidden(self) -> Self {
        OptionSpec {
            is_hidden: true,
            ..self
        }
    }

    /// Whether `-help` lists the option.
    pub const fn is_listed(&self) -> bool {
        !self.is_hidden
    }

    /// The option's name, without the dash.
    pub fn name(&self) -> &'static str {
        text_of(self.name)
    }

    /// The name of the pass parameter.
    pub fn key(&self) -> &'static str {
        text_of(self.key)
    }

    /// What its values may be, as `-help` shows it.
    pub fn values(&self) -> &'static str {
        text_of(self.values)
    }

    /// What it does.
    pub fn help(&self) -> &'static str {
        text_of(self.help)
    }
}

/// The text behind a pointer of an [`OptionSpec`].
fn text_of(text: *const c_char) -> &'static str {
    // SAFETY: all pointers of an `OptionSpec` come from constant strings of the program.
    let text: &'static CStr = unsafe { CStr::from_ptr(text) };
    text.to_str().expect("options are described in UTF-8")
}

#[repr(C)]
pub(crate) struct Setting<'a> {
    pub(crate) key: Text<'a>,
    pub(crate) value: Text<'a>,
}

/// A part of a remark: with a key, an argument of remark files.
#[repr(C)]
pub(crate) struct RemarkPart<'a> {
    pub(crate) key: Text<'a>,
    pub(crate) value: Text<'a>,
}

#[repr(C)]
pub(crate) struct Callbacks {
    pub(crate) options: *const OptionSpec,
    pub(crate) option_count: usize,
    pub(crate) check: extern "C" fn(Text<'_>, Text<'_>, TextSink, *mut c_void) -> bool,
    pub(crate) configure:
        extern "C" fn(*const Setting<'_>, usize, Text<'_>, bool, TextSink, *mut c_void) -> *mut c_void,
    pub(crate) drop: extern "C" fn(*mut c_void),
    pub(crate) new_compilation: extern "C" fn() -> *mut c_void,
    pub(crate) drop_compilation: extern "C" fn(*mut c_void),
    pub(crate) run: extern "C" fn(*const c_void, *mut c_void, RunRef) -> bool,
    pub(crate) fork: extern "C" fn(RunRef) -> bool,
    pub(crate) finish: extern "C" fn(RunRef) -> bool,
}

unsafe extern "C" {
    pub(crate) fn farkas_plugin_info_size() -> usize;
    pub(crate) fn farkas_plugin_info(out: *mut c_void, callbacks: *const Callbacks);

    pub(crate) fn farkas_run_function(run: RunRef) -> LLVMValueRef;
    pub(crate) fn farkas_run_refresh(run: RunRef);
    pub(crate) fn farkas_run_count_region(run: RunRef) -> u64;

    pub(crate) fn farkas_loops_top(run: RunRef, sink: PointerSink, context: *mut c_void);
    pub(crate) fn farkas_loop_children(l: LoopRef, sink: PointerSink, context: *mut c_void);
    pub(crate) fn farkas_loop_blocks(l: LoopRef, sink: PointerSink, context: *mut c_void);
    pub(crate) fn farkas_loop_exiting(l: LoopRef, sink: PointerSink, context: *mut c_void);
    pub(crate) fn farkas_loop_header(l: LoopRef) -> LLVMBasicBlockRef;
    pub(crate) fn farkas_loop_latch(l: LoopRef) -> LLVMBasicBlockRef;
    pub(crate) fn farkas_loop_predecessor(l: LoopRef) -> LLVMBasicBlockRef;
    pub(crate) fn farkas_loop_exit(l: LoopRef) -> LLVMBasicBlockRef;
    pub(crate) fn farkas_loop_parent(l: LoopRef) -> LoopRef;
    pub(crate) fn farkas_loop_guards(run: RunRef, l: LoopRef) -> usize;
    pub(crate) fn farkas_loop_estimated_trip_count(l: LoopRef, count: *mut u64) -> bool;
    pub(crate) fn farkas_loop_depth(l: LoopRef) -> u32;
    pub(crate) fn farkas_loop_contains(l: LoopRef, block: LLVMBasicBlockRef) -> bool;
    pub(crate) fn farkas_loop_of(run: RunRef, block: LLVMBasicBlockRef) -> LoopRef;
    pub(crate) fn farkas_loop_has_attribute(l: LoopRef, name: Text<'_>) -> bool;
    pub(crate) fn farkas_loop_location(
        l: LoopRef,
        line: *mut u32,
        column: *mut u32,
        sink: TextSink,
        context: *mut c_void,
    ) -> bool;
    pub(crate) fn farkas_instruction_location(
        instruction: LLVMValueRef,
        line: *mut u32,
        column: *mut u32,
        sink: TextSink,
        context: *mut c_void,
    ) -> bool;
    pub(crate) fn farkas_immediate_dominator(run: RunRef, block: LLVMBasicBlockRef) -> LLVMBasicBlockRef;
    pub(crate) fn farkas_dominates(run: RunRef, a: LLVMBasicBlockRef, b: LLVMBasicBlockRef) -> bool;

    pub(crate) fn farkas_value_print(value: LLVMValueRef, sink: TextSink, context: *mut c_void);
    pub(crate) fn farkas_instruction_facts(instruction: LLVMValueRef) -> u32;
    pub(crate) fn farkas_call_name(call: LLVMValueRef, sink: TextSink, context: *mut c_void);
    pub(crate) fn farkas_callee(run: RunRef, call: LLVMValueRef, bits: *mut u32) -> bool;
    pub(crate) fn farkas_array_stride(run: RunRef, value: LLVMValueRef) -> u64;
    pub(crate) fn farkas_type_element(run: RunRef, ty: LLVMTypeRef, size: *mut u64, touched: *mut u64);
    pub(crate) fn farkas_has_allocator(run: RunRef) -> bool;
    pub(crate) fn farkas_type_store_size(run: RunRef, ty: LLVMTypeRef) -> u64;
    pub(crate) fn farkas_constant_elements(
        run: RunRef,
        array: LLVMValueRef,
        ty: LLVMTypeRef,
        elements: *mut i64,
        room: usize,
    ) -> usize;
    pub(crate) fn farkas_type_is_scalable(ty: LLVMTypeRef) -> bool;
    pub(crate) fn farkas_function_never_called(run: RunRef) -> bool;
    pub(crate) fn farkas_function_annotations(run: RunRef, sink: TextSink, context: *mut c_void);
    pub(crate) fn farkas_function_has_attribute(run: RunRef, name: Text<'_>) -> bool;

    pub(crate) fn farkas_scev_kind(s: ScevPtr) -> i32;
    pub(crate) fn farkas_scev_operands(s: ScevPtr, sink: PointerSink, context: *mut c_void);
    pub(crate) fn farkas_scev_bits(run: RunRef, s: ScevPtr) -> u32;
    pub(crate) fn farkas_scev_type(s: ScevPtr) -> LLVMTypeRef;
    pub(crate) fn farkas_scev_flags(s: ScevPtr) -> u32;
    pub(crate) fn farkas_scev_constant(s: ScevPtr, out: *mut i64) -> bool;
    pub(crate) fn farkas_scev_unknown(s: ScevPtr) -> LLVMValueRef;
    pub(crate) fn farkas_scev_loop(s: ScevPtr) -> LoopRef;
    pub(crate) fn farkas_scev_print(s: ScevPtr, sink: TextSink, context: *mut c_void);
    pub(crate) fn farkas_scevable(run: RunRef, ty: LLVMTypeRef) -> bool;
    pub(crate) fn farkas_scev_accessed(run: RunRef, access: LLVMValueRef) -> ScevPtr;
    pub(crate) fn farkas_scev_unwrapped(run: RunRef, integer: LLVMValueRef) -> ScevPtr;
    pub(crate) fn farkas_scev_of(run: RunRef, value: LLVMValueRef) -> ScevPtr;
    pub(crate) fn farkas_scev_at_scope(run: RunRef, s: ScevPtr, l: LoopRef) -> ScevPtr;
    pub(crate) fn farkas_scev_exit_count(run: RunRef, l: LoopRef, block: LLVMBasicBlockRef) -> ScevPtr;
    pub(crate) fn farkas_scev_pointer_base(run: RunRef, s: ScevPtr) -> ScevPtr;
    pub(crate) fn farkas_scev_without_base(run: RunRef, s: ScevPtr) -> ScevPtr;
    pub(crate) fn farkas_scev_minus(run: RunRef, a: ScevPtr, b: ScevPtr) -> ScevPtr;
    pub(crate) fn farkas_scev_product(run: RunRef, a: ScevPtr, b: ScevPtr) -> ScevPtr;
    pub(crate) fn farkas_scev_sum(run: RunRef, a: ScevPtr, b: ScevPtr) -> ScevPtr;
    pub(crate) fn farkas_scev_widened(run: RunRef, s: ScevPtr) -> ScevPtr;
    pub(crate) fn farkas_scev_recurrence(run: RunRef, start: ScevPtr, step: ScevPtr, l: LoopRef) -> ScevPtr;
    pub(crate) fn farkas_scev_number(run: RunRef, ty: LLVMTypeRef, n: i64) -> ScevPtr;
    pub(crate) fn farkas_scev_invariant(run: RunRef, s: ScevPtr, l: LoopRef) -> bool;
    pub(crate) fn farkas_scev_non_negative(run: RunRef, s: ScevPtr, l: LoopRef) -> bool;
    pub(crate) fn farkas_scev_signed_range(
        run: RunRef,
        s: ScevPtr,
        before: LoopRef,
        low: *mut i64,
        high: *mut i64,
    ) -> bool;
    pub(crate) fn farkas_scev_total(run: RunRef, s: ScevPtr, sink: PointerSink, context: *mut c_void) -> ScevPtr;
    pub(crate) fn farkas_scev_expandable(run: RunRef, s: ScevPtr, before: LLVMValueRef) -> bool;
    pub(crate) fn farkas_scev_expand(run: RunRef, s: ScevPtr, before: LLVMValueRef) -> LLVMValueRef;

    pub(crate) fn farkas_never_alias(
        run: RunRef,
        a: LLVMValueRef,
        base_a: LLVMValueRef,
        b: LLVMValueRef,
        base_b: LLVMValueRef,
        use_scopes: bool,
        use_types: bool,
    ) -> bool;
    pub(crate) fn farkas_never_writes(run: RunRef, writer: LLVMValueRef, load: LLVMValueRef, use_scopes: bool) -> bool;
    pub(crate) fn farkas_load_is_safe(run: RunRef, load: LLVMValueRef) -> bool;
    pub(crate) fn farkas_load_forget(load: LLVMValueRef, defined: bool);
    pub(crate) fn farkas_load_forget_all(load: LLVMValueRef, aligned: bool);
    pub(crate) fn farkas_load_may_be_poison(load: LLVMValueRef) -> bool;
    pub(crate) fn farkas_use_set(of: LLVMUseRef, value: LLVMValueRef);
    pub(crate) fn farkas_scev_forget(run: RunRef);
    pub(crate) fn farkas_make_conditional(condition: LLVMValueRef, load: LLVMValueRef);
    pub(crate) fn farkas_call_memory(run: RunRef, call: LLVMValueRef) -> u32;
    pub(crate) fn farkas_call_argument(run: RunRef, call: LLVMValueRef, index: u32) -> u32;
    pub(crate) fn farkas_may_read(run: RunRef, call: LLVMValueRef, base: LLVMValueRef) -> bool;
    pub(crate) fn farkas_may_access_errno(run: RunRef, access: LLVMValueRef, base: LLVMValueRef) -> bool;

    pub(crate) fn farkas_target_cache_size(run: RunRef, level: u32) -> u32;
    pub(crate) fn farkas_target_vector_bits(run: RunRef) -> u32;
    pub(crate) fn farkas_allow_vectors(run: RunRef, bits: u32);
    pub(crate) fn farkas_target_vector_registers(run: RunRef) -> u32;
    pub(crate) fn farkas_target_architecture(run: RunRef, sink: TextSink, context: *mut c_void);
    pub(crate) fn farkas_function_attribute(run: RunRef, name: Text<'_>, sink: TextSink, context: *mut c_void);

    pub(crate) fn farkas_error(run: RunRef, message: Text<'_>);
    pub(crate) fn farkas_warning(run: RunRef, message: Text<'_>);

    pub(crate) fn farkas_remark(
        run: RunRef,
        kind: i32,
        identifier: Text<'_>,
        l: LoopRef,
        at: LLVMValueRef,
        own_place: bool,
        parts: *const RemarkPart<'_>,
        count: usize,
    );
    pub(crate) fn farkas_remarks_enabled(run: RunRef) -> bool;
    pub(crate) fn farkas_remark_site(
        run: RunRef,
        l: LoopRef,
        at: LLVMValueRef,
        line: *mut u32,
        column: *mut u32,
        sink: TextSink,
        context: *mut c_void,
    ) -> u32;

    pub(crate) fn farkas_source_name(
        run: RunRef,
        value: LLVMValueRef,
        l: LoopRef,
        is_entered: bool,
        line: *mut u32,
        kind: *mut u32,
        sign: *mut u32,
        sink: TextSink,
        context: *mut c_void,
    ) -> bool;
    pub(crate) fn farkas_demangled(name: Text<'_>, sink: TextSink, context: *mut c_void);

    pub(crate) fn farkas_set_location(run: RunRef, at: LLVMValueRef, of: LoopRef);
    pub(crate) fn farkas_copy_location(from: LLVMValueRef, to: LLVMValueRef);
    pub(crate) fn farkas_set_likely(branch: LLVMValueRef);
    pub(crate) fn farkas_set_weights(branch: LLVMValueRef, first: u32, second: u32);
    pub(crate) fn farkas_add_access_group(access: LLVMValueRef, group: LLVMMetadataRef);
    pub(crate) fn farkas_settle_variables(
        inside: *const LLVMValueRef,
        count: usize,
        errors: *const LLVMBasicBlockRef,
        error_count: usize,
        old: *const LLVMValueRef,
        new: *const LLVMValueRef,
        new_count: usize,
        start: LLVMBasicBlockRef,
    );
    pub(crate) fn farkas_split_block(run: RunRef, before: LLVMValueRef, with_records: bool) -> LLVMBasicBlockRef;
    pub(crate) fn farkas_execute_if(run: RunRef, condition: LLVMValueRef, instruction: LLVMValueRef);
    pub(crate) fn farkas_pass_records_on(from: LLVMBasicBlockRef);
    pub(crate) fn farkas_split_edge(run: RunRef, from: LLVMBasicBlockRef, to: LLVMBasicBlockRef) -> LLVMBasicBlockRef;
    pub(crate) fn farkas_distinct_node(
        context: LLVMContextRef,
        operands: *const LLVMMetadataRef,
        count: usize,
        self_first: bool,
    ) -> LLVMMetadataRef;
    pub(crate) fn farkas_loop_id_operands(l: LoopRef, sink: PointerSink, context: *mut c_void);
    pub(crate) fn farkas_erase_dead(value: LLVMValueRef);
    pub(crate) fn farkas_drop_poison_generating(instruction: LLVMValueRef);
    pub(crate) fn farkas_square_root(
        builder: LLVMBuilderRef,
        call: LLVMValueRef,
        argument: LLVMValueRef,
    ) -> LLVMValueRef;
    pub(crate) fn farkas_loop_set_id(l: LoopRef, id: LLVMMetadataRef);
    pub(crate) fn farkas_is_lane(run: RunRef, ty: LLVMTypeRef) -> bool;
    pub(crate) fn farkas_is_scalar_operand(run: RunRef, call: LLVMValueRef, index: u32) -> bool;
    pub(crate) fn farkas_is_widenable(run: RunRef, instruction: LLVMValueRef) -> bool;
    pub(crate) fn farkas_widen(
        run: RunRef,
        builder: LLVMBuilderRef,
        instruction: LLVMValueRef,
        operands: *const LLVMValueRef,
        lanes: u32,
    ) -> LLVMValueRef;
    pub(crate) fn farkas_masked_load(
        builder: LLVMBuilderRef,
        ty: LLVMTypeRef,
        address: LLVMValueRef,
        alignment: u32,
        mask: LLVMValueRef,
        others: LLVMValueRef,
    ) -> LLVMValueRef;
    pub(crate) fn farkas_masked_store(
        builder: LLVMBuilderRef,
        value: LLVMValueRef,
        address: LLVMValueRef,
        alignment: u32,
        mask: LLVMValueRef,
    ) -> LLVMValueRef;
    pub(crate) fn farkas_masked_gather(
        builder: LLVMBuilderRef,
        ty: LLVMTypeRef,
        addresses: LLVMValueRef,
        alignment: u32,
        mask: LLVMValueRef,
        others: LLVMValueRef,
    ) -> LLVMValueRef;
    pub(crate) fn farkas_masked_scatter(
        builder: LLVMBuilderRef,
        value: LLVMValueRef,
        addresses: LLVMValueRef,
        alignment: u32,
        mask: LLVMValueRef,
    ) -> LLVMValueRef;
    pub(crate) fn farkas_lane_addresses(
        builder: LLVMBuilderRef,
        base: LLVMValueRef,
        distances: LLVMValueRef,
    ) -> LLVMValueRef;
    pub(crate) fn farkas_address_terms(
        run: RunRef,
        address: LLVMValueRef,
        offset: *mut i64,
        sink: extern "C" fn(*mut c_void, LLVMValueRef, i64),
        context: *mut c_void,
    ) -> bool;
    pub(crate) fn farkas_function_snapshot(run: RunRef) -> LLVMValueRef;
    pub(crate) fn farkas_function_discard(snapshot: LLVMValueRef);
    pub(crate) fn farkas_function_restore(run: RunRef, snapshot: LLVMValueRef);
    pub(crate) fn farkas_function_verify(function: LLVMValueRef, sink: TextSink, context: *mut c_void);
    pub(crate) fn farkas_function_erase(added: LLVMValueRef);

    pub(crate) fn farkas_kernel_has_target(processor: Text<'_>) -> bool;
    pub(crate) fn farkas_kernel_obstacle(instruction: LLVMValueRef, sink: TextSink, context: *mut c_void);
    pub(crate) fn farkas_kernel_take_out(
        entry: LLVMBasicBlockRef,
        end: LLVMBasicBlockRef,
        of_threads: *const LLVMValueRef,
        count_of_threads: usize,
        of_blocks: *const LLVMValueRef,
        count_of_blocks: usize,
        name: Text<'_>,
        processor: Text<'_>,
        threads: *const u32,
        has_two_blocks: bool,
        inputs: PointerSink,
        inputs_context: *mut c_void,
        ir: TextSink,
        ir_context: *mut c_void,
        ptx: TextSink,
        ptx_context: *mut c_void,
    ) -> bool;

    pub(crate) fn farkas_threads_markers(run: RunRef, sink: PointerSink, context: *mut c_void);
    pub(crate) fn farkas_threads_teams(run: RunRef, sink: PointerSink, context: *mut c_void);
    pub(crate) fn farkas_threads_progress(chunk: LLVMValueRef, sink: PointerSink, context: *mut c_void);
    pub(crate) fn farkas_threads_kind(begin: LLVMValueRef, sink: TextSink, context: *mut c_void);
    pub(crate) fn farkas_threads_cut_out(
        run: RunRef,
        begin: LLVMValueRef,
        sink: TextSink,
        context: *mut c_void,
    ) -> LLVMValueRef;
    pub(crate) fn farkas_threads_number(begin: LLVMValueRef, index: u32) -> LLVMValueRef;
    pub(crate) fn farkas_threads_strip(begin: LLVMValueRef);
    pub(crate) fn farkas_threads_strip_rest(run: RunRef);
    pub(crate) fn farkas_threads_has_openmp(run: RunRef) -> bool;
    pub(crate) fn farkas_threads_has_wide_pointers(run: RunRef) -> bool;
}
