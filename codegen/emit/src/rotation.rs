//! The addresses of buffers that take turns.

use farkas_llvm::inkwell::IntPredicate;
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::values::{BasicValueEnum, IntValue};
use farkas_llvm::scop_ir::RotatedPhi;

use crate::arith::BUILDS;

/// The address that the phi at a position of a rotation has in an iteration, an unsigned number of at most 64 bits.
pub(crate) fn buffer<'a>(
    builder: &Builder<'a>,
    phis: &[RotatedPhi<'a>],
    iteration: IntValue<'a>,
    position: usize,
) -> BasicValueEnum<'a> {
    // Of a bit or two, it may be less than the number of buffers.
    let ty = builder
        .get_insert_block()
        .expect("a positioned builder")
        .get_context()
        .i64_type();
    let iteration = match iteration.get_type().get_bit_width() {
        64 => iteration,
        _ => builder.build_int_z_extend(iteration, ty, "").expect(BUILDS),
    };
    let number = |n: usize| ty.const_int(n as u64, false);
    let turns = builder
        .build_int_unsigned_rem(iteration, number(phis.len()), "")
        .expect(BUILDS);
    let address = |turn: usize| {
        let own = phis[(position + turn) % phis.len()];
        own.first.basic().expect("an address")
    };
    let mut buffer = address(0);
    for turn in 1..phis.len() {
        let is_its_turn = builder.build_int_compare(IntPredicate::EQ, turns, number(turn), "");
        let select = builder.build_select(is_its_turn.expect(BUILDS), address(turn), buffer, "");
        buffer = select.expect(BUILDS);
    }
    buffer
}
