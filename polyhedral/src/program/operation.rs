//! What an instance of a statement computes, by classes of operations.
//!
//! A cost model needs two things of a statement: how many operations of each class an instance has, which bounds its
//! throughput, and which operations lie on the way from a value that is read to a value that is written, which bounds the
//! latency of a recurrence through that statement.
//!
//! Example: `C[i][j] += alpha * A[i][k] * B[k][j]` on `double` has three loads, a store, two multiplications and an
//! addition. On the chain from the read of `C` to its write there is the addition alone.

use super::AccessId;

/// A class of operations that costs about the same on a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OperationClass {
    /// A load from memory. Scalar slots are in registers and have none.
    Load,
    /// A store to memory.
    Store,
    /// An addition, a subtraction or a comparison of floating-point numbers, or a conversion from or to them.
    Add,
    /// A minimum or a maximum. No multiplication takes it along.
    Minimum,
    /// A multiplication.
    Multiply,
    /// A division or a remainder.
    Divide,
    /// A square root.
    SquareRoot,
    /// A square root that sets `errno` where its argument is negative. LLVM calls the C library there, which keeps the loop around
    /// from being vectorized; emission takes the call out of the loops.
    ErrnoSquareRoot,
    /// A call of a function.
    Call,
    /// A choice between two values.
    Select,
    /// An operation on integers other than those above: additions, shifts, logic, comparisons and
    /// conversions between widths. Address computation is part of an access, and not counted.
    Integer,
}

/// The type of the values that an operation works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ElementType {
    /// A floating-point number of so many bits.
    Float(u16),
    /// An integer, or a pointer, of so many bits.
    Integer(u16),
}

impl ElementType {
    /// The number of bits.
    pub fn bits(self) -> u16 {
        match self {
            ElementType::Float(bits) | ElementType::Integer(bits) => bits,
        }
    }
}

/// Operations of one class on one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    /// The class.
    pub class: OperationClass,
    /// The type of the operands.
    pub ty: ElementType,
    /// How many there are.
    pub count: u32,
}

/// What a statement writes is a product added to what it reads there: `w = x * y + r`, which may be rounded once. The factors depend on what the accesses listed read, on constants and on invariants, and on nothing else of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MultiplyAdd {
    /// The type of all four.
    pub ty: ElementType,
    /// The read of `r`.
    pub addend: AccessId,
    /// The reads that `x` depends on, and those of `y`.
    pub factors: [Vec<AccessId>; 2],
    /// The only write, of the element that `r` is.
    pub written: AccessId,
}

/// The operations on the way from a read of a statement to a write of it: the longest way, if there are several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The read whose value the chain starts from.
    pub read: AccessId,
    /// The write whose value the chain ends in.
    pub write: AccessId,
    /// The operations between them, without the load and the store.
    pub operations: Vec<Operation>,
}
