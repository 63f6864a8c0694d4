//! Set operations against enumeration of all points of a small box.

use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::{row_from, zeros};
use farkas_polyhedral::sets::{Conj, Map, MapSpace, Params, Set, SetSpace, Tuple};
use proptest::prelude::*;
use std::ops::Range;

/// Variables are between `-B` and `B` where a test has to enumerate them.
const B: i64 = 3;

/// All points of the box of `n` dimensions.
fn points(n: usize) -> Vec<Vec<Int>> {
    let mut out = vec![Vec::new()];
    for _ in 0..n {
        out = out
            .into_iter()
            .flat_map(|p| {
                (-B..=B).map(move |x| {
                    let mut p = p.clone();
                    p.push(Int::from(x));
                    p
                })
            })
            .collect();
    }
    out
}

type RandomRow = Vec<i64>;

/// Divisions, equalities and inequalities that [`build`] makes a conjunction of.
type RandomConj = (Vec<(RandomRow, i64)>, Vec<RandomRow>, Vec<RandomRow>);

fn random_row(n: usize, coef: i64) -> impl Strategy<Value = RandomRow> {
    (
        -6..=6i64,
        prop::collection::vec(prop_oneof![2 => Just(0), 3 => -coef..=coef], n),
    )
        .prop_map(|(c, mut r)| {
            r.insert(0, c);
            r
        })
}

fn random_conj(n: usize) -> impl Strategy<Value = RandomConj> {
    // Rows have room for two divisions; what has none is cut off.
    (
        prop::collection::vec((random_row(n + 1, 2), 2..=4i64), 0..=2),
        prop::collection::vec(random_row(n + 2, 3), 0..=1),
        prop::collection::vec(random_row(n + 2, 3), 0..=3),
    )
}

fn build(n: usize, (divs, eqs, ineqs): &RandomConj) -> Conj {
    let mut conj = Conj::universe(n);
    let mut cols: Vec<usize> = (0..=n).collect();
    let place = |conj: &Conj, cols: &[usize], row: &RandomRow| {
        let mut out = zeros(conj.n_cols());
        for (x, &c) in row.iter().zip(cols) {
            out[c] += Int::from(*x);
        }
        out
    };
    for (num, den) in divs {
        let num = place(&conj, &cols, num);
        let div = conj.add_div(num, Int::from(*den));
        cols.push(1 + n + div);
    }
    for row in eqs {
        let row = place(&conj, &cols, row);
        conj.add_eq(row);
    }
    for row in ineqs {
        let row = place(&conj, &cols, row);
        conj.add_ineq(row);
    }
    conj
}

/// The conjunction with some variables in the box.
fn boxed(mut conj: Conj, vars: Range<usize>) -> Conj {
    for v in vars {
        for sign in [1, -1] {
            let mut row = zeros(conj.n_cols());
            row[0] = Int::from(B);
            row[1 + v] = Int::from(sign);
            conj.add_ineq(row);
        }
    }
    conj
}

fn any_contains(pieces: &[Conj], point: &[Int]) -> bool {
    pieces.iter().any(|p| p.contains(point, &budget()).unwrap())
}

/// A set of `[p] -> { [x, y] }`.
fn set(conjs: &[RandomConj], bounded: bool) -> Set {
    let space = SetSpace::new(Params::new(["p"]), Tuple::anonymous(2));
    let conjs = conjs
        .iter()
        .map(|c| if bounded { boxed(build(3, c), 0..3) } else { build(3, c) })
        .collect();
    Set::from_conjs(space, conjs)
}

fn has(set: &Set, point: &[Int]) -> bool {
    set.contains(&point[..1], &point[1..], &budget()).unwrap()
}

fn budget() -> Budget {
    Budget::new(3_000_000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn simplification_keeps_the_points(c in random_conj(3)) {
        let conj = build(3, &c);
        let mut simple = conj.clone();
        simple.simplify();
        let b = budget();
        let reduced = conj.remove_redundancies(&b).unwrap();
        let equal = conj.detect_equalities(&b).unwrap();
        for p in points(3) {
            prop_assert_eq!(conj.contains(&p, &b).unwrap(), simple.contains(&p, &b).unwrap(), "{:?} of {:?}: {:?}", p, conj, simple);
            prop_assert_eq!(conj.contains(&p, &b).unwrap(), reduced.contains(&p, &b).unwrap());
            prop_assert_eq!(conj.contains(&p, &b).unwrap(), equal.contains(&p, &b).unwrap());
        }
    }

    #[test]
    fn projection_is_exact(c in random_conj(4), first in 0..3usize, count in 1..=2usize) {
        // Only what goes away is bounded.
        let conj = boxed(build(4, &c), first..first + count);
        let b = budget();
        let exact = conj.eliminate(first, count, &b).unwrap();
        let rational = conj.eliminate_rational(first, count, &b).unwrap();
        for p in points(4 - count) {
            let found = points(count).iter().any(|q| {
                let mut full = p[..first].to_vec();
                full.extend(q.iter().cloned());
                full.extend(p[first..].iter().cloned());
                conj.contains(&full, &b).unwrap()
            });
            prop_assert_eq!(found, any_contains(&exact, &p), "{:?} of {:?}: {:?}", p, conj, exact);
            prop_assert!(!found || rational.contains(&p, &b).unwrap());
        }
    }

    #[test]
    fn emptiness_is_exact(c in random_conj(3)) {
        let conj = boxed(build(3, &c), 0..3);
        let b = budget();
        let found = points(3).iter().any(|p| conj.contains(p, &b).unwrap());
        prop_assert_eq!(conj.is_empty(&b).unwrap(), !found);
        match conj.sample(&b).unwrap() {
            Some(p) => prop_assert!(conj.contains(&p, &b).unwrap()),
            None => prop_assert!(!found),
        }
    }

    #[test]
    fn boolean_operations(
        xs in prop::collection::vec(random_conj(3), 0..=2),
        ys in prop::collection::vec(random_conj(3), 0..=2),
        bounded: bool,
    ) {
        let (x, y) = (set(&xs, bounded), set(&ys, bounded));
        let b = budget();
        let (and, or, minus) = (x.intersect(&y), x.union(&y), x.subtract(&y, &b).unwrap());
        let not = x.complement(&b).unwrap();
        let coalesced = or.coalesce(&b).unwrap();
        let disjoint = or.make_disjoint(&b).unwrap();
        let gist = x.gist(&y, &b).unwrap();
        let hull = or.simple_hull(&b).unwrap();
        let (mut subset, mut meet) = (true, false);
        for p in points(3) {
            let (in_x, in_y) = (has(&x, &p), has(&y, &p));
            subset &= !in_x || in_y;
            meet |= in_x && in_y;
            prop_assert_eq!(has(&and, &p), in_x && in_y);
            prop_assert_eq!(has(&or, &p), in_x || in_y);
            prop_assert_eq!(has(&minus, &p), in_x && !in_y, "{} of {} minus {}: {}", format!("{p:?}"), x, y, minus);
            prop_assert_eq!(has(&not, &p), !in_x);
            prop_assert_eq!(has(&coalesced, &p), in_x || in_y, "{} coalesced: {}", or, coalesced);
            prop_assert_eq!(disjoint.pieces().iter().filter(|c| c.contains(&p, &b).unwrap()).count(), usize::from(in_x || in_y));
            prop_assert_eq!(has(&gist, &p) && in_y, in_x && in_y);
            prop_assert!(has(&hull, &p) || !(in_x || in_y));
        }
        prop_assert!(coalesced.pieces().len() <= or.pieces().len());
        if bounded {
            prop_assert_eq!(x.is_subset(&y, &b).unwrap(), subset);
            prop_assert_eq!(x.is_disjoint(&y, &b).unwrap(), !meet);
        }
        prop_assert!(minus.is_subset(&x, &b).unwrap());
        prop_assert!(minus.is_disjoint(&y, &b).unwrap());
        prop_assert!(or.is_equal(&coalesced, &b).unwrap());
    }

    #[test]
    fn lexicographic_optima(xs in prop::collection::vec(random_conj(3), 0..=2)) {
        // The dimensions are bounded, the parameter is not.
        let space = SetSpace::new(Params::new(["p"]), Tuple::anonymous(2));
        let x = Set::from_conjs(space, xs.iter().map(|c| boxed(build(3, c), 1..3)).collect());
        // With several nested divisions this may take long: what is not found within the budget does not count.
        let b = Budget::new(300_000);
        let (Ok(min), Ok(max)) = (x.lexmin(&b), x.lexmax(&b)) else {
            return Err(TestCaseError::reject("out of budget"));
        };
        for p in points(1) {
            let elements: Vec<Vec<Int>> = points(2).into_iter().filter(|d| x.contains(&p, d, &b).unwrap()).collect();
            for d in points(2) {
                prop_assert_eq!(min.contains(&p, &d, &b).unwrap(), elements.first() == Some(&d), "{} has minimum {}", x, min);
                prop_assert_eq!(max.contains(&p, &d, &b).unwrap(), elements.last() == Some(&d), "{} has maximum {}", x, max);
            }
        }
    }

    #[test]
    fn lexicographic_optima_of_unbounded_sets(c in random_conj(3)) {
        let x = set(&[c], false);
        let b = budget();
        let Ok(min) = x.lexmin(&Budget::new(300_000)) else { return Err(TestCaseError::reject("out of budget")) };
        prop_assert!(min.is_subset(&x, &b).unwrap());
        // Nothing smaller than the minimum is in the set.
        let lt = Map::lex_lt(Params::new(["p"]), Tuple::anonymous(2));
        let smaller = lt.reverse().intersect_domain(&min).intersect_range(&x);
        prop_assert!(smaller.is_empty(&b).unwrap(), "{} has minimum {}", x, min);
    }

    #[test]
    fn relations(xs in prop::collection::vec(random_conj(3), 1..=2), ys in prop::collection::vec(random_conj(3), 1..=2)) {
        let space = MapSpace::new(Params::new(["p"]), Tuple::anonymous(1), Tuple::anonymous(1));
        let relation = |cs: &[RandomConj]| {
            Map::from_conjs(space.clone(), cs.iter().map(|c| boxed(build(3, c), 1..3)).collect())
        };
        let (x, y) = (relation(&xs), relation(&ys));
        let b = budget();
        let composed = x.apply_range(&y, &b).unwrap();
        let (domain, range, deltas) = (x.domain(&b).unwrap(), x.range(&b).unwrap(), x.deltas(&b).unwrap());
        let reversed = x.reverse();
        for p in points(1) {
            let pairs: Vec<(Vec<Int>, Vec<Int>)> = points(2)
                .into_iter()
                .map(|q| (q[..1].to_vec(), q[1..].to_vec()))
                .filter(|(i, o)| x.contains(&p, i, o, &b).unwrap())
                .collect();
            for i in points(1) {
                prop_assert_eq!(domain.contains(&p, &i, &b).unwrap(), pairs.iter().any(|(d, _)| *d == i));
                prop_assert_eq!(range.contains(&p, &i, &b).unwrap(), pairs.iter().any(|(_, r)| *r == i));
                prop_assert_eq!(deltas.contains(&p, &i, &b).unwrap(), pairs.iter().any(|(d, r)| &r[0] - &d[0] == i[0]));
                for o in points(1) {
                    let through = points(1).iter().any(|m| x.contains(&p, &i, m, &b).unwrap() && y.contains(&p, m, &o, &b).unwrap());
                    prop_assert_eq!(composed.contains(&p, &i, &o, &b).unwrap(), through);
                    prop_assert_eq!(x.contains(&p, &i, &o, &b).unwrap(), reversed.contains(&p, &o, &i, &b).unwrap());
                }
            }
        }
        let single = points(2).iter().all(|q| {
            points(1).iter().filter(|o| x.contains(&q[..1], &q[1..], o, &b).unwrap()).count() <= 1
        });
        // The parameter is not bounded: outside the box there may be other pairs.
        prop_assert!(single || !x.is_single_valued(&b).unwrap());
        let min = x.lexmin(&b).unwrap();
        prop_assert!(min.is_single_valued(&b).unwrap(), "{} has minimum {}", x, min);
    }

    #[test]
    fn text_round_trip(xs in prop::collection::vec(random_conj(3), 0..=2)) {
        let x = set(&xs, false);
        let text = x.to_string();
        let y: Set = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
        for p in points(3) {
            prop_assert_eq!(has(&x, &p), has(&y, &p), "{}", text);
        }
        prop_assert_eq!(x.space(), y.space());
    }
}

#[test]
fn a_row_of_small_numbers() {
    let (mut conj, b) = (Conj::universe(1), budget());
    conj.add_ineq(row_from(&[-1, 2]));
    assert!(conj.contains(&row_from(&[1]), &b).unwrap() && !conj.contains(&row_from(&[0]), &b).unwrap());
}
