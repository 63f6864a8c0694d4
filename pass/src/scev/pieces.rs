//! Piecewise quasi-affine values, and the sets that comparisons of them describe.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::{Row, zeros};
use farkas_polyhedral::sets::{Aff, Conj, Set, SetSpace};

/// An integer that is quasi-affine in parameters and counters on each of several pieces of a space. The pieces are
/// disjoint and cover all of the space, or the part of it that is of interest.
#[derive(Clone, Debug)]
pub(crate) struct Pieces(Vec<(Set, Aff)>);

/// More pieces than this are not worth the work.
const MOST: usize = 16;

impl Pieces {
    /// The same expression everywhere.
    pub(crate) fn everywhere(aff: Aff) -> Self {
        Pieces(vec![(Set::universe(aff.space().clone()), aff)])
    }

    /// A constant.
    pub(crate) fn constant(space: &SetSpace, value: impl Into<Int>) -> Self {
        Pieces::everywhere(Aff::constant(space.clone(), value.into()))
    }

    /// A constant for each of disjoint sets; `None` if there are too many.
    pub(crate) fn of_constants(cases: impl Iterator<Item = (Set, Int)>) -> Option<Self> {
        let constant = |(set, value): (Set, Int)| {
            let aff = Aff::constant(set.space().clone(), value);
            (set, aff)
        };
        let pieces: Vec<(Set, Aff)> = cases.map(constant).collect();
        (pieces.len() <= MOST).then_some(Pieces(pieces))
    }

    /// One constant where the expression is not negative, and another where it is.
    pub(crate) fn of_choice(test: &Aff, not_negative: i64, otherwise: i64) -> Self {
        let constant = |value: i64| Aff::constant(test.space().clone(), Int::from(value));
        Pieces(vec![
            (nonnegative(test), constant(not_negative)),
            (negative(test), constant(otherwise)),
        ])
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Set, &Aff)> {
        self.0.iter().map(|(set, aff)| (set, aff))
    }

    /// The value if it is the same constant everywhere.
    pub(crate) fn as_constant(&self) -> Option<Int> {
        match &self.0[..] {
            [(_, aff)] => aff.as_constant(),
            _ => None,
        }
    }

    /// The expression if there is only one piece.
    pub(crate) fn as_affine(&self) -> Option<&Aff> {
        match &self.0[..] {
            [(_, aff)] => Some(aff),
            _ => None,
        }
    }

    /// `f` of the value.
    pub(crate) fn map(&self, f: impl Fn(&Aff) -> Aff) -> Self {
        Pieces(self.0.iter().map(|(set, aff)| (set.clone(), f(aff))).collect())
    }

    /// `f` of both values; `None` if there come to be too many pieces.
    pub(crate) fn combine(&self, other: &Pieces, f: impl Fn(&Aff, &Aff) -> Aff) -> Option<Self> {
        let mut pieces = Vec::new();
        for (set, a) in &self.0 {
            for (other_set, b) in &other.0 {
                let both = set.intersect(other_set);
                if !both.is_plainly_empty() {
                    pieces.push((both, f(a, b)));
                }
            }
        }
        (pieces.len() <= MOST).then_some(Pieces(pieces))
    }

    /// The sum.
    pub(crate) fn plus(&self, other: &Pieces) -> Option<Self> {
        self.combine(other, |a, b| a.add(b))
    }

    /// The larger of both if `largest`, and otherwise the smaller.
    pub(crate) fn extremum(&self, other: &Pieces, largest: bool) -> Option<Self> {
        let mut pieces = Vec::new();
        for (set, a) in &self.0 {
            for (other_set, b) in &other.0 {
                let both = set.intersect(other_set);
                let difference = if largest { a.sub(b) } else { b.sub(a) };
                let first = both.intersect(&nonnegative(&difference));
                let second = both.intersect(&negative(&difference));
                pieces.extend([(first, a.clone()), (second, b.clone())]);
            }
        }
        pieces.retain(|(set, _)| !set.is_plainly_empty());
        (pieces.len() <= MOST).then_some(Pieces(pieces))
    }

    /// One value in a set, and another in a set that is disjoint from it; `None` if there come to be too many pieces.
    pub(crate) fn choose((holds, one): (&Set, &Pieces), (fails, other): (&Set, &Pieces)) -> Option<Self> {
        let mut pieces = Vec::new();
        for (chosen, value) in [(holds, one), (fails, other)] {
            pieces.extend(value.0.iter().map(|(own, aff)| (chosen.intersect(own), aff.clone())));
        }
        pieces.retain(|(set, _)| !set.is_plainly_empty());
        (pieces.len() <= MOST).then_some(Pieces(pieces))
    }

    /// The quotient by a positive number, rounded towards zero.
    pub(crate) fn truncated_quotient(&self, by: &Int) -> Option<Self> {
        let mut pieces = Vec::new();
        for (set, aff) in &self.0 {
            let up = (set.intersect(&nonnegative(aff)), aff.floor_div(by));
            let down = (set.intersect(&negative(aff)), aff.neg().floor_div(by).neg());
            pieces.extend([up, down]);
        }
        pieces.retain(|(set, _)| !set.is_plainly_empty());
        (pieces.len() <= MOST).then_some(Pieces(pieces))
    }

    /// The part of the space where `test` of the value holds.
    pub(crate) fn filter(&self, space: &SetSpace, test: impl Fn(&Aff) -> Set) -> Set {
        self.0.iter().fold(Set::empty(space.clone()), |all, (set, aff)| {
            all.union(&set.intersect(&test(aff)))
        })
    }

    /// The same value with fewer pieces on `domain`: those that do not meet it are dropped.
    pub(crate) fn within(&self, domain: &Set, b: &Budget) -> Outcome<Self> {
        if self.0.len() == 1 {
            return Ok(self.clone());
        }
        let mut pieces = Vec::new();
        for (set, aff) in &self.0 {
            if !domain.is_disjoint(set, b)? {
                pieces.push((set.clone(), aff.clone()));
            }
        }
        match &pieces[..] {
            [] => Ok(self.clone()),
            // The only one left holds on all of the domain.
            [(_, aff)] => Ok(Pieces::everywhere(aff.clone())),
            _ => Ok(Pieces(pieces)),
        }
    }
}

/// Where the expression is at least 0.
pub(crate) fn nonnegative(aff: &Aff) -> Set {
    let (mut conj, row) = imported(aff);
    conj.add_ineq(row);
    Set::from_conj(aff.space().clone(), conj)
}

/// Where the expression is less than 0.
pub(crate) fn negative(aff: &Aff) -> Set {
    nonnegative(&aff.neg().add_constant(&Int::from(-1)))
}

/// Where the expression is 0.
pub(crate) fn zero(aff: &Aff) -> Set {
    let (mut conj, row) = imported(aff);
    conj.add_eq(row);
    Set::from_conj(aff.space().clone(), conj)
}

/// A conjunction with the divisions of the expression, and the expression's numerator in its columns.
fn imported(aff: &Aff) -> (Conj, Row) {
    let n_vars = aff.space().n_vars();
    let mut conj = Conj::universe(n_vars);
    let mut columns = Vec::with_capacity(aff.divs().len());
    let rename = |row: &[Int], columns: &[usize], width: usize| {
        let mut renamed = zeros(width);
        renamed[..=n_vars].clone_from_slice(&row[..=n_vars]);
        for (x, column) in row[1 + n_vars..].iter().zip(columns) {
            renamed[*column] += x;
        }
        renamed
    };
    for div in aff.divs() {
        let num = rename(&div.num, &columns, conj.n_cols());
        columns.push(1 + n_vars + conj.add_div(num, div.den.clone()));
    }
    let row = rename(aff.row(), &columns, conj.n_cols());
    (conj, row)
}

#[cfg(test)]
mod tests {
    use super::{Pieces, negative, nonnegative, zero};
    use expect_test::{Expect, expect};
    use farkas_polyhedral::budget::Budget;
    use farkas_polyhedral::int::Int;
    use farkas_polyhedral::sets::{Aff, Set};

    fn everywhere(text: &str) -> Pieces {
        Pieces::everywhere(text.parse().expect("an expression"))
    }

    /// The pieces, one a line.
    fn check(pieces: Option<&Pieces>, expected: Expect) {
        let Some(pieces) = pieces else {
            expected.assert_eq("none");
            return;
        };
        let pieces: Vec<String> = pieces.iter().map(|(set, aff)| format!("{aff} on {set}")).collect();
        expected.assert_eq(&pieces.join("\n"));
    }

    #[test]
    fn the_larger_of_two_values() {
        let (i, n) = (
            everywhere("[n] -> { [i] -> [(i)] }"),
            everywhere("[n] -> { [i] -> [(n)] }"),
        );
        check(
            i.extremum(&n, true).as_ref(),
            expect![[r#"
            [n] -> { [i] -> [(i)] } on [n] -> { [i] : i >= n }
            [n] -> { [i] -> [(n)] } on [n] -> { [i] : i < n }"#]],
        );
        check(
            i.extremum(&n, false).as_ref(),
            expect![[r#"
            [n] -> { [i] -> [(i)] } on [n] -> { [i] : i <= n }
            [n] -> { [i] -> [(n)] } on [n] -> { [i] : i > n }"#]],
        );
    }

    #[test]
    fn division_rounds_towards_zero() {
        let i = everywhere("{ [i] -> [(i)] }");
        check(
            i.truncated_quotient(&Int::from(4)).as_ref(),
            expect![[r#"
            { [i] -> [(floor((i)/4))] } on { [i] : i >= 0 }
            { [i] -> [(floor((3 + i)/4))] } on { [i] : i < 0 }"#]],
        );
    }

    #[test]
    fn values_of_many_pieces_are_given_up() {
        let value = |row: &str| everywhere(&format!("{{ [i, j, k, l, m] -> [({row})] }}"));
        let positive = |counter: &str| value(counter).extremum(&value("0"), true).expect("two pieces");
        let sum = |counters: &[&str]| {
            let values = counters.iter().map(|counter| positive(counter));
            values.map(Some).reduce(|all, next| all?.plus(&next?)).flatten()
        };
        let four = sum(&["i", "j", "k", "l"]).expect("16 pieces");
        assert_eq!(four.iter().count(), 16);
        check(sum(&["i", "j", "k", "l", "m"]).as_ref(), expect!["none"]);
    }

    #[test]
    fn pieces_outside_of_the_domain_are_dropped() {
        let (i, n) = (
            everywhere("[n] -> { [i] -> [(i)] }"),
            everywhere("[n] -> { [i] -> [(n)] }"),
        );
        let largest = i.extremum(&n, true).expect("two pieces");
        let domain: Set = "[n] -> { [i] : 0 <= i < n }".parse().expect("a set");
        let within = largest.within(&domain, &Budget::unlimited());
        check(
            within.ok().as_ref(),
            expect!["[n] -> { [i] -> [(n)] } on [n] -> { [i] }"],
        );
    }

    #[test]
    fn signs_of_an_expression() {
        let aff: Aff = "[n] -> { [i] -> [(n - 2i)] }".parse().expect("an expression");
        let sets = [nonnegative(&aff), negative(&aff), zero(&aff)].map(|set| set.to_string());
        expect![[r#"
            [n] -> { [i] : 2i <= n }
            [n] -> { [i] : 2i > n }
            [n] -> { [i] : 2i = n }"#]]
        .assert_eq(&sets.join("\n"));
    }
}
