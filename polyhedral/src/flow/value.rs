//! The value-based analysis.
//!
//! A *sink* is an access of a statement, seen as the set of its pairs `[S[i] -> A[a]]`; a *source* is an access seen
//! as the relation from elements `A[a]` to the times of the instances that access them. An instance at time `t` comes
//! before one at time `u` *at level* `k` if the times agree in the first `k` dimensions and `t` is smaller in the next.
//! Sources that come before a sink at a deeper level are later, hence closer.
//!
//! So for each sink the levels are gone through from the deepest out. At each level the latest must-write, over all
//! sources at once, is the lexicographic maximum of the times of those that come before at this level; other sources
//! count if they come after it. Pairs that have found their must-write need not be looked at any further, so that
//! outer levels, with their many sources for each sink, mostly find nothing left to do.

use super::Dependences;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::program::{Access, AccessKind, Program, Statement};
use crate::sets::{Aff, Map, MapSpace, Params, Set, SetSpace, Tuple, UnionMap};

/// A statement with what is used of it again and again.
struct Timed<'a> {
    statement: &'a Statement,
    /// From instances to times.
    schedule: Map,
    /// From times to instances.
    instances: Map,
    /// The dimensions of time that are the same for all instances.
    constants: Vec<Option<Int>>,
}

/// Accesses of one kind to one array by one statement.
struct Source<'a> {
    timed: &'a Timed<'a>,
    kind: AccessKind,
    /// Whether it is part of a reduction that may be reordered.
    reduction: bool,
    /// From elements to the times at which they are accessed.
    times: Map,
}

/// What was found for a sink, as relations from `[S[i] -> A[a]]` to times, with the statement that the times are of.
struct Found<'a> {
    /// The last must-writes.
    last: Vec<(&'a Timed<'a>, Map)>,
    /// Reads and may-writes after the last must-write.
    others: Vec<(&'a Timed<'a>, AccessKind, Map)>,
    /// The pairs without a must-write before them.
    open: Set,
}

/// Whether the instances of a reduction stay in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reductions {
    /// They do.
    Ordered,
    /// There are no dependences between them for it. What is written counts as a may-write: before and after it, other instances
    /// contribute to the same value.
    Unordered,
}

pub(super) fn analyze(program: &Program, reductions: Reductions, b: &Budget) -> Outcome<Dependences> {
    let params = program.context.params().clone();
    let timed: Vec<Timed> = program.statements.iter().map(Timed::of).collect();
    let mut sources: Vec<Source> = Vec::new();
    for timed in &timed {
        for access in &timed.statement.accesses {
            let relation = relation_of(timed.statement, access, &program.context);
            let times = relation.reverse().apply_range(&timed.schedule, b)?;
            let reduction = access.reduction && reductions == Reductions::Unordered;
            sources.push(Source {
                timed,
                kind: match access.kind {
                    AccessKind::MustWrite if reduction => AccessKind::MayWrite,
                    kind => kind,
                },
                reduction,
                times,
            });
        }
    }
    let empty = || UnionMap::empty(params.clone());
    let mut out = Dependences {
        flow: empty(),
        anti: empty(),
        output: empty(),
        live_in: empty(),
        live_out: empty(),
    };
    for sink in &timed {
        for access in &sink.statement.accesses {
            let relation = relation_of(sink.statement, access, &program.context);
            if relation.is_empty(b)? {
                continue;
            }
            let of_array = sources.iter().filter(|s| s.times.domain_tuple() == access.array());
            let is_read = access.kind == AccessKind::Read;
            let together = |s: &Source| access.reduction && s.reduction && std::ptr::eq(s.timed, sink);
            let relevant: Vec<&Source> = of_array
                .filter(|s| !(is_read && s.kind == AccessKind::Read || together(s)))
                .collect();
            let found = search(sink, &relation, &relevant, b)?;
            for (source, times) in &found.last {
                let pairs = instance_pairs(source, times, &relation, b)?;
                let kind = if is_read { &mut out.flow } else { &mut out.output };
                kind.add(&pairs);
            }
            for (source, source_kind, times) in &found.others {
                let pairs = instance_pairs(source, times, &relation, b)?;
                let kind = match (source_kind, is_read) {
                    (_, true) => &mut out.flow,
                    (AccessKind::Read, false) => &mut out.anti,
                    (_, false) => &mut out.output,
                };
                kind.add(&pairs);
            }
            if is_read {
                out.live_in.add(&found.open.unwrap());
            } else {
                out.live_out.add(&not_overwritten(sink, &relation, &relevant, b)?);
            }
        }
    }
    Ok(Dependences {
        flow: out.flow.coalesce(b)?.remove_redundancies(b)?,
        anti: out.anti.coalesce(b)?.remove_redundancies(b)?,
        output: out.output.coalesce(b)?.remove_redundancies(b)?,
        live_in: out.live_in.coalesce(b)?.remove_redundancies(b)?,
        live_out: out.live_out.coalesce(b)?.remove_redundancies(b)?,
    })
}

fn relation_of(statement: &Statement, access: &Access, context: &Set) -> Map {
    access
        .relation
        .intersect_domain(&statement.domain)
        .intersect_params(context)
}

impl Timed<'_> {
    fn of(statement: &Statement) -> Timed<'_> {
        let schedule = statement.schedule.to_map().intersect_domain(&statement.domain);
        let instances = schedule.reverse();
        let constants = statement.schedule.affs().iter().map(Aff::as_constant).collect();
        Timed {
            statement,
            schedule,
            instances,
            constants,
        }
    }

    /// The number of dimensions of time.
    fn depth(&self) -> usize {
        self.constants.len()
    }

    /// Whether the constant dimensions of time allow an instance of this statement to come before one of `later` at
    /// level `level`.
    fn may_precede(&self, later: &Timed, level: usize) -> bool {
        let both = |k: usize| self.constants[k].as_ref().zip(later.constants[k].as_ref());
        (0..level).all(|k| both(k).is_none_or(|(x, y)| x == y)) && both(level).is_none_or(|(x, y)| x < y)
    }
}

/// The relation from pairs `[S[i] -> A[a]]` to times that come before the time of `S[i]` at level `level`, or, if
/// `after`, after it.
fn order(sink: &Timed, array: &Tuple, params: &Params, level: usize, after: bool) -> Map {
    let params = &params.union(&sink.statement.schedule.space().params);
    let schedule = sink.statement.schedule.align_params(params);
    let time = Tuple::anonymous(sink.depth());
    let pair = Tuple::pair(sink.statement.tuple().clone(), array.clone());
    let time_space = SetSpace::new(params.clone(), time.clone());
    let n_array = array.n();
    let on_pair = |aff: &Aff| aff.insert_dims(aff.space().tuple.n(), n_array, pair.clone());
    let mut order = Map::universe(MapSpace::new(params.clone(), pair.clone(), time));
    for (k, aff) in schedule.affs().iter().enumerate().take(level + 1) {
        let own = on_pair(aff);
        let other = Aff::var(time_space.clone(), k);
        let part = match (k < level, after) {
            (true, _) => Map::equal(&own, &other),
            (false, true) => Map::less(&own, &other),
            (false, false) => Map::less(&other, &own).reverse(),
        };
        order = order.intersect(&part);
    }
    order
}

/// The candidates at a level: the relation from open pairs to the times of `source` that come before.
fn candidates(source: &Source, relation: &Map, open: &Set, order: &Map, b: &Budget) -> Outcome<Map> {
    // [S[i] -> A[a]] -> t
    let by_element = relation.range_map().apply_range(&source.times, b)?;
    let all = by_element.intersect(order).intersect_domain(open);
    let mut nonempty = Map::empty(all.space().clone());
    for piece in all.pieces() {
        if !piece.is_empty(b)? {
            nonempty = nonempty.union(&Map::from_conj(all.space().clone(), piece.clone()));
        }
    }
    Ok(nonempty)
}

/// For each pair of a sink the last must-write, and the others that come after that.
fn search<'a>(sink: &Timed, relation: &Map, sources: &[&'a Source<'a>], b: &Budget) -> Outcome<Found<'a>> {
    let array = relation.range_tuple();
    let mut open = relation.wrap();
    let mut last = Vec::new();
    let mut others = Vec::new();
    for level in (0..sink.depth()).rev() {
        let at_level: Vec<&&Source> = sources.iter().filter(|s| s.timed.may_precede(sink, level)).collect();
        if at_level.is_empty() {
            continue;
        }
        let order = order(sink, array, relation.params(), level, false);
        let mut latest = Map::empty(order.space().clone());
        let mut writers: Vec<&'a Timed> = Vec::new();
        let mut rest = Vec::new();
        for source in at_level {
            let times = candidates(source, relation, &open, &order, b)?;
            if times.is_plainly_empty() {
                continue;
            }
            if source.kind == AccessKind::MustWrite {
                latest = latest.union(&times);
                if !writers.iter().any(|w| std::ptr::eq(*w, source.timed)) {
                    writers.push(source.timed);
                }
            } else {
                rest.push((source, times));
            }
        }
        let latest = latest.lexmax(b)?.coalesce(b)?.remove_redundancies(b)?;
        // What is not after the last must-write.
        let covered = if latest.is_plainly_empty() || rest.is_empty() {
            latest.clone()
        } else {
            latest.apply_range(&Map::lex_ge(relation.params().clone(), latest.range_tuple().clone()), b)?
        };
        for (source, times) in rest {
            let times = times.subtract(&covered, b)?;
            if !times.is_plainly_empty() {
                others.push((source.timed, source.kind, times));
            }
        }
        if !latest.is_plainly_empty() {
            open = open
                .subtract(&latest.domain(b)?, b)?
                .coalesce(b)?
                .remove_redundancies(b)?;
            last.extend(writers.into_iter().map(|w| (w, latest.clone())));
            if open.is_plainly_empty() {
                break;
            }
        }
    }
    Ok(Found { last, others, open })
}

/// From `[S[i] -> A[a]] -> t` to the pairs `T[j] -> S[i]` of instances, `T[j]` being at time `t`.
fn instance_pairs(source: &Timed, times: &Map, relation: &Map, b: &Budget) -> Outcome<Map> {
    let sources = times.apply_range(&source.instances, b)?;
    let sinks = relation.domain_map();
    sources.reverse().apply_range(&sinks, b)
}

/// The accesses `S[i] -> A[a]` that no must-write comes after.
fn not_overwritten(sink: &Timed, relation: &Map, sources: &[&Source], b: &Budget) -> Outcome<Map> {
    let mut rest = relation.wrap();
    for level in (0..sink.depth()).rev() {
        for source in sources
            .iter()
            .filter(|s| s.kind == AccessKind::MustWrite && sink.may_precede(s.timed, level))
        {
            let order = order(sink, relation.range_tuple(), relation.params(), level, true);
            let later = candidates(source, relation, &rest, &order, b)?;
            if !later.is_plainly_empty() {
                rest = rest
                    .subtract(&later.domain(b)?, b)?
                    .coalesce(b)?
                    .remove_redundancies(b)?;
            }
        }
    }
    Ok(rest.unwrap())
}
