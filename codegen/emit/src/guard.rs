//! The run-time check before the new code.
//!
//! ```text
//! check -- sizes too small --.
//!   |                        |
//! farkas.check               |
//!   |                        |
//! choice <-------------------'      a phi of the conditions
//! ```
//!
//! The sizes come first: where the new code does not pay, the original runs at the cost of that comparison. What is behind it is moved
//! into a function of its own [at last](farkas_llvm::edit::GUARD). All else is computed without branches, so that it is a handful of
//! instructions. Where a parameter is out of range the rest may wrap around, but the
//! result is `false` then whatever it says.

use farkas_llvm::Run;
use farkas_llvm::edit::GUARD;
use farkas_llvm::inkwell::attributes::{Attribute, AttributeLoc};
use farkas_llvm::inkwell::basic_block::BasicBlock;
use farkas_llvm::inkwell::values::IntValue;
use farkas_llvm::inkwell::{IntPredicate, builder::Builder};
use farkas_llvm::scop_ir::{ArrayId, ScopIr};
use farkas_llvm::value::{Block, Value};
use farkas_polyhedral::ast::Logic;
use indexmap::IndexMap;

use crate::arith::{Arith, BUILDS};
use crate::checks::{ArrayRange, Guards};
use crate::pointer_checks;
use crate::threads;

/// The parameters, as they are computed at the end of the block before the guard.
#[derive(Clone, Copy)]
pub(super) struct Numbers<'n, 'a> {
    pub(super) params: &'n [IntValue<'a>],
    /// Those that may be beyond their limits.
    pub(super) wide: &'n [Limited<'a>],
}

/// Branches from `check`, which only the original follows, to the new code where all guards hold.
pub(super) fn branch<'a>(
    run: &'a Run<'_>,
    scop: &ScopIr<'a>,
    guards: &Guards,
    (check, new_code): (Block<'a>, BasicBlock<'a>),
    numbers: Numbers<'_, 'a>,
) {
    let context = run.context();
    let builder = context.create_builder();
    let arith = Arith {
        builder: &builder,
        i64: context.i64_type(),
        params: numbers.params,
        iters: &[],
        logic: Logic::ShortCircuit,
        exact: None,
    };
    let (truth, falsehood) = (context.bool_type().const_all_ones(), context.bool_type().const_zero());
    let end = |block: Block<'a>| {
        block
            .terminator()
            .instruction()
            .expect("a terminator is an instruction")
    };
    let mark = |branch| run.attach(Value::from_inkwell(branch), GUARD, run.metadata_node(&[]));
    let others = || condition(scop, guards, &arith, numbers.wide).unwrap_or(truth);
    let (choice, holds) = if guards.sizes.is_true() {
        builder.position_before(&end(check));
        (check, others())
    } else {
        let choice = run.split_before(check.terminator());
        let checks = context.insert_basic_block_after(check.inkwell(), "farkas.check");
        let old_branch = end(check);
        builder.position_before(&old_branch);
        let params: Vec<IntValue<'a>> = match takes_inline_assembly(&run.architecture()) {
            true => numbers.params.iter().map(|param| hidden(&builder, *param)).collect(),
            false => numbers.params.to_vec(),
        };
        let pays = Arith {
            params: &params,
            ..arith
        }
        .condition(&guards.sizes);
        let branch = builder.build_conditional_branch(pays, checks, choice.inkwell());
        mark(branch.expect(BUILDS));
        old_branch.erase_from_basic_block();
        builder.position_at_end(checks);
        let others = others();
        builder.build_unconditional_branch(choice.inkwell()).expect(BUILDS);
        builder.position_before(&end(choice));
        let both = builder.build_phi(context.bool_type(), "").expect(BUILDS);
        both.add_incoming(&[(&falsehood, check.inkwell()), (&others, checks)]);
        (choice, both.as_basic_value().into_int_value())
    };
    let [original] = choice.successors()[..] else {
        unreachable!("a new block on a border has one successor")
    };
    let old_branch = end(choice);
    builder.position_before(&old_branch);
    let branch = builder.build_conditional_branch(holds, new_code, original.inkwell());
    old_branch.erase_from_basic_block();
    let branch = branch.expect(BUILDS);
    // Of sizes nothing is known. LLVM neither aligns loops that are said to be cold, nor keeps their values in registers.
    match guards.sizes.is_true() {
        true => Value::from_inkwell(branch).set_likely(),
        false => mark(branch),
    }
}

/// What the names of architectures begin with whose backends are known to take inline assembly with 64-bit integers in registers. Those of
/// AVR, AMD's GPUs and SPIR-V, for example, do not.
const ASSEMBLY: [&str; 16] = [
    "x86_64",
    "amd64",
    "i386",
    "i486",
    "i586",
    "i686",
    "aarch64",
    "arm",
    "thumb",
    "riscv",
    "powerpc",
    "ppc",
    "s390x",
    "mips",
    "sparc",
    "loongarch",
];

fn takes_inline_assembly(architecture: &str) -> bool {
    ASSEMBLY.iter().any(|known| architecture.starts_with(known))
}

/// What LLVM is told of the inline assembly: it does nothing but to hand on its operand. Functions keep what is known of their effects.
const HARMLESS: [&str; 6] = ["memory", "nounwind", "willreturn", "nosync", "nofree", "nocallback"];

/// The same number where LLVM does not see that it is, at no cost. Without it, LLVM would know of the original that its loops are short, and
/// vectorize them in ways that it finds worse otherwise: by masks, with gathers.
fn hidden<'a>(builder: &Builder<'a>, number: IntValue<'a>) -> IntValue<'a> {
    if number.is_const() {
        return number;
    }
    let ty = number.get_type().fn_type(&[number.get_type().into()], false);
    let context = number.get_type().get_context();
    let asm = context.create_inline_asm(ty, String::new(), "=r,0".to_owned(), false, false, None, false);
    let call = builder
        .build_indirect_call(ty, asm, &[number.into()], "")
        .expect(BUILDS);
    for name in HARMLESS {
        // Of memory, 0 is that none is accessed; the others have no value.
        let attribute = context.create_enum_attribute(Attribute::get_named_enum_kind_id(name), 0);
        call.add_attribute(AttributeLoc::Function, attribute);
    }
    let copy = call.try_as_basic_value().unwrap_basic();
    copy.into_int_value()
}

/// The conjunction of all checks but that of sizes; `None` where there is nothing to check. `wide` are the parameters of 64 bits.
fn condition<'a>(
    scop: &ScopIr<'a>,
    guards: &Guards,
    arith: &Arith<'_, 'a>,
    wide: &[Limited<'a>],
) -> Option<IntValue<'a>> {
    let b = arith.builder;
    let mut checks: Vec<IntValue<'a>> = wide.iter().map(|param| in_range(arith, *param)).collect();
    if guards.needs_team {
        checks.push(threads::has_team(arith.i64.get_context(), b));
    }
    if !guards.assumptions.is_true() {
        checks.push(arith.condition(&guards.assumptions));
    }
    let array_ranges: IndexMap<ArrayId, (IntValue<'a>, IntValue<'a>)> = guards
        .array_ranges
        .iter()
        .map(|range| (range.array, addresses(scop, range, arith, &mut checks)))
        .collect();
    for (one, other) in &guards.pointer_checks.pairs {
        let ((first_one, end_one), (first_other, end_other)) = (array_ranges[one], array_ranges[other]);
        let before = compare(b, IntPredicate::SLE, end_one, first_other);
        let after = compare(b, IntPredicate::SLE, end_other, first_one);
        checks.push(b.build_or(before, after, "").expect(BUILDS));
    }
    for group in &guards.pointer_checks.groups {
        checks.push(pointer_checks::sorted(arith, group, |array| array_ranges[&array]));
    }
    checks.into_iter().reduce(|x, y| b.build_and(x, y, "").expect(BUILDS))
}

/// The address of the first byte of a range, and that of what follows the last, in 128 bits. `checks` gets what has to hold for
/// them to be right.
fn addresses<'a>(
    scop: &ScopIr<'a>,
    range: &ArrayRange,
    arith: &Arith<'_, 'a>,
    checks: &mut Vec<IntValue<'a>>,
) -> (IntValue<'a>, IntValue<'a>) {
    let b = arith.builder;
    let array = &scop.arrays[range.array.0];
    let wide = arith.i64.get_context().i128_type();
    let widened = |value| b.build_int_s_extend(value, wide, "").expect(BUILDS);
    let times = |x, y| b.build_int_mul(x, y, "").expect(BUILDS);
    let plus = |x, y| b.build_int_add(x, y, "").expect(BUILDS);
    let sizes: Vec<IntValue<'a>> = range.sizes.iter().map(|size| widened(arith.quasi(size))).collect();
    let element = wide.const_int(array.element_size, false);
    let mut row = element;
    for size in &sizes {
        row = times(row, *size);
        if range.checked {
            // Two numbers of 64 bits have a product of 128 bits.
            let narrow = widened(b.build_int_truncate(row, arith.i64, "").expect(BUILDS));
            checks.push(compare(b, IntPredicate::EQ, narrow, row));
            row = narrow;
        }
    }
    let base = array.base.basic().expect("a pointer").into_pointer_value();
    let base = b.build_ptr_to_int(base, arith.i64, "").expect(BUILDS);
    // A base may be poison where the array is never accessed; the guard must not branch on it.
    let base = farkas_llvm::edit::freeze(b, base).into_int_value();
    let base = b.build_int_z_extend(base, wide, "").expect(BUILDS);
    let first = plus(base, times(widened(arith.expr(&range.first)), row));
    let last = widened(arith.expr(&range.last));
    let one = wide.const_int(1, false);
    let end = match &range.last_inner {
        None => times(plus(last, one), row),
        Some(inner) => {
            let inner = inner.iter().map(|subscript| widened(arith.quasi(subscript)));
            let linear = |outer, (size, inner): (&IntValue<'a>, _)| plus(times(outer, *size), inner);
            let last = sizes.iter().zip(inner).fold(last, linear);
            times(plus(last, one), element)
        }
    };
    (first, plus(base, end))
}

/// A parameter whose magnitude has to be at most the limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limited<'a> {
    pub(super) param: IntValue<'a>,
    pub(super) limit: i64,
}

/// Whether the parameter's magnitude is at most its limit.
pub(super) fn in_range<'a>(arith: &Arith<'_, 'a>, Limited { param, limit }: Limited<'a>) -> IntValue<'a> {
    let width = arith.i64.const_int(2 * limit as u64, false);
    let limit = arith.i64.const_int(limit as u64, false);
    let shifted = arith.builder.build_int_add(param, limit, "").expect(BUILDS);
    compare(arith.builder, IntPredicate::ULE, shifted, width)
}

fn compare<'a>(b: &Builder<'a>, predicate: IntPredicate, x: IntValue<'a>, y: IntValue<'a>) -> IntValue<'a> {
    b.build_int_compare(predicate, x, y, "").expect(BUILDS)
}
