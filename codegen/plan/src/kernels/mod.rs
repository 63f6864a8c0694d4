//! Mapping to a device (P0, section 5): which subtrees become kernels, and which loops of these are blocks and threads.
//!
//! The way goes from the root inwards. A band that begins with a coincident member, or may begin with one, is a kernel; what is outside of
//! all kernels is host code, whose loops launch them. Up to three coincident members are tiled: the loops over tiles are dealt out to
//! blocks, those over the points of a tile to threads. All other members of the band, and what is inside, is executed by each thread:
//!
//! ```text
//! [i, j, k]           kernel
//!                       blocks(2)       [i/8, j/32]
//!                         threads(8 32)   [i, j]
//!                                           [k]
//! ```
//!
//! The member along which most accesses are consecutive is the last one: neighbouring threads of a warp then access neighbouring
//! elements. Where threads would load the same elements again and again, each has several points: see [`register_tiles`].
//!
//! Threads wait for each other around copies to memory that a block [shares](shared), and nowhere else: [`check_order`](crate::check_order)
//! proves that they need not. Scalar slots are private to each thread.

mod directions;
mod full_tiles;
pub(crate) mod matrix_tiles;
mod price;
mod register_tiles;
mod shared;

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::program::Program;
use farkas_polyhedral::sets::{Name, Tuple};
use farkas_polyhedral::tree::{Band, Filter, Isolation, Mark, Node, Tree};
use indexmap::IndexSet;

use crate::analysis::linear::{Statements, Stride, statements};
use crate::kept::Kept;
use crate::target::Features;
use crate::threads::private;
use crate::transform::Transform;
use directions::Directions;
use price::Part;
pub(crate) use price::{Prices, Shape, profitable_sizes};
use register_tiles::{RegisterTile, Tiled};
use shared::Shared;

/// The threads of a block along one, two and three members: 256, in whole warps along the last one. A multiprocessor has several such
/// blocks, which hide each other's latencies.
const THREADS: [&[u32]; 3] = [&[256], &[8, 32], &[2, 4, 32]];

/// An order with kernels.
#[derive(Clone, Debug)]
pub(crate) struct Mapped {
    /// The order, with marks.
    pub(crate) tree: Tree,
    pub(crate) transforms: Vec<Transform>,
    /// The kernels, one for each transformation.
    pub(crate) kernels: Vec<Shape>,
}

impl Mapped {
    /// What is made use of of the tiling that was asked for.
    pub(crate) fn tiling(&self) -> Tiling {
        let tiling = |transform: &Transform| match transform {
            Transform::Kernel { shared, .. } if !shared.is_empty() => Tiling::Shared,
            Transform::Kernel { tile, .. } if !tile.is_empty() => Tiling::Registers,
            _ => Tiling::None,
        };
        self.transforms.iter().map(tiling).max().unwrap_or(Tiling::None)
    }
}

/// How much of a device's memories kernels use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tiling {
    /// Each thread has one point.
    None,
    /// Threads have several points where that pays.
    Registers,
    /// And their blocks share tiles of arrays.
    Shared,
}

/// The order with kernels for all of its statements. Tiles of arrays in shared memory have `pack` marks, and no copies yet.
///
/// # Errors
///
/// Why there is none: a statement is in no coincident loop, or the budget is spent.
pub(crate) fn mapped(
    program: &Program,
    tree: &Tree,
    (tiling, features): (Tiling, Features),
    b: &Budget,
) -> Result<Mapped, Kept> {
    let mut mapping = Mapping {
        program,
        tiling,
        features,
        b,
        linear: statements(program),
        transforms: Vec::new(),
        kernels: Vec::new(),
    };
    let root = mapping.node(&tree.root, &[])?;
    Ok(Mapped {
        tree: tree.with_root(root),
        transforms: mapping.transforms,
        kernels: mapping.kernels,
    })
}

struct Mapping<'a> {
    program: &'a Program,
    tiling: Tiling,
    features: Features,
    b: &'a Budget,
    linear: Statements,
    transforms: Vec<Transform>,
    kernels: Vec<Shape>,
}

impl Mapping<'_> {
    /// A subtree of the host's code, below these bands.
    fn node(&mut self, node: &Node, outer: &[&Band]) -> Result<Node, Kept> {
        let mut filters = |children: &[Filter]| -> Result<Vec<Filter>, Kept> {
            let child = |filter: &Filter| Ok(filter.with_child(self.node(&filter.child, outer)?));
            children.iter().map(child).collect()
        };
        match node {
            Node::Sequence(children) => Ok(Node::Sequence(filters(children)?)),
            Node::Set(children) => Ok(Node::Set(filters(children)?)),
            Node::Filter(filter) => Ok(Node::Filter(Box::new(
                filter.with_child(self.node(&filter.child, outer)?),
            ))),
            Node::Band(band) => match self.kernel(band, outer)? {
                Some(kernel) => Ok(kernel),
                None => {
                    let around = [outer, &[&**band]].concat();
                    let child = self.node(&band.child, &around)?;
                    Ok(Node::band(Band::clone(band).with_child(child)))
                }
            },
            // Statements outside of loops, and what the scheduler does not make.
            _ => Err(Kept::NoKernels),
        }
    }

    /// The kernel of a band below others, or two of them, if it may begin with a coincident member.
    fn kernel(&mut self, band: &Band, outer: &[&Band]) -> Result<Option<Node>, Kept> {
        let coincident = band.members().iter().map(|member| member.coincident);
        let parallel: Vec<usize> = match band.permutable {
            true => coincident
                .enumerate()
                .filter(|(_, is)| *is)
                .map(|(member, _)| member)
                .collect(),
            false => coincident.take(1).filter(|is| *is).map(|_| 0).collect(),
        };
        let Some(last) = parallel
            .iter()
            .copied()
            .max_by_key(|member| self.consecutive_accesses((outer, band), *member))
        else {
            return Ok(None);
        };
        let statements: Vec<Tuple> = band.statements().cloned().collect();
        let private = private(self.program, &statements);
        let tiled = match self.tiling >= Tiling::Registers && private.is_empty() {
            true => self.register_tiled((outer, band), (&parallel, last))?,
            false => None,
        };
        let kernel = |blocks: Node| {
            Node::Mark(
                Mark::Kernel {
                    private: private.clone(),
                },
                Box::new(blocks),
            )
        };
        let one_by_one = || {
            let members = dealt_out(&parallel, last);
            let threads = THREADS[members.len() - 1].to_vec();
            let blocks = in_blocks(band, &members, threads.clone());
            (members, threads, kernel(blocks))
        };
        let is_mma = tiled.as_ref().is_some_and(|(_, tile, _)| tile.is_mma);
        let (members, threads, points, node) = match tiled {
            Some((members, tile, Tiled::Together(blocks))) => (members, tile.threads, tile.points, kernel(blocks)),
            Some((members, tile, Tiled::Apart { blocks, full, others })) => {
                let (full, others) = (
                    Filter {
                        filter: full,
                        child: kernel(blocks),
                    },
                    Filter {
                        filter: others,
                        child: one_by_one().2,
                    },
                );
                let node = match others.filter.is_empty(self.b)? {
                    true => full.child,
                    false => Node::Sequence(vec![full, others]),
                };
                (members, tile.threads, tile.points, node)
            }
            None => {
                let (members, threads, node) = one_by_one();
                (members, threads, Vec::new(), node)
            }
        };
        let parts = statements.iter().map(|tuple| self.part((outer, band), &members, tuple));
        self.kernels.push(Shape {
            parts: parts.collect(),
            points: points.clone(),
            is_mma,
        });
        // Members that have a block for each iteration have one thread, and one point.
        let dealt_out = threads.iter().filter(|threads| **threads > 1).count();
        self.transforms.push(Transform::Kernel {
            statements,
            threads: threads[threads.len() - dealt_out..].to_vec(),
            tile: points[points.len().saturating_sub(dealt_out)..].to_vec(),
            shared: packed_arrays(&node).into_iter().collect(),
            is_mma,
            stages: stages(&node),
        });
        Ok(Some(node))
    }

    /// What a statement is in a kernel whose members are dealt out in this order.
    fn part(&self, (outer, band): (&[&Band], &Band), dealt_out: &[usize], statement: &Tuple) -> Part {
        let mut part = Part {
            statement: statement.clone(),
            host: Vec::new(),
            points: Vec::new(),
            along: Vec::new(),
            sequential: Vec::new(),
        };
        if let Some(directions) = Directions::of(&self.linear, outer, band, statement) {
            let owned = |functions: Vec<&Row>| functions.into_iter().cloned().collect();
            part.host = owned(directions.around());
            part.points = owned(directions.functions(dealt_out));
            let along = dealt_out
                .iter()
                .rev()
                .filter_map(|member| directions.of_member(*member));
            part.along = along.cloned().collect();
            part.sequential = directions.others(dealt_out);
        }
        part
    }

    /// The blocks of a band in which threads have several points along two members, where that pays.
    fn register_tiled(
        &self,
        (outer, band): (&[&Band], &Band),
        (parallel, last): (&[usize], usize),
    ) -> Outcome<Option<(Vec<usize>, RegisterTile, Tiled)>> {
        let (program, b) = (self.program, self.b);
        let shared = Shared {
            program,
            is_used: self.tiling == Tiling::Shared,
            is_asynchronous: self.features.asynchronous_copies,
        };
        let contracted = register_tiles::members(program, &self.linear, &shared, (outer, band), (parallel, last));
        let (members, tile) = match contracted {
            Some(members) => {
                let last_two = [members[members.len() - 2], members[members.len() - 1]];
                let is_mma = self.features.fp64_mma
                    && matrix_tiles::are_possible(program, &self.linear, &shared, (outer, band), (parallel, last_two));
                let tile = register_tiles::of_contraction(program, (band, &members), is_mma, b)?;
                (members, tile)
            }
            None => {
                let members = dealt_out(parallel, last);
                let Some(tile) = register_tiles::of_stream(program, (band, &members), b)? else {
                    return Ok(None);
                };
                (members, tile)
            }
        };
        let blocks = register_tiles::blocks(program, (band, &members), &tile, &shared, b)?;
        Ok(blocks.map(|blocks| (members, tile, blocks)))
    }

    /// How many accesses step to a neighbouring element along a member of a band below others.
    fn consecutive_accesses(&self, (outer, band): (&[&Band], &Band), member: usize) -> usize {
        let of_statement = |tuple: &Tuple| {
            let directions = Directions::of(&self.linear, outer, band, tuple);
            let Some(along) = directions.as_ref().and_then(|directions| directions.of_member(member)) else {
                return 0;
            };
            let accesses = self.linear[tuple].accesses.iter();
            accesses.filter(|access| access.stride(along) == Stride::Unit).count()
        };
        band.statements().map(of_statement).sum()
    }
}

/// The members that are dealt out where nothing else decides: the first of those that may be, and the last one last.
fn dealt_out(parallel: &[usize], last: usize) -> Vec<usize> {
    let others = parallel.iter().copied().filter(|member| *member != last);
    others.take(THREADS.len() - 1).chain([last]).collect()
}

/// The blocks of a band in which these members are dealt out, to so many threads each.
fn in_blocks(band: &Band, chosen: &[usize], threads: Vec<u32>) -> Node {
    let others: Vec<usize> = (0..band.n()).filter(|member| !chosen.contains(member)).collect();
    let inside = match others.is_empty() {
        true => band.child.clone(),
        false => Node::band(band.select(&others)),
    };
    let sizes: Vec<i64> = threads.iter().copied().map(i64::from).collect();
    let mut tiles = band
        .select(chosen)
        .with_isolation(Isolation::Nothing)
        .with_child(inside)
        .tiled(&sizes);
    // Each thread has one point of a tile: a test costs no more than code of their own for full tiles.
    tiles.isolation = Isolation::Nothing;
    let points = std::mem::replace(&mut tiles.child, Node::Leaf);
    let members = u32::try_from(chosen.len()).expect("a few members");
    let in_threads = Node::Mark(Mark::Threads { sizes: threads }, Box::new(points));
    let blocks = Node::band(tiles.with_child(in_threads));
    Node::Mark(Mark::Blocks { members }, Box::new(blocks))
}

/// The most stages that a mark in a node speaks of, or 1.
fn stages(node: &Node) -> u32 {
    let own = match node {
        Node::Mark(Mark::Stages { stages }, _) => *stages,
        _ => 1,
    };
    node.children().map(stages).fold(own, u32::max)
}

/// The arrays that `pack` marks in a node speak of.
fn packed_arrays(node: &Node) -> IndexSet<Name> {
    let mut found = IndexSet::new();
    if let Node::Mark(Mark::Pack { array, .. }, _) = node {
        found.insert(array.clone());
    }
    found.extend(node.children().flat_map(packed_arrays));
    found
}
