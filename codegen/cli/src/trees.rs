//! The commands on schedule trees: `farkas tree` and `farkas check`.

use std::fmt::Display;
use std::path::Path;

use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::check::{Verdict, check_conditional, check_tree};
use farkas_polyhedral::schedule::ScheduleConstraints;
use farkas_polyhedral::tree::{Tree, verify};

use crate::terminal::read;

/// What to print of a tree.
pub(crate) struct Show {
    /// Without what is known anyway.
    pub(crate) simplified: bool,
    /// The flat order instead of the tree.
    pub(crate) schedule_map: bool,
}

/// Reads a tree that is well-formed, and prints it.
pub(crate) fn tree(file: &Path, show: &Show, budget: &Budget) -> Result<String, String> {
    let mut tree = read_tree(file, budget)?;
    if show.simplified {
        tree = tree.simplified(budget).map_err(|error| located(file, &error))?;
    }
    if show.schedule_map {
        let map = tree.schedule_map(budget).map_err(|error| located(file, &error))?;
        return Ok(format!("{map}\n"));
    }
    Ok(tree.to_string())
}

/// Whether the tree in one file respects the constraints in the other: `legal`, or as an error what it violates.
pub(crate) fn check(constraints: &Path, tree: &Path, budget: &Budget) -> Result<Result<String, String>, String> {
    let given: ScheduleConstraints = read(constraints)?
        .parse()
        .map_err(|error| format!("{}:{error}", constraints.display()))?;
    given.check_dimensions().map_err(|error| located(constraints, &error))?;
    let mut order = read_tree(tree, budget)?;
    order.context = order.context.intersect(&given.context);
    let failed = |error| located(tree, &error);
    let executed = order.executed(budget).map_err(failed)?;
    let wanted = given.domain.intersect_params(&order.context);
    let missing = wanted.subtract(&executed, budget).map_err(failed)?;
    if !missing.is_empty(budget).map_err(failed)? {
        return Ok(Err(format!("not scheduled: {missing}\n")));
    }
    let domain = |pairs: &farkas_polyhedral::sets::UnionMap| pairs.intersect_domain(&wanted).intersect_range(&wanted);
    let mut verdict =
        check_tree(&domain(&given.validity), &domain(&given.coincidence), &order, budget).map_err(failed)?;
    if verdict.is_legal() {
        verdict = check_conditional(&given.condition, &given.conditional_validity, &order, budget).map_err(failed)?;
    }
    Ok(match verdict {
        Verdict::Legal => Ok("legal\n".to_string()),
        Verdict::Violated(violation) => Err(format!("{violation}\n")),
    })
}

fn read_tree(file: &Path, budget: &Budget) -> Result<Tree, String> {
    let tree: Tree = read(file)?
        .parse()
        .map_err(|error| format!("{}:{error}", file.display()))?;
    verify(&tree, budget).map_err(|error| located(file, &error))?;
    Ok(tree)
}

fn located(file: &Path, error: &dyn Display) -> String {
    format!("{}: {error}", file.display())
}
