//! Windows of constant size, and the iterations of the loops around them that have all of a window.
//!
//! ```c
//! for (y) for (x)
//!   for (i < 3) for (j < 3)
//!     if (0 <= y + i - 1 && ..) s += in[y + i - 1][x + j - 1];       whole in all but the first and last rows and columns
//! ```
//!
//! The loops around are those whose counters written elements depend on. For each point of the window, the iterations that have it are a set
//! of few counters, and those that are whole are the intersection of these sets. That takes much less than looking at instances, of which a
//! window that leaves out its middle has four convex parts.

use crate::scev::pieces::nonnegative;
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::sets::{Aff, Conj, Div, Map, MultiAff, Set, SetSpace, Tuple};
use std::ops::Range;

/// Pieces are long along a counter where instances are so far from each other.
const LONG: i64 = 16;

/// The convex parts of a window, at the most: around a middle that is left out, there are four.
const MOST_PIECES: usize = 4;

/// A window: the iterations of the loops around it, and those that are whole.
pub(super) struct Window {
    all: Set,
    whole: Set,
}

impl Window {
    /// That of a statement that writes these elements, of which all of an iteration has to be `inside`; `None` where it is in no window of
    /// constant size. In a triangle nearly all iterations are cut.
    pub(super) fn of(domain: &Set, inside: &Set, writes: &[Map], b: &Budget) -> Outcome<Option<Window>> {
        let n = domain.tuple().n();
        // The counters that written elements depend on.
        let decides = |dim: &usize| {
            writes
                .iter()
                .any(|relation| rows_of(relation).any(|row| has_counter(relation, row, *dim)))
        };
        let (outer, inner): (Vec<usize>, Vec<usize>) = (0..n).partition(decides);
        // The loops that accumulate are the inner ones: in time loops, it is no window that conditions cut off.
        let are_inside = inner.first().is_none_or(|first| inner.len() == n - first);
        if !are_inside || outer.is_empty() || domain.pieces().len() > MOST_PIECES {
            return Ok(None);
        }
        // All of a window of unknown size may be at the border.
        let bounds = inner.iter().map(|dim| constant_bounds(domain, *dim));
        let Some(bounds) = bounds.collect::<Option<Vec<(i64, i64)>>>() else {
            return Ok(None);
        };
        let Some(points) = points(&bounds) else {
            return Ok(None);
        };
        let outside = SetSpace::new(domain.params().clone(), Tuple::anonymous(outer.len()));
        let (mut all, mut whole) = (Set::empty(outside.clone()), Set::universe(outside.clone()));
        for point in points {
            let counters = (0..outer.len()).map(|dim| Aff::var(outside.clone(), dim));
            let point = point
                .into_iter()
                .map(|at| Aff::constant(outside.clone(), Int::from(at)));
            let at_point = MultiAff::new(outside.clone(), domain.tuple().clone(), counters.chain(point).collect());
            let iterations = domain.preimage(&at_point);
            // What is left out in all iterations, as the middle of a window, is no part of it.
            if !iterations.is_empty(b)? {
                whole = whole.intersect(&inside.preimage(&at_point));
                all = all.union(&iterations);
            }
        }
        Ok(Some(Window {
            all: all.coalesce(b)?,
            whole: whole.compact(b)?,
        }))
    }

    /// Whether it has loops of its own, and is no single point.
    pub(super) fn has_loops(&self, domain: &Set) -> bool {
        domain.tuple().n() > self.all.tuple().n()
    }

    /// The instances of a statement in iterations that are not whole.
    pub(super) fn at_border(&self, domain: &Set, b: &Budget) -> Outcome<Set> {
        let at_border = self.all.subtract(&self.whole, b)?;
        in_iterations(&at_border, domain).intersect(domain).coalesce(b)
    }

    /// Whether each iteration writes elements of its own: each of its counters is in a subscript, alone.
    pub(super) fn has_own_elements(&self, writes: &[Map]) -> bool {
        let n = self.all.tuple().n();
        let is_alone = |relation: &Map, conj: &Conj, dim: usize| {
            let inputs = 1 + relation.params().len()..1 + relation.params().len() + relation.domain_tuple().n();
            let range = inputs.end..inputs.end + relation.range_tuple().n();
            let count = |row: &Row, columns: Range<usize>| columns.filter(|k| !row[*k].is_zero()).count();
            let mut rows = conj.eqs().iter();
            rows.any(|row| {
                has_counter(relation, row, dim) && count(row, inputs.clone()) == 1 && count(row, range.clone()) == 1
            })
        };
        writes.iter().all(|relation| {
            let mut pieces = relation.pieces().iter();
            pieces.all(|conj| (0..n).all(|dim| is_alone(relation, conj, dim)))
        })
    }

    /// The iterations that are whole, and all others, where each has elements of its own; `None` where they are few, or all.
    pub(super) fn cut(&self, context: &Set, b: &Budget) -> Outcome<Option<Cut>> {
        let Some((long, inside)) = longest(&self.whole, context, b)? else {
            return Ok(None);
        };
        let is_long = long > 0 && long == long_dimensions(&self.all, b)?;
        if !is_long || self.all.is_subset(&inside, b)? {
            return Ok(None);
        }
        let outside = self.all.subtract(&inside, b)?.coalesce(b)?;
        Ok(Some(Cut { inside, outside }))
    }
}

/// Iterations of the loops around a window, or instances of a statement, in two disjoint parts. Those that are in neither are not executed.
#[derive(Clone)]
pub(super) struct Cut {
    pub(super) inside: Set,
    pub(super) outside: Set,
}

impl Cut {
    /// The instances of this space that are in the iterations.
    pub(super) fn of_instances(&self, domain: &Set) -> Cut {
        Cut {
            inside: in_iterations(&self.inside, domain),
            outside: in_iterations(&self.outside, domain),
        }
    }
}

/// The instances of the space of a domain in some iterations of the outermost loops around them.
fn in_iterations(iterations: &Set, domain: &Set) -> Set {
    let (space, tuple) = (domain.space(), iterations.tuple());
    let counters = (0..tuple.n()).map(|dim| Aff::var(space.clone(), dim)).collect();
    iterations.preimage(&MultiAff::new(space.clone(), tuple.clone(), counters))
}

/// The equations of a relation that its elements are in.
fn rows_of(relation: &Map) -> impl Iterator<Item = &Row> {
    let first = 1 + relation.params().len() + relation.domain_tuple().n();
    let range = first..first + relation.range_tuple().n();
    let rows = relation.pieces().iter().flat_map(|conj| conj.eqs());
    rows.filter(move |row| range.clone().any(|k| row.get(k).is_some_and(|x| !x.is_zero())))
}

/// Whether a counter of the instances is in an equation.
fn has_counter(relation: &Map, row: &Row, dim: usize) -> bool {
    row.get(1 + relation.params().len() + dim).is_some_and(|x| !x.is_zero())
}

/// Iterations of the loops of a window, at the most.
const MOST_POINTS: i64 = 64;

/// All points within bounds, both inclusive; `None` if they are many.
fn points(bounds: &[(i64, i64)]) -> Option<Vec<Vec<i64>>> {
    let sizes = bounds.iter().map(|(low, high)| (high - low + 1).max(0));
    let count = sizes.fold(1_i64, i64::saturating_mul);
    if count > MOST_POINTS {
        return None;
    }
    let longer = |points: Vec<Vec<i64>>, (low, high): &(i64, i64)| {
        let with = |point: &Vec<i64>, at: i64| point.iter().copied().chain([at]).collect();
        points
            .iter()
            .flat_map(|point| (*low..=*high).map(move |at| with(point, at)))
            .collect()
    };
    Some(bounds.iter().fold(vec![Vec::new()], longer))
}

/// The bounds of a counter, both inclusive, where constants bound it in each piece of a domain.
pub(super) fn constant_bounds(domain: &Set, dim: usize) -> Option<(i64, i64)> {
    let column = 1 + domain.params().len() + dim;
    let alone = |row: &&Row| (1..row.len()).all(|k| (k == column) != row[k].is_zero());
    let mut all: Option<(i64, i64)> = None;
    for piece in domain.pieces() {
        let (mut low, mut high): (Option<Int>, Option<Int>) = (None, None);
        let of_eqs = piece
            .eqs()
            .iter()
            .filter(alone)
            .flat_map(|row| [row.clone(), row.iter().map(|x| -x).collect()]);
        for row in piece.ineqs().iter().filter(alone).cloned().chain(of_eqs) {
            // `row[0] + row[column] x >= 0`
            let end = (-&row[0]).div_floor(&row[column]);
            match row[column].is_neg() {
                true => high = Some(high.map_or(end.clone(), |high| high.min(end))),
                false => {
                    let end = -&row[0].div_floor(&row[column]);
                    low = Some(low.map_or(end.clone(), |low| low.max(end)));
                }
            }
        }
        let own = (low?.to_i64()?, high?.to_i64()?);
        all = Some(all.map_or(own, |all| (all.0.min(own.0), all.1.max(own.1))));
    }
    all
}

/// Whether constants bound a counter in each piece of a domain.
pub(super) fn has_constant_bounds(domain: &Set, dim: usize) -> bool {
    constant_bounds(domain, dim).is_some()
}

/// The piece of an interior that is long along most counters, with their number; `None` where it has no instances for usual parameters.
pub(super) fn longest(interior: &Set, context: &Set, b: &Budget) -> Outcome<Option<(usize, Set)>> {
    let interior = interior.intersect_params(context).coalesce(b)?;
    let interior = interior.gist_params(context, b)?.compact(b)?;
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
    Ok(longest)
}

/// The number of counters along which there are instances far from each other.
pub(super) fn long_dimensions(part: &Set, b: &Budget) -> Outcome<usize> {
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

/// Whether no remainder of the `n` counters decides which instances are in a piece.
pub(super) fn is_dense(piece: &Conj, n_params: usize, n: usize) -> bool {
    let counters = 1 + n_params..1 + n_params + n;
    let of_counters = |div: &Div| div.num[counters.clone()].iter().any(|c| !c.is_zero());
    piece.n_locals() == 0 && !piece.divs().iter().any(of_counters)
}
