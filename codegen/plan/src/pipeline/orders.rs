//! The best order of a problem: schedules, variants of their bands, fusion, and the check of what is best.

use std::fmt::Display;
use std::rc::Rc;

use farkas_polyhedral::budget::{Budget, OutOfBudget, Outcome};
use farkas_polyhedral::schedule::Groups;
use farkas_polyhedral::sets::{Tuple, UnionMap};
use farkas_polyhedral::tree::{Mark, Path, Tree};

use super::expand::Scalars;
use super::split::Models;
use super::{Form, MARGIN, Problem, Stage, UNITS_BEHIND, spent_or};
use crate::analysis::levels::{self, Levels};
use crate::candidates::{Considered, Generator, OrderId, Rejection};
use crate::check::check_sizes;
use crate::choices::{Choices, Pack, Vectorize};
use crate::cost::{Cost, Model};
use crate::dependences::{ByArray, Order};
use crate::fusion;
use crate::kept::Kept;
use crate::plan::Threads;
use crate::schedules::{self, consecutivity};
use crate::search::{Found, Repertoire, Shortfall, Unusable, Variants, interchanged, search};
use crate::sizes::{self, Compared, ProfitableSizes, pays_for_constants, profitable_sizes};
use crate::target::Target;
use crate::threads::{self, Team, Threaded};
use crate::transform::Transform;
use crate::transform::coincident_innermost::with_coincident_innermost;

/// One part in so many of the budget that is left may be spent on finding which live ranges may change places. Where an order came of
/// it, the costliest ones (`doitgen`) took 20 per cent.
pub(super) const LIVE_RANGES: u64 = 4;

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
    pub(super) variants: Rc<Variants>,
    /// How its tree was made.
    pub(super) generator: Generator,
    /// Its place among all that was considered.
    pub(super) id: OrderId,
}

/// The best order that variants of the bands of a tree give.
struct Searched {
    id: OrderId,
    variants: Rc<Variants>,
    found: Found,
}

impl Searched {
    fn cycles(&self) -> f64 {
        self.found.cost.cycles()
    }
}

/// How the scheduler is asked for a tree.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Origin {
    /// Live ranges may change places.
    pub(super) moves_live_ranges: bool,
    /// Chains of statements are scheduled as one.
    pub(super) has_chains: bool,
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

    /// The tree for one thread, where that is another one.
    pub(super) fn tree_alone(&self) -> Option<&Tree> {
        let (threaded, _) = self.threads.as_ref()?;
        threaded.has_other_loops.then_some(&self.found.tree)
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

    /// Whether its statements and variables are those that were given, in which copies of packed tiles are made.
    pub(super) fn has_plain_statements(&self) -> bool {
        matches!(self.form, Form::Given) && self.variables.is_identity()
    }

    /// The dependences of each array, if they are those of its statements, and not of the ones that these are made of.
    pub(super) fn dependences_of_statements(&self) -> Option<&ByArray> {
        (matches!(self.form, Form::Given) || self.is_in_strips()).then_some(&self.dependences)
    }

    /// Whether a loop is in strips: no order without them does with the elements that scalars, or the copies that arrays, have then.
    fn is_in_strips(&self) -> bool {
        match &self.form {
            Form::Given | Form::InPieces(_) => false,
            Form::Expanded(unexpanded) => matches!(unexpanded.scalars, Scalars::InStrips(_) | Scalars::WithCopies(_)),
            Form::InPanels(_) => true,
        }
    }

    /// The node of a tree below which loops may be scheduled anew.
    fn reschedulable(&self) -> Option<Path> {
        match &self.form {
            Form::Given | Form::InPieces(_) => Some(Path::root()),
            Form::InPanels(_) => None,
            Form::Expanded(unexpanded) => match &unexpanded.scalars {
                Scalars::InTiles(_) => Some(Path::root()),
                Scalars::InStrips(_) => None,
                Scalars::WithCopies(arrays) => Some(arrays.inside()),
            },
        }
    }

    /// What was done to the program.
    fn transforms(&self) -> Vec<Transform> {
        match &self.form {
            Form::Given => Vec::new(),
            Form::InPieces(whole) => vec![Transform::SplitIndexSets {
                statements: whole.pieces.statements().cloned().collect(),
            }],
            Form::Expanded(unexpanded) => unexpanded.transforms(),
            Form::InPanels(unsplit) => unsplit.transforms(),
        }
    }

    pub(super) fn search<'a>(
        &'a self,
        target: &'a Target,
        choices: &'a Choices,
        show: &'a dyn Fn(Stage, &dyn Display),
        considered: &'a Considered,
        b: &'a Budget,
    ) -> Search<'a> {
        Search {
            problem: self,
            target,
            choices,
            show,
            considered,
            origin: Origin::default(),
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
    pub(super) considered: &'a Considered,
    pub(super) origin: Origin,
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
            let origin = Origin {
                moves_live_ranges: true,
                ..self.origin
            };
            let first = self.considered.next();
            let improved = match order {
                Ok(order) => b.trial(b.left() / MOVED, |b| {
                    spent_or((Search { b, origin, ..*self }).improved(&order))
                })?,
                Err(OutOfBudget) => Err(OutOfBudget),
            };
            let reason = match improved {
                Ok(Ok(better)) => return Ok(better),
                Ok(Err(reason @ Kept::NoGain(_))) => return Err(reason),
                Ok(Err(reason)) => reason,
                Err(OutOfBudget) => Kept::OutOfBudget,
            };
            log::debug!("with movable live ranges: {reason}");
            self.considered.reject_from(first, &Rejection::Kept(reason));
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
            let first = self.considered.next();
            match self.improved_by(order, &groups) {
                Err(Kept::OutOfBudget) => return Err(Kept::OutOfBudget),
                Err(reason) => {
                    log::debug!("with chains of statements as one: {reason}");
                    self.considered.reject_from(first, &Rejection::Kept(reason));
                }
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
        let origin = Origin {
            has_chains: !groups.is_empty(),
            ..self.origin
        };
        (Search { origin, ..*self }).improved_from(&tree, order)
    }

    /// The best order that variants of the bands of a tree give, and what is gained by it.
    pub(super) fn improved_from(&self, tree: &Tree, order: &Order) -> Result<CheckedOrder, Kept> {
        let models = self.models(order, self.b)?;
        let model = &models.own;
        let before = models.original().cost_of_original(self.b)?;
        self.considered.set_original(&before);
        let Some(first) = self.searched(model, tree, order, Vec::new(), self.b)? else {
            return Err(Kept::NoGain("the schedule is not one function a statement".to_owned()));
        };
        log::debug!("search: {} units of work left", self.b.left());
        let mut best = self.rescheduled(model, tree, (order, &before), first)?;
        let mut outcome = Err(Kept::NotLegal);
        // Loops over shared tiles need not be such that threads may run them. There may be no more than two threads.
        let on_threads = |found: &Found| -> Outcome<f64> {
            let threaded = self.threaded(model, found, &before)?;
            Ok(threaded.map_or(found.cost.cycles(), |threaded| threaded.cycles_of_two))
        };
        if let Some(fused) = self.fused(&models, tree, order, &best)? {
            let (of_fused, of_best) = (on_threads(&fused.found)?, on_threads(&best.found)?);
            if threads::INSTEAD_OF_FUSION * of_fused < of_best {
                outcome = self.checked(&models, (&fused.found, fused.id), &before, order);
                match &outcome {
                    Ok(_) => best = self.instead_of(best, fused),
                    Err(reason) => self.considered.reject(fused.id, Rejection::Kept(reason.clone())),
                }
            } else {
                let shortfall = Shortfall::new(of_fused, of_best, 1.0 / threads::INSTEAD_OF_FUSION);
                self.considered.reject(fused.id, Rejection::TooDear(shortfall));
            }
        }
        if outcome.is_err() {
            outcome = self.checked(&models, (&best.found, best.id), &before, order);
        }
        let Searched {
            id,
            variants,
            mut found,
        } = best;
        if matches!(outcome, Err(Kept::NotLegal)) {
            for repertoire in variants.simpler(&found, Unusable::NotLegal) {
                found = self.best(model, &variants, repertoire, order, self.b)?;
                self.considered.choose_again(id, Unusable::NotLegal, &found);
                outcome = self.checked(&models, (&found, id), &before, order);
                if !matches!(outcome, Err(Kept::NotLegal)) {
                    break;
                }
            }
        }
        let best = Searched { id, variants, found };
        self.with_sizes(&models, best, outcome?, before, order)
    }

    /// The order that a tree is, where it gains as it is.
    pub(super) fn as_it_is(&self, tree: &Tree, order: &Order) -> Result<CheckedOrder, Kept> {
        let models = self.models(order, self.b)?;
        let before = models.original().cost_of_original(self.b)?;
        self.considered.set_original(&before);
        let Some(only) = self.searched(&models.own, tree, order, Vec::new(), self.b)? else {
            return Err(Kept::NoGain("the order is not one function a statement".to_owned()));
        };
        let threaded = self.checked(&models, (&only.found, only.id), &before, order)?;
        self.with_sizes(&models, only, threaded, before, order)
    }

    /// An order that is legal and gains, with the sizes for which it does.
    fn with_sizes(
        &self,
        models: &Models<'_>,
        Searched { id, variants, found }: Searched,
        threaded: Option<Threaded>,
        before: Cost,
        order: &Order,
    ) -> Result<CheckedOrder, Kept> {
        let sized = self
            .b
            .at_least(UNITS_BEHIND, |b| self.sizes(models, (&found, &before), threaded, b));
        let (sizes, threads) = sized?;
        Ok(CheckedOrder {
            transforms: self.transforms(&models.own, &variants, &found),
            sizes,
            threads,
            found,
            before,
            order: order.clone(),
            generator: self.generator(variants.done().to_vec()),
            variants,
            id,
        })
    }

    /// The best order that a tree gives, or one that is clearly better: with bands split, wavefronts, or loops along consecutive elements.
    fn rescheduled(
        &self,
        model: &Model<'_>,
        tree: &Tree,
        (order, before): (&Order, &Cost),
        mut best: Searched,
    ) -> Outcome<Searched> {
        let splits = self.problem.reschedulable().map(|from| schedules::splits(tree, &from));
        for split in splits.into_iter().flatten() {
            best = self.with_split(model, (tree, &split), order, best)?;
        }
        if self.problem.is_in_strips() {
            return Ok(best);
        }
        // Wavefronts take work, and gain where nothing else does. Who asks for lanes wherever they are possible has them.
        let has_forced_lanes = self.choices.vectorize == Vectorize::Force && best.found.has_lanes();
        if !has_forced_lanes && best.cycles() >= schedules::CLEARLY * before.cycles() {
            for wavefront in schedules::wavefronts(tree) {
                best = self.with_split(model, (tree, &wavefront), order, best)?;
            }
        }
        let constraints = &order.constraints;
        let statements = &model.statements;
        // The constraints on pieces of statements are on the whole ones, and what is expanded asks for tiles.
        let asked = match self.problem.form {
            Form::Given => consecutivity::with_references(tree, model.program, statements, constraints),
            Form::InPieces(_) | Form::Expanded(_) | Form::InPanels(_) => None,
        };
        if let Some(asked) = asked {
            let mut others = Vec::new();
            let found = self.b.trial(self.b.left() / schedules::SHARE, |b| {
                let unserved = |tree: &Tree| consecutivity::unserved(tree, model.program, statements);
                for other in schedules::consecutive(&asked, unserved, b)? {
                    let statements = asked.domain.tuples().cloned().collect();
                    let done = vec![Transform::Consecutivity { statements }];
                    let other = self.problem.assuming(other);
                    if let Some(other) = self.searched(model, &other, order, done, b)? {
                        others.push(other);
                    }
                }
                Ok(())
            })?;
            for other in others {
                best = self.better(best, other);
            }
            log::debug!("consecutivity: {found:?}, {} units of work left", self.b.left());
            if found.is_err() {
                let statements = asked.domain.tuples().cloned().collect();
                self.out_of_budget(vec![Transform::Consecutivity { statements }]);
            }
        }
        Ok(best)
    }

    /// The best order, or one that a split gives if it is clearly better.
    fn with_split(
        &self,
        model: &Model<'_>,
        (tree, split): (&Tree, &schedules::Split),
        order: &Order,
        best: Searched,
    ) -> Outcome<Searched> {
        let other = self.b.trial(self.b.left() / schedules::SHARE, |b| {
            match schedules::rescheduled(tree, split, &order.constraints, b)? {
                Some(other) => self.searched(model, &other, order, vec![split.transform(tree)], b),
                None => Ok(None),
            }
        })?;
        log::debug!("{split:?}: {} units of work left", self.b.left());
        Ok(match other {
            Ok(Some(other)) => self.better(best, other),
            Ok(None) => best,
            Err(OutOfBudget) => {
                self.out_of_budget(vec![split.transform(tree)]);
                best
            }
        })
    }

    /// The best order in which nests in sequence share loops over tiles, if it is clearly better than one in which they do not.
    fn fused(&self, models: &Models<'_>, tree: &Tree, order: &Order, apart: &Searched) -> Outcome<Option<Searched>> {
        let model = &models.own;
        if self.problem.is_in_strips() {
            return Ok(None);
        }
        let Some(nests) = fusion::worth_sharing(model, tree, apart.cycles()) else {
            return Ok(None);
        };
        let mut best: Option<Searched> = None;
        let searched = self.b.trial(self.b.left() / schedules::SHARE, |b| {
            for (tree, fuse) in nests.fused(tree, &self.problem.program, &order.constraints.validity, b)? {
                let Some(other) = self.searched(model, &tree, order, fuse, b)? else {
                    continue;
                };
                let shortfall = Shortfall::new(
                    other.cycles(),
                    best.as_ref().unwrap_or(apart).cycles(),
                    schedules::CLEARLY,
                );
                match (shortfall.is_none(), best.take()) {
                    (true, Some(worse)) => best = Some(self.instead_of(worse, other)),
                    (true, None) => best = Some(other),
                    (false, kept) => {
                        self.considered.reject(other.id, Rejection::TooDear(shortfall));
                        best = kept;
                    }
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
    ) -> Outcome<Option<Searched>> {
        let by_array = self.problem.dependences_of_statements();
        let pack = match self.problem.has_plain_statements() {
            true => self.choices.pack,
            false => Pack::Never,
        };
        let choices = Choices {
            pack,
            ..self.choices.clone()
        };
        let Some(variants) = search(model, tree, &order.serializing, by_array, &choices, b)? else {
            return Ok(None);
        };
        let variants = match &self.problem.form {
            Form::Expanded(unexpanded) => variants.fitting(&|tree| unexpanded.fits(tree)),
            Form::Given | Form::InPieces(_) | Form::InPanels(_) => variants,
        };
        let variants = match done.iter().any(|transform| matches!(transform, Transform::Fuse { .. })) {
            true => variants.sharing(model, b)?,
            false => variants,
        };
        let generator = self.generator(done.clone());
        let variants = Rc::new(variants.after(done));
        let found = self.best(model, &variants, Repertoire::FULL, order, b)?;
        let id = self.considered.add(generator, Some((&variants, &found)));
        Ok(Some(Searched { id, variants, found }))
    }

    /// The order of the best variants within a repertoire. LLVM is told of innermost loops that carry nothing, but not of those of pieces of
    /// statements: constraints are on whole ones.
    pub(super) fn best(
        &self,
        model: &Model<'_>,
        variants: &Variants,
        repertoire: Repertoire,
        order: &Order,
        b: &Budget,
    ) -> Outcome<Found> {
        let found = variants.best(model, repertoire, self.choices, b)?;
        Ok(match &self.problem.form {
            Form::InPieces(_) => found,
            Form::Given | Form::Expanded(_) | Form::InPanels(_) => Found {
                tree: with_coincident_innermost(&found.tree, &order.constraints.coincidence, b)?,
                ..found
            },
        })
    }

    /// How a tree is made to which this is done.
    fn generator(&self, of_tree: Vec<Transform>) -> Generator {
        Generator {
            of_program: self.problem.transforms(),
            moves_live_ranges: self.origin.moves_live_ranges,
            has_chains: self.origin.has_chains,
            of_tree,
        }
    }

    /// Notes that the budget was spent before there was an order.
    fn out_of_budget(&self, of_tree: Vec<Transform>) {
        let id = self.considered.add(self.generator(of_tree), None);
        self.considered.reject(id, Rejection::Kept(Kept::OutOfBudget));
    }

    /// The better one of two orders, of which another one has to be clearly better.
    fn better(&self, best: Searched, other: Searched) -> Searched {
        let shortfall = Shortfall::new(other.cycles(), best.cycles(), schedules::CLEARLY);
        if shortfall.is_none() {
            return self.instead_of(best, other);
        }
        self.considered.reject(other.id, Rejection::TooDear(shortfall));
        best
    }

    /// Whether an order is taken in place of the one that was found: if it takes at most this share of its cycles.
    pub(super) fn is_instead_of(&self, found: &CheckedOrder, order: &CheckedOrder, at_most: f64) -> bool {
        let shortfall = Shortfall::new(order.cycles(), found.cycles(), at_most);
        let (rejected, shortfall) = match shortfall.is_none() {
            true => (found.id, Shortfall::new(found.cycles(), order.cycles(), 1.0)),
            false => (order.id, shortfall),
        };
        self.considered.reject(rejected, Rejection::TooDear(shortfall));
        rejected == found.id
    }

    /// The better order of two.
    fn instead_of(&self, worse: Searched, better: Searched) -> Searched {
        let shortfall = Shortfall::new(worse.cycles(), better.cycles(), 1.0);
        self.considered.reject(worse.id, Rejection::TooDear(shortfall));
        better
    }

    /// Whether an order is expected to gain on one thread.
    pub(super) fn gains(&self, models: &Models<'_>, found: &Found, before: &Cost) -> Result<(), Kept> {
        if self.choices.unprofitable {
            return Ok(());
        }
        if let Some(reason) = self.problem.threads_only {
            return Err(Kept::NoGain(reason.to_owned()));
        }
        if found.cost.cycles() + models.own.inspector() > MARGIN * before.cycles() {
            return Err(Kept::NoGain(no_gain(before, &found.cost)));
        }
        let levels = &levels_of(&models.own, found);
        let transforms = &found.transforms;
        match pays_for_constants(
            models.original(),
            &models.own,
            sizes::Order { levels, transforms },
            self.b,
        )? {
            true => Ok(()),
            false => Err(Kept::NoGain(
                "no gain expected: the loops are too short for another order".to_owned(),
            )),
        }
    }

    /// Whether an order is legal.
    pub(super) fn legal(&self, tree: &Tree, order: &Order, has_lanes: bool) -> Result<Legal, Kept> {
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
                log::trace!("{tree}");
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
        let order = sizes::Order {
            levels: &levels_of(&models.own, found),
            transforms: &found.transforms,
        };
        let profitable = |compared| {
            let sizes = profitable_sizes(models.original(), &models.own, order, compared, b)?;
            log::debug!("sizes: {} units of work left", b.left());
            match sizes {
                Some(sizes) if check_sizes(&self.problem.program, &sizes).is_err() => Err(Kept::NotLegal),
                sizes => Ok(sizes.and_then(|sizes| sizes.with_pitches(&models.own, order))),
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
                let of_threads = profitable(Compared::ThreadsWithOne(own, &pair))?;
                Ok((sizes, of_threads.and_then(|sizes| with_threads(sizes, false))))
            }
            None => {
                let sizes = profitable(Compared::Threads(own, &pair))?.ok_or_else(too_large)?;
                Ok((sizes, with_threads(ProfitableSizes::all(), true)))
            }
        }
    }

    /// What was done to the original order, in the order in which it was applied. First the program is changed and scheduled, where the
    /// scheduler may be asked to keep bands apart, or for consecutive elements. Fusion is of its loops, and variants come last: an
    /// interchange is the schedule's or theirs.
    pub(super) fn transforms(&self, model: &Model<'_>, variants: &Variants, found: &Found) -> Vec<Transform> {
        let [by_schedule, by_variants] = interchanged(model, variants.scheduled(), &found.tree)
            .map(|statements| (!statements.is_empty()).then_some(Transform::Interchange { statements }));
        let is_fusion = |transform: &&Transform| matches!(transform, Transform::Fuse { .. });
        let (fusions, schedules): (Vec<_>, Vec<_>) = variants.done().iter().partition(is_fusion);
        let statements = self.problem.program.statements.iter();
        let simpler = statements.filter(|statement| !statement.only_in_original.is_empty());
        let statements: Vec<_> = simpler.map(|statement| statement.tuple().clone()).collect();
        let borders = (!statements.is_empty()).then_some(Transform::SplitBorders { statements });
        let mut transforms: Vec<Transform> = borders.into_iter().chain(self.problem.transforms()).collect();
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
        let beside = self.problem.beside();
        let model = |program, serializing| -> Outcome<Model<'m>> {
            let model = Model::new(program, serializing, target, b)?.with_beside(beside);
            let model = match self.problem.in_original_order {
                true => model.with_complete_unrolling(),
                false => model,
            };
            match self.problem.threads_only.is_some() && !self.choices.may_be_inlined {
                true => model.for_threads(b),
                false => Ok(model),
            }
        };
        let with_registers = |program, serializing, in_registers: &'m Option<UnionMap>| -> Outcome<Model<'m>> {
            let model = model(program, serializing)?;
            Ok(match in_registers {
                Some(in_registers) => model.with_registers(in_registers),
                None => model,
            })
        };
        Ok(match &self.problem.form {
            Form::Given => Models {
                own: with_registers(program, serializing, &order.in_registers)?,
                original: None,
            },
            Form::InPieces(whole) => Models {
                own: Model::of_pieces(program, serializing, target, b)?,
                original: Some(Model::new(&whole.program, &whole.serializing, target, b)?.with_beside(beside)),
            },
            Form::Expanded(unexpanded) => Models {
                own: model(program, serializing)?,
                original: Some(with_registers(
                    &unexpanded.program,
                    &unexpanded.serializing,
                    &unexpanded.in_registers,
                )?),
            },
            Form::InPanels(unsplit) => Models {
                own: Model::of_pieces(program, serializing, target, b)?,
                original: Some(model(&unsplit.program, &unsplit.serializing)?),
            },
        })
    }
}

/// Whether an order is legal.
pub(super) enum Legal {
    Yes,
    /// The loops that run on threads may not.
    NoThreads,
    No,
}

/// The levels of an order.
pub(super) fn levels_of(model: &Model<'_>, found: &Found) -> Levels {
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
