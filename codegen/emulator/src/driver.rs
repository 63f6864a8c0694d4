//! The calls of CUDA's driver API that the runtime library makes.
//!
//! Handles are numbers from 1 on. Streams are in order: all is done when it is asked for.

use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::{Mutex, PoisonError};

use crate::launch::{CALLS, launch};
use crate::memory::Memory;
use crate::module::Module;

/// The driver's codes.
const SUCCESS: c_int = 0;
const INVALID_VALUE: c_int = 1;
const INVALID_PTX: c_int = 218;
const LAUNCH_FAILED: c_int = 719;

/// The compute capability that it says it has: larger than that of all devices.
const COMPUTE_CAPABILITY: c_int = 99;

/// The state of the driver.
#[derive(Debug, Default)]
struct State {
    memory: Memory,
    /// The pinned memory of the host, by address.
    pinned: BTreeMap<usize, Vec<u8>>,
    modules: Vec<Module>,
    /// The error that spoiled the context.
    spoiled: c_int,
    launches: u64,
}

static STATE: Mutex<Option<State>> = Mutex::new(None);

fn with_state(action: impl FnOnce(&mut State) -> c_int) -> c_int {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    let state = state.get_or_insert_default();
    match state.spoiled {
        SUCCESS => action(state),
        spoiled => spoiled,
    }
}

/// Writes the result of a call.
///
/// # Safety
///
/// There is room for a value.
unsafe fn result<T>(to: *mut T, value: T) -> c_int {
    // SAFETY: that is the contract.
    unsafe { to.write(value) };
    SUCCESS
}

fn handle(number: usize) -> *mut c_void {
    std::ptr::without_provenance_mut(number)
}

/// Starts the driver.
#[unsafe(no_mangle)]
pub extern "C" fn cuInit(_: c_uint) -> c_int {
    SUCCESS
}

/// The number of devices.
///
/// # Safety
///
/// There is room for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetCount(count: *mut c_int) -> c_int {
    // SAFETY: that is the contract.
    unsafe { result(count, 1) }
}

/// The device at a position.
///
/// # Safety
///
/// There is room for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGet(device: *mut c_int, position: c_int) -> c_int {
    // SAFETY: that is the contract.
    unsafe { result(device, position) }
}

/// An attribute of a device.
///
/// # Safety
///
/// There is room for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetAttribute(value: *mut c_int, _: c_int, _: c_int) -> c_int {
    // SAFETY: that is the contract.
    unsafe { result(value, COMPUTE_CAPABILITY) }
}

/// The context of a device.
///
/// # Safety
///
/// There is room for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDevicePrimaryCtxRetain(context: *mut *mut c_void, _: c_int) -> c_int {
    // SAFETY: that is the contract.
    unsafe { result(context, handle(1)) }
}

/// Makes a context the thread's own.
#[unsafe(no_mangle)]
pub extern "C" fn cuCtxPushCurrent_v2(_: *mut c_void) -> c_int {
    SUCCESS
}

/// Gives the thread its context from before back.
///
/// # Safety
///
/// There is room for the other one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuCtxPopCurrent_v2(context: *mut *mut c_void) -> c_int {
    // SAFETY: that is the contract.
    unsafe { result(context, handle(1)) }
}

/// Loads a module.
///
/// # Safety
///
/// There is room for it, and the text ends with a null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleLoadDataEx(
    module: *mut *mut c_void,
    text: *const c_char,
    _: c_uint,
    _: *mut c_int,
    _: *mut *mut c_void,
) -> c_int {
    // SAFETY: that is the contract.
    let text = unsafe { CStr::from_ptr(text) };
    with_state(|state| match Module::of_ptx(text, CALLS) {
        Ok(loaded) => {
            state.modules.push(loaded);
            // SAFETY: that is the contract.
            unsafe { result(module, handle(state.modules.len())) }
        }
        Err(error) => {
            eprintln!("emulator: {error}");
            INVALID_PTX
        }
    })
}

/// The kernel of a module, which has one.
///
/// # Safety
///
/// There is room for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleGetFunction(
    function: *mut *mut c_void,
    module: *mut c_void,
    _: *const c_char,
) -> c_int {
    // SAFETY: that is the contract.
    unsafe { result(function, module) }
}

/// Allocates memory.
///
/// # Safety
///
/// There is room for the address.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemAlloc_v2(address: *mut u64, bytes: usize) -> c_int {
    // SAFETY: that is the contract.
    with_state(|state| unsafe { result(address, state.memory.allocate(bytes) as u64) })
}

/// Frees memory.
#[unsafe(no_mangle)]
pub extern "C" fn cuMemFree_v2(address: u64) -> c_int {
    with_state(|state| match state.memory.free(address as usize) {
        true => SUCCESS,
        false => INVALID_VALUE,
    })
}

/// Allocates pinned memory of the host, with garbage in it.
///
/// # Safety
///
/// There is room for the address.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemHostAlloc(first: *mut *mut c_void, bytes: usize, _: c_uint) -> c_int {
    with_state(|state| {
        let mut memory = vec![0x5A; bytes];
        let allocated = memory.as_mut_ptr();
        state.pinned.insert(allocated.addr(), memory);
        // SAFETY: that is the contract.
        unsafe { result(first, allocated.cast()) }
    })
}

/// Frees pinned memory.
#[unsafe(no_mangle)]
pub extern "C" fn cuMemFreeHost(first: *mut c_void) -> c_int {
    with_state(|state| match state.pinned.remove(&first.addr()) {
        Some(_) => SUCCESS,
        None => INVALID_VALUE,
    })
}

/// Copies, where so many bytes of the device are in one allocation.
///
/// # Safety
///
/// The bytes of the host may be accessed.
unsafe fn copy(to: *mut u8, from: *const u8, bytes: usize, device: usize) -> c_int {
    with_state(|state| match state.memory.contains(device, bytes) {
        true => {
            // SAFETY: both are as large: that of the host by the contract, that of the device as was asked.
            unsafe { std::ptr::copy_nonoverlapping(from, to, bytes) };
            SUCCESS
        }
        false => INVALID_VALUE,
    })
}

/// Copies from the host.
///
/// # Safety
///
/// There are as many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyHtoDAsync_v2(to: u64, from: *const u8, bytes: usize, _: *mut c_void) -> c_int {
    let device = to as usize;
    // SAFETY: that is the contract.
    unsafe { copy(std::ptr::with_exposed_provenance_mut(device), from, bytes, device) }
}

/// Copies to the host.
///
/// # Safety
///
/// There is room for as many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyDtoHAsync_v2(to: *mut u8, from: u64, bytes: usize, _: *mut c_void) -> c_int {
    let device = from as usize;
    // SAFETY: that is the contract.
    unsafe { copy(to, std::ptr::with_exposed_provenance(device), bytes, device) }
}

/// Makes a stream.
///
/// # Safety
///
/// There is room for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamCreate(stream: *mut *mut c_void, _: c_uint) -> c_int {
    // SAFETY: that is the contract.
    unsafe { result(stream, handle(1)) }
}

/// Waits for a stream.
#[unsafe(no_mangle)]
pub extern "C" fn cuStreamSynchronize(_: *mut c_void) -> c_int {
    with_state(|_| SUCCESS)
}

/// Launches a kernel.
///
/// # Safety
///
/// There is an argument of its type for each parameter of the kernel.
#[allow(clippy::too_many_arguments, reason = "CUDA's driver API has so many")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuLaunchKernel(
    function: *mut c_void,
    grid_x: c_uint,
    grid_y: c_uint,
    grid_z: c_uint,
    block_x: c_uint,
    block_y: c_uint,
    block_z: c_uint,
    _: c_uint,
    _: *mut c_void,
    arguments: *mut *mut c_void,
    _: *mut *mut c_void,
) -> c_int {
    let (grid, block) = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]);
    if grid.contains(&0) || block.contains(&0) {
        return INVALID_VALUE;
    }
    with_state(|state| {
        let Some(module) = function
            .addr()
            .checked_sub(1)
            .and_then(|number| state.modules.get(number))
        else {
            return INVALID_VALUE;
        };
        state.launches += 1;
        let seed = state.launches.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // SAFETY: the arguments are those of the kernel by the contract, and the state is ours alone.
        match unsafe { launch(module, &mut state.memory, (grid, block), arguments, seed) } {
            Ok(()) => SUCCESS,
            Err(why) => {
                eprintln!("emulator: {why}");
                state.spoiled = LAUNCH_FAILED;
                SUCCESS
            }
        }
    })
}
