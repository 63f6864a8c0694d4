//! Annotations of loops, by marks that speak of the loop above them.
//!
//! A mark below a band is below all loops of the band's last member in the AST, of which there may be several, or none
//! where the member has a single value. Each such loop gets the text of the mark as an annotation.
//!
//! A loop of a member that is coincident, in which scalar slots are written, is so only [if these are
//! private](Coincidence::IfPrivate) to an iteration: the order of their live ranges is left out of coincidence constraints
//! ([`Order`](crate::dependences::Order)). That of all others is in them, so that no other array has to be named.
//!
//! The loop that a `vector` mark speaks of is annotated as [`For::LANES`], that of a `parallel` mark as [`For::THREADS`], those of the two
//! members that a `pipeline` mark is above as [`For::ROWS`] and [`For::STEPS`]. Steps are loops even where there is a single one: a row
//! waits in them, and says how far it is.
//!
//! Iterations of a loop on threads that have copies of slots or arrays are in one place each: parts before or behind the loop would miss
//! what is in the copies.
//!
//! Loops of members below `blocks` and `threads` are annotated as [`For::BLOCKS`] and [`For::BLOCK_THREADS`]. They are loops even where there
//! is a single iteration: it is that of one block, or one thread.

use farkas_polyhedral::ast::{Coincidence, For, Hooks, Node, Place};
use farkas_polyhedral::program::{AccessKind, Expansion, Program};
use farkas_polyhedral::sets::{Name, Tuple};
use farkas_polyhedral::tree::{self, Mark};
use indexmap::{IndexMap, IndexSet};

use crate::unjam::{around_rows, row_of};

/// Annotates the loops of an AST.
#[derive(Default)]
pub(crate) struct Annotate {
    /// The scalar slots that each statement writes.
    slots: IndexMap<Tuple, Vec<Name>>,
    /// The loops that are being made, outermost first.
    open: Vec<Open>,
    /// The schedule dimensions of the loops that run on threads, and whether these overlap only.
    threads: Vec<(usize, bool)>,
    /// The schedule dimensions of those of them whose iterations have copies of slots or arrays.
    with_copies: Vec<usize>,
    /// The schedule dimensions of the loops whose iterations are lanes.
    lanes: Vec<usize>,
    /// The schedule dimensions of the loops that are dealt out to blocks and threads of a device, outermost first, each with its
    /// annotation.
    device: Vec<(usize, &'static str)>,
    /// The schedule dimensions of the loops of bands that are unrolled where they fill their tiles: the first one, and how many.
    unrolled: Vec<(usize, usize)>,
}

/// A loop that is being made.
struct Open {
    /// The schedule dimension that it counts.
    dim: usize,
    /// The marks directly below it.
    marks: Vec<Mark>,
}

impl Annotate {
    /// The annotations of loops that execute a program with these arrays in place of slots.
    pub(crate) fn of_program(program: &Program, expansions: &[Expansion]) -> Annotate {
        let is_array = |name: &Name| {
            expansions
                .iter()
                .any(|expansion| expansion.of.name() == Some(name) && !expansion.sizes.is_empty())
        };
        let mut slots: IndexMap<Tuple, Vec<Name>> = IndexMap::new();
        for statement in &program.statements {
            let writes = statement
                .accesses
                .iter()
                .filter(|access| access.kind != AccessKind::Read);
            let written = writes.map(|access| access.array()).filter(|array| array.n() == 0);
            let names = written.map(|array| array.name().expect("an array has a name"));
            let own = names.filter(|name| !is_array(name)).cloned().collect();
            slots.insert(statement.tuple().clone(), own);
        }
        Annotate {
            slots,
            ..Annotate::default()
        }
    }

    /// The slots that are written in a node.
    fn add_slots(&self, node: &Node, found: &mut IndexSet<Name>) {
        match node {
            Node::Block(nodes) => nodes.iter().for_each(|node| self.add_slots(node, found)),
            Node::For(inner) => self.add_slots(&inner.body, found),
            Node::If { then, otherwise, .. } => {
                self.add_slots(then, found);
                otherwise.iter().for_each(|node| self.add_slots(node, found));
            }
            Node::Mark { body, .. } => self.add_slots(body, found),
            Node::Call(call) => found.extend(self.slots.get(&call.statement).into_iter().flatten().cloned()),
        }
    }

    /// Notes that the members of the band below, at this depth, are dealt out to a device.
    fn deal_out(&mut self, depth: usize, members: usize, along: &[&'static str; 3]) {
        let dims = along.iter().take(members).rev().enumerate();
        self.device.retain(|(dim, _)| *dim < depth);
        self.device
            .extend(dims.map(|(member, annotation)| (depth + member, *annotation)));
    }

    /// What the loops of a schedule dimension are to a device.
    fn along(&self, dim: usize) -> Option<&'static str> {
        let own = self.device.iter().find(|(other, _)| *other == dim);
        own.map(|(_, annotation)| *annotation)
    }

    /// What the loops of a schedule dimension are to threads.
    fn role(&self, dim: usize) -> impl Iterator<Item = &'static str> {
        self.threads
            .iter()
            .filter_map(move |(threads, overlap)| match (*overlap, dim.checked_sub(*threads)) {
                (false, Some(0)) => Some(For::THREADS),
                (true, Some(0)) => Some(For::ROWS),
                (true, Some(1)) => Some(For::STEPS),
                _ => None,
            })
    }
}

/// Whether each iteration of a loop on threads has copies.
fn has_copies(mark: &Mark) -> bool {
    match mark {
        Mark::Parallel { private, .. } | Mark::Pipeline { private } => !private.is_empty(),
        _ => false,
    }
}

impl Hooks for Annotate {
    fn keeps_loop(&self, dim: usize) -> bool {
        self.role(dim).any(|role| role == For::STEPS) || self.along(dim).is_some()
    }

    fn keeps_together(&self, dim: usize, inside: Option<&tree::Node>) -> bool {
        let has_copies = |node: &tree::Node| matches!(node, tree::Node::Mark(mark, _) if has_copies(mark));
        self.with_copies.contains(&dim) || inside.is_some_and(|inside| inside.any(&has_copies))
    }

    fn before_for(&mut self, place: &Place) {
        let dim = place.depth();
        // A loop that was begun may not have come to be.
        self.open.retain(|open| open.dim < dim);
        self.open.push(Open { dim, marks: Vec::new() });
    }

    fn after_for(&mut self, node: &mut For, place: &Place) {
        let dim = place.depth();
        self.open.retain(|open| open.dim <= dim);
        let own = self.open.pop().expect("a loop is begun before it is made");
        if node.coincidence == Coincidence::Yes {
            let mut slots = IndexSet::new();
            self.add_slots(&node.body, &mut slots);
            if !slots.is_empty() {
                node.coincidence = Coincidence::IfPrivate(slots.into_iter().collect());
            }
        }
        let marks = own.marks.iter().map(|mark| mark.to_string().as_str().into());
        node.annotations.extend(marks);
        node.annotations.extend(self.role(dim).map(Into::into));
        node.annotations.extend(self.along(dim).map(Into::into));
        if self.lanes.contains(&dim) {
            node.annotations.push(For::LANES.into());
        }
        let rows = self
            .unrolled
            .iter()
            .filter(|(first, n)| (*first..first + n).contains(&dim));
        node.annotations
            .extend(rows.filter_map(|(first, _)| Some(row_of(first.checked_sub(1)?))));
        if self.role(dim).next().is_none() {
            node.annotations.extend(around_rows(node, dim));
        }
    }

    fn before_mark(&mut self, mark: &Mark, place: &Place) {
        if let Mark::Parallel { .. } | Mark::Pipeline { .. } = mark {
            self.threads.retain(|(dim, _)| *dim < place.depth());
            let overlap = matches!(mark, Mark::Pipeline { .. });
            self.threads.push((place.depth(), overlap));
        }
        if has_copies(mark) {
            self.with_copies.retain(|dim| *dim < place.depth());
            self.with_copies.push(place.depth());
        }
        match mark {
            Mark::Blocks { members } => self.deal_out(place.depth(), *members as usize, &For::BLOCKS),
            Mark::Threads { sizes } => self.deal_out(place.depth(), sizes.len(), &For::BLOCK_THREADS),
            Mark::Vector { .. } => self.lanes.push(place.depth()),
            _ => {}
        }
        if let Mark::Unjam { members } = mark {
            let n = usize::try_from(*members).expect("a few members");
            self.unrolled.retain(|(first, _)| *first < place.depth());
            self.unrolled.push((place.depth(), n));
        }
        if !matches!(mark, Mark::Block { .. } | Mark::Keep { .. } | Mark::Shift { .. }) {
            return;
        }
        if let Some(open) = self.open.iter_mut().find(|open| open.dim + 1 == place.depth())
            && !open.marks.contains(mark)
        {
            open.marks.push(mark.clone());
        }
    }

    fn after_mark(&mut self, mark: &Mark, _body: &mut Node, place: &Place) {
        if has_copies(mark) {
            self.with_copies.retain(|dim| *dim < place.depth());
        }
        if let Mark::Parallel { .. } | Mark::Pipeline { .. } = mark {
            self.threads.retain(|(dim, _)| *dim < place.depth());
        }
        match mark {
            Mark::Blocks { .. } | Mark::Threads { .. } => self.device.retain(|(dim, _)| *dim < place.depth()),
            Mark::Vector { .. } => self.lanes.retain(|dim| *dim < place.depth()),
            _ => {}
        }
        if let Mark::Unjam { .. } = mark {
            self.unrolled.retain(|(first, _)| *first < place.depth());
        }
    }
}
