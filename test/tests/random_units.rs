//! Random functions that are nearly affine give the same results with and without the plugin.
//!
//! `FARKAS_RANDOM_FUNCTIONS` is how many functions to try (default: 384), `FARKAS_RANDOM_SEED` the seed of the first. For
//! longer sessions there is `cargo run --release -p farkas-test --bin fuzz`.
#![forbid(unsafe_code)]

use farkas_test::differential::{BLOCK, Tally, Workshop, level_of};
use farkas_test::{number, plugin, scratch};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

#[test]
fn random_functions_agree() {
    let (count, first) = (number("FARKAS_RANDOM_FUNCTIONS", 384), number("FARKAS_RANDOM_SEED", 0));
    let workshop = Workshop::new(scratch().join("units"), plugin());
    let next = AtomicU64::new(first / BLOCK);
    let end = (first + count).div_ceil(BLOCK);
    let worker = || {
        let mut tally = Tally::default();
        loop {
            let block = next.fetch_add(1, Ordering::Relaxed);
            if block >= end {
                return tally;
            }
            tally.add(workshop.check(block * BLOCK..(block + 1) * BLOCK, &[level_of(block)]));
        }
    };
    let tally = thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(worker)).collect();
        let mut all = Tally::default();
        for worker in workers {
            all.add(worker.join().expect("a worker that ends"));
        }
        all
    });
    println!(
        "{} functions modelled, {} transformed",
        tally.modelled, tally.transformed
    );
    println!("nests: {:?}", tally.nests);
    assert!(tally.findings.is_empty(), "findings: {:#?}", tally.findings);
    assert!(tally.transformed as u64 > count / 4, "few functions are transformed");
}
