//! The execution of one statement instance: clones of the original instructions.
//!
//! Integers of 64 bits that are affine in the loops' counters are not cloned but computed from the counters: the
//! original's detour through a narrow induction variable and its extension would hide from LLVM that addresses advance
//! by a constant.

use farkas_llvm::Run;
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::types::{BasicTypeEnum, IntType};
use farkas_llvm::inkwell::values::{BasicValueEnum, IntValue, PointerValue};
use farkas_llvm::region::{IrStatement, LoopId, Region, Source};
use farkas_llvm::scev::{Scev, ScevKind};
use farkas_llvm::value::{TypeKind, Value};
use indexmap::IndexMap;

use crate::emit::arith::BUILDS;

/// A sum of invariants, each times a loop's counter where there is one, in 64-bit arithmetic modulo 2^64.
pub(super) type Affine<'a> = Vec<(Scev<'a>, Option<LoopId>)>;

/// The values of the region that are affine in its counters.
pub(super) fn affine_values<'a>(run: &'a Run<'_>, region: &Region<'a>) -> IndexMap<Value<'a>, Affine<'a>> {
    let mut result = IndexMap::new();
    for value in region.section.blocks.values().flatten().copied() {
        if value.ty().kind() == TypeKind::Integer(64) {
            let affine = run.scev(value).and_then(|scev| affine(run, region, scev));
            result.extend(affine.map(|affine| (value, affine)));
        }
    }
    result
}

fn affine<'a>(run: &'a Run<'_>, region: &Region<'a>, scev: Scev<'a>) -> Option<Affine<'a>> {
    let section = &region.section;
    if section.is_invariant(run, scev) {
        return section.is_parameter(run, scev).then(|| vec![(scev, None)]);
    }
    match scev.kind() {
        ScevKind::AddRec(at, operands, _) => {
            let [start, step] = operands[..] else { return None };
            let id = region.loops.iter().position(|l| l.handle == at)?;
            let mut result = affine(run, region, start)?;
            result.push((step, Some(LoopId(id))));
            section.is_parameter(run, step).then_some(result)
        }
        ScevKind::Add(operands, _) => {
            let parts: Option<Vec<_>> = operands
                .into_iter()
                .map(|operand| affine(run, region, operand))
                .collect();
            Some(parts?.concat())
        }
        _ => None,
    }
}

/// What all statement instances share.
pub(super) struct Statements<'b, 'a> {
    pub(super) region: &'b Region<'a>,
    pub(super) builder: &'b Builder<'a>,
    pub(super) i64: IntType<'a>,
    pub(super) affine: &'b IndexMap<Value<'a>, Affine<'a>>,
    /// Invariants, computed before the new code.
    pub(super) invariants: &'b IndexMap<Scev<'a>, BasicValueEnum<'a>>,
    /// The stack slots of the cells.
    pub(super) cells: &'b [PointerValue<'a>],
    /// Called with each original load or store and its clone, and with `None` for accesses to stack slots.
    pub(super) on_access: &'b dyn Fn(Option<Value<'a>>, Value<'a>),
}

/// One instance while it is emitted.
struct Instance<'c, 'b, 'a> {
    shared: &'c Statements<'b, 'a>,
    statement: &'c IrStatement<'a>,
    counters: IndexMap<LoopId, IntValue<'a>>,
    values: IndexMap<Value<'a>, BasicValueEnum<'a>>,
}

impl<'a> Statements<'_, 'a> {
    /// Emits the instance of a statement with the given values of the counters of the loops around it.
    pub(super) fn instance(&self, statement: &IrStatement<'a>, counters: &[IntValue<'a>]) {
        assert_eq!(
            counters.len(),
            statement.loops.len(),
            "a counter for each loop around {}",
            statement.name
        );
        let counters = statement.loops.iter().copied().zip(counters.iter().copied()).collect();
        let mut instance = Instance {
            shared: self,
            statement,
            counters,
            values: IndexMap::new(),
        };
        for (cell, value) in &statement.reads {
            let slot = self.cells[cell.0];
            let ty = basic_type(*value);
            let loaded = self.builder.build_load(ty, slot, "").expect(BUILDS);
            (self.on_access)(None, Value::from_inkwell(loaded));
            instance.values.insert(*value, loaded);
        }
        for original in &statement.instructions {
            let clone = instance.cloned(*original);
            if clone.is_load_or_store() {
                (self.on_access)(Some(*original), clone);
            }
            instance.values.extend(clone.basic().map(|clone| (*original, clone)));
        }
        let written: Vec<_> = statement
            .writes
            .iter()
            .map(|(cell, value)| (cell, instance.value(*value)))
            .collect();
        for (cell, value) in written {
            let store = self.builder.build_store(self.cells[cell.0], value).expect(BUILDS);
            (self.on_access)(None, Value::from_inkwell(store));
        }
    }
}

pub(super) fn basic_type<'a>(value: Value<'a>) -> BasicTypeEnum<'a> {
    value.ty().inkwell().expect("a value of a first-class type")
}

impl<'a> Instance<'_, '_, 'a> {
    /// The value that stands for `original` in this instance.
    fn value(&mut self, original: Value<'a>) -> BasicValueEnum<'a> {
        if let Some(value) = self.values.get(&original) {
            return *value;
        }
        let source = self.shared.region.source(self.statement, original);
        let value = match source {
            Source::Outside => return original.basic().expect("an operand that is data"),
            Source::Cell(_) => unreachable!("cells are read before the statement's instructions"),
            _ if self.shared.affine.contains_key(&original) => self.affine(original),
            Source::Induction(id, index) => self.induction(id, index),
            Source::Statement | Source::Recomputed => self.cloned(original).basic().expect("an operand that is data"),
        };
        self.values.insert(original, value);
        value
    }

    fn affine(&mut self, original: Value<'a>) -> BasicValueEnum<'a> {
        let builder = self.shared.builder;
        let mut sum: Option<IntValue<'a>> = None;
        for (invariant, counter) in &self.shared.affine[&original] {
            let mut term = self.shared.invariants[invariant].into_int_value();
            if let Some(counter) = counter {
                term = builder.build_int_mul(self.counters[counter], term, "").expect(BUILDS);
            }
            sum = Some(sum.map_or(term, |sum| builder.build_int_add(sum, term, "").expect(BUILDS)));
        }
        sum.unwrap_or(self.shared.i64.const_zero()).into()
    }

    /// `start + counter * step`, modulo the width of the phi.
    fn induction(&mut self, id: LoopId, index: usize) -> BasicValueEnum<'a> {
        let builder = self.shared.builder;
        let induction = self.shared.region.loops[id.0].inductions[index];
        let start = self.value(induction.start);
        let step = self.shared.invariants[&induction.step].into_int_value();
        let counter = self.counters[&id];
        let counter = match step.get_type().get_bit_width() {
            64 => counter,
            narrow if narrow < 64 => builder.build_int_truncate(counter, step.get_type(), "").expect(BUILDS),
            _ => builder.build_int_s_extend(counter, step.get_type(), "").expect(BUILDS),
        };
        let distance = builder.build_int_mul(counter, step, "").expect(BUILDS);
        match start {
            BasicValueEnum::IntValue(start) => builder.build_int_add(start, distance, "").expect(BUILDS).into(),
            BasicValueEnum::PointerValue(start) => farkas_llvm::edit::byte_offset(builder, start, distance).into(),
            other => unreachable!("an induction is an integer or a pointer, not {other}"),
        }
    }

    /// A clone of the instruction at the builder's place, its operands replaced.
    fn cloned(&mut self, original: Value<'a>) -> Value<'a> {
        let operands: Vec<_> = original
            .operands()
            .into_iter()
            .map(|operand| operand.is_data().then(|| self.value(operand)))
            .collect();
        let clone = original.duplicate();
        self.shared.builder.insert_instruction(&clone, None);
        for (index, operand) in operands.into_iter().enumerate() {
            if let Some(operand) = operand {
                clone.set_operand(index as u32, operand);
            }
        }
        Value::from_inkwell(clone)
    }
}
