//! Loops inside of a loop that becomes lanes.
//!
//! All lanes execute an iteration of a loop inside, and then the next one. Where the bounds of such a loop differ from lane to lane, not all
//! of them have its first or last iterations ([`Growth`]).

use farkas_llvm::inkwell::IntPredicate;
use farkas_llvm::inkwell::values::IntValue;
use farkas_llvm::value::Value;
use farkas_polyhedral::ast::{For, Node, Upper};
use farkas_polyhedral::tree::Mark;

use super::around_lanes::Copy;
use super::loops::Iterations;
use super::{Emitter, Hints, Lanes};
use crate::arith::{Arith, BUILDS};
use crate::statement::Statements;
use crate::vector::{self, Growth};

/// The least iterations that run side by side where there are fewer than elsewhere: each has code of its own.
const LEAST_JAMMED: u32 = 4;

/// A loop over lanes, from inside.
#[derive(Clone)]
pub(super) struct Inside<'c> {
    pub(super) node: &'c For,
    pub(super) lanes: &'c Lanes,
    /// The loops between in which not all lanes may have an iteration.
    pub(super) divergent: Vec<&'c For>,
}

impl<'c> Inside<'c> {
    pub(super) fn of(node: &'c For, lanes: &'c Lanes) -> Self {
        Inside {
            node,
            lanes,
            divergent: Vec::new(),
        }
    }

    /// The same inside of a loop in which not all lanes may have an iteration.
    fn diverging(&self, node: &'c For) -> Self {
        let divergent = self.divergent.iter().copied().chain([node]).collect();
        Inside {
            divergent,
            ..self.clone()
        }
    }
}

impl<'a, 'r> Emitter<'_, 'a, 'r> {
    /// Emits vector code for a loop with the lanes of the mark as its iterations.
    pub(super) fn full_vector_loop(&mut self, node: &For) -> bool {
        let is_full = |lanes: &Lanes| lanes.are_iterations(node);
        self.lanes.as_ref().is_some_and(is_full) && self.vector_loop(node, true)
    }

    /// Emits vector code for a loop, if it has the lanes of the mark as its iterations, or some of them and at least one, all statements
    /// have a vector form, and loops inside have bounds: this is only asked about, if `emit` is false.
    pub(super) fn vector_loop(&mut self, node: &For, emit: bool) -> bool {
        let Some(lanes) = self.lanes.clone() else {
            return false;
        };
        let on_access = |original: Option<Value<'a>>, clone: Value<'a>| self.on_access(original, clone);
        let shared = self.statements(&on_access);
        let inside = Inside::of(node, &lanes);
        if self.in_ends
            || !(lanes.are_iterations(node) || lanes.has_mask(node))
            || !self.is_in_lanes(&shared, &node.body, &inside)
        {
            return false;
        }
        if !emit {
            return true;
        }
        self.in_lanes(&shared, &node.body, &inside, std::slice::from_ref(&self.iters));
        self.has_vectors = true;
        true
    }

    /// Emits so many vectors side by side: the iterations of a loop with nothing but a loop over lanes inside, if it has so many, all lanes are in
    /// each, and loops inside of these have the same bounds in all of them.
    pub(super) fn jammed_vectors(&mut self, node: &For, iterations: u32) -> bool {
        let Node::Mark {
            mark: Mark::Vector { lanes, masked, private },
            body,
        } = &node.body
        else {
            return false;
        };
        let Node::For(along) = &**body else { return false };
        let lanes = self.lanes_of((*lanes, *masked), private);
        let are_alike = |iter| vector::have_same_bounds(&along.body, iter);
        if !node.has_iterations(iterations)
            || !lanes.are_iterations(along)
            || !are_alike(node.iter)
            || !are_alike(along.iter)
        {
            return false;
        }
        let on_access = |original: Option<Value<'a>>, clone: Value<'a>| self.on_access(original, clone);
        let shared = self.statements(&on_access);
        let inside = Inside::of(along, &lanes);
        if self.in_ends || !self.is_in_lanes(&shared, &along.body, &inside) {
            return false;
        }
        let lower = self.bounds(node, &self.iters).0;
        let copies = self.successive((node, lower), &self.iters, iterations);
        self.in_lanes(&shared, &along.body, &inside, &copies);
        self.has_vectors = true;
        true
    }

    /// The values of iterators in so many iterations of a loop, from one on.
    fn successive(
        &self,
        (node, first): (&For, IntValue<'a>),
        around: &[Option<IntValue<'a>>],
        iterations: u32,
    ) -> Vec<Vec<Option<IntValue<'a>>>> {
        let copy = |position: u32| {
            let value = self.i64.const_int(u64::from(position), false);
            let mut iters = around.to_vec();
            iters[node.iter.0] = Some(self.arith().sum(first, value));
            iters
        };
        (0..iterations).map(copy).collect()
    }

    /// Whether a node inside of a loop over lanes is all statements with a vector form, and loops whose bounds are the same in all lanes, or
    /// differ in one direction.
    fn is_in_lanes<'c>(&'c self, shared: &'c Statements<'c, 'a>, node: &'c Node, inside: &Inside<'c>) -> bool {
        match node {
            Node::Block(nodes) => nodes.iter().all(|node| self.is_in_lanes(shared, node, inside)),
            Node::For(inner) if vector::has_same_bounds(inner, inside.node.iter) => {
                self.is_in_lanes(shared, &inner.body, inside)
            }
            Node::For(inner) => {
                vector::growth(inner, inside.node.iter).is_some()
                    && self.is_in_lanes(shared, &inner.body, inside)
                    && self.is_in_lanes(shared, &inner.body, &inside.diverging(inner))
            }
            Node::Mark { mark, body } => !matches!(mark, Mark::Vector { .. }) && self.is_in_lanes(shared, body, inside),
            Node::Call(_) => self.widened_calls(shared, node, inside).is_some(),
            Node::If {
                condition,
                then,
                otherwise,
            } => {
                let ways = || [Some(&**then), otherwise.as_deref()].into_iter().flatten();
                condition.is_invariant() && ways().all(|way| self.is_in_lanes(shared, way, inside))
            }
        }
    }

    /// Emits a node inside of a loop over lanes for all of them, and for jammed iterations, which are given by the values of
    /// the iterators.
    fn in_lanes<'c>(
        &'c self,
        shared: &'c Statements<'c, 'a>,
        node: &'c Node,
        inside: &Inside<'c>,
        copies: &[Vec<Option<IntValue<'a>>>],
    ) {
        let inner = match node {
            Node::Block(nodes) => {
                return nodes
                    .iter()
                    .for_each(|node| self.in_lanes(shared, node, inside, copies));
            }
            Node::Mark { mark, body } => {
                return match (mark, &**body) {
                    (Mark::Jam { iterations, .. }, Node::For(inner)) => {
                        self.jammed(shared, inner, inside, (*iterations, copies));
                    }
                    _ => self.in_lanes(shared, body, inside, copies),
                };
            }
            Node::Call(_) => {
                // The last loop around may be one inside of the lanes.
                let in_buffer = self.read_for_lanes(None);
                for mut copy in self.copies_of(shared, node, inside, copies).into_iter().flatten() {
                    let arith = Arith {
                        iters: &copy.iters,
                        ..self.arith()
                    };
                    for one in &mut copy.widened {
                        self.in_class(one).emit(&arith, None, (&self.private, &in_buffer));
                    }
                }
                return;
            }
            Node::If {
                condition,
                then,
                otherwise,
            } => {
                // It is the same in all lanes, and in all copies.
                let holds = self.arith().condition(condition);
                let way = |node| self.in_lanes(shared, node, inside, copies);
                return self.either(holds, &|| way(then), &|| otherwise.iter().for_each(|node| way(node)));
            }
            Node::For(inner) => inner,
        };
        self.loop_in_lanes(shared, inner, inside, copies);
    }

    /// Emits one thing where a condition holds, and else another one. The builder comes to stand behind both.
    fn either(&self, holds: IntValue<'a>, then: &dyn Fn(), otherwise: &dyn Fn()) {
        let names = ["farkas.then", "farkas.else", "farkas.endif"];
        let [then_block, else_block, next] = names.map(|name| self.block(name));
        let branch = self.builder.build_conditional_branch(holds, then_block, else_block);
        branch.expect(BUILDS);
        for (block, emit) in [(then_block, then), (else_block, otherwise)] {
            self.builder.position_at_end(block);
            let scope = self.values.scope();
            emit();
            drop(scope);
            self.builder.build_unconditional_branch(next).expect(BUILDS);
        }
        self.builder.position_at_end(next);
    }

    /// Emits a loop inside of lanes.
    fn loop_in_lanes<'c>(
        &'c self,
        shared: &'c Statements<'c, 'a>,
        node: &'c For,
        inside: &Inside<'c>,
        copies: &[Vec<Option<IntValue<'a>>>],
    ) {
        match vector::has_same_bounds(node, inside.node.iter) {
            true => self.part_in_lanes(shared, (node, self.bounds(node, &copies[0])), inside, copies),
            false => self.divergent_loop(shared, node, inside, copies),
        }
    }

    /// Emits a loop inside of lanes whose bounds differ from lane to lane: the iterations that all lanes have, and those before and behind
    /// them.
    fn divergent_loop<'c>(
        &'c self,
        shared: &'c Statements<'c, 'a>,
        node: &'c For,
        inside: &Inside<'c>,
        copies: &[Vec<Option<IntValue<'a>>>],
    ) {
        let around = inside.node;
        let growth = vector::growth(node, around.iter).expect("bounds that differ in one direction");
        let (first, behind) = self.bounds(around, &copies[0]);
        let last = self.builder.build_int_nsw_sub(behind, self.i64.const_int(1, false), "");
        let in_lane = |lane| {
            let mut iters = copies[0].clone();
            iters[around.iter.0] = Some(lane);
            self.bounds(node, &iters)
        };
        let (first, last) = (in_lane(first), in_lane(last.expect(BUILDS)));
        // The least and the greatest value of each bound.
        let ordered = |growth, first, last| match growth {
            Growth::Shrinks => (last, first),
            Growth::Constant | Growth::Grows => (first, last),
        };
        let (begin, begun) = ordered(growth[0], first.0, last.0);
        let (ended, end) = ordered(growth[1], first.1, last.1);
        let diverging = inside.diverging(node);
        let mut next = begun;
        if growth[0] != Growth::Constant {
            next = self.least(begun, end);
            self.part_in_lanes(shared, (node, (begin, next)), &diverging, copies);
        }
        self.part_in_lanes(shared, (node, (next, ended)), inside, copies);
        if growth[1] != Growth::Constant {
            let next = self.greatest(next, ended);
            self.part_in_lanes(shared, (node, (next, end)), &diverging, copies);
        }
    }

    /// Emits the iterations of a loop inside of lanes from one value to below another one.
    fn part_in_lanes<'c>(
        &'c self,
        shared: &'c Statements<'c, 'a>,
        (node, (lower, end)): (&'c For, (IntValue<'a>, IntValue<'a>)),
        inside: &Inside<'c>,
        copies: &[Vec<Option<IntValue<'a>>>],
    ) {
        if node.step.is_one()
            && let Some(mut copies) = self.copies_of(shared, &node.body, inside, copies)
        {
            self.around(node, (lower, end), &mut copies);
            return;
        }
        let scope = self.values.scope();
        let header = self.begin_loop(node, lower, Iterations::OneByOne);
        let more = self
            .builder
            .build_int_compare(IntPredicate::SLT, header.iter(), end, "");
        self.enter_loop(header, Some(more.expect(BUILDS)));
        let mut iterations = copies.to_vec();
        iterations
            .iter_mut()
            .for_each(|iters| iters[node.iter.0] = Some(header.iter()));
        self.in_lanes(shared, &node.body, inside, &iterations);
        let step = self.arith().constant(&node.step);
        self.end_loop(header, step, None, self.loop_id(None, Hints::default()));
        drop(scope);
    }

    /// The bounds of a loop, the upper one excluded, by these values of the iterators around.
    pub(super) fn bounds(&self, node: &For, iters: &[Option<IntValue<'a>>]) -> (IntValue<'a>, IntValue<'a>) {
        let arith = Arith { iters, ..self.arith() };
        let Upper::AtMost(upper) = &node.upper else {
            unreachable!("loops in lanes, and with a known number of iterations, have bounds")
        };
        let end = arith.sum(arith.expr(upper), self.i64.const_int(1, false));
        (arith.expr(&node.lower), end)
    }

    /// The statements of a node for all jammed iterations, if there is nothing else in it and all have a vector form.
    fn copies_of<'c>(
        &'c self,
        shared: &'c Statements<'c, 'a>,
        node: &'c Node,
        inside: &Inside<'c>,
        copies: &[Vec<Option<IntValue<'a>>>],
    ) -> Option<Vec<Copy<'c, 'c, 'a, 'r>>> {
        let copy = |(position, iters): (usize, &Vec<Option<IntValue<'a>>>)| {
            let widened = self.widened_calls(shared, node, inside)?.into_iter();
            Some(Copy {
                iters: iters.clone(),
                widened: widened.map(|one| one.in_copy(position as u32)).collect(),
            })
        };
        copies.iter().enumerate().map(copy).collect()
    }

    /// Emits a loop inside of lanes with so many iterations of each copy side by side, if it has so many in all lanes, and loops inside have the same
    /// bounds in all of them; one after the other if not. It has the same bounds in all copies.
    fn jammed<'c>(
        &'c self,
        shared: &'c Statements<'c, 'a>,
        node: &'c For,
        inside: &Inside<'c>,
        (iterations, copies): (u32, &[Vec<Option<IntValue<'a>>>]),
    ) {
        let iters = &copies[0];
        let side_by_side = || {
            let lower = self.bounds(node, iters).0;
            let copies = copies.iter();
            let copies = copies.flat_map(|around| self.successive((node, lower), around, iterations));
            let copies: Vec<_> = copies.collect();
            self.in_lanes(shared, &node.body, inside, &copies);
        };
        let may_be = vector::has_same_bounds(node, inside.node.iter) && vector::have_same_bounds(&node.body, node.iter);
        match vector::full(node, iterations) {
            _ if may_be && node.has_iterations(iterations) => side_by_side(),
            Some((condition, _)) if may_be => {
                let arith = Arith { iters, ..self.arith() };
                let names = ["farkas.full", "farkas.partial", "farkas.endif"];
                let [full, partial, next] = names.map(|name| self.block(name));
                let branch = self
                    .builder
                    .build_conditional_branch(arith.condition(&condition), full, partial);
                branch.expect(BUILDS);
                self.builder.position_at_end(full);
                let scope = self.values.scope();
                side_by_side();
                drop(scope);
                self.builder.build_unconditional_branch(next).expect(BUILDS);
                self.builder.position_at_end(partial);
                let scope = self.values.scope();
                self.fewer_jammed(shared, node, inside, (iterations, copies));
                drop(scope);
                self.builder.build_unconditional_branch(next).expect(BUILDS);
                self.builder.position_at_end(next);
            }
            _ if may_be => self.fewer_jammed(shared, node, inside, (iterations, copies)),
            _ => self.loop_in_lanes(shared, node, inside, copies),
        }
    }

    /// Emits a loop of fewer iterations than are jammed elsewhere: half as many side by side, if these are several, and those left one by one.
    fn fewer_jammed<'c>(
        &'c self,
        shared: &'c Statements<'c, 'a>,
        node: &'c For,
        inside: &Inside<'c>,
        (iterations, copies): (u32, &[Vec<Option<IntValue<'a>>>]),
    ) {
        let half = iterations / 2;
        if half < LEAST_JAMMED {
            return self.loop_in_lanes(shared, node, inside, copies);
        }
        let (lower, end) = self.bounds(node, &copies[0]);
        let scope = self.values.scope();
        let header = self.begin_loop(node, lower, Iterations::Several);
        let number = |number: u32| self.i64.const_int(u64::from(number), false);
        let last = self.arith().sum(header.iter(), number(half - 1));
        let more = self.builder.build_int_compare(IntPredicate::SLT, last, end, "");
        self.enter_loop(header, Some(more.expect(BUILDS)));
        let side_by_side = copies
            .iter()
            .flat_map(|around| self.successive((node, header.iter()), around, half));
        let side_by_side: Vec<_> = side_by_side.collect();
        self.in_lanes(shared, &node.body, inside, &side_by_side);
        let hints = Hints {
            is_short: true,
            ..Hints::default()
        };
        self.end_loop(header, number(half), None, self.loop_id(None, hints));
        drop(scope);
        self.part_in_lanes(shared, (node, (header.iter(), end)), inside, copies);
    }
}
