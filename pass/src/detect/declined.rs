//! The reasons for which a region has no model.

use farkas_llvm::source::demangled;
use farkas_llvm::value::Value;
use farkas_polyhedral::budget::{OutOfBudget, Outcome};

/// Why a loop nest is left as it is: a message to its author.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Reason {
    #[error("the function is marked {0}")]
    Attribute(&'static str),
    #[error("an annotation asks for that")]
    AnnotatedOff,
    #[error("annotations ask for different things of its loops")]
    AnnotatedInside,
    #[error("the profile says that the function is never called")]
    NeverCalled,
    #[error("the address of a label is taken in the function")]
    LabelAddress,
    #[error("control flow is irreducible (a goto into a loop)")]
    Irreducible,
    #[error("a loop has several ways back to its start (continue)")]
    SeveralLatches,
    #[error("a scalar is carried around a loop whose iteration ends inside an inner loop")]
    LatchInside,
    #[error("a loop is entered from several places")]
    SeveralEntries,
    #[error("a loop is left from several places (break, return)")]
    SeveralExits,
    #[error("a loop is left in the middle of an iteration under a condition")]
    ConditionalExit,
    #[error("an error in the loop may lead to where what follows it may lead, too")]
    SharedError,
    #[error("whether an error occurs depends on data or on a condition that is not affine")]
    ErrorOnData,
    #[error("it always ends in an error")]
    ErrorCertain,
    #[error("a loop never ends")]
    NoExit,
    #[error("the number of iterations of a loop is not known when it starts")]
    UnknownTripCount,
    #[error("the number of iterations of a loop is not affine in outer loop counters and parameters")]
    NonAffineBound,
    #[error("a condition around a loop depends on data or is not affine in loop counters and parameters")]
    NonAffineCondition,
    #[error("a loop is marked {0}: what was asked for is left to LLVM")]
    Pragma(&'static str),
    #[error("a block ends in {0}")]
    Terminator(&'static str),
    #[error("volatile access")]
    Volatile,
    #[error("atomic access")]
    Atomic,
    #[error("access in address space {0}")]
    AddressSpace(u32),
    #[error("scalable vector")]
    ScalableVector,
    #[error("value of type token")]
    Token,
    #[error("access of type {0}")]
    OddType(String),
    #[error("stack memory is allocated in the loop")]
    Alloca,
    #[error("inline assembly")]
    InlineAsm,
    #[error("call through a pointer")]
    IndirectCall,
    #[error("call of {}, which may access memory", demangled(.0))]
    CallAccessesMemory(String),
    #[error("an access to {0} may be to errno, which a mathematical function sets")]
    Errno(String),
    #[error("call of {}, which may not return", demangled(.0))]
    CallMayNotReturn(String),
    #[error("call of {}, which is convergent", demangled(.0))]
    Convergent(String),
    #[error("call of {} with operand bundles", demangled(.0))]
    Bundles(String),
    #[error("instruction with effects that are not modelled")]
    Effects,
    #[error("the address of an access changes in a way that is not a subscript")]
    VariantBase,
    #[error("an access to {0} whose subscript is not affine may overlap {1}")]
    UnboundedAccess(String, String),
    #[error("{0} may overlap {1}, and which ones are accessed is not known before the loop")]
    UncheckedRows(String, String),
    #[error("a value that bounds or addresses depend on cannot be loaded before the loop")]
    UnsafeLoad,
    #[error("integer of {0} bits in a subscript, bound or condition")]
    WideInteger(u32),
    #[error("a value that is needed before the loop cannot be computed there")]
    NotExpandable,
    #[error("a value of type {0} is carried between statements")]
    OddScalar(String),
    #[error("nothing in it is kept: there are no stores and no results")]
    Empty,
    #[error("an expression is not affine in loop counters and parameters")]
    NotAffine,
    #[error("it was looked at before")]
    Done,
    #[error("the function is too large: what may be spent on its loops is spent")]
    LargeFunction,
}

/// A region is not modelled for a reason that its author may do something about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declined<'a> {
    /// Why.
    pub(crate) reason: Reason,
    /// The instruction that is the cause, if there is one.
    pub(crate) at: Option<Value<'a>>,
}

/// Why a step of the modelling has no result.
///
/// Steps try alternatives where one is declined. The end of the budget is no such case: it ends the whole model.
/// [`or_declined`] tells the two apart, and leaves the end of the budget to `?`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop<'a> {
    /// The step does not apply.
    Declined(Declined<'a>),
    /// The budget is spent.
    OutOfBudget,
}

/// The result of a step of the modelling.
pub(crate) type Modelled<'a, T> = Result<T, Stop<'a>>;

/// The result of a step to which there are alternatives.
///
/// # Errors
/// If the budget is spent.
pub(crate) fn or_declined<'a, T>(result: Modelled<'a, T>) -> Outcome<Result<T, Declined<'a>>> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(Stop::Declined(declined)) => Ok(Err(declined)),
        Err(Stop::OutOfBudget) => Err(OutOfBudget),
    }
}

impl<'a> Stop<'a> {
    /// Declined because of an instruction.
    pub(crate) fn at(reason: Reason, at: Value<'a>) -> Self {
        Stop::Declined(Declined { reason, at: Some(at) })
    }

    /// The instruction that is the cause, if there is one.
    pub(crate) fn cause(&self) -> Option<Value<'a>> {
        match self {
            Stop::Declined(declined) => declined.at,
            Stop::OutOfBudget => None,
        }
    }

    /// As [`Declined::because`].
    pub(crate) fn because(self, reason: Reason, at: Value<'a>) -> Self {
        match self {
            Stop::Declined(declined) => declined.because(reason, at).into(),
            Stop::OutOfBudget => Stop::OutOfBudget,
        }
    }
}

impl<'a> Declined<'a> {
    /// Replaces "not affine" by the reason that says what the expression is used for, and adds the instruction `at`
    /// if no other is known.
    pub(crate) fn because(self, reason: Reason, at: Value<'a>) -> Self {
        let reason = if self.reason == Reason::NotAffine {
            reason
        } else {
            self.reason
        };
        Declined {
            reason,
            at: self.at.or(Some(at)),
        }
    }
}

impl From<Reason> for Stop<'_> {
    fn from(reason: Reason) -> Self {
        Stop::Declined(Declined { reason, at: None })
    }
}

impl<'a> From<Declined<'a>> for Stop<'a> {
    fn from(declined: Declined<'a>) -> Self {
        Stop::Declined(declined)
    }
}

impl From<OutOfBudget> for Stop<'_> {
    fn from(OutOfBudget: OutOfBudget) -> Self {
        Stop::OutOfBudget
    }
}
