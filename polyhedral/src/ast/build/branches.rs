//! From guards to `if`s (P1 section 5.9).
//!
//! Nodes that follow each other share `if`s where the conditions of one imply those of an `if` before it, or the complement
//! of these, in which case it goes into the `else` branch. The list of `if`s that can still be extended without changing the
//! order of execution is the way from an `if` to the last one inside its last branch.
//!
//! For example the guards `a`, `not a and b`, `not a`, `true` give
//!
//! ```text
//! if (a)
//!   S0();
//! else {
//!   if (b)
//!     S1();
//!   S2();
//! }
//! S3();
//! ```

use crate::ast::build::Options;
use crate::ast::build::gist::simplified;
use crate::ast::build::graft::Graft;
use crate::ast::node::Node;
use crate::ast::place::{Forms, Place};
use crate::budget::{Budget, Outcome};
use crate::sets::Set;

/// An `if` that is being made.
struct Branch {
    /// Simplified with respect to all that is known around it.
    condition: Set,
    then: Vec<Item>,
    otherwise: Vec<Item>,
}

enum Item {
    Node(Node),
    If(Branch),
}

/// An `if` that can still be extended: how to find it, and what holds in its branches.
struct Open {
    /// For each `if` on the way from the outermost list: the branch in which the next is the last item.
    way: Vec<Arm>,
    then: Set,
    otherwise: Set,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arm {
    Then,
    Otherwise,
}

/// The nodes one after the other, each where its guard holds, in a place where all outer conditions are known.
pub(super) fn guarded(grafts: Vec<Graft>, place: &Place, options: &Options, b: &Budget) -> Outcome<Node> {
    let mut items: Vec<Item> = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    for graft in grafts {
        let guard = graft.guard;
        if guard.is_plainly_universe() {
            open.clear();
            items.push(Item::Node(graft.node));
            continue;
        }
        let inside = guard.intersect(place.known());
        let mut target: Option<(usize, Arm)> = None;
        for (index, candidate) in open.iter().enumerate().rev() {
            if inside.is_subset(&candidate.then, b)? {
                target = Some((index, Arm::Then));
            } else if options.otherwise && inside.is_subset(&candidate.otherwise, b)? {
                target = Some((index, Arm::Otherwise));
            }
            if target.is_some() {
                break;
            }
        }
        // What holds where the node goes, and the way there.
        let (around, way) = match target {
            None => (place.known().clone(), Vec::new()),
            Some((index, arm)) => {
                let found = &open[index];
                let mut way = found.way.clone();
                way.push(arm);
                let around = match arm {
                    Arm::Then => found.then.clone(),
                    Arm::Otherwise => found.otherwise.clone(),
                };
                (around, way)
            }
        };
        open.truncate(target.map_or(0, |(index, _)| index + 1));
        let condition = simplified(&guard, &around, b)?;
        let list = list_at(&mut items, &way);
        if condition.is_plainly_universe() {
            list.push(Item::Node(graft.node));
            continue;
        }
        list.push(Item::If(Branch {
            condition: condition.clone(),
            then: vec![Item::Node(graft.node)],
            otherwise: Vec::new(),
        }));
        open.push(Open {
            way,
            otherwise: around.subtract(&condition, b)?,
            then: around.intersect(&condition),
        });
    }
    emitted(items, place, &options.forms, b)
}

/// The list that the way leads to.
fn list_at<'a>(items: &'a mut Vec<Item>, way: &[Arm]) -> &'a mut Vec<Item> {
    let mut list = items;
    for arm in way {
        let Some(Item::If(branch)) = list.last_mut() else {
            unreachable!("an `if` that can be extended is the last of its list")
        };
        list = match arm {
            Arm::Then => &mut branch.then,
            Arm::Otherwise => &mut branch.otherwise,
        };
    }
    list
}

fn emitted(items: Vec<Item>, place: &Place, forms: &Forms, b: &Budget) -> Outcome<Node> {
    let mut nodes = Vec::with_capacity(items.len());
    for item in items {
        nodes.push(match item {
            Item::Node(node) => node,
            Item::If(branch) => {
                let condition = place.condition(&branch.condition, forms, b)?;
                let then = emitted(branch.then, &place.assuming(&branch.condition), forms, b)?;
                if condition.is_true() {
                    nodes.push(then);
                    continue;
                }
                let otherwise = match branch.otherwise.is_empty() {
                    true => None,
                    false => {
                        let outside = place.known().subtract(&branch.condition, b)?;
                        Some(Box::new(emitted(
                            branch.otherwise,
                            &place.with_known(outside),
                            forms,
                            b,
                        )?))
                    }
                };
                // Branches that do the same need no condition, which has no effects.
                if otherwise.as_deref() == Some(&then) {
                    nodes.push(then);
                    continue;
                }
                Node::If {
                    condition,
                    then: Box::new(then),
                    otherwise,
                }
            }
        });
    }
    Ok(Node::block(nodes))
}
