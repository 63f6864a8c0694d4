//! Divisions that do not change in the loops that they are in, as loop-invariant code motion finds them.
//!
//! ```c
//! for (long i = 0; i < n; i++) {
//!   double f = a[i] / d[i];
//!   for (long j = 0; j < n; j++)
//!     b[i][j] -= f * c[j];              // LLVM computes -a[i] / d[i] here, in each iteration
//! }
//! ```
//!
//! InstCombine puts a division into an inner loop where that saves an instruction, and LLVM hoists it again behind us. A statement that
//! computes it in each instance would cost many times more than the original, and new loops would not let LLVM hoist it, as they may
//! write to `a` and `d`. So the division, with what it is computed from in the loop, belongs to the statement outside.

use farkas_llvm::Run;
use farkas_llvm::inkwell::values::InstructionOpcode;
use farkas_llvm::value::{Block, Kind, Value};
use indexmap::IndexMap;

/// What is computed outside of the loops that it is in.
#[derive(Debug, Default)]
pub(super) struct InvariantDivisions<'a> {
    /// The values without effects that can be, with the block in which their last operand is there.
    early: IndexMap<Value<'a>, Block<'a>>,
}

impl<'a> InvariantDivisions<'a> {
    /// Those of these blocks, in program order, with their instructions. `is_defined` says whether a value is defined in them,
    /// `is_recomputable` whether it can be computed in a block from counters and values of outside, and `is_plain` whether a block
    /// alone is a statement.
    pub(super) fn of<'i>(
        run: &'a Run<'_>,
        blocks: impl Iterator<Item = (Block<'a>, &'i [Value<'a>])>,
        is_defined: &dyn Fn(Value<'a>) -> bool,
        is_recomputable: &dyn Fn(Value<'a>, Block<'a>) -> bool,
        is_plain: &dyn Fn(Block<'a>) -> bool,
    ) -> Self
    where
        'a: 'i,
    {
        let mut found = InvariantDivisions::default();
        let mut order: IndexMap<Block<'a>, usize> = IndexMap::new();
        for (block, instructions) in blocks {
            order.insert(block, order.len());
            for value in instructions.iter().copied() {
                let simple =
                    value.facts().pure() && !value.is_phi() && !matches!(value.kind(), Kind::Freeze | Kind::Call(_));
                if !simple || !is_plain(block) || !value.ty().is_single_value() {
                    continue;
                }
                let operands: Vec<Value<'a>> = value.operands().into_iter().filter(|own| is_defined(*own)).collect();
                let home = |own: &Value<'a>| found.early.get(own).copied().unwrap_or_else(|| own.block());
                let carried = operands.iter().filter(|own| !is_recomputable(**own, block));
                let Some(last) = carried.map(home).max_by_key(|block| order.get(block)) else {
                    continue;
                };
                let at_hand =
                    |own: &Value<'a>| is_recomputable(*own, last) || order.get(&home(own)) <= order.get(&last);
                if is_plain(last) && operands.iter().all(at_hand) && is_outside(run, last, block) {
                    found.early.insert(value, last);
                }
            }
        }
        found
    }

    /// The block in which a value is computed.
    pub(super) fn home(&self, value: Value<'a>) -> Block<'a> {
        match self.early.get(&value) {
            Some(block) if is_division(value) => *block,
            _ => value.block(),
        }
    }

    /// Whether a value of an inner loop can be computed in this block, for a division that is hoisted to it.
    pub(super) fn is_operand_in(&self, value: Value<'a>, block: Block<'a>) -> bool {
        self.early.get(&value) == Some(&block)
    }
}

/// Whether all loops around `outer` are around `inner`, and some loop around `inner` is not around `outer`. A block in a loop that has
/// ended by then would compute a division in each of its iterations.
fn is_outside<'a>(run: &'a Run<'_>, outer: Block<'a>, inner: Block<'a>) -> bool {
    run.loop_of(inner).is_some_and(|l| !l.contains(outer)) && run.loop_of(outer).is_none_or(|l| l.contains(inner))
}

fn is_division(value: Value<'_>) -> bool {
    let opcode = value.instruction().map(|i| i.get_opcode());
    opcode == Some(InstructionOpcode::FDiv)
}
