//! The cost of an order, in cycles, by one model for every order, the original one included.
//!
//! Statements that share an innermost loop are a *group*. A group takes the largest of three times:
//!
//! - *latency*: iterations times the cycles that each waits for the one before it ([`recurrence`]), if the innermost loop
//!   carries a dependence. Copies by unrolling run side by side;
//! - *throughput*: the operations of all instances over what the machine starts per cycle ([`throughput`]). Without a
//!   carried dependence the innermost loop is vectorized, as LLVM does it. With lanes along a loop, its iterations are copies that
//!   run side by side in one operation;
//! - *bytes*: for each cache level, the bytes that enter it over the bandwidth of what is behind it ([`traffic`]).
//!
//! In `for (i) for (j) s[i] += A[i][j] * x[j]` with `n = 1000` on Zen 4, the loop over `j` carries the sum: 4 cycles an
//! iteration by latency of a fused multiply-add, against 1 by throughput as a scalar loop. With `i` innermost it is vectorized, and the
//! column of `A` fetches a line for each element: 2 cycles by bytes from L2.
//!
//! [`recurrence`]: crate::analysis::recurrence

mod at_best;
mod complete_unrolling;
mod inspector;
mod lanes;
mod latency;
mod scalar_replacement;
mod throughput;
mod traffic;
mod unrolled_bodies;

pub(crate) use throughput::operand;

use self::complete_unrolling::Code;
use crate::analysis::carried::Carried;
use crate::analysis::estimate::{Estimates, Lengths, constant_lengths};
use crate::analysis::footprint::{Accesses, Layouts, layouts};
use crate::analysis::initialization::Initialized;
use crate::analysis::levels::{self, Levels, LoopId};
use crate::analysis::linear::{LinearAccess, LinearStatement, Statements, Stride, statements};
use crate::analysis::nest::{Nest, NestLoop, nests};
use crate::analysis::promotion;
use crate::analysis::runtime_checks;
use crate::target::Target;
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::program::{Access, AccessKind, ArrayKind, Operation, OperationClass, Program, Statement};
use farkas_polyhedral::sets::{ByTuple, Name, Set, Tuple, UnionMap};
use indexmap::{IndexMap, IndexSet};
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

/// The share of computing, and of each cache level's traffic, that does not overlap with what takes longest, where a
/// prefetcher fetches all lines.
const NOT_OVERLAPPED: f64 = 0.2;
/// The same where no prefetcher fetches any.
const NOT_OVERLAPPED_WALKING: f64 = 0.4;

/// Whether LLVM's run-time checks fail for an innermost loop and the statements in it.
type ChecksFail<'f> = dyn Fn(LoopId, &[Tuple]) -> Outcome<bool> + 'f;

/// What stays the same for all orders of a program.
#[derive(Clone)]
pub(crate) struct Model<'a> {
    pub(crate) program: &'a Program,
    pub(crate) target: &'a Target,
    pub(crate) statements: Rc<Statements>,
    estimates: Estimates,
    lengths: ByTuple<Lengths>,
    /// The number of values of each dimension whose bounds are constants.
    constant_lengths: Rc<ByTuple<Vec<Option<f64>>>>,
    /// The arrays that LLVM [promotes](promotion) if it unrolls the loops that index them.
    promotable: Rc<Vec<Tuple>>,
    layouts: Layouts,
    accesses: Rc<ByTuple<Accesses>>,
    carried: Rc<Carried<'a>>,
    /// What loops of the original carry, where scalars of reductions are registers.
    carried_in_registers: Rc<Carried<'a>>,
    initialized: Rc<Initialized>,
    /// Whether LLVM's run-time checks fail for innermost loops of the original order.
    checks: Rc<RefCell<IndexMap<LoopId, bool>>>,
    /// Cycles to start and end an innermost loop.
    loop_entry: f64,
    /// Whether the statements of the program are pieces of others.
    pub(crate) of_pieces: bool,
    /// Whether LLVM unrolls loops of the new order completely as it does those of the original.
    unrolls: bool,
    /// Statements that the original has beside those of the program.
    beside: Rc<Vec<(Statement, LinearStatement)>>,
}

/// What bounds the speed of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Each iteration waits for the one before it.
    Latency,
    /// The operations that start per cycle.
    Throughput,
    /// The bytes that enter a cache level, counted from 1.
    Bytes {
        /// The level.
        level: usize,
    },
}

/// The cost of the statements that share an innermost loop.
#[derive(Clone, Debug)]
pub struct GroupCost {
    /// The statements.
    pub statements: Vec<Tuple>,
    /// The expected number of their instances.
    pub instances: f64,
    /// Cycles by latency.
    pub latency: f64,
    /// Cycles by throughput.
    pub throughput: f64,
    /// Cycles by the bytes that enter each cache level, L1 first.
    pub bytes: Vec<f64>,
    /// The share of these bytes that no prefetcher fetches, weighted by cycles.
    pub walked: f64,
    /// Whether the innermost loop is vectorized.
    pub vectorized: bool,
    /// Whether some of its accesses are apart in memory, so that vectors gather or scatter.
    pub apart: bool,
}

/// The cost of an order.
#[derive(Clone, Debug)]
pub struct Cost {
    /// The groups, in the order of the program's statements.
    pub groups: Vec<GroupCost>,
}

impl GroupCost {
    /// The expected number of cycles: the largest time, and a share of the others.
    pub fn cycles(&self) -> f64 {
        let largest = self.largest();
        let all = self.latency.max(self.throughput) + self.bytes.iter().sum::<f64>();
        let exposed = NOT_OVERLAPPED + self.walked * (NOT_OVERLAPPED_WALKING - NOT_OVERLAPPED);
        largest + exposed * (all - largest)
    }

    /// Takes the statements of another group into the same loop.
    fn join(&mut self, other: GroupCost) {
        let traffic = |group: &GroupCost| group.bytes.iter().sum::<f64>();
        let (own, of_other) = (traffic(self), traffic(&other));
        if own + of_other > 0.0 {
            self.walked = (self.walked * own + other.walked * of_other) / (own + of_other);
        }
        self.statements.extend(other.statements);
        self.instances += other.instances;
        self.latency = self.latency.max(other.latency);
        self.throughput += other.throughput;
        self.bytes
            .iter_mut()
            .zip(other.bytes)
            .for_each(|(own, bytes)| *own += bytes);
        self.vectorized &= other.vectorized;
        self.apart |= other.apart;
    }

    fn largest(&self) -> f64 {
        let bytes = self.bytes.iter().copied();
        bytes.fold(self.latency.max(self.throughput), f64::max)
    }

    /// What the group waits for most.
    pub fn bound(&self) -> Bound {
        let cycles = self.largest();
        if self.latency >= cycles {
            Bound::Latency
        } else if self.throughput >= cycles {
            Bound::Throughput
        } else {
            let level = self.bytes.iter().position(|bytes| *bytes >= cycles);
            Bound::Bytes {
                level: 1 + level.expect("the largest of the three"),
            }
        }
    }

    /// The cost of a share of the instances.
    pub(crate) fn scaled(&self, share: f64) -> GroupCost {
        GroupCost {
            instances: self.instances * share,
            latency: self.latency * share,
            throughput: self.throughput * share,
            bytes: self.bytes.iter().map(|bytes| bytes * share).collect(),
            ..self.clone()
        }
    }
}

impl Cost {
    /// The expected number of cycles.
    pub fn cycles(&self) -> f64 {
        self.groups.iter().map(GroupCost::cycles).sum()
    }

    /// The expected number of cycles if no bytes entered any cache.
    pub(crate) fn without_bytes(&self) -> f64 {
        self.groups
            .iter()
            .map(|group| group.latency.max(group.throughput))
            .sum()
    }

    /// The group that takes most of the time.
    pub fn heaviest(&self) -> Option<&GroupCost> {
        self.groups.iter().max_by(|x, y| x.cycles().total_cmp(&y.cycles()))
    }
}

impl<'a> Model<'a> {
    /// The model of a program, of which `serializing` dependences order the iterations of a loop.
    pub(crate) fn new(
        program: &'a Program,
        serializing: &'a UnionMap,
        target: &'a Target,
        b: &Budget,
    ) -> Outcome<Self> {
        let estimates = Estimates::of(program, b)?;
        let both = |statement: &Statement| (statement.tuple().clone(), constant_lengths(&statement.domain));
        let constant_lengths = program.statements.iter().map(both);
        let mut lengths = ByTuple::default();
        for statement in &program.statements {
            lengths.insert(statement.tuple().clone(), estimates.lengths(statement, b)?);
        }
        let statements = statements(program);
        let layouts = layouts(program, &estimates);
        let carried = Rc::new(Carried::new(program, serializing));
        let accesses = |statement: &Statement| {
            let linear = &statements[statement.tuple()];
            let accesses = Accesses::of(program, &layouts, (statement, linear));
            (statement.tuple().clone(), accesses)
        };
        Ok(Model {
            program,
            target,
            accesses: Rc::new(program.statements.iter().map(accesses).collect()),
            promotable: Rc::new(promotion::promotable(program, &statements)),
            statements: Rc::new(statements),
            lengths,
            constant_lengths: Rc::new(constant_lengths.collect()),
            layouts,
            carried: Rc::clone(&carried),
            carried_in_registers: carried,
            initialized: Rc::new(Initialized::of(program)),
            checks: Rc::default(),
            estimates,
            loop_entry: throughput::LOOP_ENTRY,
            of_pieces: false,
            unrolls: false,
            beside: Rc::default(),
        })
    }

    /// The model of a program that is a part of the original, beside these statements.
    pub(crate) fn with_beside(mut self, beside: &[Statement]) -> Self {
        let linear = statements(&Program {
            statements: beside.to_vec(),
            ..self.program.clone()
        });
        let both = |statement: &Statement| (statement.clone(), linear[statement.tuple()].clone());
        self.beside = Rc::new(beside.iter().map(both).collect());
        self
    }

    /// The model of a program of pieces of statements. Those that have no instances for the expected values cost nothing to speak of.
    pub(crate) fn of_pieces(
        program: &'a Program,
        serializing: &'a UnionMap,
        target: &'a Target,
        b: &Budget,
    ) -> Outcome<Self> {
        let mut model = Model::new(program, serializing, target, b)?;
        model.of_pieces = true;
        for statement in &program.statements {
            if !model.estimates.has_instances(statement, b)? {
                let lengths = Lengths(vec![1.0; statement.tuple().n()]);
                model.lengths.insert(statement.tuple().clone(), lengths);
            }
        }
        Ok(model)
    }

    /// The model with what [serializes iterations of the original](crate::dependences::Order::in_registers), where that is less.
    pub(crate) fn with_registers(mut self, serializing: &'a UnionMap) -> Self {
        self.carried_in_registers = Rc::new(Carried::new(self.program, serializing));
        self
    }

    /// The model for new loops in the order of the original, which LLVM [unrolls completely](complete_unrolling) as it does there.
    pub(crate) fn with_complete_unrolling(mut self) -> Self {
        self.unrolls = true;
        self
    }

    /// Whether an access is to memory, not to a register.
    pub(crate) fn in_memory(&self, access: &Access) -> bool {
        self.layouts[access.array()].in_memory
    }

    /// Whether the access is to an expanded slot.
    fn is_expanded(&self, access: &Access) -> bool {
        self.program.arrays[access.array()].kind == ArrayKind::ExpandedSlot
    }

    /// Whether a statement writes to the array.
    pub(crate) fn is_written(&self, array: &Tuple) -> bool {
        let mut accesses = self.program.statements.iter().flat_map(|statement| &statement.accesses);
        accesses.any(|access| access.kind != AccessKind::Read && access.array() == array)
    }

    /// The domain of a statement.
    pub(crate) fn domain(&self, tuple: &Tuple) -> &Set {
        &self.statement_of(tuple).domain
    }

    /// The expected length of the longest dimension of a statement.
    pub(crate) fn longest(&self, tuple: &Tuple) -> f64 {
        self.lengths[tuple].0.iter().copied().fold(1.0, f64::max)
    }

    /// The expected length of a dimension of a statement.
    pub(crate) fn length(&self, tuple: &Tuple, dim: usize) -> f64 {
        self.lengths[tuple].0[dim]
    }

    /// Whether the innermost loop around a statement carries dependences that serialize its iterations.
    pub(crate) fn is_serialized(&self, tuple: &Tuple, levels: &Levels, b: &Budget) -> Outcome<bool> {
        let nests = self.nests(levels);
        match nests[tuple].innermost() {
            Some(innermost) => Ok(self.carried.serialized(innermost.id, levels, b)?.contains(tuple)),
            None => Ok(false),
        }
    }

    /// The loops that carry none of the dependences that serialize iterations.
    pub(crate) fn loops_that_carry_none(&self, levels: &Levels, b: &Budget) -> Outcome<Vec<LoopId>> {
        let loops: IndexSet<LoopId> = levels.values().flatten().map(|level| level.id).collect();
        let mut found = Vec::new();
        for id in loops {
            if self.carried.carries_none(id, levels, b)? {
                found.push(id);
            }
        }
        Ok(found)
    }

    /// The sizes of the program with the values that are expected of them.
    pub(crate) fn sizes(&self) -> Vec<(Name, i64)> {
        self.estimates.sizes(self.program)
    }

    /// [Where loops begin](Estimates::begin_of) that end at a size.
    pub(crate) fn begin_of(&self, size: &Name) -> Option<(Name, i64)> {
        self.estimates.begin_of(self.program, size)
    }

    /// Whether no parameter occurs in a domain.
    pub(crate) fn has_constant_domains(&self) -> bool {
        let constant = |domain: &Set| (0..domain.params().len()).all(|param| !domain.involves_param(param));
        self.program
            .statements
            .iter()
            .all(|statement| constant(&statement.domain))
    }

    /// The model of the same program with other values of some sizes. A statement that has no instances at the expected values
    /// keeps the lengths that it is taken to have there.
    pub(crate) fn at(&self, values: &[(Name, i64)], b: &Budget) -> Outcome<Self> {
        let estimates = self.estimates.with(values);
        let mut lengths = self.lengths.clone();
        for statement in &self.program.statements {
            if !self.estimates.has_instances(statement, b)? {
                continue;
            }
            let own = match estimates.has_instances(statement, b)? {
                true => estimates.lengths(statement, b)?,
                false => Lengths(vec![1.0; statement.tuple().n()]),
            };
            lengths.insert(statement.tuple().clone(), own);
        }
        Ok(Model {
            program: self.program,
            target: self.target,
            statements: Rc::clone(&self.statements),
            lengths,
            constant_lengths: Rc::clone(&self.constant_lengths),
            promotable: Rc::clone(&self.promotable),
            layouts: layouts(self.program, &estimates),
            accesses: Rc::clone(&self.accesses),
            carried: Rc::clone(&self.carried),
            carried_in_registers: Rc::clone(&self.carried_in_registers),
            initialized: Rc::clone(&self.initialized),
            checks: Rc::clone(&self.checks),
            estimates,
            loop_entry: self.loop_entry,
            of_pieces: self.of_pieces,
            unrolls: self.unrolls,
            beside: Rc::clone(&self.beside),
        })
    }

    /// The model with sizes for which threads may pay: of loops of whose length nothing is known, and that are in no other such loop, those that
    /// are long enough.
    pub(crate) fn for_threads(self, b: &Budget) -> Outcome<Self> {
        let is_nested = self.program.statements.iter().any(|statement| {
            let lengths = constant_lengths(&statement.domain);
            lengths.iter().filter(|length| length.is_none()).count() > 1
        });
        let long = match is_nested {
            true => Vec::new(),
            false => self.estimates.long_loops(self.program),
        };
        match long.is_empty() {
            true => Ok(self),
            false => self.at(&long, b),
        }
    }

    /// The model with other cycles to start and end an innermost loop.
    pub(crate) fn with_loop_entry(&self, loop_entry: f64) -> Self {
        Model {
            loop_entry,
            ..self.clone()
        }
    }

    /// The nest of each statement under these levels.
    pub(crate) fn nests(&self, levels: &Levels) -> ByTuple<Nest> {
        nests(levels, &self.statements, &self.lengths)
    }

    /// The cost of the order with these levels.
    pub(crate) fn cost(&self, levels: &Levels, b: &Budget) -> Outcome<Cost> {
        let in_memory = |_, tuples: &[Tuple]| Ok(self.accumulates_in_memory(tuples, levels));
        let mut cost = self.without_traffic(levels, &in_memory, b)?;
        let nests = self.nests(levels);
        if self.unrolls {
            self.add_traffic(&self.with_unrolled(&nests), &mut cost.groups);
            self.unroll_completely(&mut cost, (&nests, levels), Code::New, b)?;
        } else {
            self.add_traffic(&nests, &mut cost.groups);
        }
        Ok(cost)
    }

    /// Whether the copies of a jammed statement are under conditions in the innermost loop: its domain has holes, as where `j != i`, which
    /// are others for each copy.
    fn has_guarded_copies(&self, tuple: &Tuple, nest: &Nest) -> bool {
        self.domain(tuple).pieces().len() > 1 && nest.unrolled().any(|l| l.lanes.is_none())
    }

    /// Whether neighbouring iterations of the innermost loop access elements by a statement that are no neighbours.
    fn is_apart(&self, tuple: &Tuple, nest: &Nest) -> bool {
        let Some(along) = nest.innermost().and_then(|l| l.direction.as_ref()) else {
            return false;
        };
        let accesses = self
            .statement_of(tuple)
            .accesses
            .iter()
            .zip(&self.statements[tuple].accesses);
        let mut in_memory = accesses.filter(|(access, _)| self.in_memory(access));
        in_memory.any(|(_, linear)| linear.stride(along) == Stride::Other)
    }

    /// Whether a statement of an innermost loop of a new order accumulates in memory.
    fn accumulates_in_memory(&self, tuples: &[Tuple], levels: &Levels) -> bool {
        let in_loop: Vec<&LinearStatement> = tuples.iter().map(|tuple| &self.statements[tuple]).collect();
        tuples.iter().any(|tuple| {
            let nest = Nest::of(&levels[tuple], &self.statements[tuple], &self.lengths[tuple]);
            let along = nest.innermost().and_then(|l| l.direction.as_ref());
            along.is_some_and(|along| runtime_checks::accumulates_in_memory(&self.statements[tuple], along, &in_loop))
        })
    }

    /// The cost of an order but for its traffic, if LLVM's run-time checks fail for some innermost loops and statements in these.
    fn without_traffic(&self, levels: &Levels, checks_fail: &ChecksFail<'_>, b: &Budget) -> Outcome<Cost> {
        let mut nests = self.nests(levels);
        let mut groups = Vec::new();
        for (innermost, tuples) in grouped(&nests) {
            for (position, tuple) in tuples.iter().enumerate().skip(1) {
                nests[tuple].in_registers = self.read_before(tuple, tuples[..position].iter());
            }
            let (serialized, tangled) = match innermost {
                Some(id) => (
                    self.carried.serialized(id, levels, b)?,
                    self.carried.tangled(id, &tuples, levels, b)?,
                ),
                None => (Vec::new(), Vec::new()),
            };
            let fails = match innermost {
                Some(id) if serialized.is_empty() => checks_fail(id, &tuples)?,
                _ => false,
            };
            let scalar = |tuple: &Tuple| {
                let by_llvm = innermost.is_some() && !fails && !serialized.contains(tuple) && !tangled.contains(tuple);
                nests[tuple].lanes().is_none() && (!by_llvm || self.has_guarded_copies(tuple, &nests[tuple]))
            };
            let mut group = GroupCost {
                instances: tuples.iter().map(|tuple| nests[tuple].instances).sum(),
                latency: 0.0,
                throughput: 0.0,
                bytes: vec![0.0; self.target.caches.len()],
                walked: 0.0,
                vectorized: !tuples.iter().any(scalar),
                apart: tuples.iter().any(|tuple| self.is_apart(tuple, &nests[tuple])),
                statements: tuples,
            };
            for tuple in &group.statements {
                let nest = &nests[tuple];
                group.throughput += self.throughput(tuple, nest, !scalar(tuple));
                // Statements that wait for each other are taken to be on a chain.
                let on_chain = match (innermost, &serialized[..]) {
                    (Some(id), [only]) if only == tuple => {
                        let trips = nest.innermost().map_or(f64::MAX, |l| l.trips);
                        self.carried.is_chain((id, trips), tuple, levels, b)?
                    }
                    _ => serialized.contains(tuple),
                };
                if on_chain {
                    group.latency = group.latency.max(self.latency(tuple, nest));
                }
            }
            if group.statements.iter().all(|tuple| serialized.contains(tuple)) {
                let together = self.latency_together(&group.statements, &nests);
                group.latency = group.latency.max(together);
            }
            groups.push(group);
        }
        Ok(Cost { groups })
    }

    /// The positions of what a statement reads as one `before` it does, which has the same instances. Neither writes the array.
    fn read_before<'t>(&self, tuple: &Tuple, before: impl Iterator<Item = &'t Tuple>) -> Vec<usize> {
        let (own, domain) = (&self.statements[tuple], self.domain(tuple).pieces());
        let before = before.filter(|other| self.domain(other).pieces() == domain);
        let before = before.map(|other| &self.statements[other]);
        let before = before.filter(|other| other.directions == own.directions);
        let before: Vec<&LinearAccess> = before.flat_map(|other| &other.accesses).collect();
        let is_written = |array: &Tuple| {
            let mut all = before.iter().copied().chain(&own.accesses);
            all.any(|access| access.writes && access.array == *array)
        };
        let is_read = |(_, read): &(usize, &LinearAccess)| {
            before.iter().any(|other| other.reads_as(read)) && !is_written(&read.array)
        };
        own.accesses
            .iter()
            .enumerate()
            .filter(is_read)
            .map(|(k, _)| k)
            .collect()
    }

    /// The cost of the original order, with loops that LLVM [unrolls completely](complete_unrolling). Where it cannot tell that a loop is
    /// vectorizable before the loop outside of it, there are no vectors.
    pub(crate) fn cost_of_original(&self, b: &Budget) -> Outcome<Cost> {
        let levels = levels::of_original(self.program);
        let nests = self.nests(&levels);
        let stays_scalar = |tuple: &Tuple| {
            let nest = &nests[tuple];
            self.is_scalar_along(tuple, nest.innermost(), &nests) || self.reads_between(tuple, nest)
        };
        let checks_fail = |id, tuples: &[Tuple]| match tuples.iter().any(stays_scalar) {
            true => Ok(true),
            false => self.elements_meet(id, tuples, &levels, b),
        };
        let mut cost = self.without_traffic(&levels, &checks_fail, b)?;
        for group in &mut cost.groups {
            let own = group
                .statements
                .iter()
                .map(|tuple| nests[tuple].instances * self.only_in_original(tuple));
            group.throughput += own.sum::<f64>();
        }
        self.add_traffic(&self.with_unrolled(&nests), &mut cost.groups);
        self.unroll_completely(&mut cost, (&nests, &levels), Code::Original, b)?;
        self.unroll_bodies(&mut cost, (&nests, &levels), b)?;
        Ok(cost)
    }

    /// Cycles of an instance for what only the original order computes.
    fn only_in_original(&self, tuple: &Tuple) -> f64 {
        let operations = self.statement_of(tuple).only_in_original.iter();
        let cycles = |o: &Operation| f64::from(o.count) / self.target.operations.cost(o.class, o.ty, 1).per_cycle;
        operations.map(cycles).sum()
    }

    /// The statement of a tuple of the program.
    pub(crate) fn statement_of(&self, tuple: &Tuple) -> &Statement {
        let id = self.program.find_statement(tuple).expect("a statement of the program");
        self.program.statement(id)
    }

    /// Whether LLVM makes no vectors of a statement along a loop of the original order, for what new code has not. Subscripts that the
    /// original confines to an array are the same in all lanes, unless they are confined to different ones along the loop.
    fn is_scalar_along(&self, tuple: &Tuple, along: Option<&NestLoop>, nests: &ByTuple<Nest>) -> bool {
        let statement = self.statement_of(tuple);
        let differs_in_lanes = || {
            let moves_alike = |other: &Tuple, l: &NestLoop| {
                let mut accesses = self.statements[other].accesses.iter();
                accesses.all(|access| l.direction.as_ref().is_some_and(|along| access.moves_alike(along)))
            };
            let is_inside = |nest: &Nest, l: &NestLoop| nest.loops.iter().any(|own| own.id == l.id);
            // The original computes what other halves of the statement confine.
            let is_executed = |(other, nest): &(&Tuple, &Nest), l: &NestLoop| {
                is_inside(nest, l) || self.statement_of(other).has_place_of(statement)
            };
            along.is_none_or(|l| {
                let mut executed = nests.iter().filter(|other| is_executed(other, l));
                let moves_alike_beside = |(other, linear): &(Statement, LinearStatement)| {
                    let mut accesses = linear.accesses.iter();
                    let is_alike =
                        |access: &LinearAccess| l.direction.as_ref().is_some_and(|along| access.moves_alike(along));
                    !other.has_place_of(statement) || accesses.all(is_alike)
                };
                executed.any(|(other, _)| !moves_alike(other, l)) || !self.beside.iter().all(moves_alike_beside)
            })
        };
        may_set_errno(statement)
            || statement.reloads > 0
            || !statement.only_in_original.is_empty() && differs_in_lanes()
            || self.lacks_masks_in_original(tuple)
    }

    /// Whether vectors of a statement would take masks in the original that the machine does not have, and take none in new code.
    fn lacks_masks_in_original(&self, tuple: &Tuple) -> bool {
        let statement = self.statement_of(tuple);
        let narrowest = self.target.vector.narrowest_masked();
        let mut conditional = statement.conditional_in_original.iter();
        conditional.any(|id| {
            let bits = 8 * self.program.arrays[statement.accesses[id.0].array()].element_size;
            narrowest.is_none_or(|narrowest| bits < u64::from(narrowest))
        })
    }

    /// Whether LLVM's run-time checks fail for an innermost loop of the original order as it reads elements between those that it
    /// writes.
    fn reads_between(&self, tuple: &Tuple, nest: &Nest) -> bool {
        runtime_checks::read_between(self.statement_of(tuple), &self.statements[tuple], nest, |access| {
            self.in_memory(access) && self.program.arrays[access.array()].table_dims == 0
        })
    }

    /// Whether they fail as two accesses touch the same element.
    fn elements_meet(&self, id: LoopId, tuples: &[Tuple], levels: &Levels, b: &Budget) -> Outcome<bool> {
        if let Some(known) = self.checks.borrow().get(&id) {
            return Ok(*known);
        }
        let fails = runtime_checks::elements_meet(self.program, &self.statements, (id, tuples), levels, b)?;
        self.checks.borrow_mut().insert(id, fails);
        Ok(fails)
    }

    /// Cycles of an instance where nothing is jammed: in rows that fill no register tile.
    pub(crate) fn in_one_row(&self, tuple: &Tuple, nest: &Nest) -> f64 {
        let mut nest = nest.clone();
        nest.loops.retain(|l| !l.unrolled || l.lanes.is_some());
        let cycles = self.latency(tuple, &nest).max(self.throughput(tuple, &nest, false));
        cycles / nest.instances.max(1.0)
    }
}

/// Whether a statement has square roots that LLVM computes in front of a branch, as they may set `errno`: it does not vectorize the loops
/// around. New code has no such branch.
pub(crate) fn may_set_errno(statement: &Statement) -> bool {
    let mut operations = statement.operations.iter();
    operations.any(|operation| operation.class == OperationClass::ErrnoSquareRoot)
}

/// Whether LLVM leaves the innermost loop around a statement scalar in the original order, for what new code has not.
pub(crate) fn differs_in_new_code(statement: &Statement) -> bool {
    may_set_errno(statement) || statement.reloads > 0 || !statement.only_in_original.is_empty()
}

/// The statements by their innermost loops; those in none are by themselves.
fn grouped(nests: &ByTuple<Nest>) -> Vec<(Option<LoopId>, Vec<Tuple>)> {
    let mut groups: Vec<(Option<LoopId>, Vec<Tuple>)> = Vec::new();
    for (tuple, nest) in nests {
        let id = nest.innermost().map(|l| l.id);
        match groups.iter_mut().find(|(other, _)| id.is_some() && *other == id) {
            Some((_, group)) => group.push(tuple.clone()),
            None => groups.push((id, vec![tuple.clone()])),
        }
    }
    groups
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bound::Latency => write!(f, "latency"),
            Bound::Throughput => write!(f, "throughput"),
            Bound::Bytes { level } => write!(f, "bytes into L{level}"),
        }
    }
}

impl fmt::Display for GroupCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self
            .statements
            .iter()
            .map(|s| s.name().map_or(String::new(), ToString::to_string))
            .collect();
        // What rounds to zero has no sign.
        let per_instance = |cycles: f64| (cycles / self.instances.max(1.0) * 1e3).round() / 1e3 + 0.0;
        write!(
            f,
            "{}: {:.3} cycles an instance by {} (latency {:.3}, throughput {:.3}",
            names.join(" "),
            per_instance(self.cycles()),
            self.bound(),
            per_instance(self.latency),
            per_instance(self.throughput),
        )?;
        for (level, bytes) in self.bytes.iter().enumerate() {
            write!(f, ", L{} {:.3}", level + 1, per_instance(*bytes))?;
        }
        write!(f, "{})", if self.vectorized { ", vectors" } else { "" })
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:.4e} cycles", self.cycles())?;
        self.groups.iter().try_for_each(|group| writeln!(f, "  {group}"))
    }
}
