//! The words of the text form, for both directions.

use crate::program::{AccessKind, ArrayKind, ElementType, Operation, OperationClass, ReductionOperation};
use std::fmt::{self, Display};

/// The words of a type's values.
pub(super) type Words<T> = &'static [(T, &'static str)];

pub(super) const ARRAY_KINDS: Words<ArrayKind> = &[
    (ArrayKind::Memory, "memory"),
    (ArrayKind::ScalarSlot, "scalar slot"),
    (ArrayKind::ExpandedSlot, "expanded slot"),
    (ArrayKind::Temporary, "temporary"),
];

pub(super) const ACCESS_KINDS: Words<AccessKind> = &[
    (AccessKind::Read, "read"),
    (AccessKind::MayWrite, "may write"),
    (AccessKind::MustWrite, "write"),
];

pub(super) const REDUCTION_OPERATIONS: Words<ReductionOperation> = &[
    (ReductionOperation::Sum, "sum"),
    (ReductionOperation::Product, "product"),
    (ReductionOperation::And, "and"),
    (ReductionOperation::Or, "or"),
    (ReductionOperation::Xor, "xor"),
    (ReductionOperation::Minimum, "min"),
    (ReductionOperation::Maximum, "max"),
    (ReductionOperation::UnsignedMinimum, "umin"),
    (ReductionOperation::UnsignedMaximum, "umax"),
];

pub(super) const CLASSES: Words<OperationClass> = &[
    (OperationClass::Load, "load"),
    (OperationClass::Store, "store"),
    (OperationClass::Add, "add"),
    (OperationClass::Minimum, "minimum"),
    (OperationClass::Multiply, "multiply"),
    (OperationClass::Divide, "divide"),
    (OperationClass::SquareRoot, "square root"),
    (OperationClass::ErrnoSquareRoot, "square root with errno"),
    (OperationClass::Call, "call"),
    (OperationClass::Select, "select"),
    (OperationClass::Integer, "integer"),
];

/// The word of a value.
fn word<T: PartialEq>(words: Words<T>, value: &T) -> &'static str {
    let found = words.iter().find(|(other, _)| other == value);
    found.expect("every value has a word").1
}

impl Display for ArrayKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(word(ARRAY_KINDS, self))
    }
}

impl Display for AccessKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(word(ACCESS_KINDS, self))
    }
}

impl Display for ReductionOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(word(REDUCTION_OPERATIONS, self))
    }
}

impl Display for OperationClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(word(CLASSES, self))
    }
}

impl Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ElementType::Float(bits) => write!(f, "f{bits}"),
            ElementType::Integer(bits) => write!(f, "i{bits}"),
        }
    }
}

impl Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.count, self.class, self.ty)
    }
}
