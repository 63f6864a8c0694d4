//! Case distinctions: values that are affine in each of several cases, and that scalar evolution does not look into.
//!
//! | value | cases |
//! |---|---|
//! | `a / c`, `a % c`, signed, by a constant | whether `a` is negative |
//! | `a / n`, `a % n` by a parameter, where `0 <= a < 3 n` | whether `a < n`, and `a < 2 n` |
//! | `a < b ? c : d` | whether `a < b` |
//! | `t[a]`, where `t` is a constant array of a few numbers | which of the numbers it is |

use super::convert::{Converter, not_affine};
use super::pieces::{Pieces, negative, nonnegative, zero};
use super::scope::{Reading, Scope};
use crate::detect::declined::Modelled;
use farkas_llvm::boolean::Boolean;
use farkas_llvm::scev::{Scev, ScevKind};
use farkas_llvm::value::{IntPredicate, Kind, Value};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Aff, Set};
use indexmap::IndexMap;

/// Elements of a constant array, at the most.
const MOST_ELEMENTS: usize = 64;

/// A choice between two numbers.
pub(super) struct Decision<'a> {
    /// Where the first one is chosen.
    pub(super) holds: Set,
    /// Where the second one is.
    pub(super) fails: Set,
    pub(super) parts: [Scev<'a>; 2],
}

impl<'a> Converter<'_, 'a, '_> {
    /// The exact value of an instruction that is one of these; `None` for others.
    pub(super) fn by_cases(&self, value: Value<'a>, reading: Reading, scope: &Scope) -> Modelled<'a, Option<Pieces>> {
        if reading == Reading::Signed {
            for found in [self.signed_division(value, scope)?, self.choice(value, scope)?] {
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        self.constant_element(value, reading, scope)
    }

    /// The exact value of an instruction that divides a signed number by a positive constant or a parameter; `None` for others.
    fn signed_division(&self, value: Value<'a>, scope: &Scope) -> Modelled<'a, Option<Pieces>> {
        if !value.is_instruction() {
            return Ok(None);
        }
        let kind = value.kind();
        let (Kind::SignedQuotient(dividend, divisor) | Kind::SignedRemainder(dividend, divisor)) = kind else {
            return Ok(None);
        };
        let constant = divisor.as_integer();
        let (Some(dividend), Some(divisor)) = (self.run.scev(dividend), self.run.scev(divisor)) else {
            return Ok(None);
        };
        if constant.is_some_and(|constant| constant <= 0) {
            return Ok(None);
        }
        let number = self.exact(dividend, Reading::Signed, scope)?;
        let (quotient, multiple) = match constant.map(Int::from) {
            Some(constant) => {
                let quotient = number.truncated_quotient(&constant).ok_or_else(not_affine)?;
                let quotient = quotient.within(&scope.domain, self.budget)?;
                let multiple = quotient.map(|quotient| quotient.scale(&constant));
                (quotient, multiple)
            }
            None => {
                let quotient = self.small_quotient(dividend, divisor, Reading::Signed, scope)?;
                let divisor = self.exact(divisor, Reading::Signed, scope)?;
                let times = |quotient: &Aff, by: &Aff| by.scale(&quotient.as_constant().expect("0, 1 or 2"));
                let multiple = quotient.combine(&divisor, times).ok_or_else(not_affine)?;
                (quotient, multiple)
            }
        };
        match kind {
            Kind::SignedQuotient(..) => Ok(Some(quotient)),
            _ => Ok(Some(number.combine(&multiple, |a, b| a.sub(b)).ok_or_else(not_affine)?)),
        }
    }

    /// The exact value of a signed number that is chosen by a comparison; `None` for others.
    fn choice(&self, value: Value<'a>, scope: &Scope) -> Modelled<'a, Option<Pieces>> {
        let Some(Decision { holds, fails, parts }) = self.decision(value, scope)? else {
            return Ok(None);
        };
        let exact = |part| self.exact(part, Reading::Signed, scope);
        let (one, other) = (exact(parts[0])?, exact(parts[1])?);
        let chosen = Pieces::choose((&holds, &one), (&fails, &other)).ok_or_else(not_affine)?;
        let chosen = chosen.within(&scope.domain.intersect_params(&self.context()), self.budget)?;
        Ok(Some(chosen))
    }

    /// What is decided where a number is chosen by a comparison of affine numbers; `None` for other numbers.
    pub(super) fn decision(&self, value: Value<'a>, scope: &Scope) -> Modelled<'a, Option<Decision<'a>>> {
        if !value.is_instruction() {
            return Ok(None);
        }
        let Kind::Select(condition, one, other) = value.kind() else {
            return Ok(None);
        };
        let Boolean::Compare(predicate, a, b) = Boolean::of(condition) else {
            return Ok(None);
        };
        let reading = match predicate {
            IntPredicate::UGT | IntPredicate::UGE | IntPredicate::ULT | IntPredicate::ULE => Reading::Unsigned,
            _ => Reading::Signed,
        };
        let scev = |value: Value<'a>| self.run.scev(value).ok_or_else(not_affine);
        let exact = |value: Value<'a>| self.exact(scev(value)?, reading, scope);
        let difference = exact(a)?.combine(&exact(b)?, |a, b| a.sub(b));
        let difference = difference.ok_or_else(not_affine)?;
        Ok(Some(Decision {
            holds: difference.filter(&scope.space(), |d| where_compared(predicate, d)),
            fails: difference.filter(&scope.space(), |d| where_compared(inverse(predicate), d)),
            parts: [scev(one)?, scev(other)?],
        }))
    }

    /// The exact value of an element of a constant array; `None` for others.
    fn constant_element(&self, value: Value<'a>, reading: Reading, scope: &Scope) -> Modelled<'a, Option<Pieces>> {
        if !value.is_instruction() || !self.nest.defines(value) {
            return Ok(None);
        }
        let Kind::Load { pointer } = value.kind() else {
            return Ok(None);
        };
        let Some(address) = self.run.scev(pointer) else {
            return Ok(None);
        };
        let address = self.run.scev_at_scope(address, self.run.loop_of(value.block()));
        let ScevKind::Unknown(array) = self.run.pointer_base(address).kind() else {
            return Ok(None);
        };
        let mut room = [0; MOST_ELEMENTS];
        let elements = self.run.constant_elements(array, value.ty(), &mut room);
        if elements.is_empty() {
            return Ok(None);
        }
        let offset = self.exact(self.run.without_base(address), Reading::Signed, scope)?;
        let size = Int::from(self.run.store_size(value.ty()));
        let domain = scope.domain.intersect_params(&self.context());
        let mut cases: IndexMap<i64, Set> = IndexMap::new();
        let mut rest = domain.clone();
        for (position, element) in elements.iter().enumerate() {
            let here = &size * &Int::from(position as i64);
            let here = offset.filter(&scope.space(), |offset| zero(&offset.add_constant(&-here.clone())));
            if domain.intersect(&here).is_empty(self.budget)? {
                continue;
            }
            rest = rest.subtract(&here, self.budget)?;
            let case = cases.entry(*element).or_insert_with(|| Set::empty(scope.space()));
            *case = case.union(&here);
        }
        // Where the address is that of no element, the value is not known.
        if !rest.is_empty(self.budget)? {
            return Ok(None);
        }
        let modulus = match reading {
            Reading::Signed => Int::ZERO,
            Reading::Unsigned => Int::from(1_i128 << (8 * self.run.store_size(value.ty()))),
        };
        let number = |element: i64| match element < 0 {
            true => &modulus + &Int::from(element),
            false => Int::from(element),
        };
        let cases = cases.into_iter().map(|(element, case)| (case, number(element)));
        Ok(Pieces::of_constants(cases))
    }

    /// The quotient of a number that is not negative, and less than three times the divisor, which is the same throughout the region: 0, 1,
    /// or 2. So are the neighbours of an element of a ring: `(i + 1) % n`, `(i + n - 1) % n`, and `(i + d + n) % n` for `d` from -1 to 1.
    pub(super) fn small_quotient(
        &self,
        dividend: Scev<'a>,
        divisor: Scev<'a>,
        reading: Reading,
        scope: &Scope,
    ) -> Modelled<'a, Pieces> {
        if !self.is_parameter(divisor) {
            return Err(not_affine());
        }
        let dividend = self.exact(dividend, reading, scope)?;
        let divisor = self.exact(divisor, reading, scope)?;
        let (Some(dividend), Some(divisor)) = (dividend.as_affine(), divisor.as_affine()) else {
            return Err(not_affine());
        };
        // What is left where the divisor is taken away once, twice, and three times.
        let rests = [1, 2, 3].map(|times| dividend.sub(&divisor.scale(&Int::from(times))));
        let is_excluded = |bad: &Set| self.is_excluded(&scope.domain.intersect(bad));
        if !is_excluded(&negative(dividend))? || !is_excluded(&nonnegative(&rests[2]))? {
            return Err(not_affine());
        }
        let quotient = match is_excluded(&nonnegative(&rests[1]))? {
            true => Pieces::of_choice(&rests[0], 1, 0),
            false => {
                let once = nonnegative(&rests[0]).intersect(&negative(&rests[1]));
                let cases = [(negative(&rests[0]), 0), (once, 1), (nonnegative(&rests[1]), 2)];
                Pieces::of_constants(cases.into_iter().map(|(set, value)| (set, Int::from(value))))
                    .ok_or_else(not_affine)?
            }
        };
        Ok(quotient.within(&scope.domain.intersect_params(&self.context()), self.budget)?)
    }
}

/// Where a number compares with another one as the predicate says, given their difference.
pub(crate) fn where_compared(predicate: IntPredicate, difference: &Aff) -> Set {
    let at_least = |least: i64| nonnegative(&difference.add_constant(&Int::from(-least)));
    let at_most = |most: i64| nonnegative(&difference.neg().add_constant(&Int::from(most)));
    match predicate {
        IntPredicate::EQ => at_least(0).intersect(&at_most(0)),
        IntPredicate::NE => at_least(1).union(&at_most(-1)),
        IntPredicate::SGT | IntPredicate::UGT => at_least(1),
        IntPredicate::SGE | IntPredicate::UGE => at_least(0),
        IntPredicate::SLT | IntPredicate::ULT => at_most(-1),
        IntPredicate::SLE | IntPredicate::ULE => at_most(0),
    }
}

/// The predicate that holds where this one does not.
pub(crate) fn inverse(predicate: IntPredicate) -> IntPredicate {
    match predicate {
        IntPredicate::EQ => IntPredicate::NE,
        IntPredicate::NE => IntPredicate::EQ,
        IntPredicate::SGT => IntPredicate::SLE,
        IntPredicate::SGE => IntPredicate::SLT,
        IntPredicate::SLT => IntPredicate::SGE,
        IntPredicate::SLE => IntPredicate::SGT,
        IntPredicate::UGT => IntPredicate::ULE,
        IntPredicate::UGE => IntPredicate::ULT,
        IntPredicate::ULT => IntPredicate::UGE,
        IntPredicate::ULE => IntPredicate::UGT,
    }
}
