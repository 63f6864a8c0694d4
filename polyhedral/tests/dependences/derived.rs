//! What is derived of a program, against the direct analysis of programs.

use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::flow::derive::{Fragment, live_ranges, plain};
use farkas_polyhedral::flow::{Dependences, analyze, analyze_by_array, live_out, memory_based, memory_based_by_array};
use farkas_polyhedral::program::{Access, AccessId, AccessKind, Kill, Program, Statement, StatementId};
use farkas_polyhedral::sets::UnionMap;

use AccessKind::{MayWrite, MustWrite, Read};

fn statement(domain: &str, schedule: &str, accesses: &[(AccessKind, &str)]) -> Statement {
    let access = |&(kind, relation): &(AccessKind, &str)| Access {
        kind,
        relation: relation.parse().unwrap(),
        reduction: None,
    };
    Statement::new(
        domain.parse().unwrap(),
        schedule.parse().unwrap(),
        accesses.iter().map(access).collect(),
    )
}

/// A sum in a loop, into a variable that is declared in the body: `{ S0: s = 0; S1: if (..) s += A[i]; S2: B[i] = s; }`.
fn sums(with_kills: bool) -> Program {
    let kill = Kill {
        relation: "[N] -> { K[i] -> s[] : 0 <= i < N }".parse().unwrap(),
        schedule: "{ K[i] -> [i, 3] }".parse().unwrap(),
    };
    let (read, write) = ("{ S1[i] -> s[] }", "{ S1[i] -> s[] }");
    let statements = vec![
        statement(
            "[N] -> { S0[i] : 0 <= i < N }",
            "{ S0[i] -> [i, 0] }",
            &[(MustWrite, "{ S0[i] -> s[] }")],
        ),
        statement(
            "[N] -> { S1[i] : 0 <= i < N }",
            "{ S1[i] -> [i, 1] }",
            &[(Read, read), (Read, "{ S1[i] -> A[i] }"), (MayWrite, write)],
        ),
        statement(
            "[N] -> { S2[i] : 0 <= i < N }",
            "{ S2[i] -> [i, 2] }",
            &[(Read, "{ S2[i] -> s[] }"), (MustWrite, "{ S2[i] -> B[i] }")],
        ),
    ];
    Program {
        kills: if with_kills { vec![kill] } else { Vec::new() },
        ..Program::of_statements("[N] -> { : N >= 0 }".parse().unwrap(), statements)
    }
}

fn check(what: &str, found: &UnionMap, expected: &str, b: &Budget) {
    assert!(
        found.is_equal(&expected.parse().unwrap(), b).unwrap(),
        "{what}: {found}"
    );
}

#[test]
fn references_are_tags() {
    let b = Budget::new(10_000_000);
    let fragment = Fragment::of_program(&sums(true), &b).unwrap();
    check(
        "reads",
        &fragment.may_read,
        "[N] -> { [S1[i] -> S1_0[]] -> s[] : 0 <= i < N; [S1[i] -> S1_1[]] -> A[i] : 0 <= i < N;
                  [S2[i] -> S2_0[]] -> s[] : 0 <= i < N }",
        &b,
    );
    check(
        "kills",
        &fragment.kill,
        "[N] -> { [K[i] -> K[]] -> s[] : 0 <= i < N }",
        &b,
    );
    let found = plain(&fragment, &b).unwrap();
    check(
        "tagged flow",
        &found.flows.tagged_flow,
        "[N] -> { [S0[i] -> S0_0[]] -> [S1[i] -> S1_0[]] : 0 <= i < N; [S0[i] -> S0_0[]] -> [S2[i] -> S2_0[]] : 0 <= i < N;
                  [S1[i] -> S1_2[]] -> [S2[i] -> S2_0[]] : 0 <= i < N }",
        &b,
    );
    assert_eq!(sums(true).reference(StatementId(1), AccessId(2)).as_str(), "S1_2");
}

#[test]
fn the_direct_analysis_agrees() {
    let b = Budget::new(10_000_000);
    let program = sums(false);
    let direct = analyze(&program, &b).unwrap();
    let found = plain(&Fragment::of_program(&program, &b).unwrap(), &b).unwrap();
    for (name, derived, direct) in [
        ("flow", &found.flows.flow, &direct.flow),
        ("false", &found.false_dependences, &direct.anti.union(&direct.output)),
        ("live in", &found.flows.may_live_in, &direct.live_in),
        ("live out", &found.flows.may_live_out, &live_out(&program, &b).unwrap()),
    ] {
        assert!(derived.is_equal(direct, &b).unwrap(), "{name}: {derived} and {direct}");
    }
}

#[test]
fn kills_take_away_what_is_live_out() {
    let b = Budget::new(10_000_000);
    let fragment = Fragment::of_program(&sums(true), &b).unwrap();
    let found = live_ranges(&fragment, &b).unwrap();
    let plain = &found.flows;
    check(
        "live out",
        &plain.may_live_out,
        "[N] -> { S2[i] -> B[i] : 0 <= i < N }",
        &b,
    );
    check(
        "live in",
        &plain.may_live_in,
        "[N] -> { S1[i] -> A[i] : 0 <= i < N }",
        &b,
    );
    // Both writes may be what S2 reads.
    check("forced", &found.forced, "[N] -> { S0[i] -> S1[i] : 0 <= i < N }", &b);
    let order = "[N] -> { [S1[i] -> S1_0[]] -> [S0[j] -> S0_0[]] : 0 <= i < j < N;
                          [S1[i] -> S1_0[]] -> [S1[j] -> S1_2[]] : 0 <= i < j < N;
                          [S2[i] -> S2_0[]] -> [S0[j] -> S0_0[]] : 0 <= i < j < N;
                          [S2[i] -> S2_0[]] -> [S1[j] -> S1_2[]] : 0 <= i < j < N }";
    check("order", &found.tagged_order, order, &b);
    check("order of arrays", &found.array_order, "{ }", &b);
    let constraints = found.constraints(&fragment, &b).unwrap();
    let validity = "[N] -> { S0[i] -> S1[i] : 0 <= i < N; S0[i] -> S2[i] : 0 <= i < N; S1[i] -> S2[i] : 0 <= i < N }";
    check("validity", &constraints.validity, validity, &b);
    check("coincidence", &constraints.coincidence, validity, &b);
    check("conditioned", &constraints.conditional_validity, order, &b);
}

#[test]
fn derived_dependences_are_memory_based() {
    let b = Budget::new(10_000_000);
    let program = sums(false);
    let all = memory_based(&program, &b).unwrap();
    let fragment = Fragment::of_program(&program, &b).unwrap();
    let found = plain(&fragment, &b).unwrap();
    let constraints = found.constraints(&fragment);
    assert!(constraints.validity.is_subset(&all, &b).unwrap());
    assert!(found.flows.flow.is_subset(&constraints.proximity, &b).unwrap());
}

/// Each kind of value-based dependences is among the memory-based ones of the same array, and so is what comes in.
#[test]
fn value_based_dependences_are_memory_based() {
    let b = Budget::new(10_000_000);
    let program = sums(false);
    let by_value = analyze_by_array(&program, &b).unwrap();
    let by_memory = memory_based_by_array(&program, &b).unwrap();
    assert_eq!(by_value.len(), by_memory.len());
    for (array, own) in &by_value {
        let all = &by_memory[array];
        for (one, other) in [
            (&own.flow, &all.flow),
            (&own.anti, &all.anti),
            (&own.output, &all.output),
            (&own.live_in, &all.live_in),
        ] {
            assert!(one.is_subset(other, &b).unwrap(), "{one} in {other}");
        }
    }
    let together = Dependences::of_arrays(program.context.params().clone(), by_memory.values());
    let all = memory_based(&program, &b).unwrap();
    assert!(together.all(&b).unwrap().is_equal(&all, &b).unwrap());
}

#[test]
fn reads_of_the_same_value() {
    let b = Budget::new(10_000_000);
    let fragment = Fragment::of_program(&sums(false), &b).unwrap();
    let input = fragment.input_dependences(&b).unwrap();
    check("input", &input, "[N] -> { S1[i] -> S2[i] : 0 <= i < N }", &b);
}
