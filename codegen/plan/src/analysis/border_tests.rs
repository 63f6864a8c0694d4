//! Border tests: conditions that the neighbour of a position is inside of an image.
//!
//! ```c
//! for (int a = 0; a < m; a++)
//!   if (y + a >= 0 && y + a < h)          // y is a parameter: the loop over positions is outside, or y = stride * i
//!     out += k[a] * in[y + a];
//! ```
//!
//! A *test* is a pair of bounds of a counter that move with a parameter, the *position*, where the counter has other bounds as well. Neither
//! the position nor the size of the image is the trip count of a loop: away from borders, `m` alone is. A plan does not ask for a large one.

use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::program::Program;
use farkas_polyhedral::sets::{Conj, Name, Set};

/// The tests of a program, those of each statement.
pub(crate) struct BorderTests<'p>(Vec<(&'p Set, Vec<Test>)>);

/// A test of a statement.
struct Test {
    /// The counter.
    dim: usize,
    lower: Row,
    upper: Row,
    /// A lower bound of the counter beside the test.
    other_lower: Row,
    /// The parameters that move both bounds.
    positions: Vec<usize>,
}

impl<'p> BorderTests<'p> {
    pub(crate) fn of(program: &'p Program) -> Self {
        let domains = program.statements.iter().map(|statement| &statement.domain);
        let own = |domain: &'p Set| {
            let pieces = domain.pieces().iter();
            (domain, pieces.flat_map(|piece| tests(domain, piece)).collect())
        };
        BorderTests(domains.map(own).collect())
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|(_, tests)| tests.is_empty())
    }

    /// Whether a parameter bounds counters in tests, and nowhere else.
    pub(super) fn are_all_of(&self, name: &Name) -> bool {
        let mut found = false;
        for (domain, tests) in &self.0 {
            let Some(position) = domain.params().position_of(name) else {
                continue;
            };
            let bounds = |row: &&Row| {
                !row[1 + position].is_zero() && row[1 + domain.params().len()..].iter().any(|c| !c.is_zero())
            };
            let mut rows = domain
                .pieces()
                .iter()
                .flat_map(|piece| piece.eqs().iter().chain(piece.ineqs()));
            if rows.any(|row| bounds(&row) && !tests.iter().any(|test| test.has(row))) {
                return false;
            }
            found |= tests.iter().any(|test| [&test.lower, &test.upper].iter().any(bounds));
        }
        found
    }

    /// Whether a constraint of a statement with this domain is in a test.
    pub(super) fn have(&self, domain: &Set, row: &Row) -> bool {
        let mut own = self.0.iter().filter(|(other, _)| std::ptr::eq(*other, domain));
        own.any(|(_, tests)| tests.iter().any(|test| test.has(row)))
    }

    /// The counters of a statement with this domain that are tested.
    pub(super) fn counters(&self, domain: &Set) -> Vec<usize> {
        let own = self.0.iter().filter(|(other, _)| std::ptr::eq(*other, domain));
        let mut counters: Vec<usize> = own.flat_map(|(_, tests)| tests.iter().map(|test| test.dim)).collect();
        counters.sort_unstable();
        counters.dedup();
        counters
    }

    /// A value for some positions, beside these values of other parameters: the least one for which the test holds for the first iteration of the
    /// counter's loop.
    pub(super) fn positions(&self, value_of: impl Fn(&Name) -> Int) -> Vec<(Name, Int)> {
        let mut found: Vec<(Name, Int)> = Vec::new();
        for (domain, test) in self
            .0
            .iter()
            .flat_map(|(domain, tests)| tests.iter().map(move |test| (domain, test)))
        {
            let names = domain.params().names();
            let value = |name: &Name| {
                let known = found.iter().find(|(other, _)| other == name);
                known.map_or_else(|| value_of(name), |(_, value)| value.clone())
            };
            let sum = |row: &Row| {
                let terms = names.iter().zip(&row[1..]).filter(|(_, c)| !c.is_zero());
                terms.fold(row[0].clone(), |sum, (name, c)| sum + c * &value(name))
            };
            // `counter + a >= 0` and `counter + b >= 0` have one bound where `a = b`.
            let short = sum(&test.other_lower) - sum(&test.lower);
            // What is in one test only moves no other one.
            let n_tests = |param: usize| {
                let is_moved = |(other, test): &(&Set, &Test)| {
                    let own = other.params().position_of(&names[param]);
                    own.is_some_and(|own| test.positions.contains(&own))
                };
                let all = self
                    .0
                    .iter()
                    .flat_map(|(domain, tests)| tests.iter().map(move |test| (*domain, test)));
                all.filter(is_moved).count()
            };
            let is_free = |param: &&usize| found.iter().all(|(other, _)| *other != names[**param]);
            let free = test
                .positions
                .iter()
                .filter(is_free)
                .min_by_key(|param| n_tests(**param));
            if let Some(position) = free {
                let name = &names[*position];
                let moved = value(name) + &short * &test.lower[1 + position];
                found.push((name.clone(), moved));
            }
        }
        found
    }
}

impl Test {
    fn has(&self, row: &Row) -> bool {
        *row == self.lower || *row == self.upper
    }
}

/// The tests of a piece of a domain.
fn tests(domain: &Set, piece: &Conj) -> Vec<Test> {
    let n_params = domain.params().len();
    let first = 1 + n_params;
    let mut tests = Vec::new();
    for dim in 0..domain.tuple().n() {
        // Bounds of this counter alone.
        let bounds = |sign: &Int| -> Vec<&Row> {
            let is_bound = |row: &&Row| {
                let mut others = (first..row.len()).filter(|column| *column != first + dim);
                row[first + dim] == *sign && others.all(|column| row[column].is_zero())
            };
            piece.ineqs().iter().filter(is_bound).collect()
        };
        let (lower, upper) = (bounds(&Int::ONE), bounds(&-&Int::ONE));
        for (low, high) in lower.iter().flat_map(|low| upper.iter().map(move |high| (*low, *high))) {
            let moves_both = |param: &usize| low[1 + param].abs().is_one() && low[1 + param] == -&high[1 + param];
            let positions: Vec<usize> = (0..n_params).filter(moves_both).collect();
            let stays = |row: &&&Row| positions.iter().all(|param| row[1 + param].is_zero());
            let others = (lower.iter().find(stays), upper.iter().find(stays));
            if let (false, (Some(other_lower), Some(_))) = (positions.is_empty(), others) {
                tests.push(Test {
                    dim,
                    lower: low.clone(),
                    upper: high.clone(),
                    other_lower: (*other_lower).clone(),
                    positions,
                });
            }
        }
    }
    tests
}

#[cfg(test)]
mod tests {
    use super::BorderTests;
    use expect_test::{Expect, expect};
    use farkas_polyhedral::int::Int;
    use farkas_polyhedral::program::Program;

    /// The parameters that are in tests only, and positions where others are 1000.
    fn check(domain: &str, expected: Expect) {
        let program = format!(
            "program
  context: [h, m, p, q] -> {{ : }}
  assumptions: [h, m, p, q] -> {{ : }}
  statement S
    domain: [h, m, p, q] -> {{ S[a] : {domain} }}
    schedule: {{ S[a] -> [a] }}
"
        );
        let program: Program = program.parse().unwrap_or_else(|error| panic!("{error}"));
        let tests = BorderTests::of(&program);
        let names = program.context.params().names().iter();
        let tested: Vec<String> = names
            .filter(|name| tests.are_all_of(name))
            .map(ToString::to_string)
            .collect();
        let positions = tests.positions(|_| Int::from(1000)).into_iter();
        let positions: Vec<String> = positions.map(|(name, value)| format!("{name} = {value}")).collect();
        expected.assert_eq(&format!("{}; {}", tested.join(" "), positions.join(", ")));
    }

    #[test]
    fn a_neighbour_is_inside_of_an_image() {
        check("0 <= a < m and 0 <= p + a < h", expect!["h p; p = 0"]);
        check("0 <= a < m and 0 <= p + a - q < h", expect!["h p q; p = 1000"]);
    }

    #[test]
    fn what_is_no_test() {
        // A loop from a position on.
        check("p <= a < p + m", expect!["; "]);
        check("0 <= a < m and a < h", expect!["; "]);
        // A loop is as long as the image.
        check("0 <= a < m and 0 <= p + a < h and a < h + q", expect!["p; p = 0"]);
    }

    /// The cells of a diagonal.
    #[test]
    fn a_position_is_where_a_test_holds() {
        check("0 <= a < m and p - h < a <= p", expect!["h p; p = 999"]);
    }
}
