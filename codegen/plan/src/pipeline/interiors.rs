//! Interiors, where borders are split off, in the original order.
//!
//! ```text
//! for (y) for (x) {                                  for (y) for (x) if (border) ..
//!   s = 0;                                           for (1 <= y < h - 1) for (1 <= x < w - 1) {
//!   for (i) for (j)                              ->    s = 0;
//!     s += in[clamp(y + i)][clamp(x + j)];             for (i) for (j) s += in[y + i][x + j];
//!   out[y][x] = s / 9;                                 out[y][x] = s / 9;
//! }                                                  }
//! ```
//!
//! The scheduler has each of the three statements in loops of its own. LLVM unrolls the window and vectorizes the loop around it, where
//! no subscript is clamped: then the original order of the interior is hard to beat.

use farkas_polyhedral::program::{Program, Statement};
use farkas_polyhedral::tree::{Filter, Node, Tree};

use super::orders::{CheckedOrder, Search};
use super::{Kept, Problem, UNITS_BEHIND};
use crate::original_tree::{original_tree, with_one_member_bands};
use crate::splitting::nests;
use crate::transform::coincident_innermost::with_coincidence;

impl Search<'_> {
    /// The order that was found, or one in which interiors are in the original order, if that is better, with its problem.
    pub(super) fn or_interiors(
        &self,
        found: Result<(Problem, CheckedOrder), Kept>,
    ) -> Result<(Problem, CheckedOrder), Kept> {
        let program = &self.problem.program;
        let tree = match &self.problem.border {
            Some(_) => Some(with_one_member_bands(original_tree(program))),
            None => interiors(program),
        };
        match tree {
            Some(tree) => self.b.at_least(UNITS_BEHIND, |b| {
                self.or_other(found, (b, b.left()), |b| {
                    let problem = Problem {
                        in_original_order: true,
                        ..self.problem.clone()
                    };
                    let order = problem.fixed(b)?;
                    let tree = with_coincidence(&tree, &order.constraints.coincidence, b)?;
                    let search = Search {
                        problem: &problem,
                        b,
                        ..*self
                    };
                    search.of_problem(&problem, Ok(tree), order)
                })
            }),
            None => found,
        }
    }
}

/// The interiors of statements, and all others; `None` where there are none, or some statement of their nests is not split: its instances
/// come between those of the interior.
pub(super) fn parts(program: &Program) -> Option<(Vec<usize>, Vec<usize>)> {
    let is_interior = |at: usize| {
        let own = &program.statements[at];
        program.statements[..at].iter().any(|other| own.has_place_of(other))
    };
    let (inside, outside): (Vec<usize>, Vec<usize>) = (0..program.statements.len()).partition(|at| is_interior(*at));
    let is_split = |own: &&Statement| is_split(program, own);
    let mut nests = nests(program).into_iter();
    let are_apart = nests.all(|nest| nest.iter().all(is_split) || !nest.iter().any(is_split));
    (!inside.is_empty() && are_apart).then_some((inside, outside))
}

/// Whether a statement has one of several parts of its instances.
pub(super) fn is_split(program: &Program, own: &Statement) -> bool {
    let mut parts = program.statements.iter().filter(|other| other.has_place_of(own));
    parts.nth(1).is_some()
}

/// The borders in the original order, and then the interiors; `None` where there are [none](parts).
fn interiors(program: &Program) -> Option<Tree> {
    let (inside, outside) = parts(program)?;
    let part = |own: &[usize]| {
        let statements: Vec<Statement> = own.iter().map(|at| program.statements[*at].clone()).collect();
        let tuples: Vec<_> = statements.iter().map(|statement| statement.tuple().clone()).collect();
        let tree = with_one_member_bands(original_tree(&Program {
            statements,
            ..program.clone()
        }));
        Filter::of_statements(tuples, tree.root)
    };
    Some(Tree {
        root: Node::Sequence(vec![part(&outside), part(&inside)]),
        ..original_tree(program)
    })
}
