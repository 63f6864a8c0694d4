//! The dependences of a piece of a program, and what they ask of its schedules (P0 sections 3.2 and 4.3; P4, "Live-range
//! reordering", sections 2.3 and 3.3, which calls flow dependences *live ranges*).
//!
//! # Definitions
//!
//! A *reference* is a place in a statement where it accesses an array. Accesses are *tagged* with it: instance `S[i]` with
//! reference `r[]` is `[S[i] -> r[]]`. Accesses are *may-reads*, *may-writes*, *must-writes*, which are among the
//! may-writes, and *kills*: no value of the element is carried across one. A variable is killed where it is declared and
//! where its scope ends, by an instance of a statement that there is for this alone.
//!
//! | dependence | from | to | if |
//! |---|---|---|---|
//! | **flow** | may-write | may-read | no must-write or kill of the element is between them |
//! | **false** | may-read, may-write | may-write | no must-write of the element is between them |
//! | **order** | may-read, or may-write without flow | may-write | |
//! | **forced** | may-write | live-out may-write | |
//! | | live-in may-read | may-write | |
//! | | may-write | may-write | both have flow to the same read |
//!
//! In all of them, the first access comes before the second, to the same element. A may-read is *live-in* if no must-write
//! or kill comes before it; a may-write is *live-out* if none comes after it.
//!
//! Flow and false dependences together are what a schedule has to respect if live ranges stay in order. Flow and forced
//! dependences are what it has to respect in any case; order dependences keep two live ranges apart unless the schedule
//! brings the ends of each together.
//!
//! # Running example
//!
//! In `A: a = f1(); B: f2(a); C: a = f3(); D: f4(a);` (P0, listing 2) the flow dependences are `A[] -> B[]` and
//! `C[] -> D[]`, the false ones `A[] -> C[]` and `B[] -> C[]`, which leave one order. The only order dependence is
//! `B[] -> C[]`. If `a` is killed at the end, nothing is live-out and there are no forced dependences: `C` and `D` may come
//! before `A` and `B` where a member of the schedule has `A` and `B` together and `C` and `D` together. If it is not, `C` has
//! to stay after `A`.

mod live_ranges;
mod model;
mod plain;

pub use live_ranges::{LiveRangeDependences, live_ranges};
pub use plain::{FlowDependences, PlainDependences, plain};

use super::access_info::AccessInfo;
use super::order::Order;
use crate::budget::{Budget, Outcome};
use crate::sets::{Set, UnionMap, UnionSet};

/// A piece of a program, as its accesses.
#[derive(Clone, Debug)]
pub struct Fragment {
    /// What is known of the parameters.
    pub context: Set,
    /// The instances that are to be scheduled. Those of statements that only kill are not among them.
    pub domain: UnionSet,
    /// What may be read, tagged.
    pub may_read: UnionMap,
    /// What may be written, tagged.
    pub may_write: UnionMap,
    /// What is written for sure, tagged. A part of `may_write`.
    pub must_write: UnionMap,
    /// What is killed, tagged.
    pub kill: UnionMap,
    /// The original order of the instances without tags, those of kills included.
    pub order: Order,
}

impl Fragment {
    /// The pairs of a may-read and a later one that may read the same value of an element: no may-write and no kill of the
    /// element is between them (P4 section 2.3). To have them among the proximity constraints serves the reuse of values.
    /// A read by an instance that itself writes the element counts as one after the write.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn input_dependences(&self, b: &Budget) -> Outcome<UnionMap> {
        let reads = self.accesses(&self.may_read, b)?;
        let cuts = self.accesses(&self.may_write.union(&self.kill), b)?;
        let mut info = AccessInfo::new(reads.clone(), self.order.clone());
        info.may_source = reads;
        info.kill = cuts;
        super::access_info::without_element(&info.may(b)?.0, b)
    }

    /// Tagged accesses without their tags, for the parameter values in the context.
    fn accesses(&self, tagged: &UnionMap, b: &Budget) -> Outcome<UnionMap> {
        without_domain_tags(&self.tagged(tagged), b)
    }

    /// Tagged accesses for the parameter values in the context.
    fn tagged(&self, tagged: &UnionMap) -> UnionMap {
        tagged.intersect_params(&self.context)
    }

    /// The order of tagged instances.
    fn tagged_order(&self, b: &Budget) -> Outcome<Order> {
        let all = [&self.may_read, &self.may_write, &self.must_write, &self.kill];
        let mut tagged = UnionSet::empty(self.context.params().clone());
        for accesses in all {
            tagged = tagged.union(&accesses.domain(b)?);
        }
        self.order.of_tagged(&tagged.coalesce(b)?, b)
    }
}

/// `{ i -> a : exists r: [i -> r] -> a in tagged }`.
fn without_domain_tags(tagged: &UnionMap, b: &Budget) -> Outcome<UnionMap> {
    let mut out = UnionMap::empty(tagged.params().clone());
    for map in tagged.maps() {
        out.add(&map.domain_factor_domain(b)?);
    }
    out.coalesce(b)
}

/// `{ i -> k : exists r, s: [i -> r] -> [k -> s] in tagged }`.
fn without_tags(tagged: &UnionMap, b: &Budget) -> Outcome<UnionMap> {
    let mut out = UnionMap::empty(tagged.params().clone());
    for map in tagged.maps() {
        out.add(&map.factor_domain(b)?);
    }
    out.compact(b)
}
