//! Loop sinking: parallel loops go inside the bands that they are around.
//!
//! A sum over two dimensions in a strict order has no single permutable band: `y` begins anew for each `x`, so that `[u, v, x]`
//! is one band and `[y]` the next. A coincident member has distance zero for all dependences that reach its band. It may
//! run inside of all bands below:
//!
//! ```text
//! [u, v, x]          [x]
//!   [y]                [u, v, y]
//! ```
//!
//! The new innermost band is permutable if the old one is. What is inside the new outer band still follows it in the same order.
//! Tiles of sunk members are outside of everything, where the members were: with tiles as large as a register tile, the sums of
//! a tile stay in registers.

use farkas_polyhedral::sets::{MultiUnionPwAff, Tuple};
use farkas_polyhedral::tree::{Band, LoopKind, Node, Path, Tree};

/// A chain of bands, each the only child of the one before, with the coincident members of the first one sunk.
#[derive(Clone, Debug)]
pub(crate) struct Sunk {
    /// The path to the chain's first band.
    pub(crate) top: Path,
    /// What is around the innermost band, outermost first.
    pub(crate) around: Vec<Band>,
    /// The innermost band: sunk members first, then its own.
    pub(crate) innermost: Band,
    /// How many members were sunk.
    pub(crate) count: usize,
}

/// The chain that ends in the innermost band at the path, from the first band on that has coincident members, with these sunk;
/// `None` if there is no such band, or if the innermost band is not permutable.
pub(crate) fn sunk(tree: &Tree, path: &Path, innermost: &Band) -> Option<Sunk> {
    if !innermost.permutable && innermost.n() > 1 {
        return None;
    }
    let chain = chain(tree, path);
    let position = chain
        .iter()
        .position(|(_, band)| band.members().iter().any(|m| m.coincident))?;
    let ((top, first), between) = (&chain[position], &chain[position + 1..]);
    let is_coincident = |member: &usize| first.members()[*member].coincident;
    let (sinking, staying): (Vec<usize>, Vec<usize>) = (0..first.n()).partition(is_coincident);
    let mut around = Vec::new();
    if !staying.is_empty() {
        around.push(first.select(&staying));
    }
    around.extend(between.iter().map(|(_, band)| Band::clone(band)));
    Some(Sunk {
        top: top.clone(),
        around,
        innermost: joined(&first.select(&sinking), innermost),
        count: sinking.len(),
    })
}

/// The bands around the innermost one at the path that have it as their only descendant without loops, outermost first.
pub(crate) fn chain<'t>(tree: &'t Tree, path: &Path) -> Vec<(Path, &'t Band)> {
    let mut chain = Vec::new();
    let mut at = path.parent();
    while let Some(path) = at {
        let Some(Node::Band(band)) = tree.at(&path) else { break };
        chain.push((path.clone(), &**band));
        at = path.parent();
    }
    chain.reverse();
    chain
}

/// The node inside of these bands, of which the first is outermost.
pub(crate) fn inside_of(around: &[Band], node: Node) -> Node {
    let nested = |node: Node, band: &Band| Node::band(band.clone().with_child(node));
    around.iter().rev().fold(node, nested)
}

/// One permutable band of the members of both, around the child of the second.
pub(super) fn joined(outer: &Band, inner: &Band) -> Band {
    let affs = [outer, inner].map(|band| band.schedule().affs());
    let mut members = [outer.members(), inner.members()].concat();
    members.iter_mut().for_each(|member| member.kind = LoopKind::Default);
    let n = members.len();
    let schedule = MultiUnionPwAff::new(Tuple::anonymous(n), affs.concat());
    Band::new(schedule, inner.child.clone())
        .with_members(members)
        .with_permutable(true)
}

#[cfg(test)]
mod tests {
    use super::{inside_of, sunk};
    use crate::transform::{band_at, innermost_bands};
    use expect_test::{Expect, expect};
    use farkas_polyhedral::tree::{Node, Tree};

    /// The tree with members sunk into its only innermost band.
    fn check(tree: &str, expected: Expect) {
        let tree: Tree = tree.parse().unwrap_or_else(|error| panic!("{error}"));
        let path = innermost_bands(&tree).remove(0);
        let text = match sunk(&tree, &path, band_at(&tree, &path)) {
            Some(sunk) => {
                let node = inside_of(&sunk.around, Node::band(sunk.innermost));
                format!("{} sunk\n{}", sunk.count, tree.rewritten(&sunk.top, |_| node))
            }
            None => "none sunk\n".to_owned(),
        };
        expected.assert_eq(&text);
    }

    const DOMAIN: &str = "domain: \"{ S[u, v, x, y] : 0 <= u, v, x, y <= 9 }\"\n";

    #[test]
    fn coincident_members_go_inside() {
        check(
            &format!(
                "{DOMAIN}child:
  schedule: \"[{{ S[u, v, x, y] -> [(u)] }}, {{ S[u, v, x, y] -> [(v)] }}, {{ S[u, v, x, y] -> [(x)] }}]\"
  permutable: 1
  coincident: [ 1, 1, 0 ]
  child:
    schedule: \"[{{ S[u, v, x, y] -> [(y)] }}]\"
    permutable: 1
"
            ),
            expect![[r#"
                2 sunk
                domain: "{ S[u, v, x, y] : 0 <= u <= 9 and 0 <= v <= 9 and 0 <= x <= 9 and 0 <= y <= 9 }"
                child:
                  schedule: "[{ S[u, v, x, y] -> [(x)] }]"
                  permutable: 1
                  child:
                    schedule: "[{ S[u, v, x, y] -> [(u)] }, { S[u, v, x, y] -> [(v)] }, { S[u, v, x, y] -> [(y)] }]"
                    permutable: 1
                    coincident: [ 1, 1, 0 ]
            "#]],
        );
    }

    #[test]
    fn nothing_goes_inside_of_loops_that_wait() {
        check(
            &format!(
                "{DOMAIN}child:
  schedule: \"[{{ S[u, v, x, y] -> [(u)] }}, {{ S[u, v, x, y] -> [(v)] }}]\"
  permutable: 1
  child:
    schedule: \"[{{ S[u, v, x, y] -> [(x)] }}, {{ S[u, v, x, y] -> [(y)] }}]\"
    permutable: 1
    coincident: [ 1, 1 ]
"
            ),
            expect![[r#"
                none sunk
            "#]],
        );
    }
}
