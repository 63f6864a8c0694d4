//! If-conversion: conditions within a statement become masks of lanes.
//!
//! A statement of several blocks is emitted without its branches: each block once, in topological order, for all lanes, under a
//! *mask* of the lanes that execute it.
//!
//! ```text
//! if (a[i] > t) s[i] += a[i];    ->    %a = load <8 x double>, ..
//!                                      %m = fcmp ogt <8 x double> %a, %t
//!                                      %s = masked load, %m      %r = fadd %s, %a      masked store %r, %m
//! ```
//!
//! The *rest* of a loop may have fewer iterations than there are lanes. The other lanes are off in all blocks: [`Active`] has those that
//! are on. They are lane 0 and some that follow it.
//!
//! Why that is right:
//!
//! - No mask is poison in any lane. A lane goes along an edge if it executes the block before it and the branch goes there: `select
//!   before, condition, false`. Where the lane executes the block, the original branches on the condition, which would be undefined if
//!   it were poison. Where it does not, the select leaves it out.
//! - What a lane that is off computes may be poison, and reaches selects that do not choose it and accesses that leave the lane out. Phis,
//!   and values for scalar slots behind the statement, are selects by the masks of the edges.
//! - Addresses and what else is computed for lane 0 only, although it may be off or not use them, have no flags by which they could be
//!   poison: all lanes follow from them.
//! - Nothing that is executed in a lane that is off is undefined there: divisors are 1, and memory is not accessed. A division or a call
//!   under a condition has a vector form also where it is the same in all lanes, as a scalar it would be executed in any case.
//! - Stores to one address of which each instance executes one, as in both arms of a condition, are one store behind the statement,
//!   where no access of the array comes between. So is one that [may be made](IrStatement::unconditional) in any case, of what is there in lanes that
//!   do not execute it. Loads that may be made in any case are made in all lanes, where they stand.
//! - Each lane accesses memory in the order of the original. Different lanes access nothing in common that one of them writes, which
//!   the mark of the lanes promises of all accesses under conditions, too.

use std::num::NonZeroU32;

use farkas_llvm::Run;
use farkas_llvm::inkwell::IntPredicate;
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::types::VectorType;
use farkas_llvm::inkwell::values::{InstructionOpcode, IntValue, VectorValue};
use farkas_llvm::scop_ir::{IrStatement, ScopIr, Written};
use farkas_llvm::value::{Block, Kind, Value};
use indexmap::{IndexMap, IndexSet};

use super::accesses::Access;
use super::forms::Form;
use super::lanes::Lanes;
use crate::arith::BUILDS;
use crate::branches::{selected, taken};

/// How far integers of subscripts are looked at for what they are computed from.
const MOST_DEEP: u32 = 4;

/// The lanes that execute something; `None` for all that are active.
pub(super) type Mask<'a> = Option<VectorValue<'a>>;

/// The lanes that have an iteration, at least one.
#[derive(Clone, Copy)]
pub(super) struct Active<'a> {
    pub(super) count: IntValue<'a>,
    pub(super) mask: VectorValue<'a>,
}

/// What some instances of a statement do not execute.
pub(super) struct Conditions<'a> {
    /// Whether some lanes have no instance: a loop around [diverges](super::divergent).
    pub(super) diverge: bool,
    pub(super) blocks: IndexSet<Block<'a>>,
    /// Stores to one address of which each instance executes one or several, before nothing else that accesses the array: the last one
    /// stands for all of them, behind the blocks. So does a store that may be made in any case.
    joined: Vec<Vec<Value<'a>>>,
    /// Loads that [may be made](IrStatement::unconditional) in any case.
    certain_loads: IndexSet<Value<'a>>,
}

impl<'a> Conditions<'a> {
    pub(super) fn of(run: &'a Run<'_>, scop: &ScopIr<'a>, statement: &IrStatement<'a>, diverge: bool) -> Self {
        let others = statement.blocks.iter().skip(1).copied();
        let blocks: IndexSet<Block<'a>> = others.filter(|block| !statement.comes_through(&[*block])).collect();
        let joined = match blocks.is_empty() {
            true => Vec::new(),
            false => joined(run, scop, statement),
        };
        let unconditional = statement.unconditional.iter().copied();
        Conditions {
            diverge,
            blocks,
            joined,
            certain_loads: unconditional.filter(|i| !i.is_store()).collect(),
        }
    }

    /// Whether some instances do not execute an instruction of the statement.
    pub(super) fn govern(&self, instruction: Value<'a>) -> bool {
        let is_inside = || instruction.is_instruction() && self.blocks.contains(&instruction.block());
        let is_certain =
            || self.certain_loads.contains(&instruction) || self.last_joined(instruction) == Some(instruction);
        self.diverge || !self.blocks.is_empty() && is_inside() && !is_certain()
    }

    /// Whether some lanes do not make an access. One to a slot is made behind the blocks.
    pub(super) fn govern_access(&self, access: &Access<'a>) -> bool {
        self.diverge || !access.is_slot && self.govern(access.original)
    }

    /// The blocks of a statement that are not executed in all lanes.
    pub(super) fn speculated(&self, statement: &IrStatement<'a>) -> IndexSet<Block<'a>> {
        match self.diverge {
            true => statement.blocks.iter().copied().collect(),
            false => self.blocks.clone(),
        }
    }

    /// For a store that is made behind the blocks, together with others, the one that stands for all of them.
    pub(super) fn last_joined(&self, store: Value<'a>) -> Option<Value<'a>> {
        let group = self.joined.iter().find(|group| group.contains(&store))?;
        group.last().copied()
    }
}

/// The groups of stores that are made behind the blocks of a statement.
fn joined<'a>(run: &'a Run<'_>, scop: &ScopIr<'a>, statement: &IrStatement<'a>) -> Vec<Vec<Value<'a>>> {
    let accesses: Vec<Value<'a>> = statement
        .instructions
        .iter()
        .copied()
        .filter(|i| i.is_load_or_store())
        .collect();
    let mut groups: Vec<Vec<Value<'a>>> = Vec::new();
    for store in accesses.iter().copied() {
        let Kind::Store { pointer, .. } = store.kind() else {
            continue;
        };
        let is_same = |other: &Value<'a>| match other.kind() {
            Kind::Store { pointer: own, .. } => {
                is_same_address(run, own, pointer) && other.accessed_type() == store.accessed_type()
            }
            _ => false,
        };
        match groups.iter_mut().find(|group| is_same(&group[0])) {
            Some(group) => group.push(store),
            None => groups.push(vec![store]),
        }
    }
    let is_last = |group: &Vec<Value<'a>>| {
        let blocks: Vec<Block<'a>> = group.iter().map(|store| store.block()).collect();
        let array = scop.array_of(group[0]);
        let later = |access: &Value<'a>| group.iter().any(|store| comes_behind(statement, *access, *store));
        let mut others = accesses.iter().filter(|access| !group.contains(access));
        let is_alone = others.all(|other| !later(other) || scop.array_of(*other) != array);
        let are_certain = group.len() > 1 && statement.comes_through(&blocks) && is_alone;
        array.is_some() && (are_certain || group.len() == 1 && statement.unconditional.contains(&group[0]))
    };
    groups.retain(is_last);
    groups
}

/// Whether an instance may execute an instruction of a statement behind another one.
fn comes_behind<'a>(statement: &IrStatement<'a>, later: Value<'a>, earlier: Value<'a>) -> bool {
    if later.block() == earlier.block() {
        let position = |value| statement.instructions.iter().position(|own| *own == value);
        return position(later) > position(earlier);
    }
    let mut reached: IndexSet<Block<'a>> = IndexSet::from([earlier.block()]);
    for block in &statement.blocks {
        if reached.contains(block) {
            reached.extend(
                block
                    .successors()
                    .into_iter()
                    .filter(|to| statement.blocks.contains(to)),
            );
        }
    }
    reached.contains(&later.block())
}

/// Whether two addresses are computed alike, as in blocks of which none dominates the other.
pub(super) fn is_same_address<'a>(run: &'a Run<'_>, one: Value<'a>, other: Value<'a>) -> bool {
    if one == other {
        return true;
    }
    let (Some(x), Some(y)) = (run.address_offset(one), run.address_offset(other)) else {
        return false;
    };
    let mut terms = x.terms.iter().zip(&y.terms);
    x.constant == y.constant
        && x.terms.len() == y.terms.len()
        && terms.all(|((v, m), (w, n))| m == n && is_same_integer(*v, *w, MOST_DEEP))
        && is_same_address(run, one.operands()[0], other.operands()[0])
}

/// Whether two integers are computed alike, from operands that are so many steps away at most.
fn is_same_integer<'a>(one: Value<'a>, other: Value<'a>, depth: u32) -> bool {
    use InstructionOpcode::{Add, Mul, SExt, Shl, Sub, Trunc, ZExt};
    let opcode = |value: Value<'a>| value.instruction().map(|i| i.get_opcode());
    let is_plain = matches!(opcode(one), Some(Add | Mul | SExt | Shl | Sub | Trunc | ZExt));
    let same_operands = || {
        let (own, others) = (one.operands(), other.operands());
        let mut pairs = own.iter().zip(&others);
        own.len() == others.len() && pairs.all(|(x, y)| is_same_integer(*x, *y, depth - 1))
    };
    one == other || depth > 0 && is_plain && opcode(one) == opcode(other) && one.ty() == other.ty() && same_operands()
}

/// Whether an instruction is undefined for some divisors.
pub(super) fn is_division(value: Value<'_>) -> bool {
    use InstructionOpcode::{SDiv, SRem, UDiv, URem};
    let opcode = value.instruction().map(|i| i.get_opcode());
    matches!(opcode, Some(UDiv | SDiv | URem | SRem))
}

/// The masks of a statement while it is emitted.
pub(super) struct Masks<'a> {
    /// The lanes that have an iteration, if these are not all.
    pub(super) active: Option<Active<'a>>,
    /// The lanes that have an instance of the statement, where a loop around diverges.
    own: Mask<'a>,
    /// That of the block at hand.
    pub(super) current: Mask<'a>,
    /// What is stored behind the blocks, by the store that stands for several.
    late: IndexMap<Value<'a>, VectorValue<'a>>,
    /// Those of the edges so far, also of those out of the statement, by the blocks before and behind them.
    edges: IndexMap<(Block<'a>, Block<'a>), Mask<'a>>,
}

impl<'a> Masks<'a> {
    /// Those of a statement of which nothing is emitted yet.
    pub(super) fn of(active: Option<Active<'a>>, own: Mask<'a>) -> Self {
        Masks {
            active,
            own,
            current: own,
            late: IndexMap::new(),
            edges: IndexMap::new(),
        }
    }

    /// The lanes that execute the block at hand; `None` for all lanes.
    pub(super) fn on(&self) -> Option<VectorValue<'a>> {
        self.current.or(self.active.map(|active| active.mask))
    }
}

impl<'a> Lanes<'_, '_, '_, 'a, '_> {
    /// Emits the blocks of the statement, each under its mask.
    pub(super) fn blocks(&mut self) {
        let statement = self.forms.statement;
        let elsewhere = |i: &&Value<'a>| !statement.blocks.contains(&i.block());
        statement
            .instructions
            .iter()
            .filter(elsewhere)
            .for_each(|i| self.instruction(*i));
        for block in &statement.blocks {
            self.enter(*block);
            let own = |i: &&Value<'a>| i.block() == *block && !i.is_phi();
            statement
                .instructions
                .iter()
                .filter(own)
                .for_each(|i| self.instruction(*i));
            self.leave(*block);
        }
        self.masks.current = self.masks.own;
        for (store, value) in std::mem::take(&mut self.masks.late) {
            self.store(&Access::of_store(store), value);
        }
    }

    /// Notes a value that is stored behind the blocks. Returns whether it is.
    pub(super) fn store_late(&mut self, store: Value<'a>, value: VectorValue<'a>) -> bool {
        let Some(last) = self.forms.conditions.last_joined(store) else {
            return false;
        };
        let mut so_far = self.masks.late.get(&last).copied();
        if self.forms.statement.unconditional.contains(&store) {
            so_far = Some(self.load_in_any_case(&Access::of_store(store)));
        }
        let value = match (self.masks.current, so_far) {
            (Some(mask), Some(so_far)) => self.choice(mask, value, so_far),
            _ => value,
        };
        self.masks.late.insert(last, value);
        true
    }

    /// What is there before a store that is made in any case.
    fn load_in_any_case(&mut self, access: &Access<'a>) -> VectorValue<'a> {
        self.in_any_case(|lanes| lanes.load_from_memory(access))
    }

    /// Emits something for all lanes that have an instance, whatever the conditions are.
    pub(super) fn in_any_case<R>(&mut self, emit: impl FnOnce(&mut Self) -> R) -> R {
        let mask = std::mem::replace(&mut self.masks.current, self.masks.own);
        let emitted = emit(self);
        self.masks.current = mask;
        emitted
    }

    /// Selects the values of a block's phis, and lets its mask be the one at hand.
    fn enter(&mut self, block: Block<'a>) {
        let edges = self.masks.edges.iter();
        let incoming: Vec<(Block<'a>, Mask<'a>)> = edges
            .filter(|((_, to), _)| *to == block)
            .map(|((from, _), mask)| (*from, *mask))
            .collect();
        let statement = self.forms.statement;
        let own = |phi: &Value<'a>| phi.is_phi() && phi.block() == block;
        for phi in statement.instructions.iter().copied().filter(own) {
            if self.form(phi) != Form::Wide {
                continue;
            }
            let value = |from| phi.incoming_from(from).expect("a phi knows all ways in");
            let values = incoming.iter().map(|(from, mask)| (*mask, value(*from))).collect();
            let selected = self.selected(values);
            self.wide.insert(phi, selected);
        }
        let is_governed = self.forms.conditions.blocks.contains(&block);
        let masks = incoming.into_iter().filter_map(|(_, mask)| mask);
        let either = masks.reduce(|one, other| self.forms.shared.builder.build_or(one, other, "").expect(BUILDS));
        self.masks.current = either.filter(|_| is_governed).or(self.masks.own);
    }

    /// Finds the masks of the edges behind a block.
    fn leave(&mut self, block: Block<'a>) {
        let builder = self.forms.shared.builder;
        let taken = taken(builder, block, |value| self.wide(value));
        for to in block.successors() {
            let mask = match taken.get(&to) {
                Some(condition) => Some(self.and_then(*condition)),
                None => self.masks.current,
            };
            self.masks.edges.insert((block, to), mask);
        }
    }

    /// The lanes that execute the block at hand and for which a condition holds, which may be poison for others.
    fn and_then(&self, condition: VectorValue<'a>) -> VectorValue<'a> {
        let never = condition.get_type().const_zero();
        match self.masks.on() {
            None => condition,
            Some(mask) => self.choice(mask, condition, never),
        }
    }

    /// One of two vectors for each lane.
    pub(super) fn choice(&self, mask: VectorValue<'a>, on: VectorValue<'a>, off: VectorValue<'a>) -> VectorValue<'a> {
        let selected = self.forms.shared.builder.build_select(mask, on, off, "");
        selected.expect(BUILDS).into_vector_value()
    }

    /// For each lane the value of the mask that has it; every lane that counts is in exactly one.
    fn selected(&mut self, values: Vec<(Mask<'a>, Value<'a>)>) -> VectorValue<'a> {
        let builder = self.forms.shared.builder;
        let ways = values.into_iter().map(|(mask, value)| (mask, self.wide(value).into()));
        selected(builder, ways).into_vector_value()
    }

    /// A value behind the statement.
    pub(super) fn written(&mut self, written: &Written<'a>) -> VectorValue<'a> {
        let values = match written {
            Written::Always(value) => return self.wide(*value),
            Written::From(values) => values,
        };
        let blocks = &self.forms.statement.blocks;
        let edges = self.masks.edges.iter();
        let out: Vec<(Mask<'a>, Value<'a>)> = edges
            .filter(|((_, to), _)| !blocks.contains(to))
            .map(|((from, _), mask)| {
                let value = values.iter().find(|(own, _)| own == from);
                (*mask, value.expect("a value for each way out").1)
            })
            .collect();
        self.selected(out)
    }

    /// A divisor that is 1 in lanes that are off.
    pub(super) fn divisor(&self, divisor: VectorValue<'a>) -> VectorValue<'a> {
        let Some(mask) = self.masks.on() else {
            return divisor;
        };
        let ty = divisor.get_type().get_element_type().into_int_type();
        let ones = vec![ty.const_int(1, false); divisor.get_type().get_size() as usize];
        self.choice(mask, divisor, VectorType::const_vector(&ones))
    }
}

/// Whether any lane of a mask is on.
pub(crate) fn any_lane<'a>(builder: &Builder<'a>, mask: VectorValue<'a>) -> IntValue<'a> {
    let lanes = NonZeroU32::new(mask.get_type().get_size()).expect("lanes");
    let context = mask.get_type().get_context();
    let ty = context.custom_width_int_type(lanes).expect("a narrow integer");
    let bits = builder.build_bit_cast(mask, ty, "").expect(BUILDS).into_int_value();
    let any = builder.build_int_compare(IntPredicate::NE, bits, ty.const_zero(), "");
    any.expect(BUILDS)
}
