//! Isolation: a part of the schedule for which code of its own is generated (P1 section 5.6).
//!
//! In each dimension the schedule domain is cut in four: the *center*, in which the isolated part lies, what comes *before* some
//! of it, what comes *after* some of it, and *others*, for values of the outer dimensions and the parameters for which there is no
//! center. Each of the others is made part of what comes after, or before, where that takes no further conjunction. Typically the center
//! are the tiles that are full: those of which all points are executed.
//!
//! For `{ S[i] : m <= i < n }` in tiles that start at `t = 4 floor(i / 4)`, the full tiles are `m <= t and t + 3 < n`. Where
//! there are some, the tile with `t < m` comes before and that with `t > n - 4` after.

use crate::ast::build::executed::{Executed, embed, schedule_space, without_divs_on_last};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::Row;
use crate::sets::{Conj, Map, MapSpace, Set, Tuple};
use crate::tree::{Band, Isolation, Tiling};

/// A schedule domain in parts, of which some may be empty.
pub(super) struct Isolated {
    pub(super) before: Set,
    pub(super) center: Set,
    pub(super) after: Set,
    pub(super) others: Set,
}

/// The parts of `domain` around what is `isolated`, a set over all dimensions of the band. `tiles` is the first dimension of a band whose full
/// tiles are isolated.
///
/// Where tiles are full in each dimension by itself, a row of tiles may be full in its own dimension although none of its tiles is full: in
/// `0 <= i < n` and `0 <= j < 3` in tiles of 4 x 4. Such rows are in the center, too.
pub(super) fn split(domain: &Set, isolated: &Set, tiles: Option<usize>, b: &Budget) -> Outcome<Isolated> {
    let depth = domain.n_dims();
    let first = domain.params().len() + depth;
    let is_separable = |first: usize| isolated.pieces().iter().all(|piece| piece.is_separable(first));
    let isolated = match tiles {
        Some(tiles) if is_separable(domain.params().len() + tiles) => {
            isolated.drop_constraints_involving(depth, isolated.n_dims() - depth)
        }
        _ => isolated.clone(),
    };
    let mut shapes = Vec::with_capacity(isolated.pieces().len());
    for piece in isolated.pieces() {
        let shape = piece.eliminate_rational(first, piece.n_vars() - first, b)?;
        shapes.push(without_divs_on_last(&shape, b)?);
    }
    let shape = Set::from_conjs(schedule_space(domain.params(), depth), shapes).simple_hull(b)?;
    let center = domain.intersect(&shape);
    let beside = |order: Map| -> Outcome<Set> {
        let reached = order.apply(&center, b)?.explicit(b)?;
        domain.intersect(&reached).subtract(&center, b)?.coalesce(b)
    };
    let space = MapSpace::new(
        domain.params().clone(),
        Tuple::anonymous(depth),
        Tuple::anonymous(depth),
    );
    let same_outside = (0..depth - 1).fold(Map::universe(space), |map, dim| map.equate(dim, dim));
    let before = beside(same_outside.order_gt(depth - 1, depth - 1))?;
    let after = beside(same_outside.order_lt(depth - 1, depth - 1))?.subtract(&before, b)?;
    let after = after.coalesce(b)?;
    let rest = domain.subtract(&center, b)?.subtract(&before, b)?.coalesce(b)?;
    // Where there is no center, nothing comes before or after: what the others are can be done as if it came after, or before.
    let none = Set::empty(domain.space().clone());
    if rest.pieces().len() <= after.pieces().len() {
        return Ok(Isolated {
            before,
            center,
            after: rest,
            others: none,
        });
    }
    let left = rest.subtract(&after, b)?.coalesce(b)?;
    let both = before.union(&left).coalesce(b)?;
    if both.pieces().len() <= before.pieces().len() {
        return Ok(Isolated {
            before: both,
            center,
            after,
            others: none,
        });
    }
    // So can those of them alone that no others are in order with.
    let left = left
        .pieces()
        .iter()
        .map(|piece| Set::from_conj(domain.space().clone(), piece.clone()));
    let left: Vec<Set> = left.collect();
    let outside = left.iter().map(|piece| piece.project_out(depth - 1, 1, b));
    let outside = outside.collect::<Outcome<Vec<Set>>>()?;
    let (mut before, mut after, mut others) = (before, after, none);
    for (position, piece) in left.iter().enumerate() {
        let mut is_alone = true;
        for other in (0..left.len()).filter(|other| *other != position) {
            is_alone = is_alone && outside[position].is_disjoint(&outside[other], b)?;
        }
        let parts = [&mut after, &mut before];
        if !is_alone || !joins(parts, piece, b)? {
            others = others.union(piece);
        }
    }
    Ok(Isolated {
        before,
        center,
        after,
        others,
    })
}

/// Makes a piece part of the first of some sets that has no more conjunctions with it; whether there is one.
fn joins(parts: [&mut Set; 2], piece: &Set, b: &Budget) -> Outcome<bool> {
    for part in parts {
        let both = part.union(piece).coalesce(b)?;
        if both.pieces().len() <= part.pieces().len() {
            *part = both;
            return Ok(true);
        }
    }
    Ok(false)
}

/// The parts around full tiles that are joined with the center in this dimension, as the next ones cut them off in one piece with what
/// they cut off from the center. `points` are those of all dimensions of the tiles.
///
/// ```text
///   i                       row 0 has no full tile (#), and comes before the others. What is not full is the diagonal (/)
/// 2 |##/                    in row 0 as in the others: one loop over `i` serves all, where two would have the diagonal twice.
/// 1 |#/
/// 0 |/    j
/// ```
pub(super) fn joined(parts: Isolated, points: &Set, isolated: &Set, b: &Budget) -> Outcome<Isolated> {
    let inner = points.n_dims() - parts.center.n_dims();
    let of = |part: &Set| points.intersect(&part.insert_dims(part.n_dims(), inner));
    let mut joined = parts;
    let mut rest = match inner {
        0 => return Ok(joined),
        _ => of(&joined.center).subtract(isolated, b)?.coalesce(b)?,
    };
    for part in [&mut joined.before, &mut joined.after, &mut joined.others] {
        if rest.pieces().is_empty() || part.pieces().is_empty() {
            continue;
        }
        let center = joined.center.union(part).coalesce(b)?;
        let all = rest.union(&of(part)).coalesce(b)?;
        if center.pieces().len() <= joined.center.pieces().len() && all.pieces().len() <= rest.pieces().len() {
            *part = Set::empty(part.space().clone());
            (joined.center, rest) = (center, all);
        }
    }
    Ok(joined)
}

/// What of a band is isolated, over the schedule dimensions outside and its own; `None` where nothing is.
pub(super) fn isolated_part(
    band: &Band,
    executed: &Executed,
    partial_tile: bool,
    known: &Set,
    b: &Budget,
) -> Outcome<Option<Set>> {
    let part = match &band.isolation {
        Isolation::Nothing => return Ok(None),
        Isolation::Part(part) => {
            let n = part.domain_tuple().n() + part.range_tuple().n();
            part.align_params(executed.params())
                .wrap()
                .with_tuple(Tuple::anonymous(n))
                .explicit(b)?
        }
        Isolation::FullTiles(_) if partial_tile => return Ok(None),
        Isolation::FullTiles(tiling) => match full_tiles(tiling, executed, known.n_dims(), b)? {
            Some(tiles) => tiles,
            None => return Ok(None),
        },
    };
    let n_inner = part.n_dims() - known.n_dims();
    let reached = part.intersect(&known.insert_dims(known.n_dims(), n_inner));
    Ok((!reached.is_empty(b)?).then_some(part))
}

/// The tiles of a band in which every statement is executed at every point. In strips, which are tiles in one dimension, a statement may as well be
/// executed at no point: one that begins each row is not in the strips behind it. `None` where no tile can be shown to be full.
fn full_tiles(tiling: &Tiling, executed: &Executed, depth: usize, b: &Budget) -> Outcome<Option<Set>> {
    let n_params = executed.params().len();
    let n_outer = n_params + depth;
    let n = tiling.sizes.len();
    let mut full = Conj::universe(n_outer + n);
    let is_strip = tiling.sizes.iter().filter(|size| **size > 1).count() == 1;
    let mut in_some_points = Vec::new();
    for relation in executed.relations() {
        let [piece] = relation.pieces() else { return Ok(None) };
        let statement = relation.range_tuple();
        let mut points = piece.insert_vars(n_outer, n);
        for (position, functions) in tiling.points.affs().iter().enumerate() {
            let function = functions.extract(statement);
            let mut cases = function.pieces();
            let (Some((_, function)), None) = (cases.next(), cases.next()) else {
                return Ok(None);
            };
            let function = function.align_params(executed.params());
            let mut row = embed(&function, n_params, depth + n, &mut points);
            row[1 + n_outer + position] = -function.den();
            points.add_eq(row);
        }
        let mut shape = points.eliminate_rational(n_outer + n, statement.n(), b)?;
        for position in 0..n {
            // Divisions of a point are projected out one variable at a time, each brought to the end in turn.
            let last = n_outer + n - 1;
            let variable = n_outer + position;
            let swap = move |old: usize| match old {
                old if old == variable => last,
                old if old == last => variable,
                old => old,
            };
            shape = without_divs_on_last(&shape.remap(n_outer + n, swap), b)?.remap(n_outer + n, swap);
        }
        match least_over_tile(&shape, tiling, n_outer) {
            Some(tiles) => full = full.intersect(&tiles),
            None if is_strip => in_some_points.push(shape),
            None => return Ok(None),
        }
    }
    if in_some_points.len() == executed.relations().len() {
        return Ok(None);
    }
    for shape in in_some_points {
        let mut beside = None;
        for side in tiles_beside(&shape, tiling, n_outer) {
            let both = full.intersect(&side);
            if beside.is_none() && !both.is_empty(b)? {
                beside = Some(both);
            }
        }
        match beside {
            Some(both) => full = both,
            None => return Ok(None),
        }
    }
    let full = Set::from_conj(schedule_space(executed.params(), depth + n), full);
    Ok((!full.is_empty(b)?).then_some(full))
}

/// The tiles for none of whose points an equality on points holds, as its function is above zero in all of them, or below.
fn tiles_beside(shape: &Conj, tiling: &Tiling, n_outer: usize) -> Vec<Conj> {
    let mut sides = Vec::new();
    for equality in shape.eqs() {
        let has_divs = equality[1 + shape.n_vars()..].iter().any(|c| !c.is_zero());
        for sign in [Int::ONE, -Int::ONE].into_iter().filter(|_| !has_divs) {
            let mut row: Row = equality[..=shape.n_vars()].iter().map(|c| c * &sign).collect();
            row[0] -= &Int::ONE;
            let mut side = Conj::universe(shape.n_vars());
            side.add_ineq(row);
            sides.extend(least_over_tile(&side, tiling, n_outer));
        }
    }
    sides
}

/// The tiles for all of whose points the constraints on points hold: each inequality at its least over the tile.
fn least_over_tile(shape: &Conj, tiling: &Tiling, n_outer: usize) -> Option<Conj> {
    let columns = |position: usize| 1 + n_outer + position;
    let scaled = |row: &Row| {
        let mut result = row.clone();
        for (position, size) in tiling.sizes.iter().enumerate() {
            result[columns(position)] = &row[columns(position)] * &Int::from(*size);
        }
        result
    };
    let thick = |row: &Row| {
        let sizes = tiling.sizes.iter().enumerate();
        sizes
            .filter(|(_, size)| **size > 1)
            .any(|(k, _)| !row[columns(k)].is_zero())
    };
    if shape.eqs().iter().any(thick) {
        return None;
    }
    let mut tiles = shape.map_constraints(|row, equality| {
        let mut least = scaled(row);
        for (position, size) in tiling.sizes.iter().enumerate() {
            if !equality && row[columns(position)].is_neg() {
                least[0].add_mul(&row[columns(position)], &Int::from(size - 1));
            }
        }
        Some(least)
    });
    tiles.simplify().then_some(tiles)
}
