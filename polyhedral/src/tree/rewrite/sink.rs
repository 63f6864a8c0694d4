//! Bands moved to the leaves.

use super::{RewriteError, Rewritten};
use crate::budget::Budget;
use crate::sets::MultiUnionPwAff;
use crate::tree::{Band, Isolation, Node, Path, Tree};

impl Tree {
    /// The tree with the band at `path` moved down to all leaves below it: instances are ordered by what is below the band
    /// first, and those that this leaves unordered by the band. What the band isolated is not isolated any more.
    ///
    /// # Errors
    ///
    /// If there is no band at `path`, the subtree below it is anchored, or an expansion below contracts to instances for
    /// which the band does not agree; or if the budget is spent.
    pub fn sink(&self, path: &Path, b: &Budget) -> Rewritten {
        let band = self.free_band(path)?;
        let own = band.clone().with_isolation(Isolation::Nothing).with_child(Node::Leaf);
        let sunk = sink(band.child.clone(), &own, path, b)?;
        Ok(self.replaced(path, sunk))
    }
}

fn sink(mut node: Node, band: &Band, path: &Path, b: &Budget) -> Result<Node, RewriteError> {
    let mut inner = None;
    if let Node::Leaf = node {
        return Ok(Node::band(band.clone()));
    }
    if let Node::Expansion(expansion) = &node {
        let Some(schedule) = pulled_back(band, expansion, b)? else {
            return Err(RewriteError::Blocked {
                path: path.clone(),
                kind: node.kind(),
            });
        };
        inner = Some(band.clone().with_schedule(schedule));
    }
    for child in node.children_mut() {
        let old = std::mem::replace(child, Node::Leaf);
        *child = sink(old, inner.as_ref().unwrap_or(band), path, b)?;
    }
    Ok(node)
}

/// The band's schedule on what is below the expansion.
fn pulled_back(
    band: &Band,
    expansion: &crate::tree::Expansion,
    b: &Budget,
) -> Result<Option<MultiUnionPwAff>, RewriteError> {
    Ok(band.schedule().pullback(&expansion.contraction, b)?)
}
