//! The options: on the command line `-farkas-KEY=VALUE` (`-mllvm -farkas-KEY=VALUE` with clang), as pass parameters
//! `farkas<KEY=VALUE;KEY=VALUE>`. Where both are given, the parameter counts.

use farkas_llvm::plugin::OptionSpec;
use farkas_plan::target::Target;
use farkas_plan::{ChosenTiles, NoTileSizes, Pack, Parallel, Stage, Vectorize};
use std::rc::Rc;

/// Which loops run on a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gpu {
    /// None.
    Never,
    /// Those for which the cost model expects a gain.
    Auto,
    /// All that may.
    Force,
}

/// For which nests it is assumed that conditions on data around loops hold throughout, which is looked at in front of new code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AssumeConditions {
    /// None.
    Never,
    /// Those in which nothing is transformed otherwise.
    Auto,
    /// All that may.
    Force,
}

/// A stage whose result is printed in text form on standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Print {
    /// The polyhedral model, in the form that `farkas program` reads.
    Scop,
    /// What planning comes to, by its stages, in the forms that `farkas schedule`, `check`, `tree` and `codegen` read.
    Stage(Stage),
}

/// Which nests have remarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remarks {
    /// The outermost nests of the user's source, without loops that have one order only.
    Nests,
    /// All.
    All,
}

/// The options' values.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// Whether the default pipelines have the pass.
    pub(crate) enable: bool,
    /// Whether to stop when a nest is modelled.
    pub(crate) model_only: bool,
    /// Whether to change the function; otherwise the plan is made and dropped.
    pub(crate) emit: bool,
    /// What the user said of the machine, in place of what LLVM says.
    pub(crate) target: Option<Rc<Target>>,
    /// The sizes of tiles, in place of what the cost model says.
    pub(crate) tile: Option<ChosenTiles>,
    /// Whether nests are transformed even if no gain is expected.
    pub(crate) unprofitable: bool,
    /// The position of the variant to take for each band in place of the best one: to measure candidates.
    pub(crate) candidate: Option<usize>,
    /// Which loops become vector lanes: the outermost ones that may are for tests.
    pub(crate) vectorize: Vectorize,
    pub(crate) pack: Pack,
    /// Whether new code may allocate memory.
    pub(crate) allocate: bool,
    pub(crate) conditions: AssumeConditions,
    /// Which loops run on threads: all that may are for tests.
    pub(crate) parallel: Parallel,
    /// Whether loops run on a GPU, in kernels, wherever that is possible.
    pub(crate) gpu: Gpu,
    /// The processor of that GPU.
    pub(crate) gpu_arch: String,
    /// A folder for the modules of kernels as IR.
    pub(crate) gpu_ir: Option<String>,
    /// A folder that regions are written to, with schedule trees.
    pub(crate) export: Option<String>,
    /// A folder that a page on the regions of each module is written to.
    pub(crate) report: Option<String>,
    /// A folder that schedule trees by hand are read from.
    pub(crate) import: Option<String>,
    /// How many regions of the compilation may be transformed: to find the one at fault.
    pub(crate) limit: Option<u64>,
    /// What to print.
    pub(crate) print: Vec<Print>,
    /// Which nests have remarks.
    pub(crate) remarks: Remarks,
    /// The only function to work on.
    pub(crate) only_function: Option<String>,
    /// Whether to verify the result of each stage: for tests.
    pub(crate) verify: bool,
    /// Panic on every function: for the test that a bug does no harm.
    pub(crate) force_panic: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            enable: true,
            model_only: false,
            emit: true,
            target: None,
            tile: None,
            unprofitable: false,
            candidate: None,
            vectorize: Vectorize::Auto,
            pack: Pack::Auto,
            allocate: true,
            conditions: AssumeConditions::Auto,
            parallel: Parallel::Never,
            gpu: Gpu::Never,
            gpu_arch: "sm_70".to_owned(),
            gpu_ir: None,
            export: None,
            report: None,
            import: None,
            limit: None,
            print: Vec::new(),
            remarks: Remarks::Nests,
            only_function: None,
            verify: cfg!(debug_assertions),
            force_panic: false,
        }
    }
}

/// All options. The keys are those of [`Options::set`].
pub(crate) const SPECS: &[OptionSpec] = &[
    OptionSpec::new(
        c"farkas-enable",
        c"enable",
        c"true|false",
        c"Whether the default pipelines have the pass (default: true)",
    ),
    OptionSpec::new(
        c"farkas-emit",
        c"emit",
        c"true|false",
        c"Whether to change the code, or only to plan and print (default: true)",
    ),
    OptionSpec::new(
        c"farkas-model-only",
        c"model-only",
        c"true|false",
        c"Whether to stop when a loop nest is modelled (default: false)",
    ),
    OptionSpec::new(
        c"farkas-target",
        c"target",
        c"NAME",
        c"Machine to plan for, in place of the processor that the function is compiled for: `farkas \
          target` lists them",
    ),
    OptionSpec::new(
        c"farkas-target-file",
        c"target-file",
        c"FILE",
        c"Machine to plan for, from a file as `farkas target NAME` prints it; `base = \"NAME\"` and what \
          differs from it is enough",
    ),
    OptionSpec::new(
        c"farkas-tile",
        c"tile",
        c"SIZES",
        c"Sizes of tiles, in place of the cost model's choice: one for each loop of a tiled band, outermost first \
          (with + between them in pass parameters); the last one is that of all further loops, and `-` is \
          for a loop that is not tiled",
    ),
    OptionSpec::new(
        c"farkas-candidate",
        c"candidate",
        c"N",
        c"Takes the candidate at this position for each band, in place of the best one \
          (-farkas-print=candidates lists them)",
    ),
    OptionSpec::new(
        c"farkas-vectorize",
        c"vectorize",
        c"auto|force|never",
        c"Which loops become vector lanes: those that are expected to gain (default), the outermost ones \
          that may, or none",
    ),
    OptionSpec::new(
        c"farkas-pack",
        c"pack",
        c"auto|force|never",
        c"Which arrays are read in buffers, tile by tile: those that are expected to gain (default), one \
          of each innermost band that may be, or none",
    ),
    OptionSpec::new(
        c"farkas-allocate",
        c"allocate",
        c"true|false",
        c"Whether new code may allocate memory, by `malloc`, for copies of temporary arrays; the original runs \
          where there is none (default: true)",
    ),
    OptionSpec::new(
        c"farkas-conditions",
        c"conditions",
        c"auto|force|never",
        c"For which nests it is assumed that conditions on data around loops hold throughout, which is \
          looked at in front of the new code: those in which nothing is transformed otherwise (default), \
          all that may, or none",
    ),
    OptionSpec::new(
        c"farkas-parallel",
        c"parallel",
        c"true|force|false",
        c"Which loops run on the threads of OpenMP's runtime: those that are expected to gain, all that \
          may, or none (default)",
    ),
    OptionSpec::new(
        c"farkas-gpu",
        c"gpu",
        c"true|force|false",
        c"Which nests run on an NVIDIA GPU: those for which that is expected to pay, with copies to it and \
          back, all that may, or none (default)",
    ),
    OptionSpec::new(
        c"farkas-gpu-arch",
        c"gpu-arch",
        c"ARCH",
        c"Oldest GPU that kernels are to run on (default: sm_70)",
    ),
    OptionSpec::new(
        c"farkas-gpu-ir",
        c"gpu-ir",
        c"FOLDER",
        c"Folder for the modules of kernels as LLVM IR (for tests)",
    )
    .hidden(),
    OptionSpec::new(
        c"farkas-unprofitable",
        c"unprofitable",
        c"true|false",
        c"Whether to transform nests where no gain is expected, too, and for all sizes (default: false)",
    ),
    OptionSpec::new(
        c"farkas-print",
        c"print",
        c"STAGE,..",
        c"Prints stages in text form, which the command `farkas` reads, on standard error: scop, deps, \
          schedule, candidates, plan, ast (with + between them in pass parameters)",
    ),
    OptionSpec::new(
        c"farkas-export",
        c"export",
        c"FOLDER",
        c"Folder to write nests to, as programs and schedule trees named by function, line and column",
    ),
    OptionSpec::new(
        c"farkas-import",
        c"import",
        c"FOLDER",
        c"Folder to read schedule trees from: nests that have one there are executed in its order, if it \
          is legal",
    ),
    OptionSpec::new(
        c"farkas-report",
        c"report",
        c"FOLDER",
        c"Folder to write an HTML page on the loop nests of the module to",
    ),
    OptionSpec::new(
        c"farkas-remarks",
        c"remarks",
        c"nests|all",
        c"Which nests have remarks: those of the source that may have another order (default), or all, \
          those of libraries at their own places",
    ),
    OptionSpec::new(
        c"farkas-only-func",
        c"only-func",
        c"NAME",
        c"The only function to work on",
    ),
    OptionSpec::new(
        c"farkas-limit",
        c"limit",
        c"N",
        c"Transforms so many nests of a compilation only: `scripts/reduce` finds the one at fault with it",
    ),
    OptionSpec::new(
        c"farkas-verify",
        c"verify",
        c"true|false",
        c"Verify the result of each stage, and fail where one is wrong (for tests)",
    )
    .hidden(),
    OptionSpec::new(
        c"farkas-force-panic",
        c"force-panic",
        c"true|false",
        c"Fails with an internal error (for tests)",
    ),
];

impl Options {
    /// Sets the option `key` from text.
    ///
    /// # Errors
    /// What is wrong with the key or the value, for the user.
    pub(crate) fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "enable" => self.enable = flag(value)?,
            "model-only" => self.model_only = flag(value)?,
            "emit" => self.emit = flag(value)?,
            "target" => self.target = Some(Rc::new(preset(value)?)),
            "target-file" => self.target = Some(Rc::new(target_file(value)?)),
            "tile" => match value.replace('+', ",").parse() {
                Ok(tile) => self.tile = Some(tile),
                Err(why) => return Err(NoTileSizes::to_string(&why)),
            },
            "candidate" => match value.parse() {
                Ok(position) => self.candidate = Some(position),
                Err(_) => return Err(format!("'{value}' is no position of a candidate")),
            },
            "vectorize" => {
                self.vectorize = match value {
                    "auto" => Vectorize::Auto,
                    "force" => Vectorize::Force,
                    "never" => Vectorize::Never,
                    _ => return Err(format!("'{value}' is none of auto, force and never")),
                }
            }
            "pack" => {
                self.pack = match value {
                    "auto" => Pack::Auto,
                    "force" => Pack::Force,
                    "never" => Pack::Never,
                    _ => return Err(format!("'{value}' is none of auto, force and never")),
                }
            }
            "conditions" => {
                self.conditions = match value {
                    "auto" => AssumeConditions::Auto,
                    "force" => AssumeConditions::Force,
                    "never" => AssumeConditions::Never,
                    _ => return Err(format!("'{value}' is none of auto, force and never")),
                }
            }
            "parallel" => {
                self.parallel = match value {
                    "force" => Parallel::Force,
                    _ if flag(value)? => Parallel::Auto,
                    _ => Parallel::Never,
                }
            }
            "gpu" => {
                self.gpu = match value {
                    "force" => Gpu::Force,
                    _ if flag(value)? => Gpu::Auto,
                    _ => Gpu::Never,
                }
            }
            "gpu-arch" => self.gpu_arch = value.to_owned(),
            "gpu-ir" => self.gpu_ir = Some(value.to_owned()),
            "allocate" => self.allocate = flag(value)?,
            "export" => self.export = Some(value.to_owned()),
            "report" => self.report = Some(value.to_owned()),
            "import" => self.import = Some(value.to_owned()),
            "limit" => match value.parse() {
                Ok(limit) => self.limit = Some(limit),
                Err(_) => return Err(format!("'{value}' is no limit: expected a number of regions")),
            },
            // `+` also separates, since a comma ends the pass in a pipeline's text.
            "print" => self.print = value.split([',', '+']).map(print).collect::<Result<_, _>>()?,
            "remarks" => {
                self.remarks = match value {
                    "nests" => Remarks::Nests,
                    "all" => Remarks::All,
                    _ => return Err(format!("'{value}' is neither nests nor all")),
                }
            }
            "unprofitable" => self.unprofitable = flag(value)?,
            "only-func" => self.only_function = Some(value.to_owned()),
            "verify" => self.verify = flag(value)?,
            "force-panic" => self.force_panic = flag(value)?,
            _ => return Err(format!("unknown option '{key}'")),
        }
        Ok(())
    }

    /// Whether a stage is to be printed.
    pub(crate) fn prints(&self, stage: Print) -> bool {
        self.print.contains(&stage)
    }
}

fn flag(value: &str) -> Result<bool, String> {
    match value {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(format!("'{value}' is neither true nor false")),
    }
}

fn preset(name: &str) -> Result<Target, String> {
    Target::preset(name).ok_or_else(|| {
        let names: Vec<&str> = Target::names().collect();
        format!("there is no target '{name}': expected one of {}", names.join(", "))
    })
}

fn target_file(path: &str) -> Result<Target, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    text.parse().map_err(|error| format!("{path}: {error}"))
}

fn print(value: &str) -> Result<Print, String> {
    match value {
        "scop" => Ok(Print::Scop),
        "deps" => Ok(Print::Stage(Stage::Dependences)),
        "schedule" => Ok(Print::Stage(Stage::Schedule)),
        "candidates" => Ok(Print::Stage(Stage::Candidates)),
        "plan" => Ok(Print::Stage(Stage::Plan)),
        "ast" => Ok(Print::Stage(Stage::Ast)),
        _ => Err(format!(
            "nothing to print is called '{value}': expected scop, deps, schedule, candidates, plan or ast"
        )),
    }
}

#[cfg(test)]
mod documents;

#[cfg(test)]
mod tests {
    use super::Options;
    use expect_test::{Expect, expect};

    /// What is said of options that are set in turn, as in pass parameters.
    fn check(text: &str, expected: Expect) {
        let mut options = Options::default();
        let said: Vec<String> = text
            .split(';')
            .map(|option| {
                let (key, value) = option.split_once('=').unwrap_or((option, "true"));
                options.set(key, value).err().unwrap_or_else(|| "ok".to_owned())
            })
            .collect();
        expected.assert_eq(&said.join("\n"));
    }

    #[test]
    fn values_are_checked() {
        check(
            "tile=32;tile=32+-+512;tile=0;tile=8,x;emit=no;emit=0;limit=-1;candidate=1.5;candidate=2",
            expect![[r#"
                ok
                ok
                '0' has no tile size: expected at least one positive number
                'x' is no tile size: expected a positive number, or `-` for a loop that is not tiled
                'no' is neither true nor false
                ok
                '-1' is no limit: expected a number of regions
                '1.5' is no position of a candidate
                ok"#]],
        );
    }

    #[test]
    fn several_stages_are_printed() {
        check(
            "print=scop+deps,ast;print=scop,tree;print=",
            expect![[r#"
                ok
                nothing to print is called 'tree': expected scop, deps, schedule, candidates, plan or ast
                nothing to print is called '': expected scop, deps, schedule, candidates, plan or ast"#]],
        );
    }

    #[test]
    fn unknown_keys_are_refused() {
        check("tiles=32", expect!["unknown option 'tiles'"]);
    }
}
