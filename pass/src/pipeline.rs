//! The way of one modelled loop nest: flow, schedule, optimize, check, AST, and whether the result can be emitted.

use crate::dependences::{ByArray, Order};
use crate::model::invariants::depends;
use crate::model::scop::Scop;
use crate::options::{Options, Print};
use farkas_codegen::emit::{Apart, Extent, Guards, Interval, LoadCondition, arithmetic_fits, limit_of};
use farkas_codegen::optimize::{Plan, Target, best_order, only_order, optimize};
use farkas_llvm::Run;
use farkas_llvm::region::ArrayId;
use farkas_polyhedral::ast::{self, Ast, AstError, Condition};
use farkas_polyhedral::budget::{Budget, OutOfBudget, Outcome};
use farkas_polyhedral::check::Verdict;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::Program;
use farkas_polyhedral::schedule::{self, Fusion, Groups, ScheduleConstraints, ScheduleError};
use farkas_polyhedral::sets::{Name, Set, Tuple};
use farkas_polyhedral::tree::{RewriteError, Tree};

/// The largest coefficient in a permutable band. Stencils have single digits; a row such as `c0 * n + c1` for a constant `n`
/// near the end of a type only writes a sequence as a permutable band, and tiles of it are nearly all empty.
const MAX_COEFFICIENT: i64 = 64;

/// How many fifths of the budget finding dependences may take. A nest that has taken more (the most of those transformed is a
/// stencil in three dimensions, with 54 per cent) would not come to an order and its loops with what is left.
const DEPENDENCES_FIFTHS: u64 = 3;

/// So many comparisons of addresses are made before a nest, at the most: those of 50 arrays that are sorted.
const MOST_COMPARISONS: usize = 600;

/// What is to be emitted in place of a nest.
pub(crate) struct Replacement {
    pub(crate) ast: Ast,
    pub(crate) guards: Guards,
    /// What was done, for the user.
    pub(crate) summary: String,
    /// What was assumed, and what it costs to check it, for the user.
    pub(crate) assumed: Option<String>,
}

/// Why a modelled nest is not replaced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Kept {
    #[error("{0}")]
    NoGain(String),
    #[error("no schedule found: {0}")]
    NoSchedule(String),
    #[error("the new order could not be shown to be legal")]
    NotLegal,
    #[error("the analysis is too costly")]
    OutOfBudget,
    #[error("no loops can be generated: {0}")]
    NoLoops(String),
    #[error("what has to be checked at run time is not bounded by the parameters")]
    UnboundedCheck,
    #[error("{0} arrays would have to be checked not to overlap (restrict rules that out)")]
    TooManyChecks(usize),
    #[error("what has to be assumed never holds where something is executed")]
    NeverHolds,
    #[error("bounds of the new loops might not fit in 64 bits")]
    Overflow,
}

impl Kept {
    /// What the author may do about it.
    pub(crate) fn advice(&self) -> Option<&'static str> {
        match self {
            Kept::OutOfBudget => Some("take the nest apart"),
            Kept::UnboundedCheck => Some("mark the arrays as `restrict`"),
            Kept::Overflow => Some("use narrower integers for bounds"),
            Kept::NoGain(_)
            | Kept::NoSchedule(_)
            | Kept::NotLegal
            | Kept::NoLoops(_)
            | Kept::TooManyChecks(_)
            | Kept::NeverHolds => None,
        }
    }
}

impl From<OutOfBudget> for Kept {
    fn from(_: OutOfBudget) -> Self {
        Kept::OutOfBudget
    }
}

/// Plans the replacement of a nest.
///
/// # Errors
/// Why the nest stays as it is.
pub(crate) fn plan(options: &Options, run: &Run<'_>, scop: &Scop<'_>, b: &Budget) -> Result<Replacement, Kept> {
    let program = &scop.program;
    let assumptions = with_instances(scop, b)?;
    if assumptions.pieces().is_empty() {
        return Err(Kept::NeverHolds);
    }
    if !options.unprofitable
        && let Some(reason) = only_order(program)
    {
        return Err(Kept::NoGain(reason));
    }
    let program = &program.without_far_bounds().without_unused_params(b)?;
    let by_array = b.trial(b.left() / 5 * DEPENDENCES_FIFTHS, |b| ByArray::of(program, b))??;
    let dependences = by_array.all();
    log::debug!("dependences: {} units of work left", b.left());
    if options.prints(Print::Deps) {
        let kinds = [
            ("flow", &dependences.flow),
            ("anti", &dependences.anti),
            ("output", &dependences.output),
        ];
        kinds
            .iter()
            .for_each(|(kind, relation)| eprintln!("# {kind}: {relation}"));
    }
    let movable = by_array.movable_arrays(program, b)?;
    if !options.unprofitable
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
    let (tree, summary) = ordered(options, run, (program, &of_loops), &by_array, &movable, b)?;
    log::trace!("assuming {assumptions}:\n{tree}");
    let ast = ast::generate(&tree, &ast::Options::default(), b).map_err(|error| match error {
        AstError::OutOfBudget(_) => Kept::OutOfBudget,
        other => Kept::NoLoops(other.to_string()),
    })?;
    if options.prints(Print::Ast) {
        eprint!("{ast}");
    }
    let ast = ast.align_params(assumptions.params());
    if ast.root.has_endless_loop() {
        return Err(Kept::NoLoops("a loop would never end".into()));
    }
    log::debug!("loops: {} units of work left", b.left());
    let guards = guards(scop, &assumptions, b)?;
    log::debug!("guards: {} units of work left", b.left());
    if !arithmetic_fits(&ast, &guards, &parameter_ranges(run, scop)) {
        return Err(Kept::Overflow);
    }
    let assumed = assumed(scop, &assumptions, &guards);
    Ok(Replacement {
        ast,
        guards,
        summary,
        assumed,
    })
}

/// The assumptions without the cases in which nothing is executed. The original is right for these, too, and loops for all others
/// are simpler.
fn with_instances(scop: &Scop<'_>, b: &Budget) -> Outcome<Set> {
    let space = scop.assumptions.space();
    let mut cases = Vec::new();
    for case in scop.assumptions.pieces() {
        let possible = Set::from_conj(space.clone(), case.clone()).intersect_params(&scop.program.context);
        let mut executed = false;
        for statement in &scop.program.statements {
            executed = executed || !statement.domain.intersect_params(&possible).is_empty(b)?;
        }
        if executed {
            cases.push(case.clone());
        }
    }
    Ok(Set::from_conjs(space.clone(), cases))
}

/// The new order of the nest and what is gained by it: one in which live ranges change places, if there is such a one.
fn ordered(
    options: &Options,
    run: &Run<'_>,
    (program, assumed): (&Program, &Set),
    dependences: &ByArray,
    movable: &[Tuple],
    b: &Budget,
) -> Result<(Tree, String), Kept> {
    if !movable.is_empty() {
        let share = b.left() / 3;
        let movable = b.trial(share, |b| {
            let order = Order::movable(program, assumed, dependences, movable, b)?;
            log::debug!("live ranges: {} units of work left", b.left());
            match improved(options, run, program, &order, b) {
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
    improved(
        options,
        run,
        program,
        &Order::fixed(program, assumed, dependences, b)?,
        b,
    )
}

/// A tree that respects `order`, and what is gained by it. Chains of statements are scheduled as one first, which is less
/// work; where there is nothing to gain for them together, there may be for each apart.
fn improved(
    options: &Options,
    run: &Run<'_>,
    program: &Program,
    order: &Order,
    b: &Budget,
) -> Result<(Tree, String), Kept> {
    if options.prints(Print::Deps) {
        eprint!("{}", order.constraints);
    }
    let groups = Groups::of_program(program, &order.constraints, b)?;
    log::debug!(
        "grouping: {} statements fewer, {} units of work left",
        groups.saved(),
        b.left()
    );
    if !groups.is_empty() {
        match improved_by(options, run, program, order, &groups, b) {
            Err(Kept::OutOfBudget) => return Err(Kept::OutOfBudget),
            Err(reason) => log::debug!("with chains of statements as one: {reason}"),
            improved => return improved,
        }
    }
    improved_by(options, run, program, order, &Groups::default(), b)
}

/// A tree that respects `order` with the statements of each group as one, and what is gained by it.
fn improved_by(
    options: &Options,
    run: &Run<'_>,
    program: &Program,
    order: &Order,
    groups: &Groups,
    b: &Budget,
) -> Result<(Tree, String), Kept> {
    let tree = scheduled(&order.constraints, groups, b)?;
    log::debug!("schedule: {} units of work left", b.left());
    if options.prints(Print::Schedule) {
        eprint!("{tree}");
    }
    let target = Target {
        vector_bits: run.vector_bits(),
        tile_size: options.tile.map(i64::from),
        unprofitable: options.unprofitable,
    };
    let (tree, summary) = match optimize(program, &tree, &order.waits, &target, b)? {
        Plan::Transform { tree, summary } => (tree, summary),
        Plan::LeaveAlone { reason } => return Err(Kept::NoGain(reason)),
    };
    log::debug!("optimize: {} units of work left", b.left());
    if let Verdict::Violated(violation) = order.check(&tree, b)? {
        log::debug!("refused: {violation}");
        return Err(Kept::NotLegal);
    }
    log::debug!("check: {} units of work left", b.left());
    Ok((*tree, summary))
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

/// The run-time checks.
fn guards(scop: &Scop<'_>, assumptions: &Set, b: &Budget) -> Result<Guards, Kept> {
    let holds = assumptions.pieces().iter().any(|piece| piece.is_plainly_universe());
    let assumptions = if holds {
        Condition::TRUE
    } else {
        ast::membership(assumptions, b)?
    };
    let mut pairs = Vec::new();
    for (one, other) in &scop.alias_checks {
        let accessed = |array: &ArrayId| Outcome::Ok(!scop.shapes[array.0].rows.is_empty(b)?);
        if !accessed(one)? || !accessed(other)? {
            continue;
        }
        pairs.push((*one, *other));
    }
    let apart = Apart::new(pairs);
    if apart.comparisons() > MOST_COMPARISONS {
        return Err(Kept::TooManyChecks(apart.arrays().len()));
    }
    let extents = apart.arrays().into_iter().map(|array| extent(scop, array, b));
    let extents = extents.collect::<Result<Vec<_>, _>>()?;
    let mut loads = Vec::new();
    for condition in &scop.load_conditions {
        loads.push(match condition {
            None => None,
            Some(set) => Some(LoadCondition {
                condition: ast::membership(set, b)?,
                params: (0..set.params().len()).filter(|p| depends(set, *p)).collect(),
            }),
        });
    }
    Ok(Guards {
        assumptions,
        apart,
        extents,
        loads,
    })
}

/// What the guards check, in words and as a set, and how many comparisons that takes.
fn assumed(scop: &Scop<'_>, assumptions: &Set, guards: &Guards) -> Option<String> {
    let mut parts = Vec::new();
    if !guards.assumptions.is_true() {
        parts.push(format!("that the parameters are in {assumptions}"));
    }
    let names: Vec<&str> = guards
        .extents
        .iter()
        .map(|extent| &*scop.region.arrays[extent.array.0].name)
        .collect();
    if !names.is_empty() {
        parts.push(format!("that {} do not overlap", names.join(", ")));
    }
    let comparisons = comparisons(&guards.assumptions) + guards.apart.comparisons();
    (!parts.is_empty()).then(|| format!("{} ({comparisons} comparisons)", parts.join(", and ")))
}

fn comparisons(condition: &Condition) -> usize {
    match condition {
        Condition::All(parts) | Condition::Any(parts) => parts.iter().map(comparisons).sum(),
        Condition::NonNegative(_) | Condition::Zero(_) | Condition::Multiple(..) => 1,
    }
}

fn extent(scop: &Scop<'_>, array: ArrayId, b: &Budget) -> Result<Extent, Kept> {
    let shape = &scop.shapes[array.0];
    let (first, last) = ast::bounds_of(&shape.rows, b)?.ok_or(Kept::UnboundedCheck)?;
    let params = scop.program.context.params();
    let size = |size: &farkas_polyhedral::sets::Aff| ast::parameter_expression(&size.align_params(params), b);
    Ok(Extent {
        array,
        first,
        last,
        sizes: shape.sizes.iter().map(size).collect::<Outcome<_>>()?,
    })
}

/// The values of the parameters for which the new code runs.
fn parameter_ranges(run: &Run<'_>, scop: &Scop<'_>) -> Vec<Interval> {
    let range = |parameter: &farkas_llvm::region::Parameter<'_>| {
        let limit = if run.bits(parameter.value) >= 64 {
            limit_of(parameter.value)
        } else {
            1 << (run.bits(parameter.value) - 1)
        };
        let (low, high) = (-Int::from(limit), Int::from(limit));
        match run.signed_range(parameter.value, scop.region.section.first_loop()) {
            Some((least, most)) => Interval {
                low: low.max(Int::from(least)),
                high: high.min(Int::from(most)),
            },
            None => Interval { low, high },
        }
    };
    scop.region.parameters.iter().map(range).collect()
}
