//! Lanes: neighbouring iterations of a loop, innermost or not, run side by side in a vector.
//!
//! The loop is strip-mined by the number of lanes, and the loop over a strip becomes the innermost one, under a `vector` mark:
//!
//! ```text
//! [i/8, j]            for (i = 0; i < n; i += 8)
//!   vector(8)           for (j = 0; j < n; j++)
//!   [i]                   s[i .. i + 7] += A[i .. i + 7][j] * x[j]
//! ```
//!
//! That is legal where the loop carries no dependence and the loops inside it could be interchanged with it. Each lane executes
//! its instances in the original order, so that a strict floating-point sum along `j` stays what it is.
//!
//! Where an array is consecutive along the innermost loop, `A[i][j]` above, a `block` mark says that so many iterations
//! of `j` go together: each lane loads its part of a row at once, and a square of lanes and iterations is transposed in
//! registers.
//!
//! An accumulator stays in registers along the innermost loop: LLVM sees that of one vector, but not that rows of a
//! matrix are apart, as several of them are where other loops are jammed. A `keep` mark says so.
//!
//! In [wavefronts](super::wavefront) lanes are skewed against the innermost loop, and hand on values: a `shift` mark says of which
//! arrays.
//!
//! With several vectors in a strip, and with other loops [jammed](super::jam), the copies are unrolled around the lanes. Full
//! strips are isolated, so that there are no conditions around vector code.
//!
//! An array that only the jammed rows and the innermost loop go through may be in a [buffer](super::pack), which all strips of a row read. The
//! rows are outside of the strips then:
//!
//! ```text
//! [i/8]                  for each 8 rows
//!   pack(A, A.S)           for (i) for (k) P[i mod 8][k] = A[i][k];
//!     [j/16, k]            for each strip of columns
//!       [i, j/8] unrolled    C[i][j .. j + 7] += P[i mod 8][k] * B[k][j .. j + 7];
//! ```

use super::jam::unjam;
use crate::analysis::lanes::Block;
use farkas_polyhedral::sets::Name;
use farkas_polyhedral::tree::{Band, Isolation, LoopKind, Mark, Member, Node};

/// A loop whose neighbouring iterations are lanes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// The member of the band.
    pub member: usize,
    /// The iterations in a vector: at least 2.
    pub lanes: u32,
    /// The vectors that are unrolled: at least 1.
    pub vectors: u32,
    /// How iterations of the innermost loop around go, where they do so in blocks. It is not the loop of the lanes.
    pub block: Option<Block>,
    /// The arrays of which elements stay in registers along the innermost loop.
    pub keep: Vec<Name>,
    /// The arrays of which lanes hand on elements along the innermost loop, against which they are skewed.
    pub shift: Vec<Name>,
    /// Whether a mask leaves out lanes where there are not as many iterations.
    pub masked: bool,
}

impl Lanes {
    /// The number of iterations in a strip.
    pub(crate) fn strip(&self) -> i64 {
        i64::from(self.lanes) * i64::from(self.vectors)
    }
}

/// `[a, b, c]` with lanes along `b` as `[a, b/8, c] { vector(8) [b] }`, where members in `jam` are unrolled by `factor`. With a `pack`
/// mark, loops over these go around all others, and the mark is between.
///
/// # Panics
///
/// If the band is not permutable and has several members, or the lanes are along a member of `jam`.
pub(crate) fn vectorized(points: &Band, lanes: &Lanes, (jam, factor): (&[usize], i64), pack: Option<Mark>) -> Node {
    let inside = inside_of_strips(points, lanes, jam, &Copies::Unrolled(jam), Vec::new());
    let around = |members: &[usize], inside| strips(points, members, (lanes, jam, factor), inside);
    let all: Vec<usize> = (0..points.n()).collect();
    match pack {
        None => around(&all, inside),
        Some(mark) => {
            let others: Vec<usize> = all.into_iter().filter(|member| !jam.contains(member)).collect();
            let packed = Node::Mark(mark, Box::new(around(&others, inside)));
            around(jam, packed)
        }
    }
}

/// Iterations of a loop that run side by side, with lanes, in all loops inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Jam {
    /// The member of the band.
    pub(crate) member: usize,
    /// The number of iterations.
    pub(crate) iterations: u32,
}

/// `[a, b] { .. }` with lanes along `b` as `[a, b/8] { vector(8) [b] { .. } }`: there may be other loops inside. With `a` jammed
/// it is `[a/4, b/8] { vector(8) [b] { jam(4) [a] { .. } } }`, with two vectors `[a, b/16] { jam(2) [b/8] { vector(8) [b] { .. } } }`. Each lane,
/// and each jammed iteration, has a copy of the `private` arrays.
///
/// # Panics
///
/// As [`vectorized`].
pub(crate) fn vectorized_around(points: &Band, lanes: &Lanes, jam: Option<Jam>, private: Vec<Name>) -> Node {
    let all: Vec<usize> = (0..points.n()).collect();
    let Some(Jam { member, iterations }) = jam else {
        let inside = inside_of_strips(points, lanes, &[], &Copies::Jammed, private);
        return strips(points, &all, (lanes, &[], 1), inside);
    };
    let jammed = points.select(&[member]).with_permutable(true);
    let mark = Mark::Jam {
        iterations,
        private: private.clone(),
    };
    let points = points
        .clone()
        .with_child(Node::Mark(mark, Box::new(Node::band(jammed))));
    let (jam, factor) = (&[member][..], i64::from(iterations));
    let inside = inside_of_strips(&points, lanes, jam, &Copies::Jammed, private);
    strips(&points, &all, (lanes, jam, factor), inside)
}

/// How iterations of a strip that are not in a vector run side by side.
enum Copies<'m> {
    /// Those of these members, and the vectors, are unrolled.
    Unrolled(&'m [usize]),
    /// The vectors are jammed, with all loops inside.
    Jammed,
}

/// The loops over members of a band: over the strips of the lanes, those of `factor` iterations of members in `jam`, and others as they are.
fn strips(points: &Band, members: &[usize], (lanes, jam, factor): (&Lanes, &[usize], i64), inside: Node) -> Node {
    let size = |member: &usize| match *member {
        member if member == lanes.member => lanes.strip(),
        member if jam.contains(&member) => factor,
        _ => 1,
    };
    let sizes: Vec<i64> = members.iter().map(size).collect();
    let mut strips = points.select(members).with_permutable(true).tiled(&sizes);
    strips.child = inside;
    Node::band(strips)
}

/// What is in a strip of lanes and of iterations of members in `jam`: its copies, around the lanes.
fn inside_of_strips(points: &Band, lanes: &Lanes, jam: &[usize], copies: &Copies<'_>, private: Vec<Name>) -> Node {
    assert!(!jam.contains(&lanes.member), "lanes are not jammed");
    let mut strip = points.select(&[lanes.member]).with_permutable(true);
    strip.members_mut()[0].kind = LoopKind::Default;
    let child = std::mem::replace(&mut strip.child, Node::Leaf);
    let mark = |band: Band| {
        let mark = Mark::Vector {
            lanes: lanes.lanes,
            masked: lanes.masked,
            private: private.clone(),
        };
        Node::Mark(mark, Box::new(Node::band(band)))
    };
    let mut inside = mark(strip.clone().with_child(child));
    let vectors = (lanes.vectors > 1).then_some(lanes.member);
    match copies {
        Copies::Unrolled(others) => {
            let members: Vec<usize> = others.iter().copied().chain(vectors).collect();
            if !members.is_empty() {
                let copies = unrolled(side_by_side(points, &members, lanes)).with_child(inside);
                // Skewed loops cannot change places with the rows.
                inside = match lanes.shift.is_empty() {
                    true => unjam(copies),
                    false => Node::band(copies),
                };
            }
        }
        Copies::Jammed => {
            if vectors.is_some() {
                let vectors = side_by_side(points, &[lanes.member], lanes).with_child(inside);
                let mark = Mark::Jam {
                    iterations: lanes.vectors,
                    private: private.clone(),
                };
                inside = Node::Mark(mark, Box::new(Node::band(vectors)));
            }
        }
    }
    if !lanes.keep.is_empty() {
        let arrays = lanes.keep.clone();
        inside = Node::Mark(Mark::Keep { arrays }, Box::new(inside));
    }
    if !lanes.shift.is_empty() {
        let arrays = lanes.shift.clone();
        inside = Node::Mark(Mark::Shift { arrays }, Box::new(inside));
    }
    if let Some(Block { iterations, arrays }) = &lanes.block {
        assert!(lanes.member < points.n() - 1, "blocks of lanes");
        let (iterations, arrays) = (*iterations, arrays.clone());
        inside = Node::Mark(Mark::Block { iterations, arrays }, Box::new(inside));
    }
    inside
}

/// The loops over the iterations of these members, or over the vectors of the member with lanes.
fn side_by_side(points: &Band, members: &[usize], lanes: &Lanes) -> Band {
    let size = |member: &usize| match *member == lanes.member {
        true => i64::from(lanes.lanes),
        false => 1,
    };
    let sizes: Vec<i64> = members.iter().map(size).collect();
    let copies = points.select(members).with_permutable(true).tiled(&sizes);
    copies.with_isolation(Isolation::Nothing)
}

fn unrolled(mut band: Band) -> Band {
    let members = band.members_mut().iter_mut();
    members.for_each(|member: &mut Member| member.kind = LoopKind::Unroll);
    band
}
