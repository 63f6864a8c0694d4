//! Loads of lanes whose elements are a few elements apart: real parts of complex numbers, one color of pixels, every other point.
//!
//! All elements from the first lane's to the last lane's are loaded as vectors, from which shuffles pick those of the lanes. Nothing before
//! or behind them is accessed: the last vector ends with the element of the last lane. In four lanes of `a[2 * i]`:
//!
//! ```text
//! elements       0 1 2 3 4 5 6
//! first vector   0 1 2 3
//! last vector          3 4 5 6
//! lanes          0   2   4   6
//! ```
//!
//! What is between the elements of lanes is in the same array, and in pages that hold elements of lanes.

use farkas_llvm::inkwell::values::VectorValue;
use farkas_llvm::value::Value;
use farkas_polyhedral::tree::Mark;

use super::accesses::Access;
use super::forms::Form;
use super::lanes::Lanes;
use super::shuffle::Shuffle;

impl<'a> Lanes<'_, '_, '_, 'a, '_> {
    /// By how many elements the address of an access grows from lane to lane, if vectors are loaded for it.
    pub(super) fn elements_apart(&mut self, access: &Access<'a>) -> Option<i64> {
        let size = self.forms.run.element(access.ty)?.size as i64;
        if self.forms.private_array(access.original).is_some() {
            return None;
        }
        let Form::Stepped(step) = self.form(access.pointer) else {
            return None;
        };
        let step = step.as_constant().filter(|step| step % size == 0)? / size;
        Mark::loads_between(self.lanes, step.unsigned_abs()).then_some(step)
    }

    /// Loads the elements of lanes that are so many elements apart.
    pub(super) fn load_strided(&mut self, access: &Access<'a>, apart: i64) -> VectorValue<'a> {
        let size = self.forms.run.element(access.ty).expect("a lane").size;
        let lanes = self.lanes as usize;
        let (shared, i64) = (self.forms.shared, self.forms.shared.i64);
        let ty = self.vector_type(access.ty);
        let distance = apart.unsigned_abs() as usize;
        let last = (lanes - 1) * distance;
        let mut lowest = self.first.value(access.pointer).into_pointer_value();
        if apart < 0 {
            let back = -((last as u64 * size) as i64);
            lowest = shared.advanced(lowest, i64.const_int(back as u64, true));
        }
        let starts = starts(lanes, last + 1);
        let vectors: Vec<VectorValue<'a>> = starts
            .iter()
            .map(|start| {
                let bytes = *start as u64 * size;
                let address = shared.advanced(lowest, i64.const_int(bytes, false));
                let loaded = self.load_at(access, ty.into(), address);
                if bytes > 0 {
                    // The alignment of the original is that of lanes' elements, and not of those between.
                    let load = Value::from_inkwell(loaded).instruction().expect("a load");
                    let of_lanes = load.get_alignment().expect("a load");
                    let alignment = of_lanes.min(1 << bytes.trailing_zeros());
                    load.set_alignment(alignment).expect("a power of two");
                }
                loaded.into_vector_value()
            })
            .collect();
        let element = |lane: usize| match apart > 0 {
            true => lane * distance,
            false => last - lane * distance,
        };
        let elements: Vec<usize> = (0..lanes).map(element).collect();
        pick(shared.builder, &vectors, &starts, &elements)
    }
}

/// Where vectors of so many lanes begin that hold so many elements: one behind the other, but for the last one, which ends with the last
/// element.
fn starts(lanes: usize, elements: usize) -> Vec<usize> {
    let before_last = (0..)
        .map(|vector| vector * lanes)
        .take_while(|start| start + lanes < elements);
    before_last.chain([elements - lanes]).collect()
}

/// A vector of these elements, from vectors that begin at `starts`.
fn pick<S: Shuffle>(on: &S, vectors: &[S::Vector], starts: &[usize], elements: &[usize]) -> S::Vector {
    let lanes = elements.len();
    // The lanes that are found so far are in their places, but in the first vector.
    let mut found: Vec<Option<usize>> = elements.iter().map(|e| Some(*e).filter(|e| *e < lanes)).collect();
    let mut picked = vectors[0].clone();
    for (vector, start) in vectors.iter().zip(starts).skip(1) {
        let from = |(lane, at): (usize, &Option<usize>)| match at {
            Some(at) => *at,
            None if (*start..start + lanes).contains(&elements[lane]) => lanes + elements[lane] - start,
            // A later vector has it.
            None => lane,
        };
        let shuffled: Vec<usize> = found.iter().enumerate().map(from).collect();
        picked = on.shuffle(&picked, vector, &shuffled);
        for (lane, at) in found.iter_mut().enumerate() {
            *at = (at.is_some() || elements[lane] < start + lanes).then_some(lane);
        }
    }
    picked
}

#[cfg(test)]
mod tests {
    use super::{pick, starts};
    use crate::vector::shuffle::numbers::Numbers;

    #[test]
    fn lanes_are_picked_within_the_elements_that_they_have() {
        for lanes in [4, 8, 16, 32] {
            for apart in 2..=4 {
                let last = (lanes - 1) * apart;
                let starts = starts(lanes, last + 1);
                assert_eq!(starts.len(), apart);
                let vectors: Vec<Vec<usize>> = starts.iter().map(|start| (*start..start + lanes).collect()).collect();
                assert!(vectors.iter().flatten().all(|element| *element <= last));
                let upward: Vec<usize> = (0..lanes).map(|lane| lane * apart).collect();
                let downward: Vec<usize> = upward.iter().rev().copied().collect();
                for elements in [upward, downward] {
                    assert_eq!(pick(&Numbers, &vectors, &starts, &elements), elements);
                }
            }
        }
    }
}
