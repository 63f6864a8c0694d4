//! Packing: a tile of an array is copied to a buffer, and read there.
//!
//! Where the innermost loop goes from row to row of an array, packing transposes a tile, which is read many times:
//!
//! ```text
//! [i/256, k/32, j/128]          for each tile
//!   pack(B, B.S)                  for (j) for (k) P[k mod 32][j mod 128] = B[j][k];
//!     [i/4, k/4, j]               for (i) for (k) for (j)
//!       [i, k] unrolled             C[i][j] += A[i][k] * P[k mod 32][j mod 128];
//! ```
//!
//! The innermost loop then reads consecutive elements, of lines that hold nothing else.
//!
//! A variant of a band has the mark. The copies depend on all that is around it, and on the domains: they are added to the tree of the
//! whole program, in its original variables.

use super::bands_around;
use crate::analysis::linear::{affine_subscripts, linear_part};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::program::{PackedDim, PackedTile, Program, Statement};
use farkas_polyhedral::sets::{Aff, Map, MultiAff, Name, SetSpace, Tuple, UnionMap};
use farkas_polyhedral::tree::{Band, Filter, Isolation, Mark, Node, Path, Tree};
use indexmap::IndexMap;

/// The node of a statement's band with a tile of the array in a buffer.
pub(crate) fn packed(array: &Name, statement: &Tuple, node: Node) -> Node {
    Node::Mark(pack_mark(array, statement), Box::new(node))
}

/// The mark around a statement's band that has a tile of the array in a buffer.
pub(crate) fn pack_mark(array: &Name, statement: &Tuple) -> Mark {
    let statement = statement.name().expect("a statement has a name");
    Mark::Pack {
        array: array.clone(),
        buffer: format!("{array}.{statement}").as_str().into(),
    }
}

/// Whether a tree has `pack` marks.
pub(crate) fn has_packing(tree: &Tree) -> bool {
    tree.root.any(&|node| matches!(node, Node::Mark(Mark::Pack { .. }, _)))
}

/// The tree without `pack` marks: what they change is no order of statements.
pub(crate) fn without_packing(tree: &Tree) -> Tree {
    tree.with_root(without_marks(tree.root.clone()))
}

fn without_marks(node: Node) -> Node {
    match node {
        Node::Mark(Mark::Pack { .. }, child) => without_marks(*child),
        other => other.map_children(&mut without_marks),
    }
}

/// Where buffers are.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    /// On the stack: the innermost loop goes through neighbours.
    Stack,
    /// In the memory that the threads of a block share: neighbours are those in the array, which neighbouring threads copy.
    Shared,
}

/// The tree with copies below its `pack` marks to buffers in a place, and the tiles that they copy; `None` where subscripts are not tiled, or
/// a buffer would have more than one layout.
pub(crate) fn with_copies(
    tree: &Tree,
    program: &Program,
    place: Place,
    b: &Budget,
) -> Outcome<Option<(Tree, Vec<PackedTile>)>> {
    let (mut all, mut tiles) = (tree.clone(), Vec::new());
    // Those inside first: the paths of marks around them stay the same.
    for path in tree.paths().into_iter().rev() {
        let Some(Node::Mark(Mark::Pack { array, buffer }, _)) = tree.at(&path) else {
            continue;
        };
        let Some(tile) = tile_of(tree, program, &path, (array, buffer), place) else {
            return Ok(None);
        };
        let threads = match place {
            Place::Stack => None,
            Place::Shared => Some(threads_in(tree.at(&path.child(0)).expect("a mark has a child"))),
        };
        let Some(copy_loops) = copy_loops(&tile, threads) else {
            return Ok(None);
        };
        let reach = tree.reach(&path, b)?;
        let copies = copies(&reach.schedule_relation(b)?, program, &tile, b)?;
        let statements: Vec<Tuple> = reach.instances.tuples().cloned().collect();
        let with_own = |child: Node| {
            let children = vec![
                Filter::of_statements([tile.copy_in.clone()], copy_loops),
                Filter::of_statements(statements, child),
            ];
            Node::Extension(copies, Box::new(Node::Sequence(children)))
        };
        all = all.rewritten(&path.child(0), with_own);
        tiles.push(tile);
    }
    tiles.reverse();
    Ok(Some((all, tiles)))
}

/// The tile of an array in one iteration of the loops around a mark.
fn tile_of(
    tree: &Tree,
    program: &Program,
    path: &Path,
    (array, buffer): (&Name, &Name),
    place: Place,
) -> Option<PackedTile> {
    let points = first_band(tree.at(&path.child(0))?)?;
    let mut tile: Option<PackedTile> = None;
    for statement in &program.statements {
        let mut accesses = statement.accesses.iter();
        let of_array = |tuple: &Tuple| tuple.name() == Some(array);
        let Some(access) = accesses.find(|access| of_array(access.array())) else {
            continue;
        };
        if !points.statements().any(|tuple| tuple == statement.tuple()) {
            continue;
        }
        let subscripts = affine_subscripts(&access.relation)?;
        let mut dims = Vec::new();
        for (of_array, (linear, constant)) in subscripts.iter().enumerate() {
            let along = only_one(linear.iter().map(|c| !c.is_zero()))?;
            let size = tile_size(tree, path, (statement, along), place)?;
            let offset = constant.to_i64()?;
            dims.push((along, PackedDim { of_array, offset, size }));
        }
        if let Place::Stack = place {
            let innermost = linear_part(points.function_of(statement.tuple())?.affs().last()?)?;
            dims.sort_by_key(|(along, _)| !innermost[*along].is_zero());
        }
        let (along, dims): (Vec<usize>, Vec<PackedDim>) = dims.into_iter().unzip();
        let n_outer: usize = bands_around(tree, path).map(|band| band.n()).sum();
        let tile = tile.get_or_insert_with(|| PackedTile {
            array: access.array().clone(),
            buffer: buffer.clone(),
            copy_in: Tuple::new(&*format!("{buffer}.in"), n_outer + access.array().n()),
            dims: dims.clone(),
            along: IndexMap::new(),
        });
        if tile.dims != dims {
            return None;
        }
        tile.along.insert(statement.tuple().clone(), along);
    }
    tile
}

/// The first band below marks.
fn first_band(node: &Node) -> Option<&Band> {
    match node {
        Node::Band(band) => Some(band),
        Node::Mark(_, child) => first_band(child),
        _ => None,
    }
}

/// The position of the only one that is true.
fn only_one(each: impl Iterator<Item = bool>) -> Option<usize> {
    let mut positions = each.enumerate().filter(|(_, is)| *is);
    match (positions.next(), positions.next()) {
        (Some((position, _)), None) => Some(position),
        _ => None,
    }
}

/// How many values of a statement's dimension are in a tile around a node. In shared memory it may be a single one.
fn tile_size(tree: &Tree, path: &Path, (statement, dim): (&Statement, usize), place: Place) -> Option<u32> {
    let variable = Aff::var(statement.domain.space().clone(), dim);
    let is_variable = |point: &Aff| point.align_params(statement.domain.params()) == variable;
    let size = |aff: &Aff| {
        if matches!(place, Place::Shared) && is_variable(aff) {
            return Some(1);
        }
        let (point, size) = aff.as_floor_div()?;
        let is_own = is_variable(&point);
        let size = u32::try_from(size.to_i64()?).ok()?;
        is_own.then_some(size)
    };
    let functions = bands_around(tree, path).filter_map(|band| band.function_of(statement.tuple()));
    let sizes = functions.flat_map(|function| function.affs().iter().filter_map(size).collect::<Vec<_>>());
    sizes.min()
}

/// From the values of the members around to the copies of all that is read in their iteration.
fn copies(times: &UnionMap, program: &Program, tile: &PackedTile, b: &Budget) -> Outcome<UnionMap> {
    let mut copies = UnionMap::empty(times.params().clone());
    for statement in program.statements.iter().filter(|s| tile.along.contains_key(s.tuple())) {
        let of_array = statement.accesses.iter().filter(|access| *access.array() == tile.array);
        for access in of_array {
            for time in times.maps().filter(|time| time.domain_tuple() == statement.tuple()) {
                let elements = time.reverse().apply_range(&access.relation, b)?.compact(b)?;
                let same = Map::identity(elements.params().clone(), elements.domain_tuple().clone());
                let copied = same.flat_range_product(&elements);
                copies.add(&copied.with_range_tuple(tile.copy_in.clone()));
            }
        }
    }
    copies.coalesce(b)
}

/// The threads of a block along the last two members that are dealt out, as a `threads` mark in a node says.
fn threads_in(node: &Node) -> [u32; 2] {
    let own = match node {
        Node::Mark(Mark::Threads { sizes }, _) => sizes.last_chunk().copied(),
        _ => None,
    };
    let inside = || node.children().map(threads_in).find(|threads| *threads != [1; 2]);
    own.or_else(inside).unwrap_or([1; 2])
}

/// The loops of copies, by so many threads along the last dimensions if there are several; `None` where the array has less dimensions than
/// there are threads in.
fn copy_loops(tile: &PackedTile, threads: Option<[u32; 2]>) -> Option<Node> {
    let elements = copied_elements(tile);
    let Some(threads) = threads else {
        return Some(Node::band(elements));
    };
    let n_outer = elements.n().checked_sub(threads.len())?;
    let dealt_out = elements.select(&(n_outer..elements.n()).collect::<Vec<_>>());
    let sizes: Vec<i64> = threads.iter().copied().map(i64::from).collect();
    let mut tiles = dealt_out.tiled(&sizes);
    tiles.isolation = Isolation::Nothing;
    let points = std::mem::replace(&mut tiles.child, Node::Leaf);
    let mark = Mark::Threads {
        sizes: threads.to_vec(),
    };
    let in_threads = Node::band(tiles.with_child(Node::Mark(mark, Box::new(points))));
    let outer: Vec<usize> = (0..n_outer).collect();
    Some(match n_outer {
        0 => in_threads,
        _ => Node::band(elements.select(&outer).with_child(in_threads)),
    })
}

/// The elements that are copied: along the array, whose elements come from further away than the buffer.
fn copied_elements(tile: &PackedTile) -> Band {
    let copy = SetSpace::new(farkas_polyhedral::sets::Params::none(), tile.copy_in.clone());
    let n = tile.array.n();
    let first = tile.copy_in.n() - n;
    let affs = (first..first + n).map(|dim| Aff::var(copy.clone(), dim)).collect();
    let function = MultiAff::new(copy.clone(), Tuple::anonymous(n), affs);
    let mut band = Band::of_functions(n, [function], Node::Leaf).with_permutable(true);
    band.members_mut()
        .iter_mut()
        .for_each(|member| member.coincident = true);
    band
}
