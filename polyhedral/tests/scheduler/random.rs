//! Random loop nests: the scheduler always finds a schedule, since the original order is one, and it is right.

use crate::program::program;
use crate::verify::verify;
use expect_test::expect;
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::check::{check_conditional, check_tree};
use farkas_polyhedral::flow::derive::{Fragment, live_ranges};
use farkas_polyhedral::linalg::row_from;
use farkas_polyhedral::schedule::consecutivity::Reference;
use farkas_polyhedral::schedule::{Algorithm, Fallback, Fusion, Options, ScheduleConstraints, schedule};
use proptest::prelude::*;

/// An access to a one-dimensional array: `array[c + a * i + b * j]`.
#[derive(Clone, Debug)]
struct Access {
    array: usize,
    c: i64,
    a: i64,
    b: i64,
}

impl Access {
    fn subscript(&self, prime: &str) -> String {
        format!("{} + {} i{prime} + {} j{prime}", self.c, self.a, self.b)
    }
}

/// `for i { for j { S0; S1; .. } }`, each statement with a write and two reads.
type Nest = Vec<[Access; 3]>;

fn access() -> impl Strategy<Value = Access> {
    (0usize..3, -1i64..2, -1i64..2, -1i64..2).prop_map(|(array, c, a, b)| Access { array, c, a, b })
}

fn nests() -> impl Strategy<Value = Nest> {
    let statement = (access(), access(), access()).prop_map(|(w, r, s)| [w, r, s]);
    proptest::collection::vec(statement, 1..4)
}

/// The memory dependences of a nest.
fn constraints(nest: &Nest) -> ScheduleConstraints {
    let domain: Vec<String> = (0..nest.len()).map(|s| format!("S{s}[i, j] : 0 <= i, j < n")).collect();
    let mut dependences = Vec::new();
    for (s, from) in nest.iter().enumerate() {
        for (t, to) in nest.iter().enumerate() {
            for (x, y) in from
                .iter()
                .enumerate()
                .flat_map(|x| to.iter().enumerate().map(move |y| (x, y)))
            {
                if (x.0 != 0 && y.0 != 0) || x.1.array != y.1.array {
                    continue;
                }
                let order = if s < t { "j' >= j" } else { "j' > j" };
                dependences.push(format!(
                    "S{s}[i, j] -> S{t}[i', j'] : {} = {} and 0 <= i, j, i', j' < n and (i' > i or (i' = i and {order}))",
                    x.1.subscript(""),
                    y.1.subscript("'"),
                ));
            }
        }
    }
    let dependences = dependences.join("; ");
    let kinds = ["validity", "proximity", "coincidence"].map(|k| format!("{k}: \"[n] -> {{ {dependences} }}\"\n"));
    format!("domain: \"[n] -> {{ {} }}\"\n{}", domain.join("; "), kinds.concat())
        .parse()
        .unwrap()
}

/// What a nest should be scheduled with; which options are on is by bit.
pub(crate) fn options(fusion: usize, fallback: usize, bits: u32) -> Options {
    let on = |bit: u32| bits >> bit & 1 == 1;
    Options {
        fusion: [Fusion::None, Fusion::Smart, Fusion::Incremental, Fusion::Max][fusion],
        fallback: [Fallback::Feautrier, Fallback::SingleMember, Fallback::Validity][fallback],
        outer_coincidence: on(0),
        treat_coalescing: on(1),
        carry_self_first: on(2),
        split_scaled: on(3),
        maximize_band_depth: on(4),
        maximize_coincidence: on(5),
        consecutivity_first: on(6),
        concurrent_start: on(7),
        index_set_splitting: on(10),
        algorithm: if on(8) && on(9) {
            Algorithm::Feautrier
        } else {
            Algorithm::Pluto
        },
        ..Options::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn random_nests(nest in nests(), fusion in 0usize..4, fallback in 0usize..3, bits in 0u32..2048, consecutive in 0usize..3) {
        let mut constraints = constraints(&nest);
        // Each statement's accesses should be consecutive, or some of them, in this order.
        let rows = [[1, 0], [0, 1], [1, 1]].map(|row| row_from(&row));
        for (index, statement) in constraints.domain.tuples().cloned().collect::<Vec<_>>().into_iter().enumerate() {
            for k in 0..consecutive {
                let (outer, inner) = (&rows[(index + k) % 3], &rows[(index + 2 * k + 1) % 3]);
                let reference = Reference::new(vec![outer.clone()], vec![inner.clone()], 2);
                constraints.intra_consecutivity.extend(reference.map(|r| (statement.clone(), r)));
            }
        }
        let options = options(fusion, fallback, bits);
        let tree = schedule(&constraints, &options, &Budget::new(10_000_000)).unwrap();
        verify(&constraints, &tree, 3, 3);
        // The same again, to the letter.
        let again = schedule(&constraints, &options, &Budget::new(10_000_000)).unwrap();
        prop_assert_eq!(tree.to_string(), again.to_string());
    }
}

/// The same nest as the text of a program.
fn program_text(nest: &Nest) -> String {
    let mut text = "[n] -> { : n > 0 }\n".to_string();
    for (s, accesses) in nest.iter().enumerate() {
        // The first one is written, and comes last in the text.
        let [write, reads @ ..] = accesses;
        let of = |access: &Access| format!("a{}[{}]", access.array, access.subscript(""));
        let accesses: Vec<String> = reads.iter().chain([write]).map(of).collect();
        text += &format!("S{s}[i, j] | 0 <= i, j < n | [i, j, {s}] | {}\n", accesses.join("; "));
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Live ranges may move, but only as a whole.
    #[test]
    fn random_live_ranges(nest in nests(), fusion in 0usize..4, fallback in 0usize..3, bits in 0u32..2048) {
        let b = Budget::new(30_000_000);
        let fragment = Fragment::of_program(&program(&program_text(&nest)), &b).unwrap();
        let constraints = live_ranges(&fragment, &b).unwrap().constraints(&fragment, &b).unwrap();
        let tree = schedule(&constraints, &options(fusion, fallback, bits), &b).unwrap();
        let order = check_tree(&constraints.validity, &constraints.coincidence, &tree, &b).unwrap();
        prop_assert!(order.is_legal(), "{order:?} in\n{tree}");
        let whole = check_conditional(&constraints.condition, &constraints.conditional_validity, &tree, &b).unwrap();
        prop_assert!(whole.is_legal(), "{whole:?} in\n{tree}");
    }
}

/// Found by the test above: which of the two statements writes an element last depends on whether `n <= 3`, and without
/// that bound no row would carry what the band leaves.
#[test]
fn bounds_on_parameters_that_tell_cases_apart() {
    let b = Budget::new(30_000_000);
    let text = "[n] -> { : n > 0 }
        S0[i, j] | 0 <= i, j < n | [i, j, 0] | a[-1 + i - j]
        S1[i, j] | 0 <= i, j < n | [i, j, 1] | a[1 - j]";
    let fragment = Fragment::of_program(&program(text), &b).unwrap();
    let constraints = live_ranges(&fragment, &b).unwrap().constraints(&fragment, &b).unwrap();
    let tree = schedule(&constraints, &Options::default(), &b).unwrap();
    assert!(
        check_tree(&constraints.validity, &constraints.coincidence, &tree, &b)
            .unwrap()
            .is_legal()
    );
}

/// Found by the test above: the first member moves the ends of live ranges apart, and another one, in which they coincide, had
/// a negative distance on pairs that are adjacent to them. The band has to end before it.
#[test]
fn live_ranges_are_local_in_all_members_or_in_none() {
    let b = Budget::new(30_000_000);
    let text = "[n] -> { : n > 0 }
        S0[i, j] | 0 <= i, j < n | [i, j, 0] | a1[0]; a1[0]; a0[i + j]
        S1[i, j] | 0 <= i, j < n | [i, j, 1] | a0[1 + i - j]; a0[0]; a0[i + j]";
    let fragment = Fragment::of_program(&program(text), &b).unwrap();
    let constraints = live_ranges(&fragment, &b).unwrap().constraints(&fragment, &b).unwrap();
    let options = Options {
        fusion: Fusion::None,
        maximize_coincidence: false,
        treat_coalescing: false,
        ..Options::default()
    };
    let tree = schedule(&constraints, &options, &b).unwrap();
    let whole = check_conditional(&constraints.condition, &constraints.conditional_validity, &tree, &b).unwrap();
    assert!(whole.is_legal(), "{whole:?} in\n{tree}");
    let bands: Vec<String> = tree
        .to_string()
        .lines()
        .filter(|l| l.contains("schedule:"))
        .map(|l| l.trim().into())
        .collect();
    expect![[r#"
        schedule: "[n] -> [{ S0[i, j] -> [(i)]; S1[i, j] -> [(i)] }]"
        schedule: "[n] -> [{ S0[i, j] -> [(j)]; S1[i, j] -> [(j)] }]""#]]
    .assert_eq(&bands.join("\n"));
}

/// Found by the test above: the pairs `S0[i, j] -> S1[i', 1 - i]` with `0 <= j <= 1 - i`, `i' >= 0` and `i' >= -1 + 2i + j` are in
/// order, but the vertex with `i = 1/2` and `i' = 0` is not.
#[test]
fn vertices_that_are_not_integral() {
    let b = Budget::new(30_000_000);
    let text = "[n] -> { : n > 0 }
        S0[i, j] | 0 <= i, j < n | [i, j, 0] | a0[1 - j]; a1[1]; a2[i + j]
        S1[i, j] | 0 <= i, j < n | [i, j, 1] | a0[-1 + j]; a2[1 - j]; a1[j]";
    let fragment = Fragment::of_program(&program(text), &b).unwrap();
    let constraints = live_ranges(&fragment, &b).unwrap().constraints(&fragment, &b).unwrap();
    let tree = schedule(&constraints, &Options::default(), &b).unwrap();
    assert!(
        check_tree(&constraints.validity, &constraints.coincidence, &tree, &b)
            .unwrap()
            .is_legal()
    );
}
