//! Full tiles of a band: those of which all points are executed.
//!
//! The members of the band are dimensions of its statements, each up to its sign and to a distance, and bounds of these dimensions depend
//! on no others: then the bounds are inequalities over the points of a tile, which hold for all of them where they do for the one with the
//! least value. In `{ S[i, j] : 0 <= i < n and 0 <= j < i }` with tiles of 64 x 64 in `[i, j]`, the tile `[s, t]` is full where
//!
//! ```text
//! 64 s >= 0, 64 s + 63 < n, 64 t >= 0, 64 t + 63 < 64 s
//! ```

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::program::{Program, Statement};
use farkas_polyhedral::sets::{Aff, Params, PwAff, Set, SetSpace, Tuple, UnionSet};
use farkas_polyhedral::tree::Band;

use crate::analysis::linear::linear_part;
use crate::transform::function_of;

/// The instances of a band in full tiles of the sizes, and all others; `None` where that is not known, or there are no full tiles.
pub(super) fn separated(
    program: &Program,
    band: &Band,
    sizes: &[i64],
    b: &Budget,
) -> Outcome<Option<(UnionSet, UnionSet)>> {
    let points = |tuple: &Tuple| {
        let statement = program.statement(program.find_statement(tuple)?);
        Some((statement, Points::of(band, statement)?))
    };
    let Some(statements) = band.statements().map(points).collect::<Option<Vec<_>>>() else {
        return Ok(None);
    };
    let mut bounds = Vec::new();
    for (statement, points) in &statements {
        match points.bounds(statement) {
            Some(own) => bounds.extend(own),
            None => return Ok(None),
        }
    }
    let params = program.context.params();
    let (mut full, mut others) = (UnionSet::empty(params.clone()), UnionSet::empty(params.clone()));
    for (statement, points) in &statements {
        let domain = &statement.domain;
        let mut own = domain.clone();
        for bound in &bounds {
            own = own.intersect(&points.full(bound, domain.space(), sizes));
        }
        if own.is_empty(b)? {
            return Ok(None);
        }
        others.add(&domain.subtract(&own, b)?.coalesce(b)?);
        full.add(&own);
    }
    Ok(Some((full, others)))
}

/// The members of a band on a statement.
struct Points {
    functions: Vec<Aff>,
    /// The dimension that each of them is, and its sign there.
    dims: Vec<(usize, Int)>,
}

/// `sum of factors[k] * point k + rest >= 0`, where the rest is over parameters.
struct Bound {
    factors: Vec<Int>,
    params: Params,
    rest: Row,
}

impl Points {
    fn of(band: &Band, statement: &Statement) -> Option<Points> {
        let functions = function_of(band, statement.tuple()).align_params(statement.domain.params());
        let mut dims: Vec<(usize, Int)> = Vec::new();
        for function in functions.affs() {
            let linear = linear_part(function)?;
            let mut others = linear.iter().enumerate().filter(|(_, factor)| !factor.is_zero());
            let (Some((dim, factor)), None) = (others.next(), others.next()) else {
                return None;
            };
            if !factor.is_unit() || dims.iter().any(|(other, _)| *other == dim) {
                return None;
            }
            dims.push((dim, factor.clone()));
        }
        Some(Points {
            functions: functions.affs().to_vec(),
            dims,
        })
    }

    /// The bounds of a statement's domain on points; `None` where others are involved.
    fn bounds(&self, statement: &Statement) -> Option<Vec<Bound>> {
        let domain = &statement.domain;
        let [piece] = domain.pieces() else { return None };
        let first = 1 + domain.params().len();
        let is_of_points = |row: &&Row| self.dims.iter().any(|(dim, _)| !row[first + dim].is_zero());
        if piece.n_locals() > 0 || piece.eqs().iter().any(|row| is_of_points(&row)) {
            return None;
        }
        let rows = piece.ineqs().iter().filter(is_of_points);
        rows.map(|row| self.bound(row, domain)).collect()
    }

    fn bound(&self, row: &Row, domain: &Set) -> Option<Bound> {
        let (params, n) = (domain.params(), domain.tuple().n());
        let first = 1 + params.len();
        let is_point = |dim: usize| self.dims.iter().any(|(other, _)| *other == dim);
        if (0..n).any(|dim| !row[first + dim].is_zero() && !is_point(dim)) {
            return None;
        }
        // A dimension is its point times the sign, less what is added to that.
        let factors: Vec<Int> = self.dims.iter().map(|(dim, sign)| &row[first + dim] * sign).collect();
        let mut rest = Row::from(&row[..first]);
        for (function, factor) in self.functions.iter().zip(&factors) {
            for (k, own) in function.row()[..first].iter().enumerate() {
                rest[k] = &rest[k] - &(own * factor);
            }
        }
        Some(Bound {
            factors,
            params: params.clone(),
            rest,
        })
    }

    /// Where a bound holds for all points of the tile that an instance is in.
    fn full(&self, bound: &Bound, space: &SetSpace, sizes: &[i64]) -> Set {
        let constant = Aff::constant(
            SetSpace::new(bound.params.clone(), space.tuple.clone()),
            bound.rest[0].clone(),
        );
        let mut least = constant;
        for (param, factor) in bound.rest[1..].iter().enumerate() {
            let own = Aff::param(least.space().clone(), param);
            least = least.add(&own.scale(factor));
        }
        let mut least = least.align_params(&space.params);
        for ((function, factor), size) in self.functions.iter().zip(&bound.factors).zip(sizes) {
            let size = Int::from(*size);
            let first = function.floor_div(&size).scale(&size);
            let point = match factor.is_neg() {
                true => first.add_constant(&(&size - &Int::ONE)),
                false => first,
            };
            least = least.add(&point.scale(factor));
        }
        PwAff::from(least).nonneg_set()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    /// The instances of `S` in full tiles of 4 x 8 of its first two dimensions.
    fn check(domain: &str, expected: Expect) {
        let text = format!(
            "program\n  context: [n] -> {{ : }}\n  assumptions: [n] -> {{ : }}\n  statement S\n    domain: {domain}\n    schedule: {{ S[i, j, k] -> [i, j, k] }}\n"
        );
        let program: Program = text.parse().expect("a program");
        let tuple = program.statements[0].tuple().clone();
        let space = SetSpace::new(Params::none(), tuple);
        let affs = [0, 1].map(|dim| Aff::var(space.clone(), dim)).to_vec();
        let function = farkas_polyhedral::sets::MultiAff::new(space, Tuple::anonymous(2), affs);
        let band = Band::of_functions(2, [function], farkas_polyhedral::tree::Node::Leaf);
        let b = Budget::unlimited();
        let found = separated(&program, &band, &[4, 8], &b).expect("no budget");
        let text = match found {
            Some((full, others)) => format!("{full}\n{others}"),
            None => "none".to_owned(),
        };
        expected.assert_eq(&text);
    }

    #[test]
    fn rectangles_have_full_tiles() {
        check(
            "[n] -> { S[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }",
            expect![[r#"
            [n] -> { S[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n and floor((i)/4) >= 0 and n >= 4 + 4*floor((i)/4) and floor((j)/8) >= 0 and n >= 8 + 8*floor((j)/8) }
            [n] -> { S[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n and n <= 3 + 4*floor((i)/4); S[i, j, k] : i >= 0 and 0 <= j < n and 0 <= k < n and 4 + 4*floor((i)/4) <= n <= 7 + 8*floor((j)/8) }"#]],
        );
    }

    #[test]
    fn triangles_have_some_below_the_diagonal() {
        check(
            "[n] -> { S[i, j, k] : 0 <= j <= i < n and 0 <= k < n }",
            expect![[r#"
            [n] -> { S[i, j, k] : 0 <= j <= i and i < n and 0 <= k < n and floor((j)/8) >= 0 and floor((i)/4) >= 2 + 2*floor((j)/8) and n >= 4 + 4*floor((i)/4) }
            [n] -> { S[i, j, k] : 0 <= j <= i and i < n and 0 <= k < n and floor((i)/4) <= 1 + 2*floor((j)/8); S[i, j, k] : j >= 0 and i < n and 0 <= k < n and floor((i)/4) >= 2 + 2*floor((j)/8) and n <= 3 + 4*floor((i)/4) }"#]],
        );
    }

    #[test]
    fn nothing_is_full_that_is_shorter_than_a_tile() {
        check(
            "[n] -> { S[i, j, k] : 0 <= i < n and 0 <= j < 7 and 0 <= k < n }",
            expect!["none"],
        );
    }

    #[test]
    fn bounds_by_other_dimensions_are_not_known() {
        check(
            "[n] -> { S[i, j, k] : 0 <= i < n and 0 <= j <= k and 0 <= k < n }",
            expect!["none"],
        );
    }
}
