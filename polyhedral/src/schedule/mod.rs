//! The scheduler: from schedule constraints to a schedule tree.
//!
//! # Definitions
//!
//! *Schedule constraints* are pairs of statement instances (P0, 4.2). For a schedule function `f`,
//!
//! - a **validity** constraint `a -> b` requires `f(b) >= f(a)`,
//! - a **proximity** constraint wants `f(b) - f(a)` to be small,
//! - a **coincidence** constraint wants `f(b) = f(a)`.
//!
//! The *distance* of a pair is `f(b) - f(a)`. A pair with a positive distance is *carried* and of no interest further in.
//! A *band* is a sequence of functions, its *members*, under which no validity constraint that is not carried further out
//! has a negative distance, so that the members may be permuted. A member is *coincident* if all coincidence constraints
//! that are not carried further out have distance zero.
//!
//! # Method
//!
//! | module | what |
//! |---|---|
//! | `graph` | statements and dependences as systems of constraints |
//! | `edges` | what dependences mean for schedule coefficients (Farkas lemma) |
//! | `problem` | the unknowns of the integer program for one member |
//! | `search` | its non-trivial solutions |
//! | `band` | permutable bands (Pluto, P0 6.5 and P2) |
//! | `carry` | where there is none: rows that carry as much as possible (Feautrier, P0 6.4) |
//! | `fusion` | which statements share a band (P0 7.3) |
//! | `plan` | the recursion over bands and components |
//!
//! # Running example
//!
//! `for (i) { c[i] = 0; for (j) c[i] += a[i][j]; }` has the statements `S[i]` and `T[i, j]` and the constraints
//! `S[i] -> T[i, 0]` and `T[i, j] -> T[i, j + 1]`. With [`Fusion::Max`], there is one band of two members for both,
//!
//! ```text
//! [{ S[i] -> [(i)]; T[i, j] -> [(i)] }, { S[i] -> [(0)]; T[i, j] -> [(j)] }]
//! ```
//!
//! of which the first is coincident, around the sequence `S; T`. By default, statements of different dimension do not
//! share a band, and the schedule is the sequence of `[{ S[i] -> [(i)] }]` and `[{ T[i, j] -> [(i)] }, { T[i, j] -> [(j)] }]`.

mod band;
mod carry;
mod components;
mod edges;
mod fusion;
mod graph;
mod output;
mod plan;
mod problem;
mod text;

pub use text::ConstraintsError;

use crate::budget::{Budget, OutOfBudget};
use crate::sets::{Set, Tuple, UnionMap, UnionSet};
use crate::tree::Tree;

/// What a schedule has to satisfy, and what it should. See the module.
///
/// Pairs of which one instance is not in the domain do not count.
#[derive(Clone, Debug)]
pub struct ScheduleConstraints {
    /// The statement instances to be scheduled. Tuples are statements; no two have the same.
    pub domain: UnionSet,
    /// What is known of the parameters.
    pub context: Set,
    /// Pairs of which the second instance must not come before the first. No instance is paired with itself.
    pub validity: UnionMap,
    /// Pairs of instances that should come close to each other.
    pub proximity: UnionMap,
    /// Pairs of instances that should coincide in as many outer members as possible.
    pub coincidence: UnionMap,
}

/// Whether statements that need not share loops do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fusion {
    /// Never: every strongly connected component has bands of its own.
    None,
    /// Between statements of the same dimension, where it brings instances together and costs neither members of bands
    /// nor coincidence.
    #[default]
    Smart,
    /// Wherever there is a common band.
    Max,
}

/// How to schedule.
#[derive(Clone, Debug)]
pub struct Options {
    /// The largest absolute value of a coefficient of a dimension in a permutable band.
    pub max_coefficient: Option<i64>,
    /// The largest constant in a permutable band.
    pub max_constant: Option<i64>,
    /// Keep coefficients below half the size of the other dimensions, where those have fixed sizes (P0, 7.5).
    pub avoid_coalescing: bool,
    /// Do not fuse where that makes fewer members coincident.
    pub maximize_coincidence: bool,
    /// The first member of a band has to be coincident; where that is impossible, one that carries as many dependences as
    /// possible comes first.
    pub outer_coincidence: bool,
    /// What shares bands.
    pub fusion: Fusion,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            max_coefficient: None,
            max_constant: None,
            avoid_coalescing: true,
            maximize_coincidence: true,
            outer_coincidence: false,
            fusion: Fusion::Smart,
        }
    }
}

/// Why there is no schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    /// The budget is spent.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
    /// No affine function respects all, and carries any, of the validity constraints between some statements: they are
    /// cyclic, or need a piecewise function.
    #[error("no affine schedule carries any dependence among {}", names(statements))]
    NoSchedule {
        /// The statements.
        statements: Vec<Tuple>,
    },
}

fn names(statements: &[Tuple]) -> String {
    statements.iter().map(Tuple::to_string).collect::<Vec<_>>().join(", ")
}

/// A schedule that satisfies all validity constraints, and serves the other ones as well as it can.
///
/// Filters of the tree name whole statements. The result depends on the order of the statements in the domain only where
/// the constraints leave a choice, which is then made for the order of the domain.
pub fn schedule(constraints: &ScheduleConstraints, options: &Options, budget: &Budget) -> Result<Tree, ScheduleError> {
    let (statements, graph) = graph::Graph::new(constraints, budget)?;
    match plan::plan(&graph, options, budget) {
        Ok(plan) => Ok(output::tree(constraints, &statements, &plan)),
        Err(plan::Failure::OutOfBudget(error)) => Err(error.into()),
        Err(plan::Failure::NoSchedule(nodes)) => {
            let statements = nodes.iter().map(|&n| statements.tuples[n].clone()).collect();
            Err(ScheduleError::NoSchedule { statements })
        }
    }
}
