//! How many cycles the operations of a statement take with lanes along a loop, if nothing waits.
//!
//! An iteration of the innermost loop executes a vector of instances at once. Where the elements of lanes are apart in
//! memory, each is loaded into its lane. In blocks of iterations, each lane loads what it needs in all of them by one
//! vector access, and the square of lanes and iterations is transposed:
//!
//! ```text
//! 8 lanes, 8 iterations        8 loads, 3 stages of 8 shuffles: 3 shuffles for each vector of instances
//! 8 lanes, 4 iterations        8 loads, 4 shuffles that join two of them, 2 stages of 4 shuffles: 3 for each vector as
//! well one by one                   8 loads and 8 insertions for each vector
//! ```

use crate::analysis::divergence;
use crate::analysis::estimate::float;
use crate::analysis::lanes::Block;
use crate::analysis::linear::{LinearAccess, Stride};
use crate::analysis::nest::{Nest, NestLoop};
use crate::analysis::shift::{self, Source, Steps};
use crate::cost::Model;
use crate::cost::throughput::{
    CROSSING, LOOP_OPERATIONS, MISPREDICTED, PERMUTATION, PerInstance, SLOT_ADDRESS, widest,
};
use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::program::{Access, AccessId, AccessKind, ElementType, Operation, OperationClass, Statement};
use farkas_polyhedral::sets::Tuple;
use farkas_polyhedral::tree::Mark;

/// A statement with lanes along a loop.
struct InLanes<'m> {
    tuple: &'m Tuple,
    statement: &'m Statement,
    nest: &'m Nest,
    innermost: &'m NestLoop,
    along: &'m NestLoop,
    lanes: u32,
}

/// What an access takes for a vector of instances.
struct PerVector {
    cycles: f64,
    operations: f64,
    shuffles: f64,
}

impl Model<'_> {
    /// The cycles of all instances of a statement by throughput, with lanes along a loop.
    pub(super) fn in_lanes(&self, tuple: &Tuple, nest: &Nest, innermost: &NestLoop, along: &NestLoop) -> f64 {
        let in_lanes = along.lanes.as_ref().expect("lanes");
        let one = InLanes {
            tuple,
            statement: self.statement_of(tuple),
            nest,
            innermost,
            along,
            lanes: in_lanes.lanes,
        };
        let entries = nest.instances * innermost.partial / (nest.copies() * innermost.trips);
        let mispredicted = if innermost.is_cut { MISPREDICTED } else { 0.0 };
        let plain = self.instance(&one, None);
        let (instance, loops) = match &in_lanes.block {
            None => (plain, 1.0),
            Some(block) => {
                let iterations = f64::from(block.iterations);
                // What is left of the loop when its blocks are done.
                let rest = match innermost.trips < iterations {
                    true => 1.0,
                    false => (iterations - 1.0) / 2.0 / innermost.trips,
                };
                (rest * plain + (1.0 - rest) * self.instance(&one, Some(block)), 2.0)
            }
        };
        // What fills no strip is executed one by one, in an order that is none of the original's, or takes as long as if it did by masks.
        let strip: f64 = nest
            .unrolled()
            .filter(|l| l.direction == along.direction)
            .map(|l| l.trips)
            .product();
        let rest = (strip - 1.0) / 2.0 / nest.length_of_lanes().unwrap_or(f64::from(one.lanes));
        let ends = match in_lanes.shift.is_empty() {
            true => 0.0,
            false => ends(innermost, along, strip),
        };
        let rest = rest + self.rest_of_jam(tuple, nest);
        let (of_rest, of_divergent) = match in_lanes.masked {
            true => {
                let by_masks = instance + self.apart_under_mask(&one);
                (by_masks, by_masks)
            }
            // LLVM makes branches of masks.
            false => (SCALAR_REST, instance + self.accesses_behind_branches(&one)),
        };
        let divergent = self.divergent_share(tuple, nest, along, strip);
        nest.instances * (instance + (rest + ends).min(1.0) * of_rest + divergent.min(1.0) * of_divergent)
            + entries * (loops * self.loop_entry + mispredicted)
            + self.copies_into_buffers(tuple, nest)
    }

    /// The share of the instances in iterations of loops inside of lanes that half of the lanes have, as bounds differ from lane to lane.
    fn divergent_share(&self, tuple: &Tuple, nest: &Nest, along: &NestLoop, strip: f64) -> f64 {
        let inside = &along.lanes.as_ref().expect("lanes").inside;
        let inside: Vec<(&NestLoop, Row)> = nest
            .loops
            .iter()
            .filter(|l| inside.contains(&l.id))
            .filter_map(|l| Some((l, l.direction.clone()?)))
            .collect();
        let directions: Vec<Row> = inside.iter().map(|(_, direction)| direction.clone()).collect();
        let Some(along) = along.direction.as_ref().filter(|_| !inside.is_empty()) else {
            return 0.0;
        };
        let slopes = divergence::slopes(self.domain(tuple), along, &directions).unwrap_or_default();
        let shares = inside
            .iter()
            .zip(slopes)
            .map(|((l, _), slope)| slope * (strip - 1.0) / 2.0 / l.trips);
        shares.sum()
    }

    /// The share of the instances in what is left of a loop of a constant number of iterations beside those that are jammed.
    /// Accumulators do not stay in registers there.
    fn rest_of_jam(&self, tuple: &Tuple, nest: &Nest) -> f64 {
        let jammed = nest.unrolled().filter(|l| l.lanes.is_none() && l.size == 1);
        let share = |jammed: &NestLoop| {
            let known = self.known_length(tuple, jammed.direction.as_ref()?)?;
            Some(known % jammed.trips / known)
        };
        jammed.filter_map(share).sum()
    }

    /// Cycles of an instance.
    fn instance(&self, one: &InLanes<'_>, block: Option<&Block>) -> f64 {
        let memory = self.accesses_in_lanes(one, block);
        let InLanes {
            tuple,
            statement,
            nest,
            innermost,
            ..
        } = *one;
        let mut jammed = nest
            .unrolled()
            .filter(|l| l.lanes.is_none() && l.direction != one.along.direction);
        let jammed = jammed.next();
        let shared = |operation: &Operation| {
            let by_copies = match jammed {
                Some(jammed) => {
                    let staying = self.staying(tuple, statement, jammed, operation);
                    let hoisted = self.staying(tuple, statement, innermost, operation);
                    f64::from(staying.saturating_sub(hoisted)) * (1.0 - 1.0 / jammed.trips)
                }
                None => 0.0,
            };
            by_copies + f64::from(self.done_in_copies(statement, nest, operation))
        };
        let arithmetic = self.arithmetic(tuple, statement, innermost, one.lanes, &shared);
        let operations = arithmetic.operations;
        let counting = LOOP_OPERATIONS / (one.nest.copies() * block.map_or(1.0, |block| f64::from(block.iterations)));
        let issued = (memory.operations + operations + counting) / f64::from(self.target.issue_width);
        let spilled = self.spilled(one.tuple, one.nest, one.lanes);
        let in_pipes = arithmetic.floats + self.shuffles_in_pipes(one, memory.shuffles);
        memory.cycles.max(arithmetic.cycles).max(in_pipes).max(issued) + spilled
    }

    /// Cycles of all pipes that do arithmetic for shuffles, if they do these, too.
    fn shuffles_in_pipes(&self, one: &InLanes<'_>, of_accesses: f64) -> f64 {
        let bits = f64::from(one.lanes) * f64::from(widest(one.statement));
        let Some(of_pipes) = self.target.operations.arithmetic.bits_per_cycle else {
            return 0.0;
        };
        if bits < SHUFFLED_IN_PIPES {
            return 0.0;
        }
        // What is computed once for all lanes is put into all of them.
        let is_uniform = |operation: &&Operation| {
            let hoisted = self.staying(one.tuple, one.statement, one.innermost, operation);
            let in_copies = self.done_in_copies(one.statement, one.nest, operation);
            self.staying(one.tuple, one.statement, one.along, operation) > hoisted + in_copies
        };
        let broadcasts = one.statement.operations.iter().filter(is_uniform).count() as f64;
        (of_accesses + broadcasts / f64::from(one.lanes)) * bits / of_pipes
    }

    /// Cycles and operations of an instance for its accesses.
    fn accesses_in_lanes(&self, one: &InLanes<'_>, block: Option<&Block>) -> PerInstance {
        let InLanes { nest, innermost, .. } = *one;
        let (mut loads, mut stores, mut shuffles, mut operations) = (0.0, 0.0, 0.0, 0.0);
        let accesses = one.statement.accesses.iter().zip(&self.statements[one.tuple].accesses);
        for (position, (access, linear)) in accesses.enumerate() {
            let stride = |direction| stride(linear, direction);
            if self.is_expanded(access) && stride(&one.along.direction) != Stride::Zero {
                // What stays along the innermost loop is a vector in a register throughout.
                let times = match stride(&innermost.direction) {
                    Stride::Zero => 1.0 / innermost.trips,
                    _ => 1.0,
                };
                shuffles += times * INSERT;
                operations += times * (2.0 + SLOT_ADDRESS);
            }
            if !self.layouts[access.array()].in_memory || one.statement.is_alternative(AccessId(position)) {
                continue;
            }
            let copies = nest.unrolled().filter(|l| l.lanes.is_none());
            let shared = copies.filter(|l| stride(&l.direction) == Stride::Zero);
            let mut sharing: f64 = shared.map(|l| l.trips).product();
            // An accumulator whose lanes are apart stays in scalar registers if it is not kept, and is taken from there
            // and put back each time.
            let written = || {
                let mut accesses = one.statement.accesses.iter();
                accesses.any(|a| a.kind != AccessKind::Read && a.array() == access.array())
            };
            let keep = &one.along.lanes.as_ref().expect("lanes").keep;
            let kept = access.array().name().is_some_and(|name| keep.contains(name));
            let apart = stride(&one.along.direction) == Stride::Other && !kept && written();
            // What a mask leaves out lanes of stays in no register unless it is kept.
            let is_conditional = one.statement.is_conditional(AccessId(position));
            if stride(&innermost.direction) == Stride::Zero && !apart && (kept || !is_conditional) {
                sharing *= innermost.trips;
            }
            let own = match self.handed_on(one, position) {
                Some(source) => handed_on(source, nest),
                None if is_conditional => self.access_under_mask(one, access, linear),
                None => self.access_in_lanes(one, access, linear, block),
            };
            let per_instance = |of_vector: f64| of_vector / (sharing * f64::from(one.lanes));
            operations += per_instance(own.operations);
            shuffles += per_instance(own.shuffles);
            match linear.writes {
                true => stores += per_instance(own.cycles),
                false => loads += per_instance(own.cycles),
            }
        }
        PerInstance {
            cycles: f64::max(loads, stores).max(shuffles) + self.page_walks(one.tuple, one.statement, nest),
            shuffles,
            operations,
        }
    }

    /// Where the value of an access comes from, if lanes hand it on.
    fn handed_on(&self, one: &InLanes<'_>, position: usize) -> Option<Source> {
        let shift = &one.along.lanes.as_ref().expect("lanes").shift;
        let name = one.statement.accesses[position].array().name()?;
        let steps = Steps {
            lanes: one.along.direction.as_ref()?,
            innermost: one.innermost.direction.as_ref()?,
        };
        match shift.contains(name) {
            true => shift::source(one.statement, &self.statements[one.tuple], position, steps),
            false => None,
        }
    }

    /// What an access takes for a vector of instances that makes it in some lanes only.
    fn access_under_mask(&self, one: &InLanes<'_>, access: &Access, linear: &LinearAccess) -> PerVector {
        let plain = self.access_in_lanes(one, access, linear, None);
        if stride(linear, &one.along.direction) != Stride::Other {
            return plain;
        }
        let of_lane = self.lane_under_mask(access);
        let lanes = f64::from(one.lanes);
        PerVector {
            cycles: plain.cycles.max(of_lane * lanes),
            shuffles: of_lane * lanes,
            ..plain
        }
    }

    /// Cycles of a lane that is loaded or stored under a mask where the elements of lanes are apart.
    fn lane_under_mask(&self, access: &Access) -> f64 {
        let is_narrow = self.program.arrays[access.array()].element_size < NARROWEST_GATHERED;
        // Without masks for everything, LLVM gathers on few machines and scatters on none.
        match is_narrow || !self.target.vector.masks {
            true => BRANCH_OF_LANE,
            false => MASKED_LANE,
        }
    }

    /// What an instance takes, where a mask leaves out some lanes, beside what it takes in full vectors: for elements of lanes that are
    /// apart. Rows run one by one there, so that they share nothing.
    fn apart_under_mask(&self, one: &InLanes<'_>) -> f64 {
        let accesses = one.statement.accesses.iter().zip(&self.statements[one.tuple].accesses);
        let keep = &one.along.lanes.as_ref().expect("lanes").keep;
        let is_kept = |access: &Access| access.array().name().is_some_and(|name| keep.contains(name));
        let apart = accesses.filter(|(access, linear)| {
            let is_apart = stride(linear, &one.along.direction) == Stride::Other;
            is_apart && self.in_memory(access) && !is_kept(access)
        });
        apart.count() as f64 * LANE_OF_REST
    }

    /// What an instance takes where each lane of its accesses is loaded or stored behind a branch.
    fn accesses_behind_branches(&self, one: &InLanes<'_>) -> f64 {
        let accesses = one.statement.accesses.iter();
        let in_memory = accesses.filter(|access| self.in_memory(access));
        in_memory.count() as f64 * BRANCH_OF_LANE
    }

    /// How many elements are from lane to lane of a load, where vectors of all of them are loaded and shuffled.
    fn elements_apart(&self, one: &InLanes<'_>, linear: &LinearAccess) -> Option<f64> {
        let layout = &self.layouts[&linear.array];
        let apart = (layout.stride(linear, one.along.direction.as_ref()?)? / layout.element).abs();
        let is_loaded = !linear.writes && !linear.is_in_pieces && apart.fract() == 0.0;
        (is_loaded && Mark::loads_between(one.lanes, apart as u64)).then_some(apart)
    }

    /// What an access takes for a vector of instances.
    fn access_in_lanes(
        &self,
        one: &InLanes<'_>,
        access: &Access,
        linear: &LinearAccess,
        block: Option<&Block>,
    ) -> PerVector {
        let class = match linear.writes {
            true => OperationClass::Store,
            false => OperationClass::Load,
        };
        let bits = widest(one.statement);
        let cycles = |lanes| {
            let crossing = 1.0 + CROSSING * self.crossing_share(lanes, bits);
            crossing
                / self
                    .target
                    .operations
                    .cost(class, ElementType::Float(bits), lanes)
                    .per_cycle
        };
        let lanes = f64::from(one.lanes);
        let has_copies = || {
            let private = &one.along.lanes.as_ref().expect("lanes").private;
            access.array().name().is_some_and(|name| private.contains(name))
        };
        let along = match stride(linear, &one.along.direction) {
            // The element of each lane's copy is next to that of the next lane.
            Stride::Zero if has_copies() => Stride::Unit,
            stride => stride,
        };
        match along {
            Stride::Zero => PerVector {
                cycles: cycles(1),
                operations: 1.0,
                shuffles: 0.0,
            },
            Stride::Unit => PerVector {
                cycles: cycles(one.lanes),
                operations: 1.0,
                shuffles: 0.0,
            },
            Stride::Other => match block.filter(|block| in_block(block, access, linear, one.innermost)) {
                Some(block) => {
                    let iterations = f64::from(block.iterations);
                    let shuffles = (iterations * iterations.log2() + lanes - iterations) / iterations;
                    PerVector {
                        cycles: cycles(block.iterations) * lanes / iterations,
                        operations: lanes / iterations + shuffles,
                        shuffles: TRANSPOSE * shuffles,
                    }
                }
                None => match self.elements_apart(one, linear) {
                    Some(apart) => PerVector {
                        cycles: cycles(one.lanes) * apart,
                        operations: 2.0 * apart - 1.0,
                        shuffles: PERMUTATION * (apart - 1.0),
                    },
                    // Addresses that are no step apart are computed in a vector.
                    None if linear.subscripts().is_none() => PerVector {
                        cycles: cycles(1) * lanes,
                        operations: 3.0 * lanes,
                        shuffles: (EXTRACT + INSERT) * lanes,
                    },
                    None => PerVector {
                        cycles: cycles(1) * lanes,
                        operations: 2.0 * lanes,
                        shuffles: INSERT * lanes,
                    },
                },
            },
        }
    }
}

/// What a read takes whose value lanes hand on: a shuffle where that is another lane, and loads of the lanes at the end of a strip.
fn handed_on(source: Source, nest: &Nest) -> PerVector {
    let vectors: f64 = nest.unrolled().filter(|l| l.lanes.is_none()).map(|l| l.trips).product();
    let (shuffles, loads) = match source.lanes {
        0 => (0.0, 0.0),
        lanes => (1.0, lanes.abs() as f64 / vectors),
    };
    PerVector {
        cycles: loads,
        operations: shuffles + 2.0 * loads,
        shuffles: shuffles + INSERT * loads,
    }
}

/// The share of the instances at both ends of a skewed strip, where not all lanes have any.
fn ends(innermost: &NestLoop, along: &NestLoop, strip: f64) -> f64 {
    let (Some(inner), Some(lanes)) = (&innermost.direction, &along.direction) else {
        return 0.0;
    };
    let skew = inner.iter().zip(lanes).find(|(inner, _)| !inner.is_zero());
    let skew = skew.map_or(0.0, |(inner, lanes)| float(lanes).abs() / float(inner).abs());
    ((strip - 1.0) * skew / innermost.trips).min(1.0)
}

/// Whether all that a lane accesses in a block follows each other in memory.
fn in_block(block: &Block, access: &Access, linear: &LinearAccess, innermost: &NestLoop) -> bool {
    block.has(access.array()) && stride(linear, &innermost.direction) == Stride::Unit
}

fn stride(linear: &LinearAccess, direction: &Option<Row>) -> Stride {
    direction
        .as_ref()
        .map_or(Stride::Other, |direction| linear.stride_of_lanes(direction))
}

/// Cycles for an instance of a rest that fills no vector, with lanes along a loop.
const SCALAR_REST: f64 = 2.0;
/// Cycles to load an element into its lane, or to store it from there, where the elements of lanes are apart: as
/// measured for products of eight rows in L1 on Zen 4.
const INSERT: f64 = 0.7;
/// Cycles to take the address of a lane out of a vector. (Measured on Zen 3: products of sparse and dense matrices with indices that may wrap take 1.9
/// cycles an instance.)
const EXTRACT: f64 = 0.7;
/// The bytes of the narrowest elements that are gathered and scattered by an instruction.
const NARROWEST_GATHERED: u64 = 4;
/// Cycles of a lane that is gathered or scattered under a mask, and of one that LLVM loads or stores behind a branch of its own.
const MASKED_LANE: f64 = 2.0;
const BRANCH_OF_LANE: f64 = 5.0;
/// Cycles of a lane of a rest that is loaded or stored by itself. The lanes of a rest are the same in all iterations.
const LANE_OF_REST: f64 = 2.0;
/// The bits of vectors that are shuffled where arithmetic is done. (Measured on Sapphire Rapids: updates of rank 2k in five orders take 1, 1.16,
/// 1.67 times the cycles of the best one by arithmetic and shuffles in two pipes, and 1, 1.16 and 1.69 times its time.)
const SHUFFLED_IN_PIPES: f64 = 512.0;
/// Cycles of a shuffle of two vectors.
const TRANSPOSE: f64 = 1.0;
