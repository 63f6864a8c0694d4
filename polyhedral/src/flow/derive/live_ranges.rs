//! Dependences with live-range reordering (P0 section 3.2.5; P4 section 3.3).

use super::plain::{FlowDependences, false_dependences, flows};
use super::{Fragment, without_domain_tags, without_tags};
use crate::budget::{Budget, Outcome};
use crate::flow::access_info::{AccessInfo, without_element};
use crate::flow::order::Order;
use crate::schedule::ScheduleConstraints;
use crate::sets::{Tuple, UnionMap};

/// The dependences between which live ranges may change places. See the module [`derive`](super).
#[derive(Clone, Debug)]
pub struct LiveRangeDependences {
    /// What flows.
    pub flows: FlowDependences,
    /// Order dependences between tagged instances, `[S[i] -> r[]] -> [T[j] -> s[]]`.
    pub tagged_order: UnionMap,
    /// Those that are due to arrays of at least one dimension, without tags.
    pub array_order: UnionMap,
    /// Forced dependences, all three parts of them.
    pub forced: UnionMap,
}

/// The dependences with live-range reordering.
///
/// # Errors
///
/// If the budget is spent.
pub fn live_ranges(fragment: &Fragment, b: &Budget) -> Outcome<LiveRangeDependences> {
    let flows = flows(fragment, b)?;
    let full_order = full_order(fragment, &flows.tagged_flow, b)?;
    let mut of_arrays = UnionMap::empty(full_order.params().clone());
    let is_array = |tuple: &Tuple| tuple.nested().is_some_and(|(_, array)| array.n() > 0);
    full_order
        .maps()
        .filter(|map| is_array(map.range_tuple()))
        .for_each(|map| of_arrays.add(map));
    Ok(LiveRangeDependences {
        tagged_order: without_element(&full_order, b)?,
        array_order: without_tags(&without_element(&of_arrays, b)?, b)?,
        forced: forced(fragment, &flows, b)?,
        flows,
    })
}

/// Order dependences with the element, `[S[i] -> r[]] -> [[T[j] -> s[]] -> A[a]]`. There are no cuts: a write that comes
/// between two live ranges in the original order may not do so in another.
fn full_order(fragment: &Fragment, tagged_flow: &UnionMap, b: &Budget) -> Outcome<UnionMap> {
    let may_write = fragment.tagged(&fragment.may_write);
    let matched = tagged_flow.domain(b)?;
    let unmatched = may_write.subtract(&may_write.intersect_domain(&matched), b)?;
    let mut info = AccessInfo::new(may_write, fragment.tagged_order(b)?);
    info.may_source = fragment.tagged(&fragment.may_read).union(&unmatched);
    Ok(info.may(b)?.0)
}

fn forced(fragment: &Fragment, flows: &FlowDependences, b: &Budget) -> Outcome<UnionMap> {
    let may_write = fragment.accesses(&fragment.may_write, b)?;
    let order = &fragment.order;
    let last = without_cuts(flows.may_live_out.clone(), may_write.clone(), order, b)?;
    let first = without_cuts(may_write, flows.may_live_in.clone(), order, b)?;
    let shared = sources_of_reads(fragment, flows, b)?;
    let same_read = without_cuts(shared.clone(), shared, order, b)?;
    last.union(&first).union(&same_read).compact(b)
}

/// The pairs of a source and a later sink of the same element.
fn without_cuts(sink: UnionMap, source: UnionMap, order: &Order, b: &Budget) -> Outcome<UnionMap> {
    let mut info = AccessInfo::new(sink, order.clone());
    info.may_source = source;
    without_element(&info.may(b)?.0, b)
}

/// From writes that have flow to a read to the read together with the element, `{ S[i] -> [[T[j] -> s[]] -> A[a]] }`.
fn sources_of_reads(fragment: &Fragment, flows: &FlowDependences, b: &Budget) -> Outcome<UnionMap> {
    let may_write = fragment.tagged(&fragment.may_write);
    without_domain_tags(&flows.tagged_flow.range_product(&may_write), b)
}

impl LiveRangeDependences {
    /// What they ask of a schedule (P0 section 4.3).
    ///
    /// Order dependences of scalars are no coincidence constraints, so that a member may be coincident although live
    /// ranges of a scalar are executed in parallel by it: whoever makes use of that has to give each its own copy.
    ///
    /// # Errors
    ///
    /// If the budget is spent.
    pub fn constraints(&self, fragment: &Fragment, b: &Budget) -> Outcome<ScheduleConstraints> {
        let validity = self.flows.flow.union(&self.forced).coalesce(b)?;
        let proximity = self.flows.flow.union(&false_dependences(fragment, b)?);
        Ok(ScheduleConstraints {
            context: fragment.context.clone(),
            proximity: proximity.coalesce(b)?,
            coincidence: validity.union(&self.array_order).coalesce(b)?,
            validity,
            condition: self.flows.tagged_flow.clone(),
            conditional_validity: self.tagged_order.clone(),
            ..ScheduleConstraints::on_domain(fragment.domain.clone())
        })
    }
}
