//! Whether dependences are satisfied by functions of statements.
//!
//! A dependence is *weakly satisfied* by a function of each statement if it never goes from a larger to a smaller value.
//! `{ S[i] -> T[i + 1] }` is by `{ S[i] -> [(i)]; T[i] -> [(i - 1)] }`, and is not by `{ S[i] -> [(i)]; T[i] -> [(-i)] }`.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::zeros;
use farkas_polyhedral::sets::{Aff, Conj, Map, Tuple, UnionMap};
use indexmap::IndexMap;

/// Whether the dependences between statements that have a function are weakly satisfied.
pub(crate) fn is_weakly_satisfied(
    functions: &IndexMap<Tuple, Aff>,
    dependences: &UnionMap,
    b: &Budget,
) -> Outcome<bool> {
    for map in dependences.maps() {
        let [source, target] = [map.domain_tuple(), map.range_tuple()].map(|tuple| functions.get(tuple));
        let (Some(source), Some(target)) = (source, target) else {
            continue;
        };
        if !map.intersect(&decreasing(map, source, target)).is_empty(b)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The pairs in the space of a map of which the second has a smaller value: `source - target >= 1`.
fn decreasing(map: &Map, source: &Aff, target: &Aff) -> Map {
    let params = map.params();
    let n_params = params.len();
    let [source, target] = [source, target].map(|aff| aff.align_params(params));
    let [from, to] = [source.row(), target.row()];
    let n_source = map.domain_tuple().n();
    let mut row = zeros(1 + n_params + n_source + map.range_tuple().n());
    for column in 0..=n_params {
        row[column] = &from[column] - &to[column];
    }
    row[0] -= &Int::ONE;
    for (column, coefficient) in from.iter().enumerate().skip(1 + n_params) {
        row[column] = coefficient.clone();
    }
    for (column, coefficient) in to.iter().enumerate().skip(1 + n_params) {
        row[n_source + column] = -coefficient;
    }
    let mut pairs = Conj::universe(row.len() - 1);
    pairs.add_ineq(row);
    Map::from_conj(map.space().clone(), pairs)
}
