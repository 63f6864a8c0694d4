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

use super::graph::{Dependence, Graph, ScheduleRow, cone_over};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Matrix, Row, combine, dot, kernel, normalize_by_gcd, rank, row_hermite};
use std::collections::{BTreeMap, BTreeSet};

/// Lines and rays of the cone over pairs of instances: `[h | parameters | source | target]`, or
/// `[h | parameters | difference]` for pairs of instances of one statement.
#[derive(Clone, Debug, Default)]
pub(super) struct Vectors {
    pub(super) lines: BTreeSet<Row>,
    pub(super) rays: BTreeSet<Row>,
}

impl Vectors {
    /// The vectors of one dependence.
    pub(super) fn of(graph: &Graph, dependence: &Dependence, budget: &Budget) -> Outcome<Vectors> {
        let generators = cone_over(&dependence.pairs, graph.n_params, budget)?;
        let first = 1 + graph.n_params;
        let middle = first + graph.nodes[dependence.source].dim;
        let last = middle + graph.nodes[dependence.target].dim;
        let project = |vector: &Row| -> Option<Row> {
            let mut row = Row::from(&vector[..first]);
            if dependence.source == dependence.target {
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

    fn add(&mut self, other: &Vectors) {
        self.lines.extend(other.lines.iter().cloned());
        self.rays.extend(other.rays.iter().cloned());
    }

    fn all(&self) -> impl Iterator<Item = &Row> {
        self.lines.iter().chain(&self.rays)
    }
}

/// All that the dependences from one statement to another ask of their schedules.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) source: usize,
    pub(super) target: usize,
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
}

impl Edge {
    /// The edges of a graph, ordered by source and target.
    pub(super) fn of(graph: &Graph, dependences: &[Dependence], budget: &Budget) -> Outcome<Vec<Edge>> {
        let mut edges: BTreeMap<(usize, usize), (Edge, Vec<Row>)> = BTreeMap::new();
        for dependence in dependences {
            let vectors = Vectors::of(graph, dependence, budget)?;
            let (source, target) = (dependence.source, dependence.target);
            let (edge, coincidence) = edges.entry((source, target)).or_insert_with(|| {
                let edge = Edge {
                    source,
                    target,
                    validity: Vectors::default(),
                    coincidence: Vec::new(),
                    proximity: Vectors::default(),
                    is_validity: false,
                    is_proximity: false,
                };
                (edge, Vec::new())
            });
            if dependence.kinds.validity {
                edge.validity.add(&vectors);
                edge.is_validity = true;
            }
            if dependence.kinds.proximity {
                edge.proximity.add(&vectors);
                edge.is_proximity = true;
            }
            if dependence.kinds.coincidence {
                coincidence.extend(vectors.all().cloned());
            }
        }
        let finish = |(mut edge, coincidence): (Edge, Vec<Row>)| {
            if let Some(first) = coincidence.first() {
                let cols = first.len();
                let hermite = row_hermite(&Matrix::new(coincidence, cols));
                edge.coincidence = hermite.form.rows[..hermite.pivots.len()].to_vec();
            }
            edge
        };
        Ok(edges.into_values().map(finish).collect())
    }

    /// The edge of one validity constraint with the given vectors.
    pub(super) fn of_vectors(dependence: &Dependence, validity: Vectors) -> Edge {
        Edge {
            source: dependence.source,
            target: dependence.target,
            validity,
            coincidence: Vec::new(),
            proximity: Vectors::default(),
            is_validity: true,
            is_proximity: false,
        }
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
    /// (of `from` dimensions) and of the target: over so many schedule rows the distance could be zero.
    pub(super) fn weight(&self, n_params: usize, from: usize) -> usize {
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
        let middle = first + from;
        equalities(&|_| true) - equalities(&|i| i < middle) - equalities(&|i| i >= middle)
    }
}
