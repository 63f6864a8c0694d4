use super::*;
use crate::linalg::{row_from, zeros};
use crate::solver::testing::RADIUS;
use crate::solver::value_at;
use proptest::prelude::*;

/// The values of parameters and divisions.
fn with_divs(params: &[i64], divs: &[Division]) -> Row {
    let mut point = row_from(params);
    for div in divs {
        let value = value_at(&div.num, &point[..div.num.len() - 1]).div_floor(&div.den);
        point.push(value);
    }
    point
}

fn at(row: &Row, point: &Row) -> Int {
    value_at(row, &point[..row.len() - 1])
}

/// The leaves that contain the parameters, with the values there.
fn evaluate(leaves: &[Leaf], params: &[i64]) -> Vec<Option<Row>> {
    let hit = |leaf: &&Leaf| {
        let point = with_divs(params, &leaf.divs);
        leaf.eqs.iter().all(|r| at(r, &point).is_zero()) && leaf.ineqs.iter().all(|r| !at(r, &point).is_neg())
    };
    (leaves.iter().filter(hit))
        .map(|leaf| {
            let point = with_divs(params, &leaf.divs);
            leaf.values
                .as_ref()
                .map(|rows| rows.iter().map(|r| at(r, &point)).collect())
        })
        .collect()
}

fn problem(n_params: usize, n_unknowns: usize, eqs: &[&[i64]], ineqs: &[&[i64]]) -> Problem {
    Problem {
        n_params,
        n_unknowns,
        n_interesting: n_unknowns,
        eqs: eqs.iter().map(|r| row_from(r)).collect(),
        ineqs: ineqs.iter().map(|r| row_from(r)).collect(),
        ..Problem::default()
    }
}

fn leaves(problem: &Problem) -> Vec<Leaf> {
    match lexmin(problem, &Budget::new(1_000_000)).unwrap() {
        Minimum::Leaves(leaves) => leaves,
        Minimum::Unbounded => panic!("unbounded"),
    }
}

#[test]
fn the_example_of_the_module() {
    let found = leaves(&problem(2, 1, &[], &[&[0, -1, 0, 2], &[0, 0, 1, -1]]));
    assert_eq!(found.len(), 2);
    for (p, n) in [(0, 0), (3, 1), (3, 2), (-3, -1), (-3, -2), (7, 100)] {
        let least = (p + 1i64).div_euclid(2);
        let want = (least <= n).then(|| row_from(&[least]));
        assert_eq!(evaluate(&found, &[p, n]), [want]);
    }
}

#[test]
fn unbounded_unknowns_have_no_minimum() {
    let free = problem(1, 1, &[], &[&[0, 1, -1]]);
    assert_eq!(lexmin(&free, &Budget::unlimited()), Ok(Minimum::Unbounded));
    let late = problem(1, 2, &[], &[&[0, -1, 1, 0], &[0, 0, 1, -1]]);
    assert_eq!(lexmin(&late, &Budget::unlimited()), Ok(Minimum::Unbounded));
    let existential = Problem {
        n_interesting: 1,
        ..late
    };
    assert_eq!(evaluate(&leaves(&existential), &[5]), [Some(row_from(&[5]))]);
}

#[test]
fn equalities_make_divisions() {
    // 6 u + 4 v = p with v existential: p has to be even; u has no bound then.
    let found = lexmin(
        &Problem {
            n_interesting: 0,
            ..problem(1, 2, &[&[0, -1, 6, 4]], &[])
        },
        &Budget::unlimited(),
    );
    let Ok(Minimum::Leaves(found)) = found else { panic!() };
    for p in -5..5 {
        let want = (p % 2 == 0).then(Row::new);
        assert_eq!(evaluate(&found, &[p]), [want]);
    }
}

#[test]
fn cuts_that_raise_the_unknowns_for_ever_are_given_up() {
    // |2 y - 2 z - 1| <= 3 x: solutions for x >= 1 only.
    let p = problem(
        1,
        3,
        &[],
        &[
            &[-1, 0, 3, 2, -2],
            &[1, 0, 3, -2, 2],
            &[0, 1, 0, 1, 0],
            &[0, 1, 0, 0, 1],
        ],
    );
    assert_eq!(evaluate(&leaves(&p), &[7]), [Some(row_from(&[1, -7, -7]))]);
}

fn rows(n: usize, max: usize) -> impl Strategy<Value = Vec<Vec<i64>>> {
    let row = (-9i64..10, proptest::collection::vec(-4i64..5, n)).prop_map(|(c, mut a)| {
        a.insert(0, c);
        a
    });
    proptest::collection::vec(row, 0..=max)
}

proptest! {
    // Parametric cuts need not come to an end (see NOTES.md): that may happen, but rarely.
    #![proptest_config(ProptestConfig { cases: 300, max_global_rejects: 6, ..ProptestConfig::default() })]

    #[test]
    fn minima_agree_with_enumeration(
        n_params in 1usize..3,
        eqs in rows(4, 1),
        ineqs in rows(4, 5),
        context in rows(2, 1),
        interesting in 0usize..3,
    ) {
        let n = 4 - n_params;
        let mut p = Problem {
            n_params,
            n_unknowns: n,
            n_interesting: interesting.min(n),
            context_ineqs: context.iter().map(|r| row_from(&r[..1 + n_params])).collect(),
            eqs: eqs.iter().map(|r| row_from(r)).collect(),
            ineqs: ineqs.iter().map(|r| row_from(r)).collect(),
            ..Problem::default()
        };
        for u in 0..n {
            for sign in [1, -1] {
                let mut row = zeros(5);
                (row[0], row[1 + n_params + u]) = (Int::from(RADIUS), Int::from(sign));
                p.ineqs.push(row);
            }
        }
        let Ok(found) = lexmin(&p, &Budget::new(2_000_000)) else {
            return Err(TestCaseError::reject("out of budget"));
        };
        let Minimum::Leaves(found) = found else { return Err(TestCaseError::fail("unbounded")) };
        let mut params = vec![vec![]];
        for _ in 0..n_params {
            params = params.iter().flat_map(|q: &Vec<i64>| (-5..=5).map(move |x| [&q[..], &[x]].concat())).collect();
        }
        for q in params {
            if !p.context_ineqs.iter().all(|r| !value_at(r, &row_from(&q)).is_neg()) {
                continue;
            }
            let mut points = vec![row_from(&q)];
            for _ in 0..n {
                points = points
                    .iter()
                    .flat_map(|u| (-RADIUS..=RADIUS).map(move |x| Row::from([&u[..], &[Int::from(x)]].concat())))
                    .collect();
            }
            let solution = |u: &&Row| {
                p.eqs.iter().all(|r| value_at(r, u).is_zero()) && p.ineqs.iter().all(|r| !value_at(r, u).is_neg())
            };
            let want = points.iter().find(solution).map(|u| Row::from(&u[n_params..n_params + p.n_interesting]));
            prop_assert_eq!(evaluate(&found, &q), [want], "at {:?}: {:#?}", q, found);
        }
    }
}
