//! Loop distribution: each child of a band gets an innermost loop of its own.
//!
//! `[i, j] { S; T }` becomes `[i] { [j] S; [j] T }`. All of `S` in a row comes before all of `T`, so that neither loop
//! carries what goes from one statement to the other.

use farkas_polyhedral::tree::{Band, Filter, Node, Share};

use super::has_band;
use crate::analysis::linear::Statements;

/// Whether there is something to distribute: several children without loops of their own, below at least two members.
pub(crate) fn is_distributable(band: &Band) -> bool {
    let Node::Sequence(children) = &band.child else {
        return false;
    };
    children.len() > 1 && band.n() > 1 && !children.iter().any(|child| has_band(&child.child))
}

/// The node with the last member of the band in each child.
pub(crate) fn distributed(band: &Band, statements: &Statements) -> Node {
    let Node::Sequence(children) = &band.child else {
        return Node::band(band.clone());
    };
    let last = band.n() - 1;
    let inner = |filter: &Filter| {
        let own = band
            .select(&[last])
            .restricted(|tuple| filter.share(tuple) != Share::Nothing);
        let mut own = own.with_permutable(true).with_child(filter.child.clone());
        // The checker has the last word on this.
        let reduces = own.statements().any(|tuple| statements[tuple].reduces);
        own.members_mut()[0].coincident = !reduces;
        filter.with_child(Node::band(own))
    };
    let inner: Vec<Filter> = children.iter().map(inner).collect();
    let front: Vec<usize> = (0..last).collect();
    Node::band(band.select(&front).with_child(Node::Sequence(inner)))
}
