//! Products that are added to something, and may be rounded together with the sum: `llvm.fma`, `llvm.fmuladd`, and a sum of a product where both have
//! the flag `contract`.

use inkwell::values::InstructionOpcode;

use crate::value::{Kind, Value};

/// The operands of `x * y + r`.
#[derive(Clone, Copy, Debug)]
pub struct MultiplyAdd<'a> {
    /// The factors `x` and `y`.
    pub factors: [Value<'a>; 2],
    /// The addend `r`.
    pub addend: Value<'a>,
}

impl<'a> MultiplyAdd<'a> {
    /// What a value is, if it is such a sum.
    pub fn of(value: Value<'a>) -> Option<MultiplyAdd<'a>> {
        if !value.is_instruction() {
            return None;
        }
        if let Kind::Call(name) = value.kind() {
            let is_fused = name.starts_with("llvm.fma.") || name.starts_with("llvm.fmuladd.");
            return is_fused.then(|| {
                let operands = value.operands();
                MultiplyAdd {
                    factors: [operands[0], operands[1]],
                    addend: operands[2],
                }
            });
        }
        let opcode = |value: Value<'a>| value.instruction().map(|i| i.get_opcode());
        if opcode(value) != Some(InstructionOpcode::FAdd) || !value.facts().contracts() {
            return None;
        }
        let operands = value.operands();
        let is_product =
            |value: &Value<'a>| opcode(*value) == Some(InstructionOpcode::FMul) && value.facts().contracts();
        let position = operands.iter().position(is_product)?;
        let product = operands[position].operands();
        Some(MultiplyAdd {
            factors: [product[0], product[1]],
            addend: operands[1 - position],
        })
    }
}
