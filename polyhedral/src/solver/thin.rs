//! Integer points of a polytope, found by the way in which it is thin (Lenstra, *Integer programming with a fixed number
//! of variables*, 1983).
//!
//! Let `w_i > 0`, the *width* of inequality `i`, be its largest value on the polytope `P`. A difference `d` of two points
//! of `P` has `|a_i.d| <= w_i` for all `i`; and a `d` with this property is, up to a factor that depends on the dimension
//! only, such a difference. So `d` is short in the norm of the vector of all `a_i.d / w_i` if and only if `P` is long in
//! its direction. In a basis of the integer vectors that is reduced for this norm `P` looks round: if it is large, the
//! point next to its centre is likely to be in it; if it is not, one of the new unknowns takes few values on it, and has
//! to take one of them. How many depends on the dimension only, not on the size of the numbers.
//!
//! For example, `{ (n, c) : 1 <= n - 32 c <= 3 and 0 <= n <= 2^31 }` has the reduced basis `(32, 1), (1, 0)`: the
//! unknowns `u, v` with `n = 32 u + v` and `c = u`, of which `v` takes three values.

use super::System;
use super::integer::{lift, sample, substitute};
use super::lp::Optimum;
use super::simplex::Simplex;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Matrix, Row, combine, negate, reduce_basis, unit, zeros};

/// How many times larger the weights of inequalities are than their relative widths ask for, at least: what rounding
/// them to integers may cost in precision.
const PRECISION: i64 = 64;

/// An integer point of a bounded system of inequalities, none of which is an implicit equality; None if and only if there
/// is none.
pub(super) fn sample_bounded(system: &System, budget: &Budget) -> Outcome<Option<Row>> {
    if system.n == 0 {
        return Ok(system.contains(&[]).then(Row::new));
    }
    let Some(basis) = round_basis(system, budget)? else {
        return Ok(None);
    };
    let origin = zeros(system.n);
    let mut round = System::new(system.n);
    round.ineqs = system.ineqs.iter().map(|r| substitute(r, &origin, &basis)).collect();
    let Some(Extent {
        unknown,
        low,
        high,
        centre,
    }) = extent(&round, budget)?
    else {
        return Ok(None);
    };
    if round.contains(&centre) {
        return Ok(Some(lift(&centre, &origin, &basis)));
    }
    // From the centre outwards.
    let (mut down, mut up) = (centre[unknown].clone(), &centre[unknown] + Int::ONE);
    while down >= low || up <= high {
        for (value, step) in [(&mut down, -Int::ONE), (&mut up, Int::ONE)] {
            if (&low..=&high).contains(&&*value)
                && let Some(mut point) = sample(&slice(&round, unknown, value), budget)?
            {
                point.insert(unknown, value.clone());
                return Ok(Some(lift(&point, &origin, &basis)));
            }
            *value += &step;
        }
    }
    Ok(None)
}

/// A basis of the integer vectors in which the polytope looks round, as rows. None if the polytope is empty.
fn round_basis(system: &System, budget: &Budget) -> Outcome<Option<Matrix>> {
    let (mut simplex, _) = Simplex::from_system(system, budget)?;
    let mut widths: Vec<(Int, Int)> = Vec::with_capacity(system.ineqs.len());
    for row in &system.ineqs {
        match maximum(&mut simplex, row, budget)? {
            None => return Ok(None),
            Some(width) => widths.push(width),
        }
    }
    // Weights are inverse to widths: ceil(PRECISION * widest / width).
    let widest = widths.iter().max_by(|(a, b), (c, d)| (a * d).cmp(&(c * b))).cloned();
    let (widest, over) = widest.expect("a polytope of some dimension has inequalities");
    let weighted = system.ineqs.iter().zip(&widths).map(|(row, (num, den))| {
        let weight = (Int::from(PRECISION) * &widest * den).div_ceil(&(&over * num));
        row[1..].iter().map(|a| a * &weight).collect()
    });
    let rows = Matrix::new(weighted.collect(), system.n);
    budget.spend((system.n * system.n * system.ineqs.len()) as u64)?;
    // The polytope is bounded, so that the columns are linearly independent.
    Ok(Some(reduce_basis(&rows.transposed())))
}

/// Where a polytope is.
struct Extent {
    /// The unknown that takes the fewest integer values.
    unknown: usize,
    /// Its smallest value.
    low: Int,
    /// Its largest value.
    high: Int,
    /// An integer point near the centre of the polytope, in which this unknown has a value in its range.
    centre: Row,
}

/// The extent of a bounded system of inequalities. None if some unknown has no integer value.
fn extent(system: &System, budget: &Budget) -> Outcome<Option<Extent>> {
    let (mut simplex, _) = Simplex::from_system(system, budget)?;
    let mut sum = (zeros(system.n), Int::ONE);
    let mut best: Option<(usize, Int, Int)> = None;
    for unknown in 0..system.n {
        let mut objective = unit(1 + system.n, 1 + unknown);
        let Some((num, den)) = maximum(&mut simplex, &objective, budget)? else {
            return Ok(None);
        };
        let high = num.div_floor(&den);
        add(&mut sum, simplex.sample());
        negate(&mut objective);
        let Some((num, den)) = maximum(&mut simplex, &objective, budget)? else {
            return Ok(None);
        };
        let low = (-num).div_ceil(&den);
        add(&mut sum, simplex.sample());
        if low > high {
            return Ok(None);
        }
        if best.as_ref().is_none_or(|(_, l, h)| &high - &low < h - l) {
            best = Some((unknown, low, high));
        }
    }
    // The average of the points where minima and maxima are, rounded to the nearest integers.
    let (numerators, den) = sum;
    let (den, two) = (den * Int::from(2 * system.n as i64), Int::from(2));
    let nearest = |x: &Int| (x * &two + &den).div_floor(&(&den * &two));
    let mut centre: Row = numerators.iter().map(nearest).collect();
    Ok(best.map(|(unknown, low, high)| {
        centre[unknown] = centre[unknown].clone().clamp(low.clone(), high.clone());
        Extent {
            unknown,
            low,
            high,
            centre,
        }
    }))
}

/// The maximum of an expression on a polytope; None if the polytope is empty.
fn maximum(simplex: &mut Simplex, objective: &[Int], budget: &Budget) -> Outcome<Option<(Int, Int)>> {
    let negated: Row = objective.iter().map(|a| -a).collect();
    Ok(match simplex.minimize(&negated, budget)? {
        Optimum::Empty => None,
        Optimum::Unbounded => unreachable!("an expression on a polytope"),
        Optimum::Finite { num, den } => Some((-num, den)),
    })
}

/// Adds a rational point to another one, both given by numerators and a common denominator.
fn add(sum: &mut (Row, Int), (numerators, den): (Row, Int)) {
    let common = sum.1.lcm(&den);
    let (own, other) = (common.div_exact(&sum.1), common.div_exact(&den));
    *sum = (combine(&own, &sum.0, &other, &numerators), common);
}

/// The points where `unknown` has the given value, on the other unknowns.
fn slice(system: &System, unknown: usize, value: &Int) -> System {
    let fix = |row: &Row| {
        let mut row = row.clone();
        let coefficient = row.remove(1 + unknown);
        row[0].add_mul(&coefficient, value);
        row
    };
    System {
        n: system.n - 1,
        eqs: Vec::new(),
        ineqs: system.ineqs.iter().map(fix).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{RADIUS, boxed, points, systems};
    use super::*;
    use crate::linalg::row_from;
    use crate::solver::lp;
    use proptest::prelude::*;

    #[test]
    fn the_example_of_the_module() {
        // The strip of `1 <= n - 32 c <= 2`, `n = 0 (mod 4)`, with `n = 4 m`.
        let big = 1 << 31;
        let rows: [&[i64]; 4] = [&[-1, 4, -32], &[3, -4, 32], &[0, 1, 0], &[big, -1, 0]];
        let mut strip = System::new(2);
        strip.ineqs = rows.map(row_from).to_vec();
        assert_eq!(sample_bounded(&strip, &Budget::new(200)), Ok(None));
        strip.ineqs[1][0] = Int::from(4);
        let point = sample_bounded(&strip, &Budget::new(200)).unwrap().expect("a point");
        assert!(strip.contains(&point));
        assert_eq!(sample_bounded(&System::new(0), &Budget::new(200)), Ok(Some(Row::new())));
    }

    /// The system in the unknowns `x, y + s x, z + t y`.
    fn sheared(system: &System, s: &Int, t: &Int) -> System {
        let shear = |row: &Row| {
            let mut row = row.clone();
            for (from, to, factor) in [(3, 2, t), (2, 1, s)] {
                let change = &row[from] * factor;
                row[to] -= change;
            }
            row
        };
        System {
            n: system.n,
            eqs: system.eqs.iter().map(shear).collect(),
            ineqs: system.ineqs.iter().map(shear).collect(),
        }
    }

    proptest! {
        #[test]
        fn shearing_costs_nothing(s in systems(3), a in -40i32..41, b in -40i32..41) {
            let s = boxed(s, -RADIUS, RADIUS);
            let power = |k: i32| Int::from(i64::from(k.signum()) << k.abs());
            let sheared = sheared(&s, &power(a), &power(b));
            let empty = points(&s, -RADIUS, RADIUS).is_empty();
            match sample(&sheared, &Budget::new(5000)).expect("little work") {
                Some(p) => prop_assert!(sheared.contains(&p)),
                None => prop_assert!(empty),
            }
        }

        #[test]
        fn samples_agree_with_enumeration(s in systems(3)) {
            let budget = Budget::unlimited();
            let mut s = boxed(s, -RADIUS, RADIUS);
            s.eqs.clear();
            if !lp::implicit_equalities(&s, &budget).unwrap().is_empty() {
                return Ok(());
            }
            match sample_bounded(&s, &budget).unwrap() {
                Some(p) => prop_assert!(s.contains(&p)),
                None => prop_assert!(points(&s, -RADIUS, RADIUS).is_empty()),
            }
        }
    }
}
