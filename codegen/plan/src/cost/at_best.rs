//! The cost of a statement at the best: in a loop along a direction, with tiles that are perfect, and nothing else around.
//!
//! Each line of memory enters each cache once. The [bound](crate::bound) of what an order may gain is made of these.

use farkas_polyhedral::linalg::{Row, unit};
use farkas_polyhedral::sets::{Name, Tuple};

use super::{Model, NOT_OVERLAPPED};
use crate::analysis::estimate::Lengths;
use crate::analysis::lanes::{Block, MOST_ITERATIONS, skewed};
use crate::analysis::levels::{InLanes, LoopId};
use crate::analysis::linear::LinearStatement;
use crate::analysis::nest::{Nest, NestLoop};
use crate::analysis::reuse::{has_group_reuse, writes_the_same};
use crate::analysis::shift::{self, Steps};

/// Iterations side by side in a bound of what an order may gain.
const JAMMED: f64 = 8.0;

impl Model<'_> {
    /// The cost of a statement in a loop along a direction at the best: each line of memory enters each cache once.
    pub(crate) fn at_best(&self, tuple: &Tuple, direction: &Row, parallel: bool) -> f64 {
        let innermost = self.loop_along(tuple, direction);
        self.at_best_in(tuple, vec![innermost], parallel)
    }

    /// The same with iterations of another loop side by side that share loads or stores; `None` where none do. The loop carries nothing.
    pub(crate) fn at_best_jammed(&self, tuple: &Tuple, direction: &Row, along: &Row) -> Option<f64> {
        let copies = (along, JAMMED);
        let jammed = NestLoop {
            id: LoopId(1),
            trips: JAMMED,
            unrolled: true,
            ..self.loop_along(tuple, along)
        };
        let statement = &self.statements[tuple];
        let is_shared = has_group_reuse(statement, copies, direction) || writes_the_same(statement, along, direction);
        is_shared.then(|| {
            let innermost = self.loop_along(tuple, direction);
            self.at_best_in(tuple, vec![innermost, jammed], true)
        })
    }

    /// The same with so many lanes along a direction around the loop, which carries a dependence.
    pub(crate) fn at_best_in_lanes(&self, tuple: &Tuple, direction: &Row, (along, lanes): (&Row, u32)) -> f64 {
        let innermost = self.loop_along(tuple, direction);
        let strips = self.loop_along(tuple, along);
        let strips = NestLoop {
            size: i64::from(lanes),
            trips: (strips.trips / f64::from(lanes)).max(1.0),
            ..strips
        };
        let strip = NestLoop {
            id: LoopId(2),
            size: 1,
            trips: f64::from(lanes),
            unrolled: true,
            lanes: Some(InLanes {
                lanes,
                masked: false,
                block: Some(self.best_block(tuple, lanes)),
                keep: self.names(tuple),
                shift: Vec::new(),
                private: self.names(tuple),
                inside: Vec::new(),
            }),
            ..strips.clone()
        };
        self.at_best_in(tuple, vec![strips, innermost, strip], false)
    }

    /// The same with the rows of a wavefront as lanes, which hand on what they access; `None` if they hand on nothing, or there are no
    /// lanes.
    pub(crate) fn at_best_in_skewed_lanes(&self, tuple: &Tuple, direction: &Row, along: &Row) -> Option<f64> {
        let steps = Steps {
            lanes: along,
            innermost: direction,
        };
        let shift = shift::arrays(self.statement_of(tuple), &self.statements[tuple], steps);
        let rows = skewed(self.program, self.target, [tuple]).filter(|_| !shift.is_empty())?;
        let innermost = self.loop_along(tuple, direction);
        let strips = self.loop_along(tuple, along);
        let strips = NestLoop {
            size: rows.rows(),
            trips: (strips.trips / rows.rows() as f64).max(1.0),
            ..strips
        };
        let vectors = NestLoop {
            id: LoopId(2),
            size: i64::from(rows.lanes),
            trips: f64::from(rows.vectors),
            unrolled: true,
            ..strips.clone()
        };
        let strip = NestLoop {
            id: LoopId(3),
            size: 1,
            trips: f64::from(rows.lanes),
            lanes: Some(InLanes {
                lanes: rows.lanes,
                masked: false,
                block: None,
                keep: Vec::new(),
                shift,
                private: Vec::new(),
                inside: Vec::new(),
            }),
            ..vectors.clone()
        };
        Some(self.at_best_in(tuple, vec![strips, innermost, vectors, strip], false))
    }

    /// A block in which everything is accessed at once that can be.
    fn best_block(&self, tuple: &Tuple, lanes: u32) -> Block {
        Block {
            iterations: lanes.min(MOST_ITERATIONS),
            arrays: self.names(tuple),
        }
    }

    /// The arrays that a statement accesses.
    fn names(&self, tuple: &Tuple) -> Vec<Name> {
        let accesses = self.statement_of(tuple).accesses.iter();
        accesses.filter_map(|access| access.array().name().cloned()).collect()
    }

    /// A loop along a direction around a statement.
    fn loop_along(&self, tuple: &Tuple, direction: &Row) -> NestLoop {
        let lengths = &self.lengths[tuple];
        let along = direction.iter().zip(&lengths.0).filter(|(c, _)| !c.is_zero());
        let trips = along.map(|(_, length)| *length).fold(f64::MAX, f64::min);
        plain_loop(0, direction.clone(), trips.min(lengths.instances()))
    }

    fn at_best_in(&self, tuple: &Tuple, loops: Vec<NestLoop>, parallel: bool) -> f64 {
        let statement = &self.statements[tuple];
        let lengths = &self.lengths[tuple];
        // An order may have it in one loop with any other.
        let before = self.program.statements.iter().map(|statement| statement.tuple());
        let before = before.take_while(|other| *other != tuple);
        let nest = Nest {
            loops,
            instances: lengths.instances(),
            hoisted: Vec::new(),
            leaves_lanes_out: false,
            in_registers: self.read_before(tuple, before),
        };
        let latency = if parallel { 0.0 } else { self.latency(tuple, &nest) };
        let compute = latency.max(self.throughput(tuple, &nest, parallel));
        let everything: Vec<NestLoop> = unit_loops(statement, lengths);
        let bytes = self.compulsory(tuple, &nest, &everything);
        let largest = bytes.iter().copied().fold(compute, f64::max);
        largest + NOT_OVERLAPPED * (compute + bytes.iter().sum::<f64>() - largest)
    }
}

/// A loop along each dimension of a statement.
pub(super) fn unit_loops(statement: &LinearStatement, lengths: &Lengths) -> Vec<NestLoop> {
    let along = |dim: usize| plain_loop(dim, unit(statement.depth, dim), lengths.0[dim]);
    (0..statement.depth).map(along).collect()
}

fn plain_loop(id: usize, direction: Row, trips: f64) -> NestLoop {
    NestLoop {
        id: LoopId(id),
        direction: Some(direction),
        size: 1,
        trips,
        partial: 1.0,
        is_cut: false,
        unrolled: false,
        lanes: None,
        private: Vec::new(),
        packed: None,
    }
}
