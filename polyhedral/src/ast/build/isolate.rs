//! Full tiles: where all of a tile's points are executed, the tile gets a version without conditions (P1 section 5.6).

use crate::ast::build::bounds::without_divs_on_last;
use crate::ast::build::region::{Region, difference};
use crate::ast::build::scope::{Scope, embed};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::Row;
use crate::sets::{Conj, Params};
use crate::tree::{Band, Isolation, Tiling};

/// The tiles of a band in which every statement is executed at every point, over parameters, the schedule dimensions
/// outside the band and the band's members. `None` where the band is not tiled or no tile can be shown to be full.
pub(super) fn full_tiles(band: &Band, scope: &Scope, params: &Params, b: &Budget) -> Outcome<Option<Conj>> {
    let Isolation::FullTiles(tiling) = &band.isolation else {
        return Ok(None);
    };
    if scope.partial_tile {
        return Ok(None);
    }
    let n_outer = params.len() + scope.depth();
    let n = band.n();
    let mut full = Conj::universe(n_outer + n);
    for executed in &scope.executed {
        let [piece] = &executed.pieces[..] else { return Ok(None) };
        let mut points = piece.insert_vars(n_outer, n);
        for (position, functions) in tiling.points.affs().iter().enumerate() {
            let function = functions.extract(&executed.statement);
            let mut cases = function.pieces();
            let (Some((_, function)), None) = (cases.next(), cases.next()) else {
                return Ok(None);
            };
            let function = function.align_params(params);
            let (mut row, _) = embed(&function, params.len(), scope.depth() + n, &mut points);
            row[1 + n_outer + position] = -function.den();
            points.add_eq(row);
        }
        let n_dims = executed.statement.n();
        let mut shape = points.eliminate_rational(n_outer + n, n_dims, b)?;
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
            None => return Ok(None),
        }
    }
    Ok((!full.is_empty(b)?).then_some(full))
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
        tiling
            .sizes
            .iter()
            .enumerate()
            .any(|(k, size)| *size > 1 && !row[columns(k)].is_zero())
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

/// The regions cut in those that may hold full tiles and those that cannot. `full` is over the schedule space with the
/// regions' dimension.
pub(super) fn split(regions: Vec<Region>, full: &Conj, scope: &Scope, b: &Budget) -> Outcome<Vec<Region>> {
    let mut result = Vec::new();
    for region in regions {
        let Some(inside) = region.restricted(full, scope, b)? else {
            result.push(region.without_full_tiles());
            continue;
        };
        result.push(inside);
        for part in region.parts() {
            for outside in difference(&part.shape, full, scope, b)? {
                let piece = region.part_only(part).restricted(&outside, scope, b)?;
                result.extend(piece.map(Region::without_full_tiles));
            }
        }
    }
    Ok(result)
}
