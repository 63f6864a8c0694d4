//! Shuffles of two vectors, as LLVM has them.

use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::types::VectorType;
use farkas_llvm::inkwell::values::VectorValue;

use crate::arith::BUILDS;

/// What has vectors, and shuffles them.
pub(super) trait Shuffle {
    type Vector: Clone;

    /// The number of elements.
    fn width(&self, vector: &Self::Vector) -> usize;

    /// The elements of two vectors of the same width at these positions: those of the second one follow those of the first.
    fn shuffle(&self, one: &Self::Vector, other: &Self::Vector, elements: &[usize]) -> Self::Vector;
}

impl<'a> Shuffle for Builder<'a> {
    type Vector = VectorValue<'a>;

    fn width(&self, vector: &VectorValue<'a>) -> usize {
        vector.get_type().get_size() as usize
    }

    fn shuffle(&self, one: &VectorValue<'a>, other: &VectorValue<'a>, elements: &[usize]) -> VectorValue<'a> {
        let i32 = one.get_type().get_context().i32_type();
        let mask: Vec<_> = elements.iter().map(|e| i32.const_int(*e as u64, false)).collect();
        let shuffled = self.build_shuffle_vector(*one, *other, VectorType::const_vector(&mask), "");
        shuffled.expect(BUILDS)
    }
}

/// Vectors of numbers, for tests of what shuffles are to give.
#[cfg(test)]
pub(super) mod numbers {
    use super::Shuffle;

    pub(in crate::vector) struct Numbers;

    impl Shuffle for Numbers {
        type Vector = Vec<usize>;

        fn width(&self, vector: &Vec<usize>) -> usize {
            vector.len()
        }

        fn shuffle(&self, one: &Vec<usize>, other: &Vec<usize>, elements: &[usize]) -> Vec<usize> {
            assert_eq!(one.len(), other.len(), "vectors of one width");
            let both = [&one[..], &other[..]].concat();
            elements.iter().map(|element| both[*element]).collect()
        }
    }
}
