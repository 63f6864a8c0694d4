//! Matrix instructions: what the threads of a warp compute together.

/// The threads of a warp.
pub(crate) const WARP: usize = 32;

/// What a thread has of the operands of `mma.m16n8k4` on `double`: two elements of the first matrix, one of the second, and four of the sum.
pub(crate) type Operands = [f64; 7];

/// What it has of the result.
pub(crate) type Results = [f64; 4];

/// The results of a warp's threads. With `g` and `t` the quotient and the remainder of a thread's number by 4, it has the elements (`g`, `t`) and
/// (`g + 8`, `t`) of the first matrix, (`t`, `g`) of the second one, and of the sum (`g`, `2 t`), (`g`, `2 t + 1`), and the same in row `g + 8`.
pub(crate) fn multiplied(warp: &[Operands; WARP]) -> [Results; WARP] {
    let first = |row: usize, k: usize| warp[row % 8 * 4 + k][row / 8];
    let second = |k: usize, column: usize| warp[column * 4 + k][2];
    std::array::from_fn(|thread| {
        let (g, t) = (thread / 4, thread % 4);
        let result = |index: usize| {
            let (row, column) = (g + index / 2 * 8, 2 * t + index % 2);
            let addend = warp[thread][3 + index];
            (0..4).fold(addend, |sum, k| first(row, k).mul_add(second(k, column), sum))
        };
        std::array::from_fn(result)
    })
}
