//! Random operands through Farkas, isl and enumeration: a slice of about a minute.
//!
//! `FARKAS_TUPLES=N` for more of them, `FARKAS_SEED=S` for others, `FARKAS_OP=NAME` for one operation only, and
//! `FARKAS_NUMBER=K` for one that a report names.

use farkas_peer::isl::Isl;
use farkas_peer::summary::Summary;

const TUPLES: u64 = 12_000;

fn number(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} is a number")),
        Err(_) => default,
    }
}

#[test]
fn operations_agree_with_isl_and_enumeration() {
    let seed = number("FARKAS_SEED", 1);
    let tuples = number("FARKAS_TUPLES", TUPLES);
    let only = std::env::var("FARKAS_NUMBER").ok().map(|_| number("FARKAS_NUMBER", 0));
    let op = std::env::var("FARKAS_OP").ok();
    std::panic::set_hook(Box::new(|_| {}));
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let run = |thread: u64| {
        let isl = Isl::system();
        if let Err(error) = &isl {
            println!("isl is not there, so that enumeration is the only oracle: {error}");
        }
        let isl = isl.as_ref().ok();
        match only {
            Some(number) if thread == 0 => Summary::run(isl, seed, number..=number, None),
            Some(_) => Summary::default(),
            None => Summary::run(isl, seed, (thread..tuples).step_by(threads as usize), op.as_deref()),
        }
    };
    let summary = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|thread| {
                let run = &run;
                scope.spawn(move || run(thread))
            })
            .collect();
        let mut all = Summary::default();
        workers
            .into_iter()
            .for_each(|worker| all.add(worker.join().expect("a worker that ends")));
        all
    });
    println!("{}", summary.table());
    let failures = &summary.failures;
    failures.iter().for_each(|failure| println!("{failure}\n"));
    assert!(failures.is_empty(), "{} failures", failures.len());
}
