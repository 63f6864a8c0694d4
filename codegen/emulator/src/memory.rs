//! The memory of the device, and who accessed what in a launch.

use std::collections::BTreeMap;

use crate::copies::{AsyncCopy, Thread};

/// Several threads.
const SEVERAL: Thread = Thread::MAX;

/// Bytes in front of and behind an allocation that belong to none: an access a little outside does not hit a neighbour.
const APART: usize = 256;

/// Who accessed a byte in a launch; 0 for nobody.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    writer: Thread,
    reader: Thread,
    /// Whether a copy is under way to it.
    is_coming: bool,
}

/// An allocation.
#[derive(Debug)]
struct Allocation {
    /// The bytes, with those that keep it apart. Their address never changes. None if the threads of a block share them: then they are
    /// those of a variable.
    memory: Option<Vec<u8>>,
    seen: Vec<Seen>,
}

/// What a kernel does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
}

/// What is wrong with an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Wrong {
    #[error("an access outside of all arrays")]
    OutOfBounds,
    #[error("a race of two threads")]
    Race,
    #[error("an access to what a copy is under way to")]
    UnderWay,
    #[error("a copy of bytes that are not aligned")]
    NotAligned,
    #[error("a copy that nobody waits for")]
    NotWaitedFor,
}

/// The memory of a device.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// By the address of the first byte.
    allocations: BTreeMap<usize, Allocation>,
}

impl Memory {
    /// Allocates so many bytes, with garbage in them.
    pub(crate) fn allocate(&mut self, bytes: usize) -> usize {
        let memory = vec![0xA5; bytes + 2 * APART];
        // Aligned as the driver aligns, which is at least as much as `APART`.
        let address = memory.as_ptr().addr().next_multiple_of(APART);
        let seen = vec![Seen::default(); bytes];
        let memory = Some(memory);
        self.allocations.insert(address, Allocation { memory, seen });
        address
    }

    /// Frees an allocation; false if there is none at the address.
    pub(crate) fn free(&mut self, address: usize) -> bool {
        self.allocations.remove(&address).is_some()
    }

    /// Whether so many bytes from an address on are in one allocation.
    pub(crate) fn contains(&self, address: usize, bytes: usize) -> bool {
        let allocation = self.allocations.range(..=address).next_back();
        allocation.is_some_and(|(first, own)| {
            let end = address.checked_add(bytes);
            debug_assert!(own.memory.as_ref().is_none_or(|memory| memory.len() >= own.seen.len()));
            end.is_some_and(|end| end <= first + own.seen.len())
        })
    }

    /// Adds so many bytes at an address, which the threads of a block share.
    pub(crate) fn add_shared(&mut self, address: usize, bytes: usize) {
        let seen = vec![Seen::default(); bytes];
        self.allocations.insert(address, Allocation { memory: None, seen });
    }

    /// Removes what the threads of blocks share.
    pub(crate) fn remove_shared(&mut self) {
        self.allocations.retain(|_, allocation| allocation.memory.is_some());
    }

    /// Whatever the threads of a block did before with what they share, they do something else now.
    pub(crate) fn pass_barrier(&mut self) {
        let shared = self
            .allocations
            .values_mut()
            .filter(|allocation| allocation.memory.is_none());
        for seen in shared.flat_map(|allocation| &mut allocation.seen) {
            *seen = Seen {
                is_coming: seen.is_coming,
                ..Seen::default()
            };
        }
    }

    /// Begins a launch, in which nobody accessed anything yet.
    pub(crate) fn begin_launch(&mut self) {
        for allocation in self.allocations.values_mut() {
            allocation.seen.fill(Seen::default());
        }
    }

    /// Whether the threads of a block share what is at an address.
    fn is_shared(&self, address: usize) -> bool {
        let allocation = self.allocations.range(..=address).next_back();
        allocation.is_some_and(|(_, own)| own.memory.is_none())
    }

    /// A thread begins an asynchronous copy. Until it [arrives](Memory::end_copy), nobody accesses what it is to.
    pub(crate) fn begin_copy(&mut self, thread: Thread, copy: AsyncCopy) -> Result<(), Wrong> {
        let AsyncCopy { to, from, bytes } = copy;
        if !to.is_multiple_of(bytes) || !from.is_multiple_of(bytes) {
            return Err(Wrong::NotAligned);
        }
        if !self.is_shared(to) || self.is_shared(from) {
            return Err(Wrong::OutOfBounds);
        }
        self.access(thread, from, bytes, Access::Read)?;
        self.access(thread, to, bytes, Access::Write)?;
        self.set_coming(to, bytes, true);
        Ok(())
    }

    /// A copy that the thread has begun arrives, which is a write like that of any other instruction.
    pub(crate) fn end_copy(&mut self, thread: Thread, copy: AsyncCopy) -> Result<(), Wrong> {
        self.set_coming(copy.to, copy.bytes, false);
        self.access(thread, copy.from, copy.bytes, Access::Read)?;
        self.access(thread, copy.to, copy.bytes, Access::Write)
    }

    fn set_coming(&mut self, address: usize, bytes: usize, is_coming: bool) {
        if let Some((first, allocation)) = self.allocations.range_mut(..=address).next_back() {
            let all = allocation.seen.iter_mut().skip(address - first).take(bytes);
            all.for_each(|seen| seen.is_coming = is_coming);
        }
    }

    /// An access of a thread.
    pub(crate) fn access(&mut self, thread: Thread, address: usize, bytes: usize, access: Access) -> Result<(), Wrong> {
        if !self.contains(address, bytes) {
            return Err(Wrong::OutOfBounds);
        }
        let Some((first, allocation)) = self.allocations.range_mut(..=address).next_back() else {
            return Err(Wrong::OutOfBounds);
        };
        let is_other = |seen: Thread| seen != 0 && seen != thread;
        let mut result = Ok(());
        for seen in &mut allocation.seen[address - first..][..bytes] {
            match access {
                _ if seen.is_coming => result = Err(Wrong::UnderWay),
                Access::Read if is_other(seen.writer) => result = Err(Wrong::Race),
                Access::Read => seen.reader = if is_other(seen.reader) { SEVERAL } else { thread },
                Access::Write if is_other(seen.writer) || is_other(seen.reader) => result = Err(Wrong::Race),
                Access::Write => seen.writer = thread,
            }
        }
        result
    }
}
