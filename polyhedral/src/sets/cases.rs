//! Functions by cases: values on disjoint domains. What piecewise expressions and piecewise tuples of expressions have in
//! common.

use super::{Aff, MultiAff, Params, Set, SetSpace};
use crate::budget::{Budget, Outcome};
use crate::int::Int;

/// What a function may be given by on one of the domains: an expression on points of a space.
pub(super) trait Value: Clone + PartialEq {
    /// The points where both have the same value.
    fn agreement(&self, other: &Self) -> Set;

    /// A value that is the same on `context`.
    fn gist(&self, context: &Set, b: &Budget) -> Outcome<Self>;

    /// The same with the parameters `params`, which include the present ones.
    fn align_params(&self, params: &Params) -> Self;

    /// The value at the values of `args`.
    fn pullback(&self, args: &MultiAff) -> Self;
}

impl Value for Aff {
    fn agreement(&self, other: &Aff) -> Set {
        self.eq_set(other)
    }

    fn gist(&self, context: &Set, b: &Budget) -> Outcome<Aff> {
        Aff::gist(self, context, b)
    }

    fn align_params(&self, params: &Params) -> Aff {
        Aff::align_params(self, params)
    }

    fn pullback(&self, args: &MultiAff) -> Aff {
        Aff::pullback(self, args)
    }
}

impl Value for MultiAff {
    fn agreement(&self, other: &MultiAff) -> Set {
        self.eq_set(other)
    }

    fn gist(&self, context: &Set, b: &Budget) -> Outcome<MultiAff> {
        MultiAff::gist(self, context, b)
    }

    fn align_params(&self, params: &Params) -> MultiAff {
        MultiAff::align_params(self, params)
    }

    fn pullback(&self, args: &MultiAff) -> MultiAff {
        MultiAff::pullback(self, args)
    }
}

/// A partial function: on each of the domains, which are disjoint, the value beside it. All of them are in the same space.
#[derive(Clone, Debug)]
pub(super) struct Cases<V>(Vec<(Set, V)>);

impl<V: Value> Cases<V> {
    /// The function that is defined nowhere.
    pub(super) fn none() -> Self {
        Cases(Vec::new())
    }

    /// The function that is `value` on `domain`.
    pub(super) fn one(domain: Set, value: V) -> Self {
        if domain.is_plainly_empty() {
            return Cases::none();
        }
        Cases(vec![(domain, value)])
    }

    /// The domains and values.
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = (&Set, &V)> {
        self.0.iter().map(|(domain, value)| (domain, value))
    }

    /// The only value, if it is that of all points of the space.
    pub(super) fn only(&self) -> Option<&V> {
        match &self.0[..] {
            [(domain, value)] if is_plainly_universe(domain) => Some(value),
            _ => None,
        }
    }

    /// Adds a case, which overlaps with no other one, unless its domain is empty.
    pub(super) fn push(&mut self, domain: Set, value: V, b: &Budget) -> Outcome<()> {
        b.spend(1 + self.0.len() as u64)?;
        if !domain.is_plainly_empty() && !domain.is_empty(b)? {
            self.push_nonempty(domain, value);
        }
        Ok(())
    }

    pub(super) fn push_nonempty(&mut self, domain: Set, value: V) {
        match self.0.iter_mut().find(|(_, v)| *v == value) {
            Some((other, _)) => *other = other.union(&domain),
            None => self.0.push((domain, value)),
        }
    }

    /// The same domains with other values.
    pub(super) fn map<W: Value>(&self, value: impl Fn(&V) -> W) -> Cases<W> {
        let mut out = Cases::none();
        for (domain, v) in &self.0 {
            out.push_nonempty(domain.clone(), value(v));
        }
        out
    }

    /// The same values on other domains in the same space, which are disjoint as well.
    pub(super) fn map_domains(&self, change: impl Fn(&Set) -> Outcome<Set>, b: &Budget) -> Outcome<Self> {
        let mut out = Cases::none();
        for (domain, value) in &self.0 {
            out.push(change(domain)?, value.clone(), b)?;
        }
        Ok(out)
    }

    /// The same function with the parameters `params`.
    pub(super) fn align_params(&self, params: &Params) -> Self {
        Cases(
            self.0
                .iter()
                .map(|(domain, value)| (domain.align_params(params), value.align_params(params)))
                .collect(),
        )
    }

    /// Where the function is defined.
    pub(super) fn domain(&self, space: SetSpace) -> Set {
        self.0
            .iter()
            .fold(Set::empty(space), |all, (domain, _)| all.union(domain))
    }

    /// Calls `with` for all pairs of cases that have points in common, with those points.
    pub(super) fn for_overlaps<W: Value>(
        &self,
        other: &Cases<W>,
        b: &Budget,
        mut with: impl FnMut(Set, &V, &W) -> Outcome<()>,
    ) -> Outcome<()> {
        for (p, v) in &self.0 {
            for (q, w) in &other.0 {
                b.spend(1 + (p.pieces().len() * q.pieces().len()) as u64)?;
                if is_plainly_universe(p) {
                    with(q.clone(), v, w)?;
                } else if is_plainly_universe(q) {
                    with(p.clone(), v, w)?;
                } else {
                    let both = p.intersect(q);
                    if !both.is_empty(b)? {
                        with(both, v, w)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The function `join(self, other)`, where both are defined.
    pub(super) fn combine<W: Value, U: Value>(
        &self,
        other: &Cases<W>,
        b: &Budget,
        join: impl Fn(&V, &W) -> U,
    ) -> Outcome<Cases<U>> {
        let mut out = Cases::none();
        self.for_overlaps(other, b, |both, v, w| {
            out.push_nonempty(both, join(v, w));
            Ok(())
        })?;
        Ok(out)
    }

    /// Where both are defined, one of the two values: the first on the first of the sets that `prefer` gives, the second on
    /// the second one, which is its complement.
    pub(super) fn choose(&self, other: &Self, b: &Budget, prefer: impl Fn(&V, &V) -> (Set, Set)) -> Outcome<Self> {
        let mut out = Cases::none();
        self.for_overlaps(other, b, |both, v, w| {
            if v == w {
                out.push_nonempty(both, v.clone());
                return Ok(());
            }
            let (first, second) = prefer(v, w);
            out.push(both.intersect(&first), v.clone(), b)?;
            out.push(both.intersect(&second), w.clone(), b)
        })?;
        Ok(out)
    }

    /// Adds the cases of `other` where this function is not defined.
    pub(super) fn or_else(&mut self, other: &Self, space: &SetSpace, b: &Budget) -> Outcome<()> {
        let covered = self.domain(space.clone());
        for (domain, value) in &other.0 {
            self.push(domain.subtract(&covered, b)?, value.clone(), b)?;
        }
        Ok(())
    }

    /// `both`, and each of the two functions where the other one is not defined.
    pub(super) fn beside(&self, other: &Self, both: Self, space: &SetSpace, b: &Budget) -> Outcome<Self> {
        let (own, others) = (self.domain(space.clone()), other.domain(space.clone()));
        let mut out = both;
        for (cases, covered) in [(self, others), (other, own)] {
            for (domain, value) in &cases.0 {
                out.push(domain.subtract(&covered, b)?, value.clone(), b)?;
            }
        }
        Ok(out)
    }

    /// The union of the graphs; none if both functions have different values somewhere.
    pub(super) fn union(&self, other: &Self, b: &Budget) -> Outcome<Option<Self>> {
        let mut out = self.clone();
        for (domain, value) in &other.0 {
            if !out.unite(domain.clone(), value.clone(), b)? {
                return Ok(None);
            }
        }
        Ok(Some(out))
    }

    /// Adds the values of `value` on `domain`. False, and nothing is added, if there are other values already.
    pub(super) fn unite(&mut self, domain: Set, value: V, b: &Budget) -> Outcome<bool> {
        let mut rest = domain;
        for (covered, v) in &self.0 {
            if *v == value {
                continue;
            }
            b.spend(1 + (covered.pieces().len() * rest.pieces().len()) as u64)?;
            let both = covered.intersect(&rest);
            if both.is_empty(b)? {
                continue;
            }
            if !both.is_subset(&v.agreement(&value), b)? {
                return Ok(false);
            }
            rest = rest.subtract(covered, b)?;
        }
        if !rest.is_plainly_empty() {
            self.push_nonempty(rest, value);
        }
        Ok(true)
    }

    /// Whether both functions are defined at the same points of `space` and have the same values there.
    pub(super) fn is_equal(&self, other: &Self, space: &SetSpace, b: &Budget) -> Outcome<bool> {
        if self.is_plainly_equal(other) {
            return Ok(true);
        }
        let mut agree = true;
        self.for_overlaps(other, b, |both, v, w| {
            if agree && v != w {
                agree = both.is_subset(&v.agreement(w), b)?;
            }
            Ok(())
        })?;
        Ok(agree && self.domain(space.clone()).is_equal(&other.domain(space.clone()), b)?)
    }

    /// Whether both have the same cases in the same order.
    pub(super) fn is_plainly_equal(&self, other: &Self) -> bool {
        let same = |((p, v), (q, w)): (&(Set, V), &(Set, V))| v == w && p.pieces() == q.pieces();
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(same)
    }

    /// A function with the same values on `context`: simpler domains and values.
    pub(super) fn gist(&self, context: &Set, b: &Budget) -> Outcome<Self> {
        let mut out = Cases::none();
        for (domain, value) in &self.0 {
            let within = domain.intersect(context);
            if !within.is_empty(b)? {
                // Simpler domains may overlap outside of the context.
                let mut simple = domain.gist(context, b)?;
                for (earlier, _) in &out.0 {
                    simple = simple.subtract(earlier, b)?;
                }
                out.push_nonempty(simple, value.gist(&within, b)?);
            }
        }
        Ok(out)
    }

    /// The same function in fewer and simpler cases: a case is merged with another one where the value of one of them is
    /// right for both.
    pub(super) fn coalesce(&self, b: &Budget) -> Outcome<Self> {
        let mut cases: Vec<(Set, V)> = Vec::with_capacity(self.0.len());
        for (domain, value) in &self.0 {
            let merges = |(other, v): &(Set, V)| -> Outcome<Option<V>> {
                let agreement = v.agreement(value);
                if agreement.is_plainly_empty() {
                    Ok(None)
                } else if domain.is_subset(&agreement, b)? {
                    Ok(Some(v.clone()))
                } else if other.is_subset(&agreement, b)? {
                    Ok(Some(value.clone()))
                } else {
                    Ok(None)
                }
            };
            let mut merged = false;
            for case in &mut cases {
                if let Some(value) = merges(case)? {
                    *case = (case.0.union(domain), value);
                    merged = true;
                    break;
                }
            }
            if !merged {
                cases.push((domain.clone(), value.clone()));
            }
        }
        let mut out = Cases::none();
        for (domain, value) in cases {
            let domain = domain.coalesce(b)?;
            if !domain.is_plainly_empty() {
                out.push_nonempty(domain, value);
            }
        }
        Ok(out)
    }

    /// The function of the values of `args`, where those are integers.
    pub(super) fn pullback(&self, args: &Cases<MultiAff>, b: &Budget) -> Outcome<Self> {
        let mut out = Cases::none();
        for (p, function) in &args.0 {
            for (q, value) in &self.0 {
                out.push(p.intersect(&q.preimage(function)), value.pullback(function), b)?;
            }
        }
        Ok(out)
    }

    /// The value at a point.
    pub(super) fn at(&self, params: &[Int], dims: &[Int], b: &Budget) -> Outcome<Option<&V>> {
        for (domain, value) in &self.0 {
            if domain.contains(params, dims, b)? {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }
}

/// Whether the set plainly has all points of its space.
pub(super) fn is_plainly_universe(set: &Set) -> bool {
    set.pieces().iter().any(|piece| piece.is_plainly_universe())
}
