//! The performance cores of Apple's M1 to M4.
//!
//! Operations: Dougall Johnson's measurements of the M1's Firestorm core; LLVM's model is that of a much older core. Later
//! cores are wider, and nobody has published timings of them in the same detail: they have the M1's here. Caches: what the
//! system reports (`sysctl hw`) and published microbenchmarks. The cache of the system on a chip is left out: it is
//! smaller than an L2 and shared with the GPU.

use super::{CALL, ROWS_SIDE_BY_SIDE, scalar, vector};
use crate::target::{Cache, Memory, OperationCosts, Target, VectorUnit};

pub(super) fn m1() -> Target {
    Target {
        name: String::new(),
        cores: 4,
        clock: 3.2,
        issue_width: 8,
        window: 630,
        prefetch_streams: 16,
        rows_side_by_side: ROWS_SIDE_BY_SIDE,
        caches: vec![l1(), l2(12, 12, 4)],
        vector: VectorUnit {
            bits: 128,
            bits_of_lanes: None,
            registers: 32,
            masks: false,
            gathers: false,
            fused: true,
        },
        // Four pipes of 128 bits. One divides a vector as fast as a scalar.
        operations: OperationCosts {
            load: vector(5.0, 3.0, 384.0),
            store: vector(5.0, 2.0, 256.0),
            add: vector(3.0, 4.0, 512.0),
            minimum: vector(2.0, 4.0, 512.0),
            multiply: vector(4.0, 4.0, 512.0),
            arithmetic: vector(4.0, 4.0, 512.0),
            divide32: vector(8.0, 1.0, 128.0),
            divide64: vector(10.0, 1.0, 128.0),
            square_root32: vector(10.0, 0.5, 64.0),
            square_root64: vector(13.0, 0.5, 64.0),
            select: vector(2.0, 4.0, 512.0),
            integer: vector(1.0, 6.0, 512.0),
            integer_multiply32: vector(3.0, 2.0, 512.0),
            integer_multiply64: scalar(3.0, 2.0),
            integer_divide32: scalar(7.0, 0.5),
            integer_divide64: scalar(7.0, 0.5),
            call: CALL,
        },
        memory: Memory {
            latency: 310.0,
            bandwidth: 18.0,
            total_bandwidth: 20.0,
            rows_in_lanes: 1.0,
        },
        gpu: None,
    }
}

pub(super) fn m2() -> Target {
    Target {
        clock: 3.5,
        caches: vec![l1(), l2(16, 16, 4)],
        memory: Memory {
            latency: 340.0,
            bandwidth: 22.0,
            total_bandwidth: 26.0,
            rows_in_lanes: 1.0,
        },
        ..m1()
    }
}

pub(super) fn m3() -> Target {
    Target {
        clock: 4.0,
        issue_width: 9,
        memory: Memory {
            latency: 390.0,
            bandwidth: 22.0,
            total_bandwidth: 24.0,
            rows_in_lanes: 1.0,
        },
        ..m2()
    }
}

pub(super) fn m4() -> Target {
    Target {
        clock: 4.4,
        issue_width: 10,
        memory: Memory {
            latency: 420.0,
            bandwidth: 22.0,
            total_bandwidth: 25.0,
            rows_in_lanes: 1.0,
        },
        ..m2()
    }
}

fn l1() -> Cache {
    Cache {
        bytes: 128 << 10,
        line: 64,
        associativity: 8,
        latency: 4.0,
        bandwidth: 48.0,
        written: 1.0,
        side_by_side: 1.0,
        shared_by: 1,
    }
}

fn l2(mib: u64, associativity: u32, shared_by: u32) -> Cache {
    Cache {
        bytes: mib << 20,
        line: 128,
        associativity,
        latency: 18.0,
        bandwidth: 32.0,
        written: 1.0,
        side_by_side: 1.0,
        shared_by,
    }
}
