//! Dependence analysis (P0 section 3).
//!
//! # The engine
//!
//! A *dependence* relates a *source*, an instance that accesses an element of an array, to a *sink* that accesses it later
//! and may see what the source has left there. What sources and sinks are, and what hides a source from a sink, is the
//! caller's choice ([`AccessInfo`], P0 section 3.1). With writes as must-sources and reads as sinks this is exact dataflow
//! analysis; without must-sources and kills, it is memory-based. Both are exact over the integers, for quasi-affine
//! accesses and schedules, and for schedules that leave instances unordered.
//!
//! [`mod@derive`] makes of it the dependences that a schedule has to respect, with or without live-range reordering.
//!
//! | module | what |
//! |---|---|
//! | `access_info` | input and result of the engine |
//! | `order` | schedules: which instance comes before which |
//! | `engine` | the engine |
//! | `text` | `.ai` and `.flow` files |
//! | [`mod@derive`] | the dependences of a piece of a program, as several calls of the engine |
//! | `value`, `memory` | those of a [`Program`] in one go |
//!
//! # The dependences of a program in one go
//!
//! [`analyze`] finds all dependences between the statements of a [`Program`] together, for orders that are total. An
//! instance `T[j]` has to stay after `S[i]` because both access the same element and one of them writes it. *Memory-based*
//! dependences are all such pairs. *Value-based* ones are those with no definite write of the element between the two:
//!
//! - *flow*: a read depends on the last must-write before it, and on the may-writes between that and the read;
//! - *output*: so does a write;
//! - *anti*: a write depends on the reads since the last must-write before it.
//!
//! What is left out is implied: if a must-write `W` comes between `S[i]` and `T[j]`, then there are value-based
//! dependences from `S[i]` to `W` and from `W` to `T[j]`, or chains of them. So a schedule respects the memory-based
//! dependences if and only if it respects the value-based flow, anti and output dependences together. In
//!
//! ```c
//! for (i = 0; i < n; i++) {
//!   s = 0;                  // S0[i] at time [i, 0]
//!   s = s + A[i];           // S1[i] at time [i, 1]
//!   B[i] = s;               // S2[i] at time [i, 2]
//! }
//! ```
//!
//! the flow dependences are `S0[i] -> S1[i]` and `S1[i] -> S2[i]`, the anti dependences `S2[i] -> S0[i + 1]`, the
//! output dependences `S0[i] -> S1[i]` and `S1[i] -> S0[i + 1]`.
//!
//! An instance reads before it writes.

mod access_info;
pub mod derive;
mod engine;
mod memory;
mod order;
mod text;
mod value;

use crate::budget::{Budget, Outcome};
use crate::program::Program;
use crate::sets::{Params, Tuple, UnionMap};
use indexmap::IndexMap;
use value::{Reductions, Sinks};

pub use access_info::{AccessInfo, Flow};
pub use memory::{memory_based, memory_based_by_array};
pub use order::{Order, OrderError};
pub use text::FlowError;

/// Value-based dependences, from source instances to sink instances, and what enters the program.
#[derive(Clone, Debug)]
pub struct Dependences {
    /// From writes to reads.
    pub flow: UnionMap,
    /// From reads to writes.
    pub anti: UnionMap,
    /// From writes to writes.
    pub output: UnionMap,
    /// The elements that an instance reads and that no instance has definitely written before: from instances to
    /// elements.
    pub live_in: UnionMap,
}

impl Dependences {
    fn empty(params: Params) -> Dependences {
        Dependences {
            flow: UnionMap::empty(params.clone()),
            anti: UnionMap::empty(params.clone()),
            output: UnionMap::empty(params.clone()),
            live_in: UnionMap::empty(params),
        }
    }

    /// Those of several arrays together.
    pub fn of_arrays<'a>(params: Params, arrays: impl IntoIterator<Item = &'a Dependences>) -> Dependences {
        let mut out = Dependences::empty(params);
        for one in arrays {
            for (all, part) in [
                (&mut out.flow, &one.flow),
                (&mut out.anti, &one.anti),
                (&mut out.output, &one.output),
                (&mut out.live_in, &one.live_in),
            ] {
                part.maps().for_each(|map| all.add(map));
            }
        }
        out
    }

    /// The same in fewer conjunctions.
    fn compact(&self, b: &Budget) -> Outcome<Dependences> {
        Ok(Dependences {
            flow: self.flow.compact(b)?,
            anti: self.anti.compact(b)?,
            output: self.output.compact(b)?,
            live_in: self.live_in.compact(b)?,
        })
    }

    /// All dependences together: what a schedule has to respect.
    pub fn all(&self, b: &Budget) -> Outcome<UnionMap> {
        self.flow.union(&self.anti).union(&self.output).compact(b)
    }
}

/// The value-based dependences of a program, for parameter values in its context.
///
/// # Errors
///
/// If the budget is spent.
pub fn analyze(program: &Program, b: &Budget) -> Outcome<Dependences> {
    let by_array = value::analyze(program, Sinks::All, Reductions::Ordered, b)?;
    Dependences::of_arrays(program.context.params().clone(), by_array.values()).compact(b)
}

/// As [`analyze`], for each array by itself.
///
/// # Errors
///
/// If the budget is spent.
pub fn analyze_by_array(program: &Program, b: &Budget) -> Outcome<IndexMap<Tuple, Dependences>> {
    let by_array = value::analyze(program, Sinks::All, Reductions::Ordered, b)?;
    let compact = |(array, dependences): (Tuple, Dependences)| Ok((array, dependences.compact(b)?));
    by_array.into_iter().map(compact).collect()
}

/// Of [`analyze`], only what flows, and what comes in: of each value that is read, where it was written. In conjunctions as they
/// were found, of which some may be empty.
///
/// # Errors
///
/// If the budget is spent.
pub fn analyze_reads(program: &Program, b: &Budget) -> Outcome<Dependences> {
    let by_array = value::analyze(program, Sinks::Reads, Reductions::Ordered, b)?;
    Ok(Dependences::of_arrays(
        program.context.params().clone(),
        by_array.values(),
    ))
}

/// The elements that an instance writes and that no later instance definitely overwrites: from instances to elements.
///
/// # Errors
///
/// If the budget is spent.
pub fn live_out(program: &Program, b: &Budget) -> Outcome<UnionMap> {
    value::live_out(program, b)
}

/// As [`analyze`], without the dependences between instances that combine values of an element by one operation, which may come in any order. In
///
/// ```c
/// s = 0;                    // S0[]
/// for (i = 0; i < n; i++)
///   s = s + A[i];           // S1[i], a reduction
/// B = s;                    // S2[]
/// ```
///
/// the flow dependences are `S0[] -> S1[i]` and `S1[i] -> S2[]` for all `i`.
///
/// A schedule that respects these may only be executed one instance after the other: where instances come together, the
/// dependences of [`analyze`] count.
///
/// # Errors
///
/// If the budget is spent.
pub fn analyze_unordered_reductions(program: &Program, b: &Budget) -> Outcome<Dependences> {
    let by_array = value::analyze(program, Sinks::All, Reductions::Unordered, b)?;
    Dependences::of_arrays(program.context.params().clone(), by_array.values()).compact(b)
}
