//! Vector code for a loop whose iterations are the lanes of vectors.
//!
//! A loop under a `vector` mark with exactly as many iterations as lanes, and statements in a row as its body, becomes
//! straight-line code, as far as it has all iterations where that depends on the place: the first statement for all lanes, then the
//! second one, and so on. The mark promises that different iterations access no element in common that one of them writes, so that this order is as good as the original.
//!
//! ```text
//! for (c2 = 4 * c0; c2 <= 4 * c0 + 3; c2++)      %a = load <4 x double>, ..
//!   S(c2, c1);                               ->  %b = fadd <4 x double> %a, ..
//!                                                store <4 x double> %b, ..
//! ```

//! Loops inside stay around: all lanes execute an iteration of them, and then the next one. Where their bounds differ from lane to lane,
//! they are [divergent].
//!
//! Around the lanes, a loop with a `block` mark is unrolled, and some accesses are made for a [block] of
//! iterations at once. With a `keep` mark, some elements stay in [registers](keep). With a `shift` mark, lanes [hand on](shift) values.

mod accesses;
mod block;
mod divergent;
mod forms;
mod keep;
mod lanes;
mod masked;
mod masks;
mod private;
mod shift;
mod shuffle;
mod strided;
mod tile;
mod transpose;

use farkas_llvm::Run;
use farkas_llvm::inkwell::IntPredicate;
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::types::VectorType;
use farkas_llvm::inkwell::values::{BasicValueEnum, IntValue};
use farkas_llvm::scop_ir::{ArrayId, IrStatement, LoopId};
use farkas_llvm::value::Value;
use farkas_polyhedral::ast::{Atom, Call, Condition, Expr, For, IterId, Node, Quasi, Upper};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::tree::Mark;
use indexmap::IndexMap;
use std::rc::Rc;

use crate::arith::{Arith, BUILDS};
use crate::statement::Statements;
use crate::subscripts::Subscripts;
use block::InBlock;
pub(super) use divergent::{Growth, growth};
use forms::Forms;
use keep::Kept;
use lanes::{Lanes, splat, vector_of};
use masks::Active;
pub(crate) use masks::any_lane;
pub(super) use private::{Private, PrivateCopies};
use shift::{Place, Prefetch, Shifts};
pub(super) use tile::{Begin, fetch, put_back};

/// What the instance that a call executes reads in a buffer in place of a value, if it is there; evaluated by the iterators that are given.
pub(super) type InBuffer<'f, 'a> = dyn Fn(&Arith<'_, 'a>, &Call, Value<'a>) -> Option<BasicValueEnum<'a>> + 'f;

/// The statements of a node in order, if there is nothing else.
pub(super) fn calls(node: &Node) -> Option<Vec<&Call>> {
    match node {
        Node::Call(call) => Some(vec![call]),
        Node::Block(nodes) => Some(nodes.iter().map(calls).collect::<Option<Vec<_>>>()?.concat()),
        Node::Mark { mark, body } if !matches!(mark, Mark::Vector { .. }) => calls(body),
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

/// Whether the bounds of a loop are the same in all iterations of one around it.
pub(super) fn has_same_bounds(node: &For, around: IterId) -> bool {
    let upper = match &node.upper {
        Upper::AtMost(upper) => !upper.mentions(around),
        Upper::While(_) | Upper::Unbounded => false,
    };
    upper && !node.lower.mentions(around)
}

/// Whether all loops in a node, and no conditions, have the same bounds in all iterations of a loop around it.
pub(super) fn have_same_bounds(node: &Node, around: IterId) -> bool {
    match node {
        Node::Block(nodes) => nodes.iter().all(|node| have_same_bounds(node, around)),
        Node::For(node) => has_same_bounds(node, around) && have_same_bounds(&node.body, around),
        Node::Mark { body, .. } => have_same_bounds(body, around),
        Node::Call(_) => true,
        Node::If { .. } => false,
    }
}

/// By how much an expression grows with the iterator, where that is constant.
pub(super) fn stride(expression: &Expr, iter: IterId) -> Option<i64> {
    if !expression.mentions(iter) {
        return Some(0);
    }
    stride_of(expression.as_quasi()?, iter)
}

/// The same of a quasi-affine expression.
fn stride_of(expression: &Quasi, iter: IterId) -> Option<i64> {
    let mut stride = 0;
    for (atom, coefficient) in expression.terms() {
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

/// A statement of a vector loop that has a vector form.
pub(super) struct Widened<'c, 'b, 'a, 'r> {
    pub(super) call: &'c Call,
    /// The number of lanes.
    lanes: u32,
    /// The iterator that the lanes are along.
    iter: IterId,
    /// What is outside of the lanes' loop.
    lower: &'c Expr,
    /// The upper bound of the lanes' loop, if it may have less iterations than lanes.
    upper: Option<&'c Expr>,
    /// The loops inside of lanes, but around it, in which not all lanes may have an iteration.
    divergent: Vec<&'c For>,
    forms: Forms<'c, 'b, 'a, 'r>,
    block: Option<InBlock<'a>>,
    kept: Kept<'a>,
    /// What it hands on, and its place among those that do.
    shifts: Option<(Rc<Shifts<'a>>, Place)>,
    /// The position among jammed iterations.
    copy: u32,
}

impl<'c, 'b, 'a, 'r> Widened<'c, 'b, 'a, 'r> {
    /// The statement that a call executes in a loop over so many lanes, if it has a vector form. The loop has as many iterations, or
    /// less, at least one. Each lane has a copy of what is `private`. In the loops of `divergent` not all lanes may have an iteration.
    pub(super) fn of(
        run: &'a Run<'r>,
        shared: &'c Statements<'b, 'a>,
        (statement, call): (&'c IrStatement<'a>, &'c Call),
        (node, lanes): (&'c For, u32),
        (private, divergent): (&'c Private, &[&'c For]),
    ) -> Option<Self> {
        let strides = strides(statement, call, node.iter)?;
        let forms = Forms::of(run, shared, statement, strides, (private, !divergent.is_empty()))?;
        Some(Widened {
            call,
            lanes,
            iter: node.iter,
            lower: &node.lower,
            upper: match &node.upper {
                Upper::AtMost(upper) if !node.has_iterations(lanes) => Some(upper),
                _ => None,
            },
            divergent: divergent.to_vec(),
            forms,
            block: None,
            kept: Kept::default(),
            shifts: None,
            copy: 0,
        })
    }

    /// The statement in one of several jammed iterations.
    pub(super) fn in_copy(self, copy: u32) -> Self {
        Widened { copy, ..self }
    }

    /// Makes accesses to some arrays for a block of iterations of the loop over `iter` at once: those that `array_of`
    /// has for originals. Returns whether there are any.
    pub(super) fn with_block(
        &mut self,
        iter: IterId,
        iterations: u32,
        array_of: &dyn Fn(Value<'a>) -> Option<ArrayId>,
    ) -> bool {
        let Some(mut inner) = self.along(iter) else {
            return false;
        };
        let block = InBlock::of(&mut self.forms, &mut inner, iterations, array_of);
        let found = !block.accesses.is_empty();
        self.block = Some(block);
        found
    }

    /// Keeps elements of some arrays in registers along the loop over `iter`, as far as all accesses stay the same.
    /// Returns the arrays that it accesses, with whether they are kept: if they are not in another statement, they have
    /// to be [released](Self::release).
    pub(super) fn keep(
        &mut self,
        iter: IterId,
        array_of: &dyn Fn(Value<'a>) -> Option<ArrayId>,
        subscripts: &Subscripts<'a>,
        private: &PrivateCopies<'a>,
    ) -> Vec<(ArrayId, bool)> {
        let Some(mut inner) = self.along(iter) else {
            let accesses = block::accesses(&self.forms).into_iter();
            let arrays = accesses.filter_map(|(access, _)| array_of(access.original));
            return arrays.map(|array| (array, false)).collect();
        };
        let lanes = self.lanes;
        let register = |ty, name: &str| private.register(vector_of(ty, lanes), name);
        let name = self.forms.statement.name.clone();
        let of_store = |original| subscripts.get(&name, original, true);
        let found = keep::elements(&mut self.forms, &mut inner, array_of, &of_store, &register);
        let arrays = found
            .iter()
            .map(|(array, elements)| (*array, !elements.is_empty()))
            .collect();
        self.kept.elements = found.into_values().flatten().collect();
        arrays
    }

    /// Keeps no elements of an array.
    pub(super) fn release(&mut self, array: ArrayId) {
        self.kept.elements.retain(|element| element.array != array);
    }

    /// Loads lanes of what others will have handed on in the first iterations of a loop. `arith` knows the iterators outside, in the
    /// iteration that is `ahead` of the first one.
    pub(super) fn prefetch(
        &mut self,
        handed_on: &HandedOn<'a>,
        ahead: i64,
        arith: &Arith<'_, 'a>,
        private: &PrivateCopies<'a>,
    ) {
        let Some((_, place)) = self.shifts else { return };
        self.on_lanes(arith, None, private, |lanes| {
            let own = handed_on
                .prefetches
                .iter()
                .filter(|one| one.ahead == ahead && one.is_at(place));
            own.for_each(|prefetch| lanes.prefetch(prefetch));
        });
    }

    /// The forms along the loop around the lanes' loop, if lanes begin at the same iteration of their loop all over it.
    fn along(&self, iter: IterId) -> Option<Forms<'c, 'b, 'a, 'r>> {
        let Forms {
            run,
            shared,
            statement,
            private,
            ..
        } = self.forms;
        let strides = match self.lower.mentions(iter) {
            true => None,
            false => strides(statement, self.call, iter),
        };
        let diverge = !self.divergent.is_empty();
        Some(Forms::along(run, shared, statement, strides?, (private, diverge)))
    }

    /// The iterator that the lanes are along, its value in the first one, and the number of lanes.
    pub(super) fn along_lanes(&self) -> (IterId, &'c Expr, u32) {
        (self.iter, self.lower, self.lanes)
    }

    /// Emits it for all lanes. `arith` knows the iterators outside; `iteration` is that of the block.
    pub(super) fn emit(
        &mut self,
        arith: &Arith<'_, 'a>,
        iteration: Option<u32>,
        (private, in_buffer): (&PrivateCopies<'a>, &InBuffer<'_, 'a>),
    ) {
        let call = self.call;
        let in_buffer = |value| in_buffer(arith, call, value);
        self.on_lanes_reading(arith, iteration, private, &in_buffer, |lanes| lanes.emit());
    }

    /// The lanes that have an iteration in a loop with these bounds.
    fn active(&self, arith: &Arith<'_, 'a>, (lower, upper): (IntValue<'a>, &Expr)) -> Active<'a> {
        let i64 = arith.i64;
        let (builder, one) = (arith.builder, i64.const_int(1, false));
        let last = builder.build_int_sub(arith.expr(upper), lower, "").expect(BUILDS);
        let count = builder.build_int_add(last, one, "").expect(BUILDS);
        let numbers: Vec<IntValue<'a>> = (0..u64::from(self.lanes))
            .map(|lane| i64.const_int(lane, false))
            .collect();
        let counts = splat(builder, count.into(), self.lanes);
        let mask = builder.build_int_compare(IntPredicate::ULT, VectorType::const_vector(&numbers), counts, "");
        let mask = mask.expect(BUILDS);
        Active { count, mask }
    }

    fn on_lanes(
        &mut self,
        arith: &Arith<'_, 'a>,
        iteration: Option<u32>,
        private: &PrivateCopies<'a>,
        act: impl FnOnce(&mut Lanes<'_, 'c, 'b, 'a, 'r>),
    ) {
        self.on_lanes_reading(arith, iteration, private, &|_| None, act);
    }

    /// The same, with what is read in buffers.
    fn on_lanes_reading(
        &mut self,
        arith: &Arith<'_, 'a>,
        iteration: Option<u32>,
        private: &PrivateCopies<'a>,
        in_buffer: &dyn Fn(Value<'a>) -> Option<BasicValueEnum<'a>>,
        act: impl FnOnce(&mut Lanes<'_, 'c, 'b, 'a, 'r>),
    ) {
        let mut iters = arith.iters.to_vec();
        let lower = arith.expr(self.lower);
        iters[self.iter.0] = Some(lower);
        let active = self.upper.map(|upper| self.active(arith, (lower, upper)));
        let arith = Arith {
            iters: &iters,
            ..*arith
        };
        let counters: Vec<IntValue<'a>> = self.call.arguments.iter().map(|a| arith.expr(a)).collect();
        let lanes = self.lanes;
        let both = |one, other| arith.builder.build_and(one, other, "").expect(BUILDS);
        let diverging = self.divergent.iter();
        let own = diverging.map(|node| divergent::mask(node, (self.iter, lanes), &arith));
        let own = own.chain(active.map(|active| active.mask).filter(|_| !self.divergent.is_empty()));
        let own = own.reduce(both);
        let place = private::CopyKey { lanes, copy: self.copy };
        let block = iteration.zip(self.block.as_mut());
        let shifts = self.shifts.clone();
        act(&mut Lanes::new(
            &mut self.forms,
            &counters,
            (lanes, active, own),
            (
                block,
                &self.kept,
                shifts.as_ref().map(|(shifts, place)| (&**shifts, *place)),
            ),
            (private, place),
            in_buffer,
        ));
    }
}

/// What the lanes of the statements in the body of a loop hand on.
pub(super) struct HandedOn<'a> {
    shifts: Rc<Shifts<'a>>,
    prefetches: Vec<Prefetch<'a>>,
}

impl<'a> HandedOn<'a> {
    /// Lets statements in the body of the loop over `iter` hand on what they access of the arrays that `array_of` has for
    /// originals. `None` if that is nothing.
    pub(super) fn of(
        body: &mut [Widened<'_, '_, 'a, '_>],
        iter: IterId,
        array_of: &dyn Fn(Value<'a>) -> Option<ArrayId>,
        subscripts: &Subscripts<'a>,
        private: &PrivateCopies<'a>,
    ) -> Option<Self> {
        let (shifts, places) = Shifts::of(body, iter, array_of, subscripts, private)?;
        let shifts = Rc::new(shifts);
        for (one, place) in body.iter_mut().zip(places) {
            one.shifts = Some((Rc::clone(&shifts), place));
        }
        let prefetches = shifts.prefetches();
        Some(HandedOn { shifts, prefetches })
    }

    /// The iterations beyond the first one in which what is loaded before the loop would be, in order.
    pub(super) fn ahead(&self) -> Vec<i64> {
        let mut ahead: Vec<i64> = self.prefetches.iter().map(|one| one.ahead).collect();
        ahead.sort_unstable();
        ahead.dedup();
        ahead
    }

    /// The number of iterations in which what may not be loaded before the loop is read from memory.
    pub(super) fn first_iterations(&self) -> i64 {
        self.shifts.first_iterations()
    }

    /// Says whether the iterations that follow are the first ones.
    pub(super) fn set_start(&self, is_start: bool) {
        self.shifts.set_start(is_start);
    }

    /// Ends an iteration.
    pub(super) fn advance(&self, builder: &Builder<'a>) {
        self.shifts.advance(builder);
    }
}

/// By how much the counter of each loop around a statement grows with the iterator, where that is constant.
fn strides(statement: &IrStatement<'_>, call: &Call, iter: IterId) -> Option<IndexMap<LoopId, i64>> {
    let loops = statement.loops.iter().zip(&call.arguments);
    let strides = loops.map(|(id, argument)| Some((*id, stride(argument, iter)?)));
    strides.collect()
}
