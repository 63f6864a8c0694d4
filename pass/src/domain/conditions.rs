//! Branch conditions as sets of the instances for which they hold.
//!
//! Comparisons, `and`, `or`, `not`, and `select` of booleans become intersections and unions of sets. So do tests of several numbers at
//! once, as LLVM makes of `u || v` and of `u == 0 && v == 0`:
//!
//! ```text
//! %1 = or i32 %u, %v      %2 = icmp eq i32 %1, 0          u = 0 and v = 0
//! ```
//!
//! Any other condition that does not change in the region, as `beta == 0.0`, may be a *flag*: a parameter that is -1 where it holds, as the
//! signed number of one bit that it is, and 0 where it does not.

use crate::detect::declined::{Modelled, Reason};
use crate::scev::cases::{inverse, where_compared};
use crate::scev::convert::Converter;
use crate::scev::pieces::{Pieces, negative, nonnegative, zero};
use crate::scev::scope::{Reading, Scope};
use farkas_llvm::boolean::Boolean;
use farkas_llvm::value::{Block, IntPredicate, Kind, Value};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::Set;
use indexmap::IndexMap;

/// Where the condition, an `i1` that is computed before the block's end, holds, and where it does not.
///
/// # Errors
/// If it is not quasi-affine.
pub(crate) fn where_it_holds<'a>(
    converter: &Converter<'_, 'a, '_>,
    block: Block<'a>,
    scope: &Scope,
    condition: Value<'a>,
) -> Modelled<'a, (Set, Set)> {
    let conditions = Conditions {
        converter,
        block,
        scope,
        flags: false,
    };
    conditions.of(condition)
}

/// Conditions on branches.
pub(crate) struct Conditions<'w, 'c, 'a, 'r> {
    pub(crate) converter: &'w Converter<'c, 'a, 'r>,
    pub(crate) block: Block<'a>,
    pub(crate) scope: &'w Scope,
    /// Whether conditions that are not affine, and do not change in the region, are parameters.
    pub(crate) flags: bool,
}

impl<'a> Conditions<'_, '_, 'a, '_> {
    /// The edges out of the block, each with the instances of the block after which control takes it.
    pub(crate) fn edges(&self, terminator: Value<'a>) -> Modelled<'a, Vec<(Block<'a>, Set)>> {
        let domain = &self.scope.domain;
        match terminator.kind() {
            Kind::Jump(to) => Ok(vec![(to, domain.clone())]),
            Kind::Branch {
                condition,
                then,
                otherwise,
            } => {
                let (holds, fails) = self.of(condition)?;
                Ok(vec![
                    (then, domain.intersect(&holds)),
                    (otherwise, domain.intersect(&fails)),
                ])
            }
            Kind::Switch {
                value,
                cases,
                otherwise,
            } => {
                let value = self.value(value, Reading::Signed)?;
                let mut edges: IndexMap<Block<'a>, Set> = IndexMap::new();
                let mut rest = domain.clone();
                for (case, to) in cases {
                    self.converter.budget.spend(1)?;
                    let case = case.as_integer().ok_or(Reason::NonAffineCondition)?;
                    let minus = Int::from(-i128::from(case));
                    let distance = value.map(|value| value.add_constant(&minus));
                    let space = self.scope.space();
                    let here = domain.intersect(&distance.filter(&space, zero));
                    let above = distance.filter(&space, |d| nonnegative(&d.add_constant(&Int::from(-1))));
                    let below = distance.filter(&space, |d| nonnegative(&d.neg().add_constant(&Int::from(-1))));
                    rest = rest.intersect(&above.union(&below)).coalesce(self.converter.budget)?;
                    let so_far = edges.entry(to).or_insert_with(|| Set::empty(space));
                    *so_far = so_far.union(&here);
                }
                let so_far = edges.entry(otherwise).or_insert_with(|| Set::empty(self.scope.space()));
                *so_far = so_far.union(&rest);
                Ok(edges.into_iter().collect())
            }
            _ => unreachable!("other terminators are declined with the nest's structure"),
        }
    }

    /// The value of an integer that is computed before the block's end.
    fn value(&self, v: Value<'a>, reading: Reading) -> Modelled<'a, Pieces> {
        let run = self.converter.run;
        let scev = run.scev(v).ok_or(Reason::NonAffineCondition)?;
        self.converter
            .exact(run.scev_at_scope(scev, run.loop_of(self.block)), reading, self.scope)
    }

    /// Where the condition, an `i1`, holds, and where it does not.
    pub(crate) fn of(&self, condition: Value<'a>) -> Modelled<'a, (Set, Set)> {
        match self.flags {
            false => self.by_structure(condition),
            true => match self.converter.attempt(|| self.by_structure(condition))? {
                Ok(found) => Ok(found),
                Err(declined) => self.flag(condition).map_err(|_| declined.into()),
            },
        }
    }

    /// As [`Conditions::of`], of a condition that does not change in the region.
    fn flag(&self, condition: Value<'a>) -> Modelled<'a, (Set, Set)> {
        let scev = self.converter.run.scev(condition).ok_or(Reason::NonAffineCondition)?;
        if !self.converter.is_parameter(scev) {
            return Err(Reason::NonAffineCondition.into());
        }
        let value = self.converter.exact(scev, Reading::Signed, self.scope)?;
        let space = self.scope.space();
        Ok((value.filter(&space, negative), value.filter(&space, nonnegative)))
    }

    fn by_structure(&self, condition: Value<'a>) -> Modelled<'a, (Set, Set)> {
        self.converter.budget.spend(1)?;
        let space = self.scope.space();
        let (all, none) = (Set::universe(space.clone()), Set::empty(space));
        match Boolean::of(condition) {
            Boolean::Constant(true) => Ok((all, none)),
            Boolean::Constant(false) => Ok((none, all)),
            Boolean::Not(negated) => self.of(negated).map(|(holds, fails)| (fails, holds)),
            Boolean::And(a, b) => Ok(both(self.of(a)?, self.of(b)?)),
            Boolean::Or(a, b) => self.either(a, b),
            Boolean::Compare(IntPredicate::EQ, a, b) if b.as_integer() == Some(0) => self.is_zero(a, b),
            Boolean::Compare(IntPredicate::NE, a, b) if b.as_integer() == Some(0) => {
                self.is_zero(a, b).map(|(zero, other)| (other, zero))
            }
            Boolean::Compare(predicate, a, b) => self.compare(predicate, a, b),
            Boolean::Opaque => Err(Reason::NonAffineCondition.into()),
        }
    }

    /// Where all bits of a number are zero, and where they are not.
    fn is_zero(&self, number: Value<'a>, zero: Value<'a>) -> Modelled<'a, (Set, Set)> {
        self.converter.budget.spend(1)?;
        match number.is_instruction().then(|| number.kind()) {
            Some(Kind::Or(a, b)) => Ok(both(self.is_zero(a, zero)?, self.is_zero(b, zero)?)),
            _ => self.compare(IntPredicate::EQ, number, zero),
        }
    }

    fn either(&self, a: Value<'a>, b: Value<'a>) -> Modelled<'a, (Set, Set)> {
        let ((a, not_a), (b, not_b)) = (self.of(a)?, self.of(b)?);
        Ok((a.union(&not_a.intersect(&b)), not_a.intersect(&not_b)))
    }

    fn compare(&self, predicate: IntPredicate, a: Value<'a>, b: Value<'a>) -> Modelled<'a, (Set, Set)> {
        let reading = match predicate {
            IntPredicate::UGT | IntPredicate::UGE | IntPredicate::ULT | IntPredicate::ULE => Reading::Unsigned,
            _ => Reading::Signed,
        };
        let difference = self
            .value(a, reading)?
            .combine(&self.value(b, reading)?, |a, b| a.sub(b))
            .ok_or(Reason::NonAffineCondition)?;
        let space = self.scope.space();
        let of = |predicate| difference.filter(&space, |d| where_compared(predicate, d));
        let side = |predicate| -> Modelled<'a, Set> {
            if predicate != IntPredicate::NE {
                return Ok(of(predicate));
            }
            let (above, below) = (of(IntPredicate::SGT), of(IntPredicate::SLT));
            // A number of iterations is compared with zero: a single conjunction is left.
            let is_parameter = !below.involves_dims(0, self.scope.loops.len());
            match is_parameter && self.converter.is_excluded(&below)? {
                true => Ok(above),
                false => Ok(above.union(&below)),
            }
        };
        Ok((side(predicate)?, side(inverse(predicate))?))
    }
}

/// Where two conditions hold both, and where they do not, by where each of them does and does not.
fn both((a, not_a): (Set, Set), (b, not_b): (Set, Set)) -> (Set, Set) {
    (a.intersect(&b), not_a.union(&a.intersect(&not_b)))
}
