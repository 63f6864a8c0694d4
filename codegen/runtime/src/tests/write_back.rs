//! Which bytes are written to the host's arrays, against models that are simple.

use crate::byte_box::{BoxShape, ByteBox};
use crate::failure::Failure;
use crate::write_back::{piece_bytes, write_changed};

/// Numbers that look random: the generator of Steele, Lea and Flood (SplitMix64).
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

/// The bytes that the host's array has where nothing is written.
const UNTOUCHED: u8 = 0xEE;

/// Writes back `after` and compares with a loop over elements.
fn check_elements(before: &[u8], after: &[u8], element_bytes: usize) {
    let mut written = vec![UNTOUCHED; after.len()];
    // SAFETY: all three have as many bytes, and the first one is ours.
    unsafe { write_changed(written.as_mut_ptr(), before, after, element_bytes) };
    let mut expected = vec![UNTOUCHED; after.len()];
    for first in (0..after.len()).step_by(element_bytes.max(1)) {
        let element = first..after.len().min(first + element_bytes.max(1));
        if before[element.clone()] != after[element.clone()] {
            expected[element.clone()].copy_from_slice(&after[element]);
        }
    }
    assert_eq!(
        written,
        expected,
        "elements of {element_bytes} bytes, {} bytes",
        after.len()
    );
}

#[test]
fn elements_that_changed() {
    let mut numbers = Numbers(1);
    for element_bytes in [0, 1, 2, 3, 4, 8, 12, 16, 1000] {
        for _ in 0..300 {
            let bytes = numbers.below(400);
            let before: Vec<u8> = (0..bytes).map(|_| numbers.next() as u8).collect();
            let mut after = before.clone();
            // No byte, few, most, or all of a part.
            let changes = [0, 1, bytes / 20, bytes / 4, 4 * bytes][numbers.below(5)];
            for _ in 0..changes.min(changes * bytes) {
                after[numbers.below(bytes)] = numbers.next() as u8;
            }
            if bytes > 0 && numbers.below(3) == 0 {
                let first = numbers.below(bytes);
                let part = first..first + numbers.below(bytes - first + 1);
                after[part].iter_mut().for_each(|byte| *byte = !*byte);
            }
            check_elements(&before, &after, element_bytes);
        }
    }
}

#[test]
fn pieces_end_with_elements() {
    for element_bytes in [0, 1, 2, 3, 8, 12, 1000, 1 << 20, usize::MAX] {
        let piece = piece_bytes(element_bytes, 1 << 16);
        assert!(piece > 0);
        if element_bytes <= 1000 {
            assert_eq!(piece % element_bytes.max(1), 0);
            assert!((1 << 15..=1 << 16).contains(&piece), "{element_bytes} {piece}");
        }
    }
}

/// The bytes of a box in an array, by loops over all dimensions; `None` if one is outside, or there are too many.
fn model(offset: u64, sizes: &[[u64; 2]], bytes: usize) -> Option<Vec<bool>> {
    let mut positions = vec![offset];
    for [count, stride] in sizes {
        let around = std::mem::take(&mut positions);
        positions = around
            .iter()
            .flat_map(|first| (0..*count).map(move |number| first + number * stride))
            .collect();
    }
    let mut is_written = vec![false; bytes];
    for position in positions {
        *is_written.get_mut(position as usize)? = true;
    }
    Some(is_written)
}

/// The bytes of a box, by its rows, which are given in two parts.
fn by_rows(written: &ByteBox, bytes: usize, numbers: &mut Numbers) -> Vec<bool> {
    let mut is_written = vec![false; bytes];
    let (span, rows) = (written.span(), written.rows());
    let middle = numbers.below(rows + 1);
    for part in [0..middle, middle..rows] {
        written.for_each_row(part, |position| {
            assert!(position + written.row_bytes() <= span.len());
            is_written[span.start + position..][..written.row_bytes()].fill(true);
        });
    }
    is_written
}

#[test]
fn boxes() {
    let mut numbers = Numbers(2);
    let (mut inside, mut outside) = (0, 0);
    for _ in 0..5000 {
        let bytes = 1 + numbers.below(200);
        let offset = numbers.below(20) as u64;
        let row = numbers.below(12) as u64;
        let mut sizes = vec![[row, 1]];
        for _ in 0..numbers.below(3) {
            let within: u64 = sizes[0][0] * sizes[0][1];
            let gap = [0, 0, 1, 5][numbers.below(4)];
            sizes.insert(0, [1 + numbers.below(5) as u64, within + gap]);
        }
        let shape = BoxShape { offset, sizes: &sizes };
        match ByteBox::new(shape, bytes) {
            Ok(written) => {
                inside += 1;
                let by_rows = by_rows(&written, bytes, &mut numbers);
                assert_eq!(Some(by_rows), model(offset, &sizes, bytes), "{shape:?} {bytes}");
            }
            Err(failure) => {
                outside += 1;
                assert_eq!(failure, Failure::Box);
                assert_eq!(model(offset, &sizes, bytes), None, "{shape:?} {bytes}");
            }
        }
    }
    assert!(inside > 500 && outside > 500, "{inside} {outside}");
}

/// A transposed box: the outer dimension has the smaller distance.
#[test]
fn dimensions_in_any_order() {
    let sizes = [[3, 8], [4, 80], [8, 1]];
    let written = ByteBox::new(
        BoxShape {
            offset: 8,
            sizes: &sizes,
        },
        1000,
    )
    .expect("a box within");
    assert_eq!(Some(by_rows(&written, 1000, &mut Numbers(3))), model(8, &sizes, 1000));
}

#[test]
fn rows_without_gaps_are_one() {
    let rows = |sizes: &[[u64; 2]]| {
        let written = ByteBox::new(BoxShape { offset: 0, sizes }, 4800).expect("a box within");
        (written.rows(), written.row_bytes())
    };
    assert_eq!(rows(&[[6, 800], [10, 80], [80, 1]]), (1, 4800));
    assert_eq!(rows(&[[6, 800], [1, 7], [800, 1]]), (1, 4800));
    assert_eq!(rows(&[[6, 800], [10, 80], [72, 1]]), (60, 72));
    assert_eq!(rows(&[[6, 800], [9, 80], [80, 1]]), (6, 720));
    assert_eq!(rows(&[[6, 800], [0, 80], [80, 1]]), (0, 0));
}

#[test]
fn what_is_no_box() {
    let check = |offset, sizes: &[[u64; 2]]| {
        let written = ByteBox::new(BoxShape { offset, sizes }, 100);
        assert_eq!(written, Err(Failure::Box), "{offset} {sizes:?}");
    };
    check(0, &[]);
    check(0, &[[10, 2]]);
    check(0, &[[101, 1]]);
    check(93, &[[8, 1]]);
    check(u64::MAX, &[[8, 1]]);
    check(u64::MAX, &[[1, 1]]);
    check(0, &[[u64::MAX, 1]]);
    check(0, &[[u64::MAX, u64::MAX], [8, 1]]);
    check(0, &[[2, u64::MAX], [8, 1]]);
    check(0, &[[3, 46], [9, 1]]);
    // Rows that lie on each other.
    check(0, &[[1 << 60, 0], [8, 1]]);
    check(0, &[[13, 1], [8, 1]]);
}
