//! Launches: all threads of all blocks, one after the other. Where threads of a block wait for each other, block by block, and all threads of
//! one up to each barrier.

use std::cell::RefCell;
use std::ffi::c_void;

use crate::block::{Fiber, Reached, barrier, mma};
use crate::copies::{AsyncCopy, Copies, Thread};
use crate::matrix::{Operands, Results, WARP, multiplied};
use crate::memory::{Access, Memory, Wrong};
use crate::module::{Calls, Module};
use crate::retarget::REGISTERS;

/// The most bytes of an access.
const MOST_BYTES: usize = 64;

/// The thread that runs, and what is wrong with it.
struct Running {
    memory: Memory,
    thread: Thread,
    wrong: Option<Wrong>,
    copies: Copies,
    /// What is accessed in place of what must not be.
    scratch: Box<[u8; MOST_BYTES]>,
}

thread_local! {
    /// What a launch lends to [`check`], which kernels call without an argument for it.
    static RUNNING: RefCell<Option<Running>> = const { RefCell::new(None) };
}

/// The functions that kernels call.
pub(crate) const CALLS: Calls = Calls {
    check,
    barrier,
    begin_copy,
    commit_copies,
    wait_for_copies,
    mma,
};

/// Gives a kernel leave to access memory, or an address that does no harm.
extern "C" fn check(address: *mut c_void, bytes: u64, is_write: i32) -> *mut c_void {
    RUNNING.with_borrow_mut(|running| {
        let Some(running) = running else { return address };
        let access = if is_write == 0 { Access::Read } else { Access::Write };
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        let result = running.memory.access(running.thread, address.addr(), bytes, access);
        if let Err(wrong) = result {
            running.wrong.get_or_insert(wrong);
        }
        match result {
            Err(Wrong::OutOfBounds) => running.scratch.as_mut_ptr().cast(),
            _ => address,
        }
    })
}

/// Begins a copy.
extern "C" fn begin_copy(to: *mut c_void, from: *const c_void, bytes: u64) {
    RUNNING.with_borrow_mut(|running| {
        let Some(running) = running else { return };
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        let copy = AsyncCopy {
            to: to.expose_provenance(),
            from: from.expose_provenance(),
            bytes,
        };
        match running.memory.begin_copy(running.thread, copy) {
            Ok(()) => running.copies.begin(running.thread, copy),
            Err(wrong) => drop(running.wrong.get_or_insert(wrong)),
        }
    });
}

/// Commits the copies that were begun.
extern "C" fn commit_copies() {
    RUNNING.with_borrow_mut(|running| {
        if let Some(running) = running {
            running.copies.commit(running.thread);
        }
    });
}

/// Waits until so many groups of copies are left: what is in those before arrives.
extern "C" fn wait_for_copies(left: u32) {
    RUNNING.with_borrow_mut(|running| {
        let Some(running) = running else { return };
        let left = usize::try_from(left).unwrap_or(usize::MAX);
        for copy in running.copies.wait(running.thread, left) {
            match running.memory.end_copy(running.thread, copy) {
                Ok(()) => {
                    let to = std::ptr::with_exposed_provenance_mut::<u8>(copy.to);
                    let from = std::ptr::with_exposed_provenance::<u8>(copy.from);
                    // SAFETY: both are in allocations, which is known of copies that were begun, and different ones.
                    unsafe { std::ptr::copy_nonoverlapping(from, to, copy.bytes) };
                }
                Err(wrong) => drop(running.wrong.get_or_insert(wrong)),
            }
        }
    });
}

/// Launches a kernel on a grid of blocks. The threads run in an order that depends on `seed`. Returns what is wrong with it, and in which
/// block and thread.
///
/// # Safety
///
/// There is an argument of its type for each parameter of the kernel. Nobody else runs the module.
pub(crate) unsafe fn launch(
    module: &Module,
    memory: &mut Memory,
    (grid, block): ([u32; 3], [u32; 3]),
    arguments: *const *mut c_void,
    seed: u64,
) -> Result<(), String> {
    memory.begin_launch();
    for shared in &module.shared {
        memory.add_shared(
            shared.address.addr(),
            usize::try_from(shared.bytes).unwrap_or(usize::MAX),
        );
    }
    let running = Running {
        memory: std::mem::take(memory),
        thread: 0,
        wrong: None,
        copies: Copies::default(),
        scratch: Box::new([0; MOST_BYTES]),
    };
    RUNNING.set(Some(running));
    let launch = Launch {
        module,
        grid,
        block,
        arguments,
        seed,
    };
    // SAFETY: that is the contract.
    let result = unsafe {
        match module.has_barriers {
            true => launch.by_blocks(),
            false => launch.by_threads(),
        }
    };
    if let Some(running) = RUNNING.take() {
        *memory = running.memory;
        memory.remove_shared();
    }
    result
}

/// What is launched.
struct Launch<'m> {
    module: &'m Module,
    grid: [u32; 3],
    block: [u32; 3],
    arguments: *const *mut c_void,
    seed: u64,
}

/// The position of a thread: in its block, and that of the block.
type Position = ([u32; 3], [u32; 3]);

impl Launch<'_> {
    fn threads_of_block(&self) -> u64 {
        self.block.map(u64::from).iter().product()
    }

    fn blocks(&self) -> u64 {
        self.grid.map(u64::from).iter().product()
    }

    /// The position of a thread, and its registers.
    fn position(&self, number: u64) -> (Position, [u32; REGISTERS.len()]) {
        let at = |sizes: [u32; 3], position: u64| {
            let [x, y, _] = sizes.map(u64::from);
            [position % x, position / x % y, position / x / y].map(|number| number as u32)
        };
        let (thread, own) = (
            at(self.block, number % self.threads_of_block()),
            at(self.grid, number / self.threads_of_block()),
        );
        let mut registers = [0; REGISTERS.len()];
        registers.copy_from_slice(&[thread, own, self.block, self.grid].concat());
        ((thread, own), registers)
    }

    /// All threads of all blocks, in any order.
    ///
    /// # Safety
    ///
    /// As that of [`launch`].
    unsafe fn by_threads(&self) -> Result<(), String> {
        let all = self.blocks() * self.threads_of_block();
        for step in 0..all {
            let number = shuffled(step, all, self.seed);
            let (position, registers) = self.position(number);
            begin_thread(number);
            // SAFETY: that is the contract.
            unsafe {
                self.module.set_registers(registers);
                self.module.run(self.arguments);
            }
            end_thread();
            found_wrong(position)?;
        }
        Ok(())
    }

    /// Block by block, in any order, and in it all threads up to each barrier, in any order.
    ///
    /// # Safety
    ///
    /// As that of [`launch`].
    unsafe fn by_blocks(&self) -> Result<(), String> {
        let (blocks, threads) = (self.blocks(), self.threads_of_block());
        for step in 0..blocks {
            let block = shuffled(step, blocks, self.seed);
            // SAFETY: that is the contract.
            unsafe { self.run_block(block * threads)? };
        }
        Ok(())
    }

    /// The block whose first thread has this number.
    ///
    /// # Safety
    ///
    /// As that of [`launch`].
    unsafe fn run_block(&self, first: u64) -> Result<(), String> {
        for shared in &self.module.shared {
            let bytes = usize::try_from(shared.bytes).unwrap_or(usize::MAX);
            // SAFETY: it is a variable of the module, of so many bytes.
            unsafe { shared.address.write_bytes(0xA5, bytes) };
        }
        let threads = self.threads_of_block();
        let mut fibers = Vec::new();
        for thread in 0..threads {
            // SAFETY: that is the contract.
            let fiber = unsafe { Fiber::new(self.module, self.position(first + thread).1, self.arguments) };
            fibers.push(fiber.map_err(|error| format!("no fiber: {error}"))?);
        }
        pass_barrier();
        let mut results = vec![[0.0; 4]; fibers.len()];
        loop {
            let mut reached = vec![Reached::End; fibers.len()];
            for step in 0..threads {
                let thread = shuffled(step, threads, self.seed ^ first);
                begin_thread(first + thread);
                let position = usize::try_from(thread).unwrap_or(usize::MAX);
                reached[position] = fibers[position].step(self.module, results[position]);
                if matches!(reached[position], Reached::End) {
                    end_thread();
                }
                let (position, _) = self.position(first + thread);
                found_wrong(position)?;
            }
            let kind = std::mem::discriminant(&reached[0]);
            if let Some(other) = reached.iter().position(|own| std::mem::discriminant(own) != kind) {
                let ((thread, block), _) = self.position(first + other as u64);
                return Err(format!(
                    "not all threads of a block come to a barrier, in block {block:?}, thread {thread:?}"
                ));
            }
            match reached[0] {
                Reached::Barrier => pass_barrier(),
                Reached::Matrix(_) => results = products(&reached)?,
                Reached::End => return Ok(()),
            }
        }
    }
}

/// The results of a matrix instruction that all threads of a block wait at, by their numbers.
fn products(reached: &[Reached]) -> Result<Vec<Results>, String> {
    let operands = reached.iter().map(|reached| match reached {
        Reached::Matrix(operands) => *operands,
        Reached::Barrier | Reached::End => unreachable!("all threads wait at the instruction"),
    });
    let operands: Vec<Operands> = operands.collect();
    let (warps, []) = operands.as_chunks::<WARP>() else {
        return Err("a warp with less threads comes to a matrix instruction".to_owned());
    };
    Ok(warps.iter().flat_map(multiplied).collect())
}

/// The thread of this number runs from here on.
fn begin_thread(number: u64) {
    RUNNING.with_borrow_mut(|running| {
        if let Some(running) = running {
            running.thread = Thread::try_from(number + 1).unwrap_or(Thread::MAX - 1);
        }
    });
}

/// The thread that runs has ended.
fn end_thread() {
    RUNNING.with_borrow_mut(|running| {
        if let Some(running) = running
            && running.copies.end(running.thread)
        {
            running.wrong.get_or_insert(Wrong::NotWaitedFor);
        }
    });
}

/// All threads of a block are at a barrier.
fn pass_barrier() {
    RUNNING.with_borrow_mut(|running| {
        if let Some(running) = running {
            running.memory.pass_barrier();
        }
    });
}

/// What is wrong with what the thread at this position did.
fn found_wrong((thread, block): Position) -> Result<(), String> {
    let wrong = RUNNING.with_borrow(|running| running.as_ref().and_then(|running| running.wrong));
    match wrong {
        Some(wrong) => Err(format!("{wrong}, in block {block:?}, thread {thread:?}")),
        None => Ok(()),
    }
}

/// A permutation of the numbers below `n`: steps that have no factor in common with it.
fn shuffled(step: u64, n: u64, seed: u64) -> u64 {
    let has_common_factor = |mut a: u64| {
        let mut b = n;
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a != 1
    };
    let mut stride = seed % n + 1;
    while has_common_factor(stride) {
        stride += 1;
    }
    ((u128::from(step) * u128::from(stride) + u128::from(seed % n)) % u128::from(n)) as u64
}
