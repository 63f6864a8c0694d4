//! NVIDIA's driver: the functions of `libcuda.so.1` that are used, by their types in CUDA's driver API.
//!
//! The library is loaded when the first region begins, and never unloaded. Where it is missing, or misses a function, there is no GPU.
//! Methods return the driver's errors as [`Failure::Call`], with the function's name.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr::{self, NonNull};

use crate::failure::Failure;

/// A handle of the driver's that we only hand back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Handle(pub(crate) *mut c_void);

// SAFETY: handles name objects of the driver, which any thread may use.
unsafe impl Send for Handle {}
// SAFETY: as above; there is nothing to be changed through a handle on our side.
unsafe impl Sync for Handle {}

/// An address in the device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Address(pub(crate) u64);

impl Address {
    /// The address so many bytes behind.
    pub(crate) fn at(self, bytes: usize) -> Address {
        Address(self.0 + bytes as u64)
    }
}

/// How many blocks and threads a launch has, each in x, y and z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct LaunchSizes {
    /// The blocks of the grid.
    pub(crate) grid: [u32; 3],
    /// The threads of a block.
    pub(crate) block: [u32; 3],
}

/// Declares the functions, and how they are found.
macro_rules! functions {
    ($($field:ident = $symbol:literal ($($parameter:ty),*);)*) => {
        /// The driver's functions.
        #[derive(Clone, Copy)]
        pub(crate) struct Functions {
            $(pub(crate) $field: unsafe extern "C" fn($($parameter),*) -> c_int,)*
        }

        /// The names of the functions, in the library.
        #[cfg(test)]
        pub(crate) const NAMES: &[&str] = &[$($symbol),*];

        impl Functions {
            /// Finds all functions in the library.
            ///
            /// # Safety
            ///
            /// The library's functions of these names have the types that CUDA's driver API gives them.
            unsafe fn find(library: &libloading::Library) -> Result<Functions, libloading::Error> {
                Ok(Functions {
                    // SAFETY: by the contract the function has this type; the library stays loaded.
                    $($field: *unsafe { library.get($symbol.as_bytes()) }?,)*
                })
            }
        }
    };
}

functions! {
    init = "cuInit"(c_uint);
    device_count = "cuDeviceGetCount"(*mut c_int);
    device = "cuDeviceGet"(*mut c_int, c_int);
    device_attribute = "cuDeviceGetAttribute"(*mut c_int, c_int, c_int);
    retain_context = "cuDevicePrimaryCtxRetain"(*mut Handle, c_int);
    push_context = "cuCtxPushCurrent_v2"(Handle);
    pop_context = "cuCtxPopCurrent_v2"(*mut Handle);
    load_module = "cuModuleLoadDataEx"(*mut Handle, *const c_void, c_uint, *mut c_int, *mut *mut c_void);
    function = "cuModuleGetFunction"(*mut Handle, Handle, *const c_char);
    allocate = "cuMemAlloc_v2"(*mut Address, usize);
    free = "cuMemFree_v2"(Address);
    allocate_host = "cuMemHostAlloc"(*mut *mut c_void, usize, c_uint);
    free_host = "cuMemFreeHost"(*mut c_void);
    copy_in = "cuMemcpyHtoDAsync_v2"(Address, *const c_void, usize, Handle);
    copy_out = "cuMemcpyDtoHAsync_v2"(*mut c_void, Address, usize, Handle);
    create_stream = "cuStreamCreate"(*mut Handle, c_uint);
    synchronize = "cuStreamSynchronize"(Handle);
    launch = "cuLaunchKernel"(Handle, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Handle, *mut *mut c_void, *mut *mut c_void);
}

/// A stream that does not wait for the default one.
const NON_BLOCKING: c_uint = 1;

/// The attributes of a device for its compute capability: major and minor number.
const COMPUTE_CAPABILITY: [c_int; 2] = [75, 76];

/// Options of loading a module: where the messages of the driver's assembler go, and how many bytes there are for them.
const ERROR_LOG: [c_int; 2] = [5, 6];

/// The bytes for messages of the driver's assembler.
const ERROR_LOG_BYTES: usize = 4096;

/// The driver.
#[derive(Clone, Copy)]
pub(crate) struct Driver {
    functions: Functions,
}

/// The result of a call.
fn check(call: &'static str, code: c_int) -> Result<(), Failure> {
    match code {
        0 => Ok(()),
        _ => Err(Failure::Call { call, code }),
    }
}

impl Driver {
    /// Loads the driver.
    pub(crate) fn load() -> Result<Driver, Failure> {
        let missing = |error: libloading::Error| Failure::NoDriver(error.to_string());
        // SAFETY: the library of this name is NVIDIA's driver, or one that stands in for it; its initializers may run any time.
        let library = unsafe { libloading::Library::new("libcuda.so.1") }.map_err(missing)?;
        // SAFETY: these are functions of CUDA's driver API, whose types never change under one name.
        let functions = unsafe { Functions::find(&library) }.map_err(missing)?;
        // Never unloaded: the driver has threads of its own.
        std::mem::forget(library);
        Ok(Driver { functions })
    }

    /// The driver that has these functions.
    ///
    /// # Safety
    ///
    /// The functions do what CUDA's driver API says.
    #[cfg(test)]
    pub(crate) unsafe fn with_functions(functions: Functions) -> Driver {
        Driver { functions }
    }

    /// Starts the driver.
    pub(crate) fn init(&self) -> Result<(), Failure> {
        // SAFETY: any thread may call it any time.
        check("cuInit", unsafe { (self.functions.init)(0) })
    }

    /// The number of devices.
    pub(crate) fn device_count(&self) -> Result<c_int, Failure> {
        let mut count = 0;
        // SAFETY: the pointer is to an integer of ours.
        check("cuDeviceGetCount", unsafe { (self.functions.device_count)(&mut count) })?;
        Ok(count)
    }

    /// The device at a position.
    pub(crate) fn device(&self, position: c_int) -> Result<c_int, Failure> {
        let mut device = 0;
        // SAFETY: the pointer is to an integer of ours.
        check("cuDeviceGet", unsafe { (self.functions.device)(&mut device, position) })?;
        Ok(device)
    }

    /// The compute capability of a device: major and minor number.
    pub(crate) fn compute_capability(&self, device: c_int) -> Result<[c_int; 2], Failure> {
        let mut numbers = [0; 2];
        for (number, attribute) in numbers.iter_mut().zip(COMPUTE_CAPABILITY) {
            // SAFETY: the pointer is to an integer of ours.
            let code = unsafe { (self.functions.device_attribute)(number, attribute, device) };
            check("cuDeviceGetAttribute", code)?;
        }
        Ok(numbers)
    }

    /// The context of a device that the whole process shares. It is kept until the process ends.
    pub(crate) fn context(&self, device: c_int) -> Result<Handle, Failure> {
        let mut context = Handle(ptr::null_mut());
        // SAFETY: the pointer is to a handle of ours, and the device is the driver's.
        let code = unsafe { (self.functions.retain_context)(&mut context, device) };
        check("cuDevicePrimaryCtxRetain", code)?;
        Ok(context)
    }

    /// Does something with the context as the thread's own one, and gives the thread its own one back.
    pub(crate) fn within<T>(&self, context: Handle, action: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
        // SAFETY: the context is one that the driver gave out, and that is never given back.
        check("cuCtxPushCurrent_v2", unsafe { (self.functions.push_context)(context) })?;
        let result = action();
        let mut popped = Handle(ptr::null_mut());
        // SAFETY: the pointer is to a handle of ours.
        let pop = check("cuCtxPopCurrent_v2", unsafe {
            (self.functions.pop_context)(&mut popped)
        });
        result.and_then(|value| pop.map(|()| value))
    }

    /// Loads a module. The second result is what the driver's assembler says of one that is not loaded. Requires a context, as all
    /// that follow.
    pub(crate) fn load_module(&self, ptx: &CStr) -> Result<Handle, (Failure, String)> {
        let mut module = Handle(ptr::null_mut());
        let mut messages = vec![0_u8; ERROR_LOG_BYTES];
        let mut options = ERROR_LOG;
        // The driver takes numbers as if they were pointers.
        let mut values = [
            messages.as_mut_ptr().cast(),
            ptr::without_provenance_mut(ERROR_LOG_BYTES - 1),
        ];
        // SAFETY: both lists have two elements. The module is a text that ends with a null, and the buffer has the size that is said.
        let code = unsafe {
            let (options, values) = (options.as_mut_ptr(), values.as_mut_ptr());
            (self.functions.load_module)(&mut module, ptx.as_ptr().cast(), 2, options, values)
        };
        check("cuModuleLoadDataEx", code).map_err(|failure| {
            let text = CStr::from_bytes_until_nul(&messages).map(|text| text.to_string_lossy().into_owned());
            (failure, text.unwrap_or_default())
        })?;
        Ok(module)
    }

    /// The kernel of this name in a module.
    pub(crate) fn function(&self, module: Handle, name: &CStr) -> Result<Handle, Failure> {
        let mut function = Handle(ptr::null_mut());
        // SAFETY: the module is loaded, and never unloaded; the name ends with a null.
        let code = unsafe { (self.functions.function)(&mut function, module, name.as_ptr()) };
        check("cuModuleGetFunction", code)?;
        Ok(function)
    }

    /// Allocates so many bytes, of which there is at least one.
    pub(crate) fn allocate(&self, bytes: usize) -> Result<Address, Failure> {
        let mut address = Address(0);
        // SAFETY: the pointer is to an address of ours.
        check("cuMemAlloc_v2", unsafe {
            (self.functions.allocate)(&mut address, bytes)
        })?;
        Ok(address)
    }

    /// Frees what was allocated.
    ///
    /// # Safety
    ///
    /// The address is from [`Driver::allocate`], and nothing uses it any more.
    pub(crate) unsafe fn free(&self, address: Address) -> Result<(), Failure> {
        // SAFETY: that is the contract.
        check("cuMemFree_v2", unsafe { (self.functions.free)(address) })
    }

    /// Allocates so many bytes of the host's memory, of which there is at least one, and pins them: the device accesses them itself.
    pub(crate) fn allocate_host(&self, bytes: usize) -> Result<NonNull<u8>, Failure> {
        let mut first = ptr::null_mut();
        // SAFETY: the pointer is to a pointer of ours.
        let code = unsafe { (self.functions.allocate_host)(&mut first, bytes, 0) };
        check("cuMemHostAlloc", code)?;
        NonNull::new(first.cast()).ok_or(Failure::TooLarge)
    }

    /// Frees memory of the host.
    ///
    /// # Safety
    ///
    /// The memory is from [`Driver::allocate_host`], and nothing uses it any more.
    pub(crate) unsafe fn free_host(&self, first: NonNull<u8>) -> Result<(), Failure> {
        // SAFETY: that is the contract.
        check("cuMemFreeHost", unsafe {
            (self.functions.free_host)(first.as_ptr().cast())
        })
    }

    /// Copies from the host to the device, behind what the stream does before.
    ///
    /// # Safety
    ///
    /// The bytes are readable until the stream was waited for, and there are as many at the address.
    pub(crate) unsafe fn copy_in(
        &self,
        to: Address,
        from: *const u8,
        bytes: usize,
        stream: Handle,
    ) -> Result<(), Failure> {
        // SAFETY: that is the contract.
        let code = unsafe { (self.functions.copy_in)(to, from.cast(), bytes, stream) };
        check("cuMemcpyHtoDAsync_v2", code)
    }

    /// Copies from the device to the host, behind what the stream does before.
    ///
    /// # Safety
    ///
    /// The bytes are ours until the stream was waited for, and there are as many at the address.
    pub(crate) unsafe fn copy_out(
        &self,
        to: *mut u8,
        from: Address,
        bytes: usize,
        stream: Handle,
    ) -> Result<(), Failure> {
        // SAFETY: that is the contract.
        let code = unsafe { (self.functions.copy_out)(to.cast(), from, bytes, stream) };
        check("cuMemcpyDtoHAsync_v2", code)
    }

    /// Makes a stream.
    pub(crate) fn create_stream(&self) -> Result<Handle, Failure> {
        let mut stream = Handle(ptr::null_mut());
        // SAFETY: the pointer is to a handle of ours.
        let code = unsafe { (self.functions.create_stream)(&mut stream, NON_BLOCKING) };
        check("cuStreamCreate", code)?;
        Ok(stream)
    }

    /// Waits until all is done that was asked of the stream.
    pub(crate) fn synchronize(&self, stream: Handle) -> Result<(), Failure> {
        // SAFETY: the stream is one of ours, and never destroyed.
        check("cuStreamSynchronize", unsafe { (self.functions.synchronize)(stream) })
    }

    /// Launches a kernel, behind what the stream does before.
    ///
    /// # Safety
    ///
    /// There is an argument of its type for each parameter of the kernel. What it accesses is allocated until the stream was waited for.
    pub(crate) unsafe fn launch(
        &self,
        function: Handle,
        sizes: LaunchSizes,
        stream: Handle,
        arguments: *mut *mut c_void,
    ) -> Result<(), Failure> {
        let ([gx, gy, gz], [bx, by, bz]) = (sizes.grid, sizes.block);
        // SAFETY: that is the contract. There is no dynamic shared memory, and there are no other options.
        let code =
            unsafe { (self.functions.launch)(function, gx, gy, gz, bx, by, bz, 0, stream, arguments, ptr::null_mut()) };
        check("cuLaunchKernel", code)
    }
}
