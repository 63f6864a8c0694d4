//! `farkas plan`: from programs to plans, as the plugin makes them.

use std::cell::RefCell;
use std::fmt::{Display, Write};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use clap::Args;
use farkas_plan::target::{Features, Target};
use farkas_plan::{Choices, ChosenTiles, Offload, Pack, Parallel, Plan, Stage, Steps, Vectorize};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::program::{Program, text};
use farkas_polyhedral::tree::Tree;

use crate::target;
use crate::terminal::read;

/// The options of `farkas plan`.
#[derive(Args)]
pub(crate) struct PlanArguments {
    /// The machine: a preset that `farkas target` lists, or a file with a target.
    #[arg(long, default_value = "x86-64-v3")]
    target: PathBuf,
    /// Print all orders that were considered, with the candidates for each band and their expected costs: `*` marks what is in the plan,
    /// and what is not has a reason.
    #[arg(long)]
    candidates: bool,
    /// Print the dependences and schedule constraints.
    #[arg(long)]
    deps: bool,
    /// Print the loops of the plan as C-like text.
    #[arg(long)]
    ast: bool,
    /// Plan also what is expected to gain nothing.
    #[arg(long)]
    unprofitable: bool,
    /// Take the candidate at this position for each band in place of the best one.
    #[arg(long)]
    candidate: Option<usize>,
    /// Spend one part in so many of the work that a nest is worth: the plugin spends half of it on a region of several segments.
    #[arg(long, default_value = "1")]
    work_share: NonZeroU64,
    /// The sizes of tiles, in place of the cost model's choice: one for each loop of a tiled band, outermost first, with `,` between. The
    /// last one is that of all further loops. `-` is for a loop that is not tiled.
    #[arg(long, value_name = "SIZES", allow_hyphen_values = true)]
    tile: Option<ChosenTiles>,
    /// Make loops vector lanes: by cost, wherever possible, or never.
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = ["auto", "force", "never"])]
    vectorize: String,
    /// Pack tiles of arrays: by cost, wherever possible, or never.
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = ["auto", "force", "never"])]
    pack: String,
    /// Run loops on threads: where that is expected to gain, or, with `force`, wherever possible.
    #[arg(long, value_name = "WHEN", num_args = 0..=1, require_equals = true, default_missing_value = "true", value_parser = ["true", "force"])]
    parallel: Option<String>,
    /// Plan kernels for a GPU, wherever that is possible.
    #[arg(long)]
    kernels: bool,
    /// Take the order of the schedule tree in this file, with what its marks say, if it is legal.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["kernels", "original"])]
    schedule: Option<PathBuf>,
    /// Print the original order as a schedule tree: to begin a schedule by hand with.
    #[arg(long)]
    original: bool,
    /// Take the original order after these steps: `interchange A B`, `tile SIZES`, `split N`, `reverse A`, `vector N`, `parallel`, with `;`
    /// between, each for all bands, or `at S`, for those around a statement. What each step is expected to gain is printed.
    #[arg(long, value_name = "STEPS", conflicts_with_all = ["kernels", "original", "schedule"])]
    apply: Option<Steps>,
}

/// The plans of the programs in `text`. Each spends from the budget that the plugin gives it.
pub(crate) fn plan(file: &Path, text: &str, arguments: &PlanArguments) -> Result<String, String> {
    let target = target::find(&arguments.target)?;
    let choices = Choices {
        tile_sizes: arguments.tile.clone(),
        unprofitable: arguments.unprofitable,
        candidate: arguments.candidate,
        vectorize: match &*arguments.vectorize {
            "force" => Vectorize::Force,
            "never" => Vectorize::Never,
            _ => Vectorize::Auto,
        },
        pack: match &*arguments.pack {
            "force" => Pack::Force,
            "never" => Pack::Never,
            _ => Pack::Auto,
        },
        parallel: match arguments.parallel.as_deref() {
            None => Parallel::Never,
            Some("force") => Parallel::Force,
            Some(_) => Parallel::Auto,
        },
        may_be_inlined: false,
        without_copies: Vec::new(),
    };
    let programs = text::programs(text).map_err(|error| format!("{}:{error}", file.display()))?;
    let by_hand = arguments.schedule.as_deref().map(schedule).transpose()?;
    let mut all = String::new();
    for (index, program) in programs.iter().enumerate() {
        let b = Budget::unlimited();
        let located = |error: String| format!("{}: program {}: {error}", file.display(), index + 1);
        program.verify(&b).map_err(|error| located(error.to_string()))?;
        let printed = RefCell::new(String::new());
        let show = |stage: Stage, text: &dyn Display| {
            let wanted = match stage {
                Stage::Dependences => arguments.deps,
                Stage::Candidates => arguments.candidates,
                Stage::Ast => arguments.ast,
                Stage::Plan => true,
                Stage::Schedule => false,
            };
            if wanted {
                write!(printed.borrow_mut(), "{text}").expect("a string takes all text");
            }
        };
        if arguments.original {
            all += &farkas_plan::original_tree(program).to_string();
            continue;
        }
        let work = farkas_plan::budget(program, &choices).left() / arguments.work_share;
        let b = Budget::new(work);
        let after_steps = arguments.apply.as_ref().map(|steps| stepwise(program, steps, &target));
        let after_steps = match after_steps.transpose().map_err(located)? {
            Some((tree, said)) => {
                all += &said;
                Some(tree)
            }
            None => None,
        };
        all += &match (by_hand.as_ref().or(after_steps.as_ref()), arguments.kernels) {
            (Some(tree), _) => by_hand_of(program, tree, &target, &show),
            (None, true) => {
                let features = target.gpu.as_ref().map(Features::of_gpu).unwrap_or_default();
                let planned = farkas_plan::plan_kernels(program, Offload::Always, features, &show, &b);
                outcome(planned.map(|plan| plan.summary()))
            }
            (None, false) => {
                outcome(farkas_plan::plan(program, &target, &choices, &show, &b).map(|plan| plan.summary()))
            }
        };
        all += &printed.into_inner();
    }
    Ok(all)
}

/// What became of a program.
fn outcome(planned: Result<impl Display, impl Display>) -> String {
    match planned {
        Ok(summary) => format!("# transformed: {summary}\n"),
        Err(kept) => format!("# left as it is: {kept}\n"),
    }
}

/// The schedule tree in a file.
fn schedule(file: &Path) -> Result<Tree, String> {
    let parsed = read(file)?.parse();
    parsed.map_err(|error| format!("{}:{error}", file.display()))
}

/// What becomes of a program in an order by hand, and what it is expected to gain.
fn by_hand_of(program: &Program, tree: &Tree, target: &Target, show: &dyn Fn(Stage, &dyn Display)) -> String {
    let planned = farkas_plan::plan_by_hand(program, tree, target, show, &farkas_plan::budget_by_hand());
    let summary = |plan: Plan| {
        format!(
            "{}, {:.2} of the cycles expected",
            plan.summary(),
            plan.expected_ratio()
        )
    };
    outcome(planned.map(summary))
}

/// The original order of a program after steps, and what each of them comes to.
fn stepwise(program: &Program, steps: &Steps, target: &Target) -> Result<(Tree, String), String> {
    let mut tree = farkas_plan::original_tree(program);
    let mut said = String::new();
    for step in steps.iter() {
        tree = step.applied(program, &tree).map_err(|none| none.to_string())?;
        let planned = farkas_plan::plan_by_hand(program, &tree, target, &|_, _| {}, &farkas_plan::budget_by_hand());
        let outcome = match planned {
            Ok(plan) => format!("{:.2} of the cycles expected", plan.expected_ratio()),
            Err(not_taken) => not_taken.to_string(),
        };
        writeln!(said, "# {step}: {outcome}").expect("a string takes all text");
    }
    Ok((tree, said))
}
