//! Arrays: from addresses to subscripts.
//!
//! All accesses that are based on one pointer make up an *array*, of elements of one size. The distance of an access
//! from the base in bytes, its *offset*, is taken apart into subscripts for a *shape*, the sizes of all dimensions but
//! the outermost:
//!
//! ```text
//! offset = element size * ((s_0 * d_1 + s_1) * d_2 + s_2) …      with 0 <= s_i < d_i for i > 0
//! ```
//!
//! With the inner subscripts in bounds, two accesses meet if and only if their subscripts are equal, as long as offsets
//! do not wrap around. That the inner subscripts are in bounds is proven on the domain, or assumed.
//!
//! A shape of constant sizes is found from the coefficients of the offsets: in `800 i + 8 j`, with elements of 8 bytes,
//! `i` steps over rows of 100 elements. Sizes that are parameters (C99 arrays of variable length, `i * n + j`) are found
//! by LLVM's delinearization. Where no shape fits, an affine offset is a subscript by itself.
//!
//! A call that sets or copies a piece of memory reaches from an offset so many elements on: its accesses have a dimension of
//! their own for these, from which subscripts are found as if it were a loop's.
//!
//! What is not affine (`A[B[i]]`, `A[i * i]`), not aligned to elements or of another size is taken to access any part of the
//! array, and if elements have padding (`long double`), so is then everything else. So are arguments of calls that access
//! nothing else; a call that may read anything reads any part of each array that is written. No run-time check can bound such
//! an access: that it overlaps no other array has to be known without one.

use super::dope_vectors::dope_vector_subscripts;
use crate::detect::declined::{Declined, Modelled, Reason};
use crate::scev::convert::Converter;
use crate::scev::pieces::{Pieces, negative, nonnegative};
use crate::scev::scope::{Reading, Scope};
use farkas_llvm::Element;
use farkas_llvm::memory::{Access, Effect, LocationSize, Memory};
use farkas_llvm::scev::{Scev, ScevKind};
use farkas_llvm::scop_ir::IrArray;
use farkas_llvm::value::Value;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Aff, MultiAff, Set, SetSpace, Tuple};
use indexmap::IndexMap;

/// An access of a statement.
#[derive(Clone, Debug)]
pub(crate) struct Site<'a> {
    /// The index of the statement.
    pub(crate) statement: usize,
    /// The load, the store or the call.
    pub(crate) instruction: Value<'a>,
    access: Access<'a>,
    /// Whether it is what a call that may read anything may read of this array.
    pub(crate) of_reader: bool,
    /// The distance in bytes from the base.
    offset: Scev<'a>,
    /// The same as it is where it is accessed, if that is another expression.
    executed: Option<Scev<'a>>,
    /// Where it is executed, and for which elements.
    pub(crate) scope: Scope,
}

impl Site<'_> {
    /// Whether it writes.
    pub(crate) fn writes(&self) -> bool {
        self.access.effect != Effect::Read
    }

    /// What it does for each of its elements.
    pub(crate) fn effect(&self) -> Effect {
        self.access.effect
    }
}

/// The subscripts of an access.
#[derive(Clone, Debug)]
pub(crate) enum Subscripts {
    /// On each piece of the domain, one expression a dimension.
    Affine(Vec<(Set, Vec<Aff>)>),
    /// Anything.
    Any,
}

/// What an array consists of that is only accessed by calls.
const BYTE: Element = Element { size: 1, touched: 1 };

/// Offsets are numbers of so many bits.
const OFFSET_BITS: u32 = 64;

/// An array of the model.
#[derive(Clone, Debug)]
pub(crate) struct Array<'a> {
    pub(crate) ir: IrArray<'a>,
    /// The sizes of all dimensions but the outermost, expressions over parameters.
    pub(crate) sizes: Vec<Aff>,
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
    let mut readers = Vec::new();
    for (statement, scope, instruction) in instructions {
        let memory = converter.run.memory(instruction);
        if memory == Memory::ReadsAnything {
            readers.push((statement, scope.clone(), instruction));
        }
        for access in memory.accesses() {
            let (base, offset) = based(converter, instruction, access.pointer)?;
            let executed = executed(converter, instruction, base).filter(|executed| *executed != offset);
            by_base.entry(base).or_default().push(Site {
                statement,
                instruction,
                access,
                of_reader: false,
                offset,
                executed,
                scope: scope.clone(),
            });
        }
    }
    let arrays = by_base.into_iter().map(|(base, sites)| array(converter, base, sites));
    let mut arrays = arrays.collect::<Modelled<'a, Vec<_>>>()?;
    for (statement, scope, call) in readers {
        for array in &mut arrays {
            array.accesses.extend(read_by(
                converter,
                &array.ir,
                &array.accesses,
                (statement, &scope, call),
            ));
        }
    }
    Ok(arrays)
}

/// What a call that may read anything reads of an array with these accesses.
fn read_by<'a>(
    converter: &Converter<'_, 'a, '_>,
    array: &IrArray<'a>,
    accesses: &[(Site<'a>, Subscripts)],
    (statement, scope, call): (usize, &Scope, Value<'a>),
) -> Option<(Site<'a>, Subscripts)> {
    let (first, _) = accesses.iter().find(|(site, _)| site.writes())?;
    let site = Site {
        statement,
        instruction: call,
        access: Access {
            pointer: array.base,
            effect: Effect::Read,
            size: LocationSize::Unknown,
        },
        of_reader: true,
        offset: first.offset,
        executed: None,
        scope: scope.clone(),
    };
    let reads = converter.run.may_read(call, array.base);
    reads.then_some((site, Subscripts::Any))
}

/// The base of an address, and the distance from it in bytes.
fn based<'a>(
    converter: &Converter<'_, 'a, '_>,
    instruction: Value<'a>,
    pointer: Value<'a>,
) -> Modelled<'a, (Value<'a>, Scev<'a>)> {
    let run = converter.run;
    let variant = || Declined::at(Reason::VariantBase, instruction);
    let address = run.scev(pointer).ok_or_else(variant)?;
    let address = run.scev_at_scope(address, run.loop_of(instruction.block()));
    match run.pointer_base(address).kind() {
        ScevKind::Unknown(base) if !converter.nest.defines(base) => Ok((base, run.without_base(address))),
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

/// The same access in the scope of its elements; `None` where these are not so many whole ones as an affine expression
/// says.
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
            let bytes = match converter.attempt(|| converter.exact(length, Reading::Unsigned, &site.scope)) {
                Ok(bytes) => bytes,
                Err(declined) if declined.reason == Reason::OutOfBudget => return Err(declined),
                Err(_) => return Ok(None),
            };
            if !whole(&bytes, &size) {
                return Ok(None);
            }
            let scope = site.scope.of_elements(&bytes.map(|bytes| bytes.floor_div(&size)));
            Ok(Some(Site { scope, ..site.clone() }))
        }
    }
}

/// Whether the number of bytes is a multiple of the size for whatever values.
fn whole(bytes: &Pieces, size: &Int) -> bool {
    bytes
        .iter()
        .all(|(_, aff)| aff.row().iter().all(|x| x.divisible_by(size)))
}

fn array<'a>(converter: &Converter<'_, 'a, '_>, base: Value<'a>, mut sites: Vec<Site<'a>>) -> Modelled<'a, Array<'a>> {
    let run = converter.run;
    let name = converter.names.borrow_mut().fresh(&base.name(), "A");
    let element_of = |site: &Site<'a>| match site.access.size {
        LocationSize::Element(ty) => run.element(ty),
        LocationSize::Bytes(_) | LocationSize::Unknown => None,
    };
    let element = sites.iter().find_map(element_of).unwrap_or(BYTE);
    let sets_errno = converter
        .nest
        .region
        .blocks
        .values()
        .flatten()
        .any(|i| i.facts().errno_only());
    if let Some(site) = sites
        .iter()
        .find(|site| sets_errno && run.may_access_errno(site.instruction, base))
    {
        return Err(Declined::at(Reason::Errno(name), site.instruction));
    }
    let mut any = Vec::new();
    for site in &mut sites {
        let inside = of_elements(converter, site, element)?;
        any.push(inside.is_none());
        *site = inside.unwrap_or_else(|| site.clone());
    }
    // A store that leaves a part of its element as it was hides no earlier store from whoever reads that part.
    let padded = sites.iter().filter_map(element_of).any(|e| e.touched < e.size);
    let (sizes, subscripts) = loop {
        if padded && any.contains(&true) {
            any.fill(true);
        }
        let affine = sites.iter().zip(&any).filter(|(_, any)| !**any).map(|(site, _)| site);
        let group = Group {
            converter,
            name: &name,
            base,
            element_size: Int::from(element.size),
            sites: affine.collect(),
        };
        if group.sites.is_empty() {
            break (Vec::new(), Vec::new());
        }
        match group.shaped() {
            Ok(shaped) => break shaped,
            Err(Misfit::Site(instruction)) => {
                let misfits = sites
                    .iter()
                    .zip(&mut any)
                    .filter(|(site, _)| site.instruction == instruction);
                misfits.for_each(|(_, any)| *any = true);
            }
            Err(Misfit::Declined(declined)) => return Err(declined),
        }
    };
    let mut affine = subscripts.into_iter();
    let subscripts = any.iter().map(|any| match any {
        true => Subscripts::Any,
        false => Subscripts::Affine(affine.next().expect("subscripts for each site of the group")),
    });
    let subscripts: Vec<Subscripts> = subscripts.collect();
    let accesses = sites
        .iter()
        .map(|site| site.instruction)
        .filter(|i| i.is_load_or_store())
        .collect();
    let ir = IrArray {
        name,
        base,
        element_size: element.size,
        accesses,
    };
    Ok(Array {
        ir,
        sizes,
        accesses: sites.into_iter().zip(subscripts).collect(),
    })
}

/// That a subscript is within `0..size` on a domain.
#[derive(Debug)]
struct InBounds {
    domain: Set,
    subscript: Aff,
    size: Aff,
}

impl InBounds {
    fn says(&self, domain: &Set, subscript: &Aff, size: &Aff) -> bool {
        self.domain.is_same(domain) && self.subscript == *subscript && self.size == *size
    }
}

/// The accesses to one array, while their subscripts are looked for.
struct Group<'g, 'c, 'a, 'r> {
    converter: &'g Converter<'c, 'a, 'r>,
    name: &'g str,
    base: Value<'a>,
    element_size: Int,
    sites: Vec<&'g Site<'a>>,
}

/// The sizes of the inner dimensions, and the subscripts of each access.
type Shaped = (Vec<Aff>, Vec<Vec<(Set, Vec<Aff>)>>);

/// Why no subscripts are found for a group.
#[derive(Clone, Debug)]
enum Misfit<'a> {
    /// This access has none.
    Site(Value<'a>),
    /// Another reason.
    Declined(Declined<'a>),
}

impl<'a> From<Declined<'a>> for Misfit<'a> {
    fn from(declined: Declined<'a>) -> Self {
        Misfit::Declined(declined)
    }
}

/// What an offset or a size that cannot be converted makes of an access.
fn misfit<'a>(site: &Site<'a>, declined: Declined<'a>) -> Misfit<'a> {
    match declined.reason {
        Reason::OutOfBudget => Misfit::Declined(declined),
        _ => Misfit::Site(site.instruction),
    }
}

impl<'a> Group<'_, '_, 'a, '_> {
    /// Subscripts for whichever shape fits.
    fn shaped(&self) -> Result<Shaped, Misfit<'a>> {
        let as_written: Vec<Scev<'a>> = self.sites.iter().map(|site| site.offset).collect();
        let shaped = self.shaped_by(&as_written);
        if !matches!(shaped, Err(Misfit::Site(_))) || self.sites.iter().all(|site| site.executed.is_none()) {
            return shaped;
        }
        let executed = self.sites.iter().map(|site| site.executed.unwrap_or(site.offset));
        match self.shaped_by(&executed.collect::<Vec<_>>()) {
            Err(Misfit::Site(_)) => shaped,
            better => better,
        }
    }

    /// Subscripts for a shape that fits these offsets of the accesses in bytes.
    fn shaped_by(&self, offsets: &[Scev<'a>]) -> Result<Shaped, Misfit<'a>> {
        match self.converter.attempt(|| self.affine_offsets(offsets)) {
            Ok(offsets) => Ok(self.with_constant_sizes(offsets)?),
            Err(Misfit::Site(first)) => match self.converter.attempt(|| self.with_parametric_sizes(offsets)) {
                Err(Misfit::Site(_)) => match self.converter.attempt(|| self.with_dope_vector(offsets)) {
                    Err(Misfit::Site(_)) => Err(Misfit::Site(first)),
                    outcome => outcome,
                },
                outcome => outcome,
            },
            Err(declined) => Err(declined),
        }
    }

    /// The offsets in elements.
    fn affine_offsets(&self, all: &[Scev<'a>]) -> Result<Vec<Pieces>, Misfit<'a>> {
        let mut offsets = Vec::new();
        for (site, offset) in self.sites.iter().zip(all) {
            let bytes = self.converter.exact(*offset, Reading::Signed, &site.scope);
            let mut bytes = bytes.map_err(|declined| misfit(site, declined))?;
            if !whole(&bytes, &self.element_size) {
                return Err(Misfit::Site(site.instruction));
            }
            if let Some(element) = site.scope.element() {
                let distance = element.scale(&self.element_size);
                bytes = bytes.map(|first| first.add(&distance));
                let confined = self
                    .converter
                    .confine(&bytes, OFFSET_BITS, Reading::Signed, &site.scope);
                confined.map_err(|declined| misfit(site, declined))?;
            }
            offsets.push(bytes.map(|aff| aff.floor_div(&self.element_size)));
        }
        Ok(offsets)
    }

    /// Subscripts for a shape of constant sizes.
    fn with_constant_sizes(&self, offsets: Vec<Pieces>) -> Modelled<'a, Shaped> {
        // The source's own rows first; where they are certain not to be overrun, steps of the offsets may add to them.
        // What the source declares as rows is taken for rows even if that is not certain: then it is assumed.
        let (declared, steps) = (self.declared_strides(), steps(&offsets));
        let rows = chain(&[&declared]);
        let all = chain(&[&declared, &steps]);
        for (strides, assume) in [
            (all, false),
            (chain(&[&steps]), false),
            (rows.clone(), false),
            (rows, true),
        ] {
            if let Some(shaped) = self.tentatively(&offsets, &strides, assume)? {
                return Ok(shaped);
            }
        }
        Ok(self
            .for_strides(&offsets, &[], false)?
            .expect("one dimension always fits"))
    }

    /// As `for_strides`; where nothing comes of it, nothing is assumed either.
    fn tentatively(&self, offsets: &[Pieces], strides: &[Int], assume: bool) -> Modelled<'a, Option<Shaped>> {
        let attempt = || self.for_strides(offsets, strides, assume).map_err(Some)?.ok_or(None);
        match self.converter.attempt(attempt) {
            Ok(shaped) => Ok(Some(shaped)),
            Err(None) => Ok(None),
            Err(Some(declined)) => Err(declined),
        }
    }

    /// The sizes in elements of arrays that the source's types say the base points to.
    fn declared_strides(&self) -> Vec<Int> {
        let mut declared = Vec::new();
        for site in &self.sites {
            let mut at = site.access.pointer;
            // A phi may lead back to itself.
            while at != self.base && at.is_instruction() && !at.is_phi() {
                let size = self.converter.run.array_stride(at).map(Int::from);
                declared.extend(
                    size.filter(|s| s.divisible_by(&self.element_size))
                        .map(|s| s.div_exact(&self.element_size)),
                );
                match at.operands().first() {
                    Some(next) => at = *next,
                    None => break,
                }
            }
        }
        declared
    }

    /// Subscripts for dimensions that step over `strides` elements, outermost first; `None` if the inner subscripts are
    /// not in bounds, or if that would have to be assumed but must not.
    fn for_strides(&self, offsets: &[Pieces], strides: &[Int], assume: bool) -> Modelled<'a, Option<Shaped>> {
        let (mut all, mut known) = (Vec::new(), Vec::new());
        for (site, offset) in self.sites.iter().zip(offsets) {
            let mut subscripts = Vec::new();
            for (piece, offset) in offset.iter() {
                let domain = match piece.is_plainly_universe() {
                    true => site.scope.domain.clone(),
                    false => site.scope.domain.intersect(piece),
                };
                let plain = split(offset, strides);
                let sizes = row_sizes(strides, offset.space());
                match self.in_bounds(&domain, plain, &sizes, assume, &mut known)? {
                    Some(found) => subscripts.push((piece.clone(), found)),
                    None => return Ok(None),
                }
            }
            all.push(subscripts);
        }
        let sizes = row_sizes(strides, &SetSpace::params_only(Default::default()));
        Ok(Some((sizes, all)))
    }

    /// Shifts the subscripts so that the inner ones are within `0..size` on the domain. What is seen to be so is put down in
    /// `known`: other accesses of an iteration often differ in the outermost subscript only.
    fn in_bounds(
        &self,
        domain: &Set,
        mut subscripts: Vec<Aff>,
        sizes: &[Aff],
        assume: bool,
        known: &mut Vec<InBounds>,
    ) -> Modelled<'a, Option<Vec<Aff>>> {
        for inner in (1..subscripts.len()).rev() {
            let size = &sizes[inner - 1];
            if known.iter().any(|known| known.says(domain, &subscripts[inner], size)) {
                continue;
            }
            let shifted = |by: i64| {
                let mut shifted = subscripts.clone();
                for _ in 0..by.unsigned_abs() {
                    shifted[inner] = if by > 0 {
                        shifted[inner].add(size)
                    } else {
                        shifted[inner].sub(size)
                    };
                }
                shifted[inner - 1] = shifted[inner - 1].add_constant(&Int::from(-by));
                shifted
            };
            let outside = |subscript: &Aff| negative(subscript).union(&nonnegative(&subscript.sub(size)));
            let mut found = None;
            for by in [0, 1, -1] {
                let shifted = shifted(by);
                if self
                    .converter
                    .is_excluded(&domain.intersect(&outside(&shifted[inner])))?
                {
                    found = Some(shifted);
                    break;
                }
            }
            // What would leave nothing of the domain is no assumption to make.
            if found.is_none()
                && assume
                && self.assume_not(&outside(&subscripts[inner]), domain)?
                && !self.converter.is_excluded(domain)?
            {
                found = Some(subscripts.clone());
            }
            match found {
                Some(found) => subscripts = found,
                None => return Ok(None),
            }
            known.push(InBounds {
                domain: domain.clone(),
                subscript: subscripts[inner].clone(),
                size: size.clone(),
            });
        }
        Ok(Some(subscripts))
    }

    /// Assumes that no iteration of the domain is in `bad`. Where that depends on no counter, it is assumed whether or not
    /// there are iterations: a single condition, and not one more case for each.
    fn assume_not(&self, bad: &Set, domain: &Set) -> Modelled<'a, bool> {
        let everywhere = !bad.involves_dims(0, bad.tuple().n());
        Ok(everywhere && self.converter.exclude(bad)? || self.converter.exclude(&domain.intersect(bad))?)
    }

    /// Subscripts for a shape with sizes that are parameters.
    fn with_parametric_sizes(&self, offsets: &[Scev<'a>]) -> Result<Shaped, Misfit<'a>> {
        let run = self.converter.run;
        let bytes = self.element_size.to_i64().expect("the size of an element");
        let element = run.number(offsets[0].ty().expect("an integer"), bytes);
        let all_sizes = run.delinearize_sizes(offsets, element);
        let first = self.sites[0];
        let Some((last, inner)) = all_sizes.split_last() else {
            return Err(Misfit::Site(first.instruction));
        };
        if *last != element || inner.is_empty() {
            return Err(Misfit::Site(first.instruction));
        }
        log::debug!("{} has rows of sizes {inner:?}", self.name);
        let mut plain = Vec::new();
        for (site, offset) in self.sites.iter().zip(offsets) {
            let subscripts = run.delinearize_subscripts(*offset, &all_sizes);
            if subscripts.len() != all_sizes.len() || !self.recompose(*offset, &subscripts, &all_sizes) {
                return Err(Misfit::Site(site.instruction));
            }
            let exact = |scev: &Scev<'a>| -> Result<Aff, Misfit<'a>> {
                let pieces = self.converter.exact(*scev, Reading::Signed, &site.scope);
                let pieces = pieces.map_err(|declined| misfit(site, declined))?;
                pieces.as_affine().cloned().ok_or(Misfit::Site(site.instruction))
            };
            let mut subscripts = subscripts.iter().map(exact).collect::<Result<Vec<_>, _>>()?;
            if let (Some(element), Some(last)) = (site.scope.element(), subscripts.last_mut()) {
                *last = last.add(&element);
            }
            let own_sizes = inner.iter().map(exact).collect::<Result<Vec<_>, _>>()?;
            plain.push((*site, subscripts, own_sizes));
        }
        // Steps over several rows are steps over one long row: what is inside has to be in that only.
        let rows = plain.iter().flat_map(|(_, subscripts, _)| subscripts[0].row());
        let step = rows.fold(Int::ZERO, |gcd, x| gcd.gcd(x));
        let (mut all, mut known) = (Vec::new(), Vec::new());
        let mut sizes = None;
        for (site, mut subscripts, mut own_sizes) in plain {
            if step > 1 {
                subscripts[0] = subscripts[0].floor_div(&step);
                own_sizes[0] = own_sizes[0].scale(&step);
            }
            let found = self.in_bounds(&site.scope.domain, subscripts, &own_sizes, true, &mut known)?;
            let found = found.ok_or(Misfit::Site(site.instruction))?;
            all.push(vec![(Set::universe(site.scope.space()), found)]);
            sizes.get_or_insert_with(|| own_sizes.iter().map(without_counters).collect());
        }
        Ok((sizes.expect("an array has an access"), all))
    }

    /// Subscripts for rows and places on them that are parameters apart.
    fn with_dope_vector(&self, offsets: &[Scev<'a>]) -> Result<Shaped, Misfit<'a>> {
        let first = self.sites[0];
        if self.sites.iter().any(|site| site.scope.elements) {
            return Err(Misfit::Site(first.instruction));
        }
        let scopes = self.sites.iter().map(|site| &site.scope);
        let accesses: Vec<(&Scope, Scev<'a>)> = scopes.zip(offsets.iter().copied()).collect();
        let found = dope_vector_subscripts(self.converter, &self.element_size, &accesses);
        let found = found.map_err(|declined| misfit(first, declined))?;
        let sizes = found.iter().map(|(size, _)| without_counters(size)).take(1).collect();
        let universe = |site: &&Site<'a>| Set::universe(site.scope.space());
        let all = self.sites.iter().map(universe).zip(found);
        Ok((
            sizes,
            all.map(|(all, (_, subscripts))| vec![(all, subscripts.to_vec())])
                .collect(),
        ))
    }

    /// Whether the subscripts make up the offset.
    fn recompose(&self, offset: Scev<'a>, subscripts: &[Scev<'a>], sizes: &[Scev<'a>]) -> bool {
        let run = self.converter.run;
        let same_type = subscripts.iter().chain(sizes).all(|s| s.ty() == offset.ty());
        if !same_type {
            return false;
        }
        let mut sum = run.number(offset.ty().expect("an integer"), 0);
        for (subscript, size) in subscripts.iter().zip(sizes) {
            sum = run.product(run.sum(sum, *subscript), *size);
        }
        run.difference(offset, sum).kind() == ScevKind::Constant(0)
    }
}

/// The coefficients of more than one element in the offsets.
fn steps(offsets: &[Pieces]) -> Vec<Int> {
    let rows = offsets
        .iter()
        .flat_map(|offset| offset.iter().map(|(_, aff)| aff.row()));
    rows.flat_map(|row| row[1..].iter().map(Int::abs))
        .filter(|step| *step > 1)
        .collect()
}

/// Strides, the largest first, each of which is a multiple of the next: as many as go together, those of the first list
/// before those of the next, and small ones before large ones.
fn chain(lists: &[&Vec<Int>]) -> Vec<Int> {
    let mut chain: Vec<Int> = Vec::new();
    for list in lists {
        let mut list: Vec<&Int> = list.iter().filter(|stride| **stride > 1).collect();
        list.sort();
        for stride in list {
            let at = chain.partition_point(|other| other > stride);
            let fits_above = at == 0 || chain[at - 1].divisible_by(stride);
            let fits_below = chain
                .get(at)
                .is_none_or(|below| below != stride && stride.divisible_by(below));
            if fits_above && fits_below {
                chain.insert(at, stride.clone());
            }
        }
    }
    chain
}

/// The number of rows of each stride in the one before.
fn row_sizes(strides: &[Int], space: &SetSpace) -> Vec<Aff> {
    let inner = strides.iter().skip(1).cloned().chain([Int::ONE]);
    strides
        .iter()
        .zip(inner)
        .map(|(stride, inner)| Aff::constant(space.clone(), stride.div_exact(&inner)))
        .collect()
}

/// Splits an offset in elements into a multiple of each stride and a rest, each coefficient by itself, to the nearest. Where the
/// rest has counters only, which begin at 0, its constant is the subscript of the first iteration, and so neither negative nor as
/// large as the stride.
fn split(offset: &Aff, strides: &[Int]) -> Vec<Aff> {
    let mut rest = offset.clone();
    let mut subscripts = Vec::with_capacity(strides.len() + 1);
    for stride in strides {
        let two = Int::from(2);
        let nearest = |x: &Int| (x * &two + stride).div_floor(&(stride * &two));
        let mut row: Vec<Int> = rest.row().iter().map(nearest).collect();
        let space = rest.space();
        let counters = 1 + space.params.len()..1 + space.n_vars();
        let left = |k: usize| rest.row()[k] != &row[k] * stride;
        if !(1..row.len()).any(|k| left(k) && !counters.contains(&k)) {
            row[0] = rest.row()[0].div_floor(stride);
        }
        let subscript = with_row(&rest, &row);
        rest = rest.sub(&subscript.scale(stride));
        subscripts.push(subscript);
    }
    subscripts.push(rest);
    subscripts
}

/// The expression with other coefficients for the same constant, parameters, dimensions and divisions.
fn with_row(aff: &Aff, row: &[Int]) -> Aff {
    let space = aff.space();
    let n_params = space.params.len();
    let mut result = Aff::constant(space.clone(), row[0].clone());
    for (var, x) in row[1..].iter().enumerate().filter(|(_, x)| !x.is_zero()) {
        let term = if var < n_params {
            Aff::param(space.clone(), var)
        } else if var < space.n_vars() {
            Aff::var(space.clone(), var - n_params)
        } else {
            division(aff, var - space.n_vars())
        };
        result = result.add(&term.scale(x));
    }
    result
}

/// The division of this number as an expression by itself.
fn division(aff: &Aff, index: usize) -> Aff {
    let div = &aff.divs()[index];
    with_row(aff, &div.num).floor_div(&div.den)
}

/// An expression in which no counter occurs as one over parameters only.
fn without_counters(aff: &Aff) -> Aff {
    let unit = SetSpace::params_only(aff.space().params.clone());
    let zeros = vec![Aff::constant(unit.clone(), Int::ZERO); aff.space().tuple.n()];
    aff.pullback(&MultiAff::new(unit, Tuple::anonymous(aff.space().tuple.n()), zeros))
}
