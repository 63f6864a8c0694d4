//! The innermost loop around lanes, of which marks may say more: that iterations go in blocks, or that elements stay in registers.
//!
//! ```text
//! if (lower < end) {
//!   load what is kept
//!   for (i = lower; i + 7 < end; i += 8) a block
//!   for (; i < end; i++) an iteration
//!   store what is kept
//! }
//! ```

use farkas_llvm::inkwell::IntPredicate;
use farkas_llvm::inkwell::values::IntValue;
use farkas_llvm::scop_ir::ArrayId;
use farkas_llvm::value::Value;
use farkas_polyhedral::ast::{For, Node};
use farkas_polyhedral::sets::Name;
use farkas_polyhedral::tree::Mark;

use super::inside_lanes::Inside;
use super::loops::Iterations;
use super::{Emitter, Hints, Lanes};
use crate::arith::{Arith, BUILDS};
use crate::statement::Statements;
use crate::vector::{self, Begin, HandedOn, PrivateCopies, Widened};

/// What marks say of a loop.
#[derive(Default)]
struct Said {
    /// The iterations of a block, and the arrays that are accessed for all of them at once.
    block: Option<(u32, Vec<Name>)>,
    /// The arrays of which elements stay in registers.
    keep: Vec<Name>,
    /// The arrays of which lanes hand on elements.
    shift: Vec<Name>,
}

impl Said {
    fn of(node: &For) -> Said {
        let mut said = Said::default();
        for text in &node.annotations {
            match Mark::from_text(text) {
                Mark::Block { iterations, arrays } => said.block = Some((iterations, arrays)),
                Mark::Keep { arrays } => said.keep = arrays,
                Mark::Shift { arrays } => said.shift = arrays,
                _ => {}
            }
        }
        said
    }
}

/// Whether a loop that has no vector code is at an end of a strip of skewed lanes.
pub(super) fn is_end(node: &For) -> bool {
    !Said::of(node).shift.is_empty()
}

/// One of several jammed iterations: the values of the iterators, and the statements.
pub(super) struct Copy<'c, 'd, 'a, 'r> {
    pub(super) iters: Vec<Option<IntValue<'a>>>,
    pub(super) widened: Vec<Widened<'c, 'd, 'a, 'r>>,
}

impl<'a, 'r> Emitter<'_, 'a, 'r> {
    /// Emits a loop over the values from `lower` to below `end` as marks say, if it has nothing but lanes in its body.
    pub(super) fn loop_around_lanes(&self, node: &For, lower: IntValue<'a>, end: IntValue<'a>) -> bool {
        let said = Said::of(node);
        let mut loops = Vec::new();
        if said.block.is_none() && said.keep.is_empty() && said.shift.is_empty()
            || !node.step.is_one()
            || !self.lanes_loops(&node.body, None, &mut loops)
        {
            return false;
        }
        let is_full = |(inner, lanes): &&(&For, Lanes)| lanes.are_iterations(inner);
        let Some((partial, lanes)) = loops.iter().find(|one| !is_full(one)) else {
            return self.around_these(node, (lower, end), &loops, true);
        };
        let is_alike = |(inner, own): &(&For, Lanes)| {
            let same_bounds = inner.lower == partial.lower && inner.upper == partial.upper;
            own.has_mask(inner) && own.lanes == lanes.lanes && same_bounds
        };
        let may_be_masked = said.shift.is_empty()
            && vector::has_same_bounds(partial, node.iter)
            && loops.iter().all(|one| is_full(&one) || is_alike(one))
            && self.around_these(node, (lower, end), &loops, false);
        if may_be_masked {
            // The bounds of the loops inside promise nothing where this one has no iterations.
            let is_entered = self.trip_counts[node.iter.0].is_entered;
            let scope = self.values.scope();
            let behind = (!is_entered).then(|| self.where_entered("farkas.entered", (lower, end)));
            self.around_partial(node, (lower, end), &loops, (partial, lanes.lanes));
            if let Some(behind) = behind {
                self.go_on_behind(behind);
            }
            drop(scope);
        }
        may_be_masked
    }

    /// Emits a loop around loops over lanes of which some have the bounds of `partial`, by which they may have less iterations than lanes.
    /// The loop has iterations here.
    fn around_partial(
        &self,
        node: &For,
        (lower, end): (IntValue<'a>, IntValue<'a>),
        loops: &[(&For, Lanes)],
        (partial, lanes): (&For, u32),
    ) {
        let masked = || {
            let scope = self.values.scope();
            let behind = self.where_entered("farkas.masked", self.bounds(partial, &self.iters));
            self.around_these(node, (lower, end), loops, true);
            self.go_on_behind(behind);
            drop(scope);
        };
        let Some((condition, _)) = vector::full(partial, lanes) else {
            return masked();
        };
        let names = ["farkas.full", "farkas.partial", "farkas.endif"];
        let [full_block, partial_block, next] = names.map(|name| self.block(name));
        let branch =
            self.builder
                .build_conditional_branch(self.arith().condition(&condition), full_block, partial_block);
        branch.expect(BUILDS);
        self.builder.position_at_end(full_block);
        let scope = self.values.scope();
        let full: Vec<(For, Lanes)> = loops
            .iter()
            .map(|(inner, own)| {
                let full = vector::full(inner, own.lanes).map(|(_, full)| full);
                (full.unwrap_or_else(|| (*inner).clone()), own.clone())
            })
            .collect();
        let full: Vec<(&For, Lanes)> = full.iter().map(|(inner, own)| (inner, own.clone())).collect();
        self.around_these(node, (lower, end), &full, true);
        drop(scope);
        self.builder.build_unconditional_branch(next).expect(BUILDS);
        self.builder.position_at_end(partial_block);
        masked();
        self.builder.build_unconditional_branch(next).expect(BUILDS);
        self.builder.position_at_end(next);
    }

    /// Emits a loop around these loops over lanes, if all of them have a vector form: this is only asked about, if `emit` is false.
    fn around_these(
        &self,
        node: &For,
        (lower, end): (IntValue<'a>, IntValue<'a>),
        loops: &[(&For, Lanes)],
        emit: bool,
    ) -> bool {
        let on_access = |original: Option<Value<'a>>, clone: Value<'a>| self.on_access(original, clone);
        let shared = self.statements(&on_access);
        let mut widened = Vec::new();
        for (inner, lanes) in loops {
            match self.widened_calls(&shared, &inner.body, &Inside::of(inner, lanes)) {
                Some(statements) => widened.extend(statements),
                None => return false,
            }
        }
        if emit {
            let iters = self.iters.clone();
            self.around(node, (lower, end), &mut [Copy { iters, widened }]);
        }
        true
    }

    /// Emits the innermost loop around lanes, as marks say, for some jammed iterations.
    pub(super) fn around(
        &self,
        node: &For,
        (lower, end): (IntValue<'a>, IntValue<'a>),
        copies: &mut [Copy<'_, '_, 'a, 'r>],
    ) {
        let said = Said::of(node);
        let is_kept = self.keep(node, &said.keep, copies);
        let handed_on = match copies {
            [copy] if !said.shift.is_empty() => self.hand_on(node, &said.shift, &mut copy.widened),
            _ => None,
        };
        let block = said.block.filter(|(iterations, arrays)| {
            let array_of = |original: Value<'a>| self.array_among(original, arrays);
            let some = copies
                .iter_mut()
                .flat_map(|copy| &mut copy.widened)
                .map(|one| one.with_block(node.iter, *iterations, &array_of));
            some.fold(false, |any, some| any | some)
        });
        let mut scope = None;
        let behind = (is_kept || handed_on.is_some()).then(|| {
            scope = Some(self.values.scope());
            let behind = self.where_entered("farkas.kept", (lower, end));
            self.for_tiles((node, lower), copies, vector::fetch);
            if let Some(handed_on) = &handed_on {
                self.prefetch(node, (lower, end), handed_on, copies);
            }
            behind
        });
        let lower = match &handed_on {
            Some(handed_on) => self.first_iterations(node, (lower, end), copies, handed_on),
            None => lower,
        };
        match block {
            Some((iterations, _)) => {
                let left = self.part(node, (lower, end), (iterations, false), copies, handed_on.as_ref());
                self.part(node, (left, end), (1, true), copies, handed_on.as_ref());
            }
            None => {
                self.part(node, (lower, end), (1, false), copies, handed_on.as_ref());
            }
        }
        if let Some(behind) = behind {
            self.for_tiles((node, lower), copies, vector::put_back);
            self.go_on_behind(behind);
            drop(scope);
        }
    }

    /// Acts on all statements, with a value for the iterator of a loop.
    fn for_each<'c, 'd>(
        &self,
        at: (&For, IntValue<'a>),
        copies: &mut [Copy<'c, 'd, 'a, 'r>],
        mut act: impl FnMut(&mut Widened<'c, 'd, 'a, 'r>, &Arith<'_, 'a>),
    ) {
        for Copy { iters, widened } in copies {
            self.with_iter(iters, at, |arith| {
                for one in widened {
                    act(self.in_class(one), arith);
                }
            });
        }
    }

    /// Acts on what is kept in all statements, with a value for the iterator of a loop. A row of a tile is of several copies of a
    /// statement: it is in none of their classes.
    fn for_tiles<'c, 'd>(
        &self,
        at: (&For, IntValue<'a>),
        copies: &mut [Copy<'c, 'd, 'a, 'r>],
        act: impl Fn(&mut [Widened<'c, 'd, 'a, 'r>], &Arith<'_, 'a>, &PrivateCopies<'a>, &Begin<'_, 'c, 'd, 'a, 'r>),
    ) {
        let begin = |one: Option<&Widened<'c, 'd, 'a, 'r>>| {
            let instances = one.map(|one| self.instances_of(one.call, Some(one.along_lanes())));
            self.instances.replace(instances.unwrap_or_default());
        };
        for Copy { iters, widened } in copies {
            self.with_iter(iters, at, |arith| act(widened, arith, &self.private, &begin));
        }
    }

    /// Keeps elements of these arrays in registers, where all statements let them. Returns whether there are any. Jammed iterations have
    /// elements of their own: no two of them access the same one, if one of them writes it.
    fn keep(&self, node: &For, arrays: &[Name], copies: &mut [Copy<'_, '_, 'a, 'r>]) -> bool {
        let array_of = |original: Value<'a>| self.array_among(original, arrays);
        let mut all: Vec<(ArrayId, bool)> = Vec::new();
        for one in copies.iter_mut().flat_map(|copy| &mut copy.widened) {
            all.extend(one.keep(node.iter, &array_of, self.subscripts, &self.private));
        }
        for (array, _) in all.iter().filter(|(_, kept)| !kept) {
            let widened = copies.iter_mut().flat_map(|copy| &mut copy.widened);
            widened.for_each(|one| one.release(*array));
        }
        all.iter().any(|(array, _)| !all.contains(&(*array, false)))
    }

    /// Lets lanes hand on elements of these arrays, if there are any that they may.
    fn hand_on(&self, node: &For, arrays: &[Name], widened: &mut [Widened<'_, '_, 'a, 'r>]) -> Option<HandedOn<'a>> {
        let array_of = |original: Value<'a>| self.array_among(original, arrays);
        HandedOn::of(widened, node.iter, &array_of, self.unfolded, &self.private)
    }

    /// Loads what the first iterations of a loop find in registers, as far as the loop has them.
    fn prefetch(
        &self,
        node: &For,
        (lower, end): (IntValue<'a>, IntValue<'a>),
        handed_on: &HandedOn<'a>,
        copies: &mut [Copy<'_, '_, 'a, 'r>],
    ) {
        for ahead in handed_on.ahead() {
            let at = self.i64.const_int(ahead as u64, false);
            let at = self.arith().sum(lower, at);
            let next = (ahead > 0).then(|| {
                let next = self.where_entered("farkas.early", (at, end));
                (next, self.values.scope())
            });
            self.for_each((node, at), copies, |one, arith| {
                one.prefetch(handed_on, ahead, arith, &self.private);
            });
            if let Some((next, scope)) = next {
                drop(scope);
                self.go_on_behind(next);
            }
        }
    }

    /// Emits the iterations in which not all that is handed on is at hand. Returns the first value that is left.
    fn first_iterations(
        &self,
        node: &For,
        (lower, end): (IntValue<'a>, IntValue<'a>),
        copies: &mut [Copy<'_, '_, 'a, 'r>],
        handed_on: &HandedOn<'a>,
    ) -> IntValue<'a> {
        let count = handed_on.first_iterations();
        if count == 0 {
            return lower;
        }
        let behind = self.arith().sum(lower, self.i64.const_int(count as u64, false));
        let until = self.least(behind, end);
        handed_on.set_start(true);
        let left = self.part(node, (lower, until), (1, true), copies, Some(handed_on));
        handed_on.set_start(false);
        left
    }

    /// Emits a loop over as many times so many iterations as there are between the bounds, which `is_rest` says are few. Returns the
    /// first value that is left.
    fn part(
        &self,
        node: &For,
        (lower, end): (IntValue<'a>, IntValue<'a>),
        (iterations, is_rest): (u32, bool),
        copies: &mut [Copy<'_, '_, 'a, 'r>],
        handed_on: Option<&HandedOn<'a>>,
    ) -> IntValue<'a> {
        let number = |number: u32| self.i64.const_int(u64::from(number), false);
        let end = match iterations {
            1 => end,
            _ => {
                let end = self.builder.build_int_nsw_sub(end, number(iterations - 1), "");
                end.expect(BUILDS)
            }
        };
        let scope = self.values.scope();
        let of_body = match iterations {
            1 => Iterations::OneByOne,
            _ => Iterations::Several,
        };
        let header = self.begin_loop(node, lower, of_body);
        let more = self
            .builder
            .build_int_compare(IntPredicate::SLT, header.iter(), end, "");
        self.enter_loop(header, Some(more.expect(BUILDS)));
        let in_buffer = self.read_for_lanes(Some((node.iter, lower)));
        for index in 0..iterations {
            let iter = match index {
                0 => header.iter(),
                _ => self.arith().sum(header.iter(), number(index)),
            };
            let index = (iterations > 1).then_some(index);
            self.for_each((node, iter), copies, |one, arith| {
                one.emit(arith, index, (&self.private, &in_buffer));
            });
            if let Some(handed_on) = handed_on {
                handed_on.advance(self.builder);
            }
        }
        let hints = Hints {
            is_vectorized: true,
            is_short: is_rest,
            ..Hints::default()
        };
        self.end_loop(header, number(iterations), None, self.loop_id(None, hints));
        drop(scope);
        header.iter()
    }

    /// The statement, of which accesses are to come: those of its copies are told apart.
    pub(super) fn in_class<'w, 'c, 'd>(&self, one: &'w mut Widened<'c, 'd, 'a, 'r>) -> &'w mut Widened<'c, 'd, 'a, 'r> {
        self.instances
            .replace(self.instances_of(one.call, Some(one.along_lanes())));
        one
    }

    /// Acts with a value for the iterator of a loop.
    fn with_iter(
        &self,
        iters: &[Option<IntValue<'a>>],
        (node, value): (&For, IntValue<'a>),
        act: impl FnOnce(&Arith<'_, 'a>),
    ) {
        let mut iters = iters.to_vec();
        iters[node.iter.0] = Some(value);
        act(&Arith {
            iters: &iters,
            ..self.arith()
        });
    }

    /// The array that a load or a store accesses, if it is one of these.
    fn array_among(&self, original: Value<'a>, arrays: &[Name]) -> Option<ArrayId> {
        let array = self.aliases.array_of(original)?;
        let name = &self.scop.arrays[array.0].name;
        arrays.iter().any(|own| own.as_str() == name).then_some(array)
    }

    /// Finds the loops over lanes in the body of a loop; false if there is anything else.
    fn lanes_loops<'n>(&self, node: &'n Node, lanes: Option<&Lanes>, loops: &mut Vec<(&'n For, Lanes)>) -> bool {
        match (node, lanes) {
            (Node::Block(nodes), None) => nodes.iter().all(|node| self.lanes_loops(node, None, loops)),
            (Node::Mark { mark, body }, _) => {
                let lanes = match mark {
                    Mark::Vector { lanes, masked, private } => Some(self.lanes_of((*lanes, *masked), private)),
                    _ => None,
                };
                self.lanes_loops(body, lanes.as_ref(), loops)
            }
            (Node::For(node), Some(lanes)) => {
                loops.push((node, lanes.clone()));
                true
            }
            _ => false,
        }
    }

    /// The statements of a node inside of a loop over lanes, if there is nothing else and all have a vector form.
    pub(super) fn widened_calls<'c>(
        &'c self,
        shared: &'c Statements<'c, 'a>,
        body: &'c Node,
        inside: &Inside<'c>,
    ) -> Option<Vec<Widened<'c, 'c, 'a, 'r>>> {
        let Inside { node, lanes, divergent } = inside;
        let widened = vector::calls(body)?.into_iter().map(|call| {
            let statement = self.statement_of(call);
            if self.copies.is_copying(&statement.name) {
                return None;
            }
            let own = (&lanes.private, &divergent[..]);
            Widened::of(self.run, shared, (statement, call), (node, lanes.lanes), own)
        });
        widened.collect()
    }
}
