//! What makes a target well-formed.
//!
//! Checked are:
//! - all numbers are positive and finite;
//! - the vector width and the sizes of lines are powers of two, the width between 64 and 2048 bits;
//! - there are one to four caches; each is a whole number of sets, and L1, which is indexed by bits of the address, a
//!   power of two of them;
//! - from each cache to the next one, and to memory: size and latency grow, lines and the number of cores that share it
//!   do not shrink, bandwidth does not grow;
//! - all cores together read at least as fast from memory as one;
//! - a GPU's warp is a power of two, a block is whole warps and fits on a multiprocessor.

use super::{Cache, Gpu, Target};
use std::fmt;

/// What is wrong with a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defect {
    /// The field, as in the file: `caches[1].bytes`.
    pub field: String,
    /// What is wrong with it.
    pub what: String,
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.field, self.what)
    }
}

impl Target {
    /// Checks that the target is well-formed.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn verify(&self) -> Result<(), Vec<Defect>> {
        let mut check = Check { defects: Vec::new() };
        check.positive("cores", self.cores.into());
        check.positive("clock", self.clock);
        check.positive("issue_width", self.issue_width.into());
        check.positive("window", self.window.into());
        check.positive("prefetch_streams", self.prefetch_streams.into());
        check.positive("rows_side_by_side", self.rows_side_by_side);
        check.vector_bits("vector.bits", self.vector.bits);
        if let Some(bits) = self.vector.bits_of_lanes {
            check.vector_bits("vector.bits_of_lanes", bits);
        }
        check.positive("vector.registers", self.vector.registers.into());
        for (name, timing) in self.operations.all() {
            check.positive(format_args!("operations.{name}.latency"), timing.latency);
            check.positive(format_args!("operations.{name}.per_cycle"), timing.per_cycle);
            if let Some(bits) = timing.bits_per_cycle {
                check.positive(format_args!("operations.{name}.bits_per_cycle"), bits);
            }
        }
        check.memory_hierarchy(self);
        if let Some(gpu) = &self.gpu {
            check.gpu(gpu);
        }
        match check.defects.is_empty() {
            true => Ok(()),
            false => Err(check.defects),
        }
    }
}

/// A field of a cache.
struct Field {
    level: usize,
    name: &'static str,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "caches[{}].{}", self.level, self.name)
    }
}

/// The defects found so far.
struct Check {
    defects: Vec<Defect>,
}

impl Check {
    fn defect(&mut self, field: impl fmt::Display, what: &str) {
        self.defects.push(Defect {
            field: field.to_string(),
            what: what.to_owned(),
        });
    }

    fn positive(&mut self, field: impl fmt::Display, value: f64) {
        if !(value.is_finite() && value > 0.0) {
            self.defect(field, &format!("is {value}: expected a positive number"));
        }
    }

    fn vector_bits(&mut self, field: &str, bits: u32) {
        self.power_of_two(field, bits.into());
        if !(64..=2048).contains(&bits) {
            self.defect(field, "is not between 64 and 2048");
        }
    }

    fn power_of_two(&mut self, field: impl fmt::Display, value: u64) {
        if !value.is_power_of_two() {
            self.defect(field, &format!("is {value}: expected a power of two"));
        }
    }

    /// Checks the caches and the memory behind them.
    fn memory_hierarchy(&mut self, target: &Target) {
        if !(1..=4).contains(&target.caches.len()) {
            self.defect("caches", "are not one to four levels");
        }
        for (level, cache) in target.caches.iter().enumerate() {
            self.cache(level, cache, target.cores);
        }
        for (level, pair) in target.caches.windows(2).enumerate() {
            self.next_level(level + 1, &pair[0], &pair[1]);
        }
        let memory = target.memory;
        self.positive("memory.latency", memory.latency);
        self.positive("memory.bandwidth", memory.bandwidth);
        self.positive("memory.total_bandwidth", memory.total_bandwidth);
        self.positive("memory.rows_in_lanes", memory.rows_in_lanes);
        if memory.total_bandwidth < memory.bandwidth {
            self.defect("memory.total_bandwidth", "is less than that of one core");
        }
        if let Some(last) = target.caches.last() {
            if memory.latency <= last.latency {
                self.defect("memory.latency", "is not above that of the last cache");
            }
            if memory.bandwidth > last.bandwidth {
                self.defect("memory.bandwidth", "is above that of the last cache");
            }
        }
    }

    fn cache(&mut self, level: usize, cache: &Cache, cores: u32) {
        let field = |name| Field { level, name };
        self.positive(field("bytes"), cache.bytes as f64);
        self.positive(field("associativity"), cache.associativity.into());
        self.positive(field("latency"), cache.latency);
        self.positive(field("bandwidth"), cache.bandwidth);
        self.positive(field("written"), cache.written);
        self.positive(field("side_by_side"), cache.side_by_side);
        self.positive(field("shared_by"), cache.shared_by.into());
        self.power_of_two(field("line"), cache.line.into());
        if cache.shared_by > cores {
            self.defect(field("shared_by"), "is more than the cores that there are");
        }
        let set = u64::from(cache.line) * u64::from(cache.associativity);
        if set == 0 {
            return;
        }
        if !cache.bytes.is_multiple_of(set) {
            let what = format!("is not a multiple of a set, which has {set} bytes");
            self.defect(field("bytes"), &what);
        } else if level == 0 && !cache.sets().is_power_of_two() {
            let what = format!("makes {} sets: expected a power of two", cache.sets());
            self.defect(field("bytes"), &what);
        }
    }

    /// Checks `next`, the cache of this level, against the one above it.
    fn next_level(&mut self, level: usize, above: &Cache, next: &Cache) {
        let field = |name| Field { level, name };
        if next.bytes <= above.bytes {
            self.defect(field("bytes"), "is not above that of the level before");
        }
        if next.latency <= above.latency {
            self.defect(field("latency"), "is not above that of the level before");
        }
        if next.line < above.line {
            self.defect(field("line"), "is below that of the level before");
        }
        if next.shared_by < above.shared_by {
            self.defect(field("shared_by"), "is below that of the level before");
        }
        if next.bandwidth > above.bandwidth {
            self.defect(field("bandwidth"), "is above that of the level before");
        }
    }

    fn gpu(&mut self, gpu: &Gpu) {
        for (name, value) in [
            ("clock", gpu.clock),
            ("multiprocessors", gpu.multiprocessors.into()),
            ("threads_per_block", gpu.threads_per_block.into()),
            ("blocks_per_multiprocessor", gpu.blocks_per_multiprocessor.into()),
            ("registers_per_multiprocessor", gpu.registers_per_multiprocessor.into()),
            ("registers_per_thread", gpu.registers_per_thread.into()),
            ("shared_per_block", gpu.shared_per_block as f64),
            ("l2_bytes", gpu.l2_bytes as f64),
            ("bandwidth", gpu.bandwidth),
            ("fp32_per_cycle", gpu.fp32_per_cycle),
            ("fp64_per_cycle", gpu.fp64_per_cycle),
            ("launch", gpu.launch),
            ("link_bandwidth", gpu.link_bandwidth),
        ] {
            self.positive(format_args!("gpu.{name}"), value);
        }
        self.power_of_two("gpu.warp", gpu.warp.into());
        if gpu.warp > 0 && !gpu.threads_per_block.is_multiple_of(gpu.warp) {
            self.defect("gpu.threads_per_block", "is not a multiple of a warp");
        }
        if gpu.threads_per_multiprocessor < gpu.threads_per_block {
            self.defect("gpu.threads_per_multiprocessor", "is below that of a block");
        }
        if gpu.shared_per_multiprocessor < gpu.shared_per_block {
            self.defect("gpu.shared_per_multiprocessor", "is below that of a block");
        }
    }
}
