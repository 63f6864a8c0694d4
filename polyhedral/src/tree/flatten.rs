//! A tree as one function a statement.

use indexmap::IndexMap;

use crate::int::Int;
use crate::sets::{Aff, MultiAff, SetSpace, Tuple};
use crate::tree::{Filter, Node, Share, Tree};

impl Tree {
    /// For each statement a function to a common anonymous tuple, such that an instance is executed before another if
    /// its value is lexicographically smaller: where all instances of a statement take the same way through the tree,
    /// with one expression for each member on it, and there are no expansions, extensions and guards.
    ///
    /// The children of a set node come in the order in which they are listed. Instances that the tree does not order
    /// have equal values. Shorter branches are padded with zeros.
    pub fn flat_schedule(&self) -> Option<IndexMap<Tuple, MultiAff>> {
        let params = self.params();
        let mut functions: IndexMap<Tuple, Vec<Aff>> =
            self.domain.tuples().map(|tuple| (tuple.clone(), Vec::new())).collect();
        let space = |tuple: &Tuple| SetSpace::new(params.clone(), tuple.clone());
        walk(&self.root, &mut functions, &space)?;
        let length = functions.values().map(Vec::len).max().unwrap_or(0);
        let padded = functions.into_iter().map(|(tuple, mut affs)| {
            affs.resize_with(length, || Aff::constant(space(&tuple), Int::ZERO));
            let function = MultiAff::new(space(&tuple), Tuple::anonymous(length), affs);
            (tuple, function)
        });
        Some(padded.collect())
    }
}

/// Appends what `node` says of the order to the functions of the statements that reach it.
fn walk(node: &Node, functions: &mut IndexMap<Tuple, Vec<Aff>>, space: &dyn Fn(&Tuple) -> SetSpace) -> Option<()> {
    match node {
        Node::Band(band) => {
            for (tuple, affs) in functions.iter_mut() {
                let params = space(tuple).params;
                affs.extend(band.function_of(tuple)?.align_params(&params).affs().iter().cloned());
            }
            walk(&band.child, functions, space)
        }
        Node::Filter(filter) => {
            *functions = passed(filter, functions)?;
            walk(&filter.child, functions, space)
        }
        Node::Sequence(children) | Node::Set(children) => {
            for (position, filter) in children.iter().enumerate() {
                let mut passed = passed(filter, functions)?;
                for (tuple, affs) in &mut passed {
                    affs.push(Aff::constant(space(tuple), Int::from(position)));
                }
                walk(&filter.child, &mut passed, space)?;
                functions.extend(passed);
            }
            Some(())
        }
        Node::Context(_, child) | Node::Mark(_, child) => walk(child, functions, space),
        Node::Expansion(_) | Node::Extension(..) | Node::Guard(..) => None,
        Node::Leaf => Some(()),
    }
}

/// The functions of the statements that pass a filter, if it splits none.
fn passed(filter: &Filter, functions: &IndexMap<Tuple, Vec<Aff>>) -> Option<IndexMap<Tuple, Vec<Aff>>> {
    let mut passed = IndexMap::new();
    for (tuple, affs) in functions {
        match filter.share(tuple) {
            Share::Nothing => {}
            Share::Whole => {
                passed.insert(tuple.clone(), affs.clone());
            }
            Share::Part => return None,
        }
    }
    Some(passed)
}
