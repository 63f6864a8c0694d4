//! The target for a processor by the name that LLVM has for it.
//!
//! Timings and caches are those of the preset for the processor that the code is tuned for, or else that it is compiled
//! for. A processor without a preset gets the level of x86-64, or the Arm core, that its features reach. What LLVM says of
//! vectors overrides the preset: `-mprefer-vector-width=256` narrows the vectors of a Zen 4. LLVM's sizes of caches do so
//! only where the processor has no preset, and not for x86-64, where LLVM has one guess, of an L2 of 256 KiB, for all.
//!
//! Example: `-march=x86-64-v3 -mtune=znver4` has Zen 4's timings and caches with 16 registers of 256 bits without masks.

use super::Target;

/// What LLVM says of a function's target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessorFacts {
    /// The architecture, as the target triple begins: `x86_64`, `aarch64`.
    pub architecture: String,
    /// The processor that the code is tuned for, where that is said apart (`-mtune`).
    pub tuned_for: Option<String>,
    /// The features, each with a sign as in the attribute `target-features`: `+avx2,-avx512f`.
    pub features: String,
    /// The width of vectors to use, in bits; 0 where there are none.
    pub vector_bits: Option<u32>,
    /// Whether the user said which width to use (`-mprefer-vector-width`).
    pub has_chosen_bits: bool,
    /// The number of vector registers.
    pub vector_registers: Option<u32>,
    /// The sizes of the data caches, in bytes, L1 first.
    pub cache_bytes: [Option<u64>; 2],
}

impl ProcessorFacts {
    /// Whether the feature is on, or off; `None` where it is not mentioned. Of several mentions the last one counts.
    fn feature(&self, name: &str) -> Option<bool> {
        let mentions = self.features.split(',').map(str::trim);
        mentions.rev().find_map(|mention| match mention.strip_prefix('+') {
            Some(on) => (on == name).then_some(true),
            None => (mention.strip_prefix('-')? == name).then_some(false),
        })
    }

    fn is_x86(&self) -> bool {
        self.architecture.starts_with("x86")
    }

    fn has(&self, name: &str) -> bool {
        self.feature(name) == Some(true)
    }

    /// The preset whose features are all there.
    fn generic(&self) -> &'static str {
        if self.architecture.starts_with("aarch64") || self.architecture.starts_with("arm64") {
            return if self.has("sve2") { "neoverse-v2" } else { "neoverse-n1" };
        }
        if AVX512.iter().all(|name| self.has(name)) {
            "x86-64-v4"
        } else if self.has("avx2") {
            "x86-64-v3"
        } else {
            "x86-64-v2"
        }
    }
}

/// What all server cores with vectors of 512 bits have.
const AVX512: [&str; 4] = ["avx512f", "avx512bw", "avx512dq", "avx512vl"];

/// LLVM's names of processors and the presets with their core, or with the one that is most like it.
const PROCESSORS: [(&str, &[&str]); 19] = [
    ("x86-64-v2", &["x86-64-v2"]),
    ("x86-64-v3", &["x86-64-v3"]),
    ("x86-64-v4", &["x86-64-v4"]),
    ("zen3", &["znver1", "znver2", "znver3"]),
    ("zen4", &["znver4"]),
    ("zen5", &["znver5"]),
    (
        "skylake-sp",
        &["skylake-avx512", "skx", "cascadelake", "cooperlake", "cannonlake"],
    ),
    ("icelake-sp", &["icelake-server"]),
    ("icelake", &["icelake-client", "tigerlake", "rocketlake"]),
    (
        "sapphire-rapids",
        &["sapphirerapids", "emeraldrapids", "graniterapids", "graniterapids-d"],
    ),
    ("alder-lake-p", &["alderlake"]),
    (
        "raptor-lake-p",
        &[
            "raptorlake",
            "meteorlake",
            "arrowlake",
            "arrowlake-s",
            "lunarlake",
            "pantherlake",
        ],
    ),
    (
        "neoverse-n1",
        &["neoverse-n1", "neoverse-n2", "cortex-a76", "cortex-a78"],
    ),
    ("neoverse-v1", &["neoverse-v1", "neoverse-512tvb", "cortex-x1"]),
    (
        "neoverse-v2",
        &["neoverse-v2", "neoverse-v3", "grace", "cortex-x3", "cortex-x4"],
    ),
    ("apple-m1", &["apple-m1", "apple-a14"]),
    ("apple-m2", &["apple-m2", "apple-a15"]),
    ("apple-m3", &["apple-m3", "apple-a16", "apple-a17"]),
    ("apple-m4", &["apple-m4", "apple-a18"]),
];

/// A feature of servers since Sapphire Rapids, and the preset of the first of these. `-march=native` calls one an older client where a
/// hypervisor has given it another model number.
const TILES: &str = "amx-tile";
const FIRST_WITH_TILES: &str = "sapphire-rapids";

/// The preset for LLVM's name of a processor.
fn preset_of(processor: &str) -> Option<&'static str> {
    let found = PROCESSORS.iter().find(|(_, names)| names.contains(&processor));
    found.map(|(preset, _)| *preset)
}

impl Target {
    /// The target for LLVM's name of a processor, with what LLVM says of it. Every name gives a well-formed target.
    pub fn for_processor(processor: &str, facts: &ProcessorFacts) -> Target {
        let tuned_for = facts.tuned_for.as_deref().and_then(preset_of);
        let compiled_for = match facts.has(TILES) {
            true => Some(FIRST_WITH_TILES),
            false => preset_of(processor),
        };
        let name = tuned_for.or(compiled_for).unwrap_or_else(|| facts.generic());
        let preset = Target::preset(name).unwrap_or_default();
        // What instructions there are is said by the processor that the code has to run on.
        let instructions = compiled_for.unwrap_or_else(|| facts.generic());
        let mut target = Target {
            vector: Target::preset(instructions).unwrap_or_default().vector,
            ..preset.clone()
        };
        target.apply_vectors(facts);
        if tuned_for.or(compiled_for).is_none() && !facts.is_x86() {
            target.apply_caches(facts);
        }
        // Facts that do not fit together are not used.
        if target.verify().is_err() { preset } else { target }
    }

    fn apply_vectors(&mut self, facts: &ProcessorFacts) {
        let vector = &mut self.vector;
        vector.bits = facts.vector_bits.map_or(vector.bits, |bits| bits.max(64));
        vector.registers = facts.vector_registers.unwrap_or(vector.registers).max(1);
        let has_wide = AVX512.iter().all(|name| facts.feature(name) != Some(false));
        vector.bits_of_lanes = vector.bits_of_lanes.filter(|_| has_wide && !facts.has_chosen_bits);
        // All of AArch64 has fused multiply-add, with its floating point.
        let [masks, gathers, fused] = match facts.is_x86() {
            true => ["avx512vl", "avx2", "fma"],
            false => ["sve", "sve", "fp-armv8"],
        };
        vector.masks = facts.feature(masks).unwrap_or(vector.masks);
        vector.gathers = facts.feature(gathers).unwrap_or(vector.gathers);
        vector.fused = facts.feature(fused).unwrap_or(vector.fused);
    }

    /// Takes over the sizes of caches, where each is still between its neighbours. The number of sets changes with it.
    fn apply_caches(&mut self, facts: &ProcessorFacts) {
        for (level, bytes) in facts.cache_bytes.iter().enumerate() {
            let Some(bytes) = *bytes else { continue };
            let mut changed = self.clone();
            if let Some(cache) = changed.caches.get_mut(level) {
                cache.bytes = bytes;
            }
            if changed.verify().is_ok() {
                *self = changed;
            }
        }
    }
}
