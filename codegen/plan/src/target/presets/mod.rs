//! The machines whose numbers come with Farkas.
//!
//! Timings of operations are those of LLVM 22's scheduling models (`llvm-mca`), corrected where a vendor's optimization
//! guide or published measurements (Agner Fog's tables, uops.info) say otherwise; each file names what differs. Caches are
//! the vendors' data. Latencies and bandwidths of caches and memory are what microbenchmarks that were published for the
//! machine measure on one busy core, rounded: they differ by a tenth and more between products with the same core, and
//! serve to compare plans. The number of prefetched streams is no vendor's promise: Intel documents 32 for its L2
//! streamer, the others are guesses that are rather too low.

mod amd;
mod apple;
mod arm;
mod intel;
mod x86_64;

use super::{Cache, Target, Timing};

/// A name and the function that makes the preset, whose own name is empty.
type Preset = (&'static str, fn() -> Target);

/// All presets.
pub(super) const PRESETS: [Preset; 19] = [
    ("x86-64-v2", x86_64::v2),
    ("x86-64-v3", x86_64::v3),
    ("x86-64-v4", x86_64::v4),
    ("zen3", amd::zen3),
    ("zen4", amd::zen4),
    ("zen5", amd::zen5),
    ("skylake-sp", intel::skylake_sp),
    ("icelake-sp", intel::icelake_sp),
    ("icelake", intel::icelake),
    ("sapphire-rapids", intel::sapphire_rapids),
    ("alder-lake-p", intel::alder_lake_p),
    ("raptor-lake-p", intel::raptor_lake_p),
    ("neoverse-n1", arm::neoverse_n1),
    ("neoverse-v1", arm::neoverse_v1),
    ("neoverse-v2", arm::neoverse_v2),
    ("apple-m1", apple::m1),
    ("apple-m2", apple::m2),
    ("apple-m3", apple::m3),
    ("apple-m4", apple::m4),
];

/// A timing with a vector form.
const fn vector(latency: f64, per_cycle: f64, bits_per_cycle: f64) -> Timing {
    Timing {
        latency,
        per_cycle,
        bits_per_cycle: Some(bits_per_cycle),
    }
}

/// A timing without one.
const fn scalar(latency: f64, per_cycle: f64) -> Timing {
    Timing {
        latency,
        per_cycle,
        bits_per_cycle: None,
    }
}

/// A call of a function of the mathematical library, such as `exp` on a `double`: about 20 nanoseconds on any of these
/// machines, of which two to three calls overlap.
const CALL: Timing = scalar(60.0, 0.04);

/// The share of the time that rows side by side take, where prefetchers follow each: measured on Zen 4, and taken for all machines that were not
/// measured.
const ROWS_SIDE_BY_SIDE: f64 = 0.6;

/// A cache with lines of 64 bytes.
const fn cache(kib: u64, associativity: u32, latency: f64, bandwidth: f64, shared_by: u32) -> Cache {
    Cache {
        bytes: kib << 10,
        line: 64,
        associativity,
        latency,
        bandwidth,
        written: 1.0,
        side_by_side: 1.0,
        shared_by,
    }
}
