//! The library that compiled programs call to run kernels on a GPU: `libfarkas_runtime.so`, with a C interface.
//!
//! # Offloading a region
//!
//! A region is a piece of the program with kernels in it. The program has two versions of it, one for the CPU and one that
//! makes these calls:
//!
//! ```c
//! void *region = farkas_gpu_begin(1);
//! uint64_t a = farkas_gpu_array(region, host_a, bytes, IN | OUT);
//! for (uint64_t t = 0; t < steps; t++) {
//!   const uint32_t sizes[6] = {grid_x, grid_y, grid_z, block_x, block_y, block_z};
//!   void *arguments[] = {&a, &n};
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
//! | `WHOLE` | 4 | kernels write each byte of it |
//!
//! Only the result of `farkas_gpu_end` counts. A call that fails makes the region fail, and later calls for a region that failed do
//! nothing. A null region is one that failed: `farkas_gpu_begin` returns it where there is no GPU.
//!
//! # Invariants
//!
//! - **Right or untouched.** Unless `farkas_gpu_end` returns 0, no byte of the host's arrays was changed, and the CPU version may run.
//!   Results are copied to buffers of ours first, and to the host's arrays when nothing can fail any more.
//! - **Nothing but what kernels wrote is written.** Other threads may use the bytes beside it. Where an array is not written as a whole,
//!   only bytes that kernels changed are copied.
//! - **Nothing ends the process.** All failures are values. A panic, which would be a bug, is caught at the interface. Memory that may be
//!   large is asked for in a way that can fail.
//! - **A broken device is left alone.** After an error of which a context does not recover, all regions run on
//!   the CPU.
//! - **Any thread may call.** Each region has a stream of its own. A region belongs to the thread that began it.
//!
//! Environment variables choose the device, and turn on the log and timings: see `settings.rs`.

#![warn(unsafe_op_in_unsafe_fn)]

mod buffers;
mod device;
mod driver;
mod failure;
mod log;
mod modules;
mod region;
mod settings;
#[cfg(test)]
mod tests;

use std::ffi::{CStr, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::OnceLock;

use device::Device;
use driver::{Driver, LaunchSizes};
use failure::Failure;
use log::Log;
use region::{HostArray, Region, Transfer};
use settings::Settings;

/// The version of this interface. Programs say which one they were compiled for.
const VERSION: c_int = 1;

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
/// # Safety
///
/// `region` is from `farkas_gpu_begin`, and was not ended. The bytes stay readable until it is, and writable if there is
/// `OUT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn farkas_gpu_array(region: *mut c_void, host: *mut c_void, bytes: u64, transfer: u32) -> u64 {
    // SAFETY: by the contract the pointer is null or a region that nobody else uses.
    let Some(region) = (unsafe { region.cast::<Region<'static>>().as_mut() }) else {
        return 0;
    };
    let added = catch_unwind(AssertUnwindSafe(|| {
        let Ok(bytes) = usize::try_from(bytes) else {
            region.fail(Failure::TooLarge);
            return 0;
        };
        // SAFETY: by the contract the bytes stay where they are until the region ends.
        let array = unsafe { HostArray::new(host.cast(), bytes) };
        region.array(array, Transfer(transfer))
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
