//! Scalar replacement: elements that each iteration of a loop has of its own stay in registers between their first load and their last store.
//!
//! ```text
//! for (q) for (k < 3) for (i = k + 1..3) {
//!   a[q][i][k] /= a[q][k][k];
//!   for (j = k + 1..3) a[q][i][j] -= a[q][i][k] * a[q][k][j];      9 elements of `a` for each `q`, in 24 accesses
//! }
//! ```
//!
//! Once all loops inside of that over `q` are [unrolled](super::unrolled_bodies), the elements differ by constants, and LLVM sees which loads read
//! what is stored before. Stores to other arrays in between might overwrite what is loaded again, as nothing is known of where these are.

use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::{Row, dot};
use farkas_polyhedral::program::{ElementType, OperationClass};
use farkas_polyhedral::sets::{ByTuple, Tuple};

use super::Model;
use super::throughput::widest;
use crate::analysis::estimate::{constant_ranges, float};
use crate::analysis::levels::LoopId;
use crate::analysis::linear::{Factors, LinearAccess, Stride};
use crate::analysis::nest::{Nest, NestLoop};

/// An array whose elements are replaced by scalars.
pub(super) struct Replaced {
    pub(super) array: Tuple,
    /// How many elements an iteration accesses.
    elements: f64,
    /// Whether each of them follows the one of the iteration before in memory.
    is_consecutive: bool,
}

/// How an access moves along the loops outside of a body, subscript by subscript for each loop.
type Moves = Vec<Vec<Int>>;

/// What all accesses to an array that is replaced by scalars have in common.
#[derive(PartialEq)]
struct Place<'a> {
    moves: Moves,
    parameters: Vec<&'a Factors>,
}

impl Model<'_> {
    /// The array that the statements in a loop update element by element, if they write no other one in memory, but those that are `promoted`.
    pub(super) fn replaced_by_scalars(
        &self,
        (around, statements): (LoopId, &[Tuple]),
        promoted: &[Tuple],
        nests: &ByTuple<Nest>,
    ) -> Option<Replaced> {
        let mut written = statements.iter().flat_map(|tuple| {
            let accesses = self
                .statement_of(tuple)
                .accesses
                .iter()
                .zip(&self.statements[tuple].accesses);
            let stores = accesses.filter(|(access, linear)| linear.writes && self.in_memory(access));
            stores
                .map(|(_, linear)| &linear.array)
                .filter(|array| !promoted.contains(array))
        });
        let array = written.next()?;
        if !written.all(|other| other == array) {
            return None;
        }
        let mut accessed = 0.0;
        // The box around the elements of an iteration.
        let mut extents: Vec<(f64, f64)> = Vec::new();
        let mut place: Option<Place<'_>> = None;
        let mut is_consecutive = true;
        for tuple in statements {
            let nest = &nests[tuple];
            let (outer, inner) = nest.loops.split_at(nest.position_of(around)? + 1);
            let copies: f64 = inner.iter().map(|l| l.trips).product();
            let own = self.statements[tuple]
                .accesses
                .iter()
                .filter(|access| access.array == *array);
            for access in own {
                accessed += copies;
                let own = self.extents_in_body(tuple, access, outer)?;
                extents.resize(own.len(), (f64::INFINITY, f64::NEG_INFINITY));
                for (all, own) in extents.iter_mut().zip(own) {
                    *all = (all.0.min(own.0), all.1.max(own.1));
                }
                let own = place_of(access, outer)?;
                match &place {
                    Some(place) if *place != own => return None,
                    Some(_) => {}
                    None => place = Some(own),
                }
                let along = outer.last()?.direction.as_ref()?;
                is_consecutive &= access.stride(along) == Stride::Unit;
            }
        }
        let elements: f64 = extents.iter().map(|(least, most)| most - least + 1.0).product();
        let is_own = place?.moves.last()?.iter().any(|by| !by.is_zero());
        // Each element is loaded once and stored once.
        (is_own && accessed > 2.0 * elements).then_some(Replaced {
            array: array.clone(),
            elements,
            is_consecutive,
        })
    }

    /// The least and the greatest of each subscript of an access in an iteration of the innermost loop of `outer`, from where that begins.
    fn extents_in_body(&self, tuple: &Tuple, access: &LinearAccess, outer: &[NestLoop]) -> Option<Vec<(f64, f64)>> {
        let ranges = constant_ranges(self.domain(tuple));
        let stays = |dim: usize| {
            let mut directions = outer.iter().filter_map(|l| l.direction.as_ref());
            directions.all(|along| along[dim].is_zero())
        };
        let extent = |(row, constant): (&Row, &f64)| {
            let mut extent = (*constant, *constant);
            for dim in (0..row.len()).filter(|dim| stays(*dim)) {
                // Counters begin at 0.
                match float(&row[dim]) {
                    0.0 => {}
                    up if up > 0.0 => extent.1 += up * (ranges[dim]? - 1.0),
                    down => extent.0 += down * (ranges[dim]? - 1.0),
                }
            }
            Some(extent)
        };
        access.subscripts()?.iter().zip(&access.constants).map(extent).collect()
    }

    /// Cycles of an iteration to load and store what is replaced by scalars, in vectors of so many lanes.
    pub(super) fn loads_and_stores(&self, replaced: &Replaced, tuple: &Tuple, lanes: u32) -> f64 {
        let lanes = if replaced.is_consecutive { lanes } else { 1 };
        let ty = ElementType::Float(widest(self.statement_of(tuple)));
        let cycles = |class| {
            let per_cycle = self.target.operations.cost(class, ty, lanes).per_cycle;
            replaced.elements / (per_cycle * f64::from(lanes))
        };
        cycles(OperationClass::Load).max(cycles(OperationClass::Store))
    }
}

/// Where an access is for each iteration of loops; `None` where its subscripts are not affine, or a loop moves in several ways.
fn place_of<'a>(access: &'a LinearAccess, outer: &[NestLoop]) -> Option<Place<'a>> {
    let rows = access.subscripts().filter(|_| !access.is_in_pieces)?;
    let along = |l: &NestLoop| {
        let direction = l.direction.as_ref()?;
        Some(rows.iter().map(|row| dot(row, direction)).collect())
    };
    Some(Place {
        moves: outer.iter().map(along).collect::<Option<Moves>>()?,
        parameters: (0..rows.len()).map(|k| access.parameters(k)).collect(),
    })
}
