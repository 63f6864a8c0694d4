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
//! Once a solution has been found, the others are only of interest if they are clearly better in the first few, significant,
//! objectives: where the best solution so far has its first significant objective that is not zero, they may have at most half
//! of it. P0 asks for zero, which is the same for an objective of one. The sizes of loops are larger where they are constants:
//! among distances of at most 898 and of at most 1, the latter is found this way, within ten steps.
//!
//! A [`Wish`] is optional (P3, 3.3 and algorithm 3): a list of alternatives, each of equalities and possibly a region. It
//! matters only when the solution at hand satisfies none of the alternatives. Then they are tried one after the other,
//! and, if none of them leads to a solution, the search goes on without the wish. Wishes come before regions. What the
//! best solution so far has been granted must not be given up for a better one.

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

/// A way to fulfil a wish: all of the equalities `fixed` hold and, if there are forms in `region`, one of them is not zero.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// Equalities `[constant | coefficients]`.
    pub fixed: Vec<Row>,
    /// See [`Region`]; an empty one asks for nothing.
    pub region: Region,
}

impl Alternative {
    fn holds(&self, solution: &Row) -> bool {
        let value = |row: &Row| &row[0] + dot(&row[1..], solution);
        self.fixed.iter().all(|row| value(row).is_zero())
            && (self.region.0.is_empty() || !self.region.is_trivial(solution))
    }
}

impl Region {
    fn is_trivial(&self, solution: &Row) -> bool {
        self.0.iter().all(|form| dot(&form[1..], solution).is_zero())
    }
}

/// Something that a solution should have, if possible.
#[derive(Clone, Debug)]
pub struct Wish {
    /// The ways to fulfil it, the best first.
    pub alternatives: Vec<Alternative>,
    /// It only counts where the wish before it has been given up.
    pub otherwise: bool,
}

struct Search<'a> {
    problem: &'a mut LexMin,
    wishes: &'a [Wish],
    /// Per wish, how many of its alternatives have been given up on the way here.
    given_up: Vec<usize>,
    /// Per wish, whether the best solution so far fulfils it.
    granted: Vec<bool>,
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
    constrained_lexmin(problem, &[], regions, significant, budget)
}

/// The same, with the `wishes` fulfilled that can be, as the module says; earlier ones come first.
pub fn constrained_lexmin(
    problem: &mut LexMin,
    wishes: &[Wish],
    regions: &[Region],
    significant: usize,
    budget: &Budget,
) -> Outcome<Option<Row>> {
    let mut search = Search {
        problem,
        wishes,
        given_up: vec![0; wishes.len()],
        granted: vec![false; wishes.len()],
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
        if let Some(wish) = (0..self.wishes.len()).find(|&wish| self.is_open(wish, &solution)) {
            return self.explore_wish(wish, budget);
        }
        if let Some(region) = self.regions.iter().find(|region| region.is_trivial(&solution)) {
            return self.explore_cases(&[], &region.0, budget);
        }
        let holds = |wish: &Wish| wish.alternatives.iter().any(|a| a.holds(&solution));
        self.granted = self.wishes.iter().map(holds).collect();
        let optimal = solution[..self.significant].iter().all(Int::is_zero);
        self.best = Some(solution);
        Ok(optimal)
    }

    /// Whether a wish still counts and is not fulfilled.
    fn is_open(&self, wish: usize, solution: &Row) -> bool {
        let given_up = |wish: usize| self.given_up[wish] == self.wishes[wish].alternatives.len();
        let counts = !self.wishes[wish].otherwise || wish == 0 || given_up(wish - 1);
        counts && !given_up(wish) && !self.wishes[wish].alternatives.iter().any(|a| a.holds(solution))
    }

    /// Tries the alternatives of a wish that have not been given up, and then to do without it.
    fn explore_wish(&mut self, wish: usize, budget: &Budget) -> Outcome<bool> {
        let (wishes, first) = (self.wishes, self.given_up[wish]);
        let mut over = false;
        for alternative in &wishes[wish].alternatives[first..] {
            over = if alternative.region.0.is_empty() {
                self.explore_case(&alternative.fixed, None, budget)?
            } else {
                self.explore_cases(&alternative.fixed, &alternative.region.0, budget)?
            };
            if over {
                break;
            }
            self.given_up[wish] += 1;
        }
        if !over && !self.granted[wish] {
            over = self.explore_case(&[], None, budget)?;
        }
        self.given_up[wish] = first;
        Ok(over)
    }

    /// Tries the cases in which the first of `forms` that is not zero is positive, or negative, under `fixed` equalities.
    fn explore_cases(&mut self, fixed: &[Row], forms: &[Row], budget: &Budget) -> Outcome<bool> {
        for (index, form) in forms.iter().enumerate() {
            for sign in [1, -1] {
                let mut row = form.clone();
                if sign < 0 {
                    negate(&mut row);
                }
                row[0] = -Int::ONE;
                let zeros: Vec<Row> = fixed.iter().chain(&forms[..index]).cloned().collect();
                if self.explore_case(&zeros, Some(&row), budget)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Looks for solutions under some more constraints.
    fn explore_case(&mut self, zeros: &[Row], positive: Option<&Row>, budget: &Budget) -> Outcome<bool> {
        self.problem.push();
        zeros.iter().for_each(|zero| self.problem.add_eq(zero));
        if let Some(row) = positive {
            self.problem.add_ineq(row);
        }
        self.ask_for_better();
        let over = self.explore(budget);
        self.problem.pop();
        over
    }

    /// Adds the constraints that a solution is clearly better than the best so far.
    fn ask_for_better(&mut self) {
        let Some(best) = &self.best else { return };
        let first = best
            .iter()
            .position(|v| !v.is_zero())
            .expect("a search is over at an optimum");
        let half = best[first].div_floor(&Int::from(2));
        let n = self.problem.n();
        (0..first).for_each(|objective| self.problem.add_eq(&unit(n + 1, 1 + objective)));
        let mut row = unit(n + 1, 1 + first);
        if half.is_zero() {
            return self.problem.add_eq(&row);
        }
        negate(&mut row);
        row[0] = half;
        self.problem.add_ineq(&row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::row_from;

    #[test]
    fn wishes_are_fulfilled_where_possible() {
        // x + y = 3, and wishes for x = 3, or else y >= 1; then for x = 2.
        let wish = |alternatives: Vec<Alternative>| Wish {
            alternatives,
            otherwise: false,
        };
        let fixed = |row: &[i64]| Alternative {
            fixed: vec![row_from(row)],
            region: Region(Vec::new()),
        };
        let nonzero = |row: &[i64]| Alternative {
            fixed: Vec::new(),
            region: Region(vec![row_from(row)]),
        };
        let budget = Budget::unlimited();
        let solve = |extra: &[i64], wishes: &[Wish]| {
            let mut problem = LexMin::new(2);
            problem.add_eq(&row_from(&[-3, 1, 1]));
            problem.add_ineq(&row_from(extra));
            constrained_lexmin(&mut problem, wishes, &[], 0, &budget).unwrap()
        };
        let first = wish(vec![fixed(&[-3, 1, 0]), nonzero(&[0, 0, 1])]);
        let second = wish(vec![fixed(&[-2, 1, 0])]);
        // The first wish holds of the minimum already, by its second alternative.
        assert_eq!(solve(&[0, 0, 0], std::slice::from_ref(&first)), Some(row_from(&[0, 3])));
        assert_eq!(
            solve(&[0, 0, 0], &[first.clone(), second.clone()]),
            Some(row_from(&[2, 1]))
        );
        // x >= 3 makes the second one impossible.
        assert_eq!(solve(&[-3, 1, 0], &[first, second.clone()]), Some(row_from(&[3, 0])));
        // A wish that is to be taken instead of another that is given up.
        let otherwise = Wish {
            otherwise: true,
            ..wish(vec![fixed(&[-1, 1, 0])])
        };
        assert_eq!(
            solve(&[1, -1, 0], &[second.clone(), otherwise.clone()]),
            Some(row_from(&[1, 2]))
        );
        assert_eq!(solve(&[0, 0, 0], &[second, otherwise]), Some(row_from(&[2, 1])));
    }

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
