//! Operations beyond the Boolean ones against enumeration of all points of a small box.

use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::{Matrix, Row, dot, rank, row_from};
use farkas_polyhedral::sets::{Conj, Map, MapSpace, Params, Set, SetSpace, Tuple};
use farkas_polyhedral::solver::integer::IntOptimum;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Variables are between `-B` and `B`.
const B: i64 = 3;

fn points(n: usize) -> Vec<Vec<i64>> {
    let mut out = vec![Vec::new()];
    for _ in 0..n {
        let extend = |p: Vec<i64>| (-B..=B).map(move |x| [&p[..], &[x]].concat());
        out = out.into_iter().flat_map(extend).collect();
    }
    out
}

/// Inequalities, and congruences `row mod m = 0`.
type RandomConj = (Vec<Vec<i64>>, Vec<(Vec<i64>, i64)>);

fn random_row(n: usize) -> impl Strategy<Value = Vec<i64>> {
    let coefs = prop::collection::vec(prop_oneof![2 => Just(0), 3 => -3..=3i64], n);
    (-5..=5i64, coefs).prop_map(|(c, a)| [&[c][..], &a].concat())
}

fn random_conj(n: usize) -> impl Strategy<Value = RandomConj> {
    (
        prop::collection::vec(random_row(n), 0..=3),
        prop::collection::vec((random_row(n), 0..=4i64), 0..=1),
    )
}

/// The conjunction, with all variables in the box.
fn build(n: usize, (ineqs, congruences): &RandomConj) -> Conj {
    let mut conj = Conj::universe(n);
    for (row, modulus) in congruences {
        let mut eq = row_from(row);
        if *modulus > 0 {
            let div = conj.add_div(eq.clone(), Int::from(*modulus));
            eq.resize(conj.n_cols(), Int::ZERO);
            eq[1 + n + div] -= Int::from(*modulus);
        }
        conj.add_eq(eq);
    }
    for row in ineqs {
        conj.add_ineq(row_from(row));
    }
    for v in 0..n {
        for sign in [1, -1] {
            let mut row = vec![0; 1 + n];
            (row[0], row[1 + v]) = (B, sign);
            conj.add_ineq(row_from(&row));
        }
    }
    conj
}

/// A set of `[p] -> { [x, y] }`.
fn set(conjs: &[RandomConj]) -> Set {
    let space = SetSpace::new(Params::new(["p"]), Tuple::anonymous(2));
    Set::from_conjs(space, conjs.iter().map(|c| build(3, c)).collect())
}

/// A relation of `{ [x] -> [y] }`.
fn relation(conjs: &[RandomConj]) -> Map {
    let space = MapSpace::new(Params::none(), Tuple::anonymous(1), Tuple::anonymous(1));
    Map::from_conjs(space, conjs.iter().map(|c| build(2, c)).collect())
}

fn has(set: &Set, point: &[i64]) -> bool {
    let n = set.params().len();
    set.contains(&row_from(&point[..n]), &row_from(&point[n..]), &budget())
        .unwrap()
}

fn budget() -> Budget {
    Budget::new(3_000_000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn hulls_contain_the_set(xs in prop::collection::vec(random_conj(3), 0..=3)) {
        let (x, b) = (set(&xs), budget());
        let hulls = [
            x.affine_hull(&b).unwrap(),
            x.polyhedral_hull(&b).unwrap(),
            x.convex_hull(&b).unwrap(),
            x.simple_hull(&b).unwrap(),
            x.unshifted_simple_hull(&b).unwrap(),
            x.box_hull(&b).unwrap(),
        ];
        for hull in &hulls {
            prop_assert!(hull.pieces().len() <= 1);
            for p in points(3).iter().filter(|p| has(&x, p)) {
                prop_assert!(has(hull, p), "{:?} of {} in {}", p, x, hull);
            }
        }
        // The polyhedral hull is the convex hull, or smaller.
        let [_, fine, coarse, ..] = &hulls;
        prop_assert!(fine.is_subset(coarse, &b).unwrap(), "{}: {} in {}", x, fine, coarse);
    }

    #[test]
    fn affine_hulls_are_as_small_as_possible(ineqs in prop::collection::vec(random_row(3), 0..=4)) {
        let (x, b) = (set(&[(ineqs, vec![])]), budget());
        let hull = x.affine_hull(&b).unwrap();
        let elements: Vec<Vec<i64>> = points(3).into_iter().filter(|p| has(&x, p)).collect();
        let Some(first) = elements.first() else {
            prop_assert!(hull.is_empty(&b).unwrap());
            return Ok(());
        };
        let direction = |p: &Vec<i64>| -> Row { p.iter().zip(first).map(|(a, c)| Int::from(a - c)).collect() };
        let mut directions: Vec<Row> = Vec::new();
        for p in &elements {
            directions.push(direction(p));
            if rank(&Matrix::new(directions.clone(), 3)) < directions.len() {
                directions.pop();
            }
        }
        let dimension = directions.len();
        for p in points(3) {
            let mut with = directions.clone();
            with.push(direction(&p));
            let in_span = rank(&Matrix::new(with, 3)) == dimension;
            prop_assert_eq!(has(&hull, &p), in_span, "{:?} of {}: {}", p, x, hull);
        }
    }

    #[test]
    fn strides_are_right(xs in prop::collection::vec(random_conj(3), 1..=2), dim in 0..2usize) {
        let (x, b) = (set(&xs), budget());
        let stride = x.stride(dim, &b).unwrap();
        for p in points(3).iter().filter(|p| has(&x, p)) {
            let offset = stride.offset.eval(&row_from(&p[..1]), &row_from(&p[1..]));
            let Some(offset) = offset else { return Err(TestCaseError::fail("the offset is not an integer")) };
            let rest = &Int::from(p[1 + dim]) - &offset;
            let right = if stride.stride.is_zero() { rest.is_zero() } else { rest.divisible_by(&stride.stride) };
            prop_assert!(right, "{:?} of {}: {} + {} k", p, x, stride.offset, stride.stride);
        }
    }

    #[test]
    fn bounds_and_counts(xs in prop::collection::vec(random_conj(3), 0..=2)) {
        let (x, b) = (set(&xs), budget());
        let elements: Vec<Vec<i64>> = points(3).into_iter().filter(|p| has(&x, p)).collect();
        for dim in 0..2 {
            let values: BTreeSet<i64> = elements.iter().map(|p| p[1 + dim]).collect();
            let optimum = |v: Option<&i64>| v.map_or(IntOptimum::Empty, |&v| IntOptimum::Finite(Int::from(v)));
            prop_assert_eq!(x.dim_min(dim, &b).unwrap(), optimum(values.first()));
            prop_assert_eq!(x.dim_max(dim, &b).unwrap(), optimum(values.last()));
            let fixed = (values.len() == 1).then(|| Int::from(*values.first().unwrap()));
            prop_assert_eq!(x.fixed_dim(dim, &b).unwrap(), fixed);
        }
        prop_assert!(x.is_bounded(&b).unwrap());
        let params: BTreeSet<i64> = elements.iter().map(|p| p[0]).collect();
        prop_assert_eq!(x.is_singleton(&b).unwrap(), params.len() == elements.len());
        prop_assert_eq!(x.count(&b).unwrap(), Some(Int::from(elements.len() as i64)));
        let mut scanned = x.points(&b).unwrap().unwrap();
        scanned.sort();
        prop_assert_eq!(scanned, elements.iter().map(|p| row_from(p)).collect::<Vec<_>>());
    }

    #[test]
    fn coefficients_are_those_of_valid_constraints(
        xs in prop::collection::vec(random_conj(3), 1..=2),
        rows in prop::collection::vec(random_row(3), 10),
    ) {
        let (x, b) = (set(&xs), budget());
        let coefficients = x.coefficients(&b).unwrap();
        let elements: Vec<Vec<i64>> = points(3).into_iter().filter(|p| has(&x, p)).collect();
        let mut all = rows;
        all.extend(xs.iter().flat_map(|(ineqs, _)| ineqs.iter().cloned()));
        for row in all {
            let row = row_from(&row);
            let valid = elements.iter().all(|p| !(dot(&row[1..], &row_from(p)) + &row[0]).is_neg());
            prop_assert!(valid || !coefficients.contains(&[], &row, &b).unwrap(), "{:?} on {}: {}", row, x, coefficients);
        }
        // The inequalities of a single conjunction hold.
        if let [(ineqs, _)] = &xs[..] {
            prop_assert!(ineqs.iter().all(|row| coefficients.contains(&[], &row_from(row), &b).unwrap()));
        }
        let solutions = coefficients.solutions(x.space().clone(), &b).unwrap();
        prop_assert!(x.is_subset(&solutions, &b).unwrap(), "{}: {}", x, solutions);
        let hull = x.convex_hull(&b).unwrap();
        prop_assert!(solutions.is_equal(&hull, &b).unwrap() || x.is_empty(&b).unwrap());
    }

    #[test]
    fn dimensions_and_parameters(xs in prop::collection::vec(random_conj(3), 0..=2)) {
        let (x, b) = (set(&xs), budget());
        let eliminated = x.eliminate(0, 1, &b).unwrap();
        let dropped = x.drop_constraints_involving(1, 1);
        let kept = x.drop_constraints_not_involving(1, 1);
        let projected = x.project_out_params(&["p"], &b).unwrap();
        let as_params = x.dims_to_params(0, ["q"]);
        let as_dims = x.params_to_dims(&["p"]);
        for p in points(3) {
            let inside = has(&x, &p);
            let any = |v: usize| (-B..=B).any(|value| { let mut q = p.clone(); q[v] = value; has(&x, &q) });
            prop_assert_eq!(has(&eliminated, &p), any(1));
            prop_assert_eq!(has(&projected, &p[1..]), any(0));
            prop_assert!(!inside || (has(&dropped, &p) && has(&kept, &p)));
            prop_assert_eq!(has(&as_params, &p), inside);
            prop_assert_eq!(as_dims.contains(&[], &row_from(&p), &b).unwrap(), inside);
        }
    }

    #[test]
    fn closures_are_supersets_and_exact_if_they_say_so(xs in prop::collection::vec(random_conj(2), 1..=2)) {
        let r = relation(&xs);
        let b = Budget::new(2_000_000);
        let Ok(closure) = r.transitive_closure(&b) else { return Err(TestCaseError::reject("out of budget")) };
        let related = |m: &Map, i: i64, j: i64| m.contains(&[], &row_from(&[i]), &row_from(&[j]), &budget()).unwrap();
        let mut pairs: BTreeSet<(i64, i64)> =
            points(2).iter().map(|p| (p[0], p[1])).filter(|&(i, j)| related(&r, i, j)).collect();
        for k in -B..=B {
            for i in -B..=B {
                for j in -B..=B {
                    if pairs.contains(&(i, k)) && pairs.contains(&(k, j)) {
                        pairs.insert((i, j));
                    }
                }
            }
        }
        for p in points(2) {
            let (i, j) = (p[0], p[1]);
            let (want, got) = (pairs.contains(&(i, j)), related(&closure.value, i, j));
            prop_assert!(got || !want, "{} is missing in the closure {} of {}", format!("{p:?}"), closure.value, r);
            prop_assert!(want || !got || !closure.exact, "{} is not in the closure of {}: {}", format!("{p:?}"), r, closure.value);
        }
    }

    #[test]
    fn order_of_elements(xs in prop::collection::vec(random_conj(3), 0..=2), ys in prop::collection::vec(random_conj(3), 1..=1)) {
        let (x, y) = (set(&xs), set(&ys));
        let (lt, ge) = (x.lex_lt(&y), x.lex_ge(&y));
        for p in points(3) {
            for q in points(2).iter().step_by(3) {
                let both = has(&x, &p) && has(&y, &[p[0], q[0], q[1]]);
                let pair = |m: &Map| m.contains(&row_from(&p[..1]), &row_from(&p[1..]), &row_from(q), &budget()).unwrap();
                prop_assert_eq!(pair(&lt), both && p[1..] < q[..]);
                prop_assert_eq!(pair(&ge), both && p[1..] >= q[..]);
            }
        }
    }
}
