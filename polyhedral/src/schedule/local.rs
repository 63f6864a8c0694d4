//! Rescheduling a part of a schedule tree (P3, 5).
//!
//! What is good for the whole need not be good within a tile. Below a node, only those pairs of instances matter that have
//! the same values of the outer members, such as those of one tile. Under the constraints on these, a subtree can be
//! scheduled anew, with other options or other wishes: consecutive accesses in the point loops, for instance, which would
//! distribute the loops over the whole nest, distribute them within a tile only.

use super::{Options, ScheduleConstraints, ScheduleError, schedule_within};
use crate::budget::{Budget, Outcome};
use crate::linalg::Row;
use crate::sets::{MultiAff, UnionMap};
use crate::tree::{Node, Path, Reach, Tree};

/// The tree with the subtree at `path` scheduled anew: the instances that reach it, under those constraints whose ends
/// the outer members do not tell apart. Conditioned pairs have to stay in order.
///
/// # Errors
///
/// If there is no such schedule, or if the budget is spent.
///
/// # Panics
///
/// If there is no node at `path`, or if there is an expansion or an extension in the tree.
pub fn reschedule(
    tree: &Tree,
    path: &Path,
    constraints: &ScheduleConstraints,
    options: &Options,
    b: &Budget,
) -> Result<Tree, ScheduleError> {
    let plain = |node: &Node| matches!(node, Node::Expansion(_) | Node::Extension(..));
    assert!(!tree.root.any(&plain), "no expansion and no extension");
    let reach = tree.reach(path, b)?;
    let relation = reach.schedule_relation(b)?;
    let together = relation.apply_range(&relation.reverse(), b)?;
    let all = constraints.unconditional(b)?;
    let within = |relation: &UnionMap| relation.intersect(&together).coalesce(b);
    let inner = ScheduleConstraints {
        domain: reach.instances.clone(),
        validity: within(&all.validity)?,
        proximity: within(&all.proximity)?,
        coincidence: within(&all.coincidence)?,
        inter_consecutivity: within(&all.inter_consecutivity)?,
        ..all
    };
    let subtree = schedule_within(&inner, &|tuple| outer_rows(&reach, tuple, b), options, b)?;
    Ok(tree.rewritten(path, |_| subtree.root))
}

/// The linear parts of the outer members of a statement that are affine: the subtree need not tell apart what they do.
fn outer_rows(reach: &Reach, statement: &crate::sets::Tuple, b: &Budget) -> Outcome<Vec<Row>> {
    let Some(schedule) = reach.schedule_function(b)? else {
        return Ok(Vec::new());
    };
    let mut functions = schedule.pw_multi_affs().filter(|f| f.space().domain == *statement);
    let function: Option<&MultiAff> = functions.next().and_then(|f| f.as_multi_aff());
    let affs = function.map_or(&[][..], MultiAff::affs);
    let affine = affs.iter().filter(|aff| aff.divs().is_empty() && aff.den().is_one());
    let row = |aff: &crate::sets::Aff| (0..statement.n()).map(|dim| aff.coefficient(dim).clone()).collect();
    Ok(affine.map(row).collect())
}
