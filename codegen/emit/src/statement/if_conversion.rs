//! If-conversion of statements whose accesses under conditions are all made [in any case](super::unconditional).
//!
//! ```text
//!     c = t == 3; if (!c && t == 2) c = a[i];      ->      %a = load a[i]
//!                                                          %c = select (t == 2), %a, false     %r = select (t == 3), true, %c
//! ```
//!
//! What is left under conditions is arithmetic. All blocks are emitted in a row, and phis become selects, by the conditions of the edges that
//! control comes by. (LLVM would move the loads back into their blocks if there were branches, and make no vectors where it has no masks.)
//!
//! An instruction of a block that is not executed may be poison: a select that does not choose it is not. Nor is the condition of an edge: it is
//! false if the block before it is not executed, whatever the branch is by.

use farkas_llvm::inkwell::values::{BasicValueEnum, IntValue};
use farkas_llvm::scop_ir::{IrStatement, Written};
use farkas_llvm::value::{Block, Value};
use indexmap::IndexMap;

use super::Instance;
use super::unconditional::stored_value;
use crate::arith::BUILDS;
use crate::branches::{are_convertible, selected, taken};

/// The condition by which control comes to a block, or along an edge; `None` where it does in any case.
type Condition<'a> = Option<IntValue<'a>>;

/// Whether a statement makes accesses in any case, and has nothing but these and arithmetic under conditions.
pub(super) fn is_convertible(statement: &IrStatement<'_>) -> bool {
    let is_governed = |i: &&Value<'_>| statement.blocks[1..].contains(&i.block());
    let is_arithmetic = |i: &Value<'_>| {
        i.is_phi() || statement.unconditional.contains(i) || i.facts().speculatable() && i.facts().pure()
    };
    let mut governed = statement.instructions.iter().filter(is_governed);
    !statement.unconditional.is_empty() && are_convertible(statement) && governed.all(is_arithmetic)
}

impl<'a> Instance<'_, '_, 'a> {
    /// Emits all blocks in a row; returns the values for the slots.
    pub(super) fn if_converted(&mut self) -> Vec<BasicValueEnum<'a>> {
        let statement = self.statement;
        let values = self.shared.values;
        let mut edges: IndexMap<(Block<'a>, Block<'a>), Condition<'a>> = IndexMap::new();
        let mut stored: Vec<(Value<'a>, Condition<'a>, BasicValueEnum<'a>)> = Vec::new();
        let mut scope = None;
        let mut everywhere = self.computed.len();
        for block in &statement.blocks {
            let is_first = *block == statement.start();
            // What is shared with other blocks may not be poison where only this one is left out.
            if !is_first {
                drop(scope.take());
                scope = Some(values.scope());
            }
            self.computed.truncate(everywhere);
            let incoming: Vec<(Block<'a>, Condition<'a>)> = edges
                .iter()
                .filter(|((_, to), _)| to == block)
                .map(|((from, _), condition)| (*from, *condition))
                .collect();
            for phi in self.own_phis(*block) {
                let value = |from| phi.incoming_from(from).expect("a phi knows all ways in");
                let ways = incoming
                    .iter()
                    .map(|(from, condition)| (*condition, value(*from)))
                    .collect();
                let selected = self.selected(ways);
                self.own.insert(phi, selected);
            }
            let executed = match is_first || statement.comes_through(&[*block]) {
                true => None,
                false => self.any(incoming.iter().map(|(_, condition)| *condition)),
            };
            self.block(*block);
            if is_first {
                self.early_loads();
            }
            let is_own = |i: &&Value<'a>| i.is_store() && i.block() == *block;
            for store in statement.unconditional.iter().filter(is_own) {
                stored.push((*store, executed, self.value(stored_value(*store))));
            }
            let taken = taken(self.shared.builder, *block, |value| self.value(value).into_int_value());
            for to in block.successors() {
                let condition = match taken.get(&to) {
                    Some(taken) => Some(self.both(executed, *taken)),
                    None => executed,
                };
                edges.insert((*block, to), condition);
            }
            if is_first {
                everywhere = self.computed.len();
            }
        }
        drop(scope);
        self.computed.truncate(everywhere);
        let truth = self.shared.i64.get_context().bool_type().const_int(1, false);
        for (store, executed, value) in stored {
            self.store_late(store, executed.unwrap_or(truth), value);
        }
        let leaves = |to: &Block<'a>| !statement.blocks.contains(to);
        let leaving: Vec<(Block<'a>, Condition<'a>)> = edges
            .iter()
            .filter(|((_, to), _)| leaves(to))
            .map(|((from, _), condition)| (*from, *condition))
            .collect();
        let written = |write: &Written<'a>| match write {
            Written::Always(value) => self.value(*value),
            Written::From(values) => {
                let of = |from| values.iter().find(|(own, _)| *own == from);
                let value = |from| of(from).expect("a value for each way out").1;
                let ways = leaving
                    .iter()
                    .map(|(from, condition)| (*condition, value(*from)))
                    .collect();
                self.selected(ways)
            }
        };
        statement.writes.iter().map(|write| &write.value).map(written).collect()
    }

    /// The value of the way that control comes by.
    fn selected(&mut self, ways: Vec<(Condition<'a>, Value<'a>)>) -> BasicValueEnum<'a> {
        let builder = self.shared.builder;
        let ways = ways
            .into_iter()
            .map(|(condition, value)| (condition, self.value(value)));
        selected(builder, ways)
    }

    /// Whether one of several conditions holds.
    fn any(&self, conditions: impl Iterator<Item = Condition<'a>>) -> Condition<'a> {
        let conditions: Option<Vec<IntValue<'a>>> = conditions.collect();
        let builder = self.shared.builder;
        let either = |one, other| builder.build_or(one, other, "").expect(BUILDS);
        conditions?.into_iter().reduce(either)
    }

    /// Whether a block is executed and a condition holds behind it, which may be poison if it is not.
    fn both(&self, executed: Condition<'a>, condition: IntValue<'a>) -> IntValue<'a> {
        let Some(executed) = executed else { return condition };
        let never = condition.get_type().const_zero();
        let both = self.shared.builder.build_select(executed, condition, never, "");
        both.expect(BUILDS).into_int_value()
    }
}
