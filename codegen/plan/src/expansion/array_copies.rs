//! Array expansion: copies of a temporary array for the iterations of a strip, whose loops are scheduled anew.
//!
//! ```text
//! for (q) {                                             for (q in strips of 32) {
//!   for (p) t[p] = 0;                                     for (q') for (p) t[q' mod 32][p] = 0;
//!   for (p) for (s) t[p] += a[q][s] * c[s][p];     ->     for (q') for (p) for (s) t[q' mod 32][p] += a[q'][s] * c[s][p];
//!   for (p) a[q][p] = t[p];                               for (q') for (p) a[q'][p] = t[q' mod 32][p];
//! }                                                     }
//! ```
//!
//! An iteration of the loop over `q` overwrites what the one before has left in `t`, though it needs nothing of that. With a copy for each
//! iteration of a strip, the iterations wait for each other no more: the product is one of matrices, and `c` is fetched once for a strip.
//!
//! A copy is that of the iteration: each value is read in the iteration that wrote it, which is asked of the flow dependences. Scalars that some
//! statements of an iteration hand to others have copies, too. Where somebody may look at the array afterwards, the elements that the last
//! iteration has written are all that are written, without holes, and are copied back.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::{AccessKind, Array, ArrayKind, Copies, Expansion, LastValues, Program};
use farkas_polyhedral::schedule::ScheduleConstraints;
use farkas_polyhedral::sets::{Aff, MultiAff, Name, Set, SetSpace, Tuple, UnionMap};
use farkas_polyhedral::tree::{Band, Filter, Isolation, Node, Path, Tree};
use indexmap::IndexMap;

use super::strips::{are_carried, users};
use crate::analysis::bounds::{begin_of, end_of, from, value_of};
use crate::analysis::estimate::Estimates;
use crate::analysis::linear::affine_subscripts;
use crate::check::{last_values_are_right, live_out, lives_on};
use crate::dependences::ByArray;
use crate::schedules;
use crate::transform::function_of;

/// The iterations in a strip: rows of register tiles fill it, whatever their number.
const STRIP: u32 = 32;

/// The fewest iterations in a strip: a register tile's rows.
const LEAST_STRIP: u32 = 8;

/// The bytes of all copies at the most, for the expected sizes. They are to stay in a second-level cache beside what they are computed of.
const MOST_BYTES: f64 = 512.0 * 1024.0;

/// So many loops inside of the strip's have to be around a statement at least, which strips go inside of: they reuse what one of them fetches, or have
/// lanes for one that waits for itself.
const LOOPS_INSIDE: usize = 1;

/// A loop of a tree, with copies of arrays for the iterations of a strip of it.
#[derive(Clone, Debug)]
pub(crate) struct ArrayExpansion {
    /// The arrays, and the scalars that are handed on.
    pub(crate) expansions: Vec<Expansion>,
    /// The statements that write them.
    pub(crate) writers: Vec<Tuple>,
    /// How many there are of each: the iterations in a strip.
    pub(crate) copies: u32,
    /// The parameters that they are for.
    pub(crate) assumed: Set,
    path: Path,
}

/// What is asked for arrays to expand.
#[derive(Clone, Copy)]
pub(crate) struct Question<'q> {
    pub(crate) program: &'q Program,
    /// What is assumed of the parameters.
    pub(crate) assumed: &'q Set,
    pub(crate) dependences: &'q ByArray,
    /// The arrays that can have no copies.
    pub(crate) without_copies: &'q [Name],
    pub(crate) b: &'q Budget,
}

impl Question<'_> {
    /// The outermost loop of the original order for whose iterations temporary arrays have copies.
    pub(crate) fn array_expansion(&self, original: &Tree) -> Outcome<Option<ArrayExpansion>> {
        let mut open = vec![Path::root()];
        while let Some(path) = open.pop() {
            let Some(node) = original.at(&path) else { continue };
            if let Node::Band(band) = node
                && let Node::Sequence(children) = &band.child
                && let Some(found) = self.of_loop(&path, band, children)?
            {
                return Ok(Some(found));
            }
            open.extend((0..node.children().count()).rev().map(|child| path.child(child)));
        }
        Ok(None)
    }

    /// The copies for the iterations of the last member of a band.
    fn of_loop(&self, path: &Path, band: &Band, children: &[Filter]) -> Outcome<Option<ArrayExpansion>> {
        let loops_inside = |statement: &Tuple| statement.n().checked_sub(position_of_last(band, statement)? + 1);
        if band.statements().filter_map(loops_inside).max().unwrap_or(0) < LOOPS_INSIDE
            || !self.program.arrays.keys().any(|array| self.is_used_anew(array, band))
        {
            return Ok(None);
        }
        let element = |statement: &Tuple| iteration(band, statement);
        let mut expansions = Vec::new();
        // Where some loops have no iterations, other elements are accessed, and left with a value.
        let known = self.assumed.intersect(&self.program.context);
        let assumed = self.all_are_executed(band)?.gist(&known, self.b)?.compact(self.b)?;
        let known = known.intersect(&assumed);
        if known.is_empty(self.b)? {
            return Ok(None);
        }
        for (tuple, array) in &self.program.arrays {
            let is_slot = array.kind == ArrayKind::ScalarSlot;
            let is_asked_for = match is_slot {
                true => self.is_handed_on(tuple, children),
                false => self.is_used_anew(tuple, band),
            };
            let users = users(self.program, tuple);
            if !is_asked_for || users.iter().any(|user| !band.statements().any(|own| own == *user)) {
                continue;
            }
            let subscripts: Option<IndexMap<Tuple, MultiAff>> = users
                .iter()
                .map(|user| Some(((*user).clone(), element(user)?)))
                .collect();
            let Some(subscripts) = subscripts else { continue };
            if !self.stays_within(tuple, band, &known)? {
                log::debug!("{tuple}: iterations hand on values");
                continue;
            }
            let copies = match is_slot {
                true if lives_on(self.program, tuple, self.b)? => continue,
                true => None,
                false => match self.copies((tuple, array), (band, &subscripts), &known)? {
                    Some(copies) => Some(copies),
                    None => continue,
                },
            };
            expansions.push(Expansion {
                of: tuple.clone(),
                sizes: vec![STRIP],
                subscripts,
                copies,
            });
        }
        if expansions.iter().all(|expansion| expansion.copies.is_none()) {
            log::debug!("no array to copy for iterations of a loop");
            return Ok(None);
        }
        let bytes = self.bytes(&expansions)?;
        let mut size = STRIP;
        while size > LEAST_STRIP && bytes * f64::from(size) > MOST_BYTES {
            size /= 2;
        }
        if bytes * f64::from(size) > MOST_BYTES {
            return Ok(None);
        }
        for expansion in &mut expansions {
            expansion.sizes = vec![size];
        }
        let writes = |statement: &&Tuple| self.writes_some(statement, &expansions);
        Ok(Some(ArrayExpansion {
            writers: band.statements().filter(writes).cloned().collect(),
            expansions,
            copies: size,
            assumed,
            path: path.clone(),
        }))
    }

    /// Whether the iterations of the last member of a band read and write the same elements of an array, which is not accessed elsewhere.
    fn is_used_anew(&self, array: &Tuple, band: &Band) -> bool {
        let (mut reads, mut writes) = (false, false);
        for statement in &self.program.statements {
            for access in statement.accesses.iter().filter(|access| access.array() == array) {
                let counter = position_of_last(band, statement.tuple());
                let subscripts = affine_subscripts(&access.relation);
                let is_invariant = counter.zip(subscripts).is_some_and(|(counter, subscripts)| {
                    subscripts.iter().all(|(linear, _)| linear[counter].is_zero())
                });
                if !is_invariant {
                    return false;
                }
                match access.kind {
                    AccessKind::Read => reads = true,
                    AccessKind::MustWrite | AccessKind::MayWrite => writes = true,
                }
            }
        }
        array.n() > 0 && reads && writes
    }

    fn writes_some(&self, statement: &Tuple, expansions: &[Expansion]) -> bool {
        let own = self.program.statements.iter().filter(|one| one.tuple() == statement);
        let mut accesses = own.flat_map(|statement| &statement.accesses);
        accesses.any(|access| {
            let is_copied = || expansions.iter().any(|e| e.copies.is_some() && e.of == *access.array());
            access.kind != AccessKind::Read && is_copied()
        })
    }

    /// Whether each value of an array is read in the iteration of a band that wrote it, and none comes in, for the parameters that are `known` of.
    fn stays_within(&self, array: &Tuple, band: &Band, known: &Set) -> Outcome<bool> {
        let Some(own) = self.dependences.arrays().get(array) else {
            return Ok(false);
        };
        if !own.live_in.intersect_params(known).is_empty(self.b)? {
            return Ok(false);
        }
        let iteration = |statement: &Tuple| function_of(band, statement).to_map();
        for flow in own.flow.intersect_params(known).maps() {
            let (source, target) = (iteration(flow.domain_tuple()), iteration(flow.range_tuple()));
            let same = source.apply_range(&target.reverse(), self.b)?;
            if !flow.subtract(&same, self.b)?.is_empty(self.b)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a scalar is written in one child and read in another one.
    fn is_handed_on(&self, slot: &Tuple, children: &[Filter]) -> bool {
        let does = |child: &Filter, reads: bool| {
            let own = self
                .program
                .statements
                .iter()
                .filter(|s| child.filter.tuples().any(|tuple| tuple == s.tuple()));
            let mut accesses = own.flat_map(|statement| &statement.accesses);
            accesses.any(|access| access.array() == slot && (access.kind == AccessKind::Read) == reads)
        };
        let mut writers = (0..children.len()).filter(|child| does(&children[*child], false));
        writers.any(|writer| (0..children.len()).any(|reader| reader != writer && does(&children[reader], true)))
    }

    /// What copies of an array have, for the parameters that are `known` of, if iterations of the last member of a band would else overwrite what others read.
    fn copies(
        &self,
        (tuple, array): (&Tuple, &Array),
        (band, subscripts): (&Band, &IndexMap<Tuple, MultiAff>),
        known: &Set,
    ) -> Outcome<Option<Copies>> {
        let has_plain_sizes = array.inner_sizes.len() + 1 == tuple.n() && array.inner_sizes.iter().all(is_plain);
        let is_left_out = tuple.name().is_some_and(|name| self.without_copies.contains(name));
        if is_left_out || tuple.n() == 0 || array.table_dims > 0 || array.inspection.is_some() || !has_plain_sizes {
            return Ok(None);
        }
        let own = &self.dependences.arrays()[tuple];
        let statements: Vec<Tuple> = subscripts.keys().cloned().collect();
        if !are_carried(band, &statements, &own.anti.union(&own.output), self.b)? {
            return Ok(None);
        }
        let mut elements = Set::empty(SetSpace::new(self.program.context.params().clone(), tuple.clone()));
        for statement in &self.program.statements {
            for access in statement.accesses.iter().filter(|access| access.array() == tuple) {
                let is_affine = access.relation.pieces().len() == 1 && affine_subscripts(&access.relation).is_some();
                if !is_affine || access.reduction.is_some() {
                    log::debug!("{tuple}: an access is not affine");
                    return Ok(None);
                }
                let touched = access.relation.intersect_domain(&statement.domain).range(self.b)?;
                elements = elements.union(&touched);
            }
        }
        let elements = elements.intersect_params(known);
        let first = elements
            .project_out(1, tuple.n() - 1, self.b)?
            .with_tuple(Tuple::anonymous(1));
        let zero = Aff::constant(SetSpace::params_only(first.params().clone()), Int::ZERO);
        if !first.is_subset(&from(first.space(), &zero), self.b)? {
            return Ok(None);
        }
        let Some(extent) = end_of(&first, self.b)? else {
            log::debug!("{tuple}: no bound of {first}");
            return Ok(None);
        };
        let live_out = live_out(self.program, tuple, self.b)?.intersect_params(known);
        if live_out.is_empty(self.b)? {
            return Ok(Some(Copies { extent, last: None }));
        }
        let last = self.last_values(&live_out, subscripts)?;
        Ok(match last {
            Some(last) if last_values_are_right((self.program, tuple), subscripts, &last, known, self.b)? => {
                let last = Some(last);
                Some(Copies { extent, last })
            }
            last => {
                log::debug!("{tuple}: left with the values of several copies: {live_out}, {last:?}");
                None
            }
        })
    }

    /// The parameters for which all statements of a band have instances.
    fn all_are_executed(&self, band: &Band) -> Outcome<Set> {
        let mut all = Set::universe(SetSpace::params_only(self.program.context.params().clone()));
        for statement in &self.program.statements {
            if band.statements().any(|own| own == statement.tuple()) {
                all = all.intersect(&statement.domain.project_onto_params(self.b)?);
            }
        }
        Ok(all)
    }

    /// The elements of an array that have a value afterwards, by their first subscripts, if these are an interval, and the values in one copy.
    fn last_values(&self, live_out: &UnionMap, subscripts: &IndexMap<Tuple, MultiAff>) -> Outcome<Option<LastValues>> {
        let mut elements: Option<Set> = None;
        let mut copies: Option<Set> = None;
        for map in live_out.maps() {
            let n = map.range_tuple().n();
            let own = map.range(self.b)?.project_out(1, n - 1, self.b)?;
            let own = own.with_tuple(Tuple::anonymous(1));
            elements = Some(elements.map_or(own.clone(), |all| all.union(&own)));
            let copy = &subscripts[map.domain_tuple()];
            let own = map.domain(self.b)?.apply(&copy.to_map(), self.b)?;
            copies = Some(copies.map_or(own.clone(), |all| all.union(&own)));
        }
        let (Some(elements), Some(copies)) = (elements, copies) else {
            return Ok(None);
        };
        let (elements, copies) = (elements.compact(self.b)?, copies.detect_equalities(self.b)?);
        let Some(copy) = value_of(&copies) else { return Ok(None) };
        let (Some(first), Some(end)) = (begin_of(&elements, self.b)?, end_of(&elements, self.b)?) else {
            return Ok(None);
        };
        Ok(Some(LastValues {
            copy: vec![copy],
            first,
            end,
        }))
    }

    /// The expected number of bytes of a copy of each of these.
    fn bytes(&self, expansions: &[Expansion]) -> Outcome<f64> {
        let estimates = Estimates::of(self.program, self.b)?;
        let value = |size: &Aff| {
            let params = &size.space().params;
            estimates.value_of(params, &size.row()[..1 + params.len()])
        };
        let bytes = |expansion: &Expansion| {
            let array = &self.program.arrays[&expansion.of];
            let extent = expansion.copies.as_ref().map(|copies| &copies.extent);
            let elements: f64 = extent.into_iter().chain(&array.inner_sizes).map(value).product();
            elements * array.element_size as f64
        };
        Ok(expansions.iter().map(bytes).sum())
    }
}

impl ArrayExpansion {
    /// The program with a copy for each iteration of the loop.
    pub(crate) fn expanded(&self, program: &Program) -> Program {
        program.with_unbounded_expansions(&self.expansions)
    }

    /// The node inside of the strips.
    pub(crate) fn inside(&self) -> Path {
        self.path.child(0)
    }

    /// The tree with the loop in strips, inside of which all is scheduled anew; `None` where there is no schedule.
    pub(crate) fn scheduled(
        &self,
        original: &Tree,
        constraints: &ScheduleConstraints,
        b: &Budget,
    ) -> Outcome<Option<Tree>> {
        let strips = original.rewritten(&self.path, |node| match node {
            Node::Band(band) => {
                let mut sizes = vec![1; band.n()];
                sizes[band.n() - 1] = i64::from(self.copies);
                // A strip that is not full has full tiles inside.
                let strips = band.clone().with_permutable(true).tiled(&sizes);
                let mut strips = strips.with_isolation(Isolation::Nothing);
                strips.permutable = false;
                strips.child = Node::Leaf;
                Node::band(strips)
            }
            other => other,
        });
        schedules::below(&strips, &self.inside(), constraints, b)
    }
}

/// The position of the counter that the last member of a band goes along in a statement; `None` of one that is not in the band.
fn position_of_last(band: &Band, statement: &Tuple) -> Option<usize> {
    let function = band.function_of(statement)?;
    let last = function.affs().last()?;
    (0..statement.n()).rev().find(|dim| !last.coefficient(*dim).is_zero())
}

/// The last member of a band on a statement, if it is a counter, up to a constant.
fn iteration(band: &Band, statement: &Tuple) -> Option<MultiAff> {
    let function = function_of(band, statement);
    let aff = function.affs().last()?;
    let n_params = function.params().len();
    let no_params = aff.row()[1..=n_params].iter().all(Int::is_zero);
    let is_plain = aff.divs().is_empty() && aff.den().is_one() && no_params;
    is_plain.then(|| MultiAff::new(function.domain_space(), Tuple::anonymous(1), vec![aff.clone()]))
}

/// Whether an expression has no divisions.
fn is_plain(aff: &Aff) -> bool {
    aff.divs().is_empty() && aff.den().is_one()
}
