//! Modules: kernels as machine code of the host.

use std::ffi::{CStr, c_void};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, process};

use crate::matrix::Results;
use crate::retarget::{REGISTERS, Unsupported, retargeted};

/// The folder with the IR of kernels.
const FOLDER: &str = "FARKAS_EMULATOR_IR";

/// What makes a library of IR: LLVM's clang, or the one that this variable names.
const CLANG: (&str, &str) = ("FARKAS_EMULATOR_CLANG", "clang-22");

/// What has products fused with sums, as a device does where the program allows that.
const FUSE: &str = "-mfma";

/// Whether that is an option of this CPU. Others always do so, or never.
fn fuses() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// Asks for leave to access memory: an address, so many bytes, and 1 for a write. Returns the address to access.
pub(crate) type Check = extern "C" fn(*mut c_void, u64, i32) -> *mut c_void;

/// Why there is no module.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoModule {
    #[error("{FOLDER} names no folder")]
    NoFolder,
    #[error("{0}: {1}")]
    NoFile(PathBuf, std::io::Error),
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    #[error("{0}")]
    NoCode(String),
    #[error(transparent)]
    NotLoaded(#[from] libloading::Error),
}

/// Has all threads of a block wait for each other.
pub(crate) type Barrier = extern "C" fn();

/// Has a warp execute a matrix instruction, of which a thread has these operands: two elements of the first matrix, one of the second, and four of the
/// sum. The results go to four numbers in memory.
pub(crate) type Mma = extern "C" fn(f64, f64, f64, f64, f64, f64, f64, *mut Results);

/// Begins an asynchronous copy to an address from another one, of so many bytes.
pub(crate) type BeginCopy = extern "C" fn(*mut c_void, *const c_void, u64);

/// Commits the copies that a thread has begun.
pub(crate) type CommitCopies = extern "C" fn();

/// Waits until so many groups of copies are left.
pub(crate) type WaitForCopies = extern "C" fn(u32);

/// The functions of the emulator that a kernel calls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Calls {
    pub(crate) check: Check,
    pub(crate) barrier: Barrier,
    pub(crate) begin_copy: BeginCopy,
    pub(crate) commit_copies: CommitCopies,
    pub(crate) wait_for_copies: WaitForCopies,
    pub(crate) mma: Mma,
}

/// Memory that the threads of a block share: its address, and its size in bytes.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Shared {
    pub(crate) address: *mut u8,
    pub(crate) bytes: u64,
}

/// A kernel that runs on the host.
#[derive(Debug)]
pub(crate) struct Module {
    /// It has what the pointers are to.
    _library: libloading::Library,
    registers: *mut [u32; REGISTERS.len()],
    kernel: unsafe extern "C" fn(*const *mut c_void),
    /// What the threads of a block share.
    pub(crate) shared: Vec<Shared>,
    /// Whether threads wait for each other.
    pub(crate) has_barriers: bool,
}

// SAFETY: the pointers are into a library that stays loaded, and whoever runs a kernel has the driver's lock.
unsafe impl Send for Module {}

/// The hash that names the file of a module: FNV-1a of its PTX, as `codegen/emit` has it.
fn hash(ptx: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    ptx.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

impl Module {
    /// The module that a program has as PTX.
    pub(crate) fn of_ptx(ptx: &CStr, calls: Calls) -> Result<Module, NoModule> {
        let folder = PathBuf::from(env::var_os(FOLDER).ok_or(NoModule::NoFolder)?);
        let file = folder.join(format!("{:016x}.ll", hash(ptx.to_bytes())));
        let ir = fs::read_to_string(&file).map_err(|error| NoModule::NoFile(file, error))?;
        Module::of_ir(&ir, &folder, calls)
    }

    /// The module of a kernel's IR. Files are made in the folder.
    pub(crate) fn of_ir(ir: &str, folder: &Path, calls: Calls) -> Result<Module, NoModule> {
        let name = format!("{:016x}-{}", hash(ir.as_bytes()), process::id());
        let (source, library) = (
            folder.join(format!("{name}.host.ll")),
            folder.join(format!("{name}.so")),
        );
        let failed = |error| NoModule::NoFile(source.clone(), error);
        let host = retargeted(ir)?;
        fs::write(&source, &host.text).map_err(failed)?;
        let clang = env::var(CLANG.0).unwrap_or_else(|_| CLANG.1.to_owned());
        let mut command = Command::new(clang);
        command
            .args(["-O1", "-shared", "-fPIC", "-Wno-override-module"])
            .args(fuses().then_some(FUSE))
            .arg("-o")
            .arg(&library)
            .arg(&source);
        let output = command.output().map_err(failed)?;
        if !output.status.success() {
            return Err(NoModule::NoCode(String::from_utf8_lossy(&output.stderr).into_owned()));
        }
        // SAFETY: the library was made a moment ago, and has no initializers.
        let loaded = unsafe { libloading::Library::new(&library) }?;
        for file in [source, library] {
            // It is in memory. What is left over is in the test's own folder.
            let _ = fs::remove_file(file);
        }
        // SAFETY: the variables and the function have these types in `retarget`.
        unsafe {
            *(*loaded.get::<*mut Check>(b"check")?) = calls.check;
            *(*loaded.get::<*mut Barrier>(b"barrier")?) = calls.barrier;
            *(*loaded.get::<*mut Mma>(b"mma")?) = calls.mma;
            *(*loaded.get::<*mut BeginCopy>(b"begin_copy")?) = calls.begin_copy;
            *(*loaded.get::<*mut CommitCopies>(b"commit_copies")?) = calls.commit_copies;
            *(*loaded.get::<*mut WaitForCopies>(b"wait_for_copies")?) = calls.wait_for_copies;
            let shared: *const Shared = *loaded.get(b"shared_memory")?;
            Ok(Module {
                registers: *loaded.get(b"registers")?,
                kernel: *loaded.get(b"run")?,
                shared: std::slice::from_raw_parts(shared, host.shared).to_vec(),
                has_barriers: host.has_barriers,
                _library: loaded,
            })
        }
    }

    /// Gives the thread that runs next its registers.
    ///
    /// # Safety
    ///
    /// Nobody else runs the module.
    pub(crate) unsafe fn set_registers(&self, registers: [u32; REGISTERS.len()]) {
        // SAFETY: the variable is of this type, and nobody else has it, by the contract.
        unsafe { self.registers.write(registers) };
    }

    /// Runs a thread.
    ///
    /// # Safety
    ///
    /// There is an argument of its type for each parameter of the kernel. Nobody else runs the module.
    pub(crate) unsafe fn run(&self, arguments: *const *mut c_void) {
        // SAFETY: the arguments are those of the kernel.
        unsafe { (self.kernel)(arguments) };
    }
}
