//! Bands with their members scaled, reduced and shifted.
//!
//! What was isolated is not any more: it was in terms of the old values.

use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::sets::{MultiUnionPwAff, UnionPwAff};
use crate::tree::{Band, Isolation};

impl Band {
    /// The band with member `k` multiplied by `factors[k]`: the same order.
    ///
    /// # Panics
    ///
    /// If there is not one positive factor for each member.
    pub fn scaled(&self, factors: &[i64]) -> Band {
        self.each(factors, |aff, factor| aff.scale(&Int::from(factor)))
    }

    /// The band with member `k` replaced by `floor(member k / factors[k])`: instances that were ordered by it may not be any
    /// more.
    ///
    /// # Panics
    ///
    /// If there is not one positive factor for each member.
    pub fn scaled_down(&self, factors: &[i64]) -> Band {
        self.each(factors, |aff, factor| aff.divide(&Int::from(factor)).floor())
    }

    /// The band with member `k` replaced by `member k mod moduli[k]`: another order, unless all values that meet lie in the
    /// same period. It is not marked permutable any more.
    ///
    /// # Panics
    ///
    /// If there is not one positive modulus for each member.
    pub fn modulo(&self, moduli: &[i64]) -> Band {
        self.each(moduli, |aff, modulus| aff.modulo(&Int::from(modulus)))
            .with_permutable(false)
    }

    fn each(&self, factors: &[i64], change: impl Fn(&UnionPwAff, i64) -> UnionPwAff) -> Band {
        assert_eq!(factors.len(), self.n(), "a number for each member");
        assert!(factors.iter().all(|factor| *factor >= 1), "positive numbers");
        let affs = self.schedule().affs().iter().zip(factors);
        let affs: Vec<UnionPwAff> = affs.map(|(aff, factor)| change(aff, *factor)).collect();
        if affs.is_empty() {
            return self.clone();
        }
        let schedule = MultiUnionPwAff::new(self.schedule().range_tuple().clone(), affs);
        self.clone().with_schedule(schedule).with_isolation(Isolation::Nothing)
    }

    /// The band with the values of `shift` added: instances of one statement stay in order where its shift is constant.
    /// Instances for which `shift` has no value have none any more. Since distances between statements change, the band is
    /// marked neither permutable nor coincident any more.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    ///
    /// # Panics
    ///
    /// If the values of `shift` are not of the tuple of the band's.
    pub fn shifted(&self, shift: &MultiUnionPwAff, b: &Budget) -> Outcome<Band> {
        let schedule = self.schedule().add(shift, b)?;
        Ok(self.clone().with_schedule(schedule).with_isolation(Isolation::Nothing))
    }
}
