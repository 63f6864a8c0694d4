//! Reuse of loaded values by copies of a statement.
//!
//! *Self reuse*: an access that does not move along an unrolled loop is done once for all copies. *Group reuse*: two reads of an
//! array meet in an element in different copies. Both are counted here as the number of accesses of the copies over the number of
//! different elements.
//!
//! Example: a stencil that reads `A[i - 1][j]`, `A[i][j]` and `A[i + 1][j]`, unrolled 4 times along `i`, has 12 reads in the
//! rows `i - 1` to `i + 4`. These are 6 elements: a load serves 2 reads.

use farkas_polyhedral::linalg::{Row, dot};
use farkas_polyhedral::sets::Tuple;
use indexmap::IndexSet;

use super::estimate::float;
use super::linear::{Factors, LinearAccess, LinearStatement, Stride};

/// Group reuse is not looked for among more copies.
const MOST_COPIES: usize = 64;

/// How many accesses of copies share one, where the statement is repeated so often along directions: `None` for a loop whose
/// direction is not known.
pub(crate) fn accesses_in_one(
    statement: &LinearStatement,
    access: &LinearAccess,
    copies: &[(Option<&Row>, f64)],
) -> f64 {
    let stays = |direction: &Option<&Row>| direction.is_some_and(|d| access.stride(d) == Stride::Zero);
    let by_itself = copies.iter().filter(|(direction, _)| stays(direction));
    let by_itself: f64 = by_itself.map(|(_, times)| times).product();
    by_group(statement, access, copies).unwrap_or(by_itself)
}

/// Whether copies along a direction share loads as two reads meet. Stores in between do not count: the array is only read.
pub(crate) fn has_group_reuse(statement: &LinearStatement, (along, times): (&Row, f64), innermost: &Row) -> bool {
    let shares = |access: &&LinearAccess| {
        access.stride(along) != Stride::Zero
            && access.stride(innermost) == Stride::Unit
            && by_group(statement, access, &[(Some(along), times)]).is_some_and(|shared| shared > 1.0)
    };
    statement.accesses.iter().any(|access| shares(&access))
}

/// Whether copies along a direction write the same elements one after the other, which are in registers in between, while the innermost loop
/// goes from element to element: `c[i][j] += a[i][k] * b[k][j]` along `k`, with the innermost loop along `j`.
pub(crate) fn writes_the_same(statement: &LinearStatement, along: &Row, innermost: &Row) -> bool {
    let stays =
        |access: &LinearAccess| access.stride(along) == Stride::Zero && access.stride(innermost) == Stride::Unit;
    statement.accesses.iter().any(|access| access.writes && stays(access))
}

/// How many rows copies along a direction go through side by side: rows of all arrays that the innermost loop moves along. Each is a
/// stream for a prefetcher.
pub(crate) fn rows_side_by_side(statement: &LinearStatement, (along, times): (&Row, f64), innermost: &Row) -> usize {
    let mut rows: IndexSet<(&Tuple, Vec<(i64, &Factors)>)> = IndexSet::new();
    let moving = statement
        .accesses
        .iter()
        .filter(|a| a.stride(innermost) != Stride::Zero);
    for access in moving {
        let subscripts = access.subscripts().unwrap_or_default();
        let across = || (0..subscripts.len()).filter(|k| dot(&subscripts[*k], innermost).is_zero());
        for copy in 0..times.ceil() as usize {
            let place = |k: usize| {
                let constant = access.constants[k] + copy as f64 * float(&dot(&subscripts[k], along));
                (constant as i64, access.parameters(k))
            };
            rows.insert((&access.array, across().map(place).collect()));
        }
    }
    rows.len()
}

/// The accesses of the group of an access in all copies over the different elements; `None` where the array is written, or copies
/// are too many.
fn by_group(statement: &LinearStatement, access: &LinearAccess, copies: &[(Option<&Row>, f64)]) -> Option<f64> {
    let subscripts = access.subscripts()?;
    let of_array = || statement.accesses.iter().filter(|other| other.array == access.array);
    if of_array().any(|other| other.writes) {
        return None;
    }
    let group = || of_array().filter(|other| other.differs_by_constants(access));
    // The subscripts of all elements, one element after the other. An element may occur more than once.
    let n = subscripts.len();
    let mut elements: Vec<i64> = group()
        .flat_map(|access| access.constants.iter().map(|c| *c as i64))
        .collect();
    let mut n_copies = 1_usize;
    for (direction, times) in copies {
        let step: Vec<i64> = subscripts
            .iter()
            .map(|row| direction.map(|d| float(&dot(row, d)) as i64))
            .collect::<Option<_>>()?;
        let times = times.ceil() as usize;
        n_copies = n_copies.saturating_mul(times);
        if n_copies > MOST_COPIES {
            return None;
        }
        // Copies that do not move access the same elements.
        if step.iter().all(|step| *step == 0) {
            continue;
        }
        let n_before = elements.len();
        for copy in 1..times as i64 {
            for k in 0..n_before {
                elements.push(elements[k].saturating_add(copy.saturating_mul(step[k % n])));
            }
        }
    }
    let n_different = match n {
        0 => 1,
        _ => {
            let mut different: Vec<&[i64]> = elements.chunks_exact(n).collect();
            different.sort_unstable();
            different.dedup();
            different.len().max(1)
        }
    };
    Some((group().count() * n_copies) as f64 / n_different as f64)
}
