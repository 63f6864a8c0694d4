//! A change of variables of each statement, to those in which subscripts and bounds are simplest.
//!
//! Dimensions of a statement count the iterations of its loops from zero. Where a loop begins at an outer variable, subscripts are
//! sums, and so are the functions of a schedule:
//!
//! ```text
//! for (i = 0; i < n; i++)            { S[i, c] : 0 <= c < n - i }   A[i][i + c] -= A[i][0] * A[0][i + c]
//!   for (j = i; j < n; j++)          { S[i, j] : i <= j < n }       A[i][j]     -= A[i][0] * A[0][j]
//!     A[i][j] -= A[i][0] * A[0][j];
//! ```
//!
//! The scheduler prefers small coefficients, and unroll and jam asks for loops that are not skewed. Both find in `j` what they do not
//! find in `c`. The change is unimodular: `y_d = x_d + a . (x_0, .., x_{d-1}) + c`. A subscript is taken as the new variable
//! where that leaves fewer variables in all subscripts and bounds of the statement.
//!
//! A counter that has bounds free of other counters stays: with padding, the pixels `2 * x + b` of a window of three are fewer terms than
//! the counter `b`, but another range for each `x`.
//!
//! A counter also stays where the new variable would do the work of two loops (P0 7.5, coalescing): in `a[4 * i + j]` with `i <= j < 4`, the
//! subscript tells all values of `i` and `j` apart. The scheduler would count `i` as determined by it, and the loop would have a condition on
//! remainders for each of its iterations.

use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::program::{Access, Program, Statement};
use farkas_polyhedral::sets::{Aff, Conj, MultiAff, PwMultiAff, Set, SetSpace, Tuple, UnionPwMultiAff};
use farkas_polyhedral::tree::{RewriteError, Tree};
use indexmap::IndexMap;

use crate::analysis::estimate::{constant_ranges, float};
use crate::analysis::linear::affine_subscripts;

/// The functions between original and new variables, of the statements that have new ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChangeOfVariables(IndexMap<Tuple, Change>);

#[derive(Clone, Debug)]
struct Change {
    to_new: MultiAff,
    to_original: MultiAff,
}

impl ChangeOfVariables {
    /// The change that makes subscripts and bounds of the program simplest.
    pub(crate) fn simplest(program: &Program) -> ChangeOfVariables {
        let change = |statement: &Statement| Some((statement.tuple().clone(), simplest(statement)?));
        ChangeOfVariables(program.statements.iter().filter_map(change).collect())
    }

    /// Whether all variables stay as they are.
    pub(crate) fn is_identity(&self) -> bool {
        self.0.is_empty()
    }

    /// The program in new variables.
    pub(crate) fn apply(&self, program: &Program) -> Program {
        if self.0.is_empty() {
            return program.clone();
        }
        let statement = |statement: &Statement| {
            let Some(Change { to_original, .. }) = self.0.get(statement.tuple()) else {
                return statement.clone();
            };
            let access = |access: &Access| Access {
                relation: access.relation.preimage_domain(to_original),
                ..access.clone()
            };
            Statement {
                domain: statement.domain.preimage(to_original),
                accesses: statement.accesses.iter().map(access).collect(),
                schedule: statement.schedule.pullback(to_original),
                ..statement.clone()
            }
        };
        Program {
            statements: program.statements.iter().map(statement).collect(),
            ..program.clone()
        }
    }

    /// A function of a statement's instances in new variables, of those in original ones.
    pub(crate) fn undo_function(&self, statement: &Tuple, function: &MultiAff) -> MultiAff {
        match self.0.get(statement) {
            Some(change) => {
                let params = function.params().union(change.to_new.params());
                function
                    .align_params(&params)
                    .pullback(&change.to_new.align_params(&params))
            }
            None => function.clone(),
        }
    }

    /// A tree over instances in new variables, over those in original ones.
    ///
    /// # Errors
    ///
    /// If the tree has expansions or extensions, or the budget is spent.
    pub(crate) fn undo(&self, tree: &Tree, b: &Budget) -> Result<Tree, RewriteError> {
        if self.0.is_empty() {
            return Ok(tree.clone());
        }
        let params = tree.domain.params().clone();
        let function = |set: &Set| {
            let space = set.space();
            let function = match self.0.get(set.tuple()) {
                Some(change) => change.to_new.clone(),
                None => MultiAff::identity(space.clone()),
            };
            let function = function.align_params(&params);
            PwMultiAff::new(Set::universe(function.domain_space()), function)
        };
        let functions = tree.domain.sets().map(function);
        let mut all = UnionPwMultiAff::empty(params.clone());
        for function in functions {
            let one = UnionPwMultiAff::from(function);
            all = all.union(&one, b)?.expect("the functions of different statements");
        }
        tree.pullback(&all, b)
    }
}

/// An affine form over a statement's dimensions.
type Form = (Row, Int);

/// The change that makes subscripts and bounds of a statement simplest, if that is not the identity.
fn simplest(statement: &Statement) -> Option<Change> {
    let mut subscripts = subscripts(statement);
    let mut bounds = bounds(&statement.domain);
    let ranges = constant_ranges(&statement.domain);
    let space = statement.domain.space();
    let mut to_original = MultiAff::identity(space.clone());
    let mut to_new = to_original.clone();
    for (dim, range) in ranges.into_iter().enumerate().skip(1) {
        if is_between_outer_bounds(&statement.domain, dim) {
            continue;
        }
        let Some(form) = simplest_form((dim, range), &subscripts, &bounds) else {
            continue;
        };
        subscripts
            .iter_mut()
            .chain(&mut bounds)
            .for_each(|row| substitute(row, dim, &form));
        let shift = shift(space, &form, dim);
        to_new = with_component(space, dim, |x| x.add(&shift)).pullback(&to_new);
        to_original = to_original.pullback(&with_component(space, dim, |y| y.sub(&shift)));
    }
    let changed = to_new
        .affs()
        .iter()
        .enumerate()
        .any(|(dim, aff)| *aff != Aff::var(space.clone(), dim));
    changed.then_some(Change { to_new, to_original })
}

/// The subscript that is best taken as the variable of a dimension with so many values, if that is a constant; `None` if the variable itself is.
fn simplest_form((dim, range): (usize, Option<f64>), subscripts: &[Form], bounds: &[Form]) -> Option<Form> {
    let weight = |form: Option<&Form>| -> usize {
        let variables = |row: &Form| {
            let mut row = row.clone();
            if let Some(form) = form {
                substitute(&mut row, dim, form);
            }
            row.0.iter().filter(|c| !c.is_zero()).count()
        };
        subscripts.iter().chain(bounds).map(variables).sum()
    };
    let is_candidate = |(row, _): &&Form| row[dim].is_one() && row[dim + 1..].iter().all(Int::is_zero);
    let skewed = |(row, _): &&Form| row[..dim].iter().any(|c| !c.is_zero());
    let coalesces = |(row, _): &&Form| range.is_some_and(|range| coalesces(&row[..dim], range));
    let candidates = subscripts.iter().filter(is_candidate).filter(skewed);
    let candidates = candidates.filter(|form| !coalesces(form));
    let best = candidates
        .map(|form| (weight(Some(form)), form))
        .min_by_key(|(weight, _)| *weight)?;
    (best.0 < weight(None)).then(|| best.1.clone())
}

/// Whether a sum of multiples of outer variables and of a variable with so many values tells these apart: at most two of each outer variable's values,
/// next to each other, lead to the same sum.
fn coalesces(outer: &[Int], range: f64) -> bool {
    let half = ((range - 1.0) / 2.0).ceil();
    outer.iter().map(float).any(|factor| factor.abs() > half.max(1.0))
}

/// Whether a dimension has a lower and an upper bound that no other dimension is in.
fn is_between_outer_bounds(domain: &Set, dim: usize) -> bool {
    let first = 1 + domain.params().len();
    let is_alone = |row: &&Row| {
        let mut others = (first..row.len()).filter(|k| *k != first + dim);
        others.all(|k| row[k].is_zero())
    };
    let has_both = |piece: &Conj| {
        let alone = || piece.ineqs().iter().filter(is_alone);
        alone().any(|row| row[first + dim].is_pos()) && alone().any(|row| row[first + dim].is_neg())
    };
    domain.pieces().iter().all(has_both)
}

/// Writes a form with `y = form` in place of the variable of `dim`.
fn substitute((row, constant): &mut Form, dim: usize, form: &Form) {
    let factor = row[dim].clone();
    for outer in 0..dim {
        row[outer] -= &factor * &form.0[outer];
    }
    *constant -= &factor * &form.1;
}

/// The form without the variable of `dim`.
fn shift(space: &SetSpace, form: &Form, dim: usize) -> Aff {
    let constant = Aff::constant(space.clone(), form.1.clone());
    (0..dim).fold(constant, |sum, outer| {
        sum.add(&Aff::var(space.clone(), outer).scale(&form.0[outer]))
    })
}

/// The identity but for one component.
fn with_component(space: &SetSpace, dim: usize, change: impl Fn(&Aff) -> Aff) -> MultiAff {
    let identity = MultiAff::identity(space.clone());
    let mut affs = identity.affs().to_vec();
    affs[dim] = change(&affs[dim]);
    MultiAff::new(space.clone(), space.tuple.clone(), affs)
}

/// The subscripts of all accesses that are affine.
fn subscripts(statement: &Statement) -> Vec<Form> {
    let accesses = statement.accesses.iter();
    accesses
        .filter_map(|access| affine_subscripts(&access.relation))
        .flatten()
        .collect()
}

/// The bounds of a domain, as far as they have no divisions.
fn bounds(domain: &Set) -> Vec<Form> {
    let (first, n) = (1 + domain.params().len(), domain.tuple().n());
    let of_piece = |piece: &Conj| {
        let plain = |row: &&Row| row[first + n..].iter().all(Int::is_zero);
        let form = |row: &Row| (Row::from(&row[first..first + n]), row[0].clone());
        let rows = piece.eqs().iter().chain(piece.ineqs());
        rows.filter(plain).map(form).collect::<Vec<_>>()
    };
    domain.pieces().iter().flat_map(of_piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use farkas_polyhedral::program::text;

    /// The change of each statement, and the domains after it.
    fn check(statements: &str, expected: Expect) {
        let text = format!("program\n  context: {{ : }}\n  assumptions: {{ : }}\n{statements}");
        let program = &text::programs(&text).unwrap()[0];
        let change = ChangeOfVariables::simplest(program);
        let changed = change.apply(program);
        let mut out = String::new();
        for statement in &changed.statements {
            out += &format!("{}\n", statement.domain);
            if let Some(change) = change.0.get(statement.tuple()) {
                let there_and_back = change.to_new.pullback(&change.to_original);
                assert_eq!(
                    there_and_back.affs(),
                    MultiAff::identity(statement.domain.space().clone()).affs()
                );
                out += &format!("  {}\n", change.to_new.to_map());
            }
        }
        expected.assert_eq(&out);
    }

    const PRELUDE: &str = "  array A: memory, 8 bytes, [][900]\n  array x: memory, 8 bytes, []\n";

    #[test]
    fn a_loop_that_begins_at_an_outer_variable() {
        check(
            &format!(
                "{PRELUDE}  statement S
    domain: {{ S[i, j, k] : i >= 0 and 0 <= j < 900 - i and 0 <= k < i }}
    schedule: {{ S[i, j, k] -> [(i), (j), (k)] }}
    read: {{ S[i, j, k] -> A[(k), (i + j)] : i >= 0 and 0 <= j < 900 - i and 0 <= k < i }}
    read: {{ S[i, j, k] -> A[(i), (k)] : i >= 0 and 0 <= j < 900 - i and 0 <= k < i }}
    write: {{ S[i, j, k] -> A[(i), (i + j)] : i >= 0 and 0 <= j < 900 - i and 0 <= k < i }}
"
            ),
            expect![[r#"
                { S[i, j, k] : i >= 0 and i <= j <= 899 and 0 <= k < i }
                  { S[i, j, k] -> S[i' = i, j' = i + j, k' = k] }
            "#]],
        );
    }

    #[test]
    fn constants_of_subscripts_are_taken_over() {
        check(
            &format!(
                "{PRELUDE}  statement S
    domain: {{ S[i, k] : i >= 0 and 0 <= k <= 898 - i }}
    schedule: {{ S[i, k] -> [(i), (k)] }}
    read: {{ S[i, k] -> A[(i), (1 + i + k)] : i >= 0 and 0 <= k <= 898 - i }}
    write: {{ S[i, k] -> x[(1 + i + k)] : i >= 0 and 0 <= k <= 898 - i }}
"
            ),
            expect![[r#"
                { S[i, k] : i >= 0 and i < k <= 899 }
                  { S[i, k] -> S[i' = i, k' = 1 + i + k] }
            "#]],
        );
    }

    #[test]
    fn a_window_with_padding_stays_a_rectangle() {
        check(
            &format!(
                "{PRELUDE}  statement S
    domain: {{ S[i, k] : 0 <= i <= 99 and 0 <= k <= 2 and 0 < 2i + k <= 200 }}
    schedule: {{ S[i, k] -> [(i), (k)] }}
    read: {{ S[i, k] -> x[(-1 + 2i + k)] : 0 <= i <= 99 and 0 <= k <= 2 and 0 < 2i + k <= 200 }}
"
            ),
            expect![[r#"
                { S[i, k] : 0 <= i <= 99 and 0 <= k <= 2 and -2i < k <= 200 - 2i }
            "#]],
        );
    }

    #[test]
    fn a_subscript_that_tells_all_counters_apart_is_no_variable() {
        check(
            &format!(
                "{PRELUDE}  statement S
    domain: {{ S[i, j] : i >= 0 and 0 <= j <= 3 - i }}
    schedule: {{ S[i, j] -> [(i), (j)] }}
    read: {{ S[i, j] -> x[(5i + j)] : i >= 0 and 0 <= j <= 3 - i }}
    write: {{ S[i, j] -> x[(5i + j)] : i >= 0 and 0 <= j <= 3 - i }}
"
            ),
            expect![[r#"
                { S[i, j] : i >= 0 and 0 <= j <= 3 - i }
            "#]],
        );
    }

    #[test]
    fn a_product_of_polynomials_stays_a_rectangle() {
        check(
            &format!(
                "{PRELUDE}  statement S
    domain: {{ S[i, j] : 0 <= i <= 99 and 0 <= j <= 99 }}
    schedule: {{ S[i, j] -> [(i), (j)] }}
    read: {{ S[i, j] -> A[(i), (j)] : 0 <= i <= 99 and 0 <= j <= 99 }}
    read: {{ S[i, j] -> x[(i + j)] : 0 <= i <= 99 and 0 <= j <= 99 }}
    write: {{ S[i, j] -> x[(i + j)] : 0 <= i <= 99 and 0 <= j <= 99 }}
"
            ),
            expect![[r#"
                { S[i, j] : 0 <= i <= 99 and 0 <= j <= 99 }
            "#]],
        );
    }
}
