//! Memory of the device, kept for the next region: allocating waits for all that the device does.

use crate::driver::{Address, Driver};
use crate::failure::Failure;
use crate::pool::{Pool, Pooled};

/// Memory of the device. It is leaked where it is dropped: somebody may still use it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Buffer {
    /// Where it begins.
    pub(crate) address: Address,
    bytes: usize,
}

impl Pooled for Buffer {
    fn bytes(&self) -> usize {
        self.bytes
    }
}

/// The buffers that no region uses. Only their number is limited: all are freed where the device has no memory left.
#[derive(Debug)]
pub(crate) struct Buffers {
    kept: Pool<Buffer>,
}

impl Buffers {
    /// Has no buffer yet.
    pub(crate) fn new() -> Buffers {
        Buffers {
            kept: Pool::new(usize::MAX),
        }
    }

    /// A buffer of at least so many bytes, of which there is at least one. Requires a context, as all that follow.
    pub(crate) fn take(&self, driver: &Driver, bytes: usize) -> Result<Buffer, Failure> {
        if let Some(kept) = self.kept.take(bytes) {
            return Ok(kept);
        }
        let allocated = match driver.allocate(bytes) {
            Err(failure) if failure.is_out_of_memory() => {
                free(driver, self.kept.take_all())?;
                driver.allocate(bytes)
            }
            allocated => allocated,
        };
        Ok(Buffer {
            address: allocated?,
            bytes,
        })
    }

    /// Keeps a buffer, of which nothing is in use any more, for later.
    pub(crate) fn give_back(&self, driver: &Driver, buffer: Buffer) -> Result<(), Failure> {
        free(driver, self.kept.keep(buffer))
    }
}

/// Frees buffers that were kept.
fn free(driver: &Driver, buffers: impl IntoIterator<Item = Buffer>) -> Result<(), Failure> {
    // SAFETY: the buffers were allocated, and no region has them.
    let free = |buffer: Buffer| unsafe { driver.free(buffer.address) };
    buffers.into_iter().try_for_each(free)
}
