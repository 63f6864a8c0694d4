//! Where scalar slots are in new code: in variables on the stack, or, if they are [expanded](Expansion), in arrays there.

use farkas_llvm::edit::element_address;
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::types::{BasicType, BasicTypeEnum, IntType};
use farkas_llvm::inkwell::values::{FunctionValue, IntValue, PointerValue};
use farkas_llvm::scop_ir::{ScalarSlot, ScopIr, SlotId};
use farkas_llvm::value::Value;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::Expansion;
use farkas_polyhedral::sets::{MultiAff, Tuple};
use indexmap::IndexMap;
use std::rc::Rc;

use crate::arith::BUILDS;

/// The alignment of arrays, in bytes: that of a cache line.
const ALIGNMENT: u32 = 64;

/// The scalar slots that are in no array of the program.
pub(crate) struct Slots<'a> {
    /// The variable or array of each slot.
    variables: Vec<Option<PointerValue<'a>>>,
    expanded: Rc<IndexMap<SlotId, Expanded<'a>>>,
}

/// A slot that is an array.
struct Expanded<'a> {
    ty: BasicTypeEnum<'a>,
    /// The number of elements along each subscript, a power of two.
    sizes: Vec<u32>,
    /// For each statement, the subscripts.
    subscripts: IndexMap<String, Vec<Subscript>>,
}

/// A subscript, modulo the number of elements: a constant, and a coefficient for each counter of the statement.
pub(crate) struct Subscript {
    constant: i64,
    counters: Vec<i64>,
}

impl<'a> Slots<'a> {
    /// Makes room for the slots of a region, in the function's entry block, from where SROA takes variables.
    pub(crate) fn new(scop: &ScopIr<'a>, expansions: &[Expansion], function: FunctionValue<'a>) -> Self {
        let builder = at_entry(function);
        let (mut variables, mut arrays) = (Vec::new(), IndexMap::new());
        for (id, slot) in scop.slots.iter().enumerate() {
            let ty = slot.ty.inkwell().expect("a first-class type");
            let expansion = expansions
                .iter()
                .find(|expansion| expansion.of.name().is_some_and(|name| name.as_str() == slot.name));
            let variable = slot
                .mapped_to
                .is_none()
                .then(|| variable(slot, (ty, expansion), &builder));
            variables.push(variable);
            if let Some(expansion) = expansion {
                arrays.insert(SlotId(id), Expanded::new(ty, expansion));
            }
        }
        Slots {
            variables,
            expanded: Rc::new(arrays),
        }
    }

    /// Stores the values that slots have before the region, where the builder stands.
    pub(crate) fn initialize(&self, scop: &ScopIr<'a>, builder: &Builder<'a>) {
        for (id, slot) in scop.slots.iter().enumerate() {
            if let (Some(initial), Some(variable)) = (slot.initial, self.variable(SlotId(id))) {
                let initial = initial.basic().expect("a value of a first-class type");
                builder.build_store(variable, initial).expect(BUILDS);
            }
        }
    }

    /// The same slots, with other variables or arrays, of the same types, for some.
    pub(crate) fn with_copies(&self, of: &[SlotId], function: FunctionValue<'a>) -> Self {
        let builder = at_entry(function);
        let mut variables = self.variables.clone();
        for slot in of {
            let original = self.variables[slot.0].and_then(|variable| variable.as_instruction());
            let copy = original.map(|original| Value::from_inkwell(original).duplicate());
            variables[slot.0] = copy.map(|copy| {
                builder.insert_instruction(&copy, None);
                PointerValue::try_from(copy).expect("the address of a variable")
            });
        }
        Slots {
            variables,
            expanded: Rc::clone(&self.expanded),
        }
    }

    /// The arrays of expanded slots.
    pub(crate) fn arrays(&self) -> impl Iterator<Item = PointerValue<'a>> {
        self.expanded.keys().filter_map(|slot| self.variables[slot.0])
    }

    /// The variable of a slot that is not expanded; `None` if the slot is in an array of the program.
    pub(crate) fn variable(&self, slot: SlotId) -> Option<PointerValue<'a>> {
        self.variables[slot.0]
    }

    /// Whether the slot of this name has a variable of its own on the stack, which no array of the program is.
    pub(crate) fn is_on_stack(&self, scop: &ScopIr<'a>, name: &str) -> bool {
        let position = scop.slots.iter().position(|slot| slot.name == name);
        position.is_some_and(|position| self.variables[position].is_some())
    }

    /// Whether a slot is an array.
    pub(crate) fn is_expanded(&self, slot: SlotId) -> bool {
        self.expanded.contains_key(&slot)
    }

    /// Whether lanes, of which each moves the counters of a statement by so much, access the same element of an expanded slot.
    pub(crate) fn is_uniform(&self, slot: SlotId, statement: &str, moves: &[i64]) -> bool {
        let subscripts = &self.expanded[&slot].subscripts[statement];
        subscripts.iter().all(|subscript| subscript.step(moves) == 0)
    }

    /// Where a statement with these counters accesses a slot, `lane` moves of the counters further on.
    ///
    /// # Panics
    ///
    /// If the slot is in an array of the program.
    pub(crate) fn address(
        &self,
        slot: SlotId,
        statement: &str,
        counters: &[IntValue<'a>],
        (lane, moves): (i64, &[i64]),
        (builder, i64): (&Builder<'a>, IntType<'a>),
    ) -> PointerValue<'a> {
        let base = self.variables[slot.0].expect("a slot that is in no array is a variable");
        let Some(expanded) = self.expanded.get(&slot) else {
            return base;
        };
        let number = |value: i64| i64.const_int(value as u64, true);
        let mut index = i64.const_zero();
        for (subscript, size) in expanded.subscripts[statement].iter().zip(&expanded.sizes) {
            let value = subscript.further_on(lane * subscript.step(moves), counters, (builder, i64));
            // The remainder is not negative: two's complement.
            let within = builder
                .build_and(value, number(i64::from(*size) - 1), "")
                .expect(BUILDS);
            let row = builder
                .build_int_mul(index, number(i64::from(*size)), "")
                .expect(BUILDS);
            index = builder.build_int_add(row, within, "").expect(BUILDS);
        }
        element_address(builder, expanded.ty, base, index)
    }
}

/// A builder in front of all code of a function.
pub(crate) fn at_entry(function: FunctionValue<'_>) -> Builder<'_> {
    let entry = function.get_first_basic_block().expect("a function with a body");
    let builder = entry.get_context().create_builder();
    builder.position_before(&entry.get_first_instruction().expect("a block with a terminator"));
    builder
}

/// The variable of a slot, or its array.
fn variable<'a>(
    slot: &ScalarSlot<'a>,
    (ty, expansion): (BasicTypeEnum<'a>, Option<&Expansion>),
    builder: &Builder<'a>,
) -> PointerValue<'a> {
    let Some(expansion) = expansion else {
        return builder.build_alloca(ty, &slot.name).expect(BUILDS);
    };
    let elements = u32::try_from(expansion.elements()).expect("a small array");
    let array = builder.build_alloca(ty.array_type(elements), &slot.name).expect(BUILDS);
    let alloca = array.as_instruction().expect("an instruction");
    alloca.set_alignment(ALIGNMENT).expect("the alignment of a variable");
    array
}

impl<'a> Expanded<'a> {
    fn new(ty: BasicTypeEnum<'a>, expansion: &Expansion) -> Self {
        Expanded {
            ty,
            sizes: expansion.sizes.clone(),
            subscripts: subscripts_of(expansion),
        }
    }
}

/// The new subscripts of each statement.
pub(crate) fn subscripts_of(expansion: &Expansion) -> IndexMap<String, Vec<Subscript>> {
    let of_statement = |(statement, functions): (&Tuple, &MultiAff)| {
        let name = statement.name().expect("a statement has a name").to_string();
        (name, subscripts(functions))
    };
    expansion.subscripts.iter().map(of_statement).collect()
}

fn subscripts(functions: &MultiAff) -> Vec<Subscript> {
    let n_params = functions.params().len();
    let small = |value: &Int| {
        value
            .to_i64()
            .expect("a subscript of an expanded slot has small coefficients")
    };
    let subscript = |aff: &farkas_polyhedral::sets::Aff| {
        let row = aff.row();
        let plain = aff.den().is_one() && aff.divs().is_empty();
        let of_counters = row[1..=n_params].iter().all(Int::is_zero);
        assert!(
            plain && of_counters,
            "a subscript of an expanded slot depends on counters only"
        );
        Subscript {
            constant: small(&row[0]),
            counters: row[1 + n_params..].iter().map(small).collect(),
        }
    };
    functions.affs().iter().map(subscript).collect()
}

impl Subscript {
    /// One of so many counters.
    pub(crate) fn counter(counter: usize, counters: usize) -> Subscript {
        Subscript {
            constant: 0,
            counters: (0..counters).map(|own| i64::from(own == counter)).collect(),
        }
    }

    /// Its value.
    pub(crate) fn value<'a>(&self, counters: &[IntValue<'a>], at: (&Builder<'a>, IntType<'a>)) -> IntValue<'a> {
        self.further_on(0, counters, at)
    }

    /// A number that is so much more than its value.
    fn further_on<'a>(
        &self,
        distance: i64,
        counters: &[IntValue<'a>],
        (builder, i64): (&Builder<'a>, IntType<'a>),
    ) -> IntValue<'a> {
        let number = |value: i64| i64.const_int(value as u64, true);
        let mut value = number(self.constant + distance);
        for (counter, factor) in counters.iter().zip(&self.counters) {
            if *factor != 0 {
                let term = builder.build_int_mul(*counter, number(*factor), "").expect(BUILDS);
                value = builder.build_int_add(value, term, "").expect(BUILDS);
            }
        }
        value
    }

    /// How far it goes when the counters move.
    pub(crate) fn step(&self, moves: &[i64]) -> i64 {
        let pairs = self.counters.iter().zip(moves);
        pairs.map(|(factor, moved)| factor * moved).sum()
    }
}
