//! Sums over the files of a package, and the tables of them.

use super::loops::SourceLoop;
use super::{FileReport, Outcome};
use std::collections::BTreeMap;

/// How many loops, and how many of them are in no other of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    /// All loops.
    pub loops: usize,
    /// Loops in no other one of these.
    pub nests: usize,
}

/// Sums over files.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    files: usize,
    all: Count,
    modelled: Count,
    transformed: Count,
    scops: usize,
    /// Nests that were transformed, copies made by inlining among them.
    changed: usize,
    by_polly: Count,
    reasons: BTreeMap<String, usize>,
    seconds: [f64; 3],
    text: [u64; 3],
    /// The greatest ratio of times, and its file.
    worst: (f64, String),
    failures: Vec<String>,
}

impl Summary {
    /// Adds what was found for a file.
    pub fn add(&mut self, name: &str, file: &FileReport) {
        self.files += 1;
        let count = |count: &mut Count, of: &[bool]| {
            let counted: Vec<&SourceLoop> = file
                .loops
                .iter()
                .zip(of)
                .filter(|(_, is)| **is)
                .map(|(l, _)| l)
                .collect();
            count.loops += counted.len();
            count.nests += counted
                .iter()
                .filter(|l| counted.iter().all(|other| *l == other || !l.is_in(other)))
                .count();
        };
        count(&mut self.all, &vec![true; file.loops.len()]);
        count(&mut self.modelled, &file.farkas.modelled);
        count(&mut self.transformed, &file.farkas.transformed);
        for (reason, number) in &file.farkas.reasons {
            *self.reasons.entry(reason.clone()).or_default() += number;
        }
        self.changed += file.farkas.changed;
        let polly = file.polly.as_ref();
        if let Some(polly) = polly {
            self.scops += polly.scops.parts;
            self.by_polly.nests += polly.scops.nests;
            self.by_polly.loops += polly.scops.loops;
        }
        let none = Outcome::default();
        let outcomes = [&file.plain, &file.farkas.outcome, polly.map_or(&none, |p| &p.outcome)];
        for (index, outcome) in outcomes.into_iter().enumerate() {
            self.seconds[index] += outcome.seconds;
            self.text[index] += outcome.text;
            if let Some(failure) = &outcome.failure {
                let by = ["clang", "farkas", "polly"][index];
                self.failures.push(format!("{name}, {by}: {failure}"));
            }
        }
        // Times come in hundredths of a second: what is shorter says nothing of the ratio.
        if file.plain.seconds >= 0.1 {
            let ratio = file.farkas.outcome.seconds / file.plain.seconds;
            if ratio > self.worst.0 {
                self.worst = (ratio, name.to_owned());
            }
        }
    }

    /// The first lines of the table of [`Summary::row`].
    pub fn header() -> &'static str {
        "| package | files | nests (loops) | Farkas models | transforms | Polly models | SCoPs | nests with copies, ratio | in the source, ratio | loops, ratio | compile time | worst file | with Polly | .text | with Polly |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    }

    /// A row of the table.
    pub fn row(&self, package: &str) -> String {
        let pair = |count: Count| format!("{} ({})", count.nests, count.loops);
        let ratio = |a: f64, b: f64| {
            if b > 0.0 {
                format!("{:.2}", a / b)
            } else {
                "-".to_owned()
            }
        };
        format!(
            "| {package} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.2} | {} | {} | {} |",
            self.files,
            pair(self.all),
            pair(self.modelled),
            pair(self.transformed),
            pair(self.by_polly),
            self.scops,
            ratio(self.accepted() as f64, self.by_polly.nests as f64),
            ratio(self.modelled.nests as f64, self.by_polly.nests as f64),
            ratio(self.modelled.loops as f64, self.by_polly.loops as f64),
            ratio(self.seconds[1], self.seconds[0]),
            self.worst.0,
            ratio(self.seconds[2], self.seconds[0]),
            ratio(self.text[1] as f64, self.text[0] as f64),
            ratio(self.text[2] as f64, self.text[0] as f64),
        )
    }

    /// How many nests Farkas models, where copies made by inlining are nests of their own, as in Polly's count.
    fn accepted(&self) -> usize {
        let kept = self.reasons.iter().filter(|(name, _)| name.starts_with("Kept"));
        self.changed + kept.map(|(_, count)| count).sum::<usize>()
    }

    /// Why nests stay as they are, the most frequent reason first.
    pub fn reasons(&self) -> String {
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
        let listed: Vec<String> = reasons
            .iter()
            .map(|(name, number)| format!("{name} {number}"))
            .collect();
        listed.join(", ")
    }

    /// The file whose compilation takes the most time in relation to clang's.
    pub fn worst(&self) -> String {
        format!("{:.2} for {}", self.worst.0, self.worst.1)
    }

    /// What failed.
    pub fn failures(&self) -> &[String] {
        &self.failures
    }
}
