//! From the model of a region to its replacement by kernels of a GPU: a plan, run-time checks, and what of each array is copied.
//!
//! A copy of an array has the bytes from the first element that the region accesses to the [last one](farkas_emit::AccessedElements), both exact.

use farkas_emit::{Device, DeviceArray, Writes, arithmetic_fits, obstacle};
use farkas_llvm::Run;
use farkas_llvm::scop_ir::ArrayId;
use farkas_plan::Offload;
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::program::AccessKind;
use farkas_polyhedral::sets::Set;
use farkas_report::Record;

use crate::accessed_elements::{accessed_elements, element_box};
use crate::options::{Gpu, Options};
use crate::pipeline::{Kept, Replacement, Stages, choices_for, guards, parameter_ranges, within_sizes, work};
use crate::scop::Scop;
use crate::target;
use crate::verifiers::verify_kernels;

/// Kernels may take so many times the work of loops: copies to shared memory are checked, and tiles of which only some are full have more
/// loops. Who asks for a GPU expects that to take longer.
const WORK: u64 = 3;

/// Makes the replacement of a nest by kernels. What the stages say goes to the record, if there is to be a report.
///
/// # Errors
/// Why there is none.
pub(crate) fn replacement<'a>(
    options: &Options,
    run: &'a Run<'_>,
    scop: &Scop<'a>,
    record: &Record,
) -> Result<Replacement, Kept> {
    if let Some((why, at)) = obstacle(run, &scop.ir, &options.gpu_arch) {
        log::debug!("no kernels: {why}, {at:?}");
        return Err(Kept::NoKernels(why));
    }
    let stages = Stages::default();
    let b = &Budget::new(work(options, scop).saturating_mul(WORK));
    let (target, choices) = (target::target(options, run), choices_for(options, run));
    let gpu = match &target.gpu {
        Some(gpu) => gpu.clone(),
        None => farkas_plan::target::Gpu::of_processor(&options.gpu_arch),
    };
    let offload = match options.gpu {
        Gpu::Auto => Offload::WherePays {
            target: &target,
            choices: &choices,
            gpu: &gpu,
        },
        Gpu::Force | Gpu::Never => Offload::Always,
    };
    let features = farkas_plan::target::Features::of_processor(&options.gpu_arch);
    let planned = farkas_plan::plan_kernels(&scop.program, offload, features, &stages.show(options), b);
    stages.print(record);
    let plan = planned?;
    if options.verify {
        verify_kernels(run, scop, &plan);
    }
    let summary = plan.summary();
    let (ast, packed) = (plan.ast, plan.packed);
    let assumptions = with_rows_apart(scop, &plan.assumptions, b)?;
    let sizes = plan.sizes.condition(assumptions.params());
    let guards = guards(run, scop, (sizes, &assumptions), b)?;
    if !arithmetic_fits(&ast, &guards, &parameter_ranges(run, scop)) {
        return Err(Kept::Overflow);
    }
    let arrays = (0..scop.ir.arrays.len()).map(|array| device_array(scop, ArrayId(array), &assumptions, b));
    let arrays: Vec<Option<DeviceArray>> = arrays.collect::<Result<_, _>>()?;
    let device = Device {
        processor: options.gpu_arch.clone(),
        arrays: arrays.into_iter().flatten().collect(),
        ir_folder: options.gpu_ir.clone(),
    };
    Ok(Replacement {
        tree: None,
        alone: None,
        ast,
        guards,
        expansions: Vec::new(),
        packed,
        node_splitting: None,
        threads: None,
        device: Some(device),
        summary,
        params: assumptions.params().clone(),
    })
}

/// The parameters that are assumed for which rows of no array overlap: kernels copy whole rows.
fn with_rows_apart(scop: &Scop<'_>, assumptions: &Set, b: &Budget) -> Result<Set, Kept> {
    let mut apart = assumptions.clone();
    for (array, shape) in scop.ir.arrays.iter().zip(&scop.shapes) {
        let Some(overlap) = &shape.overlap else { continue };
        apart = apart.intersect_params(&overlap.apart.align_params(assumptions.params()));
        if apart.intersect_params(&scop.program.context).is_empty(b)? {
            return Err(Kept::NoKernels(format!("rows of {} overlap", array.name)));
        }
    }
    Ok(apart.gist_params(&scop.program.context, b)?)
}

/// What of an array is copied; `None` if the region does not access it.
fn device_array(scop: &Scop<'_>, array: ArrayId, assumptions: &Set, b: &Budget) -> Result<Option<DeviceArray>, Kept> {
    let (shape, own) = (&scop.shapes[array.0], &scop.ir.arrays[array.0]);
    let unknown = || Kept::NoKernels(format!("which part of {} is accessed is not known", own.name));
    if shape.strided {
        return Err(unknown());
    }
    let within = within_sizes(scop, array, assumptions);
    let (tuple, params) = (within.space().tuple.clone(), scop.program.context.params());
    let none = || Set::empty(within.space().clone());
    let (mut elements, mut written) = (none(), none());
    let (mut is_read, mut is_written, mut is_exact) = (false, false, true);
    for statement in &scop.program.statements {
        for access in statement.accesses.iter().filter(|access| *access.array() == tuple) {
            let executed = access.relation.intersect_domain(&statement.domain);
            let own = executed.align_params(params).range(b)?;
            match access.kind {
                AccessKind::Read => is_read = true,
                AccessKind::MayWrite | AccessKind::MustWrite => {
                    is_written = true;
                    is_exact &= access.kind == AccessKind::MustWrite;
                    written = written.union(&own);
                }
            }
            elements = elements.union(&own);
        }
    }
    let elements = elements.intersect(&within);
    if elements.is_empty(b)? {
        return Ok(None);
    }
    if elements.params() != params {
        return Err(unknown());
    }
    let elements = accessed_elements(&elements, &shape.sizes, b)?.ok_or_else(unknown)?;
    let written_box = match is_written && is_exact {
        true => element_box(&written.intersect(&within), &shape.sizes, b)?,
        false => None,
    };
    let writes = match written_box {
        _ if !is_written => Writes::Nothing,
        Some(corners) => Writes::Box(corners),
        None => Writes::Some,
    };
    Ok(Some(DeviceArray {
        array,
        elements,
        is_read,
        writes,
    }))
}
