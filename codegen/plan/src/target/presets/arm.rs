//! Arm's Neoverse N1, V1 and V2, in the sizes of Amazon's Graviton 2, 3 and 4.
//!
//! Operations: Arm's software optimization guides of the cores, which LLVM's models of them are made from. For V1 the
//! rates of divisions are the guide's upper ends (LLVM's model of V1 has half the time, over two dividers). Multiplication
//! of 64-bit integers has no vector form in Neon. Caches: Arm's technical reference manuals; latencies and bandwidths beyond
//! L2: published microbenchmarks of Graviton.

use super::{CALL, ROWS_SIDE_BY_SIDE, cache, scalar, vector};
use crate::target::{Memory, OperationCosts, Target, VectorUnit};

pub(super) fn neoverse_n1() -> Target {
    Target {
        name: String::new(),
        cores: 64,
        clock: 2.5,
        issue_width: 4,
        window: 128,
        prefetch_streams: 16,
        rows_side_by_side: ROWS_SIDE_BY_SIDE,
        caches: vec![
            cache(64, 4, 4.0, 32.0, 1),
            cache(1 << 10, 8, 11.0, 24.0, 1),
            cache(32 << 10, 16, 80.0, 10.0, 64),
        ],
        vector: VectorUnit {
            bits: 128,
            bits_of_lanes: None,
            registers: 32,
            masks: false,
            gathers: false,
            fused: true,
        },
        // Two pipes of 128 bits do all arithmetic in floating point; a vector store takes both halves of one of them.
        operations: OperationCosts {
            load: vector(5.0, 2.0, 256.0),
            store: vector(5.0, 2.0, 128.0),
            add: vector(2.0, 2.0, 256.0),
            minimum: vector(2.0, 2.0, 256.0),
            multiply: vector(3.0, 2.0, 256.0),
            arithmetic: vector(4.0, 2.0, 256.0),
            divide32: vector(10.0, 0.2, 128.0 / 10.0),
            divide64: vector(15.0, 1.0 / 7.0, 128.0 / 14.0),
            square_root32: vector(10.0, 0.2, 128.0 / 10.0),
            square_root64: vector(17.0, 1.0 / 7.0, 128.0 / 14.0),
            select: vector(2.0, 2.0, 256.0),
            integer: vector(1.0, 3.0, 256.0),
            integer_multiply32: vector(2.0, 1.0, 64.0),
            integer_multiply64: scalar(4.0, 1.0 / 3.0),
            integer_divide32: scalar(12.0, 0.2),
            integer_divide64: scalar(20.0, 0.1),
            call: CALL,
        },
        memory: Memory {
            latency: 250.0,
            bandwidth: 8.0,
            total_bandwidth: 70.0,
            rows_in_lanes: 1.0,
        },
        gpu: None,
    }
}

pub(super) fn neoverse_v1() -> Target {
    let n1 = neoverse_n1();
    Target {
        clock: 2.6,
        issue_width: 8,
        window: 256,
        caches: vec![
            cache(64, 4, 4.0, 64.0, 1),
            cache(1 << 10, 8, 13.0, 32.0, 1),
            cache(32 << 10, 16, 90.0, 12.0, 64),
        ],
        // SVE: two units of 256 bits, which Neon sees as four of 128 bits.
        vector: VectorUnit {
            bits: 256,
            bits_of_lanes: None,
            registers: 32,
            masks: true,
            gathers: true,
            fused: true,
        },
        operations: OperationCosts {
            load: vector(6.0, 3.0, 512.0),
            store: vector(5.0, 2.0, 256.0),
            add: vector(2.0, 4.0, 512.0),
            minimum: vector(2.0, 4.0, 512.0),
            multiply: vector(3.0, 4.0, 512.0),
            arithmetic: vector(4.0, 4.0, 512.0),
            divide32: vector(10.0, 0.4, 128.0 / 5.0),
            divide64: vector(15.0, 2.0 / 7.0, 128.0 / 7.0),
            square_root32: vector(10.0, 0.4, 128.0 / 5.0),
            square_root64: vector(16.0, 2.0 / 7.0, 128.0 / 7.0),
            select: vector(2.0, 4.0, 512.0),
            integer: vector(1.0, 4.0, 512.0),
            integer_multiply32: vector(2.0, 2.0, 256.0),
            integer_multiply64: vector(2.0, 2.0, 128.0),
            ..n1.operations
        },
        memory: Memory {
            latency: 300.0,
            bandwidth: 10.0,
            total_bandwidth: 110.0,
            rows_in_lanes: 1.0,
        },
        ..n1
    }
}

pub(super) fn neoverse_v2() -> Target {
    let v1 = neoverse_v1();
    Target {
        cores: 96,
        clock: 2.8,
        window: 320,
        caches: vec![
            cache(64, 4, 4.0, 48.0, 1),
            cache(2 << 10, 8, 11.0, 32.0, 1),
            cache(36 << 10, 16, 95.0, 12.0, 96),
        ],
        // SVE2 with vectors of 128 bits, on four units.
        vector: VectorUnit { bits: 128, ..v1.vector },
        operations: OperationCosts {
            load: vector(6.0, 3.0, 384.0),
            divide32: vector(10.0, 1.0, 128.0 / 5.0),
            divide64: vector(15.0, 0.25, 128.0 / 7.0),
            square_root32: vector(9.0, 1.0, 128.0 / 4.5),
            square_root64: vector(16.0, 0.25, 128.0 / 7.5),
            integer: vector(1.0, 6.0, 512.0),
            integer_divide32: scalar(12.0, 1.0 / 12.0),
            integer_divide64: scalar(20.0, 1.0 / 20.0),
            ..v1.operations
        },
        memory: Memory {
            latency: 330.0,
            bandwidth: 10.0,
            total_bandwidth: 160.0,
            rows_in_lanes: 1.0,
        },
        ..v1
    }
}
