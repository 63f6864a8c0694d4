//! Memory of the device, kept for the next region: allocating waits for all that the device does.

use std::sync::{Mutex, PoisonError};

use crate::driver::{Address, Driver};
use crate::failure::Failure;

/// So many buffers are kept for later. A region has fewer arrays.
const MOST_KEPT: usize = 64;

/// A kept buffer serves for a request of at least one part in so many of its bytes.
const SLACK: usize = 2;

/// Memory of the device.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Buffer {
    /// Where it begins.
    pub(crate) address: Address,
    bytes: usize,
}

/// The buffers that no region uses, the one longest unused first.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    free: Mutex<Vec<Buffer>>,
}

impl Buffers {
    /// A buffer of at least so many bytes, of which there is at least one. Requires a context, as all that follow.
    pub(crate) fn take(&self, driver: &Driver, bytes: usize) -> Result<Buffer, Failure> {
        if let Some(kept) = self.take_kept(bytes) {
            return Ok(kept);
        }
        let allocated = match driver.allocate(bytes) {
            Err(failure) if failure.is_out_of_memory() => {
                self.free_all(driver)?;
                driver.allocate(bytes)
            }
            allocated => allocated,
        };
        Ok(Buffer {
            address: allocated?,
            bytes,
        })
    }

    /// The smallest kept buffer that is large enough, unless it is much too large.
    fn take_kept(&self, bytes: usize) -> Option<Buffer> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |buffer: &Buffer| buffer.bytes >= bytes && buffer.bytes / SLACK <= bytes;
        let fitting = free.iter().enumerate().filter(|(_, buffer)| fits(buffer));
        let (position, _) = fitting.min_by_key(|(_, buffer)| buffer.bytes)?;
        Some(free.remove(position))
    }

    /// Keeps a buffer, of which nothing is in use any more, for later.
    pub(crate) fn give_back(&self, driver: &Driver, buffer: Buffer) -> Result<(), Failure> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.push(buffer);
        let oldest = (free.len() > MOST_KEPT).then(|| free.remove(0));
        drop(free);
        match oldest {
            // SAFETY: the buffer was allocated, and no region has it.
            Some(oldest) => unsafe { driver.free(oldest.address) },
            None => Ok(()),
        }
    }

    /// Frees all kept buffers.
    fn free_all(&self, driver: &Driver) -> Result<(), Failure> {
        let kept = std::mem::take(&mut *self.free.lock().unwrap_or_else(PoisonError::into_inner));
        for buffer in kept {
            // SAFETY: the buffer was allocated, and no region has it.
            unsafe { driver.free(buffer.address) }?;
        }
        Ok(())
    }
}
