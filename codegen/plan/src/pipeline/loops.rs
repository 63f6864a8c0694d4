//! Loops of an order, or of a simpler one.

use farkas_polyhedral::ast::{self, Ast, AstError};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::program::{Expansion, PackedTile, Program};
use farkas_polyhedral::tree::{RewriteError, Tree};

use super::orders::{CheckedOrder, Search};
use super::{Fallback, UNITS_BEHIND, spent_or};
use crate::annotate::Annotate;
use crate::candidates::Rejection;
use crate::check::check_packed;
use crate::kept::Kept;
use crate::search::{Repertoire, Unusable};
use crate::short_loops::with_short_loops_outside;
use crate::sizes::ProfitableSizes;
use crate::transform::pack::{Place, has_packing, with_copies};
use crate::unjam::with_rows_outside;

/// One part in so many of the budget that is left when loops are generated is kept for what comes behind.
const LOOPS_RESERVE: u64 = 32;

impl Search<'_> {
    /// The loops of an order. Where these take more than what is left, or do not exist, those of the best order without lanes,
    /// then without tiles, and then without unroll and jam, if the fallback says so. For these there are budgets apart: one for all that
    /// have any of these, and one for each that has none.
    pub(super) fn with_loops(&self, order: CheckedOrder, fallback: Fallback) -> Result<(CheckedOrder, Loops), Kept> {
        let generated = self.b.at_least(self.problem.units_of_loops(), |b| {
            let left = b.left();
            b.trial(left - left / LOOPS_RESERVE, |b| {
                spent_or(self.loops(order.tree(), &order.sizes, b))
            })
        })?;
        let generated = generated.unwrap_or(Err(Kept::OutOfBudget));
        if generated.is_err() {
            log::trace!("no loops: {}", order.tree());
        }
        let first = match generated {
            Ok(loops) => return self.without_empty(order, loops),
            Err(reason) if fallback == Fallback::Nothing => return Err(reason),
            Err(reason) => reason,
        };
        let shared = Budget::new(UNITS_BEHIND);
        let first_order = self.considered.next();
        for repertoire in order.variants.simpler(&order.found, Unusable::NoLoops) {
            log::debug!("loops: {first}; next {repertoire:?}");
            let own = repertoire.is_plain().then(|| Budget::new(UNITS_BEHIND));
            match self.simpler(&order, repertoire, own.as_ref().unwrap_or(&shared)) {
                Ok(simpler) => return Ok(simpler),
                Err(reason) => {
                    log::debug!("with {repertoire:?}: {reason}");
                    self.considered.reject_from(first_order, &Rejection::Kept(reason));
                }
            }
        }
        Err(first)
    }

    /// The loops of an order for one thread, where these are others than on threads and can be generated.
    pub(super) fn loops_alone(&self, order: &CheckedOrder, loops: &Loops) -> Result<Option<Loops>, Kept> {
        let Some(tree) = order.tree_alone() else {
            return Ok(None);
        };
        let generated = self.b.at_least(UNITS_BEHIND, |b| {
            b.trial(b.left() / 2, |b| spent_or(self.loops(tree, &order.sizes, b)))
        })?;
        // Slots that are arrays are the problem's.
        let has_same_buffers = |own: &Loops| own.packed == loops.packed;
        Ok(generated.ok().and_then(Result::ok).filter(has_same_buffers))
    }

    /// The same without sizes for which there is hardly anything to execute, if that makes fewer loops. Where these are compared, too, the
    /// original takes a little longer.
    fn without_empty(&self, order: CheckedOrder, loops: Loops) -> Result<(CheckedOrder, Loops), Kept> {
        let is_conditional = loops.ast.root.has_conditions_outside();
        let Some(sizes) = order.sizes.without_empty().filter(|_| is_conditional) else {
            return Ok((order, loops));
        };
        let generate = |b: &Budget| spent_or(self.loops(order.tree(), &sizes, b));
        Ok(match self.b.trial(self.b.left() / 2, generate)? {
            Ok(Ok(fewer)) if fewer.ast.root.n_calls() < loops.ast.root.n_calls() => {
                (CheckedOrder { sizes, ..order }, fewer)
            }
            _ => (order, loops),
        })
    }

    /// The best order within a repertoire, and its loops.
    fn simpler(&self, order: &CheckedOrder, repertoire: Repertoire, b: &Budget) -> Result<(CheckedOrder, Loops), Kept> {
        let models = self.models(&order.order, b)?;
        let found = self.best(&models.own, &order.variants, repertoire, &order.order, b)?;
        self.considered.set_original(&order.before);
        let id = self
            .considered
            .add(order.generator.clone(), Some((&order.variants, &found)));
        self.considered.choose_again(id, Unusable::NoLoops, &found);
        let threaded = (Search { b, ..*self }).checked(&models, (&found, id), &order.before, &order.order)?;
        let (sizes, threads) = self.sizes(&models, (&found, &order.before), threaded, b)?;
        let simpler = CheckedOrder {
            transforms: self.transforms(&models.own, &order.variants, &found),
            found,
            sizes,
            threads,
            id,
            ..order.clone()
        };
        let loops = self.loops(simpler.tree(), &simpler.sizes, b)?;
        Ok((simpler, loops))
    }

    /// A tree in the original variables with the copies of its packed tiles, and the tiles.
    fn with_copies(&self, tree: Tree, b: &Budget) -> Result<(Tree, Vec<PackedTile>), Kept> {
        if !has_packing(&tree) {
            return Ok((tree, Vec::new()));
        }
        if !self.problem.has_plain_statements() {
            return Err(no_copies("are of other statements"));
        }
        let program = &self.problem.program;
        let (tree, packed) = with_copies(&tree, program, Place::Stack, b)?.ok_or_else(|| no_copies("are not tiled"))?;
        match check_packed(program, &tree, &packed, b)? {
            Ok(()) => Ok((tree, packed)),
            Err(refusal) => {
                log::debug!("refused: {refusal}");
                Err(no_copies("cannot be shown to be right"))
            }
        }
    }

    /// The loops of a tree, for these sizes.
    fn loops(&self, tree: &Tree, sizes: &ProfitableSizes, b: &Budget) -> Result<Loops, Kept> {
        let original = self.problem.in_original(tree, b);
        let (tree, expansions) = original.map_err(|error| match error {
            RewriteError::OutOfBudget(_) => Kept::OutOfBudget,
            other => Kept::NoLoops(other.to_string()),
        })?;
        let program = self.problem.original();
        let (tree, packed) = self.with_copies(tree, b)?;
        let (tree, program) = match &self.problem.border {
            Some(border) => border.in_front_of(tree),
            None => (tree, program),
        };
        let for_sizes = Tree {
            context: sizes.within(&tree.context),
            ..tree.clone()
        };
        let mut ast = ast_of(program, &expansions, &for_sizes, b)?;
        if let Some(border) = &self.problem.border {
            ast.root = border.annotate(ast.root);
        }
        is_emitted(&ast)?;
        Ok(Loops {
            tree,
            ast,
            expansions,
            packed,
        })
    }
}

/// The loops of a tree of a program in which these slots are arrays.
pub(super) fn ast_of(program: &Program, expansions: &[Expansion], tree: &Tree, b: &Budget) -> Result<Ast, Kept> {
    let mut annotate = Annotate::of_program(program, expansions);
    let ast = ast::generate_with(tree, &ast::Options::default(), &mut annotate, b);
    let mut ast = ast.map_err(|error| match error {
        AstError::OutOfBudget(_) => Kept::OutOfBudget,
        other => Kept::NoLoops(other.to_string()),
    })?;
    ast.root = with_rows_outside(ast.root);
    Ok(with_short_loops_outside(ast))
}

/// Whether emission has a form for loops.
///
/// # Errors
///
/// Why it has none.
pub(super) fn is_emitted(ast: &Ast) -> Result<(), Kept> {
    if ast.root.has_endless_loop() {
        return Err(Kept::NoLoops("a loop would never end".into()));
    }
    // Conditions around the statements of lanes have no vector form.
    match ast.root.has_conditions_in_lanes() {
        true => Err(Kept::NoLoops("there would be conditions in lanes".into())),
        false => Ok(()),
    }
}

/// The loops of an order.
pub(super) struct Loops {
    /// The order, in the original variables.
    pub(super) tree: Tree,
    pub(super) ast: Ast,
    /// The scalar slots that have arrays in their place, in the original variables.
    pub(super) expansions: Vec<Expansion>,
    /// The tiles of arrays in buffers.
    pub(super) packed: Vec<PackedTile>,
}

/// Why an order with packed tiles has no loops.
fn no_copies(reason: &str) -> Kept {
    Kept::NoLoops(format!("copies of packed tiles {reason}"))
}
