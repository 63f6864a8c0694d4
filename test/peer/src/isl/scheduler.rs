//! isl's scheduler.

use super::{Isl, Predicate, Raw, Read, Unary, take_text};
use cpu_time::ThreadTime;
use std::ffi::{CString, c_int};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// A schedule of isl's.
#[derive(Clone, Debug)]
pub struct Scheduled {
    /// The tree, in isl's YAML.
    pub tree: String,
    /// What the scheduler took, without reading and printing: time of the processor in this thread.
    pub time: Duration,
}

/// Why isl has no schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleFailure {
    /// It does not read the constraints.
    #[error("constraints not read: {0}")]
    NotRead(String),
    /// It took too long, or reached the limit of [`Isl::limit`].
    #[error("limit")]
    Limit,
    /// It failed in another way.
    #[error("{0}")]
    Failed(String),
}

impl Isl {
    /// Schedules `constraints`, schedule constraints in YAML. `settings` are options of the scheduler, by their names after
    /// `isl_options_set_`; they stay as they are for later calls. After `patience` isl is asked to give up.
    ///
    /// # Errors
    ///
    /// What isl says, or that it did not finish.
    pub fn schedule(
        &self,
        constraints: &str,
        settings: &[(&str, i64)],
        patience: Duration,
    ) -> Result<Scheduled, ScheduleFailure> {
        for (name, value) in settings {
            let set: unsafe extern "C" fn(Raw, c_int) -> c_int = self.symbol(&format!("isl_options_set_{name}"));
            // Safety: the context lives as long as `self`.
            unsafe { set(self.ctx, *value as c_int) };
        }
        let read: Read = self.symbol("isl_schedule_constraints_read_from_str");
        let compute: Unary = self.symbol("isl_schedule_constraints_compute_schedule");
        let to_text: unsafe extern "C" fn(Raw) -> *mut std::ffi::c_char = self.symbol("isl_schedule_to_str");
        let free: Unary = self.symbol("isl_schedule_free");
        let text = CString::new(constraints).map_err(|error| ScheduleFailure::NotRead(error.to_string()))?;
        // Safety: the context is alive, and the text is only read.
        let constraints = unsafe { read(self.ctx, text.as_ptr()) };
        if constraints.is_null() {
            return Err(ScheduleFailure::NotRead(self.last_error()));
        }
        let start = ThreadTime::now();
        // Safety: the function consumes the constraints.
        let schedule = self.watched(patience, || unsafe { compute(constraints) });
        let time = start.elapsed();
        if schedule.is_null() {
            return Err(if self.has_reached_limit() || self.has_been_aborted() {
                ScheduleFailure::Limit
            } else {
                ScheduleFailure::Failed(self.last_error())
            });
        }
        // Safety: the text is a new one; the schedule is not used after it is freed.
        let tree = unsafe {
            let tree = take_text(to_text(schedule));
            free(schedule);
            tree
        };
        let tree = tree.ok_or_else(|| ScheduleFailure::Failed(self.last_error()))?;
        Ok(Scheduled { tree, time })
    }

    /// A call that isl is asked to end after `patience`.
    pub(super) fn watched<T>(&self, patience: Duration, call: impl FnOnce() -> T) -> T {
        let abort: unsafe extern "C" fn(Raw) = self.symbol("isl_ctx_abort");
        let resume: unsafe extern "C" fn(Raw) = self.symbol("isl_ctx_resume");
        let forget: unsafe extern "C" fn(Raw) = self.symbol("isl_ctx_reset_error");
        // Safety: the context lives as long as `self`.
        unsafe { forget(self.ctx) };
        let context = Context(self.ctx);
        let result = std::thread::scope(|scope| {
            let (done, waiting) = channel::<()>();
            scope.spawn(move || {
                let context = &context;
                if waiting.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
                    // Safety: the context is alive; the function sets a flag that isl looks at.
                    unsafe { abort(context.0) };
                }
            });
            let result = call();
            drop(done);
            result
        });
        // Safety: the context lives as long as `self`.
        unsafe { resume(self.ctx) };
        result
    }

    pub(super) fn has_been_aborted(&self) -> bool {
        let function: Predicate = self.symbol("isl_ctx_last_error");
        const ABORT: c_int = 1;
        // Safety: the context lives as long as `self`.
        unsafe { function(self.ctx) == ABORT }
    }
}

/// A context for the thread that ends a call.
struct Context(Raw);

// Safety: only `isl_ctx_abort` is called on it, which is there to be called while another function runs.
unsafe impl Send for Context {}
