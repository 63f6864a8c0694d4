//! The cost of inspecting arrays in front of the new code.

use super::Model;
use crate::analysis::levels;
use farkas_polyhedral::program::{ArrayId, Inspection};

/// Cycles to begin and to end the passes over an array, and the interval arithmetic behind them.
const PASS: f64 = 40.0;

/// Cycles of a pass over addresses of rows for each of them. (Measured on Zen 5: products with rows of 8 elements take 1.8
/// nanoseconds a row with it.)
const ROW: f64 = 5.0;

/// Cycles of a pass over values for each byte. LLVM vectorizes the pass. (Measured on Zen 3, with vectors of 256 bits, in nanoseconds a byte: 0.015 for
/// integers of 32 bits, 0.018 of 64, 0.022 of 16 and 0.045 of 8, in all caches and in memory.)
const BYTE: f64 = 0.1;

impl Model<'_> {
    /// The cycles of the inspector.
    pub(crate) fn inspector(&self) -> f64 {
        if self.program.arrays.values().all(|array| array.inspection.is_none()) {
            return 0.0;
        }
        let sizes = self.sizes_touched(&levels::of_original(self.program));
        let pass = |(id, bytes): (ArrayId, f64)| {
            let array = self.program.array(id);
            let cycles = match array.inspection? {
                Inspection::Values => bytes * BYTE,
                Inspection::Rows => bytes / array.element_size as f64 * ROW,
            };
            Some(PASS + cycles)
        };
        sizes.iter().filter_map(pass).sum()
    }
}
