//! What is known of the machine that code is planned for: data only.
//!
//! A [`Target`] says how long operations take, how many start per cycle, how large the caches are, and how many bytes
//! cross each level per cycle. It knows nothing of programs; the cost model combines both. All times are cycles of the
//! core, all sizes bytes.
//!
//! A target comes from a preset ([`Target::preset`]), from a file in TOML (`text`), or from the processor's name in LLVM
//! together with what LLVM says of it (`processor`). Example of a file, which changes two numbers of a preset:
//!
//! ```toml
//! base = "zen4"
//! cores = 16
//! [vector]
//! bits = 256
//! ```

mod gpu;
mod operations;
mod presets;
mod processor;
mod text;
mod verify;

pub use gpu::{Features, Gpu};
pub use operations::{OperationCost, OperationCosts, Timing};
pub use processor::ProcessorFacts;
pub use text::TargetError;
pub use verify::Defect;

use serde::{Deserialize, Serialize};

/// A machine: one core in detail, what its cores share, and a GPU if there is one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// The name, for people.
    pub name: String,
    /// The number of cores that one process may use.
    pub cores: u32,
    /// The clock under load, in GHz: what converts times of memory, which does not follow the core's clock, to cycles.
    pub clock: f64,
    /// The number of instructions that can be renamed, and so started, per cycle, of all kinds together.
    pub issue_width: u32,
    /// The number of instructions that can be in flight (entries of the reorder buffer): bounds how many iterations
    /// overlap.
    pub window: u32,
    /// The number of sequential streams that the hardware prefetchers follow at the same time.
    pub prefetch_streams: u32,
    /// The share of the time for bytes of several rows that are fetched into L2 or L3 side by side, of that of rows one after the other. One if
    /// a target file does not say.
    #[serde(default = "nothing_more")]
    pub rows_side_by_side: f64,
    /// The data caches, L1 first.
    pub caches: Vec<Cache>,
    /// The vector registers and what can be done with them.
    pub vector: VectorUnit,
    /// How long operations take.
    pub operations: OperationCosts,
    /// What is behind the last cache.
    pub memory: Memory,
    /// A GPU, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gpu: Option<Gpu>,
}

/// The vector registers and what can be done with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VectorUnit {
    /// The width of the widest vector that is to be used, in bits; 64 where there are only scalars.
    pub bits: u32,
    /// The width of the widest vector for lanes along a loop, in bits, where that is more. LLVM's vectorizer keeps to 256 bits on processors of
    /// which some have one unit of 512 bits only, or lower their clock for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bits_of_lanes: Option<u32>,
    /// The number of registers that the program can name.
    pub registers: u32,
    /// Whether loads, stores and arithmetic can leave lanes out by a mask.
    pub masks: bool,
    /// Whether one instruction loads lanes from addresses of their own.
    pub gathers: bool,
    /// Whether one instruction multiplies and adds.
    pub fused: bool,
}

/// A level of the data caches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cache {
    /// The size in bytes, of the whole cache if it is shared.
    pub bytes: u64,
    /// The size of a line in bytes.
    pub line: u32,
    /// The number of lines in a set. The number of sets is `bytes / (line * associativity)`.
    pub associativity: u32,
    /// The cycles from a load that hits to the use of an integer. To a vector register it may take longer:
    /// [`OperationCosts::load`].
    pub latency: f64,
    /// The bytes per cycle that the level delivers to the one above it, to one core; for L1, to the registers.
    pub bandwidth: f64,
    /// How many times as long a line of this level takes that is written, and goes back to it, beside one that is only read. One if a
    /// target file does not say.
    #[serde(default = "nothing_more")]
    pub written: f64,
    /// How many times as long bytes of this level take into L1 where jammed rows are read side by side. Only L2 is asked for it: see
    /// [`Target::rows_side_by_side`] for what comes from further away. One if a target file does not say.
    #[serde(default = "nothing_more")]
    pub side_by_side: f64,
    /// The number of cores that share it.
    pub shared_by: u32,
}

/// The factor of what costs nothing more.
fn nothing_more() -> f64 {
    1.0
}

/// What is behind the last cache.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// The cycles from a load that misses all caches to its use.
    pub latency: f64,
    /// The bytes per cycle that one core can read, prefetchers included.
    pub bandwidth: f64,
    /// The bytes per cycle that all cores together can read.
    pub total_bandwidth: f64,
    /// The share of the time that bytes of rows take that are lanes: prefetchers fetch all rows ahead. One if a target file does not say.
    #[serde(default = "nothing_more")]
    pub rows_in_lanes: f64,
}

impl VectorUnit {
    /// The width of the widest vector for lanes along a loop, in bits.
    pub fn bits_of_lanes(&self) -> u32 {
        self.bits_of_lanes.map_or(self.bits, |bits| bits.max(self.bits))
    }

    /// The narrowest elements, in bits, of which a load or a store can leave out lanes; `None` where there is no instruction for it.
    /// Machines that gather can at least do so with 32 bits: AVX2 has both, and SVE has masks for everything.
    pub fn narrowest_masked(&self) -> Option<u32> {
        match (self.masks, self.gathers) {
            (true, _) => Some(8),
            (false, true) => Some(32),
            (false, false) => None,
        }
    }
}

impl Cache {
    /// The number of sets.
    pub fn sets(&self) -> u64 {
        self.bytes / (u64::from(self.line) * u64::from(self.associativity)).max(1)
    }
}

impl Target {
    /// The preset of this name.
    pub fn preset(name: &str) -> Option<Target> {
        presets::PRESETS
            .iter()
            .find(|(preset, _)| *preset == name)
            .map(|(name, make)| Target {
                name: (*name).to_owned(),
                ..make()
            })
    }

    /// The names of all presets.
    pub fn names() -> impl Iterator<Item = &'static str> {
        presets::PRESETS.iter().map(|(name, _)| *name)
    }
}

impl Default for Target {
    /// What is planned for where nothing is known: `x86-64-v3`.
    fn default() -> Self {
        Target::preset("x86-64-v3").expect("a preset")
    }
}

#[cfg(test)]
mod tests;
