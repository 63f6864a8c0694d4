//! The library that compiled programs call to run kernels on a GPU: `libfarkas_runtime.so`, with a C interface.
//!
//! # Offloading a region
//!
//! A region is a piece of the program with kernels in it. The program has two versions of it, one for the CPU and one that
//! makes these calls:
//!
//! ```c
//! void *region = farkas_gpu_begin(2);
//! uint64_t a = farkas_gpu_array(region, host_a, 8 * n * n, sizeof(double), IN | OUT, NULL);
//! const uint64_t written[] = {8, 2, n, 8 * n, 8 * (n - 2), 1};
//! uint64_t b = farkas_gpu_array(region, host_b, 8 * n * n, sizeof(double), OUT, written);
//! for (uint64_t t = 0; t < steps; t++) {
//!   const uint32_t sizes[6] = {grid_x, grid_y, grid_z, block_x, block_y, block_z};
//!   void *arguments[] = {&a, &b, &n};
//!   farkas_gpu_launch(region, ptx, "kernel", sizes, arguments);
//! }
//! if (farkas_gpu_end(region) != 0)
//!   ... the CPU version ...
//! ```
//!
//! | transfer | value | meaning |
//! |---|---|---|
//! | `IN` | 1 | kernels may read bytes that none of them wrote before |
//! | `OUT` | 2 | kernels may write the array |
//!
//! `written` says more of an array with `OUT`: kernels write each byte of a box, and nothing else of the array. The list has the box's
//! distance in bytes from the array's first byte, its number of dimensions, and for each dimension, outermost first, how often it
//! repeats what is inside, and at which distance in bytes. The innermost dimension is a row of contiguous bytes: their number, and 1. In the
//! example, kernels write all rows of an `n` x `n` matrix but for the first and the last column. `{0, 1, bytes, 1}` is the whole
//! array. Where a number of repetitions is 0, kernels write nothing. A box that is not within its array makes the region fail.
//!
//! Where `written` is null, kernels may write any elements. Those are found by comparison with what they were, so that the array is copied
//! in even if there is no `IN`. A box takes no comparison, and without `IN` no copy in.
//!
//! Only the result of `farkas_gpu_end` counts. A call that fails makes the region fail, and later calls for a region that failed do
//! nothing. A null region is one that failed: `farkas_gpu_begin` returns it where there is no GPU.
//!
//! # Invariants
//!
//! - **Right or untouched.** Unless `farkas_gpu_end` returns 0, no byte of the host's arrays was changed, and the CPU version may run.
//!   Results are copied to buffers of ours first, and to the host's arrays when nothing can fail any more.
//! - **Nothing but what kernels wrote is written.** Other threads may use the bytes beside it. Only boxes in which kernels write all bytes are
//!   copied, and elements that kernels changed.
//! - **Nothing ends the process.** All failures are values. A panic, which would be a bug, is caught at the interface. Memory that may be
//!   large is asked for in a way that can fail. Memory that cannot be pinned, and a thread that cannot be started, only cost time.
//! - **A broken device is left alone.** After an error of which a context does not recover, all regions run on
//!   the CPU.
//! - **Any thread may call.** Each region has a stream of its own. A region belongs to the thread that began it.
//!
//! Memory is kept for later regions: on the device, and up to 1 GiB of pinned memory on the host (`pinned.rs`).
//!
//! Environment variables choose the device, and turn on the log and timings: see `settings.rs`.

#![warn(unsafe_op_in_unsafe_fn)]

mod array;
mod buffers;
mod byte_box;
mod device;
mod driver;
mod failure;
mod log;
mod modules;
mod pinned;
mod pool;
mod region;
mod settings;
#[cfg(test)]
mod tests;
mod workers;
mod write_back;

use std::ffi::{CStr, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::OnceLock;

use array::{HostArray, Transfer};
use byte_box::BoxShape;
use device::Device;
use driver::{Driver, LaunchSizes};
use failure::Failure;
use log::Log;
use region::Region;
use settings::Settings;

/// The version of this interface. Programs say which one they were compiled for.
const VERSION: c_int = 2;

/// What `farkas_gpu_end` returns where the CPU version has to run.
const RUN_ON_CPU: c_int = 1;

/// The device of the process, opened by the first region; `None` if there is none.
fn device() -> Option<&'static Device> {
    static DEVICE: OnceLock<Option<Device>> = OnceLock::new();
    let open = || {
        let settings = Settings::from_environment();
        let log = Log::new(settings.log);
        let opened = match settings.is_off {
            true => Err(Failure::Off),
            false => Driver::load().and_then(|driver| Device::open(driver, &settings, log.clone())),
        };
        opened
            .inspect_err(|failure| log.line(&format!("no GPU is used: {failure}")))
            .ok()
    };
    DEVICE.get_or_init(open).as_ref()
}

/// Begins a region. Returns null where there is no GPU to use, or the version is another one.
#[unsafe(no_mangle)]
pub extern "C" fn farkas_gpu_begin(version: c_int) -> *mut c_void {
    let begun = catch_unwind(|| match version {
        VERSION => Region::begin(device()?),
        _ => None,
    });
    match begun.ok().flatten() {
        Some(region) => Box::into_raw(Box::new(region)).cast(),
        None => ptr::null_mut(),
    }
}

/// Gives the region's kernels an array of the host, of `bytes` bytes from `host` on. Returns the address that these bytes have on the
/// device, or 0 where the region failed. `transfer` is a sum of those above.
///
/// The array begins at an element of `element_bytes` bytes, and kernels write whole elements. 0 means that nothing is known of elements:
/// kernels write bytes. `written` is null, or the box that kernels write, as above.
///
/// # Safety
///
/// `region` is from `farkas_gpu_begin`, and was not ended. The bytes stay readable until it is, and writable if there is
/// `OUT`. `written` has as many numbers as its number of dimensions says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farkas_gpu_array(
    region: *mut c_void,
    host: *mut c_void,
    bytes: u64,
    element_bytes: u32,
    transfer: u32,
    written: *const u64,
) -> u64 {
    // SAFETY: by the contract the pointer is null or a region that nobody else uses.
    let Some(region) = (unsafe { region.cast::<Region<'static>>().as_mut() }) else {
        return 0;
    };
    let added = catch_unwind(AssertUnwindSafe(|| {
        let Ok(bytes) = usize::try_from(bytes) else {
            region.fail(Failure::TooLarge);
            return 0;
        };
        // SAFETY: by the contract there are as many numbers as is said.
        let written = (!written.is_null()).then(|| unsafe { BoxShape::read(written) });
        let Ok(written) = written.transpose().map_err(|failure| region.fail(failure)) else {
            return 0;
        };
        // SAFETY: by the contract the bytes stay where they are until the region ends.
        let array = unsafe { HostArray::new(host.cast(), bytes) };
        region.array(array, Transfer(transfer), element_bytes as usize, written)
    }));
    added.unwrap_or_else(|_| {
        region.fail(Failure::Panic);
        0
    })
}

/// Launches the kernel `name` of a module in PTX. `sizes` has the blocks of the grid in x, y and z, and the threads of a block.
/// `arguments` points to each argument of the kernel.
///
/// # Safety
///
/// `region` is from `farkas_gpu_begin`, and was not ended. `ptx` and `name` end with a null. `sizes` has six numbers. `arguments` has as
/// many pointers as the kernel has parameters, each to a value of its type. What the kernel accesses is in arrays of the region.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farkas_gpu_launch(
    region: *mut c_void,
    ptx: *const c_char,
    name: *const c_char,
    sizes: *const u32,
    arguments: *mut *mut c_void,
) {
    // SAFETY: by the contract the pointer is null or a region that nobody else uses.
    let Some(region) = (unsafe { region.cast::<Region<'static>>().as_mut() }) else {
        return;
    };
    let launched = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: by the contract both texts end with a null, and there are six numbers.
        let (ptx, name, sizes) = unsafe { (CStr::from_ptr(ptx), CStr::from_ptr(name), *sizes.cast::<LaunchSizes>()) };
        // SAFETY: by the contract there is an argument for each parameter.
        unsafe { region.launch(ptx, name, sizes, arguments) }
    }));
    if launched.is_err() {
        region.fail(Failure::Panic);
    }
}

/// Waits for the region's kernels and copies their results to the host's arrays. Returns 0 if these are there; otherwise the arrays are
/// as they were, and the CPU version has to run. The region is no more after that.
///
/// # Safety
///
/// `region` is from `farkas_gpu_begin`, and was not ended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farkas_gpu_end(region: *mut c_void) -> c_int {
    if region.is_null() {
        return RUN_ON_CPU;
    }
    // SAFETY: by the contract the pointer is from `Box::into_raw`, and nobody uses it any more.
    let region = unsafe { Box::from_raw(region.cast::<Region<'static>>()) };
    match catch_unwind(AssertUnwindSafe(|| region.end())) {
        Ok(true) => 0,
        Ok(false) | Err(_) => RUN_ON_CPU,
    }
}
