//! From a program to a plan for a target, without LLVM: dependences, constraints, schedule, transformation, check, AST.
//!
//! [`plan`] strings the stages together. Every order is decided here, on the model; `farkas-emit` carries it out as
//! the AST says.
#![forbid(unsafe_code)]

mod analysis;
mod annotate;
mod bound;
mod candidates;
mod change_of_variables;
mod check;
mod choices;
mod cost;
mod dependences;
mod expansion;
mod fusion;
mod kept;
mod kernels;
mod original_tree;
mod pipeline;
mod plan;
mod schedules;
mod search;
mod short_loops;
mod sizes;
mod source_names;
mod splitting;
mod steps;
mod summary;
pub mod target;
mod threads;
mod transform;
mod unjam;

pub use analysis::lanes::Block;
pub use check::{Checked, Instance, Mismatch, Refusal, check_order, check_plan, check_sizes};
pub use choices::{Choices, ChosenTiles, NoTileSizes, Pack, Parallel, Vectorize};
pub use cost::{Bound, Cost, GroupCost};
pub use kept::Kept;
pub use original_tree::original_tree;
pub use pipeline::{
    Fallback, NewOrder, NotTaken, Offload, Stage, budget, budget_by_hand, find_order, gains_together, plan,
    plan_by_hand, plan_kernels,
};
pub use plan::{Alone, KernelPlan, Packing, Plan, PlannedOrder, Threads};
pub use search::{Candidate, Separated, Variant};
pub use sizes::ProfitableSizes;
pub use source_names::{ModelNames, SourceNames};
pub use steps::{NoBand, NoSteps, Step, Steps};
pub use summary::Summary;
pub use threads::private_slots;
pub use transform::tile_separation::Gap;
pub use transform::vectorize::Lanes;
pub use transform::{Directions, Transform};
