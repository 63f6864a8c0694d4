//! Random operands through Farkas, isl and enumeration: a slice of about a minute.
//!
//! `FARKAS_TUPLES=N` for more of them, `FARKAS_SEED=S` for others, `FARKAS_OP=NAME` for one operation only,
//! `FARKAS_NUMBER=K` for one that a report names, and `FARKAS_FROM=K` to leave out those before.

use farkas_peer::isl::Isl;
use farkas_peer::summary::Summary;
use farkas_peer::worker::Task;
use std::process::Command;

const TUPLES: u64 = 12_000;

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// Not a test of its own, but where the processes start that the test below runs its inputs in.
#[test]
fn worker() {
    let Some(task) = Task::of_this_process() else { return };
    std::panic::set_hook(Box::new(|_| {}));
    task.run();
}

#[test]
fn operations_agree_with_isl_and_enumeration() {
    if let Err(error) = Isl::system() {
        println!("isl is not there, so that enumeration is the only oracle: {error}");
    }
    let only = number("FARKAS_NUMBER");
    let numbers = match only {
        Some(number) => number..number + 1,
        None => number("FARKAS_FROM").unwrap_or(0)..number("FARKAS_TUPLES").unwrap_or(TUPLES),
    };
    let step = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let command = || {
        let mut command = Command::new(std::env::current_exe().expect("the path of the test"));
        command.args(["worker", "--exact", "--nocapture"]);
        command
    };
    let summary = std::thread::scope(|scope| {
        let task = |first: u64| Task {
            seed: number("FARKAS_SEED").unwrap_or(1),
            numbers: numbers.start + first..numbers.end,
            step,
            with_isl: true,
            op: std::env::var("FARKAS_OP").ok().filter(|_| only.is_none()),
        };
        let workers: Vec<_> = (0..step)
            .map(task)
            .map(|task| scope.spawn(move || task.run_in_processes(&command)))
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
