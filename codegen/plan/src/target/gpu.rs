//! What is known of a GPU, in CUDA's terms.
//!
//! The presets have the numbers of NVIDIA's whitepapers on Volta, Ampere, Ada and Hopper, and limits per compute
//! capability from the CUDA programming guide. Rates are for the clock given, without tensor cores. `launch` and
//! `link_bandwidth` are round numbers: what a launch took on an H200, and what PCI Express of that generation carries
//! in practice.

use serde::{Deserialize, Serialize};

/// A GPU.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gpu {
    /// The name, for people.
    pub name: String,
    /// The compute capability: major and minor number, `[9, 0]` for `sm_90`.
    pub compute_capability: [u32; 2],
    /// The clock under load, in GHz.
    pub clock: f64,
    /// The number of multiprocessors (SMs).
    pub multiprocessors: u32,
    /// The threads of a warp.
    pub warp: u32,
    /// The largest number of threads in a block.
    pub threads_per_block: u32,
    /// The largest number of threads resident on a multiprocessor.
    pub threads_per_multiprocessor: u32,
    /// The largest number of blocks resident on a multiprocessor.
    pub blocks_per_multiprocessor: u32,
    /// The registers of 32 bits of a multiprocessor.
    pub registers_per_multiprocessor: u32,
    /// The largest number of registers of a thread.
    pub registers_per_thread: u32,
    /// The bytes of shared memory of a multiprocessor.
    pub shared_per_multiprocessor: u64,
    /// The bytes of shared memory that one block may use, after asking for more than 48 KiB.
    pub shared_per_block: u64,
    /// The bytes of the L2 cache.
    pub l2_bytes: u64,
    /// The bandwidth of its memory, in GB/s.
    pub bandwidth: f64,
    /// The `float` operations per cycle of a multiprocessor; a fused multiply-add counts two.
    pub fp32_per_cycle: f64,
    /// The `double` operations per cycle of a multiprocessor.
    pub fp64_per_cycle: f64,
    /// What it takes to launch a kernel and wait for it, in microseconds.
    pub launch: f64,
    /// The bandwidth between the host's memory and the GPU's, in GB/s.
    pub link_bandwidth: f64,
}

impl Gpu {
    /// The preset of this name.
    pub fn preset(name: &str) -> Option<Gpu> {
        let make = PRESETS.iter().find(|(preset, _)| *preset == name)?.1;
        Some(Gpu {
            name: name.to_owned(),
            ..make()
        })
    }

    /// The preset for a processor such as `sm_90`: the first one that has at least its compute capability, or else the last one.
    pub fn of_processor(processor: &str) -> Gpu {
        let number = capability_of(processor);
        let capability = |gpu: &Gpu| gpu.compute_capability[0] * 10 + gpu.compute_capability[1];
        let all: Vec<Gpu> = Gpu::names().filter_map(Gpu::preset).collect();
        let found = all.iter().find(|gpu| capability(gpu) >= number).or(all.last());
        found.expect("there are presets").clone()
    }

    /// The names of all presets.
    pub fn names() -> impl Iterator<Item = &'static str> {
        PRESETS.iter().map(|(name, _)| *name)
    }
}

/// What kernels may use of a processor that not all have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// Copies from memory to shared memory that a thread waits for later (`cp.async`).
    pub asynchronous_copies: bool,
    /// Instructions by which a warp multiplies matrices of `double` (`mma.m16n8k4`).
    pub fp64_mma: bool,
}

impl Features {
    /// Those of a processor such as `sm_90`.
    pub fn of_processor(processor: &str) -> Features {
        Features::of_capability(capability_of(processor))
    }

    /// Those of a GPU.
    pub fn of_gpu(gpu: &Gpu) -> Features {
        let [major, minor] = gpu.compute_capability;
        Features::of_capability(major * 10 + minor)
    }

    fn of_capability(capability: u32) -> Features {
        Features {
            asynchronous_copies: capability >= 80,
            fp64_mma: capability >= 90,
        }
    }
}

/// The compute capability of a processor such as `sm_90a`, times ten; 0 for another name.
fn capability_of(processor: &str) -> u32 {
    let number = processor.trim_start_matches("sm_");
    let number = number.trim_end_matches(|c: char| !c.is_ascii_digit());
    number.parse().unwrap_or(0)
}

/// A name and the function that makes the preset.
type Preset = (&'static str, fn() -> Gpu);

const PRESETS: [Preset; 5] = [
    ("v100", v100),
    ("a100", a100),
    ("rtx4090", rtx4090),
    ("h100", h100),
    ("h200", h200),
];

fn v100() -> Gpu {
    Gpu {
        name: String::new(),
        compute_capability: [7, 0],
        clock: 1.53,
        multiprocessors: 80,
        warp: 32,
        threads_per_block: 1024,
        threads_per_multiprocessor: 2048,
        blocks_per_multiprocessor: 32,
        registers_per_multiprocessor: 65536,
        registers_per_thread: 255,
        shared_per_multiprocessor: 96 << 10,
        shared_per_block: 96 << 10,
        l2_bytes: 6 << 20,
        bandwidth: 900.0,
        fp32_per_cycle: 128.0,
        fp64_per_cycle: 64.0,
        launch: 9.0,
        link_bandwidth: 12.0,
    }
}

fn a100() -> Gpu {
    Gpu {
        compute_capability: [8, 0],
        clock: 1.41,
        multiprocessors: 108,
        shared_per_multiprocessor: 164 << 10,
        shared_per_block: 163 << 10,
        l2_bytes: 40 << 20,
        bandwidth: 1555.0,
        link_bandwidth: 25.0,
        ..v100()
    }
}

fn rtx4090() -> Gpu {
    Gpu {
        compute_capability: [8, 9],
        clock: 2.52,
        multiprocessors: 128,
        threads_per_multiprocessor: 1536,
        blocks_per_multiprocessor: 24,
        shared_per_multiprocessor: 100 << 10,
        shared_per_block: 99 << 10,
        l2_bytes: 72 << 20,
        bandwidth: 1008.0,
        fp32_per_cycle: 256.0,
        fp64_per_cycle: 4.0,
        link_bandwidth: 25.0,
        ..v100()
    }
}

fn h100() -> Gpu {
    Gpu {
        compute_capability: [9, 0],
        clock: 1.98,
        multiprocessors: 132,
        shared_per_multiprocessor: 228 << 10,
        shared_per_block: 227 << 10,
        l2_bytes: 50 << 20,
        bandwidth: 3352.0,
        fp32_per_cycle: 256.0,
        fp64_per_cycle: 128.0,
        link_bandwidth: 50.0,
        ..v100()
    }
}

fn h200() -> Gpu {
    Gpu {
        bandwidth: 4800.0,
        ..h100()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_have_the_first_preset_that_they_run_on() {
        let of = |processor: &str| Gpu::of_processor(processor).name;
        assert_eq!([of("sm_70"), of("sm_75"), of("sm_80")], ["v100", "a100", "a100"]);
        assert_eq!([of("sm_89"), of("sm_90"), of("sm_90a")], ["rtx4090", "h100", "h100"]);
        assert_eq!(of("sm_120"), "h200");
    }
}
