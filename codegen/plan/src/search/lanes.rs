//! Candidates with vector lanes along a loop of a band.
//!
//! Lanes pay where the innermost loop waits for itself from iteration to iteration, as in a strict floating-point sum: each lane
//! has a sum of its own. Where the innermost loop carries nothing, LLVM vectorizes it, which lanes along another loop do not
//! improve on.
//!
//! Example: `s[i] += A[i][j] * x[j]` with `j` innermost has lanes along `i`, in strips of one vector and of two, which run side by
//! side. In a product of matrices with `k` innermost, lanes are along `j`, or along `i`, and the other one is jammed: a tile of
//! `C` stays in registers.

use crate::analysis::lanes::lanes;
use crate::analysis::linear::{Stride, direction, linear_part};
use crate::choices::Vectorize;
use crate::cost::Model;
use crate::transform::function_of;
use crate::transform::vectorize::Lanes;
use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::sets::Tuple;
use farkas_polyhedral::tree::Band;

/// At most so many vectors in a strip: with more, registers are short.
const MOST_VECTORS: u32 = 2;
/// Where another loop is jammed there are copies enough, and a strip has no more lanes than this if it has several vectors: products
/// of transposed matrices of 50, 400 and 1003 rows take 1.05 to 1.3 times as long with two vectors of 8 and 4 rows as with one vector,
/// and 1.2 times as long with one vector of 4 lanes and 8 rows as with two and 4 rows.
pub(super) const JAMMED_STRIP: u32 = 8;

/// A loop that becomes lanes, and the loops that are jammed with it.
pub(super) struct Strip {
    pub(super) lanes: Lanes,
    pub(super) jam: Vec<usize>,
}

/// The strips of a band to consider. By force, the outermost loop that may have lanes has them.
pub(super) fn strips(model: &Model<'_>, band: &Band, choice: Vectorize) -> Vec<Strip> {
    let last = band.n() - 1;
    if band.n() > 1 && !band.permutable || choice == Vectorize::Never {
        return Vec::new();
    }
    let Some(lanes) = lanes(model.program, model.target, band.statements()) else {
        return Vec::new();
    };
    let mut members = (0..=last).filter(|member| may_be_lanes(model, band, *member));
    if choice == Vectorize::Force {
        let strip = |member| Strip {
            lanes: Lanes {
                member,
                lanes,
                vectors: 1,
            },
            jam: Vec::new(),
        };
        return members.next().map(strip).into_iter().collect();
    }
    if band.members()[last].coincident {
        return Vec::new();
    }
    let mut strips = Vec::new();
    for member in members {
        let others = (0..last).filter(|other| *other != member && band.members()[*other].coincident);
        let jammed: Vec<usize> = others.take(1).collect();
        let jams = match jammed.is_empty() {
            true => vec![Vec::new()],
            false => vec![Vec::new(), jammed],
        };
        for jam in jams {
            let most = match jam.is_empty() {
                true => MOST_VECTORS,
                false => (JAMMED_STRIP / lanes).clamp(1, MOST_VECTORS),
            };
            strips.extend((1..=most).map(|vectors| Strip {
                lanes: Lanes { member, lanes, vectors },
                jam: jam.clone(),
            }));
        }
    }
    strips
}

/// Whether iterations of a loop may be lanes: it carries nothing, and each writes to elements of its own.
fn may_be_lanes(model: &Model<'_>, band: &Band, member: usize) -> bool {
    let moves = |tuple: &Tuple| {
        let statement = &model.statements[tuple];
        let Some(along) = along(band, tuple, member, statement.depth) else {
            return false;
        };
        let mut writes = statement.accesses.iter().filter(|access| access.writes);
        writes.all(|access| access.stride(&along) != Stride::Zero)
    };
    band.members()[member].coincident && band.statements().all(moves)
}

/// How an instance moves along a member of the band, if the band's members tell.
fn along(band: &Band, tuple: &Tuple, member: usize, depth: usize) -> Option<Row> {
    let rows: Option<Vec<Row>> = function_of(band, tuple).affs().iter().map(linear_part).collect();
    let rows = rows?;
    match rows.len() == depth {
        true => direction(&rows, member, depth),
        // Loops outside of the band stand still.
        false => Some(rows[member].clone()),
    }
}
