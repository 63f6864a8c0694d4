//! Small random programs over one parameter, `N`: up to two loops around a statement, with accesses to `A[..]` and `s[]`.

use farkas_polyhedral::program::AccessKind::{self, MayWrite, MustWrite, Read};
use farkas_polyhedral::program::{Access, ElementType, Program, Reduction, ReductionOperation, Statement};
use farkas_polyhedral::sets::Map;
use proptest::prelude::*;

/// The statement with these instances, order and accesses.
pub(crate) fn statement(domain: &str, schedule: &str, accesses: &[(AccessKind, String)]) -> Statement {
    let parse = |text: &str| -> Map { text.parse().unwrap_or_else(|e| panic!("{text}: {e}")) };
    let access = |(kind, text): &(AccessKind, String)| Access {
        kind: *kind,
        relation: parse(text),
        reduction: None,
    };
    Statement::new(
        domain.parse().unwrap_or_else(|e| panic!("{domain}: {e}")),
        schedule.parse().unwrap_or_else(|e| panic!("{schedule}: {e}")),
        accesses.iter().map(access).collect(),
    )
}

/// The program of these statements with a parameter `N`.
pub(crate) fn program(statements: Vec<Statement>) -> Program {
    Program::of_statements("[N] -> { : N >= 0 }".parse().unwrap(), statements)
}

#[derive(Clone, Debug)]
struct RandomAccess {
    kind: AccessKind,
    array: usize,
    subscript: usize,
}

/// A statement of a random program.
#[derive(Clone, Debug)]
pub(crate) struct RandomStatement {
    depth: usize,
    domain: usize,
    reversed: bool,
    position: (i64, i64),
    accesses: Vec<RandomAccess>,
    /// The array and the subscript of an element that it combines with something, and by what.
    reduction: Option<(usize, usize, ReductionOperation)>,
}

/// Any statement.
pub(crate) fn random_statement() -> impl Strategy<Value = RandomStatement> {
    let kind = prop_oneof![3 => Just(Read), 1 => Just(MayWrite), 3 => Just(MustWrite)];
    let access =
        (kind, 0..2usize, 0..9usize).prop_map(|(kind, array, subscript)| RandomAccess { kind, array, subscript });
    (
        0..=2usize,
        0..4usize,
        prop::bool::weighted(0.2),
        (0..2i64, 0..2i64),
        prop::collection::vec(access, 1..=3),
        prop::option::of((
            0..2usize,
            0..7usize,
            prop_oneof![Just(ReductionOperation::Sum), Just(ReductionOperation::Product)],
        )),
    )
        .prop_map(
            |(depth, domain, reversed, position, accesses, reduction)| RandomStatement {
                depth,
                domain,
                reversed,
                position,
                accesses,
                reduction,
            },
        )
}

/// The program of these statements, named `S0`, `S1`, ..
pub(crate) fn build(statements: &[RandomStatement]) -> Program {
    let build_one = |(k, s): (usize, &RandomStatement)| {
        let dims = ["", "i", "i, j"][s.depth];
        let (i, j) = match s.depth {
            0 => ("1", "0"),
            1 => ("i", "1"),
            _ => ("i", "j"),
        };
        let outer = [
            "0 <= i < N",
            "0 <= i <= 2",
            "0 <= i <= N and i mod 2 = 0",
            "1 <= i <= N",
        ][s.domain];
        let inner = ["0 <= j < N", "0 <= j <= i", "0 <= j <= 2 and j < N", "i <= j <= N"][s.domain];
        let domain = match s.depth {
            0 => format!("[N] -> {{ S{k}[] : N >= {} }}", s.domain),
            1 => format!("[N] -> {{ S{k}[i] : {outer} }}"),
            _ => format!("[N] -> {{ S{k}[i, j] : {outer} and {inner} }}"),
        };
        let sign = if s.reversed { "-" } else { "" };
        let (time_i, time_j) = (if s.depth > 0 { i } else { "0" }, if s.depth > 1 { j } else { "0" });
        let (c0, c1) = s.position;
        let schedule = format!("[N] -> {{ S{k}[{dims}] -> [{c0}, {sign}({time_i}), {c1}, {time_j}, {k}] }}");
        let relation = |array: usize, subscript: usize| {
            let element = match (array, subscript) {
                (1, n) if n < 7 => "s[]".to_string(),
                (_, 0) => format!("A[{i}]"),
                (_, 1) => format!("A[{i} + 1]"),
                (_, 2) => format!("A[{i} + {j}]"),
                (_, 3) => format!("A[{j}]"),
                (_, 4) => format!("A[N - {i}]"),
                (_, 5) => format!("A[2*({j})]"),
                (_, 6) => format!("A[floor(({i} + {j})/2)]"),
                (_, 7) => format!("A[a] : {i} <= a <= {i} + 1"),
                (_, _) => "A[a] : 0 <= a < N".to_string(),
            };
            format!("[N] -> {{ S{k}[{dims}] -> {element} }}")
        };
        let mut accesses: Vec<(AccessKind, String)> = s
            .accesses
            .iter()
            .map(|a| (a.kind, relation(a.array, a.subscript)))
            .collect();
        let others = accesses.len();
        if let Some((array, subscript, _)) = s.reduction {
            accesses.push((Read, relation(array, subscript)));
            accesses.push((MustWrite, relation(array, subscript)));
        }
        let mut built = statement(&domain, &schedule, &accesses);
        for access in &mut built.accesses[others..] {
            access.reduction = s.reduction.map(|(_, _, operation)| Reduction {
                operation,
                ty: ElementType::Integer(32),
            });
        }
        built
    };
    program(statements.iter().enumerate().map(build_one).collect())
}
