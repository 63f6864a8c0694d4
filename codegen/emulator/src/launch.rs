//! Launches: all threads of all blocks, one after the other.

use std::cell::RefCell;
use std::ffi::c_void;

use crate::memory::{Access, Memory, Thread, Wrong};
use crate::module::Module;
use crate::retarget::REGISTERS;

/// The most bytes of an access.
const MOST_BYTES: usize = 64;

/// The thread that runs, and what is wrong with it.
struct Running {
    memory: Memory,
    thread: Thread,
    wrong: Option<Wrong>,
    /// What is accessed in place of what must not be.
    scratch: Box<[u8; MOST_BYTES]>,
}

thread_local! {
    /// What a launch lends to [`check`], which kernels call without an argument for it.
    static RUNNING: RefCell<Option<Running>> = const { RefCell::new(None) };
}

/// Gives a kernel leave to access memory, or an address that does no harm.
pub(crate) extern "C" fn check(address: *mut c_void, bytes: u64, is_write: i32) -> *mut c_void {
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
            Ok(()) | Err(Wrong::Race) => address,
        }
    })
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
    let threads_of_block: u64 = block.map(u64::from).iter().product();
    let all = grid.map(u64::from).iter().product::<u64>() * threads_of_block;
    let running = Running {
        memory: std::mem::take(memory),
        thread: 0,
        wrong: None,
        scratch: Box::new([0; MOST_BYTES]),
    };
    RUNNING.set(Some(running));
    let mut result = Ok(());
    for step in 0..all {
        let position = shuffled(step, all, seed);
        let at = |sizes: [u32; 3], position: u64| {
            let [x, y, _] = sizes.map(u64::from);
            [position % x, position / x % y, position / x / y].map(|number| number as u32)
        };
        let (thread, own) = (
            at(block, position % threads_of_block),
            at(grid, position / threads_of_block),
        );
        let mut registers = [0; REGISTERS.len()];
        let values = [thread, own, block, grid].concat();
        registers.copy_from_slice(&values);
        RUNNING.with_borrow_mut(|running| {
            if let Some(running) = running {
                running.thread = Thread::try_from(position + 1).unwrap_or(Thread::MAX - 1);
            }
        });
        // SAFETY: that is the contract.
        unsafe { module.run(registers, arguments) };
        let wrong = RUNNING.with_borrow(|running| running.as_ref().and_then(|running| running.wrong));
        if let Some(wrong) = wrong {
            result = Err(format!("{wrong}, in block {own:?}, thread {thread:?}"));
            break;
        }
    }
    if let Some(running) = RUNNING.take() {
        *memory = running.memory;
    }
    result
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
