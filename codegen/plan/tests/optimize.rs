//! From a model to loops, without LLVM: dependences, schedule, optimization, legality check, AST; and the interpreter to
//! see that dependent instances stay in order.
#![forbid(unsafe_code)]

use expect_test::{Expect, expect};
use farkas_plan::optimize::{Plan, Target, optimize};
use farkas_polyhedral::ast;
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::program::{Access, AccessKind, Program, Statement};
use farkas_polyhedral::schedule::{self, Fusion, ScheduleConstraints};
use farkas_polyhedral::sets::{MultiAff, UnionSet};
use farkas_polyhedral::{check, flow};

/// A program from its text: `statement`, `schedule`, `read`, `write` lines.
fn program(text: &str) -> Program {
    let mut program: Option<Program> = None;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (key, value) = line.split_once(' ').expect("a key and a value");
        if key == "context" {
            program = Some(Program::of_statements(value.parse().expect("a set"), Vec::new()));
            continue;
        }
        let statements = &mut program.as_mut().expect("the context comes first").statements;
        match key {
            "statement" => {
                let domain: farkas_polyhedral::sets::Set = value.parse().expect("a set");
                let space = domain.space().clone();
                statements.push(Statement::new(domain, MultiAff::identity(space), Vec::new()));
            }
            "schedule" => statements.last_mut().expect("a statement").schedule = value.parse().expect("a function"),
            "read" | "write" => {
                let kind = if key == "read" {
                    AccessKind::Read
                } else {
                    AccessKind::MustWrite
                };
                let statement = statements.last_mut().expect("a statement");
                let relation: farkas_polyhedral::sets::Map = value.parse().expect("a relation");
                let relation = relation.intersect_domain(&statement.domain);
                statement.accesses.push(Access {
                    kind,
                    relation,
                    reduction: false,
                });
            }
            _ => panic!("unknown key {key}"),
        }
    }
    program.expect("a program")
}

fn check(text: &str, expected: Expect) {
    let program = program(text);
    let b = Budget::new(200_000_000);
    let dependences = flow::analyze(&program, &b)
        .and_then(|d| d.all(&b))
        .expect("dependences");
    let mut domain = UnionSet::empty(program.context.params().clone());
    program.statements.iter().for_each(|s| domain.add(&s.domain));
    let constraints = ScheduleConstraints {
        context: program.context.clone(),
        validity: dependences.clone(),
        proximity: dependences.clone(),
        coincidence: dependences.clone(),
        ..ScheduleConstraints::on_domain(domain)
    };
    let options = schedule::Options {
        fusion: Fusion::None,
        ..schedule::Options::default()
    };
    let tree = schedule::schedule(&constraints, &options, &b).expect("a schedule");
    let used_by_scheduler = b.left();
    let plan = optimize(&program, &tree, &dependences, &Target::default(), &b).expect("a plan");
    let mut text = format!("{tree}");
    match plan {
        Plan::LeaveAlone { reason } => text.push_str(&format!("left alone: {reason}\n")),
        Plan::Transform { tree, summary } => {
            assert!(check::is_legal(&dependences, &tree.flat_schedule().expect("functions"), &b).expect("a verdict"));
            let ast = ast::generate(&tree, &ast::Options::default(), &b).expect("an AST");
            text.push_str(&format!("{summary}\n{ast}"));
        }
    }
    assert!(used_by_scheduler > 0);
    expected.assert_eq(&text);
}

#[test]
fn matrix_product() {
    check(
        "
        context [n] -> { : n > 0 }
        statement [n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }
        schedule [n] -> { S[i, j] -> [i, j, 0, 0] }
        read [n] -> { S[i, j] -> C[i, j] }
        write [n] -> { S[i, j] -> C[i, j] }
        statement [n] -> { T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }
        schedule [n] -> { T[i, j, k] -> [i, j, 1, k] }
        read [n] -> { T[i, j, k] -> C[i, j] }
        read [n] -> { T[i, j, k] -> A[i, k] }
        read [n] -> { T[i, j, k] -> B[k, j] }
        write [n] -> { T[i, j, k] -> C[i, j] }
        ",
        expect![[r#"
            domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
            child:
              context: "[n] -> { [] : n > 0 }"
              child:
                sequence:
                - filter: "{ S[i, j] }"
                  child:
                    schedule: "[n] -> [{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
                    permutable: 1
                    coincident: [ 1, 1 ]
                - filter: "{ T[i, j, k] }"
                  child:
                    schedule: "[n] -> [{ T[i, j, k] -> [(i)] }, { T[i, j, k] -> [(j)] }, { T[i, j, k] -> [(k)] }]"
                    permutable: 1
                    coincident: [ 1, 1, 0 ]
            interchanged loops for consecutive accesses, tiled 3 dimensions, unrolled 2 for registers
            // parallel
            for (int c0 = 0; c0 < n; c0 += 1) {
              // parallel
              for (int c1 = 0; c1 < n; c1 += 1)
                S(c0, c1);
            }
            // parallel
            for (int c0 = 0; c0 <= (n - 1) / 32; c0 += 1)
              for (int c1 = 0; c1 <= (n - 1) / 32; c1 += 1) {
                // parallel
                for (int c2 = 0; c2 <= (n - 1) / 512; c2 += 1) {
                  if (n >= 32 * c1 + 4) {
                    // parallel
                    for (int c3 = 8 * c0; c3 <= min(8 * c0 + 7, (n / 4) - 1); c3 += 1) {
                      for (int c4 = 8 * c1; c4 <= min(8 * c1 + 7, (n / 4) - 1); c4 += 1) {
                        // parallel
                        for (int c5 = 512 * c2; c5 <= min(n - 1, 512 * c2 + 511); c5 += 1) {
                          T(4 * c3, c5, 4 * c4);
                          T(4 * c3, c5, 4 * c4 + 1);
                          T(4 * c3, c5, 4 * c4 + 2);
                          T(4 * c3, c5, 4 * c4 + 3);
                          T(4 * c3 + 1, c5, 4 * c4);
                          T(4 * c3 + 1, c5, 4 * c4 + 1);
                          T(4 * c3 + 1, c5, 4 * c4 + 2);
                          T(4 * c3 + 1, c5, 4 * c4 + 3);
                          T(4 * c3 + 2, c5, 4 * c4);
                          T(4 * c3 + 2, c5, 4 * c4 + 1);
                          T(4 * c3 + 2, c5, 4 * c4 + 2);
                          T(4 * c3 + 2, c5, 4 * c4 + 3);
                          T(4 * c3 + 3, c5, 4 * c4);
                          T(4 * c3 + 3, c5, 4 * c4 + 1);
                          T(4 * c3 + 3, c5, 4 * c4 + 2);
                          T(4 * c3 + 3, c5, 4 * c4 + 3);
                        }
                      }
                      // parallel
                      for (int c5 = 512 * c2; c5 <= min(n - 1, 512 * c2 + 511); c5 += 1) {
                        // parallel
                        for (int c6 = 4 * c3; c6 <= 4 * c3 + 3; c6 += 1)
                          for (int c7 = 4 * (n / 4); c7 <= min(n - 1, 32 * c1 + 31); c7 += 1)
                            T(c6, c5, c7);
                      }
                    }
                    if (n >= 32 * c0 + 4 && 32 * c0 + 31 >= n)
                      for (int c4 = 8 * c1; c4 <= min((n - 1) / 4, 8 * c1 + 7); c4 += 1) {
                        // parallel
                        for (int c5 = 512 * c2; c5 <= min(n - 1, 512 * c2 + 511); c5 += 1) {
                          // parallel
                          for (int c6 = 4 * (n / 4); c6 < n; c6 += 1)
                            for (int c7 = 4 * c4; c7 <= min(n - 1, 4 * c4 + 3); c7 += 1)
                              T(c6, c5, c7);
                        }
                      }
                    if (32 * c0 + 3 >= n)
                      for (int c4 = 8 * c1; c4 <= 8 * c1 + 7; c4 += 1) {
                        // parallel
                        for (int c5 = 512 * c2; c5 <= min(n - 1, 512 * c2 + 511); c5 += 1) {
                          // parallel
                          for (int c6 = 32 * c0; c6 < n; c6 += 1)
                            for (int c7 = 4 * c4; c7 <= 4 * c4 + 3; c7 += 1)
                              T(c6, c5, c7);
                        }
                      }
                  } else {
                    // parallel
                    for (int c3 = 8 * c0; c3 <= min(8 * c0 + 7, 8 * c1); c3 += 1) {
                      // parallel
                      for (int c5 = 512 * c2; c5 <= min(n - 1, 512 * c2 + 511); c5 += 1) {
                        // parallel
                        for (int c6 = 4 * c3; c6 <= min(n - 1, 4 * c3 + 3); c6 += 1)
                          for (int c7 = 32 * c1; c7 < n; c7 += 1)
                            T(c6, c5, c7);
                      }
                    }
                  }
                }
              }
        "#]],
    );
}

#[test]
fn jacobi_over_time() {
    check(
        "
        context [t, n] -> { : n > 0 and t > 0 }
        statement [t, n] -> { S[k, i, j] : 0 <= k < t and 1 <= i < n - 1 and 1 <= j < n - 1 }
        schedule [t, n] -> { S[k, i, j] -> [k, 0, i, j] }
        read [t, n] -> { S[k, i, j] -> A[i, j] }
        read [t, n] -> { S[k, i, j] -> A[i + 1, j] }
        read [t, n] -> { S[k, i, j] -> A[i - 1, j] }
        read [t, n] -> { S[k, i, j] -> A[i, j + 1] }
        read [t, n] -> { S[k, i, j] -> A[i, j - 1] }
        write [t, n] -> { S[k, i, j] -> B[i, j] }
        statement [t, n] -> { T[k, i, j] : 0 <= k < t and 1 <= i < n - 1 and 1 <= j < n - 1 }
        schedule [t, n] -> { T[k, i, j] -> [k, 1, i, j] }
        read [t, n] -> { T[k, i, j] -> B[i, j] }
        read [t, n] -> { T[k, i, j] -> B[i + 1, j] }
        read [t, n] -> { T[k, i, j] -> B[i - 1, j] }
        read [t, n] -> { T[k, i, j] -> B[i, j + 1] }
        read [t, n] -> { T[k, i, j] -> B[i, j - 1] }
        write [t, n] -> { T[k, i, j] -> A[i, j] }
        ",
        expect![[r#"
            domain: "[t, n] -> { S[k, i, j] : 0 <= k < t and 0 < i <= -2 + n and 0 < j <= -2 + n; T[k, i, j] : 0 <= k < t and 0 < i <= -2 + n and 0 < j <= -2 + n }"
            child:
              context: "[t, n] -> { [] : n > 0 and t > 0 }"
              child:
                schedule: "[t, n] -> [{ S[k, i, j] -> [(k)]; T[k, i, j] -> [(k)] }, { S[k, i, j] -> [(2k + i)]; T[k, i, j] -> [(1 + 2k + i)] }, { S[k, i, j] -> [(2k + j)]; T[k, i, j] -> [(1 + 2k + j)] }]"
                permutable: 1
                child:
                  set:
                  - filter: "{ S[k, i, j] }"
                  - filter: "{ T[k, i, j] }"
            tiled 3 dimensions
            for (int c0 = 0; c0 <= (t - 1) / 32; c0 += 1)
              for (int c1 = 2 * c0; c1 <= min((2 * t + n - 3) / 32, 2 * c0 + (n + 29) / 32 + 1); c1 += 1)
                for (int c2 = max(c0 / 8, floord(32 * c1 - n + 3, 512)); c2 <= min(min((n + 32 * c1 + 28) / 512, (2 * t + n - 3) / 512), (n + 64 * c0 + 61) / 512); c2 += 1)
                  for (int c3 = max(max(32 * c0, 16 * c1 - (n - 1) / 2), 256 * c2 - (n - 1) / 2); c3 <= min(min(t - 1, 32 * c0 + 31), 16 * c1 + 15); c3 += 1)
                    for (int c4 = max(max(2 * c3 + 1, 32 * c1), 512 * c2 - n + 3); c4 <= min(min(32 * c1 + 31, n + 2 * c3 - 1), n + 256 * c2 + c3 + 253); c4 += 1) {
                      if (n + 2 * c3 >= c4 + 2) {
                        // parallel
                        for (int c5 = max(2 * c3 + 1, 512 * c2); c5 <= min(n + 2 * c3 - 2, 512 * c2 + 511); c5 += 1)
                          S(c3, c4 - 2 * c3, c5 - 2 * c3);
                      }
                      if (c4 >= 2 * c3 + 2) {
                        // parallel
                        for (int c5 = max(2 * c3 + 2, 512 * c2); c5 <= min(n + 2 * c3 - 1, 512 * c2 + 511); c5 += 1)
                          T(c3, c4 - 2 * c3 - 1, c5 - 2 * c3 - 1);
                      }
                    }
        "#]],
    );
}

#[test]
fn lu_decomposition() {
    check(
        "
        context [n] -> { : n > 0 }
        statement [n] -> { P[i, j, k] : 0 <= i < n and 0 <= j < i and 0 <= k < j }
        schedule [n] -> { P[i, j, k] -> [i, 0, j, 0, k] }
        read [n] -> { P[i, j, k] -> A[i, j] }
        read [n] -> { P[i, j, k] -> A[i, k] }
        read [n] -> { P[i, j, k] -> A[k, j] }
        write [n] -> { P[i, j, k] -> A[i, j] }
        statement [n] -> { Q[i, j] : 0 <= i < n and 0 <= j < i }
        schedule [n] -> { Q[i, j] -> [i, 0, j, 1, 0] }
        read [n] -> { Q[i, j] -> A[i, j] }
        read [n] -> { Q[i, j] -> A[j, j] }
        write [n] -> { Q[i, j] -> A[i, j] }
        statement [n] -> { R[i, j, k] : 0 <= i < n and i <= j < n and 0 <= k < i }
        schedule [n] -> { R[i, j, k] -> [i, 1, j, 0, k] }
        read [n] -> { R[i, j, k] -> A[i, j] }
        read [n] -> { R[i, j, k] -> A[i, k] }
        read [n] -> { R[i, j, k] -> A[k, j] }
        write [n] -> { R[i, j, k] -> A[i, j] }
        ",
        expect![[r#"
            domain: "[n] -> { P[i, j, k] : 0 <= i < n and 0 <= j < i and 0 <= k < j; Q[i, j] : 0 <= i < n and 0 <= j < i; R[i, j, k] : 0 <= i < n and i <= j < n and 0 <= k < i }"
            child:
              context: "[n] -> { [] : n > 0 }"
              child:
                schedule: "[n] -> [{ P[i, j, k] -> [(k)]; Q[i, j] -> [(j)]; R[i, j, k] -> [(k)] }, { P[i, j, k] -> [(i)]; Q[i, j] -> [(i)]; R[i, j, k] -> [(i)] }, { P[i, j, k] -> [(j)]; Q[i, j] -> [(j)]; R[i, j, k] -> [(j)] }]"
                permutable: 1
                child:
                  set:
                  - filter: "{ P[i, j, k] }"
                  - filter: "{ Q[i, j] }"
                  - filter: "{ R[i, j, k] }"
            interchanged loops for consecutive accesses, tiled 3 dimensions
            for (int c0 = 0; c0 < (n + 30) / 32; c0 += 1)
              for (int c1 = c0; c1 <= (n - 1) / 32; c1 += 1)
                for (int c2 = c0 / 16; c2 <= (n - 1) / 512; c2 += 1)
                  for (int c3 = 32 * c0; c3 <= min(min(32 * c0 + 31, n - 2), 32 * c1 + 30); c3 += 1)
                    for (int c4 = max(32 * c1, c3 + 1); c4 <= min(n - 1, 32 * c1 + 31); c4 += 1) {
                      if (c3 >= 512 * c2)
                        Q(c4, c3);
                      // parallel
                      for (int c5 = max(c4, 512 * c2); c5 <= min(n - 1, 512 * c2 + 511); c5 += 1)
                        R(c4, c5, c3);
                      // parallel
                      for (int c5 = max(c3 + 1, 512 * c2); c5 <= min(c4 - 1, 512 * c2 + 511); c5 += 1)
                        P(c4, c5, c3);
                    }
        "#]],
    );
}

#[test]
fn a_vectorizable_copy_is_left_alone() {
    check(
        "
        context [n] -> { : n > 0 }
        statement [n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }
        schedule [n] -> { S[i, j] -> [i, j] }
        read [n] -> { S[i, j] -> A[i, j] }
        write [n] -> { S[i, j] -> B[i, j] }
        ",
        expect![[r#"
            domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }"
            child:
              context: "[n] -> { [] : n > 0 }"
              child:
                schedule: "[n] -> [{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
                permutable: 1
                coincident: [ 1, 1 ]
            left alone: no gain expected: estimated cost 3 of the new order against 3 of the original
        "#]],
    );
}

#[test]
fn values_left_behind_by_a_copy_are_no_gain() {
    check(
        "
        context [p] -> { : 0 <= p <= 127 }
        statement [p] -> { S[i] : 0 <= i and 8i <= p - 1 }
        schedule [p] -> { S[i] -> [0, i, 0] }
        read [p] -> { S[i] -> A[i] }
        write [p] -> { S[i] -> B[i] }
        statement [p] -> { T[i] : i >= 0 and p - 8 <= 8i <= p - 1 }
        schedule [p] -> { T[i] -> [0, i, 1] }
        write [p] -> { T[i] -> from[] }
        statement [p] -> { U[i] : i >= 0 and p - 8 <= 8i <= p - 1 }
        schedule [p] -> { U[i] -> [0, i, 2] }
        write [p] -> { U[i] -> to[] }
        ",
        expect![[r#"
            domain: "[p] -> { S[i] : i >= 0 and 8i < p; T[i = floor((-1 + p)/8)] : i >= 0; U[i = floor((-1 + p)/8)] : i >= 0 }"
            child:
              context: "[p] -> { [] : 0 <= p <= 127 }"
              child:
                set:
                - filter: "{ S[i] }"
                  child:
                    schedule: "[p] -> [{ S[i] -> [(i)] }]"
                    permutable: 1
                    coincident: [ 1 ]
                - filter: "{ T[i] }"
                - filter: "{ U[i] }"
            left alone: no gain expected: estimated cost 3 of the new order against 5 of the original
        "#]],
    );
}
