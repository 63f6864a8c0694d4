//! Legality (stand-in).
use crate::budget::{Budget, Outcome};
use crate::sets::{Map, MultiAff, Tuple, UnionMap};
use indexmap::IndexMap;
/// Whether every pair is executed in order.
pub fn is_legal(dependences: &UnionMap, schedule: &IndexMap<Tuple, MultiAff>, b: &Budget) -> Outcome<bool> {
    for d in dependences.maps() {
        let (s, t) = (&schedule[d.domain_tuple()], &schedule[d.range_tuple()]);
        let ge = Map::lex_ge(d.params().clone(), s.space().range.clone());
        let wrong = s.to_map().apply_range(&ge, b)?.apply_range(&t.to_map().reverse(), b)?;
        if !d.intersect(&wrong).is_empty(b)? {
            return Ok(false);
        }
    }
    Ok(true)
}
