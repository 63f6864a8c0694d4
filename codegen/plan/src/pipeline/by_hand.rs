//! Orders by hand: a tree that a user wrote is checked as any other one, and taken as it is.

use std::fmt::Display;

use farkas_polyhedral::budget::{Budget, OutOfBudget, Outcome};
use farkas_polyhedral::program::Program;
use farkas_polyhedral::tree::{Mark, Node, Tree};

use super::loops::{ast_of, is_emitted};
use super::{Stage, assumptions_on_loops, show_dependences, with_instances};
use crate::analysis::levels;
use crate::check::{Refusal, check_order};
use crate::cost::{Cost, Model};
use crate::dependences::{ByArray, Order};
use crate::kept::Kept;
use crate::plan::{Plan, PlannedOrder, Threads};
use crate::sizes::ProfitableSizes;
use crate::target::Target;
use crate::transform::Transform;

/// Why an order by hand is not taken.
#[derive(Debug, thiserror::Error)]
pub enum NotTaken {
    /// It does not execute what the program does.
    #[error("{}", .0.to_string().trim_end())]
    Refused(Box<Refusal>),
    /// The program stays as it is whatever the order, or the order has no loops.
    #[error(transparent)]
    Kept(#[from] Kept),
}

impl From<OutOfBudget> for NotTaken {
    fn from(spent: OutOfBudget) -> Self {
        NotTaken::Kept(spent.into())
    }
}

/// About a second: a user who gives an order waits for it to be checked.
const UNITS: u64 = 5_000_000;

/// The budget of an order by hand.
pub fn budget_by_hand() -> Budget {
    Budget::new(UNITS)
}

/// Plans the execution of a program in the order of a tree, with what its marks say. There is no question of gain. `show` is given the
/// results of stages in text form.
///
/// # Errors
///
/// Why the order is not taken.
pub fn plan_by_hand(
    program: &Program,
    tree: &Tree,
    target: &Target,
    show: &dyn Fn(Stage, &dyn Display),
    b: &Budget,
) -> Result<Plan, NotTaken> {
    let assumptions = with_instances(program, b)?;
    if assumptions.pieces().is_empty() {
        return Err(Kept::NeverHolds.into());
    }
    let planned = PlannedOrder {
        assumptions: &assumptions,
        tree,
        expansions: &[],
        packings: Vec::new(),
        node_splitting: None,
    };
    let packs = tree.root.any(&|node| matches!(node, Node::Mark(Mark::Pack { .. }, _)));
    if packs {
        return Err(Kept::NoLoops("buffers of packed arrays cannot be given by hand".into()).into());
    }
    check_order(program, &planned, b)?.map_err(NotTaken::Refused)?;
    let assumed = assumptions_on_loops(&assumptions, program, b)?;
    let tree = Tree {
        context: tree.context.intersect(&assumed),
        ..tree.clone()
    };
    let ast = ast_of(program, &[], &tree, b)?;
    is_emitted(&ast)?;
    show(Stage::Plan, &tree);
    show(Stage::Ast, &ast);
    let (before, after) = costs(program, &tree, target, show, b)?;
    let on_threads = |node: &Node| matches!(node, Node::Mark(Mark::Parallel { .. } | Mark::Pipeline { .. }, _));
    let threads = tree.root.any(&on_threads).then(|| Threads {
        cycles: after.cycles(),
        sizes: ProfitableSizes::all(),
        only: false,
    });
    Ok(Plan {
        transforms: vec![Transform::ByHand {
            statements: program.statements.iter().map(|one| one.tuple().clone()).collect(),
        }],
        before,
        after,
        sizes: ProfitableSizes::all(),
        threads,
        expansions: Vec::new(),
        packed: Vec::new(),
        node_splitting: None,
        ast: ast.align_params(assumptions.params()),
        alone: None,
        assumptions,
        tree,
    })
}

/// The expected costs of the original order and of a tree, which are the same where the model knows no cost of the tree.
fn costs(
    program: &Program,
    tree: &Tree,
    target: &Target,
    show: &dyn Fn(Stage, &dyn Display),
    b: &Budget,
) -> Outcome<(Cost, Cost)> {
    let program = &program.without_far_bounds().without_unused_params(b)?;
    let dependences = ByArray::of(program, b)?;
    show_dependences(&dependences, show);
    let order = Order::fixed(program, &tree.context, &dependences, b)?;
    let model = Model::new(program, &order.serializing, target, b)?;
    let before = model.cost_of_original(b)?;
    let after = match levels::of_tree(tree, program) {
        Some(levels) => model.cost(&levels, b)?,
        None => before.clone(),
    };
    Ok((before, after))
}
