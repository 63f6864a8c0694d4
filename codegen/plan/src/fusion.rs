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
//! one that is furthest ahead counts.
//!
//! Nests may be inside of loops, and the array may be written. A strip of rows then goes through all of them while it is in a cache:
//!
//! ```text
//! for (t) {
//!   for (i) for (j)      f[i][j] = g(x[i][j], f[i][j - 1]);
//!   for (i) for (j down) b[i][j] = g(x[i][j], b[i][j + 1]);        for (t) for (strips of i) { .. .. .. }
//!   for (i) for (j)      y[i][j] = f[i][j] + b[i][j];
//! }
//! ```
//!
//! A nest that does not access the array of the tiles may have other arrays in common with those that do: as here, where all are in tiles of
//! `f`. Parts of rows of an array that is written are no tiles: those of 512 columns took 1.1 to 1.2 times as long (tridiagonal
//! systems along columns, Zen 4), as their rows are short streams for a prefetcher.

use crate::analysis::levels;
use crate::analysis::linear::{affine_subscripts, linear_part};
use crate::analysis::nest::Nest;
use crate::analysis::satisfaction::is_weakly_satisfied;
use crate::cost::Model;
use crate::schedules::CLEARLY;
use crate::transform::{Transform, bands_around, function_of, has_band, in_sequence};
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
    /// The arrays that they fetch again, those that take most time first.
    arrays: Vec<Tuple>,
    /// Those of them that are written.
    written: Vec<Tuple>,
}

/// A subscript over the dimensions of a statement.
#[derive(Clone)]
struct Subscript {
    linear: Row,
    constant: Int,
}

/// The subscripts of each statement of a nest, where it has them.
type TileFunctions = IndexMap<Tuple, Vec<Option<Subscript>>>;

/// Whether nests in sequence that take so many cycles apart may gain by sharing what they fetch.
pub(crate) fn may_gain(model: &Model<'_>, nests: &[Vec<Tuple>], cycles: f64) -> bool {
    shared(model, nests, cycles, 1.0).is_some()
}

/// The nests of a tree that takes so many cycles, if sharing what they fetch may save a part of these that is worth while: those of
/// the outermost sequence.
pub(crate) fn worth_sharing(model: &Model<'_>, tree: &Tree, cycles: f64) -> Option<Nests> {
    let at = outermost_sequence(tree)?;
    let children = in_sequence(tree.at(&at)?);
    let nests: Vec<Vec<Tuple>> = children
        .iter()
        .filter(|child| has_band(&child.child))
        .map(statements)
        .collect();
    let loops = model.nests(&levels::of_tree(tree, model.program)?);
    let depth: usize = bands_around(tree, &at).map(Band::n).sum();
    let around = |nest: &Nest| nest.loops.iter().take(depth).map(|l| l.trips).product::<f64>();
    let rounds = loops.get(nests.first()?.first()?).map_or(1.0, around);
    let arrays = shared(model, &nests, cycles, rounds)?;
    let written = arrays.iter().filter(|array| model.is_written(array)).cloned().collect();
    Some(Nests {
        at,
        children,
        arrays,
        written,
    })
}

/// The sequence that has only bands around it.
fn outermost_sequence(tree: &Tree) -> Option<Path> {
    let mut path = Path::root();
    while let Some(Node::Band(_)) = tree.at(&path) {
        path = path.child(0);
    }
    matches!(tree.at(&path), Some(Node::Sequence(_) | Node::Set(_))).then_some(path)
}

/// The arrays by which nests that take so many cycles may gain, the most promising one first, if that is worth while. The nests are executed
/// so many `rounds`.
fn shared(model: &Model<'_>, nests: &[Vec<Tuple>], cycles: f64, rounds: f64) -> Option<Vec<Tuple>> {
    if nests.len() < 2 {
        return None;
    }
    let mut again: Vec<(Tuple, f64)> = model.fetched_again(nests).into_iter().collect();
    again.sort_by(|x, y| y.1.total_cmp(&x.1));
    let saved: f64 = again.iter().map(|(_, saved)| saved).sum();
    let is_worth_while = saved > 0.0 && cycles - rounds * saved < CLEARLY * cycles;
    is_worth_while.then(|| again.into_iter().map(|(array, _)| array).collect())
}

fn statements(nest: &Filter) -> Vec<Tuple> {
    nest.filter.sets().map(|set| set.tuple().clone()).collect()
}

/// Nests that may share loops over tiles.
struct Group {
    nests: Vec<usize>,
    /// The array that the tiles are of.
    array: Tuple,
    /// Those of all their statements.
    functions: TileFunctions,
    /// The subscripts that tiles may be along.
    subscripts: Vec<usize>,
}

/// A group of nests, and those of the others that go before and behind.
struct Grouped {
    before: Vec<usize>,
    group: Group,
    after: Vec<usize>,
}

/// A part of the sequence.
enum Part {
    Alone(usize),
    Together(Group),
}

impl Nests {
    /// The trees with loops over tiles around nests that may share them, and what was done: with tiles of whole rows, and of parts of
    /// rows.
    pub(crate) fn fused(
        &self,
        tree: &Tree,
        program: &Program,
        validity: &UnionMap,
        b: &Budget,
    ) -> Outcome<Vec<(Tree, Vec<Transform>)>> {
        let together = tree.reach(&self.at, b)?.together(b)?;
        let validity = validity.intersect(&together);
        let parts = self.parts((0..self.children.len()).collect(), program, &validity, b)?;
        let subscripts = |group: &Group, rows: bool| -> Vec<usize> {
            let all = group.subscripts.iter().copied();
            all.filter(|subscript| !rows || *subscript + 1 < group.array.n())
                .collect()
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
        let fused = shapes.iter().map(|shape| self.in_tiles(&parts, shape, tree, program));
        Ok(fused.collect())
    }

    /// These nests in an order in which those that may share loops are together. The most promising array decides first.
    fn parts(&self, nests: Vec<usize>, program: &Program, validity: &UnionMap, b: &Budget) -> Outcome<Vec<Part>> {
        for array in &self.arrays {
            let subscripts = |tuple: &Tuple| subscripts_of(program, tuple, array);
            for (position, first) in nests.iter().enumerate() {
                let Some(functions) = self.functions(*first, &subscripts, array.n()) else {
                    continue;
                };
                let (earlier, others) = (&nests[..position], &nests[position + 1..]);
                let grouped = self.group_from((*first, array, functions), others, program, validity, b)?;
                if let Some(Grouped { before, group, after }) = grouped {
                    let before = [earlier.to_vec(), before].concat();
                    let mut parts = self.parts(before, program, validity, b)?;
                    parts.push(Part::Together(group));
                    parts.extend(self.parts(after, program, validity, b)?);
                    return Ok(parts);
                }
            }
        }
        Ok(nests.into_iter().map(Part::Alone).collect())
    }

    /// The tile functions of the statements of a nest, some of which have such `subscripts`. The others, such as the one that sets a sum to
    /// zero, go with the loops of these.
    fn functions(
        &self,
        nest: usize,
        subscripts: &dyn Fn(&Tuple) -> Vec<Option<Subscript>>,
        n: usize,
    ) -> Option<TileFunctions> {
        let nest = &self.children[nest];
        if !has_band(&nest.child) {
            return None;
        }
        let own = |tuple: Tuple| (tuple.clone(), subscripts(&tuple));
        let mut functions: TileFunctions = statements(nest).into_iter().map(own).collect();
        let has_some = |own: &Vec<Option<Subscript>>| own.iter().any(Option::is_some);
        if !functions.values().any(has_some) {
            return None;
        }
        if let Node::Band(band) = &nest.child {
            for subscript in 0..n {
                let known = functions.iter();
                let known = known.filter_map(|(tuple, own)| Some((tuple.clone(), own[subscript].clone()?)));
                let known: Vec<(Tuple, Subscript)> = known.collect();
                for (tuple, own) in functions.iter_mut().filter(|(_, own)| own[subscript].is_none()) {
                    own[subscript] = along_with(band, tuple, &known);
                }
            }
        }
        Some(functions)
    }

    /// The tile functions of a nest by the array, or by other arrays that it has in common with nests whose functions are known.
    fn functions_with(
        &self,
        nest: usize,
        array: &Tuple,
        known: &TileFunctions,
        program: &Program,
    ) -> Option<TileFunctions> {
        let own = |tuple: &Tuple| subscripts_of(program, tuple, array);
        let by_others = |tuple: &Tuple| {
            let subscript = |subscript: usize| {
                let mut arrays = self.arrays.iter();
                arrays.find_map(|other| in_common(program, (tuple, other), known, subscript))
            };
            (0..array.n()).map(subscript).collect()
        };
        self.functions(nest, &own, array.n())
            .or_else(|| self.functions(nest, &by_others, array.n()))
    }

    /// The nests that may share loops with the first one, if there are some, and those of the others that go before and behind.
    fn group_from(
        &self,
        (first, array, mut functions): (usize, &Tuple, TileFunctions),
        others: &[usize],
        program: &Program,
        validity: &UnionMap,
        b: &Budget,
    ) -> Outcome<Option<Grouped>> {
        let rows_only = usize::from(self.written.contains(array));
        let mut subscripts: Vec<usize> = (0..array.n() - rows_only).collect();
        let (mut before, mut group, mut after) = (Vec::new(), vec![first], Vec::new());
        for nest in others {
            let own = match after.is_empty() {
                true => self.functions_with(*nest, array, &functions, program),
                false => None,
            };
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
        let group = Group {
            nests: group,
            array: array.clone(),
            functions,
            subscripts,
        };
        Ok((group.nests.len() > 1).then_some(Grouped { before, group, after }))
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
                    let sizes = sizes(&group.array, subscripts, program);
                    let statements: Vec<Tuple> = nests.iter().flat_map(statements).collect();
                    let tiles = tiles_of(group, subscripts, &sizes, program).with_child(Node::Sequence(nests));
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
}

/// The band of tiles along some subscripts. The least constant is taken off, so that a loop that starts at 0 and one over tiles of it have
/// the same tiles.
fn tiles_of(group: &Group, subscripts: &[usize], sizes: &[i64], program: &Program) -> Band {
    let params = program.context.params();
    let least = |subscript: usize| {
        let own = group.functions.values().filter_map(|own| own[subscript].as_ref());
        let constants = own.map(|subscript| &subscript.constant);
        constants.min().expect("a group has statements").clone()
    };
    let tile_function = |(tuple, of_statement): (&Tuple, &Vec<Option<Subscript>>)| {
        let space = SetSpace::new(params.clone(), tuple.clone());
        let affs = subscripts.iter().map(|subscript| {
            let least = Aff::constant(space.clone(), least(*subscript));
            let own = of_statement[*subscript].as_ref();
            own.expect("tiles are along subscripts of all statements")
                .aff(&space)
                .sub(&least)
        });
        MultiAff::new(space.clone(), Tuple::anonymous(subscripts.len()), affs.collect())
    };
    let functions = group.functions.iter().map(tile_function);
    let points = Band::of_functions(subscripts.len(), functions, Node::Leaf).with_permutable(true);
    points.tiled(sizes).with_isolation(Isolation::Nothing)
}

/// The sizes of tiles along some subscripts.
fn sizes(array: &Tuple, subscripts: &[usize], program: &Program) -> Vec<i64> {
    let n = array.n();
    let rows = (COLUMN / program.arrays[array].element_size).max(8) as i64;
    let size = |subscript: &usize| match (n, subscripts.contains(&(n - 1))) {
        (1, _) => LINE,
        (_, true) => SIZES[(n - 1 - subscript).min(SIZES.len() - 1)],
        (_, false) if *subscript == n - 2 => rows,
        (_, false) => 1,
    };
    subscripts.iter().map(size).collect()
}

impl Subscript {
    fn moved(&self, by: &Int) -> Subscript {
        Subscript {
            linear: self.linear.clone(),
            constant: &self.constant + by,
        }
    }

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

/// The subscripts of a statement's accesses to an array, if there are some.
fn subscripts_of(program: &Program, tuple: &Tuple, array: &Tuple) -> Vec<Option<Subscript>> {
    match furthest_subscripts(program, tuple, array) {
        Some(subscripts) => subscripts.into_iter().map(Some).collect(),
        None => vec![None; array.n()],
    }
}

/// A subscript of a statement that follows from accesses to another array: a statement with a known subscript accesses that by a function which
/// differs from it by a constant.
fn in_common(
    program: &Program,
    (tuple, array): (&Tuple, &Tuple),
    known: &TileFunctions,
    subscript: usize,
) -> Option<Subscript> {
    let own = furthest_subscripts(program, tuple, array)?;
    let others = known
        .iter()
        .filter_map(|(other, functions)| Some((other, functions[subscript].as_ref()?)));
    others
        .filter_map(|(other, function)| Some((furthest_subscripts(program, other, array)?, function)))
        .find_map(|(subscripts, function)| {
            let (position, same) = subscripts
                .iter()
                .enumerate()
                .find(|(_, same)| same.linear == function.linear)?;
            Some(own[position].moved(&(&function.constant - &same.constant)))
        })
}

/// The subscript of a statement that goes with a loop of a band as those that are `known` do: they are functions of that loop alone.
fn along_with(band: &Band, tuple: &Tuple, known: &[(Tuple, Subscript)]) -> Option<Subscript> {
    let of_member = |tuple: &Tuple, member: usize| {
        let function = function_of(band, tuple);
        let aff = &function.affs()[member];
        let n_params = aff.space().params.len();
        let has_params = (0..n_params).any(|param| !aff.param_coefficient(param).is_zero());
        let linear = linear_part(aff).filter(|_| !has_params)?;
        let constant = aff.constant_term().clone();
        Some(Subscript { linear, constant })
    };
    (0..band.n()).find_map(|member| {
        let mut shift = None;
        for (other, own) in known {
            let loops = of_member(other, member)?;
            let by = &own.constant - &loops.constant;
            if own.linear != loops.linear || shift.as_ref().is_some_and(|known| *known != by) {
                return None;
            }
            shift = Some(by);
        }
        Some(of_member(tuple, member)?.moved(&shift?))
    })
}

/// Whether tiles along a subscript may be executed in order.
fn is_ordered(functions: &TileFunctions, subscript: usize, validity: &UnionMap, b: &Budget) -> Outcome<bool> {
    let function = |(tuple, subscripts): (&Tuple, &Vec<Option<Subscript>>)| {
        let space = SetSpace::new(validity.params().clone(), tuple.clone());
        Some((tuple.clone(), subscripts[subscript].as_ref()?.aff(&space)))
    };
    match functions.iter().map(function).collect() {
        Some(functions) => is_weakly_satisfied(&functions, validity, b),
        None => Ok(false),
    }
}

fn depends(validity: &UnionMap, source: &Tuple, target: &Tuple) -> bool {
    validity
        .maps()
        .any(|map| map.domain_tuple() == source && map.range_tuple() == target)
}
