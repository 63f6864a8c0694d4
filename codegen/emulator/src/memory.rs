//! The memory of the device, and who accessed what in a launch.

use std::collections::BTreeMap;

/// A thread of a launch, from 1 on.
pub(crate) type Thread = u32;

/// Several threads.
const SEVERAL: Thread = Thread::MAX;

/// Bytes in front of and behind an allocation that belong to none: an access a little outside does not hit a neighbour.
const APART: usize = 256;

/// Who accessed a byte in a launch; 0 for nobody.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    writer: Thread,
    reader: Thread,
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
        shared.for_each(|allocation| allocation.seen.fill(Seen::default()));
    }

    /// Begins a launch, in which nobody accessed anything yet.
    pub(crate) fn begin_launch(&mut self) {
        for allocation in self.allocations.values_mut() {
            allocation.seen.fill(Seen::default());
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
                Access::Read if is_other(seen.writer) => result = Err(Wrong::Race),
                Access::Read => seen.reader = if is_other(seen.reader) { SEVERAL } else { thread },
                Access::Write if is_other(seen.writer) || is_other(seen.reader) => result = Err(Wrong::Race),
                Access::Write => seen.writer = thread,
            }
        }
        result
    }
}
