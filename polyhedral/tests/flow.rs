//! Dependence analysis against simulation of small random programs.

mod random_program;

use expect_test::expect;
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::flow::{self, Dependences};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::AccessKind::{self, MustWrite, Read};
use farkas_polyhedral::program::{ElementType, Program, Reduction, ReductionOperation};
use farkas_polyhedral::sets::UnionMap;
use proptest::prelude::*;
use random_program::{build, program, random_statement, statement};
use std::collections::BTreeSet;

#[test]
fn a_sum_in_a_loop() {
    let p = program(vec![
        statement(
            "[N] -> { S0[i] : 0 <= i < N }",
            "{ S0[i] -> [i, 0] }",
            &[(MustWrite, "{ S0[i] -> s[] }".into())],
        ),
        statement(
            "[N] -> { S1[i] : 0 <= i < N }",
            "{ S1[i] -> [i, 1] }",
            &[
                (Read, "{ S1[i] -> s[] }".into()),
                (Read, "{ S1[i] -> A[i] }".into()),
                (MustWrite, "{ S1[i] -> s[] }".into()),
            ],
        ),
        statement(
            "[N] -> { S2[i] : 0 <= i < N }",
            "{ S2[i] -> [i, 2] }",
            &[
                (Read, "{ S2[i] -> s[] }".into()),
                (MustWrite, "{ S2[i] -> B[i] }".into()),
            ],
        ),
    ]);
    let d = flow::analyze(&p, &Budget::new(10_000_000)).unwrap();
    expect![[r#"
        flow: [N] -> { S0[i] -> S1[i' = i] : 0 <= i < N; S1[i] -> S2[i' = i] : 0 <= i < N }
        anti: [N] -> { S2[i] -> S0[i' = 1 + i] : 0 <= i <= -2 + N }
        output: [N] -> { S1[i] -> S0[i' = 1 + i] : 0 <= i <= -2 + N; S0[i] -> S1[i' = i] : 0 <= i < N }
        live in: [N] -> { S1[i] -> A[(i)] : 0 <= i < N }
        live out: [N] -> { S1[i = -1 + N] -> s[] : N > 0; S2[i] -> B[(i)] : 0 <= i < N }
    "#]]
    .assert_eq(&show(&p, &d));
}

#[test]
fn a_stencil() {
    let p = program(vec![
        statement(
            "[T, N] -> { S[t, i] : 0 <= t < T and 0 < i < N - 1 }",
            "{ S[t, i] -> [t, 0, i] }",
            &[
                (Read, "{ S[t, i] -> A[i - 1] }".into()),
                (Read, "{ S[t, i] -> A[i + 1] }".into()),
                (MustWrite, "{ S[t, i] -> B[i] }".into()),
            ],
        ),
        statement(
            "[T, N] -> { R[t, i] : 0 <= t < T and 0 < i < N - 1 }",
            "{ R[t, i] -> [t, 1, i] }",
            &[
                (Read, "{ R[t, i] -> B[i] }".into()),
                (MustWrite, "{ R[t, i] -> A[i] }".into()),
            ],
        ),
    ]);
    let d = flow::analyze(&p, &Budget::new(10_000_000)).unwrap();
    expect![[r#"
        flow: [N, T] -> { R[t, i] -> S[t' = 1 + t, i' = 1 + i] : 0 <= t <= -2 + T and 0 < i <= -3 + N; R[t, i] -> S[t' = 1 + t, i' = -1 + i] : 0 <= t <= -2 + T and 2 <= i <= -2 + N; S[t, i] -> R[t' = t, i' = i] : 0 <= t < T and 0 < i <= -2 + N }
        anti: [N, T] -> { S[t, i] -> R[t' = t, i' = -1 + i] : 0 <= t < T and 2 <= i <= -2 + N; S[t, i] -> R[t' = t, i' = 1 + i] : 0 <= t < T and 0 < i <= -3 + N; R[t, i] -> S[t' = 1 + t, i' = i] : 0 <= t <= -2 + T and 0 < i <= -2 + N }
        output: [N, T] -> { R[t, i] -> R[t' = 1 + t, i' = i] : 0 <= t <= -2 + T and 0 < i <= -2 + N; S[t, i] -> S[t' = 1 + t, i' = i] : 0 <= t <= -2 + T and 0 < i <= -2 + N }
        live in: [N, T] -> { S[t, i = 1] -> A[(0)] : 0 <= t < T and N >= 3; S[t = 0, i] -> A[(-1 + i)] : T > 0 and 2 <= i <= -2 + N; S[t, i = -2 + N] -> A[(-1 + N)] : 0 <= t < T and N >= 3; S[t = 0, i] -> A[(1 + i)] : T > 0 and 0 < i <= -3 + N }
        live out: [N, T] -> { S[t = -1 + T, i] -> B[(i)] : T > 0 and 0 < i <= -2 + N; R[t = -1 + T, i] -> A[(i)] : T > 0 and 0 < i <= -2 + N }
    "#]].assert_eq(&show(&p, &d));
}

const SUM: Reduction = Reduction {
    operation: ReductionOperation::Sum,
    ty: ElementType::Integer(32),
};

#[test]
fn a_reduction_in_any_order() {
    let mut p = program(vec![
        statement(
            "{ S0[] }",
            "{ S0[] -> [0, 0] }",
            &[(MustWrite, "{ S0[] -> s[] }".into())],
        ),
        statement(
            "[N] -> { S1[i] : 0 <= i < N }",
            "{ S1[i] -> [1, i] }",
            &[
                (Read, "{ S1[i] -> s[] }".into()),
                (MustWrite, "{ S1[i] -> s[] }".into()),
            ],
        ),
        statement("{ S2[] }", "{ S2[] -> [2, 0] }", &[(Read, "{ S2[] -> s[] }".into())]),
    ]);
    for access in &mut p.statements[1].accesses {
        access.reduction = Some(SUM);
    }
    let d = flow::analyze_unordered_reductions(&p, &Budget::new(10_000_000)).unwrap();
    expect![[r#"
        flow: [N] -> { S0[] -> S1[i] : 0 <= i < N; S1[i] -> S2[] : 0 <= i < N; S0[] -> S2[] : N >= 0 }
        anti: [N] -> { }
        output: [N] -> { S0[] -> S1[i] : 0 <= i < N }
        live in: [N] -> { }
        live out: [N] -> { S0[] -> s[] : N = 0; S1[i = -1 + N] -> s[] : N > 0 }
    "#]]
    .assert_eq(&show(&p, &d));
}

#[test]
fn statements_that_combine_by_one_operation() {
    let both = |name: &str| {
        let element = format!("{{ {name}[i] -> s[] }}");
        [(Read, element.clone()), (MustWrite, element)]
    };
    let mut p = program(vec![
        statement("[N] -> { A[i] : 0 <= i < N }", "{ A[i] -> [0, i, 0] }", &both("A")),
        statement("[N] -> { B[i] : 0 <= i < N }", "{ B[i] -> [0, i, 1] }", &both("B")),
        statement("[N] -> { C[i] : 0 <= i < N }", "{ C[i] -> [1, i, 0] }", &both("C")),
    ]);
    let product = Reduction {
        operation: ReductionOperation::Product,
        ..SUM
    };
    for (statement, reduction) in p.statements.iter_mut().zip([SUM, SUM, product]) {
        statement
            .accesses
            .iter_mut()
            .for_each(|access| access.reduction = Some(reduction));
    }
    let d = flow::analyze_unordered_reductions(&p, &Budget::new(10_000_000)).unwrap();
    expect![[r#"
        flow: [N] -> { A[i] -> C[i'] : 0 <= i' < N and 0 <= i < N; B[i] -> C[i'] : 0 <= i' < N and 0 <= i < N }
        anti: [N] -> { A[i] -> C[i'] : 0 <= i' < N and 0 <= i < N; B[i] -> C[i'] : 0 <= i' < N and 0 <= i < N }
        output: [N] -> { A[i] -> C[i'] : 0 <= i' < N and 0 <= i < N; B[i] -> C[i'] : 0 <= i' < N and 0 <= i < N }
        live in: [N] -> { A[i] -> s[] : 0 <= i < N; B[i] -> s[] : 0 <= i < N; C[i] -> s[] : 0 <= i < N }
        live out: [N] -> { C[i = -1 + N] -> s[] : N > 0 }
    "#]]
    .assert_eq(&show(&p, &d));
}

fn show(p: &Program, d: &Dependences) -> String {
    let live_out = flow::live_out(p, &Budget::new(10_000_000)).unwrap();
    let line = |name: &str, map: &UnionMap| format!("{name}: {map}\n");
    line("flow", &d.flow)
        + &line("anti", &d.anti)
        + &line("output", &d.output)
        + &line("live in", &d.live_in)
        + &line("live out", &live_out)
}

type Instance = (usize, Vec<Int>);

type AccessedElement = (AccessKind, String, Vec<Int>);

/// What one run does, in order: instances with their accesses, each to an array with a name and some elements.
fn run(p: &Program, n: &Int) -> Vec<(Instance, Vec<AccessedElement>)> {
    let params = [n.clone()];
    let mut timed = Vec::new();
    for (k, s) in p.statements.iter().enumerate() {
        let mut points = vec![Vec::new()];
        for _ in 0..s.domain.n_dims() {
            points = points
                .into_iter()
                .flat_map(|q: Vec<Int>| (-1..=6).map(move |x| [q.clone(), vec![Int::from(x)]].concat()))
                .collect();
        }
        for point in points
            .into_iter()
            .filter(|q| s.domain.contains(&params, q, &Budget::unlimited()).unwrap())
        {
            let mut accesses = Vec::new();
            for a in &s.accesses {
                let name = a.array().name().unwrap().to_string();
                let elements: Vec<Vec<Int>> = match a.array().n() {
                    0 => vec![vec![]],
                    _ => (-3..=14).map(|x| vec![Int::from(x)]).collect(),
                };
                for e in elements
                    .into_iter()
                    .filter(|e| a.relation.contains(&params, &point, e, &Budget::unlimited()).unwrap())
                {
                    accesses.push((a.kind, name.clone(), e));
                }
            }
            let time = s.schedule.eval(&params, &point).unwrap();
            timed.push((time, ((k, point), accesses)));
        }
    }
    timed.sort_by(|a, b| a.0.cmp(&b.0));
    timed.into_iter().map(|(_, instance)| instance).collect()
}

/// An accessed element, with the reduction that the access is part of.
type Part = (AccessedElement, Option<Reduction>);

/// The instances of one run in order, with their accesses.
fn with_reductions(p: &Program, n: &Int) -> Vec<(Instance, Vec<Part>)> {
    let mut parts = p.clone();
    let mut others = p.clone();
    for statement in &mut parts.statements {
        statement.accesses.retain(|access| access.reduction.is_some());
    }
    for statement in &mut others.statements {
        statement.accesses.retain(|access| access.reduction.is_none());
    }
    let marked = |accesses: Vec<AccessedElement>, part| accesses.into_iter().map(move |access| (access, part));
    let both = run(&others, n).into_iter().zip(run(&parts, n));
    let all = both.map(|((instance, own), (_, part))| {
        let reduction = parts.statements[instance.0]
            .accesses
            .first()
            .and_then(|access| access.reduction);
        (instance, marked(own, None).chain(marked(part, reduction)).collect())
    });
    all.collect()
}

fn pairs_of(p: &Program, map: &UnionMap, n: &Int, instances: &[Instance]) -> BTreeSet<(Instance, Instance)> {
    let mut out = BTreeSet::new();
    for s in instances {
        for t in instances {
            let m = map.extract(p.statements[s.0].tuple(), p.statements[t.0].tuple());
            let params = vec![n.clone(); m.params().len()];
            if m.contains(&params, &s.1, &t.1, &Budget::unlimited()).unwrap() {
                out.insert((s.clone(), t.clone()));
            }
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn dependences_of_random_programs(statements in prop::collection::vec(random_statement(), 1..=3)) {
        let p = build(&statements);
        let b = Budget::new(20_000_000);
        let d = flow::analyze(&p, &b).unwrap();
        let written = flow::live_out(&p, &b).unwrap();
        for n in 0..=3 {
            let n = Int::from(n);
            let trace = run(&p, &n);
            let (mut flow, mut anti, mut output) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
            let (mut live_in, mut live_out) = (BTreeSet::new(), BTreeSet::new());
            for (at, (sink, accesses)) in trace.iter().enumerate() {
                for (kind, array, element) in accesses {
                    let same = |a: &AccessedElement| a.1 == *array && a.2 == *element;
                    let mut open = true;
                    for (source, others) in trace[..at].iter().rev() {
                        let must = others.iter().any(|a| same(a) && a.0 == MustWrite);
                        for (other, ..) in others.iter().filter(|a| same(a)) {
                            let pair = (source.clone(), sink.clone());
                            match (*other, *kind) {
                                (Read, Read) => {}
                                // What the same instance overwrites is read before that.
                                (Read, _) if must => {}
                                (Read, _) => { anti.insert(pair); }
                                (_, Read) => { flow.insert(pair); }
                                (_, _) => { output.insert(pair); }
                            }
                        }
                        if must {
                            open = false;
                            break;
                        }
                    }
                    let item = (sink.clone(), array.clone(), element.clone());
                    if *kind == Read {
                        if open {
                            live_in.insert(item);
                        }
                    } else if !trace[at + 1..].iter().any(|(_, a)| a.iter().any(|a| same(a) && a.0 == MustWrite)) {
                        live_out.insert(item);
                    }
                }
            }
            let instances: Vec<Instance> = trace.iter().map(|(i, _)| i.clone()).collect();
            prop_assert_eq!(pairs_of(&p, &d.flow, &n, &instances), flow, "flow {} of {:?}", d.flow, p);
            prop_assert_eq!(pairs_of(&p, &d.anti, &n, &instances), anti, "anti {} of {:?}", d.anti, p);
            prop_assert_eq!(pairs_of(&p, &d.output, &n, &instances), output, "output {} of {:?}", d.output, p);
            for (set, expected) in [(&d.live_in, &live_in), (&written, &live_out)] {
                for s in &instances {
                    let statement = &p.statements[s.0];
                    for access in &statement.accesses {
                        let map = set.extract(statement.tuple(), access.array());
                        let elements = if access.array().n() == 0 { vec![vec![]] }
                            else { (-3..=14).map(|x| vec![Int::from(x)]).collect() };
                        for e in elements {
                            let item = (s.clone(), access.array().name().unwrap().to_string(), e.clone());
                            let params = vec![n.clone(); map.params().len()];
                            prop_assert_eq!(map.contains(&params, &s.1, &e, &b).unwrap(), expected.contains(&item), "{}", set);
                        }
                    }
                }
            }
        }
    }

    /// Whatever conflicts stays in order, but for what only combines values by one operation, which is free.
    #[test]
    fn reductions_of_random_programs(statements in prop::collection::vec(random_statement(), 1..=3)) {
        let p = build(&statements);
        let b = Budget::new(20_000_000);
        let all = flow::analyze_unordered_reductions(&p, &b).unwrap().all(&b).unwrap();
        for n in 0..=3 {
            let n = Int::from(n);
            let instances = with_reductions(&p, &n);
            let names: Vec<Instance> = instances.iter().map(|(instance, _)| instance.clone()).collect();
            let kept = pairs_of(&p, &all, &n, &names);
            let mut reached: BTreeSet<(usize, usize)> = BTreeSet::new();
            for (at, (sink, accesses)) in instances.iter().enumerate() {
                for before in (0..at).rev() {
                    let (source, others) = &instances[before];
                    let mut direct = false;
                    for ((kind, array, element), part) in accesses {
                        for ((other, other_array, other_element), other_part) in others {
                            if array != other_array || element != other_element || (*kind, *other) == (Read, Read) {
                                continue;
                            }
                            direct = direct || part.is_none() || part != other_part;
                        }
                    }
                    let pair = (source.clone(), sink.clone());
                    if kept.contains(&pair) {
                        prop_assert!(direct, "{pair:?} in {all} of {p:?}");
                        reached.insert((before, at));
                        let earlier: Vec<usize> = (0..before).filter(|x| reached.contains(&(*x, before))).collect();
                        reached.extend(earlier.into_iter().map(|x| (x, at)));
                    }
                    prop_assert!(!direct || reached.contains(&(before, at)), "{pair:?} not in {all} of {p:?}");
                }
            }
        }
    }
}
