//! Buffers that take turns, as if there were one for each iteration.
//!
//! ```text
//! for (t) for (i)
//!   A[(t + 1) mod 2][i] = f(A[t mod 2][i - 1], A[t mod 2][i + 1]);       ->       A[t + 1][i] = f(A[t][i - 1], A[t][i + 1]);
//! ```
//!
//! *Unfolded* subscripts are affine, so that it is plain which iteration has made what is read. They name an element that was written in this
//! iteration of the loop, or in one of the last `c - 1`, of `c` buffers. In the original order, nothing else is written to the element's place in memory
//! between accesses to it: the next write there is of the iteration `c` later, and the one before of `c` earlier. That is so in any order which keeps
//! dependences on memory, too. Accesses to one place by different unfolded subscripts do not meet: these subscripts do not say which elements
//! are apart.

use super::{AccessKind, ArrayKind, Program, Statement};
use crate::int::Int;
use crate::sets::{Aff, Map, MultiAff, SetSpace, Tuple};
use indexmap::IndexMap;

/// How an access goes through buffers that take turns.
struct Turn {
    /// The number of buffers.
    buffers: Int,
    /// The dimension of the statement that is the loop in which they do.
    dim: usize,
    /// The buffer in iteration 0, from 0 on.
    start: Int,
    /// All subscripts but the first one.
    inner: Vec<Aff>,
}

impl Program {
    /// The program with unfolded subscripts of the arrays whose first subscript is a counter modulo the number of buffers in all accesses.
    pub fn unfolded(&self) -> Program {
        let mut program = self.clone();
        for (array, shape) in &self.arrays {
            if shape.table_dims > 1 || shape.kind != ArrayKind::Memory {
                continue;
            }
            if let Some(relations) = self.unfolded_accesses(array) {
                for ((statement, access), relation) in relations {
                    program.statements[statement].accesses[access].relation = relation;
                }
            }
        }
        program
    }

    /// The unfolded relations of the accesses to an array, by the positions of the statement and of the access.
    fn unfolded_accesses(&self, array: &Tuple) -> Option<IndexMap<(usize, usize), Map>> {
        let mut turns: IndexMap<(usize, usize), Turn> = IndexMap::new();
        for (position, statement) in self.statements.iter().enumerate() {
            let own = statement.accesses.iter().enumerate();
            for (number, access) in own.filter(|(_, access)| access.array() == array) {
                turns.insert((position, number), turn(&access.relation)?);
            }
        }
        let statement = |(position, _): &(usize, usize)| &self.statements[*position];
        let is_write =
            |(position, number): &(usize, usize)| self.statements[*position].accesses[*number].kind != AccessKind::Read;
        let mut writes = turns.iter().filter(|(id, _)| is_write(id));
        let (first, of_writes) = writes.next()?;
        let in_schedule = level(statement(first), of_writes.dim)?;
        let is_alike = |(id, turn): (&(usize, usize), &Turn)| {
            turn.buffers == of_writes.buffers && level(statement(id), turn.dim) == Some(in_schedule)
        };
        if !turns.iter().all(is_alike) || writes.any(|(_, other)| other.start != of_writes.start) {
            return None;
        }
        let relation = |(id, turn): (&(usize, usize), &Turn)| {
            // As many iterations ago as the buffer is behind the one that is written.
            let ago = (&of_writes.start - &turn.start).mod_floor(&turn.buffers);
            let space = SetSpace::new(self.context.params().clone(), statement(id).tuple().clone());
            let iteration = Aff::var(space.clone(), turn.dim).add_constant(&(&of_writes.start - &ago));
            let params = &space.params;
            let inner = turn.inner.iter().map(|aff| aff.align_params(params));
            let subscripts = std::iter::once(iteration).chain(inner).collect();
            (*id, MultiAff::new(space.clone(), array.clone(), subscripts).to_map())
        };
        Some(turns.iter().map(relation).collect())
    }
}

/// The position of the function that is a dimension alone in the schedule of a statement.
fn level(statement: &Statement, dim: usize) -> Option<usize> {
    let is_counter = |aff: &Aff| {
        let counter = Aff::var(aff.space().clone(), dim);
        aff.sub(&counter).as_constant().is_some()
    };
    statement.schedule.affs().iter().position(is_counter)
}

/// How an access goes through buffers, if its first subscript is a counter modulo a number, and the others are affine.
fn turn(relation: &Map) -> Option<Turn> {
    let [piece] = relation.pieces() else { return None };
    let params = relation.params();
    let (first_dim, n_dims) = (1 + params.len(), relation.domain_tuple().n());
    let (first, n) = (first_dim + n_dims, relation.range_tuple().n());
    let first_div = first + n;
    if piece.n_locals() > 0 {
        return None;
    }
    let space = SetSpace::new(params.clone(), relation.domain_tuple().clone());
    let (mut found, mut inner) = (None, Vec::new());
    for subscript in 0..n {
        let column = first + subscript;
        let alone = |row: &&crate::linalg::Row| {
            let mut others = (first..first_div).filter(|k| *k != column);
            row[column].abs().is_one() && others.all(|k| row[k].is_zero())
        };
        let row = piece.eqs().iter().find(alone)?;
        let sign = -&row[column];
        let sum: Vec<Int> = row[..first].iter().map(|c| c * &sign).collect();
        let mut divs = piece.divs().iter().zip(&row[first_div..]).filter(|(_, c)| !c.is_zero());
        match (subscript, divs.next()) {
            (0, Some((div, factor))) => {
                let is_modulo = -(factor * &sign) == div.den && div.num[..first] == sum[..];
                let dims = &sum[first_dim..];
                let mut moving = (0..n_dims).filter(|dim| !dims[*dim].is_zero());
                let dim = moving.next()?;
                let is_counter =
                    dims[dim].is_one() && moving.next().is_none() && sum[1..first_dim].iter().all(Int::is_zero);
                let is_plain = div.num[first..].iter().all(Int::is_zero) && divs.next().is_none();
                if !is_modulo || !is_counter || !is_plain {
                    return None;
                }
                found = Some((div.den.clone(), dim, sum[0].mod_floor(&div.den)));
            }
            (1.., None) => {
                let constant = Aff::constant(space.clone(), sum[0].clone());
                let params = (0..params.len()).map(|k| Aff::param(space.clone(), k).scale(&sum[1 + k]));
                let dims = (0..n_dims).map(|k| Aff::var(space.clone(), k).scale(&sum[first_dim + k]));
                inner.push(params.chain(dims).fold(constant, |all, term| all.add(&term)));
            }
            _ => return None,
        }
    }
    let (buffers, dim, start) = found?;
    Some(Turn {
        buffers,
        dim,
        start,
        inner,
    })
}

#[cfg(test)]
mod tests {
    use crate::program::Program;
    use expect_test::{Expect, expect};

    /// The subscripts in a statement over `t` and `i` whose first ones are these, of what it reads and what it writes, unfolded.
    fn check(read: &str, written: &str, expected: Expect) {
        let program = format!(
            "program
  context: [n] -> {{ : n > 0 }}
  assumptions: [n] -> {{ : }}
  array A: memory, 8 bytes, []*[n]
  statement S
    domain: [n] -> {{ S[t, i] : 0 <= t < n and 0 < i < n }}
    schedule: {{ S[t, i] -> [0, t, i] }}
    read: [n] -> {{ S[t, i] -> A[{read}, i - 1] : 0 <= t < n and 0 < i < n }}
    write: [n] -> {{ S[t, i] -> A[{written}, i] : 0 <= t < n and 0 < i < n }}
"
        );
        let program: Program = program.parse().unwrap();
        let accesses = program.unfolded().statements[0].accesses.clone();
        let text: Vec<String> = accesses.iter().map(|access| access.relation.to_string()).collect();
        expected.assert_eq(&text.join("\n"));
    }

    #[test]
    fn two_buffers() {
        check(
            "t mod 2",
            "(t + 1) mod 2",
            expect![[r#"
            [n] -> { S[t, i] -> A[(t), (-1 + i)] }
            [n] -> { S[t, i] -> A[(1 + t), (i)] }"#]],
        );
    }

    #[test]
    fn the_oldest_of_three_buffers_was_written_two_iterations_ago() {
        check(
            "(t + 2) mod 3",
            "(t + 1) mod 3",
            expect![[r#"
            [n] -> { S[t, i] -> A[(-1 + t), (-1 + i)] }
            [n] -> { S[t, i] -> A[(1 + t), (i)] }"#]],
        );
    }

    #[test]
    fn the_buffer_that_is_written() {
        check(
            "(t + 1) mod 2",
            "(t + 1) mod 2",
            expect![[r#"
            [n] -> { S[t, i] -> A[(1 + t), (-1 + i)] }
            [n] -> { S[t, i] -> A[(1 + t), (i)] }"#]],
        );
    }

    #[test]
    fn a_buffer_that_stays_is_left_as_it_is() {
        check(
            "0",
            "(t + 1) mod 2",
            expect![[r#"
            [n] -> { S[t, i] -> A[(0), (-1 + i)] : 0 <= t < n and 0 < i < n }
            [n] -> { S[t, i] -> A[(((1 + t) mod 2)), (i)] : 0 <= t < n and 0 < i < n }"#]],
        );
    }

    #[test]
    fn a_sum_of_counters_is_no_turn() {
        check(
            "(t + i) mod 2",
            "(t + i + 1) mod 2",
            expect![[r#"
            [n] -> { S[t, i] -> A[(((t + i) mod 2)), (-1 + i)] : 0 <= t < n and 0 < i < n }
            [n] -> { S[t, i] -> A[(((1 + t + i) mod 2)), (i)] : 0 <= t < n and 0 < i < n }"#]],
        );
    }
}
