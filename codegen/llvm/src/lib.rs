//! The one place with FFI: a C++ shim over LLVM's analyses, and safe wrappers over it and inkwell.
//!
//! - [`plugin`]: what the host loads, and the trait behind it.
//! - [`Run`]: one run of the pass on one function; it gives all handles and takes them back.
//! - [`value`], [`loops`], [`scev`]: the function, its loops and its scalar evolution, as small copyable handles.
//! - [`boolean`], [`operand_tree`]: conditions taken apart, and the instructions that compute a value.
//! - [`canonical_forms`]: choices in place of phis and the like, while the function is looked at.
//! - [`memory`]: what instructions access.
//! - [`region`]: single-entry single-exit regions of the function.
//! - [`scop_ir`]: the instructions behind the model of a region, for those that emit code for it.
//! - [`hoisting`]: invariant loads in front of a region.
//! - [`processor`]: what the function is compiled for.
//! - [`debug`]: debug information of code that takes the place of other code.
//! - [`edit`]: changes to the function, all or nothing.
//! - [`kernels`]: blocks that become kernels of a GPU, in modules of their own.
//! - [`threads`]: loops between markers, which are cut out into functions of their own.
//! - [`vector`]: vector forms of scalar instructions.
//!
//! LLVM's functions are those of the host process (`opt`, `clang`, `ld.lld`); nothing of LLVM is linked.

pub mod boolean;
pub mod canonical_forms;
pub mod debug;
pub mod edit;
pub mod facts;
mod ffi;
mod handle;
pub mod hoisting;
pub mod kernels;
pub mod loops;
pub mod memory;
pub mod multiply_add;
pub mod operand_tree;
pub mod plugin;
pub mod processor;
pub mod region;
pub mod remarks;
mod run;
pub mod scev;
pub mod scop_ir;
pub mod source;
pub mod threads;
pub mod types;
pub mod value;
pub mod vector;

pub use inkwell;
pub use run::{AliasTags, Element, Identity, Run};
