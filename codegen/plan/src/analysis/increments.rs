//! Increments: parameters that are nothing but the distance of neighbours in a vector, as `incx` in `x[i * incx]`.
//!
//! For the model, such a vector is a column of a matrix whose rows have `incx` elements:
//!
//! ```text
//! S[i] -> x[i, kx]        array x: [][incx]
//! ```
//!
//! What tells it from a matrix is that no loop goes along a row. Where rows are as long as usual, each element would be in a line of its
//! own. But an increment is small, mostly 1 where such vectors are arguments of a library.

use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::program::{Access, Array, Program};
use farkas_polyhedral::sets::{Aff, Name, Set};

/// The value to expect of an increment: not the one that hides that lines have other elements, too.
pub(super) const INCREMENT: f64 = 2.0;

/// Whether the rows of an array are as long as an increment: a parameter in no domain, and a size of no matrix. LLVM does not know either how long
/// they are, and makes no vectors of neighbours.
pub(super) fn is_vector(program: &Program, array: &Array) -> bool {
    let Some(increment) = increment(program, array) else {
        return false;
    };
    let is_size = |other: &Array| {
        let is_mentioned = other.inner_sizes.iter().any(|size| mentions(size, increment));
        is_mentioned && self::increment(program, other) != Some(increment)
    };
    !program.arrays.values().any(is_size) && !program.statements.iter().any(|one| involves(&one.domain, increment))
}

/// The parameter that rows of an array are as long as, if it has two dimensions, and all accesses are to one column.
fn increment<'p>(program: &'p Program, array: &'p Array) -> Option<&'p Name> {
    let [size] = &array.inner_sizes[..] else { return None };
    let mut accesses = program.statements.iter().flat_map(|statement| &statement.accesses);
    let is_elsewhere = |access: &Access| access.array() == &array.tuple && !has_fixed_column(access);
    match accesses.any(is_elsewhere) {
        true => None,
        false => only_param(size),
    }
}

/// Whether the last subscript of an access does not depend on the instance.
fn has_fixed_column(access: &Access) -> bool {
    let relation = &access.relation;
    let first_dim = 1 + relation.params().len();
    let last = first_dim + relation.domain_tuple().n() + relation.range_tuple().n() - 1;
    let is_fixed = |row: &Row| !row[last].is_zero() && (first_dim..row.len()).all(|k| k == last || row[k].is_zero());
    relation.pieces().iter().all(|piece| piece.eqs().iter().any(is_fixed))
}

/// Whether a parameter is in an expression.
fn mentions(aff: &Aff, name: &Name) -> bool {
    let position = aff.params().position_of(name);
    position.is_some_and(|k| {
        let in_divs = aff.divs().iter().any(|div| !div.num[1 + k].is_zero());
        in_divs || !aff.param_coefficient(k).is_zero()
    })
}

/// The parameter, if an expression is no more than that.
fn only_param(aff: &Aff) -> Option<&Name> {
    let mut positions = (0..aff.params().len()).filter(|k| !aff.param_coefficient(*k).is_zero());
    let position = positions.next()?;
    let is_alone = positions.next().is_none() && aff.divs().is_empty() && aff.constant_term().is_zero();
    (is_alone && aff.param_coefficient(position).is_one()).then(|| &aff.params().names()[position])
}

/// Whether a parameter is in a constraint on a domain.
fn involves(domain: &Set, name: &Name) -> bool {
    let position = domain.params().position_of(name);
    position.is_some_and(|position| domain.pieces().iter().any(|piece| piece.involves(position, 1)))
}

#[cfg(test)]
mod tests {
    use super::is_vector;
    use expect_test::{Expect, expect};
    use farkas_polyhedral::program::Program;

    /// Whether `x` is a vector in a program with these accesses of `for (i < n) for (j < n)`.
    fn check(accesses: &str, expected: Expect) {
        let program = format!(
            "program
  context: [n, s, k] -> {{ : }}
  assumptions: [n, s, k] -> {{ : }}
  array x: memory, 8 bytes, [][s]
  array A: memory, 8 bytes, [][s]
  statement S
    domain: [n, s, k] -> {{ S[i, j] : 0 <= i < n and 0 <= j < n }}
    schedule: {{ S[i, j] -> [i, j] }}
{accesses}
"
        );
        let program: Program = program.parse().unwrap_or_else(|error| panic!("{error}"));
        let array = program.arrays.values().next().expect("an array");
        expected.assert_eq(&is_vector(&program, array).to_string());
    }

    #[test]
    fn one_column_of_rows_is_a_vector() {
        check("    read: [n, s, k] -> { S[i, j] -> x[i, k] }", expect!["true"]);
    }

    #[test]
    fn rows_of_a_matrix_are_no_increments() {
        check(
            "    read: [n, s, k] -> { S[i, j] -> x[i, 0] }\n    read: [n, s, k] -> { S[i, j] -> A[i, j] }",
            expect!["false"],
        );
    }
}
