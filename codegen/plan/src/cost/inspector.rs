//! The cost of inspecting arrays in front of the new code.

use super::Model;
use super::traffic::LargestSizes;
use crate::analysis::levels;

/// Cycles to begin and to end the passes over an array, and the interval arithmetic behind them.
const PASS: f64 = 40.0;

/// Cycles of a pass for each byte. LLVM vectorizes the pass. (Measured on Zen 3, with vectors of 256 bits: 0.05 for integers of 32 bits, 0.065
/// of 64, 0.08 of 16 and 0.16 of 8, in all caches and in memory.)
const BYTE: f64 = 0.1;

impl Model<'_> {
    /// The cycles of the inspector.
    pub(crate) fn inspector(&self) -> f64 {
        let is_inspected = |index: usize| self.program.arrays[index].is_inspected;
        if !(0..self.program.arrays.len()).any(is_inspected) {
            return 0.0;
        }
        let mut sizes = LargestSizes::default();
        for (tuple, nest) in &self.nests(&levels::of_original(self.program)) {
            for (array, touched) in self.touched(tuple, &nest.loops, &self.target.caches[0]) {
                if is_inspected(array.0) {
                    sizes.add(array, touched.bytes);
                }
            }
        }
        sizes.len() as f64 * PASS + sizes.sum() * BYTE
    }
}
