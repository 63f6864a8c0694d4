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
//! With several vectors in a strip, and with other loops [jammed](super::jam), the copies are unrolled around the lanes. Full
//! strips are isolated, so that there are no conditions around vector code.

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
}

impl Lanes {
    /// The number of iterations in a strip.
    pub(crate) fn strip(&self) -> i64 {
        i64::from(self.lanes) * i64::from(self.vectors)
    }
}

/// `[a, b, c]` with lanes along `b` as `[a, b/8, c] { vector(8) [b] }`, where members in `jam` are unrolled by `factor`.
///
/// # Panics
///
/// If the band is not permutable and has several members, or the lanes are along a member of `jam`.
pub(crate) fn vectorized(points: &Band, lanes: &Lanes, jam: &[usize], factor: i64) -> Node {
    assert!(!jam.contains(&lanes.member), "lanes are not jammed");
    let size = |member: usize| match member {
        member if member == lanes.member => lanes.strip(),
        member if jam.contains(&member) => factor,
        _ => 1,
    };
    let sizes: Vec<i64> = (0..points.n()).map(size).collect();
    let mut strip = points.select(&[lanes.member]).with_permutable(true);
    strip.members_mut()[0].kind = LoopKind::Default;
    let child = std::mem::replace(&mut strip.child, Node::Leaf);
    let mark = |band: Band| {
        let mark = Mark::Vector {
            lanes: lanes.lanes,
            private: Vec::new(),
        };
        Node::Mark(mark, Box::new(Node::band(band)))
    };
    let mut inside = mark(strip.clone().with_child(child));
    if lanes.vectors > 1 {
        let copies = strip
            .tiled(&[i64::from(lanes.lanes)])
            .with_isolation(Isolation::Nothing);
        inside = Node::band(unrolled(copies.with_child(inside)));
    }
    if !jam.is_empty() {
        let copies = points.select(jam).with_permutable(true);
        inside = Node::band(unrolled(copies.with_child(inside)));
    }
    let mut outer = points.clone().with_permutable(true).tiled(&sizes);
    outer.child = inside;
    Node::band(outer)
}

fn unrolled(mut band: Band) -> Band {
    let members = band.members_mut().iter_mut();
    members.for_each(|member: &mut Member| member.kind = LoopKind::Unroll);
    band
}
