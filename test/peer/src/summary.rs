//! Many inputs, and what was counted.

use crate::differential::Verdict;
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
    /// The process ended before the input did.
    pub isl_crashed: usize,
    /// Farkas ran out of budget.
    pub out_of_budget: usize,
    /// Failures.
    pub failed: usize,
}

impl Counts {
    fn add(&mut self, counts: &Counts) {
        self.all += counts.all;
        self.same_as_isl += counts.same_as_isl;
        self.same_points += counts.same_points;
        self.isl_gave_up += counts.isl_gave_up;
        self.isl_refused += counts.isl_refused;
        self.isl_crashed += counts.isl_crashed;
        self.out_of_budget += counts.out_of_budget;
        self.failed += counts.failed;
    }
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
    /// Counts a verdict on an input of an operation; a report of what failed is for the first few only.
    pub fn count(&mut self, name: &'static str, verdict: &Verdict, report: Option<String>) {
        let counts = self.counts.entry(name).or_default();
        counts.all += 1;
        counts.same_as_isl += verdict.same_as_isl as usize;
        counts.same_points += verdict.same_points as usize;
        counts.isl_gave_up += verdict.isl_gave_up as usize;
        counts.isl_refused += verdict.isl_refused as usize;
        counts.out_of_budget += verdict.out_of_budget as usize;
        counts.failed += verdict.failure.is_some() as usize;
        self.failures.extend(report);
    }

    /// Counts an input of an operation that a process ended on.
    pub fn count_crash(&mut self, name: &'static str) {
        let counts = self.counts.entry(name).or_default();
        counts.all += 1;
        counts.isl_crashed += 1;
    }

    /// Adds another run.
    pub fn add(&mut self, other: Summary) {
        for (name, counts) in other.counts {
            let own = self.counts.entry(name).or_default();
            own.add(&counts);
        }
        self.failures.extend(other.failures);
    }

    /// A table of the counts.
    pub fn table(&self) -> String {
        let mut out = String::new();
        let mut row = |cells: [String; 9]| {
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
            "isl crash",
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
                c.isl_crashed,
                c.out_of_budget,
                c.failed,
            ]
            .map(|n| n.to_string())
        };
        for (name, counts) in &self.counts {
            let [a, b, c, d, e, f, g, h] = numbers(counts);
            row([name.to_string(), a, b, c, d, e, f, g, h]);
            total.add(counts);
        }
        let [a, b, c, d, e, f, g, h] = numbers(&total);
        row(["total".into(), a, b, c, d, e, f, g, h]);
        out
    }
}
