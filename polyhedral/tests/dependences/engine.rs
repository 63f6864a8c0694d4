//! The engine against an enumeration of instances, executed with plain integers.

use std::collections::BTreeSet;

use expect_test::{Expect, expect};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::flow::AccessInfo;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Tuple, UnionMap};
use proptest::prelude::*;

fn check(info: &str, expected: &Expect) {
    let b = Budget::new(10_000_000);
    let found = AccessInfo::parse(info, &b).unwrap_or_else(|e| panic!("{info}: {e}"));
    expected.assert_eq(&found.flow(&b).unwrap().to_string());
}

fn check_error(info: &str, expected: &str) {
    let error = AccessInfo::parse(info, &Budget::new(1_000_000)).unwrap_err();
    assert_eq!(error.to_string(), expected, "{info}");
}

#[test]
fn a_kill_is_no_source() {
    check(
        "sink: { S[] -> a[] }\nmay_source: { T[] -> a[] }\nkill: { K[] -> a[] }\nschedule_map: { T[] -> [0]; K[] -> [1]; S[] -> [2] }",
        &expect![[r#"
            must_dependence: "{ }"
            may_dependence: "{ }"
            must_no_source: "{ }"
            may_no_source: "{ }"
        "#]],
    );
}

#[test]
fn a_must_source_is_certain_only_as_the_last_source() {
    check(
        "sink: { S[i] -> a[] : 0 <= i <= 1 }\nmust_source: { T[] -> a[] }\nmay_source: { U[] -> a[] }\nschedule_map: { T[] -> [0]; S[i] -> [1 + 2i]; U[] -> [2] }",
        &expect![[r#"
            must_dependence: "{ T[] -> [S[i = 0] -> a[]] }"
            may_dependence: "{ T[] -> [S[i] -> a[]] : 0 <= i <= 1; U[] -> [S[i = 1] -> a[]] }"
            must_no_source: "{ }"
            may_no_source: "{ }"
        "#]],
    );
}

#[test]
fn instances_that_are_not_scheduled_are_not_executed() {
    check(
        "sink: { S[] -> a[]; R[] -> a[] }\nmust_source: { T[] -> a[] }\nschedule_map: { S[] -> [0] }",
        &expect![[r#"
            must_dependence: "{ }"
            may_dependence: "{ }"
            must_no_source: "{ S[] -> a[] }"
            may_no_source: "{ S[] -> a[] }"
        "#]],
    );
}

#[test]
fn must_sources_without_a_last_one_hide_each_other() {
    check(
        "sink: { S[] -> a[] }\nmust_source: { T[i] -> a[] }\nmay_source: { U[] -> a[]; V[] -> a[] }\nschedule_map: { T[i] -> [0, i]; U[] -> [0, 5]; V[] -> [1, 0]; S[] -> [2, 0] }",
        &expect![[r#"
            must_dependence: "{ }"
            may_dependence: "{ V[] -> [S[] -> a[]] }"
            must_no_source: "{ }"
            may_no_source: "{ }"
        "#]],
    );
}

/// The children of a set come in any order. A value from the step of time before may be that of either.
#[test]
fn children_of_a_set_are_not_ordered() {
    let in_set = |children: &str| {
        format!(
            "schedule: {{ domain: \"{{ A[t, i] : 0 <= t, i < 4; B[t, i] : 0 <= t, i < 4; C[t, i] : 0 <= t, i < 4 }}\",
               child: {{ schedule: \"[{{ A[t, i] -> [(t)]; B[t, i] -> [(t)]; C[t, i] -> [(t)] }}]\", child: {{ {children} }} }} }}"
        )
    };
    let band =
        |s: &str| format!("{{ filter: \"{{ {s}[t, i] }}\", child: {{ schedule: \"[{{ {s}[t, i] -> [(i)] }}]\" }} }}");
    let set = in_set(&format!("set: [{}, {}, {}]", band("A"), band("B"), band("C")));
    check(
        &format!("sink: \"{{ B[t, i] -> a[] : i = 0 }}\"\nmust_source: \"{{ A[t, i] -> a[] }}\"\n{set}"),
        &expect![[r#"
            must_dependence: "{ A[t, i = 3] -> [B[t' = 1 + t, i' = 0] -> a[]] : 0 <= t <= 2 }"
            may_dependence: "{ A[t, i = 3] -> [B[t' = 1 + t, i' = 0] -> a[]] : 0 <= t <= 2 }"
            must_no_source: "{ B[t = 0, i = 0] -> a[] }"
            may_no_source: "{ B[t = 0, i = 0] -> a[] }"
        "#]],
    );
    // Two writers, of which either may be the last one.
    check(
        &format!(
            "sink: \"{{ C[t, i] -> a[] : i = 0 }}\"\nmust_source: \"{{ A[t, i] -> a[]; B[t, i] -> a[] }}\"\n{set}"
        ),
        &expect![[r#"
            must_dependence: "{ }"
            may_dependence: "{ A[t, i = 3] -> [C[t' = 1 + t, i' = 0] -> a[]] : 0 <= t <= 2; B[t, i = 3] -> [C[t' = 1 + t, i' = 0] -> a[]] : 0 <= t <= 2 }"
            must_no_source: "{ C[t = 0, i = 0] -> a[] }"
            may_no_source: "{ C[t = 0, i = 0] -> a[] }"
        "#]],
    );
    // A write that a kill in another child may come before or after, and one that it comes after.
    check(
        &format!(
            "sink: \"{{ C[t, i] -> a[] : i = 0 }}\"\nmay_source: \"{{ A[t, i] -> a[] : i = 1; B[t, i] -> a[] : i = 1 }}\"\n\
             kill: \"{{ B[t, i] -> a[] : i = 2 }}\"\n{set}"
        ),
        &expect![[r#"
            must_dependence: "{ }"
            may_dependence: "{ A[t, i = 1] -> [C[t' = 1 + t, i' = 0] -> a[]] : 0 <= t <= 2 }"
            must_no_source: "{ C[t = 0, i = 0] -> a[] }"
            may_no_source: "{ C[t = 0, i = 0] -> a[] }"
        "#]],
    );
}

#[test]
fn bad_input() {
    check_error("must_source: { T[] -> a[] }", "1:1: the key `sink` is missing");
    check_error("sink: { S[] -> a[] }", "1:1: the key `schedule_map` is missing");
    check_error(
        "sink: { S[] -> a[] }\nsources: { }",
        "2:1: unexpected key `sources`; known are sink, must_source, may_source, kill, schedule_map, schedule",
    );
    check_error(
        "sink: { S[] -> }\nschedule_map: { }",
        "1:16: in `sink`: expected `[`, found `}`",
    );
    check_error("sink: { }\nsink: { }", "2:1: a second `sink`");
    check_error(
        "sink: { S[] -> a[] }\nschedule_map: { S[] -> [t] : 0 <= t <= 1 }",
        "2:1: in `schedule_map`: instances of S[] have several times",
    );
    check_error(
        "sink: { S[] -> a[] }\nschedule_map: { S[] -> [0]; T[] -> [0, 0] }",
        "2:1: in `schedule_map`: times in [i0] and in [i0, i1]",
    );
    check_error(
        "sink: { S[] -> a[] }\nschedule:\n  sequence: 3",
        "3:13: in `schedule`: sequence: invalid type: integer `3`, expected a sequence",
    );
}

#[test]
fn the_budget_ends_in_an_error() {
    let info = "sink: { S[i] -> a[i] : 0 <= i < 100 }\nmust_source: { T[i] -> a[j] : 0 <= j <= i }\nschedule_map: { T[i] -> [i, 0]; S[i] -> [i, 1] }";
    let read = AccessInfo::parse(info, &Budget::new(1_000_000)).unwrap();
    assert!(read.flow(&Budget::new(10)).is_err());
}

/// How the order is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Map,
    /// A tree in which a sequence orders by the next to last dimension of time.
    Sequence,
    /// One in which a set leaves that open.
    Set,
}

impl Form {
    /// Whether an instance at the first time comes before one at the second.
    fn is_before(self, x: &[i64], y: &[i64]) -> bool {
        let first = x.iter().zip(y).position(|(x, y)| x != y);
        first.is_some_and(|k| x[k] < y[k] && (self != Form::Set || k != LAST))
    }
}

/// The dimension of time that is [`Statement::last`].
const LAST: usize = 2;

const N_STATEMENTS: usize = 3;
const ELEMENTS: std::ops::RangeInclusive<i64> = -2..=6;

/// A statement `Tk[i]` or `Tk[i, j]`.
#[derive(Clone, Debug)]
struct Statement {
    is_nest: bool,
    place: i64,
    row: usize,
    last: i64,
    accesses: Vec<Access>,
}

/// An access of kind sink, may-source, must-source or kill.
#[derive(Clone, Debug)]
struct Access {
    kind: usize,
    is_inner: bool,
    subscript: usize,
    guard: usize,
}

fn statement() -> impl Strategy<Value = Statement> {
    let access =
        (0..4usize, any::<bool>(), 0..7usize, 0..5usize).prop_map(|(kind, is_inner, subscript, guard)| Access {
            kind,
            is_inner,
            subscript,
            guard,
        });
    let accesses = prop::collection::vec(access, 1..=3);
    (prop::bool::weighted(0.3), 0..2i64, 0..8usize, 0..2i64, accesses).prop_map(
        |(is_nest, place, row, last, accesses)| Statement {
            is_nest,
            place,
            row,
            last,
            accesses,
        },
    )
}

impl Statement {
    fn tuple(&self, k: usize) -> String {
        format!("T{k}[{}]", if self.is_nest { "i, j" } else { "i" })
    }

    fn domain(&self) -> &'static str {
        if self.is_nest {
            "0 <= i <= N and i <= j <= 2"
        } else {
            "0 <= i <= N + 1"
        }
    }

    fn instances(&self, n: i64) -> Vec<Vec<i64>> {
        if self.is_nest {
            (0..=n).flat_map(|i| (i..=2).map(move |j| vec![i, j])).collect()
        } else {
            (0..=n + 1).map(|i| vec![i]).collect()
        }
    }

    /// The pieces of the second dimension of time, as their values and conditions.
    fn rows(&self) -> Vec<(&'static str, &'static str)> {
        let whole = |row: &'static str| vec![(row, "true")];
        match self.row {
            0 => whole("i"),
            1 => whole("-i"),
            2 => whole("floor(i/2)"),
            3 => whole("i mod 2"),
            4 => vec![("i", "i <= 1"), ("3 - i", "i > 1")],
            5 => whole("0"),
            6 => whole("2i"),
            _ => vec![("i + N", "i mod 2 = 0"), ("i", "i mod 2 = 1")],
        }
    }

    fn inner(&self) -> &'static str {
        if self.is_nest { "-j" } else { "0" }
    }

    fn time(&self, x: &[i64], n: i64) -> Vec<i64> {
        let i = x[0];
        let row = match self.row {
            0 => i,
            1 => -i,
            2 => i.div_euclid(2),
            3 => i.rem_euclid(2),
            4 => {
                if i <= 1 {
                    i
                } else {
                    3 - i
                }
            }
            5 => 0,
            6 => 2 * i,
            _ => {
                if i % 2 == 0 {
                    i + n
                } else {
                    i
                }
            }
        };
        vec![self.place, row, self.last, x.get(1).map_or(0, |j| -j)]
    }
}

impl Access {
    fn text(&self, statement: &Statement) -> String {
        let v = if statement.is_nest && self.is_inner { "j" } else { "i" };
        let subscript = match self.subscript {
            0 => "e = 0".to_string(),
            1 => format!("e = {v}"),
            2 => format!("e = {v} + 1"),
            3 => format!("e = floor({v}/2)"),
            4 => format!("e = N - {v}"),
            5 => format!("{v} <= e <= {v} + 1"),
            _ => format!("0 <= e <= 3 and (e - {v}) mod 2 = 0"),
        };
        let guard = ["true", "true", "i mod 2 = 0", "i >= 1", "i <= 0 or i >= 2"][self.guard];
        format!("{subscript} and ({guard})")
    }

    fn elements(&self, statement: &Statement, x: &[i64], n: i64) -> Vec<i64> {
        let (i, v) = (x[0], if statement.is_nest && self.is_inner { x[1] } else { x[0] });
        let is_on = [true, true, i % 2 == 0, i >= 1, i <= 0 || i >= 2][self.guard];
        let is_in = |e: &i64| {
            is_on
                && match self.subscript {
                    0 => *e == 0,
                    1 => *e == v,
                    2 => *e == v + 1,
                    3 => *e == v.div_euclid(2),
                    4 => *e == n - v,
                    5 => v <= *e && *e <= v + 1,
                    _ => 0 <= *e && *e <= 3 && (e - v) % 2 == 0,
                }
        };
        ELEMENTS.filter(is_in).collect()
    }
}

fn text_of(statements: &[Statement], form: Form) -> String {
    let mut parts: [Vec<String>; 4] = Default::default();
    for (k, statement) in statements.iter().enumerate() {
        let (tuple, domain) = (statement.tuple(k), statement.domain());
        for access in &statement.accesses {
            parts[access.kind].push(format!("{tuple} -> a[e] : {domain} and {}", access.text(statement)));
        }
    }
    let keys = ["sink", "may_source", "must_source", "kill"];
    let line = |(key, parts): (&str, &Vec<String>)| format!("{key}: \"[N] -> {{ {} }}\"\n", parts.join("; "));
    let accesses: String = keys.into_iter().zip(&parts).map(line).collect();
    let order = match form {
        Form::Map => schedule_map(statements),
        Form::Sequence | Form::Set => schedule_tree(statements, form),
    };
    accesses + &order
}

fn schedule_map(statements: &[Statement]) -> String {
    let mut times = Vec::new();
    for (k, statement) in statements.iter().enumerate() {
        for (row, condition) in statement.rows() {
            times.push(format!(
                "{} -> [{}, {row}, {}, {}] : {} and {condition}",
                statement.tuple(k),
                statement.place,
                statement.last,
                statement.inner(),
                statement.domain(),
            ));
        }
    }
    format!("schedule_map: \"[N] -> {{ {} }}\"\n", times.join("; "))
}

/// A band of the first two dimensions of time, a sequence or set for the third, and bands of the fourth.
fn schedule_tree(statements: &[Statement], form: Form) -> String {
    let list = |part: &dyn Fn(usize, &Statement) -> String, of: &dyn Fn(&Statement) -> bool| {
        let parts = statements.iter().enumerate().filter(|(_, s)| of(s));
        parts.map(|(k, s)| part(k, s)).collect::<Vec<_>>().join("; ")
    };
    let value = |k: usize, s: &Statement, value: &str| format!("{} -> [({value})]", s.tuple(k));
    let rows = |k: usize, s: &Statement| {
        let piece = |(row, condition): (&str, &str)| format!("{} : {condition}", value(k, s, row));
        s.rows().into_iter().map(piece).collect::<Vec<_>>().join("; ")
    };
    let places = list(&|k, s| value(k, s, &s.place.to_string()), &|_| true);
    let child = |last: i64| {
        let filter = list(&|k, s| s.tuple(k), &|s| s.last == last);
        let inner = list(&|k, s| value(k, s, s.inner()), &|s| s.last == last);
        format!("{{ filter: \"{{ {filter} }}\", child: {{ schedule: \"[{{ {inner} }}]\" }} }}")
    };
    let lasts: BTreeSet<i64> = statements.iter().map(|s| s.last).collect();
    format!(
        "schedule: {{ domain: \"[N] -> {{ {} }}\", child: {{ schedule: \"[N] -> [{{ {places} }}, {{ {} }}]\", child: {{ {}: [{}] }} }} }}\n",
        list(&|k, s| format!("{} : {}", s.tuple(k), s.domain()), &|_| true),
        list(&rows, &|_| true),
        if form == Form::Set { "set" } else { "sequence" },
        lasts.into_iter().map(child).collect::<Vec<_>>().join(", "),
    )
}

type Instance = (usize, Vec<i64>);

#[derive(Default, Debug, PartialEq, Eq)]
struct Expected {
    must: BTreeSet<(Instance, Instance, i64)>,
    may: BTreeSet<(Instance, Instance, i64)>,
    must_no_source: BTreeSet<(Instance, i64)>,
    may_no_source: BTreeSet<(Instance, i64)>,
}

/// The definitions, over all instances.
fn expected(statements: &[Statement], form: Form, n: i64) -> Expected {
    let mut accesses: [BTreeSet<(Vec<i64>, Instance, i64)>; 4] = Default::default();
    for (k, statement) in statements.iter().enumerate() {
        for x in statement.instances(n) {
            for access in &statement.accesses {
                for e in access.elements(statement, &x, n) {
                    accesses[access.kind].insert((statement.time(&x, n), (k, x.clone()), e));
                }
            }
        }
    }
    let [sinks, may, must, kill] = &accesses;
    let sources: BTreeSet<_> = may | must;
    let cuts: BTreeSet<_> = must | kill;
    let events: BTreeSet<_> = &sources | kill;
    let mut out = Expected::default();
    for (time, sink, e) in sinks {
        let before = |set: &BTreeSet<(Vec<i64>, Instance, i64)>| -> Vec<(Vec<i64>, Instance)> {
            let earlier = set.iter().filter(|x| x.2 == *e && form.is_before(&x.0, time));
            earlier.map(|x| (x.0.clone(), x.1.clone())).collect()
        };
        let (cuts, events) = (before(&cuts), before(&events));
        for (t, source) in before(&sources) {
            if cuts.iter().all(|cut| !form.is_before(&t, &cut.0)) {
                out.may.insert((source.clone(), sink.clone(), *e));
                let is_must = must.contains(&(t.clone(), source.clone(), *e));
                if is_must && events.iter().all(|x| x.1 == source || form.is_before(&x.0, &t)) {
                    out.must.insert((source.clone(), sink.clone(), *e));
                }
            }
        }
        if cuts.is_empty() {
            out.may_no_source.insert((sink.clone(), *e));
        }
        if events.is_empty() {
            out.must_no_source.insert((sink.clone(), *e));
        }
    }
    out
}

fn ints(values: &[i64]) -> Vec<Int> {
    values.iter().map(|&x| Int::from(x)).collect()
}

fn has(union: &UnionMap, domain: &Tuple, range: &Tuple, n: i64, x: &[i64], y: &[i64]) -> bool {
    let map = union.extract(domain, range);
    let params = vec![Int::from(n); map.params().len()];
    map.contains(&params, &ints(x), &ints(y), &Budget::unlimited()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, ..ProptestConfig::default() })]

    #[test]
    fn random_accesses(
        statements in prop::collection::vec(statement(), 1..=N_STATEMENTS),
        form in prop::sample::select(vec![Form::Map, Form::Sequence, Form::Set]),
        n in 0..3i64,
    ) {
        let text = text_of(&statements, form);
        let b = Budget::new(50_000_000);
        let flow = AccessInfo::parse(&text, &b).unwrap().flow(&b).unwrap();
        let array = Tuple::new("a", 1);
        let tuples: Vec<Tuple> = statements.iter().enumerate()
            .map(|(k, s)| Tuple::new(format!("T{k}"), if s.is_nest { 2 } else { 1 })).collect();
        let instances: Vec<Instance> = statements.iter().enumerate()
            .flat_map(|(k, s)| s.instances(n).into_iter().map(move |x| (k, x))).collect();
        let mut found = Expected::default();
        for sink in &instances {
            let pair = Tuple::pair(tuples[sink.0].clone(), array.clone());
            for e in ELEMENTS {
                let accessed = [&sink.1[..], &[e]].concat();
                for source in &instances {
                    let triple = (source.clone(), sink.clone(), e);
                    if has(&flow.full_may, &tuples[source.0], &pair, n, &source.1, &accessed) {
                        found.may.insert(triple.clone());
                    }
                    if has(&flow.full_must, &tuples[source.0], &pair, n, &source.1, &accessed) {
                        found.must.insert(triple);
                    }
                }
                if has(&flow.may_no_source, &tuples[sink.0], &array, n, &sink.1, &[e]) {
                    found.may_no_source.insert((sink.clone(), e));
                }
                if has(&flow.must_no_source, &tuples[sink.0], &array, n, &sink.1, &[e]) {
                    found.must_no_source.insert((sink.clone(), e));
                }
            }
        }
        prop_assert_eq!(found, expected(&statements, form, n), "N = {}:\n{}{}", n, text, flow);
    }
}
