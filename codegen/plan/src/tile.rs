//! Tiling for the cache and for registers.
//!
//! A permutable band of points becomes a band of tiles over it. Where one statement with a vectorizable innermost loop
//! reads the same element again along another loop of the band, that loop is tiled once more by a small constant and
//! the small tile unrolled inside the innermost loop, so that the element stays in a register:
//!
//! ```text
//! [i/32, k/32, j/256]            tiles for the cache
//!   [i/4, k/4, j]                j is the loop that is vectorized
//!     [i, k] unrolled            16 products for 4 rows of C and 4 rows of B
//! ```
//!
//! Small tiles that are full are isolated, so that the unrolled code is free of conditions.

use farkas_polyhedral::sets::{Aff, Tuple};
use farkas_polyhedral::tree::{Band, Isolation, LoopKind, Node, Tree};

use crate::innermost::{function_of, has_band};
use crate::linear::{LinearAccess, Statements, Stride, direction, linear_part};
use crate::optimize::Target;

/// The size of a tile in a loop that is not innermost.
const TILE: i64 = 32;
/// The size of a tile in the innermost loop: long, for the vectorizer and the prefetcher.
const INNERMOST_TILE: i64 = 512;
/// How often a loop is unrolled for registers.
const REGISTER_TILE: i64 = 4;
/// How many loops are unrolled for registers.
const REGISTER_LOOPS: usize = 2;

/// Whether tiling the tree's innermost bands makes tiles that span several values of an outer, sequential loop: a band
/// of at least three members that is skewed, as stencils over time are.
pub(super) fn tiles_time(tree: &Tree) -> bool {
    fn skewed(node: &Node) -> bool {
        match node {
            Node::Band(band) if !has_band(&band.child) => {
                let mixes =
                    |aff: &Aff| linear_part(aff).is_some_and(|row| row.iter().filter(|c| !c.is_zero()).count() > 1);
                let mut functions = band.statements().map(|tuple| function_of(band, tuple));
                band.permutable && band.n() > 2 && functions.any(|f| f.affs().iter().any(mixes))
            }
            other => other.children().any(skewed),
        }
    }
    skewed(&tree.root)
}

/// Whether the deepest statements of the tree all have a band in which two loops can be unrolled for registers: as a
/// matrix product, they then do more arithmetic for each access than the original loops.
pub(super) fn keeps_in_registers(tree: &Tree, statements: &Statements) -> bool {
    fn visit(node: &Node, statements: &Statements, deepest: usize) -> bool {
        match node {
            Node::Band(band) if !has_band(&band.child) => {
                let depth = band
                    .statements()
                    .map(|tuple| statements[tuple].depth)
                    .max()
                    .unwrap_or(0);
                depth < deepest || register_loops(band, statements).len() == REGISTER_LOOPS
            }
            other => other.children().all(|child| visit(child, statements, deepest)),
        }
    }
    let deepest = statements.values().map(|s| s.depth).max().unwrap_or(0);
    deepest > REGISTER_LOOPS && visit(&tree.root, statements, deepest)
}

/// The tree with its innermost bands tiled, and what was done.
pub(super) fn tile(tree: &Tree, statements: &Statements, target: &Target) -> (Tree, Option<String>) {
    let deepest = statements.values().map(|s| s.depth).max().unwrap_or(0);
    let mut tiler = Tiler {
        statements,
        target,
        deepest,
        tiled: 0,
        unrolled: 0,
    };
    let root = tiler.node(tree.root.clone());
    let mut done = Vec::new();
    if tiler.tiled > 0 {
        done.push(format!("tiled {} dimensions", tiler.tiled));
    }
    if tiler.unrolled > 0 {
        done.push(format!("unrolled {} for registers", tiler.unrolled));
    }
    (tree.with_root(root), (!done.is_empty()).then(|| done.join(", ")))
}

struct Tiler<'a> {
    statements: &'a Statements,
    target: &'a Target,
    /// Statements of lower depth take little of the time and are not tiled.
    deepest: usize,
    tiled: usize,
    unrolled: usize,
}

impl Tiler<'_> {
    fn node(&mut self, node: Node) -> Node {
        match node {
            Node::Band(band) if !has_band(&band.child) => self.band(*band),
            other => other.map_children(&mut |child| self.node(child)),
        }
    }

    fn band(&mut self, band: Band) -> Node {
        let n = band.n();
        let mut points = band;
        points.members_mut()[n - 1].kind = LoopKind::Separate;
        let depth = points
            .statements()
            .map(|tuple| self.statements[tuple].depth)
            .max()
            .unwrap_or(0);
        if n < 2 || !points.permutable || depth < self.deepest {
            return Node::Band(Box::new(points));
        }
        let mut sizes = vec![self.target.tile_size.unwrap_or(TILE); n];
        sizes[n - 1] = self.target.tile_size.unwrap_or(INNERMOST_TILE);
        let mut tiles = points.tiled(&sizes);
        // Cache tiles need no version of their own for full tiles: bounds with a minimum cost little outside.
        tiles.isolation = Isolation::Nothing;
        self.tiled = self.tiled.max(n);
        let register = register_loops(&points, self.statements);
        if !register.is_empty() {
            self.unrolled = self.unrolled.max(register.len());
            tiles.child = Node::Band(Box::new(register_tiled(&points, &register)));
        }
        Node::Band(Box::new(tiles))
    }
}

/// The members of a band along which a value of its only statement is used again while the innermost loop moves on:
/// those to unroll. None where the band is not permutable or its innermost loop cannot be vectorized.
fn register_loops(band: &Band, statements: &Statements) -> Vec<usize> {
    let innermost = band.n() - 1;
    let mut tuples = band.statements();
    let (Some(tuple), None) = (tuples.next(), tuples.next()) else {
        return Vec::new();
    };
    if !band.permutable || !band.members()[innermost].coincident {
        return Vec::new();
    }
    let mut reused: Vec<usize> = (0..innermost)
        .filter(|m| has_reuse(band, tuple, *m, statements))
        .collect();
    reused.truncate(REGISTER_LOOPS);
    reused
}

fn has_reuse(band: &Band, tuple: &Tuple, member: usize, statements: &Statements) -> bool {
    let statement = &statements[tuple];
    let rows: Option<Vec<_>> = function_of(band, tuple).affs().iter().map(linear_part).collect();
    let along = |position| {
        rows.as_ref()
            .and_then(|rows| direction(rows, position, statement.depth))
    };
    let (Some(along_member), Some(along_innermost)) = (along(member), along(band.n() - 1)) else {
        return false;
    };
    let skewed = rows
        .iter()
        .flatten()
        .any(|row| row.iter().filter(|c| !c.is_zero()).count() > 1);
    let reuse = |access: &LinearAccess| {
        access.stride(&along_member) == Stride::Zero && access.stride(&along_innermost) == Stride::Unit
    };
    !skewed && statement.accesses.iter().any(reuse)
}

/// `[a, b, c]` with `a` and `b` in `unrolled` as `[a/4, b/4, c] { [a, b] unrolled }`.
fn register_tiled(points: &Band, unrolled: &[usize]) -> Band {
    let sizes: Vec<i64> = (0..points.n())
        .map(|m| if unrolled.contains(&m) { REGISTER_TILE } else { 1 })
        .collect();
    let mut outer = points.tiled(&sizes);
    outer.members_mut()[points.n() - 1].kind = LoopKind::Separate;
    let mut inner = points.select(unrolled).with_permutable(true);
    inner
        .members_mut()
        .iter_mut()
        .for_each(|member| member.kind = LoopKind::Unroll);
    outer.with_child(Node::band(inner))
}
