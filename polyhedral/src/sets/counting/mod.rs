//! Parametric counting: the number of elements of a set as a function of its parameters.
//!
//! A *quasi-polynomial* is a polynomial whose coefficients depend on the residues of its variables modulo some numbers. The
//! number of integer points of a polyhedron with parameters is one on each of finitely many polyhedra of parameter values, a
//! *piecewise quasi-polynomial* (Ehrhart; Verdoolaege et al., "Counting integer points in parametric polytopes using Barvinok's
//! rational functions", 2007). Here a piece is a polynomial with rational coefficients, and its domain says for which
//! residues it counts: the number of `i` in `[n] -> { [i] : 0 <= 2i < n }` is `n/2` for even and `(n + 1)/2` for odd `n > 0`.
//!
//! Points are not counted by generating functions, as Barvinok's algorithm does, but by sums over one dimension after the
//! other (`region.rs`):
//!
//! - From a lower to an upper bound, a polynomial has a sum that is a polynomial in the bounds, by Faulhaber's formulas. In
//!   `[n] -> { [i, j] : 0 <= j <= i < n }` the sum of 1 over `j` is `i + 1`, and the sum of that over `i` is `n/2 + n^2/2`.
//! - Where there are several lower or upper bounds, the polyhedron is cut into *slices*, in each of which one of them is the
//!   tightest.
//! - A bound `c i <= e` with `c > 1` is rounded: for each residue `r` of `e` modulo `c`, it is `i <= (e - r)/c`.
//! - A division `floor(e/d)` is `(e - r)/d`, again for each residue `r`.
//! - What is a multiple of a number is a multiple of a new variable.
//!
//! That takes a time that is exponential in the number of dimensions, as it does in Barvinok's algorithm, but also linear in
//! the moduli. So large moduli are not counted: [`CountError::Unknown`].

mod polynomial;
mod region;

pub use polynomial::Polynomial;

use super::{Conj, Map, Params, Set, SetSpace, Tuple};
use crate::budget::{Budget, OutOfBudget, Outcome};
use crate::int::Int;
use crate::linalg::{Rat, Row};
use region::{Region, Sums};

/// Why elements are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CountError {
    /// The budget is spent.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
    /// There are infinitely many, for some values of the parameters.
    #[error("there is no end of elements")]
    Infinite,
    /// They depend on residues modulo large numbers, which would take too many pieces.
    #[error("not known as a quasi-polynomial")]
    Unknown,
}

/// A piecewise quasi-polynomial on the points of a space: a polynomial in the parameters and dimensions on each of several
/// domains, which are disjoint, and 0 elsewhere.
///
/// ```
/// use farkas_polyhedral::budget::Budget;
/// use farkas_polyhedral::sets::Set;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let triangle: Set = "[n] -> { [i, j] : 0 <= j <= i < n }".parse()?;
/// let card = triangle.card(&Budget::new(1_000_000))?;
/// assert_eq!(card.to_string(), "[n] -> { (1/2 * n + 1/2 * n^2) : n > 0 }");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct PwQuasiPolynomial {
    space: SetSpace,
    pieces: Vec<(Set, Polynomial)>,
}

impl PwQuasiPolynomial {
    /// The function that is 0 everywhere.
    pub fn zero(space: SetSpace) -> PwQuasiPolynomial {
        PwQuasiPolynomial {
            space,
            pieces: Vec::new(),
        }
    }

    /// The space of its arguments.
    pub fn space(&self) -> &SetSpace {
        &self.space
    }

    /// The domains, which are disjoint, and the polynomial on each.
    pub fn pieces(&self) -> impl ExactSizeIterator<Item = (&Set, &Polynomial)> {
        self.pieces.iter().map(|(domain, polynomial)| (domain, polynomial))
    }

    /// The value, if it is the same everywhere.
    pub fn as_constant(&self) -> Option<Rat> {
        match &self.pieces[..] {
            [] => Some(Rat::from(Int::ZERO)),
            [(domain, polynomial)] => {
                let everywhere = domain.pieces().iter().any(Conj::is_plainly_universe);
                polynomial.as_constant().filter(|_| everywhere)
            }
            _ => None,
        }
    }

    /// The value for values of the parameters and of the dimensions.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn evaluate(&self, params: &[Int], dims: &[Int], b: &Budget) -> Outcome<Rat> {
        for (domain, polynomial) in &self.pieces {
            if domain.contains(params, dims, b)? {
                return Ok(polynomial.evaluate(&[params, dims].concat()));
            }
        }
        Ok(Rat::from(Int::ZERO))
    }

    /// The sum of two functions on the points of the same tuple.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    ///
    /// # Panics
    ///
    /// If the tuples differ.
    pub fn add(&self, other: &PwQuasiPolynomial, b: &Budget) -> Outcome<PwQuasiPolynomial> {
        assert_eq!(self.space.tuple, other.space.tuple, "functions on the same tuple");
        let params = self.space.params.union(&other.space.params);
        let mut sum = self.align_params(&params);
        for (domain, polynomial) in other.align_params(&params).pieces {
            sum.add_piece(domain, polynomial, b)?;
        }
        sum.tidy(b)
    }

    /// The same function where the point is in `domain`, and 0 elsewhere.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    ///
    /// # Panics
    ///
    /// If the tuples differ.
    pub fn intersect_domain(&self, domain: &Set, b: &Budget) -> Outcome<PwQuasiPolynomial> {
        let params = self.space.params.union(domain.params());
        let mut restricted = self.align_params(&params);
        for (own, _) in &mut restricted.pieces {
            *own = own.intersect(domain);
        }
        restricted.tidy(b)
    }

    /// The function of the parameters that is the sum of the values at all points of the tuple.
    ///
    /// # Errors
    ///
    /// If the sum has infinitely many terms, or is not known.
    pub fn sum(&self, b: &Budget) -> Result<PwQuasiPolynomial, CountError> {
        let space = SetSpace::params_only(self.space.params.clone());
        let mut total = PwQuasiPolynomial::zero(space);
        for (domain, polynomial) in &self.pieces {
            total.add_sums(sums(domain, polynomial, total.space.n_vars(), b)?, b)?;
        }
        Ok(total.tidy(b)?)
    }

    fn align_params(&self, params: &Params) -> PwQuasiPolynomial {
        let (old, n_new) = (&self.space.params, params.len());
        let target = |var: usize| match old.names().get(var) {
            Some(name) => params.position_of(name).expect("a parameter of both"),
            None => var - old.len() + n_new,
        };
        let aligned =
            |(domain, polynomial): &(Set, Polynomial)| (domain.align_params(params), polynomial.with_vars_at(target));
        PwQuasiPolynomial {
            space: SetSpace::new(params.clone(), self.space.tuple.clone()),
            pieces: self.pieces.iter().map(aligned).collect(),
        }
    }

    /// Adds a polynomial on a domain.
    fn add_piece(&mut self, domain: Set, polynomial: Polynomial, b: &Budget) -> Outcome<()> {
        let mut rest = domain;
        let mut pieces = Vec::new();
        for (own, value) in std::mem::take(&mut self.pieces) {
            b.spend(1 + (own.pieces().len() * rest.pieces().len()) as u64)?;
            let both = own.intersect(&rest);
            if both.is_empty(b)? {
                pieces.push((own, value));
                continue;
            }
            let alone = own.subtract(&rest, b)?;
            rest = rest.subtract(&own, b)?;
            pieces.push((both, value.plus(&Rat::from(Int::ONE), &polynomial)));
            if !alone.is_empty(b)? {
                pieces.push((alone, value));
            }
        }
        if !rest.is_empty(b)? {
            pieces.push((rest, polynomial));
        }
        self.pieces = pieces;
        Ok(())
    }

    fn add_sums(&mut self, sums: Sums, b: &Budget) -> Outcome<()> {
        for (region, polynomial) in sums {
            let mut conj = region.to_conj();
            if conj.simplify() {
                let domain = Set::from_conj(self.space.clone(), conj).remove_redundancies(b)?;
                self.add_piece(domain, polynomial, b)?;
            }
        }
        Ok(())
    }

    /// The same function in few pieces: one for each polynomial.
    fn tidy(self, b: &Budget) -> Outcome<PwQuasiPolynomial> {
        let mut pieces: Vec<(Set, Polynomial)> = Vec::new();
        for (domain, polynomial) in self.pieces {
            if polynomial.is_zero() || domain.is_empty(b)? {
                continue;
            }
            match pieces.iter_mut().find(|(_, other)| *other == polynomial) {
                Some((all, _)) => *all = all.union(&domain),
                None => pieces.push((domain, polynomial)),
            }
        }
        merge_small_pieces(&mut pieces, b)?;
        for (domain, _) in &mut pieces {
            *domain = domain.coalesce(b)?.remove_redundancies(b)?;
        }
        Ok(PwQuasiPolynomial {
            space: self.space,
            pieces,
        })
    }
}

/// Merges pieces of a few points with others whose polynomial has the same values there, as `2 : n = 1` with `2 * n : n > 1`.
fn merge_small_pieces(pieces: &mut Vec<(Set, Polynomial)>, b: &Budget) -> Outcome<()> {
    /// So many points are few, and finding them is worth so much work.
    const FEW: usize = 16;
    const UNITS: u64 = 2000;
    let mut position = 0;
    while position < pieces.len() {
        let (domain, polynomial) = &pieces[position];
        let points = b.trial(UNITS, |b| domain.points(b))?.ok().flatten();
        let points = points.filter(|points| points.len() <= FEW);
        let agrees = |other: &Polynomial, points: &[Row]| {
            let same = |point: &Row| other.evaluate(point) == polynomial.evaluate(point);
            points.iter().all(same)
        };
        let other = points.and_then(|points| {
            let mut others = (0..pieces.len()).filter(|other| *other != position);
            others.find(|other| agrees(&pieces[*other].1, &points))
        });
        match other {
            Some(other) => {
                let merged = pieces[other].0.union(domain);
                pieces[other].0 = merged;
                pieces.remove(position);
            }
            None => position += 1,
        }
    }
    Ok(())
}

/// The sums of a polynomial over the points of a set, for the values of its first `n_kept` variables.
fn sums(set: &Set, polynomial: &Polynomial, n_kept: usize, b: &Budget) -> Result<Sums, CountError> {
    let mut sums = Sums::new();
    for piece in set.explicit(b)?.make_disjoint(b)?.pieces() {
        let mut piece = piece.clone();
        if !piece.simplify() {
            continue;
        }
        if piece.n_locals() > 0 {
            return Err(CountError::Unknown);
        }
        for region in Region::of_conj(&piece, b)? {
            region.sum(polynomial.clone(), n_kept, &mut sums, b)?;
        }
    }
    Ok(sums)
}

/// The number of points of a set for each value of its first variables, those of `space`.
fn count(set: &Set, space: SetSpace, b: &Budget) -> Result<PwQuasiPolynomial, CountError> {
    let one = Polynomial::constant(Rat::from(Int::ONE));
    let sums = sums(set, &one, space.n_vars(), b)?;
    let mut total = PwQuasiPolynomial::zero(space);
    total.add_sums(sums, b)?;
    Ok(total.tidy(b)?)
}

impl Set {
    /// The number of elements for each value of the parameters: `p -> |A(p)|`.
    ///
    /// # Errors
    ///
    /// If there are infinitely many, or if their number is not known.
    pub fn card(&self, b: &Budget) -> Result<PwQuasiPolynomial, CountError> {
        count(self, SetSpace::params_only(self.params().clone()), b)
    }
}

impl Map {
    /// The number of images of each element: `x -> |{ y : x -> y in R }|`.
    ///
    /// # Errors
    ///
    /// If there are infinitely many, or if their number is not known.
    pub fn card(&self, b: &Budget) -> Result<PwQuasiPolynomial, CountError> {
        count(&self.wrap(), self.space().domain_space(), b)
    }
}

/// Piecewise quasi-polynomials on the points of several tuples, each with another one.
#[derive(Clone, Debug)]
pub struct UnionPwQuasiPolynomial {
    params: Params,
    parts: Vec<PwQuasiPolynomial>,
}

impl UnionPwQuasiPolynomial {
    /// The function that is 0 everywhere.
    pub fn zero(params: Params) -> UnionPwQuasiPolynomial {
        UnionPwQuasiPolynomial {
            params,
            parts: Vec::new(),
        }
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The functions on one tuple each.
    pub fn parts(&self) -> &[PwQuasiPolynomial] {
        &self.parts
    }

    /// Adds a function on the points of one tuple.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn add(&mut self, part: &PwQuasiPolynomial, b: &Budget) -> Outcome<()> {
        let params = self.params.union(&part.space.params);
        for own in &mut self.parts {
            *own = own.align_params(&params);
        }
        match self.parts.iter_mut().find(|own| own.space.tuple == part.space.tuple) {
            Some(own) => *own = own.add(part, b)?,
            None => self.parts.push(part.align_params(&params)),
        }
        self.params = params;
        Ok(())
    }

    /// The value, if it is a function of no dimensions and the same for all values of the parameters.
    pub fn as_constant(&self) -> Option<Rat> {
        match &self.parts[..] {
            [] => Some(Rat::from(Int::ZERO)),
            [part] if part.space.tuple == Tuple::unit() => part.as_constant(),
            _ => None,
        }
    }
}
