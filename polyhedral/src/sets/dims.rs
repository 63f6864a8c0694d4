//! Single dimensions and parameters: bounds, projection, and moving them.

use super::conj::Conj;

use super::{Map, MapSpace, Name, Params, Set, SetSpace, Tuple, pieces};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, zeros};
use std::ops::Range;

/// The constraint `sign * (x_var - value) >= 0`.
fn bound(var: usize, value: &Int, sign: i64, n_vars: usize) -> Row {
    let mut row = zeros(1 + n_vars);
    row[0] = value * &Int::from(-sign);
    row[1 + var] = Int::from(sign);
    row
}

impl Conj {
    /// The conjunction without the constraints for which `drop` holds of the variables they involve, those that only
    /// their divisions involve included.
    fn without(&self, drop: impl Fn(&dyn Fn(usize) -> bool) -> bool) -> Conj {
        let n_vars = self.n_vars() + self.n_locals();
        // The variables of each division.
        let mut of_divs: Vec<Vec<bool>> = Vec::with_capacity(self.n_divs());
        let involved = |row: &Row, of_divs: &[Vec<bool>]| {
            let mut vars: Vec<bool> = (0..n_vars).map(|v| !row[1 + v].is_zero()).collect();
            for (x, div) in row[1 + n_vars..].iter().zip(of_divs) {
                if !x.is_zero() {
                    vars.iter_mut().zip(div).for_each(|(v, d)| *v |= d);
                }
            }
            vars
        };
        for div in self.divs() {
            let vars = involved(&div.num, &of_divs);
            of_divs.push(vars);
        }
        let keep = |row: &Row| {
            let vars = involved(row, &of_divs);
            !drop(&|v| vars[v])
        };
        let mut out = self.map_constraints(|row, _| keep(row).then(|| row.clone()));
        out.simplify();
        out
    }

    fn without_involving(&self, vars: Range<usize>) -> Conj {
        self.without(|involves| vars.clone().any(involves))
    }

    fn with_involving_only(&self, vars: Range<usize>) -> Conj {
        self.without(|involves| !vars.clone().any(involves))
    }
}

/// The same points for any values of the variables `first .. first + count`.
fn eliminate(conjs: &[Conj], first: usize, count: usize, b: &Budget) -> Outcome<Vec<Conj>> {
    let rest = pieces::project(conjs, first, count, b)?;
    Ok(rest.iter().map(|piece| piece.insert_vars(first, count)).collect())
}

/// The parameters without those called `names`, and the positions of the others.
fn without_names(params: &Params, names: &[&str]) -> (Params, Vec<usize>) {
    let dropped: Vec<usize> = names.iter().filter_map(|name| params.position(name)).collect();
    let kept = (0..params.len()).filter(|i| !dropped.contains(i)).collect();
    (params.without(&dropped), kept)
}

/// Projects out the parameters of which the positions are not in `kept`.
fn project_params(conjs: &[Conj], n_params: usize, kept: &[usize], b: &Budget) -> Outcome<Vec<Conj>> {
    let mut out = conjs.to_vec();
    for param in (0..n_params).rev().filter(|p| !kept.contains(p)) {
        out = pieces::project(&out, param, 1, b)?;
    }
    Ok(out)
}

impl Set {
    fn constrained(&self, constraint: impl Fn(&mut Conj)) -> Set {
        let mut conjs = self.pieces().to_vec();
        conjs.iter_mut().for_each(constraint);
        Set::from_conjs(self.space().clone(), conjs)
    }

    fn var(&self, dim: usize) -> usize {
        assert!(dim < self.n_dims(), "{} has no dimension {dim}", self.space());
        self.params().len() + dim
    }

    fn vars(&self, first: usize, count: usize) -> Range<usize> {
        assert!(first + count <= self.n_dims(), "dimensions of {}", self.space());
        let first = self.params().len() + first;
        first..first + count
    }

    /// The elements of which dimension `dim` is at least `value`: `{ x in A : x_dim >= value }`.
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    pub fn lower_bound_dim(&self, dim: usize, value: &Int) -> Set {
        let row = bound(self.var(dim), value, 1, self.space().n_vars());
        self.constrained(|conj| conj.add_ineq(row.clone()))
    }

    /// The elements of which dimension `dim` is at most `value`: `{ x in A : x_dim <= value }`.
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    pub fn upper_bound_dim(&self, dim: usize, value: &Int) -> Set {
        let row = bound(self.var(dim), value, -1, self.space().n_vars());
        self.constrained(|conj| conj.add_ineq(row.clone()))
    }

    /// The elements of which dimensions `a` and `b` are equal: `{ x in A : x_a = x_b }`.
    ///
    /// # Panics
    ///
    /// If there are no such dimensions.
    pub fn equate_dims(&self, a: usize, b: usize) -> Set {
        let (a, b) = (self.var(a), self.var(b));
        self.constrained(|conj| conj.equate(a, b))
    }

    /// The tuples that differ from an element at most in the dimensions `first .. first + count`:
    /// `{ (x, y, z) : exists y': (x, y', z) in A }`.
    ///
    /// # Panics
    ///
    /// If there are no such dimensions.
    pub fn eliminate(&self, first: usize, count: usize, b: &Budget) -> Outcome<Set> {
        let vars = self.vars(first, count);
        let conjs = eliminate(self.pieces(), vars.start, count, b)?;
        Ok(Set::from_conjs(self.space().clone(), conjs))
    }

    /// A superset: without the constraints that involve one of the dimensions `first .. first + count`.
    pub fn drop_constraints_involving(&self, first: usize, count: usize) -> Set {
        let vars = self.vars(first, count);
        let conjs = self
            .pieces()
            .iter()
            .map(|p| p.without_involving(vars.clone()))
            .collect();
        Set::from_conjs(self.space().clone(), conjs)
    }

    /// A superset: without the constraints that involve none of the dimensions `first .. first + count`.
    pub fn drop_constraints_not_involving(&self, first: usize, count: usize) -> Set {
        let vars = self.vars(first, count);
        let conjs = self
            .pieces()
            .iter()
            .map(|p| p.with_involving_only(vars.clone()))
            .collect();
        Set::from_conjs(self.space().clone(), conjs)
    }

    /// Whether a constraint involves one of the dimensions `first .. first + count`.
    pub fn involves_dims(&self, first: usize, count: usize) -> bool {
        let vars = self.vars(first, count);
        self.pieces().iter().any(|p| p.involves(vars.start, count))
    }

    /// Whether a constraint involves the parameter of this number.
    pub fn involves_param(&self, param: usize) -> bool {
        self.pieces().iter().any(|p| p.involves(param, 1))
    }

    /// The elements for some values of the parameters `n` called `names`, which are no parameters any more:
    /// `{ x : exists n: x in A(n) }`.
    pub fn project_out_params(&self, names: &[&str], b: &Budget) -> Outcome<Set> {
        let (params, kept) = without_names(self.params(), names);
        let conjs = project_params(self.pieces(), self.params().len(), &kept, b)?;
        Ok(Set::from_conjs(SetSpace::new(params, self.tuple().clone()), conjs))
    }

    /// Turns the dimensions from `first` on into the parameters `names`, the last ones. The tuple becomes anonymous.
    ///
    /// # Panics
    ///
    /// If there are not as many dimensions, or there is a parameter of one of these names.
    pub fn dims_to_params<I>(&self, first: usize, names: I) -> Set
    where
        I: IntoIterator,
        I::Item: Into<Name>,
    {
        let names: Vec<Name> = names.into_iter().map(Into::into).collect();
        let moved = self.vars(first, names.len());
        let p = self.params().len();
        let params = Params::new(self.params().names().iter().cloned().chain(names));
        let count = moved.len();
        let target = |v: usize| match v {
            v if v < p || v >= moved.end => v,
            v if v < moved.start => v + count,
            v => v - moved.start + p,
        };
        let space = SetSpace::new(params, Tuple::anonymous(self.n_dims() - count));
        let conjs = self.pieces().iter().map(|c| c.remap(space.n_vars(), target)).collect();
        Set::from_conjs(space, conjs)
    }

    /// Turns the parameters called `names`, which are added if there are none, into the first dimensions, in this order.
    /// The tuple becomes anonymous.
    pub fn params_to_dims(&self, names: &[&str]) -> Set {
        let missing = names.iter().filter(|name| self.params().position(name).is_none());
        let all = self.params().union(&Params::new(missing.copied()));
        let moved: Vec<Option<usize>> = names.iter().map(|name| all.position(name)).collect();
        let set = self.aligned(&all);
        let (params, kept) = without_names(&all, names);
        let (p, count) = (all.len(), names.len());
        let target = |v: usize| {
            if v >= p {
                return v;
            }
            match moved.iter().position(|&param| param == Some(v)) {
                Some(k) => p - count + k,
                None => kept.iter().position(|&k| k == v).expect("a parameter that stays"),
            }
        };
        let space = SetSpace::new(params, Tuple::anonymous(count + self.n_dims()));
        let conjs = set.pieces().iter().map(|c| c.remap(space.n_vars(), target)).collect();
        Set::from_conjs(space, conjs)
    }
}

impl Map {
    fn constrained(&self, constraint: impl Fn(&mut Conj)) -> Map {
        let mut conjs = self.pieces().to_vec();
        conjs.iter_mut().for_each(constraint);
        Map::from_conjs(self.space().clone(), conjs)
    }

    fn domain_var(&self, dim: usize) -> usize {
        assert!(dim < self.domain_tuple().n(), "the domain of {}", self.space());
        self.params().len() + dim
    }

    fn range_var(&self, dim: usize) -> usize {
        assert!(dim < self.range_tuple().n(), "the range of {}", self.space());
        self.params().len() + self.domain_tuple().n() + dim
    }

    /// The pairs of which domain dimension `dim` is at least `value`: `{ x -> y in R : x_dim >= value }`.
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    pub fn lower_bound_domain_dim(&self, dim: usize, value: &Int) -> Map {
        let row = bound(self.domain_var(dim), value, 1, self.space().n_vars());
        self.constrained(|conj| conj.add_ineq(row.clone()))
    }

    /// The pairs of which domain dimension `dim` is at most `value`: `{ x -> y in R : x_dim <= value }`.
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    pub fn upper_bound_domain_dim(&self, dim: usize, value: &Int) -> Map {
        let row = bound(self.domain_var(dim), value, -1, self.space().n_vars());
        self.constrained(|conj| conj.add_ineq(row.clone()))
    }

    /// The pairs of which range dimension `dim` is at least `value`: `{ x -> y in R : y_dim >= value }`.
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    pub fn lower_bound_range_dim(&self, dim: usize, value: &Int) -> Map {
        let row = bound(self.range_var(dim), value, 1, self.space().n_vars());
        self.constrained(|conj| conj.add_ineq(row.clone()))
    }

    /// The pairs of which range dimension `dim` is at most `value`: `{ x -> y in R : y_dim <= value }`.
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    pub fn upper_bound_range_dim(&self, dim: usize, value: &Int) -> Map {
        let row = bound(self.range_var(dim), value, -1, self.space().n_vars());
        self.constrained(|conj| conj.add_ineq(row.clone()))
    }

    /// The pairs with domain dimension `i = domain_dim` smaller than range dimension `j = range_dim`:
    /// `{ x -> y in R : x_i < y_j }`.
    ///
    /// # Panics
    ///
    /// If there are no such dimensions.
    pub fn order_lt(&self, domain_dim: usize, range_dim: usize) -> Map {
        let (x, y) = (self.domain_var(domain_dim), self.range_var(range_dim));
        let mut row = zeros(1 + self.space().n_vars());
        row[0] = -Int::ONE;
        (row[1 + x], row[1 + y]) = (-Int::ONE, Int::ONE);
        self.constrained(|conj| conj.add_ineq(row.clone()))
    }

    /// The pairs with domain dimension `i = domain_dim` larger than range dimension `j = range_dim`:
    /// `{ x -> y in R : x_i > y_j }`.
    ///
    /// # Panics
    ///
    /// If there are no such dimensions.
    pub fn order_gt(&self, domain_dim: usize, range_dim: usize) -> Map {
        let (x, y) = (self.domain_var(domain_dim), self.range_var(range_dim));
        let mut row = zeros(1 + self.space().n_vars());
        row[0] = -Int::ONE;
        (row[1 + x], row[1 + y]) = (Int::ONE, -Int::ONE);
        self.constrained(|conj| conj.add_ineq(row.clone()))
    }

    /// The pairs that differ from one here at most in the domain dimensions `first .. first + count`:
    /// `{ (u, x) -> y : exists x': (u, x') -> y in R }`.
    ///
    /// # Panics
    ///
    /// If there are no such dimensions.
    pub fn eliminate_domain(&self, first: usize, count: usize, b: &Budget) -> Outcome<Map> {
        assert!(
            first + count <= self.domain_tuple().n(),
            "the domain of {}",
            self.space()
        );
        let conjs = eliminate(self.pieces(), self.params().len() + first, count, b)?;
        Ok(Map::from_conjs(self.space().clone(), conjs))
    }

    /// The pairs that differ from one here at most in the range dimensions `first .. first + count`:
    /// `{ x -> (v, y) : exists y': x -> (v, y') in R }`.
    ///
    /// # Panics
    ///
    /// If there are no such dimensions.
    pub fn eliminate_range(&self, first: usize, count: usize, b: &Budget) -> Outcome<Map> {
        assert!(first + count <= self.range_tuple().n(), "the range of {}", self.space());
        let first = self.params().len() + self.domain_tuple().n() + first;
        let conjs = eliminate(self.pieces(), first, count, b)?;
        Ok(Map::from_conjs(self.space().clone(), conjs))
    }

    /// The pairs for some values of the parameters `n` called `names`, which are no parameters any more:
    /// `{ x -> y : exists n: x -> y in R(n) }`.
    pub fn project_out_params(&self, names: &[&str], b: &Budget) -> Outcome<Map> {
        let (params, kept) = without_names(self.params(), names);
        let conjs = project_params(self.pieces(), self.params().len(), &kept, b)?;
        let space = MapSpace::new(params, self.domain_tuple().clone(), self.range_tuple().clone());
        Ok(Map::from_conjs(space, conjs))
    }

    /// Inserts `count` unconstrained domain dimensions at `pos`: `{ (u, v, w) -> y : (u, w) -> y in R }`. The domain
    /// tuple becomes anonymous.
    ///
    /// # Panics
    ///
    /// If there are fewer than `pos` domain dimensions.
    pub fn insert_domain_dims(&self, pos: usize, count: usize) -> Map {
        assert!(pos <= self.domain_tuple().n(), "the domain of {}", self.space());
        let domain = Tuple::anonymous(self.domain_tuple().n() + count);
        let space = MapSpace::new(self.params().clone(), domain, self.range_tuple().clone());
        let at = self.params().len() + pos;
        Map::from_conjs(space, self.pieces().iter().map(|p| p.insert_vars(at, count)).collect())
    }

    /// Inserts `count` unconstrained range dimensions at `pos`: `{ x -> (u, v, w) : x -> (u, w) in R }`. The range
    /// tuple becomes anonymous.
    ///
    /// # Panics
    ///
    /// If there are fewer than `pos` range dimensions.
    pub fn insert_range_dims(&self, pos: usize, count: usize) -> Map {
        assert!(pos <= self.range_tuple().n(), "the range of {}", self.space());
        let range = Tuple::anonymous(self.range_tuple().n() + count);
        let space = MapSpace::new(self.params().clone(), self.domain_tuple().clone(), range);
        let at = self.params().len() + self.domain_tuple().n() + pos;
        Map::from_conjs(space, self.pieces().iter().map(|p| p.insert_vars(at, count)).collect())
    }

    /// Moves the last `count` domain dimensions to the front of the range: `{ x -> (u, y) : (x, u) -> y in R }`. Both
    /// tuples become anonymous.
    ///
    /// # Panics
    ///
    /// If there are fewer domain dimensions.
    pub fn move_domain_to_range(&self, count: usize) -> Map {
        let n = self.domain_tuple().n();
        assert!(count <= n, "the domain of {}", self.space());
        let domain = Tuple::anonymous(n - count);
        let range = Tuple::anonymous(self.range_tuple().n() + count);
        Map::from_pieces(
            MapSpace::new(self.params().clone(), domain, range),
            self.pieces().to_vec(),
        )
    }

    /// Moves the first `count` range dimensions to the end of the domain: `{ (x, u) -> y : x -> (u, y) in R }`. Both
    /// tuples become anonymous.
    ///
    /// # Panics
    ///
    /// If there are fewer range dimensions.
    pub fn move_range_to_domain(&self, count: usize) -> Map {
        let m = self.range_tuple().n();
        assert!(count <= m, "the range of {}", self.space());
        let domain = Tuple::anonymous(self.domain_tuple().n() + count);
        let range = Tuple::anonymous(m - count);
        Map::from_pieces(
            MapSpace::new(self.params().clone(), domain, range),
            self.pieces().to_vec(),
        )
    }

    /// Moves the domain dimensions `first .. first + count` to the range, in front of its dimension `at`. Both tuples become
    /// anonymous.
    ///
    /// # Panics
    ///
    /// If there are no such dimensions.
    pub fn move_domain_dims(&self, first: usize, count: usize, at: usize) -> Map {
        let (n, m) = (self.domain_tuple().n(), self.range_tuple().n());
        assert!(first + count <= n && at <= m, "dimensions of {}", self.space());
        let domain = (0..first).chain(first + count..n);
        let range = (n..n + at).chain(first..first + count).chain(n + at..n + m);
        self.with_dims_in_order(n - count, &domain.chain(range).collect::<Vec<_>>())
    }

    /// Moves the range dimensions `first .. first + count` to the domain, in front of its dimension `at`. Both tuples become
    /// anonymous.
    ///
    /// # Panics
    ///
    /// If there are no such dimensions.
    pub fn move_range_dims(&self, first: usize, count: usize, at: usize) -> Map {
        let (n, m) = (self.domain_tuple().n(), self.range_tuple().n());
        assert!(first + count <= m && at <= n, "dimensions of {}", self.space());
        let moved = n + first..n + first + count;
        let domain = (0..at).chain(moved.clone()).chain(at..n);
        let range = (n..moved.start).chain(moved.end..n + m);
        self.with_dims_in_order(n + count, &domain.chain(range).collect::<Vec<_>>())
    }

    /// The relation of which dimension `k`, those of the domain first, is dimension `order[k]` of this one. The first
    /// `n_domain` are the domain.
    fn with_dims_in_order(&self, n_domain: usize, order: &[usize]) -> Map {
        let p = self.params().len();
        let mut position = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, &old)| position[old] = new);
        let target = |v: usize| if v < p { v } else { p + position[v - p] };
        let (domain, range) = (Tuple::anonymous(n_domain), Tuple::anonymous(order.len() - n_domain));
        let conjs = self.pieces().iter().map(|c| c.remap(c.n_vars(), target)).collect();
        Map::from_conjs(MapSpace::new(self.params().clone(), domain, range), conjs)
    }

    /// A superset: without the constraints that involve a domain dimension.
    pub fn drop_constraints_involving_domain(&self) -> Map {
        let (first, n) = (self.params().len(), self.domain_tuple().n());
        let conjs = self
            .pieces()
            .iter()
            .map(|p| p.without_involving(first..first + n))
            .collect();
        Map::from_conjs(self.space().clone(), conjs)
    }

    /// A superset: without the constraints that involve a range dimension.
    pub fn drop_constraints_involving_range(&self) -> Map {
        let first = self.params().len() + self.domain_tuple().n();
        let vars = first..self.space().n_vars();
        let conjs = self
            .pieces()
            .iter()
            .map(|p| p.without_involving(vars.clone()))
            .collect();
        Map::from_conjs(self.space().clone(), conjs)
    }
}
