//! Statements, as far as the scheduler knows them.

use super::coalescing;
use super::consecutivity::Reference;
use super::graph::{ParameterBounds, cone_over, systems};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Matrix, Row, kernel, row_hermite, unit};
use crate::sets::Set;
use crate::solver::System;

/// A statement.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The number of dimensions of its instances.
    pub(super) dim: usize,
    /// The instances: a union of systems with the columns `[1 | parameters | dimensions | divisions]`.
    pub(super) pieces: Vec<System>,
    /// The linear parts of rows over the dimensions that distinguish no instances, once the other rows do: those that are
    /// constant on all instances, and the dimensions of which the other ones leave one value only. This has the effect
    /// of compressing the domain (P0, 7.2).
    pub(super) fixed: Vec<Row>,
    /// Per dimension its size, if that is a positive constant (P0, 7.5.2). A size of 0 is that of a dimension with a
    /// fixed value, which nothing can coalesce with.
    pub(super) sizes: Vec<Option<Int>>,
    /// What should be accessed consecutively, in the order of preference.
    pub(super) references: Vec<Reference>,
}

impl Node {
    /// The statement with these instances and references.
    pub(super) fn new(domain: &Set, references: Vec<Reference>, budget: &Budget) -> Outcome<Node> {
        let (n_params, dim) = (domain.params().len(), domain.n_dims());
        let pieces = systems(domain.explicit(budget)?.pieces(), budget)?;
        let mut points = Vec::new();
        for piece in &pieces {
            let generators = cone_over(piece, n_params, ParameterBounds::Dropped, budget)?;
            let vectors = generators.lines.iter().chain(&generators.rays);
            points.extend(vectors.map(|v| Row::from(&v[..1 + n_params + dim])));
        }
        let equalities = kernel(&Matrix::new(points, 1 + n_params + dim));
        // The last dimensions first, so that these are the pivots, and count as those that follow from the others.
        let reversed = |row: &Row| row[1 + n_params..].iter().rev().cloned().collect::<Row>();
        let hermite = row_hermite(&Matrix::new(equalities.rows.iter().map(reversed).collect(), dim));
        let mut fixed: Vec<Row> = hermite.form.rows[..hermite.pivots.len()]
            .iter()
            .map(|row| row.iter().rev().cloned().collect())
            .collect();
        let mut settled = vec![false; dim];
        hermite.pivots.iter().for_each(|&pivot| settled[dim - 1 - pivot] = true);
        let axes: Vec<Row> = (0..dim)
            .map(|axis| unit(1 + n_params + dim, 1 + n_params + axis))
            .collect();
        let sizes = coalescing::sizes(n_params, dim, &pieces, &axes, budget)?;
        for axis in (0..dim).rev() {
            if settled[axis] || sizes[axis].as_ref().is_none_or(|size| !size.is_zero()) {
                continue;
            }
            let others: Vec<Row> = (0..dim)
                .filter(|&other| other != axis && !settled[other])
                .map(|other| axes[other].clone())
                .collect();
            if coalescing::is_determined(n_params, dim, &pieces, &axes[axis], &others, budget)? {
                settled[axis] = true;
                fixed.push(unit(dim, axis));
            }
        }
        Ok(Node {
            dim,
            pieces,
            fixed,
            sizes: sizes.into_iter().map(|size| size.filter(Int::is_pos)).collect(),
            references,
        })
    }
}
