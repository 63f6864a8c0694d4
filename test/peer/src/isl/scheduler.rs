//! isl's scheduler.

use super::{Isl, Raw, Read, Unary, take_text};
use cpu_time::ThreadTime;
use std::ffi::{CString, c_int};
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
    /// It reached the limit of [`Isl::limit`].
    #[error("limit")]
    Limit,
    /// It failed in another way.
    #[error("{0}")]
    Failed(String),
}

impl Isl {
    /// Schedules `constraints`, schedule constraints in YAML. `settings` are options of the scheduler, by their names after
    /// `isl_options_set_`; they stay as they are for later calls.
    ///
    /// # Errors
    ///
    /// What isl says, or that the limit is reached.
    pub fn schedule(&self, constraints: &str, settings: &[(&str, i64)]) -> Result<Scheduled, ScheduleFailure> {
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
        let schedule = unsafe { compute(constraints) };
        let time = start.elapsed();
        if schedule.is_null() {
            return Err(if self.has_reached_limit() {
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
}
