//! An array of a region: how it comes to the device, and its results to the host.
//!
//! ```text
//! copy in      host's array -> buffer `copied` -> device     in pieces: the next one is copied here while the device copies one
//! stage        device -> buffer `staged`
//! write back   buffer `staged` -> host's array               what kernels wrote only
//! ```
//!
//! Both buffers are pinned, which the device copies several times as fast as other memory. Copies of the host are made by a few threads if the
//! array is large.
//!
//! # What is written back
//!
//! The bytes between two elements that kernels write may be anybody's: in `for (i) a[2 * i] = x`, another thread may write `a[1]`. So may
//! be an element that is only written under a condition. If the program gives a box in which kernels write all bytes, and none outside
//! ([`Written::Box`]), the box is written. Otherwise ([`Written::Changed`]), those elements are written that differ from what they were when
//! they were copied in, which is still in `copied`. Kernels changed these, and the program's own version of the region would have written
//! them, too.

use std::ops::Range;
use std::ptr;

use crate::buffers::Buffer;
use crate::byte_box::ByteBox;
use crate::device::Device;
use crate::driver::{Driver, Handle};
use crate::failure::Failure;
use crate::pinned::HostBuffer;
use crate::workers::{for_each_piece, threads_for};
use crate::write_back::{piece_bytes, write_changed};

/// The bytes of a piece. A device copies some 20 of these in a millisecond, so that starting a copy takes no time in comparison.
pub(crate) const PIECE: usize = 2 << 20;

/// An array of fewer bytes, of which no copy stays here, goes to the device at once: the driver has a buffer of its own for those.
const SMALL: usize = 64 << 10;

/// What is copied of an array: bits of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Transfer(pub(crate) u32);

impl Transfer {
    /// Kernels may read bytes that none of them wrote before.
    pub(crate) const IN: u32 = 1;
    /// Kernels may write it.
    pub(crate) const OUT: u32 = 2;

    pub(crate) fn has(self, bit: u32) -> bool {
        self.0 & bit != 0
    }
}

/// What kernels write of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// Nothing.
    Nothing,
    /// Some elements of so many bytes, or of one byte where it is 0.
    Changed(usize),
    /// The bytes of a box.
    Box(ByteBox),
}

/// Bytes of the host. Somebody promised that they stay there until the region ends.
#[derive(Debug)]
pub(crate) struct HostArray {
    first: *mut u8,
    pub(crate) bytes: usize,
}

// SAFETY: the promise is about the bytes, whichever thread accesses them.
unsafe impl Sync for HostArray {}

impl HostArray {
    /// So many bytes from here on.
    ///
    /// # Safety
    ///
    /// The bytes stay readable until the region ends that the array is given to, and writable if kernels write the array.
    pub(crate) unsafe fn new(first: *mut u8, bytes: usize) -> HostArray {
        HostArray { first, bytes }
    }

    pub(crate) fn overlaps(&self, other: &HostArray) -> bool {
        let end = |array: &HostArray| array.first.addr().saturating_add(array.bytes);
        self.first.addr() < end(other) && other.first.addr() < end(self)
    }

    /// Where a byte of the array is.
    fn at(&self, position: usize) -> *mut u8 {
        debug_assert!(position <= self.bytes);
        // SAFETY: the byte is one of the array, or the one behind it.
        unsafe { self.first.add(position) }
    }
}

/// Piece `number` of so many bytes, if each has `piece` bytes.
fn range(number: usize, piece: usize, bytes: usize) -> Range<usize> {
    number * piece..bytes.min((number + 1).saturating_mul(piece))
}

/// An array of a region.
#[derive(Debug)]
pub(crate) struct Array {
    pub(crate) host: HostArray,
    pub(crate) written: Written,
    /// Where it is on the device.
    buffer: Buffer,
    /// What was copied in. It is used until that is done, and until the end where changed elements are found by comparison.
    copied: Option<HostBuffer>,
    /// The results, in the span of the box if kernels write one.
    staged: Option<HostBuffer>,
}

impl Array {
    /// An array with memory on the device, where nothing is copied yet.
    pub(crate) fn new(host: HostArray, written: Written, buffer: Buffer) -> Array {
        Array {
            host,
            written,
            buffer,
            copied: None,
            staged: None,
        }
    }

    /// Its address on the device.
    pub(crate) fn address(&self) -> u64 {
        self.buffer.address.0
    }

    /// Copies the host's array to the device, behind what the stream does before. The array has to stay until the stream was waited for,
    /// even if this fails.
    pub(crate) fn copy_in(&mut self, device: &Device, driver: &Driver, stream: Handle) -> Result<(), Failure> {
        let (host, to) = (&self.host, self.buffer.address);
        if host.bytes < SMALL && !matches!(self.written, Written::Changed(_)) {
            // SAFETY: the bytes are the host's, which stay, and there are as many on the device.
            return unsafe { driver.copy_in(to, host.first, host.bytes, stream) };
        }
        let copied = device.host_buffers.take(driver, &device.log, host.bytes)?;
        let copied = self.copied.insert(copied);
        let copied: &HostBuffer = copied;
        let copy = |number| {
            let piece = range(number, PIECE, host.bytes);
            // Other threads may be writing bytes that the region does not access, so that these are not looked at as a slice.
            // SAFETY: the piece is in the array, which is readable, and in the buffer, which nobody else has.
            unsafe { ptr::copy_nonoverlapping(host.at(piece.start), copied.first().add(piece.start), piece.len()) };
        };
        let mut result = Ok(());
        let send = |number| {
            if result.is_ok() {
                let piece = range(number, PIECE, host.bytes);
                // SAFETY: the piece is in the buffer, which stays until the stream was waited for, and on the device.
                result = unsafe {
                    let from = copied.first().add(piece.start);
                    driver.copy_in(to.at(piece.start), from, piece.len(), stream)
                };
            }
        };
        for_each_piece(host.bytes.div_ceil(PIECE), threads_for(host.bytes), copy, send);
        result
    }

    /// Gives back the buffer that it was copied in from, unless that is compared with results. Requires that the stream was waited for.
    pub(crate) fn give_back_copied(&mut self, device: &Device, driver: &Driver) -> Result<(), Failure> {
        let copied = match self.written {
            Written::Changed(_) => None,
            _ => self.copied.take(),
        };
        copied.map_or(Ok(()), |copied| device.host_buffers.give_back(driver, copied))
    }

    /// Copies results to a buffer of ours, behind what the stream does before. The array has to stay until the stream was waited for, even
    /// if this fails.
    pub(crate) fn stage(&mut self, device: &Device, driver: &Driver, stream: Handle) -> Result<(), Failure> {
        let span = match &self.written {
            Written::Nothing => 0..0,
            Written::Changed(_) => 0..self.host.bytes,
            Written::Box(written) => written.span(),
        };
        if span.is_empty() {
            return Ok(());
        }
        let staged = device.host_buffers.take(driver, &device.log, span.len())?;
        let (to, from) = (staged.first(), self.buffer.address.at(span.start));
        self.staged = Some(staged);
        // SAFETY: the buffer has as many bytes, and stays until the stream was waited for.
        unsafe { driver.copy_out(to, from, span.len(), stream) }
    }

    /// Writes results to the host's array. Nothing here can fail.
    ///
    /// # Safety
    ///
    /// The stream was waited for after results were staged. Nobody else accesses what kernels wrote.
    pub(crate) unsafe fn write_back(&self) {
        let Some(staged) = &self.staged else { return };
        match (&self.written, &self.copied) {
            // SAFETY: results are there, in the span of the box.
            (Written::Box(written), _) => unsafe { self.write_box(written, staged) },
            (Written::Changed(element_bytes), Some(copied)) => {
                // SAFETY: the whole array was copied in and out, and the device is done.
                let (before, after) = unsafe { (copied.slice(self.host.bytes), staged.slice(self.host.bytes)) };
                // SAFETY: by the contract.
                unsafe { self.write_elements(before, after, *element_bytes) };
            }
            (Written::Nothing, _) | (Written::Changed(_), None) => {}
        }
    }

    /// Writes elements that changed.
    ///
    /// # Safety
    ///
    /// Nobody else accesses these elements.
    unsafe fn write_elements(&self, before: &[u8], after: &[u8], element_bytes: usize) {
        let (bytes, piece) = (self.host.bytes, piece_bytes(element_bytes, PIECE));
        let write = |number| {
            let own = range(number, piece, bytes);
            let to = self.host.at(own.start);
            // SAFETY: the piece is in the array, which is writable by the promise of whoever made it. The rest is the contract.
            unsafe { write_changed(to, &before[own.clone()], &after[own], element_bytes) };
        };
        for_each_piece(bytes.div_ceil(piece), threads_for(bytes), write, |_| {});
    }

    /// Writes the bytes of a box.
    ///
    /// # Safety
    ///
    /// The buffer has the span of the box. Nobody else accesses the bytes of the box.
    unsafe fn write_box(&self, written: &ByteBox, staged: &HostBuffer) {
        let copy = |position: usize, bytes: usize| {
            let to = self.host.at(written.span().start + position);
            // SAFETY: the bytes are in the box, which is in the array, and in the buffer.
            unsafe { ptr::copy_nonoverlapping(staged.first().add(position), to, bytes) };
        };
        let (rows, row) = (written.rows(), written.row_bytes());
        let threads = threads_for(rows * row);
        if row >= PIECE {
            // Each row has pieces of its own.
            let pieces = row.div_ceil(PIECE);
            let write = |number| {
                let (own, part) = (number / pieces, range(number % pieces, PIECE, row));
                written.for_each_row(own..own + 1, |position| copy(position + part.start, part.len()));
            };
            for_each_piece(rows * pieces, threads, write, |_| {});
        } else {
            // A piece is several rows. There is a row, as there are results.
            let several = PIECE / row;
            let write = |number| written.for_each_row(range(number, several, rows), |position| copy(position, row));
            for_each_piece(rows.div_ceil(several), threads, write, |_| {});
        }
    }

    /// Gives back all memory that it has. Requires that the stream was waited for.
    pub(crate) fn give_back(self, device: &Device, driver: &Driver) -> Result<(), Failure> {
        device.buffers.give_back(driver, self.buffer)?;
        let host_buffers = [self.copied, self.staged];
        let mut host_buffers = host_buffers.into_iter().flatten();
        host_buffers.try_for_each(|buffer| device.host_buffers.give_back(driver, buffer))
    }
}
