//! What dependences mean for the coefficients of a schedule: the Farkas lemma in its generator form.
//!
//! A one-dimensional schedule `f(x) = c + p.n + a.x` of every statement has the *distance* `f_t(y) - f_s(x)` over a pair
//! `x -> y` of instances of statements `s` and `t`. The distance is linear in the homogeneous coordinates `(1, n, x, y)`
//! of the pair. So it is non-negative on a whole polyhedron of pairs if and only if it is non-negative on the rays, and
//! zero on the lines, that generate the cone over the polyhedron; and it is linear in the unknown coefficients on each of
//! these. (The multipliers of the Farkas lemma, P0 6.3, are those of the constraints that bound this cone; the
//! generators are what is left when they are eliminated.)
//!
//! For example `S[i] -> S[i + 1] : 0 <= i <= n - 2` has the vertex `(1, 2, 0, 1)` and the directions `(0, 1, 0, 0)` and
//! `(0, 1, 1, 1)`. On a pair of instances of one statement, the distance depends on their difference only, and the
//! vectors are kept as `(1, n, y - x)`.

use super::graph::{Dependence, Graph, Open, ScheduleRow, cone_over};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Matrix, Row, combine, dot, kernel, normalize_by_gcd, rank, row_form};
use crate::solver::System;
use std::collections::{BTreeMap, BTreeSet};

/// Lines and rays of the cone over pairs of instances: `[h | parameters | source | target]`, or
/// `[h | parameters | difference]` for pairs of instances of one statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Vectors {
    pub(super) lines: BTreeSet<Row>,
    pub(super) rays: BTreeSet<Row>,
}

impl Vectors {
    /// The vectors of one dependence.
    pub(super) fn of(graph: &Graph, dependence: &Dependence, budget: &Budget) -> Outcome<Vectors> {
        Vectors::of_pairs(graph, dependence.source, dependence.target, &dependence.pairs, budget)
    }

    /// The vectors of some pairs of instances.
    pub(super) fn of_pairs(
        graph: &Graph,
        source: usize,
        target: usize,
        pairs: &System,
        budget: &Budget,
    ) -> Outcome<Vectors> {
        let generators = cone_over(pairs, graph.n_params, graph.parameter_bounds, budget)?;
        let first = 1 + graph.n_params;
        let middle = first + graph.nodes[source].dim;
        let last = middle + graph.nodes[target].dim;
        let project = |vector: &Row| -> Option<Row> {
            let mut row = Row::from(&vector[..first]);
            if source == target {
                row.extend((first..middle).map(|i| &vector[i + middle - first] - &vector[i]));
            } else {
                row.extend(vector[first..last].iter().cloned());
            }
            normalize_by_gcd(&mut row);
            row.iter().any(|v| !v.is_zero()).then_some(row)
        };
        Ok(Vectors {
            lines: generators.lines.iter().filter_map(project).collect(),
            rays: generators.rays.iter().filter_map(project).collect(),
        })
    }

    pub(super) fn add(&mut self, other: &Vectors) {
        self.lines.extend(other.lines.iter().cloned());
        self.rays.extend(other.rays.iter().cloned());
    }

    /// Makes all of `lines` lines of the cone.
    pub(super) fn add_lines(&mut self, lines: &BTreeSet<Row>) {
        if lines.is_empty() {
            return;
        }
        let cols = lines.first().map_or(0, |row| row.len());
        let (form, pivots) = row_form(Matrix::new(self.lines.union(lines).cloned().collect(), cols));
        let rows = &form.rows[..pivots.len()];
        self.lines = rows.iter().cloned().collect();
        // A ray counts up to the lines: its entries at their pivots are made zero, so that equal ones are the same.
        let rays = std::mem::take(&mut self.rays).into_iter().map(|mut ray| {
            for (line, &pivot) in rows.iter().zip(&pivots) {
                if !ray[pivot].is_zero() {
                    ray = combine(&line[pivot], &ray, &-&ray[pivot], line);
                }
            }
            normalize_by_gcd(&mut ray);
            ray
        });
        self.rays = rays.filter(|ray| ray.iter().any(|v| !v.is_zero())).collect();
    }

    fn all(&self) -> impl Iterator<Item = &Row> {
        self.lines.iter().chain(&self.rays)
    }
}

/// A basis of the space that some vectors span.
fn basis(vectors: Vec<Row>) -> Vec<Row> {
    let Some(first) = vectors.first() else { return vectors };
    let cols = first.len();
    let (mut form, pivots) = row_form(Matrix::new(vectors, cols));
    form.rows.truncate(pivots.len());
    form.rows
}

/// All that the dependences from one statement (or unit, see `units`) to another ask of their schedules.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) source: usize,
    pub(super) target: usize,
    /// The number of dimensions of the source.
    pub(super) source_dim: usize,
    /// Where the distance must not be negative.
    pub(super) validity: Vectors,
    /// A basis of the vectors on which the distance should be zero.
    pub(super) coincidence: Vec<Row>,
    /// Where the distance should be small.
    pub(super) proximity: Vectors,
    /// Whether there are pairs of each kind, vectors or not.
    pub(super) is_validity: bool,
    /// See `is_validity`.
    pub(super) is_proximity: bool,
    /// Whether there are pairs that must stay in order as long as some live range is not local.
    pub(super) is_conditional: bool,
}

impl Edge {
    /// An edge that asks for nothing.
    fn empty(graph: &Graph, source: usize, target: usize) -> Edge {
        Edge {
            source,
            target,
            source_dim: graph.nodes[source].dim,
            validity: Vectors::default(),
            coincidence: Vec::new(),
            proximity: Vectors::default(),
            is_validity: false,
            is_proximity: false,
            is_conditional: false,
        }
    }

    /// The edges of a graph with what is left of its constraints, ordered by source and target.
    pub(super) fn of(graph: &Graph, open: &Open, budget: &Budget) -> Outcome<Vec<Edge>> {
        let mut edges: BTreeMap<(usize, usize), Edge> = BTreeMap::new();
        for dependence in &open.dependences {
            let vectors = Vectors::of(graph, dependence, budget)?;
            let (source, target) = (dependence.source, dependence.target);
            let edge = edges
                .entry((source, target))
                .or_insert_with(|| Edge::empty(graph, source, target));
            if dependence.kinds.validity {
                edge.validity.add(&vectors);
                edge.is_validity = true;
            }
            if dependence.kinds.proximity {
                edge.proximity.add(&vectors);
                edge.is_proximity = true;
            }
            if dependence.kinds.coincidence {
                edge.coincidence.extend(vectors.all().cloned());
            }
        }
        for pairs in &open.conditioned {
            let (source, target) = (pairs.source, pairs.target);
            let edge = edges
                .entry((source, target))
                .or_insert_with(|| Edge::empty(graph, source, target));
            edge.is_conditional = true;
        }
        let finish = |mut edge: Edge| {
            edge.coincidence = basis(std::mem::take(&mut edge.coincidence));
            edge
        };
        Ok(edges.into_values().map(finish).collect())
    }

    /// The edge of one validity constraint with the given vectors.
    pub(super) fn of_vectors(graph: &Graph, source: usize, target: usize, validity: Vectors) -> Edge {
        Edge {
            validity,
            is_validity: true,
            ..Edge::empty(graph, source, target)
        }
    }

    /// An edge that asks some pairs of instances to coincide.
    pub(super) fn of_coincidence(graph: &Graph, source: usize, target: usize, vectors: &Vectors) -> Edge {
        Edge {
            coincidence: basis(vectors.all().cloned().collect()),
            ..Edge::empty(graph, source, target)
        }
    }

    /// Also asks for all that `other`, with the same ends, asks for.
    pub(super) fn add(&mut self, other: &Edge) {
        debug_assert_eq!((self.source, self.target), (other.source, other.target));
        self.validity.add(&other.validity);
        self.proximity.add(&other.proximity);
        self.coincidence.extend(other.coincidence.iter().cloned());
        self.coincidence = basis(std::mem::take(&mut self.coincidence));
        self.is_validity |= other.is_validity;
        self.is_proximity |= other.is_proximity;
        self.is_conditional |= other.is_conditional;
    }

    /// Whether the order of its ends matters: at least as long as some live range is not local.
    pub(super) fn is_ordering(&self) -> bool {
        self.is_validity || self.is_conditional
    }

    /// Whether the edge relates instances of one statement.
    pub(super) fn is_loop(&self) -> bool {
        self.source == self.target
    }

    /// The distance of two schedules on a vector.
    pub(super) fn distance(&self, n_params: usize, source: &ScheduleRow, target: &ScheduleRow, vector: &Row) -> Int {
        let first = 1 + n_params;
        if self.is_loop() {
            return dot(&target[first..], &vector[first..]);
        }
        let own = combine(&Int::ONE, &target[..first], &-Int::ONE, &source[..first]);
        let middle = source.len();
        dot(&own, &vector[..first]) + dot(&target[first..], &vector[middle..])
            - dot(&source[first..], &vector[first..middle])
    }

    /// Whether two schedules coincide on all pairs that should.
    pub(super) fn coincides(&self, n_params: usize, source: &ScheduleRow, target: &ScheduleRow) -> bool {
        self.coincidence
            .iter()
            .all(|v| self.distance(n_params, source, target, v).is_zero())
    }

    /// Whether the distance of two schedules over the pairs that should be close is never more than `limit`, in absolute
    /// value.
    pub(super) fn is_close(&self, n_params: usize, source: &ScheduleRow, target: &ScheduleRow, limit: i64) -> bool {
        let on = |v: &Row| self.distance(n_params, source, target, v);
        self.proximity.lines.iter().all(|v| on(v).is_zero())
            && self
                .proximity
                .rays
                .iter()
                .all(|v| on(v).abs() <= Int::from(limit) * &v[0])
    }

    /// The number of independent equalities that the pairs that should be close have between coordinates of the source
    /// and of the target: over so many schedule rows the distance could be zero.
    pub(super) fn weight(&self, n_params: usize) -> usize {
        let first = 1 + n_params;
        let vectors: Vec<&Row> = self.proximity.all().collect();
        let Some(cols) = vectors.first().map(|v| v.len()) else {
            return 0;
        };
        let equalities = |keep: &dyn Fn(usize) -> bool| {
            let columns: Vec<usize> = (0..cols).filter(|&i| i < first || keep(i)).collect();
            let rows = vectors
                .iter()
                .map(|v| columns.iter().map(|&i| v[i].clone()).collect())
                .collect();
            let equalities = kernel(&Matrix::new(rows, columns.len()));
            let linear = equalities.rows.iter().map(|r| Row::from(&r[first..])).collect();
            rank(&Matrix::new(linear, columns.len() - first))
        };
        let middle = first + self.source_dim;
        equalities(&|_| true) - equalities(&|i| i < middle) - equalities(&|i| i >= middle)
    }
}
