//! Non-affine subregions: the blocks that a data-dependent condition governs, as one statement.
//!
//! The model cannot say which instances of a block behind a data-dependent branch are executed. The branch and all
//! blocks up to where its arms join again become one *subregion*, with one entry block and one exit block (Polly's
//! non-affine subregion). As a statement it is executed whenever its entry block is. Writes in its other blocks are
//! may-writes. The statement contains the branches, so each instance executes what it executed before, in any order
//! of the instances.
//!
//! ```c
//! for (long i = 0; i < n; i++) {
//!   if (a[i] > 0)          // S0[i] up to here and in both arms: reads a[i], may write b[i] and b[i + 1]
//!     b[i] = 1;
//!   else
//!     b[i + 1] = 2;
//!   c[i] = 0;              // S1[i]
//! }
//! ```

use super::nest::{Item, Nest};
use farkas_llvm::Run;
use farkas_llvm::value::Block;
use farkas_polyhedral::budget::{Budget, Outcome};
use indexmap::{IndexMap, IndexSet};

/// Blocks of one iteration of a loop that are entered by the first and left to `exit` only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Subregion<'a> {
    /// In topological order; the first dominates the others.
    pub(crate) blocks: Vec<Block<'a>>,
    /// The block that control goes on to. Nothing in the subregion goes elsewhere.
    pub(crate) exit: Block<'a>,
}

impl<'a> Subregion<'a> {
    /// The block that it starts with.
    pub(crate) fn start(&self) -> Block<'a> {
        self.blocks[0]
    }
}

/// The smallest subregion of a body, made of these items, that has all ways on from `branch` in it, up to where they
/// meet again; `None` if there is a loop among these, or the end of the body or of its loop.
pub(crate) fn around<'a>(
    run: &'a Run<'_>,
    nest: &Nest<'a>,
    items: &[Item<'a>],
    branch: Block<'a>,
    b: &Budget,
) -> Outcome<Option<Subregion<'a>>> {
    let order = Order::new(nest, items);
    let Some(mut start) = order.items.iter().position(|item| *item == Item::Block(branch)) else {
        return Ok(None);
    };
    loop {
        b.spend(order.items.len() as u64)?;
        let Some(inside) = order.up_to(start, order.meet[start]) else {
            return Ok(None);
        };
        let dominates = |block: Block<'a>| inside.iter().all(|inner| run.dominates(block, *inner));
        if dominates(inside[0]) {
            let Some(Item::Block(exit)) = order.items.get(order.meet[start]).copied() else {
                return Ok(None);
            };
            let goes_on = |to: &Block<'a>| *to == exit || inside.contains(to) || to.is_never_reached();
            let stays = |block: &Block<'a>| block.successors().iter().all(goes_on);
            let closed = inside.iter().all(stays);
            return Ok(closed.then_some(Subregion { blocks: inside, exit }));
        }
        // Some of the blocks are reached from elsewhere, too: those ways come in.
        let wider = (0..start).rev().find(|at| match order.items[*at] {
            Item::Block(block) => dominates(block),
            Item::Loop(_) => false,
        });
        match wider {
            Some(wider) => start = wider,
            None => return Ok(None),
        }
    }
}

/// A way on from a branch: the block that it begins with, and the items of the body that it comes through before all ways meet.
#[derive(Clone, Debug)]
pub(crate) struct Way<'a> {
    /// The successor of the branch.
    pub(crate) to: Block<'a>,
    /// In topological order. Other ways may come through some of them, too.
    pub(crate) items: Vec<Item<'a>>,
}

/// The ways on from `branch`, in a body made of these items, up to where they meet again or the body ends; `None` if one of them leaves
/// the body or goes back to its start at once.
pub(crate) fn ways_on<'a>(nest: &Nest<'a>, items: &[Item<'a>], branch: Block<'a>) -> Option<Vec<Way<'a>>> {
    let order = Order::new(nest, items);
    let start = order.items.iter().position(|item| *item == Item::Block(branch))?;
    let meet = order.meet[start];
    let way = |to: Block<'a>| {
        let first = *order.positions.get(&to).filter(|first| **first > start)?;
        let items = match first == meet {
            true => Vec::new(),
            false => order
                .reached(first, meet)
                .into_iter()
                .map(|at| order.items[at])
                .collect(),
        };
        Some(Way { to, items })
    };
    branch.successors().into_iter().map(way).collect()
}

/// The items of an iteration, and how control may go on from each.
struct Order<'o, 'a> {
    items: &'o [Item<'a>],
    /// The positions of the items by the blocks that they start with.
    positions: IndexMap<Block<'a>, usize>,
    /// For each item those that may be next in the same iteration.
    next: Vec<Vec<usize>>,
    /// For each item the first one after it that every way on comes through, its immediate post-dominator; the number
    /// of items for the end of the iteration.
    meet: Vec<usize>,
}

impl<'o, 'a> Order<'o, 'a> {
    fn new(nest: &Nest<'a>, items: &'o [Item<'a>]) -> Self {
        let starts = |item: &Item<'a>| match item {
            Item::Block(block) => *block,
            Item::Loop(child) => nest.at(*child).header,
        };
        let positions: IndexMap<Block<'a>, usize> = items.iter().map(starts).zip(0..).collect();
        let onwards = |item: &Item<'a>| match item {
            Item::Block(block) => block.successors(),
            Item::Loop(child) => vec![nest.at(*child).exit],
        };
        let later = |at: usize, to: &Block<'a>| positions.get(to).copied().filter(|position| *position > at);
        let next: Vec<Vec<usize>> = items
            .iter()
            .enumerate()
            .map(|(at, item)| onwards(item).iter().filter_map(|to| later(at, to)).collect())
            .collect();
        let end = items.len();
        let mut meet = vec![end; end];
        for at in (0..end).rev() {
            let common = next[at].iter().copied().reduce(|mut x, mut y| {
                while x != y {
                    let behind = if x < y { &mut x } else { &mut y };
                    *behind = meet[*behind];
                }
                x
            });
            meet[at] = common.unwrap_or(end);
        }
        Order {
            items,
            positions,
            next,
            meet,
        }
    }

    /// The blocks from item `start` up to item `end`, in order; `None` if there is a loop among them.
    fn up_to(&self, start: usize, end: usize) -> Option<Vec<Block<'a>>> {
        let reached = self.reached(start, end).into_iter();
        reached
            .map(|at| match self.items[at] {
                Item::Block(block) => Some(block),
                Item::Loop(_) => None,
            })
            .collect()
    }

    /// The positions of the items from `start` up to `end`, in order.
    fn reached(&self, start: usize, end: usize) -> IndexSet<usize> {
        let mut seen: IndexSet<usize> = IndexSet::from([start]);
        let mut pending = vec![start];
        while let Some(at) = pending.pop() {
            let onwards = self.next[at].iter().filter(|to| **to != end);
            pending.extend(onwards.filter(|to| seen.insert(**to)));
        }
        seen.sort();
        seen
    }
}
