//! Asynchronous copies to shared memory (`cp.async`): what each thread has under way.
//!
//! A thread commits the copies that it has begun as a group, and waits until only so many groups are under way, the last ones. The bytes arrive
//! when it waits, and not before: a kernel that reads earlier is wrong, even if a device might be faster.

use std::collections::{HashMap, VecDeque};

/// A thread of a launch, from 1 on.
pub(crate) type Thread = u32;

/// A copy: from where to where, and of how many bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AsyncCopy {
    pub(crate) to: usize,
    pub(crate) from: usize,
    pub(crate) bytes: usize,
}

/// The copies of a thread that are under way.
#[derive(Debug, Default)]
struct OfThread {
    /// Those in no group yet.
    open: Vec<AsyncCopy>,
    /// The groups, the first one first.
    groups: VecDeque<Vec<AsyncCopy>>,
}

/// The copies of all threads.
#[derive(Debug, Default)]
pub(crate) struct Copies(HashMap<Thread, OfThread>);

impl Copies {
    /// A thread begins a copy.
    pub(crate) fn begin(&mut self, thread: Thread, copy: AsyncCopy) {
        self.0.entry(thread).or_default().open.push(copy);
    }

    /// A thread commits what it has begun, which may be nothing.
    pub(crate) fn commit(&mut self, thread: Thread) {
        let own = self.0.entry(thread).or_default();
        own.groups.push_back(std::mem::take(&mut own.open));
    }

    /// A thread waits until so many groups are left. Returns what arrives.
    pub(crate) fn wait(&mut self, thread: Thread, left: usize) -> Vec<AsyncCopy> {
        let own = self.0.entry(thread).or_default();
        let arriving = own.groups.len().saturating_sub(left);
        own.groups.drain(..arriving).flatten().collect()
    }

    /// A thread ends. Returns whether it has copies under way.
    pub(crate) fn end(&mut self, thread: Thread) -> bool {
        let own = self.0.remove(&thread).unwrap_or_default();
        !own.open.is_empty() || own.groups.iter().any(|group| !group.is_empty())
    }
}
