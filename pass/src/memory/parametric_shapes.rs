//! Shapes with sizes that are parameters: from offsets that are polynomials to subscripts.
//!
//! The innermost size is `f * p + c` for a parameter `p` and constants `f` and `c`. An offset, a polynomial in `p`,
//! is divided by it: the remainder is the innermost subscript, which has to be affine, and the quotient is an offset into
//! an array of the other dimensions.
//!
//! ```text
//! a[i * n + i]              n: i,  1: i          p = n, f = 1, c = 0   [i][i]
//! a[i * (n + 2) + j]        n: i,  1: 2i + j     p = n, f = 1, c = 2   [i][j]
//! a[(i * m + j) * p + k]    m p: i,  p: j,  1: k                       [i][j][k]
//! ```
//!
//! `f` is what divides all quotients. `c` is voted for: a counter whose coefficient is `q` in the quotient and `r` in
//! the rest is for `c = r / q`, which takes it out of the remainder. The first line is for `c = 1`, and `a[i * n + j]` for `c = 0`.

use crate::scev::polynomial::{Atom, Monomial, Polynomial};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::Aff;
use indexmap::IndexMap;

/// The size of a dimension, `factor * atom + constant`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Size {
    pub(crate) atom: Atom,
    pub(crate) factor: Int,
    pub(crate) constant: Int,
}

/// A shape that divides all offsets.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ParametricShape {
    /// The sizes of all dimensions but the outermost, outermost first.
    pub(crate) sizes: Vec<Size>,
    /// The subscripts of each offset, outermost first, affine all of them.
    pub(crate) subscripts: Vec<Vec<Polynomial>>,
}

/// Most parameters, and constants with each, that are tried for a dimension.
const PARAMETERS: usize = 3;
const CONSTANTS: usize = 3;

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
        let factor = common_factor(divided.iter().map(|(quotient, _)| quotient));
        let whole = |(quotient, rest): (Polynomial, Polynomial)| Some((quotient.divide(&factor)?, rest));
        let Some(divided) = divided.into_iter().map(whole).collect::<Option<Vec<_>>>() else {
            continue;
        };
        for constant in constants(&divided) {
            let remainder = |(quotient, rest): &(Polynomial, Polynomial)| rest.plus(&quotient.scale(&-&constant));
            let remainders: Vec<Polynomial> = divided.iter().map(remainder).collect();
            if !remainders.iter().all(Polynomial::is_affine) {
                continue;
            }
            let quotients: Vec<Polynomial> = divided.iter().map(|(quotient, _)| quotient.clone()).collect();
            let (atom, factor) = (atom, factor.clone());
            inner.push((Size { atom, factor, constant }, remainders));
            divide(&quotients, inner, found);
            inner.pop();
        }
    }
}

/// The parameters in products, those that are in most of them first.
fn parameters(offsets: &[Polynomial]) -> Vec<Atom> {
    let mut counts: IndexMap<Atom, usize> = IndexMap::new();
    let nonlinear = |(monomial, aff): &(&Monomial, &Aff)| monomial.len() > 1 || !aff.is_constant();
    for (monomial, _) in offsets.iter().flat_map(|offset| offset.terms().filter(nonlinear)) {
        let mut atoms = monomial.clone();
        atoms.dedup();
        atoms.into_iter().for_each(|atom| *counts.entry(atom).or_default() += 1);
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

/// What divides all coefficients; at least one.
fn common_factor<'p>(all: impl Iterator<Item = &'p Polynomial>) -> Int {
    let rows = all.flat_map(|polynomial| polynomial.terms().map(|(_, aff)| aff.row().clone()));
    let factor = rows.flatten().fold(Int::ZERO, |gcd, x| gcd.gcd(&x));
    if factor.is_zero() { Int::ONE } else { factor }
}

/// Constants that may belong to the size, those with most votes first, and small ones of these. Offsets that are the same
/// have one vote. It counts for more where a counter stays in the remainder, as on a diagonal none does.
fn constants(divided: &[(Polynomial, Polynomial)]) -> Vec<Int> {
    let mut votes: IndexMap<Int, usize> = IndexMap::from([(Int::ZERO, 0)]);
    let first = |(at, offset): &(usize, &(Polynomial, Polynomial))| !divided[..*at].contains(offset);
    for (_, (quotient, rest)) in divided.iter().enumerate().filter(first) {
        for (monomial, by) in quotient.terms() {
            let dims = by.space().tuple.n();
            for dim in (0..dims).filter(|dim| !by.coefficient(*dim).is_zero()) {
                let own = rest.coefficient(monomial);
                let own = own.map_or(Int::ZERO, |own| own.coefficient(dim).clone());
                if own.divisible_by(by.coefficient(dim)) {
                    let constant = own.div_exact(by.coefficient(dim));
                    let remainder = rest.plus(&quotient.scale(&-&constant));
                    let varies = remainder.terms().any(|(_, aff)| !aff.is_constant());
                    *votes.entry(constant).or_default() += if varies { VARYING } else { 1 };
                }
            }
        }
    }
    let mut votes: Vec<(Int, usize)> = votes.into_iter().collect();
    votes.sort_by_key(|(constant, count)| (std::cmp::Reverse(*count), constant.abs()));
    votes
        .into_iter()
        .map(|(constant, _)| constant)
        .take(CONSTANTS)
        .collect()
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
            polynomial.terms().map(term).collect::<Vec<_>>().join(" + ")
        };
        let mut lines = String::new();
        for shape in parametric_shapes(&offsets) {
            let sizes = shape
                .sizes
                .iter()
                .map(|size| format!("{}{} + {}", size.factor, letter(size.atom), size.constant));
            lines += &format!("sizes {}\n", sizes.collect::<Vec<_>>().join(", "));
            for subscripts in shape.subscripts {
                lines += &format!("  [{}]\n", subscripts.iter().map(text).collect::<Vec<_>>().join("]["));
            }
        }
        expected.assert_eq(&lines);
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
                sizes 1n + 1
                  [{ [i, j] -> [(i)] }][]
                  [{ [i, j] -> [(i)] }][]
                  [{ [i, j] -> [(i)] }][{ [i, j] -> [(-i + j)] }]
            "#]],
        );
    }

    #[test]
    fn rows_have_constants() {
        check(
            &[&[("n", "{ [i, j] -> [(3i)] }"), ("", "{ [i, j] -> [(2i + j)] }")]],
            expect![[r#"
                sizes 3n + 2
                  [{ [i, j] -> [(i)] }][{ [i, j] -> [(j)] }]
                sizes 3n + 0
                  [{ [i, j] -> [(i)] }][{ [i, j] -> [(2i + j)] }]
            "#]],
        );
        check(
            &[&[("n", "{ [i, j] -> [(i)] }"), ("", "{ [i, j] -> [(2i + j)] }")]],
            expect![[r#"
                sizes 1n + 2
                  [{ [i, j] -> [(i)] }][{ [i, j] -> [(j)] }]
                sizes 1n + 0
                  [{ [i, j] -> [(i)] }][{ [i, j] -> [(2i + j)] }]
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
