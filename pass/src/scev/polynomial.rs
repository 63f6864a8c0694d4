//! Polynomials: expressions as sums of products of parameters, with coefficients that are affine in the counters.
//!
//! ```text
//! sext (i * (n + 1))  ->  n: i,  1: i
//! (i * m + j) * p + k ->  m p: i,  p: j,  1: k
//! ```
//!
//! Integers of fewer than 64 bits may wrap around before they are extended. Sums, products and recurrences are taken
//! modulo the narrow width, and the extension then needs the value to be in the range of its type. LLVM's flags say so,
//! or it is assumed. The assumption has to be affine: each factor of a product is confined to a root of what the type
//! holds, such as `-2^15 <= i <= 2^15` and `-2^15 <= n + 1 <= 2^15` for the product of 32 bits above.

use super::cases::Decision;
use super::convert::{Converter, is_remainder};
use super::factor::factored;
use super::params::factors;
use super::pieces::{Pieces, negative};
use super::scope::{Reading, Scope};
use crate::detect::declined::{Modelled, Reason, Stop};
use farkas_llvm::scev::{Flags, Scev, ScevKind};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Aff, Set, SetSpace};
use indexmap::{IndexMap, IndexSet};
use std::cell::RefCell;

/// The number of a parameter among those of a reader.
pub(crate) type Atom = usize;

/// A product of parameters, in increasing order; one if there are none.
pub(crate) type Monomial = Vec<Atom>;

/// Most monomials of a polynomial.
const MOST: usize = 24;

/// Most pieces of an expression: those of subscripts that are clamped in two dimensions.
const MOST_PIECES: usize = 9;

/// A sum of monomials, each with a coefficient that is affine in the counters and not zero.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Polynomial {
    space: SetSpace,
    terms: IndexMap<Monomial, Aff>,
}

impl Polynomial {
    pub(crate) fn new(space: SetSpace) -> Self {
        Polynomial {
            space,
            terms: IndexMap::new(),
        }
    }

    /// A polynomial without parameters.
    pub(crate) fn of(aff: Aff) -> Self {
        let mut polynomial = Polynomial::new(aff.space().clone());
        polynomial.add_term(Vec::new(), &aff);
        polynomial
    }

    pub(crate) fn constant(space: &SetSpace, value: impl Into<Int>) -> Self {
        Polynomial::of(Aff::constant(space.clone(), value.into()))
    }

    pub(crate) fn atom(space: &SetSpace, atom: Atom) -> Self {
        let mut polynomial = Polynomial::new(space.clone());
        polynomial.add_term(vec![atom], &Aff::constant(space.clone(), Int::ONE));
        polynomial
    }

    pub(crate) fn add_term(&mut self, monomial: Monomial, coefficient: &Aff) {
        let sum = match self.terms.shift_remove(&monomial) {
            Some(so_far) => so_far.add(coefficient),
            None => coefficient.clone(),
        };
        if sum.as_constant() != Some(Int::ZERO) {
            self.terms.insert(monomial, sum);
        }
    }

    pub(crate) fn terms(&self) -> impl Iterator<Item = (&Monomial, &Aff)> {
        self.terms.iter()
    }

    pub(crate) fn space(&self) -> &SetSpace {
        &self.space
    }

    pub(crate) fn plus(&self, other: &Polynomial) -> Polynomial {
        let mut sum = self.clone();
        other
            .terms()
            .for_each(|(monomial, aff)| sum.add_term(monomial.clone(), aff));
        sum
    }

    pub(crate) fn scale(&self, by: &Int) -> Polynomial {
        let mut scaled = Polynomial::new(self.space.clone());
        self.terms()
            .for_each(|(monomial, aff)| scaled.add_term(monomial.clone(), &aff.scale(by)));
        scaled
    }

    /// The product; `None` if that has a product of counters, or too many terms.
    pub(crate) fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut product = Polynomial::new(self.space.clone());
        for (one, a) in self.terms() {
            for (another, b) in other.terms() {
                let mut both: Monomial = one.iter().chain(another).copied().collect();
                both.sort_unstable();
                product.add_term(both, &a.mul(b)?);
            }
        }
        (product.terms.len() <= MOST).then_some(product)
    }

    /// Whether each monomial is a single parameter with a constant coefficient, or one.
    pub(crate) fn is_affine(&self) -> bool {
        self.terms().all(|(monomial, aff)| is_affine_term(monomial, aff))
    }

    /// Whether there are counters in it.
    fn varies(&self) -> bool {
        self.terms().any(|(_, aff)| !aff.is_constant())
    }

    /// The quotient by a positive number that divides all coefficients; `None` if it does not.
    pub(crate) fn divide(&self, by: &Int) -> Option<Polynomial> {
        let mut quotient = Polynomial::new(self.space.clone());
        for (monomial, aff) in self.terms() {
            let whole = aff.den().is_one() && aff.row().iter().all(|x| x.divisible_by(by));
            quotient.add_term(monomial.clone(), &whole.then(|| aff.floor_div(by))?);
        }
        Some(quotient)
    }
}

fn is_affine_term(monomial: &Monomial, coefficient: &Aff) -> bool {
    monomial.is_empty() || monomial.len() == 1 && coefficient.is_constant()
}

/// Whether narrow products may be assumed not to wrap around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrapping {
    Proven,
    Assumed,
}

/// What products of parameters are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Products {
    /// Monomials: of `(i * m + j) * p + k`, the rows have `p` elements, and `m` rows are a plane.
    Apart,
    /// Parameters by themselves: of `i * (h * w) + j` with `j < h * w`, the rows have `h * w` elements.
    Whole,
}

/// Reads polynomials, and numbers the parameters in them.
pub(crate) struct PolynomialReader<'f, 'c, 'a, 'r> {
    converter: &'f Converter<'c, 'a, 'r>,
    wrapping: Wrapping,
    products: Products,
    atoms: RefCell<IndexSet<Scev<'a>>>,
}

fn not_affine<'a>() -> Stop<'a> {
    Reason::NotAffine.into()
}

impl<'f, 'c, 'a, 'r> PolynomialReader<'f, 'c, 'a, 'r> {
    pub(crate) fn new(converter: &'f Converter<'c, 'a, 'r>, wrapping: Wrapping) -> Self {
        PolynomialReader {
            converter,
            wrapping,
            products: Products::Apart,
            atoms: RefCell::default(),
        }
    }

    pub(crate) fn with_products(self, products: Products) -> Self {
        PolynomialReader { products, ..self }
    }

    /// Whether a product of parameters was read as a parameter by itself.
    pub(crate) fn has_products(&self) -> bool {
        self.atoms.borrow().iter().any(|atom| !factors(*atom).is_empty())
    }

    /// Whether the expression is a product of parameters that is a parameter by itself.
    fn is_whole_product(&self, scev: Scev<'a>) -> bool {
        let is_product = |parts: &[Scev<'a>]| parts.iter().all(|part| !matches!(part.kind(), ScevKind::Constant(_)));
        self.products == Products::Whole
            && matches!(scev.kind(), ScevKind::Mul(parts, _) if is_product(&parts))
            && self.converter.is_parameter(scev)
    }

    /// A polynomial that is congruent to the expression modulo two to the power of its number of bits.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn modular(&self, scev: Scev<'a>, scope: &Scope) -> Modelled<'a, Polynomial> {
        self.converter.budget.spend(1)?;
        let space = scope.space();
        match scev.kind() {
            _ if self.is_whole_product(scev) => self.parameter(scev, scope),
            ScevKind::Constant(c) => Ok(Polynomial::constant(&space, c)),
            ScevKind::Truncate(wide) => self.modular(wide, scope),
            ScevKind::ZeroExtend(narrow) => self.exact(narrow, Reading::Unsigned, scope),
            ScevKind::SignExtend(narrow) => self.exact(narrow, Reading::Signed, scope),
            _ => match self.by_parts(scev, scope, |part| self.modular(part, scope))? {
                Some(polynomial) => Ok(polynomial),
                // What the steps add up to may wrap around where the sum does not.
                None => match self.converter.start_and_steps(scev) {
                    Some((start, steps)) => Ok(self.modular(start, scope)?.plus(&self.modular(steps, scope)?)),
                    None => self.leaf(scev, scope),
                },
            },
        }
    }

    /// The sum, product or recurrence of what `of` says of its operands; `None` for other expressions.
    fn by_parts(
        &self,
        scev: Scev<'a>,
        scope: &Scope,
        of: impl Fn(Scev<'a>) -> Modelled<'a, Polynomial>,
    ) -> Modelled<'a, Option<Polynomial>> {
        let space = scope.space();
        match scev.kind() {
            ScevKind::Add(parts, _) => {
                let mut sum = Polynomial::new(space);
                for part in parts {
                    sum = sum.plus(&of(part)?);
                }
                Ok(Some(sum))
            }
            ScevKind::Mul(parts, _) => {
                let mut product = Polynomial::constant(&space, 1);
                let parts = match self.products {
                    Products::Apart => parts,
                    Products::Whole => self.with_whole_product(scev, parts),
                };
                for part in parts {
                    product = product.times(&of(part)?).ok_or_else(not_affine)?;
                }
                Ok(Some(product))
            }
            ScevKind::AddRec(l, operands, _) => {
                let Some(counter) = self.converter.counter(l, scope) else {
                    return Ok(None);
                };
                let [start, step] = operands[..] else {
                    return Err(not_affine());
                };
                let steps = of(step)?.times(&Polynomial::of(counter)).ok_or_else(not_affine)?;
                Ok(Some(of(start)?.plus(&steps)))
            }
            _ => Ok(None),
        }
    }

    /// The factors of a product, with those that are no constants as one where all are parameters.
    fn with_whole_product(&self, scev: Scev<'a>, parts: Vec<Scev<'a>>) -> Vec<Scev<'a>> {
        let (factor, rest) = factored(self.converter.run, scev);
        match rest != scev && self.is_whole_product(rest) {
            true => vec![self.converter.run.number(scev.ty().expect("an integer"), factor), rest],
            false => parts,
        }
    }

    /// Pieces of the counters' space, on each of which the minima, maxima, small quotients and remainders in the expression are affine:
    /// sets that are disjoint and cover the domain.
    ///
    /// # Errors
    /// If one of them has no pieces, or there are too many.
    pub(crate) fn pieces(&self, scev: Scev<'a>, scope: &Scope) -> Modelled<'a, Vec<Set>> {
        let mut pieces = vec![Set::universe(scope.space())];
        let mut open = vec![scev];
        let mut seen: IndexSet<Scev<'a>> = IndexSet::new();
        while let Some(part) = open.pop() {
            self.converter.budget.spend(1)?;
            if !seen.insert(part) || self.converter.is_parameter(part) {
                continue;
            }
            let reading = match part.kind() {
                ScevKind::Add(parts, _) | ScevKind::Mul(parts, _) | ScevKind::AddRec(_, parts, _) => {
                    open.extend(parts);
                    continue;
                }
                ScevKind::Truncate(part) | ScevKind::ZeroExtend(part) | ScevKind::SignExtend(part) => {
                    open.push(part);
                    continue;
                }
                ScevKind::Unknown(value) => {
                    match self
                        .converter
                        .attempt(|| self.converter.exact(part, Reading::Signed, scope))?
                    {
                        Ok(value) if value.as_affine().is_none() => {
                            pieces = self.cut(&pieces, &sets_of(&value), scope)?
                        }
                        Ok(_) => {}
                        // Numbers that are not affine by themselves, as a row times its length is.
                        Err(declined) => match self.converter.decision(value, scope)? {
                            Some(Decision { holds, fails, parts }) => {
                                pieces = self.cut(&pieces, &[holds, fails], scope)?;
                                open.extend(parts);
                            }
                            None => return Err(declined.into()),
                        },
                    }
                    continue;
                }
                ScevKind::SMax(_) | ScevKind::SMin(_) => Reading::Signed,
                ScevKind::UMax(_) | ScevKind::UMin(_) | ScevKind::SequentialUMin(_) | ScevKind::UDiv(..) => {
                    Reading::Unsigned
                }
                _ => continue,
            };
            let value = self.converter.exact(part, reading, scope)?;
            if value.as_affine().is_none() {
                pieces = self.cut(&pieces, &sets_of(&value), scope)?;
            }
        }
        Ok(pieces)
    }

    /// The pieces of the domain that are in one of these disjoint sets each.
    fn cut(&self, pieces: &[Set], sets: &[Set], scope: &Scope) -> Modelled<'a, Vec<Set>> {
        let mut all = Vec::new();
        for piece in pieces {
            for own in sets {
                let both = piece.intersect(own);
                if !self.converter.is_excluded(&scope.domain.intersect(&both))? {
                    all.push(both);
                }
            }
        }
        match all.len() {
            0 => Ok(pieces.to_vec()),
            1..=MOST_PIECES => Ok(all),
            _ => Err(not_affine()),
        }
    }

    /// The affine value of an expression; where there is none, `of` the one of two values that is chosen throughout the scope. A parameter of an
    /// affine value stays in the coefficient of a row, as in `(2 * n - 2 - y) * m`.
    fn or_chosen(
        &self,
        scev: Scev<'a>,
        scope: &Scope,
        affine: impl FnOnce() -> Modelled<'a, Polynomial>,
        of: impl FnOnce(Scev<'a>) -> Modelled<'a, Polynomial>,
    ) -> Modelled<'a, Polynomial> {
        if !matches!(scev.kind(), ScevKind::Unknown(_)) {
            return affine();
        }
        match self.converter.attempt(affine)? {
            Ok(value) => Ok(value),
            Err(declined) => match self.chosen(scev, scope)? {
                Some(chosen) => of(chosen),
                None => Err(declined.into()),
            },
        }
    }

    /// The one of two values that is chosen throughout the scope, if the expression is such a choice.
    fn chosen(&self, scev: Scev<'a>, scope: &Scope) -> Modelled<'a, Option<Scev<'a>>> {
        let ScevKind::Unknown(value) = scev.kind() else {
            return Ok(None);
        };
        let Some(Decision { holds, fails, parts }) = self.converter.decision(value, scope)? else {
            return Ok(None);
        };
        let [one, other] = parts;
        for (never, chosen) in [(fails, one), (holds, other)] {
            if self.converter.is_excluded(&scope.domain.intersect(&never))? {
                return Ok(Some(chosen));
            }
        }
        Ok(None)
    }

    /// An expression that is not taken apart: a parameter, or what the converter knows.
    fn leaf(&self, scev: Scev<'a>, scope: &Scope) -> Modelled<'a, Polynomial> {
        if self.converter.is_parameter(scev) {
            return self.parameter(scev, scope);
        }
        let affine = || single(&self.converter.modular(scev, scope)?).map(Polynomial::of);
        self.or_chosen(scev, scope, affine, |chosen| self.modular(chosen, scope))
    }

    fn parameter(&self, scev: Scev<'a>, scope: &Scope) -> Modelled<'a, Polynomial> {
        let run = self.converter.run;
        if !(1..=64).contains(&run.bits(scev)) {
            return Err(not_affine());
        }
        let (atom, _) = self.atoms.borrow_mut().insert_full(run.widened(scev));
        Ok(Polynomial::atom(&scope.space(), atom))
    }

    /// The value of the expression as a signed or an unsigned number.
    fn exact(&self, scev: Scev<'a>, reading: Reading, scope: &Scope) -> Modelled<'a, Polynomial> {
        let holds = |flags: Flags| match reading {
            Reading::Signed => flags.no_signed_wrap,
            Reading::Unsigned => flags.no_unsigned_wrap,
        };
        match scev.kind() {
            ScevKind::Constant(c) if reading == Reading::Signed || c >= 0 => {
                Ok(Polynomial::constant(&scope.space(), c))
            }
            _ if is_remainder(self.converter.run.bits(scev)) => {
                single(&self.converter.exact(scev, reading, scope)?).map(Polynomial::of)
            }
            ScevKind::ZeroExtend(narrow) => self.exact(narrow, Reading::Unsigned, scope),
            ScevKind::SignExtend(narrow) if reading == Reading::Signed => self.exact(narrow, Reading::Signed, scope),
            _ if reading == Reading::Signed && self.is_whole_product(scev) => self.parameter(scev, scope),
            ScevKind::Add(_, flags) | ScevKind::Mul(_, flags) | ScevKind::AddRec(_, _, flags) => {
                if holds(flags)
                    && let Some(value) = self.by_parts(scev, scope, |part| self.exact(part, reading, scope))?
                {
                    return Ok(value);
                }
                let value = self.modular(scev, scope)?;
                self.confine(&value, self.converter.run.bits(scev), reading, scope)?;
                Ok(value)
            }
            _ if self.converter.is_parameter(scev) => {
                if reading == Reading::Unsigned {
                    // The parameter is read with a sign: the four bits of `n & 15` are -1 for 15.
                    let value = self.converter.exact(scev, reading, scope)?;
                    let bits = self.converter.run.bits(scev);
                    self.converter.confine(&value, bits, Reading::Signed, scope)?;
                }
                self.parameter(scev, scope)
            }
            _ => {
                let affine = || single(&self.converter.exact(scev, reading, scope)?).map(Polynomial::of);
                self.or_chosen(scev, scope, affine, |chosen| self.exact(chosen, reading, scope))
            }
        }
    }

    /// Proves or assumes that the value fits into `bits` bits.
    fn confine(&self, value: &Polynomial, bits: u32, reading: Reading, scope: &Scope) -> Modelled<'a, ()> {
        if let Some(aff) = self.affine(value, scope)? {
            // What is no matter of counters is assumed also where nothing is executed, which keeps assumptions simple.
            if reading == Reading::Signed && (2..=64).contains(&bits) && !value.varies() {
                let half = Int::from(1_i128 << (bits - 1));
                if self.confine_between(&aff, &-&half, &(&half - &Int::ONE), scope).is_ok() {
                    return Ok(());
                }
            }
            return self.converter.confine(&Pieces::everywhere(aff), bits, reading, scope);
        }
        if self.wrapping == Wrapping::Proven || !(8..=64).contains(&bits) {
            return Err(not_affine());
        }
        // Half of the range is for the affine part, and the other half is for products.
        let half = Int::from(1_i128 << (bits - 2));
        let least = match reading {
            Reading::Signed => -&half,
            Reading::Unsigned => Int::ZERO,
        };
        let (plain, products): (Vec<_>, Vec<_>) =
            value.terms().partition(|(monomial, aff)| is_affine_term(monomial, aff));
        let mut rest = Polynomial::new(scope.space());
        plain
            .into_iter()
            .for_each(|(monomial, aff)| rest.add_term(monomial.clone(), aff));
        let rest = self.affine(&rest, scope)?.ok_or_else(not_affine)?;
        self.confine_between(&rest, &least, &half, scope)?;
        let share = half.div_floor(&Int::from(products.len() as i64));
        for (monomial, coefficient) in products {
            let constant = coefficient.as_constant();
            if reading == Reading::Unsigned && constant.as_ref().is_some_and(Int::is_neg) {
                return Err(not_affine());
            }
            let factors = monomial.len() + usize::from(constant.is_none());
            let limit = constant.map_or(share.clone(), |c| share.div_floor(&c.abs()));
            let most = root(&limit, factors);
            let least = match reading {
                Reading::Signed => -&most,
                Reading::Unsigned => Int::ZERO,
            };
            if !coefficient.is_constant() {
                self.confine_between(coefficient, &least, &most, scope)?;
            }
            for atom in monomial {
                self.confine_between(&self.value(*atom, scope)?, &least, &most, scope)?;
            }
        }
        Ok(())
    }

    /// Proves or assumes that the expression is between two numbers.
    fn confine_between(&self, aff: &Aff, least: &Int, most: &Int, scope: &Scope) -> Modelled<'a, ()> {
        let outside = negative(&aff.add_constant(&-least)).union(&negative(&aff.neg().add_constant(most)));
        let depends = outside.involves_dims(0, outside.tuple().n());
        let bad: Set = if depends {
            scope.domain.intersect(&outside)
        } else {
            outside
        };
        match self.converter.exclude(&bad)? {
            true => Ok(()),
            false => Err(not_affine()),
        }
    }

    /// The expression of 64 bits that a parameter is.
    pub(crate) fn scev(&self, atom: Atom) -> Scev<'a> {
        self.atoms.borrow()[atom]
    }

    /// The value of a parameter. One with several cases, as the extent `max(0, lda)` of an array in Fortran, is a parameter of its own.
    pub(crate) fn value(&self, atom: Atom, scope: &Scope) -> Modelled<'a, Aff> {
        let scev = self.scev(atom);
        let value = self.converter.exact(scev, Reading::Signed, scope)?;
        match single(&value) {
            Err(_) if self.converter.is_parameter(scev) => self.converter.parameter(scev, scope),
            affine => affine,
        }
    }

    /// The polynomial as an affine expression; `None` if it is not one.
    pub(crate) fn affine(&self, polynomial: &Polynomial, scope: &Scope) -> Modelled<'a, Option<Aff>> {
        if !polynomial.is_affine() {
            return Ok(None);
        }
        let mut sum = Aff::constant(scope.space(), Int::ZERO);
        for (monomial, coefficient) in polynomial.terms() {
            let term = match monomial[..] {
                [] => coefficient.clone(),
                [atom, ..] => {
                    let constant = coefficient.as_constant().ok_or_else(not_affine)?;
                    self.value(atom, scope)?.scale(&constant)
                }
            };
            sum = sum.add(&term);
        }
        Ok(Some(sum))
    }
}

/// The sets of the pieces.
fn sets_of(value: &Pieces) -> Vec<Set> {
    value.iter().map(|(set, _)| set.clone()).collect()
}

/// The expression, if it is the same everywhere.
fn single<'a>(value: &Pieces) -> Modelled<'a, Aff> {
    value.as_affine().cloned().ok_or_else(not_affine)
}

/// The largest number whose power with this exponent is at most `limit`, which is not negative.
fn root(limit: &Int, exponent: usize) -> Int {
    let limit = limit.to_i64().expect("less than a half of the integers of 64 bits");
    let fits = |x: i64| {
        (0..exponent)
            .try_fold(1_i64, |power, _| power.checked_mul(x))
            .is_some_and(|power| power <= limit)
    };
    let (mut low, mut high) = (0_i64, limit.saturating_add(1));
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match fits(middle) {
            true => low = middle,
            false => high = middle,
        }
    }
    Int::from(low)
}

#[cfg(test)]
mod tests {
    use super::root;
    use farkas_polyhedral::int::Int;

    #[test]
    fn roots_are_rounded_down() {
        let root = |limit: i64, exponent| root(&Int::from(limit), exponent).to_i64();
        assert_eq!(root(1 << 30, 2), Some(1 << 15));
        assert_eq!(root((1 << 30) - 1, 2), Some((1 << 15) - 1));
        assert_eq!(root(1 << 30, 3), Some(1 << 10));
        assert_eq!(root(5, 1), Some(5));
        assert_eq!(root(0, 2), Some(0));
    }
}
