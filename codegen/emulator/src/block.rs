//! Blocks whose threads wait for each other: a fiber for each thread, which a barrier gives the turn of.

use std::cell::Cell;
use std::ffi::c_void;

use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};

use crate::matrix::{Operands, Results};
use crate::module::Module;
use crate::retarget::REGISTERS;

/// The bytes of a fiber's stack: kernels have a few variables on it.
const STACK: usize = 1 << 16;

thread_local! {
    /// What the running fiber gives its turn back with.
    static TURN: Cell<Option<*const Yielder<(), ()>>> = const { Cell::new(None) };

    /// The operands of the matrix instruction that the running fiber waits at, and the results with which it goes on.
    static OPERANDS: Cell<Option<Operands>> = const { Cell::new(None) };
    static RESULTS: Cell<Results> = const { Cell::new([0.0; 4]) };
}

/// The barrier that kernels call.
pub(crate) extern "C" fn barrier() {
    if let Some(turn) = TURN.get() {
        // SAFETY: the yielder is that of the fiber that runs, and on its stack.
        unsafe { &*turn }.suspend(());
    }
}

/// The matrix instruction that kernels call.
pub(crate) extern "C" fn mma(a0: f64, a1: f64, b: f64, c0: f64, c1: f64, c2: f64, c3: f64, results: *mut Results) {
    OPERANDS.set(Some([a0, a1, b, c0, c1, c2, c3]));
    barrier();
    // SAFETY: the address is that of a variable of this type in the module.
    unsafe { results.write(RESULTS.get()) };
}

/// A thread of a block.
pub(crate) struct Fiber {
    registers: [u32; REGISTERS.len()],
    coroutine: Coroutine<(), (), ()>,
    /// What it gives its turn back with, from its beginning on.
    turn: Option<*const Yielder<(), ()>>,
}

/// What a thread has come to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reached {
    Barrier,
    /// A matrix instruction with these operands.
    Matrix(Operands),
    End,
}

impl Fiber {
    /// A thread with these registers that has not begun.
    ///
    /// # Safety
    ///
    /// The module and the arguments outlive the fiber. There is an argument of its type for each parameter of the kernel, and nobody
    /// else runs the module.
    pub(crate) unsafe fn new(
        module: &Module,
        registers: [u32; REGISTERS.len()],
        arguments: *const *mut c_void,
    ) -> std::io::Result<Fiber> {
        let module: *const Module = module;
        let coroutine = Coroutine::with_stack(DefaultStack::new(STACK)?, move |yielder, ()| {
            TURN.set(Some(std::ptr::from_ref(yielder)));
            // SAFETY: that is the contract.
            unsafe { (*module).run(arguments) };
        });
        Ok(Fiber {
            registers,
            coroutine,
            turn: None,
        })
    }

    /// Runs the thread up to the next barrier or matrix instruction, or its end. If it waits at a matrix instruction, the results are those.
    ///
    /// # Panics
    ///
    /// If the thread has ended.
    pub(crate) fn step(&mut self, module: &Module, results: Results) -> Reached {
        // SAFETY: nobody else runs the module, by the contract of `new`.
        unsafe { module.set_registers(self.registers) };
        TURN.set(self.turn);
        RESULTS.set(results);
        let result = self.coroutine.resume(());
        self.turn = TURN.take();
        match result {
            CoroutineResult::Yield(()) => OPERANDS.take().map_or(Reached::Barrier, Reached::Matrix),
            CoroutineResult::Return(()) => Reached::End,
        }
    }
}

impl Drop for Fiber {
    fn drop(&mut self) {
        if self.coroutine.started() && !self.coroutine.done() {
            // SAFETY: nothing on its stack has to be dropped: it has numbers and addresses only.
            unsafe { self.coroutine.force_reset() };
        }
    }
}
