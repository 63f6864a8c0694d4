//! The plugin that stock `opt` and `clang` load: registration, options, detection, model, remarks.
//!
//! A function goes through the folders of this crate downwards:
//!
//! | folder or file | from -> to | terms |
//! |---|---|---|
//! | `target.rs` | function and options -> machine | target information |
//! | `detect/` | function -> candidate regions | single-entry single-exit regions, error blocks, reasons to decline |
//! | `control/` | candidate region -> loops and blocks in textual order | loop nest, non-affine subregions, lifetimes |
//! | `scev/` | scalar evolution -> quasi-affine expressions and assumptions | parameters, trip counts |
//! | `domain/` | branch conditions -> instance sets | domains, known context |
//! | `memory/` | addresses -> arrays and subscripts | delinearization, dope vectors, invariant load hoisting |
//! | `scalar/` | values -> statements and scalar slots | operand-tree forwarding, scalar coalescing, DeLICM, reductions |
//! | `annotate/` | model -> arrays, operations, chains, trip counts | what a cost model needs |
//! | `scop.rs` | the polyhedral model | static control part |
//! | `scop_verify.rs`, `verifiers.rs` | whether a model is well-formed, and a plan legal: in tests, with `-farkas-verify` | |
//! | `scop_builder/` | all of it -> the model, in passes | |
//! | `scop_text.rs` | the model as text | |
//! | `accessed_elements.rs` | accesses -> the first and the last element | |
//! | `pipeline.rs` | model -> plan and run-time checks | |
//! | `kernels.rs` | model -> kernels of a GPU, what of each array is copied, run-time checks | |
//! | `report_file.rs` | reports on the regions of a module -> a page in a folder | |
//! | `driver/` | every candidate region of a function -> replaced, or kept with a remark | |
//!
//! **Invariant:** a module imports only from its own folder and from folders above it in this table. The test
//! `imports_go_one_way` of `farkas-test` reads the `use` lines.
//!
//! Each step ends with a result or with `Declined`: a reason, and the instruction that is the
//! cause.
#![deny(unsafe_code)]

mod accessed_elements;
mod annotate;
mod control;
mod detect;
mod domain;
mod driver;
mod kernels;
mod memory;
mod options;
mod pipeline;
mod report_file;
mod scalar;
mod scev;
mod scop;
mod scop_builder;
mod scop_text;
mod scop_verify;
mod target;
mod verifiers;

use farkas_llvm::Run;
use farkas_llvm::plugin::{OptionSpec, Plugin, PluginInfo, plugin_info};
use options::Options;
use report_file::ModuleReport;

/// The pass.
struct Farkas;

impl Plugin for Farkas {
    type Options = Options;
    type Compilation = ModuleReport;

    const OPTIONS: &'static [OptionSpec] = options::SPECS;

    fn set(options: &mut Options, key: &str, value: &str) -> Result<(), String> {
        options.set(key, value)
    }

    fn in_pipelines(options: &Options) -> bool {
        options.enable
    }

    fn run(options: &Options, report: &mut ModuleReport, run: &mut Run<'_>) {
        let name = run.function().name();
        if options.only_function.as_ref().is_some_and(|only| *only != name) {
            return;
        }
        if run.loops().is_empty() {
            driver::check_annotations(run);
            return;
        }
        log::debug!("function {name}");
        if options.force_panic {
            let outcome: Result<(), ()> = run.atomically(|| {
                run.function()
                    .inkwell()
                    .get_first_basic_block()
                    .expect("a body")
                    .set_name("farkas.half.done");
                panic!("forced by an option");
            });
            debug_assert!(outcome.is_ok());
        }
        driver::function(options, report, run);
    }

    fn fork(run: &mut Run<'_>) {
        farkas_emit::fork_loops(run);
    }

    fn finish(run: &mut Run<'_>) {
        farkas_emit::finish_loops(run);
    }
}

/// The symbol that the host looks up in the library.
// SAFETY: the name is LLVM's own for a plugin's entry, and nothing else in the library has it.
#[allow(unsafe_code, reason = "the host finds the entry by its plain name")]
#[unsafe(no_mangle)]
pub extern "C" fn llvmGetPassPluginInfo() -> PluginInfo {
    // Fails if the host has a logger of ours already: the library was loaded before.
    let _ = env_logger::try_init();
    plugin_info::<Farkas>()
}
