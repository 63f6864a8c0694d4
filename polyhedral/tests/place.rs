//! Expressions in context: isl's notation in, C text out; and evaluation at all points of what is known.
#![forbid(unsafe_code)]

use expect_test::{Expect, expect};
use farkas_polyhedral::ast::{Condition, Expr, Forms, IterId, Logic, Names, Place, Point, Upper};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Name, PwAff, Set};
use proptest::prelude::*;

/// A place where `known` is known, a set of values of iterators that are called as its dimensions.
struct Context {
    place: Place,
    iterators: Vec<Name>,
}

impl Context {
    fn new(known: &str) -> Context {
        let known: Set = known.parse().expect("a set");
        let iterators = known.tuple().dims().iter().map(|name| name.clone().expect("a name"));
        let mut place = Place::root(
            Set::universe(farkas_polyhedral::sets::SetSpace::params_only(known.params().clone())),
            known.params().clone(),
        );
        for dim in 0..known.n_dims() {
            let outer = known
                .project_out(dim + 1, known.n_dims() - dim - 1, &Budget::unlimited())
                .unwrap();
            place = place.inside_loop(IterId(dim), outer);
        }
        if known.n_dims() == 0 {
            place = place.with_known(known.clone());
        }
        Context {
            iterators: iterators.collect(),
            place,
        }
    }

    fn names(&self, logic: Logic) -> Names<'_> {
        Names {
            params: self.place.params(),
            iterators: &self.iterators,
            logic,
        }
    }

    fn expr(&self, function: &str, forms: &Forms) -> Expr {
        let function: PwAff = function.parse().expect("a piecewise function");
        self.place.expr(&function, forms, &Budget::unlimited()).unwrap()
    }

    fn condition(&self, set: &str, forms: &Forms) -> Condition {
        let set: Set = set.parse().expect("a set");
        self.place.condition(&set, forms, &Budget::unlimited()).unwrap()
    }
}

fn expr(known: &str, function: &str, expected: Expect) {
    let context = Context::new(known);
    let expr = context.expr(function, &Forms::default());
    expected.assert_eq(&expr.display(context.names(Logic::ShortCircuit)).to_string());
}

fn condition(known: &str, set: &str, expected: Expect) {
    let context = Context::new(known);
    let condition = context.condition(set, &Forms::default());
    expected.assert_eq(&condition.display(context.names(Logic::ShortCircuit)).to_string());
}

#[test]
fn example_5_21_and_5_22() {
    condition(
        "[n] -> { : }",
        "[n] -> { : n >= 2 and n - 4 * floor(n/4) >= 2 }",
        expect!["n >= 2 && n % 4 >= 2"],
    );
    condition(
        "[n] -> { : n >= 2 }",
        "[n] -> { : n - 4 * floor(n/4) >= 2 }",
        expect!["n % 4 >= 2"],
    );
    condition(
        "[n] -> { : }",
        "[n] -> { : n - 4 * floor(n/4) >= 2 }",
        expect!["n >= 4 * floord(n, 4) + 2"],
    );
}

#[test]
fn example_5_7() {
    expr(
        "[n] -> { : n mod 2 = 0 }",
        "[n] -> { [(n/2 + 2*floor((-n-1)/4) + 2)] }",
        expect!["(n / 2) - 2 * floord(n, 4)"],
    );
    condition("[n] -> { : }", "[n] -> { : n mod 2 = 0 }", expect!["n % 2 == 0"]);
}

/// `M >= c3 + 1 and c1 >= 3 c3 + 8`, as a single bound and as a conjunction.
#[test]
fn example_5_10() {
    let context = Context::new("[M] -> { [c0, c1, c2] : c1 >= 0 }");
    let iter = IterId(3);
    let mut iterators = context.iterators.clone();
    iterators.push("c3".into());
    let names = Names {
        iterators: &iterators,
        ..context.names(Logic::ShortCircuit)
    };
    let (forms, b) = (Forms::default(), Budget::unlimited());
    let bounds = [
        "[M] -> { [c0, c1, c2] -> [(floor((c1 - 8)/3) + 1)] }",
        "[M] -> { [c0, c1, c2] -> [(M)] }",
    ];
    let bounds = bounds.map(|bound| bound.parse::<PwAff>().unwrap().as_aff().unwrap().clone());
    let single = context.place.minimum(&bounds, &forms, &b).unwrap();
    expect!["min(((c1 + 1) / 3) - 2, M)"].assert_eq(&single.display(names).to_string());
    let upper: Set = "[M] -> { [c0, c1, c2, c3] : M >= c3 + 1 and c1 >= 3c3 + 8 }"
        .parse()
        .unwrap();
    let upper = context
        .place
        .upper_conditions(iter, &upper.pieces()[0], &forms, &b)
        .unwrap();
    let Upper::While(conditions) = upper else {
        panic!("conditions")
    };
    let texts: Vec<_> = conditions.iter().map(|c| c.display(names).to_string()).collect();
    expect!["M >= c3 + 1 && c1 >= 3 * c3 + 8"].assert_eq(&texts.join(" && "));
}

#[test]
fn what_is_dominated_is_left_out_of_bounds() {
    let context = Context::new("[n, m] -> { [c0] : 0 <= c0 < n and m >= n }");
    let (forms, b) = (Forms::default(), Budget::unlimited());
    let bounds = ["c0 - 1", "m", "n - 1", "c0 + 5"].map(|bound| {
        let bound: PwAff = format!("[n, m] -> {{ [c0] -> [({bound})] }}").parse().unwrap();
        bound.as_aff().unwrap().clone()
    });
    let text = |expr: Expr| expr.display(context.names(Logic::ShortCircuit)).to_string();
    expect!["c0 - 1"].assert_eq(&text(context.place.minimum(&bounds, &forms, &b).unwrap()));
    expect!["max(m, c0 + 5)"].assert_eq(&text(context.place.maximum(&bounds, &forms, &b).unwrap()));
}

/// The dimension in the middle has no loop: its value is put in.
#[test]
fn dimensions_without_loops() {
    let (forms, b) = (Forms::default(), Budget::unlimited());
    let params: Set = "[n] -> { : n >= 0 }".parse().unwrap();
    let value: PwAff = "[n] -> { [c0] -> [(floor(c0/2) + n)] }".parse().unwrap();
    let place = Place::root(params.clone(), params.params().clone())
        .inside_loop(IterId(0), "[n] -> { [c0] : 0 <= c0 < n }".parse().unwrap())
        .with_value(
            value.as_aff().unwrap().clone(),
            "[n] -> { [c0, c1] : 0 <= c0 < n and c1 = floor(c0/2) + n }"
                .parse()
                .unwrap(),
        )
        .inside_loop(
            IterId(1),
            "[n] -> { [c0, c1, c2] : 0 <= c0 < n and c1 = floor(c0/2) + n and 0 <= c2 <= c1 }"
                .parse()
                .unwrap(),
        );
    let iterators = ["c0", "c2"].map(Name::from);
    let names = Names {
        params: place.params(),
        iterators: &iterators,
        logic: Logic::ShortCircuit,
    };
    let function: PwAff = "[n] -> { [a, b, c] -> [(2b + c + a mod 2)] }".parse().unwrap();
    let expr = place.expr(&function, &forms, &b).unwrap();
    expect!["2 * n + c0 + c2"].assert_eq(&expr.display(names).to_string());
    let set: Set = "[n] -> { [a, b, c] : c <= b - 1 and b >= n }".parse().unwrap();
    let condition = place.condition(&set, &forms, &b).unwrap();
    expect!["n + c0 / 2 >= c2 + 1"].assert_eq(&condition.display(names).to_string());
}

/// A value that depends on where it is asked for (P1 section 2).
#[test]
fn boundaries_disappear_where_they_are_not() {
    let function = "[N] -> { [i] -> [(N - 1)] : i = 0; [i] -> [(i - 1)] : i >= 1 }";
    expr(
        "[N] -> { [i] : 0 <= i < N }",
        function,
        expect!["i == 0 ? N - 1 : i - 1"],
    );
    expr("[N] -> { [i] : 8 <= i < N }", function, expect!["i - 1"]);
}

#[test]
fn minima_and_maxima_are_found() {
    let function = "[n, m, k] -> { [(max(n - 3, max(m + 5, min(k, 7))))] }";
    expr(
        "[n, m, k] -> { : }",
        function,
        expect!["max(max(n - 3, m + 5), min(k, 7))"],
    );
    // Example 5.8.
    expr(
        "[M] -> { : }",
        "[M] -> { [(0)] : M <= 0; [(M)] : M >= 1 }",
        expect!["max(0, M)"],
    );
}

#[test]
fn alternatives_are_short() {
    condition(
        "[n, m] -> { : }",
        "[n, m] -> { : (n <= 0 or n > 9) and m > 3 }",
        expect!["m >= 4 && (n <= 0 || n >= 10)"],
    );
    condition(
        "[n, m] -> { : }",
        "[n, m] -> { : n <= 0 and m > 5 or n > 0 and m > 2 }",
        expect!["m >= 6 || (n >= 1 && m >= 3)"],
    );
    condition(
        "[n, m] -> { : n >= 0 }",
        "[n, m] -> { : n >= 5 or m mod 2 = 0 and n < 5 }",
        expect!["n >= 5 || m % 2 == 0"],
    );
    condition(
        "[n] -> { : n <= 3 or n >= 7 }",
        "[n] -> { : n <= 1 or n = 3 or n > 8 }",
        expect!["n <= 1 || n == 3 || n >= 9"],
    );
    condition(
        "[n] -> { : }",
        "[n] -> { : n mod 3 = 1 and n mod 2 = 0 }",
        expect!["(n + 2) % 6 == 0"],
    );
}

#[test]
fn equalities_come_about_in_context() {
    condition(
        "[n] -> { [i, j] : i >= 2 and j >= i }",
        "[n] -> { [i, j] : 2n + i >= 0 and i <= 2 and 3j mod 8 = 1 }",
        expect!["i == 2 && n >= -1 && (j + 5) % 8 == 0"],
    );
}

/// Constraints tell which multiple of 8 is meant.
#[test]
fn quotients_of_what_is_in_one_block() {
    let known = "[n] -> { [a, b] : 0 <= a < n and 8a <= b <= 8a + 7 }";
    expr(known, "[n] -> { [a, b] -> [(floor(b/8))] }", expect!["a"]);
    expr(known, "[n] -> { [a, b] -> [(b mod 8)] }", expect!["b % 8"]);
    let known = "[n] -> { [i, j] : i < n and i mod 4 = 1 and i <= j < i + 4 }";
    expr(known, "[n] -> { [i, j] -> [((i + j + 2) mod 4)] }", expect!["j - i"]);
    let known = "[n] -> { [a, b] : 0 <= a < n and 8*floor(a/8) <= b <= 8*floor(a/8) + 7 }";
    expr(known, "[n] -> { [a, b] -> [(floor(b/8) - floor(a/8))] }", expect!["0"]);
}

#[test]
fn steps_make_divisions_exact() {
    expr(
        "[n] -> { [i] : 0 <= i < n and i mod 2 = 1 }",
        "[n] -> { [i] -> [(floor(i/2) + 3)] }",
        expect!["(i / 2) + 3"],
    );
    expr(
        "[n] -> { [i] : i < n and i mod 6 = 3 }",
        "[n] -> { [i] -> [(floor(i/3) - n)] }",
        expect!["(i / 3) - n"],
    );
    condition(
        "[n] -> { [i] : 0 <= i < n and i mod 6 = 3 }",
        "[n] -> { [i] : i mod 4 = 1 }",
        expect!["i % 4 == 1"],
    );
}

/// The bounds of the inner loop, as the paper has them but for the order of terms.
#[test]
fn figure_1() {
    let known = "[t1] -> { [c2, c3] : 0 <= t1 < 128 and 0 <= c2 <= 1 and 1 <= c3 <= 4 }";
    expr(
        known,
        "[t1] -> { [c2, c3] -> [(max((t1 - c3 + 130) mod 128 + c3 - 2, (t1 + c3 + 125) mod 128 - c3 + 3))] }",
        expect!["max(((t1 - c3 + 130) % 128) + c3 - 2, ((t1 + c3 + 125) % 128) - c3 + 3)"],
    );
    expr(
        known,
        "[t1] -> { [c2, c3] -> [(min((c2 + c3) mod 2 + c3 + 128, 134 - c3 - (c2 + c3) mod 2))] }",
        expect!["min(((c2 + c3) % 2) + c3 + 128, 134 - (c2 + c3) % 2 - c3)"],
    );
}

/// A subscript, where it is executed always and where it is guarded: the remainder disappears.
#[test]
fn figure_2() {
    let subscript = "[t1, g7] -> { [(128g7 + (t1 - 3) mod 128 + 3)] }";
    expr(
        "[t1, g7] -> { : 0 <= t1 < 128 }",
        subscript,
        expect!["((t1 + 125) % 128) + 128 * g7 + 3"],
    );
    expr(
        "[t1, g7] -> { : 1 <= t1 <= 2 }",
        subscript,
        expect!["t1 + 128 * g7 + 128"],
    );
}

#[test]
fn figure_9() {
    expr("[n] -> { : n >= 0 }", "[n] -> { [(n mod 128)] }", expect!["n % 128"]);
    expr(
        "[t1] -> { : 0 <= t1 < 128 }",
        "[t1] -> { [(7 + (t1 - 7) mod 128)] }",
        expect!["((t1 + 121) % 128) + 7"],
    );
    condition(
        "[t1] -> { : 0 <= t1 < 128 }",
        "[t1] -> { : exists i: 7 <= i <= 130 and i mod 128 = t1 }",
        expect!["(t1 + 121) % 128 <= 123"],
    );
    expr(
        "[t1] -> { : 0 <= t1 < 128 and (t1 - 7) mod 128 <= 123 }",
        "[t1] -> { [(7 + (t1 - 7) mod 128)] }",
        expect!["((t1 + 121) % 128) + 7"],
    );
}

#[test]
fn figure_10() {
    condition(
        "{ [c0] : 0 <= c0 <= 7 }",
        "{ [i] : exists (a, b : i = 2a + 3b and 0 <= a < 3 and 0 <= b and 0 <= i < 8) }",
        expect!["c0 >= 2 * ((c0 + 2) / 3)"],
    );
    condition(
        "[t1, t2] -> { [c0, c1] : 0 <= c0 <= 1 and t1 - 384 <= c1 < t1 - 255 and c1 >= t2 - 514 and 0 <= t1 < 128 }",
        "[t1, t2] -> { [i, j] : exists (a, b : 0 <= i <= 1 and t1 = j + 128a and 0 <= j + 2b < 128 and 510 <= t2 + 2b <= 514 and 0 <= 2b - t2 <= 5) }",
        expect![
            "t2 >= 253 && c1 + 514 >= ((-c1) % 2) + t2 && t2 + c1 + 5 >= (-c1) % 2 && (t2 % 2) + 2 * t2 <= 514 && 2 * (t2 / 2) >= c1 + 383 && (t1 - c1) % 128 == 0"
        ],
    );
}

/// How many expressions are made; `FARKAS_PLACE_CASES` overrides it for longer runs.
fn cases() -> u32 {
    std::env::var("FARKAS_PLACE_CASES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(150)
}

/// A sum of `n`, `i`, `j` and divisions of such sums, which round down.
fn sum(depth: u32) -> BoxedStrategy<String> {
    let linear = (-3..=3i64, -3..=3i64, -3..=3i64, -9..=9i64)
        .prop_map(|(n, i, j, c)| format!("({n})n + ({i})i + ({j})j + ({c})"));
    if depth == 0 {
        return linear.boxed();
    }
    let divided = (
        linear.clone(),
        proptest::collection::vec((sum(depth - 1), -6..=6i64, 2..=6i64), 1..=2),
    );
    divided
        .prop_map(|(linear, divisions)| {
            let terms = divisions
                .iter()
                .map(|(inside, factor, m)| format!(" + ({factor})*floor(({inside})/{m})"));
            linear + &terms.collect::<String>()
        })
        .boxed()
}

fn constraint() -> impl Strategy<Value = String> {
    let comparison = prop_oneof![4 => Just(">="), 1 => Just("="), 2 => Just("<=")];
    prop_oneof![
        3 => (sum(0), comparison.clone()).prop_map(|(sum, comparison)| format!("{sum} {comparison} 0")),
        2 => (sum(1), comparison).prop_map(|(sum, comparison)| format!("{sum} {comparison} 0")),
        2 => (sum(0), 2..=6i64, 0..=2i64).prop_map(|(sum, m, r)| format!("({sum}) mod {m} = {r}")),
        1 => (sum(0), 2..=6i64, 0..=3i64).prop_map(|(sum, m, r)| format!("({sum}) mod {m} >= {r}")),
    ]
}

fn conjunction() -> impl Strategy<Value = String> {
    proptest::collection::vec(constraint(), 1..=3).prop_map(|list| list.join(" and "))
}

fn union() -> impl Strategy<Value = String> {
    proptest::collection::vec(conjunction(), 1..=3).prop_map(|list| format!("({})", list.join(") or (")))
}

/// What is known: a box, or a triangle, perhaps with strides.
fn known() -> impl Strategy<Value = String> {
    let extent = prop_oneof![
        Just("0 <= i < n and 0 <= j <= i and n <= 6"),
        Just("0 <= i <= 6 and -3 <= j <= 3 and -4 <= n <= 6"),
        Just("-4 <= i <= 4 and i <= j <= i + 3 and -4 <= n <= 6"),
        Just("0 <= i < n and n <= 6 and j = 2i + 1"),
        Just("0 <= i < n and n <= 8 and 4i <= j <= 4i + 3"),
    ];
    let more = prop_oneof![
        4 => Just(String::new()),
        1 => Just(" and i mod 2 = 1".to_string()),
        1 => Just(" and (i + j) mod 3 = 0".to_string()),
        1 => Just(" and (i >= 2 or j >= 1)".to_string()),
        2 => constraint().prop_map(|c| format!(" and {c}")),
    ];
    (extent, more).prop_map(|(extent, more)| format!("[n] -> {{ [i, j] : {extent}{more} }}"))
}

fn forms() -> impl Strategy<Value = Forms> {
    (any::<bool>(), any::<bool>(), any::<bool>()).prop_map(|(remainders, min_max, eager)| Forms {
        remainders,
        min_max,
        logic: if eager { Logic::Eager } else { Logic::ShortCircuit },
    })
}

/// The points of a set of `[n] -> { [i, j] }` in a small box.
fn points(set: &Set) -> Vec<[Int; 3]> {
    let mut points = Vec::new();
    for n in -4..=8i64 {
        for i in -5..=9i64 {
            for j in -7..=36i64 {
                let point = [n, i, j].map(Int::from);
                if set.contains(&point[..1], &point[1..], &Budget::unlimited()).unwrap() {
                    points.push(point);
                }
            }
        }
    }
    points
}

fn check_condition(known: &str, set: &str, forms: Forms) {
    let context = Context::new(known);
    let text = format!("[n] -> {{ [i, j] : {set} }}");
    let set: Set = text.parse().unwrap();
    // A small budget may do for a worse condition, or for none.
    let of_budget = |units| context.place.condition(&set, &forms, &Budget::new(units)).ok();
    let mut conditions = vec![context.condition(&text, &forms)];
    conditions.extend([0, 30, 300, 3_000].into_iter().filter_map(of_budget));
    conditions.dedup();
    for point in points(context.place.known()) {
        let at = Point {
            names: context.names(forms.logic),
            params: &point[..1],
            iters: &point[1..],
        };
        let expected = set.contains(&point[..1], &point[1..], &Budget::unlimited()).unwrap();
        for condition in &conditions {
            let written = condition.display(context.names(forms.logic));
            assert_eq!(
                at.holds(condition),
                Ok(expected),
                "{written} at {point:?} for {text} in {known}"
            );
        }
    }
}

fn check_expr(known: &str, function: &str, forms: Forms) {
    let context = Context::new(known);
    let function: PwAff = function.parse().unwrap();
    let known = context
        .place
        .known()
        .intersect(&function.domain().with_tuple(context.place.known().tuple().clone()));
    let context = Context {
        place: context.place.with_known(known.clone()),
        ..context
    };
    let expr = context.place.expr(&function, &forms, &Budget::unlimited()).unwrap();
    for point in points(&known) {
        let at = Point {
            names: context.names(forms.logic),
            params: &point[..1],
            iters: &point[1..],
        };
        let expected = function.eval(&point[..1], &point[1..], &Budget::unlimited()).unwrap();
        let written = expr.display(context.names(forms.logic));
        assert_eq!(
            at.value(&expr).map(Some),
            Ok(expected),
            "{written} at {point:?} for {function} in {known}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn conditions_hold_where_sets_contain(known in known(), set in union(), forms in forms()) {
        check_condition(&known, &set, forms);
    }

    #[test]
    fn expressions_have_the_values_of_functions(known in known(), sum in sum(2), forms in forms()) {
        check_expr(&known, &format!("[n] -> {{ [i, j] -> [({sum})] }}"), forms);
    }

    #[test]
    fn choices_have_the_values_of_functions(
        known in known(),
        sums in proptest::collection::vec(sum(1), 2..=3),
        sets in proptest::collection::vec(conjunction(), 2),
        forms in forms(),
    ) {
        let mut pieces = vec![format!("[i, j] -> [({})] : {}", sums[0], sets[0])];
        pieces.push(format!("[i, j] -> [({})] : not ({})", sums[1], sets[0]));
        if let Some(third) = sums.get(2) {
            pieces[1] += &format!(" and ({})", sets[1]);
            pieces.push(format!("[i, j] -> [({third})] : not ({}) and not ({})", sets[0], sets[1]));
        }
        check_expr(&known, &format!("[n] -> {{ {} }}", pieces.join("; ")), forms);
    }

    #[test]
    fn minima_and_maxima_have_the_values_of_functions(
        known in known(),
        sums in proptest::collection::vec(sum(1), 3),
        forms in forms(),
    ) {
        let [a, b, c] = &sums[..] else { unreachable!("three sums") };
        check_expr(&known, &format!("[n] -> {{ [i, j] -> [(max({a}, min({b}, {c})))] }}"), forms);
    }
}
