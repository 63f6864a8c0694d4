//! Instances scheduled as one.

use super::{RewriteError, Rewritten};
use crate::budget::{Budget, Outcome};
use crate::sets::{Aff, MultiUnionPwAff, Name, PwAff, Set, SetSpace, Tuple, UnionPwAff, UnionPwMultiAff, UnionSet};
use crate::tree::{Band, Expansion, Node, Path, Tree};

impl Tree {
    /// The tree in which the instances that reach the node at `path` with the same values of the outer members are one
    /// instance above it, `name[c_0, .., c_d]`, and an expansion is put above the node (P0 section 7.4). The order is the same.
    ///
    /// # Errors
    ///
    /// If there is no such node, or there is an expansion or an extension above it; or if the budget is spent.
    pub fn group(&self, path: &Path, name: Name, b: &Budget) -> Rewritten {
        let child = self.node(path)?.clone();
        // What is known of the parameters is of no use here.
        let everywhere = Set::universe(SetSpace::params_only(self.context.params().clone()));
        let plain = Tree {
            context: everywhere,
            ..self.clone()
        };
        let reach = plain.reach(path, b)?;
        let grouped = Tuple::anonymous(reach.depth()).with_name(Some(name));
        let Some(function) = reach.schedule_function(b)? else {
            return Err(blocked(path, "extension"));
        };
        let mut contraction = UnionPwMultiAff::empty(function.params().clone());
        for part in function.intersect_domain(&reach.instances, b)?.pw_multi_affs() {
            let renamed = part.with_range_tuple(grouped.clone()).into();
            contraction = contraction.union(&renamed, b)?.expect("parts are on different tuples");
        }
        let expansion = contraction.to_union_map().reverse();
        let groups = expansion.domain(b)?.coalesce(b)?;
        let mut tree = self.replaced(
            path,
            Node::Expansion(Box::new(Expansion {
                contraction,
                expansion,
                child,
            })),
        );
        tree.domain = self.domain.subtract(&reach.instances, b)?.union(&groups);
        let all = Set::universe(SetSpace::new(groups.params().clone(), grouped));
        let mut node = &mut tree.root;
        let mut depth = 0;
        for &step in path.steps() {
            match node {
                Node::Band(band) => {
                    let schedule = with_group(band, depth, all.space(), b)?;
                    depth += band.n();
                    **band = (**band).clone().with_schedule(schedule);
                }
                Node::Filter(filter) => filter.filter.add(&all),
                Node::Sequence(children) | Node::Set(children) => children[step].filter.add(&all),
                Node::Expansion(_) | Node::Extension(..) => return Err(blocked(path, node.kind())),
                Node::Guard(..) | Node::Context(..) | Node::Mark(..) | Node::Leaf => {}
            }
            node = node.children_mut().nth(step).expect("the path has been looked up");
        }
        Ok(tree)
    }
}

fn blocked(path: &Path, kind: &'static str) -> RewriteError {
    RewriteError::Blocked {
        path: path.clone(),
        kind,
    }
}

/// The band's schedule on a group as well: its members are the dimensions of the group from `first` on.
fn with_group(band: &Band, first: usize, group: &SetSpace, b: &Budget) -> Outcome<MultiUnionPwAff> {
    let schedule = band.schedule();
    if band.n() == 0 {
        let domain = schedule.domain().union(&UnionSet::from(Set::universe(group.clone())));
        return Ok(MultiUnionPwAff::on_domain(schedule.range_tuple().clone(), domain));
    }
    b.spend(band.n() as u64)?;
    let member = |(position, aff): (usize, &UnionPwAff)| {
        let own = Aff::var(group.clone(), first + position);
        let parts = aff.pw_affs().cloned().chain([PwAff::from(own)]);
        UnionPwAff::from_parts(aff.params().clone(), parts)
    };
    let affs = schedule.affs().iter().enumerate().map(member).collect();
    Ok(MultiUnionPwAff::new(schedule.range_tuple().clone(), affs))
}
