//! Assumed conditions on data, as the inspector evaluates them in front of the region.
//!
//! It has to find what the original would find up to the first instance that fails. So nothing that a condition reads may be written in the
//! region before:
//!
//! ```c
//! for (k = 0; k < n; k++)
//!   if (b[k] != 0) {                        // b[k] is written by iterations in front of k?
//!     for (i = 0; i < k; i++)
//!       b[i] += b[k] * a[i][k];             // no, they write b[0] to b[k - 2]
//!     b[k] *= a[k][k];
//!   }
//! ```
//!
//! With `i > k` in place of `i < k` the model is declined.
//!
//! It also has to be safe to read, whatever overlaps. So addresses must not depend on what is loaded: conditions are evaluated in front of
//! the passes over index arrays and tables of rows, which read what the conditions may govern.

use crate::control::nest::Nest;
use crate::detect::declined::{Modelled, Reason, Stop};
use crate::domain::assumed_conditions::AssumedCondition;
use crate::memory::access::Subscripts;
use crate::memory::arrays::Array;
use crate::scalar::draft::{DraftStatement, ScopDraft};
use crate::scalar::execution_order::ExecutionOrder;
use crate::scop::InspectedCondition;
use farkas_llvm::scop_ir::{IrCondition, LoopId, Start, induction};
use farkas_llvm::value::Value;
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::program::AccessKind;
use farkas_polyhedral::sets::Tuple;
use indexmap::IndexSet;

/// Takes the statements of these conditions, which are the last ones, out of the draft with these arrays, and all that is not executed
/// where the conditions hold. Finding out whether what they read is written may take so much `work` for each.
///
/// # Errors
/// If it is, or may be, or if an address depends on data.
pub(super) fn inspected_conditions<'a>(
    assumed: &[AssumedCondition<'a>],
    draft: &mut ScopDraft<'a>,
    (nest, arrays): (&Nest<'a>, &[Array<'a>]),
    (work, b): (u64, &Budget),
) -> Modelled<'a, Vec<(IrCondition<'a>, InspectedCondition)>> {
    if assumed.is_empty() {
        return Ok(Vec::new());
    }
    let first = draft.statements.len() - assumed.len();
    let accesses = draft.all_accesses();
    let order = ExecutionOrder {
        draft,
        accesses: &accesses,
    };
    for (condition, assumed) in (first..).zip(assumed) {
        let is_as_before = || b.trial(work, |b| reads_what_was_there(&order, condition, first, b));
        if !has_known_addresses(condition, arrays, nest) || is_as_before()? != Ok(true) {
            return Err(Stop::at(Reason::NonAffineCondition, assumed.block.terminator()));
        }
    }
    let conditions = draft.statements.split_off(first);
    let mut executed = Vec::new();
    for statement in draft.statements.drain(..) {
        if !statement.domain.is_empty(b)? {
            executed.push(statement);
        }
    }
    draft.statements = executed;
    if draft.statements.is_empty() {
        return Err(Reason::Empty.into());
    }
    let inspected = conditions.into_iter().zip(assumed);
    Ok(inspected
        .map(|(statement, assumed)| inspected_condition(draft, statement, assumed, b))
        .collect::<Outcome<_>>()?)
}

/// Whether all addresses of a condition are known in front of the region, and there is something.
fn has_known_addresses(condition: usize, arrays: &[Array<'_>], nest: &Nest<'_>) -> bool {
    let is_known = |array: &Array<'_>| {
        let is_local = || nest.locals.iter().any(|local| array.ir.base.is(local.variable));
        let mut own = array.accesses.iter().filter(|(site, _)| site.statement == condition);
        let has_rows = array.rows.is_some();
        own.all(|(_, subscripts)| matches!(subscripts, Subscripts::Affine(_)) && !has_rows && !is_local())
    };
    arrays.iter().all(is_known)
}

/// Whether no statement in front of `end` writes what a condition reads in an instance after that.
fn reads_what_was_there(order: &ExecutionOrder<'_, '_>, condition: usize, end: usize, b: &Budget) -> Outcome<bool> {
    for read in &order.accesses[condition] {
        let elements = order.accessed(condition, read);
        for writer in 0..end {
            let writes = order.accesses[writer].iter();
            let writes = writes.filter(|access| access.kind != AccessKind::Read && access.array() == read.array());
            for write in writes {
                let before = order.later(writer, condition, 0).reverse();
                let written = order.meeting(&elements, writer, write, b)?.intersect(&before);
                if !written.is_empty(b)? {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}

/// The condition in the instances that differ in a counter which it depends on.
fn inspected_condition<'a>(
    draft: &ScopDraft<'a>,
    statement: DraftStatement<'a>,
    assumed: &AssumedCondition<'a>,
    b: &Budget,
) -> Outcome<(IrCondition<'a>, InspectedCondition)> {
    let used = loops_used(draft, assumed);
    let mut ir = statement.ir;
    let (mut domain, mut accesses) = (statement.domain, statement.array_accesses);
    for dim in (0..ir.loops.len()).rev().filter(|dim| !used.contains(&ir.loops[*dim])) {
        domain = domain.project_out(dim, 1, b)?;
        for access in &mut accesses {
            access.relation = access.relation.project_out_domain(dim, 1, b)?;
        }
    }
    ir.loops.retain(|l| used.contains(l));
    let tuple = Tuple::new(&ir.name, ir.loops.len());
    let condition = InspectedCondition {
        domain: domain.with_tuple(tuple),
        accesses,
    };
    let ir = IrCondition {
        statement: ir,
        conjuncts: assumed.conjuncts.clone(),
    };
    Ok((ir, condition))
}

/// The loops whose counters a condition depends on.
fn loops_used<'a>(draft: &ScopDraft<'a>, assumed: &AssumedCondition<'a>) -> IndexSet<LoopId> {
    let mut used = IndexSet::new();
    let mut seen: IndexSet<Value<'a>> = IndexSet::new();
    let mut pending: Vec<Value<'a>> = assumed.conjuncts.iter().map(|(condition, _)| *condition).collect();
    while let Some(value) = pending.pop() {
        if !value.is_data() || !draft.region.defines(value) || !seen.insert(value) {
            continue;
        }
        match induction(&draft.loops, value) {
            Some((id, index)) => {
                used.insert(id);
                if let Start::Value(start) = draft.loops[id.0].inductions[index].start {
                    pending.push(start);
                }
            }
            None => pending.extend(value.operands()),
        }
    }
    used
}
