//! The control structure of a loop nest: its loops, its blocks, and their order.
//!
//! A nest is fit for a model if control flow is structured enough: each loop is entered by one edge, goes round by one
//! edge, and is left by one edge out of a block that every iteration comes through; apart from that, blocks branch
//! forwards only. Inside one iteration of a loop, its own blocks and the loops directly inside, each taken as one
//! *item*, have a topological order, which is the textual order of the model.

use super::declined::{Declined, Modelled, Reason};
use farkas_llvm::Run;
use farkas_llvm::edit::DONE;
use farkas_llvm::loops::Loop;
use farkas_llvm::region::LoopId;
use farkas_llvm::value::{Block, Kind, TypeKind, Value};
use indexmap::IndexMap;

/// What a user may have asked for a loop, as loop attributes: a new loop nest could not honour it. (That a loop is not to
/// be unrolled is not among them: clang says so of every loop at `-O1`.)
const PRAGMAS: [&str; 12] = [
    "llvm.loop.disable_nonforced",
    "llvm.loop.unroll.enable",
    "llvm.loop.unroll.full",
    "llvm.loop.unroll.count",
    "llvm.loop.unroll_and_jam.enable",
    "llvm.loop.unroll_and_jam.count",
    "llvm.loop.vectorize.enable",
    "llvm.loop.vectorize.width",
    "llvm.loop.interleave.count",
    "llvm.loop.distribute.enable",
    "llvm.loop.pipeline.disable",
    "llvm.loop.pipeline.initiationinterval",
];

/// What one iteration of a loop consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Item<'a> {
    /// A block.
    Block(Block<'a>),
    /// A loop directly inside.
    Loop(LoopId),
}

/// A loop of the nest.
#[derive(Clone, Debug)]
pub(crate) struct NestLoop<'a> {
    pub(crate) handle: Loop<'a>,
    pub(crate) parent: Option<LoopId>,
    pub(crate) header: Block<'a>,
    pub(crate) latch: Block<'a>,
    /// The block outside that the loop is entered from.
    pub(crate) entering: Block<'a>,
    /// The block inside that the loop is left from.
    pub(crate) exiting: Block<'a>,
    /// The block outside that the loop is left to.
    pub(crate) exit: Block<'a>,
    /// One iteration, in order; the header is first.
    pub(crate) body: Vec<Item<'a>>,
}

/// The control structure of a loop nest.
#[derive(Clone, Debug)]
pub(crate) struct Nest<'a> {
    /// Each loop before those inside it, in program order.
    pub(crate) loops: Vec<NestLoop<'a>>,
    /// For each block, the loops around it, outermost first; in program order.
    pub(crate) blocks: IndexMap<Block<'a>, Vec<LoopId>>,
}

impl<'a> Nest<'a> {
    /// The structure of the nest with the outermost loop `outermost`.
    ///
    /// # Errors
    /// If control flow or an instruction is not fit for a model.
    pub(crate) fn new(run: &'a Run<'_>, outermost: Loop<'a>) -> Modelled<'a, Self> {
        for block in outermost.blocks() {
            block
                .instructions()
                .into_iter()
                .try_for_each(|i| check_instruction(run, i))?;
        }
        check_errno(outermost)?;
        let mut nest = Nest {
            loops: Vec::new(),
            blocks: IndexMap::new(),
        };
        nest.add(run, outermost, None)?;
        nest.place(LoopId(0), &[]);
        Ok(nest)
    }

    pub(crate) fn at(&self, id: LoopId) -> &NestLoop<'a> {
        &self.loops[id.0]
    }

    /// The outermost loop.
    pub(crate) fn outermost(&self) -> &NestLoop<'a> {
        &self.loops[0]
    }

    /// The loop with this handle.
    pub(crate) fn find(&self, handle: Loop<'a>) -> Option<LoopId> {
        self.loops.iter().position(|l| l.handle == handle).map(LoopId)
    }

    /// Whether the value is computed in the nest.
    pub(crate) fn defines(&self, value: Value<'a>) -> bool {
        self.outermost().handle.defines(value)
    }

    fn add(&mut self, run: &'a Run<'_>, handle: Loop<'a>, parent: Option<LoopId>) -> Modelled<'a, LoopId> {
        let header = handle.header();
        let here = |reason| Declined::at(reason, header.terminator());
        if handle.has_attribute(DONE) {
            return Err(here(Reason::Done));
        }
        if let Some(pragma) = PRAGMAS.into_iter().find(|pragma| handle.has_attribute(pragma)) {
            return Err(here(Reason::Pragma(pragma)));
        }
        let latch = handle.latch().ok_or_else(|| here(Reason::SeveralLatches))?;
        let entering = handle.predecessor().ok_or_else(|| here(Reason::SeveralEntries))?;
        let exiting = match handle.exiting_blocks()[..] {
            [] => return Err(here(Reason::NoExit)),
            [exiting] => exiting,
            _ => return Err(here(Reason::SeveralExits)),
        };
        let leaving: Vec<Block<'a>> = exiting
            .successors()
            .into_iter()
            .filter(|s| !handle.contains(*s))
            .collect();
        let [exit] = leaving[..] else {
            return Err(here(Reason::SeveralExits));
        };
        if run.loop_of(exiting) != Some(handle) {
            return Err(Declined::at(Reason::SeveralExits, exiting.terminator()));
        }
        if !run.dominates(exiting, latch) {
            return Err(Declined::at(Reason::ConditionalExit, exiting.terminator()));
        }
        let id = LoopId(self.loops.len());
        self.loops.push(NestLoop {
            handle,
            parent,
            header,
            latch,
            entering,
            exiting,
            exit,
            body: Vec::new(),
        });
        let mut children = IndexMap::new();
        for child in handle.children() {
            children.insert(child, self.add(run, child, Some(id))?);
        }
        self.loops[id.0].body = self.order(run, id, &children)?;
        Ok(id)
    }

    /// The items of an iteration in topological order; where that leaves a choice, a branch's first successor is first.
    fn order(
        &self,
        run: &'a Run<'_>,
        id: LoopId,
        children: &IndexMap<Loop<'a>, LoopId>,
    ) -> Modelled<'a, Vec<Item<'a>>> {
        let this = self.at(id);
        let item_of = |block: Block<'a>| -> Option<Item<'a>> {
            if !this.handle.contains(block) || block == this.header {
                return None;
            }
            let mut inner = run.loop_of(block)?;
            while inner != this.handle {
                if let Some(child) = children.get(&inner) {
                    return Some(Item::Loop(*child));
                }
                inner = inner.parent()?;
            }
            Some(Item::Block(block))
        };
        let successors = |item: Item<'a>| -> Vec<Item<'a>> {
            let next = match item {
                Item::Block(block) => block.successors(),
                Item::Loop(child) => vec![self.at(child).exit],
            };
            next.into_iter().filter_map(item_of).collect()
        };
        // Depth-first search with an explicit stack; an item is finished when all its successors are.
        let start = Item::Block(this.header);
        let mut finished: IndexMap<Item<'a>, bool> = IndexMap::from([(start, false)]);
        let mut order = Vec::new();
        let mut stack = vec![(start, successors(start))];
        while let Some((item, pending)) = stack.last_mut() {
            match pending.pop() {
                Some(next) => match finished.get(&next) {
                    Some(true) => {}
                    Some(false) => return Err(Declined::at(Reason::Irreducible, this.header.terminator())),
                    None => {
                        finished.insert(next, false);
                        stack.push((next, successors(next)));
                    }
                },
                None => {
                    finished.insert(*item, true);
                    order.push(*item);
                    stack.pop();
                }
            }
        }
        order.reverse();
        Ok(order)
    }

    fn place(&mut self, id: LoopId, around: &[LoopId]) {
        let around: Vec<LoopId> = around.iter().copied().chain([id]).collect();
        for item in self.at(id).body.clone() {
            match item {
                Item::Block(block) => {
                    self.blocks.insert(block, around.clone());
                }
                Item::Loop(child) => self.place(child, &around),
            }
        }
    }
}

/// Whether the model has a place for the instruction.
fn check_instruction<'a>(run: &'a Run<'_>, i: Value<'a>) -> Modelled<'a, ()> {
    let decline = |reason| Err(Declined::at(reason, i));
    let facts = i.facts();
    match i.ty().kind() {
        TypeKind::ScalableVector => return decline(Reason::ScalableVector),
        TypeKind::Token => return decline(Reason::Token),
        _ => {}
    }
    match i.kind() {
        Kind::Load { pointer } | Kind::Store { pointer, .. } => {
            if i.is_volatile() {
                return decline(Reason::Volatile);
            }
            if i.is_atomic() {
                return decline(Reason::Atomic);
            }
            if let TypeKind::Pointer(space @ 1..) = pointer.ty().kind() {
                return decline(Reason::AddressSpace(space));
            }
            let accessed = i.accessed_type();
            match accessed.kind() {
                TypeKind::ScalableVector => decline(Reason::ScalableVector),
                _ if run.access_size(accessed).is_none() => decline(Reason::OddType(accessed.to_string())),
                _ => Ok(()),
            }
        }
        Kind::Terminator(name) => decline(Reason::Terminator(name)),
        Kind::Atomic => decline(Reason::Atomic),
        Kind::Alloca => decline(Reason::Alloca),
        Kind::Call(_) if facts.droppable() => Ok(()),
        Kind::Call(_) if facts.inline_asm() => decline(Reason::InlineAsm),
        Kind::Call(name) if name.is_empty() => decline(Reason::IndirectCall),
        Kind::Call(name) if facts.errno_only() && errno_value(&name).is_some() => Ok(()),
        Kind::Call(name) if facts.may_read() || facts.may_write() => decline(Reason::CallAccessesMemory(name)),
        Kind::Call(name) if facts.may_throw() || facts.may_not_return() => decline(Reason::CallMayNotReturn(name)),
        Kind::Call(name) if facts.convergent() => decline(Reason::Convergent(name)),
        Kind::Call(name) if facts.bundled() => decline(Reason::Bundles(name)),
        Kind::Phi(_) | Kind::Jump(_) | Kind::Branch { .. } => Ok(()),
        _ if facts.pure() => Ok(()),
        _ => decline(Reason::Effects),
    }
}

/// The only value that a mathematical function of the C library sets `errno` to.
fn errno_value(name: &str) -> Option<&'static str> {
    match name.strip_suffix(['f', 'l']).unwrap_or(name) {
        "sqrt" | "acos" | "asin" => Some("EDOM"),
        "exp" | "exp2" => Some("ERANGE"),
        _ => None,
    }
}

/// Calls that set `errno` may change places among themselves if all set it to the same value.
fn check_errno(outermost: Loop<'_>) -> Modelled<'_, ()> {
    let calls = outermost
        .blocks()
        .into_iter()
        .flat_map(|b| b.instructions())
        .filter(|i| i.facts().errno_only());
    let mut first = None;
    for call in calls {
        let Kind::Call(name) = call.kind() else { continue };
        let value = errno_value(&name);
        if *first.get_or_insert(value) != value {
            return Err(Declined::at(Reason::CallAccessesMemory(name), call));
        }
    }
    Ok(())
}
