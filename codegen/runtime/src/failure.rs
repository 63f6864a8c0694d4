//! Why a region runs on the CPU.

use std::ffi::c_int;

/// Why a region runs on the CPU.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Failure {
    #[error("the user chose so")]
    Off,
    #[error("there is no driver: {0}")]
    NoDriver(String),
    #[error("there is no device {wanted}, of {count}")]
    NoDevice { wanted: c_int, count: c_int },
    #[error("{call} returned {code}")]
    Call { call: &'static str, code: c_int },
    #[error("the module was not loaded before: {0}")]
    Module(String),
    #[error("the device was given up")]
    Disabled,
    #[error("the process was forked after the device was opened")]
    Forked,
    #[error("an array does not fit in memory")]
    TooLarge,
    #[error("an array that is written overlaps another one")]
    Overlap,
    #[error("what kernels write of an array is no box in it")]
    Box,
    #[error("{0:?} blocks of {1:?} threads are more than a device has")]
    Sizes([u32; 3], [u32; 3]),
    #[error("there is a bug in the runtime library")]
    Panic,
}

/// The driver's code for no memory left, on the device or to be pinned.
pub(crate) const OUT_OF_MEMORY: c_int = 2;

/// Errors of a call that leave the context as it was: invalid value, out of memory, image or PTX that the device does not take, an error of
/// the operating system (memory that cannot be pinned), symbol not found, too many resources asked for in a launch, not supported.
const HARMLESS: [c_int; 11] = [1, OUT_OF_MEMORY, 200, 209, 218, 222, 223, 304, 500, 701, 801];

impl Failure {
    /// Whether the device is of no more use. All errors of the driver are that are not known to be harmless: one in a kernel spoils the
    /// context, and each later call returns it again.
    pub(crate) fn is_final(&self) -> bool {
        match self {
            Failure::Call { code, .. } => !HARMLESS.contains(code),
            Failure::Panic => true,
            _ => false,
        }
    }

    /// Whether there is no memory left, on the device or to be pinned.
    pub(crate) fn is_out_of_memory(&self) -> bool {
        matches!(
            self,
            Failure::Call {
                code: OUT_OF_MEMORY,
                ..
            }
        )
    }
}
