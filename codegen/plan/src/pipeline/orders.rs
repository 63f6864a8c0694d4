//! The best order of a problem: schedules, variants of their bands, fusion, and the check of what is best.

use std::fmt::Display;

use farkas_polyhedral::budget::{Budget, OutOfBudget, Outcome};
use farkas_polyhedral::schedule::Groups;
use farkas_polyhedral::sets::Tuple;
use farkas_polyhedral::tree::{Mark, Tree};

use super::split::Models;
use super::{Form, MARGIN, Problem, Stage, spent_or};
use crate::analysis::levels::{self, Levels};
use crate::check::check_sizes;
use crate::choices::{Choices, Parallel};
use crate::cost::{Cost, Model};
use crate::dependences::Order;
use crate::fusion;
use crate::kept::Kept;
use crate::plan::Threads;
use crate::schedules::{self, consecutivity};
use crate::search::{Found, Repertoire, Unusable, Variants, interchanged, search};
use crate::sizes::{Compared, ProfitableSizes, pays_for_constants, profitable_sizes};
use crate::target::Target;
use crate::threads::{self, Team, Threaded};
use crate::transform::Transform;

/// One part in so many of the budget that is left may be spent on finding which live ranges may change places. Where an order came of
/// it, the costliest ones (`doitgen`) took 20 per cent.
const LIVE_RANGES: u64 = 4;

/// One part in so many of what is left then may be spent on an order in which they do.
const MOVED: u64 = 2;

/// An order that was found, and checked.
#[derive(Clone, Debug)]
pub(super) struct CheckedOrder {
    pub(super) found: Found,
    pub(super) transforms: Vec<Transform>,
    pub(super) sizes: ProfitableSizes,
    /// The order with loops on threads, and when these pay.
    pub(super) threads: Option<(Threaded, Threads)>,
    pub(super) before: Cost,
    /// What it respects.
    pub(super) order: Order,
    /// What it was chosen from.
    pub(super) variants: Variants,
}

impl CheckedOrder {
    /// The expected number of cycles.
    pub(super) fn cycles(&self) -> f64 {
        match &self.threads {
            Some((threaded, _)) => threaded.cycles,
            None => self.found.cost.cycles(),
        }
    }

    /// The tree, with marks for threads.
    pub(super) fn tree(&self) -> &Tree {
        self.threads
            .as_ref()
            .map_or(&self.found.tree, |(threaded, _)| &threaded.tree)
    }
}

impl Problem {
    /// A scheduled tree where what is assumed holds. What else the constraints say of parameters is for the scheduler alone: loops
    /// take more time to generate with it.
    pub(super) fn assuming(&self, tree: Tree) -> Tree {
        Tree {
            context: self.assumed.clone(),
            ..tree
        }
    }

    pub(super) fn search<'a>(
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
pub(super) struct Search<'a> {
    pub(super) problem: &'a Problem,
    pub(super) target: &'a Target,
    pub(super) choices: &'a Choices,
    pub(super) show: &'a dyn Fn(Stage, &dyn Display),
    pub(super) b: &'a Budget,
}

impl Search<'_> {
    /// The new order of the nest and what is gained by it: one in which live ranges change places, if there is such a one.
    pub(super) fn ordered(&self, movable: &[Tuple]) -> Result<CheckedOrder, Kept> {
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
        let tree = self
            .problem
            .assuming(schedules::scheduled(&order.constraints, groups, self.b)?);
        log::debug!("schedule: {} units of work left", self.b.left());
        (self.show)(Stage::Schedule, &tree);
        self.improved_from(&tree, order)
    }

    /// The best order that variants of the bands of a tree give, and what is gained by it.
    pub(super) fn improved_from(&self, tree: &Tree, order: &Order) -> Result<CheckedOrder, Kept> {
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
        // Loops over shared tiles need not be such that threads may run them. There may be no more than two threads.
        let on_threads = |found: &Found| {
            let threaded = self.threaded(model, found, &before, 0);
            threaded.map_or(found.cost.cycles(), |threaded| threaded.cycles_of_two)
        };
        if let Some((others, fused)) = self.fused(&models, tree, order, &best)?
            && threads::INSTEAD_OF_FUSION * on_threads(&fused) < on_threads(&best)
        {
            outcome = self.checked(&models, &fused, &before, order);
            if outcome.is_ok() {
                (variants, best) = (others, fused);
            }
        }
        if outcome.is_err() {
            outcome = self.checked(&models, &best, &before, order);
        }
        let mut found = best;
        if matches!(outcome, Err(Kept::NotLegal)) {
            for repertoire in variants.simpler(&found, Unusable::NotLegal) {
                found = variants.best(model, repertoire, self.choices, self.b)?;
                outcome = self.checked(&models, &found, &before, order);
                if !matches!(outcome, Err(Kept::NotLegal)) {
                    break;
                }
            }
        }
        let threaded = outcome?;
        let (sizes, threads) = self.sizes(&models, (&found, &before), threaded, self.b)?;
        Ok(CheckedOrder {
            transforms: self.transforms(model, &variants, &found),
            sizes,
            threads,
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
        // The constraints on pieces of statements are on the whole ones, and what is expanded asks for tiles.
        let asked = match self.problem.form {
            Form::Given => consecutivity::with_references(tree, model.program, statements, constraints),
            Form::InPieces(_) | Form::Expanded(_) => None,
        };
        if let Some(asked) = asked {
            let found = self.b.trial(self.b.left() / schedules::SHARE, |b| {
                for other in schedules::consecutive(&asked, b)? {
                    let statements = asked.domain.tuples().cloned().collect();
                    let done = vec![Transform::Consecutivity { statements }];
                    let other = self.problem.assuming(other);
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
        let variants = match &self.problem.form {
            Form::Expanded(unexpanded) => variants.fitting(self.choices, &|tree| unexpanded.fits(tree)),
            Form::Given | Form::InPieces(_) => variants,
        };
        let variants = variants.after(done);
        (self.show)(Stage::Candidates, &Candidates(&variants));
        let best = variants.best(model, Repertoire::FULL, self.choices, b)?;
        Ok(Some((variants, best)))
    }

    /// Whether an order is expected to gain, and legal: with loops on threads, if these gain.
    pub(super) fn checked(
        &self,
        models: &Models<'_>,
        found: &Found,
        before: &Cost,
        order: &Order,
    ) -> Result<Option<Threaded>, Kept> {
        let alone = self.gains(models, found, before);
        for outside in 0..threads::ATTEMPTS {
            let Some(threaded) = self.threaded(&models.own, found, before, outside) else {
                break;
            };
            match self.legal(&threaded.tree, order, found.has_lanes())? {
                Legal::Yes => return Ok(Some(threaded)),
                Legal::NoThreads => log::debug!("{outside} bands further inside"),
                Legal::No => return Err(Kept::NotLegal),
            }
        }
        alone?;
        match self.legal(&found.tree, order, found.has_lanes())? {
            Legal::Yes => Ok(None),
            Legal::NoThreads | Legal::No => Err(Kept::NotLegal),
        }
    }

    /// Whether an order is expected to gain on one thread.
    fn gains(&self, models: &Models<'_>, found: &Found, before: &Cost) -> Result<(), Kept> {
        if self.choices.unprofitable {
            return Ok(());
        }
        if let Some(reason) = self.problem.threads_only {
            return Err(Kept::NoGain(reason.to_owned()));
        }
        if found.cost.cycles() > MARGIN * before.cycles() {
            return Err(Kept::NoGain(no_gain(before, &found.cost)));
        }
        match pays_for_constants(models.original(), &models.own, &levels_of(&models.own, found), self.b)? {
            true => Ok(()),
            false => Err(Kept::NoGain(
                "no gain expected: the loops are too short for another order".to_owned(),
            )),
        }
    }

    /// The order with loops on threads, outside of which so many bands are not considered, if the user wants threads and these gain.
    fn threaded(&self, model: &Model<'_>, found: &Found, before: &Cost, outside: usize) -> Option<Threaded> {
        let force = match self.choices.parallel {
            Parallel::Never => return None,
            Parallel::Auto => false,
            Parallel::Force => true,
        };
        let levels = levels_of(model, found);
        let order = (&found.tree, &levels, &found.cost);
        let team = Team::of(self.target, self.target.cores);
        let threaded = threads::threaded(model, order, &team, (outside, force));
        let on_one = before.cycles().min(found.cost.cycles());
        threaded.filter(|threaded| force || threaded.cycles.max(threaded.cycles_of_two) <= MARGIN * on_one)
    }

    /// Whether an order is legal.
    fn legal(&self, tree: &Tree, order: &Order, has_lanes: bool) -> Result<Legal, Kept> {
        let check = |b: &Budget| self.problem.check(order, tree, b);
        // Without lanes there is less to check.
        let checked = match has_lanes {
            true => self.b.trial(self.b.left() / 5 * 4, check)?,
            false => Ok(check(self.b)?),
        };
        log::debug!("check: {} units of work left", self.b.left());
        Ok(match checked {
            Ok(Some(Ok(()))) => Legal::Yes,
            Ok(Some(Err(refusal))) => {
                log::debug!("refused: {refusal}");
                log::trace!("{tree}");
                match refusal.mark() {
                    Some(Mark::Parallel { .. } | Mark::Pipeline { .. }) => Legal::NoThreads,
                    _ => Legal::No,
                }
            }
            Ok(None) => Legal::No,
            Err(OutOfBudget) => {
                log::debug!("the check of lanes is too costly");
                Legal::No
            }
        })
    }

    /// The sizes for which an order pays, and those for which its threads do.
    pub(super) fn sizes(
        &self,
        models: &Models<'_>,
        (found, before): (&Found, &Cost),
        threaded: Option<Threaded>,
        b: &Budget,
    ) -> Result<(ProfitableSizes, Option<(Threaded, Threads)>), Kept> {
        let with_threads = |sizes, only| {
            let threaded = threaded.clone()?;
            let cycles = threaded.cycles;
            Some((threaded, Threads { cycles, sizes, only }))
        };
        if self.choices.unprofitable {
            return Ok((ProfitableSizes::all(), with_threads(ProfitableSizes::all(), false)));
        }
        let levels = levels_of(&models.own, found);
        let profitable = |compared| {
            let sizes = profitable_sizes(models.original(), &models.own, &levels, compared, b)?;
            log::debug!("sizes: {} units of work left", b.left());
            match &sizes {
                Some(sizes) if check_sizes(&self.problem.program, sizes).is_err() => Err(Kept::NotLegal),
                _ => Ok(sizes),
            }
        };
        let too_large = || {
            let large = "no gain expected: another order would gain for larger sizes than arrays have, if at all";
            Kept::NoGain(large.to_owned())
        };
        let Some(own) = &threaded else {
            return Ok((profitable(Compared::Order)?.ok_or_else(too_large)?, None));
        };
        let pair = Team::pair(self.target);
        let alone = match self.gains(models, found, before) {
            Ok(()) => profitable(Compared::Order)?,
            Err(Kept::NoGain(_)) => None,
            Err(reason) => return Err(reason),
        };
        match alone {
            Some(sizes) => {
                let of_threads = profitable(Compared::ThreadsWithOne(&own.sites, &pair))?;
                Ok((sizes, of_threads.and_then(|sizes| with_threads(sizes, false))))
            }
            None => {
                let sizes = profitable(Compared::Threads(&own.sites, &pair))?.ok_or_else(too_large)?;
                Ok((sizes, with_threads(ProfitableSizes::all(), true)))
            }
        }
    }

    /// What was done to the original order, in the order in which it was applied. First the program is changed and scheduled, where the
    /// scheduler may be asked to keep bands apart, or for consecutive elements. Fusion is of its loops, and variants come last: an
    /// interchange is the schedule's or theirs.
    pub(super) fn transforms(&self, model: &Model<'_>, variants: &Variants, found: &Found) -> Vec<Transform> {
        let of_program = match &self.problem.form {
            Form::Given => None,
            Form::InPieces(whole) => Some(Transform::SplitIndexSets {
                statements: whole.pieces.statements().cloned().collect(),
            }),
            Form::Expanded(unexpanded) => Some(Transform::ExpandScalars {
                statements: unexpanded.slots.iter().map(|slot| slot.writer.clone()).collect(),
            }),
        };
        let [by_schedule, by_variants] = interchanged(model, variants.scheduled(), &found.tree)
            .map(|statements| (!statements.is_empty()).then_some(Transform::Interchange { statements }));
        let is_fusion = |transform: &&Transform| matches!(transform, Transform::Fuse { .. });
        let (fusions, schedules): (Vec<_>, Vec<_>) = variants.done().iter().partition(is_fusion);
        let statements = self.problem.program.statements.iter();
        let interiors = statements.filter(|statement| !statement.only_in_original.is_empty());
        let statements: Vec<_> = interiors.map(|interior| interior.tuple().clone()).collect();
        let borders = (!statements.is_empty()).then_some(Transform::SplitBorders { statements });
        let mut transforms: Vec<Transform> = borders.into_iter().chain(of_program).collect();
        transforms.extend(schedules.into_iter().cloned());
        transforms.extend(by_schedule);
        transforms.extend(fusions.into_iter().cloned());
        transforms.extend(by_variants);
        transforms.extend(found.transforms.iter().cloned());
        transforms
    }

    /// The cost models of an order.
    pub(super) fn models<'m>(&'m self, order: &'m Order, b: &Budget) -> Outcome<Models<'m>> {
        let (program, serializing, target) = (&self.problem.program, &order.serializing, self.target);
        Ok(match &self.problem.form {
            Form::Given => Models {
                own: Model::new(program, serializing, target, b)?,
                original: None,
            },
            Form::InPieces(whole) => Models {
                own: Model::of_pieces(program, serializing, target, b)?,
                original: Some(Model::new(&whole.program, &whole.serializing, target, b)?),
            },
            Form::Expanded(unexpanded) => Models {
                own: Model::new(program, serializing, target, b)?,
                original: Some(Model::new(&unexpanded.program, &unexpanded.serializing, target, b)?),
            },
        })
    }
}

/// Whether an order is legal.
enum Legal {
    Yes,
    /// The loops that run on threads may not.
    NoThreads,
    No,
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
