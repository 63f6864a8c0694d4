//! Which arrays of a model may overlap, and have to be checked at run time.

use crate::control::nest::Nest;
use crate::detect::declined::{Modelled, Reason, Stop};
use crate::memory::access::{Site, Subscripts};
use crate::memory::array_names::name_in_source;
use crate::memory::arrays::Array;
use crate::memory::indirect_accesses::{BoundsFinder, IndirectAccesses};
use crate::memory::invariant_load_hoisting::HoistedLoadInfo;
use crate::memory::rows::RowsAt;
use crate::scev::convert::Converter;
use farkas_llvm::scop_ir::{ArrayId, Base, IrArray};
use farkas_llvm::value::{Block, Kind, Value};
use farkas_llvm::{AliasTags, Run};

/// The pairs of arrays of which one is written.
pub(super) struct Overlaps {
    /// Those that may overlap as far as LLVM knows.
    pub(super) checks: Vec<(ArrayId, ArrayId)>,
    /// Those that are apart only since their accesses have different types.
    pub(super) apart_by_type: Vec<ApartByType>,
}

/// Two arrays that the types of their accesses keep apart. That holds for the accesses of the program where they are. The type of an object
/// may change with a store, so that another access to one array, between those of the program to the other one, has to be checked:
///
/// ```text
/// double s = w[i];                       double s = w[i];
/// f[2 * i] = s / 2;                      f[2 * i] = s / 2;            f == (float *)w
/// for (j) a[j][i] += s;                  for (j) a[j][i] += w[i];
/// ```
#[derive(Clone, Copy, Debug)]
pub(super) struct ApartByType {
    pair: (ArrayId, ArrayId),
    /// Whether a check is possible: all their subscripts are affine, and a pass looks at the rows of those that are in rows.
    is_bounded: bool,
}

impl ApartByType {
    fn is_of(&self, array: ArrayId) -> bool {
        self.pair.0 == array || self.pair.1 == array
    }
}

/// Whether accesses may be added to an array: it can be checked not to overlap what has other types.
pub(super) fn may_have_more_accesses(array: ArrayId, apart_by_type: &[ApartByType]) -> bool {
    apart_by_type
        .iter()
        .all(|apart| apart.is_bounded || !apart.is_of(array))
}

/// Adds the checks that an array takes to which accesses were added.
pub(super) fn check_types_of(array: ArrayId, apart_by_type: &[ApartByType], checks: &mut Vec<(ArrayId, ArrayId)>) {
    for apart in apart_by_type.iter().filter(|apart| apart.is_of(array)) {
        if !checks.contains(&apart.pair) {
            checks.push(apart.pair);
        }
    }
}

/// What the source calls the arrays of a region.
struct ArrayNames<'n, 'a, 'r> {
    run: &'a Run<'r>,
    nest: &'n Nest<'a>,
    arrays: &'n [Array<'a>],
}

impl<'a> ArrayNames<'_, 'a, '_> {
    /// The array's name, or that of the table of its rows, or those of its buffers.
    fn of(&self, array: &IrArray<'a>) -> String {
        match array.base {
            Base::Pointer(base) => self.of_address(base, &array.name),
            Base::Rotation(id) => {
                let buffers = self.nest.phis(id).iter();
                let names: Vec<String> = buffers.map(|own| self.of_address(own.first, &array.name)).collect();
                names.join(" and ")
            }
            Base::Table(table) => format!("rows of {}", self.of(&self.arrays[table.0].ir)),
        }
    }

    fn of_address(&self, base: Value<'a>, other: &str) -> String {
        name_in_source(self.run, &self.nest.region, base, other)
    }
}

/// Sees to it that the rows of an array, at addresses from a table or in buffers, can be checked not to overlap `other`: those of a table by a pass
/// over it.
///
/// # Errors
/// If that could not be checked.
fn have_rows_checked<'a>(
    id: ArrayId,
    (array, other): (&Array<'a>, &Array<'a>),
    names: &ArrayNames<'_, 'a, '_>,
    indirect: &mut BoundsFinder<'_, 'a, '_>,
) -> Modelled<'a, ()> {
    let Some(rows) = &array.rows else { return Ok(()) };
    let mut accesses = other.accesses.iter();
    let is_bounded = accesses.all(|(site, subscripts)| site.of_reader || matches!(subscripts, Subscripts::Affine(_)));
    let are_looked_at = is_bounded
        && match &rows.at {
            RowsAt::Table { array, loads } => indirect.look_at_rows(id, (*array, loads))?,
            RowsAt::Buffers => true,
        };
    match are_looked_at {
        true => Ok(()),
        false => {
            let reason = Reason::UncheckedRows(names.of(&array.ir), names.of(&other.ir));
            Err(Stop::at(reason, array.accesses[0].0.instruction))
        }
    }
}

/// The addresses of an array of buffers.
fn buffers<'a>(nest: &Nest<'a>, array: &Array<'a>) -> Vec<Value<'a>> {
    match array.ir.base {
        Base::Rotation(id) => nest.buffers(id),
        Base::Pointer(_) | Base::Table(_) => Vec::new(),
    }
}

/// The pairs of arrays that may overlap as far as LLVM knows, where one of the two is written. An array in rows, at addresses from a
/// table or in buffers, makes a pair with itself where it is written: one row may overlap another one. Accesses that are not affine get bounds
/// where that matters. Types count for nothing where accesses were added to one of the two.
///
/// # Errors
/// If that could not be checked.
pub(super) fn overlaps<'a>(
    run: &'a Run<'_>,
    nest: &Nest<'a>,
    arrays: &[Array<'a>],
    has_more_accesses: impl Fn(&Array<'a>) -> bool,
    indirect: &mut BoundsFinder<'_, 'a, '_>,
) -> Modelled<'a, Overlaps> {
    let declares_scope = |block: &Block<'a>| block.instructions().into_iter().any(|i| i.facts().declares_scope());
    let scopes = !nest.blocks.keys().any(declares_scope);
    let names = ArrayNames { run, nest, arrays };
    let mut overlaps = Overlaps {
        checks: Vec::new(),
        apart_by_type: Vec::new(),
    };
    let is_written = |array: &Array<'a>| array.accesses.iter().any(|(site, _)| site.writes());
    for (one, first) in arrays.iter().enumerate() {
        if first.rows.is_some() && is_written(first) {
            have_rows_checked(ArrayId(one), (first, first), &names, indirect)?;
            overlaps.checks.push((ArrayId(one), ArrayId(one)));
        }
        for (other, second) in arrays.iter().enumerate().skip(one + 1) {
            // They would never be apart.
            if buffers(nest, first)
                .iter()
                .any(|own| buffers(nest, second).contains(own))
            {
                return Err(Stop::at(Reason::VariantBase, second.accesses[0].0.instruction));
            }
            let types = !has_more_accesses(first) && !has_more_accesses(second);
            let (mut never_alias, mut is_apart_by_type, mut is_bounded) = (true, false, true);
            for (of_first, (a, subscripts)) in first.accesses.iter().enumerate() {
                for (of_second, (b, other_subscripts)) in second.accesses.iter().enumerate() {
                    let never_alias_by = |types: bool| {
                        let [of_a, of_b] = [a, b].map(|site| site.bases(nest));
                        let mut pairs = of_a.iter().flat_map(|x| of_b.iter().map(move |y| (*x, *y)));
                        pairs.all(|(x, y)| {
                            run.never_alias((a.instruction, x), (b.instruction, y), AliasTags { scopes, types })
                        })
                    };
                    // What a call may read of anything is in the model for each array by itself.
                    let ordered = (a.writes() || b.writes()) && !a.of_reader && !b.of_reader;
                    if !ordered || never_alias_by(false) {
                        continue;
                    }
                    if types && never_alias_by(types) {
                        let is_any = |subscripts: &Subscripts| matches!(subscripts, Subscripts::Any);
                        is_apart_by_type = true;
                        // Rows that are written are looked at in any case.
                        let are_known = |array: &Array<'a>| array.rows.is_none() || is_written(array);
                        let are_found = are_known(first) && are_known(second);
                        is_bounded &= are_found && !is_any(subscripts) && !is_any(other_subscripts);
                        continue;
                    }
                    never_alias = false;
                    have_rows_checked(ArrayId(one), (first, second), &names, indirect)?;
                    have_rows_checked(ArrayId(other), (second, first), &names, indirect)?;
                    let overlap = |wide: &Array<'a>, narrow: &Array<'a>| {
                        Reason::UnboundedAccess(names.of(&wide.ir), names.of(&narrow.ir))
                    };
                    if matches!(subscripts, Subscripts::Any) && !indirect.bound(ArrayId(one), of_first)? {
                        return Err(Stop::at(overlap(first, second), a.instruction));
                    }
                    if matches!(other_subscripts, Subscripts::Any) && !indirect.bound(ArrayId(other), of_second)? {
                        return Err(Stop::at(overlap(second, first), b.instruction));
                    }
                }
            }
            let pair = (ArrayId(one), ArrayId(other));
            if !never_alias {
                overlaps.checks.push(pair);
            } else if is_apart_by_type {
                overlaps.apart_by_type.push(ApartByType { pair, is_bounded });
            }
        }
    }
    Ok(overlaps)
}

/// The targets of hoisted loads as arrays behind those of the region, where the guard has to check that no store of
/// the region writes them. Adds these checks.
pub(super) fn targets<'a>(
    converter: &Converter<'_, 'a, '_>,
    candidates: &[HoistedLoadInfo<'a>],
    arrays: &[Array<'a>],
    (checks, indirect): (&mut Vec<(ArrayId, ArrayId)>, &IndirectAccesses<'a>),
) -> Modelled<'a, Vec<IrArray<'a>>> {
    let mut targets = Vec::new();
    for candidate in candidates.iter().filter(|c| !c.writers.is_empty()) {
        let id = ArrayId(arrays.len() + targets.len());
        let Kind::Load { pointer } = candidate.load.kind() else {
            unreachable!("{} is a load", candidate.load)
        };
        let element = converter.run.element(candidate.load.ty());
        let target = IrArray {
            name: converter.names.borrow_mut().fresh("", "L"),
            base: Base::Pointer(pointer),
            element_size: element
                .ok_or_else(|| Stop::at(Reason::UnsafeLoad, candidate.load))?
                .size,
            accesses: Vec::new(),
        };
        for (index, array) in arrays.iter().enumerate() {
            let written = |site: &Site<'a>| candidate.writers.iter().any(|(_, w)| *w == site.instruction);
            let mut writers = array.accesses.iter().filter(|(site, _)| written(site)).peekable();
            if writers.peek().is_some() {
                checks.push((ArrayId(index), id));
            }
            // The inspector relies on hoisted loads: nothing that it finds may be asked for first.
            let is_unknown = |subscripts: &Subscripts| {
                let is_by_pass = indirect.are_of(ArrayId(index)) || array.rows.is_some();
                is_by_pass || matches!(subscripts, Subscripts::Any)
            };
            if let Some((site, _)) = writers.find(|(_, subscripts)| is_unknown(subscripts)) {
                let names = ArrayNames {
                    run: converter.run,
                    nest: converter.nest,
                    arrays,
                };
                let loaded = "a value that the loop loads";
                let loaded = name_in_source(names.run, &names.nest.region, candidate.load, loaded);
                let names = (names.of(&array.ir), loaded);
                let reason = match array.rows {
                    Some(_) => Reason::UncheckedRows(names.0, names.1),
                    None => Reason::UnboundedAccess(names.0, names.1),
                };
                return Err(Stop::at(reason, site.instruction));
            }
        }
        targets.push(target);
    }
    Ok(targets)
}
