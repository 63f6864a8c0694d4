//! Intel's server cores from Skylake to Sapphire Rapids, the client core beside them, and the performance cores of Alder and Raptor Lake.
//!
//! Operations: LLVM's `skylake-avx512`, `icelake-server` and `sapphirerapids` models and Intel's optimization reference
//! manual. LLVM's models of Golden Cove have no rates of divisions: these are uops.info's, and Ice Lake's integer divider
//! too, for which LLVM takes Skylake's. The two units for 512 bits are there in all server parts with the names used here. From Ice Lake on
//! these hardly lower the clock, so that lanes have 512 bits where LLVM's vectorizer keeps to 256.
//! Caches: Intel's manual; latencies and bandwidths beyond L2: published microbenchmarks, which depend on the number of
//! cores on the mesh.

use super::{CALL, cache, scalar, vector};
use crate::target::{Cache, Memory, OperationCosts, Target, VectorUnit};

/// How many times as long a line of L2 takes that L1 writes back. (Measured on Sapphire Rapids with vectors of 256 bits: to read an array in L2
/// takes 0.20 cycles for 8 bytes, to update it in place 0.50, and to copy it 0.60. In L3 all of these are alike.)
const WRITTEN_TO_L2: f64 = 2.5;

/// How many times as long lines of L2 take where rows of a stencil are jammed. L1's prefetcher follows few streams. (Measured on Ice Lake with
/// vectors of 256 bits, an average of five points: from L2, rows one after the other take 0.07 cycles a point of `float` more than from L1, 2, 4
/// or 8 side by side 0.3 to 0.45, so that they do not overlap with arithmetic. In `double` tiles over time took 1.18, 1.65 and 1.81 cycles with 1,
/// 4 and 8 rows where 1.02, 0.83 and 0.78 were predicted. Golden Cove was not measured.)
const SIDE_BY_SIDE_FROM_L2: f64 = 2.5;

/// A second level, of one core.
const fn l2(kib: u64, associativity: u32, latency: f64) -> Cache {
    Cache {
        written: WRITTEN_TO_L2,
        ..cache(kib, associativity, latency, 48.0, 1)
    }
}

pub(super) fn skylake_sp() -> Target {
    Target {
        name: String::new(),
        cores: 28,
        clock: 3.0,
        issue_width: 4,
        window: 224,
        prefetch_streams: 32,
        // Sapphire Rapids: rows of stencils jammed by 4 take 0.88 to 1.17 of the time from L3. Taken for the others.
        rows_side_by_side: 1.0,
        caches: vec![
            cache(32, 8, 4.0, 128.0, 1),
            l2(1 << 10, 16, 14.0),
            cache(28 * 1408, 11, 70.0, 12.0, 28),
        ],
        vector: VectorUnit {
            bits: 512,
            bits_of_lanes: None,
            registers: 32,
            masks: true,
            gathers: true,
            fused: true,
        },
        // Two pipes do all arithmetic in floating point. The divider is 128 bits wide.
        operations: OperationCosts {
            load: vector(6.0, 2.0, 1024.0),
            store: vector(5.0, 1.0, 512.0),
            add: vector(4.0, 2.0, 1024.0),
            minimum: vector(4.0, 2.0, 1024.0),
            multiply: vector(4.0, 2.0, 1024.0),
            arithmetic: vector(4.0, 2.0, 1024.0),
            divide32: vector(11.0, 1.0 / 3.0, 512.0 / 10.0),
            divide64: vector(14.0, 0.25, 32.0),
            square_root32: vector(12.0, 1.0 / 3.0, 512.0 / 12.0),
            square_root64: vector(18.0, 1.0 / 6.0, 512.0 / 24.0),
            select: vector(2.0, 1.5, 512.0),
            integer: vector(1.0, 4.0, 1024.0),
            integer_multiply32: vector(3.0, 1.0, 512.0),
            integer_multiply64: vector(3.0, 1.0, 512.0 / 1.5),
            integer_divide32: scalar(26.0, 1.0 / 6.0),
            integer_divide64: scalar(42.0, 1.0 / 24.0),
            call: CALL,
        },
        memory: Memory {
            latency: 270.0,
            bandwidth: 4.5,
            total_bandwidth: 35.0,
            rows_in_lanes: 1.0,
        },
        gpu: None,
    }
}

pub(super) fn icelake_sp() -> Target {
    let skylake = skylake_sp();
    Target {
        cores: 40,
        clock: 3.2,
        issue_width: 5,
        window: 352,
        caches: vec![
            cache(48, 12, 5.0, 128.0, 1),
            Cache {
                side_by_side: SIDE_BY_SIDE_FROM_L2,
                ..l2(1280, 20, 14.0)
            },
            cache(40 * 1536, 12, 74.0, 12.0, 40),
        ],
        // Two scalar stores per cycle, or one of 512 bits.
        operations: OperationCosts {
            load: vector(7.0, 2.0, 1024.0),
            store: vector(5.0, 2.0, 512.0),
            integer_divide32: scalar(12.0, 1.0 / 6.0),
            integer_divide64: scalar(15.0, 0.1),
            ..skylake.operations
        },
        vector: VectorUnit {
            bits_of_lanes: Some(512),
            ..skylake.vector
        },
        memory: Memory {
            latency: 290.0,
            bandwidth: 5.0,
            total_bandwidth: 55.0,
            rows_in_lanes: 1.0,
        },
        ..skylake
    }
}

/// Ice Lake, Tiger Lake and Rocket Lake for clients: one unit of 512 bits, or two of 256. L2 is Rocket Lake's; what is beyond it are guesses by
/// what other desktops have.
pub(super) fn icelake() -> Target {
    let server = icelake_sp();
    Target {
        cores: 8,
        clock: 4.5,
        caches: vec![
            cache(48, 12, 5.0, 128.0, 1),
            Cache {
                side_by_side: SIDE_BY_SIDE_FROM_L2,
                ..l2(512, 8, 14.0)
            },
            cache(16 << 10, 16, 50.0, 20.0, 8),
        ],
        vector: VectorUnit {
            bits_of_lanes: None,
            ..server.vector
        },
        operations: OperationCosts {
            add: vector(4.0, 2.0, 512.0),
            minimum: vector(4.0, 2.0, 512.0),
            multiply: vector(4.0, 2.0, 512.0),
            arithmetic: vector(4.0, 2.0, 512.0),
            ..server.operations
        },
        memory: Memory {
            latency: 260.0,
            bandwidth: 7.0,
            total_bandwidth: 11.0,
            rows_in_lanes: 1.0,
        },
        ..server
    }
}

pub(super) fn sapphire_rapids() -> Target {
    let icelake = icelake_sp();
    Target {
        cores: 56,
        clock: 3.2,
        issue_width: 6,
        window: 512,
        caches: vec![
            cache(48, 12, 5.0, 128.0, 1),
            l2(2 << 10, 16, 15.0),
            cache(56 * 1920, 15, 110.0, 10.0, 56),
        ],
        operations: OperationCosts {
            load: vector(7.0, 3.0, 1024.0),
            add: vector(3.0, 2.0, 1024.0),
            minimum: vector(4.0, 2.0, 1024.0),
            // Three pipes of up to 256 bits, two of which add and two of which multiply, or two of 512.
            arithmetic: vector(4.0, 3.0, 1024.0),
            select: vector(1.0, 3.0, 1024.0),
            integer: vector(1.0, 5.0, 1024.0),
            integer_divide32: scalar(12.0, 1.0 / 6.0),
            integer_divide64: scalar(15.0, 0.1),
            ..icelake.operations
        },
        // One core reads 4 bytes a cycle of one row, and 7 of eight rows side by side.
        memory: Memory {
            latency: 360.0,
            bandwidth: 5.0,
            total_bandwidth: 75.0,
            rows_in_lanes: 0.7,
        },
        ..icelake
    }
}

/// Alder Lake: Golden Cove without vectors of 512 bits, with desktop memory.
pub(super) fn alder_lake_p() -> Target {
    let server = sapphire_rapids();
    Target {
        cores: 8,
        clock: 4.9,
        caches: vec![
            cache(48, 12, 5.0, 96.0, 1),
            l2(1280, 10, 15.0),
            cache(30 << 10, 12, 68.0, 20.0, 8),
        ],
        vector: VectorUnit {
            bits: 256,
            bits_of_lanes: None,
            registers: 16,
            masks: false,
            gathers: true,
            fused: true,
        },
        operations: OperationCosts {
            load: vector(7.0, 3.0, 768.0),
            add: vector(3.0, 2.0, 512.0),
            minimum: vector(4.0, 2.0, 512.0),
            multiply: vector(4.0, 2.0, 512.0),
            arithmetic: vector(4.0, 3.0, 768.0),
            divide32: vector(11.0, 1.0 / 3.0, 256.0 / 5.0),
            divide64: vector(14.0, 0.25, 32.0),
            square_root32: vector(12.0, 1.0 / 3.0, 256.0 / 6.0),
            square_root64: vector(18.0, 1.0 / 6.0, 256.0 / 12.0),
            select: vector(3.0, 1.0, 256.0),
            integer: vector(1.0, 5.0, 768.0),
            integer_multiply32: vector(3.0, 1.0, 256.0),
            integer_multiply64: vector(3.0, 1.0, 64.0),
            ..server.operations
        },
        memory: Memory {
            latency: 400.0,
            bandwidth: 8.0,
            total_bandwidth: 14.0,
            rows_in_lanes: 1.0,
        },
        ..server
    }
}

/// Raptor Lake: the same core with larger caches.
pub(super) fn raptor_lake_p() -> Target {
    let alder_lake = alder_lake_p();
    Target {
        clock: 5.4,
        caches: vec![
            cache(48, 12, 5.0, 96.0, 1),
            l2(2 << 10, 16, 16.0),
            cache(36 << 10, 12, 72.0, 20.0, 8),
        ],
        memory: Memory {
            latency: 430.0,
            bandwidth: 8.0,
            total_bandwidth: 15.0,
            rows_in_lanes: 1.0,
        },
        ..alder_lake
    }
}
