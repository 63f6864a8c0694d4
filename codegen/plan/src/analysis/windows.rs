//! Windows: the neighbours of an element that are in the sum for it, as in a convolution.
//!
//! ```c
//! for (int y = 0; y < h; y++)
//!   for (int x = 0; x < w; x++)
//!     for (int a = 0; a < m; a++)
//!       for (int b = 0; b < n; b++)
//!         out[y][x] += k[a][b] * in[y + a][x + b];
//! ```
//!
//! A counter is one *of a window* if no written element depends on it, and subscripts of a read have sums of it and of a counter that
//! decides which element is written. There are two such counters in a read, at least: with one, as in `s[i] += x[i + j] * y[j]`, either
//! may be short. Counters of [border tests](super::border_tests) are of a window as well. Where constants or offsets bound the other counter, as in the gradient of a convolution's weights, it is that one.
//!
//! Where subscripts of a read are not affine, as those of windows as far apart as they are long, `in[(i * k + a) * w + j * k + b]`, counters with one
//! bound are taken for those of a square window.
//!
//! A parameter is the *length* of a window if it bounds counters of windows only, and may take away instances otherwise, as `m` in
//! `y <= h - m`. It is the *offset* of one if it is only in conditions on where an element of a window is, and takes away the first of
//! these: `p` in `if (y + a - p >= 0)`, but not `h` in `if (y + a < h)`.

use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::program::{Access, AccessKind, Program, Statement};
use farkas_polyhedral::sets::{Name, Set};

use super::border_tests::BorderTests;
use super::estimate::constant_lengths;

/// The least number of counters of a window.
const LEAST: usize = 2;

/// What a parameter is to the windows of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum OfWindow {
    Offset,
    Length,
}

/// The windows of a program.
pub(super) struct Windows<'p> {
    offsets: &'p [Name],
    tests: &'p BorderTests<'p>,
    /// Each statement's domain, with the counters that are of windows.
    counters: Vec<(&'p Set, Vec<usize>)>,
}

impl<'p> Windows<'p> {
    /// The windows of a program in which these parameters take instances away.
    pub(super) fn of(program: &'p Program, offsets: &'p [Name], tests: &'p BorderTests<'p>) -> Self {
        let own = |statement: &'p Statement| {
            let tested = tests.counters(&statement.domain);
            let all = counters(statement, offsets).into_iter();
            let all = all.chain(tested.iter().copied().filter(|_| tested.len() >= LEAST));
            (&statement.domain, all.collect())
        };
        Windows {
            offsets,
            tests,
            counters: program.statements.iter().map(own).collect(),
        }
    }

    /// What a parameter is to windows, if it is nothing else but one that takes instances away.
    pub(super) fn role(&self, name: &Name) -> Option<OfWindow> {
        let mut of_all = None;
        for (domain, window) in &self.counters {
            let Some(position) = domain.params().position_of(name) else {
                continue;
            };
            let is_own = |row: &&Row| !row[1 + position].is_zero() && !self.tests.have(domain, row);
            for row in rows(domain).filter(is_own) {
                let (of_window, others): (Vec<usize>, Vec<usize>) =
                    dims(domain, row).partition(|dim| window.contains(dim));
                let own = match (of_window.is_empty(), others.is_empty()) {
                    (true, true) => continue,
                    (true, false) if self.offsets.contains(name) => continue,
                    (true, false) => return None,
                    (false, true) => OfWindow::Length,
                    // The end of what windows are of: `y + a < h`.
                    (false, false) if row[1 + position].is_pos() => continue,
                    (false, false) => OfWindow::Offset,
                };
                of_all = of_all.max(Some(own));
            }
        }
        of_all
    }
}

/// The counters of a statement that are of windows. Where a scalar is written, those of outer loops decide which element the sum is for.
fn counters(statement: &Statement, offsets: &[Name]) -> Vec<usize> {
    let n = statement.tuple().n();
    let written = |access: &&Access| access.kind != AccessKind::Read;
    let decides = |dim: usize| {
        let mut writes = statement.accesses.iter().filter(written);
        writes.any(|access| subscripts(access).any(|row| is_in(row, access, dim)))
    };
    let deciding: Vec<usize> = (0..n).filter(|dim| decides(*dim)).collect();
    let short = short_counters(&statement.domain, offsets);
    let is_added_to = |dim: usize, other: usize| match deciding.is_empty() {
        true => other < dim,
        false => deciding.contains(&other) && !deciding.contains(&dim) && !short.contains(&other),
    };
    let bounds = upper_bounds(&statement.domain);
    let is_of_square = |dim: usize, other: usize| {
        let are_added = !deciding.is_empty() && [dim, other].iter().all(|dim| !deciding.contains(dim));
        dim != other && are_added && bounds[dim].is_some() && bounds[dim] == bounds[other]
    };
    let of_read = |access: &Access| -> Vec<usize> {
        if subscripts(access).next().is_none() {
            let is_in_square = |dim: &usize| (0..n).any(|other| is_of_square(*dim, other));
            return (0..n).filter(is_in_square).collect();
        }
        let is_added = |dim: &usize| {
            let mut rows = subscripts(access).filter(|row| is_in(row, access, *dim));
            rows.any(|row| (0..n).any(|other| is_added_to(*dim, other) && is_in(row, access, other)))
        };
        (0..n).filter(is_added).collect()
    };
    let reads = statement
        .accesses
        .iter()
        .filter(|access| access.kind == AccessKind::Read);
    let windows = reads.map(of_read).filter(|window| window.len() >= LEAST);
    windows.flatten().collect()
}

/// The parameter that bounds each counter from above, where there is one, and nothing else.
fn upper_bounds(domain: &Set) -> Vec<Option<usize>> {
    let (n_params, n) = (domain.params().len(), domain.tuple().n());
    let bound = |dim: usize| {
        let is_upper = |row: &&Row| row[1 + n_params + dim].is_neg() && dims(domain, row).eq([dim]);
        let params = rows(domain).filter(is_upper).flat_map(|row| {
            let of_row = (0..n_params).filter(|param| !row[1 + param].is_zero());
            of_row.collect::<Vec<_>>()
        });
        let params: Vec<usize> = params.collect();
        match params[..] {
            [param] => Some(param),
            _ => None,
        }
    };
    (0..n).map(bound).collect()
}

/// The counters that constants or offsets bound.
fn short_counters(domain: &Set, offsets: &[Name]) -> Vec<usize> {
    let constant = constant_lengths(domain);
    let is_offset: Vec<usize> = offsets
        .iter()
        .filter_map(|name| domain.params().position_of(name))
        .collect();
    let bounds = |row: &&Row, dim: usize| {
        let mut params = (0..domain.params().len())
            .filter(|param| !row[1 + param].is_zero())
            .peekable();
        dims(domain, row).eq([dim]) && params.peek().is_some() && params.all(|param| is_offset.contains(&param))
    };
    let is_short = |dim: &usize| constant[*dim].is_some() || rows(domain).any(|row| bounds(&row, *dim));
    (0..domain.tuple().n()).filter(is_short).collect()
}

/// The constraints of a domain.
fn rows(domain: &Set) -> impl Iterator<Item = &Row> {
    let pieces = domain.pieces().iter();
    pieces.flat_map(|piece| piece.eqs().iter().chain(piece.ineqs()))
}

/// The counters in a constraint of a domain.
fn dims<'r>(domain: &Set, row: &'r Row) -> impl Iterator<Item = usize> + 'r {
    let first = 1 + domain.params().len();
    (0..domain.tuple().n()).filter(move |dim| !row[first + dim].is_zero())
}

/// Whether a counter is in a row of an access.
fn is_in(row: &Row, access: &Access, dim: usize) -> bool {
    !row[1 + access.relation.params().len() + dim].is_zero()
}

/// The rows of an access that say which element it is.
fn subscripts(access: &Access) -> impl Iterator<Item = &Row> {
    access.relation.pieces().iter().flat_map(|piece| piece.eqs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use farkas_polyhedral::sets::Params;

    /// What each parameter is to the windows of a statement with this domain, which adds the product of two reads to what it writes.
    fn check(offsets: &[&str], domain: &str, accesses: [&str; 3], expected: Expect) {
        let [write, one, other] = accesses;
        let params = "[h, w, m, n, p]";
        let instance = domain.split(':').next().expect("a tuple");
        let array = |access: &str| access.split('[').next().expect("a name").to_owned();
        let map = |access: &str| format!("{params} -> {{ {instance}-> {access} }}");
        let program = format!(
            "program
  context: {params} -> {{ : }}
  assumptions: {params} -> {{ : }}
  array {}: memory, 8 bytes, [][1000]
  array {}: memory, 8 bytes, [][1000]
  array {}: memory, 8 bytes, [][1000]
  statement S
    domain: {params} -> {{ {domain} }}
    schedule: {{ {instance}-> [y, x, a, b] }}
    read: {}
    read: {}
    write: {}
",
            array(write),
            array(one),
            array(other),
            map(one),
            map(other),
            map(write)
        );
        let program: Program = program.parse().unwrap_or_else(|error| panic!("{error}"));
        let names: &Params = program.context.params();
        let offsets: Vec<Name> = offsets.iter().map(|name| Name::from(*name)).collect();
        let tests = BorderTests::of(&program);
        let windows = Windows::of(&program, &offsets, &tests);
        let of_each = names.names().iter().filter_map(|name| {
            let role = windows.role(name)?;
            Some(format!("{name}: {role:?}"))
        });
        expected.assert_eq(&of_each.collect::<Vec<_>>().join(", "));
    }

    #[test]
    fn lengths_of_windows() {
        check(
            &[],
            "S[y, x, a, b] : 0 <= y < h and 0 <= x < w and 0 <= a < m and 0 <= b < n",
            ["O[y, x]", "I[y + a, x + b]", "K[a, b]"],
            expect!["m: Length, n: Length"],
        );
        check(
            &["m", "n"],
            "S[y, x, a, b] : 0 <= y <= h - m and 0 <= x <= w - n and 0 <= a < m and 0 <= b < n",
            ["O[y, x]", "I[y + a, x + b]", "K[a, b]"],
            expect!["m: Length, n: Length"],
        );
    }

    #[test]
    fn offsets_of_windows() {
        check(
            &[],
            "S[y, x, a, b] : 0 <= y and 0 <= y + a - p < h and 0 <= x and 0 <= x + b - p < w and 0 <= a < m and 0 <= b < m",
            ["O[y, x]", "I[y + a - p, x + b - p]", "K[a, b]"],
            expect!["m: Length, p: Offset"],
        );
    }

    #[test]
    fn counters_with_one_bound_where_subscripts_are_unknown() {
        check(
            &[],
            "S[y, x, a, b] : 0 <= y < h and 0 <= x < w and 0 <= a < m and 0 <= b < m",
            ["O[y, x]", "I[i, j]", "Q[y, x]"],
            expect!["m: Length"],
        );
        check(
            &[],
            "S[y, x, a, b] : 0 <= y < m and 0 <= x < w and 0 <= a < m and 0 <= b < m",
            ["O[y, x]", "I[i, j]", "Q[y, x]"],
            expect![""],
        );
    }

    #[test]
    fn a_written_window_is_one() {
        check(
            &["m"],
            "S[y, x, a, b] : 0 <= y < m and 0 <= x < m and 0 <= a <= h - m and 0 <= b <= w - m",
            ["O[y, x]", "I[y + a, x + b]", "K[a, b]"],
            expect![""],
        );
    }

    #[test]
    fn one_counter_is_no_window() {
        check(
            &[],
            "S[y, x, a, b] : 0 <= y < h and x = 0 and 0 <= a < m and b = 0",
            ["O[y, x]", "I[y + a, x]", "K[a, b]"],
            expect![""],
        );
    }
}
