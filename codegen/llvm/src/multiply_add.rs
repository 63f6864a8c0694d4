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
        if opcode(value) != Some(InstructionOpcode::FAdd) || !value.facts().contracts() {
            return None;
        }
        let operands = value.operands();
        let position = operands.iter().position(|value| is_product(*value))?;
        let product = operands[position].operands();
        Some(MultiplyAdd {
            factors: [product[0], product[1]],
            addend: operands[1 - position],
        })
    }
}

/// Whether a sum or a difference has a product that it may be rounded together with, as two instructions.
pub fn is_contracted(value: Value<'_>) -> bool {
    let is_sum = matches!(opcode(value), Some(InstructionOpcode::FAdd | InstructionOpcode::FSub));
    is_sum && value.facts().contracts() && value.operands().into_iter().any(is_product)
}

/// A product that may be rounded together with a sum.
fn is_product(value: Value<'_>) -> bool {
    opcode(value) == Some(InstructionOpcode::FMul) && value.facts().contracts()
}

fn opcode(value: Value<'_>) -> Option<InstructionOpcode> {
    value.instruction().map(|i| i.get_opcode())
}
