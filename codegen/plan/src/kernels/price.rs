//! What kernels are expected to take on a device, with the copies of arrays that they need.
//!
//! A kernel takes as long as the largest of
//!
//! - its arithmetic and its accesses at the rates of all multiprocessors;
//! - the bytes that leave the caches of multiprocessors, at the bandwidth of the cache that these share, and those that come from memory;
//! - the iterations of a thread, one after the other.
//!
//! Threads that are too few to fill the device leave a part of the first two unused. Each array is copied to the device before the first
//! kernel, and back behind the last one if it was written. All times are in nanoseconds.
//!
//! The rates are those of [`Gpu`]. The shares of them that are reached come from an H200 (BENCHMARKS.md). What a region takes besides, the
//! bandwidth of the cache, and the cycles of waiting threads are guessed.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::program::{ElementType, Operation, OperationClass};
use farkas_polyhedral::sets::{Name, Tuple};

use super::register_tiles::THREADS;
use crate::analysis::levels;
use crate::analysis::linear::{LinearAccess, Stride};
use crate::cost::Model;
use crate::sizes::ProfitableSizes;
use crate::target::Gpu;

/// A device has to take at most this share of the time of the host.
const MARGIN: f64 = 0.7;

/// The share of its rates of arithmetic that a kernel reaches.
const EFFICIENCY: f64 = 0.5;

/// How many times as many `double` operations matrix instructions execute.
const MMA: f64 = 2.0;

/// The share of the bandwidth of memory that a kernel reaches.
const STREAMING: f64 = 0.7;

/// Copies from and to memory that may be paged go through pinned buffers, and reach this share of the link's bandwidth.
const PAGEABLE: f64 = 0.3;

/// What a region takes besides: buffers, and the calls of the driver.
const REGION: f64 = 40_000.0;

/// The share of the time to launch a kernel and wait for it that each launch takes: the host launches the next one meanwhile.
const LAUNCH: f64 = 0.42;

/// The bandwidth of the cache that multiprocessors share, as a multiple of that of memory.
const CACHE: f64 = 2.5;

/// The bytes of a sector, which is loaded as a whole.
const SECTOR: f64 = 32.0;

/// The threads of a multiprocessor that hide each other's latencies.
const BUSY: f64 = 512.0;

/// Cycles of an iteration of a sequential loop that waits for the one before, and of a thread that has only one.
const ITERATION: f64 = 30.0;
const THREAD: f64 = 1000.0;

/// The sizes that are compared at run time.
const STEPS: [i64; 20] = [
    16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 16384,
];

/// A kernel, as far as it has a price.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(super) parts: Vec<Part>,
    /// The points of a thread along each member that is dealt out; nothing where there is one.
    pub(super) points: Vec<u32>,
    /// Whether warps multiply in matrix instructions.
    pub(super) is_mma: bool,
}

/// A statement of a kernel.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) statement: Tuple,
    /// The functions of the host's loops around the kernel, and of the members that are dealt out.
    pub(super) host: Vec<Row>,
    pub(super) points: Vec<Row>,
    /// The directions of the last members that are dealt out, the last one first.
    pub(super) along: Vec<Row>,
    /// The directions of the loops inside.
    pub(super) sequential: Vec<Row>,
}

/// What takes the time of a host, and what of a device.
pub(crate) struct Prices<'a> {
    /// The host's model of the program.
    pub(crate) host: &'a Model<'a>,
    /// The share of the original's time that the host's plan takes.
    pub(crate) share: f64,
    pub(crate) gpu: &'a Gpu,
    pub(crate) kernels: &'a [Shape],
}

/// The sizes for which a device pays, and how many times as fast it is expected to be at the expected ones, or from there on where it
/// pays; `None` where it never does.
pub(crate) fn profitable_sizes(prices: &Prices<'_>, b: &Budget) -> Outcome<Option<(ProfitableSizes, f64)>> {
    let expected = prices.host.sizes();
    if expected.is_empty() {
        let (host, device) = prices.times(prices.host, b)?;
        return Ok((device <= MARGIN * host).then(|| (ProfitableSizes::all(), host / device)));
    }
    let at = |size: i64| -> Outcome<f64> {
        let all: Vec<(Name, i64)> = expected.iter().map(|(name, _)| (name.clone(), size)).collect();
        let (host, device) = prices.times(&prices.host.at(&all, b)?, b)?;
        log::debug!("sizes {size}: {device:.3e} ns on a device against {host:.3e}");
        Ok(host / device)
    };
    let mut least = None;
    for size in STEPS.into_iter().rev() {
        // Rows of powers of two are slow on a host. Those are not what is compared.
        if at(size + size / 10)? * MARGIN < 1.0 {
            break;
        }
        least = Some(size);
    }
    let Some(least) = least else { return Ok(None) };
    let usual = expected.iter().map(|(_, size)| *size).max().unwrap_or(least);
    let gain = at(usual.max(least + least / 10))?;
    let bounds = expected.into_iter().map(|(name, _)| (name, least)).collect();
    Ok(Some((ProfitableSizes::at_least(bounds), gain)))
}

impl Prices<'_> {
    /// The times of the host and of the device with the sizes of a model.
    fn times(&self, model: &Model<'_>, b: &Budget) -> Outcome<(f64, f64)> {
        let host = model.cost_of_original(b)?.cycles() * self.share / model.target.clock;
        let touched = Touched::of(model);
        let kernels: f64 = self
            .kernels
            .iter()
            .map(|kernel| self.kernel(model, kernel, &touched))
            .sum();
        let copies = (touched.all + touched.written) / (self.gpu.link_bandwidth * PAGEABLE);
        Ok((host, REGION + copies + kernels))
    }

    /// The time of all launches of a kernel.
    fn kernel(&self, model: &Model<'_>, kernel: &Shape, touched: &Touched) -> f64 {
        let launches = kernel.parts.iter().map(|part| part.launches(model)).fold(1.0, f64::max);
        let parts = kernel.parts.iter().map(|part| self.part(model, part, kernel, touched));
        launches * self.gpu.launch * 1000.0 * LAUNCH + parts.sum::<f64>()
    }

    fn part(&self, model: &Model<'_>, part: &Part, kernel: &Shape, touched: &Touched) -> f64 {
        let (gpu, points) = (self.gpu, &kernel.points[..]);
        let lengths = |function: &Row| length(model, &part.statement, function);
        let n = model.statement_of(&part.statement).tuple().n();
        let instances: f64 = (0..n).map(|dim| model.length(&part.statement, dim)).product();
        let launches = part.launches(model);
        let parallel: f64 = part.points.iter().map(lengths).product();
        let sequential = (instances / (launches * parallel).max(1.0)).max(1.0);
        let threads = parallel / f64::from(points.iter().product::<u32>());
        let multiprocessors = f64::from(gpu.multiprocessors);
        let busy = (threads / (multiprocessors * BUSY)).clamp(1e-3, 1.0);
        let work = self.cycles_of_instance(model, part, points, sequential) / if kernel.is_mma { MMA } else { 1.0 };
        let bytes = instances * bytes_of_instance(gpu, model, part, (points, sequential));
        let arithmetic = instances * work / (multiprocessors * gpu.clock * EFFICIENCY);
        let memory = match touched.all > gpu.l2_bytes as f64 {
            true => bytes.min(launches * touched.all).max(touched.all),
            false => touched.all,
        };
        let memory = (bytes / (CACHE * gpu.bandwidth)).max(memory / gpu.bandwidth) / STREAMING;
        let waits = match sequential > 1.0 {
            true => sequential * ITERATION * f64::from(points.iter().copied().max().unwrap_or(1)),
            false => THREAD,
        };
        (arithmetic.max(memory) / busy).max(launches * waits / gpu.clock)
    }

    /// The cycles of a multiprocessor that an instance takes.
    fn cycles_of_instance(&self, model: &Model<'_>, part: &Part, points: &[u32], sequential: f64) -> f64 {
        let statement = model.statement_of(&part.statement);
        let arithmetic: f64 = statement
            .operations
            .iter()
            .map(|operation| self.cycles(operation))
            .sum();
        let accesses = model.statements[&part.statement].accesses.iter();
        let loads = accesses.map(|access| share_of_accesses(access, part, points, sequential));
        arithmetic + loads.sum::<f64>() / f64::from(self.gpu.warp)
    }

    /// The cycles of a multiprocessor that operations take.
    fn cycles(&self, operation: &Operation) -> f64 {
        let wide = matches!(operation.ty, ElementType::Float(bits) if bits > 32);
        let float = if wide {
            self.gpu.fp64_per_cycle
        } else {
            self.gpu.fp32_per_cycle
        };
        use OperationClass as Class;
        let rate = match (operation.class, operation.ty) {
            (Class::Load | Class::Store, _) => return 0.0,
            (Class::Add | Class::Minimum | Class::Multiply, ElementType::Float(_)) => float,
            (Class::Add | Class::Multiply, ElementType::Integer(_)) => self.gpu.fp32_per_cycle / 4.0,
            (Class::Divide | Class::SquareRoot | Class::ErrnoSquareRoot, _) => float / 16.0,
            (Class::Call, _) => float / 64.0,
            (Class::Minimum | Class::Select | Class::Integer, _) => self.gpu.fp32_per_cycle / 2.0,
        };
        f64::from(operation.count) / rate.max(0.5)
    }
}

impl Part {
    /// How often the kernel is launched for it.
    fn launches(&self, model: &Model<'_>) -> f64 {
        let lengths = self
            .host
            .iter()
            .map(|function| length(model, &self.statement, function));
        lengths.product::<f64>().max(1.0)
    }
}

/// How many values a function of a statement's dimensions takes.
fn length(model: &Model<'_>, statement: &Tuple, function: &Row) -> f64 {
    let factors = function.iter().enumerate().filter(|(_, factor)| !factor.is_zero());
    let length =
        |(dim, factor): (usize, &Int)| model.length(statement, dim) * factor.abs().to_i64().unwrap_or(1) as f64;
    factors.map(length).sum::<f64>().max(1.0)
}

/// How much of an access of an instance a thread executes: what stays the same along a member of a register tile is loaded once, and what
/// stays the same along the sequential loops is in a register.
fn share_of_accesses(access: &LinearAccess, part: &Part, points: &[u32], sequential: f64) -> f64 {
    let stays = |along: &Row| access.stride(along) == Stride::Zero;
    let pairs = part.along.iter().zip(points.iter().rev());
    let tiled: f64 = pairs
        .filter(|(along, _)| stays(along))
        .map(|(_, points)| f64::from(*points))
        .product();
    let in_register = !part.sequential.is_empty() && part.sequential.iter().all(stays);
    match in_register {
        true => 1.0 / sequential,
        false => 1.0 / tiled,
    }
}

/// The bytes that leave the caches of multiprocessors for an instance.
fn bytes_of_instance(gpu: &Gpu, model: &Model<'_>, part: &Part, (points, sequential): (&[u32], f64)) -> f64 {
    let accesses = model.statements[&part.statement].accesses.iter();
    let bytes = |access: &LinearAccess| {
        let size = model.program.arrays[&access.array].element_size as f64;
        let along = part.along.first();
        let moved = match along.map(|along| access.stride(along)) {
            Some(Stride::Unit) => size,
            // One for a warp.
            Some(Stride::Zero) => size / f64::from(gpu.warp),
            Some(Stride::Other) | None => SECTOR.max(size),
        };
        // All threads of a block along a member of a register tile share what they load.
        let share = share_of_accesses(access, part, points, sequential);
        match !points.is_empty() && share < 1.0 {
            true => size * share / f64::from(THREADS),
            false => moved * share,
        }
    };
    accesses.map(bytes).sum()
}

/// The bytes of a program's arrays that are accessed.
struct Touched {
    all: f64,
    written: f64,
}

impl Touched {
    fn of(model: &Model<'_>) -> Touched {
        let mut touched = Touched { all: 0.0, written: 0.0 };
        for (array, bytes) in model.sizes_touched(&levels::of_original(model.program)).iter() {
            touched.all += bytes;
            if model.is_written(&model.program.array(array).tuple) {
                touched.written += bytes;
            }
        }
        touched
    }
}
