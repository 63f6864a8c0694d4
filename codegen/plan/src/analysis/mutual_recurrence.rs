//! Recurrences through several statements of an innermost loop, which wait for each other.
//!
//! ```text
//! for (j) {
//!   E: e[j + 1] = max(e[j] - 1, h[j] - 3);
//!   H: h[j + 1] = max(g[j], e[j + 1]);
//! }
//! ```
//!
//! `H` waits for `E` in its own iteration, and `E` for `H` in the one before: an iteration takes the latency of both [chains](Chain).
//!
//! Values are the nodes of a graph, one for each array of which there is one write in the loop. The chain from the read of one to the write
//! of another is an edge between them, with a latency and the number of iterations that lie between the value's write and its read. An
//! iteration takes as long as the longest cycle, over the number of iterations that this goes back. Only cycles that have one edge to
//! an earlier iteration are looked at.

use farkas_polyhedral::linalg::{Row, dot};
use farkas_polyhedral::program::{Chain, Statement};
use farkas_polyhedral::sets::Tuple;
use indexmap::IndexMap;

use super::linear::{LinearAccess, LinearStatement};
use super::recurrence::latency;
use crate::target::Target;

/// A statement in the innermost loop, in the order of the text.
pub(crate) struct InLoop<'m> {
    pub(crate) statement: &'m Statement,
    pub(crate) linear: &'m LinearStatement,
    /// How an instance moves from one iteration to the next.
    pub(crate) along: &'m Row,
}

/// A value: the only write of an array in the loop.
struct Value<'m> {
    array: &'m Tuple,
    /// The position of its statement.
    statement: usize,
    write: &'m LinearAccess,
}

/// A chain of operations from one value to another.
struct Edge {
    from: usize,
    to: usize,
    latency: f64,
    /// How many iterations ago the value was written.
    distance: f64,
}

/// The cycles that an iteration waits for the one before it, by what several statements compute.
pub(crate) fn cycles(statements: &[InLoop<'_>], target: &Target) -> f64 {
    let values = values(statements);
    let mut edges = edges(statements, &values, target);
    // Within an iteration, values are used behind their statements: in this order, each one is final before it is used.
    edges.sort_by_key(|edge| values[edge.from].statement);
    let (within, back): (Vec<&Edge>, Vec<&Edge>) = edges.iter().partition(|edge| edge.distance == 0.0);
    let cycle = |edge: &&Edge| {
        let mut waited: Vec<Option<f64>> = vec![None; values.len()];
        waited[edge.to] = Some(edge.latency);
        for next in &within {
            if let Some(before) = waited[next.from] {
                let own = before + next.latency;
                waited[next.to] = Some(waited[next.to].map_or(own, |other| other.max(own)));
            }
        }
        waited[edge.from].map_or(0.0, |cycles| cycles / edge.distance)
    };
    back.iter().map(cycle).fold(0.0, f64::max)
}

/// The values of a loop.
fn values<'m>(statements: &'m [InLoop<'m>]) -> Vec<Value<'m>> {
    let mut of_arrays: IndexMap<&Tuple, Vec<Value<'m>>> = IndexMap::new();
    for (statement, in_loop) in statements.iter().enumerate() {
        for write in in_loop.linear.accesses.iter().filter(|access| access.writes) {
            let array = &write.array;
            of_arrays.entry(array).or_default().push(Value {
                array,
                statement,
                write,
            });
        }
    }
    let alone = of_arrays.into_values().filter(|writes| writes.len() == 1);
    alone.flatten().collect()
}

fn edges(statements: &[InLoop<'_>], values: &[Value<'_>], target: &Target) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (position, in_loop) in statements.iter().enumerate() {
        let edge = |chain: &Chain| {
            let [read, write] = [chain.read, chain.write].map(|access| &in_loop.linear.accesses[access.0]);
            let of_array = |array: &Tuple| values.iter().position(|value| value.array == array);
            let (from, to) = (of_array(&read.array)?, of_array(&write.array)?);
            let writer = &values[from];
            let distance = distance(
                (writer.write, statements[writer.statement].along),
                (read, in_loop.along),
                writer.statement < position,
            )?;
            Some(Edge {
                from,
                to,
                latency: latency(in_loop.statement, chain, target),
                distance,
            })
        };
        edges.extend(in_loop.statement.chains.iter().filter_map(edge));
    }
    edges
}

/// How many iterations ago the element of a read was written; `None` if it was in none of the loop's iterations before the read.
fn distance(
    (write, along_write): (&LinearAccess, &Row),
    (read, along_read): (&LinearAccess, &Row),
    is_behind: bool,
) -> Option<f64> {
    if !read.differs_by_constants(write) || along_write.len() != along_read.len() {
        return None;
    }
    let mut found = None;
    for (k, row) in write.subscripts()?.iter().enumerate() {
        let steps = [along_write, along_read].map(|along| dot(row, along));
        let step = steps[0].to_i64()? as f64;
        let ahead = write.constants[k] - read.constants[k];
        if steps[0] != steps[1] || step == 0.0 && ahead != 0.0 {
            return None;
        }
        if step != 0.0 {
            let iterations = ahead / step;
            if iterations.fract() != 0.0 || found.is_some_and(|other| other != iterations) {
                return None;
            }
            found = Some(iterations);
        }
    }
    let stays = if is_behind { 0.0 } else { 1.0 };
    let distance = found.unwrap_or(stays);
    (distance >= 1.0 || distance == 0.0 && is_behind).then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::linear;
    use expect_test::{Expect, expect};
    use farkas_polyhedral::int::Int;
    use farkas_polyhedral::program::Program;

    /// The cycles of an iteration of `j`, with a subscript that `H` reads of `e` and one that `E` reads of `h`, where additions take 4.
    fn check(read_of_e: &str, read_of_h: &str, expected: Expect) {
        let program = format!(
            "program
  context: [n] -> {{ : }}
  assumptions: [n] -> {{ : }}
  array e: memory, 8 bytes, []
  array h: memory, 8 bytes, []
  statement E
    domain: [n] -> {{ E[i, j] : 0 <= i < n and 0 <= j < n }}
    schedule: {{ E[i, j] -> [(0), (i), (0), (j), (0)] }}
    read: {{ E[i, j] -> h[({read_of_h})] }}
    write: {{ E[i, j] -> e[(1 + j)] }}
    operations: 1 load f64, 1 store f64, 1 add f64
    chain: access 0 -> access 1: 1 add f64
  statement H
    domain: [n] -> {{ H[i, j] : 0 <= i < n and 0 <= j < n }}
    schedule: {{ H[i, j] -> [(0), (i), (0), (j), (1)] }}
    read: {{ H[i, j] -> e[({read_of_e})] }}
    write: {{ H[i, j] -> h[(1 + j)] }}
    operations: 1 load f64, 1 store f64, 2 add f64
    chain: access 0 -> access 1: 2 add f64
"
        );
        let program: Program = program.parse().unwrap_or_else(|error| panic!("{error}"));
        let linear = linear::statements(&program);
        let along: Row = [Int::ZERO, Int::ONE].into_iter().collect();
        let in_loop = program.statements.iter().map(|statement| InLoop {
            statement,
            linear: &linear[statement.tuple()],
            along: &along,
        });
        let mut target = Target::preset("x86-64-v3").expect("a target");
        target.operations.arithmetic.latency = 4.0;
        let found = cycles(&in_loop.collect::<Vec<_>>(), &target);
        expected.assert_eq(&format!("{found}"));
    }

    #[test]
    fn both_chains_of_an_iteration() {
        check("1 + j", "j", expect!["12"]);
    }

    #[test]
    fn over_two_iterations() {
        check("1 + j", "-1 + j", expect!["6"]);
    }

    #[test]
    fn what_no_iteration_has_written() {
        check("2 + j", "j", expect!["0"]);
        check("1 + j", "1 + j", expect!["0"]);
    }

    #[test]
    fn two_steps_back_are_not_looked_at() {
        check("j", "j", expect!["0"]);
    }
}
