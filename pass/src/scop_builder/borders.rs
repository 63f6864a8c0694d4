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
use crate::detect::declined::Modelled;
use crate::memory::access::{Site, Subscripts};
use crate::memory::arrays::Array;
use crate::memory::widening::affine_within;
use crate::scalar::draft::{DraftStatement, ScopDraft};
use crate::scev::convert::Converter;
use crate::scev::pieces::nonnegative;
use crate::scev::scope::Scope;
use farkas_llvm::scop_ir::{Affine, IrStatement};
use farkas_llvm::types::TypeKind;
use farkas_llvm::value::Value;
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::program::{Access, AccessKind};
use farkas_polyhedral::sets::{Aff, Conj, Div, Map, MapSpace, MultiAff, Set, SetSpace, Tuple};
use indexmap::{IndexMap, IndexSet};

/// Pieces are long along a counter where instances are so far from each other.
const LONG: i64 = 16;

/// The loops around a statement whose interior conditions decide, at the most.
const MOST_LOOPS: usize = 4;

/// A piece of the subscripts of an access.
struct Piece {
    instances: Set,
    /// The number of counters in the subscripts.
    counters: usize,
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
        let mut index = 0;
        while let Some(statement) = draft.statements.get(index) {
            index += 1;
            let pieces = self.pieces(statement);
            // A window needs a loop inside of another one. In that of several channels, the pieces of the frame take too much work.
            if pieces.is_empty() && !(2..=MOST_LOOPS).contains(&statement.ir.loops.len()) {
                continue;
            }
            let Ok(Some(interior)) = b.trial(work, |b| interior(draft, statement, &pieces, b))? else {
                continue;
            };
            let Ok((mut inside, mut outside)) = b.trial(work, |b| halves(statement, &interior, b))? else {
                continue;
            };
            let simplified = self.simplified(&inside)?;
            if simplified.is_none() && !pieces.is_empty() {
                continue;
            }
            inside.ir = simplified.unwrap_or(inside.ir);
            if let Some(simplified) = self.simplified(&outside)? {
                outside.ir = simplified;
            }
            let hint = format!("{}i", statement.ir.name);
            let name = self.converter.names.borrow_mut().fresh(&hint, "S");
            log::debug!("{name} is the interior of {}", statement.ir.name);
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
    b: &Budget,
) -> Outcome<Option<Set>> {
    let domain = &statement.domain;
    let all_accesses = draft.accesses(statement);
    let written = |access: &&Access| access.kind != AccessKind::Read;
    let writes: Vec<&Access> = all_accesses.iter().filter(written).collect();
    let mut at_border = match accesses.is_empty() {
        true => cut_off(domain, &writes, b)?,
        false => {
            let mut inside = domain.clone();
            for pieces in accesses {
                inside = largest(&inside, pieces, b)?;
            }
            domain.subtract(&inside, b)?
        }
    };
    if at_border.is_empty(b)? {
        return Ok(None);
    }
    for Access { relation, .. } in writes {
        let elements = at_border.apply(relation, b)?;
        at_border = at_border.union(&elements.apply(&relation.reverse(), b)?).coalesce(b)?;
    }
    let interior = domain
        .subtract(&at_border, b)?
        .intersect_params(&draft.context)
        .coalesce(b)?;
    let interior = interior.gist_params(&draft.context, b)?.compact(b)?;
    // For some values of parameters, such as a single row, there may be further pieces. None is for windows of a negative width.
    let params = (0..interior.params().len()).map(|param| Aff::param(interior.space().clone(), param));
    let usual = params.fold(Set::universe(interior.space().clone()), |usual, param| {
        usual.intersect(&nonnegative(&param))
    });
    let mut longest: Option<(usize, Set)> = None;
    let n = interior.tuple().n();
    for piece in interior.pieces() {
        // Every other row is no interior: loops of its own would go through the arrays once more.
        let is_dense = is_dense(piece, interior.params().len(), n);
        let piece = Set::from_conj(interior.space().clone(), piece.clone());
        if !is_dense || piece.intersect(&usual).is_empty(b)? {
            continue;
        }
        let long = long_dimensions(&piece, b)?;
        if longest.as_ref().is_none_or(|(most, _)| long > *most) {
            longest = Some((long, piece));
        }
    }
    let Some((long, interior)) = longest else {
        return Ok(None);
    };
    let of_domain = long_dimensions(domain, b)?;
    if long < of_domain
        && let Some(half) = half(domain, accesses, of_domain, b)?
    {
        return Ok(Some(half));
    }
    let is_long = long > 0 && (!accesses.is_empty() || long == of_domain);
    Ok((is_long && !domain.is_subset(&interior, b)?).then_some(interior))
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

/// Whether no remainder of the `n` counters decides which instances are in a piece.
fn is_dense(piece: &Conj, n_params: usize, n: usize) -> bool {
    let counters = 1 + n_params..1 + n_params + n;
    let of_counters = |div: &Div| div.num[counters.clone()].iter().any(|c| !c.is_zero());
    piece.n_locals() == 0 && !piece.divs().iter().any(of_counters)
}

/// The instances that write to elements for which conditions leave out some iterations of the loops that accumulate in them: where a
/// window reaches beyond the border. In a triangle these are nearly all.
fn cut_off(domain: &Set, writes: &[&Access], b: &Budget) -> Outcome<Set> {
    let none = Set::empty(domain.space().clone());
    let n = domain.tuple().n();
    let space = MapSpace::new(domain.params().clone(), domain.tuple().clone(), domain.tuple().clone());
    // From instances to all that have the same values of these counters.
    let agreeing = |dims: &[usize]| {
        dims.iter()
            .fold(Map::universe(space.clone()), |map, dim| map.equate(*dim, *dim))
    };
    // The counters that written elements depend on.
    let decides = |dim: &usize| {
        let is_in = |relation: &Map| {
            let column = 1 + relation.params().len() + dim;
            let mut rows = relation.pieces().iter().flat_map(|conj| conj.eqs());
            rows.any(|row| row.get(column).is_some_and(|x| !x.is_zero()))
        };
        writes.iter().any(|access| is_in(&access.relation))
    };
    let (outer, inner): (Vec<usize>, Vec<usize>) = (0..n).partition(decides);
    // The loops that accumulate are the inner ones: in time loops, it is no window that conditions cut off.
    let are_inside = inner.first().is_some_and(|first| inner.len() == n - first);
    if !are_inside || outer.is_empty() || domain.pieces().len() > 1 {
        return Ok(none);
    }
    // All of a window of unknown size may be at the border.
    if !inner.iter().all(|dim| has_constant_bounds(domain, *dim)) {
        return Ok(none);
    }
    let outer = agreeing(&outer);
    let whole = domain.apply(&outer, b)?.intersect(&domain.apply(&agreeing(&inner), b)?);
    let missing = whole.subtract(domain, b)?;
    missing.apply(&outer, b)?.intersect(domain).coalesce(b)
}

/// Whether constants bound a counter in each piece of a domain.
fn has_constant_bounds(domain: &Set, dim: usize) -> bool {
    let column = 1 + domain.params().len() + dim;
    let alone = |row: &&Row| (1..row.len()).all(|k| (k == column) != row[k].is_zero());
    domain.pieces().iter().all(|piece| {
        let bounds = || piece.ineqs().iter().filter(alone);
        bounds().any(|row| row[column].is_neg()) && bounds().any(|row| !row[column].is_neg())
    })
}

/// The part of the domain in the chosen piece: it is long along most counters, and most counters are in its subscripts.
fn largest(domain: &Set, pieces: &[Piece], b: &Budget) -> Outcome<Set> {
    let mut best: Option<((usize, usize), Set)> = None;
    for Piece { instances, counters } in pieces {
        let part = domain.intersect(instances);
        let order = (long_dimensions(&part, b)?, *counters);
        if !part.is_empty(b)? && best.as_ref().is_none_or(|(most, _)| order > *most) {
            best = Some((order, part));
        }
    }
    Ok(best.map_or_else(|| domain.clone(), |(_, part)| part))
}

/// The number of counters along which there are instances far from each other.
fn long_dimensions(part: &Set, b: &Budget) -> Outcome<usize> {
    let space = part.space();
    let mut long = 0;
    for dim in 0..space.tuple.n() {
        let moved = |at: usize| Aff::var(space.clone(), at).add_constant(&Int::from(if at == dim { LONG } else { 0 }));
        let moved = (0..space.tuple.n()).map(moved).collect();
        let far = part.preimage(&MultiAff::new(space.clone(), space.tuple.clone(), moved));
        long += usize::from(!part.is_disjoint(&far, b)?);
    }
    Ok(long)
}

/// The statement with these instances only, and with all others.
fn halves<'a>(
    whole: &DraftStatement<'a>,
    interior: &Set,
    b: &Budget,
) -> Outcome<(DraftStatement<'a>, DraftStatement<'a>)> {
    let outside = whole.domain.subtract(interior, b)?.coalesce(b)?;
    Ok((restricted(whole, interior, b)?, restricted(whole, &outside, b)?))
}

/// The statement with these instances only.
fn restricted<'a>(whole: &DraftStatement<'a>, instances: &Set, b: &Budget) -> Outcome<DraftStatement<'a>> {
    let mut statement = whole.clone();
    statement.domain = instances.clone();
    for access in &mut statement.array_accesses {
        let relation = access.relation.intersect_domain(instances);
        access.relation = relation.coalesce(b)?.remove_redundancies(b)?;
    }
    for element in statement.elements.values_mut() {
        *element = element.intersect_domain(instances).compact(b)?;
    }
    Ok(statement)
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
