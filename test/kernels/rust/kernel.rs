//! What the kernels in Rust share, as `kernel.h` is for those in C: deterministic data, timing and output.

use std::time::Instant;

/// A kernel with its arrays.
pub trait Kernel {
    /// Fills the arrays; `n` is the size.
    fn new(n: usize) -> Self;
    /// Runs the kernel once.
    fn compute(&mut self);
    /// All values that are computed, array by array.
    fn results(&self) -> Vec<&[f64]>;
}

/// A value in [0, 1) that depends on all three numbers.
pub fn datum(salt: u32, i: usize, j: usize) -> f64 {
    let mut mixed = salt.wrapping_mul(2654435761);
    mixed = mixed.wrapping_add((i as u32).wrapping_mul(40503));
    mixed = mixed.wrapping_add((j as u32).wrapping_mul(9973)).wrapping_add(12345);
    mixed ^= mixed >> 13;
    f64::from(mixed % 4093) / 4096.0
}

/// The program: its arguments are what to print and the size.
pub fn run<K: Kernel>() {
    let mut arguments = std::env::args().skip(1);
    let mode = arguments.next().unwrap_or_default();
    let n = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(1024);
    let mut kernel = K::new(n);
    let start = Instant::now();
    kernel.compute();
    let seconds = start.elapsed().as_secs_f64();
    let bits = kernel.results().concat().into_iter().map(f64::to_bits);
    match &*mode {
        "time" => println!("{seconds:.9}"),
        "checksum" => {
            let mix = |hash: u64, bits: u64| (hash ^ bits).wrapping_mul(1099511628211);
            println!("{:016x}", bits.fold(14695981039346656037, mix));
        }
        "dump" => bits.for_each(|bits| println!("{bits:016x}")),
        _ => panic!("usage: time|checksum|dump [SIZE]"),
    }
}
