//! Programs as text, and the schedule constraints of their dependences.

use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::flow;
use farkas_polyhedral::program::{Access, AccessKind, Program, Statement};
use farkas_polyhedral::schedule::ScheduleConstraints;
use farkas_polyhedral::sets::{Map, UnionSet};

/// A program from a line for its context and then, for each statement, its name with dimensions, its instances, its
/// original schedule and its accesses (the last one is written, the others are read), separated by `|`:
///
/// ```text
/// [n] -> { : n > 0 }
/// S[i] | 0 <= i < n | [0, i] | A[i]; A[i + 1]; B[i]
/// ```
pub(crate) fn program(text: &str) -> Program {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let context = lines.next().expect("a context");
    let params = &context[..context.find("->").map_or(0, |i| i + 2)];
    let statement = |line: &str| {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let [name, instances, schedule, accesses] = parts[..] else {
            panic!("four parts: {line}")
        };
        let relation = |array: &str| -> Map {
            let text = format!("{params} {{ {name} -> {array} : {instances} }}");
            text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
        };
        let accesses: Vec<&str> = accesses.split(';').map(str::trim).collect();
        let last = accesses.len() - 1;
        let access = |(index, array): (usize, &&str)| Access {
            kind: if index == last {
                AccessKind::MustWrite
            } else {
                AccessKind::Read
            },
            relation: relation(array),
            reduction: None,
        };
        let domain = format!("{params} {{ {name} : {instances} }}").parse();
        let schedule = format!("{params} {{ {name} -> {schedule} }}").parse();
        Statement::new(
            domain.expect("a set"),
            schedule.expect("a function"),
            accesses.iter().enumerate().map(access).collect(),
        )
    };
    Program::of_statements(context.parse().expect("a set"), lines.map(statement).collect())
}

/// The constraints of P0, 4.3, without live-range reordering: all dependences are to be respected, kept close, and
/// coincide.
pub(crate) fn constraints(text: &str) -> ScheduleConstraints {
    let program = program(text);
    let b = Budget::new(10_000_000);
    let dependences = flow::analyze(&program, &b)
        .and_then(|d| d.all(&b))
        .expect("dependences");
    let mut domain = UnionSet::empty(program.context.params().clone());
    program.statements.iter().for_each(|s| domain.add(&s.domain));
    ScheduleConstraints {
        context: program.context.clone(),
        validity: dependences.clone(),
        proximity: dependences.clone(),
        coincidence: dependences,
        ..ScheduleConstraints::on_domain(domain)
    }
}
