//! Accesses of statements to arrays.

use crate::control::nest::Nest;
use crate::scev::scope::Scope;
use farkas_llvm::memory::{Access, Effect};
use farkas_llvm::scev::Scev;
use farkas_llvm::value::Value;
use farkas_polyhedral::sets::{Aff, Map, MultiAff, Params, Set, Tuple};

/// An access of a statement.
#[derive(Clone, Debug)]
pub(crate) struct Site<'a> {
    /// The index of the statement.
    pub(crate) statement: usize,
    /// The load, the store or the call.
    pub(crate) instruction: Value<'a>,
    pub(crate) access: Access<'a>,
    /// Whether it stands for a call that may read anything.
    pub(crate) of_reader: bool,
    /// What the address is based on: an address from outside of the region, or one that is [loaded from a table](super::row_tables)
    /// or [takes turns](super::rotating_buffers) with others.
    pub(crate) base: Value<'a>,
    /// The distance in bytes from the base.
    pub(crate) offset: Scev<'a>,
    /// The distance at the place of execution, if scalar evolution has another expression there.
    pub(crate) executed: Option<Scev<'a>>,
    /// The scope of its execution, and of its elements.
    pub(crate) scope: Scope,
}

impl<'a> Site<'a> {
    /// Whether it writes.
    pub(crate) fn writes(&self) -> bool {
        self.access.effect != Effect::Read
    }

    /// What it is based on in some iteration: any of the buffers that take turns. LLVM takes phis of one block to be those of one iteration, in
    /// which their buffers may well be apart.
    pub(crate) fn bases(&self, nest: &Nest<'a>) -> Vec<Value<'a>> {
        match nest.rotation(self.base) {
            Some((id, _)) => nest.buffers(id),
            None => vec![self.base],
        }
    }

    /// Its effect on each of its elements.
    pub(crate) fn effect(&self) -> Effect {
        self.access.effect
    }
}

/// The subscripts of an access.
#[derive(Clone, Debug)]
pub(crate) enum Subscripts {
    /// On each piece of the domain, one expression a dimension.
    Affine(Vec<(Set, Vec<Aff>)>),
    /// Anything.
    Any,
}

/// The map from counters to subscripts in them, over at least these parameters.
pub(crate) fn subscript_map(subscripts: &[Aff], range: Tuple, params: &Params) -> Map {
    let own = subscripts.iter().map(|aff| &aff.space().params);
    let params = own.fold(params.clone(), |all, own| all.union(own));
    let subscripts: Vec<Aff> = subscripts.iter().map(|aff| aff.align_params(&params)).collect();
    MultiAff::new(subscripts[0].space().clone(), range, subscripts).to_map()
}
