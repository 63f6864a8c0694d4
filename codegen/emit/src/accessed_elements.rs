//! The elements of an array that a region accesses, as far as they can be told exactly: from which one to which one.

use farkas_llvm::inkwell::values::IntValue;
use farkas_polyhedral::ast::{Condition, Quasi};

use crate::arith::{Arith, BUILDS};

/// The part of an array from the first element that a region accesses to the last one, by their addresses. Both are accessed: what is
/// beside them need not be memory of the program. What is between them is, as all of it is in one object.
#[derive(Clone, Debug)]
pub struct AccessedElements {
    /// For which parameters any element is accessed.
    pub accessed: Condition,
    /// The subscripts of the first element.
    pub first: Vec<Quasi>,
    /// The subscripts of the last element.
    pub last: Vec<Quasi>,
    /// The sizes of all dimensions but the outermost.
    pub sizes: Vec<Quasi>,
}

/// The accessed elements of an array as a pass in front of the region goes over them.
#[derive(Clone, Debug)]
pub struct PassedElements {
    /// The elements.
    pub elements: AccessedElements,
    /// How many of the last subscripts are the same in all of them: what is between two neighbours is not looked at.
    pub fixed_subscripts: usize,
}

impl PassedElements {
    /// The positions of the elements, from the base: the first one, the distance of the next one, and the last one. They are right where any
    /// element is accessed.
    pub(crate) fn positions<'a>(&self, arith: &Arith<'_, 'a>) -> [IntValue<'a>; 3] {
        let (first, last) = self.elements.positions(arith);
        let fixed = self.elements.sizes.iter().rev().take(self.fixed_subscripts);
        let one = arith.i64.const_int(1, false);
        let step = fixed.fold(one, |step, size| {
            arith.builder.build_int_mul(step, arith.quasi(size), "").expect(BUILDS)
        });
        [first, step, last]
    }
}

impl AccessedElements {
    /// The positions of the first and of the last element, in elements from the base. They are right where any element is accessed.
    pub(crate) fn positions<'a>(&self, arith: &Arith<'_, 'a>) -> (IntValue<'a>, IntValue<'a>) {
        (self.position(&self.first, arith), self.position(&self.last, arith))
    }

    fn position<'a>(&self, subscripts: &[Quasi], arith: &Arith<'_, 'a>) -> IntValue<'a> {
        let b = arith.builder;
        let mut subscripts = subscripts.iter().map(|subscript| arith.quasi(subscript));
        let outermost = subscripts.next().expect("an array has a dimension");
        let sizes = self.sizes.iter().map(|size| arith.quasi(size));
        let inner = |outer, (size, inner)| {
            let row = b.build_int_mul(outer, size, "").expect(BUILDS);
            b.build_int_add(row, inner, "").expect(BUILDS)
        };
        sizes.zip(subscripts).fold(outermost, inner)
    }
}
