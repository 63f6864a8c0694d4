//! Powers of relations with a fixed exponent.

use super::{Conj, UnionMap};
use crate::budget::{Budget, Outcome};
use crate::int::Int;

impl UnionMap {
    /// The relation composed with itself: `R . R . .. . R`, `exponent` times. By squaring, so that the exponent may be large.
    ///
    /// ```
    /// use farkas_polyhedral::budget::Budget;
    /// use farkas_polyhedral::int::Int;
    /// use farkas_polyhedral::sets::UnionMap;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let step: UnionMap = "{ [i] -> [i + 2] }".parse()?;
    /// let power = step.fixed_power(&Int::from(1000), &Budget::new(10_000))?;
    /// assert_eq!(power.to_string(), "{ [i] -> [(2000 + i)] }");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    ///
    /// # Panics
    ///
    /// If the exponent is not positive.
    pub fn fixed_power(&self, exponent: &Int, b: &Budget) -> Outcome<UnionMap> {
        assert!(exponent.is_pos(), "a positive exponent");
        // The binary digits behind the first one, the last one first.
        let two = Int::from(2);
        let mut digits = Vec::new();
        let mut rest = exponent.clone();
        while !rest.is_one() {
            b.spend(1 + rest.words_on_heap())?;
            digits.push(!rest.divisible_by(&two));
            rest = rest.div_floor(&two);
        }
        let mut power = self.clone();
        for digit in digits.into_iter().rev() {
            power = power.composed(&power, b)?;
            if digit {
                power = power.composed(self, b)?;
            }
        }
        Ok(power)
    }

    /// `R . T` in few conjunctions. Pays for what these may have in all: with each squaring there may be twice as many rows and
    /// locals, numbers that are twice as long, and the square of the number of conjunctions.
    fn composed(&self, next: &UnionMap, b: &Budget) -> Outcome<UnionMap> {
        // There are many copies of the rows until locals are eliminated, the more of them the longer they are.
        const SHORT: u64 = 300;
        for first in self.maps() {
            for second in next.maps().filter(|map| map.domain_tuple() == first.range_tuple()) {
                let (n_first, n_second) = (first.pieces().len() as u64, second.pieces().len() as u64);
                let (first, second) = (size(first.pieces()), size(second.pieces()));
                let entries = first
                    .saturating_mul(n_second)
                    .saturating_add(second.saturating_mul(n_first));
                b.spend(1 + entries.saturating_mul(entries) / SHORT)?;
            }
        }
        self.apply_range(next, b)?.coalesce(b)
    }
}

/// The number of entries of all rows, long ones counted as often as they have words.
fn size(pieces: &[Conj]) -> u64 {
    let rows = pieces.iter().flat_map(|piece| {
        let numerators = piece.divs().iter().map(|div| &div.num);
        piece.eqs().iter().chain(piece.ineqs()).chain(numerators)
    });
    rows.flatten().map(|entry| 1 + entry.words_on_heap()).sum()
}
