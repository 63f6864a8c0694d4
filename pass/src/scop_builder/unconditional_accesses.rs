//! If-conversion of accesses: what is stored under a condition on data to an element that the region writes anyway.
//!
//! ```c
//! m[i][j] = INT_MAX;                 // S[i, j]
//! for (int k = i; k < j; k++) {
//!   int q = m[i][k] + m[k + 1][j];   // T[i, j, k]
//!   if (q < m[i][j])
//!     m[i][j] = q;
//! }
//! ```
//!
//! As written, `T` *may* write `m[i][j]`: vector code of it needs stores under a mask, from which no later load gets its value before they are
//! in the cache. Instead `T` may write the element in any case, what is there where `q` is no less: `m[i][j] = q < m[i][j] ? q : m[i][j]`.
//!
//! That is right only if nobody can tell. The element has to be one that may be written, and that no other thread accesses. Both are known
//! where the region writes it without a condition, before or behind: nothing in a region synchronizes threads. So all elements that such a store
//! may write have to be among those that statements of the region must write.
//!
//! Where all stores under conditions of a statement are such ones, or there are none, so may be loads under conditions, of elements that the
//! region accesses in any case, or that are between two such ones in a row of an array: they do not fault. In
//!
//! ```c
//! int sum = a[i - 1][j - 1] + .. + a[i + 1][j + 1];       // all neighbours of a[i][j]
//! b[i][j] = sum == 3 || (sum == 2 && a[i][j]);
//! ```
//!
//! `a[i][j]` is between `a[i][j - 1]` and `a[i][j + 1]`, which are in one object.

use crate::scalar::draft::{DraftStatement, ScopDraft};
use farkas_llvm::Run;
use farkas_llvm::inkwell::values::InstructionOpcode;
use farkas_llvm::region::Region;
use farkas_llvm::scop_ir::IrStatement;
use farkas_llvm::value::{Block, Value};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::program::{Access, AccessKind};
use farkas_polyhedral::sets::{Map, Set};
use indexmap::IndexSet;

/// Makes accesses under conditions unconditional where that cannot be told apart; those for which a budget of so much is not enough stay.
pub(super) fn access_unconditionally<'a>(
    run: &'a Run<'_>,
    draft: &mut ScopDraft<'a>,
    limit: u64,
    b: &Budget,
) -> Outcome<()> {
    // Where control leaves the region in between, not all of its accesses are made.
    if draft.statements.iter().any(|statement| may_end(&statement.ir)) {
        return Ok(());
    }
    let mut found = Vec::new();
    for (index, statement) in draft.statements.iter().enumerate() {
        if statement.ir.blocks.len() == 1 || !statement.ir.unconditional.is_empty() {
            continue;
        }
        let accesses = b.trial(limit, |b| unconditional(run, draft, statement, b))?;
        found.extend(accesses.into_iter().flatten().map(|access| (index, access)));
    }
    for (index, Conditional { instruction, position }) in found {
        let statement = &mut draft.statements[index];
        statement.ir.unconditional.insert(instruction);
        let access = &mut statement.array_accesses[position];
        if access.kind == AccessKind::Read {
            continue;
        }
        access.kind = AccessKind::MustWrite;
        if statement.ir.loads_for(instruction) {
            let read = Access {
                kind: AccessKind::Read,
                ..access.clone()
            };
            statement.array_accesses.push(read);
        }
    }
    Ok(())
}

/// A load or a store under a condition.
#[derive(Clone, Copy)]
struct Conditional<'a> {
    instruction: Value<'a>,
    /// Its position among the statement's accesses to arrays.
    position: usize,
}

/// The accesses of a statement that may be made whatever the conditions are.
fn unconditional<'a>(
    run: &'a Run<'_>,
    draft: &ScopDraft<'a>,
    statement: &DraftStatement<'a>,
    b: &Budget,
) -> Outcome<Vec<Conditional<'a>>> {
    let is_conditional = |access: &Conditional<'a>| statement.ir.blocks[1..].contains(&access.instruction.block());
    let conditional: Vec<Conditional<'a>> = loads_and_stores(statement).filter(is_conditional).collect();
    // More may be known of an address only where it is accessed.
    let is_plain = |access: &Conditional<'a>| {
        let instruction = access.instruction.instruction().expect("a load or a store");
        let alignment = instruction.get_alignment().expect("a load or a store");
        u64::from(alignment) <= run.store_size(access.instruction.accessed_type())
    };
    let (stores, loads): (Vec<_>, Vec<_>) = conditional
        .into_iter()
        .partition(|access| access.instruction.is_store());
    let mut found = Vec::new();
    for store in &stores {
        let is_last =
            is_plain(store) && may_be_last(statement, store) && is_computable(store, &statement.ir, &draft.region);
        if is_last && is_among(draft, &statement.array_accesses[store.position], Certain::Written, b)? {
            found.push(*store);
        }
    }
    if found.len() < stores.len() {
        return Ok(found);
    }
    for load in loads {
        let access = &statement.array_accesses[load.position];
        let mut written = statement.array_accesses.iter().enumerate();
        let stays = written.all(|(position, other)| {
            let is_late = found.iter().any(|store| store.position == position);
            other.kind == AccessKind::Read || other.array() != access.array() || is_late
        });
        if stays
            && is_plain(&load)
            && is_computable(&load, &statement.ir, &draft.region)
            && is_among(draft, access, Certain::Between, b)?
        {
            found.push(load);
        }
    }
    Ok(found)
}

/// The loads and stores of a statement.
fn loads_and_stores<'a>(statement: &DraftStatement<'a>) -> impl Iterator<Item = Conditional<'a>> {
    let instructions = statement
        .ir
        .instructions
        .iter()
        .copied()
        .filter(|i| i.is_load_or_store());
    let positions = instructions.enumerate();
    positions.map(|(position, instruction)| Conditional { instruction, position })
}

/// Whether a store may be made behind the blocks: nothing else of the statement stores to the array, or loads from it behind the store.
fn may_be_last<'a>(statement: &DraftStatement<'a>, store: &Conditional<'a>) -> bool {
    let block = store.instruction.block();
    let goes_on = |to: &Block<'a>| statement.ir.blocks.contains(to);
    let array = statement.array_accesses[store.position].array();
    let is_behind = |access: &Conditional<'a>| access.position > store.position && access.instruction.block() == block;
    let behind: Vec<usize> = loads_and_stores(statement)
        .filter(is_behind)
        .map(|access| access.position)
        .collect();
    let mut others = statement
        .array_accesses
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != store.position);
    !block.successors().iter().any(goes_on)
        && others.all(|(other, access)| {
            access.array() != array || access.kind == AccessKind::Read && !behind.contains(&other)
        })
}

/// Whether an address may be computed whatever the conditions are: from counters and what is computed before the region, by arithmetic that
/// has a result for all operands.
fn is_computable<'a>(access: &Conditional<'a>, statement: &IrStatement<'a>, region: &Region<'a>) -> bool {
    let is_counter = |value: Value<'a>| value.is_phi() && !statement.instructions.contains(&value);
    let is_read = |value: Value<'a>| statement.reads.iter().any(|(_, read)| *read == value);
    let mut seen: IndexSet<Value<'a>> = IndexSet::new();
    let mut open: Vec<Value<'a>> = access.instruction.accessed_pointer().into_iter().collect();
    while let Some(value) = open.pop() {
        if !region.defines(value) || is_counter(value) || is_read(value) || !seen.insert(value) {
            continue;
        }
        if !has_result(value) {
            return false;
        }
        open.extend(value.operands().into_iter().filter(|operand| operand.is_data()));
    }
    true
}

/// Whether an instruction has a result for all operands, if its flags are dropped.
fn has_result(value: Value<'_>) -> bool {
    use InstructionOpcode::{Add, And, GetElementPtr, Mul, Or, SExt, Shl, Sub, Trunc, Xor, ZExt};
    let opcode = value.instruction().map(|i| i.get_opcode());
    matches!(
        opcode,
        Some(Add | And | GetElementPtr | Mul | Or | SExt | Shl | Sub | Trunc | Xor | ZExt)
    )
}

/// Whether the program may end in a statement.
fn may_end(statement: &IrStatement<'_>) -> bool {
    let mut successors = statement.blocks.iter().flat_map(|block| block.successors());
    successors.any(|to| to.is_never_reached())
}

/// Which accesses of a region are certain.
#[derive(Clone, Copy, PartialEq)]
enum Certain {
    /// Those that write whatever the conditions are.
    Written,
    /// These, loads that all instances of a statement execute, and what is between these in rows.
    Between,
}

/// The certain accesses of a statement to arrays.
fn certain<'s>(statement: &'s DraftStatement<'_>, which: Certain) -> Vec<&'s Access> {
    let accesses = statement.array_accesses.iter();
    let written = accesses.filter(|access| access.kind == AccessKind::MustWrite);
    let first = loads_and_stores(statement).filter(|access| access.instruction.block() == statement.ir.start());
    let loaded = first.map(|access| &statement.array_accesses[access.position]);
    let loaded = loaded.filter(|access| access.kind == AccessKind::Read && which == Certain::Between);
    written.chain(loaded).collect()
}

/// Whether all elements of an access are among those of certain accesses of the region to the array.
fn is_among(draft: &ScopDraft<'_>, access: &Access, which: Certain, b: &Budget) -> Outcome<bool> {
    let elements = |access: &Access| Ok(access.relation.range(b)?.intersect_params(&draft.context));
    let all = draft.statements.iter().flat_map(|statement| certain(statement, which));
    let mut known: Option<Set> = None;
    for other in all.filter(|other| other.array() == access.array()) {
        let own = elements(other)?;
        known = Some(known.map_or(own.clone(), |known| known.union(&own)));
    }
    let Some(known) = known else { return Ok(false) };
    let own = elements(access)?;
    Ok(own.is_subset(&known, b)? || which == Certain::Between && own.is_subset(&with_between(&known, b)?, b)?)
}

/// These elements of an array, and those between two of them in a row.
fn with_between(elements: &Set, b: &Budget) -> Outcome<Set> {
    let (params, array) = (elements.params(), elements.tuple());
    let Some(last) = array.n().checked_sub(1) else {
        return Ok(elements.clone());
    };
    let in_row = |order: Map| (0..last).fold(order, |order, dim| order.equate(dim, dim));
    let behind = in_row(Map::lex_le(params.clone(), array.clone())).apply(elements, b)?;
    let before = in_row(Map::lex_ge(params.clone(), array.clone())).apply(elements, b)?;
    Ok(behind.intersect(&before))
}
