//! Sets: finite unions of conjunctions in one space.

use super::coalesce::{coalesce, compact};
use super::space::aligned_var;
use super::{Conj, Map, MapSpace, Params, SetSpace, Tuple, lexmin, pieces};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::Row;
use std::borrow::Cow;
use std::sync::Arc;

/// A set of integer tuples, depending on parameters.
#[derive(Clone, Debug)]
pub struct Set {
    space: SetSpace,
    pieces: Arc<Vec<Conj>>,
}

impl Set {
    /// Whether the other is a clone of this set, or this of that, which takes no look at their constraints.
    pub fn is_same(&self, other: &Set) -> bool {
        Arc::ptr_eq(&self.pieces, &other.pieces) && self.space == other.space
    }

    /// All tuples of the space: `{ x }`.
    pub fn universe(space: SetSpace) -> Set {
        let conj = Conj::universe(space.n_vars());
        Set::from_pieces(space, vec![conj])
    }

    /// The empty set: `{ x : false }`.
    pub fn empty(space: SetSpace) -> Set {
        Set::from_pieces(space, Vec::new())
    }

    /// The set `{ x : C(p, x) }` of a conjunction over the parameters `p` and the dimensions `x`.
    ///
    /// # Panics
    ///
    /// If a conjunction has another number of variables than the space.
    pub fn from_conj(space: SetSpace, conj: Conj) -> Set {
        Set::from_conjs(space, vec![conj])
    }

    /// The union `{ x : C_1(p, x) or C_2(p, x) or .. }` of the sets that the conjunctions describe.
    ///
    /// # Panics
    ///
    /// If a conjunction has another number of variables than the space.
    pub fn from_conjs(space: SetSpace, conjs: Vec<Conj>) -> Set {
        for conj in &conjs {
            assert_eq!(
                conj.n_vars(),
                space.n_vars(),
                "a conjunction over the variables of {space}"
            );
        }
        Set::from_pieces(space, pieces::tidy(conjs))
    }

    /// The space.
    pub fn space(&self) -> &SetSpace {
        &self.space
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.space.params
    }

    /// The tuple.
    pub fn tuple(&self) -> &Tuple {
        &self.space.tuple
    }

    /// The number of dimensions, parameters not counted.
    pub fn n_dims(&self) -> usize {
        self.space.tuple.n()
    }

    /// The conjunctions of which this is the union. They may overlap, and may have locals.
    pub fn pieces(&self) -> &[Conj] {
        &self.pieces
    }

    /// The same set in conjunctions without locals: every existentially quantified variable is expressed by integer
    /// divisions, which may take more conjunctions.
    pub fn explicit(&self, b: &Budget) -> Outcome<Set> {
        if self.pieces.iter().all(|p| p.n_locals() == 0) {
            return Ok(self.clone());
        }
        let pieces = pieces::explicit(&self.pieces, b)?.into_owned();
        Ok(Set::from_pieces(self.space.clone(), pieces))
    }

    /// The same set with the parameters `params`, which include the present ones.
    ///
    /// # Panics
    ///
    /// If a parameter of the set is not among them.
    pub fn align_params(&self, params: &Params) -> Set {
        self.aligned(params).into_owned()
    }

    /// The same set with another tuple of as many dimensions.
    ///
    /// # Panics
    ///
    /// If the numbers of dimensions differ.
    pub fn with_tuple(&self, tuple: Tuple) -> Set {
        assert_eq!(tuple.n(), self.n_dims(), "{tuple} in the place of {}", self.space.tuple);
        Set::from_pieces(SetSpace::new(self.space.params.clone(), tuple), self.pieces.clone())
    }

    /// The tuples of both: `{ x : x in A and x in B }`, one conjunction for each pair of conjunctions that is not plainly
    /// empty.
    ///
    /// # Panics
    ///
    /// If the tuples of the spaces differ, as all operations on two sets of one space.
    pub fn intersect(&self, other: &Set) -> Set {
        let (a, c) = self.aligned_pair(other);
        if pieces::are_plainly_within(&a.pieces, &c.pieces) {
            return a.into_owned();
        }
        if pieces::are_plainly_universe(&a.pieces) {
            return c.into_owned();
        }
        Set::from_pieces(a.space.clone(), pieces::intersect(&a.pieces, &c.pieces))
    }

    /// The tuples for parameter values in `params`, a parameter set: `p -> { x in A(p) : p in params }`.
    ///
    /// # Panics
    ///
    /// If `params` has dimensions.
    pub fn intersect_params(&self, params: &Set) -> Set {
        let (a, c) = self.aligned_with_params(params);
        let extended: Vec<Conj> = c.pieces.iter().map(|p| p.insert_vars(p.n_vars(), a.n_dims())).collect();
        Set::from_pieces(a.space.clone(), pieces::intersect(&a.pieces, &extended))
    }

    /// The tuples of either: `{ x : x in A or x in B }`.
    pub fn union(&self, other: &Set) -> Set {
        let (a, c) = self.aligned_pair(other);
        if c.pieces.is_empty() {
            return a.into_owned();
        }
        if a.pieces.is_empty() {
            return c.into_owned();
        }
        Set::from_pieces(a.space.clone(), pieces::union(&a.pieces, &c.pieces))
    }

    /// The tuples that are not in `other`: `{ x : x in A and x not in B }`.
    pub fn subtract(&self, other: &Set, b: &Budget) -> Outcome<Set> {
        let (a, c) = self.aligned_pair(other);
        if c.pieces.is_empty() {
            return Ok(a.into_owned());
        }
        Ok(Set::from_pieces(
            a.space.clone(),
            pieces::subtract(&a.pieces, &c.pieces, b)?,
        ))
    }

    /// The tuples of the space that are not in this set: `{ x : x not in A }`.
    pub fn complement(&self, b: &Budget) -> Outcome<Set> {
        Set::universe(self.space.clone()).subtract(self, b)
    }

    /// Whether there is no conjunction left: a cheap test for emptiness that may miss.
    pub fn is_plainly_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Whether there is no tuple for any parameter values: `not exists p, x: x in A(p)`. Linear programs, and integer
    /// ones where those leave it open ([`crate::solver::integer`]).
    pub fn is_empty(&self, b: &Budget) -> Outcome<bool> {
        pieces::is_empty(&self.pieces, b)
    }

    /// Whether every tuple is in `other`, for all parameter values: `A - B` is empty.
    pub fn is_subset(&self, other: &Set, b: &Budget) -> Outcome<bool> {
        let (a, c) = self.aligned_pair(other);
        pieces::is_subset(&a.pieces, &c.pieces, b)
    }

    /// Whether both have the same tuples for all parameter values: `A <= B` and `B <= A`.
    pub fn is_equal(&self, other: &Set, b: &Budget) -> Outcome<bool> {
        Ok(self.is_subset(other, b)? && other.is_subset(self, b)?)
    }

    /// Whether no tuple is in both, for any parameter values.
    pub fn is_disjoint(&self, other: &Set, b: &Budget) -> Outcome<bool> {
        let (a, c) = self.aligned_pair(other);
        pieces::is_disjoint(&a.pieces, &c.pieces, b)
    }

    /// The parameter values for which the set is not empty, a parameter set: `{ p : exists x: x in A(p) }`.
    pub fn project_onto_params(&self, b: &Budget) -> Outcome<Set> {
        let space = SetSpace::params_only(self.space.params.clone());
        let pieces = pieces::project(&self.pieces, space.n_vars(), self.n_dims(), b)?;
        Ok(Set::from_pieces(space, pieces))
    }

    /// Removes the dimensions `first .. first + count` by exact integer projection, `{ x : exists y: (x, y) in A }`. The tuple
    /// becomes anonymous.
    ///
    /// # Panics
    ///
    /// If there are no such dimensions.
    pub fn project_out(&self, first: usize, count: usize, b: &Budget) -> Outcome<Set> {
        assert!(first + count <= self.n_dims(), "dimensions of {}", self.space);
        let tuple = Tuple::anonymous(self.n_dims() - count);
        let pieces = pieces::project(&self.pieces, self.space.params.len() + first, count, b)?;
        Ok(Set::from_pieces(
            SetSpace::new(self.space.params.clone(), tuple),
            pieces,
        ))
    }

    /// Removes the parameter `n` called `name` by exact integer projection, if there is one:
    /// `{ x : exists n: x in A(n) }`.
    pub fn project_out_param(&self, name: &str, b: &Budget) -> Outcome<Set> {
        let Some(param) = self.space.params.position(name) else {
            return Ok(self.clone());
        };
        let space = SetSpace::new(self.space.params.without(&[param]), self.space.tuple.clone());
        Ok(Set::from_pieces(space, pieces::project(&self.pieces, param, 1, b)?))
    }

    /// The image under `map`: `{ y : exists x in A: x -> y in map }`.
    pub fn apply(&self, map: &Map, b: &Budget) -> Outcome<Set> {
        map.intersect_domain(self).range(b)
    }

    /// The lexicographically smallest tuple for each value of the parameters: `{ x in A : x <<= y for all y in A }`, by
    /// [parametric integer programming](crate::solver::parametric).
    ///
    /// Where there is none because the set is unbounded, there is none in the result.
    pub fn lexmin(&self, b: &Budget) -> Outcome<Set> {
        Ok(Set::from_pieces(
            self.space.clone(),
            lexmin::lexmin(&self.pieces, self.space.params.len(), b)?,
        ))
    }

    /// The lexicographically largest tuple for each value of the parameters, `{ x in A : y <<= x for all y in A }`, as
    /// [`Set::lexmin`].
    pub fn lexmax(&self, b: &Budget) -> Outcome<Set> {
        Ok(Set::from_pieces(
            self.space.clone(),
            lexmin::lexmax(&self.pieces, self.space.params.len(), b)?,
        ))
    }

    /// A simpler set `G` that has the same intersection with `context` `C`: `G ∩ C = A ∩ C`.
    pub fn gist(&self, context: &Set, b: &Budget) -> Outcome<Set> {
        let (a, c) = self.aligned_pair(context);
        Ok(Set::from_pieces(
            a.space.clone(),
            pieces::gist(&a.pieces, &c.pieces, b)?,
        ))
    }

    /// The same as [`Set::gist`] in the parameter set `context`: `G(p) = A(p)` for `p in context`.
    ///
    /// # Panics
    ///
    /// If `context` has dimensions.
    pub fn gist_params(&self, context: &Set, b: &Budget) -> Outcome<Set> {
        let (a, c) = self.aligned_with_params(context);
        let extended: Vec<Conj> = c.pieces.iter().map(|p| p.insert_vars(p.n_vars(), a.n_dims())).collect();
        Ok(Set::from_pieces(
            a.space.clone(),
            pieces::gist(&a.pieces, &extended, b)?,
        ))
    }

    /// The same set in fewer conjunctions: two of them are merged where their union is one conjunction of their
    /// constraints, of those shifted, or of those turned about others (*wrapping*). There may be still fewer.
    pub fn coalesce(&self, b: &Budget) -> Outcome<Set> {
        if self.pieces.len() < 2 {
            return Ok(self.clone());
        }
        Ok(Set::from_pieces(self.space.clone(), coalesce(&self.pieces, b)?))
    }

    /// As [`Set::coalesce`] and [`Set::remove_redundancies`] together, which takes less than one after the other.
    pub fn compact(&self, b: &Budget) -> Outcome<Set> {
        Ok(Set::from_pieces(self.space.clone(), compact(&self.pieces, b)?))
    }

    /// The same set without empty conjunctions, and in each conjunction without inequalities that follow from the
    /// others: a linear program for each.
    pub fn remove_redundancies(&self, b: &Budget) -> Outcome<Set> {
        Ok(Set::from_pieces(
            self.space.clone(),
            pieces::remove_redundancies(&self.pieces, b)?,
        ))
    }

    /// The same set with inequalities that hold with equality on all of a conjunction turned into equalities:
    /// `{ x : x >= 1 and x <= 1 }` is `{ x : x = 1 }`.
    pub fn detect_equalities(&self, b: &Budget) -> Outcome<Set> {
        Ok(Set::from_pieces(
            self.space.clone(),
            pieces::detect_equalities(&self.pieces, b)?,
        ))
    }

    /// The same set in conjunctions that do not overlap: of each, what is in none of those before it.
    pub fn make_disjoint(&self, b: &Budget) -> Outcome<Set> {
        if self.pieces.len() < 2 {
            return Ok(self.clone());
        }
        Ok(Set::from_pieces(
            self.space.clone(),
            pieces::make_disjoint(&self.pieces, b)?,
        ))
    }

    /// A superset that is one conjunction, made of the constraints of the pieces, each shifted as far as the others
    /// need it: `{ x : a.x + c_a >= 0 }` for all `a.x + c >= 0` of a piece, with the smallest `c_a >= c` that holds on
    /// the rational relaxations of all pieces, if there is one. For `{ [0]; [2] }` it is `{ [i] : 0 <= i <= 2 }`.
    pub fn simple_hull(&self, b: &Budget) -> Outcome<Set> {
        if self.pieces.len() == 1 && self.pieces[0].n_locals() == 0 {
            return Ok(self.clone());
        }
        let hull = pieces::simple_hull(&self.pieces, self.space.n_vars(), b)?;
        Ok(Set::from_conj(self.space.clone(), hull))
    }

    /// Values of the parameters and dimensions of an element, `(p, x)` with `x in A(p)`; none if and only if there is
    /// none.
    pub fn sample(&self, b: &Budget) -> Outcome<Option<(Row, Row)>> {
        for piece in self.pieces.iter() {
            if let Some(mut params) = piece.sample(b)? {
                let dims = params.drain(self.space.params.len()..).collect();
                return Ok(Some((params, dims)));
            }
        }
        Ok(None)
    }

    /// Whether `dims` is an element for the parameter values `params`: linear in the size of a set without locals, and an
    /// integer program for each conjunction with some.
    ///
    /// # Panics
    ///
    /// If there is not one value for each parameter and dimension.
    pub fn contains(&self, params: &[Int], dims: &[Int], b: &Budget) -> Outcome<bool> {
        let point: Vec<Int> = params.iter().chain(dims).cloned().collect();
        pieces::contain(&self.pieces, &point, b)
    }

    /// The identity relation on the set: `{ x -> x : x in A }`.
    pub fn identity(&self) -> Map {
        Map::identity(self.space.params.clone(), self.space.tuple.clone()).intersect_domain(self)
    }

    /// Inserts `count` unconstrained dimensions at `pos`: `{ (x, y, z) : (x, z) in A }`, with `pos` dimensions `x`. The
    /// tuple becomes anonymous.
    ///
    /// # Panics
    ///
    /// If there are fewer than `pos` dimensions.
    pub fn insert_dims(&self, pos: usize, count: usize) -> Set {
        assert!(pos <= self.n_dims(), "{} has no dimension {pos}", self.space);
        let tuple = Tuple::anonymous(self.n_dims() + count);
        let pieces: Vec<Conj> = self
            .pieces
            .iter()
            .map(|p| p.insert_vars(self.space.params.len() + pos, count))
            .collect();
        Set::from_pieces(SetSpace::new(self.space.params.clone(), tuple), pieces)
    }

    /// The elements of which dimension `dim` is `value`: `{ x in A : x_dim = value }`.
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    pub fn fix_dim(&self, dim: usize, value: &Int) -> Set {
        assert!(dim < self.n_dims(), "{} has no dimension {dim}", self.space);
        self.fix_var(self.space.params.len() + dim, value)
    }

    /// The elements for which the parameter `name` is `value`; the set itself if there is no such parameter.
    pub fn fix_param(&self, name: &str, value: &Int) -> Set {
        match self.space.params.position(name) {
            Some(param) => self.fix_var(param, value),
            None => self.clone(),
        }
    }

    /// The pairs of an element of this and one of `other`, as a set of the nested tuple:
    /// `{ [x -> y] : x in A and y in B }`.
    pub fn product(&self, other: &Set) -> Set {
        Map::from_domain_and_range(self, other).wrap()
    }

    /// The pairs of an element of this and one of `other`, as anonymous flat tuples: `{ [x, y] : x in A and y in B }`.
    pub fn flat_product(&self, other: &Set) -> Set {
        let product = self.product(other);
        let n = product.n_dims();
        product.with_tuple(Tuple::anonymous(n))
    }

    /// The relation of which this set of pairs is made: `{ x -> y : [x -> y] in A }`.
    ///
    /// # Panics
    ///
    /// If the tuple nests no pair.
    pub fn unwrap(&self) -> Map {
        let Some((domain, range)) = self.space.tuple.nested() else {
            panic!("{} nests no pair", self.space)
        };
        let space = MapSpace::new(self.space.params.clone(), domain.clone(), range.clone());
        Map::from_pieces(space, self.pieces.clone())
    }

    /// A set of conjunctions that are simplified already.
    pub(super) fn from_pieces(space: SetSpace, pieces: impl Into<Arc<Vec<Conj>>>) -> Set {
        Set {
            space,
            pieces: pieces.into(),
        }
    }

    fn fix_var(&self, var: usize, value: &Int) -> Set {
        let mut pieces = self.pieces.to_vec();
        for piece in &mut pieces {
            piece.fix(var, value);
        }
        Set::from_pieces(self.space.clone(), pieces::tidy(pieces))
    }

    pub(super) fn aligned(&self, params: &Params) -> Cow<'_, Set> {
        if self.space.params == *params {
            return Cow::Borrowed(self);
        }
        let target = aligned_var(&self.space.params, params);
        let space = SetSpace::new(params.clone(), self.space.tuple.clone());
        let pieces: Vec<Conj> = self.pieces.iter().map(|p| p.remap(space.n_vars(), &target)).collect();
        Cow::Owned(Set::from_pieces(space, pieces))
    }

    fn aligned_pair<'a>(&'a self, other: &'a Set) -> (Cow<'a, Set>, Cow<'a, Set>) {
        assert_eq!(
            self.space.tuple, other.space.tuple,
            "sets in {} and {}",
            self.space, other.space
        );
        let params = self.space.params.union(&other.space.params);
        (self.aligned(&params), other.aligned(&params))
    }

    fn aligned_with_params<'a>(&'a self, params: &'a Set) -> (Cow<'a, Set>, Cow<'a, Set>) {
        assert_eq!(params.n_dims(), 0, "{} is not a parameter set", params.space);
        let all = self.space.params.union(&params.space.params);
        (self.aligned(&all), params.aligned(&all))
    }
}
