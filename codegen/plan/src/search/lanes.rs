//! Candidates with vector lanes along a loop of a band.
//!
//! Lanes pay where the innermost loop waits for itself from iteration to iteration, as in a strict floating-point sum: each lane
//! has a sum of its own. Where the innermost loop carries nothing, LLVM vectorizes it, which lanes along another loop do not
//! improve on, unless it gathers.
//!
//! Example: `s[i] += A[i][j] * x[j]` with `j` innermost has lanes along `i`, in strips of one vector and of two, which run side by
//! side. In a product of matrices with `k` innermost, lanes are along `j`, or along `i`, and the other one is jammed: a tile of
//! `C` stays in registers.
//!
//! Where an array is consecutive along the innermost loop, and apart along the lanes, there is a second candidate, in
//! which it is accessed in blocks. That is the only one where the innermost loop carries nothing and LLVM's vectors would gather or
//! scatter: `B[i][j] = A[j][i]` transposes blocks in registers.

use crate::analysis::lanes::{self, Block, MOST_ITERATIONS, are_masked, lanes};
use crate::analysis::linear::{LinearAccess, Stride, direction, linear_part};
use crate::analysis::shift::{self, Steps};
use crate::choices::Vectorize;
use crate::cost::Model;
use crate::search::kept::{Around, OtherElements, are_kept};
use crate::search::outer::has_holes;
use crate::search::register_tiles;
use crate::search::variant::FACTOR;
use crate::transform::function_of;
use crate::transform::interchange::Outer;
use crate::transform::vectorize::Lanes;
use crate::transform::wavefront::skewed;
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::linalg::{Row, unit};
use farkas_polyhedral::program::Access;
use farkas_polyhedral::sets::{Name, Tuple};
use farkas_polyhedral::tree::Band;
use indexmap::IndexMap;

/// At most so many vectors in a strip: with more, registers are short.
const MOST_VECTORS: u32 = 2;
/// Where another loop is jammed there are copies enough, and a strip has no more lanes than this if it has several vectors: products
/// of transposed matrices of 50, 400 and 1003 rows take 1.05 to 1.3 times as long with two vectors of 8 and 4 rows as with one vector,
/// and 1.2 times as long with one vector of 4 lanes and 8 rows as with two and 4 rows.
pub(super) const JAMMED_STRIP: u32 = 8;

/// The lanes of a strip in blocks at the most, in tiles of one statement, which are small: strips of 16 lanes leave more over at their ends than
/// they gain. (Measured on Sapphire Rapids, Cholesky's factorization of 500 to 1100 rows of `float`: 1.7 times the time of strips of 8 lanes,
/// `L D L^T` of 300 to 1000 rows 1.1 to 1.5.)
const MOST_IN_SMALL_TILES: u32 = MOST_ITERATIONS;

/// Across sums of counters, strips are parallelograms, with corners that are left out: a window has to be so many strips long. (Measured on Zen 3: a
/// polynomial times one of eight terms took 1.7 times as long in lanes.)
const STRIPS_ACROSS: f64 = 4.0;

/// The share of the registers that may hold blocks.
const REGISTERS_FOR_BLOCKS: f64 = 0.6;

/// A loop that becomes lanes, and the loops that are jammed with it.
pub(super) struct Strip {
    pub(super) lanes: Lanes,
    pub(super) jam: Vec<usize>,
    /// Whether these make a [register tile](super::register_tiles) of several vectors.
    pub(super) is_register_tile: bool,
}

/// What is known of a band with lanes.
#[derive(Clone, Copy)]
pub(super) struct Inside {
    /// Whether it has tiles of one statement only.
    pub(super) small_tiles: bool,
    /// What is known of the accesses of its statement, if it has one only.
    pub(super) others: OtherElements,
    /// Whether its innermost loop [carries nothing but anti-dependences](super::read_ahead) that lanes keep in order.
    pub(super) reads_ahead: bool,
}

impl Inside {
    /// Of a band as it is.
    pub(super) fn of_band(model: &Model<'_>, band: &Band, outer: &Outer, b: &Budget) -> Outcome<Inside> {
        let mut statements = band.statements();
        let others = match (statements.next(), statements.next()) {
            (Some(tuple), None) => {
                let inner = along(band, outer, tuple, band.n() - 1, model.statements[tuple].depth);
                match inner {
                    Some(inner) => OtherElements::of(model.statement_of(tuple), &inner, b)?,
                    None => OtherElements::default(),
                }
            }
            _ => OtherElements::default(),
        };
        Ok(Inside {
            small_tiles: false,
            others,
            reads_ahead: false,
        })
    }
}

/// The strips of a band to consider. By force, the outermost loop that may have lanes has them.
pub(super) fn strips(
    model: &Model<'_>,
    (band, outer): (&Band, &Outer),
    choice: Vectorize,
    inside: Inside,
) -> Vec<Strip> {
    let last = band.n() - 1;
    if band.n() > 1 && !band.permutable || choice == Vectorize::Never {
        return Vec::new();
    }
    let Some(lanes) = lanes(model.program, model.target, band.statements(), &|_| false) else {
        return Vec::new();
    };
    let masked = are_masked(model.program, model.target, band.statements());
    let is_coincident = |member: usize| band.members()[member].coincident;
    let may_be_lanes = |member: &usize| stores_apart(model, (band, outer), *member);
    let mut members = (0..=last).filter(|member| is_coincident(*member)).filter(may_be_lanes);
    let reading_ahead = (inside.reads_ahead && !is_coincident(last))
        .then_some(last)
        .filter(may_be_lanes);
    let one_vector = |member: usize| Strip {
        lanes: Lanes {
            member,
            lanes,
            vectors: 1,
            block: None,
            keep: Vec::new(),
            shift: Vec::new(),
            masked,
        },
        jam: Vec::new(),
        is_register_tile: false,
    };
    if choice == Vectorize::Force {
        let Some(member) = members.next() else {
            return reading_ahead.map(one_vector).into_iter().collect();
        };
        let plain = with_kept(model, (band, outer), one_vector(member), inside);
        return in_block(model, (band, outer), &plain, lanes)
            .into_iter()
            .chain([plain])
            .collect();
    }
    // Lanes next to each other have holes in different iterations: they go around the innermost loop (`outer.rs`).
    if band.statements().any(|tuple| has_holes(model, tuple)) {
        return Vec::new();
    }
    let lanes_in_blocks = match inside.small_tiles {
        true => lanes.min(MOST_IN_SMALL_TILES),
        false => lanes,
    };
    if is_coincident(last) {
        let long = members.filter(|member| has_so_many(model, (band, outer), *member, f64::from(lanes)));
        let transposing = long.filter(|member| gathers_along_innermost(model, (band, outer), *member));
        let in_block = |member| in_block(model, (band, outer), &one_vector(member), lanes_in_blocks);
        return transposing.filter_map(in_block).collect();
    }
    let mut strips = Vec::new();
    let members: Vec<usize> = members.collect();
    let kept = register_tiles::kept(model, (band, outer), &members);
    for member in members
        .into_iter()
        .filter(|member| has_so_many(model, (band, outer), *member, f64::from(lanes)))
    {
        let others = (0..last).filter(|other| *other != member && band.members()[*other].coincident);
        let others: Vec<usize> = others
            .filter(|other| has_so_many(model, (band, outer), *other, FACTOR as f64))
            .collect();
        let first = others.first().copied();
        // Iterations of the first one may have nothing in common, as those over the products of a batch.
        let shares_vectors = |other: &usize| register_tiles::are_possible(model, (band, outer), (member, *other), kept);
        let shared = others.into_iter().find(shares_vectors);
        let jams = [None]
            .into_iter()
            .chain(first.map(Some))
            .chain(shared.filter(|_| shared != first).map(Some));
        for jam in jams {
            let has_register_tiles = jam.is_some()
                && jam == shared
                && has_so_many(model, (band, outer), member, f64::from(register_tiles::VECTORS * lanes));
            let most = match jam {
                None => MOST_VECTORS,
                Some(_) if has_register_tiles => register_tiles::VECTORS,
                Some(_) => (JAMMED_STRIP / lanes).clamp(1, MOST_VECTORS),
            };
            for vectors in 1..=most {
                let plain = Strip {
                    lanes: Lanes {
                        vectors,
                        ..one_vector(member).lanes
                    },
                    jam: jam.into_iter().collect(),
                    is_register_tile: has_register_tiles && vectors == register_tiles::VECTORS,
                };
                let plain = with_kept(model, (band, outer), plain, inside);
                let in_block = in_block(model, (band, outer), &plain, lanes_in_blocks);
                strips.push(plain);
                strips.extend(in_block);
            }
        }
    }
    let reading_ahead = reading_ahead.filter(|member| has_so_many(model, (band, outer), *member, f64::from(lanes)));
    strips.extend(reading_ahead.into_iter().flat_map(|member| {
        (1..=MOST_VECTORS).map(move |vectors| {
            let one = one_vector(member);
            Strip {
                lanes: Lanes { vectors, ..one.lanes },
                ..one
            }
        })
    }));
    strips
}

/// Whether vectors along the innermost loop would gather or scatter what is consecutive along a member.
fn gathers_along_innermost(model: &Model<'_>, (band, outer): (&Band, &Outer), member: usize) -> bool {
    // Bounds by remainders are other ones in each iteration of a block.
    let mut pieces = band.statements().flat_map(|tuple| model.domain(tuple).pieces());
    if pieces.any(|piece| piece.n_divs() > 0) {
        return false;
    }
    band.statements().any(|tuple| {
        let statement = &model.statements[tuple];
        let moves = |member| along(band, outer, tuple, member, statement.depth);
        let Some((along_lanes, inner)) = moves(member).zip(moves(band.n() - 1)) else {
            return false;
        };
        let is_apart = |access: &LinearAccess| {
            access.stride_of_lanes(&inner) == Stride::Other && access.stride_of_lanes(&along_lanes) == Stride::Unit
        };
        statement.accesses.iter().any(is_apart)
    })
}

/// Whether a loop is expected to have so many iterations, with all others of the band at one each: fewer are all in the rest of a strip. A
/// window of a filter has not. Nor has the sum `x + r` with an offset `r` in a window, where `x` is another loop of the band.
pub(super) fn has_so_many(model: &Model<'_>, (band, outer): (&Band, &Outer), member: usize, iterations: f64) -> bool {
    let is_long = |tuple: &Tuple| {
        let Some(direction) = along(band, outer, tuple, member, model.statements[tuple].depth) else {
            return true;
        };
        let moving = (0..direction.len()).filter(|dim| !direction[*dim].is_zero());
        let length = moving.map(|dim| model.length(tuple, dim)).fold(f64::MAX, f64::min);
        let function = linear_part(&function_of(band, tuple).affs()[member]);
        let is_sum = function.is_some_and(|row| row.iter().filter(|c| !c.is_zero()).count() > 1);
        length >= if is_sum { STRIPS_ACROSS * iterations } else { iterations }
    };
    band.statements().any(is_long)
}

/// The strip of wavefronts along a member of a band, which is skewed against its last one: lanes that hand on what they access. `None`
/// where they hand on nothing, a statement stores to what is not apart, or the member is shorter than a strip.
pub(super) fn skewed_strip(model: &Model<'_>, (band, outer): (&Band, &Outer), member: usize) -> Option<Lanes> {
    let rows = lanes::skewed(model.program, model.target, band.statements())?;
    if !has_so_many(model, (band, outer), member, rows.rows() as f64) {
        return None;
    }
    let skewed = skewed(band, member);
    let mut shift: Vec<Name> = Vec::new();
    for tuple in skewed.statements() {
        let linear = &model.statements[tuple];
        let id = model.program.find_statement(tuple).expect("a statement of the program");
        let along_rows = along(&skewed, outer, tuple, member, linear.depth);
        let inner = along(&skewed, outer, tuple, band.n() - 1, linear.depth);
        let (along_rows, inner) = (along_rows?, inner?);
        let mut writes = linear.accesses.iter().filter(|access| access.writes);
        if writes.any(|access| access.stride_of_lanes(&along_rows) == Stride::Zero) {
            return None;
        }
        let steps = Steps {
            lanes: &along_rows,
            innermost: &inner,
        };
        for name in shift::arrays(model.program.statement(id), linear, steps) {
            if !shift.contains(&name) {
                shift.push(name);
            }
        }
    }
    (!shift.is_empty()).then(|| Lanes {
        member,
        lanes: rows.lanes,
        vectors: rows.vectors,
        block: None,
        keep: Vec::new(),
        shift,
        // Ends of strips run in the scalar order.
        masked: false,
    })
}

/// The strip with the arrays that stay in registers: all accesses in the band are by one statement, to [elements that are
/// kept](super::kept).
fn with_kept(model: &Model<'_>, (band, outer): (&Band, &Outer), strip: Strip, inside: Inside) -> Strip {
    let last = band.n() - 1;
    if strip.lanes.member == last {
        return strip;
    }
    let mut arrays: IndexMap<&Tuple, bool> = IndexMap::new();
    for tuple in band.statements() {
        let statement = &model.statements[tuple];
        let id = model.program.find_statement(tuple).expect("a statement of the program");
        let accesses = &model.program.statement(id).accesses;
        let moves = |member| along(band, outer, tuple, member, statement.depth);
        let members = strip.jam.iter().copied().chain([strip.lanes.member]);
        let (Some(inner), Some(moved)) = (moves(last), members.map(moves).collect::<Option<Vec<Row>>>()) else {
            return strip;
        };
        let mut seen: IndexMap<&Tuple, Vec<(&Access, &LinearAccess)>> = IndexMap::new();
        for (access, linear) in accesses.iter().zip(&statement.accesses) {
            seen.entry(access.array()).or_default().push((access, linear));
        }
        let full = strip.jam.is_empty() && !strip.lanes.masked;
        let around = Around { inner, moved, full };
        for (array, accesses) in seen {
            let kept = are_kept(model, &accesses, &around, inside.others);
            arrays.entry(array).and_modify(|kept| *kept = false).or_insert(kept);
        }
    }
    let kept = arrays.into_iter().filter(|(_, kept)| *kept);
    let keep = kept.filter_map(|(array, _)| array.name().cloned()).collect();
    Strip {
        lanes: Lanes { keep, ..strip.lanes },
        ..strip
    }
}

/// The strip, of so many lanes, with blocks of iterations of the innermost loop, as many as there are registers for; `None` if no array
/// has to gain by it. The checker has the last word on arrays that are written.
fn in_block(model: &Model<'_>, (band, outer): (&Band, &Outer), strip: &Strip, lanes: u32) -> Option<Strip> {
    let last = band.n() - 1;
    if strip.lanes.member == last {
        return None;
    }
    let mut arrays: Vec<Name> = Vec::new();
    let mut columns = 0;
    for tuple in band.statements() {
        let statement = &model.statements[tuple];
        let id = model.program.find_statement(tuple).expect("a statement of the program");
        let accesses = &model.program.statement(id).accesses;
        let moves = |member| along(band, outer, tuple, member, statement.depth);
        let (along_lanes, inner) = (moves(strip.lanes.member)?, moves(last)?);
        for (access, linear) in accesses.iter().zip(&statement.accesses) {
            let name = access.array().name().expect("an array has a name");
            if linear.stride_of_lanes(&along_lanes) != Stride::Other
                || linear.stride_of_lanes(&inner) != Stride::Unit
                || !model.in_memory(access)
            {
                continue;
            }
            // What one iteration stores and the next one loads is in no block.
            let is_carried = |(other, moved): (&Access, &LinearAccess)| {
                let is_shifted = moved.differs_by_constants(linear) && moved.constants != linear.constants;
                other.array() == access.array() && (moved.writes || linear.writes) && is_shifted
            };
            if accesses.iter().zip(&statement.accesses).any(is_carried) {
                continue;
            }
            columns += match strip
                .jam
                .iter()
                .any(|member| moves(*member).is_none_or(|jam| linear.stride_of_lanes(&jam) != Stride::Zero))
            {
                true => strip.lanes.vectors * FACTOR as u32,
                false => strip.lanes.vectors,
            };
            if !arrays.contains(name) {
                arrays.push(name.clone());
            }
        }
    }
    let iterations = block_size(model, lanes.min(MOST_ITERATIONS), columns)?;
    Some(Strip {
        lanes: Lanes {
            lanes,
            block: Some(Block { iterations, arrays }),
            ..strip.lanes.clone()
        },
        jam: strip.jam.clone(),
        is_register_tile: false,
    })
}

/// The most iterations of a block of which so many vectors each find a register; `None` if there is none, or nothing to
/// hold.
pub(super) fn block_size(model: &Model<'_>, most: u32, columns: u32) -> Option<u32> {
    let registers = f64::from(model.target.vector.registers) * REGISTERS_FOR_BLOCKS;
    let sizes = std::iter::successors(Some(most), |size| Some(size / 2));
    let mut sizes = sizes.take_while(|size| *size >= 2 && columns > 0);
    sizes.find(|size| f64::from(size * columns) <= registers)
}

/// Whether each iteration of a loop writes to elements of its own.
fn stores_apart(model: &Model<'_>, (band, outer): (&Band, &Outer), member: usize) -> bool {
    let moves = |tuple: &Tuple| {
        let statement = &model.statements[tuple];
        let Some(along) = along(band, outer, tuple, member, statement.depth) else {
            return false;
        };
        let mut writes = statement.accesses.iter().filter(|access| access.writes);
        writes.all(|access| access.stride_of_lanes(&along) != Stride::Zero)
    };
    band.statements().all(moves)
}

/// How an instance moves along a member of the band, if the band's members and the functions of the bands around it tell.
pub(super) fn along(band: &Band, outer: &Outer, tuple: &Tuple, member: usize, depth: usize) -> Option<Row> {
    let rows: Option<Vec<Row>> = function_of(band, tuple).affs().iter().map(linear_part).collect();
    let rows = rows?;
    if rows.len() == depth {
        return direction(&rows, member, depth);
    }
    // Loops outside of the band stand still. Those that are not known are taken to be over the dimensions that no other loop goes along.
    let around = outer.get(tuple).into_iter().flatten().filter_map(linear_part);
    let mut all: Vec<Row> = rows.iter().cloned().chain(around).collect();
    let open = (0..depth).filter(|dim| all.iter().all(|row| row[*dim].is_zero()));
    let open: Vec<Row> = open.map(|dim| unit(depth, dim)).collect();
    all.extend(open);
    direction(&all, member, depth).or_else(|| Some(rows[member].clone()))
}
