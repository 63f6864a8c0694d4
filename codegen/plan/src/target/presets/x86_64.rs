//! The levels of x86-64, for code that has to run on any machine that reaches them.
//!
//! Nobody built such a machine. Each number is the worse of what Intel's and AMD's cores of the last years have, so that a
//! plan that pays here pays on either: Skylake-SP and Zen 3 for v2 and v3, Skylake-SP and Zen 4 for v4.

use super::{CALL, ROWS_SIDE_BY_SIDE, cache, scalar, vector};
use crate::target::{Memory, OperationCosts, Target, VectorUnit};

pub(super) fn v3() -> Target {
    Target {
        name: String::new(),
        cores: 8,
        clock: 3.5,
        issue_width: 4,
        window: 224,
        prefetch_streams: 16,
        rows_side_by_side: ROWS_SIDE_BY_SIDE,
        caches: vec![
            cache(32, 8, 4.0, 64.0, 1),
            cache(512, 8, 14.0, 32.0, 1),
            cache(16 << 10, 16, 60.0, 12.0, 8),
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
            load: vector(7.0, 2.0, 512.0),
            store: vector(7.0, 1.0, 256.0),
            add: vector(4.0, 2.0, 512.0),
            minimum: vector(4.0, 2.0, 512.0),
            multiply: vector(4.0, 2.0, 512.0),
            arithmetic: vector(4.0, 2.0, 512.0),
            divide32: vector(11.0, 1.0 / 3.0, 256.0 / 5.0),
            divide64: vector(14.0, 0.2, 32.0),
            square_root32: vector(15.0, 0.2, 256.0 / 6.0),
            square_root64: vector(21.0, 1.0 / 9.0, 256.0 / 12.0),
            select: vector(2.0, 1.5, 384.0),
            integer: vector(1.0, 4.0, 768.0),
            integer_multiply32: vector(3.0, 1.0, 256.0),
            integer_multiply64: vector(3.0, 1.0, 64.0),
            integer_divide32: scalar(26.0, 1.0 / 6.0),
            integer_divide64: scalar(42.0, 1.0 / 24.0),
            call: CALL,
        },
        memory: Memory {
            latency: 350.0,
            bandwidth: 5.0,
            total_bandwidth: 14.0,
            rows_in_lanes: 1.0,
        },
        gpu: None,
    }
}

/// Vectors of 128 bits, without fused multiply-add.
pub(super) fn v2() -> Target {
    let v3 = v3();
    Target {
        caches: vec![
            cache(32, 8, 4.0, 32.0, 1),
            cache(512, 8, 14.0, 32.0, 1),
            cache(16 << 10, 16, 60.0, 12.0, 8),
        ],
        vector: VectorUnit {
            bits: 128,
            bits_of_lanes: None,
            registers: 16,
            masks: false,
            gathers: false,
            fused: false,
        },
        operations: OperationCosts {
            load: vector(7.0, 2.0, 256.0),
            store: vector(7.0, 1.0, 128.0),
            add: vector(4.0, 2.0, 256.0),
            minimum: vector(4.0, 2.0, 256.0),
            multiply: vector(4.0, 2.0, 256.0),
            arithmetic: vector(4.0, 2.0, 256.0),
            divide32: vector(11.0, 1.0 / 3.0, 128.0 / 3.0),
            divide64: vector(14.0, 0.2, 128.0 / 5.0),
            square_root32: vector(15.0, 0.2, 128.0 / 5.0),
            square_root64: vector(21.0, 1.0 / 9.0, 128.0 / 9.0),
            select: vector(2.0, 1.5, 192.0),
            integer: vector(1.0, 4.0, 384.0),
            integer_multiply32: vector(3.0, 1.0, 128.0),
            integer_multiply64: vector(3.0, 1.0, 32.0),
            ..v3.operations
        },
        ..v3
    }
}

/// Vectors of 512 bits, on units of 256 bits or fewer units of 512 bits.
pub(super) fn v4() -> Target {
    let v3 = v3();
    Target {
        caches: vec![
            cache(32, 8, 4.0, 64.0, 1),
            cache(1 << 10, 8, 14.0, 32.0, 1),
            cache(32 << 10, 16, 70.0, 12.0, 8),
        ],
        vector: VectorUnit {
            bits: 512,
            bits_of_lanes: None,
            registers: 32,
            masks: true,
            gathers: true,
            fused: true,
        },
        operations: OperationCosts {
            integer_multiply64: vector(3.0, 1.0, 512.0 / 1.5),
            ..v3.operations
        },
        ..v3
    }
}
