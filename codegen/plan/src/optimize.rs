//! Rewrites a schedule tree for one core: which loop runs innermost, what is tiled, what is unrolled, and whether the
//! result is worth having.
//!
//! The scheduler finds bands of loops that may be interchanged. Of each band, the loop along which most accesses go
//! through consecutive memory becomes the innermost one, so that LLVM's vectorizer takes it (`innermost`). The cost of
//! the result and of the original order is estimated by the same rules (`cost`); without a clear gain the region is left
//! alone, which can often be seen before there is a schedule (`bound`). Then permutable bands are tiled for the cache and,
//! where that keeps values in registers, their tiles unrolled (`tile`). Every rewriting is checked against the dependences
//! afterwards by the caller.

use crate::{bound, cost, innermost, linear, tile};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::flow::Dependences;
use farkas_polyhedral::program::Program;
use farkas_polyhedral::sets::{Tuple, UnionMap};
use farkas_polyhedral::tree::Tree;
use indexmap::IndexMap;

/// What is known of the machine, and what a user may choose.
#[derive(Clone, Debug)]
pub struct Target {
    /// The width of a vector register in bits.
    pub vector_bits: u32,
    /// The size of a tile in each loop but the innermost; `None` leaves the choice to the optimizer.
    pub tile_size: Option<i64>,
    /// Whether to rewrite what gains nothing by it, too: for tests.
    pub unprofitable: bool,
}

impl Default for Target {
    fn default() -> Self {
        Target {
            vector_bits: 256,
            tile_size: None,
            unprofitable: false,
        }
    }
}

/// What came of a region.
#[derive(Clone, Debug)]
pub enum Plan {
    /// The tree is expected to run faster than the original order.
    Transform {
        /// The rewritten tree.
        tree: Box<Tree>,
        /// What was done, for the user.
        summary: String,
    },
    /// No gain is expected.
    LeaveAlone {
        /// Why, for the user.
        reason: String,
    },
}

/// Why no order of the program can be better than the one that it is in, if that is plain from its loops.
pub fn only_order(program: &Program) -> Option<String> {
    let reason = "no gain expected: each loop has a single statement, so that there is no other order";
    bound::has_one_order(program, &linear::statements(program)).then(|| reason.to_owned())
}

/// Why no order of the program is expected to be clearly better than the one that it is in, as far as that can be seen from
/// dependences, without a schedule. The live ranges of arrays in `movable` may change places.
pub fn best_order(
    program: &Program,
    by_array: &IndexMap<Tuple, Dependences>,
    movable: &[Tuple],
    b: &Budget,
) -> Outcome<Option<String>> {
    let statements = linear::statements(program);
    let reason = "no gain expected: dependences and accesses leave no order that is clearly better than the original";
    let may_gain = bound::may_gain(program, &statements, by_array, movable, b)?;
    Ok((!may_gain).then(|| reason.to_owned()))
}

/// Rewrites the scheduler's `tree` for `program` on `target`. `dependences` are all pairs of instances whose order
/// matters.
pub fn optimize(program: &Program, tree: &Tree, dependences: &UnionMap, target: &Target, b: &Budget) -> Outcome<Plan> {
    if tree.flat_schedule().is_none() {
        let reason = "the schedule is not one function a statement".to_string();
        return Ok(Plan::LeaveAlone { reason });
    }
    let statements = linear::statements(program);
    let ordered = innermost::choose(tree, &statements, dependences, b)?;
    let distributed = innermost::distribute(&ordered, &statements, dependences, b)?;
    let before = cost::of_original(program, &statements, dependences, b)?;
    let order = innermost::order(distributed.as_ref().unwrap_or(&ordered));
    let after = cost::of_schedule(&order, &statements, dependences, b)?;
    let gain = match cost::compare(
        &before,
        &after,
        tile::tiles_time(&ordered),
        tile::keeps_in_registers(&ordered, &statements),
    ) {
        cost::Verdict::Gain(gain) => gain,
        cost::Verdict::NoGain(reason) if target.unprofitable => Some(reason),
        cost::Verdict::NoGain(reason) => return Ok(Plan::LeaveAlone { reason }),
    };
    let (mut tree, tiling) = tile::tile(&ordered, &statements, target);
    if distributed.is_some() {
        // Distribution is for the loops over points, below the tiles.
        tree = tree.with_root(innermost::distributed(tree.root.clone(), &statements));
    }
    Ok(Plan::Transform {
        tree: Box::new(tree),
        summary: gain.into_iter().chain(tiling).collect::<Vec<_>>().join(", "),
    })
}
