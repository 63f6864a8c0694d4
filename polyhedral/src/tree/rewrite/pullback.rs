//! Other instances in the place of those of a tree.

use super::{RewriteError, Rewritten};
use crate::budget::{Budget, Outcome};
use crate::sets::{UnionPwMultiAff, UnionSet};
use crate::tree::{Isolation, Node, Path, Tiling, Tree};

impl Tree {
    /// The tree over the instances `{ y : f(y) in domain }` that executes `y` where it executed `f(y)`.
    ///
    /// # Errors
    ///
    /// If there are expansions or extensions in the tree; if `f` takes an instance to several ones for which a band differs; or
    /// if the budget is spent.
    pub fn pullback(&self, f: &UnionPwMultiAff, b: &Budget) -> Rewritten {
        let preimage = |set: &UnionSet| -> Outcome<UnionSet> { set.apply(&f.to_union_map().reverse(), b) };
        let mut tree = self.clone();
        tree.domain = preimage(&self.domain)?;
        for path in self.paths() {
            if let Some(node) = tree.at_mut(&path) {
                pull_back(node, &path, f, &preimage, b)?;
            }
        }
        Ok(tree)
    }
}

fn pull_back(
    node: &mut Node,
    path: &Path,
    f: &UnionPwMultiAff,
    preimage: &dyn Fn(&UnionSet) -> Outcome<UnionSet>,
    b: &Budget,
) -> Result<(), RewriteError> {
    let blocked = |kind| RewriteError::Blocked {
        path: path.clone(),
        kind,
    };
    match node {
        Node::Band(band) => {
            let Some(schedule) = band.schedule().pullback(f, b)? else {
                return Err(blocked("band"));
            };
            let isolation = match &band.isolation {
                Isolation::FullTiles(tiling) => match tiling.points.pullback(f, b)? {
                    Some(points) => Isolation::FullTiles(Tiling {
                        points,
                        sizes: tiling.sizes.clone(),
                    }),
                    None => return Err(blocked("isolation")),
                },
                other => other.clone(),
            };
            **band = (**band).clone().with_schedule(schedule).with_isolation(isolation);
        }
        Node::Filter(filter) => filter.filter = preimage(&filter.filter)?,
        Node::Sequence(children) | Node::Set(children) => {
            for child in children {
                child.filter = preimage(&child.filter)?;
            }
        }
        Node::Expansion(_) | Node::Extension(..) => return Err(blocked(node.kind())),
        Node::Guard(..) | Node::Context(..) | Node::Mark(..) | Node::Leaf => {}
    }
    Ok(())
}
