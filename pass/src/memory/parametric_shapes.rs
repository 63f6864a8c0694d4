//! Shapes with sizes that are parameters: from offsets that are polynomials to subscripts.
//!
//! The innermost size is `f * p + c` for a parameter `p`, a constant `f`, and a sum `c` of a constant and other parameters. An offset, a
//! polynomial in `p`, is divided by it: the remainder is the innermost subscript, which has to be affine, and the quotient is an offset
//! into an array of the other dimensions.
//!
//! ```text
//! a[i * n + i]              n: i,  1: i                    p = n, f = 1, c = 0       [i][i]
//! a[i * (n + 2) + j]        n: i,  1: 2i + j               p = n, f = 1, c = 2       [i][j]
//! a[i * (n - k + 1) + j]    n: i,  k: -i,  1: i + j        p = n, f = 1, c = 1 - k   [i][j]
//! a[(i * m + j) * p + k]    m p: i,  p: j,  1: k                                     [i][j][k]
//! a[i * (2 * w + 1) + j - i + w]    w: 2i + 1,  1: j      p = w, f = 2, c = 1       [i][w + j - i]
//! ```
//!
//! `f` is what divides all quotients, or their counters alone, where constants go to the remainder. `c` is voted for: a counter whose coefficient is `q` in a term of the quotient, and `r` in the
//! rest in the same term times one or a parameter, is for a sum `c` of the `r / q`, which takes it out of the remainder. The first line
//! is for `c = 1`, and `a[i * n + j]` for `c = 0`.

use crate::scev::polynomial::{Atom, Monomial, Polynomial};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Aff, SetSpace};
use indexmap::{IndexMap, IndexSet};

/// The size of a dimension, `factor * atom + rest`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Size {
    pub(crate) atom: Atom,
    pub(crate) factor: Int,
    pub(crate) rest: Rest,
}

/// A sum of other parameters and a constant, each with its coefficient.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Rest(IndexMap<Monomial, Int>);

impl Rest {
    /// The sum over the counters of a space.
    pub(crate) fn over(&self, space: &SetSpace) -> Polynomial {
        let mut sum = Polynomial::new(space.clone());
        for (monomial, coefficient) in &self.0 {
            sum.add_term(monomial.clone(), &Aff::constant(space.clone(), coefficient.clone()));
        }
        sum
    }

    /// The number of parameters, and the size of the constant.
    fn length(&self) -> (usize, Int) {
        let constant = self.0.get(&Vec::new()).map_or(Int::ZERO, Int::abs);
        (self.0.keys().filter(|monomial| !monomial.is_empty()).count(), constant)
    }
}

/// A shape that divides all offsets.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ParametricShape {
    /// The sizes of all dimensions but the outermost, outermost first.
    pub(crate) sizes: Vec<Size>,
    /// The subscripts of each offset, outermost first, affine all of them.
    pub(crate) subscripts: Vec<Vec<Polynomial>>,
}

impl ParametricShape {
    /// Whether all sizes are parameters and nothing else.
    pub(crate) fn has_plain_sizes(&self) -> bool {
        let is_plain = |size: &Size| size.factor.is_one() && size.rest == Rest::default();
        self.sizes.iter().all(is_plain)
    }
}

/// Most parameters, and sums with each, that are tried for a dimension.
const PARAMETERS: usize = 3;
const SUMS: usize = 3;

/// The weight of a vote that leaves a counter in the remainder.
const VARYING: usize = 4;

/// Most shapes that are returned.
const SHAPES: usize = 6;

/// Most dimensions.
const DIMENSIONS: usize = 6;

/// Shapes for offsets in elements, the likeliest first.
pub(crate) fn parametric_shapes(offsets: &[Polynomial]) -> Vec<ParametricShape> {
    let mut found = Vec::new();
    divide(offsets, &mut Vec::new(), &mut found);
    found
}

/// Adds the shapes of which `inner` are the innermost dimensions, innermost first.
fn divide(offsets: &[Polynomial], inner: &mut Vec<(Size, Vec<Polynomial>)>, found: &mut Vec<ParametricShape>) {
    if found.len() >= SHAPES {
        return;
    }
    if offsets.iter().all(Polynomial::is_affine) {
        let subscripts = offsets.iter().enumerate().map(|(at, outermost)| {
            let inner = inner.iter().rev().map(|(_, remainders)| remainders[at].clone());
            std::iter::once(outermost.clone()).chain(inner).collect()
        });
        found.push(ParametricShape {
            sizes: inner.iter().rev().map(|(size, _)| size.clone()).collect(),
            subscripts: subscripts.collect(),
        });
        return;
    }
    if inner.len() + 1 >= DIMENSIONS {
        return;
    }
    for atom in parameters(offsets) {
        let divided: Vec<(Polynomial, Polynomial)> = offsets.iter().map(|offset| divided(offset, atom)).collect();
        for factor in factors(&divided) {
            let whole = |divided: &(Polynomial, Polynomial)| divided_by_factor(divided, atom, &factor);
            let Some(divided) = divided.iter().map(whole).collect::<Option<Vec<_>>>() else {
                continue;
            };
            for rest in rests_of_size(&divided) {
                let remainders = divided.iter().map(|divided| remainder(divided, &rest));
                let Some(remainders) = remainders.collect::<Option<Vec<Polynomial>>>() else {
                    continue;
                };
                if !remainders.iter().all(Polynomial::is_affine) {
                    continue;
                }
                let quotients: Vec<Polynomial> = divided.iter().map(|(quotient, _)| quotient.clone()).collect();
                let (atom, factor) = (atom, factor.clone());
                inner.push((Size { atom, factor, rest }, remainders));
                divide(&quotients, inner, found);
                inner.pop();
            }
        }
    }
}

/// What divides all quotients, and what divides their counters alone.
fn factors(divided: &[(Polynomial, Polynomial)]) -> IndexSet<Int> {
    let quotients = || {
        divided
            .iter()
            .flat_map(|(quotient, _)| quotient.terms().map(|(_, aff)| aff))
    };
    let constants = quotients().map(|aff| aff.constant_term().clone());
    let counters = quotients().flat_map(|aff| (0..aff.space().tuple.n()).map(|dim| aff.coefficient(dim).clone()));
    let of_counters = counters.fold(Int::ZERO, |gcd, x| gcd.gcd(&x));
    let of_all = constants.fold(of_counters.clone(), |gcd, x| gcd.gcd(&x));
    let at_least_one = |factor: Int| if factor.is_zero() { Int::ONE } else { factor };
    [of_all, of_counters].into_iter().map(at_least_one).collect()
}

/// The quotient and the rest of a division by `factor` times a parameter, of those by the parameter.
fn divided_by_factor(
    (quotient, rest): &(Polynomial, Polynomial),
    atom: Atom,
    factor: &Int,
) -> Option<(Polynomial, Polynomial)> {
    let (mut whole, mut rest) = (Polynomial::new(quotient.space().clone()), rest.clone());
    for (monomial, aff) in quotient.terms() {
        let left = aff.constant_term().mod_floor(factor);
        whole.add_term(monomial.clone(), &aff.add_constant(&-&left));
        if !left.is_zero() {
            let mut product = monomial.clone();
            product.push(atom);
            product.sort_unstable();
            rest.add_term(product, &Aff::constant(aff.space().clone(), left));
        }
    }
    Some((whole.divide(factor)?, rest))
}

/// What a division by `factor * atom + rest` leaves, where that by `factor * atom` has this quotient and rest.
fn remainder((quotient, left): &(Polynomial, Polynomial), rest: &Rest) -> Option<Polynomial> {
    Some(left.plus(&quotient.times(&rest.over(quotient.space()))?.scale(&-&Int::ONE)))
}

/// The parameters in products, those that are in most of them first. What is subtracted does not count: sizes are positive.
fn parameters(offsets: &[Polynomial]) -> Vec<Atom> {
    let mut counts: IndexMap<Atom, usize> = IndexMap::new();
    let nonlinear = |(monomial, aff): &(&Monomial, &Aff)| monomial.len() > 1 || !aff.is_constant();
    let is_added = |aff: &Aff| aff.row().iter().any(Int::is_pos);
    for (monomial, aff) in offsets.iter().flat_map(|offset| offset.terms().filter(nonlinear)) {
        let mut atoms = monomial.clone();
        atoms.dedup();
        let counted = usize::from(is_added(aff));
        atoms
            .into_iter()
            .for_each(|atom| *counts.entry(atom).or_default() += counted);
    }
    let mut atoms: Vec<(Atom, usize)> = counts.into_iter().collect();
    atoms.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    atoms.into_iter().map(|(atom, _)| atom).take(PARAMETERS).collect()
}

/// The quotient and the rest of a division by a parameter.
fn divided(offset: &Polynomial, atom: Atom) -> (Polynomial, Polynomial) {
    let empty = || Polynomial::new(offset.space().clone());
    let (mut quotient, mut rest) = (empty(), empty());
    for (monomial, aff) in offset.terms() {
        match monomial.iter().position(|other| *other == atom) {
            Some(at) => {
                let mut others = monomial.clone();
                others.remove(at);
                quotient.add_term(others, aff);
            }
            None => rest.add_term(monomial.clone(), aff),
        }
    }
    (quotient, rest)
}

/// Sums that may belong to the size: first those for which the fewest offsets have remainders that go down along a counter, then those
/// with most votes, and short ones of these. With `i = j + c` in a loop over a triangle, `a[j * n + i]` is for rows of `n + 1`, for which
/// `a[k * n + i]` would begin at `-k`. Offsets that are the same have one vote. It counts for more where a counter stays in the
/// remainder, as on a diagonal none does. It does not if the remainder goes down along one: in `a[i * n + k]` with `i = k + c`,
/// counter `k` is for rows of `n + 1`, where `c` would be subtracted.
fn rests_of_size(divided: &[(Polynomial, Polynomial)]) -> Vec<Rest> {
    let mut votes: Vec<(Rest, usize)> = vec![(Rest::default(), 0)];
    let is_new = |(at, offset): &(usize, &(Polynomial, Polynomial))| !divided[..*at].contains(offset);
    for (_, one) in divided.iter().enumerate().filter(is_new) {
        for (monomial, by) in one.0.terms() {
            let dims = by.space().tuple.n();
            for dim in (0..dims).filter(|dim| !by.coefficient(*dim).is_zero()) {
                let Some(rest) = vote(&one.1, (monomial, by), dim) else {
                    continue;
                };
                let Some(remainder) = remainder(one, &rest) else {
                    continue;
                };
                let varies = remainder.terms().any(|(_, aff)| !aff.is_constant());
                let weight = if varies && !goes_down(&remainder) { VARYING } else { 1 };
                match votes.iter_mut().find(|(other, _)| *other == rest) {
                    Some((_, count)) => *count += weight,
                    None => votes.push((rest, weight)),
                }
            }
        }
    }
    let subtracting = |rest: &Rest| {
        let remainders = divided.iter().filter_map(|one| remainder(one, rest));
        remainders.filter(goes_down).count()
    };
    votes.sort_by_cached_key(|(rest, count)| (subtracting(rest), std::cmp::Reverse(*count), rest.length()));
    votes.into_iter().map(|(rest, _)| rest).take(SUMS).collect()
}

/// Whether a counter is subtracted.
fn goes_down(remainder: &Polynomial) -> bool {
    let mut terms = remainder.terms();
    terms.any(|(_, aff)| (0..aff.space().tuple.n()).any(|dim| aff.coefficient(dim).is_neg()))
}

/// The sum that takes a counter of a term of the quotient out of the remainder.
fn vote(left: &Polynomial, (monomial, by): (&Monomial, &Aff), dim: usize) -> Option<Rest> {
    let mut rest = Rest::default();
    for (other, aff) in left.terms() {
        let own = aff.coefficient(dim);
        let Some(factor) = one_more(other, monomial).filter(|_| !own.is_zero()) else {
            continue;
        };
        if !own.divisible_by(by.coefficient(dim)) {
            return None;
        }
        rest.0.insert(factor, own.div_exact(by.coefficient(dim)));
    }
    Some(rest)
}

/// The quotient of two products, if it is one or a single parameter.
fn one_more(product: &Monomial, by: &Monomial) -> Option<Monomial> {
    let mut left = product.clone();
    for atom in by {
        left.remove(left.iter().position(|own| own == atom)?);
    }
    (left.len() < 2).then_some(left)
}

#[cfg(test)]
mod tests {
    use super::parametric_shapes;
    use crate::scev::polynomial::Polynomial;
    use expect_test::{Expect, expect};
    use farkas_polyhedral::sets::Aff;

    /// Offsets are lines of terms `monomial: coefficient`, with a letter for each parameter.
    fn check(offsets: &[&[(&str, &str)]], expected: Expect) {
        let polynomial = |terms: &&[(&str, &str)]| {
            let aff = |text: &str| -> Aff { text.parse().expect("an expression") };
            let mut sum = Polynomial::new(aff(terms[0].1).space().clone());
            for (monomial, coefficient) in *terms {
                let atoms = monomial.bytes().map(|letter| usize::from(letter - b'm')).collect();
                sum.add_term(atoms, &aff(coefficient));
            }
            sum
        };
        let offsets: Vec<Polynomial> = offsets.iter().map(polynomial).collect();
        let letter = |atom: usize| char::from(b'm' + atom as u8);
        let text = |polynomial: &Polynomial| {
            let term = |(monomial, aff): (&Vec<usize>, &Aff)| {
                let atoms: String = monomial.iter().map(|atom| letter(*atom)).collect();
                format!("{atoms}{aff}")
            };
            match polynomial.terms().next() {
                Some(_) => polynomial.terms().map(term).collect::<Vec<_>>().join(" + "),
                None => "0".to_owned(),
            }
        };
        let mut lines = String::new();
        for shape in parametric_shapes(&offsets) {
            let sizes = shape.sizes.iter().map(|size| {
                format!(
                    "{}{} + {}",
                    size.factor,
                    letter(size.atom),
                    text(&size.rest.over(offsets[0].space()))
                )
            });
            lines += &format!("sizes {}\n", sizes.collect::<Vec<_>>().join(", "));
            for subscripts in shape.subscripts {
                lines += &format!("  [{}]\n", subscripts.iter().map(text).collect::<Vec<_>>().join("]["));
            }
        }
        expected.assert_eq(&lines);
    }

    /// A band of `2n + 1` diagonals, by the offset in it where `j` begins at 0, and by the distance from the first one.
    #[test]
    fn a_band_has_rows_of_an_odd_number_of_elements() {
        check(
            &[
                &[("n", "{ [i, j] -> [(2i + 1)] }"), ("", "{ [i, j] -> [(j)] }")],
                &[("n", "{ [i, j] -> [(2i)] }"), ("", "{ [i, j] -> [(i + j)] }")],
            ],
            expect![[r#"
                sizes 1n + 0
                  [{ [i, j] -> [(1 + 2i)] }][{ [i, j] -> [(j)] }]
                  [{ [i, j] -> [(2i)] }][{ [i, j] -> [(i + j)] }]
                sizes 2n + 0
                  [{ [i, j] -> [(i)] }][{ [i, j] -> [(j)] } + n{ [i, j] -> [(1)] }]
                  [{ [i, j] -> [(i)] }][{ [i, j] -> [(i + j)] }]
                sizes 2n + { [i, j] -> [(1)] }
                  [{ [i, j] -> [(i)] }][n{ [i, j] -> [(1)] } + { [i, j] -> [(-i + j)] }]
                  [{ [i, j] -> [(i)] }][{ [i, j] -> [(j)] }]
            "#]],
        );
    }

    #[test]
    fn a_diagonal_is_outvoted() {
        check(
            &[
                &[("n", "{ [i, j] -> [(i)] }"), ("", "{ [i, j] -> [(i)] }")],
                &[("n", "{ [i, j] -> [(i)] }"), ("", "{ [i, j] -> [(i)] }")],
                &[("n", "{ [i, j] -> [(i)] }"), ("", "{ [i, j] -> [(j)] }")],
            ],
            expect![[r#"
                sizes 1n + 0
                  [{ [i, j] -> [(i)] }][{ [i, j] -> [(i)] }]
                  [{ [i, j] -> [(i)] }][{ [i, j] -> [(i)] }]
                  [{ [i, j] -> [(i)] }][{ [i, j] -> [(j)] }]
                sizes 1n + { [i, j] -> [(1)] }
                  [{ [i, j] -> [(i)] }][0]
                  [{ [i, j] -> [(i)] }][0]
                  [{ [i, j] -> [(i)] }][{ [i, j] -> [(-i + j)] }]
            "#]],
        );
    }

    /// Cholesky's method by columns: the loop over `i` begins at `j`.
    #[test]
    fn a_triangle_has_rows_of_the_square() {
        check(
            &[
                &[("n", "{ [j, k, c] -> [(j)] }"), ("", "{ [j, k, c] -> [(j + c)] }")],
                &[("n", "{ [j, k, c] -> [(k)] }"), ("", "{ [j, k, c] -> [(j + c)] }")],
                &[("n", "{ [j, k, c] -> [(j)] }"), ("", "{ [j, k, c] -> [(j)] }")],
            ],
            expect![[r#"
                sizes 1n + 0
                  [{ [j, k, c] -> [(j)] }][{ [j, k, c] -> [(j + c)] }]
                  [{ [j, k, c] -> [(k)] }][{ [j, k, c] -> [(j + c)] }]
                  [{ [j, k, c] -> [(j)] }][{ [j, k, c] -> [(j)] }]
                sizes 1n + { [j, k, c] -> [(1)] }
                  [{ [j, k, c] -> [(j)] }][{ [j, k, c] -> [(c)] }]
                  [{ [j, k, c] -> [(k)] }][{ [j, k, c] -> [(j - k + c)] }]
                  [{ [j, k, c] -> [(j)] }][0]
            "#]],
        );
    }

    /// Columns below the diagonal, as in Householder's method.
    #[test]
    fn rows_begin_at_the_diagonal() {
        check(
            &[
                &[("n", "{ [k, c] -> [(k)] }"), ("", "{ [k, c] -> [(k)] }")],
                &[("n", "{ [k, c] -> [(k + c)] }"), ("", "{ [k, c] -> [(k)] }")],
            ],
            expect![[r#"
                sizes 1n + 0
                  [{ [k, c] -> [(k)] }][{ [k, c] -> [(k)] }]
                  [{ [k, c] -> [(k + c)] }][{ [k, c] -> [(k)] }]
                sizes 1n + { [k, c] -> [(1)] }
                  [{ [k, c] -> [(k)] }][0]
                  [{ [k, c] -> [(k + c)] }][{ [k, c] -> [(-c)] }]
            "#]],
        );
    }

    #[test]
    fn rows_have_constants() {
        check(
            &[&[("n", "{ [i, j] -> [(3i)] }"), ("", "{ [i, j] -> [(2i + j)] }")]],
            expect![[r#"
                sizes 3n + { [i, j] -> [(2)] }
                  [{ [i, j] -> [(i)] }][{ [i, j] -> [(j)] }]
                sizes 3n + 0
                  [{ [i, j] -> [(i)] }][{ [i, j] -> [(2i + j)] }]
            "#]],
        );
        check(
            &[&[("n", "{ [i, j] -> [(i)] }"), ("", "{ [i, j] -> [(2i + j)] }")]],
            expect![[r#"
                sizes 1n + { [i, j] -> [(2)] }
                  [{ [i, j] -> [(i)] }][{ [i, j] -> [(j)] }]
                sizes 1n + 0
                  [{ [i, j] -> [(i)] }][{ [i, j] -> [(2i + j)] }]
            "#]],
        );
    }

    /// Images of `m - o + 1` rows of `n - o + 1` elements.
    #[test]
    fn sizes_are_differences_of_parameters() {
        check(
            &[&[
                ("mn", "{ [k, y, x] -> [(k)] }"),
                ("mo", "{ [k, y, x] -> [(-k)] }"),
                ("no", "{ [k, y, x] -> [(-k)] }"),
                ("oo", "{ [k, y, x] -> [(k)] }"),
                ("m", "{ [k, y, x] -> [(k)] }"),
                ("n", "{ [k, y, x] -> [(k + y)] }"),
                ("o", "{ [k, y, x] -> [(-2k - y)] }"),
                ("", "{ [k, y, x] -> [(k + y + x)] }"),
            ]],
            expect![[r#"
                sizes 1m + o{ [k, y, x] -> [(-1)] } + { [k, y, x] -> [(1)] }, 1n + o{ [k, y, x] -> [(-1)] } + { [k, y, x] -> [(1)] }
                  [{ [k, y, x] -> [(k)] }][{ [k, y, x] -> [(y)] }][{ [k, y, x] -> [(x)] }]
                sizes 1o + m{ [k, y, x] -> [(-1)] } + { [k, y, x] -> [(-1)] }, 1n + o{ [k, y, x] -> [(-1)] } + { [k, y, x] -> [(1)] }
                  [{ [k, y, x] -> [(-k)] }][{ [k, y, x] -> [(y)] }][{ [k, y, x] -> [(x)] }]
            "#]],
        );
    }

    #[test]
    fn three_dimensions() {
        check(
            &[&[
                ("mn", "{ [i, j, k] -> [(i)] }"),
                ("n", "{ [i, j, k] -> [(j)] }"),
                ("", "{ [i, j, k] -> [(k)] }"),
            ]],
            expect![[r#"
                sizes 1m + 0, 1n + 0
                  [{ [i, j, k] -> [(i)] }][{ [i, j, k] -> [(j)] }][{ [i, j, k] -> [(k)] }]
            "#]],
        );
    }
}
