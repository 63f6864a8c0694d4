//! What a band schedules: statements, or clusters of statements with respect to each other.
//!
//! A member of a band is one row for each *unit*. When a band is searched for a strongly connected component, its units
//! are statements, with their own dimensions. When clusters are combined (P0, 7.3.4), a unit is a cluster with its band
//! so far, whose members are the unit's dimensions; what has been decided within a cluster stays as it is, and the
//! integer program grows with the number of clusters rather than of statements.
//!
//! For example let `A[i, j]` have the band `(j, i)` and `B[i, j]` the band `(i, j)`. The cluster of `A` is a unit with
//! dimensions `(x0, x1)`, and the row `x0 + 1` of it is the row `j + 1` of `A`. A pair of instances `A[i, j] -> B[j, i]`
//! is a pair `(x0, x1) -> (y0, y1)` of the units with `y = x`.

use super::band::Band;
use super::consecutivity::Reference;
use super::edges::{Edge, Vectors};
use super::graph::ScheduleRow;
use crate::int::Int;
use crate::linalg::{Matrix, Row, dot, normalize_by_gcd, rank, zeros};
use std::collections::BTreeMap;

/// What gets one row for every member of a band.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    /// The number of dimensions.
    pub(super) dim: usize,
    /// The linear parts, over the dimensions, of rows that distinguish no instances.
    pub(super) base: Vec<Row>,
    /// Those of the rows of outer bands.
    pub(super) done: Vec<Row>,
    /// Per dimension, the largest useful absolute value of its coefficient, if there is one (P0, 7.5.3).
    pub(super) bounds: Vec<Option<Int>>,
    /// What should be accessed consecutively, in the order of preference.
    pub(super) references: Vec<Reference>,
}

impl Unit {
    /// What a row has to be independent of when `rows` (linear parts) have been found for the band already.
    pub(super) fn known(&self, rows: &[Row]) -> Matrix {
        let all = self.base.iter().chain(&self.done).chain(rows);
        Matrix::new(all.cloned().collect(), self.dim)
    }

    /// The number of independent rows that are missing then.
    pub(super) fn missing(&self, rows: &[Row]) -> usize {
        self.dim - rank(&self.known(rows))
    }
}

/// Some statements that share a band, which may have no members.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    /// The statements, sorted.
    pub(super) nodes: Vec<usize>,
    /// Their band.
    pub(super) band: Band,
}

impl Cluster {
    /// The position of a statement among those of the cluster.
    pub(super) fn position(&self, node: usize) -> Option<usize> {
        self.nodes.binary_search(&node).ok()
    }
}

/// How units are made of statements.
#[derive(Clone, Copy, Debug)]
pub(super) enum Grouping<'a> {
    /// These (sorted), each of which is a unit.
    Statements(&'a [usize]),
    /// Clusters, the members of whose bands are the dimensions of the units.
    Clusters(&'a [&'a Cluster]),
}

impl Grouping<'_> {
    /// The unit of a statement.
    pub(super) fn unit_of(&self, node: usize) -> Option<usize> {
        match self {
            Grouping::Statements(nodes) => nodes.binary_search(&node).ok(),
            Grouping::Clusters(clusters) => clusters.iter().position(|c| c.position(node).is_some()),
        }
    }

    /// The row of a statement, with `n_params` parameters and `dim` dimensions, that the row of its unit stands for.
    pub(super) fn statement_row(
        &self,
        node: usize,
        n_params: usize,
        dim: usize,
        unit_row: &ScheduleRow,
    ) -> ScheduleRow {
        match self {
            Grouping::Statements(_) => unit_row.clone(),
            Grouping::Clusters(clusters) => {
                let (cluster, position) = clusters
                    .iter()
                    .find_map(|c| Some((c, c.position(node)?)))
                    .expect("a statement of a unit");
                let first = 1 + n_params;
                let mut row = zeros(first + dim);
                row[..first].clone_from_slice(&unit_row[..first]);
                for (factor, member) in unit_row[first..].iter().zip(&cluster.band.members) {
                    row.iter_mut()
                        .zip(&member[position])
                        .for_each(|(r, a)| *r += factor * a);
                }
                row
            }
        }
    }

    /// The edges between units that some edges between statements are. Those without an end in a unit are left out.
    pub(super) fn edges<'e>(&self, n_params: usize, edges: impl IntoIterator<Item = &'e Edge>) -> Vec<Edge> {
        let mut lifted: BTreeMap<(usize, usize), Edge> = BTreeMap::new();
        for edge in edges {
            let (Some(source), Some(target)) = (self.unit_of(edge.source), self.unit_of(edge.target)) else {
                continue;
            };
            let lift = |v: &Row| self.lifted(edge, v, n_params);
            let vectors = |vectors: &Vectors| Vectors {
                lines: vectors.lines.iter().filter_map(lift).collect(),
                rays: vectors.rays.iter().filter_map(lift).collect(),
            };
            let new = Edge {
                source,
                target,
                source_dim: match self {
                    Grouping::Statements(_) => edge.source_dim,
                    Grouping::Clusters(clusters) => clusters[source].band.members.len(),
                },
                validity: vectors(&edge.validity),
                coincidence: edge.coincidence.iter().filter_map(lift).collect(),
                proximity: vectors(&edge.proximity),
                ..edge.clone()
            };
            match lifted.get_mut(&(source, target)) {
                Some(known) => known.add(&new),
                None => drop(lifted.insert((source, target), new)),
            }
        }
        lifted.into_values().collect()
    }

    /// A vector of an edge between statements, as one of the edge between their units. None if nothing is left of it.
    fn lifted(&self, edge: &Edge, vector: &Row, n_params: usize) -> Option<Row> {
        let Grouping::Clusters(clusters) = self else {
            return Some(vector.clone());
        };
        let first = 1 + n_params;
        let place = |node: usize| {
            let unit = self.unit_of(node).expect("a statement of a unit");
            (unit, clusters[unit].position(node).expect("a statement of its cluster"))
        };
        let ((source, s), (target, t)) = (place(edge.source), place(edge.target));
        let mut row = Row::from(&vector[..first]);
        if edge.is_loop() {
            let members = &clusters[target].band.members;
            row.extend(members.iter().map(|m| dot(&m[t][first..], &vector[first..])));
        } else {
            let own = |rows: &[Vec<ScheduleRow>], position: usize, dims: &[Int]| -> Vec<Int> {
                let value = |m: &Vec<ScheduleRow>| {
                    dot(&m[position][..first], &vector[..first]) + dot(&m[position][first..], dims)
                };
                rows.iter().map(value).collect()
            };
            let from = edge.source_dim;
            let x = own(&clusters[source].band.members, s, &vector[first..first + from]);
            let y = own(&clusters[target].band.members, t, &vector[first + from..]);
            if source == target {
                row.extend(x.iter().zip(&y).map(|(x, y)| y - x));
            } else {
                row.extend(x.into_iter().chain(y));
            }
        }
        normalize_by_gcd(&mut row);
        row.iter().any(|v| !v.is_zero()).then_some(row)
    }
}
