//! The analysis of one [`AccessInfo`].
//!
//! An instance at time `t` comes before one at time `u` *at level* `k` if the times agree in the first `k` dimensions and
//! `t` is smaller in the next. What comes before a sink at a deeper level is later, hence closer.
//!
//! A sink access is seen as the set of its pairs `[k -> a]`. The levels are gone through from the deepest out. At each,
//! the *candidates* of a pair are the sources and cuts of `a` that come before `k` at this level. The last cut is the
//! lexicographic maximum of the times of the cuts, over all statements at once; sources count if they are not before it.
//! Pairs that have found a cut need not be looked at any further, so that outer levels, with their many candidates for
//! each pair, mostly find nothing left to do. Where set nodes leave candidates unordered, there may be several last cuts, and
//! sources count if they are before none, by the definition.
//!
//! For `T[i]` at time `[0, i]` that writes `a` for `0 <= i <= 9`, and `S[]` at time `[1, 0]` that reads it, nothing comes
//! before `S[]` at level 1; at level 0 all of `T` does, the last cut is at `[0, 9]`, and `T[9] -> [S[] -> a[]]` is the only
//! dependence. If `T` is only a may-source there is no cut, `T[i] -> [S[] -> a[]]` are dependences for all `i`, and
//! `S[] -> a[]` may have no source.

use indexmap::IndexMap;

use super::access_info::AccessInfo;
use super::order::{Order, Times, without_empty_pieces};
use crate::budget::{Budget, Outcome};
use crate::sets::{Map, Params, Set, Tuple, UnionMap};

/// What was found for all sinks.
pub(super) struct Found {
    /// The triples `i -> [k -> a]` of sources that are not hidden by a cut.
    pub(super) may: UnionMap,
    /// Those of must-sources.
    certain: UnionMap,
    /// Those of kills.
    kills: UnionMap,
    /// The sinks before which there is no cut.
    pub(super) open: UnionMap,
}

pub(super) fn search(info: &AccessInfo, b: &Budget) -> Outcome<Found> {
    let mut search = Search::new(info, b)?;
    let empty = UnionMap::empty(search.params.clone());
    let mut found = Found {
        may: empty.clone(),
        certain: empty.clone(),
        kills: empty.clone(),
        open: empty,
    };
    for sink in info.sink.maps() {
        let Some(times) = info.order.times(sink.domain_tuple()) else {
            continue;
        };
        let executed = sink.intersect_domain(&times.schedule.domain(b)?);
        if !executed.is_empty(b)? {
            search.sink(&executed, times, &mut found, b)?;
        }
    }
    Ok(found)
}

impl Found {
    /// The triples of must-sources that are the only source or kill of their pair that is not hidden.
    pub(super) fn must(&self, b: &Budget) -> Outcome<UnionMap> {
        if self.certain.is_empty(b)? {
            return Ok(self.certain.clone());
        }
        let all = self.may.union(&self.kills).reverse();
        let mut of_pairs: IndexMap<&Tuple, Vec<&Map>> = IndexMap::new();
        for map in all.maps() {
            of_pairs.entry(map.domain_tuple()).or_default().push(map);
        }
        let mut must = UnionMap::empty(self.certain.params().clone());
        for certain in self.certain.maps() {
            let mut kept = certain.clone();
            let maps = &of_pairs[certain.range_tuple()];
            for map in maps {
                let others = if map.range_tuple() == certain.domain_tuple() {
                    map.subtract(&map.lexmin(b)?, b)?.domain(b)?
                } else {
                    map.domain(b)?
                };
                kept = kept.subtract(&kept.intersect_range(&others), b)?;
                if kept.is_plainly_empty() {
                    break;
                }
            }
            must.add(&kept);
        }
        Ok(must)
    }

    /// The sinks before which there is neither a source nor a kill.
    pub(super) fn without_any_source(&self, b: &Budget) -> Outcome<UnionMap> {
        let mut out = UnionMap::empty(self.open.params().clone());
        for open in self.open.maps() {
            let all = open.wrap();
            let mut pairs = all.clone();
            for map in self.may.maps().filter(|map| map.range_tuple() == all.tuple()) {
                pairs = pairs.subtract(&map.range(b)?, b)?;
            }
            out.add(&pairs.unwrap());
        }
        Ok(out)
    }
}

/// The accesses to one array by the instances of one statement.
struct Source<'a> {
    times: &'a Times,
    must: Map,
    may: Map,
    kill: Map,
}

type Field = for<'s> fn(&'s mut Source<'_>) -> &'s mut Map;

/// The candidates of one level among the accesses of a source, as relations `[k -> a] -> i`.
struct Candidates<'a> {
    times: &'a Times,
    must: Map,
    may: Map,
    kill: Map,
}

struct Search<'a> {
    order: &'a Order,
    params: Params,
    /// For each array, in the order in which statements were found.
    sources: IndexMap<Tuple, IndexMap<Tuple, Source<'a>>>,
    /// Preceding instances: of a sink's statement, at a level, in a source's statement.
    preceding: IndexMap<(Tuple, usize, Tuple), Option<Map>>,
}

impl<'a> Search<'a> {
    fn new(info: &'a AccessInfo, b: &Budget) -> Outcome<Search<'a>> {
        let mut params = Params::none();
        let mut sources: IndexMap<Tuple, IndexMap<Tuple, Source>> = IndexMap::new();
        let may = if info.must_source.is_empty(b)? {
            info.may_source.clone()
        } else {
            info.may_source.subtract(&info.must_source, b)?
        };
        let kinds: [(&UnionMap, Field); 3] = [
            (&info.must_source, |source| &mut source.must),
            (&may, |source| &mut source.may),
            (&info.kill, |source| &mut source.kill),
        ];
        for union in [&info.sink, &info.must_source, &may, &info.kill] {
            params = params.union(union.params());
        }
        for (union, field) in kinds {
            for map in union.maps() {
                let Some(times) = info.order.times(map.domain_tuple()) else {
                    continue;
                };
                let of_array = sources.entry(map.range_tuple().clone()).or_default();
                let empty = || Map::empty(map.space().clone());
                let source = of_array.entry(map.domain_tuple().clone()).or_insert_with(|| Source {
                    times,
                    must: empty(),
                    may: empty(),
                    kill: empty(),
                });
                *field(source) = map.clone();
            }
        }
        Ok(Search {
            order: &info.order,
            params,
            sources,
            preceding: IndexMap::new(),
        })
    }

    /// Adds what there is to find for the accesses `sink` to one array.
    fn sink(&mut self, sink: &Map, times: &Times, found: &mut Found, b: &Budget) -> Outcome<()> {
        let mut open = sink.wrap();
        let Some(sources) = self.sources.get(sink.range_tuple()) else {
            found.open.add(sink);
            return Ok(());
        };
        let mut of_sources: Vec<Option<SameElement>> = vec![None; sources.len()];
        for level in (0..self.order.depth()).rev() {
            let mut candidates = Vec::new();
            for ((tuple, source), same) in sources.iter().zip(&mut of_sources) {
                let key = (sink.domain_tuple().clone(), level, tuple.clone());
                let pairs = match self.preceding.get(&key) {
                    Some(known) => known,
                    None => {
                        let pairs = times.preceding_at(level, source.times, b)?;
                        self.preceding.entry(key).or_insert(pairs)
                    }
                };
                if let Some(pairs) = pairs {
                    let same = match same {
                        Some(known) => known,
                        None => same.insert(SameElement::of(source, sink, b)?),
                    };
                    candidates.extend(candidates_of(source.times, same, &open, pairs, b)?);
                }
            }
            if candidates.is_empty() {
                continue;
            }
            let covered = settle(&candidates, found, b)?;
            if !covered.is_plainly_empty() {
                open = open.subtract(&covered, b)?.compact(b)?;
                if open.is_plainly_empty() {
                    return Ok(());
                }
            }
        }
        found.open.add(&open.unwrap());
        Ok(())
    }
}

/// The accesses of a source to the elements of a sink, at any level, as relations `[k -> a] -> i`.
#[derive(Clone)]
struct SameElement {
    must: Map,
    may: Map,
    kill: Map,
}

impl SameElement {
    fn of(source: &Source<'_>, sink: &Map, b: &Budget) -> Outcome<SameElement> {
        let elements = sink.range_map();
        let same = |accesses: &Map| elements.apply_range(&accesses.reverse(), b);
        Ok(SameElement {
            must: same(&source.must)?,
            may: same(&source.may)?,
            kill: same(&source.kill)?,
        })
    }
}

/// The candidates among the accesses of a source, whose instances precede as `preceding` says.
fn candidates_of<'a>(
    times: &'a Times,
    same: &SameElement,
    open: &Set,
    preceding: &Map,
    b: &Budget,
) -> Outcome<Option<Candidates<'a>>> {
    let candidates = |same: &Map| {
        if same.is_plainly_empty() {
            return Ok(same.clone());
        }
        let before = same.intersect_domain_factor_domain(preceding).intersect_domain(open);
        without_empty_pieces(&before, b)
    };
    let (must, may, kill) = (candidates(&same.must)?, candidates(&same.may)?, candidates(&same.kill)?);
    let none = must.is_plainly_empty() && may.is_plainly_empty() && kill.is_plainly_empty();
    Ok((!none).then_some(Candidates { times, must, may, kill }))
}

/// Adds the candidates of a level, of which there are some, that no cut hides, and returns the pairs for which there is a
/// cut.
fn settle(candidates: &[Candidates], found: &mut Found, b: &Budget) -> Outcome<Set> {
    let first = &candidates[0];
    let mut cut_times = Map::empty(first.must.apply_range(&first.times.schedule, b)?.space().clone());
    for candidate in candidates {
        for cuts in [&candidate.must, &candidate.kill] {
            if !cuts.is_plainly_empty() {
                cut_times = cut_times.union(&cuts.apply_range(&candidate.times.schedule, b)?);
            }
        }
    }
    if cut_times.is_plainly_empty() {
        for candidate in candidates {
            found.may.add(&candidate.may.reverse());
        }
        return cut_times.domain(b);
    }
    let covered = cut_times.domain(b)?;
    let mut pairs = candidates.iter().flat_map(|x| candidates.iter().map(move |y| (x, y)));
    let latest = if pairs.any(|(x, y)| x.times.may_be_unordered(y.times)) {
        Map::empty(cut_times.space().clone())
    } else {
        cut_times.lexmax(b)?.compact(b)?
    };
    let earlier = latest.apply_range(&Map::lex_gt(latest.params().clone(), latest.range_tuple().clone()), b)?;
    // Cuts at times without an upper bound, or not ordered by their times, between which there is no last one.
    let endless = covered.subtract(&latest.domain(b)?, b)?;
    for candidate in candidates {
        let mut add = |kept: &Map, is_must: bool, is_kill: bool| {
            if !kept.is_plainly_empty() {
                let triples = kept.reverse();
                if is_kill {
                    found.kills.add(&triples);
                } else {
                    found.may.add(&triples);
                }
                if is_must {
                    found.certain.add(&triples);
                }
            }
        };
        let at_latest = latest.apply_range(&candidate.times.instances, b)?;
        for (cuts, is_kill) in [(&candidate.must, false), (&candidate.kill, true)] {
            if !cuts.is_plainly_empty() {
                add(
                    &without_empty_pieces(&cuts.intersect(&at_latest), b)?,
                    !is_kill,
                    is_kill,
                );
            }
        }
        if !candidate.may.is_plainly_empty() {
            let hidden = earlier.apply_range(&candidate.times.instances, b)?;
            let in_time = candidate.may.subtract_domain(&endless, b)?;
            add(&in_time.subtract(&hidden, b)?, false, false);
        }
        if !endless.is_plainly_empty() {
            let parts = [
                (&candidate.must, true, false),
                (&candidate.may, false, false),
                (&candidate.kill, false, true),
            ];
            for (accesses, is_must, is_kill) in parts {
                let kept = not_hidden(&accesses.intersect_domain(&endless), candidate.times, candidates, b)?;
                add(&kept, is_must, is_kill);
            }
        }
    }
    Ok(covered)
}

/// The candidates `[k -> a] -> i` such that `i` comes before no cut among the candidates, by the definition.
fn not_hidden(accesses: &Map, times: &Times, candidates: &[Candidates], b: &Budget) -> Outcome<Map> {
    let mut kept = without_empty_pieces(accesses, b)?;
    for other in candidates {
        for cuts in [&other.must, &other.kill] {
            if !kept.is_plainly_empty() && !cuts.is_plainly_empty() {
                let preceding = other.times.preceding(times, b)?;
                kept = kept.subtract(&cuts.apply_range(&preceding, b)?, b)?;
            }
        }
    }
    Ok(kept)
}
