//! Fusion by the cost model: nests in sequence that read the same large array share loops over tiles of it.
//!
//! In
//!
//! ```text
//! for (i) for (j) x[i] += A[i][j] * v[j];     S
//! for (i) for (j) y[i] += A[j][i] * w[j];     T
//! ```
//!
//! `A` comes from memory twice if it is larger than the caches. The new order has loops over tiles of `A` around both nests:
//!
//! ```text
//! for each tile of A
//!   for (i) for (j) x[i] += A[i][j] * v[j];     where A[i][j] is in the tile
//!   for (i) for (j) y[i] += A[j][i] * w[j];     where A[j][i] is in the tile
//! ```
//!
//! The *tile function* of a statement is the subscripts of its access to the array: `[i, j]` for `S` and `[j, i]` for `T`. Tiles are
//! executed in order, and nests in their own order inside each, so that this is legal if no dependence goes from a larger to a
//! smaller value of a tile function. Subscripts for which one does have no loop over tiles. Of several accesses of a statement, the
//! one that is furthest ahead counts. Arrays that are written are left out.

use crate::analysis::levels;
use crate::analysis::linear::affine_subscripts;
use crate::analysis::nest::Nest;
use crate::analysis::satisfaction::is_weakly_satisfied;
use crate::cost::Model;
use crate::schedules::CLEARLY;
use crate::transform::{Transform, bands_around, has_band, in_sequence};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::program::Program;
use farkas_polyhedral::sets::{Aff, MultiAff, SetSpace, Tuple, UnionMap};
use farkas_polyhedral::tree::{Band, Filter, Isolation, Node, Path, Tree};
use indexmap::IndexMap;

/// The sizes of tiles along the last subscripts of an array, that of the last one first: 128 KB of `double`s.
const SIZES: [i64; 3] = [512, 32, 1];
/// The bytes of a column in a tile of whole rows: 16 `double`s, so that two vectors of 64 bytes are full.
const COLUMN: u64 = 128;
/// The size of tiles of an array of one dimension.
const LINE: i64 = 1024;

/// Nests in sequence that fetch the same large array.
pub(crate) struct Nests {
    /// Where the sequence is in the tree.
    at: Path,
    children: Vec<Filter>,
    array: Tuple,
}

/// A subscript over the dimensions of a statement.
#[derive(Clone)]
struct Subscript {
    linear: Row,
    constant: Int,
}

/// The subscripts of each statement of a nest.
type TileFunctions = IndexMap<Tuple, Vec<Subscript>>;

/// Whether nests in sequence that take so many cycles apart may gain by sharing what they fetch.
pub(crate) fn may_gain(model: &Model<'_>, nests: &[Vec<Tuple>], cycles: f64) -> bool {
    most_shared(model, nests, cycles, 1.0).is_some()
}

/// The nests of a tree that takes so many cycles, if sharing what they fetch may save a part of these that is worth while: those of
/// the outermost sequences.
pub(crate) fn worth_sharing(model: &Model<'_>, tree: &Tree, cycles: f64) -> Option<Nests> {
    let levels = levels::of_tree(tree, model.program)?;
    let loops = model.nests(&levels);
    let of_sequence = |at: Path| {
        let children = in_sequence(tree.at(&at)?);
        let nests: Vec<Vec<Tuple>> = children
            .iter()
            .filter(|child| has_band(&child.child))
            .map(statements)
            .collect();
        let depth = bands_around(tree, &at).map(Band::n).sum();
        let around = |nest: &Nest| nest.loops[..depth].iter().map(|l| l.trips).product::<f64>();
        let rounds = loops.get(nests.first()?.first()?).map_or(1.0, around);
        let array = most_shared(model, &nests, cycles, rounds)?;
        Some(Nests { at, children, array })
    };
    outermost_sequences(tree).into_iter().find_map(of_sequence)
}

/// The sequences with only bands around them.
fn outermost_sequences(tree: &Tree) -> Vec<Path> {
    let mut path = Path::root();
    while let Some(Node::Band(_) | Node::Mark(..)) = tree.at(&path) {
        path = path.child(0);
    }
    match tree.at(&path) {
        Some(Node::Sequence(_) | Node::Set(_)) => vec![path],
        _ => Vec::new(),
    }
}

/// The array by which nests that take so many cycles may gain most, if that is worth while. They are executed so many `rounds`.
fn most_shared(model: &Model<'_>, nests: &[Vec<Tuple>], cycles: f64, rounds: f64) -> Option<Tuple> {
    if nests.len() < 2 {
        return None;
    }
    let again = model.fetched_again(nests);
    let saved: f64 = again.values().sum();
    let (array, _) = again.into_iter().max_by(|x, y| x.1.total_cmp(&y.1))?;
    log::debug!("fusion: {array:?} saves {saved:.3e} x {rounds} of {cycles:.3e}");
    (cycles - rounds * saved < CLEARLY * cycles).then_some(array)
}

fn statements(nest: &Filter) -> Vec<Tuple> {
    nest.filter.sets().map(|set| set.tuple().clone()).collect()
}

/// Nests that may share loops over tiles.
struct Group {
    nests: Vec<usize>,
    /// Those of all their statements.
    functions: TileFunctions,
    /// The subscripts that tiles may be along.
    subscripts: Vec<usize>,
}

/// A part of the sequence.
enum Part {
    Alone(usize),
    Together(Group),
}

impl Nests {
    /// The tree with loops over tiles of the array around nests that may share them, and what was done: with tiles of whole rows, and
    /// of parts of rows.
    pub(crate) fn fused(
        &self,
        tree: &Tree,
        program: &Program,
        validity: &UnionMap,
        b: &Budget,
    ) -> Outcome<Vec<(Tree, Vec<Transform>)>> {
        let together = tree.reach(&self.at, b)?.together(b)?;
        let validity = validity.intersect(&together);
        let parts = self.parts(program, &validity, b)?;
        let subscripts = |group: &Group, rows: bool| -> Vec<usize> {
            let all = group.subscripts.iter().copied();
            all.filter(|subscript| !rows || *subscript + 1 < self.array.n()).collect()
        };
        let shape = |rows: bool| -> Vec<Vec<usize>> {
            let groups = parts.iter().filter_map(|part| match part {
                Part::Together(group) => Some(subscripts(group, rows)),
                Part::Alone(_) => None,
            });
            groups.collect()
        };
        let mut shapes = vec![shape(true), shape(false)];
        shapes.dedup();
        shapes.retain(|shape| shape.iter().any(|subscripts| !subscripts.is_empty()));
        let fused = shapes
            .iter()
            .map(|shape| self.in_tiles(&parts, shape, tree, program));
        Ok(fused.collect())
    }

    /// The nests in an order in which those that may share loops are together.
    fn parts(&self, program: &Program, validity: &UnionMap, b: &Budget) -> Outcome<Vec<Part>> {
        let mut parts = Vec::new();
        let mut left: Vec<usize> = (0..self.children.len()).collect();
        while let Some((first, others)) = left.split_first() {
            let group = match self.functions(program, *first) {
                Some(functions) => self.group_from(*first, functions, others, program, validity, b)?,
                None => None,
            };
            left = match group {
                Some((before, group, after)) => {
                    parts.extend(before.into_iter().map(Part::Alone));
                    parts.push(Part::Together(group));
                    after
                }
                None => {
                    parts.push(Part::Alone(*first));
                    others.to_vec()
                }
            };
        }
        Ok(parts)
    }

    /// The tile functions of the statements of a nest, if all of them access the array at affine subscripts.
    fn functions(&self, program: &Program, nest: usize) -> Option<TileFunctions> {
        let nest = &self.children[nest];
        if !has_band(&nest.child) {
            return None;
        }
        let of_statement = |tuple: Tuple| {
            let subscripts = furthest_subscripts(program, &tuple, &self.array)?;
            Some((tuple, subscripts))
        };
        statements(nest).into_iter().map(of_statement).collect()
    }

    /// The nests that may share loops with the first one, if there are some, and those of the others that go before and behind.
    fn group_from(
        &self,
        first: usize,
        mut functions: TileFunctions,
        others: &[usize],
        program: &Program,
        validity: &UnionMap,
        b: &Budget,
    ) -> Outcome<Option<(Vec<usize>, Group, Vec<usize>)>> {
        let mut subscripts: Vec<usize> = (0..self.array.n()).collect();
        let (mut before, mut group, mut after) = (Vec::new(), vec![first], Vec::new());
        for nest in others {
            let own = self.functions(program, *nest).filter(|_| after.is_empty());
            if let Some(own) = own {
                let mut together = functions.clone();
                together.extend(own);
                let mut kept = Vec::new();
                for subscript in &subscripts {
                    if is_ordered(&together, *subscript, validity, b)? {
                        kept.push(*subscript);
                    }
                }
                if !kept.is_empty() {
                    (functions, subscripts) = (together, kept);
                    group.push(*nest);
                    continue;
                }
            }
            // What depends on none of these comes before them.
            let depends = statements(&self.children[*nest]).iter().any(|target| {
                let mut earlier = group.iter().chain(&after);
                earlier.any(|earlier| {
                    let mut sources = statements(&self.children[*earlier]).into_iter();
                    sources.any(|source| depends(validity, &source, target))
                })
            });
            if depends { after.push(*nest) } else { before.push(*nest) }
        }
        let together = Group {
            nests: group,
            functions,
            subscripts,
        };
        Ok((together.nests.len() > 1).then_some((before, together, after)))
    }

    /// The tree with loops over tiles along some subscripts around the nests of each group, and what was done.
    fn in_tiles(
        &self,
        parts: &[Part],
        subscripts: &[Vec<usize>],
        tree: &Tree,
        program: &Program,
    ) -> (Tree, Vec<Transform>) {
        let child = |nest: &usize| self.children[*nest].clone();
        let mut of_groups = subscripts.iter();
        let (mut children, mut done) = (Vec::new(), Vec::new());
        for part in parts {
            match part {
                Part::Alone(nest) => children.push(child(nest)),
                Part::Together(group) => {
                    let nests: Vec<Filter> = group.nests.iter().map(child).collect();
                    let subscripts = of_groups.next().expect("subscripts for each group");
                    if subscripts.is_empty() {
                        children.extend(nests);
                        continue;
                    }
                    let sizes = self.sizes(subscripts, program);
                    let statements: Vec<Tuple> = nests.iter().flat_map(statements).collect();
                    let tiles = self.tiles_of(group, subscripts, &sizes, program).with_child(Node::Sequence(nests));
                    children.push(Filter::of_statements(statements.iter().cloned(), Node::band(tiles)));
                    done.push(Transform::Fuse { statements, sizes });
                }
            }
        }
        let root = match &children[..] {
            [only] => only.child.clone(),
            _ => Node::Sequence(children),
        };
        (tree.rewritten(&self.at, |_| root), done)
    }

    /// The band of tiles along some subscripts. The least constant is taken off, so that a loop that starts at 0 and one over tiles of it have
    /// the same tiles.
    fn tiles_of(&self, group: &Group, subscripts: &[usize], sizes: &[i64], program: &Program) -> Band {
        let params = program.context.params();
        let least = |subscript: usize| {
            let constants = group.functions.values().map(|own| &own[subscript].constant);
            constants.min().expect("a group has statements").clone()
        };
        let tile_function = |(tuple, of_statement): (&Tuple, &Vec<Subscript>)| {
            let space = SetSpace::new(params.clone(), tuple.clone());
            let affs = subscripts.iter().map(|subscript| {
                let least = Aff::constant(space.clone(), least(*subscript));
                of_statement[*subscript].aff(&space).sub(&least)
            });
            MultiAff::new(space.clone(), Tuple::anonymous(subscripts.len()), affs.collect())
        };
        let functions = group.functions.iter().map(tile_function);
        let points = Band::of_functions(subscripts.len(), functions, Node::Leaf).with_permutable(true);
        points.tiled(sizes).with_isolation(Isolation::Nothing)
    }

    /// The sizes of tiles along some subscripts.
    fn sizes(&self, subscripts: &[usize], program: &Program) -> Vec<i64> {
        let n = self.array.n();
        let rows = (COLUMN / program.arrays[&self.array].element_size).max(8) as i64;
        let size = |subscript: &usize| match (n, subscripts.contains(&(n - 1))) {
            (1, _) => LINE,
            (_, true) => SIZES[(n - 1 - subscript).min(SIZES.len() - 1)],
            (_, false) if *subscript == n - 2 => rows,
            (_, false) => 1,
        };
        subscripts.iter().map(size).collect()
    }
}

impl Subscript {
    fn aff(&self, space: &SetSpace) -> Aff {
        let mut sum = Aff::constant(space.clone(), self.constant.clone());
        for (dim, coefficient) in self.linear.iter().enumerate() {
            if !coefficient.is_zero() {
                sum = sum.add(&Aff::var(space.clone(), dim).scale(coefficient));
            }
        }
        sum
    }
}

/// The subscripts of a statement's accesses to an array: the linear parts of the first one, with the largest constants.
fn furthest_subscripts(program: &Program, tuple: &Tuple, array: &Tuple) -> Option<Vec<Subscript>> {
    let statement = program.statement(program.find_statement(tuple)?);
    let accesses = statement.accesses.iter().filter(|access| access.array() == array);
    let mut accesses = accesses.filter_map(|access| affine_subscripts(&access.relation));
    let first = accesses.next()?;
    let mut furthest: Vec<Subscript> = first
        .into_iter()
        .map(|(linear, constant)| Subscript { linear, constant })
        .collect();
    for other in accesses {
        for (own, (linear, constant)) in furthest.iter_mut().zip(other) {
            if own.linear == linear && constant > own.constant {
                own.constant = constant;
            }
        }
    }
    let moves = furthest
        .iter()
        .any(|subscript| subscript.linear.iter().any(|c| !c.is_zero()));
    moves.then_some(furthest)
}

/// Whether tiles along a subscript may be executed in order.
fn is_ordered(functions: &TileFunctions, subscript: usize, validity: &UnionMap, b: &Budget) -> Outcome<bool> {
    let function = |(tuple, subscripts): (&Tuple, &Vec<Subscript>)| {
        let space = SetSpace::new(validity.params().clone(), tuple.clone());
        (tuple.clone(), subscripts[subscript].aff(&space))
    };
    is_weakly_satisfied(&functions.iter().map(function).collect(), validity, b)
}

fn depends(validity: &UnionMap, source: &Tuple, target: &Tuple) -> bool {
    validity
        .maps()
        .any(|map| map.domain_tuple() == source && map.range_tuple() == target)
}
