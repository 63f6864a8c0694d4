//! The control structure of a section: its loops, its blocks, and their order.
//!
//! A [section](Section) is put together from *parts*, in textual order: loops, and blocks outside all of its loops. The
//! section as a whole, and each loop, has a *body*, a sequence of *items*: blocks, and the loops directly inside, each
//! taken as one. The order of the items is topological, and is the textual order of the model. The section's own body is
//! executed once, a loop's once an iteration.
//!
//! A section is fit for a model if control flow is structured enough: each loop is entered by one edge, goes round by one
//! edge, and is left to one block, from blocks that every iteration comes through; apart from that, blocks branch
//! forwards only. Ways to an [error](crate::detect::errors) do not count.

use super::lifetimes::{locals, marker};
use crate::detect::declined::{Declined, Modelled, Reason};
use crate::detect::errors::Errors;
use crate::detect::order::{Node, order};
use crate::detect::part::{Part, errno_value};
use farkas_llvm::Run;
use farkas_llvm::edit::DONE;
use farkas_llvm::loops::Loop;
use farkas_llvm::memory::Memory;
use farkas_llvm::region::{Local, LoopId};
use farkas_llvm::section::{Border, Section};
use farkas_llvm::value::{Block, Kind, Value};
use indexmap::{IndexMap, IndexSet};
use std::cmp::Ordering;

/// What a user may have asked for a loop, as loop attributes: a new loop nest could not honour it. (That a loop is not to
/// be unrolled is not among them: clang says so of every loop at `-O1`.)
const PRAGMAS: [&str; 16] = [
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
    "llvm.loop.unroll_and_jam.disable",
    "llvm.loop.vectorize.predicate.enable",
    "llvm.loop.vectorize.scalable.enable",
    "llvm.loop.licm_versioning.disable",
    "llvm.loop.pipeline.disable",
    "llvm.loop.pipeline.initiationinterval",
];

/// What a body consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Item<'a> {
    /// A block, or the part of it that is in the section.
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
    /// The blocks inside that the loop is left from, in the order in which each iteration comes through all of them.
    pub(crate) exiting: Vec<Block<'a>>,
    /// The block outside that the loop is left to.
    pub(crate) exit: Block<'a>,
    /// One iteration, in order; the header is first.
    pub(crate) body: Vec<Item<'a>>,
}

/// The control structure of a section.
#[derive(Clone, Debug)]
pub(crate) struct Nest<'a> {
    /// Where it is in the function.
    pub(crate) section: Section<'a>,
    /// What the section consists of, in order.
    pub(crate) body: Vec<Item<'a>>,
    /// Each loop before those inside it, in program order.
    pub(crate) loops: Vec<NestLoop<'a>>,
    /// For each block, the loops around it inside the section, outermost first; in program order.
    pub(crate) blocks: IndexMap<Block<'a>, Vec<LoopId>>,
    /// Variables that are declared inside and used nowhere else.
    pub(crate) locals: Vec<Local<'a>>,
}

impl<'a> Nest<'a> {
    /// The structure of the section that consists of these parts: the first is a loop or a branch, the last a loop or
    /// phis.
    ///
    /// # Errors
    /// If control flow or an instruction is not fit for a model.
    pub(crate) fn new(run: &'a Run<'_>, errors: &Errors<'a>, parts: &[Part<'a>]) -> Modelled<'a, Self> {
        let mut loops = Vec::new();
        let mut body: IndexSet<Item<'a>> = IndexSet::new();
        let mut blocks: IndexMap<Block<'a>, Vec<Value<'a>>> = IndexMap::new();
        for part in parts {
            part.check(run)?;
            match *part {
                Part::Loop(l) => {
                    let id = add(run, errors, l, None, &mut loops)?;
                    body.insert(Item::Loop(id));
                    blocks.extend(l.blocks().into_iter().map(|block| (block, block.instructions())));
                }
                Part::Phis(block) | Part::Code(block) | Part::Branch(block) => {
                    body.insert(Item::Block(block));
                    blocks.entry(block).or_default().extend(part.instructions());
                }
            }
        }
        let outermost: Vec<&NestLoop<'a>> = loops.iter().filter(|l| l.parent.is_none()).collect();
        let entry = match parts.first() {
            Some(Part::Loop(_)) => Border::Edge {
                from: outermost[0].entering,
                to: outermost[0].header,
            },
            Some(Part::Branch(block)) => Border::Before(block.terminator()),
            _ => unreachable!("a section begins with a loop or a branch"),
        };
        let exit = match (parts.last(), outermost.last()) {
            (Some(Part::Loop(_)), Some(last)) => match last.exiting[..] {
                [from] => Border::Edge { from, to: last.exit },
                _ => return Err(Declined::at(Reason::SeveralExits, last.exiting[0].terminator())),
            },
            (Some(Part::Phis(block)), _) => {
                let instructions = block.instructions();
                let first = instructions.into_iter().find(|i| !i.is_phi());
                Border::Before(first.expect("a block has a terminator"))
            }
            _ => unreachable!("a section ends with a loop or phis"),
        };
        let handles: Vec<Loop<'a>> = outermost.iter().map(|l| l.handle).collect();
        let around = run.loop_of(entry.block());
        // Where the exit is inside a block, control goes on from there outside of the section.
        let ends_inside = |(block, inside): (&Block<'a>, &Vec<Value<'a>>)| {
            inside
                .last()
                .is_some_and(|last| *last == block.terminator())
                .then_some(*block)
        };
        let reached = errors.reached_from(blocks.iter().filter_map(ends_inside), exit);
        let section = Section::new((entry, exit), around, handles, blocks, reached);
        let all = section.blocks.values().flatten().copied();
        let locals = locals(all, |value| section.defines(value));
        let mut nest = Nest {
            locals,
            section,
            body: body.into_iter().collect(),
            loops,
            blocks: IndexMap::new(),
        };
        nest.place(&nest.body.clone(), &[]);
        nest.check_errno(run)?;
        nest.check_errors()?;
        Ok(nest)
    }

    pub(crate) fn at(&self, id: LoopId) -> &NestLoop<'a> {
        &self.loops[id.0]
    }

    /// The loop with this handle.
    pub(crate) fn find(&self, handle: Loop<'a>) -> Option<LoopId> {
        self.loops.iter().position(|l| l.handle == handle).map(LoopId)
    }

    /// The instructions of the block that are in the section.
    pub(crate) fn instructions(&self, block: Block<'a>) -> &[Value<'a>] {
        self.section.blocks.get(&block).map_or(&[], Vec::as_slice)
    }

    /// Whether the value is computed in the section.
    pub(crate) fn defines(&self, value: Value<'a>) -> bool {
        self.section.defines(value)
    }

    /// Whether the instruction has an effect that outlives it. Markers of the lifetime of what is used inside only have
    /// none.
    pub(crate) fn has_effect(&self, i: Value<'a>) -> bool {
        let is_dropped = || marker(i).is_some() && self.locals.iter().any(|l| i.operands()[0] == l.variable);
        i.facts().may_write() && !i.facts().droppable() && !is_dropped()
    }

    /// Calls that set `errno` may change places among themselves if all set it to the same value, and nothing reads it.
    fn check_errno(&self, run: &'a Run<'_>) -> Modelled<'a, ()> {
        let all = self.section.blocks.values().flatten();
        let calls = all.filter(|i| i.facts().errno_only());
        let mut first = None;
        for call in calls {
            let Kind::Call(name) = call.kind() else { continue };
            let value = errno_value(&name);
            if *first.get_or_insert(value) != value {
                return Err(Declined::at(Reason::CallAccessesMemory(name), *call));
            }
        }
        let mut all = self.section.blocks.values().flatten();
        let reader = all.find(|i| first.is_some() && run.memory(**i) == Memory::ReadsAnything);
        match reader.map(|call| (call, call.kind())) {
            Some((call, Kind::Call(name))) => Err(Declined::at(Reason::CallAccessesMemory(name), *call)),
            _ => Ok(()),
        }
    }

    /// What is computed inside may be used where an error leads only if control comes there from nowhere else: the
    /// original keeps its own way to the error, but its values are no longer there on ways from behind the section.
    fn check_errors(&self) -> Modelled<'a, ()> {
        let errors = &self.section.errors;
        let comes_back = |block: &&Block<'a>| match self.section.exit {
            Border::Edge { to, .. } if to == **block => true,
            _ => self.blocks.contains_key(*block),
        };
        if let Some(block) = errors.iter().find(comes_back) {
            return Err(Declined::at(Reason::SharedError, block.terminator()));
        }
        let inside = |from: &Block<'a>| self.defines(from.terminator());
        let private = |block: &Block<'a>| {
            let from = block.predecessors();
            from.iter().all(|from| errors.contains(from) || inside(from))
        };
        if errors.iter().all(private) {
            return Ok(());
        }
        for i in errors.iter().flat_map(|block| block.instructions()) {
            let used = match i.kind() {
                Kind::Phi(incoming) => incoming
                    .into_iter()
                    .filter(|(_, from)| !inside(from))
                    .map(|(value, _)| value)
                    .collect(),
                _ => i.operands(),
            };
            if used.into_iter().any(|value| self.defines(value)) {
                return Err(Declined::at(Reason::SharedError, i));
            }
        }
        Ok(())
    }

    fn place(&mut self, body: &[Item<'a>], around: &[LoopId]) {
        for item in body {
            match *item {
                Item::Block(block) => {
                    self.blocks.insert(block, around.to_vec());
                }
                Item::Loop(id) => {
                    let around: Vec<LoopId> = around.iter().copied().chain([id]).collect();
                    self.place(&self.at(id).body.clone(), &around);
                }
            }
        }
    }
}

/// Whether the structure of the part, and every instruction in it, is fit for a model by itself.
///
/// # Errors
/// If it is not.
pub(crate) fn check_structure<'a>(run: &'a Run<'_>, errors: &Errors<'a>, part: Part<'a>) -> Modelled<'a, ()> {
    part.check(run)?;
    match part {
        Part::Loop(l) => add(run, errors, l, None, &mut Vec::new()).map(|_| ()),
        Part::Phis(_) | Part::Code(_) | Part::Branch(_) => Ok(()),
    }
}

/// Adds a loop and those inside to `loops`.
fn add<'a>(
    run: &'a Run<'_>,
    errors: &Errors<'a>,
    handle: Loop<'a>,
    parent: Option<LoopId>,
    loops: &mut Vec<NestLoop<'a>>,
) -> Modelled<'a, LoopId> {
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
    let exits = errors.exits(handle);
    let Some((_, exit)) = exits.first().copied() else {
        return Err(here(Reason::NoExit));
    };
    if exits.iter().any(|(_, to)| *to != exit) {
        return Err(here(Reason::SeveralExits));
    }
    let mut exiting: Vec<Block<'a>> = exits.into_iter().map(|(from, _)| from).collect();
    let leaves_more = parent.is_some_and(|parent| !loops[parent.0].handle.contains(exit));
    for from in &exiting {
        if run.loop_of(*from) != Some(handle) || leaves_more {
            return Err(Declined::at(Reason::SeveralExits, from.terminator()));
        }
        // A switch may go on inside in several ways.
        if !run.dominates(*from, latch) || !matches!(from.terminator().kind(), Kind::Branch { .. }) {
            return Err(Declined::at(Reason::ConditionalExit, from.terminator()));
        }
    }
    // Of any two, one dominates the other.
    exiting.sort_by(|one, other| match () {
        () if one == other => Ordering::Equal,
        () if run.dominates(*one, *other) => Ordering::Less,
        () => Ordering::Greater,
    });
    let id = LoopId(loops.len());
    loops.push(NestLoop {
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
        children.insert(child, add(run, errors, child, Some(id), loops)?);
    }
    let order = order(run, errors, Some(handle), header).ok_or_else(|| here(Reason::Irreducible))?;
    let item = |node: Node<'a>| match node {
        Node::Block(block) => Item::Block(block),
        Node::Loop(child) => Item::Loop(children[&child]),
    };
    loops[id.0].body = order.into_iter().map(item).collect();
    Ok(id)
}
