//! Vector forms of scalar instructions.

use crate::ffi;
use crate::run::Run;
use crate::types::Type;
use crate::value::{Kind, Value};
use inkwell::builder::Builder;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::types::{AsTypeRef, VectorType};
use inkwell::values::{AsValueRef, BasicValueEnum, PointerValue, VectorValue};
use std::ffi::c_void;
use std::ptr;

extern "C" fn push_term(context: *mut c_void, variable: LLVMValueRef, bytes: i64) {
    // SAFETY: `address_terms` passes a vector that outlives the call as the context.
    unsafe { (*context.cast::<Vec<(LLVMValueRef, i64)>>()).push((variable, bytes)) }
}

impl Run<'_> {
    /// Whether values of the type can be the lanes of a vector in memory: there is nothing between elements of an array.
    pub fn is_lane<'a>(&'a self, ty: Type<'a>) -> bool {
        // SAFETY: the handles are live.
        unsafe { ffi::farkas_is_lane(self.raw(), ty.raw) }
    }

    /// Whether an instruction that accesses no memory has a vector form, which does the same in each lane. Its operands and
    /// its result are integers, floating-point numbers and pointers that fill their place in an array.
    ///
    /// # Panics
    /// If it is no instruction.
    pub fn is_widenable<'a>(&'a self, instruction: Value<'a>) -> bool {
        assert!(instruction.is_instruction(), "{instruction} is no instruction");
        // SAFETY: the handles are live, and the second is an instruction.
        unsafe { ffi::farkas_is_widenable(self.raw(), instruction.raw) }
    }

    /// Whether the operand at `index` of a call stays a scalar in the vector form.
    ///
    /// # Panics
    /// If it is no instruction.
    pub fn is_scalar_operand<'a>(&'a self, call: Value<'a>, index: usize) -> bool {
        assert!(call.is_instruction(), "{call} is no instruction");
        // SAFETY: the handles are live, and the second is an instruction.
        unsafe { ffi::farkas_is_scalar_operand(self.raw(), call.raw, index as u32) }
    }

    /// Builds the vector form of an instruction that [has one](Run::is_widenable), with its flags. The operands are vectors
    /// of so many lanes; those of an address may be scalars, and those of a call that
    /// [stay scalars](Run::is_scalar_operand) are.
    ///
    /// # Panics
    /// If the instruction has no vector form, or another number of operands.
    pub fn widen<'a>(
        &'a self,
        builder: &Builder<'a>,
        instruction: Value<'a>,
        operands: &[BasicValueEnum<'a>],
        lanes: u32,
    ) -> BasicValueEnum<'a> {
        assert!(self.is_widenable(instruction), "{instruction} has no vector form");
        let data = instruction
            .operands()
            .iter()
            .filter(|operand| operand.is_data())
            .count();
        let callee = usize::from(matches!(instruction.kind(), Kind::Call(_)));
        assert_eq!(operands.len() + callee, data, "operands of {instruction}");
        let operands: Vec<LLVMValueRef> = operands.iter().map(|operand| operand.as_value_ref()).collect();
        // SAFETY: the handles are live, the builder stands in a block of the function, and the instruction has a vector
        // form with so many operands.
        unsafe {
            BasicValueEnum::new(ffi::farkas_widen(
                self.raw(),
                builder.as_mut_ptr(),
                instruction.raw,
                operands.as_ptr(),
                lanes,
            ))
        }
    }

    /// The offset that a `getelementptr` adds to its base; `None` where it is no sum of integers as wide as an address.
    pub fn address_offset<'a>(&'a self, address: Value<'a>) -> Option<Offset<'a>> {
        let (mut terms, mut constant): (Vec<(LLVMValueRef, i64)>, i64) = (Vec::new(), 0);
        // SAFETY: the handles are live, the number is written, and the sink gets the vector that it expects.
        let found = unsafe {
            let to = (&raw mut terms).cast();
            ffi::farkas_address_terms(self.raw(), address.raw, &raw mut constant, push_term, to)
        };
        // SAFETY: the shim sends live values.
        let value = |(variable, bytes)| (unsafe { Value::new(variable) }, bytes);
        found.then(|| Offset {
            terms: terms.into_iter().map(value).collect(),
            constant,
        })
    }
}

/// A number of bytes.
#[derive(Clone, Debug)]
pub struct Offset<'a> {
    /// Variables, each with the number of bytes that it counts.
    pub terms: Vec<(Value<'a>, i64)>,
    /// What is added to them.
    pub constant: i64,
}

/// An access to memory of which a mask leaves out lanes.
#[derive(Clone, Copy)]
pub struct Masked<'a> {
    /// Where the lanes access memory.
    pub place: Lanes<'a>,
    /// The alignment of each element in bytes, a power of two.
    pub alignment: u32,
    /// A truth value for each lane: only lanes that are on access memory.
    pub mask: VectorValue<'a>,
}

/// Where the lanes of a vector access memory.
#[derive(Clone, Copy)]
pub enum Lanes<'a> {
    /// At neighbouring elements, from this address up.
    Consecutive(PointerValue<'a>),
    /// Each at its address: a vector of them.
    Scattered(VectorValue<'a>),
}

impl<'a> Lanes<'a> {
    /// Each so many bytes from an address: `distances` are integers as wide as addresses.
    pub fn at_distances(builder: &Builder<'a>, base: PointerValue<'a>, distances: VectorValue<'a>) -> Self {
        // SAFETY: the handles are live, the builder stands in a block, and the address has no flags.
        Lanes::Scattered(unsafe {
            let (base, distances) = (base.as_value_ref(), distances.as_value_ref());
            VectorValue::new(ffi::farkas_lane_addresses(builder.as_mut_ptr(), base, distances))
        })
    }
}

impl<'a> Masked<'a> {
    /// Builds a load of the lanes that are on. Other lanes are those of `others`, or poison.
    ///
    /// # Panics
    /// If the alignment is no power of two.
    pub fn load(&self, builder: &Builder<'a>, ty: VectorType<'a>, others: Option<VectorValue<'a>>) -> VectorValue<'a> {
        assert!(self.alignment.is_power_of_two(), "an alignment of {}", self.alignment);
        let others = others.map_or(ptr::null_mut(), |others| others.as_value_ref());
        let (builder, ty, mask) = (builder.as_mut_ptr(), ty.as_type_ref(), self.mask.as_value_ref());
        // SAFETY: the handles are live, the builder stands in a block, and the mask and the addresses have as many lanes as the type.
        unsafe {
            VectorValue::new(match self.place {
                Lanes::Consecutive(address) => {
                    ffi::farkas_masked_load(builder, ty, address.as_value_ref(), self.alignment, mask, others)
                }
                Lanes::Scattered(addresses) => {
                    ffi::farkas_masked_gather(builder, ty, addresses.as_value_ref(), self.alignment, mask, others)
                }
            })
        }
    }

    /// Builds a store of the lanes that are on. Returns the call.
    ///
    /// # Panics
    /// If the alignment is no power of two.
    pub fn store(&self, builder: &Builder<'a>, value: VectorValue<'a>) -> Value<'a> {
        assert!(self.alignment.is_power_of_two(), "an alignment of {}", self.alignment);
        let (builder, value, mask) = (builder.as_mut_ptr(), value.as_value_ref(), self.mask.as_value_ref());
        // SAFETY: the handles are live, the builder stands in a block, and the mask and the addresses have as many lanes as the value.
        unsafe {
            Value::new(match self.place {
                Lanes::Consecutive(address) => {
                    ffi::farkas_masked_store(builder, value, address.as_value_ref(), self.alignment, mask)
                }
                Lanes::Scattered(addresses) => {
                    ffi::farkas_masked_scatter(builder, value, addresses.as_value_ref(), self.alignment, mask)
                }
            })
        }
    }
}
