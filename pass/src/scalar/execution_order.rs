//! Execution order: which statement instances precede which, within one iteration of the loops that they share.
//!
//! The original schedule of a statement alternates positions and counters: the position in the body of each loop
//! around it, then the counter of the next loop. Positions order two statements within one iteration of a loop; where
//! both are in the same inner loop, its counter decides. [`ExecutionOrder`] answers such questions on the model.

use super::draft::{DraftStatement, ScopDraft};
use farkas_llvm::scop_ir::{IrStatement, LoopId};
use farkas_llvm::value::Value;
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::Access;
use farkas_polyhedral::sets::{Map, MapSpace, Set};
use std::cmp::Ordering;

/// The statements of a model, by their indices.
#[derive(Clone, Copy)]
pub(crate) struct ExecutionOrder<'m, 'a> {
    pub(crate) draft: &'m ScopDraft<'a>,
    /// The [accesses](ScopDraft::accesses) of each statement.
    pub(crate) accesses: &'m [Vec<Access>],
}

impl<'m, 'a> ExecutionOrder<'m, 'a> {
    pub(crate) fn statement(&self, index: usize) -> &'m DraftStatement<'a> {
        &self.draft.statements[index]
    }

    pub(crate) fn statement_ir(&self, index: usize) -> &'m IrStatement<'a> {
        &self.statement(index).ir
    }

    /// Whether the statement is in all of these loops.
    pub(crate) fn is_inside(&self, index: usize, loops: &[LoopId]) -> bool {
        self.statement_ir(index).loops.starts_with(loops)
    }

    /// The position of a statement, or of the loop that it is in, in the body of the innermost of `depth` loops
    /// around it.
    pub(crate) fn position(&self, index: usize, depth: usize) -> Int {
        let aff = &self.statement(index).schedule.affs()[2 * depth];
        aff.as_constant().expect("positions and counters take turns")
    }

    /// The domain under the context.
    pub(crate) fn executed(&self, index: usize) -> Set {
        self.statement(index).domain.intersect_params(&self.draft.context)
    }

    /// The accessed elements, per instance.
    pub(crate) fn accessed(&self, index: usize, access: &Access) -> Map {
        access.relation.intersect_domain(&self.executed(index))
    }

    /// The relation of an outer statement as one of the instances of `index`, which is in all of its loops: each
    /// instance gets the image of the outer instance of the same iteration.
    pub(crate) fn of_inner(&self, relation: &Map, index: usize) -> Map {
        let tuple = self.statement(index).tuple().clone();
        let outer = relation.domain_tuple().n();
        let relation = relation
            .insert_domain_dims(outer, tuple.n() - outer)
            .with_domain_tuple(tuple);
        relation.intersect_domain(&self.executed(index))
    }

    /// From instances of `one` to those of `other` that are executed later, in the same iteration of `depth` loops
    /// around both.
    pub(crate) fn later(&self, one: usize, other: usize, depth: usize) -> Map {
        let (first, second) = (self.statement(one), self.statement(other));
        let params = self.draft.context.params().clone();
        let space = MapSpace::new(params, first.tuple().clone(), second.tuple().clone());
        let mut same = (0..depth).fold(Map::universe(space.clone()), |map, dim| map.equate(dim, dim));
        let mut later = Map::empty(space);
        let (ours, theirs) = (first.schedule.affs(), second.schedule.affs());
        for (dim, (x, y)) in ours.iter().zip(theirs).enumerate().skip(2 * depth) {
            match (x.as_constant(), y.as_constant()) {
                (Some(x), Some(y)) => match x.cmp(&y) {
                    Ordering::Less => return later.union(&same),
                    Ordering::Equal => {}
                    Ordering::Greater => return later,
                },
                (None, None) => {
                    later = later.union(&same.order_lt(dim / 2, dim / 2));
                    same = same.equate(dim / 2, dim / 2);
                }
                _ => unreachable!("statements at the same places so far are in the same loops"),
            }
        }
        later
    }

    /// The pairs of an instance in the domain of `relation` and an instance of `other` that accesses an element of
    /// its image.
    pub(crate) fn meeting(&self, relation: &Map, other: usize, access: &Access, b: &Budget) -> Outcome<Map> {
        relation.apply_range(&self.accessed(other, access).reverse(), b)
    }

    /// The access of the model that stands for this load or store of the statement.
    pub(crate) fn access(&self, index: usize, instruction: Value<'a>) -> &'m Access {
        let statement = self.statement(index);
        let slots = statement.slots_read();
        let position = statement
            .loads_and_stores()
            .position(|i| i == instruction)
            .expect("an access of the statement");
        &self.accesses[index][slots.len() + position]
    }
}
