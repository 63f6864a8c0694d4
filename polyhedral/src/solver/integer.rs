//! Integer points and integer optima of a [`System`].
//!
//! A system has an integer point if and only if the answer of [`sample`] is one; the search always ends:
//!
//! 1. Equalities are solved over the integers (Hermite normal form), which leaves inequalities on fewer unknowns. Their
//!    constants are tightened to `floor(c / gcd)`.
//! 2. A branch and bound of a few nodes settles most systems.
//! 3. If some inequalities hold with equality everywhere, they are equalities, back to 1.
//! 4. Let the *recession cone* be the directions `r` with `A r >= 0`, and `I` the inequalities with `a.r = 0` on all of
//!    it. Some integer direction has `a.r > 0` for every inequality not in `I`, so that, by going far enough in that
//!    direction, those can always be satisfied: only the inequalities in `I` matter.
//! 5. They are bounded once their common lineality space is factored out (again by a Hermite normal form). Branch and
//!    bound on what is left would end, but after a number of nodes that can grow with the size of the set. What does not
//!    is the search along thin directions (`thin`), which comes back here with one unknown less.
//!
//! For example `{ (x, y) : 1 <= 3x - 3y + 1 <= 2 and x >= 7 }` has `I = {the first two}`, which after the change of
//! unknowns `u = x - y, v = y` are bounds on `u` alone.

use super::lp::{self, Optimum};
use super::simplex::Simplex;
use super::{System, thin, value_at};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Matrix, Row, column_hermite, content, dot, solve, zeros};

/// The number of nodes after which a branch and bound is given up.
const PLAIN_NODES: usize = 20;

/// The minimum of an affine expression over a set of integer points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IntOptimum {
    /// The set is empty.
    Empty,
    /// The expression has no lower bound on the set.
    Unbounded,
    /// The minimum, which is attained.
    Finite(Int),
}

/// An integer point of `system`, or None if and only if there is none, by the steps in the module's text.
pub fn sample(system: &System, budget: &Budget) -> Outcome<Option<Row>> {
    sample_of(system.clone(), budget)
}

fn sample_of(mut system: System, budget: &Budget) -> Outcome<Option<Row>> {
    if !tighten(&mut system.ineqs) {
        return Ok(None);
    }
    if !system.eqs.is_empty() {
        return sample_on_lattice(&system, budget);
    }
    let (simplex, _) = Simplex::from_system(&system, budget)?;
    if let Search::Done(result) = branch_and_bound(simplex, |point| system.contains(point), budget)? {
        return Ok(result);
    }
    let implicit = lp::implicit_equalities(&system, budget)?;
    if !implicit.is_empty() {
        turn_into_equalities(&mut system, &implicit);
        return sample_on_lattice(&system, budget);
    }
    sample_full_dimensional(&system, budget)
}

/// Whether `system` has no integer point, as by [`sample`].
pub fn is_empty(system: &System, budget: &Budget) -> Outcome<bool> {
    Ok(sample(system, budget)?.is_none())
}

/// The minimum `min { c + a.x : x in P, x integer }` of `objective = [c, a..]`. Mostly that is the rational minimum,
/// rounded up; otherwise it is found by bisection between that and the value at an integer point.
pub fn minimize_integer(system: &System, objective: &Row, budget: &Budget) -> Outcome<IntOptimum> {
    let (mut simplex, _) = Simplex::from_system(system, budget)?;
    let bound = match simplex.minimize(objective, budget)? {
        Optimum::Empty => return Ok(IntOptimum::Empty),
        Optimum::Unbounded => {
            // A rational direction of descent has an integer multiple, to be followed from any integer point.
            let empty = is_empty(system, budget)?;
            return Ok(if empty {
                IntOptimum::Empty
            } else {
                IntOptimum::Unbounded
            });
        }
        // Mostly it is attained at an integer point.
        Optimum::Finite { num, .. } if simplex.sample().1.is_one() => return Ok(IntOptimum::Finite(num)),
        Optimum::Finite { num, den } => num.div_ceil(&den),
    };
    let sample_at_most = |limit: &Int| {
        let mut limited = system.clone();
        let mut row: Row = objective.iter().map(|a| -a).collect();
        row[0] += limit;
        limited.ineqs.push(row);
        sample_of(limited, budget)
    };
    // If not there, the rational bound is attained elsewhere, or the next number is.
    let mut low = bound;
    if sample_at_most(&low)?.is_some() {
        return Ok(IntOptimum::Finite(low));
    }
    low += &Int::ONE;
    if sample_at_most(&low)?.is_some() {
        return Ok(IntOptimum::Finite(low));
    }
    let Some(point) = sample(system, budget)? else {
        return Ok(IntOptimum::Empty);
    };
    // The minimum is more than `low` and at most `high`, where there is a point.
    let mut high = value_at(objective, &point);
    while &high - &low > 1 {
        let middle = (&low + &high).div_floor(&Int::from(2));
        match sample_at_most(&middle)? {
            Some(point) => high = value_at(objective, &point),
            None => low = middle,
        }
    }
    Ok(IntOptimum::Finite(high))
}

/// Divides every inequality by the common factor of its coefficients, rounding the constant down, and drops the ones
/// without coefficients. False if one of those is violated.
fn tighten(ineqs: &mut Vec<Row>) -> bool {
    let mut consistent = true;
    ineqs.retain_mut(|row| {
        let gcd = content(&row[1..]);
        if gcd.is_zero() {
            consistent &= !row[0].is_neg();
            return false;
        }
        if !gcd.is_one() {
            row[0] = row[0].div_floor(&gcd);
            for a in &mut row[1..] {
                *a = a.div_exact(&gcd);
            }
        }
        true
    });
    consistent
}

fn turn_into_equalities(system: &mut System, indices: &[usize]) {
    let (mut eqs, mut ineqs) = (Vec::new(), Vec::new());
    for (i, row) in std::mem::take(&mut system.ineqs).into_iter().enumerate() {
        if indices.contains(&i) {
            eqs.push(row)
        } else {
            ineqs.push(row)
        }
    }
    system.eqs.append(&mut eqs);
    system.ineqs = ineqs;
}

/// The inequality `row` in the unknowns `y` where `x = origin + sum of y_i * basis.rows[i]`.
pub(super) fn substitute(row: &[Int], origin: &[Int], basis: &Matrix) -> Row {
    let mut result = Row::with_capacity(1 + basis.rows.len());
    result.push(value_at(row, origin));
    result.extend(basis.rows.iter().map(|b| dot(&row[1..], b)));
    result
}

/// `origin + sum of y_i * basis.rows[i]`.
pub(super) fn lift(y: &[Int], origin: &[Int], basis: &Matrix) -> Row {
    let mut point = Row::from(origin);
    for (factor, row) in y.iter().zip(&basis.rows) {
        for (x, b) in point.iter_mut().zip(row) {
            x.add_mul(factor, b);
        }
    }
    point
}

/// Step 1: a sample after solving the equalities.
fn sample_on_lattice(system: &System, budget: &Budget) -> Outcome<Option<Row>> {
    budget.spend((system.eqs.len() * system.n) as u64)?;
    let a = Matrix::new(system.eqs.iter().map(|r| Row::from(&r[1..])).collect(), system.n);
    let b: Row = system.eqs.iter().map(|r| -&r[0]).collect();
    let Some((origin, basis)) = solve(&a, &b) else {
        return Ok(None);
    };
    let ineqs = system.ineqs.iter().map(|r| substitute(r, &origin, &basis)).collect();
    let reduced = System {
        n: basis.rows.len(),
        eqs: Vec::new(),
        ineqs,
    };
    Ok(sample_of(reduced, budget)?.map(|y| lift(&y, &origin, &basis)))
}

/// One of the roundings of `numerators / den` at which `contains` holds.
fn rounding(numerators: &[Int], den: &Int, contains: impl Fn(&[Int]) -> bool) -> Option<Row> {
    let half = den.div_floor(&Int::from(2));
    [Int::ZERO, half, den - Int::ONE].iter().find_map(|offset| {
        let rounded: Row = numerators.iter().map(|x| (x + offset).div_floor(den)).collect();
        contains(&rounded).then_some(rounded)
    })
}

/// Steps 4 and 5, for tightened inequalities of which none is an implicit equality.
fn sample_full_dimensional(system: &System, budget: &Budget) -> Outcome<Option<Row>> {
    let mut cone = System::new(system.n);
    cone.ineqs = system.ineqs.clone();
    cone.ineqs.iter_mut().for_each(|r| r[0] = Int::ZERO);
    let constant_on_cone = lp::implicit_equalities(&cone, budget)?;

    // Factor out the directions in which the inequalities that matter do not vary.
    let rows: Vec<Row> = constant_on_cone
        .iter()
        .map(|&i| Row::from(&system.ineqs[i][1..]))
        .collect();
    let hermite = column_hermite(&Matrix::new(rows, system.n));
    let rank = hermite.pivots.len();
    let columns = hermite.transform.transposed();
    let basis = Matrix::new(columns.rows[..rank].to_vec(), system.n);
    let origin = zeros(system.n);
    let mut bounded = System::new(rank);
    bounded.ineqs = constant_on_cone
        .iter()
        .map(|&i| substitute(&system.ineqs[i], &origin, &basis))
        .collect();
    let Some(y) = thin::sample_bounded(&bounded, budget)? else {
        return Ok(None);
    };
    let mut point = lift(&y, &origin, &basis);
    if constant_on_cone.len() == system.ineqs.len() {
        return Ok(Some(point));
    }

    // Follow an interior direction of the cone until the other inequalities hold too.
    turn_into_equalities(&mut cone, &constant_on_cone);
    for row in &mut cone.ineqs {
        row[0] = -Int::ONE;
    }
    let (mut simplex, _) = Simplex::from_system(&cone, budget)?;
    let feasible = simplex.is_feasible(budget)?;
    assert!(feasible, "a cone has a relative interior");
    let (direction, _) = simplex.sample();
    let mut steps = Int::ZERO;
    for (i, row) in system.ineqs.iter().enumerate() {
        if !constant_on_cone.contains(&i) {
            let missing = -value_at(row, &point);
            steps = steps.max(missing.div_ceil(&dot(&row[1..], &direction)));
        }
    }
    for (x, r) in point.iter_mut().zip(&direction) {
        x.add_mul(&steps, r);
    }
    debug_assert!(system.contains(&point));
    Ok(Some(point))
}

/// The end of a search.
#[expect(clippy::large_enum_variant, reason = "it is taken apart at once")]
pub(crate) enum Search {
    /// A point, or none if there is none.
    Done(Option<Row>),
    /// The limit was reached.
    GivenUp,
}

/// Step 2: branch and bound on inequalities, with at most [`PLAIN_NODES`] nodes. `contains` says whether they hold at an
/// integer point.
pub(crate) fn branch_and_bound(
    simplex: Simplex,
    contains: impl Fn(&[Int]) -> bool,
    budget: &Budget,
) -> Outcome<Search> {
    // Depth first, with the branch to be tried next on top of the stack.
    let mut open = vec![simplex];
    let mut nodes = 0;
    while let Some(mut simplex) = open.pop() {
        budget.spend(1)?;
        nodes += 1;
        if nodes > PLAIN_NODES {
            return Ok(Search::GivenUp);
        }
        if !simplex.is_feasible(budget)? {
            continue;
        }
        let (numerators, den) = simplex.sample();
        if den.is_one() {
            return Ok(Search::Done(Some(numerators)));
        }
        if let Some(point) = rounding(&numerators, &den, &contains) {
            return Ok(Search::Done(Some(point)));
        }
        let branch = numerators
            .iter()
            .position(|x| !x.divisible_by(&den))
            .expect("a sample that is not integral");
        let floor = numerators[branch].div_floor(&den);
        let mut row = zeros(simplex.n() + 1);
        (row[0], row[1 + branch]) = (floor.clone(), -Int::ONE);
        let mut below = simplex.clone();
        below.add_ineq(&row, budget)?;
        (row[0], row[1 + branch]) = (-floor - Int::ONE, Int::ONE);
        simplex.add_ineq(&row, budget)?;
        open.push(simplex);
        open.push(below);
    }
    Ok(Search::Done(None))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{RADIUS, boxed, points, systems};
    use super::*;
    use crate::linalg::row_from;
    use proptest::prelude::*;

    fn system(n: usize, eqs: &[&[i64]], ineqs: &[&[i64]]) -> System {
        System {
            n,
            eqs: eqs.iter().map(|r| row_from(r)).collect(),
            ineqs: ineqs.iter().map(|r| row_from(r)).collect(),
        }
    }

    #[test]
    fn named_cases() {
        let budget = Budget::unlimited();
        // 2x = 2y + 1
        assert_eq!(is_empty(&system(2, &[&[-1, 2, -2]], &[]), &budget), Ok(true));
        // The example of the module, and the same strip without integer points.
        let strip = system(2, &[], &[&[0, 3, -3], &[1, -3, 3], &[-7, 1, 0]]);
        assert!(strip.contains(&sample(&strip, &budget).unwrap().unwrap()));
        let gap = system(2, &[], &[&[-1, 3, -3], &[2, -3, 3], &[-7, 1, 0]]);
        assert_eq!(is_empty(&gap, &budget), Ok(true));
        // An unbounded strip around a line without integer points: 1 <= 6x - 10y <= 1, hidden in two inequalities that
        // no single gcd shows: 5x - 7y in [1, 1] crossed with parity.
        let hidden = system(3, &[], &[&[-1, 2, -4, 6], &[1, -2, 4, -6]]);
        assert_eq!(is_empty(&hidden, &budget), Ok(true));
        // No constraints; a half plane.
        assert!(sample(&System::new(2), &budget).unwrap().is_some());
        let half = system(2, &[], &[&[-1000, 3, 7]]);
        assert!(half.contains(&sample(&half, &budget).unwrap().unwrap()));
        // Thin sets with a large extent: the second and third make branch and bound on the axes very slow.
        let thin = system(
            2,
            &[],
            &[&[-1, 1000, -999], &[2, -1000, 999], &[0, 1, 0], &[100000, -1, 0]],
        );
        assert!(thin.contains(&sample(&thin, &budget).unwrap().unwrap()));
        let thin = system(
            2,
            &[],
            &[&[-1, 1000, -1003], &[2, -1000, 1003], &[0, 1, 0], &[200, -1, 0]],
        );
        assert_eq!(sample(&thin, &Budget::new(10_000)), Ok(None));
        let knapsack = system(
            5,
            &[&[-89643481, 12223, 12224, 36674, 61119, 85569]],
            &[
                &[0, 1, 0, 0, 0, 0],
                &[0, 0, 1, 0, 0, 0],
                &[0, 0, 0, 1, 0, 0],
                &[0, 0, 0, 0, 1, 0],
                &[0, 0, 0, 0, 0, 1],
            ],
        );
        assert_eq!(sample(&knapsack, &Budget::new(100_000)), Ok(None));
    }

    /// Two register tiles `c5 < c6` of a matrix product for an `n` of 32 bits, the second of which is a partial one, have
    /// to be in the same cache tile: the unknowns `n, c2, .. , c6` are tied together by strides of 4 and 32.
    #[test]
    fn tiles_of_a_large_extent_take_little_work() {
        let tiles = system(
            6,
            &[],
            &[
                &[2147483648, 1, 0, 0, 0, 0, 0],
                &[2147483647, -1, 0, 0, 0, 0, 0],
                &[0, 0, 1, 0, 0, 0, 0],
                &[0, 0, 0, 1, 0, 0, 0],
                &[0, 0, 0, 0, 1, 0, 0],
                &[-1, 1, -32, 0, 0, 0, 0],
                &[-1, 1, 0, -32, 0, 0, 0],
                &[-1, 1, 0, 0, -512, 0, 0],
                &[3, -1, 0, 32, 0, 0, 0],
                &[0, 0, -8, 0, 0, 1, 0],
                &[7, 0, 8, 0, 0, -1, 0],
                &[-4, 1, 0, 0, 0, -4, 0],
                &[0, 0, -8, 0, 0, 0, 1],
                &[7, 0, 8, 0, 0, 0, -1],
                &[-1, 1, 0, 0, 0, 0, -4],
                &[3, -1, 0, 0, 0, 0, 4],
                &[-1, 0, 0, 0, 0, -1, 1],
            ],
        );
        assert_eq!(sample(&tiles, &Budget::new(3000)), Ok(None));
    }

    #[test]
    fn minima() {
        let budget = Budget::unlimited();
        // 2x + 3y >= 7 over non-negative x, y: x + y is at least 3.
        let s = system(2, &[], &[&[-7, 2, 3], &[0, 1, 0], &[0, 0, 1]]);
        assert_eq!(
            minimize_integer(&s, &row_from(&[0, 1, 1]), &budget),
            Ok(IntOptimum::Finite(Int::from(3)))
        );
        assert_eq!(
            minimize_integer(&s, &row_from(&[0, -1, 0]), &budget),
            Ok(IntOptimum::Unbounded)
        );
        let gap = system(2, &[&[-1, 2, -2]], &[]);
        assert_eq!(
            minimize_integer(&gap, &row_from(&[0, 1, 0]), &budget),
            Ok(IntOptimum::Empty)
        );
    }

    proptest! {
        #[test]
        fn samples_agree_with_enumeration(s in systems(3)) {
            let budget = Budget::unlimited();
            // Unbounded: at least sound, and complete for what enumeration sees.
            match sample(&s, &budget).unwrap() {
                Some(p) => prop_assert!(s.contains(&p)),
                None => prop_assert!(points(&s, -RADIUS, RADIUS).is_empty()),
            }
            let s = boxed(s, -RADIUS, RADIUS);
            match sample(&s, &budget).unwrap() {
                Some(p) => prop_assert!(s.contains(&p)),
                None => prop_assert!(points(&s, -RADIUS, RADIUS).is_empty()),
            }
        }

        #[test]
        fn minima_agree_with_enumeration(s in systems(3), objective in proptest::collection::vec(-4i64..5, 4)) {
            let budget = Budget::unlimited();
            let s = boxed(s, -RADIUS, RADIUS);
            let objective = row_from(&objective);
            let least = points(&s, -RADIUS, RADIUS).iter().map(|p| value_at(&objective, p)).min();
            let want = least.map_or(IntOptimum::Empty, IntOptimum::Finite);
            prop_assert_eq!(minimize_integer(&s, &objective, &budget).unwrap(), want);
        }
    }
}
