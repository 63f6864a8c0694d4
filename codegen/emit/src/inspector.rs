//! The inspector of indirect accesses: it finds out in front of the new code what they may access.
//!
//! ```c
//! for (i = 0; i < n; i++)
//!   for (k = 0; k < m; k++)
//!     y[i] += x[index[k] * n + i];
//! ```
//!
//! Whether `x` and `y` overlap depends on the elements of `index`. The inspector passes over those that the region accesses, and
//! keeps the least and the greatest one. Interval arithmetic then bounds the distance of the accessed bytes from `x`, in the form
//! that scalar evolution has of it: `8 * (index[k] * n + i)`, where `i` is between its [affine](Bounds::Affine) bounds.
//!
//! The program computes in integers of fixed width, the intervals have 128 bits. At each operation the guard checks that the interval
//! fits in the program's width: then nothing wraps around in any instance.
//!
//! The pass reads elements from the first one that the region accesses to the last one, of an array of structures one member. All are in one
//! object, and what is between accessed ones may be anything: each element is frozen.

use std::num::NonZeroU32;

use farkas_llvm::Run;
use farkas_llvm::edit::{byte_offset, freeze};
use farkas_llvm::inkwell::IntPredicate;
use farkas_llvm::inkwell::types::IntType;
use farkas_llvm::inkwell::values::{BasicValue, BasicValueEnum, FunctionValue, IntValue, PhiValue};
use farkas_llvm::scop_ir::{ArrayId, IrArray, ScopIr};
use farkas_llvm::value::Value;
use farkas_polyhedral::ast::Expr;
use indexmap::IndexSet;

use crate::accessed_elements::PassedElements;
use crate::arith::{Arith, BUILDS};

/// What bounds an integer of a region; `A` bounds an affine one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bounds<A> {
    /// It is affine in counters and parameters.
    Affine(A),
    /// It is between two numbers, both included.
    Constant(i64, i64),
    /// It is an element that the inspection of this number looks at.
    Element(usize),
    /// A sum in integers of so many bits.
    Sum(Vec<Bounds<A>>, u32),
    /// A product in integers of so many bits.
    Product(Vec<Bounds<A>>, u32),
    /// The largest of these.
    Maximum(Vec<Bounds<A>>),
    /// The least of these.
    Minimum(Vec<Bounds<A>>),
    /// A number that is read without a sign, bounded as a signed one: the guard checks that it is not negative.
    NonNegative(Box<Bounds<A>>),
}

impl<A> Bounds<A> {
    /// The same with other bounds of affine numbers.
    ///
    /// # Errors
    /// The first one of `f`.
    pub fn try_map<B, E>(&self, f: &mut impl FnMut(&A) -> Result<B, E>) -> Result<Bounds<B>, E> {
        let mut all = |parts: &[Bounds<A>]| parts.iter().map(|part| part.try_map(f)).collect::<Result<Vec<_>, E>>();
        Ok(match self {
            Bounds::Affine(own) => Bounds::Affine(f(own)?),
            Bounds::Constant(low, high) => Bounds::Constant(*low, *high),
            Bounds::Element(inspection) => Bounds::Element(*inspection),
            Bounds::Sum(terms, bits) => Bounds::Sum(all(terms)?, *bits),
            Bounds::Product(factors, bits) => Bounds::Product(all(factors)?, *bits),
            Bounds::Maximum(parts) => Bounds::Maximum(all(parts)?),
            Bounds::Minimum(parts) => Bounds::Minimum(all(parts)?),
            Bounds::NonNegative(own) => Bounds::NonNegative(Box::new(own.try_map(f)?)),
        })
    }

    /// The affine numbers in it.
    pub(crate) fn affine(&self) -> Vec<&A> {
        match self {
            Bounds::Affine(own) => vec![own],
            Bounds::Constant(..) | Bounds::Element(_) => Vec::new(),
            Bounds::Sum(parts, _) | Bounds::Product(parts, _) | Bounds::Maximum(parts) | Bounds::Minimum(parts) => {
                parts.iter().flat_map(Bounds::affine).collect()
            }
            Bounds::NonNegative(own) => own.affine(),
        }
    }
}

/// A pass over the elements of an array of integers that the region accesses and does not write.
#[derive(Clone, Debug)]
pub struct Inspection {
    /// The array.
    pub array: ArrayId,
    /// The elements.
    pub elements: PassedElements,
    /// Whether they are read with a sign.
    pub is_signed: bool,
}

/// The bytes that an indirect access may touch.
#[derive(Clone, Debug)]
pub struct IndirectRange {
    /// The array.
    pub array: ArrayId,
    /// The distance from its base in bytes.
    pub offset: Bounds<(Expr, Expr)>,
    /// The bytes of an access.
    pub size: u64,
}

/// The checks that take an inspector.
#[derive(Clone, Debug, Default)]
pub struct IndirectChecks {
    /// What the inspector passes over.
    pub inspections: Vec<Inspection>,
    /// What indirect accesses touch.
    pub ranges: Vec<IndirectRange>,
    /// The arrays that must not overlap, where one has such a range.
    pub pairs: Vec<(ArrayId, ArrayId)>,
}

impl IndirectChecks {
    /// The arrays that are checked, in the order in which they come.
    pub fn arrays(&self) -> IndexSet<ArrayId> {
        self.pairs.iter().flat_map(|(one, other)| [*one, *other]).collect()
    }

    /// The number of comparisons of addresses.
    pub fn comparisons(&self) -> usize {
        2 * self.pairs.len()
    }
}

/// The least and the greatest value that an integer may have.
pub(super) type Interval<'a> = (IntValue<'a>, IntValue<'a>);

/// Passes over the elements, behind the block where the builder stands. Returns the least and the greatest one, in 64 bits; the builder
/// comes to stand where both are known. Where no element is accessed, they are any numbers.
pub(super) fn inspect<'a>(
    run: &'a Run<'_>,
    scop: &ScopIr<'a>,
    function: FunctionValue<'a>,
    inspection: &Inspection,
    arith: &Arith<'_, 'a>,
) -> Interval<'a> {
    let (context, b) = (run.context(), arith.builder);
    let own = &scop.arrays[inspection.array.0];
    let ty = integer(arith, 8 * own.element_size as u32);
    let accessed = arith.condition(&inspection.elements.elements.accessed);
    let [first, step, last] = inspection.elements.positions(arith);
    let entry = b.get_insert_block().expect("a positioned builder");
    let [pass, done] = ["farkas.inspect", "farkas.inspected"].map(|name| context.append_basic_block(function, name));
    b.build_conditional_branch(accessed, pass, done).expect(BUILDS);

    b.position_at_end(pass);
    let phi = |ty, values: &[(IntValue<'a>, _)]| {
        let phi = b.build_phi(ty, "").expect(BUILDS);
        values
            .iter()
            .for_each(|(value, from)| phi.add_incoming(&[(value, *from)]));
        phi
    };
    let number = |phi: PhiValue<'a>| phi.as_basic_value().into_int_value();
    let sign = 1_u64 << (ty.get_bit_width() - 1);
    let (smallest, largest) = match inspection.is_signed {
        true => (ty.const_int(sign, false), ty.const_int(sign - 1, false)),
        false => (ty.const_zero(), ty.const_all_ones()),
    };
    let position = phi(arith.i64, &[(first, entry)]);
    let (least, greatest) = (phi(ty, &[(largest, entry)]), phi(ty, &[(smallest, entry)]));
    let element = element(own, ty, number(position), arith);
    let (below, above) = match inspection.is_signed {
        true => (IntPredicate::SLT, IntPredicate::SGT),
        false => (IntPredicate::ULT, IntPredicate::UGT),
    };
    let better = |predicate, so_far: IntValue<'a>| {
        let is_better = b.build_int_compare(predicate, element, so_far, "").expect(BUILDS);
        let better = b.build_select(is_better, element, so_far, "").expect(BUILDS);
        better.into_int_value()
    };
    let new_least = better(below, number(least));
    let new_greatest = better(above, number(greatest));
    let next = b.build_int_add(number(position), step, "").expect(BUILDS);
    let is_last = compare(arith, IntPredicate::EQ, number(position), last);
    let back = b.build_conditional_branch(is_last, done, pass).expect(BUILDS);
    run.attach(
        Value::from_inkwell(back),
        "llvm.loop",
        run.distinct_node(&[run.new_mark()], true),
    );
    for (phi, value) in [(position, next), (least, new_least), (greatest, new_greatest)] {
        phi.add_incoming(&[(&value, pass)]);
    }

    b.position_at_end(done);
    let none = ty.const_zero();
    [new_least, new_greatest]
        .map(|found| number(phi(ty, &[(none, entry), (found, pass)])))
        .map(|found| match inspection.is_signed {
            true => b.build_int_s_extend_or_bit_cast(found, arith.i64, "").expect(BUILDS),
            false => b.build_int_z_extend_or_bit_cast(found, arith.i64, "").expect(BUILDS),
        })
        .into()
}

/// The element at a position, frozen.
pub(super) fn element<'a>(
    array: &IrArray<'a>,
    ty: IntType<'a>,
    position: IntValue<'a>,
    arith: &Arith<'_, 'a>,
) -> IntValue<'a> {
    let b = arith.builder;
    let size = arith.i64.const_int(array.element_size, false);
    let distance = b.build_int_mul(position, size, "").expect(BUILDS);
    let base = array.base.pointer().and_then(Value::basic);
    let base = base.expect("a pointer").into_pointer_value();
    let element = b.build_load(ty, byte_offset(b, base, distance), "").expect(BUILDS);
    // Accesses promise their own alignment, and neighbouring elements are their size apart.
    let accesses = array.accesses.iter();
    let alignments = accesses.filter_map(|access| access.instruction()?.get_alignment().ok());
    let alignment = alignments.min().unwrap_or(1).min(array.element_size as u32);
    let load = element.as_instruction_value().expect("a load is an instruction");
    load.set_alignment(alignment).expect("a power of two");
    freeze(b, element).into_int_value()
}

/// The interval of an integer, in 128 bits, beside what the inspections have found. `checks` gets what has to hold for it to be right.
pub(super) fn interval<'a>(
    arith: &Arith<'_, 'a>,
    found: &[Interval<'a>],
    bounds: &Bounds<(Expr, Expr)>,
    checks: &mut Vec<IntValue<'a>>,
) -> Interval<'a> {
    let b = arith.builder;
    let wide = arith.i64.get_context().i128_type();
    let widened = |value| b.build_int_s_extend(value, wide, "").expect(BUILDS);
    let all = |parts: &[Bounds<(Expr, Expr)>], checks: &mut Vec<IntValue<'a>>| -> Vec<Interval<'a>> {
        parts.iter().map(|part| interval(arith, found, part, checks)).collect()
    };
    match bounds {
        Bounds::Affine((low, high)) if low == high => {
            let number = widened(arith.expr(low));
            (number, number)
        }
        Bounds::Affine((low, high)) => (widened(arith.expr(low)), widened(arith.expr(high))),
        Bounds::Constant(low, high) => {
            let constant = |number: i64| widened(arith.i64.const_int(number as u64, true));
            (constant(*low), constant(*high))
        }
        Bounds::Element(inspection) => {
            let (least, greatest) = found[*inspection];
            (widened(least), widened(greatest))
        }
        Bounds::Sum(terms, bits) => {
            let plus = |x, y| b.build_int_add(x, y, "").expect(BUILDS);
            let sum = all(terms, checks)
                .into_iter()
                .reduce(|x, y| (plus(x.0, y.0), plus(x.1, y.1)));
            within(arith, *bits, sum.expect("a sum of something"), checks)
        }
        Bounds::Product(factors, bits) => {
            let mut factors = all(factors, checks).into_iter();
            let first = factors.next().expect("a product of something");
            factors.fold(first, |so_far, factor| {
                let times = |x, y| b.build_int_mul(x, y, "").expect(BUILDS);
                let corner = |x, y| {
                    let corner = times(x, y);
                    (corner, corner)
                };
                let ends = |(low, high)| if low == high { vec![low] } else { vec![low, high] };
                let pairs = ends(so_far)
                    .into_iter()
                    .flat_map(|x| ends(factor).into_iter().map(move |y| (x, y)));
                let hull = pairs.map(|(x, y)| corner(x, y));
                let hull = hull.reduce(|x, y| around(arith, x, y));
                // Two numbers of 64 bits have a product of 128 bits.
                within(arith, *bits, hull.expect("a corner"), checks)
            })
        }
        Bounds::Maximum(parts) => {
            let largest = |x, y| select(arith, IntPredicate::SGT, x, y);
            let parts = all(parts, checks).into_iter();
            let both = parts.reduce(|x, y| (largest(x.0, y.0), largest(x.1, y.1)));
            both.expect("a maximum of something")
        }
        Bounds::Minimum(parts) => {
            let least = |x, y| select(arith, IntPredicate::SLT, x, y);
            let parts = all(parts, checks).into_iter();
            let both = parts.reduce(|x, y| (least(x.0, y.0), least(x.1, y.1)));
            both.expect("a minimum of something")
        }
        Bounds::NonNegative(own) => {
            let own = interval(arith, found, own, checks);
            checks.push(compare(arith, IntPredicate::SGE, own.0, wide.const_zero()));
            own
        }
    }
}

/// The interval around both.
pub(super) fn around<'a>(arith: &Arith<'_, 'a>, x: Interval<'a>, y: Interval<'a>) -> Interval<'a> {
    (
        select(arith, IntPredicate::SLT, x.0, y.0),
        select(arith, IntPredicate::SGT, x.1, y.1),
    )
}

/// The interval, of which `checks` gets that it fits in so many bits.
fn within<'a>(
    arith: &Arith<'_, 'a>,
    bits: u32,
    interval: Interval<'a>,
    checks: &mut Vec<IntValue<'a>>,
) -> Interval<'a> {
    let b = arith.builder;
    let narrow = integer(arith, bits);
    for end in [interval.0, interval.1] {
        let cut = b.build_int_truncate(end, narrow, "").expect(BUILDS);
        let back = b.build_int_s_extend(cut, end.get_type(), "").expect(BUILDS);
        checks.push(compare(arith, IntPredicate::EQ, back, end));
    }
    interval
}

/// The type of integers of so many bits.
fn integer<'a>(arith: &Arith<'_, 'a>, bits: u32) -> IntType<'a> {
    let bits = NonZeroU32::new(bits).expect("integers have bits");
    let context = arith.i64.get_context();
    context.custom_width_int_type(bits).expect("a width of the program's")
}

fn select<'a>(arith: &Arith<'_, 'a>, predicate: IntPredicate, x: IntValue<'a>, y: IntValue<'a>) -> IntValue<'a> {
    let chosen = compare(arith, predicate, x, y);
    let value: BasicValueEnum<'a> = arith.builder.build_select(chosen, x, y, "").expect(BUILDS);
    value.into_int_value()
}

fn compare<'a>(arith: &Arith<'_, 'a>, predicate: IntPredicate, x: IntValue<'a>, y: IntValue<'a>) -> IntValue<'a> {
    arith.builder.build_int_compare(predicate, x, y, "").expect(BUILDS)
}
