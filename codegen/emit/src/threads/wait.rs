//! Threads that wait for each other: one stores a number, another looks at it until it is large enough.

use farkas_llvm::inkwell::values::{BasicValue, IntValue, PointerValue};
use farkas_llvm::inkwell::{AtomicOrdering, IntPredicate};

use super::function::NewFunction;
use crate::arith::BUILDS;

/// A thread that has looked so many times lets others run: there may be more threads than cores.
const PATIENCE: u64 = 4000;

impl<'a> NewFunction<'_, 'a> {
    /// Stores a number behind all that was done before.
    pub(super) fn publish(&self, variable: PointerValue<'a>, value: IntValue<'a>) {
        let store = self.builder.build_store(variable, value).expect(BUILDS);
        store.set_alignment(8).expect("the alignment of a number");
        let set = store.set_atomic_ordering(AtomicOrdering::Release);
        set.expect("a store may release");
    }

    /// Waits until the number in a variable compares so with a value. What was done before it was stored can be seen then.
    pub(super) fn wait_until(&self, variable: PointerValue<'a>, predicate: IntPredicate, value: IntValue<'a>) {
        let (builder, i64) = (&self.builder, value.get_type());
        let (ask, wait, yields, others, behind) = (
            self.block("ask"),
            self.block("wait"),
            self.block("yield"),
            self.block("others"),
            self.block("behind"),
        );
        let (zero, one) = (i64.const_zero(), i64.const_int(1, false));
        let compare = |predicate, one, other| builder.build_int_compare(predicate, one, other, "").expect(BUILDS);
        let entry = builder.get_insert_block().expect("a positioned builder");
        builder.build_unconditional_branch(ask).expect(BUILDS);

        builder.position_at_end(ask);
        let phi = builder.build_phi(i64, "times").expect(BUILDS);
        let times = phi.as_basic_value().into_int_value();
        let now = builder.build_load(i64, variable, "").expect(BUILDS).into_int_value();
        let load = now.as_instruction_value().expect("an instruction");
        load.set_alignment(8).expect("the alignment of a number");
        load.set_atomic_ordering(AtomicOrdering::Acquire)
            .expect("a load may acquire");
        let is_done = compare(predicate, now, value);
        builder.build_conditional_branch(is_done, behind, wait).expect(BUILDS);

        builder.position_at_end(wait);
        self.runtime.pause(builder);
        let next = builder.build_int_add(times, one, "").expect(BUILDS);
        let is_patient = compare(IntPredicate::ULT, next, i64.const_int(PATIENCE, false));
        builder.build_conditional_branch(is_patient, ask, yields).expect(BUILDS);

        builder.position_at_end(yields);
        let yielding = self.runtime.sched_yield();
        let is_there = builder.build_is_not_null(yielding.as_global_value().as_pointer_value(), "");
        builder
            .build_conditional_branch(is_there.expect(BUILDS), others, ask)
            .expect(BUILDS);
        builder.position_at_end(others);
        self.number(yielding, &[]);
        builder.build_unconditional_branch(ask).expect(BUILDS);
        phi.add_incoming(&[(&zero, entry), (&next, wait), (&zero, yields), (&zero, others)]);
        builder.position_at_end(behind);
    }
}
