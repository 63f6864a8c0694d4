//! What Polly prints of its static control parts.
//!
//! Its remarks give the first and the last line of a part only, and lines of inlined functions mix in these. So the loops
//! are counted in the schedules: `Stmt[i0, i1] -> [0, i0, 1, i1]` is in two loops, which it shares with statements of
//! equal first elements.

use std::collections::BTreeSet;

/// Loops in parts that Polly keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scops {
    /// Parts with loops.
    pub parts: usize,
    /// Their outermost loops.
    pub nests: usize,
    /// All their loops.
    pub loops: usize,
}

/// Counts in the output of `-polly-print-scops`.
pub fn count(printed: &str) -> Scops {
    let mut all = Scops::default();
    for part in printed.split("Printing analysis 'Polly").skip(1) {
        let mut loops: BTreeSet<Vec<&str>> = BTreeSet::new();
        for (title, line) in part.lines().zip(part.lines().skip(1)) {
            if title.trim() == "Schedule :=" {
                loops.extend(loops_of(line));
            }
        }
        all.parts += usize::from(!loops.is_empty());
        all.nests += loops
            .iter()
            .filter(|l| l.iter().filter(|step| is_counter(step)).count() == 1)
            .count();
        all.loops += loops.len();
    }
    all
}

fn is_counter(step: &str) -> bool {
    step.contains('i')
}

/// The loops around a statement: each by the elements of the schedule up to its own.
fn loops_of(schedule: &str) -> Vec<Vec<&str>> {
    let image = schedule.split_once("-> [").and_then(|(_, rest)| rest.split_once(']'));
    let steps: Vec<&str> = image.map_or_else(Vec::new, |(image, _)| image.split(", ").collect());
    let counters = (0..steps.len()).filter(|&at| is_counter(steps[at]));
    counters.map(|at| steps[..=at].to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_are_counted() {
        let printed = "Printing analysis 'Polly - x' for region: 'a => b' in function 'f':\nInvalid Scop!\n\
            Printing analysis 'Polly - x' for region: 'c => d' in function 'f':\n    Statements {\n\
            \x20           Schedule :=\n                [n] -> { Stmt1[i0, i1] -> [0, i0, 0, i1] };\n\
            \x20           Schedule :=\n                [n] -> { Stmt2[i0] -> [0, i0, 1, 0] };\n\
            \x20           Schedule :=\n                [n] -> { Stmt3[i0] -> [1, i0, 0, 0] };\n\
            Printing analysis 'Polly - x' for region: 'e => f' in function 'g':\n\
            \x20           Schedule :=\n                { Stmt1[] -> [] };\n";
        let expected = Scops {
            parts: 1,
            nests: 2,
            loops: 3,
        };
        assert_eq!(count(printed), expected);
    }
}
