//! Single-entry single-exit regions of a function.
//!
//! A *region* is what the new code replaces: one loop, or several loops in sequence with the code between and around
//! them. It is entered at one border and left at one border. A border is an edge, or a place inside a block:
//!
//! ```text
//!     before:  ..; br c                    outside, except for the branch: the entry is before it
//!              /     \
//!          loop        \
//!              \       /
//!     after:   phi; ..                     the phi is inside: the exit is behind it
//! ```
//!
//! Control may also leave a region for an [error block](Region::errors), from which it never comes back. Code that
//! replaces the region requires that this does not happen.

use crate::loops::Loop;
use crate::run::Run;
use crate::scev::Scev;
use crate::value::{Block, Value};
use indexmap::{IndexMap, IndexSet};
use std::collections::HashSet;

/// Where control enters or leaves a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Border<'a> {
    /// From one block to another. The first may also go elsewhere, and the second be reached from elsewhere.
    Edge {
        /// The block before the border.
        from: Block<'a>,
        /// The block behind it.
        to: Block<'a>,
    },
    /// Inside a block: the instruction is the first one behind the border.
    Before(Value<'a>),
}

impl<'a> Border<'a> {
    /// The block before the border.
    pub fn block(self) -> Block<'a> {
        match self {
            Border::Edge { from, .. } => from,
            Border::Before(instruction) => instruction.block(),
        }
    }

    /// The instruction that what is computed before the border has to come before.
    pub fn instruction(self) -> Value<'a> {
        match self {
            Border::Edge { from, .. } => from.terminator(),
            Border::Before(instruction) => instruction,
        }
    }
}

/// A piece of a function that is entered in one place and, but for errors, left in one place.
#[derive(Clone, Debug)]
pub struct Region<'a> {
    /// Where it is entered.
    pub entry: Border<'a>,
    /// Where it is left.
    pub exit: Border<'a>,
    /// The loop directly around.
    pub around: Option<Loop<'a>>,
    /// The loops inside that are in no other loop inside, in program order.
    pub outermost: Vec<Loop<'a>>,
    /// The blocks, those of the loops included, with their instructions that are inside.
    pub blocks: IndexMap<Block<'a>, Vec<Value<'a>>>,
    /// The blocks that are reached from inside on ways that do not come back.
    pub errors: IndexSet<Block<'a>>,
    inside: HashSet<Value<'a>>,
}

impl<'a> Region<'a> {
    /// The region of these borders, loops and blocks.
    pub fn new(
        (entry, exit): (Border<'a>, Border<'a>),
        around: Option<Loop<'a>>,
        outermost: Vec<Loop<'a>>,
        blocks: IndexMap<Block<'a>, Vec<Value<'a>>>,
        errors: IndexSet<Block<'a>>,
    ) -> Self {
        let inside = blocks.values().flatten().copied().collect();
        Region {
            entry,
            exit,
            around,
            outermost,
            blocks,
            errors,
            inside,
        }
    }

    /// Whether the value is computed inside.
    pub fn defines(&self, value: Value<'a>) -> bool {
        self.inside.contains(&value)
    }

    /// Whether an instruction outside is executed after the region has been left by its exit, as far as it uses what is
    /// computed inside: uses where an error has led do not count.
    pub fn is_after(&self, user: Value<'a>) -> bool {
        !self.defines(user) && !self.errors.contains(&user.block())
    }

    /// Whether the expression is the same throughout one execution of the region, and can be computed before it.
    pub fn is_parameter(&self, run: &'a Run<'_>, scev: Scev<'a>) -> bool {
        self.is_invariant(run, scev) && run.is_expandable(scev, self.entry.instruction())
    }

    /// The loop that control enters with the region, if it does: what holds before the one holds before the other.
    pub fn first_loop(&self) -> Option<Loop<'a>> {
        let Border::Edge { from, to } = self.entry else {
            return None;
        };
        let first = *self.outermost.first()?;
        (first.header() == to && first.predecessor() == Some(from)).then_some(first)
    }

    /// Whether the expression changes in no loop of the region.
    pub fn is_invariant(&self, run: &'a Run<'_>, scev: Scev<'a>) -> bool {
        self.outermost.iter().all(|l| run.is_invariant(scev, *l))
    }
}
