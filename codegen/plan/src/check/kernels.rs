//! The check of `kernel`, `blocks`, `threads`, `stages` and `mma`.
//!
//! What is executed at the same time are the pairs of a block and a thread, each of which executes the iterations that are dealt out to
//! it, and all that is inside, in order. A `threads` mark may be below further loops and sequences, which each thread goes through by
//! itself, and there may be several. The point of an instance is what the band below its `threads` mark says, and the thread is that
//! point modulo the number of threads along each member: the same one for all parts of a block.
//!
//! Any two iterations of the blocks' band may be in different blocks, and any two points in different threads. So it has to be shown that
//!
//! - two instances in different iterations of the blocks' band, and in the same ones of the host's loops, access no element of an array
//!   that is not private of which one of them writes;
//! - the same for two instances of different points, and in the same iteration of the blocks' band;
//! - no value of a private array comes into an iteration of a threads' band, or goes out of it.
//!
//! That is race freedom of each band, of all members at once, as of a `parallel` loop. All instances of a kernel are below both
//! kinds of bands: that is a matter of form. Copies that are made ahead in stages read what they would have read later if no statement in
//! the loop writes their arrays. An `mma` mark changes no order: it says which instruction executes what a warp does below it. Kernels do not
//! overlap, as each waits for the one before.

use farkas_polyhedral::budget::Outcome;
use farkas_polyhedral::program::{AccessKind, Statement};
use farkas_polyhedral::sets::{Name, Tuple, UnionMap};
use farkas_polyhedral::tree::{Band, Mark, Node, Path, Tree};

use super::{Checked, Checker, Refusal, refuse_form};
use crate::kernels::matrix_tiles;

/// The most threads of a block.
const MOST_THREADS: u32 = 1024;

/// A device counts blocks and threads in so many dimensions.
const MOST_MEMBERS: usize = 3;

/// The most stages of copies. Each takes a slot of a buffer in a memory that is small.
const MOST_STAGES: u32 = 8;

/// A `threads` mark of a kernel.
struct Threads<'n> {
    mark: &'n Mark,
    sizes: &'n [u32],
    points: &'n Band,
    /// The path of its band.
    path: Path,
}

impl Checker<'_> {
    /// Checks a kernel. `below` is the path of its child.
    pub(super) fn kernel(&self, mark: &Mark, private: &[Name], child: &Node, below: &Path) -> Outcome<Checked> {
        let Node::Mark(blocks @ Mark::Blocks { members }, tiles) = child else {
            return refuse_form(mark, "there is no blocks mark directly below");
        };
        let Node::Band(tiles) = &**tiles else {
            return refuse_form(blocks, "there is no loop directly below");
        };
        if tiles.n() != *members as usize || !(1..=MOST_MEMBERS).contains(&tiles.n()) {
            return refuse_form(blocks, "the band below has other members");
        }
        let in_block = below.child(0).child(0);
        let mut all = Vec::new();
        if let Err((mark, wrong)) = add_threads(mark, &tiles.child, &in_block, &mut all) {
            return refuse_form(mark, wrong);
        }
        if let Err(refusal) = self.blocks(blocks, private, (tiles, &below.child(0)))? {
            return Ok(Err(refusal));
        }
        self.threads(private, &in_block, &all)
    }

    /// Checks that the iterations of the blocks' band may run at the same time.
    fn blocks(&self, mark: &Mark, private: &[Name], (band, path): (&Band, &Path)) -> Outcome<Checked> {
        let outer = self.tree.reach(path, self.b)?;
        let inner = outer.through(&Node::band(band.clone()), 0, self.b)?;
        self.concurrent(mark, private, &outer, &inner, None)
    }

    /// Checks that the points of a block may run at the same time. `in_block` is the path of what is in an iteration of the blocks' band.
    fn threads(&self, private: &[Name], in_block: &Path, all: &[Threads<'_>]) -> Outcome<Checked> {
        let b = self.b;
        let block = self.tree.reach(in_block, b)?;
        let blocks = block.schedule_relation(b)?;
        let mut points = UnionMap::empty(blocks.params().clone());
        let mut same_iteration = UnionMap::empty(blocks.params().clone());
        for threads in all {
            let reach = self.tree.reach(&threads.path, b)?;
            let inner = reach.through(&Node::band(threads.points.clone()), 0, b)?;
            let own = threads.points.schedule().to_union_map(b)?;
            points = points.union(&own.intersect_domain(&reach.instances));
            same_iteration = same_iteration.union(&inner.together(b)?);
        }
        let Some(Threads { mark, .. }) = all.first() else {
            return Ok(Ok(()));
        };
        if let Some(refusal) = self.escape(mark, private, &block, &same_iteration)? {
            return Ok(Err(refusal));
        }
        let threads = blocks.flat_range_product(&points).coalesce(b)?;
        let same_point = threads.apply_range(&threads.reverse(), b)?;
        self.no_race(mark, private, &block, &same_point, None)
    }

    /// Checks that all that is executed below a mark are products that are added, of the type that the instruction has. `below` is the path of its
    /// child.
    pub(super) fn matrix_instruction(&self, mark: &Mark, shape: [u32; 3], below: &Path) -> Outcome<Checked> {
        if let Err(refusal) = self.part_of_kernel(mark, below)? {
            return Ok(Err(refusal));
        }
        if shape != matrix_tiles::SHAPE {
            return refuse_form(mark, "there is no instruction of this shape");
        }
        let executed = self.tree.reach(below, self.b)?.instances;
        let statements = executed.tuples().filter_map(|tuple| self.program.find_statement(tuple));
        let is_multiply_add = |statement: &Statement| {
            let multiply_add = statement.multiply_add.as_ref();
            multiply_add.is_some_and(|multiply_add| multiply_add.ty == matrix_tiles::ELEMENTS)
        };
        match statements.map(|id| self.program.statement(id)).all(is_multiply_add) {
            true => Ok(Ok(())),
            false => refuse_form(mark, "something else is executed than products that are added"),
        }
    }

    /// Checks that a mark that is part of a kernel is inside of one; [`Checker::kernel`] checks all else. `below` is the path of its child.
    pub(super) fn part_of_kernel(&self, mark: &Mark, below: &Path) -> Outcome<Checked> {
        let mut outer = std::iter::successors(below.parent().and_then(|own| own.parent()), Path::parent);
        let is_part = match mark {
            Mark::Blocks { .. } => {
                let parent = outer.next().and_then(|path| self.tree.at(&path));
                matches!(parent, Some(Node::Mark(Mark::Kernel { .. }, _)))
            }
            _ => outer.any(|path| matches!(self.tree.at(&path), Some(Node::Mark(Mark::Blocks { .. }, _)))),
        };
        match is_part {
            true => Ok(Ok(())),
            false => refuse_form(mark, "it is not in its place in a kernel"),
        }
    }
}

impl Checker<'_> {
    /// Checks that copies may be made ahead. `below` is the path of the mark's child.
    pub(super) fn stages(&self, mark: &Mark, stages: u32, child: &Node, below: &Path) -> Outcome<Checked> {
        if !(2..=MOST_STAGES).contains(&stages) {
            return refuse_form(mark, "there are 2 to 8 stages");
        }
        let band = match child {
            Node::Band(band) if band.n() == 1 => band,
            _ => return refuse_form(mark, "there is no band of a single loop directly below"),
        };
        if let Err(refusal) = self.part_of_kernel(mark, below)? {
            return Ok(Err(refusal));
        }
        if child.any(&|node| matches!(node, Node::Mark(Mark::Stages { .. }, _))) {
            return refuse_form(mark, "there are other stages inside");
        }
        let is_packed = |array: &Tuple| {
            child.any(&|node| matches!(node, Node::Mark(Mark::Pack { array: own, .. }, _) if array.name() == Some(own)))
        };
        let statements = band.statements().filter_map(|tuple| self.program.find_statement(tuple));
        let mut accesses = statements.flat_map(|id| &self.program.statement(id).accesses);
        match accesses.any(|access| access.kind != AccessKind::Read && is_packed(access.array())) {
            true => refuse_form(mark, "an array is written that copies made ahead read"),
            false => Ok(Ok(())),
        }
    }
}

/// The threads in x, y and z, without what has one.
fn dimensions(sizes: &[u32]) -> &[u32] {
    let ones = sizes.iter().take_while(|size| **size == 1).count();
    &sizes[ones.min(sizes.len() - 1)..]
}

/// Checks that copies in kernels are dealt out as all else is. `tree` has them.
pub(super) fn check_copies(tree: &Tree) -> Checked {
    for path in tree.paths() {
        if let Some(Node::Mark(kernel @ Mark::Kernel { .. }, blocks)) = tree.at(&path)
            && let Node::Mark(Mark::Blocks { .. }, tiles) = &**blocks
            && let Node::Band(tiles) = &**tiles
            && let Err((mark, wrong)) = add_threads(kernel, &tiles.child, &path, &mut Vec::new())
        {
            return Err(Box::new(Refusal::Form {
                mark: mark.clone(),
                wrong,
            }));
        }
    }
    Ok(())
}

/// Adds the `threads` marks below a node of a kernel, which is at `path`. All of them have the same threads, and all that is executed is
/// below one.
fn add_threads<'n>(
    kernel: &'n Mark,
    node: &'n Node,
    path: &Path,
    all: &mut Vec<Threads<'n>>,
) -> Result<(), (&'n Mark, &'static str)> {
    match node {
        Node::Mark(mark @ Mark::Threads { sizes }, child) => {
            let Node::Band(points) = &**child else {
                return Err((mark, "there is no loop directly below"));
            };
            if points.n() != sizes.len() || !(1..=MOST_MEMBERS).contains(&points.n()) {
                return Err((mark, "the band below has other members"));
            }
            let product = sizes.iter().try_fold(1_u32, |product, size| product.checked_mul(*size));
            if !product.is_some_and(|product| (1..=MOST_THREADS).contains(&product)) {
                return Err((mark, "a block has 1 to 1024 threads"));
            }
            if !sizes.iter().all(|size| size.is_power_of_two()) {
                return Err((mark, "the threads along a member are no power of two"));
            }
            if all
                .first()
                .is_some_and(|first| dimensions(first.sizes) != dimensions(sizes))
            {
                return Err((mark, "parts of a kernel have other threads"));
            }
            let is_mark = |node: &Node| matches!(node, Node::Mark(other, _) if !matches!(other, Mark::User(_)));
            if points.child.any(&is_mark) {
                return Err((kernel, "there are other marks inside of its threads"));
            }
            let path = path.child(0);
            all.push(Threads {
                mark,
                sizes,
                points,
                path,
            });
            Ok(())
        }
        Node::Mark(Mark::User(_) | Mark::Pack { .. } | Mark::Stages { .. } | Mark::Mma { .. }, _)
        | Node::Band(_)
        | Node::Filter(_)
        | Node::Sequence(_)
        | Node::Extension(..) => {
            let mut children = node.children().enumerate();
            children.try_for_each(|(position, child)| add_threads(kernel, child, &path.child(position), all))
        }
        Node::Leaf => Err((kernel, "something is executed outside of its threads")),
        _ => Err((kernel, "there is something else around its threads")),
    }
}
