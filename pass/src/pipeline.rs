//! From the model of a region to its replacement: a plan, and the run-time checks that it needs.

use crate::accessed_elements::{accessed_elements, fixed_subscripts};
use crate::options::{AssumeConditions, Options, Print};
use crate::scev::pieces::nonnegative;
use crate::scop::Scop;
use crate::target;
use crate::verifiers::verify_plan;
use farkas_emit::{
    ArrayRange, Buffer, Device, Guards, IndirectChecks, IndirectRange, InnerRange, Inspection, Interval, LoadCondition,
    PassedElements, PointerChecks, RowChecks, Rows, arithmetic_fits, rows_fit,
};
use farkas_llvm::Run;
use farkas_llvm::scop_ir::{ArrayId, Base, limit_of};
use farkas_llvm::value::{Kind, Value};
use farkas_plan::{Choices, Fallback, NewOrder, Plan, Stage, Summary};
use farkas_polyhedral::ast::{self, Ast, AstError, Condition};
use farkas_polyhedral::budget::{Budget, OutOfBudget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::{Expansion, NodeSplitting, PackedTile};
use farkas_polyhedral::sets::{Aff, Name, Params, Set, SetSpace, Tuple, UnionMap};
use farkas_polyhedral::tree::Tree;
use farkas_report::Record;
use std::cell::RefCell;
use std::fmt::Display;
use std::iter;

/// Upper limit on address comparisons in one guard: those of 50 sorted arrays.
const MOST_COMPARISONS: usize = 600;

/// Work for the last element of an array that is accessed, in units of the budget: ten times what arrays with many accesses take.
const LAST_ELEMENT_WORK: u64 = 20_000;

/// Work for the guards of a plan, in units of the budget, where its loops left less.
const GUARDS_WORK: u64 = 3 * LAST_ELEMENT_WORK;

/// The least gain for which conditions on data are assumed: where one fails, looking at them was for nothing. (Measured on Zen 4, routines of
/// the reference BLAS: where 1.3 was expected, it was 0.97 to 1.33.)
const LEAST_GAIN_OF_ASSUMPTIONS: f64 = 1.25;

/// The replacement of a region.
pub(crate) struct Replacement {
    pub(crate) ast: Ast,
    /// The loops for one thread, where these are others.
    pub(crate) alone: Option<Ast>,
    pub(crate) guards: Guards,
    /// The order, if the new code has no arrays of its own.
    pub(crate) tree: Option<Tree>,
    /// The scalar slots that are arrays in the new code.
    pub(crate) expansions: Vec<Expansion>,
    /// The tiles of arrays that are in buffers in it.
    pub(crate) packed: Vec<PackedTile>,
    /// The pieces of statements that it is of, and the copies that some of them read.
    pub(crate) node_splitting: Option<NodeSplitting>,
    /// The sizes for which loops run on threads, if any do.
    pub(crate) threads: Option<Condition>,
    /// The device that it runs on, if it is kernels.
    pub(crate) device: Option<Device>,
    /// The transformation, for the user.
    pub(crate) summary: Summary,
    /// The parameters of conditions, in their order.
    pub(crate) params: Params,
}

/// Why a modelled nest is not replaced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Kept {
    #[error(transparent)]
    Plan(#[from] farkas_plan::Kept),
    #[error("what has to be checked at run time is not bounded by the parameters")]
    UnboundedCheck,
    #[error("{0} arrays would have to be checked not to overlap")]
    TooManyChecks(usize),
    #[error("the gain expected is too small to assume that conditions on data around loops hold")]
    SmallGain,
    #[error("bounds of the new loops might not fit in 64 bits")]
    Overflow,
    /// It does not run on a GPU.
    #[error("{0}")]
    NoKernels(String),
}

impl Kept {
    /// The change that would help the author.
    pub(crate) fn advice(&self) -> Option<&'static str> {
        match self {
            Kept::TooManyChecks(_) => Some("mark the arrays as `restrict` if they do not overlap"),
            Kept::Plan(_) | Kept::UnboundedCheck | Kept::SmallGain | Kept::Overflow | Kept::NoKernels(_) => None,
        }
    }

    /// The reason's own name, in names of remarks.
    pub(crate) fn name(&self) -> String {
        match self {
            Kept::Plan(reason) => format!("{reason:?}"),
            own => format!("{own:?}"),
        }
    }
}

impl From<OutOfBudget> for Kept {
    fn from(spent: OutOfBudget) -> Self {
        Kept::Plan(spent.into())
    }
}

/// What the user chose, as far as it concerns planning.
fn choices(options: &Options) -> Choices {
    Choices {
        tile_sizes: options.tile.clone(),
        unprofitable: options.unprofitable
            || options.vectorize == farkas_plan::Vectorize::Force
            || options.pack == farkas_plan::Pack::Force
            || options.parallel == farkas_plan::Parallel::Force,
        candidate: options.candidate,
        vectorize: options.vectorize,
        pack: options.pack,
        parallel: options.parallel,
        may_be_inlined: false,
        without_copies: Vec::new(),
    }
}

/// The same for a function.
pub(crate) fn choices_for(options: &Options, run: &Run<'_>) -> Choices {
    Choices {
        may_be_inlined: run.may_be_inlined(),
        ..choices(options)
    }
}

/// Prints the stages that the user asks for, and keeps all of them for a report, if there is to be one.
fn print<'s>(options: &'s Options, record: &'s Record) -> impl Fn(Stage, &dyn Display) + use<'s> {
    move |stage, text| {
        if options.prints(Print::Stage(stage)) {
            eprint!("{text}");
        }
        if options.report.is_some() {
            record.keep(stage, text);
        }
    }
}

/// What stages say of an order that may be taken later.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stages {
    /// Their text, as far as it is to be printed.
    printed: RefCell<String>,
    /// All of it, if there is to be a report.
    record: Record,
}

impl Stages {
    /// Takes what stages say, to be printed later.
    pub(crate) fn show<'s>(&'s self, options: &'s Options) -> impl Fn(Stage, &dyn Display) + use<'s> {
        move |stage, text| {
            if options.prints(Print::Stage(stage)) {
                *self.printed.borrow_mut() += &text.to_string();
            }
            if options.report.is_some() {
                self.record.keep(stage, text);
            }
        }
    }

    /// Prints what the user asks for, and adds all to a record.
    pub(crate) fn print(self, record: &Record) {
        eprint!("{}", self.printed.into_inner());
        record.append(self.record);
    }
}

/// Whether nests are replaced only where one thread is expected to gain.
pub(crate) fn takes_only_gains(options: &Options) -> bool {
    let choices = choices(options);
    !choices.unprofitable && choices.parallel == farkas_plan::Parallel::Never
}

/// The work that a nest is worth, in units of the budget.
pub(crate) fn work(options: &Options, scop: &Scop<'_>) -> u64 {
    farkas_plan::budget(&scop.program, &choices(options)).left()
}

/// An order for a nest, before it has loops.
#[derive(Clone, Debug)]
pub(crate) struct Ordered {
    order: NewOrder,
    stages: Stages,
    /// The work that is left for its loops and run-time checks, in units of the budget.
    left: u64,
}

/// The arrays that can have no copies: all of them where there is no allocator, or it is not to be called.
fn arrays_without_copies(options: &Options, run: &Run<'_>, scop: &Scop<'_>) -> Vec<Name> {
    match options.allocate && run.has_allocator() {
        true => farkas_emit::arrays_without_copies(run, (&scop.ir, &scop.program)),
        false => scop.ir.arrays.iter().map(|array| Name::from(&array.name[..])).collect(),
    }
}

/// Searches an order for a nest that is legal and expected to gain, with so much work.
///
/// # Errors
/// Why the nest stays as it is, and what the stages said.
pub(crate) fn find_order(
    options: &Options,
    run: &Run<'_>,
    scop: &Scop<'_>,
    work: u64,
) -> Result<Ordered, (Kept, Stages)> {
    let stages = Stages::default();
    let b = Budget::new(work);
    let choices = Choices {
        without_copies: arrays_without_copies(options, run, scop),
        ..choices_for(options, run)
    };
    let found = farkas_plan::find_order(
        &scop.program,
        &target::target(options, run),
        &choices,
        &stages.show(options),
        &b,
    );
    log::debug!("order took {} units of work", work - b.left());
    match found {
        Ok(order) => Ok(Ordered {
            order,
            stages,
            left: b.left(),
        }),
        Err(kept) => Err((kept.into(), stages)),
    }
}

impl Ordered {
    /// The expected number of cycles.
    pub(crate) fn cycles(&self) -> f64 {
        self.order.cycles()
    }
}

/// Whether nests with these statements, which take so many cycles apart, may gain by an order for all of them.
///
/// # Errors
/// If the budget is spent.
pub(crate) fn gains_together(
    options: &Options,
    run: &Run<'_>,
    scop: &Scop<'_>,
    nests: &[Vec<Name>],
    cycles: f64,
) -> Outcome<bool> {
    let b = farkas_plan::budget(&scop.program, &choices(options));
    farkas_plan::gains_together(&scop.program, &target::target(options, run), nests, cycles, &b)
}

/// Makes the replacement of a nest by an order for it, and prints the stages. All that they say goes to the record, if there is to be a
/// report.
///
/// # Errors
/// Why the nest stays as it is.
pub(crate) fn replacement<'a>(
    options: &Options,
    run: &'a Run<'_>,
    scop: &Scop<'a>,
    ordered: Ordered,
    fallback: Fallback,
    record: &Record,
) -> Result<Replacement, Kept> {
    ordered.stages.print(record);
    let show = print(options, record);
    let b = &Budget::new(ordered.left);
    let target = target::target(options, run);
    let plan = ordered
        .order
        .into_plan(&target, &choices_for(options, run), fallback, &show, b)?;
    let replacement = replacement_of(options, run, scop, plan, b)?;
    let is_small = replacement
        .summary
        .gain
        .is_some_and(|gain| gain < LEAST_GAIN_OF_ASSUMPTIONS);
    let is_auto = options.conditions == AssumeConditions::Auto && takes_only_gains(options);
    match is_small && is_auto && !scop.conditions.is_empty() {
        true => Err(Kept::SmallGain),
        false => Ok(replacement),
    }
}

/// Makes the replacement of a nest by an order by hand, as [`replacement`] does.
///
/// # Errors
/// Why the order is not taken, for the user.
pub(crate) fn replacement_by_hand<'a>(
    options: &Options,
    run: &'a Run<'_>,
    scop: &Scop<'a>,
    tree: &Tree,
    record: &Record,
) -> Result<Replacement, String> {
    let show = print(options, record);
    let b = &farkas_plan::budget_by_hand();
    let target = target::target(options, run);
    let planned = farkas_plan::plan_by_hand(&scop.program, tree, &target, &show, b);
    let plan = planned.map_err(|not_taken| not_taken.to_string())?;
    replacement_of(options, run, scop, plan, b).map_err(|kept| kept.to_string())
}

/// The replacement of a nest by a plan.
fn replacement_of<'a>(
    options: &Options,
    run: &'a Run<'_>,
    scop: &Scop<'a>,
    plan: Plan,
    b: &Budget,
) -> Result<Replacement, Kept> {
    if options.verify {
        verify_plan(run, scop, &plan);
    }
    let summary = plan.summary();
    let (ast, assumptions) = (plan.ast, plan.assumptions);
    let sizes = plan.sizes.condition(assumptions.params());
    let threads = plan
        .threads
        .map(|threads| threads.sizes.condition(assumptions.params()));
    let guards = b.at_least(GUARDS_WORK, |b| {
        let left = b.left();
        let guards = guards(run, scop, (sizes, &assumptions), b);
        log::debug!("guards took {} units of work", left - b.left());
        guards
    })?;
    let alone = plan.alone.map(|alone| alone.ast);
    let ranges = parameter_ranges(run, scop);
    if !iter::once(&ast)
        .chain(&alone)
        .all(|ast| arithmetic_fits(ast, &guards, &ranges))
    {
        return Err(Kept::Overflow);
    }
    let is_plain = plan.expansions.is_empty() && plan.packed.is_empty() && plan.node_splitting.is_none();
    Ok(Replacement {
        ast,
        alone,
        guards,
        tree: is_plain.then_some(plan.tree),
        expansions: plan.expansions,
        packed: plan.packed,
        node_splitting: plan.node_splitting,
        threads,
        device: None,
        summary,
        params: assumptions.params().clone(),
    })
}

/// The run-time checks.
pub(crate) fn guards<'a>(
    run: &'a Run<'_>,
    scop: &Scop<'a>,
    (sizes, assumptions): (Condition, &Set),
    b: &Budget,
) -> Result<Guards, Kept> {
    let holds = assumptions.pieces().iter().any(|piece| piece.is_plainly_universe());
    let assumed = assumptions;
    let assumptions = if holds {
        Condition::TRUE
    } else {
        ast::membership(assumptions, b)?
    };
    let has_affine = |array: ArrayId| Outcome::Ok(!scop.shapes[array.0].outermost_extent.is_empty(b)?);
    let (mut pairs, mut indirect_pairs, mut row_pairs) = (Vec::new(), Vec::new(), Vec::new());
    let mut buffers = Vec::new();
    for (one, other) in &scop.alias_checks {
        let [is_indirect, other_is_indirect] = [one, other].map(|array| scop.indirect.are_of(*array));
        if !is_indirect && !has_affine(*one)? || !other_is_indirect && !has_affine(*other)? {
            continue;
        }
        let bases = [one, other].map(|array| scop.ir.arrays[array.0].base);
        let [has_table, other_has_table] = bases.map(|base| matches!(base, Base::Table(_)));
        let in_turns = bases.iter().any(|base| matches!(base, Base::Rotation(_)));
        let is_same = || {
            let [own, others] = [one, other].map(|array| addresses_of(scop, *array));
            own.iter()
                .any(|one| others.iter().any(|other| is_same_base(run, *one, *other)))
        };
        if has_table == other_has_table && one != other && is_same() {
            return Err(farkas_plan::Kept::NeverHolds.into());
        }
        match (has_table || other_has_table, is_indirect || other_is_indirect, in_turns) {
            (true, true, _) | (true, _, true) | (_, true, true) => return Err(Kept::UnboundedCheck),
            (true, false, false) => row_pairs.push((*one, *other)),
            (false, true, false) => indirect_pairs.push((*one, *other)),
            (false, false, false) => pairs.push((*one, *other)),
            (false, false, true) => buffers.extend(buffer_pairs(scop, *one, *other)),
        }
    }
    let pointer_checks = PointerChecks::new(pairs, buffers);
    let indirect = indirect_checks(scop, indirect_pairs, assumed, b)?;
    let rows = row_checks(run, scop, row_pairs, assumed, b)?;
    let conditions = scop
        .conditions
        .iter()
        .map(|own| instances(scop, &own.domain, assumed, b));
    let conditions = conditions.collect::<Result<_, Kept>>()?;
    let mut compared = pointer_checks.arrays();
    compared.extend(indirect.arrays());
    compared.extend(rows.arrays());
    if pointer_checks.comparisons() + indirect.comparisons() + rows.comparisons() > MOST_COMPARISONS {
        return Err(Kept::TooManyChecks(compared.len()));
    }
    let mut array_ranges = Vec::new();
    for array in compared {
        match scop.ir.arrays[array.0].base {
            Base::Pointer(_) if has_affine(array)? => array_ranges.push(range(run, scop, array, assumed, b)?),
            Base::Rotation(_) if has_affine(array)? => array_ranges.push(row_range(run, scop, array, b)?),
            _ => {}
        }
    }
    let mut loads = Vec::new();
    for condition in &scop.load_conditions {
        loads.push(match condition {
            None => None,
            Some(set) => Some(LoadCondition {
                condition: ast::membership(set, b)?,
                params: (0..set.params().len()).filter(|p| set.involves_param(*p)).collect(),
            }),
        });
    }
    Ok(Guards {
        sizes,
        assumptions,
        pointer_checks,
        indirect,
        rows,
        conditions,
        array_ranges,
        loads,
    })
}

/// Loops over the instances of a condition on data, in the order of their counters, for parameters that are assumed.
fn instances(scop: &Scop<'_>, domain: &Set, assumed: &Set, b: &Budget) -> Result<Ast, Kept> {
    let params = scop.program.context.params();
    let order = domain.align_params(params).identity();
    let mut schedule = UnionMap::empty(params.clone());
    schedule.add(&order.with_range_tuple(Tuple::anonymous(domain.n_dims())));
    let context = assumed.align_params(params);
    let no_options = UnionMap::empty(params.clone());
    let ast = ast::generate_relation(&schedule, &context, &no_options, &ast::Options::default(), b);
    ast.map_err(|error| match error {
        AstError::OutOfBudget(spent) => spent.into(),
        AstError::Unbounded { .. } | AstError::Unrollable { .. } => Kept::UnboundedCheck,
    })
}

/// The checks of these pairs of arrays, of which one has indirect accesses, for parameters that are assumed.
fn indirect_checks(
    scop: &Scop<'_>,
    pairs: Vec<(ArrayId, ArrayId)>,
    assumed: &Set,
    b: &Budget,
) -> Result<IndirectChecks, Kept> {
    if pairs.is_empty() {
        return Ok(IndirectChecks::default());
    }
    let mut inspections = Vec::new();
    for inspected in &scop.indirect.inspected {
        inspections.push(Inspection {
            array: inspected.array,
            elements: passed_elements(scop, (inspected.array, &inspected.elements), assumed, b)?,
            is_signed: inspected.is_signed,
        });
    }
    let mut ranges = Vec::new();
    let is_compared = |array: ArrayId| pairs.iter().any(|(one, other)| *one == array || *other == array);
    for access in scop.indirect.accesses.iter().filter(|access| is_compared(access.array)) {
        let mut bounds = |values: &Set| ast::bounds_of(values, b)?.ok_or(Kept::UnboundedCheck);
        ranges.push(IndirectRange {
            array: access.array,
            offset: access.offset.try_map(&mut bounds)?,
            size: access.size,
        });
    }
    Ok(IndirectChecks {
        inspections,
        ranges,
        pairs,
    })
}

/// The elements of an array that a pass in front of the region goes over, for parameters that are assumed.
fn passed_elements(
    scop: &Scop<'_>,
    (array, elements): (ArrayId, &Set),
    assumed: &Set,
    b: &Budget,
) -> Result<PassedElements, Kept> {
    let elements = elements.intersect(&within_sizes(scop, array, assumed));
    let fixed_subscripts = fixed_subscripts(&elements, b)?;
    let elements = accessed_elements(&elements, &scop.shapes[array.0].sizes, b)?;
    Ok(PassedElements {
        elements: elements.ok_or(Kept::UnboundedCheck)?,
        fixed_subscripts,
    })
}

/// The checks of these pairs of arrays, of which one has a table, for parameters that are assumed.
fn row_checks(
    run: &Run<'_>,
    scop: &Scop<'_>,
    pairs: Vec<(ArrayId, ArrayId)>,
    assumed: &Set,
    b: &Budget,
) -> Result<RowChecks, Kept> {
    let is_compared = |array: ArrayId| pairs.iter().any(|(one, other)| *one == array || *other == array);
    let mut rows = Vec::new();
    for own in scop.indirect.tables.iter().filter(|own| is_compared(own.rows)) {
        let of_rows = scop.shapes[own.rows.0].rows.as_ref().expect("an array with a table");
        rows.push(Rows {
            elements: passed_elements(scop, (own.table, &own.elements), assumed, b)?,
            range: row_range(run, scop, own.rows, b)?,
            step: of_rows.step,
        });
    }
    let depths = scop.program.statements.iter().map(|statement| statement.tuple().n());
    Ok(RowChecks {
        rows,
        depth: depths.max().unwrap_or(0),
        pairs,
    })
}

/// The part of each row of an array that the region accesses, whatever is assumed.
fn row_range(run: &Run<'_>, scop: &Scop<'_>, array: ArrayId, b: &Budget) -> Result<ArrayRange, Kept> {
    let shape = &scop.shapes[array.0];
    let of_rows = shape.rows.as_ref().expect("an array in rows");
    let params = scop.program.context.params();
    let (first, last) = ast::bounds_of(&of_rows.extent.align_params(params), b)?.ok_or(Kept::UnboundedCheck)?;
    // The first size is that of a row in its first dimension.
    let inner_sizes = shape.sizes[of_rows.table_dims..].iter();
    let size = |size: &Aff| ast::parameter_expression(&size.align_params(params), b);
    let mut range = ArrayRange {
        array,
        first,
        last,
        sizes: inner_sizes.map(size).collect::<Outcome<_>>()?,
        inner: InnerRange::Whole,
        checked: false,
    };
    range.checked = !rows_fit(&range, &parameter_ranges(run, scop));
    Ok(range)
}

/// The addresses that an array is at: its base, that of the table that its rows are at, or those of its buffers.
fn addresses_of<'a>(scop: &Scop<'a>, array: ArrayId) -> Vec<Value<'a>> {
    match scop.ir.arrays[array.0].base {
        Base::Table(table) => addresses_of(scop, table),
        Base::Pointer(_) | Base::Rotation(_) => scop.ir.addresses_of(array),
    }
}

/// The pairs of buffers of two arrays, one of which may have a single one, or of one array.
fn buffer_pairs(scop: &Scop<'_>, one: ArrayId, other: ArrayId) -> Vec<(Buffer, Buffer)> {
    let all = |array: ArrayId| (0..addresses_of(scop, array).len()).map(move |position| Buffer { array, position });
    let pairs = all(one).flat_map(|own| all(other).map(move |others| (own, others)));
    pairs
        .filter(|(own, others)| one != other || own.position < others.position)
        .collect()
}

/// Whether both bases are loads of one address in one block, between which nothing is written: the check that their
/// arrays do not overlap would never hold.
fn is_same_base<'a>(run: &'a Run<'_>, one: Value<'a>, other: Value<'a>) -> bool {
    let address = |base: Value<'a>| match base.is_instruction().then(|| base.kind()) {
        Some(Kind::Load { pointer }) => run.scev(pointer),
        _ => None,
    };
    let Some(target) = address(one) else { return false };
    if address(other) != Some(target) || one.block() != other.block() {
        return false;
    }
    let between = one.block().instructions();
    let mut between = between
        .split(|i| *i == one || *i == other)
        .nth(1)
        .unwrap_or_default()
        .iter();
    !between.any(|i| i.facts().may_write() && !i.facts().droppable())
}

/// The number of comparisons that a condition takes.
pub(crate) fn comparisons(condition: &Condition) -> usize {
    match condition {
        Condition::All(parts) | Condition::Any(parts) => parts.iter().map(comparisons).sum(),
        Condition::NonNegative(_) | Condition::Zero(_) | Condition::Multiple(..) => 1,
    }
}

/// The part of an array that the region accesses, for parameters that are assumed.
fn range(run: &Run<'_>, scop: &Scop<'_>, array: ArrayId, assumptions: &Set, b: &Budget) -> Result<ArrayRange, Kept> {
    let shape = &scop.shapes[array.0];
    let (first, last) = ast::bounds_of(&shape.outermost_extent, b)?.ok_or(Kept::UnboundedCheck)?;
    let params = scop.program.context.params();
    let size = |size: &farkas_polyhedral::sets::Aff| ast::parameter_expression(&size.align_params(params), b);
    let mut range = ArrayRange {
        array,
        first,
        last,
        sizes: shape.sizes.iter().map(size).collect::<Outcome<_>>()?,
        inner: InnerRange::Whole,
        checked: false,
    };
    if let Some(overlap) = &shape.overlap {
        let bounds = |extent: &Set| ast::bounds_of(&extent.align_params(params), b)?.ok_or(Kept::UnboundedCheck);
        let inner = overlap.inner_extents.iter().map(bounds);
        range.inner = InnerRange::Between(inner.collect::<Result<_, Kept>>()?);
        range.checked = true;
        return Ok(range);
    }
    let left = b.left();
    let last = b.trial(LAST_ELEMENT_WORK, |b| last_element(scop, array, assumptions, b))?;
    log::debug!(
        "last element of {} took {} units of work",
        scop.ir.arrays[array.0].name,
        left - b.left()
    );
    if let Ok(Some(last)) = last {
        let mut last = last.iter().map(|aff| ast::parameter_expression(aff, b));
        range.last = last.next().expect("an array has a dimension")?.into();
        range.inner = InnerRange::UpTo(last.collect::<Outcome<_>>()?);
    }
    range.checked = !rows_fit(&range, &parameter_ranges(run, scop));
    Ok(range)
}

/// The subscripts of the last element of an array that the region accesses, for parameters that are assumed, if it accesses
/// any. `None` if it is the last of its row, or not one for all of these parameters.
///
/// What is modelled as rows need be none of the source: `a[i * n + i]` is in rows of `n + 1` elements, of which the last one
/// would end behind an array of `n * n`. So it is with a block of a matrix.
fn last_element(scop: &Scop<'_>, array: ArrayId, assumptions: &Set, b: &Budget) -> Outcome<Option<Vec<Aff>>> {
    let shape = &scop.shapes[array.0];
    if shape.strided || shape.sizes.is_empty() {
        return Ok(None);
    }
    let params = scop.program.context.params();
    let within = within_sizes(scop, array, assumptions);
    let space = within.space().clone();
    let tuple = space.tuple.clone();
    let mut accessed = Set::empty(space.clone());
    let of_statements = scop.program.statements.iter().flat_map(|statement| &statement.accesses);
    let of_conditions = scop.conditions.iter().flat_map(|condition| &condition.accesses);
    for access in of_statements.chain(of_conditions) {
        if *access.array() != tuple {
            continue;
        }
        let relation = access.relation.align_params(params);
        let depth = relation.domain_tuple().n();
        for piece in relation.explicit(b)?.pieces() {
            let elements = piece.eliminate_rational(params.len(), depth, b)?;
            accessed = accessed.union(&Set::from_conj(space.clone(), elements));
        }
    }
    let last = accessed.intersect(&within).lexmax_pw_multi_aff(b)?;
    let mut pieces = last.pieces().map(|(_, last)| last.affs());
    let Some(last) = pieces.next() else { return Ok(None) };
    let is_plain = |aff: &Aff| aff.divs().is_empty() && aff.den().is_one();
    if !pieces.all(|other| other == last) || !last.iter().all(is_plain) {
        return Ok(None);
    }
    let ends_row = last[1..].iter().zip(&shape.sizes).all(|(inner, size)| {
        let size = over(&size.align_params(params), inner.space());
        *inner == size.add_constant(&Int::from(-1))
    });
    Ok((!ends_row).then(|| last.to_vec()))
}

/// A function of the parameters on a space.
fn over(aff: &Aff, space: &SetSpace) -> Aff {
    aff.insert_dims(0, space.tuple.n(), space.tuple.clone())
}

/// The elements of an array whose inner subscripts are within their sizes, for parameters that are assumed. Their lexicographic order is
/// the order of their addresses.
pub(crate) fn within_sizes(scop: &Scop<'_>, array: ArrayId, assumptions: &Set) -> Set {
    let shape = &scop.shapes[array.0];
    let params = scop.program.context.params();
    let tuple = Tuple::new(&scop.ir.arrays[array.0].name, 1 + shape.sizes.len());
    let space = SetSpace::new(params.clone(), tuple);
    let mut within = Set::universe(space.clone());
    for (inner, size) in shape.sizes.iter().enumerate() {
        let (subscript, size) = (
            Aff::var(space.clone(), 1 + inner),
            over(&size.align_params(params), &space),
        );
        within = within.intersect(&nonnegative(&subscript));
        within = within.intersect(&nonnegative(&size.sub(&subscript).add_constant(&Int::from(-1))));
    }
    within
        .intersect_params(&assumptions.align_params(params))
        .intersect_params(&scop.program.context)
}

/// The values of the parameters for which the new code runs.
pub(crate) fn parameter_ranges(run: &Run<'_>, scop: &Scop<'_>) -> Vec<Interval> {
    let range = |parameter: &farkas_llvm::scop_ir::Parameter<'_>| {
        let limit = if run.bits(parameter.value) >= 64 {
            limit_of(parameter.value)
        } else {
            1 << (run.bits(parameter.value) - 1)
        };
        let (low, high) = (-Int::from(limit), Int::from(limit));
        match run.signed_range(parameter.value, scop.ir.region.first_loop()) {
            Some((least, most)) => Interval {
                low: low.max(Int::from(least)),
                high: high.min(Int::from(most)),
            },
            None => Interval { low, high },
        }
    };
    scop.ir.parameters.iter().map(range).collect()
}
