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
//! elements.
//!
//! Threads share memory of the device only, and do not wait for each other: [`check_order`](crate::check_order) proves that they need
//! not. Scalar slots are private to each thread.

use farkas_polyhedral::program::Program;
use farkas_polyhedral::sets::{Name, Tuple};
use farkas_polyhedral::tree::{Band, Filter, Isolation, Mark, Node, Tree};

use crate::analysis::linear::{Statements, Stride, direction, linear_part, statements};
use crate::threads::private;
use crate::transform::{Transform, function_of};

/// The threads of a block along one, two and three members: 256, in whole warps along the last one. A multiprocessor has several such
/// blocks, which hide each other's latencies.
const THREADS: [&[u32]; 3] = [&[256], &[8, 32], &[2, 4, 32]];

/// An order with kernels.
#[derive(Clone, Debug)]
pub(crate) struct Mapped {
    /// The order, with marks.
    pub(crate) tree: Tree,
    pub(crate) transforms: Vec<Transform>,
}

/// The order with kernels for all of its statements; `None` where one is in no coincident loop.
pub(crate) fn mapped(program: &Program, tree: &Tree) -> Option<Mapped> {
    let mut mapping = Mapping {
        program,
        linear: statements(program),
        transforms: Vec::new(),
    };
    let root = mapping.node(&tree.root)?;
    Some(Mapped {
        tree: tree.with_root(root),
        transforms: mapping.transforms,
    })
}

struct Mapping<'a> {
    program: &'a Program,
    linear: Statements,
    transforms: Vec<Transform>,
}

impl Mapping<'_> {
    /// A subtree of the host's code.
    fn node(&mut self, node: &Node) -> Option<Node> {
        let mut filters = |children: &[Filter]| -> Option<Vec<Filter>> {
            let child = |filter: &Filter| Some(filter.with_child(self.node(&filter.child)?));
            children.iter().map(child).collect()
        };
        match node {
            Node::Sequence(children) => Some(Node::Sequence(filters(children)?)),
            Node::Set(children) => Some(Node::Set(filters(children)?)),
            Node::Filter(filter) => Some(Node::Filter(Box::new(filter.with_child(self.node(&filter.child)?)))),
            Node::Band(band) => match self.kernel(band) {
                Some(kernel) => Some(kernel),
                None => Some(Node::band(Band::clone(band).with_child(self.node(&band.child)?))),
            },
            // Statements outside of loops, and what the scheduler does not make.
            _ => None,
        }
    }

    /// The kernel of a band, if it may begin with a coincident member.
    fn kernel(&mut self, band: &Band) -> Option<Node> {
        let coincident = band.members().iter().map(|member| member.coincident);
        let mut chosen: Vec<usize> = match band.permutable {
            true => coincident
                .enumerate()
                .filter(|(_, is)| *is)
                .map(|(member, _)| member)
                .collect(),
            false => coincident.take(1).filter(|is| *is).map(|_| 0).collect(),
        };
        let last = *chosen
            .iter()
            .max_by_key(|member| self.consecutive_accesses(band, **member))?;
        chosen.retain(|member| *member != last);
        chosen.truncate(THREADS.len() - 1);
        chosen.push(last);
        let threads = THREADS[chosen.len() - 1].to_vec();
        let statements: Vec<Tuple> = band.statements().cloned().collect();
        let private = private(self.program, &statements);
        self.transforms.push(Transform::Kernel {
            statements,
            threads: threads.clone(),
        });
        Some(in_blocks(band, &chosen, threads, private))
    }

    /// How many accesses step to a neighbouring element along a member.
    fn consecutive_accesses(&self, band: &Band, member: usize) -> usize {
        let of_statement = |tuple: &Tuple| {
            let linear = &self.linear[tuple];
            let functions = function_of(band, tuple);
            let rows: Option<Vec<_>> = functions.affs().iter().map(linear_part).collect();
            let Some(along) = rows.and_then(|rows| direction(&rows, member, tuple.n())) else {
                return 0;
            };
            let accesses = linear.accesses.iter();
            accesses.filter(|access| access.stride(&along) == Stride::Unit).count()
        };
        band.statements().map(of_statement).sum()
    }
}

/// The kernel of a band in which these members are dealt out, to so many threads each.
fn in_blocks(band: &Band, chosen: &[usize], threads: Vec<u32>, private: Vec<Name>) -> Node {
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
    let in_blocks = Node::Mark(Mark::Blocks { members }, Box::new(blocks));
    Node::Mark(Mark::Kernel { private }, Box::new(in_blocks))
}
