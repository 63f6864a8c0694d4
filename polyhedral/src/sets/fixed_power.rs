//! Powers of relations with a fixed exponent.

use super::UnionMap;
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

    /// `R . T` in few conjunctions.
    fn composed(&self, next: &UnionMap, b: &Budget) -> Outcome<UnionMap> {
        let composed = self.apply_range(next, b)?.coalesce(b)?;
        // With each squaring there may be twice as many locals, and numbers that are twice as long.
        for piece in composed.maps().flat_map(|map| map.pieces()) {
            let numerators = piece.divs().iter().map(|div| &div.num);
            for row in piece.eqs().iter().chain(piece.ineqs()).chain(numerators) {
                let size = |entry: &Int| 1 + entry.words_on_heap();
                b.spend(row.iter().map(|entry| size(entry) * size(entry)).sum())?;
            }
        }
        Ok(composed)
    }
}
