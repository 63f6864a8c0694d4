//! AMD Zen 3 to Zen 5, server parts: one complex of 8 cores with its L3.
//!
//! Operations: LLVM's `znver3` and `znver4` models and AMD's software optimization guides for families 19h and 1Ah; the
//! rates of scalar stores (2 per cycle), integer division and Zen 5 (LLVM uses Zen 4's model for it) as uops.info and Agner
//! Fog's tables have them. Caches of Zen 4: measured on an EPYC 9004 at 3.66 GHz by pointer chasing and by sums over
//! vectors of 256 bits (L1 4 cycles and 64 bytes per cycle, L2 14 and 32, L3 27, memory 9.4); bytes per cycle of Zen 5: measured on
//! an EPYC by sums over vectors of 512 bits (L1 131, L2 50, L3 31, memory 10); the others: AMD's guides and published
//! microbenchmarks.

use super::{CALL, ROWS_SIDE_BY_SIDE, cache, scalar, vector};
use crate::target::{Memory, OperationCosts, Target, VectorUnit};

pub(super) fn zen3() -> Target {
    Target {
        name: String::new(),
        cores: 8,
        clock: 3.5,
        issue_width: 6,
        window: 256,
        prefetch_streams: 16,
        rows_side_by_side: ROWS_SIDE_BY_SIDE,
        caches: vec![
            cache(32, 8, 4.0, 64.0, 1),
            cache(512, 8, 12.0, 32.0, 1),
            cache(32 << 10, 16, 46.0, 24.0, 8),
        ],
        vector: VectorUnit {
            bits: 256,
            bits_of_lanes: None,
            registers: 16,
            masks: false,
            gathers: true,
            fused: true,
        },
        // Two pipes multiply and two others add, each 256 bits wide. The divider is 256 bits wide, too.
        operations: OperationCosts {
            load: vector(7.0, 2.0, 512.0),
            store: vector(7.0, 2.0, 256.0),
            add: vector(3.0, 2.0, 512.0),
            minimum: vector(2.0, 2.0, 512.0),
            multiply: vector(3.0, 2.0, 512.0),
            arithmetic: vector(4.0, 4.0, 1024.0),
            divide32: vector(11.0, 1.0 / 3.0, 256.0 / 3.0),
            divide64: vector(13.0, 0.2, 256.0 / 5.0),
            square_root32: vector(15.0, 0.2, 256.0 / 5.0),
            square_root64: vector(21.0, 1.0 / 9.0, 256.0 / 9.0),
            select: vector(1.0, 2.0, 512.0),
            integer: vector(1.0, 4.0, 1024.0),
            integer_multiply32: vector(3.0, 1.0, 512.0),
            // In vectors from three products of 32 bits.
            integer_multiply64: vector(3.0, 1.0, 128.0),
            integer_divide32: scalar(12.0, 1.0 / 6.0),
            integer_divide64: scalar(18.0, 0.1),
            call: CALL,
        },
        memory: Memory {
            latency: 380.0,
            bandwidth: 8.0,
            total_bandwidth: 14.0,
            rows_in_lanes: 1.0,
        },
        gpu: None,
    }
}

pub(super) fn zen4() -> Target {
    let zen3 = zen3();
    Target {
        clock: 3.7,
        window: 320,
        caches: vec![
            cache(32, 8, 4.0, 64.0, 1),
            cache(1 << 10, 8, 14.0, 32.0, 1),
            cache(32 << 10, 16, 50.0, 27.0, 8),
        ],
        // Vectors of 512 bits go through units of 256 bits in two steps.
        vector: VectorUnit {
            bits: 512,
            bits_of_lanes: None,
            registers: 32,
            masks: true,
            gathers: true,
            fused: true,
        },
        operations: OperationCosts {
            integer_multiply64: vector(3.0, 1.0, 512.0),
            ..zen3.operations
        },
        memory: Memory {
            latency: 420.0,
            bandwidth: 9.0,
            total_bandwidth: 16.0,
            rows_in_lanes: 1.0,
        },
        ..zen3
    }
}

pub(super) fn zen5() -> Target {
    let zen4 = zen4();
    Target {
        clock: 4.0,
        issue_width: 8,
        window: 448,
        caches: vec![
            cache(48, 12, 4.0, 128.0, 1),
            cache(1 << 10, 16, 14.0, 50.0, 1),
            cache(32 << 10, 16, 48.0, 32.0, 8),
        ],
        // Units and paths to memory are 512 bits wide.
        operations: OperationCosts {
            load: vector(7.0, 4.0, 1024.0),
            store: vector(7.0, 2.0, 512.0),
            add: vector(3.0, 2.0, 1024.0),
            minimum: vector(2.0, 2.0, 1024.0),
            multiply: vector(3.0, 2.0, 1024.0),
            arithmetic: vector(4.0, 4.0, 2048.0),
            divide32: vector(11.0, 1.0 / 3.0, 512.0 / 3.0),
            divide64: vector(13.0, 0.2, 512.0 / 5.0),
            square_root32: vector(15.0, 0.2, 512.0 / 5.0),
            square_root64: vector(21.0, 1.0 / 9.0, 512.0 / 9.0),
            select: vector(1.0, 4.0, 2048.0),
            integer: vector(1.0, 6.0, 2048.0),
            integer_multiply32: vector(3.0, 3.0, 1024.0),
            integer_multiply64: vector(3.0, 3.0, 1024.0),
            ..zen4.operations
        },
        memory: Memory {
            latency: 450.0,
            bandwidth: 10.0,
            total_bandwidth: 16.0,
            rows_in_lanes: 1.0,
        },
        ..zen4
    }
}
