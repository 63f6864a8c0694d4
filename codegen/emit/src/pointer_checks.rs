//! Run-time pointer checks: which arrays are compared with which, and how.
//!
//! A few arrays are compared in pairs. For many arrays, where each written one must not overlap any other, the arrays
//! are sorted by address. Then each array is compared with the end of all arrays before it: one comparison in place
//! of one per array. Sorting is a network of exchanges without branches, about `n (log n)^2 / 4` of them. Code
//! without branches can be computed anywhere, and can be moved out of loops.

use farkas_llvm::inkwell::IntPredicate;
use farkas_llvm::inkwell::values::IntValue;
use farkas_llvm::scop_ir::ArrayId;
use indexmap::{IndexMap, IndexSet};

use crate::arith::{Arith, BUILDS};

/// Number of pairs up to which arrays are compared in pairs.
const HANDFUL: usize = 28;

/// Run-time pointer checks: arrays that must not overlap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PointerChecks {
    /// Pairs of them.
    pub pairs: Vec<(ArrayId, ArrayId)>,
    /// Groups in which each written one has to be apart from all others.
    pub groups: Vec<SortedGroup>,
    /// Pairs of buffers of which one takes turns with others in an array.
    pub buffers: Vec<(Buffer, Buffer)>,
}

/// A buffer of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// The array.
    pub array: ArrayId,
    /// The position in the array's rotation; 0 for an array that has one buffer.
    pub position: usize,
}

/// Arrays of which each written one has to be apart from all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortedGroup {
    /// The arrays, and whether each is written.
    pub arrays: Vec<(ArrayId, bool)>,
}

impl PointerChecks {
    /// The check that none of these pairs of arrays, and of buffers, overlaps, with fewer comparisons where there are many arrays.
    pub fn new(pairs: Vec<(ArrayId, ArrayId)>, buffers: Vec<(Buffer, Buffer)>) -> Self {
        if pairs.len() <= HANDFUL {
            return PointerChecks {
                pairs,
                groups: Vec::new(),
                buffers,
            };
        }
        let mut apart = PointerChecks {
            buffers,
            ..PointerChecks::default()
        };
        for component in components(&pairs) {
            match SortedGroup::of(&component) {
                Some(group) if component.len() > HANDFUL => apart.groups.push(group),
                _ => apart.pairs.extend(component),
            }
        }
        apart
    }

    /// The number of comparisons of addresses.
    pub fn comparisons(&self) -> usize {
        let sorted = |group: &SortedGroup| exchanges(group.arrays.len()).len() + 3 * group.arrays.len();
        2 * (self.pairs.len() + self.buffers.len()) + self.groups.iter().map(sorted).sum::<usize>()
    }

    /// The arrays that are checked, in the order in which they come.
    pub fn arrays(&self) -> IndexSet<ArrayId> {
        let pairs = self.pairs.iter().flat_map(|(one, other)| [*one, *other]);
        let buffers = self.buffers.iter().flat_map(|(one, other)| [one.array, other.array]);
        let pairs = pairs.chain(buffers);
        let grouped = self.groups.iter().flat_map(|group| &group.arrays);
        pairs.chain(grouped.map(|(array, _)| *array)).collect()
    }
}

/// The pairs by connected component.
fn components(pairs: &[(ArrayId, ArrayId)]) -> Vec<Vec<(ArrayId, ArrayId)>> {
    let mut neighbours: IndexMap<ArrayId, Vec<ArrayId>> = IndexMap::new();
    for (one, other) in pairs {
        neighbours.entry(*one).or_default().push(*other);
        neighbours.entry(*other).or_default().push(*one);
    }
    let mut component_of: IndexMap<ArrayId, usize> = IndexMap::new();
    let mut count = 0;
    for start in neighbours.keys() {
        let mut open = vec![*start];
        let before = component_of.len();
        while let Some(array) = open.pop() {
            if !component_of.contains_key(&array) {
                component_of.insert(array, count);
                open.extend(&neighbours[&array]);
            }
        }
        count += usize::from(component_of.len() > before);
    }
    let mut components = vec![Vec::new(); count];
    for pair in pairs {
        components[component_of[&pair.0]].push(*pair);
    }
    components
}

impl SortedGroup {
    /// The group whose pairs these are, if they are all those of one: each array is apart from all others, or only
    /// from such ones.
    fn of(pairs: &[(ArrayId, ArrayId)]) -> Option<SortedGroup> {
        let mut degree: IndexMap<ArrayId, usize> = IndexMap::new();
        for (one, other) in pairs {
            *degree.entry(*one).or_default() += 1;
            *degree.entry(*other).or_default() += 1;
        }
        let n = degree.len();
        let arrays: Vec<(ArrayId, bool)> = degree
            .iter()
            .map(|(array, degree)| (*array, *degree == n - 1))
            .collect();
        let written = arrays.iter().filter(|(_, written)| *written).count();
        let all = written * (written.max(1) - 1) / 2 + written * (n - written);
        (pairs.len() == all).then_some(SortedGroup { arrays })
    }
}

/// The exchanges of a sorting network (Batcher's merge exchange): pairs of places, the lesser of which gets the
/// lesser value.
fn exchanges(n: usize) -> Vec<(usize, usize)> {
    let mut exchanges = Vec::new();
    let top = n.next_power_of_two() / 2;
    let mut p = top;
    while p > 0 {
        let (mut q, mut r, mut d) = (top, 0, p);
        loop {
            exchanges.extend((0..n.saturating_sub(d)).filter(|i| i & p == r).map(|i| (i, i + d)));
            if q == p {
                break;
            }
            d = q - p;
            q /= 2;
            r = p;
        }
        p /= 2;
    }
    exchanges
}

/// The bytes of an array, from the first on and up to the last, as unsigned 64-bit numbers.
#[derive(Clone, Copy, Debug)]
struct Bytes<'a> {
    first: IntValue<'a>,
    end: IntValue<'a>,
    /// `None` if it is for sure.
    written: Option<IntValue<'a>>,
}

/// Whether the arrays of a group are apart. For each, there is the address of its first byte and of what follows the
/// last, in 128 bits.
pub(super) fn sorted<'a>(
    arith: &Arith<'_, 'a>,
    group: &SortedGroup,
    extent: impl Fn(ArrayId) -> (IntValue<'a>, IntValue<'a>),
) -> IntValue<'a> {
    let b = arith.builder;
    let compare = |predicate, x, y| b.build_int_compare(predicate, x, y, "").expect(BUILDS);
    let select = |condition, x: IntValue<'a>, y: IntValue<'a>| {
        b.build_select(condition, x, y, "").expect(BUILDS).into_int_value()
    };
    let all_written = group.arrays.iter().all(|(_, written)| *written);
    let bool_type = arith.i64.get_context().bool_type();
    let mut checks = Vec::new();
    let mut narrowed = |wide: IntValue<'a>| {
        let narrow = b.build_int_truncate(wide, arith.i64, "").expect(BUILDS);
        let back = b.build_int_z_extend(narrow, wide.get_type(), "").expect(BUILDS);
        checks.push(compare(IntPredicate::EQ, back, wide));
        narrow
    };
    let mut places: Vec<Bytes<'a>> = Vec::new();
    for (array, written) in &group.arrays {
        let (first, end) = extent(*array);
        places.push(Bytes {
            first: narrowed(first),
            end: narrowed(end),
            written: (!all_written).then(|| bool_type.const_int(u64::from(*written), false)),
        });
    }
    for (low, high) in exchanges(places.len()) {
        let (x, y) = (places[low], places[high]);
        let swap = compare(IntPredicate::ULT, y.first, x.first);
        let pick = |x: Bytes<'a>, y: Bytes<'a>| Bytes {
            first: select(swap, y.first, x.first),
            end: select(swap, y.end, x.end),
            written: x.written.zip(y.written).map(|(x, y)| select(swap, y, x)),
        };
        (places[low], places[high]) = (pick(x, y), pick(y, x));
    }
    // An array that is not accessed may end before it begins; what is before it is before all that follow nevertheless.
    let zero = arith.i64.const_zero();
    let largest = |x, y| select(compare(IntPredicate::UGT, x, y), x, y);
    let (mut end, mut written_end) = (zero, zero);
    for place in places {
        let before = match place.written {
            Some(written) => select(written, end, written_end),
            None => end,
        };
        checks.push(compare(IntPredicate::ULE, before, place.first));
        end = largest(end, place.end);
        if let Some(written) = place.written {
            written_end = largest(written_end, select(written, place.end, zero));
        }
    }
    let both = |x, y| b.build_and(x, y, "").expect(BUILDS);
    checks.into_iter().reduce(both).expect("a group has arrays")
}

#[cfg(test)]
mod tests {
    use super::{PointerChecks, SortedGroup, exchanges};
    use farkas_llvm::scop_ir::ArrayId;

    #[test]
    fn networks_sort() {
        for n in 1..=12 {
            // A network that sorts all sequences of zeros and ones sorts all sequences.
            for bits in 0..1_u32 << n {
                let mut values: Vec<bool> = (0..n).map(|k| bits >> k & 1 == 1).collect();
                for (low, high) in exchanges(n) {
                    assert!(low < high && high < n);
                    if values[low] & !values[high] {
                        values.swap(low, high);
                    }
                }
                assert!(values.is_sorted(), "{n} places");
            }
        }
    }

    fn pairs(written: usize, all: usize) -> Vec<(ArrayId, ArrayId)> {
        let ids = |i: usize| (i + 1..all).map(move |j| (ArrayId(i), ArrayId(j)));
        (0..written).flat_map(ids).collect()
    }

    #[test]
    fn many_arrays_are_sorted() {
        let few = PointerChecks::new(pairs(3, 6), Vec::new());
        assert_eq!((few.pairs.len(), few.groups.len()), (12, 0));
        for (written, all) in [(9, 9), (5, 20), (19, 20)] {
            let many = PointerChecks::new(pairs(written, all), Vec::new());
            let arrays = (0..all).map(|i| (ArrayId(i), i < written || written + 1 == all));
            assert!(many.pairs.is_empty());
            assert_eq!(many.groups.len(), 1);
            let mut found = many.groups[0].arrays.clone();
            found.sort();
            assert_eq!(found, arrays.collect::<Vec<_>>(), "{written} of {all}");
            assert!(many.comparisons() < 2 * pairs(written, all).len());
        }
    }

    #[test]
    fn pairs_that_need_no_check_are_not_checked() {
        // The first two are known to be apart, and so are the next two, which a group cannot say.
        let mut some = pairs(12, 12);
        some.retain(|(x, y)| !(y.0 == x.0 + 1 && (x.0 == 0 || x.0 == 2)));
        assert_eq!(
            PointerChecks::new(some.clone(), Vec::new()),
            PointerChecks {
                pairs: some,
                groups: Vec::new(),
                buffers: Vec::new(),
            }
        );
        // Two groups that have nothing to do with each other.
        let shifted = pairs(10, 10)
            .into_iter()
            .map(|(x, y)| (ArrayId(x.0 + 20), ArrayId(y.0 + 20)));
        let both = PointerChecks::new(pairs(10, 10).into_iter().chain(shifted).collect(), Vec::new());
        let sizes: Vec<usize> = both.groups.iter().map(|SortedGroup { arrays }| arrays.len()).collect();
        assert_eq!((both.pairs.len(), sizes), (0, vec![10, 10]));
    }
}
