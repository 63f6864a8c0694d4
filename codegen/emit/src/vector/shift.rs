//! Values that lanes hand on from one iteration of the loop around them to later ones.
//!
//! In wavefronts, a row of lanes goes through an array like a comb: lane `l` is `2l` columns behind lane 0. What a lane reads was
//! mostly accessed by the lane itself, or by its neighbour, some iterations before:
//!
//! ```text
//! A[i][j] = f(A[i - 1][j + 1], A[i][j - 1])     lane l in iteration s:  i = r + l, j = s - 2l
//!   A[i][j - 1]       what lane l wrote in iteration s - 1                  its register
//!   A[i - 1][j + 1]   what lane l - 1 wrote in iteration s - 1              the register, shifted by a lane
//! ```
//!
//! Along the strip of all vectors, lane `l` of vector `q` is lane `q * L + l`. If the subscripts of all accesses to an array move
//! alike, and in two dimensions, two accesses meet at one distance only: `X(l, s) = Y(l - a, s - b)`. The *source* of a read is
//! the access that met its element last. No write to it is between them: that would have met it later. So the value is what the
//! source had, shifted by `a` lanes. Lanes whose source is in another strip load from memory.
//!
//! Sources are in vectors on the stack, which SROA makes registers, one for each of the iterations that their values are used in.
//! Before the loop these hold what readers in its first iterations would load.
//!
//! Buffers that take turns are handed on by their [unfolded](farkas_polyhedral::program::Program::unfolded) subscripts.
//!
//! Under conditions, an access has what it accesses in some lanes only, so that it is no source, and an array that is stored to under
//! a condition is not handed on. What is read under a condition may not be loaded before the loop: as long as a source is from before
//! it, in the first iterations, such reads are from memory.

use std::cell::{Cell, RefCell};

use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::values::{PointerValue, VectorValue};
use farkas_llvm::scop_ir::ArrayId;
use farkas_llvm::value::Value;
use farkas_polyhedral::ast::{IterId, Quasi};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::Name;
use farkas_polyhedral::tree::Mark;
use indexmap::IndexMap;

use super::accesses::Access;
use super::lanes::vector_of;
use super::{PrivateCopies, Widened, block, stride};
use crate::arith::BUILDS;
use crate::subscripts::Subscripts;

/// An access of a statement in the body of the loop: the same one in all vectors of the strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct AccessId(usize);

/// The source of a read: what this access had `iterations` before, `lanes` lanes further down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) access: AccessId,
    pub(super) lanes: i64,
    pub(super) iterations: i64,
}

/// A lane of a register that is loaded before the loop: the reader that would load it, `ahead` iterations later.
#[derive(Clone, Copy)]
pub(super) struct Prefetch<'a> {
    pub(super) ahead: i64,
    pub(super) reader: Access<'a>,
    /// The vector and the lane of the reader.
    pub(super) vector: usize,
    pub(super) lane: u32,
    pub(super) register: PointerValue<'a>,
    /// The lane in the register.
    pub(super) to: u32,
    statement: usize,
}

/// An access to an array whose elements are handed on.
struct Known<'a> {
    /// The position of its statement in the body.
    statement: usize,
    access: Access<'a>,
    writes: bool,
    array: ArrayId,
    path: Path,
    /// Whether some instances do not make it.
    is_governed: bool,
    source: Option<Source>,
    /// The iterations for which its values are kept.
    depth: i64,
}

/// How the subscripts of an access move.
#[derive(Clone, Debug, PartialEq)]
struct Path {
    /// Those of lane 0 of the strip, parameters apart.
    start: Vec<Quasi>,
    params: Vec<Vec<(Name, Int)>>,
    along_lanes: Vec<i64>,
    along_loop: Vec<i64>,
}

/// What the statements in the body of a loop hand on.
pub(super) struct Shifts<'a> {
    lanes: u32,
    vectors: usize,
    known: Vec<Known<'a>>,
    /// By access, vector, and age in iterations.
    registers: IndexMap<(AccessId, usize, i64), PointerValue<'a>>,
    /// The values of the iteration at hand.
    current: RefCell<IndexMap<(AccessId, usize), VectorValue<'a>>>,
    /// Whether sources may be from before the loop.
    is_start: Cell<bool>,
}

/// The place of a statement in the body: its position, and that of its vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    statement: usize,
    pub(super) vector: usize,
}

impl<'a> Shifts<'a> {
    /// What is handed on along the loop over `iter`, with this in its body, of the arrays that `array_of` has for originals; and the
    /// place of each statement. `None` if that is nothing.
    pub(super) fn of(
        body: &[Widened<'_, '_, 'a, '_>],
        iter: IterId,
        array_of: &dyn Fn(Value<'a>) -> Option<ArrayId>,
        subscripts: &Subscripts<'a>,
        private: &PrivateCopies<'a>,
    ) -> Option<(Self, Vec<Place>)> {
        let first = body.first()?;
        let places = places(body)?;
        let vectors = 1 + places.iter().map(|place| place.vector).max()?;
        let mut known: Vec<Known<'a>> = Vec::new();
        for (one, place) in body.iter().zip(&places) {
            let paths = accesses(one, iter, first.lower.as_quasi()?, array_of, subscripts)?;
            match place.vector {
                0 => known.extend(paths.into_iter().map(|(access, writes, array, path)| Known {
                    statement: place.statement,
                    is_governed: one.forms.conditions.govern_access(&access),
                    access,
                    writes,
                    array,
                    path,
                    source: None,
                    depth: 0,
                })),
                // The same accesses, further down the lanes.
                _ => {
                    let same = known.iter().filter(|known| known.statement == place.statement);
                    if !same.map(|known| &known.path).eq(paths.iter().map(|(.., path)| path)) {
                        return None;
                    }
                }
            }
        }
        known = uniform(known);
        find_sources(&mut known, i64::from(first.lanes));
        let mut registers = IndexMap::new();
        for (position, own) in known.iter().enumerate() {
            let ty = vector_of(own.access.ty.inkwell().expect("a first-class type"), first.lanes);
            for vector in 0..vectors {
                for age in 1..=own.depth {
                    let register = private.register(ty, "farkas.shifted");
                    registers.insert((AccessId(position), vector, age), register);
                }
            }
        }
        let any = known.iter().any(|own| own.source.is_some());
        let shifts = Shifts {
            lanes: first.lanes,
            vectors,
            known,
            registers,
            current: RefCell::default(),
            is_start: Cell::new(false),
        };
        any.then_some((shifts, places))
    }

    fn find(&self, place: Place, access: &Access<'a>, writes: bool) -> Option<AccessId> {
        let own = |known: &Known<'a>| {
            known.statement == place.statement && known.access.original == access.original && known.writes == writes
        };
        self.known.iter().position(own).map(AccessId)
    }

    /// The access that a source is.
    pub(super) fn access(&self, id: AccessId) -> Access<'a> {
        self.known[id.0].access
    }

    /// The number of vectors in the strip.
    pub(super) fn vectors(&self) -> usize {
        self.vectors
    }

    /// Where the value of a read comes from.
    pub(super) fn source(&self, place: Place, access: &Access<'a>) -> Option<Source> {
        let reader = &self.known[self.find(place, access, false)?.0];
        reader.source.filter(|_| !(reader.is_governed && self.is_start.get()))
    }

    /// The iterations in which reads under conditions are from memory.
    pub(super) fn first_iterations(&self) -> i64 {
        let readers = self.known.iter().filter(|reader| reader.is_governed);
        let sources = readers.filter_map(|reader| reader.source);
        sources.map(|source| source.iterations).max().unwrap_or(0)
    }

    /// Says whether the iterations that follow are the first ones.
    pub(super) fn set_start(&self, is_start: bool) {
        self.is_start.set(is_start);
    }

    /// What a read has loaded in the iteration at hand, if it has.
    pub(super) fn loaded(&self, place: Place, access: &Access<'a>) -> Option<VectorValue<'a>> {
        self.value(self.find(place, access, false)?, place.vector)
    }

    /// What an access has in a vector in the iteration at hand.
    pub(super) fn value(&self, access: AccessId, vector: usize) -> Option<VectorValue<'a>> {
        self.current.borrow().get(&(access, vector)).copied()
    }

    /// Where the value is that an access had so many iterations ago.
    pub(super) fn register(&self, access: AccessId, vector: usize, age: i64) -> PointerValue<'a> {
        self.registers[&(access, vector, age)]
    }

    /// Takes note of what an access has in the iteration at hand.
    pub(super) fn note(&self, place: Place, access: &Access<'a>, writes: bool, value: VectorValue<'a>) {
        if let Some(id) = self.find(place, access, writes) {
            self.current.borrow_mut().insert((id, place.vector), value);
        }
    }

    /// Ends an iteration: all values grow older.
    pub(super) fn advance(&self, builder: &Builder<'a>) {
        for (position, own) in self.known.iter().enumerate() {
            let id = AccessId(position);
            let ty = vector_of(own.access.ty.inkwell().expect("a first-class type"), self.lanes);
            for vector in 0..self.vectors {
                for age in (1..=own.depth).rev() {
                    let value = match age {
                        1 => self.value(id, vector).expect("every access of the body is emitted"),
                        _ => {
                            let younger = self.register(id, vector, age - 1);
                            builder.build_load(ty, younger, "").expect(BUILDS).into_vector_value()
                        }
                    };
                    builder
                        .build_store(self.register(id, vector, age), value)
                        .expect(BUILDS);
                }
            }
        }
        self.current.borrow_mut().clear();
    }

    /// What is loaded before the loop. A value that an access had `age` iterations before the first one goes to readers in the
    /// first iterations: the first one of these would load it, from an address that it accesses if the loop has that many.
    pub(super) fn prefetches(&self) -> Vec<Prefetch<'a>> {
        let lanes = i64::from(self.lanes);
        let strip = lanes * self.vectors as i64;
        let mut prefetches = Vec::new();
        for ((id, vector, age), register) in &self.registers {
            for lane in 0..lanes {
                let from = *vector as i64 * lanes + lane;
                let certain = self.known.iter().filter(|reader| !reader.is_governed);
                let readers = certain.filter_map(|reader| {
                    let source = reader.source.filter(|source| source.access == *id)?;
                    let to = from + source.lanes;
                    let is_read = source.iterations >= *age && (0..strip).contains(&to);
                    is_read.then_some((source.iterations - age, to, reader))
                });
                if let Some((ahead, to, reader)) = readers.min_by_key(|(ahead, ..)| *ahead) {
                    prefetches.push(Prefetch {
                        ahead,
                        reader: reader.access,
                        vector: (to / lanes) as usize,
                        lane: (to % lanes) as u32,
                        register: *register,
                        to: lane as u32,
                        statement: reader.statement,
                    });
                }
            }
        }
        prefetches
    }
}

impl Prefetch<'_> {
    /// Whether the reader is the statement at this place.
    pub(super) fn is_at(&self, place: Place) -> bool {
        self.statement == place.statement && self.vector == place.vector
    }
}

/// The place of each statement in the body: the vectors of a strip follow each other, each with the same statements.
fn places(body: &[Widened<'_, '_, '_, '_>]) -> Option<Vec<Place>> {
    let first = body.first()?;
    let lanes = i64::from(first.lanes);
    let mut names: Vec<&str> = Vec::new();
    let mut places: Vec<Place> = Vec::new();
    for one in body {
        let mut distance = one.lower.as_quasi()?.clone();
        distance.add_scaled(&-&Int::ONE, first.lower.as_quasi()?);
        let distance = distance.as_constant()?.to_i64()?;
        if one.lanes != first.lanes || distance < 0 || distance % lanes != 0 {
            return None;
        }
        let vector = (distance / lanes) as usize;
        let name = one.forms.statement.name.as_str();
        let statement = match (vector, names.iter().position(|own| *own == name)) {
            (_, Some(statement)) => statement,
            (0, None) => {
                names.push(name);
                names.len() - 1
            }
            _ => return None,
        };
        let place = Place { statement, vector };
        // Vectors come in order, with all statements in the order of those of the first one.
        let position = places.len();
        if places.contains(&place) || vector > 0 && position != vector * names.len() + statement {
            return None;
        }
        places.push(place);
    }
    places.len().is_multiple_of(names.len()).then_some(places)
}

type OnPath<'a> = (Access<'a>, bool, ArrayId, Path);

/// The accesses of a statement to these arrays, in the order in which they are emitted; `start` is the first lane of the strip.
fn accesses<'a>(
    one: &Widened<'_, '_, 'a, '_>,
    iter: IterId,
    start: &Quasi,
    array_of: &dyn Fn(Value<'a>) -> Option<ArrayId>,
    subscripts: &Subscripts<'a>,
) -> Option<Vec<OnPath<'a>>> {
    if start.mentions(iter) {
        return None;
    }
    let name = one.forms.statement.name.as_str();
    let mut found = Vec::new();
    for (access, writes) in block::accesses(&one.forms) {
        let Some(array) = array_of(access.original) else {
            continue;
        };
        let own = subscripts.get(name, access.original, writes)?;
        let mut path = Path {
            start: Vec::new(),
            params: own.iter().map(|subscript| subscript.params.clone()).collect(),
            along_lanes: Vec::new(),
            along_loop: Vec::new(),
        };
        for subscript in own {
            let mut value = Quasi::constant(subscript.constant.clone());
            let (mut along_lanes, mut along_loop) = (0, 0);
            for (factor, argument) in subscript.dims.iter().zip(&one.call.arguments) {
                if factor.is_zero() {
                    continue;
                }
                let small = factor.to_i64()?;
                along_lanes += small.checked_mul(stride(argument, one.iter)?)?;
                along_loop += small.checked_mul(stride(argument, iter)?)?;
                value.add_scaled(factor, argument.as_quasi()?);
            }
            // In lane 0 of the strip.
            value.add_scaled(&Int::from(-along_lanes), &Quasi::iter(one.iter));
            value.add_scaled(&Int::from(along_lanes), start);
            path.start.push(value);
            path.along_lanes.push(along_lanes);
            path.along_loop.push(along_loop);
        }
        found.push((access, writes, array, path));
    }
    Some(found)
}

impl Path {
    /// By how many lanes and iterations another access to the array is ahead where both meet: `(a, b)` if this one in lane `l`
    /// and iteration `s` accesses what the other one does in `l - a` and `s - b`. `Some(None)` if they never meet, `None` if
    /// nothing is known.
    fn distance(&self, other: &Path) -> Option<Option<(i64, i64)>> {
        let alike = self.params == other.params
            && self.along_lanes == other.along_lanes
            && self.along_loop == other.along_loop
            && self.start.len() == other.start.len();
        if !alike {
            return None;
        }
        let mut ahead: Vec<i64> = Vec::new();
        for (own, other) in self.start.iter().zip(&other.start) {
            let mut difference = other.clone();
            difference.add_scaled(&-&Int::ONE, own);
            ahead.push(difference.as_constant()?.to_i64()?);
        }
        solve(&self.along_lanes, &self.along_loop, &ahead)
    }
}

/// The integers `a` and `b` with `a * x + b * y = sum`. `None` if `x` and `y` are in one direction, `Some(None)` if there are none.
fn solve(x: &[i64], y: &[i64], sum: &[i64]) -> Option<Option<(i64, i64)>> {
    let minor = |u: &[i64], v: &[i64], i: usize, j: usize| {
        i128::from(u[i]) * i128::from(v[j]) - i128::from(u[j]) * i128::from(v[i])
    };
    let pairs = (0..x.len()).flat_map(|i| (i + 1..x.len()).map(move |j| (i, j)));
    let (i, j) = pairs.into_iter().find(|(i, j)| minor(x, y, *i, *j) != 0)?;
    let of_pair = minor(x, y, i, j);
    let (a, b) = (minor(sum, y, i, j), minor(x, sum, i, j));
    if a % of_pair != 0 || b % of_pair != 0 {
        return Some(None);
    }
    let (a, b) = (a / of_pair, b / of_pair);
    let fits = (0..x.len()).all(|k| a * i128::from(x[k]) + b * i128::from(y[k]) == i128::from(sum[k]));
    let narrow = i64::try_from(a).ok().zip(i64::try_from(b).ok());
    Some(narrow.filter(|_| fits))
}

/// The accesses to arrays of which the distance between any two is known, and that are stored to in any case.
fn uniform(known: Vec<Known<'_>>) -> Vec<Known<'_>> {
    let is_known = |array: ArrayId| {
        let mut own = known.iter().filter(|one| one.array == array);
        let first = own.next().expect("an access to the array");
        let is_apart = |one: &Known<'_>| one.path.distance(&first.path).is_some() && !(one.writes && one.is_governed);
        is_apart(first) && own.all(is_apart)
    };
    let mut arrays: IndexMap<ArrayId, bool> = known.iter().map(|one| (one.array, false)).collect();
    arrays.iter_mut().for_each(|(array, known)| *known = is_known(*array));
    known.into_iter().filter(|one| arrays[&one.array]).collect()
}

/// Finds the source of each read.
fn find_sources(known: &mut [Known<'_>], lanes: i64) {
    for reader in 0..known.len() {
        let Some(source) = source(known, reader) else { continue };
        let is_near = source.lanes.abs() < lanes && source.iterations <= Mark::SHIFTED_ITERATIONS;
        if is_near && known[source.access.0].access.ty == known[reader].access.ty {
            known[reader].source = Some(source);
            let depth = &mut known[source.access.0].depth;
            *depth = source.iterations.max(*depth);
        }
    }
}

/// The access that met the element of a read last. Of accesses in the iteration at hand, those before it in the same lane, and loads
/// of the statement in lanes further down, which are made earlier, or may be.
fn source(known: &[Known<'_>], reader: usize) -> Option<Source> {
    let own = &known[reader];
    if own.writes {
        return None;
    }
    let others = known.iter().enumerate().filter(|(_, other)| other.array == own.array);
    let certain = others.filter(|(_, other)| !other.is_governed);
    let sources = certain.filter_map(|(position, other)| {
        let (lanes, iterations) = own.path.distance(&other.path)??;
        let is_earlier = match (iterations, lanes) {
            (0, 0) => position < reader,
            (0, _) => lanes > 0 && !other.writes && other.statement == own.statement,
            _ => iterations > 0,
        };
        is_earlier.then_some(Source {
            access: AccessId(position),
            lanes,
            iterations,
        })
    });
    sources.min_by_key(|source| {
        (
            source.iterations,
            source.lanes.abs(),
            std::cmp::Reverse(source.access.0),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::solve;

    #[test]
    fn distances() {
        // Lane l is in row l, and 2l columns behind.
        let distance = |rows, columns| solve(&[1, -2], &[0, 1], &[rows, columns]);
        assert_eq!(distance(0, 1), Some(Some((0, 1))));
        assert_eq!(distance(1, -1), Some(Some((1, 1))));
        assert_eq!(distance(-1, 2), Some(Some((-1, 0))));
        assert_eq!(solve(&[1, 0], &[0, 2], &[0, 1]), Some(None));
        assert_eq!(solve(&[1, 0, 1], &[0, 1, 0], &[1, 1, 0]), Some(None));
        assert_eq!(solve(&[1, -1], &[-1, 1], &[0, 0]), None);
        assert_eq!(solve(&[1], &[1], &[0]), None);
    }
}
