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
use crate::program::{Access, AccessKind, Program, Reduction, Statement};
use crate::sets::{Aff, Map, MapSpace, Params, Set, SetSpace, Tuple, UnionMap};
use indexmap::IndexMap;

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
    access: &'a Access,
    kind: AccessKind,
    /// The reduction that it is part of, if that may be reordered.
    reduction: Option<Reduction>,
    /// From elements to the times at which they are accessed.
    times: Map,
}

/// A read of a statement, with the pairs of an instance that must write and one that reads the value.
struct Read<'a> {
    access: &'a Access,
    relation: Map,
    last: Vec<Map>,
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

/// What dependences are looked for of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sinks {
    All,
    /// There are no dependences but those of flow, then.
    Reads,
}

/// The dependences of each array, in conjunctions as they were found.
pub(super) fn analyze(
    program: &Program,
    sinks: Sinks,
    reductions: Reductions,
    b: &Budget,
) -> Outcome<IndexMap<Tuple, Dependences>> {
    let params = program.context.params().clone();
    let timed: Vec<Timed> = program.statements.iter().map(Timed::of).collect();
    let sources = sources(&timed, program, reductions, b)?;
    let mut by_array: IndexMap<Tuple, Dependences> = IndexMap::new();
    for sink in &timed {
        let is_sink = |access: &&Access| sinks == Sinks::All || access.kind == AccessKind::Read;
        let mut reads: Vec<Read> = Vec::new();
        for access in sink.statement.accesses.iter().filter(is_sink) {
            let relation = relation_of(sink.statement, access, &program.context);
            if relation.is_empty(b)? {
                continue;
            }
            let empty = || Dependences::empty(params.clone());
            let out = by_array.entry(access.array().clone()).or_insert_with(empty);
            let of_array = sources.iter().filter(|s| s.times.domain_tuple() == access.array());
            let is_read = access.kind == AccessKind::Read;
            let together = |s: &Source| s.reduction.is_some() && s.reduction == access.reduction;
            let relevant: Vec<&Source> = of_array
                .filter(|s| !(is_read && s.kind == AccessKind::Read || together(s)))
                .collect();
            if access.kind == AccessKind::MustWrite
                && let Some(read) = same_read(&reads, &relation, &relevant, b)?
            {
                read.last.iter().for_each(|pairs| out.output.add(pairs));
                continue;
            }
            let mut last = Vec::new();
            for piece in each_piece(&relation) {
                let found = search(sink, &piece, &relevant, b)?;
                for (source, times) in &found.last {
                    last.push(instance_pairs(source, times, &piece, b)?);
                }
                for (source, source_kind, times) in &found.others {
                    let pairs = instance_pairs(source, times, &piece, b)?;
                    let kind = match (source_kind, is_read) {
                        (_, true) => &mut out.flow,
                        (AccessKind::Read, false) => &mut out.anti,
                        (_, false) => &mut out.output,
                    };
                    kind.add(&pairs);
                }
                if is_read {
                    out.live_in.add(&found.open.unwrap());
                }
            }
            let kind = if is_read { &mut out.flow } else { &mut out.output };
            last.iter().for_each(|pairs| kind.add(pairs));
            if is_read {
                reads.push(Read { access, relation, last });
            }
        }
    }
    Ok(by_array)
}

/// The elements that an instance writes and that no later one definitely overwrites: from instances to elements.
pub(super) fn live_out(program: &Program, b: &Budget) -> Outcome<UnionMap> {
    let timed: Vec<Timed> = program.statements.iter().map(Timed::of).collect();
    let sources = sources(&timed, program, Reductions::Ordered, b)?;
    let mut out = UnionMap::empty(program.context.params().clone());
    for sink in &timed {
        let writes = sink.statement.accesses.iter().filter(|a| a.kind != AccessKind::Read);
        for access in writes {
            let relation = relation_of(sink.statement, access, &program.context);
            let of_array = sources.iter().filter(|s| s.times.domain_tuple() == access.array());
            out.add(&not_overwritten(sink, &relation, &of_array.collect::<Vec<_>>(), b)?);
        }
    }
    out.compact(b)
}

/// All accesses of the program.
fn sources<'a>(
    timed: &'a [Timed<'a>],
    program: &Program,
    reductions: Reductions,
    b: &Budget,
) -> Outcome<Vec<Source<'a>>> {
    let mut sources = Vec::new();
    for timed in timed {
        for access in &timed.statement.accesses {
            let relation = relation_of(timed.statement, access, &program.context);
            let times = relation.reverse().apply_range(&timed.schedule, b)?;
            let reduction = access.reduction.filter(|_| reductions == Reductions::Unordered);
            sources.push(Source {
                timed,
                access,
                kind: match access.kind {
                    AccessKind::MustWrite if reduction.is_some() => AccessKind::MayWrite,
                    kind => kind,
                },
                reduction,
                times,
            });
        }
    }
    Ok(sources)
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

/// The relation without conjunctions that are empty.
fn nonempty(map: &Map, b: &Budget) -> Outcome<Map> {
    let mut pieces = Vec::new();
    for piece in map.pieces() {
        if !piece.is_empty(b)? {
            pieces.push(piece.clone());
        }
    }
    Ok(Map::from_conjs(map.space().clone(), pieces))
}

/// A relation for each conjunction. Most accesses of one piece of a domain, such as one side of a border, meet accesses of the same piece
/// only.
fn each_piece(relation: &Map) -> impl Iterator<Item = Map> {
    let pieces = relation.pieces().iter();
    pieces.map(|piece| Map::from_conjs(relation.space().clone(), vec![piece.clone()]))
}

/// A read of the same elements by the statement of a must-write, if nothing else reads these or may write them. What last wrote an
/// element before it was read did so before it is written, too, and the other instances of the statement that read it since then
/// would have written it.
fn same_read<'r, 'a>(
    reads: &'r [Read<'a>],
    relation: &Map,
    sources: &[&Source<'a>],
    b: &Budget,
) -> Outcome<Option<&'r Read<'a>>> {
    for read in reads.iter().filter(|read| read.relation.space() == relation.space()) {
        if !read.relation.is_equal(relation, b)? {
            continue;
        }
        let others = sources
            .iter()
            .filter(|s| s.kind != AccessKind::MustWrite && !std::ptr::eq(s.access, read.access));
        let others: Vec<&Source> = others.copied().collect();
        return Ok(to_same_elements(relation, &others, b)?.is_empty().then_some(read));
    }
    Ok(None)
}

/// The accesses of `sources` to the elements of a sink, each as the relation from pairs `[S[i] -> A[a]]` to times; without sources
/// that access none of these elements.
fn to_same_elements<'a>(relation: &Map, sources: &[&'a Source<'a>], b: &Budget) -> Outcome<Vec<(&'a Source<'a>, Map)>> {
    let mut out = Vec::new();
    for source in sources {
        let times = nonempty(&relation.join(&source.times), b)?;
        if !times.is_plainly_empty() {
            out.push((*source, times));
        }
    }
    Ok(out)
}

/// The candidates at a level: of accesses to the same elements, those for open pairs that come before.
fn candidates(times: &Map, open: &Set, order: &Map, b: &Budget) -> Outcome<Map> {
    nonempty(&times.intersect(order).intersect_domain(open), b)
}

/// For each pair of a sink the last must-write, and the others that come after that.
fn search<'a>(sink: &Timed, relation: &Map, sources: &[&'a Source<'a>], b: &Budget) -> Outcome<Found<'a>> {
    let array = relation.range_tuple();
    let mut open = relation.wrap();
    let mut last = Vec::new();
    let mut others = Vec::new();
    let sources = to_same_elements(relation, sources, b)?;
    for level in (0..sink.depth()).rev() {
        let at_level = sources.iter().filter(|(s, _)| s.timed.may_precede(sink, level));
        let at_level: Vec<&(&'a Source, Map)> = at_level.collect();
        if at_level.is_empty() {
            continue;
        }
        let order = order(sink, array, relation.params(), level, false);
        let mut latest = Map::empty(order.space().clone());
        let mut writers: Vec<&'a Timed> = Vec::new();
        let mut rest = Vec::new();
        for (source, times) in at_level {
            let times = candidates(times, &open, &order, b)?;
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
        let latest = latest.lexmax(b)?.compact(b)?;
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
            open = open.subtract(&latest.domain(b)?, b)?.compact(b)?;
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
    let (sink, array) = (relation.domain_tuple(), relation.range_tuple());
    let sources = times.apply_range(&source.instances, b)?;
    let sinks = sources.project_out_domain(sink.n(), array.n(), b)?;
    Ok(sinks.with_domain_tuple(sink.clone()).reverse())
}

/// The accesses `S[i] -> A[a]` that no must-write comes after.
fn not_overwritten(sink: &Timed, relation: &Map, sources: &[&Source], b: &Budget) -> Outcome<Map> {
    let mut rest = relation.wrap();
    let sources = to_same_elements(relation, sources, b)?;
    for level in (0..sink.depth()).rev() {
        for (_, times) in sources
            .iter()
            .filter(|(s, _)| s.kind == AccessKind::MustWrite && sink.may_precede(s.timed, level))
        {
            let order = order(sink, relation.range_tuple(), relation.params(), level, true);
            let later = candidates(times, &rest, &order, b)?;
            if !later.is_plainly_empty() {
                rest = rest.subtract(&later.domain(b)?, b)?.compact(b)?;
            }
        }
    }
    Ok(rest.unwrap())
}
