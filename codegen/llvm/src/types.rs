//! Types of values.

use crate::ffi;
use crate::handle::handle;
use inkwell::llvm_sys::LLVMTypeKind;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMTypeRef;
use inkwell::types::BasicTypeEnum;
use std::fmt;

handle!(
    /// An LLVM type.
    Type, LLVMTypeRef
);
/// What is known of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// An integer of so many bits.
    Integer(u32),
    /// A floating-point number of any format.
    Float,
    /// A pointer in an address space.
    Pointer(u32),
    /// A vector of fixed length.
    Vector,
    /// A vector whose length is known only at run time.
    ScalableVector,
    /// No value.
    Void,
    /// A structure or an array.
    Aggregate,
    /// A token.
    Token,
    /// Anything else.
    Other,
}

impl<'a> Type<'a> {
    /// What kind of type it is.
    pub fn kind(self) -> TypeKind {
        // SAFETY: the handle is live; the calls match the kind of type that was found.
        unsafe {
            match LLVMGetTypeKind(self.raw) {
                LLVMTypeKind::LLVMIntegerTypeKind => TypeKind::Integer(LLVMGetIntTypeWidth(self.raw)),
                LLVMTypeKind::LLVMHalfTypeKind
                | LLVMTypeKind::LLVMBFloatTypeKind
                | LLVMTypeKind::LLVMFloatTypeKind
                | LLVMTypeKind::LLVMDoubleTypeKind
                | LLVMTypeKind::LLVMX86_FP80TypeKind
                | LLVMTypeKind::LLVMFP128TypeKind
                | LLVMTypeKind::LLVMPPC_FP128TypeKind => TypeKind::Float,
                LLVMTypeKind::LLVMPointerTypeKind => TypeKind::Pointer(LLVMGetPointerAddressSpace(self.raw)),
                LLVMTypeKind::LLVMVectorTypeKind => TypeKind::Vector,
                LLVMTypeKind::LLVMScalableVectorTypeKind => TypeKind::ScalableVector,
                LLVMTypeKind::LLVMVoidTypeKind => TypeKind::Void,
                LLVMTypeKind::LLVMTokenTypeKind => TypeKind::Token,
                _ if ffi::farkas_type_is_scalable(self.raw) => TypeKind::ScalableVector,
                LLVMTypeKind::LLVMStructTypeKind | LLVMTypeKind::LLVMArrayTypeKind => TypeKind::Aggregate,
                _ => TypeKind::Other,
            }
        }
    }

    /// The number of bits of a floating-point number, 0 for other types.
    pub fn float_bits(self) -> u32 {
        // SAFETY: the handle is live.
        match unsafe { LLVMGetTypeKind(self.raw) } {
            LLVMTypeKind::LLVMHalfTypeKind | LLVMTypeKind::LLVMBFloatTypeKind => 16,
            LLVMTypeKind::LLVMFloatTypeKind => 32,
            LLVMTypeKind::LLVMDoubleTypeKind => 64,
            LLVMTypeKind::LLVMX86_FP80TypeKind => 80,
            LLVMTypeKind::LLVMFP128TypeKind | LLVMTypeKind::LLVMPPC_FP128TypeKind => 128,
            _ => 0,
        }
    }

    /// The type of a vector's elements and how many there are; any other type is one element of itself.
    pub fn elements(self) -> (Type<'a>, u32) {
        match self.kind() {
            // SAFETY: the handle is a live vector type of fixed length.
            TypeKind::Vector => unsafe { (Type::new(LLVMGetElementType(self.raw)), LLVMGetVectorSize(self.raw)) },
            _ => (self, 1),
        }
    }

    /// Whether it is a type of first-class values that are no aggregates: a number, a pointer, or a vector of fixed length.
    pub fn is_single_value(self) -> bool {
        matches!(
            self.kind(),
            TypeKind::Integer(_) | TypeKind::Float | TypeKind::Pointer(_) | TypeKind::Vector
        )
    }

    /// The type for inkwell; `None` where the type is of no first-class value, or its size is not known.
    pub fn inkwell(self) -> Option<BasicTypeEnum<'a>> {
        match self.kind() {
            TypeKind::Integer(_) | TypeKind::Float | TypeKind::Pointer(_) | TypeKind::Vector | TypeKind::Aggregate => {
                // SAFETY: the handle is live and of a kind that `BasicTypeEnum` has.
                Some(unsafe { BasicTypeEnum::new(self.raw) })
            }
            _ => None,
        }
    }
}

impl fmt::Display for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: the handle is live; the message is freed by the same library that made it.
        unsafe {
            let text = LLVMPrintTypeToString(self.raw);
            let result = write!(f, "{}", std::ffi::CStr::from_ptr(text).to_string_lossy());
            LLVMDisposeMessage(text);
            result
        }
    }
}

impl fmt::Debug for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
