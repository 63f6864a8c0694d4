//! Register tiles of kernels: each thread has several points of a tile, along two members of a band.
//!
//! Where an iteration of a sequential loop reads elements that stay the same along one parallel member, and others that stay the same
//! along another one, a thread that executes `r x r` points loads `2 r` elements for `r * r` instances, in place of `2 r * r`:
//!
//! ```text
//! [i, j, k]        blocks(2)              [i/64, j/64]
//!                                           full tiles: [k]
//!                                             [i/16, j/16]   unrolled
//!                    threads(16 16)             [i, j]
//!                                           others: [i/16, j/16]
//!                    threads(16 16)             [i, j]
//!                                                 [k]
//! ```
//!
//! In a tile that is full, the accumulators of all points are in registers while `k` moves on: each copy that unrolling makes accesses
//! elements of its own residue class, which the back end tells apart by their alias scopes. In others a thread has one accumulator after
//! the other.
//!
//! What full tiles read may be in memory that the threads of a block [share](super::shared): `[k]` is cut in strips, at whose beginning a tile
//! of each array is copied.
//!
//! The sequential loops have the same bounds for all points of a tile: else a full tile had conditions inside.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::program::{Program, Statement};
use farkas_polyhedral::sets::{Conj, Name, Tuple};
use farkas_polyhedral::tree::{Band, Filter, Isolation, LoopKind, Mark, Node};

use super::directions::Directions;
use super::full_tiles;
use crate::analysis::linear::{LinearAccess, Statements, Stride};
use crate::transform::pack::packed;

/// The threads of a block along each of the two members. A warp has two rows of neighbours.
pub(super) const THREADS: u32 = 16;

/// The points of a thread along each of the two members: 16 accumulators, which leave a thread of 256 registers enough for what it
/// loads, and a multiprocessor room for several blocks.
pub(super) const POINTS: u32 = 4;

/// The members of a band that are dealt out with a register tile along the last two: these two, of which the last one is `last`, and one of
/// the other `parallel` ones. `None` where there is none.
pub(super) fn members(
    program: &Program,
    linear: &Statements,
    (outer, band): (&[&Band], &Band),
    (parallel, last): (&[usize], usize),
) -> Option<Vec<usize>> {
    if !band.permutable || !is_chain(&band.child) {
        return None;
    }
    let mut statements = Vec::new();
    for tuple in band.statements() {
        let directions = Directions::of(linear, outer, band, tuple)?;
        let sequential = directions.others(parallel);
        if !sequential.is_empty() {
            let statement = program.statement(program.find_statement(tuple)?);
            statements.push((statement, directions, sequential));
        }
    }
    let is_reused = |member: &usize| {
        statements.iter().all(|(statement, directions, sequential)| {
            let mut accesses = linear[statement.tuple()].accesses.iter();
            accesses.any(|access| is_reused(access, directions, *member, sequential))
        })
    };
    if statements.is_empty() || !is_reused(&last) {
        return None;
    }
    let mut others = parallel.iter().copied().filter(|member| *member != last);
    let other = others.rfind(is_reused)?;
    let outermost = parallel.iter().copied().find(|member| ![other, last].contains(member));
    let dealt_out: Vec<usize> = outermost.into_iter().chain([other, last]).collect();
    let is_rectangular = statements
        .iter()
        .all(|(statement, directions, _)| is_rectangular(statement, directions, &dealt_out));
    is_rectangular.then_some(dealt_out)
}

/// Whether a read stays the same along a member, and not along all sequential loops.
fn is_reused(access: &LinearAccess, directions: &Directions, member: usize, sequential: &[Row]) -> bool {
    let stays = |along: &Row| access.stride(along) == Stride::Zero;
    let along = directions.of_member(member);
    !access.writes && along.is_some_and(stays) && !sequential.iter().all(stays)
}

/// Whether the bounds of the sequential loops are the same for all points of the parallel members.
fn is_rectangular(statement: &Statement, directions: &Directions, parallel: &[usize]) -> bool {
    let n = statement.tuple().n();
    let first = 1 + statement.domain.params().len();
    let (points, others) = (directions.functions(parallel), directions.other_functions(parallel));
    let moves = |functions: &[&Row], dim: usize| functions.iter().any(|function| !function[dim].is_zero());
    let is_apart = (0..n).all(|dim| !(moves(&points, dim) && moves(&others, dim)));
    let couples = |row: &Row| {
        let is_bound = |functions: &[&Row]| (0..n).any(|dim| moves(functions, dim) && !row[first + dim].is_zero());
        is_bound(&points) && is_bound(&others)
    };
    let is_free = |piece: &Conj| piece.n_locals() == 0 && !piece.eqs().iter().chain(piece.ineqs()).any(couples);
    is_apart && statement.domain.pieces().len() == 1 && statement.domain.pieces().iter().all(is_free)
}

/// Whether there is nothing below but loops and their sequences.
fn is_chain(node: &Node) -> bool {
    match node {
        Node::Leaf => true,
        Node::Band(band) => is_chain(&band.child),
        Node::Sequence(children) => children.iter().all(|filter| is_chain(&filter.child)),
        _ => false,
    }
}

/// The blocks of a band with register tiles along the last two of these members; `None` where no tile is full. A member before them has a
/// block for each iteration.
pub(super) fn blocks(
    program: &Program,
    (band, chosen): (&Band, &[usize]),
    in_shared: &dyn Fn(&Tuple) -> Vec<Name>,
    b: &Budget,
) -> Outcome<Option<Node>> {
    let others: Vec<usize> = (0..band.n()).filter(|member| !chosen.contains(member)).collect();
    let sizes = |of_member: u32| -> Vec<i64> {
        let untiled = chosen.len() - 2;
        let size = |position| if position < untiled { 1 } else { i64::from(of_member) };
        (0..chosen.len()).map(size).collect()
    };
    let (threads, tile) = (sizes(THREADS), sizes(THREADS * POINTS));
    let mut tiles = band.select(chosen).tiled(&tile);
    let Node::Band(points) = std::mem::replace(&mut tiles.child, Node::Leaf) else {
        unreachable!("points are below their tiles")
    };
    let Some((full, partial)) = full_tiles::separated(program, &points, &tile, b)? else {
        return Ok(None);
    };
    let inside = match others.is_empty() {
        true => band.child.clone(),
        false => Node::band(band.select(&others)),
    };
    let unrolled = with_points(&points, &threads, in_shared, inside.clone());
    let one_by_one = in_threads(&points, &threads, inside, LoopKind::Default);
    let both = [(full, unrolled), (partial, one_by_one)].map(|(filter, child)| Filter { filter, child });
    let n = u32::try_from(chosen.len()).expect("a few members");
    let blocks = Node::band(tiles.with_child(Node::Sequence(both.into())));
    Ok(Some(Node::Mark(Mark::Blocks { members: n }, Box::new(blocks))))
}

/// The node of full tiles with their points innermost, unrolled: the sequential loops go around them. The last of these is tiled where
/// tiles of arrays are to be in shared memory.
fn with_points(points: &Band, threads: &[i64], in_shared: &dyn Fn(&Tuple) -> Vec<Name>, node: Node) -> Node {
    match node {
        Node::Band(mut band) => {
            let child = std::mem::replace(&mut band.child, Node::Leaf);
            let is_last = matches!(child, Node::Leaf);
            let own = Band::clone(&band).with_child(with_points(points, threads, in_shared, child));
            match is_last {
                true => with_shared(own, in_shared),
                false => Node::band(own),
            }
        }
        Node::Sequence(children) => {
            let with_own = |filter: Filter| {
                let own = points.restricted(|tuple| filter.filter.tuples().any(|other| other == tuple));
                let child = with_points(&own, threads, in_shared, filter.child.clone());
                filter.with_child(child)
            };
            Node::Sequence(children.into_iter().map(with_own).collect())
        }
        leaf => in_threads(points, threads, leaf, LoopKind::Unroll),
    }
}

/// The sequential band, with tiles of arrays that its only statement reads in shared memory in a tile of its last member.
fn with_shared(band: Band, in_shared: &dyn Fn(&Tuple) -> Vec<Name>) -> Node {
    let statements: Vec<Tuple> = band.statements().cloned().collect();
    let [statement] = &statements[..] else {
        return Node::band(band);
    };
    let arrays = in_shared(statement);
    if arrays.is_empty() {
        return Node::band(band);
    }
    let last = band.n() - 1;
    let mut sizes = vec![1; band.n()];
    sizes[last] = i64::from(THREADS);
    // Whatever the members are: the last one is cut in strips, and nothing changes its place.
    let strips = band
        .clone()
        .with_permutable(true)
        .tiled(&sizes)
        .with_permutable(band.permutable);
    let inside = Node::band(band.select(&[last]));
    let shared = arrays.iter().fold(inside, |node, array| packed(array, statement, node));
    Node::band(strips.with_child(shared))
}

/// The points of a tile, dealt out to threads, around a node. The loops over those of a thread are of this kind.
fn in_threads(points: &Band, threads: &[i64], node: Node, kind: LoopKind) -> Node {
    let mut copies = points.clone().with_child(node).tiled(threads);
    copies.isolation = Isolation::Nothing;
    copies.members_mut().iter_mut().for_each(|member| member.kind = kind);
    let points = std::mem::replace(&mut copies.child, Node::Leaf);
    let sizes = threads.iter().map(|size| u32::try_from(*size).expect("a few threads"));
    let mark = Mark::Threads { sizes: sizes.collect() };
    Node::band(copies.with_child(Node::Mark(mark, Box::new(points))))
}
