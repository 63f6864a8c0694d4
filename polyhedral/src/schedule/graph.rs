//! The dependence graph that is scheduled.
//!
//! A node is a statement; a [`Dependence`] is one disjunct of the schedule constraints from a statement to a statement,
//! as a system of constraints. The columns of every row are
//!
//! ```text
//! [1 | parameters | dimensions of the source | dimensions of the target | integer divisions]
//! ```

use super::ScheduleConstraints;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Matrix, Row, kernel, rank, unit, zeros};
use crate::sets::{Conj, Params, Set, Tuple};
use crate::solver::{System, cone, integer, lp};
use indexmap::IndexMap;

/// The schedule of a statement in one dimension: `[constant | coefficients of parameters | coefficients of dimensions]`.
pub(super) type ScheduleRow = Row;

/// A statement.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The number of dimensions of its instances.
    pub(super) dim: usize,
    /// The linear parts of the equalities that all instances satisfy, over the dimensions: schedule rows that are a
    /// combination of these distinguish no instances.
    pub(super) fixed: Vec<Row>,
    /// Per dimension, the largest useful absolute value of its coefficient, if there is one (P0, 7.5.3).
    pub(super) bounds: Vec<Option<Int>>,
}

impl Node {
    /// The statement whose instances are the union of `pieces`, with columns `[1 | parameters | dimensions | divisions]`.
    pub(super) fn new(n_params: usize, dim: usize, pieces: &[System], budget: &Budget) -> Outcome<Node> {
        let mut points = Vec::new();
        let mut sizes: Vec<Option<Int>> = vec![Some(Int::ZERO); dim];
        for piece in pieces {
            let generators = cone_over(piece, n_params, budget)?;
            let vectors = generators.lines.iter().chain(&generators.rays);
            points.extend(vectors.map(|v| Row::from(&v[..1 + n_params + dim])));
            for (axis, size) in sizes.iter_mut().enumerate() {
                if let Some(largest) = size {
                    *size = size_along(piece, n_params + axis, budget)?.map(|s| s.max(largest.clone()));
                }
            }
        }
        let equalities = kernel(&Matrix::new(points, 1 + n_params + dim));
        let fixed = equalities.rows.iter().map(|r| Row::from(&r[1 + n_params..])).collect();
        // A size of 0 is that of a dimension with a fixed value, which nothing can coalesce with.
        sizes.iter_mut().for_each(|s| *s = s.take().filter(Int::is_pos));
        let half = |size: &Int| size.div_ceil(&Int::from(2));
        // The bound on a coefficient comes from the sizes along the other axes.
        let bound = |axis: usize| {
            let others = sizes.iter().enumerate().filter(|(other, _)| *other != axis);
            others.filter_map(|(_, size)| size.as_ref().map(half)).min()
        };
        Ok(Node {
            dim,
            fixed,
            bounds: (0..dim).map(bound).collect(),
        })
    }

    /// The number of independent schedule rows that are missing when `rows` are there, given by their linear parts.
    pub(super) fn missing(&self, rows: &[Row]) -> usize {
        self.dim - rank(&self.known(rows))
    }

    /// The linear parts of which a further row has to be independent.
    pub(super) fn known(&self, rows: &[Row]) -> Matrix {
        Matrix::new(self.fixed.iter().chain(rows).cloned().collect(), self.dim)
    }
}

/// The systems of the pieces that are not empty.
fn systems(pieces: &[Conj], budget: &Budget) -> Outcome<Vec<System>> {
    let mut systems = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let mut piece = piece.clone();
        if piece.simplify() {
            let system = piece.system();
            if !integer::is_empty(&system, budget)? {
                systems.push(system);
            }
        }
    }
    Ok(systems)
}

/// The largest difference in column `axis` (from 0, without the constant) of points that differ there only.
fn size_along(piece: &System, axis: usize, budget: &Budget) -> Outcome<Option<Int>> {
    let n = piece.n;
    // One more unknown for the second value along the axis. Divisions may differ freely, which is good enough here.
    let shifted = |row: &Row| {
        let mut other: Row = row.iter().cloned().chain([row[1 + axis].clone()]).collect();
        other[1 + axis] = Int::ZERO;
        other
    };
    let padded = |row: &Row| row.iter().cloned().chain([Int::ZERO]).collect();
    let both = |rows: &[Row]| rows.iter().flat_map(|r| [padded(r), shifted(r)]).collect();
    let system = System {
        n: n + 1,
        eqs: both(&piece.eqs),
        ineqs: both(&piece.ineqs),
    };
    let mut objective = unit(n + 2, 1 + axis);
    objective[n + 1] = -Int::ONE;
    Ok(match lp::minimize(&system, &objective, budget)? {
        lp::Optimum::Finite { num, den } => Some((-num).div_floor(&den)),
        lp::Optimum::Empty => Some(Int::ZERO),
        lp::Optimum::Unbounded => None,
    })
}

/// The generators of the cone `{ (h, x) : h >= 0, constant * h + a.x >= 0 for all constraints }` over a polyhedron. Those
/// with `h > 0` are its vertices (as `x / h`), the others its directions.
///
/// Upper bounds on the parameters are dropped. They are artefacts of the types of a program's variables, and would turn
/// distances that grow with a parameter into enormous constants; a larger polyhedron only makes for more constraints on
/// a schedule.
pub(super) fn cone_over(system: &System, n_params: usize, budget: &Budget) -> Outcome<cone::Generators> {
    let bounds_params = |row: &&Row| {
        row[0].is_pos()
            && row[1..1 + n_params].iter().all(|a| !a.is_pos())
            && row[1 + n_params..].iter().all(Int::is_zero)
    };
    let mut ineqs: Vec<Row> = vec![unit(system.n + 1, 0)];
    ineqs.extend(system.ineqs.iter().filter(|r| !bounds_params(r)).cloned());
    cone::generators(system.n + 1, &system.eqs, &ineqs, budget)
}

/// What a dependence asks of a schedule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Kinds {
    /// The target must not come before the source.
    pub(super) validity: bool,
    /// The target should be close to the source.
    pub(super) proximity: bool,
    /// The target should coincide with the source.
    pub(super) coincidence: bool,
}

/// One disjunct of the schedule constraints between two statements.
#[derive(Clone, Debug)]
pub(super) struct Dependence {
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) kinds: Kinds,
    /// The pairs of instances, see the module for the columns.
    pub(super) pairs: System,
}

/// What the indices of statements and the columns of parameters mean.
#[derive(Clone, Debug)]
pub(super) struct Statements {
    pub(super) params: Params,
    pub(super) tuples: Vec<Tuple>,
}

/// Statements and the constraints on their schedule.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub(super) n_params: usize,
    pub(super) nodes: Vec<Node>,
    pub(super) dependences: Vec<Dependence>,
}

impl Graph {
    /// The graph of some schedule constraints.
    pub(super) fn new(constraints: &ScheduleConstraints, budget: &Budget) -> Outcome<(Statements, Graph)> {
        let relations = [&constraints.validity, &constraints.proximity, &constraints.coincidence];
        let params = relations.iter().fold(
            constraints.domain.params().union(constraints.context.params()),
            |all, r| all.union(r.params()),
        );
        let domains: Vec<Set> = constraints.domain.sets().map(|set| set.align_params(&params)).collect();
        let tuples: Vec<Tuple> = domains.iter().map(|set| set.tuple().clone()).collect();
        let context = constraints.context.align_params(&params);
        let mut nodes = Vec::with_capacity(domains.len());
        for domain in &domains {
            let pieces = systems(domain.intersect_params(&context).explicit(budget)?.pieces(), budget)?;
            nodes.push(Node::new(params.len(), domain.n_dims(), &pieces, budget)?);
        }
        // The same pairs are often wanted in several ways.
        let mut kinds: IndexMap<(usize, usize), Vec<(System, Kinds)>> = IndexMap::new();
        for (index, relation) in relations.into_iter().enumerate() {
            for map in relation.maps() {
                let position = |tuple: &Tuple| tuples.iter().position(|t| t == tuple);
                let (Some(source), Some(target)) = (position(map.domain_tuple()), position(map.range_tuple())) else {
                    continue;
                };
                let map = map.align_params(&params).intersect_params(&context);
                let map = map.intersect_domain(&domains[source]).intersect_range(&domains[target]);
                let known = kinds.entry((source, target)).or_default();
                for pairs in systems(map.explicit(budget)?.pieces(), budget)? {
                    let position = known.iter().position(|(p, _)| *p == pairs);
                    let position = position.unwrap_or_else(|| {
                        known.push((pairs, Kinds::default()));
                        known.len() - 1
                    });
                    let kinds = &mut known[position].1;
                    match index {
                        0 => kinds.validity = true,
                        1 => kinds.proximity = true,
                        _ => kinds.coincidence = true,
                    }
                }
            }
        }
        let dependences = kinds
            .into_iter()
            .flat_map(|((source, target), all)| {
                all.into_iter().map(move |(pairs, kinds)| Dependence {
                    source,
                    target,
                    kinds,
                    pairs,
                })
            })
            .collect();
        let statements = Statements {
            params: params.clone(),
            tuples,
        };
        Ok((
            statements,
            Graph {
                n_params: params.len(),
                nodes,
                dependences,
            },
        ))
    }

    /// The pairs of `dependence` that one-dimensional schedules of its source and target do not tell apart. None if there
    /// are none.
    pub(super) fn coscheduled(
        &self,
        dependence: &Dependence,
        members: &[(&ScheduleRow, &ScheduleRow)],
        budget: &Budget,
    ) -> Outcome<Option<Dependence>> {
        let mut left = dependence.clone();
        for (source, target) in members {
            let row = self.distance(dependence, source, target);
            if row.iter().any(|a| !a.is_zero()) {
                left.pairs.eqs.push(row);
            }
        }
        Ok((!integer::is_empty(&left.pairs, budget)?).then_some(left))
    }

    /// The distance from source to target, over the columns of the dependence's pairs.
    fn distance(&self, dependence: &Dependence, source: &ScheduleRow, target: &ScheduleRow) -> Row {
        let n_params = self.n_params;
        let (from, to) = (self.nodes[dependence.source].dim, self.nodes[dependence.target].dim);
        let mut row = zeros(dependence.pairs.n + 1);
        for (i, a) in source.iter().enumerate() {
            row[i] -= a;
        }
        for (i, a) in target.iter().enumerate() {
            row[if i <= n_params { i } else { i + from }] += a;
        }
        debug_assert!(source.len() == 1 + n_params + from && target.len() == 1 + n_params + to);
        row
    }
}
