//! Bounds of accesses without affine subscripts: what a run-time check has to know of them.
//!
//! In `y[i] += x[index[k] * n + i]` the offset from `x` is `8 * (index[k] * n + i)`, a sum and products of affine numbers and of an element
//! of another array. It is [bounded](Bounds) in the form that scalar evolution has of it:
//!
//! - affine numbers by their values in the instances of the statement;
//! - a recurrence by its start, and its step times the loop's counter;
//! - a loaded integer by the elements that the [inspector](farkas_emit::Inspection) looks at, where the region does not write their array.
//!   The load has to be executed in each instance of its statement, or another one of the same element, and its subscripts have to be affine: the inspector reads what
//!   the original reads, and what is between;
//! - anything else by the range that LLVM knows of it, as long as that is short.

use super::access::{Site, Subscripts, subscript_map};
use super::arrays::Array;
use super::extent::extent;
use crate::detect::declined::or_declined;
use crate::scev::convert::Converter;
use crate::scev::scope::{Reading, Scope};
use farkas_emit::Bounds;
use farkas_llvm::memory::LocationSize;
use farkas_llvm::scev::{Scev, ScevKind};
use farkas_llvm::scop_ir::{ArrayId, IrStatement};
use farkas_llvm::types::TypeKind;
use farkas_llvm::value::{Kind, Value};
use farkas_polyhedral::budget::Outcome;
use farkas_polyhedral::program::Inspection;
use farkas_polyhedral::sets::{Aff, Params, Set, SetSpace, Tuple};
use indexmap::IndexMap;

/// Passes of the inspector in front of a region, at the most.
const MOST_INSPECTIONS: usize = 4;

/// The numbers of a range that LLVM knows, at the most: those of 16 bits. A larger one would reach into other arrays.
const LONGEST_RANGE: i128 = 1 << 16;

/// A part of an array of integers that the inspector looks at.
#[derive(Clone, Debug)]
pub(crate) struct Inspected<'a> {
    pub(crate) array: ArrayId,
    /// The load whose values are bounded.
    load: Value<'a>,
    /// Whether they are read with a sign.
    pub(crate) is_signed: bool,
    /// The elements that the load reads.
    pub(crate) elements: Set,
}

/// An access without affine subscripts whose offset is bounded.
#[derive(Clone, Debug)]
pub(crate) struct IndirectAccess {
    pub(crate) array: ArrayId,
    /// The offset from the base in bytes; affine numbers are in these sets.
    pub(crate) offset: Bounds<Set>,
    /// The bytes of the access.
    pub(crate) size: u64,
}

/// A table of addresses that a run-time check passes over, as the rows that it points to are compared.
#[derive(Clone, Debug)]
pub(crate) struct InspectedTable {
    pub(crate) rows: ArrayId,
    pub(crate) table: ArrayId,
    /// The elements that the region reads.
    pub(crate) elements: Set,
}

/// The accesses of a region without affine subscripts that a run-time check has to know of.
#[derive(Clone, Debug, Default)]
pub(crate) struct IndirectAccesses<'a> {
    pub(crate) accesses: Vec<IndirectAccess>,
    pub(crate) inspected: Vec<Inspected<'a>>,
    pub(crate) tables: Vec<InspectedTable>,
}

impl IndirectAccesses<'_> {
    /// The arrays that a pass in front of the region looks at.
    pub(crate) fn inspected_arrays(&self) -> Vec<(ArrayId, Inspection)> {
        let tables = self.tables.iter().map(|own| (own.table, Inspection::Rows));
        let values = self.inspected.iter().map(|own| (own.array, Inspection::Values));
        values.chain(tables).collect()
    }

    /// Whether there is one to the array.
    pub(crate) fn are_of(&self, array: ArrayId) -> bool {
        self.accesses.iter().any(|access| access.array == array)
    }

    /// The same with sets over these parameters.
    pub(crate) fn align_params(mut self, params: &Params) -> Self {
        for inspected in &mut self.inspected {
            inspected.elements = inspected.elements.align_params(params);
        }
        for table in &mut self.tables {
            table.elements = table.elements.align_params(params);
        }
        for access in &mut self.accesses {
            let aligned = |set: &Set| Ok::<Set, std::convert::Infallible>(set.align_params(params));
            let Ok(offset) = access.offset.try_map(&mut { aligned });
            access.offset = offset;
        }
        self
    }
}

/// Looks for bounds.
pub(crate) struct BoundsFinder<'m, 'a, 'r> {
    converter: &'m Converter<'m, 'a, 'r>,
    statements: &'m [IrStatement<'a>],
    arrays: &'m [Array<'a>],
    found: IndirectAccesses<'a>,
    /// Whether there are bounds for an access, by its array and its position there.
    known: IndexMap<(ArrayId, usize), bool>,
}

impl<'m, 'a, 'r> BoundsFinder<'m, 'a, 'r> {
    pub(crate) fn new(
        converter: &'m Converter<'m, 'a, 'r>,
        statements: &'m [IrStatement<'a>],
        arrays: &'m [Array<'a>],
    ) -> Self {
        BoundsFinder {
            converter,
            statements,
            arrays,
            found: IndirectAccesses::default(),
            known: IndexMap::new(),
        }
    }

    /// What was found.
    pub(crate) fn into_accesses(self) -> IndirectAccesses<'a> {
        self.found
    }

    /// Bounds the offset of the access of an array that has this position, if that is possible.
    pub(crate) fn bound(&mut self, array: ArrayId, position: usize) -> Outcome<bool> {
        if let Some(known) = self.known.get(&(array, position)) {
            return Ok(*known);
        }
        let (site, _) = &self.arrays[array.0].accesses[position];
        let offset = match site.access.size {
            LocationSize::Element(_) if !site.of_reader => {
                self.bounds(site.executed.unwrap_or(site.offset), &site.scope)?
            }
            _ => None,
        };
        let is_bounded = offset.is_some();
        if let (Some(offset), LocationSize::Element(ty)) = (offset, site.access.size) {
            let size = self.converter.run.store_size(ty);
            self.found.accesses.push(IndirectAccess { array, offset, size });
        }
        self.known.insert((array, position), is_bounded);
        Ok(is_bounded)
    }

    /// Has a run-time check look at the rows of an array, if that is possible.
    pub(crate) fn look_at_rows(&mut self, rows: ArrayId, (table, loads): (ArrayId, &[Value<'a>])) -> Outcome<bool> {
        if self.found.tables.iter().any(|own| own.rows == rows) {
            return Ok(true);
        }
        let mut elements: Option<Set> = None;
        for load in loads {
            let Some(own) = self.elements_read(table, *load)? else {
                return Ok(false);
            };
            elements = Some(elements.map_or(own.clone(), |all| all.union(&own)));
        }
        self.found
            .tables
            .extend(elements.map(|elements| InspectedTable { rows, table, elements }));
        Ok(true)
    }

    fn bounds(&mut self, scev: Scev<'a>, scope: &Scope) -> Outcome<Option<Bounds<Set>>> {
        let converter = self.converter;
        let bits = converter.run.bits(scev);
        if bits > 64 {
            return Ok(None);
        }
        if let Ok(value) = converter.attempt(|| converter.exact(scev, Reading::Signed, scope))? {
            return Ok(Some(self.affine(value.iter(), scope)?));
        }
        let by_form = self.by_form(scev, bits, scope)?;
        if by_form.is_some() {
            return Ok(by_form);
        }
        let range = converter.run.signed_range(scev, None);
        let short = range.filter(|(low, high)| high - low < LONGEST_RANGE);
        let in_range = |(low, high): (i128, i128)| Some(Bounds::Constant(low.try_into().ok()?, high.try_into().ok()?));
        Ok(short.and_then(in_range))
    }

    fn by_form(&mut self, scev: Scev<'a>, bits: u32, scope: &Scope) -> Outcome<Option<Bounds<Set>>> {
        let element = |scev: Scev<'a>| match scev.kind() {
            ScevKind::Unknown(value) => Some(value),
            _ => None,
        };
        Ok(match scev.kind() {
            ScevKind::Unknown(load) => self.element(load, Reading::Signed)?,
            ScevKind::SignExtend(narrow) => self.bounds(narrow, scope)?,
            // Read with a sign, a bit is never 1.
            ScevKind::ZeroExtend(narrow) if self.converter.run.bits(narrow) < 8 => None,
            ScevKind::ZeroExtend(narrow) => match element(narrow) {
                Some(load) => self.element(load, Reading::Unsigned)?,
                None => self.nonnegative(narrow, scope)?,
            },
            ScevKind::Truncate(wide) => self.bounds(wide, scope)?.map(|wide| Bounds::Sum(vec![wide], bits)),
            ScevKind::Add(terms, _) => self.all(&terms, scope)?.map(|terms| Bounds::Sum(terms, bits)),
            ScevKind::Mul(factors, _) => self.all(&factors, scope)?.map(|factors| Bounds::Product(factors, bits)),
            ScevKind::SMax(parts) => self.all(&parts, scope)?.map(Bounds::Maximum),
            ScevKind::SMin(parts) => self.all(&parts, scope)?.map(Bounds::Minimum),
            ScevKind::AddRec(l, parts, _) => {
                let (Some(counter), [start, step]) = (self.converter.counter(l, scope), &parts[..]) else {
                    return Ok(None);
                };
                let (Some(start), Some(step)) = (self.bounds(*start, scope)?, self.bounds(*step, scope)?) else {
                    return Ok(None);
                };
                let everywhere = Set::universe(scope.space());
                let counter = self.affine([(&everywhere, &counter)].into_iter(), scope)?;
                let advanced = Bounds::Product(vec![step, counter], bits);
                Some(Bounds::Sum(vec![start, advanced], bits))
            }
            _ => None,
        })
    }

    fn nonnegative(&mut self, scev: Scev<'a>, scope: &Scope) -> Outcome<Option<Bounds<Set>>> {
        let own = self.bounds(scev, scope)?;
        Ok(own.map(|own| Bounds::NonNegative(Box::new(own))))
    }

    fn all(&mut self, parts: &[Scev<'a>], scope: &Scope) -> Outcome<Option<Vec<Bounds<Set>>>> {
        let bounds = parts.iter().map(|part| self.bounds(*part, scope));
        bounds.collect()
    }

    fn affine<'e>(&self, pieces: impl Iterator<Item = (&'e Set, &'e Aff)>, scope: &Scope) -> Outcome<Bounds<Set>> {
        Ok(Bounds::Affine(extent(
            pieces,
            scope,
            &Params::none(),
            self.converter.budget,
        )?))
    }

    /// The bounds of what a load reads, by the inspector.
    fn element(&mut self, load: Value<'a>, reading: Reading) -> Outcome<Option<Bounds<Set>>> {
        let is_signed = reading == Reading::Signed;
        let is_same = |one: &Inspected<'a>| one.load == load && one.is_signed == is_signed;
        if let Some(known) = self.found.inspected.iter().position(is_same) {
            return Ok(Some(Bounds::Element(known)));
        }
        if self.found.inspected.len() == MOST_INSPECTIONS {
            return Ok(None);
        }
        let Some((array, elements)) = self.inspectable(load)? else {
            return Ok(None);
        };
        self.found.inspected.push(Inspected {
            array,
            load,
            is_signed,
            elements,
        });
        Ok(Some(Bounds::Element(self.found.inspected.len() - 1)))
    }

    /// The array and the elements of a load, if the inspector may read them.
    fn inspectable(&self, load: Value<'a>) -> Outcome<Option<(ArrayId, Set)>> {
        let reads = |array: &Array<'a>| array.accesses.iter().any(|(site, _)| site.instruction == load);
        let Some(position) = self.arrays.iter().position(reads) else {
            return Ok(None);
        };
        let array = &self.arrays[position];
        let bits = 8 * array.ir.element_size;
        let is_integer = matches!(load.kind(), Kind::Load { .. })
            && bits <= 64
            && bits.is_power_of_two()
            && load.ty().kind() == TypeKind::Integer(bits as u32);
        if !is_integer {
            return Ok(None);
        }
        let elements = self.elements_read(ArrayId(position), load)?;
        Ok(elements.map(|elements| (ArrayId(position), elements)))
    }

    /// The elements of an array that a load reads, if a pass in front of the region may read them.
    fn elements_read(&self, array: ArrayId, load: Value<'a>) -> Outcome<Option<Set>> {
        let array = &self.arrays[array.0];
        // In front of the region a variable whose lifetime begins inside is not there.
        let mut locals = self.converter.nest.locals.iter();
        let is_local = locals.any(|local| array.ir.base.is(local.variable));
        if is_local || array.strided || array.rows.is_some() || array.accesses.iter().any(|(site, _)| site.writes()) {
            return Ok(None);
        }
        let tuple = Tuple::new(&array.ir.name, 1 + array.sizes.len());
        let mut elements = Set::empty(SetSpace::new(Params::none(), tuple.clone()));
        for (site, subscripts) in array.accesses.iter().filter(|(site, _)| site.instruction == load) {
            let Subscripts::Affine(pieces) = subscripts else {
                return Ok(None);
            };
            if !self.is_executed(site) && !self.is_executed_with_others(array, site, subscripts) {
                return Ok(None);
            }
            for (piece, affs) in pieces {
                let map = subscript_map(affs, tuple.clone(), &Params::none());
                let read = map.intersect_domain(&piece.intersect(&site.scope.domain));
                elements = elements.union(&read.range(self.converter.budget)?);
            }
        }
        // A pass goes from the first subscripts to the last ones.
        let is_apart = match &array.apart {
            Some(apart) => or_declined(self.converter.require(apart))?.unwrap_or(false),
            None => true,
        };
        Ok(is_apart.then_some(elements))
    }

    /// Whether each instance of a statement executes one of its loads of the same element: one in each case of a condition, for example.
    fn is_executed_with_others(&self, array: &Array<'a>, site: &Site<'a>, subscripts: &Subscripts) -> bool {
        let Subscripts::Affine(own) = subscripts else {
            return false;
        };
        let [(_, element)] = &own[..] else { return false };
        let is_same = |(other, subscripts): &&(Site<'a>, Subscripts)| {
            let same = matches!(subscripts, Subscripts::Affine(pieces) if matches!(&pieces[..], [(_, affs)] if affs == element));
            same && other.statement == site.statement
        };
        let blocks: Vec<_> = array
            .accesses
            .iter()
            .filter(is_same)
            .map(|(other, _)| other.instruction.block())
            .collect();
        self.statements[site.statement].comes_through(&blocks)
    }

    /// Whether each instance of the statement executes the load, or comes behind it.
    fn is_executed(&self, site: &Site<'a>) -> bool {
        let (statement, block) = (&self.statements[site.statement], site.instruction.block());
        block == statement.start() || !statement.blocks.contains(&block)
    }
}
