//! The command `farkas`: the stages of the optimizer over their text forms, without a compiler.
#![forbid(unsafe_code)]

mod calc;
mod codegen;
mod documents;
mod flow;
mod plan;
mod program;
mod remarks;
mod report;
mod schedule_options;
mod target;
mod terminal;
mod trees;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::LazyLock;

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use codegen::CodegenArguments;
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::schedule::{self, ScheduleConstraints};
use plan::PlanArguments;
use remarks::RemarksArguments;
use report::ReportArguments;
use schedule_options::ScheduleArguments;
use terminal::read;

/// The package's version, and behind it the LLVM release that the plugin of this version is for.
static VERSION: LazyLock<String> = LazyLock::new(|| env!("CARGO_PKG_VERSION").replacen("+llvm", " for LLVM ", 1));

/// The polyhedral stages of Farkas over isl's text forms.
#[derive(Parser)]
#[command(name = "farkas", version = VERSION.as_str())]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Work units before a stage, or a statement of `calc`, gives up: a million take some tenths of a second.
    #[arg(long, default_value_t = 3_000_000, global = true)]
    budget: u64,
}

#[derive(Subcommand)]
enum Command {
    /// Finds the dependences between accesses and prints them as isl's `.flow` files.
    Flow {
        /// A file with accesses and a schedule, as isl's `.ai` files, or `-` for standard input.
        file: PathBuf,
    },
    /// Reads programs (the polyhedral models of loop nests), checks that they are well-formed, and prints them.
    Program {
        /// A file with programs in text form, as `-farkas-print=scop` writes them, or `-` for standard input.
        file: PathBuf,
    },
    /// Plans how programs are best executed on a machine, as the plugin does, and prints the schedule tree of each plan, or
    /// why a program stays as it is.
    Plan {
        /// A file with programs, as `-farkas-print=scop` writes them, or `-` for standard input.
        file: PathBuf,
        #[command(flatten)]
        arguments: PlanArguments,
    },
    /// Plans programs as `farkas plan` does, and writes an HTML page on them: models, dependences, both schedules, loops before and after,
    /// and what was considered. The page loads nothing and runs no scripts.
    Report {
        #[command(flatten)]
        arguments: ReportArguments,
    },
    /// Prints what the plugin said of loop nests when they were compiled, from the files that clang's `-fsave-optimization-record` writes.
    Remarks {
        #[command(flatten)]
        arguments: RemarksArguments,
    },
    /// Schedules statement instances under schedule constraints and prints a schedule tree.
    Schedule {
        /// A file with schedule constraints in YAML, or `-` for standard input. Its `# OPTIONS:` lines count.
        file: PathBuf,
        #[command(flatten)]
        arguments: ScheduleArguments,
    },
    /// Generates loops from a schedule and prints them as C-like text.
    Codegen {
        /// A file with a schedule tree in YAML, or with a schedule relation, a context and options, as isl's `.in` files; or
        /// `-` for standard input.
        file: PathBuf,
        #[command(flatten)]
        arguments: CodegenArguments,
    },
    /// Reads a schedule tree, checks that it is well-formed, and prints it.
    Tree {
        /// A file with a schedule tree in YAML, or `-` for standard input.
        file: PathBuf,
        /// Leave out of filters and schedules what is known anyway.
        #[arg(long)]
        simplify: bool,
        /// Print the order as a relation from instances to times instead.
        #[arg(long)]
        schedule_map: bool,
    },
    /// Checks that a schedule tree respects schedule constraints: prints `legal`, or a pair of instances that it does not
    /// respect, and then exits with status 1. Parameters and statements are matched by name.
    Check {
        /// A file with schedule constraints in YAML, or `-` for standard input.
        constraints: PathBuf,
        /// A file with a schedule tree in YAML.
        tree: PathBuf,
    },
    /// Prints what is known of a machine, as the plugin's option `-farkas-target-file` reads it; without an argument, the
    /// names of the presets.
    Target {
        /// A preset, or a file with a target, which is checked and printed in full; or `-` for standard input.
        target: Option<PathBuf>,
    },
    /// Computes with sets and relations: statements such as `A := { [i] : 0 <= i < 10 }; lexmin A;`, one after the other.
    /// `help;` says which there are.
    Calc {
        /// A file with statements, or `-` for standard input.
        #[arg(default_value = "-")]
        file: PathBuf,
    },
    /// Prints a script that has a shell complete the arguments of this command.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Writes the manual pages of this command and of its commands to a folder, as `farkas.1` and so on.
    Man {
        /// The folder, which has to be there.
        folder: PathBuf,
    },
}

fn main() -> ExitCode {
    env_logger::init();
    let arguments = Arguments::parse();
    let budget = Budget::new(arguments.budget);
    let result = match &arguments.command {
        Command::Flow { file } => read(file).and_then(|text| flow::flow(file, &text, &budget)),
        Command::Program { file } => read(file).and_then(|text| program::program(file, &text, &budget)),
        Command::Schedule { file, arguments } => schedule(file, arguments, &budget),
        Command::Plan { file, arguments } => read(file).and_then(|text| plan::plan(file, &text, arguments)),
        Command::Report { arguments } => report::report(arguments),
        Command::Remarks { arguments } => remarks::remarks(arguments),
        Command::Codegen { file, arguments } => {
            read(file).and_then(|text| codegen::codegen(file, &text, arguments, &budget))
        }
        Command::Tree {
            file,
            simplify,
            schedule_map,
        } => {
            let show = trees::Show {
                simplified: *simplify,
                schedule_map: *schedule_map,
            };
            trees::tree(file, &show, &budget)
        }
        Command::Check { constraints, tree } => match trees::check(constraints, tree, &budget) {
            Ok(Err(violation)) => return terminal::print(&violation, ExitCode::FAILURE),
            Ok(Ok(text)) => Ok(text),
            Err(message) => Err(message),
        },
        Command::Target { target } => target::target(target.as_deref()),
        Command::Calc { file } => return calc::command(file, arguments.budget),
        Command::Completions { shell } => Ok(documents::completions(Arguments::command(), *shell)),
        Command::Man { folder } => documents::write_manual(Arguments::command(), folder).map(|()| String::new()),
    };
    match result {
        Ok(text) => terminal::print(&text, ExitCode::SUCCESS),
        Err(message) => terminal::print_error(&message),
    }
}

fn schedule(file: &Path, arguments: &ScheduleArguments, budget: &Budget) -> Result<String, String> {
    let located = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let text = read(file)?;
    let options = arguments
        .options(&text)
        .map_err(|error| format!("{}:{error}", file.display()))?;
    let constraints: ScheduleConstraints = text.parse().map_err(|error| format!("{}:{error}", file.display()))?;
    let tree = schedule::schedule(&constraints, &options, budget);
    Ok(tree.map_err(|error| located(&error))?.to_string())
}
