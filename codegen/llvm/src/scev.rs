//! Scalar evolution: how a value depends on the iteration of the loops around it.
//!
//! An expression is a node of a shared graph and unique in it: equal handles mean structurally equal expressions.
//! [`Scev::kind`] gives one level of it as an owned enum.

use crate::ffi::{self, ScevPtr};
use crate::handle::handle;
use crate::loops::Loop;
use crate::run::Run;
use crate::types::{Type, TypeKind};
use crate::value::{Block, Value};
use std::fmt;

handle!(
    /// A scalar-evolution expression: an integer of fixed width, or a pointer.
    Scev, ScevPtr
);

/// What is known of the wrapping of a sum, product or recurrence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flags {
    /// As unsigned numbers, the result is exact.
    pub no_unsigned_wrap: bool,
    /// As signed numbers, the result is exact.
    pub no_signed_wrap: bool,
}

/// One level of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ScevKind<'a> {
    /// A number, read as signed.
    Constant(i64),
    /// The low bits.
    Truncate(Scev<'a>),
    /// Widened as an unsigned number.
    ZeroExtend(Scev<'a>),
    /// Widened as a signed number.
    SignExtend(Scev<'a>),
    /// A sum.
    Add(Vec<Scev<'a>>, Flags),
    /// A product.
    Mul(Vec<Scev<'a>>, Flags),
    /// A quotient of unsigned numbers, rounded down.
    UDiv(Scev<'a>, Scev<'a>),
    /// `{a_0,+,a_1,+,…}<L>`: in iteration `k` of `L`, the sum of `a_i` times `k` choose `i`.
    AddRec(Loop<'a>, Vec<Scev<'a>>, Flags),
    /// The largest as unsigned numbers.
    UMax(Vec<Scev<'a>>),
    /// The largest as signed numbers.
    SMax(Vec<Scev<'a>>),
    /// The smallest as unsigned numbers.
    UMin(Vec<Scev<'a>>),
    /// The smallest as signed numbers.
    SMin(Vec<Scev<'a>>),
    /// As `UMin`, where an operand that is poison does not matter after one that is zero.
    SequentialUMin(Vec<Scev<'a>>),
    /// A value that is not looked into.
    Unknown(Value<'a>),
    /// The address that a pointer is, as an integer.
    Address,
    /// Nothing is known.
    CouldNotCompute,
    /// A constant of more than 64 bits, or another kind of node.
    Other,
}

/// The expressions that `send` sends.
fn scevs<'a>(send: impl FnOnce(ffi::PointerSink, *mut std::ffi::c_void)) -> Vec<Scev<'a>> {
    // SAFETY: the shim sends live expressions.
    ffi::collect(send)
        .into_iter()
        .map(|s| unsafe { Scev::new(s) })
        .collect()
}

impl<'a> Scev<'a> {
    /// The type; `None` for [`ScevKind::CouldNotCompute`].
    pub fn ty(self) -> Option<Type<'a>> {
        if self.kind() == ScevKind::CouldNotCompute {
            return None;
        }
        // SAFETY: the handle is a live expression with a type.
        Some(unsafe { Type::new(ffi::farkas_scev_type(self.raw)) })
    }

    /// Whether it is the address of a pointer, as an integer.
    pub fn is_address(self) -> bool {
        // SAFETY: the handle is a live expression.
        unsafe { ffi::farkas_scev_kind(self.raw) == 16 }
    }

    fn operands(self) -> Vec<Scev<'a>> {
        // SAFETY: the handle is a live expression.
        scevs(|sink, context| unsafe { ffi::farkas_scev_operands(self.raw, sink, context) })
    }

    /// One level of the expression.
    pub fn kind(self) -> ScevKind<'a> {
        // SAFETY: the handle is a live expression.
        let kind = unsafe { ffi::farkas_scev_kind(self.raw) };
        let flags = || {
            // SAFETY: the handle is a live expression.
            let bits = unsafe { ffi::farkas_scev_flags(self.raw) };
            Flags {
                no_unsigned_wrap: bits & 1 != 0,
                no_signed_wrap: bits & 2 != 0,
            }
        };
        let only = || self.operands()[0];
        match kind {
            0 => {
                let mut number = 0;
                // SAFETY: the handle is a constant.
                if unsafe { ffi::farkas_scev_constant(self.raw, &mut number) } {
                    ScevKind::Constant(number)
                } else {
                    ScevKind::Other
                }
            }
            1 => ScevKind::Truncate(only()),
            2 => ScevKind::ZeroExtend(only()),
            3 => ScevKind::SignExtend(only()),
            4 => ScevKind::Add(self.operands(), flags()),
            5 => ScevKind::Mul(self.operands(), flags()),
            6 => ScevKind::UDiv(self.operands()[0], self.operands()[1]),
            // SAFETY: the handle is a recurrence, whose loop is live.
            7 => ScevKind::AddRec(
                unsafe { Loop::new(ffi::farkas_scev_loop(self.raw)) },
                self.operands(),
                flags(),
            ),
            8 => ScevKind::UMax(self.operands()),
            9 => ScevKind::SMax(self.operands()),
            10 => ScevKind::UMin(self.operands()),
            11 => ScevKind::SMin(self.operands()),
            12 => ScevKind::SequentialUMin(self.operands()),
            // SAFETY: the handle is an unknown, whose value is live.
            13 => ScevKind::Unknown(unsafe { Value::new(ffi::farkas_scev_unknown(self.raw)) }),
            14 => ScevKind::CouldNotCompute,
            16 => ScevKind::Address,
            _ => ScevKind::Other,
        }
    }
}

impl fmt::Display for Scev<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: the handle is a live expression and the sink is the one of `collect_text`.
        f.write_str(&ffi::collect_text(|sink, context| unsafe {
            ffi::farkas_scev_print(self.raw, sink, context)
        }))
    }
}

impl fmt::Debug for Scev<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Scalar evolution's questions.
impl<'r> Run<'r> {
    /// Lets scalar evolution find all expressions anew, after instructions have come to have other operands.
    pub(crate) fn forget_expressions(&self) {
        // SAFETY: the run is live.
        unsafe { ffi::farkas_scev_forget(self.raw()) }
    }

    /// The expression of a value; `None` where its type is neither an integer nor a pointer.
    pub fn scev<'a>(&'a self, value: Value<'a>) -> Option<Scev<'a>> {
        // SAFETY: the handles are live; only values of a fitting type are asked about.
        unsafe {
            ffi::farkas_scevable(self.raw(), value.ty().raw)
                .then(|| Scev::new(ffi::farkas_scev_of(self.raw(), value.raw)))
        }
    }

    /// An expression that is congruent to the integer wherever that is not poison: what it is computed from is taken
    /// not to wrap where it is said so.
    pub fn unwrapped<'a>(&'a self, integer: Value<'a>) -> Scev<'a> {
        assert!(
            matches!(integer.ty().kind(), TypeKind::Integer(_)),
            "{integer} is an integer"
        );
        // SAFETY: the handles are live, and the second is an integer.
        unsafe { Scev::new(ffi::farkas_scev_unwrapped(self.raw(), integer.raw)) }
    }

    /// The address of a load or store, as it is whenever that is executed. That integers which it is computed from
    /// are said not to wrap counts here, since the access is undefined if they do.
    pub fn accessed<'a>(&'a self, access: Value<'a>) -> Scev<'a> {
        assert!(access.is_load_or_store(), "{access} is a load or store");
        // SAFETY: the handles are live, and the second is a load or store.
        unsafe { Scev::new(ffi::farkas_scev_accessed(self.raw(), access.raw)) }
    }

    /// The value of the expression after `l` has ended, where that can be told; otherwise the expression itself. `None`
    /// stands for the scope outside all loops.
    pub fn scev_at_scope<'a>(&'a self, scev: Scev<'a>, l: Option<Loop<'a>>) -> Scev<'a> {
        let scope = l.map_or(std::ptr::null_mut(), |l| l.raw);
        // SAFETY: the handles are live, and null stands for the outermost scope.
        unsafe { Scev::new(ffi::farkas_scev_at_scope(self.raw(), scev.raw, scope)) }
    }

    /// How often the loop's back edge is taken before the loop is left through `block`, as an unsigned number.
    pub fn exit_count<'a>(&'a self, l: Loop<'a>, block: Block<'a>) -> Scev<'a> {
        // SAFETY: the handles are live.
        unsafe { Scev::new(ffi::farkas_scev_exit_count(self.raw(), l.raw, block.raw)) }
    }

    /// The pointer that a pointer expression is based on.
    pub fn pointer_base<'a>(&'a self, scev: Scev<'a>) -> Scev<'a> {
        // SAFETY: the handle is live.
        unsafe { Scev::new(ffi::farkas_scev_pointer_base(self.raw(), scev.raw)) }
    }

    /// The distance in bytes of a pointer expression from its base.
    pub fn without_base<'a>(&'a self, scev: Scev<'a>) -> Scev<'a> {
        // SAFETY: the handle is live.
        unsafe { Scev::new(ffi::farkas_scev_without_base(self.raw(), scev.raw)) }
    }

    /// The difference; [`ScevKind::CouldNotCompute`] for pointers of different bases.
    pub fn difference<'a>(&'a self, a: Scev<'a>, b: Scev<'a>) -> Scev<'a> {
        // SAFETY: the handles are live and, as the caller sees to, of one type.
        unsafe { Scev::new(ffi::farkas_scev_minus(self.raw(), a.raw, b.raw)) }
    }

    /// The sum of two integers of one type.
    pub fn sum<'a>(&'a self, a: Scev<'a>, b: Scev<'a>) -> Scev<'a> {
        assert_eq!(a.ty(), b.ty(), "operands of a sum have one type");
        // SAFETY: the handles are live and of one type.
        unsafe { Scev::new(ffi::farkas_scev_sum(self.raw(), a.raw, b.raw)) }
    }

    /// The product of two integers of one type.
    pub fn product<'a>(&'a self, a: Scev<'a>, b: Scev<'a>) -> Scev<'a> {
        assert_eq!(a.ty(), b.ty(), "operands of a product have one type");
        // SAFETY: the handles are live and of one type.
        unsafe { Scev::new(ffi::farkas_scev_product(self.raw(), a.raw, b.raw)) }
    }

    /// A number of an integer type.
    pub fn number<'a>(&'a self, ty: Type<'a>, n: i64) -> Scev<'a> {
        // SAFETY: the type is live and, as the caller sees to, an integer.
        unsafe { Scev::new(ffi::farkas_scev_number(self.raw(), ty.raw, n)) }
    }

    /// The same signed number in 64 bits, for an integer of at most as many.
    pub fn widened<'a>(&'a self, scev: Scev<'a>) -> Scev<'a> {
        assert!(
            (1..=64).contains(&self.bits(scev)),
            "{scev} is an integer of at most 64 bits"
        );
        // SAFETY: the handle is live and, as the caller sees to, an integer of at most 64 bits.
        unsafe { Scev::new(ffi::farkas_scev_widened(self.raw(), scev.raw)) }
    }

    /// The expression with a value also where divisors in it are zero, and these divisors: where none of them is, it
    /// has not changed. Divisors that may be poison stay, and are not among them.
    pub fn total<'a>(&'a self, scev: Scev<'a>) -> (Scev<'a>, Vec<Scev<'a>>) {
        let mut total = scev;
        // SAFETY: the handle is live, and has a value.
        let divisors = scevs(|sink, context| unsafe {
            total = Scev::new(ffi::farkas_scev_total(self.raw(), scev.raw, sink, context));
        });
        (total, divisors)
    }

    /// The recurrence `{start,+,step}` of the loop; both do not change in it.
    pub fn recurrence<'a>(&'a self, l: Loop<'a>, start: Scev<'a>, step: Scev<'a>) -> Scev<'a> {
        assert_eq!(start.ty(), step.ty(), "operands of a recurrence have one type");
        // SAFETY: the handles are live and of one type.
        unsafe { Scev::new(ffi::farkas_scev_recurrence(self.raw(), start.raw, step.raw, l.raw)) }
    }

    /// Whether the expression is the same in all iterations of the loop.
    pub fn is_invariant<'a>(&'a self, scev: Scev<'a>, l: Loop<'a>) -> bool {
        // SAFETY: the handles are live.
        unsafe { ffi::farkas_scev_invariant(self.raw(), scev.raw, l.raw) }
    }

    /// The number of bits; 0 for [`ScevKind::CouldNotCompute`].
    pub fn bits<'a>(&'a self, scev: Scev<'a>) -> u32 {
        // SAFETY: the handle is live.
        unsafe { ffi::farkas_scev_bits(self.raw(), scev.raw) }
    }

    /// Bounds on the expression read as a signed number, both inclusive; `None` beyond 64 bits. They hold where the
    /// loop is entered, if one is given: conditions on the way there and assumptions are made use of.
    pub fn signed_range<'a>(&'a self, scev: Scev<'a>, before: Option<Loop<'a>>) -> Option<(i128, i128)> {
        let (mut low, mut high) = (0, 0);
        let before = before.map_or(std::ptr::null_mut(), |l| l.raw);
        // SAFETY: the handles are live, and the expression has a type (ranges are asked of computable expressions
        // only).
        let known = unsafe { ffi::farkas_scev_signed_range(self.raw(), scev.raw, before, &mut low, &mut high) };
        known.then_some((low.into(), high.into()))
    }

    /// Whether the integer is known not to be negative, read as a signed number, where the loop is entered: also by
    /// conditions of loops around it, which [`Run::signed_range`] does not look at.
    pub fn is_non_negative<'a>(&'a self, integer: Scev<'a>, before: Loop<'a>) -> bool {
        // SAFETY: the handles are live, and the expression is an integer.
        unsafe { ffi::farkas_scev_non_negative(self.raw(), integer.raw, before.raw) }
    }
}
