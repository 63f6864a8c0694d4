//! Candidates with a packed tile of an array.
//!
//! Packing pays where the innermost loop goes from row to row of an array, which nothing writes, and another loop reads the same elements
//! again and again, for sizes that are known. LLVM vectorizes that loop over the buffer, and rows and columns are jammed as in any register tile.
//!
//! Example: in `C[i][j] += A[i][k] * B[j][k]` with `j` innermost, tiles of `B` have 32 x 128 elements of 8 bytes. They are copied once for
//! 256 rows of `C`.
//!
//! The rows of a [register tile](super::register_tiles) are packed where a factor is computed of an element alone, as in
//! `C[i][j] += alpha * A[i][k] * B[k][j]`: the strips of columns, which all read the rows, would compute it again.

use farkas_polyhedral::budget::Outcome;
use farkas_polyhedral::linalg::unit;
use farkas_polyhedral::program::AccessId;
use farkas_polyhedral::sets::{Name, Tuple};
use farkas_polyhedral::tree::{Band, Path};

use super::Candidate;
use super::band::{Search, outer_functions};
use super::lanes::{Strip, along};
use super::tile_sizes::{OUTER, TileSizes};
use super::variant::{FACTOR, Variant};
use crate::analysis::linear::{LinearAccess, LinearStatement, Stride};
use crate::choices::Pack;
use crate::cost::operand;
use crate::transform::interchange::Outer;
use crate::transform::jam::members_with_reuse;

/// The bytes of a buffer, at the most: it is on the stack, and stays in the first two caches.
const BUFFER: i64 = 32 << 10;
/// The size of tiles in the innermost loop.
const NEIGHBOURS: i64 = 128;
/// The bytes of a row of the array in a tile: a few lines.
const ROW: i64 = 256;
/// The size of tiles in the loop that reads the same elements again: what is copied counts for little then.
const REUSE: i64 = 256;

/// Loops are known to have so many iterations. Less are done sooner in lanes. (Measured on Zen 4 with a transposed matrix: 0.66 to 0.94 of
/// the speed of lanes with 24 to 64 rows, 1.0 to 1.2 of it from 80 rows on.)
const LEAST: f64 = 80.0;

/// How a loop goes through an array.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Along {
    /// It reads the same elements again.
    Reuse,
    /// It reads others.
    Move,
}

impl Search<'_> {
    /// Adds the variants with a packed tile of each order.
    pub(super) fn add_packed(
        &self,
        path: &Path,
        orders: &[(usize, Band)],
        candidates: &mut Vec<Candidate>,
    ) -> Outcome<()> {
        if !self.may_pack() {
            return Ok(());
        }
        for (innermost, base) in orders {
            let outer = outer_functions(self.tree, path, base, &self.around);
            for (array, loops) in self.packable(base, &outer) {
                let Some(tile) = self.tile_of_packed(&array, &loops) else {
                    continue;
                };
                let jam = members_with_reuse(base, &outer, &self.model.statements, Some(&array));
                let variant = Variant {
                    tile: Some(tile),
                    factor: if jam.is_empty() { 1 } else { FACTOR },
                    jam,
                    pack: Some(array),
                    ..Variant::plain(*innermost)
                };
                candidates.extend(self.priced(path, base, variant)?);
            }
        }
        Ok(())
    }

    /// The arrays of which the rows of a register tile may be packed: the strips of a row read the same elements, and what is computed of each
    /// alone is computed once then.
    pub(super) fn operands_to_pack(&self, (base, outer): (&Band, &Outer), strip: &Strip) -> Vec<Name> {
        let mut statements = base.statements();
        let (Some(tuple), None) = (statements.next(), statements.next()) else {
            return Vec::new();
        };
        if !self.may_pack() || !self.is_straight(tuple) {
            return Vec::new();
        }
        let statement = self.model.statement_of(tuple);
        let linear = &self.model.statements[tuple];
        let Some(along_lanes) = along(base, outer, tuple, strip.lanes.member, linear.depth) else {
            return Vec::new();
        };
        let packable = |(position, access): (usize, &LinearAccess)| {
            let is_shared = access.stride_of_lanes(&along_lanes) == Stride::Zero;
            let mut operations = statement.operations.iter();
            let has_operand = operations.any(|operation| operand(statement, AccessId(position), operation) > 0);
            let name = access.array.name().cloned();
            name.filter(|_| is_shared && has_operand && self.may_be_packed(access, linear))
        };
        linear.accesses.iter().enumerate().filter_map(packable).collect()
    }

    /// Whether variants of a band may have packed tiles.
    fn may_pack(&self) -> bool {
        self.choices.pack != Pack::Never && self.n_sunk == 0 && self.around.is_empty()
    }

    /// Whether an access is the only one of its statement to an array that nothing writes, and whose subscripts are counters.
    fn may_be_packed(&self, access: &LinearAccess, statement: &LinearStatement) -> bool {
        let mut others = statement.accesses.iter().filter(|other| other.array == access.array);
        let is_only_one = others.next().is_some() && others.next().is_none();
        let is_table = self.model.program.arrays[&access.array].table_dims > 0;
        is_only_one && !is_table && !self.model.is_written(&access.array) && has_plain_subscripts(access)
    }

    /// The arrays of which tiles may be packed in the loops of a band, and how each loop goes through the array.
    fn packable(&self, base: &Band, outer: &Outer) -> Vec<(Name, Vec<Along>)> {
        let is_forced = self.choices.pack == Pack::Force;
        let mut statements = base.statements();
        let (Some(tuple), None) = (statements.next(), statements.next()) else {
            return Vec::new();
        };
        let last = base.n() - 1;
        let is_vectorized = base.members()[last].coincident && base.n() > 2;
        let may_pay = is_forced || is_vectorized && self.has_long_loops(tuple);
        if !base.permutable || base.n() < 2 || !may_pay || !self.is_straight(tuple) {
            return Vec::new();
        }
        let linear = &self.model.statements[tuple];
        let packable = |access: &LinearAccess| {
            if !self.may_be_packed(access, linear) {
                return None;
            }
            let stride = |member| Some(access.stride(&along(base, outer, tuple, member, linear.depth)?));
            let strides: Vec<Stride> = (0..=last).map(stride).collect::<Option<_>>()?;
            let goes_through = |stride: &Stride| match stride {
                Stride::Zero => Along::Reuse,
                Stride::Unit | Stride::Other => Along::Move,
            };
            let loops: Vec<Along> = strides.iter().map(goes_through).collect();
            let pays = strides[last] == Stride::Other && loops.contains(&Along::Reuse);
            (is_forced || pays).then(|| Some((access.array.name()?.clone(), loops)))?
        };
        linear.accesses.iter().filter_map(packable).collect()
    }

    /// Whether the loops around a statement are known to be long, by constant bounds or a profile.
    fn has_long_loops(&self, tuple: &Tuple) -> bool {
        let known = |dim| self.model.known_length(tuple, &unit(tuple.n(), dim));
        let id = self
            .model
            .program
            .find_statement(tuple)
            .expect("a statement of the program");
        let counts = &self.model.program.statement(id).trip_counts;
        let length = |dim: usize| known(dim).or(counts[dim].map(|count| count as f64));
        (0..tuple.n()).all(|dim| length(dim).is_some_and(|length| length >= LEAST))
    }

    /// Whether an instance reads all that it reads in any case.
    fn is_straight(&self, tuple: &Tuple) -> bool {
        let id = self.model.program.find_statement(tuple);
        id.is_some_and(|id| self.model.program.statement(id).blocks == 1)
    }

    /// The sizes of tiles, powers of two; `None` where the buffer would be too large, or a loop is not to be tiled.
    fn tile_of_packed(&self, array: &Name, loops: &[Along]) -> Option<TileSizes> {
        let mut arrays = self.model.program.arrays.values();
        let array = arrays.find(|own| own.tuple.name() == Some(array))?;
        let element = i64::try_from(array.element_size).ok()?;
        let last = loops.len() - 1;
        let first_reuse = loops.iter().position(|own| *own == Along::Reuse);
        let size = |member: usize| match loops[member] {
            Along::Move if member == last => NEIGHBOURS,
            Along::Move => (ROW / element.max(1)).clamp(8, 64),
            Along::Reuse if Some(member) == first_reuse => REUSE,
            Along::Reuse => OUTER,
        };
        let sizes: Vec<i64> = match &self.choices.tile_sizes {
            Some(chosen) => chosen.of_band(loops.len())?.into_iter().collect::<Option<_>>()?,
            None => (0..=last).map(size).collect(),
        };
        let moving = sizes.iter().zip(loops).filter(|(_, own)| **own == Along::Move);
        let bytes = moving.map(|(size, _)| *size).try_fold(element, i64::checked_mul)?;
        let are_powers = sizes.iter().all(|size| size.count_ones() == 1);
        (are_powers && bytes <= BUFFER).then(|| sizes.into_iter().map(Some).collect())
    }
}

/// Whether each subscript is a dimension of its own, apart from a constant.
fn has_plain_subscripts(access: &LinearAccess) -> bool {
    let Some(subscripts) = access.subscripts() else {
        return false;
    };
    let mut seen = Vec::new();
    subscripts.iter().enumerate().all(|(position, row)| {
        let mut moving = (0..row.len()).filter(|dim| !row[*dim].is_zero());
        let (Some(dim), None) = (moving.next(), moving.next()) else {
            return false;
        };
        let is_new = !seen.contains(&dim);
        seen.push(dim);
        is_new && row[dim].is_one() && access.parameters(position).is_empty()
    })
}
