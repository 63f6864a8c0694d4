//! The place where an expression is evaluated, and how the bits of an integer are read there.

use super::pieces::{Pieces, nonnegative};
use farkas_llvm::scop_ir::LoopId;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Aff, Params, Set, SetSpace, Tuple};

/// How the bits of an integer are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Reading {
    Signed,
    Unsigned,
}

/// The place where an expression is evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// The loops around, outermost first: the dimensions of the space.
    pub(crate) loops: Vec<LoopId>,
    /// Whether there is one more dimension, inside of all loops, for the elements that one access reaches.
    pub(crate) elements: bool,
    /// The counter values with which the place is reached: a set of anonymous tuples.
    pub(crate) domain: Set,
}

impl Scope {
    /// The place outside of all loops.
    pub(crate) fn outermost() -> Scope {
        Scope {
            loops: Vec::new(),
            elements: false,
            domain: Set::universe(space(0)),
        }
    }

    /// The space of the counters, without parameters.
    pub(crate) fn space(&self) -> SetSpace {
        space(self.loops.len() + usize::from(self.elements))
    }

    /// The number of the element, in the scope of the elements of an access.
    pub(crate) fn element(&self) -> Option<Aff> {
        self.elements.then(|| Aff::var(self.space(), self.loops.len()))
    }

    /// The scope of the `count` elements that an access reaches, numbered from 0.
    pub(crate) fn of_elements(&self, count: &Pieces) -> Scope {
        let depth = self.loops.len();
        let space = space(depth + 1);
        let element = Aff::var(space.clone(), depth);
        let below = |(piece, count): (&Set, &Aff)| {
            let rest = count.insert_dims(depth, 1, Tuple::anonymous(depth + 1)).sub(&element);
            let rest = rest.add_constant(&Int::from(-1));
            piece.insert_dims(depth, 1).intersect(&nonnegative(&rest))
        };
        let reached = count
            .iter()
            .map(below)
            .fold(Set::empty(space), |all, piece| all.union(&piece));
        let domain = self.domain.insert_dims(depth, 1);
        Scope {
            loops: self.loops.clone(),
            elements: true,
            domain: domain.intersect(&reached).intersect(&nonnegative(&element)),
        }
    }
}

/// The space of `depth` counters, without parameters.
pub(crate) fn space(depth: usize) -> SetSpace {
    SetSpace::new(Params::none(), Tuple::anonymous(depth))
}
