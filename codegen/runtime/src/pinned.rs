//! Memory of the host that results and copies of arrays are in, kept for the next region.
//!
//! It is pinned where possible: the device copies from and to pinned memory several times as fast, and while the program goes on. Where
//! the driver pins no more, ordinary memory serves. Both are kept, as pinning takes long, and the first access to each page of
//! ordinary memory, too.

use std::alloc::{Layout, alloc, dealloc};
use std::ptr::NonNull;

use crate::driver::Driver;
use crate::failure::Failure;
use crate::log::Log;
use crate::pool::{Pool, Pooled};

/// So many bytes of pinned memory are kept, and as many of ordinary memory: what no region uses is lost to the program, which has much
/// more of it where its arrays are large.
pub(crate) const MOST_KEPT_BYTES: usize = 1 << 30;

/// Buffers have a multiple of so many bytes, so that one serves for arrays of similar sizes. A page has no more in most systems.
const GRANULE: usize = 1 << 16;

/// The alignment of ordinary memory: that of a cache line.
const ALIGNMENT: usize = 64;

/// Memory of the host. It is leaked where it is dropped: the device may still copy from there, or to there.
#[derive(Debug)]
pub(crate) struct HostBuffer {
    first: NonNull<u8>,
    bytes: usize,
    is_pinned: bool,
}

// SAFETY: the buffer owns its memory, which is not bound to a thread.
unsafe impl Send for HostBuffer {}
// SAFETY: safe methods only return the address.
unsafe impl Sync for HostBuffer {}

impl Pooled for HostBuffer {
    fn bytes(&self) -> usize {
        self.bytes
    }
}

impl HostBuffer {
    /// Where it begins.
    pub(crate) fn first(&self) -> *mut u8 {
        self.first.as_ptr()
    }

    /// Its first bytes.
    ///
    /// # Safety
    ///
    /// It has as many. They were written, and nobody writes them while the slice is there.
    pub(crate) unsafe fn slice(&self, bytes: usize) -> &[u8] {
        // SAFETY: that is the contract.
        unsafe { std::slice::from_raw_parts(self.first(), bytes) }
    }
}

/// The buffers that no region uses.
#[derive(Debug)]
pub(crate) struct HostBuffers {
    pinned: Pool<HostBuffer>,
    ordinary: Pool<HostBuffer>,
}

impl HostBuffers {
    /// Has no buffer yet, and keeps at most so many bytes of each kind.
    pub(crate) fn new(most_bytes: usize) -> HostBuffers {
        HostBuffers {
            pinned: Pool::new(most_bytes),
            ordinary: Pool::new(most_bytes),
        }
    }

    /// A buffer of at least so many bytes, of which there is at least one. It is pinned if possible. That it is not is no failure, unless
    /// the device is of no more use. Requires a context, as all that follow.
    pub(crate) fn take(&self, driver: &Driver, log: &Log, bytes: usize) -> Result<HostBuffer, Failure> {
        let bytes = bytes.checked_next_multiple_of(GRANULE).ok_or(Failure::TooLarge)?;
        // An ordinary buffer was made where pinning failed. It would probably fail again, and takes long.
        let kept = self.pinned.take(bytes).or_else(|| self.ordinary.take(bytes));
        if let Some(kept) = kept {
            return Ok(kept);
        }
        match self.pin(driver, bytes) {
            Err(failure) if !failure.is_final() => {
                log.line(&format!("no pinned memory: {failure}"));
                ordinary(bytes)
            }
            pinned => pinned,
        }
    }

    /// A new buffer that is pinned. Where memory is short, those that are kept are freed first.
    fn pin(&self, driver: &Driver, bytes: usize) -> Result<HostBuffer, Failure> {
        let allocated = match driver.allocate_host(bytes) {
            Err(failure) if failure.is_out_of_memory() => {
                free(driver, self.pinned.take_all())?;
                driver.allocate_host(bytes)
            }
            allocated => allocated,
        };
        Ok(HostBuffer {
            first: allocated?,
            bytes,
            is_pinned: true,
        })
    }

    /// Keeps a buffer, of which nothing is in use any more, for later.
    pub(crate) fn give_back(&self, driver: &Driver, buffer: HostBuffer) -> Result<(), Failure> {
        let pool = match buffer.is_pinned {
            true => &self.pinned,
            false => &self.ordinary,
        };
        free(driver, pool.keep(buffer))
    }
}

/// The layout of ordinary memory.
fn layout(bytes: usize) -> Result<Layout, Failure> {
    Layout::from_size_align(bytes, ALIGNMENT).map_err(|_| Failure::TooLarge)
}

/// A new buffer in ordinary memory.
fn ordinary(bytes: usize) -> Result<HostBuffer, Failure> {
    // SAFETY: there is at least one byte.
    let first = unsafe { alloc(layout(bytes)?) };
    Ok(HostBuffer {
        first: NonNull::new(first).ok_or(Failure::TooLarge)?,
        bytes,
        is_pinned: false,
    })
}

/// Frees buffers that were kept.
fn free(driver: &Driver, buffers: impl IntoIterator<Item = HostBuffer>) -> Result<(), Failure> {
    buffers.into_iter().try_for_each(|buffer| match buffer.is_pinned {
        // SAFETY: the memory was allocated by the driver, and no region has it.
        true => unsafe { driver.free_host(buffer.first) },
        false => {
            // SAFETY: the memory was allocated with this layout, and no region has it.
            unsafe { dealloc(buffer.first(), layout(buffer.bytes)?) };
            Ok(())
        }
    })
}
