//! Transitive closures and powers of relations.
//!
//! The closure `R+` of a relation between tuples of one space is `R ∪ R∘R ∪ ...`. It cannot be computed in general; the
//! result is a superset, with a flag that says whether it is known to be exact (Verdoolaege, Cohen and Beletska,
//! *Transitive closures of affine integer tuple relations and their overapproximations*, 2011).
//!
//! The pairs of one conjunction have differences `d` in a polyhedron `{ A d + c >= 0 }`. A path of `k` steps, `k_i` of
//! them from conjunction `i`, has the difference `d_1 + ... + d_m` with `A_i d_i + k_i c_i >= 0` and starts and ends in
//! the domain and the range of `R`. Together with the number of steps this is a superset `P` of the power of `R`:
//!
//! ```text
//! P = { [k] -> [x -> y] : x in dom R, y in ran R, y - x = sum of d_i, k = sum of k_i >= 1, A_i d_i + k_i c_i >= 0 }
//! ```
//!
//! For example the steps of `{ [i] -> [i + 2] : 0 <= i <= 10 }` make
//! `{ [k] -> [[i] -> [j]] : j - i = 2k, 0 <= i <= 10, 2 <= j <= 12, k >= 1 }`. By induction on `k`, `P` is exact if its pairs with
//! `k = 1` are in `R` and those with `k > 1` are in `R` followed by pairs with `k - 1`. This is checked, and only then is
//! a closure called exact.
//!
//! Conjunctions that cannot follow each other in a circle are kept apart: the closure is that of the strongly connected
//! components of "some image of `R_i` is in the domain of `R_j`", composed in topological order. If a component is not
//! exact as a whole, its conjunctions are added one by one: `(A ∪ B)+ = A+ ∪ A* ∘ (B ∘ A*)+`.

use super::conj::Conj;
use super::row;
use super::{Map, MapSpace, Name, Params, Set, SetSpace, Tuple};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, zeros};
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// A superset of what was asked for.
#[derive(Clone, Debug)]
pub struct Approximation<T> {
    /// The superset.
    pub value: T,
    /// Whether the superset is known to be equal.
    pub exact: bool,
}

impl Map {
    /// A superset of `R+ = R ∪ R∘R ∪ ...`.
    ///
    /// # Panics
    ///
    /// If domain and range are different tuples.
    pub fn transitive_closure(&self, b: &Budget) -> Outcome<Approximation<Map>> {
        assert_endomorphism(self);
        let mut parts = Vec::new();
        for piece in self.coalesce(b)?.pieces() {
            let part = Map::from_conj(self.space().clone(), piece.clone());
            if !part.is_empty(b)? {
                parts.push(part);
            }
        }
        let mut closure = Map::empty(self.space().clone());
        let mut exact = true;
        for component in components(&parts, b)? {
            let members: Vec<Map> = component.into_iter().map(|i| parts[i].clone()).collect();
            let own = component_closure(&members, b)?;
            exact &= own.exact;
            let after = closure.apply_range(&own.value, b)?;
            closure = closure.union(&own.value).union(&after);
        }
        Ok(Approximation {
            value: closure.compact(b)?,
            exact,
        })
    }

    /// A superset of `{ [k] -> [x -> y] : x R^k y, k >= 1 }`.
    ///
    /// # Panics
    ///
    /// If domain and range are different tuples.
    pub fn power(&self, b: &Budget) -> Outcome<Approximation<Map>> {
        assert_endomorphism(self);
        let paths = Paths::of(self, b)?;
        let exact = paths.is_exact(self, b)?;
        let space = MapSpace::new(
            self.params().clone(),
            Tuple::anonymous(1),
            Tuple::pair(self.domain_tuple().clone(), self.range_tuple().clone()),
        );
        Ok(Approximation {
            value: Map::from_conjs(space, paths.conjs),
            exact,
        })
    }

    /// A superset of the lengths `k >= 1` of the paths of the relation, `{ [k] : R^k is not empty }`.
    ///
    /// # Panics
    ///
    /// If domain and range are different tuples.
    pub fn reaching_path_lengths(&self, b: &Budget) -> Outcome<Approximation<Set>> {
        let Approximation { value, exact } = self.power(b)?;
        Ok(Approximation {
            value: value.domain(b)?,
            exact,
        })
    }
}

fn assert_endomorphism(map: &Map) {
    assert_eq!(
        map.domain_tuple(),
        map.range_tuple(),
        "paths of a relation from {} to {}",
        map.domain_tuple(),
        map.range_tuple()
    );
}

/// The strongly connected components of the relation "may be followed by", so that no member of a component can be
/// followed by one of an earlier component.
fn components(parts: &[Map], b: &Budget) -> Outcome<Vec<Vec<usize>>> {
    let mut follows = DiGraph::<(), ()>::new();
    let nodes: Vec<NodeIndex> = parts.iter().map(|_| follows.add_node(())).collect();
    for (x, &from) in parts.iter().zip(&nodes) {
        let range = x.range(b)?;
        for (y, &to) in parts.iter().zip(&nodes) {
            if !y.intersect_domain(&range).is_empty(b)? {
                follows.add_edge(from, to, ());
            }
        }
    }
    let mut components: Vec<Vec<usize>> = (tarjan_scc(&follows).into_iter().rev())
        .map(|component| component.into_iter().map(NodeIndex::index).collect())
        .collect();
    components.iter_mut().for_each(|component| component.sort_unstable());
    Ok(components)
}

/// The closure of a union of relations that may all follow each other.
fn component_closure(members: &[Map], b: &Budget) -> Outcome<Approximation<Map>> {
    let mut all = members[0].clone();
    for member in &members[1..] {
        all = all.union(member);
    }
    let twice = all.apply_range(&all, b)?;
    if twice.is_subset(&all, b)? {
        return Ok(Approximation {
            value: all,
            exact: true,
        });
    }
    let whole = by_paths(&all, b)?;
    if whole.exact || members.len() == 1 {
        return Ok(whole);
    }
    let mut closure = by_paths(&members[0], b)?;
    for member in &members[1..] {
        if !closure.exact {
            break;
        }
        // Steps of the next one, each followed by any number of steps of those before.
        let steps = member.union(&member.apply_range(&closure.value, b)?).coalesce(b)?;
        let repeated = by_paths(&steps, b)?;
        let after = closure.value.apply_range(&repeated.value, b)?;
        closure = Approximation {
            value: closure.value.union(&repeated.value).union(&after).coalesce(b)?,
            exact: repeated.exact,
        };
    }
    Ok(if closure.exact { closure } else { whole })
}

fn by_paths(map: &Map, b: &Budget) -> Outcome<Approximation<Map>> {
    let paths = Paths::of(map, b)?;
    let exact = paths.is_exact(map, b)?;
    let value = paths.any_length(map.space(), b)?;
    Ok(Approximation { value, exact })
}

/// A superset of the power of a relation. The variables are the parameters, the number of steps, the first and the last
/// element.
struct Paths {
    conjs: Vec<Conj>,
    n_params: usize,
    n_dims: usize,
}

impl Paths {
    fn of(map: &Map, b: &Budget) -> Outcome<Paths> {
        let (p, n) = (map.params().len(), map.domain_tuple().n());
        let (domain, range) = (map.domain(b)?, map.range(b)?);
        let steps = Paths::differences(map, b)?;
        let mut conjs = Vec::new();
        // Between any element of the domain and any of the range.
        for x in domain.pieces() {
            for y in range.pieces() {
                let first = x.remap(p + 1 + 2 * n, |v| if v < p { v } else { v + 1 });
                let last = y.remap(p + 1 + 2 * n, |v| if v < p { v } else { v + 1 + n });
                let ends = first.intersect(&last);
                for step in &steps {
                    let mut conj = ends.intersect(step);
                    if conj.simplify() {
                        conjs.push(conj);
                    }
                }
            }
        }
        Ok(Paths {
            conjs,
            n_params: p,
            n_dims: n,
        })
    }

    /// The constraints on the number of steps and the difference of the last and the first element.
    fn differences(map: &Map, b: &Budget) -> Outcome<Vec<Conj>> {
        let (p, n) = (map.params().len(), map.domain_tuple().n());
        let mut deltas: Vec<Conj> = Vec::new();
        for piece in map.deltas(b)?.explicit(b)?.pieces() {
            let piece = piece.detect_equalities(b)?;
            if !piece.is_plainly_empty() {
                deltas.push(piece);
            }
        }
        // Columns: parameters, k, x, y, and for each conjunction its number of steps, its difference, its divisions.
        let n_own: usize = deltas.iter().map(|d| 1 + n + d.n_divs()).sum();
        let fixed = p + 1 + 2 * n;
        let mut conj = Conj::universe(fixed + n_own);
        let mut total = zeros(conj.n_cols());
        total[1 + p] = -Int::ONE;
        let mut sums: Vec<Row> = (0..n)
            .map(|k| {
                let mut row = zeros(conj.n_cols());
                (row[1 + p + 1 + k], row[1 + p + 1 + n + k]) = (-Int::ONE, Int::ONE);
                row
            })
            .collect();
        let mut at = 1 + fixed;
        for delta in &deltas {
            total[at] = Int::ONE;
            for (k, row) in sums.iter_mut().enumerate() {
                row[at + 1 + k] = -Int::ONE;
            }
            // Constants are multiplied by the number of steps. Where that would multiply a parameter, the constraint is left
            // out.
            let scaled = |row: &Row| {
                if !row::is_zero(&row[1..1 + p]) {
                    return None;
                }
                let mut out = zeros(conj.n_cols());
                out[at] = row[0].clone();
                out[at + 1..at + 1 + n + delta.n_divs()].clone_from_slice(&row[1 + p..]);
                Some(out)
            };
            let system = delta.system();
            let (eqs, ineqs): (Vec<Row>, Vec<Row>) = (
                system.eqs.iter().filter_map(scaled).collect(),
                system.ineqs.iter().filter_map(scaled).collect(),
            );
            let mut some = zeros(conj.n_cols());
            some[at] = Int::ONE;
            eqs.into_iter().for_each(|row| conj.add_eq(row));
            ineqs.into_iter().for_each(|row| conj.add_ineq(row));
            conj.add_ineq(some);
            at += 1 + n + delta.n_divs();
        }
        conj.add_eq(total);
        sums.into_iter().for_each(|row| conj.add_eq(row));
        let mut positive = zeros(conj.n_cols());
        (positive[0], positive[1 + p]) = (-Int::ONE, Int::ONE);
        conj.add_ineq(positive);
        conj.eliminate(fixed, n_own, b)
    }

    /// The pairs of paths of any length.
    fn any_length(&self, space: &MapSpace, b: &Budget) -> Outcome<Map> {
        let mut conjs = Vec::new();
        for conj in &self.conjs {
            conjs.extend(conj.eliminate(self.n_params, 1, b)?);
        }
        Map::from_conjs(space.clone(), conjs).coalesce(b)
    }

    /// The paths as a relation with the number of steps, plus `shift`, as the last parameter.
    fn with_length(&self, map: &Map, shift: i64) -> Map {
        let (p, n) = (self.n_params, self.n_dims);
        let length = Name::from(length_name(map.params()));
        let params = Params::new(map.params().names().iter().chain([&length]));
        let space = MapSpace::new(params, map.domain_tuple().clone(), map.range_tuple().clone());
        let shifted = |conj: &Conj| {
            // The column of the steps stays: parameters, k, x, y. With k + shift for k.
            let mut out = conj.remap(p + 1 + 2 * n, |v| v);
            for row in out.rows_mut() {
                let step = &row[1 + p] * &Int::from(shift);
                row[0] += step;
            }
            out
        };
        Map::from_conjs(space, self.conjs.iter().map(shifted).collect())
    }

    /// Whether these are exactly the pairs of the powers of `map`, by induction on the length.
    fn is_exact(&self, map: &Map, b: &Budget) -> Outcome<bool> {
        let length = length_name(map.params());
        let paths = self.with_length(map, 0);
        let one = paths.intersect_params(&lengths(&length, 1, 1));
        if !one.is_subset(map, b)? {
            return Ok(false);
        }
        let more = paths.intersect_params(&lengths(&length, 2, -1));
        // With one step less.
        let shorter = self.with_length(map, -1);
        more.is_subset(&map.apply_range(&shorter, b)?, b)
    }
}

/// A name that no parameter has.
fn length_name(params: &Params) -> String {
    let mut name = String::from("k");
    while params.position(&name).is_some() {
        name.push('\'');
    }
    name
}

/// The lengths from `low` on, up to `high` unless that is negative, as a parameter set.
fn lengths(name: &str, low: i64, high: i64) -> Set {
    let mut conj = Conj::universe(1);
    let mut row = zeros(2);
    (row[0], row[1]) = (Int::from(-low), Int::ONE);
    conj.add_ineq(row.clone());
    if high >= 0 {
        (row[0], row[1]) = (Int::from(high), -Int::ONE);
        conj.add_ineq(row);
    }
    Set::from_conj(SetSpace::params_only(Params::new([name])), conj)
}
