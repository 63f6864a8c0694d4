//! Generated code, read from its text: the subset of C that both Farkas and isl print.
//!
//! Loops over one variable, `if` with `else`, blocks, declarations, and calls of statements; expressions of integers with
//! C's operators, `min`, `max`, `floord`, `ceild` and `intMod`. What either generator makes is measured, and executed, from
//! its text by this one reader, so that nothing is counted by different rules.

mod count;
mod execute;
mod parse;

pub use count::Counts;
pub use execute::{Executed, Instance, RunError};
pub use parse::CError;

/// A variable: a parameter, or declared by a loop or declaration. Its place among the values while executing.
pub type Slot = usize;

/// A piece of generated code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The variables that are not declared, in the first slots.
    pub params: Vec<String>,
    /// The number of slots.
    pub n_slots: usize,
    /// The names of the statements that are called.
    pub statements: Vec<String>,
    /// What is executed.
    pub body: Vec<Statement>,
}

/// A statement of C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// `{ .. }`.
    Block(Vec<Statement>),
    /// `for (int x = start; test; x += step) body`.
    For {
        /// `x`.
        variable: Slot,
        /// The first value.
        start: Expr,
        /// Evaluated before each iteration.
        test: Expr,
        /// Added after each iteration.
        step: Expr,
        /// What is repeated.
        body: Box<Statement>,
    },
    /// `if (condition) then else otherwise`.
    If {
        /// The condition.
        condition: Expr,
        /// Where it holds.
        then: Box<Statement>,
        /// Where it does not.
        otherwise: Option<Box<Statement>>,
    },
    /// `int x = value;`.
    Declare(Slot, Expr),
    /// `S(arguments);`.
    Call {
        /// The position among [`Program::statements`].
        statement: usize,
        /// The instance.
        arguments: Vec<Expr>,
    },
}

/// Operators of two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// `a + b`.
    Add,
    /// `a - b`.
    Subtract,
    /// `a * b`.
    Multiply,
    /// `a / b`, rounded towards zero.
    Divide,
    /// `a % b`, with the sign of `a`.
    Remainder,
    /// `floord(a, b)`.
    FloorDivide,
    /// `ceild(a, b)`.
    CeilDivide,
    /// `intMod(a, b)`, which is not negative.
    Modulo,
    /// `min(a, b)`.
    Min,
    /// `max(a, b)`.
    Max,
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `a == b`.
    Equal,
    /// `a != b`.
    Different,
    /// `a < b`.
    Less,
    /// `a <= b`.
    AtMost,
    /// `a > b`.
    Greater,
    /// `a >= b`.
    AtLeast,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A number.
    Number(i128),
    /// A variable.
    Variable(Slot),
    /// `-a`.
    Negate(Box<Expr>),
    /// `!a`.
    Not(Box<Expr>),
    /// `a op b`.
    Arithmetic(Arithmetic, Box<[Expr; 2]>),
    /// `a op b`, a condition.
    Compare(Comparison, Box<[Expr; 2]>),
    /// `a && b`.
    And(Box<[Expr; 2]>),
    /// `a || b`.
    Or(Box<[Expr; 2]>),
    /// `a ? b : c`.
    Choose(Box<[Expr; 3]>),
}
