//! Register tiles of kernels: each thread has several points of a tile, along two members of a band.
//!
//! Where an iteration of a sequential loop reads elements that stay the same along one parallel member, and others that stay the same
//! along another one, a thread that executes `r x r` points loads `2 r` elements for `r * r` instances, in place of `2 r * r`:
//!
//! ```text
//! [i, j, k]        full tiles:  kernel, blocks(2)   [i/64, j/128]
//!                                                     [k]
//!                                                       [i/16, j/64]   unrolled
//!                               threads(16 16)            [i, j/4]
//!                                                           [j]        unrolled
//!                  others:      kernel, blocks(2)   [i/8, j/32]
//!                               threads(8 32)         [i, j]
//!                                                       [k]
//! ```
//!
//! In a tile that is full, the accumulators of all points are in registers while `k` moves on: each copy that unrolling makes accesses
//! elements of its own residue class, which the back end tells apart by their alias scopes. Some points of a thread are neighbours along the last
//! member, so that it loads several elements at once. All other instances are a kernel of their own, with a thread for each point: threads
//! that went through the points of a partial tile would take longer than all full ones.
//!
//! Where no loop is sequential, a thread has several points, too: it computes addresses once for them, and waits for several loads at the
//! same time. Then partial tiles are in the same kernel.
//!
//! What full tiles read may be in memory that the threads of a block [share](super::shared): `[k]` is cut in strips, at whose beginning a tile
//! of each array is copied.
//!
//! What is not in shared memory is next to each other for neighbouring threads, or the same: threads that are fewer would wait for more
//! sectors at a time.
//!
//! The sequential loops have the same bounds for all points of a tile: else a full tile had conditions inside.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::program::{Program, Statement};
use farkas_polyhedral::sets::{Conj, Tuple, UnionSet};
use farkas_polyhedral::solver::integer::IntOptimum;
use farkas_polyhedral::tree::{Band, Filter, Isolation, LoopKind, Mark, Node};

use super::directions::Directions;
use super::shared::Shared;
use super::{full_tiles, matrix_tiles};
use crate::analysis::linear::{LinearAccess, Statements, Stride};
use crate::transform::pack::packed;
use crate::transform::{directions, function_of};

/// The threads of a block along each of the two members. A warp has two rows of neighbours.
pub(super) const THREADS: u32 = 16;

/// The bytes that a thread loads and stores at once.
const VECTOR: u64 = 16;

/// The blocks that a device needs to have work for all multiprocessors.
const BLOCKS: i64 = 128;

/// The points of a thread where no loop is sequential, and how many there have to be.
const STREAM_POINTS: u32 = 4;
const STREAM: i64 = 1 << 20;

/// How the points of a tile are dealt out to the threads of a block.
#[derive(Clone, Debug)]
pub(super) struct RegisterTile {
    /// The threads along each member that is dealt out.
    pub(super) threads: Vec<u32>,
    /// The points of a thread along each of them.
    pub(super) points: Vec<u32>,
    /// How many points of a thread are next to each other along the last member.
    pub(super) neighbours: u32,
    /// Whether its points are those of [matrix instructions](matrix_tiles).
    pub(super) is_mma: bool,
}

impl RegisterTile {
    /// The points of a tile along each member.
    fn sizes(&self) -> Vec<i64> {
        let pairs = self.threads.iter().zip(&self.points);
        pairs.map(|(threads, points)| i64::from(threads * points)).collect()
    }
}

/// The points of a thread along the last two members, by the bytes of an element, those that reuse most first. Accumulators take up to 64
/// registers: they leave a thread of 128 enough for what it loads, and a multiprocessor room for two blocks.
fn points_of_contractions(element_bytes: u64) -> &'static [[u32; 2]] {
    match element_bytes {
        0..=4 => &[[8, 8], [8, 4], [4, 4]],
        _ => &[[8, 4], [4, 4]],
    }
}

/// The members of a band that are dealt out with a register tile along the last two: these two, of which the last one is `last`, and one of
/// the other `parallel` ones. `None` where there is none.
pub(super) fn members(
    program: &Program,
    linear: &Statements,
    shared: &Shared<'_>,
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
    let are_together = statements.iter().all(|(statement, directions, _)| {
        let mut accesses = linear[statement.tuple()].accesses.iter();
        let shared = shared.arrays(statement.tuple());
        let along = directions.of_member(last);
        accesses.all(|access| {
            let is_shared = access.array.name().is_some_and(|name| shared.contains(name));
            is_shared || along.is_some_and(|along| access.stride(along) != Stride::Other)
        })
    });
    if statements.is_empty() || !is_reused(&last) || !are_together {
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

/// The register tile of a band along the last two of these members: the largest one with which there are blocks for all multiprocessors, if
/// it is known how many there are. A member before them has a block for each iteration.
pub(super) fn of_contraction(
    program: &Program,
    (band, chosen): (&Band, &[usize]),
    is_mma: bool,
    b: &Budget,
) -> Outcome<RegisterTile> {
    let bytes = element_bytes(program, band);
    let lengths = lengths(program, (band, chosen), b)?;
    let with_outer = |inner: [u32; 2]| [vec![1; chosen.len() - 2], inner.to_vec()].concat();
    let tile = |points: &[u32; 2]| match is_mma {
        true => RegisterTile {
            threads: with_outer(matrix_tiles::THREADS),
            points: with_outer(*points),
            neighbours: matrix_tiles::NEIGHBOURS,
            is_mma,
        },
        false => RegisterTile {
            threads: with_outer([THREADS; 2]),
            points: with_outer(*points),
            neighbours: points[1].min(u32::try_from(VECTOR / bytes).unwrap_or(1).max(1)),
            is_mma,
        },
    };
    let has_blocks = |tile: &RegisterTile| {
        let blocks = lengths.iter().zip(tile.sizes());
        let blocks = blocks.map(|(length, size)| length.map(|length| length.saturating_add(size - 1) / size));
        // What is not known may be long.
        product(blocks).is_none_or(|blocks| blocks >= BLOCKS)
    };
    let points = match is_mma {
        true => &matrix_tiles::POINTS,
        false => points_of_contractions(bytes),
    };
    let mut tiles = points.iter().map(tile);
    let smallest = tiles.clone().next_back().expect("there are sizes");
    Ok(tiles.find(has_blocks).unwrap_or(smallest))
}

/// The register tile of a band of which all members are dealt out, and nothing is sequential: a thread computes addresses once for several
/// points, and waits for several loads at the same time. `None` where there are others, or threads are too few for that.
pub(super) fn of_stream(
    program: &Program,
    (band, chosen): (&Band, &[usize]),
    b: &Budget,
) -> Outcome<Option<RegisterTile>> {
    let is_stream = band.permutable && band.n() == chosen.len() && is_sequence(&band.child);
    let lengths = lengths(program, (band, chosen), b)?;
    let points = product(lengths.into_iter());
    if !is_stream || points.is_some_and(|points| points < STREAM) {
        return Ok(None);
    }
    let threads = super::THREADS[chosen.len() - 1].to_vec();
    let mut points = vec![1; chosen.len()];
    points[chosen.len().saturating_sub(2)] = STREAM_POINTS;
    Ok(Some(RegisterTile {
        threads,
        points,
        neighbours: 1,
        is_mma: false,
    }))
}

/// The product of numbers, if all are known; no more than the largest number there is.
fn product(mut numbers: impl Iterator<Item = Option<i64>>) -> Option<i64> {
    numbers.try_fold(1_i64, |product, number| {
        number.map(|number| product.saturating_mul(number))
    })
}

/// Whether there is nothing below but statements, one after the other.
fn is_sequence(node: &Node) -> bool {
    match node {
        Node::Leaf => true,
        Node::Sequence(children) => children.iter().all(|filter| is_sequence(&filter.child)),
        _ => false,
    }
}

/// The statements of a band.
fn statements_of<'p>(program: &'p Program, band: &Band) -> Vec<&'p Statement> {
    let found = band.statements().filter_map(|tuple| program.find_statement(tuple));
    found.map(|id| program.statement(id)).collect()
}

/// The bytes of the largest element that a band accesses.
fn element_bytes(program: &Program, band: &Band) -> u64 {
    let statements = statements_of(program, band);
    let accesses = statements.iter().flat_map(|statement| &statement.accesses);
    let bytes = accesses.filter_map(|access| Some(program.arrays.get(access.array())?.element_size));
    bytes.max().unwrap_or(1)
}

/// The number of values of each of these members, where it does not depend on parameters.
fn lengths(program: &Program, (band, chosen): (&Band, &[usize]), b: &Budget) -> Outcome<Vec<Option<i64>>> {
    let statements = statements_of(program, band);
    let longest = |member: &usize| -> Outcome<Option<i64>> {
        let mut longest = Some(0);
        for statement in &statements {
            let own = length(band, *member, statement, b)?;
            longest = longest.zip(own).map(|(longest, own)| longest.max(own));
        }
        Ok(longest)
    };
    chosen.iter().map(longest).collect()
}

/// The number of values of a member on a statement, if it does not depend on parameters.
fn length(band: &Band, member: usize, statement: &Statement, b: &Budget) -> Outcome<Option<i64>> {
    let domain = &statement.domain;
    let function = function_of(band, statement.tuple()).align_params(domain.params());
    let aff = &function.affs()[member];
    Ok(match (domain.minimum(aff, b)?, domain.maximum(aff, b)?) {
        (IntOptimum::Finite(least), IntOptimum::Finite(most)) => (&most - &least).to_i64().map(|distance| distance + 1),
        _ => None,
    })
}

/// A band with register tiles.
pub(super) enum Tiled {
    /// The blocks of one kernel, with tiles that are full and others.
    Together(Node),
    /// The blocks of full tiles, and the instances in these and in others.
    Apart {
        blocks: Node,
        full: UnionSet,
        others: UnionSet,
    },
}

/// The blocks of a band with register tiles along these members; `None` where no tile is full. Tiles that are not full have blocks of their
/// own if a loop is sequential: threads that went through several points one after the other would take longer than all others.
pub(super) fn blocks(
    program: &Program,
    (band, chosen): (&Band, &[usize]),
    tile: &RegisterTile,
    shared: &Shared<'_>,
    b: &Budget,
) -> Outcome<Option<Tiled>> {
    let others: Vec<usize> = (0..band.n()).filter(|member| !chosen.contains(member)).collect();
    let sizes = tile.sizes();
    let mut tiles = band.select(chosen).tiled(&sizes);
    let Node::Band(points) = std::mem::replace(&mut tiles.child, Node::Leaf) else {
        unreachable!("points are below their tiles")
    };
    let Some((full, partial)) = full_tiles::separated(program, &points, &sizes, b)? else {
        return Ok(None);
    };
    let inside = match others.is_empty() {
        true => band.child.clone(),
        false => Node::band(band.select(&others)),
    };
    let unrolled = with_points(&points, tile, shared, inside.clone());
    let n = u32::try_from(chosen.len()).expect("a few members");
    let in_blocks = |child: Node| {
        let blocks = Node::band(tiles.clone().with_child(child));
        Node::Mark(Mark::Blocks { members: n }, Box::new(blocks))
    };
    if !is_sequence(&inside) {
        return Ok(Some(Tiled::Apart {
            blocks: in_blocks(unrolled),
            full,
            others: partial,
        }));
    }
    let one_by_one = in_threads(&points, tile, inside, LoopKind::Default);
    let both = [(full, unrolled), (partial, one_by_one)].map(|(filter, child)| Filter { filter, child });
    Ok(Some(Tiled::Together(in_blocks(Node::Sequence(both.into())))))
}

/// The node of full tiles with their points innermost, unrolled: the sequential loops go around them. The last of these is tiled where
/// tiles of arrays are to be in shared memory.
fn with_points(points: &Band, tile: &RegisterTile, shared: &Shared<'_>, node: Node) -> Node {
    match node {
        Node::Band(mut band) => {
            let child = std::mem::replace(&mut band.child, Node::Leaf);
            let is_last = matches!(child, Node::Leaf);
            let own = Band::clone(&band).with_child(with_points(points, tile, shared, child));
            match is_last {
                true => with_shared(own, (points, tile), shared),
                false => Node::band(own),
            }
        }
        Node::Sequence(children) => {
            let with_own = |filter: Filter| {
                let own = points.restricted(|tuple| filter.filter.tuples().any(|other| other == tuple));
                let child = with_points(&own, tile, shared, filter.child.clone());
                filter.with_child(child)
            };
            Node::Sequence(children.into_iter().map(with_own).collect())
        }
        leaf => in_threads(points, tile, leaf, LoopKind::Unroll),
    }
}

/// The sequential band, with tiles of arrays that its only statement reads in shared memory in a tile of its last member. Where they are
/// copied ahead, that member is below a mark that says so.
fn with_shared(band: Band, (points, tile): (&Band, &RegisterTile), shared: &Shared<'_>) -> Node {
    let statements: Vec<Tuple> = band.statements().cloned().collect();
    let [statement] = &statements[..] else {
        return Node::band(band);
    };
    let arrays = shared.arrays(statement);
    if arrays.is_empty() {
        return Node::band(band);
    }
    let last = band.n() - 1;
    let is_along = |band: &Band, member: usize, dim: usize| {
        let directions = directions(band, [member]);
        directions[0]
            .iter()
            .any(|(tuple, own)| tuple == statement && *own == dim)
    };
    let tile_sizes = tile.sizes();
    let size_along = |dim: usize, strip: u32| match (0..points.n()).find(|member| is_along(points, *member, dim)) {
        Some(member) => u32::try_from(tile_sizes[member]).expect("a small tile"),
        None if is_along(&band, last, dim) => strip,
        None => 1,
    };
    let own = shared.strips(statement, &arrays, &size_along);
    let mut sizes = vec![1; band.n()];
    sizes[last] = i64::from(own.iterations);
    // Whatever the members are: the last one is cut in strips, and nothing changes its place.
    let strips = band
        .clone()
        .with_permutable(true)
        .tiled(&sizes)
        .with_permutable(band.permutable);
    let products = band.select(&[last]);
    let inside = match tile.is_mma {
        true => matrix_tiles::instructions(points, products),
        false => Node::band(products),
    };
    let shared = arrays.iter().fold(inside, |node, array| packed(array, statement, node));
    if own.stages == 1 {
        return Node::band(strips.with_child(shared));
    }
    let mut around = strips.select(&(0..last).collect::<Vec<_>>());
    let mut of_last = strips.select(&[last]).with_child(shared);
    of_last.isolation = strips.isolation;
    let staged = Node::Mark(Mark::Stages { stages: own.stages }, Box::new(Node::band(of_last)));
    around.child = staged;
    match last {
        0 => around.child,
        _ => Node::band(around),
    }
}

/// The points of a tile, dealt out to threads, around a node. The loops over those of a thread are of this kind.
///
/// ```text
///                  [i/16, j/64]       points of a thread that are apart
/// threads(16 16)     [i, j/4]
///                      [j]            neighbours
/// ```
fn in_threads(points: &Band, tile: &RegisterTile, node: Node, kind: LoopKind) -> Node {
    let last = points.n() - 1;
    let neighbours = i64::from(tile.neighbours);
    let mut strides: Vec<i64> = tile.threads.iter().copied().map(i64::from).collect();
    strides[last] *= neighbours;
    let of_thread = |band: Band| {
        let mut band = band.with_isolation(Isolation::Nothing);
        band.members_mut().iter_mut().for_each(|member| member.kind = kind);
        band
    };
    let mut copies = of_thread(points.clone().with_child(node).tiled(&strides));
    let mut in_thread = std::mem::replace(&mut copies.child, Node::Leaf);
    if neighbours > 1 {
        let Node::Band(points) = in_thread else {
            unreachable!("points are below their tiles")
        };
        let mut sizes = vec![1; points.n()];
        sizes[last] = neighbours;
        let inner = of_thread(points.select(&[last]));
        let groups = points.tiled(&sizes).with_isolation(Isolation::Nothing);
        in_thread = Node::band(groups.with_child(Node::band(inner)));
    }
    let mark = Mark::Threads {
        sizes: tile.threads.clone(),
    };
    Node::band(copies.with_child(Node::Mark(mark, Box::new(in_thread))))
}
