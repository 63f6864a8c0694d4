//! Annotations of loops, by marks that speak of the loop above them.
//!
//! A mark below a band is below all loops of the band's last member in the AST, of which there may be several, or none
//! where the member has a single value. Each such loop gets the text of the mark as an annotation.
//!
//! The loops of the two members that a `pipeline` mark is above are annotated as [`ROWS`] and [`STEPS`].

use farkas_polyhedral::ast::{For, Hooks, Node, Place};
use farkas_polyhedral::tree::Mark;

/// The annotation of a loop whose iterations overlap.
pub const ROWS: &str = "rows";
/// The annotation of a loop in which an iteration of [`ROWS`] waits for the one before.
pub const STEPS: &str = "steps";

/// Annotates the loops of an AST.
#[derive(Default)]
pub(crate) struct Annotate {
    /// The loops that are being made, outermost first.
    open: Vec<Open>,
    /// The schedule dimensions of rows, outermost first.
    rows: Vec<usize>,
}

/// A loop that is being made.
struct Open {
    /// The schedule dimension that it counts.
    dim: usize,
    /// The marks directly below it.
    marks: Vec<Mark>,
}

impl Hooks for Annotate {
    fn before_for(&mut self, place: &Place) {
        let dim = place.depth();
        // A loop that was begun may not have come to be.
        self.open.retain(|open| open.dim < dim);
        self.open.push(Open { dim, marks: Vec::new() });
    }

    fn after_for(&mut self, node: &mut For, place: &Place) {
        let dim = place.depth();
        self.open.retain(|open| open.dim <= dim);
        let own = self.open.pop().expect("a loop is begun before it is made");
        let marks = own.marks.iter().map(|mark| mark.to_string().as_str().into());
        node.annotations.extend(marks);
        if self.rows.contains(&dim) {
            node.annotations.push(ROWS.into());
        }
        if dim > 0 && self.rows.contains(&(dim - 1)) {
            node.annotations.push(STEPS.into());
        }
    }

    fn before_mark(&mut self, mark: &Mark, place: &Place) {
        if let Mark::Pipeline { .. } = mark {
            self.rows.retain(|rows| *rows < place.depth());
            self.rows.push(place.depth());
        }
        if !matches!(mark, Mark::Block { .. } | Mark::Keep { .. } | Mark::Shift { .. }) {
            return;
        }
        if let Some(open) = self.open.iter_mut().find(|open| open.dim + 1 == place.depth())
            && !open.marks.contains(mark)
        {
            open.marks.push(mark.clone());
        }
    }

    fn after_mark(&mut self, mark: &Mark, _body: &mut Node, place: &Place) {
        if let Mark::Pipeline { .. } = mark {
            self.rows.retain(|rows| *rows < place.depth());
        }
    }
}
