//! Nested tuples: products, and the rearrangements of pairs of pairs.
//!
//! The dimensions of a nested tuple are those of its components one after the other. What only changes the nesting
//! leaves the constraints as they are.

use super::conj::Conj;
use super::{Map, MapSpace, Set, Tuple, UnionMap, UnionSet, pieces};
use crate::budget::{Budget, Outcome};
use crate::linalg::zeros;

/// The components of a tuple that nests a pair.
fn components(tuple: &Tuple) -> (Tuple, Tuple) {
    match tuple.nested() {
        Some((a, b)) => (a.clone(), b.clone()),
        None => panic!("{tuple} nests no pair"),
    }
}

fn flat(tuple: &Tuple) -> Tuple {
    match tuple.nested() {
        None => tuple.clone(),
        Some(_) => Tuple::anonymous(tuple.n()).with_dim_names(tuple.dims().to_vec()),
    }
}

impl Set {
    /// The same elements as tuples that nest no pair: anonymous ones, if the tuple nests a pair.
    pub fn flatten(&self) -> Set {
        self.with_tuple(flat(self.tuple()))
    }
}

impl Map {
    /// The same pairs in another nesting of the same dimensions in the same order.
    fn renested(&self, domain: Tuple, range: Tuple) -> Map {
        debug_assert_eq!(domain.n() + range.n(), self.domain_tuple().n() + self.range_tuple().n());
        let space = MapSpace::new(self.params().clone(), domain, range);
        Map::from_pieces(space, self.pieces().to_vec())
    }

    /// The same pairs with variable `v` moved to `target(v)`.
    fn rearranged(&self, domain: Tuple, range: Tuple, target: impl Fn(usize) -> usize) -> Map {
        let space = MapSpace::new(self.params().clone(), domain, range);
        let n = space.n_vars();
        let moved = self.pieces().iter().map(|p| p.remap(n, &target)).collect();
        Map::from_conjs(space, moved)
    }

    /// The relation `[a -> b] -> c` as `a -> [b -> c]`.
    ///
    /// # Panics
    ///
    /// If the domain nests no pair.
    pub fn curry(&self) -> Map {
        let (a, b) = components(self.domain_tuple());
        self.renested(a, Tuple::pair(b, self.range_tuple().clone()))
    }

    /// The relation `a -> [b -> c]` as `[a -> b] -> c`.
    ///
    /// # Panics
    ///
    /// If the range nests no pair.
    pub fn uncurry(&self) -> Map {
        let (b, c) = components(self.range_tuple());
        self.renested(Tuple::pair(self.domain_tuple().clone(), b), c)
    }

    /// The relation `a -> [[b -> c] -> d]` as `a -> [b -> [c -> d]]`.
    ///
    /// # Panics
    ///
    /// If the range does not nest such a pair.
    pub fn range_curry(&self) -> Map {
        let (bc, d) = components(self.range_tuple());
        let (b, c) = components(&bc);
        self.renested(self.domain_tuple().clone(), Tuple::pair(b, Tuple::pair(c, d)))
    }

    /// The relation `[a -> b] -> [c -> d]` as `[a -> c] -> [b -> d]`.
    ///
    /// # Panics
    ///
    /// If domain and range do not nest pairs.
    pub fn zip(&self) -> Map {
        let (a, b) = components(self.domain_tuple());
        let (c, d) = components(self.range_tuple());
        let first = self.params().len() + a.n();
        let (n_b, n_c) = (b.n(), c.n());
        let target = |v: usize| match v {
            v if v < first || v >= first + n_b + n_c => v,
            v if v < first + n_b => v + n_c,
            v => v - n_b,
        };
        self.rearranged(Tuple::pair(a, c), Tuple::pair(b, d), target)
    }

    /// The relation `[a -> b] -> c` as `[b -> a] -> c`.
    ///
    /// # Panics
    ///
    /// If the domain nests no pair.
    pub fn domain_reverse(&self) -> Map {
        let (a, b) = components(self.domain_tuple());
        let target = exchanged(self.params().len(), a.n(), b.n());
        self.rearranged(Tuple::pair(b, a), self.range_tuple().clone(), target)
    }

    /// The relation `a -> [b -> c]` as `a -> [c -> b]`.
    ///
    /// # Panics
    ///
    /// If the range nests no pair.
    pub fn range_reverse(&self) -> Map {
        let (b, c) = components(self.range_tuple());
        let target = exchanged(self.params().len() + self.domain_tuple().n(), b.n(), c.n());
        self.rearranged(self.domain_tuple().clone(), Tuple::pair(c, b), target)
    }

    /// The same pairs with a domain that nests no pair, as [`Set::flatten`].
    pub fn flatten_domain(&self) -> Map {
        self.renested(flat(self.domain_tuple()), self.range_tuple().clone())
    }

    /// The same pairs with a range that nests no pair, as [`Set::flatten`].
    pub fn flatten_range(&self) -> Map {
        self.renested(self.domain_tuple().clone(), flat(self.range_tuple()))
    }

    /// The same pairs with a domain and a range that nest no pair, as [`Set::flatten`].
    pub fn flatten(&self) -> Map {
        self.renested(flat(self.domain_tuple()), flat(self.range_tuple()))
    }

    /// The relation `{ [a -> c] -> [b -> d] : a -> b in R and c -> d in T }`.
    pub fn product(&self, other: &Map) -> Map {
        let params = self.params().union(other.params());
        let (x, y) = (self.aligned(&params), other.aligned(&params));
        let (p, a, b) = (params.len(), x.domain_tuple().n(), x.range_tuple().n());
        let (c, d) = (y.domain_tuple().n(), y.range_tuple().n());
        let n = p + a + b + c + d;
        let first = |v: usize| if v < p + a { v } else { v + c };
        let second = |v: usize| match v {
            v if v < p => v,
            v if v < p + c => v + a,
            v => v + a + b,
        };
        let left: Vec<Conj> = x.pieces().iter().map(|q| q.remap(n, first)).collect();
        let right: Vec<Conj> = y.pieces().iter().map(|q| q.remap(n, second)).collect();
        let space = MapSpace::new(
            params,
            Tuple::pair(x.domain_tuple().clone(), y.domain_tuple().clone()),
            Tuple::pair(x.range_tuple().clone(), y.range_tuple().clone()),
        );
        Map::from_pieces(space, pieces::intersect(&left, &right))
    }

    /// The relation `{ [a -> b] -> c : a -> c in R and b -> c in T }`.
    ///
    /// # Panics
    ///
    /// If the range tuples differ.
    pub fn domain_product(&self, other: &Map) -> Map {
        self.reverse().range_product(&other.reverse()).reverse()
    }

    /// The relation `{ a -> c : exists b: [a -> b] -> c in R }`.
    ///
    /// # Panics
    ///
    /// If the domain nests no pair.
    pub fn domain_factor_domain(&self, b: &Budget) -> Outcome<Map> {
        let (kept, gone) = components(self.domain_tuple());
        let first = self.params().len() + kept.n();
        self.factor(first, gone.n(), kept, self.range_tuple().clone(), b)
    }

    /// The relation `{ b -> c : exists a: [a -> b] -> c in R }`.
    ///
    /// # Panics
    ///
    /// If the domain nests no pair.
    pub fn domain_factor_range(&self, b: &Budget) -> Outcome<Map> {
        let (gone, kept) = components(self.domain_tuple());
        self.factor(self.params().len(), gone.n(), kept, self.range_tuple().clone(), b)
    }

    /// The relation `{ a -> b : exists c: a -> [b -> c] in R }`.
    ///
    /// # Panics
    ///
    /// If the range nests no pair.
    pub fn range_factor_domain(&self, b: &Budget) -> Outcome<Map> {
        let (kept, gone) = components(self.range_tuple());
        let first = self.params().len() + self.domain_tuple().n() + kept.n();
        self.factor(first, gone.n(), self.domain_tuple().clone(), kept, b)
    }

    /// The relation `{ a -> c : exists b: a -> [b -> c] in R }`.
    ///
    /// # Panics
    ///
    /// If the range nests no pair.
    pub fn range_factor_range(&self, b: &Budget) -> Outcome<Map> {
        let (gone, kept) = components(self.range_tuple());
        let first = self.params().len() + self.domain_tuple().n();
        self.factor(first, gone.n(), self.domain_tuple().clone(), kept, b)
    }

    /// The relation `{ a -> b : exists c, d: [a -> c] -> [b -> d] in R }`.
    ///
    /// # Panics
    ///
    /// If domain and range do not nest pairs.
    pub fn factor_domain(&self, b: &Budget) -> Outcome<Map> {
        self.domain_factor_domain(b)?.range_factor_domain(b)
    }

    /// The relation `{ c -> d : exists a, b: [a -> c] -> [b -> d] in R }`.
    ///
    /// # Panics
    ///
    /// If domain and range do not nest pairs.
    pub fn factor_range(&self, b: &Budget) -> Outcome<Map> {
        self.domain_factor_range(b)?.range_factor_range(b)
    }

    fn factor(&self, first: usize, count: usize, domain: Tuple, range: Tuple, b: &Budget) -> Outcome<Map> {
        let space = MapSpace::new(self.params().clone(), domain, range);
        Ok(Map::from_pieces(
            space,
            pieces::project(self.pieces(), first, count, b)?,
        ))
    }

    /// The pairs `{ [a -> b] -> c in R : a -> c in factor }`.
    ///
    /// # Panics
    ///
    /// If the tuples do not fit.
    pub fn intersect_domain_factor_domain(&self, factor: &Map) -> Map {
        let (a, b) = components(self.domain_tuple());
        assert_eq!(a, *factor.domain_tuple(), "a factor of {}", self.space());
        let first = factor.params().len() + a.n();
        let lifted = pieces::insert_vars(factor.pieces(), first, b.n());
        let space = MapSpace::new(
            factor.params().clone(),
            self.domain_tuple().clone(),
            factor.range_tuple().clone(),
        );
        self.intersect(&Map::from_pieces(space, lifted))
    }

    /// The pairs `{ [a -> b] -> c in R : b -> c in factor }`.
    ///
    /// # Panics
    ///
    /// If the tuples do not fit.
    pub fn intersect_domain_factor_range(&self, factor: &Map) -> Map {
        let (a, b) = components(self.domain_tuple());
        let all = Map::universe(MapSpace::new(factor.params().clone(), a, factor.range_tuple().clone()));
        assert_eq!(b, *factor.domain_tuple(), "a factor of {}", self.space());
        self.intersect(&all.domain_product(factor))
    }

    /// The pairs `{ a -> [b -> c] in R : a -> b in factor }`.
    ///
    /// # Panics
    ///
    /// If the tuples do not fit.
    pub fn intersect_range_factor_domain(&self, factor: &Map) -> Map {
        let (b, c) = components(self.range_tuple());
        let all = Map::universe(MapSpace::new(factor.params().clone(), factor.domain_tuple().clone(), c));
        assert_eq!(b, *factor.range_tuple(), "a factor of {}", self.space());
        self.intersect(&factor.range_product(&all))
    }

    /// The pairs `{ a -> [b -> c] in R : a -> c in factor }`.
    ///
    /// # Panics
    ///
    /// If the tuples do not fit.
    pub fn intersect_range_factor_range(&self, factor: &Map) -> Map {
        let (b, c) = components(self.range_tuple());
        let all = Map::universe(MapSpace::new(factor.params().clone(), factor.domain_tuple().clone(), b));
        assert_eq!(c, *factor.range_tuple(), "a factor of {}", self.space());
        self.intersect(&all.range_product(factor))
    }

    /// The relation `[x -> y] -> y - x` of the pairs `x -> y`, into tuples of the range.
    ///
    /// # Panics
    ///
    /// If domain and range have not as many dimensions.
    pub fn deltas_map(&self) -> Map {
        let (p, n) = (self.params().len(), self.domain_tuple().n());
        assert_eq!(n, self.range_tuple().n(), "differences in {}", self.space());
        let pair = Tuple::pair(self.domain_tuple().clone(), self.range_tuple().clone());
        let space = MapSpace::new(self.params().clone(), pair, self.range_tuple().clone());
        let with_difference = |piece: &Conj| {
            let mut out = piece.insert_vars(p + 2 * n, n);
            for k in 0..n {
                let mut row = zeros(out.n_cols());
                for (first, factor) in [(p, 1), (p + n, -1), (p + 2 * n, 1)] {
                    row[1 + first + k] = factor.into();
                }
                out.add_eq(row);
            }
            out
        };
        Map::from_conjs(space, self.pieces().iter().map(with_difference).collect())
    }
}

/// Exchanges `a` variables from `first` on with the `b` after them.
fn exchanged(first: usize, a: usize, b: usize) -> impl Fn(usize) -> usize {
    move |v| match v {
        v if v < first || v >= first + a + b => v,
        v if v < first + a => v + b,
        v => v - a,
    }
}

impl UnionMap {
    /// What `f` makes of each relation.
    fn collected(&self, f: impl Fn(&Map) -> Option<Map>) -> UnionMap {
        let mut out = UnionMap::empty(self.params().clone());
        self.maps().filter_map(f).for_each(|map| out.add(&map));
        out
    }

    /// The set of the pairs: `{ [x -> y] : x -> y in R }`.
    pub fn wrap(&self) -> UnionSet {
        let mut out = UnionSet::empty(self.params().clone());
        self.maps().for_each(|map| out.add(&map.wrap()));
        out
    }

    /// As [`Map::curry`]; relations of which the domain nests no pair are left out.
    pub fn curry(&self) -> UnionMap {
        self.collected(|map| map.domain_tuple().nested().map(|_| map.curry()))
    }

    /// As [`Map::uncurry`]; relations of which the range nests no pair are left out.
    pub fn uncurry(&self) -> UnionMap {
        self.collected(|map| map.range_tuple().nested().map(|_| map.uncurry()))
    }

    /// As [`Map::zip`]; relations of which domain or range nests no pair are left out.
    pub fn zip(&self) -> UnionMap {
        self.collected(|map| {
            let nested = map.domain_tuple().nested().and(map.range_tuple().nested());
            nested.map(|_| map.zip())
        })
    }

    /// The relation `[x -> y] -> x` of the pairs `x -> y`.
    pub fn domain_map(&self) -> UnionMap {
        self.collected(|map| Some(map.domain_map()))
    }

    /// The relation `[x -> y] -> y` of the pairs `x -> y`.
    pub fn range_map(&self) -> UnionMap {
        self.collected(|map| Some(map.range_map()))
    }

    /// The relation `[x -> y] -> y - x` of the pairs of a tuple with itself.
    pub fn deltas_map(&self) -> UnionMap {
        self.collected(|map| (map.domain_tuple() == map.range_tuple()).then(|| map.deltas_map()))
    }

    /// The differences of the pairs of a tuple with itself: `{ d : exists x, y: x -> y in R and d = y - x }`.
    pub fn deltas(&self, b: &Budget) -> Outcome<UnionSet> {
        let mut out = UnionSet::empty(self.params().clone());
        for map in self.maps().filter(|map| map.domain_tuple() == map.range_tuple()) {
            out.add(&map.deltas(b)?);
        }
        Ok(out)
    }

    /// The union of what `f` makes of the pairs of a relation here and one of `other` for which `fits` holds.
    fn pairwise(&self, other: &UnionMap, fits: impl Fn(&Map, &Map) -> bool, f: impl Fn(&Map, &Map) -> Map) -> UnionMap {
        let mut out = UnionMap::empty(self.params().union(other.params()));
        for x in self.maps() {
            for y in other.maps().filter(|y| fits(x, y)) {
                out.add(&f(x, y));
            }
        }
        out
    }

    /// As [`Map::product`].
    pub fn product(&self, other: &UnionMap) -> UnionMap {
        self.pairwise(other, |_, _| true, Map::product)
    }

    /// As [`Map::domain_product`], for relations with the same range.
    pub fn domain_product(&self, other: &UnionMap) -> UnionMap {
        self.pairwise(other, |x, y| x.range_tuple() == y.range_tuple(), Map::domain_product)
    }

    /// As [`Map::range_product`], for relations with the same domain.
    pub fn range_product(&self, other: &UnionMap) -> UnionMap {
        self.pairwise(other, |x, y| x.domain_tuple() == y.domain_tuple(), Map::range_product)
    }

    /// As [`Map::flat_range_product`], for relations with the same domain.
    pub fn flat_range_product(&self, other: &UnionMap) -> UnionMap {
        self.pairwise(
            other,
            |x, y| x.domain_tuple() == y.domain_tuple(),
            Map::flat_range_product,
        )
    }
}

impl UnionSet {
    /// The relations of which the sets of pairs are made; tuples that nest no pair are left out.
    pub fn unwrap(&self) -> UnionMap {
        let mut out = UnionMap::empty(self.params().clone());
        for set in self.sets().filter(|set| set.tuple().nested().is_some()) {
            out.add(&set.unwrap());
        }
        out
    }

    /// The pairs of an element of this and one of `other`: `{ [x -> y] : x in A and y in B }`.
    pub fn product(&self, other: &UnionSet) -> UnionSet {
        let mut out = UnionSet::empty(self.params().union(other.params()));
        for x in self.sets() {
            other.sets().for_each(|y| out.add(&x.product(y)));
        }
        out
    }
}
