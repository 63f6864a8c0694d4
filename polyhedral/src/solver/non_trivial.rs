//! Lexicographic minima among the solutions that are non-trivial (P0, 6.5.7).
//!
//! The lexicographic minimum of a scheduling problem is mostly all zero. What is wanted is the minimum among the solutions
//! that are *non-trivial* on some *regions*: at least one of the linear forms of each region must not be zero there. That
//! is not convex, so that cases are tried one after the other: for the first trivial region with the forms
//! `r_0, r_1, ..`,
//!
//! ```text
//! r_0 >= 1;  r_0 <= -1;  r_0 = 0, r_1 >= 1;  r_0 = 0, r_1 <= -1;  r_0 = r_1 = 0, r_2 >= 1;  ..
//! ```
//!
//! Once a solution has been found, the others are only of interest if they are better in the first few, significant,
//! objectives: where the best solution so far has its first significant objective that is not zero, they have to have zero.

use super::lexmin::LexMin;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, dot, negate, unit};

/// The number of cases after which a search gives up, with the best solution so far. Infeasible problems with many
/// regions that do not depend on each other would otherwise take a time exponential in their number.
const MAX_CASES: usize = 1000;

/// Linear forms `[0 | coefficients]` over the unknowns, one of which must not be zero.
#[derive(Clone, Debug)]
pub struct Region(pub Vec<Row>);

struct Search<'a> {
    problem: &'a mut LexMin,
    regions: &'a [Region],
    significant: usize,
    best: Option<Row>,
    cases_left: usize,
}

/// A lexicographically small solution of `problem` that is non-trivial on all `regions` and minimal, up to what the
/// module says, in the first `significant` unknowns. None if there is none, or if it was not found in a fair number of
/// cases. The problem is as before afterwards.
pub fn non_trivial_lexmin(
    problem: &mut LexMin,
    regions: &[Region],
    significant: usize,
    budget: &Budget,
) -> Outcome<Option<Row>> {
    let mut search = Search {
        problem,
        regions,
        significant,
        best: None,
        cases_left: MAX_CASES,
    };
    search.explore(budget)?;
    Ok(search.best)
}

impl Search<'_> {
    /// Looks for solutions under the present constraints. True if the search is over.
    fn explore(&mut self, budget: &Budget) -> Outcome<bool> {
        if self.cases_left == 0 {
            return Ok(true);
        }
        self.cases_left -= 1;
        let Some(solution) = self.problem.solve(budget)? else {
            return Ok(false);
        };
        let is_trivial = |region: &&Region| region.0.iter().all(|form| dot(&form[1..], &solution).is_zero());
        let Some(region) = self.regions.iter().find(is_trivial) else {
            let optimal = solution[..self.significant].iter().all(Int::is_zero);
            self.best = Some(solution);
            return Ok(optimal);
        };
        for (index, form) in region.0.iter().enumerate() {
            for sign in [1, -1] {
                let mut row = form.clone();
                if sign < 0 {
                    negate(&mut row);
                }
                row[0] = -Int::ONE;
                self.problem.push();
                region.0[..index].iter().for_each(|zero| self.problem.add_eq(zero));
                self.problem.add_ineq(&row);
                self.ask_for_better();
                let over = self.explore(budget);
                self.problem.pop();
                if over? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Adds the constraints that a solution is better than the best so far.
    fn ask_for_better(&mut self) {
        let Some(best) = &self.best else { return };
        let first = best
            .iter()
            .position(|v| !v.is_zero())
            .expect("a search is over at an optimum");
        for objective in 0..=first {
            let row = unit(self.problem.n() + 1, 1 + objective);
            self.problem.add_eq(&row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::row_from;

    #[test]
    fn the_better_direction_is_found() {
        // P0, example 12, with the unknowns [m, c0-, c0+, c1-, c1+] and m >= c0+ - c0-.
        let mut problem = LexMin::new(5);
        problem.add_ineq(&row_from(&[0, 1, 1, -1, 0, 0]));
        let region = Region(vec![row_from(&[0, 0, -1, 1, 0, 0]), row_from(&[0, 0, 0, 0, -1, 1])]);
        let budget = Budget::unlimited();
        let best = non_trivial_lexmin(&mut problem, &[region], 1, &budget).unwrap();
        // c0 = -1 is not worse than c1 = 1 in m, and comes first; a validity constraint would exclude it.
        assert_eq!(best, Some(row_from(&[0, 1, 0, 0, 0])));
        problem.add_ineq(&row_from(&[0, 0, -1, 1, 0, 0]));
        let region = Region(vec![row_from(&[0, 0, -1, 1, 0, 0]), row_from(&[0, 0, 0, 0, -1, 1])]);
        let best = non_trivial_lexmin(&mut problem, &[region], 1, &budget).unwrap();
        assert_eq!(best, Some(row_from(&[0, 0, 0, 0, 1])));
        assert_eq!(problem.solve(&budget), Ok(Some(row_from(&[0, 0, 0, 0, 0]))));
    }
}
