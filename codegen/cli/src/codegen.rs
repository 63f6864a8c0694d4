//! `farkas codegen`: loops from a schedule tree or a flat schedule.

use std::path::Path;

use clap::Args;
use farkas_polyhedral::ast::{self, Options};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::tree::{AnySchedule, LoopKind, verify};

/// The options of the generator, named as isl's.
#[derive(Args)]
pub(crate) struct CodegenArguments {
    /// One loop over everything in each dimension for which nothing is asked, with conditions inside
    #[arg(long, overrides_with = "separate")]
    atomic: bool,
    /// A loop of its own wherever a different set of statements is active, in each dimension for which nothing is asked
    #[arg(long, overrides_with = "atomic")]
    separate: bool,
    /// Upper bounds as conjunctions of comparisons
    #[arg(long)]
    no_ast_build_atomic_upper_bound: bool,
    /// `floord` in the place of `/` and `%`, also where signs are known
    #[arg(long)]
    no_ast_build_prefer_pdiv: bool,
    /// `?:` in the place of `min` and `max`
    #[arg(long)]
    no_ast_build_detect_min_max: bool,
    /// Conditions also where the bounds of inner loops enforce them
    #[arg(long)]
    no_ast_build_exploit_nested_bounds: bool,
    /// Iterators with the values of the schedule also where it has a stride
    #[arg(long)]
    no_ast_build_scale_strides: bool,
    /// No `else`
    #[arg(long)]
    no_ast_build_allow_else: bool,
    /// A call of its own for each of the conjunctions under which a statement is executed
    #[arg(long)]
    no_ast_build_allow_or: bool,
    /// Whether separation regards constraints that are due to inner dimensions
    #[arg(long, value_parser = ["explicit", "implicit"], default_value = "explicit")]
    ast_build_separation_bounds: String,
    /// Names of iterators from the outermost schedule dimension on [default: c0,c1,..]
    #[arg(long, value_delimiter = ',')]
    iterators: Vec<String>,
}

impl CodegenArguments {
    fn options(&self) -> Options {
        let mut options = Options {
            kind: match (self.atomic, self.separate) {
                (true, _) => LoopKind::Atomic,
                (_, true) => LoopKind::Separate,
                _ => LoopKind::Default,
            },
            nested_bounds: !self.no_ast_build_exploit_nested_bounds,
            single_upper: !self.no_ast_build_atomic_upper_bound,
            scale_strides: !self.no_ast_build_scale_strides,
            otherwise: !self.no_ast_build_allow_else,
            disjunctions: !self.no_ast_build_allow_or,
            explicit_separation: self.ast_build_separation_bounds == "explicit",
            iterators: self.iterators.iter().map(|name| name.as_str().into()).collect(),
            ..Options::default()
        };
        options.forms.remainders = !self.no_ast_build_prefer_pdiv;
        options.forms.min_max = !self.no_ast_build_detect_min_max;
        options
    }
}

/// The loops as C-like text.
pub(crate) fn codegen(
    file: &Path,
    text: &str,
    arguments: &CodegenArguments,
    budget: &Budget,
) -> Result<String, String> {
    let located = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let schedule: AnySchedule = text.parse().map_err(|error| format!("{}:{error}", file.display()))?;
    if let Some(name) = arguments.iterators.iter().find(|name| !is_identifier(name)) {
        return Err(format!("--iterators: `{name}` is no identifier"));
    }
    let options = arguments.options();
    let ast = match &schedule {
        AnySchedule::Tree(tree) => {
            verify(tree, budget).map_err(|error| located(&error))?;
            ast::generate(tree, &options, budget)
        }
        AnySchedule::Flat(flat) => {
            ast::generate_relation(&flat.schedule, &flat.context, &flat.options, &options, budget)
        }
    };
    Ok(ast.map_err(|error| located(&error))?.to_string())
}

/// Whether a name is one of C.
fn is_identifier(name: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.chars().all(part) && name.starts_with(|c: char| !c.is_ascii_digit())
}
