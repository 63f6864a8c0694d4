//! Inner subscripts within their sizes: what makes the subscripts of an element unique.
//!
//! The same element has several subscripts, of which one has inner ones in bounds:
//!
//! ```text
//! a[n * i + n - 1]      row i + 1 and column -1, or row i and column n - 1
//! ```
//!
//! That is proven on the domain of an access. Where it is not, it is assumed, or rows [may overlap](super::delinearization).

use crate::detect::declined::Modelled;
use crate::scev::convert::Converter;
use crate::scev::pieces::{negative, nonnegative};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Aff, Set, SetSpace};

/// The fact that a subscript is within `0..size` on a domain.
#[derive(Debug)]
struct InBounds {
    domain: Set,
    subscript: Aff,
    size: Aff,
}

impl InBounds {
    fn says(&self, domain: &Set, subscript: &Aff, size: &Aff) -> bool {
        self.domain.is_same(domain) && self.subscript == *subscript && self.size == *size
    }
}

/// What becomes of a shape for which an inner subscript is not proven to be in bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Unproven {
    /// It is no shape.
    Misfit,
    /// That the subscript is in bounds is assumed.
    Assume,
    /// The same if that may hold. It is not assumed: rows may overlap.
    OverlapSometimes,
    /// Rows may overlap.
    Overlap,
}

/// What is known of the inner subscripts of an array.
#[derive(Default)]
pub(super) struct KnownBounds {
    /// What is proven or assumed.
    facts: Vec<InBounds>,
    /// The parameters for which the others are in bounds.
    pub(super) apart: Option<Set>,
}

impl KnownBounds {
    /// The part of a domain in which rows are apart.
    fn where_apart(&self, domain: &Set) -> Set {
        match &self.apart {
            Some(apart) => domain.intersect_params(apart),
            None => domain.clone(),
        }
    }

    /// Notes that rows are apart for these parameters at the most.
    fn restrict(&mut self, own: Set) {
        if own.is_plainly_universe() {
            return;
        }
        self.apart = Some(match self.apart.take() {
            Some(so_far) => so_far.intersect_params(&own),
            None => own,
        });
    }

    /// Shifts subscripts so that the inner ones are within `0..size` on the domain. Facts that are proven are noted: other accesses of an
    /// iteration often differ in the outermost subscript only.
    pub(super) fn in_bounds<'a>(
        &mut self,
        converter: &Converter<'_, 'a, '_>,
        (domain, mut subscripts): (&Set, Vec<Aff>),
        sizes: &[Aff],
        unproven: Unproven,
    ) -> Modelled<'a, Option<Vec<Aff>>> {
        for inner in (1..subscripts.len()).rev() {
            let size = &sizes[inner - 1];
            if self
                .facts
                .iter()
                .any(|known| known.says(domain, &subscripts[inner], size))
            {
                continue;
            }
            let mut found = None;
            for by in [0, 1, -1] {
                let shifted = shifted(&subscripts, inner, size, by);
                let outside = domain.intersect(&outside(&shifted[inner], size));
                if converter.is_excluded(&self.where_apart(&outside))? {
                    found = Some(shifted);
                    break;
                }
            }
            if found.is_none() {
                let likely = shifted(&subscripts, inner, size, rows_beyond(&subscripts[inner], size));
                let bad = outside(&likely[inner], size);
                found = self.fits(converter, (&bad, domain), unproven)?.then_some(likely);
            }
            match found {
                Some(found) => subscripts = found,
                None => return Ok(None),
            }
            self.facts.push(InBounds {
                domain: domain.clone(),
                subscript: subscripts[inner].clone(),
                size: size.clone(),
            });
        }
        Ok(Some(subscripts))
    }

    /// Whether a subscript that is out of bounds in the iterations `bad` of a domain is assumed not to be, or rows may overlap.
    fn fits<'a>(
        &mut self,
        converter: &Converter<'_, 'a, '_>,
        (bad, domain): (&Set, &Set),
        unproven: Unproven,
    ) -> Modelled<'a, bool> {
        match unproven {
            Unproven::Misfit => Ok(false),
            // What would leave nothing of the domain is no assumption to make.
            Unproven::Assume => Ok(assume_not(converter, bad, domain)? && !converter.is_excluded(domain)?),
            Unproven::OverlapSometimes | Unproven::Overlap => {
                let never = Set::empty(SetSpace::params_only(Default::default()));
                let apart = excluding(converter, bad, domain)?;
                let is_possible = apart.is_some() || unproven == Unproven::Overlap;
                self.restrict(apart.unwrap_or(never));
                Ok(is_possible
                    && (unproven == Unproven::Overlap || !converter.is_excluded(&self.where_apart(domain))?))
            }
        }
    }
}

/// Assumes that no iteration of the domain is in `bad`. If `bad` depends on no counter, that is assumed whether or not there are
/// iterations: one condition in place of one per case.
fn assume_not<'a>(converter: &Converter<'_, 'a, '_>, bad: &Set, domain: &Set) -> Modelled<'a, bool> {
    let everywhere = !bad.involves_dims(0, bad.tuple().n());
    Ok(everywhere && converter.exclude(bad)? || converter.exclude(&domain.intersect(bad))?)
}

/// What `assume_not` would assume; `None` if that cannot hold.
fn excluding<'a>(converter: &Converter<'_, 'a, '_>, bad: &Set, domain: &Set) -> Modelled<'a, Option<Set>> {
    if !bad.involves_dims(0, bad.tuple().n())
        && let Some(apart) = converter.excluding(bad)?
    {
        return Ok(Some(apart));
    }
    converter.excluding(&domain.intersect(bad))
}

/// The subscripts of the same element with so many rows more in an inner one, whose rows are of this size, and as many less outside of it.
fn shifted(subscripts: &[Aff], inner: usize, size: &Aff, by: i64) -> Vec<Aff> {
    let mut shifted = subscripts.to_vec();
    shifted[inner] = shifted[inner].add(&size.scale(&Int::from(by)));
    shifted[inner - 1] = shifted[inner - 1].add_constant(&Int::from(-by));
    shifted
}

/// By how many rows to shift a subscript that is out of bounds whatever the counters and sizes are.
fn rows_beyond(subscript: &Aff, size: &Aff) -> i64 {
    let is_always = |bad: Set| bad.is_plainly_universe();
    match (
        is_always(negative(subscript)),
        is_always(nonnegative(&subscript.sub(size))),
    ) {
        (true, _) => 1,
        (false, true) => -1,
        (false, false) => 0,
    }
}

/// The instances for which a subscript is not within `0..size`.
fn outside(subscript: &Aff, size: &Aff) -> Set {
    negative(subscript).union(&nonnegative(&subscript.sub(size)))
}
