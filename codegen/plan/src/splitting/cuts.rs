//! Cuts along innermost loops: candidates by pairs of accesses, and those that are worth it by dependences.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::{Row, dot};
use farkas_polyhedral::program::{Access, AccessKind, ArrayKind, Program, Statement};
use farkas_polyhedral::sets::{Aff, Map, MultiAff, PwMultiAff, Set, SetSpace, Tuple, UnionMap};
use std::slice;

use crate::analysis::linear::{Statements, affine_subscripts, direction, linear_part};

/// The largest number of cuts of a loop: each combination of sides may be a piece.
const MOST_CUTS: usize = 2;

/// An innermost loop with the cuts that may be worth it.
#[derive(Clone, Debug)]
pub(crate) struct Cuts {
    /// The statements in the loop. Their schedule functions are the same, as far as the loop.
    pub(super) statements: Vec<Tuple>,
    /// The functions of the schedule down to the loop, on the first of the statements.
    functions: Vec<Aff>,
    /// The cuts `{ x : f(x) = 0 }` of the first statement's instances, whose `f` grows along the loop.
    cuts: Vec<Aff>,
}

/// Whether a program reads an array in another way than it writes it. Where it does not, there are no cuts.
pub(crate) fn may_be_cut(program: &Program, statements: &Statements) -> bool {
    let accesses = || {
        let pairs = program.statements.iter().map(|s| (s, &statements[s.tuple()]));
        pairs.flat_map(|(statement, linear)| statement.accesses.iter().zip(&linear.accesses))
    };
    let in_memory = |access: &Access| program.arrays[access.array()].kind != ArrayKind::ScalarSlot;
    let mut writes = accesses().filter(|(access, linear)| linear.writes && in_memory(access));
    writes.any(|(write, written)| {
        let mut reads = accesses().filter(|(access, linear)| !linear.writes && access.array() == write.array());
        reads.any(|(_, read)| read.subscripts().is_none() || read.subscripts() != written.subscripts())
    })
}

/// The innermost loops with accesses that meet others within the loop. Looks at accesses and instance sets, not at dependences.
pub(crate) fn candidates(program: &Program, b: &Budget) -> Outcome<Vec<Cuts>> {
    let mut loops: Vec<Vec<&Statement>> = Vec::new();
    for statement in &program.statements {
        match loops.iter_mut().find(|own| shares_innermost(own[0], statement)) {
            Some(own) => own.push(statement),
            None => loops.push(vec![statement]),
        }
    }
    let mut found = Vec::new();
    for statements in loops {
        let is_another = |other: &Statement| !statements.iter().any(|own| own.tuple() == other.tuple());
        let mut inside = program
            .statements
            .iter()
            .filter(|other| is_inside(other, statements[0]));
        if inside.any(is_another) {
            continue;
        }
        let Some(along) = direction_of(statements[0]) else {
            continue;
        };
        let cuts = cuts_along(program, &statements, &along, b)?;
        if !cuts.is_empty() {
            let last = innermost(statements[0]).expect("a statement in a loop");
            found.push(Cuts {
                statements: statements.iter().map(|statement| statement.tuple().clone()).collect(),
                functions: statements[0].schedule.affs()[..=last].to_vec(),
                cuts,
            });
        }
    }
    Ok(found)
}

/// The position of the innermost loop among the functions of a schedule.
pub(super) fn innermost(statement: &Statement) -> Option<usize> {
    let affs = statement.schedule.affs();
    affs.iter().rposition(|aff| aff.as_constant().is_none())
}

/// Whether a statement is in the innermost loop of another one, perhaps in loops of its own there.
fn is_inside(statement: &Statement, outer: &Statement) -> bool {
    let Some(last) = innermost(outer) else { return false };
    let pairs = statement.schedule.affs().iter().zip(outer.schedule.affs());
    pairs.take(last + 1).all(|(x, y)| x.as_constant() == y.as_constant())
}

/// Whether two statements are in the same innermost loop, by functions that are the same.
fn shares_innermost(one: &Statement, other: &Statement) -> bool {
    let last = innermost(one);
    let same = |(x, y): (&Aff, &Aff)| {
        linear_part(x).is_some_and(|row| Some(row) == linear_part(y)) && x.constant_term() == y.constant_term()
    };
    let mut pairs = one.schedule.affs().iter().zip(other.schedule.affs());
    last.is_some()
        && last == innermost(other)
        && one.tuple().n() == other.tuple().n()
        && pairs.by_ref().take(last.unwrap_or(0) + 1).all(same)
}

/// How an instance moves along the innermost loop.
fn direction_of(statement: &Statement) -> Option<Row> {
    let affs = statement
        .schedule
        .affs()
        .iter()
        .filter(|aff| aff.as_constant().is_none());
    let rows: Vec<Row> = affs.map(linear_part).collect::<Option<_>>()?;
    direction(&rows, rows.len().checked_sub(1)?, statement.tuple().n())
}

/// The cuts of the statements of a loop, on the instances of the first one.
fn cuts_along(program: &Program, statements: &[&Statement], along: &Row, b: &Budget) -> Outcome<Vec<Aff>> {
    let accesses = || statements.iter().flat_map(|statement| &statement.accesses);
    let in_memory = |access: &&Access| program.arrays[access.array()].kind != ArrayKind::ScalarSlot;
    let first = statements[0].domain.space();
    let mut cuts: Vec<Aff> = Vec::new();
    for write in accesses()
        .filter(|access| access.kind != AccessKind::Read)
        .filter(in_memory)
    {
        for read in accesses().filter(|access| access.kind == AccessKind::Read && access.array() == write.array()) {
            if !may_meet(write, read, along) {
                continue;
            }
            let (Some(written), Some(read)) = (function(write, first, b)?, function(read, first, b)?) else {
                continue;
            };
            for (x, y) in written.affs().iter().zip(read.affs()) {
                let Some(cut) = upwards(&x.sub(y), along) else { continue };
                let is_same = |other: &Aff| other.sub(&cut).as_constant().is_some_and(|c| c.is_zero());
                if !cuts.iter().any(is_same) && crosses(program, statements[0], &cut, b)? {
                    cuts.push(cut);
                }
            }
        }
    }
    Ok(cuts)
}

/// Whether subscripts of both accesses move apart along the loop, as far as their linear parts show.
fn may_meet(write: &Access, read: &Access, along: &Row) -> bool {
    let (Some(written), Some(read)) = (affine_subscripts(&write.relation), affine_subscripts(&read.relation)) else {
        return true;
    };
    let mut pairs = written.iter().zip(&read);
    pairs.any(|((x, _), (y, _))| dot(x, along) != dot(y, along))
}

/// The subscripts of an access, as functions of the instances in `space`, which has as many dimensions as the statement.
fn function(access: &Access, space: &SetSpace, b: &Budget) -> Outcome<Option<MultiAff>> {
    let Some(function) = PwMultiAff::from_map(&access.relation, b)? else {
        return Ok(None);
    };
    let mut pieces = function.pieces();
    let (Some((_, function)), None) = (pieces.next(), pieces.next()) else {
        return Ok(None);
    };
    Ok(Some(function.pullback(&renaming(space, function.domain_space().tuple))))
}

/// The function from the instances in `space` to those of another tuple with the same values.
pub(super) fn renaming(space: &SetSpace, to: Tuple) -> MultiAff {
    let dims = (0..to.n()).map(|dim| Aff::var(space.clone(), dim)).collect();
    MultiAff::new(space.clone(), to, dims)
}

/// The function, or its negative, that grows along a direction; `None` where it stays the same, or is not linear in the instance.
fn upwards(function: &Aff, along: &Row) -> Option<Aff> {
    let n_vars = function.space().n_vars();
    let first = 1 + function.space().params.len();
    let is_linear = function.den().is_one()
        && function
            .divs()
            .iter()
            .all(|div| div.num[first..].iter().all(Int::is_zero));
    let row = Row::from(&function.row()[first..=n_vars]);
    let change = dot(&row, along);
    match is_linear && !change.is_zero() {
        true if change.is_pos() => Some(function.clone()),
        true => Some(function.neg()),
        false => None,
    }
}

/// Whether there are instances on more than one side of a cut.
fn crosses(program: &Program, statement: &Statement, cut: &Aff, b: &Budget) -> Outcome<bool> {
    let known = program.context.intersect(&program.assumptions);
    let domain = statement.domain.intersect_params(&known);
    let mut sides = 0;
    for side in sides_of(cut) {
        if !domain.intersect(&side).is_empty(b)? {
            sides += 1;
        }
    }
    Ok(sides > 1)
}

/// The instances below a cut, on it, and above it.
fn sides_of(cut: &Aff) -> [Set; 3] {
    let zero = Aff::constant(cut.space().clone(), Int::ZERO);
    [cut.lt_set(&zero), cut.eq_set(&zero), cut.gt_set(&zero)]
}

/// A combination of sides of the cuts of a loop.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// Cells with smaller positions come first in each execution of the loop. Those with the same one do not occur in the same
    /// execution.
    pub(super) position: usize,
    /// The instances of the first statement in it.
    pub(super) set: Set,
}

impl Cuts {
    /// The cells of the fewest cuts that leave no dependence between instances of the same cell in an execution of the loop. `None` if
    /// the loop carries nothing, or no cuts help.
    pub(super) fn cells(&self, carried_by: &UnionMap, b: &Budget) -> Outcome<Option<Vec<Cell>>> {
        let carried = self.carried(carried_by, b)?;
        if carried.is_empty() {
            return Ok(None);
        }
        let alone = self.cuts.iter().map(slice::from_ref);
        let together = (2..=MOST_CUTS).contains(&self.cuts.len()).then_some(&self.cuts[..]);
        'cuts: for cuts in alone.chain(together) {
            let cells = cells_of(cuts);
            for cell in &cells {
                for pairs in &carried {
                    if !pairs
                        .intersect_domain(&cell.set)
                        .intersect_range(&cell.set)
                        .is_empty(b)?
                    {
                        continue 'cuts;
                    }
                }
            }
            return Ok(Some(cells));
        }
        Ok(None)
    }

    /// The pairs of instances in different iterations of the loop in the same execution of it, as pairs of those of the first
    /// statement.
    fn carried(&self, dependences: &UnionMap, b: &Budget) -> Outcome<Vec<Map>> {
        let is_own = |tuple: &Tuple| self.statements.contains(tuple);
        let mut pairs = Vec::new();
        for map in dependences.maps() {
            if is_own(map.domain_tuple()) && is_own(map.range_tuple()) {
                let first = self.statements[0].clone();
                let map = map.with_domain_tuple(first.clone()).with_range_tuple(first);
                pairs.extend(carried(&map, &self.functions, &self.functions, b)?);
            }
        }
        Ok(pairs)
    }
}

/// The pairs of instances with the same values of all functions but the last, and different values of that: the functions of the
/// schedules of both statements down to a loop. Constant functions are taken to agree.
pub(super) fn carried(pairs: &Map, sources: &[Aff], sinks: &[Aff], b: &Budget) -> Outcome<Vec<Map>> {
    let (Some((source, outer)), Some((sink, others))) = (sources.split_last(), sinks.split_last()) else {
        return Ok(Vec::new());
    };
    let mut same = pairs.clone();
    for (x, y) in outer.iter().zip(others) {
        if x.as_constant().is_none() {
            same = same.intersect(&Map::equal(x, y));
        }
    }
    let mut carried = Vec::new();
    for apart in [Map::less(source, sink), Map::less(sink, source).reverse()] {
        let pairs = same.intersect(&apart);
        if !pairs.is_empty(b)? {
            carried.push(pairs);
        }
    }
    Ok(carried)
}

/// The combinations of sides of some cuts.
fn cells_of(cuts: &[Aff]) -> Vec<Cell> {
    let space = cuts[0].space().clone();
    let mut cells = vec![Cell {
        position: 0,
        set: Set::universe(space),
    }];
    for cut in cuts {
        let sides = sides_of(cut);
        let split = |cell: Cell| {
            let parts = sides.iter().enumerate().map(|(side, set)| Cell {
                position: cell.position + side,
                set: cell.set.intersect(set),
            });
            parts.collect::<Vec<Cell>>()
        };
        cells = cells.into_iter().flat_map(split).collect();
    }
    cells
}
