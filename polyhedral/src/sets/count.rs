//! The elements of bounded sets, one by one.
//!
//! Dimension by dimension, the least and the largest value that is possible with those before it is found by an integer
//! program, and every value between them tried.

use super::conj::Conj;
use super::{Set, pieces};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, zeros};
use crate::solver::integer::IntOptimum;

impl Conj {
    /// Calls `visit` for every integer point, in lexicographic order. False if a variable has infinitely many values.
    fn scan(&self, visit: &mut impl FnMut(&[Int]) -> Outcome<()>, b: &Budget) -> Outcome<bool> {
        let mut simple = self.clone();
        if !simple.simplify() {
            return Ok(true);
        }
        let mut prefix = Row::new();
        simple.scan_from(&mut prefix, visit, b)
    }

    fn scan_from(&self, prefix: &mut Row, visit: &mut impl FnMut(&[Int]) -> Outcome<()>, b: &Budget) -> Outcome<bool> {
        // A slice is a copy with rows that are simplified, twice.
        b.spend((self.n_cols() * (1 + self.eqs.len() + self.ineqs.len() + 2 * self.divs.len())) as u64)?;
        let var = prefix.len();
        if var == self.n_vars() {
            if !self.is_empty(b)? {
                visit(prefix)?;
            }
            return Ok(true);
        }
        let bound = |sign: i64| {
            let mut row = zeros(1 + self.n_vars());
            row[1 + var] = Int::from(sign);
            self.minimum(&row, b)
        };
        let (low, high) = match (bound(1)?, bound(-1)?) {
            (IntOptimum::Empty, _) | (_, IntOptimum::Empty) => return Ok(true),
            (IntOptimum::Finite(low), IntOptimum::Finite(high)) => (low, -high),
            _ => return Ok(false),
        };
        let mut value = low;
        while value <= high {
            let mut slice = self.clone();
            slice.fix(var, &value);
            prefix.push(value.clone());
            let bounded = slice.scan_from(prefix, visit, b)?;
            prefix.pop();
            if !bounded {
                return Ok(false);
            }
            value += Int::ONE;
        }
        Ok(true)
    }
}

impl Set {
    /// All elements as values of parameters followed by dimensions; None if there are infinitely many. The elements of
    /// each conjunction are in lexicographic order, and no element occurs twice.
    pub fn points(&self, b: &Budget) -> Outcome<Option<Vec<Row>>> {
        let mut points = Vec::new();
        for piece in pieces::make_disjoint(self.pieces(), b)? {
            let visit = &mut |point: &[Int]| {
                points.push(Row::from(point));
                Ok(())
            };
            if !piece.scan(visit, b)? {
                return Ok(None);
            }
        }
        Ok(Some(points))
    }

    /// The number of elements, over all parameter values, by enumeration; None if there are infinitely many.
    pub fn count(&self, b: &Budget) -> Outcome<Option<Int>> {
        let mut count = Int::ZERO;
        for piece in pieces::make_disjoint(self.pieces(), b)? {
            let visit = &mut |_: &[Int]| {
                count += Int::ONE;
                Ok(())
            };
            if !piece.scan(visit, b)? {
                return Ok(None);
            }
        }
        Ok(Some(count))
    }
}
