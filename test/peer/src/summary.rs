//! Many inputs, and what was counted.

use crate::differential::Input;
use crate::isl::Isl;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Counts of verdicts.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// All inputs.
    pub all: usize,
    /// Those equal to isl's result.
    pub same_as_isl: usize,
    /// Those with the right points.
    pub same_points: usize,
    /// isl gave up.
    pub isl_gave_up: usize,
    /// isl has no result of that kind.
    pub isl_refused: usize,
    /// Farkas ran out of budget.
    pub out_of_budget: usize,
    /// Failures.
    pub failed: usize,
}

/// What a run of many inputs came to.
#[derive(Default)]
pub struct Summary {
    /// Counts by operation.
    pub counts: BTreeMap<&'static str, Counts>,
    /// Reports of failures, the first few of each operation.
    pub failures: Vec<String>,
}

impl Summary {
    /// Runs the inputs of `seed` with these numbers.
    pub fn run(isl: Option<&Isl>, seed: u64, numbers: impl Iterator<Item = u64>, op: Option<&str>) -> Summary {
        let mut summary = Summary::default();
        for (done, number) in numbers.enumerate() {
            if done > 0 && done % 10_000 == 0 {
                eprintln!("{done} inputs, {} failures reported", summary.failures.len());
            }
            let input = Input::new(seed, number);
            if op.is_some_and(|op| op != input.name()) {
                continue;
            }
            let verdict = input.check(isl);
            let counts = summary.counts.entry(input.name()).or_default();
            counts.all += 1;
            counts.same_as_isl += verdict.same_as_isl as usize;
            counts.same_points += verdict.same_points as usize;
            counts.isl_gave_up += verdict.isl_gave_up as usize;
            counts.isl_refused += verdict.isl_refused as usize;
            counts.out_of_budget += verdict.out_of_budget as usize;
            if let Some(what) = verdict.failure {
                counts.failed += 1;
                if counts.failed <= 2 {
                    let small = input.shrunk(isl, 300);
                    let what = small.check(isl).failure.unwrap_or(what);
                    summary
                        .failures
                        .push(format!("seed {seed}, number {number}: {}", small.report(&what)));
                }
            }
        }
        summary
    }

    /// Adds another run.
    pub fn add(&mut self, other: Summary) {
        for (name, counts) in other.counts {
            let own = self.counts.entry(name).or_default();
            own.all += counts.all;
            own.same_as_isl += counts.same_as_isl;
            own.same_points += counts.same_points;
            own.isl_gave_up += counts.isl_gave_up;
            own.isl_refused += counts.isl_refused;
            own.out_of_budget += counts.out_of_budget;
            own.failed += counts.failed;
        }
        self.failures.extend(other.failures);
    }

    /// A table of the counts.
    pub fn table(&self) -> String {
        let mut out = String::new();
        let mut row = |cells: [String; 8]| {
            let [name, rest @ ..] = cells;
            write!(out, "{name:<28}").expect("writing to a string");
            rest.iter()
                .for_each(|cell| write!(out, "{cell:>11}").expect("writing to a string"));
            out.push('\n');
        };
        let head = [
            "operation",
            "operands",
            "as isl",
            "as points",
            "isl limit",
            "isl none",
            "budget",
            "failed",
        ];
        row(head.map(String::from));
        let mut total = Counts::default();
        let numbers = |c: &Counts| {
            [
                c.all,
                c.same_as_isl,
                c.same_points,
                c.isl_gave_up,
                c.isl_refused,
                c.out_of_budget,
                c.failed,
            ]
            .map(|n| n.to_string())
        };
        for (name, counts) in &self.counts {
            let [a, b, c, d, e, f, g] = numbers(counts);
            row([name.to_string(), a, b, c, d, e, f, g]);
            total.all += counts.all;
            total.same_as_isl += counts.same_as_isl;
            total.same_points += counts.same_points;
            total.isl_gave_up += counts.isl_gave_up;
            total.isl_refused += counts.isl_refused;
            total.out_of_budget += counts.out_of_budget;
            total.failed += counts.failed;
        }
        let [a, b, c, d, e, f, g] = numbers(&total);
        row(["total".into(), a, b, c, d, e, f, g]);
        out
    }
}
