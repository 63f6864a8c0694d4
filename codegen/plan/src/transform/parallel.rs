//! Loops that run on threads: a mark above one of a band's members, `j` of `[i, j]` here, or above two whose iterations overlap.
//!
//! ```text
//! first:  parallel        inside:  [i]             pipeline:  pipeline
//!           [j, i]                   parallel                   [j, i]    rows j, in steps i
//!                                      [j]
//! ```

use farkas_polyhedral::tree::{Band, Mark, Node};

/// Which iterations of a band run at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parallel {
    /// Those of a member, which becomes the first one.
    First(usize),
    /// Those of a member, within those of the members before it.
    Inside(usize),
    /// Those of a member overlap in those of another one. Both become the first ones.
    Pipeline {
        /// The member whose iterations overlap.
        rows: usize,
        /// The other one.
        steps: usize,
    },
}

/// The band with the mark.
///
/// # Panics
///
/// If the band is not permutable, and members would change places.
pub(crate) fn parallel(band: &Band, parallel: Parallel, mark: Mark) -> Node {
    let marked = |band: Band| Node::Mark(mark.clone(), Box::new(Node::band(band)));
    match parallel {
        Parallel::First(0) => marked(band.clone()),
        Parallel::First(member) => {
            let others = (0..band.n()).filter(|other| *other != member);
            marked(band.permuted(&[member].into_iter().chain(others).collect::<Vec<_>>()))
        }
        Parallel::Pipeline { rows: 0, steps: 1 } => marked(band.clone()),
        Parallel::Pipeline { rows, steps } => {
            let others = (0..band.n()).filter(|other| ![rows, steps].contains(other));
            marked(band.permuted(&[rows, steps].into_iter().chain(others).collect::<Vec<_>>()))
        }
        Parallel::Inside(member) => {
            let mut outer = band.split(member);
            let inner = std::mem::replace(&mut outer.child, Node::Leaf);
            Node::band(outer.with_child(Node::Mark(mark, Box::new(inner))))
        }
    }
}
