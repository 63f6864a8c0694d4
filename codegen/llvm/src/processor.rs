//! What LLVM says of the processor that a function is compiled for.

use crate::ffi::{self, Text};
use crate::run::Run;

/// The processor of a function: what its attributes say, and what LLVM's target information makes of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Processor {
    /// The architecture, as the target triple begins.
    pub architecture: String,
    /// LLVM's name of the processor that the code has to run on (`target-cpu`); empty where the function does not say.
    pub name: String,
    /// The processor that the code is tuned for (`tune-cpu`); empty where that is not said apart.
    pub tuned_for: String,
    /// The features, each with a sign: `+avx2,-avx512f`.
    pub features: String,
    /// The width of vectors of fixed length to use, in bits, which `prefer-vector-width` may limit; 0 without vectors.
    pub vector_bits: u32,
    /// Whether the user said which width to use (`-mprefer-vector-width`).
    pub has_chosen_vector_bits: bool,
    /// The number of vector registers.
    pub vector_registers: u32,
    /// The sizes of the data caches in bytes, L1 first, where LLVM has any.
    pub cache_bytes: [Option<u64>; 2],
}

impl Run<'_> {
    /// What the function's target is.
    pub fn processor(&self) -> Processor {
        Processor {
            architecture: self.architecture(),
            name: self.attribute("target-cpu"),
            tuned_for: self.attribute("tune-cpu"),
            features: self.attribute("target-features"),
            vector_bits: self.vector_bits(),
            has_chosen_vector_bits: !self.attribute("prefer-vector-width").is_empty(),
            vector_registers: self.vector_registers(),
            cache_bytes: [self.cache_bytes(1), self.cache_bytes(2)],
        }
    }

    /// Lets the function use vectors of so many bits, where its processor has them: one that LLVM's vectorizer keeps to narrower ones for has
    /// a limit for all code.
    pub fn allow_vectors(&self, bits: u32) {
        // SAFETY: the run is live.
        unsafe { ffi::farkas_allow_vectors(self.raw(), bits) }
    }

    /// The architecture, as the target triple begins; empty where the module has none.
    pub fn architecture(&self) -> String {
        // SAFETY: the run is live and the sink is the one of `collect_text`.
        ffi::collect_text(|sink, context| unsafe { ffi::farkas_target_architecture(self.raw(), sink, context) })
    }

    /// The value of a function attribute; empty where there is none.
    fn attribute(&self, name: &str) -> String {
        // SAFETY: the run is live, the name is lent for the call, and the sink is the one of `collect_text`.
        ffi::collect_text(|sink, context| unsafe {
            ffi::farkas_function_attribute(self.raw(), Text::new(name), sink, context)
        })
    }

    fn vector_bits(&self) -> u32 {
        // SAFETY: the run is live.
        unsafe { ffi::farkas_target_vector_bits(self.raw()) }
    }

    fn vector_registers(&self) -> u32 {
        // SAFETY: the run is live.
        unsafe { ffi::farkas_target_vector_registers(self.raw()) }
    }

    fn cache_bytes(&self, level: u32) -> Option<u64> {
        // SAFETY: the run is live.
        let bytes = unsafe { ffi::farkas_target_cache_size(self.raw(), level) };
        (bytes > 0).then_some(bytes.into())
    }
}
