//! The run-time check before the new code.
//!
//! ```text
//! check -- sizes too small --.
//!   |                        |
//! farkas.check --- fails --->|
//!   |                        |
//! farkas.conditions - fail ->|
//!   |                        |
//! farkas.indirect -- fails ->|
//!   |                        |
//! farkas.rows                |
//!   |                        |
//! choice <-------------------'      a phi of the conditions
//! ```
//!
//! The sizes come first: where the new code does not pay, the original runs at the cost of that comparison. What is behind it is moved
//! into a function of its own [at last](farkas_llvm::edit::GUARD). All that does not need the [inspector] is computed without branches,
//! so that it is a handful of instructions. Where a parameter is out of range the rest may wrap around, but the
//! result is `false` then whatever it says. The inspector reads what the region is certain to read, which takes that all else holds, and so do
//! passes over [tables of rows](crate::rows). Conditions on data come in front of both, as they may govern what is read there.

use farkas_llvm::Run;
use farkas_llvm::edit::GUARD;
use farkas_llvm::inkwell::attributes::{Attribute, AttributeLoc};
use farkas_llvm::inkwell::basic_block::BasicBlock;
use farkas_llvm::inkwell::values::{InstructionValue, IntValue};
use farkas_llvm::inkwell::{IntPredicate, builder::Builder};
use farkas_llvm::scop_ir::{ArrayId, ScopIr};
use farkas_llvm::value::{Block, Value};
use farkas_polyhedral::ast::{Expr, Logic, Quasi};
use indexmap::IndexMap;

use crate::arith::{Arith, BUILDS};
use crate::checks::{ArrayRange, Guards, InnerRange};
use crate::inspector::{self, Bounds, IndirectRange};
use crate::pointer_checks::{self, Buffer};
use crate::rows;

/// The parameters, as they are computed at the end of the block before the guard.
#[derive(Clone, Copy)]
pub(super) struct Numbers<'n, 'a> {
    pub(super) params: &'n [IntValue<'a>],
    /// Those that may be beyond their limits.
    pub(super) wide: &'n [Limited<'a>],
}

/// Evaluates conditions on data where the builder stands, which comes to stand where they hold. Otherwise control goes to the block.
pub(super) type Inspect<'i, 'a> = &'i dyn Fn(&Builder<'a>, BasicBlock<'a>);

/// Branches from `check`, which only the original follows, to the new code where all guards hold.
pub(super) fn branch<'a>(
    run: &'a Run<'_>,
    scop: &ScopIr<'a>,
    guards: &Guards,
    (check, new_code): (Block<'a>, BasicBlock<'a>),
    (numbers, inspect): (Numbers<'_, 'a>, Inspect<'_, 'a>),
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
    let in_one_stage = guards.sizes.is_true()
        && guards.indirect.ranges.is_empty()
        && guards.rows.pairs.is_empty()
        && guards.conditions.is_empty();
    let (choice, holds) = match in_one_stage {
        true => {
            builder.position_before(&end(check));
            let holds = checks(scop, guards, &arith, numbers.wide);
            (check, holds.unwrap_or(context.bool_type().const_all_ones()))
        }
        false => in_stages(run, scop, guards, check, (&arith, numbers.wide, inspect)),
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
        false => mark(run, branch),
    }
}

/// Asks for sizes first, if at all, and for conditions on data, indirect accesses and rows last, in this order. Returns a new block behind
/// `check`, and whether all holds, which is known there.
fn in_stages<'a>(
    run: &'a Run<'_>,
    scop: &ScopIr<'a>,
    guards: &Guards,
    check: Block<'a>,
    (arith, wide, inspect): (&Arith<'_, 'a>, &[Limited<'a>], Inspect<'_, 'a>),
) -> (Block<'a>, IntValue<'a>) {
    let (context, builder) = (run.context(), arith.builder);
    let choice = run.split_before(check.terminator());
    let old_branch = end(check);
    let mut failing = Vec::new();
    let failed = (!guards.conditions.is_empty()).then(|| {
        let failed = context.append_basic_block(run.function().inkwell(), "farkas.fails");
        builder.position_at_end(failed);
        builder.build_unconditional_branch(choice.inkwell()).expect(BUILDS);
        failed
    });
    failing.extend(failed);
    builder.position_before(&old_branch);
    // Goes on to a new block where the condition holds.
    let mut go_on_if = |condition: IntValue<'a>, name: &str| {
        let own = current_block(builder);
        let next = context.insert_basic_block_after(own, name);
        let branch = builder.build_conditional_branch(condition, next, choice.inkwell());
        failing.push(own);
        builder.position_at_end(next);
        branch.expect(BUILDS)
    };
    if !guards.sizes.is_true() {
        let params: Vec<IntValue<'a>> = match takes_inline_assembly(&run.architecture()) {
            true => arith.params.iter().map(|param| hidden(builder, *param)).collect(),
            false => arith.params.to_vec(),
        };
        let sizes = Arith {
            params: &params,
            ..*arith
        };
        mark(run, go_on_if(sizes.condition(&guards.sizes), "farkas.check"));
    }
    let truth = context.bool_type().const_all_ones();
    let mut last = checks(scop, guards, arith, wide).unwrap_or(truth);
    if let Some(failed) = failed {
        go_on_if(last, "farkas.conditions");
        inspect(builder, failed);
        last = truth;
    }
    if !guards.indirect.ranges.is_empty() {
        go_on_if(last, "farkas.indirect");
        last = indirect_checks(run, scop, guards, arith);
    }
    if !guards.rows.pairs.is_empty() {
        go_on_if(last, "farkas.rows");
        last = row_checks(run, scop, guards, arith);
    }
    let checked = current_block(builder);
    builder.build_unconditional_branch(choice.inkwell()).expect(BUILDS);
    old_branch.erase_from_basic_block();
    builder.position_before(&end(choice));
    let all = builder.build_phi(context.bool_type(), "").expect(BUILDS);
    for block in failing {
        all.add_incoming(&[(&context.bool_type().const_zero(), block)]);
    }
    all.add_incoming(&[(&last, checked)]);
    (choice, all.as_basic_value().into_int_value())
}

/// Says of a branch that it is a guard.
fn mark<'a>(run: &'a Run<'_>, branch: InstructionValue<'a>) {
    run.attach(Value::from_inkwell(branch), GUARD, run.metadata_node(&[]));
}

fn end<'a>(block: Block<'a>) -> InstructionValue<'a> {
    let end = block.terminator().instruction();
    end.expect("a terminator is an instruction")
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

fn current_block<'a>(builder: &Builder<'a>) -> BasicBlock<'a> {
    builder.get_insert_block().expect("a positioned builder")
}

/// The conjunction of all checks but those of sizes and of indirect accesses; `None` where there is nothing to check. `wide` are the
/// parameters of 64 bits.
fn checks<'a>(scop: &ScopIr<'a>, guards: &Guards, arith: &Arith<'_, 'a>, wide: &[Limited<'a>]) -> Option<IntValue<'a>> {
    let b = arith.builder;
    let mut checks: Vec<IntValue<'a>> = wide.iter().map(|param| in_range(arith, *param)).collect();
    if !guards.assumptions.is_true() {
        checks.push(arith.condition(&guards.assumptions));
    }
    let compared = guards.pointer_checks.arrays();
    let has_one_base = |array: ArrayId| scop.arrays[array.0].base.pointer().is_some();
    let ranges = guards
        .array_ranges
        .iter()
        .filter(|range| compared.contains(&range.array) && has_one_base(range.array));
    let array_ranges: IndexMap<ArrayId, (IntValue<'a>, IntValue<'a>)> = ranges
        .map(|range| (range.array, addresses(scop, range, arith, &mut checks)))
        .collect();
    for (one, other) in &guards.pointer_checks.pairs {
        checks.push(are_apart(b, array_ranges[one], array_ranges[other]));
    }
    for (one, other) in &guards.pointer_checks.buffers {
        let [one, other] = [one, other].map(|buffer| {
            let mut ranges = guards.array_ranges.iter();
            let range = ranges
                .find(|range| range.array == buffer.array)
                .expect("a range of each array");
            buffer_addresses(scop, *buffer, range, arith, &mut checks)
        });
        checks.push(are_apart(b, one, other));
    }
    for group in &guards.pointer_checks.groups {
        checks.push(pointer_checks::sorted(arith, group, |array| array_ranges[&array]));
    }
    conjunction(b, checks)
}

/// The conjunction of the checks of indirect accesses, behind the passes of the inspector.
fn indirect_checks<'a>(run: &'a Run<'_>, scop: &ScopIr<'a>, guards: &Guards, arith: &Arith<'_, 'a>) -> IntValue<'a> {
    let function = run.function().inkwell();
    let inspections = guards.indirect.inspections.iter();
    let found: Vec<_> = inspections
        .map(|inspection| inspector::inspect(run, scop, function, inspection, arith))
        .collect();
    let mut checks = Vec::new();
    let mut ranges: IndexMap<ArrayId, inspector::Interval<'a>> = IndexMap::new();
    let mut add = |array, range| {
        let own = ranges.entry(array).or_insert(range);
        *own = inspector::around(arith, *own, range);
    };
    for range in &guards.indirect.ranges {
        add(range.array, indirect_addresses(scop, range, &found, arith, &mut checks));
    }
    let compared = guards.indirect.arrays();
    for range in guards
        .array_ranges
        .iter()
        .filter(|range| compared.contains(&range.array))
    {
        add(range.array, addresses(scop, range, arith, &mut checks));
    }
    for (one, other) in &guards.indirect.pairs {
        checks.push(are_apart(arith.builder, ranges[one], ranges[other]));
    }
    conjunction(arith.builder, checks).expect("indirect accesses are checked")
}

/// The conjunction of the checks of rows, behind the passes over their tables.
fn row_checks<'a>(run: &'a Run<'_>, scop: &ScopIr<'a>, guards: &Guards, arith: &Arith<'_, 'a>) -> IntValue<'a> {
    let compared = guards.rows.arrays();
    let ranges = guards
        .array_ranges
        .iter()
        .filter(|range| compared.contains(&range.array));
    let mut checks = Vec::new();
    let plain = ranges
        .map(|range| (range.array, addresses(scop, range, arith, &mut checks)))
        .collect();
    let bytes = |range: &ArrayRange, checks: &mut Vec<IntValue<'a>>| bytes(scop, range, arith, checks);
    checks.extend(rows::checks(run, (scop, arith), &guards.rows, &plain, bytes));
    conjunction(arith.builder, checks).expect("rows are checked")
}

fn conjunction<'a>(b: &Builder<'a>, checks: Vec<IntValue<'a>>) -> Option<IntValue<'a>> {
    checks.into_iter().reduce(|x, y| b.build_and(x, y, "").expect(BUILDS))
}

/// Whether two ranges of addresses, each with its end, do not overlap.
fn are_apart<'a>(
    b: &Builder<'a>,
    one: (IntValue<'a>, IntValue<'a>),
    other: (IntValue<'a>, IntValue<'a>),
) -> IntValue<'a> {
    let before = compare(b, IntPredicate::SLE, one.1, other.0);
    let after = compare(b, IntPredicate::SLE, other.1, one.0);
    b.build_or(before, after, "").expect(BUILDS)
}

/// The address of an array's base, in 128 bits.
fn base_address<'a>(scop: &ScopIr<'a>, array: ArrayId, arith: &Arith<'_, 'a>) -> IntValue<'a> {
    let base = scop.arrays[array.0].base.pointer();
    wide_address(base.expect("an array with one base"), arith)
}

/// An address in 128 bits.
fn wide_address<'a>(address: Value<'a>, arith: &Arith<'_, 'a>) -> IntValue<'a> {
    let b = arith.builder;
    let base = address.basic().expect("a pointer").into_pointer_value();
    let base = b.build_ptr_to_int(base, arith.i64, "").expect(BUILDS);
    // A base may be poison where the array is never accessed; the guard must not branch on it.
    let base = farkas_llvm::edit::freeze(b, base).into_int_value();
    let wide = arith.i64.get_context().i128_type();
    b.build_int_z_extend(base, wide, "").expect(BUILDS)
}

/// As [`addresses`], of an indirect access.
fn indirect_addresses<'a>(
    scop: &ScopIr<'a>,
    range: &IndirectRange,
    found: &[inspector::Interval<'a>],
    arith: &Arith<'_, 'a>,
    checks: &mut Vec<IntValue<'a>>,
) -> (IntValue<'a>, IntValue<'a>) {
    let (low, high) = inspector::interval(arith, found, &range.offset, checks);
    let base = base_address(scop, range.array, arith);
    let plus = |x, y| arith.builder.build_int_add(x, y, "").expect(BUILDS);
    let size = base.get_type().const_int(range.size, false);
    (plus(base, low), plus(plus(base, high), size))
}

/// The address of the first byte of a range, and that of what follows the last, in 128 bits. `checks` gets what has to hold for
/// them to be right.
fn addresses<'a>(
    scop: &ScopIr<'a>,
    range: &ArrayRange,
    arith: &Arith<'_, 'a>,
    checks: &mut Vec<IntValue<'a>>,
) -> (IntValue<'a>, IntValue<'a>) {
    let buffer = Buffer {
        array: range.array,
        position: 0,
    };
    buffer_addresses(scop, buffer, range, arith, checks)
}

/// As [`addresses`], of one of an array's buffers.
fn buffer_addresses<'a>(
    scop: &ScopIr<'a>,
    buffer: Buffer,
    range: &ArrayRange,
    arith: &Arith<'_, 'a>,
    checks: &mut Vec<IntValue<'a>>,
) -> (IntValue<'a>, IntValue<'a>) {
    let base = wide_address(scop.addresses_of(buffer.array)[buffer.position], arith);
    let (first, end) = bytes(scop, range, arith, checks);
    let plus = |x, y| arith.builder.build_int_add(x, y, "").expect(BUILDS);
    (plus(base, first), plus(base, end))
}

/// The distances of the first byte of a range, and of what follows the last, from its array's base, or from the addresses of rows.
fn bytes<'a>(
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
    let one = wide.const_int(1, false);
    if let InnerRange::Between(inner) = &range.inner {
        let row = Bounds::Affine((range.first.clone(), range.last.clone()));
        let linear = |outer, (size, inner): (&Quasi, &(Expr, Expr))| {
            let size = Bounds::Affine((size.clone().into(), size.clone().into()));
            Bounds::Sum(
                vec![Bounds::Product(vec![outer, size], 64), Bounds::Affine(inner.clone())],
                64,
            )
        };
        let distance = range.sizes.iter().zip(inner).fold(row, linear);
        let (first, last) = inspector::interval(arith, &[], &distance, checks);
        let element = wide.const_int(array.element_size, false);
        return (times(first, element), times(plus(last, one), element));
    }
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
    let first = times(widened(arith.expr(&range.first)), row);
    let last = widened(arith.expr(&range.last));
    let end = match &range.inner {
        InnerRange::UpTo(inner) => {
            let inner = inner.iter().map(|subscript| widened(arith.quasi(subscript)));
            let linear = |outer, (size, inner): (&IntValue<'a>, _)| plus(times(outer, *size), inner);
            let last = sizes.iter().zip(inner).fold(last, linear);
            times(plus(last, one), element)
        }
        InnerRange::Whole | InnerRange::Between(_) => times(plus(last, one), row),
    };
    (first, end)
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
