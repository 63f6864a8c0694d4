//! Random loop nests: the scheduler always finds a schedule, since the original order is one, and it is right.

use crate::verify::verify;
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::schedule::{Fusion, Options, ScheduleConstraints, schedule};
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn random_nests(nest in nests(), fusion in 0usize..4, outer in any::<bool>()) {
        let constraints = constraints(&nest);
        let fusion = [Fusion::None, Fusion::Smart, Fusion::Incremental, Fusion::Max][fusion];
        let options = Options { fusion, outer_coincidence: outer, ..Options::default() };
        let tree = schedule(&constraints, &options, &Budget::new(3_000_000)).unwrap();
        verify(&constraints, &tree, 3, 3);
        // The same again, to the letter.
        let again = schedule(&constraints, &options, &Budget::new(3_000_000)).unwrap();
        prop_assert_eq!(tree.to_string(), again.to_string());
    }
}
