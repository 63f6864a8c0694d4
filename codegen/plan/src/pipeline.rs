//! The way of one modelled loop nest: flow, schedule, optimize, check, AST.

use crate::dependences::{ByArray, Order};
use crate::optimize::{Plan, Target, best_order, only_order, optimize};
use farkas_polyhedral::ast::{self, Ast, AstError};
use farkas_polyhedral::budget::{Budget, OutOfBudget};
use farkas_polyhedral::check::Verdict;
use farkas_polyhedral::program::Program;
use farkas_polyhedral::schedule::{self, Fusion, Groups, ScheduleConstraints, ScheduleError};
use farkas_polyhedral::sets::{Name, Set, Tuple};
use farkas_polyhedral::tree::{RewriteError, Tree};
use std::fmt::Display;

/// The largest coefficient in a permutable band. Stencils have single digits; a row such as `c0 * n + c1` for a constant `n`
/// near the end of a type only writes a sequence as a permutable band, and tiles of it are nearly all empty.
const MAX_COEFFICIENT: i64 = 64;

/// How many fifths of the budget finding dependences may take. A nest that has taken more (the most of those transformed is a
/// stencil in three dimensions, with 54 per cent) would not come to an order and its loops with what is left.
const DEPENDENCES_FIFTHS: u64 = 3;

/// A stage whose result can be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The dependences, and the schedule constraints that are made of them.
    Dependences,
    /// The schedule tree, before it is optimized.
    Schedule,
    /// The new loop nest, as C-like text.
    Ast,
}

/// What is to be emitted in place of a nest.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The new loops. Its parameters are those of the assumptions.
    pub ast: Ast,
    /// What was done, for the user.
    pub summary: String,
}

/// Why a modelled nest is not replaced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Kept {
    /// No order is expected to be better.
    #[error("{0}")]
    NoGain(String),
    /// The scheduler found none.
    #[error("no schedule found: {0}")]
    NoSchedule(String),
    /// The checker refused the new order.
    #[error("the new order could not be shown to be legal")]
    NotLegal,
    /// The budget is spent.
    #[error("the analysis is too costly")]
    OutOfBudget,
    /// The AST generator found no loops for the new order.
    #[error("no loops can be generated: {0}")]
    NoLoops(String),
}

impl From<OutOfBudget> for Kept {
    fn from(_: OutOfBudget) -> Self {
        Kept::OutOfBudget
    }
}

/// Plans the replacement of a program, for parameter values in `assumptions`. `show` is given the results of stages in
/// text form.
///
/// # Errors
///
/// Why the program stays as it is.
pub fn plan(
    program: &Program,
    assumptions: &Set,
    target: &Target,
    show: &dyn Fn(Stage, &dyn Display),
    b: &Budget,
) -> Result<Planned, Kept> {
    if !target.unprofitable
        && let Some(reason) = only_order(program)
    {
        return Err(Kept::NoGain(reason));
    }
    let program = &program.without_far_bounds().without_unused_params(b)?;
    let by_array = b.trial(b.left() / 5 * DEPENDENCES_FIFTHS, |b| ByArray::of(program, b))??;
    let dependences = by_array.all();
    log::debug!("dependences: {} units of work left", b.left());
    let kinds = [
        ("flow", &dependences.flow),
        ("anti", &dependences.anti),
        ("output", &dependences.output),
    ];
    for (kind, relation) in kinds {
        show(Stage::Dependences, &format_args!("# {kind}: {relation}\n"));
    }
    let movable = by_array.movable_arrays(program, b)?;
    if !target.unprofitable
        && let Some(reason) = best_order(program, by_array.arrays(), &movable, b)?
    {
        return Err(Kept::NoGain(reason));
    }
    // What the sizes of arrays are beside each other is no concern of loops.
    let params = program.context.params();
    let names = assumptions.params().names().iter();
    let others: Vec<&str> = names
        .filter(|name| params.position_of(name).is_none())
        .map(Name::as_str)
        .collect();
    let of_loops = assumptions.project_out_params(&others, b)?.compact(b)?;
    let search = Search {
        program,
        assumed: &of_loops,
        target,
        show,
        b,
    };
    let (tree, summary) = search.ordered(&by_array, &movable)?;
    log::trace!("assuming {assumptions}:\n{tree}");
    let ast = ast::generate(&tree, &ast::Options::default(), b).map_err(|error| match error {
        AstError::OutOfBudget(_) => Kept::OutOfBudget,
        other => Kept::NoLoops(other.to_string()),
    })?;
    show(Stage::Ast, &ast);
    let ast = ast.align_params(assumptions.params());
    if ast.root.has_endless_loop() {
        return Err(Kept::NoLoops("a loop would never end".into()));
    }
    log::debug!("loops: {} units of work left", b.left());
    Ok(Planned { ast, summary })
}

/// What the search for an order goes by.
struct Search<'a> {
    program: &'a Program,
    /// What holds for the parameters wherever the new order is used.
    assumed: &'a Set,
    target: &'a Target,
    show: &'a dyn Fn(Stage, &dyn Display),
    b: &'a Budget,
}

impl Search<'_> {
    /// The new order of the nest and what is gained by it: one in which live ranges change places, if there is such a one.
    fn ordered(&self, dependences: &ByArray, movable: &[Tuple]) -> Result<(Tree, String), Kept> {
        let Search {
            program, assumed, b, ..
        } = *self;
        if !movable.is_empty() {
            let share = b.left() / 3;
            let movable = b.trial(share, |b| {
                let order = Order::movable(program, assumed, dependences, movable, b)?;
                log::debug!("live ranges: {} units of work left", b.left());
                match (Search { b, ..*self }).improved(&order) {
                    Err(Kept::OutOfBudget) => Err(OutOfBudget),
                    other => Ok(other),
                }
            })?;
            match movable {
                Ok(Ok(better)) => return Ok(better),
                Ok(Err(reason @ Kept::NoGain(_))) => return Err(reason),
                Ok(Err(reason)) => log::debug!("with movable live ranges: {reason}"),
                Err(OutOfBudget) => log::debug!("with movable live ranges: out of budget"),
            }
        }
        self.improved(&Order::fixed(program, assumed, dependences, b)?)
    }

    /// A tree that respects `order`, and what is gained by it. Chains of statements are scheduled as one first, which is
    /// less work; where there is nothing to gain for them together, there may be for each apart.
    fn improved(&self, order: &Order) -> Result<(Tree, String), Kept> {
        (self.show)(Stage::Dependences, &order.constraints);
        let groups = Groups::of_program(self.program, &order.constraints, self.b)?;
        log::debug!(
            "grouping: {} statements fewer, {} units of work left",
            groups.saved(),
            self.b.left()
        );
        if !groups.is_empty() {
            match self.improved_by(order, &groups) {
                Err(Kept::OutOfBudget) => return Err(Kept::OutOfBudget),
                Err(reason) => log::debug!("with chains of statements as one: {reason}"),
                improved => return improved,
            }
        }
        self.improved_by(order, &Groups::default())
    }

    /// A tree that respects `order` with the statements of each group as one, and what is gained by it.
    fn improved_by(&self, order: &Order, groups: &Groups) -> Result<(Tree, String), Kept> {
        let tree = scheduled(&order.constraints, groups, self.b)?;
        log::debug!("schedule: {} units of work left", self.b.left());
        (self.show)(Stage::Schedule, &tree);
        let (tree, summary) = match optimize(self.program, &tree, &order.waits, self.target, self.b)? {
            Plan::Transform { tree, summary } => (tree, summary),
            Plan::LeaveAlone { reason } => return Err(Kept::NoGain(reason)),
        };
        log::debug!("optimize: {} units of work left", self.b.left());
        if let Verdict::Violated(violation) = order.check(&tree, self.b)? {
            log::debug!("refused: {violation}");
            return Err(Kept::NotLegal);
        }
        log::debug!("check: {} units of work left", self.b.left());
        Ok((*tree, summary))
    }
}

/// The scheduler's tree. Nests in sequence keep loops of their own: fusion is left to a cost model that is to come.
fn scheduled(constraints: &ScheduleConstraints, groups: &Groups, b: &Budget) -> Result<Tree, Kept> {
    let options = schedule::Options {
        fusion: Fusion::None,
        max_coefficient: Some(MAX_COEFFICIENT),
        ..schedule::Options::default()
    };
    let schedule = |constraints: &ScheduleConstraints| {
        schedule::schedule(constraints, &options, b).map_err(|error| match error {
            ScheduleError::OutOfBudget(_) => Kept::OutOfBudget,
            other => Kept::NoSchedule(other.to_string()),
        })
    };
    if groups.is_empty() {
        return schedule(constraints);
    }
    let tree = schedule(&groups.constraints(constraints, b)?)?;
    groups.in_place(&tree, constraints, b).map_err(|error| match error {
        RewriteError::OutOfBudget(_) => Kept::OutOfBudget,
        other => Kept::NoSchedule(other.to_string()),
    })
}
