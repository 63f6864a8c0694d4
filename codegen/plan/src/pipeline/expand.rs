//! Orders of the program with expanded scalars.

use std::cell::OnceCell;
use std::rc::Rc;

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::program::{Expansion, Program};
use farkas_polyhedral::sets::{Set, Tuple, UnionMap};
use farkas_polyhedral::tree::{RewriteError, Tree};

use super::orders::{CheckedOrder, LIVE_RANGES, Search};
use super::{Form, Kept, MARGIN, Problem, SLOTS, Stage, UNITS_BEHIND, UNITS_OF_COPIES, spent_or};
use crate::analysis::levels;
use crate::bound;
use crate::candidates::Rejection;
use crate::check::{Checked, Refusal, check_values, check_with_order};
use crate::choices::{Choices, ChosenTiles};
use crate::dependences::{ByArray, Order};
use crate::expansion::{
    ArrayExpansion, ExpandableSlot, Question, StripDistribution, contracted, fully_expanded, strip_distribution,
};
use crate::original_tree::original_tree;
use crate::schedules;
use crate::transform::Transform;
use crate::transform::pack::without_packing;

/// An order with expanded scalars has to take at most this share of the time of one without.
const EXPANDED: f64 = 0.9;

/// The size of tiles in each loop, where the user chose none: slots get an element for each value in a tile.
const TILE: i64 = 32;

/// What a program with expanded scalars is of.
#[derive(Clone, Debug)]
pub(super) struct Unexpanded {
    /// The program without expansion.
    pub(super) program: Program,
    /// What keeps an iteration of a loop waiting for another one there.
    pub(super) serializing: UnionMap,
    /// The same where [scalars and promoted arrays are registers](Order::in_registers).
    pub(super) in_registers: Option<UnionMap>,
    /// The dependences of the slots there.
    slots: ByArray,
    pub(super) scalars: Scalars,
}

/// Which scalars are expanded.
#[derive(Clone, Debug)]
pub(super) enum Scalars {
    /// Those that have an element for each value in a tile.
    InTiles(Vec<ExpandableSlot>),
    /// Those that have an element for each iteration in a strip of a distributed loop.
    InStrips(StripDistribution),
    /// Those that have one for each iteration in a strip in which all is scheduled anew, beside arrays that have copies.
    WithCopies(ArrayExpansion),
}

impl Unexpanded {
    /// The arrays that an order needs, and the order with its tiles one after the other; `None` if they are too large, or the order needs
    /// none, and would do without expansion.
    fn contracted(&self, tree: &Tree) -> Option<(Vec<Expansion>, Tree)> {
        let slots = match &self.scalars {
            Scalars::InTiles(slots) => slots,
            Scalars::InStrips(strips) => return Some((strips.expansions.clone(), tree.clone())),
            Scalars::WithCopies(arrays) => return Some((arrays.expansions.clone(), tree.clone())),
        };
        let (expansions, tree) = contracted(slots, tree)?;
        let has_arrays = expansions.iter().any(|expansion| !expansion.sizes.is_empty());
        has_arrays.then_some((expansions, tree))
    }

    /// What was done to the program.
    pub(super) fn transforms(&self) -> Vec<Transform> {
        match &self.scalars {
            Scalars::InTiles(slots) => vec![Transform::ExpandScalars {
                statements: slots.iter().map(|slot| slot.writer.clone()).collect(),
            }],
            Scalars::WithCopies(arrays) => vec![Transform::ExpandArrays {
                statements: arrays.writers.clone(),
                copies: arrays.copies,
            }],
            Scalars::InStrips(strips) => vec![
                Transform::ExpandScalars {
                    statements: strips.first.clone(),
                },
                Transform::Distribute {
                    statements: strips.first.clone(),
                },
            ],
        }
    }

    /// Whether an order needs arrays that are not too large.
    pub(super) fn fits(&self, tree: &Tree) -> bool {
        self.contracted(tree).is_some()
    }
}

/// An order that was found, with its problem, or why there is none.
type Found = Result<(Problem, CheckedOrder), Kept>;

impl Search<'_> {
    /// The order that was found, or one with expanded scalars that is better, with its problem. It has work of its own: the orders before it may have
    /// spent what there is.
    pub(super) fn or_expanded(&self, slots: &[ExpandableSlot], found: Found) -> Found {
        match slots.is_empty() {
            true => found,
            false => self.b.at_least(UNITS_BEHIND, |b| {
                self.or_other(found, (b, b.left()), |b| self.expanded(slots, b))
            }),
        }
    }

    /// The order that was found, or one in which a loop is distributed in strips, if that is better, with its problem. It takes half of what is left of
    /// the budget at the most.
    pub(super) fn or_in_strips(&self, found: Found) -> Found {
        match &found {
            Err(Kept::OutOfBudget) => found,
            _ => self.or_other(found, (self.b, self.b.left() / 2), |b| self.in_strips(b)),
        }
    }

    /// The order that was found, or one in which arrays have copies for the iterations of strips, if that is better, with its problem. It has work of its
    /// own: there are as many statements in a nest as fill and use the arrays.
    pub(super) fn or_with_array_copies(&self, found: Found) -> Found {
        let original = original_tree(&self.problem.program);
        let arrays = self
            .b
            .trial(self.b.left() / SLOTS, |b| self.array_expansion(&original, b));
        let Ok(Ok(Some(arrays))) = arrays else {
            return found;
        };
        self.b.at_least(UNITS_OF_COPIES, |b| {
            self.or_other(found, (b, b.left()), |b| {
                self.with_array_copies((&original, &arrays), b)
            })
        })
    }

    /// The order that was found, or another one that is better, which takes so much of a budget at the most.
    pub(super) fn or_other(
        &self,
        found: Found,
        (b, units): (&Budget, u64),
        other: impl FnOnce(&Budget) -> Outcome<Option<(Problem, CheckedOrder)>>,
    ) -> Found {
        if let Err(reason) = &found {
            self.considered.reject_all(&Rejection::Kept(reason.clone()));
        }
        let first = self.considered.next();
        let other = b.trial(units, other)?;
        if other.is_err() {
            self.considered.reject_from(first, &Rejection::Kept(Kept::OutOfBudget));
        }
        let Ok(Some((problem, order))) = other else {
            return found;
        };
        match found {
            Ok(found) if !self.is_instead_of(&found.1, &order, EXPANDED) => Ok(found),
            _ => Ok((problem, order)),
        }
    }

    /// The best order of a problem that variants of a tree give, with the problem.
    pub(super) fn of_problem(
        &self,
        problem: &Problem,
        tree: Result<Tree, Kept>,
        order: &Order,
    ) -> Outcome<Option<(Problem, CheckedOrder)>> {
        let first = self.considered.next();
        match spent_or(tree.and_then(|tree| self.improved_from(&problem.assuming(tree), order)))? {
            Ok(improved) => Ok(Some((problem.clone(), improved))),
            Err(reason) => {
                log::debug!("with expanded scalars: {reason}");
                self.considered.reject_from(first, &Rejection::Kept(reason));
                Ok(None)
            }
        }
    }

    /// The best order with expanded scalars, with its problem.
    fn expanded(&self, slots: &[ExpandableSlot], b: &Budget) -> Outcome<Option<(Problem, CheckedOrder)>> {
        let problem = self.problem.expanded(slots, b)?;
        if !self.choices.unprofitable
            && !bound::may_gain(
                (&problem.program, problem.beside()),
                self.target,
                problem.dependences.arrays(),
                &[],
                MARGIN,
                b,
            )?
        {
            log::debug!("with expanded scalars: no gain at the best");
            return Ok(None);
        }
        let order = problem.fixed(b)?;
        let choices = Choices {
            tile_sizes: Some(self.choices.tile_sizes.clone().unwrap_or(ChosenTiles::uniform(TILE))),
            ..self.choices.clone()
        };
        let search = Search {
            problem: &problem,
            choices: &choices,
            b,
            ..*self
        };
        let pairs: Vec<(&Tuple, &Tuple)> = slots.iter().flat_map(ExpandableSlot::pairs).collect();
        let tree = schedules::fused_along(&pairs, &order.constraints, b);
        search.of_problem(&problem, tree, order)
    }

    /// The best order in which a loop is distributed in strips, with its problem.
    fn in_strips(&self, b: &Budget) -> Outcome<Option<(Problem, CheckedOrder)>> {
        let original = original_tree(&self.problem.program);
        let order = self.problem.fixed(b)?;
        let models = self.models(order, b)?;
        let levels = levels::of_original(&self.problem.program);
        let is_serialized = |statement: &Tuple| models.own.is_serialized(statement, &levels, b);
        let dependences = &self.problem.dependences;
        let strips = strip_distribution((&models.own, dependences), &original, &is_serialized, b)?;
        let Some(strips) = strips else { return Ok(None) };
        let problem = self.problem.in_strips(strips.clone(), b)?;
        let order = problem.fixed(b)?;
        let tree = strips.distributed(&original, &order.constraints.coincidence, b)?;
        let search = Search {
            problem: &problem,
            b,
            ..*self
        };
        search.of_problem(&problem, Ok(tree), order)
    }

    /// The arrays that may have copies for the iterations of a loop.
    fn array_expansion(&self, original: &Tree, b: &Budget) -> Outcome<Option<ArrayExpansion>> {
        let question = Question {
            program: &self.problem.program,
            assumed: &self.problem.assumed,
            dependences: &self.problem.dependences,
            without_copies: &self.choices.without_copies,
            b,
        };
        question.array_expansion(original)
    }

    /// The best order in which arrays have copies for the iterations of strips, with its problem.
    fn with_array_copies(
        &self,
        (original, arrays): (&Tree, &ArrayExpansion),
        b: &Budget,
    ) -> Outcome<Option<(Problem, CheckedOrder)>> {
        let problem = self.problem.with_array_copies(arrays.clone(), b)?;
        let movable = problem.dependences.movable_arrays(&problem.program, b)?;
        let mut orders = Vec::new();
        if !movable.is_empty() {
            let order = b.trial(b.left() / LIVE_RANGES, |b| {
                Order::movable(&problem.program, &problem.assumed, &problem.dependences, &movable, b)
            })?;
            orders.extend(order);
        }
        orders.push(problem.fixed(b)?.clone());
        for order in orders {
            let Some(tree) = arrays.scheduled(original, &order.constraints, b)? else {
                continue;
            };
            (self.show)(Stage::Schedule, &tree);
            let search = Search {
                problem: &problem,
                b,
                ..*self
            };
            if let Some(found) = search.of_problem(&problem, Ok(tree), &order)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}

impl Problem {
    /// The problem with an element for each value of the slots.
    fn expanded(&self, slots: &[ExpandableSlot], b: &Budget) -> Outcome<Problem> {
        let program = fully_expanded(&self.program, slots);
        let arrays: Vec<Tuple> = slots.iter().map(|slot| slot.slot.clone()).collect();
        self.with_scalars(program, &arrays, Scalars::InTiles(slots.to_vec()), b)
    }

    /// The problem with an element for each iteration of a loop.
    fn in_strips(&self, strips: StripDistribution, b: &Budget) -> Outcome<Problem> {
        let program = strips.expanded(&self.program);
        let arrays: Vec<Tuple> = strips.expansions.iter().map(Expansion::array).collect();
        self.with_scalars(program, &arrays, Scalars::InStrips(strips), b)
    }

    /// The problem with copies of arrays.
    fn with_array_copies(&self, arrays: ArrayExpansion, b: &Budget) -> Outcome<Problem> {
        let program = arrays.expanded(&self.program);
        let expanded: Vec<Tuple> = arrays.expansions.iter().map(Expansion::array).collect();
        let assumed = self.assumed.intersect(&arrays.assumed);
        let problem = Problem {
            assumed,
            ..self.clone()
        };
        problem.with_scalars(program, &expanded, Scalars::WithCopies(arrays), b)
    }

    /// The problem with arrays in place of scalars of the same names.
    fn with_scalars(&self, program: Program, arrays: &[Tuple], scalars: Scalars, b: &Budget) -> Outcome<Problem> {
        let own_scalars = self.dependences.with_own_scalars(&self.program);
        let original = Order::fixed(&self.program, &self.assumed, &own_scalars, b)?;
        Ok(Problem {
            dependences: self.dependences.of_changed(arrays, &program, b)?,
            threads_only: None,
            form: Form::Expanded(Rc::new(Unexpanded {
                program: self.program.clone(),
                serializing: original.serializing,
                in_registers: original.in_registers,
                slots: self
                    .dependences
                    .only(|slot| arrays.iter().any(|array| array.name() == slot.name())),
                scalars,
            })),
            program,
            fixed: OnceCell::new(),
            ..self.clone()
        })
    }

    /// What is assumed for copies of arrays.
    pub(super) fn assumed_for_copies(&self) -> Option<&Set> {
        match &self.form {
            Form::Expanded(unexpanded) => match &unexpanded.scalars {
                Scalars::WithCopies(arrays) => Some(&arrays.assumed),
                Scalars::InTiles(_) | Scalars::InStrips(_) => None,
            },
            Form::Given | Form::InPieces(_) | Form::InPanels(_) => None,
        }
    }

    /// A tree over the original statements and variables, and the arrays that stand for scalar slots in it.
    pub(super) fn in_original(&self, tree: &Tree, b: &Budget) -> Result<(Tree, Vec<Expansion>), RewriteError> {
        let Form::Expanded(unexpanded) = &self.form else {
            let (_, tree) = self.of_whole(tree, b)?;
            return Ok((self.variables.undo(&tree, b)?, Vec::new()));
        };
        let (mut expansions, tree) = unexpanded.contracted(tree).expect("an order that was checked");
        for subscripts in expansions.iter_mut().flat_map(|expansion| &mut expansion.subscripts) {
            let (statement, function) = subscripts;
            *function = self.variables.undo_function(statement, function);
        }
        Ok((self.variables.undo(&tree, b)?, expansions))
    }

    /// Checks a tree, but for what is packed; `None` if it would need too much memory.
    pub(super) fn check(&self, order: &Order, tree: &Tree, b: &Budget) -> Outcome<Option<Checked>> {
        let tree = &without_packing(tree);
        match &self.form {
            Form::Expanded(unexpanded) => return self.check_contracted(unexpanded, tree, b),
            Form::InPanels(unsplit) => return unsplit.check(self, tree, b).map(Some),
            Form::Given | Form::InPieces(_) => {}
        }
        match self.of_whole(tree, b) {
            Ok((program, tree)) => {
                check_with_order(program, &self.assumed, (&self.dependences, order), &tree, &[], b).map(Some)
            }
            Err(RewriteError::OutOfBudget(error)) => Err(error),
            Err(error) => unreachable!("a tree of bands and filters: {error}"),
        }
    }

    /// Checks a tree over the program with arrays as small as the tree needs them.
    fn check_contracted(&self, unexpanded: &Unexpanded, tree: &Tree, b: &Budget) -> Outcome<Option<Checked>> {
        let Some((expansions, tree)) = unexpanded.contracted(tree) else {
            log::debug!("expanded scalars need too many elements, or none");
            return Ok(None);
        };
        let program = unexpanded.program.with_expansions(&expansions);
        let arrays: Vec<Tuple> = expansions.iter().map(Expansion::array).collect();
        let dependences = self.dependences.of_changed(&arrays, &program, b)?;
        let values = (&unexpanded.slots, &dependences);
        if let Err(refusal) = check_values(&unexpanded.program, &self.assumed, &expansions, values, b)? {
            return Ok(Some(Err(refusal)));
        }
        let order = Order::fixed(&program, &self.assumed, &dependences, b)?;
        let check = |order: &Order| check_with_order(&program, &self.assumed, (&dependences, order), &tree, &[], b);
        let checked = check(&order)?;
        match &checked {
            Err(refusal) if matches!(**refusal, Refusal::Order(_)) => {
                log::debug!("with live ranges in order: {refusal}");
                check(&Order::movable(&program, &self.assumed, &dependences, &arrays, b)?).map(Some)
            }
            _ => Ok(Some(checked)),
        }
    }
}
