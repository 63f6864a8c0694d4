//! Vector code for a loop whose iterations are the lanes of vectors.
//!
//! A loop under a `vector` mark with exactly as many iterations as lanes, and statements in a row as its body, becomes
//! straight-line code, as far as it has all iterations where that depends on the place: the first statement for all lanes, then the second one, and so on. The mark promises that different
//! iterations access no element in common that one of them writes, so that this order is as good as the original.
//!
//! ```text
//! for (c2 = 4 * c0; c2 <= 4 * c0 + 3; c2++)      %a = load <4 x double>, ..
//!   S(c2, c1);                               ->  %b = fadd <4 x double> %a, ..
//!                                                store <4 x double> %b, ..
//! ```

mod forms;
mod lanes;

use farkas_llvm::Run;
use farkas_llvm::inkwell::values::{FunctionValue, IntValue, PointerValue};
use farkas_llvm::scop_ir::{IrStatement, LoopId, ScopIr, SlotId};
use farkas_polyhedral::ast::{Atom, Call, Condition, Expr, For, IterId, Node, Quasi, Upper};
use farkas_polyhedral::int::Int;
use indexmap::IndexMap;
use std::cell::RefCell;

use crate::arith::BUILDS;
use crate::statement::Statements;
use forms::Forms;
use lanes::{Lanes, vector_of};

/// The statements of a loop in order, if it has so many iterations and nothing but statements inside.
pub(super) fn calls_of_lanes(node: &For, lanes: u32) -> Option<Vec<&Call>> {
    let (Expr::Quasi(lower), Upper::AtMost(Expr::Quasi(upper))) = (&node.lower, &node.upper) else {
        return None;
    };
    let mut distance = upper.clone();
    distance.add_scaled(&-&Int::ONE, lower);
    if !node.step.is_one() || distance != Quasi::constant(Int::from(i64::from(lanes) - 1)) {
        return None;
    }
    match &node.body {
        Node::Call(call) => Some(vec![call]),
        Node::Block(nodes) => nodes.iter().map(as_call).collect(),
        _ => None,
    }
}

/// For a loop that may have less iterations than lanes, as the last one of a strip has: the condition under which it has all, and
/// the loop under this condition. `None` if its upper bound is no minimum of the last lane and others.
pub(super) fn full(node: &For, lanes: u32) -> Option<(Condition, For)> {
    let (Expr::Quasi(lower), Upper::AtMost(Expr::Min(bounds))) = (&node.lower, &node.upper) else {
        return None;
    };
    let last = lower.clone().plus(i64::from(lanes) - 1);
    let mut is_last = false;
    let mut conditions = Vec::new();
    for bound in bounds {
        let mut beyond = bound.as_quasi()?.clone();
        beyond.add_scaled(&-&Int::ONE, &last);
        match beyond.as_constant() {
            Some(distance) if distance.is_zero() => is_last = true,
            _ => conditions.push(Condition::NonNegative(beyond)),
        }
    }
    let full = For {
        upper: Upper::AtMost(Expr::Quasi(last)),
        ..node.clone()
    };
    is_last.then(|| (Condition::all(conditions), full))
}

fn as_call(node: &Node) -> Option<&Call> {
    match node {
        Node::Call(call) => Some(call),
        _ => None,
    }
}

/// By how much an expression grows with the iterator, where that is constant.
fn stride(expression: &Expr, iter: IterId) -> Option<i64> {
    if !expression.mentions(iter) {
        return Some(0);
    }
    let mut stride = 0;
    for (atom, coefficient) in expression.as_quasi()?.terms() {
        match atom {
            Atom::Iter(own) if *own == iter => stride = coefficient.to_i64()?,
            Atom::Iter(_) | Atom::Param(_) => {}
            Atom::Quotient(numerator, ..) | Atom::Remainder(numerator, _) => {
                if numerator.mentions(iter) {
                    return None;
                }
            }
        }
    }
    Some(stride)
}

/// The slots that each lane has a copy of: one vector for all of them.
pub(super) struct PrivateSlots<'a> {
    function: FunctionValue<'a>,
    vectors: RefCell<IndexMap<(SlotId, u32), PointerValue<'a>>>,
}

impl<'a> PrivateSlots<'a> {
    pub(super) fn new(function: FunctionValue<'a>) -> Self {
        PrivateSlots {
            function,
            vectors: RefCell::default(),
        }
    }

    /// The vector on the stack that stands for a slot, in the function's entry block, from where SROA takes it.
    fn vector(&self, scop: &ScopIr<'a>, slot: SlotId, lanes: u32) -> PointerValue<'a> {
        let make = || {
            let entry = self.function.get_first_basic_block().expect("a function with a body");
            let own = &scop.slots[slot.0];
            let ty = vector_of(own.ty.inkwell().expect("a first-class type"), lanes);
            let builder = ty.get_context().create_builder();
            builder.position_before(&entry.get_first_instruction().expect("a block with a terminator"));
            builder.build_alloca(ty, &own.name).expect(BUILDS)
        };
        *self.vectors.borrow_mut().entry((slot, lanes)).or_insert_with(make)
    }
}

/// A statement of a vector loop that has a vector form.
pub(super) struct Widened<'c, 'b, 'a, 'r> {
    pub(super) call: &'c Call,
    forms: Forms<'c, 'b, 'a, 'r>,
}

impl<'c, 'b, 'a, 'r> Widened<'c, 'b, 'a, 'r> {
    /// The statement that a call executes, with the lanes along `iter`, if it has a vector form. Each lane has a copy of the
    /// `private` slots.
    pub(super) fn of(
        run: &'a Run<'r>,
        shared: &'c Statements<'b, 'a>,
        (statement, call): (&'c IrStatement<'a>, &'c Call),
        iter: IterId,
        private: &'c [SlotId],
    ) -> Option<Self> {
        let loops = statement.loops.iter().zip(&call.arguments);
        let strides = loops.map(|(id, argument)| Some((*id, stride(argument, iter)?)));
        let strides: IndexMap<LoopId, i64> = strides.collect::<Option<_>>()?;
        let forms = Forms::of(run, shared, statement, strides, private)?;
        Some(Widened { call, forms })
    }

    /// Emits it for all lanes; `counters` are those of lane 0.
    pub(super) fn emit(self, counters: &[IntValue<'a>], lanes: u32, private: &PrivateSlots<'a>) {
        let scop = self.forms.shared.scop;
        let slot = |slot: SlotId| private.vector(scop, slot, lanes);
        Lanes::new(self.forms, counters, lanes, &slot).emit();
    }
}
