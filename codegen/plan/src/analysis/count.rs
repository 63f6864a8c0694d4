//! The number of integer points of polyhedra, and the mean length of each dimension.
//!
//! The points are counted by sums over one dimension after the other, the last one first. From a lower to an upper bound in which it has
//! coefficient 1, a polynomial has a sum that is a polynomial in the other dimensions, by Faulhaber's formulas. In
//! `{ [i, j] : 0 <= j <= i < 100 }` the sum of 1 over `j` is `i + 1`, and the sum of that over `i` is 5050. Where there are several lower
//! or upper bounds, the polyhedron is cut into *slices*, in each of which one of them is the tightest.
//!
//! The *mean length* of a dimension is the number of its values, on average over all values of the dimensions before it: 100 for `i`, and
//! 50.5 for `j`. The product of all of them is the number of points.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::{Rat, Row, combine, content};
use farkas_polyhedral::sets::Polynomial;
use indexmap::IndexMap;
use petgraph::unionfind::UnionFind;

use super::estimate::float;

/// The integer points that satisfy all constraints: rows `[constant, coefficients of dimensions]`.
#[derive(Clone, Debug)]
pub(crate) struct Polyhedron {
    n_dims: usize,
    /// Rows that are zero.
    eqs: Vec<Row>,
    /// Rows that are at least zero.
    ineqs: Vec<Row>,
    /// Whether no point satisfies them, as far as that is plain.
    empty: bool,
}

/// The part of a polyhedron in which the last dimension goes from one lower to one upper bound.
struct Slice {
    lower: Row,
    upper: Row,
    /// The values of the other dimensions for which there are values between them.
    outer: Polyhedron,
}

/// The constraints on the last dimension: rows over the others.
struct Bounds {
    lower: Vec<Row>,
    upper: Vec<Row>,
    /// The constraints that do not involve it.
    outer: Polyhedron,
}

/// The mean length of each dimension; `None` where there are no points, infinitely many, or bounds of which none has coefficient 1.
/// Dimensions that no constraints relate are counted apart: the points are a product.
pub(crate) fn mean_lengths(points: &Polyhedron, b: &Budget) -> Outcome<Option<Vec<f64>>> {
    let mut lengths = vec![1.0; points.n_dims];
    for dims in points.related_dims() {
        let Some(own) = mean_lengths_of_related(&points.of_dims(&dims), b)? else {
            return Ok(None);
        };
        for (dim, length) in dims.into_iter().zip(own) {
            lengths[dim] = length;
        }
    }
    Ok((!points.empty).then_some(lengths))
}

/// The mean length of each dimension, all of which are counted together.
fn mean_lengths_of_related(points: &Polyhedron, b: &Budget) -> Outcome<Option<Vec<f64>>> {
    let mut counts = Vec::new();
    let mut outer = points.clone();
    while outer.n_dims > 0 {
        let Some(count) = outer.count(b)? else { return Ok(None) };
        counts.push(float(&count));
        let Some(projected) = outer.without_last(b)? else {
            return Ok(None);
        };
        outer = projected;
    }
    counts.push(1.0);
    if counts.contains(&0.0) {
        return Ok(None);
    }
    Ok(Some(counts.windows(2).rev().map(|pair| pair[0] / pair[1]).collect()))
}

impl Polyhedron {
    pub(crate) fn new(n_dims: usize, eqs: impl IntoIterator<Item = Row>, ineqs: impl IntoIterator<Item = Row>) -> Self {
        let mut polyhedron = Polyhedron {
            n_dims,
            eqs: Vec::new(),
            ineqs: Vec::new(),
            empty: false,
        };
        eqs.into_iter().for_each(|row| polyhedron.add_eq(row));
        ineqs.into_iter().for_each(|row| polyhedron.add_ineq(row));
        polyhedron
    }

    fn add_eq(&mut self, mut row: Row) {
        let divisor = content(&row[1..]);
        if divisor.is_zero() || &row[0].div_floor(&divisor) * &divisor != row[0] {
            self.empty |= !(divisor.is_zero() && row[0].is_zero());
            return;
        }
        row.iter_mut().for_each(|entry| *entry = entry.div_floor(&divisor));
        self.eqs.push(row);
    }

    /// Adds a constraint, with the constant as small as integer points allow.
    fn add_ineq(&mut self, mut row: Row) {
        let divisor = content(&row[1..]);
        if divisor.is_zero() {
            self.empty |= row[0].is_neg();
            return;
        }
        row.iter_mut().for_each(|entry| *entry = entry.div_floor(&divisor));
        let parallel = self.ineqs.iter_mut().find(|other| other[1..] == row[1..]);
        match parallel {
            Some(other) => other[0] = (&other[0]).min(&row[0]).clone(),
            None => self.ineqs.push(row),
        }
    }

    /// The dimensions in groups, such that each constraint is on dimensions of one group.
    fn related_dims(&self) -> Vec<Vec<usize>> {
        let mut related = UnionFind::new(self.n_dims);
        for row in self.eqs.iter().chain(&self.ineqs) {
            let mut dims = (0..self.n_dims).filter(|dim| !row[1 + dim].is_zero());
            if let Some(first) = dims.next() {
                dims.for_each(|dim| {
                    related.union(first, dim);
                });
            }
        }
        let mut groups: IndexMap<usize, Vec<usize>> = IndexMap::new();
        for dim in 0..self.n_dims {
            groups.entry(related.find(dim)).or_default().push(dim);
        }
        groups.into_values().collect()
    }

    /// The constraints on these dimensions only, as on the only ones.
    fn of_dims(&self, dims: &[usize]) -> Polyhedron {
        let is_own = |row: &&Row| dims.iter().any(|dim| !row[1 + dim].is_zero());
        let own = |row: &Row| -> Row {
            let coefficients = dims.iter().map(|dim| row[1 + dim].clone());
            [row[0].clone()].into_iter().chain(coefficients).collect()
        };
        Polyhedron {
            n_dims: dims.len(),
            eqs: self.eqs.iter().filter(is_own).map(own).collect(),
            ineqs: self.ineqs.iter().filter(is_own).map(own).collect(),
            empty: self.empty,
        }
    }

    /// The number of points; `None` where it is infinite, or a sum without a formula.
    pub(crate) fn count(&self, b: &Budget) -> Outcome<Option<Int>> {
        let sum = self.sum(&Polynomial::constant(Rat::from(Int::ONE)), b)?;
        Ok(sum.map(|sum| sum.as_int().expect("a number of points").clone()))
    }

    /// The sum of a polynomial over all points.
    fn sum(&self, polynomial: &Polynomial, b: &Budget) -> Outcome<Option<Rat>> {
        b.spend(1)?;
        if self.empty {
            return Ok(Some(Rat::from(Int::ZERO)));
        }
        if self.n_dims == 0 {
            return Ok(polynomial.as_constant());
        }
        let Some(slices) = self.slices() else { return Ok(None) };
        let mut total = Rat::from(Int::ZERO);
        for slice in slices {
            let [lower, upper] = [&slice.lower, &slice.upper].map(|bound| Polynomial::affine(bound, &Int::ONE));
            let below = polynomial.sum(self.n_dims - 1, &lower, &upper, b)?;
            let Some(part) = slice.outer.sum(&below, b)? else {
                return Ok(None);
            };
            total = &total + &part;
        }
        Ok(Some(total))
    }

    /// Disjoint slices that have all points.
    fn slices(&self) -> Option<Vec<Slice>> {
        let Bounds { lower, upper, outer } = self.bounds()?;
        let mut slices = Vec::new();
        for (l, low) in lower.iter().enumerate() {
            for (u, high) in upper.iter().enumerate() {
                let mut outer = outer.clone();
                outer.add_ineq(difference(high, low, 0));
                // Of bounds that are equal, the first one counts.
                for (other, row) in lower.iter().enumerate().filter(|(other, _)| *other != l) {
                    outer.add_ineq(difference(low, row, i64::from(other < l)));
                }
                for (other, row) in upper.iter().enumerate().filter(|(other, _)| *other != u) {
                    outer.add_ineq(difference(row, high, i64::from(other < u)));
                }
                slices.push(Slice {
                    lower: low.clone(),
                    upper: high.clone(),
                    outer,
                });
            }
        }
        Some(slices)
    }

    /// The projection onto all dimensions but the last.
    fn without_last(&self, b: &Budget) -> Outcome<Option<Polyhedron>> {
        let Some(Bounds {
            lower,
            upper,
            mut outer,
        }) = self.bounds()
        else {
            return Ok(None);
        };
        for low in &lower {
            for high in &upper {
                b.spend(1)?;
                outer.add_ineq(difference(high, low, 0));
            }
        }
        Ok(Some(outer))
    }

    /// The bounds of the last dimension, if it has coefficient 1 in all of them and is bounded.
    fn bounds(&self) -> Option<Bounds> {
        let last = self.n_dims;
        if let Some(position) = self.eqs.iter().position(|row| !row[last].is_zero()) {
            return self.solved(position);
        }
        let mut bounds = Bounds {
            lower: Vec::new(),
            upper: Vec::new(),
            outer: Polyhedron {
                n_dims: last - 1,
                eqs: self.eqs.iter().map(|row| without_entry(row, last)).collect(),
                ineqs: Vec::new(),
                empty: self.empty,
            },
        };
        for row in &self.ineqs {
            let rest = without_entry(row, last);
            match row[last].to_i64()? {
                0 => bounds.outer.add_ineq(rest),
                1 => bounds.lower.push(rest.iter().map(|entry| -entry).collect()),
                -1 => bounds.upper.push(rest),
                _ => return None,
            }
        }
        (!bounds.lower.is_empty() && !bounds.upper.is_empty()).then_some(bounds)
    }

    /// The last dimension by an equality, in which it has to have coefficient 1.
    fn solved(&self, position: usize) -> Option<Bounds> {
        let last = self.n_dims;
        let equality = &self.eqs[position];
        if !equality[last].abs().is_one() {
            return None;
        }
        // With coefficient c of the dimension in a row, row - c * (coefficient in the equality) * equality does not involve it.
        let eliminated = |row: &Row| {
            let factor = -(&row[last] * &equality[last]);
            without_entry(&combine(&Int::ONE, row, &factor, equality), last)
        };
        let others = self.eqs.iter().enumerate().filter(|(other, _)| *other != position);
        let mut outer = Polyhedron::new(
            last - 1,
            others.map(|(_, row)| eliminated(row)),
            self.ineqs.iter().map(eliminated),
        );
        outer.empty |= self.empty;
        let value: Row = without_entry(equality, last)
            .iter()
            .map(|entry| -(entry * &equality[last]))
            .collect();
        Some(Bounds {
            lower: vec![value.clone()],
            upper: vec![value],
            outer,
        })
    }
}

/// The row `a - b - less`.
fn difference(a: &Row, b: &Row, less: i64) -> Row {
    let mut row = combine(&Int::ONE, a, &Int::from(-1), b);
    row[0] = &row[0] - &Int::from(less);
    row
}

fn without_entry(row: &Row, entry: usize) -> Row {
    let mut rest = row.clone();
    rest.remove(entry);
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use farkas_polyhedral::sets::Set;
    use proptest::prelude::*;

    fn polyhedron(set: &Set) -> Polyhedron {
        let [piece] = set.pieces() else { panic!("one piece") };
        assert_eq!(piece.n_locals(), 0);
        Polyhedron::new(
            piece.n_vars(),
            piece.eqs().iter().cloned(),
            piece.ineqs().iter().cloned(),
        )
    }

    fn check(set: &str, expected: Expect) {
        let set: Set = set.parse().expect("a set");
        let b = Budget::unlimited();
        let lengths = mean_lengths(&polyhedron(&set), &b).expect("no end of budget");
        let text = match lengths {
            Some(lengths) => {
                let count = polyhedron(&set).count(&b).expect("no end of budget").expect("counted");
                format!("{count} points, lengths {lengths:?}")
            }
            None => "no formula".to_owned(),
        };
        expected.assert_eq(&text);
    }

    #[test]
    fn a_window_at_borders() {
        check(
            "{ [y, x, a, b] : 0 <= y < 100 and 0 <= x < 50 and 0 <= a <= 2 and 0 <= b <= 2 and 0 < y + a <= 100 and 0 < x + b <= 50 }",
            expect!["44104 points, lengths [100.0, 50.0, 2.98, 2.96]"],
        );
    }

    #[test]
    fn boxes_and_simplices() {
        check(
            "{ [i, j] : 0 <= i < 1000 and 5 <= j <= 24 }",
            expect!["20000 points, lengths [1000.0, 20.0]"],
        );
        check(
            "{ [i, j] : 0 <= j <= i < 100 }",
            expect!["5050 points, lengths [100.0, 50.5]"],
        );
        check(
            "{ [i, j, k] : 0 <= i < j < k < 1000 }",
            expect!["166167000 points, lengths [998.0, 499.5, 333.3333333333333]"],
        );
        check(
            "{ [i, j] : 0 <= i < 100 and 0 <= j <= i and j < 10 }",
            expect!["955 points, lengths [100.0, 9.55]"],
        );
        check(
            "{ [i, j] : 0 <= i < 100 and j = 99 - i }",
            expect!["100 points, lengths [100.0, 1.0]"],
        );
        check(
            "{ [i, j] : 0 <= i < 100 and 0 <= 2j <= 9 }",
            expect!["500 points, lengths [100.0, 5.0]"],
        );
        check("{ [i, j] : 0 <= i < 100 and 0 <= 2j <= i }", expect!["no formula"]);
        check("{ [i] : 0 <= i }", expect!["no formula"]);
    }

    /// A constraint `[constant, i, j, k]`, with small coefficients.
    fn constraint() -> impl Strategy<Value = Row> {
        (-6..=6i64, prop::array::uniform3(-1..=1i64))
            .prop_map(|(constant, [i, j, k])| [constant, i, j, k].map(Int::from).into_iter().collect())
    }

    proptest! {
        /// Sums by formulas are what enumeration finds.
        #[test]
        fn counts_are_those_of_enumeration(
            ineqs in prop::collection::vec(constraint(), 0..4),
            eqs in prop::collection::vec(constraint(), 0..2),
            lower in prop::array::uniform3(-3..=0i64),
            upper in prop::array::uniform3(-1..=5i64),
        ) {
            let bounds = (0..3).flat_map(|dim| {
                let row = |constant: i64, sign: i64| {
                    let mut row: Row = (0..4).map(|_| Int::ZERO).collect();
                    row[0] = Int::from(constant);
                    row[1 + dim] = Int::from(sign);
                    row
                };
                [row(-lower[dim], 1), row(upper[dim], -1)]
            });
            let ineqs: Vec<Row> = bounds.chain(ineqs).collect();
            let points = Polyhedron::new(3, eqs.clone(), ineqs.clone());
            let b = Budget::unlimited();
            let counted = points.count(&b).expect("no end of budget");
            let projected = points.without_last(&b).expect("no end of budget");
            let holds = |point: &[i64; 3]| {
                let value = |row: &Row| (0..3).fold(row[0].to_i64().unwrap(), |sum, dim| sum + row[1 + dim].to_i64().unwrap() * point[dim]);
                ineqs.iter().all(|row| value(row) >= 0) && eqs.iter().all(|row| value(row) == 0)
            };
            let range = -3..=5i64;
            let mut expected = 0;
            let mut outer = std::collections::BTreeSet::new();
            for i in range.clone() {
                for j in range.clone() {
                    for k in range.clone() {
                        if holds(&[i, j, k]) {
                            expected += 1;
                            outer.insert([i, j]);
                        }
                    }
                }
            }
            // Coefficients may become larger than 1, where dimensions are solved for.
            prop_assume!(counted.is_some());
            prop_assert_eq!(counted, Some(Int::from(expected)));
            let outer_count = match projected {
                Some(projected) => projected.count(&b).expect("no end of budget"),
                None => None,
            };
            if let Some(outer_count) = outer_count {
                prop_assert_eq!(outer_count, Int::from(outer.len() as i64));
            }
        }
    }
}
