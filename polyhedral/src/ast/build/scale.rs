//! Strided schedule dimensions that count in steps of one.
//!
//! Where all values of a dimension are `offset + step k`, and instances depend on it only by way of `k`, the dimension may as well have
//! the values `k`, as a schedule only orders. In `{ S[i] -> [2i] }` the instance at `c` is `S[c / 2]`; counted by `k` it is
//! `S[k]`. In `{ S[i] -> [i] : i mod 2 = 0 }` it is `S[c]`, which is simpler as it is.

use crate::ast::build::bounds::without_last;
use crate::ast::build::executed::Executed;
use crate::ast::build::strides::{self, Progression};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::Row;
use crate::sets::Conj;

/// The executed relation with the position in its progression for the value of dimension `depth`; `None` where that does not
/// make instances simpler.
pub(super) fn scaled(executed: &Executed, depth: usize, b: &Budget) -> Outcome<Option<Executed>> {
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
    executed.counted(depth, &without_last(&offset), &step, b).map(Some)
}

/// The greatest common divisor of the factors of the statement's own variables, those from `first` on, in equalities that give
/// variable `var` a value in terms of them: the dimension steps by multiples of it. `None` where no equality does.
fn common_factor(piece: &Conj, var: usize, first: usize) -> Option<Int> {
    let own = |row: &Row| row[1 + first..=piece.n_vars()].iter().fold(Int::ZERO, |gcd, c| gcd.gcd(c));
    let on_var = piece.eqs().iter().filter(|row| !row[1 + var].is_zero());
    let factor = on_var
        .filter(|row| row[1 + var].abs().is_one())
        .map(own)
        .find(|factor| !factor.is_zero());
    factor
}
