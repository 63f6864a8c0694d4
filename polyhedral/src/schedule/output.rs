//! Plans as schedule trees.

use super::ScheduleConstraints;
use super::graph::{ScheduleRow, Statements};
use super::plan::Plan;
use crate::sets::{Aff, MultiAff, SetSpace, Tuple};
use crate::tree::{Band, Filter, Member, Node, Tree};

/// The schedule tree of a plan.
pub(super) fn tree(constraints: &ScheduleConstraints, statements: &Statements, plan: &Plan) -> Tree {
    Tree {
        domain: constraints.domain.clone(),
        context: constraints.context.clone(),
        root: node(statements, plan),
    }
}

fn node(statements: &Statements, plan: &Plan) -> Node {
    let filters = |children: &[(Vec<usize>, Plan)]| {
        let filter = |(nodes, plan): &(Vec<usize>, Plan)| {
            let tuples = nodes.iter().map(|&n| statements.tuples[n].clone());
            Filter::of_statements(tuples, node(statements, plan))
        };
        children.iter().map(filter).collect()
    };
    match plan {
        Plan::Leaf => Node::Leaf,
        Plan::Sequence(children) => Node::Sequence(filters(children)),
        Plan::Set(children) => Node::Set(filters(children)),
        Plan::Band { nodes, band, child } => {
            let function = |(position, &n): (usize, &usize)| {
                let space = SetSpace::new(statements.params.clone(), statements.tuples[n].clone());
                let affs: Vec<Aff> = band
                    .members
                    .iter()
                    .map(|member| aff(&space, &member[position]))
                    .collect();
                MultiAff::new(space, Tuple::anonymous(affs.len()), affs)
            };
            let functions = nodes.iter().enumerate().map(function);
            let members = band.coincident.iter().map(|&coincident| Member {
                coincident,
                ..Member::default()
            });
            let tree = Band::of_functions(band.members.len(), functions, node(statements, child));
            Node::band(tree.with_members(members.collect()).with_permutable(true))
        }
    }
}

/// The function of a row `[constant | coefficients of parameters | coefficients of dimensions]`.
pub(super) fn aff(space: &SetSpace, row: &ScheduleRow) -> Aff {
    let n_params = space.params.len();
    let variable = |i: usize| {
        if i < n_params {
            Aff::param(space.clone(), i)
        } else {
            Aff::var(space.clone(), i - n_params)
        }
    };
    let terms = row[1..]
        .iter()
        .enumerate()
        .filter(|(_, a)| !a.is_zero())
        .map(|(i, a)| variable(i).scale(a));
    terms.fold(Aff::constant(space.clone(), row[0].clone()), |sum, term| sum.add(&term))
}
