//! Inputs in a process of their own, which isl may take down: there are inputs on which it crashes once it has reached its
//! limit. What that costs is one input, which is counted as such, if Farkas alone comes to an end on it; otherwise it is a
//! failure.
//!
//! A worker writes lines that start with `MARK`: the number of an input before it starts on it, and its verdict
//! afterwards. Anything else on its output is not ours.

use crate::differential::{Input, Verdict};
use crate::isl::Isl;
use crate::summary::Summary;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::process::{Command, Stdio};

const MARK: &str = "worker:";

/// The number of failures of an operation that a worker shrinks and reports.
const REPORTS: usize = 2;

/// Which inputs a worker runs.
#[derive(Clone, Debug)]
pub struct Task {
    /// The seed of all inputs.
    pub seed: u64,
    /// Their numbers: from the start of the range, each `step`th.
    pub numbers: Range<u64>,
    /// See `numbers`.
    pub step: u64,
    /// Whether isl is asked as well.
    pub with_isl: bool,
    /// If there is one, only this operation.
    pub op: Option<String>,
}

const VARIABLE: &str = "FARKAS_WORKER";

impl Task {
    /// The task of this process, if it is a worker.
    pub fn of_this_process() -> Option<Task> {
        let text = std::env::var(VARIABLE).ok()?;
        let mut parts = text.splitn(6, ' ');
        let mut number = || parts.next()?.parse().ok();
        let (seed, start, end, step, with_isl) = (number()?, number()?, number()?, number()?, number()?);
        let op = parts.next().filter(|op| !op.is_empty()).map(String::from);
        Some(Task {
            seed,
            numbers: start..end,
            step,
            with_isl: with_isl == 1,
            op,
        })
    }

    /// Runs the task in this process, and says what it comes to on standard output.
    pub fn run(&self) {
        let isl = if self.with_isl { Isl::system().ok() } else { None };
        let isl = isl.as_ref();
        let mut failed: BTreeMap<&str, usize> = BTreeMap::new();
        for number in self.numbers.clone().step_by(self.step as usize) {
            let input = Input::new(self.seed, number);
            if self.op.as_deref().is_some_and(|op| op != input.name()) {
                continue;
            }
            println!("{MARK} {number}");
            let verdict = input.check(isl);
            let flags = [
                verdict.same_as_isl,
                verdict.same_points,
                verdict.isl_gave_up,
                verdict.isl_refused,
                verdict.out_of_budget,
                verdict.failure.is_some(),
            ];
            let flags: String = flags.iter().map(|flag| if *flag { '1' } else { '0' }).collect();
            println!("{MARK} = {flags}");
            if let Some(what) = verdict.failure {
                let failed = failed.entry(input.name()).or_default();
                *failed += 1;
                if *failed <= REPORTS {
                    let small = input.shrunk(isl, 300);
                    let what = small.check(isl).failure.unwrap_or(what);
                    let report = format!("seed {}, number {number}: {}", self.seed, small.report(&what));
                    report.lines().for_each(|line| println!("{MARK} ! {line}"));
                }
            }
        }
        println!("{MARK} done");
    }

    /// Runs the task in processes that `command` starts, each until the task is done or the process is no more.
    pub fn run_in_processes(&self, command: &dyn Fn() -> Command) -> Summary {
        let mut summary = Summary::default();
        let mut numbers = self.numbers.clone();
        while let Some(crashed) = self.run_in_process(numbers, command, &mut summary) {
            let name = Input::new(self.seed, crashed).name();
            let alone = Task {
                numbers: crashed..crashed + 1,
                with_isl: false,
                ..self.clone()
            };
            if alone
                .run_in_process(alone.numbers.clone(), command, &mut Summary::default())
                .is_some()
            {
                let report = format!("seed {}, number {crashed}: {name}: Farkas crashes", self.seed);
                summary.failures.push(report);
            } else {
                println!("seed {}, number {crashed} ({name}): isl crashed", self.seed);
            }
            summary.count_crash(name);
            numbers = crashed + self.step..self.numbers.end;
        }
        summary
    }

    /// The number of the input on which the process ended, if it did not end by itself.
    fn run_in_process(&self, numbers: Range<u64>, command: &dyn Fn() -> Command, summary: &mut Summary) -> Option<u64> {
        let op = self.op.as_deref().unwrap_or_default();
        let with_isl = self.with_isl as u64;
        let task = format!(
            "{} {} {} {} {with_isl} {op}",
            self.seed, numbers.start, numbers.end, self.step
        );
        let mut process = command()
            .env(VARIABLE, task)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a worker can be started");
        let output = process.stdout.take().expect("the output is a pipe");
        let mut current = numbers.start;
        let mut done = false;
        let mut report = String::new();
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            let Some(line) = line.strip_prefix(MARK) else { continue };
            match line.trim().split_once(' ') {
                Some(("=", flags)) => {
                    let set = |k: usize| flags.as_bytes().get(k) == Some(&b'1');
                    let verdict = Verdict {
                        same_as_isl: set(0),
                        same_points: set(1),
                        isl_gave_up: set(2),
                        isl_refused: set(3),
                        out_of_budget: set(4),
                        failure: set(5).then(String::new),
                    };
                    summary.count(Input::new(self.seed, current).name(), &verdict, None);
                }
                Some(("!", line)) => {
                    report.push_str(line);
                    report.push('\n');
                }
                _ if line.trim() == "done" => done = true,
                _ => {
                    current = line.trim().parse().expect("the number of an input");
                    if !report.is_empty() {
                        summary.failures.push(std::mem::take(&mut report));
                    }
                }
            }
        }
        if !report.is_empty() {
            summary.failures.push(report);
        }
        process.wait().expect("a worker that ends");
        (!done).then_some(current)
    }
}
