//! Loops in which scalar slots are initialized.
//!
//! In
//!
//! ```text
//! for (i) {
//!   T: s = 0;
//!   for (k) S: s = s * x[i] + c[k];
//!   U: y[i] = s;
//! }
//! ```
//!
//! the slot `s` carries a value from one iteration of `k` to the next, but not from one iteration of `i` to the next: `T` initializes it.
//! The machine may begin with the next `i` before the last one has ended.

use farkas_polyhedral::linalg::{Row, dot};
use farkas_polyhedral::program::{AccessKind, ArrayKind, Program, Statement};
use farkas_polyhedral::sets::{ByTuple, Tuple};

use super::levels::{Levels, of_original};
use super::linear::linear_part;

/// For each statement that reads slots it writes: the functions of its outermost loops of the original order in which other statements
/// initialize all of these slots. The loop of the last one initializes them each time.
pub(crate) struct Initialized(ByTuple<Vec<Row>>);

impl Initialized {
    /// Those of a program.
    pub(crate) fn of(program: &Program) -> Self {
        let levels = of_original(program);
        let functions = |statement: &Statement| {
            let depth = program
                .arrays
                .iter()
                .filter(|(slot, array)| array.kind == ArrayKind::ScalarSlot && accumulates(statement, slot))
                .map(|(slot, _)| initializing_loops(program, statement, slot, &levels))
                .min()?;
            let outer = levels[statement.tuple()].iter().take(depth);
            let functions = outer.filter_map(|level| linear_part(&level.point));
            Some((statement.tuple().clone(), functions.collect()))
        };
        Initialized(program.statements.iter().filter_map(functions).collect())
    }

    /// Whether the slots that the statement accumulates in are initialized where an instance moves in this direction.
    pub(crate) fn along(&self, tuple: &Tuple, direction: &Row) -> bool {
        let functions = self.0.get(tuple);
        functions.is_some_and(|functions| functions.iter().any(|f| !dot(f, direction).is_zero()))
    }
}

/// Whether a statement writes an array that it reads, too.
fn accumulates(statement: &Statement, array: &Tuple) -> bool {
    reads(statement, array) && writes(statement, array)
}

fn reads(statement: &Statement, array: &Tuple) -> bool {
    let mut accesses = statement.accesses.iter();
    accesses.any(|access| access.kind == AccessKind::Read && access.array() == array)
}

fn writes(statement: &Statement, array: &Tuple) -> bool {
    let mut accesses = statement.accesses.iter();
    accesses.any(|access| access.kind != AccessKind::Read && access.array() == array)
}

/// How many loops around a statement are around one that initializes the slot, too; 0 if none does.
fn initializing_loops(program: &Program, statement: &Statement, slot: &Tuple, levels: &Levels) -> usize {
    let own = &levels[statement.tuple()];
    let initializing = program
        .statements
        .iter()
        .filter(|other| initializes(program, other, slot));
    let shared = initializing.map(|other| {
        let both = own.iter().zip(&levels[other.tuple()]);
        both.take_while(|(x, y)| x.id == y.id).count()
    });
    // A statement in all loops around this one writes the slot in each iteration, which is no accumulator then.
    shared.filter(|shared| *shared < own.len()).max().unwrap_or(0)
}

/// Whether a statement writes a slot, and reads no slot that the program writes: what it writes depends on no earlier value of a slot.
fn initializes(program: &Program, statement: &Statement, slot: &Tuple) -> bool {
    let is_written_slot = |array: &Tuple| {
        program.arrays[array].kind == ArrayKind::ScalarSlot && program.statements.iter().any(|s| writes(s, array))
    };
    let writes_slot = statement
        .accesses
        .iter()
        .any(|access| access.kind == AccessKind::MustWrite && access.array() == slot);
    let mut read = statement
        .accesses
        .iter()
        .filter(|access| access.kind == AccessKind::Read);
    writes_slot && !read.any(|access| is_written_slot(access.array()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use farkas_polyhedral::int::Int;
    use farkas_polyhedral::program::text::programs;

    /// Along which dimensions of `S[i, k]`, in `for (i) { T: s = ..; for (k) S: s = s * s; }`, the slot is initialized where `T`
    /// accesses this.
    fn check(accesses: &str, expected: Expect) {
        let text = format!(
            "program
  context: [n] -> {{ : }}
  assumptions: [n] -> {{ : }}
  array s: scalar slot, 8 bytes
  array r: scalar slot, 8 bytes
  array a: memory, 8 bytes, []
  statement T
    domain: [n] -> {{ T[i] : 0 <= i < n }}
    schedule: {{ T[i] -> [i, 0, 0] }}
{accesses}  statement S
    domain: [n] -> {{ S[i, k] : 0 <= i < n and 0 <= k < n }}
    schedule: {{ S[i, k] -> [i, 1, k] }}
    read: [n] -> {{ S[i, k] -> s[] }}
    write: [n] -> {{ S[i, k] -> s[] }}
"
        );
        let programs = programs(&text).unwrap_or_else(|error| panic!("{error}"));
        let program = &programs[0];
        let initialized = Initialized::of(program);
        let statement = program.statements[1].tuple();
        let along = |dim: usize| {
            let direction: Row = (0..2).map(|d| Int::from(i64::from(d == dim))).collect();
            initialized.along(statement, &direction)
        };
        expected.assert_eq(&format!("i: {}, k: {}", along(0), along(1)));
    }

    #[test]
    fn each_iteration_of_the_loop_around_begins_anew() {
        check("    write: [n] -> { T[i] -> s[] }\n", expect!["i: true, k: false"]);
        check(
            "    read: [n] -> { T[i] -> a[i] }\n    write: [n] -> { T[i] -> s[] }\n",
            expect!["i: true, k: false"],
        );
    }

    #[test]
    fn what_comes_from_another_slot_is_no_beginning() {
        check(
            "    read: [n] -> { T[i] -> r[] }\n    write: [n] -> { T[i] -> s[] }\n    write: [n] -> { T[i] -> r[] }\n",
            expect!["i: false, k: false"],
        );
        check("    may write: [n] -> { T[i] -> s[] }\n", expect!["i: false, k: false"]);
    }
}
