//! A driver that stands in for NVIDIA's in tests: `libfarkas_emulator.so`, which a test puts in front of the library path as
//! `libcuda.so.1`. It has the calls that `codegen/runtime` makes, for one device whose memory is the host's.
//!
//! Kernels run on the host, thread by thread. Their code is not the PTX that a program hands over, but the IR that this was made of: the
//! plugin writes it to a folder with `-farkas-gpu-ir=FOLDER`, in a file with the hash of the PTX as its name, and `FARKAS_EMULATOR_IR` names
//! the folder. That IR is retargeted to the host (`retarget.rs`), where each load and store asks for leave first (`memory.rs`):
//!
//! - **Bounds.** Each access is within one allocation. One that is not accesses nothing.
//! - **Races.** Two threads of a launch do not access the same byte if one of them writes it. In memory that the threads of a block share, they
//!   may before and behind a barrier (`block.rs`), for which each thread is a fiber.
//! - **Asynchronous copies.** Their bytes arrive when the thread waits for them (`copies.rs`), nobody accesses what they are to before, both
//!   addresses are aligned, and no thread ends without having waited.
//! - **Barriers.** All threads of a block come to each, or none.
//!
//! A launch that breaks one of these writes why on standard error, and fails with the error that a device would report, or might.
//! Threads run one after the other, in an order of their own in each launch.
//!
//! This crate is FFI on all sides: to the runtime library, whose calls pass raw addresses, and to kernels, which are machine code that was
//! made a moment ago. So it has `unsafe` code, with a reason for each.

#![warn(unsafe_op_in_unsafe_fn)]

mod block;
mod copies;
pub mod driver;
mod launch;
mod matrix;
mod memory;
mod module;
mod retarget;
#[cfg(test)]
mod tests;
