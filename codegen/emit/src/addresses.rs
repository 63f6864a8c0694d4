//! Address rebasing: gives innermost loops of Farkas addresses of the form `base + counter + constant`, last of all.
//!
//! An address in a tile is a sum of many parts: counters of tiles, minima and maxima where these are cut off, skews. LLVM's loop
//! strength reduction tries to put each part of each address in registers of its own, and sums of them for every pair of addresses,
//! which can take more time than all other passes together. Here the part that stays the same in the loop is computed in front of
//! it, once for all accesses that are a constant number of bytes apart, and frozen: `freeze` of a pointer is the pointer itself, and
//! scalar evolution does not look into it.
//!
//! ```text
//!     for (j = max(2 * t, 512 * c); ..; j++)              p = freeze(&A[r][max(2 * t, 512 * c) - 2 * t]);
//!       .. A[r][j - 2 * t] + A[r][j - 2 * t + 1] ..       for (k = 0; ..; k++)
//!                                                           .. *(p + 8 * k) + *(p + 8 * k + 8) ..
//! ```
//!
//! This runs behind the vectorizer, in front of code generation. Other integers and pointers that stay the same in such a loop are
//! frozen, too. Every step leaves the function as right as it was.

use std::collections::HashMap;

use farkas_llvm::Run;
use farkas_llvm::edit::{byte_offset, freeze};
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::values::PointerValue;
use farkas_llvm::loops::Loop;
use farkas_llvm::scev::{Scev, ScevKind};
use farkas_llvm::types::TypeKind;
use farkas_llvm::value::{Block, Kind, Value};

use crate::arith::BUILDS;

/// Rebases the addresses in an innermost loop, and freezes what stays the same in it.
pub(crate) fn rebase<'a>(run: &'a Run<'_>, l: Loop<'a>, preheader: Block<'a>) {
    let builder = run.context().create_builder();
    let instructions: Vec<Value<'a>> = l.blocks().into_iter().flat_map(Block::instructions).collect();
    if let Some(counter) = Counter::of(run, l) {
        let mut bases = Bases::default();
        let accesses: Vec<_> = instructions.iter().filter_map(|i| bases.access(run, l, *i)).collect();
        for access in &accesses {
            rebase_access(run, &builder, (l, preheader), &counter, access, &mut bases);
        }
    }
    // Addresses that are no longer used were erased.
    let instructions: Vec<Value<'a>> = l.blocks().into_iter().flat_map(Block::instructions).collect();
    freeze_invariants(&builder, l, preheader, &instructions);
}

/// A phi of 64 bits that takes the values `start`, `start + step`, ..
struct Counter<'a> {
    phi: Value<'a>,
    start: Scev<'a>,
    step: i64,
}

impl<'a> Counter<'a> {
    /// One that counts the loop's iterations, from zero if there is one.
    fn of(run: &'a Run<'_>, l: Loop<'a>) -> Option<Counter<'a>> {
        let integers = l.header().phis().into_iter();
        let counters = integers.filter(|phi| phi.ty().kind() == TypeKind::Integer(64));
        let counters = counters.filter_map(|phi| {
            let (start, step) = recurrence(run, l, phi)?;
            (step != 0).then_some(Counter { phi, start, step })
        });
        counters.min_by_key(|counter| counter.start.kind() != ScevKind::Constant(0))
    }
}

/// The start and the constant step of a value that advances by the same distance in each iteration.
fn recurrence<'a>(run: &'a Run<'_>, l: Loop<'a>, value: Value<'a>) -> Option<(Scev<'a>, i64)> {
    let ScevKind::AddRec(at, operands, _) = run.scev(value)?.kind() else {
        return None;
    };
    let [start, step] = operands[..] else { return None };
    match step.kind() {
        ScevKind::Constant(number) if at == l && step.ty()?.kind() == TypeKind::Integer(64) => Some((start, number)),
        _ => None,
    }
}

/// A load or store, with its address.
struct Access<'a> {
    instruction: Value<'a>,
    pointer: Value<'a>,
    /// The address is so many bytes from this one, which advances.
    root: Value<'a>,
    offset: i64,
}

/// An address that advances by `step` bytes, with what it starts from.
#[derive(Clone, Copy)]
struct Advancing<'a> {
    start: Scev<'a>,
    step: i64,
}

/// An address of the form `base + factor * counter`.
struct Base<'a> {
    start: Scev<'a>,
    factor: i64,
    /// The address in the iteration at hand.
    advanced: PointerValue<'a>,
}

/// What is known of addresses in a loop.
#[derive(Default)]
struct Bases<'a> {
    bases: Vec<Base<'a>>,
    /// The addresses that others are a constant number of bytes from; `None` where they do not advance.
    roots: HashMap<Value<'a>, Option<Advancing<'a>>>,
    /// The addresses in the new form: a position in `bases`, and a number of bytes.
    rebased: HashMap<Value<'a>, (usize, i64)>,
}

impl<'a> Bases<'a> {
    /// The instruction, if it is a load or a store at an address that advances.
    fn access(&mut self, run: &'a Run<'_>, l: Loop<'a>, instruction: Value<'a>) -> Option<Access<'a>> {
        let (Kind::Load { pointer } | Kind::Store { pointer, .. }) = instruction.kind() else {
            return None;
        };
        // A phi that is an address is what loop strength reduction would make.
        if !l.defines(pointer) || pointer.is_phi() {
            return None;
        }
        let (root, offset) = root(run, l, pointer);
        let advancing = self.roots.entry(root).or_insert_with(|| {
            let (start, step) = recurrence(run, l, root)?;
            Some(Advancing { start, step })
        });
        advancing.is_some().then_some(Access {
            instruction,
            pointer,
            root,
            offset,
        })
    }
}

/// The address in the loop that another one is a constant number of bytes from, and the number.
fn root<'a>(run: &'a Run<'_>, l: Loop<'a>, pointer: Value<'a>) -> (Value<'a>, i64) {
    let (mut root, mut distance) = (pointer, 0i64);
    while let Some(offset) = run.address_offset(root)
        && offset.terms.is_empty()
        && let base = root.operands()[0]
        && l.defines(base)
        && let Some(sum) = distance.checked_add(offset.constant)
    {
        (root, distance) = (base, sum);
    }
    (root, distance)
}

fn rebase_access<'a>(
    run: &'a Run<'_>,
    builder: &Builder<'a>,
    (l, preheader): (Loop<'a>, Block<'a>),
    counter: &Counter<'a>,
    access: &Access<'a>,
    bases: &mut Bases<'a>,
) {
    let known = bases.rebased.get(&access.root).copied();
    let Some((base, distance)) =
        known.or_else(|| rebase_root(run, builder, (l, preheader), counter, access.root, bases))
    else {
        return;
    };
    let (Some(distance), advanced) = (distance.checked_add(access.offset), bases.bases[base].advanced) else {
        return;
    };
    place_before(builder, access.instruction);
    let address = match distance {
        0 => advanced,
        _ => byte_offset(
            builder,
            advanced,
            run.context().i64_type().const_int(distance as u64, true),
        ),
    };
    access
        .instruction
        .replace_operand(access.pointer, Value::from_inkwell(address));
    run.erase_dead(access.pointer);
}

/// Brings an address into the new form: that of a base, which is made if there is none, and a number of bytes.
fn rebase_root<'a>(
    run: &'a Run<'_>,
    builder: &Builder<'a>,
    (l, preheader): (Loop<'a>, Block<'a>),
    counter: &Counter<'a>,
    root: Value<'a>,
    bases: &mut Bases<'a>,
) -> Option<(usize, i64)> {
    let Advancing { start, step } = bases.roots.get(&root).copied().flatten()?;
    if step.checked_rem(counter.step) != Some(0) {
        return None;
    }
    let factor = step / counter.step;
    let i64 = run.context().i64_type();
    let counted = run.product(run.number(counter.phi.ty(), factor), counter.start);
    let start = run.difference(start, counted);
    let distance = |base: &Base<'a>| match run.difference(start, base.start).kind() {
        ScevKind::Constant(distance) if base.factor == factor => Some(distance),
        _ => None,
    };
    let own = bases.bases.iter().enumerate();
    let known = own
        .filter_map(|(position, base)| Some((position, distance(base)?)))
        .next();
    let rebased = match known {
        Some(known) => known,
        None => {
            let base = run.expand(start, preheader.terminator())?;
            place_before(builder, preheader.terminator());
            let base = freeze(builder, base.basic().expect("a pointer")).into_pointer_value();
            let first = l.header().instructions().into_iter().find(|i| !i.is_phi());
            place_before(builder, first.expect("a block with a terminator"));
            let counter = counter.phi.basic().expect("an integer").into_int_value();
            let factor_value = i64.const_int(factor as u64, true);
            let bytes = match factor {
                1 => counter,
                _ => builder.build_int_mul(counter, factor_value, "").expect(BUILDS),
            };
            let advanced = byte_offset(builder, base, bytes);
            bases.bases.push(Base {
                start,
                factor,
                advanced,
            });
            (bases.bases.len() - 1, 0)
        }
    };
    bases.rebased.insert(root, rebased);
    Some(rebased)
}

fn place_before<'a>(builder: &Builder<'a>, instruction: Value<'a>) {
    builder.position_before(&instruction.instruction().expect("an instruction"));
}

/// Freezes the integers and pointers that the instructions of a loop have from outside. Calls keep their operands, as some of them
/// want a variable on the stack or a constant.
fn freeze_invariants<'a>(builder: &Builder<'a>, l: Loop<'a>, preheader: Block<'a>, instructions: &[Value<'a>]) {
    let mut frozen: HashMap<Value<'a>, Value<'a>> = HashMap::new();
    for instruction in instructions {
        if matches!(instruction.kind(), Kind::Call(_)) {
            continue;
        }
        for operand in instruction.operands() {
            if !is_hidden(operand) || l.defines(operand) {
                continue;
            }
            let hidden = *frozen.entry(operand).or_insert_with(|| {
                place_before(builder, preheader.terminator());
                Value::from_inkwell(freeze(builder, operand.basic().expect("an integer or a pointer")))
            });
            instruction.replace_operand(operand, hidden);
        }
    }
}

/// Whether the value is an integer or a pointer that scalar evolution looks into.
fn is_hidden(value: Value<'_>) -> bool {
    let is_number = match value.ty().kind() {
        TypeKind::Integer(bits) => bits > 1,
        TypeKind::Pointer(_) => true,
        _ => false,
    };
    is_number && value.is_instruction() && !matches!(value.kind(), Kind::Freeze | Kind::Alloca)
}
