//! Relations: finite unions of conjunctions between two tuples.

use super::coalesce::{coalesce, compact};
use super::space::aligned_var;
use super::{Conj, MapSpace, Params, Set, Tuple, lexmin, pieces};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, zeros};
use std::borrow::Cow;
use std::sync::Arc;

/// A binary relation between integer tuples, depending on parameters.
#[derive(Clone, Debug)]
pub struct Map {
    space: MapSpace,
    pieces: Arc<Vec<Conj>>,
}

impl Map {
    /// All pairs of the space: `{ x -> y }`.
    pub fn universe(space: MapSpace) -> Map {
        let conj = Conj::universe(space.n_vars());
        Map::from_pieces(space, vec![conj])
    }

    /// The empty relation: `{ x -> y : false }`.
    pub fn empty(space: MapSpace) -> Map {
        Map::from_pieces(space, Vec::new())
    }

    /// The relation `{ x -> y : C(p, x, y) }` of a conjunction over the parameters `p`, the domain and the range
    /// dimensions.
    ///
    /// # Panics
    ///
    /// If a conjunction has another number of variables than the space.
    pub fn from_conj(space: MapSpace, conj: Conj) -> Map {
        Map::from_conjs(space, vec![conj])
    }

    /// The union `{ x -> y : C_1(p, x, y) or C_2(p, x, y) or .. }` of the relations that the conjunctions describe.
    ///
    /// # Panics
    ///
    /// If a conjunction has another number of variables than the space.
    pub fn from_conjs(space: MapSpace, conjs: Vec<Conj>) -> Map {
        for conj in &conjs {
            assert_eq!(
                conj.n_vars(),
                space.n_vars(),
                "a conjunction over the variables of {space}"
            );
        }
        Map::from_pieces(space, pieces::tidy(conjs))
    }

    /// The identity on `tuple`: `{ x -> x }`.
    pub fn identity(params: Params, tuple: Tuple) -> Map {
        let (first, n) = (params.len(), tuple.n());
        let space = MapSpace::new(params, tuple.clone(), tuple);
        let mut conj = Conj::universe(space.n_vars());
        for k in 0..n {
            conj.equate(first + k, first + n + k);
        }
        Map::from_conj(space, conj)
    }

    /// All pairs of an element of `domain` and one of `range`: `{ x -> y : x in A and y in B }`.
    pub fn from_domain_and_range(domain: &Set, range: &Set) -> Map {
        let params = domain.params().union(range.params());
        let space = MapSpace::new(params, domain.tuple().clone(), range.tuple().clone());
        Map::universe(space).intersect_domain(domain).intersect_range(range)
    }

    /// Pairs of which the first is lexicographically smaller than the second: `{ x -> y : x << y }`.
    pub fn lex_lt(params: Params, tuple: Tuple) -> Map {
        Map::lexicographic(params, tuple, false)
    }

    /// Pairs of which the first is lexicographically smaller than the second or equal to it: `{ x -> y : x <<= y }`.
    pub fn lex_le(params: Params, tuple: Tuple) -> Map {
        Map::lexicographic(params, tuple, true)
    }

    /// Pairs of which the first is lexicographically larger than the second: `{ x -> y : x >> y }`.
    pub fn lex_gt(params: Params, tuple: Tuple) -> Map {
        Map::lex_lt(params, tuple).reverse()
    }

    /// Pairs of which the first is lexicographically larger than the second or equal to it: `{ x -> y : x >>= y }`.
    pub fn lex_ge(params: Params, tuple: Tuple) -> Map {
        Map::lex_le(params, tuple).reverse()
    }

    /// The space.
    pub fn space(&self) -> &MapSpace {
        &self.space
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.space.params
    }

    /// The tuple of the domain.
    pub fn domain_tuple(&self) -> &Tuple {
        &self.space.domain
    }

    /// The tuple of the range.
    pub fn range_tuple(&self) -> &Tuple {
        &self.space.range
    }

    /// The conjunctions of which this is the union. They may overlap, and may have locals.
    pub fn pieces(&self) -> &[Conj] {
        &self.pieces
    }

    /// The same relation in conjunctions without locals: every existentially quantified variable is expressed by integer
    /// divisions, which may take more conjunctions.
    pub fn explicit(&self, b: &Budget) -> Outcome<Map> {
        if self.pieces.iter().all(|p| p.n_locals() == 0) {
            return Ok(self.clone());
        }
        let pieces = pieces::explicit(&self.pieces, b)?.into_owned();
        Ok(Map::from_pieces(self.space.clone(), pieces))
    }

    /// The same relation with the parameters `params`, which include the present ones.
    ///
    /// # Panics
    ///
    /// If a parameter of the relation is not among them.
    pub fn align_params(&self, params: &Params) -> Map {
        self.aligned(params).into_owned()
    }

    /// The same relation with another domain tuple of as many dimensions.
    ///
    /// # Panics
    ///
    /// If the numbers of dimensions differ.
    pub fn with_domain_tuple(&self, tuple: Tuple) -> Map {
        assert_eq!(
            tuple.n(),
            self.space.domain.n(),
            "{tuple} in the place of {}",
            self.space.domain
        );
        let space = MapSpace::new(self.space.params.clone(), tuple, self.space.range.clone());
        Map::from_pieces(space, self.pieces.clone())
    }

    /// The same relation with another range tuple of as many dimensions.
    ///
    /// # Panics
    ///
    /// If the numbers of dimensions differ.
    pub fn with_range_tuple(&self, tuple: Tuple) -> Map {
        assert_eq!(
            tuple.n(),
            self.space.range.n(),
            "{tuple} in the place of {}",
            self.space.range
        );
        let space = MapSpace::new(self.space.params.clone(), self.space.domain.clone(), tuple);
        Map::from_pieces(space, self.pieces.clone())
    }

    /// The pairs of both: `{ x -> y : x -> y in R and x -> y in T }`, one conjunction for each pair of conjunctions that is
    /// not plainly empty.
    ///
    /// # Panics
    ///
    /// If the tuples differ, as all operations on two relations of one space.
    pub fn intersect(&self, other: &Map) -> Map {
        let (a, c) = self.aligned_pair(other);
        if pieces::are_plainly_within(&a.pieces, &c.pieces) {
            return a.into_owned();
        }
        if pieces::are_plainly_universe(&a.pieces) {
            return c.into_owned();
        }
        Map::from_pieces(a.space.clone(), pieces::intersect(&a.pieces, &c.pieces))
    }

    /// The pairs of which the first is in `domain`: `{ x -> y in R : x in A }`.
    pub fn intersect_domain(&self, domain: &Set) -> Map {
        self.intersect(&self.domain_lifted(domain))
    }

    /// The pairs of which the second is in `range`: `{ x -> y in R : y in A }`.
    pub fn intersect_range(&self, range: &Set) -> Map {
        self.intersect(&self.range_lifted(range))
    }

    /// The pairs for parameter values in `params`, a parameter set: `p -> { x -> y in R(p) : p in params }`.
    ///
    /// # Panics
    ///
    /// If `params` has dimensions.
    pub fn intersect_params(&self, params: &Set) -> Map {
        self.intersect(&self.params_lifted(params))
    }

    /// The pairs of either: `{ x -> y : x -> y in R or x -> y in T }`.
    pub fn union(&self, other: &Map) -> Map {
        let (a, c) = self.aligned_pair(other);
        if c.pieces.is_empty() {
            return a.into_owned();
        }
        if a.pieces.is_empty() {
            return c.into_owned();
        }
        Map::from_pieces(a.space.clone(), pieces::union(&a.pieces, &c.pieces))
    }

    /// The pairs that are not in `other`: `{ x -> y : x -> y in R and x -> y not in T }`.
    pub fn subtract(&self, other: &Map, b: &Budget) -> Outcome<Map> {
        let (a, c) = self.aligned_pair(other);
        if c.pieces.is_empty() {
            return Ok(a.into_owned());
        }
        Ok(Map::from_pieces(
            a.space.clone(),
            pieces::subtract(&a.pieces, &c.pieces, b)?,
        ))
    }

    /// The pairs of which the first is not in `domain`: `{ x -> y in R : x not in A }`.
    pub fn subtract_domain(&self, domain: &Set, b: &Budget) -> Outcome<Map> {
        self.subtract(&self.domain_lifted(domain), b)
    }

    /// The pairs of the space that are not in this relation: `{ x -> y : x -> y not in R }`.
    pub fn complement(&self, b: &Budget) -> Outcome<Map> {
        Map::universe(self.space.clone()).subtract(self, b)
    }

    /// Whether there is no conjunction left: a cheap test for emptiness that may miss.
    pub fn is_plainly_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Whether there is no pair for any parameter values: `not exists p, x, y: x -> y in R(p)`.
    pub fn is_empty(&self, b: &Budget) -> Outcome<bool> {
        pieces::is_empty(&self.pieces, b)
    }

    /// Whether every pair is in `other`, for all parameter values: `R - T` is empty.
    pub fn is_subset(&self, other: &Map, b: &Budget) -> Outcome<bool> {
        let (a, c) = self.aligned_pair(other);
        pieces::is_subset(&a.pieces, &c.pieces, b)
    }

    /// Whether both have the same pairs for all parameter values: `R <= T` and `T <= R`.
    pub fn is_equal(&self, other: &Map, b: &Budget) -> Outcome<bool> {
        Ok(self.is_subset(other, b)? && other.is_subset(self, b)?)
    }

    /// Whether no pair is in both, for any parameter values.
    pub fn is_disjoint(&self, other: &Map, b: &Budget) -> Outcome<bool> {
        let (a, c) = self.aligned_pair(other);
        pieces::is_disjoint(&a.pieces, &c.pieces, b)
    }

    /// Whether every element is related to at most one: `x -> y` and `x -> z` in `R` imply `y = z`.
    pub fn is_single_valued(&self, b: &Budget) -> Outcome<bool> {
        let first = self.space.params.len() + self.space.domain.n();
        let n_vars = self.space.n_vars();
        let count = self.space.range.n();
        for (i, p) in self.pieces.iter().enumerate() {
            for q in &self.pieces[i..] {
                let determined = |c: &Conj| (first..n_vars).all(|v| lexmin::is_determined(c, v));
                if p == q && determined(p) {
                    continue;
                }
                // Two images of one element that differ in some dimension.
                let other = q.remap(n_vars + count, |v| if v < first { v } else { v + count });
                let pair = p.insert_vars(n_vars, count).intersect(&other);
                for k in 0..count {
                    for sign in [1, -1] {
                        let mut pair = pair.clone();
                        let mut differ = zeros(1 + n_vars + count);
                        differ[0] = Int::from(-1);
                        differ[1 + first + k] = Int::from(sign);
                        differ[1 + n_vars + k] = Int::from(-sign);
                        pair.add_ineq(differ);
                        if !pair.is_empty(b)? {
                            return Ok(false);
                        }
                    }
                }
            }
        }
        Ok(true)
    }

    /// Whether at most one element is related to any: `x -> z` and `y -> z` in `R` imply `x = y`.
    pub fn is_injective(&self, b: &Budget) -> Outcome<bool> {
        self.reverse().is_single_valued(b)
    }

    /// Whether the relation is single-valued and injective.
    pub fn is_bijective(&self, b: &Budget) -> Outcome<bool> {
        Ok(self.is_single_valued(b)? && self.is_injective(b)?)
    }

    /// The inverse relation: `{ y -> x : x -> y in R }`.
    pub fn reverse(&self) -> Map {
        let (params, n, m) = (self.space.params.len(), self.space.domain.n(), self.space.range.n());
        let target = |v| match v {
            v if v < params => v,
            v if v < params + n => v + m,
            v => v - n,
        };
        let pieces = self.pieces.iter().map(|p| p.remap(p.n_vars(), target));
        Map::from_pieces(self.space.reverse(), pieces::tidy(pieces))
    }

    /// The first elements of the pairs: `{ x : exists y: x -> y in R }`.
    pub fn domain(&self, b: &Budget) -> Outcome<Set> {
        let space = self.space.domain_space();
        let pieces = pieces::project(&self.pieces, space.n_vars(), self.space.range.n(), b)?;
        Ok(Set::from_pieces(space, pieces))
    }

    /// The second elements of the pairs: `{ y : exists x: x -> y in R }`.
    pub fn range(&self, b: &Budget) -> Outcome<Set> {
        let pieces = pieces::project(&self.pieces, self.space.params.len(), self.space.domain.n(), b)?;
        Ok(Set::from_pieces(self.space.range_space(), pieces))
    }

    /// The parameter values for which there is a pair, a parameter set: `{ p : exists x, y: x -> y in R(p) }`.
    pub fn project_onto_params(&self, b: &Budget) -> Outcome<Set> {
        self.wrap().project_onto_params(b)
    }

    /// Removes the domain dimensions `x = first .. first + count` by exact integer projection,
    /// `{ u -> y : exists x: (u, x) -> y in R }`. The domain tuple becomes anonymous.
    ///
    /// # Panics
    ///
    /// If there are no such dimensions.
    pub fn project_out_domain(&self, first: usize, count: usize, b: &Budget) -> Outcome<Map> {
        assert!(first + count <= self.space.domain.n(), "the domain of {}", self.space);
        let tuple = Tuple::anonymous(self.space.domain.n() - count);
        let pieces = pieces::project(&self.pieces, self.space.params.len() + first, count, b)?;
        Ok(Map::from_pieces(
            MapSpace::new(self.space.params.clone(), tuple, self.space.range.clone()),
            pieces,
        ))
    }

    /// Removes the range dimensions `y = first .. first + count` by exact integer projection,
    /// `{ x -> v : exists y: x -> (v, y) in R }`. The range tuple becomes anonymous.
    ///
    /// # Panics
    ///
    /// If there are no such dimensions.
    pub fn project_out_range(&self, first: usize, count: usize, b: &Budget) -> Outcome<Map> {
        assert!(first + count <= self.space.range.n(), "the range of {}", self.space);
        let tuple = Tuple::anonymous(self.space.range.n() - count);
        let first = self.space.params.len() + self.space.domain.n() + first;
        let pieces = pieces::project(&self.pieces, first, count, b)?;
        Ok(Map::from_pieces(
            MapSpace::new(self.space.params.clone(), self.space.domain.clone(), tuple),
            pieces,
        ))
    }

    /// This relation followed by `map`, the composition `{ x -> z : exists y: x -> y in R and y -> z in map }`.
    ///
    /// # Panics
    ///
    /// If the range tuple is not the domain tuple of `map`.
    pub fn apply_range(&self, map: &Map, b: &Budget) -> Outcome<Map> {
        assert_eq!(
            self.space.range, map.space.domain,
            "{} followed by {}",
            self.space, map.space
        );
        let params = self.space.params.union(&map.space.params);
        let (first, second) = (self.aligned(&params), map.aligned(&params));
        let (n, mid, m) = (first.space.domain.n(), first.space.range.n(), second.space.range.n());
        // Columns: the parameters, the domain, the range, the tuple between.
        let (p, n_vars) = (params.len(), params.len() + n + m + mid);
        let lift_first = |v: usize| if v < p + n { v } else { v + m };
        let lift_second = |v: usize| match v {
            v if v < p => v,
            v if v < p + mid => v + n + m,
            v => v + n - mid,
        };
        let lifted: Vec<Conj> = second.pieces.iter().map(|c| c.remap(n_vars, lift_second)).collect();
        let mut pieces = Vec::new();
        for conj in first.pieces.iter() {
            let conj = conj.remap(n_vars, lift_first);
            for other in &lifted {
                pieces.push(conj.intersect(other).project(p + n + m, mid, b)?);
            }
        }
        let space = MapSpace::new(params, self.space.domain.clone(), map.space.range.clone());
        Ok(Map::from_pieces(space, pieces::tidy(pieces)))
    }

    /// This relation followed by `map`, with what is between: `{ [x -> y] -> z : x -> y in R and y -> z in map }`.
    ///
    /// # Panics
    ///
    /// If the range tuple is not the domain tuple of `map`.
    pub fn join(&self, map: &Map) -> Map {
        assert_eq!(
            self.space.range, map.space.domain,
            "{} followed by {}",
            self.space, map.space
        );
        let params = self.space.params.union(&map.space.params);
        let (first, second) = (self.aligned(&params), map.aligned(&params));
        let (n, mid, m) = (first.space.domain.n(), first.space.range.n(), second.space.range.n());
        let left = pieces::insert_vars(&first.pieces, params.len() + n + mid, m);
        let right = pieces::insert_vars(&second.pieces, params.len(), n);
        let pair = Tuple::pair(self.space.domain.clone(), self.space.range.clone());
        Map::from_pieces(
            MapSpace::new(params, pair, map.space.range.clone()),
            pieces::intersect(&left, &right),
        )
    }

    /// The relation with its domain replaced by its image under `map`: `{ z -> y : exists x: x -> z in map and x -> y in R }`.
    pub fn apply_domain(&self, map: &Map, b: &Budget) -> Outcome<Map> {
        map.reverse().apply_range(self, b)
    }

    /// The image of `set`: `{ y : exists x in set: x -> y in R }`.
    pub fn apply(&self, set: &Set, b: &Budget) -> Outcome<Set> {
        self.intersect_domain(set).range(b)
    }

    /// The differences of the pairs, as tuples of the range: `{ d : exists x, y: x -> y in R and d = y - x }`.
    ///
    /// # Panics
    ///
    /// If domain and range have not as many dimensions.
    pub fn deltas(&self, b: &Budget) -> Outcome<Set> {
        let n = self.space.domain.n();
        assert_eq!(
            n,
            self.space.range.n(),
            "differences between {} and {}",
            self.space.domain,
            self.space.range
        );
        let (p, n_vars) = (self.space.params.len(), self.space.n_vars());
        // With y = x + d in the place of y only x has to go.
        let mut pieces = Vec::new();
        for piece in self.pieces.iter() {
            let mut shifted = piece.clone();
            for row in shifted.rows_mut() {
                for k in 0..n {
                    let y = row[1 + p + n + k].clone();
                    row[1 + p + k] += y;
                }
            }
            debug_assert_eq!(shifted.n_vars(), n_vars);
            pieces.push(shifted.project(p, n, b)?);
        }
        Ok(Set::from_pieces(self.space.range_space(), pieces::tidy(pieces)))
    }

    /// The lexicographically smallest image of each element of the domain,
    /// `{ x -> y in R : y <<= z for all x -> z in R }`, as [`Set::lexmin`].
    pub fn lexmin(&self, b: &Budget) -> Outcome<Map> {
        let first = self.space.params.len() + self.space.domain.n();
        Ok(Map::from_pieces(
            self.space.clone(),
            lexmin::lexmin(&self.pieces, first, b)?,
        ))
    }

    /// The lexicographically largest image of each element of the domain,
    /// `{ x -> y in R : z <<= y for all x -> z in R }`, as [`Set::lexmin`].
    pub fn lexmax(&self, b: &Budget) -> Outcome<Map> {
        let first = self.space.params.len() + self.space.domain.n();
        Ok(Map::from_pieces(
            self.space.clone(),
            lexmin::lexmax(&self.pieces, first, b)?,
        ))
    }

    /// A simpler relation `G` that has the same intersection with `context` `C`: `G ∩ C = R ∩ C`.
    pub fn gist(&self, context: &Map, b: &Budget) -> Outcome<Map> {
        let (a, c) = self.aligned_pair(context);
        Ok(Map::from_pieces(
            a.space.clone(),
            pieces::gist(&a.pieces, &c.pieces, b)?,
        ))
    }

    /// The same as [`Map::gist`] where the domain is in `context`: `x -> y in G` if and only if `x -> y in R`, for
    /// `x in context`.
    pub fn gist_domain(&self, context: &Set, b: &Budget) -> Outcome<Map> {
        self.gist(&self.domain_lifted(context), b)
    }

    /// The same as [`Map::gist`] where the range is in `context`: `x -> y in G` if and only if `x -> y in R`, for
    /// `y in context`.
    pub fn gist_range(&self, context: &Set, b: &Budget) -> Outcome<Map> {
        self.gist(&self.range_lifted(context), b)
    }

    /// The same as [`Map::gist`] in the parameter set `context`: `G(p) = R(p)` for `p in context`.
    ///
    /// # Panics
    ///
    /// If `context` has dimensions.
    pub fn gist_params(&self, context: &Set, b: &Budget) -> Outcome<Map> {
        self.gist(&self.params_lifted(context), b)
    }

    /// The same relation in fewer conjunctions, where some can be merged, as [`Set::coalesce`].
    pub fn coalesce(&self, b: &Budget) -> Outcome<Map> {
        if self.pieces.len() < 2 {
            return Ok(self.clone());
        }
        Ok(Map::from_pieces(self.space.clone(), coalesce(&self.pieces, b)?))
    }

    /// The same relation without redundant constraints and empty conjunctions, as [`Set::remove_redundancies`].
    pub fn remove_redundancies(&self, b: &Budget) -> Outcome<Map> {
        Ok(Map::from_pieces(
            self.space.clone(),
            pieces::remove_redundancies(&self.pieces, b)?,
        ))
    }

    /// The same relation in fewer conjunctions without redundant constraints, as [`Set::compact`].
    pub fn compact(&self, b: &Budget) -> Outcome<Map> {
        Ok(Map::from_pieces(self.space.clone(), compact(&self.pieces, b)?))
    }

    /// The same relation with implicit equalities made explicit, as [`Set::detect_equalities`].
    pub fn detect_equalities(&self, b: &Budget) -> Outcome<Map> {
        Ok(Map::from_pieces(
            self.space.clone(),
            pieces::detect_equalities(&self.pieces, b)?,
        ))
    }

    /// A superset that is one conjunction, made of the constraints of the pieces, as [`Set::simple_hull`].
    pub fn simple_hull(&self, b: &Budget) -> Outcome<Map> {
        if self.pieces.len() == 1 && self.pieces[0].n_locals() == 0 {
            return Ok(self.clone());
        }
        let hull = pieces::simple_hull(&self.pieces, self.space.n_vars(), b)?;
        Ok(Map::from_conj(self.space.clone(), hull))
    }

    /// Values of the parameters, domain and range of a pair, `(p, x, y)` with `x -> y in R(p)`; none if and only if
    /// there is none.
    pub fn sample(&self, b: &Budget) -> Outcome<Option<(Row, Row, Row)>> {
        let pair = self.wrap().sample(b)?;
        Ok(pair.map(|(params, mut domain)| {
            let range = domain.drain(self.space.domain.n()..).collect();
            (params, domain, range)
        }))
    }

    /// Whether `domain -> range` is a pair for the parameter values `params`, as [`Set::contains`].
    ///
    /// # Panics
    ///
    /// If there is not one value for each parameter and dimension.
    pub fn contains(&self, params: &[Int], domain: &[Int], range: &[Int], b: &Budget) -> Outcome<bool> {
        let point: Vec<Int> = params.iter().chain(domain).chain(range).cloned().collect();
        pieces::contain(&self.pieces, &point, b)
    }

    /// The set of pairs: `{ [x -> y] : x -> y in R }`.
    pub fn wrap(&self) -> Set {
        Set::from_pieces(self.space.wrap(), self.pieces.clone())
    }

    /// The relation `{ x -> [y, z] : x -> y in R and x -> z in T }`, its range an anonymous flat tuple.
    ///
    /// # Panics
    ///
    /// If the domain tuples differ.
    pub fn flat_range_product(&self, other: &Map) -> Map {
        let product = self.range_product(other);
        let n = product.space.range.n();
        product.with_range_tuple(Tuple::anonymous(n))
    }

    /// The relation `{ x -> [y -> z] : x -> y in R and x -> z in T }`.
    ///
    /// # Panics
    ///
    /// If the domain tuples differ.
    pub fn range_product(&self, other: &Map) -> Map {
        assert_eq!(
            self.space.domain, other.space.domain,
            "relations of {} and {}",
            self.space, other.space
        );
        let params = self.space.params.union(&other.space.params);
        let (a, c) = (self.aligned(&params), other.aligned(&params));
        let first = params.len() + a.space.domain.n();
        let (n, m) = (a.space.range.n(), c.space.range.n());
        let left: Vec<Conj> = a.pieces.iter().map(|p| p.insert_vars(first + n, m)).collect();
        let right: Vec<Conj> = c.pieces.iter().map(|p| p.insert_vars(first, n)).collect();
        let range = Tuple::pair(a.space.range.clone(), c.space.range.clone());
        Map::from_pieces(
            MapSpace::new(params, a.space.domain.clone(), range),
            pieces::intersect(&left, &right),
        )
    }

    /// The relation `{ [x -> y] -> x : x -> y in R }`.
    pub fn domain_map(&self) -> Map {
        self.component_map(self.space.domain.clone(), 0)
    }

    /// The relation `{ [x -> y] -> y : x -> y in R }`.
    pub fn range_map(&self) -> Map {
        self.component_map(self.space.range.clone(), self.space.domain.n())
    }

    /// The pairs of which domain dimension `dim` is `value`: `{ x -> y in R : x_dim = value }`.
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    pub fn fix_domain_dim(&self, dim: usize, value: &Int) -> Map {
        assert!(
            dim < self.space.domain.n(),
            "the domain of {} has no dimension {dim}",
            self.space
        );
        self.constrain(|conj| conj.fix(self.space.params.len() + dim, value))
    }

    /// The pairs of which range dimension `dim` is `value`: `{ x -> y in R : y_dim = value }`.
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    pub fn fix_range_dim(&self, dim: usize, value: &Int) -> Map {
        assert!(
            dim < self.space.range.n(),
            "the range of {} has no dimension {dim}",
            self.space
        );
        self.constrain(|conj| conj.fix(self.space.params.len() + self.space.domain.n() + dim, value))
    }

    /// The pairs of which domain dimension `i = domain_dim` is equal to range dimension `j = range_dim`:
    /// `{ x -> y in R : x_i = y_j }`.
    ///
    /// # Panics
    ///
    /// If there are no such dimensions.
    pub fn equate(&self, domain_dim: usize, range_dim: usize) -> Map {
        let (p, n) = (self.space.params.len(), self.space.domain.n());
        assert!(
            domain_dim < n && range_dim < self.space.range.n(),
            "dimensions of {}",
            self.space
        );
        self.constrain(|conj| conj.equate(p + domain_dim, p + n + range_dim))
    }

    /// A relation of conjunctions that are simplified already.
    pub(super) fn from_pieces(space: MapSpace, pieces: impl Into<Arc<Vec<Conj>>>) -> Map {
        Map {
            space,
            pieces: pieces.into(),
        }
    }

    fn constrain(&self, constraint: impl Fn(&mut Conj)) -> Map {
        let mut pieces = self.pieces.to_vec();
        pieces.iter_mut().for_each(constraint);
        Map::from_pieces(self.space.clone(), pieces::tidy(pieces))
    }

    fn lexicographic(params: Params, tuple: Tuple, or_equal: bool) -> Map {
        let (p, n) = (params.len(), tuple.n());
        let space = MapSpace::new(params, tuple.clone(), tuple);
        let mut conjs = Vec::new();
        for level in 0..n + usize::from(or_equal) {
            let mut conj = Conj::universe(space.n_vars());
            for k in 0..level {
                conj.equate(p + k, p + n + k);
            }
            if level < n {
                let mut less = zeros(1 + space.n_vars());
                less[0] = Int::from(-1);
                less[1 + p + level] = Int::from(-1);
                less[1 + p + n + level] = Int::ONE;
                conj.add_ineq(less);
            }
            conjs.push(conj);
        }
        Map::from_conjs(space, conjs)
    }

    /// The relation between the pairs and one of their components, the dimensions from `first` on.
    fn component_map(&self, component: Tuple, first: usize) -> Map {
        let (p, n_pair, n) = (
            self.space.params.len(),
            self.space.n_vars() - self.space.params.len(),
            component.n(),
        );
        let pair = self.space.wrap().tuple;
        let space = MapSpace::new(self.space.params.clone(), pair, component);
        let pieces = self
            .pieces
            .iter()
            .map(|c| {
                let mut conj = c.insert_vars(p + n_pair, n);
                for k in 0..n {
                    conj.equate(p + first + k, p + n_pair + k);
                }
                conj
            })
            .collect();
        Map::from_conjs(space, pieces)
    }

    /// The pairs of the space of which the first is in `domain`.
    fn domain_lifted(&self, domain: &Set) -> Map {
        assert_eq!(
            self.space.domain,
            *domain.tuple(),
            "a domain of {} in {}",
            self.space,
            domain.space()
        );
        let n = self.space.range.n();
        let space = MapSpace::new(
            domain.params().clone(),
            self.space.domain.clone(),
            self.space.range.clone(),
        );
        Map::from_pieces(space, pieces::insert_vars(domain.pieces(), domain.space().n_vars(), n))
    }

    /// The pairs of the space of which the second is in `range`.
    fn range_lifted(&self, range: &Set) -> Map {
        assert_eq!(
            self.space.range,
            *range.tuple(),
            "a range of {} in {}",
            self.space,
            range.space()
        );
        let (p, n) = (range.params().len(), self.space.domain.n());
        let space = MapSpace::new(
            range.params().clone(),
            self.space.domain.clone(),
            self.space.range.clone(),
        );
        Map::from_pieces(space, pieces::insert_vars(range.pieces(), p, n))
    }

    /// The pairs of the space for parameter values in `params`.
    fn params_lifted(&self, params: &Set) -> Map {
        assert_eq!(params.n_dims(), 0, "{} is not a parameter set", params.space());
        let n = self.space.domain.n() + self.space.range.n();
        let space = MapSpace::new(
            params.params().clone(),
            self.space.domain.clone(),
            self.space.range.clone(),
        );
        Map::from_pieces(space, pieces::insert_vars(params.pieces(), params.space().n_vars(), n))
    }

    pub(super) fn aligned(&self, params: &Params) -> Cow<'_, Map> {
        if self.space.params == *params {
            return Cow::Borrowed(self);
        }
        let target = aligned_var(&self.space.params, params);
        let space = MapSpace::new(params.clone(), self.space.domain.clone(), self.space.range.clone());
        let pieces: Vec<Conj> = self.pieces.iter().map(|p| p.remap(space.n_vars(), &target)).collect();
        Cow::Owned(Map::from_pieces(space, pieces))
    }

    fn aligned_pair<'a>(&'a self, other: &'a Map) -> (Cow<'a, Map>, Cow<'a, Map>) {
        let same = self.space.domain == other.space.domain && self.space.range == other.space.range;
        assert!(same, "relations in {} and {}", self.space, other.space);
        let params = self.space.params.union(&other.space.params);
        (self.aligned(&params), other.aligned(&params))
    }
}
