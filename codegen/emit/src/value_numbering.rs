//! Value numbering while code is emitted: what dominates is not computed again, and addresses that differ by a constant share a base.
//!
//! Copies of a statement in a jammed loop differ by constants. Emitted one by one, each copy has arithmetic of its own, and LLVM's
//! passes hoist a base out of the loop for every address. Here an operation with the same operands is emitted once, and an address is
//! known as a *sum* modulo 2^64: values with coefficients, and a constant. Where an access to an address with the same terms was
//! emitted before, the new address is that one moved by a constant number of bytes.
//!
//! ```text
//!     A[n * i + j] + A[n * i + j + 3]   ->   p = &A[n * i + j];   *p + *(p + 24)
//! ```
//!
//! The first address is the base only if its access is executed: an address that is never accessed may be poison.
//!
//! What is at hand in a block is at hand in all blocks that it dominates: tables are undone at the end of a [scope](ValueNumbers::scope).

use std::cell::RefCell;
use std::collections::HashMap;

use farkas_llvm::edit::{byte_offset, byte_offset_inbounds};
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::types::IntType;
use farkas_llvm::inkwell::values::{IntValue, PointerValue};
use farkas_llvm::value::{Kind, Value};

/// Bases are at most so many bytes away: what fits the displacement of an address in machine code.
const REACH: i64 = 1 << 31;

/// An operation with two operands, whose result depends on nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Operation {
    /// A sum that does not overflow where it matters.
    ExactSum,
    /// A sum modulo 2^64.
    Sum,
    /// A product that does not overflow where it matters.
    ExactProduct,
    /// A product modulo 2^64.
    Product,
    UnsignedQuotient,
    ExactQuotient,
    SignedQuotient,
    FloorQuotient,
    UnsignedRemainder,
    Minimum,
    Maximum,
}

/// A value, or the product of two. Values have numbers in the order in which they were met.
type Term = (usize, Option<usize>);

/// A sum modulo 2^64.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    /// Terms with their coefficients, in order; no coefficient is 0.
    terms: Vec<(Term, i64)>,
    constant: i64,
}

impl Sum {
    fn constant(constant: i64) -> Sum {
        Sum {
            terms: Vec::new(),
            constant,
        }
    }

    /// Adds another sum, that many times.
    fn add(&mut self, factor: i64, other: &Sum) {
        self.constant = self.constant.wrapping_add(factor.wrapping_mul(other.constant));
        for (term, coefficient) in &other.terms {
            let added = factor.wrapping_mul(*coefficient);
            match self.terms.binary_search_by(|(own, _)| own.cmp(term)) {
                Ok(at) => self.terms[at].1 = self.terms[at].1.wrapping_add(added),
                Err(at) => self.terms.insert(at, (*term, added)),
            }
        }
        self.terms.retain(|(_, coefficient)| *coefficient != 0);
    }

    /// The sum without another one, if that is a constant.
    pub(crate) fn distance(&self, other: &Sum) -> Option<i64> {
        (self.terms == other.terms).then(|| self.constant.wrapping_sub(other.constant))
    }

    fn scaled(&self, factor: i64) -> Sum {
        let mut scaled = Sum::default();
        scaled.add(factor, self);
        scaled
    }

    /// The product of two sums, if no term of it has more than two values.
    fn product(&self, other: &Sum) -> Option<Sum> {
        let mut product = self.scaled(other.constant);
        product.add(
            self.constant,
            &Sum {
                constant: 0,
                ..other.clone()
            },
        );
        for ((one, second), coefficient) in &self.terms {
            for ((two, third), factor) in &other.terms {
                if second.is_some() || third.is_some() {
                    return None;
                }
                let term = (*one.min(two), Some(*one.max(two)));
                let term = Sum {
                    terms: vec![(term, 1)],
                    constant: 0,
                };
                product.add(coefficient.wrapping_mul(*factor), &term);
            }
        }
        Some(product)
    }
}

/// The operations and accesses that are at hand.
#[derive(Default)]
pub(crate) struct ValueNumbers<'a>(RefCell<Tables<'a>>);

#[derive(Default)]
struct Tables<'a> {
    numbers: HashMap<Value<'a>, usize>,
    /// What is known of emitted values, in scope or not.
    sums: HashMap<Value<'a>, Sum>,
    operations: HashMap<(Operation, Value<'a>, Value<'a>), IntValue<'a>>,
    /// By the terms of an address: an access to it.
    accessed: HashMap<Vec<(Term, i64)>, Accessed<'a>>,
    /// What was added to the tables, in order.
    added: Vec<Added<'a>>,
    /// Integers that were emitted, which may come to be unused.
    emitted: Vec<Value<'a>>,
}

#[derive(Clone, Copy)]
struct Accessed<'a> {
    pointer: PointerValue<'a>,
    constant: i64,
}

enum Added<'a> {
    Operation(Operation, Value<'a>, Value<'a>),
    Access(Vec<(Term, i64)>),
}

/// What is emitted until this is dropped is at hand until then.
pub(crate) struct Scope<'v, 'a> {
    values: &'v ValueNumbers<'a>,
    before: usize,
}

impl Drop for Scope<'_, '_> {
    fn drop(&mut self) {
        let mut tables = self.values.0.borrow_mut();
        while tables.added.len() > self.before {
            match tables.added.pop() {
                Some(Added::Operation(operation, a, b)) => drop(tables.operations.remove(&(operation, a, b))),
                Some(Added::Access(terms)) => drop(tables.accessed.remove(&terms)),
                None => unreachable!("the list is longer than it was"),
            }
        }
    }
}

impl<'a> Tables<'a> {
    fn sum_of(&mut self, value: Value<'a>) -> Sum {
        if let Some(sum) = self.sums.get(&value) {
            return sum.clone();
        }
        if let Some(constant) = value.as_integer() {
            return Sum::constant(constant);
        }
        let next = self.numbers.len();
        let number = *self.numbers.entry(value).or_insert(next);
        Sum {
            terms: vec![((number, None), 1)],
            constant: 0,
        }
    }

    /// The sum that an operation on integers of 64 bits computes, if it is one.
    fn result(&mut self, operation: Operation, a: Value<'a>, b: Value<'a>) -> Option<Sum> {
        match operation {
            Operation::ExactSum | Operation::Sum => {
                let mut sum = self.sum_of(a);
                sum.add(1, &self.sum_of(b));
                Some(sum)
            }
            Operation::ExactProduct | Operation::Product => self.sum_of(a).product(&self.sum_of(b)),
            _ => None,
        }
    }
}

impl<'a> ValueNumbers<'a> {
    /// Begins a scope: what is emitted in it dominates nothing behind it.
    pub(crate) fn scope(&self) -> Scope<'_, 'a> {
        Scope {
            values: self,
            before: self.0.borrow().added.len(),
        }
    }

    /// The result of an operation on integers of 64 bits, which `emit` emits where there is none at hand.
    pub(crate) fn operation(
        &self,
        operation: Operation,
        (a, b): (IntValue<'a>, IntValue<'a>),
        emit: impl FnOnce() -> IntValue<'a>,
    ) -> IntValue<'a> {
        let (x, y) = (Value::from_inkwell(a), Value::from_inkwell(b));
        let key = (operation, x, y);
        if let Some(known) = self.0.borrow().operations.get(&key) {
            return *known;
        }
        let result = emit();
        let mut tables = self.0.borrow_mut();
        let value = Value::from_inkwell(result);
        if value.is_instruction() {
            if let Some(sum) = tables.result(operation, x, y) {
                tables.sums.insert(value, sum);
            }
            tables.operations.insert(key, result);
            tables.added.push(Added::Operation(operation, x, y));
            tables.emitted.push(value);
        }
        result
    }

    /// The value as a sum.
    pub(crate) fn sum_of(&self, value: Value<'a>) -> Sum {
        self.0.borrow_mut().sum_of(value)
    }

    /// The sum of an address: a base, a constant, and terms that each count so many bytes.
    pub(crate) fn address(&self, base: &Sum, terms: &[(Sum, i64)], constant: i64) -> Sum {
        let mut address = base.clone();
        for (term, bytes) in terms {
            address.add(*bytes, term);
        }
        address.constant = address.constant.wrapping_add(constant);
        address
    }

    /// Takes note of the sum that an address is.
    pub(crate) fn is_sum(&self, address: Value<'a>, sum: Sum) {
        self.0.borrow_mut().sums.insert(address, sum);
    }

    /// The address with this sum, if it is a constant number of bytes from one that is accessed before. `is_inbounds` says whether
    /// it is in the object that it is accessed in.
    pub(crate) fn near(
        &self,
        sum: &Sum,
        is_inbounds: bool,
        (builder, i64): (&Builder<'a>, IntType<'a>),
    ) -> Option<PointerValue<'a>> {
        let Accessed { pointer, constant } = *self.0.borrow().accessed.get(&sum.terms)?;
        let distance = sum.constant.wrapping_sub(constant);
        if distance == 0 {
            return Some(pointer);
        }
        if !(-REACH..REACH).contains(&distance) {
            return None;
        }
        let bytes = i64.const_int(distance as u64, true);
        let address = match is_inbounds {
            true => byte_offset_inbounds(builder, pointer, bytes),
            false => byte_offset(builder, pointer, bytes),
        };
        self.is_sum(Value::from_inkwell(address), sum.clone());
        Some(address)
    }

    /// Takes note of an access that is executed where the builder stands.
    pub(crate) fn accessed(&self, access: Value<'a>) {
        let (Kind::Load { pointer: address } | Kind::Store { pointer: address, .. }) = access.kind() else {
            return;
        };
        let mut tables = self.0.borrow_mut();
        let Some(sum) = tables.sums.get(&address).cloned() else {
            return;
        };
        if tables.accessed.contains_key(&sum.terms) {
            return;
        }
        let pointer = address.basic().expect("an address").into_pointer_value();
        let accessed = Accessed {
            pointer,
            constant: sum.constant,
        };
        tables.added.push(Added::Access(sum.terms.clone()));
        tables.accessed.insert(sum.terms, accessed);
    }

    /// Erases the integers that nobody uses: counters of which only addresses were made.
    pub(crate) fn erase_unused(self) {
        for value in self.0.into_inner().emitted.into_iter().rev() {
            if !value.is_used()
                && let Some(instruction) = value.instruction()
            {
                instruction.erase_from_basic_block();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Sum;

    /// The sum `factor * v + constant`, where values have numbers.
    fn value(number: usize, factor: i64, constant: i64) -> Sum {
        Sum {
            terms: vec![((number, None), factor)],
            constant,
        }
    }

    #[test]
    fn sums() {
        let mut sum = value(0, 4, 1);
        sum.add(2, &value(1, 3, -1));
        sum.add(-1, &value(0, 4, 0));
        assert_eq!(sum, value(1, 6, -1));
        sum.add(-6, &value(1, 1, 0));
        assert_eq!(sum, Sum::constant(-1));
        sum.add(i64::MIN, &Sum::constant(1));
        assert_eq!(sum, Sum::constant(i64::MAX));
    }

    #[test]
    fn distances() {
        assert_eq!(value(0, 8, 24).distance(&value(0, 8, 0)), Some(24));
        assert_eq!(value(0, 8, 0).distance(&value(1, 8, 0)), None);
        assert_eq!(value(0, 8, 0).distance(&value(0, 4, 0)), None);
    }

    #[test]
    fn products() {
        // (4 * v0 + 1) * (v1 + 2) = 4 * v0 * v1 + v1 + 8 * v0 + 2
        let product = value(0, 4, 1).product(&value(1, 1, 2)).expect("two values in a term");
        let expected = Sum {
            terms: vec![((0, None), 8), ((0, Some(1)), 4), ((1, None), 1)],
            constant: 2,
        };
        assert_eq!(product, expected);
        assert_eq!(value(1, 1, 2).product(&value(0, 4, 1)), Some(expected));
        assert_eq!(product.product(&value(2, 1, 0)), None);
        assert_eq!(product.product(&Sum::constant(0)), Some(Sum::constant(0)));
    }
}
