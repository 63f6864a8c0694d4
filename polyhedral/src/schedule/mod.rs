//! The scheduler: from schedule constraints to a schedule tree.
//!
//! # Definitions
//!
//! *Schedule constraints* are pairs of statement instances (P0, 4.2). For a schedule function `f`,
//!
//! - a **validity** constraint `a -> b` requires `f(b) >= f(a)`,
//! - a **proximity** constraint wants `f(b) - f(a)` to be small,
//! - a **coincidence** constraint wants `f(b) = f(a)`,
//! - a **conditional validity** constraint requires `f(b) >= f(a)` of its conditioned pairs as long as some adjacent
//!   condition is not local (see `conditional`),
//! - a **consecutivity** constraint wants an access to step through memory (see [`consecutivity`]).
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
//! | `graph`, `node` | statements and constraints as systems of constraints |
//! | `edges` | what constraints mean for schedule coefficients (Farkas lemma, P0 6.3) |
//! | `units` | what a band schedules: statements, or clusters of them |
//! | `problem` | the unknowns of the integer program for one member |
//! | `band` | permutable bands (Pluto, P0 6.5 and P2), on [`non_trivial_lexmin`](crate::solver::non_trivial) |
//! | `conditional` | conditional validity (P0 6.5.4) |
//! | [`consecutivity`] | rows that step through memory (P3) |
//! | `carry` | where there is no band: rows that carry as much as possible (Feautrier, P0 6.4) |
//! | `coalescing` | what keeps rows from coalescing loops (P0 7.5) |
//! | `diamond` | bands whose tiles can start at the same time |
//! | `fusion` | which statements share a band (P0 7.3) |
//! | `grouping` | statements that are scheduled as one (P0 7.4); for users of the scheduler, as [`Groups`] |
//! | `index_set_splitting` | statements cut in pieces where dependences wrap around |
//! | `local` | a part of a tree scheduled anew ([`reschedule`]) |
//! | `plan` | the recursion over bands and components |
//! | `output` | plans as schedule trees |
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
mod coalescing;
mod components;
mod conditional;
pub mod consecutivity;
mod constraints;
mod diamond;
mod edges;
mod fusion;
mod graph;
mod grouping;
mod index_set_splitting;
mod local;
mod node;
mod options;
mod output;
mod plan;
mod problem;
mod units;

pub use constraints::ScheduleConstraints;
pub use grouping::Groups;
pub use local::reschedule;
pub use options::{Algorithm, Fallback, Fusion, Options};

use crate::budget::{Budget, OutOfBudget, Outcome};
use crate::linalg::Row;
use crate::sets::Tuple;
use crate::tree::Tree;
use graph::{ParameterBounds, Vertices};

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
    /// A constraint is on a statement of the same name, but with other dimensions.
    #[error("{relation} has {found}, but the domain has {statement}")]
    OtherDimensions {
        /// The constraints.
        relation: &'static str,
        /// What they are on.
        found: Tuple,
        /// What is scheduled.
        statement: Tuple,
    },
}

fn names(statements: &[Tuple]) -> String {
    statements.iter().map(Tuple::to_string).collect::<Vec<_>>().join(", ")
}

/// A schedule that satisfies all validity constraints, and serves the other ones as well as it can.
///
/// Filters of the tree name whole statements, unless index sets are split. The result depends on the order of the statements in the domain only where
/// the constraints leave a choice, which is then made for the order of the domain.
///
/// # Errors
///
/// If there is no affine schedule, if constraints are on statements with other dimensions than those in the domain, or if
/// the budget is spent.
pub fn schedule(constraints: &ScheduleConstraints, options: &Options, budget: &Budget) -> Result<Tree, ScheduleError> {
    let schedule = |constraints: &ScheduleConstraints| schedule_whole(constraints, options, budget);
    if options.index_set_splitting {
        index_set_splitting::with_splitting(constraints, schedule, budget)
    } else {
        schedule(constraints)
    }
}

/// A schedule by one function for each statement and band.
fn schedule_whole(
    constraints: &ScheduleConstraints,
    options: &Options,
    budget: &Budget,
) -> Result<Tree, ScheduleError> {
    match schedule_once(constraints, options, budget) {
        // Live ranges that have been made local may leave statements that no order of them satisfies. With all orders
        // kept as they are, there is one.
        Err(ScheduleError::NoSchedule { .. }) if !constraints.conditional_validity.is_empty(budget)? => {
            schedule_once(&constraints.unconditional(budget)?, options, budget)
        }
        other => other,
    }
}

fn schedule_once(constraints: &ScheduleConstraints, options: &Options, budget: &Budget) -> Result<Tree, ScheduleError> {
    schedule_within(constraints, &|_| Ok(Vec::new()), options, budget)
}

/// A schedule below outer members, of which `outer` gives the linear parts for a statement.
fn schedule_within(
    constraints: &ScheduleConstraints,
    outer: &dyn Fn(&Tuple) -> Outcome<Vec<Row>>,
    options: &Options,
    budget: &Budget,
) -> Result<Tree, ScheduleError> {
    let attempts = [
        (ParameterBounds::Dropped, Vertices::Rational),
        (ParameterBounds::Kept, Vertices::Rational),
        (ParameterBounds::Kept, Vertices::Integral),
    ];
    let mut failed = None;
    for (bounds, vertices) in attempts {
        match schedule_on(bounds, vertices, constraints, outer, options, budget) {
            Err(error @ ScheduleError::NoSchedule { .. }) => failed = Some(error),
            other => return other,
        }
    }
    Err(failed.expect("there are attempts"))
}

fn schedule_on(
    bounds: ParameterBounds,
    vertices: Vertices,
    constraints: &ScheduleConstraints,
    outer: &dyn Fn(&Tuple) -> Outcome<Vec<Row>>,
    options: &Options,
    budget: &Budget,
) -> Result<Tree, ScheduleError> {
    constraints.check_dimensions()?;
    let (statements, graph, open) = graph::Graph::new(constraints, bounds, vertices, budget)?;
    let done = statements.tuples.iter().map(outer).collect::<Outcome<Vec<_>>>()?;
    match plan::plan(&graph, &open, &done, options, budget) {
        Ok(plan) => Ok(output::tree(constraints, &statements, &plan)),
        Err(plan::Failure::OutOfBudget(error)) => Err(error.into()),
        Err(plan::Failure::NoSchedule(nodes)) => {
            let statements = nodes.iter().map(|&n| statements.tuples[n].clone()).collect();
            Err(ScheduleError::NoSchedule { statements })
        }
    }
}

/// How many groups of constraints Feautrier's method distinguishes at the outermost level: those of statements with
/// themselves, and those between statements (P0, table 37).
///
/// # Errors
///
/// If the budget is spent.
pub fn count_groups(constraints: &ScheduleConstraints, options: &Options, budget: &Budget) -> Outcome<(usize, usize)> {
    let (_, graph, open) = graph::Graph::new(constraints, ParameterBounds::Dropped, Vertices::Rational, budget)?;
    let groups = carry::groups(&graph, options, &open, budget)?;
    let loops = groups.iter().filter(|group| group.is_loop()).count();
    Ok((loops, groups.len() - loops))
}
