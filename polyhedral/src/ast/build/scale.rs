//! Strided schedule dimensions that count in steps of one.
//!
//! Where all values of a dimension are `offset + step k`, and instances depend on it only by way of `k`, the dimension may as well have
//! the values `k`, as a schedule only orders. In `{ S[i] -> [2i] }` the instance at `c` is `S[c / 2]`; counted by `k` it is
//! `S[k]`. In `{ S[i] -> [i] : i mod 2 = 0 }` it is `S[c]`, which is simpler as it is.

use crate::ast::build::bounds::without_last;
use crate::ast::build::executed::{Executed, embed};
use crate::ast::build::strides::{self, Progression};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::Row;
use crate::sets::{Aff, Conj};

/// A progression by which a dimension is counted: it is `offset + step k`.
pub(super) struct Scale {
    /// Over the dimensions outside.
    pub(super) offset: Aff,
    pub(super) step: Int,
}

impl Scale {
    /// The conjunction with `k` in the place of the variable after the parameters and `depth` schedule dimensions.
    pub(super) fn counted(&self, conj: &Conj, depth: usize, b: &Budget) -> Outcome<Conj> {
        let n_params = self.offset.space().params.len();
        let var = n_params + depth;
        let mut conj = conj.insert_vars(var, 1);
        let mut row = embed(&self.offset, n_params, 0, &mut conj);
        row[1 + var] += &self.step;
        row[2 + var] -= Int::ONE;
        conj.add_eq(row);
        conj.project(var + 1, 1, b)
    }
}

/// How to count dimension `depth`; `None` where that does not make instances simpler.
pub(super) fn scale(executed: &Executed, depth: usize, b: &Budget) -> Outcome<Option<Scale>> {
    let var = executed.params().len() + depth;
    let mut multiples = Vec::new();
    for relation in executed.relations() {
        let first = executed.params().len() + relation.domain_tuple().n();
        for piece in relation.pieces() {
            multiples.extend(common_factor(piece, var, first));
        }
    }
    // Each instance has to step with the dimension by a multiple of it.
    let factor = multiples.iter().fold(Int::ZERO, |gcd, factor| gcd.gcd(factor));
    if factor.is_zero() || factor.is_one() {
        return Ok(None);
    }
    let (progression, _) = strides::progression(&executed.domain(depth + 1, b)?, b)?;
    let Progression::Strided { step, offset } = progression else {
        return Ok(None);
    };
    if !step.divisible_by(&factor) {
        return Ok(None);
    }
    let offset = without_last(&offset);
    Ok(Some(Scale { offset, step }))
}

/// The greatest common divisor of the factors of the statement's own variables, those from `first` on, in equalities that give
/// variable `var` a value in terms of them: the dimension steps by multiples of it. `None` where no equality does.
fn common_factor(piece: &Conj, var: usize, first: usize) -> Option<Int> {
    let own = |row: &Row| {
        row[1 + first..=piece.n_vars()]
            .iter()
            .fold(Int::ZERO, |gcd, c| gcd.gcd(c))
    };
    let on_var = piece.eqs().iter().filter(|row| row[1 + var].abs().is_one());
    let factor = on_var.map(own).fold(Int::ZERO, |gcd, factor| gcd.gcd(&factor));
    (!factor.is_zero()).then_some(factor)
}
