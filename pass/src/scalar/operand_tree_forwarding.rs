//! Operand-tree forwarding: a statement repeats the loads of a value in place of reading it from a scalar slot, as
//! Polly's ForwardOpTree does.
//!
//! ```c
//! for (long i = 0; i < n; i++) {
//!   double v = 2 * x[i];                // the value of a slot that the inner loop would read
//!   for (long j = 0; j < n; j++)
//!     a[i][j] *= v;                     // loads x[i] itself, if x[i] has not changed
//! }
//! ```
//!
//! Legal if nothing may write the element between the original load and the reader. The load itself is safe: it was
//! executed before, in the same iteration of the loops around it.
//!
//! What a value is computed from may be of several blocks, as where `x[i]` is loaded for a condition in front of the product.

use super::draft::{DraftStatement, ScopDraft};
use super::execution_order::ExecutionOrder;
use farkas_llvm::inkwell::values::InstructionOpcode;
use farkas_llvm::operand_tree::{Visit, operand_tree};
use farkas_llvm::scop_ir::{SlotId, induction};
use farkas_llvm::types::TypeKind;
use farkas_llvm::value::{Kind, Value};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::program::AccessKind;
use indexmap::{IndexMap, IndexSet};

/// Number of instructions of an operand tree, those that compute addresses included; larger values stay in slots.
const MOST_INSTRUCTIONS: usize = 16;

/// Number of loads and operations on floating-point numbers among them.
const MOST_OPERATIONS: usize = 8;

/// Number of values that are looked at.
const MOST_VALUES: usize = 16;

/// The values that all statements that read them can recompute, with the instructions of their operand trees. Each
/// value may spend so much `work`.
pub(crate) fn forwardable_values<'a>(draft: &ScopDraft<'a>, work: u64, b: &Budget) -> Outcome<IndexSet<Value<'a>>> {
    let accesses = &draft.all_accesses();
    let order = ExecutionOrder { draft, accesses };
    let used_outside: IndexSet<SlotId> = draft.slots_read_after().collect();
    let mut readers: IndexMap<Value<'a>, Vec<usize>> = IndexMap::new();
    let mut kept: IndexSet<Value<'a>> = IndexSet::new();
    for (index, statement) in draft.statements.iter().enumerate() {
        for (slot, value) in &statement.ir.reads {
            match used_outside.contains(slot) {
                true => _ = kept.insert(*value),
                false if value.is_phi() => {}
                false => readers.entry(*value).or_default().push(index),
            }
        }
    }
    let mut found: IndexMap<Value<'a>, Vec<Value<'a>>> = IndexMap::new();
    for (value, readers) in readers.iter().take(MOST_VALUES) {
        let Some(tree) = tree(order, *value) else {
            continue;
        };
        let unchanged = b.trial(work, |b| {
            for reader in readers {
                for load in tree.iter().filter(|i| i.is_load_or_store()) {
                    let writer = statement_of(order, *load).expect("an instruction of a statement");
                    if !is_unchanged(order, (writer, *load), *reader, b)? {
                        return Ok(false);
                    }
                }
            }
            Ok(true)
        })?;
        if unchanged == Ok(true) {
            found.insert(*value, tree);
        }
    }
    // What a value is computed from may be carried to others, for which it has to be.
    let carried = |value: &Value<'a>| kept.contains(value) || readers.contains_key(value) && !found.contains_key(value);
    let trees = found.values().filter(|tree| !tree.iter().any(carried));
    Ok(trees.flatten().copied().collect())
}

/// The operand tree of a value that is written to a slot, with its loads. `None` if the tree must not be repeated.
fn tree<'a>(order: ExecutionOrder<'_, 'a>, value: Value<'a>) -> Option<Vec<Value<'a>>> {
    let draft = order.draft;
    let writer = statement_of(order, value)?;
    if !order.statement_ir(writer).results().contains(&value) {
        return None;
    }
    let is_carried = |value: Value<'a>| {
        let mut reads = draft.statements.iter().flat_map(|statement| &statement.ir.reads);
        reads.any(|(_, read)| *read == value)
    };
    let is_address = |value: &Value<'a>| {
        let ty = value.ty().kind();
        !value.is_load_or_store() && matches!(ty, TypeKind::Integer(_) | TypeKind::Pointer(_))
    };
    let tree = operand_tree([value], MOST_INSTRUCTIONS, |value| {
        if !value.is_data() || !draft.region.defines(value) || induction(&draft.loops, value).is_some() {
            return Visit::Leaf;
        }
        let is_instruction = |statement: &DraftStatement<'a>| statement.ir.instructions.contains(&value);
        if !is_carried(value) && !draft.statements.iter().any(is_instruction) {
            return Visit::Leaf;
        }
        let simple = match value.kind() {
            Kind::Load { .. } => true,
            Kind::Freeze | Kind::Call(_) | Kind::Phi(_) => false,
            _ => value.facts().pure() && !is_division(value),
        };
        match simple && statement_of(order, value).is_some() {
            true => Visit::Operands,
            false => Visit::Abort,
        }
    });
    let tree: Vec<Value<'a>> = tree?.into_iter().collect();
    let operations = tree.iter().filter(|value| !is_address(value)).count();
    (operations <= MOST_OPERATIONS).then_some(tree)
}

/// The statement that begins with the block of a value, and computes it there.
fn statement_of<'a>(order: ExecutionOrder<'_, 'a>, value: Value<'a>) -> Option<usize> {
    let mut statements = order.draft.statements.iter().map(|statement| &statement.ir);
    statements.position(|s| s.start() == value.block() && s.instructions.contains(&value))
}

fn is_division(value: Value<'_>) -> bool {
    use InstructionOpcode::{FDiv, FRem, SDiv, SRem, UDiv, URem};
    let opcode = value.instruction().map(|i| i.get_opcode());
    matches!(opcode, Some(FDiv | FRem | SDiv | SRem | UDiv | URem))
}

/// Whether the load of the statement `writer` has the same result when `reader` begins.
fn is_unchanged<'a>(
    order: ExecutionOrder<'_, 'a>,
    (writer, load): (usize, Value<'a>),
    reader: usize,
    b: &Budget,
) -> Outcome<bool> {
    let loops = &order.statement_ir(writer).loops;
    if !order.is_inside(reader, loops) {
        return Ok(false);
    }
    let depth = loops.len();
    let loaded = order.accessed(writer, order.access(writer, load));
    let read = order.of_inner(&loaded, reader);
    for other in 0..order.draft.statements.len() {
        if !order.is_inside(other, loops) || order.position(other, depth) < order.position(writer, depth) {
            continue;
        }
        for access in &order.accesses[other] {
            if access.kind == AccessKind::Read || access.array() != loaded.range_tuple() {
                continue;
            }
            let before = order.later(other, reader, depth).reverse();
            let changed = order.meeting(&read, other, access, b)?.intersect(&before);
            if !changed.is_empty(b)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
