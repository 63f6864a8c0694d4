//! The cost of inspecting arrays in front of the new code.

use super::Model;
use crate::analysis::levels;

/// Cycles to begin and to end the passes over an array, and the interval arithmetic behind them.
const PASS: f64 = 40.0;

/// Cycles of a pass for each byte. LLVM vectorizes the pass. (Measured on Zen 3, with vectors of 256 bits, in nanoseconds a byte: 0.015 for
/// integers of 32 bits, 0.018 of 64, 0.022 of 16 and 0.045 of 8, in all caches and in memory.)
const BYTE: f64 = 0.1;

impl Model<'_> {
    /// The cycles of the inspector.
    pub(crate) fn inspector(&self) -> f64 {
        let is_inspected = |index: usize| self.program.arrays[index].is_inspected;
        if !(0..self.program.arrays.len()).any(is_inspected) {
            return 0.0;
        }
        let sizes = self.sizes_touched(&levels::of_original(self.program));
        let inspected = sizes.iter().filter(|(array, _)| is_inspected(array.0));
        inspected.map(|(_, bytes)| PASS + bytes * BYTE).sum()
    }
}
