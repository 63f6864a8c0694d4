//! Cells that live in an element of an array.
//!
//! ```c
//! for (long i = 0; i < n; i++) {
//!   double s = 0;                       // can be kept in y[i] from here on
//!   for (long j = 0; j < n; j++)
//!     s += A[i][j];
//!   y[i] = s;                           // what y[i] is overwritten with for sure
//! }
//! ```
//!
//! A cell without dimensions is written anew in each iteration of the loops around, which have to stay in order for that.
//! Where in each iteration a store follows all that is done with the cell, and nobody looks at what the store overwrites
//! between the first write of the cell and the store, the cell can be there instead: it is another element in another iteration.
//! What is stored in the end does not matter for that.
//!
//! What is not done: cells that have a value before the region, or behind it, and stores in other iterations than those in
//! which the cell is used.

use super::reductions::one_for_each_array;
use crate::control::execution_order::Instants;
use farkas_llvm::region::{CellId, LiveOutSource, Region, Start};
use farkas_llvm::value::{Kind, Value};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::program::{AccessKind, Program};
use farkas_polyhedral::sets::{Map, Set, Tuple};

/// So many cells are looked at.
const MOST_CELLS: usize = 16;

/// So many stores are looked at for each.
const MOST_STORES: usize = 4;

/// The largest number of instructions that compute an address.
const MOST_INSTRUCTIONS: usize = 16;

/// Finds elements of arrays for the cells; each store is looked at with so much work.
pub(crate) fn place_cells(region: &mut Region<'_>, program: &mut Program, work: u64, b: &Budget) -> Outcome<()> {
    for index in 0..region.cells.len().min(MOST_CELLS) {
        let cell = CellId(index);
        let found = {
            let instants = Instants { region, program };
            let mut found = None;
            for (statement, store) in stores(instants, cell).into_iter().take(MOST_STORES) {
                if let Ok(Some(relations)) = b.trial(work, |b| fits(instants, cell, (statement, store), b))? {
                    found = Some((store, relations));
                    break;
                }
            }
            found
        };
        if let Some((store, relations)) = found {
            let tuple = Tuple::new(&region.cells[index].name, 0);
            region.cells[index].place = Some(store);
            for (statement, relation) in relations {
                let accesses = &mut program.statements[statement].accesses;
                let own = accesses.iter_mut().filter(|access| *access.array() == tuple);
                own.for_each(|access| access.relation = relation.clone());
                one_for_each_array(accesses);
            }
        }
    }
    Ok(())
}

/// The stores in whose targets the cell might be, each with its statement: those of statements that read it first.
fn stores<'a>(instants: Instants<'_, 'a>, cell: CellId) -> Vec<(usize, Value<'a>)> {
    let region = instants.region;
    let used_outside = |source: &LiveOutSource<'_>| matches!(source, LiveOutSource::Cell(c) if *c == cell);
    if region.cells[cell.0].initial.is_some() || region.live_outs.iter().any(|l| used_outside(&l.source)) {
        return Vec::new();
    }
    let reads = |index: usize| instants.ir(index).reads.iter().any(|(read, _)| *read == cell);
    let writes = |index: usize| instants.ir(index).writes.iter().any(|write| write.cell == cell);
    let all = 0..region.statements.len();
    let (first, others): (Vec<usize>, Vec<usize>) = all.partition(|index| reads(*index));
    let mut stores = Vec::new();
    for index in first.into_iter().chain(others) {
        let ir = instants.ir(index);
        if ir.loops.is_empty() || writes(index) {
            continue;
        }
        for store in ir.instructions.iter().filter(|i| i.is_load_or_store()) {
            let Kind::Store { pointer, .. } = store.kind() else {
                continue;
            };
            let surely = instants.access(index, *store).kind == AccessKind::MustWrite;
            if surely && store.accessed_type() == region.cells[cell.0].ty && is_computable(instants, index, pointer) {
                stores.push((index, *store));
            }
        }
    }
    stores
}

/// Whether the address depends on nothing but counters of loops around the statement.
fn is_computable<'a>(instants: Instants<'_, 'a>, index: usize, address: Value<'a>) -> bool {
    let region = instants.region;
    let mut open = vec![address];
    let mut seen = 0;
    while let Some(value) = open.pop() {
        if !value.is_data() || !region.section.defines(value) {
            continue;
        }
        seen += 1;
        if seen > MOST_INSTRUCTIONS {
            return false;
        }
        match region.induction(value) {
            Some((id, induction)) if instants.ir(index).loops.contains(&id) => {
                match region.loops[id.0].inductions[induction].start {
                    Start::Value(start) => open.push(start),
                    Start::Expression(_) => {}
                }
            }
            Some(_) => return false,
            None if value.facts().pure() && !matches!(value.kind(), Kind::Phi(_) | Kind::Freeze | Kind::Call(_)) => {
                open.extend(value.operands());
            }
            None => return false,
        }
    }
    true
}

/// Whether the cell can be where the store of `last` stores to; if so, what each statement that uses it accesses there.
fn fits<'a>(
    instants: Instants<'_, 'a>,
    cell: CellId,
    (last, store): (usize, Value<'a>),
    b: &Budget,
) -> Outcome<Option<Vec<(usize, Map)>>> {
    let loops = &instants.ir(last).loops;
    let depth = loops.len();
    let stored = instants.accessed(last, instants.access(last, store));
    let end = instants.place(last, depth);
    let mut relations = Vec::new();
    let (mut readers, mut writers) = (Vec::new(), Vec::new());
    for index in 0..instants.region.statements.len() {
        let ir = instants.ir(index);
        let reads = ir.reads.iter().any(|(read, _)| *read == cell);
        let writes = ir.writes.iter().any(|write| write.cell == cell);
        if !reads && !writes {
            continue;
        }
        if !instants.is_inside(index, loops) || index != last && instants.place(index, depth) >= end {
            return Ok(None);
        }
        // The store follows in each iteration.
        let relation = instants.of_inner(&stored, index);
        if !instants.executed(index).is_subset(&relation.domain(b)?, b)? {
            return Ok(None);
        }
        let relation = relation.gist_params(&instants.program.context, b)?;
        relations.push((index, relation.compact(b)?));
        if reads {
            readers.push(index);
        }
        if writes {
            writers.push(index);
        }
    }
    // What is read has been written in the same iteration.
    for reader in readers {
        let mut open = instants.executed(reader);
        for writer in &writers {
            let written = written_before(instants, *writer, reader, depth, b)?;
            open = open.subtract(&written, b)?;
        }
        if !open.is_empty(b)? {
            return Ok(None);
        }
    }
    // Nobody else accesses the element between a write of the cell and the store.
    for (writer, element) in relations.iter().filter(|(index, _)| writers.contains(index)) {
        for other in 0..instants.region.statements.len() {
            if !instants.is_inside(other, loops) || instants.place(other, depth) > end {
                continue;
            }
            let own = instants.access(last, store);
            for access in &instants.statement(other).accesses {
                if access.array() != element.range_tuple() || std::ptr::eq(access, own) {
                    continue;
                }
                let between = instants.later(*writer, other, depth);
                let seen = instants.meeting(element, other, access, b)?.intersect(&between);
                if !seen.is_empty(b)? {
                    return Ok(None);
                }
            }
        }
    }
    Ok(Some(relations))
}

/// The instances of `reader` before which `writer` is executed in the same iteration of `depth` loops.
fn written_before(instants: Instants<'_, '_>, writer: usize, reader: usize, depth: usize, b: &Budget) -> Outcome<Set> {
    let later = instants.later(writer, reader, depth);
    later.intersect_domain(&instants.executed(writer)).range(b)
}
