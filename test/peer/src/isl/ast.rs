//! isl's AST generator.

use super::{Isl, Kind, Raw, Read, Unary, take_text};
use cpu_time::ThreadTime;
use std::ffi::{CString, c_char, c_int};
use std::time::Duration;

/// What isl generated.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The code, in C.
    pub text: String,
    /// What generating took, without reading and printing: time of the processor in this thread.
    pub time: Duration,
}

/// Why isl has generated nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodegenFailure {
    /// It does not read the input.
    #[error("not read: {0}")]
    NotRead(String),
    /// It took too long, or reached the limit of [`Isl::limit`].
    #[error("limit")]
    Limit,
    /// It failed in another way.
    #[error("{0}")]
    Failed(String),
}

/// What isl generates code for.
#[derive(Clone, Copy, Debug)]
pub enum CodegenInput<'a> {
    /// A schedule tree in YAML, with the options of its bands.
    Tree(&'a str),
    /// A schedule relation, a context, and options.
    Flat {
        /// Instances to points of the schedule space.
        schedule: &'a str,
        /// What is known of the parameters.
        context: &'a str,
        /// Points of the schedule space to options.
        options: &'a str,
    },
}

/// The options that isl's own program `isl_codegen` sets, by their names after `isl_options_set_ast_build_`; all others are
/// left as they are by default. The codes in P1 come from that program.
pub const CODEGEN: [(&str, i64); 1] = [("detect_min_max", 1)];

impl Isl {
    /// Generates code. `settings` are options by their names after `isl_options_set_ast_build_`; they stay as they are for
    /// later calls. After `patience` isl is asked to give up.
    ///
    /// # Errors
    ///
    /// What isl says, or that it did not finish.
    pub fn generate(
        &self,
        input: CodegenInput<'_>,
        settings: &[(&str, i64)],
        patience: Duration,
    ) -> Result<Generated, CodegenFailure> {
        for (name, value) in settings {
            let name = format!("isl_options_set_ast_build_{name}");
            let set: unsafe extern "C" fn(Raw, c_int) -> c_int = self.symbol(&name);
            // Safety: the context lives as long as `self`.
            unsafe { set(self.ctx, *value as c_int) };
        }
        let free_build: Unary = self.symbol("isl_ast_build_free");
        let (node, build, time) = match input {
            CodegenInput::Tree(text) => {
                let read: Read = self.symbol("isl_schedule_read_from_str");
                let alloc: Unary = self.symbol("isl_ast_build_alloc");
                let generate: unsafe extern "C" fn(Raw, Raw) -> Raw = self.symbol("isl_ast_build_node_from_schedule");
                let text = CString::new(text).map_err(|error| CodegenFailure::NotRead(error.to_string()))?;
                // Safety: the context is alive, and the text is only read.
                let schedule = unsafe { read(self.ctx, text.as_ptr()) };
                if schedule.is_null() {
                    return Err(CodegenFailure::NotRead(self.last_error()));
                }
                let start = ThreadTime::now();
                // Safety: the context is alive; generating consumes the schedule and keeps the build.
                let (node, build) = self.watched(patience, || unsafe {
                    let build = alloc(self.ctx);
                    (generate(build, schedule), build)
                });
                (node, build, start.elapsed())
            }
            CodegenInput::Flat {
                schedule,
                context,
                options,
            } => {
                let read = |kind: Kind, text: &str| {
                    let object = self.read(kind, text);
                    object.ok_or_else(|| CodegenFailure::NotRead(self.last_error()))
                };
                let schedule = read(Kind::UnionMap, schedule)?;
                let context = self.read_params(context);
                let context = context.ok_or_else(|| CodegenFailure::NotRead(self.last_error()))?;
                let options = read(Kind::UnionMap, options)?;
                let from_context: Unary = self.symbol("isl_ast_build_from_context");
                let set_options: unsafe extern "C" fn(Raw, Raw) -> Raw = self.symbol("isl_ast_build_set_options");
                let generate: unsafe extern "C" fn(Raw, Raw) -> Raw =
                    self.symbol("isl_ast_build_node_from_schedule_map");
                let (schedule, options) = (schedule.into_raw(), options.into_raw());
                let start = ThreadTime::now();
                // Safety: all of these are consumed, but for the build that code is generated with.
                let (node, build) = self.watched(patience, || unsafe {
                    let build = set_options(from_context(context), options);
                    (generate(build, schedule), build)
                });
                (node, build, start.elapsed())
            }
        };
        // Safety: the build is not used any more.
        unsafe { free_build(build) };
        if node.is_null() {
            return Err(if self.has_reached_limit() || self.has_been_aborted() {
                CodegenFailure::Limit
            } else {
                CodegenFailure::Failed(self.last_error())
            });
        }
        let to_text: unsafe extern "C" fn(Raw) -> *mut c_char = self.symbol("isl_ast_node_to_C_str");
        let free_node: Unary = self.symbol("isl_ast_node_free");
        // Safety: the text is a new one; the node is not used after it is freed.
        let text = unsafe {
            let text = take_text(to_text(node));
            free_node(node);
            text
        };
        let text = text.ok_or_else(|| CodegenFailure::Failed(self.last_error()))?;
        Ok(Generated { text, time })
    }

    /// A set of parameter values, which `isl_set_read_from_str` reads as one of the tuple `[]`.
    fn read_params(&self, text: &str) -> Option<Raw> {
        let set = self.read(Kind::Map, text)?;
        if set.is_params() {
            return Some(set.into_raw());
        }
        let params: Unary = self.symbol("isl_set_params");
        // Safety: the set is consumed.
        let params = unsafe { params(set.into_raw()) };
        (!params.is_null()).then_some(params)
    }
}
