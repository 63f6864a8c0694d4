//! The scalar slots that may be expanded.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::program::{AccessKind, ArrayKind, Elements, Program, Statement};
use farkas_polyhedral::sets::{Aff, Map, MultiAff, SetSpace, Tuple};
use indexmap::IndexMap;

use crate::analysis::linear::affine_subscripts;
use crate::check::lives_on;
use crate::dependences::ByArray;

/// A slot that one statement writes, and others read in the program only.
#[derive(Clone, Debug)]
pub(crate) struct ExpandableSlot {
    pub(crate) slot: Tuple,
    pub(crate) writer: Tuple,
    /// For each statement that accesses it, the instance of the writer that the value is of.
    pub(super) sources: IndexMap<Tuple, MultiAff>,
}

impl ExpandableSlot {
    /// The writer, with each statement that reads what it wrote.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&Tuple, &Tuple)> {
        let readers = self.sources.keys().filter(|reader| **reader != self.writer);
        readers.map(|reader| (&self.writer, reader))
    }
}

/// The slots of a program that may be expanded, of which some value is read in loops that the writer is not in.
pub(crate) fn expandable_slots(program: &Program, dependences: &ByArray, b: &Budget) -> Outcome<Vec<ExpandableSlot>> {
    let mut found = Vec::new();
    for (tuple, array) in &program.arrays {
        if array.kind == ArrayKind::ScalarSlot
            && let Some(slot) = expandable(program, dependences, tuple, b)?
        {
            found.push(slot);
        }
    }
    Ok(found)
}

/// The program with an element for each value of the slots.
pub(crate) fn fully_expanded(program: &Program, slots: &[ExpandableSlot]) -> Program {
    let elements = slots.iter().map(|slot| {
        let name = slot.slot.name().expect("an array has a name");
        let array = Tuple::new(name.as_str(), slot.writer.n());
        let elements = Elements {
            array,
            of_statements: slot.sources.clone(),
            extent: None,
        };
        (slot.slot.clone(), elements)
    });
    program.with_elements(&elements.collect())
}

fn expandable(program: &Program, dependences: &ByArray, slot: &Tuple, b: &Budget) -> Outcome<Option<ExpandableSlot>> {
    let Some(writer) = only_writer(program, slot) else {
        return Ok(None);
    };
    let Some(own) = dependences.arrays().get(slot) else {
        return Ok(None);
    };
    let reads_it = |statement: &&Statement| statement.accesses.iter().any(|access| access.array() == slot);
    let readers = program.statements.iter().filter(reads_it);
    let readers: Vec<&Tuple> = readers.map(Statement::tuple).filter(|tuple| *tuple != writer).collect();
    let is_crossed = readers.iter().any(|reader| reader.n() > writer.n());
    if !is_crossed || !own.live_in.is_empty(b)? || lives_on(program, slot, b)? {
        return Ok(None);
    }
    let space = program.statement(program.find_statement(writer).expect("a statement of the program"));
    let mut sources = IndexMap::from([(writer.clone(), MultiAff::identity(space.domain.space().clone()))]);
    for reader in readers {
        let mut flows = own.flow.maps().filter(|map| map.range_tuple() == reader);
        let (Some(flow), None) = (flows.next(), flows.next()) else {
            return Ok(None);
        };
        let Some(source) = function(&flow.reverse(), b)? else {
            return Ok(None);
        };
        sources.insert(reader.clone(), source);
    }
    Ok(Some(ExpandableSlot {
        slot: slot.clone(),
        writer: writer.clone(),
        sources,
    }))
}

/// The only statement that writes a slot, if it is in a loop, does not read it, and always writes.
fn only_writer<'p>(program: &'p Program, slot: &Tuple) -> Option<&'p Tuple> {
    let accesses = |statement: &'p Statement| statement.accesses.iter().filter(|access| access.array() == slot);
    let writes = |statement: &&'p Statement| accesses(statement).any(|access| access.kind != AccessKind::Read);
    let mut writers = program.statements.iter().filter(writes);
    let (Some(writer), None) = (writers.next(), writers.next()) else {
        return None;
    };
    let plainly = accesses(writer).all(|access| access.kind == AccessKind::MustWrite && access.reduction.is_none());
    (plainly && writer.tuple().n() > 0).then_some(writer.tuple())
}

/// The affine function without parameters that a relation is on its domain.
fn function(relation: &Map, b: &Budget) -> Outcome<Option<MultiAff>> {
    let Some(subscripts) = affine_subscripts(relation) else {
        return Ok(None);
    };
    let space = SetSpace::new(relation.params().clone(), relation.domain_tuple().clone());
    let affs = subscripts.iter().map(|(linear, constant)| {
        let constant = Aff::constant(space.clone(), constant.clone());
        let terms = linear.iter().enumerate().filter(|(_, c)| !c.is_zero());
        terms.fold(constant, |sum, (dim, c)| {
            sum.add(&Aff::var(space.clone(), dim).scale(c))
        })
    });
    let function = MultiAff::new(space.clone(), relation.range_tuple().clone(), affs.collect());
    Ok(relation.is_subset(&function.to_map(), b)?.then_some(function))
}
