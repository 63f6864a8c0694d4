//! Border splitting: index-set splitting where subscripts are clamped, or wrap around, at the borders of an array.
//!
//! ```c
//! for (int x = 0; x < w; x++)
//!   for (int i = 0; i <= 2 * r; i++)
//!     out[x] += k[i] * in[min(max(x + i - r, 0), w - 1)];
//! ```
//!
//! The subscript of `in` has three pieces: `0`, `x + i - r`, and `w - 1`. The *interior* of the statement has the instances for which
//! each of its subscripts is in one chosen piece, and writes to no element that others write to: here `r <= x < w - r`. It becomes
//! a statement of its own, in whose clones the subscript is computed as `x + i - r`, so that consecutive instances access consecutive
//! elements. As both write to different elements, neither has to wait for the other. The rest stays as it is, unless its subscripts are
//! in one piece each, too.
//!
//! A window of clamped subscripts begins and ends with statements in fewer loops (`s = 0`, `out[x] = s / 9`). Where its own loops have constant
//! bounds, so that LLVM unrolls them, their instances beside the interior are split off with it: the interior may then have the original order in
//! loops of its own.
//!
//! Where a window accumulates in a scalar slot whose values live in [one iteration](super::live_ranges) of the loops around it, the interior
//! has a slot of its own, and all statements that share the slot are split.
//!
//! Where subscripts have no pieces, conditions may do the same (`if (0 <= y && y < h) s += ..`): the interior has the instances that
//! write to elements for which no iteration is left out. This is for windows of constant size in few loops. Elsewhere, full tiles are
//! isolated in the new loops.
//!
//! Where the pieces share what is written, as in a circular convolution (`s[i] += a[(i - j + n) % n] * x[j]`), the halves of a statement are
//! two statements if both are convex and long: their loops are one after the other for each `i`.
//!
//! Of the pieces of a subscript, the one is chosen that is long along most counters; of several that are, the one with most counters
//! in it.

use super::accesses::piece_of;
use super::live_ranges::{LiveRanges, another, same_iteration, slots_of, with_slots};
use super::windows::{Cut, Window, constant_bounds, has_constant_bounds, is_dense, long_dimensions, longest};
use crate::detect::declined::Modelled;
use crate::memory::access::{Site, Subscripts};
use crate::memory::arrays::Array;
use crate::memory::widening::affine_within;
use crate::scalar::draft::{DraftStatement, ScopDraft};
use crate::scev::convert::Converter;
use crate::scev::scope::Scope;
use farkas_llvm::scop_ir::{Affine, IrStatement, SlotId};
use farkas_llvm::types::TypeKind;
use farkas_llvm::value::Value;
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::program::{Access, AccessKind};
use farkas_polyhedral::sets::{Aff, Map, MultiAff, Set, SetSpace, Tuple};
use indexmap::{IndexMap, IndexSet};

/// The loops around a statement whose interior conditions decide, at the most.
const MOST_LOOPS: usize = 4;

/// Accesses of nine pieces, those of a window in two dimensions, take so many times the work of others.
const HALVES: u64 = 3;

/// The iterations of a loop that LLVM is taken to unroll completely, at the most.
const MOST_UNROLLED: i64 = 16;

/// A piece of the subscripts of an access.
struct Piece {
    instances: Set,
    /// The number of counters in the subscripts.
    counters: usize,
}

/// A window whose interior has slots of its own.
struct WithSlots {
    /// The index of the statement.
    at: usize,
    /// All statements that share its slots, in order.
    sharing: Vec<usize>,
    /// The number of loops in whose iterations the values of the slots live.
    depth: usize,
}

/// The statements of a draft whose interior is to be split off.
pub(super) struct BorderSplitting<'m, 'c, 'a, 'r> {
    pub(super) converter: &'m Converter<'c, 'a, 'r>,
    pub(super) arrays: &'m [Array<'a>],
}

impl<'a> BorderSplitting<'_, '_, 'a, '_> {
    /// Splits off the interior of each statement that has one. Finding an interior, and what is accessed in it, may take so much `work`
    /// each. A statement for which that is not enough stays whole.
    pub(super) fn split(&self, draft: &mut ScopDraft<'a>, work: u64) -> Modelled<'a, ()> {
        let b = self.converter.budget;
        let live_ranges = LiveRanges::of(draft, work, b)?;
        let mut windows: Vec<DraftStatement<'a>> = Vec::new();
        let mut index = 0;
        while let Some(statement) = draft.statements.get(index) {
            index += 1;
            let pieces = self.pieces(statement);
            // A window needs a loop inside of another one. In that of several channels, the pieces of the frame take too much work.
            if pieces.is_empty() && !(2..=MOST_LOOPS).contains(&statement.ir.loops.len()) {
                continue;
            }
            let Ok(Some(interior)) =
                b.trial(HALVES * work, |b| interior(draft, statement, &pieces, &live_ranges, b))?
            else {
                continue;
            };
            if let Some(depth) = live_ranges.depth_of(statement) {
                let with_its_slots = WithSlots {
                    at: index - 1,
                    sharing: live_ranges.sharing(draft, index - 1),
                    depth,
                };
                if with_its_slots
                    .sharing
                    .iter()
                    .all(|at| live_ranges.depth_of(&draft.statements[*at]) == Some(depth))
                {
                    index += self.split_with_slots(draft, &with_its_slots, &interior, work)?;
                }
                continue;
            }
            let halves = b.trial(2 * HALVES * work, |b| {
                halves(statement, (&interior.cut(&statement.domain, b)?, interior.is_part()), b)
            })?;
            let Ok((mut inside, mut outside)) = halves else {
                continue;
            };
            let simplified = self.simplified(&inside)?;
            if simplified.is_none() && !pieces.is_empty() {
                continue;
            }
            inside.ir = simplified.unwrap_or(inside.ir);
            inside.ir.is_uncut = pieces.is_empty();
            if let Some(simplified) = self.simplified(&outside)? {
                outside.ir = simplified;
            }
            let name = self.interior_name(&statement.ir.name);
            let inside = renamed(inside, name);
            if !pieces.is_empty() {
                windows.push(inside.clone());
            }
            draft.statements[index - 1] = outside;
            draft.statements.insert(index, inside);
            index += 1;
        }
        for window in &windows {
            self.split_around(window, draft, work)?;
        }
        Ok(())
    }

    /// Splits off the interior of a window, together with all statements that share its slots: these are others in the interior. The number of
    /// statements that come to be in front of those behind the window.
    fn split_with_slots(
        &self,
        draft: &mut ScopDraft<'a>,
        window: &WithSlots,
        interior: &Interior,
        work: u64,
    ) -> Modelled<'a, usize> {
        let b = self.converter.budget;
        let own = &draft.statements[window.at];
        let parts = b.trial(HALVES * work * window.sharing.len() as u64, |b| {
            let Some(iterations) = interior.iterations(own, window.depth, b)? else {
                return Ok(None);
            };
            let mut parts = IndexMap::new();
            for at in &window.sharing {
                let statement = &draft.statements[*at];
                let mut cut = iterations.of_instances(&statement.domain);
                if statement.domain.is_disjoint(&cut.inside, b)? {
                    return Ok(None);
                }
                if *at != window.at {
                    // It may have iterations that the window has not.
                    let inside = statement.domain.intersect(&cut.inside).compact(b)?;
                    cut = Interior::Instances(inside).cut(&statement.domain, b)?;
                }
                parts.insert(*at, halves(statement, (&cut, *at != window.at), b)?);
            }
            Ok(Some(parts))
        })?;
        let Ok(Some(mut parts)) = parts else { return Ok(0) };
        for (at, (inside, outside)) in &mut parts {
            let is_by_conditions = *at == window.at && self.pieces(&draft.statements[*at]).is_empty();
            match self.simplified(inside)? {
                Some(simplified) => inside.ir = simplified,
                None if *at == window.at && !is_by_conditions => return Ok(0),
                None => {}
            }
            inside.ir.is_uncut = is_by_conditions;
            if let Some(simplified) = self.simplified(outside)? {
                outside.ir = simplified;
            }
        }
        let slots: IndexSet<SlotId> = parts.keys().flat_map(|at| slots_of(&draft.statements[*at])).collect();
        let mut inside_slots: IndexMap<SlotId, SlotId> = IndexMap::new();
        for slot in slots {
            let name = self.interior_name(&draft.slots[slot.0].name);
            inside_slots.insert(slot, SlotId(draft.slots.len()));
            draft.slots.push(another(&draft.slots[slot.0], name));
        }
        let mut added = 0;
        let whole = std::mem::take(&mut draft.statements);
        for (at, statement) in whole.into_iter().enumerate() {
            let Some((inside, outside)) = parts.swap_remove(&at) else {
                draft.statements.push(statement);
                continue;
            };
            let name = self.interior_name(&outside.ir.name);
            draft.statements.push(outside);
            draft.statements.push(renamed(with_slots(inside, &inside_slots), name));
            added += usize::from(at <= window.at);
        }
        Ok(added)
    }

    /// A name for the interior of what has this name.
    fn interior_name(&self, whole: &str) -> String {
        let name = self.converter.names.borrow_mut().fresh(&format!("{whole}i"), "S");
        log::debug!("{name} is the interior of {whole}");
        name
    }

    /// Splits off the instances beside those of a window, of the statements around it that access what it writes.
    fn split_around(&self, window: &DraftStatement<'a>, draft: &mut ScopDraft<'a>, work: u64) -> Modelled<'a, ()> {
        let b = self.converter.budget;
        let writes = draft
            .accesses(window)
            .into_iter()
            .filter(|access| access.kind != AccessKind::Read);
        let written: Vec<Tuple> = writes.map(|access| access.relation.range_tuple().clone()).collect();
        let mut index = 0;
        while let Some(statement) = draft.statements.get(index) {
            index += 1;
            let depth = statement.ir.loops.len();
            let is_around = depth > 0 && window.ir.loops.starts_with(&statement.ir.loops);
            let mut inside = depth..window.ir.loops.len();
            let is_unrolled = !inside.is_empty() && inside.all(|dim| has_constant_bounds(&window.domain, dim));
            let accesses = draft.accesses(statement);
            let is_accessed = |access: &Access| written.contains(access.relation.range_tuple());
            if !is_around || !is_unrolled || !accesses.iter().any(is_accessed) {
                continue;
            }
            let halves = b.trial(work, |b| {
                let beside = statement.domain.intersect(&beside(window, statement, b)?);
                if beside.is_empty(b)? || statement.domain.is_subset(&beside, b)? {
                    return Ok(None);
                }
                let cut = Interior::Instances(beside.coalesce(b)?).cut(&statement.domain, b)?;
                halves(statement, (&cut, true), b).map(Some)
            })?;
            let Ok(Some((inside, outside))) = halves else { continue };
            let name = self.interior_name(&statement.ir.name);
            draft.statements[index - 1] = outside;
            draft.statements.insert(index, renamed(inside, name));
            index += 1;
        }
        Ok(())
    }

    /// For each access of a statement whose subscripts have pieces, the instances with each.
    fn pieces(&self, statement: &DraftStatement<'a>) -> Vec<Vec<Piece>> {
        // In a statement of several blocks, conditions would depend on pieces, too.
        if statement.ir.blocks.len() > 1 {
            return Vec::new();
        }
        let sites = self.arrays.iter().flat_map(|array| &array.accesses);
        let own = |site: &Site<'a>| {
            statement.ir.instructions.contains(&site.instruction)
                && site.scope.loops == statement.ir.loops
                && !site.scope.elements
        };
        let pieces = sites
            .filter(|(site, _)| own(site))
            .filter_map(|(_, subscripts)| match subscripts {
                Subscripts::Affine(pieces) if pieces.len() > 1 => Some(pieces),
                Subscripts::Affine(_) | Subscripts::Any => None,
            });
        let piece = |(piece, affs): &(Set, Vec<Aff>)| Piece {
            instances: piece_of(piece, &statement.domain),
            counters: counters(affs),
        };
        pieces.map(|pieces| pieces.iter().map(piece).collect()).collect()
    }

    /// The instructions of a statement with the integers as sums that are sums in all of its instances; `None` if there are none.
    fn simplified(&self, statement: &DraftStatement<'a>) -> Modelled<'a, Option<IrStatement<'a>>> {
        let whole = &statement.ir;
        let scope = Scope {
            loops: whole.loops.clone(),
            elements: false,
            domain: statement.domain.with_tuple(Tuple::anonymous(whole.loops.len())),
        };
        let mut affine: IndexMap<Value<'a>, Affine<'a>> = IndexMap::new();
        for value in &whole.instructions {
            if value.ty().kind() == TypeKind::Integer(64)
                && value.facts().pure()
                && let Some(sum) = affine_within(self.converter, *value, &scope)?
                && sum.iter().all(|(factor, _)| self.converter.is_expandable(*factor))
            {
                affine.insert(*value, sum);
            }
        }
        if affine.is_empty() {
            return Ok(None);
        }
        let needed = needed(whole, &affine);
        let all = whole.instructions.iter().copied();
        let (instructions, left_out) = all.partition(|instruction| needed.contains(instruction));
        Ok(Some(IrStatement {
            instructions,
            left_out,
            affine,
            ..whole.clone()
        }))
    }
}

/// The instances of a statement in the iterations of its loops in which there are instances of a window.
fn beside(window: &DraftStatement<'_>, statement: &DraftStatement<'_>, b: &Budget) -> Outcome<Set> {
    let iterations = window
        .domain
        .apply(&same_iteration(window, statement.ir.loops.len()), b)?;
    Ok(iterations.with_tuple(statement.tuple().clone()))
}

/// The number of counters in subscripts.
fn counters(affs: &[Aff]) -> usize {
    let used = |aff: &Aff| {
        let dims = 0..aff.space().tuple.n();
        dims.filter(|dim| !aff.coefficient(*dim).is_zero()).count()
    };
    affs.iter().map(used).sum()
}

/// The instances with the chosen piece of each access that write to no element which others write to. `None` if there are few, or they
/// are all.
fn interior(
    draft: &ScopDraft<'_>,
    statement: &DraftStatement<'_>,
    accesses: &[Vec<Piece>],
    live_ranges: &LiveRanges,
    b: &Budget,
) -> Outcome<Option<Interior>> {
    let domain = &statement.domain;
    let writes = draft
        .accesses(statement)
        .into_iter()
        .filter(|access| access.kind != AccessKind::Read);
    // A slot whose values live in one iteration might be an element for each.
    let element = |access: Access| {
        let iterations = live_ranges.iterations(draft, access.relation.range_tuple(), statement);
        iterations.unwrap_or(access.relation)
    };
    let writes: Vec<Map> = writes.map(element).collect();
    let mut inside = domain.clone();
    for pieces in accesses {
        inside = largest(&inside, pieces, b)?;
    }
    if cuts_short_loop(domain, &inside) {
        return Ok(None);
    }
    let mut at_border = match Window::of(domain, &inside, &writes, b)? {
        // Conditions are of interest in windows only.
        Some(window) if accesses.is_empty() && !window.has_loops(domain) => return Ok(None),
        Some(window) if window.has_own_elements(&writes) => {
            let cut = window.cut(&draft.context, b)?;
            return Ok(cut.map(Interior::Iterations));
        }
        Some(window) => window.at_border(domain, b)?,
        None => domain.subtract(&inside, b)?,
    };
    if at_border.is_empty(b)? {
        return Ok(None);
    }
    for relation in &writes {
        let elements = at_border.apply(relation, b)?;
        at_border = at_border.union(&elements.apply(&relation.reverse(), b)?).coalesce(b)?;
    }
    let interior = domain.subtract(&at_border, b)?;
    let Some((long, interior)) = longest(&interior, &draft.context, b)? else {
        return Ok(None);
    };
    let of_domain = long_dimensions(domain, b)?;
    if long < of_domain
        && let Some(half) = half(domain, accesses, of_domain, b)?
    {
        return Ok(Some(Interior::Instances(half)));
    }
    let is_long = long > 0 && (!accesses.is_empty() || long == of_domain);
    let is_part = is_long && !domain.is_subset(&interior, b)?;
    Ok(is_part.then_some(Interior::Instances(interior)))
}

/// Whether the chosen pieces have some iterations only of a short loop between constants. LLVM unrolls it completely: the subscripts of each copy are in one
/// piece without splitting.
///
/// ```text
/// for (k < 3) c[i][k] = a[i][(k + 1) % 3] * b[i][(k + 2) % 3];
/// ```
fn cuts_short_loop(domain: &Set, inside: &Set) -> bool {
    let is_cut = |dim: usize| {
        let all = constant_bounds(domain, dim).filter(|(lower, upper)| upper - lower < MOST_UNROLLED);
        all.is_some_and(|all| constant_bounds(inside, dim) != Some(all))
    };
    (0..domain.tuple().n()).any(is_cut)
}

/// One of two convex parts of a domain, both of which are long along so many counters, in each of which all subscripts are in one piece:
/// `j <= i` for `a[(i - j + n) % n]`. They write to the same elements, so that the instances of the other part come in order with them.
fn half(domain: &Set, accesses: &[Vec<Piece>], long: usize, b: &Budget) -> Outcome<Option<Set>> {
    let Some(first) = accesses
        .iter()
        .min_by_key(|pieces| pieces.len())
        .filter(|p| p.len() == 2)
    else {
        return Ok(None);
    };
    let part = |piece: &Piece| domain.intersect(&piece.instances).coalesce(b);
    let parts = [part(&first[0])?, part(&first[1])?];
    for part in &parts {
        let is_whole = part.pieces().len() == 1 && is_dense(&part.pieces()[0], part.params().len(), part.tuple().n());
        if !is_whole || long_dimensions(part, b)? < long {
            return Ok(None);
        }
        for pieces in accesses {
            let mut within = false;
            for piece in pieces {
                within = within || part.is_subset(&piece.instances, b)?;
            }
            if !within {
                return Ok(None);
            }
        }
    }
    let [_, last] = parts;
    Ok(Some(last))
}

/// The part of the domain in the chosen piece: it is long along most counters, and most counters are in its subscripts. Of a domain in several
/// convex parts, one decides.
fn largest(domain: &Set, pieces: &[Piece], b: &Budget) -> Outcome<Set> {
    let one = domain.pieces().iter().take(1).cloned();
    let one = Set::from_conjs(domain.space().clone(), one.collect());
    let mut best: Option<((usize, usize), &Set)> = None;
    for Piece { instances, counters } in pieces {
        let part = one.intersect(instances);
        let order = (long_dimensions(&part, b)?, *counters);
        if !part.is_empty(b)? && best.as_ref().is_none_or(|(most, _)| order > *most) {
            best = Some((order, instances));
        }
    }
    Ok(best.map_or_else(|| domain.clone(), |(_, chosen)| domain.intersect(chosen)))
}

/// The interior of a statement.
enum Interior {
    /// These instances.
    Instances(Set),
    /// Those in some iterations of the loops around its window, apart from those in all others.
    Iterations(Cut),
}

impl Interior {
    /// Whether its [cut](Interior::cut) is of instances of the domain only.
    fn is_part(&self) -> bool {
        matches!(self, Interior::Instances(_))
    }

    /// The interior, and what is left of a domain.
    fn cut(&self, domain: &Set, b: &Budget) -> Outcome<Cut> {
        Ok(match self {
            Interior::Instances(inside) => Cut {
                inside: inside.clone(),
                outside: domain.subtract(inside, b)?.coalesce(b)?,
            },
            Interior::Iterations(iterations) => iterations.of_instances(domain),
        })
    }

    /// The iterations of the outermost `depth` loops around a statement that its interior is in, and all others; `None` where it has only
    /// some of the instances in one of them.
    fn iterations(&self, statement: &DraftStatement<'_>, depth: usize, b: &Budget) -> Outcome<Option<Cut>> {
        if let Interior::Iterations(cut) = self
            && cut.inside.tuple().n() == depth
        {
            return Ok(Some(cut.clone()));
        }
        let instances = self.cut(&statement.domain, b)?.inside.intersect(&statement.domain);
        let iteration = same_iteration(statement, depth);
        let inside = instances.apply(&iteration, b)?.coalesce(b)?;
        let all = statement.domain.apply(&iteration, b)?;
        let cut = Cut {
            outside: all.subtract(&inside, b)?.coalesce(b)?,
            inside,
        };
        let in_them = cut.of_instances(&statement.domain).inside.intersect(&statement.domain);
        Ok(in_them.is_subset(&instances, b)?.then_some(cut))
    }
}

/// The statement with the instances inside only, and with those outside.
fn halves<'a>(
    whole: &DraftStatement<'a>,
    (cut, are_part): (&Cut, bool),
    b: &Budget,
) -> Outcome<(DraftStatement<'a>, DraftStatement<'a>)> {
    Ok((
        restricted(whole, (&cut.inside, are_part), b)?,
        restricted(whole, (&cut.outside, are_part), b)?,
    ))
}

/// The statement with these instances only.
fn restricted<'a>(
    whole: &DraftStatement<'a>,
    (instances, are_part): (&Set, bool),
    b: &Budget,
) -> Outcome<DraftStatement<'a>> {
    let mut statement = whole.clone();
    // What is a part of the domain already has no constraints that follow from others.
    statement.domain = match are_part {
        true => instances.clone(),
        false => whole.domain.intersect(instances).compact(b)?,
    };
    for access in &mut statement.array_accesses {
        let relation = access.relation.intersect_domain(instances);
        access.relation = match relation.pieces().len() {
            ..=MOST_COMPACT => relation.compact(b)?,
            _ => without_empty(&relation, b)?,
        };
    }
    for element in statement.elements.values_mut() {
        *element = element.intersect_domain(instances).compact(b)?;
    }
    Ok(statement)
}

/// Conjunctions of an access up to which pairs of them are merged.
const MOST_COMPACT: usize = 48;

/// The relation without empty conjunctions.
fn without_empty(relation: &Map, b: &Budget) -> Outcome<Map> {
    let mut pieces = Vec::new();
    for piece in relation.pieces() {
        if !Map::from_conj(relation.space().clone(), piece.clone()).is_empty(b)? {
            pieces.push(piece.clone());
        }
    }
    Ok(Map::from_conjs(relation.space().clone(), pieces))
}

/// The statement with another name.
fn renamed<'a>(mut statement: DraftStatement<'a>, name: String) -> DraftStatement<'a> {
    let tuple = statement.tuple().clone().with_name(Some(name.as_str().into()));
    statement.ir.name = name;
    statement.schedule = in_tuple(&statement.schedule, &tuple);
    for access in &mut statement.array_accesses {
        access.relation = access.relation.with_domain_tuple(tuple.clone());
    }
    for element in statement.elements.values_mut() {
        *element = element.with_domain_tuple(tuple.clone());
    }
    statement.domain = statement.domain.with_tuple(tuple);
    statement
}

/// The values that a statement still needs where some are sums.
fn needed<'a>(statement: &IrStatement<'a>, affine: &IndexMap<Value<'a>, Affine<'a>>) -> IndexSet<Value<'a>> {
    let mut needed: IndexSet<Value<'a>> = IndexSet::new();
    let effects = statement.instructions.iter().filter(|i| !i.facts().pure());
    let mut open: Vec<Value<'a>> = effects.copied().chain(statement.results()).collect();
    while let Some(value) = open.pop() {
        if needed.insert(value) && value.is_instruction() && !affine.contains_key(&value) {
            open.extend(value.operands());
        }
    }
    needed
}

/// A schedule of a statement as one of another tuple.
fn in_tuple(schedule: &MultiAff, tuple: &Tuple) -> MultiAff {
    let space = schedule.domain_space();
    let moved = |aff: &Aff| aff.insert_dims(space.tuple.n(), 0, tuple.clone());
    let affs = schedule.affs().iter().map(moved).collect();
    MultiAff::new(
        SetSpace::new(space.params.clone(), tuple.clone()),
        schedule.space().range.clone(),
        affs,
    )
}
