//! ASTs made by hand: their C text, and what their execution counts and refuses.
#![forbid(unsafe_code)]

use expect_test::{Expect, expect};
use farkas_polyhedral::ast::{
    Ast, Atom, Call, Coincidence, Condition, Division, Expr, For, IterId, Logic, Node, ParamId, Quasi, Upper, interpret,
};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Name, Params, Tuple};

fn n() -> Quasi {
    Quasi::param(ParamId(0))
}

fn iter(id: usize) -> Quasi {
    Quasi::iter(IterId(id))
}

fn minus(a: Quasi, b: &Quasi) -> Quasi {
    let mut difference = a;
    difference.add_scaled(&Int::from(-1), b);
    difference
}

fn quotient(a: Quasi, m: i64, division: Division) -> Quasi {
    Quasi::atom(Atom::Quotient(Box::new(a), Int::from(m), division))
}

fn remainder(a: Quasi, m: i64) -> Quasi {
    Quasi::atom(Atom::Remainder(Box::new(a), Int::from(m)))
}

fn call(name: &str, arguments: Vec<Expr>) -> Node {
    let statement = Tuple::new(name, arguments.len());
    Node::Call(Call {
        statement,
        arguments,
        expressions: Vec::new(),
    })
}

fn loop_of(id: usize, lower: impl Into<Expr>, upper: Upper, step: i64, body: Node) -> Node {
    Node::For(Box::new(For {
        iter: IterId(id),
        lower: lower.into(),
        upper,
        step: Int::from(step),
        coincidence: Coincidence::No,
        annotations: Vec::new(),
        body,
    }))
}

/// `(n)` and the iterators `c0`, `c1`, ..
fn ast(logic: Logic, root: Node) -> Ast {
    Ast {
        params: Params::new(["n"]),
        iterators: ["c0", "c1"].map(Name::from).to_vec(),
        logic,
        root,
    }
}

fn check(logic: Logic, root: Node, expected: Expect) {
    expected.assert_eq(&ast(logic, root).to_string());
}

/// What is executed for a value of `n`, then the numbers of conditions and operators; or why not.
fn run(root: Node, n: i64, expected: Expect) {
    let text = match interpret(&ast(Logic::ShortCircuit, root), &[Int::from(n)], 5) {
        Ok(execution) => {
            let instance = |instance: &farkas_polyhedral::ast::Instance| {
                let values: Vec<_> = instance.values.iter().map(Int::to_string).collect();
                format!("{}({})", instance.statement, values.join(", "))
            };
            let instances: Vec<_> = execution.instances.iter().map(instance).collect();
            let end = if execution.ended { "" } else { " ..." };
            let counts = execution.counts;
            format!(
                "{}{end}; {} conditions, {} operators",
                instances.join(" "),
                counts.conditions,
                counts.operators
            )
        }
        Err(broken) => broken.to_string(),
    };
    expected.assert_eq(&text);
}

#[test]
fn alternatives() {
    let less = |k: i64| Condition::NonNegative(minus(Quasi::constant(k - 1), &n()));
    let chain = Node::If {
        condition: less(5),
        then: Box::new(call("A", vec![])),
        otherwise: Some(Box::new(Node::If {
            condition: Condition::any([
                Condition::Zero(n().plus(-7)),
                Condition::all([Condition::Multiple(n().plus(1), Int::from(4)), less(100)]),
            ]),
            then: Box::new(Node::block(vec![call("B", vec![]), call("C", vec![])])),
            otherwise: Some(Box::new(call("D", vec![]))),
        })),
    };
    check(
        Logic::ShortCircuit,
        loop_of(
            0,
            Quasi::constant(0),
            Upper::AtMost(n().plus(-1).into()),
            1,
            chain.clone(),
        ),
        expect![[r#"
            for (int c0 = 0; c0 < n; c0 += 1) {
              if (n <= 4) {
                A();
              } else if (n == 7 || ((n + 1) % 4 == 0 && n <= 99)) {
                B();
                C();
              } else {
                D();
              }
            }
        "#]],
    );
    check(
        Logic::Eager,
        chain,
        expect![[r#"
        if (n <= 4) {
          A();
        } else if (n == 7 | ((n + 1) % 4 == 0 & n <= 99)) {
          B();
          C();
        } else {
          D();
        }
    "#]],
    );
}

#[test]
fn ends_of_loops() {
    let body = || call("S", vec![iter(0).into()]);
    let from_zero = |upper, step| loop_of(0, Quasi::constant(0), upper, step, body());
    let choice = Expr::select(
        Condition::NonNegative(minus(Quasi::constant(0), &n())),
        Quasi::constant(0).into(),
        n().into(),
    );
    let least = Expr::min(vec![
        n().plus(-1).into(),
        quotient(n(), 2, Division::Floor).plus(-3).into(),
    ]);
    let conditions = vec![
        Condition::NonNegative(minus(n(), &iter(0)).plus(-1)),
        Condition::NonNegative(minus(n().plus(9), &iter(0).scaled(&Int::from(3)))),
    ];
    check(
        Logic::ShortCircuit,
        Node::block(vec![
            from_zero(Upper::AtMost(choice), 1),
            from_zero(Upper::AtMost(least), 4),
            from_zero(Upper::While(conditions), 1),
            from_zero(Upper::Unbounded, 2),
        ]),
        expect![[r#"
            for (int c0 = 0; c0 <= (n <= 0 ? 0 : n); c0 += 1)
              S(c0);
            for (int c0 = 0; c0 < min(n, floord(n, 2) - 2); c0 += 4)
              S(c0);
            for (int c0 = 0; n >= c0 + 1 && n + 9 >= 3 * c0; c0 += 1)
              S(c0);
            for (int c0 = 0; 1; c0 += 2)
              S(c0);
        "#]],
    );
}

#[test]
fn marks_and_annotations() {
    let inner = loop_of(
        1,
        Quasi::constant(0),
        Upper::AtMost(iter(0).into()),
        1,
        call("S", vec![iter(1).into()]),
    );
    let Node::For(mut inner) = inner else {
        unreachable!("a loop")
    };
    inner.coincidence = Coincidence::Yes;
    inner.annotations = vec!["vector".into()];
    let marked = Node::Mark {
        mark: "kernel".into(),
        body: Box::new(Node::For(inner)),
    };
    check(
        Logic::ShortCircuit,
        loop_of(0, Quasi::constant(0), Upper::AtMost(n().into()), 1, marked),
        expect![[r#"
            for (int c0 = 0; c0 <= n; c0 += 1) {
              // kernel
              // parallel
              // vector
              for (int c1 = 0; c1 <= c0; c1 += 1)
                S(c1);
            }
        "#]],
    );
}

#[test]
fn divisions() {
    let arguments = vec![
        quotient(n().plus(1), 3, Division::Floor).into(),
        quotient(n(), 3, Division::NonNegative).plus(2).into(),
        minus(n(), &quotient(n(), 3, Division::Exact).scaled(&Int::from(2))).into(),
        minus(Quasi::constant(7), &remainder(n().scaled(&Int::from(5)), 4)).into(),
        remainder(n(), 4).scaled(&Int::from(-1)).into(),
    ];
    check(
        Logic::ShortCircuit,
        call("S", arguments),
        expect![[r#"
        S(floord(n + 1, 3), (n / 3) + 2, n - 2 * (n / 3), 7 - 5 * n % 4, -(n % 4));
    "#]],
    );
}

#[test]
fn executions() {
    let body = || call("S", vec![remainder(iter(0), 2).into()]);
    run(
        loop_of(0, Quasi::constant(1), Upper::AtMost(n().plus(-1).into()), 2, body()),
        6,
        expect!["S(1) S(1) S(1); 4 conditions, 10 operators"],
    );
    run(
        loop_of(0, n(), Upper::Unbounded, 1, body()),
        0,
        expect!["S(0) S(1) S(0) S(1) S(0) ...; 0 conditions, 10 operators"],
    );
    run(
        loop_of(0, n(), Upper::Unbounded, 1, body()),
        -1,
        expect!["`c0 % 2` is evaluated where its dividend is -1, against its promise"],
    );
    run(
        call("S", vec![quotient(n(), 3, Division::Exact).into()]),
        7,
        expect!["`n / 3` is evaluated where its dividend is 7, against its promise"],
    );
    // What is not evaluated breaks no promise.
    let guarded = Condition::all([
        Condition::NonNegative(n()),
        Condition::NonNegative(remainder(n(), 4).plus(-2)),
    ]);
    run(
        Node::guarded(guarded, call("S", vec![])),
        -5,
        expect!["; 1 conditions, 1 operators"],
    );
}
