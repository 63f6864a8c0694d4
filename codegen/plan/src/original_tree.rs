//! The original order of a program as a schedule tree: what a schedule by hand begins with.
//!
//! ```text
//! S[i] -> [0, i, 0]       sequence            of the constants that tell statements apart
//! T[i, j] -> [0, i, 1, j]   [i]               a band for loops that go on without one
//!                             S
//!                             T: [j]
//! ```

use farkas_polyhedral::program::{Program, Statement};
use farkas_polyhedral::sets::{Aff, MultiAff, Set, SetSpace, Tuple, UnionSet};
use farkas_polyhedral::tree::{Band, Filter, Node, Tree};
use indexmap::IndexMap;

/// The tree that executes the instances of a program in its own order. Nothing is said of its bands.
pub fn original_tree(program: &Program) -> Tree {
    let params = program.context.params();
    let mut domain = UnionSet::empty(params.clone());
    program
        .statements
        .iter()
        .for_each(|statement| domain.add(&statement.domain));
    let statements: Vec<&Statement> = program.statements.iter().collect();
    Tree {
        domain,
        context: Set::universe(SetSpace::params_only(params.clone())),
        root: node(&statements, 0),
    }
}

/// The order of statements by the dimensions of their schedules from one on, where those before it are equal.
fn node(statements: &[&Statement], first: usize) -> Node {
    let n_dims = statements.iter().map(|one| one.schedule.len()).max().unwrap_or(0);
    let mut members = Vec::new();
    for dim in first..n_dims {
        match constants(statements, dim) {
            Some(parts) if parts.len() > 1 => return band(statements, &members, sequence(parts, dim + 1)),
            Some(_) => {}
            None => members.push(dim),
        }
    }
    band(statements, &members, Node::Leaf)
}

/// The statements by the constants that they have in a dimension, in order; `None` where one has another function there.
fn constants<'s>(statements: &[&'s Statement], dim: usize) -> Option<Vec<Vec<&'s Statement>>> {
    let mut parts: IndexMap<_, Vec<&Statement>> = IndexMap::new();
    for statement in statements {
        let constant = statement.schedule.affs()[dim].as_constant()?;
        parts.entry(constant).or_default().push(statement);
    }
    parts.sort_unstable_keys();
    Some(parts.into_values().collect())
}

fn sequence(parts: Vec<Vec<&Statement>>, first: usize) -> Node {
    let child = |statements: Vec<&Statement>| {
        let tuples = statements.iter().map(|statement| statement.tuple().clone());
        Filter::of_statements(tuples.collect::<Vec<_>>(), node(&statements, first))
    };
    Node::Sequence(parts.into_iter().map(child).collect())
}

fn band(statements: &[&Statement], members: &[usize], child: Node) -> Node {
    if members.is_empty() {
        return child;
    }
    let function = |statement: &&Statement| {
        let schedule = &statement.schedule;
        let affs: Vec<Aff> = members.iter().map(|dim| schedule.affs()[*dim].clone()).collect();
        MultiAff::new(schedule.domain_space(), Tuple::anonymous(members.len()), affs)
    };
    Node::band(Band::of_functions(
        members.len(),
        statements.iter().map(function),
        child,
    ))
}
