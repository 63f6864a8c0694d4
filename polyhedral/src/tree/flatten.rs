//! A tree as one flat schedule per statement.

use indexmap::IndexMap;

use crate::int::Int;
use crate::sets::{Aff, MultiAff, SetSpace, Tuple};
use crate::tree::{Filter, Node, Tree};

impl Tree {
    /// For each statement a function to a common anonymous tuple, such that an instance is executed before another if
    /// its value is lexicographically smaller.
    ///
    /// The children of a set node come in the order in which they are listed. Instances that the tree does not order
    /// have equal values. Shorter branches are padded with zeros.
    pub fn flat_schedule(&self) -> IndexMap<Tuple, MultiAff> {
        let params = self.params();
        let mut functions: IndexMap<Tuple, Vec<Aff>> =
            self.domain.tuples().map(|tuple| (tuple.clone(), Vec::new())).collect();
        let space = |tuple: &Tuple| SetSpace::new(params.clone(), tuple.clone());
        walk(&self.root, &mut functions, &space);
        let length = functions.values().map(Vec::len).max().unwrap_or(0);
        functions
            .into_iter()
            .map(|(tuple, mut affs)| {
                affs.resize_with(length, || Aff::constant(space(&tuple), Int::ZERO));
                let function = MultiAff::new(space(&tuple), Tuple::anonymous(length), affs);
                (tuple, function)
            })
            .collect()
    }

    /// The parameters of the domain and the context.
    pub fn params(&self) -> crate::sets::Params {
        self.domain
            .sets()
            .fold(self.context.params().clone(), |params, set| params.union(set.params()))
    }
}

/// Appends what `node` says of the order to the functions of the statements that reach it.
fn walk(node: &Node, functions: &mut IndexMap<Tuple, Vec<Aff>>, space: &dyn Fn(&Tuple) -> SetSpace) {
    match node {
        Node::Band(band) => {
            for (tuple, affs) in functions.iter_mut() {
                let params = space(tuple).params;
                affs.extend(band.schedule[tuple].affs().iter().map(|aff| aff.align_params(&params)));
            }
            walk(&band.child, functions, space);
        }
        Node::Sequence(children) | Node::Set(children) => {
            for (position, Filter { statements, child }) in children.iter().enumerate() {
                let mut passed: IndexMap<Tuple, Vec<Aff>> = functions
                    .iter()
                    .filter(|(tuple, _)| statements.contains(tuple))
                    .map(|(tuple, affs)| (tuple.clone(), affs.clone()))
                    .collect();
                for (tuple, affs) in &mut passed {
                    affs.push(Aff::constant(space(tuple), Int::from(position)));
                }
                walk(child, &mut passed, space);
                functions.extend(passed);
            }
        }
        Node::Mark(_, child) => walk(child, functions, space),
        Node::Leaf => {}
    }
}
