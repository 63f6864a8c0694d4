//! Accesses under conditions that a statement makes in any case.
//!
//! ```text
//!     if (q < m[i][j]) m[i][j] = q;    ->        %less = ..; br %less, %then, %join
//!                                          join: %is_executed = phi [true, %then], [false, ..]
//!                                                %new = phi [%q, %then], [poison, ..]
//!                                                %old = load m[i][j]
//!                                                store (select %is_executed, %new, %old), m[i][j]
//! ```
//!
//! Loads come behind the first block, stores where all ways meet. LLVM makes selects of the branches then, and vectors without masks of the
//! loop. The model says which accesses these are ([`IrStatement::unconditional`]).

use farkas_llvm::inkwell::basic_block::BasicBlock;
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::types::BasicTypeEnum;
use farkas_llvm::inkwell::values::{BasicValueEnum, IntValue};
use farkas_llvm::scop_ir::{IrStatement, Source};
use farkas_llvm::value::{Block, Kind, Value};
use indexmap::{IndexMap, IndexSet};

use super::{Incoming, Instance, add_incoming, basic_type};
use crate::arith::BUILDS;

/// Stores behind the blocks: for each, from each block that goes on behind the statement: whether the store is executed, and what is stored.
pub(super) struct LateStores<'a> {
    incoming: IndexMap<Value<'a>, (Incoming<'a>, Incoming<'a>)>,
}

impl<'a> LateStores<'a> {
    pub(super) fn new(statement: &IrStatement<'a>) -> Self {
        let none = |store: &Value<'a>| (*store, (Incoming::new(), Incoming::new()));
        LateStores {
            incoming: statement
                .unconditional
                .iter()
                .filter(|i| i.is_store())
                .map(none)
                .collect(),
        }
    }

    /// The phis of the block behind: for each store, whether it is executed, and what is stored.
    pub(super) fn phis(&self, builder: &Builder<'a>) -> Vec<(Value<'a>, IntValue<'a>, BasicValueEnum<'a>)> {
        let phi = |incoming: &Incoming<'a>| {
            let phi = builder.build_phi(incoming[0].0.get_type(), "").expect(BUILDS);
            add_incoming(phi, incoming);
            phi.as_basic_value()
        };
        let stores = self.incoming.iter();
        let phis = stores.map(|(store, (executed, stored))| (*store, phi(executed).into_int_value(), phi(stored)));
        phis.collect()
    }
}

impl<'a> Instance<'_, '_, 'a> {
    /// Loads what blocks under conditions load.
    pub(super) fn early_loads(&mut self) {
        let statement = self.statement;
        for load in statement.unconditional.iter().filter(|i| !i.is_store()) {
            self.load_in_any_case(*load);
        }
    }

    /// Loads what a block under a condition loads. What is known of that load may not hold where the condition does not.
    pub(crate) fn load_in_any_case(&mut self, load: Value<'a>) {
        let pointer = load.accessed_pointer().expect("a load");
        let address = self.address_in_any_case(pointer).into_pointer_value();
        let loaded = self
            .shared
            .builder
            .build_load(basic_type(load), address, "")
            .expect(BUILDS);
        self.stands_for(load, Value::from_inkwell(loaded));
        self.own.insert(load, loaded);
    }

    /// Gives an access what belongs to the original one.
    fn stands_for(&self, original: Value<'a>, access: Value<'a>) {
        let instruction = |access: Value<'a>| access.instruction().expect("a load or a store");
        let alignment = instruction(original).get_alignment().expect("a load or a store");
        let aligned = instruction(access).set_alignment(alignment);
        aligned.expect("the alignment of another access");
        access.take_location(original);
        (self.shared.on_access)(Some(original), access);
    }

    /// Notes what the stores have where control goes on behind the statement from a block, of which this is the clone.
    pub(super) fn leave(&mut self, late: &mut LateStores<'a>, (block, clone): (Block<'a>, BasicBlock<'a>)) {
        let bool = self.shared.i64.get_context().bool_type();
        for (store, (executed, stored)) in &mut late.incoming {
            let is_executed = store.block() == block;
            let value = stored_value(*store);
            let value = match is_executed {
                true => self.value(value),
                false => poison(basic_type(value)),
            };
            executed.push((bool.const_int(u64::from(is_executed), false).into(), clone));
            stored.push((value, clone));
        }
    }

    /// Stores a value where the store is executed, and else what is there.
    pub(super) fn store_late(&mut self, store: Value<'a>, is_executed: IntValue<'a>, value: BasicValueEnum<'a>) {
        let builder = self.shared.builder;
        let pointer = store.accessed_pointer().expect("a store");
        let address = self.address_in_any_case(pointer).into_pointer_value();
        let old = builder.build_load(value.get_type(), address, "").expect(BUILDS);
        let new = builder.build_select(is_executed, value, old, "").expect(BUILDS);
        let new_store = builder.build_store(address, new).expect(BUILDS);
        self.stands_for(store, Value::from_inkwell(old));
        self.stands_for(store, Value::from_inkwell(new_store));
    }

    /// An address in instances that do not access it, too: if nothing else of the first block does, it is computed without flags by which it
    /// could be poison.
    fn address_in_any_case(&mut self, pointer: Value<'a>) -> BasicValueEnum<'a> {
        let (statement, scop) = (self.statement, self.shared.scop);
        let first = statement.instructions.iter().filter(|i| i.block() == statement.start());
        let mut accessed = first.filter_map(|i| i.accessed_pointer());
        if accessed.any(|accessed| accessed == pointer) {
            return self.value(pointer);
        }
        let mut computed: IndexSet<Value<'a>> = IndexSet::new();
        let mut open = vec![pointer];
        while let Some(value) = open.pop() {
            let is_computed = matches!(scop.source(statement, value), Source::Statement | Source::Recomputed);
            if is_computed && computed.insert(value) {
                open.extend(value.operands().into_iter().filter(|operand| operand.is_data()));
            }
        }
        for value in &computed {
            self.own.shift_remove(value);
            self.computed.shift_remove(value);
        }
        self.unsure.extend(computed);
        self.value(pointer)
    }
}

pub(super) fn stored_value(store: Value<'_>) -> Value<'_> {
    match store.kind() {
        Kind::Store { value, .. } => value,
        _ => unreachable!("{store} is a store"),
    }
}

fn poison<'a>(ty: BasicTypeEnum<'a>) -> BasicValueEnum<'a> {
    match ty {
        BasicTypeEnum::ArrayType(ty) => ty.get_poison().into(),
        BasicTypeEnum::FloatType(ty) => ty.get_poison().into(),
        BasicTypeEnum::IntType(ty) => ty.get_poison().into(),
        BasicTypeEnum::PointerType(ty) => ty.get_poison().into(),
        BasicTypeEnum::StructType(ty) => ty.get_poison().into(),
        BasicTypeEnum::VectorType(ty) => ty.get_poison().into(),
        BasicTypeEnum::ScalableVectorType(ty) => ty.get_poison().into(),
    }
}
