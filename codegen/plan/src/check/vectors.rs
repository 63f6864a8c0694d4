//! The iterations of masked vectors.
//!
//! ```text
//! [i/8] { vector(8, masked) [i] }      at most 8 iterations for each i/8
//! [i/9] { vector(8, masked) [i] }      refused: there may be 9
//! ```

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Aff, Map, MapSpace, Set};
use farkas_polyhedral::tree::Reach;

/// Whether iterations that agree in all outer members are less than `lanes` apart in the last member of what reaches `inner`.
pub(super) fn fit(inner: &Reach, lanes: u32, b: &Budget) -> Outcome<bool> {
    for times in inner.schedule_relation(b)?.range(b)?.sets() {
        if !are_less_apart(times, lanes, b)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn are_less_apart(times: &Set, lanes: u32, b: &Budget) -> Outcome<bool> {
    let tuple = times.tuple();
    let last = tuple.n() - 1;
    let space = MapSpace::new(times.params().clone(), tuple.clone(), tuple.clone());
    let mut pairs = Map::universe(space).intersect_domain(times).intersect_range(times);
    for dim in 0..last {
        pairs = pairs.equate(dim, dim);
    }
    let time = Aff::var(times.space().clone(), last);
    let end = time.add_constant(&Int::from(i64::from(lanes) - 1));
    pairs.intersect(&Map::less(&end, &time)).is_empty(b)
}
