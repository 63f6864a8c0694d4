//! Reductions: statements that combine an array element, or a scalar slot, with another value and write it back.
//!
//! In `for (i) for (j) s[0] += A[j][i];` all instances add to `s[0]`. Integers can be added in any order, and so can
//! floating-point numbers where the program's flags allow it. Then the loops can be interchanged.
//!
//! A reduction is a chain of operations of one kind from the value read to the value written; sums and differences
//! are one kind. No other instruction uses an intermediate result:
//!
//! ```text
//! %old = load i32, ptr %s
//! %new = add nsw i32 %old, %a      an update: cloned without `nsw`, since partial sums of another order may overflow
//! store i32 %new, ptr %s
//! ```
//!
//! An update under a condition is one too, if the condition does not depend on the chain.

use farkas_llvm::inkwell::values::InstructionOpcode;
use farkas_llvm::scop_ir::{IrStatement, SlotId, SlotWrite, Written};
use farkas_llvm::types::TypeKind;
use farkas_llvm::value::{Kind, Value};
use farkas_polyhedral::program::{self, Access, ElementType, ReductionOperation};
use farkas_polyhedral::sets::Tuple;
use indexmap::{IndexMap, IndexSet};

/// Names of minima and maxima begin so.
const EXTREMES: [(&str, ReductionOperation); 4] = [
    ("llvm.smin.", ReductionOperation::Minimum),
    ("llvm.smax.", ReductionOperation::Maximum),
    ("llvm.umin.", ReductionOperation::UnsignedMinimum),
    ("llvm.umax.", ReductionOperation::UnsignedMaximum),
];

/// Number of operations in a chain.
const MOST_UPDATES: usize = 16;

/// A reduction of a statement.
#[derive(Clone, Debug)]
pub(crate) struct Reduction<'a> {
    /// The element or slot that is combined.
    pub(crate) place: ReductionPlace<'a>,
    /// What it combines values by.
    pub(crate) by: program::Reduction,
    /// The operations of the chain, and the load if there is one. Flags and metadata of these do not hold for the
    /// values of another order.
    pub(crate) updates: IndexSet<Value<'a>>,
}

/// The element or slot that a reduction combines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReductionPlace<'a> {
    /// The element that this load reads and this store writes.
    Element {
        load: Value<'a>,
        store: Value<'a>,
    },
    ScalarSlot(SlotId),
    /// The element that both slots are kept in: `b = a + x;`
    SlotsInElement {
        read: SlotId,
        written: SlotId,
    },
    /// The element that this slot is kept in and this store writes.
    SlotInElement {
        slot: SlotId,
        store: Value<'a>,
    },
}

impl<'a> Reduction<'a> {
    /// Its load and its store, as far as it has them.
    pub(crate) fn instructions(&self) -> impl Iterator<Item = Value<'a>> + use<'a> {
        let (load, store) = match self.place {
            ReductionPlace::Element { load, store } => (Some(load), Some(store)),
            ReductionPlace::ScalarSlot(_) | ReductionPlace::SlotsInElement { .. } => (None, None),
            ReductionPlace::SlotInElement { store, .. } => (None, Some(store)),
        };
        load.into_iter().chain(store)
    }

    /// Whether the slot is what is combined, or kept in it.
    pub(crate) fn is_of(&self, slot: SlotId) -> bool {
        match self.place {
            ReductionPlace::Element { .. } => false,
            ReductionPlace::ScalarSlot(own) | ReductionPlace::SlotInElement { slot: own, .. } => own == slot,
            ReductionPlace::SlotsInElement { read, written } => [read, written].contains(&slot),
        }
    }
}

/// The reductions of a statement.
pub(crate) fn reductions<'a>(statement: &IrStatement<'a>) -> Vec<Reduction<'a>> {
    let of_store = |store: Value<'a>| {
        let Kind::Store { pointer, value } = store.kind() else {
            return None;
        };
        let is_start = |value: Value<'a>| {
            value.is_instruction()
                && matches!(value.kind(), Kind::Load { pointer: from } if from == pointer)
                && value.ty() == store.accessed_type()
        };
        let (load, mut updates) = chain(statement, value, is_start)?;
        let by = combines_by(*updates.first()?)?;
        updates.insert(load);
        let place = ReductionPlace::Element { load, store };
        Some(Reduction { place, by, updates })
    };
    let accesses = statement.instructions.iter().filter(|i| i.is_load_or_store());
    let writes = statement
        .writes
        .iter()
        .filter_map(|write| of_write(statement, write.slot, write));
    accesses.filter_map(|i| of_store(*i)).chain(writes).collect()
}

/// The reduction by which a statement combines the value that it reads from a slot, and stores the result to the element that the
/// slot is kept in.
pub(crate) fn reduction_in_element<'a>(
    statement: &IrStatement<'a>,
    slot: SlotId,
    store: Value<'a>,
) -> Option<Reduction<'a>> {
    let Kind::Store { value, .. } = store.kind() else {
        return None;
    };
    let (_, read) = statement.reads.iter().find(|(read, _)| *read == slot)?;
    let (_, updates) = chain(statement, value, |value| value == *read)?;
    Some(Reduction {
        place: ReductionPlace::SlotInElement { slot, store },
        by: combines_by(*updates.first()?)?,
        updates,
    })
}

/// The reduction by which a statement combines the value that it reads from a slot, and writes the result to another slot that is kept in the same
/// element.
pub(crate) fn reduction_between_slots<'a>(
    statement: &IrStatement<'a>,
    read: SlotId,
    written: SlotId,
) -> Option<Reduction<'a>> {
    let write = statement.writes.iter().find(|write| write.slot == written)?;
    let place = ReductionPlace::SlotsInElement { read, written };
    of_write(statement, read, write).map(|reduction| Reduction { place, ..reduction })
}

/// The reduction of what is read from a slot that ends with this write. Where a condition decides which value is written, it may be what was
/// read.
fn of_write<'a>(statement: &IrStatement<'a>, read: SlotId, write: &SlotWrite<'a>) -> Option<Reduction<'a>> {
    let mut reads = statement.reads.iter().filter(|(slot, _)| *slot == read);
    let (Some((_, start)), None) = (reads.next(), reads.next()) else {
        return None;
    };
    let values = match &write.value {
        Written::Always(value) => vec![*value],
        Written::From(values) => values.iter().map(|(_, value)| *value).collect(),
    };
    let mut updates: IndexSet<Value<'a>> = IndexSet::new();
    for value in &values {
        start_of(statement, *value, &|value| value == *start, &mut updates)?;
    }
    // Each way begins with the value read, and nothing else uses it.
    let alone = !updates.is_empty() && uses(statement, *start) == values.len();
    let place = ReductionPlace::ScalarSlot(write.slot);
    let by = combines_by(*updates.first()?)?;
    alone.then_some(Reduction { place, by, updates })
}

/// Leaves a statement at most one reduction per array. One of two might be a sum and the other a product, whose
/// updates must not be reordered with each other.
pub(crate) fn one_for_each_array(accesses: &mut [Access]) {
    let mut parts: IndexMap<Tuple, usize> = IndexMap::new();
    for access in accesses.iter().filter(|access| access.reduction.is_some()) {
        *parts.entry(access.array().clone()).or_default() += 1;
    }
    // A reduction reads and writes.
    for access in accesses.iter_mut().filter(|access| access.reduction.is_some()) {
        if parts[access.array()] != 2 {
            access.reduction = None;
        }
    }
}

/// The value that `is_start` and that operations of one kind make `last` of, and these, where nothing in the
/// statement uses any of them in another way.
fn chain<'a>(
    statement: &IrStatement<'a>,
    last: Value<'a>,
    is_start: impl Fn(Value<'a>) -> bool,
) -> Option<(Value<'a>, IndexSet<Value<'a>>)> {
    let mut updates: IndexSet<Value<'a>> = IndexSet::new();
    let start = start_of(statement, last, &is_start, &mut updates)?;
    let own = statement.instructions.contains(&start) || statement.reads.iter().any(|(_, read)| *read == start);
    (own && !updates.is_empty() && uses(statement, start) == 1).then_some((start, updates))
}

/// Where a chain that ends with `value` starts, and goes on with `updates`, to which it adds.
fn start_of<'a>(
    statement: &IrStatement<'a>,
    value: Value<'a>,
    is_start: &impl Fn(Value<'a>) -> bool,
    updates: &mut IndexSet<Value<'a>>,
) -> Option<Value<'a>> {
    if is_start(value) {
        return Some(value);
    }
    let alike = |value| updates.first().is_none_or(|first| is_alike(*first, value));
    let known = |value: Value<'a>| value.facts().reorderable() || value.facts().difference();
    let goes_on = statement.instructions.contains(&value) && known(value) && alike(value);
    if !goes_on || uses(statement, value) != 1 || updates.len() == MOST_UPDATES {
        return None;
    }
    updates.insert(value);
    let mut operands = value.operands();
    if value.facts().difference() {
        // What is subtracted changes its sign.
        operands.truncate(1);
    }
    let mut ways = operands.into_iter();
    let found = ways.find_map(|operand| start_of(statement, operand, is_start, updates));
    if found.is_none() {
        updates.pop();
    }
    found
}

/// What an operation of a chain combines numbers by.
fn combines_by(update: Value<'_>) -> Option<program::Reduction> {
    use InstructionOpcode::{Add, And, FAdd, FMul, FSub, Mul, Or, Sub, Xor};
    let operation = match update.instruction()?.get_opcode() {
        Add | FAdd | Sub | FSub => ReductionOperation::Sum,
        Mul | FMul => ReductionOperation::Product,
        And => ReductionOperation::And,
        Or => ReductionOperation::Or,
        Xor => ReductionOperation::Xor,
        _ => {
            let Kind::Call(name) = update.kind() else { return None };
            let operation = EXTREMES.iter().find(|(prefix, _)| name.starts_with(prefix));
            operation?.1
        }
    };
    let bits = |bits: u32| u16::try_from(bits).ok();
    let ty = match update.ty().kind() {
        // There are two formats of 16 bits, with sums of their own.
        TypeKind::Float if update.ty().float_bits() > 16 => ElementType::Float(bits(update.ty().float_bits())?),
        TypeKind::Integer(width) => ElementType::Integer(bits(width)?),
        _ => return None,
    };
    Some(program::Reduction { operation, ty })
}

/// Whether operations of both kinds may come by turns, in any order. A difference is the sum with what is negative.
fn is_alike<'a>(one: Value<'a>, other: Value<'a>) -> bool {
    use InstructionOpcode::{Add, FAdd, FSub, Sub};
    let sum = |value: Value<'a>| match value.instruction().map(|i| i.get_opcode()) {
        Some(Add | Sub) => Some(Add),
        Some(FAdd | FSub) => Some(FAdd),
        _ => None,
    };
    one.is_same_operation(other) || sum(one).is_some() && sum(one) == sum(other)
}

/// How often a value is used by the statement's instructions and for its slots.
pub(crate) fn uses<'a>(statement: &IrStatement<'a>, value: Value<'a>) -> usize {
    let operands = statement.instructions.iter().flat_map(|i| i.operands());
    operands
        .chain(statement.results())
        .filter(|used| *used == value)
        .count()
}

#[cfg(test)]
mod tests {
    use super::one_for_each_array;
    use expect_test::{Expect, expect};
    use farkas_polyhedral::program::{Access, AccessKind, ElementType, Reduction, ReductionOperation};

    /// The arrays that are accessed in turn, each with `+` where a reduction accesses it: before and afterwards.
    fn check(text: &str, expected: Expect) {
        let access = |word: &str| Access {
            kind: AccessKind::Read,
            relation: format!("{{ S[i] -> {}[i] }}", word.trim_end_matches('+'))
                .parse()
                .expect("a relation"),
            reduction: word.ends_with('+').then_some(Reduction {
                operation: ReductionOperation::Sum,
                ty: ElementType::Integer(32),
            }),
        };
        let mut accesses: Vec<Access> = text.split_whitespace().map(access).collect();
        one_for_each_array(&mut accesses);
        let word = |access: &Access| {
            let name = access.array().name().expect("a named array");
            format!("{name}{}", if access.reduction.is_some() { "+" } else { "" })
        };
        let words: Vec<String> = accesses.iter().map(word).collect();
        expected.assert_eq(&words.join(" "));
    }

    #[test]
    fn an_array_has_one_reduction() {
        check("A+ B A+", expect!["A+ B A+"]);
        check("A+ B+ B+ A+", expect!["A+ B+ B+ A+"]);
        check("A+ A+ A+ A+ B+ B+", expect!["A A A A B+ B+"]);
    }

    #[test]
    fn a_reduction_reads_and_writes() {
        check("A+ B", expect!["A B"]);
    }
}
