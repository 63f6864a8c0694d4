//! The way of one modelled loop nest: flow, schedule, optimize, check, AST.

use crate::analysis::levels::{self, Levels};
use crate::analysis::linear;
use crate::annotate::Annotate;
use crate::bound;
use crate::change_of_variables::ChangeOfVariables;
use crate::check::{check_sizes, check_with_order};
use crate::choices::Choices;
use crate::cost::{Cost, Model};
use crate::dependences::{ByArray, Order};
use crate::fusion;
use crate::kept::Kept;
use crate::plan::Plan;
use crate::schedules::{self, consecutivity};
use crate::search::{Found, Repertoire, Unusable, Variants, interchanged, search};
use crate::sizes::{ProfitableSizes, pays_for_constants, profitable_sizes};
use crate::splitting;
use crate::target::Target;
use crate::transform::Transform;
use farkas_polyhedral::ast::{self, Ast, AstError};
use farkas_polyhedral::budget::{Budget, OutOfBudget, Outcome};
use farkas_polyhedral::program::Program;
use farkas_polyhedral::schedule::Groups;
use farkas_polyhedral::sets::{Name, Set, Tuple};
use farkas_polyhedral::tree::{RewriteError, Tree};
use split::{Models, Whole};
use std::cell::OnceCell;
use std::fmt::Display;
use std::rc::Rc;

mod split;

/// A new order is taken if it is expected to take at most this share of the original's time.
const MARGIN: f64 = 0.88;

/// Why loops with a single statement stay.
const ONE_ORDER: &str = "no gain expected: each loop has a single statement, so that there is no other order";

/// Why nests stay for which no order was looked for.
const NO_BETTER_ORDER: &str =
    "no gain expected: dependences and accesses leave no order that is clearly better than the original";

/// How many fifths of the budget finding dependences may take. A nest that has taken more (the most of those transformed is a
/// stencil in three dimensions, with 54 per cent) would not come to an order and its loops with what is left.
const DEPENDENCES_FIFTHS: u64 = 3;

/// One part in so many of the budget that is left may be spent on finding which live ranges may change places. Where an order came of
/// it, the costliest ones (`doitgen`) took 20 per cent.
const LIVE_RANGES: u64 = 4;

/// One part in so many of what is left then may be spent on an order in which they do.
const MOVED: u64 = 2;

/// One part in so many of the budget that is left when loops are generated is kept for what comes behind.
const LOOPS_RESERVE: u64 = 32;

/// A stage whose result can be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The dependences, and the schedule constraints that are made of them.
    Dependences,
    /// The schedule tree, before it is optimized.
    Schedule,
    /// What was considered for each band, with costs.
    Candidates,
    /// The plan's schedule tree.
    Plan,
    /// The new loop nest, as C-like text.
    Ast,
}

/// Work units for each level of a program's loops: at least a fifth more than what the costliest kernel takes, and a
/// thirtieth of a second. What there is to gain grows with the depth.
const UNITS_PER_LEVEL: u64 = 95_000;

/// More levels than that get as much as these.
const MOST_LEVELS: usize = 4;

/// The budget that a program is worth.
pub fn budget(program: &Program) -> Budget {
    let depth = program.statements.iter().map(|s| s.tuple().n()).max().unwrap_or(0);
    Budget::new(UNITS_PER_LEVEL * depth.clamp(1, MOST_LEVELS) as u64)
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
    let has_one_order = !choices.unprofitable && bound::has_one_order(program, &linear);
    if has_one_order && !splitting::may_be_cut(program, &linear) {
        return Err(Kept::NoGain(ONE_ORDER.to_owned()));
    }
    // Sizes are estimated where something is executed.
    let executed = Program {
        assumptions: assumptions.clone(),
        ..program.clone()
    };
    let program = executed.without_far_bounds().without_unused_params(b)?;
    let variables = ChangeOfVariables::simplest(&program);
    let program = variables.apply(&program);
    let splittings = split::candidates(&program, b)?;
    if has_one_order && splittings.is_empty() {
        return Err(Kept::NoGain(ONE_ORDER.to_owned()));
    }
    let by_array = b.trial(b.left() / 5 * DEPENDENCES_FIFTHS, |b| ByArray::of(&program, b))??;
    log::debug!("dependences: {} units of work left", b.left());
    show_dependences(&by_array, show);
    let movable = by_array.movable_arrays(&program, b)?;
    let no_gain = match has_one_order {
        true => Some(ONE_ORDER),
        false if choices.unprofitable => None,
        false if bound::may_gain(&program, target, by_array.arrays(), &movable, MARGIN, b)? => None,
        false => Some(NO_BETTER_ORDER),
    };
    if let (Some(reason), true) = (no_gain, splittings.is_empty()) {
        return Err(Kept::NoGain(reason.to_owned()));
    }
    // What the sizes of arrays are beside each other is no concern of loops.
    let params = program.context.params();
    let names = assumptions.params().names().iter();
    let others: Vec<&str> = names
        .filter(|name| params.position_of(name).is_none())
        .map(Name::as_str)
        .collect();
    let of_loops = assumptions.project_out_params(&others, b)?.compact(b)?;
    let problem = Problem {
        program,
        variables,
        dependences: by_array,
        fixed: OnceCell::new(),
        assumed: of_loops,
        whole: None,
    };
    let search = problem.search(target, choices, show, b);
    let order = match no_gain {
        Some(reason) => Err(Kept::NoGain(reason.to_owned())),
        None => search.ordered(&movable),
    };
    let (problem, order) = search.or_split(&splittings, order)?;
    Ok(NewOrder {
        assumptions,
        problem,
        order,
    })
}

fn show_dependences(dependences: &ByArray, show: &dyn Fn(Stage, &dyn Display)) {
    let all = dependences.all();
    for (kind, relation) in [("flow", &all.flow), ("anti", &all.anti), ("output", &all.output)] {
        show(Stage::Dependences, &format_args!("# {kind}: {relation}\n"));
    }
}

/// The assumptions without the cases in which nothing is executed. The original is right for these, too, and loops for
/// all others are simpler.
fn with_instances(program: &Program, b: &Budget) -> Outcome<Set> {
    let space = program.assumptions.space();
    let mut cases = Vec::new();
    for case in program.assumptions.pieces() {
        let possible = Set::from_conj(space.clone(), case.clone()).intersect_params(&program.context);
        let mut executed = false;
        for statement in &program.statements {
            executed = executed || !statement.domain.intersect_params(&possible).is_empty(b)?;
        }
        if executed {
            cases.push(case.clone());
        }
    }
    Ok(Set::from_conjs(space.clone(), cases))
}

/// An order of a program that is legal and expected to gain; its loops are not generated yet.
#[derive(Clone, Debug)]
pub struct NewOrder {
    /// The parameter values that it is for.
    assumptions: Set,
    problem: Problem,
    order: CheckedOrder,
}

impl NewOrder {
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
        let search = self.problem.search(target, choices, show, b);
        let (order, loops) = search.with_loops(self.order, fallback)?;
        show(Stage::Plan, &loops.tree);
        show(Stage::Ast, &loops.ast);
        log::debug!("loops: {} units of work left", b.left());
        Ok(Plan {
            tree: loops.tree,
            transforms: order.transforms,
            before: order.before,
            after: order.found.cost,
            sizes: order.sizes,
            ast: loops.ast.align_params(self.assumptions.params()),
            assumptions: self.assumptions,
        })
    }
}

/// What to do where the loops of the best order cost too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallback {
    /// Simpler orders are tried.
    Simpler,
    /// Nothing: parts of the program can be planned by themselves, which is better than a simpler order of the whole.
    Nothing,
}

/// An order that was found, and checked.
#[derive(Clone, Debug)]
struct CheckedOrder {
    found: Found,
    transforms: Vec<Transform>,
    sizes: ProfitableSizes,
    before: Cost,
    /// What it respects.
    order: Order,
    /// What it was chosen from.
    variants: Variants,
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
    /// What holds for the parameters wherever the new order is used.
    assumed: Set,
    /// The statements, if those of the program are pieces of them.
    whole: Option<Rc<Whole>>,
}

impl Problem {
    fn search<'a>(
        &'a self,
        target: &'a Target,
        choices: &'a Choices,
        show: &'a dyn Fn(Stage, &dyn Display),
        b: &'a Budget,
    ) -> Search<'a> {
        Search {
            problem: self,
            target,
            choices,
            show,
            b,
        }
    }
}

/// What the search for an order goes by.
struct Search<'a> {
    problem: &'a Problem,
    target: &'a Target,
    choices: &'a Choices,
    show: &'a dyn Fn(Stage, &dyn Display),
    b: &'a Budget,
}

impl Search<'_> {
    /// The new order of the nest and what is gained by it: one in which live ranges change places, if there is such a one.
    fn ordered(&self, movable: &[Tuple]) -> Result<CheckedOrder, Kept> {
        let b = self.b;
        let Problem {
            program,
            dependences,
            assumed,
            ..
        } = self.problem;
        if !movable.is_empty() {
            let order = b.trial(b.left() / LIVE_RANGES, |b| {
                Order::movable(program, assumed, dependences, movable, b)
            })?;
            log::debug!("live ranges: {} units of work left", b.left());
            let improved = match order {
                Ok(order) => b.trial(b.left() / MOVED, |b| spent_or((Search { b, ..*self }).improved(&order)))?,
                Err(OutOfBudget) => Err(OutOfBudget),
            };
            match improved {
                Ok(Ok(better)) => return Ok(better),
                Ok(Err(reason @ Kept::NoGain(_))) => return Err(reason),
                Ok(Err(reason)) => log::debug!("with movable live ranges: {reason}"),
                Err(OutOfBudget) => log::debug!("with movable live ranges: out of budget"),
            }
        }
        self.improved(self.problem.fixed(b)?)
    }

    /// A tree that respects `order`, and what is gained by it. Chains of statements are scheduled as one first, which is
    /// less work; where there is nothing to gain for them together, there may be for each apart.
    fn improved(&self, order: &Order) -> Result<CheckedOrder, Kept> {
        (self.show)(Stage::Dependences, &order.constraints);
        let groups = Groups::of_program(&self.problem.program, &order.constraints, self.b)?;
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
    fn improved_by(&self, order: &Order, groups: &Groups) -> Result<CheckedOrder, Kept> {
        let tree = schedules::scheduled(&order.constraints, groups, self.b)?;
        log::debug!("schedule: {} units of work left", self.b.left());
        (self.show)(Stage::Schedule, &tree);
        self.improved_from(&tree, order)
    }

    /// The best order that variants of the bands of a tree give, and what is gained by it.
    fn improved_from(&self, tree: &Tree, order: &Order) -> Result<CheckedOrder, Kept> {
        let models = self.models(order, self.b)?;
        let model = &models.own;
        let before = models.original().cost_of_original(self.b)?;
        (self.show)(Stage::Candidates, &format_args!("original: {before}"));
        let Some(first) = self.searched(model, tree, order, Vec::new(), self.b)? else {
            return Err(Kept::NoGain("the schedule is not one function a statement".to_owned()));
        };
        log::debug!("search: {} units of work left", self.b.left());
        let (mut variants, mut best) = self.rescheduled(model, tree, order, first)?;
        let mut outcome = Err(Kept::NotLegal);
        if let Some((others, fused)) = self.fused(&models, tree, order, &best)? {
            outcome = self.checked(&models, &fused, &before, order);
            if outcome == Ok(()) {
                (variants, best) = (others, fused);
            }
        }
        if outcome != Ok(()) {
            outcome = self.checked(&models, &best, &before, order);
        }
        let mut found = best;
        if outcome == Err(Kept::NotLegal) {
            for repertoire in variants.simpler(&found, Unusable::NotLegal) {
                found = variants.best(model, repertoire, self.choices, self.b)?;
                outcome = self.checked(&models, &found, &before, order);
                if outcome != Err(Kept::NotLegal) {
                    break;
                }
            }
        }
        outcome?;
        Ok(CheckedOrder {
            transforms: self.transforms(model, &found),
            sizes: self.sizes(&models, &found, self.b)?,
            found,
            before,
            order: order.clone(),
            variants,
        })
    }

    /// The best order that a tree gives, or one that is clearly better: with bands split, or loops along consecutive elements.
    fn rescheduled(
        &self,
        model: &Model<'_>,
        tree: &Tree,
        order: &Order,
        mut best: (Variants, Found),
    ) -> Outcome<(Variants, Found)> {
        let constraints = &order.constraints;
        let is_better =
            |other: &Found, best: &(Variants, Found)| other.cost.cycles() < schedules::CLEARLY * best.1.cost.cycles();
        for split in schedules::splits(tree) {
            let other = self.b.trial(self.b.left() / schedules::SHARE, |b| {
                match schedules::rescheduled(tree, &split, constraints, b)? {
                    Some(other) => self.searched(model, &other, order, vec![split.transform(tree)], b),
                    None => Ok(None),
                }
            })?;
            log::debug!("{split:?}: {} units of work left", self.b.left());
            if let Ok(Some(other)) = other
                && is_better(&other.1, &best)
            {
                best = other;
            }
        }
        let statements = &model.statements;
        // The constraints on pieces of statements are on the whole ones.
        let asked = match self.problem.whole {
            None => consecutivity::with_references(tree, model.program, statements, constraints),
            Some(_) => None,
        };
        if let Some(asked) = asked {
            let found = self.b.trial(self.b.left() / schedules::SHARE, |b| {
                for other in schedules::consecutive(&asked, b)? {
                    let statements = asked.domain.tuples().cloned().collect();
                    let done = vec![Transform::Consecutivity { statements }];
                    if let Some(other) = self.searched(model, &other, order, done, b)?
                        && is_better(&other.1, &best)
                    {
                        best = other;
                    }
                }
                Ok(())
            })?;
            log::debug!("consecutivity: {found:?}, {} units of work left", self.b.left());
        }
        Ok(best)
    }

    /// The best order in which nests in sequence share loops over tiles, if it is clearly better than one in which they do not.
    fn fused(
        &self,
        models: &Models<'_>,
        tree: &Tree,
        order: &Order,
        apart: &Found,
    ) -> Outcome<Option<(Variants, Found)>> {
        let model = &models.own;
        let Some(nests) = fusion::worth_sharing(model, tree, apart.cost.cycles()) else {
            return Ok(None);
        };
        let mut best: Option<(Variants, Found)> = None;
        let searched = self.b.trial(self.b.left() / schedules::SHARE, |b| {
            for (tree, fuse) in nests.fused(tree, &self.problem.program, &order.constraints.validity, b)? {
                let Some((variants, found)) = self.searched(model, &tree, order, vec![fuse], b)? else {
                    continue;
                };
                let of_best = best
                    .as_ref()
                    .map_or(apart.cost.cycles(), |(_, best)| best.cost.cycles());
                if found.cost.cycles() < schedules::CLEARLY * of_best {
                    best = Some((variants, found));
                }
            }
            Ok(())
        })?;
        log::debug!("fusion: {searched:?}, {} units of work left", self.b.left());
        Ok(best)
    }

    /// The variants of the bands of a schedule, to which something was done before, and the best order that is made of them.
    fn searched(
        &self,
        model: &Model<'_>,
        tree: &Tree,
        order: &Order,
        done: Vec<Transform>,
        b: &Budget,
    ) -> Outcome<Option<(Variants, Found)>> {
        let Some(variants) = search(model, tree, &order.serializing, self.choices, b)? else {
            return Ok(None);
        };
        let variants = variants.after(done);
        (self.show)(Stage::Candidates, &Candidates(&variants));
        let best = variants.best(model, Repertoire::FULL, self.choices, b)?;
        Ok(Some((variants, best)))
    }

    /// Whether an order is expected to gain, and legal.
    fn checked(&self, models: &Models<'_>, found: &Found, before: &Cost, order: &Order) -> Result<(), Kept> {
        if !self.choices.unprofitable && found.cost.cycles() > MARGIN * before.cycles() {
            return Err(Kept::NoGain(no_gain(before, &found.cost)));
        }
        let levels = levels_of(&models.own, found);
        if !self.choices.unprofitable && !pays_for_constants(models.original(), &models.own, &levels, self.b)? {
            return Err(Kept::NoGain(
                "no gain expected: the loops are too short for another order".to_owned(),
            ));
        }
        let problem = self.problem;
        let check = |b: &Budget| match problem.of_whole(&found.tree, b) {
            Ok((program, tree)) => check_with_order(program, &problem.dependences, order, &tree, &[], b),
            Err(RewriteError::OutOfBudget(error)) => Err(error),
            Err(error) => unreachable!("a tree of bands and filters: {error}"),
        };
        // Without lanes there is less to check.
        let checked = match found.has_lanes() {
            true => self.b.trial(self.b.left() / 5 * 4, check)?,
            false => Ok(check(self.b)?),
        };
        log::debug!("check: {} units of work left", self.b.left());
        match checked {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(refusal)) => log::debug!("refused: {refusal}"),
            Err(OutOfBudget) => log::debug!("the check of lanes is too costly"),
        }
        Err(Kept::NotLegal)
    }

    /// The loops of an order. Where these take more than what is left, or do not exist, those of the best order without lanes,
    /// then without tiles, and then without unroll and jam, if the fallback says so. For these there is a budget apart: what one
    /// level is worth.
    fn with_loops(&self, order: CheckedOrder, fallback: Fallback) -> Result<(CheckedOrder, Loops), Kept> {
        let left = self.b.left();
        let generated = self.b.trial(left - left / LOOPS_RESERVE, |b| {
            spent_or(self.loops(&order.found.tree, b))
        })?;
        let first = match generated.unwrap_or(Err(Kept::OutOfBudget)) {
            Ok(loops) => return Ok((order, loops)),
            Err(reason) if fallback == Fallback::Nothing => return Err(reason),
            Err(reason) => reason,
        };
        let b = Budget::new(UNITS_PER_LEVEL);
        for repertoire in order.variants.simpler(&order.found, Unusable::NoLoops) {
            log::debug!("loops: {first}; next {repertoire:?}");
            match self.simpler(&order, repertoire, &b) {
                Ok((found, transforms, sizes, loops)) => {
                    return Ok((
                        CheckedOrder {
                            found,
                            transforms,
                            sizes,
                            ..order
                        },
                        loops,
                    ));
                }
                Err(reason) => log::debug!("with {repertoire:?}: {reason}"),
            }
        }
        Err(first)
    }

    /// The best order within a repertoire, and its loops.
    fn simpler(
        &self,
        order: &CheckedOrder,
        repertoire: Repertoire,
        b: &Budget,
    ) -> Result<(Found, Vec<Transform>, ProfitableSizes, Loops), Kept> {
        let models = self.models(&order.order, b)?;
        let found = order.variants.best(&models.own, repertoire, self.choices, b)?;
        (Search { b, ..*self }).checked(&models, &found, &order.before, &order.order)?;
        let loops = self.loops(&found.tree, b)?;
        let transforms = self.transforms(&models.own, &found);
        let sizes = self.sizes(&models, &found, b)?;
        Ok((found, transforms, sizes, loops))
    }

    /// The sizes for which an order pays.
    fn sizes(&self, models: &Models<'_>, found: &Found, b: &Budget) -> Result<ProfitableSizes, Kept> {
        if self.choices.unprofitable {
            return Ok(ProfitableSizes::all());
        }
        let levels = levels_of(&models.own, found);
        let sizes = profitable_sizes(models.original(), &models.own, &levels, b)?.ok_or_else(|| {
            let large = "no gain expected: another order would gain for larger sizes than arrays have";
            Kept::NoGain(large.to_owned())
        })?;
        log::debug!("sizes: {} units of work left", b.left());
        match check_sizes(&self.problem.program, &sizes) {
            Ok(()) => Ok(sizes),
            Err(_) => Err(Kept::NotLegal),
        }
    }

    /// What was done to the original order.
    fn transforms(&self, model: &Model<'_>, found: &Found) -> Vec<Transform> {
        let split = self.problem.whole.iter().map(|whole| Transform::SplitIndexSets {
            statements: whole.pieces.statements().cloned().collect(),
        });
        let interchanged = interchanged(model, &found.tree);
        split
            .chain(interchanged)
            .chain(found.transforms.iter().cloned())
            .collect()
    }

    /// The cost models of an order.
    fn models<'m>(&'m self, order: &'m Order, b: &Budget) -> Outcome<Models<'m>> {
        let (program, target) = (&self.problem.program, self.target);
        Ok(match &self.problem.whole {
            None => Models {
                own: Model::new(program, &order.serializing, target, b)?,
                whole: None,
            },
            Some(whole) => Models {
                own: Model::of_pieces(program, &order.serializing, target, b)?,
                whole: Some(Model::new(&whole.program, &whole.serializing, target, b)?),
            },
        })
    }

    /// The loops of a tree.
    fn loops(&self, tree: &Tree, b: &Budget) -> Result<Loops, Kept> {
        let whole = self.problem.of_whole(tree, b);
        let undone = whole.and_then(|(_, tree)| self.problem.variables.undo(&tree, b));
        let tree = undone.map_err(|error| match error {
            RewriteError::OutOfBudget(_) => Kept::OutOfBudget,
            other => Kept::NoLoops(other.to_string()),
        })?;
        let mut annotate = Annotate::default();
        let ast =
            ast::generate_with(&tree, &ast::Options::default(), &mut annotate, b).map_err(|error| match error {
                AstError::OutOfBudget(_) => Kept::OutOfBudget,
                other => Kept::NoLoops(other.to_string()),
            })?;
        match ast.root.has_endless_loop() {
            true => Err(Kept::NoLoops("a loop would never end".into())),
            false => Ok(Loops { tree, ast }),
        }
    }
}

/// The loops of an order.
struct Loops {
    /// The order, in the original variables.
    tree: Tree,
    ast: Ast,
}

/// Tells the end of the budget from other reasons.
fn spent_or<T>(result: Result<T, Kept>) -> Outcome<Result<T, Kept>> {
    match result {
        Err(Kept::OutOfBudget) => Err(OutOfBudget),
        other => Ok(other),
    }
}

/// The levels of an order.
fn levels_of(model: &Model<'_>, found: &Found) -> Levels {
    levels::of_tree(&found.tree, model.program).expect("an order that has a cost has levels")
}

/// Why an order is not taken.
fn no_gain(before: &Cost, after: &Cost) -> String {
    let bound = after
        .heaviest()
        .map_or(String::new(), |group| format!(", by {}", group.bound()));
    format!(
        "no gain expected: {:.2e} cycles in the best order found{bound}, against {:.2e} in the original",
        after.cycles(),
        before.cycles()
    )
}

/// The list of candidates, for people.
struct Candidates<'a>(&'a Variants);

impl Display for Candidates<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.bands().try_for_each(|candidates| {
            candidates.iter().enumerate().try_for_each(|(position, candidate)| {
                let mark = if candidate.chosen { "*" } else { " " };
                write!(f, "{mark}{position} {}: {}", candidate.variant, candidate.cost)
            })
        })
    }
}
