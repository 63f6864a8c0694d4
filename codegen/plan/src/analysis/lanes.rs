//! How many lanes vectors of some statements have, and how iterations around them go in blocks.

use farkas_polyhedral::program::{Access, AccessId, AccessKind, ArrayKind, OperationClass, Program, Statement};
use farkas_polyhedral::sets::{Name, Tuple};

use crate::target::Target;

/// Neighbouring iterations of the loop around lanes that are unrolled. Each lane accesses all elements of a block at
/// once, where they follow each other in memory: a square of lanes and iterations is transposed in registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The number of iterations: at least 2, and a divisor of the number of lanes.
    pub iterations: u32,
    /// The arrays that are accessed like that.
    pub arrays: Vec<Name>,
}

/// The most iterations of a block: code and registers grow with them, and what fills no block is loaded lane by lane.
pub(crate) const MOST_ITERATIONS: u32 = 8;

impl Block {
    /// Whether the array is accessed in blocks.
    pub(crate) fn has(&self, array: &Tuple) -> bool {
        array.name().is_some_and(|name| self.arrays.contains(name))
    }
}

/// The most bits of a lane.
const WIDEST: u32 = 64;

/// Each lane has a copy of what is private. As many lanes as values of the widest type in the statements fill a vector
/// register; `None` where that is one, or a statement has no vector form.
pub(crate) fn lanes<'t>(
    program: &Program,
    target: &Target,
    statements: impl IntoIterator<Item = &'t Tuple>,
    is_private: &dyn Fn(&Tuple) -> bool,
) -> Option<u32> {
    let mut widest = 8;
    for tuple in statements {
        let statement = program.statement(program.find_statement(tuple)?);
        if !is_widenable(program, target, statement, is_private) {
            return None;
        }
        for operation in &statement.operations {
            widest = widest.max(u32::from(operation.ty.bits()).next_power_of_two());
        }
    }
    let lanes = target.vector.bits_of_lanes() / widest;
    (lanes > 1 && widest <= WIDEST).then_some(lanes)
}

/// The rows of a wavefront that are lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SkewedRows {
    /// The lanes of a vector.
    pub(crate) lanes: u32,
    /// The vectors that run side by side.
    pub(crate) vectors: u32,
}

impl SkewedRows {
    pub(crate) fn rows(self) -> i64 {
        i64::from(self.lanes) * i64::from(self.vectors)
    }
}

/// Rows of a wavefront whose rows are lanes, and the most bits and vectors that they are in.
const SKEWED_ROWS: u32 = 16;
const SKEWED_BITS: u32 = 256;
const MOST_SKEWED_VECTORS: u32 = 4;

/// The lanes and vectors of a wavefront whose rows are lanes. Several short vectors have shorter rests than one long one, and as many
/// chains: time warping of 300 x 350 in 4 vectors of 4 lanes took 0.58 of the time that it took in one vector of 8.
pub(crate) fn skewed<'t>(
    program: &Program,
    target: &Target,
    statements: impl IntoIterator<Item = &'t Tuple>,
) -> Option<SkewedRows> {
    let lanes = lanes(program, target, statements, &|_| false)?;
    let lanes = (lanes * SKEWED_BITS / target.vector.bits_of_lanes().max(SKEWED_BITS)).clamp(2, SKEWED_ROWS);
    Some(SkewedRows {
        lanes,
        vectors: (SKEWED_ROWS / lanes).clamp(1, MOST_SKEWED_VECTORS),
    })
}

/// Whether a mask may leave out lanes of all that these statements access.
pub(crate) fn are_masked<'t>(
    program: &Program,
    target: &Target,
    statements: impl IntoIterator<Item = &'t Tuple>,
) -> bool {
    statements.into_iter().all(|tuple| {
        let id = program.find_statement(tuple).expect("a statement of the program");
        let mut accesses = program.statement(id).accesses.iter();
        accesses.all(|access| {
            program.arrays[access.array()].kind == ArrayKind::ScalarSlot || is_masked(program, target, access)
        })
    })
}

/// Whether the machine can load and store elements as an access has by a mask.
fn is_masked(program: &Program, target: &Target, access: &Access) -> bool {
    let bits = 8 * program.arrays[access.array()].element_size;
    let narrowest = target.vector.narrowest_masked();
    narrowest.is_some_and(|narrowest| u64::from(narrowest) <= bits)
}

/// Whether a statement has a vector form, as far as the model tells: no calls, no value that it hands to other statements but in private
/// slots. Conditions on data become masks, by which the machine has to be able to load and store. Stores to the same elements in several
/// blocks, one of which an instance executes, may become one store or masked ones: which of them depends on more than the model has.
fn is_widenable(
    program: &Program,
    target: &Target,
    statement: &Statement,
    is_private: &dyn Fn(&Tuple) -> bool,
) -> bool {
    let calls = statement.operations.iter().any(|o| o.class == OperationClass::Call);
    let is_masked = |access: &Access| is_masked(program, target, access);
    let has_form = |(position, access): (usize, &Access)| match access.kind {
        AccessKind::Read => !statement.is_conditional(AccessId(position)) || is_masked(access),
        AccessKind::MustWrite if program.arrays[access.array()].kind == ArrayKind::ScalarSlot => {
            is_private(access.array())
        }
        AccessKind::MustWrite => !statement.has_alternatives(AccessId(position)) || is_masked(access),
        AccessKind::MayWrite => statement.blocks > 1 && is_masked(access),
    };
    // Addresses of rows would be gathered under masks in each iteration. (Measured on Zen 5: the longest common subsequence in rows took 4
    // times as long as without lanes.)
    let has_rows = |access: &Access| program.arrays[access.array()].table_dims > 0;
    let gathers_rows = statement.blocks > 1 && statement.accesses.iter().any(has_rows);
    let mut accesses = statement.accesses.iter().enumerate();
    !calls && !gathers_rows && statement.blocks <= Statement::MOST_BLOCKS_IN_LANES && accesses.all(has_form)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lanes of a statement with so many blocks and these writes.
    fn check(target: &str, blocks: u32, writes: [&str; 2], expected: Option<u32>) {
        let writes = writes
            .map(|write| format!("    {write}: [n] -> {{ S[i] -> a[i] }}\n"))
            .concat();
        let program = format!(
            "program
  context: [n] -> {{ : n > 0 }}
  assumptions: [n] -> {{ : }}
  array a: memory, 8 bytes, []
  statement S
    domain: [n] -> {{ S[i] : 0 <= i < n }}
    schedule: {{ S[i] -> [0, i, 0] }}
{writes}    blocks: {blocks}
    operations: 1 add f64
"
        );
        let program: Program = program.parse().expect("a program");
        let target = Target::preset(target).expect("a preset");
        let found = lanes(&program, &target, [program.statements[0].tuple()], &|_| false);
        assert_eq!(found, expected, "{writes} in {blocks} blocks");
    }

    #[test]
    fn stores_under_conditions_need_masks() {
        check("x86-64-v3", 4, ["may write", "may write"], Some(4));
        check("x86-64-v2", 4, ["may write", "may write"], None);
    }

    #[test]
    fn stores_of_which_one_is_executed_need_masks() {
        check("x86-64-v3", 4, ["write", "write"], Some(4));
        check("x86-64-v2", 4, ["write", "write"], None);
        check("x86-64-v2", 1, ["write", "write"], Some(2));
    }

    #[test]
    fn statements_of_many_blocks_have_no_lanes() {
        check("x86-64-v3", 16, ["may write", "may write"], Some(4));
        check("x86-64-v3", 17, ["may write", "may write"], None);
    }
}
