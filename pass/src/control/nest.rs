//! The control structure of a candidate region: its loops and blocks in textual order.
//!
//! A region is put together from [fragments](Fragment). The region as a whole, and each loop in it, has a *body*: a
//! sequence of blocks, and of the loops directly inside, each taken as one item. The order of the items is
//! topological, and is the textual order of the model. The region's own body is executed once; a loop's body is
//! executed once per iteration.
//!
//! The structure is fit for a model under these conditions:
//!
//! - Each loop has one entering edge, one latch, and one block that it is left to.
//! - A loop is left only from blocks that every iteration executes.
//! - All other branches go forwards.
//!
//! Edges to [error blocks](crate::detect::errors) do not count.

use super::lifetimes::{locals, marker};
use super::rotations::rotations;
use crate::detect::declined::{Modelled, Reason, Stop};
use crate::detect::errors::Errors;
use crate::detect::fragment::{Fragment, errno_value};
use crate::detect::order::{Node, order};
use farkas_llvm::Run;
use farkas_llvm::edit::DONE;
use farkas_llvm::loops::Loop;
use farkas_llvm::memory::Memory;
use farkas_llvm::region::{Border, Region};
use farkas_llvm::scop_ir::{Local, LoopId, RotatedPhi, Rotation, RotationId, rotation};
use farkas_llvm::value::{Block, Kind, Value};
use indexmap::{IndexMap, IndexSet};
use std::cmp::Ordering;

/// Loop attributes that a user may have asked for and that a new loop nest could not honour.
/// `llvm.loop.unroll.disable` is not among them: clang attaches it to every loop at `-O1`.
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

/// An item of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Item<'a> {
    /// A block, or the part of it that is in the region.
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
    /// The phis of the header that are addresses of buffers which take turns.
    pub(crate) rotations: Vec<Rotation<'a>>,
}

/// The control structure of a region.
#[derive(Clone, Debug)]
pub(crate) struct Nest<'a> {
    /// Where it is in the function.
    pub(crate) region: Region<'a>,
    /// The body of the region, in order.
    pub(crate) body: Vec<Item<'a>>,
    /// Each loop before those inside it, in program order.
    pub(crate) loops: Vec<NestLoop<'a>>,
    /// For each block, the loops around it inside the region, outermost first; in program order.
    pub(crate) blocks: IndexMap<Block<'a>, Vec<LoopId>>,
    /// Variables that are declared inside and used nowhere else.
    pub(crate) locals: Vec<Local<'a>>,
}

impl<'a> Nest<'a> {
    /// The structure of the region that consists of these fragments: the first is a loop or a branch, the last a loop
    /// or phis.
    ///
    /// # Errors
    /// If control flow or an instruction is not fit for a model.
    pub(crate) fn new(run: &'a Run<'_>, errors: &Errors<'a>, fragments: &[Fragment<'a>]) -> Modelled<'a, Self> {
        let mut loops = Vec::new();
        let mut body: IndexSet<Item<'a>> = IndexSet::new();
        let mut blocks: IndexMap<Block<'a>, Vec<Value<'a>>> = IndexMap::new();
        for fragment in fragments {
            fragment.check(run)?;
            match *fragment {
                Fragment::Loop(l) => {
                    let id = add(run, errors, l, None, &mut loops)?;
                    body.insert(Item::Loop(id));
                    blocks.extend(l.blocks().into_iter().map(|block| (block, block.instructions())));
                }
                Fragment::Phis(block) | Fragment::Code(block) | Fragment::Branch(block) => {
                    body.insert(Item::Block(block));
                    blocks.entry(block).or_default().extend(fragment.instructions());
                }
            }
        }
        let outermost: Vec<&NestLoop<'a>> = loops.iter().filter(|l| l.parent.is_none()).collect();
        let entry = match fragments.first() {
            Some(Fragment::Loop(_)) => Border::Edge {
                from: outermost[0].entering,
                to: outermost[0].header,
            },
            Some(Fragment::Branch(block)) => Border::Before(block.terminator()),
            _ => unreachable!("a region begins with a loop or a branch"),
        };
        let exit = match (fragments.last(), outermost.last()) {
            (Some(Fragment::Loop(_)), Some(last)) => match last.exiting[..] {
                [from] => Border::Edge { from, to: last.exit },
                _ => return Err(Stop::at(Reason::SeveralExits, last.exiting[0].terminator())),
            },
            (Some(Fragment::Phis(block)), _) => {
                let instructions = block.instructions();
                let first = instructions.into_iter().find(|i| !i.is_phi());
                Border::Before(first.expect("a block has a terminator"))
            }
            _ => unreachable!("a region ends with a loop or phis"),
        };
        let handles: Vec<Loop<'a>> = outermost.iter().map(|l| l.handle).collect();
        let around = run.loop_of(entry.block());
        // Where the exit is inside a block, control goes on from there outside of the region.
        let ends_inside = |(block, inside): (&Block<'a>, &Vec<Value<'a>>)| {
            inside
                .last()
                .is_some_and(|last| *last == block.terminator())
                .then_some(*block)
        };
        let reached = errors.reached_from(blocks.iter().filter_map(ends_inside), exit);
        let region = Region::new((entry, exit), around, handles, blocks, reached);
        let all = region.blocks.values().flatten().copied();
        let locals = locals(all, |value| region.defines(value));
        let mut nest = Nest {
            locals,
            region,
            body: body.into_iter().collect(),
            loops,
            blocks: IndexMap::new(),
        };
        for l in &mut nest.loops {
            l.rotations = rotations(l, |value| nest.region.defines(value));
        }
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

    /// The rotation that a value is a phi of, and the position there. (A buffer's address outside of the region is
    /// [in one, too](crate::memory::rotating_buffers), though no phi.)
    pub(crate) fn rotation(&self, value: Value<'a>) -> Option<(RotationId, usize)> {
        rotation(self.loops.iter().map(|l| &l.rotations[..]), value)
    }

    /// The phis of a rotation.
    pub(crate) fn phis(&self, RotationId(id, index): RotationId) -> &[RotatedPhi<'a>] {
        &self.at(id).rotations[index].phis
    }

    /// The addresses of the buffers of a rotation.
    pub(crate) fn buffers(&self, id: RotationId) -> Vec<Value<'a>> {
        self.phis(id).iter().map(|own| own.first).collect()
    }

    /// The instructions of the block that are in the region.
    pub(crate) fn instructions(&self, block: Block<'a>) -> &[Value<'a>] {
        self.region.blocks.get(&block).map_or(&[], Vec::as_slice)
    }

    /// Whether the value is computed in the region.
    pub(crate) fn defines(&self, value: Value<'a>) -> bool {
        self.region.defines(value)
    }

    /// Whether the instruction has an effect that outlives it. Lifetime markers of variables that are used only
    /// inside have none.
    pub(crate) fn has_effect(&self, i: Value<'a>) -> bool {
        let is_dropped = || marker(i).is_some() && self.locals.iter().any(|l| i.operands()[0] == l.variable);
        i.facts().may_write() && !i.facts().droppable() && !is_dropped()
    }

    /// Calls that set `errno` may be reordered if all set it to the same value and nothing reads it.
    fn check_errno(&self, run: &'a Run<'_>) -> Modelled<'a, ()> {
        let all = self.region.blocks.values().flatten();
        let calls = all.filter(|i| i.facts().errno_only());
        let mut first = None;
        for call in calls {
            let Kind::Call(name) = call.kind() else { continue };
            let value = errno_value(&name);
            if *first.get_or_insert(value) != value {
                return Err(Stop::at(Reason::CallAccessesMemory(name), *call));
            }
        }
        let mut all = self.region.blocks.values().flatten();
        let reader = all.find(|i| first.is_some() && run.memory(**i) == Memory::ReadsAnything);
        match reader.map(|call| (call, call.kind())) {
            Some((call, Kind::Call(name))) => Err(Stop::at(Reason::CallAccessesMemory(name), *call)),
            _ => Ok(()),
        }
    }

    /// Values of the region may be used in an error block only if control comes there from nowhere else. The original
    /// keeps its own edges to the error block, but its values are not available on paths from behind the region.
    fn check_errors(&self) -> Modelled<'a, ()> {
        let errors = &self.region.errors;
        let comes_back = |block: &&Block<'a>| match self.region.exit {
            Border::Edge { to, .. } if to == **block => true,
            _ => self.blocks.contains_key(*block),
        };
        if let Some(block) = errors.iter().find(comes_back) {
            return Err(Stop::at(Reason::SharedError, block.terminator()));
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
                return Err(Stop::at(Reason::SharedError, i));
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

/// Whether the structure of the fragment, and every instruction in it, is fit for a model by itself.
///
/// # Errors
/// If it is not.
pub(crate) fn check_structure<'a>(run: &'a Run<'_>, errors: &Errors<'a>, fragment: Fragment<'a>) -> Modelled<'a, ()> {
    fragment.check(run)?;
    match fragment {
        Fragment::Loop(l) => add(run, errors, l, None, &mut Vec::new()).map(|_| ()),
        Fragment::Phis(_) | Fragment::Code(_) | Fragment::Branch(_) => Ok(()),
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
    let here = |reason| Stop::at(reason, header.terminator());
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
            return Err(Stop::at(Reason::SeveralExits, from.terminator()));
        }
        // A switch may go on inside in several ways.
        if !run.dominates(*from, latch) || !matches!(from.terminator().kind(), Kind::Branch { .. }) {
            return Err(Stop::at(Reason::ConditionalExit, from.terminator()));
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
        rotations: Vec::new(),
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
