//! Register tiles of matrix instructions: a warp multiplies tiles of two matrices, and adds the product to a third one, in one instruction
//! (tensor cores).
//!
//! The instruction for `double`, PTX's `mma.m16n8k4`, has 16 rows, 8 columns, and 4 products for each element, which it adds one after the
//! other, each with one rounding: so a sum is the same as with `fma`. A thread has two elements next to each other in each of two rows:
//!
//! ```text
//! blocks(2)   [i/128, j/64]
//!               [k/8]                   copies of A and B to shared memory
//!                 [k/4]
//!                   [i/64, j/8]         unrolled
//!                     mma(16 8 4)
//!                       [i/32]
//! threads(32 4)           [i, j/2]
//!                           [j]
//!                             [k]
//! ```
//!
//! The order that the tree says is one that respects all dependences, like any other one. What a warp executes of the subtree below the mark
//! is `C[i][j] += X[i][k] * Y[k][j]` for two rows of each of 8 threads, 8 neighbouring columns, and 4 products: one instruction.

use farkas_polyhedral::program::{AccessId, ElementType, Program, Statement};
use farkas_polyhedral::sets::Name;
use farkas_polyhedral::tree::{Band, Isolation, LoopKind, Mark, Node};

use super::directions::Directions;
use super::shared::Shared;
use crate::analysis::linear::{Statements, Stride};

/// The rows, the columns, and the products for each element of an instruction.
pub(crate) const SHAPE: [u32; 3] = [16, 8, 4];

/// The type of the elements.
pub(crate) const ELEMENTS: ElementType = ElementType::Float(64);

/// The threads of a block along rows and columns. The four along columns have two neighbours each; a warp has eight along rows, and a thread two rows
/// of each instruction.
pub(super) const THREADS: [u32; 2] = [32, 4];

/// The neighbours of a thread in a row.
pub(super) const NEIGHBOURS: u32 = SHAPE[1] / THREADS[1];

/// The rows of a thread in an instruction.
const ROWS: u32 = 2;

/// The points of a thread along rows and columns, those that reuse most first.
pub(super) const POINTS: [[u32; 2]; 3] = [[4, 16], [4, 8], [2, 8]];

/// Whether the only statement of a band below others is executed by matrix instructions, with these members as rows and columns. What it multiplies
/// has to be in shared memory: a thread reads elements there that others need, too.
pub(super) fn are_possible(
    program: &Program,
    linear: &Statements,
    shared: &Shared<'_>,
    (outer, band): (&[&Band], &Band),
    (parallel, [row, column]): (&[usize], [usize; 2]),
) -> bool {
    let mut statements = band.statements();
    let (Some(tuple), None) = (statements.next(), statements.next()) else {
        return false;
    };
    let Some(id) = program.find_statement(tuple) else {
        return false;
    };
    let statement = program.statement(id);
    let Some(directions) = Directions::of(linear, outer, band, tuple) else {
        return false;
    };
    let sequential = directions.others(parallel);
    let along = [row, column].map(|member| directions.of_member(member));
    let (Some(multiply_add), [Some(row), Some(column)], Some(last)) =
        (&statement.multiply_add, along, sequential.last())
    else {
        return false;
    };
    let stride = |read: AccessId, along| linear[tuple].accesses[read.0].stride(along);
    let stays = |reads: &[AccessId], along| reads.iter().all(|read| stride(*read, along) == Stride::Zero);
    let shared = shared.arrays(tuple);
    let are_shared =
        |reads: &Vec<AccessId>| !reads.is_empty() && reads.iter().all(|read| is_of(statement, *read, &shared));
    let [x, y] = &multiply_add.factors;
    let are_apart = stays(x, column) && stays(y, row) || stays(y, column) && stays(x, row);
    multiply_add.ty == ELEMENTS
        && stride(multiply_add.addend, last) == Stride::Zero
        && are_apart
        && are_shared(x)
        && are_shared(y)
}

/// Whether an access is to one of these arrays.
fn is_of(statement: &Statement, access: AccessId, arrays: &[Name]) -> bool {
    let array = statement.accesses[access.0].array().name();
    array.is_some_and(|array| arrays.contains(array))
}

/// The points of a tile in instructions. `sequential` is the loop whose iterations are the products of an element. The last two members of
/// `points` are rows and columns.
pub(super) fn instructions(points: &Band, sequential: Band) -> Node {
    let n = points.n();
    // Where there are more members, the first one has a block for each iteration.
    let with_outer = |inner: [u32; 2]| -> Vec<i64> {
        let outer = std::iter::repeat_n(1, n - 2);
        outer.chain(inner.map(i64::from)).collect()
    };
    let threads: Vec<u32> = std::iter::repeat_n(1, n - 2).chain(THREADS).collect();
    let (of_products, products) = split(sequential.tiled(&[i64::from(SHAPE[2])]));
    let neighbours = points
        .select(&[n - 1])
        .with_child(Node::band(products.with_child(Node::Leaf)));
    let (groups, _) = split(points.clone().tiled(&with_outer([1, NEIGHBOURS])));
    let groups = groups
        .with_isolation(Isolation::Nothing)
        .with_child(Node::band(neighbours));
    let in_threads = Node::Mark(Mark::Threads { sizes: threads }, Box::new(Node::band(groups)));
    let (rows, _) = split(points.clone().tiled(&with_outer([THREADS[0], SHAPE[1]])));
    let rows = Node::band(rows.with_isolation(Isolation::Nothing).with_child(in_threads));
    let instruction = Node::Mark(Mark::Mma { shape: SHAPE }, Box::new(rows));
    let (copies, _) = split(points.clone().tiled(&with_outer([ROWS * THREADS[0], SHAPE[1]])));
    let mut copies = copies.with_isolation(Isolation::Nothing).with_child(instruction);
    copies
        .members_mut()
        .iter_mut()
        .for_each(|member| member.kind = LoopKind::Unroll);
    Node::band(
        of_products
            .with_isolation(Isolation::Nothing)
            .with_child(Node::band(copies)),
    )
}

/// A band of tiles, and the band of their points.
fn split(mut tiles: Band) -> (Band, Band) {
    let Node::Band(points) = std::mem::replace(&mut tiles.child, Node::Leaf) else {
        unreachable!("points are below their tiles")
    };
    (tiles, *points)
}
