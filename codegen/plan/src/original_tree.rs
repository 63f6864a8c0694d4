//! The original order of a program as a schedule tree: what a schedule by hand begins with.
//!
//! ```text
//! S[i] -> [0, i, 0]       sequence            of the constants that tell statements apart
//! T[i, j] -> [0, i, 1, j]   [i]               a band for loops that go on without one
//!                             S
//!                             T: [j]
//! ```

use farkas_polyhedral::program::{Program, Statement};
use farkas_polyhedral::sets::{Aff, MultiAff, Params, Set, SetSpace, Tuple, UnionSet};
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
        root: node((params, &statements), 0),
    }
}

/// The order of statements by the dimensions of their schedules from one on, where those before it are equal.
fn node((params, statements): (&Params, &[&Statement]), first: usize) -> Node {
    let n_dims = statements.iter().map(|one| one.schedule.len()).max().unwrap_or(0);
    let mut members = Vec::new();
    for dim in first..n_dims {
        match constants(statements, dim) {
            Some(parts) if parts.len() > 1 => {
                return band((params, statements), &members, sequence(params, parts, dim + 1));
            }
            Some(_) => {}
            None => members.push(dim),
        }
    }
    band((params, statements), &members, Node::Leaf)
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

fn sequence(params: &Params, parts: Vec<Vec<&Statement>>, first: usize) -> Node {
    let child = |statements: Vec<&Statement>| {
        let tuples = statements.iter().map(|statement| statement.tuple().clone());
        Filter::of_statements(tuples.collect::<Vec<_>>(), node((params, &statements), first))
    };
    Node::Sequence(parts.into_iter().map(child).collect())
}

/// The band of some dimensions of the schedules. All functions have the parameters of the program, though a schedule may have none.
fn band((params, statements): (&Params, &[&Statement]), members: &[usize], child: Node) -> Node {
    if members.is_empty() {
        return child;
    }
    let function = |statement: &&Statement| {
        let schedule = statement.schedule.align_params(params);
        let affs: Vec<Aff> = members.iter().map(|dim| schedule.affs()[*dim].clone()).collect();
        MultiAff::new(schedule.domain_space(), Tuple::anonymous(members.len()), affs)
    };
    Node::band(Band::of_functions(
        members.len(),
        statements.iter().map(function),
        child,
    ))
}

/// The tree with each member of a band in a band of its own, as nothing is known of the order in which they may come.
pub(crate) fn with_one_member_bands(tree: Tree) -> Tree {
    fn apart(node: Node) -> Node {
        match node {
            Node::Band(band) if band.n() > 1 => {
                let child = apart(band.child.clone());
                let members = (0..band.n()).rev();
                members.fold(child, |child, member| {
                    Node::band(band.select(&[member]).with_child(child))
                })
            }
            other => other.map_children(&mut apart),
        }
    }
    Tree {
        root: apart(tree.root.clone()),
        ..tree
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A loop that runs backward for one statement, with another loop inside for the other one.
    const BACKWARD: &str = "program
  context: [n] -> { : n >= 0 }
  assumptions: [n] -> { : }
  array a: memory, 8 bytes, [][n]
  statement S
    domain: [n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }
    schedule: { S[i, j] -> [(i), (0), (j)] }
    write: [n] -> { S[i, j] -> a[(i), (j)] }
    operations: 1 store f64
  statement T
    domain: [n] -> { T[i, j] : 0 <= i < n and 0 <= j < n }
    schedule: [n] -> { T[i, j] -> [(n - 1 - i), (1), (0)] }
    write: [n] -> { T[i, j] -> a[(i), (j)] }
    operations: 1 store f64
";

    #[test]
    fn functions_have_the_parameters_of_the_program() {
        let program: Program = BACKWARD.parse().unwrap_or_else(|error| panic!("{error}"));
        let tree = original_tree(&program);
        let mut n_bands = 0;
        for path in tree.paths() {
            if let Some(Node::Band(band)) = tree.at(&path) {
                n_bands += 1;
                assert_eq!(band.schedule().params(), program.context.params(), "{tree}");
            }
        }
        assert_eq!(n_bands, 2);
    }
}
