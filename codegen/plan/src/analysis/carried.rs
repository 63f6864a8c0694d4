//! Which loops carry a dependence.
//!
//! A dependence is carried by a loop if some pair of its instances is in the same iteration of all loops around it and
//! in different iterations of the loop itself. A loop without such a pair can be vectorized.
//!
//! Loops over tiles that are around the loop are taken to hold instances whose point functions differ by less than the
//! size of a tile. That is a superset of the pairs, so that a loop is never taken for parallel by mistake.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::{Row, zeros};
use farkas_polyhedral::program::{AccessKind, Program};
use farkas_polyhedral::sets::{Aff, Conj, Map, Tuple, UnionMap};
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use std::cell::RefCell;
use std::collections::HashMap;

use super::levels::{Level, Levels, LoopId};
use super::read_ahead::compares_distances;

/// Dependences, and what was found out about the loops that carry them.
pub(crate) struct Carried<'a> {
    program: &'a Program,
    dependences: Vec<&'a Map>,
    /// By dependence and levels. Candidates of one program share most of them.
    known: RefCell<HashMap<Pairs, bool>>,
    /// By two statements and levels: whether they share iterations.
    shared: RefCell<HashMap<Sharing, bool>>,
    /// By such dependences, and the number of pairs that are a chain.
    chained: RefCell<HashMap<(OnItself, usize), bool>>,
    /// By dependence of a statement on itself: whether it hands on values.
    handing_on: RefCell<HashMap<usize, bool>>,
}

/// A dependence by its position, the levels that its ends share, and their distance in the last of these.
type Pairs = (usize, Vec<Move>, Distance);

/// Two statements, and the levels that they share.
type Sharing = (Tuple, Tuple, Vec<Move>);

/// The dependences of a statement on itself by their positions, each with the levels around it.
type OnItself = Vec<(usize, Vec<Move>)>;

/// How far apart the ends of a pair are in a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Distance {
    /// They are in the same iteration.
    Zero,
    /// They are in different ones.
    Other,
}

/// What a level does to the pairs of a dependence.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Move {
    /// The distance between the point functions of a pair, over the variables of the dependence.
    distance: Row,
    /// How many values of the point function one iteration spans.
    size: i64,
}

impl<'a> Carried<'a> {
    pub(crate) fn new(program: &'a Program, dependences: &'a UnionMap) -> Self {
        Carried {
            program,
            shared: RefCell::default(),
            chained: RefCell::default(),
            handing_on: RefCell::default(),
            dependences: dependences.maps().collect(),
            known: RefCell::default(),
        }
    }

    /// The statements that the dependences carried by the loop serialize: those that depend on themselves, and those on a cycle
    /// of dependences within iterations and between them. Dependences from one statement to another one only serialize neither.
    pub(crate) fn serialized(&self, id: LoopId, levels: &Levels, b: &Budget) -> Outcome<Vec<Tuple>> {
        let carried = self.pairs(id, levels, Distance::Other, b)?;
        let mut serialized: Vec<Tuple> = Vec::new();
        let (own, others): (Vec<_>, Vec<_>) = carried.into_iter().partition(|(source, sink)| source == sink);
        serialized.extend(own.into_iter().map(|(source, _)| source));
        if others.is_empty() {
            return Ok(serialized);
        }
        let mut edges = self.pairs(id, levels, Distance::Zero, b)?;
        edges.extend(others.iter().cloned());
        let mut graph = DiGraphMap::<usize, ()>::new();
        let position = |tuple: &Tuple| levels.get_index_of(tuple).expect("a statement with levels");
        for (source, sink) in &edges {
            graph.add_edge(position(source), position(sink), ());
        }
        for component in tarjan_scc(&graph) {
            let inside = |tuple: &Tuple| component.contains(&position(tuple));
            if others.iter().any(|(source, sink)| inside(source) && inside(sink)) {
                serialized.extend(
                    component
                        .iter()
                        .map(|p| levels.get_index(*p).expect("a position").0.clone()),
                );
            }
        }
        Ok(serialized)
    }

    /// Whether the loop carries no dependence.
    pub(crate) fn carries_none(&self, id: LoopId, levels: &Levels, b: &Budget) -> Outcome<bool> {
        Ok(self.pairs(id, levels, Distance::Other, b)?.is_empty())
    }

    /// Whether the dependences of a statement on itself that the loop, of so many iterations, carries are a chain from iteration to
    /// iteration. In `d[i][j] = min(d[i][j], d[i][k] + d[k][j])`, all iterations of `j` behind the one for `j = k` wait for that one only.
    pub(crate) fn is_chain(
        &self,
        (id, trips): (LoopId, f64),
        tuple: &Tuple,
        levels: &Levels,
        b: &Budget,
    ) -> Outcome<bool> {
        let pairs = (1..CHAIN).find(|pairs| *pairs as f64 + 1.0 >= trips).unwrap_or(CHAIN);
        let own = &levels[tuple];
        let Some(position) = own
            .iter()
            .filter(|level| !level.unrolled)
            .position(|level| level.id == id)
        else {
            return Ok(false);
        };
        let around = common(own, own);
        let mut key: OnItself = Vec::new();
        for (index, dependence) in self.dependences.iter().enumerate() {
            let is_own = dependence.domain_tuple() == tuple && dependence.range_tuple() == tuple;
            if is_own && self.hands_on(index, b)? {
                key.push((index, moves(dependence, &around[..=position])));
            }
        }
        let key = (key, pairs);
        if let Some(known) = self.chained.borrow().get(&key) {
            return Ok(*known);
        }
        let mut carried = Vec::new();
        for (index, moves) in &key.0 {
            let (last, outer) = moves.split_last().expect("the loop itself");
            let pairs = together(self.dependences[*index], outer);
            carried.push(pairs.intersect(&carried_in_direction(self.dependences[*index], last, 1)));
        }
        let found = has_chain(&carried, pairs, b)?;
        self.chained.borrow_mut().insert(key, found);
        Ok(found)
    }

    /// The statements that share iterations of a loop with others, in a schedule tree that does not mark the loop as
    /// carrying nothing: LLVM would have to find that out of the addresses of all of them, and mostly does not.
    pub(crate) fn tangled(&self, id: LoopId, tuples: &[Tuple], levels: &Levels, b: &Budget) -> Outcome<Vec<Tuple>> {
        let mut tangled: Vec<Tuple> = Vec::new();
        for (position, one) in tuples.iter().enumerate() {
            let marked = levels[one].iter().any(|level| level.id == id && level.coincident);
            for other in tuples.iter().skip(position + 1).filter(|_| !marked) {
                if self.share_iterations(one, other, levels, b)? {
                    tangled.extend([one.clone(), other.clone()]);
                }
            }
        }
        Ok(tangled)
    }

    /// Whether the statements have instances in the same iteration of all their loops.
    fn share_iterations(&self, one: &Tuple, other: &Tuple, levels: &Levels, b: &Budget) -> Outcome<bool> {
        let domain = |tuple: &Tuple| {
            let statement = self.program.find_statement(tuple).expect("a statement of the program");
            &self.program.statement(statement).domain
        };
        let pairs = Map::from_domain_and_range(domain(one), domain(other));
        let mut moves: Vec<Move> = Vec::new();
        for (before, after) in common(&levels[one], &levels[other]) {
            moves.push(Move {
                distance: distance(&pairs, &before.point, &after.point),
                size: before.size,
            });
        }
        if moves.is_empty() {
            return Ok(false);
        }
        let key = (one.clone(), other.clone(), moves);
        if let Some(known) = self.shared.borrow().get(&key) {
            return Ok(*known);
        }
        let found = has_pair(&pairs, &key.2, Distance::Zero, b)?;
        self.shared.borrow_mut().insert(key, found);
        Ok(found)
    }

    /// The dependences with pairs in the same iteration of all loops around this one, at some distance in it: pairs of
    /// statements.
    fn pairs(&self, id: LoopId, levels: &Levels, at: Distance, b: &Budget) -> Outcome<Vec<(Tuple, Tuple)>> {
        let mut carried = Vec::new();
        for (index, dependence) in self.dependences.iter().enumerate() {
            let (source, sink) = (dependence.domain_tuple(), dependence.range_tuple());
            let ends = (levels.get(source), levels.get(sink));
            let (Some(before), Some(after)) = ends else { continue };
            let common = common(before, after);
            let Some(position) = common.iter().position(|(level, _)| level.id == id) else {
                continue;
            };
            if self.has_pair(index, &common[..=position], at, b)? {
                carried.push((source.clone(), sink.clone()));
            }
        }
        Ok(carried)
    }

    /// Whether the sinks of a dependence of a statement on itself may read what the sources write: one that only keeps writes behind what they
    /// overwrite lets nothing wait for a value.
    fn hands_on(&self, index: usize, b: &Budget) -> Outcome<bool> {
        if let Some(known) = self.handing_on.borrow().get(&index) {
            return Ok(*known);
        }
        let dependence = self.dependences[index];
        let id = self.program.find_statement(dependence.domain_tuple());
        let accesses = &self.program.statement(id.expect("a statement of the program")).accesses;
        let mut found = false;
        for write in accesses.iter().filter(|access| access.kind != AccessKind::Read) {
            let reads = accesses.iter().filter(|access| access.kind == AccessKind::Read);
            for read in reads.filter(|read| read.array() == write.array()) {
                let pairs = write.relation.apply_range(&read.relation.reverse(), b)?;
                found = found || !pairs.intersect(dependence).is_empty(b)?;
            }
        }
        self.handing_on.borrow_mut().insert(index, found);
        Ok(found)
    }

    /// Whether some pair is in the same iteration of all levels but the last, and at that distance in the last.
    fn has_pair(&self, index: usize, levels: &[(&Level, &Level)], at: Distance, b: &Budget) -> Outcome<bool> {
        let dependence = self.dependences[index];
        let key = (index, moves(dependence, levels), at);
        if let Some(known) = self.known.borrow().get(&key) {
            return Ok(*known);
        }
        let found = has_pair(dependence, &key.1, at, b)?;
        self.known.borrow_mut().insert(key, found);
        Ok(found)
    }
}

/// The anti dependences that keep the iterations of a loop waiting for each other, if these are not all. A statement reads before it
/// writes, so that in vectors of iterations, too, it reads what a later iteration overwrites: `a[i] = a[i] + a[i + 1]` waits for nothing.
/// LLVM sees that where the distance is constant, and where it [compares distances](compares_distances).
pub(crate) fn serializing_anti(program: &Program, anti: &UnionMap, b: &Budget) -> Outcome<Option<UnionMap>> {
    let mut rest = UnionMap::empty(anti.params().clone());
    let mut is_less = false;
    for map in anti.maps() {
        let is_own = map.domain_tuple() == map.range_tuple();
        match is_own && (compares_distances(program, map.domain_tuple()) || has_constant_distance(map, b)?) {
            true => is_less = true,
            false => rest.add(map),
        }
    }
    Ok(is_less.then_some(rest))
}

/// Whether all pairs of a relation have the same difference.
fn has_constant_distance(map: &Map, b: &Budget) -> Outcome<bool> {
    let n_params = map.params().len();
    let n = map.range_tuple().n();
    let hull = map.deltas(b)?.affine_hull(b)?;
    let on_dims =
        |row: &Row| row[1..=n_params].iter().all(Int::is_zero) && row[1 + n_params + n..].iter().all(Int::is_zero);
    let fixes = |piece: &Conj| piece.eqs().iter().filter(|row| on_dims(row)).count() == n;
    Ok(hull.pieces().iter().all(fixes))
}

/// What levels do to the pairs of a dependence.
fn moves(dependence: &Map, levels: &[(&Level, &Level)]) -> Vec<Move> {
    let of_level = |(before, after): &(&Level, &Level)| Move {
        distance: distance(dependence, &before.point, &after.point),
        size: before.size,
    };
    without_implied(levels.iter().map(of_level).collect())
}

/// Pairs that follow each other are a chain if there are so many, or as many as a shorter loop has.
const CHAIN: usize = 3;

/// Whether so many pairs follow each other, each beginning where the one before it ends.
fn has_chain(relations: &[Map], pairs: usize, b: &Budget) -> Outcome<bool> {
    let mut reached: Vec<Map> = relations.to_vec();
    for _ in 1..pairs {
        let mut next = Vec::new();
        for before in &reached {
            let ends = before.range(b)?;
            next.extend(relations.iter().map(|relation| relation.intersect_domain(&ends)));
        }
        reached.clear();
        for relation in next {
            if !relation.is_empty(b)? {
                reached.push(relation);
            }
        }
    }
    Ok(!reached.is_empty())
}

/// The moves without those of tiles around points: a pair in the same iteration of a loop over points is in the same tile.
fn without_implied(moves: Vec<Move>) -> Vec<Move> {
    let last = moves.len() - 1;
    let is_point = |one: &Move| {
        moves[..last]
            .iter()
            .any(|other| other.size == 1 && other.distance == one.distance)
    };
    let implied = |(position, one): &(usize, &Move)| *position < last && one.size > 1 && is_point(one);
    let kept = moves.iter().enumerate().filter(|entry| !implied(entry));
    kept.map(|(_, one)| one.clone()).collect()
}

/// Whether some pair has less than a size as distance in all levels but the last, and this distance in the last.
fn has_pair(dependence: &Map, moves: &[Move], at: Distance, b: &Budget) -> Outcome<bool> {
    let (last, outer) = moves.split_last().expect("the loop itself");
    let pairs = together(dependence, outer);
    if at == Distance::Zero {
        let mut same = Conj::universe(dependence.space().n_vars());
        same.add_eq(last.distance.clone());
        let pairs = pairs.intersect(&Map::from_conj(dependence.space().clone(), same));
        return Ok(!pairs.is_empty(b)?);
    }
    for sign in [1, -1] {
        if !pairs
            .intersect(&carried_in_direction(dependence, last, sign))
            .is_empty(b)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The pairs that have less than a size as distance in each of these levels.
fn together(dependence: &Map, moves: &[Move]) -> Map {
    let mut together = Conj::universe(dependence.space().n_vars());
    for Move { distance, size } in moves {
        match size {
            1 => together.add_eq(distance.clone()),
            size => {
                together.add_ineq(shifted(distance.clone(), size - 1));
                together.add_ineq(shifted(distance.iter().map(|x| -x).collect(), size - 1));
            }
        }
    }
    dependence.intersect(&Map::from_conj(dependence.space().clone(), together))
}

/// Pairs in the space of a dependence whose second is in a later iteration of a level, or in an earlier one for `sign` -1.
fn carried_in_direction(dependence: &Map, level: &Move, sign: i64) -> Map {
    let mut carried = Conj::universe(dependence.space().n_vars());
    let row: Row = level.distance.iter().map(|x| x * &Int::from(sign)).collect();
    carried.add_ineq(shifted(row, -1));
    Map::from_conj(dependence.space().clone(), carried)
}

/// The levels that both statements have, outermost first, and are not unrolled.
fn common<'l>(before: &'l [Level], after: &'l [Level]) -> Vec<(&'l Level, &'l Level)> {
    let same = |(x, y): &(&Level, &Level)| x.id == y.id;
    let pairs = before.iter().zip(after).take_while(same);
    pairs.filter(|(x, _)| !x.unrolled).collect()
}

/// The row of `after(sink) - before(source)` over the variables of the dependence.
fn distance(dependence: &Map, before: &Aff, after: &Aff) -> Row {
    let params = dependence.params();
    let (n_params, n_source) = (params.len(), dependence.domain_tuple().n());
    let mut row = zeros(1 + dependence.space().n_vars());
    for (function, sign, first) in [(before, -1, 1 + n_params), (after, 1, 1 + n_params + n_source)] {
        let sign = Int::from(sign);
        let own = function.align_params(&params.union(&function.space().params));
        row[0].add_mul(&sign, own.constant_term());
        for (param, name) in own.space().params.names().iter().enumerate() {
            if let Some(position) = params.position_of(name) {
                row[1 + position].add_mul(&sign, own.param_coefficient(param));
            }
        }
        for dim in 0..own.space().tuple.n() {
            row[first + dim].add_mul(&sign, own.coefficient(dim));
        }
    }
    row
}

fn shifted(mut row: Row, by: i64) -> Row {
    row[0] += &Int::from(by);
    row
}
