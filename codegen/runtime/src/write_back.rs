//! Writes the elements that kernels changed to the host's array.
//!
//! An element is written as a whole if any of its bytes is not what it was before. Nobody else writes the other bytes of such an element:
//! kernels write whole elements only. Elements that did not change may be anybody's, and are not touched.
//!
//! Most elements of an array changed, or few. So blocks of 64 bytes are looked at as a whole first: one that is equal is passed over, and one
//! in which all elements changed is copied.

use std::ptr;

/// The bytes that are looked at as a whole.
const BLOCK: usize = 64;

/// How many bytes a piece may have so that it ends with an element and a block: about as many as asked for, and at least one element.
pub(crate) fn piece_bytes(element_bytes: usize, wanted: usize) -> usize {
    let unit = element_bytes.max(1).saturating_mul(BLOCK);
    (wanted / unit).max(1).saturating_mul(unit)
}

/// Writes the elements of `after` that differ from `before`, which has as many bytes. The last one may be a part.
///
/// # Safety
///
/// `to` has as many bytes, which are writable. Nobody accesses those of elements that differ.
pub(crate) unsafe fn write_changed(to: *mut u8, before: &[u8], after: &[u8], element_bytes: usize) {
    // SAFETY: that is the contract.
    unsafe {
        match element_bytes {
            0 | 1 => write_elements::<1>(to, before, after),
            2 => write_elements::<2>(to, before, after),
            4 => write_elements::<4>(to, before, after),
            8 => write_elements::<8>(to, before, after),
            _ => write_long_elements(to, before, after, element_bytes),
        }
    }
}

/// [`write_changed`] for elements of `N` bytes, a divisor of 8.
///
/// # Safety
///
/// As there.
unsafe fn write_elements<const N: usize>(to: *mut u8, before: &[u8], after: &[u8]) {
    let ((before, rest), (after, rest_after)) = (before.as_chunks::<BLOCK>(), after.as_chunks::<BLOCK>());
    for (position, (before, after)) in before.iter().zip(after).enumerate() {
        if before == after {
            continue;
        }
        // SAFETY: the block is in the array.
        let to = unsafe { to.add(position * BLOCK) };
        // SAFETY: by the contract.
        unsafe { write_block::<N>(to, before, after) };
    }
    // SAFETY: the rest is in the array, and begins at an element.
    unsafe { write_long_elements(to.add(before.len() * BLOCK), rest, rest_after, N) };
}

/// Writes the elements of a block that differ.
///
/// # Safety
///
/// As for [`write_changed`].
unsafe fn write_block<const N: usize>(to: *mut u8, before: &[u8; BLOCK], after: &[u8; BLOCK]) {
    let ((before, _), (after_words, _)) = (before.as_chunks::<8>(), after.as_chunks::<8>());
    // One bit for each element: there is no branch for one that did not change.
    let mut changed = 0;
    for (word, (before, after)) in before.iter().zip(after_words).enumerate() {
        let bits = u64::from_le_bytes(*before) ^ u64::from_le_bytes(*after);
        changed |= changed_elements::<N>(bits) << (word * (8 / N));
    }
    if changed == u64::MAX >> (64 - BLOCK / N) {
        // SAFETY: by the contract the whole block is writable, and nobody else accesses it.
        unsafe { ptr::copy_nonoverlapping(after.as_ptr(), to, BLOCK) };
        return;
    }
    let (after, _) = after.as_chunks::<N>();
    while changed != 0 {
        let position = changed.trailing_zeros() as usize;
        // SAFETY: the element is in the block, and changed. An array of bytes has no alignment.
        unsafe { to.add(position * N).cast::<[u8; N]>().write(after[position]) };
        changed &= changed - 1;
    }
}

/// One bit for each element of `N` bytes in a word: whether any bit of the element is set.
///
/// For the elements `0x80`, `0` and `1` of bytes, the last bit of each is set first: in `0x80` it is, and `1 + 0x7F` carries into it. Then a
/// product moves these bits, which are `8 * N` apart, next to each other, to the end of the word. No two bits of the product come to the
/// same place.
fn changed_elements<const N: usize>(bits: u64) -> u64 {
    let last_bits = const {
        let element = u64::MAX >> (64 - 8 * N);
        (u64::MAX / element) << (8 * N - 1)
    };
    let factor = const {
        let (mut factor, mut element) = (0, 0);
        while element < 8 / N {
            factor |= 1_u64 << (64 - 8 / N - element * (8 * N - 1));
            element += 1;
        }
        factor
    };
    let is_set = (((bits & !last_bits) + !last_bits) | bits) & last_bits;
    (is_set >> (8 * N - 1)).wrapping_mul(factor) >> (64 - 8 / N)
}

/// [`write_changed`] for elements of any number of bytes but 0.
///
/// # Safety
///
/// As there.
unsafe fn write_long_elements(to: *mut u8, before: &[u8], after: &[u8], element_bytes: usize) {
    let elements = before.chunks(element_bytes).zip(after.chunks(element_bytes));
    for (position, (before, after)) in elements.enumerate() {
        if before != after {
            // SAFETY: the element is in the array, and changed.
            unsafe { ptr::copy_nonoverlapping(after.as_ptr(), to.add(position * element_bytes), after.len()) };
        }
    }
}
