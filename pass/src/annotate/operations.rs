//! The operations of an instruction, by class and type.
//!
//! Instructions that compute nothing on a machine have none: conversions between integers and pointers, `freeze`, and address
//! computation (`getelementptr`), which is part of an access. A vector counts as its elements, but for loads and stores.

use farkas_llvm::Run;
use farkas_llvm::edit::is_errno_square_root;
use farkas_llvm::inkwell::values::InstructionOpcode;
use farkas_llvm::multiply_add::is_contracted;
use farkas_llvm::types::{Type, TypeKind};
use farkas_llvm::value::{Kind, Value};
use farkas_polyhedral::program::{ElementType, Operation, OperationClass};

/// What the instruction computes. Loads and stores are accesses, and not among these.
pub(super) fn operations<'a>(run: &'a Run<'_>, i: Value<'a>) -> Vec<Operation> {
    use InstructionOpcode as Op;
    use OperationClass::{Add, Call, Divide, ErrnoSquareRoot, Integer, Minimum, Multiply, Select};
    let one = |class, ty: Type<'a>| vec![on_elements(run, class, ty)];
    let operand = || i.operands()[0].ty();
    let Some(opcode) = i.instruction().map(|i| i.get_opcode()) else {
        return Vec::new();
    };
    match opcode {
        // A negation is part of the operation that uses it: a subtraction, or a fused multiply-add of another sign.
        Op::FNeg => Vec::new(),
        // A minimum or a maximum is one instruction.
        Op::FCmp if i.users().iter().all(|user| is_minimum(*user)) => Vec::new(),
        Op::Select if is_minimum(i) => one(Minimum, i.ty()),
        Op::FAdd | Op::FSub | Op::FCmp | Op::FPToSI | Op::FPToUI => one(Add, operand()),
        Op::FPExt | Op::FPTrunc | Op::SIToFP | Op::UIToFP => one(Add, i.ty()),
        Op::FMul | Op::Mul => one(Multiply, i.ty()),
        Op::FDiv | Op::SDiv | Op::UDiv | Op::SRem | Op::URem => one(Divide, i.ty()),
        Op::FRem => one(Call, i.ty()),
        Op::Add | Op::Sub | Op::Shl | Op::LShr | Op::AShr | Op::And | Op::Or | Op::Xor => one(Integer, i.ty()),
        Op::ICmp | Op::Trunc | Op::ZExt | Op::SExt => one(Integer, operand()),
        Op::ExtractElement | Op::InsertElement | Op::ShuffleVector => one(Integer, i.ty()),
        Op::Select | Op::Phi => one(Select, i.ty()),
        Op::Call => match i.kind() {
            Kind::Call(_) if i.facts().droppable() => Vec::new(),
            Kind::Call(_) if is_errno_square_root(i) => vec![on_elements(run, ErrnoSquareRoot, i.ty())],
            Kind::Call(name) => call(&name)
                .iter()
                .map(|class| on_elements(run, *class, i.ty()))
                .collect(),
            _ => one(Call, i.ty()),
        },
        _ => Vec::new(),
    }
}

/// Whether a value is one of several, depending on where a subscript is: no sum or product that is affine in counters.
pub(crate) fn distinguishes_cases(i: Value<'_>) -> bool {
    use InstructionOpcode as Op;
    let opcode = i.instruction().map(|i| i.get_opcode());
    matches!(opcode, Some(Op::Select | Op::ICmp | Op::Call)) || is_division(i)
}

/// Whether a value is a quotient of integers or what it leaves, by a number that is not constant: no part of an address takes as long.
pub(super) fn is_division(i: Value<'_>) -> bool {
    use InstructionOpcode as Op;
    let opcode = i.instruction().map(|i| i.get_opcode());
    matches!(opcode, Some(Op::SDiv | Op::UDiv | Op::SRem | Op::URem)) && i.operands()[1].as_integer().is_none()
}

/// Whether a value is one of two floating-point numbers, whichever is less, or greater.
fn is_minimum(i: Value<'_>) -> bool {
    use InstructionOpcode as Op;
    let opcode = |i: Value<'_>| i.instruction().map(|i| i.get_opcode());
    if opcode(i) != Some(Op::Select) {
        return false;
    }
    let [condition, x, y] = i.operands()[..] else {
        return false;
    };
    opcode(condition) == Some(Op::FCmp) && {
        let compared = condition.operands();
        compared == [x, y] || compared == [y, x]
    }
}

/// What a call of the function computes: instructions of their own, for functions that have some, or a call.
fn call(name: &str) -> &'static [OperationClass] {
    use OperationClass::{Add, Call, Integer, Minimum, Multiply, SquareRoot};
    let Some(intrinsic) = name.strip_prefix("llvm.") else {
        return match name {
            "sqrt" | "sqrtf" | "sqrtl" => &[SquareRoot],
            "fabs" | "fabsf" | "fabsl" => &[Add],
            "fmin" | "fminf" | "fmax" | "fmaxf" => &[Minimum],
            "fma" | "fmaf" => &[Multiply, Add],
            _ => &[Call],
        };
    };
    match intrinsic.split('.').next().unwrap_or_default() {
        "fma" | "fmuladd" => &[Multiply, Add],
        "sqrt" => &[SquareRoot],
        "fabs" | "copysign" => &[Add],
        "minnum" | "maxnum" | "minimum" | "maximum" | "minimumnum" | "maximumnum" | "smin" | "smax" | "umin"
        | "umax" => &[Minimum],
        "abs" | "bswap" | "ctpop" | "ctlz" | "cttz" | "fshl" | "fshr" | "scmp" | "ucmp" => &[Integer],
        _ => &[Call],
    }
}

/// How many additions of an instruction may be rounded together with a product.
pub(super) fn contracted(i: Value<'_>) -> u32 {
    let is_fused = match i.kind() {
        Kind::Call(name) => is_fused(&name),
        _ => is_contracted(i),
    };
    if is_fused { i.ty().elements().1 } else { 0 }
}

/// Whether a function of this name is a multiplication and an addition.
fn is_fused(name: &str) -> bool {
    call(name).len() == 2
}

/// What a fused multiplication and addition adds to the product, if it is nothing that it multiplies, too.
pub(super) fn addend(i: Value<'_>) -> Option<Value<'_>> {
    match i.kind() {
        Kind::Call(name) if is_fused(&name) => {
            let operands = i.operands();
            let (factors, addend) = (operands.get(..2)?, *operands.get(2)?);
            (!factors.contains(&addend)).then_some(addend)
        }
        _ => None,
    }
}

/// A load or a store of a value of the type.
pub(super) fn access<'a>(run: &'a Run<'_>, class: OperationClass, ty: Type<'a>) -> Operation {
    let (element, lanes) = ty.elements();
    let ty = match (element_type(run, element), lanes) {
        (ty, 1) => ty,
        (ty, lanes) => ElementType::Integer(ty.bits().saturating_mul(lanes as u16)),
    };
    Operation { class, ty, count: 1 }
}

/// An operation on each element of the type.
fn on_elements<'a>(run: &'a Run<'_>, class: OperationClass, ty: Type<'a>) -> Operation {
    let (element, lanes) = ty.elements();
    Operation {
        class,
        ty: element_type(run, element),
        count: lanes,
    }
}

/// The type as that of a number. A call without a result works on bytes.
pub(super) fn element_type<'a>(run: &'a Run<'_>, ty: Type<'a>) -> ElementType {
    let bits = |bits: u32| u16::try_from(bits).unwrap_or(u16::MAX);
    match ty.kind() {
        TypeKind::Float => ElementType::Float(bits(ty.float_bits())),
        TypeKind::Integer(width) => ElementType::Integer(bits(width)),
        TypeKind::Void => ElementType::Integer(8),
        _ => ElementType::Integer(bits(u32::try_from(8 * run.store_size(ty)).unwrap_or(u32::MAX))),
    }
}

/// The operations with those of equal class and type in one entry, in the order of classes and types.
pub(super) fn summed(all: impl IntoIterator<Item = Operation>) -> Vec<Operation> {
    let mut sums: Vec<Operation> = Vec::new();
    for operation in all {
        let key = |other: &Operation| (other.class, other.ty);
        match sums.binary_search_by_key(&key(&operation), key) {
            Ok(at) => sums[at].count = sums[at].count.saturating_add(operation.count),
            Err(at) => sums.insert(at, operation),
        }
    }
    sums
}

/// About how many cycles pass until the result of an operation can be used: to tell which of two chains is longer.
pub(super) fn latency(operation: &Operation) -> u32 {
    match (operation.class, operation.ty) {
        (OperationClass::Integer | OperationClass::Select, _) => 1,
        (OperationClass::Minimum, _) => 2,
        (OperationClass::Multiply, ElementType::Integer(_)) => 3,
        (OperationClass::Add | OperationClass::Multiply, _) => 4,
        (OperationClass::Load | OperationClass::Store, _) => 5,
        (OperationClass::Divide, ElementType::Float(_)) => 13,
        (OperationClass::Divide, ElementType::Integer(_)) => 20,
        (OperationClass::SquareRoot | OperationClass::ErrnoSquareRoot, _) => 18,
        (OperationClass::Call, _) => 40,
    }
}
