//! Short loops inside of parallel ones.
//!
//! Rows that fill no register tile are executed in the order of those that do:
//!
//! ```text
//! for (j = 0; j < m; j++)              parallel
//!   for (i = 4 * (n / 4); i < n; i++)  parallel, at most 3 iterations
//!     S(i, j);
//! ```
//!
//! LLVM vectorizes innermost loops, of which this one is too short. Here the parallel loop is put inside. All instances in two parallel
//! loops are independent of each other, and each is executed as a whole, so that any order of the two is right. The bounds of the short
//! loop promise nothing where the parallel one has no iterations, so that its entry is a condition around both.

use farkas_polyhedral::ast::{For, IterId, Node, Upper};

use super::Emitter;
use super::hints::is_short;
use super::subtree::has_loop;

impl Emitter<'_, '_, '_> {
    /// Emits the short loop with this one inside.
    pub(super) fn short_loop(&mut self, node: &For, swapped: &For) {
        if self.trip_counts[node.iter.0].is_entered {
            return self.scalar_loop(swapped);
        }
        let bounds = self.bounds(node, &self.iters);
        let scope = self.values.scope();
        let behind = self.where_entered("farkas.entered", bounds);
        self.scalar_loop(swapped);
        self.go_on_behind(behind);
        drop(scope);
    }

    /// The loop inside of the short one that is its body, if that may be, and leaves no loop inside.
    pub(super) fn inside_of_short_loop(&self, node: &For) -> Option<For> {
        let Node::For(short) = only(&node.body) else {
            return None;
        };
        let (own, inner) = (self.trip_counts[node.iter.0], self.trip_counts[short.iter.0]);
        let is_plain = |l: &For| l.coincidence.allows_any_order() && l.annotations.is_empty();
        let may_be_swapped = self.lanes.is_none()
            && self.parallel.is_none()
            && is_plain(node)
            && is_plain(short)
            && !depends_on(short, node.iter)
            && matches!(node.upper, Upper::AtMost(_))
            && !has_loop(&short.body);
        (may_be_swapped && is_short(inner) && !is_short(own)).then(|| {
            let mut inside = node.clone();
            inside.body = short.body.clone();
            let mut outside = For::clone(short);
            outside.body = Node::For(Box::new(inside));
            outside
        })
    }
}

/// The only node of a block.
fn only(node: &Node) -> &Node {
    match node {
        Node::Block(nodes) => match &nodes[..] {
            [one] => only(one),
            _ => node,
        },
        _ => node,
    }
}

/// Whether bounds depend on an iterator.
fn depends_on(node: &For, iter: IterId) -> bool {
    let upper = match &node.upper {
        Upper::AtMost(upper) => upper.mentions(iter),
        Upper::While(_) | Upper::Unbounded => true,
    };
    upper || node.lower.mentions(iter)
}
