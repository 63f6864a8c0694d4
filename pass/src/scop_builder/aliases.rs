//! Which arrays of a model may overlap, and have to be checked at run time.

use crate::control::nest::Nest;
use crate::detect::declined::{Modelled, Reason, Stop};
use crate::memory::access::{Site, Subscripts};
use crate::memory::arrays::Array;
use crate::memory::indirect_accesses::{BoundsFinder, IndirectAccesses};
use crate::memory::invariant_load_hoisting::HoistedLoadInfo;
use crate::scev::convert::Converter;
use farkas_llvm::Run;
use farkas_llvm::scop_ir::{ArrayId, IrArray};
use farkas_llvm::value::{Block, Kind};

/// The pairs of arrays that may overlap as far as LLVM knows, where one of the two is written. Accesses that are not affine get bounds
/// where that matters.
///
/// # Errors
/// If that could not be checked.
pub(super) fn alias_checks<'a>(
    run: &'a Run<'_>,
    nest: &Nest<'a>,
    arrays: &[Array<'a>],
    indirect: &mut BoundsFinder<'_, 'a, '_>,
) -> Modelled<'a, Vec<(ArrayId, ArrayId)>> {
    let declares_scope = |block: &Block<'a>| block.instructions().into_iter().any(|i| i.facts().declares_scope());
    let use_scopes = !nest.blocks.keys().any(declares_scope);
    let mut checks = Vec::new();
    for (one, first) in arrays.iter().enumerate() {
        for (other, second) in arrays.iter().enumerate().skip(one + 1) {
            let mut never_alias = true;
            for (of_first, (a, subscripts)) in first.accesses.iter().enumerate() {
                for (of_second, (b, other_subscripts)) in second.accesses.iter().enumerate() {
                    let (x, y) = ((a.instruction, first.ir.base), (b.instruction, second.ir.base));
                    // What a call may read of anything is in the model for each array by itself.
                    let ordered = (a.writes() || b.writes()) && !a.of_reader && !b.of_reader;
                    if !ordered || run.never_alias(x, y, use_scopes) {
                        continue;
                    }
                    never_alias = false;
                    let overlap = |wide: &Array<'a>, narrow: &Array<'a>| {
                        Reason::UnboundedAccess(wide.ir.name.clone(), narrow.ir.name.clone())
                    };
                    if matches!(subscripts, Subscripts::Any) && !indirect.bound(ArrayId(one), of_first)? {
                        return Err(Stop::at(overlap(first, second), a.instruction));
                    }
                    if matches!(other_subscripts, Subscripts::Any) && !indirect.bound(ArrayId(other), of_second)? {
                        return Err(Stop::at(overlap(second, first), b.instruction));
                    }
                }
            }
            if !never_alias {
                checks.push((ArrayId(one), ArrayId(other)));
            }
        }
    }
    Ok(checks)
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
            base: pointer,
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
            let is_unknown =
                |subscripts: &Subscripts| indirect.are_of(ArrayId(index)) || matches!(subscripts, Subscripts::Any);
            if let Some((site, _)) = writers.find(|(_, subscripts)| is_unknown(subscripts)) {
                let reason = Reason::UnboundedAccess(array.ir.name.clone(), target.name.clone());
                return Err(Stop::at(reason, site.instruction));
            }
        }
        targets.push(target);
    }
    Ok(targets)
}
