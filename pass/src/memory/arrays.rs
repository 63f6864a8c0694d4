//! Arrays: the accesses of the statements, grouped by base pointer, with subscripts.
//!
//! All accesses that are based on one pointer make up an *array* of elements of one size.
//! [Delinearization](super::delinearization) turns the distance of each access from the base in bytes, its *offset*,
//! into subscripts.
//!
//! A call that sets or copies memory accesses several elements from an offset on. Its accesses have one more
//! dimension for these, and subscripts are found as if that dimension were a loop's.
//!
//! Three kinds of access are taken to touch any part of their array:
//!
//! - non-affine ones (`A[B[i]]`, `A[i * i]`), unaligned ones and those of another element size; if elements have
//!   padding (`long double`), then all other accesses of the array as well;
//! - arguments of calls that access nothing else;
//! - calls that may read anything: they read any part of each array that is written.
//!
//! Accesses that are based on addresses from one [table](super::row_tables), or on buffers that [take turns](super::rotating_buffers), are to one
//! array as well.
//!
//! What such a load or store may touch is [bounded](super::indirect_accesses) where a run-time check has to know. Of all other such accesses,
//! alias analysis alone has to prove that they overlap no other array.

use super::access::{Site, Subscripts};
use super::array_names::name_in_source;
use super::delinearization::{Delinearizer, Misfit, Shaped, whole};
use super::rotating_buffers::{of_buffers, rotation_of};
use super::row_tables::{by_table, is_row_address, with_rows};
use super::rows::Rows;
use crate::detect::declined::{Modelled, Reason, Stop};
use crate::scev::convert::Converter;
use crate::scev::scope::{Reading, Scope};
use farkas_llvm::Element;
use farkas_llvm::memory::{Access, Effect, LocationSize, Memory};
use farkas_llvm::scev::{Scev, ScevKind};
use farkas_llvm::scop_ir::{Base, IrArray, RotationId};
use farkas_llvm::value::Value;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Aff, Div, Set};
use indexmap::IndexMap;

/// The element of an array that only calls access.
const BYTE: Element = Element { size: 1, touched: 1 };

/// An array of the model.
#[derive(Clone, Debug)]
pub(crate) struct Array<'a> {
    pub(crate) ir: IrArray<'a>,
    /// The sizes of all dimensions but the outermost, expressions over parameters.
    pub(crate) sizes: Vec<Aff>,
    /// Whether inner subscripts count strides, and not elements.
    pub(crate) strided: bool,
    /// For which parameters inner subscripts are within their sizes; `None` for all that are assumed. Rows of an array that nothing writes
    /// may overlap.
    pub(crate) apart: Option<Set>,
    /// Where its rows are, if they are not in one piece.
    pub(crate) rows: Option<Rows<'a>>,
    /// The accesses with their subscripts.
    pub(crate) accesses: Vec<(Site<'a>, Subscripts)>,
}

/// Finds the arrays that the statements' `instructions` access; the index of a statement and the scope of its block
/// come with each.
///
/// # Errors
/// If an access has no subscripts.
pub(crate) fn arrays<'a>(
    converter: &Converter<'_, 'a, '_>,
    instructions: impl Iterator<Item = (usize, Scope, Value<'a>)>,
) -> Modelled<'a, Vec<Array<'a>>> {
    let mut by_base: IndexMap<Value<'a>, Vec<Site<'a>>> = IndexMap::new();
    let mut by_rotation: IndexMap<RotationId, Vec<Site<'a>>> = IndexMap::new();
    let mut in_rows = Vec::new();
    let mut readers = Vec::new();
    for (statement, scope, instruction) in instructions {
        let memory = converter.run.memory(instruction);
        if memory == Memory::ReadsAnything {
            readers.push((statement, scope.clone(), instruction));
        }
        for access in memory.accesses() {
            let (base, offset) = based(converter, instruction, access.pointer)?;
            let executed = executed(converter, instruction, base).filter(|executed| *executed != offset);
            let sites = match rotation_of(converter.nest, base) {
                Some(id) => by_rotation.entry(id).or_default(),
                None if converter.nest.defines(base) => &mut in_rows,
                None => by_base.entry(base).or_default(),
            };
            sites.push(Site {
                statement,
                instruction,
                access,
                of_reader: false,
                base,
                offset,
                executed,
                scope: scope.clone(),
            });
        }
    }
    let arrays = by_base.into_iter().map(|(base, sites)| {
        let name = base.name();
        // Rows that a table points to are told apart by the table's subscripts.
        let is_table = in_rows
            .iter()
            .any(|row| sites.iter().any(|own| own.instruction == row.base));
        let may_overlap = !is_table && !sites.iter().any(Site::writes);
        let array = array(converter, &name, sites, may_overlap)?;
        Ok(array.at(Base::Pointer(base)))
    });
    let mut arrays = arrays.collect::<Modelled<'a, Vec<_>>>()?;
    for (table, sites) in by_table(&arrays, in_rows)? {
        let name = format!("{}_rows", arrays[table.0].ir.name);
        let rows = array(converter, &name, sites, false)?;
        let rows = with_rows(converter, (table, &arrays[table.0]), rows)?;
        arrays.push(rows);
    }
    for (id, sites) in by_rotation {
        let name = sites[0].base.name();
        arrays.push(of_buffers(converter, id, array(converter, &name, sites, false)?)?);
    }
    for (statement, scope, call) in readers {
        for array in &mut arrays {
            let read = read_by(converter, &array.accesses, (statement, &scope, call));
            array.accesses.extend(read);
        }
    }
    Ok(arrays)
}

/// Notes that rows of arrays do not overlap for what is assumed by now.
///
/// # Errors
/// If the budget is spent.
pub(crate) fn keep_apart<'a>(converter: &Converter<'_, 'a, '_>, arrays: &mut [Array<'a>]) -> Modelled<'a, ()> {
    for array in arrays {
        if let Some(apart) = &array.apart
            && converter.is_excluded(&apart.complement(converter.budget)?)?
        {
            array.apart = None;
        }
    }
    Ok(())
}

/// The access of a call that may read anything to an array with these accesses.
fn read_by<'a>(
    converter: &Converter<'_, 'a, '_>,
    accesses: &[(Site<'a>, Subscripts)],
    (statement, scope, call): (usize, &Scope, Value<'a>),
) -> Option<(Site<'a>, Subscripts)> {
    let (first, _) = accesses.iter().find(|(site, _)| site.writes())?;
    let site = Site {
        statement,
        instruction: call,
        access: Access {
            pointer: first.base,
            effect: Effect::Read,
            size: LocationSize::Unknown,
        },
        of_reader: true,
        base: first.base,
        offset: first.offset,
        executed: None,
        scope: scope.clone(),
    };
    let mut bases = first.bases(converter.nest).into_iter();
    let reads = bases.any(|base| converter.run.may_read(call, base));
    reads.then_some((site, Subscripts::Any))
}

/// The base of an address, and the distance from it in bytes.
fn based<'a>(
    converter: &Converter<'_, 'a, '_>,
    instruction: Value<'a>,
    pointer: Value<'a>,
) -> Modelled<'a, (Value<'a>, Scev<'a>)> {
    let run = converter.run;
    let variant = || Stop::at(Reason::VariantBase, instruction);
    let address = run.scev(pointer).ok_or_else(variant)?;
    let address = run.scev_at_scope(address, run.loop_of(instruction.block()));
    let takes_turns = |base| instruction.is_load_or_store() && converter.nest.rotation(base).is_some();
    let is_in_rows = |base| is_row_address(instruction, base) || takes_turns(base);
    match run.pointer_base(address).kind() {
        ScevKind::Unknown(base) if !converter.nest.defines(base) || is_in_rows(base) => {
            Ok((base, run.without_base(address)))
        }
        _ => Err(variant()),
    }
}

/// The distance from the base of what a load or store accesses when it is executed.
fn executed<'a>(converter: &Converter<'_, 'a, '_>, instruction: Value<'a>, base: Value<'a>) -> Option<Scev<'a>> {
    let run = converter.run;
    let address = instruction.is_load_or_store().then(|| run.accessed(instruction))?;
    let address = run.scev_at_scope(address, run.loop_of(instruction.block()));
    let is_same = run.pointer_base(address).kind() == ScevKind::Unknown(base);
    is_same.then(|| run.without_base(address))
}

/// The access in the scope of its elements. `None` if the length is no affine number of whole elements.
fn of_elements<'a>(
    converter: &Converter<'_, 'a, '_>,
    site: &Site<'a>,
    element: Element,
) -> Modelled<'a, Option<Site<'a>>> {
    let run = converter.run;
    match site.access.size {
        LocationSize::Element(ty) => Ok((run.element(ty) == Some(element)).then(|| site.clone())),
        LocationSize::Unknown => Ok(None),
        LocationSize::Bytes(length) => {
            let Some(length) = run.scev(length) else {
                return Ok(None);
            };
            let length = run.scev_at_scope(length, run.loop_of(site.instruction.block()));
            let size = Int::from(element.size);
            let bytes = converter.attempt(|| converter.exact(length, Reading::Unsigned, &site.scope))?;
            let Ok(bytes) = bytes else {
                return Ok(None);
            };
            if !whole(&bytes, &size) {
                return Ok(None);
            }
            let scope = site.scope.of_elements(&bytes.map(|bytes| bytes.floor_div(&size)));
            Ok(Some(Site { scope, ..site.clone() }))
        }
    }
}

/// A site that may access the error number, if the region sets it.
fn accesses_errno<'s, 'a>(converter: &Converter<'_, 'a, '_>, sites: &'s [Site<'a>]) -> Option<&'s Site<'a>> {
    let mut instructions = converter.nest.region.blocks.values().flatten();
    let sets_errno = instructions.any(|i| i.facts().errno_only());
    let may_access = |site: &&Site<'a>| converter.run.may_access_errno(site.instruction, site.base);
    sites.iter().filter(|_| sets_errno).find(may_access)
}

/// An array whose base is not said yet.
pub(super) struct Baseless<'a> {
    pub(super) name: String,
    pub(super) element_size: u64,
    pub(super) shaped: Shaped,
    /// The accesses with their subscripts.
    pub(super) accesses: Vec<(Site<'a>, Subscripts)>,
}

impl<'a> Baseless<'a> {
    /// The array at a base, from which its offsets count.
    pub(super) fn at(self, base: Base<'a>) -> Array<'a> {
        let accesses = self.accesses.iter().map(|(site, _)| site.instruction);
        Array {
            ir: IrArray {
                name: self.name,
                base,
                element_size: self.element_size,
                accesses: accesses.filter(|i| i.is_load_or_store()).collect(),
            },
            sizes: self.shaped.sizes,
            strided: self.shaped.strided,
            apart: self.shaped.apart,
            rows: None,
            accesses: self.accesses,
        }
    }
}

/// The array of these accesses, by the distances from their bases.
fn array<'a>(
    converter: &Converter<'_, 'a, '_>,
    name: &str,
    mut sites: Vec<Site<'a>>,
    may_overlap: bool,
) -> Modelled<'a, Baseless<'a>> {
    let run = converter.run;
    let name = converter.names.borrow_mut().fresh(name, "A");
    let element_of = |site: &Site<'a>| match site.access.size {
        LocationSize::Element(ty) => run.element(ty),
        LocationSize::Bytes(_) | LocationSize::Unknown => None,
    };
    let element = sites.iter().find_map(element_of).unwrap_or(BYTE);
    if let Some(site) = accesses_errno(converter, &sites) {
        let name = name_in_source(run, &converter.nest.region, site.base, &name);
        return Err(Stop::at(Reason::Errno(name), site.instruction));
    }
    let mut any = Vec::new();
    for site in &mut sites {
        let inside = of_elements(converter, site, element)?;
        any.push(inside.is_none());
        *site = inside.unwrap_or_else(|| site.clone());
    }
    // A store that leaves a part of its element as it was hides no earlier store from whoever reads that part.
    let padded = sites.iter().filter_map(element_of).any(|e| e.touched < e.size);
    let mut shaped = loop {
        if padded && any.contains(&true) {
            any.fill(true);
        }
        let affine = sites.iter().zip(&any).filter(|(_, any)| !**any).map(|(site, _)| site);
        let group = Delinearizer {
            converter,
            name: &name,
            element_size: Int::from(element.size),
            sites: affine.collect(),
            may_overlap,
        };
        if group.sites.is_empty() {
            break Shaped::default();
        }
        match group.shaped() {
            Ok(shaped) => {
                let fitting = any.iter_mut().filter(|any| !**any).zip(&shaped.subscripts);
                let is_scattered = |affs: &Vec<Aff>| converter.has_remainders() && is_scattered(affs);
                let scattered = fitting.filter(|(_, pieces)| pieces.iter().any(|(_, affs)| is_scattered(affs)));
                let scattered: Vec<&mut bool> = scattered.map(|(any, _)| any).collect();
                if scattered.is_empty() {
                    break shaped;
                }
                scattered.into_iter().for_each(|any| *any = true);
            }
            Err(Misfit::Site(instruction) | Misfit::NoPolynomial(instruction)) => {
                let misfits = sites
                    .iter()
                    .zip(&mut any)
                    .filter(|(site, _)| site.instruction == instruction);
                misfits.for_each(|(_, any)| *any = true);
            }
            Err(Misfit::Stop(stop)) => return Err(stop),
        }
    };
    let mut affine = std::mem::take(&mut shaped.subscripts).into_iter();
    let subscripts = any.iter().map(|any| match any {
        true => Subscripts::Any,
        false => Subscripts::Affine(affine.next().expect("subscripts for each site of the group")),
    });
    let subscripts: Vec<Subscripts> = subscripts.collect();
    Ok(Baseless {
        name,
        element_size: element.size,
        shaped,
        accesses: sites.into_iter().zip(subscripts).collect(),
    })
}

/// Whether neighbouring elements are counted by a remainder, as every other one of `a[2 * j + (i & 1)]` is: what is known of dependences then
/// leaves orders that the cost model is wrong about.
fn is_scattered(subscripts: &[Aff]) -> bool {
    let Some(last) = subscripts.last() else { return false };
    let space = last.space();
    let first = 1 + space.params.names().len();
    let wraps = |(index, div): (usize, &Div)| {
        let factor = last.div_coefficient(index);
        let counters = &div.num[first..first + space.tuple.n()];
        let moves = counters.iter().any(|c| !c.is_zero());
        !factor.is_zero() && moves && counters.iter().all(|c| (c * factor).divisible_by(&div.den))
    };
    last.divs().iter().enumerate().any(wraps)
}
