//! Loops between two markers, which are cut out into functions of their own.
//!
//! A marker is a call of inline assembly with the attribute [`MARKER`], whose value says what it is: `end` behind a loop, `shared`
//! for a variable that is handed to other threads, `team` for the question whether there are any, `wait`, `done` and `row` for
//! the progress of a row, `turn` and `pass` around what threads do one after the other, and anything else in front of a loop.

use crate::ffi;
use crate::run::Run;
use crate::value::{Function, Value};
use inkwell::llvm_sys::core::LLVMGetGlobalParent;
use inkwell::module::Module;
use inkwell::values::{AsValueRef, FunctionValue};
use std::ffi::c_void;
use std::mem::ManuallyDrop;

/// The attribute of markers.
pub const MARKER: &str = "farkas-threads";

/// A marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marker<'a>(Value<'a>);

impl<'a> Marker<'a> {
    /// The value of its attribute.
    pub fn kind(self) -> String {
        // SAFETY: the handle is a live marker, and the sink is the one of `collect_text`.
        ffi::collect_text(|sink, context| unsafe { ffi::farkas_threads_kind(self.0.raw, sink, context) })
    }

    /// The call.
    pub fn value(self) -> Value<'a> {
        self.0
    }

    /// What it is given.
    pub fn arguments(self) -> Vec<Value<'a>> {
        arguments(self.0)
    }
}

/// A marker in front of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begin<'a>(Marker<'a>);

impl<'a> Begin<'a> {
    /// The marker.
    pub fn marker(self) -> Marker<'a> {
        self.0
    }

    /// The numbers of the first and the last iteration that it hands out. They are there once its loop [is cut out](Run::cut_out).
    pub fn numbers(self) -> [Value<'a>; 2] {
        let number = |index| {
            // SAFETY: the handle is a live marker.
            unsafe { Value::new(ffi::farkas_threads_number(self.0.0.raw, index)) }
        };
        [number(0), number(1)]
    }

    /// Takes it away, with the marker behind the loop, if that is still there: all iterations of the loop are executed in place.
    pub fn strip(self) {
        // SAFETY: the handle is a live marker.
        unsafe { ffi::farkas_threads_strip(self.0.0.raw) }
    }
}

/// A loop that is a function.
#[derive(Clone, Copy)]
pub struct Chunk<'a> {
    /// The function, whose arguments are the numbers of the first and the last iteration, and the address of all else.
    pub function: Function<'a>,
    /// The call in the place of the loop.
    pub call: Value<'a>,
}

impl<'a> Chunk<'a> {
    /// The arguments of the call.
    pub fn arguments(&self) -> Vec<Value<'a>> {
        arguments(self.call)
    }
}

impl<'a> Chunk<'a> {
    /// The markers of the progress of rows, and of turns.
    pub fn progress_markers(&self) -> Vec<Marker<'a>> {
        // SAFETY: the function is live, and what is sent are its calls.
        let markers =
            ffi::collect(|sink, context| unsafe { ffi::farkas_threads_progress(self.function.raw, sink, context) });
        // SAFETY: as above.
        let marker = |raw: *const c_void| Marker(unsafe { Value::new(raw.cast_mut().cast()) });
        markers.into_iter().map(marker).collect()
    }
}

/// The arguments of a call.
fn arguments(call: Value<'_>) -> Vec<Value<'_>> {
    let mut arguments = call.operands();
    arguments.pop();
    arguments
}

impl Run<'_> {
    /// The markers in front of loops, each before those inside of its loop.
    pub fn markers(&self) -> Vec<Begin<'_>> {
        // SAFETY: the run is live, and what is sent are calls of its function.
        let markers = ffi::collect(|sink, context| unsafe { ffi::farkas_threads_markers(self.raw(), sink, context) });
        // SAFETY: as above.
        let begin = |raw: *const c_void| Begin(Marker(unsafe { Value::new(raw.cast_mut().cast()) }));
        markers.into_iter().map(begin).collect()
    }

    /// The markers that ask whether there are several threads.
    pub fn team_questions(&self) -> Vec<Value<'_>> {
        // SAFETY: the run is live, and what is sent are calls of its function.
        let calls = ffi::collect(|sink, context| unsafe { ffi::farkas_threads_teams(self.raw(), sink, context) });
        // SAFETY: as above.
        let call = |raw: *const c_void| unsafe { Value::new(raw.cast_mut().cast()) };
        calls.into_iter().map(call).collect()
    }

    /// Cuts the loop behind a marker out. The analyses have to be computed anew before anyone asks for them.
    ///
    /// # Errors
    /// Why that is not possible. Then the loop is as it was.
    pub fn cut_out<'a>(&'a self, begin: Begin<'a>) -> Result<Chunk<'a>, String> {
        let mut call = std::ptr::null_mut();
        // SAFETY: the handles are live, the second is a marker of the function, and the sink is the one of `collect_text`.
        let why = ffi::collect_text(|sink, context| unsafe {
            call = ffi::farkas_threads_cut_out(self.raw(), begin.0.0.raw, sink, context);
        });
        // SAFETY: it is a live call if it is not null.
        let call = unsafe { Value::optional(call) }.ok_or(why)?;
        let callee = call.operands().pop().expect("a call has a callee");
        // SAFETY: what was cut out is called directly.
        let function = unsafe { Function::new(callee.raw) };
        Ok(Chunk { function, call })
    }

    /// The function's module, for inkwell.
    pub fn module(&self) -> ManuallyDrop<Module<'_>> {
        // SAFETY: the module is live for as long as the function, and is never disposed of here.
        ManuallyDrop::new(unsafe { Module::new(LLVMGetGlobalParent(self.function().raw)) })
    }

    /// Takes the markers away that belong to no loop.
    pub fn strip_rest(&self) {
        self.set_changed();
        // SAFETY: the run is live.
        unsafe { ffi::farkas_threads_strip_rest(self.raw()) }
    }

    /// Whether the module is compiled for OpenMP.
    pub fn has_openmp(&self) -> bool {
        // SAFETY: the run is live.
        unsafe { ffi::farkas_threads_has_openmp(self.raw()) }
    }

    /// Whether pointers have 64 bits.
    pub fn has_wide_pointers(&self) -> bool {
        // SAFETY: the run is live.
        unsafe { ffi::farkas_threads_has_wide_pointers(self.raw()) }
    }
}

impl<'a> Function<'a> {
    /// Erases a function that was added to the module. What calls it has to go away, too.
    pub fn erase(self) {
        // SAFETY: the handle is live.
        unsafe { ffi::farkas_function_erase(self.raw) }
    }

    /// The function of a handle of inkwell's.
    pub fn from_inkwell(function: FunctionValue<'a>) -> Self {
        // SAFETY: inkwell's handles are live.
        unsafe { Function::new(function.as_value_ref()) }
    }
}
