//! Dependences without live-range reordering (P0 section 3.2.1).

use super::{Fragment, without_domain_tags, without_tags};
use crate::budget::{Budget, Outcome};
use crate::flow::access_info::{AccessInfo, without_element};
use crate::schedule::ScheduleConstraints;
use crate::sets::UnionMap;

/// What flows in, through and out of a fragment. See the module [`derive`](super).
#[derive(Clone, Debug)]
pub struct FlowDependences {
    /// Flow dependences between tagged instances, `[S[i] -> r[]] -> [T[j] -> s[]]`.
    pub tagged_flow: UnionMap,
    /// Flow dependences.
    pub flow: UnionMap,
    /// May-reads `S[i] -> A[a]` of which the value may come from before the fragment.
    pub may_live_in: UnionMap,
    /// May-writes `S[i] -> A[a]` of which the value may be needed after the fragment.
    pub may_live_out: UnionMap,
}

/// The dependences that keep live ranges in order. See the module [`derive`](super).
#[derive(Clone, Debug)]
pub struct PlainDependences {
    /// What flows.
    pub flows: FlowDependences,
    /// False dependences, but for some that others imply.
    pub false_dependences: UnionMap,
}

/// The flow and false dependences, and what enters and leaves the fragment.
///
/// # Errors
///
/// If the budget is spent.
pub fn plain(fragment: &Fragment, b: &Budget) -> Outcome<PlainDependences> {
    Ok(PlainDependences {
        flows: flows(fragment, b)?,
        false_dependences: false_dependences(fragment, b)?,
    })
}

pub(super) fn flows(fragment: &Fragment, b: &Budget) -> Outcome<FlowDependences> {
    let order = fragment.tagged_order(b)?;
    let may_read = fragment.tagged(&fragment.may_read);
    let may_write = fragment.tagged(&fragment.may_write);
    let must_write = fragment.tagged(&fragment.must_write);
    let cuts = must_write.union(&fragment.tagged(&fragment.kill));

    let mut reads = AccessInfo::new(may_read, order.clone());
    reads.may_source = may_write.clone();
    reads.kill = cuts.clone();
    let (full_flow, live_in) = reads.may(b)?;
    let tagged_flow = without_element(&full_flow, b)?;

    let mut overwritten = AccessInfo::new(cuts, order);
    overwritten.may_source = may_write.clone();
    let mut killed = UnionMap::empty(may_write.params().clone());
    for map in overwritten.may(b)?.0.maps() {
        killed.add(&map.range_factor_range(b)?);
    }
    let live_out = may_write.subtract(&killed, b)?;

    Ok(FlowDependences {
        flow: without_tags(&tagged_flow, b)?,
        tagged_flow,
        may_live_in: without_domain_tags(&live_in, b)?.remove_redundancies(b)?,
        may_live_out: without_domain_tags(&live_out, b)?.remove_redundancies(b)?,
    })
}

pub(super) fn false_dependences(fragment: &Fragment, b: &Budget) -> Outcome<UnionMap> {
    let may_write = fragment.accesses(&fragment.may_write, b)?;
    let mut info = AccessInfo::new(may_write.clone(), fragment.order.clone());
    info.may_source = fragment.accesses(&fragment.may_read, b)?.union(&may_write);
    info.kill = fragment.accesses(&fragment.must_write, b)?;
    without_element(&info.may(b)?.0, b)
}

impl PlainDependences {
    /// What they ask of a schedule (P0 section 4.3): all dependences are respected, and should be short and coincide.
    pub fn constraints(&self, fragment: &Fragment) -> ScheduleConstraints {
        let all = self.flows.flow.union(&self.false_dependences);
        ScheduleConstraints {
            context: fragment.context.clone(),
            validity: all.clone(),
            proximity: all.clone(),
            coincidence: all,
            ..ScheduleConstraints::on_domain(fragment.domain.clone())
        }
    }
}
