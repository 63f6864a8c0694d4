//! Strips of a loop around a band: what threads share where few other iterations, or none, may run at the same time.
//!
//! ```text
//! for (i) for (j) s[j] += A[i][j];      parallel for (J) for (i) for (j = 128 J; j < 128 J + 128; j++) s[j] += A[i][j];
//! ```
//!
//! Within a strip the order is that of the band, so that accesses along it stay consecutive. Tiles may be longer than strips.

use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Aff, MultiUnionPwAff, PwAff, Tuple, UnionPwAff};
use farkas_polyhedral::tree::{Band, LoopKind, Mark, Member, Node, Tree};

use super::other_loops::{Change, changed};

/// The lengths of strips: long ones start fewer loops, short ones leave threads about the same number of them.
pub(super) const LENGTHS: [i64; 2] = [256, 64];

/// The tree with strips of so many iterations around each band whose last member, or tiles of another one, may be shared alone; `None` where
/// there is no such band.
pub(super) fn with_strips(tree: &Tree, length: i64) -> Option<Tree> {
    changed(tree, &|band| match strips(band, length) {
        Some(schedule) => {
            let coincident = Member {
                coincident: true,
                ..Member::default()
            };
            let strips = Band::new(schedule, Node::band(band.clone())).with_members(vec![coincident]);
            Change::To(Node::band(strips.with_permutable(true)))
        }
        None if band.members().iter().any(|member| member.coincident) => Change::Nothing,
        None => Change::Inside,
    })
}

/// The strips of the only member of a permutable band whose iterations may run at the same time, if it is the innermost loop, or one over
/// longer tiles.
fn strips(band: &Band, length: i64) -> Option<MultiUnionPwAff> {
    let mut coincident = (0..band.n()).filter(|member| band.members()[*member].coincident);
    let (member, None) = (coincident.next()?, coincident.next()) else {
        return None;
    };
    if !band.permutable || band.n() == 1 || band.members()[member].kind == LoopKind::Unroll {
        return None;
    }
    let is_innermost = member + 1 == band.n() && is_innermost(&band.child);
    let functions = &band.schedule().affs()[member];
    let parts: Option<Vec<PwAff>> = functions
        .pw_affs()
        .map(|part| {
            let mut pieces = part.pieces();
            let (Some((domain, aff)), None) = (pieces.next(), pieces.next()) else {
                return None;
            };
            let points = points(aff, is_innermost, length)?;
            Some(PwAff::new(domain.clone(), points.floor_div(&Int::from(length))))
        })
        .collect();
    let strips = UnionPwAff::from_parts(functions.params().clone(), parts?);
    Some(MultiUnionPwAff::new(Tuple::anonymous(1), vec![strips]))
}

/// What a member runs over: itself, if it is `innermost`, or what is in tiles that are longer than strips of this length.
fn points(member: &Aff, innermost: bool, length: i64) -> Option<Aff> {
    match member.as_floor_div() {
        Some((points, tile)) if !tile.is_one() => (tile.to_i64()? > length).then_some(points),
        _ => innermost.then(|| member.clone()),
    }
}

/// Whether there are no loops below but for jammed rows without lanes.
fn is_innermost(child: &Node) -> bool {
    match child {
        Node::Mark(Mark::Unjam { .. }, rows) => {
            !rows.any(&|node| matches!(node, Node::Mark(Mark::Vector { .. } | Mark::Jam { .. }, _)))
        }
        child => !child.any(&|node| matches!(node, Node::Band(_))),
    }
}
