//! Bounds of polynomial index expressions: conditions such as `i * n + k < length`, on an index that is linearized by
//! hand.
//!
//! Such a condition describes no quasi-affine set. A check that guards an error only has to hold for all instances,
//! and that follows from bounds of its two sides. Each counter takes its smallest or largest value in them: with `0
//! <= i < n` and `0 <= k < n`, `i * n + k` is at most `n * n - n + n - 1`. A product of two parameters is a parameter
//! of its own. Its factors are assumed to be small, so that the product does not wrap around.

use super::convert::Converter;
use super::pieces::{Pieces, negative, nonnegative};
use super::scope::{Reading, Scope};
use crate::detect::declined::{Modelled, Reason};
use farkas_llvm::boolean::{Boolean, conjuncts};
use farkas_llvm::scev::{Scev, ScevKind};
use farkas_llvm::value::{IntPredicate, Value};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Aff, MultiAff, Set, Tuple};

/// Width of the factors of products in bits, so that products fit in 64 bits.
const FACTOR_BITS: u32 = 31;

/// Makes sure that a condition, an `i1` that is computed in the scope, has this value for all instances of the scope:
/// proves it, or assumes it.
///
/// # Errors
/// If it is not known to have it under any assumption that can be found here.
pub(crate) fn establish_condition<'a>(
    converter: &Converter<'_, 'a, '_>,
    scope: &Scope,
    condition: Value<'a>,
    value: bool,
) -> Modelled<'a, ()> {
    let mut bounds = PolynomialBounds::new(converter, scope);
    bounds.condition(condition, value)?;
    bounds.establish()
}

/// A term of a sum.
pub(crate) struct Term<'a> {
    /// A parameter.
    pub(crate) factor: Option<Scev<'a>>,
    /// Affine in counters and parameters.
    pub(crate) aff: Aff,
}

/// The expression, if it is the same everywhere.
fn single<'a>(value: &Pieces) -> Modelled<'a, Aff> {
    Ok(value.as_affine().cloned().ok_or(Reason::NotAffine)?)
}

/// The bounds of expressions over the instances of a scope, and the conditions that they need.
pub(crate) struct PolynomialBounds<'f, 'c, 'a, 'r> {
    converter: &'f Converter<'c, 'a, 'r>,
    scope: &'f Scope,
    /// Expressions that must be non-negative for all instances.
    needs: Vec<Aff>,
}

impl<'f, 'c, 'a, 'r> PolynomialBounds<'f, 'c, 'a, 'r> {
    pub(crate) fn new(converter: &'f Converter<'c, 'a, 'r>, scope: &'f Scope) -> Self {
        let needs = Vec::new();
        PolynomialBounds {
            converter,
            scope,
            needs,
        }
    }

    /// Requires that the expression is non-negative for all instances.
    pub(crate) fn require_nonnegative(&mut self, aff: Aff) {
        self.needs.push(aff);
    }

    /// Requires that products of the value with others that are as small fit in 64 bits.
    pub(crate) fn require_small(&mut self, aff: &Aff) {
        let most = Int::from((1_i128 << FACTOR_BITS) - 1);
        self.needs.push(aff.add_constant(&most));
        self.needs.push(aff.neg().add_constant(&most));
    }

    /// Proves or assumes all requirements.
    pub(crate) fn establish(&self) -> Modelled<'a, ()> {
        // What is no matter of counters is assumed also where nothing is executed, which keeps assumptions simple.
        let depth = self.scope.space().tuple.n();
        let varies = |aff: &&Aff| nonnegative(aff).involves_dims(0, depth);
        let (varying, same): (Vec<&Aff>, Vec<&Aff>) = self.needs.iter().partition(varies);
        let same = same.into_iter().map(nonnegative);
        let same = same.fold(Set::universe(self.scope.space()), |all, one| all.intersect(&one));
        let budget = self.converter.budget;
        let possible = self.converter.require(&same.project_onto_params(budget)?)?;
        let wrong = varying.into_iter().map(negative);
        let wrong = wrong.fold(Set::empty(self.scope.space()), |all, one| all.union(&one));
        match possible && self.converter.exclude(&self.scope.domain.intersect(&wrong))? {
            true => Ok(()),
            false => Err(Reason::NotAffine.into()),
        }
    }

    fn condition(&mut self, condition: Value<'a>, value: bool) -> Modelled<'a, ()> {
        for (condition, value) in conjuncts(condition, value) {
            self.converter.budget.spend(1)?;
            match Boolean::of(condition) {
                Boolean::Compare(predicate, a, b) => self.compare(predicate, a, b, value)?,
                _ => return Err(Reason::NotAffine.into()),
            }
        }
        Ok(())
    }

    fn compare(&mut self, predicate: IntPredicate, a: Value<'a>, b: Value<'a>, value: bool) -> Modelled<'a, ()> {
        use IntPredicate::{EQ, NE, SGE, SGT, SLE, SLT, UGE, UGT, ULE, ULT};
        let reading = match predicate {
            UGT | UGE | ULT | ULE => Reading::Unsigned,
            _ => Reading::Signed,
        };
        let (less, least, greater) = match (predicate, value) {
            (ULT | SLT, true) | (UGE | SGE, false) => (a, 1, b),
            (ULE | SLE, true) | (UGT | SGT, false) => (a, 0, b),
            (UGT | SGT, true) | (ULE | SLE, false) => (b, 1, a),
            (UGE | SGE, true) | (ULT | SLT, false) => (b, 0, a),
            (EQ | NE, _) => return Err(Reason::NotAffine.into()),
        };
        let (_, most) = self.bounds(less, reading)?;
        let (low, _) = self.bounds(greater, reading)?;
        self.needs.push(low.sub(&most).add_constant(&Int::from(-least)));
        Ok(())
    }

    /// A lower and an upper bound of the value over the instances.
    fn bounds(&mut self, value: Value<'a>, reading: Reading) -> Modelled<'a, (Aff, Aff)> {
        let (converter, run) = (self.converter, self.converter.run);
        let scev = run.scev(value).ok_or(Reason::NotAffine)?;
        let around = match self.scope.loops.last() {
            Some(id) => Some(converter.nest.at(*id).handle),
            None => converter.nest.region.around,
        };
        let scev = run.scev_at_scope(scev, around);
        let exact = converter.attempt(|| single(&converter.exact(scev, reading, self.scope)?))?;
        if let Ok(exact) = exact {
            return Ok((exact.clone(), exact));
        }
        let bits = run.bits(scev);
        if bits == 0 || bits > 64 {
            return Err(Reason::WideInteger(bits).into());
        }
        let mut terms = Vec::new();
        self.terms(scev, &mut terms)?;
        let zero = || Aff::constant(self.scope.space(), Int::ZERO);
        let (mut low, mut high) = (zero(), zero());
        for term in terms {
            let (least, most) = match term.factor {
                None => (term.aff.clone(), term.aff),
                Some(factor) => {
                    let (least, most) = (self.extremum(&term.aff.neg())?.neg(), self.extremum(&term.aff)?);
                    let (least, most) = (self.product(factor, &least)?, self.product(factor, &most)?);
                    let own = self.parameter(factor)?;
                    self.needs.push(own);
                    (least, most)
                }
            };
            (low, high) = (low.add(&least), high.add(&most));
        }
        // The sum of the terms is congruent to the value, and so is the value if it is in the range.
        let two_to = |exponent: u32| Int::from(1_i128 << exponent);
        let (first, last) = match reading {
            Reading::Signed => (-two_to(bits - 1), &two_to(bits - 1) - &Int::ONE),
            Reading::Unsigned => (Int::ZERO, &two_to(bits) - &Int::ONE),
        };
        self.needs.push(low.add_constant(&-&first));
        self.needs.push(high.neg().add_constant(&last));
        Ok((low, high))
    }

    /// As [`PolynomialBounds::terms`], and splits invariant products into factors as well.
    pub(crate) fn stride_terms(&self, scev: Scev<'a>, terms: &mut Vec<Term<'a>>) -> Modelled<'a, ()> {
        match scev.kind() {
            ScevKind::Add(parts, _) => parts.into_iter().try_for_each(|part| self.stride_terms(part, terms)),
            ScevKind::AddRec(l, operands, _) => {
                let ([start, step], Some(counter)) = (&operands[..], self.converter.counter(l, self.scope)) else {
                    return Err(Reason::NotAffine.into());
                };
                self.stride_terms(*start, terms)?;
                self.product_term(vec![*step], counter, terms)
            }
            _ if self.converter.is_parameter(scev) => {
                let one = Aff::constant(self.scope.space(), Int::ONE);
                self.product_term(vec![scev], one, terms)
            }
            _ => self.terms(scev, terms),
        }
    }

    /// Terms whose sum is congruent to the expression modulo two to the power of its number of bits.
    fn terms(&self, scev: Scev<'a>, terms: &mut Vec<Term<'a>>) -> Modelled<'a, ()> {
        let converter = self.converter;
        let affine = |scev| converter.attempt(|| single(&converter.modular(scev, self.scope)?));
        if let Ok(aff) = affine(scev)? {
            terms.push(Term { factor: None, aff });
            return Ok(());
        }
        match scev.kind() {
            ScevKind::Add(parts, _) => parts.into_iter().try_for_each(|part| self.terms(part, terms)),
            ScevKind::AddRec(l, operands, _) => {
                let ([start, step], Some(counter)) = (&operands[..], converter.counter(l, self.scope)) else {
                    return Err(Reason::NotAffine.into());
                };
                self.terms(*start, terms)?;
                self.product_term(vec![*step], counter, terms)
            }
            ScevKind::Mul(factors, _) => {
                let (same, varying): (Vec<_>, Vec<_>) = factors.into_iter().partition(|f| converter.is_parameter(*f));
                match varying[..] {
                    [varying] => self.product_term(same, affine(varying)??, terms),
                    _ => Err(Reason::NotAffine.into()),
                }
            }
            _ => Err(Reason::NotAffine.into()),
        }
    }

    /// Adds the product of an affine expression and of factors that have to be parameters.
    fn product_term(&self, factors: Vec<Scev<'a>>, aff: Aff, terms: &mut Vec<Term<'a>>) -> Modelled<'a, ()> {
        let run = self.converter.run;
        let parts = factors.into_iter().flat_map(|factor| match factor.kind() {
            ScevKind::Mul(parts, _) => parts,
            _ => vec![factor],
        });
        let (constants, others): (Vec<_>, Vec<_>) =
            parts.partition(|part| matches!(part.kind(), ScevKind::Constant(_)));
        if !others.iter().all(|part| self.converter.is_parameter(*part)) {
            return Err(Reason::NotAffine.into());
        }
        let scaled = constants.into_iter().fold(aff, |aff, constant| match constant.kind() {
            // Signs are known of what is left only.
            ScevKind::Constant(c) => aff.scale(&Int::from(c)),
            _ => aff,
        });
        terms.push(Term {
            factor: others.into_iter().reduce(|a, b| run.product(a, b)),
            aff: scaled,
        });
        Ok(())
    }

    /// The largest value of the expression for the values of the counters, if it is one expression of the parameters.
    pub(crate) fn extremum(&self, aff: &Aff) -> Modelled<'a, Aff> {
        let b = self.converter.budget;
        let value = MultiAff::new(aff.space().clone(), Tuple::anonymous(1), vec![aff.clone()]);
        let values = self.scope.domain.apply(&value.to_map(), b)?;
        let largest = values.dim_max_pw_aff(0, b)?;
        match &largest.pieces().collect::<Vec<_>>()[..] {
            [(_, only)] if only.divs().is_empty() && only.den().is_one() => Ok((*only).clone()),
            _ => Err(Reason::NotAffine.into()),
        }
    }

    /// The product of a parameter and an affine expression of parameters, which have to be small for it to be that.
    pub(crate) fn product(&mut self, factor: Scev<'a>, aff: &Aff) -> Modelled<'a, Aff> {
        let run = self.converter.run;
        let own = self.parameter(factor)?;
        self.require_small(&own);
        let mut sum = own.scale(aff.constant_term());
        for (index, name) in aff.space().params.names().iter().enumerate() {
            let coefficient = aff.param_coefficient(index);
            if coefficient.is_zero() {
                continue;
            }
            let other = self.converter.params.borrow().value(name).ok_or(Reason::NotAffine)?;
            let value = self.parameter(other)?;
            self.require_small(&value);
            let product = run.product(run.widened(factor), run.widened(other));
            sum = sum.add(&self.parameter(product)?.scale(coefficient));
        }
        Ok(sum)
    }

    pub(crate) fn parameter(&self, scev: Scev<'a>) -> Modelled<'a, Aff> {
        self.converter.parameter(scev, self.scope)
    }
}
