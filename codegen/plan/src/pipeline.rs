//! The way of one modelled loop nest: flow, schedule, optimize, check, AST.

use std::cell::OnceCell;
use std::fmt::Display;
use std::rc::Rc;

use farkas_polyhedral::budget::{Budget, OutOfBudget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::zeros;
use farkas_polyhedral::program::{Program, Statement};
use farkas_polyhedral::sets::{Conj, Name, Params, Set, SetSpace, Tuple, UnionMap};

use crate::analysis::linear;
use crate::bound;
use crate::candidates::Considered;
use crate::change_of_variables::ChangeOfVariables;
use crate::choices::{Choices, Parallel};
use crate::cost::{Model, may_set_errno};
use crate::dependences::{ByArray, Order};
use crate::expansion::expandable_slots;
use crate::fusion;
use crate::kept::{Kept, ONE_ORDER};
use crate::plan::{Alone, Plan};
use crate::splitting;
use crate::target::Target;
use crate::threads;
use crate::transform::Transform;
use border::{Border, beside};
use expand::Unexpanded;
use orders::CheckedOrder;
use panels::Unsplit;
use split::Whole;

pub use by_hand::{NotTaken, budget_by_hand, plan_by_hand};
pub use kernels::{Offload, plan_kernels};

mod border;
mod by_hand;
mod expand;
mod interiors;
mod kernels;
mod loops;
mod on_threads;
mod orders;
mod original_order;
mod panels;
mod split;

/// A new order is taken if it is expected to take at most this share of the original's time. The choice among lanes asks for no less where the
/// original is scalar code.
const MARGIN: f64 = 0.9;

/// Why nests stay for which no order was looked for.
const NO_BETTER_ORDER: &str =
    "no gain expected: dependences and accesses leave no order that is clearly better than the original";

/// How many fifths of the budget finding value-based dependences may take. (The most of those transformed is a stencil in three
/// dimensions, with 54 per cent.)
const DEPENDENCES_FIFTHS: u64 = 3;

/// One part in so many of the budget that is left may be spent on finding which scalar slots may be expanded.
const SLOTS: u64 = 8;

/// A stage whose result can be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The dependences, and the schedule constraints that are made of them.
    Dependences,
    /// The schedule tree, before it is optimized.
    Schedule,
    /// What was considered for each band, with costs, and why the rest was not chosen: once for the search, and once more if the loops of
    /// its result could not be generated.
    Candidates,
    /// The plan's schedule tree.
    Plan,
    /// The new loop nest, as C-like text.
    Ast,
}

/// Work units for each level of a program's loops: at least a fifth more than what the costliest kernel takes, and a
/// thirtieth of a second. What there is to gain grows with the depth.
const UNITS_PER_LEVEL: u64 = 100_000;

/// What sizes, and loops, of an order that gains may take in any case: the way there may have left less. The loops of a window of
/// parametric sizes in jammed lanes take 130,000 units, those of a triangular product in register tiles of 6 rows 180,000 (a symmetric product has
/// others beside them), the sizes of a convolution over five parameters 125,000.
const UNITS_BEHIND: u64 = 3 * UNITS_PER_LEVEL;

/// What orders with copies of arrays may take in any case.
const UNITS_OF_COPIES: u64 = 6 * UNITS_PER_LEVEL;

/// What orders with panels may take in any case.
const UNITS_OF_PANELS: u64 = 30 * UNITS_PER_LEVEL;

/// More levels than that get as much as these.
const MOST_LEVELS: usize = 4;

/// The budget that a program is worth: twice as much where loops may run on threads, which is checked beside all else.
pub fn budget(program: &Program, choices: &Choices) -> Budget {
    let depth = program.statements.iter().map(|s| s.tuple().n()).max().unwrap_or(0);
    let units = UNITS_PER_LEVEL * depth.clamp(1, MOST_LEVELS) as u64;
    Budget::new(match choices.parallel {
        Parallel::Never => units,
        Parallel::Auto | Parallel::Force => 2 * units,
    })
}

/// Plans the replacement of a program. `show` is given the results of stages in text form.
///
/// # Errors
///
/// Why the program stays as it is.
pub fn plan(
    program: &Program,
    target: &Target,
    choices: &Choices,
    show: &dyn Fn(Stage, &dyn Display),
    b: &Budget,
) -> Result<Plan, Kept> {
    find_order(program, target, choices, show, b)?.into_plan(target, choices, Fallback::Simpler, show, b)
}

/// Finds an order of a program that is legal and expected to gain. Its loops may still turn out not to exist. `show` is given
/// the results of stages in text form.
///
/// # Errors
///
/// Why the program stays as it is.
pub fn find_order(
    program: &Program,
    target: &Target,
    choices: &Choices,
    show: &dyn Fn(Stage, &dyn Display),
    b: &Budget,
) -> Result<NewOrder, Kept> {
    let assumptions = with_instances(program, b)?;
    if assumptions.pieces().is_empty() {
        return Err(Kept::NeverHolds);
    }
    let linear = linear::statements(program);
    let wants_threads = choices.parallel != Parallel::Never;
    let has_one_order = !choices.unprofitable && bound::has_one_order(program, &linear);
    if has_one_order && !wants_threads && !splitting::may_be_cut(program, &linear) {
        return Err(Kept::one_order());
    }
    // Sizes are estimated where something is executed.
    let executed = Program {
        assumptions: assumptions.clone(),
        ..program.clone()
    };
    let program = executed.without_far_bounds().without_unused_params(b)?;
    let variables = ChangeOfVariables::simplest(&program);
    // On threads, borders are to be loops of their own.
    let apart = match wants_threads {
        true => None,
        false => Border::of(&program, &variables, b)?,
    };
    let (border, program) = apart.map_or((None, program), |(border, inside)| (Some(Rc::new(border)), inside));
    let program = variables.apply(&program);
    let splittings = split::candidates(&program, b)?;
    if has_one_order && !wants_threads && splittings.is_empty() {
        return Err(Kept::one_order());
    }
    let by_array = ByArray::within(&program, b.left() / 5 * DEPENDENCES_FIFTHS, b)?.under(&assumptions, b)?;
    log::debug!("dependences: {} units of work left", b.left());
    show_dependences(&by_array, show);
    let movable = by_array.movable_arrays(&program, b)?;
    let beside = beside(border.as_deref());
    let outlook = match has_one_order {
        true => Outlook::of_threads(ONE_ORDER, &program, target, choices, b)?,
        false
            if choices.unprofitable
                || bound::may_gain((&program, beside), target, by_array.arrays(), &movable, MARGIN, b)? =>
        {
            Outlook::Open
        }
        false => Outlook::of_threads(NO_BETTER_ORDER, &program, target, choices, b)?,
    };
    let slots = match has_one_order {
        true => Vec::new(),
        false => b
            .trial(b.left() / SLOTS, |b| expandable_slots(&program, &by_array, b))?
            .unwrap_or_default(),
    };
    if let (Outlook::NoGain(reason), true) = (outlook, splittings.is_empty() && slots.is_empty()) {
        return Err(Kept::NoGain(reason.to_owned()));
    }
    let problem = Problem {
        assumed: assumptions_on_loops(&assumptions, &program, b)?,
        program,
        variables,
        dependences: by_array,
        fixed: OnceCell::new(),
        border,
        in_original_order: false,
        threads_only: match outlook {
            Outlook::OnThreads(reason) => Some(reason),
            Outlook::Open | Outlook::NoGain(_) => None,
        },
        form: Form::Given,
    };
    let considered = Considered::default();
    let search = problem.search(target, choices, show, &considered, b);
    let order = match outlook {
        Outlook::NoGain(reason) => Err(Kept::NoGain(reason.to_owned())),
        Outlook::Open | Outlook::OnThreads(_) => search.ordered(&movable),
    };
    let found = search.or_split(&splittings, order);
    let found = search.or_interiors(found);
    let found = search.or_expanded(&slots, found);
    let found = search.or_in_strips(found);
    let found = search.or_with_array_copies(found);
    let without_panels = found.as_ref().ok().cloned();
    let found = search.or_in_panels(found);
    let found = match wants_threads {
        true => search.or_original_on_threads(found),
        false => found,
    };
    considered.finish(found.as_ref().map(|(_, order)| (order.id, order.threads.is_some())));
    show(Stage::Candidates, &considered);
    let (problem, order) = found?;
    let otherwise = without_panels.filter(|_| problem.node_splitting().is_some());
    let assumptions = match problem.assumed_for_copies() {
        Some(assumed) => assumptions.intersect(assumed).compact(b)?,
        None => assumptions,
    };
    // Sizes of arrays that no loop depends on may be compared, too.
    let compared = order.sizes.params().map(|name| Params::new([name.clone()]));
    let params = compared.fold(assumptions.params().clone(), |all, own| all.union(&own));
    let assumptions = assumptions.align_params(&params);
    let otherwise = otherwise.map(|(problem, order)| {
        Box::new(NewOrder {
            assumptions: assumptions.clone(),
            problem,
            order,
            otherwise: None,
        })
    });
    Ok(NewOrder {
        assumptions,
        problem,
        order,
        otherwise,
    })
}

/// What is known of the gain before there is an order.
#[derive(Clone, Copy, Debug)]
enum Outlook {
    /// An order may gain.
    Open,
    /// None gains on one thread, for this reason, but threads may.
    OnThreads(&'static str),
    /// None gains, for this reason, unless the program is changed.
    NoGain(&'static str),
}

impl Outlook {
    /// That of a program that gains nothing on one thread, for this reason.
    fn of_threads(
        reason: &'static str,
        program: &Program,
        target: &Target,
        choices: &Choices,
        b: &Budget,
    ) -> Outcome<Outlook> {
        Ok(
            match choices.parallel != Parallel::Never && threads::may_gain(program, target, choices, b)? {
                true => Outlook::OnThreads(reason),
                false => Outlook::NoGain(reason),
            },
        )
    }
}

/// What is assumed of the parameters of loops. What the sizes of arrays are beside each other is no concern of theirs.
fn assumptions_on_loops(assumptions: &Set, program: &Program, b: &Budget) -> Outcome<Set> {
    let params = program.context.params();
    let names = assumptions.params().names().iter();
    let others: Vec<&str> = names
        .filter(|name| params.position_of(name).is_none())
        .map(Name::as_str)
        .collect();
    assumptions.project_out_params(&others, b)?.compact(b)
}

/// Whether a program of several nests may gain by an order of all of it over the orders of its nests alone, which take so many
/// cycles. It may if nests fetch the same array.
///
/// # Errors
///
/// If the budget is spent.
pub fn gains_together(
    program: &Program,
    target: &Target,
    nests: &[Vec<Name>],
    cycles: f64,
    b: &Budget,
) -> Outcome<bool> {
    let executed = Program {
        assumptions: with_instances(program, b)?,
        ..program.clone()
    };
    let program = executed.without_far_bounds().without_unused_params(b)?;
    let none = UnionMap::empty(program.context.params().clone());
    let model = Model::new(&program, &none, target, b)?;
    let of_nest = |names: &Vec<Name>| {
        let own = program
            .statements
            .iter()
            .filter(|statement| names.contains(statement.name()));
        own.map(|statement| statement.tuple().clone()).collect()
    };
    let nests: Vec<Vec<Tuple>> = nests.iter().map(of_nest).collect();
    Ok(fusion::may_gain(&model, &nests, cycles))
}

fn show_dependences(dependences: &ByArray, show: &dyn Fn(Stage, &dyn Display)) {
    let all = dependences.all();
    for (kind, relation) in [("flow", &all.flow), ("anti", &all.anti), ("output", &all.output)] {
        show(Stage::Dependences, &format_args!("# {kind}: {relation}\n"));
    }
}

/// Assumptions of more cases than that are assumed in the most usual ones only.
const MOST_CASES: usize = 3;

/// Parameters up to this one are usual.
const USUAL: i64 = 1 << 20;

/// The assumptions without the cases in which nothing is executed. The original is right for these, too, and loops for
/// all others are simpler. So is it for all but the cases in which most statements are executed, some of them for usual sizes: of a border as wide
/// as a parameter says, there are a dozen, which differ in what is empty and what wraps around.
fn with_instances(program: &Program, b: &Budget) -> Outcome<Set> {
    let space = program.assumptions.space();
    let executed = |possible: &Set| -> Outcome<usize> {
        let mut executed = 0;
        for statement in &program.statements {
            executed += usize::from(!statement.domain.intersect_params(possible).is_empty(b)?);
        }
        Ok(executed)
    };
    let mut cases = Vec::new();
    for case in program.assumptions.pieces() {
        let possible = Set::from_conj(space.clone(), case.clone()).intersect_params(&program.context);
        let executed = executed(&possible)?;
        if executed > 0 {
            cases.push((executed, case.clone()));
        }
    }
    if cases.len() > MOST_CASES {
        let small = usual(program.assumptions.params());
        let most = cases.iter().map(|(executed, _)| *executed).max();
        let mut kept = Vec::new();
        for (own, case) in &cases {
            let possible = Set::from_conj(space.clone(), case.clone()).intersect_params(&small);
            if Some(*own) == most && Some(executed(&possible)?) == most {
                kept.push((*own, case.clone()));
            }
        }
        if !kept.is_empty() {
            cases = kept;
        }
    }
    let cases = cases.into_iter().map(|(_, case)| case);
    Ok(Set::from_conjs(space.clone(), cases.collect()))
}

/// The parameter values that are usual.
fn usual(params: &Params) -> Set {
    let mut small = Conj::universe(params.len());
    for param in 0..params.len() {
        for sign in [Int::ONE, -Int::ONE] {
            let mut row = zeros(1 + params.len());
            row[0] = Int::from(USUAL);
            row[1 + param] = sign;
            small.add_ineq(row);
        }
    }
    Set::from_conj(SetSpace::params_only(params.clone()), small)
}

/// An order of a program that is legal and expected to gain; its loops are not generated yet.
#[derive(Clone, Debug)]
pub struct NewOrder {
    /// The parameter values that it is for.
    assumptions: Set,
    problem: Problem,
    order: CheckedOrder,
    /// The order that is taken where this one's loops cannot be generated.
    otherwise: Option<Box<NewOrder>>,
}

impl NewOrder {
    /// The expected number of cycles.
    pub fn cycles(&self) -> f64 {
        self.order.cycles()
    }

    /// Generates the loops, for the target and choices that the order was found for.
    ///
    /// # Errors
    ///
    /// Why there are none.
    pub fn into_plan(
        self,
        target: &Target,
        choices: &Choices,
        fallback: Fallback,
        show: &dyn Fn(Stage, &dyn Display),
        b: &Budget,
    ) -> Result<Plan, Kept> {
        let considered = Considered::default();
        let search = self.problem.search(target, choices, show, &considered, b);
        let found = search.with_loops(
            self.order,
            if self.otherwise.is_some() {
                Fallback::Nothing
            } else {
                fallback
            },
        );
        if let (Err(reason), Some(other)) = (&found, self.otherwise) {
            log::debug!("no loops of panels: {reason}");
            return other.into_plan(target, choices, fallback, show, b);
        }
        considered.finish(found.as_ref().map(|(order, _)| (order.id, order.threads.is_some())));
        show(Stage::Candidates, &considered);
        let (mut order, loops) = found?;
        let alone = search.loops_alone(&order, &loops)?;
        let (before, after) = (order.before.cycles(), order.found.cost.cycles());
        let expected = format_args!("# expected: {before:.4e} cycles in the original order, {after:.4e} in this one\n");
        show(Stage::Plan, &expected);
        show(Stage::Plan, &loops.tree);
        show(Stage::Ast, &loops.ast);
        log::debug!("loops: {} units of work left", b.left());
        if order.transforms.is_empty() {
            order.transforms = without_reordering(&self.problem.program);
        }
        let (threaded, threads) = order.threads.unzip();
        let on_threads = threaded.into_iter().flat_map(|threaded| threaded.transforms);
        Ok(Plan {
            tree: loops.tree,
            transforms: order.transforms.into_iter().chain(on_threads).collect(),
            threads,
            before: order.before,
            after: order.found.cost,
            sizes: order.sizes,
            expansions: loops.expansions,
            packed: loops.packed,
            node_splitting: self.problem.node_splitting().cloned(),
            ast: loops.ast.align_params(self.assumptions.params()),
            alone: alone.map(|alone| Alone {
                tree: alone.tree,
                ast: alone.ast.align_params(self.assumptions.params()),
            }),
            assumptions: self.assumptions,
        })
    }
}

/// What new code for the original order does to a program.
fn without_reordering(program: &Program) -> Vec<Transform> {
    let those = |which: &dyn Fn(&Statement) -> bool| -> Vec<Tuple> {
        let statements = program.statements.iter().filter(|statement| which(statement));
        statements.map(|statement| statement.tuple().clone()).collect()
    };
    let (roots, reloads) = (those(&may_set_errno), those(&|statement| statement.reloads > 0));
    let roots = (!roots.is_empty()).then_some(Transform::DeferErrno { statements: roots });
    let reloads = (!reloads.is_empty()).then_some(Transform::HoistLoads { statements: reloads });
    roots.into_iter().chain(reloads).collect()
}

/// What to do where the loops of the best order cost too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallback {
    /// Simpler orders are tried.
    Simpler,
    /// Nothing: parts of the program can be planned by themselves, which is better than a simpler order of the whole.
    Nothing,
}

/// A program, and what was found out about it before the search for an order.
#[derive(Clone, Debug)]
struct Problem {
    /// In new variables.
    program: Program,
    variables: ChangeOfVariables,
    /// Those of whole statements.
    dependences: ByArray,
    /// What an order has to respect in which all live ranges stay in order: see [`Problem::fixed`].
    fixed: OnceCell<Order>,
    /// What stays in its order in front of the program, and is no part of it.
    border: Option<Rc<Border>>,
    /// What holds for the parameters wherever the new order is used.
    assumed: Set,
    /// Why no order gains on one thread, if that is known beforehand.
    threads_only: Option<&'static str>,
    /// Whether the orders that are looked for have the loops of the original.
    in_original_order: bool,
    form: Form,
}

/// What the program of a problem is.
#[derive(Clone, Debug)]
enum Form {
    /// The one that was given, in new variables.
    Given,
    /// Its statements are pieces of those.
    InPieces(Rc<Whole>),
    /// Scalars of that one are expanded.
    Expanded(Rc<Unexpanded>),
    /// Its statements are pieces of those, with copies of what some of them read.
    InPanels(Rc<Unsplit>),
}

/// Tells the end of the budget from other reasons.
fn spent_or<T>(result: Result<T, Kept>) -> Outcome<Result<T, Kept>> {
    match result {
        Err(Kept::OutOfBudget) => Err(OutOfBudget),
        other => Ok(other),
    }
}
