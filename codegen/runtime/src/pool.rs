//! Buffers that are kept for later regions, as making one takes long.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// So many buffers are kept. A region has fewer arrays.
const MOST_KEPT: usize = 64;

/// A kept buffer serves for a request of at least one part in so many of its bytes.
const SLACK: usize = 2;

/// A buffer that can be kept.
pub(crate) trait Pooled {
    /// How many bytes it has.
    fn bytes(&self) -> usize;
}

/// The buffers that no region uses, the one longest unused first.
#[derive(Debug)]
pub(crate) struct Pool<B> {
    free: Mutex<VecDeque<B>>,
    /// So many bytes are kept, over all buffers.
    most_bytes: usize,
}

impl<B: Pooled> Pool<B> {
    /// A pool that keeps at most so many bytes.
    pub(crate) fn new(most_bytes: usize) -> Pool<B> {
        Pool {
            free: Mutex::default(),
            most_bytes,
        }
    }

    fn free(&self) -> MutexGuard<'_, VecDeque<B>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the smallest kept buffer that is large enough, unless it is much too large.
    pub(crate) fn take(&self, bytes: usize) -> Option<B> {
        let mut free = self.free();
        let fits = |buffer: &B| buffer.bytes() >= bytes && buffer.bytes() / SLACK <= bytes;
        let fitting = free.iter().enumerate().filter(|(_, buffer)| fits(buffer));
        let (position, _) = fitting.min_by_key(|(_, buffer)| buffer.bytes())?;
        free.remove(position)
    }

    /// Keeps a buffer for later. Returns the buffers that are too many then, for the caller to free.
    pub(crate) fn keep(&self, buffer: B) -> Vec<B> {
        if buffer.bytes() > self.most_bytes {
            return vec![buffer];
        }
        let mut free = self.free();
        free.push_back(buffer);
        let mut bytes = free
            .iter()
            .fold(0, |sum: usize, buffer| sum.saturating_add(buffer.bytes()));
        let mut too_many = Vec::new();
        while free.len() > MOST_KEPT || bytes > self.most_bytes {
            let Some(oldest) = free.pop_front() else { break };
            bytes -= oldest.bytes();
            too_many.push(oldest);
        }
        too_many
    }

    /// Takes all kept buffers, for the caller to free.
    pub(crate) fn take_all(&self) -> VecDeque<B> {
        std::mem::take(&mut *self.free())
    }
}
