//! A driver that stands in for NVIDIA's: the device's memory is the host's, and kernels are functions of ours, by name.
//!
//! Copies from and to pinned memory are made as late as possible: when the stream is waited for, or a kernel begins. So memory that is used
//! again too early has wrong bytes, and memory that is freed too early is an error.
//!
//! It fails on demand. A copy that fails has copied half of its bytes.

use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::driver::{Address, Driver, Functions, Handle, LaunchSizes};

/// The code of an error in a kernel, after which all calls return it.
const LAUNCH_FAILED: c_int = 719;

/// The code of an access outside of what is allocated, which is such an error, too.
const ILLEGAL_ADDRESS: c_int = 700;

/// A call that fails.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fault {
    pub(super) call: &'static str,
    /// How many calls of this name go well before it.
    pub(super) after: usize,
    pub(super) code: c_int,
}

/// The state of the driver.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) fault: Option<Fault>,
    /// How often each function was called.
    pub(super) calls: BTreeMap<&'static str, usize>,
    /// What is allocated, by address.
    pub(super) memory: BTreeMap<u64, Vec<u8>>,
    /// How many bytes may be allocated.
    pub(super) limit: Option<usize>,
    /// The pinned memory of the host, by address.
    pub(super) pinned: BTreeMap<u64, Vec<u8>>,
    /// How many bytes may be pinned.
    pub(super) pinned_limit: Option<usize>,
    /// The copies that are still to be made.
    pending: Vec<Copy>,
    streams: usize,
    /// The error that spoiled the context.
    spoiled: c_int,
    /// What each launch had: the kernel's name and its sizes.
    pub(super) launches: Vec<(String, LaunchSizes)>,
    /// The texts of the modules that were loaded, and the names of the kernels.
    modules: Vec<String>,
    kernels: Vec<String>,
}

/// A copy that was asked for.
#[derive(Clone, Copy, Debug)]
struct Copy {
    host: u64,
    device: Address,
    bytes: usize,
    is_in: bool,
    stream: Handle,
}

impl State {
    /// Makes a copy.
    ///
    /// # Safety
    ///
    /// The bytes of the host may be accessed.
    unsafe fn copy(&mut self, copy: Copy) -> Result<(), c_int> {
        let device = within(&mut self.memory, copy.device.0, copy.bytes)?;
        let host = std::ptr::with_exposed_provenance_mut::<u8>(copy.host as usize);
        // SAFETY: by the contract there are as many bytes.
        unsafe {
            match copy.is_in {
                true => host.copy_to_nonoverlapping(device.as_mut_ptr(), copy.bytes),
                false => host.copy_from_nonoverlapping(device.as_ptr(), copy.bytes),
            }
        }
        Ok(())
    }

    /// Makes the copies that a stream still has to make.
    fn flush(&mut self, stream: Handle) -> Result<(), c_int> {
        let (own, others) = std::mem::take(&mut self.pending)
            .into_iter()
            .partition(|copy| copy.stream == stream);
        self.pending = others;
        let own: Vec<Copy> = own;
        for copy in own {
            if within(&mut self.pinned, copy.host, copy.bytes).is_err() {
                self.spoiled = ILLEGAL_ADDRESS;
                return Err(ILLEGAL_ADDRESS);
            }
            // SAFETY: the bytes are still pinned.
            unsafe { self.copy(copy) }?;
        }
        Ok(())
    }

    /// Makes a copy, or remembers it if the host's memory is pinned.
    ///
    /// # Safety
    ///
    /// The bytes of the host may be accessed.
    unsafe fn ask_for(&mut self, copy: Copy) -> Result<(), c_int> {
        if within(&mut self.pinned, copy.host, copy.bytes).is_ok() {
            self.pending.push(copy);
            return Ok(());
        }
        self.flush(copy.stream)?;
        // SAFETY: that is the contract.
        unsafe { self.copy(copy) }
    }
}

static STATE: Mutex<Option<State>> = Mutex::new(None);

/// One test at a time has the driver.
static IN_USE: Mutex<()> = Mutex::new(());

/// The driver, for one test.
pub(super) struct StandIn {
    _own: MutexGuard<'static, ()>,
}

impl StandIn {
    pub(super) fn new(fault: Option<Fault>) -> StandIn {
        let own = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
        *STATE.lock().unwrap_or_else(PoisonError::into_inner) = Some(State {
            fault,
            ..State::default()
        });
        StandIn { _own: own }
    }

    pub(super) fn driver(&self) -> Driver {
        // SAFETY: the functions below do what CUDA's driver API says, as far as it is used.
        unsafe { Driver::with_functions(FUNCTIONS) }
    }

    pub(super) fn state<T>(&self, look: impl FnOnce(&mut State) -> T) -> T {
        let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
        look(state.as_mut().expect("a test has the driver"))
    }

    pub(super) fn calls(&self, call: &str) -> usize {
        self.state(|state| state.calls.get(call).copied().unwrap_or(0))
    }
}

/// A call: what it does, unless it is to fail. `half` is what it does then.
fn call(
    name: &'static str,
    half: impl FnOnce(&mut State),
    action: impl FnOnce(&mut State) -> Result<(), c_int>,
) -> c_int {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    let state = state.as_mut().expect("a test has the driver");
    let calls = state.calls.entry(name).or_default();
    *calls += 1;
    if let Some(fault) = state.fault
        && fault.call == name
        && *calls == fault.after + 1
    {
        half(state);
        return fault.code;
    }
    // A context that is spoiled can still be made the thread's own.
    if state.spoiled != 0 && !name.starts_with("cuCtx") {
        return state.spoiled;
    }
    action(state).err().unwrap_or(0)
}

/// A call whose result is written to `to`, unless it is to fail.
///
/// # Safety
///
/// There is room for a value.
unsafe fn result<T>(name: &'static str, to: *mut T, value: impl FnOnce(&mut State) -> Result<T, c_int>) -> c_int {
    let set = |state: &mut State| {
        let value = value(state)?;
        // SAFETY: that is the contract.
        unsafe { to.write(value) };
        Ok(())
    };
    call(name, |_| {}, set)
}

/// The bytes of an allocation from an address on.
fn within(memory: &mut BTreeMap<u64, Vec<u8>>, address: u64, bytes: usize) -> Result<&mut [u8], c_int> {
    let (start, allocation) = memory.range_mut(..=address).next_back().ok_or(1)?;
    let first = usize::try_from(address - start).map_err(|_| 1)?;
    allocation.get_mut(first..first.saturating_add(bytes)).ok_or(1)
}

fn number(position: usize) -> Handle {
    Handle(std::ptr::without_provenance_mut(position + 1))
}

fn position(handle: Handle) -> usize {
    handle.0.addr() - 1
}

const FUNCTIONS: Functions = {
    unsafe extern "C" fn init(_: c_uint) -> c_int {
        call("cuInit", |_| {}, |_| Ok(()))
    }
    unsafe extern "C" fn device_count(count: *mut c_int) -> c_int {
        // SAFETY: by the API the pointer is to an integer, as those below.
        unsafe { result("cuDeviceGetCount", count, |_| Ok(2)) }
    }
    unsafe extern "C" fn device(device: *mut c_int, position: c_int) -> c_int {
        // SAFETY: as above.
        unsafe { result("cuDeviceGet", device, |_| Ok(position)) }
    }
    unsafe extern "C" fn device_attribute(value: *mut c_int, attribute: c_int, _: c_int) -> c_int {
        // SAFETY: as above.
        unsafe {
            result("cuDeviceGetAttribute", value, |_| {
                Ok(if attribute == 75 { 9 } else { 0 })
            })
        }
    }
    unsafe extern "C" fn retain_context(context: *mut Handle, _: c_int) -> c_int {
        // SAFETY: as above.
        unsafe { result("cuDevicePrimaryCtxRetain", context, |_| Ok(number(0))) }
    }
    unsafe extern "C" fn push_context(_: Handle) -> c_int {
        call("cuCtxPushCurrent_v2", |_| {}, |_| Ok(()))
    }
    unsafe extern "C" fn pop_context(context: *mut Handle) -> c_int {
        // SAFETY: as above.
        unsafe { result("cuCtxPopCurrent_v2", context, |_| Ok(number(0))) }
    }
    unsafe extern "C" fn load_module(
        module: *mut Handle,
        text: *const c_void,
        _: c_uint,
        _: *mut c_int,
        _: *mut *mut c_void,
    ) -> c_int {
        // SAFETY: the text ends with a null.
        let text = unsafe { CStr::from_ptr(text.cast()) }.to_string_lossy().into_owned();
        let load = |state: &mut State| {
            if !text.starts_with(".version") {
                return Err(218);
            }
            state.modules.push(text);
            Ok(number(state.modules.len() - 1))
        };
        // SAFETY: as above.
        unsafe { result("cuModuleLoadDataEx", module, load) }
    }
    unsafe extern "C" fn function(function: *mut Handle, module: Handle, name: *const c_char) -> c_int {
        // SAFETY: the name ends with a null.
        let name = unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned();
        let find = |state: &mut State| {
            if !state.modules[position(module)].contains(&name) {
                return Err(500);
            }
            state.kernels.push(name);
            Ok(number(state.kernels.len() - 1))
        };
        // SAFETY: as above.
        unsafe { result("cuModuleGetFunction", function, find) }
    }
    unsafe extern "C" fn allocate(address: *mut Address, bytes: usize) -> c_int {
        let allocate = |state: &mut State| {
            let used: usize = state.memory.values().map(Vec::len).sum();
            if state.limit.is_some_and(|limit| used + bytes > limit) {
                return Err(2);
            }
            let memory = vec![0xA5; bytes];
            let start = memory.as_ptr().addr() as u64;
            state.memory.insert(start, memory);
            Ok(Address(start))
        };
        // SAFETY: as above.
        unsafe { result("cuMemAlloc_v2", address, allocate) }
    }
    unsafe extern "C" fn free(address: Address) -> c_int {
        let free = |state: &mut State| state.memory.remove(&address.0).map(|_| ()).ok_or(1);
        call("cuMemFree_v2", |_| {}, free)
    }
    unsafe extern "C" fn allocate_host(first: *mut *mut c_void, bytes: usize, _: c_uint) -> c_int {
        let allocate = |state: &mut State| {
            let used: usize = state.pinned.values().map(Vec::len).sum();
            if state.pinned_limit.is_some_and(|limit| used + bytes > limit) {
                return Err(2);
            }
            let mut memory = vec![0x5A; bytes];
            let first = memory.as_mut_ptr();
            state.pinned.insert(first.expose_provenance() as u64, memory);
            Ok(first.cast())
        };
        // SAFETY: as above.
        unsafe { result("cuMemHostAlloc", first, allocate) }
    }
    unsafe extern "C" fn free_host(first: *mut c_void) -> c_int {
        let free = |state: &mut State| state.pinned.remove(&(first.addr() as u64)).map(|_| ()).ok_or(1);
        call("cuMemFreeHost", |_| {}, free)
    }
    /// A copy, half of which is made if it is to fail.
    ///
    /// # Safety
    ///
    /// The bytes of the host may be accessed.
    unsafe fn copy(name: &'static str, copy: Copy) -> c_int {
        let half = |state: &mut State| {
            let _ = state.flush(copy.stream);
            let bytes = copy.bytes / 2;
            // SAFETY: that is the contract.
            let _ = unsafe { state.copy(Copy { bytes, ..copy }) };
        };
        // SAFETY: that is the contract.
        call(name, half, |state| unsafe { state.ask_for(copy) })
    }
    unsafe extern "C" fn copy_in(device: Address, from: *const c_void, bytes: usize, stream: Handle) -> c_int {
        let wanted = Copy {
            host: from.expose_provenance() as u64,
            device,
            bytes,
            is_in: true,
            stream,
        };
        // SAFETY: by the API there are as many bytes.
        unsafe { copy("cuMemcpyHtoDAsync_v2", wanted) }
    }
    unsafe extern "C" fn copy_out(to: *mut c_void, device: Address, bytes: usize, stream: Handle) -> c_int {
        let wanted = Copy {
            host: to.expose_provenance() as u64,
            device,
            bytes,
            is_in: false,
            stream,
        };
        // SAFETY: by the API there is room for as many bytes.
        unsafe { copy("cuMemcpyDtoHAsync_v2", wanted) }
    }
    unsafe extern "C" fn create_stream(stream: *mut Handle, _: c_uint) -> c_int {
        let create = |state: &mut State| {
            state.streams += 1;
            Ok(number(state.streams))
        };
        // SAFETY: as above.
        unsafe { result("cuStreamCreate", stream, create) }
    }
    unsafe extern "C" fn synchronize(stream: Handle) -> c_int {
        call("cuStreamSynchronize", |_| {}, |state| state.flush(stream))
    }
    #[allow(clippy::too_many_arguments, reason = "CUDA's driver API has so many")]
    unsafe extern "C" fn launch(
        function: Handle,
        gx: c_uint,
        gy: c_uint,
        gz: c_uint,
        bx: c_uint,
        by: c_uint,
        bz: c_uint,
        _: c_uint,
        stream: Handle,
        arguments: *mut *mut c_void,
        _: *mut *mut c_void,
    ) -> c_int {
        let launch = |state: &mut State| {
            state.flush(stream)?;
            let name = state.kernels[position(function)].clone();
            let sizes = LaunchSizes {
                grid: [gx, gy, gz],
                block: [bx, by, bz],
            };
            let threads = u64::from(gx) * u64::from(bx);
            // SAFETY: both kernels have two arguments of 64 bits.
            let argument = |position: usize| unsafe { (*arguments.add(position)).cast::<u64>().read() };
            kernel(state, &name, threads, argument);
            state.launches.push((name, sizes));
            Ok(())
        };
        call("cuLaunchKernel", |_| {}, launch)
    }
    Functions {
        init,
        device_count,
        device,
        device_attribute,
        retain_context,
        push_context,
        pop_context,
        load_module,
        function,
        allocate,
        free,
        allocate_host,
        free_host,
        copy_in,
        copy_out,
        create_stream,
        synchronize,
        launch,
    }
};

/// The kernels, of so many threads: `double` doubles every other element of its first argument, `copy` copies its first
/// argument to its second one, `spoil` has an error.
fn kernel(state: &mut State, name: &str, threads: u64, argument: impl Fn(usize) -> u64) {
    let State { memory, spoiled, .. } = state;
    let mut element = |array: u64, position: u64, set: Option<i32>| -> i32 {
        let Ok(bytes) = within(memory, array + 4 * position, 4) else {
            *spoiled = ILLEGAL_ADDRESS;
            return 0;
        };
        if let Some(value) = set {
            bytes.copy_from_slice(&value.to_ne_bytes());
        }
        i32::from_ne_bytes(bytes.try_into().expect("four bytes"))
    };
    match name {
        "double" => (0..threads).for_each(|thread| {
            let value = element(argument(0), 2 * thread, None);
            element(argument(0), 2 * thread, Some(2 * value));
        }),
        "copy" => (0..threads).for_each(|thread| {
            let value = element(argument(0), thread, None);
            element(argument(1), thread, Some(value));
        }),
        _ => *spoiled = LAUNCH_FAILED,
    }
}
