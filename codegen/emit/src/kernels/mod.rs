//! Kernels of a GPU, and the host's code around them.
//!
//! ```text
//!         guard
//!         /   \
//!        |   new code       begins a region of the runtime library, which copies arrays to the device
//!        |     ...          loops of the host
//!        |     launch       arguments of a kernel, whose blocks are a module of their own by then
//!        |     ...
//!        |   ended?         results are in the host's arrays, or nothing happened
//!        |   /    \
//!      original   |
//!         \       /
//!           exit
//! ```
//!
//! The original is planned for the CPU afterwards, as if there were no kernels.
//!
//! # Invariants
//!
//! - Whether a region can run on a device is decided before anything is emitted ([`obstacle`]): the back end would end the compiler's
//!   process where it cannot select an instruction.
//! - A kernel knows no address of the host. Pointers that it is given are moved from the host's array to the device's copy by their
//!   distance from the array's base. It neither loads nor stores, compares or converts any.
//! - The iterations of a loop over blocks are taken in turns: block `k` of `n` executes the iterations `k`, `k + n`, `k + 2 n`, .. So each
//!   is executed once, however many blocks there are. Numbers of blocks only have to be good.
//! - Thread `k` of `n` executes the values of a loop over threads that are `k` modulo `n`. So a point is the same thread's in all loops of a
//!   block, wherever these begin.
//! - All threads of a block come to each barrier: no loop and no condition around one depends on the thread. There is one between copies
//!   into a buffer that they share and what reads there, and between that and the next copies.

mod obstacles;
mod offload;
mod runtime;

use farkas_llvm::scop_ir::ArrayId;

use crate::accessed_elements::AccessedElements;

pub use obstacles::obstacle;
pub(crate) use offload::{Launch, Offload};

/// The device that kernels are for, and what of the host's memory they access.
#[derive(Clone, Debug)]
pub struct Device {
    /// The processor, such as `sm_90`.
    pub processor: String,
    /// The arrays.
    pub arrays: Vec<DeviceArray>,
    /// A folder for the modules of kernels as IR: for tests.
    pub ir_folder: Option<String>,
}

/// The part of an array that is on a device.
#[derive(Clone, Debug)]
pub struct DeviceArray {
    /// The array.
    pub array: ArrayId,
    /// The part of it.
    pub elements: AccessedElements,
    /// Whether kernels may read it.
    pub is_read: bool,
    /// What they write of it.
    pub writes: Writes,
}

/// What kernels write of an array.
#[derive(Clone, Debug)]
pub enum Writes {
    /// Nothing.
    Nothing,
    /// Some elements.
    Some,
    /// All elements of the box with these first and last ones, and no others.
    Box(AccessedElements),
}
